"""Exact numbers for references: arrays of rationals, and their distance to what was computed.

rationals(x)          == an object array of flint rationals, equal to the float64 entries of x
rational(value)       == one of them, from a float, a Fraction, or an mpmath number
distance(got, exact)  == |got − exact| entry by entry, float64, rounded up; NaN for NaN
magnitudes(x)         == |x| as float64

Everything is a rational in the end: a 200-digit mpmath number is one as it stands.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import ArrayLike, NDArray

from .rounding import up

DIGITS = 200
"""Of references that are not rational."""


def rational(value: Any) -> fmpq:
    """The rational that a float, an int, a Fraction or an mpmath number is.

    Raises
    ------
    ValueError, OverflowError
        If it is NaN or infinite.
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator)
    if hasattr(value, "man_exp"):
        significand, exponent = value.man_exp
        power = fmpq(2) ** abs(int(exponent))
        whole = fmpq(int(significand)) * (power if exponent >= 0 else 1 / power)
        return -whole if value < 0 and significand > 0 else whole
    return fmpq(*(float(value) if isinstance(value, np.floating) else value).as_integer_ratio())


def rationals(x: ArrayLike) -> NDArray[np.object_]:
    """An object array of rationals of the shape of ``x``."""
    values = np.asarray(x)
    exact = np.empty(values.shape, dtype=object)
    for index, value in np.ndenumerate(values):
        exact[index] = rational(value)
    return exact


def magnitudes(x: ArrayLike) -> NDArray[np.float64]:
    """The absolute values, float64."""
    return np.abs(np.asarray(x, dtype=np.float64))


def to_fraction(value: Any) -> Fraction:
    """A rational as a Fraction."""
    return Fraction(int(value.p), int(value.q))


def to_float(value: Any) -> float:
    """A float64 that is at least as large as a nonnegative rational."""
    return up(to_fraction(value)) if value else 0.0


def distance(got: ArrayLike, exact: NDArray[np.object_]) -> NDArray[np.float64]:
    """|got − exact|, rounded up; NaN where ``got`` is NaN, infinite where it is infinite."""
    computed = np.asarray(got, dtype=np.float64)
    apart = np.empty(computed.shape)
    for index, value in np.ndenumerate(computed):
        if math.isfinite(value):
            apart[index] = to_float(abs(rational(float(value)) - exact[index]))
        else:
            apart[index] = math.nan if math.isnan(value) else math.inf
    return apart
