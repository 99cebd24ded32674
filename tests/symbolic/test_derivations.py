"""Derivations: each kind of step and of proof closes, and each can fail."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import is_dataclass, replace

import pytest
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.symbolic import (
    Claim,
    both,
    decisions,
    det,
    dims,
    either,
    entry,
    eq,
    eye,
    iff,
    implies,
    inv,
    invertible,
    le,
    lt,
    matrix,
    named,
    ne,
    norm,
    scalar,
    vector,
    zeros,
)
from deltaproof.symbolic.claims import ClaimError
from deltaproof.symbolic.decisions import Decision
from deltaproof.symbolic.derivations import (
    AtMost,
    BothWays,
    Cases,
    Chain,
    Cited,
    Derivation,
    DerivationFailed,
    Have,
    Known,
    Parts,
    Step,
    TrivialKernel,
    _Proof,
    chain,
    check_derivation,
    counterexample,
    exact_inputs,
    lines,
    step,
)
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.expressions import IndexSymbol, ShapeError, ones
from deltaproof.symbolic.propositions import TendsTo
from deltaproof.symbolic.rules import Instance, RuleError, instance

from .lines import check_lines

n = dims("n")
A, B, S = (matrix(name, n, n) for name in "ABS")
k, x, y = (vector(name, n) for name in "kxy")
a, b = scalar("a"), scalar("b")
unit = eq(k.T @ k, eye(1))
derived = [e for e in ENTRIES if e.derivation is not None]


def outcome(claim: Claim, derivation: Derivation) -> Outcome:
    return check_derivation(claim, derivation).outcome


def fails(claim: Claim, derivation: Derivation, words: str) -> None:
    evidence = check_derivation(claim, derivation)
    assert evidence.outcome is not Outcome.CONFIRMED
    assert words in evidence.detail, evidence.detail


# ---------------------------------------------------------------- the catalogue


@pytest.mark.parametrize("entry_", derived, ids=lambda e: e.claim.id)
def test_the_derivation_of_a_claim_closes(entry_):
    evidence = check_derivation(entry_.claim, entry_.derivation)
    assert evidence.outcome is Outcome.CONFIRMED, evidence.detail
    assert evidence.kind is Kind.DERIVATION
    check_lines(evidence.data["steps"])


@pytest.mark.parametrize("entry_", derived, ids=lambda e: e.claim.id)
def test_a_false_statement_is_contradicted_by_the_same_derivation(entry_):
    for mutant in entry_.mutants:
        evidence = check_derivation(mutant.claim, entry_.derivation)
        if mutant.stays_true:
            assert evidence.outcome is not Outcome.CONTRADICTED, mutant.name
        elif _has_a_limit(mutant.claim.then):
            # no finite number of terms decides a limit
            assert evidence.outcome is not Outcome.CONFIRMED, mutant.name
        else:
            assert evidence.outcome is Outcome.CONTRADICTED, mutant.name


def _has_a_limit(statement):
    sequence = isinstance(statement, TendsTo) and isinstance(statement.variable, IndexSymbol)
    return sequence or any(map(_has_a_limit, statement.propositions))


REFUSED = (DerivationFailed, ClaimError, RuleError, ShapeError)


class _Spoilt(_Proof):
    """Checks a proof and, where it stands, every change of a step or a chain: each must fail.

    Nothing before the place of a change is checked anew.
    """

    def step(self, before, current, known):
        for i in range(len(current.using)):
            fewer = (*current.using[:i], *current.using[i + 1 :])
            with pytest.raises(REFUSED):
                _Proof.step(self, before, replace(current, using=fewer), known)
        with pytest.raises(REFUSED):
            _Proof.step(
                self, before, replace(current, expression=_another(current.expression)), known
            )
        return super().step(before, current, known)

    def check(self, goal, proof, known):
        match proof:
            case Chain():
                changed = _changed_ends(proof)
            case AtMost(difference):
                changed = (replace(proof, difference=other) for other in _changed_ends(difference))
            case _:
                changed = ()
        for other in changed:
            with pytest.raises(DerivationFailed):
                _Proof().check(goal, other, known)
        super().check(goal, proof, known)


def _changed_ends(proof):
    yield replace(proof, start=_another(proof.start))
    if proof.steps:  # a side may be the other one as it stands
        yield replace(proof, steps=proof.steps[:-1])


def _another(expression):
    """One more, in every entry."""
    return expression + (1 if expression.shape is None else ones(*expression.shape))


@pytest.mark.parametrize("entry_", derived, ids=lambda e: e.claim.id)
def test_every_fact_and_every_expression_matters(entry_):
    _Spoilt(entry_.claim.given).check(entry_.claim.then, entry_.derivation, entry_.claim.given)


# ---------------------------------------------------------------- chains


IDENTITY = Claim("t.identity", then=eq((A + B).T, A.T + B.T))


def test_a_chain_begins_and_ends_with_the_two_sides():
    closed = chain((A + B).T, step(A.T + B.T, "term by term"))
    assert outcome(IDENTITY, closed) is Outcome.CONFIRMED
    fails(IDENTITY, chain(A.T + B.T, step(A.T + B.T, "")), "starts with")
    fails(IDENTITY, chain((A + B).T, step(B.T + A.T, "")), "ends with")
    both_sides = Claim("t.x", then=eq(named("M", A + B).T, A.T + B.T))
    assert outcome(both_sides, closed) is Outcome.CONFIRMED


def test_a_step_that_is_false_fails_with_the_difference():
    fails(IDENTITY, chain((A + B).T, step(A + B, ""), step(A.T + B.T, "")), "differ by")


def test_only_what_is_known_is_used_and_only_where_it_is_named():
    claim = Claim("t.unit", given=[unit], then=eq(k @ (k.T @ k), k))
    fails(claim, chain(k @ (k.T @ k), step(k, "")), "differ by")
    assert outcome(claim, chain(k @ (k.T @ k), step(k, "", unit))) is Outcome.CONFIRMED
    bare = Claim("t.bare", then=eq(k @ (k.T @ k), k))
    evidence = check_derivation(bare, chain(k @ (k.T @ k), step(k, "", unit)))
    assert evidence.outcome is Outcome.CONTRADICTED
    assert "is not known here" in evidence.detail
    assert "the statement is false at n = 1" in evidence.detail


def test_the_premises_of_a_rule_must_be_known():
    rule = instance("equal_norms", x, y)
    claim = Claim("t.norms", given=[eq(x.T @ x, y.T @ y)], then=eq(norm(x), norm(y)))
    assert outcome(claim, Cited(rule)) is Outcome.CONFIRMED
    assert outcome(claim, chain(norm(x), step(norm(y), "", rule))) is Outcome.CONFIRMED
    bare = Claim("t.norms", then=eq(norm(x), norm(y)))
    fails(bare, Cited(rule), "is not known here")
    longer = instance("equal_norms", x @ eye(1), y)
    fails(Claim("t.norms", given=claim.given, then=eq(norm(y), norm(x))), Cited(rule), "gives")
    assert outcome(claim, Cited(longer)) is Outcome.CONFIRMED
    fails(claim, Cited(Instance("no_such_rule", (x,))), "there is no rule")


def test_a_term_that_may_be_undefined_stops_a_chain():
    claim = Claim("t.cancel", then=eq(a, a))
    fails(claim, chain(a, step(a * (b / b), ""), step(a, "")), "the denominator b may be zero")
    known = Claim("t.cancel", given=[ne(b, 0)], then=eq(a, a))
    assert outcome(known, chain(a, step(a * (b / b), ""), step(a, ""))) is Outcome.CONFIRMED
    inverse = Claim("t.inverse", then=eq(A, A))
    fails(inverse, chain(A, step(A @ inv(B) @ B, "", instance("left_inverse", B))), "may not exist")


def test_the_witness_alone_rejects_a_step_that_a_wrong_decision_accepts(monkeypatch):
    wrong = chain((A + B).T, step(A + B, ""), step(A.T + B.T, ""))
    monkeypatch.setattr(decisions, "same", lambda *_: Decision(True))
    fails(IDENTITY, wrong, "different values at n = 2")


def test_no_fact_is_divided_by_what_may_be_zero():
    claim = Claim("t.divide", given=[eq(a * A, a * B)], then=eq(A, B))
    evidence = check_derivation(claim, chain(A, step(B, "", claim.given[0])))
    assert evidence.outcome is Outcome.CONTRADICTED
    assert "a = 0" in evidence.detail


# ---------------------------------------------------------------- the other proofs


def test_at_most_needs_what_is_visibly_nonnegative():
    claim = Claim("t.square", then=le(2 * a * b, a**2 + b**2))
    square = (a - b) ** 2
    difference = a**2 + b**2 - 2 * a * b
    assert outcome(claim, AtMost(chain(difference, step(square, "")))) is Outcome.CONFIRMED
    fails(claim, AtMost(chain(difference)), "is not visibly ≥ 0")
    fails(claim, AtMost(chain(square, step(square, ""))), "starts with")
    strict = Claim("t.square", then=lt(2 * a * b, a**2 + b**2))
    fails(strict, AtMost(chain(difference, step(square, ""))), "is not visibly > 0")
    less = Claim("t.less", then=lt(a, a + 1))
    assert outcome(less, AtMost(chain(a + 1 - a, step(1, "")))) is Outcome.CONFIRMED


def test_parts_are_counted():
    claim = Claim("t.parts", then=both(eq(a + b, b + a), eq(a * b, b * a)))
    sums, products = chain(a + b, step(b + a, "")), chain(a * b, step(b * a, ""))
    assert outcome(claim, Parts((sums, products))) is Outcome.CONFIRMED
    fails(claim, Parts((sums,)), "1 proofs for the 2 parts")
    fails(claim, Parts((products, sums)), "starts with")
    fails(claim, sums, "is not what a Chain proves")


def test_an_equivalence_needs_both_directions():
    claim = Claim("t.iff", then=iff(eq(a, b), eq(2 * a, 2 * b)))
    forward = chain(2 * a, step(2 * b, "", eq(a, b)))
    backward = chain(a, step((2 * a) / 2, ""), step(b, "", eq(2 * a, 2 * b)))
    assert outcome(claim, BothWays(forward, backward)) is Outcome.CONFIRMED
    fails(claim, BothWays(backward, backward), "is not known here")
    fails(claim, BothWays(forward, forward), "is not known here")


def test_an_implication_assumes_its_left_side():
    claim = Claim("t.implies", then=implies(eq(a, b), eq(a**2, b**2)))
    assert outcome(claim, chain(a**2, step(b**2, "", eq(a, b)))) is Outcome.CONFIRMED
    turned = Claim("t.implies", then=implies(eq(a**2, b**2), eq(a, b)))
    evidence = check_derivation(turned, chain(a, step(b, "", eq(a**2, b**2))))
    assert evidence.outcome is Outcome.CONTRADICTED


def test_cases_must_be_known_and_complete():
    ends = either(eq(a, 0), eq(a, 1))
    claim = Claim("t.cases", given=[ends], then=eq(a**2, a))
    branches = tuple(chain(a**2, step(a, "", case)) for case in ends.parts)
    assert outcome(claim, Cases(ends, branches)) is Outcome.CONFIRMED
    fails(claim, Cases(ends, branches[:1]), "1 proofs for the 2 cases")
    fails(claim, Cases(ends, branches[::-1]), "is not known here")
    fails(Claim("t.cases", then=eq(a**2, a)), Cases(ends, branches), "is not known here")


def test_a_lemma_is_proved_before_it_is_used():
    lemma = eq(a * b, b * a)
    claim = Claim("t.have", then=eq(a * b + 1, b * a + 1))
    then = chain(a * b + 1, step(b * a + 1, "", lemma))
    good = Have(lemma, chain(a * b, step(b * a, "")), then)
    assert outcome(claim, good) is Outcome.CONFIRMED
    false = eq(a, b)
    fails(claim, Have(false, chain(a, step(b, "")), then), "differ by")


def test_what_is_known_is_not_proved_again_and_only_where_it_is_known():
    lemma = eq(a * b, b * a)
    claim = Claim("t.have", then=eq(a * b + 1, b * a + 1))
    then = chain(a * b + 1, step(b * a + 1, "", lemma))
    proof = chain(a * b, step(b * a, ""))
    wrong = chain(a * b, step(b, ""))
    once, twice = Have(lemma, proof, then), Have(lemma, proof, Have(lemma, wrong, then))
    told = [check_derivation(claim, found).data["steps"] for found in (once, twice)]
    assert told[0] == told[1]
    # known in the proof of another lemma alone, it is proved again
    inner = Have(lemma, proof, chain(a + 1, step(1 + a, "")))
    fails(claim, Have(eq(a + 1, 1 + a), inner, Have(lemma, wrong, then)), "differ by")


def test_a_trivial_kernel_proves_invertibility_for_a_new_vector_only():
    claim = Claim("t.kernel", given=[eq(A @ A, eye(n))], then=invertible(A))
    kernel = eq(A @ x, zeros(n, 1))

    def proof(vector_):
        return TrivialKernel(
            vector_,
            chain(
                vector_,
                step(A @ (A @ vector_), "A A = I", claim.given[0]),
                step(A @ zeros(n, 1), "in the kernel", eq(A @ vector_, zeros(n, 1))),
                step(zeros(n, 1), "times 0"),
            ),
        )

    assert outcome(claim, proof(x)) is Outcome.CONFIRMED
    taken = Claim("t.kernel", given=[*claim.given, eq(x, zeros(n, 1))], then=invertible(A))
    fails(taken, proof(x), "must be new")
    short = vector("x", 2)
    fails(claim, TrivialKernel(short, chain(short)), "must have the shape")
    fails(claim, TrivialKernel(x, chain(x, step(zeros(n, 1), "", kernel))), "differ by")
    singular = Claim("t.kernel", then=invertible(A))
    assert outcome(singular, proof(x)) is Outcome.CONTRADICTED


def test_zero_products_and_squares():
    claim = Claim("t.zero", given=[eq(a * (a - 1), 0)], then=either(eq(a, 0), eq(a, 1)))
    rule = instance("zero_product", eq(a, 0), eq(a, 1))
    assert outcome(claim, Cited(rule)) is Outcome.CONFIRMED
    fails(Claim("t.zero", then=claim.then), Cited(rule), "is not known here")
    fails(claim, Cited(instance("zero_product", eq(a, 0), eq(a, 2))), "is not known here")
    square = Claim("t.zero", given=[eq((a - b) ** 2, 0)], then=eq(a, b))
    assert outcome(square, Cited(instance("zero_square", eq(a, b)))) is Outcome.CONFIRMED


def test_a_determinant_is_not_additive():
    claim = Claim("t.det", then=eq(det(A + B), det(A) + det(B)))
    evidence = check_derivation(claim, chain(det(A + B), step(det(A) + det(B), "")))
    assert evidence.outcome is Outcome.CONTRADICTED


# ---------------------------------------------------------------- exact inputs, imports


def test_exact_inputs_are_the_same_in_every_run_and_begin_at_the_boundary():
    claim = Claim("t.inputs", given=[eq(S.T, -S)], then=eq(entry(x.T @ S @ x), 0))
    runs = [[str(i.at.values) for i in exact_inputs(claim, tries=4)] for _ in range(2)]
    assert runs[0] == runs[1]
    assert len(runs[0]) == 3 * 6
    assert counterexample(claim) is None
    assert counterexample(Claim("t.inputs", then=claim.then)) is not None


def test_the_data_classes_need_no_heavy_library():
    code = (
        "import sys, deltaproof.symbolic.derivations, deltaproof.symbolic.counterproofs;"
        "print([m for m in ('sympy', 'mpmath', 'numpy', 'torch') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
    assert all(is_dataclass(kind) for kind in (Chain, Step, Have, Cases, BothWays, Parts))


def test_a_proof_may_have_more_lines_than_calls_can_be_nested():
    """It is checked, pickled and read back line after line."""
    fact = le(0, scalar("x"))
    steps = [(fact, Known())] * (sys.getrecursionlimit() + 100)
    claim = Claim("test.long", given=[fact], then=fact)
    proof = lines(*steps, last=Known())
    assert check_derivation(claim, proof).outcome is Outcome.CONFIRMED
    again = pickle.loads(pickle.dumps(proof))
    assert isinstance(again, Have)
    for lemma, because in steps:
        assert (again.lemma, again.because) == (lemma, because)
        again = again.then
    assert again == Known()
