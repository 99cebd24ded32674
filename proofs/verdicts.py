"""From evidence to a verdict. Verdicts are computed here and nowhere else.

judge(claim, evidence, …) == the Ruling: verdict, status, a sentence, and whether it fails the run
Row                       == what the outcome of a claim depends on; from a Result, or from a record
standing(row, …)          == what a claim means for the run; all outputs and exit codes go by it
lacking(rows, required)   == the claims that must have a required kind and have it not
parse_kinds(names)        == kinds from their names and the names of groups
agrees(evidence, verdict) == does one piece of evidence speak for that verdict?
says(evidence)            == True, False or None: what it says of the statement
Ruling                    == the outcome for one claim

A proof needs a deciding kind that confirms, hypotheses that can be met, and nothing that
contradicts. Supporting evidence never proves; what was not found is never false.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ..symbolic.claims import Claim
from ..symbolic.evidence import DECIDES_PROVED, DECIDES_REFUTED, GROUPS, Evidence, Kind, Outcome

Verdict: TypeAlias = Literal["proved", "refuted", "open"]
Status: TypeAlias = Literal["as_expected", "differs", "inconsistent", "error"]
UNWITNESSED = (
    "no rational values were found that meet the hypotheses: they may contradict each other, or "
    "be met by irrational values alone, which are not tried"
)
Standing: TypeAlias = Literal["passes", "undecided", "doubtful", "fails", "crashed"]


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

    A proof whose data names claims under `unproved` rests on them; where every proof does, the
    claim is not proved.
    """
    return _rule(claim.expected, evidence, attached, witnessed)


def _rule(
    expected: Verdict, evidence: Sequence[Evidence], attached: Collection[Kind], witnessed: bool
) -> Ruling:
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
    elif proofs and all(e.data.get("unproved") for e in proofs):
        names = dict.fromkeys(name for e in proofs for name in e.data["unproved"])
        note = f"{_kinds(proofs)} rests on {', '.join(names)}, not proved"
    elif proofs and witnessed:
        verdict = "proved"
    elif not witnessed:
        note = UNWITNESSED

    if errors:
        return Ruling(verdict, "error", f"{_kinds(errors)} stopped with an error")
    broken = [
        e
        for e in evidence
        if e.kind in attached
        and e.kind in DECIDES_PROVED | DECIDES_REFUTED
        and e.outcome in (Outcome.INCONCLUSIVE, Outcome.CONTRADICTED)
        and not agrees(e, expected)
    ]
    if verdict == expected:
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


# ---------------------------------------------------------------- a claim in its run


@dataclass(frozen=True)
class Row:
    """What the outcome of a claim depends on.

    `attached` are the kinds of its entry, `owed` those that the ledger asks for beside them.
    `automatic` says that nothing was written by hand for it; `accepted` are false statements among
    its mutants that a deciding kind took for true.
    """

    id: str
    expected: Verdict
    evidence: tuple[Evidence, ...]
    attached: tuple[Kind, ...]
    automatic: bool = False
    witnessed: bool = True
    accepted: tuple[str, ...] = ()
    owed: tuple[Kind, ...] = ()

    @property
    def ruling(self) -> Ruling:
        """Verdict and status."""
        promised = () if self.automatic else self.attached
        return _rule(self.expected, self.evidence, promised, self.witnessed)

    @property
    def promised(self) -> frozenset[Kind]:
        """The kinds it must have; found by rule, only those that can bear out its verdict."""
        kinds = frozenset(self.attached)
        if self.automatic:
            kinds -= DECIDES_PROVED if self.expected == "refuted" else DECIDES_REFUTED
        return kinds | frozenset(self.owed)

    @property
    def doubtful(self) -> bool:
        """Is a kind that bears on the verdict inconclusive?"""
        # by rule both the proof and its opposite are searched; one of them is never found
        searched = {Kind.CERTIFICATE, Kind.COUNTEREXAMPLE} if self.automatic else set[Kind]()
        return any(
            e.outcome is Outcome.INCONCLUSIVE and e.kind not in searched for e in self.evidence
        )


def standing(row: Row, *, lacks: bool = False, strict: bool = False) -> Standing:
    """What a claim means for the run.

    crashed: a check raised or died, which is our own fault and exits with 3; fails exits with 1.
    undecided and doubtful exit with 6 under `strict` alone; a doubtful claim passes without it.
    """
    # a check that judged "error" did its work; one that raised, or died, did not
    if any("exception" in e.data for e in row.evidence):
        return "crashed"
    ruling = row.ruling
    if ruling.failed or lacks or row.accepted:
        return "fails"
    if ruling.undecided:
        return "undecided"
    return "doubtful" if strict and row.doubtful else "passes"


def parse_kinds(names: Iterable[str]) -> frozenset[Kind]:
    """Kinds from their names and the names of groups; raises ValueError for another name."""
    found: set[Kind] = set()
    for name in names:
        if name in GROUPS:
            found |= GROUPS[name]
        elif name in [*Kind]:
            found.add(Kind(name))
        else:
            there = ", ".join([*Kind, *GROUPS])
            raise ValueError(f"no kind of evidence is called {name!r}; there are {there}")
    return frozenset(found)


def lacking(rows: Sequence[Row], required: Iterable[str]) -> dict[str, str]:
    """Which claims lack a kind that `required` asks for: id -> the names that are missing.

    A claim must have a kind that is attached to it or that the ledger asks of it, and `symbolic`
    always. Where no selected claim
    has a kind to show, all lack it.
    """
    missing: dict[str, list[str]] = {}
    for name in required:
        wanted = parse_kinds([name])
        concerned = [r for r in rows if wanted & r.promised or name == "symbolic"]
        for row in concerned or rows:
            shown = [e for e in row.evidence if e.kind in wanted]
            agreeing = [e for e in shown if row.expected == "open" or agrees(e, row.expected)]
            # one symbolic proof is enough; of every other kind all that is attached must agree
            enough = bool(agreeing) if name == "symbolic" else len(agreeing) == len(shown)
            if not shown or not enough:
                missing.setdefault(row.id, []).append(name)
    return {claim_id: ", ".join(names) for claim_id, names in missing.items()}


def _kinds(evidence: Sequence[Evidence]) -> str:
    return ", ".join(dict.fromkeys(e.kind.value for e in evidence))
