"""The standard model of rounding that every bound of this layer is derived from.

higham_gamma    == n·r/(1 − n·r)
relative_growth == (1 + r)^k − 1
dot_growth      == d·r, for an inner product of length d summed in any order
up              == a rational as a float64, never below it
root_up         == its square root as a float64, never below it
outward         == a float64 sum of nonnegative terms, raised above what its own rounding lost
as_floats, as_fractions == arrays of exact inputs, as float64 magnitudes or as Fractions

**Model.** An operation returns (a ∘ b)(1 + δ) + η with abs(δ) ≤ r and abs(η) ≤ ``underflow_unit``,
one of them 0, and η = 0 for sums unless the hardware flushes. k roundings in a row magnify a term
by at most (1 + r)^k. Nothing overflows. One operation on half-format numbers carried out in
binary32 and then rounded is an operation of the half format: 24 ≥ 2·11 + 2 digits make the double
rounding harmless.

**Inner products.** In any order of summation, with or without fused multiply-add, the error is at
most d·r·(abs(x)ᵀ abs(y)), for every d. *Proof.* By induction over the tree of the sum: let a and b
be partial results over p and q products, S and T the sums of magnitudes of those, with errors at
most p·r·S and q·r·T. Rounding a + b costs at most min(abs(a), abs(b), r/(1+r)·abs(a+b)), since a
and b are themselves numbers of the format. It is enough that this is at most q·r·S + p·r·T.
If (1 + q·r)·T ≤ q·r·S, then abs(b) is; likewise with the roles exchanged. Otherwise
S < (1 + q·r)/(q·r)·T and the same with roles exchanged, and r/(1+r)·((1 + p·r)·S + (1 + q·r)·T) is:
where (1 + p·r) > q·(1 + r), replacing S by its bound leaves
(q − 1)(1 + p·r + q·r) ≥ 0 to be shown. A fused a + x·y is the case q = 1 with no rounding of x·y.
A partial result kept in a wider format, and rounded once later, has a smaller error. ∎
(The idea is Jeannerod and Rump's, Improved error bounds for inner products in floating-point
arithmetic, SIAM J. Matrix Anal. Appl. 34 (2013).)
"""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .formats import BINARY64


def higham_gamma(n: int, r: Fraction) -> Fraction:
    """Return Higham's γₙ = n·r/(1 − n·r), exactly.

    Raises
    ------
    ValueError
        If n·r ≥ 1, where γₙ says nothing: in bfloat16 from n = 256 on.
    """
    if n * r >= 1:
        raise ValueError(f"higham_gamma({n}, {r}) is undefined: n·r = {float(n * r):.3g} ≥ 1")
    return n * r / (1 - n * r)


def relative_growth(k: int, r: Fraction) -> Fraction:
    """Return (1 + r)^k − 1, exactly: the most that k roundings in a row change a number by."""
    return (1 + r) ** k - 1


def dot_growth(d: int, r: Fraction) -> Fraction:
    """Return d·r, exactly: what rounding does to an inner product, relative to abs(x)ᵀ abs(y)."""
    return d * r


def up(x: Fraction | int) -> float:
    """Return a float64 that is at least ``x``; infinite beyond the largest."""
    try:
        nearest = float(x)
    except OverflowError:
        return math.inf if x > 0 else -float(BINARY64.largest)
    return nearest if Fraction(nearest) >= x else math.nextafter(nearest, math.inf)


def root_up(x: Fraction) -> float:
    """Return a float64 that is at least √x, for x ≥ 0."""
    if x > BINARY64.largest**2:
        return math.inf
    # √(p/q) = √(pq)/q, and an integer root loses less than one part in 2^64 once shifted.
    product = x.numerator * x.denominator
    shift = max(0, 64 - product.bit_length() // 2)
    root = math.isqrt(product << 2 * shift)
    root += root * root != product << 2 * shift
    return up(Fraction(root, x.denominator << shift))


def outward(value: NDArray[np.float64], operations: int) -> NDArray[np.float64]:
    """Return ``value`` raised so that it is no smaller than the exact value of its formula.

    ``value`` is a formula of sums and products of nonnegative float64 numbers in which no term
    passes through more than ``operations`` roundings: (1 − r)^(−k) ≤ 1 + 2·k·r for k·r ≤ 1/4.
    """
    factor = up(1 + 2 * operations * BINARY64.unit_roundoff)
    return np.nextafter(np.asarray(value, dtype=np.float64) * factor, np.inf)


def as_floats(x: ArrayLike) -> NDArray[np.float64]:
    """Return magnitudes as float64: exact for binary64 inputs, one rounding for Fractions."""
    return np.abs(np.asarray(x).astype(np.float64))


def as_fractions(x: ArrayLike) -> NDArray[np.object_]:
    """Return an object array of exact Fractions of the same shape."""
    values = np.asarray(x)
    exact = np.empty(values.shape, dtype=object)
    for index, value in np.ndenumerate(values):
        exact[index] = value if isinstance(value, Fraction) else Fraction(float(value))
    return exact
