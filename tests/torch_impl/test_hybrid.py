"""The hybrid blend in four formats, against exact rationals."""

import numpy as np
import pytest
import torch
from deltaproof.numeric.formats import format_of
from deltaproof.numeric.hybrid import blend_bound
from deltaproof.numeric.rounding import as_fractions
from deltaproof.torch_impl.cayley import cayley
from deltaproof.torch_impl.hybrid import blend
from deltaproof.torch_impl.reflection import reflect

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]
GATES = [0.0, 1.0, 0.5, 0.3, "below 1", "tiny"]
SIZES = [(1, 1), (1, 4), (3, 5), (5, 3), (32, 2)]


def exact(x):
    """Return a tensor's entries as Fractions."""
    return as_fractions(x.detach().double().numpy())


def exact_blend(X, Q, k, gamma):
    """Return γ Q X + (1 − γ)(X − 2 k (kᵀX)) of Fractions."""
    return gamma * (Q @ X) + (1 - gamma) * (X - 2 * np.outer(k, k @ X))


def gate_of(gate, dtype):
    """Return the gate, or the number of the format that a name stands for."""
    info = torch.finfo(dtype)
    named = {"below 1": 1 - info.eps / 2, "tiny": info.smallest_normal}
    return torch.tensor(named.get(gate, gate), dtype=dtype)


def inputs(n, m, gate, dtype, *, batch=(), seed=0):
    """Return X, a rotation and a unit vector up to rounding, and γ, numbers of the format."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape):
        return torch.randn(*batch, *shape, generator=generator, dtype=torch.float64)

    X, S = draw(n, m), draw(n, n)
    Q, k = cayley(S - S.mT), torch.nn.functional.normalize(draw(n), dim=-1)
    return X.to(dtype), Q.to(dtype), k.to(dtype), gate_of(gate, dtype).expand(batch)


def bound_of(*arguments):
    """Return the bound at these inputs."""
    fmt = format_of(str(arguments[0].dtype))
    return blend_bound(*(t.detach().double().numpy() for t in arguments), fmt)


def error_ratio(approximate, reference, bound):
    """Return the largest error over its bound."""
    error = np.abs(exact(approximate) - reference).astype(np.float64)
    return float((error / bound).max())


def reference_of(X, Q, k, gamma):
    """Return the exact blend of tensors."""
    return exact_blend(exact(X), exact(Q), exact(k), exact(gamma)[()])


@pytest.mark.parametrize("dtype", DTYPES)
def test_ends(dtype):
    X, Q, k, _ = inputs(4, 3, 0.0, dtype)
    zero, one = torch.zeros((), dtype=dtype), torch.ones((), dtype=dtype)
    assert torch.equal(blend(X, Q, k, one), Q @ X)
    assert torch.equal(blend(X, Q, k, zero), reflect(X, k))


@pytest.mark.parametrize("dtype", DTYPES)
def test_midpoint_is_singular(dtype):
    X = torch.ones(1, 1, dtype=dtype)
    half = torch.tensor(0.5, dtype=dtype)
    assert torch.equal(blend(X, X, X[0], half), torch.zeros_like(X))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize(("n", "m"), SIZES)
def test_within_bound(dtype, gate, n, m):
    arguments = inputs(n, m, gate, dtype)
    reference = reference_of(*arguments)
    assert error_ratio(blend(*arguments), reference, bound_of(*arguments)) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("gate", [-1.5, 3.0, 100.0])
def test_any_gate_within_bound(dtype, gate):
    arguments = inputs(4, 3, gate, dtype)
    reference = reference_of(*arguments)
    assert error_ratio(blend(*arguments), reference, bound_of(*arguments)) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_wrong_blends_exceed_the_bound(dtype):
    X, Q, k, gamma = inputs(4, 4, 0.3, dtype)
    reference, bound = reference_of(X, Q, k, gamma), bound_of(X, Q, k, gamma)
    rotated, reflected = Q @ X, reflect(X, k)
    mutants = {
        "the shares exchanged": gamma * reflected + (1 - gamma) * rotated,
        "not reflected": gamma * rotated + (1 - gamma) * X,
        "the rotation transposed": gamma * (Q.mT @ X) + (1 - gamma) * reflected,
        "the factor 2 is missing": gamma * rotated + (1 - gamma) * (X - torch.outer(k, k @ X)),
        "the reflection alone": reflected,
        "not convex": gamma * rotated + reflected,
    }
    for name, mutant in mutants.items():
        assert error_ratio(mutant, reference, bound) > 1, name


@pytest.mark.parametrize("dtype", DTYPES)
def test_batches_and_broadcasting(dtype):
    X, Q, k, gamma = inputs(5, 3, 0.3, dtype, batch=(2, 4))
    together, bound = blend(X, Q, k, gamma), 2 * bound_of(X, Q, k, gamma)
    for i, j in np.ndindex(2, 4):
        one = blend(X[i, j], Q[i, j], k[i, j], gamma[i, j]).double()
        assert ((together[i, j].double() - one).abs().numpy() <= bound[i, j]).all()
    assert blend(X[:, :1], Q[0, 0], k[0, 0], gamma[0, 0]).shape == (2, 1, 5, 3)


@pytest.mark.parametrize("gate", [0.0, 1.0, 0.3])
def test_gradients(gate):
    arguments = [t.clone().requires_grad_() for t in inputs(3, 2, gate, torch.float64, batch=(2,))]
    assert torch.autograd.gradcheck(blend, arguments)
    assert torch.autograd.gradgradcheck(blend, arguments)


def test_vmap():
    arguments = inputs(4, 3, 0.3, torch.float64, batch=(5,))
    difference = torch.vmap(blend)(*arguments) - blend(*arguments)
    assert (difference.abs().numpy() <= 2 * bound_of(*arguments)).all()


def test_wrong_arguments_are_named():
    X, Q, k, gamma = inputs(3, 2, 0.3, torch.float32)
    with pytest.raises(ValueError, match="axis n of Q has size 2"):
        blend(X, Q[:, :2], k, gamma)
    with pytest.raises(TypeError, match="must share one of the dtypes"):
        blend(X, Q, k, gamma.double())
