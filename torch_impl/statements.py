"""Torch evidence: the operators put into the statement, in four formats, within derived bounds.

check_torch(claim, operators, …) == Evidence
DTYPES                           == the formats looked at

For each named expression of the statement that an operator computes,

1. the operator's result is compared with the exact value of that expression at the very inputs,
   within the operator's a-priori bound (`numeric.<module>.<operator>_bound`): at inputs that use
   every digit of the format, and at
2. inputs that are numbers of the format and satisfy the hypotheses exactly: dyadic gates, skew
   matrices, unit vectors such as (½, ½, ½, ½). There the result, carrying its bound as its error,
   takes the place of the name in the statement, which is read in running-error arithmetic;
3. derivatives come from autograd and are bounded likewise (`…_derivative_bound`); in float64 the
   operator also passes slow-mode `gradcheck`.

A wrong operator fails at 1 or 2, a wrong statement at 2; so does a wrong definition of the name.
Left out: that the operators themselves are good at hard inputs, which tests/torch_impl measures.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Protocol

import numpy as np
import torch
from flint import fmpq, fmpq_mat
from torch import Tensor

from ..numeric.formats import Format, format_of, round_to_format
from ..numeric.readings import read, sentence, shown
from ..numeric.running_error import BINARY64, RunningErrorAlgebra
from ..numeric.sampling import Case, Number, Stream, always, sizes
from ..symbolic import expressions as ex
from ..symbolic.claims import Claim, restate, symbols
from ..symbolic.constructions import Inputs
from ..symbolic.evaluation import Assignment, Lambda, Undefined, Unsupported, evaluate, holds
from ..symbolic.evidence import Evidence, Kind, Outcome
from ..symbolic.exact import EXACT, to_rational
from ..symbolic.propositions import (
    Differentiable,
    Exists,
    ForAll,
    Proposition,
    replace_expressions,
)
from .results_in_statements import (
    HEADS,
    TAILS,
    bounded,
    carried,
    fits,
    floats,
    plain,
    stand_in,
)

DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)


class OperatorLike(Protocol):
    """What the catalogue says of an operator."""

    @property
    def function(self) -> str: ...
    @property
    def arguments(self) -> tuple[str, ...]: ...
    @property
    def instance(self) -> Lambda | None: ...


def check_torch(claim: Claim, operators: Mapping[str, OperatorLike], *, seed: int = 0) -> Evidence:
    """Read `claim` with torch operators in the place of named expressions.

    Parameters
    ----------
    claim : Claim
        Its named expressions, or function symbols, are the keys of `operators`.
    operators : mapping
        Name -> operator of deltaproof.torch_impl.
    seed : int
        Chooses the inputs.

    Returns
    -------
    Evidence
        Of kind `torch`. Contradicted: an operator exceeds its bound, a gradient is wrong, or the
        statement reads false. Inconclusive: no input put an operator to use in some format.
    """
    computed = {name: _Computed.load(name, op) for name, op in operators.items()}
    nodes = _computed_nodes(claim, computed)
    if not nodes:
        named = ", ".join(operators) or "none"
        return Evidence(
            Kind.TORCH,
            Outcome.INCONCLUSIVE,
            f"no expression of the statement is computed by an operator (operators: {named})",
            {"dtypes": []},
        )
    measured = []
    for dtype in DTYPES:
        run = _Run(claim, computed, nodes, dtype)
        for inputs in _rough_inputs(claim, run.format, seed):
            if failure := run.compare(inputs):
                return run.contradiction(failure, inputs)
        for inputs in _inputs(claim, computed, run.format, seed):
            if failure := run.look_at(inputs):
                return run.contradiction(failure, inputs)
        measured.append(run.measurement())
    dtypes = [row["dtype"] for row in measured]
    scope = {"dtypes": dtypes}
    if idle := [row["dtype"] for row in measured if not row["inputs"]]:
        return Evidence(
            Kind.TORCH,
            Outcome.INCONCLUSIVE,
            f"no input put the statement to use in {', '.join(idle)}",
            scope,
            {"measurements": measured},
        )
    worst = max(row["ratio"] for row in measured)
    return Evidence(
        Kind.TORCH,
        Outcome.CONFIRMED,
        f"{', '.join(operators)} by torch; errors within {worst:.2g} of their bounds in "
        f"{', '.join(dtypes)}",
        scope,
        {"measurements": measured},
    )


# ---------------------------------------------------------------- operators in statements


@dataclass(frozen=True)
class _Computed:
    """An operator with its bounds, found by name."""

    name: str
    function: Callable[..., Tensor]
    bound: Callable[..., np.ndarray]
    derivative_bound: Callable[..., np.ndarray] | None
    arguments: tuple[str, ...]
    instance: Lambda | None

    @classmethod
    def load(cls, name: str, operator: OperatorLike) -> _Computed:
        module, _, function = operator.function.partition(":")
        package = __package__ or ""
        torch_module = importlib.import_module(f".{module}", package)
        bounds = importlib.import_module(f"..numeric.{module}", package)
        return cls(
            name,
            getattr(torch_module, function),
            getattr(bounds, f"{function}_bound"),
            getattr(bounds, f"{function}_derivative_bound", None),
            operator.arguments,
            operator.instance,
        )


def _computed_nodes(
    claim: Claim, computed: Mapping[str, _Computed]
) -> dict[ex.Expression, _Computed]:
    """The expressions of the statement that torch computes, outermost only, in order."""
    found: dict[ex.Expression, _Computed] = {}

    def visit(node: ex.Expression) -> None:
        match node:
            case ex.Derivative(ex.Named(name, _) | ex.Apply(ex.FunctionSymbol(name), _)) if (
                name in computed
            ):
                found.setdefault(node, computed[name])
            case ex.Named(name, _) | ex.Apply(ex.FunctionSymbol(name), _) if name in computed:
                found.setdefault(node, computed[name])
            case _:
                for part in node.parts:
                    visit(part)

    def visit_statement(statement: Proposition) -> None:
        if isinstance(statement, ForAll | Exists | Differentiable):
            return  # no numbers to compute at: their variables are bound
        for expression in statement.expressions:
            visit(expression)
        for part in statement.propositions:
            visit_statement(part)

    for statement in claim.statement:
        visit_statement(statement)
    return found


# ---------------------------------------------------------------- inputs


def _streams(seed: int) -> tuple[Stream, ...]:
    constant = [Stream(f"torch, {x} everywhere", seed, always(Fraction(x))) for x in (0, 1)]
    first = [
        Stream(f"torch, {x} first, _{kind}", seed, tail, (x,), component=i)
        for i, x in enumerate(HEADS)
        for kind, tail in TAILS.items()
    ]
    return (*constant, *first)


def _inputs(
    claim: Claim, computed: Mapping[str, _Computed], fmt: Format, seed: int
) -> Iterator[Inputs]:
    """Inputs of all sizes up to 5 whose every entry is a number of the format."""
    for chosen in sizes(claim):
        for stream in _streams(seed):
            try:
                inputs = Case(chosen, stream).inputs(claim, EXACT)
            except (Undefined, Unsupported):
                continue
            at = inputs.at
            for operator in computed.values():
                if operator.instance is not None:
                    at = at.bind(operator.name, operator.instance)
            if at is not inputs.at and any(holds(g, at, EXACT) is False for g in claim.given):
                continue
            free = symbols(claim)
            own = (plain(claim, x.name, at) for x in (*free.scalars, *free.matrices))
            if fits(own, fmt):
                yield Inputs(at, inputs.unmet)


def _rough_inputs(claim: Claim, fmt: Format, seed: int) -> Iterator[Inputs]:
    """Inputs with random digits, rounded to the format; they need not satisfy hypotheses.

    Rounding is odd, so that a skew matrix stays skew.
    """

    def rough(random: Random) -> Number:
        return Number(Fraction(random.getrandbits(60), 2**58) - 2)

    def rounded(value: Any) -> Any:
        if isinstance(value, fmpq):
            return EXACT.number(round_to_format(to_rational(value), fmt))
        if isinstance(value, fmpq_mat):
            return EXACT.matrix([[rounded(x) for x in row] for row in EXACT.rows(value)])
        return value

    for chosen in sizes(claim):
        try:
            inputs = Case(chosen, Stream("torch, rough", seed, rough)).inputs(claim, EXACT)
        except (Undefined, Unsupported):
            continue
        values = {name: rounded(value) for name, value in inputs.at.values.items()}
        yield Inputs(Assignment(inputs.at.sizes, values), inputs.unmet)


# ---------------------------------------------------------------- one format


@dataclass(frozen=True)
class _Result:
    """What torch computed, the exact value, and the bound of their distance, row by row."""

    got: list[list[Fraction]]
    exact: list[list[Fraction]]
    bound: list[list[float]]

    def worst(self) -> tuple[float, float, float]:
        """Observed, bound and ratio of the entry closest to its bound, or furthest beyond it."""
        found = (0.0, 0.0, 0.0)
        for rows in zip(self.got, self.exact, self.bound, strict=True):
            for got, exact, bound in zip(*rows, strict=True):
                observed = abs(got - exact)
                if observed:
                    ratio = float(observed / Fraction(bound)) if bound else math.inf
                    found = max(found, (float(observed), bound, ratio), key=lambda row: row[2])
        return found


class _Run:
    """The checks of one claim in one format, and the worst that they saw."""

    def __init__(
        self,
        claim: Claim,
        computed: Mapping[str, _Computed],
        nodes: Mapping[ex.Expression, _Computed],
        dtype: torch.dtype,
    ):
        self.claim, self.nodes, self.dtype = claim, nodes, dtype
        self.format = format_of(str(dtype))
        self.symbols = {node: stand_in(i, node) for i, node in enumerate(nodes)}
        self.statement = restate(claim, then=self.replaced(claim.then))
        self.to_differentiate = set(computed) if dtype == torch.float64 else set()
        self.algebra = RunningErrorAlgebra(BINARY64)
        self.inputs = 0
        self.worst = (0.0, 0.0, 0.0)

    def replaced(self, statement: Proposition) -> Proposition:
        """A statement with the computed expressions replaced by symbols for their results."""
        return replace_expressions(statement, lambda node: ex.substitute(node, self.symbols))

    def compare(self, inputs: Inputs) -> str | None:
        """Which operator exceeds its bound at this input; the statement is not read."""
        for node, operator in self.nodes.items():
            if operator.instance is not None:
                continue
            try:
                result = self.compute(node, operator, inputs.at)
            except (Undefined, Unsupported):
                continue
            if failure := self.judge(node, operator, result):
                return failure
        return None

    def judge(self, node: ex.Expression, operator: _Computed, result: _Result) -> str | None:
        """Is the result within its bound?"""
        observed, bound, ratio = result.worst()
        if ratio > 1:
            return (
                f"{node} by {operator.function.__name__} is off by {observed:.3g}, "
                f"{ratio:.3g} times its bound {bound:.3g}"
            )
        self.worst = max(self.worst, (observed, bound, ratio), key=lambda row: row[2])
        return None

    def look_at(self, inputs: Inputs) -> str | None:
        """What is wrong at this input, or None."""
        at = bounded(inputs.at, self.algebra)
        try:
            for node, operator in self.nodes.items():
                result = self.compute(node, operator, inputs.at)
                if failure := self.judge(node, operator, result):
                    return failure
                at = at.bind(self.symbols[node].name, self.carried(node, result))
                if operator.name in self.to_differentiate:
                    self.to_differentiate.discard(operator.name)
                    if not self.gradients_agree(node, operator, inputs.at):
                        return f"the gradient of {operator.function.__name__} is not its derivative"
            unmet = tuple(self.replaced(fact) for fact in inputs.unmet)
            reading = read(self.statement, Inputs(at, unmet), self.algebra)
        except (Undefined, Unsupported):
            return None
        if reading.truth is False:
            used = ", ".join(dict.fromkeys(op.function.__name__ for op in self.nodes.values()))
            return f"the statement reads false with the results of {used}"
        self.inputs += reading.tested
        return None

    def compute(self, node: ex.Expression, operator: _Computed, at: Assignment) -> _Result:
        """Torch's value of a computed expression beside the exact one."""
        exact = _exact_rows(node, at)
        if isinstance(node, ex.Derivative):
            if operator.derivative_bound is None:
                raise Unsupported(f"no bound for the derivative of {operator.name}")
            point = to_rational(evaluate(node.at, at, EXACT))
            got = _nth_derivative(operator.function, _tensor(point, self.dtype), node.order)
            bound = operator.derivative_bound(float(point), self.format, order=node.order)
        else:
            values = self.arguments(node, operator, at)
            got = operator.function(*(_tensor(value, self.dtype) for value in values))
            bound = operator.bound(*(np.array(floats(value)) for value in values), self.format)
        shape = (len(exact), len(exact[0]))
        entries = got.detach().to(torch.float64).reshape(shape).tolist()
        bounds = np.broadcast_to(bound, tuple(got.shape)).astype(float).reshape(shape).tolist()
        return _Result([[Fraction(x) for x in row] for row in entries], exact, bounds)

    def arguments(self, node: ex.Expression, operator: _Computed, at: Assignment) -> list[Any]:
        """The exact arguments of the operator, as nested lists."""
        if isinstance(node, ex.Apply):
            return [to_rational(evaluate(node.argument, at, EXACT))]
        return [plain(self.claim, name, at) for name in operator.arguments]

    def gradients_agree(self, node: ex.Expression, operator: _Computed, at: Assignment) -> bool:
        if isinstance(node, ex.Derivative):
            values = [to_rational(evaluate(node.at, at, EXACT))]
        else:
            values = self.arguments(node, operator, at)
        tensors = [_tensor(value, torch.float64).requires_grad_() for value in values]
        return torch.autograd.gradcheck(
            operator.function, tensors, fast_mode=False, raise_exception=False
        )

    def carried(self, node: ex.Expression, result: _Result) -> Any:
        """A result as a value of running-error arithmetic, its bound as its error."""
        return carried(node, result.got, result.bound, self.algebra)

    def measurement(self) -> dict[str, Any]:
        """The record: the entry closest to its bound, and how many inputs were put to use."""
        observed, bound, ratio = self.worst
        return {
            "dtype": _name(self.dtype),
            "inputs": self.inputs,
            "observed": observed,
            "bound": bound,
            "ratio": ratio,
        }

    def contradiction(self, failure: str, inputs: Inputs) -> Evidence:
        """The evidence that something is wrong at an input."""
        found = shown(inputs, lambda x: str(to_rational(x)), EXACT)
        return Evidence(
            Kind.TORCH,
            Outcome.CONTRADICTED,
            f"in {_name(self.dtype)} {failure}, at {sentence(found)}",
            {"dtypes": [_name(self.dtype)]},
            {"input": found, "measurements": [self.measurement()]},
        )


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


# ---------------------------------------------------------------- conversions


def _exact_rows(node: ex.Expression, at: Assignment) -> list[list[Fraction]]:
    value = evaluate(node, at, EXACT)
    rows = [[value]] if node.shape is None else EXACT.rows(value)
    return [[to_rational(x) for x in row] for row in rows]


def _tensor(value: Any, dtype: torch.dtype) -> Tensor:
    return torch.tensor(floats(value), dtype=torch.float64).to(dtype)


def _nth_derivative(function: Callable[[Tensor], Tensor], point: Tensor, order: int) -> Tensor:
    for _ in range(order):
        function = torch.func.grad(function)
    return function(point)
