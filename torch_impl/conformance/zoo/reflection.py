"""Operators for reflection."""

from __future__ import annotations

import torch
from torch import Tensor

from .entry import CALLS, Family, Parameter, calls_but
from .spelled import FINE, eye, outer, read

family = Family()
wrong, right = family.wrong, family.right

READ = ("delta.reflection", "reflection.negates_its_axis_only")


def _reflected(x: Tensor, k: Tensor) -> Tensor:
    return x - 2 * outer(k, read(k, x))


@wrong(
    "reflection",
    fails=("definition", *READ),
    passes=CALLS,
    diagnosis="the factor 2 is missing",
)
def factor_two_missing(x: Tensor, k: Tensor) -> Tensor:
    """The factor 2 is missing: a projection."""
    return x - outer(k, read(k, x))


@wrong(
    "reflection",
    fails=("definition", *READ),
    passes=CALLS,
    diagnosis="agrees with {parameter} in the place of the factor 2",
    parameter=Parameter("factor", 0.125, 1.875, "linear"),
)
def factor_two_changed(x: Tensor, k: Tensor, *, parameter: float = 1.75) -> Tensor:
    """The factor is near 2, as that of an operator that is to keep away from a reflection."""
    return x - parameter * outer(k, read(k, x))


@wrong(
    "reflection",
    fails=("definition", *READ),
    passes=CALLS,
    diagnosis="agrees with the reflected part added, not subtracted",
)
def reflected_part_added(x: Tensor, k: Tensor) -> Tensor:
    """The sign of the reflected part."""
    return x + 2 * outer(k, read(k, x))


@wrong(
    "reflection",
    fails=("definition", "reflection.negates_its_axis_only"),
    passes=CALLS,
    diagnosis="agrees with the negative of the reflection",
)
def negated(x: Tensor, k: Tensor) -> Tensor:
    """The negative of the reflection: it keeps its axis and negates the rest."""
    return 2 * outer(k, read(k, x)) - x


@wrong(
    "reflection",
    fails=("definition", "reflection.negates_its_axis_only", "reflection.negates_rank_one_only"),
    passes=CALLS,
    diagnosis="agrees with the state returned unchanged",
)
def state_unchanged(x: Tensor, k: Tensor) -> Tensor:
    """Nothing is reflected."""
    return x + 0 * k.unsqueeze(-1)


@wrong(
    "reflection",
    fails=("definition",),
    passes=(*CALLS, *READ),
    diagnosis="agrees with x read transposed",
)
def state_read_transposed(x: Tensor, k: Tensor) -> Tensor:
    """A square state is read by its rows."""
    seen = x.mT if x.shape[-1] == x.shape[-2] else x
    return x - 2 * outer(k, read(k, seen))


@wrong(
    "reflection",
    fails=("definition", *READ),
    passes=CALLS,
    diagnosis="eigenvalue 1 − 2‖k‖²/(‖k‖²+ε) with ε ≈ {parameter}",
    parameter=Parameter("ε", 1e-9, 1.0, "log"),
    dtypes=FINE,
)
def epsilon_under_direction(x: Tensor, k: Tensor, *, parameter: float = 1e-4) -> Tensor:
    """The direction is divided by √(‖k‖² + ε)."""
    return x - (2 / ((k * k).sum(-1) + parameter))[..., None, None] * outer(k, read(k, x))


@wrong(
    "reflection",
    fails=("definition", "reflection.negates_rank_one_only", "delta.reflection"),
    passes=CALLS,
    diagnosis="agrees with the first column alone reflected",
)
def first_column_alone(x: Tensor, k: Tensor) -> Tensor:
    """A state of several columns is reflected in its first one alone."""
    return torch.cat([_reflected(x[..., :1], k), x[..., 1:]], -1)


@wrong(
    "reflection",
    fails=("definition",),
    passes=calls_but("finite"),
)
def quadratic_in_the_state(x: Tensor, k: Tensor) -> Tensor:
    """A term of second order in the state comes in: no reflection is linear so."""
    seen = read(k, x)
    return x - outer(k, 2 * seen + seen * seen / 8)


@wrong(
    "reflection",
    fails=("gradient",),
    passes=(*CALLS, "definition", *READ),
    dtypes=FINE,
    diagnosis="the gradient agrees with the direction detached",
)
def direction_detached(x: Tensor, k: Tensor) -> Tensor:
    """The direction has no gradient."""
    return _reflected(x, k.detach()) + 0 * k.unsqueeze(-1)


@wrong(
    "reflection",
    fails=("non_contiguous",),
    passes=("definition", "batch_independence", "two_batch_axes", *READ),
)
def direction_read_by_memory(x: Tensor, k: Tensor) -> Tensor:
    """The memory of k is read as if it were contiguous."""
    return _reflected(x, torch.as_strided(k, k.shape, torch.empty(k.shape).stride()))


@wrong(
    "reflection",
    fails=("batch_independence",),
    passes=("definition", "determinism", *READ),
)
def batch_rolled(x: Tensor, k: Tensor) -> Tensor:
    """Each item gets the direction of the one before it."""
    return _reflected(x, k.roll(1, 0) if k.ndim > 1 else k)


# ---------------------------------------------------------------- targets that misbehave


@wrong("reflection", fails=("returns",), passes=("inputs_unchanged", "finite"))
def returns_a_list(x: Tensor, k: Tensor) -> object:
    """A square state comes back as a list of numbers."""
    return x.tolist() if x.shape[-1] == x.shape[-2] == 4 else _reflected(x, k)


@wrong("reflection", fails=("shape",), passes=("inputs_unchanged", "determinism"))
def result_transposed(x: Tensor, k: Tensor) -> Tensor:
    """The result is transposed."""
    return _reflected(x, k).mT


@wrong(
    "reflection",
    fails=("returns",),
    passes=("definition", "inputs_unchanged", "finite", *READ),
)
def raises_for_large_numbers(x: Tensor, k: Tensor) -> Tensor:
    """It refuses states that are not small."""
    if not x.is_meta and bool((x.detach().abs() > 64).any()):
        raise ValueError("the state is too large")
    return _reflected(x, k)


# ---------------------------------------------------------------- spelled otherwise


@right("reflection")
def householder_matrix(x: Tensor, k: Tensor) -> Tensor:
    """The matrix is formed first."""
    return (eye(k) - 2 * outer(k, k)) @ x


@right("reflection")
def doubled_direction(x: Tensor, k: Tensor) -> Tensor:
    """The factor 2 meets the direction."""
    return x - outer(2 * k, read(k, x))


@right("reflection")
def projected_twice(x: Tensor, k: Tensor) -> Tensor:
    """The part along k is taken off twice."""
    along = outer(k, torch.einsum("...d,...dm->...m", k, x))
    return x - along - along


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
