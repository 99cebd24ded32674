"""Exact arithmetic: rational numbers, and the square roots that norms need.

EXACT              == the algebra; scalars are `fmpq` (or `Root`), matrices `fmpq_mat`
RootMatrix         == an irrational square root times a matrix
Root               == an irrational square root; compares, multiplies, never rounds
to_rational(x)     == a scalar of the algebra as a Fraction
exact_assignment() == an Assignment from Python integers, fractions and rows of them

Left out: real algebraic numbers beyond single square roots; sums of roots raise Unsupported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

from flint import fmpq, fmpq_mat

from .evaluation import Algebra, Assignment, Lambda, Truth, Undefined, Unsupported
from .formats import Format, round_to_format


class Root:
    """An irrational ±√q, held as its signed square ±q. Compares and multiplies; never rounds."""

    def __init__(self, signed_square: fmpq):
        self.signed_square = signed_square

    def __mul__(self, other: Any) -> Any:
        return _from_signed_square(self.signed_square * _signed_square(other))

    __rmul__ = __mul__

    def __neg__(self) -> Root:
        return Root(-self.signed_square)

    def __pow__(self, exponent: int) -> Any:
        return self if exponent == 1 else self * self ** (exponent - 1)

    def __truediv__(self, other: Any) -> Any:
        return _from_signed_square(self.signed_square / _signed_square(other))

    def __rtruediv__(self, other: Any) -> Any:
        return _from_signed_square(_signed_square(other) / self.signed_square)

    def _unsupported(self, other: Any) -> Any:
        raise Unsupported("a sum of square roots")

    __add__ = __radd__ = __sub__ = __rsub__ = _unsupported

    def __repr__(self) -> str:
        sign = "-" if self.signed_square < 0 else ""
        return f"{sign}√({abs(self.signed_square)})"


class RootMatrix:
    """An irrational root times a rational matrix. Compares and scales; anything else is refused."""

    def __init__(self, root: Root, matrix: fmpq_mat):
        self.root, self.matrix = root, matrix

    def tolist(self) -> list[list[Any]]:
        return [[self.root * x for x in row] for row in self.matrix.tolist()]

    def transpose(self) -> RootMatrix:
        return RootMatrix(self.root, self.matrix.transpose())

    def __neg__(self) -> RootMatrix:
        return RootMatrix(self.root, -self.matrix)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RootMatrix | fmpq_mat):
            return NotImplemented
        pairs = zip(self.tolist(), other.tolist(), strict=True)
        return all(
            _signed_square(x) == _signed_square(y)
            for row, others in pairs
            for x, y in zip(row, others, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def _unsupported(self, other: Any) -> Any:
        raise Unsupported("a sum or product with a matrix scaled by a square root")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _unsupported


def _signed_square(value: Any) -> fmpq:
    if isinstance(value, Root):
        return value.signed_square
    return value * value if value >= 0 else -(value * value)


def _from_signed_square(value: fmpq) -> fmpq | Root:
    p, q = abs(int(value.p)), int(value.q)
    a, b = isqrt(p), isqrt(q)
    if a * a != p or b * b != q:
        return Root(value)
    return fmpq(a if value >= 0 else -a, b)


class ExactAlgebra(Algebra):
    """Rational arithmetic; every comparison is decided."""

    def number(self, value: Fraction) -> fmpq:
        return fmpq(value.numerator, value.denominator)

    def matrix(self, rows: Sequence[Sequence[fmpq]]) -> fmpq_mat:
        return fmpq_mat(len(rows), len(rows[0]), [x for row in rows for x in row])

    def rows(self, matrix: fmpq_mat) -> list[list[fmpq]]:
        return matrix.tolist()

    def scale(self, factor: Any, matrix: Any) -> Any:
        if isinstance(matrix, RootMatrix):
            return self.scale(factor * matrix.root, matrix.matrix)
        return RootMatrix(factor, matrix) if isinstance(factor, Root) else matrix * factor

    def multiply(self, left: fmpq_mat, right: fmpq_mat) -> fmpq_mat:
        return left * right

    def transpose(self, matrix: fmpq_mat) -> fmpq_mat:
        return matrix.transpose()

    def inverse(self, matrix: fmpq_mat) -> fmpq_mat:
        try:
            return matrix.inv()
        except ZeroDivisionError:
            raise Undefined("the inverse of a singular matrix") from None

    def determinant(self, matrix: fmpq_mat) -> fmpq:
        return matrix.det()

    def rank(self, matrix: fmpq_mat) -> fmpq:
        return fmpq(matrix.rref()[1])

    def square_root(self, value: Any) -> Any:
        if isinstance(value, Root):
            raise Unsupported("a nested square root")
        if value < 0:
            raise Undefined(f"the square root of {value}")
        return _from_signed_square(value)

    def elementary(self, name: str, value: Any) -> Any:
        # where the value is rational, it is at one point alone (Lindemann; the logistic function
        # is one of exp); anything else is not a number of this arithmetic
        point, result = _RATIONAL_VALUES[name]
        if self.equal(value, fmpq(point)):
            return result
        raise Unsupported(f"{name} of {value} is not rational")

    def rounded(self, value: Any, fmt: Format) -> fmpq:
        try:
            return self.number(round_to_format(to_rational(value), fmt))
        except OverflowError as problem:
            raise Undefined(str(problem)) from None

    def equal(self, left: Any, right: Any) -> bool:
        return _signed_square(left) == _signed_square(right)

    def less(self, left: Any, right: Any, *, strict: bool) -> Truth:
        left, right = _signed_square(left), _signed_square(right)
        return left < right if strict else left <= right


_RATIONAL_VALUES = {
    "exp": (0, fmpq(1)),
    "log": (1, fmpq(0)),
    "sin": (0, fmpq(0)),
    "cos": (0, fmpq(1)),
    "arctan": (0, fmpq(0)),
    "sigmoid": (0, fmpq(1, 2)),
}

EXACT = ExactAlgebra()


def to_rational(value: fmpq) -> Fraction:
    """A scalar of the exact algebra as a Fraction; a Root raises Unsupported."""
    if isinstance(value, Root):
        raise Unsupported(f"{value!r} is not rational")
    return Fraction(int(value.p), int(value.q))


def exact_assignment(
    sizes: Mapping[str, int], values: Mapping[str, Any], samples: Sequence[Fraction] = ()
) -> Assignment:
    """An assignment from plain Python values.

    Integers and fractions become scalars, rows of them matrices, mappings sequences; Lambdas stay,
    and so do values that the exact algebra already made.
    """

    def convert(value: Any) -> Any:
        match value:
            case Lambda() | fmpq() | fmpq_mat() | Root():
                return value
            case int() | Fraction():
                return EXACT.number(Fraction(value))
            case Mapping():
                return {i: convert(term) for i, term in value.items()}
        return EXACT.matrix([[EXACT.number(Fraction(x)) for x in row] for row in value])

    return Assignment(
        dict(sizes), {name: convert(value) for name, value in values.items()}, tuple(samples)
    )
