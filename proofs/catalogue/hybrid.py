"""The family hybrid: derivations, counterproofs, operators and mutants of each statement.

ENTRIES == in the order of the ledger

One vector carries most of the family: det(Q + R) = 0, so some x ≠ 0 has Qx = −Rx, and there
Bx = (2γ − 1) Qx.
"""

from collections.abc import Sequence
from fractions import Fraction

from ...symbolic import hybrid as statements
from ...symbolic.claims import Claim, restate
from ...symbolic.counterproofs import Counterproof
from ...symbolic.derivations import (
    Arbitrary,
    Assume,
    AtMost,
    Cases,
    Chain,
    Choose,
    Cited,
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
    Step,
    Suppose,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    Literal,
    SequenceSymbol,
    absolute,
    as_expression,
    constant,
    det,
    entry,
    eye,
    index,
    inv,
    matrix,
    matrix_shape,
    named,
    norm,
    ordered_product,
    rank,
    sequence,
    size,
    vector,
    zeros,
)
from ...symbolic.hybrid import (
    LN,
    Q_2,
    R_2,
    B,
    F,
    G,
    H,
    H_post,
    H_pre,
    Q,
    R,
    T,
    X,
    axis,
    beta,
    binary,
    blend,
    cayley,
    components,
    epsilon,
    gamma,
    gamma_i,
    gate,
    gram,
    half,
    i,
    isometric,
    k,
    layer,
    layer_of,
    mirrored,
    n,
    planar,
    planar_components,
    reflect,
    reflection,
    rotation,
    some_layer,
    some_stack,
    stack,
    stacked,
    turned,
    u,
    unit,
    v,
    x,
)
from ...symbolic.propositions import (
    And,
    Exists,
    Proposition,
    both,
    distance_to_orthogonal_is,
    either,
    eq,
    exists,
    forall,
    implies,
    invertible,
    le,
    lt,
    ne,
    smallest_singular_value_is,
    spectral_norm_is,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant
from .mutation import without
from .reflection import M, a, orthogonal_m, peeled, rank_m, rank_rest, rest

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
defect = 2 * gamma - 1


# ---------------------------------------------------------------- lemmas


def other_side(M: Expression) -> Line:
    """M Mᵀ = I, from MᵀM = I."""
    return cited(eq(M @ M.T, eye(matrix_shape(M)[0])), "two_sided_inverse", M.T, M)


def singular(
    M: Expression, Q: Expression, R: Expression, facts: Sequence[Proposition]
) -> tuple[Line, ...]:
    """det M = 0 for a multiple M of Q + R: M = Q Mᵀ R, so det M = −det M.

    `facts`: QᵀQ = I, RᵀR = I, det Q = 1, det R = −1.
    """
    _, mirrored, rotation, reflection = facts
    negated = chain(
        det(M),
        step(
            det(Q @ (M.T @ R)),
            "Q (Q + R)ᵀ R = R + Q",
            eq(Q @ Q.T, eye(matrix_shape(Q)[0])),
            mirrored,
        ),
        step(
            det(Q) * det(M.T @ R),
            "the determinant of a product",
            instance("determinant_of_product", Q, M.T @ R),
        ),
        step(
            det(Q) * (det(M.T) * det(R)),
            "and again",
            instance("determinant_of_product", M.T, R),
        ),
        step(
            det(Q) * (det(M) * det(R)),
            "a transpose has the same determinant",
            instance("determinant_of_transpose", M),
        ),
        step(-det(M), "det Q = 1 and det R = −1", rotation, reflection),
    )
    return (
        other_side(Q),
        (eq(det(M), -det(M)), negated),
        (eq(det(M), 0), Linear((eq(det(M), -det(M)),))),
    )


opposite, nonzero = eq((Q + R) @ x, zeros(n, 1)), ne(x, zeros(n, 1))
shrunk = eq(B @ x, defect * (Q @ x))


def opposed(then: Derivation) -> Derivation:
    """Some x ≠ 0 has (Q + R) x = 0, and so B x = (2γ − 1) Q x."""
    found = exists(x, both(nonzero, opposite))
    along = chain(
        B @ x,
        step(gamma * (Q @ x) - (1 - gamma) * (Q @ x), "R x = −Q x", opposite),
        step(defect * (Q @ x), "collect"),
    )
    return lines(
        *singular(Q + R, Q, R, components),
        cited(found, "singular_kernel", Q + R, x),
        last=Obtain(found, lines((shrunk, along), last=then)),
    )


def same_length(M: Expression, orthogonal: Proposition, x: Expression = x) -> tuple[Line, ...]:
    """‖M x‖ = ‖x‖, from MᵀM = I."""
    image = M @ x
    squares = chain(
        image.T @ image,
        step(x.T @ (M.T @ M) @ x, "transposition reverses a product"),
        step(x.T @ x, "the matrix is orthogonal", orthogonal),
    )
    return (
        (eq(image.T @ image, x.T @ x), squares),
        cited(eq(norm(image), norm(x)), "equal_norms", image, x),
    )


def nonnegative(factor: Expression, because: Derivation) -> tuple[Line, ...]:
    """|c| = c, from c ≥ 0, which `because` proves."""
    return (
        (le(0, factor), because),
        cited(eq(absolute(factor), factor), "absolute_of_nonnegative", factor),
    )


def multiple(
    factor: Expression, image: Expression, because: Derivation, x: Expression = x
) -> tuple[Line, ...]:
    """‖c a‖ = c ‖x‖, from c ≥ 0, which `because` proves, and ‖a‖ = ‖x‖."""
    same = () if image == x else (eq(norm(image), norm(x)),)
    length = chain(
        norm(factor * image),
        step(
            absolute(factor) * norm(image),
            "the factor comes out",
            instance("norm_of_multiple", factor, image),
        ),
        step(
            factor * norm(x),
            "the factor is ≥ 0, the length known",
            eq(absolute(factor), factor),
            *same,
        ),
    )
    return (*nonnegative(factor, because), (eq(norm(factor * image), factor * norm(x)), length))


of_q, of_r = gamma * (Q @ x), (1 - gamma) * (R @ x)
share_lengths = (eq(norm(of_q), gamma * norm(x)), eq(norm(of_r), (1 - gamma) * norm(x)))
shares = (
    *same_length(Q, isometric),
    *same_length(R, mirrored),
    *multiple(gamma, Q @ x, Known()),
    *multiple(1 - gamma, R @ x, Linear((gate[1],))),
)


def by_sign(of_nonnegative: Derivation, of_nonpositive: Derivation) -> Derivation:
    """By cases: |2γ − 1| is 2γ − 1 or its negative."""
    signs = either(
        both(le(0, defect), eq(absolute(defect), defect)),
        both(le(defect, 0), eq(absolute(defect), -defect)),
    )
    return lines(
        cited(signs, "absolute_value", defect),
        last=Cases(signs, (of_nonnegative, of_nonpositive)),
    )


def _lower(value: Expression, smaller: Expression) -> Derivation:
    """|2γ − 1| ‖x‖ ≤ ‖Bx‖ where |2γ − 1| is `value`: the larger share less the smaller."""
    product = eq(absolute(defect) * norm(x), value * norm(x))
    signed = chain(
        product.left, step(product.right, "the sign is known", eq(absolute(defect), value))
    )
    reverse = (instance("triangle", B @ x, -smaller), instance("norm_of_negative", smaller))
    return lines((product, signed), last=Linear((product, *reverse, *share_lengths)))


bounded_below = lines(*shares, last=by_sign(_lower(defect, of_r), _lower(-defect, of_q)))
bounded_above = lines(*shares, last=Linear((instance("triangle", of_q, of_r), *share_lengths)))
blend_length = eq(norm(B @ x), absolute(defect) * norm(x))
blend_at_x = chain(
    norm(B @ x),
    step(norm(defect * (Q @ x)), "B x = (2γ − 1) Q x", shrunk),
    step(
        absolute(defect) * norm(Q @ x),
        "the factor comes out",
        instance("norm_of_multiple", defect, Q @ x),
    ),
    step(absolute(defect) * norm(x), "Q is orthogonal", eq(norm(Q @ x), norm(x))),
)


def changed(claim_id: str, then: Proposition) -> Claim:
    """The claim with another conclusion."""
    return restate(CLAIMS[claim_id], then=then)


NUMERIC = (Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)
BY_DERIVATION = (Kind.DERIVATION, *NUMERIC)
# a certificate is exported to the kernel
BY_CERTIFICATE = (Kind.KERNEL, Kind.CERTIFICATE, *BY_DERIVATION)


# ---------------------------------------------------------------- hybrid.both_components

both_components = CLAIMS["hybrid.both_components"]
BOTH_COMPONENTS = Entry(
    both_components,
    (Kind.KERNEL, *BY_DERIVATION),
    derivation=Parts(
        (
            chain(
                det(B),
                step(det(Q), "γ = 1", eq(gamma, 1)),
                step(1, "Q is a rotation", rotation),
            ),
            chain(
                det(B),
                step(det(R), "γ = 0", eq(gamma, 0)),
                step(-1, "R is a reflection", reflection),
            ),
        )
    ),
    lemma="hybrid:both_components",
    mutants=(
        Mutant(
            "the ends exchanged",
            restate(
                both_components,
                then=both(
                    implies(eq(gamma, 0), eq(det(B), 1)),
                    implies(eq(gamma, 1), eq(det(B), -1)),
                ),
            ),
        ),
        Mutant(
            "det 1 at γ = ½",
            restate(both_components, then=implies(eq(gamma, half), eq(det(B), 1))),
        ),
        Mutant(
            "det 1 at both ends",
            restate(
                both_components,
                then=implies(either(eq(gamma, 0), eq(gamma, 1)), eq(det(B), 1)),
            ),
        ),
        Mutant("R of either component", without(both_components, reflection)),
    ),
)


# ---------------------------------------------------------------- …exactly_orthogonal_printed

exactly_printed = CLAIMS["hybrid.exactly_orthogonal_printed"]
closed = [*components, either(eq(gamma, 0), eq(gamma, 1))]
EXACTLY_ORTHOGONAL_PRINTED = Entry(
    exactly_printed,
    (Kind.COUNTEREXAMPLE, *NUMERIC),
    repaired_by="hybrid.interior_not_orthogonal",
    mutants=(
        Mutant("the gate at an end", restate(exactly_printed, given=closed)),
        Mutant(
            "R = Q",
            restate(exactly_printed, given=[*exactly_printed.given, eq(R, Q)]),
        ),
        Mutant("not orthogonal", restate(exactly_printed, then=ne(B.T @ B, eye(n)))),
        Mutant("Q alone", restate(exactly_printed, then=eq(Q.T @ Q, eye(n)))),
    ),
)


# ---------------------------------------------------------------- hybrid.gram

gram_claim = CLAIMS["hybrid.gram"]
mixed = Q.T @ R + R.T @ Q
share = gamma * (1 - gamma)
squares = gamma**2 + (1 - gamma) ** 2
GRAM = Entry(
    gram_claim,
    BY_CERTIFICATE,
    derivation=chain(
        B.T @ B,
        step(gamma**2 * (Q.T @ Q) + share * mixed + (1 - gamma) ** 2 * (R.T @ R), "multiply out"),
        step(squares * eye(n) + share * mixed, "Q and R are orthogonal", isometric, mirrored),
    ),
    mutants=(
        Mutant("Q is any matrix", without(gram_claim, isometric)),
        Mutant("R is any matrix", without(gram_claim, mirrored)),
        Mutant(
            "the mixed term doubled",
            restate(gram_claim, then=eq(B.T @ B, squares * eye(n) + 2 * share * mixed)),
        ),
        Mutant(
            "the mixed term once",
            restate(gram_claim, then=eq(B.T @ B, squares * eye(n) + share * (Q.T @ R))),
        ),
        Mutant(
            "the mixed term negated",
            restate(gram_claim, then=eq(B.T @ B, squares * eye(n) - share * mixed)),
        ),
        Mutant("the mixed term left out", restate(gram_claim, then=eq(B.T @ B, squares * eye(n)))),
    ),
)


# ---------------------------------------------------------------- hybrid.endpoints_orthogonal

endpoints = CLAIMS["hybrid.endpoints_orthogonal"]
ends = either(eq(gamma, 0), eq(gamma, 1))
ENDPOINTS_ORTHOGONAL = Entry(
    endpoints,
    BY_CERTIFICATE,
    derivation=Cases(
        ends,
        (
            chain(
                B.T @ B,
                step(R.T @ R, "γ = 0", eq(gamma, 0)),
                step(eye(n), "R is orthogonal", mirrored),
            ),
            chain(
                B.T @ B,
                step(Q.T @ Q, "γ = 1", eq(gamma, 1)),
                step(eye(n), "Q is orthogonal", isometric),
            ),
        ),
    ),
    mutants=(
        Mutant("at any gate", without(endpoints, ends)),
        Mutant(
            "at 0 and ½",
            restate(endpoints, given=[isometric, mirrored, either(eq(gamma, 0), eq(gamma, half))]),
        ),
        Mutant("Q is any matrix", without(endpoints, isometric)),
        Mutant("R is any matrix", without(endpoints, mirrored)),
        Mutant("B B", restate(endpoints, then=eq(B @ B, eye(n)))),
        Mutant("B Bᵀ", restate(endpoints, then=eq(B @ B.T, eye(n))), stays_true=True),
    ),
)


# ---------------------------------------------------------------- hybrid.interior_not_orthogonal

interior = CLAIMS["hybrid.interior_not_orthogonal"]
square = entry(x.T @ x)
kept_length = eq(square, defect**2 * square)
INTERIOR_NOT_ORTHOGONAL = Entry(
    interior,
    (Kind.KERNEL, *BY_DERIVATION),
    derivation=Suppose(
        opposed(
            lines(
                (
                    kept_length,
                    chain(
                        square,
                        step(entry(x.T @ (B.T @ B) @ x), "suppose B is orthogonal", gram),
                        step(entry((B @ x).T @ (B @ x)), "transposition reverses a product"),
                        step(
                            entry((defect * (Q @ x)).T @ (defect * (Q @ x))),
                            "B x = (2γ − 1) Q x",
                            shrunk,
                        ),
                        step(defect**2 * square, "Q is orthogonal", isometric),
                    ),
                ),
                (lt(0, 1 - gamma), Linear((lt(gamma, 1),))),
                cited(lt(0, share), "positive_product", gamma, 1 - gamma),
                cited(lt(0, square), "positive_square_sum", x),
                cited(lt(0, share * square), "positive_product", share, square),
                # 1 − (2γ − 1)² = 4γ(1 − γ)
                last=Linear((lt(0, share * square), kept_length)),
            )
        )
    ),
    lemma="hybrid:interior_not_orthogonal",
    mutants=(
        Mutant(
            "the end 1 included",
            restate(interior, given=[*components, lt(0, gamma), le(gamma, 1)]),
        ),
        Mutant(
            "the end 0 included",
            restate(interior, given=[*components, le(0, gamma), lt(gamma, 1)]),
        ),
        Mutant("both in one component", without(interior, reflection)),
        Mutant("orthogonal", changed(interior.id, gram)),
        Mutant("gates below 1", without(interior, lt(0, gamma))),
        Mutant("B Bᵀ", changed(interior.id, ne(B @ B.T, eye(n))), stays_true=True),
    ),
)


# ---------------------------------------------------------------- hybrid.midpoint_singular

midpoint = CLAIMS["hybrid.midpoint_singular"]
MIDPOINT_SINGULAR = Entry(
    midpoint,
    (Kind.KERNEL, *BY_DERIVATION),
    derivation=lines(*singular(half * (Q + R), Q, R, components), last=Known()),
    lemma="hybrid:midpoint_singular",
    mutants=(
        Mutant("both in one component", without(midpoint, reflection)),
        Mutant("Q of either component", without(midpoint, rotation)),
        Mutant("the difference", changed(midpoint.id, eq(det(half * (Q - R)), 0))),
        Mutant("at the gate ¼", changed(midpoint.id, eq(det(blend(Q, R, half / 2)), 0))),
        Mutant("Q + 3R", changed(midpoint.id, eq(det(Q + 3 * R), 0))),
    ),
)


# ---------------------------------------------------------------- hybrid.smallest_singular_value

smallest = CLAIMS["hybrid.smallest_singular_value"]
SMALLEST_SINGULAR_VALUE = Entry(
    smallest,
    (Kind.KERNEL, *BY_DERIVATION),
    derivation=Parts(
        (
            AtMost(chain(absolute(defect) - 0, step(absolute(defect), "an absolute value"))),
            Arbitrary(bounded_below),
            opposed(
                lines(*same_length(Q, isometric), last=Exhibit(x, Parts((Known(), blend_at_x))))
            ),
        )
    ),
    lemma="hybrid:smallest_singular_value",
    mutants=(
        Mutant(
            "without the absolute value",
            changed(smallest.id, smallest_singular_value_is(B, defect)),
        ),
        Mutant(
            "2γ + 1", changed(smallest.id, smallest_singular_value_is(B, absolute(2 * gamma + 1)))
        ),
        Mutant("1 − γ", changed(smallest.id, smallest_singular_value_is(B, absolute(1 - gamma)))),
        Mutant("the largest", changed(smallest.id, spectral_norm_is(B, absolute(defect)))),
        Mutant("both in one component", without(smallest, reflection)),
        Mutant("the gate beyond 1", without(smallest, gate[1])),
    ),
)


# ---------------------------------------------------------------- hybrid.norm_bounds

norm_bounds = CLAIMS["hybrid.norm_bounds"]
below = le(absolute(defect) * norm(x), norm(B @ x))
above = le(norm(B @ x), norm(x))
NORM_BOUNDS = Entry(
    norm_bounds,
    (Kind.KERNEL, *BY_DERIVATION),
    derivation=Parts((bounded_below, bounded_above)),
    lemma="hybrid:norm_bounds",
    mutants=(
        Mutant("strictly smaller", changed(norm_bounds.id, both(below, lt(norm(B @ x), norm(x))))),
        Mutant(
            "half the upper bound",
            changed(norm_bounds.id, both(below, le(norm(B @ x), half * norm(x)))),
        ),
        Mutant("not smaller at all", changed(norm_bounds.id, le(norm(x), norm(B @ x)))),
        Mutant("the gate beyond 1", without(norm_bounds, gate[1])),
        Mutant("the gate below 0", without(norm_bounds, gate[0])),
        Mutant("Q is any matrix", without(norm_bounds, isometric)),
    ),
)


# ---------------------------------------------------------------- hybrid.orthogonality_defect

orthogonality_defect = CLAIMS["hybrid.orthogonality_defect"]
D = B.T @ B - eye(n)
across, back = Q.T @ R, R.T @ Q
spread = across @ x + (back @ x + -(2 * x))
spread_below = le(norm(spread), 4 * norm(x))
products_orthogonal = (
    other_side(Q),
    other_side(R),
    (
        eq(across.T @ across, eye(n)),
        chain(
            across.T @ across,
            step(R.T @ (Q @ Q.T) @ R, "transposition reverses a product"),
            step(R.T @ R, "Q is orthogonal", eq(Q @ Q.T, eye(n))),
            step(eye(n), "R is orthogonal", mirrored),
        ),
    ),
    (
        eq(back.T @ back, eye(n)),
        chain(
            back.T @ back,
            step(Q.T @ (R @ R.T) @ Q, "transposition reverses a product"),
            step(Q.T @ Q, "R is orthogonal", eq(R @ R.T, eye(n))),
            step(eye(n), "Q is orthogonal", isometric),
        ),
    ),
)
share_nonnegative = (
    (le(0, 1 - gamma), Linear((gate[1],))),
    cited(le(0, share), "nonnegative_product", gamma, 1 - gamma),
)
defect_below = lines(
    *products_orthogonal,
    *same_length(across, eq(across.T @ across, eye(n))),
    *same_length(back, eq(back.T @ back, eye(n))),
    *multiple(as_expression(2), x, Linear(())),
    (
        spread_below,
        Linear(
            (
                instance("triangle", across @ x, back @ x + -(2 * x)),
                instance("triangle", back @ x, -(2 * x)),
                instance("norm_of_negative", 2 * x),
                eq(norm(2 * x), 2 * norm(x)),
                eq(norm(across @ x), norm(x)),
                eq(norm(back @ x), norm(x)),
            )
        ),
    ),
    (le(0, 4 * norm(x) - norm(spread)), Linear((spread_below,))),
    (
        eq(norm(D @ x), share * norm(spread)),
        chain(
            norm(D @ x),
            step(
                norm(share * spread),
                "BᵀB − I = γ(1 − γ)(QᵀR + RᵀQ − 2I)",
                isometric,
                mirrored,
            ),
            step(
                absolute(share) * norm(spread),
                "the factor comes out",
                instance("norm_of_multiple", share, spread),
            ),
            step(share * norm(spread), "γ(1 − γ) ≥ 0", eq(absolute(share), share)),
        ),
    ),
    last=Linear(
        (
            eq(norm(D @ x), share * norm(spread)),
            instance("nonnegative_product", share, 4 * norm(x) - norm(spread)),
        )
    ),
)
defect_attained = chain(
    norm(D @ x),
    step(norm(-(4 * share * x)), "R x = −Q x", isometric, mirrored, opposite),
    step(norm(4 * share * x), "the sign drops out", instance("norm_of_negative", 4 * share * x)),
    step(
        absolute(4 * share) * norm(x),
        "the factor comes out",
        instance("norm_of_multiple", 4 * share, x),
    ),
    step(4 * gamma * (1 - gamma) * norm(x), "γ(1 − γ) ≥ 0", eq(absolute(4 * share), 4 * share)),
)
ORTHOGONALITY_DEFECT = Entry(
    orthogonality_defect,
    (Kind.KERNEL, *BY_DERIVATION),
    derivation=lines(
        *share_nonnegative,
        cited(eq(absolute(share), share), "absolute_of_nonnegative", share),
        last=Parts(
            (
                Linear((le(0, share),)),
                Arbitrary(defect_below),
                opposed(
                    lines(
                        *nonnegative(4 * share, Linear((le(0, share),))),
                        last=Exhibit(x, Parts((Known(), defect_attained))),
                    )
                ),
            )
        ),
    ),
    lemma="hybrid:orthogonality_defect",
    mutants=(
        Mutant("half of it", changed(orthogonality_defect.id, spectral_norm_is(D, 2 * share))),
        Mutant(
            "without the factor 4", changed(orthogonality_defect.id, spectral_norm_is(D, share))
        ),
        Mutant(
            "the square of the gate",
            changed(orthogonality_defect.id, spectral_norm_is(D, 4 * gamma**2)),
        ),
        Mutant(
            "the smallest singular value of it",
            changed(orthogonality_defect.id, smallest_singular_value_is(D, 4 * share)),
        ),
        Mutant("both in one component", without(orthogonality_defect, reflection)),
        Mutant("the gate beyond 1", without(orthogonality_defect, gate[1])),
    ),
)


# ---------------------------------------------------------------- hybrid.distance_to_orthogonal

distance = CLAIMS["hybrid.distance_to_orthogonal"]
U = matrix("U", n, n)
isometric_u = eq(U.T @ U, eye(n))
far = 1 - absolute(defect)


def _near(chosen: Expression, weight: Expression, value: Expression) -> Derivation:
    """‖(B − Q) x‖ ≤ 2 (1 − γ) ‖x‖ and ‖(B − R) x‖ ≤ 2 γ ‖x‖; `value` is |2γ − 1|."""
    other = R if chosen == Q else Q
    product = eq(far * norm(x), 2 * weight * norm(x))
    signed = chain(
        product.left, step(product.right, "the sign is known", eq(absolute(defect), value))
    )
    bounded = lines(
        *shares,
        (product, signed),
        *multiple(weight, chosen @ x, Linear((gate[1] if chosen == Q else gate[0],))),
        last=Linear(
            (
                product,
                instance("triangle", weight * (other @ x), -(weight * (chosen @ x))),
                instance("norm_of_negative", weight * (chosen @ x)),
                eq(norm(weight * (chosen @ x)), weight * norm(x)),
                *share_lengths,
            )
        ),
    )
    return Exhibit(chosen, Parts((Known(), Arbitrary(bounded))))


away = lines(
    *same_length(Q, isometric),
    (blend_length, blend_at_x),
    *same_length(U, isometric_u),
    last=Exhibit(
        x,
        Parts(
            (
                Known(),
                Linear(
                    (
                        blend_length,
                        eq(norm(U @ x), norm(x)),
                        instance("triangle", B @ x, -((B - U) @ x)),
                        instance("norm_of_negative", (B - U) @ x),
                    )
                ),
            )
        ),
    ),
)
DISTANCE_TO_ORTHOGONAL = Entry(
    distance,
    (Kind.KERNEL, *BY_DERIVATION),
    derivation=Parts(
        (
            Arbitrary(opposed(away)),
            by_sign(_near(Q, 1 - gamma, defect), _near(R, gamma, -defect)),
        )
    ),
    lemma="hybrid:distance_to_orthogonal",
    mutants=(
        Mutant("|2γ − 1|", changed(distance.id, distance_to_orthogonal_is(B, absolute(defect)))),
        Mutant(
            "without the absolute value",
            changed(distance.id, distance_to_orthogonal_is(B, 1 - defect)),
        ),
        Mutant("half of it", changed(distance.id, distance_to_orthogonal_is(B, half * far))),
        Mutant("the regulariser", changed(distance.id, distance_to_orthogonal_is(B, 4 * share))),
        Mutant("both in one component", without(distance, reflection)),
    ),
)


# ---------------------------------------------------------------- hybrid.planar_determinant

planar_determinant = CLAIMS["hybrid.planar_determinant"]
PLANAR_DETERMINANT = Entry(
    planar_determinant,
    (Kind.KERNEL, *BY_DERIVATION),
    derivation=lines(
        *singular(Q_2 + R_2, Q_2, R_2, planar_components),
        last=chain(
            det(planar),
            step(
                gamma**2 * det(Q_2)
                + gamma * (1 - gamma) * (det(Q_2 + R_2) - det(Q_2) - det(R_2))
                + (1 - gamma) ** 2 * det(R_2),
                "a quadratic form in γ and 1 − γ",
                instance("planar_determinant", gamma, Q_2, 1 - gamma, R_2),
            ),
            step(
                defect,
                "det Q = 1, det R = −1, det(Q + R) = 0",
                *planar_components[2:],
                eq(det(Q_2 + R_2), 0),
            ),
        ),
    ),
    lemma="hybrid:planar_determinant",
    mutants=(
        Mutant("2γ + 1", changed(planar_determinant.id, eq(det(planar), 2 * gamma + 1))),
        Mutant("1 − 2γ", changed(planar_determinant.id, eq(det(planar), -defect))),
        Mutant("the square of it", changed(planar_determinant.id, eq(det(planar), defect**2))),
        Mutant("both in one component", without(planar_determinant, planar_components[3])),
        Mutant(
            "in every dimension",
            restate(planar_determinant, given=components, then=eq(det(B), defect)),
        ),
    ),
)


# ---------------------------------------------------------------- …approximates_rotations_reading

approximates = CLAIMS["hybrid.blend_approximates_rotations_reading"]
# a rotation by nearly π: cos = −99/101
nearly_pi = constant(
    [[Fraction(-99, 101), Fraction(-20, 101)], [Fraction(20, 101), Fraction(-99, 101)]]
)
x_2 = vector("x", 2)
left_over = half * (Q_2 + R_2) - nearly_pi
opposed_2 = both(ne(x_2, zeros(2, 1)), eq((Q_2 + R_2) @ x_2, zeros(2, 1)))
kept = eq(norm(left_over @ x_2), norm(x_2))
kept_squares = chain(
    (left_over @ x_2).T @ (left_over @ x_2),
    step((nearly_pi @ x_2).T @ (nearly_pi @ x_2), "(Q + R) x = 0", opposed_2.parts[1]),
    step(x_2.T @ x_2, "T is a rotation", eq(nearly_pi.T @ nearly_pi, eye(2))),
)
too_far = lines(
    *singular(Q_2 + R_2, Q_2, R_2, planar_components),
    cited(exists(x_2, opposed_2), "singular_kernel", Q_2 + R_2, x_2),
    last=Obtain(
        exists(x_2, opposed_2),
        lines(
            (eq(kept_squares.start, x_2.T @ x_2), kept_squares),
            cited(kept, "equal_norms", left_over @ x_2, x_2),
            last=Exhibit(x_2, Linear((kept, instance("norm_positive", x_2)))),
        ),
    ),
)
nearby = forall(x, le(norm((half * (Q + R) - T) @ x), epsilon * norm(x)))


def some_blend(*conditions: Proposition) -> Proposition:
    """For some Q and R."""
    return exists(Q, exists(R, both(*conditions)))


BLEND_APPROXIMATES_ROTATIONS_READING = Entry(
    approximates,
    (Kind.COUNTERPROOF,),
    counterproof=Counterproof(
        sizes={"n": 2},
        instance={"epsilon": Literal(half), "T": nearly_pi, "y": constant([[1], [0]])},
        because=Arbitrary(Arbitrary(Assume(too_far))),
    ),
    repaired_by="hybrid.distance_to_orthogonal",
    mutants=(
        Mutant(
            "within 1",
            restate(approximates, given=[lt(1, epsilon), *approximates.given[1:]]),
        ),
        Mutant(
            "without the determinants",
            restate(approximates, then=some_blend(isometric, mirrored, nearby)),
        ),
        Mutant(
            "at one vector",
            restate(
                approximates,
                given=[*approximates.given, le(2, size(n))],
                then=some_blend(*components, nearby.body),
            ),
        ),
    ),
)


# ---------------------------------------------------------------- …rotation_on_one_vector

one_vector = CLAIMS["hybrid.blend_reaches_rotation_on_one_vector"]
H_T = reflect(axis)
BLEND_REACHES_ROTATION_ON_ONE_VECTOR = Entry(
    one_vector,
    (Kind.KERNEL, *BY_DERIVATION),
    derivation=chain(
        blend(T, H_T, half) @ x,
        step(
            half * (T @ x) + half * (x - 2 * entry(turned.T @ x) / norm(turned) ** 2 * turned),
            "multiply out",
        ),
        step(
            T @ x,
            "‖x − Tx‖² = 2 (x − Tx)ᵀx for orthogonal T",
            eq(T.T @ T, eye(n)),
            instance("norm_squared", turned),
        ),
    ),
    lemma="hybrid:blend_reaches_rotation_on_one_vector",
    mutants=(
        Mutant("T is any matrix", restate(one_vector, given=one_vector.given[1:])),
        Mutant("the reflection alone, negated", changed(one_vector.id, eq(H_T @ x, -(T @ x)))),
        Mutant(
            "at the gate ¼", changed(one_vector.id, eq(blend(T, H_T, half / 2) @ x, 2 * (T @ x)))
        ),
        Mutant(
            "on every vector",
            changed(one_vector.id, eq(blend(T, H_T, half) @ statements.y, T @ statements.y)),
        ),
        Mutant(
            "T of either component",
            restate(one_vector, given=[one_vector.given[0], one_vector.given[2]]),
            stays_true=True,
        ),
        Mutant("the reflection alone", changed(one_vector.id, eq(H_T @ x, T @ x)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- …covers_orthogonal_group_printed

single_layer = CLAIMS["hybrid.single_layer_covers_orthogonal_group_printed"]
u_2, v_2, k_2, y_2 = (vector(name, 2) for name in "uvky")
S_2, N_2 = matrix("S", 2, 2), named("S", beta / 2 * (u_2 @ v_2.T - v_2 @ u_2.T))
I_2, zero_2 = eye(2), zeros(2, 1)
H_2 = named("H", I_2 - 2 * (k_2 @ k_2.T))


def rotated_2(S: Expression) -> Expression:
    """The Cayley transform of a skew 2×2 matrix."""
    return named("Q", inv(I_2 + S) @ (I_2 - S))


def layer_2(S: Expression) -> Expression:
    """A layer in the plane."""
    return named("G", gamma * rotated_2(S) + (1 - gamma) * H_2)


C = rotated_2(S_2)
skew_2 = eq(S_2.T, -S_2)
beside = both(ne(y_2, zero_2), eq(k_2.T @ y_2, zeros(1, 1)))
negated = eq(layer_2(S_2), -I_2)
balance = eq(gamma * (C @ y_2), -((2 - gamma) * y_2))
no_room = either(eq(1 - gamma, 0), eq(norm(y_2), 0))
from_right_2 = instance("right_inverse", I_2 + S_2)
never_negated = forall(S_2, implies(skew_2, ne(layer_2(S_2), -I_2)))
rotated_gram = chain(
    C.T @ C,
    step(
        (I_2 + S_2) @ inv(I_2 + S_2).T @ ((I_2 - S_2) @ inv(I_2 + S_2)),
        "Sᵀ = −S, and I − S commutes with (I + S)⁻¹",
        skew_2,
        from_right_2,
    ),
    step(I_2, "a matrix times its inverse", skew_2, from_right_2),
)
balanced = chain(
    balance.left,
    step(
        layer_2(S_2) @ y_2 - (1 - gamma) * (y_2 - 2 * (k_2 @ (k_2.T @ y_2))),
        "what the layer adds to it",
    ),
    step(
        -I_2 @ y_2 - (1 - gamma) * y_2,
        "suppose the layer is −I; y is orthogonal to k",
        negated,
        beside.parts[1],
    ),
    step(balance.right, "collect"),
)
no_minus_one = chain(
    y_2,
    step(
        half * ((I_2 + S_2) @ y_2 + (I_2 - S_2) @ y_2),
        "half of I + S and half of I − S",
    ),
    step(
        half * ((I_2 + S_2) @ y_2 + (I_2 + S_2) @ (C @ y_2)),
        "(I + S) Q = I − S",
        from_right_2,
    ),
    step(half * ((I_2 + S_2) @ y_2 + (I_2 + S_2) @ (gamma * (C @ y_2))), "γ = 1", eq(1 - gamma, 0)),
    step(
        half * ((I_2 + S_2) @ y_2 - (I_2 + S_2) @ ((2 - gamma) * y_2)),
        "suppose the layer is −I",
        balance,
    ),
    step(zero_2, "γ = 1", eq(1 - gamma, 0)),
)
lengths = (
    eq(norm(gamma * (C @ y_2)), gamma * norm(y_2)),
    eq(norm((2 - gamma) * y_2), (2 - gamma) * norm(y_2)),
    eq(norm(gamma * (C @ y_2)), norm(-((2 - gamma) * y_2))),
    instance("norm_of_negative", (2 - gamma) * y_2),
)
never = Suppose(
    lines(
        (balance, balanced),
        (eq(C.T @ C, I_2), rotated_gram),
        *same_length(C, eq(C.T @ C, I_2), y_2),
        *multiple(gamma, C @ y_2, Known(), y_2),
        *multiple(2 - gamma, y_2, Linear((le(gamma, 1),)), y_2),
        (
            lengths[2],
            chain(lengths[2].left, step(lengths[2].right, "suppose the layer is −I", balance)),
        ),
        (eq((1 - gamma) * norm(y_2), 0), Linear(lengths)),
        cited(no_room, "zero_product", *no_room.parts),
        cited(lt(0, norm(y_2)), "norm_positive", y_2),
        last=Cases(
            no_room,
            (
                Contradiction(ne(y_2, zero_2), no_minus_one),
                Contradiction(lt(0, norm(y_2)), Linear((eq(norm(y_2), 0),))),
            ),
        ),
    )
)
here = eq(N_2.T, -N_2)
unreachable = lines(
    (le(2, size(2)), Linear(())),
    cited(exists(y_2, beside), "orthogonal_direction", y_2, k_2),
    last=Obtain(
        exists(y_2, beside),
        lines(
            (never_negated, Arbitrary(Assume(never))),
            (here, chain(N_2.T, step(-N_2, "transposition exchanges u and v"))),
            cited(implies(here, ne(layer_2(N_2), -I_2)), "instantiate", never_negated, N_2),
            last=Cited(instance("modus_ponens", implies(here, ne(layer_2(N_2), -I_2)))),
        ),
    ),
)
bare_layer = gamma * cayley(u, v, beta) + (1 - gamma) * reflect(k)
SINGLE_LAYER_COVERS_ORTHOGONAL_GROUP_PRINTED = Entry(
    single_layer,
    (Kind.COUNTERPROOF,),
    counterproof=Counterproof(
        sizes={"n": 2},
        instance={"R": -I_2},
        because=Arbitrary(Arbitrary(Arbitrary(Arbitrary(Arbitrary(Assume(unreachable)))))),
    ),
    repaired_by="hybrid.depth_covers_orthogonal_group",
    mutants=(
        Mutant("of the reflections", restate(single_layer, given=[unit, eq(R, reflect(k))])),
        Mutant(
            "of the rank-two rotations", restate(single_layer, given=[eq(R, cayley(u, v, beta))])
        ),
        Mutant(
            "some layer is orthogonal",
            restate(single_layer, then=some_layer(eq(bare_layer.T @ bare_layer, eye(n)))),
        ),
    ),
)


# ---------------------------------------------------------------- hybrid.common_fixed_space

common = CLAIMS["hybrid.common_fixed_space"]
S = matrix("S", n, n)
S_uv = named("S", beta / 2 * (u @ v.T - v @ u.T))
y = vector("y", n)


def rotated(S: Expression) -> Expression:
    """The Cayley transform of a skew matrix."""
    return named("Q", inv(eye(n) + S) @ (eye(n) - S))


skew, skew_uv = eq(S.T, -S), eq(S_uv.T, -S_uv)
Q_S, Q_uv = rotated(S), rotated(S_uv)
inverse_uv = inv(eye(n) + S_uv)
from_left, from_right = (instance(f"{side}_inverse", eye(n) + S) for side in ("left", "right"))


def of_rotation(Q: Expression, S: Expression) -> And:
    """Q is orthogonal and Q = I − 2 (I + S)⁻¹ S."""
    return both(eq(Q.T @ Q, eye(n)), eq(Q, eye(n) - 2 * (inv(eye(n) + S) @ S)))


of_every = forall(S, implies(skew, of_rotation(Q_S, S)))
of_this = of_rotation(Q_uv, S_uv)
gram_uv, difference_uv = of_this.parts
rotation_facts = (
    (
        of_every,
        Arbitrary(
            Parts(
                (
                    chain(
                        Q_S.T @ Q_S,
                        step(
                            (eye(n) + S) @ inv(eye(n) + S).T @ ((eye(n) - S) @ inv(eye(n) + S)),
                            "Sᵀ = −S, and I − S commutes with (I + S)⁻¹",
                            skew,
                            from_right,
                        ),
                        step(eye(n), "a matrix times its inverse", skew, from_right),
                    ),
                    chain(
                        Q_S,
                        step(eye(n) - 2 * (inv(eye(n) + S) @ S), "I − S = (I + S) − 2S", from_left),
                    ),
                )
            )
        ),
    ),
    (skew_uv, chain(S_uv.T, step(-S_uv, "transposition exchanges u and v"))),
    cited(implies(skew_uv, of_this), "instantiate", of_every, S_uv),
    cited(of_this, "modus_ponens", implies(skew_uv, of_this)),
)
pairs = (
    (-(gamma * beta) * (inverse_uv @ u), v),
    (gamma * beta * (inverse_uv @ v), u),
    (-2 * (1 - gamma) * k, k),
)
pieces = pairs[0][0] @ v.T + pairs[1][0] @ u.T + pairs[2][0] @ k.T
same_rank = eq(rank(layer - eye(n)), rank(pieces))
H_gram = eq(H.T @ H, eye(n))
parts_at_x = gamma * (Q_uv @ x), (1 - gamma) * (H @ x)
at_most_two = lines(
    (
        H_gram,
        chain(
            H.T @ H,
            step(eye(n) - 4 * (k @ k.T) + 4 * (k @ (k.T @ k) @ k.T), "multiply out"),
            step(eye(n), "the axis has length 1", unit),
        ),
    ),
    *same_length(Q_uv, gram_uv),
    *same_length(H, H_gram),
    *multiple(gamma, Q_uv @ x, Known()),
    *multiple(1 - gamma, H @ x, Linear((gate[1],))),
    last=Linear(
        (
            instance("triangle", parts_at_x[0] + parts_at_x[1], x),
            instance("triangle", *parts_at_x),
            eq(norm(parts_at_x[0]), gamma * norm(x)),
            eq(norm(parts_at_x[1]), (1 - gamma) * norm(x)),
        )
    ),
)
beside_all = both(ne(y, zeros(n, 1)), *(eq(axis.T @ y, zeros(1, 1)) for axis in (u, v, k)))
fixed = eq(Q_uv @ y, y)
is_two = lines(
    cited(exists(y, beside_all), "orthogonal_direction", y, u, v, k),
    last=Obtain(
        exists(y, beside_all),
        lines(
            (
                fixed,
                chain(
                    Q_uv @ y,
                    step(
                        (eye(n) - 2 * (inverse_uv @ S_uv)) @ y,
                        "Q = I − 2 (I + S)⁻¹ S",
                        difference_uv,
                    ),
                    step(y, "y is orthogonal to u and v", *beside_all.parts[1:3]),
                ),
            ),
            *multiple(as_expression(2), y, Linear(()), y),
            last=Exhibit(
                y,
                Parts(
                    (
                        Known(),
                        chain(
                            norm((layer + eye(n)) @ y),
                            step(
                                norm(
                                    gamma * (Q_uv @ y) + (1 - gamma) * (y - 2 * (k @ (k.T @ y))) + y
                                ),
                                "multiply out",
                            ),
                            step(
                                norm(2 * y),
                                "Q and H leave y where it is",
                                fixed,
                                beside_all.parts[3],
                            ),
                            step(2 * norm(y), "twice the length", eq(norm(2 * y), 2 * norm(y))),
                        ),
                    )
                ),
            ),
        ),
    ),
)
COMMON_FIXED_SPACE = Entry(
    common,
    (
        Kind.KERNEL,
        Kind.DERIVATION,
    ),  # numerical arithmetics tell no rank
    derivation=lines(
        *rotation_facts,
        last=Parts(
            (
                lines(
                    (
                        same_rank,
                        chain(
                            same_rank.left,
                            step(
                                same_rank.right,
                                "G − I is a sum of three products of vectors",
                                difference_uv,
                            ),
                        ),
                    ),
                    last=Linear((same_rank, instance("rank_of_outer_products", *pairs))),
                ),
                Assume(Parts((Linear(()), Arbitrary(at_most_two), is_two))),
            )
        ),
    ),
    lemma="hybrid:common_fixed_space",
    mutants=(
        Mutant("rank at most 2", changed(common.id, le(rank(layer - eye(n)), 2))),
        Mutant(
            "already for n = 3",
            changed(common.id, implies(le(3, size(n)), spectral_norm_is(layer + eye(n), 2))),
        ),
        Mutant("for every n", changed(common.id, spectral_norm_is(layer + eye(n), 2))),
        Mutant("it fixes everything", changed(common.id, eq(layer, eye(n)))),
        Mutant("it is orthogonal", changed(common.id, eq(layer.T @ layer, eye(n)))),
    ),
)


# ---------------------------------------------------------------- …depth_covers_orthogonal_group

depth = CLAIMS["hybrid.depth_covers_orthogonal_group"]
s = index("s")
grown = tuple(sequence(name) for name in "gb") + tuple(sequence(name, n) for name in "pql")
of_rank_s = forall(M, implies(both(orthogonal_m, le(rank_m, s)), some_stack(M, s)))
of_every_rank = forall(s, of_rank_s, over=(0, None))
I_n = eye(n)
half_turn = as_expression(0) / 2 * (a @ a.T - a @ a.T)
one_more = le(1, s + 1)


def _old_and_new(old: SequenceSymbol, new: SequenceSymbol, value: Expression) -> And:
    """A sequence has another term s + 1."""
    return both(eq(new[s + 1], value), forall(i, eq(new[i], old[i]), over=(1, s)))


def _extended(previous: Expression, gate: int, then: Sequence[Step]) -> Derivation:
    """M is a product of s + 1 layers, where `previous` is one of s and `then` adds the last."""
    values = (as_expression(gate), as_expression(0), a, a, a)
    longer = tuple(map(_old_and_new, stack, grown, values))
    new_terms = tuple(fact.parts[0] for fact in longer)
    at_i = tuple(eq(new[i], old[i]) for old, new in zip(stack, grown, strict=True))
    old_terms = tuple(forall(i, same, over=(1, s)) for same in at_i)
    old_binary, splits = binary(stack, s), either(le(i, s), eq(i, s + 1))
    unit_i = eq(stack[4][i].T @ stack[4][i], eye(1))
    closed_i = either(eq(gamma_i[i], 0), both(eq(gamma_i[i], 1), eq(stack[1][i], 0)))
    at_old = (*at_i, both(unit_i, closed_i))
    g_i, b_i, _, _, l_i = (terms[i] for terms in grown)
    last = tuple(terms[s + 1] for terms in grown)
    of_old = lines(
        *(
            cited(here, "instantiate_range", fact, i)
            for here, fact in zip(at_old, (*old_terms, old_binary), strict=True)
        ),
        last=Parts(
            (
                chain(
                    l_i.T @ l_i,
                    step(unit_i.left, "an old term", at_i[4]),
                    step(eye(1), "of length 1", unit_i),
                ),
                Cases(
                    closed_i,
                    (
                        Choose(0, chain(g_i, step(0, "an old gate", at_i[0], eq(gamma_i[i], 0)))),
                        Choose(
                            1,
                            Parts(
                                (
                                    chain(g_i, step(1, "an old gate", at_i[0], eq(gamma_i[i], 1))),
                                    chain(
                                        b_i,
                                        step(
                                            0, "an old angle", at_i[1], eq(statements.beta_i[i], 0)
                                        ),
                                    ),
                                )
                            ),
                        ),
                    ),
                ),
            )
        ),
    )

    def newest(place: int) -> Chain:
        return chain(
            grown[place][i],
            step(last[place], "i = s + 1", splits.parts[1]),
            step(values[place], "the new term", new_terms[place]),
        )

    of_new = Parts(
        (
            chain(
                l_i.T @ l_i,
                step(last[4].T @ last[4], "i = s + 1", splits.parts[1]),
                step(a.T @ a, "the new term", new_terms[4]),
                step(eye(1), "of length 1", eq(a.T @ a, eye(1))),
            ),
            Choose(0, newest(0)) if gate == 0 else Choose(1, Parts((newest(0), newest(1)))),
        )
    )
    same_layers = forall(i, eq(layer_of(grown), layer_of(stack)), over=(1, s))
    whole = stacked(grown, s + 1)
    product = lines(
        (
            same_layers,
            Each(
                lines(
                    *(
                        cited(here, "instantiate_range", fact, i)
                        for here, fact in zip(at_i, old_terms, strict=True)
                    ),
                    last=chain(layer_of(grown), step(layer_of(stack), "an old layer", *at_i)),
                )
            ),
        ),
        (one_more, Linear((le(0, s),))),
        last=chain(
            M,
            *then,
            step(
                layer_with(values) @ stacked(stack, s),
                "by what is known for s layers",
                eq(previous, stacked(stack, s)),
            ),
            step(
                layer_with(values) @ stacked(grown, s),
                "the same layers",
                instance("equal_factors", stacked(grown, s), stacked(stack, s)),
            ),
            step(
                layer_with(last) @ stacked(grown, s),
                "the new layer",
                new_terms[0],
                new_terms[1 if gate else 4],
            ),
            step(whole, "the last layer stands apart", instance("product_last", whole)),
        ),
    )
    found: Derivation = Parts(
        (
            Each(
                lines(
                    cited(splits, "integer_step", i, s),
                    last=Cases(splits, (of_old, of_new)),
                )
            ),
            product,
        )
    )
    for terms in reversed(grown):
        found = Exhibit(terms, found)
    for fact, old, new, value in reversed(tuple(zip(longer, stack, grown, values, strict=True))):
        some = exists(new, fact)
        found = lines(cited(some, "append_term", old, new, s, value, i), last=Obtain(some, found))
    obtained = some_stack(previous, s)
    layers: list[Exists] = []
    while isinstance(obtained, Exists):
        layers.append(obtained)
        obtained = obtained.body
    for fact in reversed(layers):
        found = Obtain(fact, found)
    known = implies(
        both(eq(previous.T @ previous, I_n), le(rank(previous - I_n), s)), some_stack(previous, s)
    )
    return lines(
        cited(known, "instantiate", of_rank_s, previous),
        cited(known.right, "modus_ponens", known),
        last=found,
    )


def layer_with(terms: Sequence[Expression]) -> Expression:
    """The layer with these generators."""
    gate, angle, first, second, axis = terms
    return gate * cayley(first, second, angle) + (1 - gate) * reflect(axis)


unmoved, some_unit = eq(M - I_n, zeros(n, n)), exists(a, eq(a.T @ a, eye(1)))
moved_or_not = either(unmoved, ne(M - I_n, zeros(n, n)))
idle = lines(
    (
        eq(rank_m, 0),
        chain(
            rank_m,
            step(rank(zeros(n, n)), "M = I", unmoved),
            step(0, "the rank of 0", instance("rank_of_zero", n, n)),
        ),
    ),
    (le(rank_m, s), Linear((eq(rank_m, 0), le(0, s)))),
    cited(some_unit, "unit_vector", a),
    last=Obtain(
        some_unit,
        _extended(
            M,
            1,
            (
                step(
                    layer_with((as_expression(1), as_expression(0), a, a, a)) @ M,
                    "at γ = 1 and β = 0 a layer is I",
                    instance("right_inverse", I_n + half_turn),
                ),
            ),
        ),
    ),
)
reflecting = peeled(
    lines(
        (
            le(rank_rest, s),
            Linear((eq(rank_rest + 1, rank_m), le(rank_m, s + 1))),
        ),
        last=_extended(
            rest,
            0,
            (
                step(
                    layer_with((as_expression(0), as_expression(0), a, a, a)) @ rest,
                    "at γ = 0 a layer is a reflection, and H² = I",
                    eq(a.T @ a, eye(1)),
                ),
            ),
        ),
    )
)
no_layer = lines(
    cited(unmoved, "rank_zero", M - I_n),
    (lt(0, as_expression(1)), Linear(())),
    last=Parts(
        (
            Each(Contradiction(le(1, i), Linear((le(i, 0),)))),
            chain(
                M,
                step((M - I_n) + I_n, "I is added and subtracted"),
                step(I_n, "M − I = 0", unmoved),
                step(
                    stacked(stack, 0),
                    "no layer at all",
                    instance("product_empty", stacked(stack, 0)),
                ),
            ),
        )
    ),
)


def _some_sequences(proof: Derivation) -> Derivation:
    for terms in reversed(stack):
        proof = Exhibit(terms, proof)
    return proof


of_rank_n = forall(M, implies(both(orthogonal_m, le(rank_m, size(n))), some_stack(M, size(n))))
for_r = implies(both(mirrored, le(rank(R - I_n), size(n))), some_stack(R, size(n)))
DEPTH_COVERS_ORTHOGONAL_GROUP = Entry(
    depth,
    (
        Kind.KERNEL,
        Kind.DERIVATION,
    ),
    derivation=lines(
        (
            of_every_rank,
            Each(
                Induction(
                    s,
                    0,
                    Arbitrary(Assume(_some_sequences(no_layer))),
                    Arbitrary(
                        Assume(
                            lines(
                                cited(
                                    of_rank_s, "modus_ponens", implies(both(le(0, s)), of_rank_s)
                                ),
                                cited(moved_or_not, "equal_or_not", M - I_n, zeros(n, n)),
                                last=Cases(moved_or_not, (idle, reflecting)),
                            )
                        )
                    ),
                )
            ),
        ),
        (
            le(0, size(n)),
            Linear((instance("rank_at_most_size", R - I_n),)),
        ),
        (le(rank(R - I_n), size(n)), Linear((instance("rank_at_most_size", R - I_n),))),
        cited(of_rank_n, "instantiate_range", of_every_rank, size(n)),
        cited(for_r, "instantiate", of_rank_n, R),
        last=Cited(instance("modus_ponens", for_r)),
    ),
    lemma="hybrid:depth_covers_orthogonal_group",
    mutants=(
        Mutant("R is any matrix", restate(depth, given=[], then=eq(R.T @ R, eye(n)))),
        Mutant("R is a reflection", changed(depth.id, eq(R.T, R))),
        Mutant("R moves fewer than n dimensions", changed(depth.id, lt(rank(R - I_n), size(n)))),
    ),
)


# ---------------------------------------------------------------- hybrid.midpoint_stack_reading

midpoint_stack = CLAIMS["hybrid.midpoint_stack_reading"]
L = statements.L
MIDPOINT_STACK_READING = Entry(
    midpoint_stack,
    (Kind.COUNTEREXAMPLE,),
    mutants=(
        Mutant(
            "every gate above ½",
            restate(
                midpoint_stack,
                given=[*midpoint_stack.given, forall(i, lt(half, gamma_i[i]), over=(1, L))],
            ),
        ),
        Mutant("no layer at all", restate(midpoint_stack, given=[*midpoint_stack.given, le(L, 0)])),
        Mutant(
            "the stack of rotations",
            changed(midpoint_stack.id, invertible(ordered_product(i, 1, L, statements.Q_i[i]))),
        ),
    ),
)


# ---------------------------------------------------------------- hybrid.reduces_to_residual

reduces = CLAIMS["hybrid.reduces_to_residual"]
open_gate, no_angle, no_pre, no_post = reduces.given
reduces_left = G + H_post.T @ F(H_pre @ LN(G))
idle_rotation = forall(S, implies(both(skew, eq(S, zeros(n, n))), eq(Q_S, eye(n))))
still_skew = both(skew_uv, eq(S_uv, zeros(n, n)))
REDUCES_TO_RESIDUAL = Entry(
    reduces,
    (Kind.KERNEL, *BY_DERIVATION),
    derivation=lines(
        (
            idle_rotation,
            Arbitrary(
                chain(
                    Q_S,
                    step(eye(n) - 2 * (inv(eye(n) + S) @ S), "I − S = (I + S) − 2S", from_left),
                    step(eye(n), "S = 0", eq(S, zeros(n, n))),
                )
            ),
        ),
        (skew_uv, chain(S_uv.T, step(-S_uv, "transposition exchanges u and v"))),
        (
            eq(S_uv, zeros(n, n)),
            chain(S_uv, step(zeros(n, n), "β = 0", no_angle)),
        ),
        cited(implies(still_skew, eq(Q_uv, eye(n))), "instantiate", idle_rotation, S_uv),
        cited(eq(Q_uv, eye(n)), "modus_ponens", implies(still_skew, eq(Q_uv, eye(n)))),
        (
            eq(G, X),
            chain(
                G,
                step(Q_uv @ X, "γ = 1", open_gate),
                step(X, "β = 0", eq(Q_uv, eye(n))),
            ),
        ),
        last=chain(
            G + H_post.T @ F(H_pre @ LN(G)),
            step(X + H_post.T @ F(H_pre @ LN(X)), "G = X", eq(G, X)),
            step(X + H_post.T @ F(LN(X)), "H_pre = I", no_pre),
            step(X + F(LN(X)), "H_post = I", no_post),
        ),
    ),
    lemma="hybrid:reduces_to_residual",
    mutants=(
        Mutant("at any gate", without(reduces, open_gate)),
        Mutant("at any angle", without(reduces, no_angle)),
        Mutant("with any H_pre", without(reduces, no_pre)),
        Mutant("with any H_post", without(reduces, no_post)),
        Mutant("without the normalisation", changed(reduces.id, eq(reduces_left, X + F(X)))),
        Mutant("without the shortcut", changed(reduces.id, eq(reduces_left, F(LN(X))))),
    ),
)


# ---------------------------------------------------------------- …generators_causal_reading

pooled = CLAIMS["hybrid.pooled_generators_causal_reading"]
POOLED_GENERATORS_CAUSAL_READING = Entry(
    pooled,
    (Kind.COUNTEREXAMPLE, *NUMERIC),
    mutants=(
        Mutant(
            "the same second token",
            restate(pooled, given=[*pooled.given, eq(statements.y, statements.z)]),
        ),
        Mutant("the first token is 0", restate(pooled, given=[*pooled.given, eq(x, zeros(n, 1))])),
        Mutant(
            "at the second token only",
            restate(pooled, then=eq(statements.with_y, statements.with_y)),
        ),
    ),
)

ENTRIES = (
    BOTH_COMPONENTS,
    EXACTLY_ORTHOGONAL_PRINTED,
    GRAM,
    ENDPOINTS_ORTHOGONAL,
    INTERIOR_NOT_ORTHOGONAL,
    MIDPOINT_SINGULAR,
    SMALLEST_SINGULAR_VALUE,
    NORM_BOUNDS,
    ORTHOGONALITY_DEFECT,
    DISTANCE_TO_ORTHOGONAL,
    PLANAR_DETERMINANT,
    BLEND_APPROXIMATES_ROTATIONS_READING,
    BLEND_REACHES_ROTATION_ON_ONE_VECTOR,
    SINGLE_LAYER_COVERS_ORTHOGONAL_GROUP_PRINTED,
    COMMON_FIXED_SPACE,
    DEPTH_COVERS_ORTHOGONAL_GROUP,
    MIDPOINT_STACK_READING,
    REDUCES_TO_RESIDUAL,
    POOLED_GENERATORS_CAUSAL_READING,
)
