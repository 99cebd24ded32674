"""Operators for delta_update and delta_operator."""

from __future__ import annotations

import torch
from torch import Tensor

from .entry import CALLS, Family, Parameter
from .spelled import FINE, HALF, eye, outer, read

family = Family()
wrong, right = family.wrong, family.right

GATED = ("delta.overwrite", "delta.error_contraction", "delta.eigenvalue_along_k")
"""Claims that a wrong gate breaks."""
SPECTRAL = (
    "delta.characteristic_polynomial", "delta.singular_iff", "delta.norm_distortion",
    "delta.orthogonal_iff",
)  # fmt: skip
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
    """The gate β is missing on the write term."""
    return X + outer(k, v - beta.unsqueeze(-1) * read(k, X))


@wrong(
    "delta_update",
    fails=("definition", "delta.identity", "delta.error_contraction", "delta.eigenvalue_along_k"),
    passes=(*CALLS, *OFF_K),
    diagnosis="agrees with beta missing on the erase term",
)
def beta_missing_on_erase(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The gate β is missing on the erase term."""
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


@wrong(
    "delta_update",
    fails=("definition", "delta.error_contraction", "delta.identity"),
    passes=(*CALLS, *OFF_K),
    diagnosis="agrees with the gate put through 2σ once more",
)
def gate_squashed_again(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The gate is taken for a logit."""
    return _update(X, k, v, 2 * torch.sigmoid(beta))


@wrong(
    "delta_update",
    fails=("definition", "delta.identity", "delta.rank_one_form", *OFF_K),
    passes=(*CALLS, "delta.overwrite", "delta.projection", "delta.reflection"),
)
def masked_step_forgets(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """A step that the gate 0 masks shrinks the state, where it is to keep it."""
    mask = (beta != 0).to(X.dtype)[..., None, None]
    return (0.5 + 0.5 * mask) * _update(X, k, v, beta)


@wrong("delta_update", fails=("finite",), passes=("determinism", "delta.projection"))
def masked_to_nan(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The gate is divided by itself: 0/0 where it is 0."""
    return _update(X, k, v, beta * beta / beta)


# ---------------------------------------------------------------- batches, memory, formats


@wrong(
    "delta_update",
    fails=("non_contiguous",),
    passes=("definition", "batch_independence", "determinism", "delta.overwrite"),
)
def strides_ignored(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The memory of X is read as if it were contiguous."""
    plain = torch.as_strided(X, X.shape, torch.empty(X.shape).stride())
    return _update(plain, k, v, beta)


@wrong(
    "delta_update",
    fails=("expanded", "non_contiguous"),
    passes=("definition", "batch_independence", "two_batch_axes", "delta.overwrite"),
)
def viewed_flat(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The directions are viewed as one axis, which memory that is shared or strided forbids."""
    return _update(X, k.view(-1).view(k.shape), v, beta)


@wrong(
    "delta_update",
    fails=("vmap",),
    passes=(*CALLS, "definition", "delta.overwrite"),
)
def accumulated_in_place(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The result is added up in place, which vmap cannot follow."""
    total = torch.zeros(X.shape, dtype=X.dtype, device=X.device)
    return total.add_(_update(X, k, v, beta))


@wrong(
    "delta_update",
    fails=("two_batch_axes",),
    passes=("definition", "batch_independence", "non_contiguous", "delta.overwrite"),
)
def batch_axes_flattened(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Several batch axes come back as one."""
    result = _update(X, k, v, beta)
    return result.flatten(0, -3) if result.ndim > 3 else result


@wrong(
    "delta_update",
    fails=("empty_batch",),
    passes=("definition", "batch_independence", "two_batch_axes", "delta.overwrite"),
)
def largest_gate_asked_for(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The gates are validated by their maximum, which an empty batch does not have."""
    if float(beta.detach().max()) > 1e30:
        raise ValueError("a gate is too large")
    return _update(X, k, v, beta)


@wrong(
    "delta_update",
    fails=("inputs_unchanged",),
    passes=("definition", "batch_independence", "delta.overwrite", "gradient"),
)
def written_in_place(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The state that it was given is written to, where no gradient forbids it."""
    change = outer(k, beta.unsqueeze(-1) * (v - read(k, X)))
    return X + change if X.requires_grad or not X.is_contiguous() else X.add_(change)


@wrong(
    "delta_update",
    fails=("shape",),
    passes=("determinism", "inputs_unchanged"),
    diagnosis="agrees with the transpose",
)
def result_transposed(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The result is transposed."""
    return _update(X, k, v, beta).mT


@wrong(
    "delta_update",
    fails=("result_type",),
    passes=("returns", "shape", "inputs_unchanged", "determinism"),
    dtypes=("float64", *HALF),
)
def result_in_float32(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The result is float32, whatever it was given."""
    return _update(X, k, v, beta).float()


@wrong(
    "delta_update",
    fails=("definition",),
    passes=(*CALLS, "delta.identity"),
    dtypes=(*FINE, "float16"),
    diagnosis="computes in bfloat16: every result is a number of that format",
)
def computed_in_bfloat16(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """It computes in a lower format, and does not say so."""
    return _update(*(x.bfloat16() for x in (X, k, v, beta))).to(X.dtype)


@wrong(
    "delta_update",
    fails=("definition", "gradient"),
    passes=(*CALLS, "delta.identity"),
    dtypes=("float64",),
    diagnosis="computes in float32: every result is a number of that format",
)
def computed_in_float32(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """It computes in float32: invisible in any lower format."""
    return _update(*(x.float() for x in (X, k, v, beta))).to(X.dtype)


@wrong(
    "delta_update",
    fails=("definition",),
    passes=("returns", "shape", "result_type", "finite", "inputs_unchanged", "determinism"),
    dtypes=FINE,
)
def product_in_bfloat16(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The products of the read-out are rounded to bfloat16, as fast matrix units do."""
    seen = read(k.bfloat16().to(X.dtype), X.bfloat16().to(X.dtype))
    return X + outer(k, beta.unsqueeze(-1) * (v - seen))


@wrong(
    "delta_update",
    fails=("determinism",),
    passes=("returns", "shape", "result_type", "finite", "inputs_unchanged"),
)
def noisy(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Noise of a few roundings is added."""
    return _update(X, k, v, beta) + 4 * torch.finfo(X.dtype).eps * torch.randn_like(X) * X


# ---------------------------------------------------------------- gradients


@wrong(
    "delta_update",
    fails=("gradient",),
    passes=(*CALLS, "definition"),
    dtypes=FINE,
    diagnosis="the gradient agrees with the gate detached",
)
def gate_detached(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The gate has no gradient."""
    return _update(X, k, v, beta.detach()) + 0 * beta[..., None, None]


@wrong(
    "delta_update",
    fails=("gradient",),
    passes=(*CALLS, "definition"),
    dtypes=FINE,
    diagnosis="the gradient agrees with the direction detached in the read-out",
)
def direction_detached_in_read_out(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The direction has a gradient by the write alone."""
    return X + outer(k, beta.unsqueeze(-1) * (v - read(k.detach(), X)))


@wrong(
    "delta_update",
    fails=("gradient",),
    passes=(*CALLS, "definition"),
    dtypes=FINE,
    diagnosis="the gradient agrees with the read-out detached",
)
def read_out_detached(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The error that is written back counts as a constant."""
    return X + outer(k, beta.unsqueeze(-1) * (v - read(k, X)).detach()) + 0 * v.unsqueeze(-2)


@wrong("delta_update", fails=("gradient",), passes=(*CALLS, "definition"))
def all_detached(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The result has no gradient at all."""
    return _update(X, k, v, beta).detach()


# ---------------------------------------------------------------- the operator alone


@wrong(
    "delta_operator",
    fails=("definition", "delta.eigenvalue_along_k", "delta.projection", "delta.reflection"),
    passes=(*CALLS, "delta.eigenvalue_off_k"),
    diagnosis="agrees with the sign of beta k kᵀ reversed",
)
def outer_added(k: Tensor, beta: Tensor) -> Tensor:
    """The sign of β k kᵀ."""
    return eye(k) + beta[..., None, None] * outer(k, k)


@wrong(
    "delta_operator",
    fails=("definition", "delta.eigenvalue_along_k", "delta.reflection", "delta.determinant"),
    passes=(*CALLS, "delta.eigenvalue_off_k", "delta.projection"),
    diagnosis="agrees with the gate left out",
)
def gate_ignored(k: Tensor, beta: Tensor) -> Tensor:
    """The gate is left out: always a projection."""
    return eye(k) - outer(k, k) + 0 * beta[..., None, None]


@wrong(
    "delta_operator",
    fails=(
        "definition",
        "delta.eigenvalue_along_k",
        "delta.determinant",
        "delta.inverse",
        *SPECTRAL,
    ),
    passes=(*CALLS, "delta.eigenvalue_off_k"),
    diagnosis="agrees with the gate times {parameter}",
    parameter=Parameter("factor", 0.125, 8.0, "log"),
)
def operator_gate_scaled(k: Tensor, beta: Tensor, *, parameter: float = 2.0) -> Tensor:
    """The gate has a factor."""
    return eye(k) - parameter * beta[..., None, None] * outer(k, k)


@wrong(
    "delta_operator",
    fails=("definition", "delta.eigenvalue_off_k", "delta.projection"),
    passes=CALLS,
    diagnosis="agrees with I left out",
)
def identity_left_out(k: Tensor, beta: Tensor) -> Tensor:
    """I is left out."""
    return -beta[..., None, None] * outer(k, k)


@wrong(
    "delta_operator",
    fails=("definition", "delta.eigenvalue_off_k"),
    passes=CALLS,
    diagnosis="agrees with the diagonal of k kᵀ alone",
)
def diagonal_alone(k: Tensor, beta: Tensor) -> Tensor:
    """Entries scale by themselves: the diagonal of k kᵀ alone."""
    return torch.diag_embed(1 - beta.unsqueeze(-1) * k * k)


@wrong(
    "delta_operator",
    fails=("definition", "delta.eigenvalue_along_k", "delta.reflection"),
    passes=(*CALLS, "delta.eigenvalue_off_k"),
    diagnosis="eigenvalue 1 − β‖k‖²/(‖k‖²+ε) with ε ≈ {parameter}",
    parameter=Parameter("ε", 1e-9, 1.0, "log"),
)
def epsilon_in_operator(k: Tensor, beta: Tensor, *, parameter: float = 0.25) -> Tensor:
    """The direction is divided by ‖k‖² + ε."""
    share = beta / ((k * k).sum(-1) + parameter)
    return eye(k) - share[..., None, None] * outer(k, k)


@wrong(
    "delta_operator",
    fails=("definition",),
    passes=(*CALLS, "delta.projection", "delta.reflection", "delta.eigenvalue_off_k"),
    diagnosis="agrees with the gate clamped to [0, {parameter}]",
    parameter=Parameter("bound", 0.25, 4.0, "linear"),
)
def operator_gate_clamped(k: Tensor, beta: Tensor, *, parameter: float = 2.0) -> Tensor:
    """The gate is clamped to [0, 2]."""
    return eye(k) - beta.clamp(0, parameter)[..., None, None] * outer(k, k)


@wrong(
    "delta_operator",
    fails=("batch_independence",),
    passes=("definition", "delta.eigenvalue_along_k", "determinism"),
)
def direction_of_the_batch(k: Tensor, beta: Tensor) -> Tensor:
    """Every item gets the direction of the first."""
    k = k if k.ndim == 1 or not len(k) else k[:1].expand(k.shape)
    return eye(k) - beta[..., None, None] * outer(k, k)


@wrong(
    "delta_operator",
    fails=("gradient",),
    passes=(*CALLS, "definition"),
    dtypes=FINE,
    diagnosis="the gradient agrees with one factor of k kᵀ detached",
)
def one_factor_detached(k: Tensor, beta: Tensor) -> Tensor:
    """One of the two factors k counts as a constant: half the gradient."""
    return eye(k) - beta[..., None, None] * outer(k, k.detach())


# ---------------------------------------------------------------- spelled otherwise


@right("delta_update")
def operator_first(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The operator is formed first, A X + β k vᵀ."""
    gate = beta[..., None, None]
    return (eye(k) - gate * outer(k, k)) @ X + gate * outer(k, v)


@right("delta_update")
def gate_at_the_direction(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The gate meets the direction, erase and write apart."""
    written = beta.unsqueeze(-1) * k
    return X - outer(written, read(k, X)) + outer(written, v)


@right("delta_update")
def summed_backwards(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The read-out is a loop over rows, from the last."""
    total = torch.zeros_like(v + read(k, X))
    for i in reversed(range(k.shape[-1])):
        total = total + k[..., i, None] * X[..., i, :]
    return torch.addcmul(X, k.unsqueeze(-1), (beta.unsqueeze(-1) * (v - total)).unsqueeze(-2))


@right("delta_update")
def by_einsum(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Two einsums."""
    seen = torch.einsum("...d,...dm->...m", k, X)
    return X + torch.einsum("...,...d,...m->...dm", beta, k, v - seen)


@right("delta_update")
def column_by_column(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """A loop over columns."""
    columns = []
    for j in range(X.shape[-1]):
        x = X[..., j]
        seen = (k * x).sum(-1)
        columns.append(x + (beta * (v[..., j] - seen)).unsqueeze(-1) * k)
    return torch.stack(columns, -1)


@right("delta_operator")
def operator_of_scaled_direction(k: Tensor, beta: Tensor) -> Tensor:
    """The gate meets one of the two directions."""
    return eye(k) - outer(beta.unsqueeze(-1) * k, k)


@right("delta_operator")
def operator_by_matmul(k: Tensor, beta: Tensor) -> Tensor:
    """A matrix product of a column and a row."""
    column = k.unsqueeze(-1)
    return torch.diag_embed(torch.ones_like(k)) - (column @ (beta[..., None, None] * column.mT))


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
