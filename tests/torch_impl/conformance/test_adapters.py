"""Other signatures and conventions, described and not rewritten."""

import pytest
import torch
from deltaproof.torch_impl.cayley import cayley, cayley_rank_two
from deltaproof.torch_impl.conformance import conform
from deltaproof.torch_impl.conformance.adapters import (
    AdapterError,
    parse_args,
    parse_factor,
    parse_generator,
)
from deltaproof.torch_impl.conformance.contracts import contract
from deltaproof.torch_impl.delta import delta_update
from deltaproof.torch_impl.reflection import reflect

QUICK = {"profile": "quick", "dtypes": ("float32",)}


def test_arguments_reordered_renamed_and_with_axes_of_size_one():
    def theirs(gate, k, *, values, state):
        assert state.ndim == 4
        assert gate.shape[-1] == 1
        return delta_update(state.mT, k, values, gate.squeeze(-1))

    pattern = "beta: b t 1, k: b t d, values=v: b t m, state=X: b t m d -> b t d m"
    conform(theirs, contract="delta_update", args=pattern, **QUICK).check()
    assert not conform(
        theirs, contract="delta_update", args=pattern.replace("-> b t d m", "-> b t m d"), **QUICK
    ).ok


def test_transposed_states():
    def theirs(x, k):
        return reflect(x.mT, k).mT

    conform(theirs, contract="reflection", transposed=True, **QUICK).check()
    assert not conform(theirs, contract="reflection", **QUICK).ok


def test_generator_conventions_and_factors():
    def other(skew):
        return cayley(-skew)

    convention = "(I-S)^-1(I+S)"
    conform(other, contract="cayley", generator_convention=convention, **QUICK).check()
    assert not conform(other, contract="cayley", **QUICK).ok

    def whole(u, v, beta):
        return cayley_rank_two(u, v, 2 * beta)

    conform(whole, contract="cayley_rank_two", factor="1", **QUICK).check()
    assert not conform(whole, contract="cayley_rank_two", factor="1/2", **QUICK).ok


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda c: parse_args("X: b d m", c), "names no beta, k, v"),
        (lambda c: parse_args("X: b d, k: d, v: m, beta: 1", c), "lacks m"),
        (lambda c: parse_args("Y: b d m", c), "is not one of X, k, v, beta"),
        (lambda c: parse_factor("1/3"), "no power of two"),
        (lambda c: parse_factor("two"), "is no number"),
        (lambda c: parse_generator("S"), "is none of"),
    ],
)
def test_a_description_that_does_not_fit(call, words):
    with pytest.raises(AdapterError, match=words):
        call(contract("delta_update"))


def test_a_factor_is_for_generators():
    with pytest.raises(ValueError, match="has no generator"):
        conform(torch.add, contract="reflection", factor="1/2")
