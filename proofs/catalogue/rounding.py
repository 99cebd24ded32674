"""The family rounding: what the operators do in floating-point arithmetic.

ENTRIES == in the order of the ledger

The gate stands in rounding_gate.py.
"""

from . import rounding_gate

ENTRIES = (*rounding_gate.ENTRIES,)
