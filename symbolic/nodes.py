"""Nodes of syntax trees: frozen dataclasses whose hash is computed once.

tree_node == the decorator of every class of the statement language

Left out: what the nodes mean (expressions.py, propositions.py).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
_HASH = "_hash"


@dataclass_transform(frozen_default=True)
def tree_node(cls: type[T]) -> type[T]:
    """A frozen dataclass that remembers its hash: trees share parts and are keys of mappings.

    Two trees are equal when their classes and fields are; what is remembered is not part of them,
    and does not travel to another process, where strings hash to other numbers.
    """
    cls = dataclass(frozen=True)(cls)
    computed, compared = cls.__hash__, cls.__eq__
    own = tuple(field.name for field in fields(cls))  # type: ignore[arg-type]

    def remembered(self: Any) -> int:
        known = self.__dict__.get(_HASH)
        if known is None:
            known = self.__dict__[_HASH] = computed(self)
        return known

    def equal(self: Any, other: object) -> Any:
        if self is other:
            return True
        if self.__class__ is not other.__class__:
            return NotImplemented
        return hash(self) == hash(other) and compared(self, other)

    def state(self: Any) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in own}

    for name, method in (("__hash__", remembered), ("__eq__", equal), ("__getstate__", state)):
        setattr(cls, name, method)
    return cls
