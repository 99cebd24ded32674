"""The family iterative: derivations and mutants of each statement.

ENTRIES == in the order of the ledger
"""

from collections.abc import Callable
from fractions import Fraction

from ...symbolic import expressions as ex
from ...symbolic import iterative as statements
from ...symbolic import propositions as pr
from ...symbolic.binding import put
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
    Line,
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
from ...symbolic.expressions import absolute, entry, index, inv, norm, scalar, vector, zeros
from ...symbolic.iterative import (
    Y_2,
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
from ...symbolic.propositions import (
    both,
    eq,
    exists,
    forall,
    iff,
    le,
    lt,
    ne,
    spectral_norm_below,
    tends_to,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
NUMERIC = (Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)
# one index for each induction, since a lemma binds the one that it was proved by
k, a, b, d, e = index("k a b d e")
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


def of_index(
    fact: pr.ForRange, place: ex.Expression, *orders: tuple[pr.Proposition, ...]
) -> tuple[Line, ...]:
    """What holds for each index of a range, at one place of it.

    An order, with what it follows from linearly, says that the place is in the range.
    """
    bounds: list[Line] = [(order, Linear(tuple(known))) for order, *known in orders]
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
    a,
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
        (le(1, a + 1 + 1), Linear((le(0, a),))),
        (le(1, a + 1 + 2), Linear((le(0, a),))),
        (le(0, a + 2), Linear((le(0, a),))),
        last=chain(
            N + N @ powers(a + 1 + 1),
            step(
                N + N @ (powers(a + 1) + power(N, a + 2)),
                "the last power apart",
                last_apart(a + 1 + 1),
            ),
            step(powers(a + 2) + N @ power(N, a + 2), "the case before", one_more(a)),
            step(
                powers(a + 2) + power(N, a + 3),
                "one factor N more",
                instance("power_successor", N, a + 2),
            ),
            step(powers(a + 1 + 2), "and put back", last_apart(a + 1 + 2)),
        ),
    ),
)


def summed(place: ex.Expression) -> pr.Eq:
    """The iterate is I + 2 ΣN^j."""
    return eq(Y[place], identity + 2 * powers(place + 1))


def recurrence_at(place: ex.Expression) -> pr.Eq:
    """One round of the iteration."""
    return eq(Y[place + 1], identity + N @ (identity + Y[place]))


recurrence = recurrence_at(k)
SERIES = Entry(
    series,
    (Kind.KERNEL, Kind.DERIVATION, *NUMERIC),
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
                        "the case before",
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
    lemma="iterative:series",
    mutants=(
        Mutant("one power fewer", restate(series, then=eq(Y[t], identity + 2 * powers(t)))),
        Mutant("every power once", restate(series, then=eq(Y[t], identity + powers(t + 1)))),
        Mutant("subtracted", restate(series, then=eq(Y[t], identity - 2 * powers(t + 1)))),
        Mutant(
            "from I + N",
            restate(series, given=[le(0, t), eq(Y[0], identity + N), rounds(t - 1)]),
        ),
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
                step(
                    identity - N @ N + N @ (plus - 2 * power(N, k + 2)),
                    "the case before",
                    closed(k),
                ),
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
    b,
    commutes,
    last=odd,
    base=chain(
        Y[nothing] @ N,
        step((identity + 2 * N) @ N, "the start", start),
        step(N @ (identity + 2 * N), "multiply out"),
        step(N @ Y[nothing], "the start", start),
    ),
    step=lines(
        *of_index(rounds(even), b, (le(b, even), le(b + 1, odd))),
        last=chain(
            Y[b + 1] @ N,
            step((identity + N @ (identity + Y[b])) @ N, "one round", recurrence_at(b)),
            step(N + N @ N + N @ (Y[b] @ N), "multiply out"),
            step(N + N @ N + N @ (N @ Y[b]), "the case before", commutes(b)),
            step(N @ (identity + N @ (identity + Y[b])), "N apart"),
            step(N @ Y[b + 1], "one round", recurrence_at(b)),
        ),
    ),
)


def symmetric(place: ex.Expression) -> pr.Eq:
    """Even powers are symmetric."""
    return eq(power(N, 2 * place).T, power(N, 2 * place))


even_powers = by_induction(
    e,
    symmetric,
    last=None,
    base=chain(power(N, 2 * nothing).T, step(power(N, 2 * nothing), "the identity is symmetric")),
    step=lines(
        (le(0, 2 * e), Linear((le(0, e),))),
        (le(0, 2 * e + 1), Linear((le(0, e),))),
        last=chain(
            power(N, 2 * (e + 1)).T,
            step(
                (N @ (N @ power(N, 2 * e))).T,
                "two factors N apart",
                instance("power_successor", N, 2 * e + 1),
                instance("power_successor", N, 2 * e),
            ),
            step(power(N, 2 * e).T @ N @ N, "Nᵀ = −N, twice", skew),
            step(power(N, 2 * e) @ N @ N, "the case before", symmetric(e)),
            step(
                N @ (N @ power(N, 2 * e)),
                "N commutes with its powers",
                instance("power_commutes", N, 2 * e),
            ),
            step(
                power(N, 2 * (e + 1)),
                "and put back",
                instance("power_successor", N, 2 * e),
                instance("power_successor", N, 2 * e + 1),
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


def telescope(q: ex.IndexSymbol, first: ex.Expression):
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
                    "the case before",
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


def vanishing(place: ex.Expression, value: ex.Expression, *, ends: Derivation) -> Derivation:
    """YᵀY − I = value, where the difference times I − N² is shown to vanish."""
    gram = Y[place].T @ Y[place]
    gap = gram - identity - value
    gone = eq(gap @ between, zero)
    return lines(
        *of_index(
            forall(k, closed(k), over=(0, odd)),
            place,
            (le(0, place), le(0, m)),
            (le(place, odd),),
        ),
        *of_index(forall(b, commutes(b), over=(0, odd)), place),
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
            step(gap + value, "plus and minus the sum"),
            step(value, "the difference vanishes", eq(gap, zero)),
        ),
    )


def even_ends() -> Derivation:
    """The even case."""
    total = every_second_power(even + 2, m)
    gap = Y[even].T @ Y[even] - identity - -(4 * total)
    spread = Y[even].T @ (plus @ minus @ Y[even]) - between + 4 * (total @ between)
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
        step(4 * (E @ E) - 4 * E + 4 * (total @ between), "N commutes with its powers", E_commutes),
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
    gap = Y[odd].T @ Y[odd] - identity - 4 * total
    spread = Y[odd].T @ (plus @ minus @ Y[odd]) - between - 4 * (total @ between)
    F = plus - 2 * (N @ E)
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
            zero,
            "powers multiply",
            instance("power_successor", N, 2 * m + 3),
            instance("power_successor", N, 2 * m + 2),
            instance("power_of_sum", N, 2 * m + 4, 2 * m + 2),
        ),
    )


def _defects(of_even: ex.Expression, of_odd: ex.Expression) -> Claim:
    """The statement for other defects."""
    first, second = statements.defect(even), statements.defect(odd)
    return restate(defect, then=both(eq(first, of_even), eq(second, of_odd)))


DEFECT = Entry(
    defect,
    (Kind.KERNEL, Kind.DERIVATION, *NUMERIC),
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
        telescope(d, even + 2),
        *of_index(forall(d, telescoped(even + 2, d), over=(0, None)), m),
        telescope(t, even + 4),
        *of_index(forall(t, telescoped(even + 4, t), over=(0, None)), m),
        last=Parts(
            (
                vanishing(even, -(4 * every_second_power(even + 2, m)), ends=even_ends()),
                vanishing(odd, 4 * every_second_power(even + 4, m), ends=odd_ends()),
            )
        ),
    ),
    lemma="iterative:defect",
    mutants=(
        Mutant(
            "the signs exchanged",
            _defects(4 * every_second_power(even + 2, m), -(4 * every_second_power(even + 4, m))),
        ),
        Mutant(
            "half of it",
            _defects(-(2 * every_second_power(even + 2, m)), 2 * every_second_power(even + 4, m)),
        ),
        Mutant(
            "one power higher",
            _defects(-(4 * every_second_power(even + 3, m)), 4 * every_second_power(even + 5, m)),
        ),
        Mutant(
            "one term fewer",
            _defects(
                -(4 * every_second_power(even + 2, m - 1)), 4 * every_second_power(even + 4, m - 1)
            ),
        ),
        Mutant("any N", without(defect, skew)),
    ),
)


# ---------------------------------------------------------------- …always_orthogonal_reading

always = CLAIMS["iterative.always_orthogonal_reading"]
W_skew = always.given[0]
ALWAYS_ORTHOGONAL_READING = Entry(
    always,
    (Kind.COUNTEREXAMPLE, *NUMERIC),
    repaired_by="iterative.defect",
    mutants=(
        Mutant("W = 0", restate(always, given=[eq(W, zeros(n, n))])),
        Mutant(
            "the defect is a polynomial in W",
            restate(always, then=eq((Y_2.T @ Y_2) @ W, W @ (Y_2.T @ Y_2))),
        ),
        Mutant("the defect is symmetric", restate(always, then=eq((Y_2.T @ Y_2).T, Y_2.T @ Y_2))),
    ),
)


# ---------------------------------------------------------------- iterative.converges_iff

converges = CLAIMS["iterative.converges_iff"]
c, s = scalar("c"), scalar("s")
x, y = vector("x", n), vector("y", n)
inverse = inv(minus)
right_inverse = instance("right_inverse", minus)
left_inverse = instance("left_inverse", minus)
limit = tends_to(Y[t], target, variable=t)
contraction = forall(x, le(norm(N @ x), c * norm(x)))
smaller = both(le(0, c), lt(c, 1), contraction)

# from convergence: N^(t+2) = ½(I + N) − ½(I − N) Y_t tends to 0; a longest direction gets shorter
half_of = Fraction(1, 2)
recovered = half_of * plus + (-half_of * minus) @ Y[t]
at_the_limit = half_of * plus + (-half_of * minus) @ target
square = N @ N
longest = both(
    le(0, c), ne(y, zeros(n, 1)), eq(N.T @ N @ y, c**2 * y), forall(x, le(norm(N @ x), c * norm(x)))
)


def vanishes(body: ex.Expression) -> pr.TendsTo:
    """The sequence tends to the matrix 0."""
    return tends_to(body, zero, variable=t)


squared = by_induction(
    a,
    lambda place: eq(power(square, place), power(N, 2 * place)),
    last=None,
    base=chain(power(square, nothing), step(power(N, 2 * nothing), "both are I")),
    step=lines(
        (le(0, 2 * a), Linear((le(0, a),))),
        (le(0, 2 * a + 1), Linear((le(0, a),))),
        last=chain(
            power(square, a + 1),
            step(
                square @ power(square, a),
                "one factor apart",
                instance("power_successor", square, a),
            ),
            step(
                square @ power(N, 2 * a),
                "the case before",
                eq(power(square, a), power(N, 2 * a)),
            ),
            step(
                power(N, 2 * (a + 1)),
                "two factors N more",
                instance("power_successor", N, 2 * a),
                instance("power_successor", N, 2 * a + 1),
            ),
        ),
    ),
)
power_vanishes = tends_to(power(square, t), zero, variable=t)
from_convergence = lines(
    closed_form(None, None),
    (
        forall(t, eq(power(N, t + 2), recovered), over=(0, None)),
        Each(
            lines(
                *of_index(forall(k, closed(k), over=(0, None)), t),
                last=chain(
                    power(N, t + 2),
                    step(half_of * (plus - (plus - 2 * power(N, t + 2))), "add and take away"),
                    step(half_of * (plus - minus @ Y[t]), "the closed form", closed(t)),
                    step(recovered, "multiply out"),
                ),
            )
        ),
    ),
    cited(
        tends_to(recovered, at_the_limit, variable=t),
        "limit_of_affine",
        limit,
        -half_of * minus,
        half_of * plus,
    ),
    (
        eq(at_the_limit, zero),
        chain(at_the_limit, step(zero, "(I − N)(I − N)⁻¹ = I", right_inverse)),
    ),
    cited(
        vanishes(recovered), "limit_written", tends_to(recovered, at_the_limit, variable=t), zero
    ),
    cited(
        vanishes(power(N, t + 2)),
        "limit_of_equal",
        forall(t, eq(power(N, t + 2), recovered), over=(0, None)),
        vanishes(recovered),
    ),
    cited(vanishes(power(N, t)), "limit_of_tail", vanishes(power(N, t)), 2),
    cited(vanishes(power(N, 2 * t)), "limit_of_subsequence", vanishes(power(N, t)), 2, 0),
    squared,
    (
        forall(t, eq(power(square, t), power(N, 2 * t)), over=(0, None)),
        Each(lines(*of_index(squared[0], t), last=Known())),
    ),
    cited(
        power_vanishes,
        "limit_of_equal",
        forall(t, eq(power(square, t), power(N, 2 * t)), over=(0, None)),
        vanishes(power(N, 2 * t)),
    ),
    cited(exists(c, exists(y, longest)), "longest_direction", N, c, y, x),
    last=Obtain(
        exists(c, exists(y, longest)),
        Obtain(
            exists(y, longest),
            lines(
                (
                    eq(square @ y, -(c**2) * y),
                    chain(
                        square @ y,
                        step(-(N.T @ N @ y), "Nᵀ = −N", skew),
                        step(-(c**2) * y, "a longest direction", longest.parts[2]),
                    ),
                ),
                cited(
                    both(lt(-1, -(c**2)), lt(-(c**2), 1)),
                    "vanishing_powers",
                    power_vanishes,
                    y,
                    -(c**2),
                ),
                (
                    lt(c, 1),
                    Suppose(
                        lines(
                            (le(0, c - 1), Linear((le(1, c),))),
                            (le(0, c + 1), Linear((le(1, c),))),
                            cited(le(0, (c - 1) * (c + 1)), "nonnegative_product", c - 1, c + 1),
                            last=Contradiction(
                                lt(-1, -(c**2)), Linear((le(0, (c - 1) * (c + 1)),))
                            ),
                        )
                    ),
                ),
                last=Exhibit(c, Known()),
            ),
        ),
    ),
)

# to convergence: Y_t − T = −2 (I − N)⁻¹ N^(t+2), and (I − N)⁻¹ lengthens nothing


def bounded(place: ex.Expression) -> pr.ForAll:
    """‖N^k x‖ ≤ c^k ‖x‖."""
    return forall(x, le(norm(power(N, place) @ x), power(c, place) * norm(x)))


def at_vector(fact: pr.ForAll, value: ex.Expression) -> Line:
    """What holds for all vectors, for one."""
    return cited(put(fact.body, fact.variable, value), "instantiate", fact, value)


N_k = power(N, b) @ x
room = power(c, b) * norm(x) - norm(N_k)
powers_bounded = by_induction(
    b,
    bounded,
    last=None,
    base=Arbitrary(
        lines(
            (
                eq(norm(power(N, nothing) @ x), power(c, nothing) * norm(x)),
                chain(
                    norm(power(N, nothing) @ x),
                    step(power(c, nothing) * norm(x), "powers with exponent 0 are 1"),
                ),
            ),
            last=Linear((eq(norm(power(N, nothing) @ x), power(c, nothing) * norm(x)),)),
        )
    ),
    step=Arbitrary(
        lines(
            at_vector(bounded(b), x),
            at_vector(contraction, N_k),
            (le(0, room), Linear((bounded(b).body,))),
            cited(le(0, c * room), "nonnegative_product", c, room),
            (
                eq(norm(power(N, b + 1) @ x), norm(N @ N_k)),
                chain(
                    norm(power(N, b + 1) @ x),
                    step(norm(N @ N_k), "one factor N apart", instance("power_successor", N, b)),
                ),
            ),
            (
                eq(power(c, b + 1) * norm(x), c * power(c, b) * norm(x)),
                chain(
                    power(c, b + 1) * norm(x),
                    step(
                        c * power(c, b) * norm(x),
                        "one factor c apart",
                        instance("power_successor", c, b),
                    ),
                ),
            ),
            last=Linear(
                (
                    le(norm(N @ N_k), c * norm(N_k)),
                    le(0, c * room),
                    eq(norm(power(N, b + 1) @ x), norm(N @ N_k)),
                    eq(power(c, b + 1) * norm(x), c * power(c, b) * norm(x)),
                )
            ),
        )
    ),
)
tail = power(N, t + 2) @ x
solved = inverse @ tail
rate = 2 * power(c, t + 2)
shrinks = le(norm(solved), 1 * norm(tail))
squares = le(entry(solved.T @ solved), ex.as_expression(1) ** 2 * entry(tail.T @ tail))
distance = (Y[t] - target) @ x
distance_bounded = forall(t, forall(x, le(norm(distance), rate * norm(x))), over=(0, None))
rate_vanishes = tends_to(rate, 0, variable=t)
power_of_c = tends_to(power(c, t), 0, variable=t)
later_power = tends_to(power(c, t + 2), 0, variable=t)
doubled = tends_to(rate, 2 * nothing, variable=t)
to_convergence = Obtain(
    exists(c, smaller),
    lines(
        closed_form(None, None),
        powers_bounded,
        (
            distance_bounded,
            Each(
                Arbitrary(
                    lines(
                        *of_index(forall(k, closed(k), over=(0, None)), t),
                        (le(0, t + 2), Linear((le(0, t),))),
                        *of_index(powers_bounded[0], t + 2),
                        at_vector(bounded(t + 2), x),
                        (le(0, 1), Linear(())),
                        (
                            squares,
                            AtMost(
                                chain(
                                    ex.as_expression(1) ** 2 * entry(tail.T @ tail)
                                    - entry(solved.T @ solved),
                                    step(
                                        entry((minus @ solved).T @ (minus @ solved))
                                        - entry(solved.T @ solved),
                                        "(I − N)(I − N)⁻¹ = I",
                                        right_inverse,
                                    ),
                                    step(
                                        entry((N @ solved).T @ (N @ solved)),
                                        "z and N z are orthogonal",
                                        skew,
                                    ),
                                )
                            ),
                        ),
                        cited(shrinks, "smaller_norm", solved, 1, tail),
                        (le(0, 2), Linear(())),
                        (
                            eq(norm(distance), 2 * norm(solved)),
                            chain(
                                norm(distance),
                                step(
                                    norm(inverse @ (minus @ Y[t]) @ x - target @ x),
                                    "(I − N)⁻¹(I − N) = I",
                                    left_inverse,
                                ),
                                step(
                                    norm(inverse @ (plus - 2 * power(N, t + 2)) @ x - target @ x),
                                    "the closed form",
                                    closed(t),
                                ),
                                step(norm(-(2 * solved)), "the target cancels"),
                                step(
                                    norm(2 * solved),
                                    "‖−z‖ = ‖z‖",
                                    instance("norm_of_negative", 2 * solved),
                                ),
                                step(
                                    absolute(2) * norm(solved),
                                    "the norm of a multiple",
                                    instance("norm_of_multiple", 2, solved),
                                ),
                                step(
                                    2 * norm(solved),
                                    "2 ≥ 0",
                                    instance("absolute_of_nonnegative", ex.as_expression(2)),
                                ),
                            ),
                        ),
                        last=Linear(
                            (
                                eq(norm(distance), 2 * norm(solved)),
                                shrinks,
                                bounded(t + 2).body,
                            )
                        ),
                    )
                )
            ),
        ),
        (lt(-1, c), Linear((le(0, c),))),
        cited(power_of_c, "geometric_limit", c, t),
        cited(later_power, "limit_of_subsequence", power_of_c, 1, 2),
        cited(doubled, "limit_of_polynomial", later_power, s, 2 * s),
        (eq(2 * nothing, 0), chain(2 * nothing, step(0, "2 · 0 = 0"))),
        cited(rate_vanishes, "limit_written", doubled, 0),
        last=lines(cited(limit, "limit_by_bound", distance_bounded, rate_vanishes), last=Known()),
    ),
)
CONVERGES_IFF = Entry(
    converges,
    (Kind.DERIVATION,),
    derivation=BothWays(forward=from_convergence, backward=to_convergence),
    # no finite number of terms decides a limit, so that exact numbers cannot refute these
    mutants=(
        Mutant("norm below 2", restate(converges, then=iff(limit, spectral_norm_below(N, 2)))),
        Mutant(
            "norm below ½", restate(converges, then=iff(limit, spectral_norm_below(N, half_of)))
        ),
        Mutant(
            "to the inverse rotation",
            restate(
                converges,
                then=iff(tends_to(Y[t], inv(plus) @ minus, variable=t), spectral_norm_below(N, 1)),
            ),
        ),
        Mutant(
            "from I + N",
            restate(converges, given=[skew, eq(Y[0], identity + N), rounds(None)]),
            stays_true=True,
        ),
    ),
)

ENTRIES = (SERIES, DEFECT, ALWAYS_ORTHOGONAL_READING, CONVERGES_IFF)
