"""Doubly stochastic matrices from logits, by Sinkhorn and Knopp's iteration.

sinkhorn == diag(u) exp(logits) diag(v), rows and columns scaled in turns, or their limit

Two scaling vectors are iterated, the matrix stays as it is: nothing is ever divided by a sum plus
an ε, and after a column step the columns sum to 1 up to rounding. The rows only tend to 1: the
iteration never ends for most starts (birkhoff.finite_sinkhorn_exact_reading).

The limit is where the convex g(x) = Σ_j log Σ_i exp(L_ij + x_i) − Σ_i x_i is least: its gradient is
the row sums less 1 once the columns are scaled, and its Hessian, with P the matrix so scaled, is
the Laplacian of the graph with weights (P Pᵀ)_il. Rounds gain a factor σ₂(P)² each, next to nothing
where the logits are far apart; so after a few of them Newton steps follow. No step spreads x by
more than 1: within that g falls by at least 0.28 of what its gradient promises (the third
derivative along d is at most the spread of d times the second), so that the steps arrive from
anywhere. The derivative of the limit solves the same Laplacian, once, whatever the number of steps.
"""

import torch
from torch import Tensor

from ..numeric.birkhoff import stopping_residual
from ..numeric.formats import format_of
from .arguments import check_arguments

_HALF = (torch.bfloat16, torch.float16)
_ROUNDS_FIRST = 8
MOST_STEPS = 500
"""The limit is given up after so many rounds and Newton steps."""


def sinkhorn(
    logits: Tensor, *, rounds: int | None = None, tolerance: float | None = None
) -> Tensor:
    """Return the doubly stochastic matrix of exp(logits).

    Parameters
    ----------
    logits : (..., n, n)
        Any finite logits, float64, float32, bfloat16 or float16; half formats are iterated in
        float32 and rounded once.
    rounds : int, optional
        How many rounds, at least 1; each scales the rows, then the columns.
    tolerance : float, optional
        Without `rounds`, the limit: stop where the rows sum to 1 within this, each matrix by
        itself; by default `numeric.birkhoff.stopping_residual`, what rounding alone explains.

    Returns
    -------
    Tensor
        (..., n, n), entries ≥ 0. The columns sum to 1 within `numeric.birkhoff.column_sum_bound`,
        always; the rows within `numeric.birkhoff.row_sum_bound` of the tolerance, where no number
        of rounds was given. A matrix does not depend on the others of its batch. NaN where logits
        are NaN. Differentiable: through every round where they are counted; at the limit by the
        implicit derivative, backward only, to any order.

    Raises
    ------
    TypeError, ValueError
        As `check_arguments`; also for `rounds` below 1, or together with a `tolerance`.
    RuntimeError
        If the tolerance is not reached in `MOST_STEPS` steps: it is smaller than rounding allows,
        or the logits are so large that one rounding of them matters.

    Notes
    -----
    Claims birkhoff.column_step_exact, birkhoff.two_by_two_limit: for n = 2 the limit of
    logits [[a, b], [c, d]] is [[p, 1 − p], [1 − p, p]] with p = σ((a + d − b − c)/2). Logits are
    shifted, rows and then columns, so that every row and every column of K has a largest entry
    exp(0) = 1, and no sum of the first round underflows. Source: manifold-constrained
    hyper-connections.
    """
    check_arguments("sinkhorn", logits=(logits, "n n"))
    if rounds is not None and tolerance is not None:
        raise ValueError("sinkhorn: give rounds or a tolerance, not both")
    if rounds is not None and (isinstance(rounds, bool) or rounds < 1):
        raise ValueError(f"sinkhorn: rounds must be an integer ≥ 1, got {rounds!r}")
    working = logits.to(torch.float32 if logits.dtype in _HALF else logits.dtype)
    made = _limit(working, tolerance) if rounds is None else _rounds(working, rounds)
    return made.to(logits.dtype)


def _shifted(logits: Tensor) -> tuple[Tensor, Tensor]:
    """Return logits whose rows and columns have the largest entry 0, and the shift of the columns.

    Scaled rows and columns are taken back by u and v: no iterate changes, so no gradient does.
    """
    logits = logits - logits.detach().amax(-1, keepdim=True)
    columns = logits.detach().amax(-2, keepdim=True)
    return logits - columns, columns.squeeze(-2)


def _rounds(logits: Tensor, rounds: int) -> Tensor:
    """Return the matrix after so many rounds, differentiable through each."""
    logits, columns = _shifted(logits)
    K, v = logits.exp(), columns.exp()
    u = v
    for _ in range(rounds):
        u = _times(K, v).reciprocal()
        v = _times(K.mT, u).reciprocal()
    return (u.unsqueeze(-1) * K) * v.unsqueeze(-2)


def _times(matrix: Tensor, vector: Tensor) -> Tensor:
    return (matrix @ vector.unsqueeze(-1)).squeeze(-1)


_LIMIT = "deltaproof::doubly_stochastic_limit"
# An operator of its own, since when to stop depends on the numbers: compilers take it as it is.
torch.library.define(_LIMIT, "(Tensor logits, float? tolerance) -> Tensor")


def _limit(logits: Tensor, tolerance: float | None) -> Tensor:
    return torch.ops.deltaproof.doubly_stochastic_limit(logits, tolerance)


@torch.library.impl(_LIMIT, "default")
def _reached(logits: Tensor, tolerance: float | None) -> Tensor:
    """Return the limit of Sinkhorn's iteration, float64 or float32.

    Matrices come last, so that every operation runs along them: (n, n, matrices).
    """
    shape, n = logits.shape, logits.shape[-1]
    if tolerance is None:
        tolerance = stopping_residual(n, format_of(str(logits.dtype)))
    logits = _shifted(logits)[0].reshape(-1, n, n).movedim(0, -1).contiguous()
    # exponents of the rows, and factors near 1 that are exact where an exponent would be rounded
    x, u = torch.zeros_like(logits[:, 0]), torch.ones_like(logits[:, 0])
    K = logits.exp()
    worst = 0.0
    for step in range(MOST_STEPS):
        P = u.unsqueeze(1) * K
        P = P * P.sum(0).reciprocal()
        row_sums = P.sum(1)
        residual = (row_sums - 1).abs().amax(0)
        active = residual > tolerance  # a NaN is not: it goes on to the result
        if not active.any():
            return P.movedim(-1, 0).reshape(shape).contiguous()
        worst = float(residual.nan_to_num().max())
        if step < _ROUNDS_FIRST:
            moved = -row_sums.log()
        else:
            moved = _solved(P.double(), 1 - row_sums.double())
            moved = (moved / (moved.amax(0) - moved.amin(0)).clamp_min(1.0)).to(x.dtype)
        near = moved.abs().amax(0) < 1
        u = torch.where(active & near, u * moved.exp(), u)
        if (far := active & ~near).any():
            x = torch.where(far, x + moved, x)
            exponents = logits + x.unsqueeze(1)
            K = (exponents - exponents.amax(0)).exp()
    raise RuntimeError(
        f"sinkhorn: after {MOST_STEPS} steps the rows sum to 1 within {worst:.3g}, not "
        f"{tolerance:.3g}; give a number of rounds, a larger tolerance, or logits that lie closer "
        "together"
    )


def _solved(P: Tensor, right: Tensor) -> Tensor:
    """Return p, p_n = 0, with (diag(P 1) − P Pᵀ) p = right, where the columns of P sum to 1.

    The matrix is the Laplacian with the weights W_il = (P Pᵀ)_il, i ≠ l. One node after the other
    is eliminated, what joined it to two others joining these, and the diagonal is summed from the
    weights: nothing is subtracted (as Grassmann, Taksar and Heyman do for Markov chains), so that
    weights far below 1, of a P that is nearly a permutation, keep their digits. Float64,
    (n, n, matrices) and (n, matrices).
    """
    weights = torch.einsum("ik...,lk...->il...", P, P)
    # parts that no weight joins any more: the solution stays finite there, and 0 for 0
    least = torch.finfo(torch.float64).tiny ** 0.5
    eliminated = []
    for _ in range(len(P) - 1):
        joined, weights = weights[0, 1:], weights[1:, 1:]
        first, right = right[0], right[1:]
        total = joined.sum(0) + least
        share = joined / total
        eliminated.append((share, first / total))
        right = right + share * first
        weights = weights + share.unsqueeze(1) * joined
    p = torch.zeros_like(right)
    for share, own in reversed(eliminated):
        p = torch.cat([(own + (share * p).sum(0)).unsqueeze(0), p])
    return p


def _keep_limit(ctx, inputs, output: Tensor) -> None:
    ctx.save_for_backward(output)


def _pull_back(ctx, G: Tensor):
    """Return the gradient of the logits: P∘(G − p1ᵀ − 1qᵀ), its rows and columns summing to 0.

    These sums make p + Pq = (P∘G)1 and Pᵀp + q = (P∘G)ᵀ1, so that q follows from p, and p from the
    Laplacian with the right side Σ_l Σ_k P_ik P_lk (G_ik − G_lk), in which l = i drops out exactly.
    """
    (output,) = ctx.saved_tensors
    P, G = (x.double().movedim((-2, -1), (0, 1)) for x in (output, G))
    crossed = torch.einsum("ik...,lk...->il...", P * G, P)
    p = _solved(P, (crossed - crossed.transpose(0, 1)).sum(1))
    reduced = G - p.unsqueeze(1)
    made = P * (reduced - (P * reduced).sum(0))
    return made.movedim((0, 1), (-2, -1)).to(output.dtype), None


def _limits(info, in_dims, logits: Tensor, tolerance: float | None) -> tuple[Tensor, int]:
    return _limit(logits.movedim(in_dims[0], 0), tolerance), 0


torch.library.register_fake(
    _LIMIT,
    lambda logits, tolerance: torch.empty_like(logits, memory_format=torch.contiguous_format),
)
torch.library.register_autograd(_LIMIT, _pull_back, setup_context=_keep_limit)
torch.library.register_vmap(_LIMIT, _limits)
