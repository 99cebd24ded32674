"""Symbols and the variables that bind them: putting values in where that is sound.

put(body, variable, value) == the body with a value in every free place of a symbol
mentions(tree, symbol)     == does the symbol occur, free or bound?
fresh(symbol, *trees)      == the symbol, renamed where a tree already uses its name
Captured                   == raised where a binder stands in the way

A tree is an expression, a proposition, or a tuple of such.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from itertools import chain, count
from typing import Any

from . import expressions as ex


class Captured(ValueError):
    """A value that cannot be put in, because a name is bound there."""


def put(body: Any, variable: Any, value: Any) -> Any:
    """`body` with `value` for `variable`, a scalar, matrix, sequence or index.

    Raises
    ------
    Captured
        The variable, or a symbol of the value, is bound somewhere in the body.
    """
    if variable != value:
        for bound in binders(body):
            if bound == variable or mentions(value, bound):
                raise Captured(f"{value} cannot be put in for {variable}: {bound} is bound there")
    return _put(body, variable, value)


def mentions(tree: Any, symbol: Any) -> bool:
    """Does a symbol with the name of `symbol` occur anywhere in `tree`, free or bound?"""
    if getattr(tree, "name", None) == symbol.name and not isinstance(tree, ex.Named | ex.Dim):
        return True
    if isinstance(tree, tuple):
        return any(mentions(part, symbol) for part in tree)
    if not is_dataclass(tree):
        return False
    return any(mentions(getattr(tree, name), symbol) for name in ex.field_names(type(tree)))


def fresh(symbol: Any, *trees: Any) -> Any:
    """`symbol`, or the first of its numbered namesakes whose name none of the trees uses.

    What a construction binds by itself is named through here, so that it captures nothing of what
    its caller passes in.
    """
    namesakes = (replace(symbol, name=f"{symbol.name}_{n}") for n in count(1))
    return next(new for new in chain((symbol,), namesakes) if not mentions(trees, new))


def _put(node: Any, old: Any, new: Any) -> Any:
    if node == old:
        return new
    if isinstance(node, tuple):
        return tuple(_put(part, old, new) for part in node)
    if isinstance(node, type) or not is_dataclass(node):
        return node
    changed = {name: _put(getattr(node, name), old, new) for name in ex.field_names(type(node))}
    if all(value is getattr(node, name) for name, value in changed.items()):
        return node
    tree: Any = node
    return replace(tree, **changed)


def binders(node: Any) -> Iterator[Any]:
    """The bound variables anywhere in a tree."""
    if isinstance(node, tuple):
        for part in node:
            yield from binders(part)
    elif is_dataclass(node):
        for name in ("variable", "index"):
            if hasattr(node, name):
                yield getattr(node, name)
        for name in ex.field_names(type(node)):
            yield from binders(getattr(node, name))
