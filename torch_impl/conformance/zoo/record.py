"""What a score leaves behind: a record that a later run goes on with, and tables of it.

record_of(results, …)  == the record, as in schemas/zoo.json: seeds with one outcome together
results_of(record, …)  == the results of a record that a run may go on with
table(record)          == by contract, for a terminal; markdown(record) == the same for a page
troubles(results, …)   == each miss, false alarm and wrong diagnosis, and why it is one
command_of(entry, …)   == the command that runs one entry by itself
RecordError            == a record that belongs to another kit or another profile
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .entry import Entry
from .score import Scored, address, counted, dtypes_of

SCHEMA = 2
_FLAGS = {"init": "--init", "starts": "--starts", "normalise": "--normalise", "eps": "--eps"}
_REASONS = 8
_SHARED = ("name", "contract", "verdict", "because", "usual", "diagnosed")
"""What the results of one item of a record have in common."""


class RecordError(ValueError):
    """A record that this run cannot go on with."""


def record_of(
    results: Sequence[Scored], *, kit: str, profile: str, seeds: int, complete: bool
) -> dict[str, Any]:
    """The record of a score.

    Parameters
    ----------
    results
        One for each entry and seed.
    kit
        A digest of the sources that decide.
    profile, seeds
        What was asked for.
    complete
        Is there a result for every entry and seed that was asked for?
    """
    alike: dict[tuple[Any, ...], list[Scored]] = {}
    for result in results:
        alike.setdefault(tuple(getattr(result, name) for name in _SHARED), []).append(result)
    return {
        "schema": SCHEMA,
        "tool": "deltaproof",
        "kit": kit,
        "profile": profile,
        "seeds": seeds,
        "complete": complete,
        "results": [
            {
                **dict(zip(_SHARED, outcome, strict=True)),
                "because": [*members[0].because],
                "seeds": sorted(result.seed for result in members),
            }
            for outcome, members in alike.items()
        ],
        "summary": counted(results),
        "timings": {
            "seconds": [round(sum(r.seconds for r in members), 2) for members in alike.values()]
        },
    }


def results_of(record: Any, *, kit: str, profile: str) -> list[Scored]:
    """The results that a record holds.

    Raises
    ------
    RecordError
        If it is no record of a score, or one of another kit or profile.
    """
    try:
        if record["schema"] != SCHEMA:
            raise RecordError(f"it has the schema {record['schema']!r}, not {SCHEMA}")
        found = [
            Scored(
                **{name: told[name] for name in _SHARED if name != "because"},
                because=tuple(told["because"]),
                seed=seed,
                seconds=seconds / len(told["seeds"]),
            )
            for told, seconds in zip(record["results"], record["timings"]["seconds"], strict=True)
            for seed in told["seeds"]
        ]
        own = {"kit": record["kit"], "profile": record["profile"]}
    except RecordError:
        raise
    except (KeyError, TypeError, ValueError) as problem:
        raise RecordError(f"it is no record of a score: {problem!r}") from None
    if own["profile"] != profile:
        raise RecordError(f"it is of the profile {own['profile']}, not {profile}")
    if own["kit"] != kit:
        raise RecordError("the kit has changed since, so that its results say nothing of this one")
    return found


# ---------------------------------------------------------------- tables

_HEAD = (
    "contract", "caught", "missed", "clean", "false alarms", "assert_close caught",
    "its false alarms", "diagnosed",
)  # fmt: skip


def _rows(record: Mapping[str, Any]) -> list[tuple[str, ...]]:
    rows, total = [], _counts({})
    for contract, found in record["summary"].items():
        counts = _counts(found)
        total = {name: total[name] + counts[name] for name in total}
        rows.append((contract, *_cells(counts)))
    return [*rows, ("all", *_cells(total))]


def _counts(found: Mapping[str, Any]) -> dict[str, int]:
    kit, usual, said = (found.get(name, {}) for name in ("kit", "usual", "diagnosed"))
    return {
        "caught": kit.get("caught", 0),
        "missed": kit.get("missed", 0),
        "clean": kit.get("clean", 0),
        "alarms": kit.get("false alarm", 0),
        "usually caught": usual.get("caught", 0),
        "usual wrong": usual.get("caught", 0) + usual.get("missed", 0),
        "usual alarms": usual.get("false alarm", 0),
        "usual right": usual.get("false alarm", 0) + usual.get("clean", 0),
        "named": said.get("right", 0),
        "to be named": sum(said.values()),
    }


def _cells(counts: Mapping[str, int]) -> tuple[str, ...]:
    wrong, right = counts["caught"] + counts["missed"], counts["clean"] + counts["alarms"]
    return (
        f"{counts['caught']} of {wrong}",
        str(counts["missed"]),
        f"{counts['clean']} of {right}",
        str(counts["alarms"]),
        _share(counts["usually caught"], counts["usual wrong"]),
        _share(counts["usual alarms"], counts["usual right"]),
        _share(counts["named"], counts["to be named"]),
    )


def _share(some: int, of: int) -> str:
    return f"{some} of {of}" if of else "–"


def table(record: Mapping[str, Any]) -> str:
    """Verdicts by contract, in columns."""
    rows = [_HEAD, *_rows(record)]
    wide = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
    return "\n".join(
        "  ".join(
            cell.ljust(wide[i]) if i == 0 else cell.rjust(wide[i]) for i, cell in enumerate(row)
        ).rstrip()
        for row in rows
    )


def markdown(record: Mapping[str, Any]) -> str:
    """The same as a Markdown table."""
    lines = [f"| {' | '.join(_HEAD)} |", f"|---{'|---:' * (len(_HEAD) - 1)}|"]
    for name, *cells in _rows(record):
        shown = name if name == "all" else f"`{name}`"
        lines.append(f"| {' | '.join((shown, *cells))} |")
    return "\n".join(lines)


# ---------------------------------------------------------------- what is wrong


def troubles(results: Iterable[Scored], entries: Mapping[str, Entry], profile: str) -> str:
    """Each result that is not as it is to be, why, and the command that looks at it alone."""
    parts = []
    for result in results:
        if result.good and result.diagnosed != "wrong":
            continue
        what = result.verdict if not result.good else "a wrong diagnosis"
        lines = [f"{result.name}, seed {result.seed}: {what}"]
        lines += [f"  {reason}" for reason in result.because[:_REASONS]]
        if more := len(result.because) - _REASONS:
            lines += [f"  and {more} more"] if more > 0 else []
        if entry := entries.get(result.name):
            lines.append(f"  reproduce: {command_of(entry, result.seed, profile)}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def command_of(entry: Entry, seed: int, profile: str) -> str:
    """`deltaproof conform` for one entry."""
    words = ["deltaproof", "conform", address(entry), "--contract", entry.contract]
    words += ["--profile", profile, "--seed", str(seed)]
    options = dict(entry.options)
    if "dtypes" in options:
        words += [word for dtype in dtypes_of(entry) for word in ("--dtype", dtype)]
    values = {**options, **options.get("values", {})}
    words += [w for name, flag in _FLAGS.items() if name in values for w in (flag, values[name])]
    words += [w for gates in options.get("force", ()) for w in ("--force", gates)]
    words += [w for n, x in options.get("domain", {}).items() for w in ("--domain", f"{n}={x:g}")]
    if "rounds" in values:
        words += ["--rounds", values["rounds"]]
    if "limit" in options:
        words += ["--limit", options["limit"]]
    return shlex.join(map(str, words))
