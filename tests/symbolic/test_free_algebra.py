"""Words, polynomials, and what a claim says as polynomials."""

from fractions import Fraction

import pytest
from deltaproof.symbolic import (
    Claim,
    ClaimError,
    both,
    det,
    dims,
    either,
    entry,
    eq,
    eye,
    iff,
    implies,
    inv,
    invertible,
    lt,
    matrix,
    ne,
    norm,
    scalar,
    vector,
    zeros,
)  # fmt: skip
from deltaproof.symbolic.evaluation import evaluate
from deltaproof.symbolic.exact import EXACT, exact_assignment
from deltaproof.symbolic.expressions import ShapeError
from deltaproof.symbolic.free_algebra import (
    Alphabet,
    Polynomial,
    Reading,
    Unreadable,
    branches,
    number,
    one,
    plain_polynomial,
)
from hypothesis import given
from hypothesis import strategies as st

n, m = dims("n m")
A, B, C, S = (matrix(name, n, n) for name in "ABCS")
M = matrix("M", n, m)
u, v, w = vector("u", n), vector("v", n), vector("w", m)
a, b = scalar("a"), scalar("b")


def reading(then, *facts, branch=0):
    claim = Claim("test.claim", given=facts, then=then)
    return Reading(claim, branches(claim)[branch])


def zero_of(then, *facts):
    (goal,) = reading(then, *facts).goals
    return goal.zero


# ---- normal form


def test_one_by_one_factors_leave_the_word_and_equal_their_transposes():
    assert not zero_of(eq(u @ v.T @ u @ v.T, entry(v.T @ u) * (u @ v.T)))
    assert not zero_of(eq(u.T @ A @ v, v.T @ A.T @ u))
    assert not zero_of(eq(u @ v.T @ u @ w.T, u @ u.T @ v @ w.T))


def test_matrices_do_not_commute():
    assert zero_of(eq(A @ B, B @ A))
    assert zero_of(eq(u @ v.T, v @ u.T))
    assert zero_of(eq(A.T, A))


def test_scalars_commute_and_distribute():
    assert not zero_of(eq((a + b) ** 2 * A, (a**2 + 2 * a * b + b**2) * A))
    assert zero_of(eq((a + b) ** 2 * A, (a**2 + b**2) * A))


def test_transposition_is_an_involution_that_reverses_products():
    assert not zero_of(eq((A @ M).T, M.T @ A.T))
    assert not zero_of(eq((A @ B @ C).T.T, A @ B @ C))


def test_a_word_knows_its_shape_and_refuses_what_does_not_fit():
    alphabet = Alphabet()
    alphabet.add("M", (n, m))
    mm = (("M", False), ("M", False))
    with pytest.raises(Unreadable, match=r"ill-typed word: M of shape .* meets M"):
        alphabet.shape(mm)
    with pytest.raises(Unreadable, match="unknown symbol X"):
        alphabet.shape((("X", False),))
    with pytest.raises(Unreadable, match="has the shapes"):
        alphabet.add("M", (m, n))
    with pytest.raises(Unreadable, match="looks like a transpose"):
        alphabet.add("M^T", (n, m))
    with pytest.raises(ShapeError):
        alphabet.multiply(alphabet.letter("M"), alphabet.letter("M"))
    with pytest.raises(ShapeError):
        _ = alphabet.letter("M") + one(n)


def test_plain_polynomial():
    zero = zero_of(eq(A @ A.T + a * (u @ v.T), entry(u.T @ v) * eye(n)))
    assert zero is not None
    assert plain_polynomial(zero) == "-[u^T v] + A A^T + a·u v^T"
    assert plain_polynomial(Polynomial((n, n), {})) == "0"


# ---- what a claim says


def test_hypotheses_are_numbered_as_they_stand():
    found = reading(eq(A, B), both(eq(A, C), eq(det(A), 1)), eq(B, C)).facts
    assert sorted(found) == ["given 1", "given 3"]


def test_unreadable_conclusions_are_named():
    with pytest.raises(Unreadable, match=r"det\(A\)"):
        reading(eq(det(A), 1))
    with pytest.raises(Unreadable, match="no equation"):
        reading(lt(a, b))


def test_an_inverse_has_two_relations_once_it_exists():
    found = reading(eq(inv(A) @ A, eye(n)), invertible(A))
    assert {"inverse 1 left", "inverse 1 right"} <= set(found.facts)
    assert not found.open
    open_ = reading(eq(inv(eye(n) + S) @ S, S @ inv(eye(n) + S)), eq(S.T, -S))
    assert len(open_.open) == 1
    assert "inverse 1 left" not in open_.facts


def test_inverses_of_equal_polynomials_are_one_symbol():
    facts = (invertible(eye(n) + A), invertible(A + eye(n)))
    assert not zero_of(eq(inv(A + eye(n)), inv(eye(n) + A)), *facts)
    assert not zero_of(eq(inv(A.T), inv(A).T), invertible(A), invertible(A.T))


def test_denominators_become_atoms_only_when_they_are_not_zero():
    assert "reciprocal 1" in reading(eq(a / b, 1), ne(b, 0)).facts
    positive = reading(eq(1 / (1 + a**2), 1))
    assert "positive" in positive.rules
    assert not zero_of(eq(1 / (2 * b), Fraction(1, 2) * (1 / b)), ne(b, 0), ne(2 * b, 0))


def test_a_vector_that_is_not_zero_has_a_square_to_divide_by():
    found = reading(eq(u, v), ne(u, zeros(n, 1)))
    assert plain_polynomial(found.facts["reciprocal 1"]) == "-1 + 1/(‖u‖²)·[u^T u]"


def test_norms_become_squares():
    (goal,) = reading(eq(norm(u), norm(v))).goals
    assert goal.rule == "norm_squares"
    assert plain_polynomial(goal.zero) == "[u^T u] - [v^T v]"
    assert plain_polynomial(reading(eq(u, v), eq(norm(u), 1)).facts["norm 1"]) == (
        "-[u^T u] + ‖u‖·‖u‖"
    )


def test_an_alternative_is_a_product():
    (goal,) = reading(either(eq(a, 0), eq(a, 2))).goals
    assert goal.rule == "zero_product"
    assert plain_polynomial(goal.zero) == "-2·a + a·a"
    with pytest.raises(Unreadable, match="no scalar equation"):
        reading(either(eq(A, B), eq(a, 0)))


def test_conclusions_are_taken_apart():
    claim = Claim(
        "test.parts", then=both(eq(A, A), implies(eq(A, B), eq(B, A)), iff(eq(a, 0), eq(b, 0)))
    )
    parts = branches(claim)
    assert [len(branch.premises) for branch in parts] == [0, 1, 1, 1]
    assert [len(branch.statements) for branch in parts] == [1, 1, 1, 1]


def test_new_symbols_do_not_take_the_names_of_others():
    """No name of a claim looks like the name of a symbol that a reading adds."""
    found = reading(eq(inv(A) @ B, eye(n)), invertible(A))
    assert {name for name, _ in found.alphabet.shapes} == {"A", "B", "inv(A)"}
    for name in ("inv(A)", "𝟏(n)", "n·m", "2", "κ 1"):
        with pytest.raises(ClaimError, match="is no name"):
            Claim("t.trap", then=eq(matrix(name, n, n), matrix(name, n, n)))


# ---- the reading means what the expression means

_entries = st.lists(st.integers(-3, 3), min_size=4, max_size=4).map(
    lambda x: [[x[0], x[1]], [x[2], x[3]]]
)
_columns = st.lists(st.integers(-3, 3), min_size=2, max_size=2).map(lambda x: [[x[0]], [x[1]]])
_expressions = st.recursive(
    st.sampled_from([A, B, eye(n), u @ v.T, A.T, zeros(n, n)]),
    lambda inner: st.one_of(
        st.builds(lambda x, y: x + y, inner, inner),
        st.builds(lambda x, y: x - y, inner, inner),
        st.builds(lambda x, y: x @ y, inner, inner),
        st.builds(lambda x: x.T, inner),
        st.builds(lambda x: (a + 2) * x, inner),
        st.builds(lambda x: entry(u.T @ x @ v) * x, inner),
    ),
    max_leaves=5,
)


@given(_expressions, _entries, _entries, _columns, _columns, st.fractions(-2, 2))
def test_a_polynomial_has_the_value_of_its_expression(node, x, y, p, q, factor):
    found = reading(eq(node, node))
    body = found.polynomial(node)
    at = exact_assignment({"n": 2}, {"A": x, "B": y, "u": p, "v": q, "a": factor})

    def letter(symbol):
        value = at.values[symbol[0]]
        return value.transpose() if symbol[1] else value

    def word(letters, size):
        value = EXACT.matrix(
            [[EXACT.number(Fraction(int(i == j))) for j in range(size)] for i in range(size)]
        )
        for symbol in letters:
            value = value * letter(symbol)
        return value

    total = word((), 2) * 0
    for (atoms, letters), coefficient in body.terms.items():
        value = word(letters, 2) * EXACT.number(coefficient)
        for atom in atoms:
            value = value * (
                at.values[atom]
                if isinstance(atom, str)
                else (letter(atom[0]) * word(atom[1:], 2 if len(atom) > 1 else 1))[0, 0]
            )
        total = total + value
    assert total == evaluate(node, at, EXACT)


def test_numbers_are_one_by_one():
    assert number(3).constant == 3
    assert number(0).constant == 0
    assert one(n).constant == 1
