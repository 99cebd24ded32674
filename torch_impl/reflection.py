"""The reflection x − 2k(kᵀx) along a direction.

reflect == x − 2 k (kᵀx), the operator I − 2kkᵀ never formed

The direction is used as given: normalising it is the caller's business.
"""

import torch
from torch import Tensor

from .arguments import check_arguments


def reflect(x: Tensor, k: Tensor) -> Tensor:
    """Return x − 2 k (kᵀx), read-out first.

    Parameters
    ----------
    x : (..., n, m)
        State, reflected column by column.
    k : (..., n)
        Axis; unit for the theorems, any for the formula itself.

    Both of one dtype, float64, float32, bfloat16 or float16; leading axes broadcast.

    Returns
    -------
    Tensor
        (..., n, m), within `numeric.reflection.reflect_bound` of the exact value, entry by entry,
        where nothing overflows (and, in bfloat16, no input is subnormal).

    Raises
    ------
    TypeError, ValueError
        As `check_arguments`.

    Notes
    -----
    Claims reflection.negates_its_axis_only, reflection.negates_rank_one_only,
    reflection.adaptive_axis_negates. Source: the E∆-MHC-Geo Transformer, the Householder branch.
    """
    check_arguments("reflect", x=(x, "n m"), k=(k, "n"))
    read_out = k.unsqueeze(-2) @ x
    return torch.addcmul(x, k.unsqueeze(-1), read_out, value=-2)
