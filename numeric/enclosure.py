"""Enclosures: a claim over boxes of positive width, in ball arithmetic.

check_enclosure(claim, mutants=…) == Evidence
DEPTHS                            == how often a box is halved along every side before each look

A box gives each free parameter of the construction a ball, so the hypotheses hold on all of it.
Where the enclosure of a residual excludes 0 the statement is false on the whole box: a theorem.
A box is halved along every side and one of the parts is kept, again and again: a nested sequence of
boxes. Boundary numbers stay points, because an `iff` at a gate of 2 cannot be decided beside 2.

Left out: the other parts of a box, so this does not cover it; only where it looks does it see.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

from ..symbolic.claims import Claim
from ..symbolic.evaluation import Truth
from ..symbolic.evidence import Evidence, Kind, Outcome
from .balls import BallAlgebra, ball, precision
from .readings import NO_VALUE, NOT_MET, Reading, failed, read, sentence, shown
from .sampling import Case, Number, cases

BITS = 128
DEPTHS = (0, 4, 12, 28)
HALF_WIDTH = Fraction(1, 4)


@dataclass
class Box:
    """One input of a claim, each irrational number of it in a ball."""

    case: Case
    depth: int
    sides: int = 0
    widest: float = 0.0
    finite: bool = True
    algebra: BallAlgebra = field(init=False)

    def __post_init__(self) -> None:
        self.algebra = BallAlgebra(observe=self.observe)

    def value(self, number: Number) -> Any:
        """The ball of a number in this box."""
        centre = number.value(self.algebra)
        if number.is_rational:
            return centre
        self.sides += 1
        halves = 2**self.depth
        path = _path(self.case.stream.seed, self.case.stream.name, self.sides)
        place = 2 * (path >> DEPTHS[-1] - self.depth) + 1 - halves  # of the half that was taken
        offset = Fraction(HALF_WIDTH.numerator * place, HALF_WIDTH.denominator * halves)
        return ball(centre + self.algebra.number(offset), HALF_WIDTH / halves)

    def observe(self, distance: float, radius: float, answer: Truth) -> None:
        """Take note of a comparison."""
        self.finite = self.finite and radius < math.inf and distance < math.inf
        self.widest = max(self.widest, radius)

    def read(self, claim: Claim) -> Reading:
        """The claim on the whole box."""
        try:
            inputs = self.case.inputs(claim, self.algebra, self.value)
            reading = read(claim, inputs, self.algebra)
        except NO_VALUE:
            return Reading(None, False)
        return replace(reading, tested=reading.tested and self.finite)


@lru_cache(maxsize=4096)
def _path(seed: int, name: str, side: int) -> int:
    """Which half of a side is taken each time that it is halved, a bit each, first ones first."""
    return Random(f"{seed} {name} {side}").getrandbits(DEPTHS[-1])


def check_enclosure(claim: Claim, *, mutants: Sequence[Claim] = (), seed: int = 0) -> Evidence:
    """Enclose `claim` over nested boxes, until each mutant is false on a whole box.

    Parameters
    ----------
    claim : Claim
        Any statement whose terms ball arithmetic evaluates.
    mutants : sequence of Claim
        Near-miss statements; each must be certainly false on some box of its own.
    seed : int
        Chooses the boxes.

    Returns
    -------
    Evidence
        Of kind `enclosure`. Contradicted: the claim is certainly false on a box. Inconclusive: no
        box met the hypotheses, none of positive width put it to use, or a mutant was not told
        apart.
    """
    with precision(BITS):
        sizes: list[Mapping[str, int]] = []
        tested: list[Box] = []
        met = False
        for box in _boxes(claim, seed):
            reading = box.read(claim)
            if reading.truth is False:
                return _contradicted(claim, box)
            met |= reading.met is True
            tested += [box] if reading.tested else []
            sizes += [box.case.sizes] if box.case.sizes not in sizes else []
        reached = [_depth_of_failure(mutant, seed) for mutant in mutants]
    rejected = [depth is not None for depth in reached]
    wide = [box for box in tested if box.sides]
    outcome = Outcome.INCONCLUSIVE
    if not met:
        detail = NOT_MET
    elif not wide:
        detail = "no box of positive width put the statement to use"
    elif not all(rejected):
        detail = failed(rejected)
    else:
        outcome = Outcome.CONFIRMED
        detail = (
            f"not false on {len(wide)} boxes and {len(tested) - len(wide)} boundary points; "
            + failed(rejected)
        )
    return Evidence(
        Kind.ENCLOSURE,
        outcome,
        detail,
        {"sizes": [dict(s) for s in sizes]},
        {
            "boxes": len(wide),
            "points": len(tested) - len(wide),
            "widest": max((box.widest for box in wide if box.depth == DEPTHS[-1]), default=0.0),
            "depth": max((depth for depth in reached if depth is not None), default=DEPTHS[-1]),
        },
    )


def _boxes(claim: Claim, seed: int) -> Iterator[Box]:
    for case in cases(claim, seed=seed):
        for depth in DEPTHS:
            yield Box(case, depth)
            if case.stream.is_rational:
                break


def _depth_of_failure(claim: Claim, seed: int) -> int | None:
    return next((b.depth for b in _boxes(claim, seed) if b.read(claim).truth is False), None)


def _contradicted(claim: Claim, box: Box) -> Evidence:
    box = Box(box.case, box.depth)
    inputs = box.case.inputs(claim, box.algebra, box.value)
    found = shown(inputs, lambda x: x.str(20), box.algebra)
    return Evidence(
        Kind.ENCLOSURE,
        Outcome.CONTRADICTED,
        f"false on all of the box {sentence(found)}",
        {"sizes": [dict(box.case.sizes)]},
        {"input": found, "depth": box.depth, "sides": box.sides},
    )
