"""The gate and its regulariser in four formats, against 200 digits and exact rationals."""

import mpmath
import numpy as np
import pytest
import torch
from deltaproof.numeric.formats import format_of
from deltaproof.numeric.gate import gate_bound, gate_regulariser_bound
from deltaproof.numeric.rounding import as_fractions
from deltaproof.torch_impl import gate

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]
dtypes = pytest.mark.parametrize("dtype", DTYPES)
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 200


def logits(dtype):
    """Return logits from saturation to saturation, zero and its neighbours among them."""
    tiny = torch.finfo(dtype).smallest_normal
    special = [0.0, tiny, -tiny, 1e-3, -1e-3, 5.5, 8.3, 16.7, 37.0, 45.0, 90.0, 710.0, 6e4]
    special = torch.tensor([*special, *(-x for x in special)], dtype=torch.float64)
    spread = torch.linspace(-20, 20, 161, dtype=torch.float64)
    return torch.cat([special, spread]).to(dtype)


def reference_gate(z):
    return 2 / (1 + CONTEXT.exp(-z))


def worst_ratio(values, z, bounds, reference=reference_gate):
    errors = [
        abs(CONTEXT.mpf(value) - reference(CONTEXT.mpf(point))) / CONTEXT.mpf(bound)
        for value, point, bound in zip(
            values.double().tolist(), z.double().tolist(), bounds.tolist(), strict=True
        )
    ]
    return float(max(errors))


@dtypes
def test_gate_within_bound(dtype):
    z = logits(dtype)
    bound = gate_bound(z.double().numpy(), format_of(str(dtype)))
    assert worst_ratio(gate.gate(z), z, bound) <= 1
    mutants = {
        "factor 2 missing": torch.sigmoid(z),
        "sign": gate.gate(-z),
        "half the logit": gate.gate(z / 2),
        "tanh": 1 + torch.tanh(z),
    }
    for name, mutant in mutants.items():
        assert worst_ratio(mutant, z, bound) > 1, name


@dtypes
def test_gate_range(dtype):
    values = gate.gate(logits(dtype))
    assert gate.gate(torch.zeros((), dtype=dtype)) == 1
    assert (values >= 0).all()
    assert (values <= 2).all()
    assert gate.gate(torch.tensor(50.0, dtype=dtype)) == 2


@dtypes
def test_regulariser_within_bound(dtype):
    eps, tiny = torch.finfo(dtype).eps, torch.finfo(dtype).smallest_normal
    gamma = torch.tensor([0.0, tiny, eps, 0.25, 0.5, 0.75, 1 - eps / 2, 1.0, 1 + eps, -0.3, 2.0])
    gamma = torch.cat([gamma.to(dtype), torch.linspace(0, 1, 65).to(dtype)])
    exact = as_fractions(gamma.double().numpy())
    reference = 4 * exact * (1 - exact)
    bound = gate_regulariser_bound(gamma.double().numpy(), format_of(str(dtype)))

    def within(values):
        error = np.abs(as_fractions(values.double().numpy()) - reference).astype(np.float64)
        return (error <= bound).all()

    f = gate.gate_regulariser(gamma)
    assert within(f)
    assert not within(-f)
    assert not within(f / 4)
    assert not within(4 * gamma * (1 + gamma))
    assert not within(4 * gamma * gamma)
    assert gate.gate_regulariser(torch.tensor([0.0, 0.5, 1.0], dtype=dtype)).tolist() == [0, 1, 0]


def test_gradients():
    z = torch.tensor([-40.0, -3.0, 0.0, 1e-9, 0.5, 40.0], dtype=torch.float64, requires_grad=True)
    gamma = torch.tensor([0.0, 0.25, 0.5, 1.0], dtype=torch.float64, requires_grad=True)
    for operator, argument in ((gate.gate, z), (gate.gate_regulariser, gamma)):
        assert torch.autograd.gradcheck(operator, argument)
        assert torch.autograd.gradgradcheck(operator, argument)
    (slope,) = torch.autograd.grad(gate.gate_regulariser(gamma).sum(), gamma)
    assert slope.tolist() == [4, 2, 0, -4]


def test_shapes_and_vmap():
    z = torch.randn(2, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    for operator in (gate.gate, gate.gate_regulariser):
        assert torch.equal(torch.vmap(operator)(z), operator(z))
        assert operator(z[:0]).shape == (0, 3)
        assert torch.equal(operator(z.mT), operator(z).mT)
        with pytest.raises(TypeError, match="int64"):
            operator(z.long())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # from inside torch.compile
def test_compiles_without_graph_breaks():
    z = logits(torch.float64)
    compiled = torch.compile(gate.gate, fullgraph=True)(z)
    assert worst_ratio(compiled, z, gate_bound(z.numpy(), format_of("float64"))) <= 1
    gamma = torch.linspace(0, 1, 33, dtype=torch.float64)
    regulariser = torch.compile(gate.gate_regulariser, fullgraph=True)(gamma)
    bound = 2 * gate_regulariser_bound(gamma.numpy(), format_of("float64"))
    assert ((regulariser - gate.gate_regulariser(gamma)).abs().numpy() <= bound).all()
