"""Formulas as MathML, which browsers draw without a script and without the network.

mathml(latex) == a formula as MathML; the LaTeX itself where it cannot be converted
ELEMENTS, ATTRIBUTES == all that a formula may consist of

A formula comes from a record, which anyone may have written: the converter lets markup in words by,
so what it made is let through only where it is well formed and holds elements of MathML alone. It
is written without what browsers assume anyway: long derivations are half as long then.
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
        root = ElementTree.fromstring(convert(latex))
    except Exception:  # the converter has no common base of its errors
        root = None
    if root is None or not _is_mathml(root):
        return Markup("<code>{}</code>").format(escape(latex))
    _shorten(root)
    return Markup(ElementTree.tostring(root, encoding="unicode").replace(" />", "/>"))


def _is_mathml(root: ElementTree.Element) -> bool:
    """Is this a formula, of elements of MathML only?"""
    if root.tag != f"{NAMESPACE}math":
        return False
    return all(
        node.tag.removeprefix(NAMESPACE) in ELEMENTS and ATTRIBUTES.issuperset(node.attrib)
        for node in root.iter()
    )


# ---------------------------------------------------------------- what goes without saying

_DEFAULTS = {"display": "inline"}
_IDLE = (("mrow", {}), ("mstyle", {"displaystyle": "false", "scriptlevel": "0"}))
"""What changes nothing around one child: a formula in a line has that style, in a script no other
is wanted."""
_FENCES = {"prefix": "([{|‖", "postfix": ")]}|‖"}
"""Operators that stretch and are fences by themselves, by where they stand in a row."""


def _shorten(node: ElementTree.Element) -> None:
    """Leave out namespaces, rows of one, and attributes that say what holds without them."""
    node.tag = node.tag.removeprefix(NAMESPACE)
    if node.get("width") == "0.167em":
        node.set("width", ".17em")
    for name, value in _DEFAULTS.items():
        if node.get(name) == value:
            del node.attrib[name]
    for place, child in enumerate(node):
        _shorten(child)
        if len(child) == 1 and (child.tag, child.attrib) in _IDLE:
            node[place] = child[0]
    if node.tag == "mrow" and len(node) > 1:
        for form, fence in (("prefix", node[0]), ("postfix", node[-1])):
            usual = {"stretchy": "true", "fence": "true", "form": form}
            if fence.tag == "mo" and fence.text in tuple(_FENCES[form]) and fence.attrib == usual:
                fence.attrib.clear()
