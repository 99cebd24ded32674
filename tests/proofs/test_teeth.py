"""Teeth: which mutants are tried, what counts, and that a check without teeth is named."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from deltaproof.proofs import verify
from deltaproof.proofs.catalogue import ENTRIES, entry, load
from deltaproof.proofs.catalogue.entry import Entry, Mutant
from deltaproof.proofs.catalogue.mutation import RULES, generate_mutants
from deltaproof.proofs.checks import CERTIFICATES, Task
from deltaproof.proofs.cli import exit_code
from deltaproof.proofs.kernel import kernel_status, theorem_file
from deltaproof.proofs.teeth import (
    PER_RULE,
    MutantResult,
    chosen,
    tell,
    toothless,
    try_mutants,
)
from deltaproof.proofs.terminal import Progress
from deltaproof.symbolic import Claim, dims, eq, le, lt, matrix, scalar
from deltaproof.symbolic.claims import statement_hash
from deltaproof.symbolic.evidence import Evidence, Kind, Outcome

n = dims("n")
A, B = matrix("A", n, n), matrix("B", n, n)
a, b = scalar("a"), scalar("b")
CLAIM = Claim("t.reversed", given=[lt(0, a)], then=eq((A @ B).T, B.T @ A.T))
LISTED = Mutant("not reversed", Claim("t.reversed", then=eq((A @ B).T, A.T @ B.T)))
SPARED = Mutant("turned", Claim("t.reversed", then=eq(B.T @ A.T, (A @ B).T)), stays_true=True)
KINDS = (Kind.CERTIFICATE, Kind.LADDER)
ENTRY = Entry(CLAIM, KINDS, (LISTED, SPARED))
Judge = Callable[[Task], Outcome]


def tried(
    entry: Entry, judge: Judge, kinds: Sequence[Kind] = KINDS, certificate: Any = None
) -> tuple[MutantResult, ...]:
    """The results for one claim, from a check that answers as it is told."""

    def perform(tasks: list[Task]) -> list[Any]:
        assert len({(id(t.entry), t.kind) for t in tasks}) == len(tasks)
        return [Evidence(t.kind or Kind.LADDER, judge(t), "told") for t in tasks]

    (results,) = try_mutants([(entry, kinds, certificate)], perform)
    return results


def honest(task: Task) -> Outcome:
    """False are the mutants with another conclusion; only the hypothesis may go."""
    false = task.claim.then not in (CLAIM.then, SPARED.claim.then)
    if task.kind is Kind.COUNTEREXAMPLE:
        return Outcome.CONFIRMED if false else Outcome.INCONCLUSIVE
    return Outcome.CONTRADICTED if false else Outcome.CONFIRMED


def test_listed_mutants_come_first_and_some_of_every_rule_follow() -> None:
    names = [m.name for m in chosen(ENTRY)]
    assert names[:2] == ["not reversed", "turned"]
    assert len(set(names)) == len(names)
    claim = Claim("t.all", given=[lt(0, a), le(a, b)], then=eq(A.T + A + B, 2 * (A - B + A.T)))
    made = [m.rule for m in chosen(Entry(claim, KINDS))]
    assert {rule: made.count(rule) for rule in RULES} == {
        "hypothesis": 2, "sign": 2, "factor": 1, "transposition": 2, "strictness": 1,
    }  # fmt: skip
    assert PER_RULE == 2
    # what is listed is not made again
    doubled = next(m for m in generate_mutants(claim) if m.rule == "factor")
    listed = Entry(claim, KINDS, (replace(doubled, name="twice", rule=""),))
    assert "factor" not in [m.rule for m in chosen(listed)]


def test_strict_and_weak_are_exchanged_in_the_conclusion_and_made_weak_in_hypotheses() -> None:
    claim = Claim("t.order", given=[lt(0, a), le(a, b)], then=lt(0, b))
    made = {m.name: m.claim for m in generate_mutants(claim) if m.rule == "strictness"}
    assert set(made) == {"≤ in place of < in 0 < b", "≤ in place of < in 0 < a"}
    assert made["≤ in place of < in 0 < a"].given == (le(0, a), le(a, b))


def test_an_honest_check_rejects_what_is_false_and_the_rest_is_listed() -> None:
    results = tried(ENTRY, honest)
    counted = [m for m in results if m.counts]
    assert {m.kind for m in counted} == set(KINDS)
    assert all(m.rejected for m in counted)
    assert {m.name for m in results if m.intended is False} == {
        "turned", "without the hypothesis 0 < a", "≤ in place of < in 0 < a",
    }  # fmt: skip
    assert toothless("proved", KINDS, results) == []
    assert not any(m.accepted_falsely for m in results)


def test_a_check_that_accepts_everything_is_named() -> None:
    def blind(task: Task) -> Outcome:
        return honest(task) if task.kind is Kind.COUNTEREXAMPLE else Outcome.CONFIRMED

    results = tried(ENTRY, blind)
    assert toothless("proved", KINDS, results) == [Kind.CERTIFICATE]
    accepted = {m.name for m in results if m.accepted_falsely}
    assert "not reversed" in accepted
    assert any(name.endswith("doubled") for name in accepted)
    ladder = [m for m in results if m.kind is Kind.LADDER and m.counts]
    assert ladder
    assert not any(m.rejected for m in ladder)
    told = tell([("t.reversed", results, [Kind.CERTIFICATE])])
    assert "t.reversed: certificate rejects no mutant" in told
    assert "t.reversed: certificate accepts: not reversed" in told
    assert max(map(len, told.splitlines())) <= 80


def test_what_nothing_decides_is_undecided_and_does_not_count() -> None:
    def silent(task: Task) -> Outcome:
        return Outcome.INCONCLUSIVE

    results = tried(replace(ENTRY, mutants=()), silent)
    assert results
    assert {m.intended for m in results} == {None}
    assert not any(m.counts for m in results)
    assert toothless("proved", KINDS, results) == [Kind.CERTIFICATE]
    # a number is not asked about what may be true
    assert Kind.LADDER not in {m.kind for m in results}
    assert "undecided" in tell([("t.reversed", results, [])])


@pytest.mark.parametrize("outcome", [Outcome.SKIPPED, Outcome.ERROR])
def test_a_check_that_did_not_run_rejected_nothing(outcome: Outcome) -> None:
    def absent(task: Task) -> Outcome:
        return outcome if task.kind is Kind.CERTIFICATE else honest(task)

    results = tried(ENTRY, absent)
    assert toothless("proved", KINDS, results) == [Kind.CERTIFICATE]
    assert ("no answer" in tell([("t", results, [])])) == (outcome is Outcome.ERROR)


def test_a_kind_that_cannot_see_a_change_is_not_blamed() -> None:
    unseen = replace(LISTED, unseen_by=(Kind.LADDER,))
    results = tried(replace(ENTRY, mutants=(unseen,)), lambda t: Outcome.INCONCLUSIVE)
    assert [m.kind for m in results if m.counts] == [Kind.CERTIFICATE]


def test_mutants_of_a_refuted_claim_count_where_they_are_proved() -> None:
    claim = Claim("t.refuted", then=eq(A @ B, B @ A.T), expected="refuted")
    kinds = (Kind.COUNTEREXAMPLE, Kind.LADDER)

    def judge(task: Task) -> Outcome:
        true = "transposed" in task.mutant
        if task.kind is Kind.COUNTEREXAMPLE:
            return Outcome.INCONCLUSIVE if true else Outcome.CONFIRMED
        return Outcome.CONFIRMED if true else Outcome.INCONCLUSIVE

    results = tried(Entry(claim, kinds), judge, kinds)
    counted = [m for m in results if m.counts]
    assert {(m.kind, m.rejected) for m in counted} == {(k, True) for k in kinds}
    assert all("transposed" in m.name for m in counted)
    assert toothless("refuted", kinds, results) == []

    # a listed repair need not repeat what the claim is expected to be
    repair = Mutant("transposed", Claim("t.refuted", then=eq(A, A)))
    listed = [m for m in tried(Entry(claim, kinds, (repair,)), judge, kinds) if m.counts]
    assert {m.expected for m in listed} == {"refuted"}
    assert all(m.rejected for m in listed)

    def refutes_all(task: Task) -> Outcome:
        return Outcome.CONFIRMED

    results = tried(Entry(claim, kinds), refutes_all, kinds)
    assert any(m.accepted_falsely for m in results)
    assert toothless("refuted", kinds, results) == [Kind.COUNTEREXAMPLE]


def test_the_kernel_compiles_what_a_lemma_might_close() -> None:
    kernel = (Kind.KERNEL, Kind.CERTIFICATE)
    results = tried(replace(ENTRY, lemma="delta:identity"), honest, kernel)
    assert {m.name for m in results if m.kind is Kind.KERNEL} == {"not reversed", "turned"}


def test_without_a_lemma_the_kernel_gets_the_certificate_of_the_claim() -> None:
    kinds = (Kind.KERNEL, Kind.CERTIFICATE)
    seen = []

    def judge(task: Task) -> Outcome:
        if task.kind is Kind.KERNEL:
            seen.append((task.certificate["terms"], task.certificate["statement_hash"]))
        return honest(task)

    stored = {"terms": "those of the claim", "statement_hash": statement_hash(CLAIM)}
    tried(ENTRY, judge, kinds, stored)
    expected = {statement_hash(m.claim) for m in (LISTED, SPARED)}
    assert set(seen) == {("those of the claim", h) for h in expected}
    assert Kind.KERNEL not in {m.kind for m in tried(ENTRY, honest, kinds)}


def test_a_long_list_of_the_undecided_is_cut_and_nothing_else() -> None:
    unknown = [
        MutantResult(f"u{i}", Kind.CERTIFICATE, Outcome.INCONCLUSIVE, intended=None)
        for i in range(50)
    ]
    told = tell([("t", unknown, [])])
    assert "50 undecided" in told
    assert "and 30 more" in told
    true = [replace(m, intended=False) for m in unknown]
    assert tell([("t", true, [])]).count("t: u") == 50


def test_the_checks_of_mutants_are_told_anew_as_they_go_on() -> None:
    stream = StringIO()
    progress = Progress(stream)
    for total in (2, 100):
        for done in range(1, total + 1):
            progress(done, total, "t.any")
    told = stream.getvalue().splitlines()
    assert told[:2] == ["checked 1 of 2", "checked 2 of 2"]
    assert told[2:] == [f"checked {done} of 100" for done in (20, 40, 60, 80, 100)]


def test_other_work_is_told_in_its_own_words() -> None:
    stream = StringIO()
    with Progress(stream, counted="trained", unit=" steps") as progress:
        progress(1, 1, "any")
        progress.tell("[a] line")
    assert stream.getvalue() == "trained 1 of 1 steps\n[a] line\n"


def test_a_mutant_that_no_certificate_can_speak_of_is_skipped() -> None:
    """Not an exception: that would cost every theorem that is compiled beside it."""
    row = entry("cayley.image")
    stored = json.loads((CERTIFICATES / f"{row.claim.id}.json").read_text(encoding="utf-8"))
    (mutant,) = (m.claim for m in row.mutants if m.name == "and det R = 1")
    forged = {**stored, "statement_hash": statement_hash(mutant)}
    with pytest.raises(ValueError, match=r"not exported: `det\(R\)`"):
        theorem_file(mutant, None, forged)


# ---------------------------------------------------------------- in earnest

ROWS = ("delta.eigenvalue_along_k", "cayley.generator_skew", "gate.bernoulli_variance")


@pytest.mark.parametrize("row", ROWS)
def test_every_kind_of_a_row_has_teeth(row: str, tmp_path: Path) -> None:
    found = verify(row, kinds=["symbolic", "numeric", "property"], mutants=True, cache=tmp_path)
    assert found.exit_code() == 0
    (result,) = found.results
    assert result.toothless == []
    counted = [m for m in result.mutants if m.counts]
    assert {m.kind for m in counted} >= {e.kind for e in result.evidence}
    assert all(m.rejected for m in counted)
    listed = {m.name for m in entry(row).mutants}
    assert {m.name for m in counted} - listed, "none of those made by rule is false"


@pytest.mark.kernel
@pytest.mark.skipif(bool(kernel_status().missing), reason=kernel_status().missing)
@pytest.mark.parametrize("row", ["cayley.generator_skew", "hybrid.gram"], ids=["lemma", "exported"])
def test_the_kernel_has_teeth(row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kinds = ["kernel", "certificate"]
    found = verify(row, kinds=kinds, mutants=True, cache=tmp_path / "cache")
    assert found.exit_code() == 0
    (result,) = found.results
    assert result.toothless == []
    assert Outcome.ERROR not in {m.outcome for m in result.mutants}
    # and it compiles in the cache, not where the command stands
    assert {path.name for path in tmp_path.iterdir()} == {"cache"}


def test_a_proof_that_ignores_the_statement_fails_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def anything(claim: Claim, derivation: Any) -> Evidence:
        return Evidence(Kind.DERIVATION, Outcome.CONFIRMED, "closes whatever it is asked")

    monkeypatch.setattr("deltaproof.symbolic.derivations.check_derivation", anything)
    found = verify(ROWS[0], kinds=["derivation"], mutants=True, cache=tmp_path)
    assert found.exit_code() == 1
    assert found.results[0].toothless == [Kind.DERIVATION]


USER = """
from deltaproof.symbolic import Claim, dims, eq, matrix
n = dims("n")
A, B = matrix("A", n, n), matrix("B", n, n)
CLAIMS = [
    Claim("mine.reversed", then=eq((A @ B).T, B.T @ A.T)),
    Claim("mine.kept", then=eq(A @ B + A.T, A.T - B @ A), expected="refuted"),
]
"""


def test_mutants_of_a_users_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DELTAPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "mine.py"
    path.write_text(USER)
    first, _ = load(path)
    assert all(m.rule for m in first.mutants)
    command = ["verify", "--catalogue", str(path), "--mutants", "--jobs", "1"]
    assert exit_code([*command, "mine.reversed"]) == 0
    out = capsys.readouterr().out
    assert "mutants rejected: " in out
    assert "certificate" in out
    # a refuted claim of which every change is false as well: nothing was accepted falsely, but
    # no repair is known that the refutation could be tried on, which is told
    assert exit_code([*command, "mine.kept"]) == 0
    out = capsys.readouterr().out
    assert "mine.kept: counterexample rejects no mutant" in out
    assert "accepted falsely" not in out


def test_rules_leave_no_row_without_a_mutant() -> None:
    assert all(any(m.rule for m in chosen(e)) or e.mutants for e in ENTRIES)
