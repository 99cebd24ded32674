"""Statements on the delta operator A = I − βkkᵀ and its update X' = A X + βkvᵀ.

CLAIMS  == in the order of the ledger
A       == the delta operator of a direction k and a gate β
updated == the state X' after the update
"""

from .claims import Claim, Source
from .expressions import det, dims, entry, eye, matrix, named, scalar, vector, zeros
from .propositions import either, eq, iff

d, m = dims("d m")
beta = scalar("beta")
k, u, v = vector("k", d), vector("u", d), vector("v", m)
X = matrix("X", d, m)

A = named("A", eye(d) - beta * (k @ k.T))
updated = named("X'", A @ X + beta * (k @ v.T))
unit = eq(k.T @ k, eye(1))

CLAIMS = (
    Claim(
        "delta.rank_one_form",
        title="The delta update is a rank-one correction",
        source=Source("DDL", "§2.1, explainer", literal=True),
        then=eq(updated, X + beta * (k @ (v.T - k.T @ X))),
    ),
    Claim(
        "delta.eigenvalue_along_k",
        title="The gate sets the eigenvalue along the direction",
        source=Source("DDL", "§2.2, explainer", literal=True),
        given=[unit],
        then=eq(A @ k, (1 - beta) * k),
    ),
    Claim(
        "delta.eigenvalue_off_k",
        title="Vectors orthogonal to the direction are fixed",
        source=Source("DDL", "§2.2"),
        given=[eq(k.T @ u, zeros(1, 1))],
        then=eq(A @ u, u),
    ),
    Claim(
        "delta.determinant",
        title="The determinant of the delta operator",
        source=Source("DDL", "§2.2"),
        then=eq(det(A), 1 - beta * entry(k.T @ k)),
    ),
    Claim(
        "delta.orthogonal_iff",
        title="The delta operator is orthogonal exactly at the gates 0 and 2",
        source=Source("GEO", "summary §1, Prop 4.1 of its notes", literal=True),
        given=[unit],
        then=iff(eq(A.T @ A, eye(d)), either(eq(beta, 0), eq(beta, 2))),
    ),
)
