"""1e-9 is added to each sum that is divided by: seen in float64, not in float32."""

import torch
from mhc.constraints import project_doubly_stochastic

for dtype in (torch.float64, torch.float32):
    P = project_doubly_stochastic(torch.zeros(3, 3, dtype=dtype))
    print(dtype, "a column sum less 1:", (P.sum(0)[0] - 1).item())
