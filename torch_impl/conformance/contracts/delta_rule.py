"""The contract delta_rule: a delta update a token, read out after the write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ....numeric.formats import Format
from ....numeric.formulas import DELTA_RULE
from ..contract import (
    Argument,
    Case,
    Contract,
    Exact,
    Floats,
    Inputs,
    Options,
    Statement,
)
from ..strata import UNITS, draw, gates, generator, rounded, unit

CLAIMS = ("delta.overwrite", "delta.error_contraction", "delta.identity")
PATTERN = (
    "q: b t h d, k: b t h d, v: b t h d_v, beta: b t h, initial_state: b h d d_v "
    "-> b t h d_v, b h d d_v"
)
SHAPES = ((1, 2, 1), (2, 2, 3), (3, 3, 2), (4, 3, 1), (1, 3, 3))
"""Tokens, d, d_v; the smallest first."""


def _cases(fmt: Format, domain: Mapping[str, float], options: Options) -> Iterator[Case]:
    yield _two_gates(fmt)
    for i, (name, gate) in enumerate([("generic", 1.25), *gates(fmt)]):
        rng = generator(0, "delta rule", i)
        t, d, d_v = SHAPES[i % len(SHAPES)]
        keys = [unit(rng, UNITS[(i + j) % 4], d, fmt) for j in range(t)]
        beta = np.full(t, gate) if i % 2 else np.where(np.arange(t) % 2, 0.75, gate)
        inputs = {
            "q": draw(rng, t, d),
            "k": np.stack(keys),
            "v": draw(rng, t, d_v),
            "beta": beta,
            "initial_state": draw(rng, d, d_v) * (i != 3),
        }
        yield Case(
            f"{name}, {t} tokens, {d}×{d_v}",
            {key: rounded(x, fmt) for key, x in inputs.items()},
        )


def _two_gates(fmt: Format) -> Case:
    """Two tokens whose gates are far apart: few roundings, and a gate in the wrong place shows."""
    rng = generator(0, "delta rule, two gates")
    inputs = {
        "q": draw(rng, 2, 2),
        "k": np.stack([unit(rng, "generic", 2, fmt) for _ in range(2)]),
        "v": draw(rng, 2, 3),
        "beta": np.array([1.75, 0.25]),
        "initial_state": draw(rng, 2, 3),
    }
    return Case("gates apart, 2 tokens", {name: rounded(x, fmt) for name, x in inputs.items()})


def _split(stacked: Any, inputs: Inputs) -> tuple[Any, Any]:
    tokens = len(inputs["k"])
    return stacked[:tokens], stacked[tokens:]


def _value(inputs: Inputs) -> tuple[Exact, ...]:
    return _split(DELTA_RULE.value(inputs), inputs)


def _bound(inputs: Inputs, fmt: Format) -> tuple[Floats, ...]:
    return _split(DELTA_RULE.bound(inputs, fmt), inputs)


def _gradient(
    inputs: Inputs, cotangents: tuple[Floats, ...], name: str, fmt: Format
) -> tuple[Exact, Floats]:
    G = np.concatenate(cotangents)
    bound = DELTA_RULE.gradient_bound(inputs, G, name, fmt)
    return DELTA_RULE.gradient(inputs, G, name), bound


def _one_token(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "q": [values["k"]],
        "k": [values["k"]],
        "v": [values["v"]],
        "beta": [values["beta"]],
        "initial_state": values["X"],
    }


def delta_rule(options: Options) -> Contract:
    """The delta rule over a sequence."""
    return Contract(
        name="delta_rule",
        summary="X_t = X_(t−1) + β_t k_t (v_tᵀ − k_tᵀX_(t−1)), o_t = X_tᵀ q_t, not scaled",
        arguments=(
            Argument("q", ("t", "d")),
            Argument("k", ("t", "d"), "unit"),
            Argument("v", ("t", "d_v")),
            Argument("beta", ("t",), "gate"),
            Argument("initial_state", ("d", "d_v"), state=True),
        ),
        results=(("t", "d_v"), ("d", "d_v")),
        result_names=("o", "final_state"),
        claims=("delta.rank_one_form", "delta.delta_rule"),
        value=_value,
        bound=_bound,
        gradient=_gradient,
        cases=_cases,
        pattern=PATTERN,
        statements=tuple(Statement(claim, "X'", _one_token, result=1) for claim in CLAIMS),
    )


MAKERS = {"delta_rule": delta_rule}
