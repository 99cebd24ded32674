"""The content-addressed cache: evidence by the hash of everything it depends on.

Cache(directory)     == get(key), put(key, value); JSON files, one an entry
default_directory()  == $DELTAPROOF_CACHE, else the user's cache folder
digest(value)        == SHA-256 of a JSON value in canonical spelling
source_digest(…)     == SHA-256 of the source files of layers of the package
write_atomically()   == a file that is there complete or not at all

An entry is written under a temporary name and renamed, so that concurrent runs and kills leave
either the old or the new one; an entry that cannot be read, or that belongs to another key, is a
miss. Nothing is unpickled.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent.parent
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False)


def default_directory() -> Path:
    """Where evidence is kept: $DELTAPROOF_CACHE, else `deltaproof` in the user's cache folder."""
    if chosen := os.environ.get("DELTAPROOF_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("deltaproof", appauthor=False)


def digest(value: Any) -> str:
    """SHA-256 of a JSON value; the order of keys does not matter."""
    return hashlib.sha256(_CANONICAL.encode(value).encode()).hexdigest()


def source_digest(paths: Iterable[str]) -> str:
    """SHA-256 of files of the package: `symbolic/*.py`, `proofs/rocq/*.v`, … relative to it."""
    total = hashlib.sha256()
    for pattern in paths:
        for path in sorted(PACKAGE.glob(pattern)):
            total.update(f"{path.relative_to(PACKAGE).as_posix()}\0".encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def write_atomically(path: Path, text: str) -> None:
    """Write `text` to the regular file `path` by way of a temporary file beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # mkstemp makes files private; a record is for others to read, unless it was not before
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
    handle, temporary = tempfile.mkstemp(
        dir=path.parent, prefix=f".{path.name[:80]}.", suffix=".tmp"
    )
    try:
        os.fchmod(handle, mode)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


class Cache:
    """Evidence on disk. `enabled=False` neither reads nor writes entries."""

    def __init__(self, directory: Path | None = None, *, enabled: bool = True):
        self.directory = directory or default_directory()
        self.enabled = enabled

    def path(self, key: str) -> Path:
        """Where the entry of `key` stands."""
        return self.directory / "evidence" / key[:2] / f"{key}.json"

    def get(self, key: str) -> Any | None:
        """The value stored under `key`, or None."""
        if not self.enabled:
            return None
        try:
            stored = json.loads(self.path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if not isinstance(stored, dict) or stored.get("key") != key:
            return None
        # a file that was cut and happens to parse, or was edited, does not count either
        value = stored.get("value")
        return value if stored.get("digest") == digest(value) else None

    def put(self, key: str, value: Any) -> None:
        """Store a JSON value; a cache that cannot be written is slow, not wrong."""
        if not self.enabled:
            return
        entry = {"key": key, "digest": digest(value), "value": value}
        try:
            write_atomically(self.path(key), json.dumps(entry, ensure_ascii=False))
        except OSError:
            return

    @property
    def last_run(self) -> Path:
        """The record that the last `verify` left."""
        return self.directory / "last.json"

    @property
    def kernel(self) -> Path:
        """The folder in which Rocq compiles."""
        return self.directory / "rocq"
