"""Matrices as rows of scalars, for arithmetics whose library has no matrices of its own.

Dense        == a matrix; adds, subtracts, negates
DenseAlgebra == the part of an Algebra that follows from scalar + − *
approximate_inverse(rows) == elimination with partial pivoting, None where a pivot is zero

Left out: any claim on the accuracy of `approximate_inverse`; who uses it checks what it returns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..symbolic.evaluation import Algebra, Unsupported

LARGEST_DETERMINANT = 8
"""The expansion below takes n·2ⁿ products."""


@dataclass(frozen=True)
class Dense:
    """A matrix of scalars of any kind, row by row."""

    entries: tuple[tuple[Any, ...], ...]

    def __add__(self, other: Dense) -> Dense:
        pairs = zip(self.entries, other.entries, strict=True)
        return Dense(tuple(tuple(a + b for a, b in zip(r, s, strict=True)) for r, s in pairs))

    def __sub__(self, other: Dense) -> Dense:
        pairs = zip(self.entries, other.entries, strict=True)
        return Dense(tuple(tuple(a - b for a, b in zip(r, s, strict=True)) for r, s in pairs))

    def __neg__(self) -> Dense:
        return Dense(tuple(tuple(-a for a in row) for row in self.entries))


class DenseAlgebra(Algebra):
    """Matrices over the scalars of a subclass."""

    def matrix(self, rows: Sequence[Sequence[Any]]) -> Dense:
        return Dense(tuple(tuple(row) for row in rows))

    def rows(self, matrix: Dense) -> list[list[Any]]:
        return [list(row) for row in matrix.entries]

    def scale(self, factor: Any, matrix: Dense) -> Dense:
        return Dense(tuple(tuple(factor * a for a in row) for row in matrix.entries))

    def multiply(self, left: Dense, right: Dense) -> Dense:
        columns = tuple(zip(*right.entries, strict=True))
        return Dense(
            tuple(tuple(self.dot(row, column) for column in columns) for row in left.entries)
        )

    def dot(self, left: Sequence[Any], right: Sequence[Any]) -> Any:
        """The sum of the products, from left to right."""
        products = [a * b for a, b in zip(left, right, strict=True)]
        return sum(products[1:], products[0])

    def determinant(self, matrix: Dense) -> Any:
        """Expansion along the rows, each minor computed once: sums and products only."""
        rows = matrix.entries
        n = len(rows)
        if n > LARGEST_DETERMINANT:
            raise Unsupported(f"a determinant of size {n} by expansion; use a size up to 8")
        minors: dict[tuple[int, ...], Any] = {(j,): rows[-1][j] for j in range(n)}
        for row in reversed(rows[:-1]):
            larger: dict[tuple[int, ...], Any] = {}
            for columns, minor in minors.items():
                for j in range(n):
                    if j in columns:
                        continue
                    wider = tuple(sorted((*columns, j)))
                    term = row[j] * minor
                    term = -term if wider.index(j) % 2 else term
                    larger[wider] = larger[wider] + term if wider in larger else term
            minors = larger
        return minors[tuple(range(n))]


def approximate_inverse(rows: Sequence[Sequence[Any]], one: Any) -> list[list[Any]] | None:
    """The inverse by Gauss–Jordan elimination with partial pivoting; None at a zero pivot."""
    n = len(rows)
    zero = one - one
    work = [[*row, *(one if i == j else zero for j in range(n))] for i, row in enumerate(rows)]
    for column in range(n):
        pivot = max(range(column, n), key=lambda i: abs(work[i][column]))
        work[column], work[pivot] = work[pivot], work[column]
        head = work[column][column]
        if head == 0:
            return None
        work[column] = [x / head for x in work[column]]
        for i in range(n):
            factor = work[i][column]
            if i != column and factor != 0:
                work[i] = [a - factor * b for a, b in zip(work[i], work[column], strict=True)]
    return [row[n:] for row in work]
