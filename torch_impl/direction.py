"""The unit direction of a vector, by either of the two normalisations in use.

direction == k/max(‖k‖, ε), or k/√(‖k‖² + ε²)

The two differ: the first has length 1 from ‖k‖ = ε on, the second never. Entries are divided by
the largest first, so that no square overflows or vanishes; gradients are finite at 0 too.
"""

from typing import Literal

import torch
from torch import Tensor

from .arguments import check_arguments

_HALF = (torch.bfloat16, torch.float16)


def direction(
    k_raw: Tensor, *, normalise: Literal["max", "root"] = "max", eps: float = 1e-12
) -> Tensor:
    """Return the direction of ``k_raw``.

    Parameters
    ----------
    k_raw : (..., d)
        Any finite vector, float64, float32, bfloat16 or float16; half formats are computed in
        float32 and rounded once.
    normalise : {"max", "root"}
        k/max(‖k‖, ε), or k/√(‖k‖² + ε²).
    eps : float
        ε > 0.

    Returns
    -------
    Tensor
        (..., d), within `numeric.spelled_direction.spelled_direction_bound`.

    Raises
    ------
    TypeError, ValueError
        As `check_arguments`; also for an unknown `normalise` or an ε that is not positive.

    Notes
    -----
    Claims delta.rms_direction, delta.key_gradient, delta.eigenvalue_regularised. With the second
    the eigenvalue along k is 1 − β‖k‖²/(‖k‖² + ε²): at the gate 2 no reflection.
    """
    check_arguments("direction", k_raw=(k_raw, "d"))
    if normalise not in ("max", "root"):
        raise ValueError(f"direction: normalise must be 'max' or 'root', got {normalise!r}")
    if not eps > 0:
        raise ValueError(f"direction: eps must be positive, got {eps!r}")
    k = k_raw.to(torch.float32 if k_raw.dtype in _HALF else k_raw.dtype)
    largest = k.detach().abs().amax(-1, keepdim=True)
    if normalise == "root":
        scale = largest.clamp_min(eps)
        x = k / scale
        unit = x / ((x * x).sum(-1, keepdim=True) + (eps / scale) ** 2).sqrt()
        return unit.to(k_raw.dtype)
    # A length that may exceed ε has a largest entry above ε/d. Below it k is not scaled, and the
    # branch that is not chosen stays finite, and so does its gradient.
    scale = torch.where(largest * k.shape[-1] > eps, largest, 1.0)
    x = k / scale
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    unit = x / length.clamp_min(1.0)
    return torch.where(scale * length > eps, unit, k / eps).to(k_raw.dtype)
