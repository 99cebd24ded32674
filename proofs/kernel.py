"""The kernel: a claim is printed as a Rocq theorem, proved, compiled and audited.

check_kernel(claims, …) == Evidence by claim id, from one compilation of all of them
kernel_status()         == KernelStatus: which coqc, which libraries, how to install them
theorem_file(claim, …)  == one claim as a `.v` file, and what it loads
DEVELOPMENT             == the folder of hand-written lemmas
CLASSICAL_REALS         == the axioms that a theorem about functions of a real variable may use

The lemma never counts by its name. What counts is a theorem whose statement rocq.py printed from
the claim, which coqc compiled, and which `Print Assumptions`, asked of the compiled file in a
process of its own, finds to rest on nothing but what is allowed.

The proof is a hand-written lemma, or else a certificate, exported for the reflective checker of
rocq/typed_words.v. Neither is trusted.

A theorem that its proof does not close is `inconclusive`: that a proof fails refutes nothing. What
keeps the kernel from judging is an `error`, with file and line: a file of the development that does
not compile or leaves something unproved, an axiom that is not allowed, a lemma that does not exist,
a statement that Rocq cannot read, a time limit.

Results are kept as JSON under a key of statement, proof script, every file that the proof rests on
and the toolchain. Left out: how coqc is run (coqc.py), printing (symbolic/rocq.py), exporting
(symbolic/rocq_certificate.py).
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from ..symbolic.claims import Claim, statement_hash
from ..symbolic.evaluation import Unsupported
from ..symbolic.evidence import Evidence, Kind, Outcome
from ..symbolic.rocq import RocqTheorem, print_theorem
from .coqc import (
    LIBRARIES,
    LOGICAL,
    Failure,
    Source,
    Store,
    Toolchain,
    closure,
    digest,
    find_toolchain,
    holes,
    libraries_of,
    one_line,
    read_development,
)

DEVELOPMENT = Path(__file__).parent / "rocq"
INSTALL = (
    "apt-get install --no-install-recommends coq libcoq-mathcomp-algebra "
    "libcoq-mathcomp-algebra-tactics libcoq-coquelicot"
)
CLASSICAL_REALS = frozenset(
    (
        "ClassicalDedekindReals.sig_not_dec",
        "ClassicalDedekindReals.sig_forall_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    )
)
# Raised whenever this module would judge the same input in another way
_SCHEME = 1


@dataclass(frozen=True)
class KernelStatus:
    """What the kernel needs and finds. `missing` is a sentence, empty when nothing is."""

    coqc: str | None
    versions: Mapping[str, str]
    libraries: Mapping[str, bool]
    missing: str
    install: str = INSTALL


def kernel_status() -> KernelStatus:
    """Which coqc is on the PATH, which of the libraries it finds, and how to install the rest.

    `versions` identifies the toolchain for caches: "coqc", and "libraries", a hash of theirs.
    """
    toolchain = find_toolchain()
    if toolchain is None:
        nothing = {library.name: False for library in LIBRARIES}
        return KernelStatus(None, {"coqc": "", "libraries": ""}, nothing, "coqc not found")
    absent = [library for library in LIBRARIES if not toolchain.libraries[library.name]]
    return KernelStatus(
        toolchain.coqc,
        {"coqc": toolchain.version, "libraries": toolchain.fingerprint},
        toolchain.libraries,
        ", ".join(f"{library.name} not found ({library.package})" for library in absent),
    )


@dataclass(frozen=True)
class _Task:
    """A theorem, the file and lemma that its proof rests on, and the sentences of the proof.

    `tactic` is the proof as one tactic, where it is one: then its failure can be asked about.
    """

    theorem: RocqTheorem
    file: str
    lemma: str
    sources: tuple[Source, ...]
    proof: str
    tactic: str | None

    @property
    def shown_lemma(self) -> str:
        """The lemma under its qualified name; that of a certificate has one already."""
        return self.lemma if self.tactic is None else f"{self.file}.{self.lemma}"

    def key(self, toolchain: Toolchain) -> str:
        """Everything that the verdict depends on; the name of the theorem is not."""
        texts = [[source.name, source.text] for source in self.sources]
        said = [self.theorem.preamble, self.theorem.statement, self.proof]
        return digest([_SCHEME, said, texts, toolchain.fingerprint])


def _by_lemma(theorem: RocqTheorem, file: str, lemma: str, sources: tuple[Source, ...]) -> _Task:
    """Finds the arguments of the lemma by unification, its premises among the hypotheses."""
    premise = 'eassumption || fail "a premise of the lemma is not among the hypotheses"'
    tactic = f"intros; eapply {file}.{lemma}; ({premise})"
    return _Task(theorem, file, lemma, sources, f"{tactic}.", tactic)


@dataclass(frozen=True)
class _Ruling:
    """What the kernel says of a task: the part of the evidence that is cached."""

    outcome: Outcome
    detail: str
    assumptions: tuple[str, ...] = ()
    lasting: bool = True


def check_kernel(
    claims: Iterable[Sequence[Any]],
    *,
    cache_dir: Path,
    jobs: int = 2,
    progress: Callable[[str], None] | None = None,
    time_limit: float = 300.0,
    development: Path = DEVELOPMENT,
) -> dict[str, Evidence]:
    """Let Rocq judge claims.

    Parameters
    ----------
    claims : iterable of (Claim, lemma) or (Claim, lemma, certificate)
        `lemma` is "file:name" for the lemma `name` of `file.v`. Without one the certificate, a
        Certificate or its JSON data, is exported; with neither the claim is skipped. Ids must
        differ.
    cache_dir : Path
        Where files are compiled and results kept; runs may share it.
    jobs : int
        How many coqc may run at once.
    progress : callable, optional
        Is told what is being compiled.
    time_limit : float
        Seconds for each run of coqc.
    development : Path
        The folder of the lemma files.

    Returns
    -------
    dict
        Evidence of kind `kernel` by claim id. `data["rocq"]` holds lemma, file, statement and,
        where confirmed, the assumptions.
    """
    wanted: dict[str, tuple[Claim, str | None, Any]] = {}
    for claim, lemma, *rest in claims:
        if claim.id in wanted:
            raise ValueError(f"two claims are called {claim.id}; give one of them another id")
        wanted[claim.id] = (claim, lemma, rest[0] if rest else None)
    toolchain = find_toolchain()
    sources = read_development(development)
    found: dict[str, Evidence] = {}
    tasks: dict[str, _Task] = {}
    for name, (claim, lemma, certificate) in wanted.items():
        prepared = _prepare(claim, lemma, certificate, sources, toolchain)
        if isinstance(prepared, _Task):
            tasks[name] = prepared
        else:
            found[name] = prepared
    if toolchain is not None and tasks:
        store = Store(Path(cache_dir), toolchain, time_limit)
        rulings = _rule([*tasks.values()], store, jobs, progress or (lambda _: None))
        for (name, task), ruling in zip(tasks.items(), rulings, strict=True):
            found[name] = _evidence(task, ruling)
    return {name: found[name] for name in wanted}


def _prepare(
    claim: Claim,
    lemma: str | None,
    certificate: Any,
    sources: Mapping[str, Source],
    toolchain: Toolchain | None,
) -> _Task | Evidence:
    """The task of a claim, or the evidence where there is nothing to compile."""
    if lemma is None and certificate is None:
        return _skipped("no lemma and no certificate is attached")
    if toolchain is None:
        return _skipped("coqc not found")
    try:
        if lemma is not None:
            file, colon, name = lemma.partition(":")
            words = re.fullmatch(r"[A-Za-z]\w*", file) and re.fullmatch(r"[A-Za-z][\w']*", name)
            if not (colon and words):
                return _error(f"a lemma is named file:name, got {lemma!r}")
            task = _by_lemma(print_theorem(claim), file, name, closure(sources, file))
        else:
            task = _by_certificate(claim, certificate, sources)
            if isinstance(task, Evidence):
                return task
    except (Unsupported, LookupError) as reason:
        # an attached lemma must be used; that there is no export of a certificate is no defect
        return _skipped(str(reason)) if lemma is None else _error(str(reason))
    for source in task.sources:
        for line, word in holes(source):
            return _error(f"{source.name}.v:{line}: {word}: the development leaves it unproved")
    loaded = {library: None for text in task.sources for library in text.libraries}
    for library in {**loaded, **dict.fromkeys(libraries_of(task.theorem.preamble))}:
        if not toolchain.libraries[library.name]:
            return _skipped(f"{library.name} not found; apt-get install {library.package}")
    return task


def _by_certificate(
    claim: Claim, certificate: Any, sources: Mapping[str, Source]
) -> _Task | Evidence:
    # certificates need the free algebra, which a claim with a lemma does not
    from ..symbolic.certificates import Certificate, Refused
    from ..symbolic.free_algebra import Unreadable
    from ..symbolic.rocq_certificate import CHECKER, DEVELOPMENT_FILE, export_certificate

    try:
        if not isinstance(certificate, Certificate):
            certificate = Certificate.from_json(certificate)
    except Refused as reason:
        return _error(f"the certificate is refused: {reason}")
    if certificate.statement_hash != statement_hash(claim):
        detail = "the certificate is for another statement"
        return Evidence(Kind.KERNEL, Outcome.INCONCLUSIVE, detail)
    try:
        proof = export_certificate(claim, certificate)
    except (Refused, Unreadable) as reason:  # a statement of another kind than the certificate's
        return _skipped(f"the certificate is not exported: {reason}")
    needed = closure(sources, DEVELOPMENT_FILE)
    return _Task(print_theorem(claim), DEVELOPMENT_FILE, CHECKER, needed, proof, None)


def theorem_file(
    claim: Claim, lemma: str | None, certificate: Any
) -> tuple[str, tuple[Source, ...]]:
    """A claim as a Rocq file of its own, and the files of the development that it loads.

    Raises
    ------
    Unsupported, LookupError, ValueError
        There is no spelling of the claim or no export of the certificate, no such lemma file, or
        neither a lemma nor a certificate that is one.
    """
    sources = read_development(DEVELOPMENT)
    if lemma is not None:
        file, _, name = lemma.partition(":")
        task = _by_lemma(print_theorem(claim), file, name, closure(sources, file))
    else:
        task = _by_certificate(claim, certificate, sources)
    if isinstance(task, Evidence):
        raise ValueError(task.detail)
    said = f"{task.theorem.text}\nProof.\n{task.proof}\nQed.\n"
    return f"{_header(task)}\n{said}", task.sources


def _header(task: _Task) -> str:
    # a lemma is called by its qualified name; the tactics of a certificate need an import
    load = "Require Import" if task.tactic is None else "Require"
    return f"{task.theorem.preamble}\nFrom {LOGICAL} {load} {task.file}.\n"


def _skipped(reason: str) -> Evidence:
    return Evidence(Kind.KERNEL, Outcome.SKIPPED, reason)


def _error(detail: str) -> Evidence:
    return Evidence(Kind.KERNEL, Outcome.ERROR, detail)


def _evidence(task: _Task, ruling: _Ruling) -> Evidence:
    shown: dict[str, Any] = {
        "lemma": task.shown_lemma,
        "file": f"{task.shown_lemma.partition('.')[0]}.v",
        "statement": task.theorem.text,
    }
    if ruling.outcome is Outcome.CONFIRMED:
        shown["assumptions"] = [*ruling.assumptions]
    return Evidence(Kind.KERNEL, ruling.outcome, ruling.detail, data={"rocq": shown})


# ---------------------------------------------------------------- results that are known


def _rule(
    tasks: list[_Task], store: Store, jobs: int, progress: Callable[[str], None]
) -> list[_Ruling]:
    results = store.root / "results"
    results.mkdir(parents=True, exist_ok=True)
    paths = [results / f"{task.key(store.toolchain)[:32]}.json" for task in tasks]
    known = [_read(path) for path in paths]
    if None in known:
        # another run may be compiling the same: wait for it rather than race it
        with FileLock(store.root / "lock"):
            store.sweep()
            known = [_read(path) for path in paths]
            # two claims may say the same: the theorem is then compiled once
            fresh = {path: task for path, task, r in zip(paths, tasks, known, strict=True) if not r}
            rulings = _Run(store, jobs, progress).rule([*fresh.values()])
            made = dict(zip(fresh, rulings, strict=True))
            for path, ruling in made.items():
                if ruling.lasting:
                    _write(path, ruling)
        known = [ruling or made[path] for path, ruling in zip(paths, known, strict=True)]
    return [ruling for ruling in known if ruling is not None]


def _read(path: Path) -> _Ruling | None:
    """A kept result; anything that is not one in full counts as none."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["digest"] != digest(stored["ruling"]):
            return None
        outcome, detail, assumptions = stored["ruling"]
        return _Ruling(Outcome(outcome), detail, tuple(assumptions))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: Path, ruling: _Ruling) -> None:
    content = [ruling.outcome.value, ruling.detail, [*ruling.assumptions]]
    handle, temporary = tempfile.mkstemp(prefix="tmp-", dir=path.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({"digest": digest(content), "ruling": content}, file, ensure_ascii=False)
    os.replace(temporary, path)


# ---------------------------------------------------------------- compiling


@dataclass(frozen=True)
class _Run:
    """One pass over tasks whose results are not known."""

    store: Store
    jobs: int
    progress: Callable[[str], None]

    def rule(self, tasks: list[_Task]) -> list[_Ruling]:
        """A ruling for each task. Tasks of one lemma file share one compilation."""
        executor = ThreadPoolExecutor(max_workers=max(1, self.jobs))
        try:
            failures = self._develop({s.name: s for t in tasks for s in t.sources}, executor)
            rulings: dict[int, _Ruling] = {}
            groups: dict[tuple[str, str, bool], list[int]] = {}
            for i, task in enumerate(tasks):
                failed = next((failures[s.name] for s in task.sources if s.name in failures), None)
                if failed is not None:
                    rulings[i] = _Ruling(Outcome.ERROR, str(failed), lasting=False)
                else:
                    kind = (task.file, task.theorem.preamble, task.tactic is None)
                    groups.setdefault(kind, []).append(i)
            batches = [[tasks[i] for i in group] for group in groups.values()]
            judged = executor.map(self._judge, batches)
            for group, found in zip(groups.values(), judged, strict=True):
                rulings |= dict(zip(group, found, strict=True))
            return [rulings[i] for i in range(len(tasks))]
        finally:
            # an interrupted run must not wait for coqc
            executor.shutdown(wait=False, cancel_futures=True)
            self.store.stop()

    # ---- the development
    def _develop(
        self, sources: Mapping[str, Source], executor: ThreadPoolExecutor
    ) -> dict[str, Failure]:
        """Compile what changed, each file after those it requires; the files that failed."""
        failures: dict[str, Failure] = {}
        pending = dict(sources)
        keys = {name: _keys(closure(sources, name), self.store) for name in sources}
        while pending:
            ready = [s for s in pending.values() if not any(r in pending for r in s.requires)]
            below = [keys[source.name] for source in ready]
            compiled = executor.map(self._source, ready, below)
            for source, failure in zip(ready, compiled, strict=True):
                del pending[source.name]
                if failure is not None:
                    failures[source.name] = failure
                    for above in [s for s in pending.values() if source.name in s.requires]:
                        failures[above.name] = failure
                        del pending[above.name]
        return failures

    def _source(self, source: Source, keys: Mapping[str, str]) -> Failure | None:
        requires = [keys[name] for name in keys if name != source.name]
        if not self.store.has(keys[source.name], source.name, requires):
            self.progress(f"rocq: compiling {source.name}.v")
        return self.store.compile(source.name, source.text, requires)

    # ---- the theorems
    def _judge(self, batch: list[_Task]) -> list[_Ruling]:
        """Rulings on tasks of one file. One that fails does not hide the others."""
        self.progress(f"rocq: {len(batch)} theorems by {batch[0].file}.v")
        rulings: dict[int, _Ruling] = {}
        left = dict(enumerate(batch))
        while left:
            unit = _Unit(left, self.store)
            failure = self.store.compile(unit.name, unit.text, unit.requires)
            if failure is None:
                rulings |= self._audit(unit)
                break
            refused = {} if failure.timed_out else self._probe(unit) or unit.blame(failure)
            if not refused and len(left) > 1:
                refused = {i: self._judge([task])[0] for i, task in left.items()}
            elif not refused:
                refused = {i: _Ruling(Outcome.ERROR, str(failure), lasting=False) for i in left}
            rulings |= refused
            left = {i: task for i, task in left.items() if i not in rulings}
        return [rulings[i] for i in range(len(batch))]

    def _probe(self, unit: _Unit) -> dict[int, _Ruling]:
        """Why theorems are not proved, as far as that can be seen; nothing for the others."""
        if any(task.tactic is None for task in unit.tasks.values()):
            return {}
        text, lines = unit.probe
        # only in this mode does coqc print the messages of `Fail`
        failure, output = self.store.listen("probe", text, unit.requires, "-test-mode")
        if failure is not None:
            at = [i for i, line in lines.items() if line <= failure.line]
            if not at or failure.timed_out:
                return {}
            return {at[-1]: _unreadable(failure)}
        rulings = {}
        for i, said in _sections(output).items():
            task = unit.tasks[i]
            message = one_line(said.partition("has indeed failed with message:")[2])
            if not message or message == f"Tactic failure: {_CLOSED}.":
                continue
            unknown = rf"The (reference|variable) {re.escape(task.shown_lemma)} was not found"
            if re.match(unknown, message):
                reason = f"{task.file}.v has no lemma {task.lemma}"
                rulings[i] = _Ruling(Outcome.ERROR, reason, lasting=False)
            else:
                rulings[i] = _unproved(task, message)
        return rulings

    def _audit(self, unit: _Unit) -> dict[int, _Ruling]:
        """What the compiled theorems rest on, asked in a process that knows the compiled files."""
        requires = [*unit.requires, unit.key]
        failure, output = self.store.listen("audit", unit.audit, requires)
        if failure is not None:
            reason = f"the assumptions could not be read: {failure}"
            return {i: _Ruling(Outcome.ERROR, reason, lasting=False) for i in unit.tasks}
        said = _sections(output)
        return {i: _audited(task, said.get(i, "")) for i, task in unit.tasks.items()}


_CLOSED = "the lemma closes it"


class _Unit:
    """A file of theorems that lemmas of one file close, and the questions asked of it."""

    def __init__(self, tasks: Mapping[int, _Task], store: Store):
        self.tasks = tasks
        first = next(iter(tasks.values()))
        self.name = f"claims_{first.file}"
        self.header = _header(first)
        self.requires = [*_keys(first.sources, store).values()]
        names = [task.theorem.name for task in tasks.values()]
        self.names = {
            i: name if names.count(name) == 1 else f"{name}__{i}"
            for i, name in zip(tasks, names, strict=True)
        }
        self.text = self.header
        self.lines: dict[int, tuple[int, int]] = {}
        for i, task in tasks.items():
            statement = f"\nTheorem {self.names[i]} :\n  {task.theorem.statement}.\n"
            start = self.text.count("\n") + 1
            self.lines[i] = (start, start + statement.count("\n"))
            self.text += f"{statement}Proof.\n{task.proof}\nQed.\n"
        self.key = store.key(self.name, self.text, self.requires)

    def blame(self, failure: Failure) -> dict[int, _Ruling]:
        """The theorem in which coqc stopped."""
        at = [i for i, (start, _) in self.lines.items() if start <= failure.line]
        if not at:
            return {}
        stated = failure.line < self.lines[at[-1]][1]
        task = self.tasks[at[-1]]
        return {at[-1]: _unreadable(failure) if stated else _unproved(task, failure.message)}

    @property
    def probe(self) -> tuple[str, dict[int, int]]:
        """A file that says of each theorem why its proof fails; the line where each begins."""
        text, lines = self.header, {}
        for i, task in self.tasks.items():
            lines[i] = text.count("\n") + 1
            # the second goal is reached only when the proof of the first has succeeded
            text += (
                f"{_marker(i)}Goal ({task.theorem.statement}) /\\ False.\n"
                f'Fail (split; [{task.tactic} | fail 0 "{_CLOSED}"]).\nAbort.\n'
            )
        return text, lines

    @property
    def audit(self) -> str:
        """A file that prints what each theorem rests on."""
        asked = (
            f"{_marker(i)}Print Assumptions {self.name}.{name}.\n" for i, name in self.names.items()
        )
        return f"From {LOGICAL} Require {self.name}.\n{''.join(asked)}"


def _unreadable(failure: Failure) -> _Ruling:
    reason = f"Rocq cannot read the printed statement: {failure.message}"
    return _Ruling(Outcome.ERROR, reason, lasting=False)


def _unproved(task: _Task, message: str) -> _Ruling:
    reason = f"{task.shown_lemma} does not prove the printed statement: {message}"
    return _Ruling(Outcome.INCONCLUSIVE, reason)


def _keys(sources: Sequence[Source], store: Store) -> dict[str, str]:
    """The keys of files that come after those they require."""
    keys: dict[str, str] = {}
    below: dict[str, set[str]] = {}
    for source in sources:
        below[source.name] = {*source.requires}.union(*(below[r] for r in source.requires))
        requires = [keys[name] for name in keys if name in below[source.name]]
        keys[source.name] = store.key(source.name, source.text, requires)
    return keys


def _marker(i: int) -> str:
    return f'Goal True. idtac "== {i}". Abort.\n'


def _sections(output: str) -> dict[int, str]:
    """What was printed after each marker."""
    parts = re.split(r"^== (\d+)\n", output, flags=re.MULTILINE)
    return {int(i): text for i, text in zip(parts[1::2], parts[2::2], strict=True)}


def _audited(task: _Task, said: str) -> _Ruling:
    lemma = task.shown_lemma
    if said.strip() == "Closed under the global context":
        return _Ruling(Outcome.CONFIRMED, f"compiled and audited: {lemma}, no axioms")
    head, _, listed = said.strip().partition("\n")
    if head != "Axioms:":
        reason = f"the assumptions of {lemma} could not be read: {one_line(said) or 'nothing said'}"
        return _Ruling(Outcome.ERROR, reason, lasting=False)
    # a line that is not `name : type` (a fixpoint assumed to be guarded, say) is kept whole
    entries = [line for line in listed.splitlines() if line[:1].strip()]
    named = [re.fullmatch(r"([\w.']+)(?: :.*)?", line) for line in entries]
    axioms = [m[1] if m else line for m, line in zip(named, entries, strict=True)]
    allowed = CLASSICAL_REALS if task.theorem.on_classical_reals else frozenset[str]()
    if excess := [axiom for axiom in axioms if axiom not in allowed]:
        reason = f"{lemma} rests on what is not allowed: {', '.join(excess)}"
        return _Ruling(Outcome.ERROR, reason, lasting=False)
    shown = ", ".join(axiom.rpartition(".")[2] for axiom in axioms)
    detail = f"compiled and audited: {lemma}, on the classical reals ({shown})"
    return _Ruling(Outcome.CONFIRMED, detail, tuple(axioms))
