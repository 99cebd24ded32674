"""Cayley rotations in exact rationals, with gradients, and bounds for every stable spelling.

cayley_value, cayley_gradient     == Q = (I + S)⁻¹(I − S), and the gradient with respect to skew S
rank_two_generator                == S = (β/2)(u vᵀ − v uᵀ)
rank_two_gradient                 == with respect to u, v or β
spelled_cayley_bound, …_gradient_bound == errors of a stable solve, entry by entry
spelled_rank_two_bound            == of the rank-two rotation, |β/2|·‖u‖‖v‖ moderate
spelled_orthogonality_bound       == abs(QᵀQ − I) of the rank-two rotation

The gradient of Σ G·Q: dQ = −(I+S)⁻¹ dS (Q + I) and Q + I = 2(I+S)⁻¹ =: 2P, so S receives −2PᵀGPᵀ.
Only its skew part is a property of the function on skew matrices.

*Bounds.* A spelling by a solve has the error of `numeric.cayley.cayley_bound`; 2(I + S)⁻¹ − I has
twice that, which is taken. Autograd solves with (I+S)ᵀ once and multiplies by a computed Q or P:
with ‖P‖ ≤ 1, ‖Q‖ = 1, each of the at most three computed factors is off by the bound, times ‖G‖_F,
and two products and a sum add (2n + 1)·r, which the bound exceeds: four times the bound, doubled
for −2PᵀGPᵀ.

The rank-two rotation has the bound of `numeric.cayley`, steps 1 to 6, with the roundoff of the
format that is computed in, in the place of binary64's. It is the bound of the plane's basis, and of
the closed form with ω² from the generator, whose defect has a term r²κ² that is below it wherever
κ·r < 1. Half formats are to be computed in binary32 and rounded once.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import ArrayLike, NDArray

from .cayley import cayley_bound
from .exactness import rational, rationals, to_fraction
from .formats import BINARY32, Format
from .rounding import outward, root_up, up

Exact = NDArray[np.object_]


def _matrix(x: Exact) -> fmpq_mat:
    return fmpq_mat(len(x), len(x[0]), [rational(v) for v in x.flat])


def _array(x: fmpq_mat) -> Exact:
    made = np.empty((x.nrows(), x.ncols()), dtype=object)
    for i in range(x.nrows()):
        for j in range(x.ncols()):
            made[i, j] = x[i, j]
    return made


def _eye(n: int) -> Exact:
    made = np.empty((n, n), dtype=object)
    for index in np.ndindex(n, n):
        made[index] = fmpq(int(index[0] == index[1]))
    return made


def cayley_value(S: Exact) -> Exact:
    """(I + S)⁻¹(I − S) of rationals."""
    eye = _eye(len(S))
    return _array(_matrix(eye + S).solve(_matrix(eye - S)))


def cayley_gradient(S: Exact, G: Exact) -> Exact:
    """−2PᵀGPᵀ, P = (I + S)⁻¹."""
    P = _array(_matrix(_eye(len(S)) + S).inv())
    return -2 * (P.T @ G @ P.T)


def skew_part(x: Exact) -> Exact:
    """(x − xᵀ)/2."""
    return (x - x.T) / 2


def rank_two_generator(u: Exact, v: Exact, beta: fmpq) -> Exact:
    """(β/2)(u vᵀ − v uᵀ)."""
    outer = np.outer(u, v)
    return beta / 2 * (outer - outer.T)


def rank_two_gradient(u: Exact, v: Exact, beta: fmpq, G: Exact, name: str) -> Exact:
    """The gradient of Σ G·Q with respect to u, v or beta.

    With K = g − gᵀ, g the gradient with respect to S: u receives (β/2)Kv, v −(β/2)Ku, β ½uᵀKv.
    """
    g = cayley_gradient(rank_two_generator(u, v, beta), G)
    K = g - g.T
    if name == "u":
        return beta / 2 * (K @ v)
    if name == "v":
        return -beta / 2 * (K @ u)
    made = np.empty((), dtype=object)
    made[()] = (u @ K @ v) / 2
    return made


def spelled_cayley_bound(skew: ArrayLike, fmt: Format) -> NDArray[np.float64]:
    """Bound each entry's error of (n, n) Q by a stable solve; shape (1, 1), rounded up."""
    return outward(2 * cayley_bound(skew, fmt), 2)


def spelled_cayley_gradient_bound(
    skew: ArrayLike, G: ArrayLike, fmt: Format
) -> NDArray[np.float64]:
    """Bound each entry's error of the gradient of Q; shape (1, 1), rounded up."""
    return outward(8 * cayley_bound(skew, fmt) * _norm(G), 16)


def _norm(G: ArrayLike) -> float:
    squares = (rationals(G).reshape(-1) ** 2).sum()
    return root_up(to_fraction(squares)) if squares else 0.0


def _working(fmt: Format) -> Format:
    return fmt if fmt.precision >= BINARY32.precision else BINARY32


def _accuracy(u: ArrayLike, v: ArrayLike, beta: Any, fmt: Format) -> float:
    """(C(n)·K + 25)·r, K = min(κ, |β/2|‖u‖‖v‖), C(n) = 60n + 360."""
    x, y = rationals(u), rationals(v)
    half = rationals(np.asarray(beta, dtype=np.float64))[()] / 2
    lengths = (x @ x) * (y @ y)
    area = lengths - (x @ y) ** 2
    reach = half * half * lengths
    K = root_up(to_fraction(min(reach, lengths / area) if area else reach)) if reach else 0.0
    r = _working(fmt).unit_roundoff
    return up(((60 * len(x) + 360) * Fraction(K) + 25) * r)


def spelled_rank_two_bound(
    u: ArrayLike, v: ArrayLike, beta: Any, fmt: Format
) -> NDArray[np.float64]:
    """Bound each entry's error of the rank-two rotation; shape (1, 1), rounded up."""
    error = _accuracy(u, v, beta, fmt)
    if _working(fmt) is not fmt:
        error = up(
            Fraction(error) * (1 + fmt.unit_roundoff) + fmt.unit_roundoff + fmt.underflow_unit
        )
    return np.array([[error]])


def spelled_rank_two_gradient_bound(
    u: ArrayLike, v: ArrayLike, beta: Any, G: ArrayLike, name: str, fmt: Format
) -> float:
    """Bound each entry's error of the gradient with respect to u, v or beta, rounded up.

    K = g − gᵀ is off by twice eight times the rotation's error times ‖G‖_F; what it meets has the
    norm |β/2|‖v‖, |β/2|‖u‖ or ½‖u‖‖v‖, and the products add roundings that the error exceeds.
    """
    error = Fraction(_accuracy(u, v, beta, fmt)) * 16 * Fraction(_norm(G))
    half = abs(Fraction(float(np.asarray(beta)))) / 2
    lengths = {"u": Fraction(_norm(u)), "v": Fraction(_norm(v))}
    met = {
        "u": half * lengths["v"],
        "v": half * lengths["u"],
        "beta": lengths["u"] * lengths["v"] / 2,
    }
    return up(error * met[name] * (1 + Fraction(1, 2**30)) + 64 * fmt.smallest_normal)


def spelled_orthogonality_bound(n: int, fmt: Format) -> float:
    """Bound abs(QᵀQ − I), entry by entry: (12n + 2√n + 140)·r of the format computed in.

    Half formats round the entries once more: with δ = √n·r(1 + D) + n·υ, D + 2(1 + D)δ + δ².
    """
    root = isqrt(n - 1) + 1
    defect = (12 * n + 2 * root + 140) * _working(fmt).unit_roundoff
    if _working(fmt) is fmt:
        return up(defect)
    root_n = Fraction(root_up(Fraction(n)))
    delta = root_n * fmt.unit_roundoff * (1 + defect) + n * fmt.underflow_unit
    return up(defect + 2 * (1 + defect) * delta + delta**2)
