"""The action for GitHub, and the snippets of the documentation, run as they stand there."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
ACTION = ROOT / "action.yml"
DOCUMENT = ROOT / "docs" / "continuous-integration.md"
pytestmark = pytest.mark.skipif(not ACTION.exists(), reason="not in a clone")
yaml = pytest.importorskip("yaml")


def steps() -> dict[str, dict[str, Any]]:
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    return {step["name"]: step for step in action["runs"]["steps"]}


def shell(command: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a step does, with the command of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "DELTAPROOF_CACHE": str(folder / "cache")}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command],
        cwd=folder,
        env={**environment, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )


def act(folder: Path, **inputs: str) -> tuple[int, int, Path]:
    """Exit codes of the steps Verify and Report, and the folder of the report."""
    told = {"SELECTION": "", "CATALOGUE": "", "OPTIONS": "", "REPORT": "out", **inputs}
    files = {k: str(folder / k) for k in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    verified = shell(steps()["Verify"]["run"], folder, **told)
    reported = shell(steps()["Report"]["run"], folder, **told, **files)
    return verified.returncode, reported.returncode, folder / "out"


def test_the_action_verifies_and_reports(tmp_path: Path) -> None:
    options = "--kind certificate --jobs 1"
    codes = act(tmp_path, SELECTION="delta.identity cayley.image", OPTIONS=options)
    assert codes[:2] == (0, 0)
    made = "run.json junit.xml run.sarif summary.md index.html badge.svg report.md"
    assert set(made.split()) <= {p.name for p in codes[2].iterdir()}
    summary = (tmp_path / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")
    assert summary.startswith("## deltaproof: 2 proved, as expected")
    assert (tmp_path / "GITHUB_OUTPUT").read_text(encoding="utf-8") == "report=out\n"


def test_a_failure_fails_the_step_and_is_reported(tmp_path: Path) -> None:
    (tmp_path / "my claims.py").write_text(
        "from deltaproof.symbolic import Claim, eq, scalar\n"
        "CLAIMS = [Claim('mine.false', then=eq(scalar('x'), 1))]\n",
        encoding="utf-8",
    )
    options = "--kind counterexample --jobs 1"
    verified, reported, out = act(tmp_path, CATALOGUE="my claims.py", OPTIONS=options)
    assert (verified, reported) == (1, 0)
    assert "mine.false" in (out / "index.html").read_text(encoding="utf-8")


def test_nothing_selected_leaves_nothing_green(tmp_path: Path) -> None:
    verified, reported, out = act(tmp_path, SELECTION="no.such.claim")
    assert verified != 0
    assert reported == 0
    assert not (out / "index.html").exists()


def test_inputs_reach_no_command_line() -> None:
    for name, step in steps().items():
        assert "${{" not in step["run"], name
        syntax = subprocess.run(["bash", "-n", "-c", step["run"]], capture_output=True, text=True)
        assert syntax.returncode == 0, syntax.stderr


def test_the_action_installs_what_the_readme_names() -> None:
    packages = re.findall(r"\b(?:lib)?coq[\w-]*", steps()["Install Rocq"]["run"])
    named = re.findall(r"^apt-get install .*", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert packages
    assert set(packages) <= set(named[0].split())


def test_the_snippet_of_the_documentation_runs(tmp_path: Path) -> None:
    found = re.search(r"<!-- anywhere -->\n```sh\n(.*?)```", DOCUMENT.read_text("utf-8"), re.S)
    assert found
    # one kind is enough to see that the commands are right
    command = found[1].replace(
        "gate.bernoulli_variance", "gate.bernoulli_variance --kind certificate"
    )
    ran = shell(command, tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "report" / "index.html").is_file()
