"""Exact arithmetic: rational numbers, and the square roots that norms need.

EXACT              == the algebra; scalars are `fmpq` (or `Root`), matrices `fmpq_mat`
Root               == the square root of a rational number; compares, multiplies, never rounds
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


class Root:
    """The nonnegative square root of `radicand`, which is a rational number ≥ 0."""

    def __init__(self, radicand: fmpq):
        self.radicand = radicand

    def __mul__(self, other: Root) -> Any:
        if not isinstance(other, Root):
            raise Unsupported("a rational multiple of a square root")
        return square_root(self.radicand * other.radicand)

    def __pow__(self, exponent: int) -> Any:
        power = self.radicand ** (exponent // 2)
        if exponent % 2:
            raise Unsupported("an odd power of a square root")
        return power

    def _unsupported(self, other: Any = None) -> Any:
        raise Unsupported("a sum of square roots")

    __add__ = __radd__ = __sub__ = __rsub__ = __neg__ = __truediv__ = __rtruediv__ = _unsupported
    __rmul__ = _unsupported

    def __repr__(self) -> str:
        return f"√({self.radicand})"


def square_root(value: fmpq) -> fmpq | Root:
    """The square root of a rational number ≥ 0: rational where it is, a Root elsewhere."""
    p, q = int(value.p), int(value.q)
    if p < 0:
        raise Undefined(f"the square root of {value}")
    a, b = isqrt(p), isqrt(q)
    return fmpq(a, b) if a * a == p and b * b == q else Root(value)


class ExactAlgebra(Algebra):
    """Rational arithmetic; every comparison is decided."""

    def number(self, value: Fraction) -> fmpq:
        return fmpq(value.numerator, value.denominator)

    def matrix(self, rows: Sequence[Sequence[fmpq]]) -> fmpq_mat:
        return fmpq_mat(len(rows), len(rows[0]), [x for row in rows for x in row])

    def rows(self, matrix: fmpq_mat) -> list[list[fmpq]]:
        return matrix.tolist()

    def scale(self, factor: Any, matrix: fmpq_mat) -> fmpq_mat:
        if isinstance(factor, Root):
            raise Unsupported("a matrix scaled by a square root")
        return matrix * factor

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
        return square_root(value)

    def equal(self, left: Any, right: Any) -> bool:
        if isinstance(left, Root) and isinstance(right, Root):
            return left.radicand == right.radicand
        return not isinstance(left, Root) and not isinstance(right, Root) and left == right

    def less(self, left: Any, right: Any, *, strict: bool) -> Truth:
        if isinstance(left, Root) or isinstance(right, Root):
            left, right = _signed_square(left), _signed_square(right)
        return left < right if strict else left <= right


def _signed_square(value: fmpq | Root) -> fmpq:
    if isinstance(value, Root):
        return value.radicand
    return value * value if value >= 0 else -(value * value)


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
