"""The family rounding, the direction: what k/max(‖k‖, ε) is for a short k.

ENTRIES == rounding.normalised_zero_is_not_unit
"""

from ...symbolic import rounding as statements
from ...symbolic.claims import Claim, restate
from ...symbolic.derivations import (
    Assume,
    AtMost,
    Cases,
    Derivation,
    Known,
    Line,
    Linear,
    Parts,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import det, entry, eye, greatest, norm, zeros
from ...symbolic.propositions import Proposition, both, either, eq, implies, le, lt
from ...symbolic.rounding import H, eps, n, raw, short
from ...symbolic.rules import instance
from .entry import Entry, Mutant

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
not_unit = CLAIMS["rounding.normalised_zero_is_not_unit"]
length, divisor = norm(raw), greatest(norm(raw), eps)
value = 1 - 2 * length**2 / eps**2
which = either(both(le(eps, length), eq(divisor, length)), both(le(length, eps), eq(divisor, eps)))

by_epsilon: tuple[Line, ...] = (
    cited(which, "greatest", length, eps),
    (
        eq(divisor, eps),
        Cases(which, (Linear((le(eps, length), lt(length, eps))), Known())),
    ),
)
column = 2 / eps**2 * raw
determinant: Derivation = chain(
    det(H),
    step(det(eye(n) - column @ raw.T), "k is divided by ε", eq(divisor, eps)),
    step(
        det(eye(1) - raw.T @ column),
        "an n×n determinant becomes a 1×1 determinant",
        instance("sylvester", column, raw.T),
    ),
    step(
        entry(eye(1) - raw.T @ column),
        "a 1×1 determinant is its entry",
        instance("determinant_one_by_one", eye(1) - raw.T @ column),
    ),
    step(1 - 2 * entry(raw.T @ raw) / eps**2, "multiply out"),
    step(value, "‖k‖² = kᵀk", instance("norm_squared", raw)),
)
above = AtMost(
    chain(
        det(H) - (-1),
        step(value - (-1), "the determinant", eq(det(H), value)),
        step(2 * ((eps - length) * (eps + length)) / eps**2, "a difference of squares"),
    )
)


def _not_unit(position: int, part: Proposition) -> Claim:
    """The statement with another part at a position."""
    parts = list(not_unit.then.propositions)
    parts[position] = part
    return restate(not_unit, then=both(*parts))


NORMALISED_ZERO_IS_NOT_UNIT = Entry(
    not_unit,
    (Kind.KERNEL, Kind.DERIVATION, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    derivation=Parts(
        (
            chain(H, step(eye(n), "k = 0", eq(raw, zeros(n, 1)))),
            Assume(lines(*by_epsilon, last=determinant)),
            Assume(lines(*by_epsilon, (eq(det(H), value), determinant), last=above)),
        )
    ),
    lemma="rounding:normalised_zero_is_not_unit",
    mutants=(
        Mutant("k = 0 is reflected", _not_unit(0, implies(eq(raw, zeros(n, 1)), eq(H, -eye(n))))),
        Mutant("a short k is reflected", _not_unit(1, implies(short, eq(det(H), -1)))),
        Mutant(
            "the factor 2 is left out",
            _not_unit(1, implies(short, eq(det(H), 1 - length**2 / eps**2))),
        ),
        Mutant("not squared", _not_unit(1, implies(short, eq(det(H), 1 - 2 * length / eps)))),
        Mutant(
            "of every k",
            _not_unit(1, implies(lt(0, length), eq(det(H), value))),
        ),
        Mutant("above 0", _not_unit(2, implies(short, lt(0, det(H))))),
    ),
)

ENTRIES = (NORMALISED_ZERO_IS_NOT_UNIT,)
