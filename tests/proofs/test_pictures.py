"""Pictures: measured points lie on the derived curves, and a picture never decides anything."""

import math
from pathlib import Path
from typing import Any

import pytest
from deltaproof.proofs import pictures
from deltaproof.proofs.cache import Cache
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.proofs.pictures import PICTURES, Picture, measure
from deltaproof.proofs.pictures import hybrid as blended
from deltaproof.proofs.record import validate
from deltaproof.proofs.runner import run
from deltaproof.symbolic.evidence import Kind

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """All pictures by name."""
    cache = Cache(tmp_path_factory.mktemp("cache"))
    found = measure([e.claim.id for e in ENTRIES], [Kind.TORCH], cache)
    return {p["name"]: p for p in found}


def points(picture: dict[str, Any], role: str, group: int) -> dict[float, float]:
    (found,) = (s["points"] for s in picture["series"] if (s["role"], s["group"]) == (role, group))
    return dict(found)


def off(picture: dict[str, Any], group: int) -> float:
    """How far points are from their curve, in units of the last digit that is kept."""
    curve, found = points(picture, "derived", group), points(picture, "measured", group)
    scale = max(map(abs, curve.values()))
    unit = 10.0 ** (math.floor(math.log10(scale)) - 3)
    return max(abs(y - between(curve, x)) for x, y in found.items()) / unit


def between(curve: dict[float, float], x: float) -> float:
    """The curve at x, straight between its points."""
    if x in curve:
        return curve[x]
    left = max(a for a in curve if a < x)
    right = min(a for a in curve if a > x)
    return curve[left] + (curve[right] - curve[left]) * (x - left) / (right - left)


def test_every_picture_is_there_and_fits_the_schema(
    measured: dict[str, dict[str, Any]], good: dict[str, Any]
) -> None:
    assert list(measured) == [p.name for p in PICTURES]
    assert [p for p in measured.values() if "problem" in p] == []
    validate({**good, "pictures": list(measured.values())})


def test_pictures_show_claims_that_there_are() -> None:
    ids = {e.claim.id for e in ENTRIES}
    for picture in PICTURES:
        assert set(picture.claims) <= ids, picture.name


@pytest.mark.parametrize(
    ("name", "groups"),
    [("delta-spectrum", 3), ("hybrid-singular-values", 2), ("iterative-defect", 3)],
)
def test_points_lie_on_their_curves(
    measured: dict[str, dict[str, Any]], name: str, groups: int
) -> None:
    for group in range(groups):
        assert off(measured[name], group) <= 1, group


def test_another_operator_would_leave_its_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    real = blended.blend
    monkeypatch.setattr(blended, "blend", lambda X, Q, k, gamma: real(X, Q, k, gamma * gamma))
    wrong = blended.singular_values()
    assert off(wrong, 0) > 1
    assert off(wrong, 1) > 1


def test_eigenvalues_stay_on_the_circle_and_off_minus_one(
    measured: dict[str, dict[str, Any]],
) -> None:
    (series,) = (s for s in measured["cayley-circle"]["series"] if s["role"] == "measured")
    last_digit = 10.0**-4
    for x, y in series["points"]:
        assert abs(math.hypot(x, y) - 1) <= 2 * last_digit
        assert x > -1


@pytest.mark.parametrize("name", ["cayley-rounding-float32", "cayley-rounding-float64"])
def test_only_the_plane_basis_keeps_its_bound(
    measured: dict[str, dict[str, Any]], name: str
) -> None:
    picture = measured[name]
    (bound,) = set(points(picture, "bound", 2).values())
    worst = [max(points(picture, "measured", group).values()) for group in range(3)]
    assert worst[2] <= bound < min(worst[:2])


def test_gradients_vanish_at_the_midpoint_alone(measured: dict[str, dict[str, Any]]) -> None:
    for group in range(2):
        found = points(measured["gate-gradients"], "measured", group)
        assert [x for x, y in found.items() if y == 0] == [0.5]


def test_sinkhorn_gets_there_only_from_small_logits(measured: dict[str, dict[str, Any]]) -> None:
    picture = measured["sinkhorn-rows"]
    (bound,) = set(points(picture, "bound", 3).values())
    last = [list(points(picture, "measured", group).values())[-1] for group in range(3)]
    assert last[0] <= bound < last[1] < last[2]


def test_a_picture_is_measured_once_and_with_torch_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    monkeypatch.setattr(
        pictures, "PICTURES", (Picture("one", ("delta.inverse",), "delta:spectrum"),)
    )
    monkeypatch.setattr(pictures, "_measured", lambda p: calls.append(p.name) or {"title": "t"})
    cache = Cache(tmp_path)
    assert measure(["delta.identity"], [Kind.TORCH], cache) == ()
    assert measure(["delta.inverse"], [Kind.KERNEL], cache) == ()
    assert calls == []
    first = measure(["delta.inverse"], list(Kind), cache)
    assert first == measure(["delta.inverse"], list(Kind), cache)
    assert calls == ["one"]


def test_a_picture_that_fails_says_so_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Picture("one", ("delta.inverse",), "delta:no_such_function")
    monkeypatch.setattr(pictures, "PICTURES", (broken,))
    cache = Cache(tmp_path)
    (made,) = measure(["delta.inverse"], [Kind.TORCH], cache)
    assert made["problem"].startswith("AttributeError")
    assert list(tmp_path.rglob("*.json")) == []


def test_a_run_of_one_kind_has_no_pictures(tmp_path: Path) -> None:
    entries = [e for e in ENTRIES if e.claim.id == "delta.orthogonal_iff"]
    found = run(entries, kinds=frozenset({Kind.CERTIFICATE}), cache=Cache(tmp_path))
    assert found.pictures == ()
    assert found.record()["pictures"] == []
