"""Teeth, measured: every mutant of every claim through every kind of evidence.

MutantResult           == what one kind says of one mutant
chosen(entry)          == the mutants to try: those listed, and some made by rule
try_mutants(asked, …)  == the MutantResults of each claim
toothless(…)           == the deciding kinds of a claim that rejected no mutant of it
tell(trials)           == what the score does not show: what stays true, what nothing decides

A mutant of a proved claim is to be false, one of a refuted claim a repair, and true. Of a listed
mutant the catalogue says so, and a test holds it to that. Of one made by rule it is found out: it
is false where exact numbers break it, true where a deciding kind proves it, undecided otherwise.
Only a mutant that is known to be what it should be counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import fill
from typing import Any

from ..symbolic.claims import statement_hash
from ..symbolic.evidence import DECIDES_PROVED, DECIDES_REFUTED, Evidence, Kind, Outcome
from .catalogue.entry import Entry, Mutant
from .checks import Task

# of the changes that one rule makes of one statement, the first few say what the others would
PER_RULE = 2
_MOST_UNDECIDED = 20
# what can prove a mutant that nobody wrote a proof for, or for which the proof still holds
_PROVING = (Kind.CERTIFICATE, Kind.DERIVATION)
# what finds out whether a mutant made by rule is true, be it attached to the claim or not
SEARCHED = (Kind.COUNTEREXAMPLE, Kind.CERTIFICATE)


@dataclass(frozen=True)
class MutantResult:
    """What one kind of evidence says of one mutant.

    `intended` is True for a mutant that is known to be what it should be: false, or, of a claim
    expected refuted, true. It is False where the change left the statement as it was, true or
    false, and None where nobody knows. `seen` is False for a kind that cannot see the change.
    """

    name: str
    kind: Kind
    outcome: Outcome
    expected: str = "proved"
    intended: bool | None = True
    seen: bool = True

    @property
    def counts(self) -> bool:
        """Does the outcome say something of the teeth of this kind?"""
        silent = (Outcome.SKIPPED, Outcome.ERROR)
        return self.intended is True and self.seen and self.outcome not in silent

    @property
    def rejected(self) -> bool:
        """Did this kind notice the change? A proof need only fail; other kinds must contradict."""
        confirmed = self.outcome is Outcome.CONFIRMED
        contradicted = self.outcome is Outcome.CONTRADICTED
        if self.kind in DECIDES_PROVED:
            return confirmed if self.expected == "refuted" else not confirmed
        if self.kind in DECIDES_REFUTED:
            return confirmed if self.expected != "refuted" else not confirmed
        return not contradicted if self.expected == "refuted" else contradicted

    @property
    def accepted_falsely(self) -> bool:
        """Was a false statement proved, or a true one refuted?"""
        return self.counts and self.kind in _deciding(self.expected) and not self.rejected


def _deciding(expected: str) -> frozenset[Kind]:
    return DECIDES_REFUTED if expected == "refuted" else DECIDES_PROVED


# ---------------------------------------------------------------- which mutants


def chosen(entry: Entry) -> tuple[Mutant, ...]:
    """The listed mutants of `entry`, then `PER_RULE` by each rule that are not among them."""
    from .catalogue.mutation import generate_mutants

    listed = [m for m in entry.mutants if not m.rule]
    known = {m.claim.statement for m in listed}
    names = Counter(m.name for m in listed)
    made: dict[str, list[Mutant]] = {}
    for mutant in generate_mutants(entry.claim):
        group = made.setdefault(mutant.rule, [])
        if mutant.claim.statement in known or len(group) == PER_RULE:
            continue
        # the same change in two places of a statement has one name
        names[mutant.name] += 1
        times = names[mutant.name]
        group.append(replace(mutant, name=f"{mutant.name} ({times})") if times > 1 else mutant)
    return (*listed, *(m for group in made.values() for m in group))


# ---------------------------------------------------------------- trying them


@dataclass(frozen=True)
class _Trial:
    """A mutant in the place of its claim: what is attached to the claim stays attached.

    `expected` is what the unchanged claim is expected to be, whatever the mutant says of itself.
    """

    entry: Entry
    mutant: Mutant
    asked: tuple[Kind, ...]
    expected: str
    certificate: Mapping[str, Any] | None = None

    def task(self, kind: Kind) -> Task:
        """One kind of evidence for the mutant.

        Without a lemma the kernel gets the certificate of the claim, as if it were the mutant's.
        """
        if kind is Kind.KERNEL and self.entry.lemma is None and self.certificate is not None:
            forged = {**self.certificate, "statement_hash": statement_hash(self.mutant.claim)}
            return Task(replace(self.entry), kind, self.mutant.name, forged)
        return Task(self.entry, kind, self.mutant.name)

    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that try it.

        The kernel takes seconds. It gets what is listed, and dropped hypotheses: those a proof
        might not need.
        """
        proof = self.entry.lemma is not None or self.certificate is not None
        compiled = proof and self.mutant.rule in ("", "hypothesis")
        return tuple(k for k in self.asked if compiled or k is not Kind.KERNEL)


def try_mutants(
    asked: Sequence[tuple[Entry, Sequence[Kind], Mapping[str, Any] | None]],
    perform: Callable[[list[Task]], Sequence[Any]],
) -> list[tuple[MutantResult, ...]]:
    """What every kind says of every mutant, claim by claim.

    Parameters
    ----------
    asked : sequence of (Entry, kinds, certificate)
        The claims, the kinds of evidence to run, and the certificate of the claim as JSON, if it
        has one.
    perform : callable
        Finds the evidence of tasks, in their order. It is called twice: the second time with what
        the first one found to be worth it.
    """
    trials = [
        [
            _Trial(
                replace(entry, claim=m.claim, mutants=()),
                m,
                tuple(kinds),
                entry.claim.expected,
                certificate,
            )
            for m in chosen(entry)
        ]
        for entry, kinds, certificate in asked
    ]
    every = [trial for group in trials for trial in group]
    found = _Found(perform)
    found.add((t, kind) for t in every for kind in (_first(t) if t.mutant.rule else t.kinds()))
    found.add((t, kind) for t in every if t.mutant.rule for kind in _second(t, found))
    return [tuple(r for t in group for r in _results(t, found)) for group in trials]


class _Found:
    """The evidence of trials, by trial and kind."""

    def __init__(self, perform: Callable[[list[Task]], Sequence[Any]]):
        self.perform = perform
        self.by_trial: dict[int, dict[Kind, Outcome]] = {}

    def add(self, wanted: Iterable[tuple[_Trial, Kind]]) -> None:
        """Find what is wanted and not known yet."""
        missing = [(t, kind) for t, kind in wanted if kind not in self.of(t)]
        values = self.perform([t.task(kind) for t, kind in missing])
        for (trial, kind), value in zip(missing, values, strict=True):
            assert isinstance(value, Evidence)
            self.by_trial.setdefault(id(trial), {})[kind] = value.outcome

    def of(self, trial: _Trial) -> Mapping[Kind, Outcome]:
        """What is known of a trial."""
        return self.by_trial.get(id(trial), {})


def _first(trial: _Trial) -> tuple[Kind, ...]:
    """How the truth of a mutant made by rule is found out."""
    searched = () if trial.expected == "refuted" else (Kind.COUNTEREXAMPLE,)
    proving = SEARCHED[1:] if trial.expected == "refuted" else _PROVING
    attached = (k for k in proving if k in trial.asked or trial.expected == "refuted")
    return (*searched, *attached)


def _second(trial: _Trial, found: _Found) -> tuple[Kind, ...]:
    """The other kinds, for a mutant that turned out to be what it should be."""
    return trial.kinds() if _intended(trial, found.of(trial)) else ()


def _intended(trial: _Trial, outcomes: Mapping[Kind, Outcome]) -> bool | None:
    if not trial.mutant.rule:
        return not trial.mutant.stays_true
    refuted = outcomes.get(Kind.COUNTEREXAMPLE) is Outcome.CONFIRMED
    proved = any(outcomes.get(kind) is Outcome.CONFIRMED for kind in DECIDES_PROVED)
    if trial.expected == "refuted":
        return True if proved else None
    # what both proves and refutes is false: the numbers were checked, and the proof is at fault
    return True if refuted else False if proved else None


def _results(trial: _Trial, found: _Found) -> list[MutantResult]:
    outcomes = found.of(trial)
    intended = _intended(trial, outcomes)
    results = []
    for kind, outcome in outcomes.items():
        attached = kind in trial.kinds()
        said = outcome in (Outcome.CONFIRMED, Outcome.CONTRADICTED)
        # a number that does not see a change made by rule may have no way to
        decides = kind in _deciding(trial.expected)
        seen = decides or said if trial.mutant.rule else kind not in trial.mutant.unseen_by
        results.append(
            MutantResult(
                trial.mutant.name, kind, outcome, trial.expected, intended, attached and seen
            )
        )
    return results


# ---------------------------------------------------------------- what follows


def toothless(verdict: str, kinds: Iterable[Kind], mutants: Sequence[MutantResult]) -> list[Kind]:
    """Of the deciding kinds that speak for `verdict`, those that rejected no mutant."""
    sharp = {m.kind for m in mutants if m.counts and m.rejected}
    return [kind for kind in kinds if kind in _deciding(verdict) and kind not in sharp]


def tell(trials: Iterable[tuple[str, Sequence[MutantResult], Sequence[Kind]]]) -> str:
    """What a reader of the score wants to know beside it, 80 columns wide.

    Parameters
    ----------
    trials : iterable of (id, results, toothless kinds)
        One for each claim.
    """
    counted = tried = 0
    idle: list[str] = []
    true: list[str] = []
    unknown: list[str] = []
    broken: list[str] = []
    silent: list[str] = []
    for claim_id, results, without in trials:
        names = {m.name: m.intended for m in results}
        counted += sum(value is True for value in names.values())
        tried += len(names)
        true += [f"{claim_id}: {name}" for name, value in names.items() if value is False]
        unknown += [f"{claim_id}: {name}" for name, value in names.items() if value is None]
        idle += [f"{claim_id}: {kind.value} rejects no mutant" for kind in without]
        silent += [
            f"{claim_id}: {m.kind.value} at: {m.name}"
            for m in results
            if m.outcome is Outcome.ERROR
        ]
        broken += [
            f"{claim_id}: {m.kind.value} accepts: {m.name}" for m in results if m.accepted_falsely
        ]
    lines = [f"{tried} mutants: {counted} count, {len(true)} stay true, {len(unknown)} undecided"]
    sections = {
        "accepted falsely": broken,
        "no teeth": idle,
        "no answer: an error, or a time limit": silent,
        "stay true": true,
        "undecided": unknown,
    }
    for heading, found in sections.items():
        # of what nobody knows a few are enough; all the others are told in full
        most = _MOST_UNDECIDED if found is unknown else len(found)
        if found:
            lines += ["", heading, *(_line(text) for text in found[:most])]
        if len(found) > most:
            lines.append(f"  and {len(found) - most} more")
    return "\n".join(lines)


def _line(text: str) -> str:
    return fill(
        text, 80, initial_indent="  ", subsequent_indent="    ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
