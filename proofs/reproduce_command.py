"""`deltaproof reproduce`: a thin layer over `experiments` and `experiments_page`.

reproduce == the command
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from .experiments import Experiment
    from .terminal import Progress


@click.command()
@click.option("--scale", default="small", show_default=True, metavar="NAME",
              help="small, for two cores, or published.")  # fmt: skip
@click.option("--task", "tasks", multiple=True, metavar="NAME",
              help="Only this task (repeatable).")  # fmt: skip
@click.option("--system", "systems", multiple=True, metavar="NAME",
              help="Only this system: gpt, ddl, mhc, jpmhc or geo (repeatable).")  # fmt: skip
@click.option("--seeds", type=click.IntRange(min=1), metavar="N",
              help="Runs of each, with the seeds 0, 1, ….")  # fmt: skip
@click.option("--steps", type=click.IntRange(min=1), metavar="N", help="Steps of each run.")
@click.option("--device", default="cpu", show_default=True, help="Where the models are trained.")
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path),
              metavar="DIR", help="Folder of the records, a file for each run.")  # fmt: skip
@click.option("--page", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.md",
              help="Write a page of the records in DIR instead; trains nothing.")  # fmt: skip
def reproduce(
    scale: str,
    tasks: tuple[str, ...],
    systems: tuple[str, ...],
    seeds: int | None,
    steps: int | None,
    device: str,
    out: Path,
    page: Path | None,
) -> int:
    """Train the systems of the papers on their tasks, and record what they do.

    A run that DIR holds already, complete and of the same settings, is not made
    again: the command goes on where it was interrupted.

    \b
    Exit codes
      0 all runs are complete   3 internal error
      1 a loss was no number    4 the device is missing
      2 usage, or DIR holds     5 nothing to make a page of
        records of other runs
    """
    from . import experiments as runs
    from . import output
    from .device import check_device

    pictures = None if page is None else page.parent / page.stem
    output.check({"--page": page}, {"--out": out, "--page": pictures})
    try:
        if page is not None:
            return _page(out, page)
        chosen = runs.planned(
            scale, tasks=tasks, systems=systems, seeds=seeds, steps=steps, device=device
        )
        check_device(device)
        ready = runs.done(chosen, out)
    except runs.ExperimentError as problem:
        raise click.UsageError(str(problem)) from None
    except OSError as problem:
        raise output.OutputError(f"cannot write {problem.filename}: {problem.strerror}") from None
    return _run(chosen, out, ready)


def _run(chosen: Sequence[Experiment], out: Path, ready: Mapping[str, Mapping[str, Any]]) -> int:
    from . import experiments as runs
    from .experiments_page import losses
    from .output import OutputError
    from .terminal import Progress, safe

    todo = [e for e in chosen if e.name not in ready]
    with Progress(label="reproduce", counted="trained", unit=" steps") as progress:
        if ready:
            progress.tell(f"{len(ready)} of {len(chosen)} runs are complete in {safe(str(out))}")
        counter = _Counter(todo, progress)
        try:
            runs.run(chosen, out, ready=ready.keys(), notify=counter.step, tell=counter.end)
        except KeyboardInterrupt as problem:
            progress.tell(
                f"interrupted; {len(ready) + counter.ended} of {len(chosen)} runs are complete in "
                f"{safe(str(out))}, and the same command goes on"
            )
            return getattr(problem, "code", 130)
        except OSError as problem:
            raise OutputError(
                f"cannot write {problem.filename or out}: {problem.strerror or problem}"
            ) from None
    found = runs.records(out)
    print(losses([found[e.name] for e in chosen]), flush=True)
    return 1 if any(found[e.name]["diverged"] for e in chosen) else 0


class _Counter:
    """How far all runs are together."""

    def __init__(self, todo: Sequence[Experiment], progress: Progress):
        self.total = sum(e.plan.steps for e in todo)
        self.before, self.ended, self.many, self.progress = 0, 0, len(todo), progress

    def step(self, experiment: Experiment, step: int) -> None:
        self.progress(self.before + step, self.total, experiment.name)

    def end(self, experiment: Experiment, record: Mapping[str, Any]) -> None:
        self.before += experiment.plan.steps
        self.ended += 1
        if step := record["diverged"]:
            how = f"the loss is no number at step {step}"
        else:
            how = f"loss {record['curve'][-1]['loss']:.4g}"
        seconds = record["timings"]["seconds"]
        self.progress.tell(
            f"{self.ended} of {self.many}: {experiment.name}, {how} ({seconds:.0f} s)"
        )


def _page(folder: Path, page: Path) -> int:
    from .experiments import records
    from .experiments_page import page as make
    from .output import write
    from .selection import NothingSelected

    found = records(folder)
    if not any(record["complete"] for record in found.values()):
        raise NothingSelected(f"{folder} holds no complete record of a training")
    for name, text in make(list(found.values()), page, folder=folder.as_posix()).items():
        write(page.parent / name, text)
    return 0
