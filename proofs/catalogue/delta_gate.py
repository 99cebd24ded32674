"""The family delta, the learned gate 2σ(z): derivations, a counterproof, mutants.

ENTRIES == its range, its slope; in the order of the ledger
"""

from ...symbolic import delta as statements
from ...symbolic.claims import restate
from ...symbolic.counterproofs import Counterproof
from ...symbolic.delta import A_z, beta_z, c, gate, k, unit, x, z
from ...symbolic.derivations import (
    Arbitrary,
    AtMost,
    Contradiction,
    Exhibit,
    Have,
    Linear,
    Parts,
    Suppose,
    chain,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import Literal, derivative, elementary, entry, norm
from ...symbolic.propositions import both, eq, exists, implies, lt, ne
from ...symbolic.rules import instance
from .entry import Entry, Mutant
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}

mirror = -z
decay = elementary("exp", mirror)
logistic = 1 / (1 + decay)
by_definition = instance("sigmoid", z)


# ---------------------------------------------------------------- delta.gate_range

gate_range = CLAIMS["delta.gate_range"]
above, below, onto, mirrored, middle = gate_range.then.propositions
odds = c / (2 - c)
logit = elementary("log", odds)
below_two = AtMost(
    chain(
        2 - gate(z),
        step(2 - 2 * logistic, "σ(z) = 1/(1 + exp(−z))", by_definition),
        step(2 * (decay / (1 + decay)), "over one denominator"),
    )
)


def _gate_range(position, part):
    """The statement with another part at a position."""
    parts = list(gate_range.then.propositions)
    parts[position] = part
    return restate(gate_range, then=both(*parts))


# 2 − 2σ(10⁶) is positive and smaller than what 200 digits resolve: no ladder
GATE_RANGE = Entry(
    gate_range,
    (Kind.KERNEL, Kind.DERIVATION, Kind.ENCLOSURE, Kind.PROPERTY),
    derivation=Parts(
        (
            AtMost(chain(gate(z) - 0, step(gate(z), "σ is positive"))),
            below_two,
            Exhibit(
                logit,
                Have(
                    lt(0, odds),
                    AtMost(chain(odds - 0, step(odds, "c and 2 − c are positive"))),
                    chain(
                        gate(logit),
                        step(
                            2 * (1 / (1 + elementary("exp", -logit))),
                            "σ(t) = 1/(1 + exp(−t))",
                            instance("sigmoid", logit),
                        ),
                        step(
                            2 * (1 / (1 + 1 / elementary("exp", logit))),
                            "exp(−t) = 1/exp(t)",
                            instance("exp_of_negative", logit),
                        ),
                        step(
                            2 * (1 / (1 + 1 / odds)),
                            "t is the logarithm of c/(2 − c)",
                            instance("exp_of_log", odds),
                        ),
                        step(c, "(2 − c) + c = 2"),
                    ),
                ),
            ),
            chain(
                gate(-z),
                step(
                    2 * (1 / (1 + elementary("exp", -mirror))),
                    "σ(−z) = 1/(1 + exp(z))",
                    instance("sigmoid", mirror),
                ),
                step(
                    2 * (1 / (1 + 1 / elementary("exp", -z))),
                    "exp(z) = 1/exp(−z)",
                    instance("exp_of_negative", -z),
                ),
                step(2 - 2 * logistic, "over one denominator"),
                step(2 - gate(z), "σ(z) = 1/(1 + exp(−z))", by_definition),
            ),
            chain(
                gate(0),
                step(
                    2 * (1 / (1 + elementary("exp", -Literal(0)))),
                    "σ(0) = 1/(1 + exp(0))",
                    instance("sigmoid", 0),
                ),
                step(1, "exp(0) = 1", instance("exp_of_zero")),
            ),
        )
    ),
    lemma="delta_gate:gate_range",
    mutants=(
        Mutant("more than 1", _gate_range(0, lt(1, gate(z)))),
        Mutant("less than 1", _gate_range(1, lt(gate(z), 1))),
        Mutant("every value below 2 is taken at 0", _gate_range(
            2, implies(lt(c, 2), eq(gate(0), c)))),
        Mutant("β(−z) = −β(z)", _gate_range(3, eq(gate(-z), -gate(z)))),
        Mutant("β(0) = ½", _gate_range(4, eq(gate(0), Literal(1) / 2))),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.gate_attains_ends_reading

attains = CLAIMS["delta.gate_attains_ends_reading"]
GATE_ATTAINS_ENDS_READING = Entry(
    attains,
    (Kind.COUNTERPROOF,),
    counterproof=Counterproof(
        instance={},
        because=Arbitrary(
            Suppose(
                Have(
                    lt(gate(z), 2),
                    below_two,
                    Contradiction(lt(gate(z), 2), Linear((eq(gate(z), 2),))),
                )
            )
        ),
    ),
    repaired_by="delta.gate_range",
    mutants=(
        Mutant("it attains 1", restate(attains, then=exists(z, eq(gate(z), 1)))),
        Mutant("it attains ½ and 1½", restate(attains, then=both(
            exists(z, eq(gate(z), Literal(1) / 2)), exists(z, eq(gate(z), Literal(3) / 2))))),
        Mutant("it lies above 0 and below 2", restate(attains, then=both(
            exists(z, lt(0, gate(z))), exists(z, lt(gate(z), 2))))),
        Mutant("it is not 0", restate(attains, then=exists(z, ne(gate(z), 0)))),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.gate_gradient

gradient = CLAIMS["delta.gate_gradient"]
slope = derivative(gate(z), z)
component = entry(k.T @ x)
slope_of_gate, length_lost = gradient.then.propositions


def _gradient(slope_is, length_is):
    """The statement with other slopes and lengths."""
    return restate(gradient, then=both(eq(slope, slope_is), eq(norm(A_z @ x) ** 2, length_is)))


GATE_GRADIENT = Entry(
    gradient,
    (Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=Parts(
        (
            chain(slope, step(beta_z * (2 - beta_z) / 2, "σ' = σ(1 − σ), and β = 2σ")),
            chain(
                norm(A_z @ x) ** 2,
                step(
                    entry((A_z @ x).T @ (A_z @ x)),
                    "‖a‖² = aᵀa",
                    instance("norm_squared", A_z @ x),
                ),
                step(
                    entry(x.T @ x) - 2 * (beta_z * (2 - beta_z) / 2) * component**2,
                    "multiply out, with kᵀk = 1",
                    unit,
                ),
                step(
                    norm(x) ** 2 - 2 * (beta_z * (2 - beta_z) / 2) * component**2,
                    "aᵀa = ‖a‖²",
                    instance("norm_squared", x),
                ),
                step(norm(x) ** 2 - 2 * slope * component**2, "β(2 − β)/2 is the slope"),
            ),
        )
    ),
    mutants=(
        Mutant("k of any length", without(gradient, unit)),
        Mutant("β(2 − β)", _gradient(beta_z * (2 - beta_z), length_lost.expressions[1])),
        Mutant("β(1 − β)", _gradient(beta_z * (1 - beta_z), length_lost.expressions[1])),
        Mutant("length is gained", _gradient(
            slope_of_gate.expressions[1], norm(x) ** 2 + 2 * slope * component**2)),
        Mutant("half the loss", _gradient(
            slope_of_gate.expressions[1], norm(x) ** 2 - slope * component**2)),
    ),
)  # fmt: skip

ENTRIES = (GATE_RANGE, GATE_ATTAINS_ENDS_READING, GATE_GRADIENT)
