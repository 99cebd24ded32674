"""The family hybrid of the ledger: verdicts, kinds pinned, mutants false, sizes from 1."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.proofs.catalogue import hybrid
from deltaproof.symbolic.counterproofs import check_counterproof
from deltaproof.symbolic.derivations import check_derivation, counterexample
from deltaproof.symbolic.evaluation import evaluate, holds
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.refutation import check_counterexample, search_counterexample

from .ledger import by_id

K, C, D = Kind.KERNEL, Kind.CERTIFICATE, Kind.DERIVATION
CE, CP = Kind.COUNTEREXAMPLE, Kind.COUNTERPROOF
NUMBERS = {Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY}
# id -> expected verdict and kinds, in the order of the ledger
ROWS = {
    "both_components": ("proved", {K, D} | NUMBERS),
    "exactly_orthogonal_printed": ("refuted", {CE} | NUMBERS),
    "gram": ("proved", {K, C, D} | NUMBERS),
    "endpoints_orthogonal": ("proved", {K, C, D} | NUMBERS),
    "interior_not_orthogonal": ("proved", {K, D} | NUMBERS),
    "midpoint_singular": ("proved", {K, D} | NUMBERS),
    "smallest_singular_value": ("proved", {K, D} | NUMBERS),
    "norm_bounds": ("proved", {K, D} | NUMBERS),
    "orthogonality_defect": ("proved", {K, D} | NUMBERS),
    "distance_to_orthogonal": ("proved", {K, D} | NUMBERS),
    "planar_determinant": ("proved", {K, D} | NUMBERS),
    "blend_approximates_rotations_reading": ("refuted", {CP}),
    "blend_reaches_rotation_on_one_vector": ("proved", {K, D} | NUMBERS),
    "single_layer_covers_orthogonal_group_printed": ("refuted", {CP}),
    "common_fixed_space": ("proved", {K, D}),
    "depth_covers_orthogonal_group": ("proved", {K, D}),
    "midpoint_stack_reading": ("refuted", {CE}),
    "reduces_to_residual": ("proved", {K, D} | NUMBERS),
    "pooled_generators_causal_reading": ("refuted", {CE} | NUMBERS),
}
ENTRIES = {e.claim.id.removeprefix("hybrid."): e for e in hybrid.ENTRIES}
PROVED = [e for e in hybrid.ENTRIES if e.claim.expected == "proved"]
REFUTED = [e for e in hybrid.ENTRIES if e.claim.expected == "refuted"]


def test_the_rows_and_their_kinds():
    assert list(ENTRIES) == list(ROWS)
    for name, (expected, kinds) in ROWS.items():
        assert ENTRIES[name].claim.expected == expected, name
        assert set(ENTRIES[name].kinds) == kinds, name


@by_id(PROVED)
def test_mutants_are_false_and_their_derivations_do_not_close(row):
    assert len([m for m in row.mutants if not m.stays_true]) >= 3
    for mutant in row.mutants:
        evidence = check_derivation(mutant.claim, row.derivation)
        if mutant.stays_true:
            assert evidence.outcome is not Outcome.CONTRADICTED, mutant.name
            continue
        assert evidence.outcome is Outcome.CONTRADICTED, mutant.name
        found = search_counterexample(mutant.claim)
        assert found is not None, mutant.name
        assert check_counterexample(mutant.claim, found).outcome is Outcome.CONFIRMED


@by_id(REFUTED)
def test_mutants_of_what_is_false_are_repairs(row):
    assert len(row.mutants) >= 3
    for mutant in row.mutants:
        tries = 20 if row.counterproof is None else 1  # nested quantifiers are slow to sample
        assert counterexample(mutant.claim, tries=tries) is None, mutant.name
        if row.counterproof is not None:
            evidence = check_counterproof(mutant.claim, row.counterproof)
            assert evidence.outcome is Outcome.INCONCLUSIVE, mutant.name


def test_repairs_are_rows_that_are_proved():
    for row in REFUTED:
        if row.repaired_by is not None:
            repair = ENTRIES[row.repaired_by.removeprefix("hybrid.")]
            assert repair.claim.expected == "proved"


# ---------------------------------------------------------------- smallest sizes, by hand

half = Fraction(1, 2)
ends = [0, 1, half, Fraction(1, 3)]


@pytest.mark.parametrize("gamma", ends)
@pytest.mark.parametrize(
    "name",
    [
        "both_components",
        "gram",
        "smallest_singular_value",
        "orthogonality_defect",
        "distance_to_orthogonal",
        "midpoint_singular",
    ],
)
@pytest.mark.parametrize(
    ("n", "Q", "R"),
    [
        (1, [[1]], [[-1]]),
        (2, [[0, -1], [1, 0]], [[1, 0], [0, -1]]),
        (3, [[1, 0, 0], [0, 0, -1], [0, 1, 0]], [[-1, 0, 0], [0, 0, -1], [0, 1, 0]]),
    ],
)
def test_the_smallest_sizes(name, n, Q, R, gamma):
    claim = ENTRIES[name].claim
    at = exact_assignment({"n": n}, {"Q": Q, "R": R, "gamma": gamma})
    assert all(holds(given, at, EXACT) for given in claim.given)
    assert holds(claim.then, at, EXACT) is True


def test_the_counterexample_of_the_ledger_to_orthogonality():
    claim = ENTRIES["exactly_orthogonal_printed"].claim
    at = exact_assignment({"n": 1}, {"Q": [[1]], "R": [[-1]], "gamma": half})
    assert check_counterexample(claim, at).outcome is Outcome.CONFIRMED
    assert search_counterexample(claim) == at


def test_the_second_token_moves_the_first_from_1_0_to_0_minus_1():
    # γ is the first entry of the mean, 1; u and v are parallel until the second entry is not 0
    claim = ENTRIES["pooled_generators_causal_reading"].claim
    values = {
        "x": [[1], [0]],
        "y": [[1], [0]],
        "z": [[1], [2]],
        "U": [[1, 0], [0, 1]],
        "V": [[1, 0], [0, 0]],
        "K": [[1, 0], [0, 0]],
        "g": [[1], [0]],
        "beta": 2,
    }
    at = exact_assignment({"n": 2}, values)
    for side, expected in ((claim.then.left, (1, 0)), (claim.then.right, (0, -1))):
        column = EXACT.matrix([[EXACT.number(Fraction(x))] for x in expected])
        assert evaluate(side, at, EXACT) == column
    assert check_counterexample(claim, at).outcome is Outcome.CONFIRMED


def test_the_smallest_stack_is_one_layer_at_the_midpoint():
    claim = ENTRIES["midpoint_stack_reading"].claim
    found = search_counterexample(claim)
    assert found is not None
    assert (found.sizes["n"], found.values["L"]) == (1, 1)
    assert found.values["gamma"][1] == EXACT.number(half)
