"""Training a model on a task, and the record of it.

Plan             == steps, batch, optimiser, seed, how often to look
train(…)         == trains, and gives the record; `keep` gets it, incomplete, as it grows
record_schema()  == JSON Schema of a record
read_record(…)   == a record from its text, checked
environment(…)   == versions and hardware: what is not the same on another machine

A run draws three streams of random numbers, all from its seed: the first parameters, the batches,
and the sequences of the evaluation. The last two do not depend on the model, so that all systems
see the same. On one machine two runs with one seed give the same record, but for `timings`.

Left out: where records are kept, and which runs there are (proofs/experiments.py).
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib import resources
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from .tasks.definition import Batch, Task, loss

Record = dict[str, Any]
Gates = list[dict[str, Tensor]]


class SequenceModel(Protocol):
    """What is trained: a module from [b, t, width] to [b, t, width], with its gates by layer."""

    def traced(self, x: Tensor) -> tuple[Tensor, Gates]: ...
    def regulariser(self, gates: Gates) -> Tensor: ...


@dataclass(frozen=True)
class Plan:
    """How to train.

    Parameters
    ----------
    steps, batch : int
        Optimiser steps, and sequences in each.
    learning_rate, weight_decay : float
        Of AdamW. The rate rises linearly over the first tenth of the steps, and falls to 0 along a
        cosine.
    clip : float
        Largest norm of the gradient; a longer one is scaled.
    regulariser : float
        Weight of the model's regulariser in what is minimised.
    looks, evaluated : int
        How often the model is evaluated, the start not counted, and on how many sequences.
    seed : int
        Of everything that is drawn.
    device : str
        Where it is trained; batches are drawn on the CPU and moved there.
    """

    steps: int
    batch: int
    learning_rate: float = 2e-3
    weight_decay: float = 0.01
    clip: float = 1.0
    regulariser: float = 0.01
    looks: int = 10
    evaluated: int = 32
    seed: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        for name in ("steps", "batch", "looks", "evaluated"):
            if getattr(self, name) < 1:
                raise ValueError(f"Plan: {name} must be at least 1, got {getattr(self, name)}")
        if not (self.learning_rate > 0 and self.clip > 0):
            raise ValueError(
                "Plan: learning_rate and clip must be positive, got "
                f"{self.learning_rate} and {self.clip}"
            )

    def rate(self, step: int) -> float:
        """The factor of the learning rate at step 0, …, steps − 1."""
        rising = max(1, self.steps // 10)
        if step < rising:
            return (step + 1) / rising
        return (1 + math.cos(math.pi * (step - rising) / max(1, self.steps - rising))) / 2


def stream(purpose: str, task: str, seed: int) -> torch.Generator:
    """The generator of one purpose: streams of other purposes, tasks or seeds are other ones."""
    name = hashlib.sha256(f"{purpose} {task} {seed}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(name[:7], "big"))


def train(
    build: Callable[[], nn.Module],
    task: Task,
    plan: Plan,
    *,
    about: Mapping[str, Any] | None = None,
    keep: Callable[[Record], None] = lambda record: None,
    notify: Callable[[int, float], None] = lambda step, loss: None,
) -> Record:
    """Train a model on a task.

    Parameters
    ----------
    build : () -> nn.Module
        Makes the model, as `SequenceModel`; called with torch's generator seeded for this run.
    about : mapping
        What the record says of the model besides: JSON values under names of the schema.
    keep : (record)
        Called at each evaluation with the record as it is then, ``complete`` false until the end.
    notify : (step, loss)
        Called after each step with the number of steps done and the loss of its batch.

    Returns
    -------
    dict
        As `record_schema`. A loss that is no finite number ends the training: ``diverged`` is the
        step at which it was met.
    """
    began, worked = time.perf_counter(), time.process_time()
    device = torch.device(plan.device)
    with torch.random.fork_rng(devices=[]):  # a model is made on the CPU
        torch.manual_seed(stream("parameters", task.name, plan.seed).initial_seed())
        model: Any = build().to(device)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=plan.learning_rate, weight_decay=plan.weight_decay
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, plan.rate)
    evaluated = task.draw(stream("evaluation", task.name, plan.seed), plan.evaluated)
    drawing = stream("training", task.name, plan.seed)
    looks = {round(plan.steps * i / plan.looks) for i in range(1, plan.looks + 1)}
    record: Record = {
        "schema": 1,
        "complete": False,
        **(about or {}),
        "task": described(task, evaluated),
        "plan": {k: v for k, v in asdict(plan).items() if k != "device"},
        "parameters": sum(p.numel() for p in model.parameters()),
        "curve": [{"step": 0, **_look(model, evaluated, device)}],
        "final": None,
        "diverged": None,
        "timings": environment(plan.device),
    }

    def kept() -> Record:
        record["timings"]["seconds"] = round(time.perf_counter() - began, 2)
        record["timings"]["cpu_seconds"] = round(time.process_time() - worked, 2)
        keep(record)
        return record

    kept()
    for step in range(1, plan.steps + 1):
        inputs, targets, _ = _moved(task.draw(drawing, plan.batch), device)
        predicted, gates = model.traced(inputs)
        error = loss(predicted, targets).mean()
        if not math.isfinite(error.item()):
            record["diverged"] = step
            break
        optimiser.zero_grad()
        (error + plan.regulariser * model.regulariser(gates)).backward()
        nn.utils.clip_grad_norm_(model.parameters(), plan.clip)
        optimiser.step()
        schedule.step()
        notify(step, error.item())
        if step in looks:
            record["curve"].append({"step": step, **_look(model, evaluated, device)})
            if record["curve"][-1]["loss"] is None:
                record["diverged"] = step
                break
            if step < plan.steps:
                kept()
    record["final"] = None if record["diverged"] else _profile(model, evaluated, device)
    record["complete"] = True
    return kept()


# ---------------------------------------------------------------- what is measured


def _moved(batch: Batch, device: torch.device) -> Batch:
    return Batch(*(tensor.to(device=device, dtype=torch.float32) for tensor in batch))


def _predicted(model: Any, inputs: Tensor) -> tuple[Tensor, Gates]:
    model.eval()
    with torch.no_grad():
        found = model.traced(inputs)
    model.train()
    return found


def _look(model: Any, evaluated: Batch, device: torch.device) -> Record:
    """Loss, regulariser and gates on the sequences of the evaluation."""
    inputs, targets, _ = _moved(evaluated, device)
    predicted, gates = _predicted(model, inputs)
    return {
        "loss": _number(loss(predicted, targets).mean()),
        "regulariser": _number(model.regulariser(gates)),
        "gates": [
            {
                name: {
                    "mean": _number(gate.mean()),
                    "least": _number(gate.min()),
                    "greatest": _number(gate.max()),
                }
                for name, gate in layer.items()
            }
            for layer in gates
        ],
    }


def _profile(model: Any, evaluated: Batch, device: torch.device) -> Record:
    """Loss, norm drift and alignment by position."""
    inputs, targets, _ = _moved(evaluated, device)
    predicted, _ = _predicted(model, inputs)
    lengths = torch.linalg.vector_norm(predicted, dim=-1)
    drift = (lengths - torch.linalg.vector_norm(targets, dim=-1)).abs().mean(0)
    cosine = nn.functional.cosine_similarity(predicted, targets, dim=-1).mean(0)
    return {
        "loss": list(map(_number, loss(predicted, targets))),
        "norm_drift": list(map(_number, drift)),
        "alignment": list(map(_number, cosine)),
    }


def described(task: Task, evaluated: Batch) -> Record:
    """What a record says of its task: definition, sizes, and the loss of the simple predictions."""
    return {
        "name": task.name,
        "definition": task.definition,
        "steps": task.steps,
        "width": task.width,
        "noise_floor": {
            "expected": task.noise_floor,
            "measured": _number(loss(evaluated.clean, evaluated.targets).mean()),
        },
        "predictions": {
            name: {
                "expected": prediction.expected,
                "measured": _number(
                    loss(prediction.predict(evaluated.inputs), evaluated.targets).mean()
                ),
            }
            for name, prediction in task.predictions.items()
        },
    }


def _number(value: Tensor) -> float | None:
    """A JSON number of six digits; None for what is none, as nan."""
    number = float(value)
    return float(f"{number:.6g}") if math.isfinite(number) else None


def environment(device: str) -> Record:
    """Versions and hardware, without names of hosts."""
    from importlib.metadata import version

    accelerator = torch.cuda.get_device_name(device) if device.startswith("cuda") else None
    return {
        "deltaproof": version("deltaproof"),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "cpus": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "device": accelerator or device,
    }


# ---------------------------------------------------------------- records


class RecordError(ValueError):
    """A text that is no record of a training."""


def record_schema() -> Record:
    """The JSON Schema of a record."""
    file = resources.files("deltaproof.torch_impl").joinpath("schemas/training.json")
    return json.loads(file.read_text(encoding="utf-8"))


def read_record(text: str) -> Record:
    """The record that a text holds.

    Raises
    ------
    RecordError
        What is wrong with it.
    """
    import jsonschema

    try:
        record = json.loads(text)
        jsonschema.validate(record, record_schema())
    except ValueError as problem:
        raise RecordError(f"no JSON: {problem}") from None
    except jsonschema.ValidationError as problem:
        raise RecordError(f"{problem.json_path}: {problem.message}") from None
    return record


def to_text(record: Record) -> str:
    """A record as JSON; what holds numbers alone, or no other list or object, is on one line."""
    text = json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False)

    def joined(found: re.Match[str]) -> str:
        return re.sub(r"\n *", " ", found[0]).replace("[ ", "[").replace(" ]", "]")

    # a string holds no end of a line, so that none is changed
    return re.sub(r"[\[{]\n[^][{}]*\n *[\]}]", joined, text) + "\n"
