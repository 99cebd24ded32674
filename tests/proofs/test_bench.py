"""The bench: what it measures, and how it is told."""

import sys
from typing import Any

import pytest
from deltaproof.proofs import bench

MEASURED: dict[str, Any] = {
    "schema": 1,
    "commands": [
        {"name": "bare python", "seconds": 0.02, "ratio": 1.0},
        {"name": "deltaproof --help", "seconds": 0.11, "ratio": 5.5},
    ],
    "operators": [
        {"name": "delta update", "ratio_to_floor": 2.5, "ratio_to_peer": 3.0, "reach": 2.3},
        {"name": "x" * 60, "ratio_to_floor": 12.25, "ratio_to_peer": 1.0, "reach": 1.0},
    ],
}


def test_the_table_fits_a_terminal() -> None:
    text = bench.tell(MEASURED)
    assert max(map(len, text.splitlines())) <= 80
    assert "5.5" in text
    assert "2.30" in text
    assert bench.tell({**MEASURED, "operators": []}).splitlines()[-1].startswith("deltaproof")


def test_commands_are_measured_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    times = iter(range(1, 7))

    def seconds(command: list[str], cache: str | None = None) -> float:
        ran.append(command[-1])
        return float(next(times))

    monkeypatch.setattr(bench, "_seconds", seconds)
    assert bench._interleaved(3, ["a"], ["b"]) == [3.0, 4.0]
    assert ran == ["a", "b"] * 3


def test_a_command_runs_in_a_cache_of_its_own(tmp_path: Any) -> None:
    program = "import os, pathlib; pathlib.Path(os.environ['DELTAPROOF_CACHE'], 'x').touch()"
    assert bench._seconds([sys.executable, "-c", program], str(tmp_path)) > 0
    assert (tmp_path / "x").exists()


def test_a_command_that_fails_is_no_measurement() -> None:
    with pytest.raises(RuntimeError, match="exit code 3"):
        bench._seconds([sys.executable, "-c", "raise SystemExit(3)"])
