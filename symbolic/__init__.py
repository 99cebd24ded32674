"""The statement language: `from deltaproof.symbolic import Claim, matrix, eq, …`.

expressions.py   == trees of matrices and scalars, kept as written
propositions.py  == relations, connectives, quantifiers
claims.py        == Claim: hypotheses and a conclusion
printing.py      == LaTeX and plain text
evaluation.py    == values in any arithmetic; exact.py is the rational one
delta.py, residual.py, cayley.py, gate.py == the statements of each family
"""

from .claims import Claim, ClaimError, Source
from .expressions import (
    Dim,
    Expression,
    ShapeError,
    constant,
    derivative,
    det,
    dims,
    entry,
    eye,
    function,
    index,
    inv,
    least,
    matrix,
    named,
    norm,
    product,
    rank,
    scalar,
    sequence,
    total,
    tr,
    vector,
    zeros,
)
from .propositions import (
    Proposition,
    both,
    differentiable,
    either,
    eq,
    exists,
    forall,
    iff,
    implies,
    invertible,
    le,
    lt,
    ne,
)

__all__ = [
    "Claim", "ClaimError", "Dim", "Expression", "Proposition", "ShapeError", "Source",
    "both", "constant", "derivative", "det", "differentiable", "dims", "either", "entry", "eq",
    "exists", "eye", "forall", "function", "iff", "implies", "index", "inv", "invertible", "le",
    "least", "lt", "matrix", "named", "ne", "norm", "product", "rank", "scalar", "sequence",
    "total", "tr", "vector", "zeros",
]  # fmt: skip
