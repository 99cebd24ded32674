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
    cache: bool | str | Path = True,
    certificates: str | Path | None = None,
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
    cache : bool, str or Path
        Whether evidence is kept and used again, or the folder in which.
    certificates : str or Path, optional
        Folder of stored certificates; those of the package by default. Certificates that are
        found are written there, and the next time only checked.
    seconds, degree : float, int
        Bounds of each search: its time, and the length of the products in a certificate.

    Raises
    ------
    deltaproof.proofs.selection.SelectionError
        An id is unknown, nothing is selected, or `kinds` leave a claim without a single check.
    deltaproof.proofs.runner.MissingTool
        A required kind cannot be checked on this machine.
    TypeError, ValueError
        An argument is of another type; two claims share an id; a kind has another name.
    """
    from .runner import run
    from .verdicts import parse_kinds

    wanted = None if kinds is None else parse_kinds(_names("kinds", kinds))
    required = _names("require", require)
    parse_kinds(required)
    if isinstance(jobs, bool) or not isinstance(jobs, int):
        raise TypeError(f"jobs is a number of processes, got {jobs!r}")
    if jobs < 0:
        raise ValueError(f"jobs is at least 0 (0 checks in this process), got {jobs}")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"seed is an integer, got {seed!r}")
    return run(
        _chosen(claims),
        kinds=wanted,
        required=required,
        seed=seed,
        jobs=jobs,
        mutants=mutants,
        cache=_store(cache),
        certificates=None if certificates is None else Path(certificates),
        seconds=seconds,
        degree=degree,
    )


def _chosen(claims: Iterable[Claim | Entry | str] | Claim | Entry | str | None) -> list[Entry]:
    """The entries that are meant: what strings select, as the command does, and claims."""
    from ..symbolic.claims import Claim
    from .catalogue.entry import Entry
    from .checks import as_entry
    from .selection import select

    if claims is None:
        return select(())
    if isinstance(claims, Claim | Entry | str):
        claims = [claims]
    if not isinstance(claims, Iterable):
        raise TypeError(f"claims, entries or ids are checked, got {claims!r}")
    found: dict[str, Entry] = {}
    for item in claims:
        if not isinstance(item, Claim | Entry | str):
            raise TypeError(f"claims, entries or ids are checked, got {item!r}")
        # patterns may overlap, as on the command line; a claim is given once
        new = select([item]) if isinstance(item, str) else [as_entry(item)]
        for entry in new:
            known = found.get(entry.claim.id)
            if known is not None and not (isinstance(item, str) and known == entry):
                raise ValueError(
                    f"two of the claims are called {entry.claim.id}; give one of them another id, "
                    "or leave the repetition out"
                )
            found[entry.claim.id] = entry
    return [*found.values()]


def _names(option: str, given: Iterable[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        raise TypeError(f'{option} is a list of names; write {option}=["{given}"]')
    return tuple(given)


def _store(where: bool | str | Path) -> Cache:
    from .cache import Cache

    if not isinstance(where, bool | str | Path):
        raise TypeError(f"cache is True, False or a folder, got {where!r}")
    return Cache(None if isinstance(where, bool) else Path(where), enabled=where is not False)


def prove(claim: Claim | Entry | str, **options: Any) -> Result:
    """The result of one claim; options as for `verify`.

    Raises
    ------
    ValueError
        `claim` selects more than one, as the name of a family does; use `verify`.
    """
    chosen = _chosen(claim)
    if len(chosen) > 1:
        raise ValueError(
            f"prove() checks one claim and {claim!r} means {len(chosen)}; use verify({claim!r})"
        )
    (result,) = verify(chosen, **options).results
    return result


def __getattr__(name: str) -> Any:
    if name in ("Run", "Result"):
        from . import runner

        return getattr(runner, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
