"""Measures that several contracts share.

gram(…) == YᵀY = XᵀX, for an operator that is orthogonal at some inputs
lengths(…) == c²‖x‖² ≤ ‖y‖² ≤ ‖x‖², column by column

The bounds follow from that of the result: with Y = Y* + E, abs(E) ≤ B entry by entry,
abs(YᵀY − Y*ᵀY*) ≤ abs(Y*)ᵀB + Bᵀabs(Y*) + BᵀB; and Y*ᵀY* is computed exactly from the very inputs,
whose vectors have length 1 and whose matrices are orthogonal up to rounding only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....numeric.exactness import rationals, to_float
from ....numeric.formats import Format
from ....numeric.rounding import outward
from ..contract import Exact, Floats, Inputs, Measure

Value = Callable[[Inputs], tuple[Exact, ...]]


def _sizes(x: Exact) -> Floats:
    return np.array([to_float(abs(v)) for v in x.flat]).reshape(x.shape)


def _gram_slack(Y: Exact, B: Floats) -> Floats:
    size = _sizes(Y)
    return outward(size.T @ B + B.T @ size + B.T @ B, 4 * len(B) + 8)


def gram(
    claim: str,
    state: str,
    value: Value,
    applies: Callable[[Inputs], bool],
    parameter: str = "",
) -> Measure:
    """YᵀY − XᵀX."""

    def residual(inputs: Inputs, results: tuple[Exact, ...]) -> Exact:
        X, Y = rationals(inputs[state]), results[0]
        return Y.T @ Y - X.T @ X

    def limit(inputs: Inputs, error: tuple[Floats, ...], fmt: Format) -> Floats:
        (Y,), (B,) = value(inputs), error
        inherited = _sizes(np.asarray(residual(inputs, (Y,)), dtype=object))
        return outward(inherited + _gram_slack(Y, B), 4)

    return Measure(claim, applies, residual, limit, parameter)


def lengths(
    claim: str,
    state: str,
    shrinks: Callable[[Inputs], float],
    value: Value,
    applies: Callable[[Inputs], bool],
) -> Measure:
    """By how much ‖y‖² leaves [c²‖x‖², ‖x‖²], for each column; c is exact in binary64."""

    def residual(inputs: Inputs, results: tuple[Exact, ...]) -> Exact:
        X, Y = rationals(inputs[state]), results[0]
        c = rationals(np.array(shrinks(inputs)))[()]
        before, after = (X * X).sum(axis=0), (Y * Y).sum(axis=0)
        beyond: list[Any] = [
            max(new - old, c * c * old - new, 0 * old)
            for old, new in zip(before, after, strict=True)
        ]
        return np.array(beyond, dtype=object)

    def limit(inputs: Inputs, error: tuple[Floats, ...], fmt: Format) -> Floats:
        (Y,), (B,) = value(inputs), error
        inherited = _sizes(np.asarray(residual(inputs, (Y,)), dtype=object))
        return outward(inherited + np.diag(_gram_slack(Y, B)), 4)

    return Measure(claim, applies, residual, limit)
