"""Proofs: the catalogue, the evidence of each claim, verdicts, records, reports, the command.

verify(claims) == a Run: verdict and evidence of each claim, all of the catalogue by default
prove(claim)   == the Result of one claim
Run, Result    == see runner.py

Nothing is imported before it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..symbolic.claims import Claim
    from .cache import Cache
    from .catalogue.entry import Entry
    from .runner import Result, Run

__all__ = ["Result", "Run", "prove", "verify"]


def verify(
    claims: Iterable[Claim | Entry | str] | Claim | Entry | str | None = None,
    *,
    kinds: Iterable[str] | None = None,
    require: Iterable[str] = (),
    seed: int = 0,
    jobs: int = 0,
    mutants: bool = False,
    cache: bool | Path = True,
    certificates: Path | None = None,
    seconds: float = 10.0,
    degree: int = 16,
) -> Run:
    """Check claims by every kind of evidence that is attached to them.

    Parameters
    ----------
    claims : claims, entries, or ids, globs and families of the catalogue, optional
        What to check; the whole catalogue by default. A bare claim is checked by the kinds that
        need nothing written by hand.
    kinds, require : iterable of str, optional
        Names of kinds, or the groups "symbolic" and "numeric".
    seed : int
        Seed of everything that is drawn.
    jobs : int
        Worker processes; 0 (the default) checks in this process. With more, a script needs the
        usual ``if __name__ == "__main__":``.
    mutants : bool
        Also run every mutant through every kind.
    cache : bool or Path
        Whether evidence is kept and used again, or the folder in which.
    certificates : Path, optional
        Folder of stored certificates; those of the package by default. Certificates that are
        found are written there, and the next time only checked.
    seconds, degree : float, int
        Bounds of each search: its time, and the length of the products in a certificate.

    Raises
    ------
    deltaproof.proofs.selection.SelectionError
        An id is unknown, or a pattern selects nothing.
    deltaproof.proofs.runner.MissingTool
        A required kind cannot be checked on this machine.
    """
    from ..symbolic.claims import Claim
    from .catalogue.entry import Entry
    from .checks import as_entry
    from .runner import parse_kinds, run
    from .selection import select

    if claims is None:
        entries = select(())
    else:
        chosen = [claims] if isinstance(claims, Claim | Entry | str) else list(claims)
        entries = []
        for claim in chosen:
            entries += select([claim]) if isinstance(claim, str) else [as_entry(claim)]
    return run(
        entries,
        kinds=None if kinds is None else parse_kinds(kinds),
        required=tuple(require),
        seed=seed,
        jobs=jobs,
        mutants=mutants,
        cache=_store(cache),
        certificates=certificates,
        seconds=seconds,
        degree=degree,
    )


def _store(where: bool | Path) -> Cache:
    from .cache import Cache

    return Cache(where if isinstance(where, Path) else None, enabled=bool(where))


def prove(claim: Claim | Entry | str, **options: Any) -> Result:
    """The result of one claim; options as for `verify`."""
    (result,) = verify([claim], **options).results
    return result


def __getattr__(name: str) -> Any:
    if name in ("Run", "Result"):
        from . import runner

        return getattr(runner, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
