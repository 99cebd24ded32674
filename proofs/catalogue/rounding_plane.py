"""The family rounding, the rotation in an orthonormal basis of the plane.

ENTRIES == rounding.cayley_plane_basis

m = n r ≤ 1/1024 bounds the error of an inner product, relatively to the norms of its factors.

1. *A vector by its length* has length 1 within 1.01m + 6.1r (`unit`).
2. *A projection* leaves at most (2.03m + 9.2r)‖w‖ of w along e_1 (`projection`).
3. *Twice is enough.* What the first projection leaves along e_1 is small beside w_2, as w_2 exceeds
   the threshold: so ‖w_1‖ ≤ 1.2‖w_2‖, and e_1ᵀe_2 is at most 2.45m + 12.2r.
4. *The angle.* sin and 1 − cos have relative errors of at most 3.1r and 4.2r, whatever τ.
5. *The matrix.* With R = −(F°_1 e_1ᵀ + F°_2 e_2ᵀ), F° the columns of F without their roundings,
   R + Rᵀ + RᵀR has small coefficients on the e_i e_jᵀ; the computed matrix is I + R + Δ with
   ‖Δ‖ ≤ 2m + 27.6r, ‖R‖ ≤ 6.1.
"""

from __future__ import annotations

from fractions import Fraction

from ...symbolic import rounding as statements
from ...symbolic.claims import Claim, restate
from ...symbolic.derivations import (
    AtMost,
    Evaluated,
    Line,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    Neg,
    absolute,
    as_expression,
    entry,
    eye,
    matrix,
    scalar,
    size,
    tr,
    vector,
)
from ...symbolic.frobenius import entries_within, frobenius
from ...symbolic.propositions import Proposition, eq, le, lt
from ...symbolic.rounded_rotation import PlaneBasis, deltas, n, plane_basis, r
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
    within,
)
from .mutation import without
from .rounding_sums import (
    MINUS_ONE,
    ONE_ITSELF,
    at_least_zero,
    in_order,
    negated,
    ordered,
    product_within,
    sum_within,
)

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
claim = CLAIMS["rounding.cayley_plane_basis"]
of = plane_basis
identity, count, minus = eye(n), size(n), as_expression(-1)
m = scalar("m")
m_is = eq(m, count * r)
small = as_expression(Fraction(1, 1024))
e_1, e_2 = of.e
w_1, w_2 = of.w


def bound(text: str) -> Expression:
    """A literal bound."""
    return as_expression(Fraction(text))


def mixed(of_m: str, of_r: str) -> Expression:
    """α m + β r."""
    return Fraction(of_m) * m + Fraction(of_r) * r


def not_negative(value: Expression, reason: str = "as it is") -> Line:
    """0 ≤ value, by its form."""
    return le(0, value), AtMost(chain(value - 0, step(value, reason)))


# ---------------------------------------------------------------- small numbers

PAIRS = ((m, m), (r, m), (r, r))  # products of two small numbers: of the first at most 1/1024


def smaller(factor: Expression) -> tuple[Proposition, ...]:
    """What `shrinking` proves of a factor ≥ 0."""
    one = [fact for z in (m, r) for fact in (le(0, factor * z), ordered(factor, z, small))]
    two = [
        fact for a, b in PAIRS for fact in (le(0, factor * a * b), ordered(factor * a, b, small))
    ]
    return (*one, *two)


def shrinking(factor: Expression) -> tuple[Line, ...]:
    """Products of a factor ≥ 0 with m and r are ≥ 0 and smaller than the factor."""
    found: list[Line] = []
    for z in (m, r):
        found.append(cited(le(0, factor * z), "nonnegative_product", factor, z))
        found.append(in_order(factor, z, small))
    for a, b in PAIRS:
        found.append(cited(le(0, factor * a * b), "nonnegative_product", factor * a, b))
        found.append(in_order(factor * a, b, small))
    return tuple(found)


one = as_expression(1)
numbers: tuple[Line, ...] = (
    (le(0, r), known(lt(0, r))),
    cited(le(1, count), "size_at_least_one", n),
    letter(m, count * r),
    (le(r, m), AtMost(chain(m - r, step(r * (count - 1), "in n", m_is)))),
    (
        le(m, small),
        AtMost(chain(small - m, step(count * (1 / (1024 * count) - r), "in n", m_is))),
    ),
    (le(0, m), known(le(0, r), le(r, m))),
    (le(r, small), known(le(r, m), le(m, small))),
    (le(0, one), known()),
    *shrinking(one),
    (MINUS_ONE, Evaluated()),
    (le(absolute(minus), 1), known(MINUS_ONE)),
    (ONE_ITSELF, Evaluated()),
    (le(absolute(one), 1), known(ONE_ITSELF)),
    not_negative((1 - r) ** 2),
    not_negative((1 + r) ** 2),
    (le(0, 1 - r), known(le(r, small))),
)
tiny = (le(0, r), le(r, m), le(m, small), le(r, small), le(0, m), *smaller(one))

# ---------------------------------------------------------------- a vector by its length

UPPER, LOWER = 1 + mixed("1.01", "4.03"), 1 - mixed("1.01", "4.03")
ABOUT_ONE = mixed("1.01", "6.1")
"""How far ‖e‖² is from 1."""
LENGTH = bound("1.004")
"""The most that ‖e‖ is."""


def gap(e: Expression) -> Expression:
    """1 − ‖e‖²."""
    return 1 - entry(e.T @ e)


def unit(x: Expression, place: int, change: Expression, error: Expression) -> tuple[Line, ...]:
    """‖g x‖² and ‖e‖² are nearly 1 and l ≤ 1.002‖x‖, for e = fl(g x), g = change/l, l = fl(‖x‖)."""
    e, scaled = of.e[place], of.reciprocals[place] * x
    N, length = entry(of.N[place]), entry(of.length[place])
    X, z, Y = frobenius(x), frobenius(scaled), frobenius(e)
    S, off = X**2, N - entry(x.T @ x)
    near = (le(absolute(off), m * (X * X)), eq(entry(x.T @ x), S))
    shrunk, grown = (1 - 2 * r - m) * S, (1 + m + Fraction("2.003") * r) * S
    squared = eq(z**2 * length**2, change**2 * S)
    longest, shortest = z + r * z, z - r * z
    return (
        at_least_zero_norm(x),
        at_least_zero_norm(scaled),
        at_least_zero_norm(e),
        not_negative(S, "a square"),
        *shrinking(S),
        in_order(S * r * r, m, small),
        # l² against ‖x‖²
        inner_product(of.N[place], x, x, r, m, m_is),
        (near[1], known(instance("frobenius_squared", x))),
        least(off),
        most(off),
        (le((1 - m) * S, N), known(le(-absolute(off), off), *near)),
        (le(N, (1 + m) * S), known(le(off, absolute(off)), *near)),
        in_order((1 - r) ** 2, (1 - m) * S, N),
        in_order((1 + r) ** 2, N, (1 + m) * S),
        (
            le(shrunk, length**2),
            known(
                le((1 - r) ** 2 * N, length**2),
                ordered((1 - r) ** 2, (1 - m) * S, N),
                ordered(S * r * r, m, small),
                le(0, S * r * m),
                le(0, S * r * r),
            ),
        ),
        (
            le(length**2, grown),
            known(
                le(length**2, (1 + r) ** 2 * N),
                ordered((1 + r) ** 2, N, (1 + m) * S),
                ordered(S * r * r, m, small),
                ordered(S * r, m, small),
                ordered(S * r, r, small),
                le(0, S * r),
            ),
        ),
        (le(0, Fraction("1.002") * X), known(le(0, X))),
        (
            le(length**2, (Fraction("1.002") * X) ** 2),
            known(le(length**2, grown), le(0, S), ordered(S, m, small), ordered(S, r, small)),
        ),
        root_order(length, Fraction("1.002") * X),
        # the roundings of the root and of the reciprocal
        (le(0, change), known(le(1 - r, change), le(0, 1 - r))),
        cited(le((1 - r) ** 2, change**2), "squares_in_order", 1 - r, change),
        cited(le(change**2, (1 + r) ** 2), "squares_in_order", change, 1 + r),
        in_order(S, (1 - r) ** 2, change**2),
        in_order(S, change**2, (1 + r) ** 2),
        (
            squared,
            chain(
                z**2 * length**2,
                step(
                    tr(scaled.T @ scaled) * length**2,
                    "a square",
                    instance("frobenius_squared", scaled),
                ),
                step(change**2 * tr(x.T @ x), "by l²"),
                step(change**2 * S, "a square", instance("frobenius_squared", x)),
            ),
        ),
        # ‖g x‖²
        (le(0, UPPER), known(le(0, m), le(0, r))),
        (le(0, LOWER), known(le(m, small), le(r, small))),
        in_order(UPPER, shrunk, length**2),
        in_order(LOWER, length**2, grown),
        (
            le(z**2 * length**2, UPPER * length**2),
            known(
                squared,
                ordered(S, change**2, (1 + r) ** 2),
                ordered(UPPER, shrunk, length**2),
                ordered(S * m, m, small),
                ordered(S * r, m, small),
                ordered(S * r, r, small),
                le(0, S * m),
                le(0, S * r),
            ),
        ),
        (
            le(LOWER * length**2, z**2 * length**2),
            known(
                squared,
                ordered(S, (1 - r) ** 2, change**2),
                ordered(LOWER, length**2, grown),
                le(0, S * m),
                le(0, S * r),
                le(0, S * m * m),
                le(0, S * r * m),
                le(0, S * r * r),
            ),
        ),
        (
            le(z**2, UPPER),
            AtMost(
                chain(
                    UPPER - z**2,
                    step((UPPER * length**2 - z**2 * length**2) / length**2, "over and by l²"),
                )
            ),
        ),
        (
            le(LOWER, z**2),
            AtMost(
                chain(
                    z**2 - LOWER,
                    step((z**2 * length**2 - LOWER * length**2) / length**2, "over and by l²"),
                )
            ),
        ),
        (le(z**2, LENGTH**2), known(le(z**2, UPPER), le(m, small), le(r, small))),
        (le(0, LENGTH), known()),
        root_order(z, LENGTH),
        # ‖e‖²
        cited(le(0, r * z), "nonnegative_product", r, z),
        (le(frobenius(error), r * z), known(instance("smaller_entries", error, r, scaled))),
        (le(z, z), known()),
        norm_of_multiple(minus, one, error, r * z),
        (le(Y, Y), known()),
        norm_of_sum((scaled, z), (error, r * z)),
        norm_of_sum((e, Y), (minus * error, 1 * (r * z))),
        same_norm(e, scaled + error, eq(e, scaled + error)),
        same_norm(scaled, e + minus * error, eq(e, scaled + error)),
        (
            le(Y, longest),
            known(eq(Y, frobenius(scaled + error)), le(frobenius(scaled + error), longest)),
        ),
        (
            le(shortest, Y),
            known(
                eq(z, frobenius(e + minus * error)),
                le(frobenius(e + minus * error), Y + 1 * (r * z)),
            ),
        ),
        in_order(z, r, small),
        (le(0, shortest), known(ordered(z, r, small), le(0, z))),
        cited(le(Y**2, longest**2), "squares_in_order", Y, longest),
        cited(le(shortest**2, Y**2), "squares_in_order", shortest, Y),
        in_order(r, z**2, LENGTH**2),
        cited(le(0, r * r), "nonnegative_product", r, r),
        in_order(r * r, z**2, LENGTH**2),
        (le(0, z**2), AtMost(chain(z**2 - 0, step(z**2, "a square")))),
        cited(le(0, r * r * z**2), "nonnegative_product", r * r, z**2),
        (
            le(Y**2, 1 + ABOUT_ONE),
            known(
                le(Y**2, longest**2),
                le(z**2, UPPER),
                ordered(r, z**2, LENGTH**2),
                ordered(r * r, z**2, LENGTH**2),
                ordered(one * r, r, small),
                le(0, r),
            ),
        ),
        (
            le(1 - ABOUT_ONE, Y**2),
            known(
                le(shortest**2, Y**2),
                le(LOWER, z**2),
                ordered(r, z**2, LENGTH**2),
                le(0, r * r * z**2),
                le(0, r),
            ),
        ),
        (le(Y**2, LENGTH**2), known(le(Y**2, 1 + ABOUT_ONE), le(m, small), le(r, small))),
        root_order(Y, LENGTH),
        (eq(entry(e.T @ e), Y**2), known(instance("frobenius_squared", e))),
        (le(gap(e), ABOUT_ONE), known(eq(entry(e.T @ e), Y**2), le(1 - ABOUT_ONE, Y**2))),
        (le(-ABOUT_ONE, gap(e)), known(eq(entry(e.T @ e), Y**2), le(Y**2, 1 + ABOUT_ONE))),
        within(gap(e), ABOUT_ONE),
    )


changed = 1 + deltas[0]
first_unit: tuple[Line, ...] = (
    (le(1 - r, one), known(le(0, r))),
    (le(one, 1 + r), known(le(0, r))),
    *unit(of.u, 0, one, of.eps[0]),
)
second_unit: tuple[Line, ...] = (
    least(deltas[0]),
    most(deltas[0]),
    (le(1 - r, changed), known(le(-absolute(deltas[0]), deltas[0]), le(absolute(deltas[0]), r))),
    (le(changed, 1 + r), known(le(deltas[0], absolute(deltas[0])), le(absolute(deltas[0]), r))),
    *unit(w_2, 1, changed, of.eps[5]),
)

# ---------------------------------------------------------------- a projection

LEFT = mixed("2.03", "9.2")
"""What is left along e_1, relative to what was projected."""
P = frobenius(e_1)
ACROSS = Fraction("3.03") * r
"""The error of the difference, likewise."""


def along(vector: Expression) -> Expression:
    """e_1ᵀw."""
    return entry(e_1.T @ vector)


def projection(w: Expression, place: int) -> tuple[Line, ...]:
    """|e_1ᵀw'| ≤ (2.03m + 9.2r)‖w‖, for w' = fl(w − x e_1), x = fl(e_1ᵀw); and ‖w‖ against ‖w'‖."""
    after, product = of.w[place], entry(of.x[place]) * e_1
    x, (scaled, rounded) = entry(of.x[place]), of.eps[2 * place + 1 : 2 * place + 3]
    W, after_norm = frobenius(w), frobenius(after)
    taken, off = product + scaled, x - along(w)
    spelled = (w + minus * product) + minus * scaled
    zeta = rounded + minus * scaled
    r_W = r * W
    back = (after + product) + minus * zeta
    parts = (-off, x * gap(e_1), along(zeta))
    apart = parts[0] + parts[1] + parts[2]
    computed = eq(after, w - taken + rounded)
    return (
        at_least_zero_norm(w),
        *shrinking(W),
        at_least_zero(x),
        # x
        inner_product(of.x[place], e_1, w, r, m, m_is),
        in_order(W, P, LENGTH),
        in_order(W * m, P, LENGTH),
        (
            le(absolute(along(w)), LENGTH * W),
            known(instance("trace_at_most", e_1, w), ordered(W, P, LENGTH)),
        ),
        (
            le(absolute(off), LENGTH * (W * m)),
            known(le(absolute(off), m * (P * W)), ordered(W * m, P, LENGTH)),
        ),
        (
            le(absolute(x), Fraction("1.006") * W),
            known(
                instance("absolute_triangle", along(w), off),
                le(absolute(along(w)), LENGTH * W),
                le(absolute(off), LENGTH * (W * m)),
                ordered(W, m, small),
                le(0, W),
            ),
        ),
        # x e_1, rounded
        norm_of_multiple(x, Fraction("1.006") * W, e_1, LENGTH),
        at_least_zero_norm(product),
        in_order(r, frobenius(product), Fraction("1.006") * W * LENGTH),
        (
            le(frobenius(scaled), Fraction("1.0101") * r_W),
            known(
                instance("smaller_entries", scaled, r, product),
                ordered(r, frobenius(product), Fraction("1.006") * W * LENGTH),
                le(0, W * r),
            ),
        ),
        # the difference, rounded
        (le(W, W), known()),
        norm_of_multiple(minus, one, product, Fraction("1.006") * W * LENGTH),
        norm_of_multiple(minus, one, scaled, Fraction("1.0101") * r_W),
        norm_of_sum(
            (w, W),
            (minus * product, 1 * (Fraction("1.006") * W * LENGTH)),
            (minus * scaled, 1 * (Fraction("1.0101") * r_W)),
        ),
        same_norm(w - taken, spelled),
        (
            le(frobenius(w - taken), Fraction("2.012") * W),
            known(
                eq(frobenius(w - taken), frobenius(spelled)),
                le(
                    frobenius(spelled),
                    W + 1 * (Fraction("1.006") * W * LENGTH) + 1 * (Fraction("1.0101") * r_W),
                ),
                ordered(W, r, small),
                le(0, W),
            ),
        ),
        in_order(r, frobenius(w - taken), Fraction("2.012") * W),
        (
            le(frobenius(rounded), Fraction("2.012") * r_W),
            known(
                instance("smaller_entries", rounded, r, w - taken),
                ordered(r, frobenius(w - taken), Fraction("2.012") * W),
            ),
        ),
        norm_of_sum(
            (rounded, Fraction("2.012") * r_W), (minus * scaled, 1 * (Fraction("1.0101") * r_W))
        ),
        at_least_zero_norm(zeta),
        (
            le(frobenius(zeta), ACROSS * W),
            known(
                le(
                    frobenius(zeta),
                    Fraction("2.012") * r_W + 1 * (Fraction("1.0101") * r_W),
                ),
                le(0, W * r),
            ),
        ),
        # what is left along e_1
        (
            eq(along(after), apart),
            chain(
                along(after),
                step(along(w - taken + rounded), "as computed", computed),
                step(apart, "apart"),
            ),
        ),
        *negated(off),
        product_within(x, Fraction("1.006") * W, gap(e_1), ABOUT_ONE),
        times(P, LENGTH, frobenius(zeta), ACROSS * W),
        (
            le(absolute(along(zeta)), LENGTH * (ACROSS * W)),
            known(
                instance("trace_at_most", e_1, zeta),
                le(P * frobenius(zeta), LENGTH * (ACROSS * W)),
            ),
        ),
        sum_within(*parts),
        (
            eq(absolute(along(after)), absolute(apart)),
            chain(absolute(along(after)), step(absolute(apart), "apart", eq(along(after), apart))),
        ),
        (
            le(absolute(along(after)), LEFT * W),
            known(
                eq(absolute(along(after)), absolute(apart)),
                le(absolute(apart), absolute(parts[0]) + absolute(parts[1]) + absolute(parts[2])),
                le(absolute(-off), absolute(off)),
                le(absolute(off), LENGTH * (W * m)),
                le(absolute(parts[1]), Fraction("1.006") * W * ABOUT_ONE),
                le(absolute(parts[2]), LENGTH * (ACROSS * W)),
                le(0, W * m),
                le(0, W * r),
            ),
        ),
        # ‖w‖ against ‖w'‖
        (le(absolute(x), absolute(x)), known()),
        at_least_zero_norm(after),
        (le(after_norm, after_norm), known()),
        norm_of_multiple(x, absolute(x), e_1, LENGTH),
        norm_of_multiple(minus, one, zeta, ACROSS * W),
        norm_of_sum(
            (after, after_norm),
            (product, absolute(x) * LENGTH),
            (minus * zeta, 1 * (ACROSS * W)),
        ),
        same_norm(w, back, computed),
        (
            le(W, after_norm + absolute(x) * LENGTH + ACROSS * W),
            known(
                eq(W, frobenius(back)),
                le(frobenius(back), after_norm + absolute(x) * LENGTH + 1 * (ACROSS * W)),
            ),
        ),
    )


first_projection = projection(of.v, 0)
second_projection = projection(w_1, 1)

# ---------------------------------------------------------------- twice is enough

V, w_1_norm, w_2_norm = frobenius(of.v), frobenius(w_1), frobenius(w_2)
x_1, x_2 = (entry(x) for x in of.x)
size_1, size_2 = absolute(x_1), absolute(x_2)
threshold = mixed("12", "64") * size_1
length_2, kept_by = entry(of.length[1]), 1 + deltas[5]
off_2 = x_2 - along(w_1)
reciprocal, eps_6 = of.reciprocals[1], of.eps[5]
z_2 = frobenius(reciprocal * w_2)
turn = entry(e_1.T @ e_2)
TURN = mixed("2.45", "12.2")
"""How far e_1ᵀe_2 is from 0."""
second_left = mixed("2.436", "11.04")
scaled_length = eq(second_left * z_2, second_left * (absolute(reciprocal) * w_2_norm))
turn_parts = reciprocal * along(w_2), along(eps_6)
orthogonal: tuple[Line, ...] = (
    # ‖v‖ ≤ 1.004‖w_1‖ + 1.008|x_1|
    *shrinking(size_1),
    *shrinking(w_1_norm),
    (
        le(V, Fraction("1.004") * w_1_norm + Fraction("1.008") * size_1),
        known(
            le(V, w_1_norm + size_1 * LENGTH + ACROSS * V),
            ordered(V, r, small),
            le(0, w_1_norm),
            le(0, size_1),
        ),
    ),
    # the threshold
    least(deltas[5]),
    (
        le(1 - r, kept_by),
        known(le(-absolute(deltas[5]), deltas[5]), le(absolute(deltas[5]), r)),
    ),
    (le(0, threshold), known(le(0, size_1 * m), le(0, size_1 * r))),
    in_order(threshold, 1 - r, kept_by),
    in_order(threshold, r, small),
    (le(0, length_2), known(lt(0, length_2))),
    (
        eq(of.threshold * size_1 * kept_by, threshold * kept_by),
        chain(
            of.threshold * size_1 * kept_by,
            step(threshold * kept_by, "m", m_is),
        ),
    ),
    (
        le(threshold, Fraction("1.001") * length_2),
        known(
            of.kept,
            eq(of.threshold * size_1 * kept_by, threshold * kept_by),
            ordered(threshold, 1 - r, kept_by),
            ordered(threshold, r, small),
            le(0, length_2),
        ),
    ),
    (
        le(threshold, Fraction("1.00301") * w_2_norm),
        known(
            le(threshold, Fraction("1.001") * length_2),
            le(length_2, Fraction("1.002") * w_2_norm),
            le(0, w_2_norm),
        ),
    ),
    # |x_2|, and ‖w_1‖ ≤ 1.2‖w_2‖
    (le(0, LEFT), known(le(0, m), le(0, r))),
    in_order(LEFT, V, Fraction("1.004") * w_1_norm + Fraction("1.008") * size_1),
    (
        le(size_2, LEFT * V + LENGTH * (w_1_norm * m)),
        known(
            instance("absolute_triangle", along(w_1), off_2),
            le(absolute(along(w_1)), LEFT * V),
            le(absolute(off_2), LENGTH * (w_1_norm * m)),
        ),
    ),
    (
        le(LEFT * (Fraction("1.008") * size_1), Fraction("0.171") * threshold),
        known(le(0, size_1 * m), le(0, size_1 * r)),
    ),
    (
        le(LEFT * (Fraction("1.004") * w_1_norm), Fraction("0.01102") * w_1_norm),
        known(ordered(w_1_norm, m, small), ordered(w_1_norm, r, small), le(0, w_1_norm)),
    ),
    (
        le(size_2, Fraction("0.172") * w_2_norm + Fraction("0.0121") * w_1_norm),
        known(
            le(size_2, LEFT * V + LENGTH * (w_1_norm * m)),
            ordered(LEFT, V, Fraction("1.004") * w_1_norm + Fraction("1.008") * size_1),
            le(LEFT * (Fraction("1.008") * size_1), Fraction("0.171") * threshold),
            le(LEFT * (Fraction("1.004") * w_1_norm), Fraction("0.01102") * w_1_norm),
            le(threshold, Fraction("1.00301") * w_2_norm),
            ordered(w_1_norm, m, small),
            le(0, w_2_norm),
            le(0, w_1_norm),
        ),
    ),
    (
        le(w_1_norm, Fraction("1.2") * w_2_norm),
        known(
            le(w_1_norm, w_2_norm + size_2 * LENGTH + ACROSS * w_1_norm),
            le(size_2, Fraction("0.172") * w_2_norm + Fraction("0.0121") * w_1_norm),
            ordered(w_1_norm, r, small),
            le(0, w_2_norm),
            le(0, w_1_norm),
        ),
    ),
    # e_1ᵀe_2
    in_order(LEFT, w_1_norm, Fraction("1.2") * w_2_norm),
    (
        le(absolute(along(w_2)), second_left * w_2_norm),
        known(
            le(absolute(along(w_2)), LEFT * w_1_norm),
            ordered(LEFT, w_1_norm, Fraction("1.2") * w_2_norm),
        ),
    ),
    at_least_zero(reciprocal),
    in_order(absolute(reciprocal), absolute(along(w_2)), second_left * w_2_norm),
    (le(0, second_left), known(le(0, m), le(0, r))),
    in_order(second_left, z_2, LENGTH),
    (
        scaled_length,
        chain(
            second_left * z_2,
            step(
                scaled_length.right, "a multiple", instance("frobenius_multiple", reciprocal, w_2)
            ),
        ),
    ),
    (
        le(absolute(turn_parts[0]), second_left * LENGTH),
        known(
            instance("absolute_product", reciprocal, along(w_2)),
            scaled_length,
            ordered(absolute(reciprocal), absolute(along(w_2)), second_left * w_2_norm),
            ordered(second_left, z_2, LENGTH),
        ),
    ),
    at_least_zero_norm(eps_6),
    times(P, LENGTH, frobenius(eps_6), r * z_2),
    in_order(r, z_2, LENGTH),
    (
        le(absolute(turn_parts[1]), Fraction("1.0081") * r),
        known(
            instance("trace_at_most", e_1, eps_6),
            le(P * frobenius(eps_6), LENGTH * (r * z_2)),
            ordered(r, z_2, LENGTH),
            le(0, r),
        ),
    ),
    (
        eq(turn, turn_parts[0] + turn_parts[1]),
        chain(
            turn,
            step(along(reciprocal * w_2 + eps_6), "e_2", eq(e_2, reciprocal * w_2 + eps_6)),
            step(turn_parts[0] + turn_parts[1], "apart"),
        ),
    ),
    (
        eq(absolute(turn), absolute(turn_parts[0] + turn_parts[1])),
        chain(
            absolute(turn),
            step(
                absolute(turn_parts[0] + turn_parts[1]),
                "apart",
                eq(turn, turn_parts[0] + turn_parts[1]),
            ),
        ),
    ),
    (
        le(absolute(turn), TURN),
        known(
            eq(absolute(turn), absolute(turn_parts[0] + turn_parts[1])),
            instance("absolute_triangle", *turn_parts),
            le(absolute(turn_parts[0]), second_left * LENGTH),
            le(absolute(turn_parts[1]), Fraction("1.0081") * r),
            le(0, m),
            le(0, r),
        ),
    ),
)

# ---------------------------------------------------------------- the angle

tau, sine, versine = of.tau, of.sine, of.versine
_, d_2, d_3, d_4, d_5, _, *_ = deltas
L = 1 + tau**2
K_parts = (tau**2 + 1 + d_2, 1 + d_3)
K = K_parts[0] * K_parts[1]
theta, phi, s_0, c_0 = (scalar(name) for name in ("theta", "phi", "s_0", "c_0"))
theta_is = eq(theta, ((1 + d_4) * L - K) / K)
phi_is = eq(phi, (1 + theta) * (1 + d_5) - 1)
s_0_is, c_0_is = eq(s_0, 2 * tau / L), eq(c_0, 2 * tau**2 / L)
on_circle = eq(s_0**2 + c_0**2, 2 * c_0)
sine_is, versine_is = eq(sine, s_0 * (1 + theta)), eq(versine, c_0 * (1 + phi))
theta_most, phi_most = Fraction("3.1") * r, Fraction("4.2") * r
SINE, VERSINE = bound("1.004"), bound("2.01")
off_parts = (L * d_4, -d_2, -(L * d_3), -(d_2 * d_3))
off_together = off_parts[0] + off_parts[1] + off_parts[2] + off_parts[3]
p, q = scalar("sin_c"), scalar("vers_c")
psi = versine**2 + sine**2 - 2 * versine
psi_parts = (
    2 * (c_0 * (c_0 - 1)) * phi,
    2 * s_0**2 * theta,
    (c_0 * phi) * (c_0 * phi),
    (s_0 * theta) * (s_0 * theta),
)
psi_together = psi_parts[0] + psi_parts[1] + psi_parts[2] + psi_parts[3]
PSI = Fraction("23.2") * r


def sizes_of(*terms: Expression) -> Expression:
    """|t₁| + … + |tₙ|."""
    return total_of([absolute(term) for term in terms])


angle: tuple[Line, ...] = (
    not_negative(tau**2, "a square"),
    (le(1, L), known(le(0, tau**2))),
    (le(0, L), known(le(1, L))),
    (le(absolute(L), L), known(instance("absolute_of_nonnegative", L))),
    in_order(r, one, L),
    in_order(L, r, small),
    cited(le(0, L * r), "nonnegative_product", L, r),
    # the divisor
    *(line for delta in (d_2, d_3) for line in (least(delta), most(delta))),
    product_within(L, L, d_3, r),
    product_within(L, L, d_4, r),
    product_within(d_2, r, d_3, r),
    least(L * d_3),
    least(d_2 * d_3),
    (
        lt(0, K_parts[0]),
        known(le(0, tau**2), le(-absolute(d_2), d_2), le(absolute(d_2), r), le(r, small)),
    ),
    (lt(0, K_parts[1]), known(le(-absolute(d_3), d_3), le(absolute(d_3), r), le(r, small))),
    cited(lt(0, K), "positive_product", *K_parts),
    (le(0, K), known(lt(0, K))),
    (
        le(Fraction("0.997") * L, K),
        known(
            le(-absolute(d_2), d_2),
            le(absolute(d_2), r),
            le(-absolute(L * d_3), L * d_3),
            le(absolute(L * d_3), L * r),
            le(-absolute(d_2 * d_3), d_2 * d_3),
            le(absolute(d_2 * d_3), r * r),
            ordered(one * r, r, small),
            ordered(r, one, L),
            ordered(L, r, small),
            le(0, L * r),
            le(0, r),
        ),
    ),
    # θ
    letter(theta, ((1 + d_4) * L - K) / K),
    *(line for part in (d_2, L * d_3, d_2 * d_3) for line in negated(part)),
    sum_within(*off_parts),
    (eq(theta * K, off_together), chain(theta * K, step(off_together, "by K", theta_is))),
    (
        eq(absolute(theta) * K, absolute(off_together)),
        chain(
            absolute(theta) * K,
            step(absolute(theta) * absolute(K), "K > 0", instance("absolute_of_nonnegative", K)),
            step(absolute(theta * K), "a product", instance("absolute_product", theta, K)),
            step(absolute(off_together), "equal", eq(theta * K, off_together)),
        ),
    ),
    (le(0, theta_most), known(le(0, r))),
    in_order(theta_most, Fraction("0.997") * L, K),
    (
        le(absolute(theta) * K, theta_most * K),
        known(
            eq(absolute(theta) * K, absolute(off_together)),
            le(absolute(off_together), sizes_of(*off_parts)),
            *(le(absolute(-part), absolute(part)) for part in (d_2, L * d_3, d_2 * d_3)),
            le(absolute(d_2), r),
            le(absolute(L * d_3), L * r),
            le(absolute(L * d_4), L * r),
            le(absolute(d_2 * d_3), r * r),
            ordered(one * r, r, small),
            ordered(r, one, L),
            ordered(theta_most, Fraction("0.997") * L, K),
            le(0, L * r),
        ),
    ),
    (
        le(absolute(theta), theta_most),
        AtMost(
            chain(
                theta_most - absolute(theta),
                step((theta_most * K - absolute(theta) * K) / K, "over and by K"),
            )
        ),
    ),
    # φ
    letter(phi, (1 + theta) * (1 + d_5) - 1),
    product_within(theta, theta_most, d_5, r),
    (
        eq(absolute(phi), absolute(theta + d_5 + theta * d_5)),
        chain(absolute(phi), step(absolute(theta + d_5 + theta * d_5), "apart", phi_is)),
    ),
    sum_within(theta, d_5, theta * d_5),
    (
        le(absolute(phi), phi_most),
        known(
            eq(absolute(phi), absolute(theta + d_5 + theta * d_5)),
            le(absolute(theta + d_5 + theta * d_5), sizes_of(theta, d_5, theta * d_5)),
            le(absolute(theta), theta_most),
            le(absolute(d_5), r),
            le(absolute(theta * d_5), theta_most * r),
            ordered(one * r, r, small),
            le(0, r),
        ),
    ),
    # the exact sine, and 1 − cosine
    letter(s_0, 2 * tau / L),
    letter(c_0, 2 * tau**2 / L),
    (
        on_circle,
        chain(s_0**2 + c_0**2, step(2 * c_0, "over (1 + τ²)²", s_0_is, c_0_is)),
    ),
    (
        le(absolute(s_0) ** 2, one**2),
        AtMost(
            chain(
                one**2 - absolute(s_0) ** 2,
                step(1 - s_0**2, "squares", instance("square_of_absolute", s_0)),
                step(((1 - tau**2) / L) ** 2, "a square", s_0_is),
            )
        ),
    ),
    root_order(absolute(s_0), one),
    (le(0, c_0), AtMost(chain(c_0 - 0, step(2 * tau**2 / L, "its value", c_0_is)))),
    (le(c_0, 2), AtMost(chain(2 - c_0, step(2 / L, "over 1 + τ²", c_0_is)))),
    (le(absolute(c_0), 2), known(instance("absolute_of_nonnegative", c_0), le(c_0, 2))),
    # as computed
    (
        sine_is,
        chain(
            sine,
            step(2 * tau * (1 + d_4) / K, "over τ"),
            step(s_0 * (1 + theta), "over 1 + τ²", s_0_is, theta_is),
        ),
    ),
    (
        versine_is,
        chain(
            versine,
            step(tau * (s_0 * (1 + theta)) * (1 + d_5), "the sine", sine_is),
            step(c_0 * (1 + phi), "over 1 + τ²", s_0_is, c_0_is, phi_is),
        ),
    ),
    *(
        (
            le(absolute(1 + error), most_of),
            known(
                instance("absolute_triangle", one, error),
                ONE_ITSELF,
                le(absolute(error), at_most),
                le(r, small),
            ),
        )
        for error, at_most, most_of in (
            (theta, theta_most, SINE),
            (phi, phi_most, bound("1.005")),
        )
    ),
    product_within(s_0, one, 1 + theta, SINE),
    product_within(c_0, as_expression(2), 1 + phi, bound("1.005")),
    *(
        (
            eq(absolute(value), absolute(is_.right)),
            chain(absolute(value), step(absolute(is_.right), "its value", is_)),
        )
        for value, is_ in ((sine, sine_is), (versine, versine_is))
    ),
    (
        le(absolute(sine), SINE),
        known(eq(absolute(sine), absolute(sine_is.right)), le(absolute(sine_is.right), one * SINE)),
    ),
    (
        le(absolute(versine), VERSINE),
        known(
            eq(absolute(versine), absolute(versine_is.right)),
            le(absolute(versine_is.right), as_expression(2) * bound("1.005")),
        ),
    ),
    # ψ
    (
        le(c_0 * (c_0 - 1), 2),
        AtMost(
            chain(
                2 - c_0 * (c_0 - 1),
                step((2 - c_0) * (1 + c_0), "factors"),
            )
        ),
    ),
    (
        le(-as_expression(2), c_0 * (c_0 - 1)),
        AtMost(
            chain(
                c_0 * (c_0 - 1) - (-as_expression(2)),
                step((c_0 - Fraction(1, 2)) ** 2 + Fraction(7, 4), "a square"),
            )
        ),
    ),
    within(c_0 * (c_0 - 1), as_expression(2)),
    (le(as_expression(0), 2), known()),
    (
        le(absolute(as_expression(2)), 2),
        known(instance("absolute_of_nonnegative", as_expression(2))),
    ),
    product_within(as_expression(2), as_expression(2), c_0 * (c_0 - 1), as_expression(2)),
    (
        le(absolute(2 * (c_0 * (c_0 - 1))), 4),
        known(le(absolute(2 * (c_0 * (c_0 - 1))), as_expression(2) * as_expression(2))),
    ),
    not_negative(2 * s_0**2, "a square"),
    (
        le(absolute(2 * s_0**2), 2),
        known(
            instance("absolute_of_nonnegative", 2 * s_0**2),
            le(absolute(s_0) ** 2, one**2),
            instance("square_of_absolute", s_0),
        ),
    ),
    product_within(2 * (c_0 * (c_0 - 1)), as_expression(4), phi, phi_most),
    product_within(2 * s_0**2, as_expression(2), theta, theta_most),
    product_within(c_0, as_expression(2), phi, phi_most),
    product_within(s_0, one, theta, theta_most),
    product_within(c_0 * phi, 2 * phi_most, c_0 * phi, 2 * phi_most),
    product_within(s_0 * theta, 1 * theta_most, s_0 * theta, 1 * theta_most),
    (
        eq(psi, psi_together),
        chain(
            psi,
            step(
                (c_0 * (1 + phi)) ** 2 + (s_0 * (1 + theta)) ** 2 - 2 * (c_0 * (1 + phi)),
                "as computed",
                versine_is,
                sine_is,
            ),
            step(psi_together, "on the circle", on_circle),
        ),
    ),
    (
        eq(absolute(psi), absolute(psi_together)),
        chain(absolute(psi), step(absolute(psi_together), "apart", eq(psi, psi_together))),
    ),
    sum_within(*psi_parts),
    (
        le(absolute(psi), PSI),
        known(
            eq(absolute(psi), absolute(psi_together)),
            le(absolute(psi_together), sizes_of(*psi_parts)),
            le(absolute(psi_parts[0]), as_expression(4) * phi_most),
            le(absolute(psi_parts[1]), as_expression(2) * theta_most),
            le(absolute(psi_parts[2]), 2 * phi_most * (2 * phi_most)),
            le(absolute(psi_parts[3]), 1 * theta_most * (1 * theta_most)),
            ordered(one * r, r, small),
            le(0, r),
        ),
    ),
)


# ---------------------------------------------------------------- F

F_1, F_2 = of.F
IDEAL, COLUMN = bound("3.03"), bound("3.04")  # the most that a column of F is, without and with
OFF = Fraction("6.1") * r  # its roundings
sine_e = [sine * e for e in of.e]
versine_e = [versine * e for e in of.e]
ideal_letters = vector("G_1", n), vector("G_2", n)
off_letters = vector("Delta_1", n), vector("Delta_2", n)
ideal_columns = versine_e[0] - sine_e[1], sine_e[0] + versine_e[1]


def size_of_term(term: Expression) -> Proposition:
    """What is known of the size of a term of a coefficient."""
    if term == psi_of:
        return le(absolute(term), PSI)
    if term == 2 * (qp * turn):
        return le(absolute(term), as_expression(2) * (square_most[qp] * TURN))
    return le(absolute(term), term_bounds[term])


def column(place: int) -> tuple[Line, ...]:
    """F = F° + Δ with ‖F°‖ ≤ 3.03, ‖Δ‖ ≤ 6.1r and ‖F‖ ≤ 3.04."""
    first, second = of.terms(place)
    errors = of.eps[3 * place + 6 : 3 * place + 9]
    coefficients = ((versine, VERSINE), (sine, SINE))
    if place == 1:
        coefficients = (coefficients[1], coefficients[0])
    mosts = [c * LENGTH for _, c in coefficients]
    sign = minus if place == 0 else one
    summed = (
        (first + errors[0]) - (second + errors[1])
        if place == 0
        else (first + errors[0]) + (second + errors[1])
    )
    spelled = ((first + errors[0]) + sign * second) + sign * errors[1]
    ideal, ideal_spelled = ideal_columns[place], first + sign * second
    whole = of.F[place]
    delta = (errors[0] + sign * errors[1]) + errors[2]
    G, Delta = ideal_letters[place], off_letters[place]
    r_most = [r * value for value in mosts]
    return (
        *(
            line
            for (c, most_of), term, e, error, value in zip(
                coefficients, (first, second), of.e, errors[:2], mosts, strict=True
            )
            for line in (
                norm_of_multiple(c, most_of, e, LENGTH),
                at_least_zero_norm(term),
                in_order(r, frobenius(term), value),
                (
                    le(frobenius(error), r * value),
                    known(
                        instance("smaller_entries", error, r, term),
                        ordered(r, frobenius(term), value),
                    ),
                ),
            )
        ),
        norm_of_multiple(sign, one, second, mosts[1]),
        norm_of_multiple(sign, one, errors[1], r_most[1]),
        norm_of_sum((first, mosts[0]), (sign * second, 1 * mosts[1])),
        norm_of_sum(
            (first, mosts[0]),
            (errors[0], r_most[0]),
            (sign * second, 1 * mosts[1]),
            (sign * errors[1], 1 * r_most[1]),
        ),
        same_norm(ideal, ideal_spelled),
        same_norm(summed, spelled),
        (
            le(frobenius(ideal), IDEAL),
            known(
                eq(frobenius(ideal), frobenius(ideal_spelled)),
                le(frobenius(ideal_spelled), mosts[0] + 1 * mosts[1]),
            ),
        ),
        (
            le(frobenius(summed), COLUMN),
            known(
                eq(frobenius(summed), frobenius(spelled)),
                le(frobenius(spelled), mosts[0] + r_most[0] + 1 * mosts[1] + 1 * r_most[1]),
                le(r, small),
            ),
        ),
        in_order(r, frobenius(summed), COLUMN),
        (
            le(frobenius(errors[2]), r * COLUMN),
            known(
                instance("smaller_entries", errors[2], r, summed),
                ordered(r, frobenius(summed), COLUMN),
            ),
        ),
        norm_of_sum(
            (errors[0], r_most[0]), (sign * errors[1], 1 * r_most[1]), (errors[2], r * COLUMN)
        ),
        (
            le(frobenius(delta), OFF),
            known(
                le(frobenius(delta), r_most[0] + 1 * r_most[1] + r * COLUMN),
                le(0, r),
            ),
        ),
        # F° and Δ
        letter(G, ideal),
        letter(Delta, delta),
        same_norm(G, ideal, eq(G, ideal)),
        same_norm(Delta, delta, eq(Delta, delta)),
        (
            le(frobenius(G), IDEAL),
            known(eq(frobenius(G), frobenius(ideal)), le(frobenius(ideal), IDEAL)),
        ),
        (
            le(frobenius(Delta), OFF),
            known(eq(frobenius(Delta), frobenius(delta)), le(frobenius(delta), OFF)),
        ),
        (
            eq(whole, G + Delta),
            chain(
                whole,
                step(summed + errors[2], "as computed", eq(whole, summed + errors[2])),
                step(G + Delta, "apart", eq(G, ideal), eq(Delta, delta)),
            ),
        ),
        norm_of_sum((G, IDEAL), (Delta, OFF)),
        same_norm(whole, G + Delta, eq(whole, G + Delta)),
        (
            le(frobenius(whole), COLUMN),
            known(
                eq(frobenius(whole), frobenius(G + Delta)),
                le(frobenius(G + Delta), IDEAL + OFF),
                le(r, small),
            ),
        ),
    )


columns = (*column(0), *column(1))

# ---------------------------------------------------------------- the matrix

G_1, G_2 = ideal_letters
Z, Q = of.Z, of.Q
products = F_1 @ e_1.T, F_2 @ e_2.T
PRODUCT = COLUMN * LENGTH
PRODUCT_ROUNDED = r * PRODUCT
identity_norm = frobenius(identity)
E_2_most, E_4_most = m + Fraction("3.06") * r, m + Fraction("6.13") * r
first_taken = [
    (identity, identity_norm),
    (minus * products[0], 1 * PRODUCT),
    (minus * of.E[0], 1 * PRODUCT_ROUNDED),
]
before = (
    first_taken,
    [
        *first_taken,
        (of.E[1], E_2_most),
        (minus * products[1], 1 * PRODUCT),
        (minus * of.E[2], 1 * PRODUCT_ROUNDED),
    ],
)  # what is rounded last, term by term, with bounds


def taken_off(place: int) -> tuple[Line, ...]:
    """The roundings of a matrix less F_k e_kᵀ."""
    start, product = (identity, Z)[place], products[place]
    e, whole = of.e[place], of.F[place]
    rounded, off = of.E[2 * place : 2 * place + 2]
    off_most = (E_2_most, E_4_most)[place]
    exact = start - (product + rounded)
    spelled = total_of([matrix for matrix, _ in before[place]])
    total = total_of([most_of for _, most_of in before[place]])
    using = () if place == 0 else (eq(Z, identity - (products[0] + of.E[0]) + of.E[1]),)
    return (
        (
            le(frobenius(e.T), LENGTH),
            known(instance("frobenius_transpose", e), le(frobenius(e), LENGTH)),
        ),
        norm_of_product(whole, COLUMN, e.T, LENGTH),
        at_least_zero_norm(product),
        in_order(r, frobenius(product), PRODUCT),
        (
            le(frobenius(rounded), PRODUCT_ROUNDED),
            known(
                instance("smaller_entries", rounded, r, product),
                ordered(r, frobenius(product), PRODUCT),
            ),
        ),
        norm_of_multiple(minus, one, product, PRODUCT),
        norm_of_multiple(minus, one, rounded, PRODUCT_ROUNDED),
        norm_of_sum(*before[place]),
        same_norm(exact, spelled, *using),
        (
            le(frobenius(exact), total),
            known(eq(frobenius(exact), frobenius(spelled)), le(frobenius(spelled), total)),
        ),
        in_order(r, frobenius(exact), total),
        (
            le(frobenius(off), off_most),
            known(
                instance("smaller_entries", off, r, exact),
                ordered(r, frobenius(exact), total),
                le(r * identity_norm, m),
                ordered(one * r, r, small),
                ordered(one * r, m, small),
                le(0, r),
            ),
        ),
    )


R, Delta = matrix("R", n, n), matrix("Delta", n, n)
R_parts = minus * (G_1 @ e_1.T), minus * (G_2 @ e_2.T)
R_is, Delta_is = eq(R, R_parts[0] + R_parts[1]), eq(Delta, Q - identity - R)
OUTER = IDEAL * LENGTH
R_in_basis = minus * ((q * e_1 - p * e_2) @ e_1.T) + minus * ((p * e_1 + q * e_2) @ e_2.T)
R_MOST, DELTA_MOST = bound("6.0843"), mixed("2", "27.6")
Delta_1, Delta_2 = off_letters
changes = (
    (minus * (Delta_1 @ e_1.T), 1 * (OFF * LENGTH)),
    (minus * (Delta_2 @ e_2.T), 1 * (OFF * LENGTH)),
    (minus * of.E[0], 1 * PRODUCT_ROUNDED),
    (of.E[1], E_2_most),
    (minus * of.E[2], 1 * PRODUCT_ROUNDED),
    (of.E[3], E_4_most),
)
change = total_of([matrix for matrix, _ in changes])
matrices: tuple[Line, ...] = (
    *norm_of_identity(n),
    in_order(r, identity_norm, count),
    (
        le(r * identity_norm, m),
        known(ordered(r, identity_norm, count), m_is),
    ),
    (le(identity_norm, identity_norm), known()),
    *taken_off(0),
    *taken_off(1),
    letter(R, R_is.right),
    letter(Delta, Delta_is.right),
    *(
        line
        for vector, most_of, e in (
            (G_1, IDEAL, e_1),
            (G_2, IDEAL, e_2),
            (Delta_1, OFF, e_1),
            (Delta_2, OFF, e_2),
        )
        for line in (
            norm_of_product(vector, most_of, e.T, LENGTH),
            norm_of_multiple(minus, one, vector @ e.T, most_of * LENGTH),
        )
    ),
    norm_of_sum((R_parts[0], 1 * OUTER), (R_parts[1], 1 * OUTER)),
    same_norm(R, R_is.right, R_is),
    (
        le(frobenius(R), R_MOST),
        known(
            eq(frobenius(R), frobenius(R_is.right)),
            le(frobenius(R_is.right), 1 * OUTER + 1 * OUTER),
        ),
    ),
    (
        eq(Delta, change),
        chain(
            Delta,
            step(Delta_is.right, "what is left", Delta_is),
            step(
                (Z - (products[1] + of.E[2]) + of.E[3]) - identity - R_is.right,
                "as computed",
                eq(Q, Z - (products[1] + of.E[2]) + of.E[3]),
                R_is,
            ),
            step(
                (
                    (identity - ((G_1 + Delta_1) @ e_1.T + of.E[0]) + of.E[1])
                    - ((G_2 + Delta_2) @ e_2.T + of.E[2])
                    + of.E[3]
                )
                - identity
                - R_is.right,
                "F° and Δ",
                eq(Z, identity - (products[0] + of.E[0]) + of.E[1]),
                eq(F_1, G_1 + Delta_1),
                eq(F_2, G_2 + Delta_2),
            ),
            step(change, "apart"),
        ),
    ),
    norm_of_sum(*changes),
    same_norm(Delta, change, eq(Delta, change)),
    (
        le(frobenius(Delta), DELTA_MOST),
        known(
            eq(frobenius(Delta), frobenius(change)),
            le(frobenius(change), total_of([most_of for _, most_of in changes])),
            le(0, r),
        ),
    ),
    (eq(Q, identity + R + Delta), chain(Q, step(identity + R + Delta, "Δ", Delta_is))),
)

# ---------------------------------------------------------------- the defect without roundings of F

p_is, q_is = eq(p, sine), eq(q, versine)
gap_1, gap_2 = gap(e_1), gap(e_2)
psi_of = q**2 + p**2 - 2 * q
qq, pp, qp = q * q, p * p, q * p
coefficients = (
    (psi_of, -(qq * gap_1), -(pp * gap_2), -(2 * (qp * turn))),
    (psi_of, -(pp * gap_1), -(qq * gap_2), 2 * (qp * turn)),
    (qp * gap_2, -(qp * gap_1), qq * turn, -(pp * turn)),
)
of_one, of_two = mixed("15", "103.3"), mixed("16.5", "86.3")
values = [total_of(terms) for terms in coefficients]
ideal = R + R.T + R.T @ R
outer = LENGTH * LENGTH
words = (
    (values[0], of_one, e_1, e_1),
    (values[1], of_one, e_2, e_2),
    (values[2], of_two, e_1, e_2),
    (values[2], of_two, e_2, e_1),
)
expanded = total_of([value * (a @ b.T) for value, _, a, b in words])
IDEAL_DEFECT = mixed("63.6", "382.3")
squares = ((q, VERSINE, q, VERSINE), (p, SINE, p, SINE), (q, VERSINE, p, SINE))
square_most = {qq: VERSINE * VERSINE, pp: SINE * SINE, qp: VERSINE * SINE}
term_bounds = {
    **{x * g: most_of * ABOUT_ONE for x, most_of in square_most.items() for g in (gap_1, gap_2)},
    **{x * turn: most_of * TURN for x, most_of in square_most.items()},
}
without_roundings: tuple[Line, ...] = (
    letter(p, sine),
    letter(q, versine),
    (eq(absolute(p), absolute(sine)), chain(absolute(p), step(absolute(sine), "sin", p_is))),
    (
        eq(absolute(q), absolute(versine)),
        chain(absolute(q), step(absolute(versine), "1 − cos", q_is)),
    ),
    (le(absolute(p), SINE), known(eq(absolute(p), absolute(sine)), le(absolute(sine), SINE))),
    (
        le(absolute(q), VERSINE),
        known(eq(absolute(q), absolute(versine)), le(absolute(versine), VERSINE)),
    ),
    (
        eq(absolute(psi_of), absolute(psi)),
        chain(absolute(psi_of), step(absolute(psi), "sin and 1 − cos", p_is, q_is)),
    ),
    (
        le(absolute(psi_of), PSI),
        known(eq(absolute(psi_of), absolute(psi)), le(absolute(psi), PSI)),
    ),
    *(product_within(*factors) for factors in squares),
    *(
        product_within(x, most_of, g, near)
        for x, most_of in square_most.items()
        for g, near in ((gap_1, ABOUT_ONE), (gap_2, ABOUT_ONE), (turn, TURN))
    ),
    product_within(as_expression(2), as_expression(2), qp * turn, square_most[qp] * TURN),
    *(
        line
        for term in (
            qq * gap_1,
            pp * gap_1,
            qp * gap_1,
            qq * gap_2,
            pp * gap_2,
            pp * turn,
            2 * (qp * turn),
        )
        for line in negated(term)
    ),
    *(
        line
        for terms, most_of in zip(coefficients, (of_one, of_one, of_two), strict=True)
        for line in (
            sum_within(*terms),
            (
                le(absolute(total_of(terms)), most_of),
                known(
                    le(absolute(total_of(terms)), sizes_of(*terms)),
                    *(
                        le(absolute(term), absolute(term.body))
                        for term in terms
                        if isinstance(term, Neg)
                    ),
                    *(size_of_term(term.body if isinstance(term, Neg) else term) for term in terms),
                    le(0, m),
                    le(0, r),
                ),
            ),
        )
    ),
    *(
        line
        for value, most_of, a, b in words
        for line in (
            norm_of_product(a, LENGTH, b.T, LENGTH),
            norm_of_multiple(value, most_of, a @ b.T, outer),
        )
    ),
    norm_of_sum(*((value * (a @ b.T), most_of * outer) for value, most_of, a, b in words)),
    (
        eq(R, R_in_basis),
        chain(
            R,
            step(R_is.right, "R", R_is),
            step(
                minus * (ideal_columns[0] @ e_1.T) + minus * (ideal_columns[1] @ e_2.T),
                "F°",
                eq(G_1, ideal_columns[0]),
                eq(G_2, ideal_columns[1]),
            ),
            step(
                R_in_basis,
                "sin and 1 − cos",
                p_is,
                q_is,
            ),
        ),
    ),
    (
        eq(ideal, expanded),
        chain(
            ideal,
            step(
                expanded,
                "multiplied out",
                eq(R, R_in_basis),
            ),
        ),
    ),
    same_norm(ideal, expanded, eq(ideal, expanded)),
    (
        le(frobenius(ideal), IDEAL_DEFECT),
        known(
            eq(frobenius(ideal), frobenius(expanded)),
            le(frobenius(expanded), total_of([most_of * outer for _, most_of, _, _ in words])),
            le(0, m),
            le(0, r),
        ),
    ),
)

# ---------------------------------------------------------------- together

defect = Q.T @ Q - identity
whole = mixed("93", "780")
together: tuple[Line, ...] = (
    *defect_of(Q, R, R_MOST, Delta, DELTA_MOST),
    (
        le(frobenius(defect), whole),
        known(
            defect_bound(Q, R, R_MOST, Delta, DELTA_MOST),
            le(frobenius(ideal), IDEAL_DEFECT),
            *tiny,
        ),
    ),
    at_least_zero_norm(defect),
    cited(le(frobenius(defect) ** 2, whole**2), "squares_in_order", frobenius(defect), whole),
    (
        le(tr(defect.T @ defect), whole**2),
        known(instance("frobenius_squared", defect), le(frobenius(defect) ** 2, whole**2)),
    ),
)
blocks = (
    numbers, first_unit, first_projection, second_projection, second_unit, orthogonal, angle,
    columns, matrices, without_roundings, together,
)  # fmt: skip
derivation = lines(
    *(line for block in blocks for line in block),
    last=AtMost(
        chain(
            of.bound**2 - tr(defect.T @ defect),
            step(whole**2 - tr(defect.T @ defect), "m", m_is),
        )
    ),
)


def computed_as(other: PlaneBasis) -> Claim:
    """The statement of another spelling."""
    return restate(claim, given=other.given)


def with_hypothesis(old: Proposition, new: Proposition) -> Claim:
    """The statement with one hypothesis exchanged."""
    if old not in claim.given:
        raise ValueError(f"there is no hypothesis {old}")
    return restate(claim, given=[new if given == old else given for given in claim.given])


def rows(text: str) -> list[list[str]]:
    """A matrix, its rows separated by commas."""
    return [row.split() for row in text.split(",")]


QUARTER_TURN = {
    "sizes": {"n": 2},
    "values": {
        "r": "1/8192",
        "tau": "1",
        **{delta.name: "0" for delta in deltas[:6]},
        "u": rows("3, 4"),
        "v": rows("4, 22"),
        "N_1": rows("25"),
        "l_1": rows("5"),
        "e_1": rows("3/5, 4/5"),
        "x_1": rows("20"),
        "x_2": rows("0"),
        **dict.fromkeys(("w_1", "w_2"), rows("-8, 6")),
        "N_2": rows("100"),
        "l_2": rows("10"),
        "e_2": rows("-4/5, 3/5"),
        "F_1": rows("7/5, 1/5"),
        "F_2": rows("-1/5, 7/5"),
        **{f"epsilon_{place}": rows("0, 0") for place in range(1, 13)},
        **{f"E_{place}": rows("0 0, 0 0") for place in range(1, 5)},
        "Z": rows("4/25 -28/25, -3/25 21/25"),
        "Q": rows("0 -1, 1 0"),
    },
}
"""A computation without errors: a quarter turn of the plane."""

PLANE_BASIS = Entry(
    claim,
    (Kind.DERIVATION,),
    derivation=derivation,
    witness=QUARTER_TURN,
    mutants=(
        Mutant("kept however flat", without(claim, of.kept)),
        Mutant("u not divided by its length", computed_as(PlaneBasis(normalised=False))),
        Mutant("a reciprocal beyond the roundoff", without(claim, le(absolute(deltas[0]), r))),
        Mutant("1 − cos beyond the roundoff", without(claim, le(absolute(deltas[4]), r))),
        Mutant("a part along e_1 off by itself", with_hypothesis(
            rounded_product(of.x[1], e_1.T, w_1, r),
            rounded_product(of.x[1], e_1.T, w_1, as_expression(1)))),
        Mutant("the matrix off by itself", with_hypothesis(
            entries_within(of.E[3], r, Z - (products[1] + of.E[2])),
            entries_within(of.E[3], one, Z - (products[1] + of.E[2])))),
    ),
)  # fmt: skip

ENTRIES = (PLANE_BASIS,)
