"""What a contract computes of an input, computed once: runs in all formats look at the same inputs.

remembered(contract) == the same contract, with exact values, bounds and gradients kept for a while
KEPT                 == so many of each
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from .contract import Contract

KEPT = 4096
Found = TypeVar("Found")


@dataclass(frozen=True)
class _Asked:
    """Arguments, told apart by content: arrays by their bits, so that −0 is not 0."""

    content: Any
    arguments: tuple[Any, ...] = field(compare=False)


def remembered(contract: Contract) -> Contract:
    """A contract that computes the same; the arrays it returns cannot be written to."""
    return replace(
        contract,
        value=_kept(contract.value),
        bound=_kept(contract.bound),
        gradient=_kept(contract.gradient),
    )


def _kept(compute: Callable[..., Found]) -> Callable[..., Found]:
    @lru_cache(KEPT)
    def computed(asked: _Asked) -> Found:
        found: Any = compute(*asked.arguments)
        for array in found:
            array.setflags(write=False)
        return found

    return lambda *arguments: computed(_Asked(_content(arguments), arguments))


def _content(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple((name, _content(part)) for name, part in value.items())
    if isinstance(value, tuple | list):
        return tuple(map(_content, value))
    if isinstance(value, float | np.ndarray | np.generic):
        array = np.asarray(value)
        return array.shape, array.dtype.str, array.tobytes()
    return value
