"""A target in a process of its own: what it does to itself is one check's failure."""

import functools
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from deltaproof.torch_impl.conformance import conform, host
from deltaproof.torch_impl.conformance.isolation import TargetUnusable

ZOO = "deltaproof.torch_impl.conformance.zoo"
TARGETS = f"{ZOO}.misbehaving"


def checked(name, **settings):
    result = conform(
        name if ":" in name else f"{TARGETS}:{name}",
        contract="reflection",
        profile="quick",
        dtypes=settings.pop("dtypes", ("float32",)),
        **settings,
    )
    return result, {c.claim: c for c in result.checks}


@pytest.mark.parametrize(
    ("name", "words", "settings"),
    [
        ("dies", "exit code 7", {}),
        ("exits", "SystemExit: 3", {}),
        ("hangs", "no answer within 10 s", {"limit": 10.0}),
    ],
)
def test_the_other_checks_go_on(name, words, settings):
    result, checks = checked(name, **settings)
    assert checks["reflection.returns"].outcome == "failed"
    assert words in checks["reflection.returns"].diagnosis
    assert checks["delta.reflection"].outcome in ("passed", "failed")
    assert checks["reflection.definition"].outcome == "passed"
    assert checks["reflection.definition"].inputs > 10
    assert result.complete


@pytest.mark.parametrize(
    ("name", "words"),
    [("patches", "the target replaced torch.matmul"), ("storms", "warnings in one call")],
)
def test_what_would_mislead_later_checks_is_told(name, words):
    _, checks = checked(name)
    assert checks["reflection.returns"].outcome == "failed"
    assert words in checks["reflection.returns"].diagnosis


def test_what_a_target_prints_is_no_answer():
    checked("prints")[0].check()


def test_an_unsupported_dtype_is_skipped_with_its_message():
    result, checks = checked("no_halves", dtypes=("float16", "float64"))
    skipped = next(c for c in result.checks if c.dtype == "float16")
    assert skipped.outcome == "skipped"
    assert "not implemented for" in skipped.diagnosis
    assert checks["reflection.definition"].dtype == "float64"
    result.check()


def test_what_is_no_tensor_or_has_another_shape():
    _, checks = checked(f"{ZOO}.reflection:returns_a_list")
    assert "returned list, not a tensor" in checks["reflection.returns"].diagnosis
    _, checks = checked(f"{ZOO}.reflection:result_transposed")
    assert "--transposed" in checks["reflection.shape"].diagnosis


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("no_such_module_of_ours:f", "ModuleNotFoundError"),
        ("no/such/file.py:f", "there is no file"),
        (f"{TARGETS}:hang", "did you mean hangs"),
        ("nothing", "write pkg.mod:callable"),
    ],
)
def test_a_target_that_cannot_be_loaded(target, words):
    with pytest.raises(TargetUnusable, match=words):
        conform(target, contract="reflection", profile="quick")


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"ops": "import nowhere_of_ours"}, "'nowhere_of_ours' (ops.py:1)"),
        ({"ops": "\ndef f(:"}, "SyntaxError: invalid syntax (ops.py:2)"),
        ({"ops": "import its_words", "its_words": "["}, "was never closed (its_words.py:1)"),
        ({"ops": "\n\n1 / 0"}, "ZeroDivisionError: division by zero (ops.py:3)"),
    ],
)
def test_an_import_that_fails_names_a_line_of_the_targets_own(files, told, tmp_path):
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    with pytest.raises(TargetUnusable) as raised:
        conform(f"{tmp_path}/ops.py:f", contract="reflection", profile="quick")
    assert str(raised.value).endswith(told)


def test_a_module_that_is_not_there_is_missed_nowhere():
    with pytest.raises(TargetUnusable, match=r"No module named 'no_such_module_of_ours'$"):
        conform("no_such_module_of_ours:f", contract="reflection", profile="quick")


def test_a_run_without_time_is_not_complete():
    result = conform(f"{TARGETS}:prints", contract="reflection", profile="quick", seconds=1e-6)
    assert not result.complete
    assert not result.ok
    with pytest.raises(AssertionError, match="does not conform"):
        result.check()


def test_the_kit_itself_loads_no_torch():
    kit = "deltaproof.torch_impl.conformance"
    code = f"import sys, {kit}.conforming, {kit}.ranges; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def defined_in(file, source, **names):
    """The function f that a source defines, as if it stood in a file."""
    exec(compile(source, str(file), "exec"), names)
    return names["f"]


AROUND = "@wraps(old)\ndef f(seed):\n    return old(seed)\n"
ALONE = "def f(seed):\n    return old(seed)\n"


@pytest.mark.parametrize(
    ("folder", "source", "told"),
    [
        (Path(torch.__file__).parent, AROUND, []),
        (Path(torch.__file__).parent, ALONE, ["torch.manual_seed"]),
        (Path(__file__).parent, AROUND, ["torch.manual_seed"]),
    ],
    ids=["torch's own wrapper", "no wrapper", "the target's wrapper"],
)
def test_what_torch_itself_wraps_is_not_the_targets_doing(folder, source, told, monkeypatch):
    names = {"wraps": functools.wraps, "old": torch.manual_seed}
    surface = host.Surface()
    monkeypatch.setattr(torch, "manual_seed", defined_in(folder / "x.py", source, **names))
    assert surface.replaced() == told
    assert surface.replaced() == []  # told once
