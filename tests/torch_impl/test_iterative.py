"""The fixed-point Cayley iteration in four formats, against exact rationals."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from deltaproof.numeric.formats import format_of
from deltaproof.numeric.iterative import fixed_point_cayley_bound, series_defect_bound
from deltaproof.numeric.rounding import as_fractions
from deltaproof.torch_impl.iterative import fixed_point_cayley

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]


def inputs(n, dtype, *, scale=1.0, batch=(), seed=0):
    """Return a skew W and a step α, numbers of the format."""
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randn(*batch, n, n, generator=generator, dtype=torch.float64)
    W = (scale * drawn).to(dtype).tril(-1)
    alpha = torch.rand(batch, generator=generator, dtype=torch.float64).to(dtype)
    return W - W.mT, alpha


def exact_iterate(W, alpha, rounds):
    """Return Y_rounds of Fractions."""
    eye = np.array([[Fraction(i == j) for j in range(len(W))] for i in range(len(W))], dtype=object)
    Y = eye + alpha * W
    for _ in range(rounds):
        Y = eye + alpha / 2 * W @ (eye + Y)
    return Y


def ratio(approximate, reference, bound):
    """Return the largest error over its bound."""
    error = np.abs(as_fractions(approximate.detach().double().numpy()) - reference)
    return float((error.astype(np.float64) / bound).max())


def exact(W, alpha):
    return as_fractions(W.double().numpy()), as_fractions(alpha.double().numpy())[()]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rounds", [0, 1, 2, 5])
@pytest.mark.parametrize("n", [1, 2, 3, 8])
@pytest.mark.parametrize("scale", [0.0, 1.0, 3.0])
def test_iterates_within_the_bound(scale, n, rounds, dtype):
    W, alpha = inputs(n, dtype, scale=scale)
    bound = fixed_point_cayley_bound(
        W.double().numpy(), alpha.double().numpy(), rounds, format_of(str(dtype))
    )
    assert (
        ratio(fixed_point_cayley(W, alpha, rounds), exact_iterate(*exact(W, alpha), rounds), bound)
        <= 1
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_wrong_iterations_exceed_the_bound(dtype):
    W, alpha = inputs(4, dtype)
    reference = exact_iterate(*exact(W, alpha), 2)
    bound = fixed_point_cayley_bound(
        W.double().numpy(), alpha.double().numpy(), 2, format_of(str(dtype))
    )
    eye = torch.eye(4, dtype=dtype)
    step = alpha * W

    def iterated(generator, start):
        Y = start
        for _ in range(2):
            Y = eye + generator @ (eye + Y)
        return Y

    mutants = {
        "a round more": fixed_point_cayley(W, alpha, 3),
        "a round fewer": fixed_point_cayley(W, alpha, 1),
        "W transposed": fixed_point_cayley(W.mT, alpha, 2),
        "without the half": iterated(step, eye + step),
        "from the identity": iterated(step / 2, eye),
        "a sign": iterated(-step / 2, eye + step),
    }
    for name, mutant in mutants.items():
        assert ratio(mutant, reference, bound) > 1, name


@pytest.mark.parametrize("rounds", range(6))
@pytest.mark.parametrize("turn", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), Fraction(2)])
def test_the_defect_is_that_of_the_theorem(turn, rounds):
    """N = ν J has the eigenvalues ±iν: the powers alternate, and every second one counts."""
    W = np.array([[Fraction(0), -2 * turn], [2 * turn, Fraction(0)]], dtype=object)
    Y = exact_iterate(W, Fraction(1), rounds)
    gram = Y.T @ Y
    first, count = rounds + 2 + rounds % 2, rounds // 2 + 1
    assert gram[0, 1] == 0
    assert abs(gram[0, 0] - 1) == 4 * turn**first * abs(1 - (-(turn**2)) ** count) / (1 + turn**2)
    assert abs(gram[0, 0] - 1) <= series_defect_bound(float(turn), rounds)
    # where the last power adds to the others, nothing smaller would do
    if count % 2:
        assert abs(gram[0, 0] - 1) > series_defect_bound(float(turn * Fraction(99, 100)), rounds)


def test_the_defect_of_the_ledger_is_seen():
    """α = 0.1 and W = 3J: 31671/16000000, beyond a thousandth."""
    W = torch.tensor([[0.0, -3.0], [3.0, 0.0]], dtype=torch.float64)
    Y = fixed_point_cayley(W, torch.tensor(0.1, dtype=torch.float64), 2)
    gram = Y.mT @ Y
    bound = fixed_point_cayley_bound(W.numpy(), 0.1, 2, format_of("float64")).max()
    assert abs(1 - float(gram[0, 0]) - 31671 / 16000000) <= 16 * bound


def test_gradients_layouts_and_batches():
    W, alpha = inputs(3, torch.float64, batch=(2,))
    arguments = (W.clone().requires_grad_(), alpha.clone().requires_grad_())
    assert torch.autograd.gradcheck(lambda W, a: fixed_point_cayley(W, a, 3), arguments)
    together = fixed_point_cayley(W, alpha, 3)
    bound = 2 * fixed_point_cayley_bound(W.numpy(), alpha.numpy(), 3, format_of("float64"))
    for i in range(2):
        one = fixed_point_cayley(W[i], alpha[i], 3)
        assert ((one - together[i]).abs().numpy() <= bound[i]).all()
    mapped = torch.vmap(lambda W, a: fixed_point_cayley(W, a, 3))(W, alpha)
    assert ((mapped - together).abs().numpy() <= bound).all()
    shared = fixed_point_cayley(W[0], alpha, 3)
    assert shared.shape == (2, 3, 3)
    assert fixed_point_cayley(W[:0], alpha[:0], 3).shape == (0, 3, 3)


def test_errors_say_what_was_passed():
    W, alpha = inputs(3, torch.float32)
    with pytest.raises(ValueError, match="rounds must be an integer ≥ 0, got -1"):
        fixed_point_cayley(W, alpha, -1)
    with pytest.raises(TypeError, match="alpha must be a tensor, got float"):
        fixed_point_cayley(W, 0.1, 2)  # pyright: ignore[reportArgumentType]
