"""The binary floating-point formats, as data, and exact rounding to them.

Format          == precision and exponent range; roundoff and extreme numbers are derived
FORMATS         == binary64, binary32, bfloat16, binary16
format_of       == a format by its own name or by the name of its dtype
round_to_format == the number of a format nearest to a rational, ties to even
next_above, next_below == the neighbours of a number of a format
is_even         == is the significand of a number of a format even? It wins the ties.

Nothing here computes in floating point, and no torch is needed.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property


@dataclass(frozen=True)
class Format:
    """A binary format: numbers ±m·2^(e − precision + 1), 0 ≤ m < 2^precision, emin ≤ e ≤ emax.

    ``flushes`` marks a format whose dot-product instructions may treat subnormal numbers as 0.
    """

    name: str
    dtype: str
    precision: int
    emin: int
    emax: int
    flushes: bool = False

    def __post_init__(self) -> None:
        if self.precision < 2 or self.emin > self.emax:
            raise ValueError(
                f"a format has a precision ≥ 2 and emin ≤ emax, got {self.precision}, "
                f"{self.emin} and {self.emax}"
            )

    @cached_property
    def unit_roundoff(self) -> Fraction:
        """r, the largest relative error of rounding to nearest: 2^(−precision)."""
        return Fraction(1, 2**self.precision)

    @cached_property
    def largest(self) -> Fraction:
        """The largest finite number."""
        return (2 - 2 * self.unit_roundoff) * _power_of_two(self.emax)

    @cached_property
    def smallest_normal(self) -> Fraction:
        """The smallest positive number of full precision."""
        return _power_of_two(self.emin)

    @cached_property
    def smallest_subnormal(self) -> Fraction:
        """The smallest positive number, and the spacing of all below ``smallest_normal``."""
        return 2 * self.unit_roundoff * self.smallest_normal

    @cached_property
    def underflow_unit(self) -> Fraction:
        """The most that underflow takes from the result of one operation."""
        return self.smallest_normal if self.flushes else self.smallest_subnormal / 2


FORMATS = (
    Format("binary64", "float64", precision=53, emin=-1022, emax=1023),
    Format("binary32", "float32", precision=24, emin=-126, emax=127),
    Format("bfloat16", "bfloat16", precision=8, emin=-126, emax=127, flushes=True),
    Format("binary16", "float16", precision=11, emin=-14, emax=15),
)
BINARY64, BINARY32, BFLOAT16, BINARY16 = FORMATS


def format_of(name: str) -> Format:
    """Return the format called ``name`` (``"binary32"``), or that of a dtype (``"float32"``).

    A ``torch.`` in front is ignored, so ``str(tensor.dtype)`` will do.

    Raises
    ------
    KeyError
        If there is none; the message lists those there are.
    """
    bare = name.removeprefix("torch.")
    for fmt in FORMATS:
        if bare in (fmt.name, fmt.dtype):
            return fmt
    known = ", ".join(f"{fmt.name} ({fmt.dtype})" for fmt in FORMATS)
    raise KeyError(f"no format {name!r}; there are {known}")


def round_to_format(x: Fraction | int, fmt: Format) -> Fraction:
    """Return the number of ``fmt`` nearest to ``x``, ties to even, subnormal numbers included.

    Raises
    ------
    OverflowError
        If ``x`` would round to an infinity.
    """
    x = Fraction(x)
    if x == 0:
        return x
    spacing = _spacing(x, fmt)
    rounded = round(x / spacing) * spacing  # round on a Fraction is exact, ties to even
    if abs(rounded) > fmt.largest:
        raise OverflowError(f"{float(x):.6g} overflows {fmt.name}")
    return rounded


def next_above(x: Fraction, fmt: Format) -> Fraction:
    """Return the smallest number of ``fmt`` above ``x``, which is one.

    Raises
    ------
    ValueError
        If ``x`` is no number of the format, or its largest.
    """
    if round_to_format(x, fmt) != x:
        raise ValueError(f"{x} is not a number of {fmt.name}")
    if x == fmt.largest:
        raise ValueError(f"{x} is the largest number of {fmt.name}")
    if x == -fmt.smallest_subnormal or x == 0:
        return x + fmt.smallest_subnormal
    step = _spacing(x, fmt)
    # below a power of two the numbers lie twice as close
    if x < 0 and abs(x) == _power_of_two(_exponent(abs(x))):
        step = _spacing(x * (1 - fmt.unit_roundoff), fmt)
    return x + step


def next_below(x: Fraction, fmt: Format) -> Fraction:
    """Return the largest number of ``fmt`` below ``x``, which is one; else as `next_above`."""
    return -next_above(-x, fmt)


def is_even(x: Fraction, fmt: Format) -> bool:
    """Is ``x``, a number of ``fmt``, an even multiple of the spacing there?"""
    return x == 0 or (x / _spacing(x, fmt)).numerator % 2 == 0


def _spacing(x: Fraction, fmt: Format) -> Fraction:
    return _power_of_two(max(_exponent(abs(x)), fmt.emin) - fmt.precision + 1)


def _exponent(x: Fraction) -> int:
    """Return e with 2^e ≤ x < 2^(e+1)."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if x >= _power_of_two(e) else e - 1


def _power_of_two(e: int) -> Fraction:
    return Fraction(2**e) if e >= 0 else Fraction(1, 2**-e)
