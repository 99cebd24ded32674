"""Which claims are meant: ids, globs, families; the catalogue of the package or a file.

select(patterns, entries) == the entries that are meant, in the order of the catalogue
narrow(entries, …)        == those of them that have a check of the kinds that are asked for
load(path)                == the entries of a user's file, from its CLAIMS
SelectionError            == an unknown name (exit 2), NothingSelected == a pattern without a match
                             (exit 5)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from ..symbolic.evidence import Kind
from .catalogue import owed
from .catalogue.entry import Entry
from .verdicts import parse_kinds


class SelectionError(ValueError):
    """A name that no claim has; the message gives the nearest ones."""


class NothingSelected(SelectionError):
    """A pattern that matches nothing, or a catalogue without claims."""


def select(
    patterns: Sequence[str],
    entries: Sequence[Entry] | None = None,
    *,
    contracts: Collection[str] = (),
) -> list[Entry]:
    """The entries that `patterns` mean; all without patterns.

    `contracts` are names that could have been meant as well, where a pattern means none.
    """
    if entries is None:
        from .catalogue import ENTRIES

        entries = ENTRIES
    if not entries:
        raise NothingSelected("the catalogue has no claims")
    ids = [e.claim.id for e in entries]
    families = list(dict.fromkeys(e.claim.family for e in entries))
    wanted: set[str] = set()
    for pattern in patterns or ("*",):
        if pattern in ids:
            matched = [pattern]
        elif pattern in families:
            matched = [i for i in ids if i.partition(".")[0] == pattern]
        elif any(c in pattern for c in "*?["):
            matched = [i for i in ids if fnmatchcase(i, pattern)]
            if not matched:
                raise NothingSelected(f"no claim matches {pattern!r}")
        else:
            sorts = "claim, family or contract" if contracts else "claim or family"
            nearest = near(pattern, [*ids, *contracts])
            raise SelectionError(f"no {sorts} is called {pattern!r}{nearest}")
        wanted.update(matched)
    return [e for e in entries if e.claim.id in wanted]


def unchecked(
    entries: Sequence[Entry], kinds: Collection[Kind], required: Sequence[str] = ()
) -> list[Entry]:
    """The entries that `kinds` leave without a single check.

    A row that owes a required kind is not left out: it will be told to lack it. Where all are left
    out and kinds are required, none is, for the same reason.
    """
    asked = parse_kinds(required)
    without = [
        e
        for e in entries
        if not any(k in kinds for k in e.kinds) and asked.isdisjoint(owed(e) if asked else ())
    ]
    return [] if required and len(without) == len(entries) else without


def narrow(
    entries: Sequence[Entry],
    patterns: Sequence[str],
    kinds: Collection[Kind],
    required: Sequence[str] = (),
) -> tuple[list[Entry], list[Entry]]:
    """`entries` with a check of `kinds`, and those left out because they have none.

    What `patterns` name by id is never left out, nor is everything: that a claim is asked for and
    not checked is an error of the run.
    """
    without = [e for e in unchecked(entries, kinds, required) if e.claim.id not in patterns]
    if len(without) == len(entries):
        return [*entries], []
    left_out = {e.claim.id for e in without}
    return [e for e in entries if e.claim.id not in left_out], without


def no_check(entries: Sequence[Entry], kinds: Collection[Kind]) -> str:
    """The sentence that says which kinds were asked for, and which there are."""
    asked = ", ".join(k for k in Kind if k in kinds) or "none"
    there = ", ".join(k for k in Kind if any(k in e.kinds for e in entries))
    first = ", ".join(e.claim.id for e in entries[:3]) + (", …" if len(entries) > 3 else "")
    return (
        f"{first}: no check is left (kinds asked for: {asked}; "
        f"kinds of this selection: {there or 'none'})"
    )


def near(name: str, ids: Sequence[str]) -> str:
    """A question with the three names nearest to `name`."""
    from difflib import SequenceMatcher

    def likeness(claim_id: str) -> float:
        # a name is meant whole or without its family; a part of it may be forgotten
        parts = (claim_id, claim_id.partition(".")[2])
        return max(SequenceMatcher(None, name.lower(), part).ratio() for part in parts) + (
            name.lower() in claim_id
        )

    families = dict.fromkeys(i.partition(".")[0] for i in ids)
    nearest = sorted(dict.fromkeys([*families, *ids]), key=likeness, reverse=True)[:3]
    return f"; did you mean {', '.join(nearest)}?"


def load(path: str) -> list[Entry]:
    """The entries of a user's file, from its CLAIMS.

    Raises
    ------
    SelectionError
        The file is no catalogue; the message names it and says what it raised.
    """
    from .catalogue import CatalogueError
    from .catalogue import load as load_file

    try:
        return [*load_file(Path(path))]
    except CatalogueError as problem:
        raise SelectionError(str(problem)) from problem
    except Exception as problem:  # a claim that no reader of claims can walk through
        raise SelectionError(f"{path}: {type(problem).__name__}: {problem}") from problem
