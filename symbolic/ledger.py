"""The statements of all families, without anything that is said for them.

FAMILIES == the names of the families, in the order of the ledger
claims() == every claim, in that order
"""

from __future__ import annotations

from importlib import import_module

from .claims import Claim

FAMILIES = (
    "delta", "residual", "cayley", "reflection", "hybrid", "gate", "birkhoff", "iterative",
    "rounding",
)  # fmt: skip


def claims() -> tuple[Claim, ...]:
    """Every claim of the ledger; its families are imported here."""
    return tuple(c for family in FAMILIES for c in import_module(f".{family}", __package__).CLAIMS)
