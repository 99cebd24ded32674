"""The family gate: derivations, a counterproof, operators and mutants of each statement.

ENTRIES == in the order of the ledger
"""

from fractions import Fraction

from ...symbolic import gate as statements
from ...symbolic.claims import Claim, restate
from ...symbolic.counterproofs import Counterproof, Slopes
from ...symbolic.derivations import (
    Arbitrary,
    AtMost,
    BothWays,
    Cases,
    Choose,
    Cited,
    Contradiction,
    Derivation,
    Have,
    Known,
    Linear,
    Parts,
    Suppose,
    chain,
    step,
)
from ...symbolic.evaluation import Lambda
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    Literal,
    Power,
    absolute,
    as_expression,
    derivative,
    elementary,
    least,
    sqrt,
)
from ...symbolic.gate import (
    H,
    P,
    attained,
    differentiable_at_half,
    entropy,
    f,
    f_z,
    flow,
    gamma,
    gate_z,
    growth,
    h,
    half,
    high_gate,
    largest_slope,
    leaving,
    low_gate,
    mean_of_bernoulli,
    path,
    regulariser,
    s,
    slope_at_half,
    slope_z,
    solution,
    squared_product,
    start_gap,
    steepest,
    steepest_gates,
    symmetric,
    symmetric_near_half,
    t,
    variance_of_bernoulli,
    z,
)
from ...symbolic.propositions import (
    Eq,
    Proposition,
    TendsTo,
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
from ...symbolic.rules import instance
from .entry import Entry, Mutant, Operator, kinds_but
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
NUMERIC = (Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)
quarter = Fraction(1, 4)
middle, over_exp = elementary("sigmoid", 0), 1 / (1 + elementary("exp", -Literal(0)))
decay = elementary("exp", -z)


# ---------------------------------------------------------------- gate.zero_gradient_midpoint

midpoint = CLAIMS["gate.zero_gradient_midpoint"]
mirrored = derivative(f(1 - gamma), gamma, at=half)
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


# ---------------------------------------------------------------- gate.central_difference_blind

blind = CLAIMS["gate.central_difference_blind"]
quotient = (f(half + h) - f(half - h)) / (2 * h)
CENTRAL_DIFFERENCE_BLIND = Entry(
    blind,
    (Kind.KERNEL, *NUMERIC),
    derivation=chain(
        quotient,
        step(
            (f(half - h) - f(half - h)) / (2 * h),
            "½ + h is mirrored at ½ − h",
            instance("instantiate", symmetric, half + h),
        ),
        step(0, "the two terms cancel"),
    ),
    lemma="gate:central_difference_blind",
    mutants=(
        Mutant("f is not symmetric", without(blind, symmetric)),
        Mutant("the difference is 1", restate(blind, then=eq(quotient, 1))),
        Mutant(
            "a forward difference",
            restate(blind, then=eq((f(half + h) - f(half)) / h, 0)),
        ),
        Mutant(
            "at ¼",
            restate(blind, then=eq((f(quarter + h) - f(quarter - h)) / (2 * h), 0)),
        ),
        Mutant(
            "a second difference",
            restate(blind, then=eq((f(half + h) - 2 * f(half) + f(half - h)) / h, 0)),
        ),
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


# ---------------------------------------------------------------- gate.bernoulli_variance

bernoulli = CLAIMS["gate.bernoulli_variance"]
BERNOULLI_VARIANCE = Entry(
    bernoulli,
    (Kind.KERNEL, Kind.CERTIFICATE, *NUMERIC, Kind.TORCH),
    derivation=chain(
        regulariser,
        step(4 * (gamma * (1 - gamma) ** 2 + (1 - gamma) * gamma**2), "1 = γ + (1 − γ)"),
        step(4 * variance_of_bernoulli, "the mean is γ"),
    ),
    operators={"f": Operator("gate:gate_regulariser", ("gamma",))},
    mutants=(
        Mutant("the variance", restate(bernoulli, then=eq(regulariser, variance_of_bernoulli))),
        Mutant(
            "twice the variance",
            restate(bernoulli, then=eq(regulariser, 2 * variance_of_bernoulli)),
        ),
        Mutant(
            "four times the mean", restate(bernoulli, then=eq(regulariser, 4 * mean_of_bernoulli))
        ),
        Mutant(
            "four times the mean square",
            restate(bernoulli, then=eq(regulariser, 4 * (gamma * 1**2 + (1 - gamma) * 0**2))),
        ),
        Mutant("of any real γ", restate(bernoulli, given=[]), stays_true=True),
    ),
)


# ---------------------------------------------------------------- …entropy_and_product_instances

instances = CLAIMS["gate.entropy_and_product_instances"]


def _instances(position: int, part: Proposition) -> Claim:
    """The statement with another part at a position."""
    parts = list(instances.then.propositions)
    parts[position] = part
    return restate(instances, then=both(*parts))


ENTROPY_AND_PRODUCT_INSTANCES = Entry(
    instances,
    (Kind.KERNEL, *NUMERIC),
    derivation=Parts(
        (
            chain(P, step(squared_product(1 - gamma), "the two factors change places")),
            chain(
                derivative(P, gamma, at=half),
                step(
                    2 * (Literal(half) * (1 - Literal(half))) * (1 - 2 * Literal(half)),
                    "P' = 2γ(1 − γ)(1 − 2γ)",
                ),
                step(0, "1 − 2·½ = 0"),
            ),
            chain(H, step(entropy(1 - gamma), "the two terms change places")),
            chain(
                derivative(H, gamma, at=half),
                step(
                    elementary("log", 1 - Literal(half)) - elementary("log", half),
                    "H' = log(1 − γ) − log γ",
                ),
                step(0, "1 − ½ = ½"),
            ),
        )
    ),
    lemma="gate:entropy_and_product_instances",
    mutants=(
        Mutant("P at −γ", _instances(0, eq(P, squared_product(-gamma)))),
        Mutant("P at 1 + γ", _instances(0, eq(P, squared_product(1 + gamma)))),
        Mutant("P' at ¼", _instances(1, eq(derivative(P, gamma, at=quarter), 0))),
        Mutant("P' at ½ is ¼", _instances(1, eq(derivative(P, gamma, at=half), quarter))),
        Mutant("P'' at ½", _instances(1, eq(derivative(P, gamma, at=half, order=2), 0))),
    ),
)


# ---------------------------------------------------------------- gate.logit_gradient

logit_gradient = CLAIMS["gate.logit_gradient"]
in_gate = 4 * (1 - 2 * gamma) * gamma * (1 - gamma)
to_one = tends_to(elementary("sigmoid", z), 1, variable=z)
to_zero = tends_to(elementary("sigmoid", -z), 0, variable=z)


def far_out(limit: TendsTo) -> Derivation:
    """The slope is a polynomial in the gate, whose limit is known."""
    return Have(
        both(to_one, to_zero),
        Cited(instance("sigmoid_at_infinity", z)),
        Cited(instance("limit_of_polynomial", limit, gamma, in_gate)),
    )


def _logit(position: int, part: Proposition) -> Claim:
    """The statement with another part at a position."""
    parts = list(logit_gradient.then.propositions)
    parts[position] = part
    return restate(logit_gradient, then=both(*parts))


LOGIT_GRADIENT = Entry(
    logit_gradient,
    (Kind.DERIVATION,),  # numbers do not decide a limit
    derivation=Parts(
        (
            chain(
                slope_z,
                step(4 * (1 - 2 * gate_z) * gate_z * (1 - gate_z), "f' = 4(1 − 2γ), σ' = σ(1 − σ)"),
            ),
            chain(
                derivative(f_z, z, at=0),
                step(
                    4 * (1 - 2 * middle) * middle * (1 - middle),
                    "f' = 4(1 − 2γ), σ' = σ(1 − σ)",
                ),
                step(
                    4 * (1 - 2 * over_exp) * over_exp * (1 - over_exp),
                    "σ(0) = 1/(1 + exp(0))",
                    instance("sigmoid", 0),
                ),
                step(0, "exp(0) = 1", instance("exp_of_zero")),
            ),
            far_out(to_one),
            far_out(to_zero),
        )
    ),
    mutants=(
        Mutant("the regulariser itself", _logit(0, eq(slope_z, f_z))),
        Mutant("the slope of the gate", _logit(0, eq(slope_z, gate_z * (1 - gate_z)))),
        Mutant("1 at z = 0", _logit(1, eq(derivative(f_z, z, at=0), 1))),
        Mutant("the gate at z = 0", _logit(1, eq(elementary("sigmoid", 0), 0))),
        Mutant("the curvature at z = 0", _logit(1, eq(derivative(f_z, z, at=0, order=2), 0))),
    ),
)


# ---------------------------------------------------------------- gate.logit_gradient_maximum

maximum = CLAIMS["gate.logit_gradient_maximum"]
root = sqrt(3)
tilt = 1 - 2 * gate_z
root_is = instance("root_squared", Literal(3))
size_of_slope = instance("absolute_value", slope_z)
signs = either(
    both(le(0, slope_z), eq(absolute(slope_z), slope_z)),
    both(le(slope_z, 0), eq(absolute(slope_z), -slope_z)),
)
falling, rising = tilt + 2 * root / 3, 2 * root / 3 - tilt
below_top = eq(largest_slope - slope_z, (tilt - root / 3) ** 2 * falling)
above_bottom = eq(largest_slope + slope_z, (tilt + root / 3) ** 2 * rising)
three_squared = both(le(0, root), eq(root**2, 3))


def with_root(then: Derivation) -> Derivation:
    """√3 ≥ 0, (√3)² = 3 and 3/2 < √3 are known in `then`."""
    too_small = Have(
        le(0, Fraction(3, 2) - root),
        Linear((le(root, Fraction(3, 2)),)),
        Have(
            le(0, Fraction(3, 2) + root),
            Linear((three_squared,)),
            Linear(
                (
                    instance("nonnegative_product", Fraction(3, 2) - root, Fraction(3, 2) + root),
                    three_squared,
                )
            ),
        ),
    )
    return Have(
        le(0, 3),
        Linear(()),
        Have(
            three_squared, Cited(root_is), Have(lt(Fraction(3, 2), root), Suppose(too_small), then)
        ),
    )


def with_gate(then: Derivation) -> Derivation:
    """0 < σ(z) < 1 is known in `then`."""
    below = AtMost(
        chain(
            1 - gate_z,
            step(1 - 1 / (1 + decay), "σ(z) = 1/(1 + exp(−z))", instance("sigmoid", z)),
            step(decay / (1 + decay), "over one denominator"),
        )
    )
    above = AtMost(chain(gate_z - 0, step(gate_z, "σ is positive")))
    return Have(lt(0, gate_z), above, Have(lt(gate_z, 1), below, then))


def factored(claimed: Eq, factor: Expression, square: Power, then: Derivation) -> Derivation:
    """The gap to the bound as a square times a positive factor, known in `then`."""
    facts = (lt(0, gate_z), lt(gate_z, 1), lt(Fraction(3, 2), root))
    return Have(
        claimed,
        chain(
            claimed.left,
            step(claimed.right, "σ' = σ(1 − σ); multiply out, with (√3)² = 3", three_squared),
        ),
        Have(
            lt(0, factor),
            Linear(facts),
            Have(
                le(0, factor),
                Linear((lt(0, factor),)),
                Have(le(0, square), AtMost(chain(square - 0, step(square, "a square"))), then),
            ),
        ),
    )


def within(case: Proposition, claimed: Eq, factor: Expression, square: Power) -> Derivation:
    """|slope| ≤ 2√3/9 for one sign of the slope."""
    sign = instance("nonnegative_product", square, factor)
    return factored(claimed, factor, square, Linear((case, claimed, sign)))


def only_at(
    case: Proposition, claimed: Eq, factor: Expression, square: Power, position: int
) -> Derivation:
    """Which gate it is, for one sign of the slope."""
    base = square.base
    either_zero = (eq(square, 0), eq(factor, 0))
    return factored(
        claimed,
        factor,
        square,
        Have(
            eq(claimed.left, 0),
            Linear((case, attained)),
            Have(
                eq((square - 0) * (factor - 0), 0),
                chain(
                    (square - 0) * (factor - 0),
                    step(claimed.right, "less 0"),
                    step(claimed.left, "the gap to the bound", claimed),
                    step(0, "which is attained", eq(claimed.left, 0)),
                ),
                Have(
                    either(*either_zero),
                    Cited(instance("zero_product", *either_zero)),
                    Cases(
                        either(*either_zero),
                        (
                            Have(
                                eq(base, 0),
                                Cited(instance("zero_square", eq(base, 0))),
                                Choose(position, Linear((eq(base, 0),))),
                            ),
                            Contradiction(lt(0, factor), Linear((eq(factor, 0),))),
                        ),
                    ),
                ),
            ),
        ),
    )


def at_gate(gate: Expression, slope: Expression) -> Derivation:
    """|slope| = 2√3/9 at one of the two gates."""
    slope_there = eq(slope_z, slope)
    cases = tuple(Linear((case, slope_there, three_squared)) for case in signs.parts)
    return Have(
        slope_there,
        chain(
            slope_z,
            step(4 * (1 - 2 * gate_z) * gate_z * (1 - gate_z), "f' = 4(1 − 2γ), σ' = σ(1 − σ)"),
            step(slope, "this gate, with (√3)² = 3", eq(gate_z, gate), three_squared),
        ),
        Cases(signs, cases),
    )


def by_sign(positive: Derivation, negative: Derivation) -> Derivation:
    """Both signs of the slope."""
    return Have(signs, Cited(size_of_slope), Cases(signs, (positive, negative)))


def _maximum(position: int, part: Proposition) -> Claim:
    """The statement with another part at a position."""
    parts = list(maximum.then.propositions)
    parts[position] = part
    return restate(maximum, then=both(*parts))


down, up = signs.parts[0], signs.parts[1]
left_of_top, right_of_bottom = Power(tilt - root / 3, 2), Power(tilt + root / 3, 2)
odds = 2 + root
known_exp = instance("exp_of_log", odds)
LOGIT_GRADIENT_MAXIMUM = Entry(
    maximum,
    (Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=with_root(
        with_gate(
            Have(
                signs,
                Cited(size_of_slope),
                Have(
                    lt(0, odds),
                    AtMost(chain(odds - 0, step(odds, "2 + √3 is positive"))),
                    Parts(
                        (
                            Cases(
                                signs,
                                (
                                    within(down, below_top, falling, left_of_top),
                                    within(up, above_bottom, rising, right_of_bottom),
                                ),
                            ),
                            BothWays(
                                forward=Cases(
                                    signs,
                                    (
                                        only_at(down, below_top, falling, left_of_top, 0),
                                        only_at(up, above_bottom, rising, right_of_bottom, 1),
                                    ),
                                ),
                                backward=Cases(
                                    steepest_gates,
                                    (
                                        at_gate(low_gate, largest_slope),
                                        at_gate(high_gate, -largest_slope),
                                    ),
                                ),
                            ),
                            chain(
                                elementary("sigmoid", -steepest),
                                step(
                                    1 / (1 + elementary("exp", steepest)),
                                    "σ(−t) = 1/(1 + exp(t))",
                                    instance("sigmoid", -steepest),
                                ),
                                step(1 / (1 + odds), "exp(log a) = a", known_exp),
                                step(low_gate, "with (√3)² = 3", three_squared),
                            ),
                            chain(
                                elementary("sigmoid", steepest),
                                step(
                                    1 / (1 + elementary("exp", -steepest)),
                                    "σ(t) = 1/(1 + exp(−t))",
                                    instance("sigmoid", steepest),
                                ),
                                step(
                                    1 / (1 + 1 / elementary("exp", steepest)),
                                    "exp(−t) = 1/exp(t)",
                                    instance("exp_of_negative", steepest),
                                ),
                                step(1 / (1 + 1 / odds), "exp(log a) = a", known_exp),
                                step(high_gate, "with (√3)² = 3", three_squared),
                            ),
                        )
                    ),
                ),
            )
        )
    ),
    mutants=(
        Mutant("at least", _maximum(0, le(largest_slope, absolute(slope_z)))),
        Mutant("negative", _maximum(0, lt(absolute(slope_z), 0))),
        Mutant("minus the bound", _maximum(0, le(absolute(slope_z), -largest_slope))),
        Mutant("less by 1", _maximum(0, le(absolute(slope_z) + 1, largest_slope))),
        Mutant("at the midpoint", _maximum(1, eq(absolute(derivative(f_z, z, at=0)), 1))),
    ),
)


# ---------------------------------------------------------------- gate.flow_leaves_midpoint

leaves = CLAIMS["gate.flow_leaves_midpoint"]
gap, fixed_slope = path(s) - half, derivative(regulariser, gamma, at=half)
fade = elementary("exp", as_expression(-8) * s)
slope_g = derivative(path(s), s)
constant_gap = forall(
    s, both(differentiable(gap * fade, s, at=s), eq(derivative(gap * fade, s), 0))
)
product_rule = instance("product_with_exponential", path, half, -8, s)
flow_here = instance("instantiate", flow, s)
fade_t = elementary("exp", as_expression(-8) * t)
constancy = instance("zero_slope", constant_gap, t, 0)


def _leaves(position: int, part: Proposition) -> Claim:
    """The statement with another part at a position."""
    parts = list(leaves.then.propositions)
    parts[position] = part
    return restate(leaves, then=both(*parts))


FLOW_LEAVES_MIDPOINT = Entry(
    leaves,
    NUMERIC,
    derivation=Have(
        le(0, growth),
        AtMost(chain(growth - 0, step(growth, "exp is positive"))),
        Have(
            constant_gap,
            Arbitrary(
                Have(
                    flow_here.expand()[1],
                    Cited(flow_here),
                    Have(
                        product_rule.expand()[1],
                        Cited(product_rule),
                        Parts(
                            (
                                Known(),
                                chain(
                                    derivative(gap * fade, s),
                                    step(
                                        (slope_g + -8 * gap) * fade,
                                        "product rule",
                                        product_rule.expand()[1],
                                    ),
                                    step(
                                        (-(4 * (1 - 2 * path(s))) + -8 * gap) * fade,
                                        "the flow, f' = 4(1 − 2γ)",
                                        flow_here.expand()[1],
                                    ),
                                    step(0, "−4(1 − 2γ) = 8(γ − ½)"),
                                ),
                            )
                        ),
                    ),
                )
            ),
            Have(
                solution,
                chain(
                    path(t),
                    step(
                        half + (path(t) - half) * fade_t * growth,
                        "exp(−8t) exp(8t) = 1",
                        instance("exp_of_negative", 8 * t),
                    ),
                    step(
                        half + start_gap * elementary("exp", as_expression(-8) * 0) * growth,
                        "a slope of 0 everywhere",
                        constancy,
                    ),
                    step(half + start_gap * growth, "exp(0) = 1", instance("exp_of_zero")),
                ),
                Parts(
                    (
                        chain(
                            fixed_slope,
                            step(4 * (1 - 2 * Literal(half)), "f' = 4(1 − 2γ)"),
                            step(0, "at ½"),
                        ),
                        Known(),
                        Have(
                            eq(absolute(path(t) - half), absolute(start_gap) * growth),
                            chain(
                                absolute(path(t) - half),
                                step(absolute(start_gap * growth), "the solution", solution),
                                step(
                                    absolute(start_gap) * absolute(growth),
                                    "|a b| = |a| |b|",
                                    instance("absolute_product", start_gap, growth),
                                ),
                                step(
                                    absolute(start_gap) * growth,
                                    "exp is positive",
                                    instance("absolute_of_nonnegative", growth),
                                ),
                            ),
                            Have(
                                le(0, absolute(start_gap)),
                                AtMost(
                                    chain(
                                        absolute(start_gap) - 0,
                                        step(absolute(start_gap), "less 0"),
                                    )
                                ),
                                Have(
                                    le(0, growth - (1 + 8 * t)),
                                    Linear((instance("exp_above_tangent", 8 * t),)),
                                    Linear(
                                        (
                                            eq(
                                                absolute(path(t) - half),
                                                absolute(start_gap) * growth,
                                            ),
                                            instance(
                                                "nonnegative_product",
                                                absolute(start_gap),
                                                growth - (1 + 8 * t),
                                            ),
                                        )
                                    ),
                                ),
                            ),
                        ),
                    )
                ),
            ),
        ),
    ),
    mutants=(
        Mutant("from the start alone", _leaves(1, eq(path(t), half + path(Literal(0)) * growth))),
        Mutant("to the other side", _leaves(1, eq(path(t), half - start_gap * growth))),
        Mutant("from 1", _leaves(1, eq(path(t), 1 + start_gap * growth))),
        Mutant("strictly", _leaves(2, lt(leaving.left, leaving.right))),
        Mutant("the midpoint moves", _leaves(0, eq(fixed_slope, 1))),
        Mutant("from twice the distance", _leaves(1, eq(path(t), half + 2 * start_gap * growth))),
    ),
)


# ---------------------------------------------------------------- gate.reaches_boundary_reading

boundary = CLAIMS["gate.reaches_boundary_reading"]
REACHES_BOUNDARY_READING = Entry(
    boundary,
    (Kind.COUNTERPROOF,),
    counterproof=Counterproof(
        instance={},
        because=Arbitrary(
            with_gate(
                Parts(
                    (
                        Suppose(Contradiction(lt(0, gate_z), Linear((eq(gate_z, 0),)))),
                        Suppose(Contradiction(lt(gate_z, 1), Linear((eq(gate_z, 1),)))),
                    )
                )
            )
        ),
    ),
    repaired_by="gate.flow_leaves_midpoint",
    mutants=(
        Mutant("it reaches ½", restate(boundary, then=exists(z, eq(gate_z, half)))),
        Mutant(
            "it lies between 0 and 1",
            restate(boundary, then=exists(z, both(lt(0, gate_z), lt(gate_z, 1)))),
        ),
        Mutant("it is not 0", restate(boundary, then=exists(z, ne(gate_z, 0)))),
        Mutant("it is not 1", restate(boundary, then=exists(z, ne(gate_z, 1)))),
    ),
)


# ---------------------------------------------------------------- gate.descent_direction_reading

toward = CLAIMS["gate.descent_direction_reading"]
slope_f = derivative(regulariser, gamma)
DESCENT_DIRECTION_READING = Entry(
    toward,
    (Kind.COUNTEREXAMPLE, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    repaired_by="gate.flow_leaves_midpoint",
    mutants=(
        Mutant("away from it", restate(toward, then=lt((half - gamma) * -slope_f, 0))),
        Mutant("ascent moves toward it", restate(toward, then=lt(0, (half - gamma) * slope_f))),
        Mutant("at 8 times the distance", restate(toward, then=eq(-slope_f, 8 * (gamma - half)))),
        Mutant("the slope is not 0", restate(toward, then=ne(slope_f, 0))),
    ),
)

ENTRIES = (
    ZERO_GRADIENT_MIDPOINT,
    ZERO_GRADIENT_WITHOUT_SMOOTHNESS_READING,
    CENTRAL_DIFFERENCE_BLIND,
    REGULARISER_PROFILE,
    BERNOULLI_VARIANCE,
    ENTROPY_AND_PRODUCT_INSTANCES,
    LOGIT_GRADIENT,
    LOGIT_GRADIENT_MAXIMUM,
    FLOW_LEAVES_MIDPOINT,
    REACHES_BOUNDARY_READING,
    DESCENT_DIRECTION_READING,
)
