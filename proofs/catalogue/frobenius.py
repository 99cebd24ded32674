"""Lines of proof on Frobenius norms and on products of bounds.

known(fact, …)              == what follows from facts by linear arithmetic
letter(symbol, value)       == a new symbol for a value, from then on
at_least_zero_norm(M)       == 0 ≤ ‖M‖
times(a, A, b, B)           == a b ≤ A B, from 0 ≤ a ≤ A and 0 ≤ b ≤ B
norm_of_product(X, A, Y, B) == ‖X Y‖ ≤ A B, from ‖X‖ ≤ A and ‖Y‖ ≤ B
norm_of_multiple(c, C, X, A) == ‖c X‖ ≤ C A, from |c| ≤ C and ‖X‖ ≤ A
norm_of_sum((X, A), …)      == ‖X + …‖ ≤ A + …
same_norm(X, Y, …)          == ‖X‖ = ‖Y‖ from X = Y
norm_of_identity(n)         == ‖I‖ ≤ n
defect_of(Q, R, A, Δ, B)    == ‖QᵀQ − I‖ ≤ ‖R + Rᵀ + RᵀR‖ + 2B + 2AB + B², from Q = I + R + Δ
root_order(a, b)            == a ≤ b, from a² ≤ b² and 0 ≤ b
least(z), most(z)           == −|z| ≤ z and z ≤ |z|
within(z, c)                == |z| ≤ c, from −c ≤ z and z ≤ c
inner_product(p, x, y, …)   == |p − xᵀy| ≤ m ‖x‖ ‖y‖, of an inner product summed in any order
"""

from __future__ import annotations

from collections.abc import Sequence

from ...symbolic.derivations import (
    AtMost,
    Cases,
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
from ...symbolic.expressions import (
    Expression,
    MatrixSymbol,
    ScalarSymbol,
    Size,
    absolute,
    entry,
    eye,
    matrix_shape,
    size,
    tr,
)
from ...symbolic.frobenius import entries_within_product, frobenius
from ...symbolic.propositions import Or, Proposition, eq, exists, le, lt
from ...symbolic.rules import Instance, instance
from .rounding_sums import at_least_zero, in_order, ordered


def known(*facts: Proposition | Instance) -> Linear:
    """A linear consequence."""
    return Linear(facts)


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


def _by_sign(goal: Proposition, value: Expression, *known: Proposition) -> Line:
    """What follows linearly both from |z| = z ≥ 0 and from |z| = −z ≥ 0."""
    either_sign = instance("absolute_value", value).expand()[1]
    assert isinstance(either_sign, Or)
    return goal, lines(
        cited(either_sign, "absolute_value", value),
        last=Cases(either_sign, tuple(Linear((sign, *known)) for sign in either_sign.parts)),
    )


def least(value: Expression) -> Line:
    """−|z| ≤ z."""
    return _by_sign(le(-absolute(value), value), value)


def most(value: Expression) -> Line:
    """z ≤ |z|."""
    return _by_sign(le(value, absolute(value)), value)


def within(value: Expression, bound: Expression) -> Line:
    """|z| ≤ c, from −c ≤ z and z ≤ c, which are known."""
    goal = le(absolute(value), bound)
    return _by_sign(goal, value, le(-bound, value), le(value, bound))


def inner_product(
    product: Expression,
    x: Expression,
    y: Expression,
    r: Expression,
    m: Expression,
    *m_is: Proposition,
) -> Line:
    """|p − xᵀy| ≤ m ‖x‖ ‖y‖ for the 1×1 matrix p = fl(xᵀy), m the length of x times r."""
    off, factor = product - x.T @ y, size(matrix_shape(x)[0]) * r
    apart = entry(product) - entry(x.T @ y)
    norms = factor * (frobenius(x.T) * frobenius(y))
    bound = m * (frobenius(x) * frobenius(y))
    same = eq(absolute(entry(off)), absolute(apart))
    return le(absolute(apart), bound), lines(
        cited(
            entries_within_product(off, factor, x.T, y),
            "product_in_any_order",
            product,
            x.T,
            y,
            r,
        ),
        (le(0, factor), AtMost(chain(factor - 0, step(factor, "as it is")))),
        (same, chain(absolute(entry(off)), step(absolute(apart), "entry by entry"))),
        (
            eq(norms, bound),
            chain(
                norms,
                step(bound, "‖xᵀ‖ = ‖x‖", *m_is),
            ),
        ),
        last=Linear(
            (
                same,
                instance("entry_is_norm", off),
                instance("smaller_entries_of_product", off, factor, x.T, y),
                eq(norms, bound),
            )
        ),
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


def norm_of_identity(n: Size) -> tuple[Line, ...]:
    """‖I‖ ≤ n."""
    identity, count = eye(n), size(n)
    return (
        cited(le(1, count), "size_at_least_one", n),
        at_least_zero_norm(identity),
        (
            eq(tr(identity.T @ identity), count),
            chain(tr(identity.T @ identity), step(count, "the trace of I")),
        ),
        (le(0, count - 1), Linear((le(1, count),))),
        (le(0, count), Linear((le(1, count),))),
        cited(le(0, count * (count - 1)), "nonnegative_product", count, count - 1),
        (
            le(frobenius(identity) ** 2, count**2),
            Linear(
                (
                    instance("frobenius_squared", identity),
                    eq(tr(identity.T @ identity), count),
                    le(0, count * (count - 1)),
                )
            ),
        ),
        root_order(frobenius(identity), count),
    )


def defect_bound(
    Q: Expression, R: Expression, A: Expression, Delta: Expression, B: Expression
) -> Proposition:
    """What `defect_of` proves."""
    ideal, defect = R + R.T + R.T @ R, Q.T @ Q - eye(matrix_shape(Q)[0])
    return le(frobenius(defect), frobenius(ideal) + B + B + A * B + B * A + B * B)


def defect_of(
    Q: Expression, R: Expression, A: Expression, Delta: Expression, B: Expression
) -> tuple[Line, ...]:
    """From Q = I + R + Δ, ‖R‖ ≤ A and ‖Δ‖ ≤ B, which are known."""
    identity = eye(matrix_shape(Q)[0])
    ideal, defect = R + R.T + R.T @ R, Q.T @ Q - identity
    parts = (
        (ideal, frobenius(ideal)),
        (Delta, B),
        (Delta.T, B),
        (R.T @ Delta, A * B),
        (Delta.T @ R, B * A),
        (Delta.T @ Delta, B * B),
    )
    apart, whole = total_of([part for part, _ in parts]), eq(Q, identity + R + Delta)
    return (
        (eq(defect, apart), chain(defect, step(apart, "multiplied out", whole))),
        same_norm(defect, apart, eq(defect, apart)),
        *(
            (
                le(frobenius(matrix.T), bound),
                Linear((instance("frobenius_transpose", matrix), le(frobenius(matrix), bound))),
            )
            for matrix, bound in ((R, A), (Delta, B))
        ),
        norm_of_product(R.T, A, Delta, B),
        norm_of_product(Delta.T, B, R, A),
        norm_of_product(Delta.T, B, Delta, B),
        (le(frobenius(ideal), frobenius(ideal)), Linear(())),
        norm_of_sum(*parts),
        (
            defect_bound(Q, R, A, Delta, B),
            Linear(
                (
                    eq(frobenius(defect), frobenius(apart)),
                    le(frobenius(apart), total_of([bound for _, bound in parts])),
                )
            ),
        ),
    )
