"""Contracts of modules: each wrong one fails by the check that names its defect."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from deltaproof.numeric.formats import BFLOAT16, BINARY16, BINARY32, BINARY64
from deltaproof.torch_impl.conformance import conform
from deltaproof.torch_impl.conformance.checks import _worst, beyond
from deltaproof.torch_impl.conformance.conforming import DTYPES, UsageError, replay
from deltaproof.torch_impl.conformance.contracts import MODULES, contract
from deltaproof.torch_impl.conformance.isolation import TargetUnusable
from deltaproof.torch_impl.conformance.module_checks import agreement_bound
from deltaproof.torch_impl.conformance.replay import case_of
from deltaproof.torch_impl.conformance.zoo import RIGHT, WRONG
from deltaproof.torch_impl.conformance.zoo.blocks import DeltaBlock
from deltaproof.torch_impl.conformance.zoo.layers import Chunked

ADDRESS = "deltaproof.torch_impl.conformance.zoo.blocks"
RIGHT_ONES = [entry for entry in RIGHT if entry.contract in MODULES]
WRONG_ONES = [entry for entry in WRONG if entry.contract in MODULES]


def named(entry):
    return entry.name


def short(name, check):
    return check.claim.removeprefix(f"{name}.")


def checked(entry):
    dtypes = entry.options.get("dtypes", DTYPES)
    told = {**entry.options, "dtypes": ("float32",) if "float32" in dtypes else dtypes[:1]}
    return conform(entry.operator, contract=entry.contract, profile="quick", **told)


@pytest.mark.parametrize("entry", RIGHT_ONES, ids=named)
def test_right_modules_conform_in_every_format(entry):
    name = entry.contract
    result = conform(entry.operator, contract=name, profile="quick", **entry.options).check()
    assert {c.dtype for c in result.checks} == set(DTYPES)
    made = {short(name, c) for c in result.checks if c.outcome == "passed"}
    assert {"causality", "split_invariance", "state_dict", "optimiser_step"} <= made


def test_every_check_passes_for_some_module_and_fails_for_another():
    passing, failing = set(), set()
    for entry in RIGHT_ONES:
        found = checked(entry).checks
        passing |= {short(entry.contract, c) for c in found if c.outcome == "passed"}
    for entry in WRONG_ONES:
        failing |= {claim.removeprefix(f"{entry.contract}.") for claim in entry.fails}
    for name in MODULES:
        claims = {claim.removeprefix(f"{name}.") for claim in contract(name).checks}
        assert claims <= passing
        assert claims <= failing


@pytest.mark.parametrize("entry", WRONG_ONES, ids=named)
def test_a_wrong_module_fails_by_the_check_that_names_its_defect(entry):
    name, result = entry.contract, checked(entry)
    failed = {c.claim: c for c in result.checks if c.outcome == "failed"}
    assert set(entry.fails) <= failed.keys()
    assert not [c for c in result.checks if c.outcome == "error"]
    for check in failed.values():
        assert check.diagnosis
        assert check.input is not None
        case = json.loads(json.dumps(case_of(check, name, result.settings, result.adapter)))
        again = [c for c in replay(entry.operator, case).checks if c.claim == check.claim]
        assert [c.outcome for c in again] == ["failed"], check.claim


class Dies(DeltaBlock):
    """A batch of three ends the process."""

    def forward(self, x):
        if x.shape[0] == 3:
            os._exit(7)
        return super().forward(x)


def test_a_process_of_its_own_outlives_a_crash():
    result = conform(f"{Path(__file__)}:Dies", contract="residual_block", dtypes=("float32",))
    checks = {short("residual_block", c): c for c in result.checks}
    assert "exit code 7" in checks["returns"].diagnosis
    assert checks["batch_independence"].outcome == "skipped"
    assert checks["causality"].outcome == "passed"
    assert result.complete


def test_the_arguments_of_a_factory_reach_it():
    settings = {"domain": {"width": 12.0}, "dtypes": ("float32",), "profile": "quick"}
    target = f"{ADDRESS}:DeltaBlock"
    conform(target, contract="residual_block", init="dim=12, rows=3", **settings).check()
    result = conform(target, contract="residual_block", **settings)
    assert "--domain width" in next(c.diagnosis for c in result.failures)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"init": "dim"}, "'dim' is not NAME=VALUE"),
        ({"init": "dim=[1]"}, "a function without arguments"),
        ({"force": ("beta=x",)}, "'x' is no number"),
        ({"starts": ","}, "names no gate"),
        ({"transposed": True}, "is about a module"),
        ({"domain": {"chunk": 1.5}}, "a whole number"),
        ({"domain": {"chnk": 8.0}}, "no domain parameter 'chnk'"),
    ],
)
def test_settings_that_do_not_fit(settings, words):
    with pytest.raises(ValueError, match=words):
        conform(DeltaBlock, contract="residual_block", **settings)
    with pytest.raises(UsageError, match="is about an operator"):
        conform(DeltaBlock, contract="delta_update", force=("beta=0",))


def test_the_bound_lies_between_the_formats():
    for fmt, coarser in ((BINARY64, BINARY32), (BINARY32, BINARY16)):
        r, above = float(fmt.unit_roundoff), float(coarser.unit_roundoff)
        bound = agreement_bound(fmt, 0.0, 2.0)
        assert np.isclose(bound**2, 4 * r * above, rtol=float(BINARY32.unit_roundoff))
        assert 2 * r < bound < 2 * above
    for fmt in (BFLOAT16, BINARY16):
        assert 2 * float(fmt.unit_roundoff) < agreement_bound(fmt, 0.0, 2.0) < 2
    assert agreement_bound(BINARY64, 1.0, 1.0) > agreement_bound(BINARY64, 0.0, 1.0)
    assert agreement_bound(BINARY64, 0.0, 0.0) == 0


class Unbounded(DeltaBlock):
    """Its operator is reported a multiple of what it is."""

    factor = 1.0

    def operator(self, x):
        return self.factor * super().operator(x)


class Infinite(Unbounded):
    factor = float("inf")


class NoNumber(Unbounded):
    factor = float("nan")


OPERATOR_CLAIMS = ("delta.non_expansive_iff", "delta.projection", "delta.reflection")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("factory", [Infinite, NoNumber])
def test_an_operator_that_is_not_finite_fails_every_claim_on_it(factory, dtype):
    found = conform(
        factory, contract="residual_block", profile="quick", dtypes=(dtype,),
        force=("beta=1", "beta=2"),
    )  # fmt: skip
    told = {c.claim: c for c in found.checks if c.claim in OPERATOR_CLAIMS}
    assert {c.outcome for c in told.values()} == {"failed"}
    assert len(told) == len(OPERATOR_CLAIMS)
    assert all("not finite" in c.diagnosis for c in told.values())


def test_what_is_no_number_is_beyond_every_bound():
    nan, infinite = float("nan"), float("inf")
    assert beyond(nan, 1.0)
    assert beyond(1.0, nan)
    assert beyond(infinite, 1e300)
    assert not beyond(0.0, 0.0)
    observed, bound = _worst([np.array([0.0, nan])], (np.array([0, 0]),), (np.ones(2),))
    assert beyond(observed, bound)


def test_a_module_without_a_method_that_holds_its_gates():
    result = conform(Chunked, contract="sequence_layer", force=("beta=0",),
                     dtypes=("float32",), profile="quick")  # fmt: skip
    assert "has no method force(**values)" in result.failures[0].diagnosis


# ---------------------------------------------------------------- what cannot be made or called


class Nothing(torch.nn.Module):
    """It has no forward."""


class Wants(torch.nn.Module):
    """Its constructor wants an argument."""

    def __init__(self, size_8, heads=2):
        super().__init__()
        if heads == 3:
            raise ValueError("8 is not divisible by 3")


class Twelve(torch.nn.Linear):
    """A layer of twelve channels."""

    def __init__(self):
        super().__init__(12, 12)


def checks_of(target, **settings):
    result = conform(
        target, contract="residual_block", profile="quick", dtypes=("float32",), **settings
    )
    return {short("residual_block", c): c for c in result.checks}


WITHOUT_RESULT = [
    (Nothing, "", "missing the required .forward. function"),
    (Wants, "", r"missing 1 required .*: 'size_8'; give size_8 with --init \"size_8=…\""),
    (Wants, "dim=8", r"unexpected keyword argument 'dim'; give size_8 with --init"),
    (Wants, "size_8=8, dim=8", "unexpected keyword argument 'dim'; --init may name size_8, heads"),
    (Twelve, "dim=8", "unexpected keyword argument 'dim'; leave --init out"),
    (Wants, "size_8=8, heads=3", r"not divisible by 3 \(test_modules.py:\d+\)"),
]


@pytest.mark.parametrize(("target", "init", "told"), WITHOUT_RESULT)
def test_what_has_no_result_fails_once_and_says_what_to_do(target, init, told):
    checks = checks_of(target, init=init)
    assert re.search(told, checks["returns"].diagnosis)
    assert "--domain" not in checks["returns"].diagnosis
    assert [name for name, c in checks.items() if c.outcome != "skipped"] == ["returns"]
    assert checks["determinism"].diagnosis.startswith("no result to look at: ")


def test_a_size_that_does_not_fit_says_how_to_set_it():
    told = checks_of(Twelve)["returns"].diagnosis
    assert told.endswith("; c is 8, and --domain width=… sets it")


def test_a_module_is_not_what_makes_one():
    with pytest.raises(TargetUnusable, match="give its class, or a function without arguments"):
        conform(Twelve(), contract="residual_block")


class Through(torch.nn.Linear):
    """It returns its input, whatever its parameters are."""

    def __init__(self):
        super().__init__(8, 8)

    def forward(self, x):
        return x


def test_a_step_that_moves_nothing_is_told():
    told = checks_of(Through)["optimiser_step"]
    assert told.outcome == "failed"
    assert "no parameter has a gradient: a step changes nothing" in told.diagnosis


class Once(DeltaBlock):
    """It answers no tensor a second time."""

    seen = None

    def forward(self, x):
        if self.seen is x:
            raise RuntimeError("I said so already")
        self.seen = x
        return super().forward(x)


class Never(DeltaBlock):
    """It cannot be called on two items of three tokens, the input of few checks."""

    def forward(self, x):
        if x.shape[:2] == (2, 3):
            raise RuntimeError("not these")
        return super().forward(x)


def test_what_is_answered_once_and_not_again_is_not_deterministic():
    told = checks_of(Once)["determinism"]
    assert told.outcome == "failed"
    assert "a call alone is answered, two are not: RuntimeError: I said so" in told.diagnosis


def test_what_is_never_answered_fails_returns_alone():
    checks = checks_of(Never)
    assert checks["returns"].outcome == "failed"
    assert checks["determinism"].outcome == "skipped"
