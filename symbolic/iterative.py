"""Statements on the fixed-point iteration for the Cayley rotation, in place of its inverse.

CLAIMS == in the order of the ledger
start  == Y_0 = I + 2N; rounds(last) == Y_(i+1) = I + N(I + Y_i) for i = 0, …, last
target == (I − N)⁻¹(I + N), which the iteration is meant to reach

N stands for α W/2; Y_t has gone through t rounds.
"""

from fractions import Fraction

from . import expressions as ex
from . import propositions as pr
from .claims import Claim, Source
from .expressions import absolute, dims, eye, index, inv, matrix, named, sequence, total
from .propositions import both, eq, every_entry, forall, iff, le, lt, spectral_norm_below, tends_to

n = dims("n")
i, j, m, t = index("i j m t")
N, W = matrix("N", n, n), matrix("W", n, n)
Y = sequence("Y", n, n)
identity = eye(n)

skew = eq(N.T, -N)
start = eq(Y[0], identity + 2 * N)
target = inv(identity - N) @ (identity + N)


def rounds(last: ex.Expression | None) -> pr.ForRange:
    """The iteration, in the rounds up to `last`; without an end where that is None."""
    return forall(i, eq(Y[i + 1], identity + N @ (identity + Y[i])), over=(0, last))


def powers(count: ex.Expression) -> ex.Total:
    """N + N² + … + N^count."""
    return total(j, 1, count, N**j)


def every_second_power(first: ex.Expression, last: ex.Expression) -> ex.Total:
    """N^first + N^(first+2) + … + N^(first+2·last)."""
    return total(j, 0, last, N ** (first + 2 * j))


def defect(rounds_done: ex.Expression) -> ex.Expression:
    """YᵀY − I."""
    return Y[rounds_done].T @ Y[rounds_done] - identity


even, odd = 2 * m, 2 * m + 1

# two rounds with α = 1/10, in numbers
tenth_of_half = named("N", Fraction(1, 20) * W)
Y_0 = named("Y_0", identity + 2 * tenth_of_half)
Y_1 = named("Y_1", identity + tenth_of_half @ (identity + Y_0))
Y_2 = named("Y_2", identity + tenth_of_half @ (identity + Y_1))

CLAIMS = (
    Claim(
        "iterative.series",
        title="The fixed-point iteration sums the powers of its generator",
        source=Source("NEW"),
        given=[le(0, t), start, rounds(t - 1)],
        then=eq(Y[t], identity + 2 * powers(t + 1)),
    ),
    Claim(
        "iterative.defect",
        title="How far the iterates are from orthogonal",
        source=Source("NEW"),
        given=[skew, le(0, m), start, rounds(even)],
        then=both(
            eq(defect(even), -(4 * every_second_power(even + 2, m))),
            eq(defect(odd), 4 * every_second_power(even + 4, m)),
        ),
    ),
    Claim(
        "iterative.always_orthogonal_reading",
        title="Two rounds are orthogonal to three digits",
        source=Source("JPM"),
        given=[eq(W.T, -W)],
        then=every_entry(
            Y_2.T @ Y_2 - identity, lambda entry: lt(absolute(entry), Fraction(1, 1000))
        ),
        expected="refuted",
    ),
    Claim(
        "iterative.converges_iff",
        title="The iteration converges exactly for generators of norm below one",
        source=Source("NEW"),
        given=[skew, start, rounds(None)],
        then=iff(tends_to(Y[t], target, variable=t), spectral_norm_below(N, 1)),
    ),
)
