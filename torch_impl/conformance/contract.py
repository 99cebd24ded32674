"""What a contract is, as data.

Contract  == a signature, a domain, an exact reference with bounds, and the checks that follow
Argument  == one of its inputs: name, axes, what kind of array
Case      == one input of a stratum, without batch axes
Statement == a claim of the ledger, read with the target's result in the place of a named expression
Measure   == a consequence that is measured on the results of every case, with a bound of its own
Parameter == a bound of the domain that the checks cover, adjustable with ``--domain``
Options   == what the user says of the target

Shapes and references are those of one case; batches are stacks of cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...numeric.formats import Format

DEFINITION = {"definition": "the result is the value of the formula, within the rounding bound"}
GENERIC = {
    "returns": "the operator returns tensors, and raises nothing",
    "shape": "the results have the shapes of the signature",
    "result_type": "the results have the dtype and the device of the inputs",
    "finite": "finite inputs have finite results",
    "inputs_unchanged": "the inputs are not written to",
    "gradient": "the gradients are those of the formula, within the rounding bound",
    "batch_independence": "an item has the result that it has alone",
    "non_contiguous": "strides of the inputs change no result",
    "expanded": "inputs with a batch axis of stride 0 have the result of their copies",
    "vmap": "torch.vmap gives the result of a batch",
    "two_batch_axes": "two batch axes are as good as one",
    "empty_batch": "an empty batch has an empty result",
    "determinism": "the same input twice has the same result, bit by bit",
}
"""What every operator contract asks besides its definition, in words."""

Floats: TypeAlias = NDArray[np.float64]
Exact: TypeAlias = NDArray[np.object_]
Inputs: TypeAlias = Mapping[str, Floats]
Kind: TypeAlias = Literal["free", "unit", "direction", "skew", "orthogonal", "gate", "share"]


@dataclass(frozen=True)
class Argument:
    """`axes` after the batch; `kind` says which arrays are meant.

    ``unit``: a vector of length 1 up to rounding; ``direction``: of any length; ``gate``: real;
    ``share``: in [0, 1]; `state` marks what ``--transposed`` transposes.
    """

    name: str
    axes: tuple[str, ...]
    kind: Kind = "free"
    state: bool = False

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(('...', *self.axes))}]"


@dataclass(frozen=True)
class Parameter:
    """A number that bounds the inputs of a contract."""

    name: str
    value: float
    meaning: str


@dataclass(frozen=True)
class Options:
    """What the user says: the domain, and the numbers of a variant (ε, rounds, …)."""

    domain: Mapping[str, float] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    raw_k: bool = False


@dataclass(frozen=True)
class Case:
    """One input, and the stratum that it stands for."""

    stratum: str
    inputs: Inputs


@dataclass(frozen=True)
class Statement:
    """A claim of the ledger read on the target.

    Parameters
    ----------
    claim
        Its id.
    node
        The named expression that the target computes.
    arguments
        From the values of the claim's symbols, arrays of Fractions, to the contract's arguments.
    result
        Which of the results the named expression is.
    places
        Sizes and values of the claim's symbols; by default the claim's own constructions. The
        hypotheses are checked at each.
    """

    claim: str
    node: str
    arguments: Callable[[Mapping[str, Any]], dict[str, Any]]
    result: int = 0
    places: Callable[[], Iterable[tuple[Mapping[str, int], Mapping[str, Any]]]] | None = None


@dataclass(frozen=True)
class Measure:
    """A consequence of the contract, measured on results.

    Parameters
    ----------
    claim
        The id of the statement that it is a case of.
    applies
        At which inputs there is something to measure.
    residual
        What is to be zero, from inputs and exact results (rationals): an array of rationals.
    bound
        For its absolute value, entry by entry, from the inputs, the bounds of the results' errors
        and the format that is computed in.
    parameter
        The parameter of the domain beyond which its range is looked for.
    explain
        What to say of an input at which it fails.
    cites
        Claims besides: what is proved or refuted of the bound.
    """

    claim: str
    applies: Callable[[Inputs], bool]
    residual: Callable[[Inputs, tuple[Exact, ...]], Exact]
    bound: Callable[[Inputs, tuple[Floats, ...], Format], Floats]
    parameter: str = ""
    explain: Callable[[Inputs, tuple[Exact, ...]], str] = lambda inputs, results: ""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Contract:
    """A set of claims read as checks on a black box.

    Parameters
    ----------
    name, summary
        The formula in words of the field.
    arguments, results
        The signature; `results` are the axes of each result.
    claims
        Ids that the definition cites.
    value
        The exact results at an input.
    bound
        Bounds of their errors for every backward-stable spelling.
    gradient
        For one argument, the exact gradient of Σ cotangent·result and a bound of its error.
    cases
        The strata, in a format and a domain.
    pattern
        The layout, where it is not the batch followed by the axes.
    beyond
        Cases at a value of a parameter of the domain, for ranges.
    range_of_definition
        Whether the exact value can be had there too.
    generator, own_factor
        The argument that a generator is proportional to, and the factor of the contract.
    """

    name: str
    summary: str
    arguments: tuple[Argument, ...]
    results: tuple[tuple[str, ...], ...]
    claims: tuple[str, ...]
    value: Callable[[Inputs], tuple[Exact, ...]]
    bound: Callable[[Inputs, Format], tuple[Floats, ...]]
    cases: Callable[[Format, Mapping[str, float], Options], Iterable[Case]]
    gradient: Callable[[Inputs, tuple[Floats, ...], str, Format], tuple[Exact, Floats]]
    domain: tuple[Parameter, ...] = ()
    statements: tuple[Statement, ...] = ()
    measures: tuple[Measure, ...] = ()
    beyond: Callable[[Format, str, float], Iterable[Case]] | None = None
    pattern: str = ""
    range_of_definition: bool = True
    generator: str = ""
    own_factor: float = 1.0
    result_names: tuple[str, ...] = ("result",)

    @property
    def signature(self) -> str:
        """``f(X[..., d, m], …) -> …``."""
        told = self.pattern or ", ".join(map(str, self.arguments))
        results = ", ".join(
            f"{name}[{', '.join(('...', *axes))}]"
            for name, axes in zip(self.result_names, self.results, strict=True)
        )
        return f"f({told})" if self.pattern else f"f({told}) -> {results}"

    @property
    def asks(self) -> dict[str, str]:
        """The contract's own checks in words, by id; the others are claims of the ledger."""
        return {f"{self.name}.{name}": said for name, said in (DEFINITION | GENERIC).items()}

    @property
    def checks(self) -> tuple[str, ...]:
        """The claims that a run makes checks of, the definition first."""
        read = (s.claim for s in self.statements)
        return tuple(dict.fromkeys((*self.asks, *read, *(m.claim for m in self.measures))))

    @property
    def cited(self) -> tuple[str, ...]:
        """Every id of the ledger that a check cites."""
        read = (s.claim for s in self.statements)
        measured = (i for m in self.measures for i in (m.claim, *m.cites))
        return tuple(dict.fromkeys((*self.claims, *read, *measured)))
