"""Indices and sizes for Rocq: naturals, integers and ordinals, and the ranges they run over.

Indices                 == the part of the printer of matrices that prints them
is_index(node), has_index(node) == is it built of index symbols and integers; has it any?
ordinal_range(node)     == the size over whose rows or columns an index runs, if it does
bounded_below(claim)    == the index symbols that the hypotheses keep ≥ 0

Where the hypotheses bound every free index below by a number ≥ 0, indices are naturals:
subtraction is moved to the other side of a comparison, a last index L − 1 becomes the excluded end
L, and a subtraction anywhere else is refused. Otherwise all of them are integers, of type `int`,
and a range is a sequence of integers. An index that runs over the rows or columns of a matrix, and
does nothing else, is an ordinal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from . import expressions as ex
from . import propositions as pr
from .claims import Claim, symbols
from .rocq_printer import ATOM, POWER, PRODUCT, SUM, Printer, Text, wrap


class Indices(Printer):
    """The printing of indices; whether they are naturals or integers."""

    def __init__(self, claim: Claim, structure: str):
        super().__init__(claim, structure)
        bounded = bounded_below(claim)
        self.signed = any(index not in bounded for index in symbols(claim).indices)
        self.ordinals: dict[ex.IndexSymbol, ex.Size] = {}  # those in whose scope the print is

    @property
    def index_type(self) -> str:
        return "int" if self.signed else "nat"

    def size(self, size: ex.Size) -> Text:
        """A size as a natural number."""
        match size:
            case ex.SizeProduct(left, right):
                first, second = self.size(left), self.size(right)
                return f"{wrap(first, PRODUCT)} * {wrap(second, POWER)}", PRODUCT
            case ex.Dim():
                return self.names[size], ATOM
        return str(size), ATOM

    def subscript(self, node: ex.Expression) -> str:
        if self.signed:
            return self.integer(node, ATOM)
        text = self.natural(node, ATOM)
        return f"{text}%N" if text.isdigit() else text

    def ordinal(self, node: ex.Expression, size: ex.Size) -> str:
        """A row or column, counted from 1 in claims and from 0 in Rocq."""
        if isinstance(node, ex.IndexSymbol) and self.ordinals.get(node) == size:
            return self.names[node]
        if size == 1 and node == ex.Literal(1):
            return "0"
        raise self.refuse(node, f"a row or column here is 1 of 1, or runs from 1 to {size}")

    def range(self, first: ex.Expression, last: ex.Expression) -> str:
        """The indices from `first` to `last` in this order, none where `last` is below `first`."""
        if not self.signed:
            return f"(index_iota {self.natural(first, ATOM)} {self.end(last)})"
        match last:
            case ex.Sub(body, ex.Literal(value)) if value == 1:
                count = ex.Sub(body, first)
            case _:
                count = ex.Sub(ex.Add(last, ex.Literal(1)), first)
        steps = f"iota 0 (absz (Order.max 0 ({self.integer(count)})))"
        return f"[seq {self.integer(first, SUM)} + step%:Z | step <- {steps}]"

    def integer(self, node: ex.Expression, allowed: int = SUM) -> str:
        """An index as an `int`."""
        match node:
            case ex.Literal(value) if value.denominator == 1 and value >= 0:
                text = f"{value.numerator}" + ("%:Z" if value > 1 else ""), ATOM
            case ex.IndexSymbol() if node not in self.ordinals:
                text = self.names[node], ATOM
            case ex.SizeOf(size):
                text = f"{wrap(self.size(size), ATOM)}%:Z", ATOM
            case ex.Add(left, right) | ex.Sub(left, right):
                sign = "+" if isinstance(node, ex.Add) else "-"
                text = f"{self.integer(left)} {sign} {self.integer(right, PRODUCT)}", SUM
            case _:
                raise self.refuse(
                    node, "an integer here is built of index symbols, +, - and numbers"
                )
        return wrap(text, allowed)

    def natural(self, node: ex.Expression, allowed: int = SUM) -> str:
        text, level = self._natural(node)
        return wrap((text, level), allowed) + ("%N" if level > ATOM and allowed == ATOM else "")

    def _natural(self, node: ex.Expression) -> Text:
        match node:
            case ex.Literal(value) if value.denominator == 1 and value >= 0:
                return str(value), ATOM
            case ex.IndexSymbol() if node not in self.ordinals:
                return self.names[node], ATOM
            case ex.SizeOf(size):
                return self.size(size)
            case ex.Sub(ex.SizeOf(ex.Dim() as size), ex.Literal(value)) if value == 1:
                return f"{self.names[size]}.-1", ATOM  # a size is at least 1
            case ex.Mul(left, right):
                return f"{self.natural(left, POWER)} * {self.natural(right, POWER)}", PRODUCT
            case ex.Add(left, ex.Literal(value)) if value == 1:
                return f"{self.natural(left, ATOM)}.+1", ATOM
            case ex.Add(left, right):
                return f"{self.natural(left)} + {self.natural(right, PRODUCT)}", SUM
        raise self.refuse(node, "an index here is a natural: integers ≥ 0, index symbols and +")

    def lower(self, first: ex.Expression) -> str:
        text, level = self._natural(first)
        return f"{wrap((text, level), ATOM)}%N" if level > ATOM or text.isdigit() else text

    def end(self, last: ex.Expression) -> str:
        """One more than the last index of a range; a range that ends before 0 ends at 0."""
        match last:
            case ex.Sub(body, ex.Literal(value)) if value == 1:
                return self.lower(body)
            case ex.Sub(body, taken):
                return f"({self.natural(ex.Add(body, ex.Literal(1)))} - {self.natural(taken, 0)})%N"
            case ex.Literal(value) if value.denominator == 1 and value >= -1:
                return f"{value.numerator + 1}%N"
        return self.lower(ex.Add(last, ex.Literal(1)))

    def natural_relation(self, node: pr.Eq | pr.Ne | pr.Le | pr.Lt) -> str:
        (left, taken_left), (right, taken_right) = _signed(node.left), _signed(node.right)
        first = self.natural(_add_up([*left, *taken_right]))
        second = self.natural(_add_up([*right, *taken_left]))
        if isinstance(node, pr.Eq | pr.Ne):
            return f"{first} {'=' if isinstance(node, pr.Eq) else '<>'} {second} :> nat"
        return f"({first} {'<=' if isinstance(node, pr.Le) else '<'} {second})%N"

    def integer_relation(self, node: pr.Eq | pr.Ne | pr.Le | pr.Lt) -> str:
        sign = {pr.Eq: "=", pr.Ne: "<>", pr.Le: "<=", pr.Lt: "<"}[type(node)]
        first, second = self.integer(node.left), self.integer(node.right)
        if isinstance(node, pr.Eq | pr.Ne):
            return f"{first} {sign} {second} :> int"
        return f"({first} : int) {sign} {second}"


def is_index(node: ex.Expression) -> bool:
    """Is it built of index symbols and integers by + and −?"""
    match node:
        case ex.Literal(value):
            return value.denominator == 1
        case ex.Add(left, right) | ex.Sub(left, right):
            return is_index(left) and is_index(right)
    return isinstance(node, ex.IndexSymbol)


def has_index(node: ex.Expression) -> bool:
    """Does an index symbol occur in it?"""
    return any(isinstance(part, ex.IndexSymbol) for part in ex.walk(node))


def ordinal_range(node: pr.ForRange) -> ex.Size | None:
    """The size over whose rows or columns an index runs, where it does nothing else."""
    index, first, last = node.index, node.first, node.last
    if first != ex.Literal(1) or not isinstance(last, ex.SizeOf):
        return None
    if isinstance(last.size, ex.SizeProduct):
        return None

    def only_place(part: Any) -> bool:
        if isinstance(part, ex.Element):
            rows, columns = ex.matrix_shape(part.body)
            places = ((part.row, rows), (part.column, columns))
            return only_place(part.body) and all(
                size == last.size if place == index else only_place(place) for place, size in places
            )
        if isinstance(part, tuple):
            return all(map(only_place, part))
        if is_dataclass(part):
            return part != index and all(only_place(getattr(part, f.name)) for f in fields(part))
        return True

    return last.size if only_place(node.body) else None


def _signed(node: ex.Expression) -> tuple[list[ex.Expression], list[ex.Expression]]:
    """The summands of an index expression that are added, and those that are taken away."""
    match node:
        case ex.Add(left, right):
            (a, b), (c, d) = _signed(left), _signed(right)
            return [*a, *c], [*b, *d]
        case ex.Sub(left, right):
            (a, b), (c, d) = _signed(left), _signed(right)
            return [*a, *d], [*b, *c]
        case ex.Literal(value) if value < 0:
            return [], [ex.Literal(-value)]
    return [node], []


def _add_up(summands: Iterable[ex.Expression]) -> ex.Expression:
    first, *rest = [*summands] or [ex.Literal(0)]
    for part in rest:
        first = ex.Add(first, part)
    return first


def bounded_below(claim: Claim) -> frozenset[ex.IndexSymbol]:
    """The index symbols that the hypotheses keep ≥ 0."""
    facts = [
        part
        for given in claim.given
        for part in (given.parts if isinstance(given, pr.And) else (given,))
    ]
    found: frozenset[ex.IndexSymbol] = frozenset()
    while True:
        more = frozenset(
            fact.right
            for fact in facts
            if isinstance(fact, pr.Le | pr.Lt)
            and isinstance(fact.right, ex.IndexSymbol)
            and _at_least_zero(fact.left, found)
        )
        if more <= found:
            return found
        found |= more


def _at_least_zero(node: ex.Expression, found: frozenset[ex.IndexSymbol]) -> bool:
    match node:
        case ex.Literal(value):
            return value >= 0
        case ex.Add(left, right):
            return _at_least_zero(left, found) and _at_least_zero(right, found)
    return node in found
