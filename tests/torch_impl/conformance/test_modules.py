"""Contracts of modules: each wrong one fails by the check that names its defect."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from deltaproof.numeric.formats import BFLOAT16, BINARY16, BINARY32, BINARY64
from deltaproof.torch_impl.conformance import conform
from deltaproof.torch_impl.conformance.checks import _worst, beyond
from deltaproof.torch_impl.conformance.conforming import DTYPES, UsageError, replay
from deltaproof.torch_impl.conformance.contracts import MODULES, contract
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
