"""The bounds of the delta operators: never below their formula, and met by emulated arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from deltaproof.numeric.delta import delta_operator_bound, delta_update_bound
from deltaproof.numeric.formats import FORMATS, round_to_format
from deltaproof.numeric.rounding import as_fractions, relative_growth
from hypothesis import given
from hypothesis import strategies as st

formats = pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
# Numbers of every format, with cancellation and ties likely.
numbers = st.integers(-255, 255).map(lambda n: Fraction(n, 64))


def emulated_update(X, k, v, beta, fmt, *, fused=False, beta_twice=True):
    """Carry out read-out, difference, product and sum one rounding at a time."""

    def rd(x):
        return round_to_format(x, fmt)

    d, m = X.shape
    result = np.empty((d, m), dtype=object)
    for j in range(m):
        read_out = Fraction(0)
        for i in range(d):
            read_out = rd(read_out + (k[i] * X[i, j] if fused else rd(k[i] * X[i, j])))
        written = rd(beta * rd(v[j] - read_out)) if beta_twice else rd(beta * v[j] - read_out)
        for i in range(d):
            product = k[i] * written
            result[i, j] = rd(X[i, j] + (product if fused else rd(product)))
    return result


def exact_update(X, k, v, beta):
    return X + beta * np.outer(k, v - k @ X)


@formats
@pytest.mark.parametrize("fused", [False, True])
@given(data=st.data(), d=st.integers(1, 6), m=st.integers(1, 3))
def test_emulated_update_within_bound(fmt, fused, data, d, m):
    draw = lambda *shape: np.array(  # noqa: E731
        [data.draw(numbers) for _ in range(int(np.prod(shape)))], dtype=object
    ).reshape(shape)
    X, k, v, beta = (
        draw(d, m),
        draw(d),
        draw(m),
        data.draw(st.sampled_from([0, 1, 2, Fraction(5, 4)])),
    )
    beta = Fraction(beta)
    error = np.abs(emulated_update(X, k, v, beta, fmt, fused=fused) - exact_update(X, k, v, beta))
    assert (error <= as_fractions(delta_update_bound(X, k, v, np.array(beta), fmt))).all()


@formats
def test_bound_is_the_ledgers_formula_rounded_up(fmt):
    generator = np.random.default_rng(0)
    X, k, v = generator.normal(size=(7, 3)), generator.normal(size=7), generator.normal(size=3)
    beta = np.array(1.25)
    r = fmt.unit_roundoff
    x, kk, vv, b = (abs(as_fractions(a)) for a in (X, k, v, beta))
    formula = (
        r * x
        + relative_growth(4, r) * b * np.outer(kk, vv)
        + ((1 + r) ** 4 * (1 + 7 * r) - 1) * b * np.outer(kk, kk @ x)
    )
    bound = as_fractions(delta_update_bound(X, k, v, beta, fmt))
    assert (bound >= formula).all()
    # Above it by underflow and the evaluation in binary64 alone, both below binary16's roundoff.
    assert (bound <= formula * (1 + FORMATS[3].unit_roundoff) + 100 * fmt.underflow_unit).all()


@formats
def test_wrong_updates_exceed_the_bound(fmt):
    generator = np.random.default_rng(1)
    draw = lambda *shape: as_fractions(np.round(generator.normal(size=shape) * 16) / 16)  # noqa: E731
    X, k, v, beta = draw(4, 3), draw(4), draw(3), Fraction(3, 4)
    bound = as_fractions(delta_update_bound(X, k, v, np.array(beta), fmt))
    exact = exact_update(X, k, v, beta)
    mutants = {
        "sign": X - beta * np.outer(k, v - k @ X),
        "read-out added": X + beta * np.outer(k, v + k @ X),
        "β on one term": emulated_update(X, k, v, beta, fmt, beta_twice=False),
        "nothing": X,
    }
    for name, mutant in mutants.items():
        assert (abs(mutant - exact) > bound).any(), name


@formats
def test_operator_bound(fmt):
    k = np.array([0.5, -1.25, 2.0])
    exact = np.eye(3) - 1.5 * np.outer(k, k)  # exact in binary64
    bound = delta_operator_bound(k, np.array(1.5), fmt)
    rounded = np.array(
        [[float(round_to_format(Fraction(x), fmt)) for x in row] for row in exact.tolist()]
    )
    assert (abs(rounded - exact) <= bound).all()
    assert (abs(np.eye(3) + 1.5 * np.outer(k, k) - exact) > bound).all()


def test_leading_axes_broadcast():
    fmt = FORMATS[1]
    bound = delta_update_bound(np.ones((2, 1, 3, 4)), np.ones(3), np.ones((5, 4)), np.ones(()), fmt)
    assert bound.shape == (2, 5, 3, 4)
    assert delta_operator_bound(np.ones((5, 3)), np.ones((2, 1)), fmt).shape == (2, 5, 3, 3)
