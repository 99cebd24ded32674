"""JUnit and the summary: every claim and kind, and nothing wrong that looks right."""

from typing import Any
from xml.etree import ElementTree

from deltaproof.proofs.report.ci import junit, summary


def cases(record: dict[str, Any]) -> dict[tuple[str, str], list[str]]:
    root = ElementTree.fromstring(junit(record))
    return {
        (c.attrib["classname"], c.attrib["name"]): [part.tag for part in c]
        for c in root.iter("testcase")
    }


def test_a_case_for_every_claim_and_kind(bad: dict[str, Any]) -> None:
    expected = {(c["id"], e["kind"]) for c in bad["claims"] for e in c["evidence"]}
    expected |= {(c["id"], "verdict") for c in bad["claims"]}
    assert set(cases(bad)) == expected


def test_what_a_case_says(bad: dict[str, Any]) -> None:
    found = cases(bad)
    assert found["sample.proved", "verdict"] == ["system-out"]
    assert found["sample.proved", "torch"] == ["skipped"]
    assert found["sample.proved", "kernel"] == ["system-out"]
    # what contradicts a claim that is to be refuted is as it should be
    assert found["sample.refuted_reading", "ladder"] == ["system-out"]
    assert found["sample.failing", "verdict"] == ["failure"]
    assert found["sample.failing", "property"] == ["failure"]
    assert found["other.inconsistent", "enclosure"] == ["failure"]
    assert found["other.undecided", "derivation"] == ["error"]


def test_counts_add_up(bad: dict[str, Any]) -> None:
    root = ElementTree.fromstring(junit(bad))
    for node in (root, *root):
        inside = list(node.iter("testcase"))
        assert int(node.attrib["tests"]) == len(inside)
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(node.attrib[name]) == sum(c.find(tag) is not None for c in inside)
    assert int(root.attrib["failures"]) == 5
    assert int(root.attrib["errors"]) == 2


def test_required_evidence_that_is_missing_fails_the_verdict(good: dict[str, Any]) -> None:
    good["summary"]["lacking"] = {"sample.proved": "kernel"}
    assert cases(good)["sample.proved", "verdict"] == ["failure"]


def test_control_characters_do_not_break_the_xml(bad: dict[str, Any]) -> None:
    bad["claims"][2]["evidence"][0]["detail"] = "control \x00 and <tag>"
    bad["claims"][0]["evidence"][0]["detail"] = "]]> & \x1b[31m"
    ElementTree.fromstring(junit(bad))


def test_failures_say_what_when_how_much_and_how_to_repeat_it(bad: dict[str, Any]) -> None:
    text = summary(bad)
    for told in (
        "property contradicted: false at a = 0.5", "compared: 1 < a", "input: a = 0.5",
        "observed: 0.5", "bound: 1", "ratio: 2",
        "likely cause: the strict inequality needs a > 1",
        "deltaproof verify sample.failing --catalogue 'my catalogue.py'",
        "certificate proved it, enclosure contradicts it",
        "skipped torch of 1 claim: `no operator is attached to this claim`",
    ):  # fmt: skip
        assert told in text
    # what is wrong stands before what is not
    assert (
        text.index("certificate proved it") < text.index("skipped torch") < text.index("| claim |")
    )


def test_a_failure_cannot_end_its_block(bad: dict[str, Any]) -> None:
    bad["claims"][2]["evidence"][1]["detail"] = "```\n# no heading"
    lines = summary(bad).splitlines()
    assert "````text" in lines
