"""Which function checks which kind of evidence. The one place that dispatches.

perform(task, settings)      == the evidence of one task; an exception becomes `error` evidence
                                that names it under `exception`
perform_kernel(tasks, …)     == the kernel's tasks, compiled together
find_witness(claim, seed)    == values that meet the hypotheses, or None
check_witness(claim, values) == the same values, or a WitnessError that says what they miss
as_entry(claim)              == a bare claim with the kinds that need nothing written by hand
Task                         == one kind of evidence for one statement: a claim or a mutant of it
Settings                     == what a check may be told from outside
fingerprint(task, settings)  == everything the evidence depends on, as JSON
missing_tools(kind)          == what this kind needs and this machine lacks

Functions are imported when they are called: nothing here costs SymPy, mpmath or torch.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from ..symbolic.claims import Claim, statement_hash
from ..symbolic.derivations import Have
from ..symbolic.evidence import Evidence, Kind, Outcome
from .cache import digest, source_digest
from .catalogue.entry import Entry

CERTIFICATES = Path(__file__).parent / "certificates"
SEARCH_SECONDS = 10.0
SEARCH_DEGREE = 16
MUTANT_SEARCH_SECONDS = 2.0
# for a counterexample to what is expected to hold and has a certificate: enough for small values
DECIDED_SEARCH_SECONDS = 1.0
KERNEL_SECONDS = 300.0
# a lemma that does not fit is seen at once, or after a unification without end
MUTANT_KERNEL_SECONDS = 30.0

# what the evidence of a kind is computed by: source files, and distributions
_SYMBOLIC = ("symbolic/*.py", "proofs/checks.py", "proofs/catalogue/entry.py")
_NUMERIC = (*_SYMBOLIC, "numeric/*.py")
SOURCES: Mapping[Kind, tuple[str, ...]] = {
    Kind.KERNEL: (*_SYMBOLIC, "proofs/kernel.py", "proofs/coqc.py", "proofs/rocq/*"),
    Kind.CERTIFICATE: _SYMBOLIC,
    Kind.DERIVATION: _SYMBOLIC,
    Kind.COUNTEREXAMPLE: _SYMBOLIC,
    Kind.COUNTERPROOF: _SYMBOLIC,
    Kind.ENCLOSURE: _NUMERIC,
    Kind.LADDER: _NUMERIC,
    Kind.PROPERTY: _NUMERIC,
    Kind.TORCH: (*_NUMERIC, "torch_impl/**/*.py"),
}
PACKAGES: Mapping[Kind, tuple[str, ...]] = {
    Kind.KERNEL: (),
    Kind.CERTIFICATE: ("python-flint",),
    Kind.DERIVATION: ("sympy", "python-flint"),
    Kind.COUNTEREXAMPLE: ("python-flint", "numpy"),
    Kind.COUNTERPROOF: ("sympy", "python-flint"),
    Kind.ENCLOSURE: ("python-flint",),
    Kind.LADDER: ("mpmath", "python-flint"),
    Kind.PROPERTY: ("hypothesis", "numpy", "python-flint"),
    Kind.TORCH: ("torch", "numpy", "mpmath", "python-flint"),
}
_MODULES = {"python-flint": "flint"}
# the kinds that need nothing written by hand: those of a claim without an entry
AUTOMATIC = (
    Kind.KERNEL, Kind.CERTIFICATE, Kind.COUNTEREXAMPLE, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY,
)  # fmt: skip
# under this name the evidence of a certificate carries the certificate
FOUND = "found_certificate"
# of mutants made by rule some are true; this many that are not show the teeth of a check
GENERATED_MUTANTS = 3


@dataclass(frozen=True)
class Settings:
    """What a check may be told: seed, folders, processes, and how far to search.

    `seconds` bounds each search, for a certificate or a counterexample; `degree` the length of the
    products that the search for a certificate looks at.
    """

    seed: int = 0
    certificates: Path = CERTIFICATES
    kernel_folder: Path = Path()
    jobs: int = 1
    seconds: float = SEARCH_SECONDS
    degree: int = SEARCH_DEGREE

    def limit(self, task: Task) -> float:
        """Seconds for one search."""
        if task.mutant:
            return min(self.seconds, MUTANT_SEARCH_SECONDS)
        return min(self.seconds, DECIDED_SEARCH_SECONDS) if task.decided else self.seconds


@dataclass(frozen=True)
class Task:
    """One kind of evidence for one statement. `mutant` names the mutant that replaced the claim.

    `certificate` is, for the kernel, the JSON data of the certificate that was found. `decided`
    says, to the search for a counterexample, that a certificate confirms what is expected.
    """

    entry: Entry
    kind: Kind | None
    mutant: str = ""
    certificate: Any = None
    decided: bool = False

    @property
    def claim(self) -> Claim:
        """The statement to check."""
        return self.entry.claim


def as_entry(claim: Claim | Entry) -> Entry:
    """`claim` with the kinds of evidence and the mutants that can be found automatically."""
    if isinstance(claim, Entry):
        return claim
    from .catalogue.mutation import generate_mutants

    return Entry(claim, AUTOMATIC, generate_mutants(claim))


def is_bare(entry: Entry) -> bool:
    """Was nothing written by hand for this claim?"""
    written = (entry.derivation, entry.counterproof, entry.lemma, entry.repaired_by, entry.witness)
    return entry.kinds == AUTOMATIC and not any(written) and not entry.operators


# ---------------------------------------------------------------- the checks


def _certificate(task: Task, settings: Settings) -> Evidence:
    from ..symbolic.certificates import Certificate, Refused, check_certificate

    claim = task.claim
    if path := _stored_certificate(task, settings):
        try:
            certificate = Certificate.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, Refused) as problem:
            return _refused(f"{path.name} is no certificate: {problem}")
        if certificate.statement_hash != statement_hash(claim):
            return _refused(
                f"{path.name} certifies another statement (hash {certificate.statement_hash[:12]}, "
                f"this one {statement_hash(claim)[:12]}); remove it to search again"
            )
        origin = path.name
    else:
        from ..symbolic.search import search_certificate

        certificate = search_certificate(
            claim, time_limit=settings.limit(task), degree=settings.degree
        )
        if not isinstance(certificate, Certificate):
            return _refused(f"no certificate found: {certificate}")
        origin = "the certificate found"
    checked = check_certificate(claim, certificate)
    if checked.outcome is not Outcome.CONFIRMED:
        # a certificate that does not hold up says nothing of the statement, and is no crash
        return _refused(f"{origin}: {checked.detail}")
    lines = certificate_lines(claim, certificate)
    data = {**checked.data, "certificate": {**checked.data["certificate"], "lines": lines}}
    # the kernel, and a folder of certificates, get what was found; the record does without
    return replace(checked, data={**data, FOUND: certificate.to_json()})


def _stored_certificate(task: Task, settings: Settings) -> Path | None:
    """The file with the certificate of a claim, if there is one.

    The folder of the package is for its own statements: a claim of somebody else may have the id
    of one of them.
    """
    path = settings.certificates / f"{task.claim.id}.json"
    if task.mutant or not path.is_file():
        return None
    if settings.certificates == CERTIFICATES and not _is_built_in(task.claim):
        return None
    return path


def _is_built_in(claim: Claim) -> bool:
    """Is this the statement that the package has under its id?"""
    from .catalogue import ENTRIES

    own = (e.claim for e in ENTRIES if e.claim.id == claim.id)
    return any(statement_hash(c) == statement_hash(claim) for c in own)


def without_found(evidence: Evidence) -> Evidence:
    """The evidence as it is recorded: without the certificate itself."""
    if FOUND not in evidence.data:
        return evidence
    return replace(evidence, data={k: v for k, v in evidence.data.items() if k != FOUND})


def _refused(detail: str) -> Evidence:
    return Evidence(Kind.CERTIFICATE, Outcome.INCONCLUSIVE, detail)


def certificate_lines(claim: Claim, certificate: Any) -> list[dict[str, str]]:
    """A certificate as lines of mathematics, in LaTeX and in plain text."""
    from ..symbolic.certificate_text import certificate_as_mathematics
    from ..symbolic.certificates import Certificate

    if not isinstance(certificate, Certificate):
        certificate = Certificate.from_json(certificate)
    lines = certificate_as_mathematics(claim, certificate)
    return [{"latex": line.latex, "plain": line.plain} for line in lines]


def _derivation(task: Task, settings: Settings) -> Evidence:
    from ..symbolic.derivations import check_derivation

    if task.entry.derivation is None:
        return _skipped(Kind.DERIVATION, "no derivation is written for this claim")
    return check_derivation(task.claim, task.entry.derivation)


def _counterexample(task: Task, settings: Settings) -> Evidence:
    from ..symbolic.refutation import check_counterexample, search_counterexample

    limit = settings.limit(task)
    found = search_counterexample(task.claim, time_limit=limit, seed=settings.seed)
    if found is None:
        return Evidence(Kind.COUNTEREXAMPLE, Outcome.INCONCLUSIVE, "no counterexample found")
    return check_counterexample(task.claim, found)


def _counterproof(task: Task, settings: Settings) -> Evidence:
    from ..symbolic.counterproofs import check_counterproof

    if task.entry.counterproof is None:
        return _skipped(Kind.COUNTERPROOF, "no counterproof is written for this claim")
    return check_counterproof(task.claim, task.entry.counterproof)


def _false_mutants(entry: Entry, kind: Kind, seed: int) -> list[Claim]:
    """The mutants that a numeric check of a true statement must tell apart from it."""
    if entry.claim.expected == "refuted":
        return []  # they are repairs, and true
    written = [m for m in entry.mutants if not m.rule]
    if written:
        return [m.claim for m in written if not m.stays_true and kind not in m.unseen_by]
    made = (m.claim for m in entry.mutants)
    return list(islice(filter(partial(_is_refuted, seed=seed), made), GENERATED_MUTANTS))


def _is_refuted(claim: Claim, seed: int) -> bool:
    from ..symbolic.refutation import check_counterexample, search_counterexample

    found = search_counterexample(claim, time_limit=1.0, seed=seed)
    if found is None:
        return False
    return check_counterexample(claim, found).outcome is Outcome.CONFIRMED


def _enclosure(task: Task, settings: Settings) -> Evidence:
    from ..numeric.enclosure import check_enclosure

    mutants = _false_mutants(task.entry, Kind.ENCLOSURE, settings.seed)
    return check_enclosure(task.claim, mutants=mutants, seed=settings.seed)


def _ladder(task: Task, settings: Settings) -> Evidence:
    from ..numeric.ladder import check_ladder

    mutants = _false_mutants(task.entry, Kind.LADDER, settings.seed)
    return check_ladder(task.claim, mutants=mutants, seed=settings.seed)


def _property(task: Task, settings: Settings) -> Evidence:
    from ..numeric.property import check_property

    return check_property(task.claim, seed=settings.seed)


def _torch(task: Task, settings: Settings) -> Evidence:
    from ..torch_impl.statements import check_torch

    if not task.entry.operators:
        return _skipped(Kind.TORCH, "no operator is attached to this claim")
    return check_torch(task.claim, task.entry.operators, seed=settings.seed)


CHECKS: Mapping[Kind, Callable[[Task, Settings], Evidence]] = {
    Kind.CERTIFICATE: _certificate,
    Kind.DERIVATION: _derivation,
    Kind.COUNTEREXAMPLE: _counterexample,
    Kind.COUNTERPROOF: _counterproof,
    Kind.ENCLOSURE: _enclosure,
    Kind.LADDER: _ladder,
    Kind.PROPERTY: _property,
    Kind.TORCH: _torch,
}


def perform(task: Task, settings: Settings) -> Any:
    """The evidence of `task`; for a task without a kind, the witness of its claim.

    An exception becomes `error` evidence that names it, so that one faulty check never stops the
    others.
    """
    try:
        if task.kind is None:
            return _witness(task.entry, settings.seed)
        return CHECKS[task.kind](task, settings)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:  # sys.exit() among them: it would end the worker unheard
        return _error(task.kind or task.entry.kinds[0], problem)


def perform_kernel(tasks: Sequence[Task], settings: Settings) -> list[Evidence]:
    """The kernel's evidence for each task, in order, from one compilation."""
    try:
        from .kernel import check_kernel

        found = check_kernel(
            [
                (_renamed(task, i), task.entry.lemma, _certificate_to_export(task, settings))
                for i, task in enumerate(tasks)
            ],
            cache_dir=settings.kernel_folder,
            jobs=settings.jobs,
            time_limit=MUTANT_KERNEL_SECONDS if all(t.mutant for t in tasks) else KERNEL_SECONDS,
        )
        return [found[_renamed(task, i).id] for i, task in enumerate(tasks)]
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        return [_error(Kind.KERNEL, problem) for _ in tasks]


def _certificate_to_export(task: Task, settings: Settings) -> Any:
    """The certificate for a claim without a lemma: given, stored, or searched; else None."""
    certificate = task.certificate or _attached_certificate(task, settings)
    if certificate is not None or task.entry.lemma is not None or task.mutant:
        return certificate
    return _certificate(task, settings).data.get(FOUND)


def _attached_certificate(task: Task, settings: Settings) -> Any:
    """The stored certificate of a claim without a lemma, as JSON; None where there is none."""
    path = None if task.entry.lemma is not None else _stored_certificate(task, settings)
    if path is None:
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return {}  # refused as what it is: no certificate


def _renamed(task: Task, position: int) -> Claim:
    """The claim; a mutant under an id of its own, since it shares that of its original."""
    claim = task.claim
    if not task.mutant:
        return claim
    return Claim(
        f"{claim.id[:150]}_mutant_{position}",
        given=claim.given,
        then=claim.then,
        title=claim.title,
        source=claim.source,
        expected=claim.expected,
    )


def _skipped(kind: Kind, reason: str) -> Evidence:
    return Evidence(kind, Outcome.SKIPPED, reason)


def _error(kind: Kind, problem: BaseException) -> Evidence:
    detail = f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
    return Evidence(kind, Outcome.ERROR, detail, data={"exception": type(problem).__name__})


# ---------------------------------------------------------------- witnesses


def _witness(entry: Entry, seed: int) -> Any:
    """The witness that the entry gives, checked, or one that is found; else None."""
    if entry.witness is None:
        return find_witness(entry.claim, seed)
    try:
        return check_witness(entry.claim, entry.witness)
    except WitnessError as problem:
        # what is wrong is the entry, not the check: an error without an exception
        return Evidence(entry.kinds[0], Outcome.ERROR, str(problem))


class WitnessError(ValueError):
    """Values that are no witness; the message says which hypothesis they miss."""


def check_witness(claim: Claim, witness: Mapping[str, Any]) -> dict[str, Any]:
    """`witness` as JSON, if it meets every hypothesis of `claim` in exact arithmetic.

    Raises
    ------
    WitnessError
        A hypothesis is false there, or cannot be evaluated: a value is missing, of another shape,
        or no rational number.
    """
    from ..symbolic.evaluation import Undefined, Unsupported, holds
    from ..symbolic.exact import EXACT
    from ..symbolic.printing import plain
    from ..symbolic.refutation import assignment_from_json, assignment_to_json

    try:
        at = assignment_from_json(claim, witness)
        for hypothesis in claim.given:
            if holds(hypothesis, at, EXACT) is not True:
                raise WitnessError(
                    f"the witness of {claim.id} does not meet the hypothesis {plain(hypothesis)}"
                )
        return assignment_to_json(claim, at)
    except (KeyError, TypeError, ValueError, ZeroDivisionError, Undefined, Unsupported) as problem:
        if isinstance(problem, WitnessError):
            raise
        raise WitnessError(
            f"the witness of {claim.id} cannot be evaluated: {type(problem).__name__}: {problem}"
        ) from None


def find_witness(claim: Claim, seed: int = 0) -> dict[str, Any] | None:
    """Sizes and exact values that meet the hypotheses of `claim`, as JSON, or None."""
    from ..symbolic.refutation import assignment_to_json, search_witness

    found = search_witness(claim, seed=seed)
    return None if found is None else dict(assignment_to_json(claim, found))


# ---------------------------------------------------------------- what the evidence depends on


def missing_tools(kind: Kind) -> str:
    """What `kind` needs and this machine lacks, as a sentence; empty when nothing is."""
    if kind is Kind.KERNEL:
        from .kernel import kernel_status

        return kernel_status().missing
    lacking = [p for p in PACKAGES[kind] if find_spec(_MODULES.get(p, p)) is None]
    return f"{', '.join(lacking)} not found" if lacking else ""


def versions(packages: Sequence[str]) -> dict[str, str]:
    """The installed version of each distribution; an empty string for one that is not there."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = ""
    return found


@dataclass(frozen=True)
class Environment:
    """Hashes and versions by kind, computed once for a run."""

    by_kind: Mapping[Kind | None, Mapping[str, Any]]

    @classmethod
    def of(cls, kinds: Sequence[Kind]) -> Environment:
        """The environment of `kinds`, and of the search for witnesses."""
        found: dict[Kind | None, Mapping[str, Any]] = {}
        for kind in kinds:
            found[kind] = {
                "sources": source_digest(SOURCES[kind]),
                "versions": {**versions(PACKAGES[kind]), **_kernel_versions(kind)},
            }
        found[None] = {
            "sources": source_digest(_SYMBOLIC),
            "versions": versions(PACKAGES[Kind.COUNTEREXAMPLE]),
        }
        return cls(found)


def _kernel_versions(kind: Kind) -> dict[str, str]:
    if kind is not Kind.KERNEL:
        return {}
    from .kernel import kernel_status

    return {name: str(value) for name, value in kernel_status().versions.items()}


def fingerprint(task: Task, settings: Settings, environment: Environment) -> dict[str, Any]:
    """Everything that the evidence of `task` depends on, as JSON."""
    entry = task.entry
    attached: dict[str, Any] = {}
    match task.kind:
        case None:
            attached = {"witness": entry.witness}
        case Kind.KERNEL:
            certificate = task.certificate or _attached_certificate(task, settings)
            attached = {"lemma": entry.lemma, "certificate": certificate}
            if entry.lemma is None and certificate is None:
                attached["search"] = _searched(task, settings)
        case Kind.CERTIFICATE:
            attached = {"certificate": _searched(task, settings)}
        case Kind.COUNTEREXAMPLE:
            attached = {"seconds": settings.limit(task)}
        case Kind.DERIVATION:
            attached = {"derivation": _spelled(entry.derivation)}
        case Kind.COUNTERPROOF:
            attached = {"counterproof": _spelled(entry.counterproof)}
        case Kind.ENCLOSURE | Kind.LADDER:
            mutants = [
                [statement_hash(m.claim), m.stays_true or task.kind in m.unseen_by, m.rule]
                for m in entry.mutants
            ]
            attached = {"mutants": mutants}
        case Kind.TORCH:
            attached = {"operators": _spelled(sorted(entry.operators.items()))}
    return {
        "id": entry.claim.id,
        "statement": statement_hash(entry.claim),
        "expected": entry.claim.expected,
        "kind": task.kind,
        "mutant": bool(task.mutant),
        "attached": attached,
        "seed": settings.seed,
        "environment": environment.by_kind[task.kind],
    }


def _searched(task: Task, settings: Settings) -> Any:
    """The stored certificate, or the bounds of the search for one."""
    if path := _stored_certificate(task, settings):
        return path.read_text(encoding="utf-8")
    return {"seconds": settings.limit(task), "degree": settings.degree}


def _spelled(value: Any, seen: dict[int, tuple[Any, str]] | None = None) -> Any:
    """What a value consists of, as JSON: data classes by the digest of their content, mappings and
    sequences by their parts, functions by their names.

    Trees share parts: what was `seen`, by where it is in memory, is not looked at again. The lines
    of a proof become one list: there may be more of them than calls can be nested.
    """
    seen = {} if seen is None else seen
    if is_dataclass(value) and not isinstance(value, type):
        if id(value) not in seen:
            seen[id(value)] = value, digest([type(value).__name__, _parts(value, seen)])
        return seen[id(value)][1]
    if isinstance(value, Mapping):
        return [[_spelled(k, seen), _spelled(v, seen)] for k, v in value.items()]
    if isinstance(value, list | tuple):
        return [_spelled(v, seen) for v in value]
    if callable(value):
        return f"{value.__module__}:{value.__qualname__}"
    return value if isinstance(value, str | int | bool | None) else repr(value)


def _parts(value: Any, seen: dict[int, tuple[Any, str]]) -> list[Any]:
    """The fields of a data class, spelled, and of a proof the lines up to its end."""
    if isinstance(value, Have):
        proved = []
        while isinstance(value, Have):
            proved.append([_spelled(value.lemma, seen), _spelled(value.because, seen)])
            value = value.then
        return [proved, _spelled(value, seen)]
    return [[name, _spelled(getattr(value, name), seen)] for name in _compared(type(value))]


@cache
def _compared(cls: type) -> tuple[str, ...]:
    """The fields of a data class that tell its values apart."""
    return tuple(field.name for field in fields(cls) if field.compare)
