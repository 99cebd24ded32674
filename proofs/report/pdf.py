"""The LaTeX document as PDF, by latexmk where it is installed.

require_latexmk()      == raises MissingTool where latexmk is not there
compile_pdf(text, out) == the PDF of a document, at `out`
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from ..runner import MissingTool

LATEXMK = "latexmk"
TIME_LIMIT = 900.0
# no shell, no files above the folder, the same bytes whenever it is compiled
_ENVIRONMENT = {
    "SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1", "openin_any": "p", "openout_any": "p",
}  # fmt: skip


def require_latexmk() -> None:
    """Raise MissingTool where there is no latexmk."""
    if shutil.which(LATEXMK) is None:
        raise MissingTool(
            "pdf needs latexmk, which is not found; install it (Debian: latexmk,"
            " texlive-latex-recommended, lmodern) or write --format tex"
        )


def compile_pdf(text: str, out: Path) -> Path:
    """Compile a document and put the PDF at `out`; raises MissingTool where LaTeX fails."""
    with tempfile.TemporaryDirectory(prefix="deltaproof-") as folder:
        source = Path(folder) / "report.tex"
        source.write_text(text, encoding="ascii")
        ran = subprocess.run(
            [LATEXMK, "-norc", "-pdf", "-no-shell-escape", "-interaction=nonstopmode",
             "-halt-on-error", source.name],
            cwd=folder,
            env={**os.environ, **_ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIME_LIMIT,
        )  # fmt: skip
        made = source.with_suffix(".pdf")
        if ran.returncode or not made.is_file():
            told = [line for line in ran.stdout.splitlines() if line.startswith("!")]
            raise MissingTool(
                f"latexmk could not compile the report: {' '.join(told[:3]) or ran.stderr[-500:]};"
                " --format tex writes the document itself"
            )
        out.parent.mkdir(parents=True, exist_ok=True)
        temporary = out.with_name(f".{out.name}.tmp")
        shutil.copyfile(made, temporary)
        os.replace(temporary, out)
    return out
