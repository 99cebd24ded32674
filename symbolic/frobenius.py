"""Frobenius norms, and errors that are bounded entry by entry.

frobenius(M)                    == ‖M‖_F = √tr(MᵀM)
entries_within(E, c, M)         == |E_ij| ≤ c |M_ij| for all i, j
entries_within_product(E, c, A, B) == |E_ij| ≤ c Σ_h |A_ih| |B_hj| for all i, j

An operation on each entry of a matrix, rounded, adds an error of the first kind with the roundoff
as c; a product of matrices, summed in any order, one of the second with the roundoff times the
inner size (`summation`).
"""

from __future__ import annotations

from collections.abc import Callable

from . import expressions as ex
from . import propositions as pr
from .binding import fresh


def frobenius(matrix: ex.Expression) -> ex.Expression:
    """‖M‖_F of a matrix of any shape, a scalar."""
    return ex.sqrt(ex.tr(matrix.T @ matrix))


def entries_within(error: ex.Expression, factor: ex.Expression, of: ex.Expression) -> pr.ForRange:
    """|E_ij| ≤ c |M_ij| for all i, j; E and M have one shape."""
    if error.shape != of.shape:
        raise ex.ShapeError(f"entries_within needs one shape, got {error.shape} and {of.shape}")
    return _each(error, factor, lambda i, j: ex.absolute(ex.element(of, i, j)), of)


def entries_within_product(
    error: ex.Expression, factor: ex.Expression, left: ex.Expression, right: ex.Expression
) -> pr.ForRange:
    """|E_ij| ≤ c Σ_h |A_ih| |B_hj| for all i, j; E has the shape of A B."""
    product = left @ right
    if error.shape != product.shape:
        raise ex.ShapeError(
            f"entries_within_product needs the shape {product.shape} of the product, "
            f"got {error.shape}"
        )
    h = fresh(ex.index("h"), error, factor, left, right)
    _, inner = ex.matrix_shape(left)

    def magnitudes(i: ex.Expression, j: ex.Expression) -> ex.Expression:
        term = ex.absolute(ex.element(left, i, h)) * ex.absolute(ex.element(right, h, j))
        return ex.total(h, 1, ex.size(inner), term)

    return _each(error, factor, magnitudes, product)


def _each(
    error: ex.Expression,
    factor: ex.Expression,
    most: Callable[[ex.Expression, ex.Expression], ex.Expression],
    of: ex.Expression,
) -> pr.ForRange:
    i, j = (fresh(ex.index(name), error, factor, of) for name in "ij")
    rows, columns = ex.matrix_shape(error)
    bound = pr.le(ex.absolute(ex.element(error, i, j)), factor * most(i, j))
    of_row = pr.forall(j, bound, over=(1, ex.size(columns)))
    return pr.forall(i, of_row, over=(1, ex.size(rows)))
