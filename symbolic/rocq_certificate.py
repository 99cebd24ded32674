"""A certificate as the proof of the printed theorem, for the reflective checker of typed_words.v.

export_certificate(claim, certificate) == the sentences between `Proof.` and `Qed.`
DEVELOPMENT_FILE, CHECKER              == the file that they load, the theorem that they rest on

Nothing here is trusted: a wrong export is a proof that Rocq refuses. A combination of facts is
closed by the tactic `certificate`, which reads the goal and the facts as they stand and multiplies
them out inside the kernel; what is no combination is a lemma of certificate_steps.v.

Left out, and refused by `Unsupported`: matrices of ones of several columns, and sizes as numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from . import expressions as ex
from . import propositions as pr
from .certificates import Certificate, Chain, Step, Term
from .claims import Claim, plain_body, symbols
from .evaluation import Unsupported
from .free_algebra import (
    Atoms,
    Branch,
    Polynomial,
    Unreadable,
    Word,
    branches,
    conjuncts,
    monomial_order,
)
from .rocq import printer_of
from .rocq_spellings import Spellings, nonzero

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
        if self.printer.structure.endswith("R") or self.free.indices or self.free.sequences:
            raise self.refuse("only claims on matrices and scalars have one")
        self.taken = set(self.printer.names.values())
        self.branches = branches(claim)
        if len(certificate.branches) != len(self.branches):
            raise self.refuse("it has another number of branches than the claim")
        self.steps = certificate.branches
        self.reached = [0] * len(self.branches)
        self.sizes = {dim: self.fresh(f"size_{i}") for i, dim in enumerate(self.free.dims, 1)}
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
        names = ["R", *(self.printer.names[symbol] for symbol in symbols), *self.sizes.values()]
        given = _patterns(pr.And(self.claim.given), [fact.hypothesis for fact in self.given])
        yield f"intros {' '.join((*names, *given))}."
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
                yield f"intros {' '.join(_patterns(left, [f.hypothesis for f in added]))}."
                yield from self.prove(right, (*premises, left), [*facts, *added])
            case pr.Iff(left, right):
                yield "split."
                for side, other in ((left, right), (right, left)):
                    added = self.introduce(side, "premise", len(facts) + 1)
                    # here a conjunction is one premise, taken apart as it is nested
                    yield f"intros {_pattern(side, [fact.hypothesis for fact in added])}."
                    yield from self.prove(other, (*premises, side), [*facts, *added])
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
        yield from _Branch(self, branch, chain, goal, [*self.given, *facts]).run(needed)


def _is_product_of_ones(node: ex.Expression) -> bool:
    """What a certificate reads as 𝟏𝟏ᵀ or 𝟏ᵀ𝟏; to Rocq it is a term of its own."""
    return isinstance(node, ex.SizeOf) or (isinstance(node, ex.Ones) and node.columns != 1)


def _expressions(claim: Claim) -> Iterator[ex.Expression]:
    for part in claim.statement:
        for atom in pr.atoms(part):
            for node in atom.expressions:
                yield from ex.walk(plain_body(node))


class _Branch:
    """The facts of one branch under the names they have in the proof."""

    def __init__(
        self,
        export: _Export,
        branch: Branch,
        chain: Chain,
        goal: pr.Proposition,
        facts: list[_Fact],
    ):
        self.export, self.chain, self.goal, self.facts = export, chain, goal, facts
        self.reading = chain.reading
        self.printer = export.printer
        self.known: dict[str, str] = {}
        self.units: list[tuple[Polynomial, str, ex.Expression | None]] = []
        self.kernels: list[tuple[str, dict[str, str], int]] = []
        self.spellings = Spellings(export.claim, branch, chain.reading)
        self.letters, self.scalars = self.spellings.letters, self.spellings.scalars

    # ---- what is known at the start
    def start(self) -> Iterator[str]:
        """One spelling for each inverse, norm and quotient, then what the hypotheses say."""
        if any(map(_is_product_of_ones, _expressions(self.export.claim))):
            raise self.export.refuse("a matrix of ones, or a size as a number")
        names = " ".join(fact.hypothesis for fact in self.facts)
        places = f" in {names} *" if names else ""
        for change in self.spellings.changes():
            name = self.export.fresh("spelling")
            yield f"have {name} : {change.equation}."
            proof = " | ".join([self.combine(()).removesuffix(".")] * change.goals)
            yield f"apply: {change.lemma}; [{proof}]."
            yield f"rewrite ?{name}{places}."
        for fact in self.facts:
            match fact.statement:
                case pr.Eq():
                    if fact.name in self.chain.facts:
                        yield from self.learn(fact.name, fact.hypothesis)
                case pr.Or(parts):
                    if fact.name in self.chain.facts:
                        name = self.export.fresh(f"{fact.hypothesis}_product")
                        yield from self.product(parts, fact.hypothesis, name)
                        yield from self.learn(fact.name, name)
                case pr.Invertible(body):
                    matrix = self.spellings.polynomial(body)
                    if matrix is not None:
                        node = self.spellings.usual(body)
                        yield from self.invertible(matrix, fact.hypothesis, node)
                case pr.Ne() | pr.Lt():
                    yield from self.given_nonzero(fact)
        for position, (vector, name) in enumerate(self.reading.norms, 1):
            if name in self.spellings.norms:
                known = self.export.fresh(f"norm_{position}")
                body = self.spellings.text(self.spellings.norms[name])
                yield f"have {known} := {_STEPS}.square_of_norm {body}."
                self.known[f"norm {position}"] = known
            elif vector:
                raise self.export.refuse(f"the norm {name!r}")
        for position, (_, name) in enumerate(self.reading.reciprocals, 1):
            if f"reciprocal {position}" not in self.known and name in self.spellings.divisors:
                body = self.spellings.text(self.spellings.divisors[name])
                yield from self.positive(position, body)

    def given_nonzero(self, fact: _Fact) -> Iterator[str]:
        """The equation of 1/number for a number that a hypothesis says is not 0."""
        found = nonzero(fact.statement, fact.hypothesis)
        body = self.spellings.polynomial(found.number) if found else None
        for position, (known, _) in enumerate(self.reading.reciprocals, 1):
            if found and known == body and f"reciprocal {position}" not in self.known:
                name = self.export.fresh(f"reciprocal_{position}")
                self.known[f"reciprocal {position}"] = name
                yield f"have {name} := {_STEPS}.{found.proof}."

    def positive(self, position: int, body: str) -> Iterator[str]:
        """The equation of 1/body for a number that is positive by its form."""
        positive = self.export.fresh(f"positive_{position}")
        yield f"have {positive} : 0 < {body}."
        yield f"{_STEPS}.form_gt0."
        name = self.export.fresh(f"reciprocal_{position}")
        yield f"have {name} := {_STEPS}.reciprocal_of_gt0 {positive}."
        self.known[f"reciprocal {position}"] = name

    def invertible(
        self, matrix: Polynomial, unit: str, body: ex.Expression | None
    ) -> Iterator[str]:
        """The two equations of an inverse, once `unit` says that `body` has one."""
        self.units.append((matrix, unit, body))
        mirrored = self.chain.alphabet.transpose(matrix)
        for position, (known, letter) in enumerate(self.reading.inverses, 1):
            if known not in (matrix, mirrored) or f"inverse {position} left" in self.known:
                continue
            first = self.spellings.inverted.get(letter)
            if first is None:
                self.letters.append((letter, f"(invmx {self.polynomial(known, inside=True)})"))
            if first is None or first != body or known != matrix:
                text = self.written(known, first)
                name = self.export.fresh(f"unit_{position}")
                yield f"have {name} : {text} \\in unitmx."
                lemma = "unit_as" if known == matrix else "unit_as_transposed"
                yield f"apply: ({_STEPS}.{lemma} {unit}). {self.combine(())}"
                unit = name
            for side in ("left", "right"):
                name = self.export.fresh(f"inverse_{position}_{side}")
                self.known[f"inverse {position} {side}"] = name
                yield f"have {name} := {_STEPS}.inverse_is_{side} {unit}."

    def written(self, matrix: Polynomial, node: ex.Expression | None) -> str:
        """A matrix as it is spelled, or as the polynomial that it is."""
        if node is not None:
            return f"({self.spellings.text(node, 50)})"
        return self.polynomial(matrix, inside=True)

    def spelled(self, matrix: Polynomial) -> ex.Expression | None:
        """The matrix as the claim writes it where it inverts it or calls it invertible."""
        for known, letter in self.reading.inverses:
            if known == matrix:
                return self.spellings.inverted.get(letter)
        return None

    def learn(self, fact: str, name: str) -> Iterator[str]:
        """Remember an equation; c I = 0 says c = 0 since sizes are not 0."""
        body = self.chain.facts[fact]
        self.known[fact] = name
        if body and body.is_scalar and body.shape != (1, 1):
            size = body.shape[0]
            number = self.polynomial(Polynomial((1, 1), body.terms), inside=True)
            if isinstance(size, ex.SizeProduct):
                raise self.export.refuse("a size that is a product")
            proof = "isT" if isinstance(size, int) else self.export.sizes[size]
            scalar = self.export.fresh(f"{name}_scalar")
            yield f"have {scalar} : {number} = 0 :> R."
            yield f"apply: ({_STEPS}.scalar_of_identity {proof})."
            flag = "typed_words.Use [:: typed_words.Coef (1) 1 [::] [::]] [::] 0 false [::]"
            yield self.tactic([name], [flag])
            self.known[fact] = scalar

    # ---- alternatives
    def differences(self, parts: Sequence[pr.Proposition]) -> list[tuple[str, str]]:
        """For each equation between numbers the difference of its sides, and how they relate."""
        found = []
        for part in parts:
            if not isinstance(part, pr.Eq) or part.left.shape not in (None, (1, 1)):
                raise self.export.refuse(f"the alternative `{part}`")
            left, right = (self.spellings.usual(side) for side in (part.left, part.right))
            node: ex.Expression = ex.Sub(left, right)
            if part.left.shape is None:
                found.append((f"({self.spellings.text(node, 50)} : R)", ""))
            else:
                found.append((f"({self.spellings.text(ex.Entry(node), 50)})", "_mx"))
        return found

    def product(self, parts: Sequence[pr.Proposition], either: str, name: str) -> Iterator[str]:
        """a = b or c = d or … gives (a − b)((c − d) …) = 0."""
        found = self.differences(parts)
        yield f"have {name} : {_product(found)} = 0."
        if len(found) == 1:
            yield f"exact: ({_STEPS}.difference_of_eq{found[0][1]} {either})."
            return
        case, proofs = self.export.fresh("case"), []
        for position, (_, kind) in enumerate(found):
            last = position == len(found) - 1
            proof = f"({_STEPS}.difference_of_eq{kind} {case})"
            proof = proof if last else f"({_STEPS}.product_head _ {proof})"
            for _ in range(position):
                proof = f"({_STEPS}.product_tail _ {proof})"
            proofs.append(f"exact: {proof}")
        pattern = case
        for _ in found[1:]:
            pattern = f"[{case} | {pattern}]"
        yield f"case: {either} => {pattern}; [{' | '.join(proofs)}]."

    def either(self, parts: Sequence[pr.Proposition], name: str) -> Iterator[str]:
        """The converse: one of the factors is 0."""
        found = self.differences(parts)
        for _, kind in found[:-1]:
            case, rest = self.export.fresh("case"), self.export.fresh("rest")
            yield (
                f"case: ({_STEPS}.factor_of_product {name}) => [{case} | {rest}]; "
                f"[left; exact: ({_STEPS}.eq_of_difference{kind} {case}) | right]."
            )
            name = rest
        yield f"exact: ({_STEPS}.eq_of_difference{found[-1][1]} {name})."

    # ---- steps
    def run(self, steps: tuple[Step, ...]) -> Iterator[str]:
        try:
            yield from self.start()
            for position, step in enumerate(steps, 1):
                if step.rule == "positive":
                    yield from self.positive_step(step)
                    continue
                if step.rule != "conclusion" or position == len(steps):
                    yield from self.take(step, f"lemma {position}")
                else:
                    self.chain.learn(step)
        except Unreadable as reason:
            raise self.export.refuse(str(reason)) from None

    def take(self, step: Step, fact: str) -> Iterator[str]:
        bodies, name = step.polynomials, self.export.fresh(fact.replace(" ", "_"))
        match step.rule:
            case "equation":
                yield f"have {name} : {self.polynomial(bodies[0])} = 0 :> {self.type(bodies[0])}."
                yield from self.closed(step.terms)
                self.chain.learn(step)
                yield from self.learn(fact, name)
            case "flip":
                left, right = (self.polynomial(body, inside=True) for body in bodies)
                yield f"have {name} : {right} *m {left} = 1%:M."
                yield "apply: typed_words.rule_flip."
                yield from self.closed(step.terms)
                self.chain.learn(step)
                yield from self.learn(fact, name)
            case "gram":
                yield from self.gram(step, fact, name)
            case "inverse":
                matrix = self.written(bodies[0], self.spelled(bodies[0]))
                other = self.polynomial(bodies[1], inside=True)
                yield f"have {name} : {matrix} \\in unitmx."
                yield f"apply: (@{_STEPS}.unit_of_inverse R _ {matrix} {other})."
                yield from self.closed(step.terms)
                node = self.spelled(bodies[0])
                self.chain.learn(step)
                yield from self.invertible(bodies[0], name, node)
            case "kernel":
                text = self.written(bodies[0], self.spelled(bodies[0]))
                count = len(self.chain.kernels) + 1
                vector = self.export.fresh(f"kernel_{count}")
                equation = self.export.fresh(f"kernel_{count}_equation")
                self.kernels.append((name, dict(self.known), len(self.letters)))
                yield f"have {name} : {text} \\in unitmx."
                yield f"apply: {_STEPS}.unit_of_kernel => {vector} {equation}."
                letter = f"kernel {count}"
                self.letters.append((letter, vector))
                self.chain.learn(step)
                yield from self.learn(letter, equation)
            case "invertible":
                unit, known, letters = self.kernels.pop()
                yield from self.closed(step.terms)
                # the vector, and what was learnt about it, is out of scope
                self.known = known
                del self.letters[letters:]
                node = self.spelled(bodies[0])
                self.chain.learn(step)
                yield from self.invertible(bodies[0], unit, node)
            case "conclusion":
                yield from self.conclude(step)
                self.chain.learn(step)
            case _:
                raise self.export.refuse(f"the step {step.rule}")

    def gram(self, step: Step, fact: str, name: str) -> Iterator[str]:
        """A sum of squares is zero, so each of them is."""
        bodies, weights = step.polynomials, step.weights
        if len(bodies) == 1 and not bodies[0].is_scalar:
            yield f"have {name} : {self.polynomial(bodies[0])} = 0 :> {self.type(bodies[0])}."
            yield "apply: typed_words.rule_gram."
            yield from self.closed(step.terms, 1 / weights[0])
        elif len(bodies) == 1 and bodies[0].shape == (1, 1):
            yield f"have {name} : {self.polynomial(bodies[0])} = 0 :> R."
            yield f"apply: {_STEPS}.root_of_square."
            yield from self.closed(step.terms, 1 / weights[0])
        else:
            yield from self.squares(step, fact, name)
            return
        self.chain.learn(step)
        yield from self.learn(fact, name)

    def squares(self, step: Step, fact: str, name: str) -> Iterator[str]:
        size = step.polynomials[0].shape[1]
        roots = []
        for body in step.polynomials:
            text = self.polynomial(body, inside=True)
            roots.append(f"({text}%:M : 'M[R]_1)" if self.type(body) == "R" else text)
        total, positive = f"(0 : {self.printer.type((size, size))})", f"(@{_STEPS}.positive0 R _)"
        rests: list[tuple[str, str]] = []
        for root, weight in zip(reversed(roots), reversed(step.weights), strict=True):
            number = self.weight(weight)
            rests.append((total, positive))
            total = f"({number} *: ({root}^T *m {root}) + {total})"
            above = f"ltac:({_STEPS}.form_gt0)"
            above = f"({above} : 0 < {number})"
            positive = f"(@{_STEPS}.positive_square R _ _ _ {root} _ {above} {positive})"
        yield f"have {name} : {total} = 0."
        yield from self.closed(step.terms)
        self.chain.learn(step)
        rest = name
        for place, (body, weight) in enumerate(zip(step.polynomials, step.weights, strict=True), 1):
            _, positive = rests[-place]
            found, other = self.export.fresh(f"{name}_{place}"), self.export.fresh(f"{name}_rest")
            above = f"(ltac:({_STEPS}.form_gt0) : 0 < {self.weight(weight)})"
            yield f"have [{found} {other}] := {_STEPS}.squares_split {above} {positive} {rest}."
            label = fact if len(roots) == 1 else f"{fact}.{place}"
            if self.type(body) == "R":
                number = self.export.fresh(f"{found}_number")
                yield f"have {number} : {self.polynomial(body)} = 0 :> R."
                yield f"apply: (@{_STEPS}.scalar_of_identity R 1 _ isT)."
                use = "typed_words.Use [:: typed_words.Coef (1) 1 [::] [::]] [::] 0 false [::]"
                yield self.tactic([found], [use])
                found = number
            yield from self.learn(label, found)
            rest = other

    def weight(self, value: Fraction) -> str:
        return f"({self.printer.show(ex.Literal(value))} : R)"

    def positive_step(self, step: Step) -> Iterator[str]:
        """A number that is positive as a number and squares; 1/number is a new atom."""
        parts = [f"{self.weight(step.weights[0])}"]
        for body, weight in zip(step.polynomials, step.weights[1:], strict=True):
            root = self.polynomial(body, inside=True)
            square = f"{root} * {root}" if self.type(body) == "R" else f"({root}^T *m {root}) 0 0"
            parts.append(f"{self.weight(weight)} * ({square})")
        before = len(self.reading.reciprocals)
        self.chain.learn(step)
        if len(self.reading.reciprocals) > before:
            total = f"({' + '.join(parts)})"
            self.scalars.append((self.reading.reciprocals[-1][1], f"({total}^-1)"))
            yield from self.positive(before + 1, total)

    def conclude(self, step: Step) -> Iterator[str]:
        match self.goal:
            case pr.Invertible(body):
                yield from self.conclude_invertible(body)
                return
            case pr.Or(parts):
                name = self.export.fresh("product")
                yield f"have {name} : {_product(self.differences(parts))} = 0."
                yield from self.closed(step.terms)
                yield from self.either(parts, name)
                return
            case pr.Eq(left, right) if _is_norm(left) and _is_norm(right):
                yield f"apply: {_STEPS}.equal_norms."
            case pr.Eq(_, right) if self.chain.goal and self.chain.goal.rule == "norm_squares":
                turned = _is_norm(right)
                if turned:
                    yield "apply: esym."
                yield f"apply: {_STEPS}.norm_of_square; first by {_STEPS}.form_ge0."
                yield from self.closed(step.terms, Fraction(-1 if turned else 1))
                return
            case pr.Eq():
                pass
            case _:
                raise self.export.refuse(f"the conclusion `{self.goal}`")
        yield from self.closed(step.terms)

    def conclude_invertible(self, body: ex.Expression) -> Iterator[str]:
        matrix, node = self.reading.polynomial(body), self.spellings.usual(body)
        for known, unit, spelled in self.units:
            if known == matrix and spelled == node:
                yield f"exact: {unit}."
                return
        for known, unit, _ in self.units:
            lemma = "unit_as" if known == matrix else "unit_as_transposed"
            if known in (matrix, self.chain.alphabet.transpose(matrix)):
                yield f"apply: ({_STEPS}.{lemma} {unit}). {self.combine(())}"
                return
        raise self.export.refuse(f"`{self.goal}` is known under another name")

    # ---- combinations
    def closed(self, terms: tuple[Term, ...], factor: Fraction = Fraction(1)) -> Iterator[str]:
        """The sentences that multiply out Σ coefficient · left · fact · right."""
        kept = []
        for term in terms:
            if self.stands_apart(term):
                term, sentences = self.apart(term)
                yield from sentences
            kept.append(term)
        yield self.combine(tuple(kept), factor)

    def stands_apart(self, term: Term) -> bool:
        """Is it a 1×1 product beside a word without a place of size 1 to put it in?"""
        if not term.beside or self.chain.alphabet.cuts(term.beside):
            return False
        body = self.chain.facts[term.fact]
        return bool(term.left or term.right) or not (body.is_scalar or body.shape == (1, 1))

    def apart(self, term: Term) -> tuple[Term, list[str]]:
        """The 1×1 product as an equation of its own, and the term that uses it."""
        alphabet = self.chain.alphabet
        body = self.chain.facts[term.fact]
        body = alphabet.transpose(body) if term.transposed else body
        if term.left:
            factor = alphabet.of_word(term.left, alphabet.shape(term.left))
            body = alphabet.multiply(factor, body)
        if term.right:
            factor = alphabet.of_word(term.right, alphabet.shape(term.right))
            body = alphabet.multiply(body, factor)
        name = self.export.fresh("number")
        fact = f"apart {name}"
        alone = term._replace(coefficient=((Fraction(1), ()),), beside=None)
        sentences = [
            f"have {name} : {self.polynomial(body)} = 0 :> R.",
            self.combine((alone,)),
        ]
        self.chain.facts[fact] = body
        self.known[fact] = name
        return term._replace(left=(), fact=fact, transposed=False, right=()), sentences

    def combine(self, terms: tuple[Term, ...], factor: Fraction = Fraction(1)) -> str:
        """The tactic that multiplies out what fits into one sentence."""
        facts = list(dict.fromkeys(term.fact for term in terms))
        for fact in facts:
            if fact not in self.known:
                raise self.export.refuse(f"the fact {fact!r}")
        uses = [self.use(term, facts.index(term.fact), factor) for term in terms]
        return self.tactic([self.known[fact] for fact in facts], uses)

    def tactic(self, facts: list[str], uses: list[str]) -> str:
        """The sentence that multiplies out the steps `uses` of the named facts."""
        names = self.printer.names
        sizes = _tuple([names[d] for d in self.export.free.dims])
        letters = _tuple([text for _, text in self.letters])
        parameters = _tuple([text for _, text in self.scalars])
        steps = f"([:: {'; '.join(uses)}] : typed_words.certificate)"
        steps = steps if uses else "(@nil typed_words.step)"
        return f"certificate {sizes} {letters} {parameters} {_tuple(facts)} {steps}."

    def use(self, term: Term, fact: int, factor: Fraction) -> str:
        left, right = term.left, term.right
        if term.beside is not None:
            cuts = self.chain.alphabet.cuts(term.beside)
            if cuts:
                left, right = term.beside[: cuts[0]] + left, right + term.beside[cuts[0] :]
            elif term.beside:
                left = term.beside
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


def _patterns(node: pr.Proposition, names: list[str]) -> list[str]:
    """What stands left of an arrow: a notation is one premise, a conjunction several."""
    if not isinstance(node, pr.And):
        return [_pattern(node, names)]
    found, names = [], list(names)
    for part in node.parts:
        count = sum(1 for _ in conjuncts(part))
        found += _patterns(part, names[:count])
        del names[:count]
    return found


def _pattern(node: pr.Proposition, names: list[str]) -> str:
    """The pattern that takes a conjunction apart into facts of these names."""

    def take(part: pr.Proposition) -> str:
        if isinstance(part, pr.Defined):
            return take(part.body)
        if not isinstance(part, pr.And):
            return names.pop(0)
        *firsts, last = part.parts
        text = [take(first) for first in firsts]
        nested = take(last)
        for first in reversed(text):
            nested = f"[{first} {nested}]"
        return nested

    names = list(names)
    return take(node)


def _product(found: list[tuple[str, str]]) -> str:
    """(a · (b · (c …)))."""
    *firsts, last = [text for text, _ in found]
    for first in reversed(firsts):
        last = f"({first} * {last})"
    return last


def _tuple(parts: list[str]) -> str:
    return f"({', '.join(parts)})" if len(parts) > 1 else parts[0] if parts else "tt"


def _list(parts: list[str]) -> str:
    return f"[:: {'; '.join(parts)}]" if parts else "[::]"
