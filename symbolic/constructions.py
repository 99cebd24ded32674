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

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import expressions as ex
from . import propositions as pr
from .claims import Claim, plain_body, symbols
from .evaluation import Algebra, Assignment, Lambda, evaluate, integer

PATTERNS = (
    "kᵀk = 1", "Sᵀ = −S", "QᵀQ = I, with or without det Q = ±1", "kᵀu = 0", "β = number",
    "number ≤ γ ≤ number, strict or not, one-sided or not", "β ≠ number",
    "f(γ) = f(1−γ) near ½", "f differentiable", "x_(i+1) = … for i = l, …, L−1", "1 ≤ l ≤ L",
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
        self.open = [fact for given in claim.given for fact in _conjuncts(given)]
        self.one = algebra.number(Fraction(1))

    def build(self) -> Inputs:
        free = symbols(self.claim)
        for index in free.indices:
            self.at = self.at.bind(index.name, self.at.sizes[index.name])
        for symbol in free.scalars:
            self.at = self.at.bind(symbol.name, self.scalar(symbol))
        for symbol in free.matrices:
            self.at = self.at.bind(symbol.name, self.matrix(symbol))
        for symbol in free.functions:
            self.function(symbol)
        for symbol in sorted(free.sequences, key=lambda s: self.recurrence(s) is not None):
            self.at = self.at.bind(symbol.name, self.sequence(symbol))
        ordered = [f for f in self.open if isinstance(f, pr.Le) and self.holds_between_integers(f)]
        return Inputs(self.at, tuple(f for f in self.open if f not in ordered))

    def met(self, *facts: pr.Proposition) -> None:
        """Take hypotheses that the construction guarantees off the list."""
        self.open = [fact for fact in self.open if fact not in facts]

    def number(self, value: Fraction | int) -> Any:
        return self.algebra.number(Fraction(value))

    # ---- scalars
    def scalar(self, symbol: ex.ScalarSymbol) -> Any:
        low = high = None
        for fact in list(self.open):
            match fact:
                case pr.Eq(left, ex.Literal(value)) if left == symbol:
                    self.met(fact)
                    return self.number(value)
                case pr.Le(ex.Literal(value), right) | pr.Lt(ex.Literal(value), right) if (
                    right == symbol
                ):
                    low = max(value, low if low is not None else value)
                    self.met(fact)
                case pr.Le(left, ex.Literal(value)) | pr.Lt(left, ex.Literal(value)) if (
                    left == symbol
                ):
                    high = min(value, high if high is not None else value)
                    self.met(fact)
        t = self.draw()
        if low is None and high is None:
            return t
        # strictly inside, so that strict bounds hold as well
        if low is not None and high is not None:
            width = self.number(high - low)
            share = (self.one + t * t) / (self.number(2) + t * t + t * t)
            return self.number(low) + width * self.bend(share, t)
        distance = self.one + t * t
        return self.number(low) + distance if low is not None else self.number(high or 0) - distance

    def bend(self, share: Any, t: Any) -> Any:
        """A value strictly between 0 and 1 that varies with t: (1 + t²)/(2 + 2t²) moved off ½."""
        return share * (self.one + t * t * self.number(Fraction(1, 2))) / (self.one + t * t)

    # ---- matrices
    def matrix(self, symbol: ex.MatrixSymbol) -> Any:
        rows, columns = self.at.size(symbol.rows), self.at.size(symbol.columns)
        transposed = symbol.T
        for fact in list(self.open):
            match fact:
                case pr.Eq(ex.MatMul(left, right), ex.Identity(size)) if (
                    left == transposed and right == symbol
                ):
                    self.met(fact)
                    return self.unit(rows) if size == 1 else self.orthogonal(symbol, rows)
                case pr.Eq(left, ex.Neg(body)) if left == transposed and body == symbol:
                    self.met(fact)
                    return self.skew(rows)
                case pr.Eq(ex.MatMul(ex.Transpose(axis), right), ex.Zero()) if (
                    right == symbol
                    and isinstance(axis, ex.MatrixSymbol)
                    and axis.name in self.at.values
                ):
                    self.met(fact)
                    return self.orthogonal_to(self.at.values[axis.name], rows, columns)
        return self.free(rows, columns)

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

    def orthogonal(self, symbol: ex.MatrixSymbol, n: int) -> Any:
        skew = self.skew(n)
        identity = evaluate(ex.Identity(n), self.at, self.algebra)
        rotation = self.algebra.multiply(self.algebra.inverse(identity + skew), identity - skew)
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

    def orthogonal_to(self, axis: Any, rows: int, columns: int) -> Any:
        free = self.free(rows, columns)
        across = self.algebra.transpose(axis)
        square = self.algebra.rows(self.algebra.multiply(across, axis))[0][0]
        along = self.algebra.multiply(axis, self.algebra.multiply(across, free))
        return self.algebra.scale(square, free) - along

    # ---- functions and sequences
    def function(self, symbol: ex.FunctionSymbol) -> None:
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

    def recurrence(self, symbol: ex.SequenceSymbol) -> pr.ForRange | None:
        for fact in self.claim.given:
            match fact:
                case pr.ForRange(index, _, _, pr.Eq(ex.Term(sequence, subscript), _)) if (
                    sequence == symbol and subscript == index + 1
                ):
                    return fact
        return None

    def sequence(self, symbol: ex.SequenceSymbol) -> dict[int, Any]:
        span = [value for value in self.at.values.values() if isinstance(value, int)]
        first, last = min([*span, 0]), max([*span, 0])
        rule = self.recurrence(symbol)
        if rule is None:
            return {i: self.term(symbol) for i in range(first, last + 1)}
        assert isinstance(rule.body, pr.Eq)
        self.met(rule)
        start, stop = integer(rule.first, self.at), integer(rule.last, self.at)
        terms = {start: self.term(symbol)}
        for i in range(start, stop + 1):
            here = self.at.bind(symbol.name, terms).bind(rule.index.name, i)
            terms[i + 1] = evaluate(rule.body.right, here, self.algebra)
        return terms

    def term(self, symbol: ex.SequenceSymbol) -> Any:
        if symbol.size is None:
            return self.draw()
        return self.free(self.at.size(symbol.size), self.at.size(symbol.columns))

    def holds_between_integers(self, fact: pr.Le) -> bool:
        nodes = [*ex.walk(fact.left), *ex.walk(fact.right)]
        if not any(isinstance(node, ex.IndexSymbol) for node in nodes):
            return False
        return integer(fact.left, self.at) <= integer(fact.right, self.at)


def _is_symmetry(fact: pr.Proposition, symbol: ex.FunctionSymbol) -> bool:
    if isinstance(fact, pr.Eq):
        match fact.left, fact.right:
            case ex.Apply(f, argument), ex.Apply(g, mirrored):
                return f == g == symbol and mirrored == 1 - argument
    return len(fact.propositions) > 0 and _is_symmetry(fact.propositions[-1], symbol)


def _conjuncts(node: pr.Proposition) -> Iterator[pr.Proposition]:
    if isinstance(node, pr.And):
        for part in node.parts:
            yield from _conjuncts(part)
    elif isinstance(node, pr.Eq):
        yield pr.Eq(plain_body(node.left), plain_body(node.right))
    else:
        yield node
