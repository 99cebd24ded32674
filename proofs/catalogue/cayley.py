"""The family cayley: derivations, operators and mutants of each statement.

ENTRIES == in the order of the ledger

Generators of rank two are in cayley_rank_two.py, the square root of a rotation in cayley_square.py.
"""

from ...symbolic import cayley as statements
from ...symbolic.cayley import (
    S_R,
    B,
    G,
    L,
    Q,
    Q_t,
    R,
    S,
    T,
    W,
    c,
    cayley,
    cos_turn,
    h,
    mu,
    n,
    over_complex,
    p,
    s,
    sin_turn,
    skew,
    stack,
    t,
    u,
    v,
    x,
    y,
)
from ...symbolic.claims import restate
from ...symbolic.derivations import (
    Cited,
    Have,
    Known,
    Parts,
    TrivialKernel,
    chain,
    lines,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    derivative,
    det,
    entry,
    eye,
    index,
    inv,
    matrix,
    named,
    norm,
    ordered_product,
    sequence,
    vector,
    zeros,
)
from ...symbolic.propositions import both, eq, invertible, le, ne
from ...symbolic.rules import instance
from . import cayley_rank_two as rank_two
from .cayley_square import SQUARE_COVERS_ROTATIONS, transform_of
from .entry import Entry, Mutant, Operator, kinds_but
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
OPERATOR = {"Q": Operator("cayley:cayley", ("S",))}

plus, minus = eye(n) + S, eye(n) - S
inverse = inv(plus)
right_inverse, left_inverse = instance("right_inverse", plus), instance("left_inverse", plus)
only_invertible = [invertible(plus)]


# ---------------------------------------------------------------- cayley.generator_skew

generator_skew = CLAIMS["cayley.generator_skew"]


def _generator(body):
    """The statement for another generator."""
    other = named("W", body)
    return restate(generator_skew, then=eq(other.T, -other))


GENERATOR_SKEW = Entry(
    generator_skew,
    kinds_but(Kind.TORCH),
    derivation=chain(
        W.T,
        step((u @ v.T).T - (v @ u.T).T, "transposition goes to the terms"),
        step(v @ u.T - u @ v.T, "it reverses a product"),
        step(-W, "change of sign"),
    ),
    lemma="cayley:generator_skew",
    mutants=(
        Mutant("Wᵀ = W", restate(generator_skew, then=eq(W.T, W))),
        Mutant("Wᵀ = −2W", restate(generator_skew, then=eq(W.T, -2 * W))),
        Mutant("the sum of the two products", _generator(u @ v.T + v @ u.T)),
        Mutant("the second product is missing", _generator(u @ v.T)),
        Mutant("the second product is doubled", _generator(u @ v.T - 2 * (v @ u.T))),
        Mutant("u and v exchanged", _generator(v @ u.T - u @ v.T), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.nonsingular

nonsingular = CLAIMS["cayley.nonsingular"]
in_kernel = eq(plus @ x, zeros(n, 1))
form = x.T @ (plus @ x)
NONSINGULAR = Entry(
    nonsingular,
    kinds_but(Kind.TORCH),
    derivation=TrivialKernel(
        x,
        Have(
            eq(x.T @ x, zeros(1, 1)),
            chain(
                x.T @ x,
                step(
                    (form + form.T) / 2,
                    "the skew part leaves the quadratic form: xᵀSx + xᵀSᵀx = 0",
                    skew,
                ),
                step(zeros(1, 1), "(I + S) x = 0", in_kernel),
            ),
            then=Cited(instance("zero_square_sum", x)),
        ),
    ),
    lemma="cayley:nonsingular",
    mutants=(
        Mutant("S is any matrix", without(nonsingular, skew)),
        Mutant("S is symmetric", restate(nonsingular, given=[eq(S.T, S)])),
        Mutant("S itself is invertible", restate(nonsingular, then=invertible(S))),
        Mutant("I + S²", restate(nonsingular, then=invertible(eye(n) + S @ S))),
        Mutant("I − SᵀS", restate(nonsingular, then=invertible(eye(n) - S.T @ S))),
        Mutant("I − S", restate(nonsingular, then=invertible(minus)), stays_true=True),
        Mutant("I + 2S", restate(nonsingular, then=invertible(eye(n) + 2 * S)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.orthogonal

orthogonal = CLAIMS["cayley.orthogonal"]
gram = eq(Q.T @ Q, eye(n))
gram_chain = chain(
    Q.T @ Q,
    step(minus.T @ inverse.T @ (inverse @ minus), "transposition reverses a product"),
    step(plus @ inverse.T @ (inverse @ minus), "Sᵀ = −S", skew),
    step(
        plus @ inverse.T @ (minus @ inverse),
        "I − S = 2I − (I + S) commutes with (I + S)⁻¹",
        right_inverse,
        left_inverse,
    ),
    step(
        plus @ inverse,
        "((I + S)⁻¹)ᵀ (I − S) = ((I + S) (I + S)⁻¹)ᵀ = I",
        right_inverse,
        skew,
    ),
    step(eye(n), "a matrix times its inverse", right_inverse),
)
ORTHOGONAL = Entry(
    orthogonal,
    kinds_but(),
    derivation=gram_chain,
    lemma="cayley:orthogonal",
    operators=OPERATOR,
    mutants=(
        Mutant("S is not skew, I + S only invertible", restate(orthogonal, given=only_invertible)),
        Mutant("Q Q = I, transposition dropped", restate(orthogonal, then=eq(Q @ Q, eye(n)))),
        Mutant("QᵀQ = −I", restate(orthogonal, then=eq(Q.T @ Q, -eye(n)))),
        Mutant("QᵀQ = 2I", restate(orthogonal, then=eq(Q.T @ Q, 2 * eye(n)))),
        Mutant("Q is symmetric", restate(orthogonal, then=eq(Q.T, Q))),
        Mutant("Q Qᵀ = I", restate(orthogonal, then=eq(Q @ Q.T, eye(n))), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.isometry

isometry = CLAIMS["cayley.isometry"]
ISOMETRY = Entry(
    isometry,
    kinds_but(),
    derivation=Have(
        gram,
        gram_chain,
        then=Have(
            eq((Q @ y).T @ (Q @ y), y.T @ y),
            chain(
                (Q @ y).T @ (Q @ y),
                step(y.T @ (Q.T @ Q) @ y, "transposition reverses a product"),
                step(y.T @ eye(n) @ y, "Q is orthogonal", gram),
                step(y.T @ y, "the identity drops out"),
            ),
            then=Cited(instance("equal_norms", Q @ y, y)),
        ),
    ),
    lemma="cayley:isometry",
    operators=OPERATOR,
    mutants=(
        Mutant("S is not skew, I + S only invertible", restate(isometry, given=only_invertible)),
        Mutant("twice the norm", restate(isometry, then=eq(norm(Q @ y), 2 * norm(y)))),
        Mutant("the norm's negative", restate(isometry, then=eq(norm(Q @ y), -norm(y)))),
        Mutant("a shortcut beside Q", restate(isometry, then=eq(norm(y + Q @ y), norm(y)))),
        Mutant("Q y doubled", restate(isometry, then=eq(norm(2 * (Q @ y)), norm(y)))),
        Mutant("Qᵀ", restate(isometry, then=eq(norm(Q.T @ y), norm(y))), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.determinant

determinant = CLAIMS["cayley.determinant"]
DETERMINANT = Entry(
    determinant,
    kinds_but(Kind.CERTIFICATE),
    derivation=chain(
        det(Q),
        step(
            det(inverse) * det(minus),
            "the determinant of a product",
            instance("determinant_of_product", inverse, minus),
        ),
        step(det(inverse) * det(plus.T), "I − S = (I + S)ᵀ", skew),
        step(
            det(inverse) * det(plus),
            "a transpose has the same determinant",
            instance("determinant_of_transpose", plus),
        ),
        step(1, "the determinant of an inverse", instance("determinant_of_inverse", plus)),
    ),
    lemma="cayley:determinant",
    operators=OPERATOR,
    mutants=(
        Mutant("S is not skew, I + S only invertible", restate(determinant, given=only_invertible)),
        Mutant("−1", restate(determinant, then=eq(det(Q), -1))),
        Mutant("2", restate(determinant, then=eq(det(Q), 2))),
        Mutant("Q doubled", restate(determinant, then=eq(det(2 * Q), 1))),
        Mutant("I + Q", restate(determinant, then=eq(det(eye(n) + Q), 1))),
        Mutant("Qᵀ", restate(determinant, then=eq(det(Q.T), 1)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.no_minus_one

no_minus_one = CLAIMS["cayley.no_minus_one"]
negated = eq(Q @ x, -x)
NO_MINUS_ONE = Entry(
    no_minus_one,
    kinds_but(),
    derivation=chain(
        x,
        step((plus @ x + minus @ x) / 2, "(I + S) + (I − S) = 2I"),
        step((plus @ x + plus @ (Q @ x)) / 2, "(I + S) Q = I − S", right_inverse),
        step((plus @ x - plus @ x) / 2, "Q x = −x", negated),
        step(zeros(n, 1), "the two terms cancel"),
    ),
    lemma="cayley:no_minus_one",
    operators=OPERATOR,
    mutants=(
        Mutant("x is any vector", without(no_minus_one, negated), unseen_by=(Kind.TORCH,)),
        Mutant("the eigenvalue 1", restate(no_minus_one, given=[skew, eq(Q @ x, x)])),
        Mutant("Q twice", restate(no_minus_one, given=[skew, eq(Q @ (Q @ x), -x)])),
        Mutant("Q x = −Qᵀx", restate(no_minus_one, given=[skew, eq(Q @ x, -(Q.T @ x))])),
        Mutant(
            "S is not skew, I + S only invertible",
            restate(no_minus_one, given=[*only_invertible, negated]),
            stays_true=True,
        ),
        Mutant("Qᵀ", restate(no_minus_one, given=[skew, eq(Q.T @ x, -x)]), stays_true=True),
    ),
)


# ---------------------------------------------------------------- …so_excludes_minus_one_printed

so_printed = CLAIMS["cayley.so_excludes_minus_one_printed"]
R1, x1 = matrix("R", 1, 1), vector("x", 1)
SO_EXCLUDES_MINUS_ONE_PRINTED = Entry(
    so_printed,
    (Kind.COUNTEREXAMPLE,),
    repaired_by="cayley.no_minus_one",
    mutants=(
        Mutant(
            "n = 1",
            restate(
                so_printed,
                given=[eq(R1.T @ R1, eye(1)), eq(det(R1), 1), eq(R1 @ x1, -x1)],
                then=eq(x1, zeros(1, 1)),
            ),
        ),
        Mutant(
            "I + R invertible",
            restate(so_printed, given=[*so_printed.given, invertible(eye(n) + R)]),
        ),
        Mutant("a Cayley transform", restate(so_printed, given=[skew, eq(Q @ x, -x)])),
        Mutant("only that Rᵀx = −x", restate(so_printed, then=eq(R.T @ x, -x))),
        Mutant(
            "only that xᵀRx = −xᵀx",
            restate(so_printed, then=eq(entry(x.T @ R @ x), -entry(x.T @ x))),
        ),
    ),
)


# ---------------------------------------------------------------- …nonsingular_any_field_reading

any_field = CLAIMS["cayley.nonsingular_any_field_reading"]
A_1, B_1, y1 = matrix("A", 1, 1), matrix("B", 1, 1), vector("y", 1)
A_skew, B_skew, real_part, imaginary_part = over_complex
NONSINGULAR_ANY_FIELD_READING = Entry(
    any_field,
    (Kind.COUNTEREXAMPLE,),
    repaired_by="cayley.nonsingular",
    mutants=(
        Mutant(
            "S is real",
            restate(any_field, given=[*over_complex, eq(B, zeros(n, n))]),
        ),
        Mutant(
            "S is skew-Hermitian",
            restate(any_field, given=[A_skew, eq(B.T, B), real_part, imaginary_part]),
        ),
        Mutant(
            "n = 1",
            restate(
                any_field,
                given=[
                    eq(A_1.T, -A_1),
                    eq(B_1.T, -B_1),
                    eq((eye(1) + A_1) @ x1 - B_1 @ y1, zeros(1, 1)),
                    eq((eye(1) + A_1) @ y1 + B_1 @ x1, zeros(1, 1)),
                ],
                then=both(eq(x1, zeros(1, 1)), eq(y1, zeros(1, 1))),
            ),
        ),
        Mutant("a real vector", restate(any_field, given=[*over_complex, eq(y, zeros(n, 1))])),
    ),
)


# ---------------------------------------------------------------- cayley.factors_commute

factors_commute = CLAIMS["cayley.factors_commute"]


def _factors(right: Expression):
    """The statement for another right side."""
    return restate(factors_commute, then=eq(Q, right))


FACTORS_COMMUTE = Entry(
    factors_commute,
    kinds_but(),
    derivation=chain(
        Q,
        step(inverse @ minus @ plus @ inverse, "(I + S) (I + S)⁻¹ = I", right_inverse),
        step(inverse @ plus @ minus @ inverse, "I − S and I + S commute"),
        step(minus @ inverse, "(I + S)⁻¹ (I + S) = I", left_inverse),
    ),
    operators=OPERATOR,
    mutants=(
        Mutant("the sign", _factors(-(minus @ inverse))),
        Mutant("I + S on the right", _factors(plus @ inverse)),
        Mutant("transposed", _factors((minus @ inverse).T)),
        Mutant("I − 2S on the right", _factors((eye(n) - 2 * S) @ inverse)),
        Mutant(
            "S is not skew, I + S only invertible",
            restate(factors_commute, given=only_invertible),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- cayley.eigenvalues

eigenvalues = CLAIMS["cayley.eigenvalues"]
_, _, on_x, on_y = eigenvalues.given
x_image = (1 - mu**2) / (1 + mu**2) * x + 2 * mu / (1 + mu**2) * y
y_image = (1 - mu**2) / (1 + mu**2) * y - 2 * mu / (1 + mu**2) * x
double_angle = instance("double_arctan", mu)


def _image(part: Expression, value: Expression):
    """The proof of Q x = value: apply I + S."""
    return chain(
        Q @ part,
        step(inverse @ (plus @ value), f"(I + S) times it is (I − S) {part}", on_x, on_y),
        step(value, "(I + S)⁻¹ (I + S) = I", left_inverse),
    )


def _turned(part: Expression, value: Expression, by_angle: Expression):
    """The proof of Q x = cos θ x + …, from Q x = value."""
    return chain(
        Q @ part,
        step(value, "the eigenvalue (1 − iμ)/(1 + iμ)", eq(Q @ part, value)),
        step(by_angle, "which is cos θ − i sin θ", double_angle),
    )


def _eigenvalue(real: Expression, imaginary: Expression):
    """The statement for other images of the real and imaginary part."""
    angles = eigenvalues.then.propositions[2:]
    return restate(eigenvalues, then=both(eq(Q @ x, real), eq(Q @ y, imaginary), *angles))


EIGENVALUES = Entry(
    eigenvalues,
    kinds_but(Kind.CERTIFICATE),
    derivation=lines(
        (eq(Q @ x, x_image), _image(x, x_image)),
        (eq(Q @ y, y_image), _image(y, y_image)),
        last=Parts(
            (
                Known(),
                Known(),
                _turned(x, x_image, cos_turn * x + sin_turn * y),
                _turned(y, y_image, cos_turn * y - sin_turn * x),
            )
        ),
    ),
    lemma="cayley_angle:eigenvalues",
    operators=OPERATOR,
    mutants=(
        Mutant(
            "(1 + iμ)/(1 − iμ)",
            _eigenvalue(
                (1 - mu**2) / (1 + mu**2) * x - 2 * mu / (1 + mu**2) * y,
                (1 - mu**2) / (1 + mu**2) * y + 2 * mu / (1 + mu**2) * x,
            ),
        ),
        Mutant("1 − iμ, not divided", _eigenvalue(x + mu * y, y - mu * x)),
        Mutant("its negative", _eigenvalue(-x_image, -y_image)),
        Mutant("the eigenvalue 1", _eigenvalue(x, y)),
        Mutant(
            "x = 0 allowed",
            restate(eigenvalues, given=[skew, on_x, on_y]),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- cayley.image

image = CLAIMS["cayley.image"]
S_of_R, R_is_transform = transform_of(R)
S_R_skew = eq(S_R.T, -S_R)
IMAGE = Entry(
    image,
    kinds_but(Kind.TORCH),
    derivation=lines(*R_is_transform, last=Parts((Known(), Known()))),
    mutants=(
        Mutant("R is not orthogonal", restate(image, given=[invertible(eye(n) + R)])),
        Mutant(
            "S is symmetric",
            restate(image, then=eq(S_R.T, S_R)),
        ),
        Mutant(
            "the transform is Rᵀ",
            restate(image, then=both(S_R_skew, eq(cayley(S_R), R.T))),
        ),
        Mutant(
            "the transform is −R",
            restate(image, then=both(S_R_skew, eq(cayley(S_R), -R))),
        ),
        Mutant(
            "that of −S",
            restate(image, then=both(S_R_skew, eq(cayley(-S_R), R))),
        ),
        Mutant(
            "and det R = 1",
            restate(image, then=both(S_R_skew, eq(det(R), 1))),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- cayley.inverse_is_transpose

inverse_is_transpose = CLAIMS["cayley.inverse_is_transpose"]
of_opposite = cayley(-S)
from_kernel = eq(Q @ x, zeros(n, 1))
INVERSE_IS_TRANSPOSE = Entry(
    inverse_is_transpose,
    kinds_but(),
    derivation=lines(
        (gram, gram_chain),
        (
            invertible(Q),
            TrivialKernel(
                x,
                chain(
                    x,
                    step(Q.T @ (Q @ x), "Qᵀ Q = I", gram),
                    step(zeros(n, 1), "Q x = 0", from_kernel),
                ),
            ),
        ),
        last=Parts(
            (
                chain(
                    of_opposite,
                    step(
                        inv(minus) @ (minus @ minus.T) @ inverse.T,
                        "I + S = (I − S)ᵀ commutes with I − S, and ((I + S)⁻¹ (I + S))ᵀ = I",
                        skew,
                        left_inverse,
                    ),
                    step(
                        minus.T @ inverse.T,
                        "(I − S)⁻¹ (I − S) = I",
                        instance("left_inverse", minus),
                    ),
                    step(Q.T, "transposition reverses a product"),
                ),
                Known(),
                chain(
                    Q.T,
                    step(Q.T @ (Q @ inv(Q)), "Q Q⁻¹ = I", instance("right_inverse", Q)),
                    step(inv(Q), "Qᵀ Q = I", gram),
                ),
            )
        ),
    ),
    operators=OPERATOR,
    mutants=(
        Mutant(
            "Q(−S) = Q",
            restate(inverse_is_transpose, then=both(eq(of_opposite, Q), invertible(Q))),
        ),
        Mutant(
            "Q(−S) = −Qᵀ",
            restate(inverse_is_transpose, then=both(eq(of_opposite, -Q.T), invertible(Q))),
        ),
        Mutant(
            "Q⁻¹ = Q",
            restate(inverse_is_transpose, then=both(invertible(Q), eq(Q, inv(Q)))),
        ),
        Mutant(
            "Q⁻¹ = 2 Qᵀ",
            restate(inverse_is_transpose, then=both(invertible(Q), eq(2 * Q.T, inv(Q)))),
        ),
        Mutant(
            "Q(−S)ᵀ = Q",
            restate(inverse_is_transpose, then=eq(of_opposite.T, Q)),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- cayley.closed_form_gram

closed_form_gram = CLAIMS["cayley.closed_form_gram"]
G_skew, t_not_negative = closed_form_gram.given
defect = Q_t.T @ Q_t - eye(n)


def _defect(value: Expression):
    """The statement for another defect."""
    return restate(closed_form_gram, then=eq(defect, value))


CLOSED_FORM_GRAM = Entry(
    closed_form_gram,
    kinds_but(Kind.CERTIFICATE, Kind.TORCH),
    derivation=chain(
        defect,
        step(
            (eye(n) + c * (G + s * (G @ G))) @ (eye(n) - c * (G - s * (G @ G))) - eye(n),
            "Wᵀ = −W",
            G_skew,
        ),
        step(
            (2 * c * s - c**2) * (G @ G) + c**2 * s**2 * (G @ G @ G @ G),
            "multiply out",
        ),
        step(c**2 * s**2 * (G @ G @ (G @ G + t * eye(n))), "2cs − c² = c² s² t"),
    ),
    lemma="cayley:closed_form_gram",
    mutants=(
        Mutant(
            "W is any matrix",
            restate(closed_form_gram, given=[t_not_negative]),
        ),
        Mutant("−t", _defect(c**2 * s**2 * (G @ G @ (G @ G - t * eye(n))))),
        Mutant("without t", _defect(c**2 * s**2 * (G @ G @ (G @ G)))),
        Mutant("c² s", _defect(c**2 * s * (G @ G @ (G @ G + t * eye(n))))),
        Mutant("no defect", _defect(zeros(n, n))),
        Mutant(
            "t ≥ 0 replaced by 1 + s²t ≠ 0",
            restate(closed_form_gram, given=[G_skew, ne(1 + s**2 * t, 0)]),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- …stack_cannot_negate_reading

stack_reading = CLAIMS["cayley.stack_cannot_negate_reading"]
not_negative, negated_by_stack = stack_reading.given
i = index("i")
A_1i = sequence("A", 1, 1)
small_stack = ordered_product(
    i, 1, L, inv(eye(1) + (A_1i[i] - A_1i[i].T)) @ (eye(1) - (A_1i[i] - A_1i[i].T))
)
STACK_CANNOT_NEGATE_READING = Entry(
    stack_reading,
    (Kind.COUNTEREXAMPLE,),
    repaired_by="cayley.square_covers_rotations",
    mutants=(
        Mutant("one layer at most", restate(stack_reading, given=[*stack_reading.given, le(L, 1)])),
        Mutant(
            "I and the stack add up to an invertible matrix",
            restate(stack_reading, given=[*stack_reading.given, invertible(eye(n) + stack)]),
        ),
        Mutant(
            "n = 1",
            restate(
                stack_reading,
                given=[not_negative, eq(small_stack @ x1, -x1)],
                then=eq(x1, zeros(1, 1)),
            ),
        ),
        Mutant(
            "only that the transposed stack negates x as well",
            restate(stack_reading, then=eq(stack.T @ x, -x)),
        ),
    ),
)


# ---------------------------------------------------------------- cayley.differential

differential = CLAIMS["cayley.differential"]
slope = derivative(cayley(S + t * T), t, at=0)


def _differential(value: Expression):
    """The statement for another differential."""
    return restate(differential, then=eq(slope, value))


DIFFERENTIAL = Entry(
    differential,
    (Kind.KERNEL, Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=chain(
        slope,
        step(
            -(inverse @ T @ Q) - inverse @ T,
            "the product rule, and the derivative of an inverse, −M⁻¹ M' M⁻¹",
        ),
        step(
            -(inverse @ T @ inverse @ (minus + plus)),
            "(I + S)⁻¹ (I + S) = I, so I − S = 2I − (I + S) commutes with (I + S)⁻¹",
            left_inverse,
        ),
        step(-2 * (inverse @ T @ inverse), "(I − S) + (I + S) = 2I"),
    ),
    lemma="cayley_slope:differential",
    mutants=(
        Mutant("the sign", _differential(2 * (inverse @ T @ inverse))),
        Mutant("without the factor 2", _differential(-(inverse @ T @ inverse))),
        Mutant("T first", _differential(-2 * (T @ inverse @ inverse))),
        Mutant("the last inverse transposed", _differential(-2 * (inverse @ T @ inverse.T))),
        Mutant(
            "in the direction −T",
            restate(
                differential,
                then=eq(derivative(cayley(S - t * T), t, at=0), 2 * (inverse @ T @ inverse)),
            ),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- …data_dependent_jacobian_reading

jacobian_reading = CLAIMS["cayley.data_dependent_jacobian_reading"]
p1, h1, K_1 = vector("p", 1), vector("h", 1), matrix("K", 1, 1)
small_skew = entry(p1.T @ (x1 + t * h1)) * K_1
small_rotated = inv(eye(1) + small_skew) @ (eye(1) - small_skew) @ (x1 + t * h1)
DATA_DEPENDENT_JACOBIAN_READING = Entry(
    jacobian_reading,
    (Kind.COUNTEREXAMPLE, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    repaired_by="cayley.isometry",
    mutants=(
        Mutant(
            "the generator does not depend on x",
            restate(jacobian_reading, given=[*jacobian_reading.given, eq(p, zeros(n, 1))]),
        ),
        Mutant(
            "in directions in which the generator stays",
            restate(jacobian_reading, given=[*jacobian_reading.given, eq(p.T @ h, zeros(1, 1))]),
        ),
        Mutant(
            "at x = 0",
            restate(jacobian_reading, given=[*jacobian_reading.given, eq(x, zeros(n, 1))]),
        ),
        Mutant(
            "n = 1",
            restate(
                jacobian_reading,
                given=[eq(K_1.T, -K_1)],
                then=eq(norm(derivative(small_rotated, t, at=0)), norm(h1)),
            ),
        ),
    ),
)

ENTRIES = (
    GENERATOR_SKEW,
    NONSINGULAR,
    NONSINGULAR_ANY_FIELD_READING,
    FACTORS_COMMUTE,
    ORTHOGONAL,
    ISOMETRY,
    DETERMINANT,
    NO_MINUS_ONE,
    SO_EXCLUDES_MINUS_ONE_PRINTED,
    EIGENVALUES,
    IMAGE,
    INVERSE_IS_TRANSPOSE,
    rank_two.CUBE,
    rank_two.CLOSED_FORM,
    CLOSED_FORM_GRAM,
    rank_two.FIXES_COMPLEMENT,
    rank_two.ANGLE,
    rank_two.DISTANCE_TO_MINUS_ONE,
    SQUARE_COVERS_ROTATIONS,
    STACK_CANNOT_NEGATE_READING,
    rank_two.COVERS_ROTATIONS_READING,
    DIFFERENTIAL,
    DATA_DEPENDENT_JACOBIAN_READING,
    rank_two.DERIVATIVE_IN_BETA,
    rank_two.IDENTITY_AT_ZERO,
)
