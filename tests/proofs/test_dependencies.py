"""What proofs rest on: found in derivations, certificates and Rocq, and what follows from it."""

import copy
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from deltaproof.proofs import verify
from deltaproof.proofs.catalogue import ENTRIES, entry
from deltaproof.proofs.catalogue.entry import Entry
from deltaproof.proofs.consistency import Inconsistent, check
from deltaproof.proofs.dependencies import (
    RULE,
    Claims,
    ancestors,
    dependencies,
    lemma_calls,
    lemmas_of,
)
from deltaproof.proofs.verdicts import judge
from deltaproof.symbolic import Claim, dims, eq, eye, matrix, vector
from deltaproof.symbolic.derivations import Have, chain, step
from deltaproof.symbolic.evidence import Evidence, Kind, Outcome

n, m = dims("n m")
A, B, C = (matrix(name, n, n) for name in "ABC")
D = matrix("D", m, m)
x = vector("x", n)
CLAIMS = Claims(ENTRIES)
symmetric = Claim("t.symmetric", given=[eq(A.T, A)], then=eq((A @ A).T, A @ A))
proof = chain((B @ B).T, step(B.T @ B.T, "turned round"), step(B @ B, "symmetric", eq(B.T, B)))
KINDS = (Kind.DERIVATION,)


def using(lemma, *given) -> Entry:
    """A claim whose derivation proves `lemma` on its way."""
    claim = Claim("t.user", given=given, then=eq(C, C))
    return Entry(claim, KINDS, derivation=Have(lemma, proof, then=chain(C)))


def rests_on(user: Entry, *others: Entry) -> tuple[str, ...]:
    return dependencies(user, Claims([*others, user]))[Kind.DERIVATION]


def test_a_lemma_that_another_claim_states_is_found_under_other_names() -> None:
    known = Entry(symmetric, KINDS)
    assert rests_on(using(eq((B @ B).T, B @ B), eq(B.T, B)), known) == ("t.symmetric",)
    sized = using(eq((D @ D).T, D @ D), eq(D.T, D))
    assert rests_on(sized, known) == ("t.symmetric",)


@pytest.mark.parametrize(
    "user",
    [
        using(eq((B @ B).T, B @ B)),  # without the hypothesis
        using(eq((B @ B).T, B @ B), eq(A.T, A)),  # a hypothesis on another matrix
        using(eq((B @ B).T, B @ B.T), eq(B.T, B)),  # another conclusion
        using(eq((A @ B).T, A @ B), eq(A.T, A)),  # two symbols where the claim has one
    ],
)
def test_another_statement_is_not(user: Entry) -> None:
    assert rests_on(user, Entry(symmetric, KINDS)) == ()


def test_two_symbols_of_a_claim_are_not_one() -> None:
    both = Claim("t.reversed", then=eq((A @ B).T, B.T @ A.T))
    assert rests_on(using(eq((C @ C).T, C.T @ C.T)), Entry(both, KINDS)) == ()


def test_neither_itself_nor_the_same_statement_nor_what_is_false() -> None:
    same = Claim("t.same", then=eq(C, C))
    assert rests_on(using(eq(C, C)), Entry(same, KINDS)) == ()
    false = Claim("t.false", given=[eq(A.T, A)], then=symmetric.then, expected="refuted")
    assert rests_on(using(eq((B @ B).T, B @ B), eq(B.T, B)), Entry(false, KINDS)) == ()


def test_the_catalogue_rests_on_what_it_says() -> None:
    isometry = dependencies(entry("cayley.isometry"), CLAIMS)
    assert "cayley.orthogonal" in isometry[Kind.DERIVATION]
    assert {RULE + "right_inverse", RULE + "equal_norms"} <= set(isometry[Kind.DERIVATION])
    assert isometry[Kind.KERNEL] == ("cayley.orthogonal",)
    assert dependencies(entry("cayley.orthogonal"), CLAIMS)[Kind.KERNEL] == ("cayley.nonsingular",)
    certified = dependencies(entry("cayley.orthogonal"), CLAIMS)[Kind.CERTIFICATE]
    assert certified
    assert all(name.startswith(RULE) for name in certified)
    given = dependencies(entry("cayley.orthogonal"), CLAIMS, {"rules": ["mine"]})
    assert given[Kind.CERTIFICATE] == (RULE + "mine",)


def test_nothing_rests_on_itself() -> None:
    rows = {
        e.claim.id: {name for names in dependencies(e, CLAIMS).values() for name in names}
        for e in ENTRIES
    }
    assert not [name for name in rows if name in ancestors(name, rows)]
    assert {name for names in rows.values() for name in names if not name.startswith(RULE)} <= set(
        rows
    )


def test_lemmas_come_with_what_is_known_before_them() -> None:
    first, second = eq(A, B), eq(B, C)
    nested = Have(first, chain(A), then=Have(second, chain(B), then=chain(C)))
    given = (eq(x, x),)
    assert [*lemmas_of(nested, given)] == [(first, given), (second, (*given, first))]


def test_calls_between_lemmas_are_read_from_the_files(tmp_path: Path) -> None:
    (tmp_path / "kit.v").write_text("Lemma base : True. Proof. by []. Qed.\n")
    (tmp_path / "top.v").write_text(
        "From deltaproof Require Import kit.\n"
        "(* base is spoken of here *)\n"
        "Lemma own : True. Proof. exact: base. Qed.\n"
        "Lemma other : True. Proof. (* own *) by []. Qed.\n"
        "Theorem last : True. Proof. by have := own; exact: kit.base. Qed.\n"
    )
    calls: Mapping[str, tuple[str, ...]] = lemma_calls(tmp_path)
    assert calls == {
        "kit:base": (), "top:own": ("kit:base",), "top:other": (),
        "top:last": ("top:own", "kit:base"),
    }  # fmt: skip


# ---------------------------------------------------------------- what follows


def proof_by(kind: Kind, *unproved: str) -> Evidence:
    data = {"rests_on": ["a", "b"], **({"unproved": [*unproved]} if unproved else {})}
    return Evidence(kind, Outcome.CONFIRMED, "told", data=data)


def test_where_every_proof_rests_on_an_unproved_claim_nothing_is_proved() -> None:
    claim = Claim("t.claim", then=eq(A, A))
    held = judge(claim, [proof_by(Kind.DERIVATION, "a"), proof_by(Kind.KERNEL, "b")])
    assert (held.verdict, held.status) == ("open", "differs")
    assert held.failed
    assert "rests on a, b, not proved" in held.note
    other = judge(claim, [proof_by(Kind.DERIVATION, "a"), proof_by(Kind.CERTIFICATE)])
    assert (other.verdict, other.status) == ("proved", "as_expected")


def test_a_record_that_hides_what_is_unproved_is_inconsistent(tmp_path: Path) -> None:
    pair = [entry("cayley.orthogonal"), entry("cayley.isometry")]
    record = verify(pair, kinds=["derivation"], cache=tmp_path).record()
    check(record)
    broken = replace(pair[0], derivation=chain(eye(n)))
    honest = verify([broken, pair[1]], kinds=["derivation"], cache=tmp_path).record()
    check(honest)
    isometry = honest["claims"][1]
    assert isometry["evidence"][0]["unproved"] == ["cayley.orthogonal"]
    hidden = copy.deepcopy(honest)
    hidden["claims"][1] = record["claims"][1]
    with pytest.raises(Inconsistent, match="unproved"):
        check(hidden)
    record["claims"][1]["depends_on"] = []
    with pytest.raises(Inconsistent, match="depends_on"):
        check(record)


def test_what_was_not_decided_keeps_nothing_from_being_proved(tmp_path: Path) -> None:
    undecided = replace(entry("cayley.orthogonal"), kinds=(Kind.LADDER,))
    pair = [undecided, entry("cayley.isometry")]
    found = verify(pair, kinds=["derivation", "ladder"], cache=tmp_path)
    assert found["cayley.orthogonal"].ruling.undecided
    assert found["cayley.isometry"].verdict == "proved"


def test_a_broken_claim_takes_what_rests_on_it_with_it(tmp_path: Path) -> None:
    isometry, orthogonal = entry("cayley.isometry"), entry("cayley.orthogonal")
    good = verify([orthogonal, isometry], kinds=["derivation"], cache=tmp_path)
    assert [r.verdict for r in good.results] == ["proved", "proved"]
    (record,) = (c for c in good.record()["claims"] if c["id"] == "cayley.isometry")
    assert "cayley.orthogonal" in record["depends_on"]
    assert "rule:right_inverse" in record["depends_on"]
    broken = replace(orthogonal, derivation=chain(eye(n)))
    bad = verify([broken, isometry], kinds=["derivation"], cache=tmp_path)
    assert [r.verdict for r in bad.results] == ["open", "open"]
    assert "rests on cayley.orthogonal" in bad["cayley.isometry"].ruling.note
    assert bad.exit_code() == 1
    # a proof that does not rest on it stands
    other = verify([broken, isometry], kinds=["derivation", "certificate"], cache=tmp_path)
    assert other["cayley.isometry"].verdict == "proved"
