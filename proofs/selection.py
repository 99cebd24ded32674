"""Which claims are meant: ids, globs, families; the catalogue of the package or a file.

select(patterns, entries) == the entries that are meant, in the order of the catalogue
load(path)                == the entries of a user's file, from its CLAIMS
SelectionError            == an unknown name (exit 2), NothingSelected == a pattern without a match
                             (exit 5)
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from .catalogue.entry import Entry
from .checks import as_entry


class SelectionError(ValueError):
    """A name that no claim has; the message gives the nearest ones."""


class NothingSelected(SelectionError):
    """A pattern that matches nothing, or a catalogue without claims."""


def select(patterns: Sequence[str], entries: Sequence[Entry] | None = None) -> list[Entry]:
    """The entries that `patterns` mean; all without patterns."""
    if entries is None:
        from .catalogue import ENTRIES

        entries = ENTRIES
    if not entries:
        raise NothingSelected("the catalogue has no claims")
    ids = [e.claim.id for e in entries]
    families = list(dict.fromkeys(e.claim.family for e in entries))
    wanted: set[str] = set()
    for pattern in patterns or ("*",):
        if any(c in pattern for c in "*?["):
            matched = [i for i in ids if fnmatchcase(i, pattern)]
            if not matched:
                raise NothingSelected(f"no claim matches {pattern!r}")
        elif pattern in ids:
            matched = [pattern]
        elif pattern in families:
            matched = [i for i in ids if i.partition(".")[0] == pattern]
        else:
            raise SelectionError(f"no claim or family is called {pattern!r}{near(pattern, ids)}")
        wanted.update(matched)
    return [e for e in entries if e.claim.id in wanted]


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
    nearest = sorted([*families, *ids], key=likeness, reverse=True)[:3]
    return f"; did you mean {', '.join(nearest)}?"


def load(path: str) -> list[Entry]:
    """The entries of a user's file: its ENTRIES, else its CLAIMS."""
    from .catalogue import load as load_file

    if not Path(path).is_file():
        raise SelectionError(f"there is no file {path}")
    try:
        entries = [as_entry(claim) for claim in load_file(Path(path))]
    except Exception as problem:  # whatever the user's file raises
        raise SelectionError(f"{path}: {type(problem).__name__}: {problem}") from problem
    seen: set[str] = set()
    for entry in entries:
        if entry.claim.id in seen:
            raise SelectionError(f"{path} has two claims called {entry.claim.id}")
        seen.add(entry.claim.id)
    return entries
