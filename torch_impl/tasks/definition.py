"""What a task is: sequences in, sequences out, and what may be expected of simple predictions.

Task         == a name, sizes, how a batch is drawn, the predictions to compare with
Batch        == inputs, targets, and the targets without their noise
Prediction   == a rule that needs no training, with the loss that it has by the definition
loss         == mean squared length of the error, per position or over all
unit_vectors == uniform on the sphere

The loss of a position is the squared length ‖ŷ − y‖² of the error, its mean over the sequences. The
zero prediction of unit vectors has the loss 1, whatever the width; divided by the width it is the
mean over the entries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor


class Batch(NamedTuple):
    """Sequences [b, t, width] in float64.

    `clean` is what the targets are before their noise is added: the prediction of one who knows
    everything but the noise, whose loss is the noise floor.
    """

    inputs: Tensor
    targets: Tensor
    clean: Tensor


@dataclass(frozen=True)
class Prediction:
    """A rule that predicts targets from inputs, without training.

    ``expected`` is its loss by the definition of the task, an expectation; where ``exact``, every
    batch has that loss, up to rounding.
    """

    predict: Callable[[Tensor], Tensor]
    expected: float
    exact: bool = False


@dataclass(frozen=True)
class Task:
    """A task.

    Parameters
    ----------
    name, definition : str
        `definition` says what is drawn, in one sentence or two.
    steps, width : int
        Inputs and targets are [b, steps, width].
    draw : (generator, b) -> Batch
        A pure function of the generator, on whose device the batch is made.
    noise_floor : float
        Expected loss of `Batch.clean`; no causal prediction has a smaller expected loss.
    predictions : mapping of str to Prediction
        What is measured beside a model.
    """

    name: str
    definition: str
    steps: int
    width: int
    draw: Callable[[torch.Generator, int], Batch]
    noise_floor: float
    predictions: Mapping[str, Prediction]


def loss(predicted: Tensor, targets: Tensor) -> Tensor:
    """Squared length of the error at each position, its mean over the sequences.

    Parameters
    ----------
    predicted, targets : (b, t, width)

    Returns
    -------
    Tensor
        (t,). Its mean is the loss of the task.
    """
    return (predicted - targets).square().sum(-1).mean(0)


def unit_vectors(generator: torch.Generator, *shape: int) -> Tensor:
    """Vectors of length 1, uniform on the sphere; float64, `shape` with the width last."""
    drawn = normal(generator, *shape)
    return drawn / torch.linalg.vector_norm(drawn, dim=-1, keepdim=True)


def normal(generator: torch.Generator, *shape: int) -> Tensor:
    """Independent standard normal entries, float64."""
    return torch.randn(shape, generator=generator, dtype=torch.float64, device=generator.device)


# ---------------------------------------------------------------- predictions


def copy(inputs: Tensor) -> Tensor:
    """The input itself."""
    return inputs


def negate(inputs: Tensor) -> Tensor:
    """The input with its sign changed."""
    return -inputs


def zero(inputs: Tensor) -> Tensor:
    """Zero at every position."""
    return torch.zeros_like(inputs)


def running_mean(inputs: Tensor) -> Tensor:
    """The mean of the inputs so far, the present one included."""
    seen = torch.arange(1, inputs.shape[1] + 1, dtype=inputs.dtype, device=inputs.device)
    return inputs.cumsum(1) / seen[:, None]
