"""‖M‖ = c, σ_min(M) = c and dist(M, O(n)) = c: the truth of the notation in exact numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from deltaproof.symbolic import matrix, scalar
from deltaproof.symbolic.evaluation import holds
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.printing import latex, plain
from deltaproof.symbolic.propositions import (
    distance_to_orthogonal_is,
    smallest_singular_value_is,
    spectral_norm_is,
)

F = Fraction
c = scalar("c")
NOTATIONS = (spectral_norm_is, smallest_singular_value_is, distance_to_orthogonal_is)
# a matrix, its largest and smallest singular value, its distance from the orthogonal matrices
EXAMPLES = [
    ([[0]], 0, 0, 1),
    ([[F(-1, 3)]], F(1, 3), F(1, 3), F(2, 3)),
    ([[3, 0], [0, -2]], 3, 2, 2),
    ([[F(1, 2), 0], [0, 1]], 1, F(1, 2), F(1, 2)),
    ([[0, 0], [0, 1]], 1, 0, 1),
    ([[0, 1], [-1, 0]], 1, 1, 0),
    ([[F(6, 5), F(-4, 5)], [F(8, 5), F(3, 5)]], 2, 1, 1),
    ([[0, 2, 0], [0, 0, 3], [4, 0, 0]], 4, 2, 3),
]


@pytest.mark.parametrize(("rows", "largest", "smallest", "distance"), EXAMPLES)
def test_only_the_right_number_is_right(rows, largest, smallest, distance):
    M = matrix("M", len(rows), len(rows))
    for notation, value in zip(NOTATIONS, (largest, smallest, distance), strict=True):
        for wrong in (0, F(1, 3), F(-1, 3), 1, -1, 5):
            at = exact_assignment({}, {"M": rows, "c": value + wrong})
            assert holds(notation(M, c), at, EXACT) is (wrong == 0)


def test_a_negative_number_is_none_of_them():
    M = matrix("M", 1, 1)
    at = exact_assignment({}, {"M": [[2]], "c": -2})
    assert not any(holds(notation(M, c), at, EXACT) for notation in NOTATIONS)


def test_print():
    statement = distance_to_orthogonal_is(matrix("M", 2, 2), c)
    assert plain(statement) == "dist(M, O(2)) = c"
    assert latex(statement).startswith(r"\operatorname{dist}\left(M, ")


def test_a_notation_is_read_as_its_body_says():
    """Places that belong to another body decide nothing."""
    M, N = matrix("M", 2, 2), matrix("N", 2, 2)
    at = exact_assignment({}, {"M": [[3, 0], [0, 2]], "N": [[1, 0], [0, 1]], "c": 3})
    for notation in NOTATIONS:
        borrowed = replace(notation(M, c), body=notation(N, c).body)
        assert holds(borrowed, at, EXACT) is not True
