"""Statements on the Cayley transform Q = (I+S)⁻¹(I−S) of a real skew matrix S.

CLAIMS == in the order of the ledger
Q      == the Cayley transform of S; W == the rank-two generator uvᵀ − vuᵀ
"""

from .claims import Claim, Source
from .expressions import det, dims, eye, inv, matrix, named, norm, vector, zeros
from .propositions import eq, invertible

n = dims("n")
u, v, x, y = vector("u", n), vector("v", n), vector("x", n), vector("y", n)
S, R = matrix("S", n, n), matrix("R", n, n)

W = named("W", u @ v.T - v @ u.T)
Q = named("Q", inv(eye(n) + S) @ (eye(n) - S))
skew = eq(S.T, -S)

CLAIMS = (
    Claim(
        "cayley.generator_skew",
        title="The rank-two generator is skew",
        source=Source("GEO", "summary §2.1", literal=True),
        then=eq(W.T, -W),
    ),
    Claim(
        "cayley.nonsingular",
        title="The Cayley transform of a real skew matrix is always defined",
        source=Source("GEO", "notes, Thm 4"),
        given=[skew],
        then=invertible(eye(n) + S),
    ),
    Claim(
        "cayley.orthogonal",
        title="Unconditional orthogonality of the Cayley rotation",
        source=Source("GEO", "Thm 4.1", literal=True),
        given=[skew],
        then=eq(Q.T @ Q, eye(n)),
    ),
    Claim(
        "cayley.isometry",
        title="The Cayley rotation preserves norms",
        source=Source("GEO", "notes, Thm 2"),
        given=[skew],
        then=eq(norm(Q @ y), norm(y)),
    ),
    Claim(
        "cayley.determinant",
        title="The Cayley rotation has determinant one",
        source=Source("GEO", "notes, Thm 3"),
        given=[skew],
        then=eq(det(Q), 1),
    ),
    Claim(
        "cayley.no_minus_one",
        title="The Cayley rotation never has the eigenvalue −1",
        source=Source("GEO", "Thm 4.6", literal=True),
        given=[skew, eq(Q @ x, -x)],
        then=eq(x, zeros(n, 1)),
    ),
    Claim(
        "cayley.so_excludes_minus_one_printed",
        title="Since the image lies in SO(n), the eigenvalue −1 is excluded",
        source=Source("GEO", "summary §2.2", literal=True),
        given=[eq(R.T @ R, eye(n)), eq(det(R), 1), eq(R @ x, -x)],
        then=eq(x, zeros(n, 1)),
        expected="refuted",
    ),
)
