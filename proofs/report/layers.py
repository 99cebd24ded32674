"""The dependency graph of claims as SVG: what each rests on, families as bands, layers downwards.

Graph(claims)         == ancestors, descendants, layers and states, from `depends_on`
drawing(graph, …)     == the SVG of some claims, each a link
STATES                == the states a claim can be in, with what each means

A claim stands below everything that it rests on. Edges that would close a circle are left out of
the layers, and drawn all the same. An id that the record does not have is no node.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from markupsafe import Markup

NODE_WIDTH, NODE_HEIGHT, GAP, ROW_GAP, BAND = 180, 42, 26, 26, 30
COLUMNS = 5
LINE = 25  # characters of a name in a line of a node

STATES: Mapping[str, str] = {
    "kernel": "proved, and accepted by the kernel",
    "proved": "proved, by a certificate or a derivation",
    "conditional": "proved, but resting on a claim that is not",
    "refuted": "refuted",
    "open": "open",
    "alarm": "not as expected",
}


class Graph:
    """The claims of a record with what they rest on."""

    def __init__(self, claims: Sequence[Mapping[str, Any]]):
        self.claims = {c["id"]: c for c in claims}
        self.parents = {
            i: tuple(p for p in dict.fromkeys(c["depends_on"]) if p in self.claims and p != i)
            for i, c in self.claims.items()
        }
        self.children: dict[str, list[str]] = {i: [] for i in self.claims}
        for i, parents in self.parents.items():
            for parent in parents:
                self.children[parent].append(i)

    def ancestors(self, claim_id: str) -> list[str]:
        """All that a claim rests on, in the order of the record."""
        return self._reached(claim_id, self.parents.__getitem__)

    def descendants(self, claim_id: str) -> list[str]:
        """All that rests on a claim, in the order of the record."""
        return self._reached(claim_id, self.children.__getitem__)

    def _reached(self, start: str, step: Callable[[str], Iterable[str]]) -> list[str]:
        seen, pending = {start}, [start]
        while pending:
            for following in step(pending.pop()):
                if following not in seen:
                    seen.add(following)
                    pending.append(following)
        return [i for i in self.claims if i in seen and i != start]

    @cached_property
    def layers(self) -> dict[str, int]:
        """How many steps each claim is from those that rest on nothing: the longest way."""
        found: dict[str, int] = {}
        for start in self.claims:
            pending, open_ = [start], set()
            while pending:
                top = pending[-1]
                if top in found:
                    pending.pop()
                    continue
                open_.add(top)
                waiting = [p for p in self.parents[top] if p not in found and p not in open_]
                if waiting:
                    pending += waiting
                    continue
                found[top] = 1 + max((found.get(p, -1) for p in self.parents[top]), default=-1)
                open_.discard(top)
                pending.pop()
        return found

    def state(self, claim_id: str) -> str:
        """The state of a claim, one of STATES, computed from its evidence and its ancestors."""
        claim = self.claims[claim_id]
        if claim["status"] != "as_expected":
            return "alarm"
        if claim["verdict"] != "proved":
            return claim["verdict"]
        if any(self.claims[a]["verdict"] != "proved" for a in self.ancestors(claim_id)):
            return "conditional"
        by_kernel = any(
            e["kind"] == "kernel" and e["outcome"] == "confirmed" for e in claim["evidence"]
        )
        return "kernel" if by_kernel else "proved"


def drawing(
    graph: Graph,
    shown: Collection[str],
    link: Callable[[str], str],
    *,
    label: str,
    columns: int = COLUMNS,
    banded: bool = True,
    chosen: str = "",
) -> Markup:
    """The SVG of the claims `shown`.

    Parameters
    ----------
    link : callable
        The address of a claim's page.
    label : str
        What a reader who cannot see the drawing hears.
    columns : int
        How many nodes stand beside each other.
    banded : bool
        One band a family, with its name; otherwise one for all.
    chosen : str
        The claim that the drawing is about, if any.
    """
    places, bands, height = _places(graph, shown, columns, banded)
    width = columns * (NODE_WIDTH + GAP) + GAP
    parts = [
        Markup('<text class="band" x="{}" y="{}">{}</text>').format(GAP, top, name)
        for name, top in bands
    ]
    for i in places:
        parts += [
            _edge(places[p], places[i], "rests", p, i) for p in graph.parents[i] if p in places
        ]
        repair = graph.claims[i]["repaired_by"]
        if repair in places and repair is not None:
            parts.append(_edge(places[i], places[repair], "repair", i, repair))
    parts += [
        _node(graph, i, place, link(i), "node chosen" if i == chosen else "node")
        for i, place in places.items()
    ]
    return Markup(
        '<svg class="graph" viewBox="0 0 {} {}" width="{}" height="{}" role="group"'
        ' aria-label="{}">{}</svg>'
    ).format(width, height, width, height, label, Markup("").join(parts))


def _places(
    graph: Graph, shown: Collection[str], columns: int, banded: bool
) -> tuple[dict[str, tuple[float, float]], list[tuple[str, float]], float]:
    families: dict[str, list[str]] = {}
    for i, claim in graph.claims.items():
        if i in shown:
            families.setdefault(claim["family"] if banded else "", []).append(i)
    places: dict[str, tuple[float, float]] = {}
    bands: list[tuple[str, float]] = []
    top = float(GAP)
    for family, ids in families.items():
        if banded:
            bands.append((family, top + 16))
            top += BAND
        by_layer: dict[int, list[str]] = {}
        for i in ids:
            by_layer.setdefault(graph.layers[i], []).append(i)
        for layer in sorted(by_layer):
            for row in _rows(by_layer[layer], columns):
                for column, i in enumerate(row):
                    places[i] = (GAP + column * (NODE_WIDTH + GAP), top)
                top += NODE_HEIGHT + ROW_GAP
    return places, bands, top


def _rows(ids: Sequence[str], columns: int) -> list[Sequence[str]]:
    return [ids[i : i + columns] for i in range(0, len(ids), columns)]


def _edge(
    start: tuple[float, float], end: tuple[float, float], kind: str, tail: str, head: str
) -> Markup:
    """A curve from the lower edge of one node to the upper edge of a lower one; nodes cover it.

    Between nodes of a row, or upwards, from middle to middle.
    """
    x1, y1 = start[0] + NODE_WIDTH / 2, start[1] + NODE_HEIGHT
    x2, y2 = end[0] + NODE_WIDTH / 2, end[1]
    if y2 > y1:
        half = (y2 - y1) / 2
        way = f"M{x1:g} {y1:g}C{x1:g} {y1 + half:g} {x2:g} {y2 - half:g} {x2:g} {y2:g}"
    else:
        middle = NODE_HEIGHT / 2
        way = f"M{x1:g} {y1 - middle:g}L{x2:g} {y2 + middle:g}"
    return Markup('<path class="edge {}" data-from="{}" data-to="{}" d="{}"/>').format(
        kind, tail, head, way
    )


def _node(
    graph: Graph, claim_id: str, place: tuple[float, float], address: str, classes: str
) -> Markup:
    claim, state = graph.claims[claim_id], graph.state(claim_id)
    family = claim["family"]
    name = claim_id.removeprefix(f"{family}.")
    lines = _lines(name)
    x, y = place
    middle = y + NODE_HEIGHT / 2 + 4.5
    first = middle - 6.5 * (len(lines) - 1)
    text = Markup("").join(
        Markup('<tspan x="{:g}" y="{:g}">{}</tspan>').format(x + NODE_WIDTH / 2, first + 13 * i, t)
        for i, t in enumerate(lines)
    )
    return Markup(
        '<a class="{} {}" href="{}" data-claim="{}"><title>{}</title>'
        '<rect x="{:g}" y="{:g}" width="{}" height="{}" rx="6"/><text>{}</text></a>'
    ).format(
        classes, state, address, claim_id, f"{claim_id}: {STATES[state]}. {claim['title']}",
        x, y, NODE_WIDTH, NODE_HEIGHT, text,
    )  # fmt: skip


def _lines(name: str) -> list[str]:
    """A name in at most two lines, broken after an underscore where it can be."""
    if len(name) <= LINE:
        return [name]
    cut = max((i + 1 for i, c in enumerate(name[:LINE]) if c in "_.-"), default=LINE)
    rest = name[cut:]
    return [name[:cut], rest if len(rest) <= LINE else f"{rest[: LINE - 1]}…"]
