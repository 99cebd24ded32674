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
from types import MappingProxyType
from typing import Any, TypeAlias

from . import expressions as ex
from . import propositions as pr

Premises: TypeAlias = tuple[pr.Proposition, ...]


class RuleError(ValueError):
    """A rule that does not exist or does not fit; the message says what would."""


@dataclass(frozen=True)
class Rule:
    """A schema: what it says, and how arguments become premises and a conclusion."""

    words: str
    build: Callable[..., tuple[Premises, pr.Proposition]]


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
        except (TypeError, AttributeError) as problem:
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
        "zero_product": Rule("a product of reals is 0 only if a factor is", _zero_product),
        "zero_square": Rule("a real with square 0 is 0", _zero_square),
        "local_derivative": Rule(
            "functions that are equal near a point have the same derivative there",
            _local_derivative,
        ),
        "chain_rule": Rule("chain rule: the derivative of g(u(x)) is g'(u(x)) u'(x)", _chain_rule),
    }
)
