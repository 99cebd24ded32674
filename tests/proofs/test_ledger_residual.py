"""The family residual of the ledger: verdicts, kinds pinned, mutants false, sizes from L = l."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.proofs.catalogue import residual
from deltaproof.symbolic import residual as statements
from deltaproof.symbolic.derivations import check_derivation, counterexample
from deltaproof.symbolic.evaluation import evaluate, holds
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.printing import plain
from deltaproof.symbolic.refutation import check_counterexample, search_counterexample

from .ledger import by_id

K, D, CE = Kind.KERNEL, Kind.DERIVATION, Kind.COUNTEREXAMPLE
NUMBERS = {Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY}
# id -> expected verdict and kinds, in the order of the ledger
ROWS = {
    "unrolled": ("proved", {K, D} | NUMBERS),
    "gradient": ("proved", {K, D} | NUMBERS),
    "plain_vanishing": ("proved", {K, D} | NUMBERS),
    "plain_gradient": ("proved", {K, D} | NUMBERS),
    "scaled_unrolled": ("proved", {K, D} | NUMBERS),
    "scaled_unrolled_printed": ("refuted", {CE} | NUMBERS),
    "scaled_gradient": ("proved", {K, D} | NUMBERS),
    "scaled_gradient_printed": ("refuted", {CE} | NUMBERS),
    "linear_shortcut": ("proved", {K, D} | NUMBERS),
    "shortcut_gradient_printed": ("refuted", {CE} | NUMBERS),
    "scale_decay": ("proved", {K, D} | NUMBERS),
    "vanishing_iff": ("proved", {K, D}),
    "relu_before_addition_monotone": ("proved", {K, D} | NUMBERS),
    "post_activation_defect": ("proved", {K, D} | NUMBERS),
    "post_activation_unrolls_reading": ("refuted", {CE} | NUMBERS),
    "post_norm_fixed_points": ("proved", {D} | NUMBERS),
    "post_norm_is_identity_reading": ("refuted", {CE} | NUMBERS),
    "asymmetric_is_preactivation": ("proved", {K, D} | NUMBERS),
    "delta_block_is_residual": ("proved", {K, D} | NUMBERS),
}
ENTRIES = {e.claim.id.removeprefix("residual."): e for e in residual.ENTRIES}
PROVED = [e for e in residual.ENTRIES if e.claim.expected == "proved"]
REFUTED = [e for e in residual.ENTRIES if e.claim.expected == "refuted"]
REPAIRS = {
    "scaled_unrolled_printed": "scaled_unrolled",
    "scaled_gradient_printed": "scaled_gradient",
    "shortcut_gradient_printed": "linear_shortcut",
    "post_activation_unrolls_reading": "post_activation_defect",
    "post_norm_is_identity_reading": "post_norm_fixed_points",
}


def test_the_rows_and_their_kinds():
    assert list(ENTRIES) == list(ROWS)
    for name, (expected, kinds) in ROWS.items():
        assert ENTRIES[name].claim.expected == expected, name
        assert set(ENTRIES[name].kinds) == kinds, name
    repairs = {name: e.repaired_by for name, e in ENTRIES.items() if e.repaired_by}
    assert repairs == {name: f"residual.{repair}" for name, repair in REPAIRS.items()}


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
def test_a_counterexample_is_found_again_and_repairs_have_none(row):
    found = search_counterexample(row.claim)
    assert found is not None
    assert check_counterexample(row.claim, found).outcome is Outcome.CONFIRMED
    assert len(row.mutants) >= 4
    for mutant in row.mutants:
        assert counterexample(mutant.claim, tries=20) is None, mutant.name


@pytest.mark.parametrize("name", ["scaled_gradient_printed", "shortcut_gradient_printed"])
def test_counterexamples_to_printed_gradients_are_no_larger_than_the_ledgers(name):
    claim = ENTRIES[name].claim
    found = search_counterexample(claim)
    assert found is not None
    assert found.sizes == {"n": 1, "l": 1, "L": 3}


def test_the_ledgers_numbers_for_the_printed_gradients():
    """λ_1 = 0, λ_2 = 2, F_1(x) = x, F_2 = 0 at l = 1, L = 3: 2 is the gradient, 1 is printed."""
    jacobians = {1: [[1]], 2: [[0]]}
    states = {1: [[1]], 2: [[1]], 3: [[2]]}
    shortcuts = {
        "scaled_gradient": {"lam": {1: 0, 2: 2}},
        "linear_shortcut": {"W": {1: [[0]], 2: [[2]]}},
    }
    printed = {"scaled_gradient": "scaled_gradient", "linear_shortcut": "shortcut_gradient"}
    for name, factors in shortcuts.items():
        at = exact_assignment({"n": 1}, {"g": [[1]], "J": jacobians, "G": states, **factors})
        at = at.bind("l", 1).bind("L", 3)
        claim = ENTRIES[f"{printed[name]}_printed"].claim
        assert all(holds(given, at, EXACT) for given in claim.given)
        sides = [EXACT.rows(evaluate(side, at, EXACT)) for side in claim.then.expressions]
        assert sides == [[[2]], [[1]]]
        assert holds(claim.then, at, EXACT) is False
        gradient = ENTRIES[name].claim.then
        gradient = gradient if name == "scaled_gradient" else gradient.propositions[1]
        assert holds(gradient, at, EXACT) is True


@pytest.mark.parametrize("name", ["unrolled", "scaled_unrolled", "delta_block_is_residual"])
@pytest.mark.parametrize("layer", [0, 2])
def test_without_layers_the_state_is_itself(name, layer):
    values = {
        "x": {layer: [[7]]}, "F": {}, "lam": {},
        "X": {layer: [[7]]}, "k": {}, "v": {}, "beta": {},
    }  # fmt: skip
    at = exact_assignment({"n": 1, "d": 1, "m": 1}, values).bind("l", layer).bind("L", layer)
    claim = ENTRIES[name].claim
    assert all(holds(given, at, EXACT) for given in claim.given)
    assert holds(claim.then, at, EXACT) is True


def test_the_identity_is_lost_as_the_ledger_says():
    """LN takes (3, 1) to (1, −1)."""
    at = exact_assignment({"n": 2}, {"x": [[3], [1]]})
    assert EXACT.rows(evaluate(statements.LN, at, EXACT)) == [[1], [-1]]


def test_a_relu_after_the_addition_cuts_off():
    claim = ENTRIES["post_activation_unrolls_reading"].claim
    at = exact_assignment({}, {"x": {0: 0, 1: 0}, "F": {0: -1}}).bind("l", 0).bind("L", 1)
    assert all(holds(given, at, EXACT) for given in claim.given)
    assert holds(claim.then, at, EXACT) is False
    assert holds(ENTRIES["post_activation_defect"].claim.then, at, EXACT) is True


@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(0), Fraction(2), Fraction(-2)])
def test_products_of_factors_decay_or_grow(scale):
    claim = ENTRIES["scale_decay"].claim
    for bound in (abs(scale), Fraction(1), abs(scale) + 1):
        at = exact_assignment({}, {"lam": {0: scale, 1: scale}, "c": bound})
        assert holds(claim.then, at.bind("l", 0).bind("L", 2), EXACT) is True


def test_statements_read_as_the_paper_does():
    assert plain(ENTRIES["unrolled"].claim.then) == "x_L = x_l + (Σ_(i=l..L − 1) F_i)"
    assert plain(ENTRIES["gradient"].claim.then) == "g_l = g (I + D)"
    assert plain(ENTRIES["asymmetric_is_preactivation"].claim.then) == (
        "for all i = 1, …, L: x_(i + 1) = x_i + F_i(f(x_i))"
    )
