"""The contracts delta_update and delta_operator.

The statements on the operator A are read on the update too: A is what the update makes of the
identity where the value is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ....numeric.formats import Format
from ....numeric.formulas import DELTA_OPERATOR, DELTA_UPDATE
from ..contract import Argument, Case, Contract, Floats, Options, Parameter, Statement
from ..strata import draw, gates, generator, rounded, unit
from .polynomial import eye, gated, raw_directions, read_with, sized

STATE_CLAIMS = (
    "delta.rank_one_form", "delta.identity", "delta.overwrite", "delta.reflect_and_write",
    "delta.error_contraction", "delta.preserves_complement",
)  # fmt: skip
OPERATOR_CLAIMS = (
    "delta.eigenvalue_along_k", "delta.eigenvalue_off_k", "delta.projection", "delta.reflection",
    "delta.orthogonal_iff", "delta.norm_distortion", "delta.determinant",
)  # fmt: skip
SPELLINGS = ("rounding.delta_update", "rounding.delta_update_operator_first")
"""What two spellings may err by: both are within the bound of the contract."""
SPECTRAL_CLAIMS = ("delta.characteristic_polynomial", "delta.inverse", "delta.singular_iff")


def _picked(*names: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    return lambda values: {name: values[name] for name in names}


def _operator_as_update(values: Mapping[str, Any]) -> dict[str, Any]:
    d = len(values["k"])
    return {
        "X": eye(d),
        "k": values["k"],
        "v": [Fraction(0)] * d,
        "beta": values["beta"],
    }


def _update(rng: np.random.Generator, d: int, m: int, k: Floats, gate: float) -> dict[str, Any]:
    return {"X": draw(rng, d, m), "k": k, "v": draw(rng, m), "beta": gate}


def _written(rng: np.random.Generator, d: int, m: int, k: Floats, gate: float) -> dict[str, Any]:
    X = draw(rng, d, m)
    return {"X": X, "k": k, "v": k @ X, "beta": gate}


def _scaled(scale: float) -> Callable[..., dict[str, Any]]:
    def make(rng: np.random.Generator, d: int, m: int, k: Floats, gate: float) -> dict[str, Any]:
        return {"X": scale * draw(rng, d, m), "k": k, "v": scale * draw(rng, m), "beta": gate}

    return make


def _update_cases(fmt: Format, domain: Mapping[str, float], options: Options) -> Iterator[Case]:
    yield from sized("update", 1.25, _update, fmt)
    yield from gated("update", gates(fmt), _update, fmt)
    for name, make in (
        ("v already written", _written),
        ("X and v large", _scaled(domain["state"])),
        ("X and v small", _scaled(1 / domain["state"])),
    ):
        rng = generator(0, "update", name)
        made = make(rng, 4, 3, unit(rng, "generic", 4, fmt), 1.25)
        yield Case(name, {key: rounded(x, fmt) for key, x in made.items()})
    if options.raw_k:
        yield from raw_directions("update", _update, fmt)


def delta_update(options: Options) -> Contract:
    """X + β k (vᵀ − kᵀX)."""
    return Contract(
        name="delta_update",
        summary="X' = X + β k (vᵀ − kᵀX)",
        arguments=(
            Argument("X", ("d", "m"), state=True),
            Argument("k", ("d",), "unit"),
            Argument("v", ("m",)),
            Argument("beta", (), "gate"),
        ),
        results=(("d", "m"),),
        result_names=("X'",),
        claims=("delta.rank_one_form", "delta.delta_rule", *SPELLINGS),
        cases=_update_cases,
        domain=(Parameter("state", 64.0, "largest scale of X and v"),),
        statements=(
            *(Statement(c, "X'", _picked("X", "k", "v", "beta")) for c in STATE_CLAIMS),
            *(Statement(c, "A", _operator_as_update) for c in OPERATOR_CLAIMS),
        ),
        **read_with(DELTA_UPDATE),
    )


def _operator(rng: np.random.Generator, d: int, m: int, k: Floats, gate: float) -> dict[str, Any]:
    return {"k": k, "beta": gate}


def _operator_cases(fmt: Format, domain: Mapping[str, float], options: Options) -> Iterator[Case]:
    yield from sized("operator", 1.25, _operator, fmt)
    yield from gated("operator", gates(fmt), _operator, fmt)
    if options.raw_k:
        yield from raw_directions("operator", _operator, fmt)


def _eye(k: Any) -> Any:
    return np.eye(len(k), dtype=int).astype(object)


def delta_operator(options: Options) -> Contract:
    """I − β k kᵀ."""
    return Contract(
        name="delta_operator",
        summary="A = I − β k kᵀ",
        arguments=(Argument("k", ("d",), "unit"), Argument("beta", (), "gate")),
        results=(("d", "d"),),
        result_names=("A",),
        claims=("delta.rank_one_form", "delta.eigenvalue_along_k"),
        cases=_operator_cases,
        statements=tuple(
            Statement(c, "A", _picked("k", "beta")) for c in (*OPERATOR_CLAIMS, *SPECTRAL_CLAIMS)
        ),
        **read_with(DELTA_OPERATOR),
    )


MAKERS = {"delta_update": delta_update, "delta_operator": delta_operator}
