"""The site: a folder of HTML pages that open from disk, without network or framework.

site(record, conformance) == the pages, name -> text, in order

All text is escaped by the templates; the only markup let through is made here: formulas (mathml.py)
and drawings (plot.py, layers.py). Style and script stand in each page, and its policy names them by
their hashes, so that nothing else is loaded or run.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from ...symbolic.proof_lines import LEADS, why
from ..record import all_pass, counts
from . import conformance as conforming
from .badge import badge_json, badge_svg
from .content import COLUMNS, families, is_number, rocq_note, rounded, skipped
from .layers import STATES, Graph, drawing
from .mathml import mathml
from .names import anchor, file_name
from .plot import ladder_picture, legend, plot
from .sources import BIBLIOGRAPHY, Work, by_source

TEMPLATES = Path(__file__).parent / "templates"
VERDICTS = ("proved", "refuted", "open")


def site(
    record: Mapping[str, Any],
    conformance: Sequence[Mapping[str, Any]] = (),
    stale: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The pages of a complete record, and of records of conformance runs.

    `stale` says of claims, by id, that they have changed since.
    """
    return _Site(record, conformance, stale or {}).pages()


class _Site:
    def __init__(
        self,
        record: Mapping[str, Any],
        conformance: Sequence[Mapping[str, Any]],
        stale: Mapping[str, str],
    ):
        self.record, self.conformance = record, conformance
        self.graph = Graph(record["claims"])
        self.families = families(record, stale)
        self.pictures = [p for p in record.get("pictures", ()) if "problem" not in p]
        self.sources = by_source([c for _, claims in self.families for c in claims])
        self.environment = _environment()
        self.environment.globals.update(
            here=frozenset(self.graph.claims),
            counts=counts(record),
            good=all_pass(record),
            stale=len(stale),
            has_conformance=bool(conformance),
            has_pictures=bool(self.pictures),
            states=STATES,
            state=self.graph.state,
        )

    def pages(self) -> dict[str, str]:
        """Every page, by its name in the folder."""
        found = {
            "index.html": self._ledger(),
            "graph.html": self._graph(),
            "sources.html": self._page("sources.html", sources=self._sources()),
        }
        if self.pictures:
            found["pictures.html"] = self._page(
                "pictures.html", pictures=list(map(_drawn, self.pictures))
            )
        if self.conformance:
            found["conformance.html"] = self._conformance()
        for label, claims in self.sources:
            found[source_page(label)] = self._page(
                "source.html",
                up="../",
                label=label,
                work=BIBLIOGRAPHY.get(label, Work("")),
                claims=claims,
                verdicts=[(v, sum(c["verdict"] == v for c in claims)) for v in VERDICTS],
            )
        ordered = [claim for _, claims in self.families for claim in claims]
        for position, claim in enumerate(ordered):
            before = ordered[position - 1] if position else None
            after = ordered[position + 1] if position + 1 < len(ordered) else None
            found[claim_page(claim["id"])] = self._claim(claim, before, after)
        found["badge.json"] = badge_json(self.record)
        found["badge.svg"] = badge_svg(self.record)
        return found

    def _page(self, template: str, *, script: str = "", up: str = "", **values: Any) -> str:
        style = _asset("style.css")
        code = _asset(script) if script else ""
        return self.environment.get_template(template).render(
            page=template.removesuffix(".html"),
            up=up,
            style=Markup(style),
            style_hash=_hash(style),
            script=Markup(code),
            script_hash=_hash(code) if code else "",
            **values,
        )

    def _ledger(self) -> str:
        marked = [claim["marks"] for _, claims in self.families for claim in claims]
        summary = self.record["summary"]
        claims = [claim for _, claims in self.families for claim in claims]
        return self._page(
            "ledger.html",
            script="ledger.js",
            families=self.families,
            columns=[c for c in COLUMNS if any(c in marks for marks in marked)],
            labels=[label for label, _ in self.sources],
            kinds=list(dict.fromkeys(e["kind"] for c in claims for e in c["evidence"])),
            verdicts=[v for v in VERDICTS if summary[v]],
            summary=summary,
            skipped=skipped(self.record),
            troubled=[c for c in claims if c["troubled"]],
        )

    def _claim(
        self,
        claim: dict[str, Any],
        before: Mapping[str, Any] | None,
        after: Mapping[str, Any] | None,
    ) -> str:
        claim_id = claim["id"]
        ancestors = self.graph.ancestors(claim_id)
        descendants = self.graph.descendants(claim_id)
        near = {*ancestors, *descendants, claim_id, *claim["repairs"], claim["repaired_by"]}
        ladder = next((e for e in claim["evidence"] if e["kind"] == "ladder"), {})
        residuals = ladder_picture(ladder)
        return self._page(
            "claim.html",
            up="../",
            claim=claim,
            before=before,
            after=after,
            pictures=[_drawn(p) for p in self.pictures if claim_id in p["claims"]],
            residuals=None if residuals is None else _drawn({**residuals, "name": "residuals"}),
            ancestors=ancestors,
            descendants=descendants,
            neighbours=drawing(
                self.graph,
                near,
                lambda i: f"../{claim_page(i)}",
                label=f"what {claim_id} rests on, and what rests on it",
                columns=3,
                banded=False,
                chosen=claim_id,
            )
            if len(near - {None, claim_id}) > 0
            else None,
        )

    def _graph(self) -> str:
        ids = list(self.graph.claims)
        return self._page(
            "graph.html",
            script="graph.js",
            drawing=drawing(
                self.graph, ids, claim_page, label="the claims, family by family, as links"
            ),
            rows=[
                {
                    "id": i,
                    "parents": self.graph.parents[i],
                    "ancestors": self.graph.ancestors(i),
                    "descendants": self.graph.descendants(i),
                }
                for i in ids
            ],
            used=[s for s in STATES if any(self.graph.state(i) == s for i in ids)],
            edges=sum(map(len, self.graph.parents.values())),
            repairs=sum(c["repaired_by"] in self.graph.claims for c in self.graph.claims.values()),
        )

    def _sources(self) -> list[dict[str, Any]]:
        return [
            {
                "label": label,
                "work": BIBLIOGRAPHY.get(label, Work("")),
                "claims": len(claims),
                "verdicts": {v: sum(c["verdict"] == v for c in claims) for v in VERDICTS},
            }
            for label, claims in self.sources
        ]

    def _conformance(self) -> str:
        return self._page(
            "conformance.html",
            table=conforming.table(self.conformance),
            records=[{**r, "told": conforming.failures(r)} for r in self.conformance],
            symbols=conforming.SYMBOLS,
        )


def claim_page(claim_id: str) -> str:
    """The page of a claim, within the folder."""
    return f"claims/{file_name(claim_id)}.html"


def source_page(label: str) -> str:
    """The page of a source, within the folder."""
    known = label in BIBLIOGRAPHY
    return f"sources/{file_name(f'source.{label.lower()}' if known else f'other.{label}')}.html"


def breakable(claim_id: str) -> Markup:
    """An id that may break after its separators, and nowhere else."""
    return Markup(re.sub(r"([._])", r"\1<wbr>", str(escape(claim_id))))


def _drawn(picture: Mapping[str, Any]) -> dict[str, Any]:
    return {**picture, "svg": plot(picture), "legend": legend(picture)}


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        math=mathml,
        breakable=breakable,
        note=rocq_note,
        raised=raised,
        figure=figure,
        ticked=ticked,
        lead=LEADS.__getitem__,
        why=why,
        cited=cited,
        anchor=anchor,
        claim_page=claim_page,
        source_page=source_page,
    )
    return environment


def raised(number: Any) -> Markup:
    """A number in three digits, its exponent raised."""
    mantissa, _, exponent = rounded(number).partition("^")
    if not exponent:
        return escape(mantissa)
    return Markup("{}<sup>{}</sup>").format(mantissa, exponent.replace("-", "−"))


def figure(number: Any) -> Markup:
    """A number in three digits, and under it as it was measured, where that is more."""
    if not is_number(number) or float(f"{number:.3g}") == number:
        return raised(number)
    return raised(number) + Markup(' <span class="exact">{}</span>').format(number)


def ticked(text: str) -> Markup:
    """Words, with what stands between backticks as code."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def cited(text: str, numbers: Sequence[int], place: str) -> Markup:
    """Words, with the numbers of lines as links to them."""

    def link(found: re.Match[str]) -> str:
        number = int(found[1])
        return f'<a href="#{place}{number}">({number})</a>' if number in numbers else found[0]

    return Markup(re.sub(r"(?<![\w)])\((\d+)\)", link, str(escape(text))))


@lru_cache
def _asset(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
