"""The family rounding, products of matrices: each entry summed in any order.

ENTRIES == rounding.product_in_any_order

An entry is an inner product (rounding_sums.py). What is proved here is the rule that the rotations
cite, so that their derivations do not repeat it for each product.
"""

from ...symbolic import rounding as statements
from ...symbolic.claims import restate
from ...symbolic.derivations import Derivation, Each, Linear, Obtain, chain, lines, step
from ...symbolic.evidence import Kind
from ...symbolic.expressions import Expression, absolute, element, size
from ...symbolic.frobenius import entries_within_product
from ...symbolic.propositions import Exists, ForRange, Proposition, eq, le
from ...symbolic.rounding import factor_left, factor_right, inner, multiplied, r
from ...symbolic.summation import RoundedSum, entry_of_product, rounded_product
from .entry import Entry, Mutant
from .iterative import of_index
from .mutation import without
from .rounding_sums import error_of, result_of

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
product = CLAIMS["rounding.product_in_any_order"]
A, B, C = factor_left, factor_right, multiplied
error = C - A @ B
model = rounded_product(C, A, B, r)


def _obtained(fact: Proposition, last: Derivation) -> Derivation:
    """The sequences that exist, one inside the other, then `last`."""
    if isinstance(fact, Exists):
        return Obtain(fact, _obtained(fact.body, last))
    return last


def _entry(of: RoundedSum, i: Expression, j: Expression) -> Derivation:
    """|C_ij − (A B)_ij| ≤ n r Σ_h |A_ih| |B_hj|, from a sum that C_ij is the result of."""
    off, of_sum = element(error, i, j), of.result - of.exact
    same = eq(absolute(of_sum), absolute(off))
    result = eq(element(C, i, j), of.result)
    spelled = chain(
        absolute(of_sum),
        step(absolute(element(C, i, j) - of.exact), "the result", result),
        step(absolute(off), "entry by entry"),
    )
    return lines(
        *result_of(of),
        (same, spelled),
        last=Linear((same, le(absolute(of_sum), error_of(of)))),
    )


every = model.body
assert isinstance(every, ForRange)
assert isinstance(every.body, ForRange)
i, j = every.index, every.body.index

PRODUCT_IN_ANY_ORDER = Entry(
    product,
    (Kind.DERIVATION,),
    derivation=Each(
        Each(
            lines(
                *of_index(every, i),
                *of_index(every.body, j),
                last=_obtained(every.body.body, _entry(entry_of_product(A, B, i, j, r), i, j)),
            )
        )
    ),
    witness={
        "sizes": {"l": 1, "n": 2, "m": 1},
        "values": {"r": "1/8", "A": [["1", "2"]], "B": [["1"], ["1"]], "C": [["3"]]},
    },
    mutants=(
        Mutant("half the bound", restate(product, then=entries_within_product(
            error, size(inner) * r / 2, A, B))),
        Mutant("r alone, whatever the inner size", restate(product, then=entries_within_product(
            error, r, A, B))),
        Mutant("the sum is exact", restate(product, then=eq(C, A @ B))),
        Mutant("no sum was computed", without(product, model)),
        Mutant("rounded twice as coarsely", restate(
            product, given=[product.given[0], rounded_product(C, A, B, 2 * r)])),
    ),
)  # fmt: skip

ENTRIES = (PRODUCT_IN_ANY_ORDER,)
