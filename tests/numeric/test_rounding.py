"""The standard model: its formulas exactly, its outward roundings, its inner products."""

from fractions import Fraction

import numpy as np
import pytest
from deltaproof.numeric.formats import BFLOAT16, BINARY32, BINARY64, round_to_format
from deltaproof.numeric.rounding import (
    as_fractions,
    dot_growth,
    higham_gamma,
    outward,
    relative_growth,
    root_up,
    up,
)
from hypothesis import given
from hypothesis import strategies as st

rationals = st.fractions(min_value=0, max_value=10**9)


def test_formulas():
    r = Fraction(1, 256)
    assert higham_gamma(3, r) == Fraction(3, 253)
    assert relative_growth(4, r) == (1 + r) ** 4 - 1
    assert relative_growth(0, r) == 0
    assert dot_growth(1000, r) == Fraction(1000, 256)


def test_higham_gamma_ends_where_dot_growth_does_not():
    assert higham_gamma(255, BFLOAT16.unit_roundoff) == 255
    with pytest.raises(ValueError, match="undefined"):
        higham_gamma(256, BFLOAT16.unit_roundoff)
    assert dot_growth(256, BFLOAT16.unit_roundoff) == 1


@given(x=rationals)
def test_up_is_the_next_float(x):
    assert Fraction(up(x)) >= x
    assert Fraction(up(-x)) >= -x
    assert Fraction(np.nextafter(up(x), -np.inf)) < x or x == 0 == up(x)


@given(x=rationals)
def test_root_up_is_tight(x):
    root = Fraction(root_up(x))
    assert root**2 >= x
    assert root**2 <= x * (1 + 2 * BINARY64.unit_roundoff) ** 4


@pytest.mark.parametrize("x", [Fraction(0), Fraction(4), Fraction(2) ** 2000, Fraction(1, 2**2000)])
def test_root_up_of_extremes(x):
    assert Fraction(root_up(x)) ** 2 == x


def test_root_up_and_up_overflow_to_infinity():
    assert up(Fraction(2) ** 1024) == root_up(Fraction(2) ** 2050) == np.inf


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30))
def test_outward_covers_a_rounded_sum(terms):
    exact = sum((Fraction(x) ** 2 for x in terms), Fraction(0))
    computed = np.sum(np.square(np.array(terms)))
    assert Fraction(float(outward(computed, len(terms) + 1))) >= exact


def test_outward_has_work_to_do():
    tenth = np.full(10, 0.1)
    rounded_down = sum(tenth)  # 0.9999999999999999
    assert Fraction(float(rounded_down)) < 10 * Fraction(0.1)
    assert Fraction(float(outward(np.float64(rounded_down), 10))) >= 10 * Fraction(0.1)


def test_as_fractions_is_exact():
    exact = as_fractions(np.array([[0.1, 2.0]]))
    assert exact.shape == (1, 2)
    assert exact[0, 0] == Fraction(0.1) != Fraction(1, 10)


def tree_dot(x, y, fmt, order, fused):
    """Sum the products in a random tree, adding single products by a fused operation or not."""
    # A leaf is an exact product with False, or a rounded partial sum with True.
    parts = [(a * b, False) for a, b in zip(x, y, strict=True)]

    def rounded(part):
        return part[0] if part[1] else round_to_format(part[0], fmt)

    while len(parts) > 1:
        a = parts.pop(order.randrange(len(parts)))
        b = parts.pop(order.randrange(len(parts)))
        total = a[0] + b[0] if fused and a[1] != b[1] else rounded(a) + rounded(b)
        parts.append((round_to_format(total, fmt), True))
    return rounded(parts[0])


@pytest.mark.parametrize("fused", [False, True])
@given(
    values=st.lists(
        st.tuples(st.integers(-255, 255), st.integers(-255, 255)), min_size=1, max_size=40
    ),
    order=st.randoms(use_true_random=False),
)
def test_inner_products_in_any_order(values, order, fused):
    x, y = ([Fraction(pair[side]) for pair in values] for side in (0, 1))
    exact = sum(a * b for a, b in zip(x, y, strict=True))
    magnitude = sum(abs(a * b) for a, b in zip(x, y, strict=True))
    error = abs(tree_dot(x, y, BFLOAT16, order, fused) - exact)
    assert error <= dot_growth(len(x), BFLOAT16.unit_roundoff) * magnitude


def test_inner_product_bound_can_fail():
    """An order is harmless, a narrower format is not."""
    x = [Fraction(1), Fraction(1, 255)]
    exact = x[0] ** 2 + x[1] ** 2
    computed = round_to_format(exact, BFLOAT16)
    assert abs(computed - exact) > dot_growth(2, BINARY32.unit_roundoff) * exact
