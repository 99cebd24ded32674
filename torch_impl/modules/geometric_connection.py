"""E∆-MHC-Geo: streams turned or reflected before the sub-layer reads them.

GeometricConnection == X ↦ G + H_postᵀ F(H_pre · norm(G)), G = γ Q X + (1 − γ)(X − 2k kᵀX)
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from ..cayley import cayley_rank_two
from ..direction import direction
from ..gate import gate
from ..hybrid import blend
from .connection import Gates, Sublayer
from .precision import full_precision
from .streams import StreamConnection, uneven

if TYPE_CHECKING:
    from .config import ModelConfig

GENERATORS = ("token", "sequence_mean")
"""What generators are made from."""


class Geometry(NamedTuple):
    """The hybrid operator of each token: Q = (I + S)⁻¹(I − S), S = (β/2)(u vᵀ − v uᵀ); k; γ."""

    u: Tensor  # (b, t, n)
    v: Tensor  # (b, t, n)
    beta: Tensor  # (b, t), > 0
    k: Tensor  # (b, t, n), of length 1, shorter only below direction_eps
    gamma: Tensor  # (b, t), in (0, 1)


class GeometricConnection(StreamConnection):
    """X ↦ G + H_postᵀ F(H_pre · norm(G)), the hybrid G of X first, X of (n, c) per token.

    β is a softplus, γ = σ(·), k a direction, u and v are as they come, H_pre = σ(·) and
    H_post = 2σ(·) rows of n gates. All of them are maps of the token's own state, a static part
    plus a linear one, so that no token sees a later one.

    Parameters
    ----------
    width, streams
        c and n ≥ 2.
    index
        Which connection of the model, from 0.
    norm
        ``"rms"`` or ``"layer"``.
    generators
        ``"token"``; or ``"sequence_mean"``, the published form: u, v, β, k and γ from the mean of
        the whole sequence, later tokens included. That is **not causal**
        (hybrid.pooled_generators_causal_reading): padding, the length and every later token change
        every output. Only for comparison.
    gamma_start
        γ as made, in (0, 1) but not ½. Default 63/64: with ½ the operator is singular
        (hybrid.midpoint_singular), and the regulariser has no gradient there
        (gate.zero_gradient_midpoint); no state is shortened below 2γ − 1 of it
        (hybrid.norm_bounds).
    beta_start
        β as made, > 0.
    direction_eps
        Below this length of its generator k is no unit vector: k = generator/ε. At a generator of 0
        the operator is γQ + (1 − γ)I, with finite gradients.

    As made, γ and β are those numbers for every token, u and v the unit vectors of streams
    ``index`` and ``index`` + 1 mod n, so that Q turns their plane by 2·arctan(β/2), and k points
    along the mean of the streams: equal streams are k(kᵀX), which the reflection negates
    (reflection.negates_rank_one_only). H_pre is 0.88 for stream ``index`` mod n and 0.12 for the
    others, H_post is 1. `force` holds ``gamma``, ``beta``, ``pre`` and ``post``.

    Raises
    ------
    ValueError
        If a parameter is none of these.

    Notes
    -----
    Claims hybrid.endpoints_orthogonal, hybrid.smallest_singular_value, hybrid.norm_bounds,
    hybrid.orthogonality_defect, hybrid.reduces_to_residual, cayley.orthogonal,
    cayley.no_minus_one, gate.regulariser_profile. Source: the E∆-MHC-Geo Transformer, G_γ,
    arXiv 2605.06729.
    """

    GATES: ClassVar = ("beta", "gamma", "pre", "post")
    LEAST_STREAMS = 2

    def __init__(
        self,
        width: int,
        streams: int = 4,
        *,
        index: int = 0,
        norm: str = "layer",
        generators: str = "token",
        gamma_start: float = 63 / 64,
        beta_start: float = 1 / 16,
        direction_eps: float = 1e-6,
    ):
        name = "GeometricConnection"
        if generators not in GENERATORS:
            raise ValueError(
                f"{name}: generators must be one of {', '.join(GENERATORS)}; got {generators!r}"
            )
        if not 0 < gamma_start < 1 or gamma_start == 0.5:
            raise ValueError(
                f"{name}: gamma_start must be in (0, 1) and not ½, where the operator is singular; "
                f"got {gamma_start!r}"
            )
        for what, value in (("beta_start", beta_start), ("direction_eps", direction_eps)):
            if not value > 0:
                raise ValueError(f"{name}: {what} must be > 0; got {value!r}")
        geometry = {"u": streams, "v": streams, "k": streams, "beta": 1, "gamma": 1}
        super().__init__(
            width, streams, norm=norm, sizes={**geometry, "pre": streams, "post": streams}
        )
        self.index, self.generators = index, generators
        self.gamma_start, self.beta_start = float(gamma_start), float(beta_start)
        self.direction_eps = float(direction_eps)
        self.reset_gates()

    @classmethod
    def from_config(cls, config: ModelConfig, index: int) -> GeometricConnection:
        """Return a connection of a model."""
        return cls(
            config.width,
            config.streams,
            index=index,
            norm=config.norm,
            generators=config.generators,
            gamma_start=config.gamma_start,
        )

    def starts(self) -> dict[str, Tensor]:
        """Return the static parts as made."""
        units = torch.eye(self.streams)
        return {
            "u": units[self.index % self.streams],
            "v": units[(self.index + 1) % self.streams],
            "k": torch.ones(self.streams),
            "beta": torch.tensor(math.log(math.expm1(self.beta_start))),
            "gamma": torch.tensor(math.log(self.gamma_start / (1 - self.gamma_start))),
            "pre": uneven(self.streams, self.index),
            "post": torch.zeros(self.streams),
        }

    def arguments(self, state: Tensor) -> tuple[Geometry, Tensor, Tensor]:
        """Return the operator's arguments, H_pre and H_post (b, t, n), of the state's dtype."""
        context = self.context(state)
        maps = self.mapped(context, state.dtype)
        pre = self.gate_value("pre", torch.sigmoid(maps["pre"]))
        post = self.gate_value("post", gate(maps["post"]))
        if self.generators == "sequence_mean":
            pooled = context.mean(1, keepdim=True).expand_as(context)
            maps = self.mapped(pooled, state.dtype)
        geometry = Geometry(
            maps["u"],
            maps["v"],
            self.gate_value("beta", functional.softplus(maps["beta"].squeeze(-1))),
            direction(maps["k"], eps=self.direction_eps),
            self.gate_value("gamma", torch.sigmoid(maps["gamma"].squeeze(-1))),
        )
        return geometry, pre, post

    def mixed(self, state: Tensor, geometry: Geometry) -> Tensor:
        """Return γ Q X + (1 − γ)(X − 2k kᵀX), (b, t, n, ·)."""
        u, v, beta, k, gamma = geometry
        with full_precision(state):
            return blend(state, cayley_rank_two(u, v, beta), k, gamma)

    def operator(self, state: Tensor, sublayer: Sublayer) -> Tensor:
        """Return γQ + (1 − γ)(I − 2k kᵀ), (b, t, n, n)."""
        eye = torch.eye(self.streams, dtype=state.dtype, device=state.device)
        return self.mixed(eye, self.arguments(state)[0])

    def forward(self, state: Tensor, sublayer: Sublayer) -> tuple[Tensor, Gates]:
        """Return the next state, (b, t, n, c), and ``{"beta": β, "gamma": γ}``."""
        geometry, pre, post = self.arguments(state)
        G = self.mixed(state, geometry)
        made = sublayer(self.read(self.norm(G).to(state.dtype), pre))
        return self.written(G, post, made), {"beta": geometry.beta, "gamma": geometry.gamma}
