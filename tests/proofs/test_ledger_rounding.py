"""The family rounding of the ledger: verdicts, kinds pinned, mutants false, exact numbers."""

from __future__ import annotations

import random
from fractions import Fraction
from math import isqrt

import pytest
import torch
from deltaproof.proofs.catalogue import rounding
from deltaproof.symbolic import rounding as statements
from deltaproof.symbolic.derivations import check_derivation, counterexample
from deltaproof.symbolic.evaluation import Assignment, evaluate, holds
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import EXACT, exact_assignment, to_rational
from deltaproof.symbolic.expressions import Literal, eye
from deltaproof.symbolic.formats import BINARY32, BINARY64, next_above, next_below, round_to_format
from deltaproof.symbolic.reals import REALS
from deltaproof.symbolic.refutation import check_counterexample, search_counterexample
from deltaproof.torch_impl.cayley import cayley_rank_two
from deltaproof.torch_impl.gate import gate

from .ledger import by_id

K, D, CE = Kind.KERNEL, Kind.DERIVATION, Kind.COUNTEREXAMPLE
NUMBERS = {Kind.ENCLOSURE, Kind.LADDER, Kind.PROPERTY}
# id -> expected verdict and the kinds it must have, in the order of the ledger
ROWS = {
    "delta_update": ("proved", {D}),
    "delta_update_operator_first": ("proved", {D}),
    "product_in_any_order": ("proved", {D}),
    "cayley_plane_basis": ("proved", {D}),
    "cayley_frobenius_omega": ("proved", {D}),
    "cayley_naive_omega_reading": ("refuted", {CE}),
    "cayley_solve_reading": ("refuted", {CE}),
    "gate_saturates": ("proved", {D}),
    "normalised_zero_is_not_unit": ("proved", {K, D} | NUMBERS),
}
ENTRIES = {e.claim.id.removeprefix("rounding."): e for e in rounding.ENTRIES}
PROVED = [e for e in rounding.ENTRIES if e.claim.expected == "proved"]
REFUTED = [e for e in rounding.ENTRIES if e.claim.expected == "refuted"]


def test_the_rows_and_their_kinds():
    assert list(ENTRIES) == list(ROWS)
    for name, (expected, kinds) in ROWS.items():
        assert ENTRIES[name].claim.expected == expected, name
        assert set(ENTRIES[name].kinds) == kinds, name


@by_id(PROVED)
def test_mutants_are_false_and_their_derivations_do_not_close(row):
    assert len([m for m in row.mutants if not m.stays_true]) >= 4
    for mutant in row.mutants:
        if mutant.stays_true:
            assert counterexample(mutant.claim) is None, mutant.name
            continue
        evidence = check_derivation(mutant.claim, row.derivation)
        assert evidence.outcome is Outcome.CONTRADICTED, mutant.name


@by_id(REFUTED)
def test_a_refutation_does_not_hold_of_the_repairs(row):
    assert len(row.mutants) >= 4
    for mutant in row.mutants:
        assert counterexample(mutant.claim, tries=20) is None, mutant.name


@by_id(REFUTED)
def test_the_counterexample_is_found_by_search(row):
    """None is stored: the search finds the smallest, and the untouched statement is false there."""
    found = search_counterexample(row.claim)
    assert found is not None
    assert check_counterexample(row.claim, found).outcome is Outcome.CONFIRMED


# ---------------------------------------------------------------- the rotations in binary32


def test_the_solve_of_the_ledger_loses_a_digit():
    """u = (1, 2, 3, 4), v = (4, −1, 2, ½), β = 10⁶: the defect is more than 0.1 in norm."""
    u, v = (1, 2, 3, 4), (4, -1, 2, Fraction(1, 2))
    W = [[a * y - x * b for b, y in zip(u, v, strict=True)] for a, x in zip(u, v, strict=True)]
    claim = ENTRIES["cayley_solve_reading"].claim
    at = exact_assignment({"n": 4}, {"W": W})
    assert all(holds(given, at, EXACT) is True for given in claim.given)
    Q = statements.solved
    defect = evaluate(Q.T @ Q - eye(statements.n), at, EXACT)
    # the norm is at least the norm of each column
    columns = zip(*EXACT.rows(defect), strict=True)
    assert max(sum(x * x for x in column) for column in columns) > EXACT.number(Fraction(1, 100))
    assert holds(claim.then, at, EXACT) is False


def test_elimination_of_torch_in_float32_is_as_bad():
    """LAPACK's order of operations differs, the loss does not."""
    u, v = torch.tensor([1.0, 2, 3, 4]), torch.tensor([4.0, -1, 2, 0.5])
    S = 5e5 * (torch.outer(u, v) - torch.outer(v, u))
    identity = torch.eye(4)
    Q = torch.linalg.solve(identity + S, identity - S).double()
    assert torch.linalg.matrix_norm(Q.T @ Q - torch.eye(4, dtype=torch.float64), 2) > 0.1


def naive_defect(angle: Fraction) -> Fraction:
    """The largest defect of the naive form at half the turn, over some u at this angle to v."""
    worst = Fraction(0)
    for x in range(1, 25):
        u = (round_to_format(Fraction(x, 7), BINARY32), Fraction(1))
        v = tuple(
            round_to_format(part, BINARY32)
            for part in (u[0] + angle * u[1] * (1 + Fraction(x, 9)), u[1] - angle * u[0])
        )
        area = u[0] * v[1] - v[0] * u[1]
        values = {
            "u_1": u[0],
            "u_2": u[1],
            "w_1": (v[0] - u[0]) / statements.near,
            "w_2": (v[1] - u[1]) / statements.near,
            "g": round_to_format(1 / area, BINARY32) * statements.near,
        }
        at = exact_assignment({}, values)
        assert all(holds(g, at, EXACT) for g in statements.numbers_of_format)
        found = evaluate(statements.rotation_defect(statements.naive_form), at, EXACT)
        worst = max(worst, abs(to_rational(found)))
    return worst


def test_the_naive_area_loses_twice_the_digits_of_the_angle():
    """More than r over the squared angle: 6e-4 at an angle of 1e-2, 6e-2 at 1e-3, 1 at √r."""
    r = BINARY32.unit_roundoff
    for angle in (Fraction(1, 100), Fraction(1, 1000)):
        assert naive_defect(angle) > r / angle**2


# ---------------------------------------------------------------- the rotations that hold

REPAIRS = {
    "cayley_naive_omega_reading": "cayley_frobenius_omega",
    "cayley_solve_reading": "cayley_plane_basis",
}


def test_what_repairs_the_readings_of_the_rotations():
    found = {
        name: row.repaired_by.removeprefix("rounding.")
        for name, row in ENTRIES.items()
        if row.repaired_by is not None
    }
    assert found == REPAIRS


def plane_bound(n: int, roundoff: Fraction) -> Fraction:
    """The bound of rounding.cayley_plane_basis, as it is stated."""
    at = exact_assignment({"n": n}, {"r": roundoff})
    return to_rational(evaluate(statements.plane_basis.bound, at, EXACT))


def squared_defect(Q: torch.Tensor) -> Fraction:
    """‖QᵀQ − I‖² in the Frobenius norm, exactly, of a matrix of floating-point numbers."""
    columns = [[Fraction(x) for x in column] for column in Q.T.tolist()]
    return sum(
        (
            (sum(x * y for x, y in zip(a, b, strict=True)) - (i == j)) ** 2
            for i, a in enumerate(columns)
            for j, b in enumerate(columns)
        ),
        Fraction(0),
    )


def directions(n: int, generator: torch.Generator):
    """u, v at every angle, parallel and nearly parallel among them, and of lengths far apart."""
    for angle in (0.0, 1e-16, 1e-14, 1e-8, 1.0):
        u, across = torch.randn(2, n, generator=generator, dtype=torch.float64)
        yield u, u + angle * across
        yield 1e-150 * u, 1e100 * (u + angle * across)
    yield u, torch.zeros_like(u)


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_the_rotation_of_torch_is_orthogonal_at_every_angle_and_gate(n):
    """In binary64, where the operator computes; up to n = 8 it forms the matrix as it is stated."""
    generator = torch.Generator().manual_seed(n)
    r = BINARY64.unit_roundoff
    for u, v in directions(n, generator):
        for beta in (1e-12, -3.0, 1e6, 1e150):
            Q = cayley_rank_two(u, v, torch.tensor(beta, dtype=torch.float64))
            assert squared_defect(Q) <= plane_bound(n, r) ** 2


def in_a_basis(u, v, tau: Fraction, fmt, *, twice: bool = True, kept: bool = True):
    """The statement's spelling in a format, exactly rounded; None where the plane is flat.

    Returns the squared defect and whether the second direction was kept.
    """

    def fl(x):
        return round_to_format(x, fmt)

    def dot(x, y):
        total = Fraction(0)
        for a, b in zip(x, y, strict=True):
            total = fl(total + fl(a * b))
        return total

    def root(x):  # of a number of the format, to twice its digits before it is rounded
        scale = 1 << 200
        return fl(Fraction(isqrt(x.numerator * scale**2 // x.denominator), scale))

    def less(w, x, e):
        return [fl(a - fl(x * b)) for a, b in zip(w, e, strict=True)]

    n, r = len(u), fmt.unit_roundoff
    length = root(dot(u, u))
    e_1 = [fl(a / length) for a in u]
    x_1 = dot(e_1, v)
    w = less(v, x_1, e_1)
    if twice:
        w = less(w, dot(e_1, w), e_1)
    height = root(dot(w, w))
    if height == 0 or (kept and height <= fl((12 * n + 64) * r * abs(x_1))):
        return None
    reciprocal = fl(1 / height)
    e_2 = [fl(reciprocal * a) for a in w]
    sine = fl(2 / fl(tau + fl(1 / tau)))
    versine = fl(tau * sine)
    F = [fl(fl(versine * a) - fl(sine * b)) for a, b in zip(e_1, e_2, strict=True)]
    G = [fl(fl(sine * a) + fl(versine * b)) for a, b in zip(e_1, e_2, strict=True)]
    Q = [
        [fl(fl((i == j) - fl(F[i] * e_1[j])) - fl(G[i] * e_2[j])) for j in range(n)]
        for i in range(n)
    ]
    columns = list(zip(*Q, strict=True))
    return sum(
        (sum(x * y for x, y in zip(a, b, strict=True)) - (i == j)) ** 2
        for i, a in enumerate(columns)
        for j, b in enumerate(columns)
    )


def pairs_in(fmt, n: int, count: int):
    """Numbers of a format: u at random, v at random or a few units in the last place beside u."""
    rng = random.Random(n)
    for draw in range(count):
        u = [round_to_format(Fraction(rng.randint(-(2**20), 2**20), 2**18), fmt) for _ in range(n)]
        v = [round_to_format(Fraction(rng.randint(-(2**20), 2**20), 2**18), fmt) for _ in range(n)]
        if draw % 2:  # beside u, at an angle between 1 and the roundoff
            near = Fraction(1, 2 ** rng.randint(1, fmt.precision))
            v = [round_to_format(a + near * b, fmt) for a, b in zip(u, v, strict=True)]
        tau = Fraction(rng.choice((1, -1)) * rng.randint(1, 2**20), 2 ** rng.randint(0, 40))
        if any(u):
            yield u, v, round_to_format(tau, fmt)


@pytest.mark.parametrize("n", [2, 3, 6])
def test_the_plane_basis_in_exact_binary32(n):
    """Adversarial and random inputs: within the bound, and more than the roundoff."""
    r, worst, found = BINARY32.unit_roundoff, Fraction(0), 0
    for u, v, tau in pairs_in(BINARY32, n, 60):
        defect = in_a_basis(u, v, tau, BINARY32)
        if defect is None:
            continue
        found += 1
        assert defect <= plane_bound(n, r) ** 2
        worst = max(worst, defect)
    assert found > 20
    assert worst > r**2


def test_one_projection_is_not_enough():
    """Without the second, the bound fails for nearly parallel vectors; with it, it holds."""
    r = BINARY32.unit_roundoff
    once = [
        in_a_basis(u, v, tau, BINARY32, twice=False, kept=False)
        for u, v, tau in pairs_in(BINARY32, 3, 60)
    ]
    assert max(x for x in once if x is not None) > plane_bound(3, r) ** 2


def test_a_flat_plane_is_not_enough_either():
    """What rounding alone leaves is no direction across u: kept, it may point along u."""
    r = BINARY32.unit_roundoff
    kept = [
        in_a_basis(u, [3 * x for x in u], tau, BINARY32, kept=False)
        for u, _, tau in pairs_in(BINARY32, 2, 60)
    ]
    assert max((x for x in kept if x is not None), default=0) > plane_bound(2, r) ** 2


# ---------------------------------------------------------------- the gate

SATURATIONS = pytest.mark.parametrize(
    "each", statements.SATURATIONS, ids=lambda e: f"{e.format.name}, {e.gate.__name__}"
)


def gate_at(each: statements.Saturation, z: Fraction) -> Fraction:
    """The gate at a number, exactly."""
    value = evaluate(each.gate(Literal(z), each.format), Assignment({}, {}), REALS)
    return Fraction(int(value.p), int(value.q))


@SATURATIONS
def test_the_first_saturated_logit_is_found_by_bisection(each):
    """Not typed: bisecting the numbers of the format between 1 and 64 finds it again."""
    low, high = Fraction(1), Fraction(64)
    assert gate_at(each, low) < 2 == gate_at(each, high)
    while next_above(low, each.format) != high:
        middle = round_to_format((low + high) / 2, each.format)
        middle = next_above(low, each.format) if middle in (low, high) else middle
        low, high = (low, middle) if gate_at(each, middle) == 2 else (middle, high)
    assert high == each.first
    assert low == next_below(each.first, each.format)


def test_the_thresholds_are_those_of_the_ledger():
    """To the digits printed there: binary64 and binary32 at once and stepwise, then the others."""
    printed = ["37.42994775", "36.7368006", "17.3286795", "16.6355323"]
    for each, digits in zip(statements.SATURATIONS, printed, strict=False):
        threshold = evaluate(each.threshold(each.format), Assignment({}, {}), REALS)
        half_a_digit = Fraction(1, 2 * 10 ** len(digits.partition(".")[2]))
        gap = threshold - REALS.number(Fraction(digits))
        assert REALS.less(gap * gap, REALS.number(half_a_digit**2), strict=True)
    firsts = [each.first for each in statements.SATURATIONS[4:]]
    assert firsts == [Fraction(x) for x in ("6.25", "5.5625", "8.3203125", "7.625")]


@SATURATIONS
def test_the_gate_of_torch_saturates_where_its_spelling_says(each):
    """Half formats are computed in binary32 and rounded once, so at once; the others stepwise.

    torch's exponential may be off by a unit in the last place, which moves the threshold by less
    than 2·2r, a relative change of exp(−z).
    """
    fmt = each.format
    at_once = fmt.precision < BINARY32.precision
    if at_once != (each.gate is statements.at_once):
        pytest.skip("the operator has the other spelling")
    slack = 0 if at_once else 4 * fmt.unit_roundoff
    dtype = getattr(torch, fmt.dtype)
    after, before = each.first, next_below(each.first, fmt)
    while after - each.first < slack:
        after, before = next_above(after, fmt), next_below(before, fmt)
    assert gate(torch.tensor(float(after), dtype=dtype)).item() == 2
    assert gate(torch.tensor(float(before), dtype=dtype)).item() < 2
