"""Every certificate becomes a theorem: the examples, rows of the ledger, odd spellings."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest
from deltaproof.proofs.kernel import check_kernel, kernel_status
from deltaproof.symbolic import (
    Claim,
    both,
    dims,
    either,
    entry,
    eq,
    eye,
    iff,
    inv,
    invertible,
    lt,
    matrix,
    ne,
    norm,
    scalar,
    vector,
    zeros,
)
from deltaproof.symbolic.certificates import Certificate
from deltaproof.symbolic.claims import statement_hash
from deltaproof.symbolic.evidence import Outcome
from deltaproof.symbolic.rocq_certificate import export_certificate
from deltaproof.symbolic.search import search_certificate

ROOT = Path(__file__).parents[2]
needs_kernel = pytest.mark.skipif(bool(kernel_status().missing), reason=kernel_status().missing)


def load(*path):
    spec = importlib.util.spec_from_file_location(
        path[-1].removesuffix(".py"), ROOT.joinpath(*path)
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


IDENTITIES = load("examples", "identities.py").TRUE
ROWS = tuple(load("tests", "symbolic", "ledger_rows.py").ROWS.values())

n, m, p = dims("n m p")
A, B, S = (matrix(name, n, n) for name in "ABS")
M, N, K = matrix("M", n, m), matrix("N", p, m), matrix("K", m, m)
x, y, w = vector("x", n), vector("y", n), vector("w", m)
a, b, c = scalar("a"), scalar("b"), scalar("c")
I = eye(n)


def odd(name, then, *given):
    return Claim(f"odd.{name}", given=given, then=then)


# what a certificate says in one way and a statement in another, rule by rule
ODD = (
    odd("inverse_of_transpose", eq(inv(A.T) @ B, inv(A).T @ B), invertible(A), invertible(A.T)),
    odd("transpose_first", eq(inv(A).T @ A.T, I), invertible(A.T), invertible(A)),
    odd("inverse_of_inverse", eq(inv(inv(A)), A), invertible(A), invertible(inv(A))),
    odd("two_spellings", eq(inv(A + B), inv(B + A)), invertible(A + B), invertible(B + A)),
    odd("nested_spellings", eq(inv(I + inv(A.T)) @ (I + inv(A).T), I),
        invertible(A), invertible(A.T), invertible(I + inv(A.T))),
    odd("transpose_is_invertible", invertible(A.T), invertible(A)),
    odd("other_spelling_is_invertible", invertible(B + A), invertible(A + B)),
    odd("share_of_a_quotient", eq(c / (2 * a), c / a / 2), ne(a, 0), ne(2 * a, 0)),
    odd("quotient_of_numbers", eq(a / (eye_ := 1 + 1 * entry(eye(1))), a / 2), ne(eye_, 0)),
    odd("difference", eq((a - b) / (b - a), -1), ne(a, b)),
    odd("below", eq(b * (a - b) / (a - b), b), lt(a, b)),
    odd("negative", eq(a / a, 1), lt(a, 0)),
    odd("zero_first", eq(a / a, 1), ne(0, a)),
    odd("nonzero_vector", eq(a, b), eq(a * x, b * x), ne(x, zeros(n, 1))),
    odd("nonzero_entry", eq(a, b), eq(a * (x.T @ y), b * (x.T @ y)), ne(x.T @ y, zeros(1, 1))),
    odd("three_alternatives", iff(eq(a**3, a), either(eq(a, 0), eq(a, 1), eq(a, -1)))),
    odd("alternatives_of_products", eq(a * entry(x.T @ y), a),
        either(eq(x.T @ y, eye(1)), eq(a, 0))),
    odd("two_squares", both(eq(M, zeros(n, m)), eq(N, zeros(p, m))),
        eq(M.T @ M + 2 * (N.T @ N), zeros(m, m))),
    odd("three_numbers", eq(c, 0), eq(a**2 + b**2 / 3 + 2 * c**2, 0)),
    odd("vector_and_number", both(eq(a, 0), eq(x, zeros(n, 1))), eq(entry(x.T @ x) + a**2, 0)),
    odd("positive_factor", eq(A, zeros(n, n)), eq((1 + a**2 + 2 * b**2) * A, zeros(n, n))),
    odd("positive_with_a_vector", eq(A, zeros(n, n)), eq((2 + entry(x.T @ x)) * A, zeros(n, n))),
    odd("positive_denominator", eq((3 + a**2) * b / (3 + a**2), b)),
    odd("norm_in_a_sum", eq((norm(x) + 1) ** 2, entry(x.T @ x) + 2 * norm(x) + 1)),
    odd("norm_of_two_spellings", eq(norm(x + y) ** 2, norm(y + x) * norm(x + y))),
    odd("norm_is_a_number", eq(norm(2 * x), 2), eq(x.T @ x, eye(1))),
    odd("number_is_a_norm", eq(0, norm(x)), eq(x.T @ x, zeros(1, 1))),
    odd("number_times_identity", eq(a * K, zeros(m, m)), eq(a * I, zeros(n, n))),
    odd("product_beside", eq(entry(y.T @ A @ x) * K, zeros(m, m)), eq(A @ x, zeros(n, 1))),
    odd("transposed_beside", eq(entry(x.T @ A @ y) * K, zeros(m, m)), eq(A.T @ x, zeros(n, 1))),
    odd("between_conjunctions",
        iff(both(eq(a, b), eq(b, c)), both(eq(a, c), both(eq(c, b), eq(c, a))))),
)  # fmt: skip


def found(claim):
    certificate = search_certificate(claim)
    assert isinstance(certificate, Certificate), f"{claim.id}: {certificate}"
    return certificate


@pytest.mark.parametrize("claim", [*IDENTITIES, *ROWS, *ODD], ids=lambda claim: claim.id)
def test_a_certificate_is_exported(claim):
    assert "certificate " in export_certificate(claim, found(claim))


@pytest.mark.kernel
@needs_kernel
def test_the_kernel_accepts_them_all(tmp_path):
    items = [(claim, None, found(claim)) for claim in (*IDENTITIES, *ROWS, *ODD)]
    judged = check_kernel(items, cache_dir=tmp_path, jobs=2)
    refused = {k: e.detail for k, e in judged.items() if e.outcome is not Outcome.CONFIRMED}
    assert refused == {}
    assert len(judged) == len(items) > 100


# statement and what is claimed in its place, with the certificate of the first
WRONG = (
    (odd("sign", eq(A - (A - B), B)), odd("sign", eq(A - (A + B), B))),
    (odd("unit", eq(a / a, 1), ne(a, 0)), odd("unit", eq(a / a, 2), ne(a, 0))),
    (odd("norm", eq(norm(2 * x), 2), eq(x.T @ x, eye(1))),
     odd("norm", eq(norm(2 * x), 3), eq(x.T @ x, eye(1)))),
    (odd("weights", eq(c, 0), eq(a**2 + c**2, 0)), odd("weights", eq(c, 0), eq(a**2 - c**2, 0))),
    (odd("either", eq(a * b, b), either(eq(a, 1), eq(b, 0))),
     odd("either", eq(a * b, b), either(eq(a, 1), eq(b, 1)))),
    (odd("skew", invertible(I + S), eq(S.T, -S)), odd("skew", invertible(I + S), eq(S.T, S))),
)  # fmt: skip


@pytest.mark.kernel
@needs_kernel
def test_the_certificate_of_one_statement_proves_no_other(tmp_path):
    items = []
    for position, (right, wrong) in enumerate(WRONG):
        moved = replace(found(right), statement_hash=statement_hash(wrong))
        items.append((Claim(f"wrong.w{position}", given=wrong.given, then=wrong.then), None, moved))
    judged = check_kernel(items, cache_dir=tmp_path, jobs=2)
    assert {e.outcome for e in judged.values()} == {Outcome.INCONCLUSIVE}
    # and where the statement is another, the certificate is not even exported
    (claim, _, _), *_ = items
    other = check_kernel([(claim, None, found(WRONG[0][0]))], cache_dir=tmp_path)
    assert "for another statement" in other[claim.id].detail
