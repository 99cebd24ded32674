"""The examples of docs/systems.md, run as they stand there; the claims and modules it names."""

import contextlib
import importlib
import io
import json
import re
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "systems.md").read_text()
BLOCKS = dict(re.findall(r"<!-- (\S+) -->\s*```python\n(.*?)```", TEXT, re.S))


def run(name):
    printed, scope = io.StringIO(), {}
    torch.manual_seed(0)
    with contextlib.redirect_stdout(printed):
        exec(compile(BLOCKS[name], name, "exec"), scope)
    return printed.getvalue(), scope


@pytest.mark.parametrize("name", BLOCKS)
def test_the_example_runs_in_ten_lines(name):
    printed, _ = run(name)
    assert printed
    lines = [line for line in BLOCKS[name].splitlines() if line and "import" not in line]
    assert len(lines) <= 10


def test_every_python_block_is_run():
    assert TEXT.count("```python") == len(BLOCKS) > 0


def test_the_midpoint_of_the_example_is_singular():
    printed, scope = run("geo")
    assert printed.startswith("0.0 tensor([1.0")
    assert scope["gates"]["gamma"].shape == (2, 10)


def test_every_claim_named_is_in_the_ledger():
    named = set(re.findall(r"`([a-z]+\.[a-z_]+)`", TEXT))
    ledger = set(json.loads((ROOT / "proofs" / "ledger.json").read_text())["claims"])
    families = {name.split(".")[0] for name in ledger}
    claims = {name for name in named if name.split(".")[0] in families}
    assert claims
    assert claims <= ledger


def test_every_module_named_is_there():
    named = re.findall(r"`([a-z_]+)\.([A-Z]\w+)`", TEXT)
    assert named
    for module, name in named:
        assert hasattr(importlib.import_module(f"deltaproof.torch_impl.modules.{module}"), name)
