"""Modules for residual_block: a delta update of each token, a hybrid, and what goes wrong in them.

DeltaBlock, Hybrid == right ones, which the wrong ones are made from
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from ...cayley import cayley_rank_two
from ...delta import delta_operator, delta_update
from ...direction import direction
from ...gate import gate
from .entry import Family, Parameter
from .spelled import FINE

family = Family()
wrong, right = family.wrong, family.right

BLOCK = "residual_block"
HELD = ("beta=0", "beta=1", "beta=2")
STEPLESS = ("shape", "result_type", "finite", "inputs_unchanged")
"""What is left of the form of results where no step of an optimiser can be made."""
FORM = ("returns", *STEPLESS)


# ---------------------------------------------------------------- right ones


@right(BLOCK, force=HELD)
class DeltaBlock(nn.Module):
    """A delta update of each token, which is a state of some rows."""

    def __init__(self, dim: int = 8, rows: int = 4, start: float | None = None):
        super().__init__()
        self.rows = rows
        self.key, self.value = nn.Linear(dim, rows), nn.Linear(dim, dim // rows)
        self.logit = nn.Linear(dim, 1)
        self.held: float | None = None
        if start is not None:
            nn.init.zeros_(self.logit.weight)
            nn.init.constant_(self.logit.bias, torch.logit(torch.tensor(start / 2)).item())

    def force(self, **values: float) -> None:
        """Hold the gate."""
        self.held = values["beta"]

    def beta(self, x: Tensor) -> Tensor:
        """The gate of each token."""
        z = self.logit(x).squeeze(-1)
        return gate(z) if self.held is None else z * 0 + self.held

    def unit(self, x: Tensor) -> Tensor:
        """The direction of each token."""
        return direction(self.key(x))

    def operator(self, x: Tensor) -> Tensor:
        """What acts on the state."""
        return delta_operator(self.unit(x), self.beta(x))

    def forward(self, x: Tensor) -> Tensor:
        X = x.unflatten(-1, (self.rows, -1))
        return delta_update(X, self.unit(x), self.value(x), self.beta(x)).flatten(-2)


@right(BLOCK, starts="beta=0.5")
def small_start() -> DeltaBlock:
    """A function in the place of a class; the gate starts at ½."""
    return DeltaBlock(start=0.5)


@right(BLOCK, force=("gamma=0", "gamma=1/2", "gamma=1", "gamma=1,beta=0"))
class Hybrid(DeltaBlock):
    """A blend of a rotation and a reflection, by one logit."""

    def __init__(self, dim: int = 8, rows: int = 4):
        super().__init__(dim, rows)
        self.u, self.v = nn.Linear(dim, rows), nn.Linear(dim, rows)
        self.gates: dict[str, float] = {}

    def force(self, **values: float) -> None:
        self.gates = values

    def operator(self, x: Tensor) -> Tensor:
        z = self.logit(x).squeeze(-1)
        beta, share = gate(z), torch.sigmoid(z)
        beta = beta * 0 + self.gates["beta"] if "beta" in self.gates else beta
        share = share * 0 + self.gates["gamma"] if "gamma" in self.gates else share
        Q = cayley_rank_two(self.u(x), self.v(x), beta)
        H = delta_operator(self.unit(x), share * 0 + 2)
        share = share[..., None, None]
        return share * Q + (1 - share) * H

    def forward(self, x: Tensor) -> Tensor:
        return (self.operator(x) @ x.unflatten(-1, (self.rows, -1))).flatten(-2)


@right(BLOCK, force=HELD)
class OperatorBlock(DeltaBlock):
    """The operator of each token is formed, in a loop over tokens."""

    def forward(self, x: Tensor) -> Tensor:
        read = []
        for t in range(x.shape[1]):
            token = x[:, t : t + 1]
            k, beta = self.unit(token), self.beta(token)[..., None, None]
            written = beta * k.unsqueeze(-1) * self.value(token).unsqueeze(-2)
            A = torch.eye(self.rows).to(x) - beta * k.unsqueeze(-1) * k.unsqueeze(-2)
            read.append((A @ token.unflatten(-1, (self.rows, -1)) + written).flatten(-2))
        return torch.cat(read, 1)


# ---------------------------------------------------------------- over the sequence


@wrong(
    BLOCK,
    fails=("causality", "prefix_consistency", "padding_independence"),
    passes=(*FORM, "batch_independence", "state_dict", "optimiser_step"),
    dtypes=FINE,
    diagnosis="the generators see the whole sequence",
)
class Pooled(DeltaBlock):
    """Its gate is that of the mean over the sequence."""

    def beta(self, x: Tensor) -> Tensor:
        pooled = gate(self.logit(x.mean(dim=1, keepdim=True)).squeeze(-1))
        return pooled.expand(x.shape[:2])


@wrong(
    BLOCK,
    fails=("causality", "padding_independence"),
    passes=(*FORM, "batch_independence", "state_dict"),
    diagnosis="the generators see the whole sequence",
)
class LargestOfSequence(DeltaBlock):
    """Its direction is that of the largest entries over the sequence."""

    def unit(self, x: Tensor) -> Tensor:
        pooled = x.amax(dim=1, keepdim=True)
        return direction(self.key(pooled.expand_as(x)))


@wrong(
    BLOCK,
    fails=("causality",),
    passes=(*FORM, "batch_independence", "state_dict"),
    dtypes=FINE,
    diagnosis="a token sees 1 token ahead",
)
class LooksAhead(DeltaBlock):
    """One token ahead comes in, softly."""

    def forward(self, x: Tensor) -> Tensor:
        ahead = torch.cat([x[:, 1:], 0 * x[:, :1]], dim=1)
        return super().forward(x) + ahead * 2.0**-12


@wrong(
    BLOCK,
    fails=("causality", "prefix_consistency"),
    passes=(*FORM, "batch_independence", "state_dict"),
    diagnosis="a token sees 1 token ahead",
)
class GateOfNextToken(DeltaBlock):
    """Each token has the gate of the next one."""

    def beta(self, x: Tensor) -> Tensor:
        own = super().beta(x)
        return torch.cat([own[:, 1:], own[:, -1:]], dim=1)


@wrong(
    BLOCK,
    fails=("prefix_consistency", "padding_independence", "split_invariance"),
    passes=(*FORM, "batch_independence", "causality", "state_dict"),
    diagnosis="the output depends on the length of the sequence",
)
class ScaledByLength(DeltaBlock):
    """Its gate is divided by the number of tokens."""

    def beta(self, x: Tensor) -> Tensor:
        return super().beta(x) / x.shape[1] ** 0.5


@wrong(
    BLOCK,
    fails=("padding_independence",),
    passes=(*FORM, "batch_independence", "prefix_consistency", "state_dict"),
)
class MovedByPadding(DeltaBlock):
    """It takes zeros for padding, and moves what comes before them."""

    def forward(self, x: Tensor) -> Tensor:
        zeros = (x == 0).all(-1, keepdim=True).any(dim=1, keepdim=True)
        return super().forward(x) + zeros.to(x.dtype)


@wrong(
    BLOCK,
    fails=("causality", "batch_independence"),
    passes=("returns", "shape", "finite", "inputs_unchanged"),
    diagnosis="items and tokens of the batch are pooled",
)
class BatchNormed(DeltaBlock):
    """A batch normalisation mixes items and tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(8)

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(self.norm(x.mT).mT if x.shape[0] * x.shape[1] > 1 else x)


@wrong(
    BLOCK,
    fails=("batch_independence",),
    passes=(*FORM, "causality", "prefix_consistency", "state_dict"),
    diagnosis="the items of the batch are pooled",
)
class GateOfBatch(DeltaBlock):
    """Its gate is the mean over the batch."""

    def beta(self, x: Tensor) -> Tensor:
        own = super().beta(x)
        return own.mean(dim=0, keepdim=True).expand_as(own)


# ---------------------------------------------------------------- state and initialisation


@wrong(BLOCK, fails=("state_dict",), passes=(*FORM, "causality", "batch_independence"))
class Unsaved(DeltaBlock):
    """A random direction that its state does not hold."""

    def __init__(self) -> None:
        super().__init__()
        self.mixed = torch.randn(8).tolist()

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) + x.new_tensor(self.mixed) * x


@wrong(BLOCK, fails=("state_dict",), passes=(*FORM, "causality", "batch_independence"))
class NotPersistent(DeltaBlock):
    """A random direction in a buffer that is not saved."""

    mixed: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mixed", torch.randn(8), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) + self.mixed * x


@wrong(
    BLOCK,
    fails=("initialisation",),
    passes=(*FORM, "causality", "state_dict"),
    starts="beta=0.5",
    dtypes=FINE,
)
class Overwritten(DeltaBlock):
    """The start of its gate is lost to a general initialisation that comes later."""

    def __init__(self) -> None:
        super().__init__(start=0.5)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight)
                nn.init.zeros_(module.bias)


@wrong(
    BLOCK,
    fails=("initialisation",),
    passes=(*FORM, "causality", "state_dict"),
    diagnosis="the gate as made is {parameter}",
    parameter=Parameter("start", 0.05, 1.95, "linear"),
    starts="beta=0.5",
    dtypes=FINE,
)
class StartsElsewhere(DeltaBlock):
    """Its gate starts at 1 where ½ was promised: σ and 2σ taken for one another."""

    def __init__(self, parameter: float = 1.0) -> None:
        super().__init__(start=parameter)


@wrong(
    BLOCK,
    fails=("optimiser_step",),
    passes=(*STEPLESS, "causality", "batch_independence"),
)
class DeadStart(DeltaBlock):
    """Its direction starts at 0 and has no gradient there: it never learns."""

    def __init__(self) -> None:
        super().__init__()
        nn.init.zeros_(self.key.weight)
        nn.init.zeros_(self.key.bias)

    def unit(self, x: Tensor) -> Tensor:
        k = self.key(x)
        square = (k * k).sum(-1, keepdim=True)
        return torch.where(square > 0, k * torch.where(square > 0, square, 1.0).rsqrt(), 0.0)


# ---------------------------------------------------------------- held gates and operators


@wrong(
    BLOCK,
    fails=("delta.identity",),
    passes=(*FORM, "causality", "batch_independence", "state_dict"),
    force=("beta=0",),
    dtypes=FINE,
    diagnosis="the gate held at 0 acts as 0.016",
)
class Writes(DeltaBlock):
    """At the gate 0 it still writes."""

    def beta(self, x: Tensor) -> Tensor:
        return super().beta(x) + 2.0**-6


@wrong(
    BLOCK,
    fails=("delta.identity",),
    passes=(*FORM, "causality", "batch_independence", "state_dict"),
    diagnosis="at the gate 0 the input comes through, times 0.5",
    force=("beta=0",),
)
class Shrinks(DeltaBlock):
    """Where the gate is 0, which is a mask, it shrinks its input."""

    def forward(self, x: Tensor) -> Tensor:
        masked = (self.beta(x) == 0).unsqueeze(-1)
        return torch.where(masked, x / 2, super().forward(x))


@wrong(
    BLOCK,
    fails=("delta.projection", "delta.reflection"),
    passes=(*FORM, "causality", "batch_independence", "delta.non_expansive_iff"),
    force=("beta=1", "beta=2"),
    dtypes=FINE,
    diagnosis="the direction has not the length 1",
)
class NoUnit(DeltaBlock):
    """Its direction is normalised with a large ε under the root."""

    def unit(self, x: Tensor) -> Tensor:
        return direction(self.key(x), normalise="root", eps=1.0)


@wrong(BLOCK, fails=("delta.non_expansive_iff",), passes=(*FORM, "causality"), dtypes=FINE)
class Doubled(DeltaBlock):
    """Its gate goes up to 4."""

    def beta(self, x: Tensor) -> Tensor:
        return 2 * super().beta(x)


@wrong(
    BLOCK,
    fails=("delta.reflection",),
    passes=(*FORM, "causality", "delta.projection"),
    force=("beta=1", "beta=2"),
    diagnosis="the gate held at 2 acts as 1",
)
class NeverReflects(DeltaBlock):
    """Its gate is clamped to 1."""

    def beta(self, x: Tensor) -> Tensor:
        return super().beta(x).clamp(max=1)


@wrong(
    BLOCK,
    fails=("hybrid.endpoints_orthogonal", "hybrid.reduces_to_residual"),
    passes=(*FORM, "causality", "batch_independence"),
    force=("gamma=0", "gamma=1,beta=0"),
    diagnosis="the operator is 0.75 times an orthogonal one",
)
class Midway(Hybrid):
    """The shares of its blend do not sum to 1."""

    def operator(self, x: Tensor) -> Tensor:
        return super().operator(x) * 0.75


@wrong(
    BLOCK,
    fails=("hybrid.midpoint_singular",),
    passes=(*FORM, "causality", "batch_independence"),
    force=("gamma=1/2",),
    dtypes=FINE,
)
class Softened(Hybrid):
    """It blends beside the identity: nowhere singular."""

    def operator(self, x: Tensor) -> Tensor:
        return super().operator(x) + torch.eye(self.rows).to(x) / 4


# ---------------------------------------------------------------- form, gradients, noise


@wrong(BLOCK, fails=("result_type",), passes=("returns", "shape"), dtypes=("bfloat16",))
class Casts(DeltaBlock):
    """Its result is float32."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x).float()


@wrong(BLOCK, fails=("inputs_unchanged",), passes=("shape", "result_type", "finite"))
class InPlace(DeltaBlock):
    """It writes to its input."""

    def forward(self, x: Tensor) -> Tensor:
        result = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return result


@wrong(BLOCK, fails=("determinism",), passes=FORM)
class DropsOut(DeltaBlock):
    """It drops out half of its output."""

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.dropout(super().forward(x), 0.5, self.training)


@wrong(BLOCK, fails=("gradient",), passes=(*FORM, "causality", "determinism"))
class Detached(DeltaBlock):
    """It detaches its input."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x.detach()) * 1.0


@wrong(BLOCK, fails=("optimiser_step",), passes=(*STEPLESS, "causality", "gradient"))
class Frozen(DeltaBlock):
    """Its change of the input is computed without a gradient: a step changes nothing."""

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            change = super().forward(x) - x
        return x + change


@wrong(BLOCK, fails=("finite",), passes=("shape", "inputs_unchanged"))
class NotFinite(DeltaBlock):
    """It divides by the number of earlier tokens, which may be 0."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) / (x.shape[1] - 1)


@wrong(BLOCK, fails=("shape",), passes=("inputs_unchanged", "determinism"))
class Reshapes(DeltaBlock):
    """Its result is transposed."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x).mT


@wrong(BLOCK, fails=("returns",), passes=())
def no_module() -> object:
    """A function that is no module comes out of the factory."""
    return lambda x: x


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
