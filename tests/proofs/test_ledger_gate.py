"""The family gate of the ledger: verdicts, kinds pinned, mutants false, exact values."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.proofs.catalogue import gate
from deltaproof.symbolic import gate as statements
from deltaproof.symbolic.counterproofs import check_counterproof
from deltaproof.symbolic.derivations import check_derivation, counterexample
from deltaproof.symbolic.evaluation import Lambda, evaluate, holds
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.expressions import elementary
from deltaproof.symbolic.refutation import check_counterexample, search_counterexample

from .ledger import by_id

K, C, D, T = Kind.KERNEL, Kind.CERTIFICATE, Kind.DERIVATION, Kind.TORCH
CE, CP = Kind.COUNTEREXAMPLE, Kind.COUNTERPROOF
NUMBERS = {Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY}
# id -> expected verdict and the kinds it must have, in the order of the ledger
ROWS = {
    "zero_gradient_midpoint": ("proved", {K, D, T} | NUMBERS),
    "zero_gradient_without_smoothness_reading": ("refuted", {CP}),
    "central_difference_blind": ("proved", {K, D} | NUMBERS),
    "regulariser_profile": ("proved", {K, D, T} | NUMBERS),
    "bernoulli_variance": ("proved", {K, C, D, T} | NUMBERS),
    "entropy_and_product_instances": ("proved", {K, D} | NUMBERS),
    "logit_gradient": ("proved", {D}),
    "logit_gradient_maximum": ("proved", {D} | NUMBERS),
    "flow_leaves_midpoint": ("proved", {D} | NUMBERS),
    "reaches_boundary_reading": ("refuted", {CP}),
    "descent_direction_reading": ("refuted", {CE} | NUMBERS),
}
ENTRIES = {e.claim.id.removeprefix("gate."): e for e in gate.ENTRIES}
PROVED = [e for e in gate.ENTRIES if e.claim.expected == "proved"]
REFUTED = [e for e in gate.ENTRIES if e.claim.expected == "refuted"]


def test_the_rows_and_their_kinds():
    assert list(ENTRIES) == list(ROWS)
    for name, (expected, kinds) in ROWS.items():
        assert ENTRIES[name].claim.expected == expected, name
        assert set(ENTRIES[name].kinds) == kinds, name
    repairs = {name: e.repaired_by for name, e in ENTRIES.items() if e.repaired_by}
    assert repairs == {
        "zero_gradient_without_smoothness_reading": "gate.zero_gradient_midpoint",
        "reaches_boundary_reading": "gate.flow_leaves_midpoint",
        "descent_direction_reading": "gate.flow_leaves_midpoint",
    }


@by_id(PROVED)
def test_mutants_are_false_and_their_derivations_do_not_close(row):
    assert len([m for m in row.mutants if not m.stays_true]) >= 4
    for mutant in row.mutants:
        if mutant.stays_true:
            assert counterexample(mutant.claim) is None, mutant.name
            continue
        evidence = check_derivation(mutant.claim, row.derivation)
        assert evidence.outcome is Outcome.CONTRADICTED, mutant.name


@by_id(REFUTED)
def test_a_refutation_does_not_hold_of_the_repairs(row):
    assert len(row.mutants) >= 4
    for mutant in row.mutants:
        assert counterexample(mutant.claim, tries=20) is None, mutant.name
        if row.counterproof is not None:
            evidence = check_counterproof(mutant.claim, row.counterproof)
            assert evidence.outcome is Outcome.INCONCLUSIVE, mutant.name


def test_descent_at_a_quarter_moves_to_zero():
    """−f' = −2 at γ = ¼."""
    claim = ENTRIES["descent_direction_reading"].claim
    at = exact_assignment({}, {"gamma": Fraction(1, 4)})
    assert evaluate(-gate.slope_f, at, EXACT) == -2
    assert all(holds(given, at, EXACT) for given in claim.given)
    assert holds(claim.then, at, EXACT) is False
    found = search_counterexample(claim)
    assert found is not None
    assert check_counterexample(claim, found).outcome is Outcome.CONFIRMED


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(1, 2)])
def test_the_variance_by_its_definition(share):
    at = exact_assignment({}, {"gamma": share})
    outcomes = {Fraction(1): share, Fraction(0): 1 - share}
    mean = sum(value * weight for value, weight in outcomes.items())
    variance = sum((value - mean) ** 2 * weight for value, weight in outcomes.items())
    found = evaluate(statements.variance_of_bernoulli, at, EXACT)
    assert found == EXACT.number(Fraction(variance))
    assert holds(ENTRIES["bernoulli_variance"].claim.then, at, EXACT) is True


def test_the_flow_is_at_the_start_where_it_starts():
    claim = ENTRIES["flow_leaves_midpoint"].claim
    for start in (0, Fraction(1, 2), 1):
        path = statements.half + (start - statements.half) * elementary("exp", 8 * statements.t)
        at = exact_assignment({}, {"g": Lambda(statements.t, path), "t": 0})
        assert holds(claim.then, at, EXACT) is True
