"""The report of a run: why each claim is proved or refuted, on one page.

render(record, format) == "html": one file that needs no network; "md": Markdown

Made from the record alone, so that the same record gives the same bytes; nothing is verified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def render(record: Mapping[str, Any], format: str) -> str:
    """The report of a complete record in one of the formats `html`, `md`."""
    from .html import html
    from .markdown import markdown

    makers: dict[str, Callable[[Mapping[str, Any]], str]] = {"html": html, "md": markdown}
    return makers[format](record)
