"""The family residual: products over layers, of Jacobians without shortcuts and of factors.

PLAIN_VANISHING, PLAIN_GRADIENT, SCALE_DECAY == the entries
"""

from ...symbolic.binding import put
from ...symbolic.claims import Claim, restate
from ...symbolic.derivations import (
    AtMost,
    Derivation,
    Have,
    Linear,
    Parts,
    chain,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    absolute,
    norm,
    ordered_product,
    total,
)
from ...symbolic.propositions import (
    Proposition,
    both,
    eq,
    implies,
    le,
    lt,
)
from ...symbolic.residual import (
    G,
    J,
    L,
    at_start,
    c,
    contracting,
    decays,
    every_scale,
    for_layers,
    g,
    g_l,
    grows,
    i,
    jacobians,
    l,
    lam,
    large_scales,
    ordered,
    plain_jacobians,
    small_scales,
    y,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant
from .mutation import without
from .residual_induction import CLAIMS, PROVED, after, at, from_layer, gradient, nonnegative, one

# ---------------------------------------------------------------- residual.plain_vanishing

vanishing = CLAIMS["residual.plain_vanishing"]
through = ordered_product(i, l, L - 1, J[i])
through_next = put(through, L, after)
decay = c ** (L - l)
PLAIN_VANISHING = Entry(
    vanishing,
    (Kind.KERNEL, *PROVED),
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
    lemma="residual:plain_vanishing",
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
    (Kind.KERNEL, *PROVED),
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
    lemma="residual:plain_gradient",
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


# ---------------------------------------------------------------- residual.scale_decay

scale_decay = CLAIMS["residual.scale_decay"]
every_scale_next = put(every_scale, L, after)
first_scales = put(every_scale, L, l)
grown_power = c ** (after - l)
power_step = instance("power_successor", c, L - l)
growth = both(le(0, decay), le(decay, every_scale))


def with_power(then: Derivation) -> Derivation:
    """c^(L + 1 − l) = c c^(L − l) is known in `then`."""
    one_more = instance("power_successor", c, L - l)
    taken = chain(grown_power, step(c * decay, "one factor more", one_more))
    return Have(le(0, L - l), Linear((ordered,)), Have(eq(grown_power, c * decay), taken, then))


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
    parts: list[Proposition] = list(scale_decay.then.propositions)
    parts[position] = part
    return restate(scale_decay, then=both(*parts))


SCALE_DECAY = Entry(
    scale_decay,
    (Kind.KERNEL, *PROVED),
    derivation=Parts(
        (
            from_layer(
                decays,
                (ordered, small_scales),
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
                                        decays,
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
                implies(large_scales, growth),
                from_layer(
                    growth,
                    (ordered, large_scales),
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
                Linear((instance("modus_ponens", implies(large_scales, growth)),)),
            ),
        )
    ),
    lemma="residual:scale_decay",
    mutants=(
        Mutant(
            "one layer more",
            _decay(0, implies(small_scales, le(absolute(every_scale), c ** (L - l + 1)))),
        ),
        Mutant(
            "decay strictly", _decay(0, implies(small_scales, lt(absolute(every_scale), decay)))
        ),
        Mutant(
            "decay of factors that are small or negative",
            _decay(0, implies(both(for_layers(le(lam[i], c)), lt(c, 1)), decays)),
        ),
        Mutant(
            "one layer more of growth",
            _decay(1, implies(large_scales, le(c ** (L - l + 1), every_scale))),
        ),
        Mutant("growth strictly", _decay(1, implies(large_scales, lt(decay, every_scale)))),
        Mutant(
            "growth whatever the signs",
            _decay(1, implies(both(for_layers(le(c, absolute(lam[i]))), lt(1, c)), grows)),
            # that all factors are this large, and the signs odd, is not drawn by chance
            unseen_by=(Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
        ),
    ),
)
