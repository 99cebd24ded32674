"""The squares of large entries overflow; ε = 1e-12 is 0 in float16."""

import torch
from torch.nn.functional import normalize

print("entries 1e19", normalize(torch.full((2,), 1e19), dim=0).tolist())
print("entries 1e20", normalize(torch.full((2,), 1e20), dim=0).tolist())
print("0 in float32", normalize(torch.zeros(2), dim=0).tolist())
print("0 in float16", normalize(torch.zeros(2, dtype=torch.float16), dim=0).tolist())
