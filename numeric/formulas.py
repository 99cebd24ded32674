"""The polynomial formulas of the contracts, each with the roundings of its longest spelling.

DELTA_UPDATE     == X + β k (vᵀ − kᵀX)
DELTA_OPERATOR   == I − β k kᵀ
REFLECTION       == x − 2 k (kᵀx)
HYBRID           == γ Q X + (1 − γ)(X − 2 k (kᵀX))
GATE_REGULARISER == 4 γ (1 − γ)
DELTA_RULE       == states and read-outs of the delta rule over a sequence

`minus` is the difference, or the sum where magnitudes are asked for (`numeric.polynomials`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .polynomials import Polynomial


def _update(minus: Any, X: Any, k: Any, v: Any, beta: Any) -> Any:
    return X + beta * k[:, None] * minus(v, k @ X)[None, :]


DELTA_UPDATE = Polynomial(
    _update,
    ("X", "k", "v", "beta"),
    # operator first: k kᵀ, β, I −, then the inner product, then + β k vᵀ; a last step that is
    # rounded twice, in binary32 and in the format, counts once more
    roundings=lambda inputs: 5,
    lengths=lambda inputs: (inputs["X"].shape[-2],),
    degrees=lambda inputs: {"k": 2},
)


def _operator(minus: Any, k: Any, beta: Any) -> Any:
    eye = np.eye(len(k), dtype=int).astype(object if k.dtype == object else float)
    return minus(eye, beta * k[:, None] * k[None, :])


DELTA_OPERATOR = Polynomial(
    _operator,
    ("k", "beta"),
    roundings=lambda inputs: 4,
    lengths=lambda inputs: (),
    degrees=lambda inputs: {"k": 2},
)


def _reflect(minus: Any, x: Any, k: Any) -> Any:
    return minus(x, 2 * k[:, None] * (k @ x)[None, :])


REFLECTION = Polynomial(
    _reflect,
    ("x", "k"),
    # operator first: k kᵀ, (2·), I −, the inner product; one for a last step rounded twice
    roundings=lambda inputs: 4,
    lengths=lambda inputs: (inputs["x"].shape[-2],),
    degrees=lambda inputs: {"k": 2},
)


def _blend(minus: Any, X: Any, Q: Any, k: Any, gamma: Any) -> Any:
    return gamma * (Q @ X) + minus(1, gamma) * _reflect(minus, X, k)


HYBRID = Polynomial(
    _blend,
    ("X", "Q", "k", "gamma"),
    # H formed: k kᵀ, I −; 1 − γ, the product with it, the sum; then the product with X; or read
    # first, whose inner product k·X is followed by a product, a difference, 1 − γ, product, sum
    roundings=lambda inputs: 6,
    lengths=lambda inputs: (inputs["X"].shape[-2],),
    degrees=lambda inputs: {"k": 2},
)


def _regulariser(minus: Any, gamma: Any) -> Any:
    return 4 * gamma * minus(1, gamma)


GATE_REGULARISER = Polynomial(
    _regulariser,
    ("gamma",),
    roundings=lambda inputs: 3,
    lengths=lambda inputs: (),
    degrees=lambda inputs: {"gamma": 2},
)


def _rule(minus: Any, q: Any, k: Any, v: Any, beta: Any, initial_state: Any) -> Any:
    """Read-outs (t, d_v) stacked on the final state (d, d_v)."""
    state, read = initial_state, []
    for t in range(len(k)):
        state = _update(minus, state, k[t], v[t], beta[t])
        read.append(q[t] @ state)
    return np.concatenate([np.stack(read), state]) if read else state


def _rule_adjoint(
    sign: int, G: Any, q: Any, k: Any, v: Any, beta: Any, initial_state: Any
) -> dict[str, Any]:
    """Backward through the tokens: D is the gradient with respect to the state after each."""
    states = [initial_state]
    for t in range(len(k)):
        states.append(states[t] + beta[t] * np.outer(k[t], v[t] + sign * (k[t] @ states[t])))
    found = {name: [] for name in ("q", "k", "v", "beta")}
    D = G[len(k) :]
    for t in reversed(range(len(k))):
        before, read = states[t], v[t] + sign * (k[t] @ states[t])
        D = D + np.outer(q[t], G[t])
        written = k[t] @ D
        found["q"].append(states[t + 1] @ G[t])
        found["v"].append(beta[t] * written)
        found["beta"].append(written @ read)
        found["k"].append(beta[t] * (D @ read + sign * (before @ written)))
        D = D + sign * beta[t] * np.outer(k[t], written)
    return {name: np.array(rows[::-1]) for name, rows in found.items()} | {"initial_state": D}


DELTA_RULE = Polynomial(
    _rule,
    ("q", "k", "v", "beta", "initial_state"),
    # A token: as in the update. A chunked spelling replaces the states in between by a triangular
    # solve, u_t = β_t(v_t − kᵀX − Σ_s (k_t·k_s) u_s): for each token on a path an inner product of
    # keys, a product, a sum over earlier tokens, β; then (q·k_s) u_s, summed over them.
    roundings=lambda inputs: 5 * len(inputs["k"]) + 3,
    lengths=lambda inputs: (inputs["k"].shape[-1], len(inputs["k"])) * (len(inputs["k"]) + 1),
    degrees=lambda inputs: {"k": 2 * len(inputs["k"]), "beta": len(inputs["k"])},
    adjoint=_rule_adjoint,
)
