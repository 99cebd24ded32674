"""What one input says about a claim, and how an input is shown.

Reading                        == the truth of the claim at an input, and whether it was put to use
read(claim, inputs, algebra)   == the Reading
shown(inputs, text)            == JSON: the sizes and values of an input
failed(rejected)               == how mutants fared, in words
sentence(shown)                == the same in a line
NOT_MET                        == what is said where no input met the hypotheses
NO_VALUE                       == what is raised where a term has no value, or none to be found

A claim whose hypotheses hold is tested by its conclusion; one whose conclusion fails is tested by
its hypotheses, which must fail as well. Other inputs say nothing, and do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..symbolic import propositions as pr
from ..symbolic.claims import Claim
from ..symbolic.constructions import Inputs
from ..symbolic.evaluation import (
    Algebra,
    Lambda,
    NotDifferentiable,
    Truth,
    Undefined,
    Unsupported,
    holds,
)

NOT_MET = "no input met the hypotheses"
NO_VALUE = (Undefined, Unsupported, NotDifferentiable)


def failed(rejected: Sequence[bool]) -> str:
    """How mutants fared, in words; `rejected` says of each whether it was seen to fail."""
    if not rejected:
        return "no mutants were given"
    missed = [str(i) for i, seen in enumerate(rejected, start=1) if not seen]
    if missed:
        return f"of {len(rejected)} mutants, number {', '.join(missed)} was not seen to fail"
    return f"{len(rejected)} of {len(rejected)} mutants fail"


@dataclass(frozen=True)
class Reading:
    """`truth` of the claim; `tested`: the conclusion, or the contrapositive, was put to use.

    `met`: whether the hypotheses hold, None where rounding or width leave that undecided. A claim
    that no input meets is not supported by the contrapositive alone: contradictory hypotheses would
    support anything.
    """

    truth: Truth
    tested: bool
    met: Truth = False


def read(claim: Claim, inputs: Inputs, algebra: Algebra) -> Reading:
    """Evaluate `claim` at inputs that were built for it.

    Raises one of NO_VALUE where a term has no value.
    """
    premise = holds(pr.And(inputs.unmet), inputs.at, algebra)
    conclusion = holds(claim.then, inputs.at, algebra)
    if premise is True:
        return Reading(conclusion, True, met=True)
    if premise is False:
        return Reading(True, conclusion is False, met=False)
    return Reading(True if conclusion else None, conclusion is True, met=None)


def shown(inputs: Inputs, text: Callable[[Any], str], algebra: Algebra) -> dict[str, Any]:
    """Sizes and values as JSON; numbers are strings."""
    return {
        "sizes": dict(inputs.at.sizes),
        "values": {
            name: _shown(value, text, algebra)
            for name, value in inputs.at.values.items()
            if name not in inputs.at.sizes
        },
    }


def _shown(value: Any, text: Callable[[Any], str], algebra: Algebra) -> Any:
    if isinstance(value, Lambda):
        return str(value)
    if isinstance(value, Mapping):
        return {str(i): _shown(term, text, algebra) for i, term in value.items()}
    try:
        rows = algebra.rows(value)
    except (AttributeError, TypeError):
        return text(value)
    return [[text(x) for x in row] for row in rows]


def sentence(shown: Mapping[str, Any]) -> str:
    """An input in one line."""
    parts = [f"{name} = {size}" for name, size in shown["sizes"].items()]
    parts += [f"{name} = {_flat(value)}" for name, value in shown["values"].items()]
    return ", ".join(parts)


def _flat(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_flat(x) for x in value) + "]"
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{i}: {_flat(x)}" for i, x in value.items()) + ")"
    return str(value)
