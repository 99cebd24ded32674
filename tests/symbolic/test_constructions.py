"""Inputs built for hypotheses: what is said to be met does hold."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from deltaproof.symbolic import (
    Claim,
    det,
    dims,
    entry,
    eq,
    eye,
    le,
    lt,
    matrix,
    scalar,
    vector,
    zeros,
)
from deltaproof.symbolic.constructions import construct
from deltaproof.symbolic.derivations import counterexample
from deltaproof.symbolic.evaluation import holds
from deltaproof.symbolic.exact import EXACT
from deltaproof.symbolic.expressions import absolute, element, index
from deltaproof.symbolic.expressions import size as length
from deltaproof.symbolic.frobenius import entries_within, entries_within_product
from deltaproof.symbolic.propositions import forall

n = dims("n")
S = matrix("S", n, n)
x, y, z, u, v = (vector(name, n) for name in "xyzuv")
mu = scalar("mu")
nothing = zeros(1, 1)
EIGENVECTOR = (eq(S.T, -S), eq(S @ x, -mu * y), eq(S @ y, mu * x))
AXES = (eq(u.T @ x, nothing), eq(v.T @ x, nothing), eq(y.T @ x, nothing))


def built(given, size: int):
    claim = Claim("t.built", given=given, then=eq(z, zeros(n, 1)))
    generator = random.Random(size)

    def draw():
        return EXACT.number(Fraction(generator.randint(1, 9), generator.randint(1, 3)))

    return construct(claim, {"n": size}, EXACT, draw)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_eigenvectors_of_skew_matrices_are_built(size):
    inputs = built(EIGENVECTOR, size)
    assert inputs.unmet == ()
    assert all(holds(fact, inputs.at, EXACT) for fact in EIGENVECTOR)
    assert holds(eq(x, zeros(n, 1)), inputs.at, EXACT) is False
    assert (inputs.at.values["mu"] == 0) == (size == 1)


def test_a_hypothesis_with_another_sign_is_not_met():
    inputs = built((eq(S.T, -S), eq(S @ x, -mu * y), eq(S @ y, -mu * x)), 2)
    assert len(inputs.unmet) == 2


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_a_vector_orthogonal_to_several_is_built(count, size):
    inputs = built(AXES[:count], size)
    assert inputs.unmet == ()
    assert all(holds(fact, inputs.at, EXACT) for fact in AXES[:count])
    vanishes = holds(eq(x, zeros(n, 1)), inputs.at, EXACT)
    assert vanishes == (count >= size)


def test_axes_that_vanish_or_depend_leave_zero():
    inputs = construct(
        Claim("t.built", given=AXES[:2], then=eq(z, zeros(n, 1))),
        {"n": 3},
        EXACT,
        lambda: EXACT.number(Fraction(2)),
    )
    assert inputs.unmet == ()
    assert holds(eq(u, v), inputs.at, EXACT)
    assert all(holds(fact, inputs.at, EXACT) for fact in AXES[:2])


@pytest.mark.parametrize("size", [1, 2, 3])
def test_roundings_of_a_matrix_are_built(size):
    """A roundoff below what the size allows, entries within r|u_i v_j|, a skew one among them."""
    r, E, F, G = scalar("r"), *(matrix(name, n, n) for name in "EFG")
    outer = u @ v.T
    given = (
        lt(0, r),
        le(r, 1 / (1024 * length(n) ** 2)),
        eq(u, u),
        eq(v, v),
        entries_within(E, r, outer),
        entries_within(F, r, outer - outer.T),
        eq(F.T, -F),
        eq(G, outer + E),
        entries_within_product(S, length(n) * r, G, G),
    )
    inputs = built(given, size)
    assert all(holds(fact, inputs.at, EXACT) for fact in given)
    assert given[4] not in inputs.unmet
    assert inputs.at.values["E"] != EXACT.matrix([[EXACT.number(Fraction(0))] * size] * size)
    # the bounds of the skew one are looked at, not guaranteed: those above the diagonal may differ
    assert given[5] in inputs.unmet
    assert given[6] not in inputs.unmet


def test_nothing_is_within_a_negative_bound():
    r, E = scalar("r"), matrix("E", n, n)
    error = matrix("k", n, 1)
    i = index("i")
    within = (
        le(absolute(mu), -length(n)),
        forall(i, le(absolute(element(error, i, 1)), r), over=(1, length(n))),
        entries_within(E, r, u @ v.T),
    )
    given = (eq(r, -1), eq(u, u), eq(v, v), *within)
    assert set(within) <= set(built(given, 2).unmet)


@pytest.mark.parametrize("value", [1, -1, Fraction(3, 2)])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_matrix_of_a_given_determinant_is_built(value, size):
    given = (eq(det(S), value),)
    inputs = built((*given, eq(mu, mu)), size)
    assert given[0] not in inputs.unmet
    assert holds(given[0], inputs.at, EXACT)
    orthogonal = holds(eq(S.T @ S, eye(n)), inputs.at, EXACT)
    assert orthogonal == (size == 1 and abs(value) == 1)


def test_a_vanishing_determinant_is_left_unmet():
    fact = eq(det(S), 0)
    assert fact in built((fact, eq(S @ x, y)), 2).unmet


def test_a_component_without_orthogonality_is_told_from_one_with():
    R = matrix("R", n, n)
    given = [eq(det(S), 1), eq(R.T @ R, eye(n)), eq(det(R), -1)]
    then = eq(det(S + R), 0)
    assert counterexample(Claim("t.component", given=given, then=then)) is not None
    whole = Claim("t.component", given=[eq(S.T @ S, eye(n)), *given], then=then)
    assert counterexample(whole) is None


@pytest.mark.parametrize("value", [2, Fraction(1, 3), Fraction(10**40 + 1, 7)])
def test_a_root_is_built_between_its_bounds(value):
    """A rational number beside √x, by a relative error of at most r."""
    r, of, root = scalar("r"), matrix("A", 1, 1), matrix("B", 1, 1)
    given = (
        eq(r, Fraction(1, 2**20)),
        eq(of, Fraction(value) * eye(1)),
        le((1 - r) ** 2 * entry(of), entry(root) ** 2),
        le(entry(root) ** 2, (1 + r) ** 2 * entry(of)),
    )
    inputs = built(given, 1)
    assert all(holds(fact, inputs.at, EXACT) is True for fact in given)
    # they are looked at, not guaranteed
    assert set(given[2:]) <= set(inputs.unmet)
