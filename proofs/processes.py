"""Child processes that end with their parent, and signals that end a command in order.

end_with_parent(parent) == asked in a child: when the process `parent` dies, so does this one
prepared()              == the same for a program that is about to be started; for `preexec_fn`
stoppable()             == SIGTERM and SIGHUP stop the command as Ctrl-C does
Stopped                 == what such a signal raises; `code` is the exit code that tells of it

A parent that is killed runs no clean-up, so the kernel of the system is asked to tell its children.
Only Linux can do that; elsewhere they end when they next write to their parent.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

_PR_SET_PDEATHSIG = 1


class Stopped(KeyboardInterrupt):
    """The command got a signal that ends it."""

    def __init__(self, number: int):
        super().__init__(signal.Signals(number).name)
        self.code = 128 + number


def _libc() -> Any:
    """The C library, where it knows of the death of parents."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    try:
        library = ctypes.CDLL(None)
        return library if hasattr(library, "prctl") else None
    except OSError:
        return None


def _ask(library: Any, parent: int) -> None:
    library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before it was asked for
        os._exit(1)


def end_with_parent(parent: int) -> None:
    """End this process when the process `parent`, which started it, dies."""
    if (library := _libc()) is not None:
        _ask(library, parent)


def prepared() -> Callable[[], None] | None:
    """For `preexec_fn`: the program that is started ends with the thread that started it.

    The library is loaded here, since little may be done between fork and exec.
    """
    library, parent = _libc(), os.getpid()
    return None if library is None else lambda: _ask(library, parent)


def stoppable() -> None:
    """Let SIGTERM and SIGHUP raise Stopped, once; a signal that is ignored stays ignored."""
    numbers = [getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")]
    known = [n for n in numbers if n is not None and signal.getsignal(n) is signal.SIG_DFL]

    def stop(number: int, frame: FrameType | None) -> None:
        for other in known:
            signal.signal(other, signal.SIG_IGN)  # the children are being ended already
        raise Stopped(number)

    for number in known:
        signal.signal(number, stop)
