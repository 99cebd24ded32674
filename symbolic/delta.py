"""Statements on the delta operator A = I − βkkᵀ, its update X' = A X + βkvᵀ, and its gate 2σ(z).

CLAIMS          == in the order of the ledger
A, A_(gate, k)  == the delta operator of the direction k and the gate β; of others
updated         == the state X' after the update
update_(…)      == the state after an update with other arguments
gate(z)         == 2σ(z), the learned gate
multiplicity    == d − rank(A − I): the dimension of the space that A fixes, by rank and nullity
"""

from . import expressions as ex
from .claims import Claim, Source
from .expressions import (
    absolute,
    constant,
    derivative,
    det,
    dims,
    elementary,
    entry,
    eye,
    function,
    greatest,
    index,
    inv,
    kron,
    matrix,
    named,
    norm,
    rank,
    scalar,
    size,
    sqrt,
    vec,
    vector,
    zeros,
)
from .propositions import (
    both,
    differentiable,
    either,
    eq,
    exists,
    forall,
    iff,
    implies,
    invertible,
    le,
    lt,
    ne,
    spectral_norm_is,
    tends_to,
)

d, m = dims("d m")
L = index("L")
beta, a, b, c = scalar("beta"), scalar("a"), scalar("b"), scalar("c")
epsilon, lam, t, z = scalar("epsilon"), scalar("lam"), scalar("t"), scalar("z")
k, q, u, x = vector("k", d), vector("q", d), vector("u", d), vector("x", d)
v, w = vector("v", m), vector("w", m)
X = matrix("X", d, m)


def A_(gate, key):
    """The delta operator of a direction and a gate."""
    size = ex.matrix_shape(key)[0]
    return eye(size) - gate * (key @ key.T)


def update_(state, key, value, gate):
    """The state after an update."""
    return A_(gate, key) @ state + gate * (key @ value.T)


def gate(logit):
    """The learned gate 2σ(z)."""
    return 2 * elementary("sigmoid", logit)


A = named("A", eye(d) - beta * (k @ k.T))
updated = named("X'", A @ X + beta * (k @ v.T))
Z = named("Z", X.T)
unit = eq(k.T @ k, eye(1))
unit_q = eq(q.T @ q, eye(1))
square = entry(k.T @ k)
multiplicity = size(d) - rank(A - eye(d))

# the direction normalised with ε: βkkᵀ/(kᵀk + ε), also for unit k
regularised = square + epsilon
A_regularised = named("A_epsilon", eye(d) - beta / regularised * (k @ k.T))
updated_regularised = named("X'", A_regularised @ X + beta * (k @ v.T))
A_unit_regularised = named("A_epsilon", eye(d) - beta / (1 + epsilon) * (k @ k.T))
gap = absolute(beta) * epsilon / (1 + epsilon)

# the explainer's example
k_example = named("k", constant([[1], [0]]))
X_example = named("X", constant([[2], [3]]))

# two writes, one after the other
first_write = named("Y", update_(X, k, v, 1))
second_write = named("Y'", update_(first_write, q, w, 1))

# what is printed for A X; it needs a square state
X_square = matrix("X", d, d)

# a block of one entry whose direction, value and gate depend on its state x
x_1 = scalar("x")
k_of, v_of, beta_of = function("k"), function("v"), function("beta")
A_of_x = 1 - beta_of(x_1) * k_of(x_1) ** 2
block_of_x = A_of_x * x_1 + beta_of(x_1) * k_of(x_1) * v_of(x_1)

# normalisation of a direction
kappa = vector("kappa", d)
k_normalised = named("k", kappa / norm(kappa))
mean_square = square / size(d)
rms_norm = k / sqrt(mean_square + epsilon**2 / size(d))
softened = square + epsilon**2

beta_z = named("beta", gate(z))
A_z = named("A", eye(d) - beta_z * (k @ k.T))

# a direction in which a derivative is taken, and a vector to read it with
h, y = vector("h", d), vector("y", d)
moved = kappa + t * h
H, Y = matrix("H", d, m), matrix("Y", d, m)

CLAIMS = (
    Claim(
        "delta.rank_one_form",
        title="The delta update is a rank-one correction",
        source=Source("DDL", "§2.1, explainer", literal=True),
        then=eq(updated, X + beta * (k @ (v.T - k.T @ X))),
    ),
    Claim(
        "delta.rank_one_form_normalised",
        title="The block normalised with ε is a rank-one correction by the normalised read-out",
        source=Source("NEW"),
        given=[ne(regularised, 0)],
        then=eq(updated_regularised, X + beta * (k @ (v.T - (k.T @ X) / regularised))),
    ),
    Claim(
        "delta.rank_one_form_reading",
        title="The block normalised with ε is the same rank-one correction",
        source=Source("DDL", "explainer"),
        given=[ne(regularised, 0)],
        then=eq(updated_regularised, X + beta * (k @ (v.T - k.T @ X))),
        expected="refuted",
    ),
    Claim(
        "delta.epsilon_limit",
        title="What ε costs: the distance of the normalised operator from A",
        source=Source("DDL", "explainer"),
        given=[unit, le(0, epsilon)],
        then=both(
            spectral_norm_is(A_unit_regularised - A, gap),
            tends_to(gap, 0, variable=epsilon, to=0),
        ),
    ),
    Claim(
        "delta.update_rank",
        title="An update changes the state by a matrix of rank at most 1",
        source=Source("DDL", "explainer"),
        then=le(rank(updated - X), 1),
    ),
    Claim(
        "delta.preserves_complement",
        title="What is read along a direction orthogonal to k stays",
        source=Source("DDL", "explainer"),
        given=[eq(k.T @ q, zeros(1, 1))],
        then=eq(q.T @ updated, q.T @ X),
    ),
    Claim(
        "delta.eigenvalue_along_k",
        title="The gate sets the eigenvalue along the direction",
        source=Source("DDL", "§2.2, explainer", literal=True),
        given=[unit],
        then=eq(A @ k, (1 - beta) * k),
    ),
    Claim(
        "delta.eigenvalue_regularised",
        title="The eigenvalue along a direction normalised with ε",
        source=Source("NEW"),
        given=[ne(regularised, 0)],
        then=eq(A_regularised @ k, (1 - beta * square / regularised) * k),
    ),
    Claim(
        "delta.eigenvalue_off_k",
        title="Vectors orthogonal to the direction are fixed",
        source=Source("DDL", "§2.2"),
        given=[eq(k.T @ u, zeros(1, 1))],
        then=eq(A @ u, u),
    ),
    Claim(
        "delta.eigenspace_dimension",
        title="The eigenspace of 1 has dimension d − 1",
        source=Source("DDL", "§2.2"),
        given=[unit, ne(beta, 0)],
        then=eq(multiplicity, size(d) - 1),
    ),
    Claim(
        "delta.characteristic_polynomial",
        title="The characteristic polynomial of the delta operator",
        source=Source("DDL", "§2.2"),
        given=[unit],
        then=eq(det(lam * eye(d) - A), (lam - 1) ** (size(d) - 1) * (lam - 1 + beta)),
    ),
    Claim(
        "delta.determinant",
        title="The determinant of the delta operator",
        source=Source("DDL", "§2.2"),
        then=eq(det(A), 1 - beta * entry(k.T @ k)),
    ),
    Claim(
        "delta.determinant_printed",
        title="The determinant of the delta operator is −1 whatever the gate",
        source=Source("GEO-notes", "table", literal=True),
        given=[unit],
        then=eq(det(A), -1),
        expected="refuted",
    ),
    Claim(
        "delta.lifted_determinant",
        title="The determinant of the delta operator on all columns",
        source=Source("DDL", "§2.2"),
        given=[unit],
        then=eq(det(kron(eye(m), A)), (1 - beta) ** size(m)),
    ),
    Claim(
        "delta.singular_iff",
        title="The delta operator is singular exactly at the gate 1",
        source=Source("DDL", "§2.2"),
        given=[unit],
        then=iff(invertible(A), ne(beta, 1)),
    ),
    Claim(
        "delta.inverse",
        title="The inverse of the delta operator",
        source=Source("NEW"),
        given=[unit, ne(beta, 1)],
        then=[invertible(A), eq(inv(A), eye(d) + beta / (1 - beta) * (k @ k.T))],
    ),
    Claim(
        "delta.identity",
        title="At the gate 0 the update does nothing",
        source=Source("DDL", "§2.3, explainer", literal=True),
        given=[eq(beta, 0)],
        then=eq(updated, X),
    ),
    Claim(
        "delta.projection",
        title="At the gate 1 the operator is the orthogonal projection off k",
        source=Source("DDL", "§2.3, explainer"),
        given=[unit, eq(beta, 1)],
        then=[eq(A @ A, A), eq(A, A.T), eq(A @ k, zeros(d, 1))],
    ),
    Claim(
        "delta.erasure_printed",
        title="X − kkᵀ has no component along k",
        source=Source("DDL", "explainer", literal=True),
        given=[unit],
        then=eq(k.T @ (X_square - k @ k.T), zeros(1, d)),
        expected="refuted",
    ),
    Claim(
        "delta.overwrite",
        title="At the gate 1 the value replaces what is read along k",
        source=Source("DDL", "§2.3"),
        given=[unit, eq(beta, 1)],
        then=eq(k.T @ updated, v.T),
    ),
    Claim(
        "delta.reflection",
        title="At the gate 2 the operator is a reflection",
        source=Source("DDL", "§2.3, explainer"),
        given=[unit, eq(beta, 2)],
        then=[eq(A @ A, eye(d)), eq(A.T @ A, eye(d)), eq(A @ k, -k), eq(det(A), -1)],
    ),
    Claim(
        "delta.reflect_and_write",
        title="At the gate 2 the read-out is reflected at the value",
        source=Source("DDL", "explainer"),
        given=[unit, eq(beta, 2)],
        then=eq(k.T @ updated, 2 * v.T - k.T @ X),
    ),
    Claim(
        "delta.worked_example",
        title="The explainer's example: (2, 3) projected and reflected along (1, 0)",
        source=Source("DDL", "explainer", literal=True),
        then=[
            eq(named("A_1", A_(1, k_example)) @ X_example, constant([[0], [3]])),
            eq(named("A_2", A_(2, k_example)) @ X_example, constant([[-2], [3]])),
        ],
    ),
    Claim(
        "delta.orthogonal_iff",
        title="The delta operator is orthogonal exactly at the gates 0 and 2",
        source=Source("GEO", "summary §1, Prop 4.1 of its notes", literal=True),
        given=[unit],
        then=iff(eq(A.T @ A, eye(d)), either(eq(beta, 0), eq(beta, 2))),
    ),
    Claim(
        "delta.orthogonal_only_at_two_printed",
        title="The delta operator is orthogonal only at the gate 2",
        source=Source("GEO-notes", "table", literal=True),
        given=[unit],
        then=iff(eq(A.T @ A, eye(d)), eq(beta, 2)),
        expected="refuted",
    ),
    Claim(
        "delta.regularised_never_orthogonal",
        title="Normalised with ε > 0 the operator is orthogonal at no gate in (0, 2]",
        source=Source("NEW"),
        given=[ne(k, zeros(d, 1)), lt(0, epsilon), lt(0, beta), le(beta, 2)],
        then=ne(A_regularised.T @ A_regularised, eye(d)),
    ),
    Claim(
        "delta.norm_distortion",
        title="How far the operator is from an isometry",
        source=Source("GEO-notes"),
        given=[unit],
        then=eq(norm(A @ x) ** 2, norm(x) ** 2 + beta * (beta - 2) * entry(k.T @ x) ** 2),
    ),
    Claim(
        "delta.non_expansive_iff",
        title="The operator expands no vector exactly at the gates in [0, 2]",
        source=Source("NEW"),
        given=[unit],
        then=iff(
            forall(x, le(norm(A @ x), norm(x))),
            both(le(0, beta), le(beta, 2)),
        ),
    ),
    Claim(
        "delta.spectral_norm",
        title="The norm of the operator",
        source=Source("NEW"),
        given=[unit],
        then=[
            implies(le(2, size(d)), spectral_norm_is(A, greatest(1, absolute(1 - beta)))),
            implies(eq(size(d), 1), spectral_norm_is(A, absolute(1 - beta))),
        ],
    ),
    Claim(
        "delta.error_contraction",
        title="An update shrinks the error of the read-out by 1 − β",
        source=Source("DDL", "§2.3"),
        given=[unit],
        then=eq(k.T @ updated - v.T, (1 - beta) * (k.T @ X - v.T)),
    ),
    Claim(
        "delta.composition",
        title="Gates along one direction compose",
        source=Source("NEW"),
        given=[unit, le(0, L)],
        then=[
            eq(A_(a, k) @ A_(b, k), A_(a + b - a * b, k)),
            eq(A**L, A_(1 - (1 - beta) ** L, k)),
        ],
    ),
    Claim(
        "delta.commutator",
        title="The commutator of two delta operators",
        source=Source("NEW"),
        then=eq(
            A_(a, k) @ A_(b, q) - A_(b, q) @ A_(a, k),
            a * b * entry(k.T @ q) * (k @ q.T - q @ k.T),
        ),
    ),
    Claim(
        "delta.delta_rule",
        title="On the transposed state the update is the recurrence of DeltaNet",
        source=Source("DDL"),
        then=eq(named("Z'", updated.T), Z @ (eye(d) - beta * (k @ k.T)) + beta * (v @ k.T)),
    ),
    Claim(
        "delta.overwrite_persists_reading",
        title="What is written along k survives the next write along another direction",
        source=Source("NEW"),
        given=[unit, unit_q, lt(entry(k.T @ q) ** 2, 1)],
        then=eq(k.T @ second_write, v.T),
        expected="refuted",
    ),
    Claim(
        "delta.gate_range",
        title="The learned gate takes exactly the values of the open interval (0, 2)",
        source=Source("DDL", "§2.1"),
        then=[
            lt(0, gate(z)),
            lt(gate(z), 2),
            implies(both(lt(0, c), lt(c, 2)), exists(t, eq(gate(t), c))),
            eq(gate(-z), 2 - gate(z)),
            eq(gate(0), 1),
        ],
    ),
    Claim(
        "delta.gate_attains_ends_reading",
        title="The learned gate attains 0 and 2",
        source=Source("DDL", "explainer"),
        then=[exists(z, eq(gate(z), 0)), exists(z, eq(gate(z), 2))],
        expected="refuted",
    ),
    Claim(
        "delta.gate_gradient",
        title="The slope of the learned gate is half the loss of length at it",
        source=Source("NEW"),
        given=[unit],
        then=[
            eq(derivative(gate(z), z), beta_z * (2 - beta_z) / 2),
            eq(
                norm(A_z @ x) ** 2,
                norm(x) ** 2 - 2 * derivative(gate(z), z) * entry(k.T @ x) ** 2,
            ),
        ],
    ),
    Claim(
        "delta.rms_direction",
        title="RMSNorm by √d is the direction normalised with ε² under the root",
        source=Source("DDL", "§3.1"),
        given=[lt(0, softened)],
        then=eq(rms_norm / sqrt(size(d)), k / sqrt(softened)),
    ),
    Claim(
        "delta.key_gradient",
        title="The Jacobian of a normalised direction, along h and read with y",
        source=Source("NEW"),
        given=[ne(kappa, zeros(d, 1))],
        then=eq(
            derivative(entry(y.T @ moved) / norm(moved), t, at=0),
            entry(y.T @ (eye(d) - k_normalised @ k_normalised.T) @ h) / norm(kappa),
        ),
    ),
    Claim(
        "delta.frozen_jacobian",
        title="With k, v, β fixed the Jacobian of the block is I_m ⊗ A, along H and read with Y",
        source=Source("DDL", "§2.2"),
        then=eq(
            derivative(entry(vec(Y).T @ vec(A @ (X + t * H) + beta * (k @ v.T))), t, at=0),
            entry(vec(Y).T @ kron(eye(m), A) @ vec(H)),
        ),
    ),
    Claim(
        "delta.frozen_spectrum_is_jacobian_reading",
        title="Where k, v, β depend on X, the spectrum of A(X) is the Jacobian's, for d = m = 1",
        source=Source("NEW"),
        given=[eq(k_of(x_1) ** 2, 1), differentiable(block_of_x, x_1, at=x_1)],
        then=eq(derivative(block_of_x, x_1), A_of_x),
        expected="refuted",
    ),
)
