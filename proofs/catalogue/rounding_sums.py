"""Lines of proof for rounding errors: magnitudes of sums and products, and sums in any order.

at_least_zero(a)          == 0 ≤ |a|
product_within(a, A, b, B) == |a b| ≤ A B, from |a| ≤ A and |b| ≤ B
sum_within(terms)         == |t₁ + … + tₙ| ≤ |t₁| + … + |tₙ|
growth(factors, r)        == |(1 + δ₁)⋯(1 + δₙ) − 1| ≤ (1 + r)ⁿ − 1
sum_in_any_order(of)      == what is known of the last result: count, magnitude, error
result_of(of)             == |computed − exact| ≤ d·r·Σ|term|, and |exact| ≤ Σ|term|
negated(a)                == |−a| ≤ |a|, from MINUS_ONE

**The node.** Let a, b be results over p and q terms with magnitudes S and T. Their errors are at
most p·r·S and q·r·T; the rounding e of a + b must fit into the rest of (p + q)·r·(S + T), which is
q·r·S + p·r·T. If (1 + q·r)·T ≤ q·r·S it does, since |e| ≤ |b|; likewise with the roles exchanged.
Otherwise it does since (1 + r)|e| ≤ r|a + b|. (The idea is Jeannerod and Rump's.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...symbolic.binding import put
from ...symbolic.derivations import (
    AtMost,
    Cases,
    Cited,
    Derivation,
    Each,
    Known,
    Line,
    Linear,
    Obtain,
    Parts,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.expressions import Expression, absolute, as_expression, index
from ...symbolic.propositions import (
    ExistsRange,
    ForRange,
    Proposition,
    both,
    either,
    eq,
    forall,
    le,
    lt,
)
from ...symbolic.rules import Instance, instance
from ...symbolic.summation import COMPUTED, COUNT, EXACT_SUM, MAGNITUDE, RoundedSum
from .iterative import by_induction, of_index

place, u = index("q u")


# ---------------------------------------------------------------- magnitudes


def at_least_zero(value: Expression) -> Line:
    """0 ≤ |value|."""
    size = absolute(value)
    return le(0, size), Cited(instance("absolute_nonnegative", value))


def in_order(factor: Expression, low: Expression, high: Expression) -> Line:
    """factor·low ≤ factor·high as 0 ≤ factor·(high − low), from 0 ≤ factor and low ≤ high."""
    rule = instance("nonnegative_product", factor, high - low)
    return ordered(factor, low, high), lines(
        (le(0, high - low), Linear((le(low, high),))), last=Cited(rule)
    )


def ordered(factor: Expression, low: Expression, high: Expression) -> Proposition:
    """What `in_order` proves."""
    return le(0, factor * (high - low))


def product_within(a: Expression, A: Expression, b: Expression, B: Expression) -> Line:
    """|a b| ≤ A B, from |a| ≤ A, |b| ≤ B, which are known."""
    first, second = absolute(a), absolute(b)
    return le(absolute(a * b), A * B), lines(
        at_least_zero(a),
        at_least_zero(b),
        (le(0, A), Linear((le(0, first), le(first, A)))),
        in_order(A, second, B),
        in_order(second, first, A),
        last=Linear(
            (
                instance("absolute_product", a, b),
                ordered(A, second, B),
                ordered(second, first, A),
            )
        ),
    )


def within_itself(value: Expression) -> Line:
    """|value| ≤ |value|."""
    return le(absolute(value), absolute(value)), Linear(())


def sum_within(*terms: Expression) -> Line:
    """|t₁ + … + tₙ| ≤ |t₁| + … + |tₙ|, added from the left."""
    rules: list[Instance] = []
    together, sizes = terms[0], absolute(terms[0])
    for term in terms[1:]:
        rules.append(instance("absolute_triangle", together, term))
        together, sizes = together + term, sizes + absolute(term)
    return le(absolute(together), sizes), Linear(tuple(rules))


def growth(deltas: Sequence[Expression], r: Expression) -> tuple[Line, Expression]:
    """|(1 + δ₁)⋯(1 + δₙ) − 1| ≤ (1 + r)ⁿ − 1 from |δ| ≤ r, and that product."""
    product, most = 1 + deltas[0], r
    found: list[Line] = [(le(absolute(product - 1), most), Linear((le(absolute(deltas[0]), r),)))]
    for delta in deltas[1:]:
        change = product - 1
        product, longest = product * (1 + delta), most + most * r + r
        parts = change, change * delta, delta
        together = parts[0] + parts[1] + parts[2]
        sizes = absolute(parts[0]) + absolute(parts[1]) + absolute(parts[2])
        known = (
            le(absolute(together), sizes),
            le(absolute(change), most),
            le(absolute(change * delta), most * r),
            le(absolute(delta), r),
        )
        proof = lines(
            product_within(change, most, delta, r),
            sum_within(*parts),
            last=Linear(known),
        )
        found.append((le(absolute(product - 1), longest), proof))
        most = longest
    whole = (1 + r) ** len(deltas) - 1
    last = Linear((le(absolute(product - 1), most),))
    return (le(absolute(product - 1), whole), lines(*found, last=last)), product


minus_one = as_expression(-1)
ONE_ITSELF, MINUS_ONE = eq(absolute(as_expression(1)), 1), eq(absolute(minus_one), 1)


def negated(value: Expression) -> tuple[Line, ...]:
    """|−value| ≤ |value|."""
    same = eq(absolute(-value), absolute(value))
    product = absolute(minus_one) * absolute(value)
    return (
        (
            same,
            chain(
                absolute(-value),
                step(
                    product,
                    "the magnitude of a product",
                    instance("absolute_product", minus_one, value),
                ),
                step(absolute(value), "|−1| = 1", MINUS_ONE),
            ),
        ),
        (le(absolute(-value), absolute(value)), Linear((same,))),
    )


# ---------------------------------------------------------------- sums in any order


def result(at: Expression, r: Expression) -> Proposition:
    """What is known of a result: its count, its magnitude, its error."""
    s, S, p = EXACT_SUM[at], MAGNITUDE[at], COUNT[at]
    return both(
        le(1, p),
        le(absolute(s), S),
        le(absolute(COMPUTED[at] - s), p * r * S),
    )


def sum_in_any_order(of: RoundedSum) -> tuple[Line, ...]:
    """The lines to `result` of the last place, from 0 < r and the hypothesis `rounded_sum(of)`."""
    d, r = of.count, of.r

    def up_to(count: Expression) -> ForRange:
        return forall(u, result(u, r), over=(1, d + count))

    every = by_induction(
        place, up_to, last=d - 1, base=Each(_leaf(of)), step=Each(_next(of, up_to(place)))
    )
    return (
        cited(le(1, d), "size_at_least_one", d.size),
        (le(0, r), Linear((lt(0, r),))),
        every,
        *of_index(every[0], d - 1, (le(0, d - 1), le(1, d)), (le(d - 1, d - 1),)),
        *of_index(up_to(d - 1), of.last, (le(1, of.last), le(1, d)), (le(of.last, d + (d - 1)),)),
    )


def error_of(of: RoundedSum) -> Expression:
    """The most that a sum in any order is off by."""
    return of.count * of.r * of.size


def result_of(of: RoundedSum) -> tuple[Line, ...]:
    """|exact| ≤ Σ|term|, and |computed − exact| ≤ d·r·Σ|term|, of a whole sum."""
    computed, exact, sized, counted = (s[of.last] for s in (COMPUTED, EXACT_SUM, MAGNITUDE, COUNT))
    sums, sizes, counts = eq(exact, of.exact), eq(sized, of.size), eq(counted, of.count)
    same = eq(absolute(exact), absolute(of.exact))
    off_same = eq(absolute(computed - exact), absolute(computed - of.exact))
    bound = counted * of.r * sized
    found = both(le(absolute(of.exact), of.size), le(absolute(computed - of.exact), error_of(of)))
    proof = lines(
        *sum_in_any_order(of),
        (same, chain(absolute(exact), step(absolute(of.exact), "the sum of all", sums))),
        (
            off_same,
            chain(
                absolute(computed - exact),
                step(absolute(computed - of.exact), "the sum of all", sums),
            ),
        ),
        (eq(bound, error_of(of)), chain(bound, step(error_of(of), "all terms", counts, sizes))),
        last=Parts(
            (
                Linear((same, sizes, le(absolute(exact), sized))),
                Linear((off_same, eq(bound, error_of(of)), le(absolute(computed - exact), bound))),
            )
        ),
    )
    return (
        cited(le(1, of.count), "size_at_least_one", of.count.size),
        (le(0, of.r), Linear((lt(0, of.r),))),
        (found, proof),
    )


def _leaf(of: RoundedSum) -> Derivation:
    """A rounded term, which is over one term."""
    d, r, s, S, p = of.count, of.r, EXACT_SUM[u], MAGNITUDE[u], COUNT[u]
    is_term, is_size, is_one = eq(s, of.term(u)), eq(S, of.magnitude(u)), eq(p, 1)
    same, scaled = eq(absolute(s), absolute(of.term(u))), eq(p * r * S, r * S)
    return lines(
        (le(u, d), Linear((le(u, d + 0),))),
        *of_index(of.leaves, u),
        (same, chain(absolute(s), step(absolute(of.term(u)), "the term", is_term))),
        (
            le(absolute(s), S),
            Linear((same, is_size, instance("absolute_product", of.left(u), of.right(u)))),
        ),
        in_order(r, absolute(s), S),
        (scaled, chain(p * r * S, step(r * S, "one term", is_one))),
        (
            le(absolute(COMPUTED[u] - s), p * r * S),
            Linear(
                (
                    le(absolute(COMPUTED[u] - s), r * absolute(s)),
                    ordered(r, absolute(s), S),
                    scaled,
                )
            ),
        ),
        last=Parts((Linear((is_one,)), Known(), Known())),
    )


def _next(of: RoundedSum, before: ForRange) -> Derivation:
    """One place more: an earlier one, or a node over two earlier ones."""
    d = of.count
    earlier, here = le(u, d + place), eq(u, d + place + 1)
    nodes = put(of.nodes.body, of.nodes.index, u)
    assert isinstance(nodes, ExistsRange)
    assert isinstance(nodes.body, ExistsRange)
    a, b = nodes.index, nodes.body.index
    node = lines(
        (le(d + 1, u), Linear((here, le(0, place)))),
        (le(u, of.last), Linear((here, le(place + 1, d - 1)))),
        *of_index(of.nodes, u),
        last=Obtain(
            nodes,
            Obtain(
                nodes.body,
                lines(
                    (le(a, d + place), Linear((le(a, u - 1), here))),
                    (le(b, d + place), Linear((le(b, u - 1), here))),
                    *of_index(before, a),
                    *of_index(before, b),
                    last=_node(a, b, of.r),
                ),
            ),
        ),
    )
    return lines(
        cited(either(earlier, here), "integer_step", u, d + place),
        last=Cases(either(earlier, here), (lines(*of_index(before, u), last=Known()), node)),
    )


@dataclass(frozen=True)
class _Part:
    """An earlier result: what was computed, the exact sum, the magnitude, the count."""

    c: Expression
    s: Expression
    S: Expression
    p: Expression

    def most(self, r: Expression) -> Expression:
        """The most that |c| can be."""
        return (1 + self.p * r) * self.S


def _node(a: Expression, b: Expression, r: Expression) -> Derivation:
    """`result` of the place u, of which a and b are the parts."""
    one, two, whole = (_Part(COMPUTED[t], EXACT_SUM[t], MAGNITUDE[t], COUNT[t]) for t in (a, b, u))
    e = whole.c - (one.c + two.c)
    counts, sums = eq(whole.p, one.p + two.p), eq(whole.s, one.s + two.s)
    sizes = eq(whole.S, one.S + two.S)
    errors = e, one.c - one.s, two.c - two.s
    together = errors[0] + errors[1] + errors[2]
    added = absolute(errors[0]) + absolute(errors[1]) + absolute(errors[2])
    room = two.p * r * one.S + one.p * r * two.S
    all_of_it = (one.p + two.p) * r * (one.S + two.S)
    split = eq(absolute(whole.c - whole.s), absolute(together))
    sum_split = eq(absolute(whole.s), absolute(one.s + two.s))
    product = eq(whole.p * r * whole.S, all_of_it)
    return lines(
        *(line for part in (one, two) for line in _about(part, r)),
        at_least_zero(e),
        (le(absolute(e), room), _room(e, one, two, r)),
        (split, chain(absolute(whole.c - whole.s), step(absolute(together), "e apart", sums))),
        (sum_split, chain(absolute(whole.s), step(absolute(one.s + two.s), "the sum", sums))),
        (
            product,
            chain(whole.p * r * whole.S, step(all_of_it, "counts and sizes add", counts, sizes)),
        ),
        sum_within(*errors),
        last=Parts(
            (
                Linear((counts, le(1, one.p), le(1, two.p))),
                Linear(
                    (
                        sum_split,
                        sizes,
                        instance("absolute_triangle", one.s, two.s),
                        le(absolute(one.s), one.S),
                        le(absolute(two.s), two.S),
                    )
                ),
                Linear(
                    (
                        split,
                        product,
                        le(absolute(together), added),
                        le(absolute(e), room),
                        le(absolute(one.c - one.s), one.p * r * one.S),
                        le(absolute(two.c - two.s), two.p * r * two.S),
                    )
                ),
            )
        ),
    )


def _about(part: _Part, r: Expression) -> tuple[Line, ...]:
    """Signs, and |c| ≤ (1 + p·r)·S."""
    error = le(absolute(part.c - part.s), part.p * r * part.S)
    return (
        at_least_zero(part.s),
        (le(0, part.S), Linear((le(0, absolute(part.s)), le(absolute(part.s), part.S)))),
        (le(0, part.p), Linear((le(1, part.p),))),
        (lt(0, part.p), Linear((le(1, part.p),))),
        cited(le(0, r * part.S), "nonnegative_product", r, part.S),
        (
            le(absolute(part.c), part.most(r)),
            Linear(
                (
                    instance("absolute_triangle", part.s, part.c - part.s),
                    le(absolute(part.s), part.S),
                    error,
                )
            ),
        ),
    )


def _room(e: Expression, one: _Part, two: _Part, r: Expression) -> Derivation:
    """|e| ≤ q·r·S + p·r·T."""
    small_two, small_one = (
        le(y.most(r), _room_beside(x, y, r)) for x, y in ((one, two), (two, one))
    )
    large_two, large_one = (
        lt(_room_beside(x, y, r), y.most(r)) for x, y in ((one, two), (two, one))
    )

    def by_part(part: _Part, other: _Part, small: Proposition) -> Derivation:
        return lines(
            cited(le(0, other.p * (r * part.S)), "nonnegative_product", other.p, r * part.S),
            last=Linear(
                (
                    le(absolute(e), absolute(part.c)),
                    le(absolute(part.c), part.most(r)),
                    small,
                    le(0, other.p * (r * part.S)),
                )
            ),
        )

    return lines(
        cited(either(small_two, large_two), "dichotomy", small_two),
        cited(either(small_one, large_one), "dichotomy", small_one),
        last=Cases(
            either(small_two, large_two),
            (
                by_part(two, one, small_two),
                Cases(
                    either(small_one, large_one),
                    (by_part(one, two, small_one), _by_spacing(e, one, two, r)),
                ),
            ),
        ),
    )


def _room_beside(other: _Part, part: _Part, r: Expression) -> Expression:
    """What the magnitude of the other part leaves for the rounding: q·r·S for the part T, q."""
    return part.p * r * other.S


def _by_spacing(e: Expression, one: _Part, two: _Part, r: Expression) -> Derivation:
    """|e| ≤ q·r·S + p·r·T, from (1 + r)|e| ≤ r|a + b|, where neither part is small."""
    swapped = two.p * one.S + one.p * two.S
    gap = (1 + r) * swapped - one.most(r) - two.most(r)
    scaled = le((1 + r) * absolute(e), (1 + r) * (r * swapped))
    sum_size = absolute(one.c) + absolute(two.c)
    return lines(
        (le(0, gap), _gap(gap, one, two, r)),
        cited(le(0, r * gap), "nonnegative_product", r, gap),
        (
            le(absolute(one.c + two.c), sum_size),
            Linear((instance("absolute_triangle", one.c, two.c),)),
        ),
        in_order(r, absolute(one.c + two.c), sum_size),
        in_order(r, absolute(one.c), one.most(r)),
        in_order(r, absolute(two.c), two.most(r)),
        (
            scaled,
            Linear(
                (
                    le((1 + r) * absolute(e), r * absolute(one.c + two.c)),
                    ordered(r, absolute(one.c + two.c), sum_size),
                    ordered(r, absolute(one.c), one.most(r)),
                    ordered(r, absolute(two.c), two.most(r)),
                    le(0, r * gap),
                )
            ),
        ),
        last=AtMost(
            chain(
                two.p * r * one.S + one.p * r * two.S - absolute(e),
                step(
                    ((1 + r) * (r * swapped) - (1 + r) * absolute(e)) / (1 + r),
                    "over and by 1 + r",
                ),
            )
        ),
    )


def _gap(gap: Expression, one: _Part, two: _Part, r: Expression) -> Derivation:
    """0 ≤ (1 + r)(q·S + p·T) − (1 + p·r)S − (1 + q·r)T, where neither part is small."""
    zero = as_expression(0)

    def excess(part: _Part, other: _Part) -> Expression:
        return 1 + part.p * r - other.p * (1 + r)

    def positive(part: _Part, other: _Part) -> Derivation:
        """The part's coefficient is positive: its magnitude is bounded by the other's."""
        left = excess(part, other) * (other.most(r) - _room_beside(part, other, r))
        right = (other.p - 1) * (1 + one.p * r + two.p * r) * other.S
        return AtMost(chain(gap - 0, step((left + right) / (other.p * r), "over and by q·r")))

    first, second = excess(one, two), excess(two, one)
    cases = [either(le(part, 0), lt(0, part)) for part in (first, second)]
    return lines(
        cited(cases[0], "dichotomy", le(first, 0)),
        cited(cases[1], "dichotomy", le(second, 0)),
        last=Cases(
            cases[0],
            (
                Cases(
                    cases[1],
                    (
                        lines(
                            in_order(one.S, first, zero),
                            in_order(two.S, second, zero),
                            last=Linear(
                                (ordered(one.S, first, zero), ordered(two.S, second, zero))
                            ),
                        ),
                        positive(two, one),
                    ),
                ),
                positive(one, two),
            ),
        ),
    )
