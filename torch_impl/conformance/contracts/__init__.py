"""The contracts, a family a file.

OPERATORS   == names in the order in which they are listed, with the modules that define them
MODULES     == the same of the contracts that are about a torch.nn.Module
CONTRACTS   == both
RAW_K       == the contracts with directions that need not be unit, for ``--raw-k``
VALUES      == numbers of a variant, as ``--eps``: which contract has them, and what they are
contract(…) == the contract of a name
values_of(…) == the names of its numbers
"""

from __future__ import annotations

import importlib
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..contract import Contract, Options
    from ..module_contract import ModuleContract

OPERATORS = {
    "delta_update": "delta",
    "delta_operator": "delta",
    "cayley": "cayley",
    "cayley_rank_two": "cayley_rank_two",
    "reflection": "reflection",
    "hybrid": "hybrid",
    "gate_regulariser": "gate",
    "gate": "gate",
    "direction": "direction",
    "doubly_stochastic": "birkhoff",
    "delta_rule": "delta_rule",
}
MODULES = {"residual_block": "modules", "sequence_layer": "modules"}
CONTRACTS = {**OPERATORS, **MODULES}
RAW_K = ("delta_update", "delta_operator", "reflection")
VALUES = {
    "normalise": ("direction", "`root` is k/√(‖k‖² + ε²), `max` k/max(‖k‖, ε); without it max"),
    "eps": ("direction", "ε; without it 1e-12"),
    "rounds": ("doubly_stochastic", "so many rounds, rows before columns; without it the limit"),
}


class UnknownContract(ValueError):
    """A name that no contract has; the message gives the nearest ones."""


def contract(name: str, options: Options | None = None) -> Contract | ModuleContract:
    """The contract of a name, made for the user's options.

    Raises
    ------
    UnknownContract
        If there is none.
    """
    from ..contract import Contract, Options
    from ..remembered import remembered

    if name not in CONTRACTS:
        near = get_close_matches(name, CONTRACTS, 3, 0.3) or list(CONTRACTS)
        raise UnknownContract(f"no contract is called {name!r}; did you mean {', '.join(near)}?")
    options = options or Options()
    key = (name, repr(options))
    if key not in _MADE:  # targets are looked at on the same inputs, of which much is computed
        module = importlib.import_module(f".{CONTRACTS[name]}", __package__)
        made = module.MAKERS[name](options)
        _MADE[key] = remembered(made) if isinstance(made, Contract) else made
    return _MADE[key]


def values_of(name: str) -> tuple[str, ...]:
    """The numbers of a variant that a contract has."""
    return tuple(value for value, (home, _) in VALUES.items() if home == name)


_MADE: dict[tuple[str, str], Contract | ModuleContract] = {}
"""By name and options."""
