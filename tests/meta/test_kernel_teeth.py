"""The kernel says no: to holes, axioms, changed lemmas, changed claims; a kill leaves no harm."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from deltaproof.proofs import coqc, kernel
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.proofs.catalogue import entry as row_of
from deltaproof.proofs.kernel import DEVELOPMENT, check_kernel
from deltaproof.symbolic import (
    Claim,
    cayley,
    delta,
    det,
    either,
    entry,
    eq,
    eye,
    gate,
    iff,
    le,
    lt,
    norm,
    rocq,
    rocq_matrices,
    rocq_printer,
    scalar,
    zeros,
)
from deltaproof.symbolic.claims import restate
from deltaproof.symbolic.evaluation import Unsupported
from deltaproof.symbolic.evidence import Evidence, Outcome

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc not found"),
]
BY_ID = {c.id: c for family in (delta, cayley, gate) for c in family.CLAIMS}


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    """One cache for the module: what a test does not change is compiled once."""
    return tmp_path_factory.mktemp("rocq")


@pytest.fixture
def development(tmp_path) -> Path:
    """A copy of the lemma files, to be spoilt."""
    copy = tmp_path / "development"
    shutil.copytree(DEVELOPMENT, copy)
    return copy


def spoil(file: Path, old: str, new: str) -> None:
    """Change one place of a file; the place must be there."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) >= 1, f"{old!r} is not in {file.name}"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def judge(name: str, cache: Path, development: Path = DEVELOPMENT, **options) -> Evidence:
    """The kernel's evidence for a built-in claim by the lemma of its name."""
    lemma = name.replace(".", ":")
    found = check_kernel(
        [(BY_ID[name], lemma)], cache_dir=cache, development=development, **options
    )
    return found[name]


# ---------------------------------------------------------------- the lemma files


def test_an_admitted_lemma_is_an_error_that_names_its_line(cache, development):
    spoil(development / "delta.v", "Proof. by mxring. Qed.", "Proof.\nAdmitted.")
    evidence = judge("delta.eigenvalue_along_k", cache, development)
    assert evidence.outcome is Outcome.ERROR
    line = (development / "delta.v").read_text().splitlines().index("Admitted.") + 1
    assert evidence.detail.startswith(f"delta.v:{line}: Admitted")
    # the file that it rests on was not touched, nor were the others
    assert judge("cayley.generator_skew", cache, development).outcome is Outcome.CONFIRMED


@pytest.mark.parametrize(
    ("axiom", "proof"),
    [("rank_one_form", "Proof. Admitted."), ("gap", "Proof. by case: gap. Qed.")],
)
def test_an_axiom_that_the_reading_missed_is_found_by_the_audit(
    cache, development, monkeypatch, axiom, proof
):
    """The text is read first, but the compiled file is asked in any case."""
    monkeypatch.setattr(kernel, "holes", lambda source: iter(()))
    file = development / "delta.v"
    spoil(file, "Section CommutativeRing.", "Axiom gap : False.\nSection CommutativeRing.")
    spoil(file, "Proof. by mxring. Qed.", proof)
    evidence = judge("delta.rank_one_form", cache, development)
    assert evidence.outcome is Outcome.ERROR
    assert evidence.detail.startswith("delta.rank_one_form rests on what is not allowed: ")
    assert axiom in evidence.detail


def test_a_matrix_lemma_may_not_use_the_classical_reals(cache, development):
    """They are allowed where the statement is about Coq's real numbers, and nowhere else."""
    spoil(
        development / "delta.v",
        "Proof. by mxring. Qed.",
        "Proof. by case: (Coq.Logic.Classical_Prop.classic True) => _; mxring. Qed.",
    )
    spoil(
        development / "delta.v",
        "From mathcomp Require Import all_ssreflect",
        "From Coq Require Classical_Prop.\nFrom mathcomp Require Import all_ssreflect",
    )
    evidence = judge("delta.rank_one_form", cache, development)
    assert evidence.outcome is Outcome.ERROR
    assert "rests on what is not allowed: Classical_Prop.classic" in evidence.detail


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("X + beta *: (k *m (v^T - k^T *m X)).", "X - beta *: (k *m (k^T *m X - v^T))."),
        ("Lemma rank_one_form k X v beta :", "Lemma rank_one_form k X v beta : beta = 1 ->"),
    ],
)
def test_a_lemma_with_another_statement_does_not_close_the_claim(cache, development, old, new):
    file = development / "delta.v"
    lemma = re.search(r"Lemma rank_one_form k.*?Qed\.", file.read_text(), re.DOTALL)[0]
    wrong = lemma.replace(old, new).replace("by mxring", "by intros; mxring")
    assert old in lemma
    assert "by intros" in wrong
    # what else is proved from the right one keeps it, under another name
    kept = lemma.replace("rank_one_form", "kept_form")
    file.write_text(file.read_text().replace("rank_one_form", "kept_form"))
    spoil(file, kept, f"{kept}\n\n{wrong}")
    evidence = judge("delta.rank_one_form", cache, development)
    assert evidence.outcome is Outcome.INCONCLUSIVE, evidence.detail
    assert evidence.detail.startswith("delta.rank_one_form does not prove the printed statement: ")


def test_a_file_that_does_not_compile_is_an_error_with_its_line(cache, development):
    file = development / "matrix_kit.v"
    spoil(file, "Proof. exact: linearD. Qed.", "Proof.\nexact: nosuch. Qed.")
    evidence = judge("delta.rank_one_form", cache, development)
    assert evidence.outcome is Outcome.ERROR
    line = file.read_text().splitlines().index("exact: nosuch. Qed.") + 1
    assert evidence.detail.startswith(f"matrix_kit.v:{line}: ")
    assert "nosuch" in evidence.detail


def test_a_lemma_that_is_not_there_is_an_error(cache):
    claim = BY_ID["delta.rank_one_form"]
    evidence = check_kernel([(claim, "delta:nosuch")], cache_dir=cache)[claim.id]
    assert evidence.outcome is Outcome.ERROR
    assert evidence.detail == "delta.v has no lemma nosuch"


def test_another_lemma_does_not_close_the_claim(cache):
    claim = BY_ID["cayley.orthogonal"]
    evidence = check_kernel([(claim, "cayley:determinant")], cache_dir=cache)[claim.id]
    assert evidence.outcome is Outcome.INCONCLUSIVE


# ---------------------------------------------------------------- the claims


def changed(name: str, *, suffix: str, given=None, then=None) -> tuple[Claim, str]:
    """A near miss of a built-in claim, with the lemma of the original."""
    original = BY_ID[name]
    near = restate(original, given=given, then=then)
    return Claim(f"{name}_{suffix}", given=near.given, then=near.then), name.replace(".", ":")


def near_misses() -> list[tuple[Claim, str]]:
    """A wrong constant, sign, order, strictness or a lost hypothesis of claims of every file."""
    d, k, X, v, beta, A = delta.d, delta.k, delta.X, delta.v, delta.beta, delta.A
    n, S, Q, x, y = cayley.n, cayley.S, cayley.Q, cayley.x, cayley.y
    gamma = gate.gamma
    regulariser = 4 * gamma * (1 - gamma)
    profile = BY_ID["gate.regulariser_profile"].then
    return [
        changed("delta.rank_one_form", suffix="sign",
                then=eq(A @ X + beta * (k @ v.T), X - beta * (k @ (v.T - k.T @ X)))),
        changed("delta.eigenvalue_along_k", suffix="no_unit", given=[]),
        changed("delta.eigenvalue_along_k", suffix="length_two", given=[eq(k.T @ k, 2 * eye(1))]),
        changed("delta.determinant", suffix="unit", then=eq(det(A), 1 - beta)),
        changed("delta.determinant", suffix="plus",
                then=eq(det(A), 1 + beta * entry(k.T @ k))),
        changed("delta.orthogonal_iff", suffix="one",
                then=iff(eq(A.T @ A, eye(d)), either(eq(beta, 0), eq(beta, 1)))),
        changed("cayley.orthogonal", suffix="symmetric", given=[eq(S.T, -S), eq(S, S)],
                then=eq(Q @ Q, eye(n))),
        changed("cayley.isometry", suffix="double", then=eq(norm(Q @ y), 2 * norm(y))),
        changed("cayley.no_minus_one", suffix="plus", given=[eq(S.T, -S), eq(Q @ x, x)],
                then=eq(x, zeros(n, 1))),
        changed("gate.zero_gradient_midpoint", suffix="no_symmetry",
                given=[gate.differentiable_at_half]),
        changed("gate.regulariser_profile", suffix="strict",
                then=type(profile)((*profile.propositions[:2], lt(regulariser, 1),
                                    *profile.propositions[3:]))),
    ]  # fmt: skip


def test_no_near_miss_is_confirmed_and_none_hides_the_originals(cache):
    near = near_misses()
    names = ("delta.rank_one_form", "cayley.no_minus_one", "gate.regulariser_profile")
    originals = [(BY_ID[name], name.replace(".", ":")) for name in names]
    found = check_kernel([*near[:4], *originals, *near[4:]], cache_dir=cache)
    for claim, _ in originals:
        assert found[claim.id].outcome is Outcome.CONFIRMED
    for claim, lemma in near:
        evidence = found[claim.id]
        assert evidence.outcome is Outcome.INCONCLUSIVE, f"{claim.id}: {evidence.detail}"
        assert f"{lemma.replace(':', '.')} does not prove the printed statement" in evidence.detail


# rows of each lemma file and of each kind of statement, of which a failing proof is found out fast
BITTEN = (
    # ranks, equivalences, matrix identities, determinants, extremal vectors, limits
    "delta.update_rank", "delta.singular_iff", "cayley.closed_form_gram",
    "reflection.adaptive_axis_negates", "hybrid.midpoint_singular", "hybrid.planar_determinant",
    "delta.spectral_norm", "delta.epsilon_limit", "cayley.distance_to_minus_one",
    # sequences and sums, doubly stochastic matrices
    "residual.unrolled", "residual.scale_decay", "birkhoff.closed_under_product",
    "birkhoff.preserves_mean", "iterative.series",
    # Kronecker products, functions beside matrices, functions alone, derivatives of these, min, max
    "delta.lifted_determinant", "cayley.rank_two_angle", "delta.gate_range",
    "gate.entropy_and_product_instances", "gate.zero_gradient_midpoint",
    "rounding.normalised_zero_is_not_unit",
)  # fmt: skip


def test_every_file_of_lemmas_is_bitten():
    used = {row.lemma.partition(":")[0] for row in ENTRIES if row.lemma}
    bitten = {row_of(name).lemma.partition(":")[0] for name in BITTEN}
    # that a slope beside matrices is another one takes unification too long to find
    assert used - bitten == {"cayley_slope"}
    assert bitten < used


@pytest.mark.slow
def test_no_lemma_proves_a_false_mutant_of_its_row(cache):
    near = []
    for row in (row_of(name) for name in BITTEN):
        false = next(m.claim for m in row.mutants if not m.stays_true and _printed(m.claim))
        near.append((Claim(f"{row.claim.id}_0", given=false.given, then=false.then), row.lemma))
    found = check_kernel(near, cache_dir=cache)
    for claim, _ in near:
        evidence = found[claim.id]
        assert evidence.outcome is Outcome.INCONCLUSIVE, f"{claim.id}: {evidence.detail}"


def _printed(claim: Claim) -> bool:
    try:
        rocq.print_theorem(claim)
    except Unsupported:
        return False
    return True


def test_a_lost_premise_is_named(cache):
    claim, lemma = near_misses()[1]
    detail = check_kernel([(claim, lemma)], cache_dir=cache)[claim.id].detail
    assert "a premise of the lemma is not among the hypotheses" in detail


def test_a_wrong_parenthesis_would_be_noticed(cache, monkeypatch):
    """The check that printed text means its tree, against a printer that drops parentheses."""
    a, b = scalar("a"), scalar("b")
    claim = Claim("t.t", then=le(a - (b - a), 0))
    right = rocq.print_theorem(claim).statement
    monkeypatch.setattr(rocq_printer, "wrap", lambda text, allowed, unless=-1: text[0])
    wrong = rocq.print_theorem(claim).statement
    toolchain = coqc.find_toolchain()
    assert toolchain is not None
    text = f"{rocq_matrices.MATRICES}\nGoal ({wrong}) = ({right}).\nreflexivity. Qed."
    failure, _ = coqc.Store(cache, toolchain, 300.0).listen("reading", text, [])
    assert failure is not None
    assert "Unable to unify" in failure.message


# ---------------------------------------------------------------- interruption

SLOW = """\
From mathcomp Require Import all_ssreflect all_algebra.
Lemma slow (R : comRingType) (a : R) : a = a.
Proof. do 4000000 idtac. by []. Qed.
"""
CHILD = """\
import sys
from pathlib import Path
from deltaproof.proofs.kernel import check_kernel
from deltaproof.symbolic import Claim, eq, scalar
claim = Claim("t.t", then=eq(scalar("a"), scalar("a")))
folder, cache = map(Path, sys.argv[1:])
found = check_kernel([(claim, "slow:slow")], cache_dir=cache, development=folder)
print(found["t.t"].outcome.value, found["t.t"].detail)
"""


def run_child(folder: Path, cache: Path) -> subprocess.Popen:
    """check_kernel in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder), str(cache)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.slow
def test_a_killed_compilation_leaves_nothing_and_harms_nothing(tmp_path):
    folder, cache = tmp_path / "development", tmp_path / "cache"
    folder.mkdir()
    (folder / "slow.v").write_text(SLOW)
    child = run_child(folder, cache)
    try:
        deadline = time.monotonic() + 60
        while not list(cache.glob("tmp-*/slow.v")) and time.monotonic() < deadline:
            time.sleep(0.01)
        started = list(cache.glob("tmp-*/slow.v"))
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
    assert started
    assert not list(cache.glob("units/*"))
    assert not list(cache.glob("results/*"))
    # two runs at once: one waits for the other, and both know
    pair = [run_child(folder, cache) for _ in range(2)]
    said = [child.communicate(timeout=300) for child in pair]
    verdict = "confirmed compiled and audited: slow.slow, no axioms\n"
    assert [out for out, _ in said] == [verdict, verdict]
    assert not list(cache.glob("tmp-*"))
    assert len(list(cache.glob("results/*.json"))) == 1


def test_a_time_limit_is_an_error_and_is_not_kept(tmp_path):
    folder, cache = tmp_path / "development", tmp_path / "cache"
    folder.mkdir()
    (folder / "slow.v").write_text(SLOW)
    a = scalar("a")
    claim = Claim("t.t", then=eq(a, a))
    evidence = check_kernel(
        [(claim, "slow:slow")], cache_dir=cache, development=folder, time_limit=0.2
    )["t.t"]
    assert evidence.outcome is Outcome.ERROR
    assert evidence.detail == "coqc did not finish within 0.2 s"
    assert not list((cache / "results").iterdir())
