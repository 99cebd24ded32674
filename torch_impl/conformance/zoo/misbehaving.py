"""Reflections that misbehave towards the process that they run in, now and then.

hangs, dies, exits, patches, storms == wrong ones
prints, no_halves                   == right ones: what they do is no fault

Only a state of five rows and three columns, alone, makes them do so: few inputs have it, and the
calls after it can go on.
"""

from __future__ import annotations

import os
import sys
import time

import torch
from torch import Tensor

from ...reflection import reflect
from .entry import Family

family = Family(isolated=True)
wrong, right = family.wrong, family.right

ELSEWHERE = ("definition", "inputs_unchanged", "finite")
"""Checks whose other inputs pass."""


def _chosen(x: Tensor) -> bool:
    return tuple(x.shape) == (5, 3)


@wrong("reflection", fails=("returns",), passes=ELSEWHERE, dtypes=("float32",), limit=5.0)
def hangs(x: Tensor, k: Tensor) -> Tensor:
    """It does not return."""
    if _chosen(x):
        time.sleep(60)
    return reflect(x, k)


@wrong("reflection", fails=("returns",), passes=ELSEWHERE, dtypes=("float32",))
def dies(x: Tensor, k: Tensor) -> Tensor:
    """It ends its process."""
    if _chosen(x):
        os._exit(7)
    return reflect(x, k)


@wrong("reflection", fails=("returns",), passes=ELSEWHERE)
def exits(x: Tensor, k: Tensor) -> Tensor:
    """It raises SystemExit."""
    if _chosen(x):
        sys.exit(3)
    return reflect(x, k)


@wrong("reflection", fails=("returns",), passes=ELSEWHERE, dtypes=("float32",))
def patches(x: Tensor, k: Tensor) -> Tensor:
    """It replaces a function of torch."""
    result = reflect(x, k)
    if _chosen(x):
        torch.matmul = lambda a, b: a  # pyright: ignore[reportAttributeAccessIssue]
    return result


@wrong("reflection", fails=("returns",), passes=ELSEWHERE)
def storms(x: Tensor, k: Tensor) -> Tensor:
    """It warns a hundred times."""
    import warnings

    if _chosen(x):
        for i in range(100):
            warnings.warn(f"warning {i}", stacklevel=1)
    return reflect(x, k)


@right("reflection")
def prints(x: Tensor, k: Tensor) -> Tensor:
    """It prints to what the kit's answers go through."""
    print("not a line of the protocol")
    return reflect(x, k)


@right("reflection")
def no_halves(x: Tensor, k: Tensor) -> Tensor:
    """It does not support half formats, and says so."""
    if x.dtype in (torch.bfloat16, torch.float16):
        raise RuntimeError("\"reflect\" not implemented for 'Half'")
    return reflect(x, k)


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
