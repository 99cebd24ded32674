"""Sums in floating-point arithmetic, in any order: the hypotheses, and sums that meet them.

RoundedSum           == the terms, and the sequences that describe how they are summed
rounded_sum(…)       == the hypothesis that a sum was computed so
rounded_product(…)   == the hypothesis that each entry of a product of matrices was
summed(…)            == sequences that meet the first, in an order of one's choice
multiplied(…)        == a matrix that meets the second

A sum of d terms in any order is a binary tree: its d leaves are the rounded terms, its d − 1 nodes
add two earlier results and round. Each result carries the exact sum, the sum of the magnitudes and
the number of the terms below it, so that the last one is the sum of all of them.

**Rounding.** A term is rounded with a relative error of at most r. The error e of a sum of two
numbers a, b of the format is at most |a| and |b|, since these are numbers of the format and nearer
ones are chosen, and at most r/(1 + r)·|a + b|, half the spacing over the least number so spaced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import expressions as ex
from . import propositions as pr
from .binding import fresh
from .evaluation import Algebra, Assignment, evaluate, integer

NOTATION = "rounded sum"
PRODUCT = "rounded product"
COMPUTED = ex.sequence("c")
EXACT_SUM = ex.sequence("s")
MAGNITUDE = ex.sequence("S")
COUNT = ex.sequence("p")


@dataclass(frozen=True)
class RoundedSum:
    """The inner product of `left` and `right`, computed in some order with roundoff r.

    Its factors are given by their index t = 1, …, count; `exact` is what the exact inner product
    is called in the statement, `size` that of the magnitudes.
    """

    left: Callable[[ex.Expression], ex.Expression]
    right: Callable[[ex.Expression], ex.Expression]
    exact: ex.Expression
    size: ex.Expression
    count: ex.SizeOf
    r: ex.Expression

    def term(self, t: ex.Expression) -> ex.Expression:
        """A product."""
        return self.left(t) * self.right(t)

    def magnitude(self, t: ex.Expression) -> ex.Expression:
        """Its magnitude."""
        return ex.absolute(self.left(t)) * ex.absolute(self.right(t))

    @property
    def last(self) -> ex.Expression:
        """The place of the result: d leaves and d − 1 nodes."""
        return 2 * self.count - 1

    @property
    def result(self) -> ex.Expression:
        """The computed sum."""
        return COMPUTED[self.last]

    @property
    def indices(self) -> tuple[ex.IndexSymbol, ...]:
        """A place and two earlier ones, named as nothing in the sum is."""
        used = (self.term(ex.as_expression(1)), self.exact, self.size, self.r)
        return tuple(fresh(place, used) for place in ex.index("t a b"))

    @property
    def leaves(self) -> pr.ForRange:
        """The terms, rounded."""
        t, *_ = self.indices
        return pr.forall(t, self.leaf(t), over=(1, self.count))

    def leaf(self, t: ex.Expression) -> pr.Proposition:
        """The rounded term at a place."""
        error = ex.absolute(COMPUTED[t] - EXACT_SUM[t])
        return pr.both(
            pr.eq(COUNT[t], 1),
            pr.eq(EXACT_SUM[t], self.term(t)),
            pr.eq(MAGNITUDE[t], self.magnitude(t)),
            pr.le(error, self.r * ex.absolute(EXACT_SUM[t])),
        )

    @property
    def nodes(self) -> pr.ForRange:
        """The sums of two earlier results, rounded."""
        t, a, b = self.indices
        earlier = (1, t - 1)
        some = pr.exists(b, self.node(t, a, b), over=earlier)
        return pr.forall(t, pr.exists(a, some, over=earlier), over=(self.count + 1, self.last))

    def node(self, t: ex.Expression, a: ex.Expression, b: ex.Expression) -> pr.Proposition:
        """The result at t, of those at a and b."""
        together = COMPUTED[a] + COMPUTED[b]
        error = ex.absolute(COMPUTED[t] - together)
        return pr.both(
            pr.eq(COUNT[t], COUNT[a] + COUNT[b]),
            pr.eq(EXACT_SUM[t], EXACT_SUM[a] + EXACT_SUM[b]),
            pr.eq(MAGNITUDE[t], MAGNITUDE[a] + MAGNITUDE[b]),
            pr.le(error, ex.absolute(COMPUTED[a])),
            pr.le(error, ex.absolute(COMPUTED[b])),
            pr.le((1 + self.r) * error, self.r * ex.absolute(together)),
        )

    @property
    def root(self) -> pr.Proposition:
        """The last result is the sum of all terms, each taken once."""
        return pr.both(
            pr.eq(COUNT[self.last], self.count),
            pr.eq(EXACT_SUM[self.last], self.exact),
            pr.eq(MAGNITUDE[self.last], self.size),
        )


def rounded_sum(of: RoundedSum) -> pr.Defined:
    """The hypothesis that `of` was computed: leaves, nodes and what the last one sums."""
    t, *_ = of.indices
    places = (of.count, of.r, of.term(t), of.magnitude(t))
    return pr.Defined(NOTATION, places, pr.both(of.leaves, of.nodes, of.root))


def entry_of_product(
    left: ex.Expression,
    right: ex.Expression,
    row: ex.Expression,
    column: ex.Expression,
    r: ex.Expression,
) -> RoundedSum:
    """An entry of left·right as a sum."""
    inner = ex.matrix_shape(left)[1]
    h = fresh(ex.index("h"), left, right, row, column)

    def of_left(t: ex.Expression) -> ex.Expression:
        return ex.element(left, row, t)

    def of_right(t: ex.Expression) -> ex.Expression:
        return ex.element(right, t, column)

    magnitudes = ex.total(h, 1, ex.size(inner), ex.absolute(of_left(h)) * ex.absolute(of_right(h)))
    exact = ex.element(left @ right, row, column)
    return RoundedSum(of_left, of_right, exact, magnitudes, ex.size(inner), r)


def rounded_product(
    matrix: ex.Expression, left: ex.Expression, right: ex.Expression, r: ex.Expression
) -> pr.Defined:
    """The hypothesis that each entry of `matrix` is that of left·right, summed in some order."""
    if matrix.shape != (left @ right).shape:
        raise ex.ShapeError(
            f"rounded_product needs the shape {(left @ right).shape}, got {matrix.shape}"
        )
    i, j = (fresh(ex.index(name), matrix, left, right, r) for name in "ij")
    of = entry_of_product(left, right, i, j, r)
    body: pr.Proposition = pr.both(rounded_sum(of), pr.eq(ex.element(matrix, i, j), of.result))
    for sequence in (COUNT, MAGNITUDE, EXACT_SUM, COMPUTED):
        body = pr.exists(sequence, body)
    rows, columns = ex.matrix_shape(matrix)
    of_row = pr.forall(j, body, over=(1, ex.size(columns)))
    every = pr.forall(i, of_row, over=(1, ex.size(rows)))
    return pr.Defined(PRODUCT, (matrix, left, right, r), every)


def multiplied(
    fact: pr.Defined,
    at: Assignment,
    algebra: Algebra,
    draw: Callable[[], Any],
    choose: int,
) -> Any:
    """A matrix that meets a hypothesis `rounded_product`, built entry by entry as by `summed`."""
    _, left, right, r = fact.places
    (rows, inner), (_, columns) = (
        (at.size(a), at.size(b)) for a, b in map(ex.matrix_shape, (left, right))
    )
    roundoff = evaluate(r, at, algebra)

    def entry(row: int, column: int) -> Any:
        i, j = ex.as_expression(row), ex.as_expression(column)
        terms = [
            (
                evaluate(ex.element(left, i, ex.as_expression(h)), at, algebra)
                * evaluate(ex.element(right, ex.as_expression(h), j), at, algebra)
            )
            for h in range(1, inner + 1)
        ]
        sizes = [algebra.absolute(term) for term in terms]
        return _results(terms, sizes, roundoff, algebra, draw, choose)[0][2 * inner - 1]

    return algebra.matrix(
        [[entry(i, j) for j in range(1, columns + 1)] for i in range(1, rows + 1)]
    )


def summed(
    fact: pr.Defined,
    at: Assignment,
    algebra: Algebra,
    draw: Callable[[], Any],
    choose: int,
) -> Mapping[str, Mapping[int, Any]]:
    """Sequences that meet a hypothesis `rounded_sum`, by name.

    Each rounding takes a share of the largest error that it may have, between −1 and 1, from
    `draw`: all of it where that is ±1. `choose` picks the two results that are added next.
    """
    count, r, term, magnitude = fact.places
    leaves = fact.body.propositions[0]
    assert isinstance(leaves, pr.ForRange)
    d, roundoff = integer(count, at), evaluate(r, at, algebra)
    places = [at.bind(leaves.index.name, t) for t in range(1, d + 1)]
    terms, sizes = (
        [evaluate(part, here, algebra) for here in places] for part in (term, magnitude)
    )
    found = _results(terms, sizes, roundoff, algebra, draw, choose)
    names = (COMPUTED, EXACT_SUM, MAGNITUDE, COUNT)
    return {sequence.name: values for sequence, values in zip(names, found, strict=True)}


def _results(
    terms: Sequence[Any],
    sizes: Sequence[Any],
    roundoff: Any,
    algebra: Algebra,
    draw: Callable[[], Any],
    choose: int,
) -> tuple[dict[int, Any], ...]:
    """What was computed, the exact sum, the magnitude and the count at each place."""
    d, one = len(terms), algebra.number(Fraction(1))

    def share() -> Any:
        u = draw()
        return (u + u) / (one + u * u)

    s: dict[int, Any] = dict(enumerate(terms, 1))
    S: dict[int, Any] = dict(enumerate(sizes, 1))
    p: dict[int, Any] = dict.fromkeys(s, one)
    c: dict[int, Any] = {t: s[t] + share() * roundoff * s[t] for t in s}
    waiting = list(s)
    for t in range(d + 1, 2 * d):
        a = waiting.pop(choose % len(waiting))
        b = waiting.pop(choose // 2 % len(waiting))
        together = c[a] + c[b]
        most = roundoff / (one + roundoff) * algebra.absolute(together)
        for part in (c[a], c[b]):
            most = algebra.least(most, algebra.absolute(part))
        s[t], S[t], p[t] = s[a] + s[b], S[a] + S[b], p[a] + p[b]
        c[t] = together + share() * most
        waiting.append(t)
    return c, s, S, p
