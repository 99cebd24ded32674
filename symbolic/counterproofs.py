"""Counterproofs: an instance at which a claim fails for every value it leaves open.

Counterproof             == values of free symbols, a value for each "some", slopes at a kink
check_counterproof(claim, counterproof) == the Evidence
proves, disproves        == the two decisions: of a statement about numbers and one instance

The instance is put into the claim's own statement. Each hypothesis must then be proved, for all
values of its bound variables; the conclusion must be disproved. Equations are decided by normal
forms, orders by linear arithmetic over Q, `min` by both of its branches. That a function has no
derivative at a point is proved by difference quotients that are one number to the right of it and
another to the left.

A conclusion that says "for some … for all …" is refuted by a derivation of its negation at the
instance, from the hypotheses, which are evaluated exactly there.

Importing this needs no SymPy; checking does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, TypeAlias

from . import expressions as ex
from . import propositions as pr
from .binding import Captured, put
from .claims import Claim, ClaimError, Source, symbols
from .derivations import Derivation
from .evaluation import Lambda, NotDifferentiable, Undefined, Unsupported, holds
from .evidence import Evidence, Kind, Outcome
from .free_algebra import conjuncts
from .printing import plain
from .proof_lines import Lines

Facts: TypeAlias = tuple[pr.Proposition, ...]
Value: TypeAlias = Lambda | ex.Expression


@dataclass(frozen=True)
class Slopes:
    """The difference quotients left and right of a kink, constant within `radius` of it."""

    left: Fraction
    right: Fraction
    radius: Fraction


@dataclass(frozen=True)
class Counterproof:
    """An exact instance and what is needed to prove that the claim fails there.

    `instance` gives every free symbol of the claim a value by its name: a Lambda to a function, an
    expression without free symbols to a scalar. `witnesses` gives a number to each variable of a
    "for some" among the hypotheses. `slopes` belong to the place where the instance has no
    derivative. With `because`, a proof of the negated conclusion, the instance may also give
    matrices, and `sizes` gives the dimensions.
    """

    instance: Mapping[str, Value]
    witnesses: Mapping[str, Fraction] = field(default_factory=dict)
    slopes: Slopes | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    because: Derivation | None = None


class CounterproofFailed(Exception):
    """What could not be decided, or was decided the other way."""


def check_counterproof(claim: Claim, counterproof: Counterproof) -> Evidence:
    """Check that `counterproof` refutes the statement of `claim`, read from the claim itself.

    Returns
    -------
    Evidence
        `confirmed` when all hypotheses hold at the instance and the conclusion fails there; then
        ``data["steps"]`` lists what was proved, as `check_derivation` does, and
        ``data["instance"]`` the values. Otherwise `inconclusive`: an instance that does not
        refute a statement says nothing about it.
    """
    instance = {name: str(value) for name, value in counterproof.instance.items()}
    if counterproof.because is not None:
        return _by_derivation(claim, counterproof, counterproof.because)
    run = _Run(counterproof)
    try:
        run.refute(claim)
    except CounterproofFailed as failure:
        data = {"steps": run.lines.numbered(), "instance": instance, "failed": str(failure)}
        return Evidence(Kind.COUNTERPROOF, Outcome.INCONCLUSIVE, str(failure), data=data)
    shown = ", ".join(f"{name} = {value}" for name, value in instance.items())
    return Evidence(
        Kind.COUNTERPROOF,
        Outcome.CONFIRMED,
        f"fails at {shown}",
        data={"steps": run.lines.numbered(), "instance": instance},
    )


# ---------------------------------------------------------------- by a derivation


def at_instance(claim: Claim, counterproof: Counterproof) -> tuple[Facts, pr.Proposition]:
    """Hypotheses and conclusion with sizes and values put in; nothing is free in them.

    Raises
    ------
    CounterproofFailed
        A free symbol has no value, or a value cannot be put in.
    """
    found = symbols(claim)
    if found.functions or found.sequences or found.indices or found.maps:
        raise CounterproofFailed("only sizes, scalars and matrices can be put in")
    statement: Any = claim.statement
    for dim in found.dims:
        if dim.name not in counterproof.sizes:
            raise CounterproofFailed(f"no value is given to the size {dim.name}")
        size = counterproof.sizes[dim.name]
        if type(size) is not int or size < 1:
            raise CounterproofFailed(f"the size {dim.name} is an integer ≥ 1, not {size!r}")
        statement = put(statement, dim, counterproof.sizes[dim.name])
    for symbol in (*found.scalars, *found.matrices):
        if symbol.name not in counterproof.instance:
            raise CounterproofFailed(f"no value is given to {symbol.name}")
        sized: Any = symbol
        for dim in found.dims:
            sized = put(sized, dim, counterproof.sizes[dim.name])
        value = counterproof.instance[symbol.name]
        if isinstance(value, Lambda) or value.shape != sized.shape:
            raise CounterproofFailed(f"{value} is not of the sort of {symbol.name}")
        statement = put(statement, sized, value)
    return statement[:-1], statement[-1]


def negation(node: pr.Proposition) -> pr.Proposition:
    """A statement equivalent to "not node", quantifiers turned over."""
    match node:
        case pr.Exists(variable, body):
            return pr.ForAll(variable, negation(body))
        case pr.ExistsRange(index, first, last, body):
            return pr.ForRange(index, first, last, negation(body))
        case pr.ForRange(index, first, last, body):
            return pr.ExistsRange(index, first, last, negation(body))
        case pr.ForAll(variable, body):
            return pr.Exists(variable, negation(body))
        case pr.And((*premises, last)) if premises:
            return pr.Implies(pr.And(tuple(premises)), negation(last))
        case pr.Or(parts):
            return pr.And(tuple(map(negation, parts)))
        case pr.Implies(left, right):
            return pr.And((left, negation(right)))
        case pr.Eq(left, right):
            return pr.Ne(left, right)
        case pr.Ne(left, right):
            return pr.Eq(left, right)
        case pr.Le(left, right):
            return pr.Lt(right, left)
        case pr.Lt(left, right):
            return pr.Le(right, left)
    raise CounterproofFailed(f"no negation of `{plain(node)}` is known")


def _by_derivation(claim: Claim, counterproof: Counterproof, because: Derivation) -> Evidence:
    from .derivations import check_derivation
    from .exact import EXACT, exact_assignment

    instance = {**counterproof.sizes, **counterproof.instance}
    shown = {name: str(value) for name, value in instance.items()}
    steps: list[dict[str, Any]] = []
    try:
        given, then = at_instance(claim, counterproof)
        nothing = exact_assignment({}, {})
        for hypothesis in given:
            try:
                truth = holds(hypothesis, nothing, EXACT)
            except (Undefined, Unsupported, KeyError) as problem:
                raise CounterproofFailed(f"`{plain(hypothesis)}`: {problem}") from None
            if truth is not True:
                raise CounterproofFailed(f"the hypothesis `{plain(hypothesis)}` does not hold")
        refuted = Claim(claim.id, given=given, then=negation(then), source=claim.source)
        proof = check_derivation(refuted, because)
        steps = proof.data["steps"]
        if proof.outcome is not Outcome.CONFIRMED:
            raise CounterproofFailed(proof.detail)
    except (CounterproofFailed, ClaimError, Captured) as failure:
        data = {"steps": steps, "instance": shown, "failed": str(failure)}
        return Evidence(Kind.COUNTERPROOF, Outcome.INCONCLUSIVE, str(failure), data=data)
    where = ", ".join(f"{name} = {value}" for name, value in shown.items())
    return Evidence(
        Kind.COUNTERPROOF,
        Outcome.CONFIRMED,
        f"fails at {where}",
        data={"steps": steps, "instance": shown},
    )


# ---------------------------------------------------------------- the instance in the statement


def put_in(node: Any, instance: Mapping[str, Value]) -> Any:
    """`node` with the values of an instance in place of free symbols; bound variables stay."""
    match node:
        case ex.ScalarSymbol(name) if name in instance:
            return instance[name]
        case ex.Apply(function, argument) if function.name in instance:
            chosen = instance[function.name]
            if not isinstance(chosen, Lambda):
                raise CounterproofFailed(f"{function.name} is a function, it needs a Lambda")
            return ex.substitute(chosen.body, {chosen.variable: put_in(argument, instance)})
        case ex.Expression() | pr.Proposition():
            bound = getattr(node, "variable", None)
            inside = {n: v for n, v in instance.items() if bound is None or n != bound.name}
            changed = {
                f.name: put_in(getattr(node, f.name), inside if f.name == "body" else instance)
                for f in fields(node)
                if f.name != "variable"
            }
            return replace(node, **changed)
        case tuple():
            return tuple(put_in(part, instance) for part in node)
    return node


def _closed(claim: Claim, instance: Mapping[str, Value]) -> None:
    found = symbols(claim)
    if found.dims or found.indices or found.matrices or found.sequences or found.maps:
        raise CounterproofFailed("instances with matrices or sequences are not supported")
    missing = [s.name for s in (*found.scalars, *found.functions) if s.name not in instance]
    if missing:
        raise CounterproofFailed(f"the instance gives no value to {', '.join(missing)}")
    for name, value in instance.items():
        body, own = (value.body, value.variable) if isinstance(value, Lambda) else (value, None)
        for node in ex.walk(body):
            if isinstance(node, ex.ScalarSymbol | ex.Apply) and node != own:
                raise CounterproofFailed(f"the value of {name} has free symbols: {value}")
            if hasattr(node, "variable") or hasattr(node, "index"):
                raise CounterproofFailed(f"the value of {name} binds a variable: {value}")


# ---------------------------------------------------------------- deciding


class _Run:
    """One run of the checker; `lines` grows with what has been proved."""

    def __init__(self, counterproof: Counterproof):
        self.given = counterproof
        self.lines = Lines()

    def refute(self, claim: Claim) -> None:
        instance = self.given.instance
        _closed(claim, instance)
        for hypothesis in claim.given:
            if not self.proves(put_in(hypothesis, instance), (), hypothesis):
                raise CounterproofFailed(
                    f"the hypothesis `{plain(hypothesis)}` is not shown to hold at the instance"
                )
        if not self.disproves(put_in(claim.then, instance), claim.then):
            raise CounterproofFailed(
                f"the conclusion `{plain(claim.then)}` is not shown to fail at the instance"
            )
        self.evaluate(claim)

    def evaluate(self, claim: Claim) -> None:
        """The same in exact numbers: whatever can be evaluated must not say otherwise."""
        from .exact import EXACT, exact_assignment

        samples = tuple(Fraction(i, 16) for i in range(-16, 33))
        values = {
            name: value if isinstance(value, Lambda) else _number(value)
            for name, value in self.given.instance.items()
        }
        at = exact_assignment({}, values, samples)
        try:
            wrong = [h for h in claim.given if holds(h, at, EXACT) is False]
            conclusion = holds(claim.then, at, EXACT)
        except (Undefined, Unsupported, NotDifferentiable):
            return
        if wrong or conclusion:
            raise CounterproofFailed(
                f"evaluated exactly, `{plain(wrong[0] if wrong else claim.then)}` is "
                f"{not wrong} at the instance"
            )

    # ---- proving
    def proves(self, node: pr.Proposition, facts: Facts, shown: pr.Proposition) -> bool:
        """Is `node` true for all values of its free symbols that satisfy `facts`?

        `shown` is the same statement before the instance was put in.
        """
        match node, shown:
            case pr.And(parts), pr.And(originals):
                return all(
                    self.proves(part, facts, original)
                    for part, original in zip(parts, originals, strict=True)
                )
            case pr.Implies(left, right), pr.Implies(_, original):
                return self.proves(right, (*facts, *conjuncts(left)), original)
            case pr.ForAll(variable, body), pr.ForAll(_, original) if isinstance(
                variable, ex.Expression
            ):
                self.fresh(variable, facts)
                return self.proves(body, facts, original)
            case pr.Exists(variable, body), pr.Exists(_, original):
                value = self.given.witnesses.get(variable.name)
                if value is None:
                    return False
                chosen = {variable.name: ex.Literal(value)}
                return self.proves(put_in(body, chosen), facts, put_in(original, chosen))
            case ((pr.Eq() | pr.Le() | pr.Lt()), _):
                if proved := proves(node, facts):
                    self.row(shown, node, facts)
                return proved
        return False

    def fresh(self, variable: ex.Expression, facts: Facts) -> None:
        if any(variable in ex.walk(e) for fact in facts for e in fact.expressions):
            raise CounterproofFailed(f"the variable {variable} is bound twice; rename one")

    # ---- disproving
    def disproves(self, node: pr.Proposition, shown: pr.Proposition) -> bool:
        """Is `node`, which has no free symbols, false?"""
        match node, shown:
            case pr.And(parts), pr.And(originals):
                pairs = zip(parts, originals, strict=True)
                return any(self.disproves(part, original) for part, original in pairs)
            case pr.Or(parts), pr.Or(originals):
                pairs = zip(parts, originals, strict=True)
                return all(self.disproves(part, original) for part, original in pairs)
            case pr.Implies(left, right), pr.Implies(premise, original):
                return self.proves(left, (), premise) and self.disproves(right, original)
            case pr.Differentiable(body, variable, at), _:
                return self.kink(body, variable, at, shown)
            case ((pr.Eq() | pr.Le() | pr.Lt()), _):
                if false := disproves(node):
                    self.row(shown, node, name="is false")
                return false
        return False

    def kink(
        self,
        body: ex.Expression,
        variable: ex.ScalarSymbol,
        at: ex.Expression,
        shown: pr.Proposition,
    ) -> bool:
        """Do the difference quotients at `at` differ between left and right?"""
        from .decisions import binds

        slopes = self.given.slopes
        if slopes is None or slopes.radius <= 0 or slopes.left == slopes.right:
            return False
        h = ex.ScalarSymbol("h")
        if h in ex.walk(at) or any(node == h or binds(node) for node in ex.walk(body)):
            return False
        rise = ex.substitute(body, {variable: at + h}) - ex.substitute(body, {variable: at})
        right: Facts = (pr.lt(0, h), pr.lt(h, slopes.radius))
        left: Facts = (pr.lt(-slopes.radius, h), pr.lt(h, 0))
        quotients = (
            ("difference quotients on the right", pr.eq(rise / h, slopes.right), right),
            ("difference quotients on the left", pr.eq(rise / h, slopes.left), left),
        )
        if not all(proves(statement, facts) for _, statement, facts in quotients):
            return False
        for name, statement, facts in quotients:
            self.row(shown, statement, facts, name)
        return True

    def row(
        self, shown: pr.Proposition, node: pr.Proposition, facts: Facts = (), name: str = "holds"
    ) -> None:
        under = ", ".join(plain(fact) for fact in facts)
        self.lines.part(shown)
        with self.lines.scope(deeper=1):
            self.lines.fact(
                node,
                f"{name}, where {under}" if under else name,
                "branches of min, normal forms, linear arithmetic",
            )


def proves(node: pr.Proposition, facts: Facts = ()) -> bool:
    """Is an equation or order relation true wherever the facts hold? False: not shown.

    Raises
    ------
    CounterproofFailed
        A term may be undefined.
    """
    from .decisions import Undecided, implied, same

    try:
        Claim("counterproof.step", given=facts, then=node, source=Source("NEW"))
    except ClaimError as problem:
        raise CounterproofFailed(str(problem)) from None
    minimum = _some_least(node)
    if minimum is not None:
        # both branches; a branch that contradicts the facts holds at once
        smaller = (minimum.left, pr.Le(minimum.left, minimum.right))
        larger = (minimum.right, pr.Le(minimum.right, minimum.left))
        return all(
            proves(_replaced(node, {minimum: branch}), (*facts, case))
            for branch, case in (smaller, larger)
        )
    try:
        if implied(pr.lt(1, 0), facts):
            return True
        match node:
            case pr.Eq(left, right):
                if same(left, right, [f for f in facts if isinstance(f, pr.Eq)]).holds:
                    return True
                return left.shape is None and all(
                    implied(pr.Le(a, b), facts) for a, b in ((left, right), (right, left))
                )
            case pr.Le() | pr.Lt():
                return implied(node, facts)
    except Undecided:
        return False
    return False


def disproves(node: pr.Proposition) -> bool:
    """Is an equation or order relation between numbers false?"""
    from .decisions import Undecided, difference_is_number

    minimum = _some_least(node)
    if minimum is not None:
        branches = (
            (minimum.left, pr.Le(minimum.left, minimum.right)),
            (minimum.right, pr.Le(minimum.right, minimum.left)),
        )
        return any(
            proves(case) and disproves(_replaced(node, {minimum: branch}))
            for branch, case in branches
        )
    if not isinstance(node, pr.Eq | pr.Le | pr.Lt) or node.left.shape is not None:
        return False
    try:
        difference = difference_is_number(node.left, node.right)
    except Undecided:
        return False
    if difference is None:
        return False
    match node:
        case pr.Eq():
            return difference != 0
        case pr.Le():
            return difference > 0
    return difference >= 0


def _some_least(node: pr.Proposition) -> ex.Least | None:
    """An innermost `min` that contains no bound variable."""
    for expression in node.expressions:
        found = [part for part in _open_parts(expression) if isinstance(part, ex.Least)]
        if found:
            return found[-1]
    return None


def _open_parts(node: ex.Expression) -> Iterator[ex.Expression]:
    from .decisions import binds

    yield node
    if not binds(node):
        for part in node.parts:
            yield from _open_parts(part)


def _replaced(
    node: pr.Proposition, values: Mapping[ex.Expression, ex.Expression]
) -> pr.Proposition:
    from .decisions import replaced

    return replace(
        node,
        **{
            f.name: replaced(value, values)
            for f in fields(node)
            if isinstance(value := getattr(node, f.name), ex.Expression)
        },
    )


def _number(node: ex.Expression) -> Fraction:
    from .decisions import difference_is_number

    value = difference_is_number(node, ex.Literal(0))
    if value is None:
        raise CounterproofFailed(f"{node} is not a rational number")
    return value
