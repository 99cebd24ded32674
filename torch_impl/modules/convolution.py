"""A short causal convolution, channel by channel.

CausalConvolution == y_t = Σ_j w_j x_(t−j), j = 0, …, kernel − 1, and x before the start is 0
"""

from __future__ import annotations

from torch import Tensor, empty, nn
from torch.nn import functional


class CausalConvolution(nn.Module):
    """A depthwise convolution over this token and earlier ones; as made, the identity.

    Parameters
    ----------
    channels
        c, each with weights of its own.
    kernel
        Tokens that it sees.
    """

    def __init__(self, channels: int, kernel: int):
        super().__init__()
        self.weight = nn.Parameter(empty(channels, 1, kernel))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Make it the identity: weight 1 for this token, 0 for earlier ones."""
        nn.init.zeros_(self.weight)
        nn.init.ones_(self.weight[..., -1])

    def forward(self, x: Tensor) -> Tensor:
        """Return (b, t, c) of (b, t, c)."""
        channels, _, kernel = self.weight.shape
        padded = functional.pad(x.mT, (kernel - 1, 0))
        return functional.conv1d(padded, self.weight, groups=channels).mT
