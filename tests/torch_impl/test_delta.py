"""The delta operator and update in four formats, against exact rationals."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from deltaproof.numeric.delta import (
    delta_operator_bound,
    delta_update_bound,
    delta_update_gradient_bounds,
)
from deltaproof.numeric.formats import format_of
from deltaproof.numeric.rounding import as_fractions
from deltaproof.torch_impl import delta, naive

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]
GATES = [0.0, 1.0, 2.0, "below 1", "above 1", "below 2", "above 2", -0.5, 1e4]


def exact(x):
    """Return a tensor's entries as Fractions."""
    return as_fractions(x.detach().double().numpy())


def exact_update(X, k, v, beta):
    """Return X + β k (vᵀ − kᵀX) of Fractions."""
    return X + beta * np.outer(k, v - k @ X)


def gate_of(gate, dtype):
    """Return the gate, or the neighbour of 1 or 2 that a name like ``below 2`` stands for."""
    if isinstance(gate, float):
        return torch.tensor(gate, dtype=dtype)
    side, at = gate.split()
    at = float(at)
    eps = torch.finfo(dtype).eps * at
    return torch.tensor(at - eps / 2 if side == "below" else at + eps, dtype=dtype)


def inputs(d, m, gate, dtype, *, scale=1.0, batch=(), seed=0):
    """Return X, k (unit up to rounding), v, β, numbers of the format."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape):
        return torch.randn(*batch, *shape, generator=generator, dtype=torch.float64)

    k = torch.nn.functional.normalize(draw(d), dim=-1) * scale
    X, v = draw(d, m), draw(m)
    return X.to(dtype), k.to(dtype), v.to(dtype), gate_of(gate, dtype).expand(batch)


def error_ratio(approximate, reference, bound):
    """Return the largest error over its bound."""
    error = np.abs(exact(approximate) - reference).astype(np.float64)
    return float((error / bound).max())


def distance(x, y):
    """Return abs(x − y) of Fractions as floats."""
    return np.abs(np.asarray(x - y, dtype=np.float64))


def floats(*tensors):
    return [t.detach().double().numpy() for t in tensors]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("gate", [1.0, 2.0])
def test_worked_example(dtype, gate):
    X, k = torch.tensor([[2.0], [3.0]], dtype=dtype), torch.tensor([1.0, 0.0], dtype=dtype)
    beta = torch.tensor(gate, dtype=dtype)
    expected = torch.tensor([[2.0 - 2.0 * gate], [3.0]], dtype=dtype)
    assert torch.equal(delta.delta_update(X, k, torch.zeros(1, dtype=dtype), beta), expected)
    assert torch.equal(delta.delta_operator(k, beta) @ X, expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize(("d", "m"), [(1, 1), (1, 4), (3, 5), (5, 3), (32, 2), (300, 1)])
def test_update_within_bound(dtype, gate, d, m):
    X, k, v, beta = inputs(d, m, gate, dtype)
    reference = exact_update(exact(X), exact(k), exact(v), exact(beta)[()])
    bound = delta_update_bound(*floats(X, k, v, beta), format_of(str(dtype)))
    assert error_ratio(delta.delta_update(X, k, v, beta), reference, bound) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", [0.0, 1e-3, 60.0])
def test_update_of_any_direction_within_bound(dtype, scale):
    X, k, v, beta = inputs(4, 3, 1.0, dtype, scale=scale)
    reference = exact_update(exact(X), exact(k), exact(v), exact(beta)[()])
    bound = delta_update_bound(*floats(X, k, v, beta), format_of(str(dtype)))
    assert error_ratio(delta.delta_update(X, k, v, beta), reference, bound) <= 1


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16])
def test_subnormal_direction_within_bound(dtype):
    X, k, v, beta = inputs(4, 3, 1.0, dtype)
    k = k * (torch.finfo(dtype).smallest_normal / 4)
    reference = exact_update(exact(X), exact(k), exact(v), exact(beta)[()])
    bound = delta_update_bound(*floats(X, k, v, beta), format_of(str(dtype)))
    assert error_ratio(delta.delta_update(X, k, v, beta), reference, bound) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("gate", [0.0, 1.0, 2.0, 0.75])
def test_operator_within_bound_and_symmetric(dtype, gate):
    _, k, _, beta = inputs(6, 1, gate, dtype)
    kk, b = exact(k), exact(beta)[()]
    eye = np.array([[Fraction(i == j) for j in range(6)] for i in range(6)], dtype=object)
    A = delta.delta_operator(k, beta)
    bound = delta_operator_bound(*floats(k, beta), format_of(str(dtype)))
    assert error_ratio(A, eye - b * np.outer(kk, kk), bound) <= 1
    assert torch.equal(A, A.mT)
    if gate:
        assert error_ratio(A, eye + b * np.outer(kk, kk), bound) > 1
        assert error_ratio(A, eye - b / 2 * np.outer(kk, kk), bound) > 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_wrong_updates_exceed_the_bound(dtype):
    X, k, v, beta = inputs(4, 4, 0.75, dtype)
    reference = exact_update(exact(X), exact(k), exact(v), exact(beta)[()])
    bound = delta_update_bound(*floats(X, k, v, beta), format_of(str(dtype)))
    read_out = (k[None] @ X)[0]
    outer = torch.outer
    mutants = {
        "sign": X - beta * outer(k, v - read_out),
        "read-out added": X + beta * outer(k, v + read_out),
        "β on the value only": X + outer(k, beta * v - read_out),
        "β on the read-out only": X + outer(k, v - beta * read_out),
        "k and v swapped": X + beta * outer(v, k - read_out),
        "state transposed": X + beta * outer(k, v - X @ k),
        "no gate": X + outer(k, v - read_out),
    }
    for name, mutant in mutants.items():
        assert error_ratio(mutant, reference, bound) > 1, name


@pytest.mark.parametrize("dtype", DTYPES)
def test_layouts_batches_and_broadcasting(dtype):
    X, k, v, beta = inputs(5, 3, 1.0, dtype, batch=(2, 4))
    bound = 2 * delta_update_bound(*floats(X, k, v, beta), format_of(str(dtype)))

    def differs(a, b, bound):
        return ((a.double() - b.double()).abs().numpy() > bound).any()

    together = delta.delta_update(X, k, v, beta)
    for i, j in np.ndindex(2, 4):
        one = delta.delta_update(X[i, j], k[i, j], v[i, j], beta[i, j])
        assert not differs(together[i, j], one, bound[i, j])
    assert not differs(delta.delta_update(X.mT.contiguous().mT, k, v, beta), together, bound)
    shared = delta.delta_update(X[:, :1], k[0, 0], v[:1], beta[0, 0])
    expanded = delta.delta_update(
        X[:, :1].expand(2, 4, 5, 3), k[0, 0].expand(2, 4, 5), v[:1].expand(2, 4, 3), beta
    )
    widest = delta_update_bound(*floats(X[:, :1], k[0, 0], v[:1], beta), format_of(str(dtype)))
    assert shared.shape == (2, 4, 5, 3)
    assert not differs(shared, expanded, 2 * widest)
    assert delta.delta_update(X[:, :0], k[:, :0], v[:, :0], beta[:, :0]).shape == (2, 0, 5, 3)
    assert delta.delta_operator(k[:0], beta[:0]).shape == (0, 4, 5, 5)


@pytest.mark.parametrize("dtype", DTYPES)
def test_out_may_be_the_state_and_inputs_stay(dtype):
    X, k, v, beta = inputs(5, 3, 0.75, dtype, batch=(2,))
    before = X.clone()
    expected = delta.delta_update(X, k, v, beta)
    assert torch.equal(X, before)
    out = torch.empty_like(X)
    assert delta.delta_update(X, k, v, beta, out=out) is out
    assert torch.equal(out, expected)
    bound = 2 * delta_update_bound(*floats(X, k, v, beta), format_of(str(dtype)))
    assert delta.delta_update(X, k, v, beta, out=X) is X
    assert ((X.double() - expected.double()).abs().numpy() <= bound).all()
    with pytest.raises(ValueError, match="out= does not support gradients"):
        delta.delta_update(X, k.requires_grad_(), v, beta, out=out)


@pytest.mark.parametrize("gate", [0.0, 1.0, 2.0, 0.3, "above 2"])
@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_gradients(gate, scale):
    arguments = [
        t.clone().requires_grad_()
        for t in inputs(3, 2, gate, torch.float64, scale=scale, batch=(2,))
    ]
    assert torch.autograd.gradcheck(delta.delta_update, arguments)
    assert torch.autograd.gradgradcheck(delta.delta_update, arguments)
    assert torch.autograd.gradcheck(delta.delta_operator, (arguments[1], arguments[3]))


def exact_gradients(X, k, v, beta, G):
    """Return the gradients of ⟨G, X + β k (vᵀ − kᵀX)⟩ of Fractions."""
    e, g = v - k @ X, k @ G
    return G - beta * np.outer(k, g), beta * (G @ e - X @ g), beta * g, g @ e


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("gate", [*GATES[:-1], 1e2])  # 1e4 overflows binary16 in the backward
@pytest.mark.parametrize(("d", "m"), [(1, 1), (3, 5), (5, 3), (32, 2)])
def test_gradients_within_bound(dtype, gate, d, m):
    arguments = [t.clone().requires_grad_() for t in inputs(d, m, gate, dtype)]
    G = inputs(d, m, gate, dtype, seed=1)[0]
    ours = torch.autograd.grad(delta.delta_update(*arguments), arguments, G)
    X, k, v, beta = (exact(t) for t in arguments)
    reference = exact_gradients(X, k, v, beta[()], exact(G))
    bounds = delta_update_gradient_bounds(*floats(*arguments, G), format_of(str(dtype)))
    for mine, right, bound in zip(ours, reference, bounds, strict=True):
        assert (distance(exact(mine), right) <= bound).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_wrong_gradients_exceed_the_bound(dtype):
    arguments = inputs(4, 3, 0.75, dtype)
    X, k, v, beta = (exact(t) for t in arguments)
    G = exact(inputs(4, 3, 0.75, dtype, seed=1)[0])
    bounds = delta_update_gradient_bounds(X, k, v, beta, G, format_of(str(dtype)))
    beta = beta[()]
    right = exact_gradients(X, k, v, beta, G)
    e, g = v - k @ X, k @ G
    mutants = {
        "X without the operator": (0, G),
        "X with the sign of a reflection": (0, G + beta * np.outer(k, g)),
        "k without the state": (1, beta * (G @ e)),
        "k without the gate": (1, G @ e - X @ g),
        "v without the gate": (2, g),
        "beta without the read-out": (3, g @ v),
    }
    for name, (which, mutant) in mutants.items():
        assert (distance(mutant, right[which]) > bounds[which]).any(), name


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # from inside torch's forward mode
def test_forward_derivatives():
    arguments = [t.clone().requires_grad_() for t in inputs(3, 2, 0.3, torch.float64, batch=(2,))]
    assert torch.autograd.gradcheck(
        delta.delta_update, arguments, check_forward_ad=True, check_batched_forward_grad=True
    )
    assert torch.autograd.gradgradcheck(delta.delta_update, arguments, check_fwd_over_rev=True)


def test_gradients_of_broadcast_arguments():
    X, k, v, beta = inputs(3, 2, 0.3, torch.float64, batch=(2, 4))
    shared = [t.clone().requires_grad_() for t in (X[:, :1], k[0, 0], v[:1], beta[0])]
    assert torch.autograd.gradcheck(delta.delta_update, shared)
    assert torch.autograd.gradgradcheck(delta.delta_update, shared)


def test_vmap():
    X, k, v, beta = inputs(5, 3, 0.75, torch.float64, batch=(4,))
    bound = 2 * delta_update_bound(*floats(X, k, v, beta), format_of("float64"))
    mapped = torch.vmap(delta.delta_update)(X, k, v, beta)
    assert ((mapped - delta.delta_update(X, k, v, beta)).abs().numpy() <= bound).all()
    shared = torch.vmap(delta.delta_update, in_dims=(0, None, None, 0))(X, k[0], v[0], beta)
    assert shared.shape == X.shape
    assert torch.vmap(delta.delta_operator)(k, beta).shape == (4, 5, 5)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # from inside torch.compile
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_compiles_without_graph_breaks(dtype):
    X, k, v, beta = inputs(5, 3, 0.75, dtype, batch=(4,))
    bound = 2 * delta_update_bound(*floats(X, k, v, beta), format_of(str(dtype)))
    Y = torch.compile(delta.delta_update, fullgraph=True)(X, k, v, beta)
    expected = delta.delta_update(X, k, v, beta)
    assert ((Y.double() - expected.double()).abs().numpy() <= bound).all()
    A = torch.compile(delta.delta_operator, fullgraph=True)(k, beta)
    bound = 2 * delta_operator_bound(*floats(k, beta), format_of(str(dtype)))
    expected = delta.delta_operator(k, beta)
    assert ((A.double() - expected.double()).abs().numpy() <= bound).all()


@pytest.mark.parametrize("peer", [naive.naive_delta_update, naive.published_delta_update])
def test_the_peers_compute_the_same(peer):
    X, k, v, beta = inputs(5, 3, 0.75, torch.float64, batch=(4,))
    bound = 2 * delta_update_bound(*floats(X, k, v, beta), format_of("float64"))
    difference = (peer(X, k, v, beta) - delta.delta_update(X, k, v, beta)).abs().numpy()
    assert (difference <= bound).all()


def test_errors_say_what_was_passed():
    X, k, v, beta = inputs(5, 3, 1.0, torch.float32, batch=(4,))
    with pytest.raises(ValueError, match=r"axis d of k has size 3, expected 5.*k float32\(4, 3\)"):
        delta.delta_update(X, v, v, beta)
    with pytest.raises(TypeError, match=r"v float64\(4, 3\)"):
        delta.delta_update(X, k, v.double(), beta)
    with pytest.raises(TypeError, match="float64, float32, bfloat16, float16"):
        delta.delta_operator(k.int(), beta.int())
    with pytest.raises(TypeError, match="beta must be a tensor, got float"):
        delta.delta_update(X, k, v, 1.0)
    with pytest.raises(ValueError, match="leading axes do not broadcast"):
        delta.delta_update(X, k, v[:3], beta)
    with pytest.raises(ValueError, match=r"X must have shape \(\.\.\., d, m\)"):
        delta.delta_update(X[0, 0], k, v, beta)
    with pytest.raises(ValueError, match=r"out must be float32 of shape \(4, 5, 3\)"):
        delta.delta_update(X, k, v, beta, out=torch.empty(5, 3))
