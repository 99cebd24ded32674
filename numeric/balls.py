"""Arb balls for statements: every answer True or False is a theorem about the inputs.

BallAlgebra      == the algebra; scalars are `arb`, matrices `arb_mat`
enclosed(name, …) == an elementary function of a ball, as fractions
ball(centre, radius) == a ball of positive width around a scalar

python-flint has one global precision; `precision`, of symbolic/reals.py, sets it and sets it back.
A ball stands for each number in it: equality is True for two equal exact numbers only, False for
disjoint balls, and None between. `==` of arb means "certainly equal" and is not used.

Left out: which boxes to look at (enclosure.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, fmpq

from ..symbolic.evaluation import Algebra, Truth, Undefined, Unsupported
from ..symbolic.reals import precision

_LARGEST_EXPONENT = 2**14
"""Of fractions: with exp(10⁶), near 2^(1.4·10⁶), each operation would take milliseconds."""


def ball(centre: arb, radius: Fraction) -> arb:
    """All numbers within `radius` of some number in `centre`."""
    return centre + arb(0, arb(fmpq(radius.numerator, radius.denominator)).upper())


def enclosed(
    name: str, centre: Fraction, radius: Fraction, *, bits: int
) -> tuple[Fraction, Fraction]:
    """Centre and radius of a ball that contains an elementary function of all of another ball.

    Raises
    ------
    Undefined, Unsupported
        The function has no value there, or none that is finite.
    """
    with precision(bits):
        inside = arb(fmpq(centre.numerator, centre.denominator))
        if radius:
            inside = ball(inside, radius)
        found = BallAlgebra().elementary(name, inside)
        if not found.is_finite():
            raise Unsupported(f"{name} near {float(centre):.3g} is beyond all bounds")
        if any(
            abs(int(part.man_exp()[1])) > _LARGEST_EXPONENT for part in (found.mid(), found.rad())
        ):
            raise Unsupported(f"{name} near {float(centre):.3g} is too far from 1 for a fraction")
        return _fraction(found.mid()), _fraction(found.rad())


def _fraction(value: arb) -> Fraction:
    """A ball of radius 0 as a fraction."""
    significand, exponent = value.man_exp()
    return Fraction(int(significand)) * Fraction(2) ** int(exponent)


@dataclass(frozen=True)
class BallAlgebra(Algebra):
    """Ball arithmetic, under the precision that is set around it.

    `observe` is told of each comparison: |centre| and radius of the difference, and the answer.
    """

    observe: Callable[[float, float, Truth], None] | None = None

    def number(self, value: Fraction) -> arb:
        return arb(fmpq(value.numerator, value.denominator))

    def matrix(self, rows: Sequence[Sequence[arb]]) -> arb_mat:
        return arb_mat(len(rows), len(rows[0]), [x for row in rows for x in row])

    def rows(self, matrix: arb_mat) -> list[list[arb]]:
        return matrix.tolist()

    def scale(self, factor: arb, matrix: arb_mat) -> arb_mat:
        return matrix * factor

    def multiply(self, left: arb_mat, right: arb_mat) -> arb_mat:
        return left * right

    def transpose(self, matrix: arb_mat) -> arb_mat:
        return matrix.transpose()

    def inverse(self, matrix: arb_mat) -> arb_mat:
        try:
            return matrix.inv()
        except ZeroDivisionError:
            # arb says so wherever it cannot show the matrix invertible
            if matrix.det().is_zero():
                raise Undefined("the inverse of a singular matrix") from None
            raise Unsupported("a box with a matrix that may be singular") from None

    def determinant(self, matrix: arb_mat) -> arb:
        return matrix.det()

    def square_root(self, value: arb) -> arb:
        if value < 0:
            raise Undefined(f"the square root of {value}")
        if value >= 0:
            return value.sqrt()
        # the number itself is ≥ 0, only the ball reaches below
        return arb(0).union(value.upper().sqrt())

    def elementary(self, name: str, value: arb) -> arb:
        match name:
            case "exp":
                return value.exp()
            case "log":
                if value <= 0:
                    raise Undefined(f"the logarithm of {value}")
                if not value > 0:
                    raise Unsupported("the logarithm of what may be 0")
                return value.log()
            case "sin":
                return value.sin()
            case "cos":
                return value.cos()
            case "arctan":
                return value.atan()
            case "sigmoid":
                return 1 / (1 + (-value).exp())
        return super().elementary(name, value)

    def power(self, base: arb, exponent: int) -> arb:
        # arb's own power is NaN on a ball that contains 0
        result = arb(1)
        for _ in range(exponent):
            result = result * base
        return result

    def divide(self, left: arb, right: arb) -> arb:
        if right.is_zero():
            raise Undefined("division by zero")
        return left / right

    def equal(self, left: arb, right: arb) -> Truth:
        difference = left - right
        answer = None if difference.contains(0) else False
        if difference.is_zero():
            answer = True
        self.tell(difference, answer)
        return answer

    def less(self, left: arb, right: arb, *, strict: bool) -> Truth:
        difference = right - left
        if difference > 0 or (not strict and difference >= 0):
            answer = True
        elif difference < 0 or (strict and difference <= 0):
            answer = False
        else:
            answer = None
        self.tell(difference, answer)
        return answer

    def tell(self, difference: Any, answer: Truth) -> None:
        """Report a comparison to the observer."""
        if self.observe is not None:
            self.observe(abs(float(difference.mid())), float(difference.rad()), answer)
