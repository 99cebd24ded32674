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

from .arguments import check_arguments, check_out

_HALF = (torch.bfloat16, torch.float16)
_TINY = torch.finfo(torch.float64).tiny
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
    plane = _plane(u, v, beta)
    if state is X:
        return _turned(X, plane, out=out)
    return out.copy_(_turned(state, plane))


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
    sine: Tensor  # (...), of the angle θ
    one_minus_cos: Tensor
    one_plus_cos: Tensor

    def turned(self) -> tuple[Tensor, Tensor]:
        """Return the two columns of F with Q = I − F Eᵀ, E of columns first and second."""
        return (
            torch.addcmul(self.one_minus_cos * self.first, self.sine, self.second, value=-1),
            torch.addcmul(self.sine * self.first, self.one_minus_cos, self.second),
        )

    def transposed(self) -> "_Plane":
        """Return the plane with the inverse rotation."""
        return self._replace(sine=-self.sine)


def _plane(u: Tensor, v: Tensor, beta: Tensor) -> _Plane:
    """Find the plane of u and v and the angle, in float64.

    Below `flat_threshold` the second direction is rounding error: there Q = I is as near to the
    exact rotation as any choice, and exact for parallel u and v (`numeric.cayley`, step 3).
    """
    n = u.shape[-1]
    batch = torch.broadcast_shapes(u.shape[:-1], v.shape[:-1], beta.shape)
    scale_u, u = _scaled(u.expand(*batch, n))
    scale_v, v = _scaled(v.expand(*batch, n))
    length = _norm(u)
    first = u / length.clamp_min(_TINY)
    along = (first * v).sum(0)
    across = torch.addcmul(v, along, first, value=-1)
    across = torch.addcmul(across, (first * across).sum(0), first, value=-1)
    height = _norm(across)
    height = height.masked_fill(height <= flat_threshold(n) * along.abs(), 0)
    second = across * height.reciprocal().masked_fill(height == 0, 0)
    length, along, height = scale_u * length, scale_v * along, scale_v * height

    tau = beta.double() / 2 * height * length
    # τ² would overflow where 1/τ² merely vanishes.
    steep = tau.abs() > 1
    t = torch.where(steep, tau.reciprocal(), tau)
    far = 2 / (1 + t * t)
    sine = far * t
    near = sine * t
    return _Plane(
        first=first,
        second=second,
        length=length,
        along=along,
        height=height,
        sine=sine,
        one_minus_cos=torch.where(steep, far, near),
        one_plus_cos=torch.where(steep, near, far),
    )


def flat_threshold(n: int) -> float:
    """Return the height of v over the line of u, relative to v, that rounding alone explains."""
    return (12 * n + 64) * torch.finfo(torch.float64).eps / 2


def _turned(X: Tensor, plane: _Plane, *, out: Tensor | None = None) -> Tensor:
    """Return X − F EᵀX in the dtype of X."""
    n = X.shape[-2]
    basis, turned = (plane.first, plane.second), plane.turned()
    if n <= _DENSE_ROWS:
        Q = torch.eye(n, dtype=X.dtype, device=X.device)
        Q = Q.reshape(n, n, *[1] * (plane.first.ndim - 1))
        for column, direction in zip(turned, basis, strict=True):
            Q = torch.addcmul(Q, column.to(X.dtype).unsqueeze(1), direction.to(X.dtype), value=-1)
        return torch.matmul(_tokens_first(Q, X.dtype), X, out=out)
    F = _tokens_first(torch.stack(turned, dim=1), X.dtype)
    E = _tokens_first(torch.stack(basis, dim=1), X.dtype)
    return torch.sub(X, F @ (E.mT @ X), out=out)


def _rotation(X: Tensor, u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    # Tokens last broadcast only where every argument has as many leading axes as any other.
    axes = (2, 1, 1, 0)
    arguments = (X, u, v, beta)
    rank = max(x.ndim - own for x, own in zip(arguments, axes, strict=True))
    padded = (x[(None,) * (rank + own - x.ndim)] for x, own in zip(arguments, axes, strict=True))
    Y, *_ = _Rotation.apply(*padded)  # pyright: ignore[reportGeneralTypeIssues]
    return Y


class _Rotation(torch.autograd.Function):
    """X, u, v, β ↦ Q X with the derivative dQ = −2(I + S)⁻¹ dS (I + S)⁻¹.

    With P = (I + S)⁻¹ = (I + Q)/2 and G the gradient of Q X, X receives QᵀG, and S receives
    −2 (PᵀG)(PX)ᵀ; dS = (dβ/2)(u vᵀ − v uᵀ) + (β/2)(du vᵀ + u dvᵀ − dv uᵀ − v duᵀ) passes it on.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(X: Tensor, u: Tensor, v: Tensor, beta: Tensor) -> tuple[Tensor, ...]:
        plane = _plane(u, v, beta)
        return _turned(X, plane), *plane

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        # Every saved tensor must be an input or an output: so the plane is returned too.
        ctx.mark_non_differentiable(*output[1:])
        ctx.save_for_backward(*inputs, *output[1:])

    @staticmethod
    def backward(ctx, G: Tensor, *_):  # pyright: ignore[reportIncompatibleMethodOverride]
        X, u, v, beta, *plane = ctx.saved_tensors
        if torch.is_grad_enabled():
            gradients = _smooth_gradients(X, u, v, beta, G)
        else:
            gradients = _stable_gradients(X, _Plane(*plane), beta, G)
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


def _stable_gradients(X: Tensor, plane: _Plane, beta: Tensor, G: Tensor):
    """Return the gradients by way of the plane.

    (I + S)⁻¹ shrinks the plane by 1/√(1 + τ²). Applied in the basis it does so to full relative
    accuracy, where (X + QX)/2 would leave rounding errors that β then magnifies.
    """
    grad_X = _turned(G, plane.transposed())
    E = torch.stack([plane.first, plane.second], dim=1)
    GX, XG = _crossed(G, X, E)
    zero = torch.zeros_like(plane.length)
    coordinates = _two_by_two(plane.length, plane.along, zero, plane.height)
    c, s = plane.one_plus_cos / 2, plane.sine / 2
    P, P_transposed = _two_by_two(c, -s, s, c), _two_by_two(c, s, -s, c)
    inside_GX, inside_XG = _product(E.transpose(0, 1), GX), _product(E.transpose(0, 1), XG)
    read_A, read_B = _product(P, coordinates), _product(P_transposed, coordinates)
    kept_GX, kept_XG = _product(inside_GX, read_B), _product(inside_XG, read_A)
    outside = _product(GX, read_B) - _product(XG, read_A) - _product(E, kept_GX - kept_XG)
    inside = _product(P_transposed, kept_GX) - _product(P, kept_XG)
    wedge = beta.double() * (outside + _product(E, inside))
    grad_v, grad_u = wedge.movedim(0, -1)
    pairing = _product(read_A.transpose(0, 1), kept_GX)
    return grad_X, -grad_u, grad_v, pairing[1, 0] - pairing[0, 1]


def _crossed(G: Tensor, X: Tensor, E: Tensor) -> tuple[Tensor, Tensor]:
    """Return G Xᵀ E and X Gᵀ E, tokens last."""
    if X.shape[-2] <= _DENSE_ROWS:
        cross = _tokens_last(G @ X.mT)
        return _product(cross, E), _product(cross.transpose(0, 1), E)
    frame = _tokens_first(E, X.dtype)
    return _tokens_last(G @ (X.mT @ frame)), _tokens_last(X @ (G.mT @ frame))


def _product(A: Tensor, B: Tensor) -> Tensor:
    """Return the product of small matrices, tokens last."""
    total = A[:, 0].unsqueeze(1) * B[0]
    for k in range(1, A.shape[1]):
        total = torch.addcmul(total, A[:, k].unsqueeze(1), B[k])
    return total


def _tokens_last(A: Tensor) -> Tensor:
    A = A.movedim((-2, -1), (0, 1))
    return A.to(torch.float64, memory_format=torch.contiguous_format)


def _tokens_first(A: Tensor, dtype: torch.dtype) -> Tensor:
    return A.to(dtype).movedim((0, 1), (-2, -1)).contiguous()


def _two_by_two(a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> Tensor:
    return torch.stack([a, b, c, d]).unflatten(0, (2, 2))


def _scaled(x: Tensor) -> tuple[Tensor | float, Tensor]:
    """Return a scale and x divided by it, in float64, entries first.

    Squares of a smaller format fit float64 as they are; float64 is divided by its largest entry.
    """
    entries = x.movedim(-1, 0).to(torch.float64, memory_format=torch.contiguous_format)
    if x.dtype != torch.float64:
        return 1.0, entries
    scale = entries.abs().amax(0).clamp_min(_TINY)
    return scale, entries / scale


def _norm(x: Tensor) -> Tensor:
    return (x * x).sum(0).sqrt()


def _working_dtype(dtype: torch.dtype) -> torch.dtype:
    return torch.float32 if dtype in _HALF else dtype
