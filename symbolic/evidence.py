"""Evidence: what one kind of check says about one claim today.

Kind      == how the evidence is obtained, and so what it may decide
Outcome   == what it says: confirmed, contradicted, inconclusive, skipped, error
Evidence  == a kind, its outcome, its scope, a sentence, and data for the record
DECIDES_PROVED, DECIDES_REFUTED == the kinds that may decide a verdict; the others only support
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """How evidence is obtained, strongest first."""

    KERNEL = "kernel"
    CERTIFICATE = "certificate"
    DERIVATION = "derivation"
    COUNTEREXAMPLE = "counterexample"
    COUNTERPROOF = "counterproof"
    ENCLOSURE = "enclosure"
    LADDER = "ladder"
    TORCH = "torch"
    PROPERTY = "property"


class Outcome(StrEnum):
    """What a check found. `contradicted` means: the statement is false, not merely unproved."""

    CONFIRMED = "confirmed"
    CONTRADICTED = "contradicted"
    INCONCLUSIVE = "inconclusive"
    SKIPPED = "skipped"
    ERROR = "error"


DECIDES_PROVED = frozenset({Kind.KERNEL, Kind.CERTIFICATE, Kind.DERIVATION})
DECIDES_REFUTED = frozenset({Kind.COUNTEREXAMPLE, Kind.COUNTERPROOF})
GROUPS: Mapping[str, frozenset[Kind]] = {
    "symbolic": frozenset(
        {Kind.CERTIFICATE, Kind.DERIVATION, Kind.COUNTEREXAMPLE, Kind.COUNTERPROOF}
    ),
    "numeric": frozenset({Kind.ENCLOSURE, Kind.LADDER}),
}


@dataclass(frozen=True)
class Evidence:
    """The outcome of one check.

    `scope` is "all" (every dimension, every value) or a mapping with the sizes, digits, dtypes that
    were looked at. `data` holds JSON values only; which, depends on the kind. For counterexample
    and counterproof, `confirmed` means that the refutation was confirmed.
    """

    kind: Kind
    outcome: Outcome
    detail: str
    scope: str | Mapping[str, Any] = "all"
    data: Mapping[str, Any] = field(default_factory=dict)
