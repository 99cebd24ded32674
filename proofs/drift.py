"""Drift: what changed between an accepted run and another one, and whether that is weaker.

Row                        == what is kept of one claim: expectation, verdict, kinds, statement hash
Ledger                     == the rows of a run, or of a ledger file, by id
of_record(record)          == the Ledger of a record of `verify`
read(path)                 == the Ledger in a file, be it a record or a ledger
accepted(new, old)         == the rows to keep: those of `new`, with what it did not check of `old`
to_text(ledger)            == a ledger file: sorted, one row a line, the same bytes each time
compare(old, new)          == every Change, the weaker ones first
tell(changes, …)           == the changes for a terminal of 80 columns
ACCEPTED                   == the ledger of the built-in catalogue

Weaker is: a row or a kind of evidence gone, another verdict or expectation than before, another
statement under an old id, a claim that is no longer as expected. A kind that was not asked for, or
whose tool is missing, is not lost: it was not checked.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import fill
from typing import Any

from ..symbolic.evidence import DECIDES_PROVED, DECIDES_REFUTED, Evidence, Kind, Outcome
from .record import SCHEMAS, RecordError
from .record import read as read_record
from .verdicts import Verdict, agrees

ACCEPTED = Path(__file__).parent / "ledger.json"
SCHEMA = 1
_DECIDING = DECIDES_PROVED | DECIDES_REFUTED


@dataclass(frozen=True)
class Row:
    """One claim of a run.

    `kinds` speak for the verdict. `unchecked` are kinds that the run was not asked for, or skipped,
    so that nothing follows from their absence. `contradicted` tells whether evidence speaks
    against the expectation.
    """

    expected: str
    verdict: str
    kinds: tuple[Kind, ...]
    statement_hash: str
    unchecked: frozenset[Kind] = frozenset()
    status: str = "as_expected"
    contradicted: bool = False

    @property
    def deciding(self) -> frozenset[Kind]:
        """The kinds that decide the verdict."""
        return _DECIDING.intersection(self.kinds)


@dataclass(frozen=True)
class Ledger:
    """Rows by id. `name` is how messages call it."""

    rows: Mapping[str, Row]
    name: str = "the ledger"


@dataclass(frozen=True)
class Change:
    """What happened to one row, in words; `weaker` makes a comparison fail."""

    id: str
    what: str
    weaker: bool


# ---------------------------------------------------------------- where rows come from


def of_record(record: Mapping[str, Any], name: str = "the run") -> Ledger:
    """The rows of a record of `verify`."""
    unasked = frozenset(Kind) - {Kind(kind) for kind in record["summary"]["kinds"]}
    return Ledger({c["id"]: _row(c, unasked) for c in record["claims"]}, name)


def _row(claim: Mapping[str, Any], unasked: frozenset[Kind]) -> Row:
    evidence = [Evidence(Kind(e["kind"]), Outcome(e["outcome"]), "") for e in claim["evidence"]]
    opposites: Mapping[str, Verdict] = {"proved": "refuted", "refuted": "proved"}
    opposite: Verdict = opposites.get(claim["expected"], "open")
    return Row(
        claim["expected"],
        claim["verdict"],
        _in_order(e.kind for e in evidence if agrees(e, claim["verdict"])),
        claim["statement_hash"],
        unasked | {e.kind for e in evidence if e.outcome is Outcome.SKIPPED},
        claim["status"],
        any(agrees(e, opposite) for e in evidence),
    )


def _in_order(kinds: Iterable[Kind]) -> tuple[Kind, ...]:
    found = frozenset(kinds)
    return tuple(kind for kind in Kind if kind in found)


def read(path: Path) -> Ledger:
    """The ledger in a file: one that was accepted, or the record of a run.

    Raises
    ------
    RecordError
        The file cannot be read, or is neither of the two.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise RecordError(f"cannot read {path}: {problem.strerror}") from None
    except ValueError as problem:
        raise RecordError(f"{path} is not JSON, or was cut: {problem}") from None
    if isinstance(content, dict) and "summary" in content:
        return of_record(read_record(path), str(path))
    _check_shape(content, path)
    return Ledger(
        {
            claim_id: Row(
                row["expected"],
                row["verdict"],
                _in_order(map(Kind, row["kinds"])),
                row["statement_hash"],
            )
            for claim_id, row in content["claims"].items()
        },
        str(path),
    )


def _check_shape(content: Any, path: Path) -> None:
    import jsonschema

    schema = json.loads((SCHEMAS / "ledger.json").read_text(encoding="utf-8"))
    try:
        jsonschema.validate(content, schema)
    except jsonschema.ValidationError as problem:
        where = "/".join(map(str, problem.absolute_path)) or "the whole"
        raise RecordError(
            f"{path} is neither a ledger nor a record of `deltaproof verify`: {where}: "
            f"{problem.message.splitlines()[0][:200]}"
        ) from None


# ---------------------------------------------------------------- accepting


class NotAccepted(ValueError):
    """A run that cannot become the accepted one; the message says which rows keep it from that."""


def accepted(new: Ledger, old: Ledger | None = None, known: Collection[str] = ()) -> Ledger:
    """The ledger to keep after a run.

    Parameters
    ----------
    new : Ledger
        The rows of the run.
    old : Ledger, optional
        What was accepted before. Of a row with the same statement and verdict, the kinds that
        `new` did not check stay.
    known : collection of str
        Ids whose accepted row stays although the run does not have it: claims of the catalogue
        that were not selected.

    Raises
    ------
    NotAccepted
        A row is not as expected, or nothing was decided about it.
    """
    bad = [
        f"{claim_id} is {row.verdict}, expected {row.expected} ({row.status.replace('_', ' ')})"
        for claim_id, row in new.rows.items()
        if row.status != "as_expected" or row.verdict != row.expected
    ]
    if bad:
        raise NotAccepted(
            f"{len(bad)} of {len(new.rows)} claims are not as expected, so nothing was accepted: "
            + "; ".join(bad[:3])
            + ("; …" if len(bad) > 3 else "")
        )
    before = {} if old is None else old.rows
    rows = {claim_id: row for claim_id, row in before.items() if claim_id in known}
    for claim_id, row in new.rows.items():
        rows[claim_id] = _with_unchecked(row, before.get(claim_id))
    return Ledger(rows, new.name)


def _with_unchecked(row: Row, before: Row | None) -> Row:
    if before is None or _stated(before) != _stated(row):
        return row
    kept = (kind for kind in before.kinds if kind in row.unchecked)
    return replace(row, kinds=_in_order((*row.kinds, *kept)))


def _stated(row: Row) -> tuple[str, str]:
    return row.statement_hash, row.verdict


def to_text(ledger: Ledger) -> str:
    """A ledger file: sorted by id, one row a line, so that version control shows what changed."""
    rows = [
        f"  {json.dumps(claim_id, ensure_ascii=False)}: {_spelled(row)}"
        for claim_id, row in sorted(ledger.rows.items())
    ]
    head = f'{{\n "schema": {SCHEMA},\n "tool": "deltaproof",\n "claims": {{'
    return f"{head}\n" + ",\n".join(rows) + "\n }\n}\n"


def _spelled(row: Row) -> str:
    return json.dumps(
        {
            "expected": row.expected,
            "verdict": row.verdict,
            "kinds": [kind.value for kind in _in_order(row.kinds)],
            "statement_hash": row.statement_hash,
        },
        ensure_ascii=False,
    )


# ---------------------------------------------------------------- comparing


def compare(old: Ledger, new: Ledger, known: Collection[str] = ()) -> tuple[Change, ...]:
    """What changed from `old` to `new`, what is weaker first, then by id.

    Parameters
    ----------
    known : collection of str
        Ids that `new` may lack without being weaker: claims that exist and were not selected.
    """
    changes = [
        Change(claim_id, f"gone; it was {_described(row)}", True)
        for claim_id, row in old.rows.items()
        if claim_id not in new.rows and claim_id not in known
    ]
    for claim_id, row in new.rows.items():
        before = old.rows.get(claim_id)
        if before is None:
            broken = row.status in ("inconsistent", "error")
            changes.append(Change(claim_id, f"new: {_described(row)}", broken))
        else:
            changes += (Change(claim_id, *found) for found in _differences(before, row))
    return tuple(sorted(changes, key=lambda change: (not change.weaker, change.id)))


def _described(row: Row) -> str:
    by = f" by {', '.join(row.kinds)}" if row.kinds else ""
    status = "" if row.status == "as_expected" else f" ({row.status.replace('_', ' ')})"
    return f"{row.verdict}{by}{status}"


def _differences(before: Row, after: Row) -> Iterable[tuple[str, bool]]:
    """What is different, and whether it is weaker, for a row that both have."""
    if before.statement_hash != after.statement_hash:
        pair = f"{before.statement_hash[:8]} -> {after.statement_hash[:8]}"
        yield f"another statement ({pair}); a changed statement wants a new id", True
    if before.expected != after.expected:
        yield f"expected {before.expected} -> {after.expected}", True
    if _not_decided(before, after):
        unchecked = ", ".join(_in_order(before.deciding))
        yield f"not decided this time: {unchecked} not checked", False
    elif before.verdict != after.verdict:
        gained = before.verdict == "open" and after.status == "as_expected"
        yield f"{before.verdict} -> {after.verdict}", not gained
    elif before.status != after.status:
        words = (before.status.replace("_", " "), after.status.replace("_", " "))
        yield f"{words[0]} -> {words[1]}", after.status != "as_expected"
    lost = _in_order(set(before.kinds) - {*after.kinds, *after.unchecked})
    if lost and before.verdict == after.verdict:
        yield f"no longer {before.verdict} by {', '.join(lost)}", True
    gained_kinds = _in_order(set(after.kinds) - {*before.kinds, *before.unchecked})
    if gained_kinds and before.verdict == after.verdict:
        yield f"also {after.verdict} by {', '.join(gained_kinds)}", False


def _not_decided(before: Row, after: Row) -> bool:
    """Is a row open only because no kind that decided it was checked?"""
    return (
        after.verdict == "open"
        and before.verdict != "open"
        and after.status == "differs"
        and not after.contradicted
        and before.deciding <= after.unchecked
    )


def weaker(changes: Iterable[Change]) -> bool:
    """Does any of the changes make the ledger weaker?"""
    return any(change.weaker for change in changes)


# ---------------------------------------------------------------- telling


def tell(changes: Sequence[Change], *, old: str, new: str, compared: int) -> str:
    """The changes, at most 80 columns wide.

    Parameters
    ----------
    old, new : str
        How the two ledgers are called.
    compared : int
        How many rows were compared.
    """
    lines = [_wrap(f"from {old} to {new}:", "", "  ")]
    for heading, wanted in (("weaker", True), ("not weaker", False)):
        found = [change for change in changes if change.weaker is wanted]
        if not found:
            continue
        lines += ["", heading]
        for claim_id in dict.fromkeys(change.id for change in found):
            lines.append(f"  {claim_id}")
            lines += [
                _wrap(change.what, "    ", "      ") for change in found if change.id == claim_id
            ]
    if not changes:
        return "\n".join([*lines, f"  no change in {compared} rows"])
    touched = len({change.id for change in changes})
    count = len({change.id for change in changes if change.weaker})
    return "\n".join([*lines, "", f"{compared} rows compared: {touched} changed, {count} weaker"])


def _wrap(text: str, first: str, others: str) -> str:
    # a path or an id stays in one piece, to be copied
    return fill(
        text, 80, initial_indent=first, subsequent_indent=others, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
