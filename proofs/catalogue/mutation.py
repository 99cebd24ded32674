"""Mutants by rule: the near-misses of a statement that nobody wrote mutants for.

generate_mutants(claim)     == a Mutant for each single change of the kinds below
without(claim, hypothesis)  == the claim with one hypothesis dropped

RULES                       == the names of the rules that make the changes

The rules: a hypothesis dropped, a sign flipped, the right side doubled (a factor), a square matrix
transposed or a transposition dropped, an inequality made strict or weak. Some changes leave a
statement true; which ones, a search for exact counterexamples must tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeAlias

from ...symbolic import expressions as ex
from ...symbolic import propositions as pr
from ...symbolic.claims import Claim, ClaimError, restate
from ...symbolic.printing import plain
from .entry import Mutant

RULES = ("hypothesis", "sign", "factor", "transposition", "strictness")
_Change: TypeAlias = tuple[str, str, Any]  # the rule, what it did, what came out


def without(claim: Claim, hypothesis: pr.Proposition) -> Claim:
    """`claim` with one of its hypotheses dropped; ValueError where it has none such."""
    if hypothesis not in claim.given:
        raise ValueError(f"claim {claim.id} has no hypothesis `{plain(hypothesis)}`")
    return restate(claim, given=[given for given in claim.given if given != hypothesis])


def generate_mutants(claim: Claim) -> tuple[Mutant, ...]:
    """Every statement that one change makes of `claim`, in a fixed order, without repetitions.

    A change after which a term may be undefined is left out.
    """
    found: dict[tuple[Any, ...], Mutant] = {}
    for rule, name, make in _changes(claim):
        try:
            changed = make()
        except (ClaimError, ex.ShapeError):
            continue
        if changed.statement != claim.statement:
            found.setdefault(changed.statement, Mutant(name, changed, rule=rule))
    return tuple(found.values())


def _changes(claim: Claim) -> Iterator[tuple[str, str, Callable[[], Claim]]]:
    for hypothesis in claim.given:
        yield (
            "hypothesis",
            f"without the hypothesis {plain(hypothesis)}",
            lambda dropped=hypothesis: without(claim, dropped),
        )
    for rule, name, then in _everywhere(claim.then):
        yield rule, name, lambda changed=then: restate(claim, then=changed)
    for position, hypothesis in enumerate(claim.given):
        for name, weak in _weakened(hypothesis):
            given = (*claim.given[:position], weak, *claim.given[position + 1 :])
            yield "strictness", name, lambda changed=given: restate(claim, given=changed)


def _weakened(hypothesis: pr.Proposition) -> Iterator[tuple[str, pr.Proposition]]:
    """A hypothesis with one of its strict inequalities made weak."""
    match hypothesis:
        case pr.Lt(left, right):
            yield f"≤ in place of < in {plain(hypothesis)}", pr.Le(left, right)
        case pr.And(parts):
            for i, part in enumerate(parts):
                for name, weak in _weakened(part):
                    yield name, pr.And((*parts[:i], weak, *parts[i + 1 :]))


def _everywhere(node: Any) -> Iterator[_Change]:
    """Every result of one change somewhere in a proposition or expression."""
    yield from _here(node)
    # changed in one place, it is no longer what the name or the notation stands for
    if isinstance(node, ex.Named | pr.Defined):
        yield from _everywhere(node.body)
        return
    if isinstance(node, tuple):
        for i, part in enumerate(node):
            for rule, name, changed in _everywhere(part):
                yield rule, name, (*node[:i], changed, *node[i + 1 :])
    if isinstance(node, ex.Expression | pr.Proposition):
        for f in fields(node):
            value = getattr(node, f.name)
            if f.name in ("variable", "index"):
                continue  # a bound variable is no expression that could be another
            if isinstance(value, ex.Expression | pr.Proposition | tuple):
                for rule, name, changed in _everywhere(value):
                    try:
                        yield rule, name, replace(node, **{f.name: changed})
                    except (ex.ShapeError, TypeError):
                        continue


def _here(node: Any) -> Iterator[_Change]:
    match node:
        case pr.Eq(left, right):
            yield "factor", f"the right side of {plain(node)} doubled", pr.Eq(left, 2 * right)
            yield "sign", f"the right side of {plain(node)} negated", pr.Eq(left, -right)
        case pr.Le(left, right):
            yield "strictness", f"< in place of ≤ in {plain(node)}", pr.Lt(left, right)
        case pr.Lt(left, right):
            yield "strictness", f"≤ in place of < in {plain(node)}", pr.Le(left, right)
        case ex.Add(left, right):
            yield "sign", f"− in place of + in {plain(node)}", ex.Sub(left, right)
        case ex.Sub(left, right):
            yield "sign", f"+ in place of − in {plain(node)}", ex.Add(left, right)
        case ex.Transpose(body) if _square(body):
            yield "transposition", f"{plain(body)} in place of {plain(node)}", body
        case ex.MatrixSymbol() if _square(node):
            yield "transposition", f"{plain(node)} transposed", ex.Transpose(node)


def _square(node: ex.Expression) -> bool:
    rows, columns = ex.matrix_shape(node)
    return rows == columns
