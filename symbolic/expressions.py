"""Expressions of the statement language: trees that are kept exactly as they are written.

Dim               == a matrix size that ranges over the integers ≥ 1
Expression        == base of all nodes; `shape` is (rows, columns), or None for a scalar
dims, index       == make sizes, integer indices
scalar, vector, matrix, function, sequence, mapping, constant, eye, zeros, ones, size == make leaves
inv, tr, det, norm, rank, entry, element, kron, vec, diagonal == of matrices
least, greatest, absolute, sqrt, elementary, rounded == of scalars
is_integer               == does the form of a scalar say that it is an integer?
named, derivative, total, product, ordered_product == of either
eliminated               == a linear system solved in floating-point arithmetic
ShapeError        == raised where shapes do not fit, naming both

A 1×1 matrix is not a scalar: `entry(M)` makes it one. Python integers and fractions mix with
scalars and scale matrices; floats are refused, since 0.1 is not one tenth. `==` compares trees;
the mathematical equality of two expressions is the proposition `eq` (propositions.py).

Left out: truth (propositions.py), values (evaluation.py), print (printing.py, rocq.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from .formats import Format
from .nodes import tree_node


class ShapeError(ValueError):
    """Two expressions whose shapes do not fit, or an expression used as what it is not."""


LARGEST_EXPONENT = 256
"""Powers are multiplied out by several readers."""


@lru_cache(maxsize=256)
def field_names(node: type) -> tuple[str, ...]:
    """The fields of a class of nodes: trees are walked through often."""
    return tuple(f.name for f in fields(node))


@tree_node
class Dim:
    """A matrix size, an integer ≥ 1 of which nothing else is known."""

    name: str

    def __str__(self) -> str:
        return self.name


@tree_node
class SizeProduct:
    """The size of a Kronecker product or of a stacked matrix."""

    left: Size
    right: Size

    def __post_init__(self) -> None:
        _check_sizes(self.left, self.right)

    def __str__(self) -> str:
        return f"{self.left}·{self.right}"


Size: TypeAlias = Dim | SizeProduct | int
Shape: TypeAlias = tuple[Size, Size]
Number: TypeAlias = int | Fraction


@tree_node
class Expression:
    """A node of the tree. Operators build larger trees and check shapes; nothing is rewritten."""

    @property
    def shape(self) -> Shape | None:
        """(rows, columns) of a matrix, None of a scalar."""
        return None

    @cached_property
    def parts(self) -> tuple[Expression, ...]:
        """The expressions this node is built from, in order."""
        values = (getattr(self, name) for name in field_names(type(self)))
        return tuple(value for value in values if isinstance(value, Expression))

    def __add__(self, other: Expression | Number) -> Expression:
        return Add(self, _like(self, other, "+"))

    def __radd__(self, other: Number) -> Expression:
        return Add(_like(self, other, "+"), self)

    def __sub__(self, other: Expression | Number) -> Expression:
        return Sub(self, _like(self, other, "-"))

    def __rsub__(self, other: Number) -> Expression:
        return Sub(_like(self, other, "-"), self)

    def __neg__(self) -> Expression:
        return Neg(self)

    def __mul__(self, other: Expression | Number) -> Expression:
        other = as_expression(other)
        if self.shape is None:
            return Mul(self, other) if other.shape is None else Scale(self, other)
        if other.shape is None:
            return Scale(other, self)
        raise ShapeError(
            f"`*` scales a matrix by a scalar; write `@` for the product of {_sized(self)} "
            f"and {_sized(other)}"
        )

    def __rmul__(self, other: Number) -> Expression:
        return as_expression(other) * self

    def __truediv__(self, other: Expression | Number) -> Expression:
        other = _scalar_operand(as_expression(other), "a denominator")
        return Div(self, other) if self.shape is None else Scale(Div(Literal(1), other), self)

    def __rtruediv__(self, other: Number) -> Expression:
        return as_expression(other) / self

    def __pow__(self, exponent: int | Expression) -> Expression:
        if isinstance(exponent, Expression):
            return NaturalPower(self, exponent)
        power = Power(self if self.shape is None else Literal(1), exponent)  # checks the exponent
        return power if self.shape is None else NaturalPower(self, Literal(exponent))

    def __matmul__(self, other: Expression) -> Expression:
        return MatMul(self, other)

    @property
    def T(self) -> Expression:
        """The transpose."""
        return Transpose(self)

    def __str__(self) -> str:
        from .printing import plain

        return plain(self)


def walk(node: Expression) -> Iterator[Expression]:
    """`node` and everything below it, parents first."""
    ahead = [node]
    while ahead:
        here = ahead.pop()
        yield here
        ahead += reversed(here.parts)


def rebuild(node: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """`node` with each of its parts replaced by `change(part)`."""
    changed = {
        name: new
        for name in field_names(type(node))
        if isinstance(value := getattr(node, name), Expression)
        and (new := change(value)) is not value
    }
    return replace(node, **changed) if changed else node


def substitute(node: Expression, values: Mapping[Expression, Expression]) -> Expression:
    """`node` with every occurrence of a key of `values` replaced by its value."""
    return values[node] if node in values else rebuild(node, lambda part: substitute(part, values))


# ---------------------------------------------------------------- leaves


@tree_node
class Literal(Expression):
    """A rational number."""

    value: Fraction

    def __init__(self, value: Number):
        object.__setattr__(self, "value", Fraction(value))


@tree_node
class ScalarSymbol(Expression):
    """A real variable."""

    name: str


@tree_node
class IndexSymbol(Expression):
    """An integer variable: a bound of a range, or a subscript."""

    name: str


@tree_node
class MatrixSymbol(Expression):
    """A real matrix variable; a vector is a matrix with one column."""

    name: str
    rows: Size
    columns: Size

    def __post_init__(self) -> None:
        _check_sizes(self.rows, self.columns)

    @property
    def shape(self) -> Shape:
        return (self.rows, self.columns)


@tree_node
class FunctionSymbol:
    """A function from the reals to the reals; `f(x)` applies it."""

    name: str

    def __call__(self, argument: Expression | Number) -> Expression:
        return Apply(self, _scalar_operand(as_expression(argument), f"the argument of {self.name}"))


@tree_node
class MapSymbol:
    """A map from vectors of a size, or size×columns matrices, to such: `f(x)` applies it.

    With a subscript, `F(x, i)`, it is a family of maps, of which the i-th is applied.
    """

    name: str
    size: Size
    columns: Size = 1

    def __post_init__(self) -> None:
        _check_sizes(self.size, self.columns)

    def __call__(self, argument: Expression, member: Expression | int | None = None) -> Expression:
        return Image(self, argument, None if member is None else as_expression(member))


@tree_node
class SequenceSymbol:
    """A sequence indexed by integers, of scalars (`size` None) or of size×columns matrices.

    `x[i]` is a term.
    """

    name: str
    size: Size | None = None
    columns: Size = 1

    def __post_init__(self) -> None:
        _check_sizes(*(() if self.size is None else (self.size,)), self.columns)

    def __getitem__(self, subscript: Expression | int) -> Expression:
        return Term(self, as_expression(subscript))


@tree_node
class Constant(Expression):
    """A matrix of rational numbers, row by row."""

    entries: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.entries}
        if len(widths) != 1 or widths == {0}:
            rows = [list(map(str, row)) for row in self.entries]
            raise ShapeError(f"a constant matrix needs rows of one length ≥ 1, got {rows}")

    @property
    def shape(self) -> Shape:
        return (len(self.entries), len(self.entries[0]))


@tree_node
class Identity(Expression):
    """The n×n identity matrix."""

    size: Size

    def __post_init__(self) -> None:
        _check_sizes(self.size)

    @property
    def shape(self) -> Shape:
        return (self.size, self.size)


@tree_node
class Zero(Expression):
    """The zero matrix."""

    rows: Size
    columns: Size

    def __post_init__(self) -> None:
        _check_sizes(self.rows, self.columns)

    @property
    def shape(self) -> Shape:
        return (self.rows, self.columns)


@tree_node
class Ones(Expression):
    """The matrix whose entries are all 1."""

    rows: Size
    columns: Size

    def __post_init__(self) -> None:
        _check_sizes(self.rows, self.columns)

    @property
    def shape(self) -> Shape:
        return (self.rows, self.columns)


# ---------------------------------------------------------------- scalars and matrices alike


@tree_node
class _Sum(Expression):
    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        shapes = (self.left.shape, self.right.shape)
        if shapes[0] != shapes[1]:
            hint = "; use entry(…) for the number in a 1×1 matrix" if (1, 1) in shapes else ""
            raise ShapeError(
                f"cannot add or subtract {_sized(self.left)} and {_sized(self.right)}{hint}"
            )

    @property
    def shape(self) -> Shape | None:
        return self.left.shape


class Add(_Sum):
    """left + right."""


class Sub(_Sum):
    """left − right."""


@tree_node
class Neg(Expression):
    """−body."""

    body: Expression

    @property
    def shape(self) -> Shape | None:
        return self.body.shape


@tree_node
class Named(Expression):
    """`body`, which statements print as `name` and explain once ("where Q = …")."""

    name: str
    body: Expression

    @property
    def shape(self) -> Shape | None:
        return self.body.shape


@tree_node
class Term(Expression):
    """The term of a sequence at an integer subscript."""

    sequence: SequenceSymbol
    subscript: Expression

    def __post_init__(self) -> None:
        _check_integers("a subscript", self.subscript)

    @property
    def shape(self) -> Shape | None:
        sequence = self.sequence
        return None if sequence.size is None else (sequence.size, sequence.columns)


@tree_node
class _OverRange(Expression):
    index: IndexSymbol
    first: Expression
    last: Expression
    body: Expression

    def __post_init__(self) -> None:
        check_range(self.index, self.first, self.last)


class Total(_OverRange):
    """The sum of `body` over index = first, …, last (0 when the range is empty)."""

    @property
    def shape(self) -> Shape | None:
        return self.body.shape


class Repeated(_OverRange):
    """The product of the scalar `body` over index = first, …, last (1 when the range is empty)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _scalar_operand(self.body, "the body of a product over a range")


@tree_node
class NaturalPower(Expression):
    """A scalar or square matrix to an integer exponent ≥ 0 that may be an expression (0⁰ = 1)."""

    base: Expression
    exponent: Expression

    def __post_init__(self) -> None:
        if self.base.shape is not None:
            _square(self.base, "`**`")
        _check_integers("an exponent", self.exponent)

    @property
    def shape(self) -> Shape | None:
        return self.base.shape


# ---------------------------------------------------------------- scalars


@tree_node
class SizeOf(Expression):
    """A size as a number."""

    size: Size

    def __post_init__(self) -> None:
        _check_sizes(self.size)


@tree_node
class _OfTwoScalars(Expression):
    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        for side in (self.left, self.right):
            _scalar_operand(side, f"what {type(self).__name__} joins")


class Mul(_OfTwoScalars):
    """The product of two scalars."""


class Div(_OfTwoScalars):
    """The quotient of two scalars; a claim must know that the denominator is not zero."""


class Least(_OfTwoScalars):
    """The smaller of two scalars."""


class Greatest(_OfTwoScalars):
    """The larger of two scalars."""


@tree_node
class _OfScalar(Expression):
    body: Expression

    def __post_init__(self) -> None:
        _scalar_operand(self.body, f"what {type(self).__name__} is of")


class Absolute(_OfScalar):
    """The absolute value of a scalar."""


class SquareRoot(_OfScalar):
    """The square root of a scalar; a claim must know that it is ≥ 0."""


@tree_node
class Elementary(Expression):
    """An elementary function of a scalar: one of ELEMENTARY."""

    name: str
    body: Expression

    def __post_init__(self) -> None:
        _scalar_operand(self.body, f"the argument of {self.name}")
        if self.name not in ELEMENTARY:
            raise ValueError(f"{self.name!r} is not one of {', '.join(ELEMENTARY)}")


ELEMENTARY = ("exp", "log", "sin", "cos", "arctan", "sigmoid")
"""sigmoid(z) is the logistic function 1/(1 + exp(−z))."""


@tree_node
class Rounded(Expression):
    """The number of a floating-point format that is nearest to a scalar, ties to even.

    It has no value where it would be infinite.
    """

    body: Expression
    format: Format

    def __post_init__(self) -> None:
        _scalar_operand(self.body, "what is rounded")


@tree_node
class Power(Expression):
    """A scalar to an integer exponent ≥ 0 (0⁰ = 1)."""

    base: Expression
    exponent: int

    def __post_init__(self) -> None:
        _scalar_operand(self.base, "what is raised to a power")
        if type(self.exponent) is not int or self.exponent < 0:
            raise ShapeError(
                f"exponents are integers ≥ 0, got {self.exponent!r}; write 1/x**n instead"
            )
        if self.exponent > LARGEST_EXPONENT:
            raise ShapeError(f"an exponent is at most {LARGEST_EXPONENT}, got {self.exponent}")


@tree_node
class Apply(Expression):
    """A function symbol applied to a scalar."""

    function: FunctionSymbol
    argument: Expression

    def __post_init__(self) -> None:
        if not isinstance(self.function, FunctionSymbol):
            raise TypeError(f"{self.function!r} is not from function(…)")
        _scalar_operand(self.argument, f"the argument of {self.function.name}")


@tree_node
class Derivative(Expression):
    """The derivative of order `order` of `body` with respect to `variable`, at the point `at`.

    Of a matrix entry by entry.
    """

    body: Expression
    variable: ScalarSymbol
    at: Expression
    order: int = 1

    def __post_init__(self) -> None:
        check_variable(self.variable, ScalarSymbol)
        _scalar_operand(self.at, "the point `at`")
        if type(self.order) is not int or self.order < 0:
            raise ShapeError(f"the order of a derivative is an integer ≥ 0, got {self.order!r}")

    @property
    def shape(self) -> Shape | None:
        return self.body.shape


@tree_node
class _OfMatrix(Expression):
    body: Expression

    def __post_init__(self) -> None:
        if self.body.shape is None:
            raise ShapeError(
                f"{type(self).__name__.lower()} needs a matrix, got {_sized(self.body)}"
            )


@tree_node
class _OfSquare(_OfMatrix):
    def __post_init__(self) -> None:
        super().__post_init__()
        _square(self.body, type(self).__name__.lower())


class Entry(_OfMatrix):
    """The entry of a 1×1 matrix."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.body.shape != (1, 1):
            raise ShapeError(f"entry needs a 1×1 matrix, got {_sized(self.body)}")


@tree_node
class Element(Expression):
    """An entry of a matrix; rows and columns count from 1."""

    body: Expression
    row: Expression
    column: Expression

    def __post_init__(self) -> None:
        matrix_shape(self.body)
        _check_integers("a row or column", self.row, self.column)


class Det(_OfSquare):
    """The determinant."""


class Trace(_OfSquare):
    """The trace."""


class Rank(_OfMatrix):
    """The rank, as a real number."""


class Norm(_OfMatrix):
    """The Euclidean norm of a vector."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.body.shape is None or self.body.shape[1] != 1:
            raise ShapeError(f"norm needs a vector (n×1), got {_sized(self.body)}")


# ---------------------------------------------------------------- matrices


@tree_node
class Image(Expression):
    """A map applied to a vector or matrix; `member` says which of a family."""

    map: MapSymbol
    argument: Expression
    member: Expression | None = None

    def __post_init__(self) -> None:
        if self.member is not None:
            _check_integers("the member of a family", self.member)
        if self.argument.shape != self.shape:
            raise ShapeError(
                f"{self.map.name} needs an argument of shape ({self.map.size}, "
                f"{self.map.columns}), got {_sized(self.argument)}"
            )

    @property
    def shape(self) -> Shape:
        return (self.map.size, self.map.columns)


@tree_node
class Scale(Expression):
    """A matrix times a scalar."""

    factor: Expression
    body: Expression

    def __post_init__(self) -> None:
        _scalar_operand(self.factor, "the factor of a matrix")
        matrix_shape(self.body)

    @property
    def shape(self) -> Shape:
        return matrix_shape(self.body)


@tree_node
class MatMul(Expression):
    """The product of two matrices."""

    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        left, right = self.left.shape, self.right.shape
        if left is None or right is None:
            raise ShapeError(
                f"`@` multiplies matrices, got {_sized(self.left)} and {_sized(self.right)}"
            )
        if left[1] != right[0]:
            raise ShapeError(
                f"cannot multiply {_sized(self.left)} by {_sized(self.right)}: "
                f"{left[1]} columns meet {right[0]} rows"
            )

    @property
    def shape(self) -> Shape:
        return (matrix_shape(self.left)[0], matrix_shape(self.right)[1])


@tree_node
class Transpose(_OfMatrix):
    """The transpose of a matrix."""

    @property
    def shape(self) -> Shape:
        rows, columns = matrix_shape(self.body)
        return (columns, rows)


@tree_node
class Inverse(_OfSquare):
    """The inverse of a matrix; a claim must know that it is invertible."""

    @property
    def shape(self) -> Shape:
        return matrix_shape(self.body)


@tree_node
class Eliminated(Expression):
    """The X that Gaussian elimination finds for left·X = right, each operation rounded to a format.

    Rows are exchanged so that the pivot is the largest of its column, the first of equal ones. It
    has no value where a pivot is 0.
    """

    left: Expression
    right: Expression
    format: Format

    def __post_init__(self) -> None:
        _square(self.left, "elimination")
        if matrix_shape(self.left)[0] != matrix_shape(self.right)[0]:
            raise ShapeError(f"cannot solve {_sized(self.left)} for {_sized(self.right)}")

    @property
    def shape(self) -> Shape:
        return matrix_shape(self.right)


class OrderedProduct(_OverRange):
    """body(last) ⋯ body(first), square matrices in descending order (I when the range is empty)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _square(self.body, "an ordered product")

    @property
    def shape(self) -> Shape:
        return matrix_shape(self.body)


@tree_node
class Kronecker(Expression):
    """The Kronecker product left ⊗ right."""

    left: Expression
    right: Expression

    @property
    def shape(self) -> Shape:
        (a, b), (c, d) = matrix_shape(self.left), matrix_shape(self.right)
        return (_size_product(a, c), _size_product(b, d))


@tree_node
class Stacked(_OfMatrix):
    """vec: the columns of a matrix under one another."""

    @property
    def shape(self) -> Shape:
        rows, columns = matrix_shape(self.body)
        return (_size_product(columns, rows), 1)


@tree_node
class Diagonal(_OfMatrix):
    """The diagonal matrix with the entries of a vector."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if matrix_shape(self.body)[1] != 1:
            raise ShapeError(f"diagonal needs a vector (n×1), got {_sized(self.body)}")

    @property
    def shape(self) -> Shape:
        rows, _ = matrix_shape(self.body)
        return (rows, rows)


# ---------------------------------------------------------------- the constructors users call


def dims(names: str) -> Any:
    """Matrix sizes ≥ 1 by name: ``n, m = dims("n m")``; one name gives one object."""
    return _by_name(names, Dim)


def index(names: str) -> Any:
    """Integer variables by name, for ranges and subscripts."""
    return _by_name(names, IndexSymbol)


def scalar(name: str) -> ScalarSymbol:
    """A real variable."""
    return ScalarSymbol(name)


def matrix(name: str, rows: Size, columns: Size) -> MatrixSymbol:
    """A real rows×columns matrix variable."""
    return MatrixSymbol(name, rows, columns)


def vector(name: str, size: Size) -> MatrixSymbol:
    """A real vector: a matrix variable of shape (size, 1)."""
    return matrix(name, size, 1)


def function(name: str) -> FunctionSymbol:
    """A function from the reals to the reals."""
    return FunctionSymbol(name)


def sequence(name: str, size: Size | None = None, columns: Size = 1) -> SequenceSymbol:
    """A sequence of scalars; or of vectors of a size, or of size×columns matrices."""
    return SequenceSymbol(name, size, columns)


def mapping(name: str, size: Size, columns: Size = 1) -> MapSymbol:
    """A map of vectors of a size, or of size×columns matrices; with a subscript, a family."""
    return MapSymbol(name, size, columns)


def constant(rows: list[list[Number]]) -> Constant:
    """A matrix of rational numbers, given row by row."""
    return Constant(tuple(tuple(_rational(x) for x in row) for row in rows))


def eye(n: Size) -> Identity:
    """The n×n identity."""
    return Identity(n)


def zeros(rows: Size, columns: Size) -> Zero:
    """The rows×columns zero matrix."""
    return Zero(rows, columns)


def ones(rows: Size, columns: Size = 1) -> Ones:
    """The vector, or matrix, of ones."""
    return Ones(rows, columns)


def size(n: Size) -> SizeOf:
    """A size as a number, for exponents, bounds and ranges."""
    return SizeOf(n)


def absolute(body: Expression | Number) -> Absolute:
    """The absolute value of a scalar."""
    return Absolute(_scalar_operand(as_expression(body), "the argument of absolute"))


def sqrt(body: Expression | Number) -> SquareRoot:
    """The square root of a scalar ≥ 0."""
    return SquareRoot(_scalar_operand(as_expression(body), "the argument of sqrt"))


def elementary(name: str, body: Expression | Number) -> Elementary:
    """exp, log, sin, cos, arctan or sigmoid of a scalar."""
    return Elementary(name, _scalar_operand(as_expression(body), f"the argument of {name}"))


def rounded(body: Expression | Number, format: Format) -> Rounded:
    """The number of `format` nearest to a scalar, ties to even."""
    return Rounded(as_expression(body), format)


def eliminated(left: Expression, right: Expression, format: Format) -> Eliminated:
    """The solution of left·X = right by elimination with partial pivoting in a format."""
    return Eliminated(left, right, format)


def element(body: Expression, row: Expression | int, column: Expression | int) -> Element:
    """The entry of a matrix in a row and a column, counted from 1."""
    return Element(body, as_expression(row), as_expression(column))


def kron(left: Expression, right: Expression) -> Kronecker:
    """The Kronecker product."""
    return Kronecker(left, right)


def vec(body: Expression) -> Stacked:
    """The columns of a matrix under one another."""
    return Stacked(body)


def diagonal(body: Expression) -> Diagonal:
    """The diagonal matrix with the entries of a vector."""
    return Diagonal(body)


def ordered_product(
    i: IndexSymbol, first: Expression | int, last: Expression | int, body: Expression
) -> OrderedProduct:
    """body(last) ⋯ body(first) of square matrices."""
    return OrderedProduct(i, as_expression(first), as_expression(last), body)


def inv(body: Expression) -> Inverse:
    """The inverse of a square matrix."""
    return Inverse(body)


def tr(body: Expression) -> Trace:
    """The trace of a square matrix."""
    return Trace(body)


def det(body: Expression) -> Det:
    """The determinant of a square matrix."""
    return Det(body)


def norm(body: Expression) -> Norm:
    """The Euclidean norm of a vector."""
    return Norm(body)


def rank(body: Expression) -> Rank:
    """The rank of a matrix."""
    return Rank(body)


def entry(body: Expression) -> Entry:
    """The number in a 1×1 matrix."""
    return Entry(body)


def least(left: Expression | Number, right: Expression | Number) -> Least:
    """The smaller of two scalars."""
    return Least(
        *(_scalar_operand(as_expression(x), "an argument of least") for x in (left, right))
    )


def greatest(left: Expression | Number, right: Expression | Number) -> Greatest:
    """The larger of two scalars."""
    return Greatest(
        *(_scalar_operand(as_expression(x), "an argument of greatest") for x in (left, right))
    )


def named(name: str, body: Expression) -> Named:
    """`body` under a name of its own in print; it means the same."""
    return Named(name, body)


def derivative(
    body: Expression,
    variable: ScalarSymbol,
    *,
    at: Expression | Number | None = None,
    order: int = 1,
) -> Derivative:
    """The derivative of a scalar or matrix in `variable`, at `at` (default: at the variable)."""
    point = variable if at is None else _scalar_operand(as_expression(at), "the point `at`")
    return Derivative(body, variable, point, order)


def total(
    i: IndexSymbol, first: Expression | int, last: Expression | int, body: Expression
) -> Total:
    """Σ body over i = first, …, last."""
    return Total(i, as_expression(first), as_expression(last), body)


def product(
    i: IndexSymbol, first: Expression | int, last: Expression | int, body: Expression
) -> Repeated:
    """Π body over i = first, …, last, for scalars."""
    return Repeated(i, as_expression(first), as_expression(last), body)


def as_expression(value: Expression | Number) -> Expression:
    """`value` itself, or the literal of a rational number."""
    return value if isinstance(value, Expression) else Literal(_rational(value))


def matrix_shape(node: Expression) -> Shape:
    """The shape of a matrix; a scalar raises ShapeError."""
    if node.shape is None:
        raise ShapeError(f"a matrix is needed here, got {_sized(node)}")
    return node.shape


def is_integer(node: Expression) -> bool:
    """Does the form of a scalar say that it is an integer?"""
    match node:
        case IndexSymbol() | SizeOf():
            return True
        case Literal(value):
            return value.denominator == 1
        case Add() | Sub() | Mul():
            return all(map(is_integer, node.parts))
    return False


# ---------------------------------------------------------------- small checks


def check_variable(symbol: object, *kinds: type) -> None:
    """Raise TypeError where a place for a bound variable holds something else than such a symbol.

    Whoever binds a name that only abbreviates an expression says something of that expression.
    """
    if type(symbol) not in kinds:
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"a variable that is bound here is a {wanted}, got {symbol!r}")


def check_range(symbol: object, first: Expression, last: Expression | None) -> None:
    """Raise unless an index runs from an integer to an integer, or to no end."""
    check_variable(symbol, IndexSymbol)
    _check_integers("an end of a range", *(end for end in (first, last) if end is not None))


def _by_name(names: str, make: Callable):
    made = tuple(make(name) for name in names.split())
    if not made:
        raise ValueError("no names given")
    return made[0] if len(made) == 1 else made


def _rational(value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise TypeError(
            f"numbers in statements are integers or fractions, got {value!r} of type "
            f"{type(value).__name__}; write Fraction(1, 2) for one half"
        )
    return Fraction(value)


def _size_product(left: Size, right: Size) -> Size:
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    return right if left == 1 else left if right == 1 else SizeProduct(left, right)


def _check_sizes(*values: Size) -> None:
    for value in values:
        if not (isinstance(value, Dim | SizeProduct) or (type(value) is int and value >= 1)):
            raise ShapeError(f"a size is a name from dims(…) or an integer ≥ 1, got {value!r}")


def _check_integers(role: str, *values: Expression) -> None:
    for value in values:
        if not is_integer(value):
            raise ShapeError(f"{role} is made of integers, indices and sizes by + - *, got {value}")


def _like(node: Expression, other: Expression | Number, sign: str) -> Expression:
    if not isinstance(other, Expression) and node.shape is not None:
        raise ShapeError(
            f"cannot write {other!r} {sign} a matrix of shape {_shape(node)}: "
            f"use {other!r} * eye(n), or entry(…) for a 1×1 matrix"
        )
    return as_expression(other)


def _scalar_operand(node: Expression, role: str) -> Expression:
    if node.shape is not None:
        raise ShapeError(
            f"{role} must be a scalar, got {_sized(node)}; a 1×1 matrix needs entry(…)"
        )
    return node


def _square(node: Expression, operation: str) -> None:
    rows, columns = matrix_shape(node)
    if rows != columns:
        raise ShapeError(f"{operation} needs a square matrix, got {_sized(node)}")


def _shape(node: Expression) -> str:
    return "scalar" if node.shape is None else f"({node.shape[0]}, {node.shape[1]})"


def _sized(node: Expression) -> str:
    return f"the scalar {node}" if node.shape is None else f"{node} of shape {_shape(node)}"
