"""Rounding-error bounds of the delta operator and update.

delta_update_bound   == X + β k (vᵀ − kᵀX), read-out first
delta_update_operator_first_bound == (I − β k kᵀ) X + β k vᵀ, the operator formed
delta_update_either_bound == the larger of the two: for an update whose spelling is not known
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


def delta_update_operator_first_bound(
    X: ArrayLike, k: ArrayLike, v: ArrayLike, beta: ArrayLike, fmt: Format
) -> NDArray[np.float64]:
    """Bound the error of (I − βkkᵀ)X + βkvᵀ, entry by entry, where the operator is formed.

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
    ((1+r)^(d+4) − 1)(abs(X_ij) + abs(βk_i)·(abs(k)ᵀabs(X_j)) + abs(βk_i v_j))
    plus the underflow term below.

    Notes
    -----
    Claim rounding.delta_update_operator_first. *Derivation.* Of a row of the operator, I_ih meets
    one rounding and βk_i k_h three. Its product with a column, in any order, has a relative error
    of d·r, and (1+r)³(1+d·r) is at most (1+r)^(d+3). βk_i v_j meets two roundings; the last sum is
    one for all.
    Underflow: an entry of the operator loses at most υ(abs(β) + abs(k_h) + 1), whichever product
    comes first, which X passes on; the d products with X lose υ each, βk_i v_j
    υ(abs(β) + abs(k_i) + abs(v_j) + 1), the last sum υ; all within later roundings.
    Where ``fmt.flushes``, nonzero inputs are to be at least ``smallest_normal``.
    """
    X, k, v, beta = (as_floats(x) for x in (X, k, v, beta))
    d = X.shape[-2]
    growth = relative_growth(d + 4, fmt.unit_roundoff)
    beta, column, v = beta[..., None, None], k[..., :, None], v[..., None, :]
    read_out = (column * X).sum(axis=-2, keepdims=True)
    lost = ((beta + column + 1) * X).sum(axis=-2, keepdims=True) + (beta + column + v) + d + 2
    bound = (
        up(growth) * (X + beta * column * read_out + beta * column * v)
        + up(_UNDERFLOW_SHARE * fmt.underflow_unit * (1 + growth)) * lost
    )
    return outward(bound, d + 16)


def delta_update_either_bound(
    X: ArrayLike, k: ArrayLike, v: ArrayLike, beta: ArrayLike, fmt: Format
) -> NDArray[np.float64]:
    """Bound the error of the delta update, read-out first or operator first, in any order.

    The larger of `delta_update_bound` and `delta_update_operator_first_bound`, which take the same
    arguments. Claims rounding.delta_update, rounding.delta_update_operator_first.
    """
    return np.maximum(
        delta_update_bound(X, k, v, beta, fmt),
        delta_update_operator_first_bound(X, k, v, beta, fmt),
    )


def delta_update_gradient_bounds(
    X: ArrayLike, k: ArrayLike, v: ArrayLike, beta: ArrayLike, G: ArrayLike, fmt: Format
) -> tuple[NDArray[np.float64], ...]:
    """Bound the errors of the gradients of `torch_impl.delta.delta_update`, entry by entry.

    Parameters
    ----------
    X : (..., d, m)
    k : (..., d)
    v : (..., m)
    beta : (...)
        The exact inputs, float64 or Fractions, all with the same leading axes.
    G : (..., d, m)
        The exact gradient of the result.
    fmt
        The format computed in.

    Returns
    -------
    Bounds of the shapes of X, k, v and beta, float64, rounded up, where nothing underflows. With
    ĝ = abs(G)ᵀabs(k), ê = abs(v) + abs(X)ᵀabs(k), q = 1 + d·r and w = 1 + m·r:
    X: r·abs(G) + ((1+r)³q − 1)·abs(βk)ĝᵀ;  k: ((1+r)³qw − 1)·abs(β)(abs(G)ê + abs(X)ĝ);
    v: ((1+r)q − 1)·abs(β)ĝ;  beta: ((1+r)q²w − 1)·ĝᵀê.

    Notes
    -----
    *Derivation.* g = Gᵀk is d·r off, relative to ĝ, and h = βg meets one rounding more. G − k hᵀ
    adds the product and the difference, which is all that G meets. e = v − Xᵀk meets one rounding
    after the d·r of its inner products, βe one more; G(βe) and X h add m·r each, and their
    difference one. g·e collects d·r from g, d·r and one rounding from e, and m·r.
    """
    X, k, v, beta, G = (as_floats(x) for x in (X, k, v, beta, G))
    (d, m), r = X.shape[-2:], fmt.unit_roundoff
    q, w = 1 + dot_growth(d, r), 1 + dot_growth(m, r)
    g = (k[..., :, None] * G).sum(axis=-2)
    e = v + (k[..., :, None] * X).sum(axis=-2)
    gate = beta[..., None]
    written = gate[..., None] * k[..., :, None] * g[..., None, :]
    read = gate * ((G * e[..., None, :]).sum(axis=-1) + (X * g[..., None, :]).sum(axis=-1))
    bounds = (
        up(r) * G + up((1 + r) ** 3 * q - 1) * written,
        up((1 + r) ** 3 * q * w - 1) * read,
        up((1 + r) * q - 1) * gate * g,
        up((1 + r) * q**2 * w - 1) * (g * e).sum(axis=-1),
    )
    return tuple(outward(bound, 2 * d + m + 16) for bound in bounds)


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
