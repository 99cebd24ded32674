"""From evidence to a verdict: every rule, and that each can fail a claim."""

from itertools import product

import pytest
from deltaproof.proofs.verdicts import agrees, judge, says
from deltaproof.symbolic import Claim, eq, scalar
from deltaproof.symbolic.evidence import DECIDES_PROVED, DECIDES_REFUTED, Evidence, Kind, Outcome

x = scalar("x")
SUPPORTING = [k for k in Kind if k not in DECIDES_PROVED | DECIDES_REFUTED]


def claim(expected: str = "proved") -> Claim:
    return Claim("fake.claim", then=eq(x, x), expected=expected)  # type: ignore[arg-type]


def found(kind: str, outcome: str) -> Evidence:
    return Evidence(Kind(kind), Outcome(outcome), "told")


@pytest.mark.parametrize("kind", sorted(DECIDES_PROVED))
def test_a_deciding_kind_proves(kind: Kind) -> None:
    ruling = judge(claim(), [found(kind, "confirmed")], attached=[kind])
    assert (ruling.verdict, ruling.status, ruling.failed) == ("proved", "as_expected", False)


@pytest.mark.parametrize("kind", sorted(DECIDES_REFUTED))
def test_a_refuting_kind_refutes(kind: Kind) -> None:
    ruling = judge(claim("refuted"), [found(kind, "confirmed")])
    assert (ruling.verdict, ruling.status) == ("refuted", "as_expected")
    assert judge(claim(), [found(kind, "confirmed")]).failed


def test_supporting_kinds_never_decide() -> None:
    for outcomes in product(["confirmed", "contradicted"], repeat=len(SUPPORTING)):
        evidence = [found(k, o) for k, o in zip(SUPPORTING, outcomes, strict=True)]
        assert judge(claim(), evidence).verdict == "open"


@pytest.mark.parametrize("kind", SUPPORTING)
def test_contradiction_beside_a_proof_is_inconsistent(kind: Kind) -> None:
    ruling = judge(claim(), [found("certificate", "confirmed"), found(kind, "contradicted")])
    assert (ruling.verdict, ruling.status, ruling.failed) == ("open", "inconsistent", True)
    assert kind in ruling.note


@pytest.mark.parametrize("expected", ["proved", "refuted", "open"])
def test_proof_and_refutation_are_inconsistent(expected: str) -> None:
    evidence = [found("kernel", "confirmed"), found("counterexample", "confirmed")]
    assert judge(claim(expected), evidence).status == "inconsistent"


def test_numbers_that_contradict_agree_with_a_refutation() -> None:
    evidence = [found("counterexample", "confirmed"), found("ladder", "contradicted")]
    ruling = judge(claim("refuted"), evidence)
    assert ruling.status == "as_expected"
    assert all(agrees(e, "refuted") for e in evidence)


def test_hypotheses_without_witness_prove_nothing() -> None:
    ruling = judge(claim(), [found("certificate", "confirmed")], witnessed=False)
    assert (ruling.verdict, ruling.failed) == ("open", True)
    assert "may contradict each other" in ruling.note


def test_what_was_promised_and_not_shown_fails_although_another_kind_decides() -> None:
    evidence = [found("kernel", "inconclusive"), found("certificate", "confirmed")]
    broken = judge(claim(), evidence, attached=[Kind.KERNEL, Kind.CERTIFICATE])
    assert broken.failed
    assert "kernel" in broken.note
    assert not judge(claim(), evidence, attached=[Kind.CERTIFICATE]).failed


def test_what_was_not_found_is_not_false() -> None:
    ruling = judge(claim(), [found("certificate", "inconclusive"), found("ladder", "confirmed")])
    assert (ruling.verdict, ruling.undecided, ruling.failed) == ("open", True, False)
    skipped = judge(claim(), [found("kernel", "skipped")], attached=[Kind.KERNEL])
    assert skipped.undecided


def test_contradicted_and_not_refuted_is_open_and_fails() -> None:
    ruling = judge(claim(), [found("ladder", "contradicted")])
    assert (ruling.verdict, ruling.failed) == ("open", True)
    assert "ladder" in ruling.note


def test_an_error_is_never_as_expected() -> None:
    ruling = judge(claim(), [found("certificate", "confirmed"), found("torch", "error")])
    assert (ruling.verdict, ruling.status, ruling.failed) == ("proved", "error", True)


def test_a_refutation_that_does_not_hold_up_says_nothing() -> None:
    for outcome in ("contradicted", "inconclusive", "skipped"):
        assert says(found("counterproof", outcome)) is None
    evidence = [found("certificate", "confirmed"), found("counterexample", "inconclusive")]
    assert judge(claim(), evidence).status == "as_expected"


def test_a_proved_claim_that_was_expected_open_differs() -> None:
    assert judge(claim("open"), [found("kernel", "confirmed")]).failed
    assert judge(claim("open"), [found("ladder", "confirmed")]).status == "as_expected"
