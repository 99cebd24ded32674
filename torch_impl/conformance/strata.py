"""Inputs on purpose: where faults hide, and where theorems change their mind.

gates(fmt)          == 0, 1, 2 and one unit in the last place beside them, inside, outside, tiny
shares(fmt)         == the same for a gate in [0, 1]
unit(fmt, kind, d)  == unit vectors: axis-aligned, with equal entries, generic
draw(rng, …)        == generic entries, none of them zero
rounded(x, fmt)     == the nearest numbers of a format, as float64
ulps(x, fmt)        == the spacing of the format at x
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...numeric.formats import BFLOAT16, BINARY16, BINARY32, Format

SIZES = ((1, 1), (2, 3), (3, 2), (4, 4), (3, 5), (5, 3))
"""Rows and columns: the smallest, unequal ones, and a square one where a swap is no error."""


def rounded(x: ArrayLike, fmt: Format) -> NDArray[np.float64]:
    """The numbers of ``fmt`` next to ``x``; what would be subnormal in bfloat16 becomes 0."""
    values = np.array(x, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore"):
        if fmt is BINARY32:
            return values.astype(np.float32).astype(np.float64)
        if fmt is BINARY16:
            return values.astype(np.float16).astype(np.float64)
        if fmt is BFLOAT16:
            single = values.astype(np.float32)
            bits = single.view(np.uint32)
            even = ((bits >> np.uint32(16)) & np.uint32(1)) + np.uint32(0x7FFF)
            nearest = ((bits + even) & np.uint32(0xFFFF0000)).view(np.float32)
            nearest = np.where(np.isfinite(single), nearest, single).astype(np.float64)
            return np.where(np.abs(nearest) < float(fmt.smallest_normal), 0.0, nearest)
    return values


def ulps(x: float, fmt: Format) -> float:
    """The distance from ``x`` to the next larger number of ``fmt``, for a power of two ``x``."""
    return x * 2.0 ** (1 - fmt.precision)


def gates(fmt: Format) -> Iterator[tuple[str, float]]:
    """Gates of the delta operator, by name."""
    yield from (("gate 0", 0.0), ("gate 1", 1.0), ("gate 2", 2.0), ("gate inside", 0.75))
    for at in (1.0, 2.0):
        yield f"gate one ulp below {at:g}", at - ulps(at, fmt) / 2
        yield f"gate one ulp above {at:g}", at + ulps(at, fmt)
    yield "gate tiny", 2.0**-10
    yield "gate negative", -0.75
    yield "gate beyond 2", 3.25


def shares(fmt: Format) -> Iterator[tuple[str, float]]:
    """Gates in [0, 1], by name."""
    yield from (("share 0", 0.0), ("share 1", 1.0), ("share ½", 0.5), ("share inside", 0.3125))
    yield from (("share inside", 0.3), ("share inside", 0.71))
    yield "share one ulp above ½", 0.5 + ulps(0.5, fmt)
    yield "share one ulp below 1", 1 - ulps(1.0, fmt) / 2
    yield from (("share tiny", 2.0**-10), ("share near 0", 0.00111))


UNITS = ("generic", "axis-aligned", "equal entries", "nearly axis-aligned")


def unit(rng: np.random.Generator, kind: str, d: int, fmt: Format) -> NDArray[np.float64]:
    """A vector of length 1 up to rounding."""
    if kind == "axis-aligned":
        k = np.zeros(d)
        k[d // 2] = -1.0 if d % 2 else 1.0
    elif kind == "equal entries":
        k = np.where(np.arange(d) % 2, -1.0, 1.0)
    elif kind == "nearly axis-aligned":
        k = np.full(d, 2.0**-5)
        k[0] = 1.0
    else:
        k = draw(rng, d)
    return rounded(k / np.linalg.norm(k), fmt)


def draw(rng: np.random.Generator, *shape: int) -> NDArray[np.float64]:
    """Entries of size ¼ to 2, of either sign: none is invisible beside another."""
    return rng.uniform(0.25, 2.0, shape) * rng.choice((-1.0, 1.0), shape)


def generator(seed: int, *parts: object) -> np.random.Generator:
    """A generator that depends on a seed and on what it is for."""
    spelled = " ".join(map(str, (seed, *parts))).encode()
    return np.random.default_rng(list(spelled))
