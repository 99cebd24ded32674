"""Certificates of matrix identities, and the checker that they have to pass. Trusted.

Certificate == for each branch of a claim a chain of steps, each with its combination of facts
Step        == a rule, the polynomials it speaks of, and the terms that add up to what it needs
Term        == coefficient · left · fact · right, or that 1×1 product times a word `beside` it
check_certificate(claim, certificate) == Evidence: confirmed, or an error with the reason
write_certificate, read_certificate, spell_certificate == files for version control
Refused     == raised inside the checker: why a certificate is no proof

What the terms of a step have to add up to, and what is known once they do:

equation    p                   p = 0
gram        Σ w rᵀr, w > 0      r = 0, each of them (real numbers)
flip        a b − I, square     b a − I = 0 (finite dimension)
kernel      nothing             M x = 0 for a new vector x, which is 0 only if M has a kernel of 0
invertible  that x              M has an inverse (finite dimension)
inverse     M N − I, square     M has an inverse (finite dimension)
positive    nothing             c + Σ w rᵀr has a reciprocal, for c, w > 0 (real numbers)
conclusion  the goal            the goal is reached

The form is canonical: words in normal form, terms sorted, nothing twice; all else is refused.
Arithmetic is on Fractions. Imports no search, no SymPy, no flint. Left out: how a certificate is
found (search.py) and read (certificate_text.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from . import expressions as ex
from .claims import Claim, statement_hash
from .evidence import Evidence, Kind, Outcome
from .free_algebra import (
    Alphabet,
    Atom,
    Atoms,
    Branch,
    Goal,
    Letter,
    Monomial,
    Polynomial,
    Reading,
    Unreadable,
    Word,
    branches,
    monomial_order,
    multiset,
    number,
    one,
    plain_polynomial,
    polynomial,
    spell,
    transpose_word,
    unspell,
)

SCHEMA = 1


class Refused(ValueError):
    """Why a certificate is refused."""


class Term(NamedTuple):
    """coefficient · left · fact · right; `beside` is the word that a 1×1 product multiplies."""

    coefficient: tuple[tuple[Fraction, Atoms], ...]
    left: Word
    fact: str
    transposed: bool
    right: Word
    beside: Word | None = None

    @property
    def place(self) -> tuple[Any, ...]:
        """What distinguishes a term from the others of its step."""
        beside = (0, ()) if self.beside is None else (1, self.beside)
        return (self.fact, self.transposed, self.left, self.right, beside)


@dataclass(frozen=True)
class Step:
    """One step of a chain; the header of this module says what each rule needs and gives."""

    rule: str
    polynomials: tuple[Polynomial, ...] = ()
    weights: tuple[Fraction, ...] = ()
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Certificate:
    """A proof of a claim for all sizes and all values. `rules` are those it uses beyond algebra."""

    claim: str
    statement_hash: str
    rules: tuple[str, ...]
    branches: tuple[tuple[Step, ...], ...]

    @property
    def terms(self) -> int:
        """How many terms it has in all."""
        return sum(len(step.terms) for steps in self.branches for step in steps)

    def to_json(self) -> dict[str, Any]:
        """Plain data, in the canonical form that `from_json` accepts."""
        return {
            "schema": SCHEMA,
            "claim": self.claim,
            "statement_hash": self.statement_hash,
            "rules": list(self.rules),
            "branches": [[_step_to_json(step) for step in steps] for steps in self.branches],
        }

    @staticmethod
    def from_json(data: Any) -> Certificate:
        """Read what `to_json` wrote; anything else raises Refused with the reason."""
        _keys(data, ("schema", "claim", "statement_hash", "rules", "branches"), "certificate")
        if data["schema"] != SCHEMA or isinstance(data["schema"], bool):
            raise Refused(f"the schema is {data['schema']!r}; this checker reads {SCHEMA}")
        certificate = Certificate(
            _text(data["claim"]),
            _text(data["statement_hash"]),
            tuple(_text(rule) for rule in _list(data["rules"])),
            tuple(
                tuple(_step_from_json(step) for step in _list(steps))
                for steps in _list(data["branches"])
            ),
        )
        if json.dumps(certificate.to_json(), sort_keys=True) != json.dumps(data, sort_keys=True):
            raise Refused(
                "not in canonical form: a number, a polynomial or a term is written oddly"
            )
        return certificate


# ---------------------------------------------------------------- the checker


def check_certificate(claim: Claim, certificate: Certificate | Mapping[str, Any]) -> Evidence:
    """Multiply a certificate out.

    Parameters
    ----------
    claim : Claim
        The statement it should prove.
    certificate : Certificate or mapping
        The certificate, or its JSON data.

    Returns
    -------
    Evidence
        Confirmed, for all sizes and values; or an error whose detail is the reason of refusal.
        That a certificate is refused does not make the claim false.
    """
    try:
        if not isinstance(certificate, Certificate):
            certificate = Certificate.from_json(certificate)
        _check(claim, certificate)
    except (Refused, Unreadable) as reason:
        return Evidence(Kind.CERTIFICATE, Outcome.ERROR, f"the certificate is refused: {reason}")
    lemmas = sum(len(steps) for steps in certificate.branches) - len(certificate.branches)
    rules = f", rules {', '.join(certificate.rules)}" if certificate.rules else ""
    return Evidence(
        Kind.CERTIFICATE,
        Outcome.CONFIRMED,
        f"multiplied out: {certificate.terms} terms{rules}",
        data={
            "certificate": {
                "statement_hash": certificate.statement_hash,
                "rules": list(certificate.rules),
                "terms": certificate.terms,
                "lemmas": max(lemmas, 0),
            }
        },
    )


def _check(claim: Claim, certificate: Certificate) -> None:
    if certificate.claim != claim.id:
        raise Refused(f"it is for the claim {certificate.claim!r}, not {claim.id!r}")
    expected = statement_hash(claim)
    if certificate.statement_hash != expected:
        raise Refused(
            f"it is for another statement (hash {certificate.statement_hash[:12]}…, "
            f"the claim has {expected[:12]}…); search a new one"
        )
    parts = branches(claim)
    if len(certificate.branches) != len(parts):
        raise Refused(f"it has {len(certificate.branches)} branches, the claim {len(parts)}")
    rules: set[str] = set()
    for branch, steps in zip(parts, certificate.branches, strict=True):
        chain = Chain(claim, branch)
        for step in steps:
            chain.take(step)
        rules |= chain.finish()
    if certificate.rules != tuple(sorted(rules)):
        raise Refused(f"it names the rules {list(certificate.rules)}, but uses {sorted(rules)}")


class Chain:
    """The facts of one branch while the steps of a certificate are taken one by one."""

    def __init__(self, claim: Claim, branch: Branch):
        self.reading = Reading(claim, branch)
        self.alphabet = self.reading.alphabet
        self.facts = self.reading.facts
        self.taken: list[Step] = []
        self.kernels: list[tuple[Polynomial, Polynomial]] = []
        self.steps = self.reached = 0

    @property
    def goal(self) -> Goal | None:
        """The goal that the next conclusion has to reach."""
        goals = self.reading.goals
        return goals[self.reached] if self.reached < len(goals) else None

    def take(self, step: Step) -> None:
        """Check one step and add what it shows to the facts; raises Refused."""
        position = self.steps + 1
        if step.rule not in _RULES:
            raise Refused(f"step {position}: there is no rule {step.rule!r}")
        try:
            for body in step.polynomials:
                self._check_polynomial(body)
            if any(weight <= 0 for weight in step.weights):
                raise Refused("a weight is not positive")
            needed = self.target(step)
            if needed is not None:
                self._check_sum(step.terms, needed)
            elif step.terms:
                raise Refused("this rule takes no terms")
        except (Refused, Unreadable, ex.ShapeError) as reason:
            raise Refused(f"step {position} ({step.rule}): {reason}") from None
        self.taken.append(step)
        self.learn(step)

    def finish(self) -> set[str]:
        """The rules used, once all goals are reached and all inverses exist; raises Refused."""
        if self.goal is not None:
            raise Refused(f"the conclusion `{self.goal.statement}` is not reached")
        if self.reading.open:
            raise Refused("an inverse occurs that is not known to exist")
        return rules_used(self.reading, self.taken)

    def target(self, step: Step) -> Polynomial | None:
        """What the terms of a step have to add up to; None where it takes none."""
        alphabet, bodies = self.alphabet, step.polynomials
        match step.rule:
            case "equation":
                return _single(bodies)
            case "gram":
                if not bodies or len(step.weights) != len(bodies):
                    raise Refused("a sum of squares needs roots, and a weight for each")
                return self._squares(bodies, step.weights)
            case "flip" | "inverse":
                if len(bodies) != 2 or any(not _is_square(body) for body in bodies):
                    raise Refused("two square factors are needed")
                return alphabet.multiply(*bodies) - one(bodies[0].shape[0])
            case "kernel":
                if not _is_square(_single(bodies)):
                    raise Refused("a square matrix is needed")
                return None
            case "invertible":
                matrix = _single(bodies)
                for known, vector in self.kernels:
                    if known == matrix:
                        return vector
                raise Refused("no vector of its kernel was introduced")
            case "positive":
                if not step.weights or len(step.weights) != len(bodies) + 1:
                    raise Refused("a positive number and a weight for each square are needed")
                if any(body.shape[1] != 1 for body in bodies):
                    raise Refused("the squares are of numbers and vectors")
                return None
        goal = self.goal
        if bodies or step.weights:
            raise Refused("a conclusion brings no polynomials of its own")
        if goal is None:
            raise Refused("there is no goal left")
        if goal.matrix is None:
            return goal.zero
        known = (goal.matrix, self.alphabet.transpose(goal.matrix))
        if not any(m in known and m not in self.reading.open for m, _ in self.reading.inverses):
            raise Refused(f"`{goal.statement}` has not been shown")
        return None

    def learn(self, step: Step) -> None:
        """Add what a step shows to the facts, without a check."""
        self.steps += 1
        bodies, name = step.polynomials, f"lemma {self.steps}"
        match step.rule:
            case "equation":
                self.facts[name] = bodies[0]
            case "gram":
                for position, root in enumerate(bodies, 1):
                    self.facts[name if len(bodies) == 1 else f"{name}.{position}"] = root
            case "flip":
                left, right = bodies
                self.facts[name] = self.alphabet.multiply(right, left) - one(left.shape[0])
            case "kernel":
                name = f"kernel {len(self.kernels) + 1}"
                letter = self.reading.new_letter(name, (bodies[0].shape[0], 1))
                vector = self.alphabet.letter(letter)
                self.kernels.append((bodies[0], vector))
                self.facts[name] = self.alphabet.multiply(bodies[0], vector)
            case "invertible" | "inverse":
                text = f"matrix {len(self.reading.inverses) + 1}"
                self.reading.declare_invertible(bodies[0], text)
            case "positive":
                body = number(step.weights[0]) + self._squares(bodies, step.weights[1:])
                text = f"positive {len(self.reading.reciprocals) + 1}"
                self.reading.reciprocal(body, text)
            case "conclusion":
                self.reached += 1

    def _squares(self, roots: Sequence[Polynomial], weights: Sequence[Fraction]) -> Polynomial:
        total: Polynomial | None = None
        for root, weight in zip(roots, weights, strict=True):
            square = self.alphabet.multiply(self.alphabet.transpose(root), root)
            square = self.alphabet.scale(number(weight), square)
            total = square if total is None else total + square
        return number(0) if total is None else total

    # ---- terms
    def _check_sum(self, terms: Sequence[Term], needed: Polynomial) -> None:
        total = dict(needed.terms)
        previous = None
        for position, term in enumerate(terms, 1):
            try:
                self._subtract(term, needed.shape, total)
            except (Refused, Unreadable) as reason:
                raise Refused(f"term {position}: {reason}") from None
            if previous is not None and not previous < term.place:
                raise Refused(f"term {position} is out of order or repeats the one before")
            previous = term.place
        left = polynomial(needed.shape, total)
        if left:
            raise Refused(f"the terms do not add up: {plain_polynomial(left)} is left over")

    def _subtract(self, term: Term, shape: ex.Shape, total: dict[Monomial, Fraction]) -> None:
        alphabet = self.alphabet
        fact = self.facts.get(term.fact)
        if fact is None:
            raise Refused(f"there is no fact {term.fact!r}")
        rows, columns = fact.shape
        if term.transposed:
            fact, rows, columns = alphabet.transpose(fact), columns, rows
        start, stop = shape if term.beside is None else (1, 1)
        if term.beside is not None and not alphabet.fits(term.beside, *shape):
            raise Refused("the word beside does not fit the shape of the step")
        if fact.is_scalar:
            if term.left or term.right or term.beside is None:
                raise Refused("a scalar fact multiplies a word beside it")
        elif not (
            alphabet.fits(term.left, start, rows) and alphabet.fits(term.right, columns, stop)
        ):
            raise Refused(f"the words around {term.fact} do not fit its shape")
        self._check_coefficient(term.coefficient)
        moved = canonical(alphabet, self.facts[term.fact], term)
        if moved != (Fraction(1), (), term):
            raise Refused("not in canonical form")
        for (atoms, word), value in fact.terms.items():
            extra, product = alphabet.normal(term.left + word + term.right)
            if term.beside is not None:
                product = term.beside
            for coefficient, others in term.coefficient:
                scalars = (*atoms, *extra, *others)
                key = (multiset(scalars) if scalars else (), product)
                total[key] = total.get(key, Fraction(0)) - value * coefficient

    def _check_coefficient(self, coefficient: tuple[tuple[Fraction, Atoms], ...]) -> None:
        if not coefficient:
            raise Refused("the coefficient is 0")
        for _, atoms in coefficient:
            self._check_atoms(atoms)

    def _check_atoms(self, atoms: Atoms) -> None:
        for atom in atoms:
            if isinstance(atom, str):
                if atom not in self.reading.scalar_names:
                    raise Refused(f"unknown scalar {atom!r}")
            elif self.alphabet.shape(atom) != (1, 1) or self.alphabet.normal(atom) != ((atom,), ()):
                raise Refused("an entry that is no 1×1 word in normal form")

    def _check_polynomial(self, body: Polynomial) -> None:
        if not body:
            raise Refused("a polynomial is 0")
        for atoms, word in body.terms:
            self._check_atoms(atoms)
            if not self.alphabet.fits(word, *body.shape):
                raise Refused(f"a word does not fit the shape of {plain_polynomial(body)}")
            if self.alphabet.normal(word) != ((), word):
                raise Refused("a word is not in normal form")


def rules_used(reading: Reading, steps: Iterable[Step]) -> set[str]:
    """What the steps of a branch rest on beyond the algebra of noncommutative polynomials."""
    rules = reading.rules | {step.rule for step in steps} - {"equation", "conclusion", "invertible"}
    rules |= {goal.rule for goal in reading.goals if goal.rule}
    return rules | ({"symmetric_scalar"} if reading.alphabet.has_vectors else set())


def canonical(alphabet: Alphabet, fact: Polynomial, term: Term) -> tuple[Fraction, Atoms, Term]:
    """The one way to write the product of a term: a sign, atoms to multiply by, and the term.

    `fact` is the polynomial that the term names, not transposed. A product with a 1×1 part that
    contains the fact is written as that part with the rest beside it, untransposed; a fact that is
    symmetric up to sign is never transposed.
    """
    left_atoms, left = alphabet.normal(term.left)
    right_atoms, right = alphabet.normal(term.right)
    atoms, beside, transposed = left_atoms + right_atoms, term.beside, term.transposed
    sign = Fraction(1)
    mirrored = alphabet.transpose(fact)
    symmetry = 1 if mirrored == fact else -1 if mirrored == -fact else 0
    if transposed and symmetry:
        sign, transposed = sign * symmetry, False
    if beside is not None:
        extra, beside = alphabet.normal(beside)
        atoms += extra
    elif not fact.is_scalar and alphabet.has_vectors:
        rows, columns = fact.shape[::-1] if transposed else fact.shape
        before, after = alphabet.cuts(left), alphabet.cuts(right)
        if rows == 1:
            before.append(len(left))
        if columns == 1:
            after.insert(0, 0)
        if before and after:
            extra, beside = alphabet.normal(left[: before[-1]] + right[after[0] :])
            atoms, left, right = atoms + extra, left[before[-1] :], right[: after[0]]
    if beside is not None and not fact.is_scalar:
        swapped = (transpose_word(right), transpose_word(left))
        if transposed or (symmetry and swapped < (left, right)):
            (left, right), sign = swapped, sign * (symmetry or 1)
            transposed = False
    return (
        sign,
        multiset(atoms),
        term._replace(left=left, right=right, transposed=transposed, beside=beside),
    )


_RULES = frozenset(
    ("equation", "gram", "flip", "kernel", "invertible", "inverse", "positive", "conclusion")
)


def _single(bodies: tuple[Polynomial, ...]) -> Polynomial:
    if len(bodies) != 1:
        raise Refused(f"one polynomial is needed, got {len(bodies)}")
    return bodies[0]


def _is_square(body: Polynomial) -> bool:
    return body.shape[0] == body.shape[1]


# ---------------------------------------------------------------- JSON


def write_certificate(certificate: Certificate, folder: Path) -> Path:
    """Write ``<claim id>.json`` into `folder`, one step or term a line, for version control."""
    path = folder / f"{certificate.claim}.json"
    path.write_text(spell_certificate(certificate), encoding="utf-8")
    return path


def spell_certificate(certificate: Certificate) -> str:
    """A certificate as the text of its file."""
    return _layout(certificate.to_json()) + "\n"


def read_certificate(path: Path) -> Certificate:
    """The certificate in a file; raises Refused for a file that holds none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as reason:
        raise Refused(f"{path.name} is not JSON, cut short perhaps: {reason}") from None
    return Certificate.from_json(data)


def _layout(data: Any, indent: str = "", depth: int = 0) -> str:
    """JSON with the outer levels on lines of their own, terms and polynomials on one line each."""
    inner = indent + " "
    if isinstance(data, dict) and (depth == 0 or "rule" in data):
        rows = [f"{json.dumps(k)}: {_layout(v, inner, depth + 1)}" for k, v in data.items()]
        return "{\n" + ",\n".join(inner + row for row in rows) + f"\n{indent}}}"
    if isinstance(data, list) and any(isinstance(item, dict | list) for item in data):
        rows = [_layout(item, inner, depth + 1) for item in data]
        return "[\n" + ",\n".join(inner + row for row in rows) + f"\n{indent}]"
    return json.dumps(data, ensure_ascii=False)


def _step_to_json(step: Step) -> dict[str, Any]:
    data: dict[str, Any] = {"rule": step.rule}
    if step.polynomials:
        data["polynomials"] = [_polynomial_to_json(body) for body in step.polynomials]
    if step.weights:
        data["weights"] = [str(weight) for weight in step.weights]
    if step.terms:
        data["terms"] = [_term_to_json(term) for term in step.terms]
    return data


def _step_from_json(data: Any) -> Step:
    _keys(data, ("rule",), "step", optional=("polynomials", "weights", "terms"))
    return Step(
        _text(data["rule"]),
        tuple(_polynomial_from_json(body) for body in _list(data.get("polynomials", []))),
        tuple(_fraction(weight) for weight in _list(data.get("weights", []))),
        tuple(_term_from_json(term) for term in _list(data.get("terms", []))),
    )


def _term_to_json(term: Term) -> dict[str, Any]:
    data: dict[str, Any] = {
        "coeff": [[str(value), _atoms_to_json(atoms)] for value, atoms in term.coefficient],
        "left": [spell(letter) for letter in term.left],
        "hypothesis": term.fact,
        "transposed": term.transposed,
        "right": [spell(letter) for letter in term.right],
    }
    if term.beside is not None:
        data["beside"] = [spell(letter) for letter in term.beside]
    return data


def _term_from_json(data: Any) -> Term:
    keys = ("coeff", "left", "hypothesis", "transposed", "right")
    _keys(data, keys, "term", optional=("beside",))
    if not isinstance(data["transposed"], bool):
        raise Refused(f"`transposed` is true or false, got {data['transposed']!r}")
    total: dict[Atoms, Fraction] = {}
    for pair in _list(data["coeff"]):
        value, atoms = _list(pair, 2)
        key = _atoms_from_json(atoms)
        total[key] = total.get(key, Fraction(0)) + _fraction(value)
    return Term(
        coefficient(total),
        _word(data["left"]),
        _text(data["hypothesis"]),
        data["transposed"],
        _word(data["right"]),
        _word(data["beside"]) if "beside" in data else None,
    )


def coefficient(total: Mapping[Atoms, Fraction]) -> tuple[tuple[Fraction, Atoms], ...]:
    """A coefficient in its canonical order, zeros dropped."""
    order = sorted(total, key=lambda atoms: monomial_order((atoms, ())))
    return tuple((total[atoms], atoms) for atoms in order if total[atoms])


def _polynomial_to_json(body: Polynomial) -> dict[str, Any]:
    return {
        "shape": [size if isinstance(size, int) else str(size) for size in body.shape],
        "terms": [
            [str(body.terms[key]), _atoms_to_json(key[0]), [spell(letter) for letter in key[1]]]
            for key in sorted(body.terms, key=monomial_order)
        ],
    }


def _polynomial_from_json(data: Any) -> Polynomial:
    _keys(data, ("shape", "terms"), "polynomial")
    rows, columns = (_size(size) for size in _list(data["shape"], 2))
    terms: dict[Monomial, Fraction] = {}
    for triple in _list(data["terms"]):
        value, atoms, word = _list(triple, 3)
        key = (_atoms_from_json(atoms), _word(word))
        terms[key] = terms.get(key, Fraction(0)) + _fraction(value)
    return polynomial((rows, columns), terms)


def _atoms_to_json(atoms: Atoms) -> list[Any]:
    return [atom if isinstance(atom, str) else [spell(letter) for letter in atom] for atom in atoms]


def _atoms_from_json(data: Any) -> Atoms:
    found: list[Atom] = [
        atom if isinstance(atom, str) else _word(atom, least=1) for atom in _list(data)
    ]
    return multiset(found)


def _word(data: Any, *, least: int = 0) -> Word:
    letters: list[Letter] = [unspell(_text(text)) for text in _list(data)]
    if len(letters) < least:
        raise Refused("an entry of the empty word")
    return tuple(letters)


def _size(data: Any) -> ex.Size:
    if isinstance(data, str):
        return ex.Dim(data)
    if isinstance(data, int) and not isinstance(data, bool) and data >= 1:
        return data
    raise Refused(f"a size is a name or an integer ≥ 1, got {data!r}")


def _fraction(data: Any) -> Fraction:
    text = _text(data)
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise Refused(f"{data!r} is no rational number") from None


def _text(data: Any) -> str:
    return data if isinstance(data, str) else _malformed(data, "a string")


def _list(data: Any, length: int | None = None) -> list[Any]:
    if not isinstance(data, list) or (length is not None and len(data) != length):
        _malformed(data, "a list" if length is None else f"a list of {length}")
    return data


def _keys(data: Any, keys: Iterable[str], what: str, *, optional: Iterable[str] = ()) -> None:
    if not isinstance(data, Mapping):
        _malformed(data, f"the object of a {what}")
    missing, extra = set(keys) - set(data), set(data) - set(keys) - set(optional)
    if missing or extra:
        wrong = f"lacks {sorted(missing)}" if missing else f"has the unknown {sorted(extra)}"
        raise Refused(f"malformed: a {what} {wrong}")


def _malformed(data: Any, expected: str) -> NoReturn:
    text = repr(data)
    raise Refused(f"malformed: {expected} expected, got {text[:60]}")
