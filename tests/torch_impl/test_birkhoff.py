"""Sinkhorn's iteration in four formats: sums within derived bounds, the limit, gradients."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from deltaproof.numeric.birkhoff import (
    column_sum_bound,
    row_sum_bound,
    stopping_residual,
    working_format,
)
from deltaproof.numeric.formats import FORMATS, format_of
from deltaproof.numeric.rounding import as_fractions
from deltaproof.torch_impl.birkhoff import sinkhorn

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]
SIZES = [1, 2, 3, 5, 16]


def logits(n, dtype, *, scale=1.0, batch=(), seed=0):
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randn(*batch, n, n, generator=generator, dtype=torch.float64)
    return (scale * drawn).to(dtype)


def defects(P):
    """The exact sums of the computed entries less 1: the worst row and the worst column."""
    entries = as_fractions(P.detach().double().numpy())
    rows, columns = (abs(entries.sum(axis=axis) - 1).max() for axis in (-1, -2))
    return float(rows), float(columns)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("n", SIZES)
def test_sums_within_their_bounds(n, scale, dtype):
    fmt = format_of(str(dtype))
    P = sinkhorn(logits(n, dtype, scale=scale))
    rows, columns = defects(P)
    assert (P >= 0).all()
    assert columns <= column_sum_bound(n, fmt)
    assert rows <= row_sum_bound(n, fmt, stopping_residual(n, fmt))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", [1.0, 10.0, 80.0])
@pytest.mark.parametrize("rounds", [1, 3, 20])
def test_columns_are_exact_after_any_number_of_rounds(rounds, scale, dtype):
    P = sinkhorn(logits(5, dtype, scale=scale), rounds=rounds)
    assert torch.isfinite(P).all()
    assert defects(P)[1] <= column_sum_bound(5, format_of(str(dtype)))


def with_epsilon(x, rounds, epsilon):
    """The wrong operator: a small number in each denominator."""
    P = x.exp()
    for _ in range(rounds):
        P = P / (P.sum(-1, keepdim=True) + epsilon)
        P = P / (P.sum(-2, keepdim=True) + epsilon)
    return P


def test_wrong_operators_exceed_the_bounds():
    x, fmt = logits(4, torch.float64), format_of("float64")
    column, row = column_sum_bound(4, fmt), row_sum_bound(4, fmt, stopping_residual(4, fmt))
    assert defects(with_epsilon(x, 50, 1e-3))[1] > column
    assert defects(torch.softmax(x, -1))[1] > column
    assert defects(sinkhorn(x, rounds=1))[0] > row
    assert defects(sinkhorn(logits(4, torch.float64, scale=10.0), rounds=20))[0] > row
    # rows last: the columns are off
    assert defects(sinkhorn(x, rounds=1).mT)[1] > column


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize(
    "x", [[[1.0, 0.0], [0.0, 0.5]], [[2.0, -1.0], [1.0, 3.0]], [[0.0] * 2] * 2]
)
def test_the_closed_form_for_two_rows(x, dtype):
    x = torch.tensor(x, dtype=dtype)
    (a, b), (c, d) = x.double()
    p = torch.sigmoid((a + d - b - c) / 2)
    limit = torch.stack([torch.stack([p, 1 - p]), torch.stack([1 - p, p])])
    # P = D K D' with both sums within ε of 1 is within 2ε of the limit: two rows, entries ≤ 1
    fmt = format_of(str(dtype))
    near = 4 * row_sum_bound(2, fmt, stopping_residual(2, fmt))
    assert (sinkhorn(x).double() - limit).abs().max() <= near
    assert (sinkhorn(x).double() - limit.flip(0)).abs().max() > near or p == 0.5


def test_rounds_are_those_of_the_formula():
    """With exact arithmetic on numbers that binary64 holds: [[2, 1], [1, 1]] after one round."""
    x = torch.tensor([[2.0, 1.0], [1.0, 1.0]], dtype=torch.float64).log()
    exact = np.array([[Fraction(4, 7), Fraction(2, 5)], [Fraction(3, 7), Fraction(3, 5)]])
    found = as_fractions(sinkhorn(x, rounds=1).numpy())
    # the logarithms are rounded, the rest is within the bound of a column
    slack = 8 * column_sum_bound(2, format_of("float64"))
    assert abs(found - exact).max() <= slack
    assert abs(as_fractions(sinkhorn(x, rounds=2).numpy()) - exact).max() > slack


@pytest.mark.parametrize("rounds", [1, 2, 7])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_gradients_of_every_round(n, rounds):
    x = logits(n, torch.float64, batch=(2,)).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: sinkhorn(x, rounds=rounds), (x,))


def test_gradients_at_the_limit_are_orthogonal_to_shifts():
    """Adding a number to a row or a column of logits changes nothing."""
    x = logits(4, torch.float64).requires_grad_()
    weights = logits(4, torch.float64, seed=1)
    (gradient,) = torch.autograd.grad((sinkhorn(x, rounds=200) * weights).sum(), x)
    for axis in (0, 1):
        shifts = gradient.sum(axis).abs().max()
        assert shifts <= 1000 * column_sum_bound(4, format_of("float64")) * gradient.abs().max()


def test_layouts_batches_and_vmap():
    x = logits(3, torch.float64, batch=(2, 4))
    together = sinkhorn(x, rounds=5)
    slack = 8 * column_sum_bound(3, format_of("float64"))
    for i, j in np.ndindex(2, 4):
        assert (sinkhorn(x[i, j], rounds=5) - together[i, j]).abs().max() <= slack
    turned = sinkhorn(x.mT.contiguous().mT, rounds=5)
    assert (turned - together).abs().max() <= slack
    mapped = torch.vmap(lambda x: sinkhorn(x, rounds=5))(x[0])
    assert (mapped - together[0]).abs().max() <= slack
    assert sinkhorn(x[:0]).shape == (0, 4, 3, 3)
    before = x.clone()
    sinkhorn(x)
    assert torch.equal(x, before)


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
def test_bounds_grow_with_the_size_and_stop_where_nothing_is_derived(fmt):
    sizes = [column_sum_bound(n, fmt) for n in (1, 2, 8, 64)]
    assert sizes == sorted(sizes)
    assert 0 < stopping_residual(1, fmt) < stopping_residual(2, fmt)
    assert row_sum_bound(3, fmt, 0.0) < row_sum_bound(3, fmt, 1e-3)
    too_many = int(1 / (32 * working_format(fmt).unit_roundoff))
    for bound in (stopping_residual, column_sum_bound):
        with pytest.raises(ValueError, match="no bound is derived"):
            bound(too_many, fmt)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("scale", [10.0, 30.0])
@pytest.mark.parametrize("n", [2, 4, 8])
def test_the_limit_is_reached_where_rounds_hardly_move(n, scale, dtype):
    fmt = format_of(str(dtype))
    bound = row_sum_bound(n, fmt, stopping_residual(n, fmt))
    x = logits(n, dtype, scale=scale, batch=(8,))
    P = sinkhorn(x)
    assert defects(P)[1] <= column_sum_bound(n, fmt)
    assert defects(P)[0] <= bound
    assert defects(sinkhorn(x, rounds=20))[0] > bound


def test_two_rows_far_apart():
    """A round gains a share of e⁻²⁰ only; the closed form is met all the same."""
    P = sinkhorn(torch.tensor([[20.0, 0.0], [0.5, 20.0]], dtype=torch.float64))
    p = torch.sigmoid(torch.tensor((20.0 + 20.0 - 0.5) / 2, dtype=torch.float64))
    fmt = format_of("float64")
    assert abs(P[0, 0] - p) <= 4 * row_sum_bound(2, fmt, stopping_residual(2, fmt))


def test_a_matrix_does_not_depend_on_its_batch():
    x = logits(4, torch.float32, batch=(6,))
    x[3:] *= 20
    together = sinkhorn(x)
    for i in range(6):
        assert torch.equal(sinkhorn(x[i]), together[i])
        assert torch.equal(sinkhorn(x[i : i + 1])[0], together[i])
    x[5, 0, 0] = torch.nan
    poisoned = sinkhorn(x)
    assert torch.equal(poisoned[:5], together[:5])
    assert poisoned[5].isnan().all()


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("scale", [1.0, 4.0])
def test_the_implicit_gradient(n, scale):
    x = logits(n, torch.float64, scale=scale, batch=(2,)).requires_grad_()
    assert torch.autograd.gradcheck(sinkhorn, (x,))
    assert torch.autograd.gradgradcheck(sinkhorn, (x,))


def exact_gradient(a, b, c, d, G):
    """Of two rows: dp/da = p(1 − p)/2, and the sign of each logit."""
    p = torch.sigmoid((a + d - b - c) / 2)
    slope = p * torch.sigmoid(-(a + d - b - c) / 2) / 2
    signs = torch.tensor([[1.0, -1.0], [-1.0, 1.0]], dtype=G.dtype)
    return slope * (signs * G).sum() * signs


@pytest.mark.parametrize("apart", [0.0, 1.0, 10.0, 30.0])
def test_the_implicit_gradient_of_two_rows(apart):
    x = torch.tensor([[apart, 0.0], [0.25, apart]], dtype=torch.float64, requires_grad=True)
    G = logits(2, torch.float64, seed=1)
    (found,) = torch.autograd.grad((sinkhorn(x) * G).sum(), x)
    (a, b), (c, d) = x.detach()
    exact = exact_gradient(a, b, c, d, G)
    fmt = format_of("float64")
    # P is off by 2ε, four products of numbers of the size of G, and a sum that leaves their digits
    slack = 16 * row_sum_bound(2, fmt, stopping_residual(2, fmt)) * G.abs().sum()
    assert (found - exact).abs().max() <= slack
    # the wrong ones: the sums of rows or columns not held, and the limit taken for a constant
    P = sinkhorn(x.detach())
    for wrong in (P * G, P * (G - (P * G).sum(-1, keepdim=True)), torch.zeros_like(G)):
        assert (wrong - exact).abs().max() > slack or apart == 30.0


def test_the_implicit_gradient_is_that_of_many_rounds():
    x = logits(4, torch.float64, scale=2.0).requires_grad_()
    G = logits(4, torch.float64, seed=1)
    (through,) = torch.autograd.grad((sinkhorn(x, rounds=1000) * G).sum(), x)
    (implicit,) = torch.autograd.grad((sinkhorn(x) * G).sum(), x)
    with torch.no_grad():
        smallest = 1 - torch.linalg.svdvals(sinkhorn(x))[1] ** 2  # what the residual is divided by
    slack = 64 * stopping_residual(4, format_of("float64")) * G.abs().sum() / smallest
    assert (through - implicit).abs().max() <= slack
    (few,) = torch.autograd.grad((sinkhorn(x, rounds=2) * G).sum(), x)
    assert (through - few).abs().max() > slack


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # from inside torch.compile
def test_the_limit_compiles_without_graph_breaks():
    x = logits(3, torch.float64, batch=(2,)).requires_grad_()
    compiled = torch.compile(sinkhorn, fullgraph=True, backend="aot_eager")
    G = logits(3, torch.float64, seed=1)
    for f in (compiled, torch.vmap(sinkhorn)):
        assert torch.equal(f(x), sinkhorn(x))
        (found,) = torch.autograd.grad((f(x) * G).sum(), x)
        (expected,) = torch.autograd.grad((sinkhorn(x) * G).sum(), x)
        slack = 8 * stopping_residual(3, format_of("float64")) * G.abs().sum()
        assert (found - expected).abs().max() <= slack


def test_errors_say_what_to_do():
    x = logits(3, torch.float64)
    with pytest.raises(RuntimeError, match="give a number of rounds, a larger tolerance"):
        sinkhorn(x, tolerance=0.0)
    with pytest.raises(ValueError, match="not both"):
        sinkhorn(x, rounds=1, tolerance=0.1)
    with pytest.raises(ValueError, match="rounds must be an integer ≥ 1, got 0"):
        sinkhorn(x, rounds=0)
    with pytest.raises(ValueError, match="axis n of logits has size 2, expected 3"):
        sinkhorn(x[:, :2])
