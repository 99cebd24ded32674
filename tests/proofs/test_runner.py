"""The runner: what is run, what comes from the cache, what happens to workers that die."""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from deltaproof.proofs import catalogue, checks, prove, verdicts, verify
from deltaproof.proofs.cache import Cache
from deltaproof.proofs.catalogue.entry import Entry, Mutant
from deltaproof.proofs.checks import Settings, Task
from deltaproof.proofs.runner import MissingTool, Pool, Result, run
from deltaproof.proofs.verdicts import parse_kinds
from deltaproof.symbolic import Claim, dims, eq, lt, matrix, scalar
from deltaproof.symbolic.evidence import Evidence, Kind, Outcome

x, y = scalar("x"), scalar("y")
FAST: dict[str, Any] = {"kinds": ["certificate", "derivation"], "cache": False}
TRUE = Claim("fake.true", given=[lt(0, x)], then=eq(x + y, y + x))
FALSE = Claim("fake.false", then=eq(x, y), expected="refuted")
Fake = Callable[[Task, Settings], Evidence]


def fixed(kind: Kind, outcome: Outcome, **data: Any) -> Fake:
    def check(task: Task, settings: Settings) -> Evidence:
        return Evidence(kind, outcome, "told", data=data)

    return check


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Replace checks by fakes; the list returned collects the calls."""

    def install(**outcomes: Outcome | Fake) -> list[str]:
        calls: list[str] = []
        table = {}
        for name, given in outcomes.items():
            kind = Kind(name)
            inner = fixed(kind, given) if isinstance(given, Outcome) else given

            def check(
                task: Task, settings: Settings, kind: Kind = kind, inner: Fake = inner
            ) -> Evidence:
                calls.append(f"{task.claim.id} {kind.value} {task.mutant}".strip())
                return inner(task, settings)

            table[kind] = check
        monkeypatch.setattr(checks, "CHECKS", table)
        monkeypatch.setattr(checks, "find_witness", lambda claim, seed: {"sizes": {}, "values": {}})
        monkeypatch.setattr(checks, "missing_tools", lambda kind: "")
        return calls

    return install


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def lacking(results: tuple[Result, ...], required: list[str]) -> dict[str, str]:
    return verdicts.lacking([r.row for r in results], required)


PROVED = Entry(TRUE, (Kind.CERTIFICATE, Kind.LADDER))


def test_a_run_judges_every_claim(fake: Callable[..., list[str]], cache: Cache) -> None:
    fake(
        certificate=Outcome.CONFIRMED,
        ladder=Outcome.CONFIRMED,
        counterexample=Outcome.CONFIRMED,
    )
    found = run([PROVED, Entry(FALSE, (Kind.COUNTEREXAMPLE,))], cache=cache)
    assert [(r.id, r.verdict) for r in found.results] == [
        ("fake.true", "proved"),
        ("fake.false", "refuted"),
    ]
    assert found.ok
    assert found["fake.true"].evidence[1].kind is Kind.LADDER


def test_evidence_is_kept_and_used_again(fake: Callable[..., list[str]], cache: Cache) -> None:
    calls = fake(certificate=Outcome.CONFIRMED, ladder=Outcome.INCONCLUSIVE)
    first = run([PROVED], cache=cache)
    assert len(calls) == 2
    assert run([PROVED], cache=cache).results == first.results
    assert len(calls) == 2
    run([PROVED], cache=Cache(cache.directory, enabled=False))
    assert len(calls) == 4


@pytest.mark.parametrize(
    "change",
    [
        lambda e: replace(e, claim=Claim("fake.true", given=TRUE.given, then=eq(x + y, y))),
        lambda e: replace(e, mutants=(Mutant("other", FALSE),)),
    ],
    ids=["statement", "mutants"],
)
def test_evidence_is_not_used_for_anything_else(
    fake: Callable[..., list[str]], cache: Cache, change: Callable[[Entry], Entry]
) -> None:
    calls = fake(certificate=Outcome.CONFIRMED, ladder=Outcome.CONFIRMED)
    run([PROVED], cache=cache)
    before = len(calls)
    run([change(PROVED)], cache=cache)
    assert "fake.true ladder" in calls[before:]
    before = len(calls)
    run([PROVED], cache=cache, seed=1)
    assert len(calls) > before


def test_sources_and_versions_are_in_the_key(
    fake: Callable[..., list[str]], cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake(certificate=Outcome.CONFIRMED, ladder=Outcome.CONFIRMED)
    run([PROVED], cache=cache)
    monkeypatch.setattr(checks, "versions", lambda packages: {"python": "another"})
    run([PROVED], cache=cache)
    assert len(calls) == 4
    monkeypatch.setattr(checks, "source_digest", lambda paths: "another")
    run([PROVED], cache=cache)
    assert len(calls) == 6


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_names_sources_and_packages(kind: Kind) -> None:
    assert checks.SOURCES[kind]
    assert kind in checks.PACKAGES
    assert kind in checks.CHECKS or kind is Kind.KERNEL
    for pattern in checks.SOURCES[kind]:
        assert list(checks.CERTIFICATES.parent.parent.glob(pattern)), pattern


def test_a_check_that_raises_is_an_error_and_the_others_go_on(
    fake: Callable[..., list[str]], cache: Cache
) -> None:
    def broken(task: Task, settings: Settings) -> Evidence:
        raise ZeroDivisionError("by zero")

    fake(certificate=Outcome.CONFIRMED, ladder=broken)
    found = run([PROVED], cache=cache)
    result = found["fake.true"]
    assert result.verdict == "proved"
    assert result.status == "error"
    assert result.evidence[1].detail == "ZeroDivisionError: by zero"
    assert found.exit_code() == 3
    # and it is not kept
    calls = fake(certificate=Outcome.CONFIRMED, ladder=Outcome.CONFIRMED)
    assert run([PROVED], cache=cache).exit_code() == 0
    assert calls == ["fake.true ladder"]


def test_a_check_that_exits_does_not_end_the_run(
    fake: Callable[..., list[str]], cache: Cache
) -> None:
    def leaves(task: Task, settings: Settings) -> Evidence:
        sys.exit(0)

    fake(certificate=Outcome.CONFIRMED, ladder=leaves)
    assert checks.perform(Task(PROVED, Kind.LADDER), Settings()).detail == "SystemExit: 0"
    assert run([PROVED], cache=cache).exit_code() == 3


def test_a_check_that_judges_error_fails_the_claim_and_not_the_tool(
    fake: Callable[..., list[str]], cache: Cache
) -> None:
    fake(certificate=Outcome.CONFIRMED, ladder=Outcome.ERROR)
    assert run([PROVED], cache=cache).exit_code() == 1


def test_kinds_restrict_and_required_kinds_are_added(
    fake: Callable[..., list[str]], cache: Cache
) -> None:
    calls = fake(certificate=Outcome.CONFIRMED, ladder=Outcome.CONFIRMED)
    found = run([PROVED], kinds=parse_kinds(["numeric"]), cache=cache)
    assert calls == ["fake.true ladder"]
    assert (found.exit_code(), found.exit_code(strict=True)) == (0, 6)
    found = run([PROVED], kinds=parse_kinds(["numeric"]), required=["symbolic"], cache=cache)
    assert calls[-1] == "fake.true certificate"
    assert found.exit_code(strict=True) == 0


def test_a_required_kind_must_be_shown(fake: Callable[..., list[str]], cache: Cache) -> None:
    fake(certificate=Outcome.CONFIRMED, ladder=Outcome.INCONCLUSIVE)
    assert run([PROVED], cache=cache).exit_code() == 0
    assert run([PROVED], cache=cache).exit_code(strict=True) == 6
    lacking = run([PROVED], required=["ladder", "kernel", "torch"], cache=cache)
    assert lacking.lacking == {"fake.true": "ladder, kernel, torch"}
    assert lacking.exit_code() == 1


def test_a_required_tool_that_is_missing_is_told_before_anything_runs(
    fake: Callable[..., list[str]], cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake(certificate=Outcome.CONFIRMED, ladder=Outcome.CONFIRMED)
    monkeypatch.setattr(
        checks, "missing_tools", lambda kind: "no such tool" if kind is Kind.LADDER else ""
    )
    with pytest.raises(MissingTool, match="ladder is required, but no such tool"):
        run([PROVED], required=["ladder"], cache=cache)
    assert not calls
    found = run([PROVED], cache=cache)
    assert found.ok
    assert found["fake.true"].evidence[1].outcome is Outcome.SKIPPED
    assert found["fake.true"].evidence[1].detail == "no such tool"


def test_hypotheses_that_cannot_be_met_prove_nothing(
    fake: Callable[..., list[str]], cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(certificate=Outcome.CONFIRMED, ladder=Outcome.CONFIRMED)
    monkeypatch.setattr(checks, "find_witness", lambda claim, seed: None)
    found = run([PROVED], cache=cache)
    assert found["fake.true"].verdict == "open"
    assert "may contradict each other" in found["fake.true"].ruling.note
    assert found.exit_code() == 1


MUTANT = Mutant("sum replaced", Claim("fake.true", given=TRUE.given, then=eq(x + y, x)))
TRUE_MUTANT = Mutant("turned round", Claim("fake.true", then=eq(y + x, x + y)), stays_true=True)


def test_a_false_mutant_that_is_proved_fails_the_run(
    fake: Callable[..., list[str]], cache: Cache
) -> None:
    entry = replace(PROVED, mutants=(MUTANT, TRUE_MUTANT))

    def honest(task: Task, settings: Settings) -> Evidence:
        false = task.claim.then == MUTANT.claim.then
        outcome = Outcome.CONTRADICTED if false else Outcome.CONFIRMED
        return Evidence(Kind.LADDER, outcome, "told")

    fake(certificate=Outcome.CONFIRMED, ladder=honest, counterexample=Outcome.INCONCLUSIVE)
    found = run([entry], mutants=True, cache=cache)
    listed = [m for m in found["fake.true"].mutants if m.name in (MUTANT.name, TRUE_MUTANT.name)]
    assert [(m.name, m.kind, m.rejected) for m in listed] == [
        ("sum replaced", "certificate", False),
        ("sum replaced", "ladder", True),
        ("turned round", "certificate", False),
        ("turned round", "ladder", False),
    ]
    assert found["fake.true"].row.accepted == ("sum replaced",)
    assert found["fake.true"].toothless == [Kind.CERTIFICATE]
    assert found.exit_code() == 1
    fake(certificate=honest, ladder=honest, counterexample=Outcome.INCONCLUSIVE)
    found = run([entry], mutants=True, cache=Cache(cache.directory / "other"))
    assert (found["fake.true"].row.accepted, found["fake.true"].toothless) == ((), [])
    assert found.exit_code() == 0


def test_progress_counts_every_task(fake: Callable[..., list[str]], cache: Cache) -> None:
    fake(certificate=Outcome.CONFIRMED, ladder=Outcome.CONFIRMED)
    told: list[tuple[int, int, str]] = []
    run([PROVED], cache=cache, notify=lambda *event: told.append(event))
    assert [done for done, _, _ in told] == [1, 2, 3]
    assert {total for _, total, _ in told} == {3}


def test_the_api_takes_claims_and_options(fake: Callable[..., list[str]], cache: Cache) -> None:
    fake(
        certificate=Outcome.CONFIRMED,
        counterexample=Outcome.INCONCLUSIVE,
        enclosure=Outcome.CONFIRMED,
        ladder=Outcome.CONFIRMED,
        property=Outcome.CONFIRMED,
    )
    result = prove(TRUE, cache=cache.directory)
    assert result.verdict == "proved"
    # a search that finds nothing against a proved claim is not a doubt
    assert verify([TRUE], cache=cache.directory).exit_code(strict=True) == 0
    assert str(result).startswith("fake.true: proved; kernel skipped, certificate confirmed")


# ---------------------------------------------------------------- worker processes

FAKES = """
import os, time
from deltaproof.symbolic.evidence import Evidence, Outcome

def work(tasks, settings):
    told = []
    for task in tasks:
        if task.claim.id == "fake.dies":
            os._exit(7)
        if task.claim.id == "fake.exits":
            raise SystemExit(0)
        if task.claim.id == "fake.hangs":
            time.sleep(60)
        print("noise on stdout")
        told.append(Evidence(task.kind, Outcome.CONFIRMED, f"{task.claim.id} {os.getpid()}"))
    return told
"""


def entry(name: str) -> Entry:
    return Entry(Claim(name, then=eq(x, x)), (Kind.LADDER,))


def performed(
    names: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, time_limit: float
) -> list[Evidence]:
    (tmp_path / "pool_fakes.py").write_text(FAKES)
    monkeypatch.syspath_prepend(tmp_path)
    import pool_fakes  # type: ignore[import-not-found]

    tasks = [Task(entry(name), Kind.LADDER) for name in names]
    found: dict[int, Evidence] = {}
    with Pool(2, Settings(), work=pool_fakes.work, time_limit=time_limit) as pool:
        pool.run(tasks, [(i,) for i in range(len(tasks))], lambda i, e, s: found.__setitem__(i, e))
        processes = [w.process for w in pool.workers]
    assert not any(p.is_alive() for p in processes)
    return [found[i] for i in range(len(tasks))]


def test_workers_share_the_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    names = [f"fake.n{i}" for i in range(8)]
    found = performed(names, tmp_path, monkeypatch, time_limit=60)
    assert [e.detail.split()[0] for e in found] == names
    assert str(os.getpid()) not in {e.detail.split()[1] for e in found}
    # what a check prints is a diagnostic, not data
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "noise" in captured.err


def test_a_worker_that_dies_costs_its_task_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["fake.a", "fake.dies", "fake.b", "fake.dies", "fake.c"]
    found = performed(names, tmp_path, monkeypatch, time_limit=60)
    assert [e.outcome.value for e in found] == [
        "confirmed", "error", "confirmed", "error", "confirmed",
    ]  # fmt: skip
    assert found[1].detail == "the worker process died (exit code 7)"
    assert found[1].data["exception"] == "WorkerDied"


def test_a_worker_that_exits_without_complaint_is_an_error_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = performed(["fake.exits", "fake.a"], tmp_path, monkeypatch, time_limit=60)
    assert [e.outcome.value for e in found] == ["error", "confirmed"]


def test_a_worker_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # long enough for a worker to start on a busy machine
    found = performed(["fake.hangs", "fake.a"], tmp_path, monkeypatch, time_limit=6)
    assert [e.outcome.value for e in found] == ["error", "confirmed"]
    assert "did not finish in 6 s" in found[0].detail


# ---------------------------------------------------------------- the kernel waits for certificates


@pytest.fixture
def folders() -> list[tuple[Path, bool]]:
    """Where the kernel compiled, and whether that folder was there."""
    return []


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch, folders: list[tuple[Path, bool]]) -> list[Task]:
    """The tasks that the kernel gets, in place of what it does with them."""
    given: list[Task] = []

    def perform(tasks: list[Task], settings: Settings) -> list[Evidence]:
        given.extend(tasks)
        folders.append((settings.kernel_folder, settings.kernel_folder.is_dir()))
        return [Evidence(Kind.KERNEL, Outcome.CONFIRMED, "told") for _ in tasks]

    monkeypatch.setattr(checks, "perform_kernel", perform)
    return given


BARE = Entry(TRUE, (Kind.KERNEL, Kind.CERTIFICATE))


def test_the_kernel_gets_the_certificate_that_was_found(
    fake: Callable[..., list[str]], cache: Cache, kernel: list[Task]
) -> None:
    found = {"proof": 1}
    fake(certificate=fixed(Kind.CERTIFICATE, Outcome.CONFIRMED, **{checks.FOUND: found}))
    (result,) = run([BARE], cache=cache).results
    assert [task.certificate for task in kernel] == [{"proof": 1}]
    assert [e.outcome for e in result.evidence] == [Outcome.CONFIRMED] * 2
    # the record does without the certificate; those who asked for the result have it
    assert checks.FOUND not in result.evidence[1].data
    assert result.certificate == {"proof": 1}
    run([BARE], cache=cache)
    assert len(kernel) == 1


def test_another_certificate_is_judged_anew(
    fake: Callable[..., list[str]], cache: Cache, kernel: list[Task]
) -> None:
    for number in (1, 2):
        found = {checks.FOUND: {"proof": number}}
        fake(certificate=fixed(Kind.CERTIFICATE, Outcome.CONFIRMED, **found))
        run([BARE], cache=Cache(cache.directory), seed=number)
    assert [task.certificate for task in kernel] == [{"proof": 1}, {"proof": 2}]


def test_without_a_certificate_the_kernel_is_skipped_and_nothing_fails(
    fake: Callable[..., list[str]], cache: Cache, kernel: list[Task]
) -> None:
    fake(certificate=Outcome.INCONCLUSIVE)
    made = run([BARE], cache=cache)
    (result,) = made.results
    assert kernel == []
    assert result.evidence[0].outcome is Outcome.SKIPPED
    assert "no certificate" in result.evidence[0].detail
    assert lacking(made.results, ["kernel"]) == {"fake.true": "kernel"}


def test_a_lemma_does_not_wait(
    fake: Callable[..., list[str]], cache: Cache, kernel: list[Task]
) -> None:
    fake(certificate=Outcome.INCONCLUSIVE)
    run([replace(BARE, lemma="file:lemma")], cache=cache)
    assert len(kernel) == 1


def test_without_the_cache_the_kernel_compiles_in_a_folder_of_its_own(
    fake: Callable[..., list[str]],
    cache: Cache,
    kernel: list[Task],
    folders: list[tuple[Path, bool]],
) -> None:
    fake(certificate=Outcome.CONFIRMED)
    attached = replace(BARE, lemma="file:lemma")
    run([attached], cache=cache)
    assert folders.pop()[0] == cache.kernel
    for _ in range(2):
        run([attached], cache=Cache(cache.directory, enabled=False))
    (first, there), (second, again) = folders
    assert there
    assert again
    assert first != second
    assert not first.exists()
    assert not first.is_relative_to(cache.directory)


def test_a_late_task_is_not_a_worker_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pool_fakes.py").write_text(FAKES)
    monkeypatch.syspath_prepend(tmp_path)
    import pool_fakes  # type: ignore[import-not-found]

    tasks = [Task(entry(f"fake.n{i}"), Kind.LADDER) for i in range(7)]
    found: dict[int, Evidence] = {}

    def late() -> list[tuple[int, ...]] | None:
        return [(i,) for i in range(1, 7)] if 0 in found else None

    with Pool(2, Settings(), work=pool_fakes.work) as pool:
        pool.run(tasks, [(0,)], lambda i, e, s: found.__setitem__(i, e), late=late)
        assert len(pool.workers) == 2
    assert sorted(found) == [*range(7)]


@pytest.mark.parametrize(
    ("outcome", "expected", "kinds", "limit"),
    [
        (Outcome.CONFIRMED, "proved", None, checks.DECIDED_SEARCH_SECONDS),
        (Outcome.INCONCLUSIVE, "proved", None, checks.SEARCH_SECONDS),
        (Outcome.CONFIRMED, "refuted", None, checks.SEARCH_SECONDS),
        (Outcome.CONFIRMED, "open", None, checks.SEARCH_SECONDS),
        (Outcome.CONFIRMED, "proved", ["counterexample"], checks.SEARCH_SECONDS),
    ],
)
def test_the_search_against_what_has_a_certificate_is_short(
    fake: Callable[..., list[str]],
    cache: Cache,
    outcome: Outcome,
    expected: Any,
    kinds: list[str] | None,
    limit: float,
) -> None:
    limits = []

    def search(task: Task, settings: Settings) -> Evidence:
        limits.append(settings.limit(task))
        return Evidence(Kind.COUNTEREXAMPLE, Outcome.INCONCLUSIVE, "told")

    quiet = dict.fromkeys(("enclosure", "ladder", "property"), Outcome.CONFIRMED)
    fake(certificate=outcome, counterexample=search, kernel=Outcome.SKIPPED, **quiet)
    claim = Claim("fake.bare", then=eq(x, x), expected=expected)
    wanted = None if kinds is None else parse_kinds(kinds)
    run([checks.as_entry(claim)], kinds=wanted, cache=cache)
    assert limits == [limit]


# ---------------------------------------------------------------- ids of the package


def own_claim(claim_id: str) -> Claim:
    n = dims("n")
    A = matrix("A", n, n)
    return Claim(claim_id, then=eq(A.T.T, A))


def test_a_claim_with_an_id_of_the_package_is_not_given_its_certificate() -> None:
    stored = sorted(checks.CERTIFICATES.glob("*.json"))[0].stem
    result = prove(own_claim(stored), kinds=["certificate"], cache=False)
    assert result.verdict == "proved"
    assert result.certificate is not None
    bare = Task(checks.as_entry(own_claim(stored)), Kind.KERNEL)
    assert checks._attached_certificate(bare, Settings()) is None
    package = Task(catalogue.entry(stored), Kind.CERTIFICATE)
    own = replace(bare, kind=Kind.CERTIFICATE)
    named = Settings().certificates / f"{stored}.json"
    assert checks._stored_certificate(package, Settings()) == named
    # a claim that says the same may have it
    same = Task(checks.as_entry(catalogue.entry(stored).claim), Kind.CERTIFICATE)
    assert checks._stored_certificate(same, Settings()) == named
    # a folder that is given is taken at its word: what does not fit there is refused
    copy = Settings(certificates=Path(named.parent, "..", named.parent.name))
    assert checks._stored_certificate(own, copy) is not None
    assert "certifies another statement" in checks.perform(own, copy).detail


def test_a_claim_with_an_id_of_the_package_is_not_told_its_repairs() -> None:
    repaired = next(e for e in catalogue.ENTRIES if e.repaired_by)
    told = verify([own_claim(str(repaired.repaired_by))], **FAST).record()
    assert told["claims"][0]["repairs"] == []
    told = verify([str(repaired.repaired_by)], **FAST).record()
    assert repaired.claim.id in told["claims"][0]["repairs"]


def test_of_a_bare_claim_only_what_can_bear_it_out_is_required(
    fake: Callable[..., list[str]], cache: Cache, kernel: list[Task]
) -> None:
    confirmed = dict.fromkeys(("enclosure", "ladder", "property"), Outcome.INCONCLUSIVE)
    fake(certificate=Outcome.INCONCLUSIVE, counterexample=Outcome.CONFIRMED, **confirmed)
    made = run([checks.as_entry(FALSE), checks.as_entry(TRUE)], cache=cache)
    assert lacking(made.results, ["kernel"]) == {"fake.true": "kernel"}
    assert lacking(made.results, ["certificate"]) == {"fake.true": "certificate"}
