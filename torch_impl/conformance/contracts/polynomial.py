"""What contracts with polynomial formulas share: value, bound and gradients from one formula.

read_with(formula) == the fields `value`, `bound` and `gradient` of a Contract
gated(…)           == one case for each gate, sizes and unit vectors taking turns
eye_of(values, name) == the identity of the size of a vector, as Fractions
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ....numeric.formats import Format
from ....numeric.polynomials import Polynomial
from ..contract import Case, Exact, Floats, Inputs
from ..strata import SIZES, UNITS, draw, generator, rounded, unit


def read_with(formula: Polynomial) -> dict[str, Any]:
    """Value, bound and gradient of a contract with one polynomial result."""

    def value(inputs: Inputs) -> tuple[Exact, ...]:
        return (formula.value(inputs),)

    def bound(inputs: Inputs, fmt: Format) -> tuple[Floats, ...]:
        return (formula.bound(inputs, fmt),)

    def gradient(
        inputs: Inputs, cotangents: tuple[Floats, ...], name: str, fmt: Format
    ) -> tuple[Exact, Floats]:
        (G,) = cotangents
        return formula.gradient(inputs, G, name), formula.gradient_bound(inputs, G, name, fmt)

    return {"value": value, "bound": bound, "gradient": gradient}


Made = Callable[[np.random.Generator, int, int, Floats, float], dict[str, Any]]


def gated(
    label: str, chosen: Iterable[tuple[str, float]], make: Made, fmt: Format
) -> Iterator[Case]:
    """One case for each gate; `make` gets a generator, d, m, a unit vector and the gate."""
    for i, (name, gate) in enumerate(chosen):
        rng = generator(0, label, i)
        d, m = SIZES[(i + 1) % len(SIZES)]
        kind = UNITS[i % len(UNITS)]
        k = unit(rng, kind, d, fmt)
        made = make(rng, d, m, k, gate)
        inputs = {name: rounded(x, fmt) for name, x in made.items()}
        yield Case(f"{name}, k {kind}, {d}×{m}", inputs)


def sized(label: str, gate: float, make: Made, fmt: Format) -> Iterator[Case]:
    """One case for each size, at a generic direction."""
    for d, m in SIZES:
        rng = generator(0, label, d, m)
        made = make(rng, d, m, unit(rng, "generic", d, fmt), gate)
        inputs = {name: rounded(x, fmt) for name, x in made.items()}
        yield Case(f"generic, {d}×{m}", inputs)


RAW = (("zero", 0.0), ("tiny", 2.0**-12), ("subnormal", -1.0), ("huge", 2.0**12))


def raw_directions(label: str, make: Made, fmt: Format) -> Iterator[Case]:
    """Directions of every length, for ``--raw-k``."""
    for name, scale in RAW:
        rng = generator(0, label, name)
        if scale < 0 and fmt.flushes:
            continue
        length = float(fmt.smallest_normal) / 4 if scale < 0 else scale
        if name == "huge":
            length = min(length, float(fmt.largest) ** 0.25)
        k = rounded(draw(rng, 3) * length, fmt)
        made = make(rng, 3, 2, k, 0.75)
        yield Case(f"k {name}", {name: rounded(x, fmt) for name, x in made.items()})


def eye(d: int) -> list[list[Fraction]]:
    """The identity, as Fractions."""
    return [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]


def draw_state(rng: np.random.Generator, d: int, m: int) -> Floats:
    """A state: generic, so that no column and no row is invisible."""
    return draw(rng, d, m)
