"""docs/systems.md: the verdicts that it gives, its table of systems, and its command."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.torch_impl.modules.connections import SYSTEMS, connection_class

PAGE = (Path(__file__).parents[3] / "docs" / "systems.md").read_text(encoding="utf-8")
REFUTED = {entry.claim.id for entry in ENTRIES if entry.claim.expected == "refuted"}


def test_every_system_has_an_example_and_claims():
    sections = re.split(r"^## ", PAGE, flags=re.M)[1:]
    modules = [text for text in sections if re.search(r"\*Module\.\*", text)]
    assert len(modules) == len(SYSTEMS) + 1
    for text in modules:
        assert "```python" in text
        assert re.search(r"`[a-z]+\.\w+`", text)
        assert re.search(r"\*Claims\.\*", text)


def test_what_is_called_refuted_is_and_nothing_else():
    """A line that names a refuted claim says so, and one that says so names one."""
    for line in PAGE.splitlines():
        refuted = [claim for claim in re.findall(r"`([a-z]+\.\w+)`", line) if claim in REFUTED]
        assert bool(refuted) == ("refuted" in line), line


def test_the_table_of_systems_is_that_of_the_modules():
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| `(\w+)` \|$", PAGE, re.M)
    assert tuple(row[0] for row in rows) == SYSTEMS
    for system, name, module in rows:
        found = connection_class(system)
        assert (found.__name__, found.__module__.rsplit(".", 1)[1]) == (name, module)


@pytest.mark.parametrize(
    ("kind", "fails"), [("max", set()), ("root", {"projection", "reflection"})]
)
def test_the_block_is_held_to_its_contract(kind, fails, tmp_path):
    (command,) = re.findall(r"<!-- conform -->\s*```sh\n(.*?)```", PAGE, re.S)
    scripts = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"{scripts}/{command.replace('max', kind)}"],
        env=os.environ | {"DELTAPROOF_CACHE": str(tmp_path)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == bool(fails), done.stdout + done.stderr
    found = re.findall(r"^  delta\.(\w+) +✗", done.stdout, re.M)
    assert set(found) == fails
