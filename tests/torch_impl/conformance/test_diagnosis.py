"""The cause that is told is the right one, or none."""

import os
from inspect import signature

import numpy as np
import pytest
import torch
from deltaproof.numeric.formats import BINARY32, BINARY64
from deltaproof.torch_impl.conformance import conform, conforming, diagnosis, host, zoo
from deltaproof.torch_impl.conformance.checks import FormatRun, Settings
from deltaproof.torch_impl.conformance.contract import Options
from deltaproof.torch_impl.conformance.contracts import contract
from deltaproof.torch_impl.conformance.diagnosis import Diagnosis, Fit, judged, shown, told
from deltaproof.torch_impl.conformance.isolation import LocalHost
from deltaproof.torch_impl.conformance.module_checks import agreement_bound
from deltaproof.torch_impl.conformance.wire import Known
from deltaproof.torch_impl.conformance.zoo.spelled import outer, read
from deltaproof.torch_impl.delta import delta_update
from deltaproof.torch_impl.reflection import reflect

WRONG = {entry.name: entry for entry in zoo.WRONG}
SUBSET = (
    # parts of a formula, roles, transposes
    "delta_update.beta_missing_on_write", "delta_update.key_and_value_swapped",
    "hybrid.rotation_transposed", "cayley.transposed", "delta_rule.read_before_write",
    "doubly_stochastic.transposed",
    # a number is fitted
    "delta_update.gate_scaled", "delta_update.gate_clamped", "delta_operator.epsilon_in_operator",
    "cayley.neumann_series", "gate.logit_scaled", "hybrid.hard_gate", "cayley.ridge",
    "direction.epsilon_under_the_root",
    # the gradient alone, a lower format
    "delta_update.gate_detached", "cayley.computed_in_float32",
    # modules
    "residual_block.pooled", "residual_block.gate_of_next_token", "residual_block.gate_of_batch",
    "residual_block.scaled_by_length", "residual_block.starts_elsewhere", "residual_block.writes",
    "residual_block.never_reflects", "residual_block.no_unit", "residual_block.midway",
    "residual_block.batch_normed", "sequence_layer.no_mask", "sequence_layer.wrong_tail",
    "sequence_layer.sings", "sequence_layer.backwards",
)  # fmt: skip


def said(target, name, dtypes=("float32",), **options):
    """The causes of every failing check."""
    result = conform(target, contract=name, profile="quick", dtypes=dtypes, **options)
    assert result.failures
    return {c.cause for c in result.failures}


@pytest.mark.parametrize("name", [name for name in SUBSET if name in WRONG])
def test_a_defect_of_the_zoo_is_told_by_its_name(name):
    entry = WRONG[name]
    options = dict(entry.options)
    options["dtypes"] = options.get("dtypes", ("float32",))[:1]
    value = None
    if entry.parameter is not None:
        value = signature(entry.operator).parameters["parameter"].default
    known = Known(name, entry.diagnosis, None)
    assert judged(told(known, value), said(entry.operator, entry.contract, **options)) == "right"


def test_most_of_the_subset_is_there():
    assert len([name for name in SUBSET if name in WRONG]) > len(SUBSET) * 3 / 4


# ---------------------------------------------------------------- none is told


def partly_erased(X, k, v, beta):
    """No entry of the zoo."""
    return X + outer(k, beta.unsqueeze(-1) * (v - 0.9 * read(k, X)))


def gate_from_value(X, k, v, beta):
    return delta_update(X, k, v, beta * (1 + v[..., 0] / 64))


def test_an_unknown_defect_is_given_no_name():
    for target in (partly_erased, gate_from_value):
        assert said(target, "delta_update", ("float64", "float32", "bfloat16")) == {""}


def missing_on_write(X, k, v, beta, *, more=0.0):
    """The known defect in another spelling, and something more."""
    A = torch.eye(X.shape[-2], dtype=X.dtype) - beta[..., None, None] * outer(k, k)
    return A @ X + (1 + more) * outer(k, v)


def test_a_near_miss_is_given_no_name():
    """The distance is taken from the bound: far inside it is the defect, far outside it is not."""
    bound = agreement_bound(BINARY64, 0.0, 1.0)
    name = WRONG["delta_update.beta_missing_on_write"].diagnosis

    def near(*arguments):
        return missing_on_write(*arguments, more=bound / 64)

    def miss(*arguments):
        return missing_on_write(*arguments, more=bound * 64)

    for dtypes in (("float64",), ("float32",), ("float16",)):
        assert said(missing_on_write, "delta_update", dtypes) == {name}
        assert said(near, "delta_update", dtypes) == {name}
        # float32 and float16 alone would not show it: float64 is asked too
        assert said(miss, "delta_update", dtypes) == {""}


def run_of(target, name, dtype="float32"):
    """A run whose answers are there."""
    made = contract(name)
    settings = Settings(0, "quick", options=Options({p.name: p.value for p in made.domain}))
    run = FormatRun(made, LocalHost(target), dtype, settings, {})
    run.run()
    return run


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
def test_a_right_operator_agrees_with_no_wrong_one(dtype):
    for target, name in ((delta_update, "delta_update"), (reflect, "reflection")):
        run = run_of(target, name, dtype)
        assert Diagnosis(run).cause(gradients=False) == ""
        assert Diagnosis(run).cause(gradients=True) == ""


# ---------------------------------------------------------------- several, none, trouble


def factor_missing(x, k):
    return x - outer(k, read(k, x))


def test_two_that_agree_are_both_told(monkeypatch):
    name = "reflection.factor_two_changed"
    number = {"name": "factor", "low": 0.5, "high": 1.5, "scale": "linear"}
    entries = [Known(name, "is {parameter}", number), Known(name, "again {parameter}", number)]
    monkeypatch.setattr(host, "known", lambda contract: entries)
    assert said(factor_missing, "reflection") == {"is 1; or again 1"}


def test_an_operator_without_a_number_goes_first(monkeypatch):
    number = {"name": "factor", "low": 0.5, "high": 1.5, "scale": "linear"}
    entries = [
        Known("reflection.factor_two_changed", "is {parameter}", number),
        Known("reflection.factor_two_missing", "is a projection"),
    ]
    monkeypatch.setattr(host, "known", lambda contract: entries)
    assert said(factor_missing, "reflection") == {"is a projection"}


def broken(*_, **__):
    raise ZeroDivisionError("inside")


def test_a_diagnosis_that_breaks_hides_no_failure(monkeypatch):
    def outcomes():
        result = conform(factor_missing, contract="reflection", profile="quick",
                         dtypes=("float32",))  # fmt: skip
        return [(c.claim, c.outcome, c.observed, c.input) for c in result.checks], result

    before, _ = outcomes()
    monkeypatch.setattr(diagnosis.Diagnosis, "cause", broken)
    after, result = outcomes()
    assert after == before
    assert result.complete
    for check in result.failures:
        assert check.cause == ""
        assert "its cause could not be looked for" in check.diagnosis
        assert "ZeroDivisionError: inside" in check.diagnosis


def dies_in_float64(x, k):
    if x.dtype == torch.float64:
        os._exit(7)
    return factor_missing(x, k)


def test_a_target_that_ends_its_process_while_it_is_asked_still_fails():
    result = conform(f"{__file__}:dies_in_float64", contract="reflection", profile="quick",
                     dtypes=("float32",))  # fmt: skip
    assert result.complete
    assert "reflection.definition" in {c.claim for c in result.failures}
    assert {c.cause for c in result.failures} == {""}


def test_the_record_has_the_cause_and_the_terminal_too():
    result = conform(factor_missing, contract="reflection", profile="quick", dtypes=("float32",))
    cause = "the factor 2 is missing"
    check = next(c for c in result.to_record()["checks"] if c["claim"] == "reflection.definition")
    assert check["diagnosis"] == f"the result is not the formula's value; {cause}"
    with pytest.raises(AssertionError, match=cause):
        result.check()


def test_another_signature_is_compared_as_the_contract_has_it():
    def rows_last(x, k):
        return factor_missing(x.mT, k).mT

    target = rows_last
    assert conforming.job("reflection", transposed=True).adapter
    cause = "the factor 2 is missing"
    assert said(target, "reflection", transposed=True) == {cause}


# ---------------------------------------------------------------- the search


@pytest.mark.parametrize(
    ("low", "high", "scale", "true"),
    [
        (1e-9, 1.0, "log", 1e-5),
        (0.125, 8.0, "log", 1.37),
        (-4.0, 4.0, "linear", -0.3),
        (1, 24, "integer", 5),
        (0.05, 0.95, "linear", 0.5),
    ],
)
def test_a_fit_finds_the_number(low, high, scale, true):
    x = np.linspace(0.1, 3.0, 7)

    def residual(p):
        return np.exp(-p * x) - np.exp(-true * x)

    found = Fit(low, high, scale).best(residual)
    assert abs(found - true) <= agreement_bound(BINARY64, 0.0, abs(true))


def test_a_fit_that_finds_none():
    assert Fit(0.0, 1.0, "linear").best(lambda p: None) is None


def test_numbers_and_scores():
    assert [shown(x) for x in (1e-5, 0.5, 5.0, 0.0, 1e-4, 2.5e-7, 12.0)] == [
        "1e-5", "0.5", "5", "0", "1e-4", "2.5e-7", "12",
    ]  # fmt: skip
    assert judged("a", ["", "a"]) == "right"
    assert judged("a", ["", ""]) == "silent"
    assert judged("a", ["a", "b"]) == "wrong"
    assert judged("a", ["b; or a"]) == "right"
    assert agreement_bound(BINARY64, 0.0, 1.0) < agreement_bound(BINARY32, 0.0, 1.0)
