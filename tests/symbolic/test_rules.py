"""The rules on sums over a range and on Frobenius norms: exact numbers, and near misses."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest
from deltaproof.proofs.catalogue.rounding import ENTRIES
from deltaproof.proofs.dependencies import Claims, dependencies
from deltaproof.symbolic import dims, eq, eye, le, matrix, rounding, scalar, tr, vector
from deltaproof.symbolic.claims import is_nonnegative
from deltaproof.symbolic.derivations import check_derivation
from deltaproof.symbolic.evaluation import evaluate, holds
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.expressions import (
    ShapeError,
    absolute,
    as_expression,
    element,
    entry,
    index,
    size,
    total,
    vec,
)
from deltaproof.symbolic.frobenius import entries_within, entries_within_product, frobenius
from deltaproof.symbolic.propositions import both, forall, lt
from deltaproof.symbolic.reals import REALS
from deltaproof.symbolic.rules import RULES, RuleError, instance
from deltaproof.symbolic.summation import rounded_product

n, m = dims("n m")
a, b, c = (vector(name, n) for name in "abc")
i, h = index("i h")
a_h, b_h, c_h = (element(x, h, 1) for x in (a, b, c))
VALUES = {"a": [[1], [-2], [3]], "b": [[2], [2], [3]], "c": [[4], [0], [-5]]}


def over_h(term):
    """Σ term over h = 1, …, n."""
    return total(h, 1, size(n), term)


def each_h(fact):
    """A fact for h = 1, …, n."""
    return forall(h, fact, over=(1, size(n)))


def drawn(row: int = 2, values: Mapping[str, Any] = MappingProxyType({})):
    """a = (1, −2, 3), b = (2, 2, 3), c = (4, 0, −5), the row 2; other values in their place."""
    return exact_assignment({"n": 3}, {**VALUES, **values}).bind("i", row)


def valued(expression, row: int = 2):
    """The value of a scalar."""
    return evaluate(expression, drawn(row), EXACT)


def test_the_magnitude_of_a_sum():
    (premise,), conclusion = instance("absolute_of_sum", each_h(le(absolute(a_h), b_h))).expand()
    assert premise == each_h(le(absolute(a_h), b_h))
    assert conclusion == le(absolute(over_h(a_h)), over_h(b_h))
    assert (valued(conclusion.left), valued(conclusion.right)) == (2, 7)
    assert holds(premise, drawn(), EXACT) is holds(conclusion, drawn(), EXACT) is True
    # without its premise it is false: |a₁ + a₂ + a₃| = 2 > −1 = c₁ + c₂ + c₃
    assert not holds(le(absolute(over_h(a_h)), over_h(c_h)), drawn(), EXACT)
    # and the other way round: Σ |a_h| = 6 > 2 = |Σ a_h|
    assert valued(over_h(absolute(a_h))) > valued(absolute(over_h(a_h)))


@pytest.mark.parametrize(
    "fact",
    [
        each_h(le(a_h, b_h)),
        each_h(le(b_h, absolute(a_h))),
        each_h(lt(absolute(a_h), b_h)),
        each_h(eq(absolute(a_h), b_h)),
        forall(h, le(absolute(a_h), b_h), over=(1, None)),
        le(absolute(a_h), b_h),
    ],
    ids=str,
)
def test_the_magnitude_of_a_sum_is_of_bounded_terms_of_a_finite_range(fact):
    with pytest.raises(RuleError, match="needs |a_i| ≤ b_i".replace("|", r"\|")):
        instance("absolute_of_sum", fact)


def test_sums_in_order():
    (premise,), conclusion = instance("sums_in_order", each_h(le(a_h, b_h))).expand()
    assert premise == each_h(le(a_h, b_h))
    assert conclusion == le(over_h(a_h), over_h(b_h))
    assert (valued(conclusion.left), valued(conclusion.right)) == (2, 7)
    # one term out of order is enough to turn it
    turned = {"a": [[1], [-2], [9]]}
    assert not holds(premise, drawn(values=turned), EXACT)
    assert not holds(conclusion, drawn(values=turned), EXACT)


@pytest.mark.parametrize(
    "fact",
    [
        each_h(lt(a_h, b_h)),  # nothing follows strictly from an empty range
        each_h(eq(a_h, b_h)),
        forall(h, le(a_h, b_h), over=(1, None)),
        le(a_h, b_h),
    ],
    ids=str,
)
def test_sums_in_order_are_of_ordered_terms_of_a_finite_range(fact):
    with pytest.raises(RuleError, match="needs a_i ≤ b_i"):
        instance("sums_in_order", fact)


def test_a_sum_of_sums():
    premises, conclusion = instance("sum_of_sums", over_h(a_h + b_h)).expand()
    assert premises == ()
    assert conclusion == eq(over_h(a_h + b_h), over_h(a_h) + over_h(b_h))
    assert valued(conclusion.left) == valued(conclusion.right) == 9
    assert valued(over_h(a_h) + over_h(c_h)) != 9


@pytest.mark.parametrize("total_of", [over_h(a_h * b_h), over_h(a_h - b_h), over_h(a_h), a_h + b_h])
def test_only_sums_are_split(total_of):
    with pytest.raises(RuleError, match=r"sum over a range of a \+ b"):
        instance("sum_of_sums", total_of)


def test_an_inner_product_is_a_sum():
    premises, conclusion = instance("inner_product", a, b, h).expand()
    assert premises == ()
    assert valued(conclusion.left) == valued(conclusion.right) == 7
    assert conclusion.right == over_h(a_h * b_h)
    assert valued(over_h(a_h * c_h)) != 7


@pytest.mark.parametrize(
    ("left", "right", "at"),
    [
        (a, vector("b", m), h),
        (eye(n), eye(n), h),
        (a, scalar("s"), h),
        (element(a, h, 1) * a, b, h),  # the index would be captured
        (a, element(a, h, 1) * b, h),
    ],
    ids=str,
)
def test_an_inner_product_is_of_two_vectors_without_the_index(left, right, at):
    with pytest.raises(RuleError, match="two vectors without h"):
        instance("inner_product", left, right, at)


IDENTITY_h = element(eye(n), i, h)


@pytest.mark.parametrize("entry", [IDENTITY_h, absolute(IDENTITY_h)], ids=str)
def test_a_row_of_the_identity_picks_a_term(entry):
    premises, conclusion = instance("row_of_identity", i, over_h(entry * c_h)).expand()
    assert premises == (le(1, i), le(i, size(n)))
    assert conclusion.right == element(c, i, 1)
    for row, entry_of_c in ((1, 4), (2, 0), (3, -5)):
        assert all(holds(part, drawn(row), EXACT) for part in (*premises, conclusion))
        assert valued(conclusion.left, row=row) == entry_of_c
    # a row that the identity does not have meets no premise
    assert not holds(premises[1], drawn(row=4), EXACT)


@pytest.mark.parametrize(
    ("row", "terms"),
    [
        (i, over_h(element(eye(n), h, i) * c_h)),  # a column
        (i, over_h(element(eye(n), h, h) * c_h)),  # the diagonal
        (i + 1, over_h(IDENTITY_h * c_h)),  # another row
        (i, over_h(c_h * IDENTITY_h)),  # factors the other way round
        (i, over_h(element(eye(m), i, h) * c_h)),  # an identity of another size
        (i, total(h, 2, size(n), IDENTITY_h * c_h)),  # not from 1
        (i, total(h, 1, size(n) - 1, IDENTITY_h * c_h)),  # not to n
        (i, over_h(IDENTITY_h + c_h)),
        (h, over_h(element(eye(n), h, h) * c_h)),  # the row is the index
        (scalar("x"), over_h(IDENTITY_h * c_h)),  # no integer by its form
    ],
    ids=lambda x: str(x),
)
def test_what_is_no_row_of_the_identity_is_refused(row, terms):
    with pytest.raises(RuleError):
        instance("row_of_identity", row, terms)


def test_a_row_given_by_a_number():
    row = as_expression(3)
    terms = over_h(element(eye(n), 3, h) * c_h)
    premises, conclusion = instance("row_of_identity", row, terms).expand()
    assert all(holds(part, drawn(), EXACT) for part in (*premises, conclusion))
    assert valued(conclusion.left) == valued(conclusion.right) == -5


# ---------------------------------------------------------------- Frobenius norms

A, B, D = matrix("A", n, m), matrix("B", m, n), matrix("D", n, m)
M, E = matrix("M", n, m), matrix("E", n, m)
f = scalar("f")
MATRICES = {
    "A": [[1, -2, 0], [2, 0, 4]],  # ‖A‖ = 5
    "B": [[0, 0], [3, 0], [0, -4]],  # ‖B‖ = 5
    "D": [[-1, 2, 0], [-2, 0, -4]],  # −A
    "M": [[2, -1, 0], [0, 2, 0]],  # ‖M‖ = 3
    "E": [[-1, 0, 0], [0, 1, 0]],
    "f": Fraction(1, 2),
}


def true_at(fact, **values):
    """Is it true at the matrices above, or at others in their place?"""
    return holds(fact, exact_assignment({"n": 2, "m": 3}, {**MATRICES, **values}), REALS)


NORMS = [
    (instance("frobenius_squared", A), lambda: both(le(0, frobenius(A)), eq(frobenius(A), 25))),
    (instance("frobenius_triangle", A, M), lambda: le(frobenius(A + M), frobenius(A))),
    (instance("frobenius_product", A, B), lambda: le(frobenius(A @ B), frobenius(A))),
    (
        instance("frobenius_multiple", -f, A),
        lambda: eq(frobenius(-f * A), -f * frobenius(A)),
    ),
    (instance("frobenius_transpose", A), lambda: eq(frobenius(A.T), frobenius(M))),
    (
        instance("trace_at_most", A, D),
        lambda: lt(absolute(tr(A.T @ D)), frobenius(A) * frobenius(D)),
    ),
    (instance("smaller_entries", E, f, M), lambda: le(frobenius(E), f**2 * frobenius(M))),
]


@pytest.mark.parametrize(("rule", "near"), NORMS, ids=[rule.rule for rule, _ in NORMS])
def test_norms(rule, near):
    premises, conclusion = rule.expand()
    assert all(true_at(premise) is True for premise in premises)
    assert true_at(conclusion) is True
    assert true_at(near()) is False


def test_smaller_entries_need_their_premises():
    premises, conclusion = instance("smaller_entries", E, f, M).expand()
    assert premises == (le(0, f), entries_within(E, f, M))
    large = [[-1, 0, 3], [0, 1, 0]]  # one entry beyond its bound, which is 0
    assert true_at(premises[1], E=large) is False
    assert true_at(conclusion, E=large) is False
    with pytest.raises(ShapeError, match="one shape"):
        instance("smaller_entries", E, f, B)


def test_smaller_entries_of_a_product():
    square = matrix("S", n, n)
    premises, conclusion = instance("smaller_entries_of_product", square, f, A, B).expand()
    assert premises == (le(0, f), entries_within_product(square, f, A, B))
    # Σ |A_ih| |B_hj| is 6, 0 / 0, 16
    assert true_at(premises[1], S=[[3, 0], [0, -8]]) is True
    assert true_at(conclusion, S=[[3, 0], [0, -8]]) is True
    assert true_at(premises[1], S=[[3, 1], [0, -8]]) is False
    assert true_at(conclusion, S=[[3, 0], [0, -13]]) is False
    with pytest.raises(ShapeError, match="shape"):
        instance("smaller_entries_of_product", M, f, A, B)


def test_a_trace_needs_one_shape():
    with pytest.raises((RuleError, ShapeError)):
        instance("trace_at_most", A, B)


def test_a_trace_is_visibly_at_least_zero_only_of_a_square():
    assert is_nonnegative(tr(A.T @ A))
    assert not is_nonnegative(tr(A.T @ M))
    assert not is_nonnegative(tr(A @ B))


def test_the_entry_of_a_matrix_of_one():
    one_by_one = matrix("S", 1, 1)
    premises, conclusion = instance("entry_is_norm", one_by_one).expand()
    assert premises == ()
    assert true_at(conclusion, S=[[-7]]) is True
    # not of the entry itself, and of no larger matrix
    assert true_at(eq(entry(one_by_one), frobenius(one_by_one)), S=[[-7]]) is False
    with pytest.raises(ShapeError, match="1×1"):
        instance("entry_is_norm", A)


def test_a_trace_column_by_column():
    premises, conclusion = instance("trace_of_columns", A, M).expand()
    assert premises == ()
    assert true_at(conclusion) is True
    assert true_at(eq(tr(A.T @ M), entry(vec(A).T @ vec(D)))) is False
    with pytest.raises((RuleError, ShapeError)):
        instance("trace_of_columns", A, B)


# ---------------------------------------------------------------- rules that a claim proves

PROVED = {name: rule.proved_by for name, rule in RULES.items() if rule.proved_by}


def test_which_rules_a_claim_proves():
    assert PROVED == {"product_in_any_order": "rounding.product_in_any_order"}


def test_a_product_in_any_order_is_what_its_claim_says():
    """The rule at the claim's own symbols is the claim; its proof does not cite the rule."""
    row = next(e for e in ENTRIES if e.claim.id == PROVED["product_in_any_order"])
    left, right, product = rounding.factor_left, rounding.factor_right, rounding.multiplied
    rule = instance("product_in_any_order", product, left, right, rounding.r)
    assert rule.expand() == (row.claim.given, row.claim.then)
    assert row.claim.expected == "proved"
    rests_on = dependencies(row, Claims(ENTRIES))[Kind.DERIVATION]
    assert "rule:product_in_any_order" not in rests_on
    evidence = check_derivation(row.claim, row.derivation)
    assert evidence.outcome is Outcome.CONFIRMED


def test_who_cites_it_rests_on_its_claim():
    claims = Claims(ENTRIES)
    for name in ("cayley_plane_basis", "cayley_frobenius_omega"):
        row = next(e for e in ENTRIES if e.claim.id == f"rounding.{name}")
        found = dependencies(row, claims)[Kind.DERIVATION]
        assert {"rule:product_in_any_order", "rounding.product_in_any_order"} <= set(found)


def test_a_product_in_any_order_needs_its_premises():
    product = matrix("S", n, n)
    premises, conclusion = instance("product_in_any_order", product, A, B, f).expand()
    assert premises == (lt(0, f), rounded_product(product, A, B, f))
    # A B = (−6, 0; 0, −16), to within 3/2 of Σ |A_ih| |B_hj|
    assert true_at(conclusion, S=[[3, 0], [0, 8]]) is True
    assert true_at(conclusion, S=[[4, 0], [0, 8]]) is False
    with pytest.raises(ShapeError, match="shape"):
        instance("product_in_any_order", M, A, B, f)
