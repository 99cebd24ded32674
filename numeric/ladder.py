"""The ladder: a claim at 15, 50 and 200 digits, on irrational inputs and at boundaries.

check_ladder(claim, mutants=…) == Evidence
DIGITS                         == the rungs

On each rung an equality that holds leaves a residual below its running-error bound, which shrinks
with the precision; an equality that fails leaves one that stays. Numbers closer than their errors
are read as equal, so a claim is contradicted where it reads false at 50 and at 200 digits: an `iff`
at a boundary then counts, although no finite precision proves an equality.

Left out: proof. Inputs are points; a claim that fails on none of them may fail elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..symbolic.claims import Claim
from ..symbolic.evaluation import Truth
from ..symbolic.evidence import Evidence, Kind, Outcome
from .multiprecision import arithmetic
from .readings import NO_VALUE, NOT_MET, Reading, failed, read, sentence, shown
from .running_error import Arithmetic, RunningErrorAlgebra
from .sampling import Case, cases

DIGITS = (15, 50, 200)
DECIDING = (50, 200)


@dataclass
class Rung:
    """One precision, and what was compared at it: the equality closest to its bound is kept."""

    arithmetic: Arithmetic
    residual: float = 0.0
    bound: float = 0.0
    ratio: float = 0.0
    compared: int = 0
    apart: float = math.inf
    pending: list[tuple[float, float]] = field(default_factory=list)

    def read(self, claim: Claim, case: Case) -> Reading:
        """The claim at one input; its comparisons count only if the input put it to use."""
        self.pending.clear()
        algebra = RunningErrorAlgebra(self.arithmetic, observe=self.observe)
        try:
            reading = read(claim, case.inputs(claim, algebra), algebra)
        except NO_VALUE:
            return Reading(None, False)
        if reading.tested:
            for residual, bound in self.pending:
                self.keep(residual, bound)
        return reading

    def observe(self, residual: float, bound: float, answer: Truth) -> None:
        """Take note of a comparison."""
        self.pending.append((residual, bound))

    def keep(self, residual: float, bound: float) -> None:
        """Count a comparison."""
        self.compared += 1
        if residual > bound:
            self.apart = min(self.apart, residual / bound if bound else math.inf)
        elif 0 < bound < math.inf and residual / bound >= self.ratio:
            self.residual, self.bound, self.ratio = residual, bound, residual / bound

    def measurement(self, digits: int) -> dict[str, Any]:
        """The record; `apart` is the least ratio among numbers that were told apart."""
        found = {
            "digits": digits,
            "residual": self.residual,
            "bound": self.bound,
            "ratio": self.ratio,
            "compared": self.compared,
        }
        return found | ({"apart": self.apart} if self.apart < math.inf else {})


def check_ladder(claim: Claim, *, mutants: Sequence[Claim] = (), seed: int = 0) -> Evidence:
    """Evaluate `claim` on the three rungs, and see each mutant fail.

    Parameters
    ----------
    claim : Claim
        Any statement whose terms running-error arithmetic evaluates.
    mutants : sequence of Claim
        Near-miss statements; each must read false at some input of its own.
    seed : int
        Chooses the irrational inputs.

    Returns
    -------
    Evidence
        Of kind `ladder`. Contradicted: the claim itself reads false. Inconclusive: no input met
        the hypotheses, or put the statement to use on each rung, or a mutant was not told apart.
    """
    rungs = {digits: Rung(arithmetic(digits)) for digits in DIGITS}
    sizes: list[Mapping[str, int]] = []
    inputs = met = 0
    for case in cases(claim, seed=seed):
        # at rational inputs little is rounded: the lower rungs would say the same
        climbed = DIGITS[-1:] if case.stream.is_rational else DIGITS
        readings = [rungs[digits].read(claim, case) for digits in climbed]
        if readings[-1].truth is False and _fails(claim, case, rungs):
            return _contradicted(claim, case, rungs[DIGITS[-1]].arithmetic)
        met += all(reading.met is not False for reading in readings)
        inputs += all(reading.tested and reading.truth is True for reading in readings)
        sizes += [case.sizes] if case.sizes not in sizes else []
    rejected = [
        any(_fails(mutant, case, rungs) for case in cases(mutant, seed=seed)) for mutant in mutants
    ]
    worst = max(rung.ratio for rung in rungs.values())
    outcome = Outcome.INCONCLUSIVE
    if not met:
        detail = NOT_MET
    elif not inputs or not all(rung.compared for rung in rungs.values()):
        detail = "no input put the statement to use on each rung"
    elif not all(rejected):
        detail = failed(rejected)
    else:
        outcome = Outcome.CONFIRMED
        detail = (
            f"{inputs} inputs at {', '.join(map(str, DIGITS))} digits: residuals at most "
            f"{worst:.2g} of their bounds; {failed(rejected)}"
        )
    return Evidence(
        Kind.LADDER,
        outcome,
        detail,
        {"sizes": [dict(s) for s in sizes], "digits": list(DIGITS)},
        {
            "measurements": [rung.measurement(digits) for digits, rung in rungs.items()],
            "inputs": inputs,
        },
    )


def _fails(claim: Claim, case: Case, rungs: Mapping[int, Rung]) -> bool:
    """Does the claim read false on every deciding rung?"""
    return all(Rung(rungs[d].arithmetic).read(claim, case).truth is False for d in DECIDING)


def _contradicted(claim: Claim, case: Case, numbers: Arithmetic) -> Evidence:
    algebra = RunningErrorAlgebra(numbers)
    found = shown(case.inputs(claim, algebra), lambda x: numbers.text(x.value), algebra)
    return Evidence(
        Kind.LADDER,
        Outcome.CONTRADICTED,
        f"false at {' and '.join(map(str, DECIDING))} digits for {sentence(found)}",
        {"sizes": [dict(case.sizes)], "digits": list(DECIDING)},
        {"measurements": [], "input": found},
    )
