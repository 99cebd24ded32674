"""How good is the kit? Every entry of the zoo, put through it.

score(todo, profile) == yields a Scored for each entry and seed
Worker            == one warm process that calls one entry after another
Scored            == caught, missed, clean or a false alarm, by the kit and by the usual test
address(entry)    == the operator as a target in another process
counted(results)  == how many of each, by contract

A wrong operator is *caught* where, in every format of its ``dtypes`` (all four by default), each
check of its `fails` fails and each of its `passes` passes; else it is *missed*, however much else
failed. A right one is *clean* where no check fails in any format; else it is a *false alarm*. A
fault of the kit itself, a check that could not be made, makes a miss and a false alarm.
"""

from __future__ import annotations

import inspect
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..adapters import adapted
from ..conforming import DTYPES, job, run_checks
from ..diagnosis import judged, told
from ..isolation import Host, LocalHost, ProcessHost
from ..result import FAILING, Check
from ..wire import Known
from .entry import Entry, WrongOperator
from .usual import agrees_with_reference

LIMIT = 20.0
"""Seconds for one call of an entry that says no other."""
_NOT_SETTINGS = ("dtypes", "limit")


@dataclass(frozen=True)
class Scored:
    """What came of one entry with one seed.

    `verdict` is ``caught``, ``missed``, ``clean`` or ``false alarm``; `because` says what was not
    as it is to be. `usual` is the verdict of `torch.testing.assert_close` against the reference,
    empty for modules, which have none. `diagnosed` is ``right``, ``wrong`` or ``silent``, and empty
    where no diagnosis is expected. `seconds` are of the clock.
    """

    name: str
    contract: str
    seed: int
    verdict: str
    because: tuple[str, ...] = ()
    usual: str = ""
    diagnosed: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def good(self) -> bool:
        """As it is to be?"""
        return self.verdict in ("caught", "clean")


class Worker:
    """A process that stays warm, and calls the entry that it is set to.

    With `here` it is this process, but for entries that are to be isolated.
    """

    def __init__(self, *, here: bool = False) -> None:
        self.here = here
        self.host: ProcessHost | None = None

    def set_to(self, entry: Entry, adapter: Mapping[str, Any]) -> Host:
        """Where `entry` is called from now on."""
        if self.here and not entry.isolated:
            return LocalHost(adapted(entry.operator, adapter))
        limit = float(entry.options.get("limit", LIMIT))
        if self.host is None:
            self.host = ProcessHost(address(entry), adapter, limit=limit)
        else:
            self.host.change(address(entry), adapter, limit=limit)
        return self.host

    def close(self) -> None:
        """End the process."""
        if self.host is not None:
            self.host.close()


def address(entry: Entry) -> str:
    """``package.module:name``."""
    return f"{entry.operator.__module__}:{entry.operator.__qualname__}"


def score(todo: Iterable[tuple[Entry, int]], profile: str = "quick") -> Iterator[Scored]:
    """Put entries, each with a seed, through the kit, one after another.

    Yields
    ------
    Scored
        As soon as it is known.
    """
    worker = Worker()
    try:
        for entry, seed in todo:
            yield scored(entry, seed, profile, worker)
    finally:
        worker.close()


def scored(entry: Entry, seed: int, profile: str, worker: Worker) -> Scored:
    """One entry with one seed."""
    start = time.monotonic()
    dtypes = dtypes_of(entry)
    checks = checks_of(entry, seed, profile, worker)
    passed = [agrees_with_reference(entry, dtype, seed) for dtype in dtypes]
    found = judge(entry, checks, seed)
    compared = [x for x in passed if x is not None]
    if isinstance(entry, WrongOperator):
        usual = "missed" if all(compared) else "caught"
    else:
        usual = "clean" if all(compared) else "false alarm"
    return replace(found, usual=usual if compared else "", seconds=time.monotonic() - start)


def dtypes_of(entry: Entry) -> tuple[str, ...]:
    """The formats that an entry is looked at in."""
    return tuple(entry.options.get("dtypes", DTYPES))


def checks_of(entry: Entry, seed: int, profile: str, worker: Worker) -> tuple[Check, ...]:
    """Every check of an entry, in every format that it is looked at in."""
    settings = {k: v for k, v in entry.options.items() if k not in _NOT_SETTINGS}
    made = job(entry.contract, profile=profile, seed=seed, **settings)
    host = worker.set_to(entry, made.adapter)
    checks, _, _ = run_checks(made, host, dtypes_of(entry), ranges=False)
    return checks


def judge(entry: Entry, checks: Sequence[Check], seed: int) -> Scored:
    """Was an entry caught, or a right one left alone?"""
    by = {(c.claim, c.dtype): c for c in checks}
    wrong: list[str] = [
        f"{c.claim} in {c.dtype}: {c.diagnosis}" for c in checks if c.outcome == "error"
    ]
    if isinstance(entry, WrongOperator):
        for wanted, names in (("failed", entry.fails), ("passed", entry.passes)):
            for name in names:
                for dtype in dtypes_of(entry):
                    check = by.get((name, dtype))
                    outcome = check.outcome if check else "not made"
                    if outcome != wanted:
                        wrong.append(f"{name} in {dtype}: {outcome}, to be {wanted}")
        if not entry.fails:
            wrong.append("it lists no check that is to fail")
        verdict = "missed" if wrong else "caught"
        diagnosed = _diagnosed(entry, checks)
    else:
        wrong += [
            f"{c.claim} in {c.dtype}: {c.diagnosis}"
            for c in checks
            if c.outcome in FAILING and c.outcome != "error"
        ]
        if not any(c.outcome == "passed" for c in checks):
            wrong.append("nothing was checked")
        verdict = "false alarm" if wrong else "clean"
        diagnosed = ""
    return Scored(entry.name, entry.contract, seed, verdict, tuple(wrong), "", diagnosed)


def _diagnosed(entry: WrongOperator, checks: Sequence[Check]) -> str:
    """Was its defect named?"""
    if entry.diagnosis is None:
        return ""
    parameters = inspect.signature(entry.operator).parameters
    value = parameters["parameter"].default if "parameter" in parameters else None
    expected = told(Known(entry.name, entry.diagnosis), value)
    return judged(expected, (c.cause for c in checks if c.outcome == "failed"))


# ---------------------------------------------------------------- counts

VERDICTS = ("caught", "missed", "clean", "false alarm")
DIAGNOSES = ("right", "wrong", "silent")


def counted(results: Iterable[Scored]) -> dict[str, dict[str, Any]]:
    """By contract: how many verdicts of the kit, of the usual test, and diagnoses."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for result in results:
        row = found.setdefault(
            result.contract, {"kit": Counter(), "usual": Counter(), "diagnosed": Counter()}
        )
        row["kit"][result.verdict] += 1
        if result.usual:
            row["usual"][result.usual] += 1
        if result.diagnosed:
            row["diagnosed"][result.diagnosed] += 1
    return {
        contract: {
            "kit": {v: row["kit"][v] for v in VERDICTS},
            "usual": {v: row["usual"][v] for v in VERDICTS},
            "diagnosed": {d: row["diagnosed"][d] for d in DIAGNOSES},
        }
        for contract, row in found.items()
    }
