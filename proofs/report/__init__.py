"""The report of a run: why each claim is proved or refuted, on one page.

render(record, format) == "html": one file that needs no network; "md": Markdown

Made from the record alone, so that the same record gives the same bytes; nothing is verified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def render(record: Mapping[str, Any], format: str, stale: Mapping[str, str] | None = None) -> str:
    """The report of a complete record in one of the formats `html`, `md`.

    `stale` says of claims, by id, that they have changed since.
    """
    from .html import html
    from .markdown import markdown

    makers: dict[str, Callable[..., str]] = {"html": html, "md": markdown}
    return makers[format](record, stale or {})
