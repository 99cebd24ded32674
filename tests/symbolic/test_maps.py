"""Maps of vectors, and families of them: shapes, print, values, decisions, constructions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.symbolic import Claim, ShapeError, dims, eq, index, mapping, vector
from deltaproof.symbolic.claims import symbols
from deltaproof.symbolic.constructions import construct
from deltaproof.symbolic.decisions import same
from deltaproof.symbolic.derivations import counterexample
from deltaproof.symbolic.evaluation import Lambda, evaluate
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.printing import latex, plain

n, m = dims("n m")
i = index("i")
x, y = vector("x", n), vector("y", n)
f, F = mapping("f", n), mapping("F", n)


def test_an_image_has_the_shape_that_the_map_says():
    assert f(x).shape == (n, 1)
    with pytest.raises(ShapeError, match="f needs an argument of shape"):
        f(vector("z", m))
    with pytest.raises(ShapeError, match="f needs an argument"):
        f(x @ x.T)


def test_print():
    assert plain(f(x + y)) == "f(x + y)"
    assert plain(F(f(x), i + 1)) == "F_(i + 1)(f(x))"
    assert latex(F(x, i)) == r"F_{i}\left(x\right)"


def test_values():
    double = Lambda(x, 2 * x)
    family = {0: Lambda(x, x), 1: Lambda(y, -y)}
    at = exact_assignment({"n": 2}, {"x": [[1], [2]], "f": double, "F": family}).bind("i", 1)
    assert EXACT.rows(evaluate(f(x), at, EXACT)) == [[2], [4]]
    assert EXACT.rows(evaluate(F(f(x), i), at, EXACT)) == [[-2], [-4]]
    assert EXACT.rows(evaluate(F(x, i - 1), at, EXACT)) == [[1], [2]]


def test_decisions_know_equal_arguments_and_no_more():
    assert same(f(x + y), f(y + x)).holds
    assert same(f(x), f(y), [eq(x, y)]).holds
    assert same(F(x, i + 1 - 1), F(x, i)).holds
    assert not same(f(x + y), f(x) + f(y)).holds
    assert not same(F(x, i), F(x, i + 1)).holds
    assert not same(f(x), F(x, i)).holds


def test_maps_are_symbols_that_are_given_values():
    claim = Claim("t.additive", then=eq(f(x + y), f(x) + f(y)))
    assert symbols(claim).maps == (f,)
    assert symbols(claim).matrices == (x, y)
    assert counterexample(claim) is not None
    inputs = construct(claim, {"n": 2}, EXACT, lambda: EXACT.number(Fraction(1)))
    assert inputs.at.values["f"].variable.shape == (2, 1)
    assert counterexample(Claim("t.same", then=eq(f(x + y), f(y + x)))) is None


def test_members_of_a_family_differ():
    claim = Claim("t.family", then=eq(F(x, i), F(x, i + 1)))
    assert counterexample(claim) is not None
    assert counterexample(Claim("t.member", then=eq(F(x, i), F(x, i)))) is None
