"""What rounding may do to the operators of a running connection, as ratios to derived bounds.

Each takes a connection, a state and a sub-layer, and gives the worst ratio: at most 1 is right.

doubly_stochastic == sums of rows and columns, against numeric.birkhoff
orthogonal        == QᵀQ − I of a hybrid held at 0 or 1, and of an exact rotation
near_rotation     == the same of a fixed-point iterate, its own defect included
defect            == BᵀB − I of a hybrid against 4γ(1 − γ)
applied           == the next state without a sub-layer, against operator(X) X
"""

import numpy as np
import torch
from deltaproof.numeric.birkhoff import column_sum_bound, row_sum_bound, stopping_residual
from deltaproof.numeric.cayley import cayley_bound, orthogonality_bound
from deltaproof.numeric.formats import format_of
from deltaproof.numeric.hybrid import blend_bound
from deltaproof.numeric.iterative import fixed_point_cayley_bound, series_defect_bound
from deltaproof.numeric.rounding import as_fractions
from deltaproof.torch_impl.cayley import cayley_rank_two


def numbers(x):
    return x.detach().double().cpu().numpy()


def per_token(x):
    """(tokens, …) of (b, t, …)."""
    x = numbers(x)
    return x.reshape(-1, *x.shape[2:])


def gram_defect(A):
    """AᵀA − I of the numbers as they are, exactly: its Frobenius norm."""
    exact = as_fractions(A)
    return float(np.linalg.norm((exact.T @ exact - np.eye(len(A), dtype=int)).astype(np.float64)))


def gram_slack(A, E):
    """What errors E, entry by entry, do to AᵀA: its Frobenius norm."""
    return float(np.linalg.norm(abs(A).T @ E + E.T @ abs(A) + E.T @ E))


def doubly_stochastic(connection, state, sublayer):
    P = as_fractions(per_token(connection.operator(state, sublayer)))
    fmt, n = format_of(str(state.dtype)), connection.streams
    rows = abs(P.sum(axis=-1) - 1).max() / row_sum_bound(n, fmt, stopping_residual(n, fmt))
    columns = abs(P.sum(axis=-2) - 1).max() / column_sum_bound(n, fmt)
    assert (P >= 0).all()
    return float(max(rows, columns))


def axis_defect(k):
    """‖HᵀH − I‖ of H = I − 2kkᵀ: 4·abs(kᵀk − 1)·kᵀk, which is that of rounding the axis."""
    square = as_fractions(k) @ as_fractions(k)
    return float(4 * abs(square - 1) * square)


def hybrid_errors(connection, state):
    """Of each token: B as computed, the errors of its entries, and those of Q and H themselves."""
    geometry, *_ = connection.arguments(state)
    fmt, n = format_of(str(state.dtype)), connection.streams
    Q = cayley_rank_two(geometry.u, geometry.v, geometry.beta)
    parts = [per_token(x) for x in (connection.operator(state, None), Q, geometry.k)]
    gammas = numbers(geometry.gamma).ravel()
    for B, Q, k, gamma in zip(*parts, gammas, strict=True):
        entries = blend_bound(np.eye(n), Q, k, gamma, fmt)
        yield B, entries, orthogonality_bound(n, fmt), axis_defect(k), gamma


def orthogonal(connection, state, sublayer):
    """Of a hybrid held at γ = 0 or 1, or an exact rotation."""
    if not hasattr(connection, "generators"):
        return near_rotation(connection, state, sublayer)
    worst = 0.0
    for B, entries, rotation, axis, gamma in hybrid_errors(connection, state):
        allowed = (rotation if gamma else axis) * len(B) ** 0.5 + gram_slack(B, entries)
        worst = max(worst, gram_defect(B) / allowed)
    return worst


def near_rotation(connection, state, sublayer):
    """A Cayley rotation as it is made: by a solve, or by rounds."""
    *_, W = connection.arguments(state)
    fmt, n = format_of(str(state.dtype)), connection.streams
    worst = 0.0
    for Y, w in zip(per_token(connection.operator(state, sublayer)), per_token(W), strict=True):
        size = connection.alpha / 2 * np.linalg.norm(w)  # ‖·‖_F is at least the spectral norm
        if connection.rotation == "exact":
            # (α/2)W is rounded: another skew matrix, and so another rotation
            scaled = numbers(torch.tensor(connection.alpha / 2 * w, dtype=state.dtype))
            entries, defect = np.broadcast_to(cayley_bound(scaled, fmt), (n, n)), 0.0
        else:
            alpha = float(torch.tensor(connection.alpha, dtype=state.dtype))
            entries = fixed_point_cayley_bound(w, np.float64(alpha), connection.rounds, fmt)
            defect = n**0.5 * series_defect_bound(size, connection.rounds)
        worst = max(worst, gram_defect(Y) / (defect + gram_slack(Y, entries)))
    return worst


def defect(connection, state, sublayer):
    """‖BᵀB − I‖ is 4γ(1 − γ), where Q and H are orthogonal (hybrid.orthogonality_defect)."""
    worst = 0.0
    for B, entries, rotation, axis, gamma in hybrid_errors(connection, state):
        found = np.linalg.norm(B.T @ B - np.eye(len(B)), 2)
        # the same of exactly orthogonal Q and H, each at most as far away as its own defect
        allowed = 4 * (rotation + axis) + gram_slack(B, entries) + gram_slack(B, _spectral(B))
        worst = max(worst, abs(found - 4 * gamma * (1 - gamma)) / allowed)
    return worst


def _spectral(B):
    """Errors of evaluating the norm in binary64 itself: n³ operations on numbers of this size."""
    return len(B) ** 3 * np.finfo(np.float64).eps * np.ones_like(B)


def applied(connection, state, sublayer):
    """The next state without a sub-layer is the operator's matrix times the state."""
    fmt, n = format_of(str(state.dtype)), connection.streams
    A = per_token(connection.operator(state, sublayer))
    X = per_token(state)
    Y = per_token(connection(state, torch.zeros_like)[0])
    r = float(fmt.unit_roundoff)
    allowed = (n + 1) * r * (abs(A) @ abs(X))
    if hasattr(connection, "generators"):
        # both the matrix and the state are blended, each with its own rounding
        parts = zip(X, hybrid_errors(connection, state), strict=True)
        geometry, *_ = connection.arguments(state)
        Q = per_token(cayley_rank_two(geometry.u, geometry.v, geometry.beta))
        k, gamma = per_token(geometry.k), numbers(geometry.gamma).ravel()
        allowed = np.stack([
            entries @ abs(x) + blend_bound(x, Q[i], k[i], gamma[i], fmt)
            for i, (x, (_, entries, *_)) in enumerate(parts)
        ])  # fmt: skip
    allowed = allowed + float(fmt.underflow_unit)
    # the product itself is made in binary64 here: once more, or an exponent more than enough
    exact = np.stack([(as_fractions(a) @ as_fractions(x)) for a, x in zip(A, X, strict=True)])
    return float((abs(as_fractions(Y) - exact).astype(np.float64) / allowed).max())
