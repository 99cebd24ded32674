"""The gate of the delta operator and the regulariser of the hybrid gate.

gate             == 2σ(z), in (0, 2)
gate_regulariser == 4γ(1 − γ), zero at 0 and 1 only
"""

import torch
from torch import Tensor

from .arguments import check_arguments


def gate(z: Tensor) -> Tensor:
    """Return 2σ(z) = 2/(1 + exp(−z)), elementwise.

    Parameters
    ----------
    z : (...)
        Logit, float64, float32, bfloat16 or float16.

    Returns
    -------
    Tensor
        Of the shape and dtype of ``z``, within `numeric.gate.gate_bound`. The exact range is
        the open interval (0, 2); rounded, the gate reaches its ends.

    Raises
    ------
    TypeError
        As `check_arguments`.

    Notes
    -----
    Claims delta.gate_range, delta.gate_gradient, rounding.gate_saturates. Source: Deep Delta
    Learning, the gate.
    """
    check_arguments("gate", z=(z, ""))
    return 2 * torch.sigmoid(z)


def gate_regulariser(gamma: Tensor) -> Tensor:
    """Return 4γ(1 − γ), elementwise.

    Parameters
    ----------
    gamma : (...)
        Hybrid gate, float64, float32, bfloat16 or float16; any real, meant for [0, 1].

    Returns
    -------
    Tensor
        Of the shape and dtype of ``gamma``, within `numeric.gate.gate_regulariser_bound`.

    Raises
    ------
    TypeError
        As `check_arguments`.

    Notes
    -----
    Claims gate.regulariser_profile, gate.zero_gradient_midpoint. Source: the geometric
    residual paper, Theorem 7.3.
    """
    check_arguments("gate_regulariser", gamma=(gamma, ""))
    return (4 * gamma) * (1 - gamma)
