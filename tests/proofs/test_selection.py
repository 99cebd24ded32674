"""Which claims are meant, and which of them a choice of kinds leaves."""

import pytest
from deltaproof.proofs.catalogue.entry import Entry
from deltaproof.proofs.selection import (
    NothingSelected,
    SelectionError,
    narrow,
    no_check,
    select,
    unchecked,
)
from deltaproof.symbolic import Claim, eq, scalar
from deltaproof.symbolic.evidence import Kind

x = scalar("x")


def entry(claim_id: str, *kinds: Kind) -> Entry:
    return Entry(Claim(claim_id, then=eq(x, x)), kinds or (Kind.LADDER,))


BOTH = entry("one.both", Kind.LADDER, Kind.TORCH)
ALONE = entry("one.alone", Kind.LADDER)
OTHER = entry("two.other", Kind.CERTIFICATE)
ENTRIES = [BOTH, ALONE, OTHER]


@pytest.mark.parametrize(
    ("patterns", "meant"),
    [
        ([], ENTRIES),
        (["two", "one.both"], [BOTH, OTHER]),
        (["one.*"], [BOTH, ALONE]),
        (["*.[ab]*"], [BOTH, ALONE]),
        (["one.both", "one"], [BOTH, ALONE]),
    ],
)
def test_ids_families_and_globs_select(patterns: list[str], meant: list[Entry]) -> None:
    assert select(patterns, ENTRIES) == meant


def test_what_selects_nothing_is_an_error() -> None:
    with pytest.raises(NothingSelected, match="no claims"):
        select([], [])
    with pytest.raises(NothingSelected, match="matches 'z"):
        select(["z*"], ENTRIES)
    with pytest.raises(SelectionError, match=r"did you mean one\.both"):
        select(["one.bth"], ENTRIES)


def test_an_id_is_an_id_before_it_is_a_pattern() -> None:
    starred = entry("one.starred")
    object.__setattr__(starred.claim, "id", "one.[b]oth")  # no such id can be written today
    assert select(["one.[b]oth"], [BOTH, starred]) == [starred]
    assert select(["one.[b]*"], [BOTH, starred]) == [BOTH]


def test_kinds_narrow_what_was_not_named() -> None:
    kinds = {Kind.TORCH}
    assert unchecked(ENTRIES, kinds) == [ALONE, OTHER]
    assert narrow(ENTRIES, [], kinds) == ([BOTH], [ALONE, OTHER])
    assert narrow(ENTRIES, ["one.alone", "two"], kinds) == ([BOTH, ALONE], [OTHER])
    # all of it is the error of the run, which says so
    assert narrow([OTHER], ["two"], kinds) == ([OTHER], [])
    assert unchecked([OTHER], kinds, ["torch"]) == []
    assert unchecked(ENTRIES, kinds, ["torch"]) == [ALONE, OTHER]
    told = no_check([OTHER, ALONE], kinds)
    assert told == (
        "two.other, one.alone: no check is left "
        "(kinds asked for: torch; kinds of this selection: certificate, ladder)"
    )
