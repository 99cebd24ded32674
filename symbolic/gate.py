"""Statements on the hybrid gate γ and its regulariser 4γ(1−γ).

CLAIMS == in the order of the ledger
"""

from fractions import Fraction

from .claims import Claim, Source
from .expressions import derivative, function, named, scalar
from .propositions import both, differentiable, either, eq, exists, forall, iff, implies, le, lt

gamma, delta = scalar("gamma"), scalar("delta")
f = function("f")
half = Fraction(1, 2)

symmetric_near_half = exists(
    delta,
    both(
        lt(0, delta),
        forall(
            gamma,
            implies(
                both(lt(half - delta, gamma), lt(gamma, half + delta)),
                eq(f(gamma), f(1 - gamma)),
            ),
        ),
    ),
)
differentiable_at_half = differentiable(f(gamma), gamma, at=half)
slope_at_half = derivative(f(gamma), gamma, at=half)
regulariser = named("f", 4 * gamma * (1 - gamma))

CLAIMS = (
    Claim(
        "gate.zero_gradient_midpoint",
        title="A symmetric regulariser has zero gradient at the midpoint",
        source=Source("GEO", "Thm 7.3", literal=True),
        given=[differentiable_at_half, symmetric_near_half],
        then=eq(slope_at_half, 0),
    ),
    Claim(
        "gate.zero_gradient_without_smoothness_reading",
        title="Symmetry alone makes the gradient vanish at the midpoint",
        source=Source("NEW"),
        given=[symmetric_near_half],
        then=both(differentiable_at_half, eq(slope_at_half, 0)),
        expected="refuted",
    ),
    Claim(
        "gate.regulariser_profile",
        title="The regulariser 4γ(1−γ): zeros, maximum, slope, curvature",
        source=Source("GEO", "summary §2.2"),
        then=both(
            eq(regulariser, 1 - (2 * gamma - 1) ** 2),
            iff(eq(regulariser, 0), either(eq(gamma, 0), eq(gamma, 1))),
            le(regulariser, 1),
            iff(eq(regulariser, 1), eq(gamma, half)),
            eq(derivative(regulariser, gamma), 4 * (1 - 2 * gamma)),
            eq(derivative(regulariser, gamma, order=2), -8),
        ),
    ),
)
