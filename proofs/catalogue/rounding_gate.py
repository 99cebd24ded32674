"""The family rounding, the gate: from which logit on it is 2.

ENTRIES == rounding.gate_saturates

Rounding is monotone and keeps the numbers of the format, so that a rounded term is told by the
midpoint that the exact one reaches. The inequalities between a number of the format and a
threshold, a sum of logarithms, are decided by Arb balls.
"""

from dataclasses import replace
from fractions import Fraction

from ...symbolic import rounding as statements
from ...symbolic.claims import Claim, restate
from ...symbolic.derivations import (
    Assume,
    AtMost,
    BothWays,
    Cited,
    Derivation,
    Evaluated,
    Line,
    Linear,
    Parts,
    Suppose,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import Expression, Literal, elementary, rounded, substitute
from ...symbolic.formats import next_above, next_below
from ...symbolic.propositions import both, eq, implies, le, lt
from ...symbolic.rounding import SATURATIONS, Saturation, at_once, log_2, z
from ...symbolic.rules import instance
from .entry import Entry, Mutant

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
decay, growth = elementary("exp", -z), elementary("exp", z)
inverse = instance("exp_of_negative", z)
logistic = elementary("sigmoid", z)


def log(value: Expression | Fraction) -> Expression:
    """The natural logarithm."""
    return elementary("log", value)


def image(threshold: Expression, value: Fraction) -> tuple[Line, ...]:
    """exp of the threshold is `value`, whose logarithm the threshold is known to be."""
    named_log = eq(threshold, log(value))
    return (
        (lt(0, Literal(value)), Evaluated()),
        (
            eq(elementary("exp", threshold), value),
            chain(
                elementary("exp", threshold),
                step(elementary("exp", log(value)), "the threshold is a logarithm", named_log),
                step(value, "exp undoes log", instance("exp_of_log", Literal(value))),
            ),
        ),
    )


def compared(threshold: Expression, value: Fraction, *, reached: bool) -> tuple[Line, ...]:
    """exp(z) ≥ `value`, where z has reached the threshold; else exp(z) < `value`."""
    order = le(threshold, z) if reached else lt(z, threshold)
    images = instance("exp_increasing", order).expand()[1]
    found = le(value, growth) if reached else lt(growth, value)
    return (
        *image(threshold, value),
        cited(images, "exp_increasing", order),
        (found, Linear((images, eq(elementary("exp", threshold), value)))),
    )


# ---------------------------------------------------------------- correctly rounded


def at_once_proofs(each: Saturation) -> tuple[Line, Derivation, Derivation]:
    """The threshold as a logarithm; from 2σ(z) = 2 to it, and back."""
    fmt, threshold = each.format, each.threshold(each.format)
    r, count = fmt.unit_roundoff, fmt.precision + 1
    below, after = next_below(Fraction(1), fmt), next_above(Fraction(1), fmt)
    midpoint = Fraction(1) - r / 2
    ratio = midpoint / (r / 2)  # 2^(p+1) − 1
    value = rounded(logistic, fmt)
    power, factor = Literal(2) ** count, 1 - Literal(r / 2)

    def over_exp(gap: Expression, distance: Expression) -> AtMost:
        return AtMost(
            chain(
                gap,
                step(
                    gap_with(gap, 1 / (1 + decay)), "σ(z) = 1/(1 + exp(−z))", instance("sigmoid", z)
                ),
                step(gap_with(gap, 1 / (1 + 1 / growth)), "exp(−z) = 1/exp(z)", inverse),
                step(r / 2 * distance / (1 + growth), "over one denominator"),
            )
        )

    logarithm: Line = (
        eq(threshold, log(ratio)),
        lines(
            (lt(0, 2), Evaluated()),
            (lt(0, power), Evaluated()),
            (lt(0, factor), Evaluated()),
            last=chain(
                threshold,
                step(
                    log(power) + log(factor),
                    "a multiple of log 2",
                    instance("log_of_power", Literal(2), count),
                ),
                step(
                    log(power * factor),
                    "a sum of logarithms",
                    instance("log_of_product", power, factor),
                ),
                step(log(ratio), "in numbers"),
            ),
        ),
    )
    forward = lines(
        *compared(threshold, ratio, reached=False),
        (lt(logistic, midpoint), over_exp(midpoint - logistic, ratio - growth)),
        cited(le(value, below), "rounded_below", logistic, 1, fmt),
        last=Linear((eq(2 * value, 2), le(value, below))),
    )
    backward = lines(
        *compared(threshold, ratio, reached=True),
        (le(midpoint, logistic), over_exp(logistic - midpoint, growth - ratio)),
        cited(le(1, value), "rounded_from", logistic, 1, fmt),
        (
            le(logistic, 1 + r),
            AtMost(
                chain(
                    (1 + r) - logistic,
                    step(
                        (1 + r) - 1 / (1 + decay), "σ(z) = 1/(1 + exp(−z))", instance("sigmoid", z)
                    ),
                    step(r + decay / (1 + decay), "over one denominator"),
                )
            ),
        ),
        cited(le(value, 1), "rounded_below", logistic, after, fmt),
        last=Linear((le(1, value), le(value, 1))),
    )
    return logarithm, Suppose(forward), backward


def gap_with(gap: Expression, value: Expression) -> Expression:
    """`gap` with a value for σ(z)."""
    return substitute(gap, {logistic: value})


# ---------------------------------------------------------------- exp, +, ÷


def stepwise_proofs(each: Saturation) -> tuple[Line, Derivation, Derivation]:
    """The threshold as a logarithm; from 2/(1 + exp(−z)) = 2 to it, and back."""
    fmt, threshold = each.format, each.threshold(each.format)
    r, count = fmt.unit_roundoff, fmt.precision
    below, after = next_below(Fraction(1), fmt), next_above(Fraction(1), fmt)
    midpoint = r * (1 + r)  # between 2⁻ᵖ and the number after it
    ratio = 1 / midpoint
    power, divisor = Literal(2) ** count, 1 + Literal(r)
    rounded_decay = rounded(decay, fmt)
    sum_of_both = rounded(1 + rounded_decay, fmt)
    quotient = rounded(1 / sum_of_both, fmt)
    half_below = 1 - r / 2

    def over_exp(gap: Expression, inverted: Expression, distance: Expression) -> AtMost:
        return AtMost(
            chain(
                gap,
                step(inverted, "exp(−z) = 1/exp(z)", inverse),
                step(midpoint * distance / growth, "over one denominator"),
            )
        )

    logarithm: Line = (
        eq(threshold, log(ratio)),
        lines(
            (lt(0, 2), Evaluated()),
            (lt(0, Literal(ratio)), Evaluated()),
            (lt(0, divisor), Evaluated()),
            last=chain(
                threshold,
                step(
                    log(power) - log(divisor),
                    "a multiple of log 2",
                    instance("log_of_power", Literal(2), count),
                ),
                step(log(ratio * divisor) - log(divisor), "in numbers"),
                step(
                    log(ratio) + log(divisor) - log(divisor),
                    "the logarithm of a product",
                    instance("log_of_product", Literal(ratio), divisor),
                ),
                step(log(ratio), "two terms cancel"),
            ),
        ),
    )
    forward = lines(
        *compared(threshold, ratio, reached=False),
        (
            lt(midpoint, decay),
            over_exp(decay - midpoint, 1 / growth - midpoint, ratio - growth),
        ),
        cited(le(r * (1 + 2 * r), rounded_decay), "rounded_from", decay, r * (1 + 2 * r), fmt),
        (lt(1 + r, 1 + rounded_decay), Linear((le(r * (1 + 2 * r), rounded_decay),))),
        cited(le(after, sum_of_both), "rounded_from", 1 + rounded_decay, after, fmt),
        (lt(1 / half_below, sum_of_both), Linear((le(after, sum_of_both),))),
        (
            lt(1 / sum_of_both, half_below),
            AtMost(
                chain(
                    half_below - 1 / sum_of_both,
                    step(
                        half_below * (sum_of_both - 1 / half_below) / sum_of_both,
                        "over one denominator",
                    ),
                )
            ),
        ),
        cited(le(quotient, below), "rounded_below", 1 / sum_of_both, 1, fmt),
        last=Linear((eq(2 * quotient, 2), le(quotient, below))),
    )
    tiny = fmt.smallest_subnormal / 2
    backward = lines(
        *compared(threshold, ratio, reached=True),
        (
            le(decay, midpoint),
            over_exp(midpoint - decay, midpoint - 1 / growth, growth - ratio),
        ),
        cited(le(rounded_decay, r), "rounded_below", decay, next_above(r, fmt), fmt),
        (le(-tiny, decay), AtMost(chain(decay - (-tiny), step(decay + tiny, "a sum")))),
        cited(le(0, rounded_decay), "rounded_from", decay, 0, fmt),
        (le(1 + rounded_decay, 1 + r), Linear((le(rounded_decay, r),))),
        cited(le(sum_of_both, 1), "rounded_below", 1 + rounded_decay, after, fmt),
        (le(half_below, 1 + rounded_decay), Linear((le(0, rounded_decay),))),
        cited(le(1, sum_of_both), "rounded_from", 1 + rounded_decay, 1, fmt),
        (eq(sum_of_both, 1), Linear((le(sum_of_both, 1), le(1, sum_of_both)))),
        last=chain(
            2 * quotient,
            step(2 * rounded(1, fmt), "the sum is rounded to 1", eq(sum_of_both, 1)),
            step(2, "1 is not rounded", instance("number_of_format", 1, fmt)),
        ),
    )
    return logarithm, Suppose(forward), backward


# ---------------------------------------------------------------- both spellings


def proof(each: Saturation) -> Derivation:
    """A spelling of the gate: the threshold, and the first number of the format beyond it."""
    fmt, threshold, first = each.format, each.threshold(each.format), each.first
    before = next_below(first, fmt)
    saturated = eq(each.gate(z, fmt), 2)
    reached = le(threshold, z)
    logarithm, forward, backward = (
        at_once_proofs(each) if each.gate is at_once else stepwise_proofs(each)
    )
    to, fro = implies(saturated, reached), implies(reached, saturated)
    enough, needed = Cited(instance("modus_ponens", fro)), Cited(instance("modus_ponens", to))
    return lines(
        logarithm,
        (to, Assume(forward)),
        (fro, Assume(backward)),
        (lt(before, threshold), Evaluated()),
        (le(threshold, first), Evaluated()),
        last=Parts(
            (
                BothWays(needed, enough),
                Evaluated(),
                Evaluated(),
                Assume(
                    BothWays(
                        lines(
                            (reached, needed),
                            last=Suppose(
                                lines(
                                    cited(le(z, before), "next_number", z, first, fmt),
                                    last=Linear((le(z, before), lt(before, threshold), reached)),
                                )
                            ),
                        ),
                        lines(
                            (reached, Linear((le(first, z), le(threshold, first)))),
                            last=enough,
                        ),
                    )
                ),
            )
        ),
    )


saturates = CLAIMS["rounding.gate_saturates"]


def _with(position: int, **changed: object) -> Claim:
    """The statement with another spelling, threshold or number at a position."""
    every = list(SATURATIONS)
    every[position] = replace(every[position], **changed)
    return restate(saturates, then=both(*(each.statement for each in every)))


def _beside(position: int, *, above: bool) -> Claim:
    first, fmt = SATURATIONS[position].first, SATURATIONS[position].format
    return _with(position, first=next_above(first, fmt) if above else next_below(first, fmt))


GATE_SATURATES = Entry(
    saturates,
    (Kind.DERIVATION,),
    derivation=Parts(tuple(map(proof, SATURATIONS))),
    mutants=(
        Mutant("binary64, the number before", _beside(0, above=False)),
        Mutant("binary64 stepwise, the number after", _beside(1, above=True)),
        Mutant("binary32, the number after", _beside(2, above=True)),
        Mutant("binary16 stepwise, the number before", _beside(7, above=False)),
        Mutant(
            "bfloat16, the threshold of the stepwise gate",
            _with(4, threshold=SATURATIONS[5].threshold),
        ),
        Mutant(
            "binary32, 24·log 2",
            _with(2, threshold=lambda fmt: fmt.precision * log_2),
        ),
    ),
)  # fmt: skip

ENTRIES = (GATE_SATURATES,)
