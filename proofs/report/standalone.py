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

ROW, SAMPLE, LETTER = 20, 34, 8  # a letter of 13 pixels is 8 wide at most, on average
_USED = re.compile(
    r"(:root|@media \(prefers-color-scheme|\.plot|\.derived|\.measured|\.bound|\.g\d)"
)


def standalone(picture: Mapping[str, Any]) -> str:
    """The SVG file of a picture, with its legend below the axes."""
    named = legend(picture)
    widest = SAMPLE + LETTER * (max((len(entry["name"]) for entry in named), default=0) + 2)
    columns = max(1, (WIDTH - LEFT) // widest)
    pitch = (WIDTH - LEFT) / columns
    height = HEIGHT + ROW * -(-len(named) // columns)
    entries = [
        Markup(
            '<svg x="{}" y="{}" width="28" height="14">{}</svg>'
            '<text class="start" x="{}" y="{}">{}</text>'
        ).format(
            round(LEFT + pitch * (i % columns)),
            HEIGHT + ROW * (i // columns) + 1,
            entry["sample"],
            round(LEFT + pitch * (i % columns)) + SAMPLE,
            HEIGHT + ROW * (i // columns) + 13,
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
