"""A badge for a README: the verdicts of a run, counted.

badge_json(record) == for services that draw badges from an endpoint
badge_svg(record)  == the drawing itself

Green only where everything is as expected, and something is proved or refuted at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from ..record import all_pass, counts

LABEL = "deltaproof"
_COLOURS = {"brightgreen": "#2a7d3f", "red": "#b3261e", "lightgrey": "#6b7280"}
_WIDTHS = {"narrow": "ijltf.,;:'|! ()", "wide": "mwMW"}


def _told(record: Mapping[str, Any]) -> tuple[str, str]:
    """The message of the badge, and its colour."""
    summary = record["summary"]
    message = counts(record).removesuffix(", as expected")
    if not summary["proved"] + summary["refuted"]:
        return message, "lightgrey"
    return message, "brightgreen" if all_pass(record) else "red"


def badge_json(record: Mapping[str, Any]) -> str:
    """The badge as an endpoint's answer."""
    message, colour = _told(record)
    badge = {"schemaVersion": 1, "label": LABEL, "message": message, "color": colour}
    return json.dumps(badge, ensure_ascii=False) + "\n"


def badge_svg(record: Mapping[str, Any]) -> str:
    """The badge as SVG."""
    message, colour = _told(record)
    left, right = _width(LABEL), _width(message)
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img"'
        ' aria-label="{label}: {message}"><title>{label}: {message}</title>'
        '<clipPath id="r"><rect width="{whole}" height="20" rx="3"/></clipPath>'
        '<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#3a3f47"/>'
        '<rect x="{left}" width="{right}" height="20" fill="{colour}"/></g>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif"'
        ' font-size="11"><text x="{a}" y="14" textLength="{ta}">{label}</text>'
        '<text x="{b}" y="14" textLength="{tb}">{message}</text></g></svg>\n'
    ).format(
        whole=left + right,
        left=left,
        right=right,
        colour=_COLOURS[colour],
        label=LABEL,
        message=message,
        a=f"{left / 2:g}",
        b=f"{left + right / 2:g}",
        ta=left - 12,
        tb=right - 12,
    )


def _width(text: str) -> int:
    """About how wide `text` is at 11 pixels, with its margins."""
    sizes = (4 if c in _WIDTHS["narrow"] else 10 if c in _WIDTHS["wide"] else 7 for c in text)
    return sum(sizes) + 12
