"""A certificate as the proof of the printed theorem, for the reflective checker of typed_words.v.

export_certificate(claim, certificate) == the sentences between `Proof.` and `Qed.`
DEVELOPMENT_FILE, CHECKER              == the file that they load, the theorem that they rest on

Nothing here is trusted: a wrong export is a proof that Rocq refuses. A combination of facts is
closed by the tactic `certificate`, which reads the goal and the facts as they stand and multiplies
them out inside the kernel; what is no combination is a lemma of certificate_steps.v.

Exported are the steps equation, flip, inverse, gram with one root, kernel and invertible, and
conclusion, with facts from equations, alternatives, inverses and reciprocals that a hypothesis
names. Left out, and refused by `Unsupported`: sums of squares with several roots, numbers that are
positive by their form, norms inside a sum, inverses that stand for transposed ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from . import expressions as ex
from . import propositions as pr
from .certificates import Certificate, Chain, Step, Term
from .claims import Claim, symbols
from .evaluation import Unsupported
from .free_algebra import (
    Atoms,
    Polynomial,
    Unreadable,
    Word,
    branches,
    conjuncts,
    monomial_order,
)
from .rocq import printer_of

DEVELOPMENT_FILE = "certificate_steps"
_STEPS = DEVELOPMENT_FILE
CHECKER = "typed_words.Checker.accepts_sound"


def export_certificate(claim: Claim, certificate: Certificate) -> str:
    """The proof of `print_theorem(claim)` that a certificate says.

    Raises
    ------
    Unsupported
        The certificate, or the claim, uses what is not exported.
    """
    return "\n".join(_Export(claim, certificate).sentences())


class _Fact(NamedTuple):
    """A hypothesis or premise: what certificates call it, its name in the proof, what it says."""

    name: str
    hypothesis: str
    statement: pr.Proposition


class _Export:
    """One proof while it is written: the names of the context, and the letters in scope."""

    def __init__(self, claim: Claim, certificate: Certificate):
        self.claim = claim
        self.printer = printer_of(claim)
        self.free = symbols(claim)
        if self.printer.structure == "R" or self.free.indices or self.free.sequences:
            raise self.refuse("only claims on matrices and scalars have one")
        self.taken = set(self.printer.names.values())
        self.branches = branches(claim)
        if len(certificate.branches) != len(self.branches):
            raise self.refuse("it has another number of branches than the claim")
        self.steps = certificate.branches
        self.reached = [0] * len(self.branches)
        self.given = self.introduce(pr.And(claim.given), "given", 1)

    def refuse(self, why: str) -> Unsupported:
        return Unsupported(f"claim {self.claim.id}: the certificate is not exported: {why}")

    def fresh(self, stem: str) -> str:
        while stem in self.taken:
            stem += "_"
        self.taken.add(stem)
        return stem

    def introduce(self, node: pr.Proposition, stem: str, first: int) -> list[_Fact]:
        """The parts of a conjunction, as the facts that certificates and the proof know."""
        numbered = enumerate(conjuncts(node), first)
        return [_Fact(f"{stem} {i}", self.fresh(f"{stem}_{i}"), part) for i, part in numbered]

    # ---- the conclusion
    def sentences(self) -> Iterator[str]:
        symbols = (*self.free.dims, *self.free.scalars, *self.free.matrices)
        sizes = [self.fresh(f"size_{i}") for i, _ in enumerate(self.free.dims, 1)]
        names = ["R", *(self.printer.names[symbol] for symbol in symbols), *sizes]
        yield f"intros {' '.join((*names, *(fact.hypothesis for fact in self.given)))}."
        yield from self.prove(self.claim.then, (), [])

    def prove(
        self, node: pr.Proposition, premises: tuple[pr.Proposition, ...], facts: list[_Fact]
    ) -> Iterator[str]:
        """The proof of a part of the conclusion, under premises that are in the context."""
        match node:
            case pr.And(parts):
                for part in parts[:-1]:
                    yield "split."
                    yield from self.prove(part, premises, facts)
                yield from self.prove(parts[-1], premises, facts)
            case pr.Implies(left, right):
                added = self.introduce(left, "premise", len(facts) + 1)
                yield f"intros {' '.join(fact.hypothesis for fact in added)}."
                yield from self.prove(right, (*premises, left), [*facts, *added])
            case pr.Iff(left, right):
                if isinstance(left, pr.And) or isinstance(right, pr.And):
                    raise self.refuse("an equivalence between conjunctions")
                yield "split."
                yield from self.prove(pr.Implies(left, right), premises, facts)
                yield from self.prove(pr.Implies(right, left), premises, facts)
            case _:
                yield from self.reach(node, premises, facts)

    def reach(
        self, goal: pr.Proposition, premises: tuple[pr.Proposition, ...], facts: list[_Fact]
    ) -> Iterator[str]:
        """The steps of the certificate that lead to one statement of a branch."""
        at = next(i for i, branch in enumerate(self.branches) if branch.premises == premises)
        branch, steps = self.branches[at], self.steps[at]
        chain = Chain(self.claim, branch)
        chain.reached = self.reached[at]
        self.reached[at] += 1
        ends = [i for i, step in enumerate(steps) if step.rule == "conclusion"]
        if len(ends) != len(branch.statements):
            raise self.refuse("it has another number of conclusions than the claim")
        # what leads to several conclusions is written again for each of them
        needed = steps[: ends[chain.reached] + 1]
        yield from _Branch(self, chain, goal, [*self.given, *facts]).run(needed)


class _Branch:
    """The facts of one branch under the names they have in the proof."""

    def __init__(self, export: _Export, chain: Chain, goal: pr.Proposition, facts: list[_Fact]):
        self.export, self.chain, self.goal, self.facts = export, chain, goal, facts
        self.reading = chain.reading
        self.printer = export.printer
        self.known: dict[str, str] = {}
        self.units: list[tuple[Polynomial, str]] = []
        self.kernels: list[str] = []
        self.letters: list[tuple[str, str]] = [
            (symbol.name, self.printer.names[symbol]) for symbol in export.free.matrices
        ]
        self.scalars: list[tuple[str, str]] = [
            (symbol.name, self.printer.names[symbol]) for symbol in export.free.scalars
        ]

    # ---- what is known at the start
    def start(self) -> Iterator[str]:
        for fact in self.facts:
            match fact.statement:
                case pr.Eq():
                    self.known[fact.name] = fact.hypothesis
                case pr.Or((pr.Eq(), pr.Eq())):
                    self.known[fact.name] = name = self.export.fresh(f"{fact.hypothesis}_product")
                    yield f"have {name} := {_STEPS}.product_of_either {fact.hypothesis}."
                case pr.Invertible(body):
                    matrix = self.reading.polynomial(body)
                    yield from self.invertible(matrix, fact.hypothesis, body)
                case pr.Ne(body, ex.Literal(value)) if value == 0:
                    yield from self.reciprocal(body, f"reciprocal_of_ne {fact.hypothesis}")
                case pr.Lt(ex.Literal(value), body) if value == 0:
                    yield from self.reciprocal(body, f"reciprocal_of_gt0 {fact.hypothesis}")

    def reciprocal(self, body: ex.Expression, proof: str) -> Iterator[str]:
        """The equation of 1/body, once `proof` says that it exists."""
        for position, (known, scalar) in enumerate(self.reading.reciprocals, 1):
            if known == self.reading.polynomial(body):
                self.scalars.append((scalar, f"({self.printer.show(body, 0)}^-1)"))
                self.known[f"reciprocal {position}"] = name = self.export.fresh(
                    f"reciprocal_{position}"
                )
                yield f"have {name} := {_STEPS}.{proof}."
                return

    def invertible(
        self, matrix: Polynomial, unit: str, body: ex.Expression | None
    ) -> Iterator[str]:
        """The two equations of an inverse, once `unit` says that it exists."""
        self.units.append((matrix, unit))
        for position, (known, letter) in enumerate(self.reading.inverses, 1):
            if known != matrix:
                continue
            body = body if body is not None else self.inverted(matrix)
            if body is None:
                continue
            self.letters.append((letter, f"(invmx {self.printer.show(body, 0)})"))
            for side in ("left", "right"):
                name = self.export.fresh(f"inverse_{position}_{side}")
                self.known[f"inverse {position} {side}"] = name
                yield f"have {name} := {_STEPS}.inverse_is_{side} {unit}."

    def inverted(self, matrix: Polynomial) -> ex.Expression | None:
        """The matrix as the claim writes it where it inverts it or calls it invertible."""
        for part in self.export.claim.statement:
            bodies = [n.body for n in pr.expressions_in(part) if isinstance(n, ex.Inverse)]
            bodies += [a.body for a in pr.atoms(part) if isinstance(a, pr.Invertible)]
            for body in bodies:
                if self.reading.polynomial(body) == matrix:
                    return body
        return None

    # ---- steps
    def run(self, steps: tuple[Step, ...]) -> Iterator[str]:
        try:
            yield from self.start()
            for position, step in enumerate(steps, 1):
                if step.rule != "conclusion" or position == len(steps):
                    yield from self.take(step, f"lemma {position}")
                self.chain.learn(step)
        except Unreadable as reason:
            raise self.export.refuse(str(reason)) from None

    def take(self, step: Step, fact: str) -> Iterator[str]:
        bodies, name = step.polynomials, self.export.fresh(fact.replace(" ", "_"))
        match step.rule:
            case "equation":
                yield f"have {name} : {self.polynomial(bodies[0])} = 0 :> {self.type(bodies[0])}."
                yield self.combine(step.terms)
            case "flip":
                left, right = (self.polynomial(body, inside=True) for body in bodies)
                yield f"have {name} : {right} *m {left} = 1%:M."
                yield f"apply: rule_flip. {self.combine(step.terms)}"
            case "gram" if len(bodies) == 1 and not bodies[0].is_scalar:
                root = self.polynomial(bodies[0])
                yield f"have {name} : {root} = 0 :> {self.type(bodies[0])}."
                yield f"apply: rule_gram. {self.combine(step.terms, 1 / step.weights[0])}"
            case "gram" if len(bodies) == 1 and bodies[0].shape == (1, 1):
                yield f"have {name} : {self.polynomial(bodies[0])} = 0 :> R."
                combination = self.combine(step.terms, 1 / step.weights[0])
                yield f"apply: {_STEPS}.root_of_square. {combination}"
            case "inverse":
                matrix, other = (self.polynomial(body, inside=True) for body in bodies)
                known = self.inverted(bodies[0])
                if known is not None:
                    matrix = f"({self.printer.show(known, 50)})"
                yield f"have {name} : {matrix} \\in unitmx."
                rule = f"(@{_STEPS}.unit_of_inverse R _ {matrix} {other})"
                yield f"apply: {rule}. {self.combine(step.terms)}"
                yield from self.invertible(bodies[0], name, known)
                return
            case "kernel":
                body = self.inverted(bodies[0])
                matrix = self.polynomial(bodies[0])
                text = matrix if body is None else self.printer.show(body, 50)
                count = len(self.chain.kernels) + 1
                vector = self.export.fresh(f"kernel_{count}")
                equation = self.export.fresh(f"kernel_{count}_equation")
                self.kernels.append(name)
                yield f"have {name} : ({text}) \\in unitmx."
                yield f"apply: {_STEPS}.unit_of_kernel => {vector} {equation}."
                letter = f"kernel {count}"
                self.letters.append((letter, vector))
                self.known[letter] = equation
                return
            case "invertible":
                unit = self.kernels.pop()
                yield self.combine(step.terms)
                self.letters = [(k, v) for k, v in self.letters if not k.startswith("kernel ")]
                # what was learnt about the vector is out of scope with it
                self.known = {
                    k: v for k, v in self.known.items() if not k.startswith(("kernel", "lemma"))
                }
                yield from self.invertible(bodies[0], unit, None)
                return
            case "conclusion":
                yield from self.conclude(step)
                return
            case _:
                raise self.export.refuse(f"the step {step.rule}")
        self.known[fact] = name

    def conclude(self, step: Step) -> Iterator[str]:
        match self.goal:
            case pr.Invertible(body):
                matrix = self.reading.polynomial(body)
                for known, unit in self.units:
                    if known == matrix:
                        yield f"exact: {unit}."
                        return
                raise self.export.refuse(f"`{self.goal}` is known by its transpose")
            case pr.Or((pr.Eq(), pr.Eq())):
                yield f"apply: {_STEPS}.either_of_product."
            case pr.Eq(left, right) if _is_norm(left) and _is_norm(right):
                yield f"apply: {_STEPS}.equal_squares."
            case pr.Eq():
                pass
            case _:
                raise self.export.refuse(f"the conclusion `{self.goal}`")
        yield self.combine(step.terms)

    # ---- combinations
    def combine(self, terms: tuple[Term, ...], factor: Fraction = Fraction(1)) -> str:
        """The tactic that multiplies out Σ coefficient · left · fact · right."""
        names = self.printer.names
        facts = list(dict.fromkeys(term.fact for term in terms))
        for fact in facts:
            if fact not in self.known:
                raise self.export.refuse(f"the fact {fact!r}")
        uses = "; ".join(self.use(term, facts.index(term.fact), factor) for term in terms)
        sizes = _tuple([names[d] for d in self.export.free.dims])
        letters = _tuple([text for _, text in self.letters])
        parameters = _tuple([text for _, text in self.scalars])
        hypotheses = _tuple([self.known[fact] for fact in facts])
        steps = f"([:: {uses}] : typed_words.certificate)" if uses else "(@nil typed_words.step)"
        return f"certificate {sizes} {letters} {parameters} {hypotheses} {steps}."

    def use(self, term: Term, fact: int, factor: Fraction) -> str:
        left, right = term.left, term.right
        body = self.chain.facts[term.fact]
        if term.beside is not None:
            alone = not left and not right and (body.is_scalar or body.shape == (1, 1))
            cuts = self.chain.alphabet.cuts(term.beside)
            if cuts:
                left, right = term.beside[: cuts[0]] + left, right + term.beside[cuts[0] :]
            elif alone:
                left = term.beside
            elif term.beside:
                raise self.export.refuse("a scalar product beside a matrix without vectors")
        coefficients = "; ".join(
            self.coefficient(value * factor, atoms) for value, atoms in term.coefficient
        )
        flag = "true" if term.transposed else "false"
        words = (self.word(left), f"{fact} {flag}", self.word(right))
        return f"typed_words.Use [:: {coefficients}] {' '.join(words)}"

    def coefficient(self, value: Fraction, atoms: Atoms) -> str:
        scalars = [name for name, _ in self.scalars]
        powers: dict[int, int] = {}
        loops: list[str] = []
        for atom in atoms:
            if isinstance(atom, tuple):
                loops.append(self.word(atom))
            elif atom in scalars:
                powers[scalars.index(atom)] = powers.get(scalars.index(atom), 0) + 1
            else:
                raise self.export.refuse(f"the scalar {atom!r}")
        listed = _list([f"typed_words.Pow {k} {e}" for k, e in powers.items()])
        return f"typed_words.Coef ({value.numerator}) {value.denominator} {listed} {_list(loops)}"

    def word(self, word: Word) -> str:
        known = [name for name, _ in self.letters]
        for name, _ in word:
            if name not in known:
                raise self.export.refuse(f"the letter {name!r}")
        return _list(
            [f"typed_words.{'Bwd' if turned else 'Fwd'} {known.index(n)}" for n, turned in word]
        )

    # ---- polynomials as terms
    def type(self, body: Polynomial) -> str:
        return "R" if body.is_scalar and body.shape == (1, 1) else self.printer.type(body.shape)

    def polynomial(self, body: Polynomial, *, inside: bool = False) -> str:
        if not body.terms:
            return f"(0 : {self.type(body)})"
        scalar = self.type(body) == "R"
        parts = []
        for key in sorted(body.terms, key=monomial_order):
            atoms, word = key
            value = body.terms[key]
            factors = [f"{value.numerator}%:R" if value > 0 else f"(- {-value.numerator}%:R)"]
            if value.denominator != 1:
                factors.append(f"{value.denominator}%:R^-1")
            factors += [self.atom(atom) for atom in atoms]
            number = " * ".join(factors)
            if not scalar:
                text = " *m ".join(self.letter(letter) for letter in word) if word else "1%:M"
                number = text if number == "1%:R" and word else f"({number}) *: ({text})"
            parts.append(f"({number})" if inside or len(body.terms) > 1 else number)
        text = " + ".join(parts)
        return f"({text} : {self.type(body)})" if inside else text

    def atom(self, atom: str | Word) -> str:
        if isinstance(atom, tuple):
            return f"({' *m '.join(self.letter(letter) for letter in atom)}) 0 0"
        for name, text in self.scalars:
            if name == atom:
                return text
        raise self.export.refuse(f"the scalar {atom!r}")

    def letter(self, letter: tuple[str, bool]) -> str:
        name, turned = letter
        for known, text in self.letters:
            if known == name:
                return f"{text}^T" if turned else text
        raise self.export.refuse(f"the letter {name!r}")


def _is_norm(node: ex.Expression) -> bool:
    while isinstance(node, ex.Named):
        node = node.body
    return isinstance(node, ex.Norm)


def _tuple(parts: list[str]) -> str:
    return f"({', '.join(parts)})" if len(parts) > 1 else parts[0] if parts else "tt"


def _list(parts: list[str]) -> str:
    return f"[:: {'; '.join(parts)}]" if parts else "[::]"
