"""What an entry of the zoo is, and how a file of the zoo collects its entries.

WrongOperator == an operator with one defect, the checks that must fail and those that must pass
RightOperator == another spelling of the formula, which no check may fail
Parameter     == a number in a defect, and where to look for it
Family        == the entries of one file; its decorators make them
CALLS         == the checks that look at how an operator is called, and not at what it computes
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

_Operator = TypeVar("_Operator", bound=Callable[..., Any])

CALLS = (
    "returns", "shape", "result_type", "finite", "inputs_unchanged", "batch_independence",
    "non_contiguous", "expanded", "two_batch_axes", "empty_batch", "determinism",
)  # fmt: skip
"""Of an operator contract: what a wrong formula alone does not fail."""


def calls_but(*left_out: str) -> tuple[str, ...]:
    """`CALLS` without some."""
    return tuple(check for check in CALLS if check not in left_out)


@dataclass(frozen=True)
class Parameter:
    """A number that a defect has: the ε of a denominator, the terms of a series.

    The operator takes it as the keyword ``parameter``. A diagnosis fits it in [`low`, `high`].
    """

    name: str
    low: float
    high: float
    scale: Literal["log", "linear", "integer"]


@dataclass(frozen=True)
class WrongOperator:
    """An operator with one defect.

    Parameters
    ----------
    name
        ``contract.defect``.
    contract
        What it is to obey, and does not.
    defect
        What is wrong, in a short sentence.
    operator
        With the contract's own signature; of a contract of modules a factory.
    fails, passes
        Ids of checks: in every format of `dtypes` each of the first fails, each of the second
        passes.
    options
        Settings of `conform`; with ``dtypes``, the formats in which the defect is there to be
        seen.
    diagnosis
        How a diagnosis names the defect; may contain ``{parameter}``. None where nothing but the
        failing check itself is to be said.
    parameter
        The number that the defect has.
    isolated
        It may end or spoil the process that calls it.
    """

    name: str
    contract: str
    defect: str
    operator: Callable[..., Any]
    fails: tuple[str, ...]
    passes: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    diagnosis: str | None = None
    parameter: Parameter | None = None
    isolated: bool = False


@dataclass(frozen=True)
class RightOperator:
    """An operator that computes the contract's formula in another way.

    `spelling` says how; `options` are settings of `conform`; `isolated` as of a wrong one.
    """

    name: str
    contract: str
    spelling: str
    operator: Callable[..., Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    isolated: bool = False


Entry = WrongOperator | RightOperator


class Family:
    """The entries of one file, in the order in which they are written."""

    def __init__(self, *, isolated: bool = False) -> None:
        self.isolated = isolated
        self.wrongs: list[WrongOperator] = []
        self.rights: list[RightOperator] = []

    def wrong(
        self,
        contract: str,
        *,
        fails: Iterable[str],
        passes: Iterable[str],
        diagnosis: str | None = None,
        parameter: Parameter | None = None,
        **options: Any,
    ) -> Callable[[_Operator], _Operator]:
        """Enter the decorated operator as a wrong one: its name and docstring tell the defect.

        Checks without a family are the contract's own: ``definition`` for
        ``delta_update.definition``.
        """

        def enter(operator: _Operator) -> _Operator:
            self.wrongs.append(
                WrongOperator(
                    f"{contract}.{_named(operator)}",
                    contract,
                    _said(operator),
                    operator,
                    _full(contract, fails),
                    _full(contract, passes),
                    options,
                    diagnosis,
                    parameter,
                    self.isolated,
                )
            )
            return operator

        return enter

    def right(self, contract: str, **options: Any) -> Callable[[_Operator], _Operator]:
        """Enter the decorated operator as a right one: its docstring tells the spelling."""

        def enter(operator: _Operator) -> _Operator:
            name = f"{contract}.{_named(operator)}"
            said = _said(operator)
            self.rights.append(
                RightOperator(name, contract, said, operator, options, self.isolated)
            )
            return operator

        return enter


def _named(operator: Callable[..., Any]) -> str:
    """The operator's own name, in lower case with underscores."""
    spelled = operator.__name__
    parts = [f"_{c.lower()}" if c.isupper() else c for c in spelled]
    return "".join(parts).lstrip("_") if isinstance(operator, type) else spelled


def _said(operator: Callable[..., Any]) -> str:
    """The first line of the docstring, without its full stop."""
    if not operator.__doc__:
        raise ValueError(f"{operator.__name__}: its docstring is to tell what is wrong with it")
    return operator.__doc__.strip().splitlines()[0].rstrip(".")


def _full(contract: str, checks: Iterable[str]) -> tuple[str, ...]:
    return tuple(check if "." in check else f"{contract}.{check}" for check in checks)
