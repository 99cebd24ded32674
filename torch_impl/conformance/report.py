"""What a run prints: a table on the terminal, JUnit XML, Markdown.

table(result)    == one line a claim, one column a format
failures(result) == under each failure: input, observed, bound, ratio, likely cause, command
closing(result)  == the last line
junit(record), summary(record) == for CI, from the record alone
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .result import FAILING, Check, ConformanceResult

SYMBOLS = {
    "passed": "✓", "failed": "✗", "xfailed": "x", "xpassed": "X", "skipped": "–", "error": "!",
}  # fmt: skip
LEGEND = "✓ holds, worst error/bound   ✗ fails   x expected   X unexpected   – skipped   ! error"
_SHORT = {"float64": "f64", "float32": "f32", "bfloat16": "bf16", "float16": "f16"}


def table(result: ConformanceResult) -> str:
    """One line for each claim: its outcome in each format, and the worst ratio."""
    dtypes = list(dict.fromkeys(c.dtype for c in result.checks))
    claims = list(dict.fromkeys(c.claim for c in result.checks))
    by = {(c.claim, c.dtype): c for c in result.checks}
    wide = max((len(c) for c in claims), default=0)
    lines = [f"{result.target}  against  {result.contract}", ""]
    lines.append(" " * (wide + 4) + "".join(f"{_SHORT.get(d, d):10}" for d in dtypes).rstrip())
    for claim in claims:
        cells = "".join(f"{_cell(by.get((claim, d))):10}" for d in dtypes)
        lines.append(f"  {claim:{wide}}  {cells}".rstrip())
    return "\n".join([*lines, "", LEGEND])


def _cell(check: Check | None) -> str:
    if check is None:
        return ""
    mark = SYMBOLS[check.outcome]
    if check.outcome != "passed" or check.ratio is None or check.ratio < _VISIBLE:
        return mark
    return f"{mark} {check.ratio:.2g}"


def failures(result: ConformanceResult) -> str:
    """What failed, with all that it takes to see it again."""
    return "\n\n".join("\n".join(complaint(c.to_json())) for c in result.failures)


def complaint(check: Mapping[str, Any]) -> list[str]:
    """One failure, from its record."""
    lines = [f"{check['claim']} in {check['dtype']}: {check['outcome']}"]
    if check["diagnosis"]:
        lines.append(f"  {check['diagnosis']}")
    if check["bound"] is not None:
        lines.append(
            f"  observed {_shown(check['observed'])}, bound {_shown(check['bound'])}, "
            f"ratio {_shown(check['ratio'])}"
        )
    if check["input"]:
        shown = {name: x for name, x in check["input"].items() if name != "call"}
        lines += [f"  {name} = {_array(x)}" for name, x in shown.items()]
        lines += [f"  {k}: {v}" for k, v in check["input"].get("call", {}).items()]
    if check["stratum"]:
        lines.append(f"  stratum: {check['stratum']}")
    if check["reproduce"]:
        lines.append(f"  reproduce: {check['reproduce']}")
    return lines


def _shown(x: Any) -> str:
    return f"{x:.3g}" if isinstance(x, float | int) else str(x)


_LONG = 400
_VISIBLE = 1e-4


def _array(x: Any) -> str:
    """Numbers in decimal where that is exact and short, else in hex."""
    if isinstance(x, list):
        text = f"[{', '.join(map(_array, x))}]"
        return text if len(text) <= _LONG else f"{text[:_LONG]} …"
    value = float.fromhex(x)
    return f"{value:g}" if float(f"{value:g}") == value else x


def counts(summary: Mapping[str, int]) -> str:
    """``24 passed, 2 failed``."""
    return ", ".join(f"{n} {word}" for word, n in summary.items() if word != "checks")


def closing(result: ConformanceResult) -> str:
    """Ranges, strata, and whether the target conforms."""
    record = result.to_record()
    lines = [f"  {r}" for r in result.ranges]
    if lines:
        lines = ["beyond the domain, as measured:", *lines, ""]
    strata = dict.fromkeys(s for c in result.checks for s in c.strata)
    if strata:
        lines += [f"strata: {', '.join(strata)}", ""]
    verdict = "conforms" if result.ok else "does not conform"
    if not result.complete:
        verdict = "was not checked to the end: the time was over"
    lines.append(f"{result.target} {verdict}: {counts(record['summary'])} ({result.seconds:.1f} s)")
    return "\n".join(lines)


def junit(record: Mapping[str, Any]) -> str:
    """JUnit XML: a test case for each claim and format."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    checks = record["checks"]
    root = Element("testsuites", name="deltaproof")
    suite = SubElement(
        root,
        "testsuite",
        name=f"deltaproof conform {record['contract']}",
        tests=str(len(checks)),
        failures=str(sum(c["outcome"] in ("failed", "xpassed") for c in checks)),
        errors=str(sum(c["outcome"] == "error" for c in checks) + (not record["complete"])),
        skipped=str(sum(c["outcome"] in ("skipped", "xfailed") for c in checks)),
        time=str(record["timings"]["seconds"]),
    )
    for check in checks:
        case = SubElement(
            suite,
            "testcase",
            classname=record["target"],
            name=f"{check['claim']}[{check['dtype']}]",
        )
        text = _printable("\n".join(complaint(check)))
        if check["outcome"] in FAILING:
            tag = "error" if check["outcome"] == "error" else "failure"
            problem = SubElement(case, tag, message=_printable(check["diagnosis"] or "failed"))
            problem.text = text
        elif check["outcome"] in ("skipped", "xfailed"):
            SubElement(case, "skipped", message=_printable(check["diagnosis"]))
    if not record["complete"]:
        case = SubElement(suite, "testcase", classname=record["target"], name="complete")
        SubElement(case, "error", message="the time was over before every check was made")
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def summary(record: Mapping[str, Any]) -> str:
    """Markdown for a CI job page."""
    checks = record["checks"]
    dtypes = list(dict.fromkeys(c["dtype"] for c in checks))
    by = {(c["claim"], c["dtype"]): c for c in checks}
    told = counts(record["summary"]) + ("" if record["complete"] else ", not complete")
    lines = [f"## `{record['target']}` against `{record['contract']}`: {told}", ""]
    lines += _rows([["claim", *dtypes], ["---"] * (len(dtypes) + 1)])
    for claim in dict.fromkeys(c["claim"] for c in checks):
        cells = [SYMBOLS[by[claim, d]["outcome"]] if (claim, d) in by else "" for d in dtypes]
        lines += _rows([[f"`{claim}`", *cells]])
    lines += ["", LEGEND, ""]
    for check in checks:
        if check["outcome"] in FAILING:
            lines += ["```text", *complaint(check), "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def _rows(rows: Iterable[Sequence[str]]) -> list[str]:
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]


def _printable(text: str) -> str:
    return "".join(c for c in text if c.isprintable() or c in "\n\t")
