"""A control: independent inputs, of which the target is the next one.

next_of_independent == the task: y_t = x_(t+1) with independent standard normal x_0, …, x_steps
least_squares_loss  == smallest loss of a prediction from the past and the mean over the sequence

At position t a causal model has seen x_0, …, x_t, all independent of y_t. Its expected loss is
width + E‖ŷ_t‖², so that no training makes it smaller than the variance, `width`. A model that pools
over the sequence knows the mean of x_0, …, x_(steps−1), and with the past the sum s of the
steps − 1 − t inputs to come. The best prediction of the first of them is s/(steps − 1 − t), and its
loss is smaller than the variance by width/(steps − 1 − t); the last target is no input, and is not
predicted at all. Whoever finds a smaller loss than the variance with a model that is said to be
causal has found a leak, in the model or in the task.
"""

from __future__ import annotations

import torch

from .definition import Batch, Prediction, Task, normal, zero


def next_of_independent(steps: int, width: int) -> Task:
    """The control of these sizes, both at least 1."""

    def draw(generator: torch.Generator, batch: int) -> Batch:
        drawn = normal(generator, batch, steps + 1, width)
        return Batch(drawn[:, :-1], drawn[:, 1:], torch.zeros_like(drawn[:, 1:]))

    return Task(
        name="next_of_independent",
        definition="Independent standard normal vectors; predict the next one.",
        steps=steps,
        width=width,
        draw=draw,
        noise_floor=float(width),
        predictions={"zero": Prediction(zero, float(width))},
    )


def least_squares_loss(steps: int, width: int) -> float:
    """Expected loss, mean over the positions, of the best prediction that knows the mean too."""
    return width * (1 - sum(1 / to_come for to_come in range(1, steps)) / steps)
