"""Rows of the ledger that are matrix identities, as bare claims for the tests of the search.

ROWS    == id -> claim; true under their hypotheses, for every dimension
REFUTED == id -> claim; rows whose verdict is a counterexample
"""

from deltaproof.symbolic import (
    Claim,
    both,
    det,
    dims,
    either,
    entry,
    eq,
    eye,
    iff,
    implies,
    inv,
    invertible,
    lt,
    matrix,
    ne,
    norm,
    scalar,
    vector,
    zeros,
)  # fmt: skip

d, m, n = dims("d m n")
k, q, u, v = vector("k", d), vector("q", d), vector("u", d), vector("v", m)
X, R, T = matrix("X", d, m), matrix("R", d, d), matrix("T", d, d)
a, b, eps = scalar("alpha"), scalar("beta"), scalar("eps")
I, one = eye(d), eye(1)
unit = eq(k.T @ k, one)


def delta(gate, axis=k):
    """The delta operator."""
    return I - gate * (axis @ axis.T)


A = delta(b)
H = delta(2)
new = A @ X + b * (k @ v.T)
length = entry(k.T @ k) + eps
A_eps = I - b / length * (k @ k.T)

S, x, y = matrix("S", n, n), vector("x", n), vector("y", n)
p, r = vector("p", n), vector("r", n)
J, N, Q = eye(n), matrix("N", n, n), matrix("Q", n, n)
W = p @ r.T - r @ p.T
skew = eq(S.T, -S)
cayley = inv(J + S) @ (J - S)
omega2 = entry(p.T @ p) * entry(r.T @ r) - entry(p.T @ r) ** 2
s, t, gamma = scalar("s"), scalar("t"), scalar("gamma")
closed = J - 2 * s / (1 + s**2 * t**2) * (S - s * (S @ S))
half = b / 2
rank_two = inv(J + half * W) @ (J - half * W)


# a layer X ↦ G + H_postᵀ F(H_pre LN(G)), for any functions F and LN: their four values below are
# any matrices, and "equal arguments, equal values" stands where a value is first compared
x_0, f_0 = matrix("X_0", n, m), matrix("F_X", n, m)
ln_g, ln_x, f_g = matrix("LN_G", n, m), matrix("LN_X", n, m), matrix("F_G", n, m)
pre, post = matrix("H_pre", n, n), matrix("H_post", n, n)
mixed = gamma * (rank_two @ x_0) + (1 - gamma) * ((J - 2 * (y @ y.T)) @ x_0)
reduces = both(
    eq(mixed, x_0),
    implies(
        eq(ln_g, ln_x),  # LN(G) = LN(X), since G = X
        both(
            eq(pre @ ln_g, ln_x),
            implies(eq(f_g, f_0), eq(mixed + post.T @ f_g, x_0 + f_0)),
        ),
    ),
)  # fmt: skip


def power(base, exponent):
    """A power of a square matrix."""
    return J if exponent == 0 else base if exponent == 1 else power(base, exponent - 1) @ base


def iterate(steps):
    """The fixed-point iteration for the Cayley transform of N."""
    return J + 2 * N if steps == 0 else J + N @ (J + iterate(steps - 1))


def series(steps):
    """I + 2 Σ N^j for j = 1, …, steps + 1."""
    total = J
    for j in range(1, steps + 2):
        total = total + 2 * power(N, j)
    return total


def defect(steps):
    """What the iterate lacks to orthogonality when N is skew."""
    total = zeros(n, n)
    if steps % 2 == 0:
        for j in range(steps // 2 + 1):
            total = total - 4 * power(N, steps + 2 + 2 * j)
    else:
        for j in range((steps - 1) // 2 + 1):
            total = total + 4 * power(N, steps + 3 + 2 * j)
    return total


def _row(name, then, *given):
    return Claim(name, given=given, then=then)


_CLAIMS = (
    _row("delta.rank_one_form", eq(new, X + b * (k @ (v.T - k.T @ X)))),
    _row("delta.rank_one_form_normalised",
         eq(A_eps @ X + b * (k @ v.T), X + b * (k @ (v.T - 1 / length * (k.T @ X)))),
         ne(length, 0)),
    _row("delta.preserves_complement", eq(q.T @ new, q.T @ X), eq(k.T @ q, zeros(1, 1))),
    _row("delta.eigenvalue_along_k", eq(A @ k, (1 - b) * k), unit),
    _row("delta.eigenvalue_regularised",
         eq(A_eps @ k, (1 - b * entry(k.T @ k) / length) * k), ne(length, 0)),
    _row("delta.eigenvalue_off_k", eq(A @ u, u), eq(k.T @ u, zeros(1, 1))),
    _row("delta.inverse", both(eq(A @ (I + b / (1 - b) * (k @ k.T)), I), invertible(A)),
         unit, ne(1 - b, 0)),
    _row("delta.identity", eq(new, X), eq(b, 0)),
    _row("delta.projection", both(eq(A @ A, A), eq(A.T, A), eq(A @ k, zeros(d, 1))),
         unit, eq(b, 1)),
    _row("delta.overwrite", eq(k.T @ new, v.T), unit, eq(b, 1)),
    _row("delta.reflection", both(eq(A @ A, I), eq(A.T @ A, I), eq(A @ k, -k)), unit, eq(b, 2)),
    _row("delta.reflect_and_write", eq(k.T @ new, 2 * v.T - k.T @ X), unit, eq(b, 2)),
    _row("delta.orthogonal_iff", iff(eq(A.T @ A, I), either(eq(b, 0), eq(b, 2))), unit),
    _row("delta.norm_distortion",
         eq(norm(A @ u) ** 2, norm(u) ** 2 + b * (b - 2) * entry(k.T @ u) ** 2), unit),
    _row("delta.error_contraction", eq(k.T @ new - v.T, (1 - b) * (k.T @ X - v.T)), unit),
    _row("delta.composition", eq(delta(a) @ delta(b), delta(a + b - a * b)), unit),
    _row("delta.commutator",
         eq(delta(a) @ delta(b, q) - delta(b, q) @ delta(a),
            a * b * entry(k.T @ q) * (k @ q.T - q @ k.T))),
    _row("delta.delta_rule", eq(new.T, X.T @ (I - b * (k @ k.T)) + b * (v @ k.T))),
    _row("cayley.generator_skew", eq(W.T, -W)),
    _row("cayley.nonsingular", invertible(J + S), skew),
    _row("cayley.factors_commute", eq(cayley, (J - S) @ inv(J + S)), skew),
    _row("cayley.orthogonal", eq(cayley.T @ cayley, J), skew),
    _row("cayley.isometry", eq(norm(cayley @ y), norm(y)), skew),
    _row("cayley.no_minus_one", eq(x, zeros(n, 1)), skew, eq(cayley @ x, -x)),
    _row("cayley.image",
         both(eq((inv(J + Q) @ (J - Q)).T, -(inv(J + Q) @ (J - Q))),
              eq((J + inv(J + Q) @ (J - Q)) @ Q, J - inv(J + Q) @ (J - Q))),
         invertible(J + Q), eq(Q.T @ Q, J)),
    _row("cayley.inverse_is_transpose",
         both(eq(inv(J - S) @ (J + S), cayley.T), eq(cayley @ cayley.T, J),
              eq(cayley.T @ cayley, J)), skew),
    _row("cayley.rank_two_cube", eq(W @ W @ W, -omega2 * W)),
    _row("cayley.rank_two_closed_form",
         eq(rank_two, J - 2 * half / (1 + half**2 * omega2) * (W - half * (W @ W)))),
    _row("cayley.closed_form_gram",
         eq(closed.T @ closed - J,
            (2 * s / (1 + s**2 * t**2)) ** 2 * s**2 * (S @ S @ (S @ S + t**2 * J))), skew),
    _row("cayley.rank_two_fixes_complement", eq(rank_two @ x, x),
         eq(p.T @ x, zeros(1, 1)), eq(r.T @ x, zeros(1, 1))),
    _row("reflection.negates_its_axis_only", iff(eq(H @ u, -u), eq(u, k @ (k.T @ u))), unit),
    _row("reflection.negates_rank_one_only", iff(eq(H @ X, -X), eq(X, k @ (k.T @ X))), unit),
    _row("hybrid.gram",
         eq((gamma * R + (1 - gamma) * T).T @ (gamma * R + (1 - gamma) * T),
            (gamma**2 + (1 - gamma) ** 2) * I + gamma * (1 - gamma) * (R.T @ T + T.T @ R)),
         eq(R.T @ R, I), eq(T.T @ T, I)),
    _row("hybrid.endpoints_orthogonal",
         eq((gamma * R + (1 - gamma) * T).T @ (gamma * R + (1 - gamma) * T), I),
         eq(R.T @ R, I), eq(T.T @ T, I), either(eq(gamma, 0), eq(gamma, 1))),
    _row("hybrid.reduces_to_residual", reduces,
         eq(gamma, 1), eq(b, 0), eq(pre, J), eq(post, J)),
    *(_row(f"iterative.series_{i}", eq(iterate(i), series(i))) for i in range(5)),
    *(_row(f"iterative.defect_{i}", eq(iterate(i).T @ iterate(i) - J, defect(i)), eq(N.T, -N))
      for i in range(5)),
)  # fmt: skip

ROWS = {claim.id: claim for claim in _CLAIMS}

Y, w = matrix("Y", d, d), vector("w", m)
B = gamma * R + (1 - gamma) * T
K = matrix("K", n, n)
second = inv(J + K) @ (J - K)

_REFUTED = (
    _row("delta.rank_one_form_reading",
         eq(A_eps @ X + b * (k @ v.T), X + b * (k @ (v.T - k.T @ X))), ne(length, 0)),
    _row("delta.determinant_printed", eq(det(A), -1)),
    _row("delta.erasure_printed", eq(k.T @ (Y - k @ k.T), zeros(1, d)), unit),
    _row("delta.orthogonal_only_at_two_printed", iff(eq(A.T @ A, I), eq(b, 2)), unit),
    _row("delta.overwrite_persists_reading",
         eq(k.T @ (delta(1, q) @ (delta(1) @ X + k @ v.T) + q @ w.T), v.T),
         unit, eq(q.T @ q, one)),
    _row("cayley.so_excludes_minus_one_printed", eq(x, zeros(n, 1)),
         eq(Q.T @ Q, J), eq(det(Q), 1), eq(Q @ x, -x)),
    _row("cayley.stack_cannot_negate_reading", eq(x, zeros(n, 1)),
         skew, eq(K.T, -K), eq(cayley @ second @ x, -x)),
    _row("hybrid.exactly_orthogonal_printed", eq(B.T @ B, I),
         eq(R.T @ R, I), eq(T.T @ T, I), lt(0, gamma), lt(gamma, 1)),
)  # fmt: skip

REFUTED = {claim.id: claim for claim in _REFUTED}
