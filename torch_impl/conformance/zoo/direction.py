"""Operators for direction."""

from __future__ import annotations

import torch
from torch import Tensor

from .entry import CALLS, Family, Parameter, calls_but
from .spelled import FINE, in_float32

family = Family()
wrong, right = family.wrong, family.right

UNIT = "delta.eigenvalue_along_k"


def _length(k: Tensor) -> Tensor:
    return torch.linalg.vector_norm(k, dim=-1, keepdim=True)


def _scaled(k: Tensor) -> tuple[Tensor, Tensor]:
    """k over its largest entry, and that entry; 1 where it is 0."""
    largest = k.detach().abs().amax(-1, keepdim=True)
    largest = torch.where(largest > 0, largest, 1.0)
    return k / largest, largest


def _unit(k: Tensor, eps: float = 1e-12) -> Tensor:
    x, largest = _scaled(k)
    length = _length(torch.where(x == 0, 0.0, x))
    long = largest * length > eps
    return torch.where(long, x / torch.where(long, length, 1.0), k / eps)


@wrong(
    "direction",
    fails=("definition", UNIT),
    passes=CALLS,
    diagnosis="agrees with k/√(‖k‖² + ε²), ε ≈ {parameter}",
    parameter=Parameter("ε", 1e-8, 1.0, "log"),
    dtypes=FINE,
)
@in_float32
def epsilon_under_the_root(k_raw: Tensor, *, parameter: float = 1e-3) -> Tensor:
    """An ε² stands under the root: the length is less than 1."""
    x, largest = _scaled(k_raw)
    return x / ((x * x).sum(-1, keepdim=True) + (parameter / largest) ** 2).sqrt()


@wrong(
    "direction",
    fails=("definition", UNIT),
    passes=CALLS,
    diagnosis="agrees with k/(‖k‖ + ε), ε ≈ {parameter}",
    parameter=Parameter("ε", 1e-8, 1.0, "log"),
    dtypes=FINE,
)
@in_float32
def epsilon_added_to_the_length(k_raw: Tensor, *, parameter: float = 1e-4) -> Tensor:
    """An ε is added to the length."""
    x, largest = _scaled(k_raw)
    square = (x * x).sum(-1, keepdim=True)
    length = torch.where(square > 0, torch.where(square > 0, square, 1.0).sqrt(), 0.0)
    return x / (length + parameter / largest)


@wrong(
    "direction",
    fails=("definition",),
    passes=CALLS,
    diagnosis="agrees with ε² inside the mean, not the sum: √d times ε",
    values={"normalise": "root", "eps": 0.5},
)
@in_float32
def epsilon_inside_the_mean(k_raw: Tensor) -> Tensor:
    """The ε² is inside the mean of the squares, and not inside their sum: √d times as large."""
    x, largest = _scaled(k_raw)
    d = k_raw.shape[-1]
    return x / (((x * x).mean(-1, keepdim=True) + (0.5 / largest) ** 2) * d).sqrt()


@wrong(
    "direction",
    fails=("definition", UNIT),
    passes=calls_but("finite"),
    diagnosis="agrees with the root-mean-square normalisation, √d too long",
)
@in_float32
def root_mean_square(k_raw: Tensor) -> Tensor:
    """It is the root-mean-square normalisation, √d too long."""
    return _unit(k_raw) * k_raw.shape[-1] ** 0.5


@wrong(
    "direction",
    fails=("definition", UNIT),
    passes=CALLS,
    diagnosis="agrees with nothing normalised",
)
def nothing_normalised(k_raw: Tensor) -> Tensor:
    """Nothing is normalised."""
    return 1 * k_raw


@wrong(
    "direction",
    fails=("definition", UNIT),
    passes=CALLS,
    diagnosis="agrees with k over the sum of its absolute entries",
)
@in_float32
def sum_of_absolute_entries(k_raw: Tensor) -> Tensor:
    """The length is the sum of absolute entries."""
    x, largest = _scaled(k_raw)
    total = x.abs().sum(-1, keepdim=True)
    long = largest * total > 1e-12
    return torch.where(long, x / torch.where(long, total, 1.0), k_raw / 1e-12)


@wrong(
    "direction",
    fails=("definition", UNIT),
    passes=CALLS,
    diagnosis="agrees with k over its largest entry",
)
@in_float32
def largest_entry(k_raw: Tensor) -> Tensor:
    """The length is the largest absolute entry."""
    largest = k_raw.abs().amax(-1, keepdim=True)
    return k_raw / largest.clamp_min(1e-12)


@wrong("direction", fails=("finite",), passes=("inputs_unchanged", "determinism"))
def not_a_number_at_zero(k_raw: Tensor) -> Tensor:
    """It is 0/0 at k = 0."""
    return k_raw / _length(k_raw)


@wrong(
    "direction",
    fails=("definition",),
    passes=("returns", "inputs_unchanged", "determinism"),
    dtypes=FINE,
)
def squares_overflow(k_raw: Tensor) -> Tensor:
    """Squares are summed as they are: they overflow for large entries, and vanish for small."""
    return k_raw / (k_raw * k_raw).sum(-1, keepdim=True).sqrt().clamp_min(1e-12)


@wrong(
    "direction",
    fails=("gradient",),
    passes=(*CALLS, "definition", UNIT),
    dtypes=FINE,
    diagnosis="the gradient agrees with the length detached",
)
@in_float32
def length_detached(k_raw: Tensor) -> Tensor:
    """The length counts as a constant: the gradient is not orthogonal to k."""
    x, largest = _scaled(k_raw)
    length = _length(x).detach()
    long = largest * length > 1e-12
    return torch.where(long, x / torch.where(long, length, 1.0), k_raw / 1e-12)


@wrong(
    "direction",
    fails=("gradient",),
    passes=(*CALLS, "definition", UNIT),
    dtypes=FINE,
)
@in_float32
def gradient_lost_at_zero(k_raw: Tensor) -> Tensor:
    """A mask puts out the gradient at k = 0, where it is 1/ε."""
    return torch.where(k_raw == 0, k_raw.detach(), _unit(k_raw))


@wrong(
    "direction",
    fails=("batch_independence",),
    passes=("definition", "determinism", UNIT),
)
@in_float32
def length_of_the_batch(k_raw: Tensor) -> Tensor:
    """The length is that of the whole batch."""
    if k_raw.ndim == 1 or not k_raw.numel():
        return _unit(k_raw)
    return _unit(k_raw.flatten()).reshape(k_raw.shape)


# ---------------------------------------------------------------- spelled otherwise


@right("direction")
@in_float32
def by_the_largest_entry(k_raw: Tensor) -> Tensor:
    """The largest entry is divided out first, then a reciprocal root."""
    largest = k_raw.abs().amax(-1, keepdim=True).clamp_min(1e-30).detach()
    x = k_raw / largest
    return torch.where(
        largest * x.square().sum(-1, keepdim=True).sqrt() > 1e-12,
        x * (x.square().sum(-1, keepdim=True) + (largest < 1e-20)).rsqrt(),
        k_raw / 1e-12,
    )


@right("direction", values={"normalise": "root", "eps": 1e-3})
@in_float32
def root_of_the_longer_vector(k_raw: Tensor) -> Tensor:
    """The ε is one entry more, and the longer vector is normalised."""
    longer = torch.cat([k_raw, torch.full_like(k_raw[..., :1], 1e-3)], -1)
    x, _ = _scaled(longer)
    return (x / _length(x))[..., :-1]


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
