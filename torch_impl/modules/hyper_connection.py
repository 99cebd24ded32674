"""Manifold-constrained hyper-connections (mHC): streams mixed by a doubly stochastic matrix.

HyperConnection == X ↦ H_res X + H_postᵀ F(norm(H_pre X))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import torch
from torch import Tensor

from ..birkhoff import sinkhorn
from ..gate import gate
from .connection import Gates, Sublayer
from .precision import full_precision
from .streams import StreamConnection, uneven

if TYPE_CHECKING:
    from .config import ModelConfig


class HyperConnection(StreamConnection):
    """X ↦ H_res X + H_postᵀ F(norm(H_pre X)), X of (n, c) per token.

    H_pre = σ(·) and H_post = 2σ(·) are rows of n gates, H_res is the doubly stochastic matrix of
    exp(logits): the limit of Sinkhorn's iteration, not a fixed number of its rounds, so that rows
    and columns both sum to 1 within rounding at any distance of the logits. Logits are a static
    part plus a linear map of the token's state.

    Parameters
    ----------
    width, streams
        c and n.
    index
        Which connection of the model, from 0: it starts by reading mostly stream ``index`` mod n.
    norm
        ``"rms"`` or ``"layer"``.
    mixing_start
        Logit on the diagonal of H_res as made, 0 beside it: the diagonal is
        e^s/(e^s + n − 1), 0.993 for the default and four streams.

    As made, H_res is near the identity, H_pre is 0.88 for one stream and 0.12 for the others, and
    H_post is 1.46 for the next one, which the next connection reads, and 0.54 for the others: equal
    streams would leave H_pre and H_res without a gradient. H_res of the first connection of a model
    mixes copies, and that of the last keeps the mean that is read out: those two change nothing.
    `force` holds ``pre`` and ``post``.

    Notes
    -----
    Claims birkhoff.closed_under_product, birkhoff.preserves_mean, birkhoff.spectral_norm_one,
    birkhoff.column_step_exact. Such mixing is in general far from orthogonal
    (birkhoff.nearly_orthogonal_printed), and no negation (birkhoff.cannot_negate). Source: mHC,
    arXiv 2512.24880.
    """

    GATES: ClassVar = ("pre", "post")

    def __init__(
        self,
        width: int,
        streams: int = 4,
        *,
        index: int = 0,
        norm: str = "rms",
        mixing_start: float = 6.0,
    ):
        sizes = {"pre": streams, "post": streams, "mixing": streams**2}
        super().__init__(width, streams, norm=norm, sizes=sizes)
        self.index, self.mixing_start = index, float(mixing_start)
        self.reset_gates()

    @classmethod
    def from_config(cls, config: ModelConfig, index: int) -> HyperConnection:
        """Return a connection of a model."""
        return cls(config.width, config.streams, index=index, norm=config.norm)

    def starts(self) -> dict[str, Tensor]:
        """Return the static parts as made."""
        return {
            "pre": uneven(self.streams, self.index),
            "post": uneven(self.streams, self.index + 1) / 2,
            "mixing": self.mixing_start * torch.eye(self.streams),
        }

    def arguments(self, state: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return H_pre (b, t, n), H_post (b, t, n) and H_res (b, t, n, n), of the state's dtype."""
        maps = self.mapped(self.context(state), state.dtype)
        with full_precision(state):
            mixing = sinkhorn(maps["mixing"].unflatten(-1, (self.streams, self.streams)))
        pre = self.gate_value("pre", torch.sigmoid(maps["pre"]))
        return pre, self.gate_value("post", gate(maps["post"])), mixing

    def operator(self, state: Tensor, sublayer: Sublayer) -> Tensor:
        """Return H_res, (b, t, n, n)."""
        return self.arguments(state)[2]

    def forward(self, state: Tensor, sublayer: Sublayer) -> tuple[Tensor, Gates]:
        """Return the next state, (b, t, n, c), and no gates."""
        return self.parallel(state, sublayer, *self.arguments(state)), {}
