"""SARIF of verify and conform: valid, with a place for each result, the same after lines move."""

import copy
import functools
import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from deltaproof.proofs.cli import exit_code
from deltaproof.proofs.runner import Run
from deltaproof.proofs.sarif import ROOT, of_conform, of_verify
from deltaproof.symbolic.evidence import Evidence, Kind, Outcome
from deltaproof.symbolic.ledger import claims
from deltaproof.torch_impl.conformance.contracts import CONTRACTS, contract
from deltaproof.torch_impl.conformance.isolation import ProcessHost
from deltaproof.torch_impl.conformance.location import location_of

SCHEMA = json.loads((files("deltaproof.proofs") / "schemas" / "sarif.json").read_text())
OPS = """
def no_two(x, k):
    return x - k.unsqueeze(-1) * (k.unsqueeze(-2) @ x)


def reflect(x, k):
    return x - 2 * k.unsqueeze(-1) * (k.unsqueeze(-2) @ x)
"""
CATALOGUE = """
from deltaproof.symbolic import Claim, eq, lt, scalar

a = scalar("a")

CLAIMS = [
    Claim("mine.right", title="Addition commutes", then=eq(a + 1, 1 + a)),
    Claim("mine.wrong", title="All are positive", then=lt(0, a)),
]
"""
QUICK = ("--contract", "reflection", "--profile", "quick", "--dtype", "float32")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DELTAPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ops.py").write_text(OPS)
    (tmp_path / "mine.py").write_text(CATALOGUE)
    return tmp_path


def check(log: dict[str, Any]) -> dict[str, Any]:
    """The one run of a log that fits the schema and itself."""
    jsonschema.validate(log, SCHEMA)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules)), "one id, several rules"
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    marks = [result["partialFingerprints"]["deltaproof/v1"] for result in run["results"]]
    assert len(marks) == len(set(marks)), "one fingerprint, several results"
    return run


def conformed(target: str, code: int) -> dict[str, Any]:
    assert exit_code(["conform", target, *QUICK, "--sarif", "run.sarif"]) == code
    return json.loads(Path("run.sarif").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    """The log and the record of a run that fails."""
    folder = tmp_path_factory.mktemp("failing")
    (folder / "ops.py").write_text(OPS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DELTAPROOF_CACHE", str(folder / "cache"))
        patch.chdir(folder)
        told = ("--sarif", "run.sarif", "--json", "run.json")
        assert exit_code(["conform", "ops.py:no_two", *QUICK, *told]) == 1
    log, record = (json.loads((folder / name).read_text()) for name in ("run.sarif", "run.json"))
    return log, record


Failing = tuple[dict[str, Any], dict[str, Any]]


def test_a_result_for_each_check_that_fails_at_the_target(failing: Failing) -> None:
    log, record = failing
    run = check(log)
    failed = {c["claim"]: c for c in record["checks"] if c["outcome"] == "failed"}
    assert [r["ruleId"] for r in run["results"]] == list(failed)
    assert {r["id"] for r in run["tool"]["driver"]["rules"]} == {
        c["claim"] for c in record["checks"]
    }
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        assert place == {
            "artifactLocation": {"uri": "ops.py", "uriBaseId": ROOT},
            "region": {"startLine": 2},
        }
        told, found = result["message"]["text"], failed[result["ruleId"]]
        for word in ("observed", "bound", "ratio", "x = ", "reproduce: deltaproof conform"):
            assert word in told
        assert result["properties"]["observed"] == found["observed"]
        assert result["properties"]["input"] == found["input"]
        assert result["level"] == "error"


def test_what_conforms_has_rules_and_no_result() -> None:
    run = check(conformed("ops.py:reflect", 0))
    assert run["results"] == []
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    claim = next(c for c in claims() if c.id == "delta.reflection")
    assert rules[claim.id]["shortDescription"]["text"] == claim.title
    assert "β = 2" in rules[claim.id]["fullDescription"]["text"]
    assert "x − 2 k" in rules["reflection.definition"]["fullDescription"]["text"]


def test_fingerprints_are_those_of_the_failure_not_of_its_line(failing: Failing) -> None:
    def marks(log: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
        return [(r["ruleId"], r["partialFingerprints"]) for r in check(log)["results"]]

    Path("ops.py").write_text("\n\n\n" + OPS)
    moved = conformed("ops.py:no_two", 1)
    assert marks(moved) == marks(failing[0])
    place = moved["runs"][0]["results"][0]["locations"][0]
    assert place["physicalLocation"]["region"]["startLine"] == 5


def test_where_a_file_is_named_from(
    folder: Path, failing: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def artifact(file: str) -> dict[str, str]:
        run = check(json.loads(of_conform(failing[1], (file, 1))))
        return run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]

    (folder / "a b").mkdir()
    odd = folder / "a b" / "o#p:q.py"
    for file in (str(odd), "a b/o#p:q.py"):
        assert artifact(file) == {"uri": "a%20b/o%23p%3Aq.py", "uriBaseId": ROOT}
    monkeypatch.chdir(folder / "a b")
    assert artifact("../ops.py") == {"uri": (folder / "ops.py").resolve().as_uri()}


def test_a_verdict_that_differs_at_the_catalogue() -> None:
    command = ["verify", "--catalogue", "mine.py", "--kind", "symbolic", "--sarif", "run.sarif"]
    assert exit_code(command) == 1
    run = check(json.loads(Path("run.sarif").read_text(encoding="utf-8")))
    (result,) = run["results"]
    assert result["ruleId"] == "mine.wrong"
    assert result["level"] == "error"
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "mine.py", "uriBaseId": ROOT},
        "region": {"startLine": 1 + CATALOGUE[: CATALOGUE.index('Claim("mine.wrong"')].count("\n")},
    }
    told = result["message"]["text"]
    assert told.startswith("mine.wrong: differs: expected proved, found refuted")
    assert "counterexample" in told
    assert "deltaproof verify mine.wrong --catalogue mine.py" in told
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert rules.keys() == {"mine.right", "mine.wrong"}
    assert rules["mine.wrong"]["shortDescription"]["text"] == "All are positive"
    assert rules["mine.wrong"]["fullDescription"]["text"] == "for all a ∈ R\n0 < a"


def test_levels_are_those_of_the_exit_code(bad_run: Run) -> None:
    def levels(strict: bool) -> dict[str, str]:
        found = {r.id: r.entry.claim for r in bad_run.results}
        run = check(json.loads(of_verify(bad_run.record(strict=strict), found)))
        return {r["ruleId"]: r["level"] for r in run["results"]}

    assert levels(False) == {
        "sample.failing": "error", "other.inconsistent": "error", "other.undecided": "error",
    }  # fmt: skip
    assert "sample.proved" not in levels(True)
    failing = next(r for r in bad_run.results if r.id == "sample.failing")
    supported = Evidence(Kind.LADDER, Outcome.CONFIRMED, "8 inputs", {"sizes": []})
    entry = replace(failing.entry, kinds=(Kind.LADDER,))
    bad_run = replace(bad_run, results=(replace(failing, entry=entry, evidence=(supported,)),))
    assert levels(False) == {"sample.failing": "note"}
    assert levels(True) == {"sample.failing": "warning"}


def test_a_run_that_was_not_finished_says_so(failing: Failing) -> None:
    run = check(json.loads(of_conform(failing[1] | {"complete": False}, None)))
    assert run["invocations"][0]["executionSuccessful"] is False
    assert all(r["locations"][0].keys() == {"logicalLocations"} for r in run["results"])


def without_location(run: dict[str, Any]) -> None:
    run["results"][0]["locations"] = []


def without_place(run: dict[str, Any]) -> None:
    run["results"][0]["locations"][0].clear()


def before_the_first_line(run: dict[str, Any]) -> None:
    run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0


def absolute_under_the_root(run: dict[str, Any]) -> None:
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    artifact["uri"] = "/somewhere/ops.py"


def a_rule_twice(run: dict[str, Any]) -> None:
    rules = run["tool"]["driver"]["rules"]
    rules.append({**rules[0], "shortDescription": {"text": "another text"}})


def another_rule(run: dict[str, Any]) -> None:
    run["results"][0]["ruleIndex"] += 1


def one_fingerprint(run: dict[str, Any]) -> None:
    first, second, *_ = run["results"]
    second["partialFingerprints"] = first["partialFingerprints"]


def no_message(run: dict[str, Any]) -> None:
    run["results"][0]["message"]["text"] = ""


def unfinished_without_a_word(run: dict[str, Any]) -> None:
    run["invocations"] = [{"executionSuccessful": False}]


MUTANTS = (
    without_location, without_place, before_the_first_line, absolute_under_the_root, a_rule_twice,
    another_rule, one_fingerprint, no_message, unfinished_without_a_word,
)  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda f: f.__name__)
def test_the_schema_and_the_check_have_teeth(
    mutant: Callable[[dict[str, Any]], None], failing: Failing
) -> None:
    wrong = copy.deepcopy(failing[0])
    check(wrong)
    mutant(wrong["runs"][0])
    with pytest.raises((jsonschema.ValidationError, AssertionError)):
        check(wrong)


# ---------------------------------------------------------------- where a target is


def wrapped(f: Callable[[], None]) -> Callable[[], None]:
    @functools.wraps(f)
    def inner() -> None: ...

    return inner


@wrapped
def decorated() -> None: ...


class Target:
    def __call__(self) -> None: ...

    def method(self) -> None: ...


def line_of(text: str) -> int:
    lines = Path(__file__).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.strip() == text)


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (decorated, "@wrapped"),
        (Target, "class Target:"),
        (Target(), "class Target:"),
        (Target().method, "def method(self) -> None: ..."),
        (functools.partial(Target.method, None), "def method(self) -> None: ..."),
    ],
)
def test_where_a_target_is_written(target: Any, text: str) -> None:
    assert location_of(target) == (__file__, line_of(text))


def test_what_is_not_written_in_python_lies_at_its_module() -> None:
    assert location_of(len) is None
    assert location_of(len, "json") == (json.__file__, 1)


def test_a_process_says_where_its_target_is() -> None:
    host = ProcessHost("ops.py:reflect")
    assert host.location is None
    host.wait()
    host.close()
    assert host.location is not None
    assert (Path(host.location[0]).resolve(), host.location[1]) == (Path("ops.py").resolve(), 6)


def test_every_check_of_every_contract_has_words() -> None:
    of_ledger = {c.id for c in claims()}
    for name in CONTRACTS:
        made = contract(name)
        for check in made.checks:
            assert check in of_ledger or made.asks[check]
