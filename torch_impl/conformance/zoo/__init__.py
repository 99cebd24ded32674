"""Known operators, right and wrong, that the kit is measured on.

WRONG, RIGHT == every entry of the zoo
known(contract) == the wrong ones of a contract

entry   == what an entry is
spelled == what operators are written with
One file for each family of contracts. Importing this package imports torch and runs nothing.
"""

from __future__ import annotations

from . import (
    birkhoff,
    blocks,
    cayley,
    delta,
    delta_rule,
    direction,
    gate,
    hybrid,
    layers,
    misbehaving,
    reflection,
)  # fmt: skip
from .entry import Parameter, RightOperator, WrongOperator

__all__ = ["RIGHT", "WRONG", "Parameter", "RightOperator", "WrongOperator", "known"]

FAMILIES = (
    delta, reflection, misbehaving, cayley, hybrid, gate, direction, birkhoff, delta_rule, blocks,
    layers,
)  # fmt: skip
WRONG: tuple[WrongOperator, ...] = tuple(entry for file in FAMILIES for entry in file.WRONG)
RIGHT: tuple[RightOperator, ...] = tuple(entry for file in FAMILIES for entry in file.RIGHT)


def known(contract: str) -> tuple[WrongOperator, ...]:
    """The wrong operators of a contract."""
    return tuple(entry for entry in WRONG if entry.contract == contract)
