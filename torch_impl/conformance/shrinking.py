"""The smallest failing input: greedy, deterministic, inside what the contract allows.

shrunk(contract, inputs, fmt, fails) == inputs at which `fails` is still true, simpler if possible

Simpler means fewer entries, then shorter numbers. An axis is cut in every argument that has it; a
unit vector is normalised again, or replaced by one along an axis; a skew matrix stays skew, an
orthogonal one becomes the identity or a cyclic permutation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...numeric.formats import Format
from .contract import Argument, Contract, Inputs
from .strata import rounded

MOST_CALLS = 150


def shrunk(
    contract: Contract, inputs: Inputs, fmt: Format, fails: Callable[[Inputs], bool]
) -> Inputs:
    """Shrink `inputs`; at most `MOST_CALLS` candidates are tried."""
    calls = 0
    smallest = dict(inputs)
    progress = True
    while progress and calls < MOST_CALLS:
        progress = False
        for candidate in _candidates(contract, smallest, fmt):
            if _size(candidate) >= _size(smallest):
                continue
            calls += 1
            if fails(candidate):
                smallest, progress = dict(candidate), True
                break
            if calls >= MOST_CALLS:
                break
    return smallest


def _size(inputs: Inputs) -> tuple[int, int]:
    """Entries, then bits: of significands and of distances of exponents from 0."""
    bits: int = 0
    for x in inputs.values():
        for value in np.asarray(x).flat:
            if value:
                significand, exponent = math.frexp(abs(float(value)))
                numerator = int(significand * 2**53)
                bits += (numerator // (numerator & -numerator)).bit_length() + abs(exponent - 1)
                bits += 1 + int(value < 0)
    return sum(int(np.size(x)) for x in inputs.values()), bits


def _candidates(contract: Contract, inputs: Inputs, fmt: Format) -> Iterator[Inputs]:
    axes = dict.fromkeys(axis for a in contract.arguments for axis in a.axes)
    for axis in axes:
        size = next(
            inputs[a.name].shape[a.axes.index(axis)] for a in contract.arguments if axis in a.axes
        )
        for index in range(size if size > 1 else 0):
            yield {a.name: _cut(a, inputs[a.name], axis, index, fmt) for a in contract.arguments}
    for a in contract.arguments:
        for simpler in _simpler(a, np.asarray(inputs[a.name]), fmt):
            yield {**inputs, a.name: simpler}


def _cut(a: Argument, x: Any, axis: str, index: int, fmt: Format) -> Any:
    """Drop one index of an axis wherever the argument has it."""
    cut = np.asarray(x)
    for position, own in enumerate(a.axes):
        if own == axis:
            cut = np.delete(cut, index, axis=position)
    if a.kind == "orthogonal":
        return np.eye(len(cut))
    return _unit(cut, fmt) if a.kind == "unit" else cut


def _unit(x: Any, fmt: Format) -> Any:
    """Vectors along the last axis, of length 1 up to rounding."""
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    first = np.zeros_like(x)
    first[..., 0] = 1.0
    return rounded(np.where(length > 0, x / np.where(length > 0, length, 1.0), first), fmt)


def _simpler(a: Argument, x: Any, fmt: Format) -> Iterator[Any]:
    if a.kind == "unit":
        for i in range(x.shape[-1]):
            along = np.zeros_like(x)
            along[..., i] = 1.0
            yield along
        # few bits: unit up to rounding no more, but for a quarter turn of a square
        yield _unit(np.where(x < 0, -1.0, 1.0), fmt)
        return
    if a.kind == "orthogonal":
        yield np.eye(len(x))
        yield np.roll(np.eye(len(x)), 1, axis=0)
        return
    yield np.zeros_like(x)
    if a.kind == "skew":
        for i in range(len(x)):
            for j in range(i):
                for value in _simpler_numbers(float(x[i, j])):
                    moved = x.copy()
                    moved[i, j], moved[j, i] = value, -value
                    yield moved
        return
    yield rounded(np.round(x), fmt)
    for index in np.ndindex(x.shape):
        for value in _simpler_numbers(float(x[index])):
            moved = x.copy()
            moved[index] = value
            yield rounded(moved, fmt)


def _simpler_numbers(x: float) -> Iterator[float]:
    if x == 0:
        return
    yield 0.0
    yield math.copysign(1.0, x)
    if abs(x) < 2.0**52 and x != round(x):
        yield float(round(x))
    significand, exponent = math.frexp(x)
    for digits in (1, 2, 4, 8, 16):
        yield math.ldexp(round(significand * 2**digits) / 2**digits, exponent)
