"""Exact evaluation, and the laws that every arithmetic must obey."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.symbolic import (
    Claim,
    absolute,
    both,
    constant,
    derivative,
    det,
    differentiable,
    dims,
    either,
    element,
    entry,
    eq,
    exists,
    eye,
    forall,
    function,
    greatest,
    iff,
    implies,
    index,
    inv,
    invertible,
    kron,
    le,
    least,
    lt,
    matrix,
    ne,
    norm,
    ones,
    ordered_product,
    product,
    rank,
    scalar,
    sequence,
    size,
    smallest_singular_value_is,
    spectral_norm_is,
    sqrt,
    tends_to,
    total,
    tr,
    vec,
    vector,
    zeros,
)
from deltaproof.symbolic.constructions import construct, free_sizes
from deltaproof.symbolic.evaluation import Lambda, Undefined, Unsupported, evaluate, holds
from deltaproof.symbolic.exact import EXACT, Root, exact_assignment, to_rational
from hypothesis import given
from hypothesis import strategies as st

n, m = dims("n m")
A, B, X = matrix("A", n, n), matrix("B", n, n), matrix("X", n, m)
k, x = vector("k", n), vector("x", n)
a, b, gamma = scalar("a"), scalar("b"), scalar("gamma")
f = function("f")
HALF = Fraction(1, 2)

small = st.fractions(min_value=-4, max_value=4, max_denominator=4)


def rows(count, columns):
    return st.lists(st.lists(small, min_size=columns, max_size=columns), min_size=count,
                    max_size=count)  # fmt: skip


def number(node, **values):
    return to_rational(evaluate(node, exact_assignment({"n": 2}, values), EXACT))


def true(statement, sizes=None, samples=(), **values):
    return holds(statement, exact_assignment(sizes or {"n": 2}, values, samples), EXACT)


@given(rows(3, 3), rows(3, 3), small)
def test_matrix_laws_hold_at_every_value(left, right, factor):
    laws = [
        eq((A @ B).T, B.T @ A.T),
        eq((A + B).T, A.T + B.T),
        eq(det(A @ B), det(A) * det(B)),
        eq(det(A.T), det(A)),
        eq(tr(A @ B), tr(B @ A)),
        eq(a * (A @ B), A @ (a * B)),
        eq(rank(A.T @ A), rank(A)),
        le(rank(A @ B), rank(B)),
        eq(A - A, zeros(n, n)),
        implies(invertible(A), eq(inv(A) @ A, eye(n))),
        iff(invertible(A), ne(det(A), 0)),
        iff(invertible(A), eq(rank(A), 3)),
    ]
    for law in laws:
        assert true(law, {"n": 3}, A=left, B=right, a=factor), str(law)


@given(rows(3, 1), rows(3, 1))
def test_norms_are_exact_without_rounding(left, right):
    values = {"k": left, "x": right}
    assert true(eq(norm(k) ** 2, entry(k.T @ k)), {"n": 3}, **values)
    assert true(le(entry(k.T @ x), norm(k) * norm(x)), {"n": 3}, **values)
    longer = sum(r[0] ** 2 for r in left) <= sum(r[0] ** 2 for r in right)
    assert true(le(norm(k), norm(x)), {"n": 3}, **values) is longer
    assert true(eq(norm(-k), norm(k)), {"n": 3}, **values)


def test_square_roots_are_never_approximated():
    assert number(norm(k), k=[[3], [4]]) == 5
    root = evaluate(norm(k), exact_assignment({}, {"k": [[1], [1]]}), EXACT)
    assert isinstance(root, Root)
    with pytest.raises(Unsupported):
        to_rational(root)
    with pytest.raises(Unsupported, match="sum"):
        number(norm(k) + 1, k=[[1], [1]])
    assert not true(eq(norm(k), 1), k=[[1], [1]])


def test_undefined_terms_raise():
    with pytest.raises(Undefined):
        number(a / b, a=1, b=0)
    with pytest.raises(Undefined):
        true(eq(inv(A), A), A=[[0, 0], [0, 0]])
    assert true(implies(invertible(A), eq(inv(A), A)), A=[[0, 0], [0, 0]])
    assert true(both(invertible(A), eq(inv(A), A)), A=[[0, 0], [0, 0]]) is False


def test_sums_and_products_over_ranges_include_both_ends():
    i = index("i")
    y = sequence("y")
    values = {"y": {1: 2, 2: 3, 3: 5}}
    assert number(total(i, 1, 3, y[i]), **values) == 10
    assert number(product(i, 1, 3, y[i]), **values) == 30
    assert number(total(i, 3, 2, y[i]), **values) == 0
    assert number(product(i, 3, 2, y[i]), **values) == 1
    assert number(total(i, 1, 2, y[i + 1]), **values) == 8
    assert true(eq(total(i, 2, 1, sequence("z", n)[i]), zeros(n, 1)), z={})
    assert true(forall(i, le(2, y[i]), over=(1, 3)), **values)
    assert not true(forall(i, lt(2, y[i]), over=(1, 3)), **values)
    assert number(y[2 * i], i=1, **values) == 3


@given(small, small)
def test_derivatives_are_exact(point, other):
    assert number(derivative(gamma**3, gamma, at=a), a=point) == 3 * point**2
    assert number(derivative(a * gamma, gamma, at=b), a=point, b=other) == point
    assert number(derivative(gamma**3, gamma, at=a, order=2), a=point) == 6 * point
    slope = derivative((gamma + 1) / (1 + gamma**2), gamma, at=a)
    assert number(slope, a=point) == (1 - 2 * point - point**2) / (1 + point**2) ** 2


def test_a_function_is_a_lambda_and_its_kinks_are_seen():
    kink = Lambda(gamma, least(gamma, 1 - gamma))
    smooth = Lambda(gamma, least(gamma, gamma))
    at_half = differentiable(f(gamma), gamma, at=HALF)
    assert true(at_half, f=kink) is False
    assert true(at_half, f=smooth) is True
    assert true(differentiable(f(gamma), gamma, at=Fraction(1, 3)), f=kink) is True
    assert number(derivative(f(gamma), gamma, at=Fraction(1, 3)), f=kink) == 1
    assert number(f(f(a)), f=Lambda(gamma, gamma**2), a=3) == 81


@pytest.mark.parametrize(
    ("body", "point", "slope"),
    [
        (a * absolute(a), 0, 0),
        (absolute(a) ** 2, 0, 0),
        (least(a, -a) + greatest(a, -a), 0, 0),
        (absolute(a) - absolute(a), 0, 0),
        (least(a, a**2), 1, None),
        (absolute(a), 0, None),
        (2 * absolute(a) + a, 0, None),
        (greatest(a**3, a**2), 0, 0),
        (absolute(a), -1, -1),
    ],
    ids=str,
)
def test_a_kink_in_a_part_need_not_be_a_kink_of_the_whole(body, point, slope):
    smooth = differentiable(body, a, at=point)
    assert true(smooth) is (slope is not None)
    if slope is not None:
        assert number(f(b), f=Lambda(gamma, gamma), b=slope) == slope
        found = evaluate(derivative(body, a, at=point), exact_assignment({}, {}), EXACT)
        assert to_rational(found) == slope


def test_what_a_root_hides_is_not_decided():
    """√(a²) = |a| has a kink that its first Taylor coefficient does not show."""
    with pytest.raises(Unsupported):
        true(differentiable(sqrt(a**2), a, at=0))
    assert true(differentiable(sqrt(a**2), a, at=1)) is True


def test_an_entry_outside_a_matrix_has_no_value():
    for row, column in ((0, 1), (3, 1), (1, 0), (1, 3)):
        with pytest.raises(Undefined, match="entry"):
            number(element(A, row, column), A=[[1, 2], [3, 4]])


def test_real_quantifiers_are_never_decided_by_samples_alone():
    everywhere = forall(gamma, le(0, f(gamma)))
    somewhere = exists(gamma, lt(f(gamma), 0))
    square, identity = Lambda(gamma, gamma**2), Lambda(gamma, gamma)
    samples = (Fraction(-1), Fraction(0), Fraction(1))
    assert true(everywhere, samples=samples, f=square) is None
    assert true(somewhere, samples=samples, f=square) is None
    assert true(everywhere, samples=samples, f=identity) is False
    assert true(somewhere, samples=samples, f=identity) is True


def test_three_valued_logic():
    unknown = forall(gamma, le(0, gamma**2))
    yes, no = eq(a, a), ne(a, a)
    table = {
        both(unknown, no): False,
        both(unknown, yes): None,
        either(unknown, yes): True,
        either(unknown, no): None,
        implies(no, unknown): True,
        implies(unknown, yes): True,
        implies(unknown, no): None,
        iff(unknown, yes): None,
        iff(yes, no): False,
    }
    for statement, expected in table.items():
        assert true(statement, a=1) is expected, str(statement)


def test_matrices_by_entries_powers_and_kronecker_products():
    values = {"A": [[1, 2], [3, 4]], "B": [[0, 1], [1, 0]], "X": [[1, 2, 3], [4, 5, 6]]}
    sizes = {"n": 2, "m": 3}
    i = index("i")
    Y = sequence("Y", n, n)
    laws = [
        eq(element(A, 1, 2), 2),
        eq(element(A, size(n), 1), 3),
        eq(vec(A @ X), kron(eye(m), A) @ vec(X)),
        eq(det(kron(eye(m), A)), det(A) ** size(m)),
        eq(A**3, A @ A @ A),
        eq(A**0, eye(n)),
        eq((ones(1, n) @ A) @ ones(n), constant([[10]])),
        eq(ordered_product(i, 1, 2, Y[i]), Y[2] @ Y[1]),
        eq(ordered_product(i, 2, 1, Y[i]), eye(n)),
        eq(size(m) - size(n), 1),
        eq(greatest(1, 2), 2),
        eq(absolute(-2), 2),
        eq(sqrt(4), 2),
        lt(absolute(sqrt(2) * sqrt(3)), 3),
    ]
    for law in laws:
        assert true(law, sizes, Y={1: values["A"], 2: values["B"]}, **values), str(law)
    assert kron(A, eye(m)).shape == kron(eye(n), matrix("M", m, m)).shape
    assert not true(eq(A @ B, B @ A), sizes, **values)
    with pytest.raises(Undefined, match="exponent"):
        true(eq(A ** (size(n) - 3), A), sizes, **values)


def test_norms_of_matrices_are_read_by_their_definition():
    samples = (Fraction(1),)
    J = constant([[0, -2], [2, 0]])
    for statement in (spectral_norm_is(J, 2), smallest_singular_value_is(J, 2)):
        assert true(statement, samples=samples) is not False
    assert true(spectral_norm_is(J, 1), samples=samples) is False
    assert true(smallest_singular_value_is(J, 3), samples=samples) is False
    assert str(spectral_norm_is(A, a)) == "‖A‖ = a"


def test_a_limit_is_not_decided_by_evaluation():
    assert true(tends_to(1 / (1 + a**2), 0, variable=a), a=1) is None
    assert str(tends_to(a * b, 0, variable=a, to=1)) == "a b → 0 as a → 1"


# ---------------------------------------------------------------- constructions


def claim(*hypotheses, then=None):
    return Claim("t.construct", given=list(hypotheses), then=eq(a, a) if then is None else then)


Q, S, u = matrix("Q", n, n), matrix("S", n, n), vector("u", n)
HYPOTHESES = {
    "unit": [eq(k.T @ k, eye(1))],
    "skew": [eq(S.T, -S)],
    "orthogonal": [eq(Q.T @ Q, eye(n))],
    "rotation": [eq(Q.T @ Q, eye(n)), eq(det(Q), 1)],
    "improper": [eq(Q.T @ Q, eye(n)), eq(det(Q), -1)],
    "perpendicular": [eq(k.T @ u, zeros(1, 1))],
    "perpendicular to a unit vector": [eq(k.T @ k, eye(1)), eq(k.T @ u, zeros(1, 1))],
    "fixed": [eq(a, 2)],
    "interval": [le(0, a), le(a, 1)],
    "open interval": [lt(0, a), lt(a, 1)],
    "half line": [lt(1, a)],
    "other half line": [lt(a, -1)],
}


@pytest.mark.parametrize("name", HYPOTHESES)
@given(data=st.data(), n_=st.integers(1, 4), component=st.integers(0, 15))
def test_constructions_satisfy_what_they_say(name, data, n_, component):
    it = claim(*HYPOTHESES[name], then=eq(a * (k @ u.T + Q + S), a * (k @ u.T + Q + S)))
    inputs = construct(
        it,
        dict.fromkeys(free_sizes(it), n_),
        EXACT,
        lambda: EXACT.number(data.draw(small)),
        component=component,
    )
    assert inputs.unmet == ()
    for hypothesis in it.given:
        assert holds(hypothesis, inputs.at, EXACT), str(hypothesis)


def test_the_components_of_the_orthogonal_group_are_reached():
    it = claim(eq(Q.T @ Q, eye(n)), then=eq(Q, Q))
    reached = set()
    for component in range(4):
        inputs = construct(it, {"n": 2}, EXACT, lambda: EXACT.number(Fraction(0)),
                           component=component)  # fmt: skip
        reached.add(str(EXACT.rows(inputs.at.values["Q"])))
    assert len(reached) == 4


def test_a_hypothesis_of_another_form_is_returned_unmet():
    other = eq(A @ x, -x)
    inputs = construct(
        claim(other, then=eq(x, zeros(n, 1))), {"n": 2}, EXACT, lambda: EXACT.number(Fraction(1))
    )
    assert inputs.unmet == (other,)
    assert inputs.remaining(eq(x, zeros(n, 1))) == implies(both(other), eq(x, zeros(n, 1)))


def test_a_recurrence_is_run():
    i, l, L = index("i l L")
    y, c = sequence("y", n), sequence("c")
    it = claim(
        le(1, l),
        le(l, L),
        forall(i, eq(y[i + 1], c[i] * y[i]), over=(l, L - 1)),
        then=eq(y[L], y[L]),
    )
    inputs = construct(it, {"n": 2, "l": 2, "L": 4}, EXACT, lambda: EXACT.number(Fraction(3)))
    assert inputs.unmet == ()
    assert EXACT.rows(inputs.at.values["y"][4])[0][0] == 27
    backwards = construct(it, {"n": 1, "l": 2, "L": 1}, EXACT, lambda: EXACT.number(Fraction(3)))
    assert [str(p) for p in backwards.unmet] == ["l ≤ L"]


def test_a_symmetric_function_is_symmetric_and_varies():
    hypothesis = forall(gamma, eq(f(gamma), f(1 - gamma)))
    it = claim(hypothesis, then=eq(f(a), f(1 - a)))
    inputs = construct(it, {}, EXACT, iter(map(EXACT.number, map(Fraction, (5, 1, 2, 3)))).__next__)
    assert holds(it.then, inputs.at, EXACT)
    assert holds(eq(f(a), f(2 * a)), inputs.at, EXACT) is False


def test_constant_matrices_have_their_value():
    J = constant([[0, -1], [1, 0]])
    assert true(eq(J @ J, -eye(2)))
