"""The family rounding, the rotation with ω² = ½‖W‖² from the computed generator.

ENTRIES == rounding.cayley_frobenius_omega

W is the computed generator, G = uvᵀ − vuᵀ the exact one, E = W − G; t = ½‖W‖², y = 4s⁴/(1 + s²t)².
Two things go wrong.

1. W is skew, but W³ is not −tW. For I + R with R = b₀W² − a₀W, a₀ = 2s/(1 + s²t) and
   b₀ = 2s²/(1 + s²t), R + Rᵀ + RᵀR = y·(W⁴ + tW²). In powers of E the terms of degree 0 and 1
   vanish, as G³ = −ω²G and GEG = −½tr(GᵀE)G, so ‖W⁴ + tW²‖ ≤ 9‖G‖²‖E‖² + 6‖G‖‖E‖³ + 3/2‖E‖⁴. Where
   4‖E‖ ≤ ‖G‖, y‖G‖⁴ is bounded; else ‖W⁴ + tW²‖ ≤ 3/2‖W‖⁴ is enough.
2. Every operation is rounded. All relative errors are at most m = n²r ≤ 1/1024, and the computed
   matrix is I + R + Δ with ‖Δ‖ ≤ 51m.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...symbolic import rounding as statements
from ...symbolic.binding import put
from ...symbolic.claims import Claim, restate
from ...symbolic.derivations import (
    AtMost,
    Cases,
    Contradiction,
    Each,
    Evaluated,
    Exhibit,
    Line,
    Obtain,
    Parts,
    Suppose,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    ScalarSymbol,
    SizeProduct,
    absolute,
    as_expression,
    element,
    entry,
    eye,
    matrix,
    scalar,
    size,
    tr,
    vec,
)
from ...symbolic.frobenius import entries_within, entries_within_product, frobenius
from ...symbolic.propositions import ForRange, Proposition, both, either, eq, exists, le, lt, ne
from ...symbolic.rounded_rotation import (
    Frobenius,
    deltas,
    frobenius_omega,
    n,
    orthogonal_within,
    r,
)
from ...symbolic.rules import instance
from ...symbolic.summation import rounded_product
from .entry import Entry, Mutant
from .frobenius import (
    at_least_zero_norm,
    defect_bound,
    defect_of,
    inner_product,
    known,
    least,
    letter,
    most,
    norm_of_identity,
    norm_of_multiple,
    norm_of_product,
    norm_of_sum,
    root_order,
    same_norm,
    times,
    total_of,
)
from .iterative import of_index
from .mutation import without
from .rounding_sums import (
    MINUS_ONE,
    at_least_zero,
    growth,
    in_order,
    negated,
    ordered,
    product_within,
)

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
claim = CLAIMS["rounding.cayley_frobenius_omega"]
of = frobenius_omega
s, u, v, W, N = of.s, of.u, of.v, of.W, of.N
E_1, E_2, E_3, E_4, E_5, E_6 = of.E
identity, count = eye(n), size(n)
minus = as_expression(-1)
m, t, D, a_0, b_0, y, q = (scalar(x) for x in ("m", "t", "D_c", "a_0", "b_0", "y", "q"))
a, b, theta_a, theta_b = (scalar(x) for x in ("a_c", "b_c", "theta_a", "theta_b"))
eta = scalar("eta")
G, E, F, R, Delta = (matrix(x, n, n) for x in ("G", "E", "F", "R", "Delta"))
small = Fraction(1, 1024)


def decimal(text: str) -> Fraction:
    """A decimal fraction."""
    return Fraction(text)


# ---------------------------------------------------------------- one small number

m_is = eq(m, count**2 * r)
roundoffs: tuple[Line, ...] = (
    (le(0, r), known(lt(0, r))),
    cited(le(1, count), "size_at_least_one", n),
    letter(m, count**2 * r),
    (le(r, m), AtMost(chain(m - r, step(r * ((count - 1) * (count + 1)), "in n", m_is)))),
    (le(count * r, m), AtMost(chain(m - count * r, step(count * r * (count - 1), "in n", m_is)))),
    (
        le(m, small),
        AtMost(chain(small - m, step(count**2 * (1 / (1024 * count**2) - r), "in n", m_is))),
    ),
    (le(0, m), known(le(0, r), le(r, m))),
    *((le(absolute(delta), m), known(le(absolute(delta), r), le(r, m))) for delta in deltas[:5]),
    in_order(m, m, as_expression(small)),
    cited(le(0, m * m), "nonnegative_product", m, m),
    in_order(m * m, m, as_expression(small)),
    cited(le(0, m * m * m), "nonnegative_product", m * m, m),
    in_order(m * m * m, m, as_expression(small)),
)
powers = (
    le(0, m),
    ordered(m, m, as_expression(small)),
    ordered(m * m, m, as_expression(small)),
    ordered(m * m * m, m, as_expression(small)),
)  # m² ≤ m/1024 and so on

# ---------------------------------------------------------------- the coefficients

grown_4, product_4 = growth((eta, deltas[0], deltas[1], deltas[2]), m)
grown_2, product_2 = growth((deltas[0], deltas[4]), m)
turned = s**2 * t  # s²t
L = 1 + turned
g = decimal("4.01") * m
t_is, D_is = eq(t, of.half_square), eq(D, of.divisor)
f = frobenius(W)
square_is = eq(f**2, 2 * t)
rest = decimal("0.996")
T = tr(W.T @ W)
columns, column_count = vec(W), size(SizeProduct(n, n))
relative = (entry(N) - T) / T
eta_of = both(eq(entry(N), T * (1 + eta)), le(absolute(eta), m))
apart_of = absolute(entry(N) - T)
of_columns, of_trace = entry(columns.T @ columns), instance("trace_of_columns", W, W)
columns_squared = eq(frobenius(columns) ** 2, T)
m_of_columns = eq(m, column_count * r)
nothing = lines(  # T = 0
    (eq(m * T, 0), chain(m * T, step(m * 0, "T = 0", eq(T, 0)), step(0, "by 0"))),
    least(entry(N) - T),
    most(entry(N) - T),
    (le(as_expression(0), 0), known()),
    last=Exhibit(
        as_expression(0),
        Parts(
            (
                known(
                    le(apart_of, m * T),
                    eq(m * T, 0),
                    le(-apart_of, entry(N) - T),
                    le(entry(N) - T, apart_of),
                    eq(T, 0),
                ),
                known(instance("absolute_of_nonnegative", as_expression(0)), le(0, m)),
            )
        ),
    ),
)
something = lines(  # T ≠ 0
    (lt(0, T), Suppose(Contradiction(ne(T, 0), known(le(0, T), le(T, 0))))),
    (
        eq(absolute(relative) * T, apart_of),
        chain(
            absolute(relative) * T,
            step(absolute(relative) * absolute(T), "T > 0", instance("absolute_of_nonnegative", T)),
            step(absolute(relative * T), "a product", instance("absolute_product", relative, T)),
            step(apart_of, "by T"),
        ),
    ),
    (
        le(absolute(relative) * T, m * T),
        known(eq(absolute(relative) * T, apart_of), le(apart_of, m * T)),
    ),
    last=Exhibit(
        relative,
        Parts(
            (
                chain(entry(N), step(T * (1 + relative), "over and by T")),
                AtMost(
                    chain(
                        m - absolute(relative),
                        step((m * T - absolute(relative) * T) / T, "over and by T"),
                    )
                ),
            )
        ),
    ),
)
sum_of_squares: tuple[Line, ...] = (
    # |N − ‖W‖²| ≤ n² r ‖W‖²
    (m_of_columns, chain(m, step(column_count * r, "n·n", m_is))),
    inner_product(N, columns, columns, r, m, m_of_columns),
    (
        columns_squared,
        known(instance("frobenius_squared", columns), of_trace),
    ),
    (
        eq(absolute(entry(N) - of_columns), apart_of),
        chain(absolute(entry(N) - of_columns), step(apart_of, "column by column", of_trace)),
    ),
    (
        eq(m * (frobenius(columns) * frobenius(columns)), m * T),
        chain(
            m * (frobenius(columns) * frobenius(columns)),
            step(m * frobenius(columns) ** 2, "a square"),
            step(m * T, "‖W‖²", columns_squared),
        ),
    ),
    (
        le(apart_of, m * T),
        known(
            eq(absolute(entry(N) - of_columns), apart_of),
            le(absolute(entry(N) - of_columns), m * (frobenius(columns) * frobenius(columns))),
            eq(m * (frobenius(columns) * frobenius(columns)), m * T),
        ),
    ),
    # so N = ‖W‖²(1 + η)
    (le(0, T), AtMost(chain(T - 0, step(T, "a square")))),
    cited(either(eq(T, 0), ne(T, 0)), "equal_or_not", T, as_expression(0)),
    (exists(eta, eta_of), Cases(either(eq(T, 0), ne(T, 0)), (nothing, something))),
    lambda rest: Obtain(exists(eta, eta_of), rest),
)
N_is = eq(entry(N), T * (1 + eta))
off = deltas[2] + turned * (product_4 - 1)  # D − L
generator_norm: tuple[Line, ...] = (
    letter(t, of.half_square),
    at_least_zero_norm(W),
    (square_is, known(instance("frobenius_squared", W), t_is)),
    (le(0, t), AtMost(chain(t - 0, step(f**2 / 2, "t = ½‖W‖²", square_is)))),
    (le(0, s**2), AtMost(chain(s**2 - 0, step(s**2, "a square")))),
    cited(le(0, turned), "nonnegative_product", s**2, t),
)
divisor: tuple[Line, ...] = (
    letter(D, of.divisor),
    (lt(0, D), known(lt(0, of.divisor), D_is)),
    grown_4,
    (le(absolute(product_4 - 1), g), known(le(absolute(product_4 - 1), (1 + m) ** 4 - 1), *powers)),
    (le(absolute(turned), turned), known(instance("absolute_of_nonnegative", turned))),
    product_within(turned, turned, product_4 - 1, g),
    (eq(D - L, off), chain(D - L, step(off, "the roundings apart", D_is, t_is, N_is))),
    (
        le(absolute(off), g * L),
        known(
            instance("absolute_triangle", deltas[2], turned * (product_4 - 1)),
            le(absolute(deltas[2]), m),
            le(absolute(turned * (product_4 - 1)), turned * g),
            le(0, m),
        ),
    ),
    least(off),
    (le(0, L), known(le(0, turned))),
    (le(g, 1 - rest), known(le(m, small))),
    in_order(L, g, as_expression(1 - rest)),
    (
        le(rest * L, D),
        known(
            eq(D - L, off),
            le(-absolute(off), off),
            le(absolute(off), g * L),
            ordered(L, g, as_expression(1 - rest)),
        ),
    ),
)


def coefficient(
    theta: ScalarSymbol, product: Expression, change: Expression, most: Fraction
) -> tuple[Line, ...]:
    """|θ| ≤ most·m for 1 + θ = product·L/D, from |product − 1| ≤ change."""
    parts = (product - 1) * L, -off
    apart, within, room = parts[0] + parts[1], (change + g) * L, most * m
    return (
        letter(theta, (product * L - D) / D),
        product_within(product - 1, change, L, L),
        (
            le(absolute(apart), within),
            known(
                instance("absolute_triangle", *parts),
                le(absolute(parts[0]), change * L),
                le(absolute(-off), absolute(off)),
                le(absolute(off), g * L),
            ),
        ),
        (
            eq(theta * D, apart),
            chain(
                theta * D,
                step(product * L - D, "by D", eq(theta, (product * L - D) / D)),
                step(product * L - L - (D - L), "L apart"),
                step(apart, "the roundings apart", eq(D - L, off)),
            ),
        ),
        (
            eq(absolute(theta) * D, absolute(apart)),
            chain(
                absolute(theta) * D,
                step(
                    absolute(theta) * absolute(D), "D > 0", instance("absolute_of_nonnegative", D)
                ),
                step(absolute(theta * D), "a product", instance("absolute_product", theta, D)),
                step(absolute(apart), "equal", eq(theta * D, apart)),
            ),
        ),
        (le(0, room), known(le(0, m))),
        in_order(room, rest * L, D),
        (
            le(absolute(theta) * D, room * D),
            known(
                eq(absolute(theta) * D, absolute(apart)),
                le(absolute(apart), within),
                ordered(room, rest * L, D),
                le(0, m * L),
            ),
        ),
        (
            le(absolute(theta), room),
            AtMost(
                chain(room - absolute(theta), step((room * D - absolute(theta) * D) / D, "by D"))
            ),
        ),
    )


a_0_is, b_0_is, y_is = eq(a_0, 2 * s / L), eq(b_0, 2 * s**2 / L), eq(y, 4 * s**4 / L**2)
a_is, b_is = eq(a, of.first), eq(b, of.second)
size_a = absolute(a_0) * f
coefficients: tuple[Line, ...] = (
    (le(0, D), known(lt(0, D))),
    (le(absolute(L), L), known(instance("absolute_of_nonnegative", L))),
    cited(le(0, m * L), "nonnegative_product", m, L),
    *negated(off),
    grown_2,
    (
        le(absolute(product_2 - 1), decimal("2.01") * m),
        known(le(absolute(product_2 - 1), (1 + m) ** 2 - 1), *powers[:2]),
    ),
    *coefficient(theta_a, 1 + deltas[3], m, decimal("5.1")),
    *coefficient(theta_b, product_2, decimal("2.01") * m, decimal("6.1")),
    letter(a_0, 2 * s / L),
    letter(b_0, 2 * s**2 / L),
    letter(a, of.first),
    letter(b, of.second),
    (
        eq(a, a_0 + a_0 * theta_a),
        chain(
            a,
            step(2 * s / D * (1 + deltas[3]), "its value", a_is, D_is),
            step(
                a_0 + a_0 * theta_a,
                "over 1 + s²t",
                a_0_is,
                eq(theta_a, ((1 + deltas[3]) * L - D) / D),
            ),
        ),
    ),
    (
        eq(b, b_0 + b_0 * theta_b),
        chain(
            b,
            step(2 * (s**2 * (1 + deltas[0])) / D * (1 + deltas[4]), "its value", b_is, D_is),
            step(
                b_0 + b_0 * theta_b,
                "over 1 + s²t",
                b_0_is,
                eq(theta_b, (product_2 * L - D) / D),
            ),
        ),
    ),
    (
        le(size_a**2, as_expression(decimal("1.5")) ** 2),
        AtMost(
            chain(
                as_expression(decimal("1.5")) ** 2 - size_a**2,
                step(
                    Fraction(9, 4) - a_0**2 * (2 * t),
                    "squares",
                    instance("square_of_absolute", a_0),
                    square_is,
                ),
                step(Fraction(1, 4) + 2 * ((1 - turned) / L) ** 2, "a square", a_0_is),
            )
        ),
    ),
    (le(0, decimal("1.5")), known()),
    root_order(size_a, as_expression(decimal("1.5"))),
    (le(0, b_0), AtMost(chain(b_0 - 0, step(2 * s**2 / L, "its value", b_0_is)))),
    (
        le(b_0 * f**2, 4),
        AtMost(
            chain(
                4 - b_0 * f**2,
                step(4 - b_0 * (2 * t), "f² = 2t", square_is),
                step(4 / L, "over 1 + s²t", b_0_is),
            )
        ),
    ),
    (eq(absolute(b_0), b_0), known(instance("absolute_of_nonnegative", b_0))),
    at_least_zero(a_0),
    at_least_zero(theta_a),
    at_least_zero(theta_b),
    cited(le(0, size_a), "nonnegative_product", absolute(a_0), f),
    cited(le(0, f * f), "nonnegative_product", f, f),
    cited(le(0, b_0 * (f * f)), "nonnegative_product", b_0, f * f),
    times(absolute(theta_a), decimal("5.1") * m, size_a, as_expression(decimal("1.5"))),
    times(absolute(theta_b), decimal("6.1") * m, b_0 * (f * f), as_expression(4)),
)

# ---------------------------------------------------------------- the operations, rounded

X, Y, Z, W_2, Q = of.X, of.Y, of.Z, of.W_2, of.Q
scaled_generator, scaled_square = a * W, b * W_2
F_is = eq(F, W_2 - W @ W)
before_last = ((identity + minus * X) + E_5) + Y


def bound(text: str) -> Expression:
    """A literal bound."""
    return as_expression(decimal(text))


def rounded_within(error: Expression, of_what: Expression, most: Expression) -> tuple[Line, ...]:
    """‖E‖ ≤ m·most, from |E_ij| ≤ r|M_ij| and 0 ≤ ‖M‖ ≤ most."""
    return (
        times(r, m, frobenius(of_what), most),
        (
            le(frobenius(error), m * most),
            known(
                instance("smaller_entries", error, r, of_what), le(r * frobenius(of_what), m * most)
            ),
        ),
    )


def spelled(error: Expression, of_what: Expression, other: Expression, same: Proposition) -> Line:
    """|E_ij| ≤ r|M_ij| for all i, j, with M spelled in another way."""
    there, here = (entries_within(error, r, matrix) for matrix in (of_what, other))
    of_row = put(there.body, there.index, here.index)
    assert isinstance(of_row, ForRange)
    i, j = here.index, of_row.index
    sides = [absolute(element(matrix, i, j)) for matrix in (of_what, other)]
    found = lines(
        *of_index(there, i),
        *of_index(of_row, j),
        (eq(sides[1], sides[0]), chain(sides[1], step(sides[0], "the same matrix", same))),
        (le(*sides), known(eq(sides[1], sides[0]))),
        in_order(r, *sides),
        last=known(le(absolute(element(error, i, j)), r * sides[0]), ordered(r, *sides)),
    )
    return here, Each(Each(found))


operations: tuple[Line, ...] = (
    # |a|‖W‖ and |b|‖W‖²
    (
        eq(absolute(a), absolute(a_0 + a_0 * theta_a)),
        chain(absolute(a), step(absolute(a_0 + a_0 * theta_a), "a", eq(a, a_0 + a_0 * theta_a))),
    ),
    (
        eq(absolute(b), absolute(b_0 + b_0 * theta_b)),
        chain(absolute(b), step(absolute(b_0 + b_0 * theta_b), "b", eq(b, b_0 + b_0 * theta_b))),
    ),
    (
        le(absolute(a), absolute(a_0) + absolute(a_0) * absolute(theta_a)),
        known(
            eq(absolute(a), absolute(a_0 + a_0 * theta_a)),
            instance("absolute_triangle", a_0, a_0 * theta_a),
            instance("absolute_product", a_0, theta_a),
        ),
    ),
    (le(absolute(b_0), b_0), known(eq(absolute(b_0), b_0))),
    (le(absolute(theta_b), absolute(theta_b)), known()),
    product_within(b_0, b_0, theta_b, absolute(theta_b)),
    (
        le(absolute(b), b_0 + b_0 * absolute(theta_b)),
        known(
            eq(absolute(b), absolute(b_0 + b_0 * theta_b)),
            instance("absolute_triangle", b_0, b_0 * theta_b),
            le(absolute(b_0 * theta_b), b_0 * absolute(theta_b)),
            eq(absolute(b_0), b_0),
        ),
    ),
    in_order(f, absolute(a), absolute(a_0) + absolute(a_0) * absolute(theta_a)),
    in_order(f * f, absolute(b), b_0 + b_0 * absolute(theta_b)),
    (
        le(absolute(a) * f, bound("1.51")),
        known(
            ordered(f, absolute(a), absolute(a_0) + absolute(a_0) * absolute(theta_a)),
            le(size_a, decimal("1.5")),
            le(absolute(theta_a) * size_a, decimal("5.1") * m * bound("1.5")),
            le(m, small),
        ),
    ),
    (
        le(absolute(b) * (f * f), bound("4.03")),
        known(
            ordered(f * f, absolute(b), b_0 + b_0 * absolute(theta_b)),
            le(b_0 * f**2, 4),
            le(absolute(theta_b) * (b_0 * (f * f)), decimal("6.1") * m * bound("4")),
            le(m, small),
        ),
    ),
    # the square of W
    at_least_zero(b),
    (le(0, count * r), AtMost(chain(count * r - 0, step(count * r, "as it is")))),
    in_order(f * f, count * r, m),
    letter(F, W_2 - W @ W),
    cited(
        entries_within_product(W_2 - W @ W, count * r, W, W),
        "product_in_any_order",
        W_2,
        W,
        W,
        r,
    ),
    same_norm(F, W_2 - W @ W, F_is),
    (eq(W_2, W @ W + F), chain(W_2, step(W @ W + F, "F", F_is))),
    (
        le(frobenius(F), m * (f * f)),
        known(
            eq(frobenius(F), frobenius(W_2 - W @ W)),
            instance("smaller_entries_of_product", W_2 - W @ W, count * r, W, W),
            ordered(f * f, count * r, m),
        ),
    ),
    (le(f, f), known()),
    norm_of_product(W, f, W, f),
    norm_of_sum((W @ W, f * f), (F, m * (f * f))),
    same_norm(W_2, W @ W + F, eq(W_2, W @ W + F)),
    (
        le(frobenius(W_2), f * f + m * (f * f)),
        known(
            eq(frobenius(W_2), frobenius(W @ W + F)),
            le(frobenius(W @ W + F), f * f + m * (f * f)),
        ),
    ),
    in_order(absolute(b), frobenius(W_2), f * f + m * (f * f)),
    in_order(absolute(b), frobenius(F), m * (f * f)),
    in_order(m, absolute(b) * (f * f), bound("4.03")),
    (
        le(frobenius(b * F), m * bound("4.03")),
        known(
            instance("frobenius_multiple", b, F),
            ordered(absolute(b), frobenius(F), m * (f * f)),
            ordered(m, absolute(b) * (f * f), bound("4.03")),
        ),
    ),
    # the two terms
    spelled(E_3, of.first * W, scaled_generator, a_is),
    spelled(E_4, of.second * W_2, scaled_square, b_is),
    (
        eq(X, scaled_generator + E_3),
        chain(X, step(scaled_generator + E_3, "a", eq(X, of.first * W + E_3), a_is)),
    ),
    (
        eq(Y, scaled_square + E_4),
        chain(Y, step(scaled_square + E_4, "b", eq(Y, of.second * W_2 + E_4), b_is)),
    ),
    (
        le(frobenius(scaled_generator), bound("1.51")),
        known(
            instance("frobenius_multiple", a, W),
            le(absolute(a) * f, bound("1.51")),
        ),
    ),
    (
        le(frobenius(scaled_square), bound("4.04")),
        known(
            instance("frobenius_multiple", b, W_2),
            ordered(absolute(b), frobenius(W_2), f * f + m * (f * f)),
            ordered(m, absolute(b) * (f * f), bound("4.03")),
            le(absolute(b) * (f * f), bound("4.03")),
            le(m, small),
        ),
    ),
    at_least_zero_norm(scaled_generator),
    at_least_zero_norm(scaled_square),
    *rounded_within(E_3, scaled_generator, bound("1.51")),
    *rounded_within(E_4, scaled_square, bound("4.04")),
    norm_of_sum((scaled_generator, bound("1.51")), (E_3, m * bound("1.51"))),
    norm_of_sum((scaled_square, bound("4.04")), (E_4, m * bound("4.04"))),
    same_norm(X, scaled_generator + E_3, eq(X, scaled_generator + E_3)),
    same_norm(Y, scaled_square + E_4, eq(Y, scaled_square + E_4)),
    (
        le(frobenius(X), bound("1.52")),
        known(
            eq(frobenius(X), frobenius(scaled_generator + E_3)),
            le(frobenius(scaled_generator + E_3), bound("1.51") + m * bound("1.51")),
            le(m, small),
        ),
    ),
    (
        le(frobenius(Y), bound("4.05")),
        known(
            eq(frobenius(Y), frobenius(scaled_square + E_4)),
            le(frobenius(scaled_square + E_4), bound("4.04") + m * bound("4.04")),
            le(m, small),
        ),
    ),
    # the two sums
    *norm_of_identity(n),
    in_order(r, frobenius(identity), count),
    (
        le(r * frobenius(identity), m),
        known(ordered(r, frobenius(identity), count), le(count * r, m)),
    ),
    (le(absolute(minus), 1), known(MINUS_ONE)),
    norm_of_multiple(minus, as_expression(1), X, bound("1.52")),
    (le(frobenius(identity), frobenius(identity)), known()),
    norm_of_sum((identity, frobenius(identity)), (minus * X, 1 * bound("1.52"))),
    at_least_zero_norm(identity - X),
    in_order(r, frobenius(identity - X), frobenius(identity) + bound("1.52")),
    (
        le(frobenius(E_5), m * bound("2.52")),
        known(
            instance("smaller_entries", E_5, r, identity - X),
            ordered(r, frobenius(identity - X), frobenius(identity) + bound("1.52")),
            le(r * frobenius(identity), m),
            le(r, m),
        ),
    ),
    same_norm(Z + Y, before_last, eq(Z, identity - X + E_5)),
    (le(0, m * bound("2.52")), known(le(0, m))),
    norm_of_sum(
        (identity, frobenius(identity)),
        (minus * X, 1 * bound("1.52")),
        (E_5, m * bound("2.52")),
        (Y, bound("4.05")),
    ),
    (
        le(frobenius(Z + Y), frobenius(identity) + bound("5.58")),
        known(
            eq(frobenius(Z + Y), frobenius(before_last)),
            le(
                frobenius(before_last),
                frobenius(identity) + 1 * bound("1.52") + m * bound("2.52") + bound("4.05"),
            ),
            le(m, small),
        ),
    ),
    in_order(r, frobenius(Z + Y), frobenius(identity) + bound("5.58")),
    (
        le(frobenius(E_6), m * bound("6.6")),
        known(
            instance("smaller_entries", E_6, r, Z + Y),
            ordered(r, frobenius(Z + Y), frobenius(identity) + bound("5.58")),
            le(r * frobenius(identity), m),
            le(r, m),
            le(0, m),
        ),
    ),
)

# ---------------------------------------------------------------- I + R + Δ

ideal_change = b_0 * (W @ W) - a_0 * W
R_is, Delta_is = eq(R, ideal_change), eq(Delta, Q - identity - R)
changes = (
    (minus * ((a_0 * theta_a) * W), decimal("7.65")),
    ((b_0 * theta_b) * (W @ W), decimal("24.4")),
    (b * F, decimal("4.03")),
    (minus * E_3, decimal("1.51")),
    (E_4, decimal("4.04")),
    (E_5, decimal("2.52")),
    (E_6, decimal("6.6")),
)
change = total_of([matrix for matrix, _ in changes])
nearby: tuple[Line, ...] = (
    letter(R, ideal_change),
    letter(Delta, Q - identity - R),
    (
        eq(Delta, change),
        chain(
            Delta,
            step(Q - identity - R, "what is left", Delta_is),
            step(((Z + Y) + E_6) - identity - ideal_change, "as summed", eq(Q, Z + Y + E_6), R_is),
            step(
                (((identity - X + E_5) + (scaled_square + E_4)) + E_6) - identity - ideal_change,
                "as added",
                eq(Z, identity - X + E_5),
                eq(Y, scaled_square + E_4),
            ),
            step(
                (((identity - (scaled_generator + E_3) + E_5) + (b * (W @ W + F) + E_4)) + E_6)
                - identity
                - ideal_change,
                "as multiplied",
                eq(X, scaled_generator + E_3),
                eq(W_2, W @ W + F),
            ),
            step(
                change,
                "the coefficients apart",
                eq(a, a_0 + a_0 * theta_a),
                eq(b, b_0 + b_0 * theta_b),
            ),
        ),
    ),
    same_norm(Delta, change, eq(Delta, change)),
    # ‖Δ‖ ≤ 51 m
    (
        eq(absolute(a_0 * theta_a) * f, absolute(theta_a) * size_a),
        chain(
            absolute(a_0 * theta_a) * f,
            step(
                absolute(theta_a) * size_a, "a product", instance("absolute_product", a_0, theta_a)
            ),
        ),
    ),
    (
        le(frobenius((a_0 * theta_a) * W), m * bound("7.65")),
        known(
            instance("frobenius_multiple", a_0 * theta_a, W),
            eq(absolute(a_0 * theta_a) * f, absolute(theta_a) * size_a),
            le(absolute(theta_a) * size_a, decimal("5.1") * m * bound("1.5")),
        ),
    ),
    norm_of_multiple(minus, as_expression(1), (a_0 * theta_a) * W, m * bound("7.65")),
    norm_of_multiple(b_0 * theta_b, b_0 * absolute(theta_b), W @ W, f * f),
    (
        le(frobenius((b_0 * theta_b) * (W @ W)), m * bound("24.4")),
        known(
            le(frobenius((b_0 * theta_b) * (W @ W)), b_0 * absolute(theta_b) * (f * f)),
            le(absolute(theta_b) * (b_0 * (f * f)), decimal("6.1") * m * bound("4")),
        ),
    ),
    norm_of_multiple(minus, as_expression(1), E_3, m * bound("1.51")),
    *(
        (le(frobenius(matrix), m * most), known(le(frobenius(matrix), 1 * (m * most))))
        for matrix, most in (changes[0], changes[3])
    ),
    norm_of_sum(*((matrix, m * most) for matrix, most in changes)),
    (
        le(frobenius(Delta), 51 * m),
        known(
            eq(frobenius(Delta), frobenius(change)),
            le(frobenius(change), total_of([m * most for _, most in changes])),
            le(0, m),
        ),
    ),
    # ‖R‖ ≤ 11/2
    (le(absolute(b_0), b_0), known(eq(absolute(b_0), b_0))),
    (le(absolute(a_0), absolute(a_0)), known()),
    norm_of_multiple(b_0, b_0, W @ W, f * f),
    norm_of_multiple(a_0, absolute(a_0), W, f),
    (
        le(frobenius(a_0 * W), bound("1.5")),
        known(le(frobenius(a_0 * W), absolute(a_0) * f), le(size_a, bound("1.5"))),
    ),
    (
        le(frobenius(b_0 * (W @ W)), 4),
        known(le(frobenius(b_0 * (W @ W)), b_0 * (f * f)), le(b_0 * f**2, 4)),
    ),
    norm_of_multiple(minus, as_expression(1), a_0 * W, bound("1.5")),
    norm_of_sum((b_0 * (W @ W), as_expression(4)), (minus * (a_0 * W), 1 * bound("1.5"))),
    same_norm(R, b_0 * (W @ W) + minus * (a_0 * W), R_is),
    (
        le(frobenius(R), bound("5.5")),
        known(
            eq(frobenius(R), frobenius(b_0 * (W @ W) + minus * (a_0 * W))),
            le(frobenius(b_0 * (W @ W) + minus * (a_0 * W)), 4 + 1 * bound("1.5")),
        ),
    ),
)
ideal = R + R.T + R.T @ R
"""What QᵀQ − I would be without the roundings of Δ."""
defect = Q.T @ Q - identity
ideal_most, change_most = bound("5.5"), 51 * m
defects: tuple[Line, ...] = (
    (eq(Q, identity + R + Delta), chain(Q, step(identity + R + Delta, "Δ", Delta_is))),
    *defect_of(Q, R, ideal_most, Delta, change_most),
    (
        le(frobenius(defect), frobenius(ideal) + 670 * m),
        known(
            defect_bound(Q, R, ideal_most, Delta, change_most),
            *powers[:2],
        ),
    ),
)

# ---------------------------------------------------------------- W is nearly of rank two

exact = u @ v.T - v @ u.T
G_is, E_is = eq(G, exact), eq(E, W - exact)
W_is, computed_skew, error_skew = eq(W, G + E), eq(W.T, -W), eq(E.T, -E)
w, e, gamma = frobenius(G), frobenius(E), frobenius(u @ v.T)
area, across = of.area, tr(G.T @ E)
lengths = entry(u.T @ u) * entry(v.T @ v)
quartic = W @ W @ W @ W + t * (W @ W)


half_e = tr(E.T @ E) / 2
WORDS = (
    (G, G, E, E), (G, E, G, E), (G, E, E, G), (E, G, G, E), (E, G, E, G), (E, E, G, G),
    (G, E, E, E), (E, G, E, E), (E, E, G, E), (E, E, E, G), (E, E, E, E),
)  # fmt: skip
MULTIPLES = (
    (area, w**2 / 2, (E, E)),
    (across, w * e, (G, E)),
    (across, w * e, (E, G)),
    (across, w * e, (E, E)),
    (half_e, e**2 / 2, (G, G)),
    (half_e, e**2 / 2, (G, E)),
    (half_e, e**2 / 2, (E, G)),
    (half_e, e**2 / 2, (E, E)),
)  # c, the most that |c| is, and the word that it multiplies


def product_of(factors: Sequence[Expression]) -> Expression:
    """The product, multiplied from the left."""
    product = factors[0]
    for factor in factors[1:]:
        product = product @ factor
    return product


def norms_of(factors: Sequence[Expression]) -> Expression:
    """The product of the norms, multiplied from the left."""
    product = frobenius(factors[0])
    for factor in factors[1:]:
        product = product * frobenius(factor)
    return product


def norm_of_word(factors: Sequence[Expression]) -> tuple[Line, ...]:
    """‖A B …‖ ≤ ‖A‖ ‖B‖ …"""
    return tuple(
        norm_of_product(
            product_of(factors[:length]),
            norms_of(factors[:length]),
            factors[length],
            frobenius(factors[length]),
        )
        for length in range(1, len(factors))
    )


terms_of_quartic = (
    *((product_of(factors), norms_of(factors)) for factors in WORDS),
    *((c * product_of(factors), most * norms_of(factors)) for c, most, factors in MULTIPLES),
)
groups = tuple(terms_of_quartic[start : start + 4] for start in range(0, 20, 4))
group_sums = tuple(total_of([term for term, _ in group]) for group in groups)
group_bounds = tuple(total_of([most for _, most in group]) for group in groups)
expanded = total_of(group_sums)
second_order = 9 * (w**2 * e**2) + 6 * (w * e**3) + Fraction(3, 2) * e**4
nearly: tuple[Line, ...] = (
    letter(G, exact),
    letter(E, W - exact),
    (W_is, chain(W, step(G + E, "G and E", E_is, G_is))),
    (
        computed_skew,
        chain(
            W.T,
            step(-W, "as subtracted", eq(W, of.products - of.products.T + E_2), eq(E_2.T, -E_2)),
        ),
    ),
    (error_skew, chain(E.T, step(-E, "W and G are skew", E_is, computed_skew))),
    (le(0, area), known(lt(0, area))),
    (
        eq(tr(G.T @ G), 2 * area),
        chain(tr(G.T @ G), step(tr(exact.T @ exact), "G", G_is), step(2 * area, "in u and v")),
    ),
    (eq(w**2, 2 * area), known(instance("frobenius_squared", G), eq(tr(G.T @ G), 2 * area))),
    (
        eq(quartic, expanded),
        chain(
            quartic,
            step(W @ W @ W @ W + of.half_square * (W @ W), "t = ½‖W‖²", t_is),
            step(
                (G + E) @ (G + E) @ (G + E) @ (G + E)
                + tr((G + E).T @ (G + E)) / 2 * ((G + E) @ (G + E)),
                "W = G + E",
                W_is,
            ),
            step(
                (exact + E) @ (exact + E) @ (exact + E) @ (exact + E)
                + tr((exact + E).T @ (exact + E)) / 2 * ((exact + E) @ (exact + E)),
                "G in u and v",
                G_is,
            ),
            step(put(expanded, G, exact), "the terms of degree 0 and 1 vanish", error_skew),
            step(expanded, "G", G_is),
        ),
    ),
    (le(0, half_e), AtMost(chain(half_e - 0, step(half_e, "as it is")))),
    (
        le(absolute(area), w**2 / 2),
        known(instance("absolute_of_nonnegative", area), eq(w**2, 2 * area)),
    ),
    (le(absolute(across), w * e), known(instance("trace_at_most", G, E))),
    (
        le(absolute(half_e), e**2 / 2),
        known(instance("absolute_of_nonnegative", half_e), instance("frobenius_squared", E)),
    ),
    at_least_zero_norm(G),
    at_least_zero_norm(E),
    (le(w, w), known()),
    (le(e, e), known()),
    *(line for factors in WORDS for line in norm_of_word(factors)),
    *norm_of_word((G, G)),
    *(
        norm_of_multiple(c, most, product_of(factors), norms_of(factors))
        for c, most, factors in MULTIPLES
    ),
    *(norm_of_sum(*group) for group in groups),
    norm_of_sum(*zip(group_sums, group_bounds, strict=True)),
    same_norm(quartic, expanded, eq(quartic, expanded)),
    (
        le(frobenius(quartic), second_order),
        known(
            eq(frobenius(quartic), frobenius(expanded)),
            le(frobenius(expanded), total_of(group_bounds)),
        ),
    ),
)

# ---------------------------------------------------------------- how far W is from rank two

r_gamma = r * gamma
difference = of.products - of.products.T
shifted = (G + E_1) + minus * E_1.T
error: tuple[Line, ...] = (
    at_least_zero_norm(u @ v.T),
    cited(le(0, r_gamma), "nonnegative_product", r, gamma),
    (
        eq(tr((u @ v.T).T @ (u @ v.T)), lengths),
        chain(tr((u @ v.T).T @ (u @ v.T)), step(lengths, "in u and v")),
    ),
    (
        eq(gamma**2, lengths),
        known(instance("frobenius_squared", u @ v.T), eq(tr((u @ v.T).T @ (u @ v.T)), lengths)),
    ),
    (
        le(0, lengths - area),
        AtMost(chain(lengths - area - 0, step(entry(u.T @ v) ** 2, "a square"))),
    ),
    (
        le(w**2, (Fraction(3, 2) * gamma) ** 2),
        known(eq(w**2, 2 * area), eq(gamma**2, lengths), le(0, lengths - area), le(0, area)),
    ),
    (le(0, Fraction(3, 2) * gamma), known(le(0, gamma))),
    root_order(w, Fraction(3, 2) * gamma),
    in_order(r, w, Fraction(3, 2) * gamma),
    (le(r, small), known(le(r, m), le(m, small))),
    in_order(r_gamma, r, as_expression(small)),
    (le(frobenius(E_1), r_gamma), known(instance("smaller_entries", E_1, r, u @ v.T))),
    (
        le(frobenius(E_1.T), r_gamma),
        known(instance("frobenius_transpose", E_1), le(frobenius(E_1), r_gamma)),
    ),
    norm_of_multiple(minus, as_expression(1), E_1.T, r_gamma),
    norm_of_sum((G, w), (E_1, r_gamma), (minus * E_1.T, 1 * r_gamma)),
    (
        eq(difference, shifted),
        chain(difference, step((exact + E_1) + minus * E_1.T, "apart"), step(shifted, "G", G_is)),
    ),
    same_norm(difference, shifted, eq(difference, shifted)),
    (
        le(frobenius(difference), w + 2 * r_gamma),
        known(
            eq(frobenius(difference), frobenius(shifted)),
            le(frobenius(shifted), w + r_gamma + 1 * r_gamma),
        ),
    ),
    in_order(r, frobenius(difference), w + 2 * r_gamma),
    (
        le(frobenius(E_2), Fraction(1503, 1000) * r_gamma),
        known(
            instance("smaller_entries", E_2, r, difference),
            ordered(r, frobenius(difference), w + 2 * r_gamma),
            ordered(r, w, Fraction(3, 2) * gamma),
            ordered(r_gamma, r, as_expression(small)),
            le(0, r_gamma),
        ),
    ),
    norm_of_sum(
        (E_1, r_gamma), (minus * E_1.T, 1 * r_gamma), (E_2, Fraction(1503, 1000) * r_gamma)
    ),
    (
        eq(E, (E_1 + minus * E_1.T) + E_2),
        chain(
            E,
            step(W - exact, "E", E_is),
            step((difference + E_2) - exact, "as computed", eq(W, difference + E_2)),
            step((E_1 + minus * E_1.T) + E_2, "what is left"),
        ),
    ),
    same_norm(E, (E_1 + minus * E_1.T) + E_2, eq(E, (E_1 + minus * E_1.T) + E_2)),
    (
        le(e, Fraction(3503, 1000) * r_gamma),
        known(
            eq(e, frobenius((E_1 + minus * E_1.T) + E_2)),
            le(
                frobenius((E_1 + minus * E_1.T) + E_2),
                r_gamma + 1 * r_gamma + Fraction(1503, 1000) * r_gamma,
            ),
        ),
    ),
    cited(
        le(e**2, (Fraction(3503, 1000) * r_gamma) ** 2),
        "squares_in_order",
        e,
        Fraction(3503, 1000) * r_gamma,
    ),
)

# ---------------------------------------------------------------- the defect without Δ

excess = y * frobenius(quartic)
three_quarters = Fraction(3, 4) * w
most_at_first = Fraction(339, 32) * (w**2 * e**2)
close, far = le(4 * e, w), lt(w, 4 * e)
goal = le(frobenius(ideal) * w**2, 536 * e**2)
scaled_excess = eq(frobenius(ideal) * w**2, y * w**2 * frobenius(quartic))
near_rank_two = lines(
    # 4‖E‖ ≤ ‖G‖
    cited(le(0, e * e), "nonnegative_product", e, e),
    cited(le(0, w * (e * e)), "nonnegative_product", w, e * e),
    cited(le(0, e * (e * e)), "nonnegative_product", e, e * e),
    in_order(w * (e * e), 4 * e, w),
    in_order(e * (e * e), 4 * e, w),
    (
        le(frobenius(quartic), most_at_first),
        known(
            le(frobenius(quartic), second_order),
            ordered(w * (e * e), 4 * e, w),
            ordered(e * (e * e), 4 * e, w),
        ),
    ),
    norm_of_multiple(minus, as_expression(1), E, e),
    norm_of_sum((W, f), (minus * E, 1 * e)),
    same_norm(G, W + minus * E, W_is),
    (
        le(three_quarters, f),
        known(eq(w, frobenius(W + minus * E)), le(frobenius(W + minus * E), f + 1 * e), close),
    ),
    (le(0, three_quarters), known(le(0, w))),
    cited(le(three_quarters**2, f**2), "squares_in_order", three_quarters, f),
    (
        le(0, three_quarters**2),
        AtMost(chain(three_quarters**2 - 0, step(three_quarters**2, "a square"))),
    ),
    cited(le((three_quarters**2) ** 2, (f**2) ** 2), "squares_in_order", three_quarters**2, f**2),
    in_order(y, (three_quarters**2) ** 2, (f**2) ** 2),
    (
        le(y * w**4, Fraction(4096, 81)),
        known(ordered(y, (three_quarters**2) ** 2, (f**2) ** 2), le(y * (f**2) ** 2, 16)),
    ),
    cited(le(0, y * w**2), "nonnegative_product", y, w**2),
    in_order(y * w**2, frobenius(quartic), most_at_first),
    in_order(e**2, y * w**4, as_expression(Fraction(4096, 81))),
    last=known(
        scaled_excess,
        ordered(y * w**2, frobenius(quartic), most_at_first),
        ordered(e**2, y * w**4, as_expression(Fraction(4096, 81))),
        le(0, e**2),
    ),
)
far_from_rank_two = lines(
    # ‖G‖ < 4‖E‖
    *norm_of_word((W, W, W, W)),
    (
        le(absolute(t), f**2 / 2),
        known(instance("absolute_of_nonnegative", t), square_is),
    ),
    norm_of_multiple(t, f**2 / 2, W @ W, f * f),
    norm_of_sum(
        (product_of((W, W, W, W)), norms_of((W, W, W, W))), (t * (W @ W), f**2 / 2 * (f * f))
    ),
    (
        le(frobenius(quartic), Fraction(3, 2) * (f**2) ** 2),
        known(le(frobenius(quartic), norms_of((W, W, W, W)) + f**2 / 2 * (f * f))),
    ),
    in_order(y, frobenius(quartic), Fraction(3, 2) * (f**2) ** 2),
    (
        le(excess, 24),
        known(
            ordered(y, frobenius(quartic), Fraction(3, 2) * (f**2) ** 2), le(y * (f**2) ** 2, 16)
        ),
    ),
    (le(w, 4 * e), known(far)),
    cited(le(w**2, (4 * e) ** 2), "squares_in_order", w, 4 * e),
    in_order(w**2, excess, as_expression(24)),
    last=known(
        scaled_excess,
        ordered(w**2, excess, as_expression(24)),
        le(w**2, (4 * e) ** 2),
        le(0, e**2),
    ),
)
without_roundings: tuple[Line, ...] = (
    letter(y, 4 * s**4 / L**2),
    (le(0, y), AtMost(chain(y - 0, step(4 * s**4 / L**2, "its value", y_is)))),
    (
        eq(ideal, y * quartic),
        chain(
            ideal,
            step(ideal_change + ideal_change.T + ideal_change.T @ ideal_change, "R", R_is),
            step(y * quartic, "over (1 + s²t)²", a_0_is, b_0_is, y_is, computed_skew),
        ),
    ),
    same_norm(ideal, y * quartic, eq(ideal, y * quartic)),
    (
        eq(frobenius(ideal), excess),
        chain(
            frobenius(ideal),
            step(frobenius(y * quartic), "equal", eq(frobenius(ideal), frobenius(y * quartic))),
            step(
                absolute(y) * frobenius(quartic),
                "a multiple",
                instance("frobenius_multiple", y, quartic),
            ),
            step(excess, "y ≥ 0", instance("absolute_of_nonnegative", y)),
        ),
    ),
    (
        scaled_excess,
        chain(
            frobenius(ideal) * w**2,
            step(y * w**2 * frobenius(quartic), "y", eq(frobenius(ideal), excess)),
        ),
    ),
    (
        le(y * (f**2) ** 2, 16),
        AtMost(
            chain(
                16 - y * (f**2) ** 2,
                step(16 - y * (2 * t) ** 2, "f² = 2t", square_is),
                step(16 * (1 + 2 * turned) / L**2, "over (1 + s²t)²", y_is),
            )
        ),
    ),
    (le(0, w**2), AtMost(chain(w**2 - 0, step(w**2, "a square")))),
    (le(0, e**2), AtMost(chain(e**2 - 0, step(e**2, "a square")))),
    cited(either(close, far), "dichotomy", close),
    (goal, Cases(either(close, far), (near_rank_two, far_from_rank_two))),
)

# ---------------------------------------------------------------- together

q_is = eq(q, r**2 * lengths / area)
whole = 670 * m + 3300 * q
together: tuple[Line, ...] = (
    (
        eq(frobenius(ideal) * w**2, frobenius(ideal) * (2 * area)),
        chain(
            frobenius(ideal) * w**2,
            step(frobenius(ideal) * (2 * area), "w² = 2ω²", eq(w**2, 2 * area)),
        ),
    ),
    (
        eq(r_gamma**2, r**2 * lengths),
        chain(r_gamma**2, step(r**2 * lengths, "in u and v", eq(gamma**2, lengths))),
    ),
    (le(0, r_gamma**2), AtMost(chain(r_gamma**2 - 0, step(r_gamma**2, "a square")))),
    (
        le(frobenius(ideal) * area, 3300 * (r**2 * lengths)),
        known(
            goal,
            eq(frobenius(ideal) * w**2, frobenius(ideal) * (2 * area)),
            le(e**2, (Fraction(3503, 1000) * r_gamma) ** 2),
            eq(r_gamma**2, r**2 * lengths),
            le(0, r_gamma**2),
        ),
    ),
    letter(q, r**2 * lengths / area),
    (
        le(frobenius(ideal), 3300 * q),
        AtMost(
            chain(
                3300 * q - frobenius(ideal),
                step((3300 * (r**2 * lengths) - frobenius(ideal) * area) / area, "over ω²", q_is),
            )
        ),
    ),
    at_least_zero_norm(defect),
    (
        le(frobenius(defect), whole),
        known(le(frobenius(defect), frobenius(ideal) + 670 * m), le(frobenius(ideal), 3300 * q)),
    ),
    cited(le(frobenius(defect) ** 2, whole**2), "squares_in_order", frobenius(defect), whole),
    (
        le(tr(defect.T @ defect), whole**2),
        known(instance("frobenius_squared", defect), le(frobenius(defect) ** 2, whole**2)),
    ),
)
squares = of.bound**2 - tr(defect.T @ defect)
derivation = lines(
    (MINUS_ONE, Evaluated()),
    *roundoffs,
    *sum_of_squares,
    *generator_norm,
    *divisor,
    *coefficients,
    *operations,
    *nearby,
    *defects,
    *nearly,
    *error,
    *without_roundings,
    *together,
    last=AtMost(
        chain(squares, step(whole**2 - tr(defect.T @ defect), "the letters' values", m_is, q_is))
    ),
)


def with_hypothesis(old: Proposition, new: Proposition) -> Claim:
    """The statement with one hypothesis exchanged."""
    if old not in claim.given:
        raise ValueError(f"there is no hypothesis {old}")
    return restate(claim, given=[new if given == old else given for given in claim.given])


def computed_as(other: Frobenius) -> Claim:
    """The statement of another spelling."""
    return restate(claim, given=other.given)


def rows(text: str) -> list[list[str]]:
    """A matrix, its rows separated by commas."""
    return [row.split() for row in text.split(",")]


QUARTER_TURN = {
    "sizes": {"n": 2},
    "values": {
        "r": "1/8192",
        "sigma": "1",
        **{delta.name: "0" for delta in deltas[:5]},
        "u": rows("1, 0"),
        "v": rows("0, 1"),
        **{f"E_{place}": rows("0 0, 0 0") for place in range(1, 7)},
        **dict.fromkeys(("W", "X"), rows("0 1, -1 0")),
        **dict.fromkeys(("W_2", "Y"), rows("-1 0, 0 -1")),
        "N": rows("2"),
        "Z": rows("1 -1, 1 1"),
        "Q": rows("0 -1, 1 0"),
    },
}
"""A computation without errors: the quarter turn of the plane."""

FROBENIUS_OMEGA = Entry(
    claim,
    (Kind.DERIVATION,),
    derivation=derivation,
    witness=QUARTER_TURN,
    mutants=(
        Mutant("a quotient beyond the roundoff", without(claim, le(absolute(deltas[3]), r))),
        Mutant("ω² = ‖W‖², not half of it", computed_as(Frobenius(share=Fraction(1)))),
        Mutant("a product off by itself", with_hypothesis(
            rounded_product(of.W_2, W, W, r), rounded_product(of.W_2, W, W, as_expression(1)))),
        Mutant("I − a W − b W²", with_hypothesis(
            eq(Y, of.second * W_2 + E_4), eq(Y, E_4 - of.second * W_2))),
        Mutant("a sum off by itself", with_hypothesis(
            entries_within(E_6, r, Z + Y), entries_within(E_6, as_expression(1), Z + Y))),
        Mutant("no roundings but the generator's", restate(claim, then=orthogonal_within(
            Q, 3300 * (r**2 * lengths / area)))),
    ),
)  # fmt: skip

ENTRIES = (FROBENIUS_OMEGA,)
