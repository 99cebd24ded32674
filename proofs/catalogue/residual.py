"""The family residual: kinds and repairs of each statement.

ENTRIES == in the order of the ledger
"""

from ...symbolic import residual as statements
from ...symbolic.claims import restate
from ...symbolic.evidence import Kind
from ...symbolic.expressions import product, total, zeros
from ...symbolic.propositions import eq, forall, le
from ...symbolic.residual import F, L, i, j, l, lam, n, x
from .entry import Entry, Mutant

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}

scaled_printed = CLAIMS["residual.scaled_unrolled_printed"]
from_the_start = le(l, 1)
SCALED_UNROLLED_PRINTED = Entry(
    scaled_printed,
    (Kind.COUNTEREXAMPLE, Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY),
    repaired_by="residual.scaled_unrolled",
    mutants=(
        Mutant(
            "products over the layers that follow",
            restate(
                scaled_printed,
                then=eq(
                    x[L],
                    product(i, l, L - 1, lam[i]) * x[l]
                    + total(i, l, L - 1, product(j, i + 1, L - 1, lam[j]) * F[i]),
                ),
            ),
        ),
        Mutant(
            "every factor is 1",
            restate(
                scaled_printed,
                given=[*scaled_printed.given, forall(i, eq(lam[i], 1), over=(1, L - 1))],
            ),
        ),
        Mutant(
            "from the first layer, without residuals",
            restate(
                scaled_printed,
                given=[
                    *scaled_printed.given,
                    from_the_start,
                    forall(i, eq(F[i], zeros(n, 1)), over=(1, L - 1)),
                ],
            ),
        ),
        Mutant(
            "no layer at all",
            restate(scaled_printed, given=[*scaled_printed.given, from_the_start, le(L, l)]),
        ),
    ),
)

ENTRIES = (SCALED_UNROLLED_PRINTED,)
