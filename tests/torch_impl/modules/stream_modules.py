"""Connections over streams for the contracts: right ones, and wrong ones with what they fail.

All act on four streams of two channels, eight numbers per token, as the contracts pass them.
"""

import torch
from deltaproof.torch_impl.modules.connection import Connected
from deltaproof.torch_impl.modules.geometric_connection import GeometricConnection
from deltaproof.torch_impl.modules.hyper_connection import HyperConnection
from deltaproof.torch_impl.modules.orthogonal_hyper_connection import OrthogonalHyperConnection
from deltaproof.torch_impl.modules.sublayers import CausalSelfAttention
from torch import nn

WIDTH, STREAMS = 2, 4


class Silent(nn.Module):
    """A sub-layer that says nothing: what is left is the operator."""

    def forward(self, x):
        return torch.zeros_like(x)


def awake(connection, spread=0.5):
    """The same connection with dynamic parts, as training makes them."""
    nn.init.normal_(connection.maps.weight, std=spread)
    return connection


def attended(connection):
    return Connected(connection, CausalSelfAttention(WIDTH, 1))


def silent(connection):
    return Connected(connection, Silent())


def hyper():
    return attended(HyperConnection(WIDTH, STREAMS))


def hyper_awake():
    return attended(awake(HyperConnection(WIDTH, STREAMS, index=1, norm="layer")))


def fixed_point():
    return attended(OrthogonalHyperConnection(WIDTH, STREAMS))


def fixed_point_awake():
    return attended(awake(OrthogonalHyperConnection(WIDTH, STREAMS)))


def exact_awake():
    return attended(awake(OrthogonalHyperConnection(WIDTH, STREAMS, rotation="exact")))


def geometric():
    return attended(GeometricConnection(WIDTH, STREAMS))


def geometric_awake():
    return attended(awake(GeometricConnection(WIDTH, STREAMS, norm="rms")))


def geometric_operator():
    return silent(awake(GeometricConnection(WIDTH, STREAMS)))


# ---------------------------------------------------------------- wrong ones


def sequence_mean():
    """The published generators, pooled over the sequence."""
    return attended(awake(GeometricConnection(WIDTH, STREAMS, generators="sequence_mean")))


class HardGate(GeometricConnection):
    """γ is rounded to 0 or 1."""

    def mixed(self, state, geometry):
        hard = (geometry.gamma > 0.5).to(state.dtype)
        return super().mixed(state, geometry._replace(gamma=hard))


class Renormalised(GeometricConnection):
    """The blend is divided by √(γ² + (1 − γ)²), as if its two parts were orthogonal."""

    def mixed(self, state, geometry):
        gamma = geometry.gamma[..., None, None]
        return super().mixed(state, geometry) / (gamma**2 + (1 - gamma) ** 2).sqrt()


class Shrinking(GeometricConnection):
    """A mask over the tokens that are zero multiplies every other state by less than 1 too."""

    def forward(self, state, sublayer):
        kept = state.abs().amax((-2, -1), keepdim=True)
        following, gates = super().forward(state, sublayer)
        return following * kept / (kept + 2.0**-6), gates


class Overwritten(GeometricConnection):
    """The start of the gates is lost to a general initialisation that comes last."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        nn.init.normal_(self.maps.weight)
        nn.init.zeros_(self.maps.bias)


class Undirected(GeometricConnection):
    """The axis is used at the length that it comes with."""

    def arguments(self, state):
        geometry, pre, post = super().arguments(state)
        return geometry._replace(k=geometry.k * 0.75), pre, post


class EpsilonSinkhorn(HyperConnection):
    """Twenty rounds with a small number in each denominator."""

    def arguments(self, state):
        pre, post, _ = super().arguments(state)
        logits = self.mapped(self.context(state), state.dtype)["mixing"]
        P = logits.unflatten(-1, (STREAMS, STREAMS)).exp()
        for _ in range(20):
            P = P / (P.sum(-1, keepdim=True) + 1e-3)
            P = P / (P.sum(-2, keepdim=True) + 1e-3)
        return pre, post, P


class TwentyRounds(HyperConnection):
    """The published number of rounds: not enough where the logits are far apart."""

    def arguments(self, state):
        from deltaproof.torch_impl.birkhoff import sinkhorn

        pre, post, _ = super().arguments(state)
        logits = self.mapped(self.context(state), state.dtype)["mixing"]
        return pre, post, sinkhorn(logits.unflatten(-1, (STREAMS, STREAMS)), rounds=20)


class TransposedMixing(HyperConnection):
    """The matrix is applied transposed."""

    def operator(self, state, sublayer):
        return super().operator(state, sublayer).mT


class TransposedRotation(OrthogonalHyperConnection):
    """The rotation is applied the other way round."""

    def operator(self, state, sublayer):
        return super().operator(state, sublayer).mT


class TransposedGeometry(GeometricConnection):
    """The hybrid is applied transposed."""

    def operator(self, state, sublayer):
        return super().operator(state, sublayer).mT


def hard_gate():
    return silent(awake(HardGate(WIDTH, STREAMS)))


def renormalised():
    return silent(awake(Renormalised(WIDTH, STREAMS)))


def shrinking():
    return silent(awake(Shrinking(WIDTH, STREAMS)))


def overwritten():
    return attended(Overwritten(WIDTH, STREAMS))


def undirected():
    return silent(awake(Undirected(WIDTH, STREAMS)))


def one_round():
    """An odd number of rounds lengthens some states."""
    return attended(awake(OrthogonalHyperConnection(WIDTH, STREAMS, rounds=1), spread=2.0))


HELD = ("gamma=0", "gamma=1/2", "gamma=1")
IDENTITY = "gamma=1,beta=0"
RIGHT = {
    hyper: {},
    hyper_awake: {"force": ("post=0",)},
    fixed_point: {},
    fixed_point_awake: {"force": ("post=0",)},
    exact_awake: {},
    geometric: {"force": (*HELD, f"{IDENTITY},post=0"), "starts": "gamma=63/64,beta=1/16"},
    geometric_awake: {"force": (*HELD, f"{IDENTITY},post=0", "gamma=0,beta=0")},
    geometric_operator: {"force": (*HELD, IDENTITY)},
}
WRONG = {
    sequence_mean: ({}, {"causality", "prefix_consistency", "padding_independence"}),
    hard_gate: ({"force": HELD}, {"hybrid.midpoint_singular"}),
    renormalised: ({"force": HELD}, {"delta.non_expansive_iff"}),
    shrinking: ({"force": (IDENTITY,)}, {"delta.identity"}),
    overwritten: ({"starts": "gamma=63/64,beta=1/16"}, {"initialisation"}),
    undirected: ({"force": HELD}, {"hybrid.endpoints_orthogonal"}),
    one_round: ({}, {"delta.non_expansive_iff"}),
}
"""Factory -> settings, and checks that are to fail, without the contract's name."""
