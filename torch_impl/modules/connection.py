"""How a sub-layer is joined to the residual state.

Connection == the protocol: expand, forward, readout, operator, reset_gates, force
Addition   == state + F(norm(state)), the connection of a plain transformer
Connected  == a connection and a sub-layer as one module on flat states, [b, t, c] -> [b, t, c]
make_norm  == RMSNorm or LayerNorm

A connection normalises for its sub-layer, since what else it computes (gates, values) reads the
same normalised context. It keeps nothing of a call: gates are returned. Under autocast sub-layers
compute in the lower dtype; the state, and what acts on it, keep their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from .config import ModelConfig

Sublayer = Callable[[Tensor], Tensor]
"""[b, t, c] -> [b, t, c], causal along t."""
Gates = dict[str, Tensor]
"""By name, [b, t] each: ``beta`` in [0, 2] or at least 0, ``gamma`` in [0, 1]."""


class Connection(nn.Module):
    """The protocol of connections.

    Attributes
    ----------
    GATES
        The gates that `force` can hold, by name.
    state_shape
        The trailing axes of the state of a token: ``(c,)`` where the state is the token itself.
    """

    GATES: ClassVar[tuple[str, ...]] = ()

    def __init__(self, state_shape: tuple[int, ...]):
        super().__init__()
        self.state_shape = state_shape
        self.held: dict[str, float] = {}

    @classmethod
    def from_config(cls, config: ModelConfig, index: int) -> Connection:
        """Return connection ``index`` of a model, counted from 0 to ``2 * config.layers - 1``.

        Two to a layer, of the attention and then of the MLP. The first one expands, the last one
        reads out: parameters of `expand` and of `readout` belong in those alone.
        """
        raise NotImplementedError

    def expand(self, x: Tensor) -> Tensor:
        """Return the state, (b, t, *state_shape), of embedded tokens (b, t, c)."""
        return x

    def forward(self, state: Tensor, sublayer: Sublayer) -> tuple[Tensor, Gates]:
        """Return the next state, of the shape and dtype of ``state``, and the gates."""
        raise NotImplementedError

    def readout(self, state: Tensor) -> Tensor:
        """Return tokens (b, t, c) of the state."""
        return state

    def reset_gates(self) -> None:
        """Make the documented start of the connection again.

        A model calls it last, after its own initialisation of all weights, so that the start of
        the gates is what is documented.
        """

    def operator(self, state: Tensor, sublayer: Sublayer) -> Tensor:
        """Return the matrices (b, t, n, n) that act on the state, where there are any."""
        raise NotImplementedError(f"{type(self).__name__} has no operator")

    def force(self, **gates: float) -> None:
        """Hold gates at numbers from now on; without arguments, release them.

        Raises
        ------
        ValueError
            If the connection has no gate of that name.
        """
        unknown = sorted(gates.keys() - set(self.GATES))
        if unknown:
            raise ValueError(
                f"{type(self).__name__}.force: no gate {', '.join(unknown)}; "
                f"it has {', '.join(self.GATES) or 'none'}"
            )
        self.held = {name: float(value) for name, value in gates.items()}

    def gate_value(self, name: str, computed: Tensor) -> Tensor:
        """Return the gate as computed, or as it is held."""
        return torch.full_like(computed, self.held[name]) if name in self.held else computed


class Addition(Connection):
    """state + F(norm(state)): the pre-norm residual connection of the GPT baseline.

    Parameters
    ----------
    width
        c.
    norm
        ``"rms"`` or ``"layer"``.

    Notes
    -----
    Claim residual.unrolled. Source: Identity Mappings in Deep Residual Networks, eq. 3.
    """

    def __init__(self, width: int, *, norm: str = "rms"):
        super().__init__((width,))
        self.norm = make_norm(norm, width)

    @classmethod
    def from_config(cls, config: ModelConfig, index: int) -> Addition:
        """Return the connection of a model; all of them are alike."""
        return cls(config.width, norm=config.norm)

    def forward(self, state: Tensor, sublayer: Sublayer) -> tuple[Tensor, Gates]:
        """Return state + F(norm(state)), and no gates."""
        return state + sublayer(self.norm(state)).to(state.dtype), {}


class Connected(nn.Module):
    """A connection around a sub-layer, on states laid out flat: a residual block.

    Parameters
    ----------
    connection
        The connection.
    sublayer
        A module (b, t, c) -> (b, t, c).

    The input is (b, t, c'), c' the product of ``connection.state_shape``. Expansion and read-out
    are no part of it.
    """

    def __init__(self, connection: Connection, sublayer: nn.Module):
        super().__init__()
        self.connection, self.sublayer = connection, sublayer

    def force(self, **gates: float) -> None:
        """Hold gates, as `Connection.force`."""
        self.connection.force(**gates)

    def state(self, x: Tensor) -> Tensor:
        """Return (b, t, *state_shape) of (b, t, c').

        Raises
        ------
        ValueError
            If c' is not the size of a state.
        """
        shape = self.connection.state_shape
        if x.ndim != 3 or x.shape[-1] != math.prod(shape):
            raise ValueError(
                f"Connected: x must have shape (b, t, {math.prod(shape)}), a state of "
                f"{shape} per token; got {tuple(x.shape)}"
            )
        return x.unflatten(-1, shape)

    def operator(self, x: Tensor) -> Tensor:
        """Return the matrices (b, t, n, n) that act on the state."""
        return self.connection.operator(self.state(x), self.sublayer)

    def forward(self, x: Tensor) -> Tensor:
        """Return the next state, flat."""
        return self.connection(self.state(x), self.sublayer)[0].flatten(2)


_NORMS: dict[str, Callable[..., Any]] = {"rms": nn.RMSNorm, "layer": nn.LayerNorm}
NORMS = tuple(_NORMS)
"""The names that `make_norm` takes."""


def make_norm(name: str, width: int) -> nn.Module:
    """Return RMSNorm or LayerNorm over the last axis, with weights, δ = 1e-6.

    Raises
    ------
    ValueError
        If the name is not one of `NORMS`.
    """
    if name not in _NORMS:
        raise ValueError(f"norm must be one of {', '.join(NORMS)}; got {name!r}")
    return _NORMS[name](width, eps=1e-6)
