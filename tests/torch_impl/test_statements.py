"""Torch evidence: right operators confirm; wrong ones, and wrong statements, are contradicted."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import torch
from deltaproof.symbolic import cayley, delta, either, eq, eye, gate, named, norm
from deltaproof.symbolic.claims import restate
from deltaproof.symbolic.evaluation import Lambda
from deltaproof.symbolic.evidence import Outcome
from deltaproof.symbolic.expressions import inv
from deltaproof.symbolic.propositions import iff
from deltaproof.torch_impl import cayley as torch_cayley
from deltaproof.torch_impl import delta as torch_delta
from deltaproof.torch_impl import gate as torch_gate
from deltaproof.torch_impl.statements import check_torch

CLAIMS = {claim.id: claim for family in (delta, cayley, gate) for claim in family.CLAIMS}


@dataclass(frozen=True)
class Op:
    function: str
    arguments: tuple[str, ...]
    instance: Lambda | None = None


A = {"A": Op("delta:delta_operator", ("k", "beta"))}
UPDATED = {"X'": Op("delta:delta_update", ("X", "k", "v", "beta"))}
Q = {"Q": Op("cayley:cayley", ("S",))}
REGULARISER = {"f": Op("gate:gate_regulariser", ("gamma",))}
INSTANCE = {"f": Op("gate:gate_regulariser", ("gamma",), Lambda(gate.gamma, gate.regulariser.body))}
CASES = {
    "delta.rank_one_form": UPDATED,
    "delta.eigenvalue_along_k": A,
    "delta.eigenvalue_off_k": A,
    "delta.determinant": A,
    "delta.orthogonal_iff": A,
    "cayley.orthogonal": Q,
    "cayley.isometry": Q,
    "cayley.determinant": Q,
    "cayley.no_minus_one": Q,
    "gate.regulariser_profile": REGULARISER,
    "gate.zero_gradient_midpoint": INSTANCE,
}


@pytest.mark.parametrize("id", CASES)
def test_our_operators_confirm_the_statement_in_four_formats(id):
    evidence = check_torch(CLAIMS[id], CASES[id])
    assert evidence.outcome is Outcome.CONFIRMED, evidence.detail
    assert evidence.scope == {"dtypes": ["float64", "float32", "bfloat16", "float16"]}
    for row in evidence.data["measurements"]:
        assert row["inputs"] > 0
        assert 0 <= row["ratio"] <= 1


def test_the_same_seed_gives_the_same_evidence():
    first, again = (check_torch(CLAIMS["delta.determinant"], A, seed=3) for _ in range(2))
    assert first == again


X, k, v, beta = delta.X, delta.k, delta.v, delta.beta
WRONG_STATEMENTS = {
    "sign": ("delta.rank_one_form", UPDATED,
             eq(delta.updated, X - beta * (k @ (v.T - k.T @ X)))),
    "eigenvalue": ("delta.eigenvalue_along_k", A, eq(delta.A @ k, (1 + beta) * k)),
    "only at two": ("delta.orthogonal_iff", A,
                    iff(eq(delta.A.T @ delta.A, eye(delta.d)), eq(beta, 2))),
    "a third gate": ("delta.orthogonal_iff", A,
                     iff(eq(delta.A.T @ delta.A, eye(delta.d)),
                         either(eq(beta, 0), eq(beta, 1), eq(beta, 2)))),
    "not transposed": ("cayley.orthogonal", Q, eq(cayley.Q @ cayley.Q, eye(cayley.n))),
    "twice": ("cayley.isometry", Q, eq(norm(cayley.Q @ cayley.y), 2 * norm(cayley.y))),
    "slope": ("gate.zero_gradient_midpoint", INSTANCE, eq(gate.slope_at_half, 1)),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_STATEMENTS)
def test_a_wrong_conclusion_is_contradicted(name):
    id, operators, conclusion = WRONG_STATEMENTS[name]
    evidence = check_torch(restate(CLAIMS[id], then=conclusion), operators)
    assert evidence.outcome is Outcome.CONTRADICTED, evidence.detail
    assert "reads false" in evidence.detail
    assert evidence.data["input"]["values"]


def test_a_wrong_definition_of_the_name_is_contradicted():
    S, n = cayley.S, cayley.n
    other = named("Q", inv(eye(n) + S) @ (eye(n) + S))
    wrong = restate(CLAIMS["cayley.orthogonal"], then=eq(other.T @ other, eye(n)))
    evidence = check_torch(wrong, Q)
    assert evidence.outcome is Outcome.CONTRADICTED
    assert "times its bound" in evidence.detail


WRONG_OPERATORS = {
    "plus": (torch_delta, "delta_operator", "delta.eigenvalue_along_k", A,
             lambda right: lambda k, beta: right(k, -beta)),
    "k and v swapped": (torch_delta, "delta_update", "delta.rank_one_form", UPDATED,
                        lambda right: lambda X, k, v, beta: right(X.mT, v, k, beta).mT),
    "beta on the read only": (torch_delta, "delta_update", "delta.rank_one_form", UPDATED,
                              lambda right: lambda X, k, v, beta: right(X, k, v / beta, beta)),
    "transposed": (torch_cayley, "cayley", "cayley.orthogonal", Q,
                   lambda right: lambda skew: right(-skew)),
    "five terms of the series": (torch_cayley, "cayley", "cayley.no_minus_one", Q,
                                 lambda right: lambda S: _neumann(S)),
    "no factor": (torch_gate, "gate_regulariser", "gate.regulariser_profile", REGULARISER,
                  lambda right: lambda gamma: right(gamma) / 2),
    "detached": (torch_gate, "gate_regulariser", "gate.regulariser_profile", REGULARISER,
                 lambda right: lambda gamma: right(gamma.detach()) + 0 * gamma),
    "down-cast": (torch_delta, "delta_operator", "delta.determinant", A,
                  lambda right: lambda k, beta: right(k.half(), beta.half()).to(k.dtype)),
}  # fmt: skip


def _neumann(S: torch.Tensor) -> torch.Tensor:
    eye = torch.eye(S.shape[-1], dtype=S.dtype)
    power, total = eye, eye
    for _ in range(5):
        power = power @ -S
        total = total + power
    return total @ (eye - S)


@pytest.mark.parametrize("name", WRONG_OPERATORS)
def test_a_wrong_operator_is_contradicted(name, monkeypatch):
    module, function, id, operators, spoil = WRONG_OPERATORS[name]
    monkeypatch.setattr(module, function, spoil(getattr(module, function)))
    evidence = check_torch(CLAIMS[id], operators)
    assert evidence.outcome is Outcome.CONTRADICTED, evidence.detail


def test_a_statement_without_a_computed_expression_is_not_confirmed():
    evidence = check_torch(CLAIMS["cayley.generator_skew"], Q)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert "no expression" in evidence.detail
