"""Neighbours in a format, and the rules on rounding, against a small format read out in full."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from deltaproof.symbolic.evaluation import Assignment, evaluate, holds
from deltaproof.symbolic.exact import EXACT
from deltaproof.symbolic.expressions import Literal, rounded
from deltaproof.symbolic.formats import (
    BINARY16,
    FORMATS,
    Format,
    is_even,
    next_above,
    next_below,
    round_to_format,
)
from deltaproof.symbolic.rules import RuleError, instance

TOY = Format("toy", "toy", precision=3, emin=-2, emax=2)
POSITIVE = sorted(
    {m * Fraction(2) ** (e - 2) for m in range(8) for e in range(TOY.emin, TOY.emax + 1)} - {0}
)
NUMBERS = [-x for x in reversed(POSITIVE)] + [Fraction(0)] + POSITIVE
# every quarter of the smallest spacing, inside of the largest number
GRID = [k * TOY.smallest_subnormal / 4 for k in range(-4 * 110, 4 * 110 + 1)]
NOTHING = Assignment({}, {})


def test_the_neighbours_are_the_neighbours():
    assert NUMBERS[-1] == TOY.largest
    for below, above in pairwise(NUMBERS):
        assert next_above(below, TOY) == above
        assert next_below(above, TOY) == below
        assert is_even(below, TOY) != is_even(above, TOY)


def test_what_has_no_neighbour_is_refused():
    with pytest.raises(ValueError, match="is not a number of toy"):
        next_above(Fraction(1, 3), TOY)
    with pytest.raises(ValueError, match="largest number of toy"):
        next_above(TOY.largest, TOY)
    with pytest.raises(ValueError, match="largest number of toy"):
        next_below(-TOY.largest, TOY)


def test_rounding_takes_the_nearest_and_the_even_one_of_two():
    for x in GRID:
        nearest = min(abs(x - y) for y in NUMBERS)
        candidates = [y for y in NUMBERS if abs(x - y) == nearest]
        chosen = next(y for y in candidates if len(candidates) == 1 or is_even(y, TOY))
        assert round_to_format(x, TOY) == chosen
        assert evaluate(rounded(x, TOY), NOTHING, EXACT) == EXACT.number(chosen)


@pytest.mark.parametrize("rule", ["rounded_from", "rounded_below"])
def test_the_rules_on_rounding_hold_and_lose_nothing(rule):
    """Premise and conclusion agree at every point: neither rule may assume more or less."""
    for value in NUMBERS[1:]:
        for x in GRID:
            (premise,), conclusion = instance(rule, Literal(x), value, TOY).expand()
            assert holds(premise, NOTHING, EXACT) == holds(conclusion, NOTHING, EXACT), (x, value)


def test_a_number_below_another_is_at_most_the_one_before():
    for value in NUMBERS[1:]:
        for x in GRID:
            premises, conclusion = instance("next_number", Literal(x), value, TOY).expand()
            if all(holds(premise, NOTHING, EXACT) for premise in premises):
                assert holds(conclusion, NOTHING, EXACT)
    premises, _ = instance("next_number", Literal(Fraction(1, 3)), 1, TOY).expand()
    assert not all(holds(premise, NOTHING, EXACT) for premise in premises)


@pytest.mark.parametrize("rule", ["rounded_from", "rounded_below", "next_number"])
def test_a_rule_refuses_what_is_no_number_of_the_format(rule):
    with pytest.raises(RuleError, match="is not a number of binary16"):
        instance(rule, Literal(1), Fraction(1, 3), BINARY16)


def test_only_a_number_of_the_format_is_not_rounded():
    for fmt in FORMATS:
        _, conclusion = instance("number_of_format", fmt.smallest_subnormal, fmt).expand()
        assert holds(conclusion, NOTHING, EXACT) is True
    with pytest.raises(RuleError, match="is not a number"):
        instance("number_of_format", Fraction(1, 3), BINARY16)
