"""Lines of proof on Frobenius norms and on products of bounds.

letter(symbol, value)       == a new symbol for a value, from then on
at_least_zero_norm(M)       == 0 ≤ ‖M‖
times(a, A, b, B)           == a b ≤ A B, from 0 ≤ a ≤ A and 0 ≤ b ≤ B
norm_of_product(X, A, Y, B) == ‖X Y‖ ≤ A B, from ‖X‖ ≤ A and ‖Y‖ ≤ B
norm_of_multiple(c, C, X, A) == ‖c X‖ ≤ C A, from |c| ≤ C and ‖X‖ ≤ A
norm_of_sum((X, A), …)      == ‖X + …‖ ≤ A + …
same_norm(X, Y, …)          == ‖X‖ = ‖Y‖ from X = Y
root_order(a, b)            == a ≤ b, from a² ≤ b² and 0 ≤ b
"""

from __future__ import annotations

from collections.abc import Sequence

from ...symbolic.derivations import (
    Derivation,
    Exhibit,
    Have,
    Line,
    Linear,
    Obtain,
    Suppose,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.expressions import Expression, MatrixSymbol, ScalarSymbol, absolute
from ...symbolic.frobenius import frobenius
from ...symbolic.propositions import Proposition, eq, exists, le, lt
from ...symbolic.rules import Instance, instance
from .rounding_sums import at_least_zero, in_order, ordered


def letter(symbol: ScalarSymbol | MatrixSymbol, value: Expression) -> Line:
    """A new symbol with this value; `eq(symbol, value)` is known below."""
    fact = exists(symbol, eq(symbol, value))

    def before(rest: Derivation) -> Derivation:
        return Have(fact, Exhibit(value, chain(value)), Obtain(fact, rest))

    return before


def at_least_zero_norm(matrix: Expression) -> Line:
    """0 ≤ ‖M‖."""
    return le(0, frobenius(matrix)), Linear((instance("frobenius_squared", matrix),))


def times(a: Expression, A: Expression, b: Expression, B: Expression) -> Line:
    """a b ≤ A B, from 0 ≤ a, a ≤ A, 0 ≤ b, b ≤ B, which are known."""
    return le(a * b, A * B), lines(
        (le(0, A), Linear((le(0, a), le(a, A)))),
        in_order(b, a, A),
        in_order(A, b, B),
        last=Linear((ordered(b, a, A), ordered(A, b, B))),
    )


def norm_of_product(X: Expression, A: Expression, Y: Expression, B: Expression) -> Line:
    """‖X Y‖ ≤ A B, from ‖X‖ ≤ A and ‖Y‖ ≤ B, which are known."""
    return le(frobenius(X @ Y), A * B), lines(
        at_least_zero_norm(X),
        at_least_zero_norm(Y),
        times(frobenius(X), A, frobenius(Y), B),
        last=Linear((instance("frobenius_product", X, Y), le(frobenius(X) * frobenius(Y), A * B))),
    )


def norm_of_multiple(c: Expression, C: Expression, X: Expression, A: Expression) -> Line:
    """‖c X‖ ≤ C A, from |c| ≤ C and ‖X‖ ≤ A, which are known."""
    return le(frobenius(c * X), C * A), lines(
        at_least_zero(c),
        at_least_zero_norm(X),
        times(absolute(c), C, frobenius(X), A),
        last=Linear((instance("frobenius_multiple", c, X), le(absolute(c) * frobenius(X), C * A))),
    )


def total_of(terms: Sequence[Expression]) -> Expression:
    """The sum, added from the left."""
    together = terms[0]
    for term in terms[1:]:
        together = together + term
    return together


def norm_of_sum(*terms: tuple[Expression, Expression]) -> Line:
    """‖X + …‖ ≤ A + …, added from the left, from ‖X‖ ≤ A and so on, which are known."""
    matrices, bounds = ([term[place] for term in terms] for place in (0, 1))
    found: list[Line] = []
    together, most = matrices[0], bounds[0]
    for matrix, bound in terms[1:]:
        known = (le(frobenius(together), most), le(frobenius(matrix), bound))
        triangle: Instance = instance("frobenius_triangle", together, matrix)
        together, most = together + matrix, most + bound
        found.append((le(frobenius(together), most), Linear((triangle, *known))))
    last = found.pop()
    return last[0], lines(*found, last=last[1])  # pyright: ignore[reportIndexIssue, reportArgumentType]


def same_norm(X: Expression, Y: Expression, *using: Proposition) -> Line:
    """‖X‖ = ‖Y‖, where X = Y follows from what is used."""
    return eq(frobenius(X), frobenius(Y)), chain(
        frobenius(X), step(frobenius(Y), "equal matrices", *using)
    )


def root_order(a: Expression, b: Expression) -> Line:
    """a ≤ b, from a² ≤ b² and 0 ≤ b, which are known."""
    sum_of, gap = a + b, a - b
    return le(a, b), Suppose(
        lines(
            (lt(0, gap), Linear((lt(b, a),))),
            (lt(0, sum_of), Linear((lt(b, a), le(0, b)))),
            cited(lt(0, gap * sum_of), "positive_product", gap, sum_of),
            last=Linear((lt(0, gap * sum_of), le(a**2, b**2))),
        )
    )
