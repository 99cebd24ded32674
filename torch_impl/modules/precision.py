"""Where autocast must not reach.

full_precision(state) == a context in which products are made in the dtype of their factors

Autocast turns float32 products into half ones. Inside an operator that would undo what its bound
says: a rotation applied in bfloat16 keeps lengths to three digits. Sub-layers and the maps that
make generators and gates stay outside, and are rounded as autocast likes.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor


def full_precision(state: Tensor) -> AbstractContextManager:
    """Return a context without autocast on the device of ``state``, where there is such a thing."""
    kind = state.device.type
    if not torch.amp.is_autocast_available(kind):
        return nullcontext()
    return torch.autocast(kind, enabled=False)
