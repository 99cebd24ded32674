"""The contract direction: k/max(‖k‖, ε), or k/√(‖k‖² + ε²) with ``--normalise root``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ....numeric.exactness import to_fraction
from ....numeric.formats import Format
from ....numeric.rounding import outward
from ....numeric.spelled_direction import (
    direction_gradient,
    direction_value,
    spelled_direction_bound,
    spelled_direction_gradient_bound,
)
from ..contract import Argument, Case, Contract, Exact, Floats, Inputs, Measure, Options
from ..strata import draw, generator, rounded

NORMALISATIONS = ("max", "root")


def _strata(fmt: Format, eps: float) -> Iterator[tuple[str, Floats]]:
    rng = generator(0, "direction")
    for d in (1, 2, 3, 5, 8):
        yield f"generic, d = {d}", draw(rng, d)
    yield "axis-aligned", np.array([0.0, -3.0, 0.0])
    yield "four entries of 1e-3", np.full(4, 1e-3)
    yield "zero", np.zeros(3)
    yield "length near ε", draw(rng, 3) * eps
    yield "tiny", draw(rng, 3) * float(fmt.smallest_normal) * 2.0**4
    if not fmt.flushes:
        yield "subnormal", draw(rng, 3) * (float(fmt.smallest_normal) / 4)
    yield "huge", draw(rng, 3) * (float(fmt.largest) / 16)


def _cases(fmt: Format, domain: Mapping[str, float], options: Options) -> Iterator[Case]:
    eps = float(options.values.get("eps", 1e-12))
    for name, k in _strata(fmt, eps):
        yield Case(name, {"k_raw": rounded(k, fmt)})


def direction(options: Options) -> Contract:
    """k over its length."""
    normalise = options.values.get("normalise", "max")
    eps = float(options.values.get("eps", 1e-12))
    if normalise not in NORMALISATIONS or not eps > 0:
        raise ValueError(
            f"direction: normalise must be one of {', '.join(NORMALISATIONS)} and eps positive, "
            f"got {normalise!r} and {eps!r}"
        )

    def value(inputs: Inputs) -> tuple[Exact, ...]:
        return (direction_value(inputs["k_raw"], normalise, eps),)

    def bound(inputs: Inputs, fmt: Format) -> tuple[Floats, ...]:
        return (spelled_direction_bound(inputs["k_raw"], normalise, eps, fmt),)

    def gradient(
        inputs: Inputs, cotangents: tuple[Floats, ...], name: str, fmt: Format
    ) -> tuple[Exact, Floats]:
        k, g = inputs["k_raw"], cotangents[0]
        limit = spelled_direction_gradient_bound(k, g, normalise, eps, fmt)
        return direction_gradient(k, g, normalise, eps), limit

    def length_defect(inputs: Inputs, results: tuple[Exact, ...]) -> Exact:
        made = np.empty((), dtype=object)
        made[()] = (results[0] * results[0]).sum() - 1
        return made

    def length_bound(inputs: Inputs, error: tuple[Floats, ...], fmt: Format) -> Floats:
        # ‖k + e‖² − 1 where ‖k‖ = 1 and abs(e) ≤ B
        (B,) = error
        unit = np.abs(np.array([float(to_fraction(x)) for x in value(inputs)[0]]))
        return outward(np.array((2 * unit * B + B * B).sum()), 2 * len(B) + 8)

    def told(inputs: Inputs, results: tuple[Exact, ...]) -> str:
        squared = float(to_fraction((results[0] * results[0]).sum()))
        return (
            f"the length is {squared**0.5:.6g}: with the gate 2 the eigenvalue along k is "
            f"1 − 2‖k‖² = {1 - 2 * squared:.6g}, not −1"
        )

    unit_claim = Measure(
        "delta.eigenvalue_along_k",
        lambda inputs: bool(np.abs(inputs["k_raw"]).max() > 2 * eps),
        length_defect,
        length_bound,
        explain=told,
    )
    formulas = {"max": "k/max(‖k‖, ε)", "root": "k/√(‖k‖² + ε²)"}
    return Contract(
        name="direction",
        summary=f"k = {formulas[normalise]}, ε = {eps:g}".replace("k/", "k_raw/"),
        arguments=(Argument("k_raw", ("d",), "direction"),),
        results=(("d",),),
        result_names=("k",),
        claims=(
            "delta.rms_direction",
            "delta.key_gradient",
            "delta.eigenvalue_regularised",
            *(("rounding.normalised_zero_is_not_unit",) if normalise == "max" else ()),
        ),
        value=value,
        bound=bound,
        gradient=gradient,
        cases=_cases,
        measures=(unit_claim,) if normalise == "max" else (),
    )


MAKERS = {"direction": direction}
