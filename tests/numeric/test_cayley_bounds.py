"""What the bounds of the Cayley rotations promise: size, monotony, conditioning."""

from fractions import Fraction

import numpy as np
import pytest
from deltaproof.numeric.cayley import (
    cayley_bound,
    cayley_rank_two_bound,
    orthogonality_bound,
    rotate_rank_two_bound,
)
from deltaproof.numeric.formats import BINARY32, BINARY64, FORMATS

ORTHOGONAL = (np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
def test_orthogonality_bound_is_a_multiple_of_the_roundoff(fmt):
    for n in (1, 2, 4, 64):
        multiple = Fraction(orthogonality_bound(n, fmt)) / fmt.unit_roundoff
        floor = 12 * n + 140 if fmt == BINARY64 else 2 * n**0.5
        assert floor <= multiple <= 2 * floor + 1


def test_accuracy_is_uniform_in_the_gate():
    """Beyond the inverse sine of the angle the gate costs nothing."""
    bounds = [cayley_rank_two_bound(*ORTHOGONAL, np.array(b), BINARY64) for b in (2.0, 1e6, 1e300)]
    assert bounds[0] == bounds[1] == bounds[2]


def test_accuracy_is_finite_for_parallel_directions():
    u, _ = ORTHOGONAL
    small, large = (cayley_rank_two_bound(u, 2 * u, np.array(b), BINARY64) for b in (1.0, 1e6))
    assert 0 < small < large < 1


def test_identity_costs_little():
    """At β = 0 the rotation is exact but for the final rounding of the state."""
    X = np.ones((3, 2))
    still = rotate_rank_two_bound(X, *ORTHOGONAL, np.array(0.0), BINARY32)
    turned = rotate_rank_two_bound(X, *ORTHOGONAL, np.array(1.0), BINARY32)
    assert (still < turned).all()


def test_solve_bound_grows_with_the_skew_and_ends():
    S = np.array([[0.0, 1.0], [-1.0, 0.0]])
    bounds = [float(cayley_bound(scale * S, BINARY32)[0, 0]) for scale in (1.0, 1e2, 1e4, 1e12)]
    assert bounds == sorted(bounds)
    assert bounds[0] < 1e3 * BINARY32.unit_roundoff
    assert bounds[-1] == np.inf
    assert (cayley_bound(S, BINARY32, growth=1.0) < cayley_bound(S, BINARY32)).all()


def test_fractions_and_floats_agree():
    u, v = ORTHOGONAL
    exact = [np.array([Fraction(x) for x in a.tolist()], dtype=object) for a in (u, v)]
    floats = cayley_rank_two_bound(u, v, np.array(0.5), BINARY32)
    assert cayley_rank_two_bound(*exact, np.array(Fraction(1, 2)), BINARY32) == floats


def test_leading_axes_broadcast():
    u, v = ORTHOGONAL
    shape = cayley_rank_two_bound(np.tile(u, (2, 1, 1)), np.tile(v, (4, 1)), np.ones(()), BINARY32)
    assert shape.shape == (2, 4, 1, 1)
    rotated = rotate_rank_two_bound(np.ones((4, 3, 5)), u, v, np.ones((2, 1)), BINARY32)
    assert rotated.shape == (2, 4, 3, 5)
