"""A conformance run made by hand, and a picture."""

from typing import Any

import pytest

ATTACK = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


def check(claim: str, outcome: str, **more: Any) -> dict[str, Any]:
    return {
        "claim": claim, "outcome": outcome, "dtype": "float32", "stratum": "generic",
        "observed": None, "bound": None, "ratio": None, "input": None, "diagnosis": "",
        "reproduce": "", **more,
    }  # fmt: skip


@pytest.fixture
def conformance() -> dict[str, Any]:
    """The record of one target, with every outcome there is."""
    return {
        "schema": 1,
        "target": "mine.ops:update",
        "contract": "delta_update",
        "complete": True,
        "checks": [
            check("sample.proved", "passed", observed=1e-7, bound=4e-7, ratio=0.25),
            check("sample.proved", "failed", dtype="bfloat16", stratum="gate at 2", observed=0.125,
                  bound=0.0078125, ratio=16.0, input={"beta": "0x1.0p+1"},
                  diagnosis="the factor 2 is missing",
                  reproduce="deltaproof conform mine.ops:update --replay case.json"),
            check("sample.failing", "error", diagnosis=f"ValueError: {ATTACK}"),
            check("sample.failing", "xfailed", ratio=3.0),
            check("other.undecided", "xpassed"),
            check("other.elsewhere", "skipped"),
        ],
        "ranges": [
            {"claim": "sample.proved", "dtype": "bfloat16", "parameter": "beta",
             "holds_up_to": 1.5},
            {"claim": "sample.proved", "dtype": "float32", "parameter": "beta",
             "holds_up_to": None},
        ],
        "summary": {},
        "timings": {},
    }  # fmt: skip


@pytest.fixture
def picture() -> dict[str, Any]:
    """A curve, a bound and points, on a linear and a logarithmic axis, with both marks."""
    return {
        "name": "sample",
        "claims": ["sample.proved"],
        "title": "A picture",
        "caption": "The points lie on the curve.",
        "x": {"label": "x", "scale": "linear"},
        "y": {"label": "y", "scale": "log"},
        "series": [
            {"name": "curve", "role": "derived", "group": 0, "points": [[0, 1], [4, 1e-8]]},
            {"name": "bound", "role": "bound", "group": 1, "points": [[0, 10], [4, 10]]},
            {"name": "points", "role": "measured", "group": 0, "points": [[1, 0.01], [2, 0]]},
        ],
        "marks": [
            {"x": 2, "y": 1, "label": "here", "shape": "hole"},
            {"x": 3, "y": 0, "label": "there", "shape": "line"},
        ],
    }
