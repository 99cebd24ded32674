"""The delta operator A = I − βkkᵀ, and the update X' = X + βk(vᵀ − kᵀX).

delta_update   == X + β k (vᵀ − kᵀX), the operator never formed
delta_operator == I − β k kᵀ

The direction is used as given: normalising it is the caller's business.
"""

import torch
from torch import Tensor

from .arguments import check_arguments, check_out


def delta_update(X: Tensor, k: Tensor, v: Tensor, beta: Tensor, *, out: Tensor | None = None):
    """Return X + β k (vᵀ − kᵀX), read-out first.

    Parameters
    ----------
    X : (..., d, m)
        State.
    k : (..., d)
        Direction; unit for the theorems on spectrum and norm, any for the update itself.
    v : (..., m)
        Value to write.
    beta : (...)
        Gate, any real.
    out : (..., d, m), optional
        Receives the result, without autograd; may be ``X`` itself.

    All of one dtype, float64, float32, bfloat16 or float16; leading axes broadcast.

    Returns
    -------
    Tensor
        (..., d, m), within `numeric.delta.delta_update_bound` of the exact value, entry by
        entry, where nothing overflows (and, in bfloat16, no input is subnormal).

    Raises
    ------
    TypeError, ValueError
        As `check_arguments` and `check_out`; also for an ``out`` where a gradient is required.

    Notes
    -----
    Claims delta.rank_one_form, delta.eigenvalue_along_k, delta.eigenvalue_off_k,
    delta.worked_example, rounding.delta_update. Source: Deep Delta Learning, the rank-one
    form of the delta residual block.
    """
    batch = check_arguments("delta_update", X=(X, "d m"), k=(k, "d"), v=(v, "m"), beta=(beta, ""))
    if out is None and torch.compiler.is_compiling():
        # Fused to one pass over the state, and so is the backward derived from it.
        row = beta[..., None, None] * (v.unsqueeze(-2) - k.unsqueeze(-2) @ X)
        return torch.addcmul(X, k.unsqueeze(-1), row)
    if out is None:
        Y, _ = _Update.apply(X, k, v, beta)  # pyright: ignore[reportGeneralTypeIssues]
        return Y
    check_out("delta_update", out, (*batch, *X.shape[-2:]), X.dtype)
    if torch.is_grad_enabled() and any(t.requires_grad for t in (X, k, v, beta)):
        raise ValueError("delta_update: out= does not support gradients; pass detached tensors")
    row = beta.unsqueeze(-1) * (v - _applied(X.mT, k))
    if out.untyped_storage().data_ptr() == X.untyped_storage().data_ptr():
        return torch.addcmul(X, k.unsqueeze(-1), row.unsqueeze(-2), out=out)
    return torch.matmul(k.unsqueeze(-1), row.unsqueeze(-2), out=out).add_(X)


class _Update(torch.autograd.Function):
    """X, k, v, β ↦ X + β k eᵀ and e = v − Xᵀk, with the derivative written out.

    With G the gradient of the first and g = Gᵀk, e receives h = βg beside its own gradient, and so
    v receives h, X receives G − k hᵀ, k receives G(βe) − X h, and β receives g·e. Autograd through
    the formula would pass over the state twice as often. The second output is an output only so
    that it may be saved: the backward is differentiable again through it.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> tuple[Tensor, Tensor]:
        e = v - _applied(X.mT, k)
        return _plus_outer(X, k, beta.unsqueeze(-1) * e), e

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        X, k, v, beta = inputs
        ctx.v_shape = v.shape
        ctx.save_for_backward(X, k, beta, output[1])
        ctx.save_for_forward(X, k, beta, output[1])

    @staticmethod
    def backward(ctx, G: Tensor, G_e: Tensor):  # pyright: ignore[reportIncompatibleMethodOverride]
        X, k, beta, e = ctx.saved_tensors
        gate = beta.unsqueeze(-1)
        g = _applied(G.mT, k)
        h = gate * g + G_e
        grad_X = grad_k = grad_beta = None
        needs_X, needs_k, _, needs_beta = ctx.needs_input_grad
        if needs_X:
            grad_X = _plus_outer(G, k, -h).sum_to_size(X.shape)
        if needs_k:
            grad_k = (_applied(G, gate * e) - _applied(X, h)).sum_to_size(k.shape)
        if needs_beta:
            grad_beta = (g * e).sum(-1).sum_to_size(beta.shape)
        return grad_X, grad_k, h.sum_to_size(ctx.v_shape), grad_beta

    @staticmethod
    def jvp(ctx, dX: Tensor, dk: Tensor, dv: Tensor, dbeta: Tensor):  # pyright: ignore[reportIncompatibleMethodOverride]
        X, k, beta, e = ctx.saved_tensors
        gate, dgate = beta.unsqueeze(-1), dbeta.unsqueeze(-1)
        de = dv - _applied(dX.mT, k) - _applied(X.mT, dk)
        dY = dX + dk.unsqueeze(-1) * (gate * e).unsqueeze(-2)
        return _plus_outer(dY, k, dgate * e + gate * de), de


def _applied(A: Tensor, x: Tensor) -> Tensor:
    """Return A x."""
    return (A @ x.unsqueeze(-1)).squeeze(-1)


def _plus_outer(A: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Return A + x yᵀ, where y has every leading axis of A.

    A batched product and a sum in its place: `torch.addcmul` is slow over short rows.
    """
    return (x.unsqueeze(-1) @ y.unsqueeze(-2)).add_(A)


def delta_operator(k: Tensor, beta: Tensor) -> Tensor:
    """Return A = I − β k kᵀ, exactly symmetric.

    Parameters
    ----------
    k : (..., d)
        Direction.
    beta : (...)
        Gate, any real, of the dtype of ``k``; leading axes broadcast.

    Returns
    -------
    Tensor
        (..., d, d), within `numeric.delta.delta_operator_bound`, entry by entry.

    Raises
    ------
    TypeError, ValueError
        As `check_arguments`.

    Notes
    -----
    Claims delta.rank_one_form, delta.eigenvalue_along_k, delta.eigenvalue_off_k,
    delta.determinant, delta.orthogonal_iff. Source: Deep Delta Learning.
    """
    check_arguments("delta_operator", k=(k, "d"), beta=(beta, ""))
    eye = torch.eye(k.shape[-1], dtype=k.dtype, device=k.device)
    # k kᵀ before β: a product of two entries does not depend on their order, β k · kᵀ does.
    outer = k.unsqueeze(-1) * k.unsqueeze(-2)
    return torch.addcmul(eye, outer, -beta[..., None, None])
