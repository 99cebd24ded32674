"""The residual units of Identity Mappings: y = h(x) + F(x), x' = f(y), on images.

ResidualUnit  == one unit: an activation order, which gives F and f, and a shortcut h
ResidualStack == several of them, each like the first; `traced` gives every state and summand
Step          == what one unit did: x, h(x), F(x), y = h(x) + F(x), x' = f(y)
ORDERS        == the activation orders, Fig. 4 (a) to (e)
SHORTCUTS     == the shortcuts, Fig. 2, and none

Where f is the identity and h too, a stack unrolls into a sum (residual.unrolled). Everything else
has a formula of its own, or none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn

# weight layers, norms and activations of F, and of f, in order
_ORDERS: dict[str, tuple[str, str]] = {
    "original": ("weight norm relu weight norm", "relu"),
    "norm_after_addition": ("weight norm relu weight", "norm relu"),
    "relu_before_addition": ("weight norm relu weight norm relu", ""),
    "relu_only_pre_activation": ("relu weight norm relu weight norm", ""),
    "full_pre_activation": ("norm relu weight norm relu weight", ""),
}
ORDERS = tuple(_ORDERS)
"""(a) original, (b) BN after addition, (c) ReLU before addition, (d) ReLU-only pre-activation,
(e) full pre-activation."""
SHORTCUTS = (
    "identity",
    "scaling",
    "exclusive_gating",
    "shortcut_gating",
    "convolution",
    "dropout",
    "none",
)


class ResidualUnit(nn.Module):
    """x' = f(h(x) + F(x)), F of two convolutions.

    Parameters
    ----------
    width
        c, channels.
    order
        One of `ORDERS`; norms are BatchNorm, over batch and image.
    shortcut
        h and, where a gate says so, a factor on F:

        - ``"identity"``: x;
        - ``"scaling"``: λx, λ the ``scale``;
        - ``"exclusive_gating"``: (1 − g)x, and gF(x) for F(x), g = σ(W_g x + b_g);
        - ``"shortcut_gating"``: (1 − g)x alone;
        - ``"convolution"``: Wx, a 1×1 convolution;
        - ``"dropout"``: x with entries set to 0, a share 1 − λ of them, in training, and λx
          otherwise: the scale λ in the mean, as the paper has it;
        - ``"none"``: 0, a plain unit.
    kernel
        Odd side of the two convolutions.
    scale
        λ.
    gate_bias
        b_g as made.

    Convolutions start with normal weights of variance 2/fan-in, and without biases.

    Raises
    ------
    ValueError
        If an option has no such value.

    Notes
    -----
    Claims residual.unrolled, residual.gradient, residual.scaled_unrolled,
    residual.scaled_gradient, residual.linear_shortcut, residual.post_activation_defect,
    residual.relu_before_addition_monotone, residual.post_norm_is_identity_reading,
    residual.asymmetric_is_preactivation, residual.plain_gradient. Source: Identity Mappings in
    Deep Residual Networks, Fig. 2 and Fig. 4.
    """

    def __init__(
        self,
        width: int,
        *,
        order: str = "full_pre_activation",
        shortcut: str = "identity",
        kernel: int = 3,
        scale: float = 0.5,
        gate_bias: float = -6.0,
    ):
        super().__init__()
        for name, value, allowed in (
            ("order", order, ORDERS),
            ("shortcut", shortcut, SHORTCUTS),
        ):
            if value not in allowed:
                raise ValueError(
                    f"ResidualUnit: {name} must be one of {', '.join(allowed)}; got {value!r}"
                )
        if kernel < 1 or kernel % 2 == 0:
            raise ValueError(f"ResidualUnit: kernel must be odd and positive; got {kernel!r}")
        if shortcut == "dropout" and not 0 <= scale <= 1:
            raise ValueError(f"ResidualUnit: scale must be in [0, 1] for dropout; got {scale!r}")
        self.shortcut, self.scale, self.gate_bias = shortcut, scale, gate_bias
        parts = {
            "weight": lambda: nn.Conv2d(width, width, kernel, padding=kernel // 2, bias=False),
            "norm": lambda: nn.BatchNorm2d(width),
            "relu": lambda: nn.ReLU(),
        }
        self.residual, self.after = (_sequence(names, parts) for names in _ORDERS[order])
        gated, linear = shortcut.endswith("_gating"), shortcut == "convolution"
        self.gate = nn.Conv2d(width, width, 1) if gated else None
        self.linear = nn.Conv2d(width, width, 1, bias=False) if linear else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Make the documented start again."""
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
        if self.gate is not None:
            nn.init.constant_(_bias(self.gate), self.gate_bias)

    def summands(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return h(x) and F(x), (b, c, height, width) both, with F's factor where it has one."""
        residual = self.residual(x)
        if self.gate is not None:
            g = torch.sigmoid(self.gate(x))
            return (1 - g) * x, g * residual if self.shortcut == "exclusive_gating" else residual
        if self.linear is not None:
            return self.linear(x), residual
        if self.shortcut == "none":
            return torch.zeros_like(x), residual
        if self.shortcut == "dropout" and self.training:
            return x * torch.full_like(x, self.scale).bernoulli(), residual
        return (x if self.shortcut == "identity" else self.scale * x), residual

    def forward(self, x: Tensor) -> Tensor:
        """Return x', (b, c, height, width)."""
        return self.step(x).after

    def step(self, x: Tensor) -> Step:
        """Return x' with everything on the way."""
        carried, residual = self.summands(x)
        added = carried + residual
        return Step(x, carried, residual, added, self.after(added))


class Step(NamedTuple):
    """One unit at work, each (b, c, height, width)."""

    before: Tensor
    """x"""
    carried: Tensor
    """h(x)"""
    residual: Tensor
    """F(x)"""
    added: Tensor
    """y = h(x) + F(x)"""
    after: Tensor
    """x' = f(y)"""


class ResidualStack(nn.Module):
    """Units one after the other, with weights of their own.

    Parameters
    ----------
    depth
        How many.
    width, **options
        As `ResidualUnit`.
    """

    def __init__(self, depth: int, width: int, **options: object):
        super().__init__()
        self.units = nn.ModuleList(
            ResidualUnit(width, **options)  # pyright: ignore[reportArgumentType]
            for _ in range(depth)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return the last state, (b, c, height, width)."""
        for unit in self.units:
            x = unit(x)
        return x

    def traced(self, x: Tensor) -> list[Step]:
        """Return what every unit did, all of it in one graph."""
        steps = []
        for unit in self.units:
            steps.append(unit.step(x))  # pyright: ignore[reportCallIssue]
            x = steps[-1].after
        return steps


def _sequence(names: str, parts: dict[str, Callable[[], nn.Module]]) -> nn.Sequential:
    return nn.Sequential(*(parts[name]() for name in names.split()))


def _bias(convolution: nn.Conv2d) -> Tensor:
    assert convolution.bias is not None
    return convolution.bias
