"""Ball arithmetic answers only what is certain, and leaves flint's precision as it was."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.numeric.balls import BallAlgebra, ball, precision
from deltaproof.symbolic.evaluation import Assignment, Undefined, Unsupported, evaluate
from deltaproof.symbolic.exact import EXACT, to_rational
from deltaproof.symbolic.expressions import norm, vector
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

BALLS = BallAlgebra()
fractions = st.fractions(min_value=-5, max_value=5, max_denominator=20)
widths = st.sampled_from((Fraction(0), Fraction(1, 8), Fraction(3)))
places = st.integers(-4, 4)


def test_the_precision_is_set_back():
    before = ctx.prec
    with precision(300):
        assert ctx.prec == 300
    with pytest.raises(KeyError), precision(300):
        raise KeyError
    assert ctx.prec == before


@given(x=fractions, y=fractions, widths=st.tuples(widths, widths), place=places, other=places)
def test_answers_are_true_of_each_number_in_the_balls(x, y, widths, place, other):
    a, b = x + widths[0] * place / 4, y + widths[1] * other / 4
    left, right = (ball(BALLS.number(c), w) for c, w in zip((x, y), widths, strict=True))
    assert BALLS.equal(left, right) in (None, a == b)
    assert BALLS.less(left, right, strict=True) in (None, a < b)
    assert BALLS.less(left, right, strict=False) in (None, a <= b)
    assert BALLS.power(left, 3).contains(BALLS.number(a**3))


def test_equality_is_certain_for_exact_numbers_only():
    half, third = BALLS.number(Fraction(1, 2)), BALLS.number(Fraction(1, 3))
    assert BALLS.equal(half, half) is True
    assert BALLS.equal(third, third) is None
    assert BALLS.equal(third, half) is False
    assert BALLS.less(half, half, strict=False) is True
    assert BALLS.less(half, half, strict=True) is False
    assert BALLS.equal(arb.nan(), half) is None


def test_even_powers_and_roots_of_a_ball_around_zero_are_finite():
    around = ball(arb(0), Fraction(1, 2))
    assert BALLS.power(around, 2).is_finite()
    root = BALLS.square_root(BALLS.power(around, 2))
    assert root.is_finite()
    assert root.contains(arb(1) / 2)
    with pytest.raises(Undefined):
        BALLS.square_root(arb(-1))


def test_the_norm_of_a_box_around_zero_contains_the_norm_of_each_point():
    k = vector("k", 2)
    box = BALLS.matrix([[ball(arb(0), Fraction(1))], [ball(arb(0), Fraction(1))]])
    found = evaluate(norm(k), Assignment({}, {"k": box}), BALLS)
    assert found.contains(arb(0))
    assert found.contains(arb(1))


@given(rows=st.lists(st.lists(fractions, min_size=3, max_size=3), min_size=3, max_size=3))
def test_matrices_contain_the_exact_result(rows):
    exact = EXACT.matrix([[EXACT.number(x) for x in row] for row in rows])
    found = BALLS.matrix([[BALLS.number(x) for x in row] for row in rows])
    determinant = to_rational(EXACT.determinant(exact))
    assert BALLS.equal(BALLS.determinant(found), BALLS.number(determinant)) is not False
    if determinant == 0:
        with pytest.raises((Undefined, Unsupported)):
            BALLS.inverse(found)
        return
    inverse = EXACT.rows(EXACT.inverse(exact))
    for row, reference in zip(BALLS.rows(BALLS.inverse(found)), inverse, strict=True):
        for a, b in zip(row, reference, strict=True):
            assert BALLS.equal(a, BALLS.number(to_rational(b))) is not False


def test_no_inverse_where_the_box_touches_a_singular_matrix():
    with pytest.raises(Undefined):
        BALLS.inverse(BALLS.matrix([[arb(0)]]))
    with pytest.raises(Unsupported):
        BALLS.inverse(BALLS.matrix([[ball(arb(0), Fraction(1))]]))
    with pytest.raises(Undefined):
        BALLS.divide(arb(1), arb(0))


def test_comparisons_are_observed():
    seen = []
    BallAlgebra(observe=lambda *event: seen.append(event)).equal(arb(3), arb(1))
    assert seen == [(2.0, 0.0, False)]
