"""The family iterative: derivations and mutants of each statement.

ENTRIES == in the order of the ledger
"""

from collections.abc import Callable

from ...symbolic import expressions as ex
from ...symbolic import iterative as statements
from ...symbolic import propositions as pr
from ...symbolic.claims import Claim, restate
from ...symbolic.derivations import (
    Arbitrary,
    AtMost,
    BothWays,
    Contradiction,
    Derivation,
    Each,
    Exhibit,
    Induction,
    Known,
    Linear,
    Obtain,
    Parts,
    Suppose,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import entry, eye, index, inv, norm, scalar, vector, zeros
from ...symbolic.iterative import (
    N,
    W,
    Y,
    even,
    every_second_power,
    identity,
    m,
    n,
    odd,
    powers,
    rounds,
    skew,
    start,
    t,
    target,
)
from ...symbolic.propositions import both, eq, exists, forall, iff, le, lt, ne, tends_to
from ...symbolic.rules import instance
from .entry import Entry, Mutant
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
NUMERIC = (Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)
k, q = index("k q")
zero = zeros(n, n)


def power(base: ex.Expression, exponent: ex.Expression | int) -> ex.NaturalPower:
    """base to an exponent, as the language writes it."""
    return ex.NaturalPower(base, ex.as_expression(exponent))


def by_induction(
    variable: ex.IndexSymbol,
    statement: Callable[[ex.Expression], pr.Proposition],
    *,
    last: ex.Expression | None,
    base: Derivation,
    step: Derivation,
) -> tuple[pr.ForRange, Derivation]:
    """`statement` of each index from 0, as a line of a proof.

    The step knows the statement of `variable`, that it is ≥ 0, and that the next one is ≤ last.
    """
    here = statement(variable)
    within = [le(0, variable)] + ([] if last is None else [le(variable, last)])
    before = [] if last is None else [(within[1], Linear((le(variable + 1, last),)))]
    following = lines(
        *before,
        cited(here, "modus_ponens", pr.Implies(pr.And(tuple(within)), here)),
        last=step,
    )
    proof = Each(Induction(variable, 0, base=base, step=following))
    return forall(variable, here, over=(0, last)), proof


def of_index(fact: pr.ForRange, place: ex.Expression, *orders: pr.Proposition):
    """What holds for each index of a range, at one place of it; orders follow linearly."""
    from ...symbolic.binding import put

    bounds = [(order, Linear(tuple(known))) for order, *known in orders]
    here = put(fact.body, fact.index, place)
    return (*bounds, cited(here, "instantiate_range", fact, place))


# ---------------------------------------------------------------- iterative.series

series = CLAIMS["iterative.series"]


def one_more(count: ex.Expression) -> pr.Eq:
    """A factor N moves each power up: N + N ΣN^j = ΣN^j with one term more."""
    return eq(N + N @ powers(count + 1), powers(count + 2))


def apart(count: ex.Expression) -> ex.Expression:
    """The last power of a sum apart."""
    return powers(count - 1) + power(N, count)


def last_apart(count: ex.Expression):
    """The rule that the last power stands apart."""
    return instance("sum_last", powers(count))


nothing = ex.as_expression(0)
shifted = by_induction(
    k,
    one_more,
    last=None,
    base=lines(
        (le(1, 2), Linear(())),
        (le(1, 1), Linear(())),
        (lt(0, 1), Linear(())),
        last=chain(
            N + N @ powers(nothing + 1),
            step(
                N + N @ N,
                "the sum is N",
                instance("sum_last", powers(nothing + 1)),
                instance("sum_empty", powers(nothing + 1 - 1)),
            ),
            step(
                powers(nothing + 2),
                "and N + N²",
                instance("sum_last", powers(nothing + 2)),
                instance("sum_last", powers(nothing + 2 - 1)),
                instance("sum_empty", powers(nothing + 2 - 1 - 1)),
            ),
        ),
    ),
    step=lines(
        (le(1, k + 1 + 1), Linear((le(0, k),))),
        (le(1, k + 1 + 2), Linear((le(0, k),))),
        (le(0, k + 2), Linear((le(0, k),))),
        last=chain(
            N + N @ powers(k + 1 + 1),
            step(
                N + N @ (powers(k + 1) + power(N, k + 2)),
                "the last power apart",
                last_apart(k + 1 + 1),
            ),
            step(powers(k + 2) + N @ power(N, k + 2), "the case k", one_more(k)),
            step(
                powers(k + 2) + power(N, k + 3),
                "one factor N more",
                instance("power_successor", N, k + 2),
            ),
            step(powers(k + 1 + 2), "and put back", last_apart(k + 1 + 2)),
        ),
    ),
)


def summed(place: ex.Expression) -> pr.Eq:
    """The iterate is I + 2 ΣN^j."""
    return eq(Y[place], identity + 2 * powers(place + 1))


recurrence = eq(Y[k + 1], identity + N @ (identity + Y[k]))
SERIES = Entry(
    series,
    (Kind.DERIVATION, *NUMERIC),
    derivation=lines(
        shifted,
        by_induction(
            k,
            summed,
            last=t,
            base=lines(
                (le(1, 1), Linear(())),
                (lt(0, 1), Linear(())),
                last=chain(
                    Y[nothing],
                    step(identity + 2 * N, "the start", start),
                    step(
                        identity + 2 * powers(nothing + 1),
                        "the sum is N",
                        instance("sum_last", powers(nothing + 1)),
                        instance("sum_empty", powers(nothing + 1 - 1)),
                    ),
                ),
            ),
            step=lines(
                *of_index(rounds(t - 1), k, (le(k, t - 1), le(k + 1, t))),
                *of_index(shifted[0], k),
                last=chain(
                    Y[k + 1],
                    step(identity + N @ (identity + Y[k]), "one round", recurrence),
                    step(
                        identity + N @ (identity + (identity + 2 * powers(k + 1))),
                        "the case k",
                        summed(k),
                    ),
                    step(
                        identity + 2 * (N + N @ powers(k + 1)),
                        "collect",
                    ),
                    step(
                        identity + 2 * powers(k + 1 + 1),
                        "a factor N moves each power up",
                        one_more(k),
                    ),
                ),
            ),
        ),
        *of_index(forall(k, summed(k), over=(0, t)), t, (le(t, t),)),
        last=Known(),
    ),
)


# ---------------------------------------------------------------- iterative.defect

defect = CLAIMS["iterative.defect"]
minus, plus = identity - N, identity + N


def closed(place: ex.Expression) -> pr.Eq:
    """(I − N) Y_k = I + N − 2N^(k+2)."""
    return eq(minus @ Y[place], plus - 2 * power(N, place + 2))


def closed_form(last: ex.Expression | None, ending: ex.Expression | None):
    """The closed form of each iterate, by induction, as a line of a proof."""
    return by_induction(
        k,
        closed,
        last=last,
        base=chain(
            minus @ Y[nothing],
            step(minus @ (identity + 2 * N), "the start", start),
            step(plus - 2 * power(N, nothing + 2), "multiply out"),
        ),
        step=lines(
            *of_index(
                rounds(ending),
                k,
                *([] if last is None or ending is None else [(le(k, ending), le(k + 1, last))]),
            ),
            (le(0, k + 2), Linear((le(0, k),))),
            last=chain(
                minus @ Y[k + 1],
                step(minus @ (identity + N @ (identity + Y[k])), "one round", recurrence),
                step(identity - N @ N + N @ (minus @ Y[k]), "I − N and N commute"),
                step(identity - N @ N + N @ (plus - 2 * power(N, k + 2)), "the case k", closed(k)),
                step(plus - 2 * (N @ power(N, k + 2)), "N I + N N cancels N N"),
                step(
                    plus - 2 * power(N, k + 1 + 2),
                    "one factor N more",
                    instance("power_successor", N, k + 2),
                ),
            ),
        ),
    )


def commutes(place: ex.Expression) -> pr.Eq:
    """Y_k N = N Y_k."""
    return eq(Y[place] @ N, N @ Y[place])


commuting = by_induction(
    k,
    commutes,
    last=odd,
    base=chain(
        Y[nothing] @ N,
        step((identity + 2 * N) @ N, "the start", start),
        step(N @ (identity + 2 * N), "multiply out"),
        step(N @ Y[nothing], "the start", start),
    ),
    step=lines(
        *of_index(rounds(even), k, (le(k, even), le(k + 1, odd))),
        last=chain(
            Y[k + 1] @ N,
            step((identity + N @ (identity + Y[k])) @ N, "one round", recurrence),
            step(N + N @ N + N @ (Y[k] @ N), "multiply out"),
            step(N + N @ N + N @ (N @ Y[k]), "the case k", commutes(k)),
            step(N @ (identity + N @ (identity + Y[k])), "N apart"),
            step(N @ Y[k + 1], "one round", recurrence),
        ),
    ),
)


def symmetric(place: ex.Expression) -> pr.Eq:
    """Even powers are symmetric."""
    return eq(power(N, 2 * place).T, power(N, 2 * place))


even_powers = by_induction(
    q,
    symmetric,
    last=None,
    base=chain(power(N, 2 * nothing).T, step(power(N, 2 * nothing), "the identity is symmetric")),
    step=lines(
        (le(0, 2 * q), Linear((le(0, q),))),
        (le(0, 2 * q + 1), Linear((le(0, q),))),
        last=chain(
            power(N, 2 * (q + 1)).T,
            step(
                (N @ (N @ power(N, 2 * q))).T,
                "two factors N apart",
                instance("power_successor", N, 2 * q + 1),
                instance("power_successor", N, 2 * q),
            ),
            step(power(N, 2 * q).T @ N @ N, "Nᵀ = −N, twice", skew),
            step(power(N, 2 * q) @ N @ N, "the case q", symmetric(q)),
            step(
                N @ (N @ power(N, 2 * q)),
                "N commutes with its powers",
                instance("power_commutes", N, 2 * q),
            ),
            step(
                power(N, 2 * (q + 1)),
                "and put back",
                instance("power_successor", N, 2 * q),
                instance("power_successor", N, 2 * q + 1),
            ),
        ),
    ),
)
# the power in the even defect, which is symmetric and commutes with N
E = power(N, 2 * m + 2)
E_symmetric = eq(E.T, E)
E_commutes = instance("power_commutes", N, 2 * m + 2)
between = identity - N @ N


def telescoped(first: ex.Expression, place: ex.Expression) -> pr.Eq:
    """(N^a + … + N^(a+2q)) (I − N²) = N^a − N^(a+2q+2)."""
    return eq(
        every_second_power(first, place) @ between,
        power(N, first) - power(N, first + 2 * place + 2),
    )


def telescope(first: ex.Expression):
    """The telescoping sum, by induction, as a line of a proof."""

    def two_more(exponent: ex.Expression):
        return (
            instance("power_successor", N, exponent),
            instance("power_successor", N, exponent + 1),
        )

    def commuted(exponent: ex.Expression):
        return instance("power_commutes", N, exponent)

    term = first + 2 * (q + 1)
    return by_induction(
        q,
        lambda place: telescoped(first, place),
        last=None,
        base=lines(
            (le(0, 0), Linear(())),
            (lt(-1, 0), Linear(())),
            (le(0, first), Linear((le(0, m),))),
            (le(0, first + 1), Linear((le(0, m),))),
            last=chain(
                every_second_power(first, nothing) @ between,
                step(
                    power(N, first) @ between,
                    "one term",
                    instance("sum_last", every_second_power(first, nothing)),
                    instance("sum_empty", every_second_power(first, nothing - 1)),
                ),
                step(
                    power(N, first) - N @ (N @ power(N, first)),
                    "N commutes with its powers",
                    commuted(first),
                ),
                step(
                    power(N, first) - power(N, first + 2 * nothing + 2),
                    "two factors N more",
                    *two_more(first),
                ),
            ),
        ),
        step=lines(
            (le(0, q + 1), Linear((le(0, q),))),
            (le(0, term), Linear((le(0, m), le(0, q)))),
            (le(0, term + 1), Linear((le(0, m), le(0, q)))),
            last=chain(
                every_second_power(first, q + 1) @ between,
                step(
                    (every_second_power(first, q) + power(N, term)) @ between,
                    "the last term apart",
                    instance("sum_last", every_second_power(first, q + 1)),
                ),
                step(
                    power(N, first) - power(N, first + 2 * q + 2) + power(N, term) @ between,
                    "the case q",
                    telescoped(first, q),
                ),
                step(power(N, first) - power(N, term) @ N @ N, "two terms cancel"),
                step(
                    power(N, first) - N @ (N @ power(N, term)),
                    "N commutes with its powers",
                    commuted(term),
                ),
                step(
                    power(N, first) - power(N, first + 2 * (q + 1) + 2),
                    "two factors N more",
                    *two_more(term),
                ),
            ),
        ),
    )


inverses = (
    instance("right_inverse", minus),
    instance("right_inverse", plus),
)


def vanishing(
    place: ex.Expression, first: ex.Expression, total: ex.Expression, sign: int, *, ends: Derivation
) -> Derivation:
    """YᵀY − I = sign · 4 total, where (I − N²) times the difference is shown to vanish."""
    gram = Y[place].T @ Y[place]
    gap = gram - identity - sign * (4 * total)
    gone = eq(gap @ between, zero)
    return lines(
        *of_index(forall(k, closed(k), over=(0, odd)), place, (le(0, place), le(0, m)), (le(place, odd), le(0, m))),
        *of_index(forall(k, commutes(k), over=(0, odd)), place),
        (gone, ends),
        (
            eq(gap, zero),
            chain(
                gap,
                step(gap @ (minus @ inv(minus)), "I − N is invertible", inverses[0]),
                step(
                    gap @ (minus @ (plus @ inv(plus)) @ inv(minus)),
                    "and so is I + N",
                    inverses[1],
                ),
                step(gap @ between @ inv(plus) @ inv(minus), "(I − N)(I + N) = I − N²"),
                step(zero, "the product vanishes", gone),
            ),
        ),
        last=chain(
            gram - identity,
            step(gap + sign * (4 * total), "plus and minus the sum"),
            step(sign * (4 * total), "the difference vanishes", eq(gap, zero)),
        ),
    )


def gram_between(place: ex.Expression, total: ex.Expression, sign: int):
    """The first steps on the difference: its Gram matrix through the closed form."""
    gap = Y[place].T @ Y[place] - identity - sign * (4 * total)
    spread = Y[place].T @ (plus @ minus @ Y[place]) - between - sign * (4 * (total @ between))
    return gap, spread


def even_ends() -> Derivation:
    """The even case."""
    total = every_second_power(even + 2, m)
    gap, spread = gram_between(even, total, -1)
    F = plus - 2 * E
    return chain(
        gap @ between,
        step(spread, "Y and N commute", commutes(even)),
        step(
            (minus @ Y[even]).T @ (minus @ Y[even]) - between + 4 * (total @ between),
            "(I − N)ᵀ = I + N",
            skew,
        ),
        step(F.T @ F - between + 4 * (total @ between), "the closed form", closed(even)),
        step(
            (minus - 2 * E) @ F - between + 4 * (total @ between),
            "N is skew, its even powers are symmetric",
            skew,
            E_symmetric,
        ),
        step(
            4 * (E @ E) - 4 * E + 4 * (total @ between), "N commutes with its powers", E_commutes
        ),
        step(
            4 * (E @ E) - 4 * power(N, even + 2 + 2 * m + 2),
            "the sum telescopes",
            telescoped(even + 2, m),
        ),
        step(zero, "powers multiply", instance("power_of_sum", N, 2 * m + 2, 2 * m + 2)),
    )


def odd_ends() -> Derivation:
    """The odd case."""
    total = every_second_power(even + 4, m)
    gap, spread = gram_between(odd, total, 1)
    F = plus - 2 * (N @ E)
    D = N - 2 * (N @ E)
    return chain(
        gap @ between,
        step(spread, "Y and N commute", commutes(odd)),
        step(
            (minus @ Y[odd]).T @ (minus @ Y[odd]) - between - 4 * (total @ between),
            "(I − N)ᵀ = I + N",
            skew,
        ),
        step(
            (plus - 2 * power(N, odd + 2)).T @ (plus - 2 * power(N, odd + 2))
            - between
            - 4 * (total @ between),
            "the closed form",
            closed(odd),
        ),
        step(
            F.T @ F - between - 4 * (total @ between),
            "one factor N apart",
            instance("power_successor", N, 2 * m + 2),
        ),
        step(
            (identity - N + 2 * (E @ N)) @ F - between - 4 * (total @ between),
            "N is skew, its even powers are symmetric",
            skew,
            E_symmetric,
        ),
        step(
            4 * (N @ N @ E) - 4 * (N @ N @ E @ E) - 4 * (total @ between),
            "N commutes with its powers",
            E_commutes,
        ),
        step(
            4 * (N @ N @ E)
            - 4 * (N @ N @ E @ E)
            - 4 * (power(N, even + 4) - power(N, even + 4 + 2 * m + 2)),
            "the sum telescopes",
            telescoped(even + 4, m),
        ),
        step(
            4 * (N @ N @ E)
            - 4 * (N @ N @ E @ E)
            - 4 * (N @ N @ E - power(N, even + 4) @ E),
            "powers multiply",
            instance("power_successor", N, 2 * m + 3),
            instance("power_successor", N, 2 * m + 2),
            instance("power_of_sum", N, 2 * m + 4, 2 * m + 2),
        ),
        step(
            zero,
            "powers multiply",
            instance("power_successor", N, 2 * m + 3),
            instance("power_successor", N, 2 * m + 2),
        ),
    )


DEFECT = Entry(
    defect,
    (Kind.DERIVATION, *NUMERIC),
    derivation=lines(
        closed_form(odd, even),
        commuting,
        even_powers,
        *of_index(even_powers[0], m + 1, (le(0, m + 1), le(0, m))),
        (
            E_symmetric,
            chain(E.T, step(E, "even powers are symmetric", symmetric(m + 1))),
        ),
        (le(0, 2 * m + 2), Linear((le(0, m),))),
        (le(0, 2 * m + 3), Linear((le(0, m),))),
        (le(0, 2 * m + 4), Linear((le(0, m),))),
        telescope(even + 2),
        *of_index(forall(q, telescoped(even + 2, q), over=(0, None)), m),
        telescope(even + 4),
        *of_index(forall(q, telescoped(even + 4, q), over=(0, None)), m),
        last=Parts(
            (
                vanishing(even, even + 2, every_second_power(even + 2, m), -1, ends=even_ends()),
                vanishing(odd, even + 4, every_second_power(even + 4, m), 1, ends=odd_ends()),
            )
        ),
    ),
)

ENTRIES = (SERIES, DEFECT)
