"""Sums in any order: inputs that meet the hypothesis, IEEE sums that do, and near misses."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from deltaproof.proofs.catalogue.rounding_sums import result, sum_in_any_order
from deltaproof.symbolic.binding import binders
from deltaproof.symbolic.claims import Claim
from deltaproof.symbolic.constructions import construct
from deltaproof.symbolic.derivations import Known, check_derivation, counterexample, lines
from deltaproof.symbolic.evaluation import evaluate, holds
from deltaproof.symbolic.evidence import Outcome
from deltaproof.symbolic.exact import EXACT, exact_assignment, to_rational
from deltaproof.symbolic.expressions import ShapeError, dims, element, eye, index, matrix, scalar
from deltaproof.symbolic.formats import BFLOAT16, BINARY16, BINARY32, BINARY64, round_to_format
from deltaproof.symbolic.printing import latex, plain
from deltaproof.symbolic.propositions import both, eq, le, lt
from deltaproof.symbolic.rounding import (
    factor_left,
    factor_right,
    k,
    multiplied,
    r,
    read_out,
    x,
)
from deltaproof.symbolic.summation import (
    COMPUTED,
    COUNT,
    EXACT_SUM,
    MAGNITUDE,
    RoundedSum,
    rounded_product,
    rounded_sum,
)

HYPOTHESES = [lt(0, r), rounded_sum(read_out)]
last = read_out.last
WITHIN = Claim("sum.within", given=HYPOTHESES, then=result(last, r))


def test_the_error_of_a_sum_in_any_order():
    proof = lines(*sum_in_any_order(read_out), last=Known())
    assert check_derivation(WITHIN, proof).outcome is Outcome.CONFIRMED
    assert counterexample(WITHIN) is None


@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(9, 10)])
def test_a_smaller_bound_is_refuted(share):
    error = le(
        abs_error := (COMPUTED[last] - EXACT_SUM[last]) ** 2,
        (share * COUNT[last] * r * MAGNITUDE[last]) ** 2,
    )
    assert abs_error in error.expressions
    claim = Claim("sum.less", given=HYPOTHESES, then=both(le(1, COUNT[last]), error))
    assert counterexample(claim) is not None
    proof = lines(*sum_in_any_order(read_out), last=Known())
    assert check_derivation(claim, proof).outcome is Outcome.CONTRADICTED


def summed_in(order, products, fmt):
    """Every result of an IEEE sum: leaves first, then nodes (earlier, earlier)."""
    c = {t: round_to_format(z, fmt) for t, z in enumerate(products, 1)}
    s, S = dict(enumerate(products, 1)), {t: abs(z) for t, z in enumerate(products, 1)}
    p = dict.fromkeys(c, Fraction(1))
    waiting = list(c)
    while len(waiting) > 1:
        a, b = (waiting.pop(order(len(waiting))) for _ in range(2))
        t = len(c) + 1
        c[t] = round_to_format(c[a] + c[b], fmt)
        s[t], S[t], p[t] = s[a] + s[b], S[a] + S[b], p[a] + p[b]
        waiting.append(t)
    return {"c": c, "s": s, "S": S, "p": p}


def draws(fmt, size, rng):
    """Numbers of a format: of both signs, of sizes far apart, and such as cancel."""
    values = [
        round_to_format(
            Fraction(rng.randint(-(2**fmt.precision), 2**fmt.precision), 2 ** rng.randint(0, 9)),
            fmt,
        )
        for _ in range(size)
    ]
    return [-values[i - 1] if i and rng.random() < 0.2 else value for i, value in enumerate(values)]


@pytest.mark.parametrize("fmt", [BINARY64, BINARY32, BFLOAT16, BINARY16], ids=lambda f: f.name)
def test_ieee_sums_meet_the_model_in_every_order(fmt):
    """Exact rounding to nearest, with ties to even, is what the hypothesis says of a sum."""
    rng = random.Random(0)
    orders = {
        "first to last": lambda n: 0,
        "last to first": lambda n: n - 1,
        "at random": lambda n: rng.randrange(n),
    }
    for size in (1, 2, 5, 9):
        for order in orders.values():
            # factors of few digits, so that products are large and none underflows
            left, right = draws(fmt, size, rng), [Fraction(rng.randint(1, 3)) for _ in range(size)]
            products = [a * b for a, b in zip(left, right, strict=True)]
            values = {
                "r": fmt.unit_roundoff,
                k.name: [[z] for z in left],
                x.name: [[z] for z in right],
                **summed_in(order, products, fmt),
            }
            at = exact_assignment({"d": size}, values)
            for part in rounded_sum(read_out).body.propositions[:2]:
                assert holds(part, at, EXACT) is True
            assert holds(WITHIN.then, at, EXACT) is True


def test_one_addition_too_coarse_breaks_the_model():
    products = [Fraction(1), Fraction(1, 3)]
    found = summed_in(lambda n: 0, products, BINARY16)
    found["c"][3] += 2 * BINARY16.unit_roundoff
    values = {
        "r": BINARY16.unit_roundoff,
        k.name: [[z] for z in products],
        x.name: [[1], [1]],
        **found,
    }
    at = exact_assignment({"d": 2}, values)
    leaves, nodes, _ = rounded_sum(read_out).body.propositions
    assert holds(leaves, at, EXACT) is True
    assert holds(nodes, at, EXACT) is False


def test_the_worst_case_comes_close_to_the_bound():
    """d = 2, both terms and their sum rounded up by all they may: (2r + r²)/(2r)."""
    roundoff = BINARY16.unit_roundoff
    c = {1: 1 + roundoff, 2: 1 + roundoff}
    c[3] = (c[1] + c[2]) * (1 + roundoff / (1 + roundoff))
    values = {
        "r": roundoff,
        k.name: [[1], [1]],
        x.name: [[1], [1]],
        "c": c,
        "s": {1: 1, 2: 1, 3: 2},
        "S": {1: 1, 2: 1, 3: 2},
        "p": {1: 1, 2: 1, 3: 2},
    }
    at = exact_assignment({"d": 2}, values)
    assert holds(rounded_sum(read_out), at, EXACT) is True
    error = evaluate(COMPUTED[last] - EXACT_SUM[last], at, EXACT)
    bound = evaluate(COUNT[last] * r * MAGNITUDE[last], at, EXACT)
    assert error == bound


def test_a_sum_binds_nothing_of_its_factors():
    """Factors that use the names t, a, b: other names are bound, and the proof is the same."""
    d = read_out.count
    t, a, b = index("t a b")
    scaled = RoundedSum(
        lambda h: element(k, t, 1) * element(k, h, 1),
        lambda h: element(x, a, 1) * element(x, b, 1) * element(x, h, 1),
        scalar("e"),
        scalar("m"),
        d,
        r,
    )
    fact = rounded_sum(scaled)
    assert {t, a, b} <= set(binders(rounded_sum(read_out)))
    assert {t, a, b}.isdisjoint(binders(fact))
    assert set(scaled.indices) == set(binders(fact))
    within = [le(1, place) for place in (t, a, b)] + [le(place, d) for place in (t, a, b)]
    claim = Claim("sum.of_rows", given=[lt(0, r), *within, fact], then=result(scaled.last, r))
    proof = lines(*sum_in_any_order(scaled), last=Known())
    assert check_derivation(claim, proof).outcome is Outcome.CONFIRMED


# ---------------------------------------------------------------- products of matrices

A, B, C = factor_left, factor_right, multiplied
PRODUCT = rounded_product(C, A, B, r)
FACTORS = {"A": [[1, -2], [3, 5]], "B": [[4], [1]], "r": Fraction(1, 8)}


def product_at(entries):
    """The hypothesis that this is A B = (2; 17), computed."""
    at = exact_assignment({"l": 2, "n": 2, "m": 1}, {**FACTORS, "C": entries})
    return holds(PRODUCT, at, EXACT)


def test_an_exact_product_is_one_in_any_order():
    assert product_at([[2], [17]]) is True
    # whether some order leads to another matrix is not decided
    assert product_at([[2], [18]]) is None


def test_the_places_of_a_product_are_read_only_where_they_are_those_of_the_body():
    at = exact_assignment({"l": 2, "n": 2, "m": 1}, {**FACTORS, "C": [[2], [17]]})
    other = rounded_product(C, A, 2 * B, r)
    assert holds(replace(other, places=PRODUCT.places), at, EXACT) is None


@pytest.mark.parametrize("size", [1, 2, 4])
def test_products_are_built_within_their_bound(size):
    """Some of them come to more than a quarter of it."""
    claim = Claim("product.within", given=[lt(0, r), PRODUCT], then=eq(C, C))
    rng, worst = random.Random(0), Fraction(0)
    for choose in range(20):
        inputs = construct(
            claim,
            {"l": 1, "n": size, "m": 2},
            EXACT,
            lambda: EXACT.number(Fraction(rng.choice((1, -1, 2, Fraction(1, 2))))),
            component=choose,
        )
        assert PRODUCT.body not in inputs.unmet
        (error,) = EXACT.rows(evaluate(C - A @ B, inputs.at, EXACT))
        sizes = [
            sum(abs(x * y) for x, y in zip(left, right, strict=True))
            for left in EXACT.rows(inputs.at.values["A"])
            for right in zip(*EXACT.rows(inputs.at.values["B"]), strict=True)
        ]
        for off, most in zip(error, sizes, strict=True):
            bound = size * inputs.at.values["r"] * most
            assert abs(off) <= bound
            worst = max(worst, to_rational(abs(off) / bound)) if bound else worst
    assert worst > Fraction(1, 4)


def test_a_product_of_another_shape_is_refused():
    with pytest.raises(ShapeError, match="needs the shape"):
        rounded_product(A, A, B, r)


def test_a_product_is_printed_as_computed():
    assert plain(PRODUCT) == "C = fl(A B), summed in any order with roundoff r"
    assert latex(PRODUCT).startswith("C = \\operatorname{fl}")


def test_a_product_binds_nothing_of_its_factors():
    i, j, h = index("i j h")
    inner = element(A, i, j) * B
    n, m = dims("n m")
    fact = rounded_product(matrix("C", n, m), element(B, h, 1) * inner, eye(m), r)
    assert {i, j, h}.isdisjoint(binders(fact))
