"""Every kind of wrong operator fails, by a claim that names its defect."""

import pytest
import torch
from deltaproof.torch_impl import birkhoff, cayley, delta, gate
from deltaproof.torch_impl.conformance import conform

from . import faults

FORMATS = {faults.single_inside: ("float64",), faults.wrong_dtype: ("float64",)}


@pytest.mark.parametrize("fault", faults.FAULTS, ids=lambda f: f.__name__)
def test_a_wrong_operator_fails_by_the_claim_that_names_its_defect(fault):
    contract, claims = faults.FAULTS[fault]
    dtypes = FORMATS.get(fault, ("float64" if fault is faults.neumann else "float32",))
    result = conform(fault, contract=contract, profile="quick", dtypes=dtypes)
    failed = {c.claim: c for c in result.checks if c.outcome == "failed"}
    assert claims <= failed.keys(), sorted(failed)
    assert not [c for c in result.checks if c.outcome == "error"]
    for check in failed.values():
        assert check.input is not None
        assert check.diagnosis
    if words := faults.WORDS.get(fault):
        assert any(words in c.diagnosis for c in failed.values())


def randn(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float32)


def unit(*shape):
    return torch.nn.functional.normalize(randn(*shape, seed=1), dim=-1)


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
    (faults.gate_clamped, delta.delta_update, usual(4, 5, 3)),
    (faults.single_inside, delta.delta_update, usual(4, 5, 3)),
    (faults.detached_gate, delta.delta_update, usual(4, 5, 3)),
    (faults.masked_to_nan, delta.delta_update, usual(4, 5, 3)),
    (faults.ignores_strides, delta.delta_update, usual(4, 5, 3)),
    (faults.noisy, delta.delta_update, usual(4, 5, 3)),
    (faults.neumann, cayley.cayley, small_skew()),
    (faults.omega_by_subtraction, cayley.cayley_rank_two, (unit(4, 5), randn(4, 5), gates(4))),
    (faults.gate_by_tanh, gate.gate, (randn(64),)),
    (faults.gate_gradient_lost, gate.gate, (randn(64),)),
    (faults.regulariser_by_square, gate.gate_regulariser, (torch.sigmoid(randn(64)),)),
    (faults.root_normalised, lambda k: torch.nn.functional.normalize(k, dim=-1), (randn(8, 64),)),
    (faults.nan_at_zero, lambda k: torch.nn.functional.normalize(k, dim=-1), (randn(8, 64),)),
    (faults.sinkhorn_transposed, birkhoff.sinkhorn, symmetric_logits()),
]


@pytest.mark.parametrize(("fault", "right", "arguments"), SUBTLE, ids=lambda x: getattr(
    x, "__name__", ""))  # fmt: skip
def test_the_subtle_ones_pass_a_comparison_on_random_input(fault, right, arguments):
    torch.testing.assert_close(fault(*arguments), right(*arguments))
