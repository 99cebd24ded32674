"""What the catalogue knows about a claim beside its statement.

Entry    == a claim with its attached evidence: kinds, derivation, lemma, operators, mutants
Mutant   == a near-miss of the statement
Operator == how a torch operator computes a named expression of the statement

Imports neither SymPy nor mpmath nor torch: operators are named, derivations are language trees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...symbolic.claims import Claim
from ...symbolic.counterproofs import Counterproof
from ...symbolic.derivations import Derivation
from ...symbolic.evidence import Kind


@dataclass(frozen=True)
class Mutant:
    """A claim that differs from the original in one place.

    `stays_true` marks a change that leaves the statement true; it is listed, not counted.
    """

    name: str
    claim: Claim
    stays_true: bool = False


@dataclass(frozen=True)
class Operator:
    """A torch operator that computes the expression `name` stands for.

    `function` is "module:callable" below deltaproof.torch_impl; `arguments` are names of symbols of
    the claim, passed in this order; vectors are passed without their trailing 1.
    """

    function: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """A claim of the catalogue with everything that its checks need.

    `kinds` are the kinds of evidence attached; a run reports each of them, skipped or not.
    `lemma` names the hand-written Rocq lemma, "file:name", that closes the printed theorem.
    `operators` maps the name of a named expression to the operator that computes it.
    """

    claim: Claim
    kinds: tuple[Kind, ...]
    mutants: tuple[Mutant, ...] = ()
    derivation: Derivation | None = None
    counterproof: Counterproof | None = None
    lemma: str | None = None
    operators: Mapping[str, Operator] = field(default_factory=dict)
    repaired_by: str | None = None
