"""Sinkhorn and Knopp's iteration in 200 digits, and bounds for every stable spelling.

sinkhorn_value(logits, rounds)              == after N rounds, or the limit
spelled_sinkhorn_bound(logits, rounds, fmt) == its error, entry by entry
relative_error, half_round_error            == ε and h of the derivation

*Derivation.* Let Δ be the diameter of exp(logits) in Hilbert's metric, the largest logarithm of a
cross ratio of two rows and two columns; a half round contracts that metric by κ = tanh(Δ/4)
(Birkhoff). A spelling by sums of exponentials, or by log-sum-exp, commits in each half round a
relative error of at most h = (n + 8 + 8ℓ)·r, ℓ = max abs(logit): n·r in a sum of positive terms,
two units of the exponential, its argument of size at most 4ℓ rounded twice, a quotient, and for
logarithms two roundings of numbers of that size and of log n < n. Errors of both signs make 2h in
Hilbert's metric, and so after any number of half rounds the scaling vectors are within
2h/(1 − κ) of the exact ones. The entries follow from scalings that differ by a common factor only,
which the last half round removes, with h more for it and two products:
exp(2h/(1 − κ) + 2h) − 1, relatively.

Where the limit is asked for, the target stops somewhere: where rows sum to 1 within
τ = 4(n + 2)·r, as rounding allows (`numeric.birkhoff`), the next round moves by at most 2τ(1 + τ)
in Hilbert's metric and all later ones by 2τ(1 + τ)κ²/(1 − κ²) more: 4τ/(1 − κ²) is added.

Half formats are to be computed in binary32 and rounded once.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .exactness import DIGITS, rational, to_float
from .formats import BINARY32, Format
from .multiprecision import context
from .rounding import outward, up

Floats = NDArray[np.float64]
Exact = NDArray[np.object_]
_MOST_ROUNDS = 20_000


def sinkhorn_value(logits: Floats, rounds: int | None) -> Exact:
    """The doubly stochastic matrix, rows scaled before columns in each round.

    Raises
    ------
    ValueError
        If the limit is not reached to half of the digits in many rounds.
    """
    numbers = context(DIGITS)
    n = len(logits)
    K = [[numbers.exp(numbers.mpf(x)) for x in row] for row in logits]
    columns = [[K[i][j] for i in range(n)] for j in range(n)]
    v = [numbers.mpf(1)] * n
    u = v
    # what is left shrinks by the square of the contraction: half of the digits suffice
    enough = numbers.mpf(10) ** (-DIGITS // 4)
    for _ in range(rounds if rounds is not None else _MOST_ROUNDS):
        sums = [_dot(row, v) for row in K]
        if rounds is None and max(abs(a * s - 1) for a, s in zip(u, sums, strict=True)) < enough:
            break
        u = [1 / s for s in sums]
        v = [1 / _dot(column, u) for column in columns]
    else:
        if rounds is None:
            raise ValueError(f"no limit within {_MOST_ROUNDS} rounds; logits too far apart")
    made = np.empty((n, n), dtype=object)
    for i, j in np.ndindex(n, n):
        made[i, j] = rational(u[i] * K[i][j] * v[j])
    return made


def _dot(x: list[Any], y: list[Any]) -> Any:
    return sum((a * b for a, b in zip(x[1:], y[1:], strict=True)), x[0] * y[0])


def diameter(logits: Floats) -> float:
    """Hilbert's diameter of exp(logits), rounded up."""
    n = len(logits)
    largest = 0.0
    for i, k in np.ndindex(n, n):
        apart = logits[i] - logits[k]
        largest = max(largest, float(apart.max() - apart.min()))
    return largest * (1 + 2.0**-50)


def working_format(fmt: Format) -> Format:
    """The format that is computed in: binary32 for half formats."""
    return fmt if fmt.precision >= BINARY32.precision else BINARY32


def half_round_error(logits: Floats, fmt: Format) -> float:
    """h, the relative error of a half round."""
    r = float(working_format(fmt).unit_roundoff)
    return (len(logits) + 8 + 8 * float(np.abs(logits).max())) * r


def relative_error(logits: Floats, rounds: int | None, fmt: Format) -> float:
    """Of an entry after any number of half rounds, before it is rounded to a half format."""
    r, h = float(working_format(fmt).unit_roundoff), half_round_error(logits, fmt)
    kappa = math.tanh(diameter(logits) / 4) * (1 + 2.0**-50)
    if kappa >= 1:
        return math.inf
    exponent = 2 * h / (1 - kappa) + 2 * h
    if rounds is None:
        exponent += 16 * (len(logits) + 2) * r / (1 - kappa**2)
    return math.expm1(exponent) * (1 + 2.0**-48)


def spelled_sinkhorn_bound(logits: Floats, rounds: int | None, fmt: Format) -> Floats:
    """Bound each entry's error; (n, n) float64, rounded up."""
    n = len(logits)
    relative = relative_error(logits, rounds, fmt)
    if not math.isfinite(relative):
        return np.full((n, n), np.inf)
    entries = sinkhorn_value(logits, rounds)
    size = np.array([to_float(x) for x in entries.flat]).reshape(n, n)
    bound = outward(relative * size, 8)
    if working_format(fmt) is not fmt:
        half = Fraction(fmt.unit_roundoff)
        bound = outward(bound * up(1 + half) + up(half) * size, 8)
    return outward(bound + up(2 * n * fmt.underflow_unit), 2)
