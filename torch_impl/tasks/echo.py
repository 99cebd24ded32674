"""Echo stability: go on saying the same vector.

A unit vector z, uniform on the sphere, is drawn for each sequence. Observation t = 0, …, 127 is
z + σ ε_t with independent standard normal ε_t and σ = 1e-3. Inputs are the observations 0, …, 126,
targets the observations 1, …, 127. The noise of a target is seen by nobody, so σ²·width is the
noise floor; the running mean has the loss σ²·width·(1 + 1/(t + 1)) at position t.

The sizes are those of the geometric residual paper; the rest is our reading of its summary.
"""

from __future__ import annotations

import torch

from .definition import (
    Batch,
    Prediction,
    Task,
    copy,
    negate,
    normal,
    running_mean,
    unit_vectors,
    zero,
)

STEPS, WIDTH, NOISE = 127, 64, 1e-3


def draw(generator: torch.Generator, batch: int) -> Batch:
    """One key for each sequence, observed STEPS + 1 times."""
    keys = unit_vectors(generator, batch, 1, WIDTH)
    observed = keys + NOISE * normal(generator, batch, STEPS + 1, WIDTH)
    return Batch(observed[:, :-1], observed[:, 1:], keys.expand(-1, STEPS, -1))


_FLOOR = NOISE**2 * WIDTH
_HARMONIC = sum(1 / (t + 1) for t in range(STEPS))

TASKS = {
    "echo": Task(
        name="echo",
        definition=(
            f"A unit vector for each sequence, observed {STEPS + 1} times with independent normal"
            f" noise of {NOISE:g} in each entry; predict the next observation."
        ),
        steps=STEPS,
        width=WIDTH,
        draw=draw,
        noise_floor=_FLOOR,
        predictions={
            "copy": Prediction(copy, 2 * _FLOOR),
            "negate": Prediction(negate, 4 + 2 * _FLOOR),
            "zero": Prediction(zero, 1 + _FLOOR),
            "running mean": Prediction(running_mean, _FLOOR * (1 + _HARMONIC / STEPS)),
        },
    )
}
