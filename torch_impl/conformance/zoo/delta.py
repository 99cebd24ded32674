"""Operators for delta_update and delta_operator."""

from __future__ import annotations

import torch
from torch import Tensor

from .entry import CALLS, Family, Parameter
from .spelled import FINE, eye, outer, read

family = Family()
wrong, right = family.wrong, family.right

GATED = ("delta.overwrite", "delta.error_contraction", "delta.eigenvalue_along_k")
"""Claims that a wrong gate breaks."""
OFF_K = ("delta.eigenvalue_off_k", "delta.preserves_complement")
"""Claims on what is orthogonal to the direction, which a wrong gate leaves alone."""


def _update(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    return X + outer(k, beta.unsqueeze(-1) * (v - read(k, X)))


def _square(X: Tensor) -> bool:
    return X.shape[-1] == X.shape[-2]


# ---------------------------------------------------------------- one term of the formula


@wrong(
    "delta_update",
    fails=("definition", "delta.identity", "delta.error_contraction"),
    passes=(*CALLS, *OFF_K, "delta.eigenvalue_along_k", "delta.reflection"),
    diagnosis="agrees with beta missing on the write term",
)
def beta_missing_on_write(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Β is missing on the write term."""
    return X + outer(k, v - beta.unsqueeze(-1) * read(k, X))


@wrong(
    "delta_update",
    fails=("definition", "delta.identity", "delta.error_contraction", "delta.eigenvalue_along_k"),
    passes=(*CALLS, *OFF_K),
    diagnosis="agrees with beta missing on the erase term",
)
def beta_missing_on_erase(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Β is missing on the erase term."""
    return X + outer(k, beta.unsqueeze(-1) * v - read(k, X))


@wrong(
    "delta_update",
    fails=("definition", "delta.identity", "delta.reflection"),
    passes=(*CALLS, *OFF_K, "delta.overwrite", "delta.projection"),
    diagnosis="agrees with the gate left out",
)
def gate_left_out(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The gate is left out."""
    return _update(X, k, v, torch.ones_like(beta)) + 0 * beta[..., None, None]


@wrong(
    "delta_update",
    fails=("definition", *GATED),
    passes=(*CALLS, *OFF_K, "delta.identity"),
    diagnosis="agrees with the gate times {parameter}",
    parameter=Parameter("factor", 0.125, 8.0, "log"),
)
def gate_scaled(X: Tensor, k: Tensor, v: Tensor, beta: Tensor, *, parameter: float = 0.5) -> Tensor:
    """The gate has a factor."""
    return _update(X, k, v, parameter * beta)


@wrong(
    "delta_update",
    fails=("definition", *GATED),
    passes=(*CALLS, *OFF_K, "delta.identity"),
    diagnosis="agrees with the update subtracted, not added",
)
def update_subtracted(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The update is subtracted."""
    return _update(X, k, v, -beta)


@wrong(
    "delta_update",
    fails=("definition", *GATED),
    passes=(*CALLS, *OFF_K, "delta.identity"),
    diagnosis="agrees with the read-out added, not subtracted",
)
def read_out_added(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The read-out is added, not subtracted."""
    return X + outer(k, beta.unsqueeze(-1) * (v + read(k, X)))


@wrong(
    "delta_update",
    fails=("definition", *GATED),
    passes=(*CALLS, *OFF_K, "delta.identity"),
    diagnosis="agrees with the erase term missing: only beta k vᵀ is added",
)
def nothing_erased(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Nothing is erased: only β k vᵀ is added."""
    return X + outer(k, beta.unsqueeze(-1) * v)


@wrong(
    "delta_update",
    fails=("definition", "delta.overwrite", "delta.reflect_and_write"),
    passes=(*CALLS, *OFF_K, "delta.identity", "delta.eigenvalue_along_k", "delta.reflection"),
    diagnosis="agrees with the write term missing",
)
def nothing_written(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Nothing is written: only the erasure."""
    return X - outer(k, beta.unsqueeze(-1) * read(k, X)) + 0 * v.unsqueeze(-2)


@wrong(
    "delta_update",
    fails=("definition",),
    passes=(*CALLS, "delta.identity"),
    diagnosis="agrees with k and v swapped",
)
def key_and_value_swapped(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """K and v are swapped where their sizes allow it."""
    return _update(X, v, k, beta) if _square(X) else _update(X, k, v, beta)


@wrong(
    "delta_update",
    fails=("definition",),
    passes=(*CALLS, "delta.identity"),
    diagnosis="agrees with X read transposed",
)
def state_read_transposed(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """X is read by its rows where it is square."""
    seen = X.mT if _square(X) else X
    return X + outer(k, beta.unsqueeze(-1) * (v - read(k, seen)))


# ---------------------------------------------------------------- the gate


@wrong(
    "delta_update",
    fails=("definition",),
    passes=(*CALLS, *OFF_K, "delta.identity", "delta.overwrite", "delta.reflection"),
    diagnosis="agrees with the gate clamped to [0, {parameter}]",
    parameter=Parameter("bound", 0.25, 4.0, "linear"),
)
def gate_clamped(
    X: Tensor, k: Tensor, v: Tensor, beta: Tensor, *, parameter: float = 2.0
) -> Tensor:
    """The gate is clamped to [0, 2], invisible for gates that a sigmoid makes."""
    return _update(X, k, v, beta.clamp(0, parameter))


@wrong(
    "delta_update",
    fails=("definition", "delta.eigenvalue_along_k", "delta.reflection"),
    passes=(*CALLS, *OFF_K, "delta.identity"),
    diagnosis="eigenvalue 1 − β‖k‖²/(‖k‖²+ε) with ε ≈ {parameter}",
    parameter=Parameter("ε", 1e-9, 1.0, "log"),
    dtypes=FINE,
)
def epsilon_under_direction(
    X: Tensor, k: Tensor, v: Tensor, beta: Tensor, *, parameter: float = 1e-5
) -> Tensor:
    """The direction is divided by ‖k‖² + ε."""
    square = (k * k).sum(-1) + parameter
    return X + outer(k, (beta / square).unsqueeze(-1) * (v - read(k, X)))


@wrong(
    "delta_update",
    fails=("batch_independence", "two_batch_axes"),
    passes=("definition", "gradient", "delta.overwrite", "determinism"),
)
def gate_of_the_batch(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """One gate for the whole batch: its mean."""
    return _update(X, k, v, beta.mean() + 0 * beta)


# ---------------------------------------------------------------- spelled otherwise


@right("delta_update")
def operator_first(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The operator is formed first."""
    gate = beta[..., None, None]
    return (eye(k) - gate * outer(k, k)) @ X + gate * outer(k, v)


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
