"""Synthetic tasks on sequences of vectors, each a pure function of a generator of random numbers.

TASKS   == names in the order in which they are listed, with the modules that define them
task    == the task of a name

The tasks that the systems are compared on are in TASKS; `control` holds one more, on which no
causal model can do better than the zero prediction. Nothing that loads torch is imported here.
"""

from __future__ import annotations

import importlib
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .definition import Task

TASKS = {
    "echo": "echo",
    "gyroscope": "gyroscope",
    "negation": "negation",
    "near_pi_one_plane": "near_pi",
    "near_pi_all_planes": "near_pi",
}


class UnknownTask(ValueError):
    """A name that no task has; the message gives the nearest ones."""


def task(name: str) -> Task:
    """The task of a name.

    Raises
    ------
    UnknownTask
        If there is none.
    """
    if name not in TASKS:
        near = get_close_matches(name, TASKS, 3, 0.3) or list(TASKS)
        raise UnknownTask(f"no task is called {name!r}; did you mean {', '.join(near)}?")
    module = importlib.import_module(f".{TASKS[name]}", __package__)
    return module.TASKS[name]
