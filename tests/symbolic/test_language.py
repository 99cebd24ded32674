"""Laws of the statement language: shapes, what is kept as written, what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from deltaproof.symbolic import (
    Claim,
    ClaimError,
    ShapeError,
    absolute,
    both,
    constant,
    derivative,
    det,
    differentiable,
    dims,
    either,
    elementary,
    entry,
    eq,
    exists,
    eye,
    forall,
    function,
    greatest,
    implies,
    index,
    inv,
    invertible,
    le,
    least,
    lt,
    matrix,
    named,
    ne,
    norm,
    scalar,
    sequence,
    sqrt,
    total,
    vector,
    zeros,
)
from deltaproof.symbolic.claims import restate, statement_hash, symbols
from deltaproof.symbolic.expressions import substitute, walk
from deltaproof.symbolic.propositions import atoms
from hypothesis import given
from hypothesis import strategies as st

n, m = dims("n m")
A, B, X = matrix("A", n, n), matrix("B", n, n), matrix("X", n, m)
k, y = vector("k", n), vector("y", m)
a, b = scalar("a"), scalar("b")
SIZES = [n, m, 1, 2, 3]


@st.composite
def expressions(draw: st.DrawFn, rows=None, columns=None, depth: int = 3):
    """A matrix expression of the shape asked for, and the shape."""
    rows = rows if rows is not None else draw(st.sampled_from(SIZES))
    columns = columns if columns is not None else draw(st.sampled_from(SIZES))
    if depth == 0:
        return matrix(draw(st.sampled_from("ABC")) + f"{rows}{columns}", rows, columns)
    kind = draw(st.sampled_from(["leaf", "sum", "product", "transpose", "scale", "negate"]))
    below = expressions(rows=rows, columns=columns, depth=depth - 1)
    match kind:
        case "sum":
            return draw(below) + draw(below)
        case "product":
            inner = draw(st.sampled_from(SIZES))
            left = draw(expressions(rows=rows, columns=inner, depth=depth - 1))
            return left @ draw(expressions(rows=inner, columns=columns, depth=depth - 1))
        case "transpose":
            return draw(expressions(rows=columns, columns=rows, depth=depth - 1)).T
        case "scale":
            return draw(st.integers(-3, 3)) * draw(below)
        case "negate":
            return -draw(below)
    return matrix("L" + f"{rows}{columns}", rows, columns)


@given(expressions())
def test_every_part_of_an_expression_has_a_shape_that_fits(node):
    for part in walk(node):
        if part.shape is not None:
            assert part.T.shape == (part.shape[1], part.shape[0])
            assert part.T.T.shape == part.shape
    assert substitute(node, {}) == node


@given(expressions(), expressions())
def test_sums_and_products_check_shapes_and_name_both(left, right):
    if left.shape == right.shape:
        assert (left + right).shape == (left - right).shape == left.shape
    else:
        with pytest.raises(ShapeError) as raised:
            _ = left + right
        for shape in (left.shape, right.shape):
            assert f"({shape[0]}, {shape[1]})" in str(raised.value)
    if left.shape[1] == right.shape[0]:
        assert (left @ right).shape == (left.shape[0], right.shape[1])
    else:
        with pytest.raises(ShapeError, match="columns meet"):
            _ = left @ right


def test_nothing_is_rewritten():
    assert str(eq(inv(A @ B), inv(B) @ inv(A))) == "(A B)⁻¹ = B⁻¹ A⁻¹"
    assert str(eq(a / a, 1)) == "a/a = 1"
    assert A + B != B + A
    assert str((A.T).T) == "(Aᵀ)ᵀ"


def test_a_one_by_one_matrix_is_not_a_scalar():
    with pytest.raises(ShapeError, match="entry"):
        _ = a + k.T @ k
    with pytest.raises(ShapeError, match=r"entry\(…\)"):
        _ = 1 + k.T @ k
    assert (1 + entry(k.T @ k)).shape is None
    with pytest.raises(ShapeError, match="1×1"):
        entry(A)
    with pytest.raises(ShapeError, match="a denominator must be a scalar"):
        _ = a / (k.T @ k)


def test_numbers_are_exact():
    assert str(Fraction(1, 3) * a) == "1/3 a"
    with pytest.raises(TypeError, match=r"0\.5"):
        _ = 0.5 * a
    with pytest.raises(TypeError, match="True"):
        _ = True * a


def test_what_needs_a_square_matrix_or_a_vector_says_so():
    for build in (det, inv, invertible):
        with pytest.raises(ShapeError, match="square"):
            build(X)
    with pytest.raises(ShapeError, match="vector"):
        norm(X)
    with pytest.raises(ShapeError, match="`@`"):
        _ = A * B
    with pytest.raises(ShapeError, match="scalars"):
        le(A, B)
    with pytest.raises(ShapeError, match="≥ 1"):
        eye(0)
    with pytest.raises(ShapeError, match="exponents"):
        _ = a ** (-1)


def test_names():
    assert dims("n") == n
    assert dims("n m") == (n, m)
    with pytest.raises(ValueError, match="no names"):
        dims(" ")


def test_indices_are_bounded_and_scalars_are_not():
    i = index("i")
    x = sequence("x")
    assert str(forall(i, le(0, x[i]), over=(1, 3))) == "for all i = 1, …, 3: 0 ≤ x_i"
    with pytest.raises(TypeError, match="range"):
        forall(i, le(0, x[i]))
    with pytest.raises(TypeError, match="bounds an index"):
        forall(a, le(0, a), over=(1, 3))
    assert total(i, 1, 3, vector("v", n)).shape == (n, 1)


# ---------------------------------------------------------------- claims


def test_an_inverse_needs_a_reason():
    with pytest.raises(ClaimError, match=r"invertible\(A\)"):
        Claim("t.inverse", then=eq(inv(A) @ A, eye(n)))
    Claim("t.inverse", given=[invertible(A)], then=eq(inv(A) @ A, eye(n)))
    with pytest.raises(ClaimError, match="may not exist"):
        Claim("t.order", given=[eq(inv(A), B), invertible(A)], then=eq(A, B))


@pytest.mark.parametrize("skew", [A, 2 * A, -A, a * A, A.T, (k @ y.T @ X.T - X @ y @ k.T)])
def test_identity_plus_skew_is_invertible_without_being_told(skew):
    given = [eq(A.T, -A)]
    Claim("t.skew", given=given, then=eq(inv(eye(n) + skew), inv(eye(n) - (-skew))))


@pytest.mark.parametrize("other", [A @ A, A + eye(n), k @ k.T, B])
def test_identity_plus_anything_else_is_not(other):
    with pytest.raises(ClaimError, match="may not exist"):
        Claim("t.skew", given=[eq(A.T, -A)], then=eq(inv(eye(n) + other), eye(n)))


def test_a_denominator_needs_a_reason():
    for known in ([ne(b, 0)], [lt(0, b)], [lt(b, 0)]):
        Claim("t.division", given=known, then=eq(a / b * b, a))
    Claim("t.division", then=eq(a / (1 + a**2 * norm(k) ** 2), 0))
    Claim("t.division", then=eq(a / (1 + entry(k.T @ k)), 0))
    for denominator in (b, a * b, 1 - a**2, a**2, 1 + a**3):
        with pytest.raises(ClaimError, match="may be zero"):
            Claim("t.division", then=eq(a / denominator, 0))


def test_a_derivative_of_an_unknown_function_needs_a_reason():
    f = function("f")
    with pytest.raises(ClaimError, match="differentiable"):
        Claim("t.slope", then=eq(derivative(f(a), a, at=1), 0))
    Claim("t.slope", given=[differentiable(f(a), a, at=1)], then=eq(derivative(f(a), a, at=1), 0))
    Claim("t.slope", then=eq(derivative(a**2, a), 2 * a))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (scalar("A"), entry(matrix("A", 1, 1))),
        (scalar("n"), entry(vector("x", n).T @ vector("x", n))),
        (entry(vector("A", n).T @ vector("A", n)), entry(vector("A", m).T @ vector("A", m))),
        (index("i"), scalar("i")),
        (function("f")(0), scalar("f")),
        (sequence("y")[1], scalar("y")),
        (scalar("g"), named("g", a + 1)),
        (named("g", a + 2), named("g", a + 1)),
    ],
    ids=str,
)
def test_one_name_has_one_meaning(one, other):
    with pytest.raises(ClaimError, match="stands for two things"):
        Claim("t.names", then=eq(one, other))


def test_a_statement_is_not_a_python_truth():
    with pytest.raises(TypeError, match="both"):
        _ = eq(a, 1) and eq(a, a)
    with pytest.raises(TypeError, match="both"):
        _ = not eq(a, 1)


def test_a_conclusion_says_something():
    for nothing in ([], both(), either(), implies(eq(a, 0), both())):
        with pytest.raises(ClaimError, match="of nothing"):
            Claim("t.nothing", then=nothing)


@pytest.mark.parametrize("id", ["", "../../x", "a b", "[x]", "a.", "a\n", None, 3])
def test_an_id_is_a_plain_word(id):
    with pytest.raises(ClaimError, match="id"):
        Claim(id, then=eq(a, a))


def test_given_is_a_list():
    with pytest.raises(ClaimError, match="given="):
        Claim("t.given", given=eq(a, 1), then=eq(a, 1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"then": A == A.T}, "False is not a proposition; compare with eq"),
        ({"then": [eq(a, 1), A == A.T]}, "False is not a proposition"),
        ({"then": A}, "MatrixSymbol.* is not a proposition"),
        ({"then": "a = 1"}, "'a = 1' is not a proposition"),
        ({"given": A == A.T, "then": eq(a, 1)}, "False is not a proposition"),
        ({"given": [A == A.T], "then": eq(a, 1)}, "False is not a proposition"),
    ],
)
def test_what_is_no_proposition_is_told(said, told):
    with pytest.raises(ClaimError, match=f"claim t.said: .*{told}"):
        Claim("t.said", **said)


def test_what_is_listed_once_only_is_kept():
    said = (eq(a, i) for i in (1, 2))
    claim = Claim("t.once", given=(le(0, x) for x in (a, b)), then=said)  # type: ignore[arg-type]
    assert claim.given == (le(0, a), le(0, b))
    assert claim.then == both(eq(a, 1), eq(a, 2))


def test_powers_are_of_a_size_that_can_be_multiplied_out():
    with pytest.raises(ShapeError, match="20000"):
        _ = a**20000


@pytest.mark.parametrize(
    "said", [eq(A.T, -A), eq(-A, A.T), eq(A, -A.T), eq(-(A.T), A), eq(A + A.T, zeros(n, n)),
             eq(zeros(n, n), A.T + A)], ids=str
)  # fmt: skip
def test_skewness_may_be_said_in_several_ways(said):
    Claim("t.skew", given=[said], then=eq(inv(eye(n) + A), inv(A + eye(n))))


def test_expectations_are_checked_and_propositions_required():
    with pytest.raises(ClaimError, match="'true'"):
        Claim("t.expected", then=eq(a, a), expected="true")  # type: ignore[arg-type]
    with pytest.raises(ClaimError, match="compare with eq"):
        Claim("t.bool", then=[A == A])  # type: ignore[list-item]


def test_free_symbols_exclude_bound_ones():
    f, g = function("f"), scalar("gamma")
    i, L = index("i L")
    x = sequence("x", n)
    claim = Claim(
        "t.symbols",
        given=[exists(g, lt(g, b)), differentiable(f(g), g, at=a)],
        then=eq(total(i, 1, L, x[i]), X @ y),
    )
    found = symbols(claim)
    assert [s.name for s in found.scalars] == ["b", "a"]
    assert [s.name for s in found.indices] == ["L"]
    assert [s.name for s in found.dims] == ["n", "m"]
    assert [s.name for s in found.matrices] == ["X", "y"]
    assert [s.name for s in found.functions] == ["f"]
    assert [s.name for s in found.sequences] == ["x"]


def test_the_hash_covers_the_statement_and_nothing_else():
    claim = Claim("t.hash", given=[eq(a, 1)], then=eq(a * A, A))
    same = Claim("t.other", given=[eq(a, 1)], then=eq(a * A, A), title="T", source="S")
    assert statement_hash(claim) == statement_hash(same)
    for changed in (
        restate(claim, given=[]),
        restate(claim, then=eq(a * A, A.T)),
        restate(claim, given=[eq(a, 2)]),
        restate(claim, then=eq(a * named("A'", A), A)),
    ):
        assert statement_hash(changed) != statement_hash(claim)


def test_the_hash_is_the_same_in_every_process():
    claim = Claim("t.hash", given=[eq(a, 1)], then=eq(a * A, A))
    assert statement_hash(claim) == (
        "ebc52d14709cb9e48f040755a55d1dca032a69904eb588da09afbfda1698fc2d"
    )


def test_a_claim_knows_where_it_was_written():
    claim = Claim("t.where", then=either(eq(a, 0), ne(a, 0)))
    assert claim.location[0] == __file__
    assert [str(x) for x in atoms(claim.then)] == ["a = 0", "a ≠ 0"]


def test_constants_are_rectangular():
    assert constant([[0, -1], [1, 0]]).shape == (2, 2)
    with pytest.raises(ShapeError, match="one length"):
        constant([[1], [1, 2]])
    assert str(zeros(n, 1)) == "0"


def test_denominators_that_are_known_by_a_difference_or_by_cauchy_schwarz():
    Claim("t.division", given=[ne(b, 1)], then=eq(a / (1 - b), a / (1 - b)))
    Claim("t.division", given=[lt(a, b)], then=eq(a / (b - a), a / (b - a)))
    with pytest.raises(ClaimError, match="may be zero"):
        Claim("t.division", given=[ne(b, 1)], then=eq(a / (2 - b), 0))
    u, v, w = vector("u", n), vector("v", n), vector("w", n)
    gram = entry(u.T @ u) * entry(v.T @ v) - entry(u.T @ v) ** 2
    Claim("t.division", then=eq(a / (1 + a**2 * gram), 0))
    other = entry(u.T @ u) * entry(v.T @ v) - entry(u.T @ w) ** 2
    with pytest.raises(ClaimError, match="may be zero"):
        Claim("t.division", then=eq(a / (1 + a**2 * other), 0))


def test_a_fact_on_a_free_variable_says_nothing_of_a_bound_one():
    i, x = index("i"), sequence("x")
    zero_here = derivative(1 / a, a, at=0)
    with pytest.raises(ClaimError, match="may be zero"):
        Claim("t.bound", given=[ne(a, 0)], then=eq(zero_here, 0))
    Claim("t.bound", given=[ne(a, 0)], then=eq(derivative(1 / a, a), derivative(1 / a, a)))
    with pytest.raises(ClaimError, match="may be zero"):
        Claim("t.bound", given=[ne(a, 0)], then=forall(a, eq(a / a, 1)))
    Claim("t.bound", then=forall(a, implies(ne(a, 0), eq(a / a, 1))))
    with pytest.raises(ClaimError, match="may be zero"):
        Claim("t.bound", given=[ne(x[i], 0)], then=eq(total(i, 1, 2, 1 / x[i]), 0))


@pytest.mark.parametrize(
    "body", [absolute(a), sqrt(a**2), least(a, 0), greatest(a, 0), norm(a * k)]
)
def test_a_derivative_may_not_exist_at_a_kink(body):
    with pytest.raises(ClaimError, match="differentiable"):
        Claim("t.kink", then=eq(derivative(body, a, at=0), 0))


def test_a_root_or_a_logarithm_needs_a_reason():
    with pytest.raises(ClaimError, match="may not exist"):
        Claim("t.root", then=eq(sqrt(a), a))
    Claim("t.root", given=[le(0, a)], then=eq(sqrt(a) ** 2, a))
    Claim("t.root", then=eq(sqrt(a**2), absolute(a)))
    with pytest.raises(ClaimError, match="log"):
        Claim("t.log", then=eq(elementary("log", a), a))
    Claim("t.log", then=eq(elementary("log", elementary("exp", a)), a))
