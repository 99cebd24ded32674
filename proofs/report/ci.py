"""A run for continuous integration: JUnit XML, and Markdown for the page of a job.

junit(record)   == JUnit XML: a suite a claim, a case for its verdict and for each kind of evidence
summary(record) == Markdown: the counts, what failed, what was skipped, the table

What a case of a kind says: `failure` where the evidence keeps the claim from its expected verdict,
`error` where the check stopped, `skipped` where it was not run or decided nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..record import (
    LEGEND,
    complaints,
    counts,
    reproduce,
    speaks_against,
    standing_of,
    status_word,
    symbol,
)
from .content import skipped

_COUNTED = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def junit(record: Mapping[str, Any]) -> str:
    """JUnit XML of a record."""
    total = Element("testsuites", name="deltaproof", time=str(record["timings"]["seconds"]))
    for claim in record["claims"]:
        suite = SubElement(total, "testsuite", name=_printable(claim["id"]))
        seconds = record["timings"]["claims"].get(claim["id"], {})
        _verdict_case(suite, claim, record, seconds)
        for evidence in claim["evidence"]:
            _kind_case(suite, claim, evidence, record, seconds)
        _count(suite, suite, f"{sum(seconds.values()):.4f}")
    _count(total, total, total.attrib["time"])
    indent(total)
    return tostring(total, encoding="unicode", xml_declaration=True) + "\n"


def _count(node: Element, holder: Element, seconds: str) -> None:
    cases = list(holder.iter("testcase"))
    node.set("tests", str(len(cases)))
    for tag, name in _COUNTED.items():
        node.set(name, str(sum(case.find(tag) is not None for case in cases)))
    node.set("time", seconds)


def _case(
    suite: Element, claim: Mapping[str, Any], name: str, seconds: float, problem: str, said: str
) -> Element:
    """One case; `problem` is the tag of what is wrong with it, or empty, and `said` the words."""
    case = SubElement(
        suite,
        "testcase",
        classname=_printable(claim["id"]),
        name=name,
        file=_printable(claim["location"]["file"]),
        line=str(claim["location"]["line"]),
        time=f"{seconds:.4f}",
    )
    if problem:
        element = SubElement(case, problem, message=_printable(said.splitlines()[0]))
        if problem != "skipped":
            element.text = _printable(said)
    else:
        SubElement(case, "system-out").text = _printable(said)
    return case


def _verdict_case(
    suite: Element,
    claim: Mapping[str, Any],
    record: Mapping[str, Any],
    seconds: Mapping[str, float],
) -> None:
    problems = complaints(claim, record["summary"])
    tag = _tag(claim, record["summary"])
    said = "\n".join(problems) or f"{claim['verdict']}, as expected: {claim['title']}"
    _case(suite, claim, "verdict", seconds.get("witness", 0.0), tag, said)


def _tag(claim: Mapping[str, Any], summary: Mapping[str, Any]) -> str:
    """error, failure, skipped, or nothing: a run is red here where its exit code is not 0."""
    stands = standing_of(claim, summary)
    if stands == "passes":
        return ""
    if stands == "undecided" and not summary["strict"]:
        return "skipped"
    return "error" if claim["status"] == "error" else "failure"


def _kind_case(
    suite: Element,
    claim: Mapping[str, Any],
    evidence: Mapping[str, Any],
    record: Mapping[str, Any],
    seconds: Mapping[str, float],
) -> None:
    kind, outcome = evidence["kind"], evidence["outcome"]
    said = f"{outcome}: {evidence['detail']}"
    tag = ""
    failing = _tag(claim, record["summary"]) in ("failure", "error")
    if failing and (outcome == "error" or speaks_against(claim, evidence)):
        tag = "error" if outcome == "error" else "failure"
        said += f"\nreproduce: {reproduce(claim, record['summary'], kind)}"
    elif outcome in ("skipped", "inconclusive"):
        tag = "skipped"
    _case(suite, claim, kind, seconds.get(kind, 0.0), tag, said)


def _printable(text: str) -> str:
    """`text` without control characters, which XML forbids and which steer terminals."""
    return "".join(c for c in text if c.isprintable() or c in "\n\t")


# ---------------------------------------------------------------- Markdown


def summary(record: Mapping[str, Any]) -> str:
    """The run as Markdown for the page of a CI job."""
    lines = [f"## deltaproof: {counts(record)}", ""]
    for claim in record["claims"]:
        if problems := complaints(claim, record["summary"]):
            told = _printable("\n".join(problems))
            # longer than any that the text has, so that nothing in it ends the block
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", told)), default=0))
            lines += [f"### `{_code(claim['id'])}`", "", f"{fence}text", told, fence, ""]
    for row in skipped(record):
        claims = f"{len(row['claims'])} {'claim' if len(row['claims']) == 1 else 'claims'}"
        lines += [f"- skipped {row['kind']} of {claims}: `{_code(row['reason'])}`"]
    if lines[-1]:
        lines += [""]
    kinds = [k for k in record["summary"]["kinds"] if k in record["summary"]["evidence"]]
    lines += [f"<details><summary>{len(record['claims'])} claims</summary>", ""]
    lines += _row(["claim", "verdict", *kinds]) + _row(["---"] * (len(kinds) + 2))
    for claim in record["claims"]:
        cells = {e["kind"]: symbol(e) for e in claim["evidence"]}
        verdict = claim["verdict"]
        if claim["status"] != "as_expected":
            verdict = f"**{verdict}** ({status_word(claim)})"
        lines += _row([f"`{_code(claim['id'])}`", verdict, *(cells.get(k, "") for k in kinds)])
    return "\n".join([*lines, "", LEGEND, "", "</details>"]) + "\n"


def _code(text: str) -> str:
    """`text` in one line that may stand between backticks."""
    return " ".join(text.replace("`", "'").split())


def _row(cells: Iterable[str]) -> list[str]:
    return ["| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |"]
