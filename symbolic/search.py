"""The search for certificates: completion, and rules of finite dimension and of real numbers.

search_certificate(claim) == a Certificate, or a SearchReport that says how far it got
SearchReport              == why the search stopped, and what it had tried

Untrusted: what it finds counts only once certificates.py has multiplied it out. A goal, and what
remains of it when an inverse at one of its ends is cancelled, is reduced by a basis that grows by
increasing degree (completion.py); between spurts of growth the rules add lemmas.

Left out: trace and rank arguments, order relations, induction.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from . import expressions as ex
from . import propositions as pr
from .certificates import Certificate, Chain, Step, Term, canonical, coefficient, rules_used
from .claims import Claim, plain_body, statement_hash
from .completion import Characters, Completion, Key, OutOfTime, Poly, Use, add_to, divide
from .free_algebra import (
    Atoms,
    Branch,
    Goal,
    Polynomial,
    Unreadable,
    branches,
    conjuncts,
    multiset,
    number,
    one,
    plain_polynomial,
)


@dataclass(frozen=True)
class SearchReport:
    """Why no certificate came out: `reason` in one sentence, `tried` in the order of trying."""

    reason: str
    tried: tuple[str, ...] = ()

    def __str__(self) -> str:
        tried = f" (tried: {'; '.join(self.tried)})" if self.tried else ""
        return self.reason + tried


# critical pairs treated before the rules are tried once more
_PAIRS = (30, 150, 600, 2500, 10_000, 40_000)
# terms from which on shared parts become lemmas
_LONG = 40


class _Target:
    """A polynomial that is to be reduced to zero, and how the goal follows once it is."""

    def __init__(self, body: Poly, before: tuple[Use, ...] = (), left: str = "", right: str = ""):
        self.start, self.rest, self.spent = body, body, []
        self.before, self.left, self.right = before, left, right


class _Prover:
    """The search on one branch of a claim; `chain` holds what is known so far."""

    def __init__(self, claim: Claim, branch: Branch, *, deadline: float, degree: int):
        self.claim, self.branch = claim, branch
        self.deadline, self.degree = deadline, degree
        self.chain = Chain(claim, branch)
        self.reading, self.alphabet = self.chain.reading, self.chain.alphabet
        self.steps: list[Step] = []
        self.tried: list[str] = []
        self.chars = Characters(self.alphabet)
        self.completion = Completion(self.chars, deadline=deadline, degree=degree)
        self.entered: set[str] = set()

    def run(self) -> tuple[Step, ...] | SearchReport:
        try:
            self.enter_facts()
            while self.reading.open:
                matrix = self.reading.open[0]
                if not self.make_invertible(matrix):
                    return self.report(f"{plain_polynomial(matrix)} is not known to be invertible")
            for goal in self.reading.goals:
                if not self.reach(goal):
                    return self.report(f"`{goal.statement}` was not reached")
        except OutOfTime:
            return self.report("out of time")
        return _without_idle_steps(self.steps)

    def report(self, reason: str) -> SearchReport:
        elements = len(self.completion.bodies)
        end = "every critical pair treated" if not self.completion.queue else "pairs left over"
        return SearchReport(reason, (*self.tried, f"completion to {elements} elements, {end}"))

    def reach(self, goal: Goal) -> bool:
        if goal.matrix is not None:
            if not self.knows_inverse(goal.matrix) and not self.make_invertible(goal.matrix):
                return False
            self.add_step(Step("conclusion"))
            return True
        assert goal.zero is not None
        terms = self.prove_zero(goal.zero)
        if terms is None:
            return False
        self.add_step(Step("conclusion", terms=terms))
        return True

    def knows_inverse(self, matrix: Polynomial) -> bool:
        known = (matrix, self.alphabet.transpose(matrix))
        return any(m in known and m not in self.reading.open for m, _ in self.reading.inverses)

    def add_step(self, step: Step) -> None:
        self.steps.append(step)
        self.chain.learn(step)
        self.enter_facts()

    def enter_facts(self) -> None:
        for name, body in list(self.chain.facts.items()):
            if name not in self.entered:
                self.entered.add(name)
                self.completion.add_fact(name, body)

    # ---- equations
    def prove_zero(self, goal: Polynomial) -> tuple[Term, ...] | None:
        """Terms that add up to `goal`, after as many lemma steps as it took."""
        targets = [_Target(self.chars.of_polynomial(goal))]
        shape = goal.shape
        if found := self.look(targets):
            return self.write(found, shape)
        multiples = self.multiples(targets[0].start)
        if found := self.look(multiples):
            return self.write(found, shape)
        rules_tried = False
        for pairs in _PAIRS:
            if found := self.complete(targets, pairs):
                return self.write(found, shape)
            targets, multiples = targets + multiples, []
            if self.completion.contradiction is None:
                while self.use_rules(goal):
                    rules_tried = True
                    if found := self.complete(targets, pairs):
                        return self.write(found, shape)
            if not self.completion.queue:
                break
        if rules_tried:
            self.tried.append("flip and gram lemmas")
        return None

    def complete(self, targets: list[_Target], pairs: int) -> _Target | None:
        completion = self.completion
        if found := self.look(targets):
            return found
        for _ in range(pairs):
            if not completion.queue and not self.chars.new_pieces:
                return None
            if time.perf_counter() > self.deadline:
                raise OutOfTime
            new = completion.step()
            if new is not None and (found := self.look(targets, completion.leads[new])):
                return found
        return None

    def look(self, targets: list[_Target], lead: Key | None = None) -> _Target | None:
        """Reduce the targets; the first that is zero."""
        for target in targets:
            if lead is not None and lead[1]:
                word = lead[1]
                if not any(word in w or (s and self.chars.piece) for s, w in target.rest):
                    continue
            target.rest, spent = self.completion.reduce(target.rest)
            target.spent += spent
            if not target.rest:
                return target
        return None

    def multiples(self, goal: Poly) -> list[_Target]:
        """The goal times M where the inverse of M stands at an end of one of its words."""
        completion, chars = self.completion, self.chars
        where = {source: element for element, source in completion.sources.items()}
        found: list[_Target] = []
        layer = [(_Target(goal), 0)]
        for base, depth in layer:
            for position, (matrix, name) in enumerate(self.reading.inverses, 1):
                body = chars.of_polynomial(matrix)
                for transposed in (False, True):
                    letter = chars.of_letter((name, transposed))
                    factor = chars.transposed(body) if transposed else body
                    for left in (True, False):
                        words = [w for _, w in base.start if w]
                        if not any((w[0] if left else w[-1]) == letter for w in words):
                            continue
                        side = "left" if left != transposed else "right"
                        element = where.get((f"inverse {position} {side}", transposed))
                        if element is None or len(found) >= 10:
                            continue
                        found.append(self.multiple(base, factor, letter, element, left))
                        if depth < 2:
                            layer.append((found[-1], depth + 1))
        return found

    def multiple(
        self, base: _Target, factor: Poly, letter: str, element: int, left: bool
    ) -> _Target:
        """Goal = Z g − Σ c (Z M − I) w: in g words that begin with Z lose it, others gain M."""
        chars = self.chars
        short: Poly = {}
        others: Poly = {}
        for (s, w), value in base.start.items():
            if (w[:1] if left else w[-1:]) == letter:
                add_to(short, (s, w[1:] if left else w[:-1]), value)
            else:
                others[s, w] = value
        product = chars.product(factor, others) if left else chars.product(others, factor)
        for key, value in short.items():
            add_to(product, key, value)
        rest = [
            Use(-value, s, "", element, w, None) if left else Use(-value, s, w, element, "", None)
            for (s, w), value in others.items()
        ]
        lifted = [self.lift(use, base.left, base.right) for use in rest]
        return _Target(
            product,
            (*base.before, *lifted),
            base.left + letter if left else base.left,
            base.right if left else letter + base.right,
        )

    def lift(self, use: Use, left: str, right: str) -> Use:
        if not left and not right:
            return use
        return self.completion.compose(1, "", left, right, None, use)

    def write(self, target: _Target, shape: ex.Shape) -> tuple[Term, ...]:
        """The terms of a target that was reduced to zero."""
        uses = [*target.before]
        uses += [self.lift(use, target.left, target.right) for use in target.spent]
        return self.terms(uses, shape)

    # ---- from uses to terms
    def terms(self, uses: Iterable[Use], shape: ex.Shape) -> tuple[Term, ...]:
        """Uses as the terms of a step, after lemma steps for what is used over and over."""
        uses = list(uses)
        table = self.completion.expand(uses)
        if len(table) > _LONG:
            shared = self.shared(uses)
            for element in sorted(shared):
                self.add_lemma(element)
            table = self.completion.expand(uses)
        for element in sorted({place[0] for place in table} - set(self.completion.sources)):
            self.add_lemma(element)
        return self.collect(table)

    def add_lemma(self, element: int) -> None:
        completion = self.completion
        if element in completion.sources:
            return
        table = completion.expand(completion.history[element])
        for inner in sorted({place[0] for place in table} - set(completion.sources)):
            self.add_lemma(inner)
        body = self.chars.polynomial(completion.bodies[element], completion.shapes[element])
        self.steps.append(Step("equation", (body,), terms=self.collect(table)))
        self.chain.learn(self.steps[-1])
        name = f"lemma {self.chain.steps}"
        self.entered.add(name)
        completion.sources[element] = (name, False)

    def shared(self, uses: list[Use]) -> set[int]:
        """The elements that are used in two places or more, and are worth a lemma."""
        completion = self.completion
        places: dict[int, set] = {}
        seen: set[int] = set()
        todo = list(uses)
        while todo:
            use = todo.pop()
            element = use.element
            if element in completion.sources:
                continue
            places.setdefault(element, set()).add((use.left, use.right, use.beside))
            if element not in seen:
                seen.add(element)
                todo += completion.history[element]
        return {
            element
            for element, found in places.items()
            if len(found) > 1 and len(completion.history[element]) > 1
        }

    def collect(self, table: dict) -> tuple[Term, ...]:
        """A table of places as canonical terms, those of one place added up."""
        completion, chars = self.completion, self.chars
        total: dict[Term, dict[Atoms, Fraction]] = {}
        for (element, left, right, beside), factors in table.items():
            factors = {s: value for s, value in factors.items() if value}
            if not factors:
                continue
            name, transposed = completion.sources[element]
            fact = self.chain.facts[name]
            if fact.is_scalar and beside is None:
                left, right, beside = "", "", left + right
            term = Term(
                (),
                chars.word(left),
                name,
                transposed,
                chars.word(right),
                None if beside is None else chars.word(beside),
            )
            sign, atoms, term = canonical(self.alphabet, fact, term)
            found = total.setdefault(term, {})
            for scalars, value in factors.items():
                key = multiset((*chars.atoms(scalars), *atoms))
                found[key] = found.get(key, Fraction(0)) + sign * value
        terms = [
            term._replace(coefficient=c)
            for term, found in total.items()
            if (c := coefficient(found))
        ]
        return tuple(sorted(terms, key=lambda term: term.place))

    # ---- rules of finite dimension and of the real numbers
    def use_rules(self, goal: Polynomial) -> bool:
        """Add one lemma by a named rule, if one applies and says something new."""
        if time.perf_counter() > self.deadline:
            raise OutOfTime
        return (
            self.flip_given()
            or self.gram(goal)
            or self.flip_derived()
            or self.sum_of_squares()
            or self.positive_factor()
        )

    def is_zero(self, body: Poly) -> list[Use] | None:
        rest, spent = self.completion.reduce(body)
        return None if rest else spent

    def products_given(self) -> Iterator[tuple[Polynomial, Polynomial]]:
        """The factors of hypotheses that were written as X Y = I."""
        for fact in (*self.claim.given, *self.branch.premises):
            for part in conjuncts(fact):
                if not isinstance(part, pr.Eq):
                    continue
                sides = (plain_body(part.left), plain_body(part.right))
                for side, other in (sides, sides[::-1]):
                    if isinstance(side, ex.MatMul) and isinstance(other, ex.Identity):
                        try:
                            yield (
                                self.reading.polynomial(side.left),
                                self.reading.polynomial(side.right),
                            )
                        except Unreadable:
                            continue

    def flip_given(self) -> bool:
        return any(self.flip(a, b) for a, b in self.products_given())

    def flip(self, a: Polynomial, b: Polynomial) -> bool:
        """a b = I gives b a = I for square factors, if that is new and a b = I is known."""
        if a.shape[0] != a.shape[1] or a.shape != b.shape:
            return False
        alphabet, identity = self.alphabet, one(a.shape[0])
        new = alphabet.multiply(b, a) - identity
        if not new or self.is_zero(self.chars.of_polynomial(new)) is not None:
            return False
        known = alphabet.multiply(a, b) - identity
        spent = self.is_zero(self.chars.of_polynomial(known))
        if spent is None:
            return False
        self.add_step(Step("flip", (a, b), terms=self.terms(spent, a.shape)))
        return True

    def flip_derived(self) -> bool:
        """The same for elements of the basis that factor as a q = c I."""
        for element in sorted(
            self.completion.elements(), key=lambda e: len(self.completion.leads[e][1])
        ):
            body, shape = self.completion.bodies[element], self.completion.shapes[element]
            if shape[0] != shape[1] or any(s for s, _ in body) or ("", "") not in body:
                continue
            for a, b in self.factorings(body):
                left, right = (self.chars.polynomial(p, shape) for p in (a, b))
                if self.flip(left, right):
                    return True
        return False

    def factorings(self, body: Poly) -> Iterator[tuple[Poly, Poly]]:
        """Square a, b with body = a b − I up to a rational factor, a or b a single word."""
        constant = body["", ""]
        words = {w: value for (_, w), value in body.items() if w}
        first = next(iter(words))
        shapes, letter = self.alphabet.shapes, self.chars.letter
        for cut in range(1, min(map(len, words)) + (len(words) > 1)):
            head, tail = first[:cut], first[-cut:]
            for end, other in ((head, True), (tail, False)):
                start, stop = shapes[letter[end[0]]][0], shapes[letter[end[-1]]][1]
                if start != stop:
                    continue
                single: Poly = {("", end): 1}
                if other and all(w.startswith(end) for w in words):
                    yield single, {("", w[cut:]): divide(-v, constant) for w, v in words.items()}
                elif not other and all(w.endswith(end) for w in words):
                    yield {("", w[:-cut]): divide(-v, constant) for w, v in words.items()}, single

    def gram(self, goal: Polynomial) -> bool:
        """cᵀc = 0 gives c = 0, for the goal, its multiples by a letter, and the letters."""
        for root in self.roots(goal):
            poly = self.chars.of_polynomial(root)
            if self.is_zero(poly) is not None:
                continue
            for candidate in (root, self.alphabet.transpose(root)):
                if len(candidate.terms) > 15:
                    continue
                square = self.alphabet.multiply(self.alphabet.transpose(candidate), candidate)
                spent = self.is_zero(self.chars.of_polynomial(square))
                if spent is not None:
                    terms = self.terms(spent, square.shape)
                    self.add_step(Step("gram", (candidate,), (Fraction(1),), terms))
                    return True
        return False

    def roots(self, goal: Polynomial) -> Iterator[Polynomial]:
        yield goal
        alphabet = self.alphabet
        letters = [
            alphabet.of_word((letter,), shape) for letter, shape in list(alphabet.shapes.items())
        ]
        if len(goal.terms) < 12:
            mirrored = alphabet.transpose(goal)
            yield alphabet.multiply(mirrored, goal)
            yield alphabet.multiply(goal, mirrored)
            for letter in letters:
                if letter.shape[0] == goal.shape[1]:
                    yield alphabet.multiply(goal, letter)
                if letter.shape[1] == goal.shape[0]:
                    yield alphabet.multiply(letter, goal)
        if len(letters) <= 16:
            for letter in letters[::2]:
                yield letter
                if letter.shape[0] == letter.shape[1]:
                    yield alphabet.multiply(letter, letter)

    def sum_of_squares(self) -> bool:
        """Σ w rᵀr = 0 with w > 0, found as an element of the basis, gives r = 0."""
        for use, size in self.candidates():
            body = self.completion.value([use])
            roots = self.square_roots(body)
            if not roots:
                continue
            sign = 1 if min(body.values()) > 0 else -1
            if any(value * sign <= 0 for value in body.values()):
                continue
            if all(self.is_zero({root: 1}) is not None for root in roots):
                continue
            bodies = tuple(
                self.chars.polynomial({root: 1}, self.root_shape(root, size)) for root in roots
            )
            weights = tuple(Fraction(value * sign) for value in body.values())
            terms = self.terms([use._replace(factor=sign)], (size, size))
            self.add_step(Step("gram", bodies, weights, terms))
            return True
        return False

    def candidates(self) -> Iterator[tuple[Use, ex.Size]]:
        """What may be a sum of squares: elements, and vectors times a transposed vector symbol."""
        completion, shapes = self.completion, self.alphabet.shapes
        for element in completion.elements():
            rows, columns = completion.shapes[element]
            if not completion.leads[element][1]:
                yield Use(1, "", "", element, "", ""), 1
            elif rows == columns:
                yield Use(1, "", "", element, "", None), rows
        letters = [letter for letter, shape in shapes.items() if shape[0] == 1 != shape[1]]
        for element in completion.sources:
            for letter in letters:
                if completion.shapes[element] == (shapes[letter][1], 1):
                    yield Use(1, "", self.chars.of_letter(letter), element, "", ""), 1

    def positive_factor(self) -> bool:
        """A reciprocal of c + Σ w rᵀr, c and w > 0, where that is a factor of an element."""
        for element in self.completion.elements():
            factor = self.common_factor(self.completion.bodies[element])
            constant = factor.pop(("", ""), 0)
            roots = self.square_roots(factor)
            if not roots or constant <= 0 or min(factor.values()) <= 0:
                continue
            weights = tuple(Fraction(w) for w in (constant, *factor.values()))
            bodies = tuple(self.chars.polynomial({r: 1}, self.root_shape(r, 1)) for r in roots)
            before = len(self.reading.reciprocals)
            self.add_step(Step("positive", bodies, weights))
            if len(self.reading.reciprocals) > before:
                return True
            self.steps.pop()
            self.chain.steps -= 1
        return False

    def common_factor(self, body: Poly) -> Poly:
        """The scalar polynomial, up to a number, that multiplies every word; {} if none does."""
        by_word: dict[str, Poly] = {}
        for (s, w), value in body.items():
            by_word.setdefault(w, {})[s, ""] = value
        first, *others = by_word.values()
        for other in others:
            if other.keys() != first.keys():
                return {}
            ratios = {Fraction(other[key]) / first[key] for key in first}
            if len(ratios) > 1:
                return {}
        sign = 1 if max(first.values()) > 0 else -1
        return {key: sign * value for key, value in first.items()} if "" not in by_word else {}

    def root_shape(self, root: Key, size: ex.Size) -> ex.Shape:
        word = self.chars.word(root[1])
        return self.alphabet.shape(word) if word else (size, size)

    def square_roots(self, body: Poly) -> list[Key] | None:
        """A root of each monomial, None if one is not a square."""
        roots: list[Key] = []
        for scalars, word in body:
            if word:
                half = word[len(word) // 2 :]
                if scalars or self.chars.transpose(half) + half != word:
                    return None
                roots.append(("", half))
                continue
            piece = self.chars.piece.get(scalars) if len(scalars) == 1 else None
            if piece:
                half = piece[len(piece) // 2 :]
                if self.chars.transpose(half) + half != piece:
                    return None
                roots.append(("", half))
            elif scalars and scalars[::2] == scalars[1::2]:
                roots.append((scalars[::2], ""))
            else:
                return None
        return roots

    # ---- inverses
    def make_invertible(self, matrix: Polynomial) -> bool:
        """Steps that show `matrix` to be invertible."""
        if matrix.shape[0] != matrix.shape[1]:
            return False
        for inverse in self.inverse_candidates(matrix):
            known = self.alphabet.multiply(matrix, inverse) - one(matrix.shape[0])
            spent = self.is_zero(self.chars.of_polynomial(known))
            if spent is not None:
                terms = self.terms(spent, matrix.shape)
                self.add_step(Step("inverse", (matrix, inverse), terms=terms))
                return True
        return self.empty_kernel(matrix)

    def inverse_candidates(self, matrix: Polynomial) -> Iterator[Polynomial]:
        for a, b in list(self.products_given()):
            for left, right in ((a, b), (b, a)):
                if left == matrix:
                    yield right
                if self.alphabet.transpose(left) == matrix:
                    yield self.alphabet.transpose(right)
        if len(matrix.terms) == 1:
            ((atoms, word), value) = next(iter(matrix.terms.items()))
            found = [self.inverse_of_letter(letter) for letter in reversed(word)]
            if not atoms and all(found):
                inverse = tuple(letter for letter in found if letter)
                body = self.alphabet.of_word(inverse, matrix.shape)
                yield self.alphabet.scale(number(1 / value), body)

    def inverse_of_letter(self, letter: tuple[str, bool]) -> tuple[str, bool] | None:
        name, transposed = letter
        for matrix, inverse in self.reading.inverses:
            if matrix == self.alphabet.letter(name):
                return inverse, transposed
            if inverse == name and len(matrix.terms) == 1:
                ((atoms, word), value) = next(iter(matrix.terms.items()))
                if not atoms and len(word) == 1 and value == 1:
                    return word[0][0], word[0][1] != transposed
        return None

    def empty_kernel(self, matrix: Polynomial) -> bool:
        """M x = 0 gives x = 0, so M is invertible."""
        self.add_step(Step("kernel", (matrix,)))
        vector = self.chain.kernels[-1][1]
        self.contract_vectors(vector)
        terms = self.prove_zero(vector)
        if terms is None:
            return False
        self.add_step(Step("invertible", (matrix,), terms=terms))
        return True

    def contract_vectors(self, vector: Polynomial) -> None:
        """Queue xᵀ · (fact) for the facts that are vectors as long as x."""
        word = self.chars.transpose(self.chars.of_word(next(iter(vector.terms))[1]))
        for element in list(self.completion.sources):
            if self.completion.shapes[element] == vector.shape:
                self.completion.derive([Use(1, "", word, element, "", None)])


def _without_idle_steps(steps: list[Step]) -> tuple[Step, ...]:
    """The steps without those lemmas that no later step cites, the names of the others moved up."""
    keep: set[int] = set()
    cited: set[str] = set()
    for position in range(len(steps), 0, -1):
        step = steps[position - 1]
        name = f"lemma {position}"
        lemma = step.rule in ("equation", "gram", "flip")
        if lemma and not any(c == name or c.startswith(name + ".") for c in cited):
            continue
        keep.add(position)
        cited.update(term.fact for term in step.terms)
    moved = {f"lemma {old}": f"lemma {new}" for new, old in enumerate(sorted(keep), 1)}
    return tuple(_rename(steps[position - 1], moved) for position in sorted(keep))


def _rename(step: Step, names: dict[str, str]) -> Step:
    terms = []
    for term in step.terms:
        head, dot, tail = term.fact.partition(".")
        terms.append(term._replace(fact=names.get(head, head) + dot + tail))
    return Step(
        step.rule, step.polynomials, step.weights, tuple(sorted(terms, key=lambda t: t.place))
    )


def search_certificate(
    claim: Claim, *, time_limit: float = 10.0, degree: int = 16
) -> Certificate | SearchReport:
    """A certificate for `claim`, or a report on how far the search got.

    Parameters
    ----------
    claim : Claim
        Hypotheses and conclusion; what is not a matter of polynomials in the hypotheses is ignored.
    time_limit : float
        Seconds after which the search gives up.
    degree : int
        The longest products of matrices that it looks at.

    Returns
    -------
    Certificate or SearchReport
        The certificate has yet to be checked: ``check_certificate(claim, certificate)``.
    """
    deadline = time.perf_counter() + time_limit
    found: list[tuple[Step, ...]] = []
    rules: set[str] = set()
    for branch in branches(claim):
        try:
            prover = _Prover(claim, branch, deadline=deadline, degree=degree)
        except Unreadable as reason:
            return SearchReport(str(reason))
        result = prover.run()
        if isinstance(result, SearchReport):
            return result
        if prover.completion.contradiction is not None and not branch.premises:
            return SearchReport("the hypotheses contradict each other: they imply 1 = 0")
        found.append(result)
        rules |= rules_used(prover.reading, result)
    return Certificate(claim.id, statement_hash(claim), tuple(sorted(rules)), tuple(found))
