"""The examples of docs/conformance.md, run as they stand there."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs" / "conformance.md"


def block(name):
    """The code block that follows <!-- name -->."""
    found = re.search(rf"<!-- {re.escape(name)} -->\s*```\w+\n(.*?)```", DOCS.read_text(), re.S)
    assert found, name
    return found[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("docs")
    for name in ("ops.py", "test_ops.py", "block.py"):
        (made / name).write_text(block(name))
    return made


def run(folder, text, *, interpreter=("bash", "-euo", "pipefail", "-c")):
    scripts = str(Path(sys.executable).parent)
    environment = os.environ | {
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "DELTAPROOF_CACHE": str(folder / "cache"),
        "PYTHONPATH": str(folder),
    }
    return subprocess.run(
        [*interpreter, text], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize("name", ["command", "layout", "module"])
def test_the_commands_that_conform(folder, name):
    done = run(folder, block(name))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "conforms: " in done.stdout


def test_the_command_that_fails_and_its_replay(folder):
    done = run(folder, block("failing"))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "the factor 2 is missing" in done.stdout
    again = re.search(r"reproduce: (deltaproof .*reflection\.definition-float32.*)", done.stdout)
    assert again
    replayed = run(folder, again[1])
    assert replayed.returncode == 1
    assert "reflection.definition in float32: failed" in replayed.stdout


def test_the_module_that_fails(folder):
    done = run(folder, block("module that fails"))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "a later token changes an earlier output" in done.stdout
    assert "residual_block.state_dict in float32" not in done.stdout


def test_the_python_example(folder):
    done = run(folder, block("python"), interpreter=(sys.executable, "-c"))
    assert done.returncode == 0, done.stderr
    assert "delta.overwrite" in done.stdout


def test_the_pytest_example(folder):
    done = run(folder, block("pytest"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b\d\d\d? passed", done.stdout)


def test_the_ci_snippet(folder):
    done = run(folder, block("ci"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((folder / "conform.json").read_text())["complete"] is True
    assert "<testcase" in (folder / "conform.xml").read_text()
    assert json.loads((folder / "conform.sarif").read_text())["runs"][0]["results"] == []
    assert (folder / "conform.md").read_text().startswith("## `ops.py:my_update`")
