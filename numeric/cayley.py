"""Rounding-error bounds of the Cayley rotations.

cayley_bound          == (I + S)⁻¹(I − S) by a dense solve
cayley_rank_two_bound == the rank-two rotation as a matrix, against the exact one
rotate_rank_two_bound == the rank-two rotation applied, against the exact one
orthogonality_bound   == ‖Q̂ᵀQ̂ − I‖ of the rank-two rotation, whatever β and the angle
rotate_rank_two_gradient_bounds == its gradients, in norm

Inputs are the exact ones: numbers of the format that the operator was given. Norms are 2-norms.

**The rank-two rotation**, in binary64 with roundoff ρ = 2⁻⁵³. S = (β/2)(u vᵀ − v uᵀ), ω the area
that u and v span, τ = (β/2)ω, κ = ‖u‖‖v‖/ω the inverse sine of their angle. For an orthonormal
basis E = (e₁, e₂) of the plane Q = I − E M Eᵀ, M = [[1 − cos θ, sin θ], [−sin θ, 1 − cos θ]],
θ = 2·arctan τ, ‖M‖ = 2·abs(sin(θ/2)) ≤ 2·min(1, abs(τ)). Terms in ρ² are covered by rounding
constants up, for (n + 8)ρ ≤ 2⁻¹⁰.

1. *Normalising.* A vector divided by its computed norm has length 1 within (n/2 + 3)ρ =: ν: the
   sum of squares n·ρ (`numeric.rounding`), halved by the root, then root, reciprocal, product. (A
   binary64 vector is first divided by its largest entry: ρ per entry.)
2. *Projecting.* w' = w − (e₁·w)e₁ carries an error of at most (n + 4)ρ‖w‖, so that
   abs(e₁·w') ≤ 2.1ν·abs(e₁·w) + 1.01(n + 4)ρ‖w‖. From w = v this is at most c₁ρ‖v‖, c₁ = 2.1n + 11.
3. *Twice is enough.* The second direction is kept only if its height b over the line of u exceeds
   Tρ·abs(e₁·v), T = 12n + 64 > 4√2·c₁ (`torch_impl.cayley.flat_threshold`). Then what the first
   pass left along e₁ is at most ‖w₂‖/4, and the second leaves abs(e₁·e₂) ≤ (1.5n + 8)ρ.
   So ‖EᵀE − I‖ ≤ 2.1ν + (1.5n + 8)ρ ≤ (3n + 16)ρ.
4. *The angle.* sin θ = 2/(τ + 1/τ) meets at most three roundings and 1 − cos θ = τ·sin θ four:
   ‖M̂ − M(τ̂)‖ ≤ 4.1ρ‖M‖ ≤ 9ρ.
5. *Orthogonality.* M + Mᵀ = MᵀM for every τ̂. Hence the defect of I − E M̂ Eᵀ is at most
   18.1ρ + ‖M‖²(3n + 16)ρ ≤ (12n + 84)ρ, uniformly in β and the angle. Forming F = E M̂ and
   I − F Eᵀ adds ‖Δ‖ ≤ (√n + 24)ρ to the matrix, twice that to the defect:
   D(n) = (12n + 2√n + 140)ρ.
6. *Accuracy.* Let v⊥ be the part of v across u. The computed w₂ is within c₂ρ‖v‖ of it,
   c₂ = 5n + 28 (steps 1 and 2, and the error of e₁). So ‖E − Ê‖ ≤ c₄κρ, c₄ = 2c₂ + n + 7, and τ̂ is
   within (c₂ + n + 12)κρ of τ, relatively. From Q − I = −E M Eᵀ, as long as the latter is ≤ 1/2,
   ‖Q̂ − Q‖ ≤ (‖M‖ + ‖M̂‖)‖E − Ê‖ + abs(θ̂ − θ) + ‖M̂ − M(τ̂)‖
          ≤ (4.2c₄ + 2(c₂ + n + 12) + 12)·min(1, abs(τ))·κρ ≤ C(n)·K·ρ,
   C(n) = 60n + 360, K = min(κ, abs(β/2)‖u‖‖v‖), because κ·abs(τ) = abs(β/2)‖u‖‖v‖.
   Beyond 1/2: if K = κ then C(n)Kρ > 4 > ‖Q̂ − Q‖. Else take
   Q(S) − Q(S') = 2(I+S)⁻¹(S' − S)(I+S')⁻¹, where both inverses have norm at most 1: the computed
   plane and angle stand for an S' within (5n + 38)ρ·abs(β/2)‖u‖‖v‖ of S, up to the defect of step
   5, which here is proportional to abs(τ̂) ≤ 1.1·abs(β/2)‖u‖‖v‖; and where Q̂ = I,
   ‖Q − I‖ ≤ 2·abs(τ) ≤ 2(T + c₂ + 1)ρ·abs(β/2)‖u‖‖v‖. Both are below C(n)·K·ρ.
   Parallel u and v are the case κ = ∞.
"""

from fractions import Fraction
from math import isqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .formats import BINARY32, BINARY64, Format
from .rounding import as_floats, as_fractions, higham_gamma, outward, root_up, up

_SETUP = BINARY64.unit_roundoff


def cayley_bound(
    skew: ArrayLike, fmt: Format, *, growth: float | None = None
) -> NDArray[np.float64]:
    """Bound each entry's error of `torch_impl.cayley.cayley`, and each column's in 2-norm.

    Parameters
    ----------
    skew : (..., n, n)
        The exact skew-symmetric inputs, float64 or Fractions.
    fmt
        The format of input and output; half formats are solved in binary32.
    growth
        Bound for the largest entry met in the elimination over the largest of I + S; by default
        the (2(1 + r)²)^(n−1) of partial pivoting, which always holds but is rarely approached.

    Returns
    -------
    (..., 1, 1) float64, rounded up; infinite where the solve guarantees nothing.

    Notes
    -----
    Claims cayley.orthogonal, rounding.cayley_solve_reading. *Derivation.* I ± S are formed without
    error. Each computed column solves (I + S + ΔA)x̂ = (I − S)_j with
    abs(ΔA) ≤ γ₃ₙ₊₃·abs(L)abs(U) (Higham, Accuracy and Stability, Theorem 9.4; three more units
    for pivots inverted first, and for underflow, which is negligible beside entries of size 1).
    ‖abs(L)abs(U)‖ ≤ ‖L‖_F‖U‖_F ≤ n(n+1)/2·growth·max abs(I + S), as abs(L) ≤ 1: so ‖ΔA‖ ≤ η.
    For skew S ‖(I + S)x‖² = ‖x‖² + ‖Sx‖², so ‖(I + S)⁻¹‖ ≤ 1: ill conditioned by its norm alone.
    From x̂ − x = −(I + S)⁻¹ΔA x̂ and ‖x‖ = 1: ‖x̂ − x‖ ≤ η/(1 − η).
    """
    S = as_floats(skew)
    n = S.shape[-1]
    working = _working(fmt)
    r = working.unit_roundoff
    if growth is None:
        growth = up((2 * (1 + r) ** 2) ** (n - 1))
    largest = np.maximum(S.max(axis=(-2, -1), keepdims=True), 1.0)
    try:
        factor = up(higham_gamma(3 * n + 3, r) * n * (n + 1) / 2)
    except ValueError:
        return np.full_like(largest, np.inf)
    eta = outward(factor * growth * largest, 4)
    with np.errstate(divide="ignore"):
        error = outward(np.where(eta < 1, eta, np.inf) / np.where(eta < 1, 1 - eta, 1), 4)
    return _rounded_once(error, np.ones_like(error), fmt, working)


def cayley_rank_two_bound(
    u: ArrayLike, v: ArrayLike, beta: ArrayLike, fmt: Format
) -> NDArray[np.float64]:
    """Bound each entry's error of `torch_impl.cayley.cayley_rank_two` against the exact rotation.

    Parameters
    ----------
    u, v : (..., n)
    beta : (...)
        The exact inputs, float64 or Fractions; leading axes broadcast.
    fmt
        The format of input and output.

    Returns
    -------
    (..., 1, 1) float64, rounded up: (C(n)·K + 25)·ρ, plus r and υ for the final rounding, no entry
    of a rotation exceeding 1.

    Notes
    -----
    Step 6 of the module's derivation, and the forming of the matrix (step 5). The factor K, at most
    the inverse sine of the angle between u and v, is the condition of Q and not of the method.
    """
    n = np.asarray(u).shape[-1]
    condition, _ = _condition(u, v, beta)
    error = outward((up(_accuracy(n)) * condition + up(25 * _SETUP))[..., None, None], 4)
    return _rounded_once(error, np.ones_like(error), fmt, BINARY64)


def rotate_rank_two_bound(
    X: ArrayLike, u: ArrayLike, v: ArrayLike, beta: ArrayLike, fmt: Format
) -> NDArray[np.float64]:
    """Bound the error of `torch_impl.cayley.rotate_rank_two`, entry by entry.

    Parameters
    ----------
    X : (..., n, m)
    u, v : (..., n)
    beta : (...)
        The exact inputs, float64 or Fractions; leading axes broadcast.
    fmt
        The format of input and output; half formats are applied in binary32.

    Returns
    -------
    (..., n, m) float64, rounded up; with μ = min(1, abs(τ)) and r the roundoff applied in,
    ((1+r)⁸(1+n·r) − 1)(abs(X_ij) + 4μ‖X_j‖) + C(n)·K·ρ·‖X_j‖ + 12υ(1+r)⁸(1+n·r)(‖X_j‖₁ + n),
    and for half formats one more rounding.

    Notes
    -----
    *Derivation.* In binary64 either I − F Eᵀ is formed, which is rounded and multiplied, or F and E
    are, which are rounded and X − F(EᵀX) is taken; the latter has more roundings. An entry of F
    meets at most three roundings, one of E one, an inner product of length n adds n·r, one of
    length 2 and the difference three: at most eight with n·r. They
    act on abs(X_ij) + (abs(E)abs(M)abs(E)ᵀabs(X_j))_i ≤ abs(X_ij) + 4μ‖X_j‖, as ‖abs(M)‖ ≤ √2‖M‖
    and ‖abs(E)ᵀabs(X_j)‖ ≤ √2‖X_j‖. The plane's error is step 6 of the module's derivation. Rounded
    entries and products lose at most υ each, times ‖X_j‖₁ or 2.
    """
    X = as_floats(X)
    n = X.shape[-2]
    condition, mu = _condition(u, v, beta)
    condition, mu = condition[..., None, None], mu[..., None, None]
    working = _working(fmt)
    r = working.unit_roundoff
    through = (1 + r) ** 8 * (1 + n * r)
    length = np.sqrt((X * X).sum(axis=-2, keepdims=True))
    error = outward(
        up(through - 1) * (X + 4 * mu * length)
        + up(_accuracy(n)) * condition * length
        + up(12 * working.underflow_unit * through) * (X.sum(axis=-2, keepdims=True) + n),
        n + 16,
    )
    return _rounded_once(error, outward(X + 2 * mu * length, n + 8), fmt, working)


def rotate_rank_two_gradient_bounds(
    X: ArrayLike, u: ArrayLike, v: ArrayLike, beta: ArrayLike, G: ArrayLike, fmt: Format
) -> tuple[NDArray[np.float64], ...]:
    """Bound the errors of the gradients of `torch_impl.cayley.rotate_rank_two`.

    Parameters
    ----------
    X, G : (..., n, m)
        State, and gradient of the result.
    u, v : (..., n)
    beta : (...)
        The exact inputs, float64 or Fractions, all with the same leading axes.
    fmt
        The format of input and output, binary32 or binary64.

    Returns
    -------
    Bounds for X entry by entry, and for u, v and beta in 2-norm, float64, where nothing underflows.
    For X as `rotate_rank_two_bound` of G. With p = 1/√(1 + τ²), ν = ‖G‖_F‖X‖_F and
    ε = (m + n + 8)r + C(n)·K·ρ: 5·abs(β)‖v‖p·ν·ε for u, 5·abs(β)‖u‖p·ν·ε for v, and
    5·‖u‖‖v‖p²·ν·ε for beta. The factors p and p² stand for the β in front of them being divided by
    τ: the bounds do not grow with the gate.

    Notes
    -----
    *Derivation.* Everything is read off K E, K = PᵀCPᵀ − PCᵀP, C = G Xᵀ, ‖K E‖ ≤ 2p‖C‖, and in
    the plane p². C E and CᵀE are computed within (m + n + 1)r·√2·ν: inner products of lengths m
    and n, and the rounding of E. As if C were another matrix, since off the plane both enter by the
    exact map, and in the plane only C E does: so the error passes through the factors p. What
    follows is binary64. The plane's error (step 6) turns E by c₄κρ and changes τ, relatively, by
    (c₂ + n + 12)κρ; each of the two terms of K E changes by at most p‖C‖ times thrice the former
    and once the latter, (78n + 458)κρ·p‖C‖ in all, below 2C(n)·κρ·p‖C‖. Where K < κ, τ < 1, so
    p and 1 are of one size and S is known within (5n + 38)Kρ. The final rounding adds
    r·2p‖C‖·abs(β)‖v‖.
    """
    fractions = [as_fractions(x) for x in (X, u, v, beta, G)]
    X, u, v, beta, G = (as_floats(x) for x in (X, u, v, beta, G))
    (n, m), r = X.shape[-2:], fmt.unit_roundoff
    condition, _ = _condition(*fractions[1:4])
    shrinks = _shrinking(*fractions[1:4])
    size = np.sqrt((G * G).sum(axis=(-2, -1)) * (X * X).sum(axis=(-2, -1)))
    error = 5 * size * shrinks * (up((m + n + 8) * r) + up(_accuracy(n)) * condition)
    length_u, length_v = (np.sqrt((x * x).sum(axis=-1)) for x in (u, v))
    operations = 2 * n * m + 16
    return (
        rotate_rank_two_bound(fractions[4], fractions[1], fractions[2], -fractions[3], fmt),
        outward(error * beta * length_v, operations),
        outward(error * beta * length_u, operations),
        outward(error * shrinks * length_u * length_v, operations),
    )


def orthogonality_bound(n: int, fmt: Format) -> float:
    """Bound ‖Q̂ᵀQ̂ − I‖ for the n×n matrix of `torch_impl.cayley.cayley_rank_two`.

    Returns
    -------
    float, rounded up: D(n) = (12n + 2√n + 140)ρ, and with δ = √n·r·(1 + D(n)) + n·υ for the final
    rounding to another format, D + 2(1 + D)δ + δ²: about 2√n·r. Uniform in u, v and β.

    Notes
    -----
    Claim rounding.cayley_plane_basis; step 5 of the module's derivation. Rounding the entries
    changes the matrix by at most r‖Q̂‖_F ≤ √n·r·(1 + D).
    """
    root = isqrt(n - 1) + 1
    defect = (12 * n + 2 * root + 140) * _SETUP
    if fmt == BINARY64:
        return up(defect)
    root_n = Fraction(root_up(Fraction(n)))
    delta = root_n * fmt.unit_roundoff * (1 + defect) + n * fmt.underflow_unit
    return up(defect + 2 * (1 + defect) * delta + delta**2)


def _accuracy(n: int) -> Fraction:
    """Return C(n)·ρ of step 6."""
    return (60 * n + 360) * _SETUP


def _condition(
    u: ArrayLike, v: ArrayLike, beta: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return K = min(κ, abs(β/2)‖u‖‖v‖) and μ = min(1, abs(τ)), exact inputs in, rounded up."""
    u, v, beta = as_fractions(u), as_fractions(v), as_fractions(beta)
    batch = np.broadcast_shapes(u.shape[:-1], v.shape[:-1], beta.shape)
    u, v = np.broadcast_to(u, (*batch, u.shape[-1])), np.broadcast_to(v, (*batch, v.shape[-1]))
    beta = np.broadcast_to(beta, batch)
    condition, mu = np.empty(batch), np.empty(batch)
    for index in np.ndindex(batch):
        lengths = (u[index] @ u[index]) * (v[index] @ v[index])
        area = lengths - (u[index] @ v[index]) ** 2
        squared = (beta[index] / 2) ** 2
        reach = squared * lengths
        condition[index] = root_up(min(reach, lengths / area) if area else reach)
        mu[index] = root_up(min(Fraction(1), squared * area))
    return condition, mu


def _shrinking(u: ArrayLike, v: ArrayLike, beta: ArrayLike) -> NDArray[np.float64]:
    """Return p = 1/√(1 + τ²), the norm of (I + S)⁻¹ in the plane, rounded up."""
    u, v, beta = as_fractions(u), as_fractions(v), as_fractions(beta)
    shrinks = np.empty(beta.shape)
    for index in np.ndindex(beta.shape):
        area = (u[index] @ u[index]) * (v[index] @ v[index]) - (u[index] @ v[index]) ** 2
        shrinks[index] = root_up(1 / (1 + (beta[index] / 2) ** 2 * area))
    return shrinks


def _working(fmt: Format) -> Format:
    return fmt if fmt.precision >= BINARY32.precision else BINARY32


def _rounded_once(
    error: NDArray[np.float64], size: NDArray[np.float64], fmt: Format, working: Format
) -> NDArray[np.float64]:
    """Add the final rounding of a result of magnitude ``size``, known within ``error``."""
    if fmt == working:
        return error
    return outward(up(fmt.unit_roundoff) * (size + error) + error + up(fmt.underflow_unit), 4)
