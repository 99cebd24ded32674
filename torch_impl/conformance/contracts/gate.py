"""The contracts gate, 2σ(z), and gate_regulariser, 4γ(1 − γ), both elementwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import numpy as np

from ....numeric.exactness import rationals, to_fraction
from ....numeric.formats import Format
from ....numeric.formulas import GATE_REGULARISER
from ....numeric.spelled_gate import (
    gate_slope,
    gate_value,
    spelled_gate_bound,
    spelled_gate_slope_bound,
)
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
from ..strata import rounded, shares, ulps
from .polynomial import read_with

SHARES = tuple(map(Fraction, ("1/2", "0", "1", "1/4", "3/4", "5/16", "1/128")))


def _logits(fmt: Format, domain: Mapping[str, float], options: Options) -> Iterator[Case]:
    most = domain["z"]
    for name, z in (
        ("logit 0", 0.0),
        ("logit moderate", 1.0),
        ("logit moderate", -1.5),
        ("logit beside 0", ulps(2.0**-3, fmt)),
        ("logit tiny", 2.0**-12),
        ("logit large", 4.5),
        ("logit large", -4.5),
        ("logit nearly saturated", -8.0),
        ("logit nearly saturated", 7.25),
        ("logit saturated", most),
        ("logit saturated", -most),
    ):
        yield Case(f"{name}, {z:g}", {"z": rounded(z, fmt)})


def _number(x: object) -> Exact:
    made = np.empty((), dtype=object)
    made[()] = x
    return made


def _gate(inputs: Inputs) -> tuple[Exact, ...]:
    return (_number(gate_value(float(inputs["z"]))),)


def _gate_bound(inputs: Inputs, fmt: Format) -> tuple[Floats, ...]:
    return (spelled_gate_bound(float(inputs["z"]), fmt),)


def _gate_gradient(
    inputs: Inputs, cotangents: tuple[Floats, ...], name: str, fmt: Format
) -> tuple[Exact, Floats]:
    z, G = float(inputs["z"]), cotangents[0]
    r = float(fmt.unit_roundoff)
    exact = rationals(G)[()] * gate_slope(z)
    slope = abs(float(to_fraction(exact)))
    bound = np.abs(G) * spelled_gate_slope_bound(z, fmt) * (1 + 2 * r) + 2 * r * slope
    return _number(exact), bound


def _outside(inputs: Inputs, results: tuple[Exact, ...]) -> Exact:
    y = results[0][()]
    return _number(max(y - 2, -y, 0 * y))


def gate(options: Options) -> Contract:
    """2σ(z)."""
    return Contract(
        name="gate",
        summary="β = 2σ(z) = 2/(1 + exp(−z)), elementwise",
        arguments=(Argument("z", ()),),
        results=((),),
        result_names=("beta",),
        claims=("delta.gate_range", "delta.gate_gradient", "rounding.gate_saturates"),
        value=_gate,
        bound=_gate_bound,
        gradient=_gate_gradient,
        cases=_logits,
        domain=(Parameter("z", 40.0, "largest abs(z)"),),
        measures=(
            Measure(
                "delta.gate_range",
                lambda inputs: True,
                _outside,
                lambda inputs, error, fmt: np.zeros(()),
                explain=lambda inputs, results: "a gate outside [0, 2]",
            ),
        ),
    )


def _shares(fmt: Format, domain: Mapping[str, float], options: Options) -> Iterator[Case]:
    for name, gamma in shares(fmt):
        yield Case(f"{name}, {gamma:g}", {"gamma": rounded(gamma, fmt)})
    for gamma in (0.25, 0.75, 0.90625, 2.0**-8):
        yield Case(f"share inside, {gamma:g}", {"gamma": rounded(gamma, fmt)})


def gate_regulariser(options: Options) -> Contract:
    """4γ(1 − γ)."""
    return Contract(
        name="gate_regulariser",
        summary="loss = 4γ(1 − γ), elementwise, not reduced",
        arguments=(Argument("gamma", (), "share"),),
        results=((),),
        result_names=("loss",),
        claims=("gate.regulariser_profile", "hybrid.orthogonality_defect"),
        cases=_shares,
        statements=(
            Statement(
                "gate.bernoulli_variance",
                "f",
                lambda values: {"gamma": values["gamma"]},
                # the claim's own construction gives numbers of the format for ½ and 1 alone
                places=lambda: (({}, {"gamma": gamma}) for gamma in SHARES),
            ),
        ),
        measures=(
            Measure(
                "gate.regulariser_profile",
                lambda inputs: float(inputs["gamma"]) in (0.0, 1.0),
                lambda inputs, results: results[0],
                lambda inputs, error, fmt: np.zeros(()),
                explain=lambda inputs, results: "the regulariser does not vanish at 0 and 1",
            ),
        ),
        **read_with(GATE_REGULARISER),
    )


MAKERS = {"gate": gate, "gate_regulariser": gate_regulariser}
