"""Operators for cayley and cayley_rank_two."""

from __future__ import annotations

import torch
from torch import Tensor

from .entry import CALLS, Family, Parameter, calls_but
from .spelled import FINE, eye, in_float32, outer

family = Family()
wrong, right = family.wrong, family.right

ORTHOGONAL = ("cayley.orthogonal", "cayley.isometry", "cayley.determinant")


# ---------------------------------------------------------------- cayley


@wrong(
    "cayley",
    fails=("definition", "cayley.orthogonal"),
    passes=calls_but("finite"),
    diagnosis="agrees with a {parameter}-term Neumann series",
    parameter=Parameter("terms", 1, 24, "integer"),
)
@in_float32
def neumann_series(skew: Tensor, *, parameter: int = 5) -> Tensor:
    """The series of the inverse is cut off."""
    total = power = eye(skew) + 0 * skew
    for _ in range(int(parameter)):
        power = -power @ skew
        total = total + 2 * power
    return total


@wrong(
    "cayley",
    fails=("definition", "gradient"),
    passes=(*CALLS, *ORTHOGONAL),
    diagnosis="agrees with the transpose",
    dtypes=FINE,
)
@in_float32
def transposed(skew: Tensor) -> Tensor:
    """The generator has the other sign, so that Q is transposed."""
    return torch.linalg.solve(eye(skew) - skew, eye(skew) + skew)


@wrong(
    "cayley",
    fails=("definition",),
    passes=(*CALLS, *ORTHOGONAL),
    diagnosis="agrees with the exponential of −2S",
)
@in_float32
def exponential(skew: Tensor) -> Tensor:
    """The exponential of −2S, which agrees to second order."""
    return torch.linalg.matrix_exp(-2 * skew)


# ---------------------------------------------------------------- spelled otherwise


@right("cayley")
@in_float32
def by_inverse(skew: Tensor) -> Tensor:
    """One explicit inverse, 2(I + S)⁻¹ − I."""
    return 2 * torch.linalg.inv(eye(skew) + skew) - eye(skew)


@right("cayley_rank_two")
@in_float32
def omega_from_generator(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The closed form, ω² from the computed generator."""
    W = outer(u, v) - outer(v, u)
    s = beta / 2
    omega = (W * W).sum((-2, -1)) / 2
    factor = 2 * s / (1 + s**2 * omega)
    return eye(u) - factor[..., None, None] * (W - s[..., None, None] * (W @ W))


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
