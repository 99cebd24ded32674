"""Derivations: proofs as chains of equalities, every step closed by an exact decision.

Derivation               == base of the proofs below
Step                     == an expression, why it equals the one before, and the facts used for that
Chain, chain(start, …)   == e₀ = e₁ = … = eₖ proves e₀ = eₖ
AtMost                   == a chain from right − left to what is ≥ 0 by its form proves left ≤ right
Known, Evaluated         == what is known already; what has no free symbols and is true
Cited                    == a rule of the table (rules.py) whose premises are known
Have, lines(…, last=…)   == a lemma first, then the rest; several of them
cited(fact, rule, …)     == a line that rests on a rule
Assume                   == the left side of an implication is known
Parts, BothWays, Cases   == a conjunction, an equivalence, a disjunction among what is known
TrivialKernel            == M x = 0 ⇒ x = 0 for a new vector x proves that M is invertible
Arbitrary, Exhibit, Each == "for every x", "for some x", "for i = first, …, last"
Obtain                   == a new symbol for what is known to exist
Choose                   == one part of a disjunction
Suppose, Contradiction   == the negation is assumed; a known fact and its negation prove anything
Linear                   == a linear inequality that follows from linear ones
Induction                == from a first integer or index, and from each to the next
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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from . import expressions as ex
from . import propositions as pr
from .binding import Captured, mentions, put
from .claims import Claim, ClaimError, consequence, is_nonnegative, is_positive, plain_body, symbols
from .constructions import Inputs, construct
from .evaluation import Assignment, NotDifferentiable, Undefined, Unsupported, holds, integer
from .evidence import Evidence, Kind, Outcome
from .free_algebra import conjuncts
from .printing import plain
from .proof_lines import Lines
from .rules import Instance, Premises, RuleError, instance, sort_of

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

    Squares, norms, sums and products of such are visibly ≥ 0; what is known to be counts as well.
    """

    difference: Chain


@dataclass(frozen=True)
class Cited(Derivation):
    """Proves the conclusion of a rule whose premises are known."""

    rule: Instance


@dataclass(frozen=True)
class Known(Derivation):
    """Proves what is known already."""


@dataclass(frozen=True)
class Evaluated(Derivation):
    """Proves a statement without free symbols that is true in exact arithmetic."""


@dataclass(frozen=True)
class Assume(Derivation):
    """Proves an implication: its left side is known in `because`.

    Other proofs of an implication assume it at once; this one says so where lemmas need it.
    """

    because: Derivation


@dataclass(frozen=True)
class Have(Derivation):
    """Proves `lemma` first; it is known in `then`. Known already, it is not proved again."""

    lemma: pr.Proposition
    because: Derivation
    then: Derivation

    def __reduce__(self) -> tuple[Any, ...]:
        """Line after line: there may be more of them than a pickle can be nested."""
        before, rest = [], self
        while isinstance(rest, Have):
            before.append((rest.lemma, rest.because))
            rest = rest.then
        return _of_lines, (tuple(before), rest)


Line: TypeAlias = tuple[pr.Proposition, Derivation] | Callable[[Derivation], Derivation]


def lines(*before: Line, last: Derivation) -> Derivation:
    """A proof line by line: lemmas with their proofs, each known below, then `last`.

    A line may also be a function that puts lemmas of its own before what follows.
    """
    for line in reversed(before):
        last = line(last) if callable(line) else Have(*line, last)
    return last


def _of_lines(
    before: tuple[tuple[pr.Proposition, Derivation], ...], last: Derivation
) -> Derivation:
    return lines(*before, last=last)


def cited(fact: pr.Proposition, rule: str, *arguments: Any) -> Line:
    """A line whose proof is an instance of a rule."""
    return fact, Cited(instance(rule, *arguments))


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


@dataclass(frozen=True)
class Arbitrary(Derivation):
    """Proves "for every variable": `because` proves the body for a new symbol.

    `symbol` is the new symbol where the variable's own name is taken.
    """

    because: Derivation
    symbol: ex.ScalarSymbol | ex.MatrixSymbol | ex.SequenceSymbol | None = None


@dataclass(frozen=True)
class Exhibit(Derivation):
    """Proves "for some variable": `because` proves the body for `value`."""

    value: ex.Expression | ex.SequenceSymbol
    because: Derivation


@dataclass(frozen=True)
class Each(Derivation):
    """Proves "for i = first, …, last": `because` proves the body where first ≤ i ≤ last."""

    because: Derivation


@dataclass(frozen=True)
class Obtain(Derivation):
    """Proves anything with a new symbol for what `fact`, which is known, says to exist.

    `symbol` is the new symbol where the variable's own name is taken.
    """

    fact: pr.Exists | pr.ExistsRange
    then: Derivation
    symbol: ex.ScalarSymbol | ex.MatrixSymbol | ex.SequenceSymbol | ex.IndexSymbol | None = None


@dataclass(frozen=True)
class Choose(Derivation):
    """Proves a disjunction by its part at `position`."""

    position: int
    because: Derivation


@dataclass(frozen=True)
class Suppose(Derivation):
    """Proves a relation: `because` proves 1 = 0 where the relation's negation is assumed."""

    because: Derivation


@dataclass(frozen=True)
class Contradiction(Derivation):
    """Proves anything: `fact`, a relation, is known, and `because` proves its negation."""

    fact: pr.Proposition
    because: Derivation


@dataclass(frozen=True)
class Linear(Derivation):
    """Proves ≤, < or = between scalars from facts, all linear in the same terms."""

    using: tuple[Fact, ...]


@dataclass(frozen=True)
class Induction(Derivation):
    """Proves a statement on an index that is known to be ≥ `first`.

    `base` proves it for `first`, `step` for index + 1 from index. What is known of the index
    belongs to the statement that is proved so; the other symbols do not vary.
    """

    index: ex.IndexSymbol
    first: int | ex.Expression
    base: Derivation
    step: Derivation


# ---------------------------------------------------------------- checking


class DerivationFailed(Exception):
    """A place where a derivation does not close; the message says which and why."""


def check_derivation(claim: Claim, derivation: Derivation) -> Evidence:
    """Check `derivation` against the statement of `claim`.

    Returns
    -------
    Evidence
        `confirmed` when every step closes; then ``data["steps"]`` are the lines of the proof, as
        `Lines` writes them. Otherwise `contradicted` when exact inputs were seen at which the
        statement is false, and `inconclusive` when not; the detail names the step that failed.
    """
    proof = _Proof(claim.given)
    try:
        proof.check(claim.then, derivation, claim.given)
    except (DerivationFailed, Captured) as failure:
        return _failed(claim, str(failure), proof.lines.numbered())
    steps = proof.lines.numbered()
    count = sum(line["role"] in ("equal", "fact") for line in steps)
    detail = f"{count} steps, each closed by an exact decision"
    return Evidence(Kind.DERIVATION, Outcome.CONFIRMED, detail, data={"steps": steps})


def _failed(claim: Claim, failure: str, steps: list[dict[str, Any]]) -> Evidence:
    data: dict[str, Any] = {"steps": steps, "failed": failure}
    found = counterexample(claim)
    if found is None:
        return Evidence(Kind.DERIVATION, Outcome.INCONCLUSIVE, failure, data=data)
    detail = f"{failure}; the statement is false at {_shown(found)}"
    return Evidence(Kind.DERIVATION, Outcome.CONTRADICTED, detail, data=data)


class _Proof:
    """One run of the checker; `lines` grows as steps close."""

    def __init__(self, given: tuple[pr.Proposition, ...] = ()) -> None:
        self.lines = Lines(given)
        self.lemmas: list[pr.Proposition] = []  # what was proved on the way, kept alive
        self.proved: set[int] = set()  # and where it is in memory: trees are slow to compare

    def check(
        self, goal: pr.Proposition, proof: Derivation, known: Sequence[pr.Proposition]
    ) -> None:
        """Raise DerivationFailed unless `proof` proves `goal` from what is `known`."""
        with self.lines.scope():
            self._check(goal, proof, tuple(known))

    def lemma(
        self, goal: pr.Proposition, proof: Derivation, known: Sequence[pr.Proposition]
    ) -> int:
        """Check a proof inside of another one; the line that says `goal`."""
        if isinstance(proof, Cited | Known | Evaluated) or (
            isinstance(proof, Chain | AtMost | Linear) and isinstance(goal, pr.Eq | pr.Le | pr.Lt)
        ):  # its lines end with what it proves, which need not be said before
            self.check(goal, proof, known)
            return self.lines.last
        place = self.lines.goal(goal)
        with self.lines.scope(deeper=1):
            self.check(goal, proof, known)
        self.lines.close(place)
        return place

    def _check(
        self, goal: pr.Proposition, proof: Derivation, known: tuple[pr.Proposition, ...]
    ) -> None:
        here = set(known) if isinstance(proof, Have) else set()
        while isinstance(proof, Have):  # line after line, however many there are
            if proof.lemma not in here:  # what is known already is not proved again
                self.defined(proof.lemma, known)
                place = self.lemma(proof.lemma, proof.because, known)
                self.lines.note(proof.lemma, place)
                self.lemmas.append(proof.lemma)
                self.proved.add(id(proof.lemma))
                here.add(proof.lemma)
                known = (*known, proof.lemma)
            proof = proof.then
        match goal, proof:
            case pr.Implies(left, right), Assume(because):
                self.lines.assume(left)
                self.check(right, because, (*known, left))
            case _, Cases(either, branches):
                self.cases(goal, either, branches, known)
            case _, Cited(rule):
                self.cite(goal, rule, known)
            case _, Evaluated():
                self.evaluated(goal)
            case _, Known():
                self.require(goal, known)
                self.lines.fact(goal, "as is known", self.lines.label(goal))
            case pr.Defined(_, _, body), _:
                self.check(body, proof, known)
            case pr.Implies(left, right), _:
                self.lines.assume(left)
                self.check(right, proof, (*known, left))
            case pr.And(parts), Parts(proofs):
                if len(parts) != len(proofs):
                    raise DerivationFailed(
                        f"{len(proofs)} proofs for the {len(parts)} parts of `{plain(goal)}`"
                    )
                for part, of_part in zip(parts, proofs, strict=True):
                    self.lemma(part, of_part, known)
            case pr.Iff(left, right), BothWays(forward, backward):
                for start, end, proof_of_end in ((left, right, forward), (right, left, backward)):
                    with self.lines.scope():
                        self.lines.assume(start)
                        self.lemma(end, proof_of_end, (*known, start))
            case pr.Invertible(body), TrivialKernel(vector, because):
                self.kernel(body, vector, because, known)
            case pr.ForAll(variable, body), Arbitrary(because, symbol):
                here = _fresh(variable, symbol, body, (*known, goal))
                self.lines.let(variable if symbol is None else symbol)
                self.check(here, because, known)
            case pr.Exists(variable, body), Exhibit(value, because):
                self.exhibit(variable, value, body, because, known)
            case pr.ForRange(index, _, _, body), Each(because):
                here = _fresh(index, None, body, (*known, goal))
                within = _within(goal, index)
                self.lines.let(index, within)
                self.check(here, because, (*known, *within))
            case _, Obtain(fact, then, symbol):
                if not isinstance(fact, pr.Exists | pr.ExistsRange):
                    raise DerivationFailed(f"`{plain(fact)}` does not say that something exists")
                self.require(fact, known)
                variable = fact.index if isinstance(fact, pr.ExistsRange) else fact.variable
                found = _fresh(variable, symbol, fact.body, (*known, goal))
                within = _within(fact, variable if symbol is None else symbol)
                self.lines.obtain(fact, found, within)
                self.check(goal, then, (*known, *within, found))
            case pr.Or(parts), Choose(position, because):
                if position not in range(len(parts)):
                    raise DerivationFailed(f"`{plain(goal)}` has no part at {position}")
                self.check(parts[position], because, known)
            case ((pr.Eq() | pr.Ne() | pr.Le() | pr.Lt()), Suppose(because)):
                self.lines.assume(_opposite(goal), "for a contradiction")
                self.check(_FALSE, because, (*known, _opposite(goal)))
            case _, Contradiction(fact, because):
                self.require(fact, known)
                place = self.lemma(_opposite(fact), because, known)
                words = f"{self.lines.words(fact)} and {self.lines.at(place)}"
                self.lines.fact(goal, "a contradiction", words)
            case ((pr.Eq() | pr.Le() | pr.Lt()), Linear(using)):
                self.linear(goal, using, known)
            case _, Induction():
                self.induction(goal, proof, known)
            case pr.Eq(left, right), Chain():
                self.chain(proof, known, goal)
                _check_end(proof.start, left, "starts", goal)
                _check_end(_last(proof), right, "ends", goal)
            case ((pr.Le(left, right) | pr.Lt(left, right)), AtMost(difference)):
                self.chain(difference, known, goal)
                _check_end(difference.start, right - left, "starts", goal)
                end = _last(difference)
                visibly = is_positive if isinstance(goal, pr.Lt) else is_nonnegative
                if not visibly(end, _plain_facts(known)):
                    sign = "> 0" if isinstance(goal, pr.Lt) else "≥ 0"
                    raise DerivationFailed(f"{plain(end)} is not visibly {sign}")
                self.lines.fact(goal, "the difference of its sides is a square or the like", "form")
            case _:
                raise DerivationFailed(
                    f"`{plain(goal)}` is not what a {type(proof).__name__} proves"
                )

    def chain(self, proof: Chain, known: tuple[pr.Proposition, ...], goal: pr.Proposition) -> None:
        self.lines.start(proof.start)
        before = proof.start
        for number, current in enumerate(proof.steps, 1):
            place = (
                f"step {number} of `{plain(goal)}`, {plain(before)} = {plain(current.expression)}"
            )
            try:
                known = self.step(before, current, known)
            except (DerivationFailed, ClaimError, RuleError, ex.ShapeError) as problem:
                raise DerivationFailed(f"{place}: {problem}") from None
            words = "; ".join(map(self.lines.words, current.using)) or "normal form"
            self.lines.equal(current.expression, current.reason, words)
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
                premises, conclusion = self.concluded(fact, known)
                spelled += premises
                facts.append(conclusion)
            else:
                self.require(fact, known)
                facts.append(fact)
        after = current.expression
        if before.shape != after.shape:
            raise DerivationFailed(f"the shapes {before.shape} and {after.shape} differ")
        known = (*known, *(f for f in (*spelled, *facts) if f not in known))
        stated = _stated(known, pr.Eq(before, after))
        equations = [f for fact in facts for f in conjuncts(fact) if isinstance(f, pr.Eq)]
        try:
            decision = same(before, after, equations)
        except Undecided as problem:
            raise DerivationFailed(str(problem)) from None
        if not decision.holds:
            raise DerivationFailed(f"the two sides differ by {decision.difference}")
        # lemmas follow from the rest
        others = [f for f in known if not (id(f) in self.proved or _quantified(f))]
        about = _concerning(stated.then, (*spelled, *facts), others)
        concerned = consequence(about, stated.then, defined=True)
        if (
            found := counterexample(concerned, tries=_WITNESSES, most=_MOST_SIZES_OF_A_STEP)
        ) is not None:
            raise DerivationFailed(f"the two sides have different values at {_shown(found)}")
        return known

    def cases(
        self,
        goal: pr.Proposition,
        either: pr.Or,
        branches: tuple[Derivation, ...],
        known: tuple[pr.Proposition, ...],
    ) -> None:
        if not isinstance(either, pr.Or):
            raise DerivationFailed(f"`{plain(either)}` is no disjunction, to be taken case by case")
        self.require(either, known)
        if len(either.parts) != len(branches):
            raise DerivationFailed(
                f"{len(branches)} proofs for the {len(either.parts)} cases of `{plain(either)}`"
            )
        words = self.lines.words(either)
        for number, (case, branch) in enumerate(zip(either.parts, branches, strict=True), 1):
            with self.lines.scope():
                self.lines.assume(case, f"case {number} of {len(branches)}, {words}")
                with self.lines.scope(deeper=1):
                    self.check(goal, branch, (*known, case))

    def cite(self, goal: pr.Proposition, rule: Instance, known: tuple[pr.Proposition, ...]) -> None:
        from .decisions import same_statement

        self.defined(goal, known)
        try:
            _, conclusion = self.concluded(rule, known)
        except (RuleError, ex.ShapeError, ClaimError) as problem:
            raise DerivationFailed(f"rule {rule.rule} for `{plain(goal)}`: {problem}") from None
        if not same_statement(conclusion, goal):
            raise DerivationFailed(
                f"rule {rule.rule} gives `{plain(conclusion)}`, not `{plain(goal)}`"
            )
        self.lines.fact(goal, self.lines.words(rule), f"rule {rule.rule}")

    def kernel(
        self,
        body: ex.Expression,
        vector: ex.MatrixSymbol,
        because: Derivation,
        known: tuple[pr.Proposition, ...],
    ) -> None:
        rows, _ = ex.matrix_shape(body)
        goal, zero = pr.Invertible(body), ex.zeros(rows, 1)
        if not isinstance(vector, ex.MatrixSymbol) or vector.shape != (rows, 1):
            raise DerivationFailed(
                f"{vector} must have the shape ({rows}, 1) to go with {body}, and be a symbol"
            )
        if any(mentions(statement, vector) for statement in (*known, goal)):
            raise DerivationFailed(f"the vector {vector} must be new, but it occurs already")
        with self.lines.scope():
            self.lines.assume(pr.eq(body @ vector, zero), f"for some {vector}")
            self.lemma(pr.eq(vector, zero), because, (*known, pr.eq(body @ vector, zero)))
        self.lines.fact(goal, "a square matrix with trivial kernel is invertible", "linear algebra")

    def exhibit(
        self,
        variable: Any,
        value: Any,
        body: pr.Proposition,
        because: Derivation,
        known: tuple[pr.Proposition, ...],
    ) -> None:
        _check_sort(value, variable)
        instance = put(body, variable, value)
        if isinstance(value, ex.Expression):
            self.defined(pr.eq(value, value), known)
            self.lines.take(pr.eq(variable, value))
        self.check(instance, because, known)

    def evaluated(self, goal: pr.Proposition) -> None:
        from .reals import REALS

        try:
            truth = holds(goal, Assignment({}, {}), REALS)
        except (Undefined, Unsupported, NotDifferentiable, ZeroDivisionError) as problem:
            raise DerivationFailed(f"`{plain(goal)}` has no exact value: {problem}") from None
        except KeyError as missing:
            raise DerivationFailed(f"`{plain(goal)}`: {missing} is free in it") from None
        if truth is not True:
            raise DerivationFailed(f"`{plain(goal)}` is not true in exact arithmetic")
        self.lines.fact(goal, "in numbers", "exact arithmetic")

    def linear(
        self, goal: pr.Proposition, using: tuple[Fact, ...], known: tuple[pr.Proposition, ...]
    ) -> None:
        from .decisions import Undecided, implied

        self.defined(goal, known)
        facts: list[pr.Proposition] = []
        for fact in using:
            if isinstance(fact, Instance):
                try:
                    facts += conjuncts(self.concluded(fact, known)[1])
                except (RuleError, ex.ShapeError, ClaimError) as problem:
                    raise DerivationFailed(f"rule {fact.rule}: {problem}") from None
            else:
                self.require(fact, known)
                facts += conjuncts(fact)
        match goal:
            case pr.Eq(left, right) if left.shape is None:
                needed: tuple[pr.Le | pr.Lt, ...] = (pr.le(left, right), pr.le(right, left))
            case pr.Le() | pr.Lt():
                needed = (goal,)
            case _:
                raise DerivationFailed(f"`{plain(goal)}` does not compare scalars")
        try:
            followed = all(implied(part, facts) for part in needed)
        except Undecided as problem:
            raise DerivationFailed(f"`{plain(goal)}`: {problem}") from None
        if not followed:
            raise DerivationFailed(f"`{plain(goal)}` is not a linear consequence of the facts")
        words = "; ".join(map(self.lines.words, using)) or "numbers alone"
        self.lines.fact(goal, f"linear arithmetic, from {words}", "")

    def induction(
        self, goal: pr.Proposition, proof: Induction, known: tuple[pr.Proposition, ...]
    ) -> None:
        index, first = proof.index, ex.as_expression(proof.first)
        if not isinstance(index, ex.IndexSymbol):
            raise DerivationFailed(f"induction is on an index, and {index} is none")
        if mentions(first, index) or not ex.is_integer(first):
            raise DerivationFailed(f"induction on {index} cannot start from {plain(first)}")
        self.require(pr.le(first, index), known)
        fixed = tuple(fact for fact in known if not mentions(fact, index))
        moving = tuple(fact for fact in known if mentions(fact, index))
        after = index + 1

        def at(value: ex.Expression) -> tuple[pr.Proposition, tuple[pr.Proposition, ...]]:
            return put(goal, index, value), tuple(put(fact, index, value) for fact in moving)

        start, assumed = at(first)
        self.lines.goal(start, f"induction on {index}, from {first}")
        with self.lines.scope(deeper=1):
            self.lines.suppose(assumed, f"known of {index}, at {plain(first)}")
            self.check(start, proof.base, (*fixed, *assumed))
        following, assumed = at(after)
        hypothesis = pr.Implies(pr.And(moving), goal)
        self.lines.goal(following, f"induction on {index}, the next one")
        with self.lines.scope(deeper=1):
            self.lines.assume(hypothesis, "the hypothesis of the induction")
            self.lines.suppose(assumed, f"known of {index}, at {plain(after)}")
            self.lines.suppose((pr.le(first, index),), "where the induction is")
            facts = (*fixed, *assumed, pr.le(first, index), hypothesis)
            self.check(following, proof.step, facts)

    def require(self, fact: pr.Proposition, known: tuple[pr.Proposition, ...]) -> None:
        """Raise unless a fact is known; spelled in another way, its terms must be defined."""
        self.lines.spell(fact, _require(fact, known))
        if fact not in known:
            self.defined(fact, known)

    def defined(self, statement: pr.Proposition, known: tuple[pr.Proposition, ...]) -> None:
        try:
            _stated(known, statement)
        except ClaimError as problem:
            raise DerivationFailed(f"`{plain(statement)}`: {problem}") from None

    def concluded(
        self, rule: Instance, known: tuple[pr.Proposition, ...]
    ) -> tuple[Premises, pr.Proposition]:
        """Premises and conclusion of a rule whose premises are known and its terms defined."""
        premises, conclusion = rule.expand()
        for premise in premises:
            self.lines.spell(premise, _require(premise, known))
        for place, premise in enumerate(premises):  # spelled in another way than what is known
            _stated((*known, *premises[:place]), premise)
        _stated((*known, *premises), conclusion)
        self.lines.premises[id(rule)] = premises
        return premises, conclusion


_FALSE = pr.eq(1, 0)


def _opposite(fact: pr.Proposition) -> pr.Proposition:
    """The negation of a relation; orders are those of the reals."""
    match fact:
        case pr.Eq(left, right):
            return pr.Ne(left, right)
        case pr.Ne(left, right):
            return pr.Eq(left, right)
        case pr.Le(left, right):
            return pr.Lt(right, left)
        case pr.Lt(left, right):
            return pr.Le(right, left)
    raise DerivationFailed(f"`{plain(fact)}` is not a relation")


def _within(fact: pr.Proposition, index: Any) -> tuple[pr.Proposition, ...]:
    """That an index is in the range over which `fact` speaks; nothing of another variable."""
    match fact:
        case pr.ForRange(_, first, last, _) | pr.ExistsRange(_, first, last, _):
            above = pr.le(first, index)
            return (above,) if last is None else (above, pr.le(index, last))
    return ()


def _fresh(variable: Any, symbol: Any, body: Any, context: Sequence[pr.Proposition]) -> Any:
    """`body` for a symbol that is free nowhere in the context."""
    new = variable if symbol is None else symbol
    if type(new) is not type(variable):
        raise DerivationFailed(f"{new} is no symbol like {variable}")
    _check_sort(new, variable)
    taken = free_names(_stated(context, _FALSE))
    if new.name in taken:
        raise DerivationFailed(f"the symbol {new.name} must be new, but it occurs already")
    return put(body, variable, new)


def _check_sort(value: Any, variable: Any) -> None:
    """Raise unless a value may stand where a variable does."""
    try:
        same = sort_of(value) == sort_of(variable)
    except (TypeError, AttributeError):
        same = False
    if not same:
        raise DerivationFailed(f"{value} is not of the sort of {variable}")


def free_names(claim: Claim) -> set[str]:
    """The names of the free symbols of a claim, sizes left out."""
    found = symbols(claim)
    groups = (found.indices, found.scalars, found.matrices, found.functions, found.sequences)
    groups = (*groups, found.maps)
    return {symbol.name for group in groups for symbol in group}


def _plain_facts(known: Iterable[pr.Proposition]) -> list[pr.Proposition]:
    """Every part of what is known, with names replaced by what they stand for."""
    from .decisions import without_names

    return [without_names(part) for fact in known for part in conjuncts(fact)]


def _last(proof: Chain) -> ex.Expression:
    return proof.steps[-1].expression if proof.steps else proof.start


def _check_end(end: ex.Expression, side: ex.Expression, verb: str, goal: pr.Proposition) -> None:
    if plain_body(end) != plain_body(side):
        raise DerivationFailed(
            f"the chain {verb} with {plain(end)}, but `{plain(goal)}` needs {plain(side)}"
        )


def _require(fact: pr.Proposition, known: Iterable[pr.Proposition]) -> list[pr.Proposition]:
    """Raise unless `fact` is among what is known, up to names and normal forms.

    Its parts, as they are spelled there.
    """
    from .decisions import same_statement

    facts = [part for given in known for part in (given, *conjuncts(given))]
    spelled = []
    for part in conjuncts(fact):
        same = (other for other in facts if same_statement(part, other))
        found = part if part in facts else next(same, None)
        if found is None:
            raise DerivationFailed(f"`{plain(part)}` is not known here")
        spelled.append(found)
    return spelled


def _stated(known: Iterable[pr.Proposition], then: pr.Proposition) -> Claim:
    """The claim that `then` follows; raises ClaimError where a term of it may be undefined.

    What is known was checked when it became so.
    """
    return consequence(known, then)


# ---------------------------------------------------------------- exact inputs

_POOL = tuple(Fraction(x) for x in (1, -1, 2, -2, 0, 3, Fraction(1, 2), Fraction(-1, 2)))
_WITNESSES = 3
_TRIES = 60
_SIZES = (1, 2, 3)
_MOST_SIZES = 24
_MOST_SIZES_OF_A_STEP = 9


def exact_inputs(claim: Claim, *, tries: int = _TRIES, most: int = _MOST_SIZES) -> Iterator[Inputs]:
    """Exact inputs that satisfy the hypotheses of `claim` as far as it can be arranged.

    Every combination of sizes from 1 to 3 gets all zeros, all ones, and `tries` draws from a few
    small numbers; the order is the same in every run. Indices that a hypothesis does not allow are
    left out; of more than `most` combinations others are.
    """
    from .reals import arithmetic_of

    exact = arithmetic_of(claim)
    found = symbols(claim)
    # indices multiply the combinations, and need no large sizes beside them
    dims = _SIZES[:2] if found.indices else _SIZES
    ranges = [(d.name, dims) for d in found.dims] + [(i.name, range(4)) for i in found.indices]
    names = [name for name, _ in ranges]
    every = [
        sizes
        for values in product(*(choices for _, choices in ranges))
        if _in_order(claim, sizes := dict(zip(names, values, strict=True)))
    ]
    if len(every) > most:  # of the combinations of several indices a few
        places = random.Random(0).sample(range(len(every)), most)
        every = [every[place] for place in sorted(places)]
    for sizes in every:
        generator = random.Random(0)
        for attempt in range(tries + 2):
            pool = [_POOL[4]] if attempt == 0 else [_POOL[0]] if attempt == 1 else _POOL

            def draw(pool: Sequence[Fraction] = pool, r: random.Random = generator) -> Any:
                return exact.number(r.choice(pool))

            try:
                inputs = construct(claim, sizes, exact, draw, component=attempt)
            except (Undefined, ZeroDivisionError, KeyError, Unsupported):
                continue
            yield replace(inputs, at=replace(inputs.at, samples=_POOL))


def _names(statement: pr.Proposition) -> set[str]:
    """The names of the symbols in a statement, sizes left out."""
    symbols_of = (ex.ScalarSymbol, ex.IndexSymbol, ex.MatrixSymbol)
    found: set[str] = set()
    for node in pr.expressions_in(statement):
        if isinstance(node, symbols_of):
            found.add(node.name)
        elif isinstance(node, ex.Term):
            found.add(node.sequence.name)
        elif isinstance(node, ex.Apply):
            found.add(node.function.name)
    return found


def _concerning(
    statement: pr.Proposition,
    used: Sequence[pr.Proposition],
    known: Sequence[pr.Proposition],
) -> tuple[pr.Proposition, ...]:
    """What is used, and the facts on the symbols of that and of the statement alone.

    What is used proves the statement: others only make its terms defined.
    """
    reached = {name for fact in (statement, *used) for name in _names(fact)}
    return (*used, *(fact for fact in known if fact not in used and _names(fact) <= reached))


def _quantified(fact: pr.Proposition) -> bool:
    """Does a fact speak of all, or of some, values of a variable? Numbers rarely decide that."""
    bound = (pr.ForAll, pr.Exists, pr.ForRange, pr.ExistsRange, pr.TendsTo)
    return isinstance(fact, bound) or any(map(_quantified, fact.propositions))


def _in_order(claim: Claim, sizes: Mapping[str, int]) -> bool:
    """Do the hypotheses that compare integers alone hold?"""
    at = Assignment(sizes, sizes)
    for given in claim.given:
        for fact in conjuncts(given):
            match fact:
                case pr.Le(left, right) | pr.Lt(left, right):
                    try:
                        low, high = integer(left, at), integer(right, at)
                    except (KeyError, Unsupported):
                        continue  # a comparison of real numbers
                    if not (low < high if isinstance(fact, pr.Lt) else low <= high):
                        return False
    return True


def counterexample(
    claim: Claim, *, tries: int = _TRIES, most: int = _MOST_SIZES
) -> Assignment | None:
    """Exact inputs at which `claim` is false, if some were seen."""
    from .reals import arithmetic_of

    exact = arithmetic_of(claim)
    for inputs in exact_inputs(claim, tries=tries, most=most):
        try:
            if holds(inputs.remaining(claim.then), inputs.at, exact) is False:
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
