"""What operators of the zoo are written with.

outer(x, y)  == x yᵀ
read(k, X)   == kᵀX
eye(x)       == the identity of x's last axis
in_float32   == half formats computed in float32 and rounded once
HALF, FINE   == names of formats
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch
from torch import Tensor

HALF = ("bfloat16", "float16")
FINE = ("float64", "float32")


def outer(x: Tensor, y: Tensor) -> Tensor:
    """(..., d), (..., m) -> (..., d, m)."""
    return x.unsqueeze(-1) * y.unsqueeze(-2)


def read(k: Tensor, X: Tensor) -> Tensor:
    """(..., d), (..., d, m) -> (..., m)."""
    return (k.unsqueeze(-2) @ X).squeeze(-2)


def eye(x: Tensor) -> Tensor:
    """The identity of the size, dtype and device of x."""
    return torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)


def in_float32(operator: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Compute half formats in float32, and round the result once."""

    @functools.wraps(operator)
    def wrapped(*arguments: Tensor, **keywords: float) -> Tensor:
        dtype = arguments[0].dtype
        working = torch.float64 if dtype == torch.float64 else torch.float32
        return operator(*(x.to(working) for x in arguments), **keywords).to(dtype)

    return wrapped
