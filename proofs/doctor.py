"""What this machine has: versions, what is missing, how to get it.

diagnose() == the text, and whether everything that is not optional is there
"""

from __future__ import annotations

import platform
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, requires, version

from .cache import default_directory

APT = "apt-get install"


def diagnose() -> tuple[str, bool]:
    """One line for every tool: its version, or how to get it."""
    rows = [("ok", "python", platform.python_version())]
    healthy = True
    for name in ("deltaproof", *_requirements()):
        try:
            rows.append(("ok", name, version(name)))
        except PackageNotFoundError:
            healthy = False
            rows.append(("missing", name, f"pip install {name}"))
    rows += _kernel()
    compiler = shutil.which("g++") or shutil.which("c++")
    rows.append(
        ("ok", "g++", _first_line([compiler, "--version"]))
        if compiler
        else ("optional", "g++", f"{APT} g++ (only for torch.compile)")
    )
    rows.append(("ok", "cache", str(default_directory())))
    width = max(len(name) for _, name, _ in rows)
    lines = [f"{state:<8}  {name:<{width}}  {told}" for state, name, told in rows]
    missing = [name for state, name, _ in rows if state == "missing"]
    optional = [name for state, name, _ in rows if state == "optional"]
    if missing:
        lines.append(f"\nmissing: {', '.join(missing)}")
    elif optional:
        lines.append(f"\nready; without {', '.join(optional)}, which nothing else needs")
    else:
        lines.append("\nready")
    return "\n".join(lines), healthy


def _requirements() -> list[str]:
    """The names of the distributions that the package needs, extras left out."""
    try:
        needed = requires("deltaproof") or []
    except PackageNotFoundError:
        return []
    names = []
    for line in needed:
        if "extra ==" not in line:
            name = line.split(";")[0]
            for sign in "<>=!~ [(":
                name = name.split(sign)[0]
            names.append(name)
    return sorted(names)


def _kernel() -> list[tuple[str, str, str]]:
    from .kernel import kernel_status

    status = kernel_status()
    rows = []
    if status.coqc:
        rows.append(("ok", "coqc", f"{status.versions['coqc']} ({status.coqc})"))
        rows += [("ok", name, "found") for name, there in status.libraries.items() if there]
    if status.missing:
        rows.append(("optional", "Rocq", f"{status.missing}; {status.install}"))
    return rows


def _first_line(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "does not answer"
    return (done.stdout or done.stderr).splitlines()[0] if done.stdout or done.stderr else "?"
