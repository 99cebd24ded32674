"""Property checks find and shrink a failing input, the same one each time."""

from __future__ import annotations

import json

import pytest
from deltaproof.numeric.property import check_property
from deltaproof.symbolic import Claim, cayley, dims, entry, eq, le, lt, matrix, ne, scalar, vector
from deltaproof.symbolic.evidence import Outcome


def test_true_statements_are_confirmed(true_claim):
    evidence = check_property(true_claim)
    assert evidence.outcome is Outcome.CONFIRMED, evidence.detail
    assert evidence.data["exercised"] > evidence.data["examples"] / 2
    assert json.loads(json.dumps(evidence.data, allow_nan=False)) == evidence.data


def test_mutants_are_contradicted(mutant):
    evidence = check_property(mutant)
    assert evidence.outcome is Outcome.CONTRADICTED
    json.dumps(evidence.data, allow_nan=False)


def test_refuted_statements_are_contradicted(refuted_claim):
    assert check_property(refuted_claim).outcome is Outcome.CONTRADICTED


def test_hypothesis_finds_and_shrinks_what_no_boundary_shows():
    n, m = dims("n m")
    M, x = matrix("M", n, m), scalar("x")
    claim = Claim("test.three", then=ne(x, 3), given=[eq(M, M)])
    evidence = check_property(claim)
    assert evidence.outcome is Outcome.CONTRADICTED
    found = evidence.data["input"]
    assert found == {"sizes": {"n": 1, "m": 1}, "values": {"x": "3.0", "M": [["0.0"]]}}
    assert "x = 3.0" in evidence.detail
    assert evidence.data["examples"] > 1


def test_runs_repeat_and_leave_no_files(tmp_path, monkeypatch, true_claim):
    claim = true_claim
    monkeypatch.chdir(tmp_path)
    assert check_property(claim, seed=5) == check_property(claim, seed=5)
    assert list(tmp_path.iterdir()) == []


def test_rounding_alone_contradicts_nothing():
    """(x/3)·3 = x holds; in binary64 it often does not."""
    x = scalar("x")
    assert any(float(i) / 49 * 49 != i for i in range(100))
    claim = Claim("test.rounding", then=eq(x / 49 * 49, x))
    assert check_property(claim).outcome is Outcome.CONFIRMED


def test_a_difference_that_rounding_swallows_is_no_counterexample():
    """With S huge, Qx = −x within rounding although x ≠ 0."""
    claim = next(c for c in cayley.CLAIMS if c.id == "cayley.no_minus_one")
    evidence = check_property(claim)
    assert evidence.outcome is Outcome.CONFIRMED
    x = vector("x", dims("n"))
    strict = Claim("test.strict", then=lt(0, entry(x.T @ x)), given=[ne(x, 0 * x)])
    assert check_property(strict).outcome is Outcome.CONFIRMED


def test_hypotheses_that_are_never_met_confirm_nothing():
    t = scalar("t")
    vacuous = Claim("test.vacuous", given=[eq(t * t, -1)], then=le(t, t))
    assert check_property(vacuous).outcome is Outcome.INCONCLUSIVE


@pytest.mark.parametrize("seed", [1, 2])
def test_each_seed_confirms(seed, true_claim):
    assert check_property(true_claim, seed=seed).outcome is Outcome.CONFIRMED
