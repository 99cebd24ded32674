"""Rounding-error bounds of Sinkhorn and Knopp's iteration.

stopping_residual == the largest row defect that rounding alone explains
column_sum_bound  == how far the columns of the result sum from 1
row_sum_bound     == how far its rows do, where the iteration stopped at a residual

Inputs are the exact ones. Notation and model: `numeric.rounding`.

With K the matrix of exponentials, u and v the computed scalings, and P = diag(u) K diag(v):

1. *A half round.* s_j = Σ_i u_i K_ij is summed in any order, off by at most n·r relatively, since
   all terms are ≥ 0; v_j = 1/s_j meets one rounding more. So the exact sum Σ_i u_i K_ij v_j is
   (1 + δ)/(1 + θ), abs(δ) ≤ r, abs(θ) ≤ n·r.
2. *The entries* u_i K_ij v_j are two products: (1 + r)² more. The exact sum of the computed entries
   of a column is within c = (1+r)³/(1 − n·r) − 1 of 1.
3. *The residual.* The next half round finds s_i = Σ_j K_ij v_j, off by n·r, and u_i s_i − 1, two
   roundings. If that is at most τ, then Σ_j u_i K_ij v_j is within
   (1 + τ/(1−r))/((1 − n·r)(1 − r)) − 1 of 1, and the entries are two products away.
4. *Where it must stop.* At a fixed point of the exact iteration u, v and the residual each carry an
   error of step 1, relatively at most (n + 1)·r/(1 − n·r): the computed residual is at most
   4(n + 2)·r as long as n·r ≤ 1/64, and the iteration never has to go below it. Newton steps, which
   follow the first rounds, change u alone and end in a half round of step 1 as well: nothing above
   asks how u was found.

Half formats are iterated in binary32 and rounded once: r of the format, and υ per entry, more.
"""

from fractions import Fraction

from .formats import BINARY32, Format
from .rounding import dot_growth, up

_LARGEST_SHARE = Fraction(1, 64)


def stopping_residual(n: int, fmt: Format) -> float:
    """Return the residual at which `torch_impl.birkhoff.sinkhorn` stops: 4(n + 2)·r.

    Parameters
    ----------
    n
        Rows and columns, at least 1.
    fmt
        The format of input and output; r is that of the format it is iterated in.

    Raises
    ------
    ValueError
        If n·r exceeds 1/64: no residual is derived there.
    """
    r = working_format(fmt).unit_roundoff
    _check_size(n, r)
    return up(4 * (n + 2) * r)


def column_sum_bound(n: int, fmt: Format) -> float:
    """Bound abs(1 − Σ_i P_ij) of the result of `torch_impl.birkhoff.sinkhorn`, for each column.

    Parameters
    ----------
    n
        Rows and columns, at least 1.
    fmt
        The format of input and output.

    Returns
    -------
    float, rounded up: (1+r)³/(1 − n·r) − 1, and for half formats one rounding of the entries more,
    whatever the logits and the number of rounds.

    Notes
    -----
    Claim birkhoff.column_step_exact. Steps 1 and 2 of the module's derivation.
    """
    working = working_format(fmt)
    r = working.unit_roundoff
    _check_size(n, r)
    return up(_with_entries((1 + r) / (1 - dot_growth(n, r)), n, fmt))


def row_sum_bound(n: int, fmt: Format, residual: float) -> float:
    """Bound abs(1 − Σ_j P_ij) for each row, where the computed residual was at most `residual`.

    Parameters
    ----------
    n
        Rows and columns, at least 1.
    fmt
        The format of input and output.
    residual
        The tolerance that the iteration stopped at.

    Returns
    -------
    float, rounded up.

    Notes
    -----
    Steps 2 and 3 of the module's derivation.
    """
    r = working_format(fmt).unit_roundoff
    _check_size(n, r)
    reached = (1 + Fraction(residual) / (1 - r)) / ((1 - dot_growth(n, r)) * (1 - r))
    return up(_with_entries(reached, n, fmt))


def working_format(fmt: Format) -> Format:
    """Return the format that a result in `fmt` is iterated in."""
    return BINARY32 if fmt.precision < BINARY32.precision else fmt


def _with_entries(reached: Fraction, n: int, fmt: Format) -> Fraction:
    """What the sums of computed entries are off by, for exact sums at most `reached`."""
    working = working_format(fmt)
    growth = reached * (1 + working.unit_roundoff) ** 2
    lost = n * (2 * working.underflow_unit)
    if working is not fmt:
        growth *= 1 + fmt.unit_roundoff
        lost += n * fmt.underflow_unit
    return growth - 1 + lost


def _check_size(n: int, r: Fraction) -> None:
    if dot_growth(n, r) > _LARGEST_SHARE:
        raise ValueError(f"no bound is derived for n·r = {float(n * r):.3g} > 1/64 (n = {n})")
