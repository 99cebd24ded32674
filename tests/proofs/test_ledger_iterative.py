"""The family iterative of the ledger: verdicts, kinds pinned, mutants false, sizes from 1."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.proofs.catalogue import iterative
from deltaproof.proofs.checks import Settings, Task, perform
from deltaproof.symbolic import iterative as statements
from deltaproof.symbolic.derivations import check_derivation, counterexample
from deltaproof.symbolic.evaluation import evaluate, holds
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.expressions import eye
from deltaproof.symbolic.refutation import check_counterexample, search_counterexample

from .ledger import by_id, has_a_limit

K, D, CE = Kind.KERNEL, Kind.DERIVATION, Kind.COUNTEREXAMPLE
NUMBERS = {Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY}
# id -> expected verdict and kinds, in the order of the ledger
ROWS = {
    "series": ("proved", {K, D} | NUMBERS),
    "defect": ("proved", {K, D} | NUMBERS),
    "always_orthogonal_reading": ("refuted", {CE} | NUMBERS),
    "converges_iff": ("proved", {D}),
}
ENTRIES = {e.claim.id.removeprefix("iterative."): e for e in iterative.ENTRIES}
PROVED = [e for e in iterative.ENTRIES if e.claim.expected == "proved"]
third = Fraction(1, 3)
TURN = [[0, -third], [third, 0]]
SKEW = [[0, -1, 2], [1, 0, third], [-2, -third, 0]]
ANY = [[1, 2], [3, -1]]


def test_the_rows_and_their_kinds():
    assert list(ENTRIES) == list(ROWS)
    for name, (expected, kinds) in ROWS.items():
        assert ENTRIES[name].claim.expected == expected, name
        assert set(ENTRIES[name].kinds) == kinds, name


@by_id(iterative.ENTRIES)
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
            assert evidence.outcome is Outcome.CONTRADICTED, mutant.name


def test_mutants_of_what_is_false_are_repairs():
    row = ENTRIES["always_orthogonal_reading"]
    assert len(row.mutants) >= 3
    for mutant in row.mutants:
        assert counterexample(mutant.claim, tries=20) is None, mutant.name
    assert ENTRIES[row.repaired_by.removeprefix("iterative.")].claim.expected == "proved"


# ---------------------------------------------------------------- smallest sizes, by hand


def iterates(N, count):
    """Y_0, …, Y_count of a matrix of the exact algebra, and its size."""
    at = exact_assignment({"n": len(N)}, {"N": N})
    generator = at.values["N"]
    one = evaluate(eye(len(N)), at, EXACT)
    found = {0: one + generator * 2}
    for t in range(count):
        found[t + 1] = one + generator * (one + found[t])
    return at.bind("Y", found)


@pytest.mark.parametrize("t", range(5))
@pytest.mark.parametrize("N", [[[0]], [[Fraction(1, 2)]], ANY, SKEW])
def test_the_series_at_the_smallest_sizes(N, t):
    claim = ENTRIES["series"].claim
    at = iterates(N, t).bind("t", t)
    assert all(holds(given, at, EXACT) for given in claim.given)
    assert holds(claim.then, at, EXACT) is True


@pytest.mark.parametrize("m", range(3))
@pytest.mark.parametrize("N", [[[0]], TURN, SKEW])
def test_the_defect_at_the_smallest_sizes(N, m):
    claim = ENTRIES["defect"].claim
    at = iterates(N, 2 * m + 1).bind("m", m)
    assert all(holds(given, at, EXACT) for given in claim.given)
    assert holds(claim.then, at, EXACT) is True


def test_the_counterexample_of_the_ledger_is_found():
    claim = ENTRIES["always_orthogonal_reading"].claim
    found = search_counterexample(claim)
    assert found is not None
    assert check_counterexample(claim, found).outcome is Outcome.CONFIRMED
    at = exact_assignment({"n": 2}, {"W": [[0, -3], [3, 0]]})
    assert check_counterexample(claim, at).outcome is Outcome.CONFIRMED
    assert found.sizes == {"n": 2}
    gram = evaluate(statements.Y_2.T @ statements.Y_2 - eye(statements.n), at, EXACT)
    assert abs(gram[0, 0]) == EXACT.number(Fraction(31671, 16000000))
    # twice J is below the threshold
    smaller = exact_assignment({"n": 2}, {"W": [[0, -2], [2, 0]]})
    assert holds(claim.then, smaller, EXACT) is True
