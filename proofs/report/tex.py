r"""The report as a LaTeX document: supplementary material for a paper.

tex(record) == the document: statements, hypotheses, derivations, evidence, bibliography

ASCII throughout, packages that every distribution has; any engine compiles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...symbolic.proof_lines import LEADS, why
from ..record import counts
from .content import families, rocq_note, rounded, skipped
from .names import anchor
from .sources import BIBLIOGRAPHY, NEW, by_source
from .tex_text import code, formula, inline, words

_SIGNS = {"equal": "$=$", "fact": r"$\therefore$"}
_PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage{lmodern}
\usepackage{textcomp}
\usepackage[margin=2.6cm]{geometry}
\usepackage{amsmath,amssymb,amsthm}
\usepackage{graphicx}
\usepackage{booktabs,longtable,array}
\usepackage[hidelinks]{hyperref}
\hypersetup{pdftitle={deltaproof: statements and their evidence},pdfcreator={},pdfproducer={}}
\ifdefined\pdftrailerid\pdftrailerid{}\fi
\theoremstyle{definition}
\newtheorem{claim}{Claim}
\setlength{\parindent}{0pt}
\setlength{\parskip}{.4em plus .2em}
\setlength{\emergencystretch}{6em}
\raggedbottom
% a formula in one line where it fits, smaller where it nearly does, broken where it does not
\newsavebox{\fitbox}
\newcommand{\fit}[1]{\sbox{\fitbox}{$\displaystyle #1$}%
  \ifdim\wd\fitbox<\linewidth\usebox{\fitbox}\else
  \ifdim\wd\fitbox<1.4\linewidth\resizebox{\linewidth}{!}{\usebox{\fitbox}}\else
  {\raggedright\let\left\relax\let\right\relax$#1$\par}\fi\fi}
\newcommand{\lead}[1]{\par\smallskip\textit{#1}\par\nopagebreak}
\newcommand{\step}[5][0]{\par\noindent\makebox[2.4em][l]{\footnotesize #2}\hspace*{#1em}%
  \makebox[1.6em][l]{#3}\begin{minipage}[t]{\dimexpr\linewidth-4em-#1em\relax}%
  \fit{#4}\par{\footnotesize #5}\end{minipage}\par}
"""


def tex(record: Mapping[str, Any], stale: Mapping[str, str]) -> str:
    """The document of a complete record; `stale` says what has changed since, by claim."""
    lines = [
        _PREAMBLE + r"\begin{document}",
        r"\title{Statements and their evidence}\author{}\date{}\maketitle",
        rf"\textbf{{{words(counts(record))}.}} Each verdict below follows from the evidence of one"
        r" run of deltaproof, and each claim names the command that repeats it.",
    ]
    if stale:
        lines += ["", rf"\textbf{{{len(stale)} stale: changed since this run.}}"]
    for row in skipped(record):
        lines += [
            "",
            rf"Skipped, for {len(row['claims'])} claims: {words(row['kind'])}"
            rf" ({words(row['reason'])}).",
        ]
    lines += _overview(record)
    keys = {label for label, _ in by_source([c for _, cs in families(record, stale) for c in cs])}
    for family, claims in families(record, stale):
        lines += ["", rf"\section{{{words(family)}}}"]
        for claim in claims:
            lines += ["", *_claim(claim)]
    lines += _bibliography(keys)
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def _overview(record: Mapping[str, Any]) -> list[str]:
    rows = [
        rf"\hyperref[{_label(c['id'])}]{{{_id(c['id'])}}} & {words(c['verdict'])} &"
        rf" {words(c['source'])} \\"
        for c in record["claims"]
    ]
    return [
        r"\begin{small}\begin{longtable}{>{\raggedright\arraybackslash}p{.62\linewidth}"
        r"l>{\raggedright\arraybackslash}p{.24\linewidth}}",
        r"\toprule claim & verdict & source \\ \midrule\endhead \bottomrule\endfoot",
        *rows,
        r"\end{longtable}\end{small}",
    ]


def _claim(claim: Mapping[str, Any]) -> list[str]:
    reading, origin = claim["reading"], claim["origin"]
    label, place, how = origin
    cited = rf"\cite[{{{words(place)}}}]{{{_key(label)}}}" if place else rf"\cite{{{_key(label)}}}"
    source = f"{cited}, {how}" if label in BIBLIOGRAPHY and label != NEW else (
        f"{words(' '.join((label, place)).strip())}, {how}" if label and label != NEW else how
    )  # fmt: skip
    lines = [
        rf"\begin{{claim}}[{{{words(claim['title'])}}}]\label{{{_label(claim['id'])}}}",
        rf"{_id(claim['id'])}; {source}: \textbf{{{words(claim['verdict'])}}}.",
    ]
    if claim["status"] != "as_expected":
        lines.append(rf" \textbf{{{words(claim['word'])}}}: {words(claim['note'])}")
    for name in claim["accepted"]:
        lines.append(rf" \textbf{{A false statement was accepted}}: {words(name)}.")
    if claim["stale"]:
        lines.append(rf" \textbf{{{words(claim['stale'])}}}")
    if reading["symbols"]:
        lines += ["", "For all " + ", ".join(inline(s["latex"]) for s in reading["symbols"]) + ","]
    for definition in reading["definitions"]:
        lines += ["", "with " + inline(definition["latex"]) + ","]
    for number, hypothesis in enumerate(reading["hypotheses"], 1):
        told = rf" {{\footnotesize {number}}}\ " if len(reading["hypotheses"]) > 1 else " "
        word = "if" if number == 1 else "and"
        lines += ["", word + told + inline(hypothesis["latex"]) + ","]
    lines += ["", "then" if reading["hypotheses"] else "", ""]
    lines += [formula(reading["conclusion"]["latex"]), r"\end{claim}"]
    if claim["witness"] and reading["hypotheses"]:
        lines += ["", rf"The hypotheses can be met: {_values(claim['witness'])}."]
    if claim["counterexample"]:
        lines += _counterexample(claim)
    if claim["counterproof"]:
        lines += [r"\lead{Counterproof}", *_steps(claim["counterproof"])]
    if claim["repair"]:
        lines += [
            r"\lead{True instead}",
            rf"\hyperref[{_label(claim['repair']['id'])}]{{{_id(claim['repair']['id'])}}}:"
            rf" {words(claim['repair']['title'])}.",
        ]
    if claim["steps"]:
        lines += [r"\lead{Derivation}", *_steps(claim["steps"])]
    if claim["certificate"]:
        lines += [rf"\lead{{Certificate: {words(claim['terms'])}}}"]
        lines += [
            rf"\step{{}}{{}}{{{_bare(line)}}}{{}}" for line in claim["certificate"].get("lines", ())
        ]
    if claim["rocq"]:
        lines += [r"\lead{Rocq}", r"{\footnotesize", code(claim["rocq"]["statement"]), "}"]
        lines += ["", words(rocq_note(claim["rocq"])) + "."]
    return [*lines, *_evidence(claim), "", r"{\footnotesize", code(claim["command"]), "}"]


def _bare(line: Mapping[str, str]) -> str:
    r"""A formula for `\step`, which sets it itself; words where it is no formula."""
    made = formula(line["latex"])
    return made.removeprefix(r"\fit{").removesuffix("}") if made.startswith(r"\fit{") else (
        rf"\text{{{made}}}"
    )  # fmt: skip


def _counterexample(claim: Mapping[str, Any]) -> list[str]:
    found = claim["counterexample"]
    lines = [r"\lead{Counterexample}", rf"At {_values(found)}"]
    if found["sides"]:
        sides = " and ".join(
            f"the {s['name']} side is "
            + (inline(s["latex"]) if s["latex"] else rf"\texttt{{{words(s['text'])}}}")
            for s in found["sides"]
        )
        lines.append(f"in {inline(claim['reading']['conclusion']['latex'])} {sides}")
    lines[-1] += "."
    return lines


def _steps(steps: Any) -> list[str]:
    lines = []
    for step in steps:
        lead, sign = LEADS[step["role"]], _SIGNS.get(step["role"], "")
        said = "" if sign else rf"\text{{{words(lead)}\ }}" if lead else ""
        number = f"({step['number']})" if "number" in step else ""
        latex = said + _bare({"latex": step["expression"]})
        why_so = words(why(step))
        lines.append(rf"\step[{step['depth']}]{{{number}}}{{{sign}}}{{{latex}}}{{{why_so}}}")
    return lines


def _values(found: Mapping[str, Any]) -> str:
    return ", ".join(
        inline(v["latex"]) if v["latex"] else rf"\texttt{{{words(v['name'] + ' = ' + v['text'])}}}"
        for v in found["values"]
    )


def _evidence(claim: Mapping[str, Any]) -> list[str]:
    rows = [_row(*(words(r[key]) for key in ("kind", "outcome", "scope", "detail")))
            for r in claim["rows"]]  # fmt: skip
    for r in claim["torch"]:
        told = ", ".join(
            f"{name} {words(rounded(r[name]))}" for name in ("observed", "bound", "ratio")
        )
        rows.append(_row(rf"torch, {words(str(r['at']))}", rf"\multicolumn{{3}}{{l}}{{{told}}}"))
    column = r">{\raggedright\arraybackslash}p"
    return [
        r"\lead{Evidence}",
        r"{\footnotesize\begin{longtable}[l]"
        rf"{{ll{column}{{.25\linewidth}}{column}{{.42\linewidth}}}}",
        r"\toprule kind & outcome & looked at & found \\ \midrule\endhead \bottomrule\endfoot",
        *rows,
        r"\end{longtable}}",
    ]


def _row(*cells: str) -> str:
    return " & ".join(cells) + r" \\"


def _bibliography(labels: Iterable[str]) -> list[str]:
    cited = [label for label in BIBLIOGRAPHY if label in set(labels) and label != NEW]
    if not cited:
        return []
    items = [
        rf"\bibitem[{words(label)}]{{{_key(label)}}} {words(BIBLIOGRAPHY[label].title)}"
        + (rf", arXiv:{BIBLIOGRAPHY[label].arxiv}" if BIBLIOGRAPHY[label].arxiv else "")
        + "."
        for label in cited
    ]
    return [r"\begin{thebibliography}{GEO-notes}", *items, r"\end{thebibliography}"]


def _id(claim_id: str) -> str:
    """An id that may break after its separators."""
    spelled = words(claim_id)
    for separator in (".", r"\_"):
        spelled = spelled.replace(separator, rf"{separator}\allowbreak{{}}")
    return rf"\texttt{{{spelled}}}"


def _label(claim_id: str) -> str:
    return f"claim:{_ascii(claim_id)}"


def _key(label: str) -> str:
    return _ascii(label)


def _ascii(text: str) -> str:
    return anchor(text).encode("ascii", "ignore").decode() or "unnamed"
