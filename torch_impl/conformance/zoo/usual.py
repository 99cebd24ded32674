"""The usual test, which the kit is measured against.

usual_inputs(contract, dtype, seed) == random normal input, unit where the contract says so
agrees_with_reference(entry, dtype, seed) == would `torch.testing.assert_close` let it pass?

The reference is the package's own operator; the tolerances are torch's own for the format, the
shapes those that such tests have. Modules have no reference to be compared with.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from ..host import kind_of
from .entry import Entry

SIZES = {"d": 5, "m": 3, "n": 5, "t": 6, "h": 2, "d_v": 3}
BATCH = 4


def _references() -> Mapping[str, Callable[..., Any]]:
    from ... import birkhoff, cayley, delta, delta_rule, direction, gate, hybrid, reflection

    return {
        "delta_update": delta.delta_update,
        "delta_operator": delta.delta_operator,
        "cayley": cayley.cayley,
        "cayley_rank_two": cayley.cayley_rank_two,
        "reflection": reflection.reflect,
        "hybrid": hybrid.blend,
        "gate": gate.gate,
        "gate_regulariser": gate.gate_regulariser,
        "direction": direction.direction,
        "doubly_stochastic": birkhoff.sinkhorn,
        "delta_rule": delta_rule.delta_rule,
    }


def usual_inputs(contract: str, dtype: str, seed: int) -> tuple[Tensor, ...]:
    """A batch of four normal inputs, made to fit what the contract says of its arguments.

    Directions are normalised, generators made skew, rotations orthogonal, gates put through 2σ and
    shares through σ. Drawn in float64 and rounded to the format.
    """
    from ..contracts import contract as contract_of
    from ..module_contract import ModuleContract

    made = contract_of(contract)
    if isinstance(made, ModuleContract):
        raise ValueError(f"{contract} is about modules, which have no reference")
    random = torch.Generator().manual_seed(seed)
    inputs = []
    for argument in made.arguments:
        shape = [BATCH, *(SIZES[axis] for axis in argument.axes)]
        if made.pattern:  # batch, then tokens, then heads
            tokens = "t" in argument.axes
            shape = [BATCH, *shape[1:2], SIZES["h"], *shape[2:]] if tokens else shape
            shape = shape if tokens else [BATCH, SIZES["h"], *shape[1:]]
        x = torch.randn(shape, generator=random, dtype=torch.float64)
        inputs.append(_fitted(x, argument.kind).to(getattr(torch, dtype)))
    return tuple(inputs)


def _fitted(x: Tensor, kind: str) -> Tensor:
    if kind == "unit":
        return torch.nn.functional.normalize(x, dim=-1)
    if kind == "skew":
        return (x - x.mT) / 2
    if kind == "orthogonal":
        return torch.linalg.qr(x)[0]
    if kind == "gate":
        return 2 * torch.sigmoid(x)
    return torch.sigmoid(x) if kind == "share" else x


def agrees_with_reference(entry: Entry, dtype: str, seed: int) -> bool | None:
    """Does the entry pass the usual test in a format?

    None where there is no reference, or no support for the format. What raises does not pass.
    """
    reference = _references().get(entry.contract)
    if reference is None:
        return None
    inputs = usual_inputs(entry.contract, dtype, seed)
    values = dict(entry.options.get("values", {}))
    expected = reference(*(x.clone() for x in inputs), **values)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            torch.testing.assert_close(entry.operator(*inputs), expected)
        except Exception as problem:  # whatever it raises, the usual test has caught it
            return None if kind_of(problem) == "unsupported" else False
    return True
