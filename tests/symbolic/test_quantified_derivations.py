"""Derivations with quantifiers, cases, contradiction and induction: what closes, what must not."""

from __future__ import annotations

import pytest
from deltaproof.symbolic import Claim, dims, eq, le, lt, ne, scalar, vector, zeros
from deltaproof.symbolic.counterproofs import Counterproof, check_counterproof, negation
from deltaproof.symbolic.derivations import (
    Arbitrary,
    Assume,
    Choose,
    Cited,
    Contradiction,
    Each,
    Exhibit,
    Induction,
    Known,
    Linear,
    Obtain,
    Suppose,
    chain,
    check_derivation,
    cited,
    lines,
    step,
)
from deltaproof.symbolic.evidence import Outcome
from deltaproof.symbolic.expressions import Literal, index, sequence
from deltaproof.symbolic.propositions import both, either, exists, forall, iff, implies
from deltaproof.symbolic.rules import instance

n = dims("n")
a, b, c, t = (scalar(name) for name in "abct")
x = vector("x", n)
r, i = index("r i")
k = sequence("k")


def outcome(given, then, derivation):
    return check_derivation(Claim("t.t", given=given, then=then), derivation)


def closes(given, then, derivation):
    evidence = outcome(given, then, derivation)
    assert evidence.outcome is Outcome.CONFIRMED, evidence.detail


def fails(given, then, derivation, words):
    evidence = outcome(given, then, derivation)
    assert evidence.outcome is not Outcome.CONFIRMED
    assert words in evidence.detail


def test_for_every_value():
    proof = chain(a + t - t, step(a, "the terms cancel"))
    closes([], forall(t, eq(a + t - t, a)), Arbitrary(proof))
    fails([le(0, t)], forall(t, le(0, t)), Arbitrary(Known()), "t must be new")
    renamed = chain(a + b - b, step(a, "the terms cancel"))
    closes([le(0, t)], forall(t, eq(a + t - t, a)), Arbitrary(renamed, b))
    fails([le(0, b)], forall(t, le(0, t)), Arbitrary(Known(), b), "b must be new")


def test_some_value():
    closes([], exists(t, eq(t, a)), Exhibit(a, chain(a)))
    fails([], exists(t, forall(a, le(a, t))), Exhibit(a, Arbitrary(Known())), "is bound there")


def test_what_exists_gets_a_new_symbol():
    some = exists(t, both(lt(0, t), lt(t, a)))
    closes([some], lt(0, a), Obtain(some, Linear((lt(0, t), lt(t, a)))))
    fails([some], lt(t, a), Obtain(some, Known()), "t must be new")
    fails([], lt(0, a), Obtain(some, Linear((lt(0, t), lt(t, a)))), "is not known here")


def test_instances_of_what_holds_for_all():
    every = forall(t, le(a, t * t))
    closes([every], le(a, b * b), Cited(instance("instantiate", every, b)))
    assert outcome([], le(a, b * b), Cited(instance("instantiate", every, b))).outcome is not (
        Outcome.CONFIRMED
    )


def test_implications_and_disjunctions():
    closes([], implies(lt(0, a), le(0, a)), Assume(Linear((lt(0, a),))))
    closes([le(0, a)], either(eq(a, 1), le(0, a)), Choose(1, Known()))
    fails([le(0, a)], either(eq(a, 1), le(0, a)), Choose(0, Known()), "is not known here")


def test_contradiction():
    closes([lt(0, a), le(a, 0)], eq(b, c), Contradiction(lt(0, a), Known()))
    closes([lt(0, a)], ne(a, 0), Suppose(Contradiction(lt(0, a), Linear((eq(a, 0),)))))
    fails([le(0, a)], ne(a, 0), Suppose(Contradiction(lt(0, a), Linear((eq(a, 0),)))), "not known")


def test_linear_arithmetic():
    closes([le(a, b), le(b, c)], le(a, c), Linear((le(a, b), le(b, c))))
    closes([le(a, b), le(b, a)], eq(a, b), Linear((le(a, b), le(b, a))))
    fails([le(a, b)], lt(a, b), Linear((le(a, b),)), "not a linear consequence")
    fails([le(a, b)], le(a, c), Linear((le(b, c),)), "is not known here")


def test_ranges():
    each = forall(i, le(0, k[i]), over=(1, r))
    closes([each], each, Each(Cited(instance("instantiate_range", each, i))))
    fails([le(1, i)], each, Each(Known()), "i must be new")
    third = lines((le(1, 3), Linear(())), last=Cited(instance("instantiate_range", each, 3)))
    fails([each], le(0, k[3]), third, "is not known here")
    closes([each, le(3, r)], le(0, k[3]), third)


def test_induction():
    growing = forall(i, eq(k[i + 1], k[i] + 1), over=(0, None))
    following = lines(
        cited(eq(k[r + 1], k[r] + 1), "instantiate_range", growing, r),
        cited(le(0, k[r]), "modus_ponens", implies(both(le(0, r)), le(0, k[r]))),
        last=Linear((eq(k[r + 1], k[r] + 1), le(0, k[r]))),
    )
    start = Linear((le(0, k[0]),))
    given = [le(0, r), le(0, k[0]), growing]
    closes(given, le(0, k[r]), Induction(r, 0, start, following))
    fails(given[1:], le(0, k[r]), Induction(r, 0, start, following), "is not known here")
    fails([given[0], growing], le(0, k[r]), Induction(r, 0, start, following), "is not known")


def test_an_instance_is_refuted_by_the_negation_of_the_conclusion():
    claim = Claim(
        "t.t",
        given=[le(2, a)],
        then=exists(x, both(ne(x, zeros(n, 1)), forall(t, eq(t * x, zeros(n, 1))))),
        expected="refuted",
    )
    z = vector("x", 1)
    zero, one = zeros(1, 1), Literal(1)
    supposed = chain(z, step(one * z, "1 x = x"), step(zero, "supposed", eq(one * z, zero)))
    proof = Arbitrary(Assume(Exhibit(one, Suppose(Contradiction(ne(z, zero), supposed)))))
    counterproof = Counterproof(sizes={"n": 1}, instance={"a": Literal(2)}, because=proof)
    assert check_counterproof(claim, counterproof).outcome is Outcome.CONFIRMED
    unmet = Counterproof(sizes={"n": 1}, instance={"a": one}, because=proof)
    assert "does not hold" in check_counterproof(claim, unmet).detail
    unsized = Counterproof(instance={"a": Literal(2)}, because=proof)
    assert "no value is given to the size n" in check_counterproof(claim, unsized).detail
    free = Counterproof(sizes={"n": 1}, instance={}, because=proof)
    assert "no value is given to a" in check_counterproof(claim, free).detail


@pytest.mark.parametrize(
    ("statement", "negated"),
    [
        (eq(a, b), ne(a, b)),
        (le(a, b), lt(b, a)),
        (exists(t, le(a, t)), forall(t, lt(t, a))),
        (forall(t, le(a, t)), exists(t, lt(t, a))),
        (both(eq(a, b), le(a, c)), implies(both(eq(a, b)), lt(c, a))),
        (either(eq(a, b), le(a, c)), both(ne(a, b), lt(c, a))),
        (implies(eq(a, b), le(a, c)), both(eq(a, b), lt(c, a))),
    ],
)
def test_negations(statement, negated):
    assert negation(statement) == negated


def test_what_has_no_negation_is_refused():
    with pytest.raises(Exception, match="no negation"):
        negation(iff(eq(a, b), eq(b, c)))
