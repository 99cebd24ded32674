"""The family reflection of the ledger: verdicts, kinds pinned, mutants false, sizes from 1."""

from __future__ import annotations

import pytest
from deltaproof.proofs.catalogue import reflection
from deltaproof.symbolic.claims import restate
from deltaproof.symbolic.counterproofs import check_counterproof
from deltaproof.symbolic.derivations import check_derivation, counterexample
from deltaproof.symbolic.evaluation import holds
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.refutation import check_counterexample, search_counterexample

from .ledger import by_id

K, C, D = Kind.KERNEL, Kind.CERTIFICATE, Kind.DERIVATION
CE, CP = Kind.COUNTEREXAMPLE, Kind.COUNTERPROOF
NUMBERS = {Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY}
# id -> expected verdict and kinds, in the order of the ledger
ROWS = {
    "negates_its_axis_only": ("proved", {K, C, D} | NUMBERS),
    "negates_rank_one_only": ("proved", {K, C, D, Kind.TORCH} | NUMBERS),
    "fixed_axis_negates_all_reading": ("refuted", {CP}),
    "adaptive_axis_negates": ("proved", {K, D} | NUMBERS),
    "product_rank": ("proved", {K, D}),
    "cartan_dieudonne": ("proved", {K, D}),
}
ENTRIES = {e.claim.id.removeprefix("reflection."): e for e in reflection.ENTRIES}
PROVED = [e for e in reflection.ENTRIES if e.claim.expected == "proved"]
REFUTED = [e for e in reflection.ENTRIES if e.claim.expected == "refuted"]


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
        assert counterexample(mutant.claim, tries=20) is None, mutant.name
        if row.counterproof is not None:
            evidence = check_counterproof(mutant.claim, row.counterproof)
            assert evidence.outcome is Outcome.INCONCLUSIVE, mutant.name


# ---------------------------------------------------------------- smallest sizes, by hand


@pytest.mark.parametrize(
    ("name", "sizes", "values"),
    [
        ("negates_its_axis_only", {"n": 1}, {"k": [[-1]], "x": [[3]]}),
        ("negates_its_axis_only", {"n": 1}, {"k": [[1]], "x": [[0]]}),
        ("negates_rank_one_only", {"n": 1, "m": 1}, {"k": [[1]], "X": [[2]]}),
        ("adaptive_axis_negates", {"n": 1}, {"x": [[-2]]}),
        ("adaptive_axis_negates", {"n": 2}, {"x": [[3], [4]]}),
    ],
)
def test_the_smallest_sizes(name, sizes, values):
    claim, at = ENTRIES[name].claim, exact_assignment(sizes, values)
    assert all(holds(given, at, EXACT) for given in claim.given)
    assert holds(claim.then, at, EXACT) is True


@pytest.mark.parametrize("r", [0, 1, 2])
def test_products_of_few_reflections(r):
    claim = ENTRIES["product_rank"].claim
    axes = {1: [[1], [0]], 2: [[0], [1]]}
    values = {i: EXACT.matrix([[EXACT.number(x) for x in row] for row in axes[i]]) for i in axes}
    at = exact_assignment({"n": 2}, {}).bind("k", values).bind("r", r)
    assert all(holds(given, at, EXACT) for given in claim.given)
    # −I for r = 2 = n: the bound is attained
    assert holds(claim.then, at, EXACT) is True


def test_what_is_not_orthogonal_is_no_product():
    row = ENTRIES["cartan_dieudonne"]
    free = restate(row.claim, given=row.claim.given[1:])
    assert check_derivation(free, row.derivation).outcome is not Outcome.CONFIRMED
