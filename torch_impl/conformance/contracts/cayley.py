"""The contract cayley: Q = (I + S)⁻¹(I − S) for a skew S."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ....numeric.exact_cayley import (
    cayley_gradient,
    cayley_value,
    skew_part,
    spelled_cayley_bound,
    spelled_cayley_gradient_bound,
)
from ....numeric.exactness import rationals
from ....numeric.formats import Format
from ....numeric.rounding import outward
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

CLAIMS = (
    "cayley.orthogonal", "cayley.isometry", "cayley.determinant",
    "cayley.inverse_is_transpose", "cayley.factors_commute",
)  # fmt: skip


def _skew(rng: np.random.Generator, n: int, norm: float, fmt: Format) -> Floats:
    """A skew matrix whose largest entry is `norm`."""
    lower = np.tril(draw(rng, n, n), -1)
    largest = np.abs(lower).max(initial=0.0)
    lower = rounded(lower * (norm / largest if largest else 0.0), fmt)
    return lower - lower.T


def _sized(fmt: Format, norm: float, n: int) -> Case:
    S = _skew(generator(0, "cayley", norm, n), n, norm, fmt)
    return Case(f"skew {norm:g}, n = {n}", {"skew": S})


def _cases(fmt: Format, domain: Mapping[str, float], options: Options) -> Iterator[Case]:
    yield Case("skew 0, n = 1", {"skew": np.zeros((1, 1))})
    yield Case("skew 0, n = 3", {"skew": np.zeros((3, 3))})
    small = max(1e-8, 4 * float(fmt.smallest_normal))
    for i, norm in enumerate((0.5, 0.1, 0.9, 1.5, small, 1e-3, 10.0, domain["skew"])):
        for n in (2, 3, 3 + i % 3):
            yield _sized(fmt, min(norm, domain["skew"]), n)
    plane = np.zeros((4, 4))
    plane[0, 2], plane[2, 0] = -1.0, 1.0
    yield Case("one plane, n = 4", {"skew": plane})


def _value(inputs: Inputs) -> tuple[Exact, ...]:
    return (cayley_value(rationals(inputs["skew"])),)


def _bound(inputs: Inputs, fmt: Format) -> tuple[Floats, ...]:
    S = inputs["skew"]
    return (np.broadcast_to(spelled_cayley_bound(S, fmt), S.shape),)


def _gradient(
    inputs: Inputs, cotangents: tuple[Floats, ...], name: str, fmt: Format
) -> tuple[Exact, Floats]:
    S, G = inputs["skew"], cotangents[0]
    exact = skew_part(cayley_gradient(rationals(S), rationals(G)))
    return exact, np.broadcast_to(spelled_cayley_gradient_bound(S, G, fmt), S.shape)


def orthogonality(inputs: Inputs, results: tuple[Exact, ...]) -> Exact:
    """QᵀQ − I."""
    Q = results[0]
    return Q.T @ Q - np.eye(len(Q), dtype=int).astype(object)


def _orthogonality_bound(inputs: Inputs, error: tuple[Floats, ...], fmt: Format) -> Floats:
    """A column of Q has length 1 and an error of at most B in 2-norm: 2B + B²."""
    B = error[0].max() * np.sqrt(len(error[0]))
    return np.broadcast_to(outward(2 * B + B * B, 8), error[0].shape)


def _beyond(fmt: Format, parameter: str, scale: float) -> Iterator[Case]:
    yield from (_sized(fmt, scale, n) for n in (3, 4))


def cayley(options: Options) -> Contract:
    """(I + S)⁻¹(I − S)."""
    return Contract(
        name="cayley",
        summary="Q = (I + S)⁻¹(I − S), half formats computed in float32 and rounded once",
        arguments=(Argument("skew", ("n", "n"), "skew"),),
        results=(("n", "n"),),
        result_names=("Q",),
        claims=("cayley.nonsingular", "cayley.image"),
        value=_value,
        bound=_bound,
        gradient=_gradient,
        cases=_cases,
        beyond=_beyond,
        domain=(Parameter("skew", 100.0, "largest entry of S"),),
        statements=tuple(
            Statement(claim, "Q", lambda values: {"skew": values["S"]}) for claim in CLAIMS
        ),
        measures=(
            Measure(
                "cayley.orthogonal",
                lambda inputs: True,
                orthogonality,
                _orthogonality_bound,
                parameter="skew",
                explain=lambda inputs, results: "QᵀQ is not I",
                cites=("rounding.cayley_solve_reading",),
            ),
        ),
        generator="skew",
    )


MAKERS = {"cayley": cayley}
