"""The family cayley: derivations, operators and mutants of each statement.

ENTRIES == in the order of the ledger
"""

from ...symbolic import cayley as statements
from ...symbolic.cayley import Q, R, S, W, n, skew, u, v, x, y
from ...symbolic.claims import restate
from ...symbolic.derivations import Cited, Have, TrivialKernel, chain, step
from ...symbolic.evidence import Kind
from ...symbolic.expressions import det, entry, eye, inv, matrix, named, norm, vector, zeros
from ...symbolic.propositions import eq, invertible
from ...symbolic.rules import instance
from .entry import Entry, Mutant, Operator, kinds_but
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
OPERATOR = {"Q": Operator("cayley:cayley", ("S",))}

plus, minus = eye(n) + S, eye(n) - S
inverse = inv(plus)
right_inverse, left_inverse = instance("right_inverse", plus), instance("left_inverse", plus)
only_invertible = [invertible(plus)]


# ---------------------------------------------------------------- cayley.generator_skew

generator_skew = CLAIMS["cayley.generator_skew"]


def _generator(body):
    """The statement for another generator."""
    other = named("W", body)
    return restate(generator_skew, then=eq(other.T, -other))


GENERATOR_SKEW = Entry(
    generator_skew,
    kinds_but(Kind.TORCH),
    derivation=chain(
        W.T,
        step((u @ v.T).T - (v @ u.T).T, "transposition goes to the terms"),
        step(v @ u.T - u @ v.T, "it reverses a product"),
        step(-W, "change of sign"),
    ),
    lemma="cayley:generator_skew",
    mutants=(
        Mutant("Wᵀ = W", restate(generator_skew, then=eq(W.T, W))),
        Mutant("Wᵀ = −2W", restate(generator_skew, then=eq(W.T, -2 * W))),
        Mutant("the sum of the two products", _generator(u @ v.T + v @ u.T)),
        Mutant("the second product is missing", _generator(u @ v.T)),
        Mutant("the second product is doubled", _generator(u @ v.T - 2 * (v @ u.T))),
        Mutant("u and v exchanged", _generator(v @ u.T - u @ v.T), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.nonsingular

nonsingular = CLAIMS["cayley.nonsingular"]
in_kernel = eq(plus @ x, zeros(n, 1))
form = x.T @ (plus @ x)
NONSINGULAR = Entry(
    nonsingular,
    kinds_but(Kind.TORCH),
    derivation=TrivialKernel(
        x,
        Have(
            eq(x.T @ x, zeros(1, 1)),
            chain(
                x.T @ x,
                step(
                    (form + form.T) / 2,
                    "the skew part leaves the quadratic form: xᵀSx + xᵀSᵀx = 0",
                    skew,
                ),
                step(zeros(1, 1), "(I + S) x = 0", in_kernel),
            ),
            then=Cited(instance("zero_square_sum", x)),
        ),
    ),
    lemma="cayley:nonsingular",
    mutants=(
        Mutant("S is any matrix", without(nonsingular, skew)),
        Mutant("S is symmetric", restate(nonsingular, given=[eq(S.T, S)])),
        Mutant("S itself is invertible", restate(nonsingular, then=invertible(S))),
        Mutant("I + S²", restate(nonsingular, then=invertible(eye(n) + S @ S))),
        Mutant("I − SᵀS", restate(nonsingular, then=invertible(eye(n) - S.T @ S))),
        Mutant("I − S", restate(nonsingular, then=invertible(minus)), stays_true=True),
        Mutant("I + 2S", restate(nonsingular, then=invertible(eye(n) + 2 * S)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.orthogonal

orthogonal = CLAIMS["cayley.orthogonal"]
gram = eq(Q.T @ Q, eye(n))
gram_chain = chain(
    Q.T @ Q,
    step(minus.T @ inverse.T @ (inverse @ minus), "transposition reverses a product"),
    step(plus @ inverse.T @ (inverse @ minus), "Sᵀ = −S", skew),
    step(
        plus @ inverse.T @ (minus @ inverse),
        "I − S = 2I − (I + S) commutes with (I + S)⁻¹",
        right_inverse,
        left_inverse,
    ),
    step(
        plus @ inverse,
        "((I + S)⁻¹)ᵀ (I − S) = ((I + S) (I + S)⁻¹)ᵀ = I",
        right_inverse,
        skew,
    ),
    step(eye(n), "a matrix times its inverse", right_inverse),
)
ORTHOGONAL = Entry(
    orthogonal,
    kinds_but(),
    derivation=gram_chain,
    lemma="cayley:orthogonal",
    operators=OPERATOR,
    mutants=(
        Mutant("S is not skew, I + S only invertible", restate(orthogonal, given=only_invertible)),
        Mutant("Q Q = I, transposition dropped", restate(orthogonal, then=eq(Q @ Q, eye(n)))),
        Mutant("QᵀQ = −I", restate(orthogonal, then=eq(Q.T @ Q, -eye(n)))),
        Mutant("QᵀQ = 2I", restate(orthogonal, then=eq(Q.T @ Q, 2 * eye(n)))),
        Mutant("Q is symmetric", restate(orthogonal, then=eq(Q.T, Q))),
        Mutant("Q Qᵀ = I", restate(orthogonal, then=eq(Q @ Q.T, eye(n))), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.isometry

isometry = CLAIMS["cayley.isometry"]
ISOMETRY = Entry(
    isometry,
    kinds_but(),
    derivation=Have(
        gram,
        gram_chain,
        then=Have(
            eq((Q @ y).T @ (Q @ y), y.T @ y),
            chain(
                (Q @ y).T @ (Q @ y),
                step(y.T @ (Q.T @ Q) @ y, "transposition reverses a product"),
                step(y.T @ eye(n) @ y, "Q is orthogonal", gram),
                step(y.T @ y, "the identity drops out"),
            ),
            then=Cited(instance("equal_norms", Q @ y, y)),
        ),
    ),
    lemma="cayley:isometry",
    operators=OPERATOR,
    mutants=(
        Mutant("S is not skew, I + S only invertible", restate(isometry, given=only_invertible)),
        Mutant("twice the norm", restate(isometry, then=eq(norm(Q @ y), 2 * norm(y)))),
        Mutant("the norm's negative", restate(isometry, then=eq(norm(Q @ y), -norm(y)))),
        Mutant("a shortcut beside Q", restate(isometry, then=eq(norm(y + Q @ y), norm(y)))),
        Mutant("Q y doubled", restate(isometry, then=eq(norm(2 * (Q @ y)), norm(y)))),
        Mutant("Qᵀ", restate(isometry, then=eq(norm(Q.T @ y), norm(y))), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.determinant

determinant = CLAIMS["cayley.determinant"]
DETERMINANT = Entry(
    determinant,
    kinds_but(Kind.CERTIFICATE),
    derivation=chain(
        det(Q),
        step(
            det(inverse) * det(minus),
            "the determinant of a product",
            instance("determinant_of_product", inverse, minus),
        ),
        step(det(inverse) * det(plus.T), "I − S = (I + S)ᵀ", skew),
        step(
            det(inverse) * det(plus),
            "a transpose has the same determinant",
            instance("determinant_of_transpose", plus),
        ),
        step(1, "the determinant of an inverse", instance("determinant_of_inverse", plus)),
    ),
    lemma="cayley:determinant",
    operators=OPERATOR,
    mutants=(
        Mutant("S is not skew, I + S only invertible", restate(determinant, given=only_invertible)),
        Mutant("−1", restate(determinant, then=eq(det(Q), -1))),
        Mutant("2", restate(determinant, then=eq(det(Q), 2))),
        Mutant("Q doubled", restate(determinant, then=eq(det(2 * Q), 1))),
        Mutant("I + Q", restate(determinant, then=eq(det(eye(n) + Q), 1))),
        Mutant("Qᵀ", restate(determinant, then=eq(det(Q.T), 1)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- cayley.no_minus_one

no_minus_one = CLAIMS["cayley.no_minus_one"]
negated = eq(Q @ x, -x)
NO_MINUS_ONE = Entry(
    no_minus_one,
    kinds_but(),
    derivation=chain(
        x,
        step((plus @ x + minus @ x) / 2, "(I + S) + (I − S) = 2I"),
        step((plus @ x + plus @ (Q @ x)) / 2, "(I + S) Q = I − S", right_inverse),
        step((plus @ x - plus @ x) / 2, "Q x = −x", negated),
        step(zeros(n, 1), "the two terms cancel"),
    ),
    lemma="cayley:no_minus_one",
    operators=OPERATOR,
    mutants=(
        Mutant("x is any vector", without(no_minus_one, negated), unseen_by=(Kind.TORCH,)),
        Mutant("the eigenvalue 1", restate(no_minus_one, given=[skew, eq(Q @ x, x)])),
        Mutant("Q twice", restate(no_minus_one, given=[skew, eq(Q @ (Q @ x), -x)])),
        Mutant("Q x = −Qᵀx", restate(no_minus_one, given=[skew, eq(Q @ x, -(Q.T @ x))])),
        Mutant(
            "S is not skew, I + S only invertible",
            restate(no_minus_one, given=[*only_invertible, negated]),
            stays_true=True,
        ),
        Mutant("Qᵀ", restate(no_minus_one, given=[skew, eq(Q.T @ x, -x)]), stays_true=True),
    ),
)


# ---------------------------------------------------------------- …so_excludes_minus_one_printed

so_printed = CLAIMS["cayley.so_excludes_minus_one_printed"]
R1, x1 = matrix("R", 1, 1), vector("x", 1)
SO_EXCLUDES_MINUS_ONE_PRINTED = Entry(
    so_printed,
    (Kind.COUNTEREXAMPLE,),
    repaired_by="cayley.no_minus_one",
    mutants=(
        Mutant(
            "n = 1",
            restate(
                so_printed,
                given=[eq(R1.T @ R1, eye(1)), eq(det(R1), 1), eq(R1 @ x1, -x1)],
                then=eq(x1, zeros(1, 1)),
            ),
        ),
        Mutant(
            "I + R invertible",
            restate(so_printed, given=[*so_printed.given, invertible(eye(n) + R)]),
        ),
        Mutant("a Cayley transform", restate(so_printed, given=[skew, eq(Q @ x, -x)])),
        Mutant("only that Rᵀx = −x", restate(so_printed, then=eq(R.T @ x, -x))),
        Mutant(
            "only that xᵀRx = −xᵀx",
            restate(so_printed, then=eq(entry(x.T @ R @ x), -entry(x.T @ x))),
        ),
    ),
)

ENTRIES = (
    GENERATOR_SKEW,
    NONSINGULAR,
    ORTHOGONAL,
    ISOMETRY,
    DETERMINANT,
    NO_MINUS_ONE,
    SO_EXCLUDES_MINUS_ONE_PRINTED,
)
