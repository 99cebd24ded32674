"""What reaches a terminal: nothing that steers it, and nothing wider than it."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from deltaproof.proofs.catalogue.entry import Entry, Mutant
from deltaproof.proofs.cli import exit_code
from deltaproof.proofs.report.ci import summary
from deltaproof.proofs.runner import MutantResult, Result, Run
from deltaproof.proofs.terminal import (
    WIDTH,
    Paint,
    closing,
    failures,
    fit,
    listing,
    mutant_score,
    safe,
    show,
    table,
)
from deltaproof.symbolic import Claim, eq, scalar
from deltaproof.symbolic.claims import LONGEST_ID, ClaimError
from deltaproof.symbolic.evidence import Evidence, Kind, Outcome

PLAIN = Paint(False)
ATTACK = "\x1b[2J\x1b]0;t\x07\r\u202eabc\u2028\u2066\x9b31m\x00\ud800\x7f"
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2028\u2029"
                      "\u2066-\u2069\ud800-\udfff]")  # fmt: skip
x = scalar("x")


def run_of(claim: Claim) -> Run:
    evidence = (
        Evidence(Kind.CERTIFICATE, Outcome.INCONCLUSIVE, f"a{ATTACK}\nb"),
        Evidence(
            Kind.PROPERTY,
            Outcome.CONTRADICTED,
            ATTACK,
            data={"compared": ATTACK, "observed": ATTACK, "cause": "w" * 200},
        ),
    )
    kinds = tuple(e.kind for e in evidence)
    entry = Entry(claim, kinds, (Mutant(f"m{ATTACK}", claim),))
    missed = MutantResult(f"m{ATTACK}", Kind.PROPERTY, Outcome.CONFIRMED)
    return Run((Result(entry, evidence, None, (missed,), {"witness": 0.1}),))


def shown(run: Run) -> dict[str, str]:
    """Everything that is printed about a run, by the name of its function."""
    record = run.record()
    entries = [r.entry for r in run.results]
    (claim,) = record["claims"]
    sections = {"Certificate": f"line {ATTACK}\nnext"}
    return {
        "table": table(record, PLAIN),
        "failures": failures(record, PLAIN),
        "mutant_score": mutant_score(record, PLAIN),
        "closing": closing(record, PLAIN),
        "listing": listing([e.claim for e in entries], PLAIN),
        "show": show(entries[0], claim, sections, ("own.two",), PLAIN),
        "show without a run": show(entries[0], None, sections, (), PLAIN),
        "summary": summary(record),
    }


def test_the_attack_of_this_file_is_one() -> None:
    assert len(STEERING.findall(ATTACK)) == 11


def test_what_steers_a_terminal_is_spelled_out() -> None:
    assert not STEERING.findall(safe(ATTACK))
    assert safe("a\x1b[31m\u202eb") == "a\\x1b[31m\\u202eb"
    assert safe("a\nb") == "a\\nb"
    assert safe("a\nb", lines=True) == "a\nb"
    assert safe("‖Pᵀ x‖ ≤ γ\u2009–\tö") == "‖Pᵀ x‖ ≤ γ – ö"


@pytest.mark.parametrize("output", shown(run_of(Claim("a.b", then=eq(x, 1)))))
def test_no_output_is_steered(output: str) -> None:
    claim = Claim("own.one", title=f"t{ATTACK}\nu", source=f"s{ATTACK}", then=eq(x, 1))
    text = shown(run_of(claim))[output]
    assert not STEERING.findall(text), output


def test_a_title_cannot_pass_for_another_line() -> None:
    entry = run_of(Claim("own.one", title="t\nproved   own.two  all is well", then=eq(x, 1)))
    (line,) = listing([r.entry.claim for r in entry.results], PLAIN).splitlines()
    assert line.startswith("proved   own.one")


def test_a_text_cannot_end_its_block_in_the_summary() -> None:
    run = run_of(Claim("own.one", then=eq(x, 1)))
    (result,) = run.results
    breaking = replace(result.evidence[0], detail="```\n<h1>all is well</h1>\n````")
    text = summary(Run((replace(result, evidence=(breaking, result.evidence[1])),)).record())
    fences = [line for line in text.splitlines() if re.match("`{5,}", line)]
    assert fences == ["`````text", "`````"]


def test_errors_are_not_steered_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.py").write_text("raise ValueError('\\x1b[2Jgone\\n1 proved, as expected')")
    for command in (
        ["verify", "--catalogue", "bad.py"],
        ["verify", f"no{ATTACK[:4]}"],
        ["report", f"no{ATTACK[:4]}", "--out", "out"],
        ["verify", "--kind", f"no{ATTACK[:4]}"],
    ):
        assert exit_code(command) in (2, 5)
        printed = capsys.readouterr()
        assert not STEERING.findall(printed.err + printed.out), command
        assert "\n1 proved, as expected" not in printed.err


@pytest.mark.parametrize(("text", "width", "cut"), [
    ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abc…fg"), ("abcdefgh", 5, "ab…gh"), ("abc", 1, "…"),
])  # fmt: skip
def test_a_text_is_cut_in_its_middle(text: str, width: int, cut: str) -> None:
    assert fit(text, width) == cut


@pytest.mark.parametrize("claim_id", [
    "own." + "very_long_name_" * 9, "a_family_with_a_long_name_" * 5 + ".b", "own." + "w" * 60,
])  # fmt: skip
def test_nothing_is_wider_than_80_columns(claim_id: str) -> None:
    claim = Claim(claim_id, title="long " * 30 + "w" * 100, then=eq(x, 1))
    for output, text in shown(run_of(claim)).items():
        # ids that are data, and commands that are copied, stay whole
        kept = ("reproduce:", "proved   ", claim_id, "not in the last run")
        for line in text.splitlines():
            whole = output == "summary" or line.strip().startswith(kept)
            assert whole or len(line) <= WIDTH, (output, line)
    lines = table(run_of(claim).record(), PLAIN).splitlines()
    assert max(map(len, lines)) <= WIDTH


def test_a_row_is_one_line_or_two(bad: dict[str, Any]) -> None:
    rows = [line for line in table(bad, PLAIN).splitlines() if line.startswith("  ")]
    heads = 2
    assert len(rows) == heads + len(bad["claims"])


def test_an_id_is_the_name_of_a_file() -> None:
    assert Claim("a." + "b" * (LONGEST_ID - 2), then=eq(x, x))
    with pytest.raises(ClaimError, match=f"201 characters.*at most {LONGEST_ID}"):
        Claim("a." + "b" * (LONGEST_ID - 1), then=eq(x, x))
    for wrong in ("", "../x", "a b", "a\nb", "[x]", "a.b\n", "ä.b", "-a"):
        with pytest.raises(ClaimError, match="is not one"):
            Claim(wrong, then=eq(x, x))
