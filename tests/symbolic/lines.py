"""What is true of the lines of every proof."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from deltaproof.symbolic.proof_lines import why

KEYS = {"role", "depth", "expression", "plain", "name", "reason"}


def check_lines(steps: Sequence[dict[str, Any]]) -> None:
    """Lines fit their schema; their numbers count up, and each is cited by a later line."""
    assert steps
    numbers = [line["number"] for line in steps if "number" in line]
    assert numbers == list(range(1, len(numbers) + 1))
    before, deepest, cited = 0, 0, set()
    for line in steps:
        assert KEYS <= set(line) <= KEYS | {"number"}
        assert line["depth"] <= deepest + 1
        deepest = line["depth"]
        text = why(line)
        assert not re.search("[\ue000\ue001]", text + line["plain"] + line["expression"])
        for number in re.findall(r"(?<![\w)])\((\d+)\)", text):
            assert int(number) <= before, f"{why(line)} cites what comes later"
            cited.add(int(number))
        before = max(before, line.get("number", 0))
    assert cited >= set(numbers)
