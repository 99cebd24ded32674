"""Statements on residual units x_(i+1) = λ_i x_i + F_i between the layers l and L.

CLAIMS == in the order of the ledger
"""

from .claims import Claim, Source
from .expressions import dims, index, product, sequence, total
from .propositions import eq, forall, le

n = dims("n")
l, L, i, j = index("l L i j")
lam = sequence("lam")
x, F = sequence("x", n), sequence("F", n)

scaled_units = forall(i, eq(x[i + 1], lam[i] * x[i] + F[i]), over=(l, L - 1))

CLAIMS = (
    Claim(
        "residual.scaled_unrolled_printed",
        title="Unrolled scaled shortcuts, with the product over all earlier layers",
        source=Source("RES", "explainer", literal=True),
        given=[le(1, l), le(l, L), scaled_units],
        then=eq(
            x[L],
            product(i, 1, L - 1, lam[i]) * x[l]
            + total(i, l, L - 1, product(j, 1, L - 1, lam[j]) * F[i]),
        ),
        expected="refuted",
    ),
)
