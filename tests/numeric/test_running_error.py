"""The bounds of running-error arithmetic against exact rational arithmetic."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from deltaproof.numeric import running_error
from deltaproof.numeric.dense import Dense
from deltaproof.numeric.multiprecision import arithmetic
from deltaproof.numeric.running_error import BINARY64, Bounded, RunningErrorAlgebra
from deltaproof.symbolic.evaluation import Undefined, Unsupported
from deltaproof.symbolic.exact import EXACT, exact_assignment, to_rational
from hypothesis import assume, given
from hypothesis import strategies as st

FORMATS = {"binary64": BINARY64, "15 digits": arithmetic(15), "50 digits": arithmetic(50)}
LYING = {name: replace(numbers, precision=300) for name, numbers in FORMATS.items()}

fractions = st.fractions(min_value=-10, max_value=10, max_denominator=97)
small = st.integers(1, 4)


def off(computed: Bounded, exact: Fraction) -> Fraction:
    """How far the computed number is from the exact one, beyond its bound (≤ 0: within)."""
    distance = abs(computed.arithmetic.exact(computed.value) - exact)
    return distance - Fraction(computed.error)


def squares(size):
    return st.lists(st.lists(fractions, min_size=size, max_size=size), min_size=size, max_size=size)


@pytest.mark.parametrize("name", FORMATS)
@given(x=fractions, y=fractions)
def test_operations_stay_within_their_bounds(name, x, y):
    algebra = RunningErrorAlgebra(FORMATS[name])
    a, b = algebra.number(x), algebra.number(y)
    assert off(a, x) <= 0
    assert off(a + b, x + y) <= 0
    assert off(a - b, x - y) <= 0
    assert off(a * b, x * y) <= 0
    assert off(-(a**3), -(x**3)) <= 0
    if y:
        assert off(a / b, x / y) <= 0
        assert off((a / b - a) * b, x - x * y) <= 0


@pytest.mark.parametrize("name", FORMATS)
@given(x=fractions)
def test_square_roots_stay_within_their_bounds(name, x):
    algebra = RunningErrorAlgebra(FORMATS[name])
    root = algebra.square_root(algebra.number(x * x))
    assert off(root, abs(x)) <= 0


@pytest.mark.parametrize("name", FORMATS)
@given(rows=small.flatmap(squares), other=st.data())
def test_matrix_operations_stay_within_their_bounds(name, rows, other):
    algebra = RunningErrorAlgebra(FORMATS[name])
    right = other.draw(squares(len(rows)))
    exact = exact_assignment({}, {"M": rows, "N": right}).values
    M, N = (
        algebra.matrix([[algebra.number(x) for x in row] for row in side]) for side in (rows, right)
    )

    def within(found: Dense, reference) -> bool:
        pairs = zip(algebra.rows(found), EXACT.rows(reference), strict=True)
        return all(off(a, to_rational(b)) <= 0 for r, s in pairs for a, b in zip(r, s, strict=True))

    assert within(algebra.multiply(M, N), exact["M"] * exact["N"])
    assert off(algebra.determinant(M), to_rational(exact["M"].det())) <= 0
    assume(exact["M"].det() != 0)
    try:
        inverse = algebra.inverse(M)
    except Unsupported:
        assume(False)
    assert within(inverse, exact["M"].inv())


@pytest.mark.parametrize("name", LYING)
def test_a_roundoff_that_is_too_small_is_seen(name):
    algebra = RunningErrorAlgebra(LYING[name])
    x = [Fraction(i, 97) for i in range(1, 20)]
    assert any(off(algebra.number(a) * algebra.number(b), a * b) > 0 for a in x for b in x)
    root = [algebra.square_root(algebra.number(a)) for a in x]
    assert any(off(r * r, a) > 0 for r, a in zip(root, x, strict=True))


@pytest.mark.parametrize("name", FORMATS)
def test_an_inverse_without_its_residual_is_seen(name, monkeypatch):
    """The bound rests on E = I − XM: with E taken as exactly 0 it does not hold."""
    algebra = RunningErrorAlgebra(FORMATS[name])
    rows = [[Fraction(1, 3), Fraction(2, 7)], [Fraction(5, 11), Fraction(1, 13)]]
    M = algebra.matrix([[algebra.number(x) for x in row] for row in rows])
    reference = exact_assignment({}, {"M": rows}).values["M"].inv().tolist()

    def worst():
        found = algebra.rows(algebra.inverse(M))
        return max(off(found[i][j], to_rational(reference[i][j])) for i in (0, 1) for j in (0, 1))

    assert worst() <= 0
    monkeypatch.setattr(running_error, "_sum_of_sizes", lambda row: 0.0)
    assert worst() > 0


def test_input_errors_are_propagated():
    algebra = RunningErrorAlgebra(BINARY64)
    x = Bounded(3.0, 0.5, BINARY64)
    one = algebra.number(Fraction(1))
    for true in (Fraction(5, 2), Fraction(7, 2)):
        assert off(x * x, true**2) <= 0
        assert off(one / x, 1 / true) <= 0
        assert off(x - one, true - 1) <= 0
    root = algebra.square_root(x)
    assert root.value - root.error <= math.sqrt(2.5) < math.sqrt(3.5) <= root.value + root.error


def test_exact_operations_keep_the_error_zero():
    algebra = RunningErrorAlgebra(BINARY64)
    half, three, tenth = (algebra.number(x) for x in (Fraction(1, 2), Fraction(3), Fraction(1, 10)))
    for exact in (half * three, half - three, half / half, three**5, algebra.square_root(three**2)):
        assert exact.error == 0
    for rounded in (tenth, tenth * tenth, half / three, algebra.square_root(three)):
        assert rounded.error > 0


def test_underflow_and_overflow_are_no_equality():
    certain = RunningErrorAlgebra(BINARY64, certain=True)
    zero = certain.number(Fraction(0))
    tiny, huge = Bounded(1e-200, 0.0, BINARY64), Bounded(1e200, 0.0, BINARY64)
    assert (tiny * tiny).value == 0
    assert (tiny * tiny).error > 0
    assert certain.equal(tiny * tiny, zero) is None
    assert certain.equal(huge * huge, huge * huge * huge) is None
    assert certain.less(huge * huge, zero, strict=True) is None
    tiny = arithmetic(50).nearest(Fraction(1, 10**200))
    square = Bounded(tiny, 0.0, FORMATS["50 digits"]) ** 2
    assert square.value != 0
    assert off(square, FORMATS["50 digits"].exact(tiny) ** 2) <= 0


def test_equality_is_lenient_or_certain():
    third = Fraction(1, 3)
    for certain, close in ((False, True), (True, None)):
        algebra = RunningErrorAlgebra(BINARY64, certain=certain)
        x = algebra.number(third)
        assert algebra.equal(x + x + x, algebra.number(Fraction(1))) is close
        assert algebra.less(x + x + x, algebra.number(Fraction(1)), strict=False) is close
        assert algebra.equal(x, algebra.number(Fraction(1, 2))) is False
        assert algebra.less(x, algebra.number(Fraction(1, 2)), strict=True) is True
        two = algebra.number(Fraction(2))
        assert algebra.equal(two, two) is True


def test_singular_matrices_and_zero_denominators_have_no_inverse():
    algebra = RunningErrorAlgebra(BINARY64)
    zero, one, third = (algebra.number(x) for x in (Fraction(0), Fraction(1), Fraction(1, 3)))
    with pytest.raises(Undefined):
        algebra.divide(one, zero)
    with pytest.raises(Unsupported):
        algebra.divide(one, third + third + third - one)
    with pytest.raises(Undefined):
        algebra.inverse(algebra.matrix([[one, one], [one, one]]))
    with pytest.raises(Unsupported):
        algebra.inverse(algebra.matrix([[third, third * third], [one, third]]))
    with pytest.raises(Undefined):
        algebra.square_root(-one)
