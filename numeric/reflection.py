"""The rounding-error bound of the reflection.

reflect_bound == x − 2 k (kᵀx), read-out first

Inputs are the exact ones: numbers of the format that the operator was given. Notation and model:
`numeric.rounding`; υ is the format's ``underflow_unit``.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .formats import Format
from .rounding import as_floats, dot_growth, outward, relative_growth, up

# Evaluating a bound in binary64 may lose to underflow what the operator did: υ counts twice.
_UNDERFLOW_SHARE = 2


def reflect_bound(x: ArrayLike, k: ArrayLike, fmt: Format) -> NDArray[np.float64]:
    """Bound the error of `torch_impl.reflection.reflect`, entry by entry.

    Parameters
    ----------
    x : (..., n, m)
    k : (..., n)
        The exact inputs, float64 or Fractions; leading axes broadcast.
    fmt
        The format computed in.

    Returns
    -------
    (..., n, m) float64, rounded up:
    r·abs(x_ij) + ((1+r)²(1+n·r) − 1)·2·abs(k_i)·(abs(k)ᵀabs(x_j)) plus the underflow term below.

    Notes
    -----
    *Derivation.* The read-out is ρ_j = kᵀx_j + ε_j, summed in any order,
    abs(ε_j) ≤ n·r·(abs(k)ᵀabs(x_j)) (`numeric.rounding`). Doubling is exact. Then the result is
    (x_ij − 2k_iρ_j(1 + δ₁))(1 + δ₂): x_ij meets δ₂, and 2k_iρ_j meets δ₁ and δ₂ after an error of
    relative size n·r. A fused or wider last step as in `numeric.delta.delta_update_bound`.
    Underflow: n products in ρ, each passed on by 2·abs(k_i); two in the last step; all within later
    roundings: υ·(1+r)²(1+n·r)·(2n·abs(k_i) + 2).
    Where ``fmt.flushes``, nonzero inputs are to be at least ``smallest_normal``.
    """
    x, k = as_floats(x), as_floats(k)[..., :, None]
    n, r = x.shape[-2], fmt.unit_roundoff
    through = (1 + relative_growth(2, r)) * (1 + dot_growth(n, r))
    read_out = (k * x).sum(axis=-2, keepdims=True)
    bound = (
        up(r) * x
        + up(2 * (through - 1)) * k * read_out
        + up(_UNDERFLOW_SHARE * fmt.underflow_unit * through) * (2 * n * k + 2)
    )
    return outward(bound, n + 16)
