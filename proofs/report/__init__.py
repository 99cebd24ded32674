"""The report of a run: why each claim is proved or refuted, as a site, a document, a badge.

render(record, format, …)     == the files of a format, name -> text: `html`, `md`, `tex`
write(record, out, formats, …) == writes them below a folder, and compiles `pdf`; the files written
FORMATS                       == the names of the formats

Made from the record alone, so that the same record gives the same bytes; nothing is verified.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

FORMATS = ("html", "md", "tex", "pdf")


def render(
    record: Mapping[str, Any],
    format: str,
    conformance: Sequence[Mapping[str, Any]] = (),
    stale: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The files of a complete record in one of the formats `html`, `md`, `tex`.

    `conformance` holds records of conformance runs, which the site shows beside the claims; `stale`
    says of claims, by id, that they have changed since.
    """
    stale = stale or {}
    match format:
        case "html":
            from .site import site

            return site(record, conformance, stale)
        case "md":
            from .markdown import markdown

            return {"report.md": markdown(record, stale)}
        case "tex":
            from .tex import tex

            return {"report.tex": tex(record, stale)}
    raise ValueError(f"no text is made for format {format!r}; there are html, md, tex")


def write(
    record: Mapping[str, Any],
    out: Path,
    formats: Iterable[str],
    conformance: Sequence[Mapping[str, Any]] = (),
    stale: Mapping[str, str] | None = None,
) -> list[Path]:
    """Write the report below the folder `out`; returns the file to open, for each format.

    Raises
    ------
    MissingTool
        `pdf` was asked for and latexmk is not installed; nothing has been written then.
    """
    from ..cache import write_atomically
    from .pdf import compile_pdf, require_latexmk

    formats = list(dict.fromkeys(formats))
    if "pdf" in formats:
        require_latexmk()
    opened = []
    for format in formats:
        if format == "pdf":
            opened.append(
                compile_pdf(render(record, "tex", (), stale)["report.tex"], out / "report.pdf")
            )
            continue
        files = render(record, format, conformance, stale)
        for name, text in files.items():
            write_atomically(out / name, text)
        opened.append(out / next(iter(files)))
    return opened
