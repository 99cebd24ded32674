"""What is known about a claim beside its verdict, in plain text: for `show`.

kept_claim(entry)    == the claim in the record of the last run, if it had the same statement
sections(entry, …)   == derivation, counterproof, certificate, Rocq statement, by heading

A part that cannot be shown is told as such: `show` never fails on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ..symbolic.claims import statement_hash
from ..symbolic.evidence import Kind
from ..symbolic.proof_lines import LEADS, why
from .cache import Cache
from .catalogue.entry import Entry
from .record import RecordError, read


def kept_claim(entry: Entry, cache: Cache | None = None) -> Mapping[str, Any] | None:
    """The claim in the record of the last run; None where it is not, or was another statement."""
    try:
        record = read((cache or Cache()).last_run)
    except RecordError:
        return None
    for claim in record["claims"]:
        same = claim["statement_hash"] == statement_hash(entry.claim)
        if claim["id"] == entry.claim.id and same:
            return claim
    return None


def sections(
    entry: Entry, kept: Mapping[str, Any] | None, certificates: Path | None = None
) -> dict[str, str]:
    """Text by heading, for what this claim has.

    A certificate is that of the last run, else the one stored in the folder `certificates` (by
    default that of the package), else one is searched.
    """
    found: dict[str, str] = {}
    makers: dict[str, Callable[[Entry, Mapping[str, Any] | None], str]] = {
        "Derivation": _derivation,
        "Counterproof": _counterproof,
        "Certificate": partial(_certificate, folder=certificates),
        "Rocq": _rocq,
    }
    for heading, make in makers.items():
        try:
            text = make(entry, kept)
        except Exception as problem:  # what cannot be spelled is said, and the rest is shown
            text = f"cannot be shown: {type(problem).__name__}: {problem}"
        if text:
            found[heading] = text
    return found


def _evidence(kept: Mapping[str, Any] | None, kind: str) -> Mapping[str, Any]:
    for evidence in kept["evidence"] if kept else ():
        if evidence["kind"] == kind:
            return evidence
    return {}


def _derivation(entry: Entry, kept: Mapping[str, Any] | None) -> str:
    if entry.derivation is None:
        return ""
    steps = _evidence(kept, "derivation").get("steps")
    if steps is None:
        from ..symbolic.derivations import check_derivation

        steps = check_derivation(entry.claim, entry.derivation).data.get("steps", [])
    return "\n".join(step_text(step) for step in steps)


def _counterproof(entry: Entry, kept: Mapping[str, Any] | None) -> str:
    if entry.counterproof is None:
        return ""
    data = _evidence(kept, "counterproof")
    if "steps" not in data:
        from ..symbolic.counterproofs import check_counterproof

        data = check_counterproof(entry.claim, entry.counterproof).data
    instance = [f"at {name} = {value}" for name, value in data["instance"].items()]
    return "\n".join([*instance, *(step_text(step) for step in data["steps"])])


def step_text(step: Mapping[str, Any]) -> str:
    """A line of a derivation, and in the next one its reason."""
    indent = "  " * step["depth"]
    number = f"({step['number']}) " if "number" in step else ""
    lead = LEADS[step["role"]]
    text = f"{indent}{number}{lead}{' ' if lead else ''}{step['plain']}"
    reason = why(step)
    return f"{text}\n{indent}    {reason}" if reason else text


def _certificate(entry: Entry, kept: Mapping[str, Any] | None, folder: Path | None = None) -> str:
    stored = _evidence(kept, "certificate").get("certificate")
    if stored is None and Kind.CERTIFICATE in entry.kinds:
        from .checks import CERTIFICATES, Settings, Task, perform

        settings = Settings(certificates=folder or CERTIFICATES)
        found = perform(Task(entry, Kind.CERTIFICATE), settings)
        stored = found.data.get("certificate")
        if stored is None:
            return found.detail
    if stored is None:
        return ""
    lines = [line["plain"] for line in stored.get("lines", ())]
    if rules := stored.get("rules"):
        lines.append(f"rules: {', '.join(rules)}")
    return "\n".join(lines)


def _rocq(entry: Entry, kept: Mapping[str, Any] | None) -> str:
    checked = _evidence(kept, "kernel").get("rocq", {})
    if entry.lemma is None and "assumptions" not in checked:
        return ""
    from ..symbolic.rocq import print_theorem

    closed_by = entry.lemma or f"its certificate, which {checked['lemma']} reads"
    text = f"{print_theorem(entry.claim).text}\nclosed by {closed_by}"
    if "assumptions" in checked:
        text += f"\naxioms assumed: {', '.join(checked['assumptions']) or 'none'}"
    return text
