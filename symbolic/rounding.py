"""Statements on floating-point arithmetic, rounded to nearest with ties to even.

CLAIMS == in the order of the ledger
saturates(…) == from which z on a spelling of the gate 2σ(z) is 2 in a format

What is claimed of a spelling holds of that spelling: the operations are rounded where it says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from .claims import Claim, Source
from .expressions import (
    Expression,
    Literal,
    SizeOf,
    absolute,
    det,
    dims,
    element,
    elementary,
    eliminated,
    entry,
    eye,
    greatest,
    index,
    matrix,
    matrix_shape,
    named,
    norm,
    rounded,
    scalar,
    size,
    total,
    tr,
    vector,
    zeros,
)
from .formats import BFLOAT16, BINARY16, BINARY32, BINARY64, Format, next_below
from .frobenius import entries_within_product
from .propositions import ForRange, Proposition, both, eq, every_entry, forall, iff, implies, le, lt
from .rounded_rotation import bounded, frobenius_omega, n, orthogonal_within, plane_basis, r
from .rounded_rotation import deltas as relative_errors
from .summation import RoundedSum, rounded_product, rounded_sum

# ---------------------------------------------------------------- the update, entry by entry

beta, v = scalar("beta"), scalar("v_j")
d = dims("d")
i, h = index("i h")
k, x = vector("k", d), vector("X_j", d)
k_i, x_i = element(k, i, 1), element(x, i, 1)
deltas = relative_errors[:6]
"""The relative errors of single operations, each at most r."""


def magnitudes(term: Callable[[Expression], Expression]) -> Expression:
    """Σ term(h) over h = 1, …, d."""
    return total(h, 1, size(d), term(h))


def entry_of(vector: Expression) -> Callable[[Expression], Expression]:
    """The entries of a vector by their index."""
    return lambda t: element(vector, t, 1)


read_magnitudes = magnitudes(lambda t: absolute(element(k, t, 1)) * absolute(element(x, t, 1)))
read_out = RoundedSum(entry_of(k), entry_of(x), entry(k.T @ x), read_magnitudes, SizeOf(d), r)
row = (le(1, i), le(i, size(d)))


def read_first() -> Expression:
    """X_ij + k_i (β (v_j − kᵀX_j)), each operation rounded, the read-out in any order."""
    error = (v - read_out.result) * (1 + deltas[0])
    written = beta * error * (1 + deltas[1])
    return (x_i + k_i * written * (1 + deltas[2])) * (1 + deltas[3])


updated = named("Y", read_first())
exactly = x_i + beta * k_i * (v - entry(k.T @ x))


def update_bound(roundings: Expression) -> Expression:
    """What X_ij, βk_i v_j and the read-out contribute; `roundings` magnifies the last two."""
    return (
        r * absolute(x_i)
        + (roundings - 1) * absolute(beta * k_i * v)
        + (roundings * (1 + size(d) * r) - 1) * (absolute(beta * k_i) * read_magnitudes)
    )


eps_1, eps_2, eps_3 = (vector(f"epsilon_{count}", d) for count in (1, 2, 3))
"""The relative errors of the operations on a row of A = I − βkkᵀ, entry by entry."""


def entries_bounded(errors: Expression) -> ForRange:
    """The entries of a vector of relative errors are at most r."""
    return forall(h, le(absolute(element(errors, h, 1)), r), over=(1, size(d)))


def operator_entry(t: Expression) -> Expression:
    """A_it = I_it − βk_i k_t: two products and a difference, each rounded."""
    product = (
        beta * k_i * element(k, t, 1) * (1 + element(eps_1, t, 1)) * (1 + element(eps_2, t, 1))
    )
    return (element(eye(d), i, t) - product) * (1 + element(eps_3, t, 1))


row_of_sum = total(h, 1, size(d), operator_entry(h) * element(x, h, 1))
applied = RoundedSum(
    operator_entry,
    entry_of(x),
    row_of_sum,
    magnitudes(lambda t: absolute(operator_entry(t)) * absolute(element(x, t, 1))),
    SizeOf(d),
    r,
)


def operator_first() -> Expression:
    """Â X_j + βk_i v_j: a row of Â times a column in any order, two products and a sum."""
    written = beta * k_i * (1 + deltas[3]) * v * (1 + deltas[4])
    return (applied.result + written) * (1 + deltas[5])


operated = named("Y", operator_first())


def operator_bound(roundings: Expression) -> Expression:
    """What `roundings`, a growth, does to everything that is added up."""
    return (roundings - 1) * (
        absolute(x_i) + absolute(beta * k_i) * read_magnitudes + absolute(beta * k_i * v)
    )


# ---------------------------------------------------------------- products of matrices

rows, inner, columns = dims("l n m")
factor_left, factor_right = matrix("A", rows, inner), matrix("B", inner, columns)
multiplied = matrix("C", rows, columns)

# ---------------------------------------------------------------- the rank-two rotation, n = 2

hundredth = Fraction(1, 100)
u_1, u_2, w_1, w_2, g = (scalar(name) for name in ("u_1", "u_2", "w_1", "w_2", "g"))
near = Fraction(1, 4096)  # v lies beside u, at an angle of about 1/4096
v_1, v_2 = named("v_1", u_1 + near * w_1), named("v_2", u_2 + near * w_2)
half_gate = named("s", g / near)


def fl(body: Expression) -> Expression:
    """An operation of binary32."""
    return rounded(body, BINARY32)


def naive_area(u1: Expression, u2: Expression, v1: Expression, v2: Expression) -> Expression:
    """‖u‖²‖v‖² − (u·v)², each operation rounded."""

    def dot(a: Expression, b: Expression, c: Expression, e: Expression) -> Expression:
        return fl(fl(a * c) + fl(b * e))

    squares = fl(dot(u1, u2, u1, u2) * dot(v1, v2, v1, v2))
    across = dot(u1, u2, v1, v2)
    return fl(squares - fl(across * across))


turn = named("a", fl(fl(u_1 * v_2) - fl(v_1 * u_2)))
"""The entry of the generator W = uvᵀ − vuᵀ."""


def closed_form(omega_squared: Expression) -> tuple[Expression, Expression, Expression]:
    """1 + s²ω², and the first column of I − 2s/(1 + s²ω²) W + 2s²/(1 + s²ω²) W²."""
    square, area = named("p", fl(half_gate * half_gate)), named("o", omega_squared)
    divisor = named("D", fl(1 + fl(square * area)))
    diagonal = named("x", fl(1 - fl(fl(2 * square / divisor) * fl(turn * turn))))
    return divisor, diagonal, named("y", fl(fl(2 * half_gate / divisor) * turn))


def rotation_defect(column: tuple[Expression, Expression, Expression]) -> Expression:
    """The entry of Q̂ᵀQ̂ − I: all columns are alike at n = 2."""
    _, cosine, sine = column
    return cosine**2 + sine**2 - 1


naive_form = closed_form(naive_area(u_1, u_2, v_1, v_2))
numbers_of_format = tuple(eq(fl(number), number) for number in (u_1, u_2, v_1, v_2, half_gate))

# ---------------------------------------------------------------- a solve

large = Fraction(10**6, 2)  # half of the gate β = 10⁶
W = matrix("W", n, n)
skew = eq(W.T, -W)
generator = named("S", large * W)
solved = named("Q", eliminated(eye(n) + generator, eye(n) - generator, BINARY32))


def orthogonal_to_two_digits(rotation: Expression) -> Proposition:
    """‖QᵀQ − I‖ ≤ 1/100 in the Frobenius norm."""
    defect = rotation.T @ rotation - eye(matrix_shape(rotation)[0])
    return le(tr(defect.T @ defect), hundredth**2)


entries_of_format = every_entry(generator, lambda entry: eq(fl(entry), entry))

# ---------------------------------------------------------------- the gate

z = scalar("z")
log_2 = elementary("log", 2)


def at_once(logit: Expression, fmt: Format) -> Expression:
    """The gate 2σ(z), the logistic function correctly rounded; doubling is exact."""
    return 2 * rounded(elementary("sigmoid", logit), fmt)


def stepwise(logit: Expression, fmt: Format) -> Expression:
    """The gate as 2/(1 + exp(−z)): exponential, sum and quotient each correctly rounded."""
    decay = rounded(elementary("exp", -logit), fmt)
    return 2 * rounded(1 / rounded(1 + decay, fmt), fmt)


def threshold_at_once(fmt: Format) -> Expression:
    """Where σ(z) comes to the midpoint between 1 and the number before it."""
    count, half = fmt.precision + 1, fmt.unit_roundoff / 2
    return count * log_2 + elementary("log", 1 - Literal(half))


def threshold_stepwise(fmt: Format) -> Expression:
    """Where exp(−z) comes to the midpoint between 2⁻ᵖ and the number after it."""
    return fmt.precision * log_2 - elementary("log", 1 + Literal(fmt.unit_roundoff))


def saturates(gate: Expression, threshold: Expression, first: Fraction, fmt: Format) -> Proposition:
    """`gate` is 2 from a threshold on, and in the format from `first` on."""
    saturated = eq(gate, 2)
    return both(
        iff(saturated, le(threshold, z)),
        lt(next_below(first, fmt), threshold),
        le(threshold, first),
        implies(eq(rounded(z, fmt), z), iff(saturated, le(first, z))),
    )


@dataclass(frozen=True)
class Saturation:
    """A spelling of the gate in a format: from which real z on it is 2, and its first number."""

    format: Format
    gate: Callable[[Expression, Format], Expression]
    threshold: Callable[[Format], Expression]
    first: Fraction

    @property
    def statement(self) -> Proposition:
        """What is claimed of this spelling."""
        return saturates(
            self.gate(z, self.format), self.threshold(self.format), self.first, self.format
        )


SATURATIONS = tuple(
    Saturation(fmt, gate, threshold, Fraction(*first))
    for fmt, once, steps in (
        (BINARY64, (2633898417819761, 2**46), (5170245042386939, 2**47)),
        (BINARY32, (9085219, 2**19), (4360905, 2**18)),
        (BFLOAT16, (25, 4), (89, 16)),
        (BINARY16, (1065, 128), (61, 8)),
    )
    for gate, threshold, first in (
        (at_once, threshold_at_once, once),
        (stepwise, threshold_stepwise, steps),
    )
)

# ---------------------------------------------------------------- the direction

raw, eps = vector("k", n), scalar("epsilon")
short = both(lt(0, norm(raw)), lt(norm(raw), eps))
direction = named("u", raw / greatest(norm(raw), eps))
H = named("H", eye(n) - 2 * (direction @ direction.T))

CLAIMS = (
    Claim(
        "rounding.delta_update",
        title="The update X + βk(vᵀ − kᵀX), read-out first: the error of an entry",
        source=Source("NEW"),
        given=[lt(0, r), *row, *bounded(*deltas[:4]), rounded_sum(read_out)],
        then=le(absolute(updated - exactly), update_bound((1 + r) ** 4)),
    ),
    Claim(
        "rounding.delta_update_operator_first",
        title="The update (I − βkkᵀ)X + βkvᵀ, the operator formed first: the error of an entry",
        source=Source("NEW"),
        given=[
            lt(0, r),
            *row,
            *bounded(*deltas[3:]),
            *(entries_bounded(errors) for errors in (eps_1, eps_2, eps_3)),
            rounded_sum(applied),
        ],
        then=le(absolute(operated - exactly), operator_bound((1 + r) ** (size(d) + 4))),
    ),
    Claim(
        "rounding.product_in_any_order",
        title="A product of matrices, its entries summed in any order: the error of an entry",
        source=Source("NEW"),
        given=[lt(0, r), rounded_product(multiplied, factor_left, factor_right, r)],
        then=entries_within_product(
            multiplied - factor_left @ factor_right, size(inner) * r, factor_left, factor_right
        ),
    ),
    Claim(
        "rounding.cayley_plane_basis",
        title="The rotation in an orthonormal basis of the plane: its defect at every angle and β",
        source=Source("NEW"),
        given=plane_basis.given,
        then=orthogonal_within(plane_basis.Q, plane_basis.bound),
    ),
    Claim(
        "rounding.cayley_frobenius_omega",
        title="The Cayley rotation with ω² = ½‖W‖² from the computed generator: its defect",
        source=Source("NEW"),
        given=frobenius_omega.given,
        then=orthogonal_within(frobenius_omega.Q, frobenius_omega.bound),
    ),
    Claim(
        "rounding.cayley_naive_omega_reading",
        title="With ω² = ‖u‖²‖v‖² − (u·v)², the rotation is orthogonal to two digits in binary32",
        source=Source("NEW"),
        given=[*numbers_of_format, lt(0, naive_form[0])],
        then=le(absolute(rotation_defect(naive_form)), hundredth),
        expected="refuted",
    ),
    Claim(
        "rounding.cayley_solve_reading",
        title="A solve in binary32 keeps the Cayley rotation orthogonal to two digits at β = 10⁶",
        source=Source("GEO-notes"),
        given=[skew, entries_of_format],
        then=orthogonal_to_two_digits(solved),
        expected="refuted",
    ),
    Claim(
        "rounding.gate_saturates",
        title="From which logit on the gate 2σ(z) is exactly 2 in each format",
        source=Source("NEW"),
        then=[each.statement for each in SATURATIONS],
    ),
    Claim(
        "rounding.normalised_zero_is_not_unit",
        title="k/max(‖k‖, ε) is no unit vector for a short k: the reflection along it is none",
        source=Source("NEW"),
        given=[lt(0, eps)],
        then=[
            implies(eq(raw, zeros(n, 1)), eq(H, eye(n))),
            implies(short, eq(det(H), 1 - 2 * norm(raw) ** 2 / eps**2)),
            implies(short, lt(-1, det(H))),
        ],
    ),
)
