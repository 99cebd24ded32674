"""Where the target runs: in this process, or in one of its own with a time limit.

Host         == calls([Call, …]) -> [Answer, …], in order; known(contract) -> [Known, …]
LocalHost    == a callable here and now; a hang or a crash of it is ours too
ProcessHost  == an importable target in its own process, restarted after a crash, a hang, a patch

The kit itself needs no torch: a ProcessHost starts answering while torch is still imported there.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from .location import Location
from .wire import Answer, Call, Known, decode, encode

START_SECONDS = 120.0
"""For importing torch and the target on a loaded machine."""
COSTLY = ("hang", "died", "patched")
"""Answers after which the process is started again."""
_STRIKES = 5
"""So many of them in a row, and the target is not called again."""
_AHEAD = 32
"""Calls sent before the first answer is awaited: a switch between processes is dear."""


class Host(Protocol):
    """Something that answers calls of one target, and knows where its source is."""

    location: Location | None

    def calls(self, calls: Sequence[Call]) -> list[Answer]: ...

    def known(self, contract: str) -> list[Known]: ...

    def close(self) -> None: ...


class TargetUnusable(ValueError):
    """The target cannot be imported, or is not what a contract is about."""


class LocalHost:
    """Calls a callable in this process."""

    def __init__(self, target: Callable[..., Any], location: Location | None = None):
        self.target, self.location = target, location

    def calls(self, calls: Sequence[Call]) -> list[Answer]:
        """Call the target here."""
        from .host import Surface, answer

        surface = Surface()
        return [answer(self.target, call, surface) for call in calls]

    def known(self, contract: str) -> list[Known]:
        """The operators of the zoo that a call may name."""
        from .host import known

        return known(contract)

    def close(self) -> None:
        """Nothing is held."""


class ProcessHost:
    """Calls an importable target in a process of its own.

    Parameters
    ----------
    target
        ``pkg.mod:name`` or ``path/to/file.py:name``.
    adapter
        How its signature differs from the contract's, a JSON value (`adapters`).
    limit
        Seconds for one call.

    Raises
    ------
    TargetUnusable
        If the target cannot be imported, with what it raised.
    """

    def __init__(self, target: str, adapter: Mapping[str, Any] | None = None, *, limit: float = 20):
        self.setup = {"target": target, "adapter": dict(adapter or {})}
        self.limit = limit
        self.location: Location | None = None
        self.ready = False
        self.strikes = 0
        self.start()

    def start(self) -> None:
        """Start the process; `call` waits for it to be ready."""
        self.said = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.host"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.said,
            start_new_session=True,
        )
        self.lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=_pump, args=(self.process.stdout, self.lines), daemon=True).start()
        self.send(self.setup)
        self.ready = False

    def change(self, target: str, adapter: Mapping[str, Any], *, limit: float) -> None:
        """Call another target from now on, in the same process if that is there and idle."""
        self.setup = {"target": target, "adapter": dict(adapter)}
        self.limit, self.strikes, self.location = limit, 0, None
        if self.ready and self.process.poll() is None:
            self.send(self.setup)
            self.ready = False
        else:
            self.restart()

    def calls(self, calls: Sequence[Call]) -> list[Answer]:
        """Call the target there; a crash or a hang is an Answer, the calls after it go on."""
        found: list[Answer] = []
        while len(found) < len(calls):
            if self.strikes >= _STRIKES:
                found.append(Answer(kind=self.last.kind, problem=f"{self.last.problem}; given up"))
                continue
            if not self.ready:
                self.wait()
            ahead = calls[len(found) : len(found) + _AHEAD]
            for call in ahead:
                self.send(call.to_json())
            for _ in ahead:
                answer = self.receive()
                found.append(answer)
                if answer.kind in COSTLY:
                    self.strikes, self.last = self.strikes + 1, answer
                    self.restart()
                    break
                self.strikes = 0
        return found

    def known(self, contract: str) -> list[Known]:
        """The operators of the zoo that a call may name there; none where nobody answers."""
        if self.strikes >= _STRIKES:
            return []
        if not self.ready:
            self.wait()
        self.send({"zoo": contract})
        try:
            line = self.lines.get(timeout=self.limit)
        except queue.Empty:
            line = b""
        if not line:
            self.restart()
            return []
        return [Known.from_json(entry) for entry in decode(line)["known"]]

    def receive(self) -> Answer:
        """The next answer, or why there is none."""
        try:
            line = self.lines.get(timeout=self.limit)
        except queue.Empty:
            return Answer(kind="hang", problem=f"no answer within {self.limit:g} s")
        if line:
            return Answer.from_json(decode(line))
        code = self.process.wait()
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return Answer(kind="died", problem=f"the process ended with {how}{self.last_words()}")

    def wait(self) -> None:
        """Wait until the target is imported.

        Raises TargetUnusable where that fails.
        """
        try:
            line = self.lines.get(timeout=START_SECONDS)
        except queue.Empty:
            self.close()
            raise TargetUnusable(
                f"importing {self.setup['target']} took more than {START_SECONDS:g} s"
            ) from None
        if not line:
            last = self.last_words()
            self.close()
            raise TargetUnusable(f"importing {self.setup['target']} ended the process{last}")
        message = decode(line)
        if not message["ready"]:
            self.close()
            raise TargetUnusable(message["problem"])
        if message["location"] is not None:
            self.location = (message["location"][0], message["location"][1])
        self.ready = True

    def send(self, message: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        # where the pipe is broken, the reader finds the end of the answers
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(encode(message))
            self.process.stdin.flush()

    def restart(self) -> None:
        """End the process and start another."""
        self.close()
        self.start()

    def last_words(self) -> str:
        """The last line that the process wrote to stderr."""
        self.said.seek(0)
        lines = self.said.read()[-4000:].decode(errors="replace").strip().splitlines()
        return f"; its last words: {lines[-1][:300]}" if lines else ""

    def close(self) -> None:
        """End the process with everything that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.said):
            if stream is not None:
                # what was still to be flushed has no reader
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


def _pump(stream: Any, lines: queue.Queue[bytes]) -> None:
    """Hand on the lines of a stream, and an empty one at its end."""
    for line in stream:
        lines.put(line)
    lines.put(b"")
    stream.close()
