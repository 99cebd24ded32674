"""Checks that every operator contract has, whatever its formula.

judge_batch(run, …)        == one of them
generic_checks(run, cases) == batches, memory layouts, an empty batch, vmap, the same result twice

Batches and layouts are compared with the exact value of each of their items, within its own bound,
never with another computed result: two results in low precision say nothing of each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...numeric.exactness import magnitudes
from .contract import Case, Inputs
from .wire import Answer

if TYPE_CHECKING:
    from .checks import FormatRun

_ITEMS = 4
_BATCHES = {"quick": 1, "ci": 2, "deep": 4}


def generic_checks(run: FormatRun, cases: list[Case]) -> None:
    """Make all of them; each is a claim of its own."""
    stacks = _stacks(cases)[: _BATCHES[run.settings.profile]]
    for items in stacks:
        batch = stacked(items)
        judge_batch(run, "batch_independence", items, batch)
        judge_batch(run, "non_contiguous", items, batch, layout="strided")
        repeated = [items[0]] * 3
        judge_batch(run, "expanded", repeated, stacked(repeated), layout="expanded")
        judge_batch(run, "vmap", items, batch, mode="vmap")
        # in an order that makes neighbours differ along both axes
        nested = [items[i % len(items)] for i in (0, 2, 3, 1)]
        grid = {name: x.reshape(2, 2, *x.shape[1:]) for name, x in stacked(nested).items()}
        judge_batch(run, "two_batch_axes", nested, grid)
    with run.guarded("empty_batch"):
        _empty(run, cases[0])
    with run.guarded("determinism"):
        run.twice(cases[:3])


def stacked(cases: list[Case]) -> dict[str, np.ndarray]:
    """Cases of one shape as a batch."""
    return {name: np.stack([c.inputs[name] for c in cases]) for name in cases[0].inputs}


def _stacks(cases: list[Case]) -> list[list[Case]]:
    """Groups of equal shapes, those with the most different entries first."""
    groups: dict[tuple, list[Case]] = {}
    for case in cases:
        key = tuple(np.shape(x) for x in case.inputs.values())
        groups.setdefault(key, []).append(case)
    found = [group for group in groups.values() if len(group) > 1]
    # items far apart in size tell a result that depends on its batch from one that does not
    for group in found:
        group.sort(key=lambda c: sum(float(magnitudes(x).sum()) for x in c.inputs.values()))
    chosen = [
        [group[round(i * (len(group) - 1) / (_ITEMS - 1))] for i in range(_ITEMS)]
        for group in sorted(found, key=lambda g: (-_entries(g[0]), -len(g)))
    ]
    return chosen or [[case, case] for case in cases[-1:]]


def _entries(case: Case) -> int:
    return sum(np.size(x) for x in case.inputs.values())


def judge_batch(run: FormatRun, name: str, items: list[Case], batch: Inputs, **how: str) -> None:
    """Compare every item of a batch with its exact value."""
    with run.guarded(name):
        _judge_batch(run, name, items, batch, **how)


def _judge_batch(run: FormatRun, name: str, items: list[Case], batch: Inputs, **how: str) -> None:
    from .checks import Found

    tally = run.tally(name)
    if tally.found or tally.skipped:
        return
    answer = run.call(batch, **how)
    if answer.kind == "unsupported":
        tally.skipped = answer.problem
        return
    label = f"{len(items)} cases together"
    case = Case(label, batch)
    if problem := run.useless(run.form_problem(batch, answer)):
        tally.saw(label, 0.0, 0.0)
        tally.found = Found(problem, None, None, case, how)
        return
    flat = [
        x.values.reshape(-1, *x.values.shape[-len(axes) :] if axes else ())
        for x, axes in zip(answer.outputs, run.contract.results, strict=True)
    ]
    tally.saw(label, 0.0, 0.0)
    for i, item in enumerate(items):
        one = Answer(
            tuple(
                type(x)(x.dtype, values[i], x.device)
                for x, values in zip(answer.outputs, flat, strict=True)
            )
        )
        observed, bound = run.compared(item.inputs, one)
        if observed <= bound:
            tally.saw(label, observed, bound)
        else:
            if run.definition_failure(item.inputs) is not None:
                continue  # wrong alone as well: that is the definition's failure
            tally.found = Found(
                f"item {i} is wrong here, and right alone", observed, bound, case, how
            )
            return


def _empty(run: FormatRun, case: Case) -> None:
    """A batch of no items has a result of no items."""
    from .checks import Found

    tally = run.tally("empty_batch")
    batch = {name: np.zeros((0, *np.shape(x))) for name, x in case.inputs.items()}
    answer = run.call(batch)
    tally.saw("no items", 0.0, 0.0)
    if problem := run.useless(run.form_problem(batch, answer)):
        tally.found = Found(problem, None, None, Case("no items", batch))
