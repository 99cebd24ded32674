"""Claims on functions and derivatives, over Coq's real numbers, in Coquelicot's terms.

Analysis == the printer of a claim in which no matrix, size, sequence or index occurs
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from . import expressions as ex
from . import propositions as pr
from .claims import symbols
from .rocq_printer import APPLIED, ATOM, POWER, PRODUCT, Known, Printer, Text, unnamed

ANALYSIS = """\
From Coq Require Import Reals.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope."""

_FUNCTIONS = {"exp": "exp", "log": "ln", "sin": "sin", "cos": "cos", "arctan": "atan"}


class Analysis(Printer):
    """Claims on functions and derivatives, over Coq's real numbers, in Coquelicot's terms."""

    @property
    def preamble(self) -> str:
        """What makes the notations available."""
        return ANALYSIS

    def binders(self) -> Iterator[str]:
        found = symbols(self.claim)
        if found.functions:
            yield f"({' '.join(self.names[f] for f in found.functions)} : R -> R)"
        if found.scalars:
            yield f"({' '.join(self.names[s] for s in found.scalars)} : R)"

    def literal(self, value: Fraction) -> Text:
        whole = value.denominator == 1
        return (str(value.numerator), ATOM) if whole else (str(value).replace("/", " / "), 40)

    def power(self, base: str, exponent: int) -> Text:
        return f"{base} ^ {exponent}", POWER

    def other(self, node: ex.Expression, typed: bool) -> Text:
        match node:
            case ex.Apply(function, argument):
                return f"{self.names[function]} {self.show(argument, ATOM)}", APPLIED
            case ex.Least(left, right) | ex.Greatest(left, right):
                word = "Rmin" if isinstance(node, ex.Least) else "Rmax"
                return f"{word} {self.show(left, ATOM)} {self.show(right, ATOM)}", APPLIED
            case ex.Absolute(body) | ex.SquareRoot(body):
                word = "Rabs" if isinstance(node, ex.Absolute) else "sqrt"
                return f"{word} {self.show(body, ATOM)}", APPLIED
            case ex.Elementary("sigmoid", body):
                return f"1 / (1 + exp (- {self.show(body, POWER)}))", PRODUCT
            case ex.Elementary(name, body):
                return f"{_FUNCTIONS[name]} {self.show(body, ATOM)}", APPLIED
            case ex.Derivative(_, _, at, order):
                which = "Derive" if order == 1 else "Derive_n"
                return self.differential(which, node, at, order), APPLIED
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
        match unnamed(node.body):
            case ex.Apply(function, argument) if argument == node.variable:
                body = self.names[function]
            case _:
                body = f"(fun {self.names[node.variable]} : R => {self.show(node.body)})"
        which = "" if order == 1 else f" {order}"
        return f"{word} {body}{which} {self.show(at, ATOM)}"

    def existence(self, node: pr.Proposition, known: Known) -> Iterator[Text]:
        derivatives = [
            n for e in node.expressions for n in ex.walk(e) if isinstance(n, ex.Derivative)
        ]
        for found in dict.fromkeys(derivatives):
            if found.order == 1 and _exists(found) in known:
                continue
            word = "ex_derive" if found.order == 1 else "ex_derive_n"
            yield self.differential(word, found, found.at, found.order), APPLIED

    def relation(self, node: pr.Proposition) -> str:
        sign = {pr.Eq: "=", pr.Ne: "<>", pr.Le: "<=", pr.Lt: "<"}[type(node)]
        return f" {sign} ".join(self.show(side) for side in node.expressions)

    def other_proposition(self, node: pr.Proposition, known: Known) -> Text:
        if isinstance(node, pr.Differentiable):
            return self.differential("ex_derive", node, node.at, 1), APPLIED
        return super().other_proposition(node, known)


def _exists(node: ex.Derivative) -> pr.Differentiable:
    return pr.Differentiable(node.body, node.variable, node.at)
