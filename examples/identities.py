"""Classical matrix identities, and classical mistakes, as bare claims: each proved or refuted.

    deltaproof verify --catalogue examples/identities.py

TRUE, FALSE == what holds for all sizes and all real values, and what does not
CLAIMS      == both

A claim here is a statement and nothing else. For the true ones a certificate is found and
multiplied out, for the false ones an exact counterexample; `invertible(M)` stands among the
hypotheses wherever an inverse is written that need not exist.
"""

from deltaproof.symbolic import (
    Claim,
    both,
    dims,
    either,
    entry,
    eq,
    eye,
    iff,
    inv,
    invertible,
    matrix,
    ne,
    norm,
    scalar,
    vector,
    zeros,
)  # fmt: skip

n, m, p = dims("n m p")
A, B, C, D, E = (matrix(name, n, n) for name in "ABCDE")
P, Q, S, X, Y = (matrix(name, n, n) for name in "PQSXY")
U, V, K, M = matrix("U", n, m), matrix("V", m, n), matrix("K", m, m), matrix("M", n, m)
G, H, L = matrix("G", m, n), matrix("H", m, n), matrix("L", m, p)
GL = matrix("GL", p, m)
u, v, x, y = (vector(name, n) for name in "uvxy")
w, z = vector("w", m), vector("z", m)
a, b, c, s, t = (scalar(name) for name in "abcst")
I, Im = eye(n), eye(m)
skew = eq(S.T, -S)


def penrose(matrix, inverse):
    """The four equations that make `inverse` the pseudo-inverse of `matrix`."""
    return both(
        eq(matrix @ inverse @ matrix, matrix),
        eq(inverse @ matrix @ inverse, inverse),
        eq((matrix @ inverse).T, matrix @ inverse),
        eq((inverse @ matrix).T, inverse @ matrix),
    )


def commutator(left, right):
    """left · right − right · left."""
    return left @ right - right @ left


def true(name, then, *given, title=""):
    """An identity that holds."""
    return Claim(f"identities.{name}", title=title, given=given, then=then)


def false(name, then, *given, title=""):
    """A statement that does not hold."""
    return Claim(f"mistakes.{name}", title=title, given=given, then=then, expected="refuted")


small = Im + V @ inv(A) @ U
TRUE = (
    true("inverse_of_product", eq(inv(A @ B), inv(B) @ inv(A)),
         invertible(A), invertible(B), invertible(A @ B)),
    true("product_is_invertible", invertible(A @ B), invertible(A), invertible(B)),
    true("inverse_of_transpose", eq(inv(A.T), inv(A).T), invertible(A), invertible(A.T)),
    true("left_inverse_is_right", eq(B @ A, I), eq(A @ B, I)),
    true("inverse_is_unique", eq(B, C), eq(A @ B, I), eq(C @ A, I)),
    true("sherman_morrison_woodbury",
         eq(inv(A + U @ V), inv(A) - inv(A) @ U @ inv(small) @ V @ inv(A)),
         invertible(A), invertible(small), invertible(A + U @ V)),
    true("woodbury_with_core",
         eq(inv(A + U @ K @ V), inv(A) - inv(A) @ U @ inv(inv(K) + V @ inv(A) @ U) @ V @ inv(A)),
         invertible(A), invertible(K), invertible(inv(K) + V @ inv(A) @ U),
         invertible(A + U @ K @ V)),
    true("sherman_morrison",
         eq((1 + entry(v.T @ inv(A) @ u)) * ((A + u @ v.T) @ inv(A) @ u),
            (1 + entry(v.T @ inv(A) @ u)) ** 2 * u), invertible(A)),
    true("rank_one_inverse",
         eq((I + u @ v.T) @ (I - (1 / (1 + entry(v.T @ u))) * (u @ v.T)), I),
         ne(1 + entry(v.T @ u), 0)),
    true("push_through", eq(inv(I + U @ V) @ U, U @ inv(Im + V @ U)),
         invertible(I + U @ V), invertible(Im + V @ U)),
    true("jacobson", invertible(Im + V @ U), invertible(I + U @ V),
         title="Jacobson's lemma: I + VU is invertible when I + UV is"),
    true("jacobson_formula", eq(inv(Im + V @ U), Im - V @ inv(I + U @ V) @ U),
         invertible(I + U @ V), invertible(Im + V @ U)),
    true("hua", eq(A - inv(inv(A) + inv(inv(B) - A)), A @ B @ A),
         invertible(A), invertible(B), invertible(inv(B) - A),
         invertible(inv(A) + inv(inv(B) - A))),
    true("sum_of_inverses", eq(inv(A) + inv(B), inv(A) @ (A + B) @ inv(B)),
         invertible(A), invertible(B)),
    true("resolvent", eq(inv(A) - inv(B), inv(A) @ (B - A) @ inv(B)), invertible(A), invertible(B)),
    true("parallel_sum", eq(A @ inv(A + B) @ B, inv(inv(A) + inv(B))),
         invertible(A), invertible(B), invertible(A + B), invertible(inv(A) + inv(B))),
    true("parallel_sum_symmetric", eq(A @ inv(A + B) @ B, B @ inv(A + B) @ A), invertible(A + B)),
    true("penrose_unique", eq(G, H), penrose(M, G), penrose(M, H),
         title="The Moore–Penrose inverse is unique"),
    true("penrose_of_transpose", penrose(M.T, G.T), penrose(M, G)),
    true("normal_equations", eq(M.T @ M @ G, M.T), penrose(M, G),
         title="The normal equations of least squares"),
    true("penrose_reverse_order", penrose(M @ L, GL @ G), penrose(M, G), penrose(L, GL),
         eq(M.T @ M, Im), title="The reverse-order law when the first factor has unit columns"),
    true("full_column_rank", penrose(M, inv(M.T @ M) @ M.T), invertible(M.T @ M)),
    true("schur_complement",
         eq((A - U @ inv(K) @ V) @ x, u - U @ inv(K) @ w),
         invertible(K), eq(A @ x + U @ z, u), eq(V @ x + K @ z, w),
         title="Block elimination leaves the Schur complement"),
    true("complement_is_projector", eq((I - P) @ (I - P), I - P), eq(P @ P, P)),
    true("disjoint_projectors", eq(P @ Q, zeros(n, n)),
         eq(P @ P, P), eq(Q @ Q, Q), eq((P + Q) @ (P + Q), P + Q)),
    true("projector_to_reflector", eq((I - 2 * P) @ (I - 2 * P), I), eq(P @ P, P)),
    true("orthogonal_projectors_commute", eq(P @ Q, Q @ P), eq(P @ P, P), eq(P.T, P),
         eq(Q @ Q, Q), eq(Q.T, Q), eq((P @ Q) @ (P @ Q), P @ Q),
         title="If the product of two orthogonal projectors is a projector they commute"),
    true("householder", eq((I - 2 * (u @ u.T)).T @ (I - 2 * (u @ u.T)), I), eq(u.T @ u, eye(1))),
    true("householder_any_axis",
         eq((entry(u.T @ u) * I - 2 * (u @ u.T)) @ (entry(u.T @ u) * I - 2 * (u @ u.T)),
            entry(u.T @ u) ** 2 * I)),
    true("rows_of_orthogonal", eq(Q @ Q.T, I), eq(Q.T @ Q, I)),
    true("orthogonal_isometry", eq(norm(Q @ x), norm(x)), eq(Q.T @ Q, I)),
    true("cayley_factors_commute", eq(inv(I + S) @ (I - S), (I - S) @ inv(I + S)), skew),
    true("cayley_is_orthogonal",
         eq((inv(I + S) @ (I - S)) @ (inv(I + S) @ (I - S)).T, I), skew),
    true("cayley_returns", eq(inv(I + Q) @ (I - Q), S), skew, invertible(I + Q),
         eq((I + S) @ Q, I - S)),
    true("functions_of_one_matrix", eq(inv(A) @ B, B @ inv(A)), invertible(A), eq(A @ B, B @ A)),
    true("jacobi", eq(commutator(A, commutator(B, C)) + commutator(B, commutator(C, A))
                      + commutator(C, commutator(A, B)), zeros(n, n))),
    true("gram_kernel", eq(M @ L, zeros(n, p)), eq(M.T @ M @ L, zeros(m, p)),
         title="MᵀM and M have the same kernel"),
    true("symmetric_nilpotent", eq(A, zeros(n, n)), eq(A.T, A), eq(A @ A, zeros(n, n))),
    true("polarisation", eq(4 * (x.T @ y), (x + y).T @ (x + y) - (x - y).T @ (x - y))),
    true("parallelogram", eq((x + y).T @ (x + y) + (x - y).T @ (x - y),
                             2 * (x.T @ x) + 2 * (y.T @ y))),
    true("pythagoras", iff(eq(entry(x.T @ y), 0),
                           eq(entry((x + y).T @ (x + y)), entry(x.T @ x) + entry(y.T @ y)))),
    true("planar_rotation_square",
         eq((c * I + s * A) @ (c * I - s * A), I), eq(A @ A, -I), eq(c**2 + s**2, 1)),
    true("cancel_a_nonzero_scalar", eq(A, B), eq(a * A, a * B), ne(a, 0)),
    true("idempotent_scalar", iff(eq(a**2, a), either(eq(a, 0), eq(a, 1)))),
)  # fmt: skip

FALSE = (
    false("multiplication_commutes", eq(A @ B, B @ A)),
    false("product_of_zero", eq(A, zeros(n, n)), eq(A @ B, zeros(n, n)), ne(B, zeros(n, n))),
    false("nilpotent_is_zero", eq(A, zeros(n, n)), eq(A @ A, zeros(n, n))),
    false("transpose_of_product", eq((A @ B).T, A.T @ B.T)),
    false("inverse_of_product_in_order", eq(inv(A @ B), inv(A) @ inv(B)),
          invertible(A), invertible(B), invertible(A @ B)),
    false("inverse_of_sum", eq(inv(A + B), inv(A) + inv(B)),
          invertible(A), invertible(B), invertible(A + B)),
    false("sum_is_invertible", invertible(A + B), invertible(A), invertible(B)),
    false("square_of_sum", eq((A + B) @ (A + B), A @ A + 2 * (A @ B) + B @ B)),
    false("difference_of_squares", eq((A - B) @ (A + B), A @ A - B @ B)),
    false("symmetric_product", eq((A @ B).T, A @ B), eq(A.T, A), eq(B.T, B)),
    false("one_sided_inverse_of_rectangle", eq(U @ V, I), eq(V @ U, Im)),
    false("cube_root_of_itself", either(eq(a, 1), eq(a, -1)), eq(a**3, a)),
    false("projector_is_symmetric", eq(P.T, P), eq(P @ P, P)),
    false("product_of_projectors", eq((P @ Q) @ (P @ Q), P @ Q), eq(P @ P, P), eq(Q @ Q, Q)),
    false("sum_of_projectors", eq((P + Q) @ (P + Q), P + Q), eq(P @ P, P), eq(Q @ Q, Q)),
    false("reverse_order_law", penrose(M @ L, GL @ G), penrose(M, G), penrose(L, GL)),
    false("woodbury_sign", eq(inv(A + U @ V), inv(A) + inv(A) @ U @ inv(small) @ V @ inv(A)),
          invertible(A), invertible(small), invertible(A + U @ V)),
    false("householder_without_unit", eq((I - 2 * (u @ u.T)) @ (I - 2 * (u @ u.T)), I)),
    false("cayley_sign", eq(inv(I + S) @ (I - S), I + S), skew),
    false("cancel_a_scalar", eq(A, B), eq(a * A, a * B)),
    false("cancel_a_matrix", eq(B, C), eq(A @ B, A @ C), ne(A, zeros(n, n))),
    false("orthogonal_sum", eq((A + B).T @ (A + B), I), eq(A.T @ A, I), eq(B.T @ B, I)),
    false("commuting_is_transitive", eq(A @ C, C @ A), eq(A @ B, B @ A), eq(B @ C, C @ B)),
    false("outer_product_symmetric", eq(u @ v.T, v @ u.T)),
    false("norm_is_additive", eq(norm(x + y) ** 2, norm(x) ** 2 + norm(y) ** 2)),
)  # fmt: skip

CLAIMS = TRUE + FALSE
