"""The family delta of the ledger: verdicts computed, kinds pinned, mutants false, sizes from 1."""

from __future__ import annotations

import pytest
from deltaproof.proofs.catalogue import delta
from deltaproof.symbolic.counterproofs import check_counterproof
from deltaproof.symbolic.derivations import check_derivation, counterexample
from deltaproof.symbolic.evaluation import holds
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.refutation import check_counterexample, search_counterexample

K, C, D = Kind.KERNEL, Kind.CERTIFICATE, Kind.DERIVATION
CE, CP = Kind.COUNTEREXAMPLE, Kind.COUNTERPROOF
E, L, T, P = Kind.ENCLOSURE, Kind.LADDER, Kind.TORCH, Kind.PROPERTY
IDENTITY = {K, C, D, E, L, P}
NUMBERS = {E, L, P}
# id -> expected verdict and kinds, in the order of the ledger
ROWS = {
    "rank_one_form": ("proved", IDENTITY | {T}),
    "rank_one_form_normalised": ("proved", IDENTITY),
    "rank_one_form_reading": ("refuted", {CE} | NUMBERS),
    "epsilon_limit": ("proved", {K, D}),
    "update_rank": ("proved", {K, D}),
    "preserves_complement": ("proved", IDENTITY | {T}),
    "eigenvalue_along_k": ("proved", IDENTITY | {T}),
    "eigenvalue_regularised": ("proved", IDENTITY),
    "eigenvalue_off_k": ("proved", IDENTITY | {T}),
    "eigenspace_dimension": ("proved", {K, D}),
    "characteristic_polynomial": ("proved", {K, D, T} | NUMBERS),
    "determinant": ("proved", {K, D, T} | NUMBERS),
    "determinant_printed": ("refuted", {CE} | NUMBERS),
    "lifted_determinant": ("proved", {K, D, T} | NUMBERS),
    "singular_iff": ("proved", {K, D, T} | NUMBERS),
    "inverse": ("proved", IDENTITY | {T}),
    "identity": ("proved", IDENTITY | {T}),
    "projection": ("proved", IDENTITY | {T}),
    "erasure_printed": ("refuted", {CE} | NUMBERS),
    "overwrite": ("proved", IDENTITY | {T}),
    "reflection": ("proved", {K, D, T} | NUMBERS),
    "reflect_and_write": ("proved", IDENTITY | {T}),
    "worked_example": ("proved", {K, D, L, P}),
    "orthogonal_iff": ("proved", IDENTITY | {T}),
    "orthogonal_only_at_two_printed": ("refuted", {CE} | NUMBERS),
    "regularised_never_orthogonal": ("proved", {K, D} | NUMBERS),
    "norm_distortion": ("proved", IDENTITY | {T}),
    "non_expansive_iff": ("proved", {K, D}),
    "spectral_norm": ("proved", {K, D}),
    "error_contraction": ("proved", IDENTITY | {T}),
    "composition": ("proved", {K, D} | NUMBERS),
    "commutator": ("proved", IDENTITY),
    "delta_rule": ("proved", IDENTITY | {T}),
    "overwrite_persists_reading": ("refuted", {CE} | NUMBERS),
    "gate_range": ("proved", {K, D, E, P}),
    "gate_attains_ends_reading": ("refuted", {CP}),
    "gate_gradient": ("proved", {D} | NUMBERS),
    "rms_direction": ("proved", {K, D} | NUMBERS),
    "key_gradient": ("proved", {D} | NUMBERS),
    "frozen_jacobian": ("proved", {K, D} | NUMBERS),
    "frozen_spectrum_is_jacobian_reading": ("refuted", {CE} | NUMBERS),
}
ENTRIES = {e.claim.id.removeprefix("delta."): e for e in delta.ENTRIES}
every_row = pytest.mark.parametrize("row", delta.ENTRIES, ids=lambda e: e.claim.id)


def test_the_rows_and_their_kinds():
    assert list(ENTRIES) == list(ROWS)
    for name, (expected, kinds) in ROWS.items():
        assert ENTRIES[name].claim.expected == expected, name
        assert set(ENTRIES[name].kinds) == kinds, name


def test_repairs_are_rows_that_are_proved():
    for row in delta.ENTRIES:
        if row.claim.expected == "refuted":
            assert row.repaired_by is not None
            repair = ENTRIES[row.repaired_by.removeprefix("delta.")]
            assert repair.claim.expected == "proved"


def refuted(claim) -> bool:
    """Are there exact numbers at which the claim is false?"""
    if counterexample(claim, tries=30) is not None:
        return True
    found = search_counterexample(claim, time_limit=2.0)
    if found is None:
        return False
    return check_counterexample(claim, found).outcome is Outcome.CONFIRMED


@pytest.mark.parametrize(
    "row", [e for e in delta.ENTRIES if e.claim.expected == "proved"], ids=lambda e: e.claim.id
)
def test_mutants_are_false_and_their_derivations_do_not_close(row):
    assert len([m for m in row.mutants if not m.stays_true]) >= 4
    for mutant in row.mutants:
        if mutant.stays_true:
            assert counterexample(mutant.claim, tries=30) is None, mutant.name
            continue
        assert refuted(mutant.claim), mutant.name
        evidence = check_derivation(mutant.claim, row.derivation)
        assert evidence.outcome is not Outcome.CONFIRMED, mutant.name


@pytest.mark.parametrize(
    "row", [e for e in delta.ENTRIES if e.claim.expected == "refuted"], ids=lambda e: e.claim.id
)
def test_mutants_of_what_is_false_are_repairs(row):
    assert len(row.mutants) >= 4
    for mutant in row.mutants:
        assert counterexample(mutant.claim, tries=20) is None, mutant.name
        if row.counterproof is not None:
            evidence = check_counterproof(mutant.claim, row.counterproof)
            assert evidence.outcome is Outcome.INCONCLUSIVE, mutant.name


# ---------------------------------------------------------------- smallest sizes, by hand


@pytest.mark.parametrize(
    ("name", "sizes", "values"),
    [
        ("characteristic_polynomial", {"d": 1}, {"k": [[1]], "beta": 3, "lam": 1}),
        ("eigenspace_dimension", {"d": 1}, {"k": [[-1]], "beta": 3}),
        ("lifted_determinant", {"d": 1, "m": 1}, {"k": [[1]], "beta": 1}),
        ("update_rank", {"d": 1, "m": 1}, {"k": [[2]], "beta": 3, "v": [[1]], "X": [[5]]}),
        ("composition", {"d": 1}, {"k": [[1]], "a": 2, "b": 3, "beta": 1, "L": 0}),
        ("singular_iff", {"d": 1}, {"k": [[1]], "beta": 1}),
        ("key_gradient", {"d": 2}, {"kappa": [[3], [4]], "h": [[1], [2]], "y": [[5], [-1]]}),
    ],
)
def test_the_smallest_sizes(name, sizes, values):
    claim = ENTRIES[name].claim
    at = exact_assignment(sizes, {n: x for n, x in values.items() if n != "L"})
    if "L" in values:
        at = at.bind("L", values["L"])
    assert all(holds(given, at, EXACT) for given in claim.given)
    assert holds(claim.then, at, EXACT) is True


@pytest.mark.parametrize(
    ("name", "sizes", "values"),
    [
        (
            "rank_one_form_reading",
            {"d": 1, "m": 1},
            {"k": [[1]], "epsilon": 1, "beta": 1, "X": [[1]], "v": [[0]]},
        ),
        ("erasure_printed", {"d": 1}, {"k": [[1]], "X": [[2]]}),
        (
            "overwrite_persists_reading",
            {"d": 2, "m": 1},
            {
                "k": [[1], [0]],
                "q": [["3/5"], ["4/5"]],
                "X": [[0], [0]],
                "v": [[1]],
                "w": [[0]],
            },
        ),
    ],
)
def test_the_counterexamples_of_the_ledger_hold_up(name, sizes, values):
    from fractions import Fraction

    exact = {
        n: [[Fraction(x) for x in r] for r in value] if isinstance(value, list) else value
        for n, value in values.items()
    }
    claim = ENTRIES[name].claim
    evidence = check_counterexample(claim, exact_assignment(sizes, exact))
    assert evidence.outcome is Outcome.CONFIRMED
