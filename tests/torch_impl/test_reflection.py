"""The reflection in four formats, against exact rationals."""

import numpy as np
import pytest
import torch
from deltaproof.numeric.formats import format_of
from deltaproof.numeric.reflection import reflect_bound
from deltaproof.numeric.rounding import as_fractions
from deltaproof.torch_impl.reflection import reflect

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]
SIZES = [(1, 1), (1, 4), (3, 5), (5, 3), (32, 2), (300, 1)]


def exact(x):
    """Return a tensor's entries as Fractions."""
    return as_fractions(x.detach().double().numpy())


def exact_reflection(x, k):
    """Return x − 2 k (kᵀx) of Fractions."""
    return x - 2 * np.outer(k, k @ x)


def inputs(n, m, dtype, *, scale=1.0, batch=(), seed=0):
    """Return x and k, unit up to rounding, numbers of the format."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(*batch, n, m, generator=generator, dtype=torch.float64)
    k = torch.randn(*batch, n, generator=generator, dtype=torch.float64)
    return x.to(dtype), (torch.nn.functional.normalize(k, dim=-1) * scale).to(dtype)


def bound_of(x, k):
    """Return the bound at these inputs."""
    return reflect_bound(*(t.detach().double().numpy() for t in (x, k)), format_of(str(x.dtype)))


def error_ratio(approximate, reference, bound):
    """Return the largest error over its bound."""
    error = np.abs(exact(approximate) - reference).astype(np.float64)
    return float((error / bound).max())


@pytest.mark.parametrize("dtype", DTYPES)
def test_worked_example(dtype):
    x, k = torch.tensor([[2.0], [3.0]], dtype=dtype), torch.tensor([1.0, 0.0], dtype=dtype)
    assert torch.equal(reflect(x, k), torch.tensor([[-2.0], [3.0]], dtype=dtype))
    assert torch.equal(reflect(reflect(x, k), k), x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("n", "m"), SIZES)
def test_within_bound(dtype, n, m):
    x, k = inputs(n, m, dtype)
    reference = exact_reflection(exact(x), exact(k))
    assert error_ratio(reflect(x, k), reference, bound_of(x, k)) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", [0.0, 1e-3, 60.0])
def test_any_axis_within_bound(dtype, scale):
    x, k = inputs(4, 3, dtype, scale=scale)
    reference = exact_reflection(exact(x), exact(k))
    assert error_ratio(reflect(x, k), reference, bound_of(x, k)) <= 1


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16])
def test_subnormal_axis_within_bound(dtype):
    x, k = inputs(4, 3, dtype)
    k = k * (torch.finfo(dtype).smallest_normal / 4)
    reference = exact_reflection(exact(x), exact(k))
    assert error_ratio(reflect(x, k), reference, bound_of(x, k)) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_wrong_reflections_exceed_the_bound(dtype):
    x, k = inputs(4, 4, dtype)
    reference, bound = exact_reflection(exact(x), exact(k)), bound_of(x, k)
    mutants = {
        "the factor 2 is missing": x - torch.outer(k, k @ x),
        "sign": x + 2 * torch.outer(k, k @ x),
        "state transposed": x - 2 * torch.outer(k, x @ k),
        "nothing": x,
        "negated": -x,
    }
    for name, mutant in mutants.items():
        assert error_ratio(mutant, reference, bound) > 1, name


@pytest.mark.parametrize("dtype", DTYPES)
def test_batches_and_broadcasting(dtype):
    x, k = inputs(5, 3, dtype, batch=(2, 4))
    together = reflect(x, k)
    bound = 2 * bound_of(x, k)
    for i, j in np.ndindex(2, 4):
        one = reflect(x[i, j], k[i, j]).double()
        assert ((together[i, j].double() - one).abs().numpy() <= bound[i, j]).all()
    assert reflect(x[:, :1], k[0, 0]).shape == (2, 1, 5, 3)
    assert reflect(x[:, :0], k[:, :0]).shape == (2, 0, 5, 3)


def test_gradients():
    x, k = (t.requires_grad_() for t in inputs(3, 2, torch.float64, batch=(2,)))
    assert torch.autograd.gradcheck(reflect, (x, k))
    assert torch.autograd.gradgradcheck(reflect, (x, k))


def test_vmap():
    x, k = inputs(4, 3, torch.float64, batch=(5,))
    difference = torch.vmap(reflect)(x, k) - reflect(x, k)
    assert (difference.abs().numpy() <= 2 * bound_of(x, k)).all()


def test_wrong_arguments_are_named():
    x, k = inputs(3, 2, torch.float32)
    with pytest.raises(ValueError, match="axis n of k has size 2"):
        reflect(x, k[:2])
    with pytest.raises(TypeError, match="must share one of the dtypes"):
        reflect(x, k.double())
