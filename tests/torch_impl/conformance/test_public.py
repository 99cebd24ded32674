"""The page on public implementations is what its committed records give; no package is needed."""

import importlib
import json
import re
import shutil
from pathlib import Path

import pytest
from deltaproof.torch_impl.conformance.expected import read_expected

PUBLIC = Path(__file__).parents[3] / "examples" / "public"


@pytest.fixture
def made(monkeypatch):
    monkeypatch.syspath_prepend(str(PUBLIC))
    return importlib.import_module("make_page")


@pytest.fixture
def copied(made, monkeypatch, tmp_path):
    """The same, on a copy that may be changed."""
    shutil.copytree(PUBLIC, tmp_path / "public")
    monkeypatch.setattr(made, "HERE", tmp_path / "public")
    return tmp_path / "public"


def change(file, edit):
    found = json.loads(file.read_text())
    edit(found)
    file.write_text(json.dumps(found))


def record_of(run):
    return json.loads((PUBLIC / "records" / f"{run.name}.json").read_text())


def test_the_committed_page_is_what_the_records_give(made):
    assert made.PAGE.read_text() == made.page()


def forget(found):
    found["checks"] = [c for c in found["checks"] if c["outcome"] != "xfailed"]


def shorten(found):
    found["ranges"][0]["holds_up_to"] /= 8


@pytest.mark.parametrize(("name", "edit"), [("mhc-sinkhorn", forget), ("torch-cayley", shorten)])
def test_another_record_is_another_page(made, copied, name, edit):
    change(copied / "records" / f"{name}.json", edit)
    assert made.PAGE.read_text() != made.page()


def test_a_record_of_another_run_is_refused(made, copied):
    change(copied / "records" / "mhc-sinkhorn.json", lambda found: found["options"].pop())
    with pytest.raises(SystemExit, match="of another run"):
        made.page()


def unexplained(made, records):
    """Runs with failures and no finding, findings of runs without failures."""
    failing = {n for n, r in records.items() if any(c["outcome"] != "passed" for c in r["checks"]
                                                    if c["outcome"] != "skipped")}  # fmt: skip
    return failing ^ {name for finding in made.FINDINGS for name in finding.runs}


def test_every_failure_is_explained_and_every_explanation_is_of_one(made):
    records = {run.name: record_of(run) for run in made.RUNS}
    assert not unexplained(made, records)
    outcomes = {c["outcome"] for r in records.values() for c in r["checks"]}
    assert outcomes <= {"passed", "skipped", "xfailed"}
    forget(records["mhc-sinkhorn"])
    assert unexplained(made, records) == {"mhc-sinkhorn"}


def test_the_expected_failures_are_those_of_the_records(made):
    files = {path.stem for path in (PUBLIC / "expected").iterdir()}
    for run in made.RUNS:
        failed = {(c["claim"], c["dtype"]) for c in record_of(run)["checks"]
                  if c["outcome"] == "xfailed"}  # fmt: skip
        assert bool(failed) is (run.name in files), run.name
        if failed:
            told = read_expected((PUBLIC / "expected" / f"{run.name}.txt").read_text())
            assert all(told.get((c, d)) or told.get((c, "")) for c, d in failed)
            assert all(
                {(c, d), (c, "")} & {*failed, *((c, "") for c, _ in failed)} for c, d in told
            )
    assert files <= {run.name for run in made.RUNS}


def test_the_versions_are_those_that_are_pinned(made):
    pins = dict(re.findall(r"^([\w-]+)==([\w.]+)", (PUBLIC / "requirements.txt").read_text(), re.M))
    lines = (PUBLIC / "requirements.txt").read_text().splitlines()
    assert len(pins) == sum(bool(line.strip()) and line[0] != "#" for line in lines)
    for run in made.RUNS:
        for package, version in record_of(run)["versions"].items():
            assert version.partition("+")[0] == pins[package], (run.name, package)


def test_nothing_of_where_it_was_run_is_kept():
    for path in (PUBLIC / "records").iterdir():
        assert not re.search(r"/(home|root|tmp|usr|opt)/", path.read_text()), path.name
