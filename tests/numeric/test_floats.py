"""Statements on NumPy arrays: single inputs, batches, and mutants."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from deltaproof.numeric.floats import FLOAT64
from deltaproof.numeric.sampling import FAR, cases
from deltaproof.symbolic import cayley, delta
from deltaproof.symbolic.constructions import construct
from deltaproof.symbolic.evaluation import Assignment, Undefined, evaluate, holds


def truths(claim):
    for case in cases(claim, seed=1):
        if set(case.stream.head) & set(FAR):
            continue  # half of the digits cannot tell what is tiny from 0
        inputs = case.inputs(claim, FLOAT64)
        try:
            yield holds(inputs.remaining(claim.then), inputs.at, FLOAT64)
        except Undefined:
            continue


def test_statements_hold(true_claim):
    found = list(truths(true_claim))
    assert found
    assert all(found)


def test_mutants_are_found_false(mutant):
    assert False in truths(mutant)


def test_refuted_statements_are_found_false(refuted_claim):
    assert False in truths(refuted_claim)


def test_a_batch_is_evaluated_sample_by_sample():
    random = np.random.default_rng(0)
    batch = random.standard_normal((100, 4, 1)), random.standard_normal(100)
    k, beta = batch
    at = Assignment({"d": 4}, {"k": k, "beta": beta})
    operators = evaluate(delta.A, at, FLOAT64)
    assert operators.shape == (100, 4, 4)
    for i in (0, 57, 99):
        alone = Assignment({"d": 4}, {"k": k[i], "beta": beta[i]})
        assert np.array_equal(operators[i], evaluate(delta.A, alone, FLOAT64))


def test_a_batch_is_constructed_and_decided_at_once():
    claim = next(c for c in cayley.CLAIMS if c.id == "cayley.orthogonal")
    random = np.random.default_rng(0)
    inputs = construct(claim, {"n": 4}, FLOAT64, lambda: random.standard_normal(500))
    assert holds(claim.then, inputs.at, FLOAT64) is True
    assert evaluate(cayley.Q, inputs.at, FLOAT64).shape == (500, 4, 4)


def test_a_batch_that_disagrees_is_undecided():
    two = FLOAT64.number(Fraction(2))
    assert FLOAT64.equal(np.array([2.0, 2.0]), two) is True
    assert FLOAT64.equal(np.array([2.0, 3.0]), two) is None
    assert FLOAT64.equal(np.array([1.0, 3.0]), two) is False
    assert FLOAT64.less(np.array([1.0, 3.0]), two, strict=True) is None


def test_singular_matrices_have_no_inverse():
    with pytest.raises(Undefined):
        FLOAT64.inverse(np.zeros((2, 2)))
    assert FLOAT64.rank(np.diag([1.0, 0.0])) == 1
    assert FLOAT64.square_root(FLOAT64.number(Fraction(-1, 10**30))) == 0
