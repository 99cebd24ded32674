"""Exact arithmetic with transcendental numbers: enclosed by Arb balls, as tightly as it takes.

REALS            == the exact algebra in which exp, log, … have values
Real             == such a number: encloses itself in a ball at any precision
precision(bits)  == a context within which balls are computed with that many bits
arithmetic_of(claim) == REALS where a claim rounds to a format, else EXACT

Two numbers that differ are told apart by balls narrow enough. That two are equal no ball can show,
so that equal numbers raise Unsupported. python-flint has one global precision; this module alone
sets it, and sets it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from . import expressions as ex
from . import propositions as pr
from .claims import Claim
from .evaluation import Undefined, Unsupported
from .exact import EXACT, ExactAlgebra, Root
from .formats import Format, round_to_format

_PRECISIONS = (64, 256, 1024, 4096)
_FARTHEST = 2**12
"""exp of a larger number has more bits than a rational should."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with `bits` bits inside the block; the precision outside is restored."""
    with ctx.workprec(bits):
        yield


class Real:
    """A real number, by a function that encloses it in a ball at the precision that is set."""

    def __init__(self, enclose: Callable[[], arb]):
        self.enclose = enclose

    def __add__(self, other: Any) -> Real:
        return Real(lambda: self.enclose() + _enclosed(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Real:
        return Real(lambda: self.enclose() - _enclosed(other))

    def __rsub__(self, other: Any) -> Real:
        return -self + other

    def __neg__(self) -> Real:
        return Real(lambda: -self.enclose())

    def __mul__(self, other: Any) -> Real:
        return Real(lambda: self.enclose() * _enclosed(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Real:
        return Real(lambda: self.enclose() / _enclosed(other))

    def __rtruediv__(self, other: Any) -> Real:
        return Real(lambda: _enclosed(other) / self.enclose())

    def __pow__(self, exponent: int) -> Real:
        return Real(lambda: self.enclose() ** exponent)

    def __repr__(self) -> str:
        return str(self.enclose())

    def sign(self) -> int:
        """1 or −1; raises Unsupported where no precision tells the number from 0."""
        for bits in _PRECISIONS:
            with precision(bits):
                found = self.enclose()
                if found > 0:
                    return 1
                if found < 0:
                    return -1
        raise Unsupported("a number that cannot be told from 0")

    def rounded(self, fmt: Format) -> Fraction:
        """The nearest number of a format; raises Unsupported at what may be a tie."""
        for bits in _PRECISIONS:
            with precision(bits):
                found = self.enclose()
                if not found.is_finite():
                    continue
                ends = [_fraction(found.lower()), _fraction(found.upper())]
            low, high = (_rounded(end, fmt) for end in ends)
            if low == high:  # rounding is monotone
                return low
        raise Unsupported(f"a number that cannot be told from a tie of {fmt.name}")


def _difference(left: Any, right: Any) -> Real:
    return Real(lambda: _enclosed(left) - _enclosed(right))


def _enclosed(value: Any) -> arb:
    if isinstance(value, Real):
        return value.enclose()
    if isinstance(value, Root):
        root = arb(abs(value.signed_square)).sqrt()
        return root if value.signed_square > 0 else -root
    return arb(value)


def _fraction(value: arb) -> Fraction:
    """A ball of radius 0 as a fraction."""
    significand, exponent = value.man_exp()
    return Fraction(int(significand)) * Fraction(2) ** int(exponent)


def _rounded(value: Fraction, fmt: Format) -> Fraction:
    try:
        return round_to_format(value, fmt)
    except OverflowError as problem:
        raise Undefined(str(problem)) from None


class RealAlgebra(ExactAlgebra):
    """Rational arithmetic, and elementary functions of its numbers."""

    def elementary(self, name: str, value: Any) -> Any:
        try:
            return super().elementary(name, value)
        except Unsupported:
            pass
        inside = value if isinstance(value, Real) else Real(lambda: _enclosed(value))
        if not isinstance(value, Real) and not -_FARTHEST < value < _FARTHEST:
            raise Unsupported(f"{name} of {value} is too far from 1 for a fraction")
        if name == "log" and self.less(value, fmpq(0), strict=False):
            raise Undefined(f"the logarithm of {value}")
        return Real(lambda: _FUNCTIONS[name](inside.enclose()))

    def rounded(self, value: Any, fmt: Format) -> Any:
        if isinstance(value, Real):
            return self.number(value.rounded(fmt))
        return super().rounded(value, fmt)

    def equal(self, left: Any, right: Any) -> bool:
        if isinstance(left, Real) or isinstance(right, Real):
            _difference(left, right).sign()  # that they are equal cannot be seen
            return False
        return super().equal(left, right)

    def less(self, left: Any, right: Any, *, strict: bool) -> Any:
        if isinstance(left, Real) or isinstance(right, Real):
            return _difference(right, left).sign() > 0
        return super().less(left, right, strict=strict)


_FUNCTIONS: dict[str, Callable[[arb], arb]] = {
    "exp": arb.exp,
    "log": arb.log,
    "sin": arb.sin,
    "cos": arb.cos,
    "arctan": arb.atan,
    "sigmoid": lambda x: 1 / (1 + (-x).exp()),
}

REALS = RealAlgebra()


def arithmetic_of(claim: Claim) -> ExactAlgebra:
    """The arithmetic in which a claim is evaluated at exact inputs.

    Only where a claim rounds are transcendental numbers looked into: elsewhere they would take
    time and decide nothing.
    """
    nodes = (node for part in claim.statement for node in pr.expressions_in(part))
    return REALS if any(isinstance(node, ex.Rounded | ex.Eliminated) for node in nodes) else EXACT
