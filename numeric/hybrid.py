"""The rounding-error bound of the hybrid blend.

blend_bound == γ Q X + (1−γ) (X − 2 k (kᵀX))

Inputs are the exact ones: numbers of the format that the operator was given. Notation and model:
`numeric.rounding`; υ is the format's ``underflow_unit``.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .formats import Format
from .reflection import reflect_bound
from .rounding import as_floats, dot_growth, outward, relative_growth, up

# Evaluating a bound in binary64 may lose to underflow what the operator did: υ counts twice.
_UNDERFLOW_SHARE = 2


def blend_bound(
    X: ArrayLike, Q: ArrayLike, k: ArrayLike, gamma: ArrayLike, fmt: Format
) -> NDArray[np.float64]:
    """Bound the error of `torch_impl.hybrid.blend`, entry by entry.

    Parameters
    ----------
    X : (..., n, m)
    Q : (..., n, n)
    k : (..., n)
    gamma : (...)
        The exact inputs, float64 or Fractions; leading axes broadcast.
    fmt
        The format computed in.

    Returns
    -------
    (..., n, m) float64, rounded up, with P = abs(Q)abs(X), H = abs(X) + 2·abs(k)(abs(k)ᵀabs(X))
    and E the bound of the reflection:
    ((1+r)²(1+n·r) − 1)·abs(γ)·P + abs(1−γ)·(((1+r)³ − 1)·H + (1+r)³·E)
    plus the underflow term below.

    Notes
    -----
    *Derivation.* The rotated state is QX + ε, abs(ε) ≤ n·r·P (`numeric.rounding`), the reflected
    one HX + η, abs(HX) ≤ H and abs(η) ≤ E (`reflect_bound`); 1 − γ is rounded once, δ₁. Then the
    result is (γ(QX + ε)(1 + δ₂) + (1−γ)(1 + δ₁)(HX + η)(1 + δ₃))(1 + δ₄): the rotated share meets
    δ₂ and δ₄ after an error of relative size n·r, the reflected one δ₁, δ₃ and δ₄.
    Underflow: n products in QX, each passed on by abs(γ); one in 1 − γ, where subnormal results are
    flushed, passed on by H + E; two products and a sum; all within later roundings:
    υ·(1+r)³·(n·abs(γ) + H + E + 3).
    Where ``fmt.flushes``, nonzero inputs are to be at least ``smallest_normal``.
    """
    share, rest = (as_floats(x)[..., None, None] for x in (gamma, 1 - np.asarray(gamma)))
    E = reflect_bound(X, k, fmt)
    X, Q, k = as_floats(X), as_floats(Q), as_floats(k)[..., :, None]
    n, r = X.shape[-2], fmt.unit_roundoff
    through = (1 + relative_growth(2, r)) * (1 + dot_growth(n, r))
    reflected = X + 2 * k * (k * X).sum(axis=-2, keepdims=True)
    bound = (
        up(through - 1) * share * (Q @ X)
        + rest * (up(relative_growth(3, r)) * reflected + up(1 + relative_growth(3, r)) * E)
        + up(_UNDERFLOW_SHARE * fmt.underflow_unit * (1 + relative_growth(3, r)))
        * (n * share + reflected + E + 3)
    )
    return outward(bound, 2 * n + 32)
