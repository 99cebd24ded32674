"""Our own operators obey every contract in every format, and no bound is loose."""

import functools
from dataclasses import replace

import pytest
import torch
from deltaproof.numeric.delta import delta_update_either_bound
from deltaproof.numeric.formats import BINARY32, FORMATS
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
from deltaproof.torch_impl.conformance.conforming import DTYPES, UsageError
from deltaproof.torch_impl.conformance.contract import Options
from deltaproof.torch_impl.conformance.contracts import OPERATORS, RAW_K, contract
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


class LinearBlock(torch.nn.Module):
    """x + Wx, token by token."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, x):
        return x + self.layer(x)


def uncited(checks):
    """The checks that are no claim of the ledger, and cite none of it."""
    return [c.claim for c in checks if not {c.claim, *c.cites} & claims().keys()]


@pytest.mark.parametrize("name", ["reflection", "residual_block"])
def test_every_check_of_a_run_is_a_claim_or_cites_one(name):
    target = reflection.reflect if name == "reflection" else LinearBlock
    checks = conform(target, contract=name, profile="quick", dtypes=("float32",)).checks
    assert not uncited(checks)
    bare = [replace(c, cites=()) for c in checks]
    assert uncited(bare) == [c.claim for c in bare if c.claim.startswith(f"{name}.")
                             and c.claim not in claims()]  # fmt: skip
    assert uncited(bare)


BOUNDS = {
    "delta_update": {"rounding.delta_update", "rounding.delta_update_operator_first"},
    "cayley": {"rounding.cayley_solve_reading"},
    "cayley_rank_two": {
        "rounding.cayley_frobenius_omega",
        "rounding.cayley_plane_basis",
        "rounding.cayley_naive_omega_reading",
        "rounding.cayley_solve_reading",
    },
    "gate": {"rounding.gate_saturates"},
    "direction": {"rounding.normalised_zero_is_not_unit"},
}


def test_what_the_ledger_says_of_rounding_is_cited_by_a_contract():
    cited = {name: {i for i in contract(name).cited if i.startswith("rounding.")}
             for name in CONTRACTS}  # fmt: skip
    assert {name: found for name, found in cited.items() if found} == BOUNDS


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


def lowered(f):
    """It computes in float32, whatever the format."""

    def lower(*arguments):
        returned = f(*(x.float() for x in arguments))
        many = isinstance(returned, tuple)
        kept = tuple(y.to(arguments[0].dtype) for y in (returned if many else (returned,)))
        return kept if many else kept[0]

    return lower


# a direction in float64 may be longer than any number of float32
@pytest.mark.parametrize("name", [n for n in OURS if n != "direction"])
def test_a_declared_lower_format_gets_its_bounds(name):
    lower = lowered(OURS[name][0])
    settings = {"contract": name, "dtypes": ("float64",), "profile": "quick"}
    conform(lower, computes_in="float32", **settings).check()
    undeclared = {c.claim for c in conform(lower, **settings).failures}
    assert f"{name}.definition" in undeclared


def float16_inside(skew):
    return cayley.cayley(skew.half()).to(skew.dtype)


def test_a_declared_format_covers_no_lower_one():
    """Value, consequence and gradient all fail where float16 is declared as float32."""
    result = conform(
        float16_inside,
        contract="cayley",
        dtypes=("float64",),
        profile="quick",
        computes_in="float32",
    )
    assert {"cayley.definition", "cayley.orthogonal", "cayley.gradient"} <= {
        c.claim for c in result.failures
    }


@pytest.mark.parametrize("fmt", FORMATS, ids=str)
def test_the_bound_of_the_update_holds_what_its_two_spellings_may_err_by(fmt):
    made = contract("delta_update")
    assert set(SPELLINGS) <= set(made.claims)
    domain = {p.name: p.value for p in made.domain}
    for case in made.cases(fmt, domain, Options(domain)):
        spelled = delta_update_either_bound(*(case.inputs[a.name] for a in made.arguments), fmt)
        assert (spelled <= made.bound(case.inputs, fmt)[0]).all()


@pytest.mark.parametrize("name", OPERATORS)
def test_raw_directions_are_for_the_contracts_that_have_them(name):
    made = contract(name, Options(raw_k=True))
    domain = {p.name: p.value for p in made.domain}
    usual, raw = (
        {c.stratum for c in made.cases(BINARY32, domain, Options(domain, raw_k=raw_k))}
        for raw_k in (False, True)
    )
    assert (usual != raw) == (name in RAW_K)
    if name not in RAW_K:
        with pytest.raises(UsageError, match="has no directions k"):
            conform(OURS[name][0], contract=name, profile="quick", raw_k=True)


@pytest.mark.parametrize("name", RAW_K)
def test_directions_of_every_length(name):
    result = conform(OURS[name][0], contract=name, profile="quick", raw_k=True).check()
    assert any("k subnormal" in c.strata for c in result.checks)
