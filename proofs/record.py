"""What a run leaves behind: the JSON record, and how its parts are told.

run_record(run)        == the record of a Run, a JSON value
to_text, read          == the record as text, and back, checked against schema and evidence
validate(record)       == raises RecordError where the record does not fit the schema
counts(record)         == "13 proved, 3 refuted, as expected"
complaints(claim, …)   == why a claim is not as expected, in lines

The shape is fixed by schemas/run.json. Seconds, machine and versions stand under `timings` alone:
without it two runs with one seed are equal, byte by byte, on every machine.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..symbolic import expressions as ex
from ..symbolic.claims import Claim, statement_hash, symbols
from ..symbolic.evidence import DECIDES_PROVED, DECIDES_REFUTED, Evidence, Kind, Outcome
from ..symbolic.printing import definitions, home, latex, plain
from ..symbolic.propositions import both
from .cache import PACKAGE
from .catalogue import kernel_wanted
from .consistency import Inconsistent, check
from .verdicts import Row, Standing, lacking, standing

if TYPE_CHECKING:
    from .runner import Result, Run

SCHEMA = 1
LAYERS = ("symbolic", "numeric", "torch_impl", "proofs")
SCHEMAS = Path(__file__).parent / "schemas"


class RecordError(ValueError):
    """A record that cannot be read, is not complete, or does not fit the schema."""


# ---------------------------------------------------------------- a statement for readers


def statement_latex(claim: Claim) -> str:
    """The whole statement as one formula: names, hypotheses, conclusion."""
    return composed(reading(claim))


def composed(reading: Mapping[str, Any]) -> str:
    """A statement as one formula, from its parts."""
    named = r",\; ".join(d["latex"] for d in reading["definitions"])
    given = r",\; ".join(h["latex"] for h in reading["hypotheses"])
    conclusion = reading["conclusion"]["latex"]
    text = rf"{given} \;\Longrightarrow\; {conclusion}" if given else conclusion
    return rf"\text{{with }} {named}: \quad {text}" if named else text


def reading(claim: Claim) -> dict[str, Any]:
    """The statement in its parts, each in LaTeX and in plain text."""
    conclusion = both(claim.then) if claim.given else claim.then
    return {
        "symbols": symbol_readings(claim),
        "definitions": [
            {
                "latex": f"{latex_name(name)} = {latex(body)}",
                "plain": f"{plain_name(name)} = {plain(body)}",
            }
            for name, body in _definitions(claim)
        ],
        # in a conjunction, so that a hypothesis or a conclusion ends where it seems to end
        "hypotheses": [{"latex": latex(both(h)), "plain": plain(both(h))} for h in claim.given],
        "conclusion": {"latex": latex(conclusion), "plain": plain(conclusion)},
    }


def statement_plain(claim: Claim) -> list[str]:
    """The statement in lines of plain text: symbols, names, hypotheses, conclusion."""
    lines = []
    if kinds := [reading["plain"] for reading in symbol_readings(claim)]:
        lines.append(f"for all {'; '.join(kinds)}")
    for name, body in _definitions(claim):
        lines.append(f"with {plain_name(name)} = {plain(body)}")
    if len(claim.given) == 1:
        lines.append(f"if {plain(both(*claim.given))}")
    elif claim.given:  # a derivation cites them by number
        numbered = enumerate(claim.given, 1)
        lines += ["if", *(f"  {number}. {plain(both(fact))}" for number, fact in numbered)]
    lines.append(f"{'then ' if claim.given else ''}{plain(claim.then)}")
    return lines


def _definitions(claim: Claim) -> list[tuple[str, ex.Expression]]:
    return list(definitions(claim.statement).items())


def latex_name(name: str) -> str:
    """A name of a symbol in LaTeX."""
    return latex(ex.ScalarSymbol(name))


def plain_name(name: str) -> str:
    """A name of a symbol in plain text."""
    return plain(ex.ScalarSymbol(name))


def symbol_readings(claim: Claim) -> list[dict[str, str]]:
    """The free symbols with where they live, grouped, in LaTeX and in plain text."""
    free = symbols(claim)
    groups: dict[tuple[str, str], list[str]] = {}
    named = (*free.dims, *free.indices, *free.scalars, *free.matrices, *free.functions)
    for symbol in (*named, *free.maps, *free.sequences):
        name = f"{symbol.name}_i" if isinstance(symbol, ex.SequenceSymbol) else symbol.name
        groups.setdefault(home(symbol), []).append(name)
    readings = []
    for (latex_home, plain_home), names in groups.items():
        separator = "" if plain_home.startswith(":") else " "
        readings.append(
            {
                "latex": rf"{', '.join(map(latex_name, names))} {latex_home}",
                "plain": f"{', '.join(map(plain_name, names))}{separator}{plain_home}",
            }
        )
    return readings


def location(claim: Claim, catalogue: str | None) -> dict[str, Any]:
    """File and line, relative to the package, or as the user gave the file."""
    path, line = Path(claim.location[0]), claim.location[1]
    if catalogue is not None and path.resolve() == Path(catalogue).resolve():
        return {"file": Path(catalogue).as_posix(), "line": line}
    if path.is_relative_to(PACKAGE):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] in LAYERS:
            return {"file": inside.as_posix(), "line": line}
    return {"file": path.name, "line": line}


# ---------------------------------------------------------------- the record


def run_record(run: Run, *, strict: bool = False) -> dict[str, Any]:
    """The record of a finished run; `strict`: with what fails under --strict alone."""
    repairs = _repairs(run)
    claims = [_claim_record(result, run, repairs) for result in run.results]
    return {
        "schema": SCHEMA,
        "tool": "deltaproof",
        "complete": True,
        "claims": claims,
        "pictures": list(run.pictures),
        "summary": summarise(
            claims,
            {
                "seed": run.seed,
                "catalogue": run.catalogue,
                "kinds": [k.value for k in run.kinds],
                "required": [*run.required],
                "strict": strict,
            },
        ),
        "timings": {
            "seconds": round(run.seconds, 3),
            "claims": {r.id: dict(r.seconds) for r in run.results},
            "machine": _machine(),
            "versions": _versions(),
        },
    }


def _repairs(run: Run) -> dict[str, list[str]]:
    """Which claims are repaired by those of the run, claims of the package by such alone."""
    from .catalogue import ENTRIES

    of_package = {e.claim.id: e for e in ENTRIES}
    here = [r.entry for r in run.results]
    own = [e.claim.id for e in here if of_package.get(e.claim.id) == e]
    entries = [e for e in ENTRIES if e.repaired_by in own]
    found: dict[str, list[str]] = {}
    for entry in [*entries, *(e for e in here if e.claim.id not in own)]:
        if entry.repaired_by:
            found.setdefault(entry.repaired_by, []).append(entry.claim.id)
    return found


def _claim_record(result: Result, run: Run, repairs: Mapping[str, list[str]]) -> dict[str, Any]:
    claim = result.entry.claim
    return {
        "id": claim.id,
        "family": claim.family,
        "title": claim.title,
        "source": str(claim.source) if claim.source.label else "",
        "statement": statement_latex(claim),
        "statement_hash": statement_hash(claim),
        "location": location(claim, run.catalogue),
        "hypotheses": [h["latex"] for h in reading(claim)["hypotheses"]],
        "reading": reading(claim),
        "expected": claim.expected,
        "verdict": result.verdict,
        "status": result.status,
        "note": result.ruling.note,
        "witness": None if result.witness is None else dict(result.witness),
        "depends_on": sorted({n for e in result.evidence for n in e.data.get("rests_on", ())}),
        "repairs": repairs.get(claim.id, []),
        "repaired_by": result.entry.repaired_by,
        "attached": [k.value for k in result.row.attached],
        "automatic": result.row.automatic,
        **({"owed": [k.value for k in owed]} if (owed := result.row.owed) else {}),
        **({"kernel_wanted": wanted} if (wanted := kernel_wanted(result.entry)) else {}),
        "evidence": [
            {
                "kind": e.kind.value,
                "outcome": e.outcome.value,
                "scope": e.scope if isinstance(e.scope, str) else dict(e.scope),
                "detail": e.detail,
                **e.data,
            }
            for e in result.evidence
        ],
        "mutants": [
            {"name": m.name, "kind": m.kind.value, "rejected": m.rejected}
            for m in result.mutants
            if m.counts
        ],
    }


OPTIONS = ("seed", "catalogue", "kinds", "required", "strict")


def row(claim: Mapping[str, Any]) -> Row:
    """What the outcome of a claim of a record depends on."""
    named = ("kind", "outcome", "scope", "detail")
    evidence = tuple(
        Evidence(
            Kind(e["kind"]),
            Outcome(e["outcome"]),
            e["detail"],
            e["scope"],
            {key: value for key, value in e.items() if key not in named},
        )
        for e in claim["evidence"]
    )
    deciding = DECIDES_REFUTED if claim["expected"] == "refuted" else DECIDES_PROVED
    return Row(
        claim["id"],
        claim["expected"],
        evidence,
        tuple(map(Kind, claim["attached"])),
        automatic=claim["automatic"],
        owed=tuple(map(Kind, claim.get("owed", ()))),
        witnessed=claim["witness"] is not None or not claim["hypotheses"],
        accepted=tuple(
            m["name"] for m in claim["mutants"] if m["kind"] in deciding and not m["rejected"]
        ),
    )


def standing_of(claim: Mapping[str, Any], summary: Mapping[str, Any]) -> Standing:
    """What a claim of a record means for its run."""
    return standing(row(claim), lacks=claim["id"] in summary["lacking"], strict=summary["strict"])


def summarise(claims: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> dict[str, Any]:
    """The counts of a run, and the options that it was run with."""
    rows = [row(c) for c in claims]
    verdicts = Counter(c["verdict"] for c in claims)
    statuses = Counter(c["status"] for c in claims)
    outcomes: dict[str, dict[str, int]] = {}
    for claim in claims:
        for evidence in claim["evidence"]:
            count = outcomes.setdefault(evidence["kind"], {})
            count[evidence["outcome"]] = count.get(evidence["outcome"], 0) + 1
    mutants = [m for c in claims for m in c["mutants"]]
    return {
        "claims": len(claims),
        **{v: verdicts[v] for v in ("proved", "refuted", "open")},
        **{s: statuses[s] for s in ("as_expected", "differs", "inconsistent", "error")},
        "undecided": sum(r.ruling.undecided for r in rows),
        "lacking": lacking(rows, options["required"]),
        "evidence": {kind: dict(sorted(row.items())) for kind, row in sorted(outcomes.items())},
        "mutants": {"tried": len(mutants), "rejected": sum(m["rejected"] for m in mutants)},
        **{name: options[name] for name in OPTIONS},
    }


def _machine() -> dict[str, Any]:
    import os
    import platform

    return {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count()}


def _versions() -> dict[str, str]:
    import platform

    found = {"python": platform.python_version()}
    for name in ("deltaproof", "sympy", "mpmath", "python-flint", "numpy", "torch", "hypothesis"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = ""
    return found


def to_text(record: Mapping[str, Any]) -> str:
    """The record as JSON text, ending in a newline."""
    return json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def validate(record: Any) -> None:
    """Raise RecordError where `record` does not fit schemas/run.json."""
    import jsonschema

    schema = json.loads((SCHEMAS / "run.json").read_text(encoding="utf-8"))
    try:
        jsonschema.validate(record, schema)
    except jsonschema.ValidationError as problem:
        where = "/".join(map(str, problem.absolute_path)) or "the record"
        raise RecordError(f"{where}: {problem.message.splitlines()[0][:200]}") from None


def read(path: Path) -> dict[str, Any]:
    """The record in a file.

    Raises
    ------
    RecordError
        The file is not there, is cut, is of an incomplete run or of another shape, or what it says
        does not follow from the evidence it holds; the message names the field.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise RecordError(f"cannot read {path}: {problem.strerror}") from None
    except (ValueError, RecursionError) as problem:
        raise RecordError(f"{path} is not a complete record: {problem}") from None
    if not isinstance(record, dict) or record.get("complete") is not True:
        raise RecordError(f"{path} is not the record of a complete run")
    try:
        validate(record)
    except RecordError as problem:
        raise RecordError(f"{path} is not a record of `deltaproof verify`: {problem}") from None
    try:
        check(record)
    except Inconsistent as problem:
        raise RecordError(
            f"{path} does not follow from its own evidence, or another version wrote it: {problem}"
        ) from None
    return record


# ---------------------------------------------------------------- other forms


def all_pass(record: Mapping[str, Any]) -> bool:
    """Is nothing in the run failing, undecided, or doubtful where that counts?"""
    return all(standing_of(c, record["summary"]) == "passes" for c in record["claims"])


def counts(record: Mapping[str, Any]) -> str:
    """The verdicts in one line: "13 proved, 3 refuted, as expected"."""
    summary = record["summary"]
    parts = [f"{summary[v]} {v}" for v in ("proved", "refuted", "open") if summary[v]]
    text = ", ".join(parts) or "no claims"
    unexpected = [
        f"{summary[s] - (summary['undecided'] if s == 'differs' else 0)} {word}"
        for s, word in (("inconsistent", "inconsistent"), ("differs", "not as expected"),
                        ("error", "with errors"))
        if summary[s] - (summary["undecided"] if s == "differs" else 0)
    ]  # fmt: skip
    if summary["undecided"]:
        unexpected.append(f"{summary['undecided']} undecided")
    if summary["lacking"]:
        unexpected.append(f"{len(summary['lacking'])} without required evidence")
    if accepted := sum(len(row(c).accepted) for c in record["claims"]):
        unexpected.append(f"{accepted} false mutants accepted")
    if doubtful := sum(standing_of(c, summary) == "doubtful" for c in record["claims"]):
        unexpected.append(f"{doubtful} with inconclusive evidence")
    return f"{text}; {', '.join(unexpected)}" if unexpected else f"{text}, as expected"


def reproduce(claim: Mapping[str, Any], summary: Mapping[str, Any], kind: str = "") -> str:
    """The command that checks one claim again."""
    import shlex

    words = ["deltaproof", "verify", claim["id"]]
    if summary["catalogue"]:
        words += ["--catalogue", summary["catalogue"]]
    if kind:
        words += ["--kind", kind]
    if summary["seed"]:
        words += ["--seed", str(summary["seed"])]
    return shlex.join([*words, "--no-cache"])


def speaks_against(claim: Mapping[str, Any], evidence: Mapping[str, Any]) -> bool:
    """Does this evidence keep the claim from its expected verdict?"""
    from ..symbolic.evidence import DECIDES_REFUTED

    if evidence["outcome"] == "error":
        return True
    if claim["status"] == "as_expected":
        return False
    refutes = evidence["kind"] in DECIDES_REFUTED
    if claim["expected"] == "proved":
        return evidence["outcome"] == ("confirmed" if refutes else "contradicted") or (
            not refutes and evidence["outcome"] == "inconclusive"
        )
    return (refutes and evidence["outcome"] != "confirmed") or (
        claim["verdict"] == "proved" and evidence["outcome"] == "confirmed"
    )  # fmt: skip


TOLD = (
    ("compared", "compared"), ("input", "input"), ("counterexample", "counterexample"),
    ("observed", "observed"), ("bound", "bound"), ("ratio", "ratio"), ("cause", "likely cause"),
)  # fmt: skip


def status_word(claim: Mapping[str, Any]) -> str:
    """The status in words; `undecided` for a claim that is open and nothing speaks against."""
    return "undecided" if row(claim).ruling.undecided else claim["status"].replace("_", " ")


def complaints(claim: Mapping[str, Any], summary: Mapping[str, Any]) -> list[str]:
    """Why a claim is not as expected, in lines: what, on which input, observed, bound, cause."""
    if (stands := standing_of(claim, summary)) == "passes":
        return []
    missing = summary["lacking"].get(claim["id"])
    lines = []
    if claim["status"] != "as_expected":
        said = [status_word(claim)]
        if claim["verdict"] != claim["expected"]:
            said.append(f"expected {claim['expected']}, found {claim['verdict']}")
        lines.append(": ".join([*said, claim["note"]]))
    if missing:
        lines.append(f"required evidence is missing: {missing}")
    lines += [f"a false statement was accepted: {name}" for name in row(claim).accepted]
    guilty = [e for e in claim["evidence"] if speaks_against(claim, e)]
    if stands == "doubtful":
        lines.append("inconclusive, which fails under --strict")
        guilty = [e for e in claim["evidence"] if e["outcome"] == "inconclusive"]
    for evidence in guilty:
        lines.append(f"{evidence['kind']} {evidence['outcome']}: {evidence['detail']}")
        told = [(label, evidence[key]) for key, label in TOLD if evidence.get(key) is not None]
        # where nothing was measured, the sentence above has the input already
        if [label for label, _ in told] != ["input"]:
            lines += [f"  {label}: {_short(value)}" for label, value in told]
    kind = guilty[0]["kind"] if len(guilty) == 1 else ""
    lines.append(f"reproduce: {reproduce(claim, summary, kind)}")
    return lines


def _short(value: Any) -> str:
    if isinstance(value, Mapping) and "values" in value:
        parts = [f"{k} = {v}" for k, v in value.get("sizes", {}).items()]
        parts += [f"{k} = {matrix_text(v)}" for k, v in value["values"].items()]
        parts += [f"{side} side {matrix_text(value[side])}" for side in ("left", "right")
                  if value.get(side) is not None]  # fmt: skip
        return ", ".join(parts)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def matrix_text(value: Any) -> str:
    """A scalar or a matrix of exact strings in one line: [1 0; 0 1]."""
    if isinstance(value, list):
        rows = [row if isinstance(row, list) else [row] for row in value]
        return "[" + "; ".join(" ".join(map(str, row)) for row in rows) + "]"
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {matrix_text(v)}" for k, v in value.items()) or "no terms"
    return str(value)


SYMBOLS = {
    "confirmed": "✓", "contradicted": "✗", "inconclusive": "?", "skipped": "–", "error": "!",
}  # fmt: skip


def symbol(evidence: Mapping[str, Any]) -> str:
    """What the evidence says of the statement, in one character."""
    if evidence["kind"] in ("counterexample", "counterproof"):
        return {"confirmed": "✗", "contradicted": "?"}.get(
            evidence["outcome"], SYMBOLS[evidence["outcome"]]
        )
    return SYMBOLS[evidence["outcome"]]


LEGEND = "✓ says true   ✗ says false   ? inconclusive   – skipped   ! error"
