"""The operators spelled as the formulas are printed: peers for tests and benchmarks.

naive_delta_update           == the update by two einsums
published_delta_update       == the update as the published block spells it
naive_cayley_rank_two        == the closed form, ω² = ‖u‖²‖v‖² − (u·v)²
naive_cayley_rank_two_solve  == S is built, then (I + S) Q = I − S is solved

The last two lose orthogonality: the first at small angles, the second at large gates.
"""

import torch
from torch import Tensor


def naive_delta_update(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Return X + β k (vᵀ − kᵀX), each product an einsum."""
    read_out = torch.einsum("...d,...dm->...m", k, X)
    return X + beta[..., None, None] * torch.einsum("...d,...m->...dm", k, v - read_out)


def published_delta_update(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Return X + β k (vᵀ − kᵀX) as the published block's forward computes it, eagerly.

    The read-out is a broadcast product summed over the rows, the gate meets the row v − kᵀX, and
    the update is a broadcast outer product added last: three temporaries of the state's size
    where autograd records them. The block's projections of k, v, β, its normalisation of k and
    its casts are left out, being no part of the update.
    """
    read_out = (k.unsqueeze(-1) * X).sum(-2)
    row = beta.unsqueeze(-1) * (v - read_out)
    return X + k.unsqueeze(-1) * row.unsqueeze(-2)


def naive_cayley_rank_two(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Return I − 2s/(1 + s²ω²)(W − sW²), s = β/2, ω² by the subtraction that cancels."""
    W = _wedge(u, v)
    s = beta / 2
    omega_squared = (u * u).sum(-1) * (v * v).sum(-1) - (u * v).sum(-1) ** 2
    factor = 2 * s / (1 + s**2 * omega_squared)
    return _eye(u) - factor[..., None, None] * (W - s[..., None, None] * (W @ W))


def naive_cayley_rank_two_solve(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Return (I + S)⁻¹(I − S), S = (β/2)(u vᵀ − v uᵀ), by a dense solve."""
    skew = (beta / 2)[..., None, None] * _wedge(u, v)
    return torch.linalg.solve(_eye(u) + skew, _eye(u) - skew)


def _wedge(u: Tensor, v: Tensor) -> Tensor:
    outer = u.unsqueeze(-1) * v.unsqueeze(-2)
    return outer - outer.mT


def _eye(u: Tensor) -> Tensor:
    return torch.eye(u.shape[-1], dtype=u.dtype, device=u.device)
