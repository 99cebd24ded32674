"""JPmHC: streams mixed by a Cayley rotation, exact or by two rounds of a fixed-point iteration.

OrthogonalHyperConnection == X ↦ H_res X + H_post F(norm(H_pre X)), side by side
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import torch
from torch import Tensor

from ..cayley import cayley
from ..iterative import fixed_point_cayley
from .connection import Gates, Sublayer
from .precision import full_precision
from .streams import StreamConnection, uneven

if TYPE_CHECKING:
    from .config import ModelConfig

ROTATIONS = ("fixed_point", "exact")
"""How H_res is made."""


class OrthogonalHyperConnection(StreamConnection):
    """X ↦ H_res X + H_post F(norm(H_pre X)), X of (n, c) per token.

    H_pre is a row of n weights ≥ 0 that sum to 1, H_post a column of such: both by softmax. H_res
    comes from the skew W = R − Rᵀ, R of n² numbers per token. The two routes, H_res and the
    sub-layer, are parallel: both start from X. What R and the logits are made of is a static part
    plus a linear map of the token's state.

    Parameters
    ----------
    width, streams
        c and n.
    index
        Which connection of the model, from 0: it starts by reading mostly stream ``index`` mod n.
    norm
        ``"rms"`` or ``"layer"``.
    rotation
        ``"fixed_point"``, the published iteration Y_0 = I + αW, Y_(i+1) = I + (α/2) W (I + Y_i);
        ``"exact"``, its limit (I − (α/2)W)⁻¹(I + (α/2)W) by a solve.
    alpha
        α.
    rounds
        Of the iteration. While ‖(α/2)W‖ ≤ 1 the iterate shortens states where ``rounds`` is 2 or 3
        modulo 4, as published, and lengthens them otherwise (iterative.defect).

    As made, W = 0 and H_res = I exactly, H_pre is 0.95 for one of four streams, and H_post 0.71 for
    the next one, which the next connection reads: equal streams that are written alike would leave
    W without a gradient. The mean that is read out sums H_post, so that of the last connection only
    the sum 1 counts. `force` holds ``post``.

    Raises
    ------
    ValueError
        If there is no such rotation, or ``alpha`` is not positive. `fixed_point_cayley` refuses
        ``rounds`` below 0.

    Notes
    -----
    Claims cayley.orthogonal, cayley.isometry, cayley.no_minus_one for the exact rotation,
    iterative.series, iterative.defect, iterative.converges_iff for the iterate, which is orthogonal
    for small W only (iterative.always_orthogonal_reading); `numeric.iterative.series_defect_bound`
    says how far. Source: JPmHC, arXiv 2602.18308.
    """

    GATES: ClassVar = ("post",)

    def __init__(
        self,
        width: int,
        streams: int = 4,
        *,
        index: int = 0,
        norm: str = "rms",
        rotation: str = "fixed_point",
        alpha: float = 0.1,
        rounds: int = 2,
    ):
        if rotation not in ROTATIONS:
            raise ValueError(
                f"OrthogonalHyperConnection: rotation must be one of {', '.join(ROTATIONS)}; "
                f"got {rotation!r}"
            )
        if not alpha > 0:
            raise ValueError(f"OrthogonalHyperConnection: alpha must be > 0; got {alpha!r}")
        sizes = {"pre": streams, "post": streams, "generator": streams**2}
        super().__init__(width, streams, norm=norm, sizes=sizes)
        self.index, self.rotation, self.alpha, self.rounds = index, rotation, float(alpha), rounds
        self.reset_gates()

    @classmethod
    def from_config(cls, config: ModelConfig, index: int) -> OrthogonalHyperConnection:
        """Return a connection of a model."""
        return cls(
            config.width,
            config.streams,
            index=index,
            norm=config.norm,
            rotation=config.rotation,
            alpha=config.alpha,
            rounds=config.rounds,
        )

    def starts(self) -> dict[str, Tensor]:
        """Return the static parts as made."""
        return {
            "pre": uneven(self.streams, self.index),
            "post": uneven(self.streams, self.index + 1) / 2,
            "generator": torch.zeros(self.streams, self.streams),
        }

    def arguments(self, state: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return H_pre (b, t, n), H_post (b, t, n) and W (b, t, n, n), of the state's dtype."""
        maps = self.mapped(self.context(state), state.dtype)
        raw = maps["generator"].unflatten(-1, (self.streams, self.streams))
        post = self.gate_value("post", torch.softmax(maps["post"], -1))
        return torch.softmax(maps["pre"], -1), post, raw - raw.mT

    def rotated(self, W: Tensor) -> Tensor:
        """Return H_res of W, both (b, t, n, n)."""
        with full_precision(W):
            if self.rotation == "exact":
                return cayley((-self.alpha / 2) * W)
            alpha = torch.full((), self.alpha, dtype=W.dtype, device=W.device)
            return fixed_point_cayley(W, alpha, self.rounds)

    def operator(self, state: Tensor, sublayer: Sublayer) -> Tensor:
        """Return H_res, (b, t, n, n)."""
        return self.rotated(self.arguments(state)[2])

    def forward(self, state: Tensor, sublayer: Sublayer) -> tuple[Tensor, Gates]:
        """Return the next state, (b, t, n, c), and no gates."""
        pre, post, W = self.arguments(state)
        return self.parallel(state, sublayer, pre, post, self.rotated(W)), {}
