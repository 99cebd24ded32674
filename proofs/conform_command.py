"""`deltaproof conform`: a thin layer over `torch_impl.conformance`.

conform             == the command
contract_listing()  == what `list --contracts` prints
contract_text(name) == what `show CONTRACT` prints, None where no contract is called so
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..torch_impl.conformance.contracts import CONTRACTS, RAW_K, VALUES, values_of

if TYPE_CHECKING:
    from ..torch_impl.conformance.result import ConformanceResult

_FILE = click.Path(dir_okay=False, path_type=Path)
_RAW_K = "also directions of any length"
_DTYPES = ("float64", "float32", "bfloat16", "float16")


def _value_help(name: str) -> str:
    """Which contract has a number, and what it is."""
    return "For {}: {}.".format(*VALUES[name])


@click.command()
@click.argument("target")
@click.option("--contract", metavar="NAME", help="What it is to obey (`list --contracts`).")
@click.option("--dtype", "dtypes", multiple=True, metavar="NAME",
              help="float64, float32, bfloat16 or float16 (repeatable; default: all).")  # fmt: skip
@click.option("--device", default="cpu", show_default=True, help="Where its tensors live.")
@click.option("--profile", default="ci", show_default=True, metavar="NAME",
              help="quick (strata), ci (and examples, ranges) or deep.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of what is drawn.")
@click.option("--time", "seconds", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
              help="Bound of the whole run; what is left out fails it.")  # fmt: skip
@click.option("--limit", type=click.FloatRange(min=0, min_open=True), default=20.0,
              show_default=True, metavar="SECONDS", help="Bound of one call.")  # fmt: skip
@click.option("--json", "json_file", type=_FILE, help="Write the record of the run.")
@click.option("--junit", "junit_file", type=_FILE, help="Write JUnit XML.")
@click.option("--sarif", "sarif_file", type=_FILE, help="Write SARIF, for code scanning.")
@click.option("--summary", "summary_file", type=_FILE, help="Write Markdown for a CI job page.")
@click.option("--xfail", "xfail_file", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Expected failures: lines `claim dtype: reason`, or `claim: reason` for every "
              "format.")  # fmt: skip
@click.option("--replay", "replay_file", type=click.Path(exists=True, dir_okay=False,
              path_type=Path), help="Run the case of one failure again.")  # fmt: skip
@click.option("--args", default="", metavar="PATTERN",
              help="Order and axes of its arguments: 'X: b t d m, beta: b t 1'.")  # fmt: skip
@click.option("--transposed", is_flag=True, help="Its states are transposed.")
@click.option("--generator-convention", default="", metavar="FORMULA",
              help="Its Cayley map, if another: '(I-S)^-1(I+S)'.")  # fmt: skip
@click.option("--factor", default="", metavar="NUMBER",
              help="The factor of its generator, a power of two.")  # fmt: skip
@click.option("--domain", "domains", multiple=True, metavar="NAME=VALUE",
              help="Cover another domain (`show CONTRACT`; repeatable).")  # fmt: skip
@click.option("--init", default="", metavar="KWARGS",
              help="Arguments of a factory of modules: 'dim=8, heads=2'.")  # fmt: skip
@click.option("--force", multiple=True, metavar="GATES",
              help="Also with these gates, held by its force(): 'beta=0'.")  # fmt: skip
@click.option("--starts", default="", metavar="GATES",
              help="The gates that a module says it has as made.")  # fmt: skip
@click.option("--raw-k", is_flag=True,
              help=f"{_RAW_K.capitalize()}, for {', '.join(RAW_K)}.")  # fmt: skip
@click.option("--computes-in", default="", metavar="DTYPE",
              help="It declares to compute in this lower format.")  # fmt: skip
@click.option("--normalise", type=click.Choice(["max", "root"]), help=_value_help("normalise"))
@click.option("--eps", type=click.FloatRange(min=0, min_open=True), metavar="NUMBER",
              help=_value_help("eps"))  # fmt: skip
@click.option("--rounds", type=click.IntRange(min=1), metavar="N", help=_value_help("rounds"))
def conform(
    target: str,
    contract: str | None,
    dtypes: tuple[str, ...],
    seconds: float | None,
    limit: float,
    json_file: Path | None,
    junit_file: Path | None,
    sarif_file: Path | None,
    summary_file: Path | None,
    xfail_file: Path | None,
    replay_file: Path | None,
    domains: tuple[str, ...],
    normalise: str | None,
    eps: float | None,
    rounds: int | None,
    **settings: Any,
) -> int:
    """Check a torch operator or module against a contract.

    TARGET is pkg.mod:callable or path/to/file.py:callable. It runs in a process of
    its own: a crash or a hang is the failure of that check, the others go on.

    \b
    Exit codes
      0 it conforms          2 usage; no such target, contract or claim
      1 a check failed, an expected failure passed, or the time was over
      3 internal error       4 the device is missing   5 nothing could be checked
    """
    from ..torch_impl.conformance.conforming import REFUSED, replay
    from ..torch_impl.conformance.conforming import conform as run
    from ..torch_impl.conformance.replay import read_case
    from . import output
    from .device import check_device

    output.check(
        {
            "--json": json_file,
            "--junit": junit_file,
            "--sarif": sarif_file,
            "--summary": summary_file,
        },
        inputs={"--xfail": xfail_file, "--replay": replay_file},
    )
    values = {"normalise": normalise, "eps": eps, "rounds": rounds}
    try:
        if replay_file is not None:
            case = read_case(_json(replay_file))
            check_device(case["settings"].get("device", "cpu"))
            result = replay(target, case, limit=limit)
        elif contract is None:
            raise click.UsageError(f"--contract is missing; there are {', '.join(CONTRACTS)}")
        else:
            check_device(settings["device"])
            result = run(
                target,
                contract=contract,
                dtypes=dtypes or _DTYPES,
                seconds=seconds or float("inf"),
                limit=limit,
                domain=dict(map(_assignment, domains)),
                values={name: x for name, x in values.items() if x is not None},
                **settings,
            )
        if xfail_file is not None:
            result = _expecting(result, xfail_file)
    except REFUSED as problem:
        raise click.UsageError(str(problem)) from None
    result = _reproducible(result, replay_file)
    _write(result, json_file, junit_file, sarif_file, summary_file)
    return _told(result)


def _told(result: ConformanceResult) -> int:
    """Print the run; the exit code."""
    from ..torch_impl.conformance.report import closing, failures, table
    from .terminal import safe

    parts = [table(result), failures(result), closing(result)]
    print(safe("\n\n".join(filter(None, parts)), lines=True), flush=True)
    if result.complete and all(c.outcome == "skipped" for c in result.checks):
        return 5
    return 0 if result.ok else 1


def _assignment(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise click.UsageError(f"--domain {text!r} is not NAME=VALUE") from None


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise click.UsageError(f"{path} cannot be read: {problem}") from None


def _expecting(result: ConformanceResult, path: Path) -> ConformanceResult:
    from ..torch_impl.conformance.expected import read_expected, stale

    expected = read_expected(path.read_text(encoding="utf-8"))
    if lost := stale(expected, result):
        raise click.UsageError(f"{path} expects failures of no check: {', '.join(lost)}")
    return result.expecting(expected)


def _reproducible(result: ConformanceResult, replayed: Path | None) -> ConformanceResult:
    """Store the case of each failure, and name the command that runs it again."""
    import shlex
    from dataclasses import replace

    from ..torch_impl.conformance.replay import case_of
    from .cache import default_directory, digest, write_atomically

    folder = default_directory() / "cases"
    checks = []
    for check in result.checks:
        if check.outcome in ("failed", "xfailed") and check.input is not None:
            case = case_of(check, result.contract, result.settings, result.adapter)
            path = replayed or folder / f"{check.claim}-{check.dtype}-{digest(case)[:12]}.json"
            if replayed is None:
                write_atomically(path, json.dumps(case, indent=1) + "\n")
            named = shlex.quote(result.target)
            command = f"deltaproof conform {named} --replay {shlex.quote(str(path))}"
            check = replace(check, reproduce=command)
        checks.append(check)
    return replace(result, checks=tuple(checks))


def _write(
    result: ConformanceResult,
    json_file: Path | None,
    junit_file: Path | None,
    sarif_file: Path | None,
    summary: Path | None,
) -> None:
    from ..torch_impl.conformance import report
    from .output import write

    record = result.to_record()
    if json_file:
        write(json_file, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    if junit_file:
        write(junit_file, report.junit(record))
    if sarif_file:
        from .sarif import of_conform

        write(sarif_file, of_conform(record, result.location))
    if summary:
        write(summary, report.summary(record))


# ---------------------------------------------------------------- contracts, shown


def contract_listing() -> str:
    """Names and formulas of the contracts."""
    from ..torch_impl.conformance.contracts import contract

    wide = max(map(len, CONTRACTS))
    return "\n".join(f"{name:{wide}}  {contract(name).summary}" for name in CONTRACTS)


def contract_text(name: str) -> str | None:
    """Signature, domain and checks of a contract; None where there is none of that name."""
    if name not in CONTRACTS:
        return None
    from ..torch_impl.conformance.contracts import contract

    made = contract(name)
    lines = [made.name, f"  {made.summary}", "", f"  {made.signature}"]
    if units := [a.name for a in made.arguments if a.kind == "unit"]:
        lines.append(f"  unit inputs: {', '.join(units)}")
    if orthogonal := [a.name for a in made.arguments if a.kind == "orthogonal"]:
        lines.append(f"  orthogonal inputs: {', '.join(orthogonal)}")
    lines += ["", "domain"]
    lines += [f"  {p.name} = {p.value:g}  {p.meaning}" for p in made.domain] or ["  all inputs"]
    options = [f"  --{value}  {VALUES[value][1]}" for value in values_of(name)]
    options += [f"  --raw-k  {_RAW_K}"] if name in RAW_K else []
    lines += ["", "options", *options] if options else []
    lines += ["", "checks"]
    lines.append(f"  {made.checks[0]}  (cites {', '.join(made.claims)})")
    lines += [f"  {claim}" for claim in made.checks[1:]]
    return "\n".join(lines)
