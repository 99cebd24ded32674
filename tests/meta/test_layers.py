"""The house: which layer imports which, and that light commands import nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import deltaproof.symbolic
import pytest

ROOT = Path(deltaproof.symbolic.__file__).parent.parent
MAY_IMPORT = {
    "symbolic": {"symbolic"},
    "numeric": {"numeric", "symbolic"},
    "torch_impl": {"torch_impl", "numeric", "symbolic"},
    "proofs": {"proofs", "torch_impl", "numeric", "symbolic"},
}
HEAVY = {"sympy", "mpmath", "torch", "numpy", "matplotlib", "hypothesis", "pytest"}


def imported_layers(path: Path, layer: str) -> set[str]:
    """The layers that the file at `path` imports, at any depth of its code."""
    inside = path.relative_to(ROOT / layer).parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level > len(inside):
                modules = [f"deltaproof.{module}"]
                if not module:
                    modules = [f"deltaproof.{alias.name}" for alias in node.names]
            elif node.level == 0:
                modules = [module]
        for module in modules:
            parts = module.split(".")
            if parts[0] == "deltaproof" and len(parts) > 1:
                found.add(parts[1])
    return found


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_a_layer_imports_only_the_layers_below_it(layer):
    files = sorted((ROOT / layer).rglob("*.py"))
    assert files
    for path in files:
        assert imported_layers(path, layer) <= MAY_IMPORT[layer], path


def test_the_reader_of_imports_sees_a_forbidden_one(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "symbolic").mkdir()
    for spelled in (
        "from ..torch_impl import delta",
        "from .. import torch_impl",
        "import deltaproof.torch_impl.delta",
        "def f():\n    from ..torch_impl.delta import delta_update",
    ):
        path = tmp_path / "symbolic" / "wrong.py"
        path.write_text(spelled, encoding="utf-8")
        assert imported_layers(path, "symbolic") == {"torch_impl"}, spelled


@pytest.mark.parametrize(
    "module",
    ["deltaproof.symbolic", "deltaproof.proofs.catalogue", "deltaproof.proofs.cli"],
)
def test_light_modules_import_nothing_heavy(module):
    code = f"import sys, {module}; print(*sorted(set(sys.modules) & set({sorted(HEAVY)!r})))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT.anchor
    )
    assert loaded.stdout.split() == []


def test_the_checker_imports_neither_the_search_nor_a_computer_algebra_system():
    code = (
        "import sys, deltaproof.symbolic.certificates; "
        "print(*(m for m in sys.modules if m.split('.')[0] in ('sympy', 'flint') "
        "or m == 'deltaproof.symbolic.search'))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT.anchor
    )
    assert loaded.stdout.split() == []
