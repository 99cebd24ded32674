"""The family residual: the states of units with shortcuts of 1 or λ_i, and of two other blocks.

UNROLLED, SCALED_UNROLLED, SCALED_UNROLLED_PRINTED == the entries of sums
ASYMMETRIC_IS_PREACTIVATION, DELTA_BLOCK_IS_RESIDUAL == of blocks that are residual units
"""

from ...symbolic.claims import Claim, restate
from ...symbolic.derivations import (
    Each,
    Have,
    Linear,
    Parts,
    chain,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    eye,
    product,
    total,
    zeros,
)
from ...symbolic.propositions import (
    Proposition,
    both,
    eq,
    forall,
    le,
)
from ...symbolic.residual import (
    F,
    L,
    X,
    activation,
    asymmetric_units,
    beta,
    correction,
    d,
    delta_blocks,
    every_scale,
    for_layers,
    i,
    j,
    k,
    l,
    lam,
    later_scales,
    layer,
    n,
    ordered,
    renamed_states,
    scaled_units,
    states,
    units,
    v,
    x,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant
from .mutation import without
from .residual_induction import CLAIMS, PROVED, REFUTED, unrolled, unrolled_scaled


def ends(added: Expression) -> Proposition:
    """x_L = x_l + what is added."""
    return eq(x[L], x[l] + added)


# ---------------------------------------------------------------- residual.unrolled

first = CLAIMS["residual.unrolled"]
UNROLLED = Entry(
    first,
    (Kind.KERNEL, *PROVED),
    derivation=unrolled(x, F[i], ordered, units),
    lemma="residual:unrolled",
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


# ---------------------------------------------------------------- residual.scaled_unrolled

scaled = CLAIMS["residual.scaled_unrolled"]
corrected = total(i, l, L - 1, later_scales * F[i])
SCALED_UNROLLED = Entry(
    scaled,
    (Kind.KERNEL, *PROVED),
    derivation=unrolled_scaled(x, F[i], lam, ordered, scaled_units),
    lemma="residual:scaled_unrolled",
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
    (Kind.KERNEL, *PROVED),
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
    lemma="residual:asymmetric_is_preactivation",
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
    (Kind.KERNEL, *PROVED),
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
    lemma="residual:delta_block_is_residual",
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
