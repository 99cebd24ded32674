"""The rules a derivation may cite beside its hypotheses: a short table, each rule said in words.

Instance(rule, arguments) == a rule applied to given expressions
instance(rule, *arguments) == the same, checked at once
RULES                     == the table; each rule builds premises and a conclusion from arguments
RuleError                 == an unknown rule, or arguments that it does not fit

This table is trusted. A rule's premises must be known where it is cited; its conclusion is used
like a hypothesis. Nothing here computes: no SymPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias

from . import expressions as ex
from . import propositions as pr
from .binding import Captured, fresh, mentions, put
from .formats import Format, is_even, next_below
from .frobenius import entries_within, entries_within_product, frobenius
from .summation import rounded_product

Premises: TypeAlias = tuple[pr.Proposition, ...]


class RuleError(ValueError):
    """A rule that does not exist or does not fit; the message says what would."""


@dataclass(frozen=True)
class Rule:
    """A schema: what it says, and how arguments become premises and a conclusion."""

    words: str
    build: Callable[..., tuple[Premises, pr.Proposition]]
    proved_by: str = ""
    """The claim that says the same of symbols, where that is proved by its own derivation."""


@dataclass(frozen=True)
class Instance:
    """A rule of the table applied to arguments."""

    rule: str
    arguments: tuple[Any, ...]

    @property
    def words(self) -> str:
        """The rule in words."""
        return _lookup(self.rule).words

    def expand(self) -> tuple[Premises, pr.Proposition]:
        """Premises and conclusion; raises RuleError or ShapeError where the rule does not fit."""
        try:
            return _lookup(self.rule).build(*self.arguments)
        except (TypeError, AttributeError, Captured) as problem:
            raise RuleError(f"rule {self.rule}: {problem}") from None


def instance(rule: str, *arguments: Any) -> Instance:
    """The instance of a rule, expanded once so that what does not fit is refused here."""
    found = Instance(rule, arguments)
    found.expand()
    return found


def _lookup(name: str) -> Rule:
    if name not in RULES:
        raise RuleError(f"there is no rule {name!r}; there are {', '.join(RULES)}")
    return RULES[name]


def _identity(node: ex.Expression) -> ex.Identity:
    return ex.eye(ex.matrix_shape(node)[0])


# ---------------------------------------------------------------- floating-point formats


def _before(value: Fraction, fmt: Format) -> Fraction:
    """The number of a format before one of its numbers."""
    try:
        return next_below(value, fmt)
    except (ValueError, OverflowError) as problem:
        raise RuleError(str(problem)) from None


def _reaches(body: ex.Expression, value: Fraction, fmt: Format) -> pr.Le | pr.Lt:
    """What `body` must satisfy to be rounded to `value` or above; ties go to the even number."""
    midpoint = (_before(value, fmt) + value) / 2
    return pr.le(midpoint, body) if is_even(value, fmt) else pr.lt(midpoint, body)


def _rounded_from(
    body: ex.Expression, value: Fraction | int, fmt: Format
) -> tuple[Premises, pr.Proposition]:
    value = Fraction(value)
    return (_reaches(body, value, fmt),), pr.le(value, ex.rounded(body, fmt))


def _rounded_below(
    body: ex.Expression, value: Fraction | int, fmt: Format
) -> tuple[Premises, pr.Proposition]:
    value = Fraction(value)
    reached = _reaches(body, value, fmt)
    strictly = pr.lt if isinstance(reached, pr.Le) else pr.le
    below = strictly(reached.right, reached.left)
    return (below,), pr.le(ex.rounded(body, fmt), _before(value, fmt))


def _number_of_format(value: Fraction | int, fmt: Format) -> tuple[Premises, pr.Proposition]:
    value = Fraction(value)
    _before(value, fmt)  # refuses what is no number of the format
    return (), pr.eq(ex.rounded(value, fmt), value)


def _next_number(
    body: ex.Expression, value: Fraction | int, fmt: Format
) -> tuple[Premises, pr.Proposition]:
    value = Fraction(value)
    premises = (pr.eq(ex.rounded(body, fmt), body), pr.lt(body, value))
    return premises, pr.le(body, _before(value, fmt))


# ---------------------------------------------------------------- matrices


def _right_inverse(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(matrix @ ex.inv(matrix), _identity(matrix))


def _left_inverse(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(ex.inv(matrix) @ matrix, _identity(matrix))


def _sylvester(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    outer, inner = left @ right, right @ left
    return (), pr.eq(ex.det(_identity(outer) - outer), ex.det(_identity(inner) - inner))


def _determinant_of_product(
    left: ex.Expression, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    # both factors square: det itself refuses others
    return (), pr.eq(ex.det(left @ right), ex.det(left) * ex.det(right))


def _determinant_of_transpose(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(ex.det(matrix.T), ex.det(matrix))


def _determinant_of_inverse(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(ex.det(ex.inv(matrix)) * ex.det(matrix), 1)


def _determinant_one_by_one(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(ex.det(matrix), ex.entry(matrix))


def _zero_square_sum(vector: ex.Expression) -> tuple[Premises, pr.Proposition]:
    rows, columns = ex.matrix_shape(vector)
    if columns != 1:
        raise RuleError(f"zero_square_sum needs a vector, got {vector} with {columns} columns")
    return (pr.eq(vector.T @ vector, ex.zeros(1, 1)),), pr.eq(vector, ex.zeros(rows, 1))


def _equal_norms(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (pr.eq(left.T @ left, right.T @ right),), pr.eq(ex.norm(left), ex.norm(right))


def _two_sided_inverse(
    left: ex.Expression, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    identity = _identity(left)
    if ex.matrix_shape(left) != (identity.size, identity.size):
        raise RuleError(f"two_sided_inverse needs square matrices, got {left}")
    return (pr.eq(left @ right, identity),), pr.eq(right @ left, identity)


def _singular_kernel(
    matrix: ex.Expression, vector: ex.MatrixSymbol
) -> tuple[Premises, pr.Proposition]:
    size, columns = ex.matrix_shape(vector)
    if columns != 1 or vector in ex.walk(matrix):
        raise RuleError(f"singular_kernel needs a new vector, got {vector}")
    found = pr.both(pr.ne(vector, ex.zeros(size, 1)), pr.eq(matrix @ vector, ex.zeros(size, 1)))
    return (pr.eq(ex.det(matrix), 0),), pr.exists(vector, found)


def _kernel_singular(
    matrix: ex.Expression, vector: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    size, columns = ex.matrix_shape(vector)
    if columns != 1:
        raise RuleError(f"kernel_singular needs a vector, got {vector}")
    zero = ex.zeros(size, 1)
    return (pr.ne(vector, zero), pr.eq(matrix @ vector, zero)), pr.eq(ex.det(matrix), 0)


def _orthogonal_direction(
    vector: ex.MatrixSymbol, *others: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    size, columns = ex.matrix_shape(vector)
    if columns != 1 or any(ex.matrix_shape(other) != (size, 1) for other in others):
        raise RuleError("orthogonal_direction needs vectors of one size")
    if any(vector in ex.walk(other) for other in others):
        raise RuleError(f"orthogonal_direction needs a new vector, got {vector}")
    conditions = [pr.eq(other.T @ vector, ex.zeros(1, 1)) for other in others]
    found = pr.exists(vector, pr.both(pr.ne(vector, ex.zeros(size, 1)), *conditions))
    return (pr.le(len(others) + 1, ex.size(size)),), found


def _planar_determinant(
    a: ex.Expression, left: ex.Expression, b: ex.Expression, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    if not ex.matrix_shape(left) == ex.matrix_shape(right) == (2, 2):
        raise RuleError(f"planar_determinant needs 2×2 matrices, got {left} and {right}")
    p, q = ex.det(left), ex.det(right)
    mixed = ex.det(left + right) - p - q
    return (), pr.eq(ex.det(a * left + b * right), a**2 * p + a * b * mixed + b**2 * q)


def _rank_of_outer_products(
    *pairs: tuple[ex.Expression, ex.Expression],
) -> tuple[Premises, pr.Proposition]:
    if not pairs or any(ex.matrix_shape(side)[1] != 1 for pair in pairs for side in pair):
        raise RuleError("rank_of_outer_products needs pairs of vectors")
    total = pairs[0][0] @ pairs[0][1].T
    for left, right in pairs[1:]:
        total = total + left @ right.T
    return (), pr.le(ex.rank(total), len(pairs))


def _rank_of_sum(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.le(ex.rank(left + right), ex.rank(left) + ex.rank(right))


def _rank_of_invertible(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    size, _ = ex.matrix_shape(matrix)
    return (pr.invertible(matrix),), pr.eq(ex.rank(matrix), ex.size(size))


def _rank_at_most_size(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    rows, columns = ex.matrix_shape(matrix)
    limits = pr.both(
        pr.le(0, ex.rank(matrix)),
        pr.le(ex.rank(matrix), ex.size(rows)),
        pr.le(ex.rank(matrix), ex.size(columns)),
    )
    return (), limits


def _rank_zero(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (pr.le(ex.rank(matrix), 0),), pr.eq(matrix, ex.zeros(*ex.matrix_shape(matrix)))


def _rank_of_zero(rows: ex.Size, columns: ex.Size) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(ex.rank(ex.zeros(rows, columns)), 0)


def _direction(vector: ex.Expression, axis: ex.MatrixSymbol) -> tuple[Premises, pr.Proposition]:
    size, columns = ex.matrix_shape(vector)
    if columns != 1 or axis.shape != (size, 1) or mentions(vector, axis):
        raise RuleError(f"direction needs a vector and a new one, got {vector} and {axis}")
    unit = pr.eq(axis.T @ axis, ex.eye(1))
    along = pr.eq(ex.norm(vector) * axis, vector)
    return (pr.ne(vector, ex.zeros(size, 1)),), pr.exists(axis, pr.both(unit, along))


def _unit_vector(axis: ex.MatrixSymbol) -> tuple[Premises, pr.Proposition]:
    if ex.matrix_shape(axis)[1] != 1:
        raise RuleError(f"unit_vector needs a vector, got {axis}")
    return (), pr.exists(axis, pr.eq(axis.T @ axis, ex.eye(1)))


def _moved_vector(
    matrix: ex.Expression, vector: ex.MatrixSymbol
) -> tuple[Premises, pr.Proposition]:
    rows, columns = ex.matrix_shape(matrix)
    if vector.shape != (columns, 1) or vector in ex.walk(matrix):
        raise RuleError(f"moved_vector needs a new vector, got {vector}")
    moved = pr.exists(vector, pr.ne(matrix @ vector, ex.zeros(rows, 1)))
    return (pr.ne(matrix, ex.zeros(rows, columns)),), moved


def _larger_kernel(
    smaller: ex.Expression,
    larger: ex.Expression,
    vector: ex.Expression,
    variable: ex.MatrixSymbol,
) -> tuple[Premises, pr.Proposition]:
    if mentions(smaller, variable) or mentions(larger, variable):
        raise RuleError(f"larger_kernel needs a new vector, got {variable}")
    zero, other = ex.zeros(ex.matrix_shape(smaller)[0], 1), ex.zeros(ex.matrix_shape(larger)[0], 1)
    kernels = pr.forall(
        variable, pr.implies(pr.eq(smaller @ variable, zero), pr.eq(larger @ variable, other))
    )
    premises = (kernels, pr.eq(larger @ vector, other), pr.ne(smaller @ vector, zero))
    return premises, pr.le(ex.rank(larger) + 1, ex.rank(smaller))


def _rank_of_nonzero(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (pr.ne(matrix, ex.zeros(*ex.matrix_shape(matrix))),), pr.le(1, ex.rank(matrix))


def _determinant_of_shifted_product(
    shift: ex.Expression, column: ex.Expression, row: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    size, inner = ex.matrix_shape(column)
    if inner != 1:
        raise RuleError(f"determinant_of_shifted_product needs a column, got {column}")
    shifted = ex.det(shift * ex.eye(size) - column @ row)
    return (), pr.eq(shifted, shift ** (ex.size(size) - 1) * (shift - ex.entry(row @ column)))


def _determinant_of_copies(
    count: ex.Size, matrix: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    copies = ex.kron(ex.eye(count), matrix)
    return (), pr.eq(ex.det(copies), ex.det(matrix) ** ex.size(count))


def _determinant_of_invertible(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (pr.invertible(matrix),), pr.ne(ex.det(matrix), 0)


def _nonzero_determinant(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (pr.ne(ex.det(matrix), 0),), pr.invertible(matrix)


def _one_dimension(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    size, columns = ex.matrix_shape(left)
    if columns != 1:
        raise RuleError(f"one_dimension needs vectors, got {left}")
    multiple = ex.entry(left.T @ right) * ex.eye(size)
    return (pr.eq(ex.size(size), 1),), pr.eq(left @ right.T, multiple)


def _columns_of_product(
    left: ex.Expression, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    copies = ex.kron(ex.eye(ex.matrix_shape(right)[1]), left)
    return (), pr.eq(ex.vec(left @ right), copies @ ex.vec(right))


# ---------------------------------------------------------------- norms


def _triangle(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.le(ex.norm(left + right), ex.norm(left) + ex.norm(right))


def _norm_of_multiple(
    factor: ex.Expression | ex.Number, vector: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    factor = ex.as_expression(factor)
    return (), pr.eq(ex.norm(factor * vector), ex.absolute(factor) * ex.norm(vector))


def _norm_squared(vector: ex.Expression) -> tuple[Premises, pr.Proposition]:
    square = pr.eq(ex.norm(vector) ** 2, ex.entry(vector.T @ vector))
    return (), pr.both(pr.le(0, ex.norm(vector)), square)


def _norm_positive(vector: ex.Expression) -> tuple[Premises, pr.Proposition]:
    rows, _ = ex.matrix_shape(vector)
    return (pr.ne(vector, ex.zeros(rows, 1)),), pr.lt(0, ex.norm(vector))


def _norm_of_negative(vector: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(ex.norm(-vector), ex.norm(vector))


def _positive_square_sum(vector: ex.Expression) -> tuple[Premises, pr.Proposition]:
    zero = ex.zeros(*ex.matrix_shape(vector))
    return (pr.ne(vector, zero),), pr.lt(0, ex.entry(vector.T @ vector))


def _absolute_of_nonnegative(value: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (pr.le(0, value),), pr.eq(ex.absolute(value), value)


def _absolute_value(value: ex.Expression) -> tuple[Premises, pr.Proposition]:
    value = ex.as_expression(value)
    return (), pr.either(
        pr.both(pr.le(0, value), pr.eq(ex.absolute(value), value)),
        pr.both(pr.le(value, 0), pr.eq(ex.absolute(value), -value)),
    )


# ---------------------------------------------------------------- numbers


def _zero_product(*factors: pr.Eq) -> tuple[Premises, pr.Proposition]:
    if len(factors) < 2 or any(not isinstance(f, pr.Eq) or f.left.shape for f in factors):
        raise RuleError("zero_product needs two or more equations between scalars")
    product = factors[0].left - factors[0].right
    for factor in factors[1:]:
        product = product * (factor.left - factor.right)
    return (pr.eq(product, 0),), pr.either(*factors)


def _zero_square(equation: pr.Eq) -> tuple[Premises, pr.Proposition]:
    if not isinstance(equation, pr.Eq) or equation.left.shape is not None:
        raise RuleError(f"zero_square needs an equation between scalars, got {equation}")
    return (pr.eq((equation.left - equation.right) ** 2, 0),), equation


def _absolute_nonnegative(value: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.le(0, ex.absolute(value))


def _absolute_triangle(
    left: ex.Expression | ex.Number, right: ex.Expression | ex.Number
) -> tuple[Premises, pr.Proposition]:
    left, right = ex.as_expression(left), ex.as_expression(right)
    return (), pr.le(ex.absolute(left + right), ex.absolute(left) + ex.absolute(right))


def _size_at_least_one(size: ex.Size) -> tuple[Premises, pr.Proposition]:
    return (), pr.le(1, ex.size(size))


def _absolute_product(
    left: ex.Expression | ex.Number, right: ex.Expression | ex.Number
) -> tuple[Premises, pr.Proposition]:
    left, right = ex.as_expression(left), ex.as_expression(right)
    return (), pr.eq(ex.absolute(left * right), ex.absolute(left) * ex.absolute(right))


def _positive_part(value: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(ex.greatest(0, value) - ex.greatest(0, -value), value)


def _positive_product(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (pr.lt(0, left), pr.lt(0, right)), pr.lt(0, left * right)


def _nonnegative_product(
    left: ex.Expression, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    left, right = ex.as_expression(left), ex.as_expression(right)
    return (pr.le(0, left), pr.le(0, right)), pr.le(0, left * right)


def _squares_in_order(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (pr.le(0, left), pr.le(left, right)), pr.le(left**2, right**2)


def _square_of_absolute(value: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(ex.absolute(value) ** 2, value**2)


def _root_of_product(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    roots = ex.sqrt(left) * ex.sqrt(right)
    return (pr.le(0, left), pr.le(0, right)), pr.eq(roots, ex.sqrt(left * right))


def _greatest(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    left, right = ex.as_expression(left), ex.as_expression(right)
    larger = ex.greatest(left, right)
    return (), pr.either(
        pr.both(pr.le(right, left), pr.eq(larger, left)),
        pr.both(pr.le(left, right), pr.eq(larger, right)),
    )


def _sigmoid(value: ex.Expression | ex.Number) -> tuple[Premises, pr.Proposition]:
    value = ex.as_expression(value)
    logistic = 1 / (1 + ex.elementary("exp", -value))
    return (), pr.eq(ex.elementary("sigmoid", value), logistic)


def _exp_of_negative(value: ex.Expression | ex.Number) -> tuple[Premises, pr.Proposition]:
    value = ex.as_expression(value)
    return (), pr.eq(ex.elementary("exp", -value), 1 / ex.elementary("exp", value))


def _exp_of_zero() -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(ex.elementary("exp", 0), 1)


def _exp_increasing(order: pr.Le | pr.Lt) -> tuple[Premises, pr.Proposition]:
    if not isinstance(order, pr.Le | pr.Lt):
        raise RuleError(f"exp_increasing needs an order between scalars, got {order}")
    images = (ex.elementary("exp", side) for side in (order.left, order.right))
    return (order,), type(order)(*images)


def _log_of_product(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    logarithms = ex.elementary("log", left) + ex.elementary("log", right)
    return (pr.lt(0, left), pr.lt(0, right)), pr.eq(logarithms, ex.elementary("log", left * right))


def _log_of_power(base: ex.Expression, exponent: int) -> tuple[Premises, pr.Proposition]:
    multiple = exponent * ex.elementary("log", base)
    return (pr.lt(0, base),), pr.eq(multiple, ex.elementary("log", base**exponent))


def _exp_of_log(value: ex.Expression) -> tuple[Premises, pr.Proposition]:
    both = ex.elementary("exp", ex.elementary("log", value))
    return (pr.lt(0, value),), pr.eq(both, value)


def _limit_of_fraction(
    numerator: ex.Expression,
    denominator: ex.Expression,
    variable: ex.ScalarSymbol,
    point: ex.Expression | ex.Number,
) -> tuple[Premises, pr.Proposition]:
    point = ex.as_expression(point)
    moving = [n for e in (numerator, denominator) for n in ex.walk(e) if variable in ex.walk(n)]
    if not all(isinstance(n, _POLYNOMIAL) for n in moving) or variable in ex.walk(point):
        raise RuleError(f"limit_of_fraction needs polynomials in {variable}, got {numerator}")
    below = put(denominator, variable, point)
    limit = put(numerator, variable, point) / below
    quotient = numerator / denominator
    return (pr.ne(below, 0),), pr.tends_to(quotient, limit, variable=variable, to=point)


def _root_of_square(value: ex.Expression | ex.Number) -> tuple[Premises, pr.Proposition]:
    value = ex.as_expression(value)
    return (pr.le(0, value),), pr.eq(ex.sqrt(value**2), value)


def _root_squared(value: ex.Expression) -> tuple[Premises, pr.Proposition]:
    root = ex.sqrt(value)
    return (pr.le(0, value),), pr.both(pr.le(0, root), pr.eq(root**2, value))


def _double_arctan(value: ex.Expression) -> tuple[Premises, pr.Proposition]:
    angle = 2 * ex.elementary("arctan", value)
    cosine = pr.eq(ex.elementary("cos", angle), (1 - value**2) / (1 + value**2))
    return (), pr.both(cosine, pr.eq(ex.elementary("sin", angle), 2 * value / (1 + value**2)))


def _exp_above_tangent(value: ex.Expression | ex.Number) -> tuple[Premises, pr.Proposition]:
    value = ex.as_expression(value)
    return (), pr.le(1 + value, ex.elementary("exp", value))


def _sigmoid_at_infinity(variable: ex.ScalarSymbol) -> tuple[Premises, pr.Proposition]:
    def towards(argument: ex.Expression, limit: int) -> pr.Proposition:
        return pr.tends_to(ex.elementary("sigmoid", argument), limit, variable=variable)

    return (), pr.both(towards(variable, 1), towards(-variable, 0))


def _vanishing(
    factor: ex.Expression, body: ex.Expression, variable: ex.ScalarSymbol
) -> tuple[Premises, pr.Proposition]:
    if variable in ex.walk(factor):
        raise RuleError(f"vanishing needs a constant, got {factor}")
    bounded = pr.both(pr.le(0, body), pr.le(factor * variable**2 * body**2, 1))
    premises = (pr.lt(0, factor), pr.forall(variable, pr.implies(pr.lt(0, variable), bounded)))
    return premises, pr.tends_to(body, 0, variable=variable)


# ---------------------------------------------------------------- logic and ranges


def _dichotomy(fact: pr.Proposition) -> tuple[Premises, pr.Proposition]:
    match fact:
        case pr.Eq(left, right):
            return (), pr.either(fact, pr.ne(left, right))
        case pr.Le(left, right):
            return (), pr.either(fact, pr.lt(right, left))
    raise RuleError(f"dichotomy needs = or ≤, got {fact}")


def sort_of(value: Any) -> tuple[str, Any]:
    """What a quantified variable ranges over: numbers, matrices of a shape, sequences of them."""
    if isinstance(value, ex.SequenceSymbol):
        return "sequence", (value.size, value.columns)
    return "value", ex.as_expression(value).shape


def _instantiate(fact: pr.ForAll, value: Any) -> tuple[Premises, pr.Proposition]:
    if not isinstance(fact, pr.ForAll):
        raise RuleError(f"instantiate needs a statement for all of something, got {fact}")
    if sort_of(fact.variable) != sort_of(value):
        raise RuleError(f"{value} is not of the sort of {fact.variable}")
    return (fact,), put(fact.body, fact.variable, value)


def _instantiate_range(
    fact: pr.ForRange, value: ex.Expression | ex.Number
) -> tuple[Premises, pr.Proposition]:
    if not isinstance(fact, pr.ForRange):
        raise RuleError(f"instantiate_range needs a statement over a range, got {fact}")
    value = _index_expression(value)
    within = (pr.le(fact.first, value),)
    if fact.last is not None:
        within = (*within, pr.le(value, fact.last))
    return (fact, *within), put(fact.body, fact.index, value)


def _integer_step(
    value: ex.Expression, bound: ex.Expression | ex.Number
) -> tuple[Premises, pr.Proposition]:
    value, bound = _index_expression(value), _index_expression(bound)
    after = bound + 1
    return (pr.le(value, after),), pr.either(pr.le(value, bound), pr.eq(value, after))


def _equal_factors(
    left: ex.OrderedProduct, right: ex.OrderedProduct
) -> tuple[Premises, pr.Proposition]:
    for product in (left, right):
        if not isinstance(product, ex.OrderedProduct):
            raise RuleError(f"equal_factors needs ordered products, got {product}")
    if (left.index, left.first, left.last) != (right.index, right.first, right.last):
        raise RuleError("equal_factors needs two products over one range")
    factors = pr.ForRange(left.index, left.first, left.last, pr.eq(left.body, right.body))
    return (factors,), pr.eq(left, right)


def _append_term(
    old: ex.SequenceSymbol,
    new: ex.SequenceSymbol,
    last: ex.Expression | ex.Number,
    value: ex.Expression,
    index: ex.IndexSymbol,
) -> tuple[Premises, pr.Proposition]:
    last = _index_expression(last)
    if old == new or mentions(value, new) or mentions(last, index):
        raise RuleError(f"append_term needs a new sequence and a new index, got {new}, {index}")
    same = pr.forall(index, pr.eq(new[index], old[index]), over=(1, last))
    return (), pr.exists(new, pr.both(pr.eq(new[last + 1], value), same))


def _index_expression(node: ex.Expression | ex.Number) -> ex.Expression:
    """`node`, of which the form says that it is an integer."""
    node = ex.as_expression(node)
    if not ex.is_integer(node):
        raise RuleError(f"{node} is not visibly an integer")
    return node


def _equal_or_not(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.either(pr.eq(left, right), pr.ne(left, right))


def _modus_ponens(fact: pr.Implies) -> tuple[Premises, pr.Proposition]:
    return (fact, fact.left), fact.right


# ---------------------------------------------------------------- entries of matrices


def _nonnegative(matrix: ex.Expression) -> pr.ForRange:
    return pr.every_entry(matrix, lambda x: pr.le(0, x))


def _sums_to_one(matrix: ex.Expression) -> pr.Eq:
    rows, columns = ex.matrix_shape(matrix)
    return pr.eq(matrix @ ex.ones(columns), ex.ones(rows))


def _nonnegative_entries_of_product(
    left: ex.Expression, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    return (_nonnegative(left), _nonnegative(right)), _nonnegative(left @ right)


def _nonnegative_entries_of_transpose(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (_nonnegative(matrix),), _nonnegative(matrix.T)


def _entry_at_most_sum(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    bounded = pr.every_entry(matrix, lambda x: pr.le(x, 1))
    return (_nonnegative(matrix), _sums_to_one(matrix)), bounded


def _laplacian(matrix: ex.Expression, vector: ex.Expression) -> tuple[Premises, pr.Proposition]:
    premises = (_nonnegative(matrix), pr.eq(matrix.T, matrix), _sums_to_one(matrix))
    form = ex.entry(vector.T @ matrix @ vector)
    return premises, pr.le(form, ex.entry(vector.T @ vector))


def _traceless_form(
    matrix: ex.Expression, vector: ex.MatrixSymbol
) -> tuple[Premises, pr.Proposition]:
    rows, columns = ex.matrix_shape(matrix)
    if vector.shape != (rows, 1) or vector in ex.walk(matrix):
        raise RuleError(f"traceless_form needs a new vector, got {vector}")
    form = pr.forall(vector, pr.le(0, ex.entry(vector.T @ matrix @ vector)))
    premises = (pr.eq(matrix.T, matrix), form, pr.eq(ex.tr(matrix), 0))
    return premises, pr.eq(matrix, ex.zeros(rows, columns))


def _count_of_ones(size: ex.Size) -> tuple[Premises, pr.Proposition]:
    ones = ex.ones(size)
    return (), pr.eq(ex.entry(ones.T @ ones), ex.size(size))


def _ones_differ_from_zero(size: ex.Size) -> tuple[Premises, pr.Proposition]:
    return (), pr.ne(ex.ones(size), ex.zeros(size, 1))


def _entries_less_squares(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    rows, columns = ex.matrix_shape(matrix)
    i, j = (fresh(ex.index(name), matrix) for name in "ij")
    x = ex.element(matrix, i, j)
    total = ex.total(i, 1, ex.size(rows), ex.total(j, 1, ex.size(columns), x * (1 - x)))
    sums = ex.entry(ex.ones(rows).T @ matrix @ ex.ones(columns)) - ex.tr(matrix.T @ matrix)
    return (), pr.eq(total, sums)


def _diagonal_of_vector(vector: ex.Expression) -> tuple[Premises, pr.Proposition]:
    size, _ = ex.matrix_shape(vector)
    return (), pr.eq(ex.diagonal(vector) @ ex.ones(size), vector)


def _diagonal_commutes(
    left: ex.Expression, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(ex.diagonal(left) @ right, ex.diagonal(right) @ left)


def _diagonal_invertible(vector: ex.Expression) -> tuple[Premises, pr.Proposition]:
    positive = pr.every_entry(vector, lambda x: pr.lt(0, x))
    return (positive,), pr.invertible(ex.diagonal(vector))


def _positive_sums(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    rows, _ = ex.matrix_shape(matrix)
    sums = pr.every_entry(matrix.T @ ex.ones(rows), lambda x: pr.lt(0, x))
    return (pr.every_entry(matrix, lambda x: pr.lt(0, x)),), sums


def _reciprocals_agree(
    vector: ex.Expression, left: ex.Expression, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    ones = ex.ones(ex.matrix_shape(vector)[0])
    scaled = (ex.diagonal(vector) @ left, ex.diagonal(vector) @ right)
    return tuple(pr.eq(product, ones) for product in scaled), pr.eq(left, right)


def _smaller_norm(
    left: ex.Expression, factor: ex.Expression | ex.Number, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    factor = ex.as_expression(factor)
    squares = pr.le(ex.entry(left.T @ left), factor**2 * ex.entry(right.T @ right))
    return (pr.le(0, factor), squares), pr.le(ex.norm(left), factor * ex.norm(right))


# ---------------------------------------------------------------- Frobenius norms


def _frobenius_squared(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    length = frobenius(matrix)
    return (), pr.both(pr.le(0, length), pr.eq(length**2, ex.tr(matrix.T @ matrix)))


def _frobenius_triangle(
    left: ex.Expression, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    return (), pr.le(frobenius(left + right), frobenius(left) + frobenius(right))


def _frobenius_product(
    left: ex.Expression, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    return (), pr.le(frobenius(left @ right), frobenius(left) * frobenius(right))


def _frobenius_multiple(
    factor: ex.Expression | ex.Number, matrix: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    factor = ex.as_expression(factor)
    return (), pr.eq(frobenius(factor * matrix), ex.absolute(factor) * frobenius(matrix))


def _frobenius_transpose(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(frobenius(matrix.T), frobenius(matrix))


def _trace_at_most(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    inner = ex.absolute(ex.tr(left.T @ right))
    if left.shape != right.shape:
        raise RuleError(f"trace_at_most needs matrices of one shape, got {left} and {right}")
    return (), pr.le(inner, frobenius(left) * frobenius(right))


def _smaller_entries(
    error: ex.Expression, factor: ex.Expression, of: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    premises = (pr.le(0, factor), entries_within(error, factor, of))
    return premises, pr.le(frobenius(error), factor * frobenius(of))


def _smaller_entries_of_product(
    error: ex.Expression, factor: ex.Expression, left: ex.Expression, right: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    premises = (pr.le(0, factor), entries_within_product(error, factor, left, right))
    bound = factor * (frobenius(left) * frobenius(right))
    return premises, pr.le(frobenius(error), bound)


def _entry_is_norm(matrix: ex.Expression) -> tuple[Premises, pr.Proposition]:
    return (), pr.eq(ex.absolute(ex.entry(matrix)), frobenius(matrix))


def _trace_of_columns(left: ex.Expression, right: ex.Expression) -> tuple[Premises, pr.Proposition]:
    if left.shape != right.shape:
        raise RuleError(f"trace_of_columns needs matrices of one shape, got {left} and {right}")
    inner = ex.entry(ex.vec(left).T @ ex.vec(right))
    return (), pr.eq(ex.tr(left.T @ right), inner)


def _product_in_any_order(
    product: ex.Expression, left: ex.Expression, right: ex.Expression, r: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    inner = ex.size(ex.matrix_shape(left)[1])
    premises = (pr.lt(0, r), rounded_product(product, left, right, r))
    return premises, entries_within_product(product - left @ right, inner * r, left, right)


# ---------------------------------------------------------------- sums over ranges, powers


def _each(total: ex.Expression, says: Callable[[ex.Expression], pr.Proposition]) -> pr.Proposition:
    if not isinstance(total, ex.Total):
        return says(total)
    return pr.ForRange(total.index, total.first, total.last, _each(total.body, says))


def _terms_of_zero_sum(total: ex.Total) -> tuple[Premises, pr.Proposition]:
    if not isinstance(total, ex.Total) or total.shape is not None:
        raise RuleError(f"terms_of_zero_sum needs a sum of scalars, got {total}")
    premises = (_each(total, lambda x: pr.le(0, x)), pr.eq(total, 0))
    return premises, _each(total, lambda x: pr.eq(x, 0))


def _sum_of_zeros(total: ex.Total) -> tuple[Premises, pr.Proposition]:
    if not isinstance(total, ex.Total) or total.shape is not None:
        raise RuleError(f"sum_of_zeros needs a sum of scalars, got {total}")
    return (_each(total, lambda x: pr.eq(x, 0)),), pr.eq(total, 0)


def _sum_empty(total: ex.Total) -> tuple[Premises, pr.Proposition]:
    if not isinstance(total, ex.Total):
        raise RuleError(f"sum_empty needs a sum over a range, got {total}")
    zero = ex.Literal(0) if total.shape is None else ex.zeros(*total.shape)
    return (pr.lt(total.last, total.first),), pr.eq(total, zero)


def _sum_last(total: ex.Total) -> tuple[Premises, pr.Proposition]:
    if not isinstance(total, ex.Total):
        raise RuleError(f"sum_last needs a sum over a range, got {total}")
    before = ex.Total(total.index, total.first, total.last - 1, total.body)
    last = put(total.body, total.index, total.last)
    return (pr.le(total.first, total.last),), pr.eq(total, before + last)


def _absolute_of_sum(terms: pr.ForRange) -> tuple[Premises, pr.Proposition]:
    match terms:
        case pr.ForRange(index, first, ex.Expression() as last, pr.Le(ex.Absolute(term), bound)):
            left, right = (ex.Total(index, first, last, side) for side in (term, bound))
            return (terms,), pr.le(ex.absolute(left), right)
    raise RuleError(f"absolute_of_sum needs |a_i| ≤ b_i for each index of a range, got {terms}")


def _sums_in_order(terms: pr.ForRange) -> tuple[Premises, pr.Proposition]:
    match terms:
        case pr.ForRange(index, first, ex.Expression() as last, pr.Le(low, high)):
            return (terms,), pr.le(*(ex.Total(index, first, last, side) for side in (low, high)))
    raise RuleError(f"sums_in_order needs a_i ≤ b_i for each index of a range, got {terms}")


def _sum_of_sums(total: ex.Total) -> tuple[Premises, pr.Proposition]:
    match total:
        case ex.Total(index, first, last, ex.Add(left, right)):
            parts = (ex.Total(index, first, last, part) for part in (left, right))
            return (), pr.eq(total, ex.Add(*parts))
    raise RuleError(f"sum_of_sums needs a sum over a range of a + b, got {total}")


def _inner_product(
    left: ex.Expression, right: ex.Expression, index: ex.IndexSymbol
) -> tuple[Premises, pr.Proposition]:
    rows, columns = ex.matrix_shape(left)
    if columns != 1 or right.shape != left.shape or mentions(left, index) or mentions(right, index):
        raise RuleError(f"inner_product needs two vectors without {index}, got {left}, {right}")
    terms = ex.element(left, index, 1) * ex.element(right, index, 1)
    return (), pr.eq(ex.entry(left.T @ right), ex.total(index, 1, ex.size(rows), terms))


def _row_of_identity(
    row: ex.Expression | ex.Number, terms: ex.Total
) -> tuple[Premises, pr.Proposition]:
    row = _index_expression(row)
    match terms:
        case ex.Total(
            index,
            ex.Literal(first),
            ex.SizeOf(rows),
            ex.Mul(
                ex.Element(ex.Identity(size), i, j)
                | ex.Absolute(ex.Element(ex.Identity(size), i, j)),
                term,
            ),
        ) if first == 1 and rows == size and i == row and j == index and not mentions(row, index):
            within = (pr.le(1, row), pr.le(row, ex.size(size)))
            return within, pr.eq(terms, put(term, index, row))
    raise RuleError(f"row_of_identity needs Σ I_ih a_h or Σ |I_ih| a_h over h, got {terms}")


def _scaled_sum(
    factor: ex.Expression | ex.Number, total: ex.Total
) -> tuple[Premises, pr.Proposition]:
    if not isinstance(total, ex.Total):
        raise RuleError(f"scaled_sum needs a sum over a range, got {total}")
    factor = ex.as_expression(factor)
    if mentions(factor, total.index):
        raise RuleError(f"scaled_sum needs a factor without {total.index}, got {factor}")
    times = factor.__matmul__ if factor.shape is not None else factor.__mul__
    terms = ex.Total(total.index, total.first, total.last, times(total.body))
    return (), pr.eq(times(total), terms)


def _equal_terms(terms: pr.ForRange) -> tuple[Premises, pr.Proposition]:
    if not (
        isinstance(terms, pr.ForRange) and terms.last is not None and isinstance(terms.body, pr.Eq)
    ):
        raise RuleError(f"equal_terms needs an equation for each index of a range, got {terms}")
    left, right = (
        ex.Total(terms.index, terms.first, terms.last, side)
        for side in (terms.body.left, terms.body.right)
    )
    return (terms,), pr.eq(left, right)


def _product_empty(
    product: ex.Repeated | ex.OrderedProduct,
) -> tuple[Premises, pr.Proposition]:
    if not isinstance(product, ex.Repeated | ex.OrderedProduct):
        raise RuleError(f"product_empty needs a product over a range, got {product}")
    neutral = ex.Literal(1) if product.shape is None else ex.eye(product.shape[0])
    return (pr.lt(product.last, product.first),), pr.eq(product, neutral)


def _product_last(
    product: ex.Repeated | ex.OrderedProduct,
) -> tuple[Premises, pr.Proposition]:
    if not isinstance(product, ex.Repeated | ex.OrderedProduct):
        raise RuleError(f"product_last needs a product over a range, got {product}")
    before = type(product)(product.index, product.first, product.last - 1, product.body)
    last = put(product.body, product.index, product.last)
    grown = last * before if product.shape is None else last @ before
    return (pr.le(product.first, product.last),), pr.eq(product, grown)


def _power_successor(
    base: ex.Expression, exponent: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    power, after = ex.NaturalPower(base, exponent), ex.NaturalPower(base, exponent + 1)
    product = base * power if base.shape is None else base @ power
    return (pr.le(0, exponent),), pr.eq(after, product)


def _power_commutes(
    base: ex.Expression, exponent: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    power = ex.NaturalPower(base, exponent)
    return (pr.le(0, exponent),), pr.eq(power @ base, base @ power)


def _power_of_sum(
    base: ex.Expression, first: ex.Expression, second: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    whole = ex.NaturalPower(base, first + second)
    left, right = ex.NaturalPower(base, first), ex.NaturalPower(base, second)
    product = left * right if base.shape is None else left @ right
    return (pr.le(0, first), pr.le(0, second)), pr.eq(whole, product)


# ---------------------------------------------------------------- limits


def _geometric_limit(
    ratio: ex.Expression, index: ex.IndexSymbol
) -> tuple[Premises, pr.Proposition]:
    if index in ex.walk(ratio):
        raise RuleError(f"geometric_limit needs a ratio without {index}, got {ratio}")
    within = (pr.lt(-1, ratio), pr.lt(ratio, 1))
    return within, pr.tends_to(ex.NaturalPower(ratio, index), 0, variable=index)


def _limit_at_infinity(limit: pr.TendsTo) -> tuple[Any, ex.Expression, ex.Expression]:
    if not isinstance(limit, pr.TendsTo) or limit.to is not None:
        raise RuleError(f"a limit at ∞ is needed, got {limit}")
    return limit.variable, limit.body, limit.limit


def _sequence_limit(limit: pr.TendsTo) -> tuple[ex.IndexSymbol, ex.Expression, ex.Expression]:
    if not isinstance(limit, pr.TendsTo) or limit.to is not None:
        raise RuleError(f"the limit of a sequence is needed, got {limit}")
    if not isinstance(limit.variable, ex.IndexSymbol):
        raise RuleError(f"the limit of a sequence is needed, {limit.variable} is not an index")
    return limit.variable, limit.body, limit.limit


def _limit_of_polynomial(
    limit: pr.TendsTo, variable: ex.ScalarSymbol, polynomial: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    index, body, value = _limit_at_infinity(limit)
    nodes = list(ex.walk(polynomial))
    leaves = [n for n in nodes if variable in ex.walk(n)]
    if not all(isinstance(n, _POLYNOMIAL) for n in leaves) or index in nodes or body.shape:
        raise RuleError(f"limit_of_polynomial needs a polynomial in {variable}, got {polynomial}")
    there, here = (put(polynomial, variable, x) for x in (body, value))
    return (limit,), pr.tends_to(there, here, variable=index)


def _limit_of_affine(
    limit: pr.TendsTo, factor: ex.Expression, shift: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    index, body, value = _sequence_limit(limit)
    if index in {*ex.walk(factor), *ex.walk(shift)}:
        raise RuleError(f"limit_of_affine needs constants, got {factor} and {shift}")
    there, here = (shift + factor @ x for x in (body, value))
    return (limit,), pr.tends_to(there, here, variable=index)


def _limit_of_quotient(
    equation: pr.ForRange, numerator: pr.TendsTo, denominator: pr.TendsTo
) -> tuple[Premises, pr.Proposition]:
    index, top, above = _sequence_limit(numerator)
    other, bottom, below = _sequence_limit(denominator)
    match equation:
        case pr.ForRange(i, ex.Literal(), None, pr.Eq(ex.Mul(value, factor), right)) if (
            i == index == other and factor == bottom and right == top
        ):
            premises = (equation, numerator, denominator, pr.ne(below, 0))
            return premises, pr.tends_to(value, above / below, variable=index)
    raise RuleError(f"limit_of_quotient needs `value · denominator = numerator`, got {equation}")


def _limit_of_equal(equation: pr.ForRange, limit: pr.TendsTo) -> tuple[Premises, pr.Proposition]:
    index, body, value = _sequence_limit(limit)
    match equation:
        case pr.ForRange(i, ex.Literal(), None, pr.Eq(left, right)) if i == index and right == body:
            return (equation, limit), pr.tends_to(left, value, variable=index)
    raise RuleError(f"limit_of_equal needs `… = {body}` for all {index}, got {equation}")


def _limit_written(
    limit: pr.TendsTo, value: ex.Expression | ex.Number
) -> tuple[Premises, pr.Proposition]:
    index, body, other = _sequence_limit(limit)
    value = ex.as_expression(value)
    return (limit, pr.eq(other, value)), pr.tends_to(body, value, variable=index)


def _limit_of_tail(limit: pr.TendsTo, shift: int) -> tuple[Premises, pr.Proposition]:
    index, body, value = _sequence_limit(limit)
    _check_whole_shifts("limit_of_tail", shift)
    later = pr.tends_to(put(body, index, index + shift), value, variable=index)
    return (later,), limit


def _limit_of_subsequence(
    limit: pr.TendsTo, step: int, shift: int
) -> tuple[Premises, pr.Proposition]:
    index, body, value = _sequence_limit(limit)
    _check_whole_shifts("limit_of_subsequence", step, shift)
    if step < 1:
        raise RuleError(f"limit_of_subsequence needs a step ≥ 1, got {step}")
    place = index if step == 1 else step * index
    place = place + shift if shift else place
    return (limit,), pr.tends_to(put(body, index, place), value, variable=index)


def _check_whole_shifts(rule: str, *numbers: int) -> None:
    """A shift that is an expression may grow with the index."""
    for number in numbers:
        if type(number) is not int:
            raise RuleError(f"{rule} needs integers, got {number}")


def _limit_by_bound(bound: pr.ForRange, vanishing: pr.TendsTo) -> tuple[Premises, pr.Proposition]:
    index, size, zero = _sequence_limit(vanishing)
    match bound:
        case pr.ForRange(
            i,
            ex.Literal(),
            None,
            pr.ForAll(
                vector,
                pr.Le(ex.Norm(ex.MatMul(ex.Sub(body, limit), x)), ex.Mul(factor, ex.Norm(y))),
            ),
        ) if (
            i == index
            and zero == ex.Literal(0)
            and x == y == vector
            and factor == size
            and not {vector, index} & set(ex.walk(limit))
            and vector not in {*ex.walk(body), *ex.walk(factor)}
        ):
            return (bound, vanishing), pr.tends_to(body, limit, variable=index)
    raise RuleError(
        "limit_by_bound needs `‖(body − limit) x‖ ≤ bound · ‖x‖ for all x` for all indices, "
        f"got {bound}"
    )


def _vanishing_powers(
    limit: pr.TendsTo, vector: ex.Expression, factor: ex.Expression
) -> tuple[Premises, pr.Proposition]:
    index, body, value = _sequence_limit(limit)
    if not isinstance(body, ex.NaturalPower) or body.exponent != index:
        raise RuleError(f"vanishing_powers needs the limit of M^{index}, got {limit}")
    rows, columns = ex.matrix_shape(body.base)
    if value != ex.zeros(rows, columns) or index in ex.walk(body.base):
        raise RuleError(f"vanishing_powers needs the limit 0, got {value}")
    premises = (
        limit,
        pr.eq(body.base @ vector, factor * vector),
        pr.ne(vector, ex.zeros(rows, 1)),
    )
    return premises, pr.both(pr.lt(-1, factor), pr.lt(factor, 1))


def _longest_direction(
    matrix: ex.Expression, factor: ex.ScalarSymbol, vector: ex.MatrixSymbol, x: ex.MatrixSymbol
) -> tuple[Premises, pr.Proposition]:
    _, columns = ex.matrix_shape(matrix)
    if vector.shape != (columns, 1) or x.shape != (columns, 1) or vector == x:
        raise RuleError("longest_direction needs two vectors of the matrix's width")
    if {factor, vector, x} & set(ex.walk(matrix)):
        raise RuleError("longest_direction needs new symbols")
    found = pr.both(
        pr.le(0, factor),
        pr.ne(vector, ex.zeros(columns, 1)),
        pr.eq(matrix.T @ matrix @ vector, factor**2 * vector),
        pr.forall(x, pr.le(ex.norm(matrix @ x), factor * ex.norm(x))),
    )
    return (), pr.exists(factor, pr.exists(vector, found))


# ---------------------------------------------------------------- derivatives


def _local_derivative(nearby: pr.Exists) -> tuple[Premises, pr.Proposition]:
    match nearby:
        case pr.Exists(
            radius,
            pr.And(
                (
                    pr.Lt(ex.Literal() as zero, positive),
                    pr.ForAll(
                        variable,
                        pr.Implies(
                            pr.And((pr.Lt(low, inside), pr.Lt(within, high))), pr.Eq(left, right)
                        ),
                    ),
                )
            ),
        ) if (
            isinstance(radius, ex.ScalarSymbol)
            and isinstance(variable, ex.ScalarSymbol)
            and zero.value == 0
            and positive == radius
            and inside == within == variable
            and isinstance(low, ex.Sub)
            and low.right == radius
            and high == ex.Add(low.left, radius)
            and left.shape is None
            and radius != variable
            and not {radius, variable} & set(ex.walk(low.left))
            and radius not in {*ex.walk(left), *ex.walk(right)}
        ):
            at = low.left
            smooth = pr.Differentiable(left, variable, at)
            equal = pr.eq(
                ex.derivative(left, variable, at=at), ex.derivative(right, variable, at=at)
            )
            return (nearby, smooth), pr.both(pr.Differentiable(right, variable, at), equal)
    raise RuleError(
        "local_derivative needs a hypothesis of the form "
        f"`for some δ: 0 < δ and for all x: c − δ < x and x < c + δ ⇒ a = b`, got {nearby}"
    )


_POLYNOMIAL = (ex.Literal, ex.ScalarSymbol, ex.Add, ex.Sub, ex.Neg, ex.Mul, ex.Power)


def _chain_rule(
    function: ex.FunctionSymbol,
    inner: ex.Expression,
    variable: ex.ScalarSymbol,
    at: ex.Expression | ex.Number,
) -> tuple[Premises, pr.Proposition]:
    if not all(isinstance(node, _POLYNOMIAL) for node in ex.walk(inner)):
        raise RuleError(f"chain_rule needs a polynomial inside, got {inner}")
    if not isinstance(function, ex.FunctionSymbol):
        raise RuleError(f"chain_rule needs a function symbol, got {function}")
    at = ex.as_expression(at)
    image = ex.substitute(inner, {variable: at})
    outer, composed = function(variable), function(inner)
    slope = ex.derivative(outer, variable, at=image) * ex.derivative(inner, variable, at=at)
    return (
        (pr.differentiable(outer, variable, at=image),),
        pr.both(
            pr.differentiable(composed, variable, at=at),
            pr.eq(ex.derivative(composed, variable, at=at), slope),
        ),
    )


def _product_with_exponential(
    function: ex.FunctionSymbol,
    shift: ex.Expression | ex.Number,
    rate: ex.Expression | ex.Number,
    variable: ex.ScalarSymbol,
) -> tuple[Premises, pr.Proposition]:
    shift, rate = ex.as_expression(shift), ex.as_expression(rate)
    if not isinstance(function, ex.FunctionSymbol):
        raise RuleError(f"product_with_exponential needs a function symbol, got {function}")
    if variable in {*ex.walk(shift), *ex.walk(rate)}:
        raise RuleError(f"product_with_exponential needs constants, got {shift} and {rate}")
    value, factor = function(variable), ex.elementary("exp", rate * variable)
    smooth = pr.differentiable(value, variable, at=variable)
    product = (value - shift) * factor
    slope = (ex.derivative(value, variable) + rate * (value - shift)) * factor
    return (smooth,), pr.both(
        pr.differentiable(product, variable, at=variable),
        pr.eq(ex.derivative(product, variable), slope),
    )


def _zero_slope(
    still: pr.ForAll, left: ex.Expression | ex.Number, right: ex.Expression | ex.Number
) -> tuple[Premises, pr.Proposition]:
    match still:
        case pr.ForAll(t, pr.And((pr.Differentiable(body, t_1, t_2), pr.Eq(slope, zero)))) if (
            t == t_1 == t_2
            and isinstance(t, ex.ScalarSymbol)
            and slope == ex.derivative(body, t)
            and zero == ex.Literal(0)
        ):
            ends = (put(body, t, ex.as_expression(at)) for at in (left, right))
            return (still,), pr.eq(*ends)
    raise RuleError(
        f"zero_slope needs `a function is differentiable with slope 0, for all t`, got {still}"
    )


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "right_inverse": Rule("M M⁻¹ = I", _right_inverse),
        "left_inverse": Rule("M⁻¹ M = I", _left_inverse),
        "sylvester": Rule("Sylvester's identity: det(I − U V) = det(I − V U)", _sylvester),
        "determinant_of_product": Rule("det(A B) = det(A) det(B)", _determinant_of_product),
        "determinant_of_transpose": Rule("det(Aᵀ) = det(A)", _determinant_of_transpose),
        "determinant_of_inverse": Rule("det(A⁻¹) det(A) = 1", _determinant_of_inverse),
        "determinant_one_by_one": Rule(
            "the determinant of a 1×1 matrix is its entry", _determinant_one_by_one
        ),
        "zero_square_sum": Rule("a real vector with xᵀx = 0 is 0", _zero_square_sum),
        "equal_norms": Rule(
            "‖a‖² = aᵀa and norms are ≥ 0: aᵀa = bᵀb gives ‖a‖ = ‖b‖", _equal_norms
        ),
        "two_sided_inverse": Rule(
            "for square matrices a left inverse is a right inverse: A B = I gives B A = I",
            _two_sided_inverse,
        ),
        "singular_kernel": Rule(
            "a square matrix with determinant 0 takes some x ≠ 0 to 0", _singular_kernel
        ),
        "kernel_singular": Rule(
            "a square matrix that takes some x ≠ 0 to 0 has determinant 0", _kernel_singular
        ),
        "orthogonal_direction": Rule(
            "fewer vectors than dimensions: some x ≠ 0 is orthogonal to all of them",
            _orthogonal_direction,
        ),
        "planar_determinant": Rule(
            "for 2×2 matrices the determinant is a quadratic form: det(a A + b B) = "
            "a² det A + a b (det(A + B) − det A − det B) + b² det B",
            _planar_determinant,
        ),
        "rank_of_outer_products": Rule(
            "a sum of r products a bᵀ of vectors has rank at most r", _rank_of_outer_products
        ),
        "rank_of_sum": Rule("rank(A + B) ≤ rank(A) + rank(B)", _rank_of_sum),
        "rank_of_invertible": Rule("an invertible n×n matrix has rank n", _rank_of_invertible),
        "rank_at_most_size": Rule(
            "0 ≤ rank(A), and rank(A) is at most the number of rows and of columns",
            _rank_at_most_size,
        ),
        "rank_zero": Rule("a matrix of rank 0 is 0", _rank_zero),
        "rank_of_zero": Rule("the matrix 0 has rank 0", _rank_of_zero),
        "direction": Rule(
            "a vector that is not 0 is its length times a vector of length 1", _direction
        ),
        "unit_vector": Rule("some vector has length 1", _unit_vector),
        "moved_vector": Rule("if A ≠ 0, then A x ≠ 0 for some x", _moved_vector),
        "larger_kernel": Rule(
            "rank and kernel: if A y = 0 gives B y = 0, and B x = 0 but A x ≠ 0 for some x, "
            "then rank(B) + 1 ≤ rank(A)",
            _larger_kernel,
        ),
        "triangle": Rule("triangle inequality: ‖a + b‖ ≤ ‖a‖ + ‖b‖", _triangle),
        "norm_of_multiple": Rule("‖c a‖ = |c| ‖a‖", _norm_of_multiple),
        "norm_squared": Rule("‖a‖ ≥ 0 and ‖a‖² = aᵀa", _norm_squared),
        "norm_positive": Rule("a vector that is not 0 has ‖a‖ > 0", _norm_positive),
        "norm_of_negative": Rule("‖−a‖ = ‖a‖", _norm_of_negative),
        "positive_square_sum": Rule(
            "a real vector that is not 0 has xᵀx > 0", _positive_square_sum
        ),
        "absolute_of_nonnegative": Rule("|c| = c if c ≥ 0", _absolute_of_nonnegative),
        "absolute_value": Rule("|c| is c if c ≥ 0, and −c if c ≤ 0", _absolute_value),
        "absolute_product": Rule("|a b| = |a| |b|", _absolute_product),
        "absolute_nonnegative": Rule("0 ≤ |a|", _absolute_nonnegative),
        "absolute_triangle": Rule("|a + b| ≤ |a| + |b|", _absolute_triangle),
        "size_at_least_one": Rule("a size is at least 1", _size_at_least_one),
        "positive_part": Rule(
            "a number is its positive part less its negative part: max(0, t) − max(0, −t) = t",
            _positive_part,
        ),
        "positive_product": Rule("a product of positive reals is positive", _positive_product),
        "nonnegative_product": Rule("a product of reals ≥ 0 is ≥ 0", _nonnegative_product),
        "rank_of_nonzero": Rule("a matrix that is not 0 has rank at least 1", _rank_of_nonzero),
        "determinant_of_shifted_product": Rule(
            "det(t I − u w) = tⁿ⁻¹ (t − w u) for a column u and a row w (Sylvester)",
            _determinant_of_shifted_product,
        ),
        "determinant_of_copies": Rule(
            "m copies of M along the diagonal: det(I_m ⊗ M) = det(M)^m", _determinant_of_copies
        ),
        "determinant_of_invertible": Rule(
            "an invertible matrix has a determinant other than 0", _determinant_of_invertible
        ),
        "nonzero_determinant": Rule(
            "a square matrix with a determinant other than 0 is invertible", _nonzero_determinant
        ),
        "one_dimension": Rule("in dimension 1, a bᵀ = (aᵀb) I", _one_dimension),
        "columns_of_product": Rule("vec(A M) = (I ⊗ A) vec(M)", _columns_of_product),
        "squares_in_order": Rule("0 ≤ a ≤ b gives a² ≤ b²", _squares_in_order),
        "square_of_absolute": Rule("|c|² = c²", _square_of_absolute),
        "root_of_product": Rule("√a √b = √(a b) for a, b ≥ 0", _root_of_product),
        "greatest": Rule("max(a, b) is a if b ≤ a, and b if a ≤ b", _greatest),
        "sigmoid": Rule("σ(z) = 1/(1 + exp(−z))", _sigmoid),
        "exp_of_negative": Rule("exp(−z) = 1/exp(z)", _exp_of_negative),
        "exp_of_zero": Rule("exp(0) = 1", _exp_of_zero),
        "exp_increasing": Rule("exp is increasing", _exp_increasing),
        "log_of_product": Rule("log a + log b = log(a b) for a, b > 0", _log_of_product),
        "log_of_power": Rule("n log a = log(aⁿ) for a > 0", _log_of_power),
        "rounded_from": Rule(
            "what reaches the midpoint below a number of the format is rounded to it or above; "
            "the midpoint itself too, if that number is the even one",
            _rounded_from,
        ),
        "rounded_below": Rule(
            "what does not reach the midpoint below a number of the format is rounded to the one "
            "before it, or below",
            _rounded_below,
        ),
        "number_of_format": Rule("a number of the format is not rounded", _number_of_format),
        "next_number": Rule(
            "a number of the format below another one is at most the one before it", _next_number
        ),
        "exp_of_log": Rule("exp(log t) = t for t > 0", _exp_of_log),
        "limit_of_fraction": Rule(
            "a quotient of polynomials is continuous where its denominator is not 0",
            _limit_of_fraction,
        ),
        "root_of_square": Rule("√(a²) = a for a ≥ 0", _root_of_square),
        "root_squared": Rule("√c ≥ 0 and (√c)² = c for c ≥ 0", _root_squared),
        "double_arctan": Rule(
            "cos(2 arctan t) = (1 − t²)/(1 + t²) and sin(2 arctan t) = 2t/(1 + t²)",
            _double_arctan,
        ),
        "exp_above_tangent": Rule("exp(t) ≥ 1 + t", _exp_above_tangent),
        "sigmoid_at_infinity": Rule("σ(z) → 1 and σ(−z) → 0 as z → ∞", _sigmoid_at_infinity),
        "vanishing": Rule(
            "if f(t) ≥ 0 and c t² f(t)² ≤ 1 for all t > 0, and c > 0, then f → 0", _vanishing
        ),
        "dichotomy": Rule("a = b or a ≠ b; a ≤ b or b < a", _dichotomy),
        "instantiate": Rule("what holds for all holds for this one", _instantiate),
        "instantiate_range": Rule(
            "what holds for each index of a range holds for this one", _instantiate_range
        ),
        "integer_step": Rule("an integer ≤ r + 1 is ≤ r or is r + 1", _integer_step),
        "equal_factors": Rule("products of equal factors are equal", _equal_factors),
        "append_term": Rule(
            "a sequence may be given another term r + 1, its terms 1, …, r kept", _append_term
        ),
        "equal_or_not": Rule("a = b or a ≠ b", _equal_or_not),
        "modus_ponens": Rule("if A ⇒ B and A, then B", _modus_ponens),
        "nonnegative_entries_of_product": Rule(
            "a product of matrices with entries ≥ 0 has entries ≥ 0",
            _nonnegative_entries_of_product,
        ),
        "nonnegative_entries_of_transpose": Rule(
            "a transpose has the same entries", _nonnegative_entries_of_transpose
        ),
        "entry_at_most_sum": Rule(
            "if numbers ≥ 0 sum to 1, each of them is at most 1", _entry_at_most_sum
        ),
        "laplacian": Rule(
            "for a symmetric K with entries ≥ 0 and K 𝟏 = 𝟏, "
            "xᵀx − xᵀK x = ½ Σ_ij K_ij (x_i − x_j)² ≥ 0",
            _laplacian,
        ),
        "traceless_form": Rule(
            "a symmetric M with xᵀM x ≥ 0 for all x and trace 0 is 0", _traceless_form
        ),
        "count_of_ones": Rule("𝟏ᵀ𝟏 = n", _count_of_ones),
        "ones_differ_from_zero": Rule("𝟏 is not 0", _ones_differ_from_zero),
        "entries_less_squares": Rule(
            "Σ_ij m_ij = 𝟏ᵀM 𝟏 and Σ_ij m_ij² = tr(MᵀM)", _entries_less_squares
        ),
        "diagonal_of_vector": Rule("diag(v) 𝟏 = v", _diagonal_of_vector),
        "diagonal_commutes": Rule("diag(a) b = diag(b) a", _diagonal_commutes),
        "diagonal_invertible": Rule(
            "a diagonal matrix with positive entries is invertible", _diagonal_invertible
        ),
        "positive_sums": Rule(
            "the column sums of a matrix with positive entries are positive", _positive_sums
        ),
        "reciprocals_agree": Rule(
            "u_i a_i = 1 = u_i b_i for all i only if a = b", _reciprocals_agree
        ),
        "smaller_norm": Rule(
            "norms are ≥ 0: aᵀa ≤ c² bᵀb with c ≥ 0 gives ‖a‖ ≤ c ‖b‖", _smaller_norm
        ),
        "frobenius_squared": Rule("‖M‖_F ≥ 0 and ‖M‖_F² = tr(MᵀM)", _frobenius_squared),
        "frobenius_triangle": Rule("‖A + B‖_F ≤ ‖A‖_F + ‖B‖_F", _frobenius_triangle),
        "frobenius_product": Rule("‖A B‖_F ≤ ‖A‖_F ‖B‖_F", _frobenius_product),
        "frobenius_multiple": Rule("‖c M‖_F = |c| ‖M‖_F", _frobenius_multiple),
        "frobenius_transpose": Rule("‖Mᵀ‖_F = ‖M‖_F", _frobenius_transpose),
        "trace_at_most": Rule("|tr(AᵀB)| ≤ ‖A‖_F ‖B‖_F (Cauchy and Schwarz)", _trace_at_most),
        "smaller_entries": Rule(
            "if |E_ij| ≤ c |M_ij| for all i, j, then ‖E‖_F ≤ c ‖M‖_F", _smaller_entries
        ),
        "smaller_entries_of_product": Rule(
            "if |E_ij| ≤ c Σ_h |A_ih| |B_hj| for all i, j, then ‖E‖_F ≤ c ‖A‖_F ‖B‖_F",
            _smaller_entries_of_product,
        ),
        "entry_is_norm": Rule("a 1×1 matrix has |entry| = ‖M‖_F", _entry_is_norm),
        "trace_of_columns": Rule("tr(AᵀB) = vec(A)ᵀ vec(B)", _trace_of_columns),
        "product_in_any_order": Rule(
            "if C is A B, each entry summed in any order with roundoff r, then "
            "|(C − A B)_ij| ≤ n r Σ_h |A_ih| |B_hj|",
            _product_in_any_order,
            proved_by="rounding.product_in_any_order",
        ),
        "terms_of_zero_sum": Rule("numbers ≥ 0 that sum to 0 are all 0", _terms_of_zero_sum),
        "sum_of_zeros": Rule("a sum of zeros is 0", _sum_of_zeros),
        "sum_empty": Rule("a sum over nothing is 0", _sum_empty),
        "sum_last": Rule("the last term of a sum stands apart", _sum_last),
        "scaled_sum": Rule("a factor goes into a sum, to each of its terms", _scaled_sum),
        "absolute_of_sum": Rule(
            "if |a_i| ≤ b_i for each i, then |Σ a_i| ≤ Σ b_i", _absolute_of_sum
        ),
        "sums_in_order": Rule("if a_i ≤ b_i for each i, then Σ a_i ≤ Σ b_i", _sums_in_order),
        "sum_of_sums": Rule("Σ (a_i + b_i) = Σ a_i + Σ b_i", _sum_of_sums),
        "inner_product": Rule("aᵀb = Σ a_h b_h", _inner_product),
        "row_of_identity": Rule(
            "Σ I_ih a_h = Σ |I_ih| a_h = a_i: a row of the identity has one entry, 1",
            _row_of_identity,
        ),
        "equal_terms": Rule("sums with equal terms are equal", _equal_terms),
        "product_empty": Rule("a product over nothing is 1, or I", _product_empty),
        "product_last": Rule("the last factor of a product stands apart", _product_last),
        "power_successor": Rule("M^(t+1) = M M^t", _power_successor),
        "power_of_sum": Rule("M^(s+t) = M^s M^t", _power_of_sum),
        "power_commutes": Rule("M^t M = M M^t", _power_commutes),
        "geometric_limit": Rule("c^t → 0 for −1 < c < 1", _geometric_limit),
        "limit_of_polynomial": Rule("polynomials are continuous", _limit_of_polynomial),
        "limit_of_affine": Rule("if A_t → L, then K + M A_t → K + M L", _limit_of_affine),
        "limit_of_quotient": Rule(
            "if y_t b_t = a_t, a_t → a and b_t → b ≠ 0, then y_t → a/b", _limit_of_quotient
        ),
        "limit_written": Rule("a limit may be written in another way", _limit_written),
        "limit_of_equal": Rule("equal sequences have the same limit", _limit_of_equal),
        "limit_of_tail": Rule(
            "a sequence has the limit of what is left without its first terms", _limit_of_tail
        ),
        "limit_of_subsequence": Rule(
            "a subsequence has the limit of the sequence", _limit_of_subsequence
        ),
        "limit_by_bound": Rule(
            "if ‖(A_t − L) x‖ ≤ b_t ‖x‖ for all x, and b_t → 0, then A_t → L", _limit_by_bound
        ),
        "vanishing_powers": Rule(
            "if M^t → 0 and M x = λ x with x ≠ 0, then λ^t → 0, so −1 < λ < 1", _vanishing_powers
        ),
        "longest_direction": Rule(
            "some c ≥ 0 and x ≠ 0 have MᵀM x = c² x and ‖M y‖ ≤ c ‖y‖ for all y "
            "(the largest eigenvalue of MᵀM)",
            _longest_direction,
        ),
        "zero_product": Rule("a product of reals is 0 only if a factor is", _zero_product),
        "zero_square": Rule("a real with square 0 is 0", _zero_square),
        "local_derivative": Rule(
            "functions that are equal near a point have the same derivative there",
            _local_derivative,
        ),
        "product_with_exponential": Rule(
            "product rule: ((f − c) exp(a t))' = (f' + a (f − c)) exp(a t)",
            _product_with_exponential,
        ),
        "zero_slope": Rule("a function whose slope is 0 everywhere is constant", _zero_slope),
        "chain_rule": Rule("chain rule: the derivative of g(u(x)) is g'(u(x)) u'(x)", _chain_rule),
    }
)
