"""Counterexamples and witnesses: exact, small, and checked against the untouched statement."""

import json
from fractions import Fraction

import pytest
from deltaproof.symbolic import (
    Claim,
    both,
    cayley,
    delta,
    det,
    dims,
    either,
    entry,
    eq,
    exists,
    eye,
    function,
    gate,
    iff,
    implies,
    inv,
    invertible,
    lt,
    matrix,
    ne,
    norm,
    residual,
    scalar,
    vector,
    zeros,
)  # fmt: skip
from deltaproof.symbolic.claims import restate
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import exact_assignment
from deltaproof.symbolic.refutation import (
    assignment_from_json,
    assignment_to_json,
    check_counterexample,
    search_counterexample,
    search_witness,
)

n, m = dims("n m")
I = eye(n)
A, B, C = (matrix(name, n, n) for name in "ABC")
U, V = matrix("U", n, m), matrix("V", m, n)
k, x = vector("k", n), vector("x", n)
a, b = scalar("a"), scalar("b")
BUILT_IN = {
    claim.id: claim
    for family in (delta, cayley, gate, residual)
    for claim in family.CLAIMS
}  # fmt: skip


def claim(then, *given):
    return Claim("test.refutation", given=given, then=then)


def refuted(statement, **limits):
    """The record of the counterexample of a claim, after a round through JSON."""
    at = search_counterexample(statement, **limits)
    assert at is not None
    data = json.loads(json.dumps(assignment_to_json(statement, at)))
    again = assignment_from_json(statement, data)
    evidence = check_counterexample(statement, again)
    assert evidence.kind == Kind.COUNTEREXAMPLE
    assert evidence.outcome == Outcome.CONFIRMED, evidence.detail
    assert evidence.data["counterexample"].items() >= data.items()
    return evidence.data["counterexample"]


# ---- the refuted claims of the catalogue


def test_a_rotation_with_eigenvalue_minus_one():
    record = refuted(BUILT_IN["cayley.so_excludes_minus_one_printed"])
    assert record["sizes"] == {"n": 2}
    assert record["values"]["R"] == [["-1", "0"], ["0", "-1"]]
    assert record["right"] == [["0"], ["0"]]


def test_the_printed_product_of_scales():
    record = refuted(BUILT_IN["residual.scaled_unrolled_printed"])
    assert record["sizes"] == {"n": 1, "l": 1, "L": 2}
    assert record["values"]["F"] == {"1": [["1"]]}
    assert set(record["values"]["lam"]) == {"1"}
    assert record["left"] != record["right"]


@pytest.mark.parametrize(
    "name",
    ["delta.rank_one_form", "delta.orthogonal_iff", "cayley.orthogonal", "cayley.no_minus_one",
     "cayley.determinant", "delta.determinant", "gate.regulariser_profile"],
)  # fmt: skip
def test_what_is_true_has_a_witness_and_no_counterexample(name):
    assert search_counterexample(BUILT_IN[name], time_limit=0.3) is None
    assert search_witness(BUILT_IN[name], time_limit=1) is not None


# ---- small and simple

SMALLEST = {
    "commuting": (claim(eq(A @ B, B @ A)), {"n": 2}),
    "a zero factor": (claim(eq(A, B), eq(a * A, a * B)), {"n": 1}),
    "a rectangle": (claim(eq(U @ V, I), eq(V @ U, eye(m))), {"m": 1, "n": 2}),
    "nilpotent": (claim(eq(A @ A, zeros(n, n)), eq(A @ A @ A, zeros(n, n))), {"n": 3}),
    "an inverse of a sum": (claim(eq(inv(A + B), inv(A) + inv(B)),
                                  invertible(A + B), invertible(A), invertible(B)), {"n": 1}),
    "half of an equivalence": (claim(iff(eq(a * b, 0), eq(a, 0))), {}),
    "one of two": (claim(eq(a, 1), either(eq(a, 0), eq(a, 1))), {}),
    "an implication": (claim(implies(eq(A @ A, A), eq(A.T, A))), {"n": 2}),
    "not invertible": (claim(invertible(A + B), invertible(A), invertible(B)), {"n": 1}),
    "determinants": (claim(eq(det(A + B), det(A) + det(B))), {"n": 2}),
    "norms": (claim(eq(norm(k + x), norm(k))), {"n": 1}),
    "an order": (claim(lt(0, entry(x.T @ k))), {"n": 1}),
    "a conjunction": (claim(both(eq(a, a), eq(a, b))), {}),
    "unit vectors": (claim(eq(k @ k.T, I), eq(k.T @ k, eye(1))), {"n": 2}),
    "linear hypotheses": (claim(eq(A, B), eq(A @ C, B @ C), ne(C, zeros(n, n))), {"n": 2}),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_sizes(name):
    statement, sizes = SMALLEST[name]
    assert refuted(statement)["sizes"] == sizes


def test_the_simplest_numbers():
    assert refuted(claim(eq(a * A, A)))["values"] == {"a": "0", "A": [["1"]]}
    assert refuted(claim(eq(A @ B, B @ A)))["values"] == {
        "A": [["0", "0"], ["1", "0"]],
        "B": [["0", "0"], ["0", "1"]],
    }


def test_the_search_is_deterministic():
    statement = BUILT_IN["cayley.so_excludes_minus_one_printed"]
    assert search_counterexample(statement) == search_counterexample(statement)


# ---- vacuity

VACUOUS = {
    "zero and invertible": claim(eq(A, B), eq(A, zeros(n, n)), invertible(A)),
    "a commutator that is the identity": claim(eq(A, B), eq(A @ B - B @ A, I)),
    "a negative square": claim(eq(k, x), eq(k.T @ k, -eye(1))),
    "two values": claim(eq(A, B), eq(a, 0), eq(a, 1)),
}


@pytest.mark.parametrize("name", VACUOUS)
def test_contradictory_hypotheses_have_no_witness(name):
    assert search_witness(VACUOUS[name], time_limit=0.5) is None
    assert search_counterexample(VACUOUS[name], time_limit=0.5) is None


def test_a_witness_meets_hypotheses_that_are_joint():
    statement = claim(eq(A, B), eq(A @ B, B @ A), eq(A @ A, -I), invertible(B))
    at = search_witness(statement)
    assert at is not None
    assert at.sizes == {"n": 2}


def test_a_function_is_written_with_its_numbers():
    at = search_witness(BUILT_IN["gate.zero_gradient_midpoint"])
    assert at is not None
    record = assignment_to_json(BUILT_IN["gate.zero_gradient_midpoint"], at)
    assert "f_" not in record["values"]["f"]


# ---- the check looks at the statement as it stands


def test_what_is_no_counterexample():
    statement = claim(eq(A, B), eq(a * A, a * B))
    at = exact_assignment({"n": 1}, {"a": 1, "A": [[1]], "B": [[2]]})
    answer = check_counterexample(statement, at)
    assert answer.outcome == Outcome.CONTRADICTED
    assert "hypothesis" in answer.detail
    at = exact_assignment({"n": 1}, {"a": 0, "A": [[2]], "B": [[2]]})
    assert check_counterexample(statement, at).outcome == Outcome.CONTRADICTED


def test_a_changed_statement_loses_its_counterexample():
    statement = claim(eq(A @ B, B @ A))
    at = search_counterexample(statement)
    assert at is not None
    mended = restate(statement, then=eq(A @ B, A @ B))
    assert check_counterexample(mended, at).outcome == Outcome.CONTRADICTED


def test_what_cannot_be_told():
    f = function("f")
    unclear = claim(eq(a, b), exists(b, eq(f(b), a)))
    assert search_counterexample(unclear, time_limit=0.2) is None
    at = exact_assignment({}, {"a": 0})
    assert check_counterexample(claim(eq(a, b)), at).outcome == Outcome.INCONCLUSIVE
    singular = claim(eq(inv(A) @ B, B), invertible(A))
    at = exact_assignment({"n": 1}, {"A": [[0]], "B": [[1]]})
    assert check_counterexample(singular, at).outcome == Outcome.CONTRADICTED


def test_values_are_exact_strings():
    statement = claim(eq(A, zeros(n, n)), eq(A, Fraction(1, 3) * I))
    assert refuted(statement)["values"] == {"A": [["1/3"]]}
