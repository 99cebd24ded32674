"""Propositions of the statement language: what a claim assumes and what it concludes.

eq, ne, le, lt           == relations between expressions of one shape (orders: scalars)
invertible               == a square matrix has an inverse
differentiable           == an expression has a derivative at a point
both, either             == conjunction, disjunction
implies, iff             == implication, equivalence
forall, exists           == quantifiers over a real scalar or matrix, or over a range of an index;
                            exists also over a sequence
tends_to                 == a limit
every_entry              == a proposition on each entry of a matrix
spectral_norm_is, spectral_norm_below, smallest_singular_value_is == by their definitions, in the
                            field's notation
distance_to_orthogonal_is == likewise, of a square matrix from the orthogonal ones
Proposition              == base of all nodes

Free symbols of a claim are universally quantified. Nothing is rewritten: `eq(x / x, 1)` stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import overload

from .binding import fresh
from .expressions import (
    Apply,
    Expression,
    FunctionSymbol,
    Identity,
    IndexSymbol,
    MatrixSymbol,
    Norm,
    Number,
    ScalarSymbol,
    SequenceSymbol,
    ShapeError,
    SizeOf,
    Zero,
    _scalar_operand,
    _sized,
    _square,
    as_expression,
    check_range,
    check_variable,
    element,
    field_names,
    matrix_shape,
    walk,
)
from .nodes import tree_node


@tree_node
class Proposition:
    """A statement that is true or false once its symbols have values."""

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions this node compares, bounds or asserts something of."""
        values = (getattr(self, name) for name in field_names(type(self)))
        return tuple(value for value in values if isinstance(value, Expression))

    @property
    def propositions(self) -> tuple[Proposition, ...]:
        """The propositions this node is built from."""
        values = (getattr(self, name) for name in field_names(type(self)))
        return tuple(value for value in values if isinstance(value, Proposition))

    def __bool__(self) -> bool:
        raise TypeError(
            f"`{self}` has no truth of its own; join statements by both(…), either(…), implies(…), "
            "not by and, or, if"
        )

    def __str__(self) -> str:
        from .printing import plain

        return plain(self)


@tree_node
class _Relation(Proposition):
    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        if self.left.shape != self.right.shape:
            raise ShapeError(f"cannot compare {_sized(self.left)} with {_sized(self.right)}")


@tree_node
class _Order(_Relation):
    def __post_init__(self) -> None:
        super().__post_init__()
        if self.left.shape is not None:
            raise ShapeError(f"an order relation needs scalars, got {_sized(self.left)}")


class Eq(_Relation):
    """left = right."""


class Ne(_Relation):
    """left ≠ right: some entry differs."""


class Le(_Order):
    """left ≤ right."""


class Lt(_Order):
    """left < right."""


@tree_node
class Invertible(Proposition):
    """A square matrix has an inverse."""

    body: Expression

    def __post_init__(self) -> None:
        _square(self.body, "invertible")


@tree_node
class Differentiable(Proposition):
    """`body`, as a function of `variable`, has a derivative at the point `at`."""

    body: Expression
    variable: ScalarSymbol
    at: Expression

    def __post_init__(self) -> None:
        check_variable(self.variable, ScalarSymbol)
        _scalar_operand(self.at, "the point `at`")


def _check_propositions(*parts: object) -> None:
    for part in parts:
        if not isinstance(part, Proposition):
            raise TypeError(f"{part!r} is not a proposition; compare expressions with eq(…)")


@tree_node
class _Joined(Proposition):
    parts: tuple[Proposition, ...]

    def __post_init__(self) -> None:
        _check_propositions(*self.parts)

    @property
    def propositions(self) -> tuple[Proposition, ...]:
        return self.parts


class And(_Joined):
    """All of the parts."""


class Or(_Joined):
    """At least one of the parts."""


@tree_node
class Implies(Proposition):
    """If left then right."""

    left: Proposition
    right: Proposition

    def __post_init__(self) -> None:
        _check_propositions(self.left, self.right)


@tree_node
class Iff(Proposition):
    """Left exactly when right."""

    left: Proposition
    right: Proposition

    def __post_init__(self) -> None:
        _check_propositions(self.left, self.right)


@tree_node
class _Quantified(Proposition):
    variable: ScalarSymbol | MatrixSymbol | SequenceSymbol
    body: Proposition

    def __post_init__(self) -> None:
        check_variable(self.variable, ScalarSymbol, MatrixSymbol, SequenceSymbol)
        _check_propositions(self.body)


class ForAll(_Quantified):
    """For every real `variable`, a scalar, a matrix or a sequence of them."""


class Exists(_Quantified):
    """For some real `variable`, a scalar, a matrix or a sequence of them."""


@tree_node
class TendsTo(Proposition):
    """`body` tends to `limit` as `variable` tends to `to`, or, with `to` None, to +∞."""

    body: Expression
    variable: ScalarSymbol | IndexSymbol
    to: Expression | None
    limit: Expression

    def __post_init__(self) -> None:
        check_variable(self.variable, ScalarSymbol, IndexSymbol)
        if self.to is not None:
            _scalar_operand(self.to, "what a variable tends to")
        if self.body.shape != self.limit.shape:
            raise ShapeError(f"{_sized(self.body)} cannot tend to {_sized(self.limit)}")


@tree_node
class Defined(Proposition):
    """`body` under the notation of the field: `notation` with the expressions in its places.

    Every reader but print reads the body, so that ‖M‖ = c means what its definition says.
    """

    notation: str
    places: tuple[Expression, ...]
    body: Proposition


@tree_node
class _OverRange(Proposition):
    index: IndexSymbol
    first: Expression
    last: Expression | None
    body: Proposition

    def __post_init__(self) -> None:
        check_range(self.index, self.first, self.last)
        _check_propositions(self.body)


class ForRange(_OverRange):
    """For every integer `index` from `first` to `last`, both included; `last` None: to no end."""


class ExistsRange(_OverRange):
    """For some integer `index` from `first` to `last`, both included; `last` None: to no end."""


# ---------------------------------------------------------------- the constructors users call


def eq(left: Expression | Number, right: Expression | Number) -> Eq:
    """left = right, for scalars or matrices of one shape."""
    return Eq(as_expression(left), as_expression(right))


def ne(left: Expression | Number, right: Expression | Number) -> Ne:
    """left ≠ right, for scalars or matrices of one shape."""
    return Ne(as_expression(left), as_expression(right))


def le(left: Expression | Number, right: Expression | Number) -> Le:
    """left ≤ right, for scalars."""
    return Le(as_expression(left), as_expression(right))


def lt(left: Expression | Number, right: Expression | Number) -> Lt:
    """left < right, for scalars."""
    return Lt(as_expression(left), as_expression(right))


def invertible(body: Expression) -> Invertible:
    """The square matrix has an inverse."""
    return Invertible(body)


def differentiable(
    body: Expression, variable: ScalarSymbol, *, at: Expression | Number
) -> Differentiable:
    """`body`, as a function of `variable`, has a derivative at `at`."""
    return Differentiable(body, variable, as_expression(at))


def both(*parts: Proposition) -> And:
    """All of the parts hold."""
    return And(parts)


def either(*parts: Proposition) -> Or:
    """At least one of the parts holds."""
    return Or(parts)


def implies(left: Proposition, right: Proposition) -> Implies:
    """If left then right."""
    return Implies(left, right)


def iff(left: Proposition, right: Proposition) -> Iff:
    """Left exactly when right."""
    return Iff(left, right)


def tends_to(
    body: Expression | Number,
    limit: Expression | Number,
    *,
    variable: ScalarSymbol | IndexSymbol,
    to: Expression | Number | None = None,
) -> TendsTo:
    """`body` tends to `limit` as `variable` tends to `to` (default: to +∞)."""
    point = None if to is None else as_expression(to)
    return TendsTo(as_expression(body), variable, point, as_expression(limit))


def spectral_norm_is(body: Expression, value: Expression | Number) -> Defined:
    """‖M‖ = c: c ≥ 0 bounds ‖Mx‖/‖x‖, and some x ≠ 0 attains it."""
    return _extreme_stretch("spectral norm", body, as_expression(value), upper=True)


def spectral_norm_below(body: Expression, value: Expression | Number) -> Defined:
    """‖M‖ < c: some number in [0, c) bounds ‖Mx‖/‖x‖."""
    value = as_expression(value)
    columns = matrix_shape(body)[1]
    x = fresh(MatrixSymbol("x", columns, 1), body, value)
    bound = fresh(ScalarSymbol("c"), body, value)
    bounded = ForAll(x, Le(Norm(body @ x), bound * Norm(x)))
    smaller = Exists(bound, both(le(0, bound), Lt(bound, value), bounded))
    return Defined("spectral norm below", (body, value), smaller)


def smallest_singular_value_is(body: Expression, value: Expression | Number) -> Defined:
    """σ_min(M) = c for square M: c ≥ 0 bounds ‖Mx‖/‖x‖ from below, and some x ≠ 0 attains it."""
    return _extreme_stretch("smallest singular value", body, as_expression(value), upper=False)


def distance_to_orthogonal_is(body: Expression, value: Expression | Number) -> Defined:
    """dist(M, O(n)) = c: ‖M − U‖ ≥ c for every orthogonal U, and some U attains it."""
    value = as_expression(value)
    columns = matrix_shape(body)[1]
    x = fresh(MatrixSymbol("x", columns, 1), body, value)
    U = fresh(MatrixSymbol("U", columns, columns), body, value)
    orthogonal = Eq(U.T @ U, Identity(columns))
    stretched, scaled = Norm((body - U) @ x), value * Norm(x)
    away = Exists(x, both(ne(x, Zero(columns, 1)), Le(scaled, stretched)))
    attained = Exists(U, both(orthogonal, ForAll(x, Le(stretched, scaled))))
    return Defined(
        "distance to the orthogonal group",
        (body, value),
        both(ForAll(U, Implies(orthogonal, away)), attained),
    )


def _extreme_stretch(notation: str, body: Expression, value: Expression, *, upper: bool) -> Defined:
    columns = matrix_shape(body)[1]
    x = fresh(MatrixSymbol("x", columns, 1), body, value)
    stretched, scaled = Norm(body @ x), value * Norm(x)
    bound = Le(stretched, scaled) if upper else Le(scaled, stretched)
    attained = both(ne(x, Zero(columns, 1)), Eq(stretched, scaled))
    return Defined(
        notation, (body, value), both(le(0, value), ForAll(x, bound), Exists(x, attained))
    )


@overload
def forall(
    variable: IndexSymbol,
    body: Proposition,
    *,
    over: tuple[Expression | int, Expression | int | None],
) -> ForRange: ...
@overload
def forall(variable: ScalarSymbol | MatrixSymbol, body: Proposition) -> ForAll: ...
def forall(
    variable: ScalarSymbol | MatrixSymbol | IndexSymbol,
    body: Proposition,
    *,
    over: tuple[Expression | int, Expression | int | None] | None = None,
) -> ForAll | ForRange:
    """For every real scalar or matrix; for an index, over (first, last), both included.

    With ``over=(first, None)`` the index runs through all integers from `first`.
    """
    if not isinstance(variable, IndexSymbol):
        if over is not None:
            raise TypeError("`over` bounds an index; bound a real variable by `implies(…)`")
        return ForAll(variable, body)
    return ForRange(variable, *_range(variable, over), body)


@overload
def exists(
    variable: IndexSymbol,
    body: Proposition,
    *,
    over: tuple[Expression | int, Expression | int | None],
) -> ExistsRange: ...
@overload
def exists(variable: ScalarSymbol | MatrixSymbol | SequenceSymbol, body: Proposition) -> Exists: ...
def exists(
    variable: ScalarSymbol | MatrixSymbol | SequenceSymbol | IndexSymbol,
    body: Proposition,
    *,
    over: tuple[Expression | int, Expression | int | None] | None = None,
) -> Exists | ExistsRange:
    """For some real scalar, matrix or sequence; for an index, over (first, last) as in `forall`."""
    if not isinstance(variable, IndexSymbol):
        if over is not None:
            raise TypeError("`over` bounds an index; bound a real variable by `both(…)`")
        return Exists(variable, body)
    return ExistsRange(variable, *_range(variable, over), body)


def every_entry(body: Expression, says: Callable[[Expression], Proposition]) -> ForRange:
    """`says` of each entry of a matrix, for all i and j.

    The two indices are new to the matrix and to whatever else `says` speaks of.
    """
    unnamed = says(element(body, IndexSymbol(""), IndexSymbol("")))
    i, j = fresh(IndexSymbol("i"), unnamed), fresh(IndexSymbol("j"), unnamed)
    rows, columns = matrix_shape(body)
    of_row = forall(j, says(element(body, i, j)), over=(1, SizeOf(columns)))
    return ForRange(i, as_expression(1), SizeOf(rows), of_row)


def _range(
    variable: IndexSymbol, over: tuple[Expression | int, Expression | int | None] | None
) -> tuple[Expression, Expression | None]:
    if over is None:
        raise TypeError(f"give the range of the index {variable.name}: over=(first, last)")
    first, last = over
    return as_expression(first), None if last is None else as_expression(last)


# ---------------------------------------------------------------- looking inside


def atoms(statement: Proposition) -> Iterator[Proposition]:
    """The parts of a statement that contain no further proposition, in order."""
    if not statement.propositions:
        yield statement
    for part in statement.propositions:
        yield from atoms(part)


def expressions_in(statement: Proposition) -> Iterator[Expression]:
    """Every expression and sub-expression of a statement, in order, with repetitions."""
    for part in statement.expressions:
        yield from walk(part)
    for part in statement.propositions:
        yield from expressions_in(part)


def replace_expressions(
    statement: Proposition, change: Callable[[Expression], Expression]
) -> Proposition:
    """`statement` with each of its expressions replaced by `change(expression)`."""

    def new(value: object) -> object:
        if isinstance(value, Expression):
            return change(value)
        if isinstance(value, Proposition):
            return replace_expressions(value, change)
        if isinstance(value, tuple):
            return tuple(map(new, value))
        return value

    return replace(
        statement,
        **{name: new(getattr(statement, name)) for name in field_names(type(statement))},
    )


def functions_in(statement: Proposition) -> Iterator[FunctionSymbol]:
    """The function symbols of a statement, in order, with repetitions."""
    for node in expressions_in(statement):
        if isinstance(node, Apply):
            yield node.function
