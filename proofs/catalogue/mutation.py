"""Mutants by rule: the near-misses of a statement that nobody wrote mutants for.

generate_mutants(claim)     == a Mutant for each single change of the kinds below
without(claim, hypothesis)  == the claim with one hypothesis dropped

The changes: a sign flipped, the right side doubled, a square matrix transposed or a transposition
dropped, a hypothesis dropped, ≤ made <. Some of them leave a statement true; which ones, a search
for exact counterexamples must tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

from ...symbolic import expressions as ex
from ...symbolic import propositions as pr
from ...symbolic.claims import Claim, ClaimError, restate
from ...symbolic.printing import plain
from .entry import Mutant


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
    for name, make in _changes(claim):
        try:
            changed = make()
        except (ClaimError, ex.ShapeError):
            continue
        if changed.statement != claim.statement:
            found.setdefault(changed.statement, Mutant(name, changed))
    return tuple(found.values())


def _changes(claim: Claim) -> Iterator[tuple[str, Callable[[], Claim]]]:
    for hypothesis in claim.given:
        yield (
            f"without the hypothesis {plain(hypothesis)}",
            lambda dropped=hypothesis: without(claim, dropped),
        )
    for name, then in _everywhere(claim.then):
        yield name, lambda changed=then: restate(claim, then=changed)


def _everywhere(node: Any) -> Iterator[tuple[str, Any]]:
    """Every result of one change somewhere in a proposition or expression, with its name."""
    yield from _here(node)
    if isinstance(node, ex.Named):  # changed in one place, it is no longer what the name stands for
        yield from _everywhere(node.body)
        return
    if isinstance(node, tuple):
        for i, part in enumerate(node):
            for name, changed in _everywhere(part):
                yield name, (*node[:i], changed, *node[i + 1 :])
    if isinstance(node, ex.Expression | pr.Proposition):
        for f in fields(node):
            value = getattr(node, f.name)
            if isinstance(value, ex.Expression | pr.Proposition | tuple):
                for name, changed in _everywhere(value):
                    try:
                        yield name, replace(node, **{f.name: changed})
                    except (ex.ShapeError, TypeError):
                        continue


def _here(node: Any) -> Iterator[tuple[str, Any]]:
    match node:
        case pr.Eq(left, right):
            yield f"the right side of {plain(node)} doubled", pr.Eq(left, 2 * right)
            yield f"the right side of {plain(node)} negated", pr.Eq(left, -right)
        case pr.Le(left, right):
            yield f"< in place of ≤ in {plain(node)}", pr.Lt(left, right)
        case ex.Add(left, right):
            yield f"− in place of + in {plain(node)}", ex.Sub(left, right)
        case ex.Sub(left, right):
            yield f"+ in place of − in {plain(node)}", ex.Add(left, right)
        case ex.Transpose(body) if _square(body):
            yield f"{plain(body)} in place of {plain(node)}", body
        case ex.MatrixSymbol() if _square(node):
            yield f"{plain(node)} transposed", ex.Transpose(node)


def _square(node: ex.Expression) -> bool:
    rows, columns = ex.matrix_shape(node)
    return rows == columns
