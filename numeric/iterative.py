"""Rounding-error bounds of the fixed-point iteration for the Cayley rotation.

fixed_point_cayley_bound == the iterates, against the exact ones
series_defect_bound      == ‖YᵀY − I‖ of the exact iterate, for skew W

How far an iterate is from a rotation is a theorem (iterative.defect), not a matter of rounding.
Inputs are the exact ones. Notation and model: `numeric.rounding`.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .formats import BINARY32, Format
from .rounding import as_floats, dot_growth, outward, up


def fixed_point_cayley_bound(
    W: ArrayLike, alpha: ArrayLike, rounds: int, fmt: Format
) -> NDArray[np.float64]:
    """Bound the error of `torch_impl.iterative.fixed_point_cayley`, entry by entry.

    Parameters
    ----------
    W : (..., n, n)
    alpha : (...)
        The exact inputs, float64 or Fractions; leading axes broadcast.
    rounds
        How many rounds follow Y_0.
    fmt
        The format of input and output; half formats are iterated in binary32.

    Returns
    -------
    (..., n, n) float64, rounded up.

    Notes
    -----
    Claims iterative.series, iterative.defect. *Derivation.* With G = abs(α/2)·abs(W), entry by
    entry, abs(Y_0) ≤ A_0 = I + 2G and abs(Y_(t+1)) ≤ A_(t+1) = I + G(I + A_t). Let B_t bound the
    error of the computed Y_t. Halving α is exact, so (α/2)W meets one rounding; I + Y_t meets one;
    their product is summed in any order, n·r. So what is added to I is off by at most
    ((1+r)²(1+n·r) − 1)·G(I + A_t + B_t) + G·B_t, and the sum is rounded:
    B_(t+1) = (1+r)·(that) + r·A_(t+1), B_0 = r(2 + r)·2G + r·I.
    Underflow: one unit υ in each entry of (α/2)W, passed on by I + A_t + B_t, one in each of the n
    products, and within later roundings. Half formats round the last iterate once more.
    """
    working = BINARY32 if fmt.precision < BINARY32.precision else fmt
    W = as_floats(W)
    G = as_floats(np.asarray(alpha) / 2)[..., None, None] * W
    n, r = W.shape[-1], working.unit_roundoff
    eye, everywhere = np.eye(n), np.ones((n, n))
    through = up((1 + r) ** 2 * (1 + dot_growth(n, r)) - 1)
    once, twice, underflow = up(1 + r), up(r * (2 + r)), up(2 * working.underflow_unit)
    # the evaluation below passes a term through at most this many roundings
    operations = (rounds + 1) * (2 * n + 20) + 16
    A = eye + 2 * G
    B = twice * 2 * G + up(r) * eye + underflow * everywhere
    for _ in range(rounds):
        reached = eye + A + B
        lost = through * (G @ reached) + G @ B + underflow * (everywhere @ reached + 2 * n)
        A = eye + G @ (eye + A)
        B = once * lost + up(r) * A
    if working is not fmt:
        B = B + up(fmt.unit_roundoff) * (A + B) + up(fmt.underflow_unit)
    return outward(B, operations)


def series_defect_bound(spectral_norm: float, rounds: int) -> float:
    """Bound ‖YᵀY − I‖ of the exact iterate, for skew W with ‖(α/2)W‖ ≤ `spectral_norm`.

    Parameters
    ----------
    spectral_norm
        A bound ν ≥ 0 of ‖(α/2)W‖.
    rounds
        How many rounds follow Y_0.

    Returns
    -------
    float, rounded up: 4ν^f (1 + ν^(2q))/(1 + ν²), q = ⌊rounds/2⌋ + 1 powers from f on, which is
    rounds + 2 or, for odd rounds, rounds + 3.

    Notes
    -----
    Claim iterative.defect. *Derivation.* A skew N has eigenvalues iσ, abs(σ) ≤ ν, and is
    diagonalised by a unitary matrix; (iσ)^f (1 − σ² + σ⁴ − …) with q terms is
    (iσ)^f (1 − (−σ²)^q)/(1 + σ²). The bound grows with ν, since f ≥ 2. Where ν < 1 it falls with
    the rounds; from 1 on the iteration does not converge (iterative.converges_iff).
    """
    first, count = rounds + 2 + rounds % 2, rounds // 2 + 1
    value = 4 * spectral_norm**first * (1 + spectral_norm ** (2 * count)) / (1 + spectral_norm**2)
    return float(outward(np.asarray(value), first + 2 * count + 8))
