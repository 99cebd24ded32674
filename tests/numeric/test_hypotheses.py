"""Numeric support needs an input that meets the hypotheses: a contradiction supports nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.numeric.enclosure import check_enclosure
from deltaproof.numeric.ladder import check_ladder
from deltaproof.numeric.property import check_property
from deltaproof.numeric.readings import NOT_MET
from deltaproof.symbolic import (
    Claim,
    det,
    dims,
    eq,
    eye,
    invertible,
    le,
    lt,
    matrix,
    ne,
    scalar,
    vector,
    zeros,
)
from deltaproof.symbolic.constructions import construct
from deltaproof.symbolic.evidence import Outcome
from deltaproof.symbolic.exact import EXACT

n = dims("n")
x, y = scalar("x"), scalar("y")
A, B, k = matrix("A", n, n), matrix("B", n, n), vector("k", n)
CHECKS = [check_enclosure, check_ladder, check_property]

CONTRADICTORY = [
    ([eq(A, zeros(n, n)), invertible(A)], eq(A, eye(n))),
    ([lt(0, x), lt(x, 0)], eq(x, y)),
    ([le(3, x), le(x, 1)], eq(x, y)),
    ([lt(1, x), le(x, 1)], eq(x, y)),
    ([le(0, x), eq(x, -1)], eq(x, y)),
    ([eq(k.T @ k, -eye(1))], eq(k, zeros(n, 1))),
    ([eq(x * x + 1, 0)], eq(x, y)),
    ([lt(0, det(A)), lt(det(A), 0)], eq(A, B)),
    ([ne(x, x)], eq(x, y)),
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("position", range(len(CONTRADICTORY)))
def test_hypotheses_that_no_input_meets_are_not_confirmed(check, position):
    given, then = CONTRADICTORY[position]
    found = check(Claim("test.vacuous", given=given, then=then))
    assert (found.outcome, found.detail) == (Outcome.INCONCLUSIVE, NOT_MET)


@pytest.mark.parametrize("check", CHECKS)
def test_hypotheses_that_some_input_meets_may_be_confirmed(check):
    claims = [
        Claim("test.met", given=[lt(0, x), lt(x, 1)], then=lt(x * x, x)),
        Claim("test.end", given=[le(1, x), le(x, 1)], then=eq(x * x, x)),
        Claim("test.bound", given=[invertible(A), lt(0, y)], then=ne(y * A, zeros(n, n))),
    ]
    for claim in claims:
        found = check(claim)
        # a box of no width says nothing to an enclosure, and that is what it then tells
        if claim.id == "test.end" and check is check_enclosure:
            assert found.detail != NOT_MET
        else:
            assert found.outcome is Outcome.CONFIRMED, found.detail


@pytest.mark.parametrize(
    "given", [[lt(0, x), lt(x, 0)], [le(3, x), le(x, 1)], [eq(x, 2), le(x, 1)]]
)
def test_no_value_is_built_between_bounds_that_leave_none(given):
    inputs = construct(
        Claim("test.empty", given=given, then=eq(x, x)), {}, EXACT, lambda: EXACT.number(1)
    )
    assert [fact for fact in given if fact in inputs.unmet]


def test_values_are_built_up_to_bounds_that_meet():
    given = [le(1, x), le(x, 1)]
    claim = Claim("test.one", given=given, then=eq(x, x))
    for value in (Fraction(0), Fraction(1), Fraction(-7, 3)):
        inputs = construct(claim, {}, EXACT, lambda value=value: EXACT.number(value))
        assert inputs.unmet == ()
        assert inputs.at.values["x"] == 1
