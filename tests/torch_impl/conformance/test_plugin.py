"""The pytest plugin on files of its own."""

import subprocess
import sys

import pytest

FAILING = """
import pytest


@pytest.mark.conforms("reflection", dtypes=("float32", "float16"))
def half_of_it():
    return lambda x, k: x - k.unsqueeze(-1) * (k.unsqueeze(-2) @ x)


@pytest.mark.conforms("reflection", dtypes=("float32",))
@pytest.mark.xfail(strict=False, reason="known")
def known():
    return lambda x, k: x


class TestInAClass:
    @pytest.mark.conforms("gate", dtypes=("float64",))
    def by_tanh():
        import torch

        return lambda z: 1 + torch.tanh(z / 2)


def test_unmarked():
    pass
"""


def run(folder, text, *options):
    (folder / "test_theirs.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, "test_theirs.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_one_item_for_each_claim_and_format(tmp_path, workers):
    done = run(tmp_path, FAILING, "-rA", *workers)
    assert done.returncode == 1, done.stdout + done.stderr
    for told in (
        "FAILED test_theirs.py::half_of_it::reflection.definition-float32",
        "FAILED test_theirs.py::half_of_it::delta.reflection-float16",
        "PASSED test_theirs.py::half_of_it::reflection.determinism-float16",
        "XFAIL test_theirs.py::known::reflection.definition-float32",
        "FAILED test_theirs.py::TestInAClass::by_tanh::gate.definition-float64",
        "PASSED test_theirs.py::test_unmarked",
        "the factor 2 is missing",
    ):
        assert told in done.stdout, told
    assert "ERROR" not in done.stdout


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        ('"reflexion"', "did you mean reflection"),
        ("", "takes the name of one contract"),
        ('"reflection", speed=1', "speed"),
    ],
)
def test_a_mark_that_names_no_contract(tmp_path, mark, words):
    text = f"import pytest\n\n@pytest.mark.conforms({mark})\ndef f():\n    return None\n"
    done = run(tmp_path, text)
    assert done.returncode == 2
    assert words in done.stdout


def test_the_plugin_alone_imports_nothing_heavy():
    code = (
        "import sys, deltaproof.torch_impl.conformance.pytest_plugin; "
        "print(*sorted(set(sys.modules) & {'torch', 'numpy', 'flint', 'hypothesis', 'sympy'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


MODULE = """
import pytest


@pytest.mark.conforms("residual_block", dtypes=("float32",), starts="beta=1")
def block():
    from torch import nn

    class Doubles(nn.Module):
        def forward(self, x):
            return 2 * x

    return Doubles
"""


def test_a_factory_of_modules(tmp_path):
    done = run(tmp_path, MODULE, "-rA")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "PASSED test_theirs.py::block::residual_block.causality-float32" in done.stdout
    assert "has no method force(**values)" in done.stdout
