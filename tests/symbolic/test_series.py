"""Derivatives of matrices and roots: exact values, and the same by the rules of calculus."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.symbolic import (
    derivative,
    dims,
    entry,
    eq,
    eye,
    inv,
    matrix,
    norm,
    scalar,
    size,
    sqrt,
    tr,
    vector,
)
from deltaproof.symbolic.decisions import Undecided, same
from deltaproof.symbolic.evaluation import Unsupported, evaluate, holds
from deltaproof.symbolic.exact import EXACT, exact_assignment

n = dims("n")
t, a = scalar("t"), scalar("a")
A, B = matrix("A", n, n), matrix("B", n, n)
x, y = vector("x", n), vector("y", n)
AT = exact_assignment(
    {"n": 2},
    {"A": [[1, 2], [0, 1]], "B": [[0, 1], [3, -1]], "x": [[3], [4]], "y": [[1], [2]], "a": 2},
)
moving = A + t * B
inverse = inv(A)


def true(left, right) -> bool:
    """Are two expressions equal at the values above?"""
    return holds(eq(left, right), AT, EXACT) is True


@pytest.mark.parametrize(
    ("found", "expected", "wrong"),
    [
        (derivative(t * A, t, at=0), A, 2 * A),
        (derivative(moving @ moving, t, at=0), A @ B + B @ A, 2 * (A @ B)),
        (derivative(moving.T @ x, t, at=5), B.T @ x, B @ x),
        (derivative(inv(moving), t, at=0), -(inverse @ B @ inverse), inverse @ B @ inverse),
        (
            derivative(inv(moving), t, at=0, order=2),
            2 * (inverse @ B @ inverse @ B @ inverse),
            inverse @ B @ inverse @ B @ inverse,
        ),
        (derivative(t**2 * A, t, at=a), 2 * a * A, a * A),
    ],
)
def test_derivatives_of_matrices(found, expected, wrong):
    assert found.shape == expected.shape
    assert true(found, expected)
    assert not true(found, wrong)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (derivative(sqrt(1 + t), t, at=3), Fraction(1, 4)),
        (derivative(sqrt(1 + t), t, at=3, order=2), Fraction(-1, 32)),
        (derivative(norm(x + t * y), t, at=0), Fraction(11, 5)),
        (derivative(entry(x.T @ inv(moving) @ y), t, at=0), None),
    ],
)
def test_derivatives_of_roots_and_entries(found, expected):
    value = evaluate(found, AT, EXACT)
    if expected is None:
        slope = -entry(x.T @ inverse @ B @ inverse @ y)
        assert value == evaluate(slope, AT, EXACT)
    else:
        assert value == EXACT.number(expected)


def test_a_root_is_given_no_slope_at_zero():
    with pytest.raises(Unsupported, match="square root of what may be 0"):
        evaluate(derivative(norm(t * x), t, at=0), AT, EXACT)


def test_a_derivative_inside_a_derivative_is_left_out():
    inner = derivative(t * a, t, at=a)
    with pytest.raises(Unsupported, match="inside"):
        evaluate(derivative(a * inner, a, at=1), AT, EXACT)


# ---------------------------------------------------------------- decided for all values

cancels = (eq(A @ inverse, eye(n)), eq(inverse @ A, eye(n)))


def test_the_derivative_of_an_inverse_is_decided():
    found = derivative(inv(moving), t, at=0)
    assert same(found, -(inverse @ B @ inverse)).holds
    assert not same(found, inverse @ B @ inverse).holds
    assert not same(found, -(inverse @ inverse @ B)).holds
    product = derivative(inv(moving) @ (A - t * B), t, at=0)
    assert same(product, -2 * (inverse @ B), cancels).holds
    assert not same(product, -(inverse @ B), cancels).holds


def test_what_calculus_does_not_know_is_not_decided():
    from deltaproof.symbolic import kron

    with pytest.raises(Undecided):
        same(derivative(kron(moving, A), t, at=0), kron(B, A))


def test_traces_are_linear_and_cyclic():
    assert same(tr(A @ B - B @ A), tr(0 * A)).holds
    assert same(tr(A @ B), tr(B.T @ A.T)).holds
    assert same(tr(2 * A + B), 2 * tr(A) + tr(B)).holds
    assert same(tr(eye(n) + x @ y.T), size(n) + entry(y.T @ x)).holds
    assert not same(tr(A @ B), tr(A) * tr(B)).holds
    assert not same(tr(A @ B), tr(A @ B.T)).holds
    assert not same(tr(A @ A @ B @ B), tr(A @ B @ A @ B)).holds
    assert not same(tr(x @ y.T), size(n) * entry(y.T @ x)).holds
