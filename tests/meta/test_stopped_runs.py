"""A run that is stopped, however, leaves no process behind; its exit code tells the signal."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = "from deltaproof.proofs.cli import main; main()"
pytestmark = pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="reads /proc")

# a coqc that never ends: what compiles is a child of a worker
SLOW = """#!/bin/sh
case "$1" in
  -print-version) echo "8.16.1 4.13.1" ;;
  -where) echo "{where}" ;;
  *) exec sleep 600 ;;
esac
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    libraries = tmp_path / "coq/user-contrib"
    for marker in ("mathcomp/algebra/all_algebra.vo", "mathcomp/algebra_tactics/ring.vo",
                   "Coquelicot/Coquelicot.vo"):  # fmt: skip
        (libraries / marker).parent.mkdir(parents=True)
        (libraries / marker).write_text("")
    coqc = tmp_path / "bin/coqc"
    coqc.parent.mkdir()
    coqc.write_text(SLOW.format(where=libraries.parent))
    coqc.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{coqc.parent}:{os.environ['PATH']}",
        "DELTAPROOF_CACHE": str(tmp_path / "cache"),
        "DELTAPROOF_TEST_RUN": str(tmp_path),  # by which its processes are known
    }


def processes(tmp_path: Path) -> list[str]:
    """The command lines of all processes of a run, by their environment."""
    mark, found = f"DELTAPROOF_TEST_RUN={tmp_path}".encode(), []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z" and mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append((folder / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


@pytest.mark.parametrize(
    ("how", "code"),
    [
        (signal.SIGKILL, -signal.SIGKILL),
        (signal.SIGTERM, 143),
        (signal.SIGHUP, 129),
        (signal.SIGINT, 130),
    ],
)
def test_no_process_outlives_a_run(
    environment: dict[str, str], tmp_path: Path, how: signal.Signals, code: int
) -> None:
    command = [sys.executable, "-c", PROGRAM, "verify", "delta.eigenvalue_off_k", "--jobs", "1"]
    command += ["--kind", "kernel", "--kind", "ladder", "--no-cache"]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**environment, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = time.monotonic() + 60
        while not any("sleep 600" in line for line in processes(tmp_path)):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline, processes(tmp_path)
            time.sleep(0.05)
        process.send_signal(how)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == code, errors
    deadline = time.monotonic() + 10
    while (left := processes(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []
    if how is not signal.SIGKILL:
        assert "interrupted; nothing was recorded" in errors
        assert "Traceback" not in errors
        assert not list(temporary.glob("deltaproof-rocq-*"))


def test_a_signal_that_is_ignored_stays_ignored(environment: dict[str, str]) -> None:
    program = (
        "import os, signal\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from deltaproof.proofs.processes import stoppable\n"
        "stoppable()\n"
        "os.kill(os.getpid(), signal.SIGHUP)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
