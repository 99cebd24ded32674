"""One step of AdamW, whose weight decay is 0.01 unless it is set, makes the weight zero."""

import torch
from torch import nn, optim
from torch.nn.utils.parametrizations import orthogonal

torch.manual_seed(0)
layer = orthogonal(nn.Linear(4, 6, bias=False), orthogonal_map="householder")
print("before", (layer.weight.T @ layer.weight).diagonal().tolist())
layer.weight.sum().backward()
optim.AdamW(layer.parameters()).step()
print("after", (layer.weight.T @ layer.weight).diagonal().tolist())
