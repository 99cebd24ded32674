"""The report: complete, escaped, without network, the same every time."""

import base64
import copy
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from deltaproof.proofs.report import render
from deltaproof.proofs.report.content import scope_text, value_latex
from deltaproof.proofs.report.html import mathml

VOID = {"wbr", "meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Tags in order, the text, and whether every tag that opens also closes."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("format", ["html", "md"])
def test_what_has_changed_since_is_said(good: dict[str, Any], format: str) -> None:
    told = "stale: title of this claim changed since this run; verify it again"
    text = render(good, format, {"sample.proved": told})
    assert text.count(told) == 1
    assert "1 stale: changed since this run" in text
    assert "stale" not in render(good, format)


@pytest.mark.parametrize("format", ["html", "md"])
def test_a_run_with_an_accepted_mutant_is_not_good(good: dict[str, Any], format: str) -> None:
    good["claims"][0]["mutants"][0] |= {"kind": "certificate", "rejected": False}
    text = render(good, format)
    assert "1 false mutants accepted" in text
    assert "a false statement was accepted: Sᵀ = S instead" in text
    if format == "html":
        assert 'class="lead bad"' in text


@pytest.mark.parametrize("format", ["html", "md"])
def test_the_same_record_gives_the_same_bytes(bad: dict[str, Any], format: str) -> None:
    again = json.loads(json.dumps(bad))
    again["timings"] = {}
    assert render(bad, format) == render(again, format)


def test_every_section_is_there(bad: dict[str, Any]) -> None:
    page = Page(render(bad, "html"))
    assert not page.open
    for told in (
        "sample.proved", "PAPER Thm 1", "as the source says it", "PAPER §2 (retold)",
        "for all", "with", "if", "then", "The hypotheses can be met", "Derivation",
        "skew: the hypothesis Sᵀ = −S", "2 terms, multiplied out by the checker",
        "rules: norm_squares", "Theorem claim_sample_proved", "axioms assumed: none",
        "Counterexample", "left", "right", "all sizes and values",
        "n from 1 to 3; digits 15, 50, 200", "Mutants", "Reproduce",
        "deltaproof verify sample.failing --catalogue 'my catalogue.py'", "Repaired by",
        "inconsistent, expected proved: certificate proved it, enclosure contradicts it",
    ):  # fmt: skip
        assert told in page.text, told
    headings = [tag for tag, _ in page.tags if tag in ("h1", "h2", "h3", "h4")]
    assert headings[:3] == ["h1", "h2", "h3"]
    assert sum(tag == "math" for tag, _ in page.tags) > 10
    markdown = render(bad, "md")
    for told in ("#### Derivation", "#### Certificate", "#### Rocq", "#### Counterexample",
                 "#### Evidence", "#### Mutants", "#### Reproduce", r"$P = I - S$"):  # fmt: skip
        assert told in markdown


def test_links_lead_somewhere(bad: dict[str, Any]) -> None:
    bad["claims"][2]["repaired_by"] = "not.in_this_record"
    page = Page(render(bad, "html"))
    ids = [a["id"] for _, a in page.tags if "id" in a]
    assert len(ids) == len(set(ids))
    links = [a["href"] for tag, a in page.tags if tag == "a"]
    assert links
    for link in links:
        assert link is not None
        assert link[1:] in ids


def test_nothing_is_fetched_and_nothing_runs(bad: dict[str, Any]) -> None:
    text = render(bad, "html")
    page = Page(text)
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object"}
    for _, attributes in page.tags:
        assert not {k for k in attributes if k.startswith("on") or k in ("src", "style")}
    (policy,) = (a["content"] for t, a in page.tags if a.get("http-equiv"))
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    assert "url(" not in style[1]
    hashed = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{hashed}'"


def test_whatever_a_record_says_is_text(bad: dict[str, Any]) -> None:
    attack = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    record = copy.deepcopy(bad)

    def poison(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: poison(v) for k, v in value.items()}
        if isinstance(value, list):
            return [poison(v) for v in value]
        return value + attack if isinstance(value, str) else value

    kept = ("id", "family", "expected", "verdict", "status", "repaired_by", "repairs", "attached")
    for claim in record["claims"]:
        for key, value in claim.items():
            if key not in kept:
                claim[key] = poison(value)
        for evidence, original in zip(claim["evidence"], bad["claims"][
            record["claims"].index(claim)]["evidence"], strict=True):  # fmt: skip
            evidence["kind"], evidence["outcome"] = original["kind"], original["outcome"]
        for mutant in claim["mutants"]:
            mutant["kind"] = "ladder"
    page = Page(render(record, "html"))
    assert not [t for t, a in page.tags if t in ("script", "img") or "onerror" in a]
    assert "alert(1)" in page.text
    # in Markdown, what stands in code is text already
    outside = re.sub(r"```.*?```|`[^`]*`", "", render(record, "md"), flags=re.DOTALL)
    assert re.findall(r".{30}(?<!\\)<(?:script|img)", outside) == []
    assert "alert(1)" in outside


def test_a_formula_that_cannot_be_converted_is_shown_as_it_is() -> None:
    assert "<math" in mathml(r"A^{\top}\,A = I")
    assert str(mathml(r"<b>\left(")) == r"<code>&lt;b&gt;\left(</code>"


@pytest.mark.parametrize(
    "latex", [r"\text{<script>alert(1)</script>}", r"\text{<b onclick='x'>}", r"\text{</math>}<p>"]
)
def test_markup_in_a_formula_is_text(latex: str) -> None:
    page = Page(str(mathml(latex)))
    assert not {tag for tag, _ in page.tags} & {"script", "b", "p"}


def test_every_statement_of_the_ledger_becomes_mathml() -> None:
    from deltaproof.proofs.catalogue import ENTRIES
    from deltaproof.proofs.record import statement_latex

    for entry in ENTRIES:
        converted = mathml(statement_latex(entry.claim))
        assert converted.startswith("<math")
        # a command that the converter does not know comes out with its backslash
        assert "\\" not in converted, entry.claim.id


def test_exact_values_become_formulas() -> None:
    assert value_latex("-3/4") == r"-\frac{3}{4}"
    assert value_latex([["1", "0"], ["1/2", "-1"]]) == (
        r"\begin{bmatrix} 1 & 0 \\ \frac{1}{2} & -1 \end{bmatrix}"
    )
    assert value_latex("γ ↦ min(γ, 1 − γ)") is None
    assert value_latex([["√(2)"]]) is None


def test_scopes_in_words() -> None:
    assert scope_text("all") == "all sizes and values"
    told = scope_text({"sizes": [{"d": 1, "m": 2}, {"d": 5, "m": 2}], "dtypes": ["float32"]})
    assert told == "sizes d from 1 to 5, m = 2; dtypes float32"


def test_the_style_is_for_narrow_screens_and_the_dark(tmp_path: Path) -> None:
    style = (Path(render.__globals__["__file__"]).parent / "templates/report.css").read_text()
    for rule in ("prefers-color-scheme: dark", "max-width: 36rem", "overflow-x: auto"):
        assert rule in style
