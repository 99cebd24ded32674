"""mHC, JPmHC and E∆-MHC-Geo as they run: operators within bounds, starts, gradients, formats."""

import contextlib
import copy
import math

import pytest
import torch
from deltaproof.numeric.birkhoff import row_sum_bound, stopping_residual
from deltaproof.numeric.formats import format_of
from deltaproof.numeric.gate import gate_regulariser_bound
from deltaproof.torch_impl.modules import geometric_connection
from deltaproof.torch_impl.modules.config import ModelConfig
from deltaproof.torch_impl.modules.connection import Addition
from deltaproof.torch_impl.modules.geometric_connection import GeometricConnection
from deltaproof.torch_impl.modules.hyper_connection import HyperConnection
from deltaproof.torch_impl.modules.model import build_model
from deltaproof.torch_impl.modules.orthogonal_hyper_connection import OrthogonalHyperConnection
from deltaproof.torch_impl.modules.streams import StreamConnection, uneven
from torch import nn

from . import stream_checks as checks
from . import stream_modules as modules

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]
CONNECTIONS = {
    "mhc": HyperConnection,
    "jpmhc": OrthogonalHyperConnection,
    "geo": GeometricConnection,
}
KINDS = pytest.mark.parametrize("system", CONNECTIONS)


def random(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


def made(make, *, dtype=torch.float32, spread=0.5, width=3, streams=4, **options):
    """A connection with dynamic parts, from a fixed seed."""
    torch.manual_seed(0)
    return modules.awake(make(width, streams, **options), spread).to(dtype)


def model(system, *, wake=True, **options):
    torch.manual_seed(0)
    sizes = {"input_width": 6, "output_width": 6, "width": 8, "heads": 2, "layers": 2}
    found = build_model(ModelConfig(system=system, mlp_width=8, **{**sizes, **options}))
    for connection in found.connections() if wake else ():
        modules.awake(connection)
    return found


def running(found, x):
    """(connection, state, sub-layer) of each connection as the model passes it."""
    first, *_ = found.connections()
    state = first.expand(found.embed(x))
    for layer in found.layers:
        for connection, sublayer in (
            (layer.around_attention, layer.attention),
            (layer.around_mlp, layer.mlp),
        ):
            yield connection, state, sublayer
            state, _ = connection(state, sublayer)


# ------------------------------------------------------------ operators in the running module


@pytest.mark.parametrize("dtype", DTYPES)
def test_mixing_is_doubly_stochastic_in_a_running_model(dtype):
    found = model("mhc").to(dtype)
    for place in running(found, random(2, 3, 6, dtype=dtype)):
        assert checks.doubly_stochastic(*place) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rotation", ["exact", "fixed_point"])
def test_rotations_are_orthogonal_in_a_running_model(rotation, dtype):
    found = model("jpmhc", rotation=rotation).to(dtype)
    for place in running(found, random(2, 3, 6, dtype=dtype)):
        assert checks.near_rotation(*place) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("gamma", [0.0, 1.0])
def test_hybrids_at_the_ends_are_orthogonal_in_a_running_model(gamma, dtype):
    found = model("geo").to(dtype)
    found.force(gamma=gamma)
    for place in running(found, random(2, 3, 6, dtype=dtype)):
        assert checks.orthogonal(*place) <= 1


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_the_defect_of_a_hybrid_is_its_regulariser(dtype):
    found = model("geo").to(dtype)
    for place in running(found, random(2, 3, 6, dtype=dtype)):
        assert checks.defect(*place) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
@KINDS
def test_the_operator_is_what_is_applied(system, dtype):
    for connection, state, _ in running(model(system).to(dtype), random(1, 2, 6, dtype=dtype)):
        assert checks.applied(connection, state, torch.zeros_like) <= 1


def test_wrong_operators_exceed_the_bounds():
    state = random(2, 3, 4, 3)
    silent = torch.zeros_like
    for wrong in (modules.EpsilonSinkhorn, modules.TwentyRounds):
        assert checks.doubly_stochastic(made(wrong, spread=4.0), state, silent) > 1, wrong
    assert checks.doubly_stochastic(made(HyperConnection, spread=4.0), state, silent) <= 1
    for wrong in (modules.TransposedMixing, modules.TransposedRotation, modules.TransposedGeometry):
        assert checks.applied(made(wrong), state, silent) > 1, wrong
    for wrong in (modules.HardGate, modules.Renormalised):
        assert checks.defect(made(wrong, spread=0.1), state, silent) > 1, wrong
    undirected = made(modules.Undirected)
    undirected.force(gamma=0.0)
    right = made(GeometricConnection)
    right.force(gamma=0.0)
    # an axis of another length is no rounded unit vector
    lengths = [connection.arguments(state)[0].k.norm(dim=-1) for connection in (right, undirected)]
    r = float(format_of("float32").unit_roundoff)
    assert (lengths[0] - 1).abs().max() <= 3 * 8 * r
    assert (lengths[1] - 1).abs().min() > 3 * 8 * r
    # an iterate passed off as the rotation
    fixed = made(OrthogonalHyperConnection, spread=0.125)
    assert checks.near_rotation(fixed, state, silent) <= 1
    passed_off = copy.deepcopy(fixed)
    passed_off.rounds = 0
    W = fixed.arguments(state)[2]
    iterate = passed_off.rotated(W)
    fixed.rotated = lambda W: iterate
    assert checks.near_rotation(fixed, state, silent) > 1


@pytest.mark.parametrize("rounds", range(8))
def test_which_rounds_lengthen_a_state(rounds):
    """iterative.defect, where ν = ‖(α/2)W‖ ≤ 1: the first power of N counts, ν^m or −ν^m."""
    connection = made(OrthogonalHyperConnection, rounds=rounds, dtype=torch.float64)
    W = connection.arguments(random(2, 3, 4, 3, dtype=torch.float64))[2]
    W = W / torch.linalg.matrix_norm(W, 2)[..., None, None] * (1.5 / connection.alpha)  # ν = ¾
    longest = torch.linalg.matrix_norm(connection.rotated(W), 2)
    slack = 64 * torch.finfo(torch.float64).eps
    assert bool((longest <= 1 + slack).all()) == (rounds % 4 in (2, 3))


# ------------------------------------------------------------ starts


def test_the_start_of_mhc():
    found = model("mhc", wake=False)
    n = 4
    for i, (connection, state, _) in enumerate(running(found, random(2, 3, 6))):
        pre, post, mixing = connection.arguments(state)
        assert torch.equal(post, (2 * (uneven(n, i + 1) / 2).sigmoid()).expand_as(post))
        assert torch.equal(pre, uneven(n, i).sigmoid().expand_as(pre))
        fmt = format_of("float32")
        share = math.exp(6) / (math.exp(6) + n - 1)
        near = n * row_sum_bound(n, fmt, stopping_residual(n, fmt))
        diagonal = mixing.diagonal(dim1=-2, dim2=-1).double()
        assert (diagonal - share).abs().max() <= near


def test_the_start_of_jpmhc():
    for i, (connection, state, _) in enumerate(
        running(model("jpmhc", wake=False), random(2, 3, 6))
    ):
        pre, post, _ = connection.arguments(state)
        assert torch.equal(connection.operator(state, None), torch.eye(4).expand(2, 3, 4, 4))
        assert torch.equal(pre, uneven(4, i).softmax(-1).expand_as(pre))
        assert torch.equal(post, (uneven(4, i + 1) / 2).softmax(-1).expand_as(post))


def test_the_start_of_geo_is_not_the_midpoint():
    r = float(format_of("float32").unit_roundoff)
    for i, (connection, state, _) in enumerate(running(model("geo", wake=False), random(2, 3, 6))):
        (u, v, beta, k, gamma), pre, post = connection.arguments(state)
        # a logit of size at most 5, rounded, and a function of slope at most 1
        assert (gamma.double() - 63 / 64).abs().max() <= 8 * r
        assert (beta.double() - 1 / 16).abs().max() <= 8 * r
        assert torch.equal(u, torch.eye(4)[i % 4].expand_as(u))
        assert torch.equal(v, torch.eye(4)[(i + 1) % 4].expand_as(v))
        assert torch.equal(k, torch.full_like(k, 0.5))
        assert torch.equal(post, torch.ones_like(post))
        assert torch.equal(pre, uneven(4, i).sigmoid().expand_as(pre))
        smallest = torch.linalg.svdvals(connection.operator(state, None).double())[..., -1]
        assert (smallest - 31 / 32).abs().max() <= 64 * r


@KINDS
def test_a_later_initialisation_is_undone_by_reset_gates(system):
    connection = made(CONNECTIONS[system])
    fresh = CONNECTIONS[system](3, 4)
    for parameter in connection.parameters():
        nn.init.normal_(parameter)
    assert not torch.equal(connection.maps.bias, fresh.maps.bias)
    connection.reset_gates()
    assert torch.equal(connection.maps.bias, fresh.maps.bias)
    assert not connection.maps.weight.any()


def descended(found, steps):
    """The model after steps of gradient descent. By hand: torch.optim loads the compiler."""
    x, target = random(2, 5, 6), random(2, 5, 6, seed=1)
    for _ in range(steps):
        loss = (found(x) - target).square().mean()
        parameters = list(found.parameters())
        slopes = torch.autograd.grad(loss, parameters, allow_unused=True)
        with torch.no_grad():
            for parameter, slope in zip(parameters, slopes, strict=True):
                if slope is not None:
                    parameter.sub_(slope / 8)
    return found


@KINDS
def test_every_map_gets_a_gradient_at_the_start(system):
    found = model(system, wake=False)
    y, gates = found.traced(random(2, 5, 6))
    ((y - random(2, 5, 6, seed=1)).square().mean() + found.regulariser(gates)).backward()
    first, *_, last = found.connections()
    # the first one reads and mixes copies; the mean that is read out last is kept by a doubly
    # stochastic matrix (birkhoff.preserves_mean) and sums H_post, in JPmHC to 1
    unseen = {
        "mhc": {first: ("pre", "mixing"), last: ("mixing",)},
        "jpmhc": {first: ("pre",), last: ("post",)},
        "geo": {},
    }[system]
    for connection in found.connections():
        slope_of_all = connection.maps.weight.grad
        assert torch.isfinite(slope_of_all).all()
        rounding = 64 * float(format_of("float32").unit_roundoff) * slope_of_all.abs().max()
        slopes = slope_of_all.split(list(connection.sizes.values()))
        for name, slope in zip(connection.sizes, slopes, strict=True):
            assert slope.abs().max() > rounding or name in unseen.get(connection, ()), name


@KINDS
def test_streams_are_told_apart(system):
    """After a few steps streams differ; where all connections read them alike they never do."""

    def apart(found):
        *_, (connection, state, sublayer) = running(descended(found, 3), random(2, 5, 6))
        state, _ = connection(state, sublayer)
        return (state - state.mean(2, keepdim=True)).abs().max()

    r = float(format_of("float32").unit_roundoff)
    assert apart(model(system, wake=False)) > 256 * r
    if system == "geo":
        return  # its rotation turns two of them from the start
    alike = model(system, wake=False)
    for connection in alike.connections():
        nn.init.zeros_(connection.maps.bias[: 2 * connection.streams])
    assert apart(alike) <= 256 * r


# ------------------------------------------------------------ E∆-MHC-Geo


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_k_at_zero_is_finite(dtype):
    connection = made(GeometricConnection, dtype=dtype)
    assert [*connection.sizes][:3] == ["u", "v", "k"]
    with torch.no_grad():
        connection.maps.weight[8:12] = 0
        connection.maps.bias[8:12] = 0
    state = random(2, 3, 4, 3, dtype=dtype).requires_grad_()
    following, _ = connection(state, torch.tanh)
    following.square().sum().backward()
    assert torch.isfinite(following).all()
    assert all(torch.isfinite(p.grad).all() for p in connection.parameters() if p.grad is not None)
    connection.force(gamma=0.0)
    assert torch.equal(
        connection.operator(state, None), torch.eye(4, dtype=dtype).expand(2, 3, 4, 4)
    )


def test_it_reduces_to_a_residual_connection():
    """hybrid.reduces_to_residual: γ = 1, β = 0, streams that are copies, weights that sum to 1."""
    connection, plain = made(GeometricConnection, norm="layer"), Addition(3, norm="layer")
    x = random(2, 5, 3)
    connection.force(gamma=1.0, beta=0.0, pre=0.25, post=1.0)
    following = connection.readout(connection(connection.expand(x), torch.tanh)[0])
    expected, _ = plain(x, torch.tanh)
    # the same numbers in another order: a mean of four equal ones, 4 roundings of each
    r = float(format_of("float32").unit_roundoff)
    assert (following - expected).abs().max() <= 16 * r * (1 + x.abs().max())
    connection.force(gamma=0.0, beta=0.0, pre=0.25, post=1.0)
    reflected = connection.readout(connection(connection.expand(x), torch.tanh)[0])
    assert (reflected - expected).abs().max() > 16 * r * (1 + x.abs().max())


def test_the_regulariser_is_the_mean_over_connections_and_tokens():
    found = model("geo")
    _, gates = found.traced(random(2, 5, 6))
    gammas = torch.stack([g["gamma"] for g in gates]).double()
    assert gammas.shape == (4, 2, 5)
    expected = (4 * gammas * (1 - gammas)).mean()
    fmt = format_of("float32")
    bound = gate_regulariser_bound(gammas.detach().numpy(), fmt).max() + 64 * fmt.unit_roundoff
    value = found.regulariser(gates)
    assert (value - expected).abs() <= bound
    value.backward()
    assert all(c.maps.weight.grad.any() for c in found.connections())
    for system in ("mhc", "jpmhc"):
        assert model(system).regulariser(model(system).traced(random(2, 5, 6))[1]) == 0


@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.0])
def test_forced_gates_are_what_is_returned(gamma):
    found = model("geo")
    found.force(gamma=gamma, beta=2.0)
    for gates in found.traced(random(1, 2, 6))[1]:
        assert (gates["gamma"] == gamma).all()
        assert (gates["beta"] == 2.0).all()
    found.force()
    assert all((g["gamma"] != gamma).all() for g in found.traced(random(1, 2, 6))[1])


# ------------------------------------------------------------ formats, devices, states, compilers


@pytest.mark.parametrize("dtype", DTYPES)
@KINDS
def test_every_format_and_extreme_states(system, dtype):
    connection = made(CONNECTIONS[system], dtype=dtype)
    for scale in (0.0, 2.0**-10, 1.0, 2.0**6):
        state = (scale * random(2, 3, 4, 3)).to(dtype).requires_grad_()
        following, gates = connection(state, torch.tanh)
        assert following.dtype == dtype
        assert following.shape == state.shape
        assert all(g.shape == (2, 3) and g.dtype == dtype for g in gates.values())
        following.sum().backward()
        assert torch.isfinite(following).all()
        assert torch.isfinite(state.grad).all()


def within(system, connection, state):
    """The worst ratio of the system's own check."""
    if system == "mhc":
        return checks.doubly_stochastic(connection, state, None)
    if system == "geo":
        connection.force(gamma=1.0)
    return checks.orthogonal(connection, state, None)


@KINDS
def test_autocast_does_not_reach_the_operators(system, monkeypatch):
    options = {"rotation": "exact"} if system == "jpmhc" else {}
    connection, state = made(CONNECTIONS[system], **options), random(2, 3, 4, 3)
    with torch.autocast("cpu", torch.bfloat16):
        following, _ = connection(state, torch.tanh)
        assert following.dtype == state.dtype
        assert torch.isfinite(following).all()
        assert within(system, connection, state) <= 1
        if system == "geo":
            # the wrong one: products of the operator in bfloat16
            monkeypatch.setattr(
                geometric_connection, "full_precision", lambda _: contextlib.nullcontext()
            )
            assert within(system, connection, state) > 1


@KINDS
def test_no_tensor_is_made_on_another_device(system):
    """The meta device has shapes and no numbers; whatever is made elsewhere raises."""
    connection = made(CONNECTIONS[system]).to("meta")
    state = torch.empty(2, 5, 4, 3, device="meta")
    following, gates = connection(state, torch.tanh)
    assert following.device == state.device
    assert following.shape == state.shape
    assert all(g.device == state.device for g in gates.values())
    assert connection.operator(state, torch.tanh).shape == (2, 5, 4, 4)


@KINDS
def test_a_state_dict_round_trip(system):
    found, other = model(system), model(system, wake=False)
    x = random(2, 5, 6)
    assert not torch.equal(found(x), other(x))
    other.load_state_dict(found.state_dict())
    assert torch.equal(found(x), other(x))


@KINDS
def test_nothing_is_kept_of_a_call(system):
    found = model(system)
    before = {name: set(vars(module)) for name, module in found.named_modules()}
    held = {
        name: dict(module.held) for name, module in found.named_modules() if hasattr(module, "held")
    }
    buffers = [b.clone() for b in found.buffers()]
    found(random(2, 5, 6))
    assert before == {name: set(vars(module)) for name, module in found.named_modules()}
    for name, module in found.named_modules():
        assert held.get(name, {}) == getattr(module, "held", {})
    assert all(torch.equal(a, b) for a, b in zip(buffers, found.buffers(), strict=True))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # from inside torch.compile
@KINDS
def test_the_operator_compiles_without_graph_breaks(system):
    connection, state = made(CONNECTIONS[system]), random(2, 3, 4, 3)
    whole = torch.compile(
        lambda X: connection(X, torch.tanh)[0], fullgraph=True, backend="aot_eager"
    )
    r = float(format_of("float32").unit_roundoff)
    expected = connection(state, torch.tanh)[0]
    assert (whole(state) - expected).abs().max() <= 256 * r * expected.abs().max()


# ------------------------------------------------------------ errors


def config(system, **options):
    return ModelConfig(system=system, input_width=1, output_width=1, **options)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: GeometricConnection(3, 1), "streams must be at least 2; got 1"),
        (lambda: HyperConnection(3, 0), "streams must be at least 1; got 0"),
        (lambda: GeometricConnection(3, 4, gamma_start=0.5), "not ½, where the operator is singu"),
        (lambda: GeometricConnection(3, 4, gamma_start=1.0), "got 1.0"),
        (lambda: GeometricConnection(3, 4, beta_start=0.0), "beta_start must be > 0; got 0.0"),
        (lambda: GeometricConnection(3, 4, generators="mean"), "token, sequence_mean; got 'mean'"),
        (lambda: OrthogonalHyperConnection(3, 4, rotation="x"), "fixed_point, exact; got 'x'"),
        (lambda: OrthogonalHyperConnection(3, 4, alpha=0), "alpha must be > 0; got 0"),
        (lambda: GeometricConnection(3, 4).force(delta=1.0), "no gate delta; it has beta, gamma"),
        (lambda: config("geo", gamma_start=0.5), "and not ½; got 0.5"),
        (lambda: config("geo", streams=1), "at least 2 for geo"),
        (lambda: config("jpmhc", alpha=-1.0), "positive; got -1.0"),
        (lambda: config("jpmhc", rounds=-1), "at least 0; got -1"),
        (lambda: config("geo", generators=""), "token, sequence_mean; got ''"),
    ],
)  # fmt: skip
def test_bad_values_are_named(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_one_stream_is_a_residual_connection_with_gates():
    """n = 1: the only doubly stochastic matrix is 1."""
    connection = made(HyperConnection, streams=1)
    state = random(2, 3, 1, 3)
    assert torch.equal(connection.operator(state, None), torch.ones(2, 3, 1, 1))


def test_what_is_shared_has_no_start_of_its_own():
    connection = StreamConnection(3, 2, norm="rms", sizes={"pre": 2})
    with pytest.raises(NotImplementedError):
        connection.reset_gates()
