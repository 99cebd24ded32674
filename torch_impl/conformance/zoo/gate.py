"""Operators for gate and gate_regulariser."""

from __future__ import annotations

import torch
from torch import Tensor

from .entry import CALLS, Family, Parameter
from .spelled import FINE

family = Family()
wrong, right = family.wrong, family.right


# ---------------------------------------------------------------- gate


@wrong(
    "gate",
    fails=("definition",),
    passes=(*CALLS, "delta.gate_range"),
    diagnosis="the factor 2 is missing",
)
def factor_two_missing(z: Tensor) -> Tensor:
    """The factor 2 is missing: σ(z)."""
    return torch.sigmoid(z)


@wrong(
    "gate",
    fails=("definition", "delta.gate_range"),
    passes=CALLS,
    diagnosis="agrees with {parameter} in the place of the factor 2",
    parameter=Parameter("factor", 0.25, 8.0, "log"),
)
def factor_two_doubled(z: Tensor, *, parameter: float = 4.0) -> Tensor:
    """The gate goes up to 4."""
    return parameter * torch.sigmoid(z)


@wrong(
    "gate",
    fails=("definition",),
    passes=(*CALLS, "delta.gate_range"),
    diagnosis="agrees with the logit's sign reversed",
)
def logit_negated(z: Tensor) -> Tensor:
    """The logit has the wrong sign."""
    return 2 * torch.sigmoid(-z)


@wrong(
    "gate",
    fails=("definition",),
    passes=(*CALLS, "delta.gate_range"),
    diagnosis="agrees with the logit times {parameter}",
    parameter=Parameter("factor", 0.125, 8.0, "log"),
)
def logit_scaled(z: Tensor, *, parameter: float = 2.0) -> Tensor:
    """It is 2σ(2z), as in 1 + tanh(z)."""
    return 2 * torch.sigmoid(parameter * z)


@wrong(
    "gate",
    fails=("definition",),
    passes=(*CALLS, "delta.gate_range"),
    diagnosis="agrees with the logit shifted by {parameter}",
    parameter=Parameter("shift", -6.0, 6.0, "linear"),
)
def logit_shifted(z: Tensor, *, parameter: float = 2.0) -> Tensor:
    """A bias of the logit comes in a second time."""
    return 2 * torch.sigmoid(z + parameter)


@wrong(
    "gate",
    fails=("definition",),
    passes=(*CALLS, "delta.gate_range"),
)
def through_tanh(z: Tensor) -> Tensor:
    """It is 1 + tanh(z/2): equal, but the sum cancels for negative logits."""
    return 1 + torch.tanh(z / 2)


@wrong(
    "gate",
    fails=("definition",),
    passes=(*CALLS, "delta.gate_range"),
    diagnosis="agrees with the logit clamped to ±{parameter}",
    parameter=Parameter("bound", 0.5, 16.0, "log"),
)
def logit_clamped(z: Tensor, *, parameter: float = 6.0) -> Tensor:
    """The logit is clamped: saturation is out of reach."""
    return 2 * torch.sigmoid(z.clamp(-parameter, parameter))


@wrong(
    "gate",
    fails=("definition",),
    passes=(*CALLS, "delta.gate_range"),
    diagnosis="agrees with a hard sigmoid",
)
def hard_sigmoid(z: Tensor) -> Tensor:
    """Straight lines in the place of the sigmoid."""
    return 2 * (z / 6 + 0.5).clamp(0, 1)


@wrong(
    "gate",
    fails=("finite",),
    passes=("returns", "shape", "inputs_unchanged"),
    dtypes=("float16",),
)
def quotient_of_exponentials(z: Tensor) -> Tensor:
    """It is 2 exp(z)/(1 + exp(z)), which overflows for large logits."""
    return 2 * z.exp() / (1 + z.exp())


@wrong(
    "gate",
    fails=("gradient",),
    passes=(*CALLS, "definition", "delta.gate_range"),
    dtypes=FINE,
    diagnosis="the gradient agrees with the logit clamped",
)
def gradient_clamped(z: Tensor) -> Tensor:
    """Saturated logits have no gradient: the value is right."""
    beta = 2 * torch.sigmoid(z)
    return torch.where(z.abs() <= 4, beta, beta.detach())


@wrong(
    "gate",
    fails=("gradient",),
    passes=(*CALLS, "definition", "delta.gate_range"),
    dtypes=FINE,
)
def gradient_lost_at_zero(z: Tensor) -> Tensor:
    """Spelled with |z|, which has no gradient at the logit 0."""
    small = torch.exp(-z.abs())
    return torch.where(z >= 0, 2 / (1 + small), 2 * small / (1 + small))


@wrong(
    "gate",
    fails=("gradient",),
    passes=(*CALLS, "definition", "delta.gate_range"),
    dtypes=FINE,
    diagnosis="the gradient agrees with a straight-through gate",
)
def straight_through(z: Tensor) -> Tensor:
    """The gradient is passed on as if the gate were its logit."""
    return 2 * torch.sigmoid(z).detach() + (z - z.detach())


@wrong(
    "gate",
    fails=("batch_independence", "two_batch_axes"),
    passes=("definition", "determinism", "delta.gate_range"),
)
def centred_over_the_batch(z: Tensor) -> Tensor:
    """The logits of a batch are centred."""
    return 2 * torch.sigmoid(z - z.mean() if z.ndim and z.numel() else z)


# ---------------------------------------------------------------- gate_regulariser


@wrong(
    "gate_regulariser",
    fails=("definition", "gate.bernoulli_variance"),
    passes=(*CALLS, "gate.regulariser_profile"),
    diagnosis="agrees with {parameter} in the place of the factor 4",
    parameter=Parameter("factor", 0.25, 16.0, "log"),
)
def factor_four_missing(gamma: Tensor, *, parameter: float = 1.0) -> Tensor:
    """The factor 4 is missing."""
    return parameter * gamma * (1 - gamma)


@wrong(
    "gate_regulariser",
    fails=("definition", "gate.bernoulli_variance"),
    passes=(*CALLS, "gate.regulariser_profile"),
    diagnosis="agrees with the sign reversed",
)
def sign_reversed(gamma: Tensor) -> Tensor:
    """The sign: what is to be paid is earned."""
    return -4 * gamma * (1 - gamma)


@wrong(
    "gate_regulariser",
    fails=("definition",),
    passes=(*CALLS, "gate.regulariser_profile"),
    diagnosis="agrees with the regulariser to the power {parameter}",
    parameter=Parameter("power", 0.25, 8.0, "log"),
)
def raised_to_a_power(gamma: Tensor, *, parameter: float = 2.0) -> Tensor:
    """It is squared."""
    return (4 * gamma * (1 - gamma)) ** parameter


@wrong(
    "gate_regulariser",
    fails=("definition", "gate.regulariser_profile", "gate.bernoulli_variance"),
    passes=CALLS,
    diagnosis="agrees with the complement (2γ − 1)²",
)
def complement(gamma: Tensor) -> Tensor:
    """It is (2γ − 1)², the complement."""
    return (2 * gamma - 1) ** 2


@wrong(
    "gate_regulariser",
    fails=("definition",),
    passes=(*CALLS, "gate.regulariser_profile"),
)
def one_minus_a_square(gamma: Tensor) -> Tensor:
    """It is 1 − (2γ − 1)²: equal, but the difference cancels near 0."""
    return 1 - (2 * gamma - 1) ** 2


@wrong(
    "gate_regulariser",
    fails=("definition", "gate.regulariser_profile"),
    passes=CALLS,
    diagnosis="agrees with a regulariser centred at {parameter}",
    parameter=Parameter("centre", 0.0, 1.0, "linear"),
)
def off_centre(gamma: Tensor, *, parameter: float = 0.4375) -> Tensor:
    """It is largest beside ½, and not 0 at both ends."""
    return 1 - 4 * (gamma - parameter) ** 2


@wrong(
    "gate_regulariser",
    fails=("definition", "gate.bernoulli_variance"),
    passes=(*CALLS, "gate.regulariser_profile"),
    diagnosis="agrees with the tent 2 min(γ, 1 − γ)",
)
def tent(gamma: Tensor) -> Tensor:
    """It is 2 min(γ, 1 − γ), with a kink at ½."""
    return 2 * torch.minimum(gamma, 1 - gamma)


@wrong(
    "gate_regulariser",
    fails=("finite",),
    passes=("returns", "shape", "result_type", "inputs_unchanged"),
)
def entropy(gamma: Tensor) -> Tensor:
    """It is the entropy in bits, which is 0·∞ at the ends."""
    other = 1 - gamma
    return -(gamma * gamma.log2() + other * other.log2())


@wrong("gate_regulariser", fails=("gradient",), passes=(*CALLS, "definition"))
def without_gradient(gamma: Tensor) -> Tensor:
    """It is computed without a gradient."""
    with torch.no_grad():
        return 4 * gamma * (1 - gamma)


@wrong(
    "gate_regulariser",
    fails=("gradient",),
    passes=(*CALLS, "definition"),
    dtypes=FINE,
    diagnosis="the gradient agrees with one factor detached",
)
def one_factor_detached(gamma: Tensor) -> Tensor:
    """One factor counts as a constant: a gradient at ½."""
    return 4 * gamma * (1 - gamma.detach())


@wrong(
    "gate_regulariser",
    fails=("batch_independence",),
    passes=("definition", "determinism", "gate.regulariser_profile"),
)
def averaged(gamma: Tensor) -> Tensor:
    """It is averaged over the batch."""
    loss = 4 * gamma * (1 - gamma)
    return loss.mean() + 0 * loss if loss.numel() else loss


# ---------------------------------------------------------------- spelled otherwise


@right("gate", dtypes=("float64", "float32", "bfloat16"))
def quotient(z: Tensor) -> Tensor:
    """It is 2/(1 + exp(−z)); in float16 its gradient is no number once exp(−z) overflows."""
    return 2 / (1 + torch.exp(-z))


@right("gate")
def by_the_sign(z: Tensor) -> Tensor:
    """A quotient of small exponentials, by the sign of z."""
    below = torch.exp(z.clamp(max=0))
    return torch.where(z >= 0, 2 / (1 + torch.exp(-z.clamp(min=0))), 2 * below / (1 + below))


@right("gate_regulariser")
def expanded(gamma: Tensor) -> Tensor:
    """It is 4γ − 4γ²."""
    return 4 * gamma - 4 * gamma * gamma


@right("gate_regulariser")
def product_of_doubles(gamma: Tensor) -> Tensor:
    """It is 2γ · 2(1 − γ)."""
    return (gamma + gamma) * (2 * (1 - gamma))


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
