"""Manifold-constrained hyper-connections around one linear layer, as modules."""

from torch import nn


def hyper_connections_block(dim=8, streams=4):
    """Copies of x as streams, the layer between them, and their sum."""
    from hyper_connections.mHCv2 import get_init_and_expand_reduce_stream_functions

    connect, expand, reduce = get_init_and_expand_reduce_stream_functions(streams, dim=dim)
    return nn.Sequential(expand, connect(branch=nn.Linear(dim, dim), layer_index=0), reduce)
