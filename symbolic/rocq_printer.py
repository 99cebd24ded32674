"""What the Rocq printers share: connectives, quantifiers, the arithmetic of scalars, parentheses.

Printer           == the base of Matrices (rocq_matrices.py) and Analysis (rocq_analysis.py)
Text              == what is printed, and its precedence level in Rocq
wrap(text, level) == the text, in parentheses where its own level exceeds what its place allows

Left out: names (rocq_names.py), and which printer a claim has (rocq.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeAlias

from . import expressions as ex
from . import propositions as pr
from .claims import Claim, symbols
from .evaluation import Unsupported
from .rocq_names import identifiers

# Rocq's precedence levels
ATOM, POSTFIX, APPLIED, POWER, MINUS, PRODUCT, SUM = 0, 2, 10, 30, 35, 40, 50
RELATION, AND, OR, IFF, ARROW, BINDER = 70, 80, 85, 95, 99, 200

Text: TypeAlias = tuple[str, int]
Known: TypeAlias = frozenset[pr.Differentiable]


class Printer:
    """What both libraries share: connectives, quantifiers, the arithmetic of scalars."""

    def __init__(self, claim: Claim, structure: str):
        self.claim = claim
        self.structure = structure
        self.names = identifiers(claim)

    # ---- the two libraries differ here
    @property
    def preamble(self) -> str:
        """What makes the notations of the statement available."""
        raise NotImplementedError

    def binders(self) -> Iterator[str]:
        """What is quantified, outermost first, each group in parentheses."""
        raise NotImplementedError

    def literal(self, value: Fraction) -> Text:
        """A nonnegative rational number."""
        raise NotImplementedError

    def other(self, node: ex.Expression, typed: bool) -> Text:
        """A node that is not scalar arithmetic. `typed`: its type is known from where it stands."""
        raise NotImplementedError

    def power(self, base: str, exponent: int) -> Text:
        raise NotImplementedError

    def relation(self, node: pr.Proposition) -> str:
        raise NotImplementedError

    def refuse(self, node: Any, why: str) -> Unsupported:
        return Unsupported(
            f"claim {self.claim.id}: no Rocq spelling of {type(node).__name__} `{node}`: {why}"
        )

    # ---- expressions
    def show(self, node: ex.Expression, allowed: int = SUM, *, typed: bool = True) -> str:
        return wrap(self.expression(node, typed), allowed)

    def expression(self, node: ex.Expression, typed: bool = True) -> Text:
        match node:
            case ex.Literal(value) if value >= 0:
                return self.literal(value)
            case ex.Literal(value):
                return f"- {wrap(self.literal(-value), POWER)}", MINUS
            case ex.ScalarSymbol() | ex.MatrixSymbol():
                return self.names[node], ATOM
            case ex.Named(_, body):
                return self.expression(body, typed)
            case ex.Add(left, right) | ex.Sub(left, right):
                sign = "+" if isinstance(node, ex.Add) else "-"
                first = self.show(left, SUM, typed=typed or self.pins(right))
                second = self.expression(right, typed or self.pins(left))
                return f"{first} {sign} {wrap(second, PRODUCT, unless=MINUS)}", SUM
            case ex.Neg(body):
                return f"- {self.show(body, POWER, typed=typed)}", MINUS
            case ex.Mul(left, right) | ex.Div(left, right):
                sign = "*" if isinstance(node, ex.Mul) else "/"
                factors = isinstance(unnamed(left), ex.Mul | ex.Div)
                first = self.show(left, PRODUCT if factors else POWER)
                return f"{first} {sign} {self.show(right, POWER)}", PRODUCT
            case ex.Power(base, exponent):
                return self.power(self.show(base, ATOM), exponent)
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

    def state(self, node: pr.Proposition, known: Known, allowed: int) -> str:
        return wrap(self.proposition(node, known), allowed)

    def premises(self, node: pr.Proposition, known: Known) -> list[str]:
        """What stands left of an arrow: a conjunction as one premise after the other."""
        if isinstance(node, pr.And):
            found = []
            for part in node.parts:
                found += self.premises(part, known)
                known |= _differentiable(part)
            return found
        conjuncts = self.conjuncts(node, known)
        return [wrap(text, IFF) for text in conjuncts]

    def conjuncts(self, node: pr.Proposition, known: Known) -> list[Text]:
        """A relation after the existence of its derivatives; anything else by itself."""
        if not isinstance(node, pr.Eq | pr.Ne | pr.Le | pr.Lt):
            return [self.proposition(node, known)]
        return [*self.existence(node, known), (self.relation(node), RELATION)]

    def existence(self, node: pr.Proposition, known: Known) -> Iterator[Text]:
        return iter(())

    def proposition(self, node: pr.Proposition, known: Known, then: str = " /\\ ") -> Text:
        """`node` and its level; `then` joins what a conjunction joins."""
        match node:
            case pr.Eq() | pr.Ne() | pr.Le() | pr.Lt():
                return conjunction(self.conjuncts(node, known), then)
            case pr.And(parts):
                texts = []
                for part in parts:
                    nested = isinstance(part, pr.And)
                    texts += [self.proposition(part, known)] if nested else []
                    texts += [] if nested else self.conjuncts(part, known)
                    known |= _differentiable(part)
                return conjunction(texts, then)
            case pr.Or(parts):
                if not parts:
                    return "False", ATOM
                texts = [self.state(part, known, RELATION) for part in parts]
                return " \\/ ".join(texts), OR if len(parts) > 1 else RELATION
            case pr.Implies(left, right):
                premises = self.premises(left, known)
                conclusion = self.state(right, known | _differentiable(left), BINDER)
                return " -> ".join([*premises, conclusion]), ARROW
            case pr.Iff(left, right):
                sides = (self.state(side, known, RELATION) for side in (left, right))
                return " <-> ".join(sides), IFF
            case pr.ForAll(variable, body) | pr.Exists(variable, body) if isinstance(
                variable, ex.Expression
            ):
                word = "forall" if isinstance(node, pr.ForAll) else "exists"
                inner = frozenset(d for d in known if not _mentions(d, variable))
                text = self.state(body, inner, BINDER)
                kind = "R" if variable.shape is None else self.type(variable.shape)
                return f"{word} {self.names[variable]} : {kind}, {text}", BINDER
            case pr.Defined(_, _, body):
                return self.proposition(body, known)
        return self.other_proposition(node, known)

    def other_proposition(self, node: pr.Proposition, known: Known) -> Text:
        raise self.refuse(node, "it has no counterpart in this library")


# ---------------------------------------------------------------- small readings


def wrap(text: Text, allowed: int, *, unless: int = -1) -> str:
    """`text` where operands up to level `allowed` stand, but for one of the level `unless`."""
    return text[0] if text[1] <= allowed and text[1] != unless else f"({text[0]})"


def conjunction(texts: list[Text], then: str) -> Text:
    """The texts joined by `then`; True of none."""
    if not texts:
        return "True", ATOM
    if len(texts) == 1:
        return texts[0]
    return then.join(wrap(text, RELATION) for text in texts), AND


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


def unnamed(node: ex.Expression) -> ex.Expression:
    """`node` without the names it stands under."""
    return unnamed(node.body) if isinstance(node, ex.Named) else node


def _differentiable(node: pr.Proposition) -> Known:
    """The differentiability that holds wherever `node` does."""
    if isinstance(node, pr.And):
        return frozenset[pr.Differentiable]().union(*map(_differentiable, node.parts))
    return frozenset({node}) if isinstance(node, pr.Differentiable) else frozenset()


def _mentions(node: pr.Differentiable, variable: ex.Expression) -> bool:
    """Does `variable` occur free?"""
    inside = () if variable == node.variable else ex.walk(node.body)
    return variable in (*ex.walk(node.at), *inside)
