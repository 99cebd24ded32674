"""Operators for delta_rule: tokens on the second axis, heads on the third."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .entry import CALLS, Family, Parameter
from .spelled import FINE, eye, outer, read

family = Family()
wrong, right = family.wrong, family.right

Pair = tuple[Tensor, Tensor]


def _step(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    return X + outer(k, beta.unsqueeze(-1) * (v - read(k, X)))


def _scan(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    beta: Tensor,
    state: Tensor,
    step: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor] = _step,
    *,
    early: bool = False,
) -> Pair:
    """A step a token; the read-out after it, or before."""
    seen: list[Tensor] = []
    for t in range(k.shape[1]):
        before = state
        state = step(state, k[:, t], v[:, t], beta[:, t])
        seen.append(read(q[:, t], before if early else state))
    return torch.stack(seen, dim=1), state


@wrong(
    "delta_rule",
    fails=("definition",),
    passes=(*CALLS, "delta.overwrite", "delta.identity"),
    diagnosis="agrees with the read-out before the write",
)
def read_before_write(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor) -> Pair:
    """It reads out before the write."""
    return _scan(q, k, v, beta, initial_state, early=True)


@wrong(
    "delta_rule",
    fails=("definition", "delta.overwrite", "delta.error_contraction"),
    passes=(*CALLS, "delta.identity"),
    diagnosis="agrees with the erase term missing: only beta k vᵀ is added",
)
def nothing_erased(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor) -> Pair:
    """Nothing is erased: linear attention."""
    return _scan(q, k, v, beta, initial_state, lambda X, k, v, b: X + outer(k, b.unsqueeze(-1) * v))


@wrong(
    "delta_rule",
    fails=("definition", "delta.identity"),
    passes=(*CALLS, "delta.overwrite"),
    diagnosis="agrees with the gate left out",
)
def gate_left_out(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor) -> Pair:
    """The gate is left out."""
    return _scan(q, k, v, torch.ones_like(beta) + 0 * beta, initial_state)


@wrong(
    "delta_rule",
    fails=("definition", "delta.identity", "delta.error_contraction"),
    passes=CALLS,
    diagnosis="agrees with beta missing on the write term",
)
def beta_missing_on_write(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> Pair:
    """The gate is missing on the write term."""
    return _scan(
        q, k, v, beta, initial_state,
        lambda X, k, v, b: X + outer(k, v - b.unsqueeze(-1) * read(k, X)),
    )  # fmt: skip


@wrong(
    "delta_rule",
    fails=("definition", "delta.identity"),
    passes=(*CALLS, "delta.overwrite"),
    diagnosis="agrees with the initial state ignored",
)
def initial_state_ignored(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> Pair:
    """The initial state is ignored."""
    return _scan(q, k, v, beta, 0 * initial_state)


@wrong(
    "delta_rule",
    fails=("definition",),
    passes=(*CALLS, "delta.identity"),
    diagnosis="agrees with the gate decaying the whole state",
)
def whole_state_decays(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> Pair:
    """The gate decays the whole state, and not its part along k."""
    return _scan(
        q, k, v, beta, initial_state,
        lambda X, k, v, b: (1 - b)[..., None, None] * X + outer(k, b.unsqueeze(-1) * v),
    )  # fmt: skip


@wrong(
    "delta_rule",
    fails=("definition",),
    passes=(*CALLS, "delta.overwrite", "delta.identity"),
    diagnosis="agrees with the read-out times {parameter}",
    parameter=Parameter("factor", 0.0625, 16.0, "log"),
)
def read_out_scaled(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor, *, parameter: float = 0.5
) -> Pair:
    """The read-out is scaled, as attention is."""
    return _scan(parameter * q, k, v, beta, initial_state)


@wrong(
    "delta_rule",
    fails=("definition",),
    passes=(*CALLS, "delta.overwrite", "delta.identity"),
    diagnosis="agrees with the read-out by k in the place of q",
)
def read_out_by_key(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor) -> Pair:
    """It reads out along k, and not along q."""
    o, state = _scan(k, k, v, beta, initial_state)
    return o + 0 * q[..., :1], state


@wrong(
    "delta_rule",
    fails=("definition",),
    passes=(*CALLS, "delta.overwrite", "delta.identity"),
    diagnosis="agrees with the tokens in reverse order",
)
def tokens_reversed(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor) -> Pair:
    """The tokens are written from the last to the first."""
    o, state = _scan(q.flip(1), k.flip(1), v.flip(1), beta.flip(1), initial_state)
    return o.flip(1), state


@wrong(
    "delta_rule",
    fails=("definition",),
    passes=(*CALLS, "delta.overwrite", "delta.identity"),
    diagnosis="agrees with every token read out of the final state",
)
def read_out_at_the_end(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> Pair:
    """Every token reads the final state: later tokens too."""
    _, state = _scan(q, k, v, beta, initial_state)
    return torch.einsum("bthd,bhdm->bthm", q, state), state


@wrong(
    "delta_rule",
    fails=("definition",),
    passes=(*CALLS, "delta.overwrite", "delta.identity"),
    diagnosis="agrees with the gate of the token before",
)
def gate_of_the_token_before(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> Pair:
    """Each token but the first has the gate of the one before it."""
    return _scan(q, k, v, torch.cat([beta[:, :1], beta[:, :-1]], 1), initial_state)


@wrong(
    "delta_rule",
    fails=("definition",),
    passes=(*CALLS, "delta.overwrite", "delta.identity"),
    diagnosis="agrees with chunks of two tokens, the last one lost where it is alone",
)
def tail_of_chunk_lost(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> Pair:
    """Of a third token, which has a chunk of two to itself, nothing is written."""
    tail = beta.shape[1] - 1 if beta.shape[1] % 2 and beta.shape[1] > 1 else beta.shape[1]
    kept = torch.cat([beta[:, :tail], 0 * beta[:, tail:]], 1)
    return _scan(q, k, v, kept, initial_state)


@wrong(
    "delta_rule",
    fails=("definition",),
    passes=(*CALLS, "delta.overwrite", "delta.identity"),
    diagnosis="agrees with erasures out of the initial state alone",
)
def erased_from_initial_state(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> Pair:
    """What earlier tokens wrote is never erased: the tokens count as independent."""
    return _scan(
        q, k, v, beta, initial_state,
        lambda X, k, v, b: X + outer(k, b.unsqueeze(-1) * (v - read(k, initial_state))),
    )  # fmt: skip


@wrong(
    "delta_rule",
    fails=("batch_independence", "two_batch_axes"),
    passes=("definition", "determinism", "delta.overwrite"),
)
def query_of_another_head(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> Pair:
    """Each head is read with the query of the one before it."""
    return _scan(q.roll(1, 2), k, v, beta, initial_state)


@wrong(
    "delta_rule",
    fails=("two_batch_axes",),
    passes=("definition", "determinism", "batch_independence", "delta.overwrite"),
)
def state_carried_over_the_batch(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> Pair:
    """The second item starts with what the first one left."""
    if len(q) < 2:
        return _scan(q, k, v, beta, initial_state)
    _, left = _scan(q[:-1], k[:-1], v[:-1], beta[:-1], initial_state[:-1])
    start = torch.cat([initial_state[:1], left], 0)
    return _scan(q, k, v, beta, start)


@wrong(
    "delta_rule",
    fails=("shape",),
    passes=("returns", "inputs_unchanged", "determinism"),
)
def state_transposed(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor) -> Pair:
    """The final state comes back transposed."""
    o, state = _scan(q, k, v, beta, initial_state)
    return o, state.mT


@wrong(
    "delta_rule",
    fails=("gradient",),
    passes=(*CALLS, "definition"),
    dtypes=FINE,
    diagnosis="the gradient agrees with the state detached between tokens",
)
def state_detached_between_tokens(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> Pair:
    """No gradient passes from a token to the one before it."""
    first = initial_state

    def step(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
        return _step(X if X is first else X.detach(), k, v, beta)

    return _scan(q, k, v, beta, initial_state, step)


# ---------------------------------------------------------------- spelled otherwise


@right("delta_rule")
def chunk_at_once(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor) -> Pair:
    """One chunk: forward substitution in the place of the states in between."""
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    gate = beta.transpose(1, 2).unsqueeze(-1)
    lower = torch.tril(gate * (k @ k.mT), -1)
    written = gate * (v - k @ initial_state)
    rows: list[Tensor] = []
    for t in range(k.shape[-2]):
        row = written[..., t, :]
        for s in range(t):
            row = row - lower[..., t, s, None] * rows[s]
        rows.append(row)
    u = torch.stack(rows, -2)
    o = q @ initial_state + torch.tril(q @ k.mT) @ u
    return o.transpose(1, 2), initial_state + k.mT @ u


@right("delta_rule")
def operator_of_each_token(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> Pair:
    """The operator of each token is formed, and applied to the state."""

    def step(X: Tensor, k: Tensor, v: Tensor, beta: Tensor) -> Tensor:
        gate = beta[..., None, None]
        return (eye(k) - gate * outer(k, k)) @ X + gate * outer(k, v)

    return _scan(q, k, v, beta, initial_state, step)


@right("delta_rule")
def split_in_two(q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor) -> Pair:
    """Two chunks, the state of the first passed on to the second."""
    half = (k.shape[1] + 1) // 2
    o, state = chunk_at_once(q[:, :half], k[:, :half], v[:, :half], beta[:, :half], initial_state)
    if half == k.shape[1]:
        return o, state
    later, state = chunk_at_once(q[:, half:], k[:, half:], v[:, half:], beta[:, half:], state)
    return torch.cat([o, later], 1), state


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
