"""Inputs that satisfy the hypotheses of a claim because of how they are built.

construct(claim, sizes, algebra, draw) == an Inputs: an assignment, and what it does not guarantee
free_sizes(claim)                      == the names that `sizes` must give: dimensions and indices
PATTERNS                               == the hypotheses that are understood, in words

A unit vector comes from stereographic projection, a skew matrix from its lower triangle, an
orthogonal one from a Cayley transform and signs, a vector ⊥ k from projection, a gate in [a, b]
from t²/(1+t²), a symmetric function from powers of (2γ−1)², a sequence from its recurrence:
formulas in free parameters, so that one construction serves rational, 200-digit, ball and float
arithmetic.
Hypotheses of other forms are returned as `unmet`; whoever asked checks them, or reads the claim as
"unmet hypotheses imply the conclusion".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from . import expressions as ex
from . import propositions as pr
from .binding import binders
from .claims import Claim, plain_body, symbols
from .evaluation import UNENDING, Algebra, Assignment, Lambda, evaluate, holds, integer
from .summation import NOTATION, PRODUCT, multiplied, summed

PATTERNS = (
    "kᵀk = 1", "M = what has a value", "Sᵀ = −S", "Sᵀ = −S with S x = −μ y and S y = μ x",
    "QᵀQ = I, with or without det Q = ±1", "det M = number", "β = number",
    "kᵀu = 0, for one k or more",
    "number ≤ γ ≤ number, strict or not, one-sided or not", "β ≠ number", "|δ| ≤ what has a value",
    "r ≤ what depends on sizes alone", "|x_t| ≤ r for t = 1, …, n",
    "|E_ij| ≤ what has a value for all i, j, with or without Eᵀ = −E",
    "low ≤ x² ≤ what has a value, for the entry x of a 1×1 matrix",
    "C = A B, each entry summed in any order, rounded",
    "f(γ) = f(1−γ) near ½", "f differentiable", "f' = a f + b",
    "x_(i+1) = … for i = l, …, L−1", "1 ≤ l ≤ L", "x_l = …", "s_(i+1) · (…) = 1, of several s",
    "M_ij ≥ 0, M_ij > 0 for all i, j", "M𝟏 = 𝟏, 𝟏ᵀM = 𝟏ᵀ, with or without M ≥ 0", "M𝟏 = c𝟏",
    "RᵀR = I with R𝟏 = ±𝟏", "‖M_i z‖ ≤ c ‖z‖ for all i and z, where 0 ≤ c",
    "a sum in floating-point arithmetic (summation.py)",
)  # fmt: skip


@dataclass(frozen=True)
class Inputs:
    """An assignment, and the hypotheses that its construction does not guarantee."""

    at: Assignment
    unmet: tuple[pr.Proposition, ...]

    def remaining(self, conclusion: pr.Proposition) -> pr.Proposition:
        """What is left of the claim at these inputs: unmet hypotheses imply the conclusion."""
        if not self.unmet:
            return conclusion
        return pr.Implies(pr.And(self.unmet), conclusion)


def free_sizes(claim: Claim) -> tuple[str, ...]:
    """The names of the free dimensions and indices of a claim."""
    found = symbols(claim)
    return tuple(s.name for s in (*found.dims, *found.indices))


def construct(
    claim: Claim,
    sizes: Mapping[str, int],
    algebra: Algebra,
    draw: Callable[[], Any],
    *,
    component: int = 0,
) -> Inputs:
    """Values for every free symbol of `claim`.

    Parameters
    ----------
    sizes : mapping
        A value for each name in ``free_sizes(claim)``.
    algebra : Algebra
        The arithmetic of the values.
    draw : callable
        Gives the free parameters one by one, as scalars of the algebra.
    component : int
        Chooses signs: bit i flips row i of an orthogonal matrix, bit 0 the direction of a vector;
        bit 0 also puts a kink into a function that is not assumed differentiable.

    Raises
    ------
    Undefined
        The parameters drawn fall on a singular case of the construction.
    """
    return _Builder(claim, sizes, algebra, draw, component).build()


class _Builder:
    def __init__(
        self,
        claim: Claim,
        sizes: Mapping[str, int],
        algebra: Algebra,
        draw: Callable[[], Any],
        component: int,
    ):
        self.claim, self.algebra, self.draw, self.component = claim, algebra, draw, component
        self.at = Assignment(dict(sizes), {})
        self.open = list(_facts(claim))
        self.one = algebra.number(Fraction(1))

    def build(self) -> Inputs:
        free = symbols(self.claim)
        for index in free.indices:
            self.at = self.at.bind(index.name, self.at.sizes[index.name])
        for symbol in free.scalars:
            self.at = self.at.bind(symbol.name, self.scalar(symbol))
        for symbol in sorted(free.matrices, key=self.stands_on_axes):
            if symbol.name not in self.at.values:
                value = self.matrix(symbol)  # may bind other symbols as well
                self.at = self.at.bind(symbol.name, value)
        for symbol in free.functions:
            self.function(symbol)
        for symbol in free.maps:
            self.map(symbol)
        self.summed()
        for symbol in sorted(free.sequences, key=lambda s: self.recurrence(s) is not None):
            if symbol.name in self.at.values:
                continue
            self.at = self.at.bind(symbol.name, self.sequence(symbol))
        self.coupled()
        ordered = [f for f in self.open if isinstance(f, pr.Le) and self.holds_between_integers(f)]
        return Inputs(self.at, tuple(f for f in self.open if f not in ordered))

    def met(self, *facts: pr.Proposition) -> None:
        """Take hypotheses that the construction guarantees off the list."""
        self.open = [fact for fact in self.open if fact not in facts]

    def met_within(self, fact: pr.Proposition, bound: ex.Expression) -> None:
        """Take |x| ≤ bound off the list, unless the bound is negative: then nothing meets it."""
        if holds(pr.le(0, bound), self.at, self.algebra):
            self.met(fact)

    def number(self, value: Fraction | int) -> Any:
        return self.algebra.number(Fraction(value))

    # ---- scalars
    def scalar(self, symbol: ex.ScalarSymbol) -> Any:
        low: Fraction | None = None
        high: Fraction | None = None
        strict_low = strict_high = False
        bounds: list[pr.Proposition] = []
        for fact in list(self.open):
            match fact:
                case pr.Eq(left, ex.Literal(value)) if left == symbol:
                    self.met(fact)
                    return self.number(value)
                case pr.Le(ex.Literal(value), right) | pr.Lt(ex.Literal(value), right) if (
                    right == symbol
                ):
                    strict = isinstance(fact, pr.Lt)
                    if low is None or (value, strict) > (low, strict_low):
                        low, strict_low = value, strict
                    bounds.append(fact)
                case pr.Le(left, ex.Literal(value)) | pr.Lt(left, ex.Literal(value)) if (
                    left == symbol
                ):
                    strict = isinstance(fact, pr.Lt)
                    if high is None or (-value, strict) > (-high, strict_high):
                        high, strict_high = value, strict
                    bounds.append(fact)
                case pr.Le(ex.Absolute(body), bound) if body == symbol and self.is_given(bound):
                    self.met_within(fact, bound)
                    return evaluate(bound, self.at, self.algebra) * self.swing(self.draw())
                case pr.Le(left, bound) if (
                    left == symbol
                    and not isinstance(bound, ex.Literal)
                    and all(isinstance(part, _OF_SIZES) for part in ex.walk(bound))
                ):  # a bound that depends on the sizes alone
                    value = self.of_sizes(bound)
                    if high is None or (-value, False) > (-high, strict_high):
                        high, strict_high = value, False
                    bounds.append(fact)
        t = self.draw()
        if low is not None and high is not None:
            if low > high or (low == high and (strict_low or strict_high)):
                return t  # nothing lies between them
            self.met(*bounds)
            return self.number(low) + self.number(high - low) * self.share(
                t, strict_low, strict_high
            )
        self.met(*bounds)
        if low is not None:
            return self.number(low) + (self.one + t * t if strict_low else t * t)
        if high is not None:
            return self.number(high) - (self.one + t * t if strict_high else t * t)
        return t

    def swing(self, t: Any) -> Any:
        """A value between −1 and 1 that takes the ends at t = ±1."""
        return (t + t) / (self.one + t * t)

    def share(self, t: Any, strict_low: bool, strict_high: bool) -> Any:
        """A value between 0 and 1 that takes the ends that it may take at t = 0 or t = ±1."""
        scale = self.one / (self.one + t * t)
        if strict_low == strict_high:  # all of [0, 1], or the middle of it
            swing = self.number(Fraction(3, 4)) if strict_low else self.one
            return self.number(Fraction(1, 2)) + swing * t * scale
        return scale if strict_low else t * t * scale

    # ---- matrices
    def matrix(self, symbol: ex.MatrixSymbol) -> Any:
        rows, columns = self.at.size(symbol.rows), self.at.size(symbol.columns)
        transposed = symbol.T
        for fact in self.claim.given:
            match fact:
                case pr.Defined(notation, (product, *factors), body) if (
                    notation == PRODUCT and product == symbol and all(map(self.is_given, factors))
                ):
                    if holds(pr.le(0, factors[-1]), self.at, self.algebra):
                        self.met(body)
                    return multiplied(fact, self.at, self.algebra, self.draw, self.component)
        for fact in list(self.open):
            match fact:
                case pr.Eq(ex.MatMul(left, right), ex.Identity(size)) if (
                    left == transposed and right == symbol
                ):
                    self.met(fact)
                    if size != 1 and (towards := self.sends_ones(symbol)):
                        return self.orthogonal_along_ones(rows, towards)
                    return self.unit(rows) if size == 1 else self.orthogonal(symbol, rows)
                case pr.ForRange(
                    t,
                    ex.Literal(first),
                    ex.SizeOf(size),
                    pr.Le(ex.Absolute(body), ex.ScalarSymbol(bound)),
                ) if (
                    (first, size, body) == (1, symbol.rows, ex.element(symbol, t, 1))
                    and columns == 1
                    and bound in self.at.values
                ):
                    most = self.at.values[bound]
                    self.met_within(fact, ex.ScalarSymbol(bound))
                    return self.algebra.matrix(
                        [[most * self.swing(self.draw())] for _ in range(rows)]
                    )
                case pr.Le(ex.Power(ex.Entry(body), 2) as square, high) if (
                    body == symbol and self.is_given(high)
                ):
                    return self.between_squares(square, high)
                case pr.ForRange(
                    i, _, _, pr.ForRange(j, _, _, pr.Le(ex.Absolute(body), bound))
                ) if body == ex.element(symbol, i, j) and self.is_given(bound, within=(i, j)):
                    return self.bounded(symbol, fact, bound, (i, j))
                case pr.Eq(left, right) if left == symbol and self.is_given(right):
                    self.met(fact)
                    return evaluate(right, self.at, self.algebra)
                case pr.Eq(left, ex.Neg(body)) if left == transposed and body == symbol:
                    self.met(fact)
                    found = self.turning(symbol, rows)
                    return self.skew(rows) if found is None else found
                case pr.Eq(ex.MatMul(ex.Transpose(axis), right), ex.Zero()) if (
                    right == symbol
                    and isinstance(axis, ex.MatrixSymbol)
                    and axis.name in self.at.values
                ):
                    return self.orthogonal_to(self.axes(symbol), rows, columns)
        for fact in self.open:
            match fact:
                case pr.Eq(ex.Det(body), ex.Literal(value)) if body == symbol and value != 0:
                    return self.with_determinant(fact, rows)
        return self.summing(symbol, rows, columns)

    def stands_on_axes(self, symbol: ex.MatrixSymbol) -> bool:
        """Is the symbol assumed to be orthogonal to another one? Then it is built after that."""
        return any(
            isinstance(fact, pr.Eq)
            and isinstance(fact.left, ex.MatMul)
            and isinstance(fact.left.left, ex.Transpose)
            and isinstance(fact.right, ex.Zero)
            and fact.left.right == symbol != fact.left.left.body
            for fact in self.open
        )

    def axes(self, symbol: ex.MatrixSymbol) -> list[Any]:
        """The values of what `symbol` is assumed to be orthogonal to, which is met."""
        found = []
        for fact in self.open:
            match fact:
                case pr.Eq(ex.MatMul(ex.Transpose(axis), right), ex.Zero()) if (
                    right == symbol
                    and isinstance(axis, ex.MatrixSymbol)
                    and axis.name in self.at.values
                ):
                    self.met(fact)
                    found.append(self.at.values[axis.name])
        return found

    def is_given(self, node: ex.Expression, within: Sequence[ex.IndexSymbol] = ()) -> bool:
        """Have all symbols in an expression values already, but those of the ranges `within`?"""
        named = (ex.ScalarSymbol, ex.MatrixSymbol, ex.IndexSymbol)
        ranging = {*within, *binders(node)}
        return all(
            part in ranging or part.name in self.at.values
            if isinstance(part, named)
            else not _opaque(part)
            for part in ex.walk(node)
        )

    def of_sizes(self, node: ex.Expression) -> Fraction:
        """The value of an expression in sizes alone."""
        from .exact import EXACT, to_rational

        return to_rational(evaluate(node, Assignment(self.at.sizes, {}), EXACT))

    def between_squares(self, square: ex.Expression, high: ex.Expression) -> Any:
        """A 1×1 matrix x ≥ 0 with low ≤ x² ≤ high, of which the hypotheses are checked later."""
        from .exact import EXACT, to_rational

        lows = [
            fact.left
            for fact in self.open
            if isinstance(fact, pr.Le) and fact.right == square and self.is_given(fact.left)
        ]
        most = evaluate(high, self.at, self.algebra)
        least = evaluate(lows[0], self.at, self.algebra) if lows else most
        half = self.number(Fraction(1, 2))
        between = (least + most) * half + (most - least) * half * self.swing(self.draw())
        if self.algebra is not EXACT:
            return self.algebra.matrix([[self.algebra.square_root(between)]])
        # a rational number beside the root, so near that it leaves only bounds that are as near
        step = Fraction(1, 1 << 64)
        root = isqrt(max(0, int(to_rational(between) / step**2))) * step
        root = root + step if root**2 < to_rational(least) else root
        return self.algebra.matrix([[self.number(root)]])

    def bounded(
        self,
        symbol: ex.MatrixSymbol,
        fact: pr.ForRange,
        bound: ex.Expression,
        indices: tuple[ex.IndexSymbol, ex.IndexSymbol],
    ) -> Any:
        """A matrix with entries within their bounds; skew where that is assumed too."""
        i, j = indices
        rows, columns = self.at.size(symbol.rows), self.at.size(symbol.columns)

        def entry(row: int, column: int) -> Any:
            here = self.at.bind(i.name, row).bind(j.name, column)
            return evaluate(bound, here, self.algebra) * self.swing(self.draw())

        mirrored = pr.Eq(symbol.T, -symbol) if symbol.rows == symbol.columns else None
        if mirrored in self.open:
            self.met(mirrored)  # the bounds of the entries above the diagonal remain to be checked
            found = [[self.number(0)] * columns for _ in range(rows)]
            for row in range(rows):
                for column in range(row):
                    found[row][column] = entry(row + 1, column + 1)
                    found[column][row] = -found[row][column]
            return self.algebra.matrix(found)
        inside = pr.forall(j, pr.le(0, bound), over=(1, ex.size(symbol.columns)))
        if holds(pr.forall(i, inside, over=(1, ex.size(symbol.rows))), self.at, self.algebra):
            self.met(fact)
        return self.algebra.matrix(
            [[entry(row, column) for column in range(1, columns + 1)] for row in range(1, rows + 1)]
        )

    def free(self, rows: int, columns: int) -> Any:
        return self.algebra.matrix([[self.draw() for _ in range(columns)] for _ in range(rows)])

    def unit(self, n: int) -> Any:
        t = [self.draw() for _ in range(n - 1)]
        square = self.number(0)
        for x in t:
            square = square + x * x
        scale = self.one / (self.one + square)
        sign = self.number(-1 if self.component & 1 else 1)
        entries = [sign * (self.one - square) * scale]
        entries += [sign * self.number(2) * x * scale for x in t]
        return self.algebra.matrix([[x] for x in entries])

    def skew(self, n: int) -> Any:
        rows = [[self.number(0)] * n for _ in range(n)]
        for i in range(n):
            for j in range(i):
                rows[i][j] = self.draw()
                rows[j][i] = -rows[i][j]
        return self.algebra.matrix(rows)

    def turning(self, symbol: ex.MatrixSymbol, n: int) -> Any:
        """A skew S with S x = −μ y and S y = μ x, where that is assumed; x, y and μ are chosen too.

        In an orthogonal basis that begins with x and y, S is skew with first column (0, −μ, 0, …).
        """
        for fact in self.open:
            match fact:
                case pr.Eq(ex.MatMul(left, x), ex.Scale(ex.Neg(mu), y)) if (
                    left == symbol
                    and isinstance(mu, ex.ScalarSymbol)
                    and (back := pr.Eq(symbol @ y, ex.Scale(mu, x))) in self.open
                    and isinstance(x, ex.MatrixSymbol)
                    and isinstance(y, ex.MatrixSymbol)
                ):
                    self.met(fact, back)
                    return self.turn(x, y, mu, n)
        return None

    def turn(self, x: ex.MatrixSymbol, y: ex.MatrixSymbol, mu: ex.ScalarSymbol, n: int) -> Any:
        length = self.draw()
        if n == 1:  # a skew number is 0, and so is μ
            self.at = self.at.bind(mu.name, self.number(0))
            self.at = self.at.bind(x.name, self.algebra.matrix([[length]]))
            self.at = self.at.bind(y.name, self.algebra.matrix([[self.draw()]]))
            return self.skew(1)
        basis = self.rotation(n)
        first, second, *_ = self.algebra.rows(self.algebra.transpose(basis))
        for symbol, column in ((x, first), (y, second)):
            vector = self.algebra.matrix([[length * entry] for entry in column])
            self.at = self.at.bind(symbol.name, vector)
        rows = self.algebra.rows(self.skew(n))
        speed = self.at.values[mu.name]
        for i in range(n):
            for j in range(n):
                if min(i, j) < 2:
                    rows[i][j] = {(0, 1): speed, (1, 0): -speed}.get((i, j), self.number(0))
        inside = self.algebra.multiply(self.algebra.matrix(rows), self.algebra.transpose(basis))
        return self.algebra.multiply(basis, inside)

    def rotation(self, n: int) -> Any:
        skew = self.skew(n)
        identity = evaluate(ex.Identity(n), self.at, self.algebra)
        return self.algebra.multiply(self.algebra.inverse(identity + skew), identity - skew)

    def orthogonal(self, symbol: ex.MatrixSymbol, n: int) -> Any:
        rotation = self.rotation(n)
        signs = [-1 if self.component >> i & 1 else 1 for i in range(n)]
        for fact in list(self.open):
            match fact:
                case pr.Eq(ex.Det(body), ex.Literal(value)) if body == symbol and abs(value) == 1:
                    self.met(fact)
                    if signs.count(-1) % 2 != (value < 0):
                        signs[-1] = -signs[-1]
        rows = self.algebra.rows(rotation)
        return self.algebra.matrix(
            [[self.number(s) * x for x in row] for s, row in zip(signs, rows, strict=True)]
        )

    def with_determinant(self, fact: pr.Eq, n: int) -> Any:
        """L D U of unit triangular L and U, with the determinant in the first row of U."""
        self.met(fact)
        assert isinstance(fact.right, ex.Literal)
        zero, one, first = self.number(0), self.one, self.number(fact.right.value)

        def triangular(below: bool) -> list[list[Any]]:
            return [
                [
                    one if i == j else self.draw() if (j < i) == below else zero
                    for j in range(n)
                ]
                for i in range(n)
            ]  # fmt: skip

        lower, upper = triangular(below=True), triangular(below=False)
        upper[0] = [first * entry for entry in upper[0]]
        return self.algebra.multiply(self.algebra.matrix(lower), self.algebra.matrix(upper))

    def orthogonal_to(self, axes: list[Any], rows: int, columns: int) -> Any:
        """Free numbers, less their parts along each axis; no division, so that axes may be 0."""
        across: list[Any] = []
        for axis in axes:
            # the axes made orthogonal to one another; one that depends on others makes all of it 0
            across.append(self.projected(axis, across))
        return self.projected(self.free(rows, columns), across)

    def projected(self, matrix: Any, axes: list[Any]) -> Any:
        for axis in axes:
            row = self.algebra.transpose(axis)
            square = self.algebra.rows(self.algebra.multiply(row, axis))[0][0]
            along = self.algebra.multiply(axis, self.algebra.multiply(row, matrix))
            matrix = self.algebra.scale(square, matrix) - along
        return matrix

    def sends_ones(self, symbol: ex.MatrixSymbol) -> int:
        """1 where R𝟏 = 𝟏 is assumed, −1 where R𝟏 = −𝟏 is, and then it is met; else 0."""
        ones = ex.ones(symbol.rows)
        for image, sign in ((ones, 1), (-ones, -1)):
            fact = pr.Eq(symbol @ ones, image)
            if fact in self.open:
                self.met(fact)
                return sign
        return 0

    def orthogonal_along_ones(self, n: int, sign: int) -> Any:
        """± the Cayley transform of a skew matrix that takes 𝟏 to 0."""
        multiply, identity = self.algebra.multiply, evaluate(ex.Identity(n), self.at, self.algebra)
        average = self.algebra.scale(
            self.number(Fraction(1, n)), evaluate(ex.Ones(n, n), self.at, self.algebra)
        )
        centre = identity - average
        skew = multiply(centre, multiply(self.skew(n), centre))
        rotation = multiply(self.algebra.inverse(identity + skew), identity - skew)
        return self.algebra.scale(self.number(sign), rotation)

    def summing(self, symbol: ex.MatrixSymbol, rows: int, columns: int) -> Any:
        """A matrix with positive or nonnegative entries, or with rows or columns that sum to 1."""
        sign = next((f for f in self.open if _signs(f, symbol)), None)
        of_rows = pr.Eq(symbol @ ex.ones(symbol.columns), ex.ones(symbol.rows))
        of_columns = pr.Eq(ex.ones(symbol.rows).T @ symbol, ex.ones(symbol.columns).T)
        sums = [fact for fact in (of_rows, of_columns) if fact in self.open]
        if sign is None and not sums:
            return self.summing_to(symbol, rows, columns)
        strict = sign is not None and isinstance(_innermost(sign), pr.Lt)
        self.met(*sums, *([sign] if sign is not None else []))

        def weight() -> Any:
            t = self.draw()
            if sign is None:
                return t
            return t * t + self.one if strict else t * t

        if not sums:
            return self.algebra.matrix([[weight() for _ in range(columns)] for _ in range(rows)])
        if len(sums) == 2:
            return self.combination(_permutations(rows, self.component), weight, sign is None)
        # one distribution for each row: the mixture of two unit vectors or more
        count, length = (rows, columns) if sums == [of_rows] else (columns, rows)
        units = evaluate(ex.Identity(length), self.at, self.algebra)
        unit_rows = self.algebra.rows(units)
        table = [
            self.algebra.rows(
                self.combination(
                    [[unit_rows[(i + self.component + k) % length]] for k in range(length)],
                    weight,
                    sign is None,
                )
            )[0]
            for i in range(count)
        ]
        found = self.algebra.matrix(table)
        return found if sums == [of_rows] else self.algebra.transpose(found)

    def summing_to(self, symbol: ex.MatrixSymbol, rows: int, columns: int) -> Any:
        """A matrix with rows, or columns, that sum to a number."""
        free = self.free(rows, columns)
        for fact in self.open:
            match fact:
                case pr.Eq(ex.MatMul(left, right), ex.Scale(factor, ex.Ones())) if (
                    left,
                    right,
                ) == (symbol, ex.ones(symbol.columns)) and isinstance(factor, ex.ScalarSymbol):
                    across = True
                case pr.Eq(ex.MatMul(left, right), ex.Scale(factor, ex.Transpose(ex.Ones()))) if (
                    left,
                    right,
                ) == (ex.ones(symbol.rows).T, symbol) and isinstance(factor, ex.ScalarSymbol):
                    across = False
                case _:
                    continue
            self.met(fact)
            table = self.algebra.rows(free if across else self.algebra.transpose(free))
            wanted = evaluate(factor, self.at, self.algebra)
            for row in table:
                row[0] = wanted
                for entry in row[1:]:
                    row[0] = row[0] - entry
            found = self.algebra.matrix(table)
            return found if across else self.algebra.transpose(found)
        return free

    def combination(self, corners: list[Any], weight: Callable[[], Any], signed: bool) -> Any:
        """A convex combination of corners, or an affine one; the first where the draws are 0."""
        weights = [weight() for _ in corners[1:]]
        sum_of_them = self.number(0)
        for w in weights:
            sum_of_them = sum_of_them + w
        first = self.one - sum_of_them if signed else self.one
        scale = self.one if signed else self.one / (self.one + sum_of_them)

        def lifted(rows: Any) -> Any:
            return self.algebra.matrix(
                [[self.number(x) if isinstance(x, int) else x for x in row] for row in rows]
            )

        found = self.algebra.scale(first, lifted(corners[0]))
        for w, corner in zip(weights, corners[1:], strict=True):
            found = found + self.algebra.scale(w, lifted(corner))
        return self.algebra.scale(scale, found)

    # ---- functions and sequences
    def function(self, symbol: ex.FunctionSymbol) -> None:
        if any(self.flows(fact, symbol) for fact in list(self.open)):
            return
        gamma = ex.ScalarSymbol("γ")
        symmetric = [fact for fact in self.open if _is_symmetry(fact, symbol)]
        argument: ex.Expression = (2 * gamma - 1) ** 2 if symmetric else gamma
        body: ex.Expression = ex.Literal(0)
        for power in range(3):
            coefficient = ex.ScalarSymbol(f"{symbol.name}⟨{power}⟩")  # no name of a claim
            self.at = self.at.bind(coefficient.name, self.draw())
            body = body + coefficient * argument**power
        smooth = [
            fact
            for fact in self.open
            if isinstance(fact, pr.Differentiable) and fact.body == symbol(fact.variable)
        ]
        if self.component & 1 and not smooth:
            body = body + ex.least(gamma, 1 - gamma)  # symmetric, with a kink at ½
        self.met(*symmetric, *smooth)
        self.at = self.at.bind(symbol.name, Lambda(gamma, body))

    def flows(self, fact: pr.Proposition, symbol: ex.FunctionSymbol) -> bool:
        """Bind the function where a hypothesis says f' = a f + b everywhere: by exp(a t)."""
        match fact:
            case pr.ForAll(
                t, pr.And((pr.Differentiable(f, t_1, t_2), pr.Eq(ex.Derivative() as left, right)))
            ) if (
                t == t_1 == t_2
                and isinstance(t, ex.ScalarSymbol)
                and f == symbol(t)
                and left == ex.derivative(f, t)
            ):
                w = ex.ScalarSymbol(f"{symbol.name}⟨w⟩")
                body = ex.substitute(right, {f: w})
            case _:
                return False
        at_0, at_1, at_2 = (
            evaluate(body, self.at.bind(w.name, self.number(x)), self.algebra) for x in range(3)
        )
        rate = at_1 - at_0
        bent = self.algebra.equal(at_2 - at_1, rate) is False
        if bent or self.algebra.equal(rate, self.number(0)) is not False:
            return False
        a, rest, start = (ex.ScalarSymbol(f"{symbol.name}⟨{name}⟩") for name in ("a", "0", "1"))
        for part, value in ((a, rate), (rest, -at_0 / rate), (start, self.draw())):
            self.at = self.at.bind(part.name, value)
        self.met(fact)
        grown = rest + start * ex.elementary("exp", a * t)
        self.at = self.at.bind(symbol.name, Lambda(t, grown))
        return True

    def map(self, symbol: ex.MapSymbol) -> None:
        """A quadratic map, or for a family one for each subscript."""
        value: Any
        if any(node.member is None for node in self.images(symbol)):
            value = self.quadratic(symbol, symbol.name)
        else:
            first, last = self.span()
            members = range(first, last + 2)
            value = {i: self.quadratic(symbol, f"{symbol.name}⟨{i}⟩") for i in members}
        self.at = self.at.bind(symbol.name, value)

    def images(self, symbol: ex.MapSymbol) -> Iterator[ex.Image]:
        for statement in self.claim.statement:
            for node in pr.expressions_in(statement):
                if isinstance(node, ex.Image) and node.map == symbol:
                    yield node

    def quadratic(self, symbol: ex.MapSymbol, name: str) -> Lambda:
        """x ↦ M x + tr(xᵀx) b, its coefficients drawn and bound by names of their own."""
        size, columns = self.at.size(symbol.size), self.at.size(symbol.columns)
        M, b = ex.matrix(f"{name}⟨M⟩", size, size), ex.matrix(f"{name}⟨b⟩", size, columns)
        for part in (M, b):
            self.at = self.at.bind(part.name, self.free(*(self.at.size(s) for s in part.shape)))
        z = ex.matrix(f"{name}⟨x⟩", size, columns)
        return Lambda(z, M @ z + ex.tr(z.T @ z) * b)

    def span(self) -> tuple[int, int]:
        """The least and the largest subscript, 0 among them."""
        values = [value for value in self.at.values.values() if isinstance(value, int)]
        return min([*values, 0]), max([*values, 0])

    def recurrence(self, symbol: ex.SequenceSymbol) -> pr.ForRange | None:
        for fact in self.claim.given:
            match fact:
                case pr.ForRange(index, _, _, pr.Eq(ex.Term(sequence, subscript), _)) if (
                    sequence == symbol and subscript == index + 1
                ):
                    return fact
        return None

    def sequence(self, symbol: ex.SequenceSymbol) -> dict[int, Any]:
        first, last = self.span()
        rule = self.recurrence(symbol)
        if rule is None:
            return {i: self.term(symbol) for i in range(first, last + 1)}
        assert isinstance(rule.body, pr.Eq)
        self.met(rule)
        start = integer(rule.first, self.at)
        stop = max(start, last) + 2 * UNENDING if rule.last is None else integer(rule.last, self.at)
        terms = {start: self.start(symbol, rule.first)}
        for i in range(start, stop + 1):
            here = self.at.bind(symbol.name, terms).bind(rule.index.name, i)
            terms[i + 1] = evaluate(rule.body.right, here, self.algebra)
        return terms

    def coupled(self) -> None:
        """Sequences of which each next term is a reciprocal: s_(i+1) · (…) = 1, in this order.

        What else the hypothesis says of the terms, such as 0 < s_i, has to come out true.
        """
        for fact in list(self.open):
            match fact:
                case pr.ForRange(i, first, last, pr.And(parts)) if rules := [
                    (rule, part) for part in parts if (rule := _reciprocal(part, i))
                ]:
                    start = integer(first, self.at)
                    end = start + UNENDING if last is None else integer(last, self.at)
                    for (sequence, _), _ in rules:
                        terms = {start: self.start(sequence, first)}
                        self.at = self.at.bind(sequence.name, terms)
                    for count in range(start, end + 1):
                        for (sequence, factor), _ in rules:
                            here = self.at.bind(i.name, count)
                            divisor = evaluate(factor, here, self.algebra)
                            self.at.values[sequence.name][count + 1] = self.algebra.divide(
                                self.one, divisor
                            )
                    others = pr.And(tuple(p for p in parts if p not in [x for _, x in rules]))
                    rest = pr.ForRange(i, first, ex.Literal(end), others)
                    if holds(rest, self.at, self.algebra):
                        self.met(fact)

    def summed(self) -> None:
        """The results of a sum in floating-point arithmetic, in an order that varies."""
        for fact in self.claim.given:
            if isinstance(fact, pr.Defined) and fact.notation == NOTATION:
                found = summed(fact, self.at, self.algebra, self.draw, self.component)
                for name, terms in found.items():
                    self.at = self.at.bind(name, terms)
                self.met(*(part for part in _conjuncts(fact) if isinstance(part, pr.ForRange)))

    def start(self, symbol: ex.SequenceSymbol, first: ex.Expression) -> Any:
        """The first term: what a hypothesis says it is, or drawn."""
        for fact in self.open:
            match fact:
                case pr.Eq(ex.Term(sequence, subscript), right) if (
                    sequence == symbol
                    and not any(isinstance(node, ex.Term) for node in ex.walk(right))
                    and integer(subscript, self.at) == integer(first, self.at)
                ):
                    self.met(fact)
                    return evaluate(right, self.at, self.algebra)
        return self.term(symbol)

    def term(self, symbol: ex.SequenceSymbol) -> Any:
        if symbol.size is None:
            return self.draw()
        for fact in self.claim.given:
            if (factor := self.contracts(fact, symbol)) is not None:
                self.met(fact)
                return self.contraction(self.at.size(symbol.size), factor)
        return self.free(self.at.size(symbol.size), self.at.size(symbol.columns))

    def contracts(self, fact: pr.Proposition, symbol: ex.SequenceSymbol) -> Any:
        """c ≥ 0 where the hypothesis says ‖M_i z‖ ≤ c ‖z‖ for all i and z; None for another."""
        match fact:
            case pr.ForRange(
                i,
                _,
                _,
                pr.ForAll(z, pr.Le(ex.Norm(ex.MatMul(term, x)), ex.Mul(factor, ex.Norm(y)))),
            ) if term == symbol[i] and x == y == z and pr.le(0, factor) in self.claim.given:
                return evaluate(factor, self.at, self.algebra)
        return None

    def contraction(self, n: int, factor: Any) -> Any:
        """An orthogonal matrix times at most `factor`, which is reached where 0 is drawn."""
        identity, skew, t = (
            evaluate(ex.Identity(n), self.at, self.algebra),
            self.skew(n),
            self.draw(),
        )
        rotation = self.algebra.multiply(self.algebra.inverse(identity + skew), identity - skew)
        return self.algebra.scale(factor / (self.one + t * t), rotation)

    def holds_between_integers(self, fact: pr.Le) -> bool:
        nodes = [*ex.walk(fact.left), *ex.walk(fact.right)]
        if not any(isinstance(node, ex.IndexSymbol) for node in nodes):
            return False
        return integer(fact.left, self.at) <= integer(fact.right, self.at)


_OF_SIZES = (ex.Literal, ex.SizeOf, ex.Add, ex.Sub, ex.Mul, ex.Div, ex.Power)


def _opaque(node: ex.Expression) -> bool:
    """Does it take the value of a function, map or sequence, which come last?"""
    return isinstance(node, ex.Apply | ex.Image | ex.Term)


def _is_symmetry(fact: pr.Proposition, symbol: ex.FunctionSymbol) -> bool:
    if isinstance(fact, pr.Eq):
        match fact.left, fact.right:
            case ex.Apply(f, argument), ex.Apply(g, mirrored):
                return f == g == symbol and mirrored == 1 - argument
    return len(fact.propositions) > 0 and _is_symmetry(fact.propositions[-1], symbol)


@lru_cache(maxsize=64)
def _facts(claim: Claim) -> tuple[pr.Proposition, ...]:
    """The hypotheses one by one: the same for all inputs of a claim."""
    return tuple(fact for given in claim.given for fact in _conjuncts(given))


def _conjuncts(node: pr.Proposition) -> Iterator[pr.Proposition]:
    if isinstance(node, pr.And):
        for part in node.parts:
            yield from _conjuncts(part)
    elif isinstance(node, pr.Defined):
        yield from _conjuncts(node.body)
    elif isinstance(node, pr.Eq):
        yield pr.Eq(plain_body(node.left), plain_body(node.right))
    else:
        yield node


def _reciprocal(
    part: pr.Proposition, i: ex.IndexSymbol
) -> tuple[ex.SequenceSymbol, ex.Expression] | None:
    """The sequence s and the factor of s_(i+1) · factor = 1."""
    match part:
        case pr.Eq(ex.Mul(ex.Term(sequence, subscript), factor), ex.Literal(value)) if (
            value == 1 and subscript == i + 1
        ):
            return sequence, factor
    return None


def _innermost(node: pr.Proposition) -> pr.Proposition:
    return _innermost(node.body) if isinstance(node, pr.ForRange) else node


def _signs(fact: pr.Proposition, symbol: ex.MatrixSymbol) -> bool:
    """Does the hypothesis say 0 ≤ M_ij, or 0 < M_ij, for all i and j?"""
    match fact:
        case pr.ForRange(i, ex.Literal() as first, rows, pr.ForRange(j, start, columns, inner)) if (
            first == start == ex.Literal(1)
        ):
            ends = (rows, columns) == (ex.size(symbol.rows), ex.size(symbol.columns))
            entry = ex.element(symbol, i, j)
            return ends and inner in (pr.le(0, entry), pr.lt(0, entry))
    return False


def _permutations(n: int, component: int) -> list[list[list[int]]]:
    """Cyclic shifts and two transpositions as rows of 0 and 1, a different one first each time."""
    orders = [[(i + shift) % n for i in range(n)] for shift in range(n)]
    if n > 2:
        orders += [[1, 0, *range(2, n)], [*range(n - 2), n - 1, n - 2]]
    first = component % len(orders)
    orders = orders[first:] + orders[:first]
    return [[[int(j == place) for j in range(n)] for place in order] for order in orders]
