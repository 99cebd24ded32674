"""On which side a mixing matrix stands: a 3-cycle tells, a symmetric matrix does not."""

import torch
from hyper_connections.mHCv2 import ManifoldConstrainedHyperConnections
from mhc.layers.matrix_skip import MatrixMHCSkip

cycle = 30.0 * torch.eye(3).roll(1, dims=1)  # entry (s, s + 1)
streams = torch.eye(3).reshape(1, 3, 3)
mixed = ManifoldConstrainedHyperConnections(3, dim=3, layer_index=0)
with torch.no_grad():
    mixed.static_alpha[:, 1:] = cycle
new = mixed.width_connection(streams)[1][0]
print("hyper-connections: the last new stream is the old one number", new[2].argmax().item())
skip = MatrixMHCSkip(max_history=3)
with torch.no_grad():
    skip.mixing_logits.copy_(cycle)
new = skip(torch.zeros(1, 3), list(streams[0].unsqueeze(1)))
print("mhc: the last new state is the old one number", new[0].argmax().item())
