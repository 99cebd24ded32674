"""The family residual: what a ReLU or a norm does, before or after the addition.

RELU_BEFORE_ADDITION_MONOTONE, POST_ACTIVATION_DEFECT, POST_NORM_FIXED_POINTS == true statements
POST_ACTIVATION_UNROLLS_READING, POST_NORM_IS_IDENTITY_READING == tempting readings
"""

from ...symbolic.binding import put
from ...symbolic.claims import restate
from ...symbolic.derivations import (
    AtMost,
    BothWays,
    Cited,
    Contradiction,
    Each,
    Have,
    Known,
    Linear,
    Parts,
    Suppose,
    chain,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    absolute,
    element,
    entry,
    greatest,
    norm,
    size,
    sqrt,
    total,
    zeros,
)
from ...symbolic.propositions import (
    both,
    eq,
    forall,
    iff,
    le,
    lt,
)
from ...symbolic.residual import (
    LN,
    F,
    L,
    LN_scaled,
    c,
    centred,
    defect,
    for_layers,
    i,
    l,
    mean,
    mean_zero,
    n,
    nonnegative_residuals,
    not_constant,
    ordered,
    p,
    r,
    rectified_units,
    s,
    scaled_state,
    state,
    units,
    variance,
    variance_one,
    x,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant
from .mutation import without
from .residual_induction import (
    CLAIMS,
    PROVED,
    REFUTED,
    after,
    at,
    from_layer,
    nonnegative,
    one,
    sums,
)

# ---------------------------------------------------------------- …relu_before_addition_monotone

monotone = CLAIMS["residual.relu_before_addition_monotone"]
grows_entry = le(element(x[l], p, 1), element(x[L], p, 1))
grows_each = monotone.then
RELU_BEFORE_ADDITION_MONOTONE = Entry(
    monotone,
    (Kind.KERNEL, *PROVED),
    derivation=from_layer(
        grows_each,
        (ordered, units, nonnegative_residuals),
        Each(AtMost(chain(element(x[l], p, 1) - element(x[l], p, 1), step(0, "no layer")))),
        Each(
            Have(
                eq(element(x[after], p, 1), element(x[L], p, 1) + element(F[L], p, 1)),
                chain(
                    element(x[after], p, 1),
                    step(
                        element(x[L], p, 1) + element(F[L], p, 1),
                        "layer L",
                        eq(x[after], x[L] + F[L]),
                    ),
                ),
                Linear(
                    (
                        eq(element(x[after], p, 1), element(x[L], p, 1) + element(F[L], p, 1)),
                        instance("instantiate_range", grows_each, p),
                        instance("instantiate_range", at(nonnegative_residuals.body, L), p),
                    )
                ),
            )
        ),
    ),
    lemma="residual:relu_before_addition_monotone",
    mutants=(
        Mutant(
            "strictly",
            restate(
                monotone,
                then=forall(p, lt(element(x[l], p, 1), element(x[L], p, 1)), over=(1, size(n))),
            ),
        ),
        Mutant(
            "decreasing",
            restate(
                monotone,
                then=forall(p, le(element(x[L], p, 1), element(x[l], p, 1)), over=(1, size(n))),
            ),
        ),
        Mutant("any residuals", without(monotone, nonnegative_residuals)),
        Mutant("any states", without(monotone, units)),
        Mutant(
            "residuals with a nonnegative first entry",
            restate(
                monotone,
                given=[ordered, units, for_layers(le(0, element(F[i], 1, 1)))],
            ),
        ),
    ),
)


# ---------------------------------------------------------------- residual.post_activation_defect

post_defect = CLAIMS["residual.post_activation_defect"]
raised = s[i] + r[i]
(before, longer), (clipped, clipped_next) = sums(r[i]), sums(greatest(0, -raised))
raised_last = at(raised, L)
POST_ACTIVATION_DEFECT = Entry(
    post_defect,
    (Kind.KERNEL, *PROVED),
    derivation=from_layer(
        post_defect.then,
        (ordered, rectified_units),
        chain(
            s[l] - s[l] - put(before, L, l),
            step(
                put(clipped, L, l),
                "no layer, empty sums",
                instance("sum_empty", put(before, L, l)),
                instance("sum_empty", put(clipped, L, l)),
            ),
        ),
        chain(
            s[after] - s[l] - longer,
            step(
                greatest(0, raised_last) - s[l] - longer,
                "layer L",
                eq(s[after], greatest(0, raised_last)),
            ),
            step(
                greatest(0, raised_last) - s[l] - (before + r[L]),
                "its residual comes last",
                instance("sum_last", longer),
            ),
            step(
                greatest(0, -raised_last) + raised_last - s[l] - (before + r[L]),
                "max(0, t) = t + max(0, −t)",
                instance("positive_part", raised_last),
            ),
            step(
                clipped + greatest(0, -raised_last),
                "the layers before it",
                post_defect.then,
            ),
            step(clipped_next, "one sum", instance("sum_last", clipped_next)),
        ),
    ),
    lemma="residual:post_activation_defect",
    mutants=(
        Mutant("no defect", restate(post_defect, then=eq(defect, 0))),
        Mutant("the defect is subtracted", restate(post_defect, then=eq(defect, -clipped))),
        Mutant(
            "what passes the ReLU",
            restate(post_defect, then=eq(defect, total(i, l, L - 1, greatest(0, raised)))),
        ),
        Mutant(
            "of the residual alone",
            restate(post_defect, then=eq(defect, total(i, l, L - 1, greatest(0, -r[i])))),
        ),
        Mutant("any states", without(post_defect, rectified_units)),
    ),
)


# ---------------------------------------------------------------- …post_activation_unrolls_reading

post_activation = CLAIMS["residual.post_activation_unrolls_reading"]
POST_ACTIVATION_UNROLLS_READING = Entry(
    post_activation,
    REFUTED,
    repaired_by="residual.post_activation_defect",
    mutants=(
        Mutant(
            "with what the ReLU cuts off",
            restate(post_activation, then=eq(s[L], s[l] + before + clipped)),
        ),
        Mutant("at least the sum", restate(post_activation, then=le(s[l] + before, s[L]))),
        Mutant(
            "where the ReLU cuts nothing off",
            restate(post_activation, given=[*post_activation.given, for_layers(le(0, raised))]),
        ),
        Mutant(
            "no layer at all", restate(post_activation, given=[*post_activation.given, le(L, l)])
        ),
    ),
)


# ---------------------------------------------------------------- residual.post_norm_fixed_points

post_norm = CLAIMS["residual.post_norm_fixed_points"]
fixed, moved_on, scale_free = post_norm.then.propositions
away, scaled_away = centred(state), centred(scaled_state)
spread = variance(state)
deviation, scaled_deviation = sqrt(spread), sqrt(variance(scaled_state))
normed = eq(LN, state)
counted = instance("count_of_ones", n)
squared_deviation = instance("root_squared", spread)
scales = eq(variance(scaled_state), (c * deviation) ** 2)
# a state that satisfies one side of a changed equivalence is not drawn by chance
RARE = (Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)
POST_NORM_FIXED_POINTS = Entry(
    post_norm,
    PROVED,
    derivation=Have(
        le(0, spread),
        AtMost(chain(spread - 0, step(spread, "less 0"))),
        Have(
            moved_on,
            Suppose(
                Contradiction(
                    not_constant(state),
                    chain(
                        away,
                        step(scaled_away / c, "c comes out"),
                        step(zeros(n, 1), "c x is constant", eq(scaled_away, zeros(n, 1))),
                    ),
                )
            ),
            Parts(
                (
                    BothWays(
                        forward=Have(
                            mean_zero,
                            chain(
                                mean(state),
                                step(mean(LN), "x is its norm", normed),
                                step(0, "𝟏ᵀ𝟏 = n: what is left has mean 0", counted),
                            ),
                            Parts(
                                (
                                    Known(),
                                    chain(
                                        spread,
                                        step(
                                            entry(away.T @ away) / size(n),
                                            "‖a‖² = aᵀa",
                                            instance("norm_squared", away),
                                        ),
                                        step(
                                            entry(state.T @ state) / size(n),
                                            "the mean is 0",
                                            mean_zero,
                                        ),
                                        step(entry(LN.T @ LN) / size(n), "x is its norm", normed),
                                        step(
                                            entry(away.T @ away) / size(n) / deviation**2,
                                            "1/√variance comes out",
                                        ),
                                        step(
                                            spread / deviation**2,
                                            "‖a‖² = aᵀa",
                                            instance("norm_squared", away),
                                        ),
                                        step(1, "the square of a root", squared_deviation),
                                    ),
                                )
                            ),
                        ),
                        backward=Have(
                            le(0, 1),
                            Linear(()),
                            chain(
                                LN,
                                step(away / sqrt(one**2), "the variance is 1", variance_one),
                                step(away, "√1 = 1", instance("root_of_square", one)),
                                step(state, "the mean is 0", mean_zero),
                            ),
                        ),
                    ),
                    Known(),
                    Have(
                        le(0, c),
                        Linear((lt(0, c),)),
                        Have(
                            le(0, c * deviation),
                            nonnegative(
                                deviation, Cited(instance("nonnegative_product", c, deviation))
                            ),
                            Have(
                                scales,
                                chain(
                                    scales.left,
                                    step(norm(c * away) ** 2 / size(n), "c comes out"),
                                    step(
                                        (absolute(c) * norm(away)) ** 2 / size(n),
                                        "‖c a‖ = |c| ‖a‖",
                                        instance("norm_of_multiple", c, away),
                                    ),
                                    step(
                                        c**2 * spread,
                                        "c is positive",
                                        instance("absolute_of_nonnegative", c),
                                    ),
                                    step(scales.right, "a root squared", squared_deviation),
                                ),
                                Have(
                                    eq(scaled_deviation, c * deviation),
                                    chain(
                                        scaled_deviation,
                                        step(
                                            sqrt((c * deviation) ** 2),
                                            "the variance scales",
                                            scales,
                                        ),
                                        step(
                                            c * deviation,
                                            "the root of a square",
                                            instance("root_of_square", c * deviation),
                                        ),
                                    ),
                                    chain(
                                        LN_scaled,
                                        step(
                                            c * away / (c * deviation),
                                            "the deviation scales",
                                            eq(scaled_deviation, c * deviation),
                                        ),
                                        step(LN, "c cancels"),
                                    ),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ),
    ),
    mutants=(
        Mutant(
            "variance 2",
            restate(
                post_norm,
                then=both(iff(normed, both(mean_zero, eq(spread, 2))), moved_on, scale_free),
            ),
            unseen_by=RARE,
        ),
        Mutant(
            "whatever the mean",
            restate(post_norm, then=both(iff(normed, variance_one), moved_on, scale_free)),
            unseen_by=RARE,
        ),
        Mutant(
            "whatever the variance",
            restate(post_norm, then=both(iff(normed, mean_zero), moved_on, scale_free)),
            unseen_by=RARE,
        ),
        Mutant(
            "the norm scales",
            restate(post_norm, then=both(fixed, moved_on, eq(LN_scaled, c * LN))),
        ),
        Mutant(
            "every norm is fixed",
            restate(post_norm, then=both(iff(normed, le(0, spread)), moved_on, scale_free)),
        ),
        Mutant("scales of either sign", without(post_norm, lt(0, c))),
        Mutant("n ≥ 1", without(post_norm, le(2, size(n))), stays_true=True),
    ),
)


# ---------------------------------------------------------------- …post_norm_is_identity_reading

identity_reading = CLAIMS["residual.post_norm_is_identity_reading"]
POST_NORM_IS_IDENTITY_READING = Entry(
    identity_reading,
    REFUTED,
    repaired_by="residual.post_norm_fixed_points",
    mutants=(
        Mutant(
            "of mean 0 and variance 1",
            restate(identity_reading, given=[*identity_reading.given, mean_zero, variance_one]),
        ),
        Mutant(
            "up to mean and deviation", restate(identity_reading, then=eq(deviation * LN, away))
        ),
        Mutant("what comes out has mean 0", restate(identity_reading, then=eq(mean(LN), 0))),
        Mutant(
            "what comes out has variance 1", restate(identity_reading, then=eq(variance(LN), 1))
        ),
    ),
)
