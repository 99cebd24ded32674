"""The family delta, lengths: derivations, operators, mutants.

ENTRIES == what ε costs, where the operator is no isometry, its norm; in the order of the ledger
"""

from ...symbolic import delta as statements
from ...symbolic.claims import restate
from ...symbolic.delta import (
    A,
    A_regularised,
    A_unit_regularised,
    beta,
    d,
    epsilon,
    gap,
    k,
    regularised,
    square,
    unit,
    x,
)
from ...symbolic.derivations import (
    Arbitrary,
    AtMost,
    BothWays,
    Cases,
    Cited,
    Contradiction,
    Derivation,
    Exhibit,
    Have,
    Known,
    Linear,
    Obtain,
    Parts,
    Suppose,
    chain,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    Literal,
    absolute,
    entry,
    eye,
    greatest,
    norm,
    size,
    vector,
    zeros,
)
from ...symbolic.propositions import (
    Exists,
    both,
    either,
    eq,
    forall,
    iff,
    implies,
    le,
    lt,
    ne,
    spectral_norm_is,
    tends_to,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant, Operator, kinds_but
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
OPERATOR = {"A": Operator("delta:delta_operator", ("k", "beta"))}
# quantifiers over all vectors are not decided by numbers
DERIVED = (Kind.DERIVATION,)

zero = zeros(d, 1)
component = entry(k.T @ x)
off_k = x - k @ (k.T @ x)
off_k_squared = entry(off_k.T @ off_k)


def squared(vector: Expression) -> Expression:
    """‖a‖² as aᵀa."""
    return entry(vector.T @ vector)


def visibly(value: Expression) -> AtMost:
    """Proves 0 ≤ value, or 0 < value, by its form and what is known."""
    return AtMost(chain(value - 0, step(value, "c − 0 = c")))


k_is_not_zero = Suppose(
    chain(
        1,
        step(square, "the direction has length 1", unit),
        step(squared(zero), "k = 0 is supposed", eq(k, zero)),
        step(0, "a product with 0 is 0"),
    )
)


def stretched_by(matrix: Expression, factor: Expression, *using) -> Derivation:
    """Proves ‖M k‖ = c ‖k‖ from M k = ±c k and c ≥ 0."""
    image = matrix @ k
    scaled = factor * k
    return Have(
        eq(image.T @ image, scaled.T @ scaled),
        chain(image.T @ image, step(scaled.T @ scaled, "multiply out, with kᵀk = 1", unit, *using)),
        chain(
            norm(image),
            step(norm(scaled), "equal squares", instance("equal_norms", image, scaled)),
            step(absolute(factor) * norm(k), "‖c k‖", instance("norm_of_multiple", factor, k)),
            step(factor * norm(k), "c ≥ 0", instance("absolute_of_nonnegative", factor)),
        ),
    )


def bounded_by(matrix: Expression, factor: Expression, rest: Expression, *using) -> Derivation:
    """Proves ‖M x‖ ≤ c ‖x‖ for all x, from c ≥ 0 and c² ‖x‖² − ‖M x‖² = rest, visibly ≥ 0."""
    bound = le(squared(matrix @ x), factor**2 * squared(x))
    difference = chain(
        bound.right - bound.left, step(rest, "multiply out, with kᵀk = 1", unit, *using)
    )
    cited = Cited(instance("smaller_norm", matrix @ x, factor, x))
    return Arbitrary(Have(bound, AtMost(difference), cited))


# ---------------------------------------------------------------- delta.epsilon_limit

epsilon_limit = CLAIMS["delta.epsilon_limit"]
norm_is_gap, gap_vanishes = epsilon_limit.then.propositions
at_zero = 1 + Literal(0)
defect = A_unit_regularised - A
absolute_squared = instance("square_of_absolute", beta)


def _gap(value):
    """The statement for another distance, which is to tend to 0 as well."""
    return restate(
        epsilon_limit,
        then=both(spectral_norm_is(defect, value), tends_to(value, 0, variable=epsilon, to=0)),
    )


EPSILON_LIMIT = Entry(
    epsilon_limit,
    (Kind.KERNEL, *DERIVED),
    derivation=Parts(
        (
            Have(
                le(0, gap),
                visibly(gap),
                Parts(
                    (
                        Known(),
                        bounded_by(defect, gap, gap**2 * off_k_squared, absolute_squared),
                        Exhibit(
                            k, Parts((k_is_not_zero, stretched_by(defect, gap, absolute_squared)))
                        ),
                    )
                ),
            ),
            Have(
                ne(at_zero, 0),
                Have(
                    lt(0, at_zero),
                    visibly(at_zero),
                    Suppose(Contradiction(lt(0, at_zero), Linear((eq(at_zero, 0),)))),
                ),
                Cited(
                    instance("limit_of_fraction", absolute(beta) * epsilon, 1 + epsilon, epsilon, 0)
                ),
            ),
        )
    ),
    lemma="delta:epsilon_limit",
    mutants=(
        Mutant("k of any length", without(epsilon_limit, unit)),
        Mutant("without the absolute value", _gap(beta * epsilon / (1 + epsilon))),
        Mutant("ε in place of ε/(1 + ε)", _gap(absolute(beta) * epsilon)),
        Mutant("half the distance", _gap(gap / 2)),
    ),
)


# ---------------------------------------------------------------- …regularised_never_orthogonal

never = CLAIMS["delta.regularised_never_orthogonal"]
not_zero, positive, opened, at_most_two = never.given
gram = A_regularised.T @ A_regularised
orthogonal = eq(gram, eye(d))
excess = beta * square**2 * ((2 - beta) * square + 2 * epsilon)
REGULARISED_NEVER_ORTHOGONAL = Entry(
    never,
    (Kind.KERNEL, Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=Suppose(
        Have(
            lt(0, square),
            Cited(instance("positive_square_sum", k)),
            Have(
                eq(excess, 0),
                chain(
                    excess,
                    step(
                        regularised**2 * entry(k.T @ (eye(d) - gram) @ k),
                        "I − AᵀA, seen along k, times (kᵀk + ε)²",
                    ),
                    step(
                        regularised**2 * entry(k.T @ (eye(d) - eye(d)) @ k),
                        "AᵀA = I is supposed",
                        orthogonal,
                    ),
                    step(0, "I − I = 0"),
                ),
                Have(
                    lt(0, excess),
                    visibly(excess),
                    Contradiction(lt(0, excess), Linear((eq(excess, 0),))),
                ),
            ),
        )
    ),
    lemma="delta:regularised_never_orthogonal",
    mutants=(
        Mutant("k = 0 too", restate(
            never, given=[positive, opened, at_most_two, lt(0, regularised)])),
        Mutant("at the gate 0", restate(never, given=[not_zero, positive, eq(beta, 0)])),
        Mutant("A ≠ Aᵀ", restate(never, then=ne(A_regularised, A_regularised.T))),
        Mutant("AᵀA ≠ A Aᵀ", restate(never, then=ne(gram, A_regularised @ A_regularised.T))),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.norm_distortion

distortion = CLAIMS["delta.norm_distortion"]


def _distortion(value):
    """The statement with another right side."""
    return restate(distortion, then=eq(norm(A @ x) ** 2, value))


NORM_DISTORTION = Entry(
    distortion,
    kinds_but(),
    derivation=chain(
        norm(A @ x) ** 2,
        step(squared(A @ x), "‖a‖² = aᵀa", instance("norm_squared", A @ x)),
        step(squared(x) + beta * (beta - 2) * component**2, "multiply out, with kᵀk = 1", unit),
        step(distortion.then.expressions[1], "aᵀa = ‖a‖²", instance("norm_squared", x)),
    ),
    operators=OPERATOR,
    mutants=(
        Mutant("k of any length", without(distortion, unit)),
        Mutant("an isometry", _distortion(norm(x) ** 2)),
        Mutant("the sign", _distortion(norm(x) ** 2 - beta * (beta - 2) * component**2)),
        Mutant("β² in place of β(β − 2)", _distortion(norm(x) ** 2 + beta**2 * component**2)),
        Mutant("kᵀx is not squared", _distortion(norm(x) ** 2 + beta * (beta - 2) * component)),
    ),
)


# ---------------------------------------------------------------- delta.non_expansive_iff

non_expansive = CLAIMS["delta.non_expansive_iff"]
expands_none = forall(x, le(norm(A @ x), norm(x)))
gate_at_least, gate_at_most = le(0, beta), le(beta, 2)
slack = beta * (2 - beta)
along, length = norm(A @ k), norm(k)
along_squared, length_squared = eq(along**2, (1 - beta) ** 2), eq(length**2, 1)
NON_EXPANSIVE_IFF = Entry(
    non_expansive,
    (Kind.KERNEL, *DERIVED),
    derivation=BothWays(
        forward=Have(
            le(along, length),
            Cited(instance("instantiate", expands_none, k)),
            Have(
                le(0, along),
                visibly(along),
                Have(
                    along_squared,
                    chain(
                        along**2,
                        step(squared(A @ k), "‖a‖² = aᵀa", instance("norm_squared", A @ k)),
                        step((1 - beta) ** 2, "A k = (1 − β) k and kᵀk = 1", unit),
                    ),
                    Have(
                        length_squared,
                        chain(
                            length**2,
                            step(square, "‖a‖² = aᵀa", instance("norm_squared", k)),
                            step(1, "the direction has length 1", unit),
                        ),
                        Have(
                            le(0, slack),
                            Linear(
                                (
                                    instance("squares_in_order", along, length),
                                    along_squared,
                                    length_squared,
                                )
                            ),
                            Parts(
                                (
                                    AtMost(
                                        chain(
                                            beta - 0,
                                            step((slack + beta**2) / 2, "β(2 − β) + β² = 2β"),
                                        )
                                    ),
                                    AtMost(
                                        chain(
                                            2 - beta,
                                            step(
                                                (slack + (2 - beta) ** 2) / 2,
                                                "β(2 − β) + (2 − β)² = 2(2 − β)",
                                            ),
                                        )
                                    ),
                                )
                            ),
                        ),
                    ),
                ),
            ),
        ),
        backward=Have(
            le(0, 1), Linear(()), bounded_by(A, Literal(1), slack * component**2)
        ),
    ),
    lemma="delta:non_expansive_iff",
    mutants=(
        Mutant("k of any length", without(non_expansive, unit)),
        Mutant("gates in [0, 3]", restate(
            non_expansive, then=iff(expands_none, both(gate_at_least, le(beta, 3))))),
        Mutant("gates in [−1, 2]", restate(
            non_expansive, then=iff(expands_none, both(le(-1, beta), gate_at_most)))),
        Mutant("all gates", restate(non_expansive, then=expands_none)),
        Mutant("smaller than ‖x‖", restate(non_expansive, then=iff(
            forall(x, lt(norm(A @ x), norm(x))), both(gate_at_least, gate_at_most)))),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.spectral_norm

spectral_norm = CLAIMS["delta.spectral_norm"]
along_k = absolute(1 - beta)
largest = greatest(1, along_k)
one_is_larger = both(le(along_k, 1), eq(largest, 1))
along_is_larger = both(le(1, along_k), eq(largest, along_k))
either_larger = either(one_is_larger, along_is_larger)
factor_squared = instance("square_of_absolute", 1 - beta)
e = vector("e", d)
orthogonal_to_k = Exists(e, both(ne(e, zero), eq(k.T @ e, zeros(1, 1))))

at_most_one = Have(
    le((1 - beta) ** 2, 1),
    Linear((instance("squares_in_order", along_k, 1), factor_squared)),
    Parts(
        (
            AtMost(chain(largest - 0, step(1, "the larger one is 1", one_is_larger))),
            Have(
                le(0, largest),
                AtMost(chain(largest - 0, step(1, "the larger one is 1", one_is_larger))),
                bounded_by(A, largest, (1 - (1 - beta) ** 2) * component**2, one_is_larger),
            ),
            Have(
                orthogonal_to_k,
                Cited(instance("orthogonal_direction", e, k)),
                Obtain(
                    orthogonal_to_k,
                    Exhibit(
                        e,
                        Parts(
                            (
                                Known(),
                                chain(
                                    norm(A @ e),
                                    step(norm(e), "e is orthogonal to k", eq(k.T @ e, zeros(1, 1))),
                                    step(largest * norm(e), "the larger one is 1", one_is_larger),
                                ),
                            )
                        ),
                    ),
                ),
            ),
        )
    ),
)
at_least_one = Have(
    le(1, (1 - beta) ** 2),
    Linear((instance("squares_in_order", 1, along_k), factor_squared)),
    Have(
        le(0, largest),
        AtMost(chain(largest - 0, step(along_k, "the larger one is |1 − β|", along_is_larger))),
        Parts(
            (
                Known(),
                bounded_by(
                    A,
                    largest,
                    ((1 - beta) ** 2 - 1) * off_k_squared,
                    along_is_larger,
                    factor_squared,
                ),
                Exhibit(
                    k,
                    Parts(
                        (k_is_not_zero, stretched_by(A, largest, along_is_larger, factor_squared))
                    ),
                ),
            )
        ),
    ),
)
in_one_dimension = eq(norm(A @ x), along_k * norm(x))
alone = Parts(
    (
        Known(),
        Arbitrary(
            Have(
                in_one_dimension,
                chain(
                    norm(A @ x),
                    step(
                        norm((1 - beta) * x),
                        "kkᵀ = I in dimension 1",
                        instance("one_dimension", k, k),
                        unit,
                    ),
                    step(
                        along_k * norm(x),
                        "‖c x‖ = |c| ‖x‖",
                        instance("norm_of_multiple", 1 - beta, x),
                    ),
                ),
                Linear((in_one_dimension,)),
            )
        ),
        Exhibit(k, Parts((k_is_not_zero, stretched_by(A, along_k, factor_squared)))),
    )
)


def _spectral_norm(above, alone):
    """The statement for other norms, in dimensions 2 and above and in dimension 1."""
    return restate(
        spectral_norm,
        then=both(
            implies(le(2, size(d)), spectral_norm_is(A, above)),
            implies(eq(size(d), 1), spectral_norm_is(A, alone)),
        ),
    )


SPECTRAL_NORM = Entry(
    spectral_norm,
    (Kind.KERNEL, *DERIVED),
    derivation=Have(
        le(0, along_k),
        visibly(along_k),
        Have(
            le(0, 1),
            Linear(()),
            Parts(
                (
                    Have(
                        either_larger,
                        Cited(instance("greatest", 1, along_k)),
                        Cases(either_larger, (at_most_one, at_least_one)),
                    ),
                    alone,
                )
            ),
        ),
    ),
    lemma="delta:spectral_norm",
    mutants=(
        Mutant("k of any length", without(spectral_norm, unit)),
        Mutant("the same in dimension 1", _spectral_norm(largest, largest)),
        Mutant("|1 − β| in every dimension", _spectral_norm(along_k, along_k)),
        Mutant("1 in dimensions above 1", _spectral_norm(greatest(1, 1), along_k)),
        Mutant("|1 + β|", _spectral_norm(greatest(1, absolute(1 + beta)), along_k)),
    ),
)

ENTRIES = (
    EPSILON_LIMIT,
    REGULARISED_NEVER_ORTHOGONAL,
    NORM_DISTORTION,
    NON_EXPANSIVE_IFF,
    SPECTRAL_NORM,
)
