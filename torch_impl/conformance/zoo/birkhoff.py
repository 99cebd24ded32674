"""Operators for doubly_stochastic."""

from __future__ import annotations

import torch
from torch import Tensor

from .entry import CALLS, Family, Parameter
from .spelled import in_float32

family = Family()
wrong, right = family.wrong, family.right

COLUMNS, ROWS, POSITIVE = (
    "birkhoff.column_step_exact", "birkhoff.preserves_mean", "birkhoff.spectral_norm_one",
)  # fmt: skip
ROUNDS = 60
"""More than any logits of the contract's domain need."""


def _balanced(P: Tensor, rounds: int = ROUNDS, eps: float = 0.0) -> Tensor:
    for _ in range(rounds):
        P = P / (P.sum(-1, keepdim=True) + eps)
        P = P / (P.sum(-2, keepdim=True) + eps)
    return P


@wrong(
    "doubly_stochastic",
    fails=("definition", COLUMNS, ROWS),
    passes=(*CALLS, POSITIVE),
    diagnosis="agrees with ε ≈ {parameter} in each denominator",
    parameter=Parameter("ε", 1e-6, 0.5, "log"),
)
@in_float32
def epsilon_in_each_denominator(logits: Tensor, *, parameter: float = 0.02) -> Tensor:
    """An ε is added to each sum that is divided by: all sums are less than 1."""
    return _balanced(logits.exp(), eps=parameter)


@wrong(
    "doubly_stochastic",
    fails=("definition",),
    passes=(*CALLS, COLUMNS, ROWS, POSITIVE),
    diagnosis="agrees with the transpose",
)
@in_float32
def transposed(logits: Tensor) -> Tensor:
    """The result is transposed: invisible for every 2×2 matrix, and for symmetric ones."""
    return _balanced(logits.exp()).mT


@wrong(
    "doubly_stochastic",
    fails=("definition", COLUMNS),
    passes=(*CALLS, ROWS, POSITIVE),
    diagnosis="agrees with the rows alone normalised",
)
@in_float32
def rows_alone(logits: Tensor) -> Tensor:
    """The rows alone are normalised: a softmax."""
    return torch.softmax(logits, -1)


@wrong(
    "doubly_stochastic",
    fails=("definition", ROWS),
    passes=(*CALLS, COLUMNS, POSITIVE),
    diagnosis="agrees with the columns alone normalised",
)
@in_float32
def columns_alone(logits: Tensor) -> Tensor:
    """The columns alone are normalised."""
    return torch.softmax(logits, -2)


@wrong(
    "doubly_stochastic",
    fails=("definition", COLUMNS, ROWS),
    passes=(*CALLS, POSITIVE),
    diagnosis="agrees with the mean of the softmax of rows and of columns",
)
@in_float32
def mean_of_two(logits: Tensor) -> Tensor:
    """It is the mean of the softmax of rows and that of columns."""
    return (torch.softmax(logits, -1) + torch.softmax(logits, -2)) / 2


@wrong(
    "doubly_stochastic",
    fails=("definition", ROWS),
    passes=(*CALLS, COLUMNS, POSITIVE),
    diagnosis="agrees with {parameter} rounds",
    parameter=Parameter("rounds", 1, 8, "integer"),
    domain={"logits": 4.0},
    dtypes=("float64", "float32"),
)
@in_float32
def rounds_missing(logits: Tensor, *, parameter: int = 2) -> Tensor:
    """The iteration stops after two rounds."""
    return _balanced(logits.exp(), int(parameter))


@wrong(
    "doubly_stochastic",
    fails=("definition",),
    passes=(*CALLS, COLUMNS, ROWS, POSITIVE),
    diagnosis="agrees with the logits times {parameter}",
    parameter=Parameter("factor", -4.0, 4.0, "linear"),
)
@in_float32
def logits_scaled(logits: Tensor, *, parameter: float = -1.0) -> Tensor:
    """The logits have the wrong sign."""
    return _balanced((parameter * logits).exp())


@wrong(
    "doubly_stochastic",
    fails=("definition",),
    passes=(*CALLS, COLUMNS, ROWS, POSITIVE),
    diagnosis="agrees with the logits made symmetric first",
)
@in_float32
def logits_made_symmetric(logits: Tensor) -> Tensor:
    """The logits are made symmetric first."""
    return _balanced(((logits + logits.mT) / 2).exp())


@wrong(
    "doubly_stochastic",
    fails=("definition",),
    passes=(*CALLS, COLUMNS, ROWS, POSITIVE),
    diagnosis="agrees with a mixture with the uniform matrix, share {parameter}",
    parameter=Parameter("share", 0.001, 1.0, "log"),
)
@in_float32
def mixed_with_uniform(logits: Tensor, *, parameter: float = 0.07) -> Tensor:
    """The uniform matrix is mixed in."""
    P = _balanced(logits.exp())
    return (1 - parameter) * P + parameter / logits.shape[-1]


@wrong(
    "doubly_stochastic",
    fails=("definition", POSITIVE),
    passes=(*CALLS, COLUMNS, ROWS),
    diagnosis="agrees with a projection on the sums, entries of either sign",
)
@in_float32
def sums_projected(logits: Tensor) -> Tensor:
    """The matrix is projected on the right sums, not scaled to them."""
    M = logits.exp()
    n = M.shape[-1]
    rows, columns = M.sum(-1, keepdim=True) / n, M.sum(-2, keepdim=True) / n
    return M - rows - columns + (M.sum((-2, -1), keepdim=True) / n + 1) / n


@wrong(
    "doubly_stochastic",
    fails=("finite",),
    passes=("returns", "shape", "inputs_unchanged", POSITIVE),
    dtypes=("float16",),
    domain={"logits": 12.0},
    values={"rounds": 3},
)
def no_shift(logits: Tensor) -> Tensor:
    """Exponentials of logits that are not shifted first overflow."""
    return _balanced(logits.exp(), 3)


@wrong(
    "doubly_stochastic",
    fails=("definition",),
    passes=(*CALLS, POSITIVE, COLUMNS),
    values={"rounds": 1},
    diagnosis="agrees with columns before rows, and a column step at the end",
)
@in_float32
def columns_first(logits: Tensor) -> Tensor:
    """One round too many: the columns before the rows, and after them."""
    return _balanced(torch.softmax(logits, -2), 1)


@wrong(
    "doubly_stochastic",
    fails=("batch_independence", "two_batch_axes"),
    passes=("definition", "determinism", COLUMNS, ROWS, POSITIVE),
)
@in_float32
def sums_of_the_batch(logits: Tensor) -> Tensor:
    """The logits are those of the batch, averaged."""
    shared = logits.flatten(0, -3).mean(0) if logits.ndim > 2 and logits.numel() else logits
    return _balanced((shared + 0 * logits).exp())


@wrong("doubly_stochastic", fails=("gradient",), passes=("returns", "finite", "definition"))
def assigned_without_gradient(logits: Tensor) -> Tensor:
    """The iteration is run without a gradient."""
    with torch.no_grad():
        return log_domain(logits)


# ---------------------------------------------------------------- spelled otherwise


@right("doubly_stochastic")
@in_float32
def log_domain(logits: Tensor) -> Tensor:
    """Logarithms are shifted, and no sum is divided by."""
    for _ in range(ROUNDS):
        logits = logits - logits.logsumexp(-1, keepdim=True)
        logits = logits - logits.logsumexp(-2, keepdim=True)
    return logits.exp()


@right("doubly_stochastic")
@in_float32
def matrix_scaled(logits: Tensor) -> Tensor:
    """The matrix itself is divided by its sums, in turns."""
    return _balanced((logits - logits.amax((-2, -1), keepdim=True)).exp())


@right("doubly_stochastic", values={"rounds": 2})
@in_float32
def two_rounds(logits: Tensor) -> Tensor:
    """Two rounds, by a softmax of rows, then of columns, of logarithms."""
    for _ in range(2):
        logits = torch.log_softmax(torch.log_softmax(logits, -1), -2)
    return logits.exp()


WRONG, RIGHT = tuple(family.wrongs), tuple(family.rights)
