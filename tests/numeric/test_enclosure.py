"""Enclosures never call a true statement false, and exclude each mutant on a whole box."""

from __future__ import annotations

import json
from fractions import Fraction

from deltaproof.numeric.balls import precision
from deltaproof.numeric.enclosure import BITS, DEPTHS, Box, check_enclosure
from deltaproof.numeric.sampling import cases
from deltaproof.symbolic import Claim, delta, eq, le, scalar
from deltaproof.symbolic.constructions import free_sizes
from deltaproof.symbolic.evidence import Outcome
from flint import ctx


def test_true_statements_are_confirmed_beside_their_mutants(true_claim, mutants_of):
    before = ctx.prec
    evidence = check_enclosure(true_claim, mutants=mutants_of(true_claim))
    assert ctx.prec == before
    assert evidence.outcome is Outcome.CONFIRMED, evidence.detail
    assert evidence.data["boxes"] > 0
    assert evidence.data["depth"] in DEPTHS
    assert len(evidence.scope["sizes"]) >= 5 or not free_sizes(true_claim)
    assert json.loads(json.dumps(evidence.data, allow_nan=False)) == evidence.data


def test_mutants_are_contradicted(mutant):
    evidence = check_enclosure(mutant)
    assert evidence.outcome is Outcome.CONTRADICTED
    json.dumps(evidence.data, allow_nan=False)


def test_refuted_statements_are_contradicted(refuted_claim):
    assert check_enclosure(refuted_claim).outcome is Outcome.CONTRADICTED


def test_a_mutant_that_is_true_is_not_told_apart(true_claim):
    evidence = check_enclosure(true_claim, mutants=[true_claim])
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert "number 1" in evidence.detail


def test_hypotheses_that_are_never_met_confirm_nothing():
    t = scalar("t")
    vacuous = Claim("test.vacuous", given=[eq(t * t, -1)], then=eq(t, t))
    assert check_enclosure(vacuous).outcome is Outcome.INCONCLUSIVE


def test_a_statement_that_fails_on_an_open_set_is_excluded_on_a_wide_box():
    t = scalar("t")
    evidence = check_enclosure(Claim("test.open", then=le(t * t, t)))
    assert evidence.outcome is Outcome.CONTRADICTED


def test_boxes_are_nested_and_wide(delta_claim):
    claim = delta_claim
    with precision(BITS):
        for case in cases(claim, seed=0):
            if not case.stream.generic:
                continue
            numbers = [n for n, _ in zip(case.stream.numbers(), range(6), strict=False)]
            previous = None
            for depth in DEPTHS:
                box = Box(case, depth)
                sides = [box.value(number) for number in numbers]
                assert all(side.rad() >= 2.0 ** -(depth + 2) for side in sides)
                if previous is not None:
                    assert all(a.contains(b) for a, b in zip(previous, sides, strict=True))
                previous = sides


def test_boundary_numbers_stay_points():
    claim = next(c for c in delta.CLAIMS if c.id == "delta.orthogonal_iff")
    with precision(BITS):
        rational = [c for c in cases(claim, seed=0) if c.stream.head == (Fraction(2),)]
        assert rational
        for case in rational:
            box = Box(case, 0)
            assert box.value(next(case.stream.numbers())).is_exact()


def test_runs_repeat():
    claim = next(c for c in delta.CLAIMS if c.id == "delta.rank_one_form")
    assert check_enclosure(claim, seed=7) == check_enclosure(claim, seed=7)
