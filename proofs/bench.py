"""How long things take: start-up, verification, claims, identities, the torch operators.

measure(quick=…) == seconds and ratios, as JSON
tell(measured)   == the same as a table

Start-up is given beside a bare Python, since only ratios carry over to another machine. The rows of
operators come from deltaproof.torch_impl.benchmarks, interleaved with their peers, those of
identities from bench_identities.py, those of single claims from bench_claims.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

PROGRAM = "from deltaproof.proofs.cli import main; main()"


def measure(*, quick: bool = False, notify: Callable[[str], None] = lambda text: None) -> Any:
    """Measure everything; a verification in a cache of its own, cold and then warm.

    Parameters
    ----------
    quick : bool
        Fewer repetitions, and no kernel.
    notify : callable
        Told what is being measured.
    """
    rounds = 3 if quick else 9
    notify("start-up")
    bare, helped, listed = _interleaved(
        rounds,
        [sys.executable, "-c", "pass"],
        [sys.executable, "-c", PROGRAM, "--help"],
        [sys.executable, "-c", PROGRAM, "list"],
    )
    rows = [
        _row("bare python", bare, bare),
        _row("deltaproof --help", helped, bare),
        _row("deltaproof list", listed, bare),
    ]
    with tempfile.TemporaryDirectory() as folder:
        without = [k for k in _kinds() if k != "kernel"]
        command = [sys.executable, "-c", PROGRAM, "verify"]
        command += [word for kind in without for word in ("--kind", kind)]
        notify("verify without the kernel, cold")
        cold = _seconds(command, folder)
        notify("verify without the kernel, warm")
        warm = median(_seconds(command, folder) for _ in range(rounds))
        rows += [
            _row("verify without kernel, cold", cold, bare),
            _row("verify without kernel, warm", warm, bare),
        ]
        from .checks import missing_tools

        if not quick and not missing_tools(_kernel()):
            notify("verify with the kernel alone, cold")
            kernel = _seconds([*command[:4], "--kind", "kernel"], folder)
            rows.append(_row("verify, kernel alone, cold", kernel, bare))
    from . import bench_claims, bench_identities
    from .selection import select

    return {
        "schema": 1,
        "commands": rows,
        "claims": bench_claims.measure(select(bench_claims.SAMPLE), quick=quick, notify=notify),
        "identities": bench_identities.measure(quick=quick, notify=notify),
        "operators": _operators(rounds, notify),
    }


def _kernel() -> Any:
    from ..symbolic.evidence import Kind

    return Kind.KERNEL


def _kinds() -> list[str]:
    from ..symbolic.evidence import Kind

    return [kind.value for kind in Kind]


def _operators(rounds: int, notify: Callable[[str], None]) -> list[dict[str, Any]]:
    notify("torch operators")
    from ..torch_impl import benchmarks

    return [dict(row) for row in benchmarks.run(rounds)]


def _row(name: str, seconds: float, bare: float) -> dict[str, Any]:
    return {"name": name, "seconds": round(seconds, 4), "ratio": round(seconds / bare, 2)}


def _seconds(command: Sequence[str], cache: str | None = None) -> float:
    environment = {**os.environ, **({"DELTAPROOF_CACHE": cache} if cache else {})}
    start = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    taken = time.perf_counter() - start
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode} of {command[-1]}: {done.stderr[-500:]}")
    return taken


def _interleaved(rounds: int, *commands: Sequence[str]) -> list[float]:
    """The median of each command, run in turn, so that a busy moment hits all of them."""
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(rounds):
        for mine, command in zip(times, commands, strict=True):
            mine.append(_seconds(command))
    return [median(mine) for mine in times]


def tell(measured: Mapping[str, Any]) -> str:
    """The measurements as a table."""
    lines = [f"{'command':<36}{'seconds':>10}{'× bare python':>16}"]
    lines += [
        f"{row['name']:<36}{row['seconds']:>10.3f}{row['ratio']:>16.1f}"
        for row in measured["commands"]
    ]
    if measured.get("claims"):
        from . import bench_claims

        lines += ["", bench_claims.tell(measured["claims"])]
    if measured.get("identities"):
        from . import bench_identities

        lines += ["", bench_identities.tell(measured["identities"])]
    if measured["operators"]:
        lines += ["", f"{'operator':<48}{'× floor':>9}{'peer/ours':>11}{'reach':>9}"]
        for row in measured["operators"]:
            # a long name has a line of its own, so that the numbers stay in 80 columns
            name = row["name"]
            if len(name) > 47:
                lines.append(name)
                name = ""
            lines.append(
                f"{name:<48}{row['ratio_to_floor']:>9.1f}{row['ratio_to_peer']:>11.2f}"
                f"{row['reach']:>9.2f}"
            )
    return "\n".join(lines)
