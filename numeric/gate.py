"""Rounding-error bounds of the gate 2σ(z) and of its regulariser.

gate_bound             == 2σ(z), stepwise exp, +, ÷
gate_regulariser_bound == 4γ(1 − γ)
gate_regulariser_derivative_bound == its derivatives, by autograd

Inputs are the exact ones, numbers of the format. Notation and model: `numeric.rounding`.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .formats import Format
from .rounding import as_floats, outward, relative_growth, up

EXP_ULPS = 1
"""Error of the exponential in units in the last place: what SLEEF's ``u10`` functions state."""

# numpy's exponential, sum and quotient, each within a few units in the last place.
_EVALUATION = 16


def gate_bound(z: ArrayLike, fmt: Format) -> NDArray[np.float64]:
    """Bound the error of `torch_impl.gate.gate`.

    Parameters
    ----------
    z : (...)
        The exact logits, float64 or Fractions.
    fmt
        The format computed in.

    Returns
    -------
    (...) float64, rounded up: 2σ(z)·((1+r)/((1−r)(1−2rq)) − 1) + ``smallest_normal``, q = 1 − σ(z).

    Notes
    -----
    Claims rounding.gate_saturates, delta.gate_range. *Derivation.* With E = exp(−z), the computed
    exponential is E(1 + 2rθ), abs(θ) ≤ `EXP_ULPS`, since a unit in the last place is at most 2r of
    the number. The sum 1 + E(1 + 2rθ) = (1 + E)(1 + 2rθq), q = E/(1 + E) = 1 − σ(z), is rounded,
    and so is its reciprocal: the result is σ(z)(1 + δ₁)/((1 + δ₂)(1 + 2rθq)). Doubling is exact.
    Half formats evaluate this in binary32 and round once: less. Where exp(−z) overflows, or the
    quotient underflows, 0 is returned in place of less than ``smallest_normal``.
    """
    z = np.asarray(z).astype(np.float64)
    small = np.exp(-np.abs(z))
    sigma, q = np.where(z >= 0, 1, small) / (1 + small), np.where(z >= 0, small, 1) / (1 + small)
    r = float(fmt.unit_roundoff)
    # (1+r)/((1−r)(1−a)) − 1, written so that nothing cancels.
    a = 2 * EXP_ULPS * r * q
    growth = (2 * r + a * (1 - r)) / ((1 - r) * (1 - a))
    return outward(2 * sigma * growth + float(fmt.smallest_normal), _EVALUATION)


def gate_regulariser_bound(gamma: ArrayLike, fmt: Format) -> NDArray[np.float64]:
    """Bound the error of `torch_impl.gate.gate_regulariser`.

    Parameters
    ----------
    gamma : (...)
        The exact values, float64 or Fractions.
    fmt
        The format computed in.

    Returns
    -------
    (...) float64, rounded up: ((1+r)² − 1)·abs(4γ(1 − γ)) + υ.

    Notes
    -----
    Claim gate.regulariser_profile. *Derivation.* 1 − γ is rounded once, 4γ not at all, the product
    once; only the product can underflow.
    """
    distance = as_floats(1 - np.asarray(gamma))
    bound = up(relative_growth(2, fmt.unit_roundoff)) * (4 * as_floats(gamma)) * distance
    return outward(bound + up(fmt.underflow_unit), 8)


def gate_regulariser_derivative_bound(
    gamma: ArrayLike, fmt: Format, *, order: int = 1
) -> NDArray[np.float64]:
    """Bound the error of the derivatives of `torch_impl.gate.gate_regulariser` by autograd.

    Parameters
    ----------
    gamma : (...)
        The exact values, float64 or Fractions.
    fmt
        The format computed in.
    order
        Of the derivative, at least 1.

    Returns
    -------
    (...) float64, rounded up: r(1 + r)·4·abs(1 − γ) + r·abs(4(1 − 2γ)) for the first derivative,
    0 for the higher ones, which are −8 and 0.

    Notes
    -----
    Claim gate.regulariser_profile. *Derivation.* The product rule adds 4(1 − γ), in which 1 − γ was
    rounded and 4 is a power of two, to −(4γ), which is exact; the sum is rounded. The second
    derivative adds 4·(−1) to −4.
    """
    gamma = np.asarray(gamma)
    if order > 1:
        return np.zeros(gamma.shape)
    r = fmt.unit_roundoff
    distance, slope = as_floats(1 - gamma), as_floats(1 - 2 * gamma)
    return outward(up(r * (1 + r)) * 4 * distance + up(r) * 4 * slope, 8)
