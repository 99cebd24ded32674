"""The gradient of Sinkhorn's matrix: the reference, and a bound that holds and rejects."""

import numpy as np
import pytest
import torch
from deltaproof.numeric.exactness import DIGITS, distance, rational, rationals
from deltaproof.numeric.formats import BINARY16, BINARY32, BINARY64
from deltaproof.numeric.multiprecision import context
from deltaproof.numeric.sinkhorn_gradient import (
    sinkhorn_gradient,
    spelled_sinkhorn_gradient_bound,
)
from deltaproof.numeric.spelled_sinkhorn import sinkhorn_value
from deltaproof.torch_impl.birkhoff import sinkhorn
from deltaproof.torch_impl.conformance import conform

FORMATS = {BINARY64: torch.float64, BINARY32: torch.float32}
ROUNDS = (1, 3, 20, None)


def drawn(n, scale=0.5, seed=0):
    """Logits and a cotangent, numbers of float32."""
    rng = np.random.default_rng([seed, n])
    logits, G = rng.uniform(-scale, scale, (n, n)), rng.uniform(-2, 2, (n, n))
    return (x.astype(np.float32).astype(np.float64) for x in (logits, G))


CYCLE = 0.5 * np.roll(np.eye(3), 1, axis=0)
"""Its exponentials have equal sums of rows and columns: one round reaches the limit."""


@pytest.mark.parametrize("rounds", [1, 2, None])
def test_the_reference_is_the_limit_of_difference_quotients(rounds):
    """(f(L + h) − f(L − h))/2h, whose error is of the order h²."""
    numbers = context(DIGITS)
    h = numbers.mpf(10) ** (-DIGITS // 8)
    generic, G = drawn(3)
    for logits in (generic, CYCLE):
        exact, weights = sinkhorn_gradient(logits, G, rounds), rationals(G)
        for index in np.ndindex(3, 3):
            ends = []
            for step in (h, -h):
                moved = np.array([[numbers.mpf(x) for x in row] for row in logits.tolist()])
                moved[index] += step
                ends.append((weights * sinkhorn_value(moved, rounds)).sum())
            quotient = (ends[0] - ends[1]) / rational(2 * h)
            assert abs(quotient - exact[index]) < rational(h)


def by_division(logits, rounds):
    P = logits.exp()
    for _ in range(rounds or 60):
        P = P / P.sum(-1, keepdim=True)
        P = P / P.sum(-2, keepdim=True)
    return P


def by_logarithms(logits, rounds):
    for _ in range(rounds or 60):
        logits = logits.log_softmax(-1)
        logits = logits.log_softmax(-2)
    return logits.exp()


def by_vectors(logits, rounds):
    return sinkhorn(logits, rounds=rounds)


SPELLINGS = (by_division, by_logarithms, by_vectors)


def error_and_bound(f, logits, G, rounds, fmt):
    x = torch.tensor(logits, dtype=FORMATS[fmt], requires_grad=True)
    (f(x, rounds) * torch.tensor(G, dtype=FORMATS[fmt])).sum().backward()
    apart = distance(x.grad.double().numpy(), sinkhorn_gradient(logits, G, rounds)).max()
    return apart, spelled_sinkhorn_gradient_bound(logits, G, rounds, fmt)


@pytest.mark.parametrize("fmt", FORMATS, ids=str)
@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_is_within_the_bound(spelling, rounds, fmt):
    for n in (1, 2, 3, 4):
        for scale in (0.5, 2.0**-8):
            apart, bound = error_and_bound(spelling, *drawn(n, scale), rounds, fmt)
            assert apart <= bound


def scaled_apart(logits, rounds):
    """The scaling vectors are detached."""
    exponents = logits - logits.detach()
    return sinkhorn(logits.detach(), rounds=rounds) * exponents.exp()


def last_round_only(logits, rounds):
    """The gradient passes the last round, as if what came before were constant."""
    before = by_logarithms(logits.detach(), (rounds or 60) - 1).log()
    return by_logarithms(before + logits - logits.detach(), 1)


def last_half_round_only(logits, rounds):
    before = by_logarithms(logits.detach(), rounds or 60).log()
    return (before + logits - logits.detach()).softmax(-2)


def halved(logits, rounds):
    P = sinkhorn(logits, rounds=rounds)
    return (P + P.detach()) / 2


WRONG = (scaled_apart, last_round_only, last_half_round_only, halved)


@pytest.mark.parametrize("fmt", FORMATS, ids=str)
@pytest.mark.parametrize("rounds", [3, 20, None])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_gradient_of_a_right_value_is_beyond_the_bound(wrong, rounds, fmt):
    apart, bound = error_and_bound(wrong, *drawn(3), rounds, fmt)
    assert apart > bound


@pytest.mark.parametrize("wrong", WRONG)
def test_the_contract_fails_it_by_the_gradient_alone(wrong):
    result = conform(
        lambda logits: wrong(logits.double(), None).to(logits.dtype),
        contract="doubly_stochastic",
        dtypes=("float64", "float32"),
        profile="quick",
    )
    assert {c.claim for c in result.failures} == {"doubly_stochastic.gradient"}
    assert {c.dtype for c in result.failures} == {"float64", "float32"}


def test_a_limit_that_is_reached_at_once_has_not_the_gradient_of_one_round():
    """The rounds that led to the limit are not its derivative."""
    _, G = drawn(3)
    for fmt in FORMATS:
        apart, bound = error_and_bound(by_vectors, CYCLE, G, None, fmt)
        assert apart <= bound
        apart, bound = error_and_bound(
            lambda logits, _: sinkhorn(logits, rounds=1), CYCLE, G, None, fmt
        )
        assert apart > bound


@pytest.mark.parametrize("fmt", [BINARY32, BINARY16], ids=lambda f: f.name)
def test_beyond_what_a_float_holds_the_bound_is_infinite(fmt):
    """Far-apart logits contract so little that e^q overflows, or that nothing is left of it."""
    _, G = drawn(3)
    far = np.diag([12.0, -12.0, 12.0])
    for logits in (far, 4 * far):
        assert spelled_sinkhorn_gradient_bound(logits, G, 20, fmt) == np.inf
