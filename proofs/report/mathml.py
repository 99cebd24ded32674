"""Formulas as MathML, which browsers draw without a script and without the network.

mathml(latex) == a formula as MathML; the LaTeX itself where it cannot be converted
ELEMENTS, ATTRIBUTES == all that a formula may consist of

A formula comes from a record, which anyone may have written: the converter lets markup in words by,
so what it made is let through only where it is well formed and holds elements of MathML alone.
"""

from __future__ import annotations

from functools import lru_cache
from xml.etree import ElementTree

from markupsafe import Markup, escape

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


@lru_cache(maxsize=8192)
def mathml(latex: str) -> Markup:
    """A formula as MathML."""
    from latex2mathml.converter import convert

    try:
        made = convert(latex)
    except Exception:  # the converter has no common base of its errors
        made = ""
    return Markup(made) if _is_mathml(made) else Markup("<code>{}</code>").format(escape(latex))


def _is_mathml(text: str) -> bool:
    """Is `text` well formed, of elements of MathML only?"""
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
