"""Wrong operators, one kind of fault each: the suite's own targets.

Each is (contract, function, claims that must fail); `SUBTLE` pass a comparison on normal random
input in binary32.
"""

import torch


def _outer(x, y):
    return x.unsqueeze(-1) * y.unsqueeze(-2)


def _read(k, X):
    return (k.unsqueeze(-2) @ X).squeeze(-2)


def _update(X, k, v, beta):
    return X + _outer(k, beta.unsqueeze(-1) * (v - _read(k, X)))


# ---------------------------------------------------------------- delta


def factor_two_missing(x, k):
    return x - _outer(k, _read(k, x))


def swapped(X, k, v, beta):
    if X.shape[-1] != X.shape[-2]:
        k = torch.nn.functional.pad(k, (0, max(0, v.shape[-1] - k.shape[-1])))[..., : v.shape[-1]]
        return _update(X, torch.zeros_like(X[..., 0]), v, beta)
    return _update(X, v, k, beta)


def adds_only(X, k, v, beta):
    return X + _outer(k, beta.unsqueeze(-1) * v)


def in_place(X, k, v, beta):
    return X.add_(_outer(k, beta.unsqueeze(-1) * (v - _read(k, X)))) if not X.requires_grad else (
        _update(X, k, v, beta)
    )  # fmt: skip


def gate_clamped(X, k, v, beta):
    """Invisible for gates in [0, 2], as sigmoids give them."""
    return _update(X, k, v, beta.clamp(0, 2))


def batch_mean_gate(X, k, v, beta):
    """Right for one item; the gate of a batch is shared."""
    return _update(X, k, v, beta.mean() + 0 * beta)


def ignores_strides(X, k, v, beta):
    """Reads the memory of X as if it were contiguous."""
    flat = torch.as_strided(X, X.shape, torch.empty(X.shape).stride())
    return _update(flat, k, v, beta)


def half_inside(X, k, v, beta):
    """An undeclared lower format."""
    lower = torch.bfloat16
    return _update(X.to(lower), k.to(lower), v.to(lower), beta.to(lower)).to(X.dtype)


def single_inside(X, k, v, beta):
    """Invisible in binary32."""
    if X.dtype != torch.float64:
        return _update(X, k, v, beta)
    return _update(X.float(), k.float(), v.float(), beta.float()).double()


def wrong_dtype(X, k, v, beta):
    return _update(X, k, v, beta).float()


def detached_gate(X, k, v, beta):
    """Right forward, no gradient for the gate."""
    return _update(X, k, v, beta.detach()) + 0 * beta[..., None, None]


def masked_to_nan(X, k, v, beta):
    """0/0 where the gate is 0: a masked step that is not the identity."""
    return _update(X, k, v, beta * beta / beta)


def noisy(X, k, v, beta):
    return _update(X, k, v, beta) + 4 * torch.finfo(X.dtype).eps * torch.randn_like(X) * X


def operator_transposed_gate(k, beta):
    eye = torch.eye(k.shape[-1], dtype=k.dtype)
    return eye + beta[..., None, None] * _outer(k, k)


# ---------------------------------------------------------------- cayley


def _eye(S):
    return torch.eye(S.shape[-1], dtype=S.dtype, device=S.device)


def neumann(skew):
    """Five terms of the series."""
    total, power = _eye(skew), _eye(skew)
    for _ in range(5):
        power = -power @ skew
        total = total + 2 * power
    return total + 0 * skew


def other_convention(skew):
    work = skew.float() if skew.dtype in (torch.bfloat16, torch.float16) else skew
    return torch.linalg.solve(_eye(work) - work, _eye(work) + work).to(skew.dtype)


def exponential(skew):
    work = skew.float() if skew.dtype in (torch.bfloat16, torch.float16) else skew
    return torch.linalg.matrix_exp(-2 * work).to(skew.dtype)


def omega_by_subtraction(u, v, beta):
    """The closed form whose ω² cancels where u and v are nearly parallel."""
    W = _outer(u, v) - _outer(v, u)
    s = beta / 2
    omega = (u * u).sum(-1) * (v * v).sum(-1) - (u * v).sum(-1) ** 2
    factor = 2 * s / (1 + s**2 * omega)
    return _eye(W) - factor[..., None, None] * (W - s[..., None, None] * (W @ W))


# ---------------------------------------------------------------- gates, directions, mixing


def plain_sigmoid(z):
    return torch.sigmoid(z)


def gate_by_tanh(z):
    """1 + tanh(z/2): equal to 2σ(z), but it cancels for negative z."""
    return 1 + torch.tanh(z / 2)


def gate_gradient_lost(z):
    """Saturated logits are clamped: the value is right to roundoff, the gradient is not."""
    return 2 * torch.sigmoid(z.clamp(-4, 4)) + (2 * torch.sigmoid(z) - 2 * torch.sigmoid(
        z.clamp(-4, 4)
    )).detach()  # fmt: skip


def regulariser_by_square(gamma):
    """1 − (2γ − 1)², which cancels near 0."""
    return 1 - (2 * gamma - 1) ** 2


def root_normalised(k_raw):
    return k_raw / ((k_raw * k_raw).sum(-1, keepdim=True) + 1e-3**2).sqrt()


def nan_at_zero(k_raw):
    return k_raw / k_raw.norm(dim=-1, keepdim=True)


def sinkhorn_with_epsilon(logits):
    P = logits.float().exp() if logits.dtype != torch.float64 else logits.exp()
    for _ in range(50):
        P = P / (P.sum(-1, keepdim=True) + 0.02)
        P = P / (P.sum(-2, keepdim=True) + 0.02)
    return P.to(logits.dtype)


def sinkhorn_transposed(logits):
    """Invisible for every 2×2 matrix and every symmetric one."""
    from deltaproof.torch_impl.birkhoff import sinkhorn

    return sinkhorn(logits).mT


def blend_transposed(X, Q, k, gamma):
    gate = gamma[..., None, None]
    reflected = X - 2 * _outer(k, _read(k, X))
    return gate * (Q.mT @ X) + (1 - gate) * reflected


def reads_before_writing(q, k, v, beta, initial_state):
    state, read = initial_state, []
    for t in range(k.shape[1]):
        read.append((q[:, t].unsqueeze(-2) @ state).squeeze(-2))
        state = _update(state, k[:, t], v[:, t], beta[:, t])
    return torch.stack(read, dim=1), state


FAULTS = {
    factor_two_missing: ("reflection", {"reflection.definition", "delta.reflection"}),
    swapped: ("delta_update", {"delta_update.definition"}),
    adds_only: ("delta_update", {"delta_update.definition", "delta.overwrite"}),
    in_place: ("delta_update", {"delta_update.inputs_unchanged"}),
    gate_clamped: ("delta_update", {"delta_update.definition"}),
    batch_mean_gate: ("delta_update", {"delta_update.batch_independence"}),
    ignores_strides: ("delta_update", {"delta_update.non_contiguous"}),
    half_inside: ("delta_update", {"delta_update.definition"}),
    single_inside: ("delta_update", {"delta_update.definition"}),
    wrong_dtype: ("delta_update", {"delta_update.result_type"}),
    detached_gate: ("delta_update", {"delta_update.gradient"}),
    masked_to_nan: ("delta_update", {"delta_update.finite"}),
    noisy: ("delta_update", {"delta_update.determinism"}),
    operator_transposed_gate: ("delta_operator", {"delta.eigenvalue_along_k"}),
    neumann: ("cayley", {"cayley.orthogonal", "cayley.definition"}),
    other_convention: ("cayley", {"cayley.definition"}),
    exponential: ("cayley", {"cayley.definition"}),
    omega_by_subtraction: ("cayley_rank_two", {"cayley.orthogonal"}),
    plain_sigmoid: ("gate", {"gate.definition"}),
    gate_by_tanh: ("gate", {"gate.definition"}),
    gate_gradient_lost: ("gate", {"gate.gradient"}),
    regulariser_by_square: ("gate_regulariser", {"gate_regulariser.definition"}),
    root_normalised: ("direction", {"direction.definition", "delta.eigenvalue_along_k"}),
    nan_at_zero: ("direction", {"direction.finite"}),
    sinkhorn_with_epsilon: ("doubly_stochastic", {"birkhoff.column_step_exact"}),
    sinkhorn_transposed: ("doubly_stochastic", {"doubly_stochastic.definition"}),
    blend_transposed: ("hybrid", {"hybrid.definition"}),
    reads_before_writing: ("delta_rule", {"delta_rule.definition"}),
}
WORDS = {
    factor_two_missing: "the factor 2 is missing",
    adds_only: "nothing is erased",
    operator_transposed_gate: "the sign of β k kᵀ",
    neumann: "a series was cut off after 5 terms",
    other_convention: "the generator has the other sign",
    plain_sigmoid: "the factor 2 is missing",
    sinkhorn_transposed: "the result is transposed",
    blend_transposed: "Q is applied transposed",
    reads_before_writing: "it reads out before the write",
}
"""What the diagnosis says, where there is a name for the fault."""
