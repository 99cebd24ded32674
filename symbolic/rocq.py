"""The Rocq reader: a claim as the statement of a theorem, and nothing about its proof.

print_theorem(claim) == RocqTheorem: name, statement, preamble, structure
RocqTheorem          == what the kernel is asked to believe about a claim
printer_of(claim)    == what prints it: Matrices (MathComp) or Analysis (Coquelicot)

Claims with matrices, sizes, sequences or indices range over every `realFieldType`, or every
`rcfType` where roots are taken or something is said to exist (a unit vector along (1, 1) does not,
over the rationals); beside elementary functions, over those in bijection with Coq's real numbers.
Claims on functions of a real variable alone range over Coq's real numbers. Each contains the reals.

How the languages meet, where they differ:

- sizes are ≥ 1: a hypothesis `(0 < n)%N` for each;
- names (`Named`) are written out; ‖x‖ is `Num.sqrt ((x^T *m x) 0 0)`; an entry is `M 0 0`;
- `invmx` of a singular matrix and `x / 0` are numbers in Rocq: what a claim assumes to exclude them
  (claims.py insists on it) stays among the hypotheses;
- a relation that contains a derivative also says that this derivative exists, in Coquelicot unless
  a hypothesis has said so: `Derive` is a number for every function (for matrices:
  rocq_matrices.py);
- a conjunction to the left of an implication is written as two hypotheses;
- indices are naturals or integers, as the hypotheses have it (rocq_indices.py);
- a power of a matrix is `iter t (mulmx M) 1%:M`, a product in descending order one over `rev`;
- limits are spelled out with ε and δ, in the ordered field.

A node that has no faithful spelling raises `Unsupported`, which names it. Left out: proofs, running
coqc (proofs/kernel.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from . import expressions as ex
from . import propositions as pr
from .claims import Claim, symbols
from .rocq_analysis import Analysis
from .rocq_matrices import Matrices
from .rocq_printer import Printer


@dataclass(frozen=True)
class RocqTheorem:
    """A statement for Rocq.

    `structure` is what its numbers range over: "realFieldType", "rcfType", "R" for Coq's real
    numbers, or "rcfType over R" for the fields in bijection with them. `preamble` makes the
    notations of `statement` available; `text` is the opening sentence of the theorem.
    """

    name: str
    statement: str
    preamble: str
    structure: str

    @property
    def text(self) -> str:
        """``Theorem name : statement.``"""
        return f"Theorem {self.name} :\n  {self.statement}."

    @property
    def on_classical_reals(self) -> bool:
        """Does the statement speak of Coq's real numbers?"""
        return self.structure.endswith("R")


def print_theorem(claim: Claim) -> RocqTheorem:
    """The claim as a Rocq theorem, named `claim_<family>_<property>`.

    Raises
    ------
    Unsupported
        A node has no faithful spelling; the message names the claim and the node.
    """
    printer = printer_of(claim)
    name = "claim_" + re.sub(r"[^A-Za-z0-9_]", "_", claim.id)
    return RocqTheorem(name, printer.statement(), printer.preamble, printer.structure)


def printer_of(claim: Claim) -> Printer:
    """The printer of a claim: MathComp, or Coquelicot where only functions of a variable occur."""
    nodes = [node for part in claim.statement for node in pr.expressions_in(part)]
    atoms = [atom for part in claim.statement for atom in pr.atoms(part)]
    found = symbols(claim)
    beside = (*found.dims, *found.indices, *found.matrices, *found.sequences, *found.maps)
    elementary = any(isinstance(node, ex.Elementary) for node in nodes)
    if not beside and not any(node.shape for node in nodes):
        functional = any(isinstance(node, ex.Apply | ex.Derivative) for node in nodes)
        if elementary or functional or any(isinstance(a, pr.Differentiable) for a in atoms):
            return Analysis(claim, "R")
    if elementary:
        return Matrices(claim, "rcfType over R", elementary=True)
    rooted = any(isinstance(node, ex.Norm | ex.SquareRoot) for node in nodes) or any(
        _asks_for_existence(part) for part in claim.statement
    )
    return Matrices(claim, "rcfType" if rooted else "realFieldType")


def _asks_for_existence(node: pr.Proposition) -> bool:
    return isinstance(node, pr.Exists) or any(map(_asks_for_existence, node.propositions))
