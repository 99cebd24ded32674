"""Completion in a free algebra with traced cofactors: the engine under the search. Untrusted.

Characters == the code between typed words and strings, one character a factor
Poly       == {(scalar factors, word): coefficient}
Use        == an element of the basis between words, as it enters a combination
Completion == a growing basis of the ideal of the facts, with the history of each element
OutOfTime  == raised once the deadline has passed

Strings make looking for factors, concatenating and hashing run in C. A basis element is monic over
the rationals; its leading monomial is the largest word with its largest scalar factor, so that no
parameter is ever divided by. How an element came about is a list of uses of older elements,
expanded only once a goal has been reduced to zero.

Left out: goals, rules and heuristics (search.py).
"""

from __future__ import annotations

import heapq
import time
from bisect import insort
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from . import expressions as ex
from .free_algebra import (
    Alphabet,
    Atom,
    Atoms,
    Polynomial,
    Word,
    multiset,
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


class OutOfTime(Exception):
    """The deadline of a search has passed."""


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
        """The character of a letter."""
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
        """The string of a word."""
        return "".join(map(self.of_letter, word))

    def word(self, text: str) -> Word:
        """The word of a string."""
        return tuple(self.letter[char] for char in text)

    def transpose(self, text: str) -> str:
        """The transpose of a word."""
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
        """The character of a scalar factor."""
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
        """Scalar factors as a sorted string."""
        return "".join(sorted(map(self.of_atom, atoms)))

    def atoms(self, text: str) -> Atoms:
        """The scalar factors of a string."""
        return multiset(self.atom[char] for char in text)

    def of_polynomial(self, body: Polynomial) -> Poly:
        """A polynomial in strings."""
        return {
            (self.of_atoms(atoms), self.of_word(word)): _small(value)
            for (atoms, word), value in body.terms.items()
        }

    def polynomial(self, body: Poly, shape: ex.Shape) -> Polynomial:
        """A polynomial from strings."""
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
        """left · right."""
        total: Poly = {}
        for (s, u), a in left.items():
            for (t, v), b in right.items():
                extra, word = self.normal(u + v)
                key = (merge(s, t, extra), word)
                total[key] = total.get(key, 0) + a * b
        return {key: value for key, value in total.items() if value}

    def transposed(self, body: Poly) -> Poly:
        """The transpose."""
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


def divide(value: Number, by: Number) -> Number:
    """value / by, an int where it is one."""
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
    """A growing basis of the two-sided ideal of the facts, with the history of each element.

    `bodies`, `leads`, `history`, `shapes` describe the elements by number; `sources` names those
    that are facts; `live` maps a leading word to the scalar factors and numbers of the elements
    that reduce; `queue` holds the critical pairs, lowest degree first.
    """

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
            rest = {key: divide(value, top) for key, value in rest.items()}
            history = [use._replace(factor=divide(use.factor, top)) for use in history]
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
                raise OutOfTime
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
