"""Beyond the domain a claim is measured, and what is found is no failure."""

from deltaproof.torch_impl import cayley, naive
from deltaproof.torch_impl.conformance import conform

SETTINGS = {"contract": "cayley_rank_two", "profile": "quick", "dtypes": ("float32",)}


def orthogonal_up_to(operator):
    result = conform(operator, ranges=True, **SETTINGS).check()
    (found,) = [r for r in result.ranges if r.claim == "cayley.orthogonal"]
    return found


def test_a_solve_loses_orthogonality_and_a_basis_of_the_plane_does_not():
    solve = orthogonal_up_to(naive.naive_cayley_rank_two_solve)
    basis = orthogonal_up_to(cayley.cayley_rank_two)
    assert 100 < solve.holds_up_to < 1e6
    assert basis.holds_up_to == basis.limit


def test_a_wider_domain_is_checked_and_not_measured():
    result = conform(
        naive.naive_cayley_rank_two_solve, domain={"skew": 1e6}, ranges=False, **SETTINGS
    )
    assert "cayley.orthogonal" in {c.claim for c in result.failures}
