"""The pages of docs/, run as they are written."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import fields
from functools import partial
from pathlib import Path

import pytest
from deltaproof.proofs.catalogue.entry import Entry
from deltaproof.proofs.kernel import kernel_status

ROOT = Path(__file__).parents[2]
IDENTITIES = (ROOT / "docs" / "identities.md").read_text(encoding="utf-8")
CATALOGUE = (ROOT / "docs" / "catalogue.md").read_text(encoding="utf-8")
COMMAND = [sys.executable, "-m", "deltaproof.proofs.cli"]
needs_kernel = pytest.mark.skipif(bool(kernel_status().missing), reason=kernel_status().missing)


def files(page: str) -> dict[str, str]:
    """The files that a page holds, by name."""
    return dict(re.findall(r"<!-- file: (\S+) -->\n```python\n(.*?)```", page, re.DOTALL))


def transcripts(page: str) -> list[tuple[list[str], str]]:
    """The commands of a page, and what they are said to print."""
    found = []
    for block in re.findall(r"<!-- run -->\n```text\n(.*?)```", page, re.DOTALL):
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


def follow(page: str, folder: Path) -> None:
    """Run the commands of a page in a folder, with an empty cache."""
    environment = {**os.environ, "DELTAPROOF_CACHE": str(folder / "cache")}
    for words, said in transcripts(page):
        ran = subprocess.run(
            [*COMMAND, *words], capture_output=True, text=True, cwd=folder, env=environment,
            check=True,
        )  # fmt: skip
        compare(said, ran.stdout)


@pytest.mark.kernel
@needs_kernel
def test_the_page_on_identities_does_what_it_says(tmp_path: Path) -> None:
    for name, text in files(IDENTITIES).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert len(text.strip().splitlines()) == 10
    follow(IDENTITIES, tmp_path)
    assert (tmp_path / "my-proofs" / "mine.push_through.json").is_file()
    compile_as_it_is(tmp_path / "rocq")


def test_the_page_on_catalogues_does_what_it_says(tmp_path: Path) -> None:
    (copied,) = re.findall(r"<!-- copy: (\S+) as (\S+) -->\n```sh\ncp (\S+) (\S+)\n```", CATALOGUE)
    assert copied[:2] == copied[2:]
    shutil.copy(ROOT / copied[0], tmp_path / copied[1])
    follow(CATALOGUE, tmp_path)
    (job,) = re.findall(r"<!-- ci -->\n```sh\n(.*?)```", CATALOGUE, re.DOTALL)
    command = shlex.split(job)
    assert command[0] == "deltaproof"
    # without coqc the kernel is skipped, and nothing is weaker for that
    environment = {
        **os.environ, "DELTAPROOF_CACHE": str(tmp_path / "cache"), "PATH": str(tmp_path),
    }  # fmt: skip
    run = partial(
        subprocess.run, [*COMMAND, *command[1:]], capture_output=True, text=True, cwd=tmp_path,
        env=environment, check=False,
    )  # fmt: skip
    assert run().returncode == 0
    assert (tmp_path / "summary.md").is_file()
    ledger = tmp_path / "my-ledger.json"
    ledger.write_text(ledger.read_text("utf-8").replace("mine.sum_printed", "mine.gone"), "utf-8")
    ran = run()
    assert ran.returncode == 1
    assert "mine.gone" in ran.stdout


def test_every_field_of_an_entry_is_on_the_page() -> None:
    table = set(re.findall(r"^\| `(\w+)` \|", CATALOGUE, re.MULTILINE))
    assert table == {f.name for f in fields(Entry)} - {"claim"}


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
    assert [len(transcripts(page)) for page in (IDENTITIES, CATALOGUE)] == [3, 3]
    compare("…\nb\n…", "a\nb\nc")
    with pytest.raises(AssertionError):
        compare("…\nd\n…", "a\nb\nc")
    with pytest.raises(AssertionError):
        compare("a", "a\nb")
