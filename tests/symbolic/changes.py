"""Single changes to the conclusion of a claim: a term, a sign, an order, a transposition, a factor.

changes(claim) == (what was changed, the changed claim), each once
"""

from collections.abc import Iterator
from dataclasses import fields, replace

from deltaproof.symbolic import Claim, ClaimError, ShapeError
from deltaproof.symbolic import expressions as ex
from deltaproof.symbolic import propositions as pr
from deltaproof.symbolic.claims import plain_body, restate, symbols


def changes(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """Every single change that leaves a claim that can be written down."""
    matrices = symbols(claim).matrices
    seen = {claim.then}
    for what, then in _of_proposition(claim.then, matrices):
        if then in seen:
            continue
        seen.add(then)
        try:
            yield what, restate(claim, then=then)
        except ClaimError:
            continue


def _of_proposition(node, matrices):
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, ex.Expression):
            options = _of_expression(plain_body(value), matrices)
        elif isinstance(value, pr.Proposition):
            options = _of_proposition(value, matrices)
        elif isinstance(value, tuple):
            options = (
                (what, (*value[:i], part, *value[i + 1 :]))
                for i, before in enumerate(value)
                for what, part in _of_proposition(before, matrices)
            )
        else:
            continue
        for what, new in options:
            try:
                yield what, replace(node, **{field.name: new})
            except ShapeError:
                continue


def _of_expression(node, matrices):
    yield from _here(node, matrices)
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, ex.Expression):
            for what, new in _of_expression(value, matrices):
                try:
                    yield what, replace(node, **{field.name: new})
                except ShapeError:
                    continue


def _here(node, matrices):
    match node:
        case ex.Add(left, right):
            yield "sign", ex.Sub(left, right)
            yield "term", left
            yield "term", right
        case ex.Sub(left, right):
            yield "sign", ex.Add(left, right)
            yield "term", left
            yield "term", right
        case ex.Neg(body):
            yield "sign", body
        case ex.MatMul(left, right):
            yield "coefficient", ex.Scale(ex.Literal(2), node)
            try:
                yield "order", ex.MatMul(right, left)
            except ShapeError:
                return
        case ex.Transpose(body):
            yield "transposition", body
        case ex.Literal(value):
            yield "coefficient", ex.Literal(value + 1)
        case ex.Power(base, exponent):
            yield "coefficient", ex.Power(base, exponent + 1)
        case ex.MatrixSymbol():
            yield "transposition", ex.Transpose(node)
            for other in matrices:
                if other != node and other.shape == node.shape:
                    yield "symbol", other
        case ex.Inverse(body):
            yield "inverse", body
