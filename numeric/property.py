"""Property checks: Hypothesis looks for an input at which a claim is false in binary64.

check_property(claim) == Evidence

Inputs are built in running-error arithmetic, so a float that stands for a unit vector knows how far
from one it may be, and "false" means: beyond every rounding error, for the exact inputs. Boundary
inputs come first, small before large; then Hypothesis generates and shrinks.

Left out: mutants; whoever wants to see this check fail gives it a mutant as the claim.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..symbolic.claims import Claim
from ..symbolic.constructions import Inputs
from ..symbolic.evidence import Evidence, Kind, Outcome
from .readings import NO_VALUE, NOT_MET, Reading, read, sentence, shown
from .running_error import BINARY64, Bounded, RunningErrorAlgebra
from .sampling import built, cases, sizes

EXAMPLES = 60
LENIENT = RunningErrorAlgebra(BINARY64)
CERTAIN = RunningErrorAlgebra(BINARY64, certain=True)

BOUNDARY = (
    0.0, 1.0, -1.0, 2.0, 0.5, -2.0, 3.0, 2.0**-27, -(2.0**-27), 1e6, -1e6,
    math.nextafter(1, 0), math.nextafter(1, 2), math.nextafter(2, 0), math.nextafter(2, 3),
    math.ulp(0.0),
)  # fmt: skip
"""Simplest first: Hypothesis shrinks towards the front."""

BITS_OF_A_NUMBER = 8


@dataclass(frozen=True)
class Example:
    """Sizes, signs and the free parameters of an input."""

    sizes: Mapping[str, int]
    component: int
    numbers: Sequence[float]

    def inputs(self, claim: Claim) -> Inputs:
        """The input, with the errors of its construction."""
        left = iter(self.numbers)
        draw = lambda: Bounded(next(left, 0.0), 0.0, BINARY64)  # noqa: E731
        return built(claim, self.sizes, LENIENT, draw, self.component)


class _Falsified(Exception):
    """The claim is false at an input."""


class _Search:
    """Inputs looked at so far, and the last one at which the claim is false."""

    def __init__(self, claim: Claim):
        self.claim = claim
        self.examples = 0
        self.exercised = 0
        self.met = False
        self.found: Inputs | None = None

    def look(self, inputs: Inputs) -> None:
        """Read the claim at an input; raises _Falsified."""
        self.examples += 1
        reading = self.reading(inputs)
        if reading.truth is False:
            self.found = inputs
            raise _Falsified
        self.met |= reading.met is not False
        self.exercised += reading.tested and reading.truth is True

    def reading(self, inputs: Inputs) -> Reading:
        """What the input certainly says; where equality is only possible, that is read as support.

        A reading that treats close numbers as equal and is false may owe that to their closeness:
        it then counts only if the certain reading agrees.
        """
        reading = read(self.claim, inputs, LENIENT)
        return read(self.claim, inputs, CERTAIN) if reading.truth is False else reading


def check_property(claim: Claim, *, seed: int = 0) -> Evidence:
    """Look for a binary64 input at which `claim` is false.

    Parameters
    ----------
    claim : Claim
        Any statement whose terms running-error arithmetic evaluates.
    seed : int
        Seeds Hypothesis; the same seed gives the same examples.

    Returns
    -------
    Evidence
        Of kind `property`. Contradicted, with the shrunk input; inconclusive when no example met
        the hypotheses, or put the statement to use.
    """
    search = _Search(claim)
    chosen = sizes(claim)
    try:
        for case in cases(claim, seed=seed):
            _try(search, lambda case=case: case.inputs(claim, LENIENT))
        if chosen:
            _generate(search, chosen, seed)
    except _Falsified:
        assert search.found is not None
        return _contradicted(search)
    outcome = Outcome.INCONCLUSIVE
    if not search.met:
        detail = NOT_MET
    elif not search.exercised:
        detail = f"none of {search.examples} examples put the statement to use"
    else:
        outcome = Outcome.CONFIRMED
        detail = (
            f"{search.exercised} of {search.examples} examples put the statement to use, "
            "none is false"
        )
    return Evidence(
        Kind.PROPERTY,
        outcome,
        detail,
        {"sizes": [dict(s) for s in chosen], "dtypes": ["float64"]},
        {"examples": search.examples, "exercised": search.exercised},
    )


def _try(search: _Search, build: Any) -> None:
    try:
        search.look(build())
    except NO_VALUE:
        return


def _generate(search: _Search, chosen: Sequence[Mapping[str, int]], seed: int) -> None:
    import hypothesis
    from hypothesis import strategies as st

    # Booleans alone: for integers and floats Hypothesis also tries the constants that it finds in
    # the source of all loaded modules, so that a run would depend on what ran before in its
    # process, and it leaves them in a folder below the working directory.
    def bits(count: int) -> Any:
        return st.lists(st.booleans(), min_size=count, max_size=count)

    every_health_check: Any = hypothesis.HealthCheck  # the enumeration hides deprecated members
    needed = [_draws(search.claim, size) for size in chosen]

    def examples_of(head: list[bool]) -> Any:
        which = _integer(head[:5]) % len(chosen)
        return bits(BITS_OF_A_NUMBER * needed[which]).map(
            lambda tail: Example(chosen[which], _integer(head[5:]), _numbers(tail))
        )

    @hypothesis.seed(seed)
    @hypothesis.settings(
        backend="hypothesis",
        database=None,
        deadline=None,
        derandomize=False,
        max_examples=EXAMPLES,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        print_blob=False,
        report_multiple_bugs=False,
        stateful_step_count=1,
        suppress_health_check=list(every_health_check),
        verbosity=hypothesis.Verbosity.quiet,
    )
    @hypothesis.given(bits(5 + 3).flatmap(examples_of))
    def holds_at(example: Example) -> None:
        _try(search, lambda: example.inputs(search.claim))

    holds_at()


def _draws(claim: Claim, size: Mapping[str, int]) -> int:
    """How many free parameters a construction takes, or takes before it fails."""
    taken: list[Bounded] = []

    def draw() -> Bounded:
        taken.append(Bounded(1.0, 0.0, BINARY64))
        return taken[-1]

    with suppress(*NO_VALUE):
        built(claim, size, LENIENT, draw, 0)
    return len(taken)


def _integer(bits: Sequence[bool]) -> int:
    return sum(bit << i for i, bit in enumerate(bits))


def _numbers(bits: Sequence[bool]) -> list[float]:
    """Half of the numbers at boundaries, half of them quotients that binary64 rounds."""
    found = []
    for start in range(0, len(bits), BITS_OF_A_NUMBER):
        ordinary, *rest = bits[start : start + BITS_OF_A_NUMBER]
        found.append((_integer(rest) - 64) / 24 if ordinary else BOUNDARY[_integer(rest[:4])])
    return found


def _contradicted(search: _Search) -> Evidence:
    inputs = search.found
    assert inputs is not None
    found = shown(inputs, lambda x: repr(x.value), LENIENT)
    return Evidence(
        Kind.PROPERTY,
        Outcome.CONTRADICTED,
        f"false beyond rounding for {sentence(found)}",
        {"sizes": [dict(inputs.at.sizes)], "dtypes": ["float64"]},
        {"input": found, "examples": search.examples, "exercised": search.exercised},
    )
