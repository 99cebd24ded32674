"""How far beyond the domain a claim holds: measured, and reported as a finding.

ranges_of(run) == a Range for each measure that names a parameter, and for the definition

The scale is doubled until the claim fails or the format ends, then bisected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .contract import Case
from .result import Range

if TYPE_CHECKING:
    from .checks import FormatRun

_BISECTIONS = 6
_SAFE = 0.25  # of the exponent range: products of a few numbers still fit


def ranges_of(run: FormatRun) -> list[Range]:
    """The ranges of the claims that held inside the domain."""
    contract = run.contract
    if contract.beyond is None:
        return []
    found = []
    for parameter in contract.domain:
        start = run.settings.options.domain.get(parameter.name, parameter.value)
        limit = min(float(run.format.largest) ** _SAFE, 1e18)
        if limit <= start:
            continue
        claims: dict[str, Callable[[Case], bool]] = {
            f"{contract.name}.definition": lambda case: run.definition_failure(case.inputs) is None
        }
        for measure in contract.measures:
            if measure.parameter == parameter.name:
                claims[measure.claim] = lambda case, m=measure: _measure_holds(run, m, case)
        for claim, holds in claims.items():
            tally = run.tallies.get(claim)
            if tally is None or tally.found or not tally.inputs:
                continue
            reached = _furthest(run, parameter.name, start, limit, holds)
            found.append(Range(claim, run.dtype, parameter.name, reached, limit))
    return found


def _furthest(
    run: FormatRun, parameter: str, start: float, limit: float, holds: Callable[[Case], bool]
) -> float:
    beyond = run.contract.beyond
    assert beyond is not None

    def at(scale: float) -> bool:
        return all(holds(case) for case in beyond(run.format, parameter, scale))

    good, bad = start, start
    while bad < limit:
        bad = min(bad * 8, limit)
        if not at(bad):
            break
        good = bad
    if good == bad:
        return good
    for _ in range(_BISECTIONS):
        middle = float(np.sqrt(good * bad))
        good, bad = (middle, bad) if at(middle) else (good, middle)
    return good


def _measure_holds(run: FormatRun, measure, case: Case) -> bool:
    answer = run.call(case.inputs)
    if any(run.form_problem(case.inputs, answer).values()):
        return False
    if not measure.applies(case.inputs):
        return True
    observed, bound = run.measured(measure, case.inputs, answer)
    return observed <= bound
