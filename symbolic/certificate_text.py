"""Certificates to read: "conclusion = c₁·l₁·(hypothesis 1)·r₁ + …", as plain text and as LaTeX.

certificate_as_mathematics(claim, certificate) == the lines of the proof
Line                                           == one of them, .plain and .latex

A fact in parentheses stands for "left side − right side", which is zero; each fact that is cited is
explained first. Left out: the check (certificates.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from . import expressions as ex
from . import propositions as pr
from .certificates import Certificate, Chain, Step, Term
from .claims import Claim
from .free_algebra import (
    Atom,
    Atoms,
    Branch,
    Letter,
    Polynomial,
    Reading,
    Word,
    branches,
    conjuncts,
    monomial_order,
)
from .printing import latex, plain


class Line(NamedTuple):
    """A line of a proof, as plain text and as LaTeX without dollar signs."""

    plain: str
    latex: str


def certificate_as_mathematics(claim: Claim, certificate: Certificate) -> tuple[Line, ...]:
    """The lines of a certificate that the checker accepts.

    Parameters
    ----------
    claim : Claim
        The statement.
    certificate : Certificate
        Its certificate; one that `check_certificate` refuses may raise Refused.

    Returns
    -------
    tuple of Line
        The cited facts, then for each step what it says and how it follows.
    """
    lines: list[Line] = []
    for branch, steps in zip(branches(claim), certificate.branches, strict=True):
        if branch.premises:
            lines.append(_both("Assume ", *(_statement(p) for p in branch.premises), "."))
        lines += _Writer(claim, branch).lines(steps)
    return tuple(lines)


class _Writer:
    """The lines of one branch; follows the steps as the checker does."""

    def __init__(self, claim: Claim, branch: Branch):
        self.claim, self.branch = claim, branch
        self.chain = Chain(claim, branch)
        self.reading: Reading = self.chain.reading
        self.told: set[str] = set()

    def lines(self, steps: tuple[Step, ...]) -> Iterator[Line]:
        for position, step in enumerate(steps, 1):
            for name in sorted({term.fact for term in step.terms} - self.told):
                self.told.add(name)
                if not name.startswith("lemma"):
                    yield self.explain(name)
            yield from self.step(position, step)
            self.chain.learn(step)

    def explain(self, name: str) -> Line:
        """What a fact says."""
        kind, _, number = name.partition(" ")
        sources = {"given": self.claim.given, "premise": self.branch.premises}
        if kind in sources:
            facts = [part for fact in sources[kind] for part in conjuncts(fact)]
            return _both(_label(name), ":  ", _statement(facts[int(number) - 1]))
        return _both(_label(name), ":  ", self.polynomial(self.chain.facts[name]), " = 0")

    def step(self, position: int, step: Step) -> Iterator[Line]:
        bodies = [self.polynomial(body) for body in step.polynomials]
        name = f"lemma {position}"
        match step.rule:
            case "kernel":
                vector = f"kernel {len(self.chain.kernels) + 1}"
                yield _both(
                    "Let ", _letter_text((vector, False)), " be a vector with (", bodies[0], ") ",
                    _letter_text((vector, False)), " = 0, not 0 unless ", bodies[0],
                    " is invertible.",
                )  # fmt: skip
                return
            case "positive":
                yield _both(bodies[0], " and the like: a sum of squares that is never 0.")
                return
        target = self.chain.target(step)
        if target is not None:
            left = _both("0") if not target else self.polynomial(target)
            if step.rule == "conclusion" and self.chain.goal is not None:
                left = self.conclusion(self.chain.goal.statement, target)
            yield _both(left, " = ", self.sum(step.terms))
        self.told.add(name)
        match step.rule:
            case "equation":
                yield _both("so (", name, "):  ", bodies[0], " = 0")
            case "gram":
                for place, body in enumerate(bodies, 1):
                    label = name if len(bodies) == 1 else f"{name}.{place}"
                    self.told.add(label)
                    yield _both("a sum of squares is 0, so (", label, "):  ", body, " = 0")
            case "flip":
                product = ("(", bodies[1], ") (", bodies[0], ")")
                yield _both("square factors, so (", name, "):  ", *product, " = I")
            case "invertible":
                yield _both("the kernel is 0, so ", bodies[0], " is invertible")
            case "inverse":
                yield _both("so ", bodies[0], " is invertible, with inverse ", bodies[1])
            case "conclusion" if self.chain.goal is not None:
                yield _both("Hence ", _statement(self.chain.goal.statement), ".")

    def conclusion(self, statement: pr.Proposition, target: Polynomial) -> Line:
        """The difference of the two sides of an equation, as it was written."""
        if isinstance(statement, pr.Eq) and not any(
            isinstance(side, ex.Norm) for side in (statement.left, statement.right)
        ):
            zero = isinstance(statement.right, ex.Zero) or statement.right == ex.Literal(0)
            node = statement.left if zero else ex.Sub(statement.left, statement.right)
            return Line(plain(node), latex(node))
        return self.polynomial(target)

    # ---- terms
    def sum(self, terms: tuple[Term, ...]) -> Line:
        if not terms:
            return Line("0, both sides having one normal form", "0")
        total = Line("", "")
        for term in terms:
            total = _add(total, *self.term(term))
        return total

    def term(self, term: Term) -> tuple[int, Line]:
        """The sign and the text of a term."""
        fact = _label(term.fact)
        if term.transposed:
            fact = Line(fact.plain + "ᵀ", fact.latex + r"^{\top}")
        factors = [self.word(term.left), fact, self.word(term.right)]
        if term.beside is not None:
            factors.append(self.word(term.beside))
        factors = [factor for factor in factors if factor.plain]
        if len(term.coefficient) == 1:
            value, atoms = term.coefficient[0]
            return (-1 if value < 0 else 1), _times(self.scalar(abs(value), atoms), *factors)
        total = Line("", "")
        for value, atoms in term.coefficient:
            scalar = self.scalar(abs(value), atoms)
            total = _add(total, -1 if value < 0 else 1, scalar if scalar.plain else Line("1", "1"))
        return 1, _times(Line(f"({total.plain})", rf"\left({total.latex}\right)"), *factors)

    def polynomial(self, body: Polynomial) -> Line:
        if not body:
            return Line("0", "0")
        total = Line("", "")
        for key in sorted(body.terms, key=monomial_order):
            value, (atoms, word) = body.terms[key], key
            scalar = self.scalar(abs(value), atoms)
            text = self.word(word)
            if not word and (body.shape != (1, 1) or not scalar.plain):
                text = Line("I", "I") if body.shape != (1, 1) else Line("1", "1")
            total = _add(total, -1 if value < 0 else 1, _times(scalar, text))
        return total

    def scalar(self, value: Fraction, atoms: Atoms) -> Line:
        """A coefficient; the number 1 is left out."""
        node = ex.Literal(value)
        number = Line("", "") if value == 1 else Line(plain(node), latex(node))
        return _times(number, *(self.atom(atom) for atom in atoms))

    def atom(self, atom: Atom) -> Line:
        if isinstance(atom, tuple):
            word = self.word(atom)
            return Line(f"({word.plain})", f"({word.latex})")
        for body, name in self.reading.reciprocals:
            if name == atom:
                text = self.polynomial(body)
                return Line(f"1/({text.plain})", rf"\frac{{1}}{{{text.latex}}}")
        for body, name in self.reading.norms:
            if name == atom:
                text = self.polynomial(body)
                return Line(f"‖{text.plain}‖", rf"\left\|{text.latex}\right\|")
        symbol = ex.ScalarSymbol(atom)
        return Line(plain(symbol), latex(symbol))

    def word(self, word: Word) -> Line:
        parts = [self.letter(letter) for letter in word]
        return Line(" ".join(p.plain for p in parts), r"\, ".join(p.latex for p in parts))

    def letter(self, letter: Letter) -> Line:
        for body, name in self.reading.inverses:
            if name == letter[0]:
                text = self.polynomial(body)
                wide = len(body.terms) > 1 or len(next(iter(body.terms))[1]) > 1
                open_, close = ("(", ")") if wide else ("", "")
                mark, exponent = ("⁻ᵀ", r"-\top") if letter[1] else ("⁻¹", "-1")
                return Line(
                    f"{open_}{text.plain}{close}{mark}",
                    f"{open_}{text.latex}{close}^{{{exponent}}}",
                )
        return _letter_text(letter)


def _letter_text(letter: Letter) -> Line:
    name, transposed = letter
    kernel = name.startswith("kernel ")
    symbol = ex.ScalarSymbol(f"kappa_{name.removeprefix('kernel ')}" if kernel else name)
    mark, exponent = ("ᵀ", r"^{\top}") if transposed else ("", "")
    return Line(plain(symbol) + mark, latex(symbol) + exponent)


def _label(name: str) -> Line:
    return Line(f"({name})", rf"(\text{{{name}}})")


def _statement(node: pr.Proposition) -> Line:
    return Line(plain(node), latex(node))


def _both(*parts: str | Line) -> Line:
    """Text and formulas side by side; text is set as such in LaTeX."""
    lines = [Line(p, rf"\text{{{p}}}") if isinstance(p, str) else p for p in parts]
    return Line("".join(p.plain for p in lines), "".join(p.latex for p in lines))


def _times(*factors: Line) -> Line:
    kept = [factor for factor in factors if factor.plain]
    return Line("·".join(f.plain for f in kept), r" \cdot ".join(f.latex for f in kept))


def _add(total: Line, sign: int, term: Line) -> Line:
    def join(before: str, minus: str, text: str) -> str:
        if not before:
            return text if sign > 0 else minus + text
        return f"{before} {'+' if sign > 0 else minus} {text}"

    return Line(join(total.plain, "−", term.plain), join(total.latex, "-", term.latex))
