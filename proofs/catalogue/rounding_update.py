"""The family rounding, the delta update: the error of an entry, read-out first.

ENTRIES == rounding.delta_update

The difference of the computed and the exact entry is split into terms, each a product of factors
that are bounded: magnitudes, products of 1 + δ less 1, the error of a sum in any order.
"""

from ...symbolic import rounding as statements
from ...symbolic.claims import restate
from ...symbolic.derivations import (
    Evaluated,
    Linear,
    lines,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import absolute, as_expression, entry
from ...symbolic.propositions import le
from ...symbolic.rounding import (
    beta,
    deltas,
    exactly,
    k,
    k_i,
    r,
    read_magnitudes,
    read_out,
    update_bound,
    updated,
    v,
    x,
    x_i,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant
from .mutation import without
from .rounding_sums import (
    MINUS_ONE,
    ONE_ITSELF,
    error_of,
    growth,
    negated,
    product_within,
    result_of,
    sum_within,
    within_itself,
)

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
d = read_out.count


# ---------------------------------------------------------------- rounding.delta_update

update = CLAIMS["rounding.delta_update"]
read = entry(k.T @ x)
off = read_out.result - read  # the error of the read-out
reads = error_of(read_out)  # and its bound
grown, through = growth(deltas[:4], r)
most = (1 + r) ** 4
written = beta * k_i
terms = (
    x_i * deltas[3],
    written * v * (through - 1),
    -written * (read * (through - 1)),
    -written * (off * through),
)
difference = updated - exactly
apart = terms[0] + terms[1] + terms[2] + terms[3]
sizes = absolute(terms[0]) + absolute(terms[1]) + absolute(terms[2]) + absolute(terms[3])

through_within = le(absolute(through), most)
growing = le(absolute(through - 1), most - 1)
DELTA_UPDATE = Entry(
    update,
    (Kind.DERIVATION,),
    derivation=lines(
        *result_of(read_out),
        grown,
        (ONE_ITSELF, Evaluated()),
        (MINUS_ONE, Evaluated()),
        (
            through_within,
            Linear(
                (
                    instance("absolute_triangle", through - 1, as_expression(1)),
                    ONE_ITSELF,
                    growing,
                )
            ),
        ),
        *(within_itself(part) for part in (x_i, written, written * v)),
        product_within(x_i, absolute(x_i), deltas[3], r),
        product_within(written * v, absolute(written * v), through - 1, most - 1),
        product_within(read, read_magnitudes, through - 1, most - 1),
        product_within(off, reads, through, most),
        *negated(written),
        product_within(
            -written,
            absolute(written),
            read * (through - 1),
            read_magnitudes * (most - 1),
        ),
        product_within(-written, absolute(written), off * through, reads * most),
        sum_within(*terms),
        last=Linear(
            (
                le(absolute(apart), sizes),
                le(absolute(terms[0]), absolute(x_i) * r),
                le(absolute(terms[1]), absolute(written * v) * (most - 1)),
                le(absolute(terms[2]), absolute(written) * (read_magnitudes * (most - 1))),
                le(absolute(terms[3]), absolute(written) * (reads * most)),
            )
        ),
    ),
    mutants=(
        Mutant("two roundings fewer", restate(update, then=le(
            absolute(difference), update_bound((1 + r) ** 2)))),
        Mutant("the read-out is exact", restate(update, then=le(
            absolute(difference),
            r * absolute(x_i)
            + (most - 1) * absolute(written * v)
            + (most - 1) * (absolute(written) * read_magnitudes)))),
        Mutant("X is not rounded", restate(update, then=le(
            absolute(difference), update_bound(most) - r * absolute(x_i)))),
        Mutant("an error beyond the roundoff", without(update, le(absolute(deltas[3]), r))),
        Mutant("the read-out in one order off by r alone", restate(update, then=le(
            absolute(difference),
            r * absolute(x_i)
            + (most - 1) * absolute(written * v)
            + (most * (1 + r) - 1) * (absolute(written) * read_magnitudes)))),
    ),
)  # fmt: skip


ENTRIES = (DELTA_UPDATE,)
