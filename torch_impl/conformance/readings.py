"""Claims of the ledger, read with the target's result in the place of a named expression.

StatementReader == the inputs of one Statement in one format, and what the claim says of a result
claims()        == every statement of the symbolic layer by its id

Inputs satisfy the hypotheses exactly, so that a claim can be true or false of them and nothing in
between: their entries are numbers of the format, unit vectors are dyadic. The result enters as a
number with its bound as its error (`numeric.running_error`): the claim reads false only where no
result within the bound would make it true.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import numpy as np

from ...numeric.formats import FORMATS, Format
from ...numeric.readings import NO_VALUE, read
from ...numeric.running_error import BINARY64, RunningErrorAlgebra
from ...numeric.sampling import Case as Sample
from ...numeric.sampling import Stream, always, sizes
from ...symbolic import expressions as ex
from ...symbolic.claims import Claim, restate, symbols
from ...symbolic.constructions import Inputs as ClaimInputs
from ...symbolic.evaluation import Assignment, Lambda, Undefined, Unsupported
from ...symbolic.exact import EXACT
from ...symbolic.propositions import Exists, ForAll, Proposition, replace_expressions
from ..results_in_statements import (
    HEADS,
    TAILS,
    bounded,
    carried,
    fits,
    floats,
    plain,
    stand_in,
)
from .contract import Floats, Inputs, Statement

FAMILIES = (
    "delta", "residual", "cayley", "reflection", "hybrid", "gate", "birkhoff", "iterative",
    "rounding",
)  # fmt: skip


@cache
def claims() -> Mapping[str, Claim]:
    """The statements of the symbolic layer by id."""
    found: dict[str, Claim] = {}
    for family in FAMILIES:
        module = importlib.import_module(f"....symbolic.{family}", __name__)
        found |= {claim.id: claim for claim in module.CLAIMS}
    return found


@dataclass(frozen=True)
class Place:
    """Where a claim is read: sizes, a stream, and the values found there."""

    sizes: Mapping[str, int]
    stream: str
    at: ClaimInputs
    values: Mapping[str, Any]

    @property
    def label(self) -> str:
        """For people, and for replaying."""
        shown = ", ".join(f"{name} = {size}" for name, size in self.sizes.items())
        return f"dyadic, {self.stream}{'; ' if shown else ''}{shown}"

    @cached_property
    def formats(self) -> frozenset[Format]:
        """The formats that have every entry; looked at once, for every target."""
        return frozenset(fmt for fmt in FORMATS if fits(self.values.values(), fmt))


@dataclass(frozen=True)
class Heard:
    """What a claim says of a result: `truth`, and the comparison that decided it."""

    truth: bool | None
    tested: bool
    observed: float
    bound: float


class StatementReader:
    """One Statement, read on results."""

    def __init__(self, statement: Statement):
        self.statement = statement
        self.claim = claims()[statement.claim]
        node = _node(self.claim, statement.node)
        if node is None:
            raise ValueError(
                f"{statement.claim} names no expression {statement.node!r} outside quantifiers"
            )
        self.node = node
        symbol = stand_in(0, node)
        self.stand_in = symbol.name
        self.replaced = restate(
            self.claim,
            then=replace_expressions(self.claim.then, lambda e: ex.substitute(e, {node: symbol})),
        )

    def places(self, fmt: Format, per_size: int) -> Iterator[Place]:
        """Inputs whose every entry is a number of the format, about `per_size` of each size.

        More where there are few sizes, so that every head is drawn.
        """
        if self.statement.places is not None:
            given = _given_places(self.claim, self.statement.places())
            yield from (place for place in given if fmt in place.formats)
            return
        all_sizes = list(sizes(self.claim))
        per_size = max(per_size, -(-len(_HEADS) // len(all_sizes)))
        for i, chosen in enumerate(all_sizes):
            used = 0
            for stream in _streams(i):
                place = _constructed(self.claim.id, tuple(chosen.items()), stream)
                if place is not None and fmt in place.formats:
                    used += 1
                    yield place
                if used == per_size:
                    break

    def arguments(self, place: Place) -> Inputs:
        """The contract's arguments at a place, float64."""
        chosen = self.statement.arguments(place.values)
        return {name: np.array(floats(value), dtype=np.float64) for name, value in chosen.items()}

    def hear(self, place: Place, got: Floats, bound: Floats) -> Heard:
        """Read the claim with a result and a bound of its error."""
        compared: list[tuple[float, float, bool | None]] = []
        algebra = RunningErrorAlgebra(
            BINARY64, observe=lambda apart, error, truth: compared.append((apart, error, truth))
        )
        result = carried(self.node, np.atleast_2d(got), np.atleast_2d(bound), algebra)
        at = bounded(place.at.at, algebra).bind(self.stand_in, result)
        try:
            reading = read(self.replaced, ClaimInputs(at, place.at.unmet), algebra)
        except NO_VALUE:
            return Heard(None, False, 0.0, 0.0)
        wanted = reading.truth is not False
        told = [(apart, error) for apart, error, truth in compared if truth is wanted and error]
        if wanted:
            told = [(apart, error) for apart, error in told if apart <= error]
        observed, bound_of = max(told, key=lambda row: row[0] / row[1], default=(0.0, 0.0))
        return Heard(reading.truth, reading.tested, observed, bound_of)


def _node(claim: Claim, name: str) -> ex.Expression | None:
    """The outermost named expression of that name."""

    def inside(expression: ex.Expression) -> ex.Expression | None:
        if isinstance(expression, ex.Named) and expression.name == name:
            return expression
        return next((e for part in expression.parts if (e := inside(part))), None)

    def search(statement: Proposition) -> ex.Expression | None:
        if isinstance(statement, ForAll | Exists):
            return None
        for expression in statement.expressions:
            if found := inside(expression):
                return found
        return next((e for part in statement.propositions if (e := search(part))), None)

    return search(claim.then)


_HEADS = (*HEADS, Fraction(5, 16))
"""One more than elsewhere: in [0, 1], and special to no formula."""
_TURNS = (6, 3, 2, 5, 0, 4, 1)
"""In which order they are drawn first: those that few claims are blind to before 0 and 1."""


def _streams(turn: int) -> Iterator[Stream]:
    # Generic numbers before constant ones, and another head for each input and each size: the first
    # few inputs of all sizes are to be telling, and a gate of 0 alone is not.
    kinds = list(TAILS)
    for seed in range(3):
        for flip in range(len(kinds)):
            for j in range(len(_HEADS)):
                i = _TURNS[(turn + j) % len(_HEADS)]
                kind = kinds[(turn + j + flip) % len(kinds)]
                name = f"{_HEADS[i]} first, {kind}, {seed}"
                yield Stream(name, seed, TAILS[kind], (_HEADS[i],), component=i)
    yield from (Stream(f"{x} everywhere", 0, always(Fraction(x))) for x in (1, 0))


@cache
def _constructed(name: str, at_sizes: tuple[tuple[str, int], ...], stream: Stream) -> Place | None:
    """A claim's own construction at a stream; None where it has no value there."""
    claim, chosen = claims()[name], dict(at_sizes)
    try:
        inputs = Sample(chosen, stream).inputs(claim, EXACT)
    except (Undefined, Unsupported):
        return None
    values = {
        name: plain(claim, name, inputs.at)
        for name in inputs.at.values
        if not isinstance(inputs.at.values[name], Lambda | int | Mapping)
    }
    return Place(chosen, stream.name, inputs, values)


def _given_places(
    claim: Claim, given: Iterable[tuple[Mapping[str, int], Mapping[str, Any]]]
) -> Iterator[Place]:
    """Places whose values a contract chose; every hypothesis is left to be checked."""
    free = symbols(claim)
    for i, (chosen, values) in enumerate(given):
        at: dict[str, Any] = {}
        for symbol in free.matrices:
            value = values[symbol.name]
            rows = [[x] for x in value] if symbol.columns == 1 else value
            at[symbol.name] = EXACT.matrix([[EXACT.number(x) for x in row] for row in rows])
        at |= {symbol.name: EXACT.number(values[symbol.name]) for symbol in free.scalars}
        own = {d.name: chosen[d.name] for d in free.dims}
        if any(rows != own.get(str(s.rows), rows) for s in free.matrices
               for rows in [len(values[s.name])]):  # fmt: skip
            continue
        fixed = [s.rows for s in free.matrices if isinstance(s.rows, int)]
        if any(len(values[s.name]) != s.rows for s in free.matrices if s.rows in fixed):
            continue
        inputs = ClaimInputs(Assignment(own, at), claim.given)
        yield Place(own, f"chosen {i}", inputs, values)
