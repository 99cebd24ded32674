"""The parts of a report, each by itself: names, sources, pictures, layers, conformance, badges."""

import json
import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from deltaproof.proofs.record import RecordError
from deltaproof.proofs.report import conformance as conforming
from deltaproof.proofs.report import standalone as standalone_module
from deltaproof.proofs.report.badge import badge_json, badge_svg
from deltaproof.proofs.report.layers import Graph, drawing
from deltaproof.proofs.report.names import anchor, file_name
from deltaproof.proofs.report.plot import GROUPS, ladder_picture, legend, plot
from deltaproof.proofs.report.sources import BIBLIOGRAPHY, Origin, by_source, split
from deltaproof.proofs.report.standalone import standalone

# ---------------------------------------------------------------- names


def test_claim_ids_are_names_of_files_as_they_are() -> None:
    assert file_name("delta.rank_one_form") == "delta.rank_one_form"
    assert file_name("source.geo-notes") == "source.geo-notes"


@pytest.mark.parametrize(
    "words", ["", "..", "../a.b", "/a.b", "a.b/", ".hidden.x", "A.b", "con.a", "a b.c", "x" * 400]
)
def test_other_words_get_a_name_that_is_safe(words: str) -> None:
    made = file_name(words)
    assert re.fullmatch(r"[a-z0-9][a-z0-9_-]*-[0-9a-f]{8}", made)
    assert len(made) < 120


def test_distinct_words_have_distinct_names() -> None:
    words = ["a.b", "A.b", "a b", "a_b", "a-b", "", "é", "ê", "../a.b"]
    assert len({file_name(w) for w in words}) == len(words)
    assert anchor("‖k‖ < 1") == "k-1"


# ---------------------------------------------------------------- sources


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("DDL §2.2, explainer", Origin("DDL", "§2.2, explainer", "as the source says it")),
        ("GEO-notes Thm 9 (retold)", Origin("GEO-notes", "Thm 9", "retold")),
        ("My paper Thm 3 (retold)", Origin("My paper", "Thm 3", "retold")),
        ("NEW", Origin("NEW", "", "stated here")),
        ("", Origin("", "", "no source given")),
    ],
)
def test_sources_have_parts(source: str, parts: Origin) -> None:
    assert split(source) == parts


def test_a_source_is_read_in_its_order() -> None:
    told = ["NEW", "RES eq. 10", "DDL", "RES eq. 5 (retold)", "RES §4.2", "RES §4.1, explainer",
            "RES", ""]  # fmt: skip
    claims = [{"id": str(i), "source": source} for i, source in enumerate(told)]
    assert [(label, [c["source"] for c in found]) for label, found in by_source(claims)] == [
        ("RES", ["RES", "RES eq. 5 (retold)", "RES eq. 10", "RES §4.1, explainer", "RES §4.2"]),
        ("DDL", ["DDL"]),
        ("NEW", ["NEW"]),
        ("", [""]),
    ]


def test_every_source_of_the_ledger_is_a_known_work() -> None:
    from deltaproof.proofs.catalogue import ENTRIES

    for entry in ENTRIES:
        assert entry.claim.source.label in BIBLIOGRAPHY
        assert split(str(entry.claim.source)).label == entry.claim.source.label


# ---------------------------------------------------------------- pictures


def numbers(svg: str, tag: str, name: str) -> list[float]:
    return [float(v) for v in re.findall(rf'<{tag}[^>]* {name}="([-0-9.]+)"', svg)]


def test_a_picture_is_well_formed_and_says_what_it_shows(picture: dict[str, Any]) -> None:
    root = ElementTree.fromstring(plot(picture))
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == "A picture. The points lie on the curve."
    texts = [t.text for t in root.iter("text")]
    assert {"x", "y", "here", "there", "10⁻⁸"} <= set(texts)
    assert [s["name"] for s in legend(picture)] == ["curve", "bound", "points"]


def test_points_stand_where_they_belong(picture: dict[str, Any]) -> None:
    picture["marks"] = []
    picture["series"][2]["points"] = [[1, 1e-2], [2, 1e-4], [3, 0]]
    svg = str(plot(picture))
    x, y = numbers(svg, "circle", "cx"), numbers(svg, "circle", "cy")
    # one unit apart on a linear axis; two and six decades on a logarithmic one, the last its end
    assert math.isclose(x[1] - x[0], x[2] - x[1], abs_tol=0.11)
    assert math.isclose((y[1] - y[0]) * 2, y[2] - y[1], abs_tol=0.31)


def test_a_picture_escapes_its_words(picture: dict[str, Any]) -> None:
    picture["x"]["label"] = picture["title"] = "<script>"
    picture["marks"][0]["label"] = "</text><a>"
    assert "<script>" not in plot(picture)
    ElementTree.fromstring(plot(picture))


def test_numbers_that_have_no_place_are_left_out(picture: dict[str, Any]) -> None:
    before = plot(picture)
    picture["series"][0]["points"].append([2, math.inf])
    picture["series"][2]["points"].append([math.nan, 1])
    assert plot(picture) == before


def test_a_picture_stands_alone(picture: dict[str, Any]) -> None:
    picture["series"][0]["name"] = "<b>"
    root = ElementTree.fromstring(standalone(picture))
    svg = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{svg}svg"
    texts = [t.text for t in root.iter(f"{svg}text")]
    assert texts[-3:] == ["<b>", "bound", "points"]
    style = next(root.iter(f"{svg}style")).text or ""
    used = set(re.findall(r"var\((--[a-z0-9]+)\)", style))
    assert used <= set(re.findall(r"(--[a-z0-9]+):", style)), "a colour that is nowhere"
    classes = {c for e in root.iter() for c in e.attrib.get("class", "").split()}
    assert classes - {"sample", "legend", "axis", "label"} <= set(
        re.findall(r"\.([a-z0-9]+)", style)
    )
    assert style.count("{") == style.count("}")


def test_groups_are_told_apart_without_colour() -> None:
    def drawn(role: str, group: int) -> str:
        series = {"name": "s", "role": role, "group": group, "points": [[0, 0], [1, 1]]}
        axis = {"label": "", "scale": "linear"}
        made = {"title": "", "caption": "", "x": axis, "y": axis, "marks": [], "series": [series]}
        return str(plot(made)).replace(f"g{group}", "")

    assert len({drawn("measured", group) for group in range(GROUPS)}) == GROUPS
    sheet = Path(standalone_module.__file__).parent / "templates" / "style.css"
    dashes = dict(re.findall(r"\.derived\.g(\d) path \{ ([^}]+)\}", sheet.read_text("utf-8")))
    assert len(set(dashes.values())) == GROUPS - 1
    assert set(dashes) == {str(group) for group in range(1, GROUPS)}


@pytest.mark.parametrize("points", [[], [[1, 1]], [[1, 0]], [[0, 1e-300], [1, 1e300]]])
def test_few_points_and_wide_ranges_are_drawn(
    picture: dict[str, Any], points: list[list[float]]
) -> None:
    picture["series"] = [{"name": "p", "role": "measured", "group": 3, "points": points}]
    picture["marks"] = []
    assert "nan" not in plot(picture)
    assert 2 <= plot(picture).count('class="tick left"') <= 9


def test_residuals_are_drawn_against_digits() -> None:
    rows = [{"digits": d, "residual": 10.0**-d, "bound": 10.0 ** (1 - d)} for d in (15, 50, 200)]
    picture = ladder_picture({"measurements": rows})
    assert picture is not None
    assert picture["series"][1]["points"] == [[15, 1e-15], [50, 1e-50], [200, 1e-200]]
    assert ladder_picture({"measurements": rows[:1]}) is None
    assert (
        ladder_picture({"measurements": [{"digits": "x", "residual": 1, "bound": 1}] * 3}) is None
    )


# ---------------------------------------------------------------- layers


def claim(claim_id: str, *parents: str, **more: Any) -> dict[str, Any]:
    return {
        "id": claim_id, "family": claim_id.split(".")[0], "title": claim_id,
        "status": "as_expected",
        "verdict": "proved", "depends_on": list(parents), "repaired_by": None, "evidence": [],
        **more,
    }  # fmt: skip


def test_ancestors_descendants_and_layers() -> None:
    graph = Graph([claim("a.d", "a.b", "a.c"), claim("a.b", "a.a"), claim("a.c", "a.a", "x.y"),
                   claim("a.a")])  # fmt: skip
    assert graph.ancestors("a.d") == ["a.b", "a.c", "a.a"]
    assert graph.descendants("a.a") == ["a.d", "a.b", "a.c"]
    assert graph.layers == {"a.a": 0, "a.b": 1, "a.c": 1, "a.d": 2}
    assert graph.parents["a.c"] == ("a.a",)  # what is not in the record is no node


def test_a_circle_does_not_stop_the_drawing() -> None:
    graph = Graph([claim("a.a", "a.b", "a.a"), claim("a.b", "a.c"), claim("a.c", "a.a")])
    assert sorted(graph.layers) == ["a.a", "a.b", "a.c"]
    ElementTree.fromstring(drawing(graph, list(graph.claims), str, label="all"))


def test_a_long_chain_does_not_exhaust_the_stack() -> None:
    length = 5000
    graph = Graph([claim(f"a.n{i}", f"a.n{i + 1}") for i in range(length)])
    assert graph.layers["a.n0"] == length - 1


def test_states_follow_from_the_evidence_of_all_ancestors() -> None:
    kernel = [{"kind": "kernel", "outcome": "confirmed"}]
    graph = Graph(
        [
            claim("a.base", verdict="open"), claim("a.on_it", "a.base", evidence=kernel),
            claim("a.above", "a.on_it"), claim("a.kernel", evidence=kernel), claim("a.plain"),
            claim("a.false", verdict="refuted"), claim("a.bad", status="differs"),
            claim("a.skipped", evidence=[{"kind": "kernel", "outcome": "skipped"}]),
        ]
    )  # fmt: skip
    assert [graph.state(i) for i in graph.claims] == [
        "open", "conditional", "conditional", "kernel", "proved", "refuted", "alarm", "proved",
    ]  # fmt: skip


def test_a_drawing_has_a_link_for_each_claim_and_a_line_for_each_edge() -> None:
    graph = Graph([claim("a.a"), claim("a.b", "a.a"), claim("b.c", "a.b", repaired_by="a.a")])
    root = ElementTree.fromstring(
        drawing(graph, ["a.a", "a.b", "b.c"], "{}.html".format, label="l")
    )
    assert [a.attrib["href"] for a in root.iter("a")] == ["a.a.html", "a.b.html", "b.c.html"]
    assert [p.attrib["class"] for p in root.iter("path")] == [
        "edge rests", "edge rests", "edge repair",
    ]  # fmt: skip
    reduced = ElementTree.fromstring(drawing(graph, ["a.a", "a.b"], str, label="l", banded=False))
    assert len(list(reduced.iter("a"))) == 2
    assert len(list(reduced.iter("path"))) == 1


# ---------------------------------------------------------------- conformance


def test_a_cell_tells_the_worst(conformance: dict[str, Any]) -> None:
    rows = {r["claim"]: r["cells"] for r in conforming.table([conformance, conformance])["rows"]}
    (cell, again) = rows["sample.proved"]
    assert cell == again
    assert (cell["outcome"], cell["ratio"], cell["dtype"]) == ("failed", 16.0, "bfloat16")
    assert rows["sample.failing"][0]["outcome"] == "error"
    told = [c["outcome"] for c in conforming.failures(conformance)]
    assert told == ["error", "failed", "xpassed", "xfailed"]


def test_a_conformance_record_is_read_back(tmp_path: Path, conformance: dict[str, Any]) -> None:
    path = tmp_path / "conform.json"
    path.write_text(json.dumps(conformance), encoding="utf-8")
    assert conforming.read(path) == conformance


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"schema": 2}, "schema is 2"),
        ({"complete": False}, "not complete"),
        ({"target": None}, "target is None"),
        ({"checks": {}}, "checks is not a list"),
        ({"checks": [{"claim": 1}]}, "checks/0/claim is 1"),
        ({"checks": [{"claim": "a", "outcome": "fine", "dtype": "", "stratum": ""}]}, "'fine'"),
        ({"ranges": [7]}, "ranges/0 is not an object"),
    ],
)
def test_another_shape_is_refused_and_named(
    tmp_path: Path, conformance: dict[str, Any], change: dict[str, Any], told: str
) -> None:
    path = tmp_path / "conform.json"
    path.write_text(json.dumps({**conformance, **change}), encoding="utf-8")
    with pytest.raises(RecordError, match=re.escape(told)):
        conforming.read(path)


@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000, '{"schema": 1', "null"])
def test_what_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "conform.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=re.escape("conform.json")):
        conforming.read(path)
    with pytest.raises(RecordError, match="cannot read"):
        conforming.read(tmp_path / "missing.json")


# ---------------------------------------------------------------- badges


def test_a_badge_counts_and_is_green_only_where_all_is_well(
    good: dict[str, Any], bad: dict[str, Any]
) -> None:
    assert json.loads(badge_json(good)) == {
        "schemaVersion": 1, "label": "deltaproof", "message": "1 proved, 1 refuted",
        "color": "brightgreen",
    }  # fmt: skip
    assert json.loads(badge_json(bad))["color"] == "red"
    assert "1 proved, 1 refuted" in badge_svg(good)
    ElementTree.fromstring(badge_svg(bad))
    good["summary"]["lacking"] = {"sample.proved": "kernel"}
    assert json.loads(badge_json(good))["color"] == "red"


def test_a_run_that_decided_nothing_is_not_green(good: dict[str, Any]) -> None:
    good["summary"].update(proved=0, refuted=0, open=2)
    assert json.loads(badge_json(good))["color"] == "lightgrey"
