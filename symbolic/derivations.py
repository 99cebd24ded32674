"""Derivations: proofs as chains of equalities, every step closed by an exact decision.

Derivation               == base of the proofs below
Step                     == an expression, why it equals the one before, and the facts used for that
Chain, chain(start, …)   == e₀ = e₁ = … = eₖ proves e₀ = eₖ
AtMost                   == a chain from right − left to what is ≥ 0 by its form proves left ≤ right
Cited                    == a rule of the table (rules.py) whose premises are known
Have                     == a lemma first, then the rest
Parts, BothWays, Cases   == a conjunction, an equivalence, a disjunction among what is known
TrivialKernel            == M x = 0 ⇒ x = 0 for a new vector x proves that M is invertible
check_derivation(claim, derivation) == the Evidence
exact_inputs(claim, …)   == exact inputs that satisfy the hypotheses, boundaries first

The first and last expression of a chain are the two sides of what it proves, up to names alone. A
step may use hypotheses, what was assumed or proved on the way there, and rules; it names each of
them. Beside the decision, both sides of each step are evaluated exactly at inputs that satisfy what
is known: that can reject a step, never accept one.

Importing this needs no SymPy; checking does.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from . import expressions as ex
from . import propositions as pr
from .claims import Claim, ClaimError, Source, is_nonnegative, is_positive, plain_body, symbols
from .constructions import Inputs, construct
from .evaluation import Assignment, NotDifferentiable, Undefined, Unsupported, holds
from .evidence import Evidence, Kind, Outcome
from .printing import latex, plain
from .rules import Instance, Premises, RuleError

Fact: TypeAlias = pr.Proposition | Instance


# ---------------------------------------------------------------- proofs as data


@dataclass(frozen=True)
class Derivation:
    """Base of all proofs."""


@dataclass(frozen=True)
class Step:
    """`expression` equals the one before it, because of `reason`, using these facts and no other.

    A fact is a proposition that is known at this place, or the instance of a rule.
    """

    expression: ex.Expression
    reason: str
    using: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Chain(Derivation):
    """start = … = the last step's expression."""

    start: ex.Expression
    steps: tuple[Step, ...]


def step(expression: ex.Expression | ex.Number, reason: str, *using: Fact) -> Step:
    """A step of a chain; without facts it rests on the normal form alone."""
    return Step(ex.as_expression(expression), reason, using)


def chain(start: ex.Expression | ex.Number, *steps: Step) -> Chain:
    """A chain of equalities."""
    return Chain(ex.as_expression(start), steps)


@dataclass(frozen=True)
class AtMost(Derivation):
    """Proves left ≤ right (or <): the chain leads from right − left to what is visibly ≥ 0 (> 0).

    Squares, norms, sums and products of such are visibly ≥ 0.
    """

    difference: Chain


@dataclass(frozen=True)
class Cited(Derivation):
    """Proves the conclusion of a rule whose premises are known."""

    rule: Instance


@dataclass(frozen=True)
class Have(Derivation):
    """Proves `lemma` first; it is known in `then`."""

    lemma: pr.Proposition
    because: Derivation
    then: Derivation


@dataclass(frozen=True)
class Parts(Derivation):
    """Proves a conjunction, part by part."""

    parts: tuple[Derivation, ...]


@dataclass(frozen=True)
class BothWays(Derivation):
    """Proves an equivalence; each side is assumed once."""

    forward: Derivation
    backward: Derivation


@dataclass(frozen=True)
class Cases(Derivation):
    """Proves anything from a known disjunction, case by case."""

    either: pr.Or
    branches: tuple[Derivation, ...]


@dataclass(frozen=True)
class TrivialKernel(Derivation):
    """Proves that M is invertible: `because` proves x = 0 where M x = 0 is assumed."""

    vector: ex.MatrixSymbol
    because: Derivation


# ---------------------------------------------------------------- checking


class DerivationFailed(Exception):
    """A place where a derivation does not close; the message says which and why."""


def check_derivation(claim: Claim, derivation: Derivation) -> Evidence:
    """Check `derivation` against the statement of `claim`.

    Returns
    -------
    Evidence
        `confirmed` when every step closes; then ``data["steps"]`` lists the steps in order, each
        with `part` (what is being proved there), `expression` (LaTeX), `plain`, `name` and
        `reason`. Otherwise `contradicted` when exact inputs were seen at which the statement is
        false, and `inconclusive` when not; the detail names the step that failed.
    """
    proof = _Proof(claim.given)
    try:
        proof.check(claim.then, derivation, claim.given)
    except DerivationFailed as failure:
        return _failed(claim, str(failure), proof.rows)
    count = sum(row["reason"] != "" for row in proof.rows)
    detail = f"{count} steps, each closed by an exact decision"
    return Evidence(Kind.DERIVATION, Outcome.CONFIRMED, detail, data={"steps": proof.rows})


def _failed(claim: Claim, failure: str, rows: list[dict[str, str]]) -> Evidence:
    data: dict[str, Any] = {"steps": rows, "failed": failure}
    found = counterexample(claim)
    if found is None:
        return Evidence(Kind.DERIVATION, Outcome.INCONCLUSIVE, failure, data=data)
    detail = f"{failure}; the statement is false at {_shown(found)}"
    return Evidence(Kind.DERIVATION, Outcome.CONTRADICTED, detail, data=data)


class _Proof:
    """One run of the checker; `rows` grows as steps close."""

    def __init__(self, given: tuple[pr.Proposition, ...] = ()) -> None:
        self.given = given
        self.rows: list[dict[str, str]] = []

    def check(
        self, goal: pr.Proposition, proof: Derivation, known: Sequence[pr.Proposition]
    ) -> None:
        """Raise DerivationFailed unless `proof` proves `goal` from what is `known`."""
        known = tuple(known)
        match goal, proof:
            case _, Have(lemma, because, then):
                self.defined(lemma, known)
                self.check(lemma, because, known)
                self.check(goal, then, (*known, lemma))
            case _, Cases(either, branches):
                self.cases(goal, either, branches, known)
            case _, Cited(rule):
                self.cite(goal, rule, known)
            case pr.Defined(_, _, body), _:
                self.check(body, proof, known)
            case pr.Implies(left, right), _:
                self.check(right, proof, (*known, left))
            case pr.And(parts), Parts(proofs):
                if len(parts) != len(proofs):
                    raise DerivationFailed(
                        f"{len(proofs)} proofs for the {len(parts)} parts of `{plain(goal)}`"
                    )
                for part, of_part in zip(parts, proofs, strict=True):
                    self.check(part, of_part, known)
            case pr.Iff(left, right), BothWays(forward, backward):
                self.check(right, forward, (*known, left))
                self.check(left, backward, (*known, right))
            case pr.Invertible(body), TrivialKernel(vector, because):
                self.kernel(body, vector, because, known)
            case pr.Eq(left, right), Chain():
                self.chain(proof, known, goal)
                _check_end(proof.start, left, "starts", goal)
                _check_end(_last(proof), right, "ends", goal)
            case ((pr.Le(left, right) | pr.Lt(left, right)), AtMost(difference)):
                self.chain(difference, known, goal)
                _check_end(difference.start, right - left, "starts", goal)
                end = _last(difference)
                if not (is_positive(end) if isinstance(goal, pr.Lt) else is_nonnegative(end)):
                    sign = "> 0" if isinstance(goal, pr.Lt) else "≥ 0"
                    raise DerivationFailed(f"{plain(end)} is not visibly {sign}")
                self.row(goal, goal, "the difference of its sides is a square or the like", "form")
            case _:
                raise DerivationFailed(
                    f"`{plain(goal)}` is not what a {type(proof).__name__} proves"
                )

    def chain(self, proof: Chain, known: tuple[pr.Proposition, ...], goal: pr.Proposition) -> None:
        self.row(goal, proof.start, "", "")
        before = proof.start
        for number, current in enumerate(proof.steps, 1):
            place = (
                f"step {number} of `{plain(goal)}`, {plain(before)} = {plain(current.expression)}"
            )
            try:
                known = self.step(before, current, known)
            except (DerivationFailed, ClaimError, RuleError, ex.ShapeError) as problem:
                raise DerivationFailed(f"{place}: {problem}") from None
            words = "; ".join(map(self.words, current.using)) or "normal form"
            self.row(goal, current.expression, current.reason, words)
            before = current.expression

    def step(
        self, before: ex.Expression, current: Step, known: tuple[pr.Proposition, ...]
    ) -> tuple[pr.Proposition, ...]:
        """Close one step. What it used is known from here on."""
        from .decisions import Undecided, same

        facts: list[pr.Proposition] = []
        spelled: list[pr.Proposition] = []  # known facts, spelled as they are used here
        for fact in current.using:
            if isinstance(fact, Instance):
                premises, conclusion = _concluded(fact, known)
                spelled += premises
                facts.append(conclusion)
            else:
                _require(fact, known)
                facts.append(fact)
        after = current.expression
        if before.shape != after.shape:
            raise DerivationFailed(f"the shapes {before.shape} and {after.shape} differ")
        known = (*known, *(f for f in (*spelled, *facts) if f not in known))
        stated = _stated(known, pr.Eq(before, after))
        equations = [f for fact in facts for f in _conjuncts(fact) if isinstance(f, pr.Eq)]
        try:
            decision = same(before, after, equations)
        except Undecided as problem:
            raise DerivationFailed(str(problem)) from None
        if not decision.holds:
            raise DerivationFailed(f"the two sides differ by {decision.difference}")
        if (found := counterexample(stated, tries=_WITNESSES)) is not None:
            raise DerivationFailed(f"the two sides have different values at {_shown(found)}")
        return known

    def cases(
        self,
        goal: pr.Proposition,
        either: pr.Or,
        branches: tuple[Derivation, ...],
        known: tuple[pr.Proposition, ...],
    ) -> None:
        _require(either, known)
        if len(either.parts) != len(branches):
            raise DerivationFailed(
                f"{len(branches)} proofs for the {len(either.parts)} cases of `{plain(either)}`"
            )
        for case, branch in zip(either.parts, branches, strict=True):
            self.check(goal, branch, (*known, case))

    def cite(self, goal: pr.Proposition, rule: Instance, known: tuple[pr.Proposition, ...]) -> None:
        from .decisions import same_statement

        self.defined(goal, known)
        try:
            _, conclusion = _concluded(rule, known)
        except (RuleError, ex.ShapeError, ClaimError) as problem:
            raise DerivationFailed(f"rule {rule.rule} for `{plain(goal)}`: {problem}") from None
        if not same_statement(conclusion, goal):
            raise DerivationFailed(
                f"rule {rule.rule} gives `{plain(conclusion)}`, not `{plain(goal)}`"
            )
        self.row(goal, goal, rule.words, f"rule {rule.rule}")

    def kernel(
        self,
        body: ex.Expression,
        vector: ex.MatrixSymbol,
        because: Derivation,
        known: tuple[pr.Proposition, ...],
    ) -> None:
        rows, _ = ex.matrix_shape(body)
        if vector.shape != (rows, 1):
            raise DerivationFailed(f"{vector} must have the shape ({rows}, 1) to go with {body}")
        named = {
            node.name
            for statement in (*known, pr.Invertible(body))
            for node in pr.expressions_in(statement)
            if isinstance(node, ex.MatrixSymbol)
        }
        if vector.name in named:
            raise DerivationFailed(f"the vector {vector} must be new, but it occurs already")
        zero = ex.zeros(rows, 1)
        self.check(pr.eq(vector, zero), because, (*known, pr.eq(body @ vector, zero)))
        goal = pr.Invertible(body)
        self.row(goal, goal, "a square matrix with trivial kernel is invertible", "linear algebra")

    def defined(self, statement: pr.Proposition, known: tuple[pr.Proposition, ...]) -> None:
        try:
            _stated(known, statement)
        except ClaimError as problem:
            raise DerivationFailed(f"`{plain(statement)}`: {problem}") from None

    def words(self, fact: Fact) -> str:
        """How a fact is cited: a hypothesis by its number, a rule by what it says."""
        if isinstance(fact, Instance):
            return fact.words
        if fact in self.given:
            return f"hypothesis {self.given.index(fact) + 1}: {plain(fact)}"
        return plain(fact)

    def row(
        self, goal: pr.Proposition, node: ex.Expression | pr.Proposition, name: str, reason: str
    ) -> None:
        self.rows.append(
            {
                "part": plain(goal),
                "expression": latex(node),
                "plain": plain(node),
                "name": name,
                "reason": reason,
            }
        )


def _last(proof: Chain) -> ex.Expression:
    return proof.steps[-1].expression if proof.steps else proof.start


def _check_end(end: ex.Expression, side: ex.Expression, verb: str, goal: pr.Proposition) -> None:
    if plain_body(end) != plain_body(side):
        raise DerivationFailed(
            f"the chain {verb} with {plain(end)}, but `{plain(goal)}` needs {plain(side)}"
        )


def _conjuncts(node: pr.Proposition) -> Iterator[pr.Proposition]:
    if isinstance(node, pr.And):
        for part in node.parts:
            yield from _conjuncts(part)
    elif isinstance(node, pr.Defined):
        yield from _conjuncts(node.body)
    else:
        yield node


def _require(fact: pr.Proposition, known: Iterable[pr.Proposition]) -> None:
    """Raise unless `fact` is among what is known, up to names and normal forms."""
    from .decisions import same_statement

    facts = [part for given in known for part in (given, *_conjuncts(given))]
    for part in _conjuncts(fact):
        if part not in facts and not any(same_statement(part, other) for other in facts):
            raise DerivationFailed(f"`{plain(part)}` is not known here")


def _concluded(
    rule: Instance, known: tuple[pr.Proposition, ...]
) -> tuple[Premises, pr.Proposition]:
    """Premises and conclusion of a rule whose premises are known and whose terms are defined."""
    premises, conclusion = rule.expand()
    for premise in premises:
        _require(premise, known)
    _stated((*known, *premises), conclusion)
    return premises, conclusion


def _stated(known: Iterable[pr.Proposition], then: pr.Proposition) -> Claim:
    """The claim that `then` follows; raises ClaimError where a term may be undefined."""
    return Claim("derivation.step", given=tuple(known), then=then, source=Source("NEW"))


# ---------------------------------------------------------------- exact inputs

_POOL = tuple(Fraction(x) for x in (1, -1, 2, -2, 0, 3, Fraction(1, 2), Fraction(-1, 2)))
_WITNESSES = 3
_TRIES = 60
_SIZES = (1, 2, 3)


def exact_inputs(claim: Claim, *, tries: int = _TRIES) -> Iterator[Inputs]:
    """Exact inputs that satisfy the hypotheses of `claim` as far as it can be arranged.

    Every combination of sizes from 1 to 3 gets all zeros, all ones, and `tries` draws from a few
    small numbers; the order is the same in every run.
    """
    from .exact import EXACT

    found = symbols(claim)
    ranges = [(d.name, _SIZES) for d in found.dims] + [(i.name, range(4)) for i in found.indices]
    for values in product(*(choices for _, choices in ranges)):
        sizes = dict(zip((name for name, _ in ranges), values, strict=True))
        generator = random.Random(0)
        for attempt in range(tries + 2):
            pool = [_POOL[4]] if attempt == 0 else [_POOL[0]] if attempt == 1 else _POOL

            def draw(pool: Sequence[Fraction] = pool, r: random.Random = generator) -> Any:
                return EXACT.number(r.choice(pool))

            try:
                yield construct(claim, sizes, EXACT, draw, component=attempt)
            except (Undefined, ZeroDivisionError, KeyError, Unsupported):
                continue


def counterexample(claim: Claim, *, tries: int = _TRIES) -> Assignment | None:
    """Exact inputs at which `claim` is false, if some were seen."""
    from .exact import EXACT

    for inputs in exact_inputs(claim, tries=tries):
        try:
            if holds(inputs.remaining(claim.then), inputs.at, EXACT) is False:
                return inputs.at
        except (Undefined, ZeroDivisionError, KeyError, Unsupported, NotDifferentiable):
            continue
    return None


def _shown(at: Assignment) -> str:
    values: Mapping[str, Any] = {**at.sizes, **at.values}
    return ", ".join(f"{name} = {_value(value)}" for name, value in values.items())


def _value(value: Any) -> str:
    if hasattr(value, "tolist"):
        return "[" + "; ".join(" ".join(map(str, row)) for row in value.tolist()) + "]"
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{i}: {_value(x)}" for i, x in value.items()) + ")"
    return str(value)
