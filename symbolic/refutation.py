"""Counterexamples and witnesses in exact numbers, the smallest sizes and simplest numbers first.

search_counterexample(claim) == an Assignment that meets the hypotheses and breaks the conclusion
search_witness(claim)        == an Assignment that meets the hypotheses
check_counterexample(claim, at) == Evidence: the untouched statement, evaluated exactly
misfit(claim, at)            == why values cannot be those of the claim's symbols
assignment_to_json, assignment_from_json == exact strings, for records and version control

Each shape has a pool of matrices: small entries, and families that meet common hypotheses (skew,
orthogonal by rational Cayley transforms, projectors, nilpotents, unit vectors, isometries). Symbols
take values one by one, the most constrained first; hypotheses prune as soon as they can be tested;
where they are linear in the next symbol they are solved instead. Sequences and functions are built
by constructions.py.

Left out: irrational values, functions that are not polynomials.
"""

from __future__ import annotations

import operator
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice, permutations, product
from typing import Any, TypeAlias

from flint import fmpq, fmpq_mat

from . import expressions as ex
from . import propositions as pr
from .binding import binders, mentions
from .claims import Claim, symbols
from .constructions import construct, free_sizes
from .evaluation import Assignment, Lambda, Truth, Undefined, Unsupported, evaluate, holds
from .evidence import Evidence, Kind, Outcome
from .exact import EXACT, Root, exact_assignment, to_rational
from .free_algebra import conjuncts

Symbol: TypeAlias = ex.ScalarSymbol | ex.MatrixSymbol
_BUDGETS = (400, 3_000, 25_000, 200_000, 2_000_000)
_SIMPLE = tuple(Fraction(x) for x in (0, 1, 2, -1, "1/2", 3, -2, "-1/2", "1/3"))


# ---------------------------------------------------------------- search


def search_counterexample(
    claim: Claim, *, time_limit: float = 10.0, max_size: int = 4, seed: int = 0
) -> Assignment | None:
    """The smallest counterexample that is found: fewest rows and columns, then simplest numbers.

    Parameters
    ----------
    claim : Claim
        The statement to refute.
    time_limit : float
        Seconds after which the search gives up.
    max_size : int
        The largest value of a dimension.
    seed : int
        The order in which larger searches try the values.

    Returns
    -------
    Assignment or None
        None means: not found. It says nothing about the truth of the claim.
    """
    at = _search(claim, _breaks(claim), time_limit, max_size, seed)
    return at and _without_idle_terms(claim, at, _breaks(claim))


def search_witness(
    claim: Claim, *, time_limit: float = 10.0, max_size: int = 4, seed: int = 0
) -> Assignment | None:
    """An assignment that meets the hypotheses, or None: they may contradict each other."""
    return _search(claim, lambda at: True, time_limit, max_size, seed)


def _breaks(claim: Claim) -> Callable[[Assignment], bool]:
    test = _test(claim.then)
    return lambda at: test(at) is False


def _search(
    claim: Claim,
    accepts: Callable[[Assignment], bool],
    time_limit: float,
    max_size: int,
    seed: int,
) -> Assignment | None:
    deadline = time.perf_counter() + time_limit
    found = symbols(claim)
    if found.sequences or found.functions or found.indices or found.maps:
        return _by_construction(claim, accepts, deadline, max_size, seed)
    search = _Search(claim, accepts, deadline, seed)
    every = product(range(1, max_size + 1), repeat=len(found.dims))
    sizes = sorted(every, key=lambda values: (sum(values), values))
    names = [dim.name for dim in found.dims]
    for level, budget in enumerate(_BUDGETS):
        for values in sizes:
            at = search.attempt(dict(zip(names, values, strict=True)), level, budget)
            if at is not None:
                return search.simplify(at)
            if time.perf_counter() > deadline:
                return None
        if not search.cut_short:
            return None
    return None


class _Search:
    """Values for matrices and scalars, one symbol after the other."""

    def __init__(
        self, claim: Claim, accepts: Callable[[Assignment], bool], deadline: float, seed: int
    ):
        self.accepts, self.deadline, self.seed = accepts, deadline, seed
        self.facts = [part for fact in claim.given for part in conjuncts(fact)]
        found = symbols(claim)
        free = {symbol.name for symbol in (*found.matrices, *found.scalars)}
        self.names = {id(fact): _names(fact) & free for fact in self.facts}
        self.tests = {id(fact): _test(fact) for fact in self.facts}
        self.order = self._order([*found.matrices, *found.scalars])
        bound: set[str] = set()
        self.due: list[list[pr.Proposition]] = [[]]
        self.linear: list[list[pr.Eq]] = []
        for symbol in self.order:
            before = set(bound)
            bound.add(symbol.name)
            due = [f for f in self.facts if self.names[id(f)] <= bound]
            due = [f for f in due if not self.names[id(f)] <= before]
            self.due.append(due)
            joint = [f for f in due if isinstance(f, pr.Eq) and len(self.names[id(f)]) > 1]
            self.linear.append(
                [f for f in joint if isinstance(symbol, ex.MatrixSymbol) and _affine(f, symbol)]
            )
        self.due[0] = [f for f in self.facts if not self.names[id(f)]]
        self.nodes = 0
        self.cut_short = False

    def _order(self, free: Sequence[Symbol]) -> list[Symbol]:
        """Most constrained first: those that complete hypotheses, then those in most of them."""
        order: list[Symbol] = []
        rest = list(free)
        while rest:
            done = {symbol.name for symbol in order}

            def constrained(symbol: Symbol, done: set[str] = done) -> tuple[int, int, int]:
                with_it = [n for n in self.names.values() if symbol.name in n]
                complete = sum(n <= done | {symbol.name} for n in with_it)
                return complete, len(with_it), isinstance(symbol, ex.MatrixSymbol)

            best = max(rest, key=constrained)
            order.append(best)
            rest.remove(best)
        return order

    def attempt(self, sizes: Mapping[str, int], level: int, budget: int) -> Assignment | None:
        """Look at one choice of sizes, at `budget` values at most."""
        self.nodes = budget
        at = Assignment(dict(sizes), {})
        if not self._holds(self.due[0], at):
            return None
        shuffle = random.Random(f"{self.seed} {level} {sorted(sizes.items())}")
        pools = [self._pool(symbol, at, position) for position, symbol in enumerate(self.order)]
        if not all(pools):
            return None
        width = max(6, int(4 * budget ** (1 / max(len(self.order), 1))))
        simple = [pool[: 12 * (level + 1) ** 2] for pool in pools]
        for _ in range(budget):  # a quick look at random simple values, then in order
            if self.nodes < budget // 2:
                break
            self.nodes -= 1
            found = self._extend(at, 0, simple, 2, shuffle)
            if found is not None:
                return found
        return self._extend(at, 0, pools, width, None)

    def _pool(self, symbol: Symbol, at: Assignment, position: int) -> Sequence[Any]:
        if isinstance(symbol, ex.ScalarSymbol):
            values: Sequence[Any] = _scalars()
        else:
            values = _matrices(at.size(symbol.rows), at.size(symbol.columns))
        alone = [f for f in self.due[position + 1] if self.names[id(f)] == {symbol.name}]
        if not alone:
            return values
        return [v for v in values if self._holds(alone, at.bind(symbol.name, v))]

    def _extend(
        self,
        at: Assignment,
        position: int,
        pools: Sequence[Sequence[Any]],
        width: int,
        shuffle: random.Random | None,
    ) -> Assignment | None:
        if position == len(self.order):
            return at if self.accepts(at) else None
        symbol = self.order[position]
        values: Iterable[Any] = pools[position]
        tests = [f for f in self.due[position + 1] if self.names[id(f)] != {symbol.name}]
        if self.linear[position] and isinstance(symbol, ex.MatrixSymbol):
            values = _solutions(self.linear[position], symbol, at)
            tests = self.due[position + 1]
        elif shuffle is not None:
            pool = pools[position]
            values = shuffle.sample(pool, min(len(pool), 25 if tests else 1))
        taken = 0
        for value in values:
            if taken >= width:
                self.cut_short = True
                break
            self.nodes -= 1
            if self.nodes < 0 or (not self.nodes & 15 and time.perf_counter() > self.deadline):
                self.cut_short = True
                return None
            further = at.bind(symbol.name, value)
            if self._holds(tests, further):
                taken += 1
                found = self._extend(further, position + 1, pools, width, shuffle)
                if found is not None:
                    return found
        return None

    def _holds(self, facts: Iterable[pr.Proposition], at: Assignment) -> bool:
        return all(self.tests[id(fact)](at) is True for fact in facts)

    def simplify(self, at: Assignment) -> Assignment:
        """Simpler values, one symbol at a time, as long as it stays what was looked for."""
        improved = True
        while improved:
            improved = False
            for symbol in self.order:
                present = _cost(at.values[symbol.name])
                if isinstance(symbol, ex.ScalarSymbol):
                    values: Sequence[Any] = _scalars()
                else:
                    values = _matrices(at.size(symbol.rows), at.size(symbol.columns))
                for value in islice(values, 60):
                    if _cost(value) >= present or time.perf_counter() > self.deadline:
                        break
                    other = at.bind(symbol.name, value)
                    if self._holds(self.facts, other) and self.accepts(other):
                        at, improved = other, True
                        break
        return at


def _truth(statement: pr.Proposition, at: Assignment) -> Truth:
    try:
        return holds(statement, at, EXACT)
    except (Undefined, Unsupported):
        return None


def _test(statement: pr.Proposition) -> Callable[[Assignment], Truth]:
    """`holds` for one statement, its equations compiled; None where it has no value."""
    if isinstance(statement, pr.Eq):
        left, right = _compiled(statement.left), _compiled(statement.right)
        same = EXACT.equal if statement.left.shape is None else operator.eq

        def truth(at: Assignment) -> Truth:
            return same(left(at), right(at))
    elif isinstance(statement, pr.Invertible):
        body = _compiled(statement.body)

        def truth(at: Assignment) -> Truth:
            return body(at).det() != 0
    else:

        def truth(at: Assignment) -> Truth:
            return holds(statement, at, EXACT)

    def guarded(at: Assignment) -> Truth:
        try:
            return truth(at)
        except (Undefined, Unsupported):
            return None

    return guarded


def _compiled(node: ex.Expression) -> Callable[[Assignment], Any]:
    """`evaluate` for one expression, as nested functions: several times as fast."""
    match node:
        case ex.MatrixSymbol(name) | ex.ScalarSymbol(name):
            return lambda at: at.values[name]
        case ex.Named(_, body):
            return _compiled(body)
        case ex.Literal(value):
            constant = EXACT.number(value)
            return lambda at: constant
        case ex.Neg(body):
            inner = _compiled(body)
            return lambda at: -inner(at)
        case ex.Transpose(body):
            inner = _compiled(body)
            return lambda at: inner(at).transpose()
        case ex.Inverse(body):
            inner = _compiled(body)
            return lambda at: EXACT.inverse(inner(at))
        case ex.Entry(body):
            inner = _compiled(body)
            return lambda at: inner(at)[0, 0]
        case ex.Scale(factor, body):
            first, second = _compiled(factor), _compiled(body)
            return lambda at: EXACT.scale(first(at), second(at))
        case ex.Add(left, right):
            return _combined(operator.add, left, right)
        case ex.Sub(left, right):
            return _combined(operator.sub, left, right)
        case ex.Mul(left, right) | ex.MatMul(left, right):
            return _combined(operator.mul, left, right)
    return lambda at: evaluate(node, at, EXACT)


def _combined(
    combine: Callable[[Any, Any], Any], left: ex.Expression, right: ex.Expression
) -> Callable[[Assignment], Any]:
    first, second = _compiled(left), _compiled(right)
    return lambda at: combine(first(at), second(at))


def _names(fact: pr.Proposition) -> set[str]:
    """The scalars and matrices in a statement, bound ones included."""
    return {
        node.name
        for node in pr.expressions_in(fact)
        if isinstance(node, ex.ScalarSymbol | ex.MatrixSymbol)
    }


# ---------------------------------------------------------------- hypotheses that are linear


def _affine(fact: pr.Eq, symbol: ex.MatrixSymbol) -> bool:
    return max(_degree(fact.left, symbol), _degree(fact.right, symbol)) == 1


def _degree(node: ex.Expression, symbol: ex.MatrixSymbol) -> int:
    """The degree of an expression in a symbol: 0, 1, or 2 for anything more."""
    parts = [_degree(part, symbol) for part in node.parts]
    if node == symbol:
        return 1
    match node:
        case ex.MatMul() | ex.Mul() | ex.Scale():
            return min(sum(parts), 2)
        case ex.Add() | ex.Sub() | ex.Neg() | ex.Named() | ex.Transpose() | ex.Entry() | ex.Trace():
            return max(parts)
    return 2 if any(parts) else 0


def _solutions(facts: Sequence[pr.Eq], symbol: ex.MatrixSymbol, at: Assignment) -> Iterator[Any]:
    """Matrices that solve equations in which one symbol occurs to the first power."""
    rows, columns = at.size(symbol.rows), at.size(symbol.columns)

    def residual(entries: list[fmpq]) -> list[fmpq]:
        here = at.bind(symbol.name, fmpq_mat(rows, columns, entries))
        values: list[fmpq] = []
        for fact in facts:
            left, right = evaluate(fact.left, here, EXACT), evaluate(fact.right, here, EXACT)
            if fact.left.shape is None:
                values.append(left - right)
            else:
                values += [x for row in (left - right).tolist() for x in row]
        return values

    size = rows * columns
    zero, one = fmpq(0), fmpq(1)
    try:
        start = residual([zero] * size)
        effects = [residual([one if i == j else zero for i in range(size)]) for j in range(size)]
    except (Undefined, Unsupported, TypeError):
        return
    table = [
        [effects[j][i] - start[i] for j in range(size)] + [-start[i]] for i in range(len(start))
    ]
    reduced, rank = fmpq_mat(table).rref()
    pivots: list[int] = []
    for row in range(rank):
        pivots.append(next(j for j in range(size + 1) if reduced[row, j] != 0))
    if pivots and pivots[-1] == size:
        return
    point = [zero] * size
    for row, pivot in enumerate(pivots):
        point[pivot] = reduced[row, size]
    directions: list[list[fmpq]] = []
    for column in range(size):
        if column not in pivots:
            direction = [zero] * size
            direction[column] = one
            for row, pivot in enumerate(pivots):
                direction[pivot] = -reduced[row, column]
            directions.append(direction)
    seen: set[str] = set()
    factors = (0, 1, -1, 2) if len(directions) <= 3 else (0, 1, -1)
    choices = islice(product(factors, repeat=len(directions)), 400)
    for choice in sorted(choices, key=lambda c: sum(map(abs, c))):
        entries = list(point)
        for factor, direction in zip(choice, directions, strict=True):
            if factor:
                entries = [x + factor * y for x, y in zip(entries, direction, strict=True)]
        if str(entries) not in seen:
            seen.add(str(entries))
            yield fmpq_mat(rows, columns, entries)


# ---------------------------------------------------------------- pools


def _cost(value: Any) -> Fraction:
    """How complicated a value is: small integers are simple, fractions less so."""
    entries = [value] if isinstance(value, fmpq) else [x for row in value.tolist() for x in row]
    total = Fraction(0)
    for x in entries:
        total += abs(int(x.p)) + 2 * (int(x.q) - 1) + (Fraction(1, 4) if x < 0 else 0)
    return total


@lru_cache(maxsize=1)
def _scalars() -> tuple[fmpq, ...]:
    return tuple(fmpq(x.numerator, x.denominator) for x in _SIMPLE)


@lru_cache(maxsize=64)
def _matrices(rows: int, columns: int) -> tuple[fmpq_mat, ...]:
    """The pool of one shape, simplest first."""
    found = {str(m): m for m in _families(rows, columns)}
    return tuple(sorted(found.values(), key=lambda m: (_cost(m), str(m))))


def _families(rows: int, columns: int) -> Iterator[fmpq_mat]:
    draw = random.Random(f"{rows}×{columns}")
    count = rows * columns

    def matrix(entries: Iterable[Any]) -> fmpq_mat:
        return fmpq_mat(rows, columns, [_number(x) for x in entries])

    if count == 1:
        yield from (matrix([x]) for x in _SIMPLE)
    elif count <= 4:
        yield from (matrix(x) for x in product((0, 1, -1), repeat=count))
    elif count <= 6:
        yield from (matrix(x) for x in product((0, 1), repeat=count))
    else:
        yield matrix([0] * count)
    if rows == columns and rows > 1:
        yield from _square_families(rows, draw)
    if columns == 1:
        for unit in _UNIT_VECTORS.get(rows, ()):
            yield matrix(unit)
        yield from (matrix([int(i == j) for i in range(rows)]) for j in range(rows))
    if rows > columns > 1:
        for square in _matrices(rows, rows):
            if square * square.transpose() == _identity(rows):
                yield matrix(square[i, j] for i in range(rows) for j in range(columns))
    for entries in ((0, 0, 1, -1), (0, 1, -1, 2, "1/2"), (0, 1, -1, 2, -2, 3, "1/2", "-1/2")):
        for _ in range(30):
            yield matrix(draw.choice(entries) for _ in range(count))


def _square_families(n: int, draw: random.Random) -> Iterator[fmpq_mat]:
    identity = _identity(n)
    yield from (identity, -identity, identity * fmpq(2), identity * fmpq(1, 2))
    if n <= 3:
        for order in permutations(range(n)):
            for signs in product((1, -1), repeat=n):
                yield _matrix(n, lambda i, j, o=order, s=signs: s[i] if o[i] == j else 0)
    for step in range(12):  # skew matrices, their Cayley transforms, symmetric matrices
        low = [[draw.choice((1, -1, 0, 2, -2, 3)) for _ in range(i)] for i in range(n)]
        half = Fraction(1, 1 + step % 2)
        skew = _matrix(
            n, lambda i, j, x=low, h=half: h * (x[i][j] if i > j else -x[j][i] if j > i else 0)
        )
        yield skew
        yield (identity + skew).inv() * (identity - skew)
        yield _matrix(n, lambda i, j, x=low: x[i][j] if i > j else x[j][i] if j > i else i % 2)
    for _ in range(16):  # rank-one projectors, oblique and orthogonal, and rank-one nilpotents
        x, y = (fmpq_mat(n, 1, [fmpq(draw.choice((1, -1, 0, 2))) for _ in range(n)]) for _ in "xy")
        along = (y.transpose() * x)[0, 0]
        yield x * y.transpose() if along == 0 else x * y.transpose() * (1 / along)
        square = (x.transpose() * x)[0, 0]
        if square != 0:
            yield x * x.transpose() * (1 / square)
            yield identity - x * x.transpose() * (1 / square)
    for first in range(n - 1):  # nilpotents
        for factor in (1, -1, 2):
            yield _matrix(n, lambda i, j, a=first, f=factor: f if j == i + 1 and i >= a else 0)


_UNIT_VECTORS = {
    2: (("3/5", "4/5"), ("4/5", "-3/5"), ("5/13", "12/13")),
    3: (("1/3", "2/3", "2/3"), ("2/3", "-1/3", "2/3"), (0, "3/5", "4/5"), ("3/5", "4/5", 0)),
    4: (("1/2", "1/2", "1/2", "1/2"), ("1/2", "-1/2", "1/2", "-1/2"), ("3/5", 0, "4/5", 0)),
}


def _matrix(n: int, entry: Callable[[int, int], Any]) -> fmpq_mat:
    return fmpq_mat(n, n, [_number(entry(i, j)) for i in range(n) for j in range(n)])


def _identity(n: int) -> fmpq_mat:
    return _matrix(n, lambda i, j: int(i == j))


def _number(value: Any) -> fmpq:
    if isinstance(value, fmpq):
        return value
    value = Fraction(value)
    return fmpq(value.numerator, value.denominator)


# ---------------------------------------------------------------- sequences and functions


def _by_construction(
    claim: Claim,
    accepts: Callable[[Assignment], bool],
    deadline: float,
    max_size: int,
    seed: int,
) -> Assignment | None:
    """Inputs built by constructions.py from simple numbers, then made as simple as they can be."""
    dims = len(symbols(claim).dims)
    names = free_sizes(claim)
    ranges = [range(1, max_size + 1)] * dims + [range(max_size + 1)] * (len(names) - dims)
    every = sorted(product(*ranges), key=lambda values: (sum(values), values))
    draws = random.Random(seed)
    values = _scalars()
    for tries in (20, 200, 2_000):
        for sizes in every:
            for attempt in range(tries):
                if time.perf_counter() > deadline:
                    return None
                pool = values[: 3 + attempt // 8]
                numbers = _Numbers(lambda pool=pool: draws.choice(pool))
                at = _built(claim, dict(zip(names, sizes, strict=True)), numbers, accepts)
                if at is None and not numbers.used:
                    break
                if at is not None:
                    return _simplest(claim, at, numbers.used, accepts, deadline)
    return None


class _Numbers:
    """A source of free parameters that keeps what it gave."""

    def __init__(self, fresh: Callable[[], fmpq], fixed: Sequence[fmpq] = ()):
        self.fresh, self.fixed = fresh, list(fixed)
        self.used: list[fmpq] = []

    def __call__(self) -> fmpq:
        place = len(self.used)
        self.used.append(self.fixed[place] if place < len(self.fixed) else self.fresh())
        return self.used[-1]


def _built(
    claim: Claim,
    sizes: Mapping[str, int],
    numbers: _Numbers,
    accepts: Callable[[Assignment], bool],
) -> Assignment | None:
    try:
        inputs = construct(claim, sizes, EXACT, numbers)
        if all(_truth(fact, inputs.at) is True for fact in inputs.unmet) and accepts(inputs.at):
            return inputs.at
    except (Undefined, Unsupported, KeyError):
        pass
    return None


def _simplest(
    claim: Claim,
    at: Assignment,
    numbers: list[fmpq],
    accepts: Callable[[Assignment], bool],
    deadline: float,
) -> Assignment:
    for place in range(len(numbers)):
        for value in _scalars():
            if _cost(value) >= _cost(numbers[place]) or time.perf_counter() > deadline:
                break
            changed = [*numbers[:place], value, *numbers[place + 1 :]]
            other = _built(claim, at.sizes, _Numbers(lambda: fmpq(0), changed), accepts)
            if other is not None:
                at, numbers = other, changed
                break
    return at


def _without_idle_terms(
    claim: Claim, at: Assignment, accepts: Callable[[Assignment], bool]
) -> Assignment:
    """Sequences without the terms that the statement does not look at."""
    for name, terms in list(at.values.items()):
        if not isinstance(terms, Mapping):
            continue
        for subscript in list(terms):
            fewer = {i: x for i, x in at.values[name].items() if i != subscript}
            other = at.bind(name, fewer)
            try:
                met = all(_truth(fact, other) is _truth(fact, at) for fact in claim.given)
                if met and accepts(other):
                    at = other
            except KeyError:
                continue
    return at


# ---------------------------------------------------------------- the check


def misfit(claim: Claim, at: Assignment) -> str:
    """Why the values cannot be those of the claim's symbols; empty where they can.

    A size is an integer ≥ 1, an index an integer, a matrix has the shape of its symbol, a function
    is one wherever it is applied. Without that, 1 ≤ n is false at n = 0, "i ≤ 0 or 1 ≤ i" at
    i = ½, matrices that are 1×1 do not commute, and a function changes with a variable that it
    does not see.
    """
    found = symbols(claim)
    for dim in found.dims:
        size = at.sizes.get(dim.name, 1)
        if type(size) is not int or size < 1:
            return f"the size {dim.name} is an integer ≥ 1, not {size!r}"
    named = (*found.indices, *found.scalars, *found.matrices, *found.sequences)
    for symbol in (*named, *found.functions, *found.maps):
        if symbol.name not in at.values:
            continue  # what is missing is told where it is needed
        if problem := _misfit_of(symbol, at.values[symbol.name], at):
            return problem
    return _captured(claim, at)


def _misfit_of(symbol: Any, value: Any, at: Assignment) -> str:
    """Why a value is none of a symbol's sort."""
    name = symbol.name
    match symbol:
        case ex.IndexSymbol():
            return "" if type(value) is int else f"the index {name} is an integer, not {value}"
        case ex.ScalarSymbol() | ex.MatrixSymbol():
            return _misfit_of_term(name, value, symbol.shape, at)
        case ex.SequenceSymbol():
            if not isinstance(value, Mapping) or not all(type(i) is int for i in value):
                return f"the sequence {name} needs its terms by their subscripts, not {value}"
            shape = None if symbol.size is None else (symbol.size, symbol.columns)
            terms = (_misfit_of_term(name, term, shape, at) for term in value.values())
            return next(filter(None, terms), "")
        case ex.FunctionSymbol():
            members, variable, shape = (value,), ex.ScalarSymbol, None
        case _:
            members, variable, shape = (value,), ex.MatrixSymbol, (symbol.size, symbol.columns)
            if isinstance(value, Mapping) and all(type(i) is int for i in value):
                members = tuple(value.values())
    for member in members:
        if not isinstance(member, Lambda) or not isinstance(member.variable, variable):
            return f"{name} is a {'function' if shape is None else 'map'}, not {member}"
        for part in (member.variable, member.body):
            if _sizes(part.shape, at) != _sizes(shape, at):
                return f"{name} takes and gives {_sort(_sizes(shape, at))}, unlike {member}"
    return ""


def _misfit_of_term(name: str, term: Any, shape: ex.Shape | None, at: Assignment) -> str:
    match term:
        case fmpq_mat():
            has: Any = (term.nrows(), term.ncols())
        case fmpq() | Root():
            has = None
        case _:
            has = term  # a value of neither sort
    wanted = _sizes(shape, at)
    return "" if has == wanted else f"{name} is {_sort(wanted)}, not {term}"


def _sizes(shape: ex.Shape | None, at: Assignment) -> tuple[int, ...] | None:
    return None if shape is None else tuple(map(at.size, shape))


def _sort(sizes: tuple[int, ...] | None) -> str:
    return "a number" if sizes is None else "a matrix of shape {}×{}".format(*sizes)


def _captured(claim: Claim, at: Assignment) -> str:
    """A name that a function reads, and that means something else where the function is applied."""
    functions: list[Lambda] = []
    for value in at.values.values():
        members = value.values() if isinstance(value, Mapping) else (value,)
        functions += [member for member in members if isinstance(member, Lambda)]
    bound = [*binders(claim.statement), *(f.variable for f in functions)]
    bound += binders(tuple(f.body for f in functions))
    for function in functions:
        for symbol in bound:
            if symbol.name != function.variable.name and mentions(function.body, symbol):
                return f"{symbol} is bound elsewhere: rename it in the function {function}"
    return ""


def check_counterexample(claim: Claim, at: Assignment) -> Evidence:
    """Evaluate the statement as it stands, in exact numbers.

    Parameters
    ----------
    claim : Claim
        The statement that should be false here.
    at : Assignment
        Exact values, as `search_counterexample` or `assignment_from_json` give them.

    Returns
    -------
    Evidence
        Confirmed: the hypotheses hold and the conclusion does not. Contradicted: this is no
        counterexample. Inconclusive: the exact arithmetic cannot tell.
    """
    data: dict[str, Any] = {}
    scope = {"sizes": dict(at.sizes)}

    def answer(outcome: Outcome, detail: str) -> Evidence:
        return Evidence(Kind.COUNTEREXAMPLE, outcome, detail, scope, data)

    try:
        if problem := misfit(claim, at):
            return answer(Outcome.INCONCLUSIVE, problem)
        data["counterexample"] = assignment_to_json(claim, at)
        for fact in claim.given:
            truth = holds(fact, at, EXACT)
            if truth is False:
                return answer(Outcome.CONTRADICTED, f"the hypothesis `{fact}` does not hold here")
            if truth is None:
                return answer(Outcome.INCONCLUSIVE, f"`{fact}` cannot be decided here")
        truth = holds(claim.then, at, EXACT)
        if truth is None:
            return answer(Outcome.INCONCLUSIVE, f"`{claim.then}` cannot be decided here")
        if truth:
            return answer(Outcome.CONTRADICTED, f"`{claim.then}` holds here")
        part, left, right = _failure(claim.then, at)
        data["counterexample"] |= {"left": left, "right": right}
    except (Undefined, Unsupported) as reason:
        return answer(Outcome.INCONCLUSIVE, f"the statement has no value here: {reason}")
    except KeyError as missing:
        return answer(Outcome.INCONCLUSIVE, f"no value is given for {missing}")
    return answer(Outcome.CONFIRMED, f"the hypotheses hold, `{part}` does not")


def _failure(node: pr.Proposition, at: Assignment) -> tuple[pr.Proposition, Any, Any]:
    """The part of a false statement that fails, and its two sides in exact strings."""
    match node:
        case pr.And(parts):
            return _failure(next(p for p in parts if holds(p, at, EXACT) is False), at)
        case pr.Implies(_, right):
            return _failure(right, at)
        case pr.Iff(left, right):
            return node, str(holds(left, at, EXACT)), str(holds(right, at, EXACT))
        case pr.Eq(left, right) | pr.Le(left, right) | pr.Lt(left, right) | pr.Ne(left, right):
            sides = (_to_json(evaluate(side, at, EXACT)) for side in (left, right))
            return node, *sides
        case pr.Invertible(body):
            return node, _to_json(evaluate(body, at, EXACT)), "singular"
    return node, "False", "True"


# ---------------------------------------------------------------- JSON


def assignment_to_json(claim: Claim, at: Assignment) -> dict[str, Any]:
    """Sizes, and values of the free symbols as exact strings."""
    found = symbols(claim)
    sizes = {dim.name: at.sizes[dim.name] for dim in found.dims if dim.name in at.sizes}
    for symbol in found.indices:
        if symbol.name in at.values:
            sizes[symbol.name] = at.values[symbol.name]
    named = (*found.scalars, *found.matrices, *found.functions, *found.sequences, *found.maps)
    values = {s.name: _to_json(at.values[s.name], at) for s in named if s.name in at.values}
    return {"sizes": sizes, "values": values}


def _to_json(value: Any, at: Assignment | None = None) -> Any:
    match value:
        case fmpq_mat():
            return [[str(x) for x in row] for row in value.tolist()]
        case Mapping():
            return {str(i): _to_json(term) for i, term in sorted(value.items())}
        case Lambda(variable, body) if at is not None:  # its coefficients as the numbers they are
            numbers: dict[ex.Expression, ex.Expression] = {
                ex.ScalarSymbol(name): ex.Literal(to_rational(x))
                for name, x in at.values.items()
                if isinstance(x, fmpq) and name != variable.name
            }
            return str(Lambda(variable, ex.substitute(body, numbers)))
    return str(value)


def assignment_from_json(claim: Claim, data: Mapping[str, Any]) -> Assignment:
    """The assignment that `assignment_to_json` wrote; functions cannot be read back.

    Raises ValueError where a value cannot be that of its symbol.
    """
    found = symbols(claim)
    indices = {symbol.name for symbol in found.indices}
    sizes = dict(data["sizes"])
    values: dict[str, Any] = {name: _from_json(value) for name, value in data["values"].items()}
    if functions := [f.name for f in found.functions if f.name in values]:
        raise ValueError(f"the functions {functions} cannot be read from JSON; build them again")
    at = exact_assignment(sizes, values)
    for name in indices & sizes.keys():
        at = at.bind(name, int(sizes[name]))
    if problem := misfit(claim, at):
        raise ValueError(problem)
    return at


def _from_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {int(i): _from_json(term) for i, term in value.items()}
    if isinstance(value, list):
        return [[Fraction(x) for x in row] for row in value]
    return Fraction(value)
