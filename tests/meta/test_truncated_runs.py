"""A run that was stopped leaves nothing that reads as complete, and the next one is unharmed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from deltaproof.proofs.cache import Cache
from deltaproof.proofs.record import RecordError, read
from deltaproof.proofs.selection import select

PROGRAM = "from deltaproof.proofs.cli import main; main()"
COMMAND = ["verify", "delta", "--kind", "symbolic", "--kind", "ladder"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "DELTAPROOF_CACHE": str(tmp_path / "cache")}


def started(environment: dict[str, str], tmp_path: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *COMMAND, "--json", "run.json", "--junit", "run.xml"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def stopped(environment: dict[str, str], tmp_path: Path, after: int, how: signal.Signals) -> int:
    """The exit code of a run that gets a signal once so many pieces of evidence are kept."""
    process = started(environment, tmp_path)
    kept = Path(environment["DELTAPROOF_CACHE"])
    while process.poll() is None and len(list(kept.rglob("*.json"))) < after:
        time.sleep(0.002)
    process.send_signal(how)
    process.communicate(timeout=60)
    return process.returncode


def reported(environment: dict[str, str], tmp_path: Path) -> int:
    """The exit code of a report on what the run left."""
    command = [sys.executable, "-c", PROGRAM, "report", "--out", "out"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    return done.returncode


def complete_records(folder: Path) -> list[Path]:
    found = []
    for path in folder.rglob("*"):
        try:
            if path.is_file():
                read(path)
                found.append(path)
        except (RecordError, UnicodeDecodeError):
            continue
    return found


@pytest.mark.parametrize("after", [0, 1, 5])
def test_a_killed_run_leaves_no_record_and_harms_nothing(
    environment: dict[str, str], tmp_path: Path, after: int
) -> None:
    assert stopped(environment, tmp_path, after, signal.SIGKILL) == -signal.SIGKILL
    assert not complete_records(tmp_path)
    assert reported(environment, tmp_path) == 2
    process = started(environment, tmp_path)
    process.communicate(timeout=120)
    assert process.returncode == 0
    names = {path.name for path in complete_records(tmp_path)}
    assert names == {"run.json", "last.json"}
    assert len(read(tmp_path / "run.json")["claims"]) == len(select(["delta"]))


def test_an_interrupted_run_exits_130_without_a_record(
    environment: dict[str, str], tmp_path: Path
) -> None:
    assert stopped(environment, tmp_path, 1, signal.SIGINT) == 130
    assert not complete_records(tmp_path)


def test_the_check_of_this_file_sees_a_complete_record(
    environment: dict[str, str], tmp_path: Path
) -> None:
    process = started(environment, tmp_path)
    process.communicate(timeout=120)
    assert complete_records(tmp_path)
    last = Cache(Path(environment["DELTAPROOF_CACHE"])).last_run
    whole = last.read_text()
    last.write_text(whole[: len(whole) // 2])
    with pytest.raises(RecordError):
        read(last)
    assert reported(environment, tmp_path) == 2
