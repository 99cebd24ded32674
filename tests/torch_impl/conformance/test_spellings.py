"""The bounds hold for every stable spelling, not for ours alone."""

import pytest
import torch
from deltaproof.torch_impl.conformance import conform


def outer(x, y):
    return x.unsqueeze(-1) * y.unsqueeze(-2)


def read(k, X):
    return (k.unsqueeze(-2) @ X).squeeze(-2)


def eye_like(k):
    return torch.eye(k.shape[-1], dtype=k.dtype)


def operator_first(X, k, v, beta):
    gate = beta[..., None, None]
    return (eye_like(k) - gate * outer(k, k)) @ X + gate * outer(k, v)


def gate_at_the_key(X, k, v, beta):
    written = beta.unsqueeze(-1) * k
    return X - outer(written, read(k, X)) + outer(written, v)


def summed_backwards(X, k, v, beta):
    total = torch.zeros_like(v + read(k, X))
    for i in reversed(range(k.shape[-1])):
        total = total + k[..., i, None] * X[..., i, :]
    return torch.addcmul(X, k.unsqueeze(-1), (beta.unsqueeze(-1) * (v - total)).unsqueeze(-2))


def operator_of_scaled_key(k, beta):
    return eye_like(k) - outer(beta.unsqueeze(-1) * k, k)


def householder_matrix(x, k):
    return (eye_like(k) - 2 * outer(k, k)) @ x


def doubled_key(x, k):
    return x - outer(2 * k, read(k, x))


def lerped(X, Q, k, gamma):
    reflected = X - 2 * outer(k, read(k, X))
    return torch.lerp(reflected, Q @ X, gamma[..., None, None])


def blended_matrix(X, Q, k, gamma):
    gate = gamma[..., None, None]
    return (gate * Q + (1 - gate) * (eye_like(k) - 2 * outer(k, k))) @ X


def expanded_regulariser(gamma):
    return 4 * gamma - 4 * gamma * gamma


def quotient(z):
    return 2 / (1 + torch.exp(-z))


def in_float32(f):
    def wrapped(*arguments):
        dtype = arguments[0].dtype
        work = torch.float64 if dtype == torch.float64 else torch.float32
        return f(*(x.to(work) for x in arguments)).to(dtype)

    wrapped.__name__ = f.__name__
    return wrapped


@in_float32
def by_inverse(skew):
    eye = torch.eye(skew.shape[-1], dtype=skew.dtype)
    return 2 * torch.linalg.inv(eye + skew) - eye


@in_float32
def frobenius_omega(u, v, beta):
    """ω² from the computed generator."""
    W = outer(u, v) - outer(v, u)
    s = beta / 2
    omega = (W * W).sum((-2, -1)) / 2
    factor = 2 * s / (1 + s**2 * omega)
    return eye_like(u) - factor[..., None, None] * (W - s[..., None, None] * (W @ W))


@in_float32
def log_domain(logits):
    for _ in range(60):
        logits = logits - logits.logsumexp(-1, keepdim=True)
        logits = logits - logits.logsumexp(-2, keepdim=True)
    return logits.exp()


@in_float32
def rms_first(k_raw):
    largest = k_raw.abs().amax(-1, keepdim=True).clamp_min(1e-30).detach()
    x = k_raw / largest
    return torch.where(
        largest * x.square().sum(-1, keepdim=True).sqrt() > 1e-12,
        x * (x.square().sum(-1, keepdim=True) + (largest < 1e-20)).rsqrt(),
        k_raw / 1e-12,
    )


def chunked(q, k, v, beta, initial_state):
    """One chunk: a triangular solve in the place of the states in between."""
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    gate = beta.transpose(1, 2).unsqueeze(-1)
    lower = torch.tril(gate * (k @ k.mT), -1)
    written = gate * (v - k @ initial_state)
    rows = []
    for t in range(k.shape[-2]):
        row = written[..., t, :]
        for s in range(t):
            row = row - lower[..., t, s, None] * rows[s]
        rows.append(row)
    u = torch.stack(rows, -2)
    o = q @ initial_state + torch.tril(q @ k.mT) @ u
    return o.transpose(1, 2), initial_state + k.mT @ u


SPELLINGS = {
    "delta_update": [operator_first, gate_at_the_key, summed_backwards],
    "delta_operator": [operator_of_scaled_key],
    "reflection": [householder_matrix, doubled_key],
    "hybrid": [lerped, blended_matrix],
    "gate_regulariser": [expanded_regulariser],
    "gate": [quotient],
    "cayley": [by_inverse],
    "cayley_rank_two": [frobenius_omega],
    "doubly_stochastic": [log_domain],
    "direction": [rms_first],
    "delta_rule": [chunked],
}


@pytest.mark.parametrize(
    ("contract", "spelling"),
    [(name, f) for name, functions in SPELLINGS.items() for f in functions],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_a_stable_spelling_conforms_in_every_format(contract, spelling):
    conform(spelling, contract=contract, profile="quick").check()
