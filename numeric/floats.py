"""NumPy binary64 arithmetic for statements: fast, batched, and no evidence.

FLOAT64 == the algebra; a matrix is an array (…, rows, columns), a scalar an array (…) or a number

Leading axes are a batch: one evaluation serves a thousand samples. A truth value is True or False
where the whole batch agrees, None where it does not. `equal` guesses: it asks for half of the
digits, so it is a filter for candidates that exact or rigorous arithmetic then decides.
Overflow gives infinities; silence NumPy's warnings with `numpy.errstate` where that is meant.

Left out: error bounds (running_error.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..symbolic.evaluation import Algebra, Truth, Undefined

HALF_OF_THE_DIGITS = float(np.sqrt(np.finfo(np.float64).eps))


class Float64Algebra(Algebra):
    """binary64, rounded to nearest, on arrays of any batch shape."""

    def number(self, value: Fraction) -> Any:
        return np.float64(value.numerator / value.denominator)

    def lift(self, value: Any) -> Any:
        return np.asarray(value, dtype=np.float64)[()]

    def matrix(self, rows: Sequence[Sequence[Any]]) -> Any:
        entries = np.broadcast_arrays(*(x for row in rows for x in row))
        stacked = np.stack([np.asarray(x, dtype=np.float64) for x in entries], axis=-1)
        return stacked.reshape(*stacked.shape[:-1], len(rows), len(rows[0]))

    def rows(self, matrix: Any) -> list[list[Any]]:
        height, width = matrix.shape[-2:]
        return [[matrix[..., i, j] for j in range(width)] for i in range(height)]

    def scale(self, factor: Any, matrix: Any) -> Any:
        return np.asarray(factor)[..., None, None] * matrix

    def multiply(self, left: Any, right: Any) -> Any:
        return left @ right

    def transpose(self, matrix: Any) -> Any:
        return np.swapaxes(matrix, -1, -2)

    def inverse(self, matrix: Any) -> Any:
        try:
            return np.linalg.inv(matrix)
        except np.linalg.LinAlgError:
            raise Undefined("the inverse of a singular matrix") from None

    def determinant(self, matrix: Any) -> Any:
        return np.linalg.det(matrix)

    def rank(self, matrix: Any) -> Any:
        return np.asarray(np.linalg.matrix_rank(matrix), dtype=np.float64)[()]

    def square_root(self, value: Any) -> Any:
        # sums of squares only: a negative value is a rounding error of zero
        return np.sqrt(np.maximum(value, 0))

    def least(self, left: Any, right: Any) -> Any:
        return np.minimum(left, right)

    def equal(self, left: Any, right: Any) -> Truth:
        size = 1 + np.abs(left) + np.abs(right)
        return _unanimous(np.abs(left - right) <= HALF_OF_THE_DIGITS * size)

    def less(self, left: Any, right: Any, *, strict: bool) -> Truth:
        return _unanimous(left < right if strict else left <= right)


def _unanimous(truths: Any) -> Truth:
    if np.all(truths):
        return True
    return None if np.any(truths) else False


FLOAT64 = Float64Algebra()
