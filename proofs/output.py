"""Files that a user names: looked at before the work, written after it.

write(path, text)        == a regular file is replaced whole; a link is followed; a device, a pipe
                            or a descriptor is written into
check(files, folders, …) == raises OutputError for what cannot be written, before anything is done
steady_streams()         == standard streams that no missing reader, and no encoding, can break
OutputError              == which option, which path, what is wrong

Left out: the files of the cache (cache.py), which are always regular.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from .cache import write_atomically


class OutputError(ValueError):
    """A place that cannot be written to, or that two options name."""


# ---------------------------------------------------------------- before the work


def check(
    files: Mapping[str, Path | None],
    folders: Mapping[str, Path | None] | None = None,
    inputs: Mapping[str, str | Path | None] | None = None,
) -> None:
    """Refuse what could not be written after the work.

    Parameters
    ----------
    files, folders : mapping of str to Path or None
        What will be written, by the name of the option.
    inputs : mapping of str to path or None
        Files that are read, and must not be overwritten.

    Raises
    ------
    OutputError
        The first option that cannot be met, and why.
    """
    named = {option: path for option, path in files.items() if path is not None}
    seen: dict[str, Path] = {o: Path(p) for o, p in (inputs or {}).items() if p is not None}
    for option, path in named.items():
        for other, taken in seen.items():
            if _same(path, taken):
                raise OutputError(f"{other} and {option} name one file, {path}")
        seen[option] = path
        if problem := _file_problem(path):
            raise OutputError(f"{option}: {problem}")
    for option, folder in (folders or {}).items():
        if folder is not None and (problem := _folder_problem(folder)):
            raise OutputError(f"{option}: {problem}")


def _same(one: Path, other: Path) -> bool:
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return one.samefile(other)
    except OSError:
        return False


def _file_problem(path: Path) -> str:
    """Why nothing can be written to `path`; empty where something can."""
    try:
        if (descriptor := _descriptor(path)) is not None:
            os.fstat(descriptor)
            return ""
        mode = _mode(path)
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            return f"there is no folder {target.parent if path.is_symlink() else path.parent} " + (
                f"to write {path.name} in"
            )
        if mode is not None and stat.S_ISDIR(mode):
            return f"{path} is a folder"
        if mode is not None and not os.access(target, os.W_OK):
            return f"{path} is not writable"
        if mode is None or stat.S_ISREG(mode):
            with tempfile.TemporaryFile(dir=target.parent):
                return ""
    except OSError as problem:
        return f"cannot write {path}: {problem.strerror or problem}"
    return ""


def _folder_problem(folder: Path) -> str:
    """Why no file can be written below `folder`; empty where one can."""
    there = next(p for p in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(p))
    if not there.is_dir():
        return f"{there} is not a folder"
    try:
        with tempfile.TemporaryFile(dir=there):
            return ""
    except OSError as problem:
        return f"cannot write in {there}: {problem.strerror or problem}"


def _mode(path: Path) -> int | None:
    """Type and permissions of what `path` leads to; None where there is nothing yet."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None


def _descriptor(path: Path) -> int | None:
    """The number of the open file that `path` names, as /dev/stdout does; None for a file."""
    place = os.path.abspath(path)
    for _ in range(40):  # links that lead round end here
        parent, name = os.path.split(place)
        if re.fullmatch(rf"/proc/{os.getpid()}(/task/\d+)?/fd|/dev/fd", os.path.realpath(parent)):
            return int(name) if name.isdecimal() else None
        if not os.path.islink(place):
            return None
        place = os.path.join(parent, os.readlink(place))
    return None


# ---------------------------------------------------------------- after it


def write(path: Path, text: str) -> None:
    """Write `text` where `path` leads; raises OSError.

    A regular file is there complete or not at all, and keeps its permissions.
    """
    if (descriptor := _descriptor(path)) is not None:
        if sys.stdout is not None:
            sys.stdout.flush()
        with open(os.dup(descriptor), "w", encoding="utf-8") as stream:
            stream.write(text)
        return
    mode = _mode(path)
    if mode is None or stat.S_ISREG(mode):
        write_atomically(Path(os.path.realpath(path)), text)
    else:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)


# ---------------------------------------------------------------- standard streams

# one character each, so that tables keep their columns
PLAIN = {"✓": "+", "✗": "x", "–": "-", "—": "-", "…": "~", "‖": "|", "ᵀ": "'", "×": "x"}


def _in_plain_characters(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    text = problem.object[problem.start : problem.end]
    spelled = (PLAIN.get(c) or c.encode("ascii", "backslashreplace").decode() for c in text)
    return "".join(spelled), problem.end


def steady_streams() -> None:
    """Make the standard streams of a command that no reader and no encoding can break.

    A descriptor that is closed is opened on nothing, so that no other file gets its number; what an
    encoding cannot spell is written in plain characters.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
    codecs.register_error("plain", _in_plain_characters)
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="plain")
