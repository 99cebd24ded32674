"""Derivatives of expressions, by the rules that are taught.

slope(node, variable) == the derivative of an expression in a scalar, of the shape of the expression
NoSlope               == raised for what these rules do not differentiate

A slope is meant where the expression has one: that is for the claim to say, where a term may have
none (roots and norms at 0, `min`, unknown functions).
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from . import expressions as ex


class NoSlope(ArithmeticError):
    """An expression that these rules do not differentiate."""


def slope(node: ex.Expression, variable: ex.ScalarSymbol) -> ex.Expression:
    """The derivative of `node` with respect to `variable`, at the variable.

    Raises
    ------
    NoSlope
        The variable occurs where no rule applies.
    """
    if not occurs(variable, node):
        return ex.Literal(0) if node.shape is None else ex.zeros(*node.shape)

    def d(part: ex.Expression) -> ex.Expression:
        return slope(part, variable)

    match node:
        case ex.ScalarSymbol():
            return ex.Literal(1)
        case ex.Named(_, body):
            return d(body)
        case ex.Add(left, right):
            return d(left) + d(right)
        case ex.Sub(left, right):
            return d(left) - d(right)
        case ex.Neg(body):
            return -d(body)
        case ex.Mul(left, right) | ex.Scale(left, right):
            return d(left) * right + left * d(right)
        case ex.MatMul(left, right):
            return d(left) @ right + left @ d(right)
        case ex.Div(left, right):
            return (d(left) * right - left * d(right)) / right**2
        case ex.Power(base, exponent):
            if exponent == 0:
                return ex.Literal(0)
            return exponent * base ** (exponent - 1) * d(base)
        case ex.Transpose(body):
            return d(body).T
        case ex.Inverse(body):
            return -(node @ d(body) @ node)
        case ex.Entry(body):
            return ex.entry(d(body))
        case ex.Stacked(body):
            return ex.vec(d(body))
        case ex.SquareRoot(body):
            return d(body) / (2 * node)
        case ex.Norm(body):
            return ex.entry(body.T @ d(body)) / node
        case ex.Elementary(name, body):
            return _outer(name, body) * d(body)
    raise NoSlope(f"no rule for the slope of {node}")


def _outer(name: str, body: ex.Expression) -> ex.Expression:
    value = ex.elementary(name, body)
    match name:
        case "exp":
            return value
        case "log":
            return 1 / body
        case "sin":
            return ex.elementary("cos", body)
        case "cos":
            return -ex.elementary("sin", body)
        case "arctan":
            return 1 / (1 + body**2)
        case "sigmoid":
            return value * (1 - value)
    raise NoSlope(f"no rule for the slope of {name}")


def occurs(symbol: Any, node: Any) -> bool:
    """Does the symbol occur in a tree, free or bound?"""
    if node == symbol:
        return True
    if isinstance(node, tuple):
        return any(occurs(symbol, part) for part in node)
    return is_dataclass(node) and any(occurs(symbol, getattr(node, f.name)) for f in fields(node))
