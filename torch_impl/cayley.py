"""Cayley rotations Q = (I + S)⁻¹(I − S): any skew S, and S = (β/2)(u vᵀ − v uᵀ).

cayley          == Q for a skew matrix, by a dense solve
cayley_rank_two == Q for the rank-two S, as a matrix
rotate_rank_two == Q X for the rank-two S

The rank-two rotation turns the plane of u and v by θ = 2·arctan(τ), τ = (β/2)ω with ω the area
spanned by u and v. It is built from an orthonormal basis of that plane, with sin θ and 1 − cos θ
from τ or 1/τ, so that it stays orthogonal for every gate and angle, and needs no solve. Where the
plane vanishes Q = I. Its derivative dQ = −2(I + S)⁻¹ dS (I + S)⁻¹ exists there too, while the
basis has none: hence the backward of `_Rotation` instead of autograd through the basis.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .arguments import broadcast, check_arguments, check_out

_HALF = (torch.bfloat16, torch.float16)
_TINY = torch.finfo(torch.float64).tiny
_HUGE = torch.finfo(torch.float64).max
_DENSE = torch.contiguous_format
_DENSE_ROWS = 8  # up to here a product with Q costs less than two thin ones and a difference


def cayley(skew: Tensor) -> Tensor:
    """Return (I + S)⁻¹(I − S).

    Parameters
    ----------
    skew : (..., n, n)
        Real skew-symmetric S, float64, float32, bfloat16 or float16 (the half formats are
        solved in float32 and rounded once). Skewness is not checked.

    Returns
    -------
    Tensor
        (..., n, n), within `numeric.cayley.cayley_bound`, which grows with ‖S‖: a solve loses
        orthogonality in proportion to it.

    Raises
    ------
    TypeError, ValueError
        As `check_arguments`.

    Notes
    -----
    Claims cayley.nonsingular, cayley.orthogonal, cayley.isometry, cayley.determinant,
    cayley.no_minus_one. Source: the geometric residual paper, Theorems 4.1 and 4.6.
    """
    check_arguments("cayley", skew=(skew, "n n"))
    working = skew.to(_working_dtype(skew.dtype))
    eye = torch.eye(skew.shape[-1], dtype=working.dtype, device=skew.device)
    return torch.linalg.solve(eye + working, eye - working).to(skew.dtype)


def cayley_rank_two(u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Return Q = (I + S)⁻¹(I − S), S = (β/2)(u vᵀ − v uᵀ).

    Parameters
    ----------
    u, v : (..., n)
        Directions, of any length and angle.
    beta : (...)
        Gate, any real. All of one dtype, float64, float32, bfloat16 or float16; leading axes
        broadcast. Computed in float64, then rounded once.

    Returns
    -------
    Tensor
        (..., n, n), within `numeric.cayley.cayley_rank_two_bound` of the exact rotation and
        within `numeric.cayley.orthogonality_bound` of orthogonality, whatever β and the angle.
        Differentiable everywhere, to any order.

    Raises
    ------
    TypeError, ValueError
        As `check_arguments`.

    Notes
    -----
    Claims cayley.generator_skew, cayley.orthogonal, cayley.isometry, cayley.determinant,
    cayley.no_minus_one, cayley.differential, rounding.cayley_plane_basis. Source: the geometric
    residual paper, Theorem 4.1.
    """
    check_arguments("cayley_rank_two", u=(u, "n"), v=(v, "n"), beta=(beta, ""))
    eye = torch.eye(u.shape[-1], dtype=torch.float64, device=u.device)
    return _rotation(eye, u, v, beta).to(u.dtype)


def rotate_rank_two(X: Tensor, u: Tensor, v: Tensor, beta: Tensor, *, out: Tensor | None = None):
    """Return Q X, Q = (I + S)⁻¹(I − S), S = (β/2)(u vᵀ − v uᵀ).

    Parameters
    ----------
    X : (..., n, m)
        State.
    u, v : (..., n)
        Directions, of any length and angle.
    beta : (...)
        Gate, any real. All of one dtype, float64, float32, bfloat16 or float16; leading axes
        broadcast. The plane is found in float64; half formats are applied in float32.
    out : (..., n, m), optional
        Receives the result, without autograd; must not share memory with ``X``.

    Returns
    -------
    Tensor
        (..., n, m), within `numeric.cayley.rotate_rank_two_bound`, entry by entry.
        Differentiable everywhere, to any order; a graph of the gradient (``create_graph``) loses
        digits in proportion to β, the gradient itself does not.

    Raises
    ------
    TypeError, ValueError
        As `check_arguments` and `check_out`; also for an ``out`` that shares memory with ``X``
        or where a gradient is required.

    Notes
    -----
    Claims as `cayley_rank_two`.
    """
    batch = check_arguments(
        "rotate_rank_two", X=(X, "n m"), u=(u, "n"), v=(v, "n"), beta=(beta, "")
    )
    state = X.to(_working_dtype(X.dtype))
    if out is None:
        return _rotation(state, u, v, beta).to(X.dtype)
    check_out("rotate_rank_two", out, (*batch, *X.shape[-2:]), X.dtype)
    if torch.is_grad_enabled() and any(t.requires_grad for t in (X, u, v, beta)):
        raise ValueError("rotate_rank_two: out= does not support gradients; pass detached tensors")
    if out.untyped_storage().data_ptr() == X.untyped_storage().data_ptr():
        raise ValueError("rotate_rank_two: out must not share memory with X")
    factors = _factors(_plane(u, v, beta), state.dtype)
    if state is X:
        return _turned(X, factors, out=out)
    return out.copy_(_turned(state, factors))


class _Plane(NamedTuple):
    """An orthonormal basis (first, second) of span(u, v), and the rotation in it.

    The tokens come last, so that every operation runs along them: a small matrix per token is
    many times slower.
    """

    first: Tensor  # (n, ...)
    second: Tensor  # (n, ...); either is 0 where it would be undefined, and then Q = I
    length: Tensor  # (...), u = length · first
    along: Tensor  # (...), v = along · first + height · second
    height: Tensor
    tau: Tensor  # (...), of the angle θ = 2·arctan(τ)


def _plane(u: Tensor, v: Tensor, beta: Tensor) -> _Plane:
    """Find the plane of u and v and the angle, in float64.

    Below `flat_threshold` the second direction is rounding error: there Q = I is as near to the
    exact rotation as any choice, and exact for parallel u and v (`numeric.cayley`, step 3).
    """
    n = u.shape[-1]
    batch = broadcast(u.shape[:-1], v.shape[:-1], beta.shape)
    u, scale_u = _scaled(u.expand(*batch, n))
    v, scale_v = _scaled(v.expand(*batch, n))
    length = _norm(u)
    first = u / length.clamp_min(_TINY)
    along = _dot(first, v)
    across = torch.addcmul(v, along, first, value=-1)
    across = torch.addcmul(across, _dot(first, across), first, value=-1)
    height = _norm(across)
    flat = height <= flat_threshold(n) * along.abs()
    second = across * torch.where(flat, 0.0, height.reciprocal())
    height = torch.where(flat, 0.0, height)
    if scale_u is not None and scale_v is not None:
        length, along, height = scale_u * length, scale_v * along, scale_v * height
    tau = beta / 2 * height * length
    return _Plane(first, second, length, along, height, tau)


def flat_threshold(n: int) -> float:
    """Return the height of v over the line of u, relative to v, that rounding alone explains."""
    return (12 * n + 64) * torch.finfo(torch.float64).eps / 2


def _factors(plane: _Plane, dtype: torch.dtype) -> tuple[Tensor, ...]:
    """Return Q, or where n is large F and E with Q = I − F Eᵀ, E of columns first and second."""
    first, second, *_, tau = plane
    # τ² would overflow where 1/τ merely vanishes.
    sine = 2 / (tau + tau.reciprocal())
    one_minus_cos = tau.clamp(-_HUGE, _HUGE) * sine
    F_first = torch.addcmul(one_minus_cos * first, sine, second, value=-1)
    F_second = torch.addcmul(sine * first, one_minus_cos, second)
    n = len(first)
    if n > _DENSE_ROWS:
        F, E = torch.stack([F_first, F_second], dim=1), torch.stack([first, second], dim=1)
        return _tokens_first(F, dtype), _tokens_first(E, dtype)
    eye = torch.eye(n, dtype=first.dtype, device=first.device)
    Q = eye.reshape(n, n, *[1] * tau.ndim) - F_first.unsqueeze(1) * first
    return (_tokens_first(torch.addcmul(Q, F_second.unsqueeze(1), second, value=-1), dtype),)


def _transposed(factors: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Return the factors of Qᵀ."""
    return (factors[0].mT,) if len(factors) == 1 else factors[::-1]


def _turned(X: Tensor, factors: tuple[Tensor, ...], *, out: Tensor | None = None) -> Tensor:
    """Return Q X."""
    if len(factors) == 1:
        return torch.matmul(factors[0], X, out=out)
    F, E = factors
    return torch.sub(X, F @ (E.mT @ X), out=out)


def _rotation(X: Tensor, u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    # Tokens last broadcast only where every argument has as many leading axes as any other.
    axes = (2, 1, 1, 0)
    arguments = (X, u, v, beta)
    rank = max(x.ndim - own for x, own in zip(arguments, axes, strict=True))
    padded = [x[(None,) * (rank + own - x.ndim)] for x, own in zip(arguments, axes, strict=True)]
    if not _differentiated(*padded):
        X, *directions = padded
        return _turned(X, _factors(_plane(*directions), X.dtype))
    Y, *_ = _Rotation.apply(*padded)  # pyright: ignore[reportGeneralTypeIssues]
    return Y


def _differentiated(*arguments: Tensor) -> bool:
    """Return whether a derivative may be asked for; only then is `_Rotation` worth its cost."""
    if torch.compiler.is_compiling():
        return True
    if torch.is_grad_enabled() and any(x.requires_grad for x in arguments):
        return True
    # A forward derivative: `_Rotation` says that it has none.
    return any(forward_ad.unpack_dual(x).tangent is not None for x in arguments)


class _Rotation(torch.autograd.Function):
    """X, u, v, β ↦ Q X with the derivative dQ = −2(I + S)⁻¹ dS (I + S)⁻¹.

    With P = (I + S)⁻¹ = (I + Q)/2 and G the gradient of Q X, X receives QᵀG, and S receives
    −2 (PᵀG)(PX)ᵀ; dS = (dβ/2)(u vᵀ − v uᵀ) + (β/2)(du vᵀ + u dvᵀ − dv uᵀ − v duᵀ) passes it on.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(X: Tensor, u: Tensor, v: Tensor, beta: Tensor) -> tuple[Tensor, ...]:
        plane = _plane(u, v, beta)
        factors = _factors(plane, X.dtype)
        return _turned(X, factors), *plane, *factors

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        # Every saved tensor must be an input or an output: so the plane is returned too.
        ctx.mark_non_differentiable(*output[1:])
        ctx.save_for_backward(*inputs, *output[1:])

    @staticmethod
    def backward(ctx, G: Tensor, *_):  # pyright: ignore[reportIncompatibleMethodOverride]
        X, u, v, beta, *saved = ctx.saved_tensors
        if torch.is_grad_enabled():
            gradients = _smooth_gradients(X, u, v, beta, G)
        else:
            width = len(_Plane._fields)
            plane, factors = _Plane(*saved[:width]), tuple(saved[width:])
            gradients = _stable_gradients(X, plane, factors, beta, G)
        return tuple(
            gradient.sum_to_size(argument.shape).to(argument.dtype)
            for gradient, argument in zip(gradients, (X, u, v, beta), strict=True)
        )


def _smooth_gradients(X: Tensor, u: Tensor, v: Tensor, beta: Tensor, G: Tensor):
    """Return the gradients as smooth functions of all arguments, to be differentiated again."""
    grad_X = _rotation(G, u, v, -beta)
    A = ((G + grad_X) / 2).double()
    B = ((X + _rotation(X, u, v, beta)) / 2).double()
    directions = torch.stack(torch.broadcast_tensors(u, v), dim=-1).double()
    read_A, read_B = A.mT @ directions, B.mT @ directions
    grad_v, grad_u = (beta[..., None, None] * (A @ read_B - B @ read_A)).unbind(-1)
    grad_beta = (read_A[..., 1] * read_B[..., 0] - read_A[..., 0] * read_B[..., 1]).sum(-1)
    return grad_X, -grad_u, grad_v, grad_beta


def _stable_gradients(
    X: Tensor, plane: _Plane, factors: tuple[Tensor, ...], beta: Tensor, G: Tensor
):
    """Return the gradients by way of the plane.

    With C = G Xᵀ all of them are read off the skew K = Pᵀ C Pᵀ − P Cᵀ P along the plane: u
    receives −βKv, v receives βKu, and β receives −uᵀKv. P shrinks the plane by 1/√(1 + τ²) and
    acts there as (1 + τJ)/(1 + τ²), J the quarter turn. Applied so it does that to full relative
    accuracy, where (X + QX)/2 would leave rounding errors that β then magnifies.
    """
    first, second, length, along, height, tau = plane
    A, B = _crossed(G, X, torch.stack([first, second], dim=1))
    c = (1 + tau * tau).reciprocal()
    s = c * tau.clamp(-_HUGE, _HUGE)
    odd, even = A - B, A + B
    # K E = D off the plane, and = κ E J in it, where C counts by a trace and a skew part alone.
    D_first = torch.addcmul(c * odd[:, 0], s, even[:, 1], value=-1)
    D_second = torch.addcmul(c * odd[:, 1], s, even[:, 0])
    trace = _dot(first, A[:, 0]) + _dot(second, A[:, 1])
    skew = _dot(second, A[:, 0]) - _dot(first, A[:, 1])
    kappa = (c - s) * (c + s) * skew - 2 * c * s * trace
    along_u = _off_plane(D_first, plane)
    along_v = _off_plane(torch.addcmul(along * D_first, height, D_second), plane)
    grad_v = torch.addcmul(along_u, kappa, second) * (beta * length)
    in_plane = torch.addcmul(-height * first, along, second)
    grad_u = torch.addcmul(along_v, kappa, in_plane) * -beta
    grad_beta = kappa * length * height
    grad_X = _turned(G, _transposed(factors))
    return grad_X, grad_u.movedim(0, -1), grad_v.movedim(0, -1), grad_beta


def _crossed(G: Tensor, X: Tensor, E: Tensor) -> tuple[Tensor, Tensor]:
    """Return G Xᵀ E and X Gᵀ E, tokens last."""
    frame = _tokens_first(E, X.dtype)
    if len(E) <= _DENSE_ROWS:
        C = G @ X.mT
        return _tokens_last(C @ frame), _tokens_last(C.mT @ frame)
    return _tokens_last(G @ (X.mT @ frame)), _tokens_last(X @ (G.mT @ frame))


def _off_plane(x: Tensor, plane: _Plane) -> Tensor:
    """Return the part of x across the plane."""
    for direction in (plane.first, plane.second):
        x = torch.addcmul(x, _dot(direction, x), direction, value=-1)
    return x


def _tokens_last(A: Tensor) -> Tensor:
    return A.movedim((-2, -1), (0, 1)).to(torch.float64, memory_format=_DENSE).contiguous()


def _tokens_first(A: Tensor, dtype: torch.dtype) -> Tensor:
    return A.movedim((0, 1), (-2, -1)).to(dtype, memory_format=_DENSE).contiguous()


def _scaled(x: Tensor) -> tuple[Tensor, Tensor | None]:
    """Return x in float64, entries first, and what it was divided by.

    Squares of a smaller format fit float64 as they are; float64 is divided by its largest entry.
    """
    entries = x.movedim(-1, 0).to(torch.float64, memory_format=_DENSE).contiguous()
    if x.dtype != torch.float64:
        return entries, None
    scale = entries.abs().amax(0).clamp_min(_TINY)
    return entries / scale, scale


def _dot(x: Tensor, y: Tensor) -> Tensor:
    return (x * y).sum(0)


def _norm(x: Tensor) -> Tensor:
    return _dot(x, x).sqrt()


def _working_dtype(dtype: torch.dtype) -> torch.dtype:
    return torch.float32 if dtype in _HALF else dtype
