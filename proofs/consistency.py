"""Does a record say what its evidence says? What can be computed again is compared.

check(record) == raises Inconsistent, naming the field that was edited, cut or made otherwise
stale(record) == claims of the package that have changed since: id -> which parts, in a sentence

A statement that has changed since is no fault of a record; that it has changed is said beside it.
Left out: whether the evidence was ever found. That takes a run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..symbolic.claims import statement_hash
from ..symbolic.evidence import DECIDES_REFUTED
from .catalogue.entry import Entry


class Inconsistent(ValueError):
    """A field of a record that does not follow from the rest of it."""


def check(record: Mapping[str, Any]) -> None:
    """Compare all that can be computed again.

    Parameters
    ----------
    record : mapping
        A record that fits its schema.

    Raises
    ------
    Inconsistent
        The message names the first field that differs, what stands there and what would follow.
    """
    from .record import OPTIONS, summarise

    claims, summary = record["claims"], record["summary"]
    for claim_id, times in Counter(c["id"] for c in claims).items():
        if times > 1:
            raise Inconsistent(f"claims: {claim_id} is there {times} times")
    present = _present(record)
    for claim in claims:
        for field, value, follows in _of_claim(claim, summary, present.get(claim["id"])):
            _same(f"claims/{claim['id']}/{field}", value, follows)
    for field, value, follows in _of_dependencies(claims):
        _same(f"claims/{field}", value, follows)
    computed = summarise(claims, {name: summary[name] for name in OPTIONS})
    for field, follows in computed.items():
        _same(f"summary/{field}", summary[field], follows)
    _same("timings/claims", [*record["timings"]["claims"]], [c["id"] for c in claims])


def _same(where: str, value: Any, follows: Any) -> None:
    if value != follows:
        raise Inconsistent(f"{where}: {_shown(value)} stands there, {_shown(follows)} follows")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:119]}…"


def _of_claim(
    claim: Mapping[str, Any], summary: Mapping[str, Any], entry: Entry | None
) -> Iterator[tuple[str, Any, Any]]:
    """Field, value, and the value that follows from the rest."""
    from .record import composed, reading, row

    read = claim["reading"]
    yield "family", claim["family"], claim["id"].partition(".")[0]
    yield "statement", claim["statement"], composed(read)
    yield "hypotheses", claim["hypotheses"], [h["latex"] for h in read["hypotheses"]]
    if entry is not None:
        # the hash says it is this statement, so these are its words
        yield "reading", read, reading(entry.claim)
    yield "evidence", _kinds(claim), [k for k in claim["attached"] if k in summary["kinds"]]
    for e in claim["evidence"]:
        certificate = e.get("certificate", {})
        if "statement_hash" in certificate:
            follows = claim["statement_hash"]
            yield "evidence/certificate/statement_hash", certificate["statement_hash"], follows
        found = e["kind"] in DECIDES_REFUTED and e["outcome"] == "confirmed"
        if found:
            shown = "counterexample" if e["kind"] == "counterexample" else "steps"
            yield f"evidence/{e['kind']}/{shown} given", shown in e, True
    ruling = row(claim).ruling
    yield "verdict", claim["verdict"], ruling.verdict
    yield "status", claim["status"], ruling.status
    yield "note", claim["note"], ruling.note


def _of_dependencies(claims: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Any, Any]]:
    """What each proof rests on, and which of that the same record calls unproved."""
    from .record import row

    rulings = {claim["id"]: row(claim).ruling for claim in claims}
    fallen = {n for n, r in rulings.items() if r.verdict != "proved" and not r.undecided}
    for claim in claims:
        rests_on = {n for e in claim["evidence"] for n in e.get("rests_on", ())}
        yield f"{claim['id']}/depends_on", claim["depends_on"], sorted(rests_on)
        for e in claim["evidence"]:
            follows = [n for n in e.get("rests_on", ()) if n in fallen]
            yield f"{claim['id']}/evidence/{e['kind']}/unproved", e.get("unproved", []), follows


def _kinds(claim: Mapping[str, Any]) -> list[str]:
    return [e["kind"] for e in claim["evidence"]]


def _present(record: Mapping[str, Any]) -> dict[str, Entry]:
    """The entries of the package that state today what the record states."""
    return {
        claim["id"]: entry
        for claim, entry in _built_in(record)
        if claim["statement_hash"] == statement_hash(entry.claim)
    }


def _built_in(record: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Entry]]:
    """The claims of the package in a record, each with its entry of today."""
    if record["summary"]["catalogue"] is not None:
        return
    from .catalogue import ENTRIES

    entries = {e.claim.id: e for e in ENTRIES}
    for claim in record["claims"]:
        if claim["id"] in entries:
            yield claim, entries[claim["id"]]


def stale(record: Mapping[str, Any]) -> dict[str, str]:
    """The claims of the package that have changed since the run: id -> what, in a sentence."""
    from .catalogue import kernel_wanted

    found = {}
    for claim, entry in _built_in(record):
        today = {
            "statement": statement_hash(entry.claim),
            "title": entry.claim.title,
            "source": str(entry.claim.source) if entry.claim.source.label else "",
            "expected verdict": entry.claim.expected,
            "attached kinds": [k.value for k in entry.kinds],
            "repair": entry.repaired_by,
            "reason why a Rocq theorem is wanted": kernel_wanted(entry),
        }
        then = (
            "statement_hash", "title", "source", "expected", "attached", "repaired_by",
            "kernel_wanted",
        )  # fmt: skip
        changed = [
            name
            for (name, value), key in zip(today.items(), then, strict=True)
            if claim.get(key, "") != value
        ]
        if changed:
            found[claim["id"]] = (
                f"stale: {', '.join(changed)} of this claim changed since this run; verify it again"
            )
    return found
