"""Putting values in: every free place, and nothing that a binder would capture."""

from __future__ import annotations

import pytest
from deltaproof.symbolic import dims, eq, eye, le, matrix, scalar, vector
from deltaproof.symbolic.binding import Captured, mentions, put
from deltaproof.symbolic.expressions import index, named, sequence, total
from deltaproof.symbolic.propositions import exists, forall

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
