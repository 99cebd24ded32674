"""With ε under the root, a short direction is shorter than 1, and the gate 2 reflects nothing."""

import torch
from transformers.models.qwen3_next.modeling_qwen3_next import l2norm

k = l2norm(torch.full((4,), 1e-3, dtype=torch.float64))
print("length", k.norm().item(), "eigenvalue at the gate 2", (1 - 2 * k @ k).item())
print("entries 1e20", l2norm(torch.full((2,), 1e20)).tolist())
