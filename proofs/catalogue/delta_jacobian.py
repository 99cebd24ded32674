"""The family delta, Jacobians and the normalised direction: derivations, mutants.

ENTRIES == in the order of the ledger
"""

from ...symbolic import delta as statements
from ...symbolic.claims import restate
from ...symbolic.delta import (
    A,
    H,
    Y,
    beta,
    beta_of,
    block_of_x,
    d,
    epsilon,
    h,
    k,
    k_normalised,
    k_of,
    kappa,
    m,
    mean_square,
    moved,
    rms_norm,
    softened,
    square,
    t,
    v,
    v_of,
    x_1,
    y,
)
from ...symbolic.derivations import AtMost, Have, chain, step
from ...symbolic.evidence import Kind
from ...symbolic.expressions import derivative, entry, eye, kron, norm, size, sqrt, vec
from ...symbolic.propositions import differentiable, eq, le, lt
from ...symbolic.rules import instance
from .entry import Entry, Mutant

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
NUMERIC = (Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)


# ---------------------------------------------------------------- delta.rms_direction

rms = CLAIMS["delta.rms_direction"]
under_root = mean_square + epsilon**2 / size(d)
roots = instance("root_of_product", size(d), under_root)


def _visibly(value):
    """Proves 0 ≤ value by its form."""
    return AtMost(chain(value - 0, step(value, "c − 0 = c")))


RMS_DIRECTION = Entry(
    rms,
    (Kind.KERNEL, Kind.DERIVATION, *NUMERIC),
    derivation=Have(
        le(0, size(d)),
        _visibly(size(d)),
        Have(
            le(0, under_root),
            _visibly(under_root),
            chain(
                rms_norm / sqrt(size(d)),
                step(k / (sqrt(size(d)) * sqrt(under_root)), "one denominator"),
                step(k / sqrt(size(d) * under_root), "√a √b = √(ab)", roots),
                step(k / sqrt(softened), "d (kᵀk/d + ε²/d) = kᵀk + ε²"),
            ),
        ),
    ),
    lemma="delta:rms_direction",
    mutants=(
        Mutant("not divided by √d", restate(rms, then=eq(rms_norm, rms.then.expressions[1]))),
        Mutant("divided by d", restate(rms, then=eq(rms_norm / size(d), rms.then.expressions[1]))),
        Mutant("without the root", restate(
            rms, then=eq(rms_norm / sqrt(size(d)), k / softened))),
        Mutant("ε is left out", restate(
            rms, then=eq(rms_norm / sqrt(size(d)), k / sqrt(square)),
            given=[*rms.given, lt(0, square)])),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.key_gradient

key_gradient = CLAIMS["delta.key_gradient"]
along_h = derivative(entry(y.T @ moved) / norm(moved), t, at=0)
projected = entry(y.T @ (eye(d) - k_normalised @ k_normalised.T) @ h)


def _key_gradient(value):
    """The statement for another Jacobian."""
    return restate(key_gradient, then=eq(along_h, value))


KEY_GRADIENT = Entry(
    key_gradient,
    (Kind.DERIVATION, *NUMERIC),
    derivation=chain(
        along_h,
        step(
            (entry(y.T @ h) * norm(kappa) - entry(y.T @ kappa) * entry(kappa.T @ h) / norm(kappa))
            / norm(kappa) ** 2,
            "quotient rule; the slope of ‖κ + t h‖ at 0 is κᵀh/‖κ‖",
        ),
        step(projected / norm(kappa), "kkᵀ = κκᵀ/‖κ‖²"),
    ),
    mutants=(
        Mutant("the projection is left out", _key_gradient(entry(y.T @ h) / norm(kappa))),
        Mutant("not divided by ‖κ‖", _key_gradient(projected)),
        Mutant("I + kkᵀ", _key_gradient(
            entry(y.T @ (eye(d) + k_normalised @ k_normalised.T) @ h) / norm(kappa))),
        Mutant("κκᵀ in place of kkᵀ", _key_gradient(
            entry(y.T @ (eye(d) - kappa @ kappa.T) @ h) / norm(kappa))),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.frozen_jacobian

frozen = CLAIMS["delta.frozen_jacobian"]
row = vec(Y).T
along_direction = frozen.then.expressions[0]


def _frozen(value):
    """The statement for another Jacobian."""
    return restate(frozen, then=eq(along_direction, value))


FROZEN_JACOBIAN = Entry(
    frozen,
    (Kind.KERNEL, Kind.DERIVATION, *NUMERIC),
    derivation=chain(
        along_direction,
        step(entry(row @ vec(A @ H)), "the block is affine in X"),
        step(
            entry(row @ (kron(eye(m), A) @ vec(H))),
            "vec(A H) = (I ⊗ A) vec(H)",
            instance("columns_of_product", A, H),
        ),
        step(frozen.then.expressions[1], "brackets"),
    ),
    lemma="delta_lifted:frozen_jacobian",
    mutants=(
        Mutant("the identity", _frozen(entry(row @ vec(H)))),
        Mutant("A applied twice", _frozen(entry(row @ kron(eye(m), A @ A) @ vec(H)))),
        Mutant("the sign", _frozen(-frozen.then.expressions[1])),
        Mutant("twice the gate", _frozen(
            entry(row @ kron(eye(m), eye(d) - 2 * beta * (k @ k.T)) @ vec(H)))),
        Mutant("with the value", _frozen(
            frozen.then.expressions[1] + entry(row @ vec(beta * (k @ v.T))))),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- …frozen_spectrum_is_jacobian…

spectrum = CLAIMS["delta.frozen_spectrum_is_jacobian_reading"]


def _frozen_at_x(*frozen):
    """The statement where functions have the slope 0 at x."""
    smooth = [differentiable(f(x_1), x_1, at=x_1) for f in frozen]
    flat = [eq(derivative(f(x_1), x_1), 0) for f in frozen]
    return restate(spectrum, given=[*spectrum.given, *smooth, *flat])


FROZEN_SPECTRUM_IS_JACOBIAN_READING = Entry(
    spectrum,
    (Kind.COUNTEREXAMPLE, *NUMERIC),
    repaired_by="delta.frozen_jacobian",
    mutants=(
        Mutant("k, v, β do not vary", _frozen_at_x(k_of, v_of, beta_of)),
        Mutant("k and β do not vary, and v neither where the gate is open", restate(
            spectrum, given=[*_frozen_at_x(k_of, beta_of).given, eq(beta_of(x_1), 0)])),
        Mutant("the slope of the block", restate(
            spectrum, then=eq(spectrum.then.expressions[0], derivative(block_of_x, x_1)))),
        Mutant("no gate at all near x", restate(spectrum, given=[
            *_frozen_at_x(beta_of).given, eq(beta_of(x_1), 0)], then=eq(
            spectrum.then.expressions[0], 1))),
    ),
)  # fmt: skip

ENTRIES = (RMS_DIRECTION, KEY_GRADIENT, FROZEN_JACOBIAN, FROZEN_SPECTRUM_IS_JACOBIAN_READING)
