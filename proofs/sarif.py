"""Runs in the Static Analysis Results Interchange Format, SARIF 2.1.0, for viewers and CI.

of_verify(record, claims)   == the log of a run of `verify`: a result for each verdict that differs
of_conform(record, location) == that of a run of `conform`: a result for each check that failed

A rule is a claim; what was looked at and is right has a rule and no result. Results lie at the
source of the claim or of the target. Files under the working directory are named relative to it, so
that a checkout elsewhere finds them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from urllib.parse import quote

if TYPE_CHECKING:
    from ..symbolic.claims import Claim

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"
"""What the working directory is called in a log."""
Level: TypeAlias = Literal["error", "warning", "note"]


def of_verify(record: Mapping[str, Any], claims: Mapping[str, Claim]) -> str:
    """The log of a record of `verify`.

    Parameters
    ----------
    record
        As `record.run_record` makes it.
    claims
        The claims of the run by id: their statements in words, and where they are written.
    """
    from .record import complaints, reproduce, standing_of, statement_plain

    summary = record["summary"]
    rules, results = [], []
    for found in record["claims"]:
        name, claim = found["id"], claims[found["id"]]
        rules.append(_rule(name, claim.title, "\n".join(statement_plain(claim)), name))
        stands = standing_of(found, summary)
        lines = complaints(found, summary)
        if not lines:
            continue
        # what is undecided or doubtful fails a run under --strict alone
        decided = stands in ("fails", "crashed")
        level = "error" if decided else "warning" if summary["strict"] else "note"
        results.append(
            _result(
                name,
                level,
                [f"{name}: {lines[0]}", *lines[1:]],
                _location(claim.location, name),
                ("verify", name),
                {
                    "expected": found["expected"],
                    "verdict": found["verdict"],
                    "status": found["status"],
                    "reproduce": reproduce(found, summary),
                },
            )
        )
    return _log("verify", rules, results, complete=record["complete"])


_LEVELS: Mapping[str, Level] = {"failed": "error", "error": "error", "xpassed": "warning"}


def of_conform(record: Mapping[str, Any], location: tuple[str, int] | None) -> str:
    """The log of a record of `conform`.

    Parameters
    ----------
    record
        As `ConformanceResult.to_record` makes it.
    location
        File and line of the target, where they are known.
    """
    from ..symbolic.ledger import claims
    from ..torch_impl.conformance.contracts import contract
    from ..torch_impl.conformance.report import complaint
    from .record import statement_plain

    made, of_ledger = contract(record["contract"]), {c.id: c for c in claims()}
    target, checks = record["target"], record["checks"]
    rules = []
    for name in dict.fromkeys(c["claim"] for c in checks):
        if (claim := of_ledger.get(name)) is not None:
            rules.append(_rule(name, claim.title, "\n".join(statement_plain(claim)), name))
        else:
            title = made.asks.get(name, "the kit does its work")
            rules.append(_rule(name, title, f"{made.summary}: {title}", made.name))
    results = [
        _result(
            check["claim"],
            _LEVELS[check["outcome"]],
            [f"{target}: {(lines := complaint(check))[0]}", *lines[1:]],
            _location(location, target),
            ("conform", target, made.name, check["claim"], check["dtype"]),
            {key: check[key] for key in _SHOWN if check[key] not in (None, "")},
        )
        for check in checks
        if check["outcome"] in _LEVELS
    ]
    return _log(
        f"conform/{made.name}/{target}", rules, results, complete=record["complete"],
        why="the time was over before every check was made",
    )  # fmt: skip


_SHOWN = ("dtype", "outcome", "stratum", "observed", "bound", "ratio", "input", "reproduce")


# ---------------------------------------------------------------- the format


def _log(
    run: str,
    rules: Sequence[Mapping[str, Any]],
    results: Iterable[dict[str, Any]],
    *,
    complete: bool,
    why: str = "",
) -> str:
    places = {rule["id"]: i for i, rule in enumerate(rules)}
    invocation: dict[str, Any] = {"executionSuccessful": complete}
    if not complete:
        told = {"level": "error", "message": {"text": why}}
        invocation["toolExecutionNotifications"] = [told]
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "deltaproof", "version": version("deltaproof"),
                               "rules": list(rules)}
                },
                # runs of other targets stay beside this one where a service keeps one of each name
                "automationDetails": {"id": f"deltaproof/{run}/"},
                "originalUriBaseIds": {ROOT: {"uri": Path.cwd().as_uri().rstrip("/") + "/"}},
                "invocations": [invocation],
                "results": [{**r, "ruleIndex": places[r["ruleId"]]} for r in results],
            }
        ],
    }  # fmt: skip
    return json.dumps(log, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _rule(name: str, title: str, statement: str, shown: str) -> dict[str, Any]:
    return {
        "id": name,
        "shortDescription": {"text": title or name},
        "fullDescription": {"text": statement},
        "help": {"text": f"`deltaproof show {shown}` says what is known of it."},
    }


def _result(
    rule: str,
    level: Level,
    lines: Iterable[str],
    location: Mapping[str, Any],
    identity: tuple[str, ...],
    properties: Mapping[str, Any],
) -> dict[str, Any]:
    from .terminal import safe

    # of what is compared, not of where it is written: the same failure after lines have moved
    mark = hashlib.sha256("\0".join(identity).encode()).hexdigest()[:32]
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": safe("\n".join(lines), lines=True)},
        "locations": [location],
        # GitHub matches alerts by the second name alone
        "partialFingerprints": {"deltaproof/v1": mark, "primaryLocationLineHash": f"{mark}:1"},
        "properties": dict(properties),
    }


def _location(place: tuple[str, int] | None, name: str) -> dict[str, Any]:
    """Where a result lies; by name alone where no file is known."""
    logical = {"logicalLocations": [{"fullyQualifiedName": name}]}
    if place is None:
        return logical
    file, line = Path(place[0]).resolve(), place[1]
    root = Path.cwd()
    artifact = {"uri": file.as_uri()}
    if file.is_relative_to(root):
        artifact = {"uri": quote(file.relative_to(root).as_posix()), "uriBaseId": ROOT}
    region = {"startLine": line}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}, **logical}
