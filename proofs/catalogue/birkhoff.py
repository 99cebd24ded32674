"""The family birkhoff: derivations, counterproofs and mutants of each statement.

ENTRIES == in the order of the ledger
"""

from ...symbolic import birkhoff as statements
from ...symbolic import expressions as ex
from ...symbolic import propositions as pr
from ...symbolic.binding import put
from ...symbolic.birkhoff import (
    M,
    P,
    R,
    T,
    column_sums,
    delta,
    deviation,
    doubly_stochastic,
    half,
    minus_one,
    n,
    normalised,
    one,
    t,
    x,
)
from ...symbolic.claims import Claim, restate
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
    Evaluated,
    Exhibit,
    Have,
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
from ...symbolic.expressions import (
    absolute,
    constant,
    diagonal,
    element,
    entry,
    eye,
    index,
    inv,
    norm,
    ones,
    scalar,
    sequence,
    size,
    total,
    tr,
    zeros,
)
from ...symbolic.propositions import (
    both,
    either,
    eq,
    every_entry,
    exists,
    forall,
    iff,
    implies,
    invertible,
    le,
    lt,
    spectral_norm_is,
)
from ...symbolic.rules import instance
from .birkhoff_limit import TWO_BY_TWO_LIMIT
from .entry import Entry, Mutant
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}

i, j = index("i j")
p = element(P, i, j)
gram = P.T @ P


def nonnegative(body: ex.Expression) -> pr.ForRange:
    """The entries are ≥ 0."""
    return every_entry(body, lambda entry: le(0, entry))


def rows(body: ex.Expression) -> pr.Eq:
    """The rows sum to 1."""
    return eq(body @ one, one)


def columns(body: ex.Expression) -> pr.Eq:
    """The columns sum to 1."""
    return eq(one.T @ body, one.T)


def known(rule: pr.Proposition, name: str, *arguments, then: Derivation) -> Have:
    """A lemma by a rule, known in `then`."""
    return Have(rule, Cited(instance(name, *arguments)), then)


def at_entry(fact: pr.ForRange, then: Derivation) -> Have:
    """What holds for each entry, for the one in row i and column j."""
    of_row = fact.body
    assert isinstance(of_row, pr.ForRange)
    inner = known(of_row.body, "instantiate_range", of_row, j, then=then)
    return known(of_row, "instantiate_range", fact, i, then=inner)


def rows_only(body: ex.Expression) -> list[pr.Proposition]:
    """Entries ≥ 0, and rows that sum to 1."""
    return [nonnegative(body), rows(body)]


# ---------------------------------------------------------------- birkhoff.closed_under_product

closed = CLAIMS["birkhoff.closed_under_product"]
CLOSED_UNDER_PRODUCT = Entry(
    closed,
    (Kind.KERNEL, Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=Parts(
        (
            Cited(instance("nonnegative_entries_of_product", P, M)),
            chain(
                (P @ M) @ one,
                step(P @ one, "the rows of M sum to 1", rows(M)),
                step(one, "the rows of P sum to 1", rows(P)),
            ),
            chain(
                one.T @ (P @ M),
                step(one.T @ M, "the columns of P sum to 1", columns(P)),
                step(one.T, "the columns of M sum to 1", columns(M)),
            ),
        )
    ),
    lemma="birkhoff:closed_under_product",
    mutants=(
        Mutant(
            "only the rows of M sum to 1",
            restate(closed, given=[doubly_stochastic(P), *rows_only(M)]),
        ),
        Mutant(
            "entries of any sign",
            restate(closed, given=[rows(P), columns(P), doubly_stochastic(M)]),
        ),
        Mutant("the sum", restate(closed, then=doubly_stochastic(P + M))),
        Mutant(
            "positive entries", restate(closed, then=every_entry(P @ M, lambda entry: lt(0, entry)))
        ),
        Mutant(
            "the average", restate(closed, then=doubly_stochastic((P + M) / 2)), stays_true=True
        ),
    ),
)


# ---------------------------------------------------------------- birkhoff.preserves_mean

mean = CLAIMS["birkhoff.preserves_mean"]
PRESERVES_MEAN = Entry(
    mean,
    (Kind.KERNEL, Kind.CERTIFICATE, Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=chain(
        one.T @ P @ x,
        step((one.T @ P) @ x, "the sum of P x first adds up the columns of P"),
        step(one.T @ x, "the columns of P sum to 1", columns(P)),
    ),
    lemma="birkhoff:preserves_mean",
    mutants=(
        Mutant("only the rows of P sum to 1", restate(mean, given=rows_only(P))),
        Mutant("twice the mean", restate(mean, then=eq(one.T @ P @ x, 2 * (one.T @ x)))),
        Mutant("x itself is preserved", restate(mean, then=eq(P @ x, x))),
        Mutant("Pᵀ", restate(mean, then=eq(one.T @ P.T @ x, one.T @ x)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- birkhoff.spectral_norm_one


def form_bounded(then: Derivation) -> Derivation:
    """xᵀPᵀP x ≤ xᵀx is known in `then`, for doubly stochastic P."""
    return known(
        nonnegative(P.T),
        "nonnegative_entries_of_transpose",
        P,
        then=known(
            nonnegative(gram),
            "nonnegative_entries_of_product",
            P.T,
            P,
            then=Have(
                eq(gram.T, gram),
                chain(gram.T, step(gram, "transposition reverses a product")),
                Have(
                    rows(gram),
                    chain(
                        gram @ one,
                        step(P.T @ one, "the rows of P sum to 1", rows(P)),
                        step(one, "and so do its columns", columns(P)),
                    ),
                    known(form_bound, "laplacian", gram, x, then=then),
                ),
            ),
        ),
    )


form_bound = le(entry(x.T @ gram @ x), entry(x.T @ x))
contraction = le(norm(P @ x), 1 * norm(x))


def contracted(then: Derivation) -> Derivation:
    """‖P x‖ ≤ 1 · ‖x‖ is known in `then`, for doubly stochastic P."""
    squares = le(entry((P @ x).T @ (P @ x)), ex.as_expression(1) ** 2 * entry(x.T @ x))
    return form_bounded(
        Have(
            le(0, 1),
            Linear(()),
            Have(
                squares,
                Linear((form_bound,)),
                known(contraction, "smaller_norm", P @ x, 1, x, then=then),
            ),
        )
    )


spectral = CLAIMS["birkhoff.spectral_norm_one"]
SPECTRAL_NORM_ONE = Entry(
    spectral,
    (Kind.KERNEL, Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=Parts(
        (
            Linear(()),
            Arbitrary(contracted(Linear((contraction,)))),
            Exhibit(
                one,
                Parts(
                    (
                        Cited(instance("ones_differ_from_zero", n)),
                        chain(
                            norm(P @ one),
                            step(norm(one), "the rows of P sum to 1", rows(P)),
                            step(1 * norm(one), "times 1"),
                        ),
                    )
                ),
            ),
        )
    ),
    lemma="birkhoff:spectral_norm_one",
    mutants=(
        Mutant("only the rows of P sum to 1", restate(spectral, given=rows_only(P))),
        Mutant("entries of any sign", restate(spectral, given=[rows(P), columns(P)])),
        Mutant("½", restate(spectral, then=spectral_norm_is(P, half))),
        Mutant("the identity less P", restate(spectral, then=spectral_norm_is(eye(n) - P, 1))),
        Mutant("PᵀP", restate(spectral, then=spectral_norm_is(gram, 1)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- …orthogonal_iff_permutation

permutation = CLAIMS["birkhoff.orthogonal_iff_permutation"]
orthogonal = eq(gram, eye(n))
zero_or_one = every_entry(P, lambda entry: either(eq(entry, 0), eq(entry, 1)))
at_most_one = every_entry(P, lambda entry: le(entry, 1))
spread = total(i, 1, size(n), total(j, 1, size(n), p * (1 - p)))
spread_terms = every_entry(P, lambda entry: eq(entry * (1 - entry), 0))
spread_is = instance("entries_less_squares", P)
sum_of_entries = entry(one.T @ P @ one)
count = instance("count_of_ones", n)
rest = eye(n) - gram
forwards = known(
    at_most_one,
    "entry_at_most_sum",
    P,
    then=Have(
        every_entry(P, lambda entry: le(0, entry * (1 - entry))),
        Each(
            Each(
                at_entry(
                    nonnegative(P),
                    at_entry(
                        at_most_one,
                        Have(
                            le(0, 1 - p),
                            Linear((le(p, 1),)),
                            Cited(instance("nonnegative_product", p, 1 - p)),
                        ),
                    ),
                )
            )
        ),
        Have(
            eq(spread, 0),
            chain(
                spread,
                step(sum_of_entries - tr(gram), "Σ p − Σ p²", spread_is),
                step(entry(one.T @ one) - tr(gram), "the rows of P sum to 1", rows(P)),
                step(entry(one.T @ one) - tr(eye(n)), "PᵀP = I", orthogonal),
                step(size(n) - size(n), "𝟏ᵀ𝟏 = tr I = n", count),
                step(0, "the two terms cancel"),
            ),
            known(
                spread_terms,
                "terms_of_zero_sum",
                spread,
                then=Each(
                    Each(
                        at_entry(
                            spread_terms,
                            Have(
                                eq((p - 0) * (p - 1), 0),
                                chain(
                                    (p - 0) * (p - 1),
                                    step(-(p * (1 - p)), "change of sign"),
                                    step(0, "each term is 0", eq(p * (1 - p), 0)),
                                ),
                                Cited(instance("zero_product", eq(p, 0), eq(p, 1))),
                            ),
                        )
                    )
                ),
            ),
        ),
    ),
)
backwards = Have(
    spread_terms,
    Each(
        Each(
            at_entry(
                zero_or_one,
                Cases(
                    either(eq(p, 0), eq(p, 1)),
                    (
                        chain(p * (1 - p), step(0, "p = 0", eq(p, 0))),
                        chain(p * (1 - p), step(0, "p = 1", eq(p, 1))),
                    ),
                ),
            )
        )
    ),
    known(
        eq(spread, 0),
        "sum_of_zeros",
        spread,
        then=Have(
            eq(tr(gram), size(n)),
            chain(
                tr(gram),
                step(sum_of_entries - spread, "Σ p² = Σ p − Σ p (1 − p)", spread_is),
                step(entry(one.T @ one) - spread, "the rows of P sum to 1", rows(P)),
                step(size(n), "𝟏ᵀ𝟏 = n, and the sum is 0", count, eq(spread, 0)),
            ),
            Have(
                eq(rest.T, rest),
                chain(rest.T, step(rest, "transposition reverses a product")),
                Have(
                    forall(x, le(0, entry(x.T @ rest @ x))),
                    Arbitrary(form_bounded(Linear((form_bound,)))),
                    Have(
                        eq(tr(rest), 0),
                        chain(
                            tr(rest),
                            step(size(n) - tr(gram), "tr I = n"),
                            step(size(n) - size(n), "tr PᵀP = n", eq(tr(gram), size(n))),
                            step(0, "the two terms cancel"),
                        ),
                        known(
                            eq(rest, zeros(n, n)),
                            "traceless_form",
                            rest,
                            x,
                            then=chain(
                                gram,
                                step(eye(n) - rest, "I − (I − PᵀP)"),
                                step(
                                    eye(n), "a form ≥ 0 without trace is 0", eq(rest, zeros(n, n))
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ),
    ),
)
ORTHOGONAL_IFF_PERMUTATION = Entry(
    permutation,
    (Kind.KERNEL, Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=BothWays(
        forward=Parts(
            (
                forwards,
                chain(P @ one, step(one, "P is doubly stochastic", rows(P))),
                chain(one.T @ P, step(one.T, "P is doubly stochastic", columns(P))),
            )
        ),
        backward=backwards,
    ),
    lemma="birkhoff:orthogonal_iff_permutation",
    mutants=(
        Mutant("only the identity", restate(permutation, then=iff(orthogonal, eq(P, eye(n))))),
        Mutant(
            "the trace is n",
            restate(permutation, then=iff(orthogonal, eq(tr(P), size(n)))),
        ),
        Mutant(
            "P symmetric", restate(permutation, then=iff(eq(P.T, P), statements.permutation(P)))
        ),
        Mutant("only rows", restate(permutation, given=rows_only(P)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- …nearly_orthogonal_printed

nearly = CLAIMS["birkhoff.nearly_orthogonal_printed"]
halves = constant([[half, half], [half, half]])
difference = constant([[1], [-1]])
off = halves.T @ halves - eye(2)
kept = norm(off @ difference)


def _nearly(*bounds: pr.Proposition) -> Claim:
    """The statement for another bound on the deviation."""
    everywhere = forall(x, le(norm(deviation @ x), delta * norm(x)))
    every = forall(P, implies(doubly_stochastic(P), everywhere))
    return restate(nearly, then=exists(delta, both(*bounds, every)))


NEARLY_ORTHOGONAL_PRINTED = Entry(
    nearly,
    (Kind.COUNTERPROOF,),
    counterproof=Counterproof(
        sizes={"n": 2},
        instance={},
        because=Arbitrary(
            Assume(
                Exhibit(
                    halves,
                    Parts(
                        (
                            Evaluated(),
                            Exhibit(
                                difference,
                                lines(
                                    (eq(kept, norm(difference)), Evaluated()),
                                    (lt(0, norm(difference)), Evaluated()),
                                    (lt(0, 1 - delta), Linear((lt(delta, 1),))),
                                    cited(
                                        lt(0, (1 - delta) * norm(difference)),
                                        "positive_product",
                                        1 - delta,
                                        norm(difference),
                                    ),
                                    last=Linear(
                                        (
                                            eq(kept, norm(difference)),
                                            lt(0, (1 - delta) * norm(difference)),
                                        )
                                    ),
                                ),
                            ),
                        )
                    ),
                )
            )
        ),
    ),
    repaired_by="birkhoff.orthogonal_iff_permutation",
    mutants=(
        Mutant("by at most 1", _nearly(le(1, delta), le(delta, 1))),
        Mutant("by some number", _nearly(lt(0, delta))),
        Mutant("by less than 2", _nearly(lt(delta, 2))),
    ),
)


# ---------------------------------------------------------------- birkhoff.cannot_negate

negate = CLAIMS["birkhoff.cannot_negate"]
isometric = eq(norm(R @ x), norm(x))
distance = P - R
triangle = instance("triangle", P @ x, -(R @ x))
CANNOT_NEGATE = Entry(
    negate,
    (Kind.KERNEL, Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=Parts(
        (
            Linear(()),
            Arbitrary(
                contracted(
                    Have(
                        eq((R @ x).T @ (R @ x), x.T @ x),
                        chain(
                            (R @ x).T @ (R @ x),
                            step(x.T @ (R.T @ R) @ x, "transposition reverses a product"),
                            step(x.T @ x, "R is orthogonal", eq(R.T @ R, eye(n))),
                        ),
                        known(
                            isometric,
                            "equal_norms",
                            R @ x,
                            x,
                            then=Linear(
                                (
                                    triangle,
                                    instance("norm_of_negative", R @ x),
                                    isometric,
                                    contraction,
                                )
                            ),
                        ),
                    )
                )
            ),
            Exhibit(
                one,
                Parts(
                    (
                        Cited(instance("ones_differ_from_zero", n)),
                        Have(
                            le(0, 2),
                            Linear(()),
                            chain(
                                norm(distance @ one),
                                step(norm(2 * one), "P𝟏 = 𝟏 and R𝟏 = −𝟏", rows(P), minus_one),
                                step(
                                    absolute(2) * norm(one),
                                    "the norm of a multiple",
                                    instance("norm_of_multiple", 2, one),
                                ),
                                step(
                                    2 * norm(one),
                                    "2 ≥ 0",
                                    instance("absolute_of_nonnegative", ex.as_expression(2)),
                                ),
                            ),
                        ),
                    )
                ),
            ),
        )
    ),
    lemma="birkhoff:cannot_negate",
    mutants=(
        Mutant("distance 1", restate(negate, then=spectral_norm_is(P - R, 1))),
        Mutant("R keeps the mean", restate(negate, given=[*negate.given[:2], rows(R)])),
        Mutant("R is any rotation or reflection", without(negate, minus_one)),
        Mutant("the sum", restate(negate, then=spectral_norm_is(P + R, 2))),
    ),
)


# ---------------------------------------------------------------- birkhoff.column_step_exact

column_step = CLAIMS["birkhoff.column_step_exact"]
D = diagonal(column_sums)
COLUMN_STEP_EXACT = Entry(
    column_step,
    (Kind.KERNEL, Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=known(
        every_entry(column_sums, lambda entry: lt(0, entry)),
        "positive_sums",
        M,
        then=Have(
            invertible(D),
            Cited(instance("diagonal_invertible", column_sums)),
            Parts(
                (
                    Cited(instance("diagonal_invertible", column_sums)),
                    chain(
                        one.T @ normalised,
                        step(column_sums.T @ inv(D), "the column sums, divided by the column sums"),
                        step(
                            one.T @ (D @ inv(D)),
                            "a diagonal matrix applied to 𝟏 is its diagonal",
                            instance("diagonal_of_vector", column_sums),
                        ),
                        step(one.T, "a matrix times its inverse", instance("right_inverse", D)),
                    ),
                )
            ),
        ),
    ),
    lemma="birkhoff:column_step_exact",
    mutants=(
        Mutant(
            "the rows", restate(column_step, then=both(invertible(D), eq(normalised @ one, one)))
        ),
        Mutant(
            "divided by the row sums",
            restate(
                column_step,
                then=both(
                    invertible(diagonal(M @ one)),
                    eq(one.T @ (M @ inv(diagonal(M @ one))), one.T),
                ),
            ),
        ),
        Mutant(
            "sums of 2",
            restate(column_step, then=both(invertible(D), eq(one.T @ normalised, 2 * one.T))),
        ),
        Mutant(
            "divided twice",
            restate(
                column_step, then=both(invertible(D), eq(one.T @ (normalised @ inv(D)), one.T))
            ),
        ),
        Mutant(
            "nonnegative entries, sums that are not 0",
            restate(column_step, given=[nonnegative(M), invertible(D)]),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- …finite_sinkhorn_exact_reading

finite = CLAIMS["birkhoff.finite_sinkhorn_exact_reading"]
example = constant([[2, 1], [1, 1]])
example_inverse = constant([[1, -1], [-1, 2]])
one_2 = ones(2)
u_n, v_n = statements.u, statements.v
u, v = sequence("u", 2), sequence("v", 2)
inverts = eq(example_inverse @ example, eye(2))
inverts_transposed = eq(example @ example_inverse, eye(2))
scaled_rows = forall(t, eq(diagonal(u[t + 1]) @ example @ v[t], one_2), over=(0, T - 1))
scaled_columns = forall(t, eq(diagonal(v[t + 1]) @ example.T @ u[t + 1], one_2), over=(0, T - 1))
k = index("k")


def of_rows(place: ex.Expression) -> Line:
    """The half round that finds u after v."""
    fact = put(scaled_rows.body, t, place)
    return cited(fact, "instantiate_range", scaled_rows, place)


def of_columns(place: ex.Expression) -> Line:
    """The half round that finds v after u."""
    fact = put(scaled_columns.body, t, place)
    return cited(fact, "instantiate_range", scaled_columns, place)


def unscaled(left: ex.Expression, right: ex.Expression, body: ex.Expression, by: ex.Expression):
    """Scalings that scale by the same numbers are equal, since the matrix is invertible."""
    inverse = example_inverse if body == example else example_inverse.T
    fact = inverts if body == example else inverts_transposed
    through = eq(body @ left, body @ right)
    return (
        cited(through, "reciprocals_agree", by, body @ left, body @ right),
        (
            eq(left, right),
            chain(
                left,
                step(inverse @ (body @ left), "M is invertible", fact),
                step(inverse @ (body @ right), "both are scaled to 1", through),
                step(right, "M is invertible", fact),
            ),
        ),
    )


def unchanged(place: ex.Expression | int) -> pr.Eq:
    """The round before the last but `place` changes nothing."""
    return eq(v[T - place], v[T - place - 1])


before, here = T - (k + 1), T - k
last_change = forall(k, unchanged(k), over=(0, T - 1))
exact_result = diagonal(u[T]) @ example @ diagonal(v[T])
exactly = eq(exact_result @ one_2, one_2)
u_1 = constant([[0], [1]])
not_scaled = eq(diagonal(u_1) @ example @ one_2, one_2)
backward_step = lines(
    (le(k, T - 1), Linear((le(k + 1, T - 1),))),
    cited(unchanged(k), "modus_ponens", pr.Implies(pr.And((le(0, k), le(k, T - 1))), unchanged(k))),
    (le(0, before), Linear((le(k + 1, T - 1),))),
    (le(before, T - 1), Linear((le(0, k),))),
    (le(0, before - 1), Linear((le(k + 1, T - 1),))),
    (le(before - 1, T - 1), Linear((le(0, k),))),
    of_columns(before),
    of_columns(before - 1),
    of_rows(before),
    of_rows(before - 1),
    (
        eq(diagonal(v[before]) @ example.T @ u[here], one_2),
        chain(
            diagonal(v[before]) @ example.T @ u[here],
            step(diagonal(v[here]) @ example.T @ u[here], "the case before", unchanged(k)),
            step(
                one_2,
                "the columns sum to 1",
                eq(diagonal(v[here]) @ example.T @ u[here], one_2),
            ),
        ),
    ),
    *unscaled(u[here], u[before], example.T, v[before]),
    (
        eq(diagonal(u[before]) @ example @ v[before], one_2),
        chain(
            diagonal(u[before]) @ example @ v[before],
            step(diagonal(u[here]) @ example @ v[before], "u is the same", eq(u[here], u[before])),
            step(one_2, "the rows sum to 1", eq(diagonal(u[here]) @ example @ v[before], one_2)),
        ),
    ),
    *unscaled(v[before], v[before - 1], example, u[before]),
    last=Known(),
)
never_exact = lines(
    (inverts, Evaluated()),
    (inverts_transposed, Evaluated()),
    (le(0, T - 1), Linear((le(1, T),))),
    (le(T - 1, T - 1), Linear(())),
    (
        last_change,
        Each(
            Induction(
                k,
                0,
                base=lines(
                    of_rows(T - 1),
                    (
                        eq(diagonal(u[T]) @ example @ v[T], one_2),
                        chain(
                            diagonal(u[T]) @ example @ v[T],
                            step(
                                exact_result @ one_2,
                                "diag(v) 𝟏 = v",
                                instance("diagonal_of_vector", v[T]),
                            ),
                            step(one_2, "the result is exact", exactly),
                        ),
                    ),
                    *unscaled(v[T], v[T - 1], example, u[T]),
                    last=Known(),
                ),
                step=backward_step,
            )
        ),
    ),
    cited(unchanged(T - 1), "instantiate_range", last_change, T - 1),
    (le(0, 0), Linear(())),
    of_columns(ex.as_expression(0)),
    of_rows(ex.as_expression(0)),
    (
        eq(one_2, v[1]),
        chain(
            one_2,
            step(v[0], "the start", eq(v[0], one_2)),
            step(v[1], "no round changes anything", eq(v[1], v[0])),
        ),
    ),
    (eq(example_inverse.T @ one_2, u_1), Evaluated()),
    (
        eq(u[1], u_1),
        chain(
            u[1],
            step(example_inverse.T @ (example.T @ u[1]), "M is invertible", inverts_transposed),
            step(
                example_inverse.T @ (diagonal(example.T @ u[1]) @ one_2),
                "diag(a) 𝟏 = a",
                instance("diagonal_of_vector", example.T @ u[1]),
            ),
            step(
                example_inverse.T @ (diagonal(one_2) @ (example.T @ u[1])),
                "diag(a) b = diag(b) a",
                instance("diagonal_commutes", example.T @ u[1], one_2),
            ),
            step(
                example_inverse.T @ (diagonal(v[1]) @ (example.T @ u[1])),
                "v_1 = v_0 = 𝟏",
                eq(one_2, v[1]),
            ),
            step(
                example_inverse.T @ one_2,
                "the columns sum to 1",
                eq(diagonal(v[1]) @ example.T @ u[1], one_2),
            ),
            step(u_1, "in numbers", eq(example_inverse.T @ one_2, u_1)),
        ),
    ),
    (
        not_scaled,
        chain(
            not_scaled.left,
            step(diagonal(u[1]) @ example @ one_2, "u_1 = (0, 1)", eq(u[1], u_1)),
            step(diagonal(u[1]) @ example @ v[0], "the start", eq(v[0], one_2)),
            step(one_2, "the rows sum to 1", eq(diagonal(u[1]) @ example @ v[0], one_2)),
        ),
    ),
    last=Contradiction(not_scaled, Evaluated()),
)
FINITE_SINKHORN_EXACT_READING = Entry(
    finite,
    (Kind.COUNTERPROOF,),
    counterproof=Counterproof(
        sizes={"n": 2},
        instance={"M": example},
        because=Each(Arbitrary(Arbitrary(Assume(Suppose(never_exact))))),
    ),
    repaired_by="birkhoff.two_by_two_limit",
    mutants=(
        Mutant("n = 1", restate(finite, given=[*finite.given, le(size(n), 1)])),
        Mutant("already exact", restate(finite, given=[*finite.given, doubly_stochastic(M)])),
        Mutant(
            "only the columns",
            restate(
                finite,
                then=exists(
                    T,
                    exists(u_n, exists(v_n, eq(one.T @ statements.result, one.T))),
                    over=(1, None),
                ),
            ),
        ),
    ),
)


# ---------------------------------------------------------------- birkhoff.sum_defect_accumulates

accumulates = CLAIMS["birkhoff.sum_defect_accumulates"]
c = scalar("c")
defect = eq(M @ one, c * one)


def power(base: ex.Expression, exponent: ex.Expression | int) -> ex.NaturalPower:
    """base to an exponent, as the language writes it."""
    return ex.NaturalPower(base, ex.as_expression(exponent))


so_far = eq(power(M, t) @ one, power(c, t) * one)
SUM_DEFECT_ACCUMULATES = Entry(
    accumulates,
    (Kind.KERNEL, Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=Induction(
        t,
        0,
        base=chain(power(M, 0) @ one, step(power(c, 0) * one, "powers with exponent 0 are 1")),
        step=known(
            so_far,
            "modus_ponens",
            pr.Implies(pr.And((le(0, t),)), so_far),
            then=chain(
                power(M, t + 1) @ one,
                step(
                    M @ (power(M, t) @ one),
                    "one factor M apart",
                    instance("power_successor", M, t),
                ),
                step(power(c, t) * (M @ one), "the case t", so_far),
                step(power(c, t) * (c * one), "M𝟏 = c𝟏", defect),
                step(
                    power(c, t + 1) * one,
                    "one factor c more",
                    instance("power_successor", c, t),
                ),
            ),
        ),
    ),
    lemma="birkhoff:sum_defect_accumulates",
    mutants=(
        Mutant(
            "one power more",
            restate(accumulates, then=eq(power(M, t) @ one, power(c, t + 1) * one)),
        ),
        Mutant(
            "c in place of its power", restate(accumulates, then=eq(power(M, t) @ one, c * one))
        ),
        Mutant(
            "the columns sum to c",
            restate(accumulates, given=[eq(one.T @ M, c * one.T), le(0, t)]),
        ),
        Mutant(
            "for each vector",
            restate(accumulates, then=eq(power(M, t) @ x, power(c, t) * x)),
        ),
    ),
)

ENTRIES = (
    CLOSED_UNDER_PRODUCT,
    PRESERVES_MEAN,
    SPECTRAL_NORM_ONE,
    ORTHOGONAL_IFF_PERMUTATION,
    NEARLY_ORTHOGONAL_PRINTED,
    CANNOT_NEGATE,
    COLUMN_STEP_EXACT,
    FINITE_SINKHORN_EXACT_READING,
    SUM_DEFECT_ACCUMULATES,
    TWO_BY_TWO_LIMIT,
)
