"""The family reflection: derivations, a counterproof, operators and mutants of each statement.

ENTRIES == in the order of the ledger
"""

from ...symbolic import reflection as statements
from ...symbolic.claims import restate
from ...symbolic.counterproofs import Counterproof
from ...symbolic.derivations import (
    Arbitrary,
    Assume,
    BothWays,
    Cases,
    Cited,
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
    TrivialKernel,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    SequenceSymbol,
    as_expression,
    entry,
    eye,
    index,
    matrix,
    norm,
    rank,
    sequence,
    size,
    vector,
    zeros,
)
from ...symbolic.propositions import (
    Exists,
    Proposition,
    both,
    either,
    eq,
    exists,
    forall,
    iff,
    implies,
    invertible,
    le,
    lt,
    ne,
)
from ...symbolic.reflection import (
    HX,
    H,
    R,
    R_r,
    X,
    along_x,
    axis,
    i,
    k,
    k_i,
    n,
    r,
    reflections,
    unit,
    units,
    x,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant, Operator
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
NUMERIC = (Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)


# ---------------------------------------------------------------- reflection.negates_its_axis_only

axis_only = CLAIMS["reflection.negates_its_axis_only"]


def _negated_along(image: Expression, state: Expression) -> Derivation:
    """H x = −x ⇔ x = k kᵀx, for a vector or a matrix."""
    negated, along = eq(image, -state), eq(state, k @ (k.T @ state))
    return BothWays(
        forward=chain(
            state,
            step((state + H @ state) / 2 + k @ (k.T @ state), "x = ½ (x + H x) + k kᵀx"),
            step((state - state) / 2 + k @ (k.T @ state), "H x = −x", negated),
            step(k @ (k.T @ state), "x − x = 0"),
        ),
        backward=chain(
            image,
            step(state - 2 * (k @ (k.T @ state)), "multiply out"),
            step(-state, "x = k kᵀx", along),
        ),
    )


NEGATES_ITS_AXIS_ONLY = Entry(
    axis_only,
    (Kind.KERNEL, Kind.CERTIFICATE, Kind.DERIVATION, *NUMERIC),
    derivation=_negated_along(H @ x, x),
    mutants=(
        Mutant(
            "fixed in place of negated",
            restate(axis_only, then=iff(eq(H @ x, x), eq(x, k @ (k.T @ x)))),
        ),
        Mutant("every vector", restate(axis_only, then=eq(H @ x, -x))),
        Mutant("only k itself", restate(axis_only, then=iff(eq(H @ x, -x), eq(x, k)))),
        Mutant(
            "the vectors orthogonal to k",
            restate(axis_only, then=iff(eq(H @ x, -x), eq(k.T @ x, zeros(1, 1)))),
        ),
        Mutant("k of any length", without(axis_only, unit), stays_true=True),
    ),
)


# ---------------------------------------------------------------- reflection.negates_rank_one_only

rank_one_only = CLAIMS["reflection.negates_rank_one_only"]
along_k = eq(X, k @ (k.T @ X))
NEGATES_RANK_ONE_ONLY = Entry(
    rank_one_only,
    (Kind.KERNEL, Kind.CERTIFICATE, Kind.DERIVATION, *NUMERIC, Kind.TORCH),
    derivation=_negated_along(HX, X),
    operators={"HX": Operator("reflection:reflect", ("X", "k"))},
    mutants=(
        Mutant("fixed in place of negated", restate(rank_one_only, then=iff(eq(HX, X), along_k))),
        Mutant("every state", restate(rank_one_only, then=eq(HX, -X))),
        Mutant("only 0", restate(rank_one_only, then=iff(eq(HX, -X), eq(X, zeros(*X.shape))))),
        Mutant(
            "the columns orthogonal to k",
            restate(rank_one_only, then=iff(eq(HX, -X), eq(k.T @ X, zeros(1, X.columns)))),
        ),
        Mutant("k of any length", without(rank_one_only, unit), stays_true=True),
    ),
)


# ---------------------------------------------------------------- …fixed_axis_negates_all_reading

fixed_axis = CLAIMS["reflection.fixed_axis_negates_all_reading"]
k_2, y, z = vector("k", 2), vector("y", 2), vector("z", n)
H_2 = eye(2) - 2 * (k_2 @ k_2.T)
beside = both(ne(y, zeros(2, 1)), eq(k_2.T @ y, zeros(1, 1)))
reflection_k = eye(n) - 2 * (k @ k.T)
FIXED_AXIS_NEGATES_ALL_READING = Entry(
    fixed_axis,
    (Kind.COUNTERPROOF,),
    counterproof=Counterproof(
        sizes={"n": 2},
        instance={},
        because=Arbitrary(
            Assume(
                lines(
                    (le(2, size(2)), Linear(())),
                    cited(exists(y, beside), "orthogonal_direction", y, k_2),
                    last=Obtain(
                        exists(y, beside),
                        Exhibit(
                            y,
                            Suppose(
                                Contradiction(
                                    beside.parts[0],
                                    chain(
                                        y,
                                        step(
                                            (y + H_2 @ y) / 2,
                                            "y is orthogonal to k, so H y = y",
                                            beside.parts[1],
                                        ),
                                        step((y - y) / 2, "suppose H y = −y", eq(H_2 @ y, -y)),
                                        step(zeros(2, 1), "y − y = 0"),
                                    ),
                                )
                            ),
                        ),
                    ),
                )
            )
        ),
    ),
    repaired_by="reflection.adaptive_axis_negates",
    mutants=(
        Mutant(
            "on a line",
            restate(fixed_axis, given=[le(size(n), 1)]),
        ),
        Mutant(
            "on the axis",
            restate(fixed_axis, then=exists(k, both(unit, eq(reflection_k @ k, -k)))),
        ),
        Mutant(
            "an axis for each vector",
            restate(fixed_axis, then=forall(x, exists(k, both(unit, eq(reflection_k @ x, -x))))),
        ),
    ),
)


# ---------------------------------------------------------------- reflection.adaptive_axis_negates

adaptive = CLAIMS["reflection.adaptive_axis_negates"]
ADAPTIVE_AXIS_NEGATES = Entry(
    adaptive,
    (Kind.KERNEL, Kind.DERIVATION, *NUMERIC),
    derivation=chain(
        along_x @ x,
        step(x - 2 * entry(x.T @ x) / norm(x) ** 2 * x, "multiply out"),
        step(-x, "‖x‖² = xᵀx", instance("norm_squared", x)),
    ),
    lemma="reflection:adaptive_axis_negates",
    mutants=(
        Mutant("x is fixed", restate(adaptive, then=eq(along_x @ x, x))),
        Mutant("twice", restate(adaptive, then=eq(along_x @ x, -2 * x))),
        Mutant("x is taken to 0", restate(adaptive, then=eq(along_x @ x, zeros(n, 1)))),
        Mutant(
            "the factor 2 is missing",
            restate(adaptive, then=eq((eye(n) - axis @ axis.T) @ x, -x)),
        ),
        Mutant("every vector", restate(adaptive, then=eq(along_x @ z, -z))),
    ),
)


# ---------------------------------------------------------------- reflection.product_rank

product_rank = CLAIMS["reflection.product_rank"]
moved = rank(R_r - eye(n))
before, after = reflections(k_i, r), reflections(k_i, r + 1)
last_axis = k_i[r + 1]
H_last = eye(n) - 2 * (last_axis @ last_axis.T)
added = (-2 * last_axis) @ (before.T @ last_axis).T
grown = (before - eye(n)) + added
here = both(le(0, r), units)
at_most = le(rank(before - eye(n)), r)
units_to_r = Each(
    lines(
        (le(i, r + 1), Linear((le(i, r),))),
        last=Cited(
            instance(
                "instantiate_range",
                forall(i, eq(k_i[i].T @ k_i[i], eye(1)), over=(1, r + 1)),
                i,
            )
        ),
    )
)
by_induction = Induction(
    r,
    0,
    base=lines(
        (lt(0, as_expression(1)), Linear(())),
        (
            eq(rank(reflections(k_i, 0) - eye(n)), 0),
            chain(
                rank(reflections(k_i, 0) - eye(n)),
                step(
                    rank(zeros(n, n)),
                    "no reflection at all: R = I",
                    instance("product_empty", reflections(k_i, 0)),
                ),
                step(0, "the rank of 0", instance("rank_of_zero", n, n)),
            ),
        ),
        last=Linear((eq(rank(reflections(k_i, 0) - eye(n)), 0),)),
    ),
    step=lines(
        (units, units_to_r),
        cited(at_most, "modus_ponens", implies(here, at_most)),
        (le(1, r + 1), Linear((le(0, r),))),
        (
            eq(rank(after - eye(n)), rank(grown)),
            chain(
                rank(after - eye(n)),
                step(
                    rank(H_last @ before - eye(n)),
                    "the last factor stands apart",
                    instance("product_last", after),
                ),
                step(rank(grown), "multiply out"),
            ),
        ),
        last=Linear(
            (
                eq(rank(after - eye(n)), rank(grown)),
                at_most,
                instance("rank_of_sum", before - eye(n), added),
                instance("rank_of_outer_products", (-2 * last_axis, before.T @ last_axis)),
            )
        ),
    ),
)
twice = -2 * eye(n)
PRODUCT_RANK = Entry(
    product_rank,
    (
        Kind.KERNEL,
        Kind.DERIVATION,
    ),  # numerical arithmetics tell no rank
    derivation=lines(
        (le(moved, r), by_induction),
        last=Parts(
            (
                Known(),
                lines(
                    (
                        invertible(twice),
                        TrivialKernel(
                            x,
                            chain(
                                x,
                                step(-(twice @ x) / 2, "half of its negative"),
                                step(zeros(n, 1), "x is in the kernel", eq(twice @ x, zeros(n, 1))),
                            ),
                        ),
                    ),
                    last=Assume(
                        lines(
                            (
                                eq(moved, rank(twice)),
                                chain(
                                    moved,
                                    step(rank(-eye(n) - eye(n)), "R = −I", eq(R_r, -eye(n))),
                                    step(rank(twice), "collect"),
                                ),
                            ),
                            last=Linear(
                                (
                                    le(moved, r),
                                    eq(moved, rank(twice)),
                                    instance("rank_of_invertible", twice),
                                )
                            ),
                        )
                    ),
                ),
            )
        ),
    ),
    lemma="reflection:product_rank",
    mutants=(
        Mutant("fewer than r", restate(product_rank, then=lt(moved, r))),
        Mutant("exactly r", restate(product_rank, then=eq(moved, r))),
        Mutant("rank of R itself", restate(product_rank, then=le(rank(R_r), r))),
        Mutant("rank of R + I", restate(product_rank, then=le(rank(R_r + eye(n)), r))),
        Mutant("axes of any length", without(product_rank, units), stays_true=True),
    ),
)


# ---------------------------------------------------------------- reflection.cartan_dieudonne

cartan = CLAIMS["reflection.cartan_dieudonne"]
M, a = matrix("M", n, n), vector("a", n)
orthogonal_m = eq(M.T @ M, eye(n))
zero = zeros(n, 1)
shift = x - M @ x
H_a = eye(n) - 2 * (a @ a.T)
rest = H_a @ M
direction = both(eq(a.T @ a, eye(1)), eq(norm(shift) * a, shift))
unit_a, along_a = direction.parts
orthogonal_rest = eq(rest.T @ rest, eye(n))
rank_m, rank_rest = rank(M - eye(n)), rank(rest - eye(n))
length_is = eq(norm(shift), 2 * entry(a.T @ x))
ways = either(eq(norm(shift), 0), eq(norm(shift) - 2 * entry(a.T @ x), 0))
across = either(eq(norm(shift), 0), eq(entry(a.T @ z), 0))
still = implies(eq((M - eye(n)) @ z, zero), eq((rest - eye(n)) @ z, zero))


def peeled(then: Derivation) -> Derivation:
    """Where M is orthogonal and M − I ≠ 0 is known: a reflection after which less is moved.

    It is H = I − 2aaᵀ, a along x − Mx ≠ 0; then HM is orthogonal, M = H (HM), and
    rank(HM − I) + 1 = rank(M − I).
    """
    moves = exists(x, ne((M - eye(n)) @ x, zero))
    not_moved = chain(
        (M - eye(n)) @ x,
        step(-shift, "multiply out"),
        step(zero, "suppose x − M x = 0", eq(shift, zero)),
    )
    squares = chain(
        norm(shift) * (norm(shift) - 2 * entry(a.T @ x)),
        step(
            entry((x - norm(shift) * a).T @ (x - norm(shift) * a)) - entry(x.T @ x),
            "multiply out, with aᵀa = 1",
            unit_a,
        ),
        step(entry((x - shift).T @ (x - shift)) - entry(x.T @ x), "‖x − M x‖ a = x − M x", along_a),
        step(0, "M is orthogonal", orthogonal_m),
    )
    length_not_zero = Contradiction(lt(0, norm(shift)), Linear((eq(norm(shift), 0),)))
    orthogonality = chain(
        norm(shift) * entry(a.T @ z),
        step(entry((norm(shift) * a).T @ z), "transposition reverses a product"),
        step(entry(shift.T @ z), "‖x − M x‖ a = x − M x", along_a),
        step(
            entry(x.T @ z) - entry((M @ x).T @ (M @ z)),
            "M z = z",
            eq((M - eye(n)) @ z, zero),
        ),
        step(0, "M is orthogonal", orthogonal_m),
    )
    less = (
        eq(rank_m, rank((rest - eye(n)) + (-2 * a) @ (rest.T @ a).T)),
        chain(
            rank_m,
            step(
                rank((rest - eye(n)) + (-2 * a) @ (rest.T @ a).T),
                "M = H (H M), since H² = I",
                unit_a,
            ),
        ),
    )
    return lines(
        cited(moves, "moved_vector", M - eye(n), x),
        last=Obtain(
            moves,
            lines(
                (ne(shift, zero), Suppose(Contradiction(moves.body, not_moved))),
                cited(exists(a, direction), "direction", shift, a),
                last=Obtain(
                    exists(a, direction),
                    lines(
                        cited(lt(0, norm(shift)), "norm_positive", shift),
                        (eq(squares.start, 0), squares),
                        cited(ways, "zero_product", *ways.parts),
                        (length_is, Cases(ways, (length_not_zero, Linear((ways.parts[1],))))),
                        (
                            orthogonal_rest,
                            chain(
                                rest.T @ rest,
                                step(M.T @ M, "H is orthogonal", unit_a),
                                step(eye(n), "M is orthogonal", orthogonal_m),
                            ),
                        ),
                        (
                            eq((rest - eye(n)) @ x, zero),
                            chain(
                                (rest - eye(n)) @ x,
                                step(H_a @ (x - shift) - x, "M x = x − (x − M x)"),
                                step(
                                    H_a @ (x - norm(shift) * a) - x,
                                    "‖x − M x‖ a = x − M x",
                                    along_a,
                                ),
                                step(
                                    (norm(shift) - 2 * entry(a.T @ x)) * a,
                                    "multiply out, with aᵀa = 1",
                                    unit_a,
                                ),
                                step(zero, "‖x − M x‖ = 2 aᵀx", length_is),
                            ),
                        ),
                        (
                            forall(z, still),
                            Arbitrary(
                                Assume(
                                    lines(
                                        (eq(orthogonality.start, 0), orthogonality),
                                        cited(across, "zero_product", *across.parts),
                                        (
                                            eq(entry(a.T @ z), 0),
                                            Cases(across, (length_not_zero, Known())),
                                        ),
                                        last=chain(
                                            (rest - eye(n)) @ z,
                                            step(
                                                H_a @ z - z,
                                                "M z = z",
                                                eq((M - eye(n)) @ z, zero),
                                            ),
                                            step(-2 * entry(a.T @ z) * a, "multiply out"),
                                            step(zero, "aᵀz = 0", eq(entry(a.T @ z), 0)),
                                        ),
                                    )
                                )
                            ),
                        ),
                        cited(
                            le(rank_rest + 1, rank_m),
                            "larger_kernel",
                            M - eye(n),
                            rest - eye(n),
                            x,
                            z,
                        ),
                        less,
                        (
                            eq(rank_rest + 1, rank_m),
                            Linear(
                                (
                                    le(rank_rest + 1, rank_m),
                                    less[0],
                                    instance(
                                        "rank_of_sum", rest - eye(n), (-2 * a) @ (rest.T @ a).T
                                    ),
                                    instance("rank_of_outer_products", (-2 * a, rest.T @ a)),
                                )
                            ),
                        ),
                        last=then,
                    ),
                ),
            ),
        ),
    )


s, l_i = index("s"), sequence("l", n)
unit_at = eq(k_i[i].T @ k_i[i], eye(1))


def units_of(axes: SequenceSymbol, count: Expression) -> Proposition:
    """The first terms of a sequence have length 1."""
    return forall(i, eq(axes[i].T @ axes[i], eye(1)), over=(1, count))


def product_of(matrix: Expression, count: Expression) -> Exists:
    """A matrix is a product of reflections."""
    return exists(k_i, both(units_of(k_i, count), eq(matrix, reflections(k_i, count))))


of_rank_s = forall(M, implies(both(orthogonal_m, eq(rank_m, s)), product_of(M, s)))
of_every_rank = forall(s, of_rank_s, over=(0, None))
old_term_at = eq(l_i[i], k_i[i])
new_term, old_terms = eq(l_i[s + 1], a), forall(i, old_term_at, over=(1, s))
appended = exists(l_i, both(new_term, old_terms))
rest_is_product = eq(rest, reflections(k_i, s))


def old_term(at: Derivation) -> Derivation:
    """l_i = k_i for i ≤ s."""
    return lines(cited(old_term_at, "instantiate_range", old_terms, i), last=at)


same_factor = eq(eye(n) - 2 * (l_i[i] @ l_i[i].T), eye(n) - 2 * (k_i[i] @ k_i[i].T))
same_factors = forall(i, same_factor, over=(1, s))
splits = either(le(i, s), eq(i, s + 1))
extended = Exhibit(
    l_i,
    Parts(
        (
            Each(
                lines(
                    cited(splits, "integer_step", i, s),
                    last=Cases(
                        splits,
                        (
                            old_term(
                                lines(
                                    cited(
                                        unit_at,
                                        "instantiate_range",
                                        units_of(k_i, s),
                                        i,
                                    ),
                                    last=chain(
                                        l_i[i].T @ l_i[i],
                                        step(k_i[i].T @ k_i[i], "an old term", old_term_at),
                                        step(eye(1), "of length 1", unit_at),
                                    ),
                                )
                            ),
                            chain(
                                l_i[i].T @ l_i[i],
                                step(l_i[s + 1].T @ l_i[s + 1], "i = s + 1", splits.parts[1]),
                                step(a.T @ a, "the new term", new_term),
                                step(eye(1), "of length 1", unit_a),
                            ),
                        ),
                    ),
                )
            ),
            lines(
                (
                    same_factors,
                    Each(
                        old_term(
                            chain(
                                same_factor.left,
                                step(same_factor.right, "an old term", old_term_at),
                            )
                        )
                    ),
                ),
                (le(1, s + 1), Linear((le(0, s),))),
                last=chain(
                    M,
                    step(H_a @ rest, "H² = I", unit_a),
                    step(H_a @ reflections(k_i, s), "by what is known for rank s", rest_is_product),
                    step(
                        H_a @ reflections(l_i, s),
                        "the same factors",
                        instance("equal_factors", reflections(l_i, s), reflections(k_i, s)),
                    ),
                    step(
                        (eye(n) - 2 * (l_i[s + 1] @ l_i[s + 1].T)) @ reflections(l_i, s),
                        "the new term",
                        new_term,
                    ),
                    step(
                        reflections(l_i, s + 1),
                        "the last factor stands apart",
                        instance("product_last", reflections(l_i, s + 1)),
                    ),
                ),
            ),
        )
    ),
)
known_for_rest = implies(both(orthogonal_rest, eq(rank_rest, s)), product_of(rest, s))
next_rank = Arbitrary(
    Assume(
        lines(
            cited(of_rank_s, "modus_ponens", implies(both(le(0, s)), of_rank_s)),
            (
                ne(M - eye(n), zeros(n, n)),
                Suppose(
                    lines(
                        (
                            eq(rank_m, 0),
                            chain(
                                rank_m,
                                step(
                                    rank(zeros(n, n)),
                                    "suppose M = I",
                                    eq(M - eye(n), zeros(n, n)),
                                ),
                                step(0, "the rank of 0", instance("rank_of_zero", n, n)),
                            ),
                        ),
                        last=Linear((eq(rank_m, 0), eq(rank_m, s + 1), le(0, s))),
                    )
                ),
            ),
            last=peeled(
                lines(
                    (
                        eq(rank_rest, s),
                        Linear((eq(rank_rest + 1, rank_m), eq(rank_m, s + 1))),
                    ),
                    cited(known_for_rest, "instantiate", of_rank_s, rest),
                    cited(product_of(rest, s), "modus_ponens", known_for_rest),
                    last=Obtain(
                        product_of(rest, s),
                        lines(
                            cited(appended, "append_term", k_i, l_i, s, a, i),
                            last=Obtain(appended, extended),
                        ),
                    ),
                )
            ),
        )
    )
)
rank_zero = Arbitrary(
    Assume(
        lines(
            (le(rank_m, 0), Linear((eq(rank_m, 0),))),
            cited(eq(M - eye(n), zeros(n, n)), "rank_zero", M - eye(n)),
            (lt(0, as_expression(1)), Linear(())),
            last=Exhibit(
                k_i,
                Parts(
                    (
                        Each(Contradiction(le(1, i), Linear((le(i, 0),)))),
                        chain(
                            M,
                            step((M - eye(n)) + eye(n), "I is added and subtracted"),
                            step(eye(n), "M − I = 0", eq(M - eye(n), zeros(n, n))),
                            step(
                                reflections(k_i, 0),
                                "no reflection at all",
                                instance("product_empty", reflections(k_i, 0)),
                            ),
                        ),
                    )
                ),
            ),
        )
    )
)
of_rank_r = forall(M, implies(both(orthogonal_m, eq(rank_m, r)), product_of(M, r)))
for_this = implies(both(*cartan.given), product_of(R, r))
CARTAN_DIEUDONNE = Entry(
    cartan,
    (
        Kind.KERNEL,
        Kind.DERIVATION,
    ),
    derivation=lines(
        (le(0, r), Linear((cartan.given[1], instance("rank_at_most_size", R - eye(n))))),
        (of_every_rank, Each(Induction(s, 0, rank_zero, next_rank))),
        cited(of_rank_r, "instantiate_range", of_every_rank, r),
        cited(for_this, "instantiate", of_rank_r, R),
        last=Parts(
            (
                Linear((cartan.given[1], instance("rank_at_most_size", R - eye(n)))),
                Cited(instance("modus_ponens", for_this)),
            )
        ),
    ),
    lemma="reflection:cartan_dieudonne",
    mutants=(
        Mutant(
            "fewer than n",
            restate(cartan, then=both(lt(r, size(n)), cartan.then.propositions[1])),
        ),
        Mutant("R is any matrix", restate(cartan, given=cartan.given[1:], then=eq(R @ R, eye(n)))),
        Mutant("at least n", restate(cartan, then=le(size(n), r))),
        Mutant("R is symmetric", restate(cartan, then=eq(R.T, R))),
    ),
)

ENTRIES = (
    NEGATES_ITS_AXIS_ONLY,
    NEGATES_RANK_ONE_ONLY,
    FIXED_AXIS_NEGATES_ALL_READING,
    ADAPTIVE_AXIS_NEGATES,
    PRODUCT_RANK,
    CARTAN_DIEUDONNE,
)
