"""One spelling for each inverse, norm and quotient of a claim, for proofs that are exported.

Spellings(claim, branch, reading) == what the letters and atoms of a branch are called in Rocq
Change                            == one spelling that a proof replaces by another

To a certificate (Aᵀ)⁻¹ is the transpose of the letter A⁻¹, and 1/(2a) half of the atom 1/a; in a
printed statement they are terms of their own. The first spelling of each stands; a proof begins
with an equation for every other one and rewrites with it.

Nothing here is trusted: a wrong equation is one that Rocq refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from . import expressions as ex
from . import propositions as pr
from .claims import Claim, plain_body, symbols
from .free_algebra import ONES, Branch, Polynomial, Reading, Unreadable, ratio
from .rocq import printer_of


class Change(NamedTuple):
    """A spelling that is replaced: the equation as Rocq reads it, and what proves it.

    `lemma` leaves as many `goals`, each a combination of no facts.
    """

    equation: str
    lemma: str
    goals: int = 1


class NonZero(NamedTuple):
    """A number that a hypothesis says is not 0; `proof` is of 1/number · number = 1."""

    number: ex.Expression
    proof: str


class Spellings:
    """The names of letters and atoms; grows while `changes` are read."""

    def __init__(self, claim: Claim, branch: Branch, reading: Reading):
        self.claim, self.reading = claim, reading
        self.printer = printer_of(claim)
        free, names = symbols(claim), self.printer.names
        self.letters = [(symbol.name, names[symbol]) for symbol in free.matrices]
        self.letters += [
            (name, self.printer.show(ex.Ones(shape[0], 1), typed=False))
            for (name, transposed), shape in reading.alphabet.shapes.items()
            if name.startswith(ONES) and not transposed
        ]
        self.scalars = [(symbol.name, names[symbol]) for symbol in free.scalars]
        self.inverted: dict[str, ex.Expression] = {}
        self.norms: dict[str, ex.Expression] = {}
        self.divisors: dict[str, ex.Expression] = {}
        self._first: dict[ex.Expression, ex.Expression] = {}
        self._quotients: dict[ex.Expression, ex.Expression] = {}
        # a reading of its own: to read an expression may add inverses to it
        self._probe = Reading(claim, branch)
        self._given = (*claim.given, *branch.premises)

    def text(self, node: ex.Expression, allowed: int = 0) -> str:
        """An expression, typed where its own parts do not fix its type."""
        return self.printer.show(node, allowed, typed=self.printer.pins(node))

    def usual(self, node: ex.Expression) -> ex.Expression:
        """`node` without names, each inverse, norm and quotient in its first spelling."""
        return self._usual(plain_body(node))

    def _usual(self, node: ex.Expression) -> ex.Expression:
        node = ex.rebuild(node, self._usual)
        if isinstance(node, ex.Div) and node.right in self._quotients:
            return ex.Mul(node.left, self._quotients[node.right])
        return self._first.get(node, node)

    def polynomial(self, node: ex.Expression) -> Polynomial | None:
        """The polynomial of an expression, None for what the algebra does not read."""
        try:
            return self._probe.polynomial(node)
        except Unreadable:
            return None

    # ---- other spellings
    def changes(self) -> Iterator[Change]:
        """The spellings to replace, innermost first; each is settled when the next is asked for."""
        for written in dict.fromkeys(self._special()):
            node = self._usual(written)
            body = self.polynomial(node.right if isinstance(node, ex.Div) else node.parts[0])
            if body is None:
                continue
            match node:
                case ex.Inverse():
                    yield from self._inverse(node, body)
                case ex.Norm():
                    yield from self._norm(node, body)
                case ex.Div():
                    yield from self._divisor(node.right, body)

    def _special(self) -> Iterator[ex.Expression]:
        for part in self.claim.statement:
            for atom in pr.atoms(part):
                for node in atom.expressions:
                    yield from _inside(plain_body(node))
                if isinstance(atom, pr.Invertible):
                    yield ex.Inverse(plain_body(atom.body))
                if found := nonzero(atom, ""):
                    yield ex.Div(ex.Literal(Fraction(1)), plain_body(found.number))

    def _inverse(self, node: ex.Inverse, body: Polynomial) -> Iterator[Change]:
        for matrix, name in self.reading.inverses:
            if body == self.reading.alphabet.letter(name) and name in self.inverted:
                inner = self.inverted[name]
                yield self._replace(node, inner, "inverse_of_inverse")
                return
            if body not in (matrix, self.reading.alphabet.transpose(matrix)):
                continue
            if name not in self.inverted:
                first = node.body if body == matrix else ex.Transpose(node.body)
                self.inverted[name] = first
                self.letters.append((name, f"(invmx {self.text(first)})"))
            first = ex.Inverse(self.inverted[name])
            if body != matrix:
                yield self._replace(node, ex.Transpose(first), "inverse_as_transposed")
            elif node != first:
                yield self._replace(node, first, "inverse_as")
            return

    def _norm(self, node: ex.Norm, body: Polynomial) -> Iterator[Change]:
        for vector, name in self.reading.norms:
            if vector != body:
                continue
            if name not in self.norms:
                self.norms[name] = node.body
                self.scalars.append((name, f"({self.text(node, 50)})"))
            elif self.norms[name] != node.body:
                yield self._replace(node, ex.Norm(self.norms[name]), "norm_as")
            return

    def _divisor(self, node: ex.Expression, body: Polynomial) -> Iterator[Change]:
        value = body.constant
        whole = isinstance(node, ex.Literal) and node.value.denominator == 1 and node.value > 0
        if value and not whole:
            number, part = (self._number(ex.Literal(v)) for v in (value, 1 / value))
            self._quotients[node] = ex.Literal(1 / value)
            yield Change(
                f"{self.text(node)}^-1 = {part}",
                f"(@certificate_steps.reciprocal_of_number R _ {number} {part})",
                2,
            )
        for known, name in self.reading.reciprocals:
            factor = ratio(body, known)
            if not factor:
                continue
            if name not in self.divisors and factor == 1:
                self.divisors[name] = node
                self.scalars.append((name, f"({self.text(node)}^-1)"))
            elif name in self.divisors and node != self.divisors[name]:
                first = self.divisors[name]
                quotient = ex.Div(ex.Literal(1 / factor), first)
                yield self._share(node, quotient, 1 / factor, first)
            return

    def _replace(self, node: ex.Expression, by: ex.Expression, lemma: str) -> Change:
        self._first[node] = by
        return Change(self.printer.relation(pr.Eq(node, by)), f"certificate_steps.{lemma}")

    def _share(
        self, node: ex.Expression, quotient: ex.Expression, share: Fraction, first: ex.Expression
    ) -> Change:
        """1/node as a multiple of 1/first."""
        factor, part = (self._number(ex.Literal(value)) for value in (1 / share, share))
        self._quotients[node] = quotient
        return Change(
            f"{self.text(node)}^-1 = {part} * {self.text(first)}^-1 :> R",
            f"(@certificate_steps.reciprocal_as R _ {self.text(first)} {factor} {part})",
            2,
        )

    def _number(self, node: ex.Expression) -> str:
        return f"({self.printer.show(node)} : R)"


def nonzero(fact: pr.Proposition, hypothesis: str) -> NonZero | None:
    """What a hypothesis says to be different from 0, if it does."""
    if not isinstance(fact, pr.Ne | pr.Lt):
        return None
    left, right = fact.left, fact.right
    turned = _is_zero(left)
    if turned:
        left, right = right, left
    alone = _is_zero(right)
    number = left if alone else ex.Sub(left, right)
    if isinstance(fact, pr.Lt):
        if turned and alone:
            return NonZero(number, f"reciprocal_of_gt0 {hypothesis}")
        proof = hypothesis if alone else f"(difference_lt0 {hypothesis})"
        return NonZero(number, f"reciprocal_of_lt0 {proof}")
    proof = f"(not_eq_sym {hypothesis})" if turned else hypothesis
    if not alone:
        proof = f"(difference_neq0 {proof})"
    if number.shape == (1, 1):
        number, proof = ex.Entry(number), f"(entry_neq0 {proof})"
    elif number.shape is not None and number.shape[1] == 1:
        number = ex.Entry(ex.MatMul(ex.Transpose(number), number))
        proof = f"(square_neq0 {proof})"
    elif number.shape is not None:
        return None
    return NonZero(number, f"reciprocal_of_ne {proof}")


def _is_zero(node: ex.Expression) -> bool:
    return isinstance(node, ex.Zero) or (isinstance(node, ex.Literal) and node.value == 0)


def _inside(node: ex.Expression) -> Iterable[ex.Expression]:
    """The inverses, norms and quotients in `node`, inner ones first."""
    for part in node.parts:
        yield from _inside(part)
    if isinstance(node, ex.Inverse | ex.Norm | ex.Div):
        yield node
