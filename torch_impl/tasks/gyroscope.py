"""Gyroscope: a vector that turns in one plane at a constant rate.

For each sequence a unit vector x_0, uniform on the sphere, two coordinates i < j, uniform among
all pairs, and an angle θ, uniform in [0.1, 2.5], are drawn. R turns the plane of these coordinates
by θ: (x_i, x_j) ↦ (x_i cos θ − x_j sin θ, x_i sin θ + x_j cos θ). Then x_(t+1) = R x_t; inputs are
x_0, …, x_254, targets x_1, …, x_255. There is no noise; what cannot be predicted is the first step,
where neither plane nor angle has been seen.

The sizes are those of the geometric residual paper; the rest is our reading of its summary.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .definition import Batch, Prediction, Task, copy, negate, unit_vectors, zero

STEPS, WIDTH = 255, 16
SLOWEST, FASTEST = 0.1, 2.5


def draw(generator: torch.Generator, batch: int) -> Batch:
    """One start, plane and angle for each sequence."""
    device = generator.device
    start = unit_vectors(generator, batch, WIDTH)

    def uniform(*shape: int) -> Tensor:
        return torch.rand(shape, generator=generator, dtype=torch.float64, device=device)

    order = uniform(batch, WIDTH).argsort(-1)
    plane = order[:, :2].sort(-1).values  # two of the coordinates, each pair as likely
    share = uniform(batch, 1)
    times = torch.arange(STEPS + 1, dtype=torch.float64, device=device)
    angle = (SLOWEST + (FASTEST - SLOWEST) * share) * times
    first, second = start.gather(-1, plane).split(1, dim=-1)
    turned = torch.stack(
        (first * angle.cos() - second * angle.sin(), first * angle.sin() + second * angle.cos()),
        dim=-1,
    )
    states = start[:, None].expand(-1, STEPS + 1, -1)
    states = states.scatter(-1, plane[:, None].expand(-1, STEPS + 1, -1), turned)
    return Batch(states[:, :-1], states[:, 1:], states[:, 1:])


def mean_cosine() -> float:
    """E cos θ for θ uniform in [SLOWEST, FASTEST]."""
    return (math.sin(FASTEST) - math.sin(SLOWEST)) / (FASTEST - SLOWEST)


# A coordinate of a unit vector has the mean square 1/WIDTH; two of them are turned.
_TURNED = 2 / WIDTH

TASKS = {
    "gyroscope": Task(
        name="gyroscope",
        definition=(
            f"A unit vector turned step by step in a plane of two random coordinates by an angle"
            f" uniform in [{SLOWEST}, {FASTEST}], all three drawn for each sequence; predict the"
            " next vector."
        ),
        steps=STEPS,
        width=WIDTH,
        draw=draw,
        noise_floor=0.0,
        predictions={
            "copy": Prediction(copy, 2 * (1 - mean_cosine()) * _TURNED),
            "negate": Prediction(negate, 4 * (1 - _TURNED) + 2 * (1 + mean_cosine()) * _TURNED),
            "zero": Prediction(zero, 1.0, exact=True),
        },
    )
}
