"""Rounding-error bounds of the delta operator and update.

delta_update_bound   == X + β k (vᵀ − kᵀX), read-out first
delta_operator_bound == I − β k kᵀ

Inputs are the exact ones: numbers of the format that the operator was given. Notation and model:
`numeric.rounding`; υ is the format's ``underflow_unit``.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .formats import Format
from .rounding import as_floats, dot_growth, outward, relative_growth, up

# Evaluating a bound in binary64 may lose to underflow what the operator did: υ counts twice.
_UNDERFLOW_SHARE = 2


def delta_update_bound(
    X: ArrayLike, k: ArrayLike, v: ArrayLike, beta: ArrayLike, fmt: Format
) -> NDArray[np.float64]:
    """Bound the error of `torch_impl.delta.delta_update`, entry by entry.

    Parameters
    ----------
    X : (..., d, m)
    k : (..., d)
    v : (..., m)
    beta : (...)
        The exact inputs, float64 or Fractions; leading axes broadcast.
    fmt
        The format computed in.

    Returns
    -------
    (..., d, m) float64, rounded up:
    r·abs(X_ij) + ((1+r)⁴ − 1)·abs(βk_i v_j) + ((1+r)⁴(1+d·r) − 1)·abs(βk_i)·(abs(k)ᵀabs(X_j))
    plus the underflow term below.

    Notes
    -----
    Claim rounding.delta_update. *Derivation.* The read-out is ρ_j = kᵀX_j + ε_j, summed in any
    order, abs(ε_j) ≤ d·r·(abs(k)ᵀabs(X_j)) (`numeric.rounding`). Then e_j = (v_j − ρ_j)(1 + δ₁),
    w_j = βe_j(1 + δ₂), and X'_ij = (X_ij + k_i w_j(1 + δ₃))(1 + δ₄). So X_ij meets δ₄, βk_i v_j
    meets δ₁ to δ₄, and βk_iρ_j meets δ₁ to δ₄ after an error of relative size d·r.
    A fused last step has δ₃ = 0. A last step in binary32, rounded once, has δ₃ = 0 too, but then
    rounds twice: that differs from rounding once only where the sum y = X_ij + k_i w_j comes within
    binary32's roundoff r₃₂ of a midpoint of the format; since X_ij is no midpoint,
    abs(k_i w_j) ≥ (r/2 − r₃₂)·abs(y) there, and the excess r₃₂·abs(y) is less than r·abs(k_i w_j):
    it fits into the unused δ₃.
    Underflow: d products and one more sum in ρ and e, each passed on by abs(βk_i); one in w, passed
    on by abs(k_i); two in the last step; all within later roundings:
    υ·(1+r)⁴(1+d·r)·((d+1)·abs(βk_i) + abs(k_i) + 2).
    Where ``fmt.flushes``, nonzero inputs are to be at least ``smallest_normal``.
    """
    X, k, v, beta = (as_floats(x) for x in (X, k, v, beta))
    d, r = X.shape[-2], fmt.unit_roundoff
    through = (1 + relative_growth(4, r)) * (1 + dot_growth(d, r))
    beta, k, v = beta[..., None, None], k[..., :, None], v[..., None, :]
    read_out = (k * X).sum(axis=-2, keepdims=True)
    bound = (
        up(r) * X
        + up(relative_growth(4, r)) * beta * k * v
        + up(through - 1) * beta * k * read_out
        + up(_UNDERFLOW_SHARE * fmt.underflow_unit * through) * ((d + 1) * beta * k + k + 2)
    )
    return outward(bound, d + 16)


def delta_operator_bound(k: ArrayLike, beta: ArrayLike, fmt: Format) -> NDArray[np.float64]:
    """Bound the error of `torch_impl.delta.delta_operator`, entry by entry.

    Parameters
    ----------
    k : (..., d)
    beta : (...)
        The exact inputs, float64 or Fractions; leading axes broadcast.
    fmt
        The format computed in.

    Returns
    -------
    (..., d, d) float64, rounded up:
    r·I_ij + ((1+r)³ − 1)·abs(βk_i k_j) + 2υ(1+r)²(abs(β) + 2).

    Notes
    -----
    *Derivation.* k_i k_j meets one rounding, its product with β a second, the difference from I_ij
    a third, which is all that I_ij meets; a fused or wider last step as in `delta_update_bound`.
    """
    k, beta = as_floats(k), as_floats(beta)[..., None, None]
    r = fmt.unit_roundoff
    bound = (
        up(r) * np.eye(k.shape[-1])
        + up(relative_growth(3, r)) * beta * k[..., :, None] * k[..., None, :]
        + up(_UNDERFLOW_SHARE * fmt.underflow_unit * (1 + r) ** 2) * (beta + 2)
    )
    return outward(bound, 16)
