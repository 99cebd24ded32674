"""The family delta, what an update does to the state: derivations, operators, mutants.

ENTRIES == read-outs, overwriting, the forms of the update; in the order of the ledger
"""

from ...symbolic import delta as statements
from ...symbolic.claims import restate
from ...symbolic.delta import (
    A_,
    A,
    X,
    X_example,
    X_square,
    Z,
    beta,
    d,
    epsilon,
    first_write,
    k,
    k_example,
    q,
    regularised,
    second_write,
    unit,
    unit_q,
    update_,
    updated,
    updated_regularised,
    v,
    w,
)
from ...symbolic.derivations import Cited, Parts, chain, step
from ...symbolic.evidence import Kind
from ...symbolic.expressions import constant, entry, eye, named, rank, zeros
from ...symbolic.propositions import both, eq, le, lt
from ...symbolic.rules import instance
from .entry import Entry, Mutant, Operator, kinds_but
from .mutation import without

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
UPDATE = {"X'": Operator("delta:delta_update", ("X", "k", "v", "beta"))}
REFUTING = (Kind.COUNTEREXAMPLE, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY)

multiplied_out = X - beta * (k @ k.T @ X) + beta * (k @ v.T)


# ---------------------------------------------------------------- delta.rank_one_form_normalised

normalised = CLAIMS["delta.rank_one_form_normalised"]
RANK_ONE_FORM_NORMALISED = Entry(
    normalised,
    kinds_but(Kind.TORCH),
    derivation=chain(
        updated_regularised,
        step(
            X - beta / regularised * (k @ k.T @ X) + beta * (k @ v.T), "multiply out: kᵀk + ε ≠ 0"
        ),
        step(normalised.then.expressions[1], "β and k come out on the left"),
    ),
    mutants=(
        Mutant("ε is left out of the read-out", restate(normalised, then=eq(
            updated_regularised, X + beta * (k @ (v.T - k.T @ X)))),
        ),
        Mutant("the read-out is added", restate(normalised, then=eq(
            updated_regularised, X + beta * (k @ (v.T + (k.T @ X) / regularised)))),
        ),
        Mutant("the value is normalised too", restate(normalised, then=eq(
            updated_regularised, X + beta / regularised * (k @ (v.T - k.T @ X)))),
        ),
        Mutant("the gate is left out", restate(normalised, then=eq(
            updated_regularised, X + k @ (v.T - (k.T @ X) / regularised))),
        ),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.rank_one_form_reading

reading = CLAIMS["delta.rank_one_form_reading"]
RANK_ONE_FORM_READING = Entry(
    reading,
    REFUTING,
    repaired_by="delta.rank_one_form_normalised",
    mutants=(
        Mutant("the read-out is normalised as well", restate(reading, then=normalised.then)),
        Mutant("kᵀk + ε = 1", restate(reading, given=[*reading.given, eq(regularised, 1)])),
        Mutant("the gate is 0", restate(reading, given=[*reading.given, eq(beta, 0)])),
        Mutant("k of length 1, ε = 0", restate(
            reading, given=[*reading.given, unit, eq(epsilon, 0)])),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.update_rank

update_rank = CLAIMS["delta.update_rank"]
UPDATE_RANK = Entry(
    update_rank,
    kinds_but(Kind.CERTIFICATE, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY, Kind.TORCH),
    derivation=Cited(instance("rank_of_outer_products", (k, beta * (v - X.T @ k)))),
    lemma="delta:update_rank",
    mutants=(
        Mutant("rank 0", restate(update_rank, then=le(rank(updated - X), 0))),
        Mutant("rank less than 1", restate(update_rank, then=lt(rank(updated - X), 1))),
        Mutant("the state after the update", restate(update_rank, then=le(rank(updated), 1))),
        Mutant("rank 1", restate(update_rank, then=eq(rank(updated - X), 1))),
    ),
)


# ---------------------------------------------------------------- delta.preserves_complement

complement = CLAIMS["delta.preserves_complement"]
across = complement.given[0]
PRESERVES_COMPLEMENT = Entry(
    complement,
    kinds_but(),
    derivation=chain(
        q.T @ updated,
        step(q.T @ X + beta * (q.T @ k @ (v.T - k.T @ X)), "the rank-one form"),
        step(q.T @ X + beta * (zeros(1, 1) @ (v.T - k.T @ X)), "q is orthogonal to k", across),
        step(q.T @ X, "a product with 0 is 0"),
    ),
    operators=UPDATE,
    mutants=(
        Mutant("q in any direction", without(complement, across)),
        Mutant("k of length 1 in place of q orthogonal to k", restate(complement, given=[unit])),
        Mutant("read along k", restate(complement, then=eq(k.T @ updated, k.T @ X))),
        Mutant("the whole state stays", restate(complement, then=eq(updated, X))),
        Mutant("what is read is negated", restate(complement, then=eq(q.T @ updated, -(q.T @ X)))),
    ),
)


# ---------------------------------------------------------------- delta.identity

identity = CLAIMS["delta.identity"]
closed = identity.given[0]
IDENTITY = Entry(
    identity,
    kinds_but(),
    derivation=chain(
        updated,
        step(X + beta * (k @ (v.T - k.T @ X)), "the rank-one form"),
        step(X, "β = 0", closed),
    ),
    operators=UPDATE,
    mutants=(
        Mutant("any gate", without(identity, closed)),
        Mutant("the gate 1", restate(identity, given=[eq(beta, 1)])),
        Mutant("the gate 2", restate(identity, given=[eq(beta, 2)])),
        Mutant("the state is doubled", restate(identity, then=eq(updated, 2 * X))),
    ),
)


# ---------------------------------------------------------------- delta.erasure_printed

erasure = CLAIMS["delta.erasure_printed"]
ERASURE_PRINTED = Entry(
    erasure,
    REFUTING,
    repaired_by="delta.projection",
    mutants=(
        Mutant("kkᵀX is taken off X", restate(
            erasure, then=eq(k.T @ (X_square - k @ k.T @ X_square), zeros(1, d))),
        ),
        Mutant("X = I", restate(erasure, given=[unit, eq(X_square, eye(d))])),
        Mutant("the component along k is that of X less k", restate(
            erasure, then=eq(k.T @ (X_square - k @ k.T), k.T @ X_square - k.T)),
        ),
        Mutant("X = kkᵀ", restate(erasure, given=[unit, eq(X_square, k @ k.T)])),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.overwrite

overwrite = CLAIMS["delta.overwrite"]
open_gate = eq(beta, 1)
read_out = step(
    (1 - beta) * (k.T @ X) + beta * v.T, "multiply out: the direction has length 1", unit
)
OVERWRITE = Entry(
    overwrite,
    kinds_but(),
    derivation=chain(k.T @ updated, read_out, step(v.T, "β = 1", open_gate)),
    operators=UPDATE,
    mutants=(
        Mutant("k of any length", without(overwrite, unit)),
        Mutant("any gate", without(overwrite, open_gate)),
        Mutant("the gate 2", restate(overwrite, given=[unit, eq(beta, 2)])),
        Mutant("read along X's first write", restate(overwrite, then=eq(k.T @ updated, k.T @ X))),
        Mutant("the value is negated", restate(overwrite, then=eq(k.T @ updated, -v.T))),
    ),
)


# ---------------------------------------------------------------- delta.reflect_and_write

reflect = CLAIMS["delta.reflect_and_write"]
gate_two = eq(beta, 2)
REFLECT_AND_WRITE = Entry(
    reflect,
    kinds_but(),
    derivation=chain(k.T @ updated, read_out, step(2 * v.T - k.T @ X, "β = 2", gate_two)),
    operators=UPDATE,
    mutants=(
        Mutant("k of any length", without(reflect, unit)),
        Mutant("any gate", without(reflect, gate_two)),
        Mutant("the gate 1", restate(reflect, given=[unit, open_gate])),
        Mutant("the value is written once", restate(
            reflect, then=eq(k.T @ updated, v.T - k.T @ X))),
        Mutant("the read-out is kept", restate(
            reflect, then=eq(k.T @ updated, 2 * v.T + k.T @ X))),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.worked_example

example = CLAIMS["delta.worked_example"]
projected, reflected = example.then.propositions


def _example(state, after_one, after_two):
    """The statement for other numbers."""
    return restate(
        example,
        then=both(
            eq(named("A_1", A_(1, k_example)) @ state, constant(after_one)),
            eq(named("A_2", A_(2, k_example)) @ state, constant(after_two)),
        ),
    )


WORKED_EXAMPLE = Entry(
    example,
    (Kind.KERNEL, Kind.DERIVATION, Kind.LADDER, Kind.PROPERTY),
    derivation=Parts(
        tuple(
            chain(
                part.expressions[0],
                step(X_example - g * (k_example @ (k_example.T @ X_example)), "multiply out"),
                step(X_example - g * (k_example @ constant([[2]])), "kᵀX = 2"),
                step(part.expressions[1], "entry by entry"),
            )
            for g, part in ((1, projected), (2, reflected))
        )
    ),
    lemma="delta:worked_example",
    mutants=(
        Mutant("the gates exchanged", _example(X_example, [[-2], [3]], [[0], [3]])),
        Mutant("the gate 2 gives twice the gate 1", _example(X_example, [[0], [3]], [[0], [6]])),
        Mutant("reflected along (0, 1)", _example(X_example, [[0], [3]], [[2], [-3]])),
        Mutant("(3, 2) in place of (2, 3)", _example(
            named("X", constant([[3], [2]])), [[0], [3]], [[-2], [3]])),
    ),
)  # fmt: skip


# ---------------------------------------------------------------- delta.error_contraction

contraction = CLAIMS["delta.error_contraction"]
error, error_after = k.T @ X - v.T, k.T @ updated - v.T
ERROR_CONTRACTION = Entry(
    contraction,
    kinds_but(),
    derivation=chain(
        error_after,
        step((1 - beta) * (k.T @ X) + beta * v.T - v.T, "multiply out, with kᵀk = 1", unit),
        step((1 - beta) * error, "collect"),
    ),
    operators=UPDATE,
    mutants=(
        Mutant("k of any length", without(contraction, unit)),
        Mutant("by β", restate(contraction, then=eq(error_after, beta * error))),
        Mutant("by 1 + β", restate(contraction, then=eq(error_after, (1 + beta) * error))),
        Mutant("by β − 1", restate(contraction, then=eq(error_after, (beta - 1) * error))),
        Mutant("by 1 − 2β", restate(contraction, then=eq(error_after, (1 - 2 * beta) * error))),
    ),
)


# ---------------------------------------------------------------- delta.delta_rule

delta_rule = CLAIMS["delta.delta_rule"]
written_before = named("Z'", updated.T)


def _recurrence(right):
    """The statement with another right side."""
    return restate(delta_rule, then=eq(written_before, right))


DELTA_RULE = Entry(
    delta_rule,
    kinds_but(),
    derivation=chain(
        written_before,
        step(X.T @ A.T + beta * (v @ k.T), "transposition reverses a product"),
        step(Z @ (eye(d) - beta * (k @ k.T)) + beta * (v @ k.T), "A is symmetric"),
    ),
    operators=UPDATE,
    mutants=(
        Mutant("the value is taken off", _recurrence(Z @ A - beta * (v @ k.T))),
        Mutant("the gate on the value is left out", _recurrence(Z @ A + v @ k.T)),
        Mutant("no decay along k", _recurrence(Z + beta * (v @ k.T))),
        Mutant("twice the decay", _recurrence(Z @ A_(2 * beta, k) + beta * (v @ k.T))),
        Mutant("A is transposed", _recurrence(Z @ A.T + beta * (v @ k.T)), stays_true=True),
    ),
)


# ---------------------------------------------------------------- delta.overwrite_persists_reading

persists = CLAIMS["delta.overwrite_persists_reading"]
overlap = entry(k.T @ q)
OVERWRITE_PERSISTS_READING = Entry(
    persists,
    REFUTING,
    repaired_by="delta.preserves_complement",
    mutants=(
        Mutant("q orthogonal to k", restate(
            persists, given=[unit, unit_q, eq(k.T @ q, zeros(1, 1))])),
        Mutant("read before the second write", restate(
            persists, then=eq(k.T @ first_write, v.T))),
        Mutant("the second write is closed", restate(
            persists, then=eq(k.T @ update_(first_write, q, w, 0), v.T))),
        Mutant("less what overlaps", restate(
            persists, then=eq(
                k.T @ second_write, v.T + overlap * (w.T - q.T @ first_write)))),
    ),
)  # fmt: skip

ENTRIES = (
    RANK_ONE_FORM_NORMALISED,
    RANK_ONE_FORM_READING,
    UPDATE_RANK,
    PRESERVES_COMPLEMENT,
    IDENTITY,
    ERASURE_PRINTED,
    OVERWRITE,
    REFLECT_AND_WRITE,
    WORKED_EXAMPLE,
    ERROR_CONTRACTION,
    DELTA_RULE,
    OVERWRITE_PERSISTS_READING,
)
