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
        _forget(out, format, files)
        opened.append(out / next(iter(files)))
    return opened


def _forget(out: Path, format: str, files: Iterable[str]) -> None:
    """Remove what an earlier report of this format wrote and this one did not.

    The names are kept in a file beside them, so that nothing is removed that a report did not
    write; a name that leads out of the folder is not followed.
    """
    from ..cache import write_atomically

    written = out / f".deltaproof-{format}"
    earlier = written.read_text(encoding="utf-8").splitlines() if written.is_file() else []
    for name in set(earlier).difference(files):
        page = out / name
        if page.is_file() and out.resolve() in page.resolve().parents:
            page.unlink()
    write_atomically(written, "".join(f"{name}\n" for name in sorted(files)))
