"""The limit of Sinkhorn's iteration in two rows and columns, by its closed form.

TWO_BY_TWO_LIMIT == the entry of birkhoff.two_by_two_limit

With r = √(a d) and s = √(b c), a round multiplies E = a c v − r s z by (r − s)² and
F = a c v + r s z by (r + s)², and both by one more number: E_t/F_t falls geometrically, and the
entries of the iterate are rational functions of it.
"""

from fractions import Fraction

from ...symbolic import birkhoff as statements
from ...symbolic import expressions as ex
from ...symbolic import propositions as pr
from ...symbolic.binding import put
from ...symbolic.birkhoff import a, b, c, d, half, limit, r, s, t
from ...symbolic.birkhoff import u_1 as top
from ...symbolic.birkhoff import u_2 as bottom
from ...symbolic.birkhoff import v_1 as left
from ...symbolic.birkhoff import v_2 as right
from ...symbolic.claims import restate
from ...symbolic.derivations import (
    AtMost,
    Contradiction,
    Derivation,
    Each,
    Induction,
    Known,
    Line,
    Linear,
    Parts,
    Suppose,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import index, named, scalar
from ...symbolic.propositions import both, eq, forall, le, lt, ne, tends_to
from ...symbolic.rules import instance
from .entry import Entry, Mutant

two_by_two = {claim.id: claim for claim in statements.CLAIMS}["birkhoff.two_by_two_limit"]
iteration = two_by_two.given[6]
assert isinstance(iteration, pr.ForRange)
iteration_body = iteration.body
q = index("q")
lam = scalar("lam")
slow, fast = (r - s) ** 2, (r + s) ** 2
ratio = named("ratio", slow / fast)
zero = ex.as_expression(0)


def power(base: ex.Expression, exponent: ex.Expression | int) -> ex.NaturalPower:
    """base to an exponent, as the language writes it."""
    return ex.NaturalPower(base, ex.as_expression(exponent))


def E(place: ex.Expression) -> ex.Expression:
    """What a round multiplies by (r − s)² and a positive number."""
    return a * c * left[place] - r * s * right[place]


def F(place: ex.Expression) -> ex.Expression:
    """What a round multiplies by (r + s)² and the same number."""
    return a * c * left[place] + r * s * right[place]


def round_of(place: ex.Expression) -> pr.Proposition:
    """What one round says."""
    return put(iteration_body, t, place)


def sums(place: ex.Expression) -> tuple[pr.Eq, ...]:
    """The four equations of a round."""
    return tuple(p for p in round_of(place).propositions if isinstance(p, pr.Eq))


def shrunk(place: ex.Expression) -> pr.Eq:
    """E_k F_0 = ratio^k E_0 F_k."""
    return eq(E(place) * F(zero), power(ratio, place) * E(zero) * F(place))


root_r, root_s = instance("root_squared", a * d), instance("root_squared", b * c)


def grown(sign: int) -> Derivation:
    """One round on E (sign −1) or F (sign 1), as a chain of equalities."""
    top_sum, bottom_sum, left_sum, right_sum = sums(q)
    u, w, v, z = top[q + 1], bottom[q + 1], left[q], right[q]
    v2, z2 = left[q + 1], right[q + 1]
    m, n = a * v + b * z, c * v + d * z
    body, factor = (F, fast) if sign > 0 else (E, slow)
    with_right = a * c * v2 * (z2 * (b * u + d * w))

    def both_terms(first: ex.Expression, second: ex.Expression) -> ex.Expression:
        return first + second if sign > 0 else first - second

    scaled = both_terms(
        a * c * (b * (u * (w * n)) + d * (w * (u * m))),
        r * s * (a * (u * (w * n)) + c * (w * (u * m))),
    )
    return chain(
        body(q + 1),
        step(both_terms(with_right, r * s * z2), "the second column sums to 1", right_sum),
        step(
            both_terms(with_right, r * s * z2 * (v2 * (a * u + c * w))),
            "the first column sums to 1",
            left_sum,
        ),
        step(
            v2
            * z2
            * both_terms(a * c * (b * (u * (w * n)) + d * w), r * s * (a * (u * (w * n)) + c * w)),
            "the second row sums to 1",
            bottom_sum,
        ),
        step(v2 * z2 * scaled, "the first row sums to 1", top_sum),
        step(factor * (v2 * z2 * u * w) * body(q), "r² = a d, s² = b c", root_r, root_s),
    )


scale = left[q + 1] * right[q + 1] * top[q + 1] * bottom[q + 1]
E_grows = eq(E(q + 1), slow * scale * E(q))
F_grows = eq(F(q + 1), fast * scale * F(q))


def corner(sign: int) -> tuple[ex.Expression, ex.Expression, ex.Expression]:
    """An entry on the diagonal with what it satisfies: entry · below = above, in ratio^t."""
    entry = top[t + 1] * a * left[t + 1] if sign > 0 else bottom[t + 1] * d * right[t + 1]
    below = fast * F(zero) - sign * slow * (E(zero) * lam)
    above = r * ((r + s) * F(zero) - sign * (r - s) * (E(zero) * lam))
    return entry, below, above


def on_diagonal(sign: int) -> tuple[Line, ...]:
    """The limit of an entry on the diagonal, as lines of a proof."""
    entry, below, above = corner(sign)
    decay = tends_to(power(ratio, t), 0, variable=t)
    here_below, here_above = (put(x, lam, power(ratio, t)) for x in (below, above))
    there_below, there_above = (put(x, lam, zero) for x in (below, above))
    top_sum, bottom_sum, left_sum, right_sum = sums(t)
    u, w, v, z = top[t + 1], bottom[t + 1], left[t], right[t]
    m, n = a * v + b * z, c * v + d * z
    numerator = a * u if sign > 0 else d * w
    other = (a * u + c * w) if sign > 0 else (b * u + d * w)
    cleared_numerator = a * n if sign > 0 else d * m
    cleared = (a * n + c * m) if sign > 0 else (b * n + d * m)
    factor = 2 * r * s if sign > 0 else 2 * (a * c)
    roots = (root_r,) if sign > 0 else (root_r, root_s)
    column = left_sum if sign > 0 else right_sum
    plain_sum = entry * (fast * F(t) - sign * slow * E(t))
    plain_value = r * ((r + s) * F(t) - sign * (r - s) * E(t))
    raw = eq(entry * other, numerator)
    rational = eq(entry * cleared, cleared_numerator)
    whole = eq(plain_sum, plain_value)
    equation = eq(entry * here_below, here_above)
    shifted = tends_to(entry, there_above / there_below, variable=t)
    now = top[t] * a * left[t] if sign > 0 else bottom[t] * d * right[t]
    written = tends_to(entry, limit, variable=t)
    return (
        (
            forall(t, equation, over=(0, None)),
            Each(
                lines(
                    cited(iteration_body, "instantiate_range", iteration, t),
                    cited(shrunk(t), "instantiate_range", forall(q, shrunk(q), over=(0, None)), t),
                    (raw, chain(entry * other, step(numerator, "the column sums to 1", column))),
                    (
                        rational,
                        chain(
                            entry * cleared,
                            step(
                                entry
                                * (
                                    (a * n * (u * m) + c * m)
                                    if sign > 0
                                    else (b * n * (u * m) + d * m)
                                ),
                                "the first row sums to 1",
                                top_sum,
                            ),
                            step(
                                m * n * (entry * other),
                                "the second row sums to 1",
                                bottom_sum,
                            ),
                            step(m * n * numerator, "the column sums to 1", raw),
                            step(
                                cleared_numerator,
                                "the rows sum to 1",
                                top_sum if sign > 0 else bottom_sum,
                            ),
                        ),
                    ),
                    (
                        whole,
                        chain(
                            plain_sum,
                            step(factor * (entry * cleared), "r² = a d, s² = b c", root_r, root_s),
                            step(factor * cleared_numerator, "the entry", rational),
                            step(plain_value, "r² = a d, s² = b c", *roots),
                        ),
                    ),
                    (lt(0, F(t)), AtMost(chain(F(t) - 0, step(F(t), "minus 0")))),
                    last=chain(
                        entry * here_below,
                        step(
                            entry
                            * (
                                fast * (F(zero) * F(t))
                                - sign * slow * (E(zero) * power(ratio, t) * F(t))
                            )
                            / F(t),
                            "F_t > 0",
                        ),
                        step(F(zero) * plain_sum / F(t), "E_t is a share of F_t", shrunk(t)),
                        step(F(zero) * plain_value / F(t), "the entry", whole),
                        step(
                            r
                            * (
                                (r + s) * (F(zero) * F(t))
                                - sign * (r - s) * (power(ratio, t) * E(zero) * F(t))
                            )
                            / F(t),
                            "E_t is a share of F_t",
                            shrunk(t),
                        ),
                        step(here_above, "F_t > 0"),
                    ),
                )
            ),
        ),
        cited(
            tends_to(here_below, there_below, variable=t), "limit_of_polynomial", decay, lam, below
        ),
        cited(
            tends_to(here_above, there_above, variable=t), "limit_of_polynomial", decay, lam, above
        ),
        (
            ne(there_below, 0),
            Suppose(
                Contradiction(
                    lt(0, fast * F(zero)),
                    Linear((eq(there_below, 0),)),
                )
            ),
        ),
        cited(
            shifted,
            "limit_of_quotient",
            forall(t, equation, over=(0, None)),
            tends_to(here_above, there_above, variable=t),
            tends_to(here_below, there_below, variable=t),
        ),
        (
            eq(there_above / there_below, limit),
            chain(
                there_above / there_below,
                step(r * (r + s) * F(zero) / (fast * F(zero)), "times 0"),
                step(limit, "F_0 and r + s cancel"),
            ),
        ),
        cited(written, "limit_written", shifted, limit),
        cited(
            tends_to(now, limit, variable=t), "limit_of_tail", tends_to(now, limit, variable=t), 1
        ),
    )


def off_diagonal(sign: int) -> tuple[Line, ...]:
    """The limit of the other entry of a column."""
    beside = tends_to(
        top[t] * a * left[t] if sign > 0 else bottom[t] * d * right[t], limit, variable=t
    )
    now = bottom[t] * c * left[t] if sign > 0 else top[t] * b * right[t]
    entry = put(now, t, t + 1)
    neighbour = put(beside.body, t, t + 1)
    later = tends_to(neighbour, limit, variable=t)
    left_over = tends_to(1 - neighbour, 1 - limit, variable=t)
    rest = eq(entry, 1 - neighbour)
    column = sums(t)[2 if sign > 0 else 3]
    value = neighbour + entry
    return (
        cited(later, "limit_of_subsequence", beside, 1, 1),
        cited(left_over, "limit_of_polynomial", later, lam, 1 - lam),
        (
            forall(t, rest, over=(0, None)),
            Each(
                lines(
                    cited(iteration_body, "instantiate_range", iteration, t),
                    last=chain(
                        entry,
                        step(value - neighbour, "add and take away"),
                        step(1 - neighbour, "the column sums to 1", column),
                    ),
                )
            ),
        ),
        cited(
            tends_to(entry, 1 - limit, variable=t),
            "limit_of_equal",
            forall(t, rest, over=(0, None)),
            left_over,
        ),
        cited(
            tends_to(now, 1 - limit, variable=t),
            "limit_of_tail",
            tends_to(now, 1 - limit, variable=t),
            1,
        ),
    )


def _positive(*factors: ex.Expression) -> Line:
    return cited(lt(0, factors[0] * factors[1]), "positive_product", *factors)


def _limits(on: Fraction | ex.Expression, off: Fraction | ex.Expression) -> pr.Proposition:
    """The statement for other limits on the diagonal and off it."""
    values = (on, off, off, on)
    parts = zip(two_by_two.then.propositions, values, strict=True)
    return both(*(tends_to(part.expressions[0], value, variable=t) for part, value in parts))


p_square, q_square = limit**2, (1 - limit) ** 2
TWO_BY_TWO_LIMIT = Entry(
    two_by_two,
    (Kind.DERIVATION,),
    derivation=lines(
        _positive(a, d),
        _positive(b, c),
        (le(0, a * d), Linear((lt(0, a * d),))),
        (le(0, b * c), Linear((lt(0, b * c),))),
        (
            forall(q, shrunk(q), over=(0, None)),
            Each(
                Induction(
                    q,
                    0,
                    base=chain(
                        E(zero) * F(zero),
                        step(power(ratio, 0) * E(zero) * F(zero), "ratio⁰ = 1"),
                    ),
                    step=lines(
                        cited(round_of(q), "instantiate_range", iteration, q),
                        cited(
                            shrunk(q),
                            "modus_ponens",
                            pr.Implies(pr.And((le(0, q),)), shrunk(q)),
                        ),
                        (E_grows, grown(-1)),
                        (F_grows, grown(1)),
                        last=chain(
                            E(q + 1) * F(zero),
                            step(slow * scale * (E(q) * F(zero)), "one round on E", E_grows),
                            step(
                                slow * scale * (power(ratio, q) * E(zero) * F(q)),
                                "the case before",
                                shrunk(q),
                            ),
                            step(
                                ratio * power(ratio, q) * E(zero) * (fast * scale * F(q)),
                                "ratio = (r − s)²/(r + s)²",
                            ),
                            step(
                                ratio * power(ratio, q) * E(zero) * F(q + 1),
                                "one round on F",
                                F_grows,
                            ),
                            step(
                                power(ratio, q + 1) * E(zero) * F(q + 1),
                                "one factor more",
                                instance("power_successor", ratio, q),
                            ),
                        ),
                    ),
                )
            ),
        ),
        (
            lt(-1, ratio),
            AtMost(
                chain(
                    ratio - (-1),
                    step((2 * r**2 + 2 * s**2) / fast, "the squares add up"),
                )
            ),
        ),
        (lt(ratio, 1), AtMost(chain(1 - ratio, step(4 * (r * s) / fast, "the squares differ")))),
        cited(tends_to(power(ratio, t), 0, variable=t), "geometric_limit", ratio, t),
        (le(0, 0), Linear(())),
        cited(round_of(zero), "instantiate_range", iteration, 0),
        (
            lt(0, fast * F(zero)),
            AtMost(chain(fast * F(zero) - 0, step(fast * F(zero), "minus 0"))),
        ),
        *on_diagonal(1),
        *on_diagonal(-1),
        *off_diagonal(1),
        *off_diagonal(-1),
        last=Parts((Known(), Known(), Known(), Known())),
    ),
    # no finite number of terms decides a limit, so that exact numbers cannot refute these
    mutants=(
        Mutant("p and 1 − p exchanged", restate(two_by_two, then=_limits(1 - limit, limit))),
        Mutant("every entry ½", restate(two_by_two, then=_limits(half, half))),
        Mutant("the squares of p and 1 − p", restate(two_by_two, then=_limits(p_square, q_square))),
        Mutant("2 p on the diagonal", restate(two_by_two, then=_limits(2 * limit, 1 - limit))),
    ),
)

ENTRIES = (TWO_BY_TWO_LIMIT,)
