"""Where the source of a target is.

location_of(target, module) == its file and line, None where Python does not know them
"""

from __future__ import annotations

import functools
import inspect
import sys
from typing import Any, TypeAlias

Location: TypeAlias = tuple[str, int]
"""A file and a line, from 1."""


def location_of(target: Any, module: str = "") -> Location | None:
    """File and line of a function, of a class, of the class of an instance.

    Of what is written in another language, line 1 of its module, or of the one called `module`.
    """
    while isinstance(target, functools.partial):
        target = target.func
    target = inspect.unwrap(target) if callable(target) else target
    function = getattr(target, "__func__", target)  # of a bound method
    if code := getattr(function, "__code__", None):
        return code.co_filename, code.co_firstlineno
    if not isinstance(target, type) and not inspect.isroutine(target):
        target = type(target)
    try:
        file = inspect.getsourcefile(target)
        return None if file is None else (file, inspect.findsource(target)[1] + 1)
    except (OSError, TypeError):
        homes = (
            sys.modules.get(name or "") for name in (getattr(target, "__module__", ""), module)
        )
        file = next((f for home in homes if (f := getattr(home, "__file__", None))), None)
        return None if file is None else (file, 1)
