"""The formats as data, and rounding to them, against NumPy's own conversions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from deltaproof.numeric.formats import (
    BFLOAT16,
    BINARY16,
    BINARY32,
    BINARY64,
    FORMATS,
    format_of,
    round_to_format,
)
from hypothesis import given
from hypothesis import strategies as st

WITH_NUMPY = [(BINARY64, np.float64), (BINARY32, np.float32), (BINARY16, np.float16)]


@pytest.mark.parametrize(("fmt", "dtype"), WITH_NUMPY)
def test_constants_are_numpys(fmt, dtype):
    info = np.finfo(dtype)
    assert fmt.unit_roundoff == Fraction(float(info.eps)) / 2
    assert fmt.largest == Fraction(float(info.max))
    assert fmt.smallest_normal == Fraction(float(info.smallest_normal))
    assert fmt.smallest_subnormal == Fraction(float(info.smallest_subnormal))


def test_bfloat16_is_the_upper_half_of_binary32():
    assert (BFLOAT16.emin, BFLOAT16.emax) == (BINARY32.emin, BINARY32.emax)
    assert BFLOAT16.precision == BINARY32.precision - 16


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
def test_lookup(fmt):
    assert format_of(fmt.name) is format_of(fmt.dtype) is format_of(f"torch.{fmt.dtype}") is fmt


def test_lookup_lists_what_there_is():
    with pytest.raises(KeyError, match="bfloat16"):
        format_of("float8")


@pytest.mark.parametrize(("fmt", "dtype"), WITH_NUMPY)
@given(x=st.floats(allow_nan=False, allow_infinity=False))
def test_rounding_is_numpys(fmt, dtype, x):
    with np.errstate(over="ignore"):
        expected = float(dtype(x))
    if math.isinf(expected):
        with pytest.raises(OverflowError, match=fmt.name):
            round_to_format(Fraction(x), fmt)
    else:
        assert round_to_format(Fraction(x), fmt) == Fraction(expected)


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
def test_ties_go_to_even_and_subnormals_are_evenly_spaced(fmt):
    eps, tiny = 2 * fmt.unit_roundoff, fmt.smallest_subnormal
    assert round_to_format(1 + eps / 2, fmt) == 1
    assert round_to_format(1 + 3 * eps / 2, fmt) == 1 + 2 * eps
    assert round_to_format(tiny / 2, fmt) == 0
    assert round_to_format(3 * tiny / 2, fmt) == 2 * tiny
    assert round_to_format(-fmt.largest, fmt) == -fmt.largest
    with pytest.raises(OverflowError):
        round_to_format(fmt.largest * (1 + fmt.unit_roundoff), fmt)


@given(p=st.integers(-(10**6), 10**6), q=st.integers(1, 10**6))
def test_error_is_at_most_the_roundoff(p, q):
    for fmt in (BINARY64, BINARY32, BFLOAT16):
        x = Fraction(p, q)
        rounded = round_to_format(x, fmt)
        assert abs(rounded - x) <= fmt.unit_roundoff * abs(x)
        assert round_to_format(rounded, fmt) == rounded
