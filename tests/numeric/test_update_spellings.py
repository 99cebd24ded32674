"""The update read-out first and operator first: bounds, emulated and torch arithmetic, tightness.

The bounds are those of the statements, read out of the claims themselves.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import torch
from deltaproof.numeric.delta import (
    delta_update_bound,
    delta_update_either_bound,
    delta_update_operator_first_bound,
)
from deltaproof.numeric.formats import BINARY16, FORMATS, round_to_format
from deltaproof.numeric.rounding import as_fractions
from deltaproof.symbolic import rounding as statements
from deltaproof.symbolic.evaluation import evaluate
from deltaproof.symbolic.exact import EXACT, exact_assignment, to_rational

formats = pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
BOUNDS = {
    "rounding.delta_update": delta_update_bound,
    "rounding.delta_update_operator_first": delta_update_operator_first_bound,
}
# a worst ratio below this would mean that a bound says little
SLACK = Fraction(1, 200)


def draws(fmt, seed, d, m):
    """Full-precision numbers of a format, the first column of which nearly cancels against v."""
    rng = np.random.default_rng(seed)
    rd = np.vectorize(lambda x: round_to_format(Fraction(float(x)), fmt), otypes=[object])
    X, k, v = rd(rng.normal(size=(d, m))), rd(rng.normal(size=d)), rd(rng.normal(size=m))
    v[0] = round_to_format(k @ X[:, 0], fmt)
    return X, k, v, rd(rng.choice([0.3, 1.0, 1.7, 2.0]))[()]


def exact_update(X, k, v, beta):
    return X + beta * np.outer(k, v - k @ X)


def summed(terms, order, rd):
    """A sum of rounded terms: one after the other, or halves of it."""
    if order == "pairwise" and len(terms) > 2:
        half = len(terms) // 2
        return rd(summed(terms[:half], order, rd) + summed(terms[half:], order, rd))
    terms = list(reversed(terms)) if order == "backward" else list(terms)
    total = terms[0]
    for term in terms[1:]:
        total = rd(total + term)
    return total


def read_first(X, k, v, beta, fmt, order):
    rd = partial(round_to_format, fmt=fmt)
    result = np.empty(X.shape, dtype=object)
    for j in range(X.shape[1]):
        read = summed([rd(a * b) for a, b in zip(k, X[:, j], strict=True)], order, rd)
        written = rd(beta * rd(v[j] - read))
        result[:, j] = [rd(x + rd(a * written)) for a, x in zip(k, X[:, j], strict=True)]
    return result


def operator_first(X, k, v, beta, fmt, order):
    rd = partial(round_to_format, fmt=fmt)
    d, m = X.shape
    gated = [rd(beta * a) for a in k]
    A = [[rd(int(i == h) - rd(gated[i] * k[h])) for h in range(d)] for i in range(d)]
    result = np.empty((d, m), dtype=object)
    for i in range(d):
        for j in range(m):
            row = summed([rd(a * x) for a, x in zip(A[i], X[:, j], strict=True)], order, rd)
            result[i, j] = rd(row + rd(gated[i] * v[j]))
    return result


SPELLINGS = {
    "rounding.delta_update": read_first,
    "rounding.delta_update_operator_first": operator_first,
}
spellings = pytest.mark.parametrize("claim", SPELLINGS)


def worst_ratio(result, exact, bound):
    """The largest error over its bound."""
    return max((abs(result - exact) / as_fractions(bound)).ravel())


@formats
@spellings
def test_emulated_arithmetic_is_within_the_bound_and_near_it(fmt, claim):
    ratios = []
    for seed, (d, m) in enumerate([(1, 2), (2, 2), (3, 2), (5, 3), (8, 2)]):
        X, k, v, beta = draws(fmt, seed, d, m)
        bound = BOUNDS[claim](X, k, v, beta, fmt)
        for order in ("forward", "backward", "pairwise"):
            result = SPELLINGS[claim](X, k, v, beta, fmt, order)
            ratios.append(worst_ratio(result, exact_update(X, k, v, beta), bound))
    assert SLACK < max(ratios) <= 1


@formats
@spellings
def test_the_bound_is_that_of_the_claim(fmt, claim):
    """Read out of the statement's right side, it is reached but for underflow and evaluation."""
    d, m = 3, 2
    X, k, v, beta = draws(fmt, 7, d, m)
    bound = as_fractions(BOUNDS[claim](X, k, v, beta, fmt))
    stated = CLAIMS[claim].then.expressions[1]
    for i in range(d):
        for j in range(m):
            values = {
                "r": fmt.unit_roundoff,
                "i": i + 1,
                "beta": beta,
                "v_j": v[j],
                "k": [[x] for x in k],
                "X_j": [[x] for x in X[:, j]],
            }
            at = exact_assignment({"d": d}, values)
            at = at.bind("i", i + 1)
            value = to_rational(evaluate(stated, at, EXACT))
            assert value <= bound[i, j]
            assert bound[i, j] <= value * (1 + BINARY16.unit_roundoff) + 100 * fmt.underflow_unit


@formats
def test_torch_in_both_spellings_is_within_the_larger_bound(fmt):
    dtype = getattr(torch, fmt.dtype)
    ratios = []
    for seed in range(6):
        X, k, v, beta = draws(fmt, seed, 6, 3)
        tensors = [torch.tensor(np.array(x, dtype=np.float64)).to(dtype) for x in (X, k, v, beta)]
        x, kk, vv, b = tensors
        bound = delta_update_either_bound(X, k, v, beta, fmt)
        eye = torch.eye(6, dtype=dtype)
        operator = (eye - b * torch.outer(kk, kk)) @ x + b * torch.outer(kk, vv)
        read = x + torch.outer(kk, b * (vv - kk @ x))
        for result in (operator, read):
            found = as_fractions(result.double().numpy())
            ratios.append(worst_ratio(found, exact_update(X, k, v, beta), bound))
    assert SLACK < max(ratios) <= 1


@formats
def test_a_wrong_update_exceeds_even_the_larger_bound(fmt):
    X, k, v, beta = draws(fmt, 3, 4, 3)
    bound = as_fractions(delta_update_either_bound(X, k, v, beta, fmt))
    exact = exact_update(X, k, v, beta)
    wrong = {
        "a sign": X - beta * np.outer(k, v - k @ X),
        "the read-out added": X + beta * np.outer(k, v + k @ X),
        "nothing written": X,
        "the gate on the read-out alone": X + np.outer(k, v - beta * (k @ X)),
    }
    for name, result in wrong.items():
        assert (abs(result - exact) > bound).any(), name


@formats
def test_underflow_is_in_the_bound(fmt):
    """Products far below the smallest normal number, which the standard model leaves out."""
    tiny = fmt.smallest_normal
    X = np.array([[tiny], [tiny]], dtype=object)
    k, v = np.array([tiny, -tiny], dtype=object), np.array([3 * tiny], dtype=object)
    for claim, spelling in SPELLINGS.items():
        error = abs(spelling(X, k, v, Fraction(1), fmt, "forward") - exact_update(X, k, v, 1))
        assert (error <= as_fractions(BOUNDS[claim](X, k, v, Fraction(1), fmt))).all()


@formats
def test_the_larger_bound_is_the_larger(fmt):
    X, k, v, beta = draws(fmt, 5, 4, 3)
    either = delta_update_either_bound(X, k, v, beta, fmt)
    for bound in BOUNDS.values():
        assert (bound(X, k, v, beta, fmt) <= either).all()
