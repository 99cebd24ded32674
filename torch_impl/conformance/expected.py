"""Expected failures: a file with a line for each, and a reason.

read_expected(text)        == {(claim, dtype): reason}; dtype "" stands for every format
stale(expected, result)    == entries that name no check of the run
ExpectedError              == a line that is not one

A line reads ``claim dtype: reason`` or ``claim: reason``; ``#`` starts a comment.
"""

from __future__ import annotations

from collections.abc import Mapping

from .result import ConformanceResult


class ExpectedError(ValueError):
    """A line that cannot be read, or that names no check."""


def read_expected(text: str) -> dict[tuple[str, str], str]:
    """The expected failures of a file.

    Raises
    ------
    ExpectedError
        If a line has no claim or no reason.
    """
    found: dict[tuple[str, str], str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        bare = line.partition("#")[0].strip()
        if not bare:
            continue
        head, colon, reason = bare.partition(":")
        words = head.split()
        if not colon or not reason.strip() or len(words) not in (1, 2):
            raise ExpectedError(
                f"line {number}: {bare!r} is not 'claim dtype: reason' or 'claim: reason'"
            )
        found[words[0], words[1] if len(words) == 2 else ""] = reason.strip()
    return found


def stale(expected: Mapping[tuple[str, str], str], result: ConformanceResult) -> list[str]:
    """What names no check of this run, with the nearest claim."""
    from difflib import get_close_matches

    claims = {c.claim for c in result.checks}
    checked = {(c.claim, c.dtype) for c in result.checks} | {(c, "") for c in claims}
    told = []
    for claim, dtype in expected:
        if (claim, dtype) not in checked:
            near = get_close_matches(claim, claims - {claim}, 1, 0.3)
            told.append(
                f"{claim} {dtype}".strip() + (f" (did you mean {near[0]}?)" if near else "")
            )
    return told
