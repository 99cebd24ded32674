"""The contracts residual_block and sequence_layer: modules, [b, t, c] -> [b, t, c].

What a module computes is its own affair; that no token sees a later one, no item another, and
that its gates do what the ledger says of them, is not. A gate is held by the module's own method
``force(**values)``; ``operator(x)``, where there is one, gives the matrices [b, t, n, n] that act
on its state. A hybrid is forced by its gamma, alone or with beta.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..contract import Floats, Options, Parameter
from ..module_contract import Consequence, ModuleContract

CAUSAL = "hybrid.pooled_generators_causal_reading"
"""Refuted: what pools over the sequence is not causal."""
DOMAIN = (
    Parameter("width", 8.0, "c, the channels of a token"),
    Parameter("chunk", 16.0, "tokens that the module works on at once"),
    Parameter("change", 8.0, "scale of what a token is changed to"),
)


def _only(**wanted: float) -> Mapping[str, float]:
    return wanted


def _eye(A: Floats) -> Floats:
    return np.broadcast_to(np.eye(A.shape[-1], dtype=np.float64), A.shape)


def _length(A: Floats) -> Floats:
    """The Frobenius norm of each matrix."""
    return np.asarray(np.linalg.norm(A, axis=(-2, -1)), dtype=np.float64)


def _beyond_one(A: Floats) -> Floats:
    longest = np.linalg.norm(A, 2, axis=(-2, -1))
    return np.asarray(np.maximum(longest - 1, 0), dtype=np.float64)


def _smallest(A: Floats) -> Floats:
    return np.asarray(np.linalg.svd(A, compute_uv=False)[..., -1], dtype=np.float64)


def _not_orthogonal(A: Floats) -> Floats:
    return _length(A.swapaxes(-1, -2) @ A - _eye(A))


def _no_reflection(A: Floats) -> Floats:
    return np.maximum(_not_orthogonal(A), _length(A @ A - _eye(A)))


OPERATORS = (
    Consequence("delta.non_expansive_iff", None, _beyond_one, 1,
                "the operator lengthens some state: a gate outside [0, 2], or no unit direction",
                ("delta.gate_range", "hybrid.norm_bounds")),
    Consequence("delta.projection", _only(beta=1.0), lambda A: _length(A @ A - A), 2,
                "the operator at the gate 1 is no projection"),
    Consequence("delta.reflection", _only(beta=2.0), _no_reflection, 2,
                "the operator at the gate 2 is no reflection"),
    Consequence("hybrid.endpoints_orthogonal", _only(gamma=0.0), _not_orthogonal, 2,
                "the operator at the gate 0 is not orthogonal"),
    Consequence("hybrid.endpoints_orthogonal", _only(gamma=1.0), _not_orthogonal, 2,
                "the operator at the gate 1 is not orthogonal"),
    Consequence("hybrid.midpoint_singular", _only(gamma=0.5), _smallest, 1,
                "the operator at the gate ½ is not singular"),
    Consequence("hybrid.reduces_to_residual", _only(gamma=1.0, beta=0.0),
                lambda A: _length(A - _eye(A)), 1,
                "the operator is not the identity where the layer is a plain residual one"),
)  # fmt: skip


def residual_block(options: Options) -> ModuleContract:
    """A block that adds to its input."""
    return ModuleContract(
        name="residual_block",
        summary="a module x + F(x), causal: at the gate 0 the identity",
        claims=("residual.delta_block_is_residual",),
        causal=CAUSAL,
        closed="input",
        operators=OPERATORS,
        domain=DOMAIN,
    )


def sequence_layer(options: Options) -> ModuleContract:
    """A layer that reads from a state which it writes, token by token."""
    return ModuleContract(
        name="sequence_layer",
        summary="a causal layer that writes tokens to a state and reads it: at the gate 0 constant",
        claims=("delta.delta_rule",),
        causal=CAUSAL,
        closed="constant",
        operators=OPERATORS,
        domain=DOMAIN,
    )


MAKERS = {"residual_block": residual_block, "sequence_layer": sequence_layer}
