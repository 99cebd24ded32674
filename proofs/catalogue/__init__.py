"""The catalogue: every claim with its expected verdict, evidence and mutants.

ENTRIES        == all entries, in the order of the ledger
entry(id)      == the entry of one claim
owed(entry)    == the kinds that a row of the ledger must have and that are not attached to it
kernel_wanted(entry) == why a row of the ledger may be without a Rocq theorem; empty if it may not
load(path)     == the entries of a file of one's own, from its CLAIMS
CatalogueError == a file that is no catalogue; an id that no claim has

Importing this imports neither SymPy nor mpmath nor torch nor NumPy.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING

from ...symbolic.claims import Claim
from ...symbolic.evidence import Kind
from ...symbolic.ledger import FAMILIES
from .entry import Entry, Mutant, Operator
from .mutation import generate_mutants
from .wanted import KERNEL_WANTED

__all__ = [
    "ENTRIES",
    "CatalogueError",
    "Entry",
    "Mutant",
    "Operator",
    "entry",
    "kernel_wanted",
    "load",
    "owed",
]

if TYPE_CHECKING:
    ENTRIES: tuple[Entry, ...]

# what can be found for a statement about which nothing is written by hand
BARE_KINDS = (
    Kind.KERNEL, Kind.CERTIFICATE, Kind.COUNTEREXAMPLE, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY,
)  # fmt: skip


class CatalogueError(ValueError):
    """What is wrong with a catalogue, and what to do about it."""


def __getattr__(name: str) -> tuple[Entry, ...]:
    """ENTRIES, made when first asked for: the proofs of all claims take their time to import."""
    if name != "ENTRIES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = tuple(e for family in FAMILIES for e in import_module(f".{family}", __name__).ENTRIES)
    globals()[name] = found
    return found


def _ledger() -> tuple[Entry, ...]:
    return globals().get("ENTRIES") or __getattr__("ENTRIES")


def entry(claim_id: str) -> Entry:
    """The entry of the claim with this id; raises CatalogueError where there is none."""
    entries = _ledger()
    for candidate in entries:
        if candidate.claim.id == claim_id:
            return candidate
    raise CatalogueError(
        f"no claim is called {claim_id!r}; there are {', '.join(e.claim.id for e in entries)}"
    )


def owed(row: Entry) -> tuple[Kind, ...]:
    """The kinds that a row of the ledger must have and that are not attached to it.

    What it calls proved has a Rocq theorem, but for the rows of which one is still wanted. An entry
    that is not the ledger's owes nothing.
    """
    if Kind.KERNEL in row.kinds or row.claim.expected != "proved":
        return ()
    free = row.claim.id in KERNEL_WANTED or row not in _ledger()
    return () if free else (Kind.KERNEL,)


def kernel_wanted(row: Entry) -> str:
    """Why a row of the ledger may be without a Rocq theorem; empty of any other entry."""
    reason = KERNEL_WANTED.get(row.claim.id, "")
    return reason if reason and row in _ledger() else ""


def load(path: str | Path) -> tuple[Entry, ...]:
    """The entries of a Python file, from the Claims and Entries in its `CLAIMS`.

    A bare claim is checked by the kinds of evidence that are found automatically, and gets
    mutants by rule. The file is executed: it may import modules that stand beside it, and what it
    prints goes to stderr.

    Raises
    ------
    CatalogueError
        There is no such file, it raises anything but KeyboardInterrupt, or its CLAIMS are missing,
        empty, of another type, or share an id.
    """
    path = Path(path)
    if not path.is_file():
        raise CatalogueError(f"there is no file {path}")
    spec = spec_from_file_location(f"deltaproof_catalogue_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise CatalogueError(f"{path} is not a Python file: a catalogue's name ends in .py")
    module = module_from_spec(spec)
    with _executing(module, path.resolve().parent):
        try:
            spec.loader.exec_module(module)
            claims = getattr(module, "CLAIMS", None)
            # whatever its CLAIMS do when they are read is the file's doing too
            items = None if claims is None else _items(path, claims)
        except (KeyboardInterrupt, CatalogueError):
            raise
        except BaseException as problem:  # sys.exit() among them: it must not end the command
            said = f"{type(problem).__name__}: {problem}".rstrip(": ")
            where = _place(problem, spec.origin)
            raise CatalogueError(f"{path} stops with {said}{where}") from problem
    if items is None:
        raise CatalogueError(f"{path} defines no CLAIMS; write CLAIMS = [Claim(…), …]")
    return _entries(path, items)


def _place(problem: BaseException, file: str | None) -> str:
    """The line of a file that an exception came through, the innermost; empty where none did."""
    lines = [f.lineno for f in extract_tb(problem.__traceback__) if f.filename == file]
    return f", at {Path(file).name}:{lines[-1]}" if file and lines else ""


@contextmanager
def _executing(module: ModuleType, folder: Path) -> Iterator[None]:
    """While a catalogue runs: it finds its neighbours, and prints to stderr.

    The neighbours are forgotten afterwards, since another catalogue may have its own of that name.
    """
    name = module.__name__
    previous, before = sys.modules.get(name), set(sys.modules)
    # a data class of the file looks its own module up here while it is being made
    sys.modules[name] = module
    added = str(folder) not in sys.path
    if added:
        sys.path.append(str(folder))  # last, so that a neighbour hides no installed module
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        if added and str(folder) in sys.path:
            sys.path.remove(str(folder))
        new = set(sys.modules) - before
        neighbours = {m for m in new if "." not in m and _stands_in(m, folder)}
        for other in new:
            if other.partition(".")[0] in neighbours:
                del sys.modules[other]
        if previous is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = previous


def _stands_in(name: str, folder: Path) -> bool:
    """Was a top-level module found in `folder`?"""
    origin = getattr(getattr(sys.modules[name], "__spec__", None), "origin", None)
    if not origin:
        return False
    path = Path(origin)
    return (path.parent.parent if path.stem == "__init__" else path.parent) == folder


def _items(path: Path, claims: object) -> list[Claim | Entry]:
    if isinstance(claims, Claim | Entry) or not isinstance(claims, Iterable):
        raise CatalogueError(f"CLAIMS of {path} must be a list of claims, got {claims!r}")
    items: list[Claim | Entry] = []
    for position, item in enumerate(claims):
        if not isinstance(item, Claim | Entry):
            raise CatalogueError(
                f"CLAIMS[{position}] of {path} is neither a Claim nor an Entry: {item!r}"
            )
        items.append(item)
    return items


def _entries(path: Path, items: Iterable[Claim | Entry]) -> tuple[Entry, ...]:
    found: dict[str, Entry] = {}
    for item in items:
        new = item if isinstance(item, Entry) else _bare(item)
        if new.claim.id in found:
            raise CatalogueError(f"{path} has two claims with the id {new.claim.id}; rename one")
        found[new.claim.id] = new
    if not found:
        raise CatalogueError(f"CLAIMS of {path} is empty")
    for read in found.values():
        if read.repaired_by is not None and read.repaired_by not in found:
            raise CatalogueError(
                f"{path}: {read.claim.id} is repaired by {read.repaired_by!r}, which is no claim "
                f"of it; there are {', '.join(found)}"
            )
    return tuple(found.values())


def _bare(claim: Claim) -> Entry:
    return Entry(claim, BARE_KINDS, generate_mutants(claim))
