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
        As `check_arguments` and `check_out`.

    Notes
    -----
    Claims delta.rank_one_form, delta.eigenvalue_along_k, delta.eigenvalue_off_k,
    delta.worked_example, rounding.delta_update. Source: Deep Delta Learning, the rank-one
    form of the delta residual block.
    """
    batch = check_arguments("delta_update", X=(X, "d m"), k=(k, "d"), v=(v, "m"), beta=(beta, ""))
    if out is not None:
        check_out("delta_update", out, (*batch, *X.shape[-2:]), X.dtype)
    read_out = k.unsqueeze(-2) @ X
    written = beta[..., None, None] * (v.unsqueeze(-2) - read_out)
    return torch.addcmul(X, k.unsqueeze(-1), written, out=out)


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
