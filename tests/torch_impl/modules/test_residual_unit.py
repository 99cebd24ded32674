"""Residual units: what unrolls does so to rounding, what does not misses by the ledger's formula.

Sums are formed of the states as Fractions, so that what is left is the rounding of the units: each
addition is off by r times its result at most, and a later shortcut passes that on by its factor.
Gradients are compared bit by bit, on stacks of small numbers in which nothing is rounded.
"""

import numpy as np
import pytest
import torch
from deltaproof.numeric.formats import format_of
from deltaproof.numeric.rounding import as_fractions
from deltaproof.torch_impl.modules.residual_unit import (
    ORDERS,
    SHORTCUTS,
    ResidualStack,
    ResidualUnit,
)
from torch import nn

UNROLLS = ("relu_before_addition", "relu_only_pre_activation", "full_pre_activation")
AFTER = ("original", "norm_after_addition")
FACTORS = tuple(name for name in SHORTCUTS if name not in ("identity", "convolution"))
DTYPES = (torch.float64, torch.float32, torch.bfloat16)


def exact(x):
    return as_fractions(x.detach().double().numpy())


def roundoff(dtype):
    return format_of(str(dtype).removeprefix("torch.")).unit_roundoff


def traced(depth=6, dtype=torch.float64, seed=0, **options):
    """A stack of 4 channels at a standard normal x, and what its units did."""
    torch.manual_seed(seed)
    stack = ResidualStack(depth, 4, **options).to(dtype)
    return stack, stack.traced(torch.randn(2, 4, 2, 2, dtype=dtype))


def scales(stack, steps):
    """The factors λ_i, entry by entry, as the units computed them."""
    found = []
    for unit, step in zip(stack.units, steps, strict=True):
        x = step.before
        if unit.shortcut == "identity":
            found.append(torch.ones_like(x))
        elif unit.shortcut == "none":
            found.append(torch.zeros_like(x))
        elif unit.gate is not None:
            found.append(1 - torch.sigmoid(unit.gate(x)))
        elif unit.shortcut == "dropout" and unit.training:
            found.append(torch.where(x == 0, 0.0, step.carried / torch.where(x == 0, 1.0, x)))
        else:
            found.append(0 * x + unit.scale)
    return [exact(lam) for lam in found]


def unrolled_defect(steps, lam):
    """x_L − (Π λ) x_l − Σ (Π later λ) F_i, and the bound on it that rounding gives."""
    r = roundoff(steps[0].before.dtype)
    value, bound = exact(steps[0].before), 0 * exact(steps[0].before)
    for step, factor in zip(steps, lam, strict=True):
        value = factor * value + exact(step.residual)
        bound = abs(factor) * bound
        bound = bound + r * (abs(exact(step.carried)) + abs(exact(step.added)))
    return exact(steps[-1].after) - value, bound


def within(defect, bound):
    return bool((abs(defect) <= bound).all())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ORDERS)
def test_a_stack_unrolls_exactly_where_nothing_follows_the_addition(order, dtype):
    stack, steps = traced(order=order, dtype=dtype)
    defect, bound = unrolled_defect(steps, scales(stack, steps))
    # an identity shortcut is exact: only the additions are left
    bound = bound - roundoff(dtype) * sum(abs(exact(step.carried)) for step in steps)
    assert within(defect, bound) == (order in UNROLLS)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_defect_of_a_relu_after_the_addition_is_the_ledgers(dtype):
    stack, steps = traced(order="original", dtype=dtype)
    defect, _ = unrolled_defect(steps, scales(stack, steps))
    missed = sum(
        np.maximum(0, -(exact(step.before) + exact(step.residual)))
        for step in steps
    )  # fmt: skip
    bound = roundoff(dtype) * sum(abs(exact(step.added)) for step in steps)
    assert within(defect - missed, bound)
    assert not within(defect - missed / 2, bound)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("shortcut", FACTORS)
@pytest.mark.parametrize("order", UNROLLS)
def test_scaled_gated_and_dropped_shortcuts_unroll_with_the_later_factors(
    order, shortcut, training
):
    torch.manual_seed(0)
    stack = ResidualStack(6, 4, order=order, shortcut=shortcut, scale=0.7, gate_bias=0.0)
    stack.double().train(training)
    steps = stack.traced(torch.randn(2, 4, 2, 2, dtype=torch.float64))
    lam = scales(stack, steps)
    assert within(*unrolled_defect(steps, lam))
    if shortcut == "dropout" and training:
        assert {int(x) for factor in lam for x in factor.flat} == {0, 1}
    # as the explainer prints it, with every factor before each residual
    every = np.prod(np.array(lam), axis=0)
    printed = every * exact(steps[0].before) + every * sum(exact(step.residual) for step in steps)
    _, bound = unrolled_defect(steps, lam)
    assert not within(exact(steps[-1].after) - printed, bound)


def test_exclusive_gating_weighs_the_residual_too():
    torch.manual_seed(0)
    options = {"order": "full_pre_activation", "gate_bias": 0.5}
    exclusive = ResidualUnit(4, shortcut="exclusive_gating", **options)
    alone = ResidualUnit(4, shortcut="shortcut_gating", **options)
    alone.load_state_dict(exclusive.state_dict())
    x = torch.randn(2, 4, 2, 2)
    (carried, weighed), (same, residual) = exclusive.summands(x), alone.summands(x)
    assert torch.equal(carried, same)
    assert torch.equal(weighed, torch.sigmoid(exclusive.gate(x)) * residual)


# ---------------------------------------------------------------- in integers, bit by bit


def whole(depth, *, order, shortcut, scale=0.5, seed=0):
    """A stack in which binary64 rounds nothing: weights are −1, 0 or 1, norms add a power of 2.

    Each adds another one, so that sums are not 0, where a ReLU has no derivative.
    """
    random = torch.Generator().manual_seed(seed)
    options = {"order": order, "shortcut": shortcut, "scale": scale, "kernel": 1}
    stack = ResidualStack(depth, 3, **options).double().eval()
    for i, module in enumerate(stack.modules()):
        if isinstance(module, nn.Conv2d):
            weight = torch.randint(-1, 2, module.weight.shape, generator=random).double()
            module.weight.data.copy_(weight)
        elif isinstance(module, nn.BatchNorm2d):
            module.eps = 0.0
            nn.init.constant_(module.bias, 2.0 ** -(3 + i % 16))
    x = torch.randint(-64, 64, (2, 3, 2, 2), generator=random).double() + 2.0**-5
    x = x + torch.arange(24).reshape(2, 3, 2, 2) * 2.0**-12
    g = torch.randint(-3, 4, (2, 3, 2, 2), generator=random).double()
    return stack, x.requires_grad_(), g


def carried_through(stack, x):
    """The shortcuts alone, one after the other."""
    for unit in stack.units:
        if unit.linear is not None:
            x = unit.linear(x)
        elif unit.shortcut in ("scaling", "dropout"):
            x = unit.scale * x
        elif unit.shortcut == "none":
            x = 0 * x
    return x


def gradients(stack, x, g, extra=lambda steps: 0, *, later=True):
    """∂E/∂x_l, and that of the shortcuts, of Σ F̂_i and of `extra`; `later` False is plain F_i."""
    steps = stack.traced(x)
    (whole_gradient,) = torch.autograd.grad(steps[-1].after, x, g, retain_graph=True)
    summed = extra(steps) + sum(
        carried_through(_After(stack.units[i + 1 :]), step.residual) if later else step.residual
        for i, step in enumerate(steps)
    )
    unrolled = carried_through(stack, x) + summed
    (parts,) = torch.autograd.grad(unrolled, x, g)
    return whole_gradient, parts, steps[-1].after, unrolled


class _After:
    def __init__(self, units):
        self.units = units


@pytest.mark.parametrize("shortcut", ["identity", "scaling", "convolution", "dropout", "none"])
@pytest.mark.parametrize("order", UNROLLS)
def test_gradients_and_states_of_linear_shortcuts(order, shortcut):
    stack, x, g = whole(4, order=order, shortcut=shortcut)
    made, parts, last, unrolled = gradients(stack, x, g)
    assert torch.equal(made, parts)
    assert torch.equal(last, unrolled)
    # as the explainer prints them, with plain F_i: the same only where the shortcut is the identity
    printed = gradients(stack, x, g, later=False)[1]
    assert torch.equal(made, printed) == (shortcut == "identity")


def test_the_gradient_of_an_original_stack_misses_by_that_of_the_defect():
    stack, x, g = whole(4, order="original", shortcut="identity")
    made, parts, *_ = gradients(stack, x, g)
    assert not torch.equal(made, parts)
    assert all((step.added != 0).all() for step in stack.traced(x))

    def defect(steps):
        return sum(torch.relu(-step.added) for step in steps)

    made, parts, last, unrolled = gradients(stack, x, g, defect)
    assert torch.equal(made, parts)
    assert torch.equal(last, unrolled)


def test_stacks_of_other_signs_agree_too():
    """Nothing of the above hangs on one draw."""
    for seed in range(1, 6):
        stack, x, g = whole(3, order="full_pre_activation", shortcut="convolution", seed=seed)
        made, parts, last, unrolled = gradients(stack, x, g)
        assert torch.equal(made, parts)
        assert torch.equal(last, unrolled)


def test_the_gradient_of_plain_units_is_the_product_of_their_jacobians():
    stack, x, g = whole(3, order="full_pre_activation", shortcut="none")
    made, *_ = gradients(stack, x, g)
    states = [step.before.detach() for step in stack.traced(x)]
    product = g
    for unit, state in reversed(list(zip(stack.units, states, strict=True))):
        product = torch.autograd.functional.vjp(lambda s, unit=unit: unit.residual(s), state,
                                                product)[1]  # fmt: skip
    assert torch.equal(made, product)


# ---------------------------------------------------------------- what the orders are


@pytest.mark.parametrize("order", ORDERS)
def test_residuals_that_end_in_a_relu_make_the_state_grow(order):
    _, steps = traced(order=order)
    grows = all((step.after >= step.before).all() for step in steps)
    assert grows == (order == "relu_before_addition")


@pytest.mark.parametrize("order", AFTER)
def test_what_follows_the_addition_changes_it(order):
    _, steps = traced(order=order)
    assert not any(torch.equal(step.after, step.added) for step in steps)


def test_an_activation_on_the_residual_path_alone_is_a_pre_activation():
    """residual.asymmetric_is_preactivation: y + F(ReLU(y)), F of the original order."""
    torch.manual_seed(0)
    original = ResidualStack(5, 4, order="original")
    before = ResidualStack(5, 4, order="relu_only_pre_activation")
    for one, other in zip(original.units, before.units, strict=True):
        other.residual[1:].load_state_dict(
            {f"{int(k.split('.')[0]) + 1}.{k.split('.', 1)[1]}": v
             for k, v in one.residual.state_dict().items()}
        )  # fmt: skip
    x = y = torch.randn(2, 4, 2, 2)
    for one in original.units:
        y = y + one.residual(torch.relu(y))
    assert torch.equal(before(x), y)


@pytest.mark.parametrize("order", ORDERS)
def test_each_order_has_two_convolutions_and_the_papers_norms(order):
    unit = ResidualUnit(4, order=order)
    assert sum(isinstance(m, nn.Conv2d) for m in unit.residual) == 2
    assert sum(isinstance(m, nn.BatchNorm2d) for m in unit.modules()) == 2


@pytest.mark.parametrize("shortcut", SHORTCUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_units_are_finite_keep_their_type_and_load_their_state(shortcut, dtype):
    torch.manual_seed(0)
    unit = ResidualUnit(4, shortcut=shortcut).to(dtype).eval()
    other = ResidualUnit(4, shortcut=shortcut).to(dtype).eval()
    x = torch.randn(2, 4, 3, 3, dtype=dtype)
    y = unit(x)
    assert y.dtype == dtype
    assert y.isfinite().all()
    assert not torch.equal(other(x), y)
    other.load_state_dict(unit.state_dict())
    assert torch.equal(other(x), y)


def test_the_gate_starts_at_its_bias_and_dropout_at_its_mean():
    unit = ResidualUnit(4, shortcut="shortcut_gating", gate_bias=-6.0)
    assert torch.equal(unit.gate.bias, torch.full((4,), -6.0))
    x = torch.randn(1, 4, 2, 2)
    dropout = ResidualUnit(4, shortcut="dropout", scale=0.25).eval()
    assert torch.equal(dropout.summands(x)[0], 0.25 * x)
    kept = ResidualUnit(4, shortcut="dropout", scale=1.0).train()
    assert torch.equal(kept.summands(x)[0], x)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"order": "pre"}, "order must be one of original, "),
        ({"shortcut": "skip"}, "shortcut must be one of identity, .* got 'skip'"),
        ({"kernel": 2}, "kernel must be odd and positive; got 2"),
        ({"shortcut": "dropout", "scale": 1.5}, r"scale must be in \[0, 1\] .* got 1.5"),
    ],
)
def test_wrong_options_are_named(options, said):
    with pytest.raises(ValueError, match=said):
        ResidualUnit(4, **options)


def test_the_bound_is_no_larger_than_rounding():
    """A residual that is off by 4 roundoffs of the largest state does not pass."""
    stack, steps = traced(order="full_pre_activation")
    largest = max(abs(exact(step.added)).max() for step in steps)
    off = 4 * len(steps) * roundoff(torch.float64) * largest
    defect, bound = unrolled_defect(steps, scales(stack, steps))
    assert not within(defect + off, bound)
