"""Statements on doubly stochastic matrices, the Birkhoff polytope, and Sinkhorn's iteration.

CLAIMS            == in the order of the ledger
doubly_stochastic == entries ≥ 0, rows and columns that sum to 1
permutation       == entries 0 or 1, rows and columns that sum to 1
rows_scaled, columns_scaled == one half round each of Sinkhorn and Knopp's iteration

A round finds u_(t+1), so that the rows of diag(u_(t+1)) M diag(v_t) sum to 1, and then v_(t+1), so
that the columns of P_(t+1) = diag(u_(t+1)) M diag(v_(t+1)) do; v_0 = 𝟏.
"""

from fractions import Fraction

from . import expressions as ex
from . import propositions as pr
from .claims import Claim, Source
from .expressions import (
    diagonal,
    dims,
    eye,
    index,
    inv,
    matrix,
    named,
    norm,
    ones,
    scalar,
    sequence,
    sqrt,
    vector,
)
from .propositions import (
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
    tends_to,
)

n, m = dims("n m")
t, T = index("t T")
x = vector("x", n)
P, M, R = matrix("P", n, n), matrix("M", n, n), matrix("R", n, n)
one = ones(n)


def doubly_stochastic(body: ex.Expression) -> pr.Defined:
    """Entries ≥ 0, rows and columns that sum to 1."""
    size, _ = ex.matrix_shape(body)
    vector_of_ones = ones(size)
    parts = both(
        every_entry(body, lambda entry: le(0, entry)),
        eq(body @ vector_of_ones, vector_of_ones),
        eq(vector_of_ones.T @ body, vector_of_ones.T),
    )
    return pr.Defined("doubly stochastic", (body,), parts)


def permutation(body: ex.Expression) -> pr.Defined:
    """Entries 0 or 1, rows and columns that sum to 1."""
    size, _ = ex.matrix_shape(body)
    vector_of_ones = ones(size)
    parts = both(
        every_entry(body, lambda entry: either(eq(entry, 0), eq(entry, 1))),
        eq(body @ vector_of_ones, vector_of_ones),
        eq(vector_of_ones.T @ body, vector_of_ones.T),
    )
    return pr.Defined("a permutation matrix", (body,), parts)


def positive(body: ex.Expression) -> pr.Defined:
    """Entries > 0."""
    return pr.Defined("positive", (body,), every_entry(body, lambda entry: lt(0, entry)))


# ---------------------------------------------------------------- Sinkhorn's iteration

u, v = sequence("u", n), sequence("v", n)


def rows_scaled(last: ex.Expression | None) -> pr.ForRange:
    """In each round u is chosen so that the rows sum to 1."""
    return forall(t, eq(diagonal(u[t + 1]) @ M @ v[t], one), over=(0, last))


def columns_scaled(last: ex.Expression | None) -> pr.ForRange:
    """And then v so that the columns do."""
    return forall(t, eq(diagonal(v[t + 1]) @ M.T @ u[t + 1], one), over=(0, last))


result = diagonal(u[T]) @ M @ diagonal(v[T])

# in two rows and columns, entry by entry
a, b, c, d = (scalar(name) for name in "abcd")
u_1, u_2, v_1, v_2 = (sequence(name) for name in ("u", "w", "v", "z"))
r = named("r", sqrt(a * d))
s = named("s", sqrt(b * c))
limit = named("p", sqrt(a * d) / (sqrt(a * d) + sqrt(b * c)))

# ---------------------------------------------------------------- the smallest examples

delta = scalar("delta")
column_sums = M.T @ one
normalised = M @ inv(diagonal(column_sums))
deviation = P.T @ P - eye(n)
minus_one = eq(R @ one, -one)
half = Fraction(1, 2)

two_by_two = (
    eq(v_1[0], 1),
    eq(v_2[0], 1),
    forall(
        t,
        both(
            lt(0, u_1[t + 1]),
            lt(0, u_2[t + 1]),
            lt(0, v_1[t]),
            lt(0, v_2[t]),
            eq(u_1[t + 1] * (a * v_1[t] + b * v_2[t]), 1),
            eq(u_2[t + 1] * (c * v_1[t] + d * v_2[t]), 1),
            eq(v_1[t + 1] * (a * u_1[t + 1] + c * u_2[t + 1]), 1),
            eq(v_2[t + 1] * (b * u_1[t + 1] + d * u_2[t + 1]), 1),
        ),
        over=(0, None),
    ),
)

CLAIMS = (
    Claim(
        "birkhoff.closed_under_product",
        title="Products of doubly stochastic matrices are doubly stochastic",
        source=Source("MHC"),
        given=[doubly_stochastic(P), doubly_stochastic(M)],
        then=doubly_stochastic(P @ M),
    ),
    Claim(
        "birkhoff.preserves_mean",
        title="Doubly stochastic mixing preserves the mean",
        source=Source("MHC"),
        given=[doubly_stochastic(P)],
        then=eq(one.T @ P @ x, one.T @ x),
    ),
    Claim(
        "birkhoff.spectral_norm_one",
        title="Doubly stochastic matrices have spectral norm one",
        source=Source("MHC"),
        given=[doubly_stochastic(P)],
        then=spectral_norm_is(P, 1),
    ),
    Claim(
        "birkhoff.orthogonal_iff_permutation",
        title="A doubly stochastic matrix is orthogonal exactly if it is a permutation",
        source=Source("NEW"),
        given=[doubly_stochastic(P)],
        then=iff(eq(P.T @ P, eye(n)), permutation(P)),
    ),
    Claim(
        "birkhoff.nearly_orthogonal_printed",
        title="Doubly stochastic mixing is approximately orthogonal",
        source=Source("GEO", "summary §1, §5", literal=True),
        then=exists(
            delta,
            both(
                lt(delta, 1),
                forall(
                    P,
                    implies(
                        doubly_stochastic(P),
                        forall(x, le(norm(deviation @ x), delta * norm(x))),
                    ),
                ),
            ),
        ),
        expected="refuted",
    ),
    Claim(
        "birkhoff.cannot_negate",
        title="Doubly stochastic mixing stays at distance two from what negates the mean",
        source=Source("NEW"),
        given=[doubly_stochastic(P), eq(R.T @ R, eye(n)), minus_one],
        then=spectral_norm_is(P - R, 2),
    ),
    Claim(
        "birkhoff.column_step_exact",
        title="After a column normalisation the columns sum to exactly one",
        source=Source("MHC"),
        given=[positive(M)],
        then=both(invertible(diagonal(column_sums)), eq(one.T @ normalised, one.T)),
    ),
    Claim(
        "birkhoff.finite_sinkhorn_exact_reading",
        title="Some finite number of Sinkhorn rounds is exact",
        source=Source("MHC"),
        given=[positive(M)],
        then=exists(
            T,
            exists(
                u,
                exists(
                    v,
                    both(
                        eq(v[0], one),
                        rows_scaled(T - 1),
                        columns_scaled(T - 1),
                        eq(result @ one, one),
                        eq(one.T @ result, one.T),
                    ),
                ),
            ),
            over=(1, None),
        ),
        expected="refuted",
    ),
    Claim(
        "birkhoff.sum_defect_accumulates",
        title="A defect of the row sums accumulates to its powers",
        source=Source("GEO", "summary §1"),
        given=[eq(M @ one, scalar("c") * one), le(0, t)],
        then=eq(M**t @ one, scalar("c") ** t * one),
    ),
    Claim(
        "birkhoff.two_by_two_limit",
        title="Sinkhorn's limit in two rows and columns",
        source=Source("NEW"),
        given=[lt(0, a), lt(0, b), lt(0, c), lt(0, d), *two_by_two],
        then=both(
            tends_to(u_1[t] * a * v_1[t], limit, variable=t),
            tends_to(u_1[t] * b * v_2[t], 1 - limit, variable=t),
            tends_to(u_2[t] * c * v_1[t], 1 - limit, variable=t),
            tends_to(u_2[t] * d * v_2[t], limit, variable=t),
        ),
    ),
)
