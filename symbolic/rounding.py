"""Statements on floating-point arithmetic, rounded to nearest with ties to even.

CLAIMS == in the order of the ledger
saturates(…) == from which z on a spelling of the gate 2σ(z) is 2 in a format

What is claimed of a spelling holds of that spelling: the operations are rounded where it says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from .claims import Claim, Source
from .expressions import (
    Expression,
    Literal,
    det,
    dims,
    elementary,
    eye,
    greatest,
    named,
    norm,
    rounded,
    scalar,
    vector,
    zeros,
)
from .formats import BFLOAT16, BINARY16, BINARY32, BINARY64, Format, next_below
from .propositions import Proposition, both, eq, iff, implies, le, lt

# ---------------------------------------------------------------- the gate

z = scalar("z")
log_2 = elementary("log", 2)


def at_once(logit: Expression, fmt: Format) -> Expression:
    """The gate 2σ(z), the logistic function correctly rounded; doubling is exact."""
    return 2 * rounded(elementary("sigmoid", logit), fmt)


def stepwise(logit: Expression, fmt: Format) -> Expression:
    """The gate as 2/(1 + exp(−z)): exponential, sum and quotient each correctly rounded."""
    decay = rounded(elementary("exp", -logit), fmt)
    return 2 * rounded(1 / rounded(1 + decay, fmt), fmt)


def threshold_at_once(fmt: Format) -> Expression:
    """Where σ(z) comes to the midpoint between 1 and the number before it."""
    count, half = fmt.precision + 1, fmt.unit_roundoff / 2
    return count * log_2 + elementary("log", 1 - Literal(half))


def threshold_stepwise(fmt: Format) -> Expression:
    """Where exp(−z) comes to the midpoint between 2⁻ᵖ and the number after it."""
    return fmt.precision * log_2 - elementary("log", 1 + Literal(fmt.unit_roundoff))


def saturates(
    gate: Expression, threshold: Expression, first: Fraction, fmt: Format
) -> Proposition:
    """`gate` is 2 from a threshold on, and in the format from `first` on."""
    saturated = eq(gate, 2)
    return both(
        iff(saturated, le(threshold, z)),
        lt(next_below(first, fmt), threshold),
        le(threshold, first),
        implies(eq(rounded(z, fmt), z), iff(saturated, le(first, z))),
    )


@dataclass(frozen=True)
class Saturation:
    """A spelling of the gate in a format: from which real z on it is 2, and its first number."""

    format: Format
    gate: Callable[[Expression, Format], Expression]
    threshold: Callable[[Format], Expression]
    first: Fraction

    @property
    def statement(self) -> Proposition:
        """What is claimed of this spelling."""
        return saturates(
            self.gate(z, self.format), self.threshold(self.format), self.first, self.format
        )


SATURATIONS = tuple(
    Saturation(fmt, gate, threshold, Fraction(*first))
    for fmt, once, steps in (
        (BINARY64, (2633898417819761, 2**46), (5170245042386939, 2**47)),
        (BINARY32, (9085219, 2**19), (4360905, 2**18)),
        (BFLOAT16, (25, 4), (89, 16)),
        (BINARY16, (1065, 128), (61, 8)),
    )
    for gate, threshold, first in (
        (at_once, threshold_at_once, once),
        (stepwise, threshold_stepwise, steps),
    )
)

# ---------------------------------------------------------------- the direction

n = dims("n")
raw, eps = vector("k", n), scalar("epsilon")
short = both(lt(0, norm(raw)), lt(norm(raw), eps))
direction = named("u", raw / greatest(norm(raw), eps))
H = named("H", eye(n) - 2 * (direction @ direction.T))

CLAIMS = (
    Claim(
        "rounding.gate_saturates",
        title="From which logit on the gate 2σ(z) is exactly 2 in each format",
        source=Source("NEW"),
        then=[each.statement for each in SATURATIONS],
    ),
    Claim(
        "rounding.normalised_zero_is_not_unit",
        title="k/max(‖k‖, ε) is no unit vector for a short k: the reflection along it is none",
        source=Source("NEW"),
        given=[lt(0, eps)],
        then=[
            implies(eq(raw, zeros(n, 1)), eq(H, eye(n))),
            implies(short, eq(det(H), 1 - 2 * norm(raw) ** 2 / eps**2)),
            implies(short, lt(-1, det(H))),
        ],
    ),
)
