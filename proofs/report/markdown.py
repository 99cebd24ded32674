"""The report as Markdown, with formulas between dollar signs.

markdown(record) == the text

Formulas stay out of tables, where the bars of a norm would end a cell.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from typing import Any

from ...symbolic.proof_lines import LEADS, why
from ..record import counts
from .content import families, rocq_note, skipped
from .sources import Origin


def markdown(record: Mapping[str, Any], stale: Mapping[str, str]) -> str:
    """The report of `record`; `stale` says what has changed since, by claim."""
    lines = ["# deltaproof report", "", f"**{counts(record)}.**", ""]
    if stale:
        lines += [f"**{len(stale)} stale: changed since this run.**", ""]
    lines += _table(
        ("claim", "verdict", "expected", "source"),
        [
            (f"[{_code(c['id'])}](#{_anchor(c['id'])})", c["verdict"], c["expected"],
             _escaped(c["source"]))
            for c in record["claims"]
        ],
    )  # fmt: skip
    for row in skipped(record):
        lines += ["", f"Skipped, for {len(row['claims'])} claims: {row['kind']}, "
                  + _escaped(row["reason"])]  # fmt: skip
    here = {claim["id"] for claim in record["claims"]}
    for family, claims in families(record, stale):
        lines += ["", f"## {_escaped(family)}"]
        for claim in claims:
            lines += ["", *_claim(claim, here)]
    return "\n".join(lines).rstrip() + "\n"


def _source(origin: Origin) -> str:
    where = f"{origin.label} {origin.place}".strip()
    return f"{where} ({origin.how})" if where else origin.how


def _claim(claim: Mapping[str, Any], here: Container[str]) -> list[str]:
    reading = claim["reading"]
    lines = [
        f"### {_escaped(claim['id'])}",
        "",
        f"{_escaped(claim['title'])}: **{claim['verdict']}**",
    ]
    if claim["status"] != "as_expected":
        lines += ["", f"> {claim['word']}: {_escaped(claim['note'])}"]
    if claim["lacking"]:
        lines += ["", f"> required evidence is missing: {_escaped(claim['lacking'])}"]
    for name in claim["accepted"]:
        lines += ["", f"> a false statement was accepted: {_escaped(name)}"]
    if claim["stale"]:
        lines += ["", f"> {_escaped(claim['stale'])}"]
    lines += ["", f"Source: {_escaped(_source(claim['origin']))}"]
    repaired_by = [claim["repaired_by"]] if claim["repaired_by"] else []
    lines += _ids("True instead", repaired_by, here)
    lines += _ids("Repairs", claim["repairs"], here)
    lines += _ids("Rests on", claim["depends_on"], here)
    lines += ["", "#### Statement", ""]
    if reading["symbols"]:
        lines += ["For all " + _listed(reading["symbols"]), ""]
    if reading["definitions"]:
        lines += ["With " + _listed(reading["definitions"]), ""]
    if reading["hypotheses"]:
        lines += [
            "If",
            "",
            *(f"{i}. {_formula(h['latex'])}" for i, h in enumerate(reading["hypotheses"], 1)),
            "",
            "then",
            "",
        ]
    lines += ["$$", _formula(reading["conclusion"]["latex"])[1:-1], "$$"]
    if claim["witness"] and reading["hypotheses"]:
        lines += ["", "The hypotheses can be met: " + _values(claim["witness"])]
    if claim["steps"]:
        lines += ["", "#### Derivation", "", *_steps(claim["steps"])]
    if claim["certificate"]:
        lines += ["", "#### Certificate", "", *_certificate(claim)]
    if claim["rocq"]:
        lines += ["", "#### Rocq", "", *_block("coq", claim["rocq"]["statement"]), ""]
        lines += [_escaped(rocq_note(claim["rocq"]))]
    if claim["counterexample"]:
        found = claim["counterexample"]
        lines += ["", "#### Counterexample", "", f"At {_values(found)}"]
        if found["sides"]:
            lines[-1] += ":"
            lines += ["", *(f"- {s['name']} side: {_value(s)}" for s in found["sides"])]
    if claim["counterproof"]:
        lines += ["", "#### Counterproof", "", *_steps(claim["counterproof"])]
    lines += ["", "#### Evidence", ""]
    lines += _table(
        ("kind", "outcome", "looked at", "what was found"),
        [(r["kind"], r["outcome"], _escaped(r["scope"]), _escaped(r["detail"]))
         for r in claim["rows"]],
    )  # fmt: skip
    if claim["mutants"]:
        lines += ["", "#### Mutants", ""]
        lines += _table(
            ("mutant", "kind", "rejected"),
            [(_escaped(m["name"]), _escaped(m["kind"]), "yes" if m["rejected"] else "**no**")
             for m in claim["mutants"]],
        )  # fmt: skip
    return [*lines, "", "#### Reproduce", "", *_block("sh", claim["command"])]


def _certificate(claim: Mapping[str, Any]) -> list[str]:
    # a chain of formulas may be long: folded away until it is wanted
    certificate = claim["certificate"]
    lines = [f"<details><summary>{claim['terms']}</summary>", ""]
    lines += [f"- {_formula(line['latex'])}" for line in certificate.get("lines", ())]
    if certificate.get("rules"):
        lines += ["", f"Rules: {_escaped(', '.join(certificate['rules']))}"]
    return [*lines, "", "</details>"]


def _steps(steps: Iterable[Mapping[str, Any]]) -> list[str]:
    lines = []
    for step in steps:
        number = f"({step['number']})" if "number" in step else ""
        words = (number, LEADS[step["role"]], _formula(step["expression"]))
        reason = f" — {_escaped(why(step))}" if why(step) else ""
        lines.append(f"{'  ' * step['depth']}- {' '.join(filter(None, words))}{reason}")
    return lines


def _ids(label: str, ids: Iterable[str], here: Container[str]) -> list[str]:
    told = ", ".join(f"[{_code(i)}](#{_anchor(i)})" if i in here else _code(i) for i in ids)
    return ["", f"{label}: {told}"] if told else []


def _values(found: Mapping[str, Any]) -> str:
    return ", ".join(
        _formula(v["latex"]) if v["latex"] else _code(f"{v['name']} = {v['text']}")
        for v in found["values"]
    )


def _value(side: Mapping[str, Any]) -> str:
    return _formula(side["latex"]) if side["latex"] else _code(side["text"])


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    heads = list(heads)
    return ["| " + " | ".join(cells) + " |" for cells in (heads, ["---"] * len(heads), *rows)]


def _formula(latex: str) -> str:
    """A formula between dollar signs; nothing in it is markup or ends it."""
    for sign, command in (("<", r"\lt "), (">", r"\gt "), ("$", r"\text{S}"), ("`", "'")):
        latex = latex.replace(sign, command)
    return f"${' '.join(latex.split())}$"


def _listed(formulas: Iterable[Mapping[str, str]]) -> str:
    return ", ".join(_formula(f["latex"]) for f in formulas)


def _code(text: str) -> str:
    return f"`{' '.join(text.replace('`', chr(39)).split())}`"


def _block(language: str, text: str) -> list[str]:
    """A block of code, between fences longer than any in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", text, fence]


def _escaped(text: str) -> str:
    """`text` as words: nothing in it is markup."""
    return re.sub(r"([\\`*_\[\]<>|$#])", r"\\\1", text).replace("\n", " ")


def _anchor(claim_id: str) -> str:
    return re.sub(r"[^\w-]", "", claim_id.lower())
