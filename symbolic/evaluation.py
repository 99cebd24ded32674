"""The value of an expression and the truth of a proposition, in any arithmetic.

Algebra              == what an arithmetic must provide (exact.py, numeric/ hold the arithmetics)
Assignment           == sizes and values of the free symbols
Lambda               == the value of a function symbol: an expression in one variable
evaluate(e, at, in)  == the value of an expression
holds(p, at, in)     == True, False, or None where that arithmetic cannot tell
Undefined            == raised for a division by zero, or the inverse of a singular matrix
Unsupported          == raised where an arithmetic cannot evaluate a node at all

Derivatives are exact: the body is evaluated on truncated Taylor series (series.py). Propositions
follow Kleene's three-valued logic; a quantifier over the reals is only sampled, so it is never
decided in the direction that sampling cannot decide.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial
from typing import Any, TypeAlias

from . import expressions as ex
from . import propositions as pr
from .formats import Format

Truth: TypeAlias = bool | None
UNENDING = 3
"""Of a range without an end the first integer and this many more are looked at."""


class Undefined(ArithmeticError):
    """A term of the statement has no value here."""


class NotDifferentiable(ArithmeticError):
    """A function that has no derivative at the point asked for."""


class Unsupported(NotImplementedError):
    """This arithmetic cannot evaluate this node."""


@dataclass(frozen=True)
class Lambda:
    """The function variable ↦ body."""

    variable: ex.ScalarSymbol | ex.MatrixSymbol
    body: ex.Expression

    def __str__(self) -> str:
        return f"{self.variable} ↦ {self.body}"


@dataclass(frozen=True)
class Assignment:
    """Values of the free symbols.

    `sizes`: name -> int. `values`: name -> scalar or matrix of the algebra; int for an index;
    Lambda for a function or a map of vectors, a mapping from subscripts to Lambdas for a family of
    maps; a mapping from subscripts to terms for a sequence.
    """

    sizes: Mapping[str, int]
    values: Mapping[str, Any]
    samples: Sequence[Fraction] = field(default=(), compare=False)

    def size(self, size: ex.Size) -> int:
        """The integer that a size stands for."""
        match size:
            case int():
                return size
            case ex.SizeProduct(left, right):
                return self.size(left) * self.size(right)
        return self.sizes[size.name]

    def bind(self, name: str, value: Any) -> Assignment:
        """The same with one more value."""
        return Assignment(self.sizes, {**self.values, name: value}, self.samples)


class Algebra(ABC):
    """An arithmetic. Scalars support + − * / and integer **; matrices support + and −."""

    @abstractmethod
    def number(self, value: Fraction) -> Any:
        """A rational number as a scalar."""

    @abstractmethod
    def matrix(self, rows: Sequence[Sequence[Any]]) -> Any:
        """A matrix from rows of scalars."""

    @abstractmethod
    def rows(self, matrix: Any) -> list[list[Any]]:
        """The scalars of a matrix, row by row."""

    @abstractmethod
    def scale(self, factor: Any, matrix: Any) -> Any:
        """factor · matrix."""

    @abstractmethod
    def multiply(self, left: Any, right: Any) -> Any:
        """The product of two matrices."""

    @abstractmethod
    def inverse(self, matrix: Any) -> Any:
        """The inverse; raises Undefined for a matrix known to be singular."""

    @abstractmethod
    def determinant(self, matrix: Any) -> Any:
        """The determinant."""

    @abstractmethod
    def square_root(self, value: Any) -> Any:
        """The square root of a scalar that is ≥ 0."""

    @abstractmethod
    def equal(self, left: Any, right: Any) -> Truth:
        """Are two scalars equal?"""

    @abstractmethod
    def less(self, left: Any, right: Any, *, strict: bool) -> Truth:
        """left < right, or left ≤ right when not strict."""

    def lift(self, value: Any) -> Any:
        """The value of a scalar symbol as a scalar of this arithmetic."""
        return value

    def lift_matrix(self, value: Any) -> Any:
        """The value of a matrix symbol as a matrix of this arithmetic."""
        return value

    def transpose(self, matrix: Any) -> Any:
        """The transpose."""
        return self.matrix([list(column) for column in zip(*self.rows(matrix), strict=True)])

    def rank(self, matrix: Any) -> Any:
        """The rank, where the arithmetic can tell it."""
        raise Unsupported(f"{type(self).__name__} cannot tell a rank")

    def invertible(self, matrix: Any) -> Truth:
        """Does the matrix have an inverse?"""
        return _not(self.equal(self.determinant(matrix), self.number(Fraction(0))))

    def divide(self, left: Any, right: Any) -> Any:
        """left / right; raises Undefined for a right known to be zero."""
        if self.equal(right, self.number(Fraction(0))):
            raise Undefined("division by zero")
        return left / right

    def power(self, base: Any, exponent: int) -> Any:
        """base to an integer exponent ≥ 0."""
        return self.number(Fraction(1)) if exponent == 0 else base**exponent

    def elementary(self, name: str, value: Any) -> Any:
        """exp, log, sin, cos, arctan or sigmoid of a scalar."""
        raise Unsupported(f"{type(self).__name__} cannot evaluate {name}")

    def rounded(self, value: Any, fmt: Format) -> Any:
        """The nearest number of a format, ties to even; raises Undefined where it is infinite."""
        raise Unsupported(f"{type(self).__name__} cannot round to {fmt.name}")

    def absolute(self, value: Any) -> Any:
        """The absolute value of a scalar."""
        return -self.least(value, -value)

    def least(self, left: Any, right: Any) -> Any:
        """The smaller of two scalars."""
        smaller = self.less(left, right, strict=False)
        if smaller is None:
            raise Unsupported("the smaller of two numbers that cannot be told apart")
        return left if smaller else right


# ---------------------------------------------------------------- expressions


def evaluate(node: ex.Expression, at: Assignment, algebra: Algebra) -> Any:
    """The value of `node` under the assignment `at`, in the arithmetic `algebra`.

    Raises
    ------
    Undefined
        A denominator is zero or an inverted matrix singular.
    Unsupported
        The arithmetic has no such operation.
    KeyError
        A free symbol has no value.
    """

    def value(part: ex.Expression) -> Any:
        return evaluate(part, at, algebra)

    match node:
        case ex.Literal(number):
            return algebra.number(number)
        case ex.ScalarSymbol(name):
            return algebra.lift(at.values[name])
        case ex.MatrixSymbol(name):
            return algebra.lift_matrix(at.values[name])
        case ex.IndexSymbol(name):
            return algebra.number(Fraction(at.values[name]))
        case ex.Named(_, body):
            return value(body)
        case ex.Add(left, right):
            return value(left) + value(right)
        case ex.Sub(left, right):
            return value(left) - value(right)
        case ex.Neg(body):
            return -value(body)
        case ex.Mul(left, right):
            return value(left) * value(right)
        case ex.Div(left, right):
            return algebra.divide(value(left), value(right))
        case ex.Power(base, exponent):
            return algebra.power(value(base), exponent)
        case ex.NaturalPower(base, exponent):
            return _power(base, integer(exponent, at), at, algebra)
        case ex.SizeOf(size):
            return algebra.number(Fraction(at.size(size)))
        case ex.Least(left, right):
            return algebra.least(value(left), value(right))
        case ex.Greatest(left, right):
            return -algebra.least(-value(left), -value(right))
        case ex.Absolute(body):
            return algebra.absolute(value(body))
        case ex.SquareRoot(body):
            return algebra.square_root(value(body))
        case ex.Elementary(name, body):
            return algebra.elementary(name, value(body))
        case ex.Rounded(body, fmt):
            return algebra.rounded(value(body), fmt)
        case ex.Identity(size):
            n = at.size(size)
            return _constant([[int(i == j) for j in range(n)] for i in range(n)], algebra)
        case ex.Zero(rows, columns):
            return _constant([[0] * at.size(columns)] * at.size(rows), algebra)
        case ex.Ones(rows, columns):
            return _constant([[1] * at.size(columns)] * at.size(rows), algebra)
        case ex.Constant(entries):
            return _constant(entries, algebra)
        case ex.Scale(factor, body):
            return algebra.scale(value(factor), value(body))
        case ex.MatMul(left, right):
            return algebra.multiply(value(left), value(right))
        case ex.Transpose(body):
            return algebra.transpose(value(body))
        case ex.Inverse(body):
            return algebra.inverse(value(body))
        case ex.Eliminated(left, right, fmt):
            return _eliminated(value(left), value(right), fmt, algebra)
        case ex.Entry(body):
            return algebra.rows(value(body))[0][0]
        case ex.Element(body, row, column):
            rows, i, j = algebra.rows(value(body)), integer(row, at), integer(column, at)
            if not (1 <= i <= len(rows) and 1 <= j <= len(rows[0])):
                raise Undefined(f"the entry ({i}, {j}) of a {len(rows)}×{len(rows[0])} matrix")
            return rows[i - 1][j - 1]
        case ex.Kronecker(left, right):
            a, b = algebra.rows(value(left)), algebra.rows(value(right))
            return algebra.matrix([[x * y for x in r for y in s] for r in a for s in b])
        case ex.Stacked(body):
            columns = zip(*algebra.rows(value(body)), strict=True)
            return algebra.matrix([[x] for column in columns for x in column])
        case ex.Diagonal(body):
            entries = [row[0] for row in algebra.rows(value(body))]
            zero = algebra.number(Fraction(0))
            return algebra.matrix(
                [
                    [x if i == j else zero for j in range(len(entries))]
                    for i, x in enumerate(entries)
                ]
            )
        case ex.Det(body):
            return algebra.determinant(value(body))
        case ex.Trace(body):
            rows = algebra.rows(value(body))
            return sum((rows[i][i] for i in range(1, len(rows))), rows[0][0])
        case ex.Rank(body):
            return algebra.rank(value(body))
        case ex.Norm(body):
            squares = [algebra.power(row[0], 2) for row in algebra.rows(value(body))]
            return algebra.square_root(sum(squares[1:], squares[0]))
        case ex.Apply(function, argument):
            return _apply(at.values[function.name], value(argument), at, algebra)
        case ex.Image(symbol, argument, member):
            chosen = at.values[symbol.name]
            chosen = chosen if member is None else chosen[integer(member, at)]
            return evaluate(chosen.body, at.bind(chosen.variable.name, value(argument)), algebra)
        case ex.Derivative(body, variable, point, order):
            return _derivative(body, variable, value(point), order, at, algebra)
        case ex.Term(sequence, subscript):
            term = at.values[sequence.name].get(i := integer(subscript, at))
            if term is None:
                raise Unsupported(f"the term {sequence.name}_{i} was not given")
            return algebra.lift(term) if node.shape is None else algebra.lift_matrix(term)
        case ex.Total(index, first, last, body):
            terms = [
                evaluate(body, at.bind(index.name, i), algebra) for i in _range(first, last, at)
            ]
            return sum(terms[1:], terms[0]) if terms else _empty_sum(body, at, algebra)
        case ex.Repeated(index, first, last, body):
            result = algebra.number(Fraction(1))
            for i in _range(first, last, at):
                result = result * evaluate(body, at.bind(index.name, i), algebra)
            return result
        case ex.OrderedProduct(index, first, last, body):
            result = value(ex.Identity(ex.matrix_shape(body)[0]))
            for i in _range(first, last, at):
                factor = evaluate(body, at.bind(index.name, i), algebra)
                result = algebra.multiply(factor, result)
            return result
    raise Unsupported(f"cannot evaluate a {type(node).__name__}")


def integer(node: ex.Expression, at: Assignment) -> int:
    """The value of an index expression."""
    match node:
        case ex.Literal(number) if number.denominator == 1:
            return int(number)
        case ex.IndexSymbol(name):
            return int(at.values[name])
        case ex.SizeOf(size):
            return at.size(size)
        case ex.Add(left, right):
            return integer(left, at) + integer(right, at)
        case ex.Sub(left, right):
            return integer(left, at) - integer(right, at)
        case ex.Mul(left, right):
            return integer(left, at) * integer(right, at)
    raise Unsupported(f"{node} is not an index expression: use integers, index symbols, + - and *")


def _power(base: ex.Expression, exponent: int, at: Assignment, algebra: Algebra) -> Any:
    if exponent < 0:
        raise Undefined(f"a power with the exponent {exponent}")
    value = evaluate(base, at, algebra)
    if base.shape is None:
        return algebra.power(value, exponent)
    result = evaluate(ex.Identity(base.shape[0]), at, algebra)
    for _ in range(exponent):
        result = algebra.multiply(value, result)
    return result


def _constant(rows: Sequence[Sequence[int | Fraction]], algebra: Algebra) -> Any:
    return algebra.matrix([[algebra.number(Fraction(x)) for x in row] for row in rows])


def _eliminated(left: Any, right: Any, fmt: Format, algebra: Algebra) -> Any:
    """Elimination with partial pivoting, then substitution from the last row up, all rounded."""

    def rounded(value: Any) -> Any:
        return algebra.rounded(value, fmt)

    pairs = zip(algebra.rows(left), algebra.rows(right), strict=True)
    rows = [[*a, *b] for a, b in pairs]
    n, zero = len(rows), algebra.number(Fraction(0))
    for j in range(n):
        pivot = j
        for i in range(j + 1, n):
            if algebra.less(
                algebra.absolute(rows[pivot][j]), algebra.absolute(rows[i][j]), strict=True
            ):
                pivot = i
        rows[j], rows[pivot] = rows[pivot], rows[j]
        for i in range(j + 1, n):
            factor = rounded(algebra.divide(rows[i][j], rows[j][j]))
            rows[i] = [
                zero if c <= j else rounded(x - rounded(factor * y))
                for c, (x, y) in enumerate(zip(rows[i], rows[j], strict=True))
            ]
    found = [row[n:] for row in rows]
    for j in reversed(range(n)):
        for i in range(j + 1, n):
            found[j] = [
                rounded(x - rounded(rows[j][i] * y))
                for x, y in zip(found[j], found[i], strict=True)
            ]
        found[j] = [rounded(algebra.divide(x, rows[j][j])) for x in found[j]]
    return algebra.matrix(found)


def _empty_sum(body: ex.Expression, at: Assignment, algebra: Algebra) -> Any:
    if body.shape is None:
        return algebra.number(Fraction(0))
    return evaluate(ex.Zero(*body.shape), at, algebra)


def _range(first: ex.Expression, last: ex.Expression, at: Assignment) -> range:
    return range(integer(first, at), integer(last, at) + 1)


def _looked(first: ex.Expression, last: ex.Expression | None, at: Assignment) -> range:
    """The integers of a range that are looked at: of one without an end the first few."""
    start = integer(first, at)
    return range(start, (start + UNENDING if last is None else integer(last, at)) + 1)


# ---------------------------------------------------------------- functions and derivatives


def _apply(function: Lambda, argument: Any, at: Assignment, algebra: Algebra) -> Any:
    return evaluate(function.body, at.bind(function.variable.name, argument), algebra)


def _derivative(
    body: ex.Expression,
    variable: ex.ScalarSymbol,
    point: Any,
    order: int,
    at: Assignment,
    algebra: Algebra,
) -> Any:
    term = _taylor(body, variable, point, order, at, algebra)[order]
    factor = algebra.number(Fraction(factorial(order)))
    return term * factor if body.shape is None else algebra.scale(factor, term)


def _taylor(
    body: ex.Expression,
    variable: ex.ScalarSymbol,
    point: Any,
    order: int,
    at: Assignment,
    algebra: Algebra,
) -> tuple[Any, ...]:
    """The coefficients of `body` as a power series around `point`, up to that of `order`."""
    from .series import SeriesAlgebra

    if isinstance(algebra, SeriesAlgebra):
        raise Unsupported("a derivative inside a derivative")

    def expanded(side: int) -> tuple[Any, ...]:
        series = SeriesAlgebra(algebra, order, side)
        return evaluate(body, at.bind(variable.name, series.variable(point)), series).coefficients

    try:
        return expanded(0)
    except NotDifferentiable:
        left, right = expanded(-1), expanded(1)
    same = _all(_equal(a, b, body, algebra) for a, b in zip(left, right, strict=True))
    if same is None:
        raise Unsupported("slopes on two sides that cannot be told apart")
    if not same:
        raise NotDifferentiable(f"{body} has a kink at {variable} = {point}")
    return right


# ---------------------------------------------------------------- propositions


def holds(statement: pr.Proposition, at: Assignment, algebra: Algebra) -> Truth:
    """Is `statement` true under the assignment? None: this arithmetic cannot tell.

    Conjunctions and implications are read left to right and stop as soon as they are decided, so
    `both(invertible(M), eq(inv(M) @ M, eye(n)))` never inverts a singular matrix.
    """
    match statement:
        case pr.Eq(left, right):
            return _equal(evaluate(left, at, algebra), evaluate(right, at, algebra), left, algebra)
        case pr.Ne(left, right):
            return _not(holds(pr.Eq(left, right), at, algebra))
        case pr.Le(left, right) | pr.Lt(left, right):
            strict = isinstance(statement, pr.Lt)
            return algebra.less(
                evaluate(left, at, algebra), evaluate(right, at, algebra), strict=strict
            )
        case pr.Invertible(body):
            return algebra.invertible(evaluate(body, at, algebra))
        case pr.Differentiable(body, variable, point):
            try:
                _taylor(body, variable, evaluate(point, at, algebra), 1, at, algebra)
            except NotDifferentiable:
                return False
            return True
        case pr.And(parts):
            return _all(holds(part, at, algebra) for part in parts)
        case pr.Or(parts):
            return _not(_all(_not(holds(part, at, algebra)) for part in parts))
        case pr.Implies(left, right):
            premise = holds(left, at, algebra)
            return True if premise is False else _or(_not(premise), holds(right, at, algebra))
        case pr.Iff(left, right):
            a, b = holds(left, at, algebra), holds(right, at, algebra)
            return None if a is None or b is None else a == b
        case pr.ForRange(index, first, last, body):
            terms = (holds(body, at.bind(index.name, i), algebra) for i in _looked(first, last, at))
            truth = _all(terms)
            return None if truth and last is None else truth
        case pr.ExistsRange(index, first, last, body):
            terms = (holds(body, at.bind(index.name, i), algebra) for i in _looked(first, last, at))
            truth = _not(_all(map(_not, terms)))
            return None if truth is False and last is None else truth
        case pr.ForAll(variable, body):
            found = [
                holds(body, at.bind(variable.name, x), algebra)
                for x in _samples(variable, at, algebra)
            ]
            return False if False in found else None
        case pr.Exists(variable, body):
            found = [
                holds(body, at.bind(variable.name, x), algebra)
                for x in _samples(variable, at, algebra)
            ]
            return True if True in found else None
        case pr.Defined("rounded product", (product, left, right, r), _):
            return _unrounded(statement, product, left @ right, r, at, algebra)
        case pr.Defined(notation, places, body):
            truth = holds(body, at, algebra)
            if truth is not None or notation not in _SPECTRAL:
                return truth
            # the body is what is meant: its places are read only where they are those of the body
            if _SPECTRAL[notation](*places) != statement:
                return None
            return _spectrum(notation, places, at, algebra)
        case pr.TendsTo():
            return None
    raise Unsupported(f"cannot decide a {type(statement).__name__}")


def _unrounded(
    statement: pr.Proposition,
    product: ex.Expression,
    exact: ex.Expression,
    r: ex.Expression,
    at: Assignment,
    algebra: Algebra,
) -> Truth:
    """True where no error was made; whether some order leads to the errors made is not decided."""
    from .summation import rounded_product

    assert isinstance(exact, ex.MatMul)
    if rounded_product(product, exact.left, exact.right, r) != statement:
        return None
    equal = holds(pr.eq(product, exact), at, algebra)
    return True if equal and holds(pr.le(0, r), at, algebra) else None


def _spectrum(
    notation: str, places: Sequence[ex.Expression], at: Assignment, algebra: Algebra
) -> Truth:
    """The truth of ‖M‖ = c and the like, by which multiples of I differ from MᵀM by what sign.

    The distance of M from the orthogonal matrices is the largest abs(σ − 1) over the singular
    values σ of M: the orthogonal factor of a polar decomposition is nearest.
    """
    try:
        body, c = (evaluate(place, at, algebra) for place in places)
        gram = algebra.multiply(algebra.transpose(body), body)
        sign = algebra.less(algebra.number(Fraction(0)), c, strict=False)
        one = algebra.number(Fraction(1))
        if notation == "smallest singular value":
            inside, touched = _semidefinite(gram, c * c, 1, algebra)
        elif notation == "spectral norm":
            inside, touched = _semidefinite(gram, c * c, -1, algebra)
        else:
            inside, touched = _semidefinite(gram, (one + c) * (one + c), -1, algebra)
            near = algebra.less(c, one, strict=False)
            if near is None:
                return None
            if near:
                within, reached = _semidefinite(gram, (one - c) * (one - c), 1, algebra)
                inside, touched = _all((inside, within)), _or(touched, reached)
    except Unsupported:
        return None
    return _all((sign, inside, touched))


_SPECTRAL: Mapping[str, Callable[[ex.Expression, ex.Expression], pr.Defined]] = {
    "spectral norm": pr.spectral_norm_is,
    "smallest singular value": pr.smallest_singular_value_is,
    "distance to the orthogonal group": pr.distance_to_orthogonal_is,
}


def _semidefinite(matrix: Any, shift: Any, sign: int, algebra: Algebra) -> tuple[Truth, Truth]:
    """Is ±(M − shift·I) positive semidefinite, for symmetric M, and is it singular?

    It is semidefinite exactly when no coefficient of its characteristic polynomial, signs
    alternating, is negative; they are found by Faddeev and LeVerrier's recurrence.
    """
    rows = algebra.rows(matrix)
    n = len(rows)
    factor = algebra.number(Fraction(sign))

    def plus_multiple(table: list[list[Any]], value: Any) -> list[list[Any]]:
        return [
            [x + value if i == j else x for j, x in enumerate(row)] for i, row in enumerate(table)
        ]

    shifted = [[factor * x for x in row] for row in plus_multiple(rows, -shift)]
    here = algebra.matrix(shifted)
    zero = algebra.number(Fraction(0))
    coefficients: list[Any] = []
    current = shifted
    for order in range(1, n + 1):
        trace = sum((current[i][i] for i in range(1, n)), current[0][0])
        coefficients.append(trace * algebra.number(Fraction(1, order)))
        following = [[-x for x in row] for row in plus_multiple(current, -coefficients[-1])]
        current = algebra.rows(algebra.multiply(here, algebra.matrix(following)))
    signs = [algebra.less(zero, c, strict=False) for c in coefficients]
    return _all(signs), algebra.equal(coefficients[-1], zero)


def _samples(
    variable: ex.ScalarSymbol | ex.MatrixSymbol | ex.SequenceSymbol,
    at: Assignment,
    algebra: Algebra,
) -> list[Any]:
    """Values of a quantified variable: the samples; matrices with one entry 1, or all of them."""
    if isinstance(variable, ex.SequenceSymbol):
        return []
    if isinstance(variable, ex.ScalarSymbol):
        return [algebra.number(x) for x in at.samples]
    rows, columns = at.size(variable.rows), at.size(variable.columns)
    cells = [(i, j) for i in range(rows) for j in range(columns)]
    patterns = [{cell: 1} for cell in cells] + [dict.fromkeys(cells, 1)]
    patterns += [{cell: i - 1 for i, cell in enumerate(cells)}]
    return (
        [
            _constant([[p.get((i, j), 0) for j in range(columns)] for i in range(rows)], algebra)
            for p in patterns
        ]
        if at.samples
        else []
    )


def _equal(left: Any, right: Any, node: ex.Expression, algebra: Algebra) -> Truth:
    if node.shape is None:
        return algebra.equal(left, right)
    pairs = zip(algebra.rows(left), algebra.rows(right), strict=True)
    return _all(algebra.equal(a, b) for r, s in pairs for a, b in zip(r, s, strict=True))


def _not(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _or(left: Truth, right: Truth) -> Truth:
    if left or right:
        return True
    return None if left is None or right is None else False


def _all(truths: Any) -> Truth:
    unknown = False
    for truth in truths:
        if truth is False:
            return False
        unknown = unknown or truth is None
    return None if unknown else True
