"""Near misses of the statements, for every numeric check to reject.

A test with an argument `mutant` runs once for each; one with `true_claim`, `refuted_claim` or
`delta_claim` once for each of the claims that have near misses here. What every entry of the
catalogue comes out as is tests/proofs' business.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.symbolic import cayley, delta, gate, residual
from deltaproof.symbolic.claims import restate
from deltaproof.symbolic.expressions import (
    as_expression,
    derivative,
    det,
    dims,
    entry,
    eye,
    inv,
    norm,
    product,
    total,
    zeros,
)
from deltaproof.symbolic.propositions import (
    both,
    either,
    eq,
    iff,
    invertible,
    le,
    lt,
    ne,
)

CLAIMS = {c.id: c for m in (delta, cayley, gate, residual) for c in m.CLAIMS}
(n,) = (dims("n"),)

A, k, u, v, X, beta, unit = (
    delta.A, delta.k, delta.u, delta.v, delta.X, delta.beta, delta.unit,
)  # fmt: skip
d = delta.d
Q, S, W, x, y, skew = cayley.Q, cayley.S, cayley.W, cayley.x, cayley.y, cayley.skew
cu, cv = cayley.u, cayley.v
f, gamma = gate.regulariser, gate.gamma
slope, at_half = gate.slope_at_half, gate.differentiable_at_half


def unrolled(first, *, partial):
    """x_L with the product from `first` before x_l, and products or plain F in the sum."""
    m = residual
    after = product(m.j, m.i + 1, m.L - 1, m.lam[m.j])
    scale = after if partial else as_expression(1)
    return eq(
        m.x[m.L],
        product(m.i, first, m.L - 1, m.lam[m.i]) * m.x[m.l]
        + total(m.i, m.l, m.L - 1, scale * m.F[m.i]),
    )


UNROLLED = restate(
    CLAIMS["residual.scaled_unrolled_printed"], then=unrolled(residual.l, partial=True)
)

CHANGES = {
    "delta.rank_one_form": [
        {"then": eq(A @ X + beta * (k @ v.T), X + beta * (k @ (v.T + k.T @ X)))},
        {"then": eq(A @ X + beta * (k @ v.T), X + k @ (v.T - k.T @ X))},
        {"then": eq(A @ X - beta * (k @ v.T), X + beta * (k @ (v.T - k.T @ X)))},
        {"then": eq(A @ X + beta * (k @ v.T), X + beta**2 * (k @ (v.T - k.T @ X)))},
    ],
    "delta.eigenvalue_along_k": [
        {"given": []},
        {"then": eq(A @ k, (1 + beta) * k)},
        {"then": eq(A @ k, (1 - 2 * beta) * k)},
    ],
    "delta.eigenvalue_off_k": [
        {"given": []},
        {"then": eq(A @ u, -u)},
        {"then": eq(A @ u, (1 - beta) * u)},
    ],
    "delta.determinant": [
        {"then": eq(det(A), 1 - beta)},
        {"then": eq(det(A), 1 + beta * entry(k.T @ k))},
        {"then": eq(det(A), -1)},
    ],
    "delta.orthogonal_iff": [
        {"given": []},
        {"then": iff(eq(A.T @ A, eye(d)), eq(beta, 2))},
        {"then": iff(eq(A.T @ A, eye(d)), eq(beta, 0))},
        {"then": iff(eq(A.T @ A, eye(d)), either(eq(beta, 0), eq(beta, 1)))},
        {"then": iff(eq(A.T @ A, eye(d)), either(eq(beta, 0), eq(beta, 2), eq(beta, 1)))},
    ],
    "cayley.generator_skew": [
        {"then": eq(W.T, W)},
        {"then": eq((cu @ cv.T - 2 * (cv @ cu.T)).T, -W)},
    ],
    "cayley.nonsingular": [
        {"given": []},
        {"given": [eq(S.T, S)]},
        {"then": invertible(S)},
        {"then": invertible(eye(n) + S @ S)},
    ],
    "cayley.orthogonal": [
        {"then": eq(Q @ Q, eye(n))},
        {"then": eq(Q.T @ Q, -eye(n))},
        {"then": eq((inv(eye(n) + S) @ (eye(n) - 2 * S)).T @ Q, eye(n))},
        {"then": eq(Q.T, Q)},
    ],
    "cayley.isometry": [
        {"then": eq(norm(Q @ y), 2 * norm(y))},
        {"then": eq(norm(Q @ y + y), norm(y))},
    ],
    "cayley.determinant": [
        {"then": eq(det(Q), -1)},
        {"then": eq(det(eye(n) + S), 1)},
    ],
    "cayley.no_minus_one": [
        {"given": [skew, eq(Q @ x, x)]},
        {"given": [skew]},
        {"then": ne(x, zeros(n, 1))},
    ],
    "gate.zero_gradient_midpoint": [
        {"given": [at_half]},
        {"then": eq(slope, 1)},
    ],
    "gate.regulariser_profile": [
        {"then": lt(f, 1)},
        {"then": le(f, Fraction(1, 2))},
        {"then": iff(eq(f, 0), eq(gamma, 0))},
        {"then": iff(eq(f, 1), eq(gamma, 0))},
        {"then": eq(derivative(f, gamma), 4 * (1 + 2 * gamma))},
        {"then": both(le(f, 1), eq(derivative(f, gamma, order=2), 8))},
    ],
}
MUTANTS = {
    f"{name}-{i}": restate(CLAIMS[name], **change)
    for name, changes in CHANGES.items()
    for i, change in enumerate(changes, start=1)
} | {
    "residual.scaled_unrolled-1": CLAIMS["residual.scaled_unrolled_printed"],
    "residual.scaled_unrolled-2": restate(UNROLLED, then=unrolled(residual.l, partial=False)),
    "residual.scaled_unrolled-3": restate(UNROLLED, then=unrolled(residual.l + 1, partial=True)),
}
TRUE = {name: CLAIMS[name] for name in CHANGES} | {"residual.scaled_unrolled": UNROLLED}
REFUTED = {
    name: CLAIMS[name]
    for name in (
        "residual.scaled_unrolled_printed",
        "cayley.so_excludes_minus_one_printed",
        "gate.zero_gradient_without_smoothness_reading",
    )
}
DELTA = {name: claim for name, claim in TRUE.items() if name.startswith("delta.")}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    groups = {
        "mutant": MUTANTS,
        "true_claim": TRUE,
        "refuted_claim": REFUTED,
        "delta_claim": DELTA,
    }
    for argument, group in groups.items():
        if argument in metafunc.fixturenames:
            metafunc.parametrize(argument, list(group.values()), ids=list(group))


@pytest.fixture
def mutants_of():
    """The near misses of a claim, by its id."""

    def mutants_of(claim):
        name = "residual.scaled_unrolled" if claim is UNROLLED else claim.id
        return [mutant for key, mutant in MUTANTS.items() if key.rpartition("-")[0] == name]

    return mutants_of
