"""Putting values in: every free place, and nothing that a binder would capture."""

from __future__ import annotations

import pytest
from deltaproof.symbolic import dims, eq, eye, le, matrix, scalar, vector
from deltaproof.symbolic.binding import Captured, binders, fresh, mentions, put
from deltaproof.symbolic.evaluation import holds
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.expressions import element, index, named, sequence, total
from deltaproof.symbolic.propositions import (
    distance_to_orthogonal_is,
    every_entry,
    exists,
    forall,
    smallest_singular_value_is,
    spectral_norm_below,
    spectral_norm_is,
)

n = dims("n")
a, b, c = scalar("a"), scalar("b"), scalar("c")
M, N, x = matrix("M", n, n), matrix("N", n, n), vector("x", n)
i, j = index("i j")
k, l_ = sequence("k"), sequence("l")


def test_every_free_place():
    assert put(eq(a + b, a), a, c) == eq(c + b, c)
    assert put(named("Q", M @ M.T), M, N) == named("Q", N @ N.T)
    assert put((eq(a, b), le(b, a)), b, a * a) == (eq(a, a * a), le(a * a, a))
    assert put(eq(k[i], k[1]), k, l_) == eq(l_[i], l_[1])
    assert put(forall(a, le(b, a)), b, c) == forall(a, le(c, a))


def test_sizes_too():
    assert put(eq(M @ x, x), n, 2) == eq(matrix("M", 2, 2) @ vector("x", 2), vector("x", 2))
    assert put(eye(n), n, 3) == eye(3)


@pytest.mark.parametrize(
    ("body", "variable", "value"),
    [
        (forall(a, le(b, a)), b, a),
        (exists(x, eq(M @ x, x)), M, x @ x.T),
        (forall(a, le(b, a)), a, c),
        (total(i, 1, 3, k[i] * b), b, k[i]),
        (forall(i, le(k[i], b), over=(1, j)), j, i),
    ],
)
def test_what_a_binder_would_capture_is_refused(body, variable, value):
    with pytest.raises(Captured, match="is bound there"):
        put(body, variable, value)


def test_mentions_by_name_free_or_bound():
    assert mentions(forall(a, le(b, a)), a)
    assert mentions(k[i + 1], k)
    assert not mentions(named("a", M), a)
    assert not mentions(M, x)


def test_fresh_names():
    assert fresh(a, b, M) == a
    assert fresh(a, le(a, b)) == scalar("a_1")
    assert fresh(a, forall(a, le(a, b)), scalar("a_1")) == scalar("a_2")


@pytest.mark.parametrize("size", [1, 2])
def test_notations_capture_no_symbol_of_their_caller(size):
    """x, c and U are what the definitions bind; here they are the caller's."""
    x, U, c = vector("x", size), matrix("U", size, size), scalar("c")
    at = {"x": [[2]] * size, "U": [[3 * (r == s) for s in range(size)] for r in range(size)]}
    squared = 4 * size
    for body, largest, smallest in [(x @ x.T, squared, 4 if size == 1 else 0), (U, 3, 3)]:
        for notation, right in (
            (spectral_norm_is, largest),
            (smallest_singular_value_is, smallest),
        ):
            assert holds(notation(body, c), exact_assignment({}, at | {"c": right}), EXACT)
            assert not holds(notation(body, c), exact_assignment({}, at | {"c": right + 1}), EXACT)
    below = spectral_norm_below(U @ x @ x.T, c)
    assert not {x.name, U.name, c.name} & {bound.name for bound in binders(below)}
    away = distance_to_orthogonal_is(U, c)
    assert holds(away, exact_assignment({}, at | {"c": 2}), EXACT)
    assert not holds(away, exact_assignment({}, at | {"c": 1}), EXACT)


def test_every_entry_captures_no_index_of_its_caller():
    P, R = matrix("P", 2, 2), matrix("R", 2, 2)
    at = exact_assignment({}, {"P": [[1, 2], [3, 4]], "R": [[0, 0], [0, 3]]})
    below = every_entry(R, lambda r: le(r, element(P, i, j)))
    everywhere = forall(i, forall(j, below, over=(1, 2)), over=(1, 2))
    assert holds(everywhere, at, EXACT) is False  # R₂₂ = 3 is above P₁₁ = 1, though not above P₂₂
    nested = every_entry(P, lambda p: every_entry(R, lambda r: le(r, p)))
    assert holds(nested, at, EXACT) is False
    assert holds(every_entry(P, lambda p: le(1, p)), at, EXACT) is True
