"""Run the kit on public implementations, and write what was found.

    python examples/public/make_page.py            everything: records, confirmations, the page
    python examples/public/make_page.py NAME …     these runs, their confirmations, and the page
    python examples/public/make_page.py --page     the page alone, from the records

page() == the text of docs/public-implementations.md, from the committed records
"""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from findings import FINDINGS
from runs import RUNS

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "public-implementations.md"
_SHOWN = ("claim", "dtype", "outcome", "stratum", "observed", "bound", "ratio", "diagnosis")


# ---------------------------------------------------------------- running


def record(run):
    """Run the command, keep what the page is made from; False where it did not go as expected."""
    expected = HERE / "expected" / f"{run.name}.txt"
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "record.json"
        done = subprocess.run(
            [
                Path(sys.executable).with_name("deltaproof"), "conform", run.target,
                "--contract", run.contract, "--profile", run.profile, "--limit", "300",
                "--json", made, *run.options, *(("--xfail", expected) if expected.exists() else ()),
            ],
            cwd=HERE, capture_output=True, text=True,
            env=os.environ | {"DELTAPROOF_CACHE": scratch},
        )  # fmt: skip
        if done.returncode:
            print(
                f"{run.name}: exit {done.returncode}\n{done.stdout}{done.stderr}", file=sys.stderr
            )
            return False
        found = json.loads(made.read_text(encoding="utf-8"))
    kept = {
        "target": run.target,
        "contract": run.contract,
        "options": ["--profile", run.profile, *run.options],
        "versions": {name: version(name) for name in dict.fromkeys(("torch", run.package))},
        "checks": [{key: check[key] for key in _SHOWN} for check in found["checks"]],
        "ranges": found["ranges"],
    }
    text = json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True)
    (HERE / "records" / f"{run.name}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{run.name}: as expected", file=sys.stderr)
    return True


def confirm(finding):
    """Run a script of a few lines, and keep what it printed."""
    script = HERE / "confirm" / f"{finding.script}.py"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", script], capture_output=True, text=True, check=True
    )
    script.with_suffix(".txt").write_text(done.stdout, encoding="utf-8")


# ---------------------------------------------------------------- the page


def page():
    """What the committed records, expected failures and confirmations say."""
    records = {run.name: _read(run) for run in RUNS}
    parts = [_head(), _table(records), _ranges(records), *map(_finding, FINDINGS)]
    return "\n\n".join(parts) + "\n"


def _read(run):
    found = json.loads((HERE / "records" / f"{run.name}.json").read_text(encoding="utf-8"))
    stored = found["target"], found["contract"], found["options"]
    if stored != (run.target, run.contract, ["--profile", run.profile, *run.options]):
        raise SystemExit(f"records/{run.name}.json is of another run; make it again")
    return found


def _head():
    return """# Public implementations

The kit on code that others ship, each function held against a contract of `deltaproof list
--contracts`, with the profile `ci` where there is a range to be found and `quick` elsewhere. A
documented convention is not a fault: the convention that was assumed stands beside each, and an
adapter of a few lines (`examples/public/`) translates it. What fails nevertheless is listed below,
with a script that shows it without the kit. This page is made by

```sh
python -m venv .venv-public
.venv-public/bin/pip install -r examples/public/requirements.txt -e .
.venv-public/bin/python examples/public/make_page.py
```"""


def _table(records):
    lines = [
        "## What was run",
        "",
        "| function | contract, convention | float64 | float32 | bfloat16 | float16 |",
        "|---|---|---|---|---|---|",
    ]
    for run in RUNS:
        found = records[run.name]
        cells = (_cell(found, dtype) for dtype in ("float64", "float32", "bfloat16", "float16"))
        release = found["versions"][run.package].partition("+")[0]
        name = f"{run.package} {release}: {run.function}"
        contract = f"`{run.contract}`: {run.convention}"
        lines.append(f"| {name} | {contract} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(found, dtype):
    checks = [c for c in found["checks"] if c["dtype"] == dtype]
    failed = [c for c in checks if c["outcome"] == "xfailed"]
    passed = [c for c in checks if c["outcome"] == "passed"]
    if not checks:
        return "–"
    if not passed and not failed:
        return "not supported"
    return f"{len(passed)} hold, {len(failed)} fail" if failed else f"{len(passed)} hold"


def _ranges(records):
    lines = [
        "## How far it holds",
        "",
        "Beyond the domain of the contract, measured: the parameter up to which the claim holds",
        "within the bound that it has at the edge of the domain. Where a package scales columns",
        "first, the contract's columns are its rows.",
        "",
        "| run | claim | parameter | float64 | float32 | bfloat16 | float16 |",
        "|---|---|---|---|---|---|---|",
    ]
    for run in RUNS:
        by = {}
        for r in records[run.name]["ranges"]:
            by.setdefault((r["claim"], r["parameter"]), {})[r["dtype"]] = r
        for (claim, parameter), found in by.items():
            cells = (_reach(found.get(d)) for d in ("float64", "float32", "bfloat16", "float16"))
            lines.append(f"| {run.name} | `{claim}` | {parameter} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _reach(found):
    if found is None:
        return "–"
    whole = found["holds_up_to"] >= found["limit"]
    return f"{'all of ' if whole else ''}{found['holds_up_to']:.3g}"


def _finding(finding):
    script = f"examples/public/confirm/{finding.script}.py"
    printed = (HERE / "confirm" / f"{finding.script}.txt").read_text(encoding="utf-8").rstrip()
    said = textwrap.fill(finding.judgement, 100, break_long_words=False, break_on_hyphens=False)
    parts = [f"## {finding.title}", said]
    if finding.runs:
        parts.append(_failures(finding))
    return "\n\n".join([*parts, f"`python {script}`:", f"```\n{printed}\n```"])


def _failures(finding):
    lines = ["| run | claim | formats | observed | bound |", "|---|---|---|---|---|"]
    for run in (run for run in RUNS if run.name in finding.runs):
        by = {}
        for check in _read(run)["checks"]:
            if check["outcome"] == "xfailed":
                by.setdefault(check["claim"], []).append(check)
        for claim, checks in by.items():
            worst = checks[0]
            dtypes = ", ".join(c["dtype"] for c in checks)
            lines.append(
                f"| {run.name} | `{claim}` | {dtypes} | {_number(worst['observed'])} "
                f"| {_number(worst['bound'])} |"
            )
    return "\n".join(lines)


def _number(x):
    return "–" if x is None else x if isinstance(x, str) else f"{x:.3g}"


def main(arguments):
    """As the module says; 1 where a run did not go as expected."""
    known = {run.name for run in RUNS}
    if unknown := [a for a in arguments if a != "--page" and a not in known]:
        raise SystemExit(f"no run {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    if arguments == ["--page"]:
        good = True
    else:
        chosen = [run for run in RUNS if not arguments or run.name in arguments]
        outcomes = [record(run) for run in chosen]
        good = all(outcomes)
        for finding in FINDINGS:
            if not arguments or set(arguments) & set(finding.runs):
                confirm(finding)
    if good:
        PAGE.write_text(page(), encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
