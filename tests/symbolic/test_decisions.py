"""Exact decisions: what they prove, what they must not prove, and the traps of other tools."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.symbolic import (
    derivative,
    det,
    dims,
    entry,
    eq,
    eye,
    function,
    inv,
    le,
    least,
    lt,
    matrix,
    norm,
    scalar,
    tr,
    vector,
    zeros,
)
from deltaproof.symbolic import expressions as ex
from deltaproof.symbolic.decisions import (
    Undecided,
    _check_division,
    difference_is_number,
    implied,
    same,
    same_statement,
)
from deltaproof.symbolic.evaluation import evaluate
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.rules import Instance, RuleError, instance
from hypothesis import given
from hypothesis import strategies as st

n, m = dims("n m")
A, B, S, R = (matrix(name, n, n) for name in "ABSR")
k, u, v, x = (vector(name, n) for name in "kuvx")
a, b, t = scalar("a"), scalar("b"), scalar("t")
f = function("f")
unit = eq(k.T @ k, eye(1))
skew = eq(S.T, -S)
plus, minus = eye(n) + S, eye(n) - S
both_inverses = [instance(side, plus).expand()[1] for side in ("right_inverse", "left_inverse")]


def proved(left, right, *facts) -> bool:
    return same(ex.as_expression(left), ex.as_expression(right), facts).holds


# ---------------------------------------------------------------- normal forms


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((A + B) @ (A - B), A @ A - A @ B + B @ A - B @ B),
        ((A @ B).T, B.T @ A.T),
        ((a * A).T.T, A * a),
        (A @ eye(n) + zeros(n, n), A),
        (u @ (v.T @ k), entry(k.T @ v) * u),
        (entry(u.T @ A @ v), entry(v.T @ A.T @ u)),
        (entry(u.T @ v) * entry(k.T @ x), entry(x.T @ k) * entry(v.T @ u)),
        ((u.T @ v) @ (k.T @ x), (k.T @ x) @ (u.T @ v)),
        ((a**2 - b**2) / (a - b), a + b),
        (1 / (1 / a), a),
        ((a + b) ** 3, a**3 + 3 * a**2 * b + 3 * a * b**2 + b**3),
        (f(1 - (1 - a)), f(a)),
        (det(A + B), det(B + A)),
        (least(a, 1 - a), least(1 - a, 1 - (1 - a))),
        (norm((A + A) @ x), norm(2 * (A @ x))),
        (derivative(4 * t * (1 - t), t), 4 * (1 - 2 * t)),
        (derivative(a * t**3, t, at=b, order=2), 6 * a * b),
    ],
    ids=str,
)
def test_one_normal_form(left, right):
    assert proved(left, right)
    assert not proved(left, 2 * right)
    assert not proved(left, -right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (A @ B, B @ A),
        (A.T, A),
        (u @ v.T, v @ u.T),
        (entry(u.T @ A @ v), entry(v.T @ A @ u)),
        (inv(plus) @ minus, minus @ inv(plus)),
        (tr(eye(n)), tr(eye(m))),
        (det(2 * eye(n)), det(2 * eye(m))),
        (det(A @ B), det(A) * det(B)),
        (f(a), f(b)),
        (least(a, b), a),
        (norm(-x), norm(x)),
        (derivative(f(t), t, at=a), derivative(f(t), t, at=b)),
    ],
    ids=str,
)
def test_different_normal_forms(left, right):
    assert not proved(left, right)


def test_a_denominator_that_is_zero_is_refused():
    with pytest.raises(Undecided, match="denominator"):
        same(a / (b - b), a)
    with pytest.raises(Undecided, match="denominator"):
        same(a / (b - 2), a, [eq(b, 2)])


# ---------------------------------------------------------------- facts


@pytest.mark.parametrize(
    ("left", "right", "facts"),
    [
        ((eye(n) - a * (k @ k.T)) @ k, (1 - a) * k, [unit]),
        (entry(x.T @ S @ x), -entry(x.T @ S @ x), [skew]),
        (inv(plus) @ minus, minus @ inv(plus), both_inverses),
        (B @ A @ B, B, [eq(A @ B, eye(n))]),
        (k.T @ (A.T @ A) @ k, k.T @ k, [eq(A.T @ A, eye(n))]),
        (det(eye(n) - a * (k @ k.T)), det(eye(n) - 2 * (k @ k.T)), [eq(a, 2)]),
        (a**2 * b, b, [eq(a**2, 1)]),
        (A, B, [eq(2 * A, 2 * B)]),
    ],
    ids=str,
)
def test_facts_are_needed_and_enough(left, right, facts):
    assert proved(left, right, *facts)
    for position in range(len(facts)):
        assert not proved(left, right, *facts[:position], *facts[position + 1 :])


def test_nothing_is_divided_by_what_may_be_zero():
    assert not proved(A, B, eq(a * A, a * B))
    assert not proved(b, t, eq(a * b, a * t))
    assert not proved(A, B, eq(entry(k.T @ k) * A, entry(k.T @ k) * B))


def test_facts_about_a_symbol_do_not_reach_below_a_bound_variable():
    assert proved(derivative(t**2, t, at=1), 2, eq(t, 0))
    assert not proved(derivative(t**2, t, at=1), 0, eq(t, 0))
    assert not proved(derivative(f(t), t, at=1), derivative(f(a), t, at=1), eq(t, a))


def test_quotients_are_multiplied_out_again():
    from sympy import QQ, Symbol
    from sympy.polys.rings import PolyRing

    ring = PolyRing([Symbol("y")], QQ)
    y = ring.gens[0]
    _check_division(y**2, [y], [y], ring.zero)
    with pytest.raises(Undecided, match="multiply out"):
        _check_division(y**2, [y], [y + 1], ring.zero)


# ---------------------------------------------------------------- traps of other tools


def test_trap_12_no_assumption_is_made_about_determinants_and_products():
    orthogonal = eq(R.T @ R, eye(n))
    assert not proved(det(R), 1, orthogonal)
    symmetric = [eq(A.T, A), eq(B.T, B)]
    assert not proved((A @ B).T, A @ B, *symmetric)
    assert proved((A @ B @ A).T, A @ B @ A, *symmetric)


def test_trap_13_a_nonzero_constant_is_not_zero_however_small():
    tiny = Fraction(1, 10**60)
    assert not proved((a + tiny) ** 2 - a**2 - 2 * a * tiny, 0)
    assert difference_is_number(a + tiny, a) == tiny
    assert difference_is_number(a, b) is None
    # the derivative of a sum of traces is not 0
    total = derivative(t * tr(A) + t * tr(B), t)
    assert proved(total, tr(A) + tr(B))
    assert not proved(total, 0)


def test_trap_14_rank_one_algebra_and_inverses_are_supplied():
    assert proved(inv(plus) @ minus, minus @ inv(plus), *both_inverses)
    sylvester = instance("sylvester", -1 * u, v.T).expand()[1]
    one = instance("determinant_one_by_one", eye(1) - v.T @ (-1 * u)).expand()[1]
    assert proved(det(eye(n) + u @ v.T), 1 + entry(v.T @ u), sylvester, one)
    assert not proved(det(eye(n) + u @ v.T), 1 - entry(v.T @ u), sylvester, one)


# ---------------------------------------------------------------- decisions against values


@st.composite
def polynomials(draw, depth=3):
    """Polynomials in A, Aᵀ, B and a, of low degree."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from([A, B, A.T, eye(n)]))
    left = draw(polynomials(depth=depth - 1))
    match draw(st.sampled_from("+-@Tas")):
        case "T":
            return left.T
        case "a":
            return a * left
        case "s":
            return Fraction(draw(st.integers(-2, 2))) * left
        case sign:
            right = draw(polynomials(depth=1))
            return {"+": left + right, "-": left - right, "@": left @ right}[sign]


POINTS = [
    exact_assignment(
        {"n": 3},
        {
            "a": Fraction(3, 7) + i,
            "A": [[(3 * i + 5 * p + q * q) % 7 for q in range(3)] for p in range(3)],
            "B": [[(2 * i + p * p + 4 * q + 1) % 5 for q in range(3)] for p in range(3)],
        },
    )
    for i in range(3)
]


@given(polynomials(), polynomials())
def test_decisions_agree_with_exact_values(left, right):
    for other in (right, left + right - right, (left.T).T):
        equal = all(evaluate(left, at, EXACT) == evaluate(other, at, EXACT) for at in POINTS)
        assert proved(left, other) == equal


# ---------------------------------------------------------------- orders and statements


def test_linear_inequalities():
    half = Fraction(1, 2)
    assert implied(le(a, b), [lt(a, b)])
    assert not implied(lt(a, b), [le(a, b)])
    assert implied(lt(half - t, half + t), [lt(0, t)])
    assert not implied(lt(half - t, half + t), [lt(-1, t)])
    assert implied(lt(a, t), [le(a, b), lt(b, t)])
    assert not implied(le(a, t), [le(a, b), lt(t, b)])
    assert implied(le(a, b), [eq(a, b)])
    assert implied(lt(0, 1))
    assert not implied(lt(1, 1))
    assert implied(le(1, 0), [lt(a, b), lt(b, a)])


def test_statements_are_compared_up_to_normal_forms():
    assert same_statement(
        eq(f(1 - Fraction(1, 2) * ex.as_expression(1)), a), eq(f(Fraction(1, 2)), a)
    )
    assert not same_statement(le(a, b), lt(a, b))
    assert not same_statement(eq(a, b), eq(a, -b))


# ---------------------------------------------------------------- rules


def test_rules_refuse_what_does_not_fit():
    with pytest.raises(RuleError, match="there is no rule"):
        instance("cancel", a)
    with pytest.raises(RuleError, match="sylvester"):
        instance("sylvester", k)
    with pytest.raises(RuleError, match="polynomial"):
        instance("chain_rule", f, f(t), t, 0)
    with pytest.raises(RuleError, match="vector"):
        instance("zero_square_sum", A)
    with pytest.raises(RuleError, match="form"):
        instance("local_derivative", eq(f(t), f(1 - t)))
    with pytest.raises(RuleError, match="two or more"):
        instance("zero_product", eq(a, 0))
    with pytest.raises(ex.ShapeError):
        instance("determinant_of_product", u, v.T)
    assert Instance("sylvester", (u, v.T)).words


RULE_CASES = {
    "right_inverse": (A,),
    "left_inverse": (A,),
    "sylvester": (u, v.T),
    "determinant_of_product": (A, B),
    "determinant_of_transpose": (A,),
    "determinant_of_inverse": (A,),
    "determinant_one_by_one": (u.T @ v,),
}


@pytest.mark.parametrize("name", RULE_CASES)
def test_equations_of_the_table_hold_in_exact_numbers(name):
    from deltaproof.symbolic.evaluation import holds

    premises, conclusion = Instance(name, RULE_CASES[name]).expand()
    assert not premises
    for size in (1, 2, 3):
        rows = [
            [Fraction(2 * p + 3 * q * q + 1 + (p == q) * 5) for q in range(size)]
            for p in range(size)
        ]
        at = exact_assignment(
            {"n": size},
            {
                "A": rows,
                "B": [[x + p for x in row] for p, row in enumerate(rows)],
                "u": [[p + 1] for p in range(size)],
                "v": [[2 - p] for p in range(size)],
            },
        )
        assert holds(conclusion, at, EXACT) is True
