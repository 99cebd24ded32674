"""What the catalogue knows about a claim beside its statement.

Entry        == a claim with its attached evidence: kinds, derivation, lemma, operators, mutants
Mutant       == a near-miss of the statement
Operator     == how a torch operator computes a named expression of the statement
kinds_but(…) == the kinds that a proved claim can have, but for some

Imports neither SymPy nor mpmath nor torch: operators are named, derivations are language trees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...symbolic.claims import Claim
from ...symbolic.counterproofs import Counterproof
from ...symbolic.derivations import Derivation
from ...symbolic.evaluation import Lambda
from ...symbolic.evidence import Kind


def kinds_but(*left_out: Kind) -> tuple[Kind, ...]:
    """Every kind of evidence that can speak for a true statement, but for those left out."""
    refuting = (Kind.COUNTEREXAMPLE, Kind.COUNTERPROOF)
    return tuple(kind for kind in Kind if kind not in (*refuting, *left_out))


@dataclass(frozen=True)
class Mutant:
    """A claim that differs from the original in one place.

    Of a proved claim mutants are false; `stays_true` marks a change that leaves the statement true:
    it is listed, not counted. Of a refuted claim mutants are repairs: true, so that a refutation
    which does not depend on what the claim says would be seen.

    `unseen_by` names kinds that cannot see the change: where no operator occurs in the mutant, or
    where the one function that an operator computes satisfies the mutant too.

    `rule` names the rule that made the mutant; nobody wrote it, and it may turn out true.
    """

    name: str
    claim: Claim
    stays_true: bool = False
    unseen_by: tuple[Kind, ...] = ()
    rule: str = ""


@dataclass(frozen=True)
class Operator:
    """A torch operator that computes what a name in the statement stands for.

    `function` is "module:callable" below deltaproof.torch_impl; `arguments` are names of symbols of
    the claim, passed in this order; vectors are passed without their trailing 1. Where the name is
    that of a function symbol, `instance` is the function that the operator computes.
    """

    function: str
    arguments: tuple[str, ...]
    instance: Lambda | None = None


@dataclass(frozen=True)
class Entry:
    """A claim of the catalogue with everything that its checks need.

    `kinds` are the kinds of evidence attached; a run reports each of them, skipped or not.
    `lemma` names the hand-written Rocq lemma, "file:name", that closes the printed theorem.
    `operators` maps the name of a named expression to the operator that computes it.
    `witness` gives sizes and exact values that meet the hypotheses, as records spell them:
    ``{"sizes": {"n": 2}, "values": {"a": "3/5", "A": [["0", "1"], ["-1", "0"]]}}``. Without it one
    is searched.
    """

    claim: Claim
    kinds: tuple[Kind, ...]
    mutants: tuple[Mutant, ...] = ()
    derivation: Derivation | None = None
    counterproof: Counterproof | None = None
    lemma: str | None = None
    operators: Mapping[str, Operator] = field(default_factory=dict)
    repaired_by: str | None = None
    witness: Mapping[str, Any] | None = None
