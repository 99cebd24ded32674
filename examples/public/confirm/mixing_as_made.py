"""The mixing matrix of four streams as made: Sinkhorn of exp(I), not I."""

import torch
from hyper_connections.mHCv2 import sinkhorn_knopps

print(sinkhorn_knopps(torch.eye(4)))
