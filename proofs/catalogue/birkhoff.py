"""The family birkhoff: derivations, counterproofs and mutants of each statement.

ENTRIES == in the order of the ledger
"""

from ...symbolic import birkhoff as statements
from ...symbolic import expressions as ex
from ...symbolic import propositions as pr
from ...symbolic.birkhoff import (
    M,
    P,
    R,
    column_sums,
    minus_one,
    n,
    normalised,
    one,
    t,
    x,
)
from ...symbolic.derivations import (
    Arbitrary,
    BothWays,
    Cases,
    Cited,
    Derivation,
    Each,
    Exhibit,
    Have,
    Induction,
    Linear,
    Parts,
    chain,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    absolute,
    diagonal,
    element,
    entry,
    eye,
    index,
    inv,
    norm,
    scalar,
    size,
    total,
    tr,
    zeros,
)
from ...symbolic.propositions import (
    either,
    eq,
    every_entry,
    forall,
    invertible,
    le,
    lt,
)
from ...symbolic.rules import instance
from .entry import Entry, kinds_but

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


# ---------------------------------------------------------------- birkhoff.closed_under_product

closed = CLAIMS["birkhoff.closed_under_product"]
CLOSED_UNDER_PRODUCT = Entry(
    closed,
    (Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
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
)


# ---------------------------------------------------------------- birkhoff.preserves_mean

mean = CLAIMS["birkhoff.preserves_mean"]
PRESERVES_MEAN = Entry(
    mean,
    kinds_but(Kind.TORCH),
    derivation=chain(
        one.T @ P @ x,
        step((one.T @ P) @ x, "the sum of P x first adds up the columns of P"),
        step(one.T @ x, "the columns of P sum to 1", columns(P)),
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
    (Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
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
count, trace_of_identity = instance("count_of_ones", n), instance("trace_of_identity", n)
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
                step(size(n) - size(n), "𝟏ᵀ𝟏 = tr I = n", count, trace_of_identity),
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
                            step(
                                tr(eye(n)) - tr(gram),
                                "the trace of a difference",
                                instance("trace_of_difference", eye(n), gram),
                            ),
                            step(
                                size(n) - size(n),
                                "tr I = n = tr PᵀP",
                                trace_of_identity,
                                eq(tr(gram), size(n)),
                            ),
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
    (Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
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
)


# ---------------------------------------------------------------- birkhoff.cannot_negate

negate = CLAIMS["birkhoff.cannot_negate"]
isometric = eq(norm(R @ x), norm(x))
distance = P - R
triangle = instance("triangle", P @ x, -(R @ x))
CANNOT_NEGATE = Entry(
    negate,
    (Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
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
)


# ---------------------------------------------------------------- birkhoff.column_step_exact

column_step = CLAIMS["birkhoff.column_step_exact"]
D = diagonal(column_sums)
COLUMN_STEP_EXACT = Entry(
    column_step,
    (Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
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
    (Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
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
)

ENTRIES = (
    CLOSED_UNDER_PRODUCT,
    PRESERVES_MEAN,
    SPECTRAL_NORM_ONE,
    ORTHOGONAL_IFF_PERMUTATION,
    CANNOT_NEGATE,
    COLUMN_STEP_EXACT,
    SUM_DEFECT_ACCUMULATES,
)
