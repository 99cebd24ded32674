"""The family rounding, the Cayley rotations: what goes wrong in binary32.

ENTRIES == in the order of the ledger
"""

from ...symbolic import rounding as statements
from ...symbolic.claims import Claim, restate
from ...symbolic.evidence import Kind
from ...symbolic.expressions import Expression, absolute, eliminated, eye, inv, matrix, zeros
from ...symbolic.formats import BINARY32
from ...symbolic.propositions import eq, every_entry, le, lt
from ...symbolic.rounding import (
    W,
    closed_form,
    fl,
    g,
    generator,
    hundredth,
    large,
    n,
    numbers_of_format,
    orthogonal_to_two_digits,
    rotation_defect,
    turn,
    u_1,
    u_2,
    w_1,
    w_2,
)
from .entry import Entry, Mutant

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}


# ---------------------------------------------------------------- …cayley_naive_omega_reading

naive = CLAIMS["rounding.cayley_naive_omega_reading"]


def with_area(omega_squared: Expression) -> Claim:
    """The statement with ω² computed in another way."""
    form = closed_form(omega_squared)
    return restate(
        naive,
        given=[*numbers_of_format, lt(0, form[0])],
        then=le(absolute(rotation_defect(form)), hundredth),
    )


NAIVE_OMEGA_READING = Entry(
    naive,
    (Kind.COUNTEREXAMPLE,),
    mutants=(
        Mutant("ω² from the computed generator: ½‖W‖²", with_area(fl(turn * turn))),
        Mutant("v = u", restate(naive, given=[*naive.given, eq(w_1, 0), eq(w_2, 0)])),
        Mutant("the gate is 0", restate(naive, given=[*naive.given, eq(g, 0)])),
        Mutant("u = 0", restate(naive, given=[*naive.given, eq(u_1, 0), eq(u_2, 0)])),
    ),
    repaired_by="rounding.cayley_frobenius_omega",
)


# ---------------------------------------------------------------- rounding.cayley_solve_reading

solve = CLAIMS["rounding.cayley_solve_reading"]
exact = inv(eye(n) + generator) @ (eye(n) - generator)


def at_size(rows: int) -> Claim:
    """The statement at one size."""
    whole, angle = eye(rows), matrix("W", rows, rows)
    turned = large * angle
    found = eliminated(whole + turned, whole - turned, BINARY32)
    return restate(
        solve,
        given=[eq(angle.T, -angle), every_entry(turned, lambda entry: eq(fl(entry), entry))],
        then=orthogonal_to_two_digits(found),
    )


SOLVE_READING = Entry(
    solve,
    (Kind.COUNTEREXAMPLE,),
    mutants=(
        Mutant("not rounded", restate(solve, then=orthogonal_to_two_digits(exact))),
        Mutant("no rotation", restate(solve, given=[*solve.given, eq(W, zeros(n, n))])),
        Mutant("n = 1", at_size(1)),
        Mutant("n = 2", at_size(2)),
    ),
    repaired_by="rounding.cayley_plane_basis",
)  # fmt: skip

ENTRIES = (NAIVE_OMEGA_READING, SOLVE_READING)
