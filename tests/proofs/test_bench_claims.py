"""Seconds by claim and kind, and growth: what is measured, and that it is told in 80 columns."""

import json
from pathlib import Path

import pytest
from deltaproof.proofs import bench_claims
from deltaproof.proofs.catalogue import entry
from deltaproof.proofs.catalogue.entry import Entry
from deltaproof.proofs.cli import exit_code
from deltaproof.proofs.selection import select
from deltaproof.symbolic import Claim, dims, eq, matrix, scalar
from deltaproof.symbolic.evidence import Kind

n = dims("n")
A, B, C = (matrix(name, n, n) for name in "ABC")
CUBIC = Claim("t.associative", then=eq(A @ (B @ C), (A @ B) @ C))


def test_every_kind_but_the_kernel_is_measured() -> None:
    row = entry("delta.eigenvalue_along_k")
    seconds = bench_claims.seconds_by_kind(row, kernel=False)
    assert set(seconds) == {"witness", *row.kinds} - {"kernel"}
    assert all(value > 0 for value in seconds.values())


def test_growth_is_that_of_the_work() -> None:
    rows = {(r["kind"], r["in"]): r for r in bench_claims.growth(CUBIC, rounds=3)}
    assert set(rows) == {(k, x) for k in ("ladder", "enclosure") for x in ("n", "digits")}
    ladder = rows["ladder", "n"]
    assert [x for x, _ in ladder["points"]] == list(bench_claims.SIZES)[: len(ladder["points"])]
    # products of matrices take more than n² steps, whatever the machine
    assert ladder["points"][-1][1] > ladder["points"][0][1]
    assert ladder["order"] > 1
    scalars = Claim("t.scalar", then=eq(scalar("a") + 1, 1 + scalar("a")))
    assert {r["in"] for r in bench_claims.growth(scalars)} == {"digits"}


def test_a_slow_point_ends_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_claims, "LIMIT", 0.0)
    assert bench_claims.growth(CUBIC) == []


def test_the_order_is_that_of_the_last_two_points() -> None:
    assert bench_claims.order([(1, 9.0), (2, 1.0), (4, 2.0)]) == 1


def test_the_sample_has_one_row_of_every_family() -> None:
    from deltaproof.proofs.catalogue import ENTRIES

    families = [e.claim.family for e in select(bench_claims.SAMPLE)]
    assert set(families) == {e.claim.family for e in ENTRIES}
    assert len(set(families)) == len(families)


def test_the_text_fits_a_terminal() -> None:
    long = "hybrid.single_layer_covers_orthogonal_group_printed"
    text = bench_claims.tell(
        {
            "seconds": {long: {k.value: 123.4 for k in Kind}, "a.b": {"ladder": 0.5}},
            "growth": [
                {"claim": long, "kind": "enclosure", "in": axis, "order": 12.3,
                 "points": [[x, 99.9] for x in points]}
                for axis, points in (("n", bench_claims.SIZES), ("digits", bench_claims.DIGITS))
            ],
        }
    )  # fmt: skip
    assert max(map(len, text.splitlines())) <= 80
    assert "n^12.3" in text
    assert "digits^12.3" in text


def test_the_command_measures_a_selection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert exit_code(["bench", "gate.bernoulli_variance", "--quick", "--json", "b.json"]) == 0
    out = capsys.readouterr().out
    assert "gate.bernoulli_variance" in out
    assert "start" not in out
    measured = json.loads(Path("b.json").read_text())
    assert list(measured) == ["schema", "claims"]
    assert set(measured["claims"]["seconds"]) == {"gate.bernoulli_variance"}
    assert exit_code(["bench", "nosuch"]) == 2


def test_claims_without_numbers_have_no_growth() -> None:
    measured = bench_claims.measure([Entry(CUBIC, (Kind.CERTIFICATE,))], quick=True)
    assert measured["growth"] == []
    assert "one evaluation" not in bench_claims.tell(measured)
