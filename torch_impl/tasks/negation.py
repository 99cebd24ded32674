"""Negation: y = −x, which no Cayley rotation does to any vector (cayley.no_minus_one).

Every input is a unit vector, uniform on the sphere and independent of all others; the target is its
negative. Nothing but the present input matters. The number of steps, 64, is our choice.
"""

from __future__ import annotations

import torch

from .definition import Batch, Prediction, Task, copy, negate, unit_vectors, zero

STEPS, WIDTH = 64, 64


def draw(generator: torch.Generator, batch: int) -> Batch:
    """Independent unit vectors and their negatives."""
    inputs = unit_vectors(generator, batch, STEPS, WIDTH)
    return Batch(inputs, -inputs, -inputs)


TASKS = {
    "negation": Task(
        name="negation",
        definition="Independent unit vectors x; predict −x.",
        steps=STEPS,
        width=WIDTH,
        draw=draw,
        noise_floor=0.0,
        predictions={
            "copy": Prediction(copy, 4.0, exact=True),
            "negate": Prediction(negate, 0.0, exact=True),
            "zero": Prediction(zero, 1.0, exact=True),
        },
    )
}
