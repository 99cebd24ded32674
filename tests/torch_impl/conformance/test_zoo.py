"""The zoo: what is in it, how it is scored, and the command."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from deltaproof.proofs.cache import PACKAGE
from deltaproof.proofs.cli import cli
from deltaproof.proofs.zoo_command import KIT as KIT_SOURCES
from deltaproof.torch_impl.conformance.contracts import CONTRACTS, OPERATORS, contract
from deltaproof.torch_impl.conformance.isolation import ProcessHost
from deltaproof.torch_impl.conformance.result import Check
from deltaproof.torch_impl.conformance.zoo import RIGHT, WRONG, gate, known
from deltaproof.torch_impl.conformance.zoo.entry import Family, RightOperator, WrongOperator
from deltaproof.torch_impl.conformance.zoo.record import (
    RecordError,
    command_of,
    markdown,
    record_of,
    results_of,
    table,
    troubles,
)
from deltaproof.torch_impl.conformance.zoo.score import (
    Scored,
    address,
    checks_of,
    dtypes_of,
    judge,
    score,
)
from deltaproof.torch_impl.conformance.zoo.usual import agrees_with_reference, usual_inputs

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads(
    (files("deltaproof.torch_impl.conformance") / "schemas" / "zoo.json").read_text()
)
ENTRIES = {entry.name: entry for entry in (*WRONG, *RIGHT)}
KIT = "0" * 64


# ---------------------------------------------------------------- what is in it


def stale_ids(entry):
    """Checks that an entry lists and its contract does not make."""
    made = contract(entry.contract).checks
    return [name for name in (*entry.fails, *entry.passes) if name not in made]


def test_there_are_enough_of_them_and_each_has_a_name():
    assert len(WRONG) >= 80
    assert len(RIGHT) >= 20
    assert len(ENTRIES) == len(WRONG) + len(RIGHT)
    for name in CONTRACTS:
        assert known(name)
        assert any(entry.contract == name for entry in RIGHT)


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda entry: entry.name)
def test_an_entry_says_what_it_is(entry):
    assert entry.name.startswith(f"{entry.contract}.")
    told = entry.defect if isinstance(entry, WrongOperator) else entry.spelling
    assert told[0].isupper()
    assert not told.endswith(".")
    assert not re.search(r"\bpytest\b|/tmp/", told)
    if isinstance(entry, RightOperator):
        return
    assert entry.fails
    assert not set(entry.fails) & set(entry.passes)
    assert not stale_ids(entry)
    numbered = "{parameter}" in (entry.diagnosis or "")
    assert numbered == (entry.parameter is not None)


def test_a_stale_id_is_found():
    some = WRONG[0]
    assert stale_ids(replace(some, fails=(*some.fails, "delta_update.definitoin"))) == [
        "delta_update.definitoin"
    ]
    assert stale_ids(replace(some, passes=("delta.overwritten",))) == ["delta.overwritten"]


def test_every_check_of_every_contract_fails_for_some_entry():
    failing = {check for entry in WRONG for check in entry.fails}
    # what all contracts ask is made for each by the same lines
    alike = {check.rpartition(".")[2] for check in failing if check.partition(".")[0] in CONTRACTS}
    for name in CONTRACTS:
        for check in contract(name).checks:
            family, _, short = check.rpartition(".")
            assert check in failing or (family == name and short in alike), check


def test_an_operator_without_a_docstring_is_refused():
    with pytest.raises(ValueError, match="docstring"):
        Family().right("gate")(lambda z: z)


# ---------------------------------------------------------------- the scoring


def check(name, outcome, dtype="float32"):
    return Check(name, outcome, dtype)


def listed(**changed):
    entry = WrongOperator(
        "gate.some", "gate", "Something", gate.quotient, ("gate.definition",), ("gate.finite",),
        {"dtypes": ("float64", "float32")},
    )  # fmt: skip
    return replace(entry, **changed)


def both(name, outcome):
    return [check(name, outcome, "float64"), check(name, outcome)]


def verdict(entry, checks):
    return judge(entry, checks, 0).verdict


def test_caught_is_every_listed_check_in_every_format():
    entry = listed()
    right = [*both("gate.definition", "failed"), *both("gate.finite", "passed")]
    assert verdict(entry, right) == "caught"
    for i, wrong in enumerate(("passed", "passed", "failed", "skipped")):
        changed = [*right]
        changed[i] = replace(changed[i], outcome=wrong)
        assert verdict(entry, changed) == "missed", wrong
    assert verdict(entry, right[1:]) == "missed"
    assert verdict(entry, [*right, check("gate.shape", "error")]) == "missed"
    assert verdict(listed(fails=()), right) == "missed"
    one = listed(options={"dtypes": ("float32",)})
    assert verdict(one, [right[1], right[3]]) == "caught"


def test_a_right_one_is_clean_where_nothing_fails():
    entry = RightOperator("gate.some", "gate", "Something", gate.quotient)
    passed = both("gate.definition", "passed")
    assert verdict(entry, [*passed, check("gate.vmap", "skipped")]) == "clean"
    assert verdict(entry, [*passed, check("gate.shape", "failed", "float16")]) == "false alarm"
    assert verdict(entry, [*passed, check("gate.shape", "error")]) == "false alarm"
    assert verdict(entry, [check("gate.shape", "skipped")]) == "false alarm"


def test_a_right_operator_listed_as_wrong_is_missed_and_the_reverse_an_alarm():
    right = ENTRIES["gate.quotient"]
    wrong = ENTRIES["gate.factor_two_missing"]
    as_wrong = replace(wrong, name="gate.listed_as_wrong", operator=right.operator)
    as_right = RightOperator("gate.listed_as_right", "gate", "Not right", wrong.operator)
    missed, alarm = score([(as_wrong, 0), (as_right, 0)])
    assert missed.verdict == "missed"
    assert any("gate.definition in float32: passed, to be failed" in r for r in missed.because)
    assert alarm.verdict == "false alarm"
    told = troubles([missed, alarm], {as_wrong.name: as_wrong}, "quick")
    assert f"deltaproof conform {address(as_wrong)} --contract gate" in told
    assert "gate.listed_as_right, seed 0: false alarm" in told


SOME = (
    "delta_update.gate_clamped", "delta_operator.epsilon_in_operator", "hybrid.hard_gate",
    "direction.length_of_the_batch", "delta_rule.query_of_another_head", "sequence_layer.no_mask",
    "residual_block.largest_of_sequence", "gate_regulariser.entropy", "cayley.by_elimination",
    "reflection.no_halves", "sequence_layer.short_chunks",
)  # fmt: skip


def test_some_entries_are_as_they_are_listed():
    found = list(score([(ENTRIES[name], 0) for name in SOME]))
    assert [result.name for result in found if not result.good] == []
    assert [result.name for result in found] == list(SOME)
    assert not any(result.diagnosed == "wrong" for result in found)


class OneHost:
    """A worker that notes what it was set to."""

    def __init__(self, host):
        self.host, self.told = host, []

    def set_to(self, entry, adapter):
        self.told.append(entry.name)
        if self.host is None:
            self.host = ProcessHost(address(entry), adapter)
        else:
            self.host.change(address(entry), adapter, limit=20)
        return self.host


def test_one_process_serves_several_entries():
    worker = OneHost(None)
    try:
        first = checks_of(ENTRIES["gate_regulariser.expanded"], 0, "quick", worker)
        process = worker.host.process.pid
        second = checks_of(ENTRIES["gate_regulariser.sign_reversed"], 0, "quick", worker)
        third = checks_of(ENTRIES["gate_regulariser.product_of_doubles"], 0, "quick", worker)
        assert worker.host.process.pid == process
    finally:
        worker.host.close()
    assert all(c.outcome in ("passed", "skipped") for c in (*first, *third))
    assert any(c.outcome == "failed" for c in second)


# ---------------------------------------------------------------- the usual test


@pytest.mark.parametrize("name", OPERATORS)
def test_the_usual_inputs_fit_the_contract(name):
    inputs = usual_inputs(name, "float64", 0)
    made = contract(name)
    assert len(inputs) == len(made.arguments)
    for argument, x in zip(made.arguments, inputs, strict=True):
        if argument.kind == "skew":
            assert (x == -x.mT).all()
        if argument.kind == "share":
            assert ((x > 0) & (x < 1)).all()
    right = next(entry for entry in RIGHT if entry.contract == name)
    assert agrees_with_reference(right, "float64", 0)


def test_the_usual_test_misses_what_the_kit_catches():
    assert agrees_with_reference(ENTRIES["delta_update.gate_clamped"], "float32", 0)
    assert agrees_with_reference(ENTRIES["delta_update.gate_detached"], "float32", 0)
    assert not agrees_with_reference(ENTRIES["delta_update.nothing_erased"], "float32", 0)
    assert agrees_with_reference(ENTRIES["residual_block.pooled"], "float32", 0) is None
    assert agrees_with_reference(ENTRIES["reflection.no_halves"], "float16", 0) is None
    with pytest.raises(ValueError, match="no reference"):
        usual_inputs("residual_block", "float32", 0)


# ---------------------------------------------------------------- records and the command

RESULTS = [
    Scored("gate.quotient", "gate", 0, "clean", usual="clean", seconds=2.0),
    Scored("gate.quotient", "gate", 1, "clean", usual="clean", seconds=4.0),
    Scored("gate.logit_negated", "gate", 0, "caught", usual="caught", diagnosed="right"),
    Scored("gate.through_tanh", "gate", 0, "missed", ("some reason",), "missed"),
]


def made_record(**changed):
    told = {"kit": KIT, "profile": "quick", "seeds": 1, "complete": True}
    return record_of(RESULTS, **{**told, **changed})


def test_a_record_fits_its_schema_and_comes_back():
    record = json.loads(json.dumps(made_record(), allow_nan=False))
    jsonschema.validate(record, SCHEMA)
    found = results_of(record, kit=KIT, profile="quick")
    assert found == RESULTS
    assert [result.seconds for result in found[:2]] == [3.0, 3.0]
    assert record["results"][0]["seeds"] == [0, 1]
    record["results"][0]["verdict"] = "fine"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record, SCHEMA)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (made_record(kit="1" * 64), "the kit has changed"),
        (made_record(profile="ci"), "of the profile ci"),
        ({**made_record(), "schema": 1}, "schema 1"),
        ({**made_record(), "timings": {"seconds": []}}, "no record of a score"),
        ({"schema": 2}, "no record of a score"),
        ([], "no record of a score"),
    ],
)
def test_a_record_of_something_else_is_refused(record, words):
    with pytest.raises(RecordError, match=words):
        results_of(record, kit=KIT, profile="quick")


def test_tables():
    assert table(made_record()).splitlines()[-1].split()[:7] == [
        "all", "1", "of", "2", "1", "2", "of",
    ]  # fmt: skip
    assert "| `gate` | 1 of 2 | 1 | 2 of 2 | 0 | 1 of 2 | 0 of 2 | 1 of 1 |" in markdown(
        made_record()
    )
    assert "some reason" in troubles(RESULTS, ENTRIES, "quick")


def test_the_command_that_reproduces_an_entry_names_its_options():
    told = command_of(ENTRIES["doubly_stochastic.no_shift"], 3, "ci")
    assert "--domain logits=12" in told
    assert "--rounds 3" in told
    assert "--dtype float16" in told
    assert "--seed 3" in told
    assert "--starts beta=0.5" in command_of(ENTRIES["residual_block.overwritten"], 0, "quick")
    assert "--force gamma=1/2" in command_of(ENTRIES["residual_block.softened"], 0, "quick")
    assert "--normalise root" in command_of(ENTRIES["direction.epsilon_inside_the_mean"], 0, "ci")


@pytest.fixture
def few(monkeypatch):
    """A zoo of two."""
    import deltaproof.torch_impl.conformance.zoo as zoo

    monkeypatch.setattr(zoo, "WRONG", (ENTRIES["gate_regulariser.sign_reversed"],))
    monkeypatch.setattr(zoo, "RIGHT", (ENTRIES["gate_regulariser.expanded"],))
    return zoo


def run(*arguments):
    found = CliRunner().invoke(cli, ["zoo", *map(str, arguments)], standalone_mode=False)
    return found


def test_the_command_goes_on_where_it_stopped(few, tmp_path):
    path = tmp_path / "zoo.json"
    first = run("--json", path)
    assert first.return_value == 0, first.output
    record = json.loads(path.read_text())
    jsonschema.validate(record, SCHEMA)
    assert record["complete"]
    assert [r["verdict"] for r in record["results"]] == ["caught", "clean"]
    again = run("--json", path, "--seeds", 2)
    assert again.return_value == 0
    assert again.output.count("to go") == 2
    assert [r["seeds"] for r in json.loads(path.read_text())["results"]] == [[0, 1], [0, 1]]
    record["kit"] = KIT
    path.write_text(json.dumps(record))
    assert "the kit has changed since" in str(run("--json", path).exception)


LOADED = """
import sys
from pathlib import Path
from deltaproof.torch_impl.conformance.zoo import RIGHT, WRONG
from deltaproof.torch_impl.conformance.zoo.score import score
of_each = {entry.contract: entry for entry in (*WRONG, *RIGHT)}
assert list(score([(entry, 0) for entry in of_each.values()], "quick"))
print(*(module.__file__ for name, module in sys.modules.items() if name.startswith("deltaproof.")))
"""


def test_the_kit_is_what_scoring_loads():
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    loaded = {Path(file).relative_to(PACKAGE) for file in done.stdout.split()}
    kit = {path.relative_to(PACKAGE) for pattern in KIT_SOURCES for path in PACKAGE.glob(pattern)}
    # the __init__ of a package lists names alone
    assert {path for path in loaded - kit if path.name != "__init__.py"} == set()
    assert {Path("symbolic/constructions.py"), Path("numeric/balls.py")} <= loaded & kit
    assert all(list(PACKAGE.glob(pattern)) for pattern in KIT_SOURCES)


def test_several_processes_say_the_same(few, tmp_path):
    told = [
        run("--jobs", jobs, "--seeds", 2, "--json", tmp_path / f"{jobs}.json") for jobs in (1, 2)
    ]
    assert [found.return_value for found in told] == [0, 0]
    one, two = (json.loads((tmp_path / f"{jobs}.json").read_text()) for jobs in (1, 2))
    assert {**one, "timings": None} == {**two, "timings": None}


def test_a_run_that_is_ended_leaves_what_it_found(few, monkeypatch, tmp_path):
    from deltaproof.proofs import zoo_command

    first = RESULTS[0]

    def ended(todo, profile, jobs):
        yield first
        raise KeyboardInterrupt

    monkeypatch.setattr(zoo_command, "_results", ended)
    run("--json", tmp_path / "zoo.json")
    record = json.loads((tmp_path / "zoo.json").read_text())
    assert not record["complete"]
    assert [r["name"] for r in record["results"]] == [first.name]


def test_the_command_fails_by_a_miss(few, monkeypatch, tmp_path):
    wrong = replace(few.WRONG[0], operator=few.RIGHT[0].operator)
    monkeypatch.setattr(few, "WRONG", (wrong,))
    found = run("--contract", "gate_regulariser")
    assert found.return_value == 1
    assert "gate_regulariser.sign_reversed, seed 0: missed" in found.output
    assert "did you mean" in str(run("--contract", "gate_regularizer").exception)
    assert "no entry" in str(run("--contract", "gate").exception)


# ---------------------------------------------------------------- the page


def recorded(profile):
    return json.loads((ROOT / "experiments" / "zoo" / f"{profile}.json").read_text())


@pytest.mark.parametrize("profile", ["quick", "ci"])
def test_the_recorded_score_is_of_this_zoo(profile):
    record = recorded(profile)
    jsonschema.validate(record, SCHEMA)
    assert record["profile"] == profile
    assert record["complete"]
    seen = {(r["name"], seed) for r in record["results"] for seed in r["seeds"]}
    names = {r["name"] for r in record["results"]}
    assert seen == {(name, seed) for name in names for seed in range(record["seeds"])}
    # what is newer than the longer record is in the other one
    assert names == set(ENTRIES) if profile == "quick" else names <= set(ENTRIES)
    assert {r["verdict"] for r in record["results"]} == {"caught", "clean"}
    assert {r["diagnosed"] for r in record["results"]} == {"", "right"}


def test_the_page_shows_the_recorded_score():
    page = (ROOT / "docs" / "conformance.md").read_text()
    shown = re.search(r"<!-- zoo -->\n(.*?)\n<!-- end of zoo -->", page, re.S)
    assert shown
    assert shown[1].strip() == markdown(recorded("quick"))


def test_the_page_tells_the_recorded_score_of_ci():
    page = (ROOT / "docs" / "conformance.md").read_text()
    record = recorded("ci")
    caught, clean, right = (
        sum(len(r["seeds"]) for r in record["results"] if r[column] == value)
        for column, value in (("verdict", "caught"), ("verdict", "clean"), ("diagnosed", "right"))
    )
    told = (
        f"{caught} of {caught} wrong ones caught, {clean} of {clean} right ones clean, "
        f"{right} of {right} diagnoses right"
    )
    assert f"seeds 0 to {record['seeds'] - 1}," in page
    assert f"<!-- zoo ci -->{told}<!-- end of zoo ci -->" in page


def test_an_entry_is_looked_at_in_the_formats_that_it_names():
    assert dtypes_of(ENTRIES["gate.quotient_of_exponentials"]) == ("float16",)
    assert len(dtypes_of(ENTRIES["gate.by_the_sign"])) == 4
