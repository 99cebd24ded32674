"""mpmath arithmetic for statements, one context for each number of digits.

context(digits)              == the context of so many digits; the global one is never touched
arithmetic(digits)           == those numbers as an Arithmetic, for running_error.py
MultiprecisionAlgebra(digits) == plain evaluation; `equal` asks for half of the digits, a guess

mpmath's own determinant and eigenvalues have returned wrong results, and its intervals have missed
the true value: only + − * / and square roots are used, which mpmath rounds correctly.

Left out: error bounds (running_error.py) and enclosures (balls.py).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from mpmath import MPContext
from mpmath.libmp import from_rational, round_nearest

from ..symbolic.evaluation import Truth, Undefined
from .dense import Dense, DenseAlgebra, approximate_inverse
from .running_error import Arithmetic


@cache
def context(digits: int) -> Any:
    """The context that computes with at least `digits` decimal digits; nobody changes it."""
    made = MPContext()
    made.dps = digits
    return made


def arithmetic(digits: int) -> Arithmetic:
    """The numbers of that context: no underflow, since exponents are unbounded."""
    numbers = context(digits)
    return Arithmetic(
        name=f"{digits} digits",
        precision=numbers.prec,
        smallest=0.0,
        nearest=lambda x: _nearest(x, numbers),
        exact=_exact,
        bits=lambda x: x.bc,
        square_root=numbers.sqrt,
        text=lambda x: numbers.nstr(x, min(digits, 20)),
    )


def _nearest(value: Fraction, numbers: Any) -> Any:
    # dividing two rounded integers would round three times
    return numbers.make_mpf(
        from_rational(value.numerator, value.denominator, numbers.prec, round_nearest)
    )


def _exact(value: Any) -> Fraction:
    significand, exponent = value.man_exp  # the significand has no sign
    return (-1 if value < 0 else 1) * Fraction(int(significand)) * Fraction(2) ** int(exponent)


class MultiprecisionAlgebra(DenseAlgebra):
    """Floating-point numbers of a given number of decimal digits, without error bounds."""

    def __init__(self, digits: int):
        self.digits = digits
        self.context = context(digits)
        self.half = self.context.mpf(2) ** (-(self.context.prec // 2))

    def number(self, value: Fraction) -> Any:
        return _nearest(value, self.context)

    def inverse(self, matrix: Dense) -> Dense:
        found = approximate_inverse(matrix.entries, self.context.one)
        if found is None:
            raise Undefined("the inverse of a singular matrix")
        return self.matrix(found)

    def square_root(self, value: Any) -> Any:
        if value < 0:
            raise Undefined(f"the square root of {self.context.nstr(value, 20)}")
        return self.context.sqrt(value)

    def equal(self, left: Any, right: Any) -> Truth:
        return bool(abs(left - right) <= self.half * (1 + abs(left) + abs(right)))

    def less(self, left: Any, right: Any, *, strict: bool) -> Truth:
        return bool(left < right if strict else left <= right)
