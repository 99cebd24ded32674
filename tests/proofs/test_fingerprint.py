"""What evidence is kept under: everything that it depends on, spelled by content."""

from __future__ import annotations

import json

import pytest
from deltaproof.proofs.catalogue.entry import Entry
from deltaproof.proofs.checks import Environment, Settings, Task, fingerprint
from deltaproof.symbolic import Claim, eq, scalar
from deltaproof.symbolic.derivations import Derivation, Have, chain, lines, step
from deltaproof.symbolic.evidence import Kind

a, b = scalar("a"), scalar("b")
claim = Claim("t.sums", then=eq(a + b + 1, 1 + b + a))
ENVIRONMENT = Environment.of([*Kind])


def key(derivation: Derivation) -> str:
    """The fingerprint of a derivation as it is hashed."""
    entry = Entry(claim, (Kind.DERIVATION,), derivation=derivation)
    found = fingerprint(Task(entry, Kind.DERIVATION), Settings(), ENVIRONMENT)
    return json.dumps(found, sort_keys=True)


def proof(reason: str = "sorted", lemma: str = "swapped", other: str = "the same") -> Derivation:
    """A proof of two lines, of which each word can be another."""
    return lines(
        (eq(a + b, b + a), chain(a + b, step(b + a, lemma))),
        (eq(b + a, a + b), chain(b + a, step(a + b, other))),
        last=chain(a + b + 1, step(1 + b + a, reason)),
    )


def test_the_same_proof_made_again_is_the_same() -> None:
    assert key(proof()) == key(proof())


@pytest.mark.parametrize(
    "edited",
    [
        proof(reason="ordered"),
        proof(lemma="exchanged"),
        proof(other="as before"),
        Have(eq(a + b, b + a), proof(), chain(a + b + 1, step(1 + b + a, "sorted"))),
        chain(a + b + 1, step(1 + b + a, "sorted")),
    ],
)
def test_an_edit_anywhere_in_a_proof_is_noticed(edited: Derivation) -> None:
    assert key(edited) != key(proof())


def test_parts_that_are_shared_are_spelled_as_if_they_were_not() -> None:
    one = a + b
    shared = chain(one, step(one, "itself"), step(one, "again"))
    apart = chain(a + b, step(a + b, "itself"), step(a + b, "again"))
    assert key(shared) == key(apart)
    assert key(shared) != key(chain(one, step(b + a, "itself"), step(one, "again")))


def test_lines_that_change_places_are_noticed() -> None:
    first = (eq(a + b, b + a), chain(a + b, step(b + a, "")))
    second = (eq(b + a, a + b), chain(b + a, step(a + b, "")))
    end = chain(a + b + 1, step(1 + b + a, ""))
    assert key(lines(first, second, last=end)) != key(lines(second, first, last=end))
