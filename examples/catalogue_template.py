"""A catalogue of your own: copy this file, and put your theorems in the place of these.

    deltaproof verify --catalogue catalogue_template.py

A bare Claim is enough: proofs, counterexamples and mutants are searched. An Entry adds what you
know: which kinds of evidence there are, a derivation, near-misses that must be rejected, values
that meet the hypotheses, which claim repairs a false one.

CLAIMS == the claims and entries, in the order in which they are printed
"""

from deltaproof.proofs.catalogue import Entry, Mutant
from deltaproof.proofs.catalogue.mutation import without
from deltaproof.symbolic import Claim, Source, dims, eq, eye, le, lt, matrix, scalar, zeros
from deltaproof.symbolic.claims import restate
from deltaproof.symbolic.derivations import AtMost, chain, step
from deltaproof.symbolic.evidence import Kind

n = dims("n")
P, R, A, B = (matrix(name, n, n) for name in "PRAB")
a, b = scalar("a"), scalar("b")
NUMBERS = (Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)


# 1. A bare claim: the statement, and nothing else.

reversed_product = Claim(
    "mine.reversed_product",
    title="Transposition reverses a product",
    then=eq((A @ B).T, B.T @ A.T),
)


# 2. An entry: a certificate is searched, the derivation is yours, each step is decided exactly.

idempotent = eq(P @ P, P)
complement = Claim(
    "mine.complement",
    title="The complement of a projector is a projector",
    source=Source("MY PAPER", "Lemma 1"),
    given=[idempotent],
    then=eq((eye(n) - P) @ (eye(n) - P), eye(n) - P),
)
COMPLEMENT = Entry(
    complement,
    (Kind.CERTIFICATE, Kind.DERIVATION, *NUMBERS),
    derivation=chain(
        (eye(n) - P) @ (eye(n) - P),
        step(eye(n) - 2 * P + P @ P, "multiplied out"),
        step(eye(n) - P, "P P = P", idempotent),
    ),
    # Near-misses: false statements that every kind must reject, and changes that stay true.
    mutants=(
        Mutant("P is any matrix", without(complement, idempotent)),
        Mutant("the square is P", restate(complement, then=eq((eye(n) - P) @ (eye(n) - P), P))),
        Mutant("I + P", restate(complement, then=eq((eye(n) + P) @ (eye(n) + P), eye(n) + P))),
        Mutant(
            "I − Pᵀ",
            restate(complement, then=eq((eye(n) - P.T) @ (eye(n) - P.T), eye(n) - P.T)),
            stays_true=True,
        ),
    ),
)


# 3. A statement that is false as printed, and the one that repairs it. The mutants of a refuted
#    claim are repairs: true statements, which must not be refuted.

projectors = (idempotent, eq(R @ R, R))
apart = (eq(P @ R, zeros(n, n)), eq(R @ P, zeros(n, n)))
summed = eq((P + R) @ (P + R), P + R)
sum_printed = Claim(
    "mine.sum_printed",
    title="The sum of two projectors is a projector",
    given=projectors,
    then=summed,
    expected="refuted",
)
SUM_PRINTED = Entry(
    sum_printed,
    (Kind.COUNTEREXAMPLE, *NUMBERS),
    mutants=(Mutant("both products vanish", restate(sum_printed, given=[*projectors, *apart])),),
    repaired_by="mine.sum",
)
SUM = Claim(
    "mine.sum",
    title="The sum of two projectors is a projector if their products vanish",
    given=[*projectors, *apart],
    then=summed,
)


# 4. Hypotheses that few values meet: say which do. They are checked, like everything else. Kinds
#    that would have to draw such values are left out.

on_circle = eq(a**2 + b**2, 1)
ON_CIRCLE = Entry(
    Claim(
        "mine.on_circle",
        title="On the circle, (a + b)² ≤ 2",
        given=[on_circle, lt(0, a), lt(a, b)],
        then=le((a + b) ** 2, 2),
    ),
    (Kind.DERIVATION,),
    derivation=AtMost(
        chain(2 - (a + b) ** 2, step((a - b) ** 2, "a² + b² = 1, taken twice", on_circle))
    ),
    witness={"sizes": {}, "values": {"a": "3/5", "b": "4/5"}},
)

CLAIMS = [reversed_product, COMPLEMENT, SUM_PRINTED, SUM, ON_CIRCLE]
