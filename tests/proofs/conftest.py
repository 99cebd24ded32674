"""A run made by hand, with every kind of evidence and every way to fail, for what users read."""

from dataclasses import replace
from typing import Any

import pytest
from deltaproof.proofs.catalogue.entry import Entry, Mutant
from deltaproof.proofs.record import run_record
from deltaproof.proofs.runner import MutantResult, Result, Run
from deltaproof.symbolic import Claim, Source, dims, eq, eye, lt, matrix, named, norm, scalar, zeros
from deltaproof.symbolic.claims import statement_hash
from deltaproof.symbolic.evidence import Evidence, Kind, Outcome

n = dims("n")
S, x = matrix("S", n, n), matrix("x", n, 1)
a = scalar("a")
P = named("P", eye(n) - S)

PROVED = Claim(
    "sample.proved",
    title="A proved claim with <markup> & a | bar",
    source=Source("PAPER", "Thm 1", literal=True),
    given=[eq(S.T, -S)],
    then=eq(norm(P @ x), norm(P.T @ x)),
)
REFUTED = Claim(
    "sample.refuted_reading",
    title="A refuted claim",
    source=Source("PAPER", "§2"),
    then=eq(P @ x, x),
    expected="refuted",
)
FAILING = Claim("sample.failing", title="A claim that fails", given=[lt(0, a)], then=lt(1, a))
CROSSED = Claim("other.inconsistent", title="Proof and contradiction", then=eq(S @ x, zeros(n, 1)))
OPEN = Claim("other.undecided", title="Nothing decides it", then=eq(S, S.T))


def evidence(kind: str, outcome: str, detail: str, scope: Any = "all", **data: Any) -> Evidence:
    return Evidence(Kind(kind), Outcome(outcome), detail, scope, data)


STEP = {
    "role": "equal",
    "depth": 0,
    "expression": r"P^{\top}\,P",
    "plain": "PᵀP",
    "name": "skew",
    "reason": "the hypothesis Sᵀ = −S",
}
EVIDENCE = {
    PROVED.id: [
        evidence(
            "kernel", "confirmed", "compiled; no axioms",
            rocq={"lemma": "sample.proved", "file": "sample.v",
                  "statement": "Theorem claim_sample_proved :\n  forall n, 0 < n -> True.",
                  "assumptions": []},
        ),
        evidence(
            "certificate", "confirmed", "multiplied out: 2 terms",
            certificate={"statement_hash": statement_hash(PROVED), "rules": ["norm_squares"],
                         "terms": 2,
                         "lines": [{"latex": r"S + S^{\top} = 0", "plain": "S + Sᵀ = 0"}]},
        ),
        evidence("derivation", "confirmed", "2 steps, each decided exactly",
                 steps=[{**STEP, "role": "assume", "number": 1, "reason": ""},
                        {**STEP, "role": "start", "depth": 1, "name": "", "reason": ""},
                        {**STEP, "depth": 1, "reason": "the hypothesis Sᵀ = −S; (1)"}]),
        evidence("ladder", "confirmed", "8 inputs; residuals within 0.2 of their bounds",
                 {"sizes": [{"n": 1}, {"n": 3}], "digits": [15, 50, 200]}, mutants=1),
        evidence("torch", "skipped", "no operator is attached to this claim"),
    ],
    REFUTED.id: [
        evidence("counterexample", "confirmed", "false at n = 1",
                 counterexample={"sizes": {"n": 1}, "values": {"S": [["1/2"]], "x": [["1"]]},
                                 "left": [["1/2"]], "right": [["1"]]}),
        evidence("ladder", "contradicted", "false at 50 and 200 digits at n = 1",
                 {"sizes": [{"n": 1}], "digits": [50, 200]}),
    ],
    FAILING.id: [
        evidence("certificate", "inconclusive", "no certificate found: an order relation"),
        evidence("property", "contradicted", "false at a = 0.5", {"sizes": []},
                 compared="1 < a", input={"sizes": {}, "values": {"a": "0.5"}}, observed="0.5",
                 bound="1", ratio="2", cause="the strict inequality needs a > 1"),
    ],
    CROSSED.id: [
        evidence("certificate", "confirmed", "multiplied out: 1 term"),
        evidence("enclosure", "contradicted", "the enclosure excludes 0", {"sizes": [{"n": 2}]}),
    ],
    OPEN.id: [evidence("derivation", "error", "TypeError: no", exception="TypeError")],
}  # fmt: skip


def sample(*claims: Claim) -> Run:
    """The run of these claims, as the runner would have made it."""
    results = []
    for claim in claims:
        found = tuple(EVIDENCE[claim.id])
        mutants = (Mutant("Sᵀ = S instead", replace_given(claim)),)
        entry = Entry(claim, tuple(e.kind for e in found), mutants)
        if claim is REFUTED:
            entry = replace(entry, repaired_by=PROVED.id)
        results.append(
            Result(
                entry,
                found,
                {"sizes": {"n": 1}, "values": {"S": [["0"]], "x": [["1"]]}},
                (MutantResult("Sᵀ = S instead", Kind.LADDER, Outcome.CONTRADICTED),)
                if claim is PROVED
                else (),
                {"ladder": 0.25, "witness": 0.001},
            )
        )
    return Run(tuple(results), catalogue="my catalogue.py", seconds=1.5)


def replace_given(claim: Claim) -> Claim:
    return Claim(claim.id, given=(), then=claim.then, expected=claim.expected)


@pytest.fixture
def good_run() -> Run:
    """Two claims, as expected."""
    return sample(PROVED, REFUTED)


@pytest.fixture
def bad_run() -> Run:
    """Every status there is."""
    return sample(PROVED, REFUTED, FAILING, CROSSED, OPEN)


@pytest.fixture
def good(good_run: Run) -> dict[str, Any]:
    """The record of the good run, the same on every machine."""
    return told(good_run)


@pytest.fixture
def bad(bad_run: Run) -> dict[str, Any]:
    """The record of the bad run."""
    return told(bad_run)


def told(run: Run) -> dict[str, Any]:
    record = run_record(run)
    for claim in record["claims"]:
        claim["location"]["line"] = 1
    return record


@pytest.fixture
def missing_device() -> str:
    """A device that torch knows, and has not here."""
    import torch

    there = {
        "xpu": torch.xpu.is_available(),
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    return next(name for name, has in there.items() if not has)
