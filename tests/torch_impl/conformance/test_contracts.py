"""Our own operators obey every contract in every format, and no bound is loose."""

import functools

import pytest
from deltaproof.numeric.delta import delta_update_either_bound
from deltaproof.numeric.formats import FORMATS
from deltaproof.torch_impl import (
    birkhoff,
    cayley,
    delta,
    delta_rule,
    direction,
    gate,
    hybrid,
    naive,
    reflection,
)
from deltaproof.torch_impl.conformance import CONTRACTS, conform
from deltaproof.torch_impl.conformance.conforming import DTYPES
from deltaproof.torch_impl.conformance.contract import Options
from deltaproof.torch_impl.conformance.contracts import OPERATORS, contract
from deltaproof.torch_impl.conformance.contracts.delta import SPELLINGS
from deltaproof.torch_impl.conformance.readings import claims

OURS = {
    "delta_update": [delta.delta_update, naive.naive_delta_update, naive.published_delta_update],
    "delta_operator": [delta.delta_operator],
    "cayley": [cayley.cayley],
    "cayley_rank_two": [cayley.cayley_rank_two],
    "reflection": [reflection.reflect],
    "hybrid": [hybrid.blend],
    "gate_regulariser": [gate.gate_regulariser],
    "gate": [gate.gate],
    "direction": [direction.direction],
    "doubly_stochastic": [birkhoff.sinkhorn],
    "delta_rule": [delta_rule.delta_rule],
}
LOOSEST = 200
"""A bound may exceed the worst error seen by this factor, no more."""


def test_every_contract_has_an_operator_of_ours():
    assert OURS.keys() == OPERATORS.keys()


@pytest.mark.parametrize("name", CONTRACTS)
def test_every_check_cites_statements_that_exist(name):
    made = contract(name)
    assert made.cited
    assert set(made.cited) <= claims().keys()


@pytest.mark.parametrize(
    ("name", "operator"),
    [(name, f) for name, functions in OURS.items() for f in functions],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_our_operators_conform_within_bounds_that_are_not_loose(name, operator):
    result = conform(operator, contract=name, profile="quick").check()
    assert {c.dtype for c in result.checks} == set(DTYPES)
    for dtype in DTYPES:
        definition = next(
            c for c in result.checks if c.claim == f"{name}.definition" and c.dtype == dtype
        )
        assert definition.ratio is not None
        assert 1 / LOOSEST < definition.ratio <= 1, (dtype, definition.ratio)


def test_the_other_normalisation_and_a_number_of_rounds():
    root = functools.partial(direction.direction, normalise="root", eps=1e-3)
    values = {"normalise": "root", "eps": 1e-3}
    conform(root, contract="direction", values=values, profile="quick").check()
    ten = functools.partial(birkhoff.sinkhorn, rounds=3)
    result = conform(
        ten, contract="doubly_stochastic", values={"rounds": 3}, profile="quick"
    ).check()
    assert any(c.claim == "doubly_stochastic.vmap" and c.outcome == "passed" for c in result.checks)


def test_a_declared_lower_format_gets_its_bound():
    def lower(X, k, v, beta):
        return delta.delta_update(X.float(), k.float(), v.float(), beta.float()).to(X.dtype)

    settings = {"contract": "delta_update", "dtypes": ("float64",), "profile": "quick"}
    declared = conform(lower, computes_in="float32", **settings)
    gradients = {c.claim for c in declared.failures}
    assert gradients <= {"delta_update.gradient"}
    assert not conform(lower, **settings).ok


@pytest.mark.parametrize("fmt", FORMATS, ids=str)
def test_the_bound_of_the_update_holds_what_its_two_spellings_may_err_by(fmt):
    made = contract("delta_update")
    assert set(SPELLINGS) <= set(made.claims)
    domain = {p.name: p.value for p in made.domain}
    for case in made.cases(fmt, domain, Options(domain)):
        spelled = delta_update_either_bound(*(case.inputs[a.name] for a in made.arguments), fmt)
        assert (spelled <= made.bound(case.inputs, fmt)[0]).all()


@pytest.mark.parametrize("name", ["delta_update", "delta_operator", "reflection"])
def test_directions_of_every_length(name):
    result = conform(OURS[name][0], contract=name, profile="quick", raw_k=True).check()
    assert any("k subnormal" in c.strata for c in result.checks)
