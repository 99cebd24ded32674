"""What connections over n parallel streams share: states X of (n, c) per token.

StreamConnection == expand, read-out, and small maps of each token's own state
uneven(…)        == logits that prefer one stream, another one for every connection

As made, all streams are copies of the token. Were every connection to read them alike, nothing
would ever tell them apart: gradients that are equal keep weights equal. So connection i starts by
reading mostly from stream i mod n.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from .connection import Connection, Sublayer, make_norm
from .precision import full_precision

_PREFERRED = 2.0


def uneven(streams: int, index: int) -> Tensor:
    """Return logits (n,): 2 for stream ``index`` mod n, −2 for the others."""
    logits = torch.full((streams,), -_PREFERRED)
    logits[index % streams] = _PREFERRED
    return logits


class StreamConnection(Connection):
    """A connection whose state is n streams of c channels, and what its maps are made of.

    Each map is a static part, ``maps.bias``, and a dynamic one, a linear map of the token's n·c
    numbers divided by their root mean square: per token, so causal. `reset_gates` makes the static
    part what `starts` says and the dynamic one 0, whose weights get gradients from the first step.

    Parameters
    ----------
    width
        c.
    streams
        n.
    norm
        ``"rms"`` or ``"layer"``, in front of the sub-layer.
    sizes
        Name -> how many numbers per token, of each map.

    Raises
    ------
    ValueError
        If ``streams`` is below `LEAST_STREAMS`.
    """

    LEAST_STREAMS = 1

    def __init__(self, width: int, streams: int, *, norm: str, sizes: Mapping[str, int]):
        if streams < self.LEAST_STREAMS:
            raise ValueError(
                f"{type(self).__name__}: streams must be at least {self.LEAST_STREAMS}; "
                f"got {streams!r}"
            )
        super().__init__((streams, width))
        self.streams, self.sizes = streams, dict(sizes)
        self.norm = make_norm(norm, width)
        self.scale = nn.RMSNorm(streams * width, eps=1e-6, elementwise_affine=False)
        self.maps = nn.Linear(streams * width, sum(sizes.values()))

    def starts(self) -> dict[str, Tensor]:
        """Return the static part of each map as made."""
        raise NotImplementedError

    def reset_gates(self) -> None:
        """Make the static parts those of `starts`, and the dynamic ones 0."""
        nn.init.zeros_(self.maps.weight)
        starts = self.starts()
        with torch.no_grad():
            self.maps.bias.copy_(torch.cat([starts[name].flatten() for name in self.sizes]))

    def expand(self, x: Tensor) -> Tensor:
        """Return (b, t, n, c): n copies of the token."""
        return x.unsqueeze(2).expand(-1, -1, self.streams, -1)

    def readout(self, state: Tensor) -> Tensor:
        """Return (b, t, c): the mean of the streams."""
        return state.mean(2)

    def read(self, state: Tensor, pre: Tensor) -> Tensor:
        """Return (b, t, c): the streams with the weights H_pre, (b, t, n)."""
        with full_precision(state):
            return (pre.unsqueeze(-2) @ state).squeeze(-2)

    def written(self, kept: Tensor, post: Tensor, made: Tensor) -> Tensor:
        """Return (b, t, n, c): what is kept, and what F made, (b, t, c), by H_post, (b, t, n)."""
        return torch.addcmul(kept, post.unsqueeze(-1), made.to(kept.dtype).unsqueeze(-2))

    def parallel(
        self, state: Tensor, sublayer: Sublayer, pre: Tensor, post: Tensor, mixing: Tensor
    ) -> Tensor:
        """Return H_res X + H_postᵀ F(norm(H_pre X)), (b, t, n, c), H_res of (b, t, n, n)."""
        with full_precision(state):
            kept = mixing @ state
        return self.written(kept, post, sublayer(self.norm(self.read(state, pre))))

    def context(self, state: Tensor) -> Tensor:
        """Return (b, t, n·c), what the maps read."""
        return self.scale(state.flatten(2))

    def mapped(self, context: Tensor, dtype: torch.dtype) -> dict[str, Tensor]:
        """Return each map of the context, (b, t, size), in a dtype."""
        made = self.maps(context).to(dtype).split(list(self.sizes.values()), dim=-1)
        return dict(zip(self.sizes, made, strict=True))
