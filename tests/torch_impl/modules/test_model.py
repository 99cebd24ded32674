"""The model around any connection: causal, its parts counted, its connections reset last."""

import dataclasses
import math

import pytest
import torch
from deltaproof.numeric.formats import format_of
from deltaproof.torch_impl.conformance import conform
from deltaproof.torch_impl.conformance.module_checks import agreement_bound
from deltaproof.torch_impl.modules import model as model_module
from deltaproof.torch_impl.modules.config import ModelConfig, published, small
from deltaproof.torch_impl.modules.connection import Addition, Connected, Connection, make_norm
from deltaproof.torch_impl.modules.connections import SYSTEMS, connection_class
from deltaproof.torch_impl.modules.model import PARTS, SequenceModel, build_model
from deltaproof.torch_impl.modules.sublayers import MLP, CausalSelfAttention, _angles
from torch import nn

BOTH = ("float64", "float32")
SIZES = {"input_width": 8, "output_width": 8, "width": 8, "heads": 2, "layers": 1}


def gpt(**options):
    return SequenceModel(ModelConfig(system="gpt", **{**SIZES, **options}))


def around_attention():
    return Connected(Addition(8), CausalSelfAttention(8, 2))


def layer_normed():
    return Connected(Addition(8, norm="layer"), MLP(8, 16))


# ---------------------------------------------------------------- contracts


@pytest.mark.parametrize("make", [around_attention, layer_normed])
def test_plain_blocks_conform_in_every_format(make):
    conform(make, contract="residual_block", profile="quick").check()


def test_the_baseline_conforms():
    conform(gpt, contract="sequence_layer", profile="quick", dtypes=BOTH).check()


class Uncausal(CausalSelfAttention):
    def forward(self, x):
        q, k, v = self.project(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        read = nn.functional.scaled_dot_product_attention(q, k, v)
        return self.out(read.transpose(1, 2).flatten(2))


class FromTheEnd(CausalSelfAttention):
    """Positions counted from the last token, as an addition to it."""

    def forward(self, x):
        place = torch.arange(x.shape[1], 0, -1, device=x.device)
        return super().forward(x + place[:, None].to(x.dtype) / 8)


@pytest.mark.parametrize(
    ("kind", "check"),
    [(Uncausal, "causality"), (FromTheEnd, "prefix_consistency")],
    ids=["Uncausal", "FromTheEnd"],
)
def test_wrong_attention_fails(kind, check):
    def make():
        return Connected(Addition(8), kind(8, 2))

    result = conform(make, contract="residual_block", profile="quick", dtypes=("float32",))
    assert f"residual_block.{check}" in {c.claim for c in result.failures}


# ---------------------------------------------------------------- sub-layers


def test_attention_is_the_softmax_that_it_says():
    torch.manual_seed(0)
    width, heads, t = 8, 2, 5
    attention = CausalSelfAttention(width, heads).double()
    x = torch.randn(2, t, width, dtype=torch.float64)
    q, k, v = attention.project(x).unflatten(-1, (3, heads, -1)).unbind(2)  # (b, t, h, 4)
    turned = []
    for y in (q, k):
        pairs = torch.complex(y[..., :2], y[..., 2:])
        frequencies = torch.tensor([1.0, 0.01], dtype=torch.float64)
        angle = torch.arange(t)[:, None] * frequencies
        pairs = pairs * torch.polar(torch.ones_like(angle), angle)[:, None]
        turned.append(torch.cat([pairs.real, pairs.imag], dim=-1))
    scores = torch.einsum("bthd,bshd->bhts", *turned) / math.sqrt(width / heads)
    later = torch.ones(t, t, dtype=torch.bool).triu(1)
    weights = scores.masked_fill(later, -torch.inf).softmax(-1)
    wanted = attention.out(torch.einsum("bhts,bshd->bthd", weights, v).flatten(2))
    found = attention(x)
    single = CausalSelfAttention(width, heads)
    single.load_state_dict(attention.state_dict())
    level = float((single(x.float()) - found).detach().abs().max())
    bound = agreement_bound(format_of("float64"), level, float(found.detach().abs().max()))
    assert float((found - wanted).detach().abs().max()) <= bound


def test_positions_in_half_formats_are_those_of_binary64():
    """Position 257 is no bfloat16 number; its rotation is that of 257 and not of 256."""
    attention = CausalSelfAttention(2, 1).bfloat16()
    cos, _ = _angles(258, 2, torch.device("cpu"))
    assert float(cos[257, 0]) == math.cos(257.0)
    assert attention(torch.randn(1, 258, 2).bfloat16()).isfinite().all()


def test_widths_that_heads_do_not_divide_are_refused():
    with pytest.raises(ValueError, match=r"a multiple of 2·heads = 4, got 6"):
        CausalSelfAttention(6, 2)


# ---------------------------------------------------------------- the model


@pytest.mark.parametrize("system", SYSTEMS)
def test_published_configurations_have_the_published_size_and_depth(system):
    with torch.device("meta"):
        model = build_model(published(system))
    parts = model.parameter_count(breakdown=True)
    assert set(parts) == {*PARTS, "total"}
    assert parts["total"] == sum(parts[part] for part in PARTS) == model.parameter_count()
    assert parts["total"] == sum(p.numel() for p in model.parameters())
    published_total = 1_790_000
    assert abs(parts["total"] - published_total) * 20 <= published_total
    layers = {"gpt": 9, "ddl": 8, "mhc": 9, "jpmhc": 7, "geo": 6}
    assert model.config.layers == layers[system]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_runs_small_in_every_format(system, dtype):
    torch.manual_seed(0)
    model = build_model(small(system, input_width=6, output_width=3)).to(dtype)
    x = torch.randn(2, 5, 6, dtype=dtype)
    y, gates = model.traced(x)
    assert y.shape == (2, 5, 3)
    assert y.dtype == dtype
    assert y.isfinite().all()
    assert len(gates) == 2 * model.config.layers
    for found in gates:
        assert all(gate.shape == (2, 5) for gate in found.values())
    assert torch.equal(model(x), y)
    y.square().mean().backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_runs_under_autocast_and_on_zeros(system):
    torch.manual_seed(0)
    model = build_model(small(system))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = model(torch.randn(2, 5, 64))
    assert y.isfinite().all()
    zero = torch.zeros(1, 3, 64, requires_grad=True)
    out = model(zero)
    out.sum().backward()
    assert out.isfinite().all()
    assert zero.grad.isfinite().all()


class Recorder(Connection):
    """Says what its weights were when it was reset."""

    def __init__(self):
        super().__init__((8,))
        self.logit = nn.Linear(8, 1)

    def forward(self, state, sublayer):
        return state + sublayer(state), {}

    def reset_gates(self):
        nn.init.constant_(self.logit.bias, 3.0)


def test_connections_make_their_start_after_everything_else(monkeypatch):
    monkeypatch.setattr(model_module, "make_connection", lambda config, index: Recorder())
    made = gpt()
    assert all(c.logit.bias.item() == 3.0 for c in made.connections())
    made.reset_parameters()
    assert all(c.logit.bias.item() == 3.0 for c in made.connections())


def test_weights_start_with_the_spread_that_is_documented():
    torch.manual_seed(0)
    model = gpt(width=64, layers=4)
    # the sample variance of m normal numbers is within six of its deviations √(2/m)
    for weights, std in (
        (model.layers[0].mlp.project.weight, 0.02),
        (model.layers[0].mlp.out.weight, 0.02 / math.sqrt(8)),
        (model.layers[3].attention.out.weight, 0.02 / math.sqrt(8)),
    ):
        ratio = float(weights.detach().double().square().mean()) / std**2
        assert abs(ratio - 1) <= 6 * math.sqrt(2 / weights.numel())
    assert not model.embed.bias.any()


def test_the_regulariser_is_the_mean_of_its_profile():
    model = gpt()
    gamma = torch.tensor([[0.0, 0.25, 0.5, 1.0]])
    assert float(model.regulariser([{}, {}])) == 0.0
    given = [{"gamma": gamma}, {"beta": gamma}, {"gamma": torch.full((1, 4), 0.5)}]
    # 0, ¾, 1, 0 and four times 1: every number is exact
    assert float(model.regulariser(given)) == (1.75 / 4 + 1) / 2


def test_the_state_is_all_that_a_model_is():
    torch.manual_seed(0)
    first, second = gpt(), gpt()
    x = torch.randn(2, 4, 8)
    assert not torch.equal(first(x), second(x))
    second.load_state_dict(first.state_dict())
    assert torch.equal(first(x), second(x))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"system": "resnet"}, "system must be one of gpt, ddl, .*; got 'resnet'"),
        ({"norm": "batch"}, "norm must be one of rms, layer; got 'batch'"),
        ({"layers": 0}, "layers must be an integer of at least 1; got 0"),
        ({"width": 10}, "width must be a multiple of 2·heads = 4; got 10"),
        ({"d_v": True}, "d_v must be an integer of at least 1; got True"),
        ({"mlp_width": -1}, "mlp_width must be an integer of at least 0; got -1"),
        ({"beta_start": 2.0}, r"beta_start must be in the open interval \(0, 2\); got 2.0"),
        ({"direction_eps": 0.0}, "direction_eps must be positive; got 0.0"),
        ({"compressor": "mean"}, "compressor must be one of channel, token; got 'mean'"),
    ],
)
def test_wrong_values_are_named(changed, said):
    with pytest.raises(ValueError, match=said):
        ModelConfig(**{"system": "ddl", **SIZES, **changed})


def test_unknown_systems_and_norms_are_named():
    for make in (published, small, connection_class):
        with pytest.raises(ValueError, match="no system 'resnet': it is one of gpt, ddl"):
            make("resnet")
    with pytest.raises(ValueError, match="norm must be one of rms, layer; got 'batch'"):
        make_norm("batch", 4)


def test_a_configuration_is_data():
    config = published("ddl")
    assert ModelConfig(**dataclasses.asdict(config)) == config
    assert config.hidden == 608
    assert published("gpt").hidden == 4 * 128


def test_a_connection_without_an_operator_says_so():
    block = around_attention()
    with pytest.raises(NotImplementedError, match="Addition has no operator"):
        block.operator(torch.zeros(1, 1, 8))
    with pytest.raises(ValueError, match="no gate beta; it has none"):
        block.force(beta=1.0)
