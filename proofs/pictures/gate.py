"""The gradient of the gate's regulariser 4γ(1 − γ), in γ and in the logit."""

import math
from typing import Any

import torch

from ...torch_impl.gate import gate_regulariser
from . import axis, mark, series


def gradients() -> dict[str, Any]:
    """d/dγ and d/dz of the regulariser by autograd in float64, γ = σ(z), against γ."""
    gammas = [i / 24 for i in range(1, 24)]
    gamma = torch.tensor(gammas, dtype=torch.float64, requires_grad=True)
    (in_gamma,) = torch.autograd.grad(gate_regulariser(gamma).sum(), gamma)
    z = torch.logit(gamma.detach()).requires_grad_()
    (in_logit,) = torch.autograd.grad(gate_regulariser(torch.sigmoid(z)).sum(), z)
    fine = [i / 96 for i in range(97)]
    curve = [4 * (1 - 2 * g) * g * (1 - g) for g in fine]
    extreme = (3 - math.sqrt(3)) / 6
    return {
        "title": "The regulariser's gradient, in γ and in the logit",
        "caption": "Both gradients vanish at γ = ½. In γ the gradient is largest at the ends; in"
        " the logit it vanishes there too, and is largest, 2√3/9, at γ = (3 ± √3)/6.",
        "x": axis("γ = σ(z)"),
        "y": axis("gradient"),
        "series": [
            series("in γ: 4(1 − 2γ)", "derived", 0, (0, 1), (4, -4)),
            series("in the logit: 4(1 − 2γ)γ(1 − γ)", "derived", 1, fine, curve),
            series("autograd in γ, float64", "measured", 0, gammas, in_gamma.tolist()),
            series("autograd in z, float64", "measured", 1, gammas, in_logit.tolist()),
        ],
        "marks": [
            mark(extreme, 0, "(3 − √3)/6", "line"),
            mark(1 - extreme, 0, "(3 + √3)/6", "line"),
        ],
    }
