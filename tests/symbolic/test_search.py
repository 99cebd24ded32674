"""The search for certificates: what it finds, what it must not find, what it says when it stops."""

import statistics
import time

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
    eye,
    gate,
    iff,
    implies,
    inv,
    invertible,
    matrix,
    ne,
    norm,
    residual,
    scalar,
    tr,
    vector,
    zeros,
)  # fmt: skip
from deltaproof.symbolic.certificates import Certificate, check_certificate
from deltaproof.symbolic.evidence import Outcome
from deltaproof.symbolic.search import SearchReport, search_certificate

from .ledger_rows import ROWS

n, m = dims("n m")
I = eye(n)
A, B, C, D, P, Q, S = (matrix(name, n, n) for name in "ABCDPQS")
U, V = matrix("U", n, m), matrix("V", m, n)
u, v, x = vector("u", n), vector("v", n), vector("x", n)
w = vector("w", m)
a, b, c, s = (scalar(name) for name in "abcs")


def claim(then, *given):
    return Claim("test.search", given=given, then=then)


def proved(statement, **limits):
    """The certificate of a claim, which the checker accepts."""
    certificate = search_certificate(statement, **limits)
    assert isinstance(certificate, Certificate), str(certificate)
    evidence = check_certificate(statement, certificate)
    assert evidence.outcome == Outcome.CONFIRMED, evidence.detail
    return certificate


def report(statement, **limits):
    answer = search_certificate(statement, **limits)
    assert isinstance(answer, SearchReport)
    return str(answer)


BUILT_IN = {c.id: c for c in (*delta.CLAIMS, *cayley.CLAIMS, *gate.CLAIMS, *residual.CLAIMS)}


@pytest.mark.parametrize(
    "name",
    ["delta.rank_one_form", "delta.eigenvalue_along_k", "delta.eigenvalue_off_k",
     "delta.orthogonal_iff", "cayley.generator_skew", "cayley.nonsingular", "cayley.orthogonal",
     "cayley.isometry", "cayley.no_minus_one"],
)  # fmt: skip
def test_the_claims_of_the_catalogue(name):
    proved(BUILT_IN[name])


@pytest.mark.parametrize("row", ROWS)
def test_the_rows_of_the_ledger(row):
    proved(ROWS[row])


def test_speed_on_the_rows_of_the_ledger():
    seconds = []
    for row in ROWS.values():
        start = time.perf_counter()
        search_certificate(row)
        seconds.append(time.perf_counter() - start)
    # generous against a loaded machine: a median below 3 ms is usual
    assert statistics.median(seconds) < 0.05


# ---- soundness: what is false somewhere is never proved

FALSE = {
    "a zero factor": claim(eq(A, B), eq(a * A, a * B)),
    "a zero matrix": claim(eq(B, C), eq(A @ B, A @ C)),
    "a rectangle": claim(eq(U @ V, I), eq(V @ U, eye(m))),
    "a square that is not symmetric": claim(eq(A, zeros(n, n)), eq(A @ A, zeros(n, n))),
    "commuting": claim(eq(A @ B, B @ A)),
    "an indefinite sum": claim(eq(A, zeros(n, n)), eq(A.T @ A, B.T @ B)),
    "half of an equivalence": claim(iff(eq(a * b, 0), eq(a, 0))),
    "one of two": claim(eq(a, 1), either(eq(a, 0), eq(a, 1))),
    "an inverse from nowhere": claim(invertible(A + B), invertible(A), invertible(B)),
    "a negative square": claim(eq(A, zeros(n, n)), eq((1 - s**2) * A, zeros(n, n))),
    "the wrong size": claim(invertible(I + U @ V), invertible(eye(m) - V @ U)),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not_proved(name):
    report(FALSE[name], time_limit=1)


# ---- what it can do

TRUE = {
    "a nonzero factor": claim(eq(A, B), eq(a * A, a * B), ne(a, 0)),
    "a positive factor": claim(eq(A, B), eq((1 + s**2) * A, (1 + s**2) * B)),
    "a vector that is not zero": claim(eq(a, 0), eq(a * u, zeros(n, 1)), ne(u, zeros(n, 1))),
    "a scalar relation": claim(
        eq((c * I + s * A) @ (c * I - s * A), I), eq(A @ A, -I), eq(c**2 + s**2, 1)
    ),
    "a sum of squares": claim(
        both(eq(A, zeros(n, n)), eq(B, zeros(n, n))), eq(A.T @ A + 2 * (B.T @ B), zeros(n, n))
    ),
    "two squares of numbers": claim(both(eq(a, 0), eq(b, 0)), eq(a**2 + b**2, 0)),
    "two vectors": claim(eq(u, zeros(n, 1)), eq(u.T @ u + v.T @ v, zeros(1, 1))),
    "the kernel of a Gram matrix": claim(eq(U @ w, zeros(n, 1)), eq(U.T @ U @ w, zeros(m, 1))),
    "a flip of sums": claim(eq((A - B) @ (A + B), I), eq((A + B) @ (A - B), I)),
    "a derived flip": claim(eq(B @ A, I), eq(A @ B @ C, C), invertible(C)),
    "an inverse by its equation": claim(invertible(A), eq(A @ B, I)),
    "an inverse of a product": claim(invertible(A @ B.T), invertible(A), invertible(B)),
    "a factor of an invertible product": claim(invertible(B), invertible(A @ B)),
    "a sum that squares to the identity": claim(invertible(I + A), eq(A @ A, zeros(n, n))),
    "a positive definite sum": claim(invertible(I + A.T @ A)),
    "skew by its form": claim(invertible(I + (A - A.T))),
    "under a premise": claim(implies(eq(A, B), eq(A @ C, B @ C))),
    "an impossible premise": claim(implies(eq(a, a + 1), eq(A, B))),
    "defined by what comes before": claim(both(invertible(I + S), eq(inv(I + S) @ (I + S), I)),
                                          eq(S.T, -S)),
    "norms": claim(eq(norm(Q @ u), 1), eq(Q.T @ Q, I), eq(norm(u), 1)),
    "numbers in a product": claim(
        eq(entry(u.T @ A @ v) * (A @ v), entry(u.T @ v) * (A @ v)), eq(A @ v, v)
    ),
    "a negative unit": claim(eq(A, B), eq(a * A, a * B), ne(0, a)),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_proved(name):
    proved(TRUE[name])


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_stacks_of_cayley_transforms_are_orthogonal(layers):
    skews = [matrix(f"S_{i}", n, n) for i in range(layers)]
    stack = I
    for skew in skews:
        stack = stack @ (inv(I + skew) @ (I - skew))
    certificate = proved(claim(eq(stack.T @ stack, I), *(eq(skew.T, -skew) for skew in skews)))
    if layers == 3:  # as a chain of lemmas it is shorter than multiplied out
        assert any(step.rule == "equation" for step in certificate.branches[0])


def test_unused_lemmas_are_left_out():
    certificate = proved(claim(eq(A @ C, B @ C), eq(A @ B, I), eq(A, B)))
    assert [step.rule for step in certificate.branches[0]] == ["conclusion"]


def test_rules_are_named():
    assert proved(TRUE["a flip of sums"]).rules == ("flip",)
    assert proved(TRUE["a positive factor"]).rules == ("positive",)
    assert proved(BUILT_IN["cayley.nonsingular"]).rules == ("gram", "kernel", "symmetric_scalar")
    assert proved(BUILT_IN["cayley.generator_skew"]).rules == ("symmetric_scalar",)


# ---- what it says


def test_contradictory_hypotheses_are_reported():
    assert "contradict each other" in report(claim(eq(B, C), eq(A, zeros(n, n)), invertible(A)))
    assert "contradict each other" in report(claim(eq(B, C), eq(a, 0), ne(a, 0)))


def test_what_cannot_be_read_is_named():
    assert "det(A)" in report(claim(eq(det(A), 1)))
    assert "tr(A)" in report(claim(eq(tr(A), 0)))


def test_a_report_says_how_far_it_got():
    text = report(claim(eq(A @ B, B @ A), eq(A @ A, I)))
    assert "`A B = B A` was not reached" in text
    assert "every critical pair treated" in text


def test_the_time_limit_is_kept():
    start = time.perf_counter()
    open_ended = claim(eq(A @ B @ A @ C, C), eq(A @ B @ A, B @ A @ B), eq(A @ C @ A, C @ B @ C))
    report(open_ended, time_limit=0.2)
    assert time.perf_counter() - start < 2


def test_the_search_is_deterministic():
    for row in ("cayley.inverse_is_transpose", "delta.reflection", "hybrid.gram"):
        first, second = search_certificate(ROWS[row]), search_certificate(ROWS[row])
        assert first == second
