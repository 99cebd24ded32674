"""Statements for Rocq: every node, names, refusals, and one golden page of every proved claim."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest
from deltaproof.proofs.catalogue import ENTRIES
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
    elementary,
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
    mapping,
    matrix,
    named,
    ne,
    norm,
    ones,
    ordered_product,
    product,
    rank,
    residual,
    scalar,
    sequence,
    size,
    spectral_norm_is,
    sqrt,
    tends_to,
    total,
    tr,
    vec,
    vector,
    zeros,
)
from deltaproof.symbolic.evaluation import Unsupported
from deltaproof.symbolic.evidence import Kind
from deltaproof.symbolic.expressions import diagonal
from deltaproof.symbolic.rocq import print_theorem
from deltaproof.symbolic.rocq_analysis import ANALYSIS
from deltaproof.symbolic.rocq_matrices import MATRICES, MATRICES_OVER_REALS

GOLDEN = Path(__file__).parent.parent / "golden" / "rocq_statements.txt"
WITH_A_KERNEL_PROOF = [entry.claim for entry in ENTRIES if Kind.KERNEL in entry.kinds]

n, m = dims("n m")
A, B, C = matrix("A", n, n), matrix("B", n, n), matrix("C", n, m)
a, b, t = scalar("a"), scalar("b"), scalar("t")
x, y = vector("x", n), vector("y", m)
i, j, l, L = index("i j l L")
w, z, W = sequence("w"), sequence("z", n), sequence("W", n, n)
flow = mapping("g", n)
f = function("f")
half = Fraction(1, 2)


def conclusion(then, *given) -> str:
    """What is printed after the last hypothesis."""
    return print_theorem(Claim("t.t", given=given, then=then)).statement.rpartition("->\n  ")[2]


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (a - (b - a), "a - (b - a)"),
        ((a - b) - a, "a - b - a"),
        (a + (-b), "a + (- b)"),
        (-a + b, "- a + b"),
        (-(a + b), "- (a + b)"),
        (-(a * b), "- (a * b)"),
        (-a * b, "(- a) * b"),
        (a * (b * a), "a * (b * a)"),
        (a * b * 3, "a * b * 3%:R"),
        (a / 2 / 3, "a / 2%:R / 3%:R"),
        (a * Fraction(-2, 3), "a * (- (2%:R / 3%:R))"),
        (a - 1, "a - 1"),
        ((a + b) ** 2, "(a + b) ^+ 2"),
        ((a**2) ** 3, "(a ^+ 2) ^+ 3"),
        (a**0, "a ^+ 0"),
        (least(a, a + b), "Order.min a (a + b)"),
        (det(A.T), "\\det (A^T)"),
        (det(A) * a, "\\det A * a"),
        (tr(A @ B), "\\tr (A *m B)"),
        (greatest(a, -b), "Order.max a (- b)"),
        (absolute(a - b), "`|a - b|"),
        (absolute(absolute(a) - b), "`| `|a| - b|"),
        (absolute(b - absolute(a)), "`|b - `|a| |"),
        (sqrt(a**2), "Num.sqrt (a ^+ 2)"),
        (size(n) * a, "n%:R * a"),
        (det(ones(n, n)), "\\det (const_mx 1 : 'M[R]_n)"),
        (rank(C) - 1, "(\\rank C)%:R - 1"),
        (entry(x.T @ x), "(x^T *m x) 0 0"),
        (norm(A @ x), "Num.sqrt (((A *m x)^T *m (A *m x)) 0 0)"),
        (named("q", a + b) * a, "(a + b) * a"),
        (det(eye(n) + A), "\\det (1%:M + A)"),
        (det(eye(n)), "\\det (1%:M : 'M[R]_n)"),
        (det(2 * eye(n)), "\\det (2%:R *: (1%:M : 'M[R]_n))"),
    ],
)
def test_a_scalar_is_written_in_mathcomp(node, text):
    assert conclusion(eq(node, b + tr(A)), le(0, b)) == f"{text} = b + \\tr A"


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (A @ B @ A, "A *m B *m A"),
        (A @ (B @ A), "A *m (B *m A)"),
        ((A + B).T, "(A + B)^T"),
        (A.T.T, "A^T^T"),
        (A - (B - A), "A - (B - A)"),
        (-A @ B, "(- A) *m B"),
        (a * (A @ B), "a *: (A *m B)"),
        ((a * A) @ B, "(a *: A) *m B"),
        ((a + 1) * A, "(a + 1) *: A"),
        (A / 2, "(1 / 2%:R : R) *: A"),
        (Fraction(1, 2) * A, "(1 / 2%:R) *: A"),
        (inv(A) @ B, "invmx A *m B"),
        (inv(A).T, "(invmx A)^T"),
        (eye(n) - A, "1%:M - A"),
        (eye(n) @ A, "1%:M *m A"),
        (zeros(n, m) @ C.T, "0 *m C^T"),
        (zeros(n, n) @ eye(n), "(0 : 'M[R]_n) *m (1%:M : 'M[R]_n)"),
    ],
)
def test_a_matrix_is_written_in_mathcomp(node, text):
    assert conclusion(eq(B, node), invertible(A)) == f"B = {text}"


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (ne(A, B), "A <> B"),
        (eq(eye(n), A), "1%:M = A :> 'M[R]_n"),
        (eq(x, zeros(n, 1)), "x = 0"),
        (eq(x.T @ x, eye(1)), "x^T *m x = 1%:M :> 'M[R]_1"),
        (eq(y @ x.T, zeros(m, n)), "y *m x^T = 0"),
        (eq(constant([[1, half], [-2, 0]]), eye(2)),
         "(\\matrix_(i_row < 2, j_column < 2) nth 0 (nth [::] [:: [:: 1; 1 / 2%:R]; "
         "[:: - 2%:R; 0]] i_row) j_column) = 1%:M :> 'M[R]_2"),
        (lt(0, a), "0 < a"),
        (le(half, a), "1 / 2%:R <= a"),
        (le(0, 1), "(0 : R) <= 1"),
        (eq(1, 1), "1 = 1 :> R"),
        (eq(rank(A), 1), "(\\rank A)%:R = 1 :> R"),
        (invertible(eye(n) + A), "1%:M + A \\in unitmx"),
        (both(eq(a, 0), eq(b, 0)), "a = 0 /\\\n  b = 0"),
        (either(eq(a, 0), both(eq(b, 0), eq(a, 1))), "a = 0 \\/ (b = 0 /\\ a = 1)"),
        (iff(eq(a, 0), either(eq(b, 0), eq(b, 1))), "a = 0 <-> (b = 0 \\/ b = 1)"),
        (implies(both(eq(a, 0), eq(b, 0)), eq(a, b)), "a = 0 -> b = 0 -> a = b"),
        (implies(implies(eq(a, 0), eq(b, 0)), eq(a, b)), "(a = 0 -> b = 0) -> a = b"),
        (forall(t, exists(a, lt(t, a))), "forall t : R, exists a : R, t < a"),
        (forall(x, eq(A @ x, x)), "forall x : 'cV[R]_n, A *m x = x"),
        (both(forall(t, eq(t, t)), eq(a, 0)), "(forall t : R, t = t) /\\\n  a = 0"),
    ],
)  # fmt: skip
def test_a_proposition_is_written_in_mathcomp(statement, text):
    claim = Claim("t.t", given=[ne(det(A) + a + tr(y @ y.T) + tr(x @ x.T) + b, 5)], then=statement)
    assert print_theorem(claim).statement.endswith(f" ->\n  {text}")


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (eq(z[L], total(i, l, L - 1, z[i])), "z L = (\\sum_(l <= i < L) z i)"),
        (eq(w[L], product(i, 1, L, a + w[i])), "w L = (\\prod_(1%N <= i < L.+1) (a + w i))"),
        (eq(w[L], total(i, l + 2, L - 2, w[i])),
         "w L = (\\sum_((l + 2)%N <= i < (L.+1 - 2)%N) w i)"),
        (forall(i, eq(w[i + 1], w[i + 2]), over=(l, L - 1)),
         "forall i : nat, (l <= i < L)%N -> w i.+1 = w (i + 2)%N"),
        (le(l - 1, L), "(l <= L.+1)%N"),
        (lt(l, L - 3), "(l + 3 < L)%N"),
        (eq(l, L), "l = L :> nat"),
        (eq(w[l], a * l), "w l = a * l%:R"),
        (eq(w[l], a ** (l + 1)), "w l = a ^+ l.+1"),
    ],
)  # fmt: skip
def test_sequences_run_over_naturals(statement, text):
    claim = Claim("t.t", given=[le(0, l), le(l, L)], then=statement)
    assert print_theorem(claim).statement.endswith(f"(l <= L)%N ->\n  {text}")


RANGE = "[seq l + step%:Z | step <- iota 0 (absz (Order.max 0 (L - l)))]"


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (eq(z[L], total(i, l, L - 1, z[i])), f"z L = (\\sum_(i <- {RANGE}) z i)"),
        (eq(w[l], product(i, l, L - 1, a + w[i])), f"w l = (\\prod_(i <- {RANGE}) (a + w i))"),
        (eq(w[1], total(i, 2, L, w[i])),
         "w 1 = (\\sum_(i <- [seq 2%:Z + step%:Z | step <- "
         "iota 0 (absz (Order.max 0 (L + 1 - 2%:Z)))]) w i)"),
        (forall(i, eq(w[i + 1], w[i - 2]), over=(l, L - 1)),
         "forall i : int, (l <= i <= L - 1) -> w (i + 1) = w (i - 2%:Z)"),
        (lt(l - 1, L), "(l - 1 : int) < L"),
        (ne(l, L), "l <> L :> int"),
        (eq(w[l], a * l), "w l = a * l%:~R"),
        (eq(w[l], a ** (L - l)), "w l = a ^ (L - l)"),
        (eq(z[l], ordered_product(i, l, L - 1, W[i]) @ z[L]),
         f"z l = (\\big[mulmx/1%:M]_(i <- rev {RANGE}) W i) *m z L"),
        (eq(z[l], flow(z[l], l + 1)), "z l = g (l + 1) (z l)"),
    ],
)  # fmt: skip
def test_without_a_lower_bound_indices_are_integers(statement, text):
    claim = Claim("t.t", given=[le(l, L)], then=statement)
    assert print_theorem(claim).statement.endswith(f"(l : int) <= L ->\n  {text}")


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (eq(A**l, A ** size(n)), "iter l (mulmx A) 1%:M = iter n (mulmx A) 1%:M"),
        (eq((2 * A) ** (2 * l + 1), A),
         "iter (2 * l)%N.+1 (mulmx (2%:R *: A)) 1%:M = A"),
        (eq(a ** (size(n) - 1), b), "a ^+ n.-1 = b"),
        (eq(z[l], ordered_product(i, 1, L, W[i]) @ z[L]),
         "z l = (\\big[mulmx/1%:M]_(i <- rev (index_iota 1 L.+1)) W i) *m z L"),
        (forall(i, forall(j, eq(element(C, i, j), 0), over=(1, size(m))), over=(1, size(n))),
         "forall i : 'I_n, forall j : 'I_m, C i j = 0"),
        (forall(i, le(0, element(z[l], i, 1)), over=(1, size(n))),
         "forall i : 'I_n, 0 <= (z l) i 0"),
        (exists(w, eq(w[l], a)), "exists w : nat -> R, w l = a"),
        (eq(diagonal(x), A), "diag_mx (x^T) = A"),
        (tends_to(a * t, b - 1, variable=t, to=b),
         "forall tolerance : R, 0 < tolerance -> exists radius : R, 0 < radius /\\ "
         "(forall t : R, t <> b -> `|t - b| < radius -> `|a * t - (b - 1)| < tolerance)"),
        (tends_to(1 / (1 + t**2), 0, variable=t),
         "forall tolerance : R, 0 < tolerance -> exists bound : R, "
         "forall t : R, bound < t -> `|1 / (1 + t ^+ 2) - 0| < tolerance"),
    ],
)  # fmt: skip
def test_powers_products_entries_and_limits_are_written_in_mathcomp(statement, text):
    claim = Claim("t.t", given=[le(0, l), le(l, L)], then=statement)
    assert print_theorem(claim).statement.endswith(f"(l <= L)%N ->\n  {text}")


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (kron(A, C),
         "(lin_mx (fun stacked : 'M[R]_(n, m) => A *m stacked *m C^T))^T"),
        (kron(eye(m), A),
         "(lin_mx (fun stacked : 'M[R]_(m, n) => (1%:M : 'M[R]_m) *m stacked *m A^T))^T"),
        (vec(C), "(mxvec (C^T))^T"),
        (vec(A @ C).T @ kron(eye(m), A),
         "(mxvec ((A *m C)^T))^T^T *m "
         "(lin_mx (fun stacked : 'M[R]_(m, n) => (1%:M : 'M[R]_m) *m stacked *m A^T))^T"),
        (vec(x), "x"),
        (vec(x.T), "x^T^T"),
    ],
)  # fmt: skip
def test_kronecker_products_and_stacks_are_written_in_mathcomp(node, text):
    assert conclusion(ne(node, zeros(*node.shape))) == f"{text} <> 0"


def test_a_size_may_be_a_product():
    stack, lifted = zeros(*vec(C).shape), kron(kron(A, B), eye(m))
    assert conclusion(eq(stack, stack)) == "0 = 0 :> 'cV[R]_(m * n)"
    text = conclusion(eq(det(lifted), size(lifted.shape[0])))
    assert "fun stacked : 'M[R]_(n * n, m) =>" in text
    assert text.endswith(" = (n * n * m)%:R")


NEAR = "exists radius : R, 0 < radius /\\ (forall step : R, step <> 0 -> `|step| < radius -> "


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (eq(derivative(det(A) * t, t, at=half), a),
         f"exists slope : R, (forall tolerance : R, 0 < tolerance -> {NEAR}"
         "`|((fun t : R => \\det A * t) (1 / 2%:R + step) - (fun t : R => \\det A * t) (1 / 2%:R))"
         " / step - slope| < tolerance)) /\\ slope = a"),
        (eq(derivative(t * C, t), C),
         f"exists slope : 'M[R]_(n, m), (forall tolerance : R, 0 < tolerance -> {NEAR}"
         "forall (i_row : 'I_n) (j_column : 'I_m), `|(step^-1 *: ((fun t : R => t *: C) (t + step)"
         " - (fun t : R => t *: C) t) - slope) i_row j_column| < tolerance)) /\\ slope = C"),
        (le(norm(derivative(t * x, t)), derivative(a * t, t)),
         f"exists slope : 'cV[R]_n, exists slope1 : R, (forall tolerance : R, 0 < tolerance -> "
         f"{NEAR}forall (i_row : 'I_n) (j_column : 'I_1), `|(step^-1 *: ((fun t : R => t *: x) "
         "(t + step) - (fun t : R => t *: x) t) - slope) i_row j_column| < tolerance)) /\\ "
         f"(forall tolerance : R, 0 < tolerance -> {NEAR}"
         "`|((fun t : R => a * t) (t + step) - (fun t : R => a * t) t) / step - slope1| < tolerance"
         ")) /\\ Num.sqrt ((slope^T *m slope) 0 0) <= slope1"),
        (differentiable(f(t), t, at=tr(A)),
         f"exists slope : R, forall tolerance : R, 0 < tolerance -> {NEAR}"
         "`|((fun t : R => f t) (\\tr A + step) - (fun t : R => f t) (\\tr A)) / step - slope| "
         "< tolerance)"),
    ],
)  # fmt: skip
def test_a_derivative_beside_matrices_is_a_slope_that_exists(statement, text):
    assert conclusion(statement, ne(tr(A) + tr(C.T @ C), 0)) == text


def test_a_derivative_among_the_hypotheses_exists_too():
    printed = print_theorem(Claim("t.t", given=[eq(derivative(t * A, t), B)], then=eq(A, B)))
    assert "\n  (exists slope : 'M[R]_n, " in printed.statement
    assert printed.statement.endswith("slope = B) ->\n  A = B")
    assert printed.structure == "realFieldType"


def test_functions_and_sequences_stand_beside_matrices():
    assert conclusion(eq(f(a), det(A))) == "f a = \\det A"
    assert "(f : R -> R)," in print_theorem(Claim("t.t", then=eq(f(a), w[1]))).statement


def test_elementary_functions_beside_matrices_are_those_of_the_reals_of_coq():
    cosine = elementary("cos", elementary("arctan", tr(A)))
    theorem = print_theorem(Claim("t.t", then=eq(cosine, elementary("sigmoid", a))))
    assert theorem.statement == (
        "forall (R : rcfType) (real : R -> Rdefinitions.R) (of_real : Rdefinitions.R -> R)\n"
        "    (n : nat) (a : R) (A : 'M[R]_n),\n"
        "  cancel real of_real ->\n"
        "  cancel of_real real ->\n"
        "  {morph real : x y / x + y >-> Rdefinitions.Rplus x y} ->\n"
        "  {morph real : x y / x * y >-> Rdefinitions.Rmult x y} ->\n"
        "  (0 < n)%N ->\n"
        "  of_real (Rtrigo_def.cos (real (of_real (Ratan.atan (real (\\tr A)))))) = "
        "1 / (1 + of_real (Rtrigo_def.exp (real (- a))))"
    )
    assert (theorem.preamble, theorem.structure) == (MATRICES_OVER_REALS, "rcfType over R")
    assert theorem.on_classical_reals
    assert not print_theorem(Claim("t.t", then=eq(A, A))).on_classical_reals


def test_maps_of_states_are_quantified():
    one_map = print_theorem(Claim("t.t", then=eq(flow(x), x))).statement
    assert "(g : 'cV[R]_n -> 'cV[R]_n)" in one_map
    family = print_theorem(Claim("t.t", given=[le(0, l)], then=eq(flow(x, l), x))).statement
    assert "(g : nat -> 'cV[R]_n -> 'cV[R]_n)" in family


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (eq(f(a - 1), half), "f (a - 1) = 1 / 2"),
        (eq(f(a) ** 2, -8), "(f a) ^ 2 = - 8"),
        (eq(f(0), least(a, 2)), "f 0 = Rmin a 2"),
        (eq(elementary("exp", a), greatest(absolute(a), 1)), "exp a = Rmax (Rabs a) 1"),
        (eq(elementary("sigmoid", a) * 2, 1), "(1 / (1 + exp (- a))) * 2 = 1"),
        (eq(elementary("arctan", a), elementary("log", 2)), "atan a = ln 2"),
        (differentiable(f(t), t, at=half), "ex_derive f (1 / 2)"),
        (differentiable(t * f(t), t, at=a), "ex_derive (fun t : R => t * f t) a"),
        (eq(derivative(t**2, t, at=a), 2 * a),
         "ex_derive (fun t : R => t ^ 2) a /\\\n  Derive (fun t : R => t ^ 2) a = 2 * a"),
        (iff(eq(derivative(t**2, t, order=2), a), eq(a, 2)),
         "(ex_derive_n (fun t : R => t ^ 2) 2 t /\\ Derive_n (fun t : R => t ^ 2) 2 t = a) <-> "
         "a = 2"),
    ],
)  # fmt: skip
def test_functions_are_written_in_coquelicot(statement, text):
    theorem = print_theorem(Claim("t.t", given=[lt(f(0), a)], then=statement))
    assert theorem.statement.endswith(f"f 0 < a ->\n  {text}")
    assert (theorem.preamble, theorem.structure) == (ANALYSIS, "R")


def test_a_derivative_exists_by_hypothesis_or_is_said_to():
    smooth = differentiable(f(t), t, at=a)
    slope = eq(derivative(f(t), t, at=a), 0)
    assert conclusion(slope, smooth) == "Derive f a = 0"
    assert conclusion(both(smooth, slope)).endswith("ex_derive f a /\\\n  Derive f a = 0")
    # the hypothesis is about the free a, not about the bound one
    square = eq(derivative(t**2, t, at=a), 0)
    known = differentiable(t**2, t, at=a)
    assert "ex_derive" not in conclusion(square, known)
    assert "ex_derive (fun t : R => t ^ 2) a /\\" in conclusion(forall(a, square), known)


def test_the_preamble_goes_with_the_structure():
    plain, rooted = Claim("t.t", then=eq(x, x)), Claim("t.t", then=eq(norm(x), norm(x)))
    assert (print_theorem(plain).preamble, print_theorem(plain).structure) == (
        MATRICES,
        "realFieldType",
    )
    assert print_theorem(rooted).structure == "rcfType"


def test_sizes_are_positive_and_hypotheses_stay_in_order():
    claim = Claim("fam.some_law", given=[invertible(A), ne(a, 0)], then=eq(inv(A) @ C / a, C))
    assert print_theorem(claim).text == (
        "Theorem claim_fam_some_law :\n"
        "  forall (R : realFieldType) (n m : nat) (a : R) (A : 'M[R]_n) (C : 'M[R]_(n, m)),\n"
        "  (0 < n)%N ->\n"
        "  (0 < m)%N ->\n"
        "  A \\in unitmx ->\n"
        "  a <> 0 ->\n"
        "  (1 / a) *: (invmx A *m C) = C."
    )


def test_a_sequence_of_matrices_has_the_shape_of_its_terms():
    steps = sequence("W", n, m)
    text = print_theorem(Claim("t.t", then=eq(steps[0], zeros(n, m)))).statement
    assert "(W : nat -> 'M[R]_(n, m))" in text
    assert text.endswith("\n  W 0%N = 0")


def test_a_norm_by_its_definition_is_printed_as_the_definition():
    text = conclusion(spectral_norm_is(A, a), invertible(A))
    assert "forall " in text
    assert "'cV[R]_n" in text


def test_vectors_and_small_matrices_have_their_own_types():
    row, small, fixed = matrix("r", 1, n), matrix("s", 1, 1), matrix("u", 2, 3)
    text = print_theorem(Claim("t.t", then=[eq(row, row), eq(small, small), eq(fixed, fixed)]))
    assert "(r : 'rV[R]_n) (s : 'M[R]_1) (u : 'M[R]_(2, 3))" in text.statement


# ---------------------------------------------------------------- names


def test_names_are_injective_and_avoid_what_rocq_reserves():
    taken, one, primed = scalar("R"), scalar("R1"), scalar("X'")
    word, greek, tick = scalar("forall"), scalar("β"), scalar("x2'")
    parts = (taken, one, primed, word, greek, tick, scalar("beta"))
    claim = Claim("t.t", then=[eq(part, k) for k, part in enumerate(parts)])
    head = print_theorem(claim).statement.splitlines()[0]
    assert head == "forall (R : realFieldType) (R1 R11 X' forall1 beta x2' beta1 : R),"


def test_a_bound_variable_shadows_a_free_one_as_in_the_claim():
    text = conclusion(both(eq(a, 0), exists(a, lt(a, 0))), le(a, 1))
    assert text == "a = 0 /\\\n  (exists a : R, a < 0)"


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("claim", "named"),
    [
        (Claim("t.t", then=eq(w[2 * l], 0)), "Mul"),
        (Claim("t.t", then=eq(A**l, A)), "NaturalPower"),
        (Claim("t.t", given=[le(0, l)], then=eq(element(A, l, 1), 0)), "IndexSymbol `l`"),
        (
            Claim("t.t", then=forall(i, eq(element(A, i, i), size(n) * i), over=(1, size(n)))),
            "IndexSymbol `i`",
        ),
        (
            Claim("t.t", then=forall(i, eq(element(C, i, i), 0), over=(1, size(n)))),
            "IndexSymbol `i`",
        ),
        (Claim("t.t", then=forall(i, eq(element(A, i, i), 0), over=(0, size(n)))), "IndexSymbol"),
        (Claim("t.t", given=[le(0, l)], then=tends_to(w[l], 0, variable=l)), "TendsTo"),
        (Claim("t.t", then=eq(flow(x), flow(x, 1))), "MapSymbol"),
        (Claim("t.t", then=eq(kron(A, x), kron(A, x))), "Kronecker .*1 times a size"),
        (Claim("t.t", then=eq(derivative(det(A) * t**2, t, order=2), 0)), "of order 1"),
        (
            Claim("t.t", then=eq(derivative(tr(A) * derivative(t * a, a), t), 0)),
            "a derivative inside a derivative",
        ),
        (
            Claim("t.t", given=[le(0, l)], then=eq(total(i, 0, l, derivative(w[i] * t, t)), 0)),
            "depends on the index of a range",
        ),
        (Claim("t.t", then=invertible(derivative(t * A, t))), "Derivative"),
        (Claim("t.t", then=tends_to(elementary("exp", t), 1, variable=t, to=0)), "TendsTo"),
        (Claim("t.t", given=[le(1, l)], then=eq(w[l - 1], 0)), "Sub"),
        (Claim("t.t", given=[le(1, l)], then=eq(total(i, l - 1, l, w[i]), 0)), "Sub"),
        (Claim("t.t", given=[le(1, l)], then=eq(w[l + (-1)], 0)), "Literal `−1`"),
        (
            Claim("t.t", then=eq(derivative(t * derivative(t * a, a), t), 0)),
            "a derivative inside a derivative",
        ),
    ],
)
def test_what_has_no_faithful_spelling_is_refused_by_name(claim, named):
    with pytest.raises(Unsupported, match=named):
        print_theorem(claim)


def test_a_range_that_may_start_below_zero_is_refused():
    bound = forall(i, eq(w[i], 0), over=(-1, 3))
    with pytest.raises(Unsupported, match="Literal `−1`"):
        print_theorem(Claim("t.t", then=bound))


# ---------------------------------------------------------------- golden


def page() -> str:
    """Every statement that the kernel is asked to believe."""
    return "\n\n".join(print_theorem(claim).text for claim in WITH_A_KERNEL_PROOF) + "\n"


def test_the_statements_are_the_golden_ones():
    """DELTAPROOF_UPDATE_GOLDEN=1 writes the page anew, to be reviewed."""
    if os.environ.get("DELTAPROOF_UPDATE_GOLDEN"):
        GOLDEN.write_text(page(), encoding="utf-8")
    assert page() == GOLDEN.read_text(encoding="utf-8"), (
        "a printed statement changed: read the difference, then write page() to the golden file"
    )


def test_refuted_claims_can_be_printed_too():
    (printed,) = (c for c in residual.CLAIMS if c.id == "residual.scaled_unrolled_printed")
    assert "\\prod_(1%N <= j < L)" in print_theorem(printed).statement
