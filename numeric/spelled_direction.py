"""The direction of a vector, two normalisations under one name: values, gradients, bounds.

direction_value(k, normalise, eps)     == k/max(‖k‖, ε), or k/√(‖k‖² + ε²); 200 digits
direction_gradient(k, g, …)            == the gradient of g·direction
spelled_direction_bound, …_gradient_bound == errors of every stable spelling, entry by entry

*Derivation.* The sum of squares is d·r off relatively, whatever the order (`numeric.rounding`); ε²
adds two roundings; the root halves that and rounds; max is exact, but ε itself was rounded; a
reciprocal root and a product are two more, a division one. A spelling that divides by the largest
entry first adds one rounding to each entry and one to the length. At most eight, beside d·r. Where
the length is subnormal it is off by υ absolutely: υ/length relatively. That the squares themselves
neither overflow nor vanish is the spelling's business: the theorem has no such exception.

The gradient (g − n̂(n̂·g))/length, n̂ = k/length, takes the length once more and n̂ twice, an inner
product and a difference: three times the growth, on abs(g) + abs(n̂)(abs(n̂)·abs(g)), over length.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .exactness import DIGITS, magnitudes, rational
from .formats import Format
from .multiprecision import context
from .rounding import dot_growth, outward, up

Floats = NDArray[np.float64]
Exact = NDArray[np.object_]


def _parts(k: Floats, normalise: str, eps: float) -> tuple[Any, list[Any], Any, bool]:
    """Context, entries, the length divided by, and whether it depends on k."""
    numbers = context(DIGITS)
    entries = [numbers.mpf(float(x)) for x in k]
    squares = sum((x * x for x in entries), numbers.mpf(0))
    if normalise == "root":
        return numbers, entries, numbers.sqrt(squares + numbers.mpf(eps) ** 2), True
    norm = numbers.sqrt(squares)
    return numbers, entries, max(norm, numbers.mpf(eps)), bool(norm > numbers.mpf(eps))


def _array(values: list[Any]) -> Exact:
    made = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        made[i] = rational(value)
    return made


def direction_value(k: Floats, normalise: str, eps: float) -> Exact:
    """k over its length."""
    _, entries, length, _ = _parts(k, normalise, eps)
    return _array([x / length for x in entries])


def direction_gradient(k: Floats, g: Floats, normalise: str, eps: float) -> Exact:
    """(g − n̂(n̂·g))/length, or g/ε where the length is ε whatever k."""
    numbers, entries, length, depends = _parts(k, normalise, eps)
    slopes = [numbers.mpf(float(x)) for x in g]
    if not depends:
        return _array([x / length for x in slopes])
    unit = [x / length for x in entries]
    along = sum((a * b for a, b in zip(unit, slopes, strict=True)), numbers.mpf(0))
    return _array([(b - a * along) / length for a, b in zip(unit, slopes, strict=True)])


def _growth(d: int, length: Fraction, fmt: Format) -> Fraction:
    r = fmt.unit_roundoff
    return (1 + r) ** 8 * (1 + dot_growth(d, r)) * (1 + fmt.underflow_unit / length) - 1


def spelled_direction_bound(k: Floats, normalise: str, eps: float, fmt: Format) -> Floats:
    """Bound each entry's error; (d,) float64, rounded up."""
    _, _, length, _ = _parts(k, normalise, eps)
    size = Fraction(float(length)) or Fraction(eps)
    growth = _growth(len(k), size, fmt)
    unit = outward(magnitudes(k) / float(length), 8)
    return outward(up(growth) * unit + up(2 * fmt.underflow_unit), 4)


def spelled_direction_gradient_bound(
    k: Floats, g: Floats, normalise: str, eps: float, fmt: Format
) -> Floats:
    """Bound each entry's error of the gradient; (d,) float64, rounded up."""
    _, _, length, depends = _parts(k, normalise, eps)
    size = Fraction(float(length)) or Fraction(eps)
    growth = (1 + _growth(len(k), size, fmt)) ** 3 * (1 + fmt.unit_roundoff) ** 2 - 1
    unit, slope = magnitudes(k) / float(length), magnitudes(g)
    met = slope + unit * (unit @ slope) if depends else slope
    return outward(up(growth) * met / float(length) + up(4 * fmt.smallest_normal), 4 * len(k) + 32)
