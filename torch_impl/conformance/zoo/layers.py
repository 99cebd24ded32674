"""Modules for sequence_layer: a delta rule, linear attention in chunks, and what goes wrong.

DeltaLayer, Chunked == right ones, which the wrong ones are made from
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from ...delta import delta_operator
from ...delta_rule import delta_rule
from ...direction import direction
from ...gate import gate
from .entry import Family
from .spelled import FINE, HALF

family = Family()
wrong, right = family.wrong, family.right

LAYER = "sequence_layer"
FORM = ("returns", "shape", "result_type", "finite", "inputs_unchanged")


# ---------------------------------------------------------------- right ones


@right(LAYER, force=("beta=0", "beta=1"))
class DeltaLayer(nn.Module):
    """A delta rule over the sequence, with two heads."""

    def __init__(self, dim: int = 8, heads: int = 2):
        super().__init__()
        self.heads = heads
        self.held: float | None = None
        self.query, self.key, self.value = (nn.Linear(dim, dim) for _ in range(3))
        self.logit = nn.Linear(dim, heads)

    def force(self, **values: float) -> None:
        """Hold the gate."""
        self.held = values["beta"]

    def projected(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """q, k, v of (b, t, h, d), and the gate."""
        q, k, v = (f(x).unflatten(-1, (self.heads, -1)) for f in (self.query, self.key, self.value))
        z = self.logit(x)
        beta = gate(z) if self.held is None else z * 0 + self.held
        return q, direction(k), v, beta

    def start(self, q: Tensor, v: Tensor) -> Tensor:
        """An empty state."""
        b, _, h, d = q.shape
        return q.new_zeros(b, h, d, v.shape[-1])

    def operator(self, x: Tensor) -> Tensor:
        """What acts on the state of the first head."""
        _, k, _, beta = self.projected(x)
        return delta_operator(k[:, :, 0], beta[:, :, 0])

    def forward(self, x: Tensor) -> Tensor:
        q, k, v, beta = self.projected(x)
        return delta_rule(q, k, v, beta, self.start(q, v))[0].flatten(-2)


@right(LAYER)
class Chunked(nn.Module):
    """Linear attention with decay, a chunk at once: rounded in another way for every length."""

    def __init__(self, dim: int = 8, chunk: int = 16):
        super().__init__()
        self.chunk = chunk
        self.query, self.key, self.value = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.decay = nn.Parameter(torch.tensor(2.0))

    def pieces(self, x: Tensor) -> list[Tensor]:
        """The chunks."""
        return list(x.split(self.chunk, dim=1))

    def weights(self, apart: Tensor, a: Tensor) -> Tensor:
        """How much a token sees of one so many tokens earlier."""
        return a ** apart.clamp(min=0) * (apart >= 0)

    def forward(self, x: Tensor) -> Tensor:
        a = torch.sigmoid(self.decay)
        state, read = x.new_zeros(x.shape[0], x.shape[2], x.shape[2]), []
        for piece in self.pieces(x):
            q, k, v = self.query(piece), self.key(piece), self.value(piece)
            t = torch.arange(piece.shape[1], device=x.device).to(x.dtype)
            weights = (q @ k.mT) * self.weights(t[:, None] - t[None], a)
            carried = a ** (t + 1)[:, None]
            read.append(weights @ v + carried * (q @ state))
            left = a ** (len(t) - 1 - t)[:, None]
            state = a ** len(t) * state + (left * k).mT @ v
        return torch.cat(read, dim=1)


@right(LAYER)
def short_chunks() -> Chunked:
    """Linear attention in chunks of four."""
    return Chunked(chunk=4)


# ---------------------------------------------------------------- wrong ones


@wrong(
    LAYER,
    fails=("split_invariance",),
    passes=(*FORM, "batch_independence", "state_dict"),
    diagnosis="lengths with one token less than a full chunk are wrong",
)
class WrongTail(Chunked):
    """The last chunk is read backwards where it lacks one token."""

    def pieces(self, x: Tensor) -> list[Tensor]:
        found = super().pieces(x)
        if found[-1].shape[1] == self.chunk - 1 and len(found) > 1:
            found[-1] = found[-1].flip(1)
        return found


@wrong(
    LAYER,
    fails=("split_invariance",),
    passes=(*FORM, "batch_independence", "state_dict"),
    dtypes=FINE,
    diagnosis="lengths with one token in the last chunk are wrong",
)
class Forgetful(Chunked):
    """The state of the chunk before is lost where a chunk has one token."""

    def forward(self, x: Tensor) -> Tensor:
        if x.shape[1] % self.chunk == 1 and x.shape[1] > 1:
            return torch.cat([super().forward(x[:, :-1]), super().forward(x[:, -1:])], dim=1)
        return super().forward(x)


@wrong(
    LAYER,
    fails=("causality", "prefix_consistency", "split_invariance"),
    passes=(*FORM, "batch_independence", "state_dict"),
    diagnosis="a token sees the later ones of its chunk",
)
class NoMask(Chunked):
    """Within a chunk, tokens see later ones too."""

    def weights(self, apart: Tensor, a: Tensor) -> Tensor:
        return a ** apart.abs()


@wrong(
    LAYER,
    fails=("causality", "prefix_consistency", "split_invariance"),
    passes=(*FORM, "batch_independence", "state_dict"),
    diagnosis="later tokens are seen, and their order matters",
)
class Backwards(DeltaLayer):
    """The tokens are written from the last to the first."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x.flip(1)).flip(1)


@wrong(
    LAYER,
    fails=("causality", "padding_independence"),
    passes=(*FORM, "batch_independence", "state_dict"),
    diagnosis="the generators see the whole sequence",
)
class PooledQuery(DeltaLayer):
    """What is asked of the state is the mean over the sequence."""

    def projected(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        q, k, v, beta = super().projected(x)
        return q.mean(1, keepdim=True).expand_as(q), k, v, beta


@wrong(
    LAYER,
    fails=("delta.identity",),
    passes=(*FORM, "causality", "batch_independence", "state_dict"),
    force=("beta=0",),
    diagnosis="at the gate 0 the input comes through, times 1",
)
class Sings(DeltaLayer):
    """At the gate 0 something comes through beside the state."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) + x


@wrong(
    LAYER,
    fails=("batch_independence",),
    passes=(*FORM, "state_dict", "causality"),
)
class HeadOfAnotherItem(DeltaLayer):
    """The second head is asked what the item before it asks."""

    def projected(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        q, k, v, beta = super().projected(x)
        return torch.cat([q[:, :, :1], q[:, :, 1:].roll(1, 0)], 2), k, v, beta


@wrong(
    LAYER,
    fails=("determinism",),
    passes=(*FORM, "optimiser_step"),
)
class Remembers(DeltaLayer):
    """The state is kept from one call to the next."""

    def __init__(self) -> None:
        super().__init__()
        self.left: Tensor | None = None

    def start(self, q: Tensor, v: Tensor) -> Tensor:
        empty = super().start(q, v)
        return empty if self.left is None or self.left.shape != empty.shape else self.left.to(empty)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v, beta = self.projected(x)
        o, state = delta_rule(q, k, v, beta, self.start(q, v))
        self.left = state.detach()
        return o.flatten(-2)


@wrong(
    LAYER,
    fails=("prefix_consistency", "padding_independence"),
    passes=(*FORM, "causality", "batch_independence", "state_dict"),
    diagnosis="the output depends on the length of the sequence",
)
class ScaledByLength(DeltaLayer):
    """What is read is divided by the length of the sequence."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) / x.shape[1] ** 0.5


@wrong(
    LAYER,
    fails=("gradient", "optimiser_step"),
    passes=(*FORM[1:], "causality", "state_dict"),
)
class WithoutGradient(DeltaLayer):
    """The scan is run without a gradient."""

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            return super().forward(x)


@wrong(
    LAYER,
    fails=("result_type",),
    passes=("returns", "shape"),
    dtypes=("float64", *HALF),
)
class StateInFloat32(DeltaLayer):
    """Its state is float32, and so is what is read from it."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x).float()


@wrong(
    LAYER,
    fails=("causality",),
    passes=(*FORM, "prefix_consistency", "state_dict"),
    dtypes=FINE,
)
class Recycled(Chunked):
    """Chunk by chunk, the first token of a full chunk sees its last one."""

    def weights(self, apart: Tensor, a: Tensor) -> Tensor:
        own = super().weights(apart, a)
        n = len(own)
        if n < self.chunk:
            return own
        first = torch.zeros_like(own)
        first[0, n - 1] = 0.25
        return own + first


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
