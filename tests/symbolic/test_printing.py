"""LaTeX and plain text: parentheses, names, and one golden page of every statement."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import latex2mathml.converter
import pytest
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.symbolic import (
    Claim,
    derivative,
    det,
    dims,
    entry,
    eq,
    eye,
    forall,
    index,
    inv,
    invertible,
    kron,
    le,
    least,
    matrix,
    named,
    norm,
    product,
    scalar,
    sequence,
    size,
    sqrt,
    total,
    tr,
    vector,
)
from deltaproof.symbolic.frobenius import entries_within, frobenius
from deltaproof.symbolic.printing import definitions, latex, plain

GOLDEN = Path(__file__).parent.parent / "golden" / "statements.txt"
CLAIMS = [entry.claim for entry in ENTRIES]

n = dims("n")
A, B = matrix("A", n, n), matrix("B", n, n)
a, b, beta = scalar("a"), scalar("b"), scalar("beta")
k = vector("k", n)


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (a - (b - a), "a − (b − a)"),
        ((a - b) - a, "a − b − a"),
        (a * (b + 1), "a (b + 1)"),
        (-(a + b), "−(a + b)"),
        (-a * b, "(−a) b"),
        (a / b / a, "a/b/a"),
        (a / (b / a), "a/(b/a)"),
        (a / (a * b), "a/(a b)"),
        ((a + b) ** 2, "(a + b)²"),
        ((a**2) ** 3, "(a²)³"),
        ((A + B).T, "(A + B)ᵀ"),
        (A.T @ B, "Aᵀ B"),
        ((A @ B).T, "(A B)ᵀ"),
        (A @ (B + A), "A (B + A)"),
        ((-A).T, "(−A)ᵀ"),
        (-1 * A, "(−1) A"),
        (Fraction(-1, 2) * A, "(−½) A"),
        (Fraction(2, 3) * a, "2/3 a"),
        (beta * (k @ k.T), "β k kᵀ"),
        (entry(k.T @ k) * a, "(kᵀ k) a"),
        (norm(A @ k), "‖A k‖"),
        (frobenius(A.T) ** 2, "‖Aᵀ‖_F²"),
        (sqrt(tr(A.T @ B)), "√tr(Aᵀ B)"),
        (least(a, 1 - a), "min(a, 1 − a)"),
        (named("Q", A @ B).T, "Qᵀ"),
        (kron(eye(1), A) @ k, "(1 ⊗ A) k"),
        (det(kron(A, B)), "det(A ⊗ B)"),
        (eye(n) - k @ k.T, "I − k kᵀ"),
        (derivative(a**2, a), "d/da [a²]"),
        (derivative(a**2, a, at=0, order=2), "d²/da² [a²]|(a=0)"),
    ],
    ids=str,
)
def test_parentheses_come_from_precedence(node, text):
    assert plain(node) == text


def test_an_axis_of_length_one_is_not_spoken_of():
    assert plain(entries_within(k, a, k)) == "for all i = 1, …, n: |k_(i,1)| ≤ a |k_(i,1)|"
    assert latex(entries_within(k, a, k)).count(r"\forall") == 1
    assert plain(entries_within(A, a, A)).startswith("for all i = 1, …, n: for all j = 1, …, n: ")
    i = index("i")
    assert plain(forall(i, le(i, a), over=(2, size(1)))) == "for all i = 2, …, 1: i ≤ a"


def test_sums_and_products_over_ranges_keep_their_reach_visible():
    i = index("i")
    c, y = sequence("c"), sequence("y", n)
    assert plain(product(i, 1, 3, c[i]) * y[1]) == "(Π_(i=1..3) c_i) y_1"
    assert plain(total(i, 1, 3, c[i] + 1)) == "Σ_(i=1..3) (c_i + 1)"


def test_different_trees_of_one_claim_never_print_alike():
    trees = [a - b - a, a - (b - a), a / b / a, a / (b / a), a * b * a, -a * b, -(a * b), (-a) ** 2,
             -(a**2), a**2 * a, (a * a) ** 2, a * a**2, a / (a * b), a / a * b]  # fmt: skip
    for show in (plain, latex):
        assert len({show(tree) for tree in trees}) == len(trees), show


def test_names_are_explained_in_order_of_dependence():
    inner = named("S", beta * A)
    outer = named("Q", inner @ B)
    assert list(definitions([eq(outer, B)])) == ["S", "Q"]
    with pytest.raises(ValueError, match="two different"):
        definitions([eq(named("S", A), named("S", B))])


def test_latex_spells_greek_and_long_names():
    assert latex(scalar("lam") * scalar("beta_0") * scalar("eps")) == (
        r"\lambda\,\beta_{0}\,\epsilon"
    )
    assert latex(matrix("skew", n, n)) == r"\mathrm{skew}"
    assert latex(inv(A)) == "A^{-1}"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.id)
def test_latex_of_every_statement_becomes_mathml(claim):
    for statement in claim.statement:
        assert "<math" in latex2mathml.converter.convert(latex(statement))


def page() -> str:
    lines = []
    for claim in CLAIMS:
        lines.append(claim.id)
        lines += [f"  given {plain(hypothesis)}" for hypothesis in claim.given]
        lines.append(f"  then  {plain(claim.then)}")
        named_parts = definitions(claim.statement)
        lines += [f"  where {name} = {plain(body)}" for name, body in named_parts.items()]
        lines.append(f"  LaTeX {latex(claim.then)}")
    return "\n".join(lines) + "\n"


def test_statements_read_as_on_the_golden_page():
    """DELTAPROOF_UPDATE_GOLDEN=1 writes the page anew, to be reviewed."""
    if os.environ.get("DELTAPROOF_UPDATE_GOLDEN"):
        GOLDEN.write_text(page(), encoding="utf-8")
    assert page() == GOLDEN.read_text(encoding="utf-8")


def test_invertible_reads_as_a_sentence():
    claim = Claim("t.printing", given=[invertible(A)], then=eq(inv(A) @ A, A))
    assert plain(claim.given[0]) == "A is invertible"
    assert str(claim.given[0]) == "A is invertible"
