"""The graph of what rests on what, for people and for other programs.

Node, Edge, Graph         == claims and rules, and which proof rests on which
build(entries)            == the Graph of a catalogue
around(graph, id, …)      == what a claim rests on, what rests on it, or both
drawn(graph)              == without the nodes that no edge touches
draw(graph, format)       == the graph as dot, mermaid, svg or json
components(graph)         == the parts that no edge connects
layers(graph)             == the nodes by rows: each below all that it rests on
FORMATS                   == the names of the formats

An edge leads from a claim to what its proof rests on, with the kinds of evidence that do so; a
refuted claim has one to the claim that repairs it. Where the edges come from: dependencies.py.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from html import escape

from .catalogue.entry import Entry
from .dependencies import RULE, Claims, ancestors, dependencies

FORMATS = ("dot", "mermaid", "svg", "json")
REPAIR = "repaired by"
_FILL = {"proved": "#e3f4e3", "refuted": "#fbe3e0", "open": "#fff6d6", "rule": "#eeeeee"}


@dataclass(frozen=True)
class Node:
    """A claim with its expected verdict, or a named rule ("rule")."""

    id: str
    verdict: str
    title: str


@dataclass(frozen=True)
class Edge:
    """`start` rests on `end` by these kinds of evidence, or is repaired by it."""

    start: str
    end: str
    by: tuple[str, ...]

    @property
    def repairs(self) -> bool:
        """Does the end repair the start, which does not rest on it?"""
        return self.by == (REPAIR,)


@dataclass(frozen=True)
class Graph:
    """Nodes in the order of the catalogue, rules last; edges in the order of their starts."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def build(entries: Iterable[Entry], *, rules: bool = False) -> Graph:
    """The graph of a catalogue, with the named rules as nodes if asked for."""
    from ..symbolic.rules import RULES

    entries = list(entries)
    claims = Claims(entries)
    known = {e.claim.id for e in entries}
    nodes = [Node(e.claim.id, e.claim.expected, e.claim.title) for e in entries]
    edges: list[Edge] = []
    used: dict[str, None] = {}
    for entry in entries:
        by: dict[str, list[str]] = {}
        for kind, names in dependencies(entry, claims).items():
            for name in names:
                by.setdefault(name, []).append(kind.value)
        for name, kinds in by.items():
            if name.startswith(RULE):
                used.setdefault(name)
            if rules or name in known:
                edges.append(Edge(entry.claim.id, name, tuple(kinds)))
        if entry.repaired_by in known:
            edges.append(Edge(entry.claim.id, str(entry.repaired_by), (REPAIR,)))
    for name in used if rules else ():
        rule = RULES.get(name.removeprefix(RULE))  # those of certificates are not in this table
        nodes.append(Node(name, "rule", rule.words if rule else "a rule of certificates"))
    return Graph(tuple(nodes), tuple(edges))


def _keep(graph: Graph, wanted: Collection[str]) -> Graph:
    return Graph(
        tuple(node for node in graph.nodes if node.id in wanted),
        tuple(edge for edge in graph.edges if {edge.start, edge.end} <= set(wanted)),
    )


def around(graph: Graph, claim_id: str, *, up: bool = True, down: bool = True) -> Graph:
    """The claim, with what it rests on (`up`) and what rests on it (`down`), directly or not."""
    wanted = {claim_id}
    if up:
        wanted |= ancestors(claim_id, _ends(graph))
    if down:
        turned: dict[str, list[str]] = {}
        for edge in graph.edges:
            turned.setdefault(edge.end, []).append(edge.start)
        wanted |= ancestors(claim_id, turned)
    return _keep(graph, wanted)


def _ends(graph: Graph) -> dict[str, list[str]]:
    ends: dict[str, list[str]] = {}
    for edge in graph.edges:
        ends.setdefault(edge.start, []).append(edge.end)
    return ends


def drawn(graph: Graph) -> Graph:
    """The graph without the nodes that no edge touches."""
    return _keep(graph, {name for edge in graph.edges for name in (edge.start, edge.end)})


def draw(graph: Graph, format: str) -> str:
    """The graph in one of FORMATS; raises KeyError for another."""
    return {"dot": _dot, "mermaid": _mermaid, "svg": _svg, "json": _json}[format](graph)


# ---------------------------------------------------------------- text formats


def _json(graph: Graph) -> str:
    value = {
        "schema": 1,
        "tool": "deltaproof",
        "nodes": [{"id": n.id, "verdict": n.verdict, "title": n.title} for n in graph.nodes],
        "edges": [{"from": e.start, "to": e.end, "by": [*e.by]} for e in graph.edges],
    }
    return json.dumps(value, indent=1, ensure_ascii=False)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _dot(graph: Graph) -> str:
    lines = ["digraph deltaproof {", "  rankdir=BT;", '  node [shape=box, style="rounded,filled"];']
    for node in graph.nodes:
        told = f"fillcolor={_quoted(_FILL[node.verdict])}, tooltip={_quoted(node.title)}"
        lines.append(f"  {_quoted(node.id)} [{told}];")
    for edge in graph.edges:
        style = "style=dashed, " if edge.repairs else ""
        told = f"{style}label={_quoted(', '.join(edge.by))}"
        lines.append(f"  {_quoted(edge.start)} -> {_quoted(edge.end)} [{told}];")
    return "\n".join([*lines, "}"])


def _mermaid(graph: Graph) -> str:
    short = {node.id: f"n{i}" for i, node in enumerate(graph.nodes)}
    lines = ["flowchart BT"]
    # a quotation mark would end the label; ids have none, titles are not shown
    lines += [f'  {short[node.id]}["{node.id}"]:::{node.verdict}' for node in graph.nodes]
    for edge in graph.edges:
        arrow = "-.->" if edge.repairs else "-->"
        lines.append(f'  {short[edge.start]} {arrow}|"{", ".join(edge.by)}"| {short[edge.end]}')
    lines += [f"  classDef {name} fill:{colour}" for name, colour in _FILL.items()]
    return "\n".join(lines)


# ---------------------------------------------------------------- SVG

_LETTER, _HEIGHT, _GAP, _ROW, _MARGIN, _PAGE = 7, 28, 24, 84, 20, 1200


def layers(graph: Graph) -> list[list[str]]:
    """Ids by rows; what rests on nothing is in row 0, every other node below all it rests on.

    Within a row a node stands near what it rests on. Edges of a cycle are left out of the count.
    """
    ends = _ends(graph)
    depth: dict[str, int] = {}

    def deep(name: str, path: tuple[str, ...]) -> int:
        if name not in depth:
            below = [end for end in ends.get(name, ()) if end not in path]
            depth[name] = 1 + max((deep(end, (*path, name)) for end in below), default=-1)
        return depth[name]

    rows: list[list[str]] = []
    for node in graph.nodes:
        row = deep(node.id, (node.id,))
        rows += [[] for _ in range(row + 1 - len(rows))]
        rows[row].append(node.id)
    place = {name: i for row in rows for i, name in enumerate(row)}
    for row in rows[1:]:
        row.sort(key=lambda name: (_middle([place[end] for end in ends[name]]), place[name]))
        place |= {name: i for i, name in enumerate(row)}
    return rows


def _middle(places: list[int]) -> float:
    return sum(places) / len(places)


def components(graph: Graph) -> list[Graph]:
    """The parts that no edge connects, the largest first."""
    home = {node.id: i for i, node in enumerate(graph.nodes)}
    for edge in graph.edges:
        kept, lost = sorted((home[edge.start], home[edge.end]))
        home = {name: kept if place == lost else place for name, place in home.items()}
    parts = [
        _keep(graph, [name for name, where in home.items() if where == place])
        for place in dict.fromkeys(home.values())
    ]
    return sorted(parts, key=lambda part: -len(part.nodes))


@dataclass(frozen=True)
class _Picture:
    """Where the middle of each node is, and how much room they take."""

    at: Mapping[str, tuple[float, float]]
    width: float
    height: float


def _wide(name: str) -> int:
    return _LETTER * len(name) + 16


def _laid_out(graph: Graph) -> _Picture:
    """One component: rows above each other, each in the middle."""
    rows = layers(graph)
    totals = [sum(_wide(name) + _GAP for name in row) - _GAP for row in rows]
    at: dict[str, tuple[float, float]] = {}
    for number, (row, total) in enumerate(zip(rows, totals, strict=True)):
        x = (max(totals) - total) / 2
        for name in row:
            at[name] = (x + _wide(name) / 2, number * _ROW + _HEIGHT / 2)
            x += _wide(name) + _GAP
    return _Picture(at, max(totals), _ROW * (len(rows) - 1) + _HEIGHT)


def _svg(graph: Graph) -> str:
    at: dict[str, tuple[float, float]] = {}
    left = top = float(_MARGIN)
    bottom = across = top
    for part in map(_laid_out, components(graph)):
        if left > _MARGIN and left + part.width > _PAGE:  # like words on a page
            left, top = _MARGIN, bottom + _ROW - _HEIGHT
        at |= {name: (left + x, top + y) for name, (x, y) in part.at.items()}
        left += part.width + 2 * _GAP
        bottom, across = max(bottom, top + part.height), max(across, left)
    across, down = across - 2 * _GAP + _MARGIN, bottom + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:.0f} {down:.0f}" '
        f'width="{across:.0f}" height="{down:.0f}" font-family="monospace" font-size="11">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>',
    ]
    parts += [_line(edge, at) for edge in graph.edges]
    parts += [_box(node, at[node.id], _wide(node.id)) for node in graph.nodes]
    return "\n".join([*parts, "</svg>"])


def _line(edge: Edge, at: Mapping[str, tuple[float, float]]) -> str:
    (x0, y0), (x1, y1) = at[edge.start], at[edge.end]
    start, end = y0 - _HEIGHT / 2, y1 + _HEIGHT / 2
    dashes = ' stroke-dasharray="4 3"' if edge.repairs else ""
    bend = (start + end) / 2
    told = f"{edge.start} to {edge.end}: {', '.join(edge.by)}"
    return (
        f'<path d="M{x0:.0f} {start:.0f}C{x0:.0f} {bend:.0f} {x1:.0f} {bend:.0f} {x1:.0f} '
        f'{end:.0f}" fill="none" stroke="#555555"{dashes} marker-end="url(#tip)">'
        f"<title>{escape(told)}</title></path>"
    )


def _box(node: Node, centre: tuple[float, float], width: float) -> str:
    x, y = centre
    return (
        f"<g><title>{escape(node.title)} ({node.verdict})</title>"
        f'<rect x="{x - width / 2:.0f}" y="{y - _HEIGHT / 2:.0f}" width="{width:.0f}" '
        f'height="{_HEIGHT}" rx="6" fill="{_FILL[node.verdict]}" stroke="#555555"/>'
        f'<text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle">{escape(node.id)}</text></g>'
    )
