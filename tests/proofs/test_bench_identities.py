"""The bench of identities: what the other tools say is true, and a missed target shows."""

import time

import pytest
from deltaproof.proofs import bench_identities as bench
from deltaproof.proofs.kernel import kernel_status
from deltaproof.symbolic import Claim, dims, eq, eye, inv, invertible, matrix, ne, scalar, vector
from deltaproof.symbolic.certificates import Certificate
from deltaproof.symbolic.search import search_certificate

n, m = dims("n m")
U, V, A, B = matrix("U", n, m), matrix("V", m, n), matrix("A", n, n), matrix("B", n, n)
x, a = vector("x", n), scalar("a")
PUSH = Claim(
    "t.push",
    given=[invertible(eye(n) + U @ V), invertible(eye(m) + V @ U)],
    then=eq(inv(eye(n) + U @ V) @ U, U @ inv(eye(m) + V @ U)),
)
WRONG = Claim("t.wrong", then=eq(A @ B, B @ A), expected="refuted")
COMMUTING = Claim("t.commuting", given=[eq(A @ B, B @ A)], then=eq(A @ A @ B, B @ A @ A))
QUOTIENT = Claim("t.quotient", given=[ne(a, 0)], then=eq(1 / a * (a * (x.T @ x)), x.T @ x))


def test_only_identities_without_equations_go_to_the_others():
    assert bench.without_equations(PUSH)
    assert bench.without_equations(QUOTIENT)
    assert not bench.without_equations(COMMUTING)
    assert not bench.without_equations(Claim("t.i", given=[invertible(A)], then=invertible(A)))


@pytest.mark.parametrize("claim", [PUSH, QUOTIENT], ids=lambda c: c.id)
def test_matrices_of_symbols_agree(claim):
    assert bench.by_matrices(claim, 2).said == "equal"


def test_matrices_of_symbols_tell_a_mistake():
    assert bench.by_matrices(WRONG, 2).said == "differs"
    assert bench.by_matrices(WRONG, 1).said == "equal"


def test_what_takes_too_long_is_stopped():
    start = time.perf_counter()
    found = bench.by_matrices(PUSH, 6, time_limit=0.2)
    assert found.said == "no answer"
    assert time.perf_counter() - start < 5


def test_the_script_for_letterplace_holds_the_relations():
    script = bench.letterplace(PUSH)
    assert script.count("*") > 8
    assert "twostd(I)" in script
    with pytest.raises(bench.Unreadable):
        bench.letterplace(QUOTIENT)


@pytest.mark.skipif(not bench.has_letterplace(), reason="Singular with Letterplace not found")
def test_letterplace_agrees_and_does_not_prove_a_mistake():
    assert bench.by_letterplace(PUSH).said == "equal"
    assert bench.by_letterplace(WRONG).said == "no answer"


def test_a_singular_that_fails_is_no_answer(tmp_path, monkeypatch):
    fake = tmp_path / "Singular"
    fake.write_text("#!/bin/sh\necho '   ? error occurred in or before STDIN'\necho 0\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not bench.has_letterplace()
    with pytest.raises(RuntimeError, match="error occurred"):
        bench.by_letterplace(PUSH)


@pytest.mark.kernel
@pytest.mark.skipif(bool(kernel_status().missing), reason=kernel_status().missing)
def test_the_kernel_is_timed_theorem_by_theorem():
    found = search_certificate(PUSH), search_certificate(COMMUTING)
    certificates = [f for f in found if isinstance(f, Certificate)]
    times = bench.kernel_seconds([*zip((PUSH, COMMUTING), certificates, strict=True)])
    assert len(times) == 2
    assert all(0 < seconds < 5 for seconds in times)


def test_the_examples_of_a_checkout_are_measured():
    true, false = bench.identities()
    assert len(true) >= 25
    assert len(false) >= 15
    # without them those of the catalogue are
    stored, none = bench.identities(bench.EXAMPLES / "nowhere")
    assert "cayley.orthogonal" in {claim.id for claim in stored}
    assert none == []


def test_the_tables_fit_a_terminal_and_show_what_is_late():
    measured = bench.measure(quick=True, claims=([PUSH, COMMUTING, QUOTIENT], [WRONG]))
    text = bench.tell(measured)
    assert [row["name"] for row in measured["rows"]] == ["prove", "check", "refute"]
    assert measured["peers"][0]["equal"] == measured["peers"][0]["read"] == 2
    assert max(map(len, text.splitlines())) <= 80
    late = bench._row("check", [0.001, 0.001, 0.2])
    assert not late["met"]
    assert bench.tell({"rows": [late], "peers": []}).endswith("late")
    assert bench._row("check", [0.001, 0.001, 0.01])["met"]
