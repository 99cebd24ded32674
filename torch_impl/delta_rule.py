"""The delta rule over a sequence: one delta update a token, then a read-out.

delta_rule == the read-outs and the final state, token by token
"""

import torch
from torch import Tensor

from .delta import delta_update


def delta_rule(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, initial_state: Tensor
) -> tuple[Tensor, Tensor]:
    """Return (o, final_state), o_t = X_tᵀ q_t after the write of token t; nothing is scaled.

    Parameters
    ----------
    q, k : (b, t, h, d)
        Queries, and unit keys.
    v : (b, t, h, d_v)
        Values.
    beta : (b, t, h)
        Gates.
    initial_state : (b, h, d, d_v)
        X before the first token. All of one dtype, float64, float32, bfloat16 or float16.

    Returns
    -------
    tuple of Tensor
        (b, t, h, d_v) and (b, h, d, d_v), within the bound of `numeric.formulas.DELTA_RULE`.

    Raises
    ------
    TypeError, ValueError
        As `torch_impl.delta.delta_update`.

    Notes
    -----
    Claims delta.rank_one_form, delta.delta_rule.
    """
    state, read = initial_state, []
    for token in range(k.shape[1]):
        state = delta_update(state, k[:, token], v[:, token], beta[:, token])
        read.append((q[:, token].unsqueeze(-2) @ state).squeeze(-2))
    if not read:
        return v.new_empty(v.shape), state
    return torch.stack(read, dim=1), state
