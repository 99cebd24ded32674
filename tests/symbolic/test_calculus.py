"""Slopes by the rules: against Taylor series in balls, and where no rule applies."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.numeric.balls import BallAlgebra, precision
from deltaproof.symbolic import derivative, dims, elementary, entry, function, norm, scalar, vector
from deltaproof.symbolic.calculus import NoSlope, slope
from deltaproof.symbolic.decisions import same
from deltaproof.symbolic.evaluation import Assignment, evaluate
from deltaproof.symbolic.expressions import absolute, least, sqrt

n = dims("n")
t, s = scalar("t"), scalar("s")
a, b = vector("a", n), vector("b", n)
moved = a + t * b
BODIES = [
    t**3 - s * t + 2,
    (1 + t) / (2 + t**2),
    sqrt(1 + t**2),
    -((t * s) ** 2),
    *(elementary(name, t**2 - t) for name in ("exp", "sin", "cos", "arctan", "sigmoid")),
    elementary("log", 1 + t**2),
    norm(moved),
    entry(moved.T @ moved) / norm(moved),
]


@pytest.mark.parametrize("body", BODIES, ids=str)
@pytest.mark.parametrize("at", [Fraction(1, 3), Fraction(-5, 4)], ids=str)
def test_a_slope_is_what_the_taylor_series_says(body, at):
    algebra = BallAlgebra()
    with precision(200):
        number = algebra.number
        point = Assignment(
            {"n": 2},
            {
                "t": number(at),
                "s": number(Fraction(7, 3)),
                "a": algebra.matrix([[number(Fraction(1))], [number(Fraction(-2))]]),
                "b": algebra.matrix([[number(Fraction(1, 2))], [number(Fraction(3))]]),
            },
        )
        found = evaluate(slope(body, t), point, algebra)
        series = evaluate(derivative(body, t), point, algebra)
        assert found.overlaps(series)
        # a slope that is off by one part in a billion is told apart
        assert not (found + number(Fraction(1, 10**9))).overlaps(series)


def test_a_constant_has_the_slope_zero_of_its_shape():
    assert slope(s**2, t) == slope(absolute(s), t)
    assert slope(a @ a.T, t).shape == (n, n)


@pytest.mark.parametrize(
    "body", [function("f")(t), absolute(t), least(t, 1), derivative(t**2, t)], ids=str
)
def test_what_has_no_rule_is_refused(body):
    with pytest.raises(NoSlope):
        slope(body, t)


def test_decisions_differentiate_by_these_rules():
    sigma = elementary("sigmoid", t)
    assert same(derivative(sigma, t), sigma * (1 - sigma)).holds
    assert not same(derivative(sigma, t), sigma * (1 + sigma)).holds
    assert same(derivative(sigma, t, order=2), sigma * (1 - sigma) * (1 - 2 * sigma)).holds
