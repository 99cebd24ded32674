"""What the command prints: tables of 80 columns, plain where there is no terminal.

table(record)          == claims × kinds with the verdict
failures(record)       == what was compared, observed, bound, cause, command, for what failed
show(entry, record)    == everything about one claim
listing(claims)        == ids, expected verdicts, titles
Progress               == a bar on a terminal, plain lines elsewhere
colour(stream)         == may the stream be coloured?
safe(text)             == text that cannot steer a terminal; all that others wrote passes here
fit(text, width)       == text that is at most so wide, cut in its middle
"""

from __future__ import annotations

import os
import sys
import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TextIO

from ..symbolic.claims import Claim
from .catalogue import kernel_wanted
from .catalogue.entry import Entry
from .record import (
    LEGEND,
    complaints,
    counts,
    matrix_text,
    reproduce,
    standing_of,
    statement_plain,
    status_word,
    symbol,
)

WIDTH = 80
PITCH = 5
_CODES = {"green": "32", "red": "31", "yellow": "33", "bold": "1", "dim": "2"}
_HEADS = {
    "kernel": "kernel", "certificate": "certif.", "derivation": "derived", "refutation": "refuted",
    "enclosure": "enclos.", "ladder": "ladder", "torch": "torch", "property": "property",
}  # fmt: skip


def safe(text: str, *, lines: bool = False) -> str:
    """`text` with characters that would steer a terminal, or hide, spelled out: \\x1b, \\u202e.

    `lines` keeps the ends of lines.
    """
    if text.isprintable():  # nearly always
        return text
    return "".join(c if c.isprintable() or (lines and c == "\n") else _spelled(c) for c in text)


def _spelled(character: str) -> str:
    if character == "\t" or unicodedata.category(character) == "Zs":
        return " "
    return character.encode("unicode_escape").decode("ascii")


def _safe_record(value: Any) -> Any:
    """A record with all its texts safe; formulas and proofs keep their lines."""
    if isinstance(value, str):
        return safe(value, lines=True)
    if isinstance(value, Mapping):
        return {safe(str(k)): _safe_record(v) for k, v in value.items()}
    return [_safe_record(v) for v in value] if isinstance(value, list | tuple) else value


def fit(text: str, width: int) -> str:
    """`text`, or its two ends with an ellipsis between them."""
    if len(text) <= width:
        return text
    head = width // 2
    return f"{text[:head]}…{text[len(text) - (width - head - 1) :]}"


def colour(stream: TextIO | None) -> bool:
    """Only a terminal is coloured, and not under NO_COLOR or TERM=dumb."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


class Paint:
    """Text in a colour, or as it is."""

    def __init__(self, on: bool):
        self.on = on

    def __call__(self, text: str, *styles: str) -> str:
        if not self.on or not styles or not text.strip():
            return text
        codes = ";".join(_CODES[s] for s in styles)
        return f"\x1b[{codes}m{text}\x1b[0m"


def _wrap(text: str, *, indent: str = "", hanging: str | None = None) -> str:
    return "\n".join(
        textwrap.fill(
            line,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent if hanging is None else hanging,
            break_long_words=True,
            break_on_hyphens=False,
        )
        for line in text.splitlines() or [""]
    )


def _indented(text: str) -> str:
    """Lines moved in by two, long ones broken with their own indentation kept."""
    lines = []
    for line in text.splitlines():
        margin = "  " + " " * (len(line) - len(line.lstrip()))
        lines.append(_wrap(line.strip(), indent=margin, hanging=margin + "  "))
    return "\n".join(lines)


# ---------------------------------------------------------------- verify


def _column(kind: str) -> str:
    return "refutation" if kind in ("counterexample", "counterproof") else kind


def table(record: Mapping[str, Any], paint: Paint) -> str:
    """The claims by family, a column for every kind that some claim has."""
    claims = _safe_record(record["claims"])
    present = {_column(e["kind"]) for c in claims for e in c["evidence"]}
    columns = [kind for kind in _HEADS if kind in present]
    # what is left beside the verdict, the columns, and the word over the last of them
    longest = max(map(len, _HEADS.values()))
    room = WIDTH - len("refuted ") - PITCH * max(len(columns) - 1, 0) - longest
    names = [_local(c) for c in claims]
    width = min(max((len(n) for n in names), default=0) + 4, room)
    lines = ["", *_heads(columns, width + len("refuted "))]
    family = None
    for claim, name in zip(claims, names, strict=True):
        if claim["family"] != family:
            family = claim["family"]
            lines.append(paint(fit(family, WIDTH), "bold"))
        cells = {_column(e["kind"]): e for e in claim["evidence"]}
        marks = ""
        for kind in columns:
            mark = symbol(cells[kind]) if kind in cells else " "
            marks += paint(mark, *_mark_style(mark, claim)) + " " * (PITCH - 1)
        verdict = paint(f"{claim['verdict']:<8}", *_verdict_style(claim))
        if len(name) + 4 > width:
            lines.append(f"  {fit(name, WIDTH - 2)}")
            name = ""
        lines.append(f"  {name:<{width - 2}}{verdict}{marks}".rstrip())
    if columns:
        lines += ["", paint(LEGEND, "dim")]
    return "\n".join(lines)


def _local(claim: Mapping[str, Any]) -> str:
    return claim["id"].removeprefix(f"{claim['family']}.")


def _heads(columns: Sequence[str], start: int) -> list[str]:
    """The names of the columns on two lines in turn, so that each has room for its word."""
    lines = []
    for turn in (0, 1):
        line = " " * start
        for i in range(turn, len(columns), 2):
            line = f"{line:<{start + i * PITCH}}{_HEADS[columns[i]]}"
        if line.strip():
            lines.append(line)
    return lines


def _mark_style(mark: str, claim: Mapping[str, Any]) -> tuple[str, ...]:
    good = {"proved": "✓", "refuted": "✗"}.get(claim["expected"])
    if mark == good:
        return ("green",)
    return ("red",) if mark in "✓✗!" else ("yellow",) if mark == "?" else ("dim",)


def _verdict_style(claim: Mapping[str, Any]) -> tuple[str, ...]:
    if claim["status"] == "as_expected":
        return ("green",)
    return ("yellow",) if status_word(claim) == "undecided" else ("bold", "red")


def failures(record: Mapping[str, Any], paint: Paint) -> str:
    """What is not as expected, claim by claim."""
    record = _safe_record(record)
    lines = []
    for claim in record["claims"]:
        if problems := complaints(claim, record["summary"]):
            lines += ["", paint(fit(claim["id"], WIDTH), "bold", "red")]
            # commands stay on one line, to be copied
            lines += [
                f"  {p}" if p.startswith("reproduce:") else _wrap(p, indent="  ", hanging="    ")
                for p in problems
            ]
    return "\n".join(lines)


def mutant_score(record: Mapping[str, Any], paint: Paint) -> str:
    """How many mutants each kind rejected, and which it missed."""
    record = _safe_record(record)
    score: dict[str, list[int]] = {}
    missed = []
    for claim in record["claims"]:
        for mutant in claim["mutants"]:
            row = score.setdefault(mutant["kind"], [0, 0])
            row[0] += mutant["rejected"]
            row[1] += 1
            if not mutant["rejected"]:
                told = f"{mutant['kind']} misses {claim['id']}: {mutant['name']}"
                missed.append(_wrap(told, indent="  ", hanging="    "))
    if not score:
        return "mutants: none attached to the claims selected"
    told = ", ".join(f"{kind} {hit}/{tried}" for kind, (hit, tried) in score.items())
    return "\n".join([_wrap(f"mutants rejected: {told}", hanging="  "), *missed])


def closing(record: Mapping[str, Any], paint: Paint) -> str:
    """The last line: counts, and whether they are as expected."""
    found = {standing_of(claim, record["summary"]) for claim in record["claims"]}
    bad = found - {"passes"} if record["summary"]["strict"] else found - {"passes", "undecided"}
    style = "red" if bad else "yellow" if "undecided" in found else "green"
    text = _wrap(f"{counts(record)} ({record['timings']['seconds']:.1f} s)", hanging="  ")
    return paint(text, "bold", style)


# ---------------------------------------------------------------- list, show


def listing(claims: Iterable[Claim], paint: Paint, wanted: Collection[str] = ()) -> str:
    """One claim a line: expected verdict, id, title; of `wanted`, that a Rocq theorem is."""
    lines = []
    for claim in claims:
        title = safe(claim.title) + (" (Rocq theorem wanted)" if claim.id in wanted else "")
        head = f"{claim.expected:<8} {claim.id}"
        if len(head) <= 36:
            lines.append(_wrap(f"{head:<36}  {title}", hanging=" " * 38))
        else:
            lines += [head, _wrap(title, indent=" " * 38)]
    return "\n".join(lines)


def show(
    entry: Entry,
    kept: Mapping[str, Any] | None,
    sections: Mapping[str, str],
    repairs: Sequence[str],
    paint: Paint,
) -> str:
    """Everything about one claim.

    Parameters
    ----------
    kept : mapping, optional
        The claim in the record of the last run, if it had the same statement.
    sections : mapping
        Further text by heading: the derivation, the certificate, the Rocq statement.
    repairs : sequence
        The refuted claims whose repair this one is.
    """
    claim = entry.claim
    lines = [paint(claim.id, "bold"), _wrap(safe(claim.title))]
    source = str(claim.source) if claim.source.label else "none given"
    lines.append(_wrap(safe(f"source: {source}"), hanging="  "))
    lines.append(f"expected: {claim.expected}")
    if entry.repaired_by:
        lines.append(f"repaired by: {entry.repaired_by}")
    if wanted := kernel_wanted(entry):
        lines.append(_wrap(f"Rocq theorem wanted: {wanted}", hanging="  "))
    if repairs:
        lines.append(_wrap(f"repairs: {', '.join(repairs)}", hanging="  "))

    def section(heading: str, *content: str) -> None:
        lines.extend(["", paint(heading, "bold"), *content])

    kept = _safe_record(kept)
    section("Statement", _indented(safe("\n".join(statement_plain(claim)), lines=True)))
    for heading, written in sections.items():
        text = safe(written, lines=True)
        # what is typeset elsewhere keeps its lines
        section(heading, textwrap.indent(text, "  ") if heading == "Rocq" else _indented(text))
    if entry.mutants:
        section(
            "Mutants",
            *(
                _wrap(safe(m.name) + (" (stays true)" if m.stays_true else ""), indent="  ")
                for m in entry.mutants
            ),
        )
    if kept is None:
        section("Evidence", f"  attached: {', '.join(k.value for k in entry.kinds)}",
                f"  not in the last run; check it: deltaproof verify {claim.id}")  # fmt: skip
        return "\n".join(lines)
    if kept["witness"] and claim.given:
        section("Witness of the hypotheses", _wrap(assignment_text(kept["witness"]), indent="  "))
    section(f"Evidence of the last run: {kept['verdict']}, {status_word(kept)}")
    for e in kept["evidence"]:
        text = f"{symbol(e)} {e['kind']} {e['outcome']}: {e['detail']}"
        lines.append(_wrap(text, indent="  ", hanging="    "))
        if found := e.get("counterexample"):
            lines.append(_wrap(assignment_text(found), indent="    "))
    return "\n".join(lines)


def assignment_text(assignment: Mapping[str, Any]) -> str:
    """Sizes and values in one line, then both sides where they are known."""
    parts = [f"{name} = {value}" for name, value in assignment.get("sizes", {}).items()]
    parts += [f"{name} = {matrix_text(v)}" for name, v in assignment["values"].items()]
    text = ", ".join(parts)
    if assignment.get("left") is not None:
        text += f": left {matrix_text(assignment['left'])}"
        text += f", right {matrix_text(assignment['right'])}"
    return text


# ---------------------------------------------------------------- progress


class Progress:
    """How far a run is, on stderr: ``label`` names it, ``counted`` and ``unit`` what is counted."""

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        label: str = "verify",
        counted: str = "checked",
        unit: str = "",
    ):
        self.stream: TextIO | None = stream or sys.stderr
        self.label, self.counted, self.unit = label, counted, unit
        self.bar: Any = None
        self.row: Any = None
        self.shown = 0

    def __enter__(self) -> Progress:
        if self.stream is not None and self.stream.isatty() and os.environ.get("TERM") != "dumb":
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
            from rich.progress import Progress as Bar

            self.bar = Bar(
                TextColumn(self.label),
                BarColumn(24),
                MofNCompleteColumn(),
                TextColumn("{task.description}"),
                console=Console(file=self.stream),
                transient=True,
            )
            self.bar.start()
            self.row = self.bar.add_task("", total=None)
        return self

    def __exit__(self, *exception: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def __call__(self, done: int, total: int, name: str) -> None:
        """Tell that `done` of `total` are done, the last one of `name`: a claim, or a training."""
        if self.bar is not None:
            self.bar.update(self.row, completed=done, total=total, description=fit(name, 36))
            return
        if done == 1:  # the checks of mutants are counted anew
            self.shown = 0
        if done * 5 // total > self.shown or done == total:
            # plain lines: five a run, enough to see that it moves
            self.shown = done * 5 // total
            self._print(f"{self.counted} {done} of {total}{self.unit}")

    def tell(self, text: str) -> None:
        """Print a line that stays, above the bar where there is one."""
        if self.bar is not None:
            self.bar.console.print(text, markup=False, highlight=False)
        else:
            self._print(text)

    def _print(self, text: str) -> None:
        if self.stream is None:
            return
        try:
            print(text, file=self.stream, flush=True)
        except OSError:  # nobody reads it; the run goes on
            self.stream = None


def reproduce_line(claim: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    """The command that checks the claim again."""
    return reproduce(claim, record["summary"])
