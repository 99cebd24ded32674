"""Sources: which statements come from where, in the order in which the source has them.

split(source)   == label, place, and how the statement was taken over
by_source(claims) == (label, claims in order) for each source
BIBLIOGRAPHY    == what the labels of the built-in claims stand for
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

NEW = "NEW"


class Work(NamedTuple):
    """A published work: title and arXiv number, either may be empty."""

    title: str
    arxiv: str = ""


BIBLIOGRAPHY: Mapping[str, Work] = {
    "DDL": Work("Deep Delta Learning, and its explainer", "2601.00417"),
    "RES": Work("Identity Mappings in Deep Residual Networks, and its explainer", "1603.05027"),
    "GEO": Work("The E∆-MHC-Geo Transformer, its summary and its notes", "2605.06729"),
    "GEO-notes": Work("Companion notes of the E∆-MHC-Geo Transformer"),
    "MHC": Work("Manifold-constrained hyper-connections", "2512.24880"),
    "JPM": Work("JPmHC", "2602.18308"),
    NEW: Work("Found here: statements that no source has"),
}
_PLACE = re.compile(r" (?=(?:§|eqs?\b|Thm|Theorem|Prop|Cor|Lemma|Def|table|p\.|[0-9]))")
_RETOLD = " (retold)"


class Origin(NamedTuple):
    """Where a statement stands: label, place within, and how it was taken over, in words."""

    label: str
    place: str
    how: str


def split(source: str) -> Origin:
    """The parts of a source as a record spells it."""
    if not source:
        return Origin("", "", "no source given")
    how = "retold" if source.endswith(_RETOLD) else "as the source says it"
    words = source.removesuffix(_RETOLD)
    if words == NEW:
        return Origin(NEW, "", "stated here")
    first, _, rest = words.partition(" ")
    if first in BIBLIOGRAPHY:
        return Origin(first, rest, how)
    label, *place = _PLACE.split(words, maxsplit=1)
    return Origin(label, "".join(place), how)


def by_source(claims: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """The claims of each source, by place; sources in order of first appearance, `NEW` last."""
    found: dict[str, list[tuple[Any, Mapping[str, Any]]]] = {}
    parts: dict[tuple[str, str], int] = {}
    for position, claim in enumerate(claims):
        label, place, _ = split(claim["source"])
        part = re.split(r"[0-9]", place)[0]
        order = parts.setdefault((label, part), -1 if not place else len(parts))
        numbers = [int(n) for n in re.findall(r"[0-9]+", place)]
        found.setdefault(label, []).append(((order, numbers, position), claim))
    ordered = [
        (label, [claim for _, claim in sorted(placed, key=lambda pair: pair[0])])
        for label, placed in found.items()
    ]
    return sorted(ordered, key=lambda pair: pair[0] in (NEW, ""))
