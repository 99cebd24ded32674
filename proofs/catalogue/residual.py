"""The family residual: derivations, repairs and mutants of each statement.

ENTRIES == in the order of the ledger

Every unrolled sum is proved by induction on the last layer L, from l: `from_layer` writes the
frame, `unrolled` and `unrolled_scaled` the step for sums without and with factors. The gradients
are the same sums with G_i in place of x_i and J_i G_i in place of F_i.
"""

from collections.abc import Callable

from ...symbolic import residual as statements
from ...symbolic.binding import put
from ...symbolic.claims import Claim, restate
from ...symbolic.derivations import (
    AtMost,
    BothWays,
    Cases,
    Cited,
    Contradiction,
    Derivation,
    Each,
    Exhibit,
    Have,
    Induction,
    Known,
    Linear,
    Obtain,
    Parts,
    Suppose,
    chain,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    IndexSymbol,
    SequenceSymbol,
    absolute,
    as_expression,
    det,
    element,
    entry,
    eye,
    greatest,
    norm,
    ordered_product,
    product,
    size,
    sqrt,
    total,
    vector,
    zeros,
)
from ...symbolic.propositions import (
    And,
    ForRange,
    Proposition,
    both,
    either,
    eq,
    exists,
    forall,
    iff,
    implies,
    le,
    lt,
    ne,
)
from ...symbolic.residual import (
    LN,
    D,
    D_linear,
    D_scaled,
    F,
    G,
    J,
    L,
    LN_scaled,
    W,
    X,
    activation,
    asymmetric_units,
    at_start,
    beta,
    c,
    centred,
    contracting,
    correction,
    d,
    delta_blocks,
    e,
    every_scale,
    every_shortcut,
    for_layers,
    g,
    g_l,
    i,
    j,
    jacobians,
    k,
    l,
    lam,
    later_scales,
    later_shortcuts,
    layer,
    linear_jacobians,
    linear_units,
    mean,
    n,
    nonnegative_residuals,
    not_constant,
    ordered,
    p,
    plain_jacobians,
    r,
    rectified_units,
    renamed_states,
    s,
    scaled_jacobians,
    scaled_state,
    scaled_units,
    state,
    states,
    units,
    v,
    variance,
    x,
    y,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
PROVED = (Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)
REFUTED = (Kind.COUNTEREXAMPLE, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)
after = L + 1
one = as_expression(1)


# ---------------------------------------------------------------- induction on the last layer


def from_layer(
    goal: Proposition,
    known: tuple[Proposition, ...],
    base: Derivation,
    proof: Derivation,
) -> Induction:
    """`goal` for every L ≥ l: `base` where L = l, `proof` for L + 1.

    `known` is all that is known of L, in order. In `base` L − 1 < l is known; in `proof`, beside
    `goal`, what `known` says of layer L.
    """
    ranges = [part for fact in known for part in _ranges(fact)]
    for fact in reversed(ranges):
        at_last = instance("instantiate_range", put(fact, L, after), L)
        proof = Have(at_last.expand()[1], Cited(at_last), proof)
    proof = Have(goal, Cited(instance("modus_ponens", implies(And(known), goal))), proof)
    for fact in reversed(ranges):
        restricted = Cited(instance("instantiate_range", put(fact, L, after), i))
        up_to = Have(le(i, after - 1), Linear((le(i, L - 1),)), restricted)
        proof = Have(fact, Each(up_to), proof)
    proof = Have(le(L, after - 1), Linear(()), proof)
    return Induction(L, l, Have(lt(l - 1, l), Linear(()), base), proof)


def _ranges(fact: Proposition) -> list[ForRange]:
    if isinstance(fact, And):
        return [part for inner in fact.parts for part in _ranges(inner)]
    return [fact] if isinstance(fact, ForRange) else []


def at(body: Expression, layer: Expression, of: IndexSymbol = i) -> Expression:
    """`body` for another layer."""
    return put(body, of, layer)


def sums(added: Expression) -> tuple[Expression, Expression]:
    """Σ added over i = l, …, L − 1, and over i = l, …, L."""
    return total(i, l, L - 1, added), total(i, l, after - 1, added)


def unrolled(state: SequenceSymbol, added: Expression, *known: Proposition) -> Derivation:
    """x_L = x_l + Σ added, where each unit adds `added` to the state; `known` is all of L."""
    before, longer = sums(added)
    goal = eq(state[L], state[l] + before)
    return from_layer(
        goal,
        known,
        chain(
            state[l],
            step(
                state[l] + put(before, L, l),
                "no layer, an empty sum",
                instance("sum_empty", put(before, L, l)),
            ),
        ),
        chain(
            state[after],
            step(state[L] + at(added, L), "layer L", eq(state[after], state[L] + at(added, L))),
            step(state[l] + before + at(added, L), "the layers before it", goal),
            step(state[l] + longer, "one sum", instance("sum_last", longer)),
        ),
    )


Shortcut = Callable[[Expression], Expression]


def unrolled_scaled(
    state: SequenceSymbol,
    added: Expression,
    shortcut: SequenceSymbol,
    *known: Proposition,
) -> Derivation:
    """x_L = Π x_l + Σ (later factors) added, where each unit multiplies the state first."""

    def times(left: Expression, right: Expression) -> Expression:
        return left * right if left.shape is None else left @ right

    ranged = product if shortcut.size is None else ordered_product
    every, later = ranged(i, l, L - 1, shortcut[i]), ranged(j, i + 1, L - 1, shortcut[j])
    terms = times(later, added)
    grown = put(terms, L, after)
    before, longer = total(i, l, L - 1, terms), total(i, l, after - 1, grown)
    same, start = total(i, l, L - 1, grown), put(every, L, after)
    goal = eq(state[L], times(every, state[l]) + before)
    none_later = ranged(j, L + 1, after - 1, shortcut[j])
    unit = times(shortcut[L], state[L]) + at(added, L)
    each_term = for_layers(eq(times(shortcut[L], terms), grown))
    all_terms = total(i, l, L - 1, times(shortcut[L], terms))
    empty_product, empty_sum = put(every, L, l), put(before, L, l)
    return from_layer(
        goal,
        known,
        chain(
            state[l],
            step(
                times(empty_product, state[l]) + empty_sum,
                "no layer: an empty product and an empty sum",
                instance("product_empty", empty_product),
                instance("sum_empty", empty_sum),
            ),
        ),
        Have(
            each_term,
            Each(
                Have(
                    le(i + 1, after - 1),
                    Linear((le(i, L - 1),)),
                    chain(
                        times(shortcut[L], terms),
                        step(
                            grown,
                            "one factor more",
                            instance("product_last", put(later, L, after)),
                        ),
                    ),
                )
            ),
            Have(
                lt(after - 1, L + 1),
                Linear(()),
                chain(
                    state[after],
                    step(unit, "layer L", eq(state[after], unit)),
                    step(
                        times(shortcut[L], times(every, state[l]) + before) + at(added, L),
                        "the layers before it",
                        goal,
                    ),
                    step(
                        times(start, state[l]) + times(shortcut[L], before) + at(added, L),
                        "the factor of layer L joins the product",
                        instance("product_last", start),
                    ),
                    step(
                        times(start, state[l]) + all_terms + at(added, L),
                        "and every term of the sum",
                        instance("scaled_sum", shortcut[L], before),
                    ),
                    step(
                        times(start, state[l]) + same + at(added, L),
                        "where it joins the later factors",
                        instance("equal_terms", each_term),
                    ),
                    step(
                        times(start, state[l]) + same + times(none_later, at(added, L)),
                        "after layer L there is no factor",
                        instance("product_empty", none_later),
                    ),
                    step(
                        times(start, state[l]) + longer,
                        "one sum",
                        instance("sum_last", longer),
                    ),
                ),
            ),
        ),
    )


def gradient(lemma: Proposition, because: Derivation, result: Expression) -> Have:
    """The gradient at layer l from the Jacobian G_L, which `lemma` says."""
    return Have(
        lemma,
        because,
        chain(
            g_l,
            step(g @ G[L], "the chain rule"),
            step(result, "the Jacobian, from G_l = I", lemma, at_start),
        ),
    )


# ---------------------------------------------------------------- near-misses


def ends(added: Expression) -> Proposition:
    """x_L = x_l + what is added."""
    return eq(x[L], x[l] + added)


def repairs(printed: Claim, corrected: Proposition, plain: Proposition) -> tuple[Mutant, ...]:
    """What makes a printed gradient true; `plain` says that the shortcuts are the identity."""
    alone = forall(i, eq(J[i], zeros(n, n)), over=(1, L - 1))
    start, none = le(l, 1), le(L, l)
    return (
        Mutant("later factors before each residual", restate(printed, then=corrected)),
        Mutant("every shortcut is 1", restate(printed, given=[*printed.given, plain])),
        Mutant(
            "from the first layer, without residuals",
            restate(printed, given=[*printed.given, start, alone]),
        ),
        Mutant("no layer at all", restate(printed, given=[*printed.given, start, none])),
    )


# ---------------------------------------------------------------- residual.unrolled

first = CLAIMS["residual.unrolled"]
UNROLLED = Entry(
    first,
    PROVED,
    derivation=unrolled(x, F[i], ordered, units),
    mutants=(
        Mutant(
            "the last residual is left out", restate(first, then=ends(total(i, l, L - 2, F[i])))
        ),
        Mutant(
            "the first residual is left out",
            restate(first, then=ends(total(i, l + 1, L - 1, F[i]))),
        ),
        Mutant("one residual too many", restate(first, then=ends(total(i, l, L, F[i])))),
        Mutant(
            "the residuals are subtracted", restate(first, then=ends(-total(i, l, L - 1, F[i])))
        ),
        Mutant("twice the residuals", restate(first, then=ends(2 * total(i, l, L - 1, F[i])))),
        Mutant("any states", without(first, units)),
    ),
)


# ---------------------------------------------------------------- residual.gradient

residual_gradient = CLAIMS["residual.gradient"]
GRADIENT = Entry(
    residual_gradient,
    PROVED,
    derivation=gradient(
        eq(G[L], G[l] + D), unrolled(G, J[i] @ G[i], ordered, jacobians), g @ (eye(n) + D)
    ),
    mutants=(
        Mutant("without the shortcut", restate(residual_gradient, then=eq(g_l, g @ D))),
        Mutant("D is subtracted", restate(residual_gradient, then=eq(g_l, g @ (eye(n) - D)))),
        Mutant("twice D", restate(residual_gradient, then=eq(g_l, g @ (eye(n) + 2 * D)))),
        Mutant(
            "the Jacobians by their own inputs",
            restate(residual_gradient, then=eq(g_l, g @ (eye(n) + total(i, l, L - 1, J[i])))),
        ),
        Mutant("D is transposed", restate(residual_gradient, then=eq(g_l, g @ (eye(n) + D.T)))),
        Mutant("any start", without(residual_gradient, at_start)),
    ),
)


# ---------------------------------------------------------------- residual.plain_vanishing

vanishing = CLAIMS["residual.plain_vanishing"]
through = ordered_product(i, l, L - 1, J[i])
through_next = put(through, L, after)
decay = c ** (L - l)
PLAIN_VANISHING = Entry(
    vanishing,
    PROVED,
    derivation=from_layer(
        vanishing.then,
        (ordered, contracting),
        AtMost(
            chain(
                c ** (l - l) * norm(y) - norm(put(through, L, l) @ y),
                step(
                    0,
                    "no layer: an empty product, and c⁰ = 1",
                    instance("product_empty", put(through, L, l)),
                ),
            )
        ),
        Have(
            eq(norm(through_next @ y), norm(J[L] @ (through @ y))),
            chain(
                norm(through_next @ y),
                step(
                    norm(J[L] @ (through @ y)),
                    "layer L comes last",
                    instance("product_last", through_next),
                ),
            ),
            Have(
                le(0, L - l),
                Linear((ordered,)),
                Have(
                    eq(c ** (after - l) * norm(y), c * (decay * norm(y))),
                    chain(
                        c ** (after - l) * norm(y),
                        step(
                            c * (decay * norm(y)),
                            "one factor more",
                            instance("power_successor", c, L - l),
                        ),
                    ),
                    Have(
                        le(0, decay * norm(y) - norm(through @ y)),
                        Linear((vanishing.then,)),
                        Linear(
                            (
                                eq(norm(through_next @ y), norm(J[L] @ (through @ y))),
                                instance("instantiate", at(contracting.body, L), through @ y),
                                instance(
                                    "nonnegative_product",
                                    c,
                                    decay * norm(y) - norm(through @ y),
                                ),
                                eq(c ** (after - l) * norm(y), c * (decay * norm(y))),
                            )
                        ),
                    ),
                ),
            ),
        ),
    ),
    mutants=(
        Mutant(
            "one layer more",
            restate(vanishing, then=le(norm(through @ y), c ** (L - l + 1) * norm(y))),
        ),
        Mutant("strictly", restate(vanishing, then=lt(norm(through @ y), decay * norm(y)))),
        Mutant("any Jacobians", without(vanishing, contracting)),
        Mutant(
            "the square of c",
            restate(vanishing, then=le(norm(through @ y), (c**2) ** (L - l) * norm(y))),
        ),
        Mutant(
            "the sum of the Jacobians",
            restate(vanishing, then=le(norm(total(i, l, L - 1, J[i]) @ y), decay * norm(y))),
        ),
        Mutant("any c ≥ 0", without(vanishing, lt(c, 1)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- residual.plain_gradient

plain_gradient = CLAIMS["residual.plain_gradient"]
start_alone = put(through, L, l)
PLAIN_GRADIENT = Entry(
    plain_gradient,
    PROVED,
    derivation=gradient(
        eq(G[L], through @ G[l]),
        from_layer(
            eq(G[L], through @ G[l]),
            (ordered, plain_jacobians),
            chain(
                G[l],
                step(
                    start_alone @ G[l],
                    "no layer, an empty product",
                    instance("product_empty", start_alone),
                ),
            ),
            chain(
                G[after],
                step(J[L] @ G[L], "layer L", eq(G[after], J[L] @ G[L])),
                step(J[L] @ (through @ G[l]), "the layers before it", eq(G[L], through @ G[l])),
                step(
                    through_next @ G[l],
                    "one product",
                    instance("product_last", through_next),
                ),
            ),
        ),
        g @ through,
    ),
    mutants=(
        Mutant(
            "in the opposite order",
            restate(plain_gradient, then=eq(g_l, g @ ordered_product(i, l, L - 1, J[i].T).T)),
        ),
        Mutant("transposed", restate(plain_gradient, then=eq(g_l, g @ through.T))),
        Mutant(
            "the first layer is left out",
            restate(plain_gradient, then=eq(g_l, g @ ordered_product(i, l + 1, L - 1, J[i]))),
        ),
        Mutant(
            "the sum of the Jacobians",
            restate(plain_gradient, then=eq(g_l, g @ total(i, l, L - 1, J[i]))),
        ),
        Mutant("with shortcuts", restate(plain_gradient, given=[ordered, at_start, jacobians])),
    ),
)


# ---------------------------------------------------------------- residual.scaled_unrolled

scaled = CLAIMS["residual.scaled_unrolled"]
corrected = total(i, l, L - 1, later_scales * F[i])
SCALED_UNROLLED = Entry(
    scaled,
    PROVED,
    derivation=unrolled_scaled(x, F[i], lam, ordered, scaled_units),
    mutants=(
        Mutant(
            "all factors before each residual",
            restate(
                scaled,
                then=eq(
                    x[L],
                    every_scale * x[l] + total(i, l, L - 1, product(j, l, L - 1, lam[j]) * F[i]),
                ),
            ),
        ),
        Mutant(
            "each residual with its own factor too",
            restate(
                scaled,
                then=eq(
                    x[L],
                    every_scale * x[l] + total(i, l, L - 1, product(j, i, L - 1, lam[j]) * F[i]),
                ),
            ),
        ),
        Mutant(
            "the residuals alone",
            restate(scaled, then=eq(x[L], every_scale * x[l] + total(i, l, L - 1, F[i]))),
        ),
        Mutant("the state alone", restate(scaled, then=eq(x[L], x[l] + corrected))),
        Mutant("any states", without(scaled, scaled_units)),
    ),
)


# ---------------------------------------------------------------- residual.scaled_unrolled_printed

scaled_printed = CLAIMS["residual.scaled_unrolled_printed"]
from_the_start = le(l, 1)
SCALED_UNROLLED_PRINTED = Entry(
    scaled_printed,
    REFUTED,
    repaired_by="residual.scaled_unrolled",
    mutants=(
        Mutant(
            "products over the layers that follow",
            restate(
                scaled_printed,
                then=eq(
                    x[L],
                    product(i, l, L - 1, lam[i]) * x[l]
                    + total(i, l, L - 1, product(j, i + 1, L - 1, lam[j]) * F[i]),
                ),
            ),
        ),
        Mutant(
            "every factor is 1",
            restate(
                scaled_printed,
                given=[*scaled_printed.given, forall(i, eq(lam[i], 1), over=(1, L - 1))],
            ),
        ),
        Mutant(
            "from the first layer, without residuals",
            restate(
                scaled_printed,
                given=[
                    *scaled_printed.given,
                    from_the_start,
                    forall(i, eq(F[i], zeros(n, 1)), over=(1, L - 1)),
                ],
            ),
        ),
        Mutant(
            "no layer at all",
            restate(scaled_printed, given=[*scaled_printed.given, from_the_start, le(L, l)]),
        ),
    ),
)


# ---------------------------------------------------------------- residual.scaled_gradient

scaled_gradient = CLAIMS["residual.scaled_gradient"]
scaled_result = g @ (every_scale * eye(n) + D_scaled)
SCALED_GRADIENT = Entry(
    scaled_gradient,
    PROVED,
    derivation=gradient(
        eq(G[L], every_scale * G[l] + D_scaled),
        unrolled_scaled(G, J[i] @ G[i], lam, ordered, scaled_jacobians),
        scaled_result,
    ),
    mutants=(
        Mutant(
            "D of the residuals alone",
            restate(scaled_gradient, then=eq(g_l, g @ (every_scale * eye(n) + D))),
        ),
        Mutant(
            "the shortcut without factors",
            restate(scaled_gradient, then=eq(g_l, g @ (eye(n) + D_scaled))),
        ),
        Mutant("without the shortcut", restate(scaled_gradient, then=eq(g_l, g @ D_scaled))),
        Mutant(
            "D is transposed",
            restate(scaled_gradient, then=eq(g_l, g @ (every_scale * eye(n) + D_scaled.T))),
        ),
        Mutant("any start", without(scaled_gradient, at_start)),
    ),
)


# ---------------------------------------------------------------- residual.scaled_gradient_printed

scaled_gradient_printed = CLAIMS["residual.scaled_gradient_printed"]
SCALED_GRADIENT_PRINTED = Entry(
    scaled_gradient_printed,
    REFUTED,
    repaired_by="residual.scaled_gradient",
    mutants=repairs(
        scaled_gradient_printed,
        eq(g_l, scaled_result),
        forall(i, eq(lam[i], 1), over=(1, L - 1)),
    ),
)


# ---------------------------------------------------------------- residual.linear_shortcut

linear = CLAIMS["residual.linear_shortcut"]
linear_state, linear_gradient = linear.then.propositions
opposite_order = ordered_product(i, l, L - 1, W[i].T).T
LINEAR_SHORTCUT = Entry(
    linear,
    PROVED,
    derivation=Parts(
        (
            unrolled_scaled(x, F[i], W, ordered, linear_units, linear_jacobians),
            gradient(
                eq(G[L], every_shortcut @ G[l] + D_linear),
                unrolled_scaled(G, J[i] @ G[i], W, ordered, linear_units, linear_jacobians),
                g @ (every_shortcut + D_linear),
            ),
        )
    ),
    mutants=(
        Mutant(
            "the shortcuts in the opposite order",
            restate(
                linear,
                then=both(
                    eq(
                        x[L],
                        opposite_order @ x[l] + total(i, l, L - 1, later_shortcuts @ F[i]),
                    ),
                    linear_gradient,
                ),
            ),
        ),
        Mutant(
            "the residuals alone",
            restate(
                linear,
                then=both(
                    eq(x[L], every_shortcut @ x[l] + total(i, l, L - 1, F[i])), linear_gradient
                ),
            ),
        ),
        Mutant(
            "D of the residuals alone",
            restate(linear, then=both(linear_state, eq(g_l, g @ (every_shortcut + D)))),
        ),
        Mutant(
            "the gradient without the shortcut",
            restate(linear, then=both(linear_state, eq(g_l, g @ D_linear))),
        ),
        Mutant("any start", without(linear, at_start)),
    ),
)


# ---------------------------------------------------------------- …shortcut_gradient_printed

shortcut_printed = CLAIMS["residual.shortcut_gradient_printed"]
SHORTCUT_GRADIENT_PRINTED = Entry(
    shortcut_printed,
    REFUTED,
    repaired_by="residual.linear_shortcut",
    mutants=repairs(
        shortcut_printed,
        linear_gradient,
        forall(i, eq(W[i], eye(n)), over=(1, L - 1)),
    ),
)


# ---------------------------------------------------------------- residual.scale_decay

scale_decay = CLAIMS["residual.scale_decay"]
decays, grows = scale_decay.then.propositions
every_scale_next = put(every_scale, L, after)
first_scales = put(every_scale, L, l)
small, large = decays.left, grows.left
grown_power = c ** (after - l)
power_step = instance("power_successor", c, L - l)
growth = both(le(0, decay), le(decay, every_scale))


def with_power(then: Derivation) -> Derivation:
    """c^(L + 1 − l) = c c^(L − l) is known in `then`."""
    one_more = instance("power_successor", c, L - l)
    taken = chain(grown_power, step(c * decay, "one factor more", one_more))
    return Have(le(0, L - l), Linear((ordered,)), Have(eq(grown_power, c * decay), taken, then))


def nonnegative(value: Expression, then: Derivation) -> Derivation:
    """0 ≤ `value`, which is visible, is known in `then`."""
    return Have(le(0, value), AtMost(chain(value - 0, step(value, "less 0"))), then)


def product_of_bounds(
    facts: tuple[Proposition, ...],
    grown: Proposition,
    *pairs: tuple[Expression, Expression],
) -> Derivation:
    """The next bound, from `grown` and pairs of factors that are ≥ 0 by the facts."""
    signs = (instance("nonnegative_product", *pair) for pair in pairs)
    proof: Derivation = Linear((eq(grown_power, c * decay), grown, *signs))
    for factor in {factor: None for pair in pairs for factor in pair}:
        proof = Have(le(0, factor), Linear(facts), proof)
    return proof


def _decay(position: int, part: Proposition) -> Claim:
    """The statement with another part at a position."""
    parts: list[Proposition] = [decays, grows]
    parts[position] = part
    return restate(scale_decay, then=both(*parts))


SCALE_DECAY = Entry(
    scale_decay,
    PROVED,
    derivation=Parts(
        (
            from_layer(
                decays.right,
                (ordered, small),
                Have(
                    le(0, 1),
                    Linear(()),
                    AtMost(
                        chain(
                            c ** (l - l) - absolute(first_scales),
                            step(
                                1 - absolute(1),
                                "no layer: an empty product, and c⁰ = 1",
                                instance("product_empty", first_scales),
                            ),
                            step(0, "|1| = 1", instance("absolute_of_nonnegative", one)),
                        )
                    ),
                ),
                with_power(
                    Have(
                        eq(absolute(every_scale_next), absolute(lam[L]) * absolute(every_scale)),
                        chain(
                            absolute(every_scale_next),
                            step(
                                absolute(lam[L] * every_scale),
                                "layer L comes last",
                                instance("product_last", every_scale_next),
                            ),
                            step(
                                absolute(lam[L]) * absolute(every_scale),
                                "|a b| = |a| |b|",
                                instance("absolute_product", lam[L], every_scale),
                            ),
                        ),
                        nonnegative(
                            absolute(lam[L]),
                            nonnegative(
                                absolute(every_scale),
                                product_of_bounds(
                                    (
                                        decays.right,
                                        le(0, absolute(lam[L])),
                                        le(0, absolute(every_scale)),
                                        le(absolute(lam[L]), c),
                                    ),
                                    eq(
                                        absolute(every_scale_next),
                                        absolute(lam[L]) * absolute(every_scale),
                                    ),
                                    (absolute(lam[L]), decay - absolute(every_scale)),
                                    (c - absolute(lam[L]), decay),
                                ),
                            ),
                        ),
                    )
                ),
            ),
            Have(
                implies(large, growth),
                from_layer(
                    growth,
                    (ordered, large),
                    Parts(
                        (
                            AtMost(chain(c ** (l - l) - 0, step(1, "c⁰ = 1"))),
                            AtMost(
                                chain(
                                    first_scales - c ** (l - l),
                                    step(
                                        0,
                                        "no layer: an empty product, and c⁰ = 1",
                                        instance("product_empty", first_scales),
                                    ),
                                )
                            ),
                        )
                    ),
                    with_power(
                        Have(
                            eq(every_scale_next, lam[L] * every_scale),
                            chain(
                                every_scale_next,
                                step(
                                    lam[L] * every_scale,
                                    "layer L comes last",
                                    instance("product_last", every_scale_next),
                                ),
                            ),
                            Have(
                                le(0, c),
                                Linear((lt(1, c),)),
                                Parts(
                                    (
                                        Linear(
                                            (
                                                eq(grown_power, c * decay),
                                                instance("nonnegative_product", c, decay),
                                            )
                                        ),
                                        Have(
                                            le(0, lam[L]),
                                            Linear((le(0, c), le(c, lam[L]))),
                                            product_of_bounds(
                                                (growth, le(c, lam[L]), le(0, lam[L])),
                                                eq(every_scale_next, lam[L] * every_scale),
                                                (lam[L], every_scale - decay),
                                                (lam[L] - c, decay),
                                            ),
                                        ),
                                    )
                                ),
                            ),
                        )
                    ),
                ),
                Linear((instance("modus_ponens", implies(large, growth)),)),
            ),
        )
    ),
    mutants=(
        Mutant(
            "one layer more",
            _decay(0, implies(small, le(absolute(every_scale), c ** (L - l + 1)))),
        ),
        Mutant("decay strictly", _decay(0, implies(small, lt(absolute(every_scale), decay)))),
        Mutant(
            "decay of factors that are small or negative",
            _decay(0, implies(both(for_layers(le(lam[i], c)), lt(c, 1)), decays.right)),
        ),
        Mutant(
            "one layer more of growth",
            _decay(1, implies(large, le(c ** (L - l + 1), every_scale))),
        ),
        Mutant("growth strictly", _decay(1, implies(large, lt(decay, every_scale)))),
        Mutant(
            "growth whatever the signs",
            _decay(1, implies(both(for_layers(le(c, absolute(lam[i]))), lt(1, c)), grows.right)),
            # that all factors are this large, and the signs odd, is not drawn by chance
            unseen_by=(Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
        ),
    ),
)


# ---------------------------------------------------------------- residual.vanishing_iff

vanishing_iff = CLAIMS["residual.vanishing_iff"]
general, single = vanishing_iff.then.propositions
gone, eigenvector = general.left, general.right
row, column, w = zeros(1, n), zeros(n, 1), vector("w", n)
whole = eye(n) + D
jacobian = eq(G[L], eye(n) + D)
kernel = exists(y, both(ne(y, column), eq(whole @ y, column)))
cokernel = exists(w, both(ne(w, column), eq(whole.T @ w, column)))
null, e_null = eq(det(whole), 0), eq(e * (1 + c), 0)
MINUS_ONE = as_expression(-1)


def transposed(node: Expression, zero: Expression, flat: Expression) -> Derivation:
    """The transpose of a vector that is not 0 is not 0."""
    back = chain(node, step(zero, "transposed twice", eq(node.T, flat)))
    return Suppose(Contradiction(ne(node, zero), back))


VANISHING_IFF = Entry(
    vanishing_iff,
    (Kind.DERIVATION,),  # of quantifiers on both sides numbers decide nothing
    derivation=Parts(
        (
            Have(
                eq(G[L], G[l] + D),
                unrolled(G, J[i] @ G[i], ordered, jacobians),
                Have(
                    jacobian,
                    chain(
                        G[L],
                        step(whole, "from G_l = I", eq(G[L], G[l] + D), at_start),
                    ),
                    BothWays(
                        forward=Obtain(
                            gone,
                            Have(
                                ne(g.T, column),
                                transposed(g, row, column),
                                Have(
                                    eq(whole.T @ g.T, column),
                                    chain(
                                        whole.T @ g.T,
                                        step((g @ G[L]).T, "the Jacobian", jacobian),
                                        step(column, "the gradient vanishes", eq(g_l, row)),
                                    ),
                                    Have(
                                        null,
                                        chain(
                                            det(whole),
                                            step(
                                                det(whole.T),
                                                "a transpose has the same determinant",
                                                instance("determinant_of_transpose", whole),
                                            ),
                                            step(
                                                0,
                                                "it takes gᵀ ≠ 0 to 0",
                                                instance("kernel_singular", whole.T, g.T),
                                            ),
                                        ),
                                        Have(
                                            kernel,
                                            Cited(instance("singular_kernel", whole, y)),
                                            Obtain(
                                                kernel,
                                                Exhibit(
                                                    y,
                                                    Parts(
                                                        (
                                                            Known(),
                                                            chain(
                                                                D @ y,
                                                                step(
                                                                    whole @ y - y,
                                                                    "add and subtract y",
                                                                ),
                                                                step(
                                                                    -y,
                                                                    "y is in the kernel",
                                                                    eq(whole @ y, column),
                                                                ),
                                                            ),
                                                        )
                                                    ),
                                                ),
                                            ),
                                        ),
                                    ),
                                ),
                            ),
                        ),
                        backward=Obtain(
                            eigenvector,
                            Have(
                                eq(whole @ y, column),
                                chain(
                                    whole @ y,
                                    step(y + D @ y, "multiply out"),
                                    step(y - y, "an eigenvector", eq(D @ y, -y)),
                                    step(column, "y − y = 0"),
                                ),
                                Have(
                                    eq(det(whole.T), 0),
                                    chain(
                                        det(whole.T),
                                        step(
                                            det(whole),
                                            "a transpose has the same determinant",
                                            instance("determinant_of_transpose", whole),
                                        ),
                                        step(
                                            0,
                                            "it takes y ≠ 0 to 0",
                                            instance("kernel_singular", whole, y),
                                        ),
                                    ),
                                    Have(
                                        cokernel,
                                        Cited(instance("singular_kernel", whole.T, w)),
                                        Obtain(
                                            cokernel,
                                            Exhibit(
                                                w.T,
                                                Parts(
                                                    (
                                                        transposed(w, column, row),
                                                        chain(
                                                            w.T @ G[L],
                                                            step(
                                                                (whole.T @ w).T,
                                                                "the Jacobian",
                                                                jacobian,
                                                            ),
                                                            step(
                                                                row,
                                                                "w is in the kernel",
                                                                eq(whole.T @ w, column),
                                                            ),
                                                        ),
                                                    )
                                                ),
                                            ),
                                        ),
                                    ),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
            BothWays(
                forward=Obtain(
                    single.left,
                    Have(
                        either(eq(e, 0), eq(c, -1)),
                        Have(
                            eq((e - 0) * (c - MINUS_ONE), 0),
                            chain(
                                (e - 0) * (c - MINUS_ONE),
                                step(e * (1 + c), "c − (−1) = 1 + c"),
                                step(0, "the gradient vanishes", e_null),
                            ),
                            Cited(instance("zero_product", eq(e, 0), eq(c, -1))),
                        ),
                        Cases(
                            either(eq(e, 0), eq(c, -1)),
                            (Contradiction(ne(e, 0), Known()), Known()),
                        ),
                    ),
                ),
                backward=Exhibit(
                    one,
                    Parts(
                        (
                            Suppose(Known()),
                            chain(one * (1 + c), step(0, "c = −1", eq(c, -1))),
                        )
                    ),
                ),
            ),
        )
    ),
    mutants=(
        Mutant(
            "every gradient vanishes",
            restate(
                vanishing_iff,
                then=both(iff(forall(g, eq(g_l, row)), eigenvector), single),
            ),
        ),
        Mutant(
            "every vector is an eigenvector",
            restate(
                vanishing_iff,
                then=both(iff(gone, forall(y, eq(D @ y, -y))), single),
            ),
        ),
        Mutant(
            "at an eigenvalue 0",
            restate(vanishing_iff, then=both(iff(gone, eq(det(D), 0)), single)),
        ),
        Mutant(
            "at an eigenvalue 1",
            restate(vanishing_iff, then=both(iff(gone, eq(det(eye(n) - D), 0)), single)),
        ),
        Mutant(
            "at the slope 1",
            restate(vanishing_iff, then=both(general, iff(single.left, eq(c, 1)))),
        ),
        Mutant(
            "at an eigenvalue −1, by the determinant",
            restate(vanishing_iff, then=both(iff(gone, eq(det(whole), 0)), single)),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- …relu_before_addition_monotone

monotone = CLAIMS["residual.relu_before_addition_monotone"]
grows_entry = le(element(x[l], p, 1), element(x[L], p, 1))
grows_each = monotone.then
RELU_BEFORE_ADDITION_MONOTONE = Entry(
    monotone,
    PROVED,
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

defect = CLAIMS["residual.post_activation_defect"]
raised = s[i] + r[i]
(before, longer), (clipped, clipped_next) = sums(r[i]), sums(greatest(0, -raised))
raised_last = at(raised, L)
POST_ACTIVATION_DEFECT = Entry(
    defect,
    PROVED,
    derivation=from_layer(
        defect.then,
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
                defect.then,
            ),
            step(clipped_next, "one sum", instance("sum_last", clipped_next)),
        ),
    ),
    mutants=(
        Mutant("no defect", restate(defect, then=eq(defect.then.left, 0))),
        Mutant("the defect is subtracted", restate(defect, then=eq(defect.then.left, -clipped))),
        Mutant(
            "what passes the ReLU",
            restate(defect, then=eq(defect.then.left, total(i, l, L - 1, greatest(0, raised)))),
        ),
        Mutant(
            "of the residual alone",
            restate(defect, then=eq(defect.then.left, total(i, l, L - 1, greatest(0, -r[i])))),
        ),
        Mutant("any states", without(defect, rectified_units)),
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
mean_zero, variance_one = fixed.right.propositions
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


# ---------------------------------------------------------------- …asymmetric_is_preactivation

asymmetric = CLAIMS["residual.asymmetric_is_preactivation"]
previous = states[i - 1]
renamed = instance("instantiate_range", renamed_states, i)
renamed_before = instance("instantiate_range", renamed_states, i - 1)


def preactivation(body: Expression) -> Claim:
    """The statement with another next state."""
    return restate(asymmetric, then=forall(i, eq(x[i + 1], body), over=(1, L)))


ASYMMETRIC_IS_PREACTIVATION = Entry(
    asymmetric,
    PROVED,
    derivation=Each(
        Have(
            both(le(0, i), le(0, i - 1), le(i - 1, L - 1), le(i - 1, L)),
            Parts(tuple(Linear((le(1, i), le(i, L))) for _ in range(4))),
            chain(
                x[i + 1],
                step(states[i], "x_(i+1) is y_i", renamed),
                step(
                    previous + layer(activation(previous), i),
                    "layer i",
                    instance("instantiate_range", asymmetric_units, i - 1),
                ),
                step(x[i] + layer(activation(x[i]), i), "y_(i−1) is x_i", renamed_before),
            ),
        )
    ),
    mutants=(
        Mutant("the next layer", preactivation(x[i] + layer(activation(x[i]), i + 1))),
        Mutant("without the activation", preactivation(x[i] + layer(x[i], i))),
        Mutant("of the state after", preactivation(x[i] + layer(activation(states[i]), i))),
        Mutant("an activation on both paths", preactivation(activation(x[i] + layer(x[i], i)))),
        Mutant("without the shortcut", preactivation(layer(activation(x[i]), i))),
        Mutant("any x", without(asymmetric, renamed_states)),
    ),
)


# ---------------------------------------------------------------- residual.delta_block_is_residual

delta_block = CLAIMS["residual.delta_block_is_residual"]
delta_operator = eye(d) - beta[i] * (k[i] @ k[i].T)
written = beta[i] * (k[i] @ v[i].T)
as_residual = for_layers(eq(X[i + 1], X[i] + correction))


def delta_ends(added: Expression) -> Claim:
    """The statement with another sum."""
    return restate(delta_block, then=eq(X[L], X[l] + total(i, l, L - 1, added)))


DELTA_BLOCK_IS_RESIDUAL = Entry(
    delta_block,
    PROVED,
    derivation=Have(
        as_residual,
        Each(
            chain(
                X[i + 1],
                step(
                    delta_operator @ X[i] + written,
                    "the delta block",
                    instance("instantiate_range", delta_blocks, i),
                ),
                step(X[i] + correction, "its rank-one form"),
            )
        ),
        unrolled(X, correction, ordered, delta_blocks, as_residual),
    ),
    mutants=(
        Mutant(
            "the read-out is added, not subtracted",
            delta_ends(beta[i] * (k[i] @ (v[i].T + k[i].T @ X[i]))),
        ),
        Mutant("the gate is left out", delta_ends(k[i] @ (v[i].T - k[i].T @ X[i]))),
        Mutant("the values alone", delta_ends(written)),
        Mutant("the corrections are subtracted", delta_ends(-correction)),
        Mutant(
            "read from the first state", delta_ends(beta[i] * (k[i] @ (v[i].T - k[i].T @ X[l])))
        ),
        Mutant("any states", without(delta_block, delta_blocks)),
    ),
)


ENTRIES = (
    UNROLLED,
    GRADIENT,
    PLAIN_VANISHING,
    PLAIN_GRADIENT,
    SCALED_UNROLLED,
    SCALED_UNROLLED_PRINTED,
    SCALED_GRADIENT,
    SCALED_GRADIENT_PRINTED,
    LINEAR_SHORTCUT,
    SHORTCUT_GRADIENT_PRINTED,
    SCALE_DECAY,
    VANISHING_IFF,
    RELU_BEFORE_ADDITION_MONOTONE,
    POST_ACTIVATION_DEFECT,
    POST_ACTIVATION_UNROLLS_READING,
    POST_NORM_FIXED_POINTS,
    POST_NORM_IS_IDENTITY_READING,
    ASYMMETRIC_IS_PREACTIVATION,
    DELTA_BLOCK_IS_RESIDUAL,
)
