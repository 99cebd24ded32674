"""Claims on matrices, vectors, scalars, sequences and functions, in MathComp.

Matrices == the printer of a claim in which a matrix, size, sequence or index occurs

A derivative is the limit of the difference quotient, spelled out with ε and δ in the ordered field
and entry by entry: a relation that contains one says that a slope exists which is this limit, and
that the relation holds of it. L ⊗ M is the matrix of X ↦ L X Mᵀ on rows put one after another, and
vec X the rows of Xᵀ so.

MathComp has no elementary functions. Beside them R is a real closed field in bijection with Coq's
real numbers, by maps that respect + and ×, and each function is Coq's own, carried over. That there
is such an R is the axiom of choice for the real numbers, which MathComp asks of every field: a
hypothesis, so that the proof needs no axiom more.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

from . import expressions as ex
from . import propositions as pr
from .claims import Claim, symbols
from .rocq_indices import Indices, has_index, is_index, ordinal_range
from .rocq_printer import (
    APPLIED,
    ATOM,
    BINDER,
    POSTFIX,
    POWER,
    PRODUCT,
    RELATION,
    SUM,
    Known,
    Text,
    conjunction,
    unnamed,
    wrap,
)

MATRICES = """\
From mathcomp Require Import all_ssreflect all_algebra.
Local Open Scope ring_scope."""
MATRICES_OVER_REALS = f"""\
From Coq Require Reals.
{MATRICES}"""

_REALS = (
    "(real : R -> Rdefinitions.R)",
    "(of_real : Rdefinitions.R -> R)",
)
_ISOMORPHIC = (
    "cancel real of_real ->",
    "cancel of_real real ->",
    "{morph real : x y / x + y >-> Rdefinitions.Rplus x y} ->",
    "{morph real : x y / x * y >-> Rdefinitions.Rmult x y} ->",
)
_FUNCTIONS = {
    "exp": "Rtrigo_def.exp",
    "log": "Rpower.ln",
    "sin": "Rtrigo_def.sin",
    "cos": "Rtrigo_def.cos",
    "arctan": "Ratan.atan",
}


class Matrices(Indices):
    """Claims on matrices, vectors, scalars, sequences and functions, in MathComp."""

    def __init__(self, claim: Claim, structure: str, *, elementary: bool = False):
        super().__init__(claim, structure)
        self.elementary = elementary  # are there functions of Coq's real numbers?
        self.slopes: dict[ex.Derivative, str] = {}  # those in whose scope the print is

    @property
    def preamble(self) -> str:
        """What makes the notations available."""
        return MATRICES_OVER_REALS if self.elementary else MATRICES

    def binders(self) -> Iterator[str]:
        found = symbols(self.claim)
        yield f"(R : {self.structure.split()[0]})"
        yield from _REALS if self.elementary else ()
        groups: list[tuple[Any, str]] = [(s, "nat") for s in found.dims]
        groups += [(s, self.index_type) for s in found.indices]
        groups += [(s, "R") for s in found.scalars]
        groups += [(m, self.type(m.shape)) for m in found.matrices]
        groups += [(s, self.sequence_type(s)) for s in found.sequences]
        groups += [(f, self.map_type(f)) for f in found.maps]
        groups += [(f, "R -> R") for f in found.functions]
        for kind, group in groupby(groups, key=lambda pair: pair[1]):
            yield f"({' '.join(self.names[symbol] for symbol, _ in group)} : {kind})"

    def sizes(self) -> list[str]:
        return [*(_ISOMORPHIC if self.elementary else ()), *super().sizes()]

    def type(self, shape: ex.Shape) -> str:
        rows, columns = (self.size(s) for s in shape)
        if rows == columns:
            return f"'M[R]_{wrap(rows, ATOM)}"
        if columns[0] == "1":
            return f"'cV[R]_{wrap(rows, ATOM)}"
        if rows[0] == "1":
            return f"'rV[R]_{wrap(columns, ATOM)}"
        return f"'M[R]_({rows[0]}, {columns[0]})"

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

    def literal(self, value: Fraction) -> Text:
        top = str(value.numerator) if value.numerator < 2 else f"{value.numerator}%:R"
        return (
            (top, ATOM) if value.denominator == 1 else (f"{top} / {value.denominator}%:R", PRODUCT)
        )

    def power(self, base: str, exponent: int) -> Text:
        return f"{base} ^+ {exponent}", POWER

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

    def other(self, node: ex.Expression, typed: bool) -> Text:
        match node:
            case ex.Identity() | ex.Zero() | ex.Ones() | ex.Constant():
                text = self.constant(node)
                kind = self.type(ex.matrix_shape(node))
                return text if typed else (f"({text[0]} : {kind})", ATOM)
            case ex.Scale(factor, body):
                scale = self.show(factor, POWER)
                if not self.pins(factor) and not isinstance(factor, ex.Literal):
                    scale = f"({self.show(factor, BINDER)} : R)"
                return f"{scale} *: {self.show(body, POWER, typed=typed)}", PRODUCT
            case ex.MatMul(left, right):
                place = PRODUCT if isinstance(unnamed(left), ex.MatMul) else POWER
                first = self.show(left, place, typed=typed and self.pins(right))
                second = self.show(right, POWER, typed=typed and self.pins(left))
                return f"{first} *m {second}", PRODUCT
            case ex.Transpose(body):
                return f"{self.show(body, POSTFIX, typed=typed)}^T", POSTFIX
            case ex.Inverse(body):
                return f"invmx {self.show(body, ATOM, typed=typed)}", APPLIED
            case ex.Entry(body):
                return f"{self.show(body, ATOM, typed=self.pins(body))} 0 0", APPLIED
            case ex.Det(body) | ex.Trace(body):
                word = "\\det" if isinstance(node, ex.Det) else "\\tr"
                return f"{word} {self.show(body, ATOM, typed=self.pins(body))}", APPLIED
            case ex.Rank(body):
                return f"(\\rank {self.show(body, ATOM, typed=self.pins(body))})%:R", ATOM
            case ex.Norm(body):
                gram = ex.Entry(ex.MatMul(ex.Transpose(body), body))
                return f"Num.sqrt {self.show(gram, ATOM)}", APPLIED
            case ex.Least(left, right) | ex.Greatest(left, right):
                word = "Order.min" if isinstance(node, ex.Least) else "Order.max"
                return f"{word} {self.show(left, ATOM)} {self.show(right, ATOM)}", APPLIED
            case ex.Absolute(body):
                return _absolute(self.show(body)), ATOM
            case ex.SquareRoot(body):
                return f"Num.sqrt {self.show(body, ATOM)}", APPLIED
            case ex.NaturalPower(base, exponent) if base.shape is None and self.signed:
                return f"{self.show(base, ATOM)} ^ {self.integer(exponent, ATOM)}", POWER
            case ex.NaturalPower(base, exponent) if base.shape is None:
                return f"{self.show(base, ATOM)} ^+ {self.natural(exponent, ATOM)}", POWER
            case ex.NaturalPower(base, exponent) if not self.signed:
                factor = self.show(base, ATOM, typed=self.pins(base))
                return f"iter {self.natural(exponent, ATOM)} (mulmx {factor}) 1%:M", APPLIED
            case ex.SizeOf(size):
                return f"{wrap(self.size(size), ATOM)}%:R", ATOM
            case ex.IndexSymbol() if node not in self.ordinals:
                return f"{self.names[node]}%:{'~' if self.signed else ''}R", ATOM
            case ex.Term(sequence, subscript):
                return f"{self.names[sequence]} {self.subscript(subscript)}", APPLIED
            case ex.Image(function, argument, member):
                which = "" if member is None else f" {self.subscript(member)}"
                return f"{self.names[function]}{which} {self.show(argument, ATOM)}", APPLIED
            case ex.Element(body, row, column):
                rows, columns = ex.matrix_shape(body)
                places = f"{self.ordinal(row, rows)} {self.ordinal(column, columns)}"
                return f"{self.show(body, ATOM, typed=self.pins(body))} {places}", APPLIED
            case ex.Diagonal(body):
                row = ex.Transpose(body)
                return f"diag_mx {self.show(row, ATOM, typed=self.pins(body))}", APPLIED
            case ex.OrderedProduct(index, first, last, body):
                bounds = f"{self.names[index]} <- rev {self.range(first, last)}"
                factor = self.show(body, APPLIED, typed=typed)
                return f"(\\big[mulmx/1%:M]_({bounds}) {factor})", ATOM
            case ex.Total(index, first, last, body) | ex.Repeated(index, first, last, body):
                word = "\\sum" if isinstance(node, ex.Total) else "\\prod"
                name = self.names[index]
                bounds = (
                    f"{name} <- {self.range(first, last)}"
                    if self.signed
                    else f"{self.lower(first)} <= {name} < {self.end(last)}"
                )
                return f"({word}_({bounds}) {self.show(body, APPLIED, typed=typed)})", ATOM
            case ex.Stacked(body):
                return self.stacked(body, typed)
            case ex.Kronecker(left, right):
                return self.kronecker(node, left, right)
            case ex.Derivative() if node in self.slopes:
                return self.slopes[node], ATOM
            case ex.Apply(function, argument):
                return f"{self.names[function]} {self.show(argument, ATOM)}", APPLIED
            case ex.Elementary("sigmoid", body):
                one = ex.Literal(Fraction(1))
                spelled = ex.Div(one, ex.Add(one, ex.Elementary("exp", ex.Neg(body))))
                return self.expression(spelled, typed)
            case ex.Elementary(name, body):
                argument = self.show(body, ATOM)
                return f"of_real ({_FUNCTIONS[name]} (real {argument}))", APPLIED
        raise self.refuse(node, "it has no counterpart in MathComp")

    def stacked(self, body: ex.Expression, typed: bool) -> Text:
        """The columns under one another: a column is its own stack, that of a row its transpose."""
        rows, columns = ex.matrix_shape(body)
        if columns == 1:
            return self.expression(body, typed)
        if rows == 1:
            return self.expression(ex.Transpose(body), typed)
        by_rows = self.show(ex.Transpose(body), ATOM, typed=self.pins(body))
        return f"(mxvec {by_rows})^T", POSTFIX

    def kronecker(self, node: ex.Expression, left: ex.Expression, right: ex.Expression) -> Text:
        """The matrix of X ↦ left·X·rightᵀ on rows put one after the other."""
        (m, n), (p, q) = ex.matrix_shape(left), ex.matrix_shape(right)
        for sizes in ((m, p), (n, q)):
            if 1 in sizes and any(not isinstance(size, int) for size in sizes):
                raise self.refuse(node, "1 times a size is another size in Rocq")
        kind = self.type((n, q))
        first = self.show(left, POWER, typed=self.pins(left))
        last = self.show(ex.Transpose(right), POWER, typed=self.pins(right))
        return f"(lin_mx (fun stacked : {kind} => {first} *m stacked *m {last}))^T", POSTFIX

    def constant(self, node: ex.Expression) -> Text:
        match node:
            case ex.Constant(entries):
                rows = "; ".join(
                    f"[:: {'; '.join(self.show(ex.Literal(x), SUM) for x in row)}]"
                    for row in entries
                )
                bounds = f"i_row < {len(entries)}, j_column < {len(entries[0])}"
                look_up = f"nth 0 (nth [::] [:: {rows}] i_row) j_column"
                return f"(\\matrix_({bounds}) {look_up})", ATOM
            case ex.Identity():
                return "1%:M", ATOM
            case ex.Ones():
                return "const_mx 1", APPLIED
        return "0", ATOM

    # ---- derivatives
    def conjuncts(self, node: pr.Proposition, known: Known) -> list[Text]:
        """A relation under the slopes that its derivatives are."""
        if not isinstance(node, pr.Eq | pr.Ne | pr.Le | pr.Lt):
            return super().conjuncts(node, known)
        found = [d for side in node.expressions for d in self.derivatives(side, frozenset())]
        new = [d for d in dict.fromkeys(found) if d not in self.slopes]
        if not new:
            return super().conjuncts(node, known)
        slopes = dict(zip(new, self.fresh(len(new)), strict=True))
        outer, self.slopes = self.slopes, {**self.slopes, **slopes}
        texts = [(self.slope(d, d.at, self.slopes[d]), BINDER) for d in new]
        text = conjunction([*texts, (self.relation(node), RELATION)], " /\\ ")[0]
        for d in reversed(new):
            text = f"exists {self.slopes[d]} : {self.kind(d)}, {text}"
        self.slopes = outer
        return [(text, BINDER)]

    def derivatives(
        self, node: ex.Expression, bound: frozenset[ex.IndexSymbol]
    ) -> Iterator[ex.Derivative]:
        """Those in `node`; a slope stands before the relation, outside every range in it."""
        if isinstance(node, ex.Derivative):
            if not bound.isdisjoint(ex.walk(node)):
                raise self.refuse(node, "a derivative that depends on the index of a range")
            yield node
            return
        if isinstance(node, ex.Total | ex.Repeated | ex.OrderedProduct):
            bound |= {node.index}
        for part in node.parts:
            yield from self.derivatives(part, bound)

    def fresh(self, count: int) -> list[str]:
        """Names for slopes."""
        taken = {*self.names.values()}
        names = (f"slope{k}" if k else "slope" for k in range(len(taken) + count))
        return [name for name in names if name not in taken][:count]

    def kind(self, node: ex.Expression) -> str:
        return "R" if node.shape is None else self.type(node.shape)

    def slope(self, node: ex.Derivative | pr.Differentiable, at: ex.Expression, name: str) -> str:
        """`name` is the limit of the difference quotient, in each entry."""
        body = node.body
        if isinstance(node, ex.Derivative) and node.order != 1:
            raise self.refuse(node, "a derivative here is of order 1")
        if any(isinstance(part, ex.Derivative) for part in (*ex.walk(body), *ex.walk(at))):
            raise self.refuse(node, "a derivative inside a derivative")
        pinned = self.pins(body)
        text = self.show(body, BINDER, typed=pinned)
        if body.shape is None and not pinned:
            text = f"({text} : R)"
        path = f"(fun {self.names[node.variable]} : R => {text})"
        moved = f"{path} ({self.show(at)} + step) - {path} {self.show(at, ATOM)}"
        if body.shape is None:
            close = f"`|({moved}) / step - {name}| < tolerance"
        else:
            rows, columns = (wrap(self.size(s), ATOM) for s in body.shape)
            entry = f"(step^-1 *: ({moved}) - {name}) i_row j_column"
            places = f"(i_row : 'I_{rows}) (j_column : 'I_{columns})"
            close = f"forall {places}, `|{entry}| < tolerance"
        near = f"forall step : R, step <> 0 -> `|step| < radius -> {close}"
        return f"forall tolerance : R, 0 < tolerance -> exists radius : R, 0 < radius /\\ ({near})"

    # ---- propositions
    def relation(self, node: pr.Proposition) -> str:
        assert isinstance(node, pr.Eq | pr.Ne | pr.Le | pr.Lt)
        left, right = node.left, node.right
        if is_index(left) and is_index(right) and (has_index(left) or has_index(right)):
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

    def other_proposition(self, node: pr.Proposition, known: Known) -> Text:
        match node:
            case pr.Invertible(body):
                return f"{self.show(body, typed=self.pins(body))} \\in unitmx", RELATION
            case pr.ForAll(variable, body) | pr.Exists(variable, body) if isinstance(
                variable, ex.SequenceSymbol
            ):
                word = "forall" if isinstance(node, pr.ForAll) else "exists"
                text = self.state(body, known, BINDER)
                kind = self.sequence_type(variable)
                return f"{word} {self.names[variable]} : {kind}, {text}", BINDER
            case pr.ForRange(index, first, last, body) if last is not None:
                return self.over_range(node, index, first, last), BINDER
            case pr.TendsTo(body) if body.shape is None:
                return self.limit(node), BINDER
            case pr.Differentiable(body, _, at):
                (name,) = self.fresh(1)
                return f"exists {name} : {self.kind(body)}, {self.slope(node, at, name)}", BINDER
        return super().other_proposition(node, known)

    def over_range(
        self, node: pr.ForRange, index: ex.IndexSymbol, first: ex.Expression, last: ex.Expression
    ) -> str:
        name = self.names[index]
        size = ordinal_range(node)
        if size is not None:
            outer, self.ordinals = self.ordinals, {**self.ordinals, index: size}
            text = self.state(node.body, frozenset(), BINDER)
            self.ordinals = outer
            return f"forall {name} : 'I_{wrap(self.size(size), ATOM)}, {text}"
        text = self.state(node.body, frozenset(), BINDER)
        if self.signed:
            bounds = f"({self.integer(first)} <= {name} <= {self.integer(last)})"
        else:
            bounds = f"({self.natural(first)} <= {name} < {self.end(last)})%N"
        return f"forall {name} : {self.index_type}, {bounds} -> {text}"

    def limit(self, node: pr.TendsTo) -> str:
        """In the punctured neighbourhoods of a point, or from some bound on."""
        name, text = self.names[node.variable], self.show(node.body)
        limit = self.show(node.limit, PRODUCT)
        close = f"{_absolute(f'{text} - {limit}')} < tolerance"
        if node.to is not None:
            point = self.show(node.to, PRODUCT)
            near = f"{name} <> {self.show(node.to)} -> `|{name} - {point}| < radius -> {close}"
            where = f"exists radius : R, 0 < radius /\\ (forall {name} : R, {near})"
        elif isinstance(node.variable, ex.ScalarSymbol):
            where = f"exists bound : R, forall {name} : R, bound < {name} -> {close}"
        else:
            raise self.refuse(node, "the limit of a sequence")
        return f"forall tolerance : R, 0 < tolerance -> {where}"


def _absolute(body: str) -> str:
    # two bars in a row would be read as one token
    before, after = " " * body.startswith("`|"), " " * body.endswith("|")
    return f"`|{before}{body}{after}|"
