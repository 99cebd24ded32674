"""The family residual: what the proofs of unrolled sums share.

from_layer(goal, …) == induction on the last layer L, from l: the frame
unrolled            == the sum of what each unit adds
unrolled_scaled     == the same where each unit multiplies the state first, by a number or a matrix
gradient            == the gradient at layer l, from the Jacobian G_L
nonnegative         == a number that is visibly ≥ 0 is so
CLAIMS              == the statements by their ids
PROVED, REFUTED     == the kinds of evidence that speak for and against statements on sequences

The gradients are the same sums, with G_i in place of x_i and J_i G_i in place of F_i.
"""

from collections.abc import Callable
from typing import Any

from ...symbolic import residual as statements
from ...symbolic.binding import put
from ...symbolic.derivations import (
    AtMost,
    Cited,
    Derivation,
    Each,
    Have,
    Induction,
    Linear,
    chain,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    SequenceSymbol,
    as_expression,
    ordered_product,
    product,
    total,
)
from ...symbolic.propositions import (
    And,
    ForRange,
    Proposition,
    eq,
    implies,
    le,
    lt,
)
from ...symbolic.residual import (
    G,
    L,
    at_start,
    for_layers,
    g,
    g_l,
    i,
    j,
    l,
)
from ...symbolic.rules import instance

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
PROVED = (Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)
REFUTED = (Kind.COUNTEREXAMPLE, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)
after = L + 1
one = as_expression(1)


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


def at(body: Any, layer: Expression) -> Any:
    """An expression or a proposition for another layer."""
    return put(body, i, layer)


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


def nonnegative(value: Expression, then: Derivation) -> Derivation:
    """0 ≤ `value`, which is visible, is known in `then`."""
    return Have(le(0, value), AtMost(chain(value - 0, step(value, "less 0"))), then)
