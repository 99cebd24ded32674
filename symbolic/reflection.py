"""Statements on the reflection H = I − 2kkᵀ along a unit vector k.

CLAIMS == in the order of the ledger
H      == the reflection, HX its value at a matrix
R_r    == the product of r reflections, along k_1, …, k_r
"""

from .claims import Claim, Source
from .expressions import (
    dims,
    eye,
    index,
    matrix,
    named,
    norm,
    ordered_product,
    rank,
    sequence,
    size,
    vector,
    zeros,
)
from .propositions import both, eq, exists, forall, iff, implies, le, ne

n, m = dims("n m")
k, x = vector("k", n), vector("x", n)
X = matrix("X", n, m)

H = named("H", eye(n) - 2 * (k @ k.T))
HX = named("HX", H @ X)
unit = eq(k.T @ k, eye(1))

i, r = index("i r")
k_i = sequence("k", n)
units = forall(i, eq(k_i[i].T @ k_i[i], eye(1)), over=(1, r))


def reflections(axes, count):
    """The product of the reflections along the first terms of a sequence, the first rightmost."""
    return ordered_product(i, 1, count, eye(n) - 2 * (axes[i] @ axes[i].T))


R_r = named("R", reflections(k_i, r))
R = matrix("R", n, n)

axis = named("k", x / norm(x))
along_x = named("H", eye(n) - 2 * (axis @ axis.T))
not_zero = ne(x, zeros(n, 1))

CLAIMS = (
    Claim(
        "reflection.negates_its_axis_only",
        title="A reflection negates the multiples of its axis and nothing else",
        source=Source("NEW"),
        given=[unit],
        then=iff(eq(H @ x, -x), eq(x, k @ (k.T @ x))),
    ),
    Claim(
        "reflection.negates_rank_one_only",
        title="A reflection negates a state only if its columns lie along the axis",
        source=Source("NEW"),
        given=[unit],
        then=iff(eq(HX, -X), eq(X, k @ (k.T @ X))),
    ),
    Claim(
        "reflection.fixed_axis_negates_all_reading",
        title="Some reflection with a fixed axis realises y = −x on all of Rⁿ, n ≥ 2",
        source=Source("GEO", "summary §2.2, §4"),
        given=[le(2, size(n))],
        then=exists(k, both(unit, forall(x, eq((eye(n) - 2 * (k @ k.T)) @ x, -x)))),
        expected="refuted",
    ),
    Claim(
        "reflection.adaptive_axis_negates",
        title="The reflection along x itself negates x",
        source=Source("NEW"),
        given=[not_zero],
        then=eq(along_x @ x, -x),
    ),
    Claim(
        "reflection.product_rank",
        title="A product of r reflections moves at most r dimensions, so −I needs n of them",
        source=Source("NEW"),
        given=[le(0, r), units],
        then=both(le(rank(R_r - eye(n)), r), implies(eq(R_r, -eye(n)), le(size(n), r))),
    ),
    Claim(
        "reflection.cartan_dieudonne",
        title="Every orthogonal R is a product of rank(R − I) reflections, at most n",
        source=Source("GEO-notes", "Thm 8"),
        given=[eq(R.T @ R, eye(n)), eq(rank(R - eye(n)), r)],
        then=both(le(r, size(n)), exists(k_i, both(units, eq(R, reflections(k_i, r))))),
    ),
)
