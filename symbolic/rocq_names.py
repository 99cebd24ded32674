"""Names for Rocq: an identifier for each symbol of a claim.

identifiers(claim) == the identifiers by symbol, one to one, none of which Rocq reserves
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from . import expressions as ex
from .claims import Claim
from .evaluation import Unsupported

# Words that Rocq reads as keywords, and the identifiers that statements themselves use
_WORDS = """
    as at by cofix do else end exists exists2 fix for forall fun if in is let match mod nosimpl of
    return then under using where with Prop SProp Set Type R nat nth Num Order True False
    realFieldType rcfType invmx unitmx Derive Derive_n ex_derive ex_derive_n Rmin Rmax Rabs
    sqrt exp ln sin cos atan const_mx i_row j_column iter mulmx diag_mx absz iota rev index_iota
    seq int step tolerance radius bound slope mxvec lin_mx stacked real of_real
"""
_RESERVED = frozenset(_WORDS.split())
_LEAVES = (
    ex.Dim,
    ex.IndexSymbol,
    ex.ScalarSymbol,
    ex.MatrixSymbol,
    ex.FunctionSymbol,
    ex.SequenceSymbol,
    ex.MapSymbol,
)


def identifiers(claim: Claim) -> dict[Any, str]:
    """An identifier for every symbol, free or bound, one to one; a bound one shadows as in claims.

    Symbols that share a name, sizes aside, are refused: a value is looked up by its name.
    """
    table: dict[Any, str] = {}
    taken: set[str] = set(_RESERVED)
    owner: dict[str, Any] = {}
    for symbol in dict.fromkeys(_symbols(claim.statement)):
        if not isinstance(symbol, ex.Dim) and owner.setdefault(symbol.name, symbol) != symbol:
            raise Unsupported(
                f"claim {claim.id}: the name {symbol.name} stands for {owner[symbol.name]!r} "
                f"and for {symbol!r}; give them different names"
            )
        stem = _spelled(symbol.name)
        choices = (stem, *(f"{stem}{k}" for k in range(1, len(taken) + 2)))
        table[symbol] = next(choice for choice in choices if choice not in taken)
        taken.add(table[symbol])
    return table


def _symbols(node: Any) -> Iterator[Any]:
    if isinstance(node, _LEAVES):
        yield node
    parts = node if isinstance(node, tuple) else ()
    if is_dataclass(node):
        parts = tuple(getattr(node, f.name) for f in fields(node))
    for part in parts:
        yield from _symbols(part)


def _spelled(name: str) -> str:
    """An ASCII identifier near `name`."""
    text = "".join(
        c
        if c.isascii() and (c.isalnum() or c in "_'")
        else re.sub(r"\W", "", unicodedata.name(c, "u").split()[-1].lower())
        for c in name
    )
    return text if text[:1].isalpha() else f"x{text}"
