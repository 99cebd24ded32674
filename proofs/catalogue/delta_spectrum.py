"""The family delta, the operator as a matrix: derivations, operators, mutants.

ENTRIES == eigenvalues, determinants, inverse, what it is at the gates 1 and 2, products
"""

from ...symbolic import delta as statements
from ...symbolic.claims import restate
from ...symbolic.delta import (
    A_,
    A,
    A_regularised,
    L,
    a,
    b,
    beta,
    d,
    epsilon,
    k,
    lam,
    m,
    multiplicity,
    q,
    regularised,
    square,
    unit,
)
from ...symbolic.derivations import (
    BothWays,
    Cited,
    Contradiction,
    Have,
    Induction,
    Known,
    Linear,
    Parts,
    Suppose,
    chain,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Literal,
    NaturalPower,
    det,
    entry,
    eye,
    inv,
    kron,
    rank,
    size,
    zeros,
)
from ...symbolic.propositions import both, either, eq, iff, implies, invertible, le, ne
from ...symbolic.rules import instance
from .delta_update import REFUTING
from .entry import Entry, Mutant, Operator, kinds_but
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
OPERATOR = {"A": Operator("delta:delta_operator", ("k", "beta"))}


def determinant_of_operator(value, reason, *using):
    """The steps from det A to a value, by Sylvester's identity."""
    return chain(
        det(A),
        step(
            det(eye(1) - k.T @ (beta * k)),
            "a d×d determinant becomes a 1×1 determinant",
            instance("sylvester", beta * k, k.T),
        ),
        step(
            entry(eye(1) - k.T @ (beta * k)),
            "a 1×1 determinant is its entry",
            instance("determinant_one_by_one", eye(1) - k.T @ (beta * k)),
        ),
        step(value, reason, *using),
    )


length_one = determinant_of_operator(1 - beta, "multiply out: the direction has length 1", unit)


# ---------------------------------------------------------------- delta.eigenvalue_regularised

along_k = CLAIMS["delta.eigenvalue_regularised"]


def _along_k(value):
    """The statement for another eigenvalue."""
    return restate(along_k, then=eq(A_regularised @ k, value * k))


EIGENVALUE_REGULARISED = Entry(
    along_k,
    kinds_but(Kind.TORCH),
    derivation=chain(
        A_regularised @ k,
        step(k - beta / regularised * (k @ (k.T @ k)), "multiply out"),
        step((1 - beta * square / regularised) * k, "kᵀk is a number"),
    ),
    mutants=(
        Mutant("1 − β", _along_k(1 - beta)),
        Mutant("1 + β kᵀk/(kᵀk + ε)", _along_k(1 + beta * square / regularised)),
        Mutant("kᵀk is left out", _along_k(1 - beta / regularised)),
        Mutant("ε in place of kᵀk", _along_k(1 - beta * epsilon / regularised)),
    ),
)


# ---------------------------------------------------------------- delta.eigenspace_dimension

eigenspace = CLAIMS["delta.eigenspace_dimension"]
open_gate = ne(beta, 0)
shift = A - eye(d)
EIGENSPACE_DIMENSION = Entry(
    eigenspace,
    kinds_but(
        Kind.CERTIFICATE, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY, Kind.TORCH
    ),
    derivation=Have(
        le(rank(shift), 1),
        Cited(instance("rank_of_outer_products", (-beta * k, k))),
        Have(
            ne(shift, zeros(d, d)),
            Suppose(
                Contradiction(
                    open_gate,
                    chain(
                        beta,
                        step(-entry(k.T @ shift @ k), "A − I = −β kkᵀ, seen along k", unit),
                        step(
                            -entry(k.T @ zeros(d, d) @ k),
                            "A − I = 0 is supposed",
                            eq(shift, zeros(d, d)),
                        ),
                        step(0, "a product with 0 is 0"),
                    ),
                )
            ),
            Linear((le(rank(shift), 1), instance("rank_of_nonzero", shift))),
        ),
    ),
    lemma="delta:eigenspace_dimension",
    mutants=(
        Mutant("any gate", without(eigenspace, open_gate)),
        Mutant("k of any length", without(eigenspace, unit)),
        Mutant("dimension d", restate(eigenspace, then=eq(multiplicity, size(d)))),
        Mutant("dimension 1", restate(eigenspace, then=eq(multiplicity, 1))),
        Mutant("the eigenspace of 0", restate(
            eigenspace, then=eq(size(d) - rank(A), size(d) - 1))),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.characteristic_polynomial

characteristic = CLAIMS["delta.characteristic_polynomial"]
polynomial = det(lam * eye(d) - A)


def _polynomial(value):
    """The statement for another polynomial."""
    return restate(characteristic, then=eq(polynomial, value))


CHARACTERISTIC_POLYNOMIAL = Entry(
    characteristic,
    kinds_but(Kind.CERTIFICATE),
    derivation=chain(
        polynomial,
        step(det((lam - 1) * eye(d) - (-beta * k) @ k.T), "λI − A = (λ − 1) I + β kkᵀ"),
        step(
            (lam - 1) ** (size(d) - 1) * (lam - 1 - entry(k.T @ (-beta * k))),
            "a multiple of I less a product of a column and a row",
            instance("determinant_of_shifted_product", lam - 1, -beta * k, k.T),
        ),
        step((lam - 1) ** (size(d) - 1) * (lam - 1 + beta), "the direction has length 1", unit),
    ),
    lemma="delta:characteristic_polynomial",
    operators=OPERATOR,
    mutants=(
        Mutant("k of any length", without(characteristic, unit)),
        Mutant("1 has multiplicity d", _polynomial((lam - 1) ** size(d) * (lam - 1 + beta))),
        Mutant("the eigenvalue 1 + β", _polynomial((lam - 1) ** (size(d) - 1) * (lam - 1 - beta))),
        Mutant("the eigenvalue β", _polynomial((lam - 1) ** (size(d) - 1) * (lam - beta))),
        Mutant("every eigenvalue is 1", _polynomial((lam - 1) ** size(d))),
    ),
)


# ---------------------------------------------------------------- delta.determinant_printed

determinant_printed = CLAIMS["delta.determinant_printed"]
DETERMINANT_PRINTED = Entry(
    determinant_printed,
    REFUTING,
    repaired_by="delta.determinant",
    mutants=(
        Mutant("at the gate 2", restate(determinant_printed, given=[unit, eq(beta, 2)])),
        Mutant("1 − β", restate(determinant_printed, then=eq(det(A), 1 - beta))),
        Mutant("1 − β kᵀk", restate(determinant_printed, then=eq(det(A), 1 - beta * square))),
        Mutant("if A is orthogonal and is not I", restate(
            determinant_printed, given=[unit, either(eq(beta, 2))])),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.lifted_determinant

lifted = CLAIMS["delta.lifted_determinant"]
copies = det(kron(eye(m), A))
LIFTED_DETERMINANT = Entry(
    lifted,
    kinds_but(Kind.CERTIFICATE),
    derivation=Have(
        eq(det(A), 1 - beta),
        length_one,
        chain(
            copies,
            step(det(A) ** size(m), "one factor for each column",
                 instance("determinant_of_copies", m, A)),
            step((1 - beta) ** size(m), "det A = 1 − β", eq(det(A), 1 - beta)),
        ),
    ),
    lemma="delta_lifted:lifted_determinant",
    operators=OPERATOR,
    mutants=(
        Mutant("k of any length", without(lifted, unit)),
        Mutant("1 − β", restate(lifted, then=eq(copies, 1 - beta))),
        Mutant("to the power d", restate(lifted, then=eq(copies, (1 - beta) ** size(d)))),
        Mutant("1 + β", restate(lifted, then=eq(copies, (1 + beta) ** size(m)))),
        Mutant("A ⊗ I", restate(
            lifted, then=eq(det(kron(A, eye(m))), (1 - beta) ** size(m))), stays_true=True),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.singular_iff

singular = CLAIMS["delta.singular_iff"]
regular = ne(beta, 1)
# det A = 1 − β and β ≠ 1: A is invertible
is_regular = Have(
    ne(det(A), 0),
    Suppose(
        Contradiction(
            regular,
            chain(
                beta,
                step(1 - (1 - beta), "1 − (1 − β) = β"),
                step(1 - det(A), "det A = 1 − β", eq(det(A), 1 - beta)),
                step(1, "det A = 0 is supposed", eq(det(A), 0)),
            ),
        )
    ),
    Cited(instance("nonzero_determinant", A)),
)
SINGULAR_IFF = Entry(
    singular,
    kinds_but(Kind.CERTIFICATE),
    derivation=Have(
        eq(det(A), 1 - beta),
        length_one,
        BothWays(
            forward=Suppose(
                Have(
                    ne(det(A), 0),
                    Cited(instance("determinant_of_invertible", A)),
                    Contradiction(
                        ne(det(A), 0),
                        chain(
                            det(A),
                            step(1 - beta, "det A = 1 − β", eq(det(A), 1 - beta)),
                            step(0, "β = 1 is supposed", eq(beta, 1)),
                        ),
                    ),
                )
            ),
            backward=is_regular,
        ),
    ),
    lemma="delta:singular_iff",
    operators=OPERATOR,
    mutants=(
        Mutant("k of any length", without(singular, unit)),
        Mutant("at the gate 0", restate(singular, then=iff(invertible(A), ne(beta, 0)))),
        Mutant("at the gate 2", restate(singular, then=iff(invertible(A), ne(beta, 2)))),
        Mutant("invertible at the gate 1 alone", restate(
            singular, then=iff(invertible(A), eq(beta, 1)))),
        Mutant("A is transposed", restate(
            singular, then=iff(invertible(A.T), regular)), stays_true=True),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.inverse

inverse = CLAIMS["delta.inverse"]
undo = eye(d) + beta / (1 - beta) * (k @ k.T)


def _inverse(value):
    """The statement for another inverse."""
    return restate(inverse, then=both(invertible(A), eq(inv(A), value)))


INVERSE = Entry(
    inverse,
    kinds_but(),
    derivation=Have(
        invertible(A),
        Have(eq(det(A), 1 - beta), length_one, then=is_regular),
        then=Parts(
            (
                Known(),
                chain(
                    inv(A),
                    step(inv(A) @ A @ undo, "A (I + β/(1 − β) kkᵀ) = I, with kᵀk = 1", unit),
                    step(undo, "A⁻¹ A = I", instance("left_inverse", A)),
                ),
            )
        ),
    ),
    operators=OPERATOR,
    mutants=(
        Mutant("k of any length", restate(
            inverse, given=[invertible(A), regular], then=inverse.then)),
        Mutant("β in place of β/(1 − β)", _inverse(eye(d) + beta * (k @ k.T))),
        Mutant("the sign of the correction", _inverse(eye(d) - beta / (1 - beta) * (k @ k.T))),
        Mutant("1/(1 − β) in place of β/(1 − β)", _inverse(eye(d) + 1 / (1 - beta) * (k @ k.T))),
        Mutant("A is its own inverse", _inverse(A)),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.projection

projection = CLAIMS["delta.projection"]
at_one = eq(beta, 1)


def _projection(*parts):
    """The statement with other parts."""
    return restate(projection, then=both(*parts))


idempotent, symmetric, erased = projection.then.propositions
PROJECTION = Entry(
    projection,
    kinds_but(),
    derivation=Parts(
        (
            chain(
                A @ A,
                step(eye(d) - beta * (2 - beta) * (k @ k.T), "multiply out, with kᵀk = 1", unit),
                step(A, "β = 1", at_one),
            ),
            chain(A, step(A.T, "kkᵀ is symmetric")),
            chain(
                A @ k,
                step((1 - beta) * k, "the eigenvalue along k", unit),
                step(zeros(d, 1), "β = 1", at_one),
            ),
        )
    ),
    operators=OPERATOR,
    mutants=(
        Mutant("k of any length", without(projection, unit)),
        Mutant("any gate", without(projection, at_one)),
        Mutant("at the gate 2", restate(projection, given=[unit, eq(beta, 2)])),
        Mutant("A² = I", _projection(eq(A @ A, eye(d)), symmetric, erased)),
        Mutant("A k = k", _projection(idempotent, symmetric, eq(A @ k, k))),
        Mutant("A = −Aᵀ", _projection(idempotent, eq(A, -A.T), erased)),
    ),
)


# ---------------------------------------------------------------- delta.reflection

reflection = CLAIMS["delta.reflection"]
at_two = eq(beta, 2)
involution, orthogonal, negated, improper = reflection.then.propositions


def _reflection(*parts):
    """The statement with other parts."""
    return restate(reflection, then=both(*parts))


def _square(start):
    """A² or AᵀA is I."""
    return chain(
        start,
        step(eye(d) + beta * (beta - 2) * (k @ k.T), "multiply out, with kᵀk = 1", unit),
        step(eye(d), "β = 2", at_two),
    )


REFLECTION = Entry(
    reflection,
    kinds_but(Kind.CERTIFICATE),
    derivation=Parts(
        (
            _square(A @ A),
            _square(A.T @ A),
            chain(
                A @ k,
                step((1 - beta) * k, "the eigenvalue along k", unit),
                step(-k, "β = 2", at_two),
            ),
            determinant_of_operator(-1, "kᵀk = 1 and β = 2", unit, at_two),
        )
    ),
    lemma="delta:reflection",
    operators=OPERATOR,
    mutants=(
        Mutant("k of any length", without(reflection, unit)),
        Mutant("at the gate 1", restate(reflection, given=[unit, at_one])),
        Mutant("at the gate 0", restate(reflection, given=[unit, eq(beta, 0)])),
        Mutant("determinant 1", _reflection(involution, orthogonal, negated, eq(det(A), 1))),
        Mutant("k is fixed", _reflection(involution, orthogonal, eq(A @ k, k), improper)),
        Mutant("A² = A", _reflection(eq(A @ A, A), orthogonal, negated, improper)),
    ),
)


# ---------------------------------------------------------------- …orthogonal_only_at_two_printed

only_at_two = CLAIMS["delta.orthogonal_only_at_two_printed"]
gram = eq(A.T @ A, eye(d))
ORTHOGONAL_ONLY_AT_TWO_PRINTED = Entry(
    only_at_two,
    REFUTING,
    repaired_by="delta.orthogonal_iff",
    mutants=(
        Mutant("at 0 and at 2", restate(
            only_at_two, then=iff(gram, either(eq(beta, 0), at_two)))),
        Mutant("apart from the gate 0", restate(only_at_two, given=[unit, ne(beta, 0)])),
        Mutant("the gate 2 is enough", restate(only_at_two, given=[unit, at_two], then=gram)),
        Mutant("orthogonal with determinant −1", restate(
            only_at_two, then=iff(both(gram, eq(det(A), -1)), at_two))),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.composition

composition = CLAIMS["delta.composition"]
composed, powers = composition.then.propositions
stacked = (1 - beta) ** L
no_power = NaturalPower(1 - beta, Literal(0))
COMPOSITION = Entry(
    composition,
    kinds_but(Kind.CERTIFICATE, Kind.TORCH),
    derivation=Parts(
        (
            chain(
                A_(a, k) @ A_(b, k),
                step(A_(a + b - a * b, k), "multiply out, with kᵀk = 1", unit),
            ),
            Induction(
                L,
                0,
                base=chain(A**0, step(A_(1 - no_power, k), "both are I")),
                step=Have(
                    powers,
                    Cited(instance("modus_ponens", implies(both(le(0, L)), powers))),
                    chain(
                        A ** (L + 1),
                        step(A @ A**L, "one factor A apart", instance("power_successor", A, L)),
                        step(A @ A_(1 - stacked, k), "the power before", powers),
                        step(
                            A_(1 - (1 - beta) * stacked, k), "multiply out, with kᵀk = 1", unit
                        ),
                        step(
                            A_(1 - (1 - beta) ** (L + 1), k),
                            "one factor 1 − β more",
                            instance("power_successor", 1 - beta, L),
                        ),
                    ),
                ),
            ),
        )
    ),
    lemma="delta:composition",
    mutants=(
        Mutant("k of any length", without(composition, unit)),
        Mutant("gates add up", restate(
            composition, then=both(eq(A_(a, k) @ A_(b, k), A_(a + b, k)), powers))),
        Mutant("gates multiply", restate(
            composition, then=both(eq(A_(a, k) @ A_(b, k), A_(a * b, k)), powers))),
        Mutant("the sign of ab", restate(
            composition, then=both(eq(A_(a, k) @ A_(b, k), A_(a + b + a * b, k)), powers))),
        Mutant("the gate (1 − β)^L", restate(
            composition, then=both(composed, eq(A**L, A_(stacked, k))))),
        Mutant("the gate 1 − β^L", restate(
            composition, then=both(composed, eq(A**L, A_(1 - beta**L, k))))),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.commutator

commutator = CLAIMS["delta.commutator"]
difference = A_(a, k) @ A_(b, q) - A_(b, q) @ A_(a, k)
overlap = entry(k.T @ q)
wedge = k @ q.T - q @ k.T


def _commutator(value):
    """The statement for another commutator."""
    return restate(commutator, then=eq(difference, value))


COMMUTATOR = Entry(
    commutator,
    kinds_but(Kind.TORCH),
    derivation=chain(
        difference,
        step(a * b * (k @ (k.T @ q) @ q.T - q @ (q.T @ k) @ k.T), "what is linear cancels"),
        step(a * b * overlap * wedge, "kᵀq = qᵀk is a number"),
    ),
    mutants=(
        Mutant("the sign", _commutator(-(a * b * overlap * wedge))),
        Mutant("kᵀq is left out", _commutator(a * b * wedge)),
        Mutant("the sum of the products", _commutator(a * b * overlap * (k @ q.T + q @ k.T))),
        Mutant("they commute", _commutator(zeros(d, d))),
        Mutant("a + b in place of ab", _commutator((a + b) * overlap * wedge)),
    ),
)

ENTRIES = (
    EIGENVALUE_REGULARISED,
    EIGENSPACE_DIMENSION,
    CHARACTERISTIC_POLYNOMIAL,
    DETERMINANT_PRINTED,
    LIFTED_DETERMINANT,
    SINGULAR_IFF,
    INVERSE,
    PROJECTION,
    REFLECTION,
    ORTHOGONAL_ONLY_AT_TWO_PRINTED,
    COMPOSITION,
    COMMUTATOR,
)
