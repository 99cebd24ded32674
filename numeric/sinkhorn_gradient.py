"""The gradient of Sinkhorn's matrix in 200 digits, and a bound for every stable spelling.

sinkhorn_gradient(logits, G, rounds)            == of Σ G·P, after N rounds or at the limit
spelled_sinkhorn_gradient_bound(logits, G, …)   == its error, the same for every entry

*The gradient.* A half round takes log P to log P less the logarithms of its row sums, or of its
column sums. Backward it takes a gradient Z with respect to log P to Z − M∘(ρ1ᵀ), where M is the
matrix after the half round and ρ = Z1, or the same for columns: what is left sums to 0 in each row
(or column). It starts from G∘P. At the limit every half round has M = P, and what all of them take
away is P∘(x1ᵀ + 1yᵀ), x + Py = ρ and Pᵀx + y = σ for the row sums ρ and column sums σ of G∘P. That
determines x and y up to what cancels in x1ᵀ + 1yᵀ, since Σρ = Σσ: with J = 11ᵀ/n,
(I − PPᵀ + J)x = ρ − Pσ, y = σ − Pᵀx.

*The bound.* Sizes are sums of absolute entries. An error E that one step leaves is passed on by all
later ones. Its first two sums are at most ‖E‖ and 2‖E‖; from the second on a sum adds up to 0, and
so each step shrinks it by Dobrushin's coefficient t, half the largest distance of two rows (or
columns) of M. So E comes out as at most A‖E‖, A = 2 + 2/(1 − t). A step itself is off by at most
(n + 12)·r·‖Z‖, sums of n terms and the products, quotients and differences of any spelling, by
divisions, by logarithms or of scaling vectors; and M, relatively off by ε as the value is
(`numeric.spelled_sinkhorn`), by (h + ε)·‖ρ‖ more, h for exponentials formed again. G∘P starts off
by ε‖G∘P‖. Together A·(ε‖G∘P‖ + (n + 12)·r·Σ‖Z‖ + (h + ε)·Σ‖ρ‖) = q·‖G∘P‖ to first order, and since
each step acts on what the ones before left, (e^q − 1)·‖G∘P‖ in all.

At the limit a target may differentiate through up to 128 rounds; one that solves for x and y makes
fewer errors.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .exactness import DIGITS, rational
from .formats import Format
from .multiprecision import context
from .rounding import outward, up
from .spelled_sinkhorn import half_round_error, relative_error, sinkhorn_value, working_format

Floats = NDArray[np.float64]
Exact = NDArray[np.object_]
_LARGEST_EXPONENT = 700
"""Of e^q in float64."""
_ROUNDS_AT_THE_LIMIT = 128


def sinkhorn_gradient(logits: Floats, G: Floats, rounds: int | None) -> Exact:
    """The gradient of Σ G·P with respect to the logits, (n, n)."""
    numbers = context(DIGITS)
    n = len(logits)
    weights = [[numbers.mpf(float(x)) for x in row] for row in G]
    steps = _exact_halves(logits, rounds, numbers)
    _, P = steps[0]
    Z = [[g * p for g, p in zip(*rows, strict=True)] for rows in zip(weights, P, strict=True)]
    if rounds is None:
        x, y = _shares(P, Z, numbers)
        Z = [[Z[i][j] - P[i][j] * (x[i] + y[j]) for j in range(n)] for i in range(n)]
    else:
        for axis, M in steps:
            sums = [sum(row) for row in (Z if axis else zip(*Z, strict=True))]
            Z = [[Z[i][j] - M[i][j] * sums[i if axis else j] for j in range(n)] for i in range(n)]
    made = np.empty((n, n), dtype=object)
    for i, j in np.ndindex(n, n):
        made[i, j] = rational(Z[i][j])
    return made


def _exact_halves(logits: Floats, rounds: int | None, numbers: Any) -> list[tuple[int, Any]]:
    """The axis of each half round and the matrix after it, the last first."""
    n = len(logits)
    if rounds is None:
        limit = sinkhorn_value(logits, None)
        return [(0, [[numbers.mpf(int(x.p)) / int(x.q) for x in row] for row in limit])]
    M = [[numbers.exp(numbers.mpf(float(x))) for x in row] for row in logits]
    found = []
    for axis in (1, 0) * rounds:
        sums = [sum(row) for row in (M if axis else zip(*M, strict=True))]
        M = [[M[i][j] / sums[i if axis else j] for j in range(n)] for i in range(n)]
        found.append((axis, M))
    return found[::-1]


def _shares(P: Any, Z: Any, numbers: Any) -> tuple[list[Any], list[Any]]:
    """x and y with x + Py and Pᵀx + y the row and column sums of Z."""
    n = len(P)
    product = numbers.matrix(P)
    rows = numbers.matrix([sum(row) for row in Z])
    columns = numbers.matrix([sum(column) for column in zip(*Z, strict=True)])
    mean = numbers.matrix(n, n) + numbers.mpf(1) / n
    x = numbers.lu_solve(numbers.eye(n) - product * product.T + mean, rows - product * columns)
    y = columns - product.T * x
    return list(x), list(y)


def spelled_sinkhorn_gradient_bound(
    logits: Floats, G: Floats, rounds: int | None, fmt: Format
) -> float:
    """Bound the error of every entry of the gradient; float64, rounded up."""
    n, r = len(logits), float(working_format(fmt).unit_roundoff)
    epsilon, h = relative_error(logits, rounds, fmt), half_round_error(logits, fmt)
    steps = _halves(logits, rounds)
    Z = np.asarray(G, dtype=np.float64) * steps[0][1]
    start = sizes = float(np.abs(Z).sum())
    if not math.isfinite(epsilon) or not start:
        return math.inf if start else 0.0
    taken = 0.0
    for axis, M in steps:
        sums = Z.sum(axis=axis, keepdims=True)
        Z = Z - M * sums
        taken += float(np.abs(sums).sum())
        sizes += float(np.abs(Z).sum())
    gap = 1 - max(_dobrushin(M if axis else M.T) for axis, M in steps)
    if not gap > 0:  # in float64 nothing is left of what contracts
        return math.inf
    q = (2 + 2 / gap) * (epsilon * start + (n + 12) * r * sizes + (h + epsilon) * taken) / start
    if not q < _LARGEST_EXPONENT:
        return math.inf
    lost = up(4 * n * n * len(steps) * fmt.underflow_unit)
    return float(outward(np.array(start * math.expm1(q) + lost), 64 * len(steps)))


def _halves(logits: Floats, rounds: int | None) -> list[tuple[int, Floats]]:
    """The same in float64, which no bound's size notices; at the limit again and again."""
    if rounds is None:
        limit = sinkhorn_value(logits, None)
        P = np.array([[float(x.p) / float(x.q) for x in row] for row in limit])
        return [(0, P), (1, P)] * _ROUNDS_AT_THE_LIMIT
    M, found = np.exp(logits), []
    for axis in (1, 0) * rounds:
        M = M / M.sum(axis=axis, keepdims=True)
        found.append((axis, M))
    return found[::-1]


def _dobrushin(M: Floats) -> float:
    """Half the largest distance of two rows, in sums of absolute entries."""
    return float(np.abs(M[:, None] - M[None]).sum(axis=-1).max() / 2)
