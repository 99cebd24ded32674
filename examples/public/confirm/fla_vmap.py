"""The initial state is added in place to zeros that do not have the axis of vmap."""

import torch
from fla.ops.delta_rule.naive import delta_rule_recurrence

q, beta, state = torch.ones(2, 1, 1, 1, 1), torch.ones(2, 1, 1, 1), torch.ones(2, 1, 1, 1, 1)
try:
    torch.vmap(delta_rule_recurrence)(q, q, q, beta, state)
except RuntimeError as problem:
    print(str(problem).partition(" because")[0])
