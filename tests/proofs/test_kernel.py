"""The kernel's runner: the built-in lemmas, what is skipped and why, the cache, the elaboration."""

from __future__ import annotations

import json
import os
import random
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from deltaproof.proofs import coqc, kernel
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.proofs.catalogue.wanted import KERNEL_WANTED
from deltaproof.proofs.kernel import CLASSICAL_REALS, DEVELOPMENT, check_kernel, kernel_status
from deltaproof.symbolic import (
    Claim,
    absolute,
    both,
    cayley,
    constant,
    delta,
    derivative,
    det,
    differentiable,
    dims,
    either,
    elementary,
    entry,
    eq,
    exists,
    eye,
    forall,
    function,
    greatest,
    iff,
    implies,
    index,
    inv,
    invertible,
    kron,
    le,
    least,
    lt,
    matrix,
    ne,
    norm,
    ones,
    ordered_product,
    product,
    rank,
    rocq,
    rocq_analysis,
    rocq_indices,
    rocq_matrices,
    rocq_printer,
    scalar,
    sequence,
    size,
    sqrt,
    total,
    tr,
    vec,
    vector,
    zeros,
)
from deltaproof.symbolic.certificates import Certificate
from deltaproof.symbolic.evaluation import Unsupported
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.search import search_certificate

needs_kernel = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc not found")
CERTIFICATES = DEVELOPMENT.parent / "certificates"
LEMMAS = {row.claim.id: row.lemma for row in ENTRIES if row.lemma is not None}
PROVED = [row.claim for row in ENTRIES if row.claim.id in LEMMAS]


n, m = dims("n m")
A, B, C = matrix("A", n, n), matrix("B", n, n), matrix("C", n, m)
a, b, t = scalar("a"), scalar("b"), scalar("t")
x, y = vector("x", n), vector("y", m)
i, l, L = index("i l L")
w, z = sequence("w"), sequence("z", n)
f = function("f")


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    """One cache for the module: the development is compiled once."""
    return tmp_path_factory.mktemp("rocq")


def with_lemmas(claims):
    """Each claim with its lemma."""
    return [(claim, LEMMAS[claim.id]) for claim in claims]


# ---------------------------------------------------------------- the built-in claims


@pytest.mark.kernel
@pytest.mark.slow
@needs_kernel
def test_every_proved_claim_is_compiled_and_audited(cache):
    said: list[str] = []
    found = check_kernel(with_lemmas(PROVED), cache_dir=cache, progress=said.append)
    assert {name: e.outcome.value for name, e in found.items()} == {
        claim.id: "confirmed" for claim in PROVED
    }
    assert "rocq: compiling matrix_kit.v" in said
    for claim in PROVED:
        shown = found[claim.id].data["rocq"]
        assert shown["statement"] == rocq.print_theorem(claim).text
        file, _, lemma = shown["lemma"].partition(".")
        assert f"{claim.family}.{lemma}" == claim.id
        # a family's file, or what stands apart from it: cayley.v, cayley_slope.v
        assert file.partition("_")[0] == claim.family
        assert shown["file"] == f"{file}.v"
        classical = rocq.print_theorem(claim).on_classical_reals
        assert set(shown["assumptions"]) <= (CLASSICAL_REALS if classical else frozenset())
        assert classical or claim.family != "gate"
    detail = found["gate.regulariser_profile"].detail
    assert "sig_not_dec" in detail
    assert "classic" in detail

    said.clear()
    again = check_kernel(with_lemmas(PROVED), cache_dir=cache, progress=said.append)
    assert (again, said) == (found, [])


@pytest.mark.kernel
@needs_kernel
def test_a_claim_under_another_name_is_not_compiled_again(cache):
    claim = delta.CLAIMS[0]
    first = check_kernel([(claim, "delta:rank_one_form")], cache_dir=cache)
    twin = Claim("other.name", given=claim.given, then=claim.then)
    said: list[str] = []
    second = check_kernel([(twin, "delta:rank_one_form")], cache_dir=cache, progress=said.append)
    assert said == []
    assert second["other.name"].outcome is first[claim.id].outcome is Outcome.CONFIRMED
    assert second["other.name"].data["rocq"]["statement"].startswith("Theorem claim_other_name :")


@pytest.mark.kernel
@needs_kernel
def test_theorems_of_one_name_share_a_file(cache):
    k, beta = vector("k", delta.d), scalar("beta")
    twins = [Claim(name, given=[], then=eq(beta * k, beta * k)) for name in ("a.b_c", "a_b.c")]
    found = check_kernel([(c, "delta:rank_one_form") for c in twins], cache_dir=cache)
    assert {e.outcome for e in found.values()} == {Outcome.INCONCLUSIVE}


def test_every_proved_row_has_a_rocq_theorem_or_says_why_it_is_wanted():
    proved = [row for row in ENTRIES if row.claim.expected == "proved"]
    without = {row.claim.id for row in proved if Kind.KERNEL not in row.kinds}
    assert without == {*KERNEL_WANTED}


@pytest.mark.kernel
@needs_kernel
def test_ranges_powers_and_products_mean_in_rocq_what_they_mean_in_claims(cache):
    """Both ends, empty ranges, the order of a product: computed, or by a proof of one line."""
    toolchain = coqc.find_toolchain()
    assert toolchain is not None
    W = sequence("W", n, n)
    text = rocq.print_theorem(
        Claim("t.t", then=eq(ordered_product(i, l, L - 1, W[i]), A))
    ).statement
    layers = text[text.index("[seq") : text.index("]", text.index("[seq")) + 1]
    values = {(-1, 2): "[:: - 1; 0; 1]", (2, 2): "[::]", (3, 1): "[::]"}
    goals = [
        f"Goal let l : int := {first} in let L : int := {end} in {layers} = {there}.\n"
        "Proof. by []. Qed."
        for (first, end), there in values.items()
    ]
    order = (
        "Goal forall (R : ringType) (n : nat) (W : nat -> 'M[R]_n) (M : 'M[R]_n),\n"
        "  (\\big[mulmx/1%:M]_(i <- rev (index_iota 1 3)) W i) = W 2%N *m W 1%N /\\ \n"
        "  iter 0 (mulmx M) 1%:M = 1%:M /\\ iter 2 (mulmx M) 1%:M = M *m M.\n"
        "Proof. by move=> *; rewrite unlock /= !mulmx1. Qed."
    )
    source = "\n".join([rocq_matrices.MATRICES, *goals, order])
    failure, _ = coqc.Store(cache, toolchain, 300.0).listen("meaning", source, [])
    assert failure is None, failure


# what a Kronecker product and a stack are, entry by entry, and that a slope is the only one
MEANINGS = """
Goal forall (R : comRingType) (n m : nat) (A : 'M[R]_n) (C : 'M[R]_(n, m)) i k j l,
  ({kron}) (mxvec_index i k) (mxvec_index j l) = A i j * C k l.
Proof. by move=> *; exact (lifted_kit.lifted_entry _ _ _ _ _ _). Qed.
Goal forall (m n : nat) (i : 'I_m) (j : 'I_n), mxvec_index i j = (i * n + j)%N :> nat.
Proof. exact: lifted_kit.mxvec_index_value. Qed.
Goal forall (R : realFieldType) (n m : nat) (C : 'M[R]_(n, m)) i j,
  ({vec}) (mxvec_index j i) 0 = C i j.
Proof. by move=> *; rewrite mxE mxvecE mxE. Qed.
Goal forall (R : realFieldType) (n : nat) (a : R) (A B D : 'M[R]_n),
  ({slope}) -> slope_kit.slope_at_mx (fun t : R => t *: A + B) a D -> D = A.
Proof.
move=> R n a A B D [slope [here same]] there; rewrite same in here.
exact (slope_kit.slope_mx_unique there here).
Qed.
Goal forall (R : realFieldType) (n : nat) (a : R) (A B : 'M[R]_n), {slope}.
Proof.
move=> R n a A B; exists A; split=> //.
change (slope_kit.slope_at_mx (fun t : R => t *: A + B) a A).
apply: (slope_kit.slope_mx_quadratic (rest := fun=> 0) (bound := 0)) => [step /eqP nonzero|*].
  rewrite /= scalerDl opprD addrACA subrr addr0 addrAC subrr add0r.
  by rewrite scalerA mulVf // scale1r subrr scaler0.
by rewrite mxE normr0.
Qed.
"""


@pytest.mark.kernel
@needs_kernel
def test_kronecker_products_stacks_and_slopes_mean_in_rocq_what_they_mean_in_claims(cache):
    """Entries by their definition: row (i, k) of a product is row i·p + k of the matrix."""

    def printed(statement, cut: str) -> str:
        text = rocq.print_theorem(Claim("t.t", then=statement)).statement
        return text.rpartition("->\n  ")[2].rpartition(cut)[0] or text.rpartition("->\n  ")[2]

    product_of, stack = kron(A, C), vec(C)
    meanings = MEANINGS.format(
        kron=printed(ne(product_of, zeros(*product_of.shape)), " <> 0"),
        vec=printed(ne(stack, zeros(*stack.shape)), " <> 0"),
        slope=printed(eq(derivative(t * A + B, t, at=a), A), "no such text"),
    )
    sources = coqc.read_development(DEVELOPMENT)
    kits = ("slope_kit", "lifted_kit")
    needed = [*dict.fromkeys(s for kit in kits for s in coqc.closure(sources, kit))]
    toolchain = coqc.find_toolchain()
    assert toolchain is not None
    store = coqc.Store(cache, toolchain, 300.0)
    with ThreadPoolExecutor(1) as executor:
        run = kernel._Run(store, 1, lambda _: None)
        assert run._develop({source.name: source for source in needed}, executor) == {}
    keys = [*kernel._keys(needed, store).values()]
    names = "From deltaproof Require slope_kit lifted_kit.\nImport GRing.Theory Num.Theory."
    preamble = rocq_matrices.MATRICES
    failure, _ = store.listen("meaning", f"{preamble}\n{names}\n{meanings}", keys)
    assert failure is None, failure


CHOICE = """
Goal exists (R : rcfType) (real : R -> Rdefinitions.R) (of_real : Rdefinitions.R -> R),
  cancel real of_real /\\ cancel of_real real /\\
  {morph real : x y / x + y >-> Rdefinitions.Rplus x y} /\\
  {morph real : x y / x * y >-> Rdefinitions.Rmult x y}.
Proof. by exists [rcfType of Rdefinitions.R], id, id. Qed.
"""


@pytest.mark.kernel
@needs_kernel
def test_the_reals_of_coq_are_a_field_as_statements_with_functions_ask_for(cache):
    """By the axiom of choice, which MathComp-Analysis assumes; the theorems themselves do not."""
    toolchain = coqc.find_toolchain()
    assert toolchain is not None
    store = coqc.Store(cache, toolchain, 300.0)
    load = "From mathcomp.analysis Require Import Rstruct."
    if store.listen("library", load, [])[0] is not None:
        pytest.skip("libcoq-mathcomp-analysis is not installed")
    text = f"{rocq_matrices.MATRICES_OVER_REALS}\n{load}\n{CHOICE}"
    failure, _ = store.listen("choice", text, [])
    assert failure is None, failure


# ---------------------------------------------------------------- certificates


def certified() -> list[tuple[Claim, Certificate]]:
    """Claims whose certificates use every step that is exported."""
    I = eye(n)
    S, U, V = matrix("S", n, n), matrix("U", n, m), matrix("V", m, n)
    p, q = vector("p", n), vector("q", n)
    claims = {
        "push_through": ([invertible(I + U @ V), invertible(eye(m) + V @ U)],
                         eq(inv(I + U @ V) @ U, U @ inv(eye(m) + V @ U))),
        "flip_shared": ([eq(A.T @ A, I), eq(B.T @ B, I)],
                        both(eq((A @ B).T @ (A @ B), I), eq(A @ A.T, I))),
        "gram": ([eq(V.T @ V, zeros(n, n))], eq(V, zeros(m, n))),
        "gram_of_numbers": ([eq(p.T @ p, zeros(1, 1))], eq(q.T @ p, zeros(1, 1))),
        "one_sided_inverse": ([eq(A @ B, I)], invertible(A)),
        "kernel": ([eq(S.T, -S)], invertible(I - S)),
        "halves": ([eq(A.T, A), eq(B.T, -B)], eq((A + B + (A + B).T) / 2, A)),
        "quotient": ([ne(a, 0)], eq((1 / a) * (a * A), A)),
        "norms": ([eq(A.T @ A, I)], eq(norm(A @ p), norm(p))),
        "premises": ([], implies(both(eq(A @ B, I), eq(B @ S, I)), eq(A, S))),
        "loops": ([], eq((p @ q.T) @ (p @ q.T), entry(q.T @ p) * (p @ q.T))),
        "alternatives": ([eq(a * a, a)], either(eq(a, 0), eq(a, 1))),
    }  # fmt: skip
    found = []
    for name, (given, then) in claims.items():
        claim = Claim(f"user.{name}", given=given, then=then)
        certificate = search_certificate(claim)
        assert isinstance(certificate, Certificate), f"{name}: {certificate}"
        found.append((claim, certificate))
    return found


@pytest.mark.kernel
@pytest.mark.slow
@needs_kernel
def test_certificates_are_checked_by_the_kernel(cache):
    """Of claims without a lemma, and all those that are kept; spoilt ones are not believed."""
    kept = [
        (row.claim, None, json.loads(path.read_text(encoding="utf-8")))
        for row in ENTRIES
        if (path := CERTIFICATES / f"{row.claim.id}.json").is_file()
    ]
    assert len(kept) >= 5
    new = certified()
    spoilt = []
    for claim, certificate in new:
        if certificate.branches[0][-1].terms:
            *steps, last = certificate.branches[0]
            short = replace(last, terms=last.terms[:-1])
            wrong = replace(certificate, branches=((*steps, short), *certificate.branches[1:]))
            spoilt.append((Claim(f"{claim.id}_spoilt", given=claim.given, then=claim.then), wrong))
    assert len(spoilt) >= 6
    found = check_kernel(
        [*kept, *((c, None, x) for c, x in new), *((c, None, x) for c, x in spoilt)],
        cache_dir=cache,
    )
    for claim in [*(c for c, *_ in kept), *(c for c, _ in new)]:
        assert found[claim.id].outcome is Outcome.CONFIRMED, found[claim.id].detail
        shown = found[claim.id].data["rocq"]
        assert shown["lemma"] == "typed_words.Checker.accepts_sound"
        assert shown["file"] == "typed_words.v"
        assert shown["assumptions"] == []
    for claim, _ in spoilt:
        assert found[claim.id].outcome is Outcome.INCONCLUSIVE, found[claim.id].detail


def test_a_certificate_must_be_one_and_of_this_statement(tmp_path, bare_coqc):
    claim = Claim("user.loops", then=eq(entry(x.T @ A @ x), entry(x.T @ A.T @ x)))
    certificate = search_certificate(claim)
    assert isinstance(certificate, Certificate)
    changed = Claim("user.loops", then=eq(entry(x.T @ A @ x), entry(x.T @ B @ x)))
    other = check_kernel([(changed, None, certificate)], cache_dir=tmp_path)["user.loops"]
    assert (other.outcome, other.detail) == (
        Outcome.INCONCLUSIVE,
        "the certificate is for another statement",
    )
    torn = {"schema": 1}
    evidence = check_kernel([(claim, None, torn)], cache_dir=tmp_path)["user.loops"]
    assert evidence.outcome is Outcome.ERROR
    assert evidence.detail.startswith("the certificate is refused: malformed")


def test_a_certificate_that_is_not_exported_is_skipped_with_the_reason(tmp_path, bare_coqc):
    claim = Claim("user.ones", then=eq(ones(1, n) @ (2 * x), 2 * (ones(1, n) @ x)))
    certificate = search_certificate(claim)
    assert isinstance(certificate, Certificate)
    evidence = check_kernel([(claim, None, certificate)], cache_dir=tmp_path)[claim.id]
    assert evidence.outcome is Outcome.SKIPPED
    assert "the certificate is not exported: " in evidence.detail


# ---------------------------------------------------------------- nothing to compile


def test_two_claims_of_one_id_are_refused(tmp_path):
    claim = delta.CLAIMS[0]
    with pytest.raises(ValueError, match=r"two claims are called delta\.rank_one_form"):
        check_kernel([(claim, None), (claim, None)], cache_dir=tmp_path)


def test_a_claim_without_a_lemma_is_skipped(tmp_path):
    claim = delta.CLAIMS[0]
    found = check_kernel([(claim, None, None)], cache_dir=tmp_path)
    assert found[claim.id].outcome is Outcome.SKIPPED
    assert found[claim.id].detail == "no lemma and no certificate is attached"


def test_without_coqc_everything_is_skipped(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    found = check_kernel(with_lemmas(PROVED), cache_dir=tmp_path / "cache")
    assert {(e.outcome, e.detail) for e in found.values()} == {(Outcome.SKIPPED, "coqc not found")}
    assert not (tmp_path / "cache").exists()
    status = kernel_status()
    assert (status.coqc, status.missing) == (None, "coqc not found")
    assert "libcoq-coquelicot" in status.install


@pytest.fixture
def bare_coqc(tmp_path, monkeypatch) -> Path:
    """A coqc that knows its version and nothing else."""
    home = tmp_path / "home"
    program = tmp_path / "bin" / "coqc"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\ncase "$1" in -print-version) echo 9.9.9 4.14.0;; -where) echo {home};; esac\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}/bin{os.pathsep}/usr/bin")
    monkeypatch.delenv("COQPATH", raising=False)
    return home / "user-contrib"


def test_a_missing_library_is_named_with_its_package(tmp_path, bare_coqc):
    found = check_kernel(with_lemmas(PROVED), cache_dir=tmp_path / "cache")
    assert found["gate.regulariser_profile"].outcome is Outcome.SKIPPED
    assert "apt-get install libcoq-coquelicot" in found["gate.regulariser_profile"].detail
    assert "apt-get install libcoq-mathcomp-algebra" in found["delta.rank_one_form"].detail
    status = kernel_status()
    assert status.versions["coqc"] == "9.9.9"
    assert set(status.libraries.values()) == {False}
    assert "Coquelicot not found (libcoq-coquelicot)" in status.missing


def test_the_toolchain_changes_with_its_libraries(bare_coqc):
    seen = set()
    for content in (b"one", b"two"):
        marker = bare_coqc / "Coquelicot" / "Coquelicot.vo"
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.write_bytes(content)
        toolchain = coqc.find_toolchain()
        assert toolchain is not None
        assert toolchain.libraries["Coquelicot"]
        seen.add(toolchain.fingerprint)
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("lemma", "reason"),
    [
        ("delta.determinant", "a lemma is named file:name, got 'delta.determinant'"),
        ("../delta:determinant", "a lemma is named file:name"),
        ("delta:determinant. Admitted", "a lemma is named file:name"),
        ("nosuch:determinant", "nosuch.v is not in the development"),
    ],
)
def test_a_lemma_that_cannot_be_looked_up_is_an_error(tmp_path, bare_coqc, lemma, reason):
    claim = PROVED[0]
    evidence = check_kernel([(claim, lemma)], cache_dir=tmp_path)[claim.id]
    assert evidence.outcome is Outcome.ERROR
    assert evidence.detail.startswith(reason)


def test_a_claim_that_cannot_be_printed_is_an_error_that_names_the_node(tmp_path, bare_coqc):
    f = function("f")
    claim = Claim("t.t", then=eq(f(1), derivative(det(matrix("A", 2, 2)), a, order=2)))
    evidence = check_kernel([(claim, "delta:determinant")], cache_dir=tmp_path)["t.t"]
    assert evidence.outcome is Outcome.ERROR
    assert "no Rocq spelling of Derivative `" in evidence.detail


# ---------------------------------------------------------------- the cache


@pytest.mark.kernel
@needs_kernel
@pytest.mark.parametrize("damage", ["", "{", "[]", '{"digest": "x", "ruling": ["confirmed"]}'])
def test_a_damaged_result_counts_as_none(cache, damage):
    claim = cayley.CLAIMS[0]
    said: list[str] = []

    def check():
        return check_kernel(
            [(claim, "cayley:generator_skew")], cache_dir=cache, progress=said.append
        )

    first = check()
    for path in (cache / "results").glob("*.json"):
        path.write_text(damage)
    said.clear()
    assert check() == first
    assert said == ["rocq: 1 theorems by cayley.v"]


def test_a_result_that_was_edited_counts_as_none(tmp_path):
    path = tmp_path / "result.json"
    kernel._write(path, kernel._Ruling(Outcome.INCONCLUSIVE, "no"))
    assert kernel._read(path) == kernel._Ruling(Outcome.INCONCLUSIVE, "no")
    stored = json.loads(path.read_text())
    stored["ruling"][0] = "confirmed"
    path.write_text(json.dumps(stored))
    assert kernel._read(path) is None


# ---------------------------------------------------------------- developments


def test_files_come_after_those_they_require():
    order = [source.name for source in coqc.closure(coqc.read_development(DEVELOPMENT), "cayley")]
    assert order == ["matrix_kit", "norm_kit", "cayley"]


def test_a_circle_and_a_gap_are_errors():
    circle = {n: coqc.Source(n, "", (m,)) for n, m in (("a", "b"), ("b", "a"), ("c", "d"))}
    with pytest.raises(LookupError, match=r"a\.v requires itself, by a → b → a"):
        coqc.closure(circle, "a")
    with pytest.raises(LookupError, match=r"d\.v is not in .* by c\.v"):
        coqc.closure(circle, "c")


def test_the_development_has_no_holes():
    sources = coqc.read_development(DEVELOPMENT)
    assert {"matrix_kit", "delta", "cayley", "gate"} <= set(sources)
    assert [(s.name, *hole) for s in sources.values() for hole in coqc.holes(s)] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Lemma a : True.\nProof.\nAdmitted.", [(3, "Admitted")]),
        ("Lemma a : True. Proof. by\n admit. Qed.", [(2, "admit")]),
        ("(* (* Admitted. *) *)\nAxiom a : False.", [(2, "Axiom")]),
        ("Global Parameters a b : nat.", [(1, "Parameters")]),
        ("#[local] Conjecture a : False.", [(1, "Conjecture")]),
        ("Unset  Guard Checking.", [(1, "Unset Guard Checking")]),
        ("Variable R : Type.", [(1, "Variable")]),
        ("Hypothesis h : False.", [(1, "Hypothesis")]),
        ("Module M.\nContext (h : False).\nEnd M.", [(2, "Context")]),
        ("Section A.\nHypothesis h : False.\nEnd A.\nHypotheses g : False.", [(4, "Hypotheses")]),
        ("Section A. Variables (n : nat). End A.", []),
        ('Definition s := "Admitted. ". (* Axiom x. *)', []),
        ("Lemma admitted_once : True. Proof. exact I. Qed.", []),
    ],
)
def test_holes_are_found_by_line_and_word(text, found):
    assert [*coqc.holes(coqc.Source("t", text, ()))] == found


def test_an_audit_that_says_something_else_is_no_proof():
    claim = delta.CLAIMS[0]
    task = kernel._Task(rocq.print_theorem(claim), "delta", "rank_one_form", (), "", None)
    for said in (
        "",
        "Axioms:\nTheory:\nType hierarchy is collapsed",
        "Axioms:\nfoo : False",
        "Axioms:\ng is assumed to be guarded.",
        "Closed under the global context\nno",
    ):
        assert kernel._audited(task, said).outcome is Outcome.ERROR
    assert kernel._audited(task, "Closed under the global context\n").outcome is Outcome.CONFIRMED


# ---------------------------------------------------------------- printed text means the tree


def random_scalar(pick: random.Random, depth: int):
    if depth == 0:
        return pick.choice([a, b, entry(x.T @ x), 2 * a, -b, a / 3])
    left, right = random_scalar(pick, depth - 1), random_scalar(pick, depth - 1)
    return pick.choice(
        [left + right, left - right, left * right, -left, left**2, least(left, right),
         left / 2, det(random_matrix(pick, depth - 1)), tr(random_matrix(pick, depth - 1))]
    )  # fmt: skip


def random_matrix(pick: random.Random, depth: int):
    if depth == 0:
        return pick.choice([A, B, eye(n), zeros(n, n), C @ C.T])
    left, right = random_matrix(pick, depth - 1), random_matrix(pick, depth - 1)
    return pick.choice(
        [left + right, left - right, left @ right, -left, left.T,
         random_scalar(pick, depth - 1) * left]
    )  # fmt: skip


def samples() -> list[Claim]:
    """Statements with every node, and random trees."""
    pick = random.Random(0)
    trees = [eq(random_matrix(pick, 3), random_matrix(pick, 2)) for _ in range(25)]
    trees += [lt(random_scalar(pick, 3), random_scalar(pick, 2)) for _ in range(25)]
    trees += [
        ne(inv(A) @ C, zeros(n, m)),
        both(invertible(eye(n) - A), eq(norm(A @ x), rank(A) - norm(x))),
        iff(forall(t, implies(lt(0, t), le(t, a))), exists(a, implies(eq(a, 0), ne(a, b)))),
        eq(constant([[1, 2], [3, 4]]) @ matrix("M", 2, 2), constant([[0, 1], [1, 0]])),
        eq(det(constant([[1, 2], [3, 4]])), -2),
        eq(y @ x.T, zeros(m, n)),
        le(0, 1),
        eq(rank(A), 2),
        forall(x, le(sqrt(a**2), absolute(a - tr(A)))),
        eq(det(ones(n, n) - A), greatest(a, size(n))),
        eq(kron(A - B, eye(m)) @ vec(C.T - a * C.T), vec(C.T @ (A - B))),
        eq(size(kron(A, kron(C, B)).shape[0]), det(kron(A, B)) ** 2),
        eq(derivative(inv(A) @ (B - t * A), t, at=a - b), eye(n) - B),
        implies(
            differentiable(t * f(t), t, at=-a),
            le(norm(derivative(t * x - x, t)), derivative(t * f(t), t, at=-a) - det(A)),
        ),
        eq(elementary("cos", tr(A) - a) / 2, elementary("sigmoid", a - tr(A)) - 1),
    ]
    functions = [
        eq(f(a) / f(b), least(f(a - 1) ** 2, -f(1))),
        eq(derivative(t**3 - t * a, t, at=b, order=2), 6 * b),
        eq(elementary("sigmoid", a - b) * 2, absolute(greatest(a, elementary("exp", -a)))),
        implies(differentiable(t * f(t), t, at=a), lt(f(a), derivative(t**2, t, at=a))),
    ]
    sums = [
        eq(z[L], product(i, l, L - 1, w[i]) * z[l] + total(i, 0, L, w[i] * z[i + 1])),
        forall(i, eq(w[i] - total(i, l + 1, L + 1, w[i + 2] - a), l * w[i]), over=(l, L - 2)),
        implies(le(l - 2, L), ne(l + 1, L)),
        eq(w[l], a ** (l + 1) - a**l),
    ]
    groups = (([invertible(A)], trees), ([ne(f(b), 0)], functions), ([le(0, l), le(l, L)], sums))
    return [Claim("s.s", given=given, then=then) for given, group in groups for then in group]


def printable(claim: Claim) -> bool:
    """Has it a Rocq spelling? Every claim with a lemma must."""
    try:
        rocq.print_theorem(claim)
    except Unsupported:
        assert claim not in PROVED
        return False
    return True


@pytest.mark.kernel
@needs_kernel
def test_rocq_reads_the_statements_as_the_trees_they_were_printed_from(cache, monkeypatch):
    """With the fewest parentheses and with all of them: one text must mean the other."""
    claims = [*samples(), *(row.claim for row in ENTRIES if printable(row.claim))]
    assert len(claims) > len(samples()) + len(PROVED)
    few = [rocq.print_theorem(claim) for claim in claims]
    for printer in (rocq_printer, rocq_indices, rocq_matrices):
        monkeypatch.setattr(
            printer, "wrap", lambda text, _, unless=-1: f"({text[0]})" if text[1] else text[0]
        )
    toolchain = coqc.find_toolchain()
    assert toolchain is not None
    store = coqc.Store(cache, toolchain, 300.0)
    preambles = (
        rocq_matrices.MATRICES, rocq_matrices.MATRICES_OVER_REALS, rocq_analysis.ANALYSIS,
    )  # fmt: skip
    for preamble in preambles:
        pairs = [
            (theorem.statement, rocq.print_theorem(claim).statement)
            for claim, theorem in zip(claims, few, strict=True)
            if theorem.preamble == preamble
        ]
        assert any(less != more for less, more in pairs)
        goals = [f"Goal ({less}) = ({more}).\nreflexivity. Qed.\n" for less, more in pairs]
        failure, _ = store.listen("readings", "\n".join([preamble, *goals]), [])
        assert failure is None, f"{failure}: {pairs}"
