"""The sub-layers F that every system joins: causal self-attention and the MLP.

CausalSelfAttention == heads of attention to this token and earlier ones, positions by rotation
MLP                 == two linear maps, GELU between

Neither normalises its input: connections do.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


class CausalSelfAttention(nn.Module):
    """Multi-head attention of each token to itself and to earlier ones.

    Parameters
    ----------
    width
        c, a multiple of ``heads``.
    heads
        How many; each has an even number of channels, which are turned in pairs by angles
        proportional to the position. So there are no position parameters, and sequences may have
        any length.

    Raises
    ------
    ValueError
        If ``width`` is no multiple of ``2 * heads``.
    """

    def __init__(self, width: int, heads: int):
        super().__init__()
        if width % (2 * heads):
            raise ValueError(
                f"CausalSelfAttention: width must be a multiple of 2·heads = {2 * heads}, "
                f"got {width}"
            )
        self.heads = heads
        self.project = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return (b, t, c) of (b, t, c)."""
        # (b, t, 3, h, c/h) -> 3 of (b, h, t, c/h)
        projected = self.project(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        q, k, v = projected.unbind(0)
        cos, sin = _angles(x.shape[1], q.shape[-1], x.device)
        read = functional.scaled_dot_product_attention(
            _turned(q, cos, sin), _turned(k, cos, sin), v, is_causal=True
        )
        return self.out(read.transpose(1, 2).flatten(2))


def _angles(tokens: int, width: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return cosines and sines, (t, width/2), of position / 10000^(2i/width).

    In float64 where the device has it: a half format has no room for a position of three digits.
    """
    exact = torch.float32 if device.type == "mps" else torch.float64
    exponent = torch.arange(0, width, 2, device=device, dtype=exact) / width
    angle = torch.arange(tokens, device=device, dtype=exact)[:, None] * 10000.0**-exponent
    return angle.cos(), angle.sin()


def _turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turn channel i of the first half with channel i of the second."""
    first, second = x.chunk(2, dim=-1)
    cos, sin = cos.to(x.dtype), sin.to(x.dtype)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


class MLP(nn.Module):
    """c -> hidden -> c, token by token.

    Parameters
    ----------
    width
        c.
    hidden
        Channels between.
    """

    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.project = nn.Linear(width, hidden, bias=False)
        self.out = nn.Linear(hidden, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return (b, t, c) of (b, t, c)."""
        return self.out(functional.gelu(self.project(x)))
