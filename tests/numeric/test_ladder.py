"""The ladder confirms what is true, sees each mutant, and says when it saw nothing."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

from deltaproof.numeric import ladder
from deltaproof.numeric.ladder import DIGITS, check_ladder
from deltaproof.numeric.multiprecision import arithmetic
from deltaproof.symbolic import Claim, delta, dims, eq, matrix, rank, scalar
from deltaproof.symbolic.claims import restate
from deltaproof.symbolic.evidence import Outcome


def test_true_statements_are_confirmed_beside_their_mutants(true_claim, mutants_of):
    mutants = mutants_of(true_claim)
    assert mutants
    evidence = check_ladder(true_claim, mutants=mutants)
    assert evidence.outcome is Outcome.CONFIRMED, evidence.detail
    assert [m["digits"] for m in evidence.data["measurements"]] == list(DIGITS)
    for measured in evidence.data["measurements"]:
        assert measured["residual"] <= measured["bound"]
        assert measured["compared"]
    assert json.loads(json.dumps(evidence.data, allow_nan=False)) == evidence.data


def test_mutants_are_contradicted(mutant):
    evidence = check_ladder(mutant)
    assert evidence.outcome is Outcome.CONTRADICTED
    assert evidence.data["input"]["values"]
    json.dumps(evidence.data, allow_nan=False)


def test_refuted_statements_are_contradicted(refuted_claim):
    assert check_ladder(refuted_claim).outcome is Outcome.CONTRADICTED


def test_the_bound_shrinks_with_the_precision(delta_claim):
    claim = delta_claim
    bounds = [m["bound"] for m in check_ladder(claim).data["measurements"]]
    ratios = [a / b for a, b in itertools.pairwise(bounds)]
    assert ratios[0] > 2.0**100
    assert ratios[1] > 2.0**450


def test_a_mutant_that_is_true_is_not_told_apart(true_claim):
    evidence = check_ladder(true_claim, mutants=[true_claim])
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert "number 1" in evidence.detail


def test_hypotheses_that_are_never_met_confirm_nothing():
    t = scalar("t")
    vacuous = Claim("test.vacuous", given=[eq(t * t, -1)], then=eq(t, t))
    assert check_ladder(vacuous).outcome is Outcome.INCONCLUSIVE


def test_the_contrapositive_counts_where_it_is_decided():
    t = scalar("t")
    claim = Claim("test.contrapositive", given=[eq(t * t, 2 * t - 1)], then=eq(t, 1))
    assert check_ladder(claim, mutants=[restate(claim, then=eq(t, 2))]).outcome is Outcome.CONFIRMED


def test_bounds_that_are_too_small_contradict_a_true_statement(monkeypatch, delta_claim):
    claim = delta_claim
    assert check_ladder(claim).outcome is Outcome.CONFIRMED
    monkeypatch.setattr(
        ladder, "arithmetic", lambda digits: replace(arithmetic(digits), precision=800)
    )
    assert check_ladder(claim).outcome is Outcome.CONTRADICTED


def test_runs_repeat_and_seeds_differ():
    claim = next(c for c in delta.CLAIMS if c.id == "delta.rank_one_form")
    first = check_ladder(claim, seed=4)
    assert first == check_ladder(claim, seed=4)
    assert first != check_ladder(claim, seed=5)


def test_a_statement_beyond_the_arithmetic_is_inconclusive():
    n = dims("n")
    M = matrix("M", n, n)
    assert check_ladder(Claim("test.rank", then=eq(rank(M), rank(M.T)))).outcome is (
        Outcome.INCONCLUSIVE
    )
