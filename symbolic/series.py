"""Taylor series as an arithmetic: how the derivatives in a statement get their exact values.

Series          == a scalar, cut off after the term of its last coefficient
MatrixSeries    == a matrix, likewise; its coefficients are matrices of the arithmetic below
SeriesAlgebra(base, order) == the algebra; `variable(point)` is the variable of the expansion;
                              with `side` ±1 the expansion holds on that side of the point only

All of it is arithmetic of the coefficients: exact over exact numbers, enclosing over balls.

Left out: comparisons, determinants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .evaluation import Algebra, NotDifferentiable, Truth, Unsupported


@dataclass(frozen=True)
class _Cut:
    coefficients: tuple[Any, ...]

    def __add__(self, other: Any) -> Any:
        pairs = zip(self.coefficients, other.coefficients, strict=True)
        return type(self)(tuple(a + b for a, b in pairs))

    def __sub__(self, other: Any) -> Any:
        pairs = zip(self.coefficients, other.coefficients, strict=True)
        return type(self)(tuple(a - b for a, b in pairs))

    def __neg__(self) -> Any:
        return type(self)(tuple(-a for a in self.coefficients))


class Series(_Cut):
    """a₀ + a₁ t + a₂ t² + … of scalars."""

    def __mul__(self, other: Series) -> Series:
        return Series(_product(self, other, lambda a, b: a * b))

    def __pow__(self, exponent: int) -> Series:
        return self if exponent == 1 else self * self ** (exponent - 1)


class MatrixSeries(_Cut):
    """A₀ + A₁ t + A₂ t² + … of matrices."""


def _product(left: _Cut, right: _Cut, times: Callable[[Any, Any], Any]) -> tuple[Any, ...]:
    a, b = left.coefficients, right.coefficients
    found = []
    for k in range(len(a)):
        terms = [times(a[i], b[k - i]) for i in range(k + 1)]
        found.append(sum(terms[1:], terms[0]))
    return tuple(found)


class SeriesAlgebra(Algebra):
    """Taylor series over another arithmetic."""

    def __init__(self, base: Algebra, order: int, side: int = 0):
        self.base = base
        self.side = side
        self.zero = base.number(Fraction(0))
        self.rest = (self.zero,) * order

    def lift(self, value: Any) -> Series:
        return value if isinstance(value, Series) else Series((self.base.lift(value), *self.rest))

    def lift_matrix(self, value: Any) -> MatrixSeries:
        if isinstance(value, MatrixSeries):
            return value
        nothing = self.base.scale(self.zero, value)
        return MatrixSeries((value, *(nothing for _ in self.rest)))

    def variable(self, point: Any) -> Series:
        """point + t."""
        return Series((point, self.base.number(Fraction(1)), *self.rest[1:]))

    # ---- scalars
    def number(self, value: Fraction) -> Series:
        return self.lift(self.base.number(value))

    def divide(self, left: Series, right: Series) -> Series:
        a, b = left.coefficients, right.coefficients
        quotient: list[Any] = []
        for k in range(len(a)):
            rest = a[k]
            for i in range(k):
                rest = rest - quotient[i] * b[k - i]
            quotient.append(self.base.divide(rest, b[0]))
        return Series(tuple(quotient))

    def square_root(self, value: Series) -> Series:
        first, *higher = value.coefficients
        if self.base.equal(first, self.zero) is not False:
            # √(t²) = |t|: what is cut off decides
            raise Unsupported("the slope of a square root of what may be 0")
        root = [self.base.square_root(first)]
        twice = root[0] + root[0]
        for k, rest in enumerate(higher, 1):
            for i in range(1, k):
                rest = rest - root[i] * root[k - i]
            root.append(self.base.divide(rest, twice))
        return Series(tuple(root))

    def elementary(self, name: str, value: Series) -> Series:
        # f(a(t))' = f'(a(t)) a'(t): the slope up to t^(k−1) gives the coefficient of t^k
        inner = value.coefficients
        found = [self.base.elementary(name, inner[0])]
        for k in range(1, len(inner)):
            shorter = SeriesAlgebra(self.base, k - 1)
            slope = shorter._slope(name, Series(inner[:k]), Series(tuple(found))).coefficients
            terms = [
                self.base.number(Fraction(i)) * inner[i] * slope[k - i] for i in range(1, k + 1)
            ]
            rise = sum(terms[1:], terms[0])
            found.append(self.base.divide(rise, self.base.number(Fraction(k))))
        return Series(tuple(found))

    def _slope(self, name: str, inner: Series, value: Series) -> Series:
        """f' at `inner`, where f is `value`."""
        one = self.number(Fraction(1))
        match name:
            case "exp":
                return value
            case "sigmoid":
                return value * (one - value)
            case "log":
                return self.divide(one, inner)
            case "arctan":
                return self.divide(one, one + inner * inner)
            case "sin":
                return self.elementary("cos", inner)
            case "cos":
                return -self.elementary("sin", inner)
        raise Unsupported(f"the slope of {name}")

    def least(self, left: Series, right: Series) -> Series:
        pairs = zip(left.coefficients, right.coefficients, strict=True)
        for order, (a, b) in enumerate(pairs):
            tied = self.base.equal(a, b)
            if tied:
                continue
            if order and not self.side:
                raise NotDifferentiable("two branches of `least` meet with different slopes")
            smaller = self.base.less(a, b, strict=True)
            if tied is None or smaller is None:
                raise Unsupported("the smaller of two numbers that cannot be told apart")
            return left if smaller == (self.side**order > 0 or not order) else right
        return left

    # ---- matrices
    def matrix(self, rows: Sequence[Sequence[Series]]) -> MatrixSeries:
        terms = range(len(self.rest) + 1)
        return MatrixSeries(
            tuple(
                self.base.matrix([[x.coefficients[k] for x in row] for row in rows]) for k in terms
            )
        )

    def rows(self, matrix: MatrixSeries) -> list[list[Series]]:
        tables = [self.base.rows(part) for part in matrix.coefficients]
        return [
            [Series(entries) for entries in zip(*rows, strict=True)]
            for rows in zip(*tables, strict=True)
        ]

    def scale(self, factor: Series, matrix: MatrixSeries) -> MatrixSeries:
        return MatrixSeries(_product(factor, matrix, self.base.scale))

    def multiply(self, left: MatrixSeries, right: MatrixSeries) -> MatrixSeries:
        return MatrixSeries(_product(left, right, self.base.multiply))

    def transpose(self, matrix: MatrixSeries) -> MatrixSeries:
        return MatrixSeries(tuple(map(self.base.transpose, matrix.coefficients)))

    def inverse(self, matrix: MatrixSeries) -> MatrixSeries:
        # (Σ Aᵢ tⁱ)(Σ Xᵢ tⁱ) = I: X₀ = A₀⁻¹ and Xₖ = −A₀⁻¹ (A₁ Xₖ₋₁ + … + Aₖ X₀)
        first, *higher = matrix.coefficients
        found = [self.base.inverse(first)]
        for k in range(1, len(higher) + 1):
            terms = [self.base.multiply(higher[i - 1], found[k - i]) for i in range(1, k + 1)]
            found.append(-self.base.multiply(found[0], sum(terms[1:], terms[0])))
        return MatrixSeries(tuple(found))

    # ---- what is left out
    def determinant(self, matrix: MatrixSeries) -> Any:
        raise Unsupported("the derivative of a determinant")

    def equal(self, left: Series, right: Series) -> Truth:
        raise Unsupported("series are not compared")

    def less(self, left: Series, right: Series, *, strict: bool) -> Truth:
        raise Unsupported("series are not compared")
