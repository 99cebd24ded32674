"""Noncommutative polynomials with typed words: what matrix identities mean in every dimension.

Letter      == a matrix symbol or its transpose, (name, transposed)
Word        == a product of letters, from left to right; () is the identity
Atom        == a scalar factor: a parameter (its name), or the entry of a 1×1 word (that word)
Polynomial  == Σ coefficient · atoms · word, all of one shape, coefficients rational and not zero
Alphabet    == the shapes of the letters; normal form, products and transposes
Reading     == what the hypotheses and one branch of the conclusion of a claim say as polynomials
Goal        == what has to be shown: a polynomial is zero, or a matrix is invertible
branches(claim) == the conclusion taken apart: premises, and the statements to show under them
Unreadable  == raised for an expression that has no place in this algebra

A word is in normal form when at most one place in it has size 1: a 1×1 factor is a number, so it
leaves the word and becomes an atom, and it equals its transpose. Scalar parameters are atoms as
well: nothing is ever divided by one. An inverse is a letter Z with Z M = M Z = I, a denominator p
an atom z with z p = 1, a norm an atom r with r² = aᵀa, the matrix of ones a product 𝟏 𝟏ᵀ.

Left out: determinants, traces, ranks, functions, sequences, constant matrices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from . import expressions as ex
from . import propositions as pr
from .claims import Claim, is_positive, plain_body, symbols
from .printing import plain

Letter: TypeAlias = tuple[str, bool]
Word: TypeAlias = tuple[Letter, ...]
Atom: TypeAlias = str | Word
Atoms: TypeAlias = tuple[Atom, ...]
Monomial: TypeAlias = tuple[Atoms, Word]
TRANSPOSED = "^T"
ONES = "𝟏"


class Unreadable(ValueError):
    """An expression or statement that is no matter of words and polynomials."""


# ---------------------------------------------------------------- polynomials


@dataclass(frozen=True)
class Polynomial:
    """Σ coefficient · atoms · word. Build it with `polynomial`, which drops zeros."""

    shape: ex.Shape
    terms: Mapping[Monomial, Fraction]

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: Polynomial) -> Polynomial:
        return self.plus(other, Fraction(1))

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self.plus(other, Fraction(-1))

    def __neg__(self) -> Polynomial:
        return Polynomial(self.shape, {key: -value for key, value in self.terms.items()})

    def plus(self, other: Polynomial, factor: Fraction) -> Polynomial:
        """self + factor · other."""
        if self.shape != other.shape:
            raise ex.ShapeError(f"polynomials of shapes {self.shape} and {other.shape}")
        terms = dict(self.terms)
        for key, value in other.terms.items():
            terms[key] = terms.get(key, Fraction(0)) + factor * value
        return polynomial(self.shape, terms)

    @property
    def is_scalar(self) -> bool:
        """Is it a number times the identity?"""
        return all(not word for _, word in self.terms)

    @property
    def constant(self) -> Fraction | None:
        """The rational number that it is, None where it is not one."""
        if not self.terms:
            return Fraction(0)
        return self.terms.get(((), ())) if len(self.terms) == 1 else None


def polynomial(shape: ex.Shape, terms: Mapping[Monomial, Fraction]) -> Polynomial:
    """The polynomial with these terms, zero coefficients dropped."""
    return Polynomial(shape, {key: value for key, value in terms.items() if value})


def one(size: ex.Size) -> Polynomial:
    """The identity."""
    return Polynomial((size, size), {((), ()): Fraction(1)})


def number(value: Fraction | int) -> Polynomial:
    """A rational number, as a 1×1 matrix."""
    return polynomial((1, 1), {((), ()): Fraction(value)})


def parameter(name: str) -> Polynomial:
    """A scalar parameter, as a 1×1 matrix."""
    return Polynomial((1, 1), {((name,), ()): Fraction(1)})


def transpose_word(word: Word) -> Word:
    """The transpose of a product."""
    return tuple((name, not transposed) for name, transposed in reversed(word))


def atom_order(atom: Atom) -> tuple[bool, Atom]:
    """The order of atoms in a monomial: parameters before entries."""
    return (isinstance(atom, tuple), atom)


def multiset(atoms: Iterable[Atom]) -> Atoms:
    """Scalar factors in their canonical order."""
    return tuple(sorted(atoms, key=atom_order))


def monomial_order(key: Monomial) -> tuple[int, Word, int, list[tuple[bool, Atom]]]:
    """The order in which the terms of a polynomial are written."""
    atoms, word = key
    return (len(word), word, len(atoms), [atom_order(atom) for atom in atoms])


@dataclass
class Alphabet:
    """Shapes of letters. Words over it are checked, brought to normal form, and multiplied."""

    shapes: dict[Letter, ex.Shape] = field(default_factory=dict)
    has_vectors: bool = False

    def add(self, name: str, shape: ex.Shape) -> None:
        """A new symbol and its transpose; one name keeps one shape."""
        if name.endswith(TRANSPOSED):
            raise Unreadable(f"the name {name} looks like a transpose; choose another")
        if self.shapes.setdefault((name, False), shape) != shape:
            raise Unreadable(f"{name} has the shapes {self.shapes[name, False]} and {shape}")
        self.shapes[name, True] = (shape[1], shape[0])
        self.has_vectors = self.has_vectors or 1 in shape

    def letter(self, name: str) -> Polynomial:
        """The polynomial of one symbol."""
        return self.of_word(((name, False),), self.shapes[name, False])

    def of_word(self, word: Word, shape: ex.Shape) -> Polynomial:
        """The polynomial of one word."""
        return Polynomial(shape, {self.normal(word): Fraction(1)})

    def shape(self, word: Word) -> ex.Shape:
        """The shape of a word that is not empty; raises Unreadable for one that is ill-typed."""
        for letter in word:
            if letter not in self.shapes:
                raise Unreadable(f"unknown symbol {spell(letter)}")
        for left, right in pairwise(word):
            if self.shapes[left][1] != self.shapes[right][0]:
                raise Unreadable(
                    f"ill-typed word: {spell(left)} of shape {self.shapes[left]} meets "
                    f"{spell(right)} of shape {self.shapes[right]}"
                )
        return (self.shapes[word[0]][0], self.shapes[word[-1]][1])

    def fits(self, word: Word, rows: ex.Size, columns: ex.Size) -> bool:
        """Is the word well typed, from `rows` to `columns`?"""
        return self.shape(word) == (rows, columns) if word else rows == columns

    def cuts(self, word: Word) -> list[int]:
        """The places of a word at which the size is 1."""
        found = [place for place, letter in enumerate(word) if self.shapes[letter][0] == 1]
        if word and self.shapes[word[-1]][1] == 1:
            found.append(len(word))
        return found

    def normal(self, word: Word) -> Monomial:
        """The atoms and the word that a product of letters is."""
        if not self.has_vectors:
            return (), word
        cuts = self.cuts(word)
        if len(cuts) < 2:
            return (), word
        pieces = (word[start:stop] for start, stop in pairwise(cuts))
        atoms = multiset(min(piece, transpose_word(piece)) for piece in pieces)
        return atoms, word[: cuts[0]] + word[cuts[-1] :]

    def multiply(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """The product; a 1×1 factor multiplies from either side whatever its neighbour."""
        if left.shape[1] != right.shape[0]:
            raise ex.ShapeError(f"polynomials of shapes {left.shape} and {right.shape}")
        return self._product((left.shape[0], right.shape[1]), left, right)

    def scale(self, factor: Polynomial, body: Polynomial) -> Polynomial:
        """A scalar, given as a 1×1 polynomial, times a polynomial."""
        if not factor.is_scalar:
            raise ex.ShapeError(f"a scalar factor is needed, got the shape {factor.shape}")
        return self._product(body.shape, factor, body)

    def _product(self, shape: ex.Shape, left: Polynomial, right: Polynomial) -> Polynomial:
        terms: dict[Monomial, Fraction] = {}
        for (atoms, word), a in left.terms.items():
            for (others, tail), b in right.terms.items():
                extra, product = self.normal(word + tail)
                if atoms or others or extra:
                    key = (multiset((*atoms, *others, *extra)), product)
                else:
                    key = ((), product)
                terms[key] = terms.get(key, Fraction(0)) + a * b
        return polynomial(shape, terms)

    def transpose(self, body: Polynomial) -> Polynomial:
        """The transpose; atoms are their own."""
        rows, columns = body.shape
        return Polynomial(
            (columns, rows),
            {(atoms, transpose_word(word)): value for (atoms, word), value in body.terms.items()},
        )


def spell(letter: Letter) -> str:
    """A letter as it is written in certificates: ``A`` or ``A^T``."""
    name, transposed = letter
    return name + TRANSPOSED if transposed else name


def unspell(text: str) -> Letter:
    """The letter written as `text`."""
    name = text.removesuffix(TRANSPOSED)
    return (name, name != text)


def plain_polynomial(body: Polynomial) -> str:
    """A polynomial as one line of text, for messages."""
    text = ""
    for atoms, word in sorted(body.terms, key=monomial_order):
        value = body.terms[atoms, word]
        factors = [a if isinstance(a, str) else f"[{_plain_word(a)}]" for a in atoms]
        factors += [_plain_word(word)] if word else []
        if abs(value) != 1 or not factors:
            factors.insert(0, str(abs(value)))
        sign = ("-" if value < 0 else "") if not text else " - " if value < 0 else " + "
        text += sign + "·".join(factors)
    return text or "0"


def _plain_word(word: Word) -> str:
    return " ".join(spell(letter) for letter in word)


# ---------------------------------------------------------------- claims


@dataclass(frozen=True)
class Goal:
    """Show that `zero` is zero, or that `matrix` is invertible; `rule` if one stands between."""

    statement: pr.Proposition
    zero: Polynomial | None = None
    matrix: Polynomial | None = None
    rule: str | None = None


@dataclass(frozen=True)
class Branch:
    """Premises, beyond the hypotheses of the claim, under which statements are to be shown."""

    premises: tuple[pr.Proposition, ...]
    statements: tuple[pr.Proposition, ...]


def branches(claim: Claim) -> tuple[Branch, ...]:
    """The conclusion of a claim taken apart: conjunctions, implications, equivalences."""
    found: dict[tuple[pr.Proposition, ...], list[pr.Proposition]] = {}

    def visit(premises: tuple[pr.Proposition, ...], node: pr.Proposition) -> None:
        match node:
            case pr.And(parts):
                for part in parts:
                    visit(premises, part)
            case pr.Implies(left, right):
                visit((*premises, left), right)
            case pr.Iff(left, right):
                visit((*premises, left), right)
                visit((*premises, right), left)
            case _:
                found.setdefault(premises, []).append(node)

    visit((), claim.then)
    return tuple(Branch(premises, tuple(nodes)) for premises, nodes in found.items())


class Reading:
    """One branch of a claim as facts and goals.

    `facts` maps a name to a polynomial that is zero: "given 2" is the second hypothesis (parts of
    a conjunction count one by one), "premise 1" a premise of the branch, "inverse 1 left" and
    "inverse 1 right" say Z M = I and M Z = I, "reciprocal 1" says z p = 1, "norm 1" says r² = aᵀa.
    Hypotheses that cannot be read are left out: what is shown without them holds with them.
    `rules` names the facts about the real numbers that the reading itself rests on.
    """

    def __init__(self, claim: Claim, branch: Branch):
        self.alphabet = Alphabet()
        self.facts: dict[str, Polynomial] = {}
        self.rules: set[str] = set()
        self.inverses: list[tuple[Polynomial, str]] = []
        self.open: list[Polynomial] = []
        self.reciprocals: list[tuple[Polynomial, str]] = []
        self.norms: list[tuple[Polynomial, str]] = []
        free = symbols(claim)
        self.scalar_names = {symbol.name for symbol in free.scalars}
        self.matrix_names = {symbol.name for symbol in free.matrices}
        given = [part for fact in claim.given for part in conjuncts(fact)]
        premises = [part for fact in branch.premises for part in conjuncts(fact)]
        named = [(f"given {i}", fact) for i, fact in enumerate(given, 1)]
        named += [(f"premise {i}", fact) for i, fact in enumerate(premises, 1)]
        for _, fact in named:  # what makes inverses and quotients defined comes first
            self._try(self._assume_unit, fact)
        for name, fact in named:
            self._try(self._assume_equation, fact, name)
        self.goals = tuple(self._goal(statement) for statement in branch.statements)

    # ---- hypotheses
    def _try(self, step, *arguments) -> None:
        before = (dict(self.facts), list(self.inverses), list(self.open))
        kept = (list(self.reciprocals), list(self.norms), dict(self.alphabet.shapes))
        try:
            step(*arguments)
        except Unreadable:
            self.facts, self.inverses, self.open = before
            self.reciprocals, self.norms, self.alphabet.shapes = kept

    def _assume_unit(self, fact: pr.Proposition) -> None:
        match fact:
            case pr.Invertible(body):
                self.declare_invertible(self.polynomial(body), plain(body))
            case pr.Ne(left, right) | pr.Lt(left, right):
                if left in (ex.Literal(0), ex.Zero(*(left.shape or (1, 1)))):
                    left, right = right, left
                difference = self.polynomial(left) - self.polynomial(right)
                text = plain(left) if not self.polynomial(right) else plain(ex.Sub(left, right))
                if left.shape is None or difference.shape == (1, 1):
                    self.reciprocal(difference, text)
                elif difference.shape[1] == 1:  # x ≠ 0 is the same as xᵀx ≠ 0
                    self.rules.add("positive")
                    square = self.alphabet.multiply(self.alphabet.transpose(difference), difference)
                    self.reciprocal(square, f"‖{text}‖²")

    def _assume_equation(self, fact: pr.Proposition, name: str) -> None:
        match fact:
            case pr.Eq(left, right):
                self.facts[name] = self.polynomial(left) - self.polynomial(right)
            case pr.Or(parts):
                self.facts[name] = self._product_of(parts)
                self.rules.add("zero_product")

    def declare_invertible(self, matrix: Polynomial, text: str) -> str:
        """Give a matrix that is known to be invertible its inverse, and the two facts on it."""
        name, transposed = self._inverse(matrix, text)
        body = self.alphabet.transpose(matrix) if transposed else matrix
        position = 1 + next(i for i, (_, symbol) in enumerate(self.inverses) if symbol == name)
        self.open = [p for p in self.open if p != body]
        inverse, identity = self.alphabet.letter(name), one(body.shape[0])
        self.facts[f"inverse {position} left"] = self.alphabet.multiply(inverse, body) - identity
        self.facts[f"inverse {position} right"] = self.alphabet.multiply(body, inverse) - identity
        return name

    def _inverse(self, body: Polynomial, text: str) -> tuple[str, bool]:
        """The symbol of the inverse of `body`, and whether it stands for that of its transpose."""
        mirrored = self.alphabet.transpose(body)
        for known, name in self.inverses:
            if known == body:
                return name, False
            if known == mirrored:
                return name, True
        name = self.new_letter(f"inv({text})", body.shape)
        self.inverses.append((body, name))
        self.open.append(body)
        return name, False

    def new_letter(self, name: str, shape: ex.Shape) -> str:
        """A symbol that the claim does not use."""
        name = _fresh(name, self.matrix_names)
        self.matrix_names.add(name)
        self.alphabet.add(name, shape)
        return name

    def reciprocal(self, body: Polynomial, text: str) -> Polynomial:
        """1/body for a body that is not zero; a multiple of one known is not made anew."""
        if body.constant:
            return number(1 / body.constant)
        for known, name in self.reciprocals:
            if factor := ratio(body, known):
                return self.alphabet.scale(number(1 / factor), parameter(name))
        name = _fresh(f"1/({text})", self.scalar_names)
        self.scalar_names.add(name)
        self.reciprocals.append((body, name))
        product = self.alphabet.multiply(parameter(name), body)
        self.facts[f"reciprocal {len(self.reciprocals)}"] = product - number(1)
        return parameter(name)

    # ---- conclusions
    def _goal(self, node: pr.Proposition) -> Goal:
        match node:
            case pr.Eq(left, right):
                sides = (plain_body(left), plain_body(right))
                if any(isinstance(side, ex.Norm) for side in sides):
                    a, b = (self._square_of_nonnegative(side) for side in sides)
                    if a is not None and b is not None:
                        return Goal(node, zero=a - b, rule="norm_squares")
                return Goal(node, zero=self.polynomial(left) - self.polynomial(right))
            case pr.Or(parts):
                return Goal(node, zero=self._product_of(parts), rule="zero_product")
            case pr.Invertible(body):
                return Goal(node, matrix=self.polynomial(body))
        raise Unreadable(f"`{node}` is no equation and no invertibility")

    def _square_of_nonnegative(self, node: ex.Expression) -> Polynomial | None:
        """The square of a norm or of a number ≥ 0: two of them are equal when the squares are."""
        match node:
            case ex.Norm(body):
                vector = self.polynomial(body)
                return self.alphabet.multiply(self.alphabet.transpose(vector), vector)
            case ex.Literal(value) if value >= 0:
                return number(value * value)
        return None

    def _product_of(self, parts: tuple[pr.Proposition, ...]) -> Polynomial:
        """Π (left − right) of scalar equations: zero exactly when one of them holds."""
        product = number(1)
        for part in parts:
            if not isinstance(part, pr.Eq) or part.left.shape not in (None, (1, 1)):
                raise Unreadable(f"`{part}` is no scalar equation")
            difference = self.polynomial(part.left) - self.polynomial(part.right)
            product = self.alphabet.multiply(product, difference)
        return product

    # ---- expressions
    def polynomial(self, node: ex.Expression) -> Polynomial:
        """The polynomial that an expression is; scalars are 1×1."""
        read, alphabet = self.polynomial, self.alphabet
        match node:
            case ex.Named(_, body) | ex.Entry(body):
                return read(body)
            case ex.Literal(value):
                return number(value)
            case ex.ScalarSymbol(name):
                return parameter(name)
            case ex.MatrixSymbol(name, rows, columns):
                alphabet.add(name, (rows, columns))
                return alphabet.letter(name)
            case ex.Identity(size):
                return one(size)
            case ex.Zero(rows, columns):
                return Polynomial((rows, columns), {})
            case ex.Constant(((value,),)):
                return number(value)
            case ex.Add(left, right):
                return read(left) + read(right)
            case ex.Sub(left, right):
                return read(left) - read(right)
            case ex.Neg(body):
                return -read(body)
            case ex.Mul(left, right) | ex.MatMul(left, right):
                return alphabet.multiply(read(left), read(right))
            case ex.Scale(factor, body):
                return alphabet.scale(read(factor), read(body))
            case ex.Power(base, exponent):
                return self._power(read(base), exponent)
            case ex.NaturalPower(base, ex.Literal(exponent)) if exponent.denominator == 1:
                return self._power(read(base), int(exponent))
            case ex.Ones(rows, columns):
                return alphabet.multiply(self._ones(rows), alphabet.transpose(self._ones(columns)))
            case ex.SizeOf(int() as size):
                return number(size)
            case ex.SizeOf(size):
                return alphabet.multiply(alphabet.transpose(self._ones(size)), self._ones(size))
            case ex.Transpose(body):
                return alphabet.transpose(read(body))
            case ex.Inverse(body):
                return self._read_inverse(read(body), plain(body))
            case ex.Div(left, right):
                return alphabet.multiply(read(left), self._read_reciprocal(right))
            case ex.Norm(body):
                return self._read_norm(read(body), plain(body))
        raise Unreadable(f"`{node}` ({type(node).__name__}) has no place in a free algebra")

    def _power(self, base: Polynomial, exponent: int) -> Polynomial:
        if exponent < 0:
            raise Unreadable(f"the exponent {exponent} is negative")
        power = one(base.shape[0])
        for _ in range(exponent):
            power = self.alphabet.multiply(power, base)
        return power

    def _ones(self, size: ex.Size) -> Polynomial:
        """The vector of ones; its square is its length."""
        if size == 1:
            return number(1)
        name = f"{ONES}({size})"
        if name in {symbol for symbol, _ in self.alphabet.shapes}:
            return self.alphabet.letter(name)
        if name in self.matrix_names:
            raise Unreadable(f"the name {name} is taken")
        self.alphabet.add(name, (size, 1))
        return self.alphabet.letter(name)

    def _read_inverse(self, body: Polynomial, text: str) -> Polynomial:
        for known, name in self.inverses:  # the inverse of an inverse
            if body == self.alphabet.letter(name):
                return known
        name, transposed = self._inverse(body, text)
        letter = self.alphabet.letter(name)
        return self.alphabet.transpose(letter) if transposed else letter

    def _read_reciprocal(self, node: ex.Expression) -> Polynomial:
        body = self.polynomial(node)
        if not body.constant and not any(ratio(body, known) for known, _ in self.reciprocals):
            if not is_positive(node):
                raise Unreadable(f"the denominator `{node}` is not known to differ from 0")
            self.rules.add("positive")
        return self.reciprocal(body, plain(node))

    def _read_norm(self, body: Polynomial, text: str) -> Polynomial:
        for known, name in self.norms:
            if known == body:
                return parameter(name)
        name = _fresh(f"‖{text}‖", self.scalar_names)
        self.scalar_names.add(name)
        self.norms.append((body, name))
        square = self.alphabet.multiply(self.alphabet.transpose(body), body)
        atom = parameter(name)
        self.facts[f"norm {len(self.norms)}"] = self.alphabet.multiply(atom, atom) - square
        return atom


def conjuncts(node: pr.Proposition) -> Iterator[pr.Proposition]:
    """The parts of a conjunction, or the statement itself; a notation is what it stands for."""
    if isinstance(node, pr.And):
        for part in node.parts:
            yield from conjuncts(part)
    elif isinstance(node, pr.Defined):
        yield from conjuncts(node.body)
    else:
        yield node


def ratio(body: Polynomial, known: Polynomial) -> Fraction | None:
    """The rational r ≠ 0 with body = r · known, None if there is none."""
    if body.terms.keys() != known.terms.keys() or not body.terms:
        return None
    ratios = {value / known.terms[key] for key, value in body.terms.items()}
    return ratios.pop() if len(ratios) == 1 else None


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    return name
