"""`deltaproof zoo`: a thin layer over `torch_impl.conformance.zoo`.

zoo       == the command
KIT       == the sources that decide what comes out of a score: the statements and what evaluates
             them, not what proves them

A record is written every few seconds, so that a run that was ended goes on where it stopped.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..symbolic.ledger import FAMILIES
from ..torch_impl.conformance.contracts import CONTRACTS
from .processes import end_with_parent

if TYPE_CHECKING:
    from ..torch_impl.conformance.zoo.entry import Entry
    from ..torch_impl.conformance.zoo.score import Scored, Worker

EVERY = 5.0
"""Seconds between two records of a run that goes on."""
LANGUAGE = (
    "binding", "claims", "constructions", "evaluation", "exact", "expressions", "formats", "nodes",
    "propositions", "reals", "series", "summation",
)  # fmt: skip
STATEMENTS = sorted((*FAMILIES, "frobenius", "rounded_rotation"))
KIT = (
    *(f"symbolic/{name}.py" for name in (*LANGUAGE, *STATEMENTS)),
    "numeric/*.py", "torch_impl/*.py", "torch_impl/conformance/*.py",
    "torch_impl/conformance/contracts/*.py", "torch_impl/conformance/zoo/*.py",
)  # fmt: skip


@click.command()
@click.option("--contract", "contracts", multiple=True, metavar="NAME",
              help="Only the entries of this contract (repeatable).")  # fmt: skip
@click.option("--seeds", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
              help="Put each entry through the kit with the seeds 0 to N − 1.")  # fmt: skip
@click.option("--profile", type=click.Choice(["quick", "ci", "deep"]), default="quick",
              show_default=True, metavar="NAME", help="As for `conform`.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
              help="Entries that are put through it at the same time.")  # fmt: skip
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path),
              help="Write the record; go on with it if it is there.")  # fmt: skip
def zoo(
    contracts: tuple[str, ...], seeds: int, profile: str, jobs: int, json_file: Path | None
) -> int:
    """Measure the kit on operators whose defects are known.

    Each wrong operator must fail the checks that it lists and pass those that it lists;
    no check may fail a right one. Beside it stands what assert_close finds on random
    normal input.

    \b
    Exit codes
      0 all as listed        2 usage; a record of another kit
      1 a miss, a false alarm or a wrong diagnosis
      3 internal error       5 nothing was selected
    """
    from ..torch_impl.conformance.contracts import UnknownContract
    from ..torch_impl.conformance.contracts import contract as contract_of
    from ..torch_impl.conformance.zoo import RIGHT, WRONG
    from ..torch_impl.conformance.zoo.record import record_of, table, troubles
    from . import output
    from .cache import source_digest
    from .selection import NothingSelected
    from .terminal import safe

    for name in contracts:
        if name not in CONTRACTS:
            try:
                contract_of(name)
            except UnknownContract as problem:
                raise click.UsageError(str(problem)) from None
    output.check({"--json": json_file})
    entries: list[Entry] = [e for e in (*WRONG, *RIGHT) if not contracts or e.contract in contracts]
    if not entries:
        raise NothingSelected(f"the zoo has no entry for {', '.join(contracts)}")
    kit = source_digest(KIT)
    kept = _kept(json_file, kit, profile)
    asked = {(entry.name, seed) for entry in entries for seed in range(seeds)}
    done = {(result.name, result.seed) for result in kept}
    results, left = list(kept), len(asked - done)

    def record(*, complete: bool) -> dict[str, Any]:
        told = max([seeds, *(result.seed + 1 for result in results)])
        return record_of(results, kit=kit, profile=profile, seeds=told, complete=complete)

    def write(*, complete: bool) -> None:
        if json_file is not None:
            text = json.dumps(record(complete=complete), indent=1, ensure_ascii=False)
            output.write(json_file, text + "\n")

    todo = [(e, seed) for seed in range(seeds) for e in entries if (e.name, seed) not in done]
    written = time.monotonic()
    try:
        for result in _results(todo, profile, jobs):
            results.append(result)
            left -= 1
            click.echo(_progress(result, left), err=True)
            if time.monotonic() - written > EVERY:
                write(complete=False)
                written = time.monotonic()
    except BaseException:
        write(complete=False)
        raise
    everything = {(e.name, s) for e in (*WRONG, *RIGHT) for s in range(seeds)}
    write(complete=everything <= {(r.name, r.seed) for r in results})
    looked_at = [r for r in results if (r.name, r.seed) in asked]
    told = record_of(looked_at, kit=kit, profile=profile, seeds=seeds, complete=True)
    named = {entry.name: entry for entry in entries}
    parts = (table(told), troubles(looked_at, named, profile), _closing(looked_at, seeds, profile))
    print(safe("\n\n".join(filter(None, parts)), lines=True), flush=True)
    bad = any(not result.good or result.diagnosed == "wrong" for result in looked_at)
    return 1 if bad else 0


def _results(todo: Sequence[tuple[Entry, int]], profile: str, jobs: int) -> Iterator[Scored]:
    """Each entry with its seed, put through the kit: one process calls what this one looks at, or
    several do both.
    """
    if jobs == 1 or len(todo) < 2:
        from ..torch_impl.conformance.zoo.score import score

        yield from score(todo, profile)
        return
    with ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), _begin, (os.getpid(),)
    ) as pool:
        yield from pool.map(_result, *zip(*todo, strict=True), repeat(profile))


_WORKER: list[Worker] = []
"""The worker of a process that `_results` started."""


def _begin(parent: int) -> None:
    import torch

    from ..torch_impl.conformance.zoo.score import Worker

    end_with_parent(parent)
    torch.set_num_threads(1)  # the others have the other cores
    _WORKER.append(Worker(here=True))


def _result(entry: Entry, seed: int, profile: str) -> Scored:
    from ..torch_impl.conformance.zoo.score import scored

    return scored(entry, seed, profile, *_WORKER)


def _kept(path: Path | None, kit: str, profile: str) -> list[Scored]:
    """The results that are there already."""
    from ..torch_impl.conformance.zoo.record import RecordError, results_of

    if path is None or not path.is_file():
        return []
    try:
        return results_of(json.loads(path.read_text(encoding="utf-8")), kit=kit, profile=profile)
    except (OSError, ValueError, RecordError) as problem:
        raise click.UsageError(
            f"--json: {path} cannot be gone on with: {problem}; name another file, or remove it"
        ) from None


def _progress(result: Scored, left: int) -> str:
    said = f", diagnosis {result.diagnosed}" if result.diagnosed else ""
    return f"{result.verdict}: {result.name}, seed {result.seed}{said}; {left} to go"


def _closing(results: list[Scored], seeds: int, profile: str) -> str:
    """The score in a sentence."""
    from ..torch_impl.conformance.zoo.score import VERDICTS

    counts = {v: sum(r.verdict == v for r in results) for v in VERDICTS}
    return (
        f"{profile}, {seeds} seed{'s' * (seeds > 1)}: {counts['caught']} caught, "
        f"{counts['missed']} missed, {counts['clean']} clean, {counts['false alarm']} false alarms"
    )
