"""The Cayley rotations in four formats, against exact rationals, and beside two peers."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from deltaproof.numeric.cayley import (
    cayley_bound,
    cayley_rank_two_bound,
    orthogonality_bound,
    rotate_rank_two_bound,
    rotate_rank_two_gradient_bounds,
)
from deltaproof.numeric.formats import format_of
from deltaproof.numeric.rounding import as_fractions
from deltaproof.torch_impl import cayley, naive
from torch.autograd import forward_ad

DTYPES = [torch.float64, torch.float32, torch.bfloat16, torch.float16]
# The gate stays a number of binary16.
GATES = [0.0, 1.0, 2.0, 1 - 2**-11, 2 + 2**-9, 2**-14, -3.0, 6e4]
LARGE_GATES = [*GATES, 1e6, 1e12, 1e30]
STRATA = ["general", "parallel", "opposite", "tiny angle", "zero u", "zero v", "zero", "huge"]


def exact(x):
    """Return a tensor's entries as Fractions."""
    return as_fractions(x.detach().double().numpy())


def exact_rotation(u, v, beta):
    """Return I − 2s/(1 + s²ω²)(W − sW²) of Fractions."""
    s = beta / 2
    W = np.outer(u, v) - np.outer(v, u)
    area = (u @ u) * (v @ v) - (u @ v) ** 2
    eye = np.array([[Fraction(i == j) for j in range(len(u))] for i in range(len(u))], dtype=object)
    return eye - 2 * s / (1 + s * s * area) * (W - s * (W @ W))


def exact_cayley(S):
    """Return (I + S)⁻¹(I − S) by rational elimination."""
    n = len(S)
    rows = [
        [int(i == j) + S[i, j] for j in range(n)] + [int(i == j) - S[i, j] for j in range(n)]
        for i in range(n)
    ]
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k] != 0)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k:
                factor = rows[i][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return np.array([row[n:] for row in rows], dtype=object)


def defect(Q):
    """Return the largest ‖QᵀQ − I‖ over a batch, from exactly represented entries."""
    Q = Q.detach().double().numpy()
    return np.linalg.norm(np.swapaxes(Q, -1, -2) @ Q - np.eye(Q.shape[-1]), 2, (-2, -1)).max()


def directions(stratum, n, dtype, seed=0):
    """Return u, v of the stratum, numbers of the format."""
    generator = torch.Generator().manual_seed(seed)
    u = torch.randn(n, generator=generator, dtype=torch.float64)
    w = torch.randn(n, generator=generator, dtype=torch.float64)
    tiny = 4 * float(torch.finfo(dtype).eps)
    pairs = {
        "general": (u, w),
        "parallel": (u, 4 * u),
        "opposite": (u, -u),
        "tiny angle": (u, u + tiny * w),
        "zero u": (0 * u, w),
        "zero v": (u, 0 * u),
        "zero": (0 * u, 0 * u),
        "huge": (128 * u, 64 * w),
    }
    return tuple(x.to(dtype) for x in pairs[stratum])


def gates(dtype):
    return [b for b in LARGE_GATES if b <= torch.finfo(dtype).max]


def error_ratio(approximate, reference, bound):
    """Return the largest error over its bound."""
    error = np.abs(exact(approximate) - reference).astype(np.float64)
    return float((error / np.broadcast_to(bound, error.shape)).max())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("stratum", STRATA)
@pytest.mark.parametrize("n", [2, 3, 5, 11])
def test_rank_two_within_bound(dtype, stratum, n):
    fmt = format_of(str(dtype))
    u, v = directions(stratum, n, dtype, seed=n)
    X = torch.randn(n, 3, generator=torch.Generator().manual_seed(9), dtype=torch.float64).to(dtype)
    for gate in gates(dtype):
        beta = torch.tensor(gate, dtype=dtype)
        Q = cayley.cayley_rank_two(u, v, beta)
        rotation = exact_rotation(exact(u), exact(v), exact(beta)[()])
        inputs = [x.double().numpy() for x in (u, v, beta)]
        assert error_ratio(Q, rotation, cayley_rank_two_bound(*inputs, fmt)) <= 1
        assert defect(Q) <= orthogonality_bound(n, fmt)
        Y = cayley.rotate_rank_two(X, u, v, beta)
        bound = rotate_rank_two_bound(X.double().numpy(), *inputs, fmt)
        assert error_ratio(Y, rotation @ exact(X), bound) <= 1


@pytest.mark.parametrize("dtype", DTYPES)
def test_rank_two_bounds_reject_mutants(dtype):
    fmt = format_of(str(dtype))
    u, v = directions("general", 4, dtype)
    beta = torch.tensor(1.25, dtype=dtype)
    rotation = exact_rotation(exact(u), exact(v), exact(beta)[()])
    bound = cayley_rank_two_bound(*(x.double().numpy() for x in (u, v, beta)), fmt)
    mutants = {
        "sign": cayley.cayley_rank_two(u, v, -beta),
        "missing half": cayley.cayley_rank_two(u, v, 2 * beta),
        "swapped": cayley.cayley_rank_two(v, u, beta),
        "transposed": cayley.cayley_rank_two(u, v, beta).mT,
        "identity": torch.eye(4, dtype=dtype),
    }
    for name, mutant in mutants.items():
        assert error_ratio(mutant, rotation, bound) > 1, name


@pytest.mark.parametrize("stratum", ["parallel", "opposite", "zero u", "zero v", "zero"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_identity_where_the_plane_vanishes(stratum, dtype):
    u, v = directions(stratum, 5, dtype)
    X = torch.randn(5, 2).to(dtype)
    for gate in gates(dtype):
        beta = torch.tensor(gate, dtype=dtype)
        assert torch.equal(cayley.cayley_rank_two(u, v, beta), torch.eye(5, dtype=dtype))
        assert torch.equal(cayley.rotate_rank_two(X, u, v, beta), X)


def test_orthogonal_at_every_gate_and_angle():
    """At most 32·r in binary32, where the printed closed form and a solve lose everything."""
    fmt = format_of("float32")
    assert orthogonality_bound(64, fmt) <= 32 * fmt.unit_roundoff
    generator = torch.Generator().manual_seed(3)
    for n in (2, 4, 9, 32):
        u = torch.randn(50, n, generator=generator)
        w = torch.randn(50, n, generator=generator)
        for angle in (1.0, 1e-3, 1e-5, 1e-7, 0.0):
            v = u + angle * w
            for gate in (1.0, 1e2, 1e6, 1e12, 1e38):
                beta = torch.full((50,), gate)
                assert defect(cayley.cayley_rank_two(u, v, beta)) <= orthogonality_bound(n, fmt)
                applied = cayley.rotate_rank_two(torch.eye(n).expand(50, n, n), u, v, beta)
                assert defect(applied) <= 32 * fmt.unit_roundoff


def test_the_peers_lose_orthogonality():
    bound = orthogonality_bound(4, format_of("float32"))
    u, v = torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.tensor([4.0, -1.0, 2.0, 0.5])
    beta = torch.tensor(1e6)
    assert defect(naive.naive_cayley_rank_two_solve(u, v, beta)) > bound
    assert defect(cayley.cayley_rank_two(u, v, beta)) <= bound
    generator = torch.Generator().manual_seed(0)
    u = torch.nn.functional.normalize(torch.randn(200, 4, generator=generator), dim=-1)
    v = u + 1e-3 * torch.nn.functional.normalize(torch.randn(200, 4, generator=generator), dim=-1)
    beta = torch.full((200,), 2e3)
    assert defect(naive.naive_cayley_rank_two(u, v, beta)) > bound
    assert defect(cayley.cayley_rank_two(u, v, beta)) <= bound


def test_extreme_lengths_in_float64():
    u, v = directions("general", 4, torch.float64)
    beta = torch.tensor(0.75, dtype=torch.float64)
    plain = cayley.cayley_rank_two(u, v, beta)
    for scale in (2.0**600, 2.0**-600, 2.0**-1000):
        scaled = cayley.cayley_rank_two(u * scale, v / scale, beta)
        bound = cayley_rank_two_bound(
            *(x.numpy() for x in (u * scale, v / scale, beta)), format_of("float64")
        )
        reference = exact_rotation(exact(u * scale), exact(v / scale), exact(beta)[()])
        assert error_ratio(scaled, reference, bound) <= 1
    assert defect(plain) <= orthogonality_bound(4, format_of("float64"))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("scale", [0.0, 1e-3, 1.0, 8.0])
def test_general_within_bound(dtype, n, scale):
    fmt = format_of(str(dtype))
    A = torch.randn(n, n, generator=torch.Generator().manual_seed(n), dtype=torch.float64)
    skew = (scale * A).to(dtype).triu(1)
    skew = skew - skew.mT
    reference = exact_cayley(exact(skew))
    bound = cayley_bound(skew.double().numpy(), fmt)
    Q = cayley.cayley(skew)
    assert error_ratio(Q, reference, bound) <= 1
    if n > 1 and scale >= 1:
        for mutant in (Q.mT, cayley.cayley(2 * skew), torch.eye(n, dtype=dtype)):
            assert error_ratio(mutant, reference, bound) > 1


def test_general_agrees_with_rank_two():
    u, v = directions("general", 4, torch.float64)
    beta = torch.tensor(1.5, dtype=torch.float64)
    skew = beta / 2 * (torch.outer(u, v) - torch.outer(v, u))
    fmt = format_of("float64")
    inputs = [x.numpy() for x in (u, v, beta)]
    allowed = cayley_bound(skew.numpy(), fmt) + cayley_rank_two_bound(*inputs, fmt)
    # S itself was rounded: three roundings an entry, passed on by at most 2 (`numeric.cayley`).
    allowed = allowed + 6 * float(fmt.unit_roundoff) * np.linalg.norm(skew.numpy())
    difference = (cayley.cayley(skew) - cayley.cayley_rank_two(u, v, beta)).abs().numpy()
    assert (difference <= allowed).all()


def float64_inputs(stratum="general", n=3, m=2, gate=0.7, batch=()):
    generator = torch.Generator().manual_seed(5)
    u, v = directions(stratum, n, torch.float64, seed=7)
    u, v = (x.expand(*batch, n).clone() for x in (u, v))
    X = torch.randn(*batch, n, m, generator=generator, dtype=torch.float64)
    beta = torch.full(batch, gate, dtype=torch.float64)
    return tuple(t.requires_grad_() for t in (X, u, v, beta))


@pytest.mark.parametrize("n", [2, 3, 9])
@pytest.mark.parametrize("gate", [0.0, 0.7, -2.0, 30.0])
@pytest.mark.parametrize("stratum", ["general", "parallel", "zero u", "zero v", "zero"])
def test_gradients(stratum, gate, n):
    X, u, v, beta = float64_inputs(stratum, n=n, gate=gate)
    assert torch.autograd.gradcheck(cayley.rotate_rank_two, (X, u, v, beta))
    assert torch.autograd.gradcheck(cayley.cayley_rank_two, (u, v, beta))


@pytest.mark.parametrize("stratum", ["general", "parallel", "zero u"])
def test_second_gradients(stratum):
    assert torch.autograd.gradgradcheck(cayley.rotate_rank_two, float64_inputs(stratum))


def test_general_gradients():
    A = torch.randn(3, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)

    def skewed(A):
        return cayley.cayley(A - A.mT)

    assert torch.autograd.gradcheck(skewed, (A.requires_grad_(),))
    assert torch.autograd.gradgradcheck(skewed, (A,))


def exact_gradients(X, u, v, beta, G):
    """Return the gradients of ⟨G, Q X⟩ of Fractions, by K = PᵀCPᵀ − PCᵀP, P = (I + S)⁻¹."""
    Q = exact_rotation(u, v, beta)
    P = (np.array([[Fraction(i == j) for j in range(len(u))] for i in range(len(u))]) + Q) / 2
    half = P.T @ (G @ X.T) @ P.T
    K = half - half.T
    return Q.T @ G, -beta * (K @ v), beta * (K @ u), -(u @ K @ v)


def gradient_ratios(gradients, reference, bounds):
    """Return error over bound: of X its largest entry's, of the others that of the 2-norms."""
    errors = [
        np.abs(np.asarray(mine - right, dtype=np.float64))
        for mine, right in zip(gradients, reference, strict=True)
    ]
    first, *others = bounds
    norms = [np.linalg.norm(error) for error in errors[1:]]
    pairs = zip(norms, others, strict=True)
    return [(errors[0] / first).max(), *(float(norm / bound) for norm, bound in pairs)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("gate", [0.0, 0.7, -2.0, 1e3, 1e6, 1e12])
@pytest.mark.parametrize("stratum", ["general", "parallel", "tiny angle", "zero u", "zero"])
@pytest.mark.parametrize("n", [2, 4, 9])
def test_gradients_within_bound(dtype, gate, stratum, n):
    """Also where u and v are parallel, and β does not magnify the rounding of (X + QX)/2."""
    arguments = float64_inputs(stratum, n=n, m=3, gate=gate)
    leaves = [t.detach().to(dtype).requires_grad_() for t in arguments]
    G = torch.randn(n, 3, generator=torch.Generator().manual_seed(2)).to(dtype)
    ours = torch.autograd.grad(cayley.rotate_rank_two(*leaves), leaves, G)
    X, u, v, beta, G = (exact(t) for t in (*leaves, G))
    reference = exact_gradients(X, u, v, beta[()], G)
    bounds = rotate_rank_two_gradient_bounds(X, u, v, beta, G, format_of(str(dtype)))
    ratios = gradient_ratios([exact(mine) for mine in ours], reference, bounds)
    assert max(ratios) <= 1, ratios


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_wrong_gradients_exceed_the_bound(dtype):
    arguments = [t.detach().to(dtype) for t in float64_inputs(n=4, m=3, gate=0.75)]
    G = torch.randn(4, 3, generator=torch.Generator().manual_seed(2)).to(dtype)
    X, u, v, beta, G = (exact(t) for t in (*arguments, G))
    bounds = rotate_rank_two_gradient_bounds(X, u, v, beta, G, format_of(str(dtype)))
    beta = beta[()]
    right = exact_gradients(X, u, v, beta, G)
    mutants = {
        "X not transposed": (0, exact_rotation(u, v, beta) @ G),
        "u's sign": (1, -right[1]),
        "u and v exchanged": (2, right[1]),
        "v without the gate": (2, right[2] / beta),
        "beta's half missing": (3, 2 * right[3]),
    }
    for name, (which, mutant) in mutants.items():
        wrong = [mutant if i == which else gradient for i, gradient in enumerate(right)]
        assert gradient_ratios(wrong, right, bounds)[which] > 1, name


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # from inside torch's forward mode
def test_a_forward_derivative_is_refused():
    X, u, v, beta = (t.detach() for t in float64_inputs())
    with pytest.raises(NotImplementedError, match="jvp"), forward_ad.dual_level():
        cayley.rotate_rank_two(X, forward_ad.make_dual(u, v), v, beta)


def test_layouts_batches_and_broadcasting():
    X, u, v, beta = (t.detach() for t in float64_inputs(n=4, m=3, batch=(2, 5)))
    u, v = u + torch.randn_like(u), v + torch.randn_like(v)
    together = cayley.rotate_rank_two(X, u, v, beta)
    one = torch.stack(
        [
            cayley.rotate_rank_two(*(t[i, j] for t in (X, u, v, beta)))
            for i in range(2)
            for j in range(5)
        ]
    ).reshape(2, 5, 4, 3)
    bound = rotate_rank_two_bound(*(t.numpy() for t in (X, u, v, beta)), format_of("float64"))
    assert ((together - one).abs().numpy() <= 2 * bound).all()
    strided = cayley.rotate_rank_two(X.mT.contiguous().mT, u, v, beta)
    assert ((together - strided).abs().numpy() <= 2 * bound).all()
    shared = cayley.rotate_rank_two(X, u[0, 0], v[:, :1], beta[0])
    full = (u[0, 0].expand(2, 5, 4), v[:, :1].expand(2, 5, 4), beta[0].expand(2, 5))
    assert torch.equal(shared, cayley.rotate_rank_two(X, *full))
    assert cayley.rotate_rank_two(X[:, :0], u[:, :0], v[:, :0], beta[:, :0]).shape == (2, 0, 4, 3)
    assert cayley.cayley_rank_two(u[:0], v[:0], beta[:0]).shape == (0, 5, 4, 4)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [4, 11])
def test_out(dtype, n):
    X, u, v, beta = (t.detach().to(dtype) for t in float64_inputs(n=n, batch=(3,)))
    out = torch.empty_like(X)
    assert cayley.rotate_rank_two(X, u, v, beta, out=out) is out
    assert torch.equal(out, cayley.rotate_rank_two(X, u, v, beta))
    with pytest.raises(ValueError, match="share memory"):
        cayley.rotate_rank_two(X, u, v, beta, out=X)
    with pytest.raises(ValueError, match="does not support gradients"):
        cayley.rotate_rank_two(X.requires_grad_(), u, v, beta, out=out)


def test_unbatched_gradients_of_broadcast_arguments():
    X, u, v, beta = float64_inputs(batch=(2,))
    shared = [t.detach()[0].clone().requires_grad_() for t in (u, v, beta)]
    assert torch.autograd.gradcheck(cayley.rotate_rank_two, (X, *shared))


@pytest.mark.parametrize("n", [4, 11])
def test_vmap(n):
    X, u, v, beta = (t.detach() for t in float64_inputs(n=n, batch=(5,)))
    mapped = torch.vmap(cayley.rotate_rank_two)(X, u, v, beta)
    bound = rotate_rank_two_bound(*(t.numpy() for t in (X, u, v, beta)), format_of("float64"))
    assert ((mapped - cayley.rotate_rank_two(X, u, v, beta)).abs().numpy() <= 2 * bound).all()
    shared = torch.vmap(cayley.rotate_rank_two, in_dims=(0, None, None, 0))(X, u[0], v[0], beta)
    assert shared.shape == X.shape

    def loss(X, u, v, beta):
        return (cayley.rotate_rank_two(X, u, v, beta) ** 2 * X.detach()).sum()

    per_sample = torch.vmap(torch.func.grad(loss, argnums=(1, 2, 3)))(X, u, v, beta)
    for gradient, argument in zip(per_sample, (u, v, beta), strict=True):
        assert gradient.shape == argument.shape
        assert gradient.isfinite().all()
    assert torch.vmap(cayley.cayley)(torch.zeros(5, 3, 3)).shape == (5, 3, 3)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # from inside torch.compile
@pytest.mark.parametrize("n", [4, 11])
def test_compiles_without_graph_breaks(n):
    inputs = float64_inputs(n=n, batch=(5,))
    compiled = torch.compile(cayley.rotate_rank_two, fullgraph=True)
    bound = rotate_rank_two_bound(*(t.detach().numpy() for t in inputs), format_of("float64"))
    Y, expected = compiled(*inputs), cayley.rotate_rank_two(*inputs)
    assert ((Y - expected).abs().detach().numpy() <= 2 * bound).all()
    G = torch.randn(Y.shape, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    mine = torch.autograd.grad(Y, inputs, G)
    theirs = torch.autograd.grad(expected, inputs, G)
    numbers = [t.detach().numpy() for t in (*inputs, G)]
    limits = rotate_rank_two_gradient_bounds(*numbers, format_of("float64"))
    for one, other, limit in zip(mine, theirs, limits, strict=True):
        difference = (one - other).abs().numpy()
        # The bounds of u and v are of the norm over their last axis.
        size = (
            np.linalg.norm(difference, axis=-1) if difference.ndim == limit.ndim + 1 else difference
        )
        assert (size <= 2 * limit).all()
    skew = torch.randn(3, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    skew = skew - skew.mT
    fmt = format_of("float64")
    general = torch.compile(cayley.cayley, fullgraph=True)(skew)
    assert (
        (general - cayley.cayley(skew)).abs().numpy() <= 2 * cayley_bound(skew.numpy(), fmt)
    ).all()


def test_errors_say_what_was_passed():
    X, u, v, beta = torch.zeros(4, 2), torch.zeros(4), torch.zeros(4), torch.tensor(1.0)
    with pytest.raises(ValueError, match=r"axis n of v has size 3, expected 4.*v float32\(3,\)"):
        cayley.rotate_rank_two(X, u, v[:3], beta)
    with pytest.raises(TypeError, match=r"v float64\(4,\)"):
        cayley.cayley_rank_two(u, v.double(), beta)
    with pytest.raises(ValueError, match=r"axis n of skew"):
        cayley.cayley(torch.zeros(3, 2))
    with pytest.raises(ValueError, match="out must be float32"):
        cayley.rotate_rank_two(X, u, v, beta, out=torch.empty(4, 3))
