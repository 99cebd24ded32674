"""The README says what is so: its table, its transcript and its example are made anew and compared.

DELTAPROOF_UPDATE_GOLDEN=1 writes the table and the transcript into the README, to be reviewed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.symbolic import both, implies, scalar
from deltaproof.symbolic.claims import Claim
from deltaproof.symbolic.printing import definitions, plain
from markdown_it import MarkdownIt

README = Path(__file__).parent.parent.parent / "README.md"
FIVE_THEOREMS = (
    "delta.rank_one_form",
    "delta.eigenvalue_along_k",
    "cayley.orthogonal",
    "cayley.no_minus_one",
    "gate.zero_gradient_midpoint",
)
pytestmark = pytest.mark.skipif(not README.exists(), reason="not in a clone")


def block(name: str) -> str:
    """The text between the fences that follow a marker."""
    found = re.search(rf"<!-- {name} -->\n```\w+\n(.*?)```", README.read_text("utf-8"), re.S)
    assert found, f"README.md has no block marked {name}"
    return found[1]


def compare(pattern: str, made: str) -> None:
    """Compare the README between two markers with what was made, or write it there."""
    text = README.read_text("utf-8")
    found = re.search(pattern, text, re.S)
    assert found, pattern
    if os.environ.get("DELTAPROOF_UPDATE_GOLDEN"):
        README.write_text(text[: found.start(1)] + made + text[found.end(1) :], "utf-8")
        return
    assert found[1] == made


def sentence(claim: Claim) -> str:
    """A claim on one line: hypotheses, conclusion, and what its names stand for."""
    said = plain(implies(both(*claim.given), claim.then) if claim.given else claim.then)
    named = definitions(claim.statement).items()
    parts = [f"{plain(scalar(name))} = {plain(body)}" for name, body in named]
    return f"{said}, where {', '.join(parts)}" if parts else said


def cells() -> list[tuple[str, ...]]:
    """The table of claims, as it is read."""
    claims = (entry.claim for entry in ENTRIES)
    return [(c.id, str(c.source), sentence(c), str(c.expected)) for c in claims]


def markdown(text: str) -> str:
    """Text in which Markdown finds no link, no emphasis and no end of a cell."""
    return re.sub(r"(?<!\w)_|_(?!\w)|[*|\\]|(?<=\])\(", lambda found: "\\" + found[0], text)


def table() -> str:
    """The table of claims, as it is written."""
    rows = [(f"`{name}`", *map(markdown, rest)) for name, *rest in cells()]
    head = "| claim | source | statement | verdict |\n|---|---|---|---|\n"
    return head + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def test_the_table_of_claims_is_the_catalogue():
    compare(r"<!-- claims -->\n(.*?)<!-- end of claims -->", table())


def test_the_table_reads_as_the_statements():
    tokens = MarkdownIt("commonmark").enable("table").parse(table())
    inline = [token.children or [] for token in tokens if token.type == "inline"][4:]
    assert {part.type for parts in inline for part in parts} == {"text", "code_inline"}
    read = ["".join(part.content for part in parts) for parts in inline]
    assert read == [text for row in cells() for text in row]
    # unescaped, a rounding would be a link
    link = MarkdownIt().parseInline("fl[binary64](z)")[0].children
    assert link is not None
    assert link[1].type == "link_open"


def without_times(text: str) -> str:
    return re.sub(r"\(\d+\.\d s\)", "(… s)", text)


@pytest.mark.kernel
@pytest.mark.skipif(shutil.which("coqc") is None, reason="the transcript shows the kernel")
def test_the_transcript_is_what_the_command_prints():
    command = [sys.executable, "-m", "deltaproof.proofs.cli", "verify", *FIVE_THEOREMS]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    shown = "$ deltaproof verify " + " \\\n    ".join(FIVE_THEOREMS) + "\n"
    made = shown + without_times(ran.stdout.strip("\n")) + "\n"
    compare(r"<!-- transcript -->\n```text\n(.*?)```", made)


def test_the_example_runs_as_written(tmp_path):
    script = tmp_path / "example.py"
    script.write_text(block("python-example"), "utf-8")
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("proved by ")
    assert "certificate" in ran.stdout


def test_the_commands_name_files_and_extras_that_exist():
    for name in ("set-up-and-verify", "set-up-and-test"):
        command = block(name)
        assert "-c constraints.txt" in command
        assert (README.parent / "constraints.txt").exists()
    assert ".[test]" in block("set-up-and-test")


def test_the_trusted_base_names_files_that_exist():
    text = README.read_text("utf-8")
    base = text[text.index("## The trusted base") :]
    named = re.findall(r"`((?:symbolic|numeric|proofs|torch_impl)/[\w/.]*)`", base)
    assert named
    for path in named:
        assert (README.parent / path).exists(), path
