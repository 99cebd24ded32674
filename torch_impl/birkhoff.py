"""Doubly stochastic matrices from logits, by Sinkhorn and Knopp's iteration.

sinkhorn == diag(u) exp(logits) diag(v), rows and columns scaled in turns

Two scaling vectors are iterated, the matrix stays as it is: nothing is ever divided by a sum plus
an ε, and after a column step the columns sum to 1 up to rounding. The rows only tend to 1: the
iteration never ends for most starts (birkhoff.finite_sinkhorn_exact_reading).
"""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from ..numeric.birkhoff import stopping_residual
from ..numeric.formats import format_of
from .arguments import check_arguments

_HALF = (torch.bfloat16, torch.float16)
MOST_ROUNDS = 10_000
"""Where no number of rounds is given, so many without reaching the tolerance are an error."""


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
        Without `rounds`: stop after the round whose rows sum to 1 within this; by default
        `numeric.birkhoff.stopping_residual`, what rounding alone explains.

    Returns
    -------
    Tensor
        (..., n, n), entries ≥ 0. The columns sum to 1 within `numeric.birkhoff.column_sum_bound`,
        always; the rows within `numeric.birkhoff.row_sum_bound` of the tolerance, where no number
        of rounds was given. Differentiable: through every round, or once, at the limit, by a solve.

    Raises
    ------
    TypeError, ValueError
        As `check_arguments`; also for `rounds` below 1, or together with a `tolerance`.
    RuntimeError
        If the tolerance is not reached in `MOST_ROUNDS` rounds.

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
    n = logits.shape[-1]
    working = logits.to(torch.float32 if logits.dtype in _HALF else logits.dtype)
    # scaled rows and columns, taken back by u and v: no iterate changes, so no gradient does
    working = working - working.detach().amax(-1, keepdim=True)
    column_shift = working.detach().amax(-2, keepdim=True)
    K = (working - column_shift).exp()
    v = column_shift.squeeze(-2).exp()
    limit = MOST_ROUNDS if rounds is None else rounds
    if rounds is None and tolerance is None:
        tolerance = stopping_residual(n, format_of(str(logits.dtype)))
    row_sums = _times(K, v)
    u = v
    for _ in range(limit):
        u = row_sums.reciprocal()
        v = _times(K.mT, u).reciprocal()
        if tolerance is None:
            row_sums = _times(K, v)
            continue
        row_sums = _times(K, v)
        if _residual(u, row_sums) <= tolerance:
            break
    else:
        if tolerance is not None:
            raise RuntimeError(
                f"sinkhorn: after {limit} rounds the rows sum to 1 within "
                f"{_residual(u, row_sums):.3g}, not {tolerance:.3g}; give a number of rounds, a "
                "larger tolerance, or logits that lie closer together"
            )
    P = (u.unsqueeze(-1) * K) * v.unsqueeze(-2)
    if rounds is None:
        P = _Limit.apply(working, P.detach())
    return P.to(logits.dtype)


class _Limit(torch.autograd.Function):
    """The limit with its own derivative, however few rounds led there.

    What rows and columns take away is P∘(x1ᵀ + 1yᵀ), x + Py and Pᵀx + y the sums of G∘P
    (`numeric.sinkhorn_gradient`).
    """

    @staticmethod
    def forward(ctx, logits: Tensor, P: Tensor) -> Tensor:
        ctx.save_for_backward(P)
        return P.clone()

    @staticmethod
    @once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx, *gradients: Tensor
    ) -> tuple[Tensor, None]:
        (P,), (G,) = ctx.saved_tensors, gradients
        n, Z = P.shape[-1], G * P
        columns = Z.sum(-2).unsqueeze(-1)
        eye = torch.eye(n, dtype=P.dtype, device=P.device)
        system = eye - P @ P.mT + 1 / n
        x = torch.linalg.solve(system, Z.sum(-1, keepdim=True) - P @ columns)
        return Z - P * (x + (columns - P.mT @ x).mT), None


def _times(matrix: Tensor, vector: Tensor) -> Tensor:
    return (matrix @ vector.unsqueeze(-1)).squeeze(-1)


def _residual(u: Tensor, row_sums: Tensor) -> float:
    """The largest defect of a row sum, over the whole batch."""
    if not u.numel():
        return 0.0
    return float((u.detach() * row_sums.detach() - 1).abs().max())
