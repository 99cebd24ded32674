"""Spoil one thing at a time, and `verify` must exit 1 and name the kind that said so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import deltaproof.symbolic
import pytest
from deltaproof.proofs import verify
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.symbolic.evidence import Kind
from deltaproof.symbolic.expressions import IndexSymbol
from deltaproof.symbolic.propositions import TendsTo, atoms

ROOT = Path(deltaproof.symbolic.__file__).parent.parent
LAYERS = ("symbolic", "numeric", "torch_impl", "proofs")
KERNEL = [
    pytest.mark.kernel,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc not found"),
]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package that can be spoiled."""
    package = tmp_path / "copy" / "deltaproof"
    for layer in LAYERS:
        shutil.copytree(ROOT / layer, package / layer, ignore=shutil.ignore_patterns("*.pyc"))
    (package / "__init__.py").touch()
    return package


def run(package: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`deltaproof` from the copy, with an empty cache."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(package.parent),
        "DELTAPROOF_CACHE": str(package.parent / "cache"),
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }
    code = "import deltaproof.proofs.cli as cli; print(cli.__file__); cli.main()"
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True, text=True, env=environment, cwd=package.parent,
    )  # fmt: skip
    assert str(package) in ran.stdout.splitlines()[0], "the copy was not what ran"
    return ran


def changed(path: Path, old: str, new: str) -> None:
    """Replace the one occurrence of `old` in a file."""
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (path, old, text.count(old))
    path.write_text(text.replace(old, new), "utf-8")


def drop_a_term(package: Path) -> None:
    path = package / "proofs/certificates/cayley.orthogonal.json"
    certificate = json.loads(path.read_text("utf-8"))
    steps = [step for branch in certificate["branches"] for step in branch if step.get("terms")]
    steps[-1]["terms"].pop()
    path.write_text(json.dumps(certificate), "utf-8")


def admit(package: Path) -> None:
    path = package / "proofs/rocq/cayley.v"
    text = path.read_text("utf-8")
    start = text.index("Lemma orthogonal ")
    proof, end = text.index("Proof.", start), text.index("Qed.", start)
    path.write_text(text[:proof] + "Proof.\nAdmitted." + text[end + len("Qed.") :], "utf-8")


SPOILT: dict[str, tuple[str, str, Callable[[Path], None]]] = {
    "sign of the delta operator": (
        "delta.eigenvalue_along_k",
        "torch",
        lambda p: changed(p / "torch_impl/delta.py", ", -beta[", ", beta["),
    ),
    "transposed Cayley rotation": (
        "cayley.orthogonal",
        "torch",
        lambda p: changed(
            p / "torch_impl/cayley.py",
            "torch.linalg.solve(eye + working, eye - working)",
            "torch.linalg.solve(eye - working, eye + working)",
        ),
    ),
    "factor of the regulariser": (
        "gate.regulariser_profile",
        "torch",
        lambda p: changed(p / "torch_impl/gate.py", "(4 * gamma)", "(2 * gamma)"),
    ),
    "a term of a certificate dropped": ("cayley.orthogonal", "certificate", drop_a_term),
    "a step of a derivation": (
        "delta.eigenvalue_along_k",
        "derivation",
        lambda p: changed(
            p / "proofs/catalogue/delta.py",
            'step(k - beta * k, "the direction has length 1", unit)',
            'step(k + beta * k, "the direction has length 1", unit)',
        ),
    ),
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_is_spoilt_is_named(name: str, copy: Path) -> None:
    claim, kind, spoil = SPOILT[name]
    assert run(copy, "verify", claim, "--kind", kind).returncode == 0
    spoil(copy)
    ran = run(copy, "verify", claim, "--kind", kind)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert kind in ran.stdout


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(admit, id="Admitted", marks=KERNEL),
        pytest.param(
            lambda p: changed(
                p / "proofs/rocq/cayley.v",
                "Lemma orthogonal S : S^T = - S ->",
                "Lemma orthogonal S : S^T = - S -> S = 0 ->",
            ),
            id="changed statement",
            marks=KERNEL,
        ),
    ],
)
def test_a_spoilt_lemma_is_named(spoil: Callable[[Path], None], copy: Path) -> None:
    spoil(copy)
    ran = run(copy, "verify", "cayley.orthogonal", "--kind", "kernel")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "kernel" in ran.stdout


MUTANTS = [
    pytest.param(entry, mutant, id=f"{entry.claim.id}: {mutant.name}")
    for entry in ENTRIES
    for mutant in entry.mutants
    if entry.claim.expected == "proved" and not mutant.stays_true
]


@pytest.mark.parametrize(("entry", "mutant"), MUTANTS)
def test_a_changed_statement_is_contradicted_by_name(entry, mutant, tmp_path) -> None:
    # a witness is one of the hypotheses that it was made for
    witness = entry.witness if mutant.claim.given == entry.claim.given else None
    spoilt = replace(entry, claim=mutant.claim, mutants=(), witness=witness)
    kinds = [k for k in entry.kinds if k not in (Kind.KERNEL, Kind.TORCH)]
    outcome = verify(spoilt, kinds=kinds, cache=tmp_path)
    assert outcome.exit_code() == 1, str(outcome.results[0])
    result = outcome.results[0]
    assert result.verdict != "proved"
    # no finite number of terms contradicts a limit; its derivation closes no more
    said = "inconclusive" if of_limits(mutant.claim.then) else "contradicted"
    assert said in str(result), str(result)


def of_limits(statement) -> bool:
    limits = (atom for atom in atoms(statement) if isinstance(atom, TendsTo))
    return any(isinstance(limit.variable, IndexSymbol) for limit in limits)
