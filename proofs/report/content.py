"""What a report says, whatever its format: the record, arranged for readers.

families(record)     == the claims by family, in order
view(claim, record)  == one claim: sections that it has, in the order they are read
skipped(record)      == what was not checked, by reason
value_latex(value)   == a number or matrix of exact strings as LaTeX, or None
scope_text(scope)    == what was looked at, in words
rounded(number)      == a number as it is read; the record has it exactly
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..record import (
    latex_name,
    matrix_text,
    plain_name,
    reproduce,
    row,
    standing_of,
    status_word,
    symbol,
)
from .sources import split

_RATIONAL = re.compile(r"(-?)(\d+)(?:/(\d+))?")
_REFUTING = ("counterexample", "counterproof")
COLUMNS: tuple[str, ...] = (
    "kernel", "certificate", "derivation", "refutation", "enclosure", "ladder", "torch", "property",
)  # fmt: skip


def families(
    record: Mapping[str, Any], stale: Mapping[str, str]
) -> list[tuple[str, list[dict[str, Any]]]]:
    """The views of the claims, by family in order of first appearance."""
    found: dict[str, list[dict[str, Any]]] = {}
    for claim in record["claims"]:
        shown = {**view(claim, record), "stale": stale.get(claim["id"], "")}
        found.setdefault(claim["family"], []).append(shown)
    return list(found.items())


def view(claim: Mapping[str, Any], record: Mapping[str, Any]) -> dict[str, Any]:
    """One claim as its readers need it; `None` or empty for a section it has not."""
    by_kind = {e["kind"]: e for e in claim["evidence"]}
    summary = record["summary"]
    counterexample = by_kind.get("counterexample", {}).get("counterexample")
    if counterexample is None and "instance" in by_kind.get("counterproof", {}):
        counterexample = {"values": by_kind["counterproof"]["instance"]}
    told = {
        "kernel": by_kind.get("kernel", {}).get("rocq"),
        "certificate": by_kind.get("certificate", {}).get("certificate"),
        "derivation": by_kind.get("derivation", {}).get("steps", []),
        "counterexample": counterexample and assignment(counterexample),
        "counterproof": by_kind.get("counterproof", {}).get("steps", []),
        "torch": _measurements(by_kind.get("torch", {}), "dtype", "observed"),
        "ladder": _measurements(by_kind.get("ladder", {}), "digits", "residual"),
    }
    repair = next((c for c in record["claims"] if c["id"] == claim["repaired_by"]), None)
    return {
        **claim,
        "origin": split(claim["source"]),
        "steps": told["derivation"],
        "certificate": told["certificate"],
        "rocq": told["kernel"],
        "counterproof": told["counterproof"],
        "counterexample": told["counterexample"],
        "torch": told["torch"],
        "ladder": told["ladder"],
        # the kinds that are told in a section of their own
        "sections": frozenset(kind for kind, found in told.items() if found),
        "repair": repair,
        "witness": assignment(claim["witness"]) if claim["witness"] else None,
        "terms": _terms(by_kind.get("certificate", {}).get("certificate", {})),
        "marks": _marks(claim),
        "rows": [evidence_row(e) for e in claim["evidence"]],
        "command": reproduce(claim, summary),
        "lacking": summary["lacking"].get(claim["id"], ""),
        "word": status_word(claim),
        "accepted": row(claim).accepted,
        "troubled": standing_of(claim, summary) != "passes",
    }


def _marks(claim: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What each kind says of the claim, by column: a character, and in words."""
    marks: dict[str, dict[str, str]] = {}
    for e in claim["evidence"]:
        said = says(e)
        words = f"{e['kind']} {e['outcome']}" + (f", says {said}" if said else "")
        column = "refutation" if e["kind"] in _REFUTING else e["kind"]
        marks[column] = {"symbol": symbol(e), "words": words, "kind": e["kind"]}
    return marks


def skipped(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What was not checked: the kind, the reason, and the claims."""
    found: dict[tuple[str, str], list[str]] = {}
    for claim in record["claims"]:
        for e in claim["evidence"]:
            if e["outcome"] == "skipped":
                found.setdefault((e["kind"], e["detail"]), []).append(claim["id"])
    return [{"kind": k, "reason": r, "claims": ids} for (k, r), ids in found.items()]


def _measurements(evidence: Mapping[str, Any], by: str, observed: str) -> list[dict[str, Any]]:
    """The figures of numeric evidence, rounded for reading beside the exact ones."""
    return [
        {
            "at": measured[by],
            "count": measured.get("inputs", measured.get("compared")),
            "observed": measured[observed],
            "bound": measured["bound"],
            "ratio": measured["ratio"],
        }
        for measured in evidence.get("measurements", ())
        if by in measured
        and all(is_number(measured.get(name)) for name in (observed, "bound", "ratio"))
    ]


def is_number(value: Any) -> bool:
    """Is this a number that can be compared?"""
    return isinstance(value, int | float) and not isinstance(value, bool)


def rounded(number: Any) -> str:
    """A number in three digits."""
    if not is_number(number):
        return str(number)
    text = f"{number:.3g}"
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa} · 10^{int(exponent)}" if exponent else text


def _terms(certificate: Mapping[str, Any]) -> str:
    number = certificate.get("terms")
    if number is None:
        return "its terms"
    if number == 0:
        return "both sides have the same normal form: no term is needed"
    return f"{number} {'term' if number == 1 else 'terms'}, multiplied out by the checker"


def evidence_row(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """One row of the table of evidence."""
    return {
        "kind": evidence["kind"],
        "outcome": evidence["outcome"],
        "symbol": symbol(evidence),
        "says": says(evidence),
        "scope": scope_text(evidence["scope"]) if evidence["outcome"] != "skipped" else "",
        "detail": evidence["detail"],
    }


def says(evidence: Mapping[str, Any]) -> str:
    """What the evidence says of the statement: "true", "false", or nothing."""
    if evidence["kind"] in _REFUTING:
        return "false" if evidence["outcome"] == "confirmed" else ""
    return {"confirmed": "true", "contradicted": "false"}.get(evidence["outcome"], "")


def scope_text(scope: Any) -> str:
    """The scope of evidence in words."""
    if scope == "all":
        return "all sizes and values"
    if isinstance(scope, str):
        return scope
    parts = []
    for name, value in scope.items():
        if name == "sizes" and isinstance(value, list):
            value = _sizes(value)
        parts.append(f"{name} {_listed(value)}" if value else name)
    return "; ".join(parts)


def _sizes(cases: list[Any]) -> str:
    """Sizes as ranges: d 1–5, m 1–3."""
    ranges: dict[str, list[int]] = {}
    for case in cases:
        if not isinstance(case, Mapping):
            return _listed(cases)
        for name, value in case.items():
            ranges.setdefault(name, []).append(value)
    return ", ".join(
        f"{name} = {min(v)}" if min(v) == max(v) else f"{name} from {min(v)} to {max(v)}"
        for name, v in ranges.items()
    )


def _listed(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_listed(v) for v in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{k} = {_listed(v)}" for k, v in value.items())
    return str(value)


def rocq_note(rocq: Mapping[str, Any]) -> str:
    """What closes the theorem, and on which axioms it rests."""
    told = f"lemma {rocq['lemma']} of {rocq['file']}"
    if "assumptions" not in rocq:
        return f"not closed by {told}"
    return f"closed by {told}; axioms assumed: {', '.join(rocq['assumptions']) or 'none'}"


# ---------------------------------------------------------------- exact values


def assignment(found: Mapping[str, Any]) -> dict[str, Any]:
    """Sizes and values, each with LaTeX where it is a number or a matrix; the two sides."""
    values = [
        {"name": plain_name(n), "latex": _equation(n, v), "text": matrix_text(v)}
        for n, v in _terms_apart({**found.get("sizes", {}), **found["values"]})
    ]
    sides = [
        {"name": side, "latex": value_latex(found[side]), "text": matrix_text(found[side])}
        for side in ("left", "right")
        if found.get(side) is not None
    ]
    return {"values": values, "sides": sides}


def _terms_apart(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Names with values; the terms of a sequence one by one."""
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from ((f"{name}_{index}", term) for index, term in value.items())
        else:
            yield name, value


def _equation(name: str, value: Any) -> str | None:
    shown = value_latex(value)
    return None if shown is None else f"{latex_name(name)} = {shown}"


def value_latex(value: Any) -> str | None:
    """A rational number or a matrix of them in LaTeX; None for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        match = _RATIONAL.fullmatch(value)
        if match is None:
            return None
        sign, top, bottom = match.groups()
        return f"{sign}{top}" if bottom is None else rf"{sign}\frac{{{top}}}{{{bottom}}}"
    if isinstance(value, list) and value:
        rows = [row if isinstance(row, list) else [row] for row in value]
        cells = [[value_latex(x) for x in row] for row in rows]
        if any(cell is None for row in cells for cell in row):
            return None
        inside = r" \\ ".join(" & ".join(map(str, row)) for row in cells)
        return rf"\begin{{bmatrix}} {inside} \end{{bmatrix}}"
    return None
