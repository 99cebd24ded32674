"""Elementary functions in every arithmetic: they contain the value, and say where there is none."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from deltaproof.numeric.balls import BallAlgebra, enclosed, precision
from deltaproof.numeric.multiprecision import arithmetic
from deltaproof.numeric.running_error import BINARY64, Bounded, RunningErrorAlgebra
from deltaproof.symbolic.evaluation import Undefined, Unsupported
from deltaproof.symbolic.exact import EXACT
from deltaproof.symbolic.expressions import ELEMENTARY

POINTS = [Fraction(0), Fraction(1), Fraction(5, 3), Fraction(1, 2**40), Fraction(30)]
AT_ZERO = {"exp": 1, "sin": 0, "cos": 1, "arctan": 0, "sigmoid": Fraction(1, 2)}


@pytest.mark.parametrize("name", ELEMENTARY)
@pytest.mark.parametrize("point", POINTS, ids=str)
@pytest.mark.parametrize("numbers", [BINARY64, arithmetic(50)], ids=lambda a: a.name)
def test_the_error_covers_the_value(name, point, numbers):
    if name == "log" and point <= 0:
        return
    algebra = RunningErrorAlgebra(numbers)
    found = algebra.elementary(name, algebra.number(point))
    centre, radius = enclosed(name, point, Fraction(0), bits=600)
    distance = abs(numbers.exact(found.value) - centre) + radius
    assert distance <= Fraction(found.error)
    # the bound is no more than a few units of roundoff, plus what the rounded argument costs
    steep = 2 * (abs(centre) + abs(point) + 1) * (1 + abs(centre))
    assert found.error <= 8 * numbers.unit_roundoff * float(steep) + 2.0**-1000


@pytest.mark.parametrize("name", AT_ZERO)
def test_where_a_value_is_rational_it_is_exact(name):
    zero = Fraction(0)
    exact = EXACT.elementary(name, EXACT.number(zero))
    assert exact == EXACT.number(Fraction(AT_ZERO[name]))
    algebra = RunningErrorAlgebra(BINARY64)
    bounded = algebra.elementary(name, algebra.number(zero))
    assert (bounded.value, bounded.error) == (float(AT_ZERO[name]), 0.0)


def test_other_values_are_no_rational_numbers():
    with pytest.raises(Unsupported):
        EXACT.elementary("exp", EXACT.number(Fraction(1)))


def test_an_inherited_error_is_not_forgotten():
    algebra = RunningErrorAlgebra(BINARY64)
    wide = algebra.elementary("exp", Bounded(1.0, 0.5, BINARY64))
    assert wide.value + wide.error >= math.exp(1.5)
    assert wide.value - wide.error <= math.exp(0.5)


def test_where_there_is_no_value():
    algebra = BallAlgebra()
    with precision(100), pytest.raises(Undefined):
        algebra.elementary("log", algebra.number(Fraction(-1)))
    numbers = RunningErrorAlgebra(BINARY64)
    with pytest.raises(Unsupported):
        numbers.elementary("exp", numbers.number(Fraction(10**6)))
    with pytest.raises(Unsupported):
        numbers.elementary("exp", numbers.number(Fraction(10**300)))
    with pytest.raises(Unsupported):
        numbers.elementary("sin", Bounded(1.0, math.inf, BINARY64))
