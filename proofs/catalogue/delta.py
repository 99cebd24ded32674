"""The family delta: derivations, operators and mutants of its first five statements.

ENTRIES == all of the family, in the order of the ledger

The others are in delta_update.py, delta_spectrum.py, delta_norms.py, delta_gate.py and
delta_jacobian.py.
"""

from ...symbolic import delta as statements
from ...symbolic.claims import restate
from ...symbolic.delta import A, X, beta, d, k, u, unit, v
from ...symbolic.derivations import BothWays, Cases, Cited, Have, chain, step
from ...symbolic.evidence import Kind
from ...symbolic.expressions import det, entry, eye, zeros
from ...symbolic.propositions import either, eq, iff
from ...symbolic.rules import instance
from . import delta_gate, delta_jacobian, delta_norms, delta_spectrum, delta_update
from .entry import Entry, Mutant, Operator, kinds_but
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
OPERATOR = {"A": Operator("delta:delta_operator", ("k", "beta"))}


# ---------------------------------------------------------------- delta.rank_one_form

rank_one_form = CLAIMS["delta.rank_one_form"]
correction = beta * (k @ (v.T - k.T @ X))
RANK_ONE_FORM = Entry(
    rank_one_form,
    kinds_but(),
    derivation=chain(
        statements.updated,
        step(X - beta * (k @ k.T @ X) + beta * (k @ v.T), "multiply A X out"),
        step(X + (beta * (k @ v.T) - beta * (k @ (k.T @ X))), "collect the terms with β"),
        step(X + correction, "β and k come out on the left"),
    ),
    lemma="delta:rank_one_form",
    operators={"X'": Operator("delta:delta_update", ("X", "k", "v", "beta"))},
    mutants=(
        Mutant(
            "the read-out is added, not subtracted",
            restate(rank_one_form, then=eq(statements.updated, X + beta * (k @ (v.T + k.T @ X)))),
        ),
        Mutant(
            "the correction is subtracted",
            restate(rank_one_form, then=eq(statements.updated, X - correction)),
        ),
        Mutant(
            "twice the correction",
            restate(rank_one_form, then=eq(statements.updated, X + 2 * correction)),
        ),
        Mutant(
            "the gate is left out",
            restate(rank_one_form, then=eq(statements.updated, X + k @ (v.T - k.T @ X))),
        ),
        Mutant(
            "the gate is on the read-out only",
            restate(rank_one_form, then=eq(statements.updated, X + k @ (v.T - beta * (k.T @ X)))),
        ),
        Mutant(
            "A is transposed",
            restate(rank_one_form, then=eq(A.T @ X + beta * (k @ v.T), X + correction)),
            stays_true=True,
            unseen_by=(Kind.TORCH,),
        ),
    ),
)


# ---------------------------------------------------------------- delta.eigenvalue_along_k

along_k = CLAIMS["delta.eigenvalue_along_k"]
EIGENVALUE_ALONG_K = Entry(
    along_k,
    kinds_but(),
    derivation=chain(
        A @ k,
        step(k - beta * (k @ (k.T @ k)), "multiply out"),
        step(k - beta * k, "the direction has length 1", unit),
        step((1 - beta) * k, "collect"),
    ),
    lemma="delta:eigenvalue_along_k",
    operators=OPERATOR,
    mutants=(
        Mutant("k of any length", without(along_k, unit)),
        Mutant("1 + β in place of 1 − β", restate(along_k, then=eq(A @ k, (1 + beta) * k))),
        Mutant("twice the gate", restate(along_k, then=eq(A @ k, (1 - 2 * beta) * k))),
        Mutant("β in place of 1 − β", restate(along_k, then=eq(A @ k, beta * k))),
        Mutant("the direction is fixed", restate(along_k, then=eq(A @ k, k))),
        Mutant(
            "A is transposed",
            restate(along_k, then=eq(A.T @ k, (1 - beta) * k)),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- delta.eigenvalue_off_k

off_k = CLAIMS["delta.eigenvalue_off_k"]
orthogonal = off_k.given[0]
EIGENVALUE_OFF_K = Entry(
    off_k,
    kinds_but(),
    derivation=chain(
        A @ u,
        step(u - beta * (k @ (k.T @ u)), "multiply out"),
        step(u - beta * (k @ zeros(1, 1)), "u is orthogonal to k", orthogonal),
        step(u, "a product with 0 is 0"),
    ),
    lemma="delta:eigenvalue_off_k",
    operators=OPERATOR,
    mutants=(
        Mutant("u in any direction", without(off_k, orthogonal)),
        Mutant("k of length 1 in place of u orthogonal to k", restate(off_k, given=[unit])),
        Mutant("the eigenvalue of k", restate(off_k, then=eq(A @ u, (1 - beta) * u))),
        Mutant("u is negated", restate(off_k, then=eq(A @ u, -u))),
        Mutant("u is doubled", restate(off_k, then=eq(A @ u, 2 * u))),
        Mutant("A is transposed", restate(off_k, then=eq(A.T @ u, u)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- delta.determinant

determinant = CLAIMS["delta.determinant"]
square = entry(k.T @ k)
DETERMINANT = Entry(
    determinant,
    kinds_but(Kind.CERTIFICATE),
    derivation=chain(
        det(A),
        step(det(eye(d) - (beta * k) @ k.T), "β goes to the first factor"),
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
        step(1 - beta * square, "multiply out"),
    ),
    lemma="delta:determinant",
    operators=OPERATOR,
    mutants=(
        Mutant("1 + β kᵀk", restate(determinant, then=eq(det(A), 1 + beta * square))),
        Mutant("twice the gate", restate(determinant, then=eq(det(A), 1 - 2 * beta * square))),
        Mutant("kᵀk is left out", restate(determinant, then=eq(det(A), 1 - beta))),
        Mutant("the gate squared", restate(determinant, then=eq(det(A), 1 - beta**2 * square))),
        Mutant("−1 whatever the gate", restate(determinant, then=eq(det(A), -1))),
        Mutant(
            "A is transposed",
            restate(determinant, then=eq(det(A.T), 1 - beta * square)),
            stays_true=True,
        ),
    ),
)


# ---------------------------------------------------------------- delta.orthogonal_iff

orthogonal_iff = CLAIMS["delta.orthogonal_iff"]
gram = eq(A.T @ A, eye(d))
gates = either(eq(beta, 0), eq(beta, 2))
multiplied_out = step(eye(d) + beta * (beta - 2) * (k @ k.T), "multiply out, with kᵀk = 1", unit)
ORTHOGONAL_IFF = Entry(
    orthogonal_iff,
    kinds_but(),
    derivation=BothWays(
        forward=Have(
            eq(beta * (beta - 2), 0),
            chain(
                beta * (beta - 2),
                step(
                    entry(k.T @ (A.T @ A - eye(d)) @ k),
                    "AᵀA − I = β(β − 2) kkᵀ, seen along k",
                    unit,
                ),
                step(entry(k.T @ (eye(d) - eye(d)) @ k), "A is orthogonal", gram),
                step(0, "I − I = 0"),
            ),
            then=Cited(instance("zero_product", eq(beta, 0), eq(beta, 2))),
        ),
        backward=Cases(
            gates,
            (
                chain(A.T @ A, multiplied_out, step(eye(d), "β = 0", eq(beta, 0))),
                chain(A.T @ A, multiplied_out, step(eye(d), "β = 2", eq(beta, 2))),
            ),
        ),
    ),
    lemma="delta:orthogonal_iff",
    operators=OPERATOR,
    mutants=(
        Mutant("k of any length", without(orthogonal_iff, unit)),
        Mutant("only at 2", restate(orthogonal_iff, then=iff(gram, eq(beta, 2)))),
        Mutant("only at 0", restate(orthogonal_iff, then=iff(gram, eq(beta, 0)))),
        Mutant(
            "at 0 and 1",
            restate(orthogonal_iff, then=iff(gram, either(eq(beta, 0), eq(beta, 1)))),
        ),
        Mutant(
            "at 0 and −2",
            restate(orthogonal_iff, then=iff(gram, either(eq(beta, 0), eq(beta, -2)))),
        ),
        Mutant(
            "AᵀA = A in place of AᵀA = I",
            restate(orthogonal_iff, then=iff(eq(A.T @ A, A), gates)),
        ),
        Mutant(
            "A A in place of AᵀA",
            restate(orthogonal_iff, then=iff(eq(A @ A, eye(d)), gates)),
            stays_true=True,
        ),
    ),
)

FIRST = (RANK_ONE_FORM, EIGENVALUE_ALONG_K, EIGENVALUE_OFF_K, DETERMINANT, ORTHOGONAL_IFF)
TOPICS = (delta_update, delta_spectrum, delta_norms, delta_gate, delta_jacobian)
BY_ID = {e.claim.id: e for e in (*FIRST, *(e for topic in TOPICS for e in topic.ENTRIES))}
ENTRIES = tuple(BY_ID[claim.id] for claim in statements.CLAIMS)
