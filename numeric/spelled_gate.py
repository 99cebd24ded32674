"""Bounds of the gate 2σ(z) and its derivative for every backward-stable spelling.

gate_value, gate_slope             == the exact values, 200 digits
spelled_gate_bound                 == of 2σ(z)
spelled_gate_slope_bound           == of its derivative, by autograd

*Derivation.* σ(z) = 1/(1 + E), E = exp(−z), with q = 1 − σ(z) the condition of σ in E. A spelling
by exp, exp2(z·log₂e), expm1, or sigmoid reaches E with a relative error of at most (2u +
abs(z))·r·(1+r) for an exponential within u = 1 unit in the last place of an argument that is
rounded once; the sum, the quotient and a product with 2 round once each. So the relative error is
at most (1+r)³·(1 + q·(2u + abs(z))·r·(1 + r)) − 1, doubled for the terms in r², plus the smallest
normal number where exp(−z) overflows or the quotient underflows. 1 + tanh(z/2) is not such a
spelling: for negative z it cancels, and the relative error is unbounded.

The slope is 2σ(1 − σ). Autograd has the computed σ: 1 − σ is off by σ's relative error times σ and
one rounding, two products round: abs error at most 2σ·((4 + that of σ) ratios), so absolutely, not
relatively, for z → ∞: 2σ·((1 + s)²(1 + r)³ − 1), s the relative bound of σ.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from .exactness import DIGITS, rational
from .formats import Format
from .multiprecision import context
from .rounding import up

_ULPS = 1


def _sigma(z: float) -> tuple[Any, Any]:
    """σ(z) and 1 − σ(z), 200 digits each."""
    numbers = context(DIGITS)
    small = numbers.exp(-abs(numbers.mpf(z)))
    larger, smaller = 1 / (1 + small), small / (1 + small)
    return (larger, smaller) if z >= 0 else (smaller, larger)


def gate_value(z: float) -> fmpq:
    """2σ(z)."""
    return rational(2 * _sigma(z)[0])


def gate_slope(z: float) -> fmpq:
    """2σ(z)(1 − σ(z))."""
    sigma, rest = _sigma(z)
    return rational(2 * sigma * rest)


def spelled_gate_bound(z: float, fmt: Format) -> NDArray[np.float64]:
    """Bound the error of 2σ(z).

    Parameters
    ----------
    z
        The exact logit.
    fmt
        The format computed in.

    Returns
    -------
    float64 of shape (), rounded up.
    """
    sigma, _ = _sigma(z)
    size = Fraction(up(Fraction(float(2 * sigma)) * (1 + Fraction(1, 2**50))))
    return np.array(up(size * _relative(z, fmt) + fmt.smallest_normal))


def spelled_gate_slope_bound(z: float, fmt: Format) -> NDArray[np.float64]:
    """Bound the error of the derivative of 2σ(z) by autograd; float64 of shape (), rounded up."""
    sigma, _ = _sigma(z)
    size = Fraction(up(Fraction(float(2 * sigma)) * (1 + Fraction(1, 2**50))))
    r = fmt.unit_roundoff
    growth = (1 + _relative(z, fmt)) ** 2 * (1 + r) ** 3 - 1
    return np.array(up(size * growth + 4 * fmt.smallest_normal))


def _relative(z: float, fmt: Format) -> Fraction:
    r = fmt.unit_roundoff
    q = Fraction(min(1.0, up(Fraction(float(_sigma(z)[1])) * (1 + Fraction(1, 2**50)))))
    own = (1 + r) ** 3 * (1 + q * (2 * _ULPS + abs(Fraction(z))) * r * (1 + r)) - 1
    return 2 * own
