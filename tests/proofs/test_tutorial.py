"""The tutorial on identities, run as it is written."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from deltaproof.proofs.kernel import kernel_status

PAGE = Path(__file__).parents[2] / "docs" / "identities.md"
TEXT = PAGE.read_text(encoding="utf-8")
COMMAND = [sys.executable, "-m", "deltaproof.proofs.cli"]
needs_kernel = pytest.mark.skipif(bool(kernel_status().missing), reason=kernel_status().missing)


def files() -> dict[str, str]:
    """The files of the page, by name."""
    return dict(re.findall(r"<!-- file: (\S+) -->\n```python\n(.*?)```", TEXT, re.DOTALL))


def transcripts() -> list[tuple[list[str], str]]:
    """The commands of the page, and what they are said to print."""
    found = []
    for block in re.findall(r"<!-- run -->\n```text\n(.*?)```", TEXT, re.DOTALL):
        shown = re.match(r"\$ deltaproof ((?:.*\\\n)*.*)\n", block)
        assert shown is not None
        words = shlex.split(shown[1].replace("\\\n", " "))
        found.append((words, block[shown.end() :]))
    return found


def compare(said: str, printed: str) -> None:
    """What is printed, but for seconds; a line "…" stands for lines left out."""
    printed = re.sub(r"\(\d+\.\d s\)", "(… s)", printed).strip("\n")
    for part in re.split(r"^…$", said, flags=re.MULTILINE):
        assert part.strip("\n") in printed
    if "…\n" not in said:
        assert said.strip("\n") == printed


@pytest.mark.kernel
@needs_kernel
def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    for name, text in files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert len(text.strip().splitlines()) == 10
    environment = {**os.environ, "DELTAPROOF_CACHE": str(tmp_path / "cache")}
    for words, said in transcripts():
        ran = subprocess.run(
            [*COMMAND, *words], capture_output=True, text=True, cwd=tmp_path, env=environment,
            check=True,
        )  # fmt: skip
        compare(said, ran.stdout)
    assert (tmp_path / "proofs" / "mine.push_through.json").is_file()
    compile_as_it_is(tmp_path / "rocq")


def compile_as_it_is(folder: Path) -> None:
    """Compile a folder in the order of its _CoqProject, with the options that stand there."""
    lines = (folder / "_CoqProject").read_text(encoding="utf-8").split()
    sources = [word for word in lines if word.endswith(".v")]
    options = [word for word in lines if not word.endswith(".v") and word != "-arg"]
    assert sources[-1].startswith("claim_")
    assert {path.name for path in folder.glob("*.v")} == set(sources)
    for source in sources:
        command = ["coqc", "-q", *options, source]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_a_page_that_says_something_else_is_noticed() -> None:
    assert len(transcripts()) == 3
    compare("…\nb\n…", "a\nb\nc")
    with pytest.raises(AssertionError):
        compare("…\nd\n…", "a\nb\nc")
    with pytest.raises(AssertionError):
        compare("a", "a\nb")
