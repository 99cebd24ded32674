"""Operators for hybrid."""

from __future__ import annotations

import torch
from torch import Tensor

from .entry import CALLS, Family, Parameter
from .spelled import FINE, eye, outer, read

family = Family()
wrong, right = family.wrong, family.right

ENDS = ("hybrid.endpoints_orthogonal", "hybrid.distance_to_orthogonal")


def _reflected(X: Tensor, k: Tensor) -> Tensor:
    return X - 2 * outer(k, read(k, X))


def _blend(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    gate = gamma[..., None, None]
    return gate * (Q @ X) + (1 - gate) * _reflected(X, k)


@wrong(
    "hybrid",
    fails=("definition", "hybrid.planar_determinant"),
    passes=(*CALLS, *ENDS),
    diagnosis="agrees with the shares exchanged: 1 − γ for γ",
)
def shares_exchanged(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The shares γ and 1 − γ are exchanged."""
    return _blend(X, Q, k, 1 - gamma)


@wrong(
    "hybrid",
    fails=("definition",),
    passes=(*CALLS, *ENDS),
    diagnosis="agrees with Q applied transposed",
)
def rotation_transposed(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The rotation is applied transposed: invisible for symmetric ones."""
    return _blend(X, Q.mT, k, gamma)


@wrong(
    "hybrid",
    fails=("definition", *ENDS),
    passes=CALLS,
    diagnosis="agrees with the factor 2 of the reflection missing",
)
def factor_two_missing(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The factor 2 of the reflection is missing."""
    gate = gamma[..., None, None]
    return gate * (Q @ X) + (1 - gate) * (X - outer(k, read(k, X)))


@wrong(
    "hybrid",
    fails=("definition", "hybrid.gram"),
    passes=(*CALLS, *ENDS),
    diagnosis="agrees with the reflection left out",
)
def reflection_left_out(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The reflection is left out."""
    gate = gamma[..., None, None]
    return gate * (Q @ X) + (1 - gate) * X + 0 * k.unsqueeze(-1)


@wrong(
    "hybrid",
    fails=("definition", "hybrid.gram"),
    passes=(*CALLS, *ENDS),
    diagnosis="agrees with the rotation left out",
)
def rotation_left_out(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The rotation is left out."""
    gate = gamma[..., None, None]
    return gate * X + (1 - gate) * _reflected(X, k) + 0 * (Q @ X)


@wrong(
    "hybrid",
    fails=("definition", "hybrid.gram", "hybrid.norm_bounds"),
    passes=CALLS,
    diagnosis="agrees with Q X not weighted by its share",
)
def rotation_unweighted(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The shares do not sum to 1: the rotation is not weighted."""
    return Q @ X + (1 - gamma[..., None, None]) * _reflected(X, k)


@wrong(
    "hybrid",
    fails=("definition",),
    passes=(*CALLS, *ENDS),
    diagnosis="agrees with the reflected state rotated too",
)
def reflected_state_rotated(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The reflection comes after the rotation, and not beside it."""
    turned, gate = Q @ X, gamma[..., None, None]
    return gate * turned + (1 - gate) * _reflected(turned, k)


@wrong(
    "hybrid",
    fails=("definition", "hybrid.gram"),
    passes=(*CALLS, *ENDS),
    diagnosis="agrees with a blend whose columns are brought back to their length",
)
def renormalised(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The columns of the blend are brought back to the length that they had."""
    blend = _blend(X, Q, k, gamma)
    before, after = (x.norm(dim=-2, keepdim=True) for x in (X, blend))
    tiny = torch.finfo(X.dtype).tiny
    return torch.where(after > tiny, blend * (before / after.clamp_min(tiny)), blend)


@wrong(
    "hybrid",
    fails=("definition", "hybrid.interior_not_orthogonal"),
    passes=(*CALLS, *ENDS),
    diagnosis="agrees with a hard gate: 1 from {parameter} on, else 0",
    parameter=Parameter("threshold", 0.05, 0.95, "linear"),
)
def hard_gate(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor, *, parameter: float = 0.5) -> Tensor:
    """The gate is rounded to 0 or 1."""
    hard = (gamma >= parameter).to(gamma.dtype) + 0 * gamma
    return _blend(X, Q, k, hard)


@wrong(
    "hybrid",
    fails=("definition",),
    passes=(*CALLS, *ENDS),
    diagnosis="agrees with γ to the power {parameter}",
    parameter=Parameter("power", 0.25, 4.0, "log"),
)
def gate_to_a_power(
    X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor, *, parameter: float = 2.0
) -> Tensor:
    """The gate is squared first."""
    return _blend(X, Q, k, gamma**parameter)


@wrong(
    "hybrid",
    fails=("gradient",),
    passes=(*CALLS, "definition"),
    dtypes=FINE,
    diagnosis="the gradient agrees with the gate detached",
)
def gate_detached(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The gate has no gradient."""
    return _blend(X, Q, k, gamma.detach()) + 0 * gamma[..., None, None]


@wrong(
    "hybrid",
    fails=("gradient",),
    passes=(*CALLS, "definition"),
    dtypes=FINE,
    diagnosis="the gradient agrees with the rotation detached",
)
def rotation_detached(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The rotation has no gradient."""
    return _blend(X, Q.detach(), k, gamma) + 0 * (Q @ X)


@wrong(
    "hybrid",
    fails=("batch_independence",),
    passes=("definition", "determinism", *ENDS),
)
def gate_of_the_batch(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """One gate for the whole batch: the largest."""
    shared = gamma.amax() if gamma.numel() else gamma
    return _blend(X, Q, k, shared + 0 * gamma)


@wrong(
    "hybrid",
    fails=("inputs_unchanged",),
    passes=("definition", "shape", *ENDS),
)
def reflects_in_place(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The state that it was given is reflected in place, where no gradient forbids it."""
    result = _blend(X, Q, k, gamma)
    if not X.requires_grad and X.is_contiguous():
        X.sub_(2 * outer(k, read(k, X)))
    return result


# ---------------------------------------------------------------- spelled otherwise


@right("hybrid")
def interpolated(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """A linear interpolation from the reflected state to the rotated one."""
    return torch.lerp(_reflected(X, k), Q @ X, gamma[..., None, None])


@right("hybrid")
def matrix_blended(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """The matrices are blended first."""
    gate = gamma[..., None, None]
    return (gate * Q + (1 - gate) * (eye(k) - 2 * outer(k, k))) @ X


@right("hybrid")
def blended_by_einsum(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """Einsums, the gate with them."""
    turned = torch.einsum("...,...ij,...jm->...im", gamma, Q, X)
    along = torch.einsum("...i,...j,...jm->...im", k, k, X)
    return turned + torch.einsum("...,...im->...im", 1 - gamma, X - 2 * along)


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
