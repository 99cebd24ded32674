"""The connection of each system, by name.

SYSTEMS                         == their names
make_connection(config, index)  == connection ``index`` of a model

A connection's module is loaded when it is asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from .connection import Connection

if TYPE_CHECKING:
    from .config import ModelConfig

_CLASSES = {
    "gpt": ("connection", "Addition"),
    "ddl": ("delta_block", "DeltaConnection"),
    "mhc": ("hyper_connection", "HyperConnection"),
    "jpmhc": ("orthogonal_hyper_connection", "OrthogonalHyperConnection"),
    "geo": ("geometric_connection", "GeometricConnection"),
}
SYSTEMS = tuple(_CLASSES)


def connection_class(system: str) -> type[Connection]:
    """Return the class of a system's connections.

    Raises
    ------
    ValueError
        If there is no such system.
    """
    if system not in _CLASSES:
        raise ValueError(f"no system {system!r}: it is one of {', '.join(SYSTEMS)}")
    module, name = _CLASSES[system]
    return getattr(importlib.import_module(f".{module}", __package__), name)


def make_connection(config: ModelConfig, index: int) -> Connection:
    """Return connection ``index`` of a model, as `Connection.from_config`."""
    return connection_class(config.system).from_config(config, index)
