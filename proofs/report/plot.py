"""A picture as SVG: curves and points on two axes, drawn from numbers alone.

plot(picture)        == the SVG element
legend(picture)      == name and class of each series, for the list under it
ladder_picture(…)    == residuals against digits, from the evidence of a ladder

Colours are classes of the style sheet, so that light and dark pages differ; a series is told apart
by its line and its marker as well. A value of 0 on a logarithmic axis stands at its lower edge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from .content import is_number

WIDTH, HEIGHT = 520, 330
LEFT, RIGHT, TOP, BOTTOM = 64, 14, 26, 48
GROUPS = 5
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Axis(NamedTuple):
    """One axis: where a value stands, and its ticks with their labels."""

    place: Callable[[float], float]
    ticks: list[tuple[float, str]]


def plot(picture: Mapping[str, Any]) -> Markup:
    """The SVG of a picture; its title and caption are what a reader who cannot see it hears."""
    picture = {**picture, "series": list(map(_finite, picture["series"]))}
    points = [point for s in picture["series"] for point in s["points"]]
    points += [(m["x"], m["y"]) for m in picture["marks"] if m["shape"] == "hole"]
    width = HEIGHT - TOP - BOTTOM + LEFT + RIGHT if picture.get("equal") else WIDTH
    x = _axis([p[0] for p in points], picture["x"]["scale"], LEFT, width - RIGHT)
    y = _axis([p[1] for p in points], picture["y"]["scale"], HEIGHT - BOTTOM, TOP)
    parts = [_frame(x, y, width, picture)]
    parts += [_line_mark(m, x) for m in picture["marks"] if m["shape"] == "line"]
    parts += [_series(s, x, y) for s in picture["series"]]
    parts += [_hole(m, x, y) for m in picture["marks"] if m["shape"] == "hole"]
    return Markup(
        '<svg class="plot{}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(
        " square" if picture.get("equal") else "",
        width,
        HEIGHT,
        f"{picture['title']}. {picture['caption']}",
        Markup("").join(parts),
    )


def _finite(series: Mapping[str, Any]) -> dict[str, Any]:
    """A series without the points that have no place: an overflow, or no number."""
    return {**series, "points": [p for p in series["points"] if all(map(math.isfinite, p))]}


def legend(picture: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The series with a sample of how each is drawn."""
    return [{"name": s["name"], "sample": _sample(s)} for s in picture["series"]]


def _sample(series: Mapping[str, Any]) -> Markup:
    group = series["group"] % GROUPS
    measured = series["role"] == "measured"
    drawn = _marker(14, 7, group) if measured else Markup('<path d="M1 7H27"/>')
    return Markup(
        '<svg class="sample {} g{}" viewBox="0 0 28 14" aria-hidden="true">{}</svg>'
    ).format(series["role"], group, drawn)


# ---------------------------------------------------------------- axes


def _axis(values: Sequence[float], scale: str, start: float, end: float) -> Axis:
    if scale == "log":
        return _log_axis([v for v in values if v > 0] or [1.0], start, end)
    return _linear_axis(values or [0.0], start, end)


def _linear_axis(values: Sequence[float], start: float, end: float) -> Axis:
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 1, high + 1
    margin = (high - low) * 0.04
    low, high = low - margin, high + margin
    step = _round_step((high - low) / 5)
    first = math.ceil(low / step)
    steps = range(first, math.floor(high / step) + 1)
    scale = (end - start) / (high - low)
    return Axis(
        lambda v: start + (v - low) * scale,
        [(start + (i * step - low) * scale, _number(i * step)) for i in steps],
    )


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough * 0.999)


def _log_axis(values: Sequence[float], start: float, end: float) -> Axis:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    scale = (end - start) / (high - low)
    every = max(1, math.ceil((high - low) / 7))

    def place(value: float) -> float:
        return start + ((math.log10(value) if value > 0 else low) - low) * scale

    exponents = [e for e in range(low, high + 1) if e % every == 0]
    return Axis(place, [(start + (e - low) * scale, _power(e)) for e in exponents])


def _power(exponent: int) -> str:
    if 0 <= exponent <= 3:
        return str(10**exponent)
    return f"10{str(exponent).translate(_SUPERSCRIPTS)}"


def _number(value: float) -> str:
    return f"{value:.10g}".replace("-", "−")


# ---------------------------------------------------------------- parts


def _frame(x: Axis, y: Axis, width: float, picture: Mapping[str, Any]) -> Markup:
    lines = [
        Markup(
            '<path class="grid" d="M{} {}V{}"/><text class="tick" x="{}" y="{}">{}</text>'
        ).format(_at(place), TOP, HEIGHT - BOTTOM, _at(place), HEIGHT - BOTTOM + 17, label)
        for place, label in x.ticks
    ]
    lines += [
        Markup(
            '<path class="grid" d="M{} {}H{}"/><text class="tick left" x="{}" y="{}">{}</text>'
        ).format(LEFT, _at(place), width - RIGHT, LEFT - 7, _at(place + 4.5), label)
        for place, label in y.ticks
    ]
    lines.append(
        Markup('<path class="axis" d="M{} {}V{}H{}"/>').format(
            LEFT, TOP, HEIGHT - BOTTOM, width - RIGHT
        )
    )
    lines.append(
        Markup('<text class="label" x="{}" y="{}">{}</text>').format(
            _at((LEFT + width - RIGHT) / 2), HEIGHT - 8, picture["x"]["label"]
        )
    )
    lines.append(
        Markup('<text class="label" transform="translate(14 {}) rotate(-90)">{}</text>').format(
            _at((TOP + HEIGHT - BOTTOM) / 2), picture["y"]["label"]
        )
    )
    return Markup("").join(lines)


def _series(series: Mapping[str, Any], x: Axis, y: Axis) -> Markup:
    placed = [(x.place(a), y.place(b)) for a, b in series["points"]]
    group = series["group"] % GROUPS
    if series["role"] == "measured":
        drawn = Markup("").join(_marker(a, b, group) for a, b in placed)
    else:
        drawn = Markup('<path d="M{}"/>').format("L".join(f"{_at(a)} {_at(b)}" for a, b in placed))
    return Markup('<g class="{} g{}">{}</g>').format(escape(series["role"]), group, drawn)


def _marker(a: float, b: float, group: int) -> Markup:
    """A circle, a square, a triangle, a diamond or a triangle on its tip, by group."""
    if group == 0:
        return Markup('<circle cx="{}" cy="{}" r="4"/>').format(_at(a), _at(b))
    shapes = {
        1: ((-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)),
        2: ((0, -4.6), (4.4, 3.4), (-4.4, 3.4)),
        3: ((0, -4.8), (4.8, 0), (0, 4.8), (-4.8, 0)),
        4: ((0, 4.6), (4.4, -3.4), (-4.4, -3.4)),
    }
    corners = "L".join(f"{_at(a + dx)} {_at(b + dy)}" for dx, dy in shapes[group])
    return Markup('<path d="M{}Z"/>').format(corners)


def _line_mark(mark: Mapping[str, Any], x: Axis) -> Markup:
    place = _at(x.place(mark["x"]))
    return Markup(
        '<path class="guide" d="M{} {}V{}"/><text class="note" x="{}" y="{}">{}</text>'
    ).format(place, TOP, HEIGHT - BOTTOM, place, TOP - 9, mark["label"])


def _hole(mark: Mapping[str, Any], x: Axis, y: Axis) -> Markup:
    a, b = x.place(mark["x"]), y.place(mark["y"])
    return Markup(
        '<circle class="hole" cx="{}" cy="{}" r="6"/>'
        '<text class="note start" x="{}" y="{}">{}</text>'
    ).format(_at(a), _at(b), _at(a + 11), _at(b - 7), mark["label"])


def _at(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


# ---------------------------------------------------------------- from evidence


def ladder_picture(evidence: Mapping[str, Any]) -> dict[str, Any] | None:
    """Residual and bound against digits; None where nothing was compared on two rungs."""
    measured = ("digits", "residual", "bound")
    rungs = [
        m
        for m in evidence.get("measurements", ())
        if all(is_number(m.get(key)) for key in measured) and m["bound"]
    ]
    if len(rungs) < 2:
        return None
    digits = [m["digits"] for m in rungs]

    def series(name: str, role: str, group: int, key: str) -> dict[str, Any]:
        points = [[d, m[key]] for d, m in zip(digits, rungs, strict=True)]
        return {"name": name, "role": role, "group": group, "points": points}

    return {
        "title": "Residual against digits",
        "caption": "With more digits the residual falls as its bound does: what is left is"
        " rounding. The residual of a false equation would stay where it is.",
        "x": {"label": "decimal digits", "scale": "linear"},
        "y": {"label": "residual", "scale": "log"},
        "series": [
            series("bound", "bound", 0, "bound"),
            series("largest residual beside its bound", "measured", 0, "residual"),
        ],
        "marks": [],
    }
