"""Statements on the hybrid gate γ and its regulariser 4γ(1−γ).

CLAIMS         == in the order of the ledger
regulariser    == f = 4γ(1−γ) of a gate γ
entropy        == of γ and 1 − γ; at the ends, where 0·log 0 = 0, it is 0 on both sides
gate_z, f_z    == the gate σ(z) of a logit z, and the regulariser of it
flow           == g(t), a gate in time, follows −f': descent on the regulariser, in continuous time
"""

from fractions import Fraction

from .claims import Claim, Source
from .expressions import (
    Expression,
    Literal,
    absolute,
    derivative,
    elementary,
    function,
    named,
    scalar,
    sqrt,
)
from .propositions import (
    both,
    differentiable,
    either,
    eq,
    exists,
    forall,
    iff,
    implies,
    le,
    lt,
    ne,
    tends_to,
)

gamma, delta = scalar("gamma"), scalar("delta")
h, s, t, z = (scalar(name) for name in "hstz")
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
symmetric = forall(gamma, eq(f(gamma), f(1 - gamma)))
inside = (lt(0, gamma), lt(gamma, 1))

# a variable that is 1 with probability γ, else 0
mean_of_bernoulli = named("m", gamma * 1 + (1 - gamma) * 0)
variance_of_bernoulli = named(
    "V", gamma * (1 - mean_of_bernoulli) ** 2 + (1 - gamma) * (0 - mean_of_bernoulli) ** 2
)


def entropy(share: Expression) -> Expression:
    """−p log p − (1 − p) log(1 − p)."""
    other = 1 - share
    return -(share * elementary("log", share)) - other * elementary("log", other)


def squared_product(share: Expression) -> Expression:
    """(p(1 − p))²."""
    return (share * (1 - share)) ** 2


H, P = named("H", entropy(gamma)), named("P", squared_product(gamma))

# the gate of a logit
gate_z = named("gamma", elementary("sigmoid", z))
f_z = named("f", 4 * gate_z * (1 - gate_z))
slope_z = derivative(f_z, z)
largest_slope = 2 * sqrt(3) / 9
low_gate, high_gate = (3 - sqrt(3)) / 6, (3 + sqrt(3)) / 6
attained = eq(absolute(slope_z), largest_slope)
steepest_gates = either(eq(gate_z, low_gate), eq(gate_z, high_gate))
steepest = elementary("log", 2 + sqrt(3))

# descent in continuous time, without bounds on γ
path = function("g")
descent = -derivative(regulariser, gamma, at=path(s))
flow = forall(s, both(differentiable(path(s), s, at=s), eq(derivative(path(s), s), descent)))
growth = elementary("exp", 8 * t)
start_gap = path(Literal(0)) - half
solution = eq(path(t), half + start_gap * growth)
leaving = le((1 + 8 * t) * absolute(start_gap), absolute(path(t) - half))

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
        "gate.central_difference_blind",
        title="A central difference at the midpoint of a symmetric regulariser is 0 at any step",
        source=Source("NEW"),
        given=[symmetric, ne(h, 0)],
        then=eq((f(half + h) - f(half - h)) / (2 * h), 0),
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
    Claim(
        "gate.bernoulli_variance",
        title="The regulariser is four times the variance of a Bernoulli variable",
        source=Source("GEO-notes"),
        given=[le(0, gamma), le(gamma, 1)],
        then=eq(regulariser, 4 * variance_of_bernoulli),
    ),
    Claim(
        "gate.entropy_and_product_instances",
        title="(γ(1−γ))² and the entropy are symmetric, with zero gradient at the midpoint",
        source=Source("GEO-notes"),
        given=[*inside],
        then=[
            eq(P, squared_product(1 - gamma)),
            eq(derivative(P, gamma, at=half), 0),
            eq(H, entropy(1 - gamma)),
            eq(derivative(H, gamma, at=half), 0),
        ],
    ),
    Claim(
        "gate.logit_gradient",
        title="The regulariser's gradient in the logit: zero at 0, and far out",
        source=Source("NEW"),
        then=[
            eq(slope_z, 4 * (1 - 2 * gate_z) * gate_z * (1 - gate_z)),
            eq(derivative(f_z, z, at=0), 0),
            tends_to(slope_z, 0, variable=z),
            tends_to(derivative(f_z, z, at=-z), 0, variable=z),
        ],
    ),
    Claim(
        "gate.logit_gradient_maximum",
        title="The regulariser's gradient in the logit is at most 2√3/9, at two gates alone",
        source=Source("NEW"),
        then=[
            le(absolute(slope_z), largest_slope),
            iff(attained, steepest_gates),
            eq(elementary("sigmoid", -steepest), low_gate),
            eq(elementary("sigmoid", steepest), high_gate),
        ],
    ),
    Claim(
        "gate.flow_leaves_midpoint",
        title="Descent in continuous time leaves the midpoint, an unstable fixed point, for ever",
        source=Source("NEW"),
        given=[flow],
        then=[
            eq(derivative(regulariser, gamma, at=half), 0),
            solution,
            leaving,
        ],
    ),
    Claim(
        "gate.reaches_boundary_reading",
        title="With γ = σ(z), the regulariser can drive the gate to exactly 0 or 1",
        source=Source("GEO", "summary §2.2"),
        then=exists(z, either(eq(gate_z, 0), eq(gate_z, 1))),
        expected="refuted",
    ),
    Claim(
        "gate.descent_direction_reading",
        title="Descent on the regulariser moves the gate toward the midpoint",
        source=Source("GEO-notes"),
        given=[*inside, ne(gamma, half)],
        then=lt(0, (half - gamma) * -derivative(regulariser, gamma)),
        expected="refuted",
    ),
)
