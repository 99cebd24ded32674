"""Run a contract against a target.

conform(target, contract=…) == a ConformanceResult
replay(target, case)        == the same for one stored input
job(contract, …)            == a Job: what the user said, checked
DTYPES, PROFILES            == what is looked at, and how thoroughly

The kit needs no torch of its own: an importable target runs in another process, and this one
compares what came back with exact numbers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .adapters import AdapterError, adapter_of, parse_gates, parse_init
from .checks import Fits, FormatRun, OutOfTime, Settings, fault_of
from .contract import Contract, Options
from .contracts import MODULES, RAW_K, VALUES, UnknownContract, values_of
from .contracts import contract as contract_of
from .expected import ExpectedError
from .isolation import Host, LocalHost, ProcessHost, TargetUnusable
from .location import location_of
from .module_checks import ModuleRun
from .module_contract import ModuleContract
from .readings import StatementReader
from .replay import CaseError, read_case, replayed
from .result import Check, ConformanceResult, Range

DTYPES = ("float64", "float32", "bfloat16", "float16")
PROFILES = ("quick", "ci", "deep")


class UsageError(ValueError):
    """A setting that does not exist or does not fit the contract."""


REFUSED = (
    UsageError, UnknownContract, AdapterError, TargetUnusable, CaseError, ExpectedError,
)  # fmt: skip
"""What a run is refused with: each says what was wrong and what there is."""


@dataclass(frozen=True)
class Job:
    """What is to be checked: a contract made for its options, an adapter, settings."""

    contract: Contract | ModuleContract
    adapter: Mapping[str, Any]
    settings: Settings
    init: str = ""
    force: tuple[str, ...] = ()
    starts: str = ""

    def told(self) -> dict[str, Any]:
        """The settings, for the record."""
        return {
            "profile": self.settings.profile,
            "seed": self.settings.seed,
            "device": self.settings.device,
            "computes_in": self.settings.computes_in,
            "domain": dict(self.settings.options.domain),
            "values": dict(self.settings.options.values),
            "raw_k": self.settings.options.raw_k,
            **({"init": self.init, "force": list(self.force), "starts": self.starts}
               if isinstance(self.contract, ModuleContract) else {}),
        }  # fmt: skip

    def run(
        self,
        host: Host,
        dtype: str,
        readers: Mapping[str, StatementReader],
        fits: Fits | None = None,
    ) -> FormatRun | ModuleRun:
        """The checks in one format."""
        if isinstance(self.contract, ModuleContract):
            held = [parse_gates("--force", gates) for gates in self.force]
            starts = parse_gates("--starts", self.starts) if self.starts else None
            return ModuleRun(self.contract, host, dtype, self.settings, held, starts)
        return FormatRun(self.contract, host, dtype, self.settings, readers, fits)


def job(
    contract: str,
    *,
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
    init: str = "",
    force: Sequence[str] = (),
    starts: str = "",
) -> Job:
    """Check what the user said, and make the contract for it; as for `conform`."""
    if profile not in PROFILES:
        raise UsageError(f"no profile {profile!r}; there are {', '.join(PROFILES)}")
    if computes_in and computes_in not in DTYPES:
        raise UsageError(f"no dtype {computes_in!r}; there are {', '.join(DTYPES)}")
    given = dict(values or {})
    try:
        made = contract_of(contract, Options(values=given, raw_k=raw_k))
    except UnknownContract:
        raise
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    _check_values(contract, given)
    options = Options(_domain(made, domain or {}), given, raw_k)
    thorough = Settings(seed, profile, device, computes_in, options)
    if isinstance(made, ModuleContract):
        if args or transposed or generator_convention or factor or computes_in or raw_k:
            raise UsageError(
                f"{contract} is about a module: --init, --force, --starts and --domain describe "
                "it; write a module of ten lines around one of another layout"
            )
        for name in ("width", "chunk"):
            if options.domain[name] % 1:
                raise UsageError(
                    f"--domain {name}={options.domain[name]}: a whole number is needed"
                )
        adapter = {"module": {"init": parse_init(init), "width": int(options.domain["width"])}}
        told = Job(made, adapter, thorough, init, tuple(force), starts)
        for option, gates in (*(("--force", text) for text in force), ("--starts", starts)):
            if gates:
                parse_gates(option, gates)
        return told
    if init or force or starts:
        raise UsageError(
            f"{contract} is about an operator: --init, --force and --starts are for "
            f"{' and '.join(MODULES)}"
        )
    if raw_k and contract not in RAW_K:
        raise UsageError(f"{contract} has no directions k: --raw-k is for {', '.join(RAW_K)}")
    adapter = adapter_of(made, args, transposed, generator_convention, factor)
    return Job(made, adapter, thorough)


def conform(
    target: Callable[..., Any] | str,
    *,
    contract: str,
    dtypes: Sequence[str] = DTYPES,
    seconds: float = float("inf"),
    limit: float = 20.0,
    ranges: bool | None = None,
    **settings: Any,
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
    seconds, limit
        Time for the run, and for one call of a target in a process of its own.
    ranges
        Look how far beyond the domain the claims hold; by default not under ``quick``.
    **settings
        ``profile`` ("quick", "ci", "deep"): how many examples follow the strata. ``seed``.
        ``device``. ``domain``: parameters of the contract's domain to replace. ``values``: numbers
        of a variant, ``normalise``, ``eps``, ``rounds``. ``raw_k``: also directions of any length.
        ``computes_in``: a lower format that the target declares to compute in; it gets that bound.
        ``args``, ``transposed``, ``generator_convention``, ``factor``: how the target's signature
        differs (`adapters`). For modules ``init``, keyword arguments of the factory; ``force``,
        gates that the module is to hold, one string for each choice; ``starts``, the gates that it
        says it has as made.

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
    made = job(contract, **settings)
    start = time.monotonic()
    made = replace(made, settings=replace(made.settings, deadline=start + seconds))
    look_beyond = made.settings.profile != "quick" if ranges is None else ranges
    host = host_of(target, made.adapter, limit)
    try:
        checks, found, complete = run_checks(made, host, dtypes, ranges=look_beyond)
    finally:
        host.close()
    taken = time.monotonic() - start
    return ConformanceResult(
        name_of(target), contract, checks, found, complete, taken, made.told(), made.adapter,
        host.location,
    )  # fmt: skip


def replay(
    target: Callable[..., Any] | str, case: Mapping[str, Any], *, limit: float = 20.0
) -> ConformanceResult:
    """Make the check of a failure again, on its input alone.

    Raises
    ------
    CaseError
        If `case` is none.
    """
    case = read_case(case)
    told = dict(case["settings"])
    made = job(case["contract"], **told)
    start = time.monotonic()
    host = host_of(target, case["adapter"], limit)
    try:
        checks = tuple(
            replayed(case, made.contract, made.run(host, case["dtype"], _readers(made.contract)))
        )
    finally:
        host.close()
    taken = time.monotonic() - start
    return ConformanceResult(
        name_of(target), case["contract"], checks, (), True, taken, told, case["adapter"],
        host.location,
    )  # fmt: skip


def host_of(target: Callable[..., Any] | str, adapter: Mapping[str, Any], limit: float) -> Host:
    """Where the target is called."""
    if isinstance(target, str):
        return ProcessHost(target, adapter, limit=limit)
    from .adapters import adapted

    return LocalHost(adapted(target, adapter), location_of(target))


def name_of(target: Callable[..., Any] | str) -> str:
    """The target as the command would name it."""
    if isinstance(target, str):
        return target
    name = getattr(target, "__qualname__", type(target).__qualname__)
    return f"{getattr(target, '__module__', '?')}:{name}"


def run_checks(
    made: Job, host: Host, dtypes: Sequence[str], *, ranges: bool
) -> tuple[tuple[Check, ...], tuple[Range, ...], bool]:
    """The checks in every format, the ranges, and whether the time sufficed.

    An exception of the kit is the error of a check, and the formats after it are looked at.
    """
    fits: Fits = {}
    readers = _readers(made.contract)
    checks: list[Check] = []
    found: list[Range] = []
    for dtype in dtypes:
        run = made.run(host, dtype, readers, fits)
        before = len(checks)
        try:
            checks += run.run()
            if ranges and isinstance(run, FormatRun):
                from .ranges import ranges_of

                found += ranges_of(run)
        except OutOfTime:
            seen = {c.claim for c in checks[before:]}
            checks += [c for c in run.finished_so_far() if c.claim not in seen]
            return tuple(checks), tuple(found), False
        except TargetUnusable:
            raise
        except Exception as problem:
            seen = {c.claim for c in checks[before:]}
            checks += [c for c in run.finished_so_far() if c.claim not in seen]
            name = f"{made.contract.name}.{'ranges' if seen else 'run'}"
            checks.append(Check(name, "error", dtype, diagnosis=fault_of(problem)))
    return tuple(checks), tuple(found), True


def _readers(contract: Contract | ModuleContract) -> dict[str, StatementReader]:
    if isinstance(contract, ModuleContract):
        return {}
    return {s.claim: StatementReader(s) for s in contract.statements}


def _check_values(contract: str, given: Collection[str]) -> None:
    """Refuse a number that the contract has not."""
    for name in given:
        if name in values_of(contract):
            continue
        if name in VALUES:
            raise UsageError(f"{contract} has no {name}: --{name} is for {VALUES[name][0]}")
        raise UsageError(f"{contract} has no {name!r}; there are {', '.join(VALUES)}")


def _domain(contract: Contract | ModuleContract, changed: Mapping[str, float]) -> dict[str, float]:
    known = {p.name: p.value for p in contract.domain}
    for name in changed:
        if name not in known:
            there = ", ".join(known) or "none"
            raise UsageError(f"{contract.name} has no domain parameter {name!r}; there are {there}")
        if not 0 < changed[name] < float("inf"):
            raise UsageError(f"--domain {name}={changed[name]}: a positive number is needed")
    return {**known, **changed}
