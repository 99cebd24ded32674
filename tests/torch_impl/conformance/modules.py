"""Modules for the contracts: right ones, and wrong ones with the checks that they fail."""

import os

import torch
from deltaproof.torch_impl.delta import delta_operator, delta_update
from deltaproof.torch_impl.delta_rule import delta_rule
from deltaproof.torch_impl.direction import direction
from deltaproof.torch_impl.gate import gate
from torch import nn


class DeltaBlock(nn.Module):
    """A delta update of each token, seen as a state of `rows` rows; the gate starts at `start`."""

    def __init__(self, dim=8, rows=4, start=None):
        super().__init__()
        self.rows = rows
        self.key, self.value = nn.Linear(dim, rows), nn.Linear(dim, dim // rows)
        self.logit = nn.Linear(dim, 1)
        self.held = None
        if start is not None:
            nn.init.zeros_(self.logit.weight)
            nn.init.constant_(self.logit.bias, torch.logit(torch.tensor(start / 2)).item())

    def force(self, **values):
        self.held = values["beta"]

    def beta(self, x):
        z = self.logit(x).squeeze(-1)
        return gate(z) if self.held is None else z * 0 + self.held

    def operator(self, x):
        return delta_operator(direction(self.key(x)), self.beta(x))

    def forward(self, x):
        X = x.unflatten(-1, (self.rows, -1))
        return delta_update(X, direction(self.key(x)), self.value(x), self.beta(x)).flatten(-2)


class Hybrid(DeltaBlock):
    """A blend of a rotation and a reflection."""

    def __init__(self, dim=8, rows=4):
        super().__init__(dim, rows)
        self.u, self.v = nn.Linear(dim, rows), nn.Linear(dim, rows)
        self.gates = {}

    def force(self, **values):
        self.gates = values

    def operator(self, x):
        from deltaproof.torch_impl.cayley import cayley_rank_two

        beta, share = gate(self.logit(x).squeeze(-1)), torch.sigmoid(self.logit(x).squeeze(-1))
        beta = beta * 0 + self.gates["beta"] if "beta" in self.gates else beta
        share = share * 0 + self.gates["gamma"] if "gamma" in self.gates else share
        Q = cayley_rank_two(self.u(x), self.v(x), beta)
        H = delta_operator(direction(self.key(x)), share * 0 + 2)
        share = share[..., None, None]
        return share * Q + (1 - share) * H

    def forward(self, x):
        return (self.operator(x) @ x.unflatten(-1, (self.rows, -1))).flatten(-2)


class DeltaLayer(nn.Module):
    """A delta rule over the sequence."""

    def __init__(self, dim=8, heads=2):
        super().__init__()
        self.heads, self.held = heads, None
        self.query, self.key, self.value = (nn.Linear(dim, dim) for _ in range(3))
        self.logit = nn.Linear(dim, heads)

    def force(self, **values):
        self.held = values["beta"]

    def projected(self, x):
        q, k, v = (f(x).unflatten(-1, (self.heads, -1)) for f in (self.query, self.key, self.value))
        z = self.logit(x)
        beta = gate(z) if self.held is None else z * 0 + self.held
        return q, direction(k), v, beta

    def start(self, q, v):
        b, _, h, d = q.shape
        return q.new_zeros(b, h, d, v.shape[-1])

    def operator(self, x):
        _, k, _, beta = self.projected(x)
        return delta_operator(k[:, :, 0], beta[:, :, 0])

    def forward(self, x):
        q, k, v, beta = self.projected(x)
        return delta_rule(q, k, v, beta, self.start(q, v))[0].flatten(-2)


class Chunked(nn.Module):
    """Linear attention with decay, a chunk at once; differently rounded for every length."""

    def __init__(self, dim=8, chunk=16):
        super().__init__()
        self.chunk = chunk
        self.query, self.key, self.value = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.decay = nn.Parameter(torch.tensor(2.0))

    def pieces(self, x):
        return x.split(self.chunk, dim=1)

    def forward(self, x):
        a = torch.sigmoid(self.decay)
        state, read = x.new_zeros(x.shape[0], x.shape[2], x.shape[2]), []
        for piece in self.pieces(x):
            q, k, v = self.query(piece), self.key(piece), self.value(piece)
            t = torch.arange(piece.shape[1], device=x.device)
            apart = (t[:, None] - t[None]).clamp(min=0).to(x.dtype)
            weights = (q @ k.mT) * (a**apart) * (t[:, None] >= t[None])
            carried = a ** (t + 1).to(x.dtype)[:, None]
            read.append(weights @ v + carried * (q @ state))
            left = a ** (len(t) - 1 - t).to(x.dtype)[:, None]
            state = a ** len(t) * state + (left * k).mT @ v
        return torch.cat(read, dim=1)


def small_start():
    """A function instead of a class."""
    return DeltaBlock(start=0.5)


# ---------------------------------------------------------------- wrong ones


class Pooled(DeltaBlock):
    def beta(self, x):
        return gate(self.logit(x.mean(dim=1, keepdim=True)).squeeze(-1)).expand(x.shape[:2])


class Looks(DeltaBlock):
    """One token ahead, and softly."""

    def forward(self, x):
        ahead = torch.cat([x[:, 1:], 0 * x[:, :1]], dim=1)
        return super().forward(x) + ahead * 2.0**-12


class BatchNormed(DeltaBlock):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(8)

    def forward(self, x):
        return super().forward(self.norm(x.mT).mT if x.shape[0] * x.shape[1] > 1 else x)


class WrongTail(Chunked):
    """The last chunk is padded at its beginning when it lacks one token."""

    def pieces(self, x):
        found = list(super().pieces(x))
        if found[-1].shape[1] == self.chunk - 1 and len(found) > 1:
            found[-1] = found[-1].flip(1)
        return found


class Forgetful(Chunked):
    """The state of the chunk before is lost where a chunk has one token."""

    def forward(self, x):
        if x.shape[1] % self.chunk == 1 and x.shape[1] > 1:
            return torch.cat([super().forward(x[:, :-1]), super().forward(x[:, -1:])], dim=1)
        return super().forward(x)


class Unsaved(DeltaBlock):
    """A random direction that is no buffer."""

    def __init__(self):
        super().__init__()
        self.mixed = torch.randn(8).tolist()

    def forward(self, x):
        return super().forward(x) + x.new_tensor(self.mixed) * x


class Overwritten(DeltaBlock):
    """The start of the gate is lost to a general initialisation."""

    def __init__(self):
        super().__init__(start=0.5)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight)
                nn.init.zeros_(module.bias)


class Writes(DeltaBlock):
    """Its gate at 0 still writes."""

    def beta(self, x):
        return super().beta(x) + 2.0**-6


class Sings(DeltaLayer):
    """At the gate 0 something comes through beside the state."""

    def forward(self, x):
        return super().forward(x) + x


class NoUnit(DeltaBlock):
    """Its direction has another length under a large ε."""

    def operator(self, x):
        return delta_operator(direction(self.key(x), normalise="root", eps=1.0), self.beta(x))


class Doubled(DeltaBlock):
    """Its gates go up to 4."""

    def beta(self, x):
        return 2 * super().beta(x)


class Midway(Hybrid):
    """A blend whose shares do not sum to 1."""

    def operator(self, x):
        return super().operator(x) * 0.75


class Softened(Hybrid):
    """A blend beside the identity: nowhere singular."""

    def operator(self, x):
        return super().operator(x) + torch.eye(self.rows).to(x) / 8


class Casts(DeltaBlock):
    def forward(self, x):
        return super().forward(x).float()


class InPlace(DeltaBlock):
    def forward(self, x):
        result = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return result


class DropsOut(DeltaBlock):
    def forward(self, x):
        return nn.functional.dropout(super().forward(x), 0.5, self.training)


class Detached(DeltaBlock):
    def forward(self, x):
        return super().forward(x.detach()) * 1.0


class Frozen(DeltaBlock):
    def forward(self, x):
        with torch.no_grad():
            change = super().forward(x) - x
        return x + change


class NotFinite(DeltaBlock):
    def forward(self, x):
        return super().forward(x) / (x.shape[1] - 1)


class Reshapes(DeltaBlock):
    def forward(self, x):
        return super().forward(x).mT


class Padded(DeltaBlock):
    """The mask takes zeros for padding, and moves what comes before."""

    def forward(self, x):
        zeros = (x == 0).all(-1, keepdim=True).any(dim=1, keepdim=True)
        return super().forward(x) + zeros.to(x.dtype)


class Dies(DeltaBlock):
    """A batch of three ends the process."""

    def forward(self, x):
        if x.shape[0] == 3:
            os._exit(7)
        return super().forward(x)


def no_module():
    return lambda x: x


BLOCK, LAYER = "residual_block", "sequence_layer"
RIGHT = {
    DeltaBlock: (BLOCK, {"force": ("beta=0", "beta=1", "beta=2")}),
    small_start: (BLOCK, {"starts": "beta=0.5"}),
    Hybrid: (BLOCK, {"force": ("gamma=0", "gamma=1/2", "gamma=1", "gamma=1,beta=0")}),
    DeltaLayer: (LAYER, {"force": ("beta=0", "beta=1")}),
    Chunked: (LAYER, {}),
}
WRONG = {
    Pooled: (BLOCK, {}, {"causality", "prefix_consistency", "padding_independence"}),
    Looks: (BLOCK, {}, {"causality"}),
    BatchNormed: (BLOCK, {}, {"batch_independence", "causality"}),
    WrongTail: (LAYER, {}, {"split_invariance"}),
    Forgetful: (LAYER, {}, {"split_invariance"}),
    Unsaved: (BLOCK, {}, {"state_dict"}),
    Overwritten: (BLOCK, {"starts": "beta=0.5"}, {"initialisation"}),
    Writes: (BLOCK, {"force": ("beta=0",)}, {"delta.identity"}),
    Sings: (LAYER, {"force": ("beta=0",)}, {"delta.identity"}),
    NoUnit: (BLOCK, {"force": ("beta=1", "beta=2")}, {"delta.projection", "delta.reflection"}),
    Doubled: (BLOCK, {}, {"delta.non_expansive_iff"}),
    Midway: (BLOCK, {"force": ("gamma=0", "gamma=1,beta=0")},
             {"hybrid.endpoints_orthogonal", "hybrid.reduces_to_residual"}),
    Softened: (BLOCK, {"force": ("gamma=1/2",)}, {"hybrid.midpoint_singular"}),
    Casts: (BLOCK, {"dtypes": ("bfloat16",)}, {"result_type"}),
    InPlace: (BLOCK, {}, {"inputs_unchanged"}),
    DropsOut: (BLOCK, {}, {"determinism"}),
    Detached: (BLOCK, {}, {"gradient"}),
    Frozen: (BLOCK, {}, {"optimiser_step"}),
    NotFinite: (BLOCK, {}, {"finite"}),
    Reshapes: (BLOCK, {}, {"shape"}),
    Padded: (BLOCK, {}, {"padding_independence"}),
    no_module: (BLOCK, {}, {"returns"}),
}  # fmt: skip
"""Module -> contract, settings, and checks that are to fail, without the contract's name."""
