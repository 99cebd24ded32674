"""The command `deltaproof`: a thin layer over the Python API.

main()  == the console script; maps every outcome to its exit code
EXIT    == the exit codes: 3 internal error, 2 usage, 4 missing tool, 5 nothing selected,
           1 something differs, 6 undecided under --strict, 0 as expected, 130 interrupted
           (143 and 129 by SIGTERM and SIGHUP)

Data goes to stdout, progress and diagnostics to stderr. A module is imported when its command
runs: `--help` and `list` import neither SymPy nor mpmath nor torch.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..torch_impl.conformance.contracts import CONTRACTS
from .conform_command import conform, contract_listing, contract_text
from .reproduce_command import reproduce
from .zoo_command import zoo

if TYPE_CHECKING:
    from ..symbolic.claims import Claim
    from .catalogue.entry import Entry
    from .drift import Ledger

EXIT = {
    "as expected": 0,
    "differs": 1,
    "usage": 2,
    "internal": 3,
    "missing": 4,
    "nothing": 5,
    "undecided": 6,
    "interrupted": 130,
}
KINDS = (
    "kernel", "certificate", "derivation", "counterexample", "counterproof", "enclosure", "ladder",
    "torch", "property", "symbolic", "numeric",
)  # fmt: skip
FORMATS = ("html", "md", "tex", "pdf")
GRAPH_FORMATS = ("dot", "mermaid", "svg", "json")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.version_option(package_name="deltaproof", message="%(prog)s %(version)s")
def cli() -> None:
    """Verified theorems on geometric residual connections.

    A claim is proved or refuted by the evidence found today: kernel proofs, certificates,
    derivations, counterexamples, and what supports or contradicts them in numbers.
    """


def _catalogue_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--catalogue", metavar="FILE.py", help="Use the CLAIMS of this file, and only those."
    )(command)


@cli.command()
@click.argument("selection", nargs=-1)
@_catalogue_option
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), metavar="KIND",
              help="Run only this kind of evidence, or a group (repeatable).")  # fmt: skip
@click.option("--require", multiple=True, type=click.Choice(KINDS), metavar="KIND",
              help="Fail where this kind is missing (repeatable).")  # fmt: skip
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path),
              help="Write the record of the run.")  # fmt: skip
@click.option("--junit", "junit_file", type=click.Path(dir_okay=False, path_type=Path),
              help="Write JUnit XML.")  # fmt: skip
@click.option("--sarif", "sarif_file", type=click.Path(dir_okay=False, path_type=Path),
              help="Write SARIF, for code scanning.")  # fmt: skip
@click.option("--summary", "summary_file", type=click.Path(dir_okay=False, path_type=Path),
              help="Write a Markdown summary for a CI job page.")  # fmt: skip
@click.option("--against", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Say what changed since this ledger or record; exit 1 if weaker.")  # fmt: skip
@click.option("--accept", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Keep what was found as this ledger, if all is as expected.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Exit 6 where something is inconclusive or open.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N",
              help="Worker processes (default: the cores).")  # fmt: skip
@click.option("--no-cache", is_flag=True, help="Check everything again.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of what is drawn.")
@click.option(
    "--mutants", is_flag=True, help="Also try every mutant, listed or made by rule, by every kind."
)
@click.option(
    "--certificates",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of certificates: stored ones are only checked, found ones are written.",
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Bound of each search (default: 10).",
)
@click.option(
    "--degree",
    type=click.IntRange(min=1),
    metavar="N",
    help="Longest products that a search looks at (default: 16).",
)
@click.option("--export-rocq", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Write the theorems proved, with their proofs, as Rocq files.")  # fmt: skip
def verify(
    selection: tuple[str, ...],
    catalogue: str | None,
    kinds: tuple[str, ...],
    require: tuple[str, ...],
    json_file: Path | None,
    junit_file: Path | None,
    sarif_file: Path | None,
    summary_file: Path | None,
    against: Path | None,
    accept: Path | None,
    strict: bool,
    jobs: int | None,
    no_cache: bool,
    seed: int,
    mutants: bool,
    certificates: Path | None,
    seconds: float | None,
    degree: int | None,
    export_rocq: Path | None,
) -> int:
    """Check claims and print their verdicts.

    SELECTION is any of: ids (delta.determinant), families (cayley), globs ('gate.*'); everything
    without it. KIND is kernel, certificate, derivation, counterexample,
    counterproof, enclosure, ladder, torch or property, or one of the groups
    symbolic (the second to the fifth) and numeric (enclosure, ladder).

    \b
    Exit codes
      0 as expected          3 internal error, or a check that crashed
      1 a verdict differs,   4 a required tool is missing
        or it got weaker
      2 usage                5 nothing was selected
      6 undecided, under --strict
    """
    from . import output, terminal
    from . import record as records
    from .cache import Cache, write_atomically
    from .checks import SEARCH_DEGREE, SEARCH_SECONDS
    from .report.ci import junit, summary
    from .runner import run
    from .sarif import of_verify
    from .verdicts import parse_kinds

    entries = _entries(selection, catalogue)
    if kinds:
        from .selection import narrow, no_check

        wanted = parse_kinds((*kinds, *require))
        entries, without = narrow(entries, selection, wanted, require)
        if without:
            _tell(f"left out: {no_check(without, wanted)}")
    cache = Cache(enabled=not no_cache)
    output.check(
        {
            "--json": json_file,
            "--junit": junit_file,
            "--sarif": sarif_file,
            "--summary": summary_file,
            "--accept": accept,
        },
        {
            "--export-rocq": export_rocq,
            # a folder that holds all certificates needs not be writable
            "--certificates": certificates if certificates and not certificates.is_dir() else None,
        },
        {"--catalogue": catalogue},
    )
    before = _ledger(against) if against else None
    kept = _ledger(accept) if accept and accept.exists() else None
    with terminal.Progress() as progress:
        found = run(
            entries,
            kinds=parse_kinds(kinds) if kinds else None,
            required=require,
            seed=seed,
            jobs=jobs or _cores(),
            cache=cache,
            mutants=mutants,
            certificates=certificates,
            seconds=seconds or SEARCH_SECONDS,
            degree=degree or SEARCH_DEGREE,
            catalogue=catalogue,
            notify=progress,
        )
    record = found.record(strict=strict)
    text = records.to_text(record)
    try:
        write_atomically(cache.last_run, text)
    except OSError as problem:
        _tell(f"the record was not kept for `report`: {problem}")
    written = [
        _write(json_file, lambda: text),
        _write(junit_file, lambda: junit(record)),
        _write(sarif_file, lambda: of_verify(record, {r.id: r.entry.claim for r in found.results})),
        _write(summary_file, lambda: summary(record)),
    ]
    if export_rocq:
        from .rocq_export import export_rocq as export

        try:
            for told in export(found.results, export_rocq):
                _tell(told)
        except OSError as problem:
            _tell(f"deltaproof: cannot write {problem.filename}: {problem.strerror}")
            written.append(False)
    paint = terminal.Paint(terminal.colour(sys.stdout))
    _say(terminal.table(record, paint))
    if problems := terminal.failures(record, paint):
        _say(problems)
    _say()
    if mutants:
        from .teeth import tell

        _say(terminal.mutant_score(record, paint))
        _say(tell((r.id, r.mutants, r.toothless) for r in found.results))
        _say()
    _say(terminal.closing(record, paint))
    code = found.exit_code(strict=strict)
    if before or accept:
        known = [e.claim.id for e in _entries((), catalogue)]
        if _drift(record, before, accept, kept, known) and code != EXIT["internal"]:
            code = EXIT["differs"]
    return code if all(written) or code == EXIT["internal"] else EXIT["usage"]


def _ledger(path: Path) -> Ledger:
    from .drift import read
    from .record import RecordError

    try:
        return read(path)
    except RecordError as problem:
        raise click.UsageError(str(problem)) from None


def _drift(
    record: Mapping[str, Any],
    before: Ledger | None,
    accept: Path | None,
    kept: Ledger | None,
    known: Sequence[str],
) -> bool:
    """Tell what changed, keep what is accepted; True where the run fails because of it."""
    from . import drift

    new = drift.of_record(record)
    changes: tuple[drift.Change, ...] = ()
    if before:
        changes = drift.compare(before, new, known)
        _say()
        _say(drift.tell(changes, old=before.name, new=new.name, compared=len(new.rows)))
    if accept is None:
        return drift.weaker(changes)
    try:
        text = drift.to_text(drift.accepted(new, kept, known))
    except drift.NotAccepted as problem:
        _tell(f"deltaproof: {problem}")
        return True
    if not _write(accept, lambda: text):
        return True
    _tell(f"accepted as {accept}")
    return False


@cli.command()
@click.argument("old", type=click.Path(path_type=Path), metavar="OLD")
@click.argument("new", type=click.Path(path_type=Path), metavar="NEW")
def diff(old: Path, new: Path) -> int:
    """Say what changed from OLD to NEW: records, or ledgers.

    A record is what `verify --json` writes, a ledger what `verify --accept`
    writes.

    \b
    Exit codes
      0 the same or stronger    1 weaker    2 a file cannot be read
    """
    from .drift import compare, tell, weaker

    before, after = _ledger(old), _ledger(new)
    changes = compare(before, after)
    _say(tell(changes, old=before.name, new=after.name, compared=len(after.rows)))
    return EXIT["differs"] if weaker(changes) else EXIT["as expected"]


@cli.command("list")
@click.argument("selection", nargs=-1)
@_catalogue_option
@click.option("--contracts", is_flag=True, help="Print the contracts of `conform` instead.")
def list_claims(selection: tuple[str, ...], catalogue: str | None, contracts: bool) -> int:
    """Print the claims: expected verdict, id, title.

    Of proved claims without a Rocq theorem it says that one is wanted; `show`
    says why.
    """
    if contracts:
        _say(contract_listing())
        return 0
    from . import terminal
    from .catalogue.wanted import KERNEL_WANTED

    paint = terminal.Paint(terminal.colour(sys.stdout))
    wanted = KERNEL_WANTED if catalogue is None else ()
    _say(terminal.listing(_claims(selection, catalogue), paint, wanted))
    return 0


@cli.command()
@click.argument("claim_id", metavar="ID")
@_catalogue_option
@click.option("--certificates", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Folder of stored certificates.")  # fmt: skip
def show(claim_id: str, catalogue: str | None, certificates: Path | None) -> int:
    """Print all that is known about one claim, or about a contract."""
    if catalogue is None and (text := contract_text(claim_id)):
        _say(text)
        return 0
    from . import terminal
    from .explain import kept_claim, sections
    from .selection import select

    known = _entries((), catalogue)
    entries = select((claim_id,), known, contracts=CONTRACTS if catalogue is None else ())
    paint = terminal.Paint(terminal.colour(sys.stdout))
    for i, entry in enumerate(entries):
        kept = kept_claim(entry)
        repairs = [e.claim.id for e in known if e.repaired_by == entry.claim.id]
        text = terminal.show(entry, kept, sections(entry, kept, certificates), repairs, paint)
        _say(("\n" if i else "") + text)
    return 0


@cli.command()
@click.argument("record", required=False, type=click.Path(path_type=Path), metavar="[RECORD.json]")
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path),
              help="Folder to write to.")  # fmt: skip
@click.option("--format", "formats", default="html,md", show_default=True, metavar="LIST",
              help="Formats, separated by commas: html (a site), md, tex, pdf.")  # fmt: skip
@click.option("--conform", "conformance", multiple=True, metavar="FILE", type=click.Path(
              dir_okay=False, path_type=Path),
              help="Show this record of `conform --json` too (repeatable).")  # fmt: skip
def report(record: Path | None, out: Path, formats: str, conformance: tuple[Path, ...]) -> int:
    """Write the report of a run: why each claim is proved or refuted.

    Without RECORD.json, of the run that `verify` left in the cache. Nothing is verified again.
    The site opens at index.html; badge.svg and badge.json stand beside it.
    """
    from . import output
    from .cache import Cache
    from .consistency import stale
    from .record import RecordError, read
    from .report import write
    from .report.conformance import read as read_conformance

    chosen = [f.strip() for f in formats.split(",") if f.strip()]
    for name in chosen or [""]:
        if name not in FORMATS:
            raise click.UsageError(f"no format {name!r}; there are {', '.join(FORMATS)}")
    source = record or Cache().last_run
    if record is None and not source.is_file():
        raise click.UsageError("no run is in the cache; run `deltaproof verify` first")
    try:
        content = read(source)
        beside = [read_conformance(path) for path in conformance]
    except RecordError as problem:
        raise click.UsageError(str(problem)) from None
    output.check({}, {"--out": out})
    changed = stale(content)
    if changed:
        _tell(f"{len(changed)} claims are stale: they changed since this run")
    try:
        written = write(content, out, chosen, beside, changed)
    except OSError as problem:
        raise click.UsageError(
            f"cannot write the report to {out}: {problem.strerror or problem}"
        ) from None
    for path in written:
        _say(path)
    return 0


@cli.command()
@click.argument("claim_id", required=False, metavar="[ID]")
@_catalogue_option
@click.option("--format", "format", default="dot", show_default=True,
              type=click.Choice(GRAPH_FORMATS), help="How to write it.")  # fmt: skip
@click.option("--ancestors", is_flag=True, help="Only what ID rests on.")
@click.option("--descendants", is_flag=True, help="Only what rests on ID.")
@click.option("--rules", is_flag=True, help="The named rules that proofs cite, too.")
def graph(
    claim_id: str | None,
    catalogue: str | None,
    format: str,
    ancestors: bool,
    descendants: bool,
    rules: bool,
) -> int:
    """Print which proofs rest on which claims.

    With an ID, what it rests on and what rests on it, directly or not. An arrow
    leads from a claim to what its proof uses, a dashed one from a refuted claim
    to the one that repairs it. Without an ID, claims that no arrow touches are
    left out, but for json.
    """
    from . import graph as graphs

    if (ancestors or descendants) and claim_id is None:
        raise click.UsageError("--ancestors and --descendants need the ID of a claim")
    every = graphs.build(_entries((), catalogue), rules=rules)
    if claim_id is not None:
        _entries((claim_id,), catalogue)  # an unknown id, with the nearest ones
        if claim_id not in {node.id for node in every.nodes}:
            raise click.UsageError(f"{claim_id!r} is not the id of one claim")
        one_way = ancestors != descendants
        shown = graphs.around(
            every, claim_id, up=ancestors or not one_way, down=descendants or not one_way
        )
    else:
        shown = every if format == "json" else graphs.drawn(every)
        if left_out := len(every.nodes) - len(shown.nodes):
            _tell(f"{left_out} claims rest on no other, and none on them")
    _say(graphs.draw(shown, format))
    return 0


@cli.command()
def doctor() -> int:
    """Print versions, what is missing, and how to get it."""
    from .doctor import diagnose

    text, healthy = diagnose()
    _say(text)
    return 0 if healthy else EXIT["missing"]


@cli.command()
@click.argument("selection", nargs=-1)
@_catalogue_option
@click.option("--quick", is_flag=True, help="Fewer repetitions, no kernel.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path),
              help="Write the measurements.")  # fmt: skip
def bench(
    selection: tuple[str, ...], catalogue: str | None, quick: bool, json_file: Path | None
) -> int:
    """Measure start-up, verification, claims, identities and torch operators.

    With a SELECTION (ids, families, globs), or a catalogue, those claims alone:
    seconds by claim and kind, and how they grow with n and with the digits.
    """
    import json

    from .output import check

    check({"--json": json_file})
    measured: dict[str, Any]
    if selection or catalogue:
        from . import bench_claims

        claims = bench_claims.measure(_entries(selection, catalogue), quick=quick, notify=_tell)
        measured, text = {"schema": 1, "claims": claims}, bench_claims.tell(claims)
    else:
        from .bench import measure, tell

        measured = measure(quick=quick, notify=_tell)
        text = tell(measured)
    written = _write(json_file, lambda: json.dumps(measured, indent=1) + "\n")
    _say(text)
    return 0 if written else EXIT["usage"]


cli.add_command(conform)
cli.add_command(reproduce)
cli.add_command(zoo)


# ---------------------------------------------------------------- shared


def _claims(selection: Sequence[str], catalogue: str | None) -> list[Claim]:
    """The claims that are meant; those of the package without their proofs, which take long."""
    from ..symbolic.ledger import claims
    from .catalogue.entry import Entry
    from .selection import load, select

    known = (Entry(claim, ()) for claim in claims()) if catalogue is None else load(catalogue)
    return [entry.claim for entry in select(selection, tuple(known))]


def _entries(selection: Sequence[str], catalogue: str | None) -> list[Entry]:
    from .selection import load, select

    return select(selection, None if catalogue is None else load(catalogue))


def _say(text: object = "") -> None:
    """Print data. Where the reader went away, the verdict still becomes the exit code."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _silence(1)
    except OSError as problem:
        from .output import OutputError

        _silence(1)
        raise OutputError(f"cannot print: {problem.strerror or problem}") from None


def _tell(text: str) -> None:
    """Print a diagnostic; where nobody can read it, the work still goes on."""
    from .terminal import safe

    try:
        click.echo(safe(text, lines=True), err=True)
    except BrokenPipeError:
        _silence(2)


def _silence(descriptor: int) -> None:
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _write(file: Path | None, make: Callable[[], str]) -> bool:
    """Write what `make` makes, if a file is named; False where that failed, which is told."""
    from .output import write

    try:
        if file is not None:
            write(file, make())
    except OSError as problem:
        _tell(f"deltaproof: cannot write {file}: {problem.strerror or problem}")
        return False
    return True


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit with its code."""
    from .output import steady_streams
    from .processes import stoppable

    steady_streams()
    stoppable()
    sys.exit(exit_code(arguments))


def exit_code(arguments: Sequence[str] | None = None) -> int:
    """Run the command; every outcome as the exit code that stands for it."""
    try:
        code = cli.main(
            None if arguments is None else list(arguments),
            prog_name="deltaproof",
            standalone_mode=False,
        )
        return code if isinstance(code, int) else 0
    except click.ClickException as problem:
        from io import StringIO

        shown = StringIO()
        problem.show(shown)
        _tell(shown.getvalue().rstrip())
        return EXIT["usage"]
    except SystemExit:  # of click alone, where the reader of a help text went away
        _silence(1)
        return 0
    except (KeyboardInterrupt, click.Abort) as problem:
        _tell("interrupted; nothing was recorded")
        # another signal than Ctrl-C has a code of its own; click wraps what it catches
        return getattr(problem.__cause__ or problem, "code", EXIT["interrupted"])
    except OSError as problem:  # of click, where a help text cannot be printed; files have names
        if problem.errno not in (errno.ENOSPC, errno.EIO, errno.EBADF) or problem.filename:
            return _unexpected(problem)
        _tell(f"deltaproof: cannot print: {problem.strerror}")
        return EXIT["usage"]
    except Exception as problem:
        return _unexpected(problem)


def _unexpected(problem: Exception) -> int:
    from .output import OutputError
    from .runner import MissingTool
    from .selection import NothingSelected, SelectionError
    from .terminal import safe

    for expected, code in (
        (NothingSelected, EXIT["nothing"]),
        (SelectionError, EXIT["usage"]),
        (OutputError, EXIT["usage"]),
        (MissingTool, EXIT["missing"]),
    ):
        if isinstance(problem, expected):
            _tell(f"deltaproof: {safe(str(problem))}")
            return code
    import traceback

    _tell("".join(traceback.format_exception(problem)).rstrip())
    _tell("deltaproof: internal error; the lines above say where")
    return EXIT["internal"]


if __name__ == "__main__":
    main()
