"""Drift: every way in which a ledger gets weaker is seen, and what is not weaker is not one."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from deltaproof.proofs import drift
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.proofs.cli import exit_code
from deltaproof.proofs.drift import Change, Ledger, NotAccepted, Row, accepted, compare, of_record
from deltaproof.proofs.record import RecordError, to_text
from deltaproof.symbolic.claims import statement_hash
from deltaproof.symbolic.evidence import DECIDES_PROVED, DECIDES_REFUTED, Kind

PROVED = Row("proved", "proved", (Kind.CERTIFICATE, Kind.LADDER), "0" * 64)
REFUTED = Row("refuted", "refuted", (Kind.COUNTEREXAMPLE,), "1" * 64)
OLD = Ledger({"a.proved": PROVED, "b.refuted": REFUTED}, "old")
TRUE = "delta.eigenvalue_off_k"


def after(row: Row | None, **others: Row) -> tuple[Change, ...]:
    """The changes where `row` took the place of the proved one, or left."""
    rows = {"b.refuted": REFUTED, **others}
    return compare(OLD, Ledger(rows if row is None else {"a.proved": row, **rows}, "new"))


WEAKER: dict[str, tuple[Row | None, str]] = {
    "the row is gone": (None, "gone; it was proved by certificate, ladder"),
    "refuted": (replace(PROVED, verdict="refuted", status="differs"), "proved -> refuted"),
    "open though all was checked": (
        replace(PROVED, verdict="open", kinds=(Kind.LADDER,), status="differs"), "proved -> open",
    ),
    "open and contradicted": (
        replace(PROVED, verdict="open", kinds=(), status="differs", contradicted=True,
                unchecked=frozenset({Kind.CERTIFICATE})),
        "proved -> open",
    ),
    "another expectation": (replace(PROVED, expected="open"), "expected proved -> open"),
    "another statement": (replace(PROVED, statement_hash="2" * 64), "00000000 -> 22222222"),
    "a deciding kind lost": (
        replace(PROVED, kinds=(Kind.LADDER,)), "no longer proved by certificate",
    ),
    "a supporting kind lost": (
        replace(PROVED, kinds=(Kind.CERTIFICATE,)), "no longer proved by ladder",
    ),
    "inconsistent": (
        replace(PROVED, verdict="open", kinds=(), status="inconsistent",
                unchecked=frozenset(Kind)),
        "proved -> open",
    ),
    "a check that crashed": (replace(PROVED, status="error"), "as expected -> error"),
}  # fmt: skip


@pytest.mark.parametrize("name", WEAKER)
def test_what_is_weaker_is_seen_and_named(name: str) -> None:
    row, told = WEAKER[name]
    changes = after(row)
    assert drift.weaker(changes)
    assert told in " ".join(c.what for c in changes if c.weaker)
    assert {c.id for c in changes} == {"a.proved"}


UNCHECKED = frozenset({Kind.KERNEL, Kind.CERTIFICATE})
NOT_WEAKER: dict[str, tuple[Row, str]] = {
    "another kind": (
        replace(PROVED, kinds=(Kind.KERNEL, *PROVED.kinds)), "also proved by kernel",
    ),
    "decided by other kinds, one without its tool": (
        replace(PROVED, kinds=(Kind.DERIVATION, Kind.LADDER), unchecked=UNCHECKED),
        "also proved by derivation",
    ),
    "no deciding kind was checked": (
        replace(PROVED, verdict="open", kinds=(Kind.LADDER,), unchecked=UNCHECKED,
                status="differs"),
        "certificate not checked",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_WEAKER)
def test_what_is_not_weaker_is_told_and_does_not_fail(name: str) -> None:
    row, told = NOT_WEAKER[name]
    changes = after(row)
    assert not drift.weaker(changes)
    assert told in " ".join(c.what for c in changes)


def test_equal_ledgers_have_no_changes_and_new_rows_do_not_fail() -> None:
    assert after(PROVED) == ()
    (change,) = after(PROVED, **{"c.new": PROVED})
    assert (change.id, change.weaker) == ("c.new", False)
    assert drift.weaker(after(PROVED, **{"c.new": replace(PROVED, status="inconsistent")}))
    better = Ledger({"a.proved": replace(PROVED, verdict="open", kinds=(), status="differs")})
    changes = compare(better, Ledger({"a.proved": PROVED}))
    assert [c.what for c in changes] == ["open -> proved"]
    assert not drift.weaker(changes)


def test_what_was_not_selected_is_not_gone() -> None:
    few = Ledger({"a.proved": PROVED})
    assert compare(OLD, few, known=["a.proved", "b.refuted"]) == ()
    assert drift.weaker(compare(OLD, few, known=["a.proved"]))


# ---------------------------------------------------------------- accepting


def test_an_accepted_run_keeps_what_it_did_not_check() -> None:
    run = replace(PROVED, kinds=(Kind.CERTIFICATE,), unchecked=frozenset({Kind.LADDER}))
    kept = accepted(Ledger({"a.proved": run}), OLD, known=["a.proved", "b.refuted"])
    assert kept.rows["a.proved"].kinds == PROVED.kinds
    assert kept.rows["b.refuted"] == REFUTED
    # a row that exists no more, and kinds of another statement, do not stay
    assert "b.refuted" not in accepted(Ledger({"a.proved": run}), OLD).rows
    changed = replace(run, statement_hash="3" * 64)
    assert accepted(Ledger({"a.proved": changed}), OLD).rows["a.proved"].kinds == run.kinds
    # nor does a kind that was checked and lost
    lost = replace(run, unchecked=frozenset())
    assert accepted(Ledger({"a.proved": lost}), OLD).rows["a.proved"].kinds == run.kinds


@pytest.mark.parametrize(
    "row",
    [
        replace(PROVED, verdict="open", status="differs"),
        replace(PROVED, status="error"),
        replace(PROVED, verdict="open", status="inconsistent"),
    ],
)
def test_a_run_that_is_not_as_expected_is_not_accepted(row: Row) -> None:
    with pytest.raises(NotAccepted, match=r"1 of 2 claims are not as expected.*a\.proved is"):
        accepted(Ledger({"a.proved": row, "b.refuted": REFUTED}))


def test_a_ledger_file_is_the_same_bytes_and_comes_back(tmp_path: Path) -> None:
    backwards = Ledger(dict(reversed(OLD.rows.items())))
    assert drift.to_text(OLD) == drift.to_text(backwards)
    path = tmp_path / "ledger.json"
    path.write_text(drift.to_text(OLD), encoding="utf-8")
    assert drift.read(path) == replace(OLD, name=str(path))
    assert len(path.read_text().splitlines()) == len(OLD.rows) + 6


def test_files_of_another_shape_are_refused(tmp_path: Path, good: dict[str, Any]) -> None:
    path = tmp_path / "file.json"
    whole = json.loads(drift.to_text(OLD))
    spoilers: list[Callable[[Any], Any]] = [
        lambda c: {**c, "schema": 2},
        lambda c: {**c, "claims": {}},
        lambda c: {**c, "claims": {"a": {**c["claims"]["a.proved"], "kinds": ["luck"]}}},
        lambda c: {**c, "claims": {"a": {**c["claims"]["a.proved"], "statement_hash": "0"}}},
        lambda c: {**c, "claims": {"a": {"verdict": "proved"}}},
        lambda c: {**c, "more": 1},
        lambda c: [c],
        lambda c: {**good, "complete": False},
    ]
    for spoil in spoilers:
        path.write_text(json.dumps(spoil(whole)))
        with pytest.raises(RecordError, match=r"file\.json"):
            drift.read(path)
    path.write_text(drift.to_text(OLD)[:-9])
    with pytest.raises(RecordError, match="was cut"):
        drift.read(path)
    with pytest.raises(RecordError, match="cannot read"):
        drift.read(tmp_path / "nothing.json")


def test_rows_of_a_record_are_what_its_evidence_says(bad: dict[str, Any]) -> None:
    rows = of_record(bad).rows
    assert rows["sample.proved"].kinds == (
        Kind.KERNEL, Kind.CERTIFICATE, Kind.DERIVATION, Kind.LADDER,
    )  # fmt: skip
    assert rows["sample.proved"].unchecked == {Kind.TORCH}
    # a number that contradicts a refuted claim speaks for its verdict
    assert rows["sample.refuted_reading"].kinds == (Kind.COUNTEREXAMPLE, Kind.LADDER)
    assert rows["sample.failing"].contradicted
    assert rows["other.inconsistent"].status == "inconsistent"
    bad["summary"]["kinds"] = ["ladder"]
    assert Kind.CERTIFICATE in of_record(bad).rows["sample.failing"].unchecked


# ---------------------------------------------------------------- the command


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DELTAPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def edited(path: Path, **changes: Any) -> Path:
    """The ledger with other values in the row of TRUE."""
    ledger = json.loads(path.read_text())
    ledger["claims"][TRUE].update(changes)
    other = Path("edited.json")
    other.write_text(json.dumps(ledger))
    return other


@pytest.mark.usefixtures("own_cache")
def test_verify_accepts_and_compares(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["verify", TRUE, "--kind", "certificate", "--kind", "derivation"]
    path = Path("ledger.json")
    assert exit_code([*command, "--accept", str(path)]) == 0
    assert json.loads(path.read_text())["claims"][TRUE]["kinds"] == ["certificate", "derivation"]
    assert exit_code([*command, "--against", str(path)]) == 0
    assert "no change in 1 rows" in capsys.readouterr().out
    # fewer kinds asked for are not kinds lost
    assert exit_code([*command[:4], "--against", str(path)]) == 0
    weaker = {
        "statement_hash": "0" * 64, "expected": "refuted", "verdict": "refuted",
        "kinds": ["certificate", "derivation", "counterexample"],
    }  # fmt: skip
    for key, value in weaker.items():
        kinds = [] if key != "kinds" else ["--kind", "counterexample"]
        other = edited(path, **{key: value})
        assert exit_code([*command, *kinds, "--against", str(other)]) == 1, key
        out = capsys.readouterr().out
        assert "weaker" in out
        assert max(map(len, out.splitlines())) <= 80
        assert exit_code(["diff", str(other), str(path)]) == 1
    assert exit_code(["diff", str(path), str(path)]) == 0
    # accepted changes do not fail
    other = edited(path, statement_hash="0" * 64)
    assert exit_code([*command, "--against", str(other), "--accept", str(other)]) == 0
    assert drift.read(other).rows == drift.read(path).rows


@pytest.mark.usefixtures("own_cache")
def test_what_cannot_be_accepted_or_read(capsys: pytest.CaptureFixture[str]) -> None:
    undecided = ["verify", TRUE, "--kind", "enclosure"]
    assert exit_code([*undecided, "--accept", "ledger.json"]) == 1
    assert f"{TRUE} is open, expected proved" in capsys.readouterr().err
    assert not Path("ledger.json").exists()
    for command in (["diff", "no.json", "no.json"], [*undecided, "--against", "no.json"]):
        assert exit_code(command) == 2
        assert "cannot read no.json" in capsys.readouterr().err
    assert exit_code([*undecided, "--accept", "no/such.json"]) == 2


@pytest.mark.usefixtures("own_cache")
def test_records_are_compared_as_well(
    good: dict[str, Any], bad: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("good.json").write_text(to_text(good))
    Path("bad.json").write_text(to_text(bad))
    assert exit_code(["diff", "bad.json", "good.json"]) == 1  # three rows are gone
    assert exit_code(["diff", "good.json", "bad.json"]) == 1  # a new row is inconsistent
    out = capsys.readouterr().out
    assert "new: open by" not in out
    assert "(inconsistent)" in out
    assert max(map(len, out.splitlines())) <= 80


# ---------------------------------------------------------------- the ledger of the package


def test_the_accepted_ledger_is_that_of_the_catalogue() -> None:
    """Written anew by `deltaproof verify --accept proofs/ledger.json`."""
    ledger = drift.read(drift.ACCEPTED)
    assert drift.ACCEPTED.read_text(encoding="utf-8") == drift.to_text(ledger)
    assert set(ledger.rows) == {e.claim.id for e in ENTRIES}
    for entry in ENTRIES:
        row = ledger.rows[entry.claim.id]
        assert row.statement_hash == statement_hash(entry.claim), entry.claim.id
        assert row.expected == row.verdict == entry.claim.expected
        deciding = DECIDES_PROVED if row.verdict == "proved" else DECIDES_REFUTED
        # the kernel may have been missing where the run was accepted; nothing else may
        assert deciding.intersection(entry.kinds) - {Kind.KERNEL} <= set(row.kinds)
        assert set(row.kinds) <= set(entry.kinds)
