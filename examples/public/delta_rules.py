"""Reference spellings of the delta rule that packages ship beside their kernels.

All of them multiply the read-outs by 1/√d, as attention does: it is undone here. All return the
state in float32, the format that they compute in: it is converted.
"""

import torch
from torch.nn.functional import pad


def _undone(o, state, like):
    return o * like.shape[-1] ** 0.5, state.to(like.dtype)


def fla_recurrence(q, k, v, beta, initial_state):
    """Heads before tokens."""
    from fla.ops.delta_rule.naive import delta_rule_recurrence

    swapped = (x.transpose(1, 2) for x in (q, k, v, beta))
    o, state = delta_rule_recurrence(*swapped, initial_state)
    return _undone(o.transpose(1, 2), state, q)


def fla_chunkwise(q, k, v, beta, initial_state):
    """From zero and in whole chunks: the initial state is written by d tokens before the others."""
    from fla.ops.delta_rule.naive import delta_rule_chunkwise

    (b, t, h, d), chunk = q.shape, 4
    axes = torch.eye(d).to(q).reshape(1, d, 1, d).expand(b, d, h, d)
    rows = initial_state.transpose(1, 2)
    before = (axes, axes, rows, torch.ones_like(beta[:, :1]).expand(b, d, h)[..., None])
    after = -(t + d) % chunk
    joined = [
        pad(torch.cat([first, x], 1).transpose(1, 2), (0, 0, 0, after))
        for first, x in zip(before, (q, k, v, beta[..., None]), strict=True)
    ]
    o, state = delta_rule_chunkwise(*joined[:3], joined[3][..., 0], chunk_size=chunk)
    return _undone(o.transpose(1, 2)[:, d : d + t], state, q)


def _gated(function, q, k, v, beta, initial_state, **more):
    """Nothing decays: the logarithm of the factor is 0."""
    return function(
        q, k, v, beta=beta, g=torch.zeros_like(beta), initial_state=initial_state,
        output_final_state=True, **more,
    )  # fmt: skip


def fla_gated(q, k, v, beta, initial_state):
    """Its scale can be set."""
    from fla.ops.gated_delta_rule.naive import naive_recurrent_gated_delta_rule

    o, state = _gated(naive_recurrent_gated_delta_rule, q, k, v, beta, initial_state, scale=1.0)
    return o.to(q.dtype), state.to(q.dtype)


def transformers_recurrent(q, k, v, beta, initial_state):
    """The path in torch, also where fla is installed and would be taken instead."""
    from transformers.models.qwen3_next import modeling_qwen3_next as model

    function = model.torch_recurrent_gated_delta_rule.__wrapped__
    return _undone(*_gated(function, q, k, v, beta, initial_state), q)


def transformers_chunk(q, k, v, beta, initial_state):
    """The same in chunks of two tokens."""
    from transformers.models.qwen3_next import modeling_qwen3_next as model

    function = model.torch_chunk_gated_delta_rule.__wrapped__
    return _undone(*_gated(function, q, k, v, beta, initial_state, chunk_size=2), q)
