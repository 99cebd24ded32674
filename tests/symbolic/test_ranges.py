"""Sums, products and powers over ranges: rules that are true, and induction from an index."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.symbolic import (
    Claim,
    dims,
    eq,
    eye,
    forall,
    greatest,
    index,
    le,
    lt,
    matrix,
    ones,
    ordered_product,
    product,
    scalar,
    sequence,
    total,
    vector,
)
from deltaproof.symbolic.constructions import construct
from deltaproof.symbolic.decisions import same
from deltaproof.symbolic.derivations import (
    Cited,
    Each,
    Have,
    Induction,
    Linear,
    chain,
    check_derivation,
    counterexample,
    exact_inputs,
    step,
)
from deltaproof.symbolic.evaluation import evaluate, holds
from deltaproof.symbolic.evidence import Outcome
from deltaproof.symbolic.exact import EXACT
from deltaproof.symbolic.expressions import Literal, derivative, elementary, function, norm
from deltaproof.symbolic.propositions import And, ForAll, both, differentiable, implies
from deltaproof.symbolic.rules import RuleError, instance

n = dims("n")
l, L, i, j = index("l L i j")
a, c, t, s = (scalar(name) for name in "acts")
x, M, v = sequence("x"), sequence("M", n, n), sequence("v", n)
f = function("f")

SCALARS = total(i, l, L, x[i])
VECTORS = total(i, l, L, v[i])
RULES = [
    instance("sum_last", SCALARS),
    instance("sum_last", VECTORS),
    instance("sum_empty", SCALARS),
    instance("scaled_sum", a, SCALARS),
    instance("scaled_sum", a, VECTORS),
    instance("scaled_sum", M[0], VECTORS),
    instance("equal_terms", forall(i, eq(x[i] + x[i], 2 * x[i]), over=(l, L))),
    instance("product_empty", product(i, l, L, x[i])),
    instance("product_empty", ordered_product(i, l, L, M[i])),
    instance("product_last", product(i, l, L, x[i])),
    instance("product_last", ordered_product(i, l, L, M[i])),
    instance("absolute_product", a, c),
    instance("positive_part", a),
    instance("root_of_square", a),
    instance("kernel_singular", eye(n) - vector("u", n) @ vector("u", n).T, vector("u", n)),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda r: f"{r.rule}, {r.arguments[-1]}")
def test_rules_hold_exactly_and_only_as_they_are(rule):
    premises, conclusion = rule.expand()
    assert counterexample(Claim("t.rule", given=premises, then=conclusion), tries=20) is None
    left, right = conclusion.expressions
    one = Literal(1) if left.shape is None else ones(*left.shape)
    assert counterexample(Claim("t.rule", given=premises, then=eq(left, right + one))) is not None


def test_premises_of_the_last_term_and_factor_are_needed():
    for name, body in (("sum_last", SCALARS), ("product_last", product(i, l, L, x[i]))):
        premises, conclusion = instance(name, body).expand()
        assert premises == (le(l, L),)
        assert counterexample(Claim("t.free", then=conclusion), tries=5) is not None
    for name, body in (("sum_empty", SCALARS), ("product_empty", product(i, l, L, x[i]))):
        premises, conclusion = instance(name, body).expand()
        assert premises == (lt(L, l),)
        assert counterexample(Claim("t.free", then=conclusion), tries=5) is not None


def test_a_factor_that_depends_on_the_index_stays_inside():
    with pytest.raises(RuleError, match="without i"):
        instance("scaled_sum", x[i], SCALARS)
    with pytest.raises(RuleError, match="equation for each index"):
        instance("equal_terms", eq(a, a))
    with pytest.raises(RuleError, match="constants"):
        instance("product_with_exponential", f, s, 1, s)
    with pytest.raises(RuleError, match="slope 0"):
        instance("zero_slope", forall(s, eq(a, a)), 0, 1)


def test_rules_about_ranges_refuse_the_other_kinds_of_range():
    """A sum is no product: at an empty range one is 0 and the other 1."""
    factors, matrices = product(i, l, L, x[i]), ordered_product(i, l, L, M[i])
    for name in ("sum_empty", "sum_last", "scaled_sum"):
        with pytest.raises(RuleError, match="sum over a range"):
            instance(name, *((a,) if name == "scaled_sum" else ()), factors)
    for name in ("product_empty", "product_last"):
        with pytest.raises(RuleError, match="product over a range"):
            instance(name, SCALARS)
    assert instance("equal_factors", matrices, matrices)
    for other in (SCALARS, factors, VECTORS):
        with pytest.raises(RuleError, match="ordered products"):
            instance("equal_factors", other, other)


def test_a_statement_on_all_sequences_is_read_at_sequences_of_their_size():
    y, w = sequence("y"), sequence("w", n)
    for_all = ForAll(y, eq(y[1] - y[1], 0))
    assert instance("instantiate", for_all, x).expand()[1] == eq(x[1] - x[1], 0)
    for wrong in (a, w, v[1], vector("u", n)):
        with pytest.raises(RuleError, match="sort"):
            instance("instantiate", for_all, wrong)


def test_rules_bind_nothing_of_their_arguments():
    rows, axis = dims("rows"), vector("x", n)
    P, Q = matrix("P", rows, n), matrix("Q", rows, n)
    assert instance("larger_kernel", P, Q, vector("u", n), axis)
    with pytest.raises(RuleError, match="new vector"):
        instance("larger_kernel", axis @ axis.T, axis @ axis.T, vector("u", n), axis)
    _, spread = instance("entries_less_squares", i * P).expand()
    assert counterexample(Claim("t.spread", then=spread), tries=20) is None
    assert spread.left.index != i


# ---------------------------------------------------------------- induction from an index

counting_up = forall(i, eq(x[i + 1], x[i] + 1), over=(l, L - 1))
COUNTED = Claim("t.counted", given=[le(l, L), eq(x[l], 0), counting_up], then=eq(x[L], L - l))


def counting(first, last_layer):
    """x_L = L − l by induction on L."""
    after = L + 1
    later = forall(i, eq(x[i + 1], x[i] + 1), over=(l, after - 1))
    goal = eq(x[L], L - l)
    return Induction(
        L,
        first,
        chain(x[l], step(l - l, "the start", eq(x[l], 0))),
        Have(
            le(L, after - 1),
            Linear(()),
            Have(
                eq(x[L + 1], x[L] + 1),
                Cited(instance("instantiate_range", later, L)),
                last_layer(goal),
            ),
        ),
    )


def test_induction_starts_from_an_index():
    later = forall(i, eq(x[i + 1], x[i] + 1), over=(l, L + 1 - 1))

    def last_layer(goal):
        hypothesis = implies(And((le(l, L), counting_up)), goal)
        restricted = Each(
            Have(
                le(i, L + 1 - 1),
                Linear((le(i, L - 1),)),
                Cited(instance("instantiate_range", later, i)),
            )
        )
        return Have(
            counting_up,
            restricted,
            Have(
                goal,
                Cited(instance("modus_ponens", hypothesis)),
                chain(
                    x[L + 1],
                    step(x[L] + 1, "one layer more", eq(x[L + 1], x[L] + 1)),
                    step(L + 1 - l, "the layers before", goal),
                ),
            ),
        )

    good = check_derivation(COUNTED, counting(l, last_layer))
    assert good.outcome is Outcome.CONFIRMED, good.detail
    wrong_start = check_derivation(COUNTED, counting(l + 1, last_layer))
    assert wrong_start.outcome is Outcome.INCONCLUSIVE
    assert "is not known here" in wrong_start.detail
    circular = check_derivation(COUNTED, counting(L, last_layer))
    assert "cannot start from L" in circular.detail


def test_indices_that_are_not_allowed_are_not_looked_at():
    seen = {(inputs.at.values["l"], inputs.at.values["L"]) for inputs in exact_inputs(COUNTED)}
    assert seen
    assert all(first <= last for first, last in seen)


# ---------------------------------------------------------------- constructions

J = sequence("J", n, n)
y, z = vector("y", n), vector("z", n)
CONTRACTING = Claim(
    "t.contracting",
    given=[le(0, c), forall(i, forall(z, le(norm(J[i] @ z), c * norm(z))), over=(0, 2))],
    then=le(norm(J[0] @ y), c * norm(y)),
)
FLOW = Claim(
    "t.flow",
    given=[forall(s, both(differentiable(f(s), s, at=s), eq(derivative(f(s), s), 3 * f(s) - 6)))],
    then=eq(f(t), 2 + (f(0) - 2) * elementary("exp", 3 * t)),
)


def drawn(*values):
    """The values again and again, as exact numbers."""
    pool = [EXACT.number(Fraction(value)) for value in values]
    return iter(pool * 50).__next__


def test_contractions_are_built():
    for values in ((0,), (1, 2, Fraction(1, 2)), (Fraction(1, 3), 0, -2)):
        inputs = construct(CONTRACTING, {"n": 2}, EXACT, drawn(*values))
        assert inputs.unmet == ()
        assert holds(CONTRACTING.then, inputs.at, EXACT) is True
    reached = construct(CONTRACTING, {"n": 1}, EXACT, drawn(0))
    first = reached.at.values["J"][0]
    assert EXACT.rows(first) == [[reached.at.values["c"]]]


def test_affine_flows_are_built():
    inputs = construct(FLOW, {}, EXACT, drawn(0, 5))
    assert inputs.unmet == ()
    assert evaluate(f(0), inputs.at, EXACT) == 2 + 5
    assert holds(FLOW.then, inputs.at, EXACT) is True
    squared = Claim(
        "t.squared",
        given=[forall(s, both(differentiable(f(s), s, at=s), eq(derivative(f(s), s), f(s) ** 2)))],
        then=eq(a, a),
    )
    assert construct(squared, {}, EXACT, drawn(0, 5)).unmet == squared.given


def test_positive_parts_are_opaque_to_decisions():
    assert same(greatest(a, c), greatest(c, a)).holds
    assert not same(greatest(a, c), greatest(a, -c)).holds
