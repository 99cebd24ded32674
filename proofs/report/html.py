"""The report as one HTML file: MathML formulas, its style inside, no script, no network.

html(record)    == the page
mathml(latex)   == a formula as MathML; the LaTeX itself where it cannot be converted

All text is escaped by the template; the only markup let through is the MathML made here, once it is
seen to hold elements of MathML and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from ..record import all_pass, counts
from .content import COLUMNS, families, rocq_note

NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
_ELEMENTS = """
    math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover
    mtable mtr mtd mpadded mphantom mstyle menclose
"""
_ATTRIBUTES = """
    display stretchy fence form separator lspace rspace mathvariant columnalign rowspacing
    columnspacing linethickness width height depth minsize maxsize movablelimits accent accentunder
    displaystyle scriptlevel notation largeop symmetric
"""
ELEMENTS = frozenset(_ELEMENTS.split())
ATTRIBUTES = frozenset(_ATTRIBUTES.split())
TEMPLATES = Path(__file__).parent / "templates"


def html(record: Mapping[str, Any], stale: Mapping[str, str]) -> str:
    """The report of `record`; `stale` says what has changed since, by claim."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["math"] = mathml
    environment.filters["breakable"] = breakable
    environment.filters["note"] = rocq_note
    style = (TEMPLATES / "report.css").read_text(encoding="utf-8")
    shown = families(record, stale)
    marked = [claim["marks"] for _, claims in shown for claim in claims]
    return environment.get_template("report.html").render(
        counts=counts(record),
        good=all_pass(record),
        stale=len(stale),
        families=shown,
        columns=[c for c in COLUMNS if any(marks[c] for marks in marked)],
        # the style is part of the page that made it, so the policy names it by its hash
        style=Markup(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
    )


def mathml(latex: str) -> Markup:
    """A formula as MathML."""
    from latex2mathml.converter import convert

    try:
        made = convert(latex)
    except Exception:  # the converter has no common base of its errors
        made = ""
    return Markup(made) if _is_mathml(made) else Markup("<code>{}</code>").format(escape(latex))


def breakable(claim_id: str) -> Markup:
    """An id that may break after its separators, and nowhere else."""
    return Markup(re.sub(r"([._])", r"\1<wbr>", str(escape(claim_id))))


def _is_mathml(text: str) -> bool:
    """Is `text` well formed, of elements of MathML only? The converter lets markup in words by."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return False
    if root.tag != f"{NAMESPACE}math":
        return False
    return all(
        node.tag.removeprefix(NAMESPACE) in ELEMENTS and ATTRIBUTES.issuperset(node.attrib)
        for node in root.iter()
    )
