"""Functions of torch as they are called by others."""

from functools import cache

from torch import nn
from torch.nn.functional import normalize
from torch.nn.utils.parametrizations import orthogonal


@cache
def _cayley(n):
    layer = orthogonal(
        nn.Linear(n, n, bias=False), orthogonal_map="cayley", use_trivialization=False
    )
    return layer.parametrizations.weight[0]


def cayley(skew):
    """The Cayley map of torch.nn.utils.parametrizations.orthogonal: it reads the lower triangle."""
    return _cayley(skew.shape[-1])(skew)


def normalised(k):
    """Along the last axis; ε is left at its default."""
    return normalize(k, dim=-1)
