"""The cache: what is written is read, and nothing else is."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from deltaproof.proofs.cache import (
    Cache,
    default_directory,
    digest,
    source_digest,
    write_atomically,
)

KEY = digest("a key")
VALUE = {"outcome": "confirmed", "numbers": [1, 2.5, None], "text": "‖x‖"}


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path)


def test_a_value_comes_back(cache: Cache) -> None:
    assert cache.get(KEY) is None
    cache.put(KEY, VALUE)
    assert cache.get(KEY) == VALUE
    assert cache.get(digest("another")) is None


def test_an_entry_that_cannot_be_read_is_a_miss(cache: Cache) -> None:
    cache.put(KEY, VALUE)
    whole = cache.path(KEY).read_bytes()
    for cut in range(0, len(whole), 7):
        cache.path(KEY).write_bytes(whole[:cut])
        assert cache.get(KEY) is None
    for garbage in (b"\xff\xfe", b"null", b"[]", b'{"key": "other"}'):
        cache.path(KEY).write_bytes(garbage)
        assert cache.get(KEY) is None


def test_an_entry_that_was_edited_or_moved_is_a_miss(cache: Cache) -> None:
    cache.put(KEY, VALUE)
    stored = json.loads(cache.path(KEY).read_text())
    stored["value"]["outcome"] = "contradicted"
    cache.path(KEY).write_text(json.dumps(stored))
    assert cache.get(KEY) is None
    cache.put(KEY, VALUE)
    other = digest("another")
    cache.path(other).parent.mkdir(parents=True, exist_ok=True)
    cache.path(KEY).rename(cache.path(other))
    assert cache.get(other) is None


def test_a_disabled_cache_neither_reads_nor_writes(tmp_path: Path) -> None:
    Cache(tmp_path).put(KEY, VALUE)
    off = Cache(tmp_path, enabled=False)
    assert off.get(KEY) is None
    off.put(digest("new"), VALUE)
    assert Cache(tmp_path).get(digest("new")) is None


def test_a_cache_that_cannot_be_written_does_not_stop_a_run(tmp_path: Path) -> None:
    (tmp_path / "evidence").write_text("a file where a folder should be")
    cache = Cache(tmp_path)
    cache.put(KEY, VALUE)
    assert cache.get(KEY) is None


WRITER = """
import sys
from pathlib import Path
from deltaproof.proofs.cache import Cache
cache, key = Cache(Path(sys.argv[1])), sys.argv[2]
for i in range(int(sys.argv[3])):
    cache.put(key, {"text": "x" * 20000, "i": i})
"""


def test_concurrent_writers_and_kills_leave_whole_entries(cache: Cache) -> None:
    command = [sys.executable, "-c", WRITER, str(cache.directory), KEY]
    writers = [subprocess.Popen([*command, "100000"]) for _ in range(2)]
    deadline = time.monotonic() + 20
    seen = 0
    while seen < 40 and time.monotonic() < deadline:
        value = cache.get(KEY)
        # once there is an entry, there is one at every moment
        assert value is not None or not seen
        seen += value is not None
    for writer in writers:
        writer.kill()
        writer.wait()
    assert seen
    value = cache.get(KEY)
    assert value is not None
    assert len(value["text"]) == 20000
    cache.put(KEY, VALUE)
    assert cache.get(KEY) == VALUE


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.json"
    write_atomically(path, "old")

    def broken(source: object, target: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr("os.replace", broken)
    with pytest.raises(OSError, match="no space"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["record.json"]


def test_the_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DELTAPROOF_CACHE", str(tmp_path / "here"))
    assert default_directory() == tmp_path / "here"
    monkeypatch.delenv("DELTAPROOF_CACHE")
    assert default_directory().name == "deltaproof"


def test_a_digest_is_of_content_and_not_of_order() -> None:
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})
    assert source_digest(["symbolic/delta.py"]) != source_digest(["symbolic/gate.py"])
