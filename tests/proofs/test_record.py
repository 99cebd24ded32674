"""The record: its shape, its schema, that it repeats, and what is made of it."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.proofs.record import (
    RecordError,
    counts,
    junit,
    location,
    matrix_text,
    read,
    reproduce,
    run_record,
    statement_latex,
    statement_plain,
    summary,
    to_text,
    validate,
)
from deltaproof.proofs.runner import Run
from deltaproof.symbolic import Claim, either, eq, forall, iff, scalar

KEYS = [
    "id", "family", "title", "source", "statement", "statement_hash", "location", "hypotheses",
    "reading", "expected", "verdict", "status", "note", "witness", "depends_on", "repairs",
    "repaired_by", "evidence", "mutants",
]  # fmt: skip


def test_the_shape_is_the_fixed_one(bad: dict[str, Any]) -> None:
    assert list(bad) == ["schema", "tool", "complete", "claims", "summary", "timings"]
    assert (bad["schema"], bad["tool"], bad["complete"]) == (1, "deltaproof", True)
    for claim in bad["claims"]:
        assert list(claim) == KEYS
        for evidence in claim["evidence"]:
            assert list(evidence)[:4] == ["kind", "outcome", "scope", "detail"]
    assert bad["claims"][0]["mutants"] == [
        {"name": "Sᵀ = S instead", "kind": "ladder", "rejected": True}
    ]
    assert bad["claims"][1]["repaired_by"] == "sample.proved"
    assert bad["claims"][0]["repairs"] == ["sample.refuted_reading"]
    statuses = [c["status"] for c in bad["claims"]]
    assert statuses == ["as_expected", "as_expected", "differs", "inconsistent", "error"]


def test_records_fit_the_schema_and_other_things_do_not(bad: dict[str, Any]) -> None:
    validate(bad)
    spoilers: list[Callable[[dict[str, Any]], object]] = [
        lambda r: r.pop("summary"),
        lambda r: r.update(complete=False),
        lambda r: r.update(schema=2),
        lambda r: r.update(extra=1),
        lambda r: r["claims"][0].update(verdict="maybe"),
        lambda r: r["claims"][0].pop("witness"),
        lambda r: r["claims"][0].update(extra=1),
        lambda r: r["claims"][0]["evidence"][0].update(outcome="fine"),
        lambda r: r["claims"][0]["mutants"][0].pop("rejected"),
        lambda r: r["claims"][0]["evidence"][2]["steps"][0].pop("reason"),
        lambda r: r["claims"][1]["evidence"][0]["counterexample"].pop("values"),
        lambda r: r["summary"].update(proved=-1),
        lambda r: r["timings"].update(extra={}),
    ]
    for spoil in spoilers:
        spoilt = copy.deepcopy(bad)
        spoil(spoilt)
        with pytest.raises(RecordError):
            validate(spoilt)


def test_two_records_differ_in_timings_alone(good_run: Run) -> None:
    first, second = run_record(good_run), run_record(good_run)
    second["timings"]["seconds"] += 1
    first.pop("timings"), second.pop("timings")
    assert to_text(first) == to_text(second)
    assert "seconds" not in to_text(first)


def test_a_record_comes_back_from_its_file(tmp_path: Path, good: dict[str, Any]) -> None:
    path = tmp_path / "run.json"
    path.write_text(to_text(good))
    assert read(path) == good


def test_no_cut_record_reads_as_complete(tmp_path: Path, good: dict[str, Any]) -> None:
    path = tmp_path / "run.json"
    text = to_text(good).rstrip()
    for cut in range(0, len(text), 101):
        path.write_text(text[:cut])
        with pytest.raises(RecordError):
            read(path)
    with pytest.raises(RecordError, match="cannot read"):
        read(tmp_path / "nothing.json")
    path.write_text(json.dumps({**good, "complete": False}))
    with pytest.raises(RecordError, match="not the record of a complete run"):
        read(path)


def test_locations_do_not_depend_on_the_machine(tmp_path: Path) -> None:
    claim = ENTRIES[0].claim
    found = location(claim, None)
    assert found["file"] == "symbolic/delta.py"
    lines = (Path(__file__).parents[2] / found["file"]).read_text().splitlines()
    assert "Claim(" in lines[found["line"] - 1]
    mine = Claim("mine.one", then=eq(scalar("x"), 1))
    assert location(mine, str(Path(__file__)))["file"] == Path(__file__).as_posix()
    assert location(mine, None)["file"] == "test_record.py"


def test_counts_say_whether_all_is_as_expected(good: dict[str, Any], bad: dict[str, Any]) -> None:
    assert counts(good) == "1 proved, 1 refuted, as expected"
    assert counts(bad) == (
        "1 proved, 1 refuted, 3 open; 1 inconsistent, 1 not as expected, 1 with errors"
    )


def test_junit_has_a_case_for_every_claim(bad: dict[str, Any]) -> None:
    bad["claims"][2]["evidence"][0]["detail"] = "control \x00 and <tag>"
    (suite,) = ElementTree.fromstring(junit(bad))
    assert suite.attrib["tests"] == "5"
    assert (suite.attrib["failures"], suite.attrib["errors"]) == ("2", "1")
    failed = {case.attrib["name"]: [c.tag for c in case] for case in suite}
    assert failed["sample.proved"] == ["system-out"]
    assert failed["sample.failing"] == ["failure", "system-out"]
    assert failed["other.undecided"] == ["error", "system-out"]


def test_failures_say_what_when_how_much_and_how_to_repeat_it(bad: dict[str, Any]) -> None:
    text = summary(bad)
    for told in (
        "property contradicted: false at a = 0.5", "compared: 1 < a", "input: a = 0.5",
        "observed: 0.5", "bound: 1", "ratio: 2",
        "likely cause: the strict inequality needs a > 1",
        "deltaproof verify sample.failing --catalogue 'my catalogue.py'",
        "certificate proved it, enclosure contradicts it",
    ):  # fmt: skip
        assert told in text


def test_the_command_reproduces(good: dict[str, Any]) -> None:
    claim, told = good["claims"][0], good["summary"]
    assert reproduce(claim, {**told, "catalogue": None, "seed": 7}, "ladder") == (
        "deltaproof verify sample.proved --kind ladder --seed 7 --no-cache"
    )


def test_statements_are_whole(good_run: Run) -> None:
    claim = good_run.results[0].entry.claim
    assert statement_plain(claim) == [
        "for all n ≥ 1; S ∈ R^(n×n); x ∈ R^n",
        "with P = I − S",
        "if Sᵀ = −S",
        "then ‖P x‖ = ‖Pᵀ x‖",
    ]
    latex = statement_latex(claim)
    for part in (r"P = I - S", r"S^{\top} = -S", r"\Longrightarrow", r"\left\|P\,x\right\|"):
        assert part in latex


def test_each_hypothesis_ends_where_it_seems_to_end() -> None:
    a, b = scalar("a"), scalar("b")
    hypotheses = [either(eq(a, 0), eq(a, 1)), forall(b, eq(a * b, 0))]
    claim = Claim("t.reach", given=hypotheses, then=iff(eq(b, 0), eq(a, b)))
    assert statement_plain(claim)[1:] == [
        "if (a = 0 or a = 1) and (for all b: a b = 0)",
        "then b = 0 ⇔ a = b",
    ]
    latex = statement_latex(claim)
    assert latex.count(r"\left(") == latex.count(r"\right)") == len(hypotheses) + 1


def test_values_in_one_line() -> None:
    assert matrix_text([["1", "1/2"], ["0", "1"]]) == "[1 1/2; 0 1]"
    assert matrix_text("3") == "3"
    assert matrix_text({"1": "2", "2": ["3"]}) == "1: 2, 2: [3]"
