"""The family rounding: what the operators do in floating-point arithmetic.

ENTRIES == in the order of the ledger

Each is in a file of its own; rounding_sums.py has the lines of proof that bounds share.
"""

from . import (
    rounding_direction,
    rounding_frobenius,
    rounding_gate,
    rounding_operator,
    rounding_plane,
    rounding_product,
    rounding_rotation,
    rounding_update,
)

ENTRIES = (
    *rounding_update.ENTRIES,
    *rounding_operator.ENTRIES,
    *rounding_product.ENTRIES,
    *rounding_plane.ENTRIES,
    *rounding_frobenius.ENTRIES,
    *rounding_rotation.ENTRIES,
    *rounding_gate.ENTRIES,
    *rounding_direction.ENTRIES,
)
