"""Does a torch operator or module obey the theorems? Contracts, and the kit that checks them.

conform(target, contract=…) == a ConformanceResult
CONTRACTS                   == the names of the contracts

contract   == what a contract is; contracts/ == one file a family
strata     == inputs on purpose; readings == claims read on results
checks     == one format, all checks; shrinking == the smallest failing input
module_contract, module_pairs, module_checks, module_target == the same for modules
isolation  == where the target runs; host, wire == the other side, and what passes between
conforming == the loop over formats; result, report == what is left behind

Importing this package loads neither torch nor NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .contracts import CONTRACTS

if TYPE_CHECKING:
    from .conforming import conform
    from .result import ConformanceResult

__all__ = ["CONTRACTS", "ConformanceResult", "conform"]


def __getattr__(name: str) -> Any:
    if name == "conform":
        from .conforming import conform

        return conform
    if name == "ConformanceResult":
        from .result import ConformanceResult

        return ConformanceResult
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
