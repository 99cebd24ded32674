"""The Cayley rotation of a plane as it is computed: each operation rounded, in the standard model.

r, deltas, bounded(…)    == the roundoff, relative errors of single operations, that they are ≤ r
orthogonal_within(Q, c)  == ‖QᵀQ − I‖ ≤ c in the Frobenius norm
frobenius_omega          == I − a W + b W², ω² = ½‖W‖² of the computed generator W
plane_basis              == I − F Eᵀ, E an orthonormal basis of the plane, by Gram and Schmidt

The errors of an operation on matrices are the entries of a matrix, each at most r times what is
rounded; inner products are summed in any order (summation.py). Nothing overflows or underflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from .expressions import (
    Expression,
    absolute,
    dims,
    entry,
    eye,
    matrix,
    matrix_shape,
    named,
    scalar,
    size,
    tr,
    vec,
    vector,
)
from .frobenius import entries_within
from .propositions import Proposition, eq, le, lt, ne
from .summation import rounded_product

n, r = dims("n"), scalar("r")
deltas = tuple(scalar(f"delta_{count}") for count in range(1, 9))
"""The relative errors of single operations, each at most r."""


def bounded(*errors: Expression) -> tuple[Proposition, ...]:
    """Relative errors of single operations are at most r."""
    return tuple(le(absolute(error), r) for error in errors)


def orthogonal_within(rotation: Expression, bound: Expression) -> Proposition:
    """‖QᵀQ − I‖ ≤ bound in the Frobenius norm."""
    defect = rotation.T @ rotation - eye(matrix_shape(rotation)[0])
    return le(tr(defect.T @ defect), bound**2)


# ---------------------------------------------------------------- ω² from the computed generator


@dataclass(frozen=True)
class Frobenius:
    """The closed form I − 2s/(1 + s²ω²) W + 2s²/(1 + s²ω²) W², ω² = ½‖W‖² of the computed W.

    Each operation on entries is rounded: its errors are the entries of one of the E's, at most r
    times what is rounded. ‖W‖² is a sum of n² squares, W² a product, each summed in any order.
    Rounding is symmetric, so W is skew. That D > 0 follows from the rest; it is said since D is
    divided by.
    """

    r: ClassVar[Expression] = r
    s: ClassVar[Expression] = scalar("sigma")
    share: Fraction = Fraction(1, 2)
    u: ClassVar[Expression] = vector("u", n)
    v: ClassVar[Expression] = vector("v", n)
    W: ClassVar[Expression] = matrix("W", n, n)
    N: ClassVar[Expression] = matrix("N", 1, 1)
    W_2: ClassVar[Expression] = matrix("W_2", n, n)
    X: ClassVar[Expression] = matrix("X", n, n)
    Y: ClassVar[Expression] = matrix("Y", n, n)
    Z: ClassVar[Expression] = matrix("Z", n, n)
    Q: ClassVar[Expression] = matrix("Q", n, n)
    E: ClassVar[tuple[Expression, ...]] = tuple(matrix(f"E_{count}", n, n) for count in range(1, 7))

    @property
    def half_square(self) -> Expression:
        """ω² of the computed W, exactly."""
        return self.share * tr(self.W.T @ self.W)

    @property
    def area(self) -> Expression:
        """ω² of u and v, exactly."""
        u, v = self.u, self.v
        return entry(u.T @ u) * entry(v.T @ v) - entry(u.T @ v) ** 2

    @property
    def square(self) -> Expression:
        """s², rounded."""
        return self.s**2 * (1 + deltas[0])

    @property
    def divisor(self) -> Expression:
        """1 + s²ω², rounded thrice."""
        omega_squared = self.share * entry(self.N)
        return named("D", (1 + self.square * omega_squared * (1 + deltas[1])) * (1 + deltas[2]))

    @property
    def first(self) -> Expression:
        """The coefficient of W."""
        return named("f_1", 2 * self.s / self.divisor * (1 + deltas[3]))

    @property
    def second(self) -> Expression:
        """The coefficient of W²."""
        return named("f_2", 2 * self.square / self.divisor * (1 + deltas[4]))

    @property
    def products(self) -> Expression:
        """The products u_i v_j, rounded."""
        return self.u @ self.v.T + self.E[0]

    @property
    def given(self) -> list[Proposition]:
        """That the matrix Q was computed so."""
        r, eye_n, count = self.r, eye(n), size(n)
        E_1, E_2, E_3, E_4, E_5, E_6 = self.E
        columns = vec(self.W)
        difference = self.products - self.products.T
        return [
            lt(0, r),
            le(r, 1 / (1024 * count**2)),
            lt(0, self.area),
            *bounded(*deltas[:5]),
            entries_within(E_1, r, self.u @ self.v.T),
            entries_within(E_2, r, difference),
            eq(E_2.T, -E_2),
            eq(self.W, difference + E_2),
            rounded_product(self.N, columns.T, columns, r),
            lt(0, self.divisor),
            rounded_product(self.W_2, self.W, self.W, r),
            entries_within(E_3, r, self.first * self.W),
            eq(self.X, self.first * self.W + E_3),
            entries_within(E_4, r, self.second * self.W_2),
            eq(self.Y, self.second * self.W_2 + E_4),
            entries_within(E_5, r, eye_n - self.X),
            eq(self.Z, eye_n - self.X + E_5),
            entries_within(E_6, r, self.Z + self.Y),
            eq(self.Q, self.Z + self.Y + E_6),
        ]

    @property
    def bound(self) -> Expression:
        """670 n²r + 3300 r²‖u‖²‖v‖²/ω²."""
        u, v = self.u, self.v
        lengths = entry(u.T @ u) * entry(v.T @ v)
        return 670 * (size(n) ** 2 * self.r) + 3300 * (self.r**2 * lengths / self.area)


frobenius_omega = Frobenius()


# ---------------------------------------------------------------- an orthonormal basis of the plane


def rounded_root(root: Expression, of: Expression) -> tuple[Proposition, ...]:
    """A root that is not 0, with a relative error of at most r."""
    return (
        lt(0, entry(root)),
        le((1 - r) ** 2 * entry(of), entry(root) ** 2),
        le(entry(root) ** 2, (1 + r) ** 2 * entry(of)),
    )


@dataclass(frozen=True)
class PlaneBasis:
    """I − F Eᵀ with E = (e_1, e_2) from u and v, F = E M, M of sin θ and 1 − cos θ, τ = tan(θ/2).

    e_1 is u divided by its length l_1. The part of v along e_1, x_1, is taken off, then what is
    left of it, x_2; the rest w_2 times 1/l_2 is e_2. It is kept only if l_2 exceeds what rounding
    alone explains, `threshold`·|x_1|: otherwise the rotation is I, which is orthogonal. The angle
    is any: τ may have any error.

    That 1/τ + τ as computed is not 0 follows from the rest; it is said since it is divided by.
    """

    tau: ClassVar[Expression] = scalar("tau")
    u: ClassVar[Expression] = vector("u", n)
    v: ClassVar[Expression] = vector("v", n)
    N: ClassVar[tuple[Expression, ...]] = tuple(matrix(f"N_{k}", 1, 1) for k in (1, 2))
    length: ClassVar[tuple[Expression, ...]] = tuple(matrix(f"l_{k}", 1, 1) for k in (1, 2))
    x: ClassVar[tuple[Expression, ...]] = tuple(matrix(f"x_{k}", 1, 1) for k in (1, 2))
    w: ClassVar[tuple[Expression, ...]] = tuple(vector(f"w_{k}", n) for k in (1, 2))
    e: ClassVar[tuple[Expression, ...]] = tuple(vector(f"e_{k}", n) for k in (1, 2))
    F: ClassVar[tuple[Expression, ...]] = tuple(vector(f"F_{k}", n) for k in (1, 2))
    eps: ClassVar[tuple[Expression, ...]] = tuple(vector(f"epsilon_{k}", n) for k in range(1, 13))
    E: ClassVar[tuple[Expression, ...]] = tuple(matrix(f"E_{k}", n, n) for k in range(1, 5))
    Z: ClassVar[Expression] = matrix("Z", n, n)
    Q: ClassVar[Expression] = matrix("Q", n, n)
    threshold: Expression = (12 * size(n) + 64) * r
    normalised: bool = True

    @property
    def reciprocals(self) -> tuple[Expression, Expression]:
        """1 by the lengths, the second rounded: u is divided by its length, w_2 multiplied."""
        first = 1 / entry(self.length[0]) if self.normalised else size(1)
        return first, 1 / entry(self.length[1]) * (1 + deltas[0])

    @property
    def divisor(self) -> Expression:
        """τ + 1/τ, rounded twice."""
        return (self.tau + 1 / self.tau * (1 + deltas[1])) * (1 + deltas[2])

    @property
    def sine(self) -> Expression:
        """sin θ = 2/(τ + 1/τ)."""
        return named("sin", 2 / self.divisor * (1 + deltas[3]))

    @property
    def versine(self) -> Expression:
        """1 − cos θ = τ sin θ."""
        return named("vers", self.tau * self.sine * (1 + deltas[4]))

    def projected(self, of: Expression, place: int) -> list[Proposition]:
        """What is left of a vector without its part along e_1."""
        e, x, w = self.e[0], self.x[place], self.w[place]
        scaled, off = self.eps[2 * place + 1 : 2 * place + 3]
        part = entry(x) * e + scaled
        return [
            rounded_product(x, e.T, of, r),
            entries_within(scaled, r, entry(x) * e),
            entries_within(off, r, of - part),
            eq(w, of - part + off),
        ]

    def unit(self, of: Expression, place: int, error: Expression) -> list[Proposition]:
        """A vector divided by its computed length."""
        scaled = self.reciprocals[place] * of
        return [
            rounded_product(self.N[place], of.T, of, r),
            *rounded_root(self.length[place], self.N[place]),
            entries_within(error, r, scaled),
            eq(self.e[place], scaled + error),
        ]

    def column(self, place: int) -> list[Proposition]:
        """A column of F: vers·e_1 − sin·e_2, or sin·e_1 + vers·e_2."""
        first, second = self.terms(place)
        of_first, of_second, off = self.eps[3 * place + 6 : 3 * place + 9]
        together = (first + of_first, second + of_second)
        exact = together[0] - together[1] if place == 0 else together[0] + together[1]
        return [
            entries_within(of_first, r, first),
            entries_within(of_second, r, second),
            entries_within(off, r, exact),
            eq(self.F[place], exact + off),
        ]

    def terms(self, place: int) -> tuple[Expression, Expression]:
        """The two terms of a column of F."""
        e_1, e_2 = self.e
        if place == 0:
            return self.versine * e_1, self.sine * e_2
        return self.sine * e_1, self.versine * e_2

    def taken_off(self, before: Expression, place: int, after: Expression) -> list[Proposition]:
        """A matrix less a column of F times a row of Eᵀ."""
        product = self.F[place] @ self.e[place].T
        rounded, off = self.E[2 * place : 2 * place + 2]
        return [
            entries_within(rounded, r, product),
            entries_within(off, r, before - (product + rounded)),
            eq(after, before - (product + rounded) + off),
        ]

    @property
    def kept(self) -> Proposition:
        """The second direction is not flat, by a comparison with a rounded product."""
        return le(
            self.threshold * absolute(entry(self.x[0])) * (1 + deltas[5]), entry(self.length[1])
        )

    @property
    def given(self) -> list[Proposition]:
        """That the matrix Q was computed so."""
        (w_1, w_2), eps = self.w, self.eps
        return [
            lt(0, r),
            le(r, 1 / (1024 * size(n))),
            *bounded(*deltas[:6]),
            ne(self.tau, 0),
            ne(self.divisor, 0),
            *self.unit(self.u, 0, eps[0]),
            *self.projected(self.v, 0),
            *self.projected(w_1, 1),
            *self.unit(w_2, 1, eps[5]),
            self.kept,
            *self.column(0),
            *self.column(1),
            *self.taken_off(eye(n), 0, self.Z),
            *self.taken_off(self.Z, 1, self.Q),
        ]

    @property
    def bound(self) -> Expression:
        """93 n r + 780 r."""
        return 93 * (size(n) * r) + 780 * r


plane_basis = PlaneBasis()
