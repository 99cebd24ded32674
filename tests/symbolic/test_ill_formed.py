"""What is no statement, no proof or no value of a symbol is refused, whoever builds it and how.

Each case here, let through, makes a false statement proved or a true one refuted: the comment or
the id says which. Nodes are built directly, past the constructors that users call.
"""

from fractions import Fraction

import pytest
from deltaproof.proofs.checks import WitnessError, check_witness
from deltaproof.symbolic.claims import Claim
from deltaproof.symbolic.counterproofs import Counterproof, check_counterproof
from deltaproof.symbolic.derivations import (
    Arbitrary,
    Cases,
    Choose,
    Cited,
    Exhibit,
    Induction,
    Known,
    Linear,
    Obtain,
    TrivialKernel,
    chain,
    check_derivation,
    step,
)
from deltaproof.symbolic.evaluation import Lambda
from deltaproof.symbolic.evidence import Outcome
from deltaproof.symbolic.exact import exact_assignment
from deltaproof.symbolic.expressions import (
    Absolute,
    Constant,
    Derivative,
    Div,
    Element,
    Identity,
    Literal,
    MapSymbol,
    MatrixSymbol,
    Mul,
    Named,
    NaturalPower,
    OrderedProduct,
    Power,
    Repeated,
    Scale,
    SequenceSymbol,
    ShapeError,
    SizeOf,
    SizeProduct,
    Term,
    Total,
    derivative,
    dims,
    eye,
    function,
    index,
    matrix,
    rank,
    scalar,
    sequence,
    size,
    total,
    vector,
)
from deltaproof.symbolic.formats import Format
from deltaproof.symbolic.propositions import (
    Differentiable,
    Exists,
    ExistsRange,
    ForAll,
    ForRange,
    TendsTo,
    both,
    differentiable,
    either,
    eq,
    exists,
    forall,
    invertible,
    le,
    ne,
    tends_to,
)
from deltaproof.symbolic.refutation import check_counterexample
from deltaproof.symbolic.rules import RuleError, instance

n = dims("n")
i, t = index("i t")
x, y, a = scalar("x"), scalar("y"), scalar("a")
A, v = matrix("A", n, n), vector("v", n)
c = sequence("c")
f = function("f")
half, zero = Literal(Fraction(1, 2)), Literal(0)
an_abbreviation = Named("e", v)


@pytest.mark.parametrize(
    "build",
    [
        # "for some e: eᵀe = 1" would be proved, and read of v afterwards
        lambda: Exists(an_abbreviation, eq(v.T @ v, eye(1))),
        lambda: ForAll(an_abbreviation, eq(v.T @ v, eye(1))),
        # true of every integer, and then of x = 1/2
        lambda: ForAll(i, either(le(i, 0), le(1, i))),
        lambda: Exists(i, eq(i, half)),
        lambda: ForRange(x, zero, None, le(0, x)),
        lambda: ExistsRange(Named("j", i), zero, None, le(0, i)),
        lambda: Total(x, zero, zero, x),
        lambda: Repeated(x, zero, zero, x),
        lambda: OrderedProduct(x, zero, zero, A),
        lambda: Derivative(x, i, x),
        lambda: Differentiable(x, Named("z", x), x),
        lambda: TendsTo(x, Named("z", x), None, x),
    ],
)
def test_only_a_symbol_of_its_kind_is_bound(build):
    with pytest.raises(TypeError, match="a variable that is bound here is a"):
        build()


@pytest.mark.parametrize(
    "build",
    [
        # with it −1 = ((−1)^½)² ≥ 0
        lambda: NaturalPower(Literal(-1), half),
        lambda: NaturalPower(x, y),
        # the last term of Σ_(i=1..3/2) would stand apart from the term before it
        lambda: Total(i, Literal(1), Literal(Fraction(3, 2)), i),
        lambda: Total(i, Literal(1), x, i),
        lambda: Repeated(i, half, Literal(1), i),
        lambda: OrderedProduct(i, half, Literal(1), A),
        lambda: ForRange(i, half, None, le(0, i)),
        lambda: ExistsRange(i, zero, x, le(0, i)),
        lambda: Term(c, half),
        lambda: Element(A, x, Literal(1)),
        lambda: Element(A, Literal(1), half),
        lambda: MapSymbol("F", n)(v, half),
    ],
)
def test_ranges_exponents_and_subscripts_are_integers(build):
    with pytest.raises(ShapeError, match="is made of integers, indices and sizes"):
        build()


@pytest.mark.parametrize(
    "build",
    [
        # 1/x, undefined at 0; of 2 one reader says ½, another 1
        lambda: Power(Literal(2), -1),
        lambda: Power(x, True),
        lambda: Power(x, 10**6),
        lambda: Power(A, 2),
        # a size that is no size: one reader takes it for positive, another for 0
        lambda: SizeOf(0),
        lambda: Identity(0),
        lambda: MatrixSymbol("A", 2, Fraction(1, 2)),
        lambda: SequenceSymbol("S", 0),
        lambda: MapSymbol("F", -1),
        lambda: SizeProduct(n, 0),
        lambda: Constant(()),
        lambda: Constant(((Fraction(1), Fraction(2)), (Fraction(1),))),
        # a matrix where a number belongs
        lambda: Mul(A, x),
        lambda: Div(x, A),
        lambda: Absolute(A),
        lambda: Scale(A, A),
        lambda: Scale(x, y),
        lambda: Derivative(x, x, A),
        lambda: tends_to(A, 0, variable=t),
    ],
)
def test_nodes_check_what_their_constructors_check(build):
    with pytest.raises(ShapeError):
        build()


def test_what_is_quantified_is_a_proposition():
    with pytest.raises(TypeError, match="is not a proposition"):
        forall(x, x == x)  # type: ignore[arg-type]


def not_proved(then, derivation, *given):
    found = check_derivation(Claim("t.t", given=list(given), then=then), derivation)
    assert found.outcome is not Outcome.CONFIRMED
    return found.detail


def test_cases_are_of_a_disjunction():
    # of no case, anything would follow
    assert "no disjunction" in not_proved(invertible(A), Cases(both(), ()))  # type: ignore[arg-type]
    assert "not known" in not_proved(invertible(A), Cases(either(), ()))


def test_induction_is_on_an_index_from_an_integer():
    between = Induction(x, 0, Choose(0, Linear(())), Choose(1, Linear((le(0, x),))))  # type: ignore[arg-type]
    assert "none" in not_proved(either(le(x, 0), le(1, x)), between, le(0, x))
    from_half = Induction(i, half, Linear(()), Linear(()))
    assert "cannot start from" in not_proved(le(i, half), from_half, le(half, i))


def test_a_trivial_kernel_needs_a_new_symbol():
    zeros = Named("k", v - v)
    assert "be a symbol" in not_proved(
        invertible(A),
        TrivialKernel(zeros, chain(zeros, step(v - v, ""))),  # type: ignore[arg-type]
    )
    assert "must be new" in not_proved(invertible(A), TrivialKernel(v, Known()), eq(v, v - v))


def test_symbols_and_values_are_of_the_sort_of_the_variable():
    S, T = sequence("S", n, n), sequence("T", 1, 1)
    # numbers commute, matrices do not
    commute = chain(T[1] @ T[2], step(T[2] @ T[1], ""))
    assert "not of the sort" in not_proved(
        ForAll(S, eq(S[1] @ S[2], S[2] @ S[1])), Arbitrary(commute, T)
    )
    wide, narrow = sequence("T", 2, 2), sequence("S", 1, 1)
    assert "not of the sort" in not_proved(
        Exists(narrow, eq(rank(narrow[1]), 2)),
        Exhibit(wide, Known()),
        eq(rank(wide[1]), 2),
    )
    some = Exists(S, ne(S[1] @ S[2], S[2] @ S[1]))
    assert "not of the sort" in not_proved(eq(x, 0), Obtain(some, Known(), T), some)
    w = vector("w", 3)
    assert "not of the sort" in not_proved(exists(w, eq(w, w)), Exhibit(v, Known()))


def test_what_is_obtained_is_said_to_exist():
    every = forall(x, le(0, x * x))
    assert "does not say that something exists" in not_proved(
        eq(y, 0),
        Obtain(every, Known()),  # type: ignore[arg-type]
        every,
    )
    assert "no part at" in not_proved(either(eq(x, 0), eq(x, x)), Choose(2, Known()))


def test_a_fact_in_another_spelling_has_a_value():
    # where x = 0, 1 = 1 does not say that x · (1/x) is 1
    known, spelled = eq(y, 1), eq(y, x * (1 / x))
    assert "the denominator" in not_proved(eq(y, 1), Linear((spelled, known)), known)
    found = check_derivation(
        Claim("t.t", given=[known, ne(x, 0)], then=eq(y, 1)), Linear((spelled, known))
    )
    assert found.outcome is Outcome.CONFIRMED


@pytest.mark.parametrize(
    ("rule", "arguments"),
    [
        # every sequence would tend to its term 0
        ("limit_of_tail", (tends_to(c[t], c[0], variable=t), -t)),
        # f(t + ½) → a does not give f(t) → a along the integers: sin²(πt)
        ("limit_of_tail", (tends_to(f(t), a, variable=t), Fraction(1, 2))),
        ("limit_of_subsequence", (tends_to(f(t), a, variable=t), Fraction(3, 2), 0)),
        ("limit_of_subsequence", (tends_to(f(t), a, variable=t), 1, -2 * t)),
        ("chain_rule", (lambda u: u, x * x, x, 1)),
        ("product_with_exponential", (lambda u: u, 0, 1, x)),
        ("instantiate_range", (forall(i, le(0, i), over=(0, None)), half)),
    ],
)
def test_rules_refuse_what_they_are_not_true_of(rule, arguments):
    with pytest.raises(RuleError):
        instance(rule, *arguments)


def test_rules_take_whole_shifts():
    known = tends_to(c[t], a, variable=t)
    later = Cited(instance("limit_of_subsequence", known, 2, 3))
    found = check_derivation(
        Claim("t.t", given=[known], then=tends_to(c[2 * t + 3], a, variable=t)), later
    )
    assert found.outcome is Outcome.CONFIRMED


def test_a_counterexample_has_sizes_and_shapes():
    B = matrix("B", 1, 1)
    A_1 = matrix("A", 1, 1)
    least_size = Claim("t.size", then=le(1, size(n)))
    commute = Claim("t.commute", then=eq(A_1 @ B, B @ A_1))
    square = {"A": [[0, 1], [0, 0]], "B": [[0, 0], [1, 0]]}
    for claim, at in (
        (least_size, exact_assignment({"n": 0}, {})),
        (commute, exact_assignment({}, square)),
        (Claim("t.number", then=eq(x, 0)), exact_assignment({}, {"x": [[1]]})),
        (Claim("t.term", then=eq(c[0], 0)), exact_assignment({}, {"c": {0: [[1]]}})),
    ):
        found = check_counterexample(claim, at)
        assert found.outcome is Outcome.INCONCLUSIVE
        assert " not " in found.detail
    false = check_counterexample(
        Claim("t.false", then=eq(c[0], 0)), exact_assignment({}, {"c": {0: 1}})
    )
    assert false.outcome is Outcome.CONFIRMED


def test_a_counterexample_has_whole_indices():
    claim = Claim("t.index", then=either(le(i, 0), le(1, i)))
    for value in (half, True, "1"):
        found = check_counterexample(claim, exact_assignment({}, {}).bind("i", value))
        assert found.outcome is Outcome.INCONCLUSIVE
        assert "is an integer" in found.detail
    terms = Claim("t.terms", then=eq(c[0], 0))
    found = check_counterexample(terms, exact_assignment({}, {"c": {half: 1, 0: 1}}))
    assert "by their subscripts" in found.detail
    false = Claim("t.false", then=le(i, 0))
    found = check_counterexample(false, exact_assignment({}, {}).bind("i", 1))
    assert found.outcome is Outcome.CONFIRMED


def test_a_counterexample_has_functions_that_are_such():
    # f does not see x, so that the derivative of f(0) along x is 0
    smooth = differentiable(f(0), x, at=x)
    still = Claim("t.still", given=[smooth], then=eq(derivative(f(0), x), 0))
    for value, told in (
        (Lambda(y, y + x), "x is bound elsewhere"),
        (Lambda(v, v), "is a function"),
        (Lambda(y, eye(2)), "takes and gives"),
        ({0: Lambda(y, y)}, "is a function"),
        (1, "is a function"),
    ):
        found = check_counterexample(still, exact_assignment({}, {"x": 1, "f": value}))
        assert found.outcome is Outcome.INCONCLUSIVE
        assert told in found.detail
    twice = Claim("t.twice", then=eq(total(i, 1, 2, f(0)), 2 * f(0)))
    found = check_counterexample(twice, exact_assignment({}, {"f": Lambda(y, i + y)}).bind("i", 3))
    assert "i is bound elsewhere" in found.detail
    nothing = Claim("t.nothing", then=eq(f(0), 0))
    found = check_counterexample(nothing, exact_assignment({}, {"f": Lambda(y, y + x), "x": 1}))
    assert found.outcome is Outcome.CONFIRMED


def test_a_counterexample_has_maps_of_a_size():
    g, w = MapSymbol("g", 1), vector("w", 2)
    commute = Claim("t.commute", then=eq(g(eye(1)) @ eye(1), eye(1)))
    wide = Lambda(w, w)
    for value in (wide, Lambda(x, x), {0: wide}, {half: wide}, half):
        found = check_counterexample(commute, exact_assignment({}, {}).bind("g", value))
        assert found.outcome is Outcome.INCONCLUSIVE
    u = vector("u", 1)
    found = check_counterexample(commute, exact_assignment({}, {}).bind("g", Lambda(u, u - u)))
    assert found.outcome is Outcome.CONFIRMED


def test_a_witness_has_shapes():
    claim = Claim("t.w", given=[le(2, rank(matrix("A", 1, 1)))], then=eq(x, 0))
    values = {"A": [["1", "0"], ["0", "1"]], "x": "1"}
    with pytest.raises(WitnessError, match="1×1"):
        check_witness(claim, {"sizes": {}, "values": values})


def test_a_counterproof_has_sizes():
    empty = Counterproof({}, sizes={"n": 0}, because=Linear(()))
    found = check_counterproof(Claim("t.size", then=le(1, size(n))), empty)
    assert found.outcome is not Outcome.CONFIRMED


@pytest.mark.parametrize(("precision", "emin"), [(1, -10), (0, -10), (8, 11)])
def test_a_format_has_digits_and_a_range(precision, emin):
    # with one digit every significand is odd, and "ties to even" says nothing
    with pytest.raises(ValueError, match="precision ≥ 2"):
        Format("p", "p", precision=precision, emin=emin, emax=10)
