"""Connections over streams and the contracts: each wrong one fails by the check of its defect."""

import pytest
import torch
from deltaproof.torch_impl.conformance import conform
from deltaproof.torch_impl.modules.config import ModelConfig
from deltaproof.torch_impl.modules.model import build_model

from . import stream_modules as modules

DTYPES = ("float64", "float32")


def short(check, contract="residual_block"):
    return check.claim.removeprefix(f"{contract}.")


@pytest.mark.parametrize("make", modules.RIGHT, ids=lambda f: f.__name__)
def test_connections_conform(make):
    settings = {"dtypes": DTYPES, "profile": "quick", **modules.RIGHT[make]}
    result = conform(make, contract="residual_block", **settings).check()
    passed = {short(c) for c in result.checks if c.outcome == "passed"}
    expected = {"causality", "state_dict", "prefix_consistency", "delta.non_expansive_iff"}
    if "geometric" in make.__name__:
        expected |= {"delta.identity", "hybrid.endpoints_orthogonal", "hybrid.midpoint_singular"}
    assert expected <= passed


def test_the_operator_alone_is_a_plain_residual_one():
    settings = {"dtypes": DTYPES, "profile": "quick", **modules.RIGHT[modules.geometric_operator]}
    result = conform(modules.geometric_operator, contract="residual_block", **settings).check()
    passed = {c.claim for c in result.checks if c.outcome == "passed"}
    assert "hybrid.reduces_to_residual" in passed


@pytest.mark.parametrize("make", modules.WRONG, ids=lambda f: f.__name__)
def test_a_wrong_connection_fails_by_the_check_of_its_defect(make):
    settings, wanted = modules.WRONG[make]
    told = {"dtypes": ("float32",), "profile": "quick", **settings}
    result = conform(make, contract="residual_block", **told)
    assert wanted <= {short(c) for c in result.checks if c.outcome == "failed"}
    assert not [c for c in result.checks if c.outcome == "error"]


def model(system):
    def make():
        made = build_model(
            ModelConfig(
                system=system, input_width=8, output_width=8, width=4, heads=2, layers=1,
                mlp_width=8, streams=3,
            )
        )  # fmt: skip
        for connection in made.connections():
            modules.awake(connection)
        return made

    return make


@pytest.mark.parametrize("system", ["mhc", "jpmhc", "geo"])
def test_models_conform(system):
    result = conform(
        model(system), contract="sequence_layer", dtypes=DTYPES, profile="quick",
        force=("post=1/2",),
    ).check()  # fmt: skip
    passed = {short(c, "sequence_layer") for c in result.checks if c.outcome == "passed"}
    assert {"causality", "batch_independence", "padding_independence", "state_dict"} <= passed


def test_the_published_generators_are_not_causal():
    """hybrid.pooled_generators_causal_reading, in a running model; per token it is."""

    def outputs(generators):
        torch.manual_seed(0)
        made = build_model(
            ModelConfig(
                system="geo", input_width=8, output_width=8, width=8, heads=2, layers=1,
                generators=generators,
            )
        )  # fmt: skip
        for connection in made.connections():
            modules.awake(connection)
        x = torch.randn(1, 4, 8)
        other = x.clone()
        other[:, 3] = torch.randn(8)
        return made(x)[:, :3], made(other)[:, :3]

    assert torch.equal(*outputs("token"))
    assert not torch.equal(*outputs("sequence_mean"))
