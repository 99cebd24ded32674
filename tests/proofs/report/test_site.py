"""The site: complete, escaped, without network, the same every time."""

import base64
import copy
import hashlib
import json
import posixpath
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import html5lib
import pytest
from deltaproof.proofs.report import render, write
from deltaproof.proofs.report.content import scope_text, value_latex
from deltaproof.proofs.report.mathml import mathml
from deltaproof.proofs.report.site import cited, source_page

from .conftest import ATTACK
from .pages import Page, poisoned

# what pages are found by, and what the schema fixes
KEPT = {
    "id", "family", "expected", "verdict", "status", "repaired_by", "repairs", "depends_on", "kind",
    "attached",    "outcome", "schema", "tool", "kinds", "statement_hash", "scale", "shape",
    "role",
}  # fmt: skip


@pytest.fixture
def full(bad: dict[str, Any], picture: dict[str, Any]) -> dict[str, Any]:
    """The record of a run with a picture and an edge."""
    bad["pictures"] = [picture]
    bad["claims"][1]["depends_on"] = ["sample.proved"]
    return bad


@pytest.fixture
def pages(full: dict[str, Any], conformance: dict[str, Any]) -> dict[str, str]:
    """The site of the full record."""
    return render(full, "html", [conformance])


def html_pages(pages: dict[str, str]) -> dict[str, Page]:
    return {name: Page(text) for name, text in pages.items() if name.endswith(".html")}


@pytest.mark.parametrize("format", ["html", "md", "tex"])
def test_the_same_record_gives_the_same_bytes(full: dict[str, Any], format: str) -> None:
    again = json.loads(json.dumps(full))
    again["timings"] = {}
    assert render(full, format) == render(again, format)


def test_an_unknown_format_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="docx"):
        render(bad, "docx")


def test_pages_there_are(pages: dict[str, str]) -> None:
    ids = ("sample.proved", "sample.refuted_reading", "sample.failing", "other.inconsistent",
           "other.undecided")  # fmt: skip
    assert set(pages) == {
        "index.html", "graph.html", "sources.html", "pictures.html", "conformance.html",
        source_page("PAPER"), source_page(""), "badge.json", "badge.svg",
        *(f"claims/{i}.html" for i in ids),
    }  # fmt: skip


def test_every_section_is_there(pages: dict[str, str]) -> None:
    proved = Page(pages["claims/sample.proved.html"])
    for told in (
        "sample.proved", "PAPER", "Thm 1", "as the source says it", "As proved", "for all", "with",
        "if", "then", "The hypotheses can be met", "Derivation",
        "skew: the hypothesis Sᵀ = −S", "2 terms, multiplied out by the checker",
        "rules: norm_squares", "Theorem claim_sample_proved", "axioms assumed: none",
        "all sizes and values", "n from 1 to 3; digits 15, 50, 200", "Mutants", "Reproduce",
        "deltaproof verify sample.proved --catalogue 'my catalogue.py'", "A picture",
    ):  # fmt: skip
        assert told in proved.text, told
    refuted = Page(pages["claims/sample.refuted_reading.html"])
    for told in ("retold", "As refuted", "Counterexample", "the left side is",
                 "the right side is", "True instead", "A proved claim with <markup>"):  # fmt: skip
        assert told in refuted.text, told
    assert "certificate proved it, enclosure contradicts it" in (
        Page(pages["claims/other.inconsistent.html"]).text
    )
    ledger = Page(pages["index.html"])
    for told in ("1 proved, 1 refuted, 3 open", "Not as expected", "Skipped",
                 "no operator is attached to this claim", "1 of 1 mutants rejected"):  # fmt: skip
        assert told in ledger.text, told
    assert ledger.text.index("Skipped") < ledger.text.index("Claims and what each kind")


def test_a_conformance_page_shows_what_failed(pages: dict[str, str]) -> None:
    text = Page(pages["conformance.html"]).text
    for told in ("mine.ops:update", "ratio 16, bfloat16", "the factor 2 is missing",
                 "0x1.0p+1", "--replay case.json", "everywhere it was tried", "1.5",
                 "! error"):  # fmt: skip
        assert told in text, told
    assert "conformance.html" in pages["index.html"]


def test_without_pictures_and_conformance_no_page_and_no_link(good: dict[str, Any]) -> None:
    pages = render(good, "html")
    assert not {"conformance.html", "pictures.html"} & set(pages)
    assert "conformance.html" not in pages["index.html"]
    assert "Nothing: every kind" not in pages["index.html"]  # torch is skipped for want of one


def test_a_picture_that_was_not_measured_is_left_out(full: dict[str, Any]) -> None:
    full["pictures"] = [{"name": "sample", "claims": ["sample.proved"], "problem": "no"}]
    assert "pictures.html" not in render(full, "html")


def test_the_markup_is_without_errors(pages: dict[str, str]) -> None:
    for name, page in html_pages(pages).items():
        assert not page.open, name
        html5lib.HTMLParser(strict=True).parse(pages[name])
        ids = [a["id"] for _, a in page.tags if "id" in a]
        assert len(ids) == len(set(ids)), name
        assert [t for t, _ in page.tags].count("h1") == 1
        assert len(set(page.attributes("html", "lang"))) == 1


def test_links_lead_somewhere(pages: dict[str, str]) -> None:
    read = html_pages(pages)
    followed = 0
    for name, page in read.items():
        for link in page.attributes("a", "href"):
            path, _, place = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            target = target if path else name
            assert target in read, (name, link)
            # a filter of the ledger stands in the address too
            if place and "=" not in place:
                assert place in {a.get("id") for _, a in read[target].tags}, (name, link)
            if "=" in place:
                family = unquote(place.partition("=")[2])
                assert f'data-family="{family}"' in pages["index.html"]
            followed += 1
    assert followed > 50


def test_nothing_is_fetched_and_only_the_pages_own_script_runs(pages: dict[str, str]) -> None:
    for name, page in html_pages(pages).items():
        text = pages[name]
        assert not {tag for tag, _ in page.tags} & {"link", "img", "iframe", "object", "base"}
        for _, attributes in page.tags:
            assert not {k for k in attributes if k.startswith("on") or k in ("src", "style")}
        (policy,) = (
            a["content"] or ""
            for t, a in page.tags
            if a.get("http-equiv") == "Content-Security-Policy"
        )
        style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
        assert style is not None
        assert "url(" not in style[1]
        assert "@import" not in style[1]
        wanted = f"default-src 'none'; style-src 'sha256-{_hashed(style[1])}'"
        if script := re.search(r"<script>(.*?)</script>", text, re.DOTALL):
            wanted += f"; script-src 'sha256-{_hashed(script[1])}'"
        assert policy == wanted + "; base-uri 'none'; form-action 'none'"


def _hashed(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_whatever_a_record_says_is_text(full: dict[str, Any], conformance: dict[str, Any]) -> None:
    record = poisoned(full, ATTACK, KEPT)
    told = poisoned(conformance, ATTACK, {"outcome"})
    pages = render(record, "html", [told])
    for name, page in html_pages(pages).items():
        scripts = [t for t, _ in page.tags if t == "script"]
        assert len(scripts) == (name in ("index.html", "graph.html")), name
        assert not [t for t, a in page.tags if t == "img" or "onerror" in a], name
    assert sum("alert(1)" in p.text for p in html_pages(pages).values()) > 8
    assert "<img" not in pages["badge.svg"]
    # in Markdown, what stands in code is text already
    outside = re.sub(r"```.*?```|`[^`]*`", "", render(record, "md")["report.md"], flags=re.DOTALL)
    assert re.findall(r".{30}(?<!\\)<(?:script|img)", outside) == []
    assert "alert(1)" in outside


@pytest.mark.parametrize(
    "claim_id", ["../../outside", "/etc/passwd", "..", "a/b", "con.fused", "A.b", "a.b\n", "é.è",
                 "x" * 300, "a\\b", "index.html\0"],
)  # fmt: skip
def test_a_claim_id_cannot_leave_the_folder(
    good: dict[str, Any], tmp_path: Path, claim_id: str
) -> None:
    good["claims"][0]["id"] = claim_id
    out = tmp_path / "deep" / "site"
    write(good, out, ["html"])
    written = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert all(p.is_relative_to(out) for p in written)
    assert len([p for p in written if p.parent == out / "claims"]) == 2


def test_claims_with_like_ids_have_pages_of_their_own(good: dict[str, Any]) -> None:
    good["claims"][0]["id"], good["claims"][1]["id"] = "A.b", "a.B"
    names = [n.lower() for n in render(good, "html") if n.startswith("claims/")]
    assert len(set(names)) == 2


def test_an_old_record_without_pictures_is_reported_on(good: dict[str, Any]) -> None:
    del good["pictures"]
    assert "index.html" in render(good, "html")
    assert "pictures.html" not in render(good, "html")


@pytest.mark.parametrize("format", ["html", "md", "tex"])
def test_what_has_changed_since_is_said(good: dict[str, Any], format: str) -> None:
    told = "stale: title of this claim changed since this run; verify it again"
    text = "".join(render(good, format, (), {"sample.proved": told}).values())
    assert text.count(told) == 1
    assert "1 stale: changed since this run" in text
    assert "stale" not in "".join(render(good, format).values())


@pytest.mark.parametrize("format", ["html", "md", "tex"])
def test_a_run_with_an_accepted_mutant_is_not_good(good: dict[str, Any], format: str) -> None:
    good["claims"][0]["mutants"][0] |= {"kind": "certificate", "rejected": False}
    text = "".join(render(good, format).values()).lower()
    assert "1 false mutants accepted" in text
    assert "a false statement was accepted" in text
    if format == "html":
        assert 'class="lead bad"' in text


def test_the_number_of_a_line_is_a_link_to_it() -> None:
    assert cited("by (3), f(3) and (4) < 5", [3], "d") == (
        'by <a href="#d3">(3)</a>, f(3) and (4) &lt; 5'
    )


def test_a_formula_that_cannot_be_converted_is_shown_as_it_is() -> None:
    assert "<math" in mathml(r"A^{\top}\,A = I")
    assert str(mathml(r"<b>\left(")) == r"<code>&lt;b&gt;\left(</code>"


@pytest.mark.parametrize(
    "latex", [r"\text{<script>alert(1)</script>}", r"\text{<b onclick='x'>}", r"\text{</math>}<p>"]
)
def test_markup_in_a_formula_is_text(latex: str) -> None:
    page = Page(str(mathml(latex)))
    assert not {tag for tag, _ in page.tags} & {"script", "b", "p"}


def test_a_formula_is_written_without_what_browsers_assume() -> None:
    assert mathml(r"\left(x\right)^{2}") == (
        "<math><msup><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow><mn>2</mn></msup></math>"
    )
    # a fraction in a line needs no style, in a script it is small
    assert mathml(r"x^{\tfrac{1}{2}}\,y") == (
        "<math><mrow><msup><mi>x</mi><mfrac><mn>1</mn><mn>2</mn></mfrac></msup>"
        '<mspace width=".17em"/><mi>y</mi></mrow></math>'
    )
    # of a half-open interval the ends are no pair that stretches by itself
    assert 'stretchy="false"' in mathml("]x]")
    shown = "x^{2} + \\frac{1}{2} \\le \\left\\|A\\right\\|_F"
    assert "".join(ElementTree.fromstring(mathml(shown)).itertext()) == "x2+12≤‖A‖F"


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


def test_the_record_is_left_as_it_was(full: dict[str, Any], conformance: dict[str, Any]) -> None:
    before = copy.deepcopy(full)
    render(full, "html", [conformance])
    assert full == before


def test_pages_of_an_earlier_report_go_and_other_files_stay(
    good: dict[str, Any], full: dict[str, Any], tmp_path: Path
) -> None:
    write(full, tmp_path / "site", ["html"])
    (tmp_path / "outside.html").write_text("mine")
    kept = tmp_path / "site" / "mine.html"
    kept.write_text("mine")
    listed = tmp_path / "site" / ".deltaproof-html"
    listed.write_text(listed.read_text() + "../outside.html\n")
    before = {str(p.relative_to(tmp_path / "site")) for p in tmp_path.glob("site/**/*.html")}
    write(good, tmp_path / "site", ["html"])
    after = {str(p.relative_to(tmp_path / "site")) for p in tmp_path.glob("site/**/*.html")}
    assert after - {"mine.html"} == {n for n in render(good, "html") if n.endswith(".html")}
    assert before - after  # the longer report had pages that this one has not
    assert kept.read_text() == (tmp_path / "outside.html").read_text() == "mine"
