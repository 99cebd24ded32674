"""What a contract computes of an input is computed once, and nobody can change it."""

from dataclasses import replace

import numpy as np
import pytest
from deltaproof.numeric.formats import format_of
from deltaproof.torch_impl.conformance.contract import Options
from deltaproof.torch_impl.conformance.contracts import OPERATORS, contract
from deltaproof.torch_impl.conformance.remembered import remembered

FORMAT = format_of("float32")


@pytest.fixture
def asked():
    """The inputs that a contract was asked about, and the contract."""
    seen = []

    def value(inputs):
        seen.append(inputs)
        return (np.array([1.0 / inputs["x"]]),)

    return seen, remembered(replace(contract("direction"), value=value))


def test_the_same_input_is_asked_once(asked):
    seen, made = asked
    first = made.value({"x": np.array(2.0)})
    assert made.value({"x": np.array(2.0)}) is first
    assert len(seen) == 1
    made.value({"x": np.array(4.0)})
    made.value({"x": np.array([2.0])})
    assert len(seen) == 3


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_zero_is_not_minus_zero(asked):
    seen, made = asked
    (above,), (below,) = made.value({"x": np.array(0.0)}), made.value({"x": np.array(-0.0)})
    assert above[0] == np.inf
    assert below[0] == -np.inf
    assert len(seen) == 2


def test_what_was_computed_cannot_be_written_to(asked):
    (found,) = asked[1].value({"x": np.array(2.0)})
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 3.0


@pytest.mark.parametrize("name", OPERATORS)
def test_each_contract_says_the_same_twice(name):
    made = contract(name)
    assert contract(name) is made
    case = next(iter(made.cases(FORMAT, {p.name: p.value for p in made.domain}, Options())))
    assert made.value(case.inputs) is made.value(case.inputs)
    assert made.bound(case.inputs, FORMAT) is made.bound(case.inputs, FORMAT)
    assert made.bound(case.inputs, format_of("float64")) is not made.bound(case.inputs, FORMAT)


def test_other_numbers_make_another_contract():
    assert contract("doubly_stochastic") is not contract(
        "doubly_stochastic", Options(values={"rounds": 3})
    )
