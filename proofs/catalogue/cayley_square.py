"""The family cayley: every rotation is the square of a Cayley rotation.

SQUARE_COVERS_ROTATIONS == the entry
transform_of(R)         == an orthogonal R with I + R invertible is the Cayley transform of a skew S

By induction on the rank of T − I, each rotation T has a root Z, orthogonal, with wᵀZw ≥ 0 for all
w, that fixes what T fixes. If T ≠ I, there is a plane that T turns, by an angle of cosine a² − b²
and sine 2ab. Let Y be the turn of that plane by half the angle; YᵀYᵀT fixes the plane too, and Y
times a root of it is a root of T. At last, wᵀZw ≥ 0 keeps −1 from being an eigenvalue of Z.
"""

from fractions import Fraction

from ...symbolic import cayley as statements
from ...symbolic.cayley import R, T, cayley, n
from ...symbolic.claims import restate
from ...symbolic.derivations import (
    Arbitrary,
    Assume,
    AtMost,
    Cases,
    Cited,
    Contradiction,
    Derivation,
    Each,
    Exhibit,
    Have,
    Induction,
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
    det,
    entry,
    eye,
    index,
    inv,
    matrix,
    norm,
    rank,
    scalar,
    size,
    sqrt,
    vector,
    zeros,
)
from ...symbolic.propositions import (
    And,
    Eq,
    Exists,
    Proposition,
    both,
    either,
    eq,
    exists,
    forall,
    implies,
    invertible,
    le,
    lt,
    ne,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
I = eye(n)
zero = zeros(n, 1)
half = Fraction(1, 2)
a, b, sigma = scalar("a"), scalar("b"), scalar("sigma")
g, k, w, x, y = (vector(name, n) for name in "gkwxy")
Z = matrix("Z", n, n)
m = index("m")


def one(value: Expression) -> Expression:
    """A number as a 1×1 matrix."""
    return value * eye(1)


def visibly(value: Expression) -> AtMost:
    """Proves 0 ≤ value, or 0 < value, by its form and what is known."""
    return AtMost(chain(value - 0, step(value, "c − 0 = c")))


def follows(fact: Proposition) -> Derivation:
    """Proves the right side of an implication that is known, from its left side."""
    return Cited(instance("modus_ponens", fact))


# ---------------------------------------------------------------- the skew matrix of a rotation


def transform_of(rotated: Expression):
    """S = (I + R)⁻¹ (I − R), and lines that prove Sᵀ = −S and that its transform is R.

    Known are RᵀR = I and that I + R is invertible.
    """
    plus, minus = I + rotated, I - rotated
    inverse = inv(plus)
    cancels = instance("left_inverse", plus)
    skew_matrix = inverse @ minus
    other_side = eq(rotated @ rotated.T, I)
    before = inv(I + skew_matrix)
    skew = chain(
        skew_matrix.T,
        step(minus.T @ inverse.T, "transposition reverses a product"),
        step(inverse @ plus @ minus.T @ inverse.T, "(I + R)⁻¹ (I + R) = I", cancels),
        step(
            -(inverse @ minus @ plus.T @ inverse.T),
            "(I + R) (I − R)ᵀ = R − Rᵀ = −(I − R) (I + R)ᵀ",
            other_side,
        ),
        step(-skew_matrix, "((I + R)⁻¹ (I + R))ᵀ = I", cancels),
    )
    transformed = chain(
        cayley(skew_matrix),
        step(before @ (inverse @ (plus - minus)), "I = (I + R)⁻¹ (I + R)", cancels),
        step(before @ (inverse @ (plus + minus)) @ rotated, "(I + R) − (I − R) = 2R"),
        step(before @ (I + skew_matrix) @ rotated, "I = (I + R)⁻¹ (I + R)", cancels),
        step(rotated, "an inverse cancels", instance("left_inverse", I + skew_matrix)),
    )
    return skew_matrix, (
        cited(other_side, "two_sided_inverse", rotated.T, rotated),
        (eq(skew_matrix.T, -skew_matrix), skew),
        (eq(cayley(skew_matrix), rotated), transformed),
    )


# ---------------------------------------------------------------- what is proved by induction


def orthogonal(M: Expression) -> Proposition:
    """MᵀM = I."""
    return eq(M.T @ M, I)


def fixes(M: Expression, root: Expression) -> Proposition:
    """What M fixes, the root fixes."""
    return forall(w, implies(eq(M @ w, w), eq(root @ w, w)))


def is_root(M: Expression, root: Expression) -> And:
    """The root of M that is meant."""
    form = forall(w, le(0, entry(w.T @ root @ w)))
    return both(orthogonal(root), eq(M, root @ root), form, fixes(M, root))


def turns(M: Expression, at_most: Expression) -> Proposition:
    """M is a rotation that fixes all but so many dimensions."""
    return both(orthogonal(M), eq(det(M), 1), le(rank(M - I), at_most))


def has_root(M: Expression) -> Exists:
    """Some matrix is such a root of M."""
    return exists(Z, is_root(M, Z))


def all_have_roots(at_most: Expression) -> Proposition:
    """Every such rotation has a root."""
    return forall(T, implies(turns(T, at_most), has_root(T)))


D = T - I
is_orthogonal, is_rotation = orthogonal(T), eq(det(T), 1)
is_identity = eq(D, zeros(n, n))
root_of_identity = Have(
    eq(T, I),
    chain(T, step(D + I, "T = (T − I) + I"), step(I, "T − I = 0", is_identity)),
    Exhibit(
        I,
        Parts(
            (
                chain(I.T @ I, step(I, "the identity")),
                chain(T, step(I @ I, "T = I", eq(T, I))),
                Arbitrary(
                    AtMost(chain(entry(w.T @ I @ w) - 0, step(entry(w.T @ w), "the identity")))
                ),
                Arbitrary(Assume(chain(I @ w, step(w, "the identity")))),
            )
        ),
    ),
)


# ---------------------------------------------------------------- a plane that T turns

cosine, sine = a**2 - b**2, 2 * a * b
x_unit, y_unit, across = eq(x.T @ x, eye(1)), eq(y.T @ y, eye(1)), eq(x.T @ y, zeros(1, 1))
on_circle = eq(a**2 + b**2, 1)
image_of_x, image_of_y = eq(T @ x, cosine * x + sine * y), eq(T @ y, -sine * x + cosine * y)
turned_by = exists(
    b,
    both(x_unit, y_unit, across, on_circle, le(0, a), lt(0, b), image_of_x, image_of_y),
)
turned_so = exists(a, turned_by)
turned_in = exists(y, turned_so)
turned_plane = exists(x, turned_in)

# the direction that T − I stretches most, by σ; made a unit vector x, with c = xᵀTx
not_negative, nonzero = le(0, sigma), ne(g, zero)
stretched = eq(D.T @ D @ g, sigma**2 * g)
none_longer = forall(w, le(norm(D @ w), sigma * norm(w)))
some_direction = exists(g, both(not_negative, nonzero, stretched, none_longer))
some_factor = exists(sigma, some_direction)
moved = exists(w, ne(D @ w, zero))
factor_positive = lines(
    cited(moved, "moved_vector", D, w),
    last=Obtain(
        moved,
        Suppose(
            lines(
                (eq(sigma, 0), Linear((not_negative, le(sigma, 0)))),
                cited(le(norm(D @ w), sigma * norm(w)), "instantiate", none_longer, w),
                (
                    eq(sigma * norm(w), 0),
                    chain(sigma * norm(w), step(0, "σ = 0", eq(sigma, 0))),
                ),
                cited(lt(0, norm(D @ w)), "norm_positive", D @ w),
                last=Linear(
                    (
                        le(norm(D @ w), sigma * norm(w)),
                        eq(sigma * norm(w), 0),
                        lt(0, norm(D @ w)),
                    )
                ),
            )
        ),
    ),
)
stretched_x = eq(D.T @ D @ x, sigma**2 * x)
unit_direction = exists(x, both(x_unit, stretched_x))


def length_one(vector: Expression) -> Derivation:
    """Proves that v/‖v‖ has length 1, where 0 < ‖v‖ is known."""
    scaled = 1 / norm(vector) * vector
    return chain(
        scaled.T @ scaled,
        step(1 / norm(vector) ** 2 * (vector.T @ vector), "scalars commute"),
        step(eye(1), "‖v‖² = vᵀv", instance("norm_squared", vector)),
    )


g_unit = 1 / norm(g) * g
find_unit_direction = lines(
    cited(lt(0, norm(g)), "norm_positive", g),
    last=Exhibit(
        g_unit,
        Parts(
            (
                length_one(g),
                chain(
                    D.T @ D @ g_unit,
                    step(1 / norm(g) * (D.T @ D @ g), "scalars commute"),
                    step(sigma**2 * g_unit, "(T − I)ᵀ (T − I) g = σ² g", stretched),
                ),
            )
        ),
    ),
)
c = 1 - sigma**2 / 2
rest = T @ x - c * x
back = eq(T @ T @ x, 2 * c * (T @ x) - x)
along = eq(entry(x.T @ T @ x), c)
rest_squared = eq(rest.T @ rest, one(1 - c**2))
other_side = eq(T @ T.T, I)
left_over = 1 - c**2
in_the_plane = (
    cited(other_side, "two_sided_inverse", T.T, T),
    (
        back,
        chain(
            T @ T @ x,
            step(
                2 * (T @ x) - x - T @ (D.T @ D @ x),
                "T (T − I)ᵀ (T − I) = 2T − T T − I",
                other_side,
            ),
            step(2 * c * (T @ x) - x, "(T − I)ᵀ (T − I) x = σ² x", stretched_x),
        ),
    ),
    (
        along,
        chain(
            entry(x.T @ T @ x),
            step(
                entry(x.T @ x) - entry(x.T @ (D.T @ D @ x)) / 2,
                "(T − I)ᵀ (T − I) = 2I − T − Tᵀ",
                is_orthogonal,
            ),
            step(
                entry(x.T @ x) - sigma**2 / 2 * entry(x.T @ x),
                "(T − I)ᵀ (T − I) x = σ² x",
                stretched_x,
            ),
            step(c, "x has length 1", x_unit),
        ),
    ),
    (
        rest_squared,
        chain(
            rest.T @ rest,
            step(
                x.T @ x - 2 * c * one(entry(x.T @ T @ x)) + c**2 * (x.T @ x),
                "T is orthogonal",
                is_orthogonal,
            ),
            step(one(1 - 2 * c**2 + c**2), "x has length 1, xᵀT x = c", x_unit, along),
            step(one(left_over), "collect"),
        ),
    ),
    (
        le(0, left_over),
        AtMost(chain(left_over - 0, step(entry(rest.T @ rest), "a square", rest_squared))),
    ),
    cited(lt(0, sigma * sigma), "positive_product", sigma, sigma),
    (lt(0, 1 - c), Linear((lt(0, sigma * sigma),))),
    (lt(0, (1 - c) / 2), Linear((lt(0, 1 - c),))),
    (le(0, (1 - c) / 2), Linear((lt(0, 1 - c),))),
)


def plane(*values: Expression, proof: tuple[Derivation, ...]) -> Derivation:
    """Proves that T turns a plane, from x, y, a and b."""
    found: Derivation = Parts(proof)
    for value in reversed(values):
        found = Exhibit(value, found)
    return found


# c > −1: the half angle has a = √((1 + c)/2) and b = √((1 − c)/2), and y is along T x − c x
a_squared, b_squared = (1 + c) / 2, (1 - c) / 2
a_root, b_root = sqrt(a_squared), sqrt(b_squared)
a_rule, b_rule = instance("root_squared", a_squared), instance("root_squared", b_squared)
y_scale = 1 / (2 * a_root * b_root)
y_found = y_scale * rest


def root_positive(value: Expression):
    """The line 0 < √c for 0 < c."""
    root, rule = sqrt(value), instance("root_squared", value)
    return (
        lt(0, root),
        lines(
            cited(both(le(0, root), eq(root**2, value)), "root_squared", value),
            last=Suppose(
                lines(
                    (eq(root, 0), Linear((le(0, root), le(root, 0)))),
                    (
                        eq(value, 0),
                        chain(
                            value,
                            step(root**2, "(√c)² = c", rule),
                            step(0, "√c = 0", eq(root, 0)),
                        ),
                    ),
                    last=Linear((lt(0, value), eq(value, 0))),
                )
            ),
        ),
    )


product_below = (1 - c) * -(1 + c)
generic_plane = lines(
    (
        lt(0, left_over),
        Suppose(Contradiction(ne(left_over, 0), Linear((le(0, left_over), le(left_over, 0))))),
    ),
    (
        lt(0, 1 + c),
        Suppose(
            lines(
                (le(0, 1 - c), Linear((lt(0, 1 - c),))),
                (le(0, -(1 + c)), Linear((le(1 + c, 0),))),
                cited(le(0, product_below), "nonnegative_product", 1 - c, -(1 + c)),
                last=Linear((le(0, product_below), lt(0, left_over))),
            )
        ),
    ),
    (lt(0, a_squared), Linear((lt(0, 1 + c),))),
    (le(0, a_squared), Linear((lt(0, 1 + c),))),
    root_positive(a_squared),
    root_positive(b_squared),
    cited(lt(0, a_root * b_root), "positive_product", a_root, b_root),
    (lt(0, 2 * a_root * b_root), Linear((lt(0, a_root * b_root),))),
    last=plane(
        x,
        y_found,
        a_root,
        b_root,
        proof=(
            Known(),
            chain(
                y_found.T @ y_found,
                step(y_scale**2 * (rest.T @ rest), "scalars commute"),
                step(y_scale**2 * one(left_over), "the square of T x − c x", rest_squared),
                step(eye(1), "4 a² b² = (1 + c) (1 − c)", a_rule, b_rule),
            ),
            chain(
                x.T @ y_found,
                step(y_scale * one(entry(x.T @ T @ x) - c * entry(x.T @ x)), "multiply out"),
                step(zeros(1, 1), "xᵀT x = c, and x has length 1", along, x_unit),
            ),
            chain(
                a_root**2 + b_root**2,
                step(1, "(1 + c)/2 + (1 − c)/2 = 1", a_rule, b_rule),
            ),
            Linear((lt(0, a_root),)),
            Known(),
            chain(
                T @ x,
                step(c * x + 2 * a_root * b_root * y_found, "y is the rest, scaled"),
                step(
                    (a_root**2 - b_root**2) * x + 2 * a_root * b_root * y_found,
                    "a² − b² = c",
                    a_rule,
                    b_rule,
                ),
            ),
            chain(
                T @ y_found,
                step(y_scale * (T @ T @ x - c * (T @ x)), "multiply out"),
                step(y_scale * (c * (T @ x) - x), "T T x = 2c T x − x", back),
                step(
                    y_scale * (c * (2 * a_root * b_root * y_found + c * x) - x),
                    "T x = c x + 2ab y",
                ),
                step(
                    -2 * a_root * b_root * x + c * y_found,
                    "c² − 1 = −4 a² b²",
                    a_rule,
                    b_rule,
                ),
                step(
                    -(2 * a_root * b_root) * x + (a_root**2 - b_root**2) * y_found,
                    "a² − b² = c",
                    a_rule,
                    b_rule,
                ),
            ),
        ),
    ),
)

# c = −1: T x = −x. The reflection F = T (I − 2xxᵀ) has det −1, so it negates some k ⊥ x
halves = either(eq(1 - c, 0), eq(1 + c, 0))
negated_x = eq(T @ x, -x)
mirror = I - 2 * (x @ x.T)
F = T @ mirror
F_orthogonal, F_other_side = orthogonal(F), eq(F @ F.T, I)
F_plus = I + F
F_negates = eq(F_plus @ k, zero)
some_k = exists(k, both(ne(k, zero), F_negates))
k_across = eq(x.T @ k, zeros(1, 1))
negated_k = eq(T @ k, -k)
y_at_pi = 1 / norm(k) * k
flat, upright = Literal(0), Literal(1)
half_turn_plane = lines(
    (
        eq((1 - c - 0) * (1 + c - 0), 0),
        chain(
            (1 - c - 0) * (1 + c - 0),
            step(left_over, "multiply out"),
            step(0, "c² = 1", eq(left_over, 0)),
        ),
    ),
    cited(halves, "zero_product", *halves.parts),
    (
        eq(c, -1),
        Cases(
            halves,
            (Linear((halves.parts[0], lt(0, 1 - c))), Linear((halves.parts[1],))),
        ),
    ),
    (
        eq(rest.T @ rest, zeros(1, 1)),
        chain(
            rest.T @ rest,
            step(one(left_over), "the square of T x − c x", rest_squared),
            step(zeros(1, 1), "c² = 1", eq(left_over, 0)),
        ),
    ),
    cited(eq(rest, zero), "zero_square_sum", rest),
    (
        negated_x,
        chain(
            T @ x,
            step(rest + c * x, "T x = (T x − c x) + c x"),
            step(-x, "T x = c x and c = −1", eq(rest, zero), eq(c, -1)),
        ),
    ),
    (
        F_orthogonal,
        chain(
            F.T @ F,
            step(mirror.T @ mirror, "T is orthogonal", is_orthogonal),
            step(I, "x has length 1", x_unit),
        ),
    ),
    cited(F_other_side, "two_sided_inverse", F.T, F),
    (
        eq(det(mirror), -1),
        chain(
            det(mirror),
            step(
                det(eye(1) - x.T @ (2 * x)),
                "Sylvester's identity",
                instance("sylvester", 2 * x, x.T),
            ),
            step(det(-eye(1)), "x has length 1", x_unit),
            step(-1, "one entry", instance("determinant_one_by_one", -eye(1))),
        ),
    ),
    (
        eq(det(F), -1),
        chain(
            det(F),
            step(
                det(T) * det(mirror),
                "the determinant of a product",
                instance("determinant_of_product", T, mirror),
            ),
            step(-1, "det T = 1", is_rotation, eq(det(mirror), -1)),
        ),
    ),
    (
        eq(det(F_plus), -det(F_plus)),
        chain(
            det(F_plus),
            step(det(F @ F_plus.T), "F (I + F)ᵀ = F + I", F_other_side),
            step(
                det(F) * det(F_plus.T),
                "the determinant of a product",
                instance("determinant_of_product", F, F_plus.T),
            ),
            step(
                -det(F_plus),
                "det F = −1, and a transpose has the same determinant",
                eq(det(F), -1),
                instance("determinant_of_transpose", F_plus),
            ),
        ),
    ),
    (eq(det(F_plus), 0), Linear((eq(det(F_plus), -det(F_plus)),))),
    cited(some_k, "singular_kernel", F_plus, k),
    last=Obtain(
        some_k,
        lines(
            cited(lt(0, norm(k)), "norm_positive", k),
            (
                k_across,
                chain(
                    x.T @ k,
                    step(half * (x.T @ k + (F @ x).T @ (F @ k)), "F is orthogonal", F_orthogonal),
                    step(half * (x.T @ k - (F @ x).T @ k), "F k = −k", F_negates),
                    step(half * (x.T @ k + (T @ x).T @ k), "F x = −T x", x_unit),
                    step(zeros(1, 1), "T x = −x", negated_x),
                ),
            ),
            (
                negated_k,
                chain(
                    T @ k,
                    step(F @ k + 2 * (entry(x.T @ k) * (T @ x)), "T = F + 2 T x xᵀ"),
                    step(-k, "F k = −k and xᵀk = 0", F_negates, k_across),
                ),
            ),
            last=plane(
                x,
                y_at_pi,
                flat,
                upright,
                proof=(
                    Known(),
                    length_one(k),
                    chain(
                        x.T @ y_at_pi,
                        step(1 / norm(k) * (x.T @ k), "scalars commute"),
                        step(zeros(1, 1), "xᵀk = 0", k_across),
                    ),
                    chain(flat**2 + upright**2, step(1, "0 + 1")),
                    Linear(()),
                    Linear(()),
                    chain(
                        T @ x,
                        step(-x, "T x = −x", negated_x),
                        step(
                            (flat**2 - upright**2) * x + 2 * flat * upright * y_at_pi,
                            "a = 0 and b = 1",
                        ),
                    ),
                    chain(
                        T @ y_at_pi,
                        step(1 / norm(k) * (T @ k), "scalars commute"),
                        step(-y_at_pi, "T k = −k", negated_k),
                        step(
                            -(2 * flat * upright) * x + (flat**2 - upright**2) * y_at_pi,
                            "a = 0 and b = 1",
                        ),
                    ),
                ),
            ),
        ),
    ),
)

edge = either(eq(left_over, 0), ne(left_over, 0))
find_plane = lines(
    cited(some_factor, "longest_direction", D, sigma, g, w),
    last=Obtain(
        some_factor,
        Obtain(
            some_direction,
            lines(
                (lt(0, sigma), factor_positive),
                (unit_direction, find_unit_direction),
                last=Obtain(
                    unit_direction,
                    lines(
                        *in_the_plane,
                        cited(edge, "dichotomy", edge.parts[0]),
                        last=Cases(edge, (half_turn_plane, generic_plane)),
                    ),
                ),
            ),
        ),
    ),
)


# ---------------------------------------------------------------- one plane after the other

projector, quarter_turn = x @ x.T + y @ y.T, y @ x.T - x @ y.T
Y = I + (a - 1) * projector + b * quarter_turn
N = Y.T @ Y.T @ T
basis = (x_unit, y_unit, across)
Y_orthogonal, Y_other_side = orthogonal(Y), eq(Y @ Y.T, I)
N_fixes_x, N_fixes_y = eq(N @ x, x), eq(N @ y, y)
x_part, y_part = entry(x.T @ w), entry(y.T @ w)
T_fixes, N_fixes, Z_fixes = eq(T @ w, w), eq(N @ w, w), eq(Z @ w, w)
first = (1 - cosine) * x_part - sine * y_part
second = (1 - cosine) * y_part + sine * x_part
across_x, across_y = eq(x.T @ w, zeros(1, 1)), eq(y.T @ w, zeros(1, 1))
b_positive = cited(lt(0, b * b), "positive_product", b, b)


def vanishes(combination: Expression, part: Expression, axis: Expression, image: Proposition):
    """The line `combination` = 0, for what T fixes."""
    return (
        eq(combination, 0),
        chain(
            combination,
            step(part - entry((T @ axis).T @ w), f"the image of {axis}", image),
            step(part - entry((T @ axis).T @ (T @ w)), "T w = w", T_fixes),
            step(0, "T is orthogonal", is_orthogonal),
        ),
    )


def orthogonal_to(axis: Expression, combination: Expression, fact: Proposition):
    """The line that what T fixes is orthogonal to x, or to y."""
    return (
        fact,
        chain(
            axis.T @ w,
            step(
                one(1 / (4 * b**2) * combination),
                "(1 − cos)² + sin² = 4b² for the angle of T",
                on_circle,
            ),
            step(zeros(1, 1), "both terms vanish", eq(first, 0), eq(second, 0)),
        ),
    )


fixed_is_across = (
    vanishes(first, x_part, x, image_of_x),
    vanishes(second, y_part, y, image_of_y),
    b_positive,
    orthogonal_to(x, (1 - cosine) * first + sine * second, across_x),
    orthogonal_to(y, (1 - cosine) * second - sine * first, across_y),
)


def turned_back(axis: Expression, image: Eq, fact: Proposition):
    """The line that YᵀYᵀT fixes x, or y."""
    return (
        fact,
        chain(
            N @ axis,
            step(Y.T @ Y.T @ image.right, f"the image of {axis}", image),
            step(axis, "turned back twice by half the angle", *basis, on_circle),
        ),
    )


N_fixes_what_T_fixes = fixes(T, N)
remains = forall(w, implies(eq(D @ w, zero), eq((N - I) @ w, zero)))
N_passed = implies(T_fixes, N_fixes)
N_facts = (
    (Y_orthogonal, chain(Y.T @ Y, step(I, "x, y are orthonormal, a² + b² = 1", *basis, on_circle))),
    cited(Y_other_side, "two_sided_inverse", Y.T, Y),
    turned_back(x, image_of_x, N_fixes_x),
    turned_back(y, image_of_y, N_fixes_y),
    (
        N_fixes_what_T_fixes,
        Arbitrary(
            Assume(
                lines(
                    *fixed_is_across,
                    last=chain(
                        N @ w,
                        step(Y.T @ Y.T @ w, "T w = w", T_fixes),
                        step(w, "w is orthogonal to x and y", across_x, across_y),
                    ),
                )
            )
        ),
    ),
    (
        remains,
        Arbitrary(
            Assume(
                lines(
                    (
                        T_fixes,
                        chain(
                            T @ w,
                            step(D @ w + w, "T = (T − I) + I"),
                            step(w, "(T − I) w = 0", eq(D @ w, zero)),
                        ),
                    ),
                    cited(N_passed, "instantiate", N_fixes_what_T_fixes, w),
                    (N_fixes, follows(N_passed)),
                    last=chain(
                        (N - I) @ w,
                        step(N @ w - w, "multiply out"),
                        step(zero, "w is fixed", N_fixes),
                    ),
                )
            )
        ),
    ),
    (
        eq((N - I) @ x, zero),
        chain(
            (N - I) @ x,
            step(N @ x - x, "multiply out"),
            step(zero, "x is fixed", N_fixes_x),
        ),
    ),
    b_positive,
    (
        ne(D @ x, zero),
        Suppose(
            lines(
                (
                    eq(-2 * b**2, 0),
                    chain(
                        -2 * b**2,
                        step(
                            entry(x.T @ (D @ x)),
                            "xᵀT x = a² − b²",
                            image_of_x,
                            x_unit,
                            across,
                            on_circle,
                        ),
                        step(0, "(T − I) x = 0", eq(D @ x, zero)),
                    ),
                ),
                last=Linear((eq(-2 * b**2, 0), lt(0, b * b))),
            )
        ),
    ),
    cited(le(rank(N - I) + 1, rank(D)), "larger_kernel", D, N - I, x, w),
    (le(rank(N - I), m), Linear((le(rank(N - I) + 1, rank(D)), le(rank(D), m + 1)))),
    (
        orthogonal(N),
        chain(
            N.T @ N,
            step(T.T @ Y @ (Y @ Y.T) @ Y.T @ T, "transposition reverses a product"),
            step(T.T @ Y @ Y.T @ T, "Y Yᵀ = I", Y_other_side),
            step(T.T @ (Y @ Y.T) @ T, "products may be bracketed at will"),
            step(T.T @ T, "Y Yᵀ = I", Y_other_side),
            step(I, "T is orthogonal", is_orthogonal),
        ),
    ),
)


def product_rule(left: Expression, right: Expression):
    """The rule for the determinant of a product."""
    return instance("determinant_of_product", left, right)


squared_determinant = det(Y.T) * det(Y)
N_is_rotation = (
    (
        eq(det(I), 1),
        chain(
            det(I),
            step(det(I) * det(T), "det T = 1", is_rotation),
            step(det(T), "the determinant of a product", product_rule(I, T)),
            step(1, "det T = 1", is_rotation),
        ),
    ),
    (
        eq(squared_determinant, 1),
        chain(
            squared_determinant,
            step(det(Y.T @ Y), "the determinant of a product", product_rule(Y.T, Y)),
            step(det(I), "Yᵀ Y = I", Y_orthogonal),
            step(1, "det I = 1", eq(det(I), 1)),
        ),
    ),
    (
        eq(det(N), 1),
        chain(
            det(N),
            step(
                det(Y.T) * det(Y.T @ T),
                "the determinant of a product",
                product_rule(Y.T, Y.T @ T),
            ),
            step(det(Y.T) * (det(Y.T) * det(T)), "and again", product_rule(Y.T, T)),
            step(
                squared_determinant,
                "det T = 1, and a transpose has the same determinant",
                is_rotation,
                instance("determinant_of_transpose", Y),
            ),
            step(1, "det Yᵀ det Y = 1", eq(squared_determinant, 1)),
        ),
    ),
)

Z_orthogonal, N_is_square, Z_form, Z_fixes_what_N_fixes = is_root(N, Z).parts
Z_fixes_x, Z_fixes_y = eq(Z @ x, x), eq(Z @ y, y)
x_from_left, y_from_left = eq(x.T @ Z, x.T), eq(y.T @ Z, y.T)
Z_keeps_plane = (Z_fixes_x, Z_fixes_y, x_from_left, y_from_left)
off_plane = w - projector @ w
off_form, plane_form = entry(off_plane.T @ Z @ off_plane), entry(w.T @ projector @ w)
form = entry(w.T @ (Y @ Z) @ w)


def from_left(axis: Expression, fixed: Proposition) -> Derivation:
    """Proves xᵀZ = xᵀ from Z x = x."""
    return chain(
        axis.T @ Z,
        step((Z @ axis).T @ Z, f"Z fixes {axis}", fixed),
        step(axis.T, "Z is orthogonal", Z_orthogonal),
    )


def fixed_by_Z(axis: Expression, by_N: Proposition, by_Z: Proposition):
    """Lines that Z fixes what N is known to fix."""
    passed = implies(by_N, by_Z)
    return (
        cited(passed, "instantiate", Z_fixes_what_N_fixes, axis),
        (by_Z, follows(passed)),
    )


root_of_rest = (
    *fixed_by_Z(x, N_fixes_x, Z_fixes_x),
    *fixed_by_Z(y, N_fixes_y, Z_fixes_y),
    (x_from_left, from_left(x, Z_fixes_x)),
    (y_from_left, from_left(y, Z_fixes_y)),
)
form_of_product = lines(
    cited(le(0, off_form), "instantiate", Z_form, off_plane),
    (
        le(0, plane_form),
        AtMost(chain(plane_form - 0, step(x_part**2 + y_part**2, "two squares"))),
    ),
    cited(le(0, a * plane_form), "nonnegative_product", a, plane_form),
    (
        eq(form, off_form + a * plane_form),
        chain(
            form,
            step(off_form + a * plane_form, "Z keeps the plane as it is", *Z_keeps_plane, *basis),
        ),
    ),
    last=Linear((le(0, off_form), le(0, a * plane_form), eq(form, off_form + a * plane_form))),
)
product_fixes = lines(
    *fixed_is_across,
    cited(N_passed, "instantiate", N_fixes_what_T_fixes, w),
    (N_fixes, follows(N_passed)),
    *fixed_by_Z(w, N_fixes, Z_fixes),
    last=chain(
        Y @ Z @ w,
        step(Y @ w, "Z w = w", Z_fixes),
        step(w, "w is orthogonal to x and y", across_x, across_y),
    ),
)
product_is_root = Parts(
    (
        chain(
            (Y @ Z).T @ (Y @ Z),
            step(Z.T @ (Y.T @ Y) @ Z, "transposition reverses a product"),
            step(Z.T @ Z, "Yᵀ Y = I", Y_orthogonal),
            step(I, "Z is orthogonal", Z_orthogonal),
        ),
        chain(
            T,
            step(Y @ Y.T @ T, "Y Yᵀ = I", Y_other_side),
            step(Y @ (Y.T @ T), "products may be bracketed at will"),
            step(Y @ (Y @ Y.T) @ (Y.T @ T), "Y Yᵀ = I", Y_other_side),
            step(Y @ Y @ N, "products may be bracketed at will"),
            step(Y @ Y @ (Z @ Z), "Z is a root of Yᵀ Yᵀ T", N_is_square),
            step((Y @ Z) @ (Y @ Z), "Z keeps the plane, so Y and Z commute", *Z_keeps_plane),
        ),
        Arbitrary(form_of_product),
        Arbitrary(Assume(product_fixes)),
    )
)
passed_on = implies(turns(N, m), has_root(N))
one_plane_less = lines(
    *N_facts,
    *N_is_rotation,
    cited(passed_on, "instantiate", all_have_roots(m), N),
    (has_root(N), follows(passed_on)),
    last=Obtain(has_root(N), lines(*root_of_rest, last=Exhibit(Y @ Z, product_is_root))),
)
in_range = both(le(0, m), le(m, size(n)))
trivial_or_not = either(is_identity, ne(D, zeros(n, n)))
induction_step = Arbitrary(
    Assume(
        lines(
            (in_range, Parts((Known(), Linear((le(m + 1, size(n)),))))),
            (all_have_roots(m), follows(implies(in_range, all_have_roots(m)))),
            cited(trivial_or_not, "dichotomy", is_identity),
            last=Cases(
                trivial_or_not,
                (
                    root_of_identity,
                    Have(
                        turned_plane,
                        find_plane,
                        Obtain(
                            turned_plane,
                            Obtain(
                                turned_in,
                                Obtain(turned_so, Obtain(turned_by, one_plane_less)),
                            ),
                        ),
                    ),
                ),
            ),
        )
    )
)
induction_base = Arbitrary(Assume(lines(cited(is_identity, "rank_zero", D), last=root_of_identity)))
every_rank = forall(m, all_have_roots(m), over=(0, size(n)))


# ---------------------------------------------------------------- cayley.square_covers_rotations

square_covers_rotations = CLAIMS["cayley.square_covers_rotations"]
R_orthogonal, R_rotation = square_covers_rotations.given
rank_limits = Linear((instance("rank_at_most_size", R - I),))
R_has_root = implies(turns(R, size(n)), has_root(R))
form_of_root = is_root(R, Z).parts[2]
x_form, x_square = entry(x.T @ Z @ x), entry(x.T @ x)
no_minus_one = TrivialKernel(
    x,
    lines(
        cited(le(0, x_form), "instantiate", form_of_root, x),
        (
            eq(x_square + x_form, 0),
            chain(
                x_square + x_form,
                step(entry(x.T @ ((I + Z) @ x)), "collect"),
                step(0, "(I + Z) x = 0", eq((I + Z) @ x, zero)),
            ),
        ),
        (le(0, x_square), visibly(x_square)),
        (eq(x_square, 0), Linear((le(0, x_form), eq(x_square + x_form, 0), le(0, x_square)))),
        (
            eq(x.T @ x, zeros(1, 1)),
            chain(
                x.T @ x,
                step(one(x_square), "one number"),
                step(zeros(1, 1), "it is 0", eq(x_square, 0)),
            ),
        ),
        last=Cited(instance("zero_square_sum", x)),
    ),
)
S_of_Z, Z_is_transform = transform_of(Z)
covers = lines(
    (every_rank, Each(Induction(m, 0, induction_base, induction_step))),
    (le(0, size(n)), rank_limits),
    (le(size(n), size(n)), Linear(())),
    cited(all_have_roots(size(n)), "instantiate_range", every_rank, size(n)),
    (turns(R, size(n)), Parts((Known(), Known(), rank_limits))),
    cited(R_has_root, "instantiate", all_have_roots(size(n)), R),
    (has_root(R), follows(R_has_root)),
    last=Obtain(
        has_root(R),
        lines(
            (invertible(I + Z), no_minus_one),
            *Z_is_transform,
            last=Exhibit(
                S_of_Z,
                Parts(
                    (
                        Known(),
                        chain(
                            R,
                            step(Z @ Z, "Z is a root of R", is_root(R, Z).parts[1]),
                            step(
                                cayley(S_of_Z) @ cayley(S_of_Z),
                                "Z is the Cayley transform of S",
                                eq(cayley(S_of_Z), Z),
                            ),
                        ),
                    )
                ),
            ),
        ),
    ),
)


def squared_transform(skew_matrix: Expression) -> Expression:
    """The square of a Cayley transform."""
    return cayley(skew_matrix) @ cayley(skew_matrix)


some_root = square_covers_rotations.then
SQUARE_COVERS_ROTATIONS = Entry(
    square_covers_rotations,
    # numbers do not decide "for some S"
    (Kind.DERIVATION,),
    derivation=covers,
    mutants=(
        Mutant(
            "R itself has no eigenvalue −1",
            restate(square_covers_rotations, then=both(invertible(I + R), some_root)),
        ),
        Mutant(
            "R is its own inverse",
            restate(square_covers_rotations, then=both(eq(R @ R, I), some_root)),
        ),
        Mutant(
            "the root has S = R − Rᵀ",
            restate(square_covers_rotations, then=eq(R, squared_transform(R - R.T))),
        ),
        Mutant(
            "the root has S = ¼ (Rᵀ − R)",
            restate(
                square_covers_rotations, then=eq(R, squared_transform(Fraction(1, 4) * (R.T - R)))
            ),
        ),
    ),
)
