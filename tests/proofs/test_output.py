"""Files that a user names: what stands there is replaced, followed or written into."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from deltaproof.proofs import output
from deltaproof.proofs.cli import exit_code
from deltaproof.proofs.output import OutputError, check, write

PROGRAM = "from deltaproof.proofs.cli import main; main()"
QUICK = ["verify", "delta.eigenvalue_off_k", "--kind", "certificate"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DELTAPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("before", [None, 0o600, 0o664])
def test_a_regular_file_is_replaced_and_keeps_its_permissions(before: int | None) -> None:
    path = Path("run.json")
    if before is not None:
        path.write_text("old")
        path.chmod(before)
    write(path, "new ‖x‖")
    assert path.read_text(encoding="utf-8") == "new ‖x‖"
    assert path.stat().st_mode & 0o777 == (0o644 if before is None else before)
    assert [p.name for p in Path().iterdir()] == ["run.json"]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_followed_and_stays(there: bool) -> None:
    Path("folder").mkdir()
    target, link = Path("folder/real.json"), Path("link.json")
    if there:
        target.write_text("old")
    link.symlink_to(target)
    write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert not target.is_symlink()


def test_a_pipe_is_written_into_and_stays() -> None:
    os.mkfifo("pipe")
    for path in (Path("pipe"), Path("link")):
        if path.name == "link":
            path.symlink_to("pipe")
        got: list[str] = []
        reader = threading.Thread(target=lambda g=got: g.append(Path("pipe").read_text()))
        reader.start()
        check({"--json": path})
        write(path, "text")
        reader.join(10)
        assert got == ["text"]
        assert Path("pipe").is_fifo()


def test_a_descriptor_is_written_into_where_it_stands() -> None:
    descriptor = os.open("file", os.O_CREAT | os.O_RDWR)
    os.write(descriptor, b"before ")
    path = Path(f"/dev/fd/{descriptor}")
    check({"--json": path})
    write(path, "new")
    os.write(descriptor, b" after")
    os.close(descriptor)
    assert Path("file").read_text() == "before new after"
    with pytest.raises(OutputError, match="cannot write /dev/fd"):
        check({"--json": path})


def test_the_standard_output_may_be_named() -> None:
    command = [sys.executable, "-c", PROGRAM, *QUICK, "--summary", "/dev/stdout"]
    with Path("out").open("w") as out:
        subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, check=True)
    text = Path("out").read_text(encoding="utf-8")
    assert text.startswith("## deltaproof: 1 proved, as expected")
    assert text.rstrip().splitlines()[-1].startswith("1 proved, as expected (")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("no/such/run.json", "--json: there is no folder no/such to write run.json in"),
        ("plain/run.json", "--json: there is no folder plain to write run.json in"),
        ("folder", "--json: folder is a folder"),
        ("dangling", "--json: there is no folder"),
        ("round", "--json: cannot write round"),
        ("x" * 300, "--json: cannot write xxx"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_work(path: str, told: str) -> None:
    Path("plain").write_text("")
    Path("folder").mkdir()
    Path("dangling").symlink_to("no/such/folder.json")
    Path("round").symlink_to("round")
    with pytest.raises(OutputError) as caught:
        check({"--json": Path(path)})
    assert told in str(caught.value)
    assert sorted(p.name for p in Path().iterdir()) == ["dangling", "folder", "plain", "round"]


def test_a_read_only_place_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # the tests may run as a user whom no permission stops
    Path("run.json").write_text("")
    monkeypatch.setattr(output.os, "access", lambda path, mode: False)
    with pytest.raises(OutputError, match=r"run\.json is not writable"):
        check({"--json": Path("run.json")})

    def refused(**options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(output.tempfile, "TemporaryFile", refused)
    with pytest.raises(OutputError, match=r"cannot write new\.json: Permission denied"):
        check({"--json": Path("new.json")})
    with pytest.raises(OutputError, match=r"cannot write in .*: Permission denied"):
        check({}, {"--out": Path("deep/er")})


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--json", "a", "--junit", "./a"], "--json and --junit name one file"),
        (["--json", "a", "--summary", "link"], "--json and --summary name one file"),
        (["--junit", "other", "--summary", "hard"], "--junit and --summary name one file"),
        (["--summary", "own.py", "--catalogue", "own.py"], "--catalogue and --summary name one"),
        (["--json", "a", "--sarif", "link"], "--json and --sarif name one file"),
        (["--export-rocq", "other/below"], "--export-rocq: "),
        (["--certificates", "other/below"], "--certificates: "),
    ],
)
def test_outputs_that_meet_are_refused(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("link").symlink_to("a")
    Path("other").write_text("kept")
    os.link("other", "hard")
    own = "from deltaproof.symbolic import *\nCLAIMS = [Claim('a.b', then=eq(eye(2), eye(2)))]\n"
    Path("own.py").write_text(own)
    command = ["verify", *(["delta"] if "--catalogue" not in arguments else []), *arguments]
    assert exit_code(command) == 2
    assert told in capsys.readouterr().err
    assert Path("other").read_text() == "kept"
    assert Path("own.py").read_text() == own


def test_what_cannot_be_written_in_the_end_exits_2_after_the_verdicts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(output, "write", full)
    assert exit_code([*QUICK, "--json", "run.json"]) == 2
    printed = capsys.readouterr()
    assert "cannot write run.json: No space left on device" in printed.err
    assert "1 proved, as expected" in printed.out


def run(*arguments: str, **options: object) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.run(command, capture_output=True, check=False, **options)  # type: ignore[call-overload]


def test_an_encoding_without_the_marks_gets_plain_ones() -> None:
    done = run(*QUICK, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    (row,) = (line for line in done.stdout.splitlines() if b"eigenvalue_off_k" in line)
    assert row.split() == [b"eigenvalue_off_k", b"proved", b"+"]
    assert b"- skipped" in done.stdout


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-", "2>&1 | true"])
def test_streams_that_are_closed_change_no_exit_code(closed: str) -> None:
    script = f'set -o pipefail; "$0" -c "{PROGRAM}" {" ".join(QUICK)} --json run.json {closed}'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done
    assert "Traceback" not in done.stdout + done.stderr
    assert '"complete": true' in Path("run.json").read_text()


@pytest.mark.parametrize("arguments", ["--help", "--version", "list", "verify --help"])
def test_a_reader_that_goes_away_is_no_error(arguments: str) -> None:
    script = f'set -o pipefail; "$0" -c "{PROGRAM}" {arguments} | true'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [["--help"], ["verify", "--help"], ["--version"], ["list"]])
def test_a_full_standard_output_is_told_in_a_line(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines() == [b"deltaproof: cannot print: No space left on device"]
