"""Operators for cayley and cayley_rank_two."""

from __future__ import annotations

import torch
from torch import Tensor

from .entry import CALLS, Family, Parameter, calls_but
from .spelled import FINE, HALF, eye, in_float32, outer

family = Family()
wrong, right = family.wrong, family.right

ORTHOGONAL = ("cayley.orthogonal", "cayley.isometry", "cayley.determinant")
ONE_BY_ONE = ("batch_independence", "non_contiguous", "two_batch_axes")
"""What errors far beyond the bound fail too, where another kernel makes others."""


def _solved(skew: Tensor) -> Tensor:
    return torch.linalg.solve(eye(skew) + skew, eye(skew) - skew)


# ---------------------------------------------------------------- cayley


@wrong(
    "cayley",
    fails=("definition", *ORTHOGONAL, "cayley.inverse_is_transpose", "cayley.factors_commute"),
    passes=calls_but("finite", *ONE_BY_ONE),
    diagnosis="agrees with a {parameter}-term Neumann series",
    parameter=Parameter("terms", 1, 24, "integer"),
)
@in_float32
def neumann_series(skew: Tensor, *, parameter: int = 5) -> Tensor:
    """The series of the inverse is cut off."""
    total = power = eye(skew) + 0 * skew
    for _ in range(int(parameter)):
        power = -power @ skew
        total = total + 2 * power
    return total


@wrong(
    "cayley",
    fails=("definition", "cayley.orthogonal"),
    passes=calls_but("finite"),
    diagnosis="agrees with an inverse after {parameter} Newton steps",
    parameter=Parameter("steps", 1, 12, "integer"),
)
@in_float32
def newton_inverse(skew: Tensor, *, parameter: int = 3) -> Tensor:
    """The inverse is Newton's iteration, and it stops early."""
    A = eye(skew) + skew
    # a start from which the iteration converges for every skew matrix
    size = (A * A).sum((-2, -1), keepdim=True)
    inverse = A.mT / size
    for _ in range(int(parameter)):
        inverse = inverse @ (2 * eye(skew) - A @ inverse)
    return 2 * inverse - eye(skew)


@wrong(
    "cayley",
    fails=("definition", "gradient"),
    passes=(*CALLS, *ORTHOGONAL),
    diagnosis="agrees with the transpose",
    dtypes=FINE,
)
@in_float32
def transposed(skew: Tensor) -> Tensor:
    """The generator has the other sign, so that Q is transposed."""
    return _solved(-skew)


@wrong(
    "cayley",
    fails=("definition",),
    passes=(*CALLS, *ORTHOGONAL),
    diagnosis="agrees with the generator times {parameter}",
    parameter=Parameter("factor", 0.125, 8.0, "log"),
)
@in_float32
def generator_scaled(skew: Tensor, *, parameter: float = 0.5) -> Tensor:
    """The generator is halved."""
    return _solved(parameter * skew)


@wrong(
    "cayley",
    fails=("definition",),
    passes=(*CALLS, *ORTHOGONAL),
    diagnosis="agrees with the exponential of −2S",
)
@in_float32
def exponential(skew: Tensor) -> Tensor:
    """It is the exponential of −2S, which agrees to second order."""
    return torch.linalg.matrix_exp(-2 * skew)


@wrong(
    "cayley",
    fails=("definition",),
    passes=(*CALLS, "cayley.orthogonal", "cayley.isometry"),
    diagnosis="agrees with the orthogonal factor of I − S",
)
@in_float32
def orthogonalised(skew: Tensor) -> Tensor:
    """I − S is orthogonalised by Gram and Schmidt: some orthogonal matrix, not this one."""
    columns: list[Tensor] = []
    M = eye(skew) - skew
    for j in range(M.shape[-1]):
        q = M[..., j]
        for _ in range(2):
            for p in columns:
                q = q - (p * q).sum(-1, keepdim=True) * p
        columns.append(q / (q * q).sum(-1, keepdim=True).sqrt())
    return torch.stack(columns, -1)


@wrong(
    "cayley",
    fails=("definition", "cayley.orthogonal"),
    passes=CALLS,
    diagnosis="agrees with a ridge of {parameter} on I + S",
    parameter=Parameter("ridge", 1e-9, 1.0, "log"),
    dtypes=FINE,
)
@in_float32
def ridge(skew: Tensor, *, parameter: float = 1e-3) -> Tensor:
    """A ridge is added before the solve, which no skew matrix needs."""
    return torch.linalg.solve((1 + parameter) * eye(skew) + skew, eye(skew) - skew)


@wrong(
    "cayley",
    fails=("definition",),
    passes=(*CALLS, *ORTHOGONAL),
    diagnosis="agrees with the generator's entries clamped to ±{parameter}",
    parameter=Parameter("bound", 0.5, 64.0, "log"),
)
@in_float32
def generator_clamped(skew: Tensor, *, parameter: float = 4.0) -> Tensor:
    """The entries of the generator are clamped."""
    return _solved(skew.clamp(-parameter, parameter))


@wrong("cayley", fails=("definition",), passes=calls_but("finite", *ONE_BY_ONE), dtypes=HALF)
def eliminated_in_half(skew: Tensor) -> Tensor:
    """Half formats are eliminated in half formats, a rounding a step."""
    return _eliminated(skew)


@wrong(
    "cayley",
    fails=("definition",),
    passes=CALLS,
    dtypes=("float64",),
    diagnosis="computes in float32: every result is a number of that format",
)
def computed_in_float32(skew: Tensor) -> Tensor:
    """It computes in float32: invisible in any lower format."""
    return _solved(skew.float()).to(skew.dtype)


@wrong(
    "cayley",
    fails=("gradient",),
    passes=(*CALLS, "definition", *ORTHOGONAL),
    dtypes=FINE,
    diagnosis="the gradient agrees with the inverse detached",
)
@in_float32
def inverse_detached(skew: Tensor) -> Tensor:
    """The inverse counts as a constant."""
    return torch.linalg.inv((eye(skew) + skew).detach()) @ (eye(skew) - skew)


@wrong(
    "cayley",
    fails=("batch_independence", "two_batch_axes"),
    passes=("definition", "determinism", *ORTHOGONAL),
)
@in_float32
def generator_of_the_batch(skew: Tensor) -> Tensor:
    """The generators of a batch are averaged."""
    shared = skew.flatten(0, -3).mean(0) if skew.ndim > 2 and skew.numel() else skew
    return _solved(shared + 0 * skew)


# ---------------------------------------------------------------- cayley_rank_two


def _closed_form(u: Tensor, v: Tensor, s: Tensor) -> Tensor:
    """With ω² = ½‖W‖² from the generator W that was computed."""
    W = outer(u, v) - outer(v, u)
    omega = (W * W).sum((-2, -1)) / 2
    factor = 2 * s / (1 + s**2 * omega)
    return eye(u) - factor[..., None, None] * (W - s[..., None, None] * (W @ W))


@wrong(
    "cayley_rank_two",
    fails=("cayley.orthogonal",),
    passes=(*CALLS, "definition"),
    dtypes=FINE,  # half formats are computed in float32, where their products are exact
)
@in_float32
def omega_by_subtraction(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The square ω² is ‖u‖²‖v‖² − (u·v)², which cancels where u and v are nearly parallel."""
    W = outer(u, v) - outer(v, u)
    s = beta / 2
    omega = (u * u).sum(-1) * (v * v).sum(-1) - (u * v).sum(-1) ** 2
    factor = 2 * s / (1 + s**2 * omega)
    return eye(u) - factor[..., None, None] * (W - s[..., None, None] * (W @ W))


@wrong(
    "cayley_rank_two",
    fails=("definition", "cayley.rank_two_closed_form"),
    passes=(*CALLS, "cayley.orthogonal", "cayley.rank_two_fixes_complement"),
    diagnosis="agrees with the transpose",
)
@in_float32
def roles_swapped(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The roles of u and v are swapped, so that Q is transposed."""
    return _closed_form(v, u, beta / 2)


@wrong(
    "cayley_rank_two",
    fails=("definition", "cayley.rank_two_closed_form", "cayley.rank_two_angle"),
    passes=(*CALLS, "cayley.orthogonal", "cayley.identity_at_zero"),
    diagnosis="agrees with {parameter}·β in the place of β/2",
    parameter=Parameter("factor", 0.0625, 4.0, "log"),
)
@in_float32
def half_missing(u: Tensor, v: Tensor, beta: Tensor, *, parameter: float = 1.0) -> Tensor:
    """The factor ½ of the generator is missing."""
    return _closed_form(u, v, parameter * beta)


@wrong(
    "cayley_rank_two",
    fails=("definition", "cayley.orthogonal", "cayley.rank_two_closed_form"),
    passes=(*CALLS, "cayley.rank_two_fixes_complement", "cayley.identity_at_zero"),
    diagnosis="agrees with the first order alone, I − 2S",
)
@in_float32
def first_order(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The first order alone, I − 2S."""
    return eye(u) - beta[..., None, None] * (outer(u, v) - outer(v, u))


@wrong(
    "cayley_rank_two",
    fails=("definition", "cayley.orthogonal"),
    passes=(*CALLS, "cayley.rank_two_fixes_complement", "cayley.identity_at_zero"),
    diagnosis="agrees with the denominator 1 + s²ω² + ε, ε ≈ {parameter}",
    parameter=Parameter("ε", 1e-9, 1.0, "log"),
    dtypes=FINE,
)
@in_float32
def epsilon_in_denominator(
    u: Tensor, v: Tensor, beta: Tensor, *, parameter: float = 1e-3
) -> Tensor:
    """An ε is added to a denominator that is never below 1."""
    W = outer(u, v) - outer(v, u)
    s = beta / 2
    omega = (W * W).sum((-2, -1)) / 2
    factor = 2 * s / (1 + s**2 * omega + parameter)
    return eye(u) - factor[..., None, None] * (W - s[..., None, None] * (W @ W))


@wrong(
    "cayley_rank_two",
    fails=("definition", "cayley.rank_two_fixes_complement", "cayley.identity_at_zero"),
    passes=CALLS,
    diagnosis="agrees with a ridge of {parameter} on I + S",
    parameter=Parameter("ridge", 1e-9, 1.0, "log"),
    dtypes=FINE,
)
@in_float32
def ridge_in_the_solve(u: Tensor, v: Tensor, beta: Tensor, *, parameter: float = 1e-3) -> Tensor:
    """A ridge is added before the solve."""
    S = (beta / 2)[..., None, None] * (outer(u, v) - outer(v, u))
    return torch.linalg.solve((1 + parameter) * eye(u) + S, eye(u) - S)


@wrong(
    "cayley_rank_two",
    fails=("definition", "cayley.orthogonal"),
    passes=(*CALLS, "cayley.rank_two_fixes_complement", "cayley.identity_at_zero"),
    diagnosis="agrees with the square of s missing in the denominator",
)
@in_float32
def square_missing(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The denominator is 1 + |s| ω² in the place of 1 + s²ω²."""
    W = outer(u, v) - outer(v, u)
    s = beta / 2
    factor = 2 * s / (1 + s.abs() * (W * W).sum((-2, -1)) / 2)
    return eye(u) - factor[..., None, None] * (W - s[..., None, None] * (W @ W))


@wrong(
    "cayley_rank_two",
    fails=("definition",),
    passes=(*CALLS, "cayley.orthogonal", "cayley.identity_at_zero"),
    diagnosis="agrees with u and v normalised first",
)
@in_float32
def directions_normalised(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Both u and v are normalised first: the angle no longer depends on their lengths."""
    u, v = (torch.nn.functional.normalize(x, dim=-1) for x in (u, v))
    return _closed_form(u, v, beta / 2)


@wrong(
    "cayley_rank_two",
    fails=("finite",),
    passes=("returns", "inputs_unchanged", "determinism"),
)
@in_float32
def plane_without_parallels(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """A basis of the plane is divided by its length, which parallel vectors do not have."""
    a = u / u.norm(dim=-1, keepdim=True)
    w = v - (a * v).sum(-1, keepdim=True) * a
    b = w / w.norm(dim=-1, keepdim=True)
    s = beta / 2 * u.norm(dim=-1) * w.norm(dim=-1)
    return _closed_form(a, b, s)


@wrong(
    "cayley_rank_two",
    fails=("definition",),
    passes=(*CALLS, "cayley.orthogonal", "cayley.identity_at_zero"),
    diagnosis="agrees with the gate clamped to [0, {parameter}]",
    parameter=Parameter("bound", 0.25, 4.0, "linear"),
)
@in_float32
def gate_clamped(u: Tensor, v: Tensor, beta: Tensor, *, parameter: float = 2.0) -> Tensor:
    """The gate is clamped to [0, 2]."""
    return _closed_form(u, v, beta.clamp(0, parameter) / 2)


@wrong(
    "cayley_rank_two",
    fails=("gradient",),
    passes=(*CALLS, "definition", "cayley.orthogonal"),
    dtypes=FINE,
    diagnosis="the gradient agrees with the denominator detached",
)
@in_float32
def denominator_detached(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The denominator counts as a constant."""
    W = outer(u, v) - outer(v, u)
    s = beta / 2
    factor = 2 * s / (1 + s**2 * (W * W).sum((-2, -1)) / 2).detach()
    return eye(u) - factor[..., None, None] * (W - s[..., None, None] * (W @ W))


# ---------------------------------------------------------------- spelled otherwise


def _eliminated(skew: Tensor) -> Tensor:
    """Gauss and Jordan without pivots: the symmetric part of I + S is I, so none is below 1."""
    n = skew.shape[-1]
    rows = torch.cat([eye(skew) + skew, eye(skew) - skew], -1)
    for i in range(n):
        pivot = rows[..., i : i + 1, :] / rows[..., i : i + 1, i : i + 1]
        others = rows - rows[..., i : i + 1] * pivot
        keep = torch.zeros_like(rows[..., :1])
        keep[..., i, :] = 1
        rows = torch.where(keep > 0, pivot, others)
    return rows[..., n:]


@right("cayley")
@in_float32
def by_inverse(skew: Tensor) -> Tensor:
    """One explicit inverse, 2(I + S)⁻¹ − I."""
    return 2 * torch.linalg.inv(eye(skew) + skew) - eye(skew)


@right("cayley")
@in_float32
def by_elimination(skew: Tensor) -> Tensor:
    """Gauss and Jordan's elimination, row by row."""
    return _eliminated(skew)


@right("cayley")
@in_float32
def solved_from_the_right(skew: Tensor) -> Tensor:
    """The factors in the other order, (I − S)(I + S)⁻¹."""
    return torch.linalg.solve(eye(skew) + skew, eye(skew) - skew, left=False)


@right("cayley")
@in_float32
def lower_triangle_alone(skew: Tensor) -> Tensor:
    """The generator is read from its lower triangle."""
    lower = torch.tril(skew, -1)
    return _solved(lower - lower.mT)


@right("cayley_rank_two")
@in_float32
def omega_from_generator(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The closed form, ω² from the computed generator."""
    return _closed_form(u, v, beta / 2)


@right("cayley_rank_two")
@in_float32
def closed_form_by_columns(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """The closed form, W applied twice to each column of I."""
    W = outer(u, v) - outer(v, u)
    s = (beta / 2)[..., None, None]
    omega = torch.einsum("...ij,...ij->...", W, W)[..., None, None] / 2
    turned = W - s * torch.einsum("...ij,...jk->...ik", W, W)
    return eye(u) - 2 * s * turned / (1 + s * s * omega)


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
