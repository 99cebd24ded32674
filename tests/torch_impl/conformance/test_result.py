"""The record, its schema, expected failures, determinism, shrinking."""

import json
from dataclasses import replace
from importlib.resources import files

import jsonschema
import pytest
import torch
from deltaproof.torch_impl.conformance import conform, conforming
from deltaproof.torch_impl.conformance.conforming import replay
from deltaproof.torch_impl.conformance.contract import Measure
from deltaproof.torch_impl.conformance.contracts import contract
from deltaproof.torch_impl.conformance.expected import ExpectedError, read_expected, stale
from deltaproof.torch_impl.conformance.module_checks import ModuleRun
from deltaproof.torch_impl.conformance.replay import CaseError, case_of
from deltaproof.torch_impl.conformance.report import failures, junit, summary, table
from deltaproof.torch_impl.conformance.result import Nonconforming
from deltaproof.torch_impl.conformance.zoo.blocks import DeltaBlock, Pooled
from deltaproof.torch_impl.conformance.zoo.delta import gate_of_the_batch
from deltaproof.torch_impl.conformance.zoo.direction import not_a_number_at_zero
from deltaproof.torch_impl.conformance.zoo.gate import through_tanh
from deltaproof.torch_impl.conformance.zoo.reflection import factor_two_missing
from deltaproof.torch_impl.reflection import reflect

SCHEMA = json.loads(
    (files("deltaproof.torch_impl.conformance") / "schemas" / "conform.json").read_text()
)
QUICK = {"profile": "quick", "dtypes": ("float32",)}


@pytest.fixture(scope="module")
def failing():
    return conform(factor_two_missing, contract="reflection", **QUICK)


def test_records_fit_their_schema(failing):
    nan = conform(not_a_number_at_zero, contract="direction", **QUICK)
    module = conform(Pooled, contract="residual_block", force=("beta=0",), **QUICK)
    right = conform(reflect, contract="reflection", ranges=True, **QUICK)
    for result in (failing, nan, module, right):
        record = result.to_record()
        jsonschema.validate(json.loads(json.dumps(record, allow_nan=False)), SCHEMA)
        assert record["summary"]["checks"] == len(record["checks"])


class Broken(Exception):
    """Something of the kit's own."""


def broken(*_, **__):
    raise Broken("inside")


def with_a_broken(part, monkeypatch):
    made = contract("reflection")
    job = conforming.job
    wrong = Measure("reflection.negates_its_axis_only", lambda inputs: True, broken, broken)
    parts = {
        "a measure": {"measures": (wrong, *made.measures)},
        "the gradient": {"gradient": broken},
        "the cases": {"cases": broken},
        "the value": {"value": broken},
    }

    def broken_job(*args, **settings):
        found = job(*args, **settings)
        return replace(found, contract=replace(found.contract, **parts[part]))

    monkeypatch.setattr(conforming, "job", broken_job)
    return conform(reflect, contract="reflection", **QUICK)


@pytest.mark.parametrize(
    ("part", "claims"),
    [
        ("a measure", {"reflection.negates_its_axis_only"}),
        ("the gradient", {"reflection.gradient"}),
        ("the cases", {"reflection.run"}),
        ("the value", {"reflection.definition"}),
    ],
)
def test_a_fault_of_the_kit_is_the_error_of_a_check(part, claims, monkeypatch):
    result = with_a_broken(part, monkeypatch)
    errors = {c.claim: c for c in result.checks if c.outcome == "error"}
    assert claims <= errors.keys()
    assert all("the kit itself failed: Broken: inside" in c.diagnosis for c in errors.values())
    assert not result.ok
    if part in ("a measure", "the gradient"):
        assert errors.keys() == claims
        assert {"reflection.definition", "delta.reflection", "reflection.determinism"} <= {
            c.claim for c in result.checks if c.outcome == "passed"
        }


def test_a_fault_of_the_kit_at_a_module(monkeypatch):
    monkeypatch.setattr(ModuleRun, "twice", broken)
    result = conform(DeltaBlock, contract="residual_block", **QUICK)
    (error,) = (c for c in result.checks if c.outcome == "error")
    assert error.claim == "residual_block.determinism"
    assert any(c.claim == "residual_block.causality" for c in result.checks)


def test_the_smallest_failing_input_is_small(failing):
    check = next(c for c in failing.checks if c.claim == "reflection.definition")
    assert check.input == {"x": [[(1.0).hex()]], "k": [(1.0).hex()]}
    assert check.ratio == check.observed / check.bound > 1


def test_two_runs_with_one_seed_are_equal():
    def record(seed):
        told = conform(
            through_tanh, contract="gate", profile="ci", dtypes=("float32",), seed=seed
        ).to_record()
        return {key: value for key, value in told.items() if key != "timings"}

    assert record(3) == record(3)


def test_failures_raise_and_tell_everything(failing):
    with pytest.raises(Nonconforming, match="the factor 2 is missing"):
        failing.check()
    told = failures(failing)
    assert "observed" in told
    assert "ratio" in told
    assert "x = [[1]]" in told
    assert "✗" in table(failing)
    assert "<failure" in junit(failing.to_record())
    assert "✗" in summary(failing.to_record())


def test_expected_failures(failing):
    expected = read_expected(
        "# known\nreflection.definition float32: half of it is missing\nreflection.returns: never\n"
    )
    marked = failing.expecting(expected)
    outcomes = {c.claim: c.outcome for c in marked.checks}
    assert outcomes["reflection.definition"] == "xfailed"
    assert outcomes["reflection.returns"] == "xpassed"
    assert not stale(expected, failing)
    assert stale(read_expected("reflection.definitoin: typo"), failing) == [
        "reflection.definitoin (did you mean reflection.definition?)"
    ]
    with pytest.raises(ExpectedError, match="line 1"):
        read_expected("reflection.definition")


def test_a_replay_makes_the_same_check_again(failing):
    for check in failing.failures:
        case = json.loads(
            json.dumps(case_of(check, "reflection", failing.settings, failing.adapter))
        )
        again = replay(factor_two_missing, case)
        assert [c.claim for c in again.failures] == [check.claim]
        assert replay(reflect, case).ok
    with pytest.raises(CaseError, match="needs the keys"):
        replay(reflect, {"schema": 1})


def test_a_replay_of_a_batch():
    result = conform(gate_of_the_batch, contract="delta_update", **QUICK)
    check = next(c for c in result.failures if c.claim == "delta_update.batch_independence")
    case = case_of(check, "delta_update", result.settings, result.adapter)
    again = replay(gate_of_the_batch, case)
    assert [c.claim for c in again.failures] == ["delta_update.batch_independence"]


def never_alone(x, k):
    if x.ndim == 2:
        raise RuntimeError("no single item")
    return reflect(x, k)


def test_a_call_that_fails_is_no_second_result():
    told = {c.claim: c for c in conform(never_alone, contract="reflection", **QUICK).checks}
    assert told["reflection.returns"].outcome == "failed"
    assert told["reflection.determinism"].outcome == "skipped"
    assert told["reflection.determinism"].diagnosis.startswith("no result to look at: ")
    assert told["reflection.vmap"].outcome != "skipped"


class Once:
    """It answers no input a second time."""

    def __init__(self):
        self.seen = torch.empty(0)

    def __call__(self, x, k):
        if torch.equal(self.seen, x):
            raise RuntimeError("I said so already")
        self.seen = x.detach()
        return reflect(x, k)


def test_what_is_answered_once_and_not_again_is_not_deterministic():
    told = {c.claim: c for c in conform(Once(), contract="reflection", **QUICK).checks}
    determinism = told["reflection.determinism"]
    assert determinism.outcome == "failed"
    assert "a call alone is answered, two are not: RuntimeError" in determinism.diagnosis


def test_a_device_may_have_a_number():
    for target, name in ((reflect, "reflection"), (DeltaBlock, "residual_block")):
        conform(target, contract=name, device="cpu:0", **QUICK).check()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"contract": "reflexion"}, "did you mean reflection"),
        ({"contract": "reflection", "dtypes": ("float8",)}, "no dtype"),
        ({"contract": "reflection", "profile": "slow"}, "no profile"),
        ({"contract": "cayley", "domain": {"norm": 1.0}}, "there are skew"),
        ({"contract": "cayley", "domain": {"skew": -1.0}}, "positive"),
        ({"contract": "direction", "values": {"normalise": "l1"}}, "normalise must be"),
        ({"contract": "direction", "values": {"rounds": 3}}, "--rounds is for doubly_stochastic"),
        ({"contract": "direction", "values": {"epsilon": 1}}, "there are normalise, eps, rounds"),
    ],
)
def test_settings_that_do_not_exist(settings, words):
    with pytest.raises(ValueError, match=words):
        conform(reflect, **settings)
