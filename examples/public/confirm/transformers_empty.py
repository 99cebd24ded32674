"""A batch of no sequences cannot be cut into chunks; token by token it can be read."""

import torch
from transformers.models.qwen3_next import modeling_qwen3_next as model

q, beta = torch.ones(0, 2, 1, 3), torch.ones(0, 2, 1)
print("recurrent", model.torch_recurrent_gated_delta_rule.__wrapped__(q, q, q, beta, beta)[0].shape)
try:
    model.torch_chunk_gated_delta_rule.__wrapped__(q, q, q, beta, beta)
except RuntimeError as problem:
    print("chunks:", str(problem).partition(" because")[0])
