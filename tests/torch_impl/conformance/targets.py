"""Targets that misbehave, for the process that they run in."""

import os
import sys
import time

import torch
from deltaproof.torch_impl.reflection import reflect


def _first(x):
    return x.ndim == 2 and tuple(x.shape) == (4, 4)


def hangs(x, k):
    if _first(x):
        time.sleep(60)
    return reflect(x, k)


def dies(x, k):
    if _first(x):
        os._exit(7)
    return reflect(x, k)


def exits(x, k):
    if _first(x):
        sys.exit(3)
    return reflect(x, k)


def patches(x, k):
    result = reflect(x, k)
    torch.matmul = lambda a, b: a
    return result


def prints(x, k):
    print("not a line of the protocol")
    return reflect(x, k)


def storms(x, k):
    import warnings

    for i in range(100):
        warnings.warn(f"warning {i}", stacklevel=1)
    return reflect(x, k)


def no_halves(x, k):
    if x.dtype in (torch.bfloat16, torch.float16):
        raise RuntimeError("\"reflect\" not implemented for 'Half'")
    return reflect(x, k)


def a_list(x, k):
    return x.tolist()


def transposed(x, k):
    return reflect(x, k).mT
