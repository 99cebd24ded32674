"""The family residual: gradients through shortcuts of 1, λ_i and W_i, and when they vanish.

GRADIENT, SCALED_GRADIENT, LINEAR_SHORTCUT, VANISHING_IFF  == the entries of true statements
SCALED_GRADIENT_PRINTED, SHORTCUT_GRADIENT_PRINTED == of gradients with the residuals alone
"""

from ...symbolic.claims import Claim, restate
from ...symbolic.derivations import (
    BothWays,
    Cases,
    Cited,
    Contradiction,
    Derivation,
    Exhibit,
    Have,
    Known,
    Obtain,
    Parts,
    Suppose,
    chain,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    as_expression,
    det,
    eye,
    ordered_product,
    total,
    vector,
    zeros,
)
from ...symbolic.propositions import (
    Proposition,
    both,
    either,
    eq,
    exists,
    forall,
    iff,
    le,
    ne,
)
from ...symbolic.residual import (
    D_1,
    D,
    D_linear,
    D_scaled,
    F,
    G,
    J,
    L,
    W,
    a,
    at_start,
    at_start_1,
    b,
    e,
    eigenvector,
    every_scale,
    every_shortcut,
    g,
    g_l,
    i,
    jacobians,
    jacobians_1,
    l,
    lam,
    later_shortcuts,
    linear_jacobians,
    linear_units,
    n,
    ordered,
    scalar_vanishes,
    scaled_jacobians,
    vanishes,
    x,
    y,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant
from .mutation import without
from .residual_induction import CLAIMS, PROVED, REFUTED, gradient, one, unrolled, unrolled_scaled


def repairs(printed: Claim, corrected: Proposition, plain: Proposition) -> tuple[Mutant, ...]:
    """What makes a printed gradient true; `plain` says that the shortcuts are the identity."""
    alone = forall(i, eq(J[i], zeros(n, n)), over=(1, L - 1))
    start, none = le(l, 1), le(L, l)
    return (
        Mutant("later factors before each residual", restate(printed, then=corrected)),
        Mutant("every shortcut is 1", restate(printed, given=[*printed.given, plain])),
        Mutant(
            "from the first layer, without residuals",
            restate(printed, given=[*printed.given, start, alone]),
        ),
        Mutant("no layer at all", restate(printed, given=[*printed.given, start, none])),
    )


# ---------------------------------------------------------------- residual.gradient

residual_gradient = CLAIMS["residual.gradient"]
GRADIENT = Entry(
    residual_gradient,
    (Kind.KERNEL, *PROVED),
    derivation=gradient(
        eq(G[L], G[l] + D), unrolled(G, J[i] @ G[i], ordered, jacobians), g @ (eye(n) + D)
    ),
    lemma="residual:gradient",
    mutants=(
        Mutant("without the shortcut", restate(residual_gradient, then=eq(g_l, g @ D))),
        Mutant("D is subtracted", restate(residual_gradient, then=eq(g_l, g @ (eye(n) - D)))),
        Mutant("twice D", restate(residual_gradient, then=eq(g_l, g @ (eye(n) + 2 * D)))),
        Mutant(
            "the Jacobians by their own inputs",
            restate(residual_gradient, then=eq(g_l, g @ (eye(n) + total(i, l, L - 1, J[i])))),
        ),
        Mutant("D is transposed", restate(residual_gradient, then=eq(g_l, g @ (eye(n) + D.T)))),
        Mutant("any start", without(residual_gradient, at_start)),
    ),
)


# ---------------------------------------------------------------- residual.scaled_gradient

scaled_gradient = CLAIMS["residual.scaled_gradient"]
scaled_result = g @ (every_scale * eye(n) + D_scaled)
SCALED_GRADIENT = Entry(
    scaled_gradient,
    (Kind.KERNEL, *PROVED),
    derivation=gradient(
        eq(G[L], every_scale * G[l] + D_scaled),
        unrolled_scaled(G, J[i] @ G[i], lam, ordered, scaled_jacobians),
        scaled_result,
    ),
    lemma="residual:scaled_gradient",
    mutants=(
        Mutant(
            "D of the residuals alone",
            restate(scaled_gradient, then=eq(g_l, g @ (every_scale * eye(n) + D))),
        ),
        Mutant(
            "the shortcut without factors",
            restate(scaled_gradient, then=eq(g_l, g @ (eye(n) + D_scaled))),
        ),
        Mutant("without the shortcut", restate(scaled_gradient, then=eq(g_l, g @ D_scaled))),
        Mutant(
            "D is transposed",
            restate(scaled_gradient, then=eq(g_l, g @ (every_scale * eye(n) + D_scaled.T))),
        ),
        Mutant("any start", without(scaled_gradient, at_start)),
    ),
)


# ---------------------------------------------------------------- residual.scaled_gradient_printed

scaled_gradient_printed = CLAIMS["residual.scaled_gradient_printed"]
SCALED_GRADIENT_PRINTED = Entry(
    scaled_gradient_printed,
    REFUTED,
    repaired_by="residual.scaled_gradient",
    mutants=repairs(
        scaled_gradient_printed,
        eq(g_l, scaled_result),
        forall(i, eq(lam[i], 1), over=(1, L - 1)),
    ),
)


# ---------------------------------------------------------------- residual.linear_shortcut

linear = CLAIMS["residual.linear_shortcut"]
linear_state, linear_gradient = linear.then.propositions
opposite_order = ordered_product(i, l, L - 1, W[i].T).T
LINEAR_SHORTCUT = Entry(
    linear,
    (Kind.KERNEL, *PROVED),
    derivation=Parts(
        (
            unrolled_scaled(x, F[i], W, ordered, linear_units, linear_jacobians),
            gradient(
                eq(G[L], every_shortcut @ G[l] + D_linear),
                unrolled_scaled(G, J[i] @ G[i], W, ordered, linear_units, linear_jacobians),
                g @ (every_shortcut + D_linear),
            ),
        )
    ),
    lemma="residual:linear_shortcut",
    mutants=(
        Mutant(
            "the shortcuts in the opposite order",
            restate(
                linear,
                then=both(
                    eq(
                        x[L],
                        opposite_order @ x[l] + total(i, l, L - 1, later_shortcuts @ F[i]),
                    ),
                    linear_gradient,
                ),
            ),
        ),
        Mutant(
            "the residuals alone",
            restate(
                linear,
                then=both(
                    eq(x[L], every_shortcut @ x[l] + total(i, l, L - 1, F[i])), linear_gradient
                ),
            ),
        ),
        Mutant(
            "D of the residuals alone",
            restate(linear, then=both(linear_state, eq(g_l, g @ (every_shortcut + D)))),
        ),
        Mutant(
            "the gradient without the shortcut",
            restate(linear, then=both(linear_state, eq(g_l, g @ D_linear))),
        ),
        Mutant("any start", without(linear, at_start)),
    ),
)


# ---------------------------------------------------------------- …shortcut_gradient_printed

shortcut_printed = CLAIMS["residual.shortcut_gradient_printed"]
SHORTCUT_GRADIENT_PRINTED = Entry(
    shortcut_printed,
    REFUTED,
    repaired_by="residual.linear_shortcut",
    mutants=repairs(
        shortcut_printed,
        linear_gradient,
        forall(i, eq(W[i], eye(n)), over=(1, L - 1)),
    ),
)


# ---------------------------------------------------------------- residual.vanishing_iff

vanishing_iff = CLAIMS["residual.vanishing_iff"]
general, single = vanishing_iff.then.propositions
row, column, w = zeros(1, n), zeros(n, 1), vector("w", n)
whole = eye(n) + D
jacobian = eq(G[L], eye(n) + D)
kernel = exists(y, both(ne(y, column), eq(whole @ y, column)))
cokernel = exists(w, both(ne(w, column), eq(whole.T @ w, column)))
null, jacobian_1 = eq(det(whole), 0), eq(b[L], 1 + D_1)
MINUS_ONE = as_expression(-1)


def transposed(node: Expression, zero: Expression, flat: Expression) -> Derivation:
    """The transpose of a vector that is not 0 is not 0."""
    back = chain(node, step(zero, "transposed twice", eq(node.T, flat)))
    return Suppose(Contradiction(ne(node, zero), back))


VANISHING_IFF = Entry(
    vanishing_iff,
    (
        Kind.KERNEL,
        Kind.DERIVATION,
    ),  # of quantifiers on both sides numbers decide nothing
    derivation=Parts(
        (
            Have(
                eq(G[L], G[l] + D),
                unrolled(G, J[i] @ G[i], ordered, jacobians, jacobians_1),
                Have(
                    jacobian,
                    chain(
                        G[L],
                        step(whole, "from G_l = I", eq(G[L], G[l] + D), at_start),
                    ),
                    BothWays(
                        forward=Obtain(
                            vanishes,
                            Have(
                                ne(g.T, column),
                                transposed(g, row, column),
                                Have(
                                    eq(whole.T @ g.T, column),
                                    chain(
                                        whole.T @ g.T,
                                        step((g @ G[L]).T, "the Jacobian", jacobian),
                                        step(column, "the gradient vanishes", eq(g_l, row)),
                                    ),
                                    Have(
                                        null,
                                        chain(
                                            det(whole),
                                            step(
                                                det(whole.T),
                                                "a transpose has the same determinant",
                                                instance("determinant_of_transpose", whole),
                                            ),
                                            step(
                                                0,
                                                "it takes gᵀ ≠ 0 to 0",
                                                instance("kernel_singular", whole.T, g.T),
                                            ),
                                        ),
                                        Have(
                                            kernel,
                                            Cited(instance("singular_kernel", whole, y)),
                                            Obtain(
                                                kernel,
                                                Exhibit(
                                                    y,
                                                    Parts(
                                                        (
                                                            Known(),
                                                            chain(
                                                                D @ y,
                                                                step(
                                                                    whole @ y - y,
                                                                    "add and subtract y",
                                                                ),
                                                                step(
                                                                    -y,
                                                                    "y is in the kernel",
                                                                    eq(whole @ y, column),
                                                                ),
                                                            ),
                                                        )
                                                    ),
                                                ),
                                            ),
                                        ),
                                    ),
                                ),
                            ),
                        ),
                        backward=Obtain(
                            eigenvector,
                            Have(
                                eq(whole @ y, column),
                                chain(
                                    whole @ y,
                                    step(y + D @ y, "multiply out"),
                                    step(y - y, "an eigenvector", eq(D @ y, -y)),
                                    step(column, "y − y = 0"),
                                ),
                                Have(
                                    eq(det(whole.T), 0),
                                    chain(
                                        det(whole.T),
                                        step(
                                            det(whole),
                                            "a transpose has the same determinant",
                                            instance("determinant_of_transpose", whole),
                                        ),
                                        step(
                                            0,
                                            "it takes y ≠ 0 to 0",
                                            instance("kernel_singular", whole, y),
                                        ),
                                    ),
                                    Have(
                                        cokernel,
                                        Cited(instance("singular_kernel", whole.T, w)),
                                        Obtain(
                                            cokernel,
                                            Exhibit(
                                                w.T,
                                                Parts(
                                                    (
                                                        transposed(w, column, row),
                                                        chain(
                                                            w.T @ G[L],
                                                            step(
                                                                (whole.T @ w).T,
                                                                "the Jacobian",
                                                                jacobian,
                                                            ),
                                                            step(
                                                                row,
                                                                "w is in the kernel",
                                                                eq(whole.T @ w, column),
                                                            ),
                                                        ),
                                                    )
                                                ),
                                            ),
                                        ),
                                    ),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
            Have(
                eq(b[L], b[l] + D_1),
                unrolled(b, a[i] * b[i], ordered, jacobians, jacobians_1),
                Have(
                    jacobian_1,
                    chain(
                        b[L],
                        step(1 + D_1, "from b_l = 1", eq(b[L], b[l] + D_1), at_start_1),
                    ),
                    BothWays(
                        forward=Obtain(
                            scalar_vanishes,
                            Have(
                                either(eq(e, 0), eq(D_1, -1)),
                                Have(
                                    eq((e - 0) * (D_1 - MINUS_ONE), 0),
                                    chain(
                                        (e - 0) * (D_1 - MINUS_ONE),
                                        step(e * b[L], "the Jacobian", jacobian_1),
                                        step(0, "the gradient vanishes", eq(e * b[L], 0)),
                                    ),
                                    Cited(instance("zero_product", eq(e, 0), eq(D_1, -1))),
                                ),
                                Cases(
                                    either(eq(e, 0), eq(D_1, -1)),
                                    (Contradiction(ne(e, 0), Known()), Known()),
                                ),
                            ),
                        ),
                        backward=Exhibit(
                            one,
                            Parts(
                                (
                                    Suppose(Known()),
                                    chain(
                                        one * b[L],
                                        step(one * (1 + D_1), "the Jacobian", jacobian_1),
                                        step(0, "D = −1", eq(D_1, -1)),
                                    ),
                                )
                            ),
                        ),
                    ),
                ),
            ),
        )
    ),
    lemma="residual:vanishing_iff",
    mutants=(
        Mutant(
            "every gradient vanishes",
            restate(
                vanishing_iff,
                then=both(iff(forall(g, eq(g_l, row)), eigenvector), single),
            ),
        ),
        Mutant(
            "every vector is an eigenvector",
            restate(
                vanishing_iff,
                then=both(iff(vanishes, forall(y, eq(D @ y, -y))), single),
            ),
        ),
        Mutant(
            "at an eigenvalue 0",
            restate(vanishing_iff, then=both(iff(vanishes, eq(det(D), 0)), single)),
        ),
        Mutant(
            "at an eigenvalue 1",
            restate(vanishing_iff, then=both(iff(vanishes, eq(det(eye(n) - D), 0)), single)),
        ),
        Mutant(
            "at the slope 1",
            restate(vanishing_iff, then=both(general, iff(scalar_vanishes, eq(D_1, 1)))),
        ),
        Mutant(
            "at the slope −1 of the residuals, each in its own state",
            restate(
                vanishing_iff,
                then=both(general, iff(scalar_vanishes, eq(total(i, l, L - 1, a[i]), -1))),
            ),
        ),
        Mutant(
            "at an eigenvalue −1, by the determinant",
            restate(vanishing_iff, then=both(iff(vanishes, eq(det(whole), 0)), single)),
            stays_true=True,
        ),
    ),
)
