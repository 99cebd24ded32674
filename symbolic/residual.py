"""Statements on residual units x_(i+1) = λ_i x_i + F_i between the layers l and L.

CLAIMS       == in the order of the ledger
x, F         == the states and the residuals F_i = F_i(x_i), vectors; s, r: one entry of them
lam, W       == the shortcuts λ_i, scalars, and W_i, matrices
J, G         == the Jacobians J_i = ∂F_i/∂x_i, and G_i = ∂x_i/∂x_l by the chain rule
g, g_l       == the gradients ∂E/∂x_L and ∂E/∂x_l = ∂E/∂x_L G_L, as rows
a, b, e      == J, G and g where a state is one number
D            == ∂/∂x_l Σ F_i = Σ J_i G_i; other sums D, likewise, by their own names
layer_norm   == (x − mean)/√variance, without affine part and with ε = 0

That E depends on x_l through x_L alone is the equation g_l = g G_L; that the units are
differentiable, the existence of J. A layer is any sequence of values: the weights are in F_i.
"""

from .claims import Claim, Source
from .expressions import (
    Expression,
    absolute,
    dims,
    element,
    entry,
    eye,
    greatest,
    index,
    mapping,
    matrix,
    named,
    norm,
    ones,
    ordered_product,
    product,
    scalar,
    sequence,
    size,
    sqrt,
    total,
    vector,
    zeros,
)
from .propositions import (
    Exists,
    ForRange,
    Proposition,
    both,
    eq,
    forall,
    iff,
    implies,
    le,
    lt,
    ne,
)

n, d, m = dims("n d m")
l, L, i, j, p = index("l L i j p")
c, e = scalar("c"), scalar("e")
lam, W = sequence("lam"), sequence("W", n, n)
x, F = sequence("x", n), sequence("F", n)
s, r = sequence("x"), sequence("F")
J, G = sequence("J", n, n), sequence("G", n, n)
a, b = sequence("a"), sequence("b")
g, y, z = matrix("g", 1, n), vector("y", n), vector("z", n)
g_l = named("g_l", g @ G[L])

ordered = le(l, L)


def for_layers(body: Proposition) -> ForRange:
    """For every layer i = l, …, L − 1."""
    return ForRange(i, l, L - 1, body)


# ---------------------------------------------------------------- units and their Jacobians

units = for_layers(eq(x[i + 1], x[i] + F[i]))
scaled_units = forall(i, eq(x[i + 1], lam[i] * x[i] + F[i]), over=(l, L - 1))
linear_units = for_layers(eq(x[i + 1], W[i] @ x[i] + F[i]))

at_start = eq(G[l], eye(n))
jacobians = for_layers(eq(G[i + 1], G[i] + J[i] @ G[i]))
plain_jacobians = for_layers(eq(G[i + 1], J[i] @ G[i]))
scaled_jacobians = for_layers(eq(G[i + 1], lam[i] * G[i] + J[i] @ G[i]))
linear_jacobians = for_layers(eq(G[i + 1], W[i] @ G[i] + J[i] @ G[i]))

contracting = for_layers(forall(z, le(norm(J[i] @ z), c * norm(z))))

D = named("D", total(i, l, L - 1, J[i] @ G[i]))
every_scale = product(i, l, L - 1, lam[i])
later_scales = product(j, i + 1, L - 1, lam[j])
D_scaled = named("D", total(i, l, L - 1, later_scales * (J[i] @ G[i])))
small_scales = both(for_layers(le(absolute(lam[i]), c)), lt(c, 1))
large_scales = both(for_layers(le(c, lam[i])), lt(1, c))
decays = le(absolute(every_scale), c ** (L - l))
grows = le(c ** (L - l), every_scale)
every_shortcut = ordered_product(i, l, L - 1, W[i])
later_shortcuts = ordered_product(j, i + 1, L - 1, W[j])
D_linear = named("D", total(i, l, L - 1, later_shortcuts @ (J[i] @ G[i])))

# where a state is one number
at_start_1 = eq(b[l], 1)
jacobians_1 = for_layers(eq(b[i + 1], b[i] + a[i] * b[i]))
D_1 = named("D_1", total(i, l, L - 1, a[i] * b[i]))

# some ∂E/∂x_L ≠ 0 is taken to 0
vanishes = Exists(g, both(ne(g, zeros(1, n)), eq(g_l, zeros(1, n))))
eigenvector = Exists(y, both(ne(y, zeros(n, 1)), eq(D @ y, -y)))
scalar_vanishes = Exists(e, both(ne(e, 0), eq(e * b[L], 0)))


# ---------------------------------------------------------------- activations and norms

nonnegative_residuals = for_layers(forall(p, le(0, element(F[i], p, 1)), over=(1, size(n))))
rectified_units = for_layers(eq(s[i + 1], greatest(0, s[i] + r[i])))
defect = s[L] - s[l] - total(i, l, L - 1, r[i])


# states y_i before the activation f; F_i is a map, of which any weights are part
states = sequence("y", n)
layer, activation = mapping("F", n), mapping("f", n)
asymmetric_units = forall(
    i, eq(states[i + 1], states[i] + layer(activation(states[i]), i + 1)), over=(0, L - 1)
)
renamed_states = forall(i, eq(x[i + 1], states[i]), over=(0, L))


def mean(x: Expression) -> Expression:
    """The mean of the entries of a vector."""
    return entry(ones(n).T @ x) / size(n)


def centred(x: Expression) -> Expression:
    """x − mean(x) 𝟏."""
    return x - mean(x) * ones(n)


def variance(x: Expression) -> Expression:
    """The mean square of the entries of x − mean(x) 𝟏."""
    return norm(centred(x)) ** 2 / size(n)


def layer_norm(x: Expression) -> Expression:
    """LN(x) = (x − mean(x) 𝟏)/√variance(x)."""
    return centred(x) / sqrt(variance(x))


def not_constant(x: Expression) -> Proposition:
    """The entries of x are not all equal."""
    return ne(centred(x), zeros(n, 1))


state = vector("x", n)
scaled_state = c * state
LN = named("LN(x)", layer_norm(state))
LN_scaled = named("LN(cx)", layer_norm(scaled_state))
mean_zero, variance_one = eq(mean(state), 0), eq(variance(state), 1)


# ---------------------------------------------------------------- the delta block

X, k, v = sequence("X", d, m), sequence("k", d), sequence("v", m)
beta = sequence("beta")
correction = beta[i] * (k[i] @ (v[i].T - k[i].T @ X[i]))
delta_blocks = for_layers(
    eq(X[i + 1], (eye(d) - beta[i] * (k[i] @ k[i].T)) @ X[i] + beta[i] * (k[i] @ v[i].T))
)


CLAIMS = (
    Claim(
        "residual.unrolled",
        title="A deep state is a shallow state and the residuals between",
        source=Source("RES", "eq. 4", literal=True),
        given=[ordered, units],
        then=eq(x[L], x[l] + total(i, l, L - 1, F[i])),
    ),
    Claim(
        "residual.gradient",
        title="The gradient passes the shortcuts unchanged: D = ∂/∂x_l Σ F_i is added to I",
        source=Source("RES", "eq. 5", literal=True),
        given=[ordered, at_start, jacobians],
        then=eq(g_l, g @ (eye(n) + D)),
    ),
    Claim(
        "residual.plain_vanishing",
        title="Without shortcuts, Jacobians of norm at most c < 1 make the gradient decay",
        source=Source("RES", "explainer"),
        given=[ordered, le(0, c), lt(c, 1), contracting],
        then=le(norm(ordered_product(i, l, L - 1, J[i]) @ y), c ** (L - l) * norm(y)),
    ),
    Claim(
        "residual.plain_gradient",
        title="Without shortcuts, the Jacobian is the product of the Jacobians of the layers",
        source=Source("RES", "explainer"),
        given=[ordered, at_start, plain_jacobians],
        then=eq(g_l, g @ ordered_product(i, l, L - 1, J[i])),
    ),
    Claim(
        "residual.scaled_unrolled",
        title="Unrolled scaled shortcuts",
        source=Source("RES", "eq. 7"),
        given=[ordered, scaled_units],
        then=eq(x[L], every_scale * x[l] + total(i, l, L - 1, later_scales * F[i])),
    ),
    Claim(
        "residual.scaled_unrolled_printed",
        title="Unrolled scaled shortcuts, with the product over all earlier layers",
        source=Source("RES", "explainer", literal=True),
        given=[le(1, l), le(l, L), scaled_units],
        then=eq(
            x[L],
            product(i, 1, L - 1, lam[i]) * x[l]
            + total(i, l, L - 1, product(j, 1, L - 1, lam[j]) * F[i]),
        ),
        expected="refuted",
    ),
    Claim(
        "residual.scaled_gradient",
        title="The gradient of scaled shortcuts: D = ∂/∂x_l Σ F̂_i, F̂_i with the later factors",
        source=Source("RES", "eq. 8"),
        given=[ordered, at_start, scaled_jacobians],
        then=eq(g_l, g @ (every_scale * eye(n) + D_scaled)),
    ),
    Claim(
        "residual.scaled_gradient_printed",
        title="The gradient of scaled shortcuts, with D = ∂/∂x_l Σ F_i of the residuals alone",
        source=Source("RES", "explainer", literal=True),
        given=[le(1, l), ordered, at_start, scaled_jacobians],
        then=eq(g_l, g @ (product(i, 1, L - 1, lam[i]) * eye(n) + D)),
        expected="refuted",
    ),
    Claim(
        "residual.linear_shortcut",
        title="Linear shortcuts: their product in the state, and in the gradient",
        source=Source("RES", "§3"),
        given=[ordered, linear_units, at_start, linear_jacobians],
        then=both(
            eq(x[L], every_shortcut @ x[l] + total(i, l, L - 1, later_shortcuts @ F[i])),
            eq(g_l, g @ (every_shortcut + D_linear)),
        ),
    ),
    Claim(
        "residual.shortcut_gradient_printed",
        title="1×1 convolutions as shortcuts: the product of the W_i, with D = ∂/∂x_l Σ F_i",
        source=Source("RES", "explainer", literal=True),
        given=[le(1, l), ordered, at_start, linear_jacobians],
        then=eq(g_l, g @ (ordered_product(i, 1, L - 1, W[i]) + D)),
        expected="refuted",
    ),
    Claim(
        "residual.scale_decay",
        title="Factors below 1 make the shortcut decay, factors above 1 make it grow",
        source=Source("RES", "§3"),
        given=[ordered],
        then=both(
            implies(small_scales, decays),
            implies(large_scales, grows),
        ),
    ),
    Claim(
        "residual.vanishing_iff",
        title="The gradient of residual units vanishes exactly at an eigenvalue −1 of D",
        source=Source("RES", "explainer"),
        given=[ordered, at_start, jacobians, at_start_1, jacobians_1],
        then=both(
            iff(vanishes, eigenvector),
            iff(scalar_vanishes, eq(D_1, -1)),
        ),
    ),
    Claim(
        "residual.relu_before_addition_monotone",
        title="Residuals that end in a ReLU make the state grow, entry by entry",
        source=Source("RES", "§4.1, explainer"),
        given=[ordered, units, nonnegative_residuals],
        then=forall(p, le(element(x[l], p, 1), element(x[L], p, 1)), over=(1, size(n))),
    ),
    Claim(
        "residual.post_activation_defect",
        title="What a ReLU after the addition adds to the unrolled sum, in each entry",
        source=Source("NEW"),
        given=[ordered, rectified_units],
        then=eq(defect, total(i, l, L - 1, greatest(0, -(s[i] + r[i])))),
    ),
    Claim(
        "residual.post_activation_unrolls_reading",
        title="Units with a ReLU after the addition unroll into a sum, in each entry",
        source=Source("RES"),
        given=[ordered, rectified_units],
        then=eq(s[L], s[l] + total(i, l, L - 1, r[i])),
        expected="refuted",
    ),
    Claim(
        "residual.post_norm_fixed_points",
        title="Layer norm leaves alone what has mean 0 and variance 1, and forgets scales",
        source=Source("NEW"),
        given=[le(2, size(n)), not_constant(state), lt(0, c)],
        then=both(
            iff(eq(LN, state), both(mean_zero, variance_one)),
            not_constant(scaled_state),
            eq(LN_scaled, LN),
        ),
    ),
    Claim(
        "residual.post_norm_is_identity_reading",
        title="A norm over layer or batch after the addition leaves an identity shortcut",
        source=Source("RES", "explainer"),
        given=[le(2, size(n)), not_constant(state)],
        then=eq(LN, state),
        expected="refuted",
    ),
    Claim(
        "residual.asymmetric_is_preactivation",
        title="An activation after the addition, on the residual path alone, is a pre-activation",
        source=Source("RES", "§4.1, eq. 9"),
        given=[asymmetric_units, renamed_states],
        then=forall(i, eq(x[i + 1], x[i] + layer(activation(x[i]), i)), over=(1, L)),
    ),
    Claim(
        "residual.delta_block_is_residual",
        title="The delta block is a residual unit: it unrolls into corrections β k (vᵀ − kᵀX)",
        source=Source("DDL", "§2.1"),
        given=[ordered, delta_blocks],
        then=eq(X[L], X[l] + total(i, l, L - 1, correction)),
    ),
)
