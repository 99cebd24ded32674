"""The family cayley of the ledger: verdicts computed, kinds pinned, mutants false, sizes from 1."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.proofs.catalogue import cayley
from deltaproof.symbolic.cayley import CLAIMS
from deltaproof.symbolic.counterproofs import check_counterproof
from deltaproof.symbolic.derivations import check_derivation, counterexample
from deltaproof.symbolic.evaluation import holds
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.refutation import check_counterexample, search_counterexample

K, C, D = Kind.KERNEL, Kind.CERTIFICATE, Kind.DERIVATION
CE, CP = Kind.COUNTEREXAMPLE, Kind.COUNTERPROOF
E, L, T, P = Kind.ENCLOSURE, Kind.LADDER, Kind.TORCH, Kind.PROPERTY
NUMBERS = {E, L, P}
IDENTITY = {K, C, D} | NUMBERS
# id -> expected verdict and kinds, in the order of the ledger
ROWS = {
    "generator_skew": ("proved", IDENTITY),
    "nonsingular": ("proved", IDENTITY),
    "nonsingular_any_field_reading": ("refuted", {CE}),
    "factors_commute": ("proved", IDENTITY | {T}),
    "orthogonal": ("proved", IDENTITY | {T}),
    "isometry": ("proved", IDENTITY | {T}),
    "determinant": ("proved", {K, D, T} | NUMBERS),
    "no_minus_one": ("proved", IDENTITY | {T}),
    "so_excludes_minus_one_printed": ("refuted", {CE}),
    "eigenvalues": ("proved", {K, D, T} | NUMBERS),
    "image": ("proved", IDENTITY),
    "inverse_is_transpose": ("proved", IDENTITY | {T}),
    "rank_two_cube": ("proved", IDENTITY),
    "rank_two_closed_form": ("proved", IDENTITY | {T}),
    "closed_form_gram": ("proved", {K, D} | NUMBERS),
    "rank_two_fixes_complement": ("proved", IDENTITY | {T}),
    "rank_two_angle": ("proved", {K, D, T} | NUMBERS),
    "distance_to_minus_one": ("proved", {K, D}),
    "square_covers_rotations": ("proved", {D}),
    "stack_cannot_negate_reading": ("refuted", {CE}),
    "rank_two_covers_rotations_reading": ("refuted", {CP}),
    "differential": ("proved", {K, D} | NUMBERS),
    "data_dependent_jacobian_reading": ("refuted", {CE} | NUMBERS),
    "derivative_in_beta": ("proved", {K, D} | NUMBERS),
    "identity_at_zero": ("proved", {K, D, T} | NUMBERS),
}
ENTRIES = {e.claim.id.removeprefix("cayley."): e for e in cayley.ENTRIES}
PROVED = [e for e in cayley.ENTRIES if e.claim.expected == "proved"]
REFUTED = [e for e in cayley.ENTRIES if e.claim.expected == "refuted"]


def name_of(row) -> str:
    """The id without the family."""
    return row.claim.id.removeprefix("cayley.")


def test_the_rows_and_their_kinds():
    assert [claim.id for claim in CLAIMS] == [f"cayley.{name}" for name in ROWS]
    assert list(ENTRIES) == list(ROWS)
    for name, (expected, kinds) in ROWS.items():
        assert ENTRIES[name].claim.expected == expected, name
        assert set(ENTRIES[name].kinds) == kinds, name


def test_repairs_are_rows_that_are_proved():
    for row in REFUTED:
        assert row.repaired_by is not None
        assert ENTRIES[row.repaired_by.removeprefix("cayley.")].claim.expected == "proved"


def refuted(claim) -> bool:
    """Are there exact numbers at which the claim is false?"""
    if counterexample(claim, tries=20) is not None:
        return True
    found = search_counterexample(claim, time_limit=2.0)
    if found is None:
        return False
    return check_counterexample(claim, found).outcome is Outcome.CONFIRMED


@pytest.mark.parametrize("row", PROVED, ids=name_of)
def test_mutants_are_false_and_their_derivations_do_not_close(row):
    assert len([m for m in row.mutants if not m.stays_true]) >= 4
    for mutant in row.mutants:
        if mutant.stays_true:
            assert counterexample(mutant.claim, tries=20) is None, mutant.name
            continue
        assert refuted(mutant.claim), mutant.name
    # the longest of these proofs takes seconds, and fails at its end
    counted = [m for m in row.mutants if not m.stays_true]
    for mutant in counted[:1] if row.claim.id == "cayley.square_covers_rotations" else counted:
        evidence = check_derivation(mutant.claim, row.derivation)
        assert evidence.outcome is not Outcome.CONFIRMED, mutant.name


@pytest.mark.parametrize("row", REFUTED, ids=name_of)
def test_mutants_of_what_is_false_are_repairs(row):
    assert len(row.mutants) >= 4
    for mutant in row.mutants:
        assert counterexample(mutant.claim, tries=20) is None, mutant.name
        if row.counterproof is not None:
            evidence = check_counterproof(mutant.claim, row.counterproof)
            assert evidence.outcome is Outcome.INCONCLUSIVE, mutant.name


# ---------------------------------------------------------------- what the ledger says by hand

J = [[0, -1], [1, 0]]


@pytest.mark.parametrize(
    ("name", "sizes", "values"),
    [
        ("factors_commute", {"n": 1}, {"S": [[0]]}),
        ("image", {"n": 1}, {"R": [[1]]}),
        ("image", {"n": 2}, {"R": J}),
        ("inverse_is_transpose", {"n": 2}, {"S": J}),
        ("eigenvalues", {"n": 1}, {"S": [[0]], "mu": 0, "x": [[1]], "y": [[2]]}),
        ("rank_two_cube", {"n": 1}, {"u": [[2]], "v": [[3]]}),
        ("rank_two_closed_form", {"n": 2}, {"u": [[1], [0]], "v": [[0], [1]], "beta": 2}),
        ("rank_two_angle", {"n": 1}, {"u": [[2]], "v": [[3]], "beta": 5}),
        ("closed_form_gram", {"n": 2}, {"W": J, "t": 0, "beta": 2}),
        ("closed_form_gram", {"n": 1}, {"W": [[0]], "t": 3, "beta": 2}),
        ("differential", {"n": 1}, {"S": [[0]], "T": [[0]]}),
        ("derivative_in_beta", {"n": 2}, {"u": [[1], [0]], "v": [[0], [1]], "beta": 0}),
        ("identity_at_zero", {"n": 1}, {"u": [[2]], "v": [[3]], "beta": 0}),
    ],
)
def test_the_smallest_sizes(name, sizes, values):
    claim = ENTRIES[name].claim
    at = exact_assignment(sizes, values)
    assert all(holds(given, at, EXACT) for given in claim.given)
    assert holds(claim.then, at, EXACT) is True


@pytest.mark.parametrize(
    ("name", "sizes", "values"),
    [
        # S = [[0, i], [−i, 0]] and the vector (1, i)
        (
            "nonsingular_any_field_reading",
            {"n": 2},
            {
                "A": [[0, 0], [0, 0]],
                "B": [[0, 1], [-1, 0]],
                "x": [[1], [0]],
                "y": [[0], [1]],
            },
        ),
        # S(x) = x₁ J at x = (0, 1): the Jacobian is diag(3, 1), 3 in the direction (1, 0)
        (
            "data_dependent_jacobian_reading",
            {"n": 2},
            {"K": J, "p": [[1], [0]], "x": [[0], [1]], "h": [[1], [0]]},
        ),
    ],
)
def test_the_counterexamples_of_the_ledger(name, sizes, values):
    claim = ENTRIES[name].claim
    assert check_counterexample(claim, exact_assignment(sizes, values)).outcome is Outcome.CONFIRMED


def test_two_quarter_turns_negate():
    claim = ENTRIES["stack_cannot_negate_reading"].claim
    half = [[0, Fraction(-1, 2)], [Fraction(1, 2), 0]]
    at = exact_assignment({"n": 2, "L": 2}, {"x": [[1], [0]], "A": {1: half, 2: half}})
    assert check_counterexample(claim, at.bind("L", 2)).outcome is Outcome.CONFIRMED


def test_the_counterexamples_found_are_the_smallest():
    for name in ("nonsingular_any_field_reading", "data_dependent_jacobian_reading"):
        found = search_counterexample(ENTRIES[name].claim)
        assert found is not None
        assert found.sizes["n"] == 2
    found = search_counterexample(ENTRIES["stack_cannot_negate_reading"].claim)
    assert found is not None
    assert (found.sizes["n"], found.sizes["L"]) == (2, 2)
