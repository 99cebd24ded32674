"""The family rounding: what the operators do in floating-point arithmetic.

ENTRIES == in the order of the ledger

The gate stands in rounding_gate.py, the direction in rounding_direction.py.
"""

from . import rounding_direction, rounding_gate, rounding_operator, rounding_update

ENTRIES = (
    *rounding_update.ENTRIES,
    *rounding_operator.ENTRIES,
    *rounding_gate.ENTRIES,
    *rounding_direction.ENTRIES,
)
