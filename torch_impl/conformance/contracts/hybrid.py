"""The contract hybrid: γ Q X + (1 − γ)(X − 2 k (kᵀX)).

The statements on B = γQ + (1 − γ)R are read with the reflection R = I − 2kkᵀ, where k is dyadic and
Q permutes axes with signs, or is such a rotation in the directions (1, ±1, ±1, ±1)/2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from ....numeric.formats import Format
from ....numeric.formulas import HYBRID
from ..contract import Argument, Case, Contract, Floats, Inputs, Options, Parameter, Statement
from ..strata import SIZES, UNITS, draw, generator, rounded, shares, unit
from .consequences import gram, lengths
from .polynomial import eye, read_with

CLAIMS = (
    "hybrid.gram", "hybrid.endpoints_orthogonal", "hybrid.interior_not_orthogonal",
    "hybrid.planar_determinant",
)  # fmt: skip


def _rotation(rng: np.random.Generator, kind: str, n: int, fmt: Format) -> Floats:
    if kind == "I":
        return np.eye(n)
    if kind == "cycle":
        Q = np.roll(np.eye(n), 1, axis=0)
        return Q if np.linalg.det(Q) > 0 else np.diag([-1.0, *[1.0] * (n - 1)]) @ Q
    Q = np.linalg.qr(rng.normal(size=(n, n)))[0]
    return rounded(Q * np.sign(np.linalg.det(Q)) if n % 2 else Q, fmt)


def _cases(fmt: Format, domain: Mapping[str, float], options: Options) -> Iterator[Case]:
    scales = {"state generic": 1.0, "state large": domain["state"]}
    chosen = [*shares(fmt), *((name, share) for name, share in shares(fmt) if share in (0, 1, 0.5))]
    for i, (name, gamma) in enumerate(chosen):
        rng = generator(0, "hybrid", i)
        n, m = SIZES[(i + 2) % len(SIZES)]
        kind, rotation = UNITS[i % 4], ("generic", "cycle", "I")[i % 3]
        size, scale = list(scales.items())[i // 7 % 2]
        inputs = {
            "X": rounded(scale * draw(rng, n, m), fmt),
            "Q": _rotation(rng, rotation, n, fmt),
            "k": unit(rng, kind, n, fmt),
            "gamma": rounded(gamma, fmt),
        }
        yield Case(f"{name}, {size}, Q {rotation}, k {kind}, {n}×{m}", inputs)


def _dyadic() -> Iterator[tuple[dict[str, int], dict[str, Any]]]:
    """Sizes and values of the symbols of the claims, orthogonality exact."""
    half = Fraction(1, 2)
    for n, gamma in product((2, 3, 4), (Fraction(1, 4), half, Fraction(0), Fraction(1))):
        directions = [[Fraction(int(i == n - 1)) for i in range(n)]]
        if n == 4:
            directions.append([half, -half, half, half])
        cycle = _rotation(np.random.default_rng(0), "cycle", n, _ANY)
        Q = [[Fraction(x) for x in row] for row in cycle.tolist()]
        for k in directions:
            R = [[Fraction(int(i == j)) - 2 * k[i] * k[j] for j in range(n)] for i in range(n)]
            x = [Fraction(i + 1, 2) * (-1) ** i for i in range(n)]
            yield {"n": n}, {"Q": Q, "R": R, "k": k, "gamma": gamma, "x": x}


_ANY = Format("any", "any", 53, -1022, 1023)


def _of_B(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "X": eye(len(values["k"])),
        "Q": values["Q"],
        "k": values["k"],
        "gamma": values["gamma"],
    }


def _in_range(inputs: Inputs) -> bool:
    return bool(0 <= inputs["gamma"] <= 1)


def hybrid(options: Options) -> Contract:
    """γ Q X + (1 − γ)(X − 2 k (kᵀX))."""
    read = read_with(HYBRID)
    value = read["value"]

    return Contract(
        name="hybrid",
        summary="Y = γ Q X + (1 − γ)(X − 2 k (kᵀX))",
        arguments=(
            Argument("X", ("n", "m"), state=True),
            Argument("Q", ("n", "n"), "orthogonal"),
            Argument("k", ("n",), "unit"),
            Argument("gamma", (), "share"),
        ),
        results=(("n", "m"),),
        result_names=("Y",),
        claims=("hybrid.gram", "hybrid.reduces_to_residual"),
        cases=_cases,
        domain=(Parameter("state", 64.0, "largest scale of X"),),
        statements=tuple(Statement(claim, "B", _of_B, places=_dyadic) for claim in CLAIMS),
        measures=(
            gram(
                "hybrid.distance_to_orthogonal",
                "X",
                value,
                lambda inputs: float(inputs["gamma"]) in (0.0, 1.0),
            ),
            lengths(
                "hybrid.norm_bounds",
                "X",
                lambda inputs: abs(2 * float(inputs["gamma"]) - 1),
                value,
                _in_range,
            ),
        ),
        **read,
    )


MAKERS = {"hybrid": hybrid}
