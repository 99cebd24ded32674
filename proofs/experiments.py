"""Which trainings a comparison of the systems consists of, and the folder of their records.

Scale, SCALES   == small, for two cores; published, the sizes of the paper, for a GPU
planned(…)      == the experiments of a selection, in the order in which they run
Experiment      == one system on one task with one seed
done(…)         == those whose records a folder holds already; refuses records of another run
run(…)          == trains the rest, with a record in the folder from the first look on
records(folder) == all of them, read and checked

Left out: the training itself (torch_impl/training.py) and how the records are told
(experiments_page.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..torch_impl.modules.config import ModelConfig, published, small
from ..torch_impl.modules.connections import SYSTEMS
from ..torch_impl.tasks import TASKS, task
from ..torch_impl.training import Plan, Record, RecordError, read_record, to_text, train
from .output import write


class ExperimentError(ValueError):
    """A selection or a folder that no run can be made of."""


@dataclass(frozen=True)
class Scale:
    """Sizes of models and of their training.

    ``changes`` are made to the configuration that ``configuration`` gives for a system. `threads`
    are torch's on a CPU, 0 for as many as it takes by itself.
    """

    configuration: Callable[..., ModelConfig]
    plan: Plan
    seeds: int
    changes: Mapping[str, Any]
    threads: int = 0


SCALES = {
    # No narrower than the tokens, 64 at most: a narrower model cannot even copy them.
    # Maps this small are slower on several threads.
    "small": Scale(small, Plan(steps=200, batch=8), 1, {"width": 64}, threads=1),
    # Depths and widths are the published ones; the length of the training is our choice.
    "published": Scale(
        published, Plan(steps=5000, batch=64, learning_rate=1e-3, looks=50, evaluated=256), 3, {}
    ),
}


@dataclass(frozen=True)
class Experiment:
    """One system on one task with one seed."""

    scale: str
    system: str
    task: str
    plan: Plan

    @property
    def name(self) -> str:
        """What its record is called, without the ending."""
        return f"{self.system}-{self.task}-{self.plan.seed}"

    @property
    def config(self) -> ModelConfig:
        """Of the model, with the width of the task."""
        scale, width = SCALES[self.scale], task(self.task).width
        made = scale.configuration(self.system, input_width=width, output_width=width)
        return replace(made, **scale.changes)

    @property
    def about(self) -> Record:
        """What the record says of the model."""
        return {"scale": self.scale, "system": self.system, "config": asdict(self.config)}


def planned(
    scale: str,
    *,
    tasks: Collection[str] = (),
    systems: Collection[str] = (),
    seeds: int | None = None,
    steps: int | None = None,
    device: str = "cpu",
) -> tuple[Experiment, ...]:
    """The experiments of a selection; without names every task, and every system.

    Raises
    ------
    ExperimentError
        For a name that no task, system or scale has, with the nearest ones.
    """
    _known("scale", (scale,), SCALES)
    _known("task", tasks, TASKS)
    _known("system", systems, SYSTEMS)
    chosen = SCALES[scale]
    plan = replace(chosen.plan, device=device)
    if steps is not None:
        plan = replace(plan, steps=steps, looks=min(plan.looks, steps))
    return tuple(
        Experiment(scale, system, name, replace(plan, seed=seed))
        for name in TASKS
        if name in tasks or not tasks
        for system in SYSTEMS
        if system in systems or not systems
        for seed in range(chosen.seeds if seeds is None else seeds)
    )


def _known(kind: str, names: Collection[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 3, 0.3) or list(known)
            raise ExperimentError(f"no {kind} is called {name!r}; did you mean {', '.join(near)}?")


# ---------------------------------------------------------------- the folder


def records(folder: Path) -> dict[str, Record]:
    """The records of a folder, by name; none where there is no folder.

    Raises
    ------
    ExperimentError
        For a JSON file that is no record of a training.
    """
    found = {}
    for path in sorted(folder.glob("*.json")):
        try:
            found[path.stem] = read_record(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeError, RecordError) as problem:
            raise ExperimentError(f"{path} is no record of a training: {problem}") from None
    return found


def done(experiments: Sequence[Experiment], folder: Path) -> dict[str, Record]:
    """The complete records of the experiments that the folder holds.

    Raises
    ------
    ExperimentError
        Where it holds a record of another run: of other models, or trained otherwise. So one
        folder holds one comparison.
    """
    chosen = {experiment.name for experiment in experiments}
    found = records(folder)
    for name, record in found.items():
        if difference := _difference(record, experiments[0]):
            raise ExperimentError(
                f"{folder / name}.json is of another run: {difference}; "
                "name another folder, or remove it"
            )
    return {name: r for name, r in found.items() if name in chosen and r["complete"]}


def _difference(record: Record, run: Experiment) -> str:
    """How a record differs from what the run of an experiment would write; empty if it does not."""
    system, name = record.get("system"), record["task"]["name"]
    if system not in SYSTEMS or name not in TASKS:
        return f"system {system}, task {name}"
    same = replace(
        run, system=system, task=name, plan=replace(run.plan, seed=record["plan"]["seed"])
    )
    return next(
        (
            f"{key} is {there[key]!r} there, {here.get(key)!r} here"
            for there, here in (
                ({"scale": record.get("scale")}, {"scale": run.scale}),
                (record.get("config", {}), asdict(same.config)),
                (record["plan"], asdict(same.plan)),
                ({"task": record["task"]["definition"]}, {"task": task(name).definition}),
            )
            # a field that the record lacks is younger than it, with a default that changes nothing
            for key in there
            if there[key] != here.get(key)
        ),
        "",
    )


# ---------------------------------------------------------------- running


def run(
    experiments: Sequence[Experiment],
    folder: Path,
    *,
    ready: Collection[str] = (),
    notify: Callable[[Experiment, int], None] = lambda experiment, step: None,
    tell: Callable[[Experiment, Record], None] = lambda experiment, record: None,
) -> list[Record]:
    """Train what is not ready, one experiment after the other.

    Parameters
    ----------
    ready : names
        Experiments that are left out, as `done` finds them.
    notify : (experiment, steps done)
    tell : (experiment, its complete record)

    Raises
    ------
    OSError
        Where a record cannot be written.
    """
    from ..torch_impl.modules.model import build_model

    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for experiment in experiments:
        if experiment.name in ready:
            continue
        path = folder / f"{experiment.name}.json"
        config = experiment.config
        with _threads(SCALES[experiment.scale].threads):
            record = train(
                lambda config=config: build_model(config),
                task(experiment.task),
                experiment.plan,
                about=experiment.about,
                keep=lambda record, path=path: write(path, to_text(record)),
                notify=lambda step, loss, experiment=experiment: notify(experiment, step),
            )
        tell(experiment, record)
        made.append(record)
    return made


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """Torch with so many threads, and then as before; 0 changes nothing."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count or before)
    try:
        yield
    finally:
        torch.set_num_threads(before)
