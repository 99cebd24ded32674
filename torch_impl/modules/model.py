"""A decoder-only model of continuous tokens, around any connection.

SequenceModel(config) == linear in, layers, norm, linear out; forward, traced, regulariser
Layer                 == attention and an MLP, each through its connection
build_model(config)   == the model, initialised
build_block, build_layer == small ones by a system's name, for ``deltaproof conform``
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal, overload

from torch import Tensor, nn, stack

from ..gate import gate_regulariser
from .config import ModelConfig
from .connection import Connected, Connection, Gates, make_norm
from .connections import make_connection
from .sublayers import MLP, CausalSelfAttention

_SPREAD = 0.02
"""Standard deviation of a weight as made; of the last map of a sub-layer, 1/√(2·layers) of it."""

PARTS = ("embed", "attention", "mlp", "connections", "head")
"""What `SequenceModel.parameter_count` counts apart; the last norm goes with the head."""


class Layer(nn.Module):
    """Attention and an MLP, each through a connection of its own.

    Parameters
    ----------
    config
        Sizes.
    index
        Which layer of the model, from 0.
    """

    def __init__(self, config: ModelConfig, index: int):
        super().__init__()
        self.attention = CausalSelfAttention(config.width, config.heads)
        self.mlp = MLP(config.width, config.hidden)
        self.around_attention = make_connection(config, 2 * index)
        self.around_mlp = make_connection(config, 2 * index + 1)

    def forward(self, state: Tensor) -> tuple[Tensor, list[Gates]]:
        """Return the next state, and the gates of both connections."""
        state, first = self.around_attention(state, self.attention)
        state, second = self.around_mlp(state, self.mlp)
        return state, [first, second]


class SequenceModel(nn.Module):
    """Tokens (b, t, input_width) -> (b, t, output_width), causal.

    Parameters
    ----------
    config
        The system, its sizes and options.

    Weights of linear maps start normal with standard deviation 0.02, of the last map of a
    sub-layer 0.02/√(2·layers), biases at 0; then every connection makes its own start again
    (`Connection.reset_gates`).
    """

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        self.embed = nn.Linear(config.input_width, config.width)
        self.layers = nn.ModuleList(Layer(config, i) for i in range(config.layers))
        self.norm = make_norm(config.norm, config.width)
        self.head = nn.Linear(config.width, config.output_width)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialise every weight; the connections come last."""
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=_SPREAD)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        for module in self.modules():
            if isinstance(module, CausalSelfAttention | MLP):
                nn.init.normal_(module.out.weight, std=_SPREAD / math.sqrt(2 * len(self.layers)))
        for connection in self.connections():
            connection.reset_gates()

    def connections(self) -> Iterator[Connection]:
        """Every connection, in the order in which they are passed."""
        for layer in self.layers:
            yield layer.around_attention  # pyright: ignore[reportReturnType]
            yield layer.around_mlp  # pyright: ignore[reportReturnType]

    def force(self, **gates: float) -> None:
        """Hold gates of every connection, as `Connection.force`."""
        for connection in self.connections():
            connection.force(**gates)

    def forward(self, x: Tensor) -> Tensor:
        """Return (b, t, output_width) of (b, t, input_width)."""
        return self.traced(x)[0]

    def traced(self, x: Tensor) -> tuple[Tensor, list[Gates]]:
        """Return the output, and the gates of each connection: two dicts a layer, in order."""
        first, *_, last = self.connections()
        # autocast would hand the state on in a lower dtype
        state = first.expand(self.embed(x).to(self.embed.weight.dtype))
        gates: list[Gates] = []
        for layer in self.layers:
            state, found = layer(state)
            gates += found
        return self.head(self.norm(last.readout(state))), gates

    def regulariser(self, gates: Sequence[Gates]) -> Tensor:
        """Return the mean of 4γ(1 − γ) over connections and tokens; 0 where there is no γ.

        Claim gate.regulariser_profile. Source: the E∆-MHC-Geo paper.
        """
        terms = [gate_regulariser(g["gamma"]).mean() for g in gates if "gamma" in g]
        if not terms:
            return self.head.weight.new_zeros(())
        return stack(terms).mean()

    @overload
    def parameter_count(self, *, breakdown: Literal[True]) -> dict[str, int]: ...
    @overload
    def parameter_count(self, *, breakdown: Literal[False] = False) -> int: ...
    def parameter_count(self, *, breakdown: bool = False) -> int | dict[str, int]:
        """Return how many parameters there are; by part, with their ``total``, on request."""
        parts: dict[str, int] = dict.fromkeys(PARTS, 0)
        for name, parameter in self.named_parameters():
            parts[_part(name)] += parameter.numel()
        total = sum(parts.values())
        return {**parts, "total": total} if breakdown else total


def _part(name: str) -> str:
    """The part of a model that a parameter belongs to."""
    first, *_ = name.split(".")
    if first != "layers":
        return "embed" if first == "embed" else "head"
    inside = name.split(".")[2]
    return inside if inside in ("attention", "mlp") else "connections"


def build_model(config: ModelConfig) -> SequenceModel:
    """Return the model of a configuration, initialised from torch's global generator."""
    return SequenceModel(config)


def build_block(system: str, *, width: int = 8, heads: int = 2, **options: Any) -> Connected:
    """Return attention in a connection of its own, on flat states: one residual block.

    Parameters
    ----------
    system, width, heads, **options
        As `ModelConfig`. The state of a token has as many channels as the contract's ``width``:
        for a state of d_v columns or n streams that many times the ``width`` given here.
    """
    model = build_layer(system, width=width, heads=heads, **options)
    first = next(model.connections())
    return Connected(first, model.layers[0].attention)  # pyright: ignore[reportArgumentType]


def build_layer(system: str, *, width: int = 8, heads: int = 2, **options: Any) -> SequenceModel:
    """Return a model of one layer, (b, t, width) -> (b, t, width); arguments as `build_block`."""
    sizes = {"input_width": width, "output_width": width, "width": width, "heads": heads}
    return build_model(ModelConfig(system=system, **{"layers": 1, **sizes, **options}))
