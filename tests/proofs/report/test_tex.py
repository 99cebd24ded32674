r"""The document: words and formulas do nothing but stand there, and latexmk compiles it."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.proofs.record import statement_latex
from deltaproof.proofs.report import render, write
from deltaproof.proofs.report.tex_text import code, formula, inline, is_formula, words
from deltaproof.proofs.runner import MissingTool

from .conftest import ATTACK
from .pages import poisoned
from .test_site import KEPT

LATEX = ATTACK + r" \input{/etc/passwd} \write18{id} $ % # & ~ ^^41 \end{document}"


def test_words_are_ascii_and_inert() -> None:
    assert words("50% of $x_1 & y# {z} \\cmd ~^") == (
        r"50\% of \$x\_1 \& y\# \{z\} \textbackslash{}cmd \textasciitilde{}\textasciicircum{}"
    )
    assert words("Sᵀ = −S, β ≤ ½, σ̂") == (
        r"S\ensuremath{^{\top}} = \ensuremath{-}S, \ensuremath{\beta} \ensuremath{\leq} "
        r"\textonehalf{}, \ensuremath{\hat{\sigma}}"
    )
    assert words("é 漢 \x00") == "e [U+6F22]  "
    assert code("  a --b") == r"\noindent\texttt{~~a -{}-b}\par"


@pytest.mark.parametrize(
    "latex",
    [r"\input{x}", r"\write18{id}", "a $ b", "a % b", "a # b", "^^5cinput", r"\begin{document}",
     r"\begin{bmatrix} 1", "a & b", "}{", "{", r"\left( a", r"\csname x\endcsname", "a\\"],
)  # fmt: skip
def test_what_is_more_than_a_formula_is_words(latex: str) -> None:
    assert not is_formula(latex)
    assert formula(latex) == rf"\texttt{{{words(latex)}}}"
    assert inline(latex) == rf"\texttt{{{words(latex)}}}"


def test_every_statement_of_the_ledger_is_a_formula() -> None:
    for entry in ENTRIES:
        assert is_formula(statement_latex(entry.claim)), entry.claim.id


def test_the_document_holds_no_command_of_a_record(bad: dict[str, Any]) -> None:
    text = render(poisoned(bad, LATEX, KEPT), "tex")["report.tex"]
    assert text.isascii()
    for command in (r"\input{/", r"\write18"):
        assert command not in text
    assert text.count(r"\end{document}") == 1


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("latexmk") is None, reason="latexmk not found")
def test_the_document_compiles_whatever_a_record_says(bad: dict[str, Any], tmp_path: Path) -> None:
    for name, record in (("plain", bad), ("attack", poisoned(bad, LATEX, KEPT))):
        (made,) = write(record, tmp_path / name, ["pdf"])
        first = made.read_bytes()
        assert first.startswith(b"%PDF")
        write(record, tmp_path / name, ["pdf"])
        assert made.read_bytes() == first


def test_without_latexmk_nothing_is_written(
    bad: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(MissingTool, match="latexmk"):
        write(bad, tmp_path, ["html", "pdf"])
    assert list(tmp_path.iterdir()) == []
