"""Statements on the hybrid blend B = γQ + (1−γ)R of a rotation Q and a reflection R.

CLAIMS == in the order of the ledger
B      == the blend of orthogonal Q, det 1, and R, det −1; `blended` are these hypotheses
H      == the reflection I − 2kkᵀ; Q_c == the rank-two Cayley rotation of u, v and a gate β
layer  == the blend of those two, one mixing operator of the architecture; G == its value at X
"""

from fractions import Fraction

from .claims import Claim, Source
from .expressions import (
    Expression,
    absolute,
    det,
    dims,
    entry,
    eye,
    index,
    inv,
    mapping,
    matrix,
    named,
    norm,
    ordered_product,
    rank,
    scalar,
    sequence,
    size,
    vector,
    zeros,
)
from .propositions import (
    both,
    distance_to_orthogonal_is,
    either,
    eq,
    exists,
    forall,
    implies,
    invertible,
    le,
    lt,
    ne,
    smallest_singular_value_is,
    spectral_norm_is,
)

n, m = dims("n m")
Q, R, T, U, V, K = (matrix(name, n, n) for name in "QRTUVK")
g, k, u, v, x, y, z = (vector(name, n) for name in "gkuvxyz")
beta, gamma, epsilon = scalar("beta"), scalar("gamma"), scalar("epsilon")
half = Fraction(1, 2)

isometric, mirrored = eq(Q.T @ Q, eye(n)), eq(R.T @ R, eye(n))
rotation, reflection = eq(det(Q), 1), eq(det(R), -1)
components = (isometric, mirrored, rotation, reflection)
gate = (le(0, gamma), le(gamma, 1))
blended = (*components, *gate)
unit = eq(k.T @ k, eye(1))


def blend(rotated: Expression, reflected: Expression, share: Expression | Fraction = gamma):
    """The blend of two matrices with a share of the first."""
    return named("B", share * rotated + (1 - share) * reflected)


B = blend(Q, R)
gram = eq(B.T @ B, eye(n))


def cayley(u, v, beta):
    """The Cayley rotation of the generator (β/2)(uvᵀ − vuᵀ)."""
    skew = beta / 2 * (u @ v.T - v @ u.T)
    return inv(eye(n) + skew) @ (eye(n) - skew)


def reflect(k):
    """The reflection along k."""
    return eye(n) - 2 * (k @ k.T)


H = named("H", reflect(k))
Q_c = named("Q", cayley(u, v, beta))
layer = named("G", gamma * Q_c + (1 - gamma) * H)


def some_layer(statement):
    """Some layer satisfies a statement."""
    found = both(*gate, unit, statement)
    for generator in (k, v, u, beta, gamma):
        found = exists(generator, found)
    return found


# in the plane
Q_2, R_2 = matrix("Q", 2, 2), matrix("R", 2, 2)
planar = blend(Q_2, R_2)
planar_components = (
    eq(Q_2.T @ Q_2, eye(2)),
    eq(R_2.T @ R_2, eye(2)),
    eq(det(Q_2), 1),
    eq(det(R_2), -1),
)

# the axis that takes x to Tx
turned = x - T @ x
axis = named("k", turned / norm(turned))

# ‖Ty + y‖² = 2(1 + cos θ)‖y‖², so that the angle θ between y and Ty is at least 168 degrees
turns_nearly_around = (ne(y, zeros(n, 1)), le(norm(T @ y + y), Fraction(1, 5) * norm(y)))

# the layer of the architecture; F and LN are any maps of the state
X, H_pre, H_post = matrix("X", n, m), matrix("H_pre", n, n), matrix("H_post", n, n)
F, LN = mapping("F", n, m), mapping("LN", n, m)
G = named("G", gamma * (Q_c @ X) + (1 - gamma) * (H @ X))

# layers of a stack, each with generators of its own
i = index("i")
L = index("L")
Q_i, R_i, gamma_i = sequence("Q", n, n), sequence("R", n, n), sequence("gamma")
k_i, u_i, v_i, beta_i = sequence("k", n), sequence("u", n), sequence("v", n), sequence("beta")
stack = (gamma_i, beta_i, u_i, v_i, k_i)


def layer_of(sequences):
    """The layer i with the generators of these sequences."""
    gates, angles, first, second, axes = (terms[i] for terms in sequences)
    return gates * cayley(first, second, angles) + (1 - gates) * reflect(axes)


def binary(sequences, count):
    """The layers 1, …, count have unit axes, and gates 0, or 1 with β = 0."""
    gates, angles, _, _, axes = (terms[i] for terms in sequences)
    closed = either(eq(gates, 0), both(eq(gates, 1), eq(angles, 0)))
    return forall(i, both(eq(axes.T @ axes, eye(1)), closed), over=(1, count))


def stacked(sequences, count):
    """The product of the layers 1, …, count."""
    return ordered_product(i, 1, count, layer_of(sequences))


def some_stack(matrix, count):
    """A matrix is a product of so many layers with closed gates."""
    found = both(binary(stack, count), eq(matrix, stacked(stack, count)))
    for terms in reversed(stack):
        found = exists(terms, found)
    return found


near_half = forall(
    i,
    both(
        eq(Q_i[i].T @ Q_i[i], eye(n)),
        eq(R_i[i].T @ R_i[i], eye(n)),
        eq(det(Q_i[i]), 1),
        eq(det(R_i[i]), -1),
        le(Fraction(1, 4), gamma_i[i]),
        le(gamma_i[i], Fraction(3, 4)),
    ),
    over=(1, L),
)


def pooled(second, mark):
    """The layer whose generators come from the mean of the tokens x and `second`, applied to x.

    With it what must hold for it to be defined. `mark` tells the names of two such layers apart.
    """
    mean = named("m" + mark, half * (x + second))
    share = named("gamma" + mark, entry(g.T @ mean))
    rotated = named("Q" + mark, cayley(U @ mean, V @ mean, beta))
    direction = named("k" + mark, K @ mean / norm(K @ mean))
    reflected = named("H" + mark, reflect(direction))
    defined = (ne(K @ mean, zeros(n, 1)), le(0, share), le(share, 1))
    return share * (rotated @ x) + (1 - share) * (reflected @ x), defined


with_y, defined_with_y = pooled(y, "_y")
with_z, defined_with_z = pooled(z, "_z")

CLAIMS = (
    Claim(
        "hybrid.both_components",
        title="The ends of the blend lie in the two components of O(n)",
        source=Source("GEO", "summary §3"),
        given=components,
        then=both(
            implies(eq(gamma, 1), eq(det(B), 1)),
            implies(eq(gamma, 0), eq(det(B), -1)),
        ),
    ),
    Claim(
        "hybrid.exactly_orthogonal_printed",
        title="The blend with a gate in (0, 1) is exactly orthogonal",
        source=Source("GEO", "summary §2.2, §2.3", literal=True),
        given=[*components, lt(0, gamma), lt(gamma, 1)],
        then=gram,
        expected="refuted",
    ),
    Claim(
        "hybrid.gram",
        title="The Gram matrix of the blend",
        source=Source("GEO-notes", "Thm 9"),
        given=[isometric, mirrored],
        then=eq(
            B.T @ B,
            (gamma**2 + (1 - gamma) ** 2) * eye(n) + gamma * (1 - gamma) * (Q.T @ R + R.T @ Q),
        ),
    ),
    Claim(
        "hybrid.endpoints_orthogonal",
        title="The blend is orthogonal at the gates 0 and 1",
        source=Source("GEO", "summary §2.2"),
        given=[isometric, mirrored, either(eq(gamma, 0), eq(gamma, 1))],
        then=gram,
    ),
    Claim(
        "hybrid.interior_not_orthogonal",
        title="The blend is orthogonal nowhere between the gates 0 and 1",
        source=Source("GEO", "summary §2.2, Cor 9.1 of its notes"),
        given=[*components, lt(0, gamma), lt(gamma, 1)],
        then=ne(B.T @ B, eye(n)),
    ),
    Claim(
        "hybrid.midpoint_singular",
        title="The blend is singular at the gate ½",
        source=Source("NEW"),
        given=components,
        then=eq(det(half * (Q + R)), 0),
    ),
    Claim(
        "hybrid.smallest_singular_value",
        title="The smallest singular value of the blend",
        source=Source("NEW"),
        given=blended,
        then=smallest_singular_value_is(B, absolute(2 * gamma - 1)),
    ),
    Claim(
        "hybrid.norm_bounds",
        title="How far the blend shrinks a vector",
        source=Source("NEW"),
        given=[isometric, mirrored, *gate],
        then=both(
            le(absolute(2 * gamma - 1) * norm(x), norm(B @ x)),
            le(norm(B @ x), norm(x)),
        ),
    ),
    Claim(
        "hybrid.orthogonality_defect",
        title="The regulariser 4γ(1−γ) is the defect of orthogonality",
        source=Source("NEW"),
        given=blended,
        then=spectral_norm_is(B.T @ B - eye(n), 4 * gamma * (1 - gamma)),
    ),
    Claim(
        "hybrid.distance_to_orthogonal",
        title="The distance of the blend from the orthogonal group",
        source=Source("NEW"),
        given=blended,
        then=distance_to_orthogonal_is(B, 1 - absolute(2 * gamma - 1)),
    ),
    Claim(
        "hybrid.planar_determinant",
        title="The determinant of a blend in the plane",
        source=Source("NEW"),
        given=planar_components,
        then=eq(det(planar), 2 * gamma - 1),
    ),
    Claim(
        "hybrid.blend_approximates_rotations_reading",
        title="At the gate ½ blends come arbitrarily close to rotations near π",
        source=Source("GEO-notes", "Thm 12"),
        given=[lt(0, epsilon), eq(T.T @ T, eye(n)), eq(det(T), 1), *turns_nearly_around],
        then=exists(
            Q,
            exists(
                R,
                both(
                    *components,
                    forall(x, le(norm((half * (Q + R) - T) @ x), epsilon * norm(x))),
                ),
            ),
        ),
        expected="refuted",
    ),
    Claim(
        "hybrid.blend_reaches_rotation_on_one_vector",
        title="On one vector the blend at the gate ½ reaches a rotation",
        source=Source("NEW"),
        given=[eq(T.T @ T, eye(n)), eq(det(T), 1), ne(turned, zeros(n, 1))],
        then=eq(blend(T, reflect(axis), half) @ x, T @ x),
    ),
    Claim(
        "hybrid.single_layer_covers_orthogonal_group_printed",
        title="One layer reaches every element of O(n)",
        source=Source("GEO-notes", "Thm 8", literal=True),
        given=[mirrored],
        then=some_layer(eq(gamma * cayley(u, v, beta) + (1 - gamma) * reflect(k), R)),
        expected="refuted",
    ),
    Claim(
        "hybrid.common_fixed_space",
        title="One layer fixes all but three dimensions, so it is far from −I for n ≥ 4",
        source=Source("NEW"),
        given=[unit, *gate],
        then=both(
            le(rank(layer - eye(n)), 3),
            implies(le(4, size(n)), spectral_norm_is(layer + eye(n), 2)),
        ),
    ),
    Claim(
        "hybrid.depth_covers_orthogonal_group",
        title="n layers with closed gates reach every element of O(n)",
        source=Source("NEW"),
        given=[mirrored],
        then=some_stack(R, size(n)),
    ),
    Claim(
        "hybrid.midpoint_stack_reading",
        title="A stack of blends with gates near ½ stays invertible",
        source=Source("NEW"),
        given=[le(1, L), near_half],
        then=invertible(ordered_product(i, 1, L, gamma_i[i] * Q_i[i] + (1 - gamma_i[i]) * R_i[i])),
        expected="refuted",
    ),
    Claim(
        "hybrid.reduces_to_residual",
        title="With the gate open and everything else closed the layer is a plain residual one",
        source=Source("GEO-notes"),
        given=[eq(gamma, 1), eq(beta, 0), eq(H_pre, eye(n)), eq(H_post, eye(n))],
        then=eq(G + H_post.T @ F(H_pre @ LN(G)), X + F(LN(X))),
    ),
    Claim(
        "hybrid.pooled_generators_causal_reading",
        title="A layer whose generators are pooled over the sequence is causal",
        source=Source("GEO-notes"),
        given=[*defined_with_y, *defined_with_z],
        then=eq(with_y, with_z),
        expected="refuted",
    ),
)
