"""A computed result in the place of an expression of a statement; without torch.

stand_in(i, node)         == the symbol that takes the place of a computed expression
TAILS, HEADS              == numbers of every format, that satisfy hypotheses exactly more often
plain(claim, name, at)    == a symbol's exact value as nested lists
entries(value), floats(value) == of nested lists: the numbers in turn, the same as floats
fits(values, fmt)         == is every entry a number of the format?
carried(got, bound, …)    == a result as a value of running-error arithmetic, its bound its error
bounded(at, algebra)      == exact inputs of running-error arithmetic

Shared by the torch evidence of claims and by the conformance kit, whose process has no torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from flint import fmpq_mat

from ..numeric.formats import Format, round_to_format
from ..numeric.running_error import BINARY64, Bounded, RunningErrorAlgebra
from ..numeric.sampling import Number
from ..symbolic import expressions as ex
from ..symbolic.claims import Claim, symbols
from ..symbolic.evaluation import Assignment, Lambda
from ..symbolic.exact import EXACT, to_rational


def stand_in(i: int, node: ex.Expression) -> ex.ScalarSymbol | ex.MatrixSymbol:
    """The symbol for the `i`-th computed expression."""
    name = f"result_{i}_in_place"
    return ex.ScalarSymbol(name) if node.shape is None else ex.MatrixSymbol(name, *node.shape)


def _dyadic(random: Random) -> Number:
    return Number(Fraction(random.randint(-8, 8), 4))


def _ternary(random: Random) -> Number:
    """Few values, so that squares often sum to a power of two and a unit vector is dyadic."""
    return Number(Fraction(random.randint(-1, 1)))


TAILS = {"ternary": _ternary, "dyadic": _dyadic}
"""What is drawn for ever."""
HEADS = tuple(map(Fraction, ("0", "1", "2", "1/2", "-3/4", "5/4")))
"""What is drawn first: the gate of most claims."""


def plain(claim: Claim, name: str, at: Assignment) -> Any:
    """A symbol's exact value as nested lists, a vector without its trailing axis."""
    value = at.values[name]
    for symbol in symbols(claim).matrices:
        if symbol.name == name:
            rows = [[to_rational(x) for x in row] for row in EXACT.rows(value)]
            return [row[0] for row in rows] if symbol.columns == 1 else rows
    return to_rational(value)


def entries(value: Any) -> Iterator[Fraction]:
    """The numbers of nested lists."""
    if isinstance(value, list):
        for part in value:
            yield from entries(part)
    else:
        yield value


def floats(value: Any) -> Any:
    """Nested lists of floats."""
    return [floats(x) for x in value] if isinstance(value, list) else float(value)


def fits(values: Iterable[Any], fmt: Format) -> bool:
    """Is every entry of every value a number of the format?"""
    numbers = [x for value in values for x in entries(value)]
    within = all(abs(x) <= fmt.largest for x in numbers)  # what lies beyond cannot be rounded
    return within and all(round_to_format(x, fmt) == x for x in numbers)


def carried(
    node: ex.Expression,
    got: Iterable[Iterable[Any]],
    bound: Iterable[Iterable[Any]],
    algebra: RunningErrorAlgebra,
) -> Any:
    """Rows of a result, each entry with its bound as its error, as the value of an expression."""
    rows = [
        [Bounded(float(x), float(e), BINARY64) for x, e in zip(*row, strict=True)]
        for row in zip(got, bound, strict=True)
    ]
    return rows[0][0] if node.shape is None else algebra.matrix(rows)


def bounded(at: Assignment, algebra: RunningErrorAlgebra) -> Assignment:
    """An exact assignment as exact inputs of running-error arithmetic."""

    def convert(value: Any) -> Any:
        match value:
            case Lambda() | int():
                return value
            case Mapping():
                return {i: convert(term) for i, term in value.items()}
            case fmpq_mat():
                return algebra.matrix([[convert(x) for x in row] for row in EXACT.rows(value)])
        return algebra.number(to_rational(value))

    values = {name: convert(value) for name, value in at.values.items()}
    return Assignment(at.sizes, values, at.samples)
