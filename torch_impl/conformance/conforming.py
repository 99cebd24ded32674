"""Run a contract against a target.

conform(target, contract=…) == a ConformanceResult
DTYPES, PROFILES            == what is looked at, and how thoroughly

The kit needs no torch of its own: an importable target runs in another process, and this one
compares what came back with exact numbers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .adapters import parse_args, parse_factor, parse_generator
from .checks import FormatRun, OutOfTime, Settings
from .contract import Contract, Options
from .contracts import contract as contract_of
from .isolation import Host, LocalHost, ProcessHost
from .readings import StatementReader
from .result import Check, ConformanceResult, Range

DTYPES = ("float64", "float32", "bfloat16", "float16")
PROFILES = ("quick", "ci", "deep")


class UsageError(ValueError):
    """A setting that does not exist or does not fit the contract."""


def conform(
    target: Callable[..., Any] | str,
    *,
    contract: str,
    dtypes: Sequence[str] = DTYPES,
    profile: str = "ci",
    seed: int = 0,
    device: str = "cpu",
    domain: Mapping[str, float] | None = None,
    values: Mapping[str, Any] | None = None,
    raw_k: bool = False,
    computes_in: str = "",
    args: str = "",
    transposed: bool = False,
    generator_convention: str = "",
    factor: str = "",
    seconds: float = float("inf"),
    limit: float = 20.0,
    ranges: bool | None = None,
) -> ConformanceResult:
    """Check a target against a contract.

    Parameters
    ----------
    target : callable or str
        A callable runs in this process; ``pkg.mod:name`` or ``path/file.py:name`` in one of its
        own, where a crash or a hang is that check's failure.
    contract : str
        A name of `CONTRACTS`.
    dtypes
        The formats to look at.
    profile : {"quick", "ci", "deep"}
        How many examples follow the strata, and whether ranges are looked for.
    domain
        Parameters of the contract's domain to replace.
    values
        Numbers of a variant: ``normalise``, ``eps``, ``rounds``.
    raw_k
        Also directions of any length: zero, tiny, subnormal, huge.
    computes_in
        A lower format that the target declares to compute in; it gets that bound.
    args, transposed, generator_convention, factor
        How the target's signature differs (`adapters`).
    seconds, limit
        Time for the run, and for one call of a target in a process of its own.
    ranges
        Look how far beyond the domain the claims hold; by default not under ``quick``.

    Returns
    -------
    ConformanceResult

    Raises
    ------
    UsageError, UnknownContract, AdapterError, TargetUnusable
        Each says what was wrong and what there is.
    """
    for dtype in dtypes:
        if dtype not in DTYPES:
            raise UsageError(f"no dtype {dtype!r}; there are {', '.join(DTYPES)}")
    if profile not in PROFILES:
        raise UsageError(f"no profile {profile!r}; there are {', '.join(PROFILES)}")
    if computes_in and computes_in not in DTYPES:
        raise UsageError(f"no dtype {computes_in!r}; there are {', '.join(DTYPES)}")
    made = contract_of(contract, Options(values=dict(values or {}), raw_k=raw_k))
    options = Options(_domain(made, domain or {}), dict(values or {}), raw_k)
    adapter = _adapter(made, args, transposed, generator_convention, factor)
    start = time.monotonic()
    host: Host
    if isinstance(target, str):
        host = ProcessHost(target, adapter, limit=limit)
        name = target
    else:
        from .adapters import adapted

        host = LocalHost(adapted(target, adapter))
        name = f"{target.__module__}:{getattr(target, '__qualname__', type(target).__name__)}"
    settings = Settings(seed, profile, device, computes_in, options, start + seconds)
    try:
        checks, found, complete = run_checks(
            made, host, dtypes, settings, ranges=profile != "quick" if ranges is None else ranges
        )
    finally:
        host.close()
    said = {
        "profile": profile,
        "seed": seed,
        "device": device,
        "domain": dict(options.domain),
        "values": dict(options.values),
        "computes_in": computes_in,
    }
    taken = time.monotonic() - start
    return ConformanceResult(name, contract, checks, found, complete, taken, said)


def run_checks(
    contract: Contract,
    host: Host,
    dtypes: Sequence[str],
    settings: Settings,
    *,
    ranges: bool,
) -> tuple[tuple[Check, ...], tuple[Range, ...], bool]:
    """The checks in every format, the ranges, and whether the time sufficed."""
    readers = {s.claim: StatementReader(s) for s in contract.statements}
    checks: list[Check] = []
    found: list[Range] = []
    for dtype in dtypes:
        run = FormatRun(contract, host, dtype, settings, readers)
        try:
            checks += run.run()
            if ranges:
                from .ranges import ranges_of

                found += ranges_of(run)
        except OutOfTime:
            made = {c.claim for c in checks if c.dtype == dtype}
            checks += [c for c in run.finished_so_far() if c.claim not in made]
            return tuple(checks), tuple(found), False
    return tuple(checks), tuple(found), True


def _domain(contract: Contract, changed: Mapping[str, float]) -> dict[str, float]:
    known = {p.name: p.value for p in contract.domain}
    for name in changed:
        if name not in known:
            there = ", ".join(known) or "none"
            raise UsageError(f"{contract.name} has no domain parameter {name!r}; there are {there}")
        if not 0 < changed[name] < float("inf"):
            raise UsageError(f"--domain {name}={changed[name]}: a positive number is needed")
    return {**known, **changed}


def _adapter(
    contract: Contract, args: str, transposed: bool, generator: str, factor: str
) -> dict[str, Any]:
    layout = parse_args(args or contract.pattern, contract) if args or contract.pattern else None
    states = [a.name for a in contract.arguments if a.state]
    scale = 1.0
    if generator:
        scale *= parse_generator(generator)
    if factor:
        scale *= contract.own_factor / parse_factor(factor)
    if scale != 1.0 and not contract.generator:
        raise UsageError(
            f"{contract.name} has no generator: --generator-convention and --factor are for "
            "cayley and cayley_rank_two"
        )
    if not (layout or transposed or scale != 1.0):
        return {}
    return {
        "order": [[a.name, list(a.axes)] for a in contract.arguments],
        "results": [list(axes) for axes in contract.results],
        "layout": layout,
        "transposed": (states or ["(the result)"]) if transposed else [],
        "scale": [contract.generator, scale] if scale != 1.0 else None,
    }
