"""Statements on the Cayley transform Q = (I+S)⁻¹(I−S) of a real skew matrix S.

CLAIMS     == in the order of the ledger
cayley(S)  == the Cayley transform of a matrix; Q == that of S
W          == the rank-two generator uvᵀ − vuᵀ; ω² == its Gram determinant, ½‖W‖²
s, Q_2     == s = β/2, and the Cayley transform of the generator sW

Vectors over C are written by their real and imaginary parts.
"""

from fractions import Fraction

from .claims import Claim, Source
from .expressions import (
    derivative,
    det,
    dims,
    elementary,
    entry,
    eye,
    index,
    inv,
    matrix,
    named,
    norm,
    ordered_product,
    scalar,
    sequence,
    size,
    sqrt,
    tr,
    vector,
    zeros,
)
from .propositions import (
    both,
    either,
    eq,
    exists,
    iff,
    implies,
    invertible,
    le,
    lt,
    ne,
    smallest_singular_value_is,
    tends_to,
)

n = dims("n")
u, v, x, y = vector("u", n), vector("v", n), vector("x", n), vector("y", n)
S, R, T = matrix("S", n, n), matrix("R", n, n), matrix("T", n, n)


def cayley(skew):
    """The Cayley transform of a matrix."""
    return inv(eye(n) + skew) @ (eye(n) - skew)


W = named("W", u @ v.T - v @ u.T)
Q = named("Q", cayley(S))
skew = eq(S.T, -S)

# over C: S = A + iB, and the vector x + iy
A, B = matrix("A", n, n), matrix("B", n, n)
over_complex = (
    eq(A.T, -A),
    eq(B.T, -B),
    eq((eye(n) + A) @ x - B @ y, zeros(n, 1)),
    eq((eye(n) + A) @ y + B @ x, zeros(n, 1)),
)
nothing = both(eq(x, zeros(n, 1)), eq(y, zeros(n, 1)))

# S (x + iy) = iμ (x + iy)
mu = scalar("mu")
eigenvector = (
    either(ne(x, zeros(n, 1)), ne(y, zeros(n, 1))),
    eq(S @ x, -mu * y),
    eq(S @ y, mu * x),
)
turn = named("θ", 2 * elementary("arctan", mu))
cos_turn, sin_turn = elementary("cos", turn), elementary("sin", turn)

# the skew matrix whose Cayley transform is R
S_R = named("S", inv(eye(n) + R) @ (eye(n) - R))

# rank two
beta = scalar("beta")
s = named("s", beta / 2)
omega_squared = named("ω²", entry(u.T @ u) * entry(v.T @ v) - entry(u.T @ v) ** 2)
Q_2 = named("Q", cayley(s * W))
closed_form = eye(n) - 2 * s / (1 + s**2 * omega_squared) * (W - s * (W @ W))
theta = named("θ", 2 * elementary("arctan", s * sqrt(omega_squared)))
cosine = (1 - s**2 * omega_squared) / (1 + s**2 * omega_squared)

# the closed form with t in the place of ω², of any skew generator
t = scalar("t")
G = matrix("W", n, n)
c = named("c", 2 * s / (1 + s**2 * t))
Q_t = named("Q̃", eye(n) - c * (G - s * (G @ G)))

# how far the spectrum stays from −1, for the gates β and −β
distance = 2 / sqrt(1 + s**2 * omega_squared)
distance_behind = 2 / sqrt(1 + (-beta / 2) ** 2 * omega_squared)

# a stack of Cayley rotations: A_i − A_iᵀ is any skew matrix
i, L = index("i L")
A_i = sequence("A", n, n)
stack = ordered_product(i, 1, L, cayley(A_i[i] - A_i[i].T))

# a generator that depends on the data, S(x) = (pᵀx) K, and a direction h
K, p, h = matrix("K", n, n), vector("p", n), vector("h", n)
moved = x + t * h
rotated = cayley(entry(p.T @ moved) * K) @ moved

# u and v are linearly dependent
a, b = scalar("a"), scalar("b")
dependent = exists(a, exists(b, both(either(ne(a, 0), ne(b, 0)), eq(a * u + b * v, zeros(n, 1)))))

CLAIMS = (
    Claim(
        "cayley.generator_skew",
        title="The rank-two generator is skew",
        source=Source("GEO", "summary §2.1", literal=True),
        then=eq(W.T, -W),
    ),
    Claim(
        "cayley.nonsingular",
        title="The Cayley transform of a real skew matrix is always defined",
        source=Source("GEO-notes", "Thm 4"),
        given=[skew],
        then=invertible(eye(n) + S),
    ),
    Claim(
        "cayley.nonsingular_any_field_reading",
        title="I + S is invertible for skew S over C too, as over any field",
        source=Source("NEW"),
        given=over_complex,
        then=nothing,
        expected="refuted",
    ),
    Claim(
        "cayley.factors_commute",
        title="The two factors of the Cayley transform commute",
        source=Source("GEO-notes"),
        given=[skew],
        then=eq(Q, (eye(n) - S) @ inv(eye(n) + S)),
    ),
    Claim(
        "cayley.orthogonal",
        title="Unconditional orthogonality of the Cayley rotation",
        source=Source("GEO", "Thm 4.1", literal=True),
        given=[skew],
        then=eq(Q.T @ Q, eye(n)),
    ),
    Claim(
        "cayley.isometry",
        title="The Cayley rotation preserves norms",
        source=Source("GEO-notes", "Thm 2"),
        given=[skew],
        then=eq(norm(Q @ y), norm(y)),
    ),
    Claim(
        "cayley.determinant",
        title="The Cayley rotation has determinant one",
        source=Source("GEO-notes", "Thm 3"),
        given=[skew],
        then=eq(det(Q), 1),
    ),
    Claim(
        "cayley.no_minus_one",
        title="The Cayley rotation never has the eigenvalue −1",
        source=Source("GEO", "Thm 4.6", literal=True),
        given=[skew, eq(Q @ x, -x)],
        then=eq(x, zeros(n, 1)),
    ),
    Claim(
        "cayley.so_excludes_minus_one_printed",
        title="Since the image lies in SO(n), the eigenvalue −1 is excluded",
        source=Source("GEO", "summary §2.2", literal=True),
        given=[eq(R.T @ R, eye(n)), eq(det(R), 1), eq(R @ x, -x)],
        then=eq(x, zeros(n, 1)),
        expected="refuted",
    ),
    Claim(
        "cayley.eigenvalues",
        title="An eigenvalue iμ of S gives the eigenvalue (1−iμ)/(1+iμ), a turn by −2 arctan μ",
        source=Source("GEO-notes"),
        given=[skew, *eigenvector],
        then=both(
            eq(Q @ x, (1 - mu**2) / (1 + mu**2) * x + 2 * mu / (1 + mu**2) * y),
            eq(Q @ y, (1 - mu**2) / (1 + mu**2) * y - 2 * mu / (1 + mu**2) * x),
            eq(Q @ x, cos_turn * x + sin_turn * y),
            eq(Q @ y, cos_turn * y - sin_turn * x),
        ),
    ),
    Claim(
        "cayley.image",
        title="Every orthogonal R without the eigenvalue −1 is a Cayley transform",
        source=Source("NEW"),
        given=[eq(R.T @ R, eye(n)), invertible(eye(n) + R)],
        then=both(eq(S_R.T, -S_R), eq(cayley(S_R), R)),
    ),
    Claim(
        "cayley.inverse_is_transpose",
        title="The Cayley transform of −S is the transpose and the inverse of that of S",
        source=Source("GEO-notes"),
        given=[skew],
        then=both(eq(cayley(-S), Q.T), invertible(Q), eq(Q.T, inv(Q))),
    ),
    Claim(
        "cayley.rank_two_cube",
        title="The rank-two generator satisfies W³ = −ω² W",
        source=Source("NEW"),
        then=eq(W @ W @ W, -omega_squared * W),
    ),
    Claim(
        "cayley.rank_two_closed_form",
        title="The rank-two Cayley rotation in closed form",
        source=Source("NEW"),
        then=eq(Q_2, closed_form),
    ),
    Claim(
        "cayley.closed_form_gram",
        title="What an error in ω² costs the closed form",
        source=Source("NEW"),
        given=[eq(G.T, -G), le(0, t)],
        then=eq(Q_t.T @ Q_t - eye(n), c**2 * s**2 * (G @ G @ (G @ G + t * eye(n)))),
    ),
    Claim(
        "cayley.rank_two_fixes_complement",
        title="The rank-two Cayley rotation fixes what is orthogonal to its plane",
        source=Source("GEO-notes"),
        given=[eq(u.T @ x, zeros(1, 1)), eq(v.T @ x, zeros(1, 1))],
        then=eq(Q_2 @ x, x),
    ),
    Claim(
        "cayley.rank_two_angle",
        title="The angle of the rank-two Cayley rotation",
        source=Source("NEW"),
        then=both(
            eq(tr(Q_2), size(n) - 2 + 2 * elementary("cos", theta)),
            eq(elementary("cos", theta), cosine),
        ),
    ),
    Claim(
        "cayley.distance_to_minus_one",
        title="The rank-two Cayley rotation stays away from −1, by less the larger the gate",
        source=Source("NEW"),
        then=both(
            smallest_singular_value_is(eye(n) + Q_2, distance),
            lt(0, distance),
            implies(
                ne(omega_squared, 0),
                both(
                    tends_to(distance, 0, variable=beta),
                    tends_to(distance_behind, 0, variable=beta),
                ),
            ),
        ),
    ),
    Claim(
        "cayley.square_covers_rotations",
        title="Every rotation is the square of a Cayley rotation",
        source=Source("NEW"),
        given=[eq(R.T @ R, eye(n)), eq(det(R), 1)],
        then=exists(S, both(skew, eq(R, Q @ Q))),
    ),
    Claim(
        "cayley.stack_cannot_negate_reading",
        title="No composition of Cayley rotations has the eigenvalue −1",
        source=Source("GEO-notes"),
        given=[le(0, L), eq(stack @ x, -x)],
        then=eq(x, zeros(n, 1)),
        expected="refuted",
    ),
    Claim(
        "cayley.rank_two_covers_rotations_reading",
        title="One rank-two Cayley rotation reaches every rotation without the eigenvalue −1",
        source=Source("GEO-notes"),
        given=[eq(R.T @ R, eye(n)), eq(det(R), 1), invertible(eye(n) + R)],
        then=exists(u, exists(v, exists(beta, eq(Q_2, R)))),
        expected="refuted",
    ),
    Claim(
        "cayley.differential",
        title="The differential of the Cayley transform, in the direction T",
        source=Source("NEW"),
        given=[skew, eq(T.T, -T)],
        then=eq(
            derivative(cayley(S + t * T), t, at=0),
            -2 * (inv(eye(n) + S) @ T @ inv(eye(n) + S)),
        ),
    ),
    Claim(
        "cayley.data_dependent_jacobian_reading",
        title="A rotation by a generator that depends on x preserves norms to first order",
        source=Source("GEO", "summary §2.1"),
        given=[eq(K.T, -K)],
        then=eq(norm(derivative(rotated, t, at=0)), norm(h)),
        expected="refuted",
    ),
    Claim(
        "cayley.derivative_in_beta",
        title="The derivative of the rank-two Cayley rotation in its gate",
        source=Source("NEW"),
        then=eq(
            derivative(Q_2, beta),
            -Fraction(1, 2) * (inv(eye(n) + s * W) @ W @ (eye(n) + Q_2)),
        ),
    ),
    Claim(
        "cayley.identity_at_zero",
        title="The rank-two Cayley rotation is I exactly at the gate 0 or for dependent u, v",
        source=Source("GEO-notes"),
        then=iff(eq(Q_2, eye(n)), either(eq(beta, 0), dependent)),
    ),
)
