"""Weights that a parametrisation keeps orthogonal, as modules for the contract residual_block.

ThereAndBack(parametrise) == x ↦ Qᵀ(Qx): the identity, where the columns of Q are orthonormal
torch_weight              == with torch.nn.utils.parametrizations.orthogonal
geotorch_weight           == with geotorch.orthogonal

The weight is made in float64 and converted. `decay` > 0: one step of SGD with weight decay is made
first, which multiplies the unconstrained parameters by 1 − decay.
"""

import torch
from torch import nn


class ThereAndBack(nn.Module):
    """A wide Q is taken transposed, since its rows are then the orthonormal ones."""

    def __init__(self, parametrise, rows=8, columns=8, decay=0.0):
        super().__init__()
        self.layer = nn.Linear(columns, rows, bias=False, dtype=torch.float64)
        self.wide = rows < columns
        parametrise(self.layer)
        if decay:
            step = torch.optim.SGD(self.layer.parameters(), lr=1.0, weight_decay=decay)
            (0.01 * self.layer.weight.sum()).backward()
            step.step()

    def force(self, **gates):
        """It has no gates: it is to be the identity at all of them."""

    def operator(self, x):
        Q = self.layer.weight.mT if self.wide else self.layer.weight
        return (Q.mT @ Q).expand(*x.shape[:2], -1, -1)

    def forward(self, x):
        Q = self.layer.weight.mT if self.wide else self.layer.weight
        return x @ Q.mT @ Q


def torch_weight(map="cayley", rows=8, columns=8, decay=0.0):
    """Its maps are matrix_exp, cayley and householder."""
    from torch.nn.utils.parametrizations import orthogonal

    def parametrise(layer):
        orthogonal(layer, orthogonal_map=map)

    return ThereAndBack(parametrise, rows, columns, decay)


def geotorch_weight(map="cayley", rows=8, columns=8, decay=0.0):
    """Its maps are expm and cayley."""
    from geotorch import orthogonal

    def parametrise(layer):
        orthogonal(layer, "weight", triv=map)

    return ThereAndBack(parametrise, rows, columns, decay)
