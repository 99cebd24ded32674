"""Conformance: what `conform --json` found of implementations, arranged for readers.

read(path)        == the record in a file, or a RecordError that says what is wrong with it
table(records)    == rows of claims, columns of targets, each cell the worst of its checks
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..record import RecordError
from .content import is_number

# what is told of a cell is the first of these that one of its checks has
OUTCOMES = ("error", "failed", "xpassed", "skipped", "xfailed", "passed")
SYMBOLS = {
    "passed": "✓", "failed": "✗", "xfailed": "~", "xpassed": "?", "skipped": "–", "error": "!",
}  # fmt: skip
_CHECK = {"claim": str, "outcome": str, "dtype": str, "stratum": str}
_RANGE = {"claim": str, "dtype": str, "parameter": str}


def read(path: Path) -> dict[str, Any]:
    """The record of one conformance run.

    Raises
    ------
    RecordError
        The file is not there, is cut, or is not of this shape.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise RecordError(f"cannot read {path}: {problem.strerror}") from None
    except (ValueError, RecursionError) as problem:
        raise RecordError(f"{path} is not a complete record: {problem}") from None
    if problem := _misfit(record):
        raise RecordError(f"{path} is not a record of `deltaproof conform`: {problem}")
    return record


def _misfit(record: Any) -> str:
    """What keeps `record` from being one, in words; empty where nothing does."""
    if not isinstance(record, dict):
        return "it is not an object"
    if record.get("schema") != 1:
        return f"schema is {record.get('schema')!r}, expected 1"
    if record.get("complete") is not True:
        return "the run was not complete"
    for key in ("target", "contract"):
        if not isinstance(record.get(key), str):
            return f"{key} is {record.get(key)!r}, expected a string"
    for key, fields in (("checks", _CHECK), ("ranges", _RANGE)):
        if not isinstance(record.get(key), list):
            return f"{key} is not a list"
        for position, row in enumerate(record[key]):
            if not isinstance(row, dict):
                return f"{key}/{position} is not an object"
            for name, kind in fields.items():
                if not isinstance(row.get(name), kind):
                    return f"{key}/{position}/{name} is {row.get(name)!r}"
    for position, check in enumerate(record["checks"]):
        if check["outcome"] not in OUTCOMES:
            return f"checks/{position}/outcome is {check['outcome']!r}"
    return ""


def table(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Claims by targets: the worst outcome, the worst ratio, and what failed."""
    ids = list(dict.fromkeys(c["claim"] for r in records for c in r["checks"]))
    return {
        "columns": [{"target": r["target"], "contract": r["contract"]} for r in records],
        "rows": [
            {
                "claim": i,
                "cells": [_cell([c for c in r["checks"] if c["claim"] == i]) for r in records],
            }
            for i in ids
        ],
    }


def _cell(checks: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    if not checks:
        return None
    outcome = min((c["outcome"] for c in checks), key=OUTCOMES.index)
    measured = [c for c in checks if is_number(c.get("ratio"))]
    worst = max(measured, key=lambda c: c["ratio"], default=None)
    return {
        "outcome": outcome,
        "symbol": SYMBOLS[outcome],
        "ratio": None if worst is None else worst["ratio"],
        "dtype": "" if worst is None else worst["dtype"],
        "checks": len(checks),
    }


def failures(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The checks of one record that a reader must see, worst first."""
    told = [
        c for c in record["checks"] if c["outcome"] in ("error", "failed", "xpassed", "xfailed")
    ]
    return sorted(told, key=lambda c: OUTCOMES.index(c["outcome"]))
