"""Arithmetic that carries a bound of its own rounding error, for binary64 and mpmath alike.

Bounded(v, e)       == a computed number v; the exact number is a real x with |x − v| ≤ e
RunningErrorAlgebra == the algebra; inputs may have errors of their own
Arithmetic          == what is known of the underlying numbers; BINARY64 == Python's floats
bounds, per operation, are derived at `Bounded`, `RunningErrorAlgebra.inverse`, `.square_root`

The standard model: a rounded operation returns exact·(1+δ), |δ| ≤ u, or, in the form used here,
|computed − exact| ≤ u·|computed|, both for rounding to nearest; where exponents are bounded, a
product, quotient or root may also be off by `smallest`, half a unit of the subnormal grid.

Errors are binary64 numbers whatever the format of the values. Each formula for an error is a sum of
products of nonnegative numbers with fewer than 16 operations, so that binary64 rounding takes
less than 2⁻⁴⁹ of it, and underflow less than 2⁻¹⁰⁷⁰: `_up` multiplies by 1+2⁻⁴⁸ and adds 2⁻¹⁰²²,
which makes the result a bound again. An error that overflows is inf or NaN, and every comparison
with it says "cannot tell".

Operations that are exact, as 1 − 2 or ½ · 3, are recognised and keep the error 0: equality at a
boundary (a gate of exactly 0 or 2) is then a fact and not a matter of a bound.

Left out: directed rounding, complex numbers, the a-priori bounds of operators (delta.py, …).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..symbolic.evaluation import Truth, Undefined, Unsupported
from .balls import enclosed
from .dense import Dense, DenseAlgebra, approximate_inverse

_GUARD_BITS = 32
_WIDEN = 1 + 2.0**-48
_NARROW = 1 - 2.0**-48
_TINY = sys.float_info.min


def _up(error: float) -> float:
    """An upper bound of the real number whose rounded value is `error`."""
    return error * _WIDEN + _TINY


@dataclass(frozen=True)
class Arithmetic:
    """Binary floating-point numbers, rounded to nearest.

    `precision` is the number of bits of a significand, `smallest` the most that underflow takes
    from a product, `nearest` rounds a fraction, `exact` is the fraction that a number is,
    `bits` the length of its odd significand, `square_root` the rounded root, `text` prints.
    """

    name: str
    precision: int
    smallest: float
    nearest: Callable[[Fraction], Any]
    exact: Callable[[Any], Fraction]
    bits: Callable[[Any], int]
    square_root: Callable[[Any], Any]
    text: Callable[[Any], str]

    @cached_property
    def unit_roundoff(self) -> float:
        """2^−p, half the distance from 1 to the next number; at least the least positive float."""
        return max(2.0**-self.precision, math.ulp(0.0))

    def product_is_exact(self, left: Any, right: Any, product: Any) -> bool:
        """Was `left * right` certainly not rounded?

        It was not if the odd significands have at most `precision` bits together, unless the
        exponent is out of range.
        """
        if left == 0 or right == 0:
            return True
        if self.smallest and not 2 * _TINY < abs(product) < math.inf:
            return False
        return self.bits(left) + self.bits(right) <= self.precision


def _nearest_float(value: Fraction) -> float:
    try:
        return value.numerator / value.denominator
    except OverflowError:
        size = value.numerator.bit_length() - value.denominator.bit_length()
        raise Unsupported(f"a number near 2^{size} is beyond the range of binary64") from None


def _bits_of_float(value: float) -> int:
    numerator = abs(value.as_integer_ratio()[0])
    return (numerator // (numerator & -numerator)).bit_length()


BINARY64 = Arithmetic(
    name="binary64",
    precision=53,
    smallest=math.ulp(0.0),
    nearest=_nearest_float,
    exact=Fraction,
    bits=_bits_of_float,
    square_root=math.sqrt,
    text=repr,
)


class Bounded:
    """A computed number and a bound of its distance from the exact number it stands for.

    With exact x, y, computed a, b, |x−a| ≤ e, |y−b| ≤ f and the rounded result c:

    - sum:      |x+y−c| ≤ e + f + u|c|                         (sums do not underflow)
    - product:  |xy−c| ≤ |a|f + |b|e + ef + u|c| + smallest, since xy−ab = a(y−b) + (x−a)y
    - quotient: |x/y−c| ≤ (e + |a/b|f)/(|b|−f) + u|c| + smallest, |a/b| ≤ |c|(1+u) + smallest,
      since x/y−a/b = ((x−a) − (a/b)(y−b))/y and |y| ≥ |b|−f > 0
    """

    __slots__ = ("arithmetic", "error", "size", "value")

    def __init__(self, value: Any, error: float, arithmetic: Arithmetic):
        self.value = value
        self.error = error
        self.arithmetic = arithmetic
        self.size = _up(abs(float(value)))
        """A binary64 number ≥ |value|."""

    def rounded(self, error: float, *, underflow: bool = True) -> Bounded:
        """The same value, with its own rounding and the error inherited from its operands."""
        own = self.arithmetic.unit_roundoff * self.size
        self.error = _up(error + own + (self.arithmetic.smallest if underflow else 0.0))
        return self

    @property
    def is_exact_zero(self) -> bool:
        return self.error == 0 and not self.value

    def __add__(self, other: Bounded) -> Bounded:
        a, b = self.value, other.value
        c = a + b
        result = Bounded(c, 0.0, self.arithmetic)
        if self.error == 0 == other.error:
            # the rounding error of a sum is itself computed exactly so (Knuth)
            part = c - a
            if (a - (c - part)) + (b - part) == 0:
                return result
        return result.rounded(self.error + other.error, underflow=False)

    def __neg__(self) -> Bounded:
        return Bounded(-self.value, self.error, self.arithmetic)

    def __sub__(self, other: Bounded) -> Bounded:
        return self + (-other)

    def __mul__(self, other: Bounded) -> Bounded:
        if self.is_exact_zero or other.is_exact_zero:
            return self if self.is_exact_zero else other
        a, b = self.value, other.value
        c = a * b
        result = Bounded(c, 0.0, self.arithmetic)
        if self.error == 0 == other.error and self.arithmetic.product_is_exact(a, b, c):
            return result
        return result.rounded(
            self.size * other.error + other.size * self.error + self.error * other.error
        )

    def __truediv__(self, other: Bounded) -> Bounded:
        distance = (abs(float(other.value)) * _NARROW - other.error) * _NARROW - _TINY
        if not distance > 0:
            if other.is_exact_zero:
                raise Undefined("division by zero")
            raise Unsupported("a denominator that cannot be told from zero")
        c = self.value / other.value
        result = Bounded(c, 0.0, self.arithmetic)
        if self.error == 0 == other.error:
            back = c * other.value
            exact = self.arithmetic.product_is_exact(c, other.value, back)
            if back == self.value and exact:
                return result
        ratio = _up(result.size) + self.arithmetic.smallest
        return result.rounded((self.error + ratio * other.error) / distance)

    def __pow__(self, exponent: int) -> Bounded:
        return self if exponent == 1 else self * self ** (exponent - 1)

    def __repr__(self) -> str:
        return f"{self.arithmetic.text(self.value)} ± {self.error:.1e}"


Observer = Callable[[float, float, Truth], None]


@dataclass(frozen=True)
class RunningErrorAlgebra(DenseAlgebra):
    """The algebra of Bounded scalars.

    Parameters
    ----------
    arithmetic : Arithmetic
        BINARY64, or `multiprecision.arithmetic(digits)`.
    certain : bool
        False: numbers no further apart than their errors count as equal, so False from `holds`
        means "false, or equality where strict order is claimed, at this precision".
        True: they count as "cannot tell" unless both are exact, and every answer is a fact about
        the exact inputs.
    observe : callable, optional
        Told of each comparison: distance, bound, and the answer.
    """

    arithmetic: Arithmetic
    certain: bool = False
    observe: Observer | None = None
    numbers: dict[Fraction, Bounded] = field(default_factory=dict, repr=False, compare=False)
    """Those that were asked for: few, and many times."""

    def number(self, value: Fraction) -> Bounded:
        if value not in self.numbers:
            result = Bounded(self.arithmetic.nearest(value), 0.0, self.arithmetic)
            exact = math.isfinite(result.value) and self.arithmetic.exact(result.value) == value
            self.numbers[value] = result if exact else result.rounded(0.0)
        return self.numbers[value]

    def inverse(self, matrix: Dense) -> Dense:
        """The inverse, with a bound found afterwards.

        For any X (elimination gives a good one) let E = I − XM, ρ = ‖E‖_∞ < 1. Then XM = I − E is
        invertible, hence M is, M⁻¹ = (I−E)⁻¹X, and M⁻¹ − X = (I−E)⁻¹E·X. Since
        ‖(I−E)⁻¹E‖_∞ ≤ ρ/(1−ρ), entry (i,j) is off by at most ρ/(1−ρ)·max_k |X_kj|. E is computed in
        this arithmetic, X as exact, so that ρ includes the error of M and of the residual.

        Raises
        ------
        Undefined
            M is exactly known and elimination meets a column of zeros.
        Unsupported
            ρ < 1 could not be shown.
        """
        values = [[x.value for x in row] for row in matrix.entries]
        one = self.arithmetic.nearest(Fraction(1))
        found = approximate_inverse(values, one)
        if found is None:
            if self.determinant(matrix).is_exact_zero:
                raise Undefined("the inverse of a singular matrix")
            raise Unsupported("a matrix that cannot be told from a singular one")
        n = len(found)
        inverse = self.matrix([[Bounded(x, 0.0, self.arithmetic) for x in row] for row in found])
        identity = self.matrix(
            [[self.number(Fraction(int(i == j))) for j in range(n)] for i in range(n)]
        )
        residual = identity - self.multiply(inverse, matrix)
        norms = [_sum_of_sizes(row) for row in residual.entries]
        if not all(norm < 1 for norm in norms):  # NaN is not < 1
            raise Unsupported("a matrix that cannot be told from a singular one")
        rho = max(norms)
        if rho == 0:
            return inverse
        spread = _up(rho / ((1 - rho) * _NARROW))
        largest = [max(x.size for x in column) for column in zip(*inverse.entries, strict=True)]
        return self.matrix(
            [
                [Bounded(x, _up(spread * largest[j]), self.arithmetic) for j, x in enumerate(row)]
                for row in found
            ]
        )

    def square_root(self, value: Bounded) -> Bounded:
        """The root of an exact x ≥ 0 that is known as a, |x−a| ≤ e.

        |√x−√a| ≤ e/√a, since √x−√a = (x−a)/(√x+√a), and ≤ √e, since (√x−√a)² ≤ |x−a|. For a < 0
        the computed root is 0 and √x ≤ √(e+a) ≤ √e.
        """
        a, e = value.value, value.error
        if -a > e:
            raise Undefined(f"the square root of {value!r}")
        if not a > 0:
            return Bounded(a - a, 0.0 if e == 0 else _up(math.sqrt(e)), self.arithmetic)
        root = self.arithmetic.square_root(a)
        result = Bounded(root, 0.0, self.arithmetic)
        if e == 0:
            exact = self.arithmetic.product_is_exact(root, root, root * root)
            return result if root * root == a and exact else result.rounded(0.0)
        below = float(root) * _NARROW - _TINY
        return result.rounded(min(e / below if below > 0 else math.inf, math.sqrt(e)))

    def elementary(self, name: str, value: Bounded) -> Bounded:
        """The function of an exact x that is known as a, |x−a| ≤ e, from balls of more digits.

        The ball of f contains f(x) for all these x; its centre is rounded once, its radius is
        inherited.

        Raises
        ------
        Undefined, Unsupported
            No function value exists there, or none is finite.
        """
        if not math.isfinite(value.error) or not abs(value.value) < math.inf:
            raise Unsupported(f"{name} of a number without a bound")
        centre, radius = enclosed(
            name,
            self.arithmetic.exact(value.value),
            Fraction(value.error),
            bits=self.arithmetic.precision + _GUARD_BITS,
        )
        result = Bounded(self.arithmetic.nearest(centre), 0.0, self.arithmetic)
        exact = radius == 0 and self.arithmetic.exact(result.value) == centre
        return result if exact else result.rounded(_up(_nearest_float(radius)))

    def divide(self, left: Bounded, right: Bounded) -> Bounded:
        return left / right

    def equal(self, left: Bounded, right: Bounded) -> Truth:
        difference = left - right
        apart = abs(difference.value) > difference.error
        if apart:
            answer = False
        elif difference.is_exact_zero:
            answer = True
        else:
            answer = None if self.certain else True
        self.tell(difference, answer)
        return answer

    def less(self, left: Bounded, right: Bounded, *, strict: bool) -> Truth:
        difference = right - left
        if abs(difference.value) > difference.error:
            answer = bool(difference.value > 0)
        elif difference.is_exact_zero or not self.certain:
            answer = not strict
        else:
            answer = None
        self.tell(difference, answer)
        return answer

    def tell(self, difference: Bounded, answer: Truth) -> None:
        """Report a comparison to the observer."""
        if self.observe is not None:
            self.observe(abs(float(difference.value)), difference.error, answer)


def _sum_of_sizes(row: Sequence[Bounded]) -> float:
    """A bound of Σ|x| over a row; exactly 0 for a row of exact zeros."""
    sizes = [x.size + x.error for x in row if not x.is_exact_zero]
    return _up(sum(sizes)) if sizes else 0.0
