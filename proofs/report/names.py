"""Names of files and anchors, made from words that anyone may have chosen.

file_name(words)  == a name of one file, distinct for distinct words; never a path
anchor(words)     == an id within a page, for an element or a heading
"""

from __future__ import annotations

import hashlib
import re

_PLAIN = re.compile(r"[a-z0-9_]+([.-][a-z0-9_]+)+")
_LONGEST = 100


def file_name(words: str) -> str:
    """`words` where they are a name that is safe on every system, else a likeness with a hash.

    Lower case with a dot or a hyphen inside, as claim ids are: no separator, no leading dot, no
    device name, and no two names that a system without case would confuse.
    """
    if _PLAIN.fullmatch(words) and len(words) <= _LONGEST and words.split(".")[0] not in _DEVICES:
        return words
    likeness = re.sub(r"[^a-z0-9_]+", "-", words.lower()).strip("-")[:_LONGEST] or "unnamed"
    return f"{likeness}-{hashlib.sha256(words.encode()).hexdigest()[:8]}"


def anchor(words: str) -> str:
    """An id: letters, digits, hyphens and underscores."""
    return re.sub(r"[^\w-]+", "-", words).strip("-") or "unnamed"


_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(10))]
)
