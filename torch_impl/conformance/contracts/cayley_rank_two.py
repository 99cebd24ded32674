"""The contract cayley_rank_two: Q = (I + S)⁻¹(I − S), S = (β/2)(u vᵀ − v uᵀ)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ....numeric.exact_cayley import (
    cayley_value,
    rank_two_generator,
    rank_two_gradient,
    spelled_orthogonality_bound,
    spelled_rank_two_bound,
    spelled_rank_two_gradient_bound,
)
from ....numeric.exactness import rationals
from ....numeric.formats import Format
from ..contract import (
    Argument,
    Case,
    Contract,
    Exact,
    Floats,
    Inputs,
    Measure,
    Options,
    Parameter,
    Statement,
)
from ..strata import draw, generator, rounded
from .cayley import orthogonality

CLAIMS = (
    "cayley.rank_two_closed_form", "cayley.rank_two_fixes_complement", "cayley.identity_at_zero",
    "cayley.rank_two_angle",
)  # fmt: skip
ANGLES = ("generic", "orthogonal", "near", "nearer", "parallel", "equal", "u zero")
GATES = (1.0, 0.0, 2.0, -1.25, 2.0**-8, 0.5)


def _directions(rng: np.random.Generator, angle: str, n: int, fmt: Format) -> tuple[Floats, Floats]:
    u, v = draw(rng, n), draw(rng, n)
    if angle == "orthogonal":
        u = np.zeros(n)
        u[0] = 1.5
        v[0] = 0.0
    elif angle in ("near", "nearer"):
        v = u + {"near": 1e-2, "nearer": 1e-3}[angle] * v
    elif angle == "parallel":
        v = -2 * rounded(u, fmt)
    elif angle == "equal":
        v = u
    elif angle == "u zero":
        u = np.zeros(n)
    return rounded(u, fmt), rounded(v, fmt)


def _reach(u: Floats, v: Floats) -> float:
    return float(np.linalg.norm(u) * np.linalg.norm(v)) / 2


def _case(fmt: Format, angle: str, n: int, skew: float | None, beta: float) -> Case:
    u, v = _directions(generator(0, "rank two", angle, n), angle, n, fmt)
    name = f"u, v {angle}, gate {beta:g}, n = {n}"
    if skew is not None:
        beta = skew / max(_reach(u, v), 0.25) * 0.99
        name = f"u, v {angle} and skew {skew:g}, n = {n}"
    return Case(name, {"u": u, "v": v, "beta": rounded(beta, fmt)})


def _cases(fmt: Format, domain: Mapping[str, float], options: Options) -> Iterator[Case]:
    for i, angle in enumerate(ANGLES):
        yield _case(fmt, angle, (3, 2, 4, 5)[i % 4], None, GATES[i % len(GATES)])
    for i, beta in enumerate(GATES):
        yield _case(fmt, "generic", (2, 3, 4, 10)[i % 4], None, beta)
    for i, angle in enumerate(ANGLES[:5]):
        yield _case(fmt, angle, (4, 3)[i % 2], domain["skew"], 0.0)
    yield Case("n = 1", {"u": np.array([1.0]), "v": np.array([2.0]), "beta": np.array(0.5)})


def _exact(inputs: Inputs) -> tuple[Exact, Exact, Any]:
    return rationals(inputs["u"]), rationals(inputs["v"]), rationals(inputs["beta"])[()]


def _value(inputs: Inputs) -> tuple[Exact, ...]:
    return (cayley_value(rank_two_generator(*_exact(inputs))),)


def _bound(inputs: Inputs, fmt: Format) -> tuple[Floats, ...]:
    n = len(inputs["u"])
    error = spelled_rank_two_bound(inputs["u"], inputs["v"], inputs["beta"], fmt)
    return (np.broadcast_to(error, (n, n)),)


def _gradient(
    inputs: Inputs, cotangents: tuple[Floats, ...], name: str, fmt: Format
) -> tuple[Exact, Floats]:
    G = cotangents[0]
    exact = rank_two_gradient(*_exact(inputs), rationals(G), name)
    limit = spelled_rank_two_gradient_bound(inputs["u"], inputs["v"], inputs["beta"], G, name, fmt)
    return exact, np.full(np.shape(inputs[name]), limit)


def _orthogonality_bound(inputs: Inputs, error: tuple[Floats, ...], fmt: Format) -> Floats:
    """Whatever the error of Q: rounded inputs have an orthogonal Q too."""
    n = len(inputs["u"])
    return np.full((n, n), spelled_orthogonality_bound(n, fmt))


def _beyond(fmt: Format, parameter: str, scale: float) -> Iterator[Case]:
    yield from (_case(fmt, angle, 4, scale, 0.0) for angle in ("generic", "near"))


def cayley_rank_two(options: Options) -> Contract:
    """(I + S)⁻¹(I − S), S = (β/2)(u vᵀ − v uᵀ)."""
    return Contract(
        name="cayley_rank_two",
        summary="Q = (I + S)⁻¹(I − S), S = (β/2)(u vᵀ − v uᵀ), half formats computed in float32",
        arguments=(
            Argument("u", ("n",), "direction"),
            Argument("v", ("n",), "direction"),
            Argument("beta", (), "gate"),
        ),
        results=(("n", "n"),),
        result_names=("Q",),
        claims=("cayley.rank_two_closed_form", "cayley.generator_skew"),
        value=_value,
        bound=_bound,
        gradient=_gradient,
        cases=_cases,
        beyond=_beyond,
        domain=(Parameter("skew", 100.0, "largest |β/2|·‖u‖‖v‖"),),
        statements=tuple(
            Statement(c, "Q", lambda values: {n: values[n] for n in ("u", "v", "beta")})
            for c in CLAIMS
        ),
        measures=(
            Measure(
                "cayley.orthogonal",
                lambda inputs: True,
                orthogonality,
                _orthogonality_bound,
                parameter="skew",
                explain=lambda inputs, results: (
                    "QᵀQ is not I; where u and v are nearly parallel, ω² = ‖u‖²‖v‖² − (u·v)² "
                    "cancels: take ½‖W‖_F² or an orthonormal basis"
                ),
                cites=(
                    "rounding.cayley_frobenius_omega",
                    "rounding.cayley_plane_basis",
                    "rounding.cayley_naive_omega_reading",
                    "rounding.cayley_solve_reading",
                ),
            ),
        ),
        generator="beta",
        own_factor=0.5,
    )


MAKERS = {"cayley_rank_two": cayley_rank_two}
