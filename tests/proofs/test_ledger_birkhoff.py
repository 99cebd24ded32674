"""The family birkhoff of the ledger: verdicts, kinds pinned, mutants false, sizes from 1."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest
from deltaproof.proofs.catalogue import birkhoff
from deltaproof.proofs.checks import Settings, Task, perform
from deltaproof.symbolic import birkhoff as statements
from deltaproof.symbolic.claims import Claim
from deltaproof.symbolic.constructions import construct
from deltaproof.symbolic.counterproofs import check_counterproof
from deltaproof.symbolic.derivations import (
    Evaluated,
    check_derivation,
    counterexample,
)
from deltaproof.symbolic.evaluation import evaluate, holds
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.expressions import dims, eye, matrix, ones
from deltaproof.symbolic.propositions import eq, exists, forall, lt

from .ledger import by_id, has_a_limit

K, C, D = Kind.KERNEL, Kind.CERTIFICATE, Kind.DERIVATION
CP = Kind.COUNTERPROOF
NUMBERS = {Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY}
# id -> expected verdict and kinds, in the order of the ledger
ROWS = {
    "closed_under_product": ("proved", {K, D} | NUMBERS),
    "preserves_mean": ("proved", {K, C, D} | NUMBERS),
    "spectral_norm_one": ("proved", {K, D} | NUMBERS),
    "orthogonal_iff_permutation": ("proved", {K, D} | NUMBERS),
    "nearly_orthogonal_printed": ("refuted", {CP}),
    "cannot_negate": ("proved", {K, D} | NUMBERS),
    "column_step_exact": ("proved", {K, D} | NUMBERS),
    "finite_sinkhorn_exact_reading": ("refuted", {CP}),
    "sum_defect_accumulates": ("proved", {K, D} | NUMBERS),
    "two_by_two_limit": ("proved", {D}),
}
ENTRIES = {e.claim.id.removeprefix("birkhoff."): e for e in birkhoff.ENTRIES}
PROVED = [e for e in birkhoff.ENTRIES if e.claim.expected == "proved"]
REFUTED = [e for e in birkhoff.ENTRIES if e.claim.expected == "refuted"]
half = Fraction(1, 2)
CYCLE = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
MIXED = [[half, half, 0], [0, half, half], [half, 0, half]]


def test_the_rows_and_their_kinds():
    assert list(ENTRIES) == list(ROWS)
    for name, (expected, kinds) in ROWS.items():
        assert ENTRIES[name].claim.expected == expected, name
        assert set(ENTRIES[name].kinds) == kinds, name


@by_id(birkhoff.ENTRIES)
def test_the_hypotheses_can_be_met(row):
    assert perform(Task(row, None), Settings()) is not None


@by_id(PROVED)
def test_mutants_are_false_and_their_derivations_do_not_close(row):
    assert len([m for m in row.mutants if not m.stays_true]) >= 3
    for mutant in row.mutants:
        evidence = check_derivation(mutant.claim, row.derivation)
        assert evidence.outcome is not Outcome.CONFIRMED, mutant.name
        if mutant.stays_true:
            assert evidence.outcome is not Outcome.CONTRADICTED, mutant.name
        elif not has_a_limit(mutant.claim.then):
            found = counterexample(mutant.claim, tries=200)
            assert found is not None, mutant.name


@by_id(REFUTED)
def test_a_refutation_does_not_hold_of_the_repairs(row):
    assert len(row.mutants) >= 3
    for mutant in row.mutants:
        assert counterexample(mutant.claim, tries=1) is None, mutant.name
        evidence = check_counterproof(mutant.claim, row.counterproof)
        assert evidence.outcome is Outcome.INCONCLUSIVE, mutant.name
    assert ENTRIES[row.repaired_by.removeprefix("birkhoff.")].claim.expected == "proved"


# ---------------------------------------------------------------- smallest sizes, by hand


@pytest.mark.parametrize("name", ["orthogonal_iff_permutation", "spectral_norm_one"])
@pytest.mark.parametrize(
    ("n", "P"),
    [(1, [[1]]), (2, [[0, 1], [1, 0]]), (2, [[half, half], [half, half]]), (3, CYCLE), (3, MIXED)],
)
def test_the_smallest_sizes(name, n, P):
    claim = ENTRIES[name].claim
    at = exact_assignment({"n": n}, {"P": P}, samples=[half])
    assert all(holds(given, at, EXACT) for given in claim.given)
    assert holds(claim.then, at, EXACT) is not False
    if name == "orthogonal_iff_permutation":
        assert holds(claim.then, at, EXACT) is True


def test_a_permutation_is_orthogonal_and_its_mixture_is_not():
    orthogonal, permutation = ENTRIES["orthogonal_iff_permutation"].claim.then.propositions
    for P, expected in ((CYCLE, True), (MIXED, False)):
        at = exact_assignment({"n": 3}, {"P": P})
        assert holds(orthogonal, at, EXACT) is expected
        assert holds(permutation, at, EXACT) is expected


def test_products_whose_factors_are_not_symmetric():
    claim = ENTRIES["closed_under_product"].claim
    at = exact_assignment({"n": 3}, {"P": CYCLE, "M": MIXED})
    assert holds(claim.then, at, EXACT) is True


def test_the_worked_example_of_a_column_step():
    claim = ENTRIES["column_step_exact"].claim
    at = exact_assignment({"n": 2}, {"M": [[2, 1], [1, 1]]})
    assert holds(claim.then, at, EXACT) is True
    found = evaluate(statements.normalised, at, EXACT)
    assert found == EXACT.matrix(
        [[EXACT.number(Fraction(x)) for x in row] for row in (("2/3", "1/2"), ("1/3", "1/2"))]
    )


def test_the_iterates_of_the_ledger_come_close_to_the_limit_and_stay_off_it():
    """[[2, 1], [1, 1]] tends to p = 2 − √2, and its rational iterates never reach it."""
    claim = ENTRIES["two_by_two_limit"].claim
    numbers = iter([1, 0, 0, 0, *[1] * 60])  # a = 1 + 1, b = c = d = 1 + 0
    inputs = construct(claim, {}, EXACT, lambda: EXACT.number(Fraction(next(numbers))))
    assert not inputs.unmet
    at = inputs.at
    a, u, v = (at.values[name] for name in ("a", "u", "v"))
    p = [float(Fraction(str(u[t] * a * v[t]))) for t in (1, 2, 3)]
    gaps = [abs(x - (2 - sqrt(2))) for x in p]
    assert gaps[0] > gaps[1] > gaps[2] > 0


# ---------------------------------------------------------------- the proof form that evaluates


def test_what_is_evaluated_has_no_free_symbols_and_is_true():
    def outcome(then):
        return check_derivation(Claim("t.t", then=then), Evaluated()).outcome

    n = dims("n")
    x = matrix("x", 2, 1)
    true = eq(eye(2) @ ones(2), ones(2))
    assert outcome(true) is Outcome.CONFIRMED
    assert outcome(eq(2 * ones(2), ones(2))) is not Outcome.CONFIRMED
    assert outcome(eq(x, x)) is not Outcome.CONFIRMED
    assert outcome(eq(eye(n) @ ones(n), ones(n))) is not Outcome.CONFIRMED
    # quantifiers over the reals are sampled elsewhere, and never decided here
    s = matrix("s", 1, 1)
    assert outcome(forall(s, eq(s, s))) is not Outcome.CONFIRMED
    assert outcome(exists(s, eq(s, s))) is not Outcome.CONFIRMED
    assert outcome(lt(0, 1)) is Outcome.CONFIRMED
