"""What users read, word for word. DELTAPROOF_UPDATE_GOLDEN=1 writes it anew, to be reviewed."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from deltaproof.proofs import terminal
from deltaproof.proofs.cli import exit_code
from deltaproof.proofs.report import render
from deltaproof.proofs.report.ci import junit, summary

GOLDEN = Path(__file__).parents[1] / "golden"
PLAIN = terminal.Paint(False)


def golden(name: str, text: str) -> None:
    """Compare with a file of tests/golden."""
    path = GOLDEN / name
    if os.environ.get("DELTAPROOF_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{name} differs; see the head of this file"


def verify_output(record: dict[str, Any]) -> str:
    record["timings"]["seconds"] = 1.5
    parts = [terminal.table(record, PLAIN), terminal.failures(record, PLAIN)]
    parts = [*filter(None, parts), ""]
    parts += [terminal.mutant_score(record, PLAIN), terminal.closing(record, PLAIN)]
    return "\n".join(parts) + "\n"


def test_verify_as_expected(good: dict[str, Any]) -> None:
    golden("verify_as_expected.txt", verify_output(good))


def test_verify_with_every_failure(bad: dict[str, Any]) -> None:
    text = verify_output(bad)
    golden("verify_failures.txt", text)
    for line in text.splitlines():
        assert len(line) <= 80 or line.lstrip().startswith("reproduce:")


def test_verify_in_colour(bad: dict[str, Any]) -> None:
    golden("verify_colours.txt", terminal.table(bad, terminal.Paint(True)) + "\n")


def test_summary(bad: dict[str, Any]) -> None:
    golden("summary.md", summary(bad))


def test_junit(bad: dict[str, Any]) -> None:
    bad["timings"]["seconds"] = 1.5
    golden("junit.xml", junit(bad))


def test_report_as_markdown_and_latex(bad: dict[str, Any]) -> None:
    golden("report.md", render(bad, "md")["report.md"])
    golden("report.tex", render(bad, "tex")["report.tex"])


@pytest.mark.parametrize("claim", ["sample.proved", "sample.refuted_reading", "other.inconsistent"])
def test_page_of_a_claim(bad: dict[str, Any], claim: str) -> None:
    golden(f"report_{claim}.html", shortened(render(bad, "html")[f"claims/{claim}.html"]))


@pytest.mark.parametrize("page", ["index", "graph", "sources"])
def test_page_of_a_site(bad: dict[str, Any], page: str) -> None:
    golden(f"report_{page}.html", shortened(render(bad, "html")[f"{page}.html"]))


def test_badge(bad: dict[str, Any]) -> None:
    pages = render(bad, "html")
    golden("badge.svg", pages["badge.svg"])
    golden("badge.json", pages["badge.json"])


def shortened(page: str) -> str:
    """A page without style and script, which have files of their own, and their hashes."""
    page = re.sub(r"<(style|script)>.*?</\1>", r"<\1>…</\1>", page, flags=re.DOTALL)
    return re.sub(r"sha256-[^']+", "sha256-…", page)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "verify",
        "diff",
        "list",
        "show",
        "report",
        "graph",
        "doctor",
        "bench",
        "conform",
        "reproduce",
        "zoo",
    ],
)
def test_help(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert exit_code([*command.split(), "--help"]) == 0
    golden(f"help_{command or 'command'}.txt", capsys.readouterr().out)


def test_contracts(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["list", "--contracts"]) == 0
    golden("list_contracts.txt", capsys.readouterr().out)
    assert exit_code(["show", "hybrid"]) == 0
    golden("show_hybrid.txt", capsys.readouterr().out)


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["list"]) == 0
    text = capsys.readouterr().out
    golden("list.txt", text)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    "claim", ["cayley.orthogonal", "gate.zero_gradient_without_smoothness_reading"]
)
def test_show(
    claim: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("DELTAPROOF_CACHE", str(tmp_path))
    assert exit_code(["show", claim]) == 0
    golden(f"show_{claim}.txt", capsys.readouterr().out)
