"""What a conformance run leaves behind.

Check             == one claim in one format: outcome, the worst seen, the smallest failing input
Range             == up to where a claim holds beyond the domain
ConformanceResult == all of them; `.check()` raises where something failed, `.to_record()` is JSON
Nonconforming     == what `.check()` raises
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

SCHEMA = 1
FAILING = ("failed", "xpassed", "error")


class Nonconforming(AssertionError):
    """The target does not do what its contract says."""


@dataclass(frozen=True)
class Check:
    """One claim in one format.

    `outcome` is ``passed``, ``failed``, ``xfailed``, ``xpassed``, ``skipped`` or ``error`` (of the
    kit). `observed`, `bound` and `ratio` are of the entry closest to its bound, or of the failure;
    None where the check compares nothing. `input` is the smallest failing one, in hex floats.
    `diagnosis` says what failed and, where a known defect explains it, the `cause`; that alone is
    not in the record.
    """

    claim: str
    outcome: str
    dtype: str
    stratum: str = ""
    observed: float | None = None
    bound: float | None = None
    ratio: float | None = None
    input: Mapping[str, Any] | None = None
    diagnosis: str = ""
    cause: str = ""
    reproduce: str = ""
    cites: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    inputs: int = 0

    def to_json(self) -> dict[str, Any]:
        """The record of the check."""
        return {
            "claim": self.claim,
            "outcome": self.outcome,
            "dtype": self.dtype,
            "stratum": self.stratum,
            "observed": _number(self.observed),
            "bound": _number(self.bound),
            "ratio": _number(self.ratio),
            "input": None if self.input is None else dict(self.input),
            "diagnosis": self.diagnosis,
            "reproduce": self.reproduce,
            "cites": list(self.cites),
            "strata": list(self.strata),
            "inputs": self.inputs,
        }


def _number(x: float | None) -> float | str | None:
    """JSON has neither NaN nor infinities."""
    if x is None:
        return None
    return float(x) if abs(x) < float("inf") else str(float(x))


@dataclass(frozen=True)
class Range:
    """A claim holds for values of a parameter of the domain up to `holds_up_to`."""

    claim: str
    dtype: str
    parameter: str
    holds_up_to: float
    limit: float

    def to_json(self) -> dict[str, Any]:
        """The record of the range."""
        return {
            "claim": self.claim,
            "dtype": self.dtype,
            "parameter": self.parameter,
            "holds_up_to": self.holds_up_to,
            "limit": self.limit,
        }

    def __str__(self) -> str:
        if self.holds_up_to >= self.limit:
            return (
                f"{self.claim} in {self.dtype}: as far as looked, {self.parameter} {self.limit:g}"
            )
        return f"{self.claim} in {self.dtype}: up to {self.parameter} {self.holds_up_to:.3g}"


@dataclass(frozen=True)
class ConformanceResult:
    """Checks and ranges of one target and one contract.

    `complete` is False where the time ran out: then nothing may be called conforming. `location` is
    the file and the line of the target, where they are known; the record is without it.
    """

    target: str
    contract: str
    checks: tuple[Check, ...]
    ranges: tuple[Range, ...] = ()
    complete: bool = True
    seconds: float = 0.0
    settings: Mapping[str, Any] = field(default_factory=dict)
    adapter: Mapping[str, Any] = field(default_factory=dict)
    location: tuple[str, int] | None = None

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that failed, passed unexpectedly, or could not be made."""
        return tuple(c for c in self.checks if c.outcome in FAILING)

    @property
    def ok(self) -> bool:
        """Was everything checked, something found, and nothing against the contract?"""
        passed = any(c.outcome in ("passed", "xfailed") for c in self.checks)
        return self.complete and passed and not self.failures

    def check(self) -> ConformanceResult:
        """Raise `Nonconforming` with every failure; return self where there is none."""
        from .report import failures

        if self.ok:
            return self
        told = failures(self) or "nothing was checked to the end"
        raise Nonconforming(f"{self.target} does not conform to {self.contract}\n{told}")

    def expecting(self, expected: Mapping[tuple[str, str], str]) -> ConformanceResult:
        """Mark expected failures; the keys are (claim, dtype), the values reasons."""
        marked = []
        for check in self.checks:
            reason = expected.get((check.claim, check.dtype), expected.get((check.claim, "")))
            if reason is not None and check.outcome in ("failed", "passed"):
                outcome = {"failed": "xfailed", "passed": "xpassed"}[check.outcome]
                said = f"{check.diagnosis}; " if check.diagnosis else ""
                check = replace(check, outcome=outcome, diagnosis=f"{said}expected: {reason}")
            marked.append(check)
        return replace(self, checks=tuple(marked))

    def to_record(self) -> dict[str, Any]:
        """The record, as schemas/conform.json describes it."""
        counted = Counter(c.outcome for c in self.checks)
        return {
            "schema": SCHEMA,
            "tool": "deltaproof",
            "target": self.target,
            "contract": self.contract,
            "complete": self.complete,
            "settings": dict(self.settings),
            "checks": [c.to_json() for c in self.checks],
            "ranges": [r.to_json() for r in self.ranges],
            "summary": {"checks": len(self.checks), **dict(sorted(counted.items()))},
            "timings": {"seconds": round(self.seconds, 3)},
        }

    def __str__(self) -> str:
        from .report import table

        return table(self)


def hexed(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs with every number as a hex float."""

    def spelled(x: Any) -> Any:
        return [spelled(part) for part in x] if isinstance(x, list) else float(x).hex()

    return {name: spelled(x.tolist()) for name, x in inputs.items()}


def unhexed(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs that `hexed` wrote, as float64 arrays."""
    import numpy as np

    def numbers(x: Any) -> Any:
        return [numbers(part) for part in x] if isinstance(x, list) else float.fromhex(x)

    return {name: np.array(numbers(x), dtype=np.float64) for name, x in inputs.items()}


def worst_of(checks: Sequence[Check]) -> float:
    """The largest ratio of checks that passed."""
    return max((c.ratio or 0.0 for c in checks if c.outcome == "passed"), default=0.0)
