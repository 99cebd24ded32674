"""Rotations by nearly π: almost, and never quite, a change of sign.

Every input is a unit vector, uniform on the sphere and independent of all others; the target is
R x, where R turns each of the planes of the coordinates (0, 1), (2, 3), … by one angle, the same
for all sequences: one plane by 3.1, or 32 planes, which are all there are, by 3.14. The width 64 is
that of 32 planes; the number of steps, 64, is our choice.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from .definition import Batch, Prediction, Task, copy, negate, unit_vectors, zero

STEPS, WIDTH = 64, 64


def turn(x: Tensor, planes: int, angle: float) -> Tensor:
    """Turn the first ``planes`` pairs of neighbouring coordinates of x (..., WIDTH)."""
    pairs, rest = x[..., : 2 * planes].unflatten(-1, (planes, 2)), x[..., 2 * planes :]
    first, second = pairs.unbind(-1)
    cosine, sine = math.cos(angle), math.sin(angle)
    turned = torch.stack((cosine * first - sine * second, sine * first + cosine * second), dim=-1)
    return torch.cat((turned.flatten(-2), rest), dim=-1)


def _drawing(planes: int, angle: float) -> Callable[[torch.Generator, int], Batch]:
    def draw(generator: torch.Generator, batch: int) -> Batch:
        inputs = unit_vectors(generator, batch, STEPS, WIDTH)
        targets = turn(inputs, planes, angle)
        return Batch(inputs, targets, targets)

    return draw


def _task(name: str, planes: int, angle: float) -> Task:
    turned = 2 * planes / WIDTH  # mean share of the squared length that lies in the planes
    every = 2 * planes == WIDTH
    many = "the plane of the first two" if planes == 1 else f"all {planes} planes of neighbouring"
    return Task(
        name=name,
        definition=f"Independent unit vectors, {many} coordinates turned by {angle}.",
        steps=STEPS,
        width=WIDTH,
        draw=_drawing(planes, angle),
        noise_floor=0.0,
        predictions={
            "copy": Prediction(copy, 4 * math.sin(angle / 2) ** 2 * turned, exact=every),
            "negate": Prediction(
                negate, 4 * (1 - turned) + 4 * math.cos(angle / 2) ** 2 * turned, exact=every
            ),
            "zero": Prediction(zero, 1.0, exact=True),
        },
    )


TASKS = {
    "near_pi_one_plane": _task("near_pi_one_plane", 1, 3.1),
    "near_pi_all_planes": _task("near_pi_all_planes", WIDTH // 2, 3.14),
}
