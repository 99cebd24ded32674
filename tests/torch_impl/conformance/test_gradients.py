"""Right values with wrong gradients: the gradient is the check that fails."""

import torch
from deltaproof.torch_impl.conformance import conform
from deltaproof.torch_impl.delta import delta_update

FULL = ("float64", "float32")


def truncated(q, k, v, beta, initial_state, *, kept=2):
    """Backpropagation through time that is cut off `kept` tokens before the end."""
    state, read = initial_state, []
    tokens = k.shape[1]
    for t in range(tokens):
        if 0 < t == tokens - kept:
            state = state.detach()
        state = delta_update(state, k[:, t], v[:, t], beta[:, t])
        read.append((q[:, t].unsqueeze(-2) @ state).squeeze(-2))
    return torch.stack(read, 1), state


def test_a_gradient_that_forgets_all_but_the_last_two_tokens():
    result = conform(truncated, contract="delta_rule", profile="quick", dtypes=FULL)
    assert {(c.claim, c.dtype) for c in result.failures} == {
        ("delta_rule.gradient", dtype) for dtype in FULL
    }
    (shown, *_) = (c for c in result.failures if c.dtype == "float64")
    assert len(shown.input["k"]) > 2


def test_the_same_with_nothing_forgotten_conforms():
    def whole(*arguments):
        return truncated(*arguments, kept=0)

    conform(whole, contract="delta_rule", profile="quick", dtypes=FULL).check()
