"""One input again: the case of a failure, as a file.

case_of(check, settings) == a JSON value with all that it takes
replayed(case, …, run)   == the checks that the case makes again
CaseError                == a file that is no case
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .checks import FormatRun
from .contract import Case, Contract, Inputs
from .generic import judge_batch
from .module_checks import ModuleRun
from .module_contract import ModuleContract
from .result import Check, unhexed

SCHEMA = 1
KEYS = {"schema", "contract", "claim", "dtype", "stratum", "input", "settings", "adapter"}


class CaseError(ValueError):
    """A file that is not a case of this contract."""


def case_of(
    check: Check, contract: str, settings: Mapping[str, Any], adapter: Mapping[str, Any]
) -> dict[str, Any]:
    """The case of a failed check."""
    return {
        "schema": SCHEMA,
        "contract": contract,
        "claim": check.claim,
        "dtype": check.dtype,
        "stratum": check.stratum,
        "input": None if check.input is None else dict(check.input),
        "settings": dict(settings),
        "adapter": dict(adapter),
    }


def read_case(case: Any) -> Mapping[str, Any]:
    """The case, if it is one.

    Raises
    ------
    CaseError
        If keys are missing or the schema is another.
    """
    if not isinstance(case, Mapping) or not case.keys() >= KEYS or case["schema"] != SCHEMA:
        raise CaseError(f"this is no case: it needs the keys {', '.join(sorted(KEYS))}")
    return case


def replayed(
    case: Mapping[str, Any], contract: Contract | ModuleContract, run: FormatRun | ModuleRun
) -> list[Check]:
    """Make the check of a case again, on its input."""
    if isinstance(run, ModuleRun):
        return run.replayed(case)
    assert isinstance(contract, Contract)
    readers = run.readers
    claim, stored = case["claim"], dict(case["input"] or {})
    call = stored.pop("call", {})
    inputs = unhexed(stored)
    if missing := [a.name for a in contract.arguments if a.name not in inputs]:
        raise CaseError(f"the case has no {', '.join(missing)}; is it one of {contract.name}?")
    made = Case(case["stratum"], inputs)
    items = _items(contract, inputs)
    if items is not None:
        how = {k: v for k, v in call.items() if k in ("layout", "mode")}
        judge_batch(run, claim.rpartition(".")[2], items, inputs, **how)
    elif claim in readers:
        run.read_statements(only=claim, label=case["stratum"])
    else:
        run.look_at(made, run.call(inputs))
        run.gradients([made])
        run.twice([made])
    return [c for c in run.finished() if c.claim == claim] or run.finished()


def _items(contract: Contract, inputs: Inputs) -> list[Case] | None:
    """The items of a batch, or None where the input is a single one."""
    first = contract.arguments[0]
    batch = np.ndim(inputs[first.name]) - len(first.axes)
    if not batch:
        return None
    flat = {
        a.name: np.reshape(inputs[a.name], (-1, *np.shape(inputs[a.name])[batch:]))
        for a in contract.arguments
    }
    return [
        Case(f"item {i}", {name: x[i] for name, x in flat.items()})
        for i in range(len(flat[first.name]))
    ]
