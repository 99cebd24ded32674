"""The search for certificates: completion with traced cofactors, and rules of finite dimension.

search_certificate(claim) == a Certificate, or a SearchReport that says how far it got
SearchReport              == why the search stopped, and what it had tried

Untrusted: what it finds counts only once certificates.py has multiplied it out. Inside, words and
scalar monomials are strings, one character a factor, so that looking for factors, concatenating and
hashing run in C. A basis element is monic over the rationals; its leading monomial is the largest
word with its largest scalar factor, so that no parameter is ever divided by. How an element came
about is a list of terms over older elements, expanded only once a goal has been reduced to zero.

Left out: trace and rank arguments, order relations, induction.
"""

from __future__ import annotations

import heapq
import time
from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from . import expressions as ex
from . import propositions as pr
from .certificates import Certificate, Chain, Step, Term, canonical, coefficient, rules_used
from .claims import Claim, plain_body, statement_hash
from .free_algebra import (
    Alphabet,
    Atom,
    Atoms,
    Branch,
    Goal,
    Polynomial,
    Unreadable,
    Word,
    branches,
    conjuncts,
    multiset,
    number,
    one,
    plain_polynomial,
    polynomial,
    transpose_word,
)

Number: TypeAlias = int | Fraction
Key: TypeAlias = tuple[str, str]  # scalar factors, word
Poly: TypeAlias = dict[Key, Number]


class Use(NamedTuple):
    """factor · scalars · left · element · right, or that 1×1 product times `beside`."""

    factor: Number
    scalars: str
    left: str
    element: int
    right: str
    beside: str | None


@dataclass(frozen=True)
class SearchReport:
    """Why no certificate came out: `reason` in one sentence, `tried` in the order of trying."""

    reason: str
    tried: tuple[str, ...] = ()

    def __str__(self) -> str:
        tried = f" (tried: {'; '.join(self.tried)})" if self.tried else ""
        return self.reason + tried


class _OutOfTime(Exception):
    pass


# ---------------------------------------------------------------- characters


class Characters:
    """The code between typed words and strings."""

    def __init__(self, alphabet: Alphabet):
        self.alphabet = alphabet
        self.code: dict[tuple[str, bool], str] = {}
        self.letter: dict[str, tuple[str, bool]] = {}
        self.mirror: dict[str, str] = {}
        self.weight: dict[str, int] = {}
        self.starts_at_one: set[str] = set()
        self.ends_at_one: set[str] = set()
        self.atom_code: dict[Atom | str, str] = {}
        self.atom: dict[str, Atom] = {}
        self.piece: dict[str, str] = {}  # of the atoms that are entries
        self.new_pieces: list[str] = []
        self.known: dict[str, Key] = {}
        self.orders: dict[Key, tuple] = {}

    def of_letter(self, letter: tuple[str, bool]) -> str:
        if letter not in self.code:
            name = letter[0]
            for transposed in (False, True):
                char = chr(0x100 + len(self.code))
                self.code[name, transposed], self.letter[char] = char, (name, transposed)
                shape = self.alphabet.shapes[name, transposed]
                self.weight[char] = 1 if 1 in shape else 3
                if shape[0] == 1:
                    self.starts_at_one.add(char)
                if shape[1] == 1:
                    self.ends_at_one.add(char)
            plain, primed = self.code[name, False], self.code[name, True]
            self.mirror[plain], self.mirror[primed] = primed, plain
        return self.code[letter]

    def of_word(self, word: Word) -> str:
        return "".join(map(self.of_letter, word))

    def word(self, text: str) -> Word:
        return tuple(self.letter[char] for char in text)

    def transpose(self, text: str) -> str:
        mirror = self.mirror
        return "".join([mirror[char] for char in reversed(text)])

    def of_piece(self, text: str) -> str:
        """The atom of a 1×1 word."""
        text = min(text, self.transpose(text))
        if text not in self.atom_code:
            char = self._new_atom(text)
            word = self.word(text)
            self.atom[char] = min(word, transpose_word(word))
            self.piece[char] = text
            self.weight[char] = sum(self.weight[c] for c in text)
            self.new_pieces.append(char)
        return self.atom_code[text]

    def of_atom(self, atom: Atom) -> str:
        if isinstance(atom, tuple):
            return self.of_piece(self.of_word(atom))
        key = ("parameter", atom)
        if key not in self.atom_code:
            char = self._new_atom(key)  # type: ignore[arg-type]
            self.atom[char], self.weight[char] = atom, 0
        return self.atom_code[key]  # type: ignore[index]

    def _new_atom(self, key) -> str:
        char = chr(0x4000 + len(self.atom_code))
        self.atom_code[key] = char
        return char

    def of_atoms(self, atoms: Atoms) -> str:
        return "".join(sorted(map(self.of_atom, atoms)))

    def atoms(self, text: str) -> Atoms:
        return multiset(self.atom[char] for char in text)

    def of_polynomial(self, body: Polynomial) -> Poly:
        return {
            (self.of_atoms(atoms), self.of_word(word)): _small(value)
            for (atoms, word), value in body.terms.items()
        }

    def polynomial(self, body: Poly, shape: ex.Shape) -> Polynomial:
        return polynomial(
            shape,
            {(self.atoms(s), self.word(w)): Fraction(value) for (s, w), value in body.items()},
        )

    def normal(self, text: str) -> Key:
        """Scalars and word of a product of letters."""
        if not self.starts_at_one and not self.ends_at_one:
            return "", text
        found = self.known.get(text)
        if found is None:
            found = self.known[text] = self._normal(text)
        return found

    def _normal(self, text: str) -> Key:
        cuts = [i for i, char in enumerate(text) if char in self.starts_at_one]
        if text and text[-1] in self.ends_at_one:
            cuts.append(len(text))
        if len(cuts) < 2:
            return "", text
        pieces = [self.of_piece(text[a:b]) for a, b in pairwise(cuts)]
        return "".join(sorted(pieces)), text[: cuts[0]] + text[cuts[-1] :]

    def rows_are_one(self, text: str) -> bool:
        return text[0] in self.starts_at_one

    def columns_are_one(self, text: str) -> bool:
        return text[-1] in self.ends_at_one

    def order(self, key: Key) -> tuple:
        """The monomial order: the word first, by weight, length and letters, then the scalars."""
        found = self.orders.get(key)
        if found is None:
            scalars, word = key
            weight = self.weight
            found = self.orders[key] = (
                sum([weight[c] for c in word]),
                len(word),
                word,
                sum([weight[c] for c in scalars]),
                len(scalars),
                scalars,
            )
        return found

    # ---- arithmetic
    def product(self, left: Poly, right: Poly) -> Poly:
        total: Poly = {}
        for (s, u), a in left.items():
            for (t, v), b in right.items():
                extra, word = self.normal(u + v)
                key = (merge(s, t, extra), word)
                total[key] = total.get(key, 0) + a * b
        return {key: value for key, value in total.items() if value}

    def transposed(self, body: Poly) -> Poly:
        return {(s, self.transpose(w)): value for (s, w), value in body.items()}


def merge(*parts: str) -> str:
    """The product of scalar monomials."""
    filled = [part for part in parts if part]
    if not filled:
        return ""
    return filled[0] if len(filled) == 1 else "".join(sorted("".join(filled)))


def quotient(whole: str, part: str) -> str | None:
    """whole / part for scalar monomials, None if part does not divide whole."""
    for char in part:
        place = whole.find(char)
        if place < 0:
            return None
        whole = whole[:place] + whole[place + 1 :]
    return whole


def _small(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else value


def _divide(value: Number, by: Number) -> Number:
    if by == 1:
        return value
    if by == -1:
        return -value
    return _small(Fraction(value) / by)


def add_to(total: Poly, key: Key, value: Number) -> None:
    """total += value · key."""
    new = total.get(key, 0) + value
    if new:
        total[key] = new
    else:
        total.pop(key, None)


# ---------------------------------------------------------------- completion


class Completion:
    """A growing basis of the two-sided ideal of the facts, with the history of each element."""

    def __init__(self, characters: Characters, *, deadline: float, degree: int):
        self.chars = characters
        self.deadline, self.degree = deadline, degree
        self.bodies: list[Poly] = []
        self.leads: list[Key] = []
        self.history: list[tuple[Use, ...]] = []
        self.shapes: list[ex.Shape] = []
        self.sources: dict[int, tuple[str, bool]] = {}
        self.live: dict[str, list[tuple[str, int]]] = {}
        self.lengths: tuple[int, ...] = ()
        self.queue: list[tuple] = []
        self.ticks = self.serial = 0
        self.contradiction: int | None = None

    # ---- facts
    def add_fact(self, name: str, body: Polynomial) -> None:
        """A fact, and its transpose where that says more."""
        for transposed in (False, True):
            poly = self.chars.of_polynomial(body)
            if transposed:
                mirrored = self.chars.transposed(poly)
                if mirrored == poly or all(poly.get(k) == -v for k, v in mirrored.items()):
                    return
                poly = mirrored
            if not poly:
                return
            rows, columns = body.shape
            shape = (columns, rows) if transposed else (rows, columns)
            position = self._store(poly, ("", ""), (), shape)
            self.sources[position] = (name, transposed)
            self.derive([Use(1, "", "", position, "", None)])

    def _store(self, body: Poly, lead: Key, history: tuple[Use, ...], shape: ex.Shape) -> int:
        self.shapes.append(shape)
        self.bodies.append(body)
        self.leads.append(lead)
        self.history.append(history)
        return len(self.bodies) - 1

    def value(self, uses: list[Use]) -> Poly:
        """What a combination of elements adds up to."""
        total: Poly = {}
        for use in uses:
            self.add_use(total, use, 1)
        return total

    def add_use(self, total: Poly, use: Use, sign: int) -> list[Key]:
        """total += sign · use; the monomials that are new in it."""
        normal = self.chars.normal
        left, right, scalars, beside = use.left, use.right, use.scalars, use.beside
        factor = sign * use.factor
        new: list[Key] = []
        for (s, w), value in self.bodies[use.element].items():
            extra, w = normal(left + w + right) if left or right else ("", w)
            if scalars or extra:
                s = merge(s, scalars, extra)
            key = (s, w if beside is None else beside)
            before = total.get(key)
            if before is None:
                total[key] = factor * value
                new.append(key)
            elif after := before + factor * value:
                total[key] = after
            else:
                del total[key]
        return new

    def derive(self, uses: list[Use]) -> int | None:
        """Reduce a combination; what is left becomes an element, whose number is returned."""
        body = self.value(uses)
        if not body:
            return None
        rest, spent = self.reduce(body)
        if not rest:
            return None
        history = [*uses, *(use._replace(factor=-use.factor) for use in spent)]
        lead = max(rest, key=self.chars.order)
        top = rest[lead]
        if top != 1:
            rest = {key: _divide(value, top) for key, value in rest.items()}
            history = [use._replace(factor=_divide(use.factor, top)) for use in history]
        position = self._store(rest, lead, tuple(history), self._shape(uses[0]))
        self._enter(position)
        return position

    def _shape(self, use: Use) -> ex.Shape:
        letter, shapes = self.chars.letter, self.chars.alphabet.shapes
        if use.beside is not None:
            word = self.chars.word(use.beside)
            return self.chars.alphabet.shape(word) if word else (1, 1)
        rows, columns = self.shapes[use.element]
        if use.left:
            rows = shapes[letter[use.left[0]]][0]
        if use.right:
            columns = shapes[letter[use.right[-1]]][1]
        return rows, columns

    def is_lemma(self, element: int) -> bool:
        """Must this element be a lemma, being a multiple of I that is used as a number?"""
        return not self.leads[element][1] and self.shapes[element] != (1, 1)

    # ---- reduction
    def reduce(self, body: Poly) -> tuple[Poly, list[Use]]:
        """The normal form of a polynomial, and the uses whose sum was taken away from it."""
        todo, done, spent = dict(body), {}, []
        order = self.chars.order
        agenda = sorted((order(key), key) for key in todo)
        while agenda:
            self.ticks += 1
            if not self.ticks & 31 and time.perf_counter() > self.deadline:
                raise _OutOfTime
            top = agenda.pop()[1]
            if top not in todo:  # cancelled since it was put on the agenda
                continue
            use = self._match(top)
            if use is None:
                done[top] = todo.pop(top)
                continue
            use = use._replace(factor=todo[top])
            for key in self.add_use(todo, use, -1):
                insort(agenda, (order(key), key))
            spent.append(use)
        return done, spent

    def _match(self, key: Key) -> Use | None:
        """A use with leading monomial `key`."""
        scalars, word = key
        live = self.live
        size = len(word)
        for length in self.lengths:
            for place in range(size - length + 1):
                for part, element in live.get(word[place : place + length], ()):
                    rest = quotient(scalars, part) if part else scalars
                    if rest is not None:
                        if length:
                            end = place + length
                            return Use(1, rest, word[:place], element, word[end:], None)
                        return Use(1, rest, "", element, "", word)
                if not length:
                    break
        if scalars and self.chars.piece:
            return self._match_inside(key)
        return None

    def _match_inside(self, key: Key) -> Use | None:
        """The same inside an entry among the scalars, if that makes the monomial smaller."""
        scalars, word = key
        chars = self.chars
        for char in dict.fromkeys(scalars):
            piece = chars.piece.get(char)
            if piece is None:
                continue
            others = scalars.replace(char, "", 1)
            for text in (piece, chars.transpose(piece)):
                for start, end, part, element in self.factors(text):
                    rest = quotient(others, part)
                    if rest is None:
                        continue
                    use = Use(1, rest, text[:start], element, text[end:], word)
                    new: Poly = {}
                    self.add_use(new, use, 1)
                    if new.get(key) == 1 and max(new, key=chars.order) == key:
                        return use
        return None

    def factors(self, text: str) -> Iterator[tuple[int, int, str, int]]:
        """The places at which leading words occur in a word."""
        for length in self.lengths:
            if length:
                for start in range(len(text) - length + 1):
                    for part, element in self.live.get(text[start : start + length], ()):
                        yield start, start + length, part, element

    # ---- critical pairs
    def _enter(self, new: int) -> None:
        scalars, word = lead = self.leads[new]
        if lead == ("", ""):
            self.contradiction = new
        for other_word, entries in list(self.live.items()):
            for entry in list(entries):
                part, old = entry
                if (word in other_word and quotient(part, scalars) is not None) or (
                    word and self._inside(word, part)
                ):
                    entries.remove(entry)
                    self._push(0, [Use(1, "", "", old, "", None)])
            if not entries:
                del self.live[other_word]
        for other_word, entries in list(self.live.items()):
            for part, old in entries:
                self._pairs(new, old, scalars, part, word, other_word)
        self._overlaps(new, new, "", "", word, word)
        self.live.setdefault(word, []).append((scalars, new))
        self.lengths = tuple(sorted({len(w) for w in self.live}))
        if self.chars.piece:
            if word:
                for piece in list(self.chars.piece):
                    self._enter_piece(piece, new)
            else:
                pieces = [c for c in dict.fromkeys(scalars) if c in self.chars.piece]
                for old in self.elements():
                    if self.leads[old][1]:
                        for piece in pieces:
                            self._enter_piece(piece, old)
                            self._pair_inside(new, piece, old)

    def elements(self) -> list[int]:
        """The live elements."""
        return [element for entries in self.live.values() for _, element in entries]

    def _inside(self, word: str, scalars: str) -> bool:
        for char in scalars:
            piece = self.chars.piece.get(char)
            if piece and (word in piece or word in self.chars.transpose(piece)):
                return True
        return False

    def _pairs(self, i: int, j: int, s: str, t: str, u: str, v: str) -> None:
        if u and v:
            self._overlaps(i, j, s, t, u, v)
            self._overlaps(j, i, t, s, v, u)
            for a, b, x, y, p, q in ((i, j, s, t, u, v), (j, i, t, s, v, u)):
                place = q.find(p)  # p inside q, when the scalars forbid a plain reduction
                if place >= 0 and (p != q or a == i):
                    up, down = _cofactors(x, y)
                    left, right = q[:place], q[place + len(p) :]
                    self._push(
                        self._degree(q), [Use(1, up, left, a, right, None),
                                          Use(-1, down, "", b, "", None)]
                    )  # fmt: skip
        elif set(s) & set(t):
            up, down = _cofactors(s, t)
            word = u or v
            first = Use(1, up, "", i, "", None if u else word)
            second = Use(-1, down, "", j, "", None if v else word)
            self._push(self._degree(word) + len(s) + len(t), [first, second])

    def _overlaps(self, i: int, j: int, s: str, t: str, u: str, v: str) -> None:
        """Pairs in which the end of u is the beginning of v."""
        for length in range(1, min(len(u), len(v)) + (i != j and 0)):
            if u.endswith(v[:length]):
                up, down = _cofactors(s, t) if i != j else ("", "")
                right, left = v[length:], u[:-length]
                degree = self._degree(u + right)
                self._push(
                    degree, [Use(1, up, "", i, right, None), Use(-1, down, left, j, "", None)]
                )

    def _enter_piece(self, char: str, element: int) -> None:
        """Products with parts of a known 1×1 word that make numbers of an element."""
        chars = self.chars
        piece = chars.piece[char]
        word = self.leads[element][1]
        for text in dict.fromkeys((piece, chars.transpose(piece))):
            place = text.find(word)
            if place >= 0:
                self._push(
                    self._degree(text),
                    [Use(1, "", text[:place], element, text[place + len(word) :], "")],
                )
            for cut in range(1, len(word)):
                if word[cut] in chars.starts_at_one:
                    head, tail = word[:cut], word[cut:]
                    if text.endswith(head):
                        left = text[: len(text) - len(head)]
                        degree = self._degree(left + word)
                        self._push(degree, [Use(1, "", left, element, "", None)])
                    if text.startswith(tail):
                        right = text[len(tail) :]
                        degree = self._degree(word + right)
                        self._push(degree, [Use(1, "", "", element, right, None)])

    def _pair_inside(self, number: int, char: str, element: int) -> None:
        """The pair of a scalar element with one whose leading word is inside its entry `char`."""
        part, word = self.leads[element]
        for text in (self.chars.piece[char], self.chars.transpose(self.chars.piece[char])):
            place = text.find(word)
            if place >= 0:
                up, down = _cofactors(self.leads[number][0], merge(part, char))
                end = place + len(word)
                first = Use(1, up, "", number, "", "")
                second = Use(-1, down, text[:place], element, text[end:], "")
                self._push(self._degree(text) + len(part), [first, second])

    def _degree(self, word: str) -> int:
        return sum([self.chars.weight[c] for c in word])

    def _push(self, degree: int, uses: list[Use]) -> None:
        if degree <= 3 * self.degree:
            self.serial += 1
            heapq.heappush(self.queue, (degree, self.serial, uses))

    def step(self) -> int | None:
        """Treat one critical pair; the number of a new element, if there is one."""
        while self.chars.new_pieces:
            char = self.chars.new_pieces.pop()
            if len(self.chars.piece[char]) <= self.degree:
                for element in self.elements():
                    if self.leads[element][1]:
                        self._enter_piece(char, element)
        if not self.queue:
            return None
        degree, _, uses = heapq.heappop(self.queue)
        if degree and any(not self._alive(use.element) for use in uses):
            return None
        return self.derive(uses)

    def _alive(self, element: int) -> bool:
        scalars, word = self.leads[element]
        return (scalars, element) in self.live.get(word, ())

    # ---- histories
    def expand(self, uses: Iterable[Use], stops: frozenset[int] = frozenset()) -> dict:
        """The same combination over facts and lemmas: (element, left, right, beside) -> scalars.

        Lemmas are the elements in `stops`, and those that cannot be expanded inside a number.
        """
        pending: dict[int, dict] = {}
        result: dict[tuple, dict[str, Number]] = {}

        def put(use: Use) -> None:
            element = use.element
            if element in self.sources or element in stops or self.is_lemma(element):
                table = result.setdefault((use.element, use.left, use.right, use.beside), {})
            else:
                places = pending.setdefault(use.element, {})
                table = places.setdefault((use.left, use.right, use.beside), {})
            table[use.scalars] = table.get(use.scalars, 0) + use.factor

        for use in uses:
            put(use)
        while pending:
            element = max(pending)
            for (left, right, beside), table in pending.pop(element).items():
                for scalars, factor in table.items():
                    if factor:
                        for inner in self.history[element]:
                            put(self.compose(factor, scalars, left, right, beside, inner))
        return result

    def compose(
        self, factor: Number, scalars: str, left: str, right: str, beside: str | None, inner: Use
    ) -> Use:
        """A use of an element whose history holds `inner`, as a use of the older element."""
        factor = factor * inner.factor
        normal = self.chars.normal
        if inner.beside is None:
            a, left = normal(left + inner.left)
            b, right = normal(inner.right + right)
            return Use(
                factor, merge(scalars, inner.scalars, a, b), left, inner.element, right, beside
            )
        extra, word = normal(left + inner.beside + right)
        scalars = merge(scalars, inner.scalars, extra)
        if beside is not None:
            word = beside
        return Use(factor, scalars, inner.left, inner.element, inner.right, word)


def _cofactors(s: str, t: str) -> tuple[str, str]:
    """What s and t lack to their least common multiple."""
    up, down = t, s
    for char in s:
        if (rest := quotient(up, char)) is not None:
            up = rest
    for char in t:
        if (rest := quotient(down, char)) is not None:
            down = rest
    return up, down


# ---------------------------------------------------------------- proofs


_PAIRS = (30, 150, 600, 2500, 10_000, 40_000)


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
        except _OutOfTime:
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
                raise _OutOfTime
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
            raise _OutOfTime
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
                    yield single, {("", w[cut:]): _divide(-v, constant) for w, v in words.items()}
                elif not other and all(w.endswith(end) for w in words):
                    yield {("", w[:-cut]): _divide(-v, constant) for w, v in words.items()}, single

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


_LONG = 40


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
