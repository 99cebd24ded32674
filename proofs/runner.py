"""Running the checks of many claims: cache first, then worker processes.

run(entries, …)    == a Run: one Result a claim, in order
Run, Result        == what was found; `Run.exit_code`
Pool               == worker processes that are handed one task at a time
MissingTool        == a required kind that this machine cannot check

A worker that dies, or does not answer in time, costs the task it had: that becomes `error`
evidence and another worker takes its place. A worker that has loaded torch or SymPy is handed the
tasks that need it. Nothing is written down before everything is known.
"""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..symbolic.evidence import DECIDES_PROVED, DECIDES_REFUTED, Evidence, Kind, Outcome
from . import checks
from .cache import Cache, digest
from .catalogue import owed
from .catalogue.entry import Entry
from .checks import Settings, Task
from .output import OutputError, write
from .pictures import measure
from .processes import end_with_parent
from .selection import NothingSelected, no_check, unchecked
from .teeth import SEARCHED, MutantResult, toothless, try_mutants
from .verdicts import Row, Ruling, agrees, lacking, parse_kinds, standing

TIME_LIMIT = 600.0
CHEAP = frozenset({Kind.CERTIFICATE, None})


class MissingTool(Exception):
    """A kind was required whose tool or layer is not installed."""


@dataclass(frozen=True)
class Result:
    """One claim: its evidence of today and what follows from it.

    `certificate` is the JSON data of the certificate that confirmed it, if one did.
    """

    entry: Entry
    evidence: tuple[Evidence, ...]
    witness: Mapping[str, Any] | None
    mutants: tuple[MutantResult, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    certificate: Mapping[str, Any] | None = field(default=None, compare=False)

    @property
    def id(self) -> str:
        """The id of the claim."""
        return self.entry.claim.id

    @property
    def ruling(self) -> Ruling:
        """What follows from the evidence."""
        return self.row.ruling

    @property
    def toothless(self) -> list[Kind]:
        """The kinds that decide the verdict and rejected no mutant, where mutants were tried."""
        deciding = [e.kind for e in self.evidence if agrees(e, self.ruling.verdict)]
        return toothless(self.verdict, deciding, self.mutants)

    @property
    def verdict(self) -> str:
        """proved, refuted or open."""
        return self.ruling.verdict

    @property
    def status(self) -> str:
        """as_expected, differs, inconsistent or error."""
        return self.ruling.status

    @property
    def row(self) -> Row:
        """What the outcome depends on."""
        return Row(
            self.id,
            self.entry.claim.expected,
            self.evidence,
            self.entry.kinds,
            automatic=checks.is_bare(self.entry),
            witnessed=self.witness is not None or not self.entry.claim.given,
            accepted=tuple(m.name for m in self.mutants if m.accepted_falsely),
            owed=owed(self.entry),
        )

    def __str__(self) -> str:
        said = ", ".join(f"{e.kind.value} {e.outcome.value}" for e in self.evidence)
        note = f" ({self.ruling.note})" if self.ruling.note else ""
        return f"{self.id}: {self.verdict}{note}; {said}"


@dataclass(frozen=True)
class Run:
    """The results of one run, in the order of the selection."""

    results: tuple[Result, ...]
    seed: int = 0
    kinds: tuple[Kind, ...] = tuple(Kind)
    required: tuple[str, ...] = ()
    catalogue: str | None = None
    seconds: float = field(default=0.0, compare=False)
    mutants: bool = False
    pictures: tuple[Mapping[str, Any], ...] = field(default=(), compare=False)

    def __getitem__(self, claim_id: str) -> Result:
        for result in self.results:
            if result.id == claim_id:
                return result
        raise KeyError(claim_id)

    @property
    def lacking(self) -> dict[str, str]:
        """Required kinds that a claim must have and has not: id -> what is missing."""
        return lacking([r.row for r in self.results], self.required)

    @property
    def ok(self) -> bool:
        """Is everything as expected?"""
        return self.exit_code() == 0

    def exit_code(self, *, strict: bool = False) -> int:
        """The exit code of the command: 3, 1, 6 or 0, in this precedence."""
        missing = self.lacking
        found = {standing(r.row, lacks=r.id in missing, strict=strict) for r in self.results}
        if "crashed" in found:
            return 3
        if "fails" in found:
            return 1
        # of a bare claim no mutant may be known to be false; that is told, and fails nothing
        attached = [r for r in self.results if not r.row.automatic]
        if self.mutants and any(r.toothless for r in attached):
            return 1
        return 6 if strict and found & {"undecided", "doubtful"} else 0

    def record(self, *, strict: bool = False) -> dict[str, Any]:
        """The run as the JSON value that `verify --json` writes."""
        from .record import run_record

        return run_record(self, strict=strict)

    def __str__(self) -> str:
        return "\n".join(map(str, self.results))


# ---------------------------------------------------------------- running


def run(
    entries: Iterable[Entry],
    *,
    kinds: frozenset[Kind] | None = None,
    required: Sequence[str] = (),
    seed: int = 0,
    jobs: int = 0,
    cache: Cache | None = None,
    mutants: bool = False,
    certificates: Path | None = None,
    seconds: float = checks.SEARCH_SECONDS,
    degree: int = checks.SEARCH_DEGREE,
    catalogue: str | None = None,
    notify: Callable[[int, int, str], None] | None = None,
) -> Run:
    """Check `entries` and judge them.

    Parameters
    ----------
    kinds : frozenset of Kind, optional
        The kinds to run; all that are attached by default. Required kinds are run in any case.
    required : sequence of str
        Names of kinds or groups that the claims must have.
    jobs : int
        Worker processes; 0 runs everything in this process.
    mutants : bool
        Run every mutant of every claim through every kind as well.
    certificates : Path, optional
        The folder of stored certificates; those of the package by default. Certificates that are
        found are written there.
    seconds, degree : float, int
        Bounds of each search: its time, and the length of the products in a certificate.
    notify : callable, optional
        Told, after each task, how many are done, of how many, and for which claim.

    Raises
    ------
    NothingSelected
        There are no entries, or `kinds` leave one of them without a single check.
    MissingTool
        A required kind cannot be checked on this machine.
    """
    start = time.perf_counter()
    entries = list(entries)
    cache = Cache() if cache is None else cache
    wanted = frozenset(Kind) if kinds is None else kinds
    wanted |= parse_kinds(required)
    used = [k for k in Kind if k in wanted and any(k in e.kinds for e in entries)]
    tools = {*used, *SEARCHED} if mutants else used
    missing = {kind: checks.missing_tools(kind) for kind in tools}
    for name in required:
        for kind in parse_kinds([name]):
            if problem := missing.get(kind) or (kind not in used and checks.missing_tools(kind)):
                raise MissingTool(f"{name} is required, but {problem}")
    if not entries:
        raise NothingSelected("there are no claims to check")
    if without := unchecked(entries, wanted, required):
        raise NothingSelected(no_check(without, wanted))
    settings = Settings(
        seed=seed,
        certificates=certificates or checks.CERTIFICATES,
        jobs=max(jobs, 1),
        seconds=seconds,
        degree=degree,
    )

    by_entry: list[list[Task]] = []
    for entry in entries:
        asked = [kind for kind in entry.kinds if kind in wanted]
        by_entry.append([Task(entry, None), *(Task(entry, kind) for kind in asked)])
    tasks = [task for group in by_entry for task in group]
    with _kernel_folder(cache) as folder:
        told = replace(settings, kernel_folder=folder)

        def perform_all(wanted: list[Task]) -> list[tuple[Any, float]]:
            return _perform_all(wanted, told, cache, missing, jobs, notify)

        values = perform_all(tasks)
        if certificates is not None:
            _keep_certificates(tasks, values, certificates)
        done = iter(values)
        results = [
            _result(entry, [(task, *next(done)) for task in group])
            for entry, group in zip(entries, by_entry, strict=True)
        ]
        results = _resting(results, catalogue)
        if mutants:
            tried = try_mutants(
                [(r.entry, [e.kind for e in r.evidence], r.certificate) for r in results],
                lambda more: [value for value, _ in perform_all(more)],
            )
            results = [replace(r, mutants=m) for r, m in zip(results, tried, strict=True)]
    # of the built-in claims only: a user's claim may have the id of one
    shown = [e.claim.id for e in entries] if catalogue is None else []
    pictures = measure(shown, [k for k in used if not missing[k]], cache)
    return Run(
        tuple(results),
        seed=seed,
        kinds=tuple(k for k in Kind if k in wanted),
        required=tuple(required),
        catalogue=catalogue,
        pictures=pictures,
        seconds=time.perf_counter() - start,
        mutants=mutants,
    )


@contextmanager
def _kernel_folder(cache: Cache) -> Iterator[Path]:
    """Where Rocq compiles: in the cache, or where that is not used in a folder of this run."""
    if cache.enabled:
        yield cache.kernel
        return
    with TemporaryDirectory(prefix="deltaproof-rocq-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _resting(results: Sequence[Result], catalogue: str | None) -> list[Result]:
    """The results, with what each proof rests on, and with which of that is not proved.

    What was not decided in this run keeps nothing from being proved.
    """
    from .dependencies import Claims, dependencies

    entries = [r.entry for r in results]
    if catalogue is None:
        from .catalogue import ENTRIES

        known = {e.claim.id for e in ENTRIES}
        entries = [*ENTRIES, *(e for e in entries if e.claim.id not in known)]
    claims = Claims(entries)
    held: dict[str, Result] = {}
    for result in results:
        every = dependencies(result.entry, claims, result.certificate)
        held[result.id] = _noted(
            result,
            lambda e, r=result, every=every: {
                "rests_on": [*every.get(e.kind, ())] if agrees(e, r.ruling.verdict) else []
            },
        )
    while True:  # what falls may take others with it
        rulings = {name: r.ruling for name, r in held.items()}
        fallen = {n for n, r in rulings.items() if r.verdict != "proved" and not r.undecided}

        def unproved(e: Evidence, fallen: set[str] = fallen) -> dict[str, Any]:
            return {"unproved": [n for n in e.data.get("rests_on", ()) if n in fallen]}

        after = {name: _noted(r, unproved) for name, r in held.items()}
        if after == held:
            return [*held.values()]
        held = after


def _noted(result: Result, note: Callable[[Evidence], Mapping[str, Any]]) -> Result:
    """The result with more data on its deciding evidence; what is empty is left out."""
    evidence = tuple(
        replace(e, data={**e.data, **{key: value for key, value in note(e).items() if value}})
        if e.kind in DECIDES_PROVED | DECIDES_REFUTED
        else e
        for e in result.evidence
    )
    return replace(result, evidence=evidence)


def _keep_certificates(
    tasks: Sequence[Task], values: Sequence[tuple[Any, float]], folder: Path
) -> None:
    """Write the certificates that were found, for version control."""
    from ..symbolic.certificates import Certificate, spell_certificate

    for task, (value, _) in zip(tasks, values, strict=True):
        path = folder / f"{task.claim.id}.json"
        if task.kind is Kind.CERTIFICATE and not task.mutant and checks.FOUND in value.data:
            text = spell_certificate(Certificate.from_json(value.data[checks.FOUND]))
            if not path.is_file():
                try:
                    write(path, text)
                except OSError as problem:
                    why = problem.strerror or problem
                    raise OutputError(f"cannot write the certificate {path}: {why}") from None


def _result(entry: Entry, done: Sequence[tuple[Task, Any, float]]) -> Result:
    found = [value for task, value, _ in done if task.kind is not None]
    evidence = [checks.without_found(value) for value in found]
    (witness,) = (value for task, value, _ in done if task.kind is None)
    if isinstance(witness, Evidence):
        # no kind is to blame, so the error is told beside the first one
        first, *others = evidence
        detail = f"the search for a witness stopped: {witness.detail}"
        evidence = [replace(witness, kind=first.kind, detail=detail), *others]
        witness = None
    return Result(
        entry,
        tuple(evidence),
        witness,
        (),
        {
            task.kind.value if task.kind else "witness": round(seconds, 4)
            for task, _, seconds in done
        },
        next((e.data[checks.FOUND] for e in found if checks.FOUND in e.data), None),
    )


def _perform_all(
    tasks: Sequence[Task],
    settings: Settings,
    cache: Cache,
    missing: Mapping[Kind, str],
    jobs: int,
    notify: Callable[[int, int, str], None] | None,
) -> list[tuple[Any, float]]:
    """The value and the seconds of each task, from the cache where it has them."""
    environment = checks.Environment.of([k for k in missing if not missing[k]])
    found: dict[int, tuple[Any, float]] = {}
    keys: dict[int, str] = {}

    def finish(position: int, value: Any, seconds: float, *, fresh: bool = True) -> None:
        found[position] = (value, seconds)
        keep = not isinstance(value, Evidence) or value.outcome not in (
            Outcome.ERROR,
            Outcome.SKIPPED,
        )
        if fresh and keep and position in keys:
            cache.put(keys[position], to_json(value))
        if notify is not None:
            notify(len(found), len(tasks), tasks[position].claim.id)

    tasks = list(tasks)  # those that wait get their certificates later

    def look_up(positions: Iterable[int]) -> list[int]:
        """Finish what is known; the positions of the rest."""
        pending: list[int] = []
        for i in positions:
            task = tasks[i]
            if task.kind is not None and missing.get(task.kind):
                skipped = Evidence(task.kind, Outcome.SKIPPED, missing[task.kind])
                finish(i, skipped, 0.0, fresh=False)
                continue
            keys[i] = digest(checks.fingerprint(task, settings, environment))
            stored = cache.get(keys[i])
            if stored is None:
                pending.append(i)
            else:
                finish(i, from_json(stored), 0.0, fresh=False)
        return pending

    sources = _certificates_before(tasks)

    def late() -> list[tuple[int, ...]] | None:
        """The tasks that wait for certificates, once those are known; None before."""
        if not all(i in found for i in sources.values()):
            return None
        ready = []
        for i, source in sources.items():
            value = found[source][0]
            if tasks[i].kind is Kind.COUNTEREXAMPLE:
                tasks[i] = replace(tasks[i], decided=value.outcome is Outcome.CONFIRMED)
                ready.append(i)
            elif certificate := value.data.get(checks.FOUND):
                tasks[i] = replace(tasks[i], certificate=certificate)
                ready.append(i)
            else:
                reason = missing.get(Kind.KERNEL) or "there is no certificate to export"
                finish(i, Evidence(Kind.KERNEL, Outcome.SKIPPED, reason), 0.0, fresh=False)
        return _batches(tasks, look_up(ready))

    pending = look_up(i for i in range(len(tasks)) if i not in sources)
    if jobs == 0:
        for batches in (lambda: _batches(tasks, pending), late):
            for batch in batches() or []:
                begun = time.perf_counter()
                values = work([tasks[i] for i in batch], settings)
                share = (time.perf_counter() - begun) / len(batch)
                for i, value in zip(batch, values, strict=True):
                    finish(i, value, share)
    elif pending or sources:
        with Pool(jobs, settings) as pool:
            pool.run(tasks, _batches(tasks, pending), finish, late=late)
    return [found[i] for i in range(len(tasks))]


def _certificates_before(tasks: Sequence[Task]) -> dict[int, int]:
    """The tasks that wait for a certificate, and the task that finds it.

    The kernel's without a lemma need it; the search against a bare claim that is expected to hold
    is short where there is one.
    """
    finding = {
        (id(task.entry), task.mutant): i
        for i, task in enumerate(tasks)
        if task.kind is Kind.CERTIFICATE
    }

    def waits(task: Task) -> bool:
        if task.kind is Kind.KERNEL:
            return task.entry.lemma is None
        searches = task.kind is Kind.COUNTEREXAMPLE and not task.mutant
        return searches and task.claim.expected == "proved" and checks.is_bare(task.entry)

    return {
        i: finding[id(task.entry), task.mutant]
        for i, task in enumerate(tasks)
        if waits(task) and (id(task.entry), task.mutant) in finding
    }


def _batches(tasks: Sequence[Task], pending: Sequence[int]) -> list[tuple[int, ...]]:
    """The kernel's tasks as one batch, every other task by itself."""
    kernel = tuple(i for i in pending if tasks[i].kind is Kind.KERNEL)
    others = [(i,) for i in pending if tasks[i].kind is not Kind.KERNEL]
    return [kernel, *others] if kernel else others


def work(tasks: Sequence[Task], settings: Settings) -> list[Any]:
    """Perform one batch."""
    if tasks[0].kind is Kind.KERNEL:
        return checks.perform_kernel(tasks, settings)
    return [checks.perform(task, settings) for task in tasks]


def to_json(value: Any) -> Any:
    """Evidence, or a witness, as a JSON value for the cache."""
    if not isinstance(value, Evidence):
        return {"witness": value}
    return {
        "kind": value.kind.value,
        "outcome": value.outcome.value,
        "detail": value.detail,
        "scope": value.scope,
        "data": value.data,
    }


def from_json(stored: Mapping[str, Any]) -> Any:
    """The inverse of `to_json`."""
    if "witness" in stored:
        return stored["witness"]
    kind, outcome = Kind(stored["kind"]), Outcome(stored["outcome"])
    return Evidence(kind, outcome, stored["detail"], stored["scope"], stored["data"])


# ---------------------------------------------------------------- worker processes


@dataclass
class _Worker:
    process: Any
    pipe: Any
    batch: tuple[int, ...] | None = None
    since: float = 0.0
    loaded: set[Kind | None] = field(default_factory=set)


class Pool:
    """Worker processes, each handed one batch of tasks at a time.

    `work` is the function that they call; another one must be importable by its name.
    """

    def __init__(
        self,
        jobs: int,
        settings: Settings,
        *,
        work: Callable[[Sequence[Task], Settings], list[Any]] = work,
        time_limit: float = TIME_LIMIT,
    ):
        import multiprocessing

        # spawn: a fork of a process with threads, or with torch loaded, may deadlock
        self.context = multiprocessing.get_context("spawn")
        self.jobs, self.settings, self.work, self.time_limit = jobs, settings, work, time_limit
        self.workers: list[_Worker] = []

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *exception: object) -> None:
        for worker in self.workers:
            self._end(worker)

    def _start(self) -> _Worker:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(
            target=_serve, args=(theirs, self.work, self.settings, os.getpid()), daemon=True
        )
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self.workers.append(worker)
        return worker

    def _end(self, worker: _Worker) -> None:
        worker.pipe.close()
        try:
            # the worker leads a process group: compilers that it started end with it
            os.killpg(worker.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError, AttributeError):
            worker.process.kill()
        worker.process.join()

    def run(
        self,
        tasks: Sequence[Task],
        batches: Iterable[tuple[int, ...]],
        finish: Callable[[int, Any, float], None],
        late: Callable[[], list[tuple[int, ...]] | None] = lambda: [],
    ) -> None:
        """Perform all `batches` of positions in `tasks`; `finish` is told each value.

        `late` is asked for more after each value until it answers with batches instead of None.
        """
        from multiprocessing.connection import wait

        more = late()
        # what others wait for comes first
        first = Kind.CERTIFICATE if more is None else None
        todo = deque(sorted(batches, key=lambda b: _order(tasks[b[0]], first)))
        todo.extend(more or [])
        self._start_for(todo, tasks)
        while True:
            if more is None and (more := late()):
                todo.extend(more)
                self._start_for(todo, tasks)
            for worker in self.workers:
                if worker.batch is None and todo:
                    torch = any(Kind.TORCH in w.loaded for w in self.workers)
                    self._hand(worker, _choose(todo, worker, tasks, torch), tasks)
            busy = [w for w in self.workers if w.batch is not None]
            if not busy:
                return
            ready = wait([w.pipe for w in busy], timeout=1.0)
            for worker in busy:
                if worker.pipe in ready:
                    self._collect(worker, tasks, finish)
                elif time.perf_counter() - worker.since > self.time_limit:
                    why = f"did not finish in {self.time_limit:.0f} s"
                    self._replace(worker, why, tasks, finish)

    def _start_for(self, todo: deque[tuple[int, ...]], tasks: Sequence[Task]) -> None:
        """Start the workers that `todo` needs, and those of the kernel on their way."""
        # compiling waits for other processes most of the time: it gets a worker of its own
        for batch in [b for b in todo if tasks[b[0]].kind is Kind.KERNEL]:
            todo.remove(batch)
            self._hand(self._start(), batch, tasks)
        others = sum(Kind.KERNEL not in w.loaded for w in self.workers)
        for _ in range(min(self.jobs, len(todo)) - others):
            self._start()

    def _hand(self, worker: _Worker, batch: tuple[int, ...], tasks: Sequence[Task]) -> None:
        worker.batch, worker.since = batch, time.perf_counter()
        worker.loaded.add(tasks[batch[0]].kind)
        try:
            worker.pipe.send([tasks[i] for i in batch])
        except OSError:
            return  # it died before; `_collect` sees the closed pipe

    def _collect(
        self,
        worker: _Worker,
        tasks: Sequence[Task],
        finish: Callable[[int, Any, float], None],
    ) -> None:
        assert worker.batch is not None
        try:
            values = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join(1.0)
            why = f"the worker process died (exit code {worker.process.exitcode})"
            self._replace(worker, why, tasks, finish)
            return
        share = (time.perf_counter() - worker.since) / len(worker.batch)
        for i, value in zip(worker.batch, values, strict=True):
            finish(i, value, share)
        worker.batch = None

    def _replace(
        self,
        worker: _Worker,
        why: str,
        tasks: Sequence[Task],
        finish: Callable[[int, Any, float], None],
    ) -> None:
        assert worker.batch is not None
        self.workers.remove(worker)
        self._end(worker)
        for i in worker.batch:
            kind = tasks[i].kind
            error = Evidence(
                kind or Kind.COUNTEREXAMPLE, Outcome.ERROR, why, data={"exception": "WorkerDied"}
            )
            finish(i, error, time.perf_counter() - worker.since)
        self._start()


def _order(task: Task, first: Kind | None = None) -> tuple[bool, bool, bool]:
    """Torch takes longest to load, so it begins; what takes milliseconds fills the end."""
    return (task.kind is not first, task.kind is not Kind.TORCH, task.kind in CHEAP)


def _choose(
    todo: deque[tuple[int, ...]], worker: _Worker, tasks: Sequence[Task], torch_loaded: bool
) -> tuple[int, ...]:
    """The next batch for a worker: of a kind it has loaded; torch in one worker while that pays."""
    kinds = [tasks[batch[0]].kind for batch in todo]
    familiar = [i for i, kind in enumerate(kinds) if kind in worker.loaded]
    light = [i for i, kind in enumerate(kinds) if kind is not Kind.TORCH]
    choice = (familiar or light or [0])[0] if torch_loaded else 0
    batch = todo[choice]
    del todo[choice]
    return batch


def _serve(
    pipe: Any, perform: Callable[[Any, Settings], Any], settings: Settings, parent: int
) -> None:
    """A worker: perform what arrives until the other end closes, or `parent` dies."""
    end_with_parent(parent)
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # data goes to the standard output of the command alone
    with suppress(OSError):
        os.dup2(2, 1)
    # one thread a worker: the workers share the cores, and sums come out the same every time
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    while True:
        try:
            tasks = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            pipe.send(perform(tasks, settings))
        except OSError:
            return  # the command is gone; nobody waits for this
