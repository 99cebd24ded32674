"""Where a claim is looked at: sizes, and streams of numbers for the free parameters of inputs.

Number            == a + b√p, a rational part, a coefficient, a radicand; exact in the mind,
                     rounded or enclosed by the arithmetic that asks for its value
Stream            == an endless sequence of Numbers, and signs, for `construct`
Case              == sizes and a stream: one input, the same in every arithmetic
sizes(claim, …)   == the sizes looked at, small to large, square and rectangular, ranges of indices
cases(claim, …)   == boundary inputs of small sizes and generic inputs of all, small before large

Boundary numbers stand where theorems about gates, axes and planes change their mind: 0, ±1, 2, ½,
and numbers far from them. A stream puts them first (scalars are drawn first), everywhere, or at
random places; the rest is irrational, so that no identity holds by accident.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, TypeAlias

from ..symbolic import propositions as pr
from ..symbolic.claims import Claim, symbols
from ..symbolic.constructions import Inputs, construct
from ..symbolic.evaluation import Algebra, Assignment, Unsupported, integer

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)
BOUNDARY = (Fraction(0), Fraction(1), Fraction(2), Fraction(-1), Fraction(1, 2))
FAR = (Fraction(1, 2**27), Fraction(10**6))
"""About 1e-8, the root of the unit roundoff of binary64; and what is huge beside 1."""

LARGEST = 5
LARGEST_AT_BOUNDARIES = 3
LARGEST_INDEX = 3


@dataclass(frozen=True)
class Number:
    """rational + coefficient·√radicand."""

    rational: Fraction
    coefficient: Fraction = Fraction(0)
    radicand: int = 1

    @property
    def is_rational(self) -> bool:
        return self.coefficient == 0

    def value(self, algebra: Algebra) -> Any:
        """The number as a scalar of an arithmetic."""
        rational = algebra.number(self.rational)
        if self.is_rational:
            return rational
        root = algebra.square_root(algebra.number(Fraction(self.radicand)))
        return rational + algebra.number(self.coefficient) * root

    def __str__(self) -> str:
        if self.is_rational:
            return str(self.rational)
        return f"{self.rational} + {self.coefficient}·√{self.radicand}"


Maker: TypeAlias = Callable[[Random], Number]


def irrational(random: Random) -> Number:
    """A number between −5 and 5 or so, with a root of its own."""
    coefficient = Fraction(random.choice((-1, 1)) * random.randint(3, 11), 24)
    return Number(Fraction(random.randint(-8, 8), 12), coefficient, random.choice(PRIMES))


def boundary(random: Random) -> Number:
    """A boundary number, or with even odds an irrational one."""
    return Number(random.choice(BOUNDARY)) if random.random() < 0.5 else irrational(random)


def always(value: Fraction) -> Maker:
    """The same number each time."""
    return lambda random: Number(value)


@dataclass(frozen=True)
class Stream:
    """`head`, then what `tail` makes for ever; the same for the same seed."""

    name: str
    seed: int
    tail: Maker
    head: tuple[Fraction, ...] = ()
    component: int = 0
    is_rational: bool = False

    @property
    def generic(self) -> bool:
        """Are all of its numbers irrational?"""
        return self.tail is irrational and not self.head

    def numbers(self) -> Iterator[Number]:
        """The numbers, from the first."""
        random = Random(f"{self.seed} {self.name}")
        yield from map(Number, self.head)
        while True:
            yield self.tail(random)


@dataclass(frozen=True)
class Case:
    """One input: sizes and a stream of free parameters."""

    sizes: Mapping[str, int]
    stream: Stream

    def inputs(
        self, claim: Claim, algebra: Algebra, value: Callable[[Number], Any] | None = None
    ) -> Inputs:
        """The input in an arithmetic; `value` turns Numbers into scalars.

        Raises Undefined or Unsupported where the construction has no value there.
        """
        numbers = self.stream.numbers()
        turn = value if value is not None else lambda number: number.value(algebra)
        return built(claim, self.sizes, algebra, lambda: turn(next(numbers)), self.stream.component)


def built(
    claim: Claim,
    sizes: Mapping[str, int],
    algebra: Algebra,
    draw: Callable[[], Any],
    component: int,
) -> Inputs:
    """`construct`, with boundary numbers as the samples of quantifiers over the reals."""
    inputs = construct(claim, sizes, algebra, draw, component=component)
    return replace(inputs, at=replace(inputs.at, samples=BOUNDARY))


def streams(seed: int) -> tuple[tuple[Stream, ...], tuple[Stream, ...]]:
    """Boundary streams, and generic ones."""
    zero, one = Fraction(0), Fraction(1)
    at_boundaries = [
        Stream(f"{value} then {rest}", seed, always(rest), (value,), is_rational=True)
        for value in BOUNDARY
        for rest in (zero, one)
    ]
    at_boundaries += [
        Stream(f"{value} first", seed, irrational, (value,)) for value in (*BOUNDARY, *FAR)
    ]
    # Cayley parts I or half turns, with two rows negated: rotations by π
    at_boundaries += [
        Stream(f"{count} zeros, two signs", seed, always(one), (zero,) * count, 3, is_rational=True)
        for count in (1, 3)
    ]
    at_boundaries += [
        Stream(f"boundaries at random, {i}", seed, boundary, component=i) for i in (0, 1, 3)
    ]
    generic = [Stream(f"irrational, {i}", seed, irrational, component=i) for i in (0, 5)]
    return tuple(at_boundaries), tuple(generic)


def cases(claim: Claim, *, seed: int) -> Iterator[Case]:
    """Generic inputs of all sizes and boundary inputs of small ones, small before large."""
    at_boundaries, generic = streams(seed)
    for chosen in sizes(claim):
        if all(chosen[d.name] <= LARGEST_AT_BOUNDARIES for d in symbols(claim).dims):
            yield from (Case(chosen, stream) for stream in at_boundaries)
        yield from (Case(chosen, stream) for stream in generic)


def sizes(claim: Claim, *, largest: int = LARGEST) -> tuple[dict[str, int], ...]:
    """Values for `free_sizes(claim)`.

    Indices run through the values 0, …, 3 that the hypotheses allow, with all dimensions 1. Then
    dimensions run through 1, …, largest, each two steps ahead of the one before: (1,3), (2,4),
    (3,5), (4,1), (5,2), with those values that are farthest apart.
    """
    free = symbols(claim)
    names = [i.name for i in free.indices]
    choices = product(range(LARGEST_INDEX + 1), repeat=len(names))
    spans = [dict(zip(names, values, strict=True)) for values in choices]
    spans = [span for span in spans if _allowed(claim, span)]
    spans.sort(key=lambda span: (sum(span.values()), *span.values()))
    found = [{d.name: 1 for d in free.dims} | span for span in spans]
    farthest = max(spans, key=_spread, default={})
    for step in range(largest if free.dims and spans else 0):
        wider = {d.name: 1 + (step + 2 * i) % largest for i, d in enumerate(free.dims)} | farthest
        found += [wider] if wider not in found else []
    return tuple(found)


def _spread(span: Mapping[str, int]) -> tuple[int, int]:
    """How far apart the values of indices are, and how large."""
    values = [*span.values(), 0] if len(span) < 2 else [*span.values()]
    return max(values) - min(values), sum(values)


def _allowed(claim: Claim, span: Mapping[str, int]) -> bool:
    at = Assignment({}, span)
    for given in claim.given:
        parts = given.parts if isinstance(given, pr.And) else (given,)
        for part in parts:
            if isinstance(part, pr.Le):
                try:
                    if integer(part.left, at) > integer(part.right, at):
                        return False
                except (Unsupported, KeyError):  # a comparison of real numbers
                    continue
    return True
