"""The contract reflection: x − 2 k (kᵀx)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ....numeric.formats import Format
from ....numeric.formulas import REFLECTION
from ..contract import Argument, Case, Contract, Floats, Options, Parameter, Statement
from ..strata import UNITS, draw, generator, rounded, unit
from .polynomial import eye, raw_directions, read_with, sized


def _made(rng: np.random.Generator, n: int, m: int, k: Floats, gate: float) -> dict[str, Any]:
    return {"x": draw(rng, n, m), "k": k}


def _cases(fmt: Format, domain: Mapping[str, float], options: Options) -> Iterator[Case]:
    yield from sized("reflection", 0.0, _made, fmt)
    for kind in UNITS:
        for name, state in (
            ("x generic", lambda rng, k: draw(rng, 4, 3)),
            ("x along k", lambda rng, k: np.outer(k, draw(rng, 3))),
            ("x large", lambda rng, k: domain["state"] * draw(rng, 4, 3)),
        ):
            rng = generator(0, "reflection", kind, name)
            k = unit(rng, kind, 4, fmt)
            yield Case(f"{name}, k {kind}", {"x": rounded(state(rng, k), fmt), "k": k})
    if options.raw_k:
        yield from raw_directions("reflection", _made, fmt)


def reflection(options: Options) -> Contract:
    """x − 2 k (kᵀx)."""
    return Contract(
        name="reflection",
        summary="y = x − 2 k (kᵀx)",
        arguments=(Argument("x", ("n", "m"), state=True), Argument("k", ("n",), "unit")),
        results=(("n", "m"),),
        result_names=("y",),
        claims=("reflection.negates_its_axis_only", "delta.reflection"),
        cases=_cases,
        domain=(Parameter("state", 64.0, "largest scale of x"),),
        statements=(
            Statement(
                "reflection.negates_its_axis_only",
                "H",
                lambda values: {"x": eye(len(values["k"])), "k": values["k"]},
            ),
            Statement(
                "reflection.negates_rank_one_only",
                "HX",
                lambda values: {"x": values["X"], "k": values["k"]},
            ),
            Statement(
                "delta.reflection",
                "A",
                lambda values: {"x": eye(len(values["k"])), "k": values["k"]},
            ),
        ),
        **read_with(REFLECTION),
    )


MAKERS = {"reflection": reflection}
