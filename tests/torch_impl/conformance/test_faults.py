"""The subtle ones among the wrong operators: a comparison on random input lets them pass."""

import pytest
import torch
from deltaproof.torch_impl import birkhoff, cayley, delta, gate
from deltaproof.torch_impl.conformance import conform, zoo


def randn(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float32)


def unit(*shape):
    return torch.nn.functional.normalize(randn(*shape, seed=1), dim=-1)


def normalised(k):
    return torch.nn.functional.normalize(k, dim=-1)


def gates(*shape):
    return 2 * torch.sigmoid(randn(*shape, seed=2))


def usual(*shape):
    return randn(*shape), unit(shape[0], shape[1]), randn(shape[0], shape[2], seed=3), gates(4)


def small_skew():
    S = randn(4, 3, 3) / 100
    return ((S - S.mT) / 2,)


def symmetric_logits():
    L = randn(4, 2, 2) / 4
    return (L + L.mT,)


# fault, the right operator, arguments on which a comparison with it passes
SUBTLE = [
    (zoo.delta.gate_clamped, delta.delta_update, usual(4, 5, 3)),
    (zoo.delta.computed_in_float32, delta.delta_update, usual(4, 5, 3)),
    (zoo.delta.gate_detached, delta.delta_update, usual(4, 5, 3)),
    (zoo.delta.masked_to_nan, delta.delta_update, usual(4, 5, 3)),
    (zoo.delta.strides_ignored, delta.delta_update, usual(4, 5, 3)),
    (zoo.delta.noisy, delta.delta_update, usual(4, 5, 3)),
    (zoo.cayley.neumann_series, cayley.cayley, small_skew()),
    (zoo.cayley.omega_by_subtraction, cayley.cayley_rank_two, (unit(4, 5), randn(4, 5), gates(4))),
    (zoo.gate.through_tanh, gate.gate, (randn(64),)),
    (zoo.gate.gradient_clamped, gate.gate, (randn(64),)),
    (zoo.gate.one_minus_a_square, gate.gate_regulariser, (torch.sigmoid(randn(64)),)),
    (
        zoo.direction.epsilon_under_the_root,
        normalised,
        (randn(8, 64),),
    ),
    (
        zoo.direction.not_a_number_at_zero,
        normalised,
        (randn(8, 64),),
    ),
    (zoo.birkhoff.transposed, birkhoff.sinkhorn, symmetric_logits()),
]


@pytest.mark.parametrize(("fault", "right", "arguments"), SUBTLE, ids=lambda x: getattr(
    x, "__name__", ""))  # fmt: skip
def test_the_subtle_ones_pass_a_comparison_on_random_input(fault, right, arguments):
    torch.testing.assert_close(fault(*arguments), right(*arguments))
    (entry,) = (e for e in zoo.WRONG if e.operator is fault)
    options = {"dtypes": ("float32",), **entry.options}
    assert not conform(fault, contract=entry.contract, profile="quick", **options).ok
