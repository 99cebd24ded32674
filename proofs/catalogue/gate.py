"""The family gate: derivations, a counterproof, operators and mutants of each statement.

ENTRIES == in the order of the ledger
"""

from fractions import Fraction

from ...symbolic import gate as statements
from ...symbolic.claims import Claim, restate
from ...symbolic.counterproofs import Counterproof, Slopes
from ...symbolic.derivations import AtMost, BothWays, Cases, Cited, Have, Parts, chain, step
from ...symbolic.evaluation import Lambda
from ...symbolic.evidence import Kind
from ...symbolic.expressions import derivative, least
from ...symbolic.gate import (
    differentiable_at_half,
    f,
    gamma,
    half,
    regulariser,
    slope_at_half,
    symmetric_near_half,
)
from ...symbolic.propositions import (
    Proposition,
    both,
    differentiable,
    either,
    eq,
    iff,
    implies,
    le,
    lt,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant, Operator, kinds_but
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}


# ---------------------------------------------------------------- gate.zero_gradient_midpoint

midpoint = CLAIMS["gate.zero_gradient_midpoint"]
mirrored = derivative(f(1 - gamma), gamma, at=half)
quarter = Fraction(1, 4)
value = 4 * gamma * (1 - gamma)
ZERO_GRADIENT_MIDPOINT = Entry(
    midpoint,
    kinds_but(Kind.CERTIFICATE),
    derivation=chain(
        slope_at_half,
        step(half * (slope_at_half + slope_at_half), "half of twice the slope"),
        step(
            half * (slope_at_half + mirrored),
            "near ½, f(γ) = f(1 − γ)",
            instance("local_derivative", symmetric_near_half),
        ),
        step(
            half * (slope_at_half - slope_at_half),
            "f(1 − γ) has the slope −f'(1 − γ), and 1 − ½ = ½",
            instance("chain_rule", f, 1 - gamma, gamma, half),
        ),
        step(0, "the two terms cancel"),
    ),
    lemma="gate:zero_gradient_midpoint",
    operators={"f": Operator("gate:gate_regulariser", ("gamma",), Lambda(gamma, value))},
    mutants=(
        Mutant(
            "f is not symmetric",
            without(midpoint, symmetric_near_half),
            unseen_by=(Kind.TORCH,),
        ),
        Mutant("the slope is 1", restate(midpoint, then=eq(slope_at_half, 1))),
        Mutant("f is zero", restate(midpoint, then=eq(f(half), 0))),
        Mutant("the slope is positive", restate(midpoint, then=lt(0, slope_at_half))),
        Mutant(
            "at ¼",
            restate(
                midpoint,
                given=[differentiable(f(gamma), gamma, at=quarter), symmetric_near_half],
                then=eq(derivative(f(gamma), gamma, at=quarter), 0),
            ),
        ),
        Mutant("the slope is ≤ 0", restate(midpoint, then=le(slope_at_half, 0)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- …without_smoothness_reading

reading = CLAIMS["gate.zero_gradient_without_smoothness_reading"]
ZERO_GRADIENT_WITHOUT_SMOOTHNESS_READING = Entry(
    reading,
    (Kind.COUNTERPROOF,),
    counterproof=Counterproof(
        instance={"f": Lambda(gamma, least(gamma, 1 - gamma))},
        witnesses={"delta": half},
        slopes=Slopes(left=Fraction(1), right=Fraction(-1), radius=half),
    ),
    repaired_by="gate.zero_gradient_midpoint",
    mutants=(
        Mutant(
            "differentiability assumed",
            restate(reading, given=[differentiable_at_half, symmetric_near_half]),
        ),
        Mutant(
            "the slope is 0 if there is one",
            restate(reading, then=implies(differentiable_at_half, eq(slope_at_half, 0))),
        ),
        Mutant(
            "the slope is ≤ 0 if there is one",
            restate(reading, then=implies(differentiable_at_half, le(slope_at_half, 0))),
        ),
        Mutant("only that f is symmetric", restate(reading, then=symmetric_near_half)),
    ),
)


# ---------------------------------------------------------------- gate.regulariser_profile

profile = CLAIMS["gate.regulariser_profile"]
is_zero, is_one = eq(regulariser, 0), eq(regulariser, 1)
ends = either(eq(gamma, 0), eq(gamma, 1))


def _profile(position: int, part: Proposition) -> Claim:
    """The statement with another part at a position."""
    parts = list(profile.then.propositions)
    parts[position] = part
    return restate(profile, then=both(*parts))


REGULARISER_PROFILE = Entry(
    profile,
    kinds_but(Kind.CERTIFICATE),
    derivation=Parts(
        (
            chain(
                regulariser,
                step(4 * gamma - 4 * gamma**2, "multiply out"),
                step(1 - (2 * gamma - 1) ** 2, "complete the square"),
            ),
            BothWays(
                forward=Have(
                    eq(gamma * (gamma - 1), 0),
                    chain(
                        gamma * (gamma - 1),
                        step(-(regulariser / 4), "f = 4γ(1 − γ)"),
                        step(0, "f = 0", is_zero),
                    ),
                    then=Cited(instance("zero_product", eq(gamma, 0), eq(gamma, 1))),
                ),
                backward=Cases(
                    ends,
                    (
                        chain(regulariser, step(0, "γ = 0", eq(gamma, 0))),
                        chain(regulariser, step(0, "1 − γ = 0", eq(gamma, 1))),
                    ),
                ),
            ),
            AtMost(
                chain(1 - regulariser, step((2 * gamma - 1) ** 2, "complete the square")),
            ),
            BothWays(
                forward=Have(
                    eq((gamma - half) ** 2, 0),
                    chain(
                        (gamma - half) ** 2,
                        step((1 - regulariser) / 4, "f = 1 − (2γ − 1)²"),
                        step(0, "f = 1", is_one),
                    ),
                    then=Cited(instance("zero_square", eq(gamma, half))),
                ),
                backward=chain(regulariser, step(1, "γ = ½", eq(gamma, half))),
            ),
            chain(
                derivative(regulariser, gamma),
                step(derivative(4 * gamma - 4 * gamma**2, gamma), "multiply out"),
                step(4 - 8 * gamma, "differentiate the polynomial"),
                step(4 * (1 - 2 * gamma), "collect"),
            ),
            chain(
                derivative(regulariser, gamma, order=2),
                step(derivative(4 - 8 * gamma, gamma), "differentiate once"),
                step(-8, "and again"),
            ),
        )
    ),
    lemma="gate:regulariser_profile",
    operators={"f": Operator("gate:gate_regulariser", ("gamma",))},
    mutants=(
        Mutant("the square of 2γ + 1", _profile(0, eq(regulariser, 1 - (2 * gamma + 1) ** 2))),
        Mutant("zero at 0 only", _profile(1, iff(is_zero, eq(gamma, 0)))),
        Mutant("smaller than 1", _profile(2, lt(regulariser, 1))),
        Mutant("maximal at 1", _profile(3, iff(is_one, eq(gamma, 1)))),
        Mutant(
            "the slope's sign", _profile(4, eq(derivative(regulariser, gamma), 4 * (2 * gamma - 1)))
        ),
        Mutant(
            "half the slope", _profile(4, eq(derivative(regulariser, gamma), 2 * (1 - 2 * gamma)))
        ),
        Mutant("the curvature's sign", _profile(5, eq(derivative(regulariser, gamma, order=2), 8))),
    ),
)

ENTRIES = (ZERO_GRADIENT_MIDPOINT, ZERO_GRADIENT_WITHOUT_SMOOTHNESS_READING, REGULARISER_PROFILE)
