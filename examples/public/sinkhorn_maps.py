"""Sinkhorn's iteration in several packages; the contract scales rows before columns.

Where a package scales columns first, its matrix of the transposed logits is transposed back.
Results in float32 whatever the input are converted to the dtype of the input.
"""


def hyper_connections_sinkhorn(logits):
    """20 rounds."""
    from hyper_connections.mHCv2 import sinkhorn_knopps

    return sinkhorn_knopps(logits.mT).mT


def hyper_connections_log_domain(logits):
    """20 rounds, of logarithms."""
    from hyper_connections.mHCv2 import log_domain_sinkhorn_knopps

    return log_domain_sinkhorn_knopps(logits.mT).mT


def mhc_sinkhorn(logits):
    """10 rounds."""
    from mhc.constraints import project_doubly_stochastic

    return project_doubly_stochastic(logits)


def fla_sinkhorn(logits):
    """20 rounds, of logarithms."""
    from fla.ops.utils.sinkhorn.naive import naive_sinkhorn

    return naive_sinkhorn(logits.mT).mT.to(logits.dtype)


def sinkhorn_transformer(logits):
    """8 rounds, of logarithms; it takes one batch axis."""
    from sinkhorn_transformer.sinkhorn_transformer import sinkhorn_sorting_operator

    n = logits.shape[-1]
    return sinkhorn_sorting_operator(logits.reshape(-1, n, n)).reshape(logits.shape)
