"""Counterproofs read the claim's own statement: what is not refuted is not said to be."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from deltaproof.proofs.catalogue import entry
from deltaproof.symbolic import (
    Claim,
    both,
    either,
    eq,
    function,
    implies,
    le,
    least,
    lt,
    matrix,
    ne,
    scalar,
)
from deltaproof.symbolic.claims import restate
from deltaproof.symbolic.counterproofs import (
    Counterproof,
    Slopes,
    check_counterproof,
    disproves,
    proves,
    put_in,
)
from deltaproof.symbolic.evaluation import Lambda
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.gate import differentiable_at_half, slope_at_half, symmetric_near_half

READING = entry("gate.zero_gradient_without_smoothness_reading")
CLAIM, COUNTERPROOF = READING.claim, READING.counterproof
half = Fraction(1, 2)
t, h, a = scalar("t"), scalar("h"), scalar("a")
f = function("f")


def refuted(claim: Claim, counterproof: Counterproof = COUNTERPROOF) -> bool:
    return check_counterproof(claim, counterproof).outcome is Outcome.CONFIRMED


def test_the_reading_is_refuted_and_the_proof_is_written_down():
    evidence = check_counterproof(CLAIM, COUNTERPROOF)
    assert evidence.outcome is Outcome.CONFIRMED, evidence.detail
    assert evidence.kind is Kind.COUNTERPROOF
    assert evidence.data["instance"] == {"f": "γ ↦ min(γ, 1 − γ)"}
    steps = evidence.data["steps"]
    parts = [line["plain"] for line in steps if line["role"] == "part"]
    assert parts == ["0 < ½", "f(γ) = f(1 − γ)", "f is differentiable at ½"]
    assert [line["depth"] for line in steps if line["role"] == "fact"] == [1, 1, 1, 1]


@pytest.mark.parametrize("mutant", READING.mutants, ids=lambda m: m.name)
def test_a_repaired_statement_is_not_refuted(mutant):
    evidence = check_counterproof(mutant.claim, COUNTERPROOF)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert "is not shown" in evidence.detail


def test_a_conclusion_that_holds_at_the_instance_is_not_refuted():
    weaker = restate(CLAIM, then=either(differentiable_at_half, le(f(half), half)))
    assert not refuted(weaker)
    still_false = restate(CLAIM, then=either(differentiable_at_half, lt(f(half), half)))
    assert refuted(still_false)
    assert refuted(restate(CLAIM, then=both(eq(f(half), half), differentiable_at_half)))
    assert not refuted(restate(CLAIM, then=implies(eq(f(half), 1), differentiable_at_half)))
    assert refuted(restate(CLAIM, then=implies(eq(f(half), half), differentiable_at_half)))


@pytest.mark.parametrize(
    "change",
    [
        {"slopes": None},
        {"slopes": Slopes(Fraction(1), Fraction(1), half)},
        {"slopes": Slopes(Fraction(-1), Fraction(1), half)},
        {"slopes": Slopes(Fraction(1), Fraction(-2), half)},
        {"slopes": Slopes(Fraction(1), Fraction(-1), Fraction(0))},
        {"witnesses": {}},
        {"witnesses": {"delta": Fraction(0)}},
        {"witnesses": {"delta": Fraction(-1)}},
        {"instance": {}},
        {"instance": {"f": Lambda(t, least(t, 2 - t))}},
        {"instance": {"f": Lambda(t, t)}},
        {"instance": {"f": Lambda(t, 4 * t * (1 - t))}},
        {"instance": {"f": Lambda(t, least(t, a - t))}},
        {"instance": {"f": t}},
    ],
    ids=str,
)
def test_a_wrong_counterproof_refutes_nothing(change):
    assert not refuted(CLAIM, replace(COUNTERPROOF, **change))


def test_other_kinks_are_refuted_as_well():
    def tent(slope):
        return Lambda(t, slope * least(t, 1 - t))

    for slope in (Fraction(3), Fraction(1, 7), Fraction(-2)):
        other = Counterproof(
            {"f": tent(slope)}, {"delta": Fraction(5)}, Slopes(slope, -slope, Fraction(9))
        )
        assert refuted(CLAIM, other)


def test_a_claim_about_matrices_is_left_alone():
    M = matrix("M", 2, 2)
    evidence = check_counterproof(Claim("t.matrix", then=eq(M, M.T)), COUNTERPROOF)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert "not supported" in evidence.detail


def test_numbers_are_instances_too():
    claim = Claim("t.number", given=[lt(0, a)], then=le(1, a))
    assert refuted(claim, Counterproof({"a": half * (t - t + 1)})) is False  # not closed
    from deltaproof.symbolic.expressions import as_expression

    assert refuted(claim, Counterproof({"a": as_expression(half)}))
    assert not refuted(claim, Counterproof({"a": as_expression(2)}))
    assert not refuted(claim, Counterproof({"a": as_expression(-1)}))


def test_an_instance_spares_bound_variables():
    assert put_in(symmetric_near_half, {"gamma": t, "delta": t}) == symmetric_near_half
    assert put_in(slope_at_half, {"gamma": t}) == slope_at_half


def test_both_branches_of_a_minimum_are_decided():
    kink = least(half + h, half - h)
    assert proves(eq(kink, half - h), (lt(0, h),))
    assert proves(eq(kink, half + h), (lt(h, 0),))
    assert not proves(eq(kink, half - h))
    assert not proves(eq(kink, half - h), (lt(-1, h),))
    assert proves(le(kink, half))
    assert not proves(lt(kink, half))
    assert proves(lt(kink, half), (lt(0, h),))
    assert disproves(eq(least(t - t + 1, t - t + 2), 2))
    assert not disproves(eq(least(t - t + 1, t - t + 2), 1))
    assert not disproves(eq(t, 1))
    assert not disproves(ne(t - t, 1))
