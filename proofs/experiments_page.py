"""What the records of trainings show: a page with its pictures, and a table for the terminal.

page(records, …) == texts by path: the page, and the pictures that it shows in a folder beside it
losses(records)  == losses of systems and of the best simple prediction, in columns

Every number and every sentence about an outcome comes from the records. Incomplete ones are named,
and left out. Seeds are averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePath
from statistics import fmean
from typing import Any

from ..torch_impl.modules.connections import SYSTEMS
from ..torch_impl.tasks import TASKS
from .experiments import SCALES
from .report.standalone import standalone
from .terminal import safe

Record = Mapping[str, Any]
GATES = {"gamma": "γ", "beta": "β"}
FLOOR = "noise floor"
NAMES = {"gpt": "GPT", "ddl": "DDL", "mhc": "mHC", "jpmhc": "JPmHC", "geo": "E∆-MHC-Geo"}


class Runs:
    """The complete records, by task and system."""

    def __init__(self, records: Iterable[Record]):
        every = list(records)
        self.left_out = [r for r in every if not r["complete"]]
        self.kept = [r for r in every if r["complete"]]
        self.tasks = _in_order((r["task"]["name"] for r in self.kept), TASKS)
        self.systems = _in_order((r["system"] for r in self.kept), SYSTEMS)

    def of(self, task: str, system: str) -> list[Record]:
        """The runs of a system on a task, whatever their seed."""
        return [r for r in self.kept if r["task"]["name"] == task and r["system"] == system]

    def on(self, task: str) -> list[Record]:
        """All runs on a task."""
        return [r for r in self.kept if r["task"]["name"] == task]

    def loss(self, task: str, system: str) -> float | None:
        """The loss at the end, mean over the seeds; None where a run diverged, or there is none."""
        runs = self.of(task, system)
        if not runs or any(r["diverged"] for r in runs):
            return None
        return fmean(r["curve"][-1]["loss"] for r in runs)

    def simple(self, task: str) -> dict[str, dict[str, float]]:
        """Expected and measured loss of each simple prediction, and the noise floor."""
        described = [r["task"] for r in self.on(task)]
        first = described[0]
        return {
            name: {
                "expected": first["predictions"][name]["expected"],
                "measured": fmean(d["predictions"][name]["measured"] for d in described),
            }
            for name in first["predictions"]
        } | {
            FLOOR: {
                "expected": first["noise_floor"]["expected"],
                "measured": fmean(d["noise_floor"]["measured"] for d in described),
            }
        }

    def best(self, task: str) -> tuple[str, float]:
        """The simple prediction with the smallest loss, as measured."""
        simple = {n: s["measured"] for n, s in self.simple(task).items() if n != FLOOR}
        return min(simple.items(), key=lambda item: item[1])

    def profile(self, task: str, system: str, what: str) -> list[float | None]:
        """A quantity by position at the end, mean over the seeds that have it."""
        found = [r["final"][what] for r in self.of(task, system) if r["final"]]
        return [_mean(values) for values in zip(*found, strict=True)]

    def gates(self, task: str, system: str, name: str, bound: str = "mean") -> list[Any]:
        """Steps, with the mean of a gate over connections and seeds, or its least or greatest."""
        reduce: Callable[..., Any] = {"mean": _mean, "least": _least, "greatest": _greatest}[bound]
        steps: dict[int, list[float | None]] = {}
        for record in self.of(task, system):
            for look in record["curve"]:
                found = [layer[name][bound] for layer in look["gates"] if name in layer]
                steps.setdefault(look["step"], []).extend(found)
        return [[step, reduce(values)] for step, values in sorted(steps.items()) if values]


def _in_order(names: Iterable[str], order: Iterable[str]) -> list[str]:
    present = set(names)
    return [name for name in order if name in present]


def _numbers(values: Iterable[float | None]) -> list[float]:
    return [v for v in values if v is not None]


def _mean(values: Iterable[float | None]) -> float | None:
    numbers = _numbers(values)
    return fmean(numbers) if numbers else None


def _least(values: Iterable[float | None]) -> float | None:
    return min(_numbers(values), default=None)


def _greatest(values: Iterable[float | None]) -> float | None:
    return max(_numbers(values), default=None)


def _three(value: float | None, digits: int = 3) -> str:
    """Three digits, or so many, or a dash."""
    return "–" if value is None else f"{value:.{digits}g}".replace("-", "−")


def _four(value: float | None) -> str:
    """Four digits: a gate that is nearly 1 is not written as 1."""
    return _three(value, 4)


# ---------------------------------------------------------------- on a terminal


def losses(records: Iterable[Record]) -> str:
    """The loss at the end by task and system, beside the best simple prediction."""
    runs = Runs(records)
    rows = [["loss", *runs.systems, "simple"]]
    for task in runs.tasks:
        values = [runs.loss(task, system) for system in runs.systems]
        found = [*values, runs.best(task)[1]]
        rows.append([task, *("-" if v is None else f"{v:.2g}" for v in found)])
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            [row[0].ljust(wide[0]), *(c.rjust(w) for c, w in zip(row[1:], wide[1:], strict=True))]
        ).rstrip()
        for row in rows
    ]
    return safe("\n".join(lines), lines=True)


# ---------------------------------------------------------------- the page


def page(records: Sequence[Record], path: PurePath, *, folder: str) -> dict[str, str]:
    """The page of the records of a folder.

    Parameters
    ----------
    records
        Complete or not.
    path
        Of the page; pictures are in a folder beside it that has its name without the ending.
    folder
        How the page calls the folder of the records.

    Returns
    -------
    dict
        Texts by path, relative to the folder of the page.
    """
    runs = Runs(records)
    pictures: dict[str, str] = {}

    def shown(file: str, picture: Mapping[str, Any]) -> list[str]:
        pictures[f"{path.stem}/{file}.svg"] = standalone(picture)
        place = f"{path.stem}/{file}.svg"
        return ["", f"![{picture['title']}]({place})", "", picture["caption"]]

    lines = _opening(runs, path, folder)
    for task in runs.tasks:
        lines += ["", f"## Task: {task}", "", runs.on(task)[0]["task"]["definition"]]
        lines += ["", *_simple_table(runs, task), "", *_system_table(runs, task)]
        lines += ["", _comparison(runs, task)]
        lines += shown(f"norm-drift-{task}", _drift_picture(runs, task))
    lines += _gates(runs, shown)
    if "negation" in runs.tasks:
        lines += _negation(runs, shown)
    return {path.name: "\n".join(lines) + "\n", **pictures}


def _opening(runs: Runs, path: PurePath, folder: str) -> list[str]:
    scale, plan = runs.kept[0]["scale"], runs.kept[0]["plan"]
    seeds = sorted({r["plan"]["seed"] for r in runs.kept})
    usual = SCALES.get(scale)
    options = f" --steps {plan['steps']}" if usual and plan["steps"] != usual.plan.steps else ""
    options += f" --seeds {len(seeds)}" if usual and len(seeds) != usual.seeds else ""
    lines = [
        "# Experiments",
        "",
        f"What the records in `{folder}` show, no more. Each is of one system of the papers,"
        f" trained on one task at the scale `{scale}`. The definitions of the tasks are our"
        " reading of a summary of the E∆-MHC-Geo paper.",
        "",
        "To make such records, and then this page of those that are kept:",
        "",
        "```sh",
        f"deltaproof reproduce --scale {scale}{options} --out DIR",
        f"deltaproof reproduce --out {folder} --page {path.as_posix()}",
        "```",
        "",
        f"- Training: {plan['steps']} steps of {plan['batch']} sequences; AdamW with the learning"
        f" rate {plan['learning_rate']:g} (rising, then falling along a cosine), weight decay"
        f" {plan['weight_decay']:g}, gradients clipped at the norm {plan['clip']:g}; the"
        f" regulariser 4γ(1 − γ) has the weight {plan['regulariser']:g}.",
        f"- Seeds: {', '.join(map(str, seeds))}. Numbers are means over the seeds, on"
        f" {plan['evaluated']} sequences that training does not see.",
        *_machines(runs),
        "- Loss: the squared length ‖ŷ − y‖² of the error, mean over positions and sequences.",
        "- Norm drift: the mean of |‖ŷ‖ − ‖y‖|. Alignment: the mean cosine of ŷ and y.",
    ]
    if runs.left_out:
        named = ", ".join(
            f"{r['system']} on {r['task']['name']} (seed {r['plan']['seed']})"
            for r in runs.left_out
        )
        lines.append(f"- Incomplete, and left out: {named}.")
    lines += ["", "| system | layers | width | streams | parameters |", "|---|---|---|---|---|"]
    for system in runs.systems:
        mine = [r for r in runs.kept if r["system"] == system]
        config = mine[0]["config"]
        counts = sorted({r["parameters"] for r in mine})
        many = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
        streams = config["streams"] if system in ("mhc", "jpmhc", "geo") else 1
        lines.append(
            f"| {NAMES[system]} | {config['layers']} | {config['width']} | {streams} | {many} |"
        )
    return lines


def _machines(runs: Runs) -> list[str]:
    """Hardware and versions, a line for each that some run had."""
    minutes: dict[str, float] = {}
    for record in runs.kept:
        t = record["timings"]
        machine = (
            f"device {t['device']}, CPUs {t['cpus']}, threads {t['threads']}, Python {t['python']},"
            f" torch {t['torch']}, deltaproof {t['deltaproof']}"
        )
        minutes[machine] = minutes.get(machine, 0) + t["cpu_seconds"] / 60
    return [f"- Run with: {m}; {spent:.1f} minutes of a CPU." for m, spent in minutes.items()]


def _simple_table(runs: Runs, task: str) -> list[str]:
    lines = ["| without training | expected loss | measured |", "|---|---|---|"]
    for name, found in runs.simple(task).items():
        lines.append(f"| {name} | {_three(found['expected'])} | {_three(found['measured'])} |")
    return lines


def _system_table(runs: Runs, task: str) -> list[str]:
    lines = [
        "| system | loss at the start | at the end | norm drift | alignment |",
        "|---|---|---|---|---|",
    ]
    for system in runs.systems:
        mine = runs.of(task, system)
        if not mine:
            continue
        diverged = [r["diverged"] for r in mine if r["diverged"]]
        end = (
            f"no number from step {min(diverged)}" if diverged else _three(runs.loss(task, system))
        )
        start = _three(_mean(r["curve"][0]["loss"] for r in mine))
        drift = _three(_mean(runs.profile(task, system, "norm_drift")))
        alignment = _three(_mean(runs.profile(task, system, "alignment")))
        lines.append(f"| {NAMES[system]} | {start} | {end} | {drift} | {alignment} |")
    return lines


def _comparison(runs: Runs, task: str) -> str:
    """Who is below the best simple prediction, in one sentence or two."""
    best, reached = runs.best(task)
    found = {s: v for s in runs.systems if (v := runs.loss(task, s)) is not None}
    if not found:
        return "No system has a loss."
    below = [NAMES[s] for s, value in found.items() if value < reached]
    least = min(found, key=lambda system: found[system])
    return (
        f"The smallest loss is that of {NAMES[least]}, {_three(found[least])}. Below the best"
        f" simple prediction ({best}, {_three(reached)}): {', '.join(below) or 'none'}."
    )


# ---------------------------------------------------------------- pictures


def _picture(
    title: str, caption: str, x: str, y: str, scale: str, series: Sequence[tuple[str, int, list]]
) -> dict[str, Any]:
    return {
        "title": title,
        "caption": caption,
        "x": {"label": x, "scale": "linear"},
        "y": {"label": y, "scale": scale},
        "series": [
            {
                "name": name,
                "role": "derived",
                "group": group,
                "points": [p for p in points if p[1] is not None],
            }
            for name, group, points in series
        ],
        "marks": [],
    }


def _by_system(runs: Runs, task: str, what: str) -> list[tuple[str, int, list]]:
    return [
        (NAMES[system], SYSTEMS.index(system), list(enumerate(runs.profile(task, system, what), 1)))
        for system in runs.systems
        if runs.profile(task, system, what)
    ]


def _drift_picture(runs: Runs, task: str) -> dict[str, Any]:
    return _picture(
        f"Norm drift on {task}, by position",
        "The mean of |‖ŷ‖ − ‖y‖| at each position of the sequence, after training.",
        "position",
        "norm drift",
        "log",
        _by_system(runs, task, "norm_drift"),
    )


Shown = Callable[[str, Mapping[str, Any]], list[str]]


def _gates(runs: Runs, shown: Shown) -> list[str]:
    lines = ["", "## Gates"]
    for gate, letter in GATES.items():
        for system in runs.systems:
            found = {task: runs.gates(task, system, gate) for task in runs.tasks}
            if not any(found.values()):
                continue
            picture = _picture(
                f"{letter} of {NAMES[system]} while it trains",
                f"{letter} of {NAMES[system]}: the mean over connections, positions and sequences"
                " of the evaluation, by step.",
                "step",
                letter,
                "linear",
                [(task, list(TASKS).index(task), found[task]) for task in runs.tasks],
            )
            lines += shown(f"{gate}-{system}", picture)
            lines += ["", f"| task | {letter} at the start | at the end | least | greatest |"]
            lines += ["|---|---|---|---|---|"]
            for task, curve in found.items():
                ends = [runs.gates(task, system, gate, bound) for bound in ("least", "greatest")]
                cells = [curve[0][1], curve[-1][1], *(e[-1][1] for e in ends)] if curve else []
                lines.append(f"| {task} | {' | '.join(map(_four, cells))} |")
    return lines if len(lines) > 2 else [*lines, "", "No system has a gate."]


def _negation(runs: Runs, shown: Shown) -> list[str]:
    """Alignment on negation: the cosine of ŷ and −x."""
    lines = ["", "## Alignment on negation"]
    lines += ["", "The cosine of the prediction and −x, and the gates at the end of that training."]
    lines += ["", "| system | mean cosine | least, by position | mean γ | mean β |"]
    lines += ["|---|---|---|---|---|"]
    for system in runs.systems:
        profile = runs.profile("negation", system, "alignment")
        ends = [runs.gates("negation", system, gate) for gate in GATES]
        cells = [_mean(profile), _least(profile), *(e[-1][1] if e else None for e in ends)]
        lines.append(f"| {NAMES[system]} | {' | '.join(map(_four, cells))} |")
    picture = _picture(
        "Alignment on negation, by position",
        "The mean cosine of the prediction and −x at each position, after training.",
        "position",
        "alignment",
        "linear",
        _by_system(runs, "negation", "alignment"),
    )
    return lines + shown("alignment-negation", picture)
