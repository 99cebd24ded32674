"""The store of compiled files: what was harmed, or made with something else, is made again."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from deltaproof.proofs.coqc import MANIFEST, Failure, Store, find_toolchain

TOOLCHAIN = find_toolchain()
pytestmark = pytest.mark.skipif(TOOLCHAIN is None, reason="coqc not found")

BASE = "Definition one := S O.\n"
ABOVE = "From deltaproof Require base.\nDefinition two := S base.one.\n"


class Counting(Store):
    """A store that says what it compiled."""

    compiled: list[str]

    def run(
        self, folder: Path, name: str, text: str, requires: Iterable[str], *options: str
    ) -> tuple[Failure | None, str]:
        self.compiled.append(name)
        return super().run(folder, name, text, requires, *options)


def made(root: Path, *, base: str = BASE) -> list[str]:
    """What a new run compiles to have both files."""
    assert TOOLCHAIN is not None
    store = Counting(root, TOOLCHAIN, 300.0)
    store.compiled = []
    assert store.compile("base", base, []) is None
    assert store.compile("above", ABOVE, [store.key("base", base, [])]) is None
    return store.compiled


def unit(root: Path, name: str) -> Path:
    (path,) = root.glob(f"units/*/{name}.vo")
    return path.parent


def test_what_is_whole_is_not_compiled_again(tmp_path: Path) -> None:
    assert made(tmp_path) == ["base", "above"]
    assert made(tmp_path) == []
    assert sorted(p.name for p in unit(tmp_path, "base").iterdir()) == [
        "base.v", "base.vo", MANIFEST,
    ]  # fmt: skip


@pytest.mark.parametrize("file", ["base.vo", "base.v", MANIFEST])
@pytest.mark.parametrize("harm", ["cut", "changed", "gone", "empty", "other JSON"])
def test_what_was_harmed_is_made_again(tmp_path: Path, file: str, harm: str) -> None:
    made(tmp_path)
    path = unit(tmp_path, "base") / file
    whole = path.read_bytes()
    if harm == "gone":
        path.unlink()
    else:
        middle = len(whole) // 2
        flipped = bytes([whole[middle] ^ 1])
        path.write_bytes(
            {
                "cut": whole[:middle],
                "changed": whole[:middle] + flipped + whole[middle + 1 :],
                "empty": b"",
                "other JSON": b"[]",
            }[harm]
        )
    assert made(tmp_path) == ["base"]
    assert path.read_bytes() == whole
    assert made(tmp_path) == []


def test_what_was_made_with_another_is_made_again(tmp_path: Path) -> None:
    made(tmp_path)
    manifest = unit(tmp_path, "above") / MANIFEST
    text = manifest.read_text()
    (compiled,) = unit(tmp_path, "base").glob("*.vo")
    # as if the file below had come out otherwise when it was healed
    compiled.write_bytes(compiled.read_bytes())
    inside = text.rpartition('": "')
    other = "0" * 64
    manifest.write_text(f'{inside[0]}": "{other}"}}}}')
    assert made(tmp_path) == ["above"]
    assert manifest.read_text() == text
