"""The Rocq reader: a claim as the statement of a theorem, and nothing about its proof.

print_theorem(claim) == RocqTheorem: name, statement, preamble, structure
RocqTheorem          == what the kernel is asked to believe about a claim
MATRICES, ANALYSIS   == the two preambles: MathComp, Coquelicot

Matrix claims range over every `realFieldType`, or every `rcfType` where a norm needs square roots
or something is said to exist (a unit vector along (1, 1) does not, over the rationals); claims
with functions or derivatives range over Coq's real numbers. Either contains the reals.

How the languages meet, where they differ:

- sizes are ≥ 1: a hypothesis `(0 < n)%N` for each;
- names (`Named`) are written out; ‖x‖ is `Num.sqrt ((x^T *m x) 0 0)`; an entry is `M 0 0`;
- `invmx` of a singular matrix and `x / 0` are numbers in Rocq: what a claim assumes to exclude them
  (claims.py insists on it) stays among the hypotheses;
- a relation that contains a derivative also says that this derivative exists, unless a hypothesis
  has said so: `Derive` is a number for every function;
- a conjunction to the left of an implication is written as two hypotheses;
- where the hypotheses bound every free index below by a number ≥ 0, indices are naturals:
  subtraction is moved to the other side of a comparison, a last index L − 1 becomes the excluded
  end L, and a subtraction anywhere else is refused. Otherwise all of them are integers, of type
  `int`, and a range is a sequence of integers;
- an index that runs over the rows or columns of a matrix, and does nothing else, is an ordinal;
- a power of a matrix is `iter t (mulmx M) 1%:M`, a product in descending order one over `rev`;
- limits are spelled out with ε and δ, in the ordered field.

A node that has no faithful spelling raises `Unsupported`, which names it. Left out: proofs, running
coqc (proofs/kernel.py); matrices, sequences and maps beside functions of a real variable.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeAlias

from . import expressions as ex
from . import propositions as pr
from .claims import Claim, symbols
from .evaluation import Unsupported

MATRICES = """\
From mathcomp Require Import all_ssreflect all_algebra.
Local Open Scope ring_scope."""

ANALYSIS = """\
From Coq Require Import Reals.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope."""

# Rocq's precedence levels: an operand is wrapped when its own level exceeds what its place allows
_ATOM, _POSTFIX, _APPLIED, _POWER, _MINUS, _PRODUCT, _SUM = 0, 2, 10, 30, 35, 40, 50
_RELATION, _AND, _OR, _IFF, _ARROW, _BINDER = 70, 80, 85, 95, 99, 200

# Words that Rocq reads as keywords, and the identifiers that statements themselves use
_WORDS = """
    as at by cofix do else end exists exists2 fix for forall fun if in is let match mod nosimpl of
    return then under using where with Prop SProp Set Type R nat nth Num Order True False
    realFieldType rcfType invmx unitmx Derive Derive_n ex_derive ex_derive_n Rmin Rmax Rabs
    sqrt exp ln sin cos atan const_mx i_row j_column iter mulmx diag_mx absz iota rev index_iota
    seq int step tolerance radius bound
"""
_RESERVED = frozenset(_WORDS.split())

_FUNCTIONS = {"exp": "exp", "log": "ln", "sin": "sin", "cos": "cos", "arctan": "atan"}

_Text: TypeAlias = tuple[str, int]
_Known: TypeAlias = frozenset[pr.Differentiable]
_LEAVES = (
    ex.Dim,
    ex.IndexSymbol,
    ex.ScalarSymbol,
    ex.MatrixSymbol,
    ex.FunctionSymbol,
    ex.SequenceSymbol,
    ex.MapSymbol,
)


@dataclass(frozen=True)
class RocqTheorem:
    """A statement for Rocq.

    `structure` is what its numbers range over: "realFieldType", "rcfType" or "R". `preamble` makes
    the notations of `statement` available; `text` is the opening sentence of the theorem.
    """

    name: str
    statement: str
    preamble: str
    structure: str

    @property
    def text(self) -> str:
        """``Theorem name : statement.``"""
        return f"Theorem {self.name} :\n  {self.statement}."


def print_theorem(claim: Claim) -> RocqTheorem:
    """The claim as a Rocq theorem, named `claim_<family>_<property>`.

    Raises
    ------
    Unsupported
        A node has no faithful spelling; the message names the claim and the node.
    """
    printer = printer_of(claim)
    name = "claim_" + re.sub(r"[^A-Za-z0-9_]", "_", claim.id)
    return RocqTheorem(name, printer.statement(), printer.preamble, printer.structure)


def printer_of(claim: Claim) -> _Printer:
    """The printer of a claim: MathComp, or Coquelicot where functions or derivatives occur."""
    nodes = [node for part in claim.statement for node in pr.expressions_in(part)]
    atoms = [atom for part in claim.statement for atom in pr.atoms(part)]
    if any(isinstance(node, ex.Apply | ex.Derivative | ex.Elementary) for node in nodes) or any(
        isinstance(atom, pr.Differentiable) for atom in atoms
    ):
        return _Analysis(claim, "R")
    rooted = any(isinstance(node, ex.Norm | ex.SquareRoot) for node in nodes) or any(
        _asks_for_existence(part) for part in claim.statement
    )
    return _Matrices(claim, "rcfType" if rooted else "realFieldType")


class _Printer:
    """What both libraries share: connectives, quantifiers, the arithmetic of scalars."""

    preamble: str

    def __init__(self, claim: Claim, structure: str):
        self.claim = claim
        self.structure = structure
        self.names = _identifiers(claim)

    # ---- the two libraries differ here
    def binders(self) -> Iterator[str]:
        """What is quantified, outermost first, each group in parentheses."""
        raise NotImplementedError

    def literal(self, value: Fraction) -> _Text:
        """A nonnegative rational number."""
        raise NotImplementedError

    def other(self, node: ex.Expression, typed: bool) -> _Text:
        """A node that is not scalar arithmetic. `typed`: its type is known from where it stands."""
        raise NotImplementedError

    def power(self, base: str, exponent: int) -> _Text:
        raise NotImplementedError

    def relation(self, node: pr.Proposition) -> str:
        raise NotImplementedError

    def refuse(self, node: Any, why: str) -> Unsupported:
        return Unsupported(
            f"claim {self.claim.id}: no Rocq spelling of {type(node).__name__} `{node}`: {why}"
        )

    # ---- expressions
    def show(self, node: ex.Expression, allowed: int = _SUM, *, typed: bool = True) -> str:
        return _wrap(self.expression(node, typed), allowed)

    def expression(self, node: ex.Expression, typed: bool = True) -> _Text:
        match node:
            case ex.Literal(value) if value >= 0:
                return self.literal(value)
            case ex.Literal(value):
                return f"- {_wrap(self.literal(-value), _POWER)}", _MINUS
            case ex.ScalarSymbol() | ex.MatrixSymbol():
                return self.names[node], _ATOM
            case ex.Named(_, body):
                return self.expression(body, typed)
            case ex.Add(left, right) | ex.Sub(left, right):
                sign = "+" if isinstance(node, ex.Add) else "-"
                first = self.show(left, _SUM, typed=typed or self.pins(right))
                second = self.expression(right, typed or self.pins(left))
                return f"{first} {sign} {_wrap(second, _PRODUCT, unless=_MINUS)}", _SUM
            case ex.Neg(body):
                return f"- {self.show(body, _POWER, typed=typed)}", _MINUS
            case ex.Mul(left, right) | ex.Div(left, right):
                sign = "*" if isinstance(node, ex.Mul) else "/"
                factors = isinstance(_body(left), ex.Mul | ex.Div)
                first = self.show(left, _PRODUCT if factors else _POWER)
                return f"{first} {sign} {self.show(right, _POWER)}", _PRODUCT
            case ex.Power(base, exponent):
                return self.power(self.show(base, _ATOM), exponent)
        return self.other(node, typed)

    def pins(self, node: ex.Expression) -> bool:
        """Does the printed `node` fix its own type?"""
        return True

    def type(self, shape: ex.Shape) -> str:
        """The type of the matrices of a shape."""
        raise Unsupported(f"claim {self.claim.id}: a matrix of shape {shape} beside a function")

    # ---- propositions
    def statement(self) -> str:
        lines, known = [], frozenset()
        for hypothesis in self.claim.given:
            lines += [f"{text} ->" for text in self.premises(hypothesis, known)]
            known |= _differentiable(hypothesis)
        head = _filled("forall", [*self.binders()])
        conclusion = self.proposition(self.claim.then, known, then=" /\\\n  ")[0]
        return "\n  ".join([*head, *self.sizes(), *lines, conclusion])

    def sizes(self) -> list[str]:
        return [f"(0 < {self.names[d]})%N ->" for d in symbols(self.claim).dims]

    def state(self, node: pr.Proposition, known: _Known, allowed: int) -> str:
        return _wrap(self.proposition(node, known), allowed)

    def premises(self, node: pr.Proposition, known: _Known) -> list[str]:
        """What stands left of an arrow: a conjunction as one premise after the other."""
        if isinstance(node, pr.And):
            found = []
            for part in node.parts:
                found += self.premises(part, known)
                known |= _differentiable(part)
            return found
        conjuncts = self.conjuncts(node, known)
        return [_wrap(text, _IFF) for text in conjuncts]

    def conjuncts(self, node: pr.Proposition, known: _Known) -> list[_Text]:
        """A relation after the existence of its derivatives; anything else by itself."""
        if not isinstance(node, pr.Eq | pr.Ne | pr.Le | pr.Lt):
            return [self.proposition(node, known)]
        return [*self.existence(node, known), (self.relation(node), _RELATION)]

    def existence(self, node: pr.Proposition, known: _Known) -> Iterator[_Text]:
        return iter(())

    def proposition(self, node: pr.Proposition, known: _Known, then: str = " /\\ ") -> _Text:
        """`node` and its level; `then` joins what a conjunction joins."""
        match node:
            case pr.Eq() | pr.Ne() | pr.Le() | pr.Lt():
                return _conjunction(self.conjuncts(node, known), then)
            case pr.And(parts):
                texts = []
                for part in parts:
                    nested = isinstance(part, pr.And)
                    texts += [self.proposition(part, known)] if nested else []
                    texts += [] if nested else self.conjuncts(part, known)
                    known |= _differentiable(part)
                return _conjunction(texts, then)
            case pr.Or(parts):
                if not parts:
                    return "False", _ATOM
                texts = [self.state(part, known, _RELATION) for part in parts]
                return " \\/ ".join(texts), _OR if len(parts) > 1 else _RELATION
            case pr.Implies(left, right):
                premises = self.premises(left, known)
                conclusion = self.state(right, known | _differentiable(left), _BINDER)
                return " -> ".join([*premises, conclusion]), _ARROW
            case pr.Iff(left, right):
                sides = (self.state(side, known, _RELATION) for side in (left, right))
                return " <-> ".join(sides), _IFF
            case pr.ForAll(variable, body) | pr.Exists(variable, body) if isinstance(
                variable, ex.Expression
            ):
                word = "forall" if isinstance(node, pr.ForAll) else "exists"
                inner = frozenset(d for d in known if not _mentions(d, variable))
                text = self.state(body, inner, _BINDER)
                kind = "R" if variable.shape is None else self.type(variable.shape)
                return f"{word} {self.names[variable]} : {kind}, {text}", _BINDER
            case pr.Defined(_, _, body):
                return self.proposition(body, known)
        return self.other_proposition(node, known)

    def other_proposition(self, node: pr.Proposition, known: _Known) -> _Text:
        raise self.refuse(node, "it has no counterpart in this library")


class _Matrices(_Printer):
    """Claims on matrices, vectors, scalars and sequences, in MathComp."""

    preamble = MATRICES

    def __init__(self, claim: Claim, structure: str):
        super().__init__(claim, structure)
        bounded = _bounded_below(claim)
        self.signed = any(index not in bounded for index in symbols(claim).indices)
        self.ordinals: dict[ex.IndexSymbol, ex.Size] = {}  # those in whose scope the print is

    def binders(self) -> Iterator[str]:
        found = symbols(self.claim)
        yield f"(R : {self.structure})"
        groups: list[tuple[Any, str]] = [(s, "nat") for s in found.dims]
        groups += [(s, self.index_type) for s in found.indices]
        groups += [(s, "R") for s in found.scalars]
        groups += [(m, self.type(m.shape)) for m in found.matrices]
        groups += [(s, self.sequence_type(s)) for s in found.sequences]
        groups += [(f, self.map_type(f)) for f in found.maps]
        if found.functions:
            raise self.refuse(found.functions[0], "a function beside matrices")
        for kind, group in groupby(groups, key=lambda pair: pair[1]):
            yield f"({' '.join(self.names[symbol] for symbol, _ in group)} : {kind})"

    def type(self, shape: ex.Shape) -> str:
        for part in shape:
            if isinstance(part, ex.SizeProduct):
                raise self.refuse(part, "a size that is a product")
        rows, columns = (s if isinstance(s, int) else self.names[s] for s in shape)
        if rows == columns:
            return f"'M[R]_{rows}"
        if columns == 1:
            return f"'cV[R]_{rows}"
        return f"'rV[R]_{columns}" if rows == 1 else f"'M[R]_({rows}, {columns})"

    @property
    def index_type(self) -> str:
        return "int" if self.signed else "nat"

    def sequence_type(self, symbol: ex.SequenceSymbol) -> str:
        terms = "R" if symbol.size is None else self.type((symbol.size, symbol.columns))
        return f"{self.index_type} -> {terms}"

    def map_type(self, symbol: ex.MapSymbol) -> str:
        """From states to states; of a family, from a subscript to such."""
        state = self.type((symbol.size, symbol.columns))
        members = {
            node.member is None
            for part in self.claim.statement
            for node in pr.expressions_in(part)
            if isinstance(node, ex.Image) and node.map == symbol
        }
        if len(members) != 1:
            raise self.refuse(symbol, "with a subscript in one place and without one in another")
        return (
            f"{state} -> {state}"
            if members == {True}
            else f"{self.index_type} -> {state} -> {state}"
        )

    def literal(self, value: Fraction) -> _Text:
        top = str(value.numerator) if value.numerator < 2 else f"{value.numerator}%:R"
        return (
            (top, _ATOM)
            if value.denominator == 1
            else (f"{top} / {value.denominator}%:R", _PRODUCT)
        )

    def power(self, base: str, exponent: int) -> _Text:
        return f"{base} ^+ {exponent}", _POWER

    def pins(self, node: ex.Expression) -> bool:
        match node:
            case ex.Named(_, body) | ex.Neg(body) | ex.Transpose(body) | ex.Inverse(body):
                return self.pins(body)
            case ex.Scale(_, body) | ex.Total(_, _, _, body) | ex.Repeated(_, _, _, body):
                return self.pins(body)
            case ex.OrderedProduct(_, _, _, body) | ex.Element(body) | ex.Diagonal(body):
                return self.pins(body)
            case ex.Add(left, right) | ex.Sub(left, right):
                return self.pins(left) or self.pins(right)
            case ex.Mul(left, right) | ex.Div(left, right) | ex.Least(left, right):
                return self.pins(left) or self.pins(right)
            case ex.MatMul(left, right):
                return self.pins(left) and self.pins(right)
            case ex.Power(base, _) | ex.NaturalPower(base, _) | ex.Absolute(base):
                return self.pins(base)
            case ex.Greatest(left, right):
                return self.pins(left) or self.pins(right)
        numerals = ex.Literal | ex.IndexSymbol | ex.SizeOf | ex.Rank
        constants = ex.Identity | ex.Zero | ex.Ones | ex.Constant
        return not isinstance(node, numerals | constants)

    def other(self, node: ex.Expression, typed: bool) -> _Text:
        match node:
            case ex.Identity() | ex.Zero() | ex.Ones() | ex.Constant():
                text = self.constant(node)
                kind = self.type(ex.matrix_shape(node))
                return text if typed else (f"({text[0]} : {kind})", _ATOM)
            case ex.Scale(factor, body):
                scale = self.show(factor, _POWER)
                if not self.pins(factor) and not isinstance(factor, ex.Literal):
                    scale = f"({self.show(factor, _BINDER)} : R)"
                return f"{scale} *: {self.show(body, _POWER, typed=typed)}", _PRODUCT
            case ex.MatMul(left, right):
                place = _PRODUCT if isinstance(_body(left), ex.MatMul) else _POWER
                first = self.show(left, place, typed=typed and self.pins(right))
                second = self.show(right, _POWER, typed=typed and self.pins(left))
                return f"{first} *m {second}", _PRODUCT
            case ex.Transpose(body):
                return f"{self.show(body, _POSTFIX, typed=typed)}^T", _POSTFIX
            case ex.Inverse(body):
                return f"invmx {self.show(body, _ATOM, typed=typed)}", _APPLIED
            case ex.Entry(body):
                return f"{self.show(body, _ATOM, typed=self.pins(body))} 0 0", _APPLIED
            case ex.Det(body) | ex.Trace(body):
                word = "\\det" if isinstance(node, ex.Det) else "\\tr"
                return f"{word} {self.show(body, _ATOM, typed=self.pins(body))}", _APPLIED
            case ex.Rank(body):
                return f"(\\rank {self.show(body, _ATOM, typed=self.pins(body))})%:R", _ATOM
            case ex.Norm(body):
                gram = ex.Entry(ex.MatMul(ex.Transpose(body), body))
                return f"Num.sqrt {self.show(gram, _ATOM)}", _APPLIED
            case ex.Least(left, right) | ex.Greatest(left, right):
                word = "Order.min" if isinstance(node, ex.Least) else "Order.max"
                return f"{word} {self.show(left, _ATOM)} {self.show(right, _ATOM)}", _APPLIED
            case ex.Absolute(body):
                return _absolute(self.show(body)), _ATOM
            case ex.SquareRoot(body):
                return f"Num.sqrt {self.show(body, _ATOM)}", _APPLIED
            case ex.NaturalPower(base, exponent) if base.shape is None and self.signed:
                return f"{self.show(base, _ATOM)} ^ {self.integer(exponent, _ATOM)}", _POWER
            case ex.NaturalPower(base, exponent) if base.shape is None:
                return f"{self.show(base, _ATOM)} ^+ {self.natural(exponent, _ATOM)}", _POWER
            case ex.NaturalPower(base, exponent) if not self.signed:
                factor = self.show(base, _ATOM, typed=self.pins(base))
                return f"iter {self.natural(exponent, _ATOM)} (mulmx {factor}) 1%:M", _APPLIED
            case ex.SizeOf(size) if not isinstance(size, ex.SizeProduct):
                return f"{size if isinstance(size, int) else self.names[size]}%:R", _ATOM
            case ex.IndexSymbol() if node not in self.ordinals:
                return f"{self.names[node]}%:{'~' if self.signed else ''}R", _ATOM
            case ex.Term(sequence, subscript):
                return f"{self.names[sequence]} {self.subscript(subscript)}", _APPLIED
            case ex.Image(function, argument, member):
                which = "" if member is None else f" {self.subscript(member)}"
                return f"{self.names[function]}{which} {self.show(argument, _ATOM)}", _APPLIED
            case ex.Element(body, row, column):
                rows, columns = ex.matrix_shape(body)
                places = f"{self.ordinal(row, rows)} {self.ordinal(column, columns)}"
                return f"{self.show(body, _ATOM, typed=self.pins(body))} {places}", _APPLIED
            case ex.Diagonal(body):
                row = ex.Transpose(body)
                return f"diag_mx {self.show(row, _ATOM, typed=self.pins(body))}", _APPLIED
            case ex.OrderedProduct(index, first, last, body):
                bounds = f"{self.names[index]} <- rev {self.range(first, last)}"
                factor = self.show(body, _APPLIED, typed=typed)
                return f"(\\big[mulmx/1%:M]_({bounds}) {factor})", _ATOM
            case ex.Total(index, first, last, body) | ex.Repeated(index, first, last, body):
                word = "\\sum" if isinstance(node, ex.Total) else "\\prod"
                name = self.names[index]
                bounds = (
                    f"{name} <- {self.range(first, last)}"
                    if self.signed
                    else f"{self.lower(first)} <= {name} < {self.end(last)}"
                )
                return f"({word}_({bounds}) {self.show(body, _APPLIED, typed=typed)})", _ATOM
        raise self.refuse(node, "it has no counterpart in MathComp")

    def constant(self, node: ex.Expression) -> _Text:
        match node:
            case ex.Constant(entries):
                rows = "; ".join(
                    f"[:: {'; '.join(self.show(ex.Literal(x), _SUM) for x in row)}]"
                    for row in entries
                )
                bounds = f"i_row < {len(entries)}, j_column < {len(entries[0])}"
                look_up = f"nth 0 (nth [::] [:: {rows}] i_row) j_column"
                return f"(\\matrix_({bounds}) {look_up})", _ATOM
            case ex.Identity():
                return "1%:M", _ATOM
            case ex.Ones():
                return "const_mx 1", _APPLIED
        return "0", _ATOM

    # ---- indices
    def subscript(self, node: ex.Expression) -> str:
        if self.signed:
            return self.integer(node, _ATOM)
        text = self.natural(node, _ATOM)
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
            return f"(index_iota {self.natural(first, _ATOM)} {self.end(last)})"
        match last:
            case ex.Sub(body, ex.Literal(value)) if value == 1:
                count = ex.Sub(body, first)
            case _:
                count = ex.Sub(ex.Add(last, ex.Literal(1)), first)
        steps = f"iota 0 (absz (Order.max 0 ({self.integer(count)})))"
        return f"[seq {self.integer(first, _SUM)} + step%:Z | step <- {steps}]"

    def integer(self, node: ex.Expression, allowed: int = _SUM) -> str:
        """An index as an `int`."""
        match node:
            case ex.Literal(value) if value.denominator == 1 and value >= 0:
                text = f"{value.numerator}" + ("%:Z" if value > 1 else ""), _ATOM
            case ex.IndexSymbol() if node not in self.ordinals:
                text = self.names[node], _ATOM
            case ex.SizeOf(size) if not isinstance(size, ex.SizeProduct):
                text = f"{size if isinstance(size, int) else self.names[size]}%:Z", _ATOM
            case ex.Add(left, right) | ex.Sub(left, right):
                sign = "+" if isinstance(node, ex.Add) else "-"
                text = f"{self.integer(left)} {sign} {self.integer(right, _PRODUCT)}", _SUM
            case _:
                raise self.refuse(
                    node, "an integer here is built of index symbols, +, - and numbers"
                )
        return _wrap(text, allowed)

    def natural(self, node: ex.Expression, allowed: int = _SUM) -> str:
        text, level = self._natural(node)
        return _wrap((text, level), allowed) + ("%N" if level > _ATOM and allowed == _ATOM else "")

    def _natural(self, node: ex.Expression) -> _Text:
        match node:
            case ex.Literal(value) if value.denominator == 1 and value >= 0:
                return str(value), _ATOM
            case ex.IndexSymbol() if node not in self.ordinals:
                return self.names[node], _ATOM
            case ex.SizeOf(size) if not isinstance(size, ex.SizeProduct):
                return str(size) if isinstance(size, int) else self.names[size], _ATOM
            case ex.Sub(ex.SizeOf(ex.Dim() as size), ex.Literal(value)) if value == 1:
                return f"{self.names[size]}.-1", _ATOM  # a size is at least 1
            case ex.Mul(left, right):
                return f"{self.natural(left, _POWER)} * {self.natural(right, _POWER)}", _PRODUCT
            case ex.Add(left, ex.Literal(value)) if value == 1:
                return f"{self.natural(left, _ATOM)}.+1", _ATOM
            case ex.Add(left, right):
                return f"{self.natural(left)} + {self.natural(right, _PRODUCT)}", _SUM
        raise self.refuse(node, "an index here is a natural: integers ≥ 0, index symbols and +")

    def lower(self, first: ex.Expression) -> str:
        text, level = self._natural(first)
        return f"{_wrap((text, level), _ATOM)}%N" if level > _ATOM or text.isdigit() else text

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

    # ---- propositions
    def relation(self, node: pr.Proposition) -> str:
        assert isinstance(node, pr.Eq | pr.Ne | pr.Le | pr.Lt)
        left, right = node.left, node.right
        if _is_index(left) and _is_index(right) and (_symbolic(left) or _symbolic(right)):
            return self.integer_relation(node) if self.signed else self.natural_relation(node)
        sign = {pr.Eq: "=", pr.Ne: "<>", pr.Le: "<=", pr.Lt: "<"}[type(node)]
        matrix = left.shape is not None
        pinned = self.pins(left) if matrix else self.pins(left) or self.pins(right)
        kind = self.type(ex.matrix_shape(left)) if matrix else "R"
        if pinned and left.shape != (1, 1):
            return f"{self.show(left, typed=True)} {sign} {self.show(right)}"
        if isinstance(node, pr.Eq | pr.Ne):
            return f"{self.show(left)} {sign} {self.show(right)} :> {kind}"
        return f"({self.show(left)} : {kind}) {sign} {self.show(right)}"

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

    def other_proposition(self, node: pr.Proposition, known: _Known) -> _Text:
        match node:
            case pr.Invertible(body):
                return f"{self.show(body, typed=self.pins(body))} \\in unitmx", _RELATION
            case pr.ForAll(variable, body) | pr.Exists(variable, body) if isinstance(
                variable, ex.SequenceSymbol
            ):
                word = "forall" if isinstance(node, pr.ForAll) else "exists"
                text = self.state(body, known, _BINDER)
                kind = self.sequence_type(variable)
                return f"{word} {self.names[variable]} : {kind}, {text}", _BINDER
            case pr.ForRange(index, first, last, body) if last is not None:
                return self.over_range(node, index, first, last), _BINDER
            case pr.TendsTo(body) if body.shape is None:
                return self.limit(node), _BINDER
        return super().other_proposition(node, known)

    def over_range(
        self, node: pr.ForRange, index: ex.IndexSymbol, first: ex.Expression, last: ex.Expression
    ) -> str:
        name = self.names[index]
        size = _ordinal_range(node)
        if size is not None:
            outer, self.ordinals = self.ordinals, {**self.ordinals, index: size}
            text = self.state(node.body, frozenset(), _BINDER)
            self.ordinals = outer
            kind = size if isinstance(size, int) else self.names[size]
            return f"forall {name} : 'I_{kind}, {text}"
        text = self.state(node.body, frozenset(), _BINDER)
        if self.signed:
            bounds = f"({self.integer(first)} <= {name} <= {self.integer(last)})"
        else:
            bounds = f"({self.natural(first)} <= {name} < {self.end(last)})%N"
        return f"forall {name} : {self.index_type}, {bounds} -> {text}"

    def limit(self, node: pr.TendsTo) -> str:
        """In the punctured neighbourhoods of a point, or from some bound on."""
        name, text = self.names[node.variable], self.show(node.body)
        limit = self.show(node.limit, _PRODUCT)
        close = f"{_absolute(f'{text} - {limit}')} < tolerance"
        if node.to is not None:
            point = self.show(node.to, _PRODUCT)
            near = f"{name} <> {self.show(node.to)} -> `|{name} - {point}| < radius -> {close}"
            where = f"exists radius : R, 0 < radius /\\ (forall {name} : R, {near})"
        elif isinstance(node.variable, ex.ScalarSymbol):
            where = f"exists bound : R, forall {name} : R, bound < {name} -> {close}"
        else:
            raise self.refuse(node, "the limit of a sequence")
        return f"forall tolerance : R, 0 < tolerance -> {where}"


class _Analysis(_Printer):
    """Claims on functions and derivatives, over Coq's real numbers, in Coquelicot's terms."""

    preamble = ANALYSIS

    def binders(self) -> Iterator[str]:
        found = symbols(self.claim)
        beside = (*found.dims, *found.indices, *found.matrices, *found.sequences)
        if beside:
            raise self.refuse(beside[0], "matrices, sizes and sequences beside a function")
        if found.functions:
            yield f"({' '.join(self.names[f] for f in found.functions)} : R -> R)"
        if found.scalars:
            yield f"({' '.join(self.names[s] for s in found.scalars)} : R)"

    def literal(self, value: Fraction) -> _Text:
        whole = value.denominator == 1
        return (str(value.numerator), _ATOM) if whole else (str(value).replace("/", " / "), 40)

    def power(self, base: str, exponent: int) -> _Text:
        return f"{base} ^ {exponent}", _POWER

    def other(self, node: ex.Expression, typed: bool) -> _Text:
        match node:
            case ex.Apply(function, argument):
                return f"{self.names[function]} {self.show(argument, _ATOM)}", _APPLIED
            case ex.Least(left, right) | ex.Greatest(left, right):
                word = "Rmin" if isinstance(node, ex.Least) else "Rmax"
                return f"{word} {self.show(left, _ATOM)} {self.show(right, _ATOM)}", _APPLIED
            case ex.Absolute(body) | ex.SquareRoot(body):
                word = "Rabs" if isinstance(node, ex.Absolute) else "sqrt"
                return f"{word} {self.show(body, _ATOM)}", _APPLIED
            case ex.Elementary("sigmoid", body):
                return f"1 / (1 + exp (- {self.show(body, _POWER)}))", _PRODUCT
            case ex.Elementary(name, body):
                return f"{_FUNCTIONS[name]} {self.show(body, _ATOM)}", _APPLIED
            case ex.Derivative(_, _, at, order):
                which = "Derive" if order == 1 else "Derive_n"
                return self.differential(which, node, at, order), _APPLIED
        raise self.refuse(node, "it has no counterpart beside functions of a real variable")

    def differential(
        self,
        word: str,
        node: ex.Derivative | pr.Differentiable,
        at: ex.Expression,
        order: int,
    ) -> str:
        for part in ex.walk(node.body):
            if isinstance(part, ex.Derivative):
                raise self.refuse(part, "a derivative inside a derivative")
        match _body(node.body):
            case ex.Apply(function, argument) if argument == node.variable:
                body = self.names[function]
            case _:
                body = f"(fun {self.names[node.variable]} : R => {self.show(node.body)})"
        which = "" if order == 1 else f" {order}"
        return f"{word} {body}{which} {self.show(at, _ATOM)}"

    def existence(self, node: pr.Proposition, known: _Known) -> Iterator[_Text]:
        derivatives = [
            n for e in node.expressions for n in ex.walk(e) if isinstance(n, ex.Derivative)
        ]
        for found in dict.fromkeys(derivatives):
            if found.order == 1 and _exists(found) in known:
                continue
            word = "ex_derive" if found.order == 1 else "ex_derive_n"
            yield self.differential(word, found, found.at, found.order), _APPLIED

    def relation(self, node: pr.Proposition) -> str:
        sign = {pr.Eq: "=", pr.Ne: "<>", pr.Le: "<=", pr.Lt: "<"}[type(node)]
        sides = node.expressions
        for side in sides:
            if side.shape is not None:
                raise self.refuse(side, "a matrix beside a function")
        return f" {sign} ".join(self.show(side) for side in sides)

    def other_proposition(self, node: pr.Proposition, known: _Known) -> _Text:
        if isinstance(node, pr.Differentiable):
            return self.differential("ex_derive", node, node.at, 1), _APPLIED
        return super().other_proposition(node, known)


# ---------------------------------------------------------------- names


def _identifiers(claim: Claim) -> dict[Any, str]:
    """An identifier for every symbol, free or bound, one to one; a bound one shadows as in claims.

    Symbols that share a name, sizes aside, are refused: a value is looked up by its name.
    """
    table: dict[Any, str] = {}
    taken: set[str] = set(_RESERVED)
    owner: dict[str, Any] = {}
    for symbol in dict.fromkeys(_symbols(claim.statement)):
        if not isinstance(symbol, ex.Dim) and owner.setdefault(symbol.name, symbol) != symbol:
            raise Unsupported(
                f"claim {claim.id}: the name {symbol.name} stands for {owner[symbol.name]!r} "
                f"and for {symbol!r}; give them different names"
            )
        stem = _spelled(symbol.name)
        choices = (stem, *(f"{stem}{k}" for k in range(1, len(taken) + 2)))
        table[symbol] = next(choice for choice in choices if choice not in taken)
        taken.add(table[symbol])
    return table


def _symbols(node: Any) -> Iterator[Any]:
    if isinstance(node, _LEAVES):
        yield node
    parts = node if isinstance(node, tuple) else ()
    if is_dataclass(node):
        parts = tuple(getattr(node, f.name) for f in fields(node))
    for part in parts:
        yield from _symbols(part)


def _spelled(name: str) -> str:
    """An ASCII identifier near `name`."""
    text = "".join(
        c
        if c.isascii() and (c.isalnum() or c in "_'")
        else re.sub(r"\W", "", unicodedata.name(c, "u").split()[-1].lower())
        for c in name
    )
    return text if text[:1].isalpha() else f"x{text}"


# ---------------------------------------------------------------- small readings


def _wrap(text: _Text, allowed: int, *, unless: int = -1) -> str:
    return text[0] if text[1] <= allowed and text[1] != unless else f"({text[0]})"


def _absolute(body: str) -> str:
    # two bars in a row would be read as one token
    before, after = " " * body.startswith("`|"), " " * body.endswith("|")
    return f"`|{before}{body}{after}|"


def _conjunction(texts: list[_Text], then: str) -> _Text:
    if not texts:
        return "True", _ATOM
    if len(texts) == 1:
        return texts[0]
    return then.join(_wrap(text, _RELATION) for text in texts), _AND


def _filled(word: str, groups: list[str]) -> list[str]:
    """`word group … group,` in lines of at most 90 characters; nothing without a group."""
    if not groups:
        return []
    lines = [word]
    for group in groups:
        if len(lines[-1]) + 1 + len(group) <= 90:
            lines[-1] += f" {group}"
        else:
            lines.append(f"  {group}")
    return [*lines[:-1], f"{lines[-1]},"]


def _body(node: ex.Expression) -> ex.Expression:
    """`node` without the names it stands under."""
    return _body(node.body) if isinstance(node, ex.Named) else node


def _exists(node: ex.Derivative) -> pr.Differentiable:
    return pr.Differentiable(node.body, node.variable, node.at)


def _differentiable(node: pr.Proposition) -> _Known:
    """The differentiability that holds wherever `node` does."""
    if isinstance(node, pr.And):
        return frozenset[pr.Differentiable]().union(*map(_differentiable, node.parts))
    return frozenset({node}) if isinstance(node, pr.Differentiable) else frozenset()


def _mentions(node: pr.Differentiable, variable: ex.Expression) -> bool:
    """Does `variable` occur free?"""
    inside = () if variable == node.variable else ex.walk(node.body)
    return variable in (*ex.walk(node.at), *inside)


def _asks_for_existence(node: pr.Proposition) -> bool:
    return isinstance(node, pr.Exists) or any(map(_asks_for_existence, node.propositions))


def _is_index(node: ex.Expression) -> bool:
    match node:
        case ex.Literal(value):
            return value.denominator == 1
        case ex.Add(left, right) | ex.Sub(left, right):
            return _is_index(left) and _is_index(right)
    return isinstance(node, ex.IndexSymbol)


def _ordinal_range(node: pr.ForRange) -> ex.Size | None:
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


def _symbolic(node: ex.Expression) -> bool:
    return any(isinstance(part, ex.IndexSymbol) for part in ex.walk(node))


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


def _bounded_below(claim: Claim) -> frozenset[ex.IndexSymbol]:
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
