"""The lines of a proof: what they say, how deep they stand, and what they cite."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest
from deltaproof.symbolic import Claim, dims, either, eq, eye, iff, implies, le, lt, matrix, scalar
from deltaproof.symbolic.derivations import (
    Arbitrary,
    BothWays,
    Cases,
    Cited,
    Contradiction,
    Derivation,
    Each,
    Exhibit,
    Have,
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
from deltaproof.symbolic.expressions import index, mapping, sequence, vector
from deltaproof.symbolic.printing import home
from deltaproof.symbolic.proof_lines import Lines, why
from deltaproof.symbolic.propositions import exists, forall
from deltaproof.symbolic.rules import instance

from .lines import check_lines

n = dims("n")
A = matrix("A", n, n)
a, b, x, y = (scalar(name) for name in "abxy")
i, l = index("i"), index("l")
c = sequence("c")


def lines_of(then: Any, derivation: Derivation, *given: Any) -> list[dict[str, Any]]:
    found = check_derivation(Claim("t.t", given=list(given), then=then), derivation)
    assert found.outcome is Outcome.CONFIRMED, found.detail
    check_lines(found.data["steps"])
    return list(found.data["steps"])


def text(steps: Sequence[dict[str, Any]]) -> list[str]:
    """The lines, each as: depth, number, role, formula, why."""
    return [
        f"{line['depth']} {line.get('number', '·')} {line['role']} {line['plain']} | {why(line)}"
        for line in steps
    ]


def test_a_hypothesis_is_cited_by_number_and_words_a_lemma_by_number() -> None:
    lemma = Have(lt(0, a + 1), Linear((le(1, a),)), Linear((lt(0, a + 1),)))
    assert text(lines_of(lt(-1, a), lemma, eq(b, b), le(1, a))) == [
        "0 1 fact 0 < a + 1 | linear arithmetic, from hypothesis 2: 1 ≤ a",
        "0 · fact −1 < a | linear arithmetic, from (1)",
    ]


def test_a_case_cites_what_is_supposed_in_it_alone() -> None:
    known = either(le(a, 0), le(0, a))
    proved = Cases(known, (Linear((le(a, 0),)), Linear((le(0, a),))))
    shown = text(lines_of(either(le(a, 1), le(-1, a)), _either(known, proved), known))
    assert shown == [
        "0 1 assume a ≤ 0 | case 1 of 2, hypothesis 1: a ≤ 0 or 0 ≤ a",
        "1 · fact a ≤ 1 | linear arithmetic, from (1)",
        "0 2 assume 0 ≤ a | case 2 of 2, hypothesis 1: a ≤ 0 or 0 ≤ a",
        "1 · fact −1 ≤ a | linear arithmetic, from (2)",
    ]


def _either(known: Any, proved: Cases) -> Cases:
    from deltaproof.symbolic.derivations import Choose

    branches = tuple(Choose(place, branch) for place, branch in enumerate(proved.branches))
    return Cases(known, branches)


def test_what_was_known_in_one_branch_has_no_number_in_the_next() -> None:
    here = Lines()
    fact = le(0, a)
    with here.scope(deeper=1):
        here.assume(fact)
        assert here.words(fact) == here.at(0)
    assert here.words(fact) == "0 ≤ a"
    here.assume(fact)
    with suppress(ZeroDivisionError), here.scope(deeper=1):
        here.assume(fact)
        raise ZeroDivisionError
    here.fact(fact, "as before", here.label(fact))
    assert [(line["depth"], line.get("number")) for line in here.numbered()] == [
        (1, None), (0, 1), (1, None), (0, None)
    ]  # fmt: skip
    assert here.numbered()[-1]["reason"] == "(1)"


def test_an_induction_says_what_is_to_be_shown_and_its_hypothesis() -> None:
    every = forall(i, le(0, c[i]), over=(0, l))
    following = forall(i, le(0, c[i]), over=(0, l + 1))
    step_ = lines(
        (le(0, l + 2), Linear((le(0, l),))),
        (le(l + 1, l + 1), Linear(())),
        cited(le(0, c[l + 1]), "instantiate_range", following, l + 1),
        last=Known(),
    )
    first = Cited(instance("instantiate_range", forall(i, le(0, c[i]), over=(0, 0)), 0))
    shown = text(lines_of(le(0, c[l]), Induction(l, 0, first, step_), le(0, l), every))
    roles = [line.split()[2] for line in shown]
    assert roles.count("goal") == 2
    assert shown[0] == "0 · goal 0 ≤ c_0 | induction on l, from 0"
    assert any("the hypothesis of the induction" in line for line in shown)
    assert shown[-1].startswith("1 · fact 0 ≤ c_(l + 1) | as is known: (")
    # 0 ≤ l is a hypothesis, but the step has one of its own
    assert "1 5 assume 0 ≤ l | where the induction is" in shown
    assert "1 · fact 0 ≤ l + 2 | linear arithmetic, from (5)" in shown
    idle = Have(le(0, l + 2), Linear((le(0, l + 1),)), step_)
    fewer = text(lines_of(le(0, c[l]), Induction(l, 0, first, idle), le(0, l), every))
    assert not any("where the induction is" in line for line in fewer)


def test_a_rule_is_cited_with_its_premises() -> None:
    steps = lines_of(le(0, a * b), Cited(instance("nonnegative_product", a, b)), le(0, a), le(0, b))
    assert "with hypothesis 1, hypothesis 2" in why(steps[-1])


def test_what_is_spelled_in_another_way_is_cited_by_number_too() -> None:
    lemma = eq(a * (a - 1), 0)
    proof = Have(
        lemma,
        chain(a * (a - 1), step(a**2 - a, ""), step(0, "", eq(a**2, a))),
        Cited(instance("zero_product", eq(a, 1), eq(a, 0))),
    )
    steps = lines_of(either(eq(a, 1), eq(a, 0)), proof, eq(a**2, a))
    assert "with (1)" in why(steps[-1])
    direct = lines_of(le(a, 2), Linear((le(a + 0, 1),)), le(a, 1))
    assert why(direct[-1]) == "linear arithmetic, from hypothesis 1: a + 0 ≤ 1"


def test_new_symbols_values_and_contradictions_are_said() -> None:
    every = forall(x, exists(y, le(x, y)))
    shown = text(lines_of(every, Arbitrary(Exhibit(x, Linear(())))))
    assert shown[0] == "0 · let x ∈ R | "
    assert shown[1] == "0 · let y = x | such a value"

    some = exists(y, eq(y, a))
    obtained = lines_of(le(a, a), Obtain(some, Linear((eq(y, a),))), some)
    assert text(obtained)[0] == ("0 1 let y = a | some such value: hypothesis 1: for some y: y = a")

    each = forall(i, le(0, i), over=(1, l))
    assert text(lines_of(each, Each(Linear((le(1, i),)))))[0] == "0 1 let i ∈ Z, 1 ≤ i, i ≤ l | "

    against = Suppose(Contradiction(le(1, a), Linear((lt(a, 0),))))
    shown = text(lines_of(le(0, a), against, le(1, a)))
    assert shown[0] == "0 1 assume a < 0 | for a contradiction"
    assert shown[-1] == "0 · fact 1 = 0 | a contradiction: hypothesis 1: 1 ≤ a and (2)"


def test_each_side_of_an_equivalence_is_supposed() -> None:
    then = iff(eq(A, eye(n)), eq(eye(n), A))
    one = chain(eye(n), step(A, "", eq(A, eye(n))))
    two = chain(A, step(eye(n), "", eq(eye(n), A)))
    roles = [line["role"] for line in lines_of(then, BothWays(one, two))]
    assert roles == ["assume", "start", "equal"] * 2
    told = lines_of(implies(eq(A, eye(n)), eq(eye(n), A)), one)
    assert [line["role"] for line in told] == ["assume", "start", "equal"]
    assert told[-1]["reason"] == "(1)"


def test_what_is_supposed_for_a_lemma_stands_below_it() -> None:
    lemma = implies(le(0, a), le(-1, a))
    proof = Have(lemma, Linear((le(0, a),)), Cited(instance("modus_ponens", lemma)))
    shown = text(lines_of(le(-1, a), proof, le(0, a)))
    assert shown == [
        "0 1 goal 0 ≤ a ⇒ −1 ≤ a | ",
        "1 2 assume 0 ≤ a | ",
        "1 · fact −1 ≤ a | linear arithmetic, from (2)",
        "0 · fact −1 ≤ a | if A ⇒ B and A, then B, with (1), hypothesis 1: rule modus_ponens",
    ]


def test_a_lemma_proved_in_several_lines_is_said_before() -> None:
    lemma = eq(a, b)
    inner = Have(le(a, b), Linear((eq(b, a),)), Linear((le(a, b), eq(b, a))))
    shown = lines_of(le(a, b + 1), Have(lemma, inner, Linear((lemma,))), eq(b, a))
    assert [(line["role"], line["depth"]) for line in shown] == [
        ("goal", 0), ("fact", 1), ("fact", 1), ("fact", 0)
    ]  # fmt: skip
    assert [line.get("number") for line in shown] == [1, 2, None, None]
    # the goal is not said twice
    assert [line["plain"] for line in shown] == ["a = b", "a ≤ b", "as claimed", "a ≤ b + 1"]


@pytest.mark.parametrize(
    ("symbol", "where"),
    [
        (n, "≥ 1"),
        (i, "∈ Z"),
        (a, "∈ R"),
        (vector("k", n), "∈ R^n"),
        (A, "∈ R^(n×n)"),
        (c, "∈ R"),
        (sequence("S", n), "∈ R^n"),
        (sequence("S", n, 2), "∈ R^(n×2)"),
        (mapping("g", n), ": R^n → R^n"),
    ],
)
def test_symbols_live_where_their_values_do(symbol: Any, where: str) -> None:
    assert home(symbol)[1] == where
