"""How long claims take: seconds by claim and kind of evidence, and how they grow.

measure(entries, …)   == the times, as JSON
tell(measured)        == the same as text, 80 columns wide
SAMPLE                == the rows that are measured where nobody chooses: one a family
seconds_by_kind(…)    == every attached kind of every claim, from nothing, one after the other
growth(claim, …)      == one evaluation of a statement, at larger sizes, and with more digits
order(points)         == the exponent e of x^e between the last two points

A certificate, a derivation and a kernel proof hold for all sizes at once; only the kinds that look
at numbers grow. Each point is the processor time of the fastest of a few rounds, so that a busy
machine does not show; a row ends where a point takes longer than `LIMIT`.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from textwrap import fill
from typing import Any

from ..symbolic.claims import Claim, symbols
from ..symbolic.evidence import Kind
from .catalogue.entry import Entry

SAMPLE = (
    "delta.eigenvalue_along_k", "residual.unrolled", "cayley.orthogonal",
    "reflection.adaptive_axis_negates", "hybrid.gram", "gate.logit_gradient",
    "birkhoff.preserves_mean", "iterative.series", "rounding.normalised_zero_is_not_unit",
)  # fmt: skip
SIZES = (2, 4, 8, 16, 32)
DIGITS = (15, 50, 200, 800, 3200)
AT_DIGITS, AT_SIZE = 50, 4
LIMIT = 1.0
_GROWING = (Kind.LADDER, Kind.ENCLOSURE)


def measure(
    entries: Iterable[Entry],
    *,
    quick: bool = False,
    notify: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Measure claims in this process, with nothing kept from before.

    Parameters
    ----------
    quick : bool
        Fewer rounds, and no kernel.
    notify : callable
        Told what is being measured.
    """
    entries = list(entries)
    rounds = 3 if quick else 9
    found: dict[str, dict[str, float]] = {}
    rows: list[dict[str, Any]] = []
    for entry in entries:
        notify(f"seconds: {entry.claim.id}")
        found[entry.claim.id] = seconds_by_kind(entry, kernel=not quick)
    for entry in entries:
        if set(_GROWING) & set(entry.kinds):
            notify(f"growth: {entry.claim.id}")
            rows += growth(entry.claim, rounds=rounds)
    return {"seconds": found, "growth": rows}


def seconds_by_kind(entry: Entry, *, kernel: bool = True) -> dict[str, float]:
    """Seconds of each attached kind, the witness among them; kinds without their tool are left out.

    What is imported at the first use is imported before.
    """
    from .checks import Settings, Task, missing_tools, perform, perform_kernel

    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(kernel_folder=Path(folder))
        for kind in (None, *entry.kinds):
            task = Task(entry, kind)
            if kind is Kind.KERNEL:
                if kernel and not missing_tools(kind):
                    found[kind] = _clock(lambda task=task: perform_kernel([task], settings))
            elif kind is None or not missing_tools(kind):
                _load(kind)
                found[kind or "witness"] = _clock(lambda task=task: perform(task, settings))
    return {name: round(seconds, 5) for name, seconds in found.items()}


def _load(kind: Kind | None) -> None:
    """Import what a kind needs, so that no claim pays for it."""
    import importlib

    modules = {
        Kind.CERTIFICATE: ("symbolic.search", "symbolic.certificate_text"),
        Kind.DERIVATION: ("symbolic.derivations", "symbolic.decisions"),
        Kind.COUNTERPROOF: ("symbolic.counterproofs", "symbolic.decisions"),
        Kind.ENCLOSURE: ("numeric.enclosure",),
        Kind.LADDER: ("numeric.ladder",),
        Kind.PROPERTY: ("numeric.property",),
        Kind.TORCH: ("torch_impl.statements",),
    }
    package = __name__.rpartition(".proofs.")[0]
    for name in ("symbolic.refutation", *(modules.get(kind, ()) if kind else ())):
        importlib.import_module(f"{package}.{name}")


def _clock(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# ---------------------------------------------------------------- growth


def growth(claim: Claim, *, rounds: int = 1) -> list[dict[str, Any]]:
    """One evaluation of `claim`, in running-error arithmetic and in balls, at growing n and digits.

    Returns
    -------
    list of dict
        `kind`, `in` ("n" or "digits"), `points` [[x, seconds], …] and `order`, of claims that have
        a size, and of inputs at which the statement has a value.
    """
    rows = []
    for kind, reader in ((Kind.LADDER, _ladder), (Kind.ENCLOSURE, _enclosure)):
        axes = {"digits": [(digits, AT_SIZE, digits) for digits in DIGITS]}
        if symbols(claim).dims:
            axes["n"] = [(size, size, AT_DIGITS) for size in SIZES]
        for axis, places in axes.items():
            points = list(_points(claim, reader, places, rounds))
            if len(points) > 1:
                rows.append(
                    {
                        "claim": claim.id,
                        "kind": kind.value,
                        "in": axis,
                        "points": [[x, round(seconds, 6)] for x, seconds in points],
                        "order": round(order(points), 2),
                    }
                )
    return rows


def order(points: Sequence[tuple[float, float]]) -> float:
    """The exponent e for which seconds grow like x^e, from the last two points."""
    (x0, t0), (x1, t1) = points[-2:]
    return math.log(t1 / t0) / math.log(x1 / x0)


_Reader = Callable[[Claim, Any, int], Any]


def _points(
    claim: Claim, reader: _Reader, places: Sequence[tuple[int, int, int]], rounds: int
) -> Iterator[tuple[int, float]]:
    from ..numeric.readings import NO_VALUE

    for x, size, digits in places:
        case = _case(claim, size)
        try:
            seconds = min(
                _clock(lambda c=case, d=digits: reader(claim, c, d)) for _ in range(rounds)
            )
        except NO_VALUE:
            return
        yield x, seconds
        if seconds > LIMIT:
            return


def _case(claim: Claim, size: int) -> Any:
    """A generic input with every dimension `size`, indices as far apart as they are looked at."""
    from ..numeric.sampling import Case, sizes, streams

    widest = sizes(claim)[-1]
    dims = {dim.name: size for dim in symbols(claim).dims}
    _, (generic, *_) = streams(0)
    return Case({**widest, **dims}, generic)


def _ladder(claim: Claim, case: Any, digits: int) -> Any:
    from ..numeric.multiprecision import arithmetic
    from ..numeric.readings import read
    from ..numeric.running_error import RunningErrorAlgebra

    algebra = RunningErrorAlgebra(arithmetic(digits))
    return read(claim, case.inputs(claim, algebra), algebra)


def _enclosure(claim: Claim, case: Any, digits: int) -> Any:
    from ..numeric.balls import BallAlgebra, precision
    from ..numeric.readings import read

    with precision(math.ceil(digits * math.log2(10))):
        algebra = BallAlgebra()
        return read(claim, case.inputs(claim, algebra), algebra)


# ---------------------------------------------------------------- telling


def tell(measured: Mapping[str, Any]) -> str:
    """The measurements as text: by claim, by kind, then how they grow."""
    lines = ["seconds by claim and kind"]
    for claim_id, seconds in measured["seconds"].items():
        lines.append(f"  {claim_id}")
        words = ", ".join(f"{kind} {value:.3f}" for kind, value in seconds.items())
        lines.append(fill(words, 80, initial_indent="    ", subsequent_indent="    "))
    lines += ["", *_by_kind(measured["seconds"])]
    for axis, beside in (("n", f"at {AT_DIGITS} digits"), ("digits", f"at n = {AT_SIZE}")):
        rows = [row for row in measured["growth"] if row["in"] == axis]
        if rows:
            xs = sorted({x for row in rows for x, _ in row["points"]})
            head = f"one evaluation, ms, {beside}; {axis} ="
            lines += ["", f"{head:<37}" + "".join(f"{x:>7}" for x in xs)]
            for claim_id in dict.fromkeys(row["claim"] for row in rows):
                lines.append(f"  {claim_id}")
                lines += [_growing(row, xs) for row in rows if row["claim"] == claim_id]
    return "\n".join(line.rstrip() for line in lines)


def _by_kind(seconds: Mapping[str, Mapping[str, float]]) -> list[str]:
    kinds = dict.fromkeys(kind for row in seconds.values() for kind in row)
    lines = [f"{'kind':<16}{'claims':>8}{'total':>9}{'median':>9}{'slowest':>9}  of"]
    for kind in kinds:
        found = {claim_id: row[kind] for claim_id, row in seconds.items() if kind in row}
        worst = max(found, key=lambda claim_id: found[claim_id])
        values = [*found.values()]
        line = (
            f"{kind:<16}{len(found):>8}{sum(values):>9.3f}{median(values):>9.3f}"
            f"{found[worst]:>9.3f}"
        )
        lines += [f"{line}  {worst}"] if len(worst) <= 27 else [line, f"{worst:>80}"]
    return lines


def _growing(row: Mapping[str, Any], xs: Sequence[int]) -> str:
    times = dict(map(tuple, row["points"]))
    cells = "".join(f"{_short(1000 * times[x]):>7}" if x in times else f"{'':>7}" for x in xs)
    grows = f"{row['kind']}, ~ {row['in']}^{row['order']:.1f}"
    return f"    {grows:<33}{cells}"


def _short(value: float) -> str:
    """Three digits or so, in at most six characters."""
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"
