"""The graph: its nodes and edges, its parts, its pictures, the command."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from deltaproof.proofs import graph as graphs
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.proofs.cli import GRAPH_FORMATS, exit_code
from deltaproof.proofs.graph import REPAIR, Edge, Graph, Node, around, components, draw, layers
from deltaproof.proofs.record import SCHEMAS
from deltaproof.symbolic.rules import RULES

SVG = "{http://www.w3.org/2000/svg}"


def made(*pairs: str, alone: str = "") -> Graph:
    """The graph of pairs of letters, the first resting on the second."""
    names = dict.fromkeys("".join(pairs) + alone)
    return Graph(
        tuple(Node(name, "proved", f"Claim {name} & <co>") for name in names),
        tuple(Edge(start, end, ("derivation",)) for start, end in pairs),
    )


CHAIN = made("ba", "cb", "da", alone="z")


def ids(graph: Graph) -> str:
    return "".join(sorted(node.id for node in graph.nodes))


def test_the_catalogue_with_its_repairs() -> None:
    graph = graphs.build(ENTRIES)
    assert [node.id for node in graph.nodes] == [e.claim.id for e in ENTRIES]
    edges = {(e.start, e.end): e for e in graph.edges}
    assert edges["cayley.isometry", "cayley.orthogonal"].by == ("derivation", "kernel")
    repaired = {e.claim.id: e.repaired_by for e in ENTRIES if e.repaired_by}
    assert {e.start: e.end for e in graph.edges if e.repairs} == repaired
    assert not any(node.id.startswith("rule:") for node in graph.nodes)
    with_rules = graphs.build(ENTRIES, rules=True)
    rules = {node.id: node for node in with_rules.nodes if node.verdict == "rule"}
    assert rules["rule:right_inverse"].title == RULES["right_inverse"].words
    assert {e.end for e in with_rules.edges} <= {node.id for node in with_rules.nodes}


@pytest.mark.parametrize(
    ("up", "down", "expected"), [(True, False, "ab"), (False, True, "bc"), (True, True, "abc")]
)
def test_what_is_around_a_claim(up: bool, down: bool, expected: str) -> None:
    found = around(CHAIN, "b", up=up, down=down)
    assert ids(found) == expected
    assert all({e.start, e.end} <= set(expected) for e in found.edges)


def test_what_no_edge_touches_is_not_drawn() -> None:
    assert ids(graphs.drawn(CHAIN)) == "abcd"


def test_every_node_is_below_all_that_it_rests_on() -> None:
    graph = made("ba", "cb", "ca", "da", "ec", "ed")
    row = {name: i for i, names in enumerate(layers(graph)) for name in names}
    assert len(row) == len(graph.nodes)
    assert all(row[e.start] > row[e.end] for e in graph.edges)
    # a cycle is no reason to hang
    assert sorted(name for row in layers(made("ab", "ba")) for name in row) == ["a", "b"]


def test_parts_that_no_edge_connects() -> None:
    assert [ids(part) for part in components(made("ba", "cb", "yx", alone="z"))] == [
        "abc",
        "xy",
        "z",
    ]


def boxes(text: str) -> list[tuple[float, float, float, float]]:
    """The rectangles of a picture; fails where it is no well-formed SVG."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    keys = ("x", "y", "width", "height")
    found = [tuple(float(r.attrib[k]) for k in keys) for r in root.iter(f"{SVG}rect")]
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert all(x >= 0 and y >= 0 and x + w <= width and y + h <= height for x, y, w, h in found)
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("rules", [False, True])
def test_the_picture_holds_every_node_and_none_covers_another(rules: bool) -> None:
    graph = graphs.drawn(graphs.build(ENTRIES, rules=rules))
    found = boxes(draw(graph, "svg"))
    assert len(found) == len(graph.nodes)
    for i, (x, y, w, h) in enumerate(found):
        for x2, y2, w2, h2 in found[:i]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_titles_are_escaped() -> None:
    text = draw(CHAIN, "svg")
    assert "Claim a &amp; &lt;co&gt;" in text
    assert "<co>" not in text
    assert len(boxes(text)) == 5
    quoted = Graph((Node("a", "proved", 'the "sum" \\ all'),), ())
    assert r'tooltip="the \"sum\" \\ all"' in draw(quoted, "dot")


def test_every_format_names_every_node_and_edge() -> None:
    graph = Graph(
        (Node("f.one", "refuted", "One"), Node("f.two", "proved", "Two")),
        (Edge("f.one", "f.two", (REPAIR,)),),
    )
    for name in graphs.FORMATS:
        text = draw(graph, name)
        assert "f.one" in text
        assert "f.two" in text
        assert REPAIR in text
    assert '"f.one" -> "f.two" [style=dashed' in draw(graph, "dot")
    assert re.search(r"n0 -\.->\|\"repaired by\"\| n1", draw(graph, "mermaid"))
    value = json.loads(draw(graph, "json"))
    assert value["edges"] == [{"from": "f.one", "to": "f.two", "by": [REPAIR]}]
    assert [n["verdict"] for n in value["nodes"]] == ["refuted", "proved"]


def test_the_json_fits_its_schema() -> None:
    schema = json.loads((SCHEMAS / "graph.json").read_text(encoding="utf-8"))
    value = json.loads(draw(graphs.build(ENTRIES, rules=True), "json"))
    jsonschema.validate(value, schema)
    for spoilt in ({**value, "edges": [{"from": "a", "to": "b"}]}, {**value, "schema": 2}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(spoilt, schema)


# ---------------------------------------------------------------- the command


def test_the_command_prints_one_claim_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    assert GRAPH_FORMATS == graphs.FORMATS

    def shown(*arguments: str) -> set[str]:
        assert exit_code(["graph", *arguments, "--format", "json"]) == 0
        return {node["id"] for node in json.loads(capsys.readouterr().out)["nodes"]}

    up = shown("cayley.orthogonal", "--ancestors")
    down = shown("cayley.orthogonal", "--descendants")
    assert up == {"cayley.orthogonal", "cayley.nonsingular"}
    assert "cayley.isometry" in down
    assert shown("cayley.orthogonal") == up | down
    assert shown("cayley.orthogonal", "--ancestors", "--descendants") == up | down
    assert shown() == {e.claim.id for e in ENTRIES}
    assert any(i.startswith("rule:") for i in shown("cayley.orthogonal", "--rules"))


def test_what_is_not_drawn_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["graph", "--format", "svg"]) == 0
    printed = capsys.readouterr()
    boxes(printed.out)
    assert "claims rest on no other" in printed.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["cayley.orthogonl"], "did you mean cayley.orthogonal"),
        (["cayley"], "'cayley' is not the id of one claim"),
        (["--ancestors"], "need the ID of a claim"),
        (["--format", "png"], "'png' is not one of"),
        (["--catalogue", "nothing.py"], "there is no file nothing.py"),
    ],
)
def test_usage_errors(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["graph", *arguments]) == 2
    assert told in capsys.readouterr().err


def test_a_users_catalogue(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    template = Path(__file__).parents[2] / "examples" / "catalogue_template.py"
    assert exit_code(["graph", "--catalogue", str(template), "--format", "dot"]) == 0
    assert '"mine.sum_printed" -> "mine.sum" [style=dashed' in capsys.readouterr().out
