"""Transcendental numbers in exact arithmetic: told apart where they differ, never guessed equal."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from deltaproof.proofs.catalogue import entry
from deltaproof.symbolic.claims import Claim
from deltaproof.symbolic.evaluation import Assignment, Undefined, Unsupported, evaluate, holds
from deltaproof.symbolic.exact import EXACT
from deltaproof.symbolic.expressions import Literal, elementary, rounded, scalar, sqrt
from deltaproof.symbolic.formats import BINARY16, BINARY64, round_to_format
from deltaproof.symbolic.propositions import eq, le, lt
from deltaproof.symbolic.reals import REALS, arithmetic_of

NOTHING = Assignment({}, {})
log_2 = elementary("log", 2)


def value(node):
    """The value without free symbols."""
    return evaluate(node, NOTHING, REALS)


def test_orders_are_decided_however_near():
    # 2^-1000 apart
    near = elementary("log", 2 + Literal(Fraction(1, 2**1000)))
    assert holds(lt(log_2, near), NOTHING, REALS) is True
    assert holds(le(near, log_2), NOTHING, REALS) is False
    assert holds(eq(near, log_2), NOTHING, REALS) is False


def test_equal_numbers_are_not_told_apart():
    with pytest.raises(Unsupported, match="cannot be told from 0"):
        holds(eq(2 * log_2, elementary("log", 4)), NOTHING, REALS)


@pytest.mark.parametrize("name", ["exp", "log", "sin", "cos", "arctan", "sigmoid"])
def test_values_are_those_of_the_functions(name):
    """binary64's libm is right to a few units in the last place: binary16 sees no difference."""
    reference = {
        "arctan": math.atan,
        "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    }.get(name) or getattr(math, name)
    for x in (Fraction(1, 2), Fraction(3), Fraction(7, 5)):
        found = value(rounded(elementary(name, x), BINARY16))
        assert found == EXACT.number(round_to_format(Fraction(reference(float(x))), BINARY16))


def test_arithmetic_with_rationals_and_roots():
    three = log_2 + log_2 - log_2 * 1 + (3 - log_2)
    assert holds(lt(Fraction(299, 100), three), NOTHING, REALS) is True
    assert holds(lt(three, Fraction(301, 100)), NOTHING, REALS) is True
    assert holds(lt(1 / log_2, log_2**2), NOTHING, REALS) is False
    assert holds(lt(log_2, sqrt(Literal(2)) * Fraction(1, 2)), NOTHING, REALS) is True


def test_a_tie_is_not_guessed():
    # exp(log t), t halfway between 1 and the number after it
    halfway = elementary("exp", elementary("log", 1 + Literal(BINARY64.unit_roundoff)))
    with pytest.raises(Unsupported, match="tie of binary64"):
        value(rounded(halfway, BINARY64))


def test_what_has_no_value_has_none():
    at = Assignment({}, {"t": EXACT.number(Fraction(-1))})
    with pytest.raises(Undefined, match="logarithm"):
        evaluate(elementary("log", scalar("t")), at, REALS)
    with pytest.raises(Undefined, match="overflows binary16"):
        value(rounded(elementary("exp", 20), BINARY16))
    with pytest.raises(Undefined, match="overflows binary16"):
        value(rounded(Literal(70000), BINARY16))
    with pytest.raises(Unsupported, match="too far"):
        value(elementary("exp", 10**6))


def test_only_claims_that_round_are_looked_at_so():
    t = scalar("t")
    assert arithmetic_of(entry("gate.logit_gradient").claim) is EXACT
    assert arithmetic_of(Claim("a.b", then=eq(rounded(t, BINARY16), t))) is REALS
