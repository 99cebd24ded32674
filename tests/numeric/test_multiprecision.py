"""mpmath contexts of our own, and their agreement with Arb."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from deltaproof.numeric import balls
from deltaproof.numeric.multiprecision import MultiprecisionAlgebra, arithmetic, context
from deltaproof.numeric.running_error import RunningErrorAlgebra
from deltaproof.numeric.sampling import cases
from deltaproof.symbolic.evaluation import Undefined, evaluate, holds
from deltaproof.symbolic.propositions import Eq, atoms
from hypothesis import given
from hypothesis import strategies as st


@given(
    value=st.fractions(max_denominator=10**40),
    digits=st.sampled_from((15, 50)),
)
def test_rational_numbers_are_rounded_to_nearest(value, digits):
    numbers = arithmetic(digits)
    found = numbers.nearest(value)
    error = abs(numbers.exact(found) - value)
    assert error <= Fraction(1, 2**numbers.precision) * abs(numbers.exact(found))


def test_the_global_context_is_neither_read_nor_written():
    before = mpmath.mp.prec
    numbers = context(50)
    with mpmath.workdps(5):
        third = MultiprecisionAlgebra(50).number(Fraction(1, 3))
        assert str(numbers.mpf(1) / 3) == "0." + "3" * 50
    assert mpmath.mp.prec == before
    assert abs(numbers.mpf(third) * 3 - 1) < numbers.mpf(2) ** -160


def test_contexts_do_not_share_their_precision():
    a, b = context(15), context(200)
    assert a.prec < 60 < 600 < b.prec
    assert a.prec == 53


def test_a_badly_scaled_determinant_is_not_zero():
    algebra = MultiprecisionAlgebra(15)
    entries = [[Fraction(1, 10**30), Fraction(1)], [Fraction(-1), Fraction(10**30)]]
    rows = [[algebra.number(x) for x in row] for row in entries]
    assert algebra.determinant(algebra.matrix(rows)) == 2


def test_a_singular_matrix_has_no_inverse():
    algebra = MultiprecisionAlgebra(50)
    one = algebra.number(Fraction(1))
    with pytest.raises(Undefined):
        algebra.inverse(algebra.matrix([[one, one], [one, one]]))
    with pytest.raises(Undefined):
        algebra.square_root(-one)


def generic(claim):
    return [case for case in cases(claim, seed=3) if case.stream.generic]


def test_statements_hold_at_fifty_digits(true_claim):
    algebra = MultiprecisionAlgebra(50)
    for case in generic(true_claim):
        inputs = case.inputs(true_claim, algebra)
        assert holds(inputs.remaining(true_claim.then), inputs.at, algebra) is True


def test_mutants_fail_at_fifty_digits(mutant):
    algebra = MultiprecisionAlgebra(50)
    truths = set()
    for case in cases(mutant, seed=3):
        inputs = case.inputs(mutant, algebra)
        try:
            truths.add(holds(inputs.remaining(mutant.then), inputs.at, algebra))
        except Undefined:
            continue
    assert False in truths


def entries(value, algebra):
    return [value] if not hasattr(value, "entries") else [x for r in algebra.rows(value) for x in r]


def sides(claim):
    for atom in atoms(claim.then):
        if isinstance(atom, Eq):
            yield from (atom.left, atom.right)


def test_mpmath_and_arb_enclose_the_same_numbers(true_claim):
    """Two libraries, one input: each side of each equality, within the sum of both errors."""
    numbers = arithmetic(50)
    running = RunningErrorAlgebra(numbers)
    compared = 0
    with balls.precision(numbers.precision):
        arb = balls.BallAlgebra()
        for case in generic(true_claim):
            left, right = case.inputs(true_claim, running), case.inputs(true_claim, arb)
            for side in sides(true_claim):
                ours = entries(evaluate(side, left.at, running), running)
                theirs = entries(evaluate(side, right.at, arb), arb)
                for a, b in zip(ours, theirs, strict=True):
                    exact, error = numbers.exact(a.value), Fraction(a.error)
                    assert balls.ball(arb.number(exact), error).overlaps(b)
                    grain = (1 + abs(exact)) * Fraction(8, 2**numbers.precision)
                    moved = exact + 4 * (error + Fraction(float(b.rad()))) + grain
                    assert not balls.ball(arb.number(moved), error).overlaps(b)
                    compared += 1
    assert compared or not list(sides(true_claim))
