"""The record: its shape, its schema, that it repeats, and what is made of it."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.proofs.catalogue import entry as catalogue_entry
from deltaproof.proofs.catalogue.entry import Entry
from deltaproof.proofs.consistency import check, stale
from deltaproof.proofs.record import (
    RecordError,
    all_pass,
    counts,
    location,
    matrix_text,
    read,
    reproduce,
    run_record,
    statement_latex,
    statement_plain,
    to_text,
    validate,
)
from deltaproof.proofs.report.ci import junit, summary
from deltaproof.proofs.runner import MutantResult, Result, Run
from deltaproof.proofs.terminal import Paint, closing, failures
from deltaproof.symbolic import Claim, either, eq, forall, iff, scalar
from deltaproof.symbolic.evidence import Evidence, Kind, Outcome

KEYS = [
    "id", "family", "title", "source", "statement", "statement_hash", "location", "hypotheses",
    "reading", "expected", "verdict", "status", "note", "witness", "depends_on", "repairs",
    "repaired_by", "attached", "automatic", "evidence", "mutants",
]  # fmt: skip


def test_the_shape_is_the_fixed_one(bad: dict[str, Any]) -> None:
    assert list(bad) == ["schema", "tool", "complete", "claims", "pictures", "summary", "timings"]
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


Edit = Callable[[dict[str, Any]], object]


def claim(position: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda record: record["claims"][position]


FIRST, SECOND = claim(0), claim(1)
EDITS: list[tuple[str, Edit]] = [
    ("claims: sample.proved is there 2 times", lambda r: r["claims"].append(FIRST(r))),
    ("summary/claims: 2 stands there, 1 follows", lambda r: r["claims"].pop()),
    ("sample.proved/family", lambda r: FIRST(r).update(family="other")),
    ("sample.proved/statement", lambda r: FIRST(r).update(statement="x = x")),
    ("sample.proved/hypotheses", lambda r: FIRST(r).update(hypotheses=["x = x"])),
    ("sample.proved/statement", lambda r: FIRST(r)["reading"]["conclusion"].update(latex="x")),
    ("sample.proved/statement", lambda r: FIRST(r)["reading"].update(hypotheses=[])),
    ("certificate/statement_hash", lambda r: FIRST(r).update(statement_hash="0" * 64)),
    ("sample.proved/status", lambda r: FIRST(r).update(expected="open")),
    ("sample.proved/verdict", lambda r: FIRST(r).update(verdict="open")),
    ("sample.proved/status", lambda r: FIRST(r).update(status="differs")),
    ("sample.proved/note", lambda r: FIRST(r).update(note="all is well")),
    ("sample.proved/verdict", lambda r: FIRST(r).update(witness=None)),
    ("sample.proved/evidence", lambda r: FIRST(r).update(evidence=[])),
    ("sample.proved/evidence", lambda r: FIRST(r)["evidence"].pop()),
    ("sample.proved/evidence", lambda r: FIRST(r)["evidence"].append(FIRST(r)["evidence"][0])),
    ("sample.proved/evidence", lambda r: FIRST(r)["attached"].append("property")),
    ("sample.proved/status", lambda r: FIRST(r)["evidence"][0].update(outcome="inconclusive")),
    ("summary/evidence", lambda r: FIRST(r)["evidence"][4].update(outcome="confirmed")),
    ("sample.refuted_reading/verdict", lambda r: SECOND(r)["evidence"][0].update(
        outcome="inconclusive")),
    ("counterexample given", lambda r: SECOND(r)["evidence"][0].pop("counterexample")),
    ("summary/mutants", lambda r: FIRST(r)["mutants"][0].update(rejected=False)),
    ("summary/mutants", lambda r: FIRST(r)["mutants"].clear()),
    ("summary/lacking", lambda r: r["summary"].update(required=["torch"])),
    ("summary/lacking", lambda r: r["summary"].update(lacking={"sample.proved": "torch"})),
    ("sample.proved/evidence", lambda r: r["summary"]["kinds"].remove("ladder")),
    ("timings/claims", lambda r: r["timings"]["claims"].clear()),
    *[
        (f"summary/{count}", lambda r, c=count: r["summary"].update({c: r["summary"][c] + 1}))
        for count in ("claims", "proved", "refuted", "open", "as_expected", "differs",
                      "inconsistent", "error", "undecided")
    ],
]  # fmt: skip


@pytest.mark.parametrize(("told", "edit"), EDITS, ids=range(len(EDITS)))
def test_an_edited_record_is_refused_and_the_field_named(
    told: str, edit: Edit, tmp_path: Path, good: dict[str, Any]
) -> None:
    edited = copy.deepcopy(good)
    edit(edited)
    path = tmp_path / "run.json"
    path.write_text(to_text(edited))
    with pytest.raises(RecordError) as caught:
        read(path)
    assert told in str(caught.value)


def built_in() -> dict[str, Any]:
    """The record of a claim of the package, as a run without certificates makes it."""
    entry = catalogue_entry("delta.eigenvalue_off_k")
    shown = tuple(Evidence(k, Outcome.CONFIRMED, "told") for k in entry.kinds)
    witness = {"sizes": {"d": 1}, "values": {}}
    return Run((Result(entry, shown, witness, seconds={"witness": 0.1}),)).record()


def test_a_record_of_another_statement_is_stale_and_readable(tmp_path: Path) -> None:
    record = built_in()
    path = tmp_path / "run.json"
    path.write_text(to_text(record))
    assert stale(read(path)) == {}
    (claim,) = record["claims"]
    # under its own hash the words of the package must be those of today
    other = copy.deepcopy(record)
    other["claims"][0]["reading"]["symbols"].pop()
    path.write_text(to_text(other))
    with pytest.raises(RecordError, match="eigenvalue_off_k/reading"):
        read(path)
    for field, value, word in (
        ("statement_hash", "0" * 64, "statement"), ("title", "another", "title"),
        ("source", "another", "source"), ("repaired_by", "another", "repair"),
    ):  # fmt: skip
        changed = {**record, "claims": [{**claim, field: value}]}
        path.write_text(to_text(changed))
        assert stale(read(path)) == {
            claim["id"]: f"stale: {word} of this claim changed since this run; verify it again"
        }
    # a catalogue of one's own may use the same ids
    assert stale({**changed, "summary": {**record["summary"], "catalogue": "own.py"}}) == {}


# ---------------------------------------------------------------- one status, many outputs

OUTCOMES = [
    # evidence, attached, strict: exit code, JUnit tag, word in the last line
    ({"certificate": "confirmed"}, False, 0, None, "as expected"),
    ({"certificate": "confirmed"}, True, 0, None, "as expected"),
    ({"ladder": "confirmed"}, False, 0, "skipped", "1 undecided"),
    ({"ladder": "confirmed"}, True, 6, "failure", "1 undecided"),
    ({"certificate": "confirmed", "ladder": "inconclusive"}, False, 0, None, "as expected"),
    ({"certificate": "confirmed", "ladder": "inconclusive"}, True, 6, "failure",
     "1 with inconclusive evidence"),
    ({"certificate": "inconclusive"}, False, 1, "failure", "1 not as expected"),
    ({"certificate": "confirmed", "ladder": "contradicted"}, False, 1, "failure",
     "1 inconsistent"),
    ({"certificate": "confirmed", "torch": "error"}, False, 1, "error", "1 with errors"),
]  # fmt: skip


@pytest.mark.parametrize(("shown", "strict", "code", "tag", "word"), OUTCOMES)
def test_all_outputs_say_the_same(
    shown: dict[str, str], strict: bool, code: int, tag: str | None, word: str
) -> None:
    evidence = tuple(Evidence(Kind(k), Outcome(o), "told") for k, o in shown.items())
    entry = Entry(Claim("own.one", then=eq(scalar("x"), 1)), tuple(e.kind for e in evidence))
    run = Run((Result(entry, evidence, None, seconds={"witness": 0.1}),))
    record = run.record(strict=strict)
    validate(record)
    check(record)
    assert run.exit_code(strict=strict) == code
    case = next(ElementTree.fromstring(junit(record)).iter("testcase"))
    assert [c.tag for c in case if c.tag != "system-out"] == ([] if tag is None else [tag])
    assert word in counts(record)
    assert word in closing(record, Paint(False))
    assert word in summary(record)
    assert bool(failures(record, Paint(False))) == (tag is not None)
    assert all_pass(record) == (tag is None)
    # green where the exit code is 0 and nothing is left open, red where it is not 0
    colour = closing(record, Paint(True)).split("m")[0]
    assert ("31" in colour) == (code != 0)
    assert ("32" in colour) == (tag is None)


def test_an_accepted_mutant_is_red_everywhere() -> None:
    evidence = (Evidence(Kind.CERTIFICATE, Outcome.CONFIRMED, "told"),)
    entry = Entry(Claim("own.one", then=eq(scalar("x"), 1)), (Kind.CERTIFICATE,))
    accepted = MutantResult("near", Kind.CERTIFICATE, Outcome.CONFIRMED)
    run = Run((Result(entry, evidence, None, (accepted,), seconds={"witness": 0.1}),))
    record = run.record()
    assert run.exit_code() == 1
    case = next(ElementTree.fromstring(junit(record)).iter("testcase"))
    assert case[0].tag == "failure"
    assert "a false statement was accepted: near" in str(case[0].attrib["message"])
    assert "1 false mutants accepted" in closing(record, Paint(False))


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
        "if",
        "  1. (a = 0 or a = 1)",
        "  2. (for all b: a b = 0)",
        "then b = 0 ⇔ a = b",
    ]
    latex = statement_latex(claim)
    assert latex.count(r"\left(") == latex.count(r"\right)") == len(hypotheses) + 1


def test_values_in_one_line() -> None:
    assert matrix_text([["1", "1/2"], ["0", "1"]]) == "[1 1/2; 0 1]"
    assert matrix_text("3") == "3"
    assert matrix_text({"1": "2", "2": ["3"]}) == "1: 2, 2: [3]"
