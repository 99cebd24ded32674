"""The family cayley, generators of rank two: derivations, operators and mutants.

CUBE, CLOSED_FORM, FIXES_COMPLEMENT, ANGLE == W³ = −ω² W and what follows from it
DISTANCE_TO_MINUS_ONE, IDENTITY_AT_ZERO    == how far Q is from −I, when it is I
COVERS_ROTATIONS_READING                   == what one rotation of rank two does not reach
DERIVATIVE_IN_BETA                         == the derivative in the gate
"""

from fractions import Fraction

from ...symbolic import cayley as statements
from ...symbolic.cayley import (
    Q_2,
    R,
    W,
    a,
    b,
    beta,
    cayley,
    closed_form,
    cosine,
    dependent,
    distance,
    distance_behind,
    n,
    omega_squared,
    s,
    theta,
    u,
    v,
    x,
)
from ...symbolic.claims import restate
from ...symbolic.counterproofs import Counterproof
from ...symbolic.derivations import (
    Arbitrary,
    Assume,
    AtMost,
    BothWays,
    Cases,
    Choose,
    Cited,
    Contradiction,
    Derivation,
    Exhibit,
    Known,
    Linear,
    Obtain,
    Parts,
    Suppose,
    TrivialKernel,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    Literal,
    absolute,
    constant,
    derivative,
    det,
    elementary,
    entry,
    eye,
    inv,
    matrix,
    named,
    norm,
    ones,
    rank,
    scalar,
    size,
    sqrt,
    tr,
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
    implies,
    invertible,
    le,
    lt,
    ne,
    smallest_singular_value_is,
    tends_to,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant, Operator, kinds_but
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
OPERATOR = {"Q": Operator("cayley:cayley_rank_two", ("u", "v", "beta"))}

I = eye(n)
zero, zero_matrix = zeros(n, 1), zeros(n, n)
S = s * W
plus, minus = I + S, I - S
inverse = inv(plus)
cancels_left, cancels_right = instance("left_inverse", plus), instance("right_inverse", plus)
stretch_squared = 1 + s**2 * omega_squared


def squared(vector: Expression) -> Expression:
    """‖a‖² as aᵀa."""
    return entry(vector.T @ vector)


def visibly(value: Expression) -> AtMost:
    """Proves 0 ≤ value, or 0 < value, by its form and what is known."""
    return AtMost(chain(value - 0, step(value, "c − 0 = c")))


def not_negative(value: Expression):
    """The line 0 ≤ value, by its form."""
    return (le(0, value), visibly(value))


def decided(fact):
    """The line that an equation holds or does not."""
    return cited(either(fact, ne(fact.left, fact.right)), "dichotomy", fact)


def either_way(fact):
    """An equation holds, or it does not."""
    return either(fact, ne(fact.left, fact.right))


# ---------------------------------------------------------------- cayley.rank_two_cube

cube_claim = CLAIMS["cayley.rank_two_cube"]
of_cube = chain(
    W @ W @ W,
    step(
        W
        @ (
            entry(u.T @ v) * (u @ v.T + v @ u.T)
            - entry(v.T @ v) * (u @ u.T)
            - entry(u.T @ u) * (v @ v.T)
        ),
        "multiply out W²: vᵀu is a number",
    ),
    step(-omega_squared * W, "and once more"),
)
CUBE = Entry(
    cube_claim,
    kinds_but(Kind.TORCH),
    derivation=of_cube,
    mutants=(
        Mutant("the sign", restate(cube_claim, then=eq(W @ W @ W, omega_squared * W))),
        Mutant(
            "ω² = ‖u‖² ‖v‖²",
            restate(cube_claim, then=eq(W @ W @ W, -(entry(u.T @ u) * entry(v.T @ v)) * W)),
        ),
        Mutant("W² = −ω² I", restate(cube_claim, then=eq(W @ W, -omega_squared * I))),
        Mutant("W³ = −ω⁴ W", restate(cube_claim, then=eq(W @ W @ W, -(omega_squared**2) * W))),
        Mutant(
            "both sides times W",
            restate(cube_claim, then=eq(W @ W @ W @ W, -omega_squared * (W @ W))),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- cayley.rank_two_closed_form

closed_claim = CLAIMS["cayley.rank_two_closed_form"]
in_closed_form = eq(Q_2, closed_form)
factor = 2 * s / stretch_squared
of_closed_form = chain(
    Q_2,
    step(
        inverse @ plus @ closed_form,
        "(I + sW) times the closed form is I − sW, since W³ = −ω² W",
    ),
    step(closed_form, "(I + sW)⁻¹ (I + sW) = I", cancels_left),
)


def _closed(body: Expression):
    """The statement with another closed form."""
    return restate(closed_claim, then=eq(Q_2, body))


CLOSED_FORM = Entry(
    closed_claim,
    kinds_but(),
    derivation=of_closed_form,
    operators=OPERATOR,
    mutants=(
        Mutant("W + sW²", _closed(I - factor * (W + s * (W @ W)))),
        Mutant("W − W²", _closed(I - factor * (W - W @ W))),
        Mutant("s in place of 2s", _closed(I - factor / 2 * (W - s * (W @ W)))),
        Mutant("the inverse of the rotation", _closed(I + factor * (W + s * (W @ W)))),
        Mutant(
            "ω² = ‖u‖² ‖v‖²",
            _closed(I - 2 * s / (1 + s**2 * (entry(u.T @ u) * entry(v.T @ v))) * (W - s * (W @ W))),
        ),
        Mutant(
            "W and s swap signs",
            _closed(I + factor * (-W + s * (W @ W))),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- cayley.rank_two_fixes_complement

fixes_claim = CLAIMS["cayley.rank_two_fixes_complement"]
off_u, off_v = fixes_claim.given
FIXES_COMPLEMENT = Entry(
    fixes_claim,
    kinds_but(),
    derivation=chain(
        Q_2 @ x,
        step(inverse @ x, "W x = u (vᵀx) − v (uᵀx) = 0", off_u, off_v),
        step(inverse @ plus @ x, "and so (I + sW) x = x", off_u, off_v),
        step(x, "(I + sW)⁻¹ (I + sW) = I", cancels_left),
    ),
    operators=OPERATOR,
    mutants=(
        Mutant("x ⊥ v alone", without(fixes_claim, off_u)),
        Mutant("x ⊥ u alone", without(fixes_claim, off_v)),
        Mutant("x is negated", restate(fixes_claim, then=eq(Q_2 @ x, -x))),
        Mutant("x is doubled", restate(fixes_claim, then=eq(Q_2 @ x, 2 * x))),
        Mutant("Qᵀ", restate(fixes_claim, then=eq(Q_2.T @ x, x)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.rank_two_angle

angle_claim = CLAIMS["cayley.rank_two_angle"]
tangent = s * sqrt(omega_squared)
cos_theta = elementary("cos", theta)
trace_of_closed_form = size(n) - 4 * s**2 * omega_squared / stretch_squared


def _angle(trace: Expression, cos: Expression = cosine):
    """The statement for another trace, or another cosine."""
    return restate(angle_claim, then=both(eq(tr(Q_2), trace), eq(cos_theta, cos)))


ANGLE = Entry(
    angle_claim,
    kinds_but(Kind.CERTIFICATE),
    derivation=lines(
        not_negative(omega_squared),
        (in_closed_form, of_closed_form),
        (
            eq(cos_theta, cosine),
            chain(
                cos_theta,
                step(
                    (1 - tangent**2) / (1 + tangent**2),
                    "the cosine of twice an arctangent",
                    instance("double_arctan", tangent),
                ),
                step(cosine, "(√ω²)² = ω²", instance("root_squared", omega_squared)),
            ),
        ),
        last=Parts(
            (
                chain(
                    tr(Q_2),
                    step(tr(closed_form), "the closed form", in_closed_form),
                    step(trace_of_closed_form, "tr I = n, tr W = 0 and tr W² = −2ω²"),
                    step(size(n) - 2 + 2 * cosine, "collect"),
                    step(size(n) - 2 + 2 * cos_theta, "cos θ", eq(cos_theta, cosine)),
                ),
                Known(),
            )
        ),
    ),
    lemma="cayley_angle:rank_two_angle",
    operators=OPERATOR,
    mutants=(
        Mutant("n − 1 in place of n − 2", _angle(size(n) - 1 + 2 * cos_theta)),
        Mutant("one cosine", _angle(size(n) - 2 + cos_theta)),
        Mutant("the cosine's sign", _angle(size(n) - 2 - 2 * cos_theta)),
        Mutant("a cosine of (s²ω² − 1)/(1 + s²ω²)", _angle(size(n) - 2 + 2 * cos_theta, -cosine)),
        Mutant(
            "the trace of Qᵀ",
            restate(
                angle_claim,
                then=both(eq(tr(Q_2.T), size(n) - 2 + 2 * cos_theta), eq(cos_theta, cosine)),
            ),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- cayley.distance_to_minus_one

distance_claim = CLAIMS["cayley.distance_to_minus_one"]
g = scalar("g")  # the stretch, 2/√(1 + s²ω²), as a number with g² (1 + s²ω²) = 4
y = vector("y", n)
M = I + Q_2
twice = eq(M, 2 * inverse)
of_twice = chain(
    M,
    step(inverse @ plus + Q_2, "(I + sW)⁻¹ (I + sW) = I", cancels_left),
    step(2 * inverse, "(I + sW) + (I − sW) = 2I"),
)
g_squared, g_not_negative = eq(g**2 * stretch_squared, 4), le(0, g)

# ‖W y‖ ≤ ω ‖y‖
shortfall = omega_squared * squared(y) - squared(W @ y)
wwy = W @ (W @ y)
combined = wwy + omega_squared * y
flat = eq(omega_squared, 0)
never_longer = forall(y, le(0, shortfall))
of_never_longer = Arbitrary(
    lines(
        not_negative(omega_squared),
        decided(flat),
        last=Cases(
            either_way(flat),
            (
                lines(
                    (
                        eq(wwy.T @ wwy, zeros(1, 1)),
                        chain(
                            wwy.T @ wwy,
                            step(omega_squared * ((W @ y).T @ (W @ y)), "W⁴ = −ω² W² and Wᵀ = −W"),
                            step(zeros(1, 1), "ω² = 0", flat),
                        ),
                    ),
                    cited(eq(wwy, zero), "zero_square_sum", wwy),
                    last=AtMost(
                        chain(
                            shortfall - 0,
                            step(omega_squared * squared(y) + entry(y.T @ wwy), "Wᵀ = −W"),
                            step(0, "ω² = 0 and W² y = 0", flat, eq(wwy, zero)),
                        )
                    ),
                ),
                lines(
                    (
                        lt(0, omega_squared),
                        Suppose(
                            Contradiction(
                                ne(omega_squared, 0),
                                Linear((le(0, omega_squared), le(omega_squared, 0))),
                            )
                        ),
                    ),
                    (
                        eq(omega_squared * shortfall, squared(combined)),
                        chain(
                            omega_squared * shortfall,
                            step(
                                squared(combined),
                                "(W² + ω² I)² = ω² (W² + ω² I), since W³ = −ω² W",
                            ),
                        ),
                    ),
                    not_negative(squared(combined)),
                    last=Suppose(
                        lines(
                            (lt(0, -shortfall), Linear((lt(shortfall, 0),))),
                            cited(
                                lt(0, omega_squared * -shortfall),
                                "positive_product",
                                omega_squared,
                                -shortfall,
                            ),
                            last=Linear(
                                (
                                    lt(0, omega_squared * -shortfall),
                                    eq(omega_squared * shortfall, squared(combined)),
                                    le(0, squared(combined)),
                                )
                            ),
                        )
                    ),
                ),
            ),
        ),
    )
)


def scaled_norm(factor: Expression, vector: Expression):
    """The line ‖g a‖ = g ‖a‖, where 0 ≤ g is known."""
    return (
        eq(norm(factor * vector), factor * norm(vector)),
        chain(
            norm(factor * vector),
            step(
                absolute(factor) * norm(vector),
                "‖g a‖ = |g| ‖a‖",
                instance("norm_of_multiple", factor, vector),
            ),
            step(factor * norm(vector), "g ≥ 0", instance("absolute_of_nonnegative", factor)),
        ),
    )


# ‖(I + Q) x‖ ≥ g ‖x‖: first for x = (I + sW) y, with (I + Q) x = 2y
image, preimage = 2 * y, plus @ y
stretched = squared(g * preimage)
longer = stretched - squared(image)
gap = eq(stretch_squared * longer, -4 * (s**2 * shortfall))
within = le(stretched, Literal(1) ** 2 * squared(image))
at_preimages = forall(y, le(g * norm(preimage), norm(image)))
of_preimages = Arbitrary(
    lines(
        cited(le(0, shortfall), "instantiate", never_longer, y),
        not_negative(s**2),
        cited(le(0, s**2 * shortfall), "nonnegative_product", s**2, shortfall),
        (lt(0, stretch_squared), visibly(stretch_squared)),
        (
            gap,
            chain(
                stretch_squared * longer,
                step(
                    4 * squared(preimage) - stretch_squared * squared(image),
                    "g² (1 + s² ω²) = 4",
                    g_squared,
                ),
                step(
                    -4 * (s**2 * shortfall),
                    "‖(I + sW) y‖² = ‖y‖² + s² ‖W y‖², since Wᵀ = −W",
                ),
            ),
        ),
        (
            within,
            Suppose(
                lines(
                    (lt(0, longer), Linear((lt(Literal(1) ** 2 * squared(image), stretched),))),
                    cited(
                        lt(0, stretch_squared * longer),
                        "positive_product",
                        stretch_squared,
                        longer,
                    ),
                    last=Linear((lt(0, stretch_squared * longer), gap, le(0, s**2 * shortfall))),
                )
            ),
        ),
        (le(0, Literal(1)), Linear(())),
        cited(
            le(norm(g * preimage), Literal(1) * norm(image)),
            "smaller_norm",
            g * preimage,
            1,
            image,
        ),
        scaled_norm(g, preimage),
        last=Linear(
            (
                le(norm(g * preimage), Literal(1) * norm(image)),
                eq(norm(g * preimage), g * norm(preimage)),
            )
        ),
    )
)
pulled_back = inverse @ x
pushed = plus @ pulled_back
at_least = forall(x, le(g * norm(x), norm(M @ x)))
of_at_least = Arbitrary(
    lines(
        cited(
            le(g * norm(pushed), norm(2 * pulled_back)), "instantiate", at_preimages, pulled_back
        ),
        (
            eq(pushed, x),
            chain(
                pushed,
                step(plus @ inverse @ x, "products may be bracketed at will"),
                step(x, "(I + sW) (I + sW)⁻¹ = I", cancels_right),
            ),
        ),
        (
            eq(g * norm(pushed), g * norm(x)),
            chain(g * norm(pushed), step(g * norm(x), "the same vector", eq(pushed, x))),
        ),
        (
            eq(norm(M @ x), norm(2 * pulled_back)),
            chain(norm(M @ x), step(norm(2 * pulled_back), "I + Q = 2 (I + sW)⁻¹", twice)),
        ),
        last=Linear(
            (
                le(g * norm(pushed), norm(2 * pulled_back)),
                eq(g * norm(pushed), g * norm(x)),
                eq(norm(M @ x), norm(2 * pulled_back)),
            )
        ),
    )
)
premise = both(g_not_negative, g_squared)
every_stretch = forall(g, implies(premise, at_least))
of_every_stretch = Arbitrary(Assume(lines((at_preimages, of_preimages), last=of_at_least)))

at_distance = both(le(0, distance), eq(distance**2 * stretch_squared, 4))
bounded = forall(x, le(distance * norm(x), norm(M @ x)))
bound_follows = implies(at_distance, bounded)


def attained_at(direction: Expression, why: str, *using: Proposition) -> Derivation:
    """Proves that some x attains the bound: (I + sW) y, where ‖W y‖ = ω ‖y‖ and y ≠ 0."""
    start = plus @ direction
    scaled = distance * start
    doubled = eq(M @ start, 2 * direction)
    same_length = eq((M @ start).T @ (M @ start), scaled.T @ scaled)
    direction_square = direction.T @ direction
    return Exhibit(
        start,
        lines(
            (
                doubled,
                chain(
                    M @ start,
                    step(2 * (inverse @ plus @ direction), "I + Q = 2 (I + sW)⁻¹", twice),
                    step(2 * direction, "(I + sW)⁻¹ (I + sW) = I", cancels_left),
                ),
            ),
            (
                same_length,
                chain(
                    same_length.left,
                    step(4 * direction_square, "(I + Q) (I + sW) y = 2y", doubled),
                    step(
                        distance**2 * stretch_squared * direction_square,
                        "g² (1 + s² ω²) = 4",
                        at_distance.parts[1],
                    ),
                    step(
                        distance**2 * (direction_square + s**2 * (squared(W @ direction) * eye(1))),
                        f"‖W y‖² = ω² ‖y‖²: {why}",
                        *using,
                    ),
                    step(same_length.right, "Wᵀ = −W"),
                ),
            ),
            cited(eq(norm(M @ start), norm(scaled)), "equal_norms", M @ start, scaled),
            scaled_norm(distance, start),
            last=Parts(
                (
                    Suppose(
                        Contradiction(
                            ne(direction, zero),
                            chain(
                                direction,
                                step(
                                    Fraction(1, 2) * (M @ start),
                                    "(I + Q) (I + sW) y = 2y",
                                    doubled,
                                ),
                                step(zero, "(I + sW) y = 0", eq(start, zero)),
                            ),
                        )
                    ),
                    chain(
                        norm(M @ start),
                        step(norm(scaled), "equal squares", eq(norm(M @ start), norm(scaled))),
                        step(
                            distance * norm(start),
                            "g ≥ 0",
                            eq(norm(scaled), distance * norm(start)),
                        ),
                    ),
                )
            ),
        ),
    )


u_is_zero = eq(u, zero)
attained = lines(
    decided(u_is_zero),
    last=Cases(
        either_way(u_is_zero),
        (
            lines(
                cited(ne(ones(n), zero), "ones_differ_from_zero", n),
                last=attained_at(ones(n), "u = 0", u_is_zero),
            ),
            attained_at(u, "W u = u (vᵀu) − v (uᵀu)"),
        ),
    ),
)

r = scalar("r")


def limit(of_beta: Expression, at_r: Expression) -> Derivation:
    """Proves that 2/√(1 + (β/2)²ω²), or the same for −β, tends to 0."""
    below = 1 + at_r**2 * omega_squared
    at_gate = 2 / sqrt(below)
    shrinks = both(le(0, of_beta), le(omega_squared / 16 * beta**2 * of_beta**2, 1))
    return lines(
        (
            forall(beta, implies(lt(0, beta), shrinks)),
            Arbitrary(
                Assume(
                    Parts(
                        (
                            visibly(at_gate),
                            lines(
                                not_negative(below),
                                last=AtMost(
                                    chain(
                                        1 - omega_squared / 16 * r**2 * at_gate**2,
                                        step(
                                            1 / below,
                                            "the root, squared",
                                            instance("root_squared", below),
                                        ),
                                    )
                                ),
                            ),
                        )
                    )
                ),
                symbol=r,
            ),
        ),
        last=Cited(instance("vanishing", omega_squared / 16, of_beta, beta)),
    )


limits = Assume(
    lines(
        not_negative(omega_squared),
        (
            lt(0, omega_squared),
            Suppose(
                Contradiction(
                    ne(omega_squared, 0), Linear((le(0, omega_squared), le(omega_squared, 0)))
                )
            ),
        ),
        (lt(0, omega_squared / 16), Linear((lt(0, omega_squared),))),
        last=Parts((limit(distance, r / 2), limit(distance_behind, -r / 2))),
    )
)


def _distance(value: Expression, body: Expression = M):
    """The statement for another smallest singular value, or that of another matrix."""
    both_ways = both(
        tends_to(distance, 0, variable=beta), tends_to(distance_behind, 0, variable=beta)
    )
    return restate(
        distance_claim,
        then=both(
            smallest_singular_value_is(body, value),
            lt(0, distance),
            implies(ne(omega_squared, 0), both_ways),
        ),
    )


DISTANCE_TO_MINUS_ONE = Entry(
    distance_claim,
    (
        Kind.KERNEL,
        Kind.DERIVATION,
    ),  # numbers do not decide limits
    derivation=lines(
        (never_longer, of_never_longer),
        (twice, of_twice),
        not_negative(stretch_squared),
        not_negative(distance),
        (lt(0, distance), visibly(distance)),
        (
            at_distance.parts[1],
            chain(
                distance**2 * stretch_squared,
                step(4, "(√c)² = c", instance("root_squared", stretch_squared)),
            ),
        ),
        (every_stretch, of_every_stretch),
        (at_distance, Parts((Known(), Known()))),
        cited(bound_follows, "instantiate", every_stretch, distance),
        cited(bounded, "modus_ponens", bound_follows),
        last=Parts((Parts((Known(), Known(), attained)), Known(), limits)),
    ),
    lemma="cayley:distance_to_minus_one",
    mutants=(
        Mutant("1/√(1 + s²ω²)", _distance(distance / 2)),
        Mutant("2/(1 + s²ω²)", _distance(2 / stretch_squared)),
        Mutant("2 for every gate", _distance(Literal(2))),
        Mutant("of Q", _distance(distance, Q_2)),
        Mutant("of I − Q", _distance(distance, I - Q_2)),
        Mutant("of I + Qᵀ", _distance(distance, I + Q_2.T), stays_true=True),
    ),
)


# ------------------------------------------------------ cayley.rank_two_covers_rotations_reading

covers_claim = CLAIMS["cayley.rank_two_covers_rotations_reading"]
two_turns = constant([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, -1], [0, 0, 1, 0]])
u_4, v_4, x_4 = (vector(name, 4) for name in "uvx")
I_4 = eye(4)
S_4 = beta / 2 * (u_4 @ v_4.T - v_4 @ u_4.T)
inverse_4 = inv(I_4 + S_4)
Q_4 = inverse_4 @ (I_4 - S_4)
difference = two_turns - I_4
reached = eq(Q_4, two_turns)
columns = (-beta * (inverse_4 @ u_4), beta * (inverse_4 @ v_4))
of_rank_two = columns[0] @ v_4.T + columns[1] @ u_4.T
opposite = eq(two_turns.T, -two_turns)
R_2 = matrix("R", 2, 2)
u_2, v_2 = vector("u", 2), vector("v", 2)
S_2 = beta / 2 * (u_2 @ v_2.T - v_2 @ u_2.T)
planar = named("Q", inv(eye(2) + S_2) @ (eye(2) - S_2))


def some_rank_two(statement: Proposition, first=u, second=v) -> Proposition:
    """For some u, v and β."""
    return exists(first, exists(second, exists(beta, statement)))


COVERS_ROTATIONS_READING = Entry(
    covers_claim,
    (Kind.COUNTERPROOF,),
    counterproof=Counterproof(
        sizes={"n": 4},
        instance={"R": two_turns},
        because=Arbitrary(
            Arbitrary(
                Arbitrary(
                    Suppose(
                        lines(
                            (
                                eq(difference, of_rank_two),
                                chain(
                                    difference,
                                    step(Q_4 - I_4, "R is such a rotation", reached),
                                    step(
                                        Q_4 - inverse_4 @ (I_4 + S_4),
                                        "(I + sW)⁻¹ (I + sW) = I",
                                        instance("left_inverse", I_4 + S_4),
                                    ),
                                    step(of_rank_two, "what is left has the factor W"),
                                ),
                            ),
                            cited(
                                le(rank(of_rank_two), 2),
                                "rank_of_outer_products",
                                (columns[0], v_4),
                                (columns[1], u_4),
                            ),
                            (
                                opposite,
                                chain(two_turns.T, step(-two_turns, "two quarter turns")),
                            ),
                            (
                                invertible(difference),
                                TrivialKernel(
                                    x_4,
                                    chain(
                                        x_4,
                                        step(
                                            Fraction(1, 2) * (difference.T @ (difference @ x_4)),
                                            "(R − I)ᵀ (R − I) = 2I, since Rᵀ = −R",
                                            eq(two_turns.T @ two_turns, I_4),
                                            opposite,
                                        ),
                                        step(
                                            zeros(4, 1),
                                            "(R − I) x = 0",
                                            eq(difference @ x_4, zeros(4, 1)),
                                        ),
                                    ),
                                ),
                            ),
                            cited(eq(rank(difference), size(4)), "rank_of_invertible", difference),
                            (
                                eq(rank(difference), rank(of_rank_two)),
                                chain(
                                    rank(difference),
                                    step(
                                        rank(of_rank_two),
                                        "the same matrix",
                                        eq(difference, of_rank_two),
                                    ),
                                ),
                            ),
                            last=Linear(
                                (
                                    le(rank(of_rank_two), 2),
                                    eq(rank(difference), size(4)),
                                    eq(rank(difference), rank(of_rank_two)),
                                )
                            ),
                        )
                    )
                )
            )
        ),
    ),
    repaired_by="cayley.image",
    mutants=(
        Mutant(
            "in the plane",
            restate(
                covers_claim,
                given=[
                    eq(R_2.T @ R_2, eye(2)),
                    eq(det(R_2), 1),
                    invertible(eye(2) + R_2),
                ],
                then=some_rank_two(eq(planar, R_2), u_2, v_2),
            ),
        ),
        Mutant(
            "of rotations of rank two",
            restate(covers_claim, given=[*covers_claim.given, eq(R, Q_2)]),
        ),
        Mutant(
            "some such rotation has the determinant of R",
            restate(covers_claim, then=some_rank_two(eq(det(Q_2), det(R)))),
        ),
        Mutant(
            "some such rotation has the Gram matrix of R",
            restate(covers_claim, then=some_rank_two(eq(Q_2.T @ Q_2, R.T @ R))),
        ),
    ),
)


# ---------------------------------------------------------------- cayley.derivative_in_beta

derivative_claim = CLAIMS["cayley.derivative_in_beta"]
half = Fraction(1, 2)


def _slope(value: Expression):
    """The statement for another derivative."""
    return restate(derivative_claim, then=eq(derivative(Q_2, beta), value))


DERIVATIVE_IN_BETA = Entry(
    derivative_claim,
    (Kind.KERNEL, Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=chain(
        derivative(Q_2, beta),
        step(
            -half * (inverse @ W @ Q_2) - half * (inverse @ W),
            "the product rule, and the derivative of an inverse, −M⁻¹ M' M⁻¹",
        ),
        step(-half * (inverse @ W @ (I + Q_2)), "collect"),
    ),
    lemma="cayley_slope:derivative_in_beta",
    mutants=(
        Mutant("the sign", _slope(half * (inverse @ W @ (I + Q_2)))),
        Mutant("without the factor ½", _slope(-(inverse @ W @ (I + Q_2)))),
        Mutant("I − Q", _slope(-half * (inverse @ W @ (I - Q_2)))),
        Mutant("without I", _slope(-half * (inverse @ W @ Q_2))),
        Mutant("W last", _slope(-half * (inverse @ (I + Q_2) @ W)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.identity_at_zero

identity_claim = CLAIMS["cayley.identity_at_zero"]
is_identity, closed_gate = eq(Q_2, I), eq(beta, 0)
no_generator = eq(W, zero_matrix)
scaled_away = eq(beta * W, zero_matrix)
combination = eq(a * u + b * v, zero)
coefficients = either(ne(a, 0), ne(b, 0))
some_b = exists(b, both(coefficients, combination))
one, nought = Literal(1), Literal(0)
across, length = entry(v.T @ u), entry(u.T @ u)
then_dependent = lines(
    (
        scaled_away,
        chain(
            beta * W,
            step(plus - minus, "(I + sW) − (I − sW) = βW"),
            step(plus - plus @ inverse @ minus, "(I + sW) (I + sW)⁻¹ = I", cancels_right),
            step(plus - plus @ Q_2, "Q = (I + sW)⁻¹ (I − sW)"),
            step(zero_matrix, "Q = I", is_identity),
        ),
    ),
    decided(closed_gate),
    last=Cases(
        either_way(closed_gate),
        (
            Choose(0, Known()),
            Choose(
                1,
                lines(
                    (
                        no_generator,
                        chain(
                            W,
                            step(1 / beta * (beta * W), "β ≠ 0"),
                            step(zero_matrix, "βW = 0", scaled_away),
                        ),
                    ),
                    decided(u_is_zero),
                    last=Cases(
                        either_way(u_is_zero),
                        (
                            Exhibit(
                                one,
                                Exhibit(
                                    nought,
                                    Parts(
                                        (
                                            Choose(0, Suppose(Known())),
                                            chain(
                                                one * u + nought * v,
                                                step(zero, "u = 0", u_is_zero),
                                            ),
                                        )
                                    ),
                                ),
                            ),
                            Exhibit(
                                across,
                                Exhibit(
                                    -length,
                                    Parts(
                                        (
                                            Choose(
                                                1,
                                                lines(
                                                    cited(lt(0, length), "positive_square_sum", u),
                                                    last=Suppose(
                                                        Linear((eq(-length, 0), lt(0, length)))
                                                    ),
                                                ),
                                            ),
                                            chain(
                                                across * u + -length * v,
                                                step(W @ u, "W u = u (vᵀu) − v (uᵀu)"),
                                                step(zero, "W = 0", no_generator),
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
)


def times_generator(coefficient: Expression, other: str, body: Expression):
    """The line a W = 0, or b W = 0, from a u + b v = 0."""
    return (
        eq(coefficient * W, zero_matrix),
        chain(
            coefficient * W,
            step(body, f"the terms in {other} cancel"),
            step(zero_matrix, "a u + b v = 0", combination),
        ),
    )


summed = a * u + b * v
from_dependent = lines(
    times_generator(a, "v vᵀ", summed @ v.T - v @ summed.T),
    times_generator(b, "u uᵀ", u @ summed.T - summed @ u.T),
    (
        no_generator,
        Cases(
            coefficients,
            tuple(
                chain(
                    W,
                    step(1 / c * (c * W), f"{c} ≠ 0"),
                    step(zero_matrix, f"{c} W = 0", eq(c * W, zero_matrix)),
                )
                for c in (a, b)
            ),
        ),
    ),
    last=chain(
        Q_2,
        step(inverse @ plus, "W = 0, so I − sW = I + sW", no_generator),
        step(I, "(I + sW)⁻¹ (I + sW) = I", cancels_left),
    ),
)
at_closed_gate = chain(
    Q_2,
    step(cayley(0 * W), "β = 0", closed_gate),
    step(I, "I⁻¹ I = I", instance("left_inverse", I + 0 * W)),
)


def _identity(left: Proposition, right: Proposition):
    """The statement for other sides."""
    return restate(identity_claim, then=iff(left, right))


IDENTITY_AT_ZERO = Entry(
    identity_claim,
    kinds_but(Kind.CERTIFICATE),
    derivation=BothWays(
        then_dependent,
        Cases(
            either(closed_gate, dependent),
            (at_closed_gate, Obtain(dependent, Obtain(some_b, from_dependent))),
        ),
    ),
    lemma="cayley:identity_at_zero",
    operators=OPERATOR,
    mutants=(
        Mutant("the gate 0 alone", _identity(is_identity, closed_gate)),
        Mutant("the gate 1", _identity(is_identity, either(eq(beta, 1), dependent))),
        Mutant("both at once", _identity(is_identity, both(closed_gate, dependent))),
        Mutant("Q = −I", _identity(eq(Q_2, -I), either(closed_gate, dependent))),
        Mutant(
            "Q is symmetric",
            _identity(eq(Q_2.T, Q_2), either(closed_gate, dependent)),
            stays_true=True,
        ),
    ),
)
