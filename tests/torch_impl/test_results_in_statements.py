"""Which exact numbers a format has."""

from fractions import Fraction

from deltaproof.numeric.formats import format_of
from deltaproof.torch_impl.results_in_statements import fits


def test_what_is_too_large_for_a_format_is_no_number_of_it():
    large = [[Fraction(1), Fraction(2) ** 17]]
    assert fits(large, format_of("float32"))
    assert not fits(large, format_of("float16"))
    assert not fits([[Fraction(1, 3)]], format_of("float64"))
