"""The fixed-point iteration that stands in for the Cayley rotation of a generator αW.

fixed_point_cayley == Y_rounds, where Y_0 = I + αW and Y_(t+1) = I + (α/2) W (I + Y_t)

An iterate is no rotation: with N = (α/2)W its defect YᵀY − I is four times a sum of powers of N
(iterative.defect), and the iterates approach (I − N)⁻¹(I + N) only where ‖N‖ < 1.
"""

import torch
from torch import Tensor

from .arguments import check_arguments

_HALF = (torch.bfloat16, torch.float16)


def fixed_point_cayley(W: Tensor, alpha: Tensor, rounds: int) -> Tensor:
    """Return Y_rounds of the fixed-point iteration.

    Parameters
    ----------
    W : (..., n, n)
        Generator, skew where the iterates are to approach a rotation. Skewness is not checked.
    alpha : (...)
        Step, any real. Both of one dtype, float64, float32, bfloat16 or float16; leading axes
        broadcast. Half formats are iterated in float32 and rounded once.
    rounds : int
        At least 0; none gives I + αW.

    Returns
    -------
    Tensor
        (..., n, n), within `numeric.iterative.fixed_point_cayley_bound` of the exact iterate, entry
        by entry. Differentiable.

    Raises
    ------
    TypeError, ValueError
        As `check_arguments`; also for `rounds` that are negative or no integer.

    Notes
    -----
    Claims iterative.series, iterative.defect, iterative.converges_iff. Source: JPmHC, the iterative
    Cayley transform.
    """
    check_arguments("fixed_point_cayley", W=(W, "n n"), alpha=(alpha, ""))
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 0:
        raise ValueError(f"fixed_point_cayley: rounds must be an integer ≥ 0, got {rounds!r}")
    working = torch.float32 if W.dtype in _HALF else W.dtype
    W, step = W.to(working), alpha.to(working)[..., None, None]
    eye = torch.eye(W.shape[-1], dtype=working, device=W.device)
    generator = (step / 2) * W
    Y = eye + step * W
    for _ in range(rounds):
        Y = eye + generator @ (eye + Y)
    return Y.to(alpha.dtype)
