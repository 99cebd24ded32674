"""Theorems for a Rocq development of one's own: statement, proof, and the files that they load.

export_rocq(results, folder) == write them; a line for each claim that was left out, and why

The folder compiles as it is, in the order of its `_CoqProject`. Left out: claims that were not
proved by a certificate or a lemma, and the audit of axioms (kernel.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..symbolic.evaluation import Unsupported
from .cache import write_atomically
from .coqc import LOGICAL, Source
from .kernel import theorem_file
from .runner import Result

PROJECT = f"-Q . {LOGICAL}\n-arg -w\n-arg -notation-overridden,-ambiguous-paths\n"


def export_rocq(results: Iterable[Result], folder: Path) -> list[str]:
    """Write what was proved into `folder`.

    Parameters
    ----------
    results : iterable of Result
        What a run found; claims that are not proved are left out.
    folder : Path
        Made if need be; files of the same names are overwritten.

    Returns
    -------
    list of str
        A line for each claim, and one for the folder.
    """
    loaded: dict[str, Source] = {}
    theorems: dict[str, str] = {}
    told: list[str] = []
    for result in results:
        claim = result.entry.claim
        if result.verdict != "proved":
            told.append(f"{claim.id}: not exported, it is {result.verdict}")
            continue
        if result.entry.lemma is None and result.certificate is None:
            told.append(f"{claim.id}: not exported, it was not proved by a certificate")
            continue
        try:
            text, sources = theorem_file(claim, result.entry.lemma, result.certificate)
        except (Unsupported, LookupError, ValueError) as reason:
            told.append(f"{claim.id}: not exported: {reason}")
            continue
        name = "claim_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in claim.id)
        while name in theorems:  # the ids a.b and a_b are two claims
            name += "_"
        theorems[name] = text
        loaded |= {source.name: source for source in sources}
    texts = {**{name: source.text for name, source in loaded.items()}, **theorems}
    for name, text in texts.items():
        write_atomically(folder / f"{name}.v", text)
    listed = "".join(f"{name}.v\n" for name in texts)
    write_atomically(folder / "_CoqProject", f"{PROJECT}\n{listed}")
    return [*told, f"{len(theorems)} theorems in {folder}"]
