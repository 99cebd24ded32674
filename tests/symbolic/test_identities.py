"""The examples: identities are proved and checked, mistakes refuted; what single changes do."""

import importlib.util
import random
import statistics
import time
from collections import Counter
from pathlib import Path

import pytest
from deltaproof.symbolic.certificates import Certificate, check_certificate
from deltaproof.symbolic.evidence import Outcome
from deltaproof.symbolic.refutation import (
    check_counterexample,
    search_counterexample,
    search_witness,
)
from deltaproof.symbolic.search import search_certificate

from .changes import changes

_PATH = Path(__file__).parents[2] / "examples" / "identities.py"
_SPEC = importlib.util.spec_from_file_location("identities_example", _PATH)
assert _SPEC is not None
assert _SPEC.loader is not None
examples = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(examples)
TRUE = {claim.id: claim for claim in examples.TRUE}
FALSE = {claim.id: claim for claim in examples.FALSE}


def is_proved(claim, **limits):
    certificate = search_certificate(claim, **limits)
    return (
        isinstance(certificate, Certificate)
        and check_certificate(claim, certificate).outcome == Outcome.CONFIRMED
    )


def is_refuted(claim, **limits):
    at = search_counterexample(claim, **limits)
    return at is not None and check_counterexample(claim, at).outcome == Outcome.CONFIRMED


def test_there_are_enough_and_no_two_have_one_name():
    assert len(TRUE) == len(examples.TRUE) >= 25
    assert len(FALSE) == len(examples.FALSE) >= 15
    assert examples.CLAIMS == examples.TRUE + examples.FALSE


@pytest.mark.parametrize("name", TRUE)
def test_an_identity_is_proved_and_can_be_met(name):
    assert is_proved(TRUE[name])
    assert search_witness(TRUE[name], time_limit=5) is not None
    assert not is_refuted(TRUE[name], time_limit=0.05)


@pytest.mark.parametrize("name", FALSE)
def test_a_mistake_is_refuted_and_not_proved(name):
    assert is_refuted(FALSE[name])
    assert not is_proved(FALSE[name], time_limit=0.5)


def test_times_are_of_the_order_they_should_be():
    def seconds(task, claims):
        taken = []
        for claim in claims:
            start = time.perf_counter()
            task(claim)
            taken.append(time.perf_counter() - start)
        return taken

    proving = seconds(search_certificate, TRUE.values())
    refuting = seconds(search_counterexample, FALSE.values())
    # far above what a quiet machine takes (1 ms and 3 ms), far below a search gone astray
    assert statistics.median(proving) < 0.05
    assert statistics.median(refuting) < 0.5
    assert max(proving) < 5


def decide(claim):
    """Is the claim proved, refuted or undecided; never both."""
    if is_proved(claim, time_limit=1):
        assert not is_refuted(claim, time_limit=0.05), f"proved and refuted: {claim.then}"
        return "proved"
    return "refuted" if is_refuted(claim, time_limit=5) else "undecided"


@pytest.mark.slow
def test_four_hundred_changes_to_conclusions():
    every = [(name, what, c) for name, claim in TRUE.items() for what, c in changes(claim)]
    sample = random.Random(0).sample(every, 400)
    verdicts = [decide(changed) for _, _, changed in sample]
    count = Counter(verdicts)
    still_true = [
        f"{name} ({what}): {changed.then}"
        for (name, what, changed), verdict in zip(sample, verdicts, strict=True)
        if verdict == "proved"
    ]
    print("\n".join(["changes that stay true:", *still_true]))
    assert count["refuted"] >= 300, count
    assert count["undecided"] <= 8, count
    assert {what for _, what, _ in sample} >= {
        "sign", "term", "order", "transposition", "coefficient",
    }  # fmt: skip


def test_changes_reach_every_kind_of_place():
    kinds = Counter(what for claim in TRUE.values() for what, _ in changes(claim))
    assert min(kinds.values()) > 20
    assert len(kinds) == 7
