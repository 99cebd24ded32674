"""How far beyond the domain a claim holds: measured, and reported as a finding.

ranges_of(run) == a Range for each measure that names a parameter, and for the definition

A consequence has the bound of the edge of the domain, the definition its own. The scale grows
until the claim fails or the format ends; then the last step is bisected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .contract import Case, Measure
from .result import Range

if TYPE_CHECKING:
    from .checks import FormatRun

_BISECTIONS = 4
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
        claims: dict[str, Callable[[Case], bool]] = {}
        if contract.range_of_definition:
            claims[f"{contract.name}.definition"] = lambda case: (
                run.definition_failure(case.inputs) is None
            )
        edge = list(contract.beyond(run.format, parameter.name, start))
        for measure in contract.measures:
            if measure.parameter == parameter.name:
                claims[measure.claim] = _within(run, measure, edge)
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


def _within(run: FormatRun, measure: Measure, edge: list[Case]) -> Callable[[Case], bool]:
    """Does a consequence hold within the bound that it has at the edge of the domain?

    A bound that grows with the parameter would hold for ever, and say nothing.
    """
    limit = max(float(run.bound_of(measure, case.inputs).max(initial=0.0)) for case in edge)

    def holds(case: Case) -> bool:
        answer = run.call(case.inputs)
        if run.useless(run.form_problem(case.inputs, answer)):
            return False
        return run.residual_of(measure, case.inputs, answer) <= limit

    return holds
