"""A picture as an SVG file that stands alone, beside a Markdown page.

standalone(picture) == the text of the file: plot, legend, and the style that they need

The rules of the style sheet that a plot needs are taken from it, so that both look alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

from markupsafe import Markup

from .plot import HEIGHT, LEFT, WIDTH, legend, plot

ROW, COLUMNS = 20, 3
_USED = re.compile(
    r"(:root|@media \(prefers-color-scheme|\.plot|\.derived|\.measured|\.bound|\.g\d)"
)


def standalone(picture: Mapping[str, Any]) -> str:
    """The SVG file of a picture, with its legend below the axes."""
    named = legend(picture)
    rows = -(-len(named) // COLUMNS)
    height = HEIGHT + ROW * rows
    pitch = (WIDTH - LEFT) / COLUMNS
    entries = [
        Markup(
            '<svg x="{}" y="{}" width="28" height="14">{}</svg>'
            '<text class="start" x="{}" y="{}">{}</text>'
        ).format(
            round(LEFT + pitch * (i % COLUMNS)),
            HEIGHT + ROW * (i // COLUMNS) + 1,
            entry["sample"],
            round(LEFT + pitch * (i % COLUMNS)) + 34,
            HEIGHT + ROW * (i // COLUMNS) + 13,
            entry["name"],
        )
        for i, entry in enumerate(named)
    ]
    drawn = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        "<style>{}</style>"
        '<rect class="paper" width="100%" height="100%"/>'
        '<svg width="{}" height="{}">{}</svg><g class="plot">{}</g></svg>\n'
    ).format(
        WIDTH,
        height,
        f"{picture['title']}. {picture['caption']}",
        Markup(_style()),
        WIDTH,
        HEIGHT,
        plot(picture),
        Markup("").join(entries),
    )
    return str(drawn)


def _style() -> str:
    """The rules that a plot needs, one a line as they stand in the style sheet."""
    sheet = resources.files(__package__ or "").joinpath("templates/style.css")
    text = sheet.read_text(encoding="utf-8").split("\n")
    kept, inside = [], False
    for line in text:
        inside = inside or bool(_USED.match(line))
        if inside:
            kept.append(line.strip())
        if not line.startswith(" ") and line.rstrip().endswith("}"):
            inside = False
    return " ".join([*kept, ".paper { fill: var(--paper); }"])
