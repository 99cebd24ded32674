"""The Deep Delta block: contracts, its start, and what its theorems say of the running module."""

import math
import shutil

import numpy as np
import pytest
import torch
from deltaproof.numeric.delta import delta_operator_bound, delta_update_bound
from deltaproof.numeric.formats import BINARY64, format_of
from deltaproof.numeric.gate import gate_bound
from deltaproof.numeric.rounding import as_fractions
from deltaproof.numeric.spelled_direction import direction_value, spelled_direction_bound
from deltaproof.torch_impl.conformance import conform
from deltaproof.torch_impl.conformance.module_checks import agreement_bound
from deltaproof.torch_impl.gate import gate
from deltaproof.torch_impl.modules.config import ModelConfig
from deltaproof.torch_impl.modules.connection import Connected
from deltaproof.torch_impl.modules.convolution import CausalConvolution
from deltaproof.torch_impl.modules.delta_block import Compressor, DeltaConnection
from deltaproof.torch_impl.modules.model import SequenceModel
from deltaproof.torch_impl.modules.sublayers import MLP, CausalSelfAttention
from torch import nn

BOTH = ("float64", "float32")
HALF = "beta=0.5"
GATES = ("beta=0", "beta=1", "beta=2")


def scalar(kind=DeltaConnection, **options):
    """The block of a scalar value channel, around attention."""
    return Connected(kind(8, 1, **options), CausalSelfAttention(8, 2))


def expanded(kind=DeltaConnection, **options):
    """The block of a state of two columns."""
    return Connected(kind(4, 2, **options), CausalSelfAttention(4, 1))


def unit_scalar():
    return scalar(normalise="max")


def unit_expanded():
    return expanded(normalise="max")


def token_compressed():
    return expanded(normalise="max", compressor="token")


def layer():
    """Attention and an MLP in a model with every option."""
    return SequenceModel(layer_config())


def layer_config(**options):
    sizes = {"input_width": 8, "output_width": 8, "width": 8, "heads": 2, "layers": 1}
    extra = {"d_v": 2, "compressor": "token", "embedding_convolution": True}
    return ModelConfig(system="ddl", **{**sizes, **extra, **options})


def failed(make, contract, **settings):
    result = conform(make, contract=contract, profile="quick", **settings)
    assert not [c for c in result.checks if c.outcome == "error"]
    return {c.claim.removeprefix(f"{contract}.") for c in result.failures}


# ---------------------------------------------------------------- contracts


@pytest.mark.parametrize("make", [unit_scalar, unit_expanded, token_compressed])
def test_blocks_conform_with_their_gates_held(make):
    result = conform(make, contract="residual_block", profile="quick", dtypes=BOTH,
                     force=GATES, starts=HALF).check()  # fmt: skip
    passed = {c.claim for c in result.checks if c.outcome == "passed"}
    assert {"delta.identity", "delta.projection", "delta.reflection",
            "residual_block.initialisation", "residual_block.causality"} <= passed  # fmt: skip


def test_the_published_direction_conforms_in_half_formats_too():
    conform(scalar, contract="residual_block", profile="quick", starts=HALF,
            force=("beta=0",)).check()  # fmt: skip


def test_a_layer_conforms():
    conform(layer, contract="sequence_layer", profile="quick", dtypes=BOTH, starts=HALF).check()


def test_the_published_direction_is_never_a_reflection():
    """delta.regularised_never_orthogonal: binary64 sees it, at the gate 2."""
    settings = {"dtypes": ("float64",), "force": GATES}
    assert failed(scalar, "residual_block", **settings) == {"delta.projection", "delta.reflection"}


# ---------------------------------------------------------------- classic defects


class Pooled(DeltaConnection):
    """The gate of the mean token."""

    def arguments(self, state, sublayer):
        k, v, beta = super().arguments(state, sublayer)
        return k, v, beta.mean(dim=1, keepdim=True).expand_as(beta)


class Ahead(CausalConvolution):
    """Padded on both sides."""

    def forward(self, x):
        ahead = torch.cat([x[:, 1:], 0 * x[:, :1]], dim=1)
        return super().forward(x) + 2.0**-6 * ahead


class Centred(DeltaConnection):
    def __init__(self, *sizes, **options):
        super().__init__(*sizes, compressor="token", **options)
        self.compress.convolution = Ahead(math.prod(self.state_shape), 4)


class Wide(DeltaConnection):
    """4σ: a gate in (0, 4)."""

    def arguments(self, state, sublayer):
        k, v, beta = super().arguments(state, sublayer)
        return k, v, 2 * beta


class OverTokens(DeltaConnection):
    """The direction is normalised along the wrong axis."""

    def arguments(self, state, sublayer):
        k, v, beta = super().arguments(state, sublayer)
        return nn.functional.normalize(k, dim=1), v, beta


class Unnormalised(DeltaConnection):
    """The output of the sub-layer as it is."""

    def arguments(self, state, sublayer):
        _, v, beta = super().arguments(state, sublayer)
        return 8 * sublayer(self.norm(self.compress(state))), v, beta


class Remembers(DeltaConnection):
    """A side effect: the mean gate of earlier calls."""

    past = 0.0

    def arguments(self, state, sublayer):
        k, v, beta = super().arguments(state, sublayer)
        self.past = self.past / 2 + float(beta.detach().mean()) / 4
        return k, v, beta - self.past


class Overwritten(SequenceModel):
    """The model's own initialisation comes last."""

    def reset_parameters(self):
        super().reset_parameters()
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=0.02)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)


@pytest.mark.parametrize(
    ("kind", "checks"),
    [
        (Pooled, {"causality", "padding_independence", "prefix_consistency"}),
        (Centred, {"causality"}),
        (Wide, {"initialisation", "delta.non_expansive_iff"}),
        (OverTokens, {"causality"}),
        (Unnormalised, {"delta.projection", "delta.reflection"}),
        (Remembers, {"determinism"}),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_a_wrong_block_fails_by_the_check_that_names_its_defect(kind, checks):
    def make():
        block = scalar(kind, normalise="max")
        # gates that tell the tokens apart
        nn.init.normal_(block.connection.logit.weight)
        if kind is Wide:
            block.connection.reset_gates()
            nn.init.constant_(block.connection.logit.bias, 3.0)
        return block

    assert checks <= failed(make, "residual_block", dtypes=("float32",), force=GATES, starts=HALF)


def test_an_initialisation_that_is_overwritten_shows():
    def overwritten():
        return Overwritten(layer_config())

    found = failed(overwritten, "sequence_layer", dtypes=("float32",), starts=HALF)
    assert found == {"initialisation"}


# ---------------------------------------------------------------- the start


@pytest.mark.parametrize("start", [0.1, 0.5, 1.0, 1.9])
def test_the_gate_starts_where_it_says_in_a_model_too(start):
    model = SequenceModel(layer_config(beta_start=start, layers=2))
    gates = model.traced(torch.randn(2, 5, 8))[1]
    assert len(gates) == 4
    # z rounds once, and dβ/dz = β(2 − β)/2 passes that on
    z = math.log(start / (2 - start))
    r = float(format_of("float32").unit_roundoff)
    bound = gate_bound(np.float32(z), format_of("float32")) + r * abs(z) * start * (2 - start)
    for found in gates:
        assert found["beta"].shape == (2, 5)
        assert np.abs(found["beta"].detach().double().numpy() - start).max() <= bound


@pytest.mark.parametrize("d_v", [1, 2, 4])
def test_what_is_expanded_is_read_out_as_made(d_v):
    connection = DeltaConnection(8, d_v, embedding_convolution=True)
    x = torch.randn(2, 5, 8)
    state = connection.expand(x)
    assert state.shape == (2, 5, 8, d_v)
    assert torch.equal(connection.readout(state), x)  # weights and sums are powers of 2
    assert torch.equal(connection.compress(state), x)
    elsewhere = DeltaConnection(8, d_v, reads_out=False)
    assert torch.equal(elsewhere.readout(elsewhere.expand(x)), x)


def test_parameters_of_expansion_and_read_out_belong_to_one_connection_each():
    model = SequenceModel(layer_config(layers=2))
    names = [name for name, _ in model.named_parameters()]
    assert sum(".embedding." in name for name in names) == 1
    assert [n for n in names if n.endswith("_mlp.read")] == ["layers.1.around_mlp.read"]


class Dead(DeltaConnection):
    """0 where the length is 0, whatever comes near it."""

    def arguments(self, state, sublayer):
        context = self.norm(self.compress(state))
        h = sublayer(context)
        length = h.norm(dim=-1, keepdim=True)
        k = torch.where(length > 0, h / length.clamp_min(1e-12), torch.zeros_like(h)).nan_to_num()
        return k, self.value(context), gate(self.logit(context).squeeze(-1))


@pytest.mark.parametrize("normalise", ["root", "max"])
@pytest.mark.parametrize(("kind", "alive"), [(DeltaConnection, True), (Dead, False)])
def test_a_sub_layer_that_starts_at_0_is_the_identity_and_starts_to_move(kind, alive, normalise):
    torch.manual_seed(0)
    block = Connected(kind(8, 2, normalise=normalise), MLP(8, 16))
    nn.init.zeros_(block.sublayer.out.weight)
    x = torch.randn(2, 3, 16)
    y = block(x)
    assert torch.equal(y, x)
    (y * torch.randn_like(y)).sum().backward()
    slope = block.sublayer.out.weight.grad
    assert slope.isfinite().all() == (alive or not slope.isnan().any())
    assert bool(slope.any()) == alive


# ---------------------------------------------------------------- theorems in the running module


def arguments(d_v, dtype=torch.float64, **options):
    torch.manual_seed(1)
    block = Connected(DeltaConnection(4, d_v, **options), MLP(4, 8)).to(dtype)
    nn.init.normal_(block.connection.logit.weight)
    state = torch.randn(2, 3, 4, d_v, dtype=dtype)
    return block, state, block.connection.arguments(state, block.sublayer)


def exact(x):
    return as_fractions(x.detach().double().numpy())


def step_bound(state, k, v, beta):
    numbers = (x.detach().double().numpy() for x in (state, k, v, beta))
    return delta_update_bound(*numbers, format_of(str(state.dtype).removeprefix("torch.")))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("d_v", [1, 3])
def test_the_block_is_its_operator_and_a_write(d_v, dtype):
    """delta.rank_one_form: A X + β k vᵀ, with the A that `operator` gives, up to its rounding."""
    block, state, (k, v, beta) = arguments(d_v, dtype)
    made, gates = block.connection(state, block.sublayer)
    assert torch.equal(gates["beta"], beta)
    K, V, B = exact(k)[..., None], exact(v)[..., None, :], exact(beta)[..., None, None]
    X = exact(state)
    wanted = X + B * K * (V - (K * X).sum(axis=-2, keepdims=True))
    assert (abs(exact(made) - wanted) <= step_bound(state, k, v, beta)).all()
    fmt = format_of(str(dtype).removeprefix("torch."))
    A = exact(block.operator(state.flatten(2)))
    identity = np.eye(4, dtype=int)
    bound = delta_operator_bound(*(x.detach().double().numpy() for x in (k, beta)), fmt)
    assert (abs(A - (identity - B * K * K.swapaxes(-1, -2))) <= bound).all()


def test_a_stack_of_blocks_unrolls_into_corrections():
    """residual.delta_block_is_residual, within the sum of the updates' bounds."""
    torch.manual_seed(0)
    blocks = [Connected(DeltaConnection(4, 2), MLP(4, 8)) for _ in range(6)]
    state = torch.randn(1, 2, 4, 2)
    first, corrections, bound = state, 0, 0.0
    for block in blocks:
        k, v, beta = block.connection.arguments(state, block.sublayer)
        K, V, B = exact(k)[..., None], exact(v)[..., None, :], exact(beta)[..., None, None]
        corrections = corrections + B * K * (V - (K * exact(state)).sum(axis=-2, keepdims=True))
        bound = bound + step_bound(state, k, v, beta)
        state, _ = block.connection(state, block.sublayer)
    missed = abs(exact(state) - exact(first) - corrections)
    assert (missed <= bound).all()
    assert not (abs(exact(state) - exact(first)) <= bound).all()


@pytest.mark.parametrize("normalise", ["root", "max"])
def test_the_direction_is_the_published_one(normalise):
    """delta.rms_direction: RMSNorm(h; ε_k)/√c is h/√(‖h‖² + c·ε_k)."""
    eps_k = 0.25
    block, state, (k, *_) = arguments(2, normalise=normalise, direction_eps=eps_k)
    h = block.sublayer(block.connection.norm(block.connection.compress(state)))
    for given, found in zip(h.detach().flatten(0, 1), k.detach().flatten(0, 1), strict=True):
        wanted = direction_value(given.numpy(), normalise, 1.0)  # ε² = 4·¼
        bound = spelled_direction_bound(given.numpy(), normalise, 1.0, BINARY64)
        assert (abs(exact(found) - as_fractions(wanted)) <= bound).all()
    spelled = nn.functional.rms_norm(h, (4,), eps=eps_k) / 2
    # both are off from the same number by a few roundings of at most 1
    apart = float((spelled - k).detach().abs().max())
    assert (apart <= 16 * float(BINARY64.unit_roundoff)) == (normalise == "root")


# ---------------------------------------------------------------- as any module


def block_and_double(d_v):
    torch.manual_seed(0)
    block = Connected(DeltaConnection(8, d_v, compressor="token"), MLP(8, 16))
    double = Connected(DeltaConnection(8, d_v, compressor="token"), MLP(8, 16)).double()
    double.load_state_dict(block.state_dict())
    return block, double


def agrees_compiled(f, reference, x, **how):
    """Does f, compiled, agree with f as it is?"""
    compiled = torch.compile(f, fullgraph=True, **how)
    made, eager, exact = compiled(x).detach(), f(x).detach(), reference(x.double()).detach()
    level = float((eager - exact).abs().max())
    bound = agreement_bound(format_of("float32"), level, float(eager.abs().max()))
    return float((made - eager).abs().max()) <= bound


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # from inside torch.compile
@pytest.mark.parametrize("d_v", [1, 4])
def test_is_traced_without_graph_breaks(d_v):
    block, double = block_and_double(d_v)
    x = torch.randn(2, 3, 8 * d_v)
    assert agrees_compiled(block, double, x, backend="aot_eager")
    assert agrees_compiled(block.operator, double.operator, x, backend="aot_eager")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # from inside torch.compile
@pytest.mark.skipif(shutil.which("g++") is None, reason="torch.compile needs a C++ compiler")
def test_the_operator_compiles():
    block, double = block_and_double(1)
    assert agrees_compiled(block.operator, double.operator, torch.randn(2, 3, 8))


@pytest.mark.parametrize("d_v", [1, 4])
def test_under_autocast_the_state_keeps_its_type(d_v):
    torch.manual_seed(0)
    block = Connected(DeltaConnection(8, d_v, compressor="token"), MLP(8, 16))
    x = torch.randn(2, 3, 8 * d_v, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        context = block.connection.norm(block.connection.compress(block.state(x)))
        assert block.sublayer(context).dtype == torch.bfloat16
        y = block(x)
        _, gates = block.connection(block.state(x), block.sublayer)
    assert y.dtype == gates["beta"].dtype == torch.float32
    y.sum().backward()
    assert x.grad.isfinite().all()
    block.force(beta=0.0)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(block(x), x)


@pytest.mark.parametrize("d_v", [1, 4])
def test_every_parameter_is_reached_by_a_gradient(d_v):
    torch.manual_seed(0)
    model = SequenceModel(layer_config(d_v=d_v, layers=2))
    model(torch.randn(2, 5, 8)).square().sum().backward()
    still = [name for name, p in model.named_parameters() if p.grad is None or not p.grad.any()]
    assert still == []


def test_a_convolution_is_the_sum_that_it_says():
    convolution = CausalConvolution(3, 2).double()
    weight = torch.randint(-3, 4, (3, 1, 2)).double()
    convolution.weight.data.copy_(weight)
    x = torch.randint(-3, 4, (2, 4, 3)).double()
    before = torch.cat([torch.zeros(2, 1, 3), x[:, :-1]], dim=1)
    assert torch.equal(convolution(x), weight[:, 0, 1] * x + weight[:, 0, 0] * before)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: DeltaConnection(4, normalise="l2"), "normalise must be root or max; got 'l2'"),
        (lambda: DeltaConnection(4, direction_eps=0.0), "direction_eps must be > 0; got 0.0"),
        (lambda: DeltaConnection(4, beta_start=2.0), r"beta_start must be in \(0, 2\); got 2.0"),
        (lambda: Compressor(4, 1, "mean", 4), "kind must be channel or token; got 'mean'"),
        (lambda: DeltaConnection(4).force(gamma=1.0), "no gate gamma; it has beta"),
        (lambda: scalar()(torch.zeros(2, 3, 4)), r"x must have shape \(b, t, 8\).*\(2, 3, 4\)"),
    ],
)
def test_wrong_options_are_named(make, said):
    with pytest.raises(ValueError, match=said):
        make()


def test_gates_are_held_and_released():
    block = scalar()
    x = torch.randn(2, 3, 8)
    free = block(x)
    block.force(beta=0.0)
    assert torch.equal(block(x), x)
    block.force()
    assert torch.equal(block(x), free)
