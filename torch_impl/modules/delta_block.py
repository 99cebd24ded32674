"""The connection of Deep Delta Learning: a sub-layer's output is a direction, not a summand.

DeltaConnection == compress, process, rewrite: X' = X + β k (vᵀ − kᵀX)
Compressor      == the state of a token, (c, d_v), as one token of the sub-layer, (c,)

The theorems of the family delta speak of the operator at given k, v, β. The Jacobian of the whole
block is another matter: delta.frozen_spectrum_is_jacobian_reading.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, Literal

from torch import Tensor, full, nn

from ..delta import delta_operator, delta_update
from ..direction import direction
from ..gate import gate
from .connection import Connection, Gates, Sublayer, make_norm
from .convolution import CausalConvolution
from .precision import full_precision

if TYPE_CHECKING:
    from .config import ModelConfig


class DeltaConnection(Connection):
    """X' = X + β k (vᵀ − kᵀX), with k from the sub-layer, v and β from what it reads.

    Parameters
    ----------
    width
        c, rows of the state, channels of the sub-layer.
    d_v
        Columns of the state; 1 is the scalar case.
    norm
        Of the compressed state: ``"rms"`` or ``"layer"``. Its result is the context.
    compressor, kernel
        ``"channel"`` or ``"token"``, as `Compressor`.
    embedding_convolution
        Whether `expand` convolves what it has repeated, over ``kernel`` tokens.
    normalise, direction_eps
        k of the sub-layer's output h: ``"root"``, RMSNorm(h; ε_k)/√c = h/√(‖h‖² + c·ε_k), as
        published; or ``"max"``, h/max(‖h‖, √(c·ε_k)). Only the second reaches length 1, so that
        the gate 2 reflects.
    beta_start
        The gate of every token as made, in (0, 2).
    reads_out
        Whether `readout` learns its weights; else it takes the mean of the columns.

    Raises
    ------
    ValueError
        If an option has no such value.

    Notes
    -----
    As made, β is ``beta_start`` whatever the token, compressor and read-out take the mean of the
    columns, and convolutions are identities; the weights of v are what the caller's
    initialisation makes of them. At h = 0 the direction is 0 and the block the identity; the
    gradient that reaches h there is finite and not 0, so that a sub-layer that starts at 0 starts
    to move.

    Claims residual.delta_block_is_residual, delta.rank_one_form, delta.eigenvalue_along_k,
    delta.rms_direction, delta.eigenvalue_regularised, delta.regularised_never_orthogonal,
    delta.gate_range, delta.identity. Source: Deep Delta Learning, §2 and §3.1.
    """

    GATES: ClassVar = ("beta",)

    def __init__(
        self,
        width: int,
        d_v: int = 1,
        *,
        norm: str = "rms",
        compressor: str = "channel",
        kernel: int = 4,
        embedding_convolution: bool = False,
        normalise: Literal["root", "max"] = "root",
        direction_eps: float = 1e-6,
        beta_start: float = 0.5,
        reads_out: bool = True,
    ):
        super().__init__((width, d_v))
        if normalise not in ("root", "max"):
            raise ValueError(f"DeltaConnection: normalise must be root or max; got {normalise!r}")
        if not direction_eps > 0:
            raise ValueError(f"DeltaConnection: direction_eps must be > 0; got {direction_eps!r}")
        if not 0 < beta_start < 2:
            raise ValueError(f"DeltaConnection: beta_start must be in (0, 2); got {beta_start!r}")
        self.normalise: Literal["root", "max"] = normalise
        self.eps = math.sqrt(width * direction_eps)
        self.beta_start = beta_start
        self.compress = Compressor(width, d_v, compressor, kernel)
        self.norm = make_norm(norm, width)
        self.value = nn.Linear(width, d_v)
        self.logit = nn.Linear(width, 1)
        columns = width * d_v
        self.embedding = CausalConvolution(columns, kernel) if embedding_convolution else None
        self.read = nn.Parameter(full((d_v,), 1 / d_v)) if reads_out and d_v > 1 else None
        self.reset_gates()

    @classmethod
    def from_config(cls, config: ModelConfig, index: int) -> DeltaConnection:
        """Return a connection of a model: the first may convolve, the last learns to read."""
        return cls(
            config.width,
            config.d_v,
            norm=config.norm,
            compressor=config.compressor,
            kernel=config.kernel,
            embedding_convolution=config.embedding_convolution and index == 0,
            normalise=config.direction,  # pyright: ignore[reportArgumentType]
            direction_eps=config.direction_eps,
            beta_start=config.beta_start,
            reads_out=index == 2 * config.layers - 1,
        )

    def reset_gates(self) -> None:
        """Make the gate ``beta_start``, the read vectors a mean, the convolutions the identity."""
        nn.init.zeros_(self.logit.weight)
        nn.init.constant_(self.logit.bias, math.log(self.beta_start / (2 - self.beta_start)))
        self.compress.reset_parameters()
        if self.embedding is not None:
            self.embedding.reset_parameters()
        if self.read is not None:
            nn.init.constant_(self.read, 1 / len(self.read))

    def expand(self, x: Tensor) -> Tensor:
        """Return (b, t, c, d_v): the token in every column, convolved where that is asked for."""
        state = x.unsqueeze(-1).expand(*x.shape, self.state_shape[1])
        if self.embedding is None:
            return state
        return self.embedding(state.flatten(2)).to(x.dtype).unflatten(-1, self.state_shape)

    def readout(self, state: Tensor) -> Tensor:
        """Return (b, t, c): a weighted sum of the columns."""
        return state.mean(-1) if self.read is None else weighted(state, self.read)

    def arguments(self, state: Tensor, sublayer: Sublayer) -> tuple[Tensor, Tensor, Tensor]:
        """Return k (b, t, c), v (b, t, d_v) and β (b, t), in the dtype of the state."""
        context = self.norm(self.compress(state))
        k = direction(sublayer(context).to(state.dtype), normalise=self.normalise, eps=self.eps)
        v = self.value(context).to(state.dtype)
        beta = gate(self.logit(context).squeeze(-1).to(state.dtype))
        return k, v, self.gate_value("beta", beta)

    def operator(self, state: Tensor, sublayer: Sublayer) -> Tensor:
        """Return A = I − β k kᵀ, (b, t, c, c)."""
        k, _, beta = self.arguments(state, sublayer)
        with full_precision(state):
            return delta_operator(k, beta)

    def forward(self, state: Tensor, sublayer: Sublayer) -> tuple[Tensor, Gates]:
        """Return X', (b, t, c, d_v), and ``{"beta": β}``."""
        k, v, beta = self.arguments(state, sublayer)
        with full_precision(state):
            return delta_update(state, k, v, beta), {"beta": beta}


class Compressor(nn.Module):
    """(b, t, c, d_v) -> (b, t, c): a weighted sum of the columns; as made, their mean.

    Parameters
    ----------
    width, d_v
        Of the state.
    kind
        ``"channel"``: of each token by itself; ``"token"``: of what a causal convolution of every
        entry with its ``kernel`` last tokens gives.
    kernel
        Tokens that the convolution sees.

    Raises
    ------
    ValueError
        If there is no such kind.
    """

    def __init__(self, width: int, d_v: int, kind: str, kernel: int):
        super().__init__()
        if kind not in ("channel", "token"):
            raise ValueError(f"Compressor: kind must be channel or token; got {kind!r}")
        self.convolution = CausalConvolution(width * d_v, kernel) if kind == "token" else None
        self.read = nn.Parameter(full((d_v,), 1 / d_v)) if d_v > 1 else None

    def reset_parameters(self) -> None:
        """Make it the mean of the columns."""
        if self.convolution is not None:
            self.convolution.reset_parameters()
        if self.read is not None:
            nn.init.constant_(self.read, 1 / len(self.read))

    def forward(self, state: Tensor) -> Tensor:
        """Return (b, t, c)."""
        if self.convolution is not None:
            state = (
                self.convolution(state.flatten(2)).to(state.dtype).unflatten(-1, state.shape[2:])
            )
        return state.squeeze(-1) if self.read is None else weighted(state, self.read)


def weighted(state: Tensor, read: Tensor) -> Tensor:
    """Return the weighted sum of the columns, (b, t, c), in the dtype of the state."""
    with full_precision(state):
        return state @ read.to(state.dtype)
