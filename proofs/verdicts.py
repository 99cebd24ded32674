"""From evidence to a verdict. Verdicts are computed here and nowhere else.

judge(claim, evidence, …) == the Ruling: verdict, status, a sentence, and whether it fails the run
agrees(evidence, verdict) == does one piece of evidence speak for that verdict?
says(evidence)            == True, False or None: what it says of the statement
Ruling                    == the outcome for one claim

A proof needs a deciding kind that confirms, hypotheses that can be met, and nothing that
contradicts. Supporting evidence never proves; what was not found is never false.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..symbolic.claims import Claim
from ..symbolic.evidence import DECIDES_PROVED, DECIDES_REFUTED, Evidence, Kind, Outcome

Verdict: TypeAlias = Literal["proved", "refuted", "open"]
Status: TypeAlias = Literal["as_expected", "differs", "inconsistent", "error"]


@dataclass(frozen=True)
class Ruling:
    """What follows from the evidence.

    `undecided` marks a claim that is open against expectation although nothing speaks against it
    and nothing that was promised failed: kinds that decide were not asked for, not available, or
    are a search that found nothing. It fails a run under ``--strict`` only.
    """

    verdict: Verdict
    status: Status
    note: str = ""
    undecided: bool = False

    @property
    def failed(self) -> bool:
        """Does this claim alone make the run fail?"""
        return self.status != "as_expected" and not self.undecided


def says(evidence: Evidence) -> bool | None:
    """What the evidence says of the statement: True, False, or None for nothing.

    For a counterexample or counterproof `confirmed` means that the statement is false; one that
    does not hold up says nothing, since its failure proves nothing.
    """
    if evidence.kind in DECIDES_REFUTED:
        return False if evidence.outcome is Outcome.CONFIRMED else None
    return {Outcome.CONFIRMED: True, Outcome.CONTRADICTED: False}.get(evidence.outcome)


def agrees(evidence: Evidence, verdict: Verdict) -> bool:
    """Does the evidence speak for `verdict`?"""
    return says(evidence) is (verdict == "proved") and verdict != "open"


def judge(
    claim: Claim,
    evidence: Sequence[Evidence],
    *,
    attached: Collection[Kind] = (),
    witnessed: bool = True,
) -> Ruling:
    """The ruling on `claim`.

    Parameters
    ----------
    evidence : sequence of Evidence
        What the checks found today, skipped ones included.
    attached : collection of Kind
        The kinds that the catalogue promises. A deciding kind among them that was run and did not
        confirm makes the claim fail, even where another kind decides it.
    witnessed : bool
        Whether values are known that meet the hypotheses. Without them nothing is proved.
    """
    proofs = [e for e in evidence if e.kind in DECIDES_PROVED and says(e) is True]
    refutations = [e for e in evidence if e.kind in DECIDES_REFUTED and says(e) is False]
    against = [e for e in evidence if e.kind not in DECIDES_REFUTED and says(e) is False]
    errors = [e for e in evidence if e.outcome is Outcome.ERROR]

    if proofs and (refutations or against):
        note = f"{_kinds(proofs)} proved it, {_kinds([*refutations, *against])} contradicts it"
        return Ruling("open", "inconsistent", note)
    verdict: Verdict = "open"
    note = ""
    if refutations:
        verdict = "refuted"
    elif proofs and witnessed:
        verdict = "proved"
    elif not witnessed:
        note = "no values were found that meet the hypotheses; they may contradict each other"

    if errors:
        return Ruling(verdict, "error", note or f"{_kinds(errors)} stopped with an error")
    broken = [
        e
        for e in evidence
        if e.kind in attached
        and e.kind in DECIDES_PROVED | DECIDES_REFUTED
        and e.outcome in (Outcome.INCONCLUSIVE, Outcome.CONTRADICTED)
        and not agrees(e, claim.expected)
    ]
    if verdict == claim.expected:
        if broken and verdict != "open":
            return Ruling(verdict, "differs", f"{_kinds(broken)} did not confirm it")
        return Ruling(verdict, "as_expected")
    if note:
        return Ruling(verdict, "differs", note)
    if verdict == "open" and against:
        note = f"{_kinds(against)} contradicts it, and no refutation was found"
        return Ruling(verdict, "differs", note)
    if verdict == "open" and broken:
        return Ruling(verdict, "differs", f"{_kinds(broken)} did not confirm it")
    if verdict == "open":
        return Ruling(verdict, "differs", "no evidence decides it", undecided=True)
    return Ruling(verdict, "differs", f"{_kinds(refutations or proofs)} decides it")


def _kinds(evidence: Sequence[Evidence]) -> str:
    return ", ".join(dict.fromkeys(e.kind.value for e in evidence))
