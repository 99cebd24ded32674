"""What a model is, as data.

ModelConfig == the system, its sizes and its options
published   == configurations near the 1.79 M parameters of the published comparison
small       == configurations that two cores train in a minute
"""

from __future__ import annotations

from dataclasses import dataclass

from .connection import NORMS
from .connections import SYSTEMS


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """A model; a field that its system does not have is not looked at.

    Parameters
    ----------
    system
        ``"gpt"``, ``"ddl"``, ``"mhc"``, ``"jpmhc"`` or ``"geo"``.
    input_width, output_width
        Channels of a token, in and out.
    width
        c, channels of a token inside: what the sub-layers work on.
    layers
        Each has attention and an MLP, so that there are twice as many connections.
    heads
        Of the attention; ``width`` is a multiple of ``2 * heads``.
    mlp_width
        Channels inside the MLP; 0 stands for ``4 * width``.
    norm
        ``"rms"`` or ``"layer"``.
    streams
        n, of mhc, jpmhc and geo.
    d_v
        Columns of the state of ddl; 1 is the scalar case.
    compressor
        Of ddl, where ``d_v`` > 1: ``"channel"`` mixes the columns of each token; ``"token"``
        first convolves every channel with its last ``kernel`` tokens.
    kernel
        Tokens that a convolution of ddl sees, this one and earlier ones.
    embedding_convolution
        Whether ddl expands through a convolution of the same kind.
    direction
        Normalisation of k in ddl: ``"root"``, k/√(‖k‖² + d·direction_eps), the published
        RMSNorm(k)/√d; ``"max"``, k/max(‖k‖, √(d·direction_eps)), of length exactly 1 beyond.
    direction_eps
        ε_k > 0.
    beta_start
        The gate of ddl as made, in (0, 2). Default ½: at 0 it hardly moves, at 1 the operator is
        singular (delta.singular_iff), so that a stack would lose what it was given.
    rotation
        Of jpmhc: ``"fixed_point"``, ``rounds`` rounds of the published iteration with step
        ``alpha``; ``"exact"``, its limit.
    alpha, rounds
        Of the iteration; 0.1 and 2 as published.
    generators
        Of geo: ``"token"``; ``"sequence_mean"``, the published form, which is **not causal**.
    gamma_start
        The gate of geo as made, in (0, 1) but not ½, where the operator is singular. Default 63/64:
        nearly the rotation alone, which nearly is the identity.

    Raises
    ------
    ValueError
        If a value is none of these; the message names it.
    """

    system: str
    input_width: int
    output_width: int
    width: int = 128
    layers: int = 4
    heads: int = 4
    mlp_width: int = 0
    norm: str = "rms"
    streams: int = 4
    d_v: int = 1
    compressor: str = "channel"
    kernel: int = 4
    embedding_convolution: bool = False
    direction: str = "root"
    direction_eps: float = 1e-6
    beta_start: float = 0.5
    rotation: str = "fixed_point"
    alpha: float = 0.1
    rounds: int = 2
    generators: str = "token"
    gamma_start: float = 63 / 64

    def __post_init__(self) -> None:
        for name, allowed in (
            ("system", SYSTEMS),
            ("norm", NORMS),
            ("compressor", ("channel", "token")),
            ("direction", ("root", "max")),
            ("rotation", ("fixed_point", "exact")),
            ("generators", ("token", "sequence_mean")),
        ):
            if getattr(self, name) not in allowed:
                refuse(name, getattr(self, name), f"one of {', '.join(allowed)}")
        for name in ("input_width", "output_width", "width", "layers", "heads", "streams",
                     "d_v", "kernel"):  # fmt: skip
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                refuse(name, value, "an integer of at least 1")
        if not isinstance(self.mlp_width, int) or self.mlp_width < 0:
            refuse("mlp_width", self.mlp_width, "an integer of at least 0")
        if self.width % (2 * self.heads):
            refuse("width", self.width, f"a multiple of 2·heads = {2 * self.heads}")
        if not self.direction_eps > 0:
            refuse("direction_eps", self.direction_eps, "positive")
        if not 0 < self.beta_start < 2:
            refuse("beta_start", self.beta_start, "in the open interval (0, 2)")
        if not isinstance(self.rounds, int) or isinstance(self.rounds, bool) or self.rounds < 0:
            refuse("rounds", self.rounds, "an integer of at least 0")
        if not self.alpha > 0:
            refuse("alpha", self.alpha, "positive")
        if not 0 < self.gamma_start < 1 or self.gamma_start == 0.5:
            refuse("gamma_start", self.gamma_start, "in the open interval (0, 1) and not ½")
        if self.system == "geo" and self.streams < 2:
            refuse("streams", self.streams, "at least 2 for geo, which turns a plane of them")

    @property
    def hidden(self) -> int:
        """Channels inside the MLP."""
        return self.mlp_width or 4 * self.width


def refuse(name: str, value: object, wanted: str) -> None:
    """Raise ValueError for a value of a configuration."""
    raise ValueError(f"ModelConfig: {name} must be {wanted}; got {value!r}")


_PUBLISHED: dict[str, dict[str, object]] = {
    "gpt": {"layers": 9},
    # The source gives layers and width; MLPs of these widths bring the totals to the GPT's.
    "ddl": {"layers": 8, "mlp_width": 608},
    # JPmHC's published 512 channels are the state's: four streams of 128.
    "mhc": {"layers": 9, "mlp_width": 416},
    "jpmhc": {"layers": 7, "mlp_width": 632},
    "geo": {"layers": 6, "mlp_width": 808},
}
_SMALL: dict[str, dict[str, object]] = {name: {} for name in SYSTEMS}


def published(system: str, *, input_width: int = 64, output_width: int = 64) -> ModelConfig:
    """Return the configuration with the depth of the published comparison.

    Layers and width are those of the E∆-MHC-Geo paper (GPT 9, DDL 8, mHC 9, JPmHC 7, E∆ 6), about
    1.79 M parameters; what it leaves open is chosen here.

    Raises
    ------
    ValueError
        If there is no such system.
    """
    return _made(_PUBLISHED, system, input_width, output_width, {"width": 128, "heads": 4})


def small(system: str, *, input_width: int = 64, output_width: int = 64) -> ModelConfig:
    """Return a configuration of the same shape, two layers of width 32, to train on two cores."""
    sizes: dict[str, object] = {"width": 32, "heads": 2, "layers": 2}
    return _made(_SMALL, system, input_width, output_width, sizes)


def _made(
    table: dict[str, dict[str, object]],
    system: str,
    input_width: int,
    output_width: int,
    sizes: dict[str, object],
) -> ModelConfig:
    if system not in table:
        raise ValueError(f"no system {system!r}: it is one of {', '.join(SYSTEMS)}")
    fields: dict[str, object] = {**sizes, **table[system]}
    return ModelConfig(
        system=system,
        input_width=input_width,
        output_width=output_width,
        **fields,  # pyright: ignore[reportArgumentType]
    )
