"""A claim: typed symbols, hypotheses, a conclusion. The one object that every reader reads.

Claim            == id, title, source, hypotheses `given`, conclusion `then`, expected verdict
Source           == where the sentence stands
Symbols, symbols == the free symbols of a claim, by sort
statement_hash   == a hash of what is claimed (not of title, source or expectation)
consequence      == the claim that something follows from facts that are known
ClaimError       == a claim that does not say what it seems to say
is_skew, is_positive == the two structural rules by which a term is known to be defined

A claim is refused when a term may be undefined: `inv(M)` needs `invertible(M)` before it, or
M = I ± S with S skew; a denominator must be a nonzero number, be assumed different from 0, or be
positive by its form; a derivative of an unknown function needs `differentiable`.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from . import expressions as ex
from . import propositions as pr

_Near: TypeAlias = tuple[ex.Expression, ex.Expression]
Expected: TypeAlias = Literal["proved", "refuted", "open"]


class ClaimError(ValueError):
    """A claim that is not well formed; the message says which part and what would mend it."""


@dataclass(frozen=True)
class Source:
    """Where a statement comes from: a label, a place in it, whether it is quoted or retold."""

    label: str
    place: str = ""
    literal: bool = False

    def __str__(self) -> str:
        where = f"{self.label} {self.place}".strip()
        return where if self.literal or self.label == "NEW" else f"{where} (retold)"


@dataclass(frozen=True, init=False)
class Claim:
    """A statement with its hypotheses. Free symbols are universally quantified; sizes are ≥ 1."""

    id: str
    title: str
    source: Source
    given: tuple[pr.Proposition, ...]
    then: pr.Proposition
    expected: Expected
    location: tuple[str, int] = field(compare=False)

    def __init__(
        self,
        id: str,
        *,
        then: pr.Proposition | Sequence[pr.Proposition],
        given: Sequence[pr.Proposition] = (),
        title: str = "",
        source: Source | str = "",
        expected: Expected = "proved",
    ):
        caller = sys._getframe(1)
        _check_id(id)
        if isinstance(given, pr.Proposition):
            raise ClaimError(
                f"claim {id}: `given` is a list of propositions; write given=[{given}]"
            )
        assumed, concluded = _listed(given), _listed(then)
        for part in (*assumed, *concluded):
            if not isinstance(part, pr.Proposition):
                raise ClaimError(f"claim {id}: {part!r} is not a proposition; compare with eq(…)")
        conclusion = then if isinstance(then, pr.Proposition) else pr.And(concluded)
        values = {
            "id": id,
            "title": title or id,
            "source": source if isinstance(source, Source) else Source(source),
            "given": assumed,
            "then": conclusion,
            "expected": expected,
            "location": (caller.f_code.co_filename, caller.f_lineno),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        if expected not in ("proved", "refuted", "open"):
            raise ClaimError(
                f"claim {id}: expected must be 'proved', 'refuted' or 'open', got {expected!r}"
            )
        _check_names(self)
        check_defined(self)

    @property
    def family(self) -> str:
        """The part of the id before the dot."""
        return self.id.partition(".")[0]

    @property
    def statement(self) -> tuple[pr.Proposition, ...]:
        """Hypotheses, then the conclusion."""
        return (*self.given, self.then)


def restate(
    claim: Claim,
    *,
    given: Sequence[pr.Proposition] | None = None,
    then: pr.Proposition | None = None,
) -> Claim:
    """`claim` with other hypotheses or another conclusion: how mutants are made."""
    return Claim(
        claim.id,
        given=claim.given if given is None else given,
        then=claim.then if then is None else then,
        title=claim.title,
        source=claim.source,
        expected=claim.expected,
    )


def consequence(
    known: Iterable[pr.Proposition],
    then: pr.Proposition,
    *,
    id: str = "derivation.step",
    defined: bool = False,
) -> Claim:
    """The claim that `then` follows from facts that are known to be defined.

    Only `then` is checked: in a long proof the facts would be checked over and over. It is not
    checked again where it is known to be `defined`.
    """
    claim = object.__new__(Claim)
    values = {
        "id": id,
        "title": id,
        "source": Source("NEW"),
        "given": tuple(known),
        "then": then,
        "expected": "proved",
        "location": ("", 0),
    }
    for name, value in values.items():
        object.__setattr__(claim, name, value)
    if not defined:
        _check_proposition(claim, then, list(claim.given))
    return claim


def _listed(said: Any) -> tuple[Any, ...]:
    """What a list holds; one thing, a proposition or not, as a list of it."""
    return tuple(said) if isinstance(said, Iterable) and not isinstance(said, str) else (said,)


# ---------------------------------------------------------------- names

LONGEST_ID = 200
_ID = re.compile(r"[A-Za-z0-9_]+([.-][A-Za-z0-9_]+)*")
_NAME = re.compile(r"[^\W\d][\w\u0300-\u036f]*'*")  # a letter may carry an accent


def _check_id(id: object) -> None:
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise ClaimError(
            f"the id {id!r} is not one: letters, digits and _, joined by . or -, "
            "like family.property"
        )
    if len(id) > LONGEST_ID:
        raise ClaimError(
            f"the id {id[:40]}… has {len(id)} characters; files are called by it: at most "
            f"{LONGEST_ID}"
        )


def _check_names(claim: Claim) -> None:
    """One name, one meaning: every reader looks symbols up by name."""
    meanings: dict[str, Any] = {}

    def mean(name: str, meaning: Any) -> None:
        bare = (
            name.partition("(")[0] if isinstance(meaning, ex.Named) else name
        )  # f(x) names a value
        if not isinstance(name, str) or not _NAME.fullmatch(bare):
            raise ClaimError(
                f"claim {claim.id}: {name!r} is no name; use letters, digits, _ and a final prime"
            )
        if meanings.setdefault(name, meaning) != meaning:
            raise ClaimError(
                f"claim {claim.id}: the name {name} stands for two things, "
                f"{_described(meanings[name])} and {_described(meaning)}; rename one"
            )

    def visit(node: Any) -> None:
        if isinstance(node, tuple):
            for part in node:
                visit(part)
            return
        if isinstance(node, _SYMBOLS | ex.Named):
            mean(node.name, node)
        if isinstance(node, pr.And | pr.Or) and not node.parts:
            raise ClaimError(f"claim {claim.id}: a conjunction or disjunction of nothing")
        if is_dataclass(node):
            for name in ex.field_names(type(node)):
                visit(getattr(node, name))

    visit(claim.statement)


_SYMBOLS = (
    ex.Dim
    | ex.IndexSymbol
    | ex.ScalarSymbol
    | ex.MatrixSymbol
    | ex.FunctionSymbol
    | ex.SequenceSymbol
    | ex.MapSymbol
)


def _described(meaning: Any) -> str:
    kinds = {
        ex.Dim: "a size",
        ex.IndexSymbol: "an index",
        ex.ScalarSymbol: "a scalar",
        ex.MatrixSymbol: "a matrix",
        ex.FunctionSymbol: "a function",
        ex.SequenceSymbol: "a sequence",
        ex.MapSymbol: "a map",
    }
    if isinstance(meaning, ex.Named):
        return f"the expression {meaning.body}"
    shape = getattr(meaning, "shape", None)
    sizes = f" of shape ({shape[0]}, {shape[1]})" if shape else ""
    return kinds[type(meaning)] + sizes


# ---------------------------------------------------------------- symbols


@dataclass(frozen=True)
class Symbols:
    """The free symbols of a claim, by sort, each in order of first appearance."""

    dims: tuple[ex.Dim, ...]
    indices: tuple[ex.IndexSymbol, ...]
    scalars: tuple[ex.ScalarSymbol, ...]
    matrices: tuple[ex.MatrixSymbol, ...]
    functions: tuple[ex.FunctionSymbol, ...]
    sequences: tuple[ex.SequenceSymbol, ...]
    maps: tuple[ex.MapSymbol, ...] = ()


@lru_cache(maxsize=256)
def symbols(claim: Claim) -> Symbols:
    """The free symbols of `claim`; bound variables of quantifiers, sums and derivatives are not."""
    found: dict[type, dict[Any, None]] = {
        kind: {}
        for kind in (
            ex.Dim,
            ex.IndexSymbol,
            ex.ScalarSymbol,
            ex.MatrixSymbol,
            ex.FunctionSymbol,
            ex.SequenceSymbol,
            ex.MapSymbol,
        )
    }

    def visit(node: Any, bound: frozenset[Any]) -> None:
        if isinstance(node, tuple):
            for part in node:
                visit(part, bound)
            return
        if type(node) in found and node not in bound:
            found[type(node)].setdefault(node)
        if not is_dataclass(node):
            return
        if isinstance(node, ex.Derivative):
            visit(node.at, bound)
            visit(node.body, bound | {node.variable})
            return
        if isinstance(node, pr.Differentiable):
            visit(node.at, bound)
            visit(node.body, bound | {node.variable})
            return
        if isinstance(node, pr.TendsTo):
            visit((node.to, node.limit), bound)
            visit(node.body, bound | {node.variable})
            return
        if isinstance(node, pr.Defined):
            visit(node.body, bound)
            return
        if isinstance(node, ex.Total | ex.Repeated | ex.OrderedProduct):
            visit((node.first, node.last), bound)
            visit(node.body, bound | {node.index})
            return
        if isinstance(node, pr.ForRange | pr.ExistsRange):
            visit((node.first, node.last), bound)
            visit(node.body, bound | {node.index})
            return
        if isinstance(node, pr.ForAll | pr.Exists):
            visit(node.body, bound | {node.variable})
            return
        for name in ex.field_names(type(node)):
            visit(getattr(node, name), bound)

    visit(claim.statement, frozenset())
    return Symbols(*(tuple(group) for group in found.values()))


def statement_hash(claim: Claim) -> str:
    """SHA-256 of hypotheses and conclusion, in a canonical spelling."""
    spelled = repr((claim.given, claim.then))
    return hashlib.sha256(spelled.encode()).hexdigest()


# ---------------------------------------------------------------- definedness


def check_defined(claim: Claim) -> None:
    """Refuse a claim with a term that may have no value; raises ClaimError."""
    known = list(claim.given)
    for position, hypothesis in enumerate(claim.given):
        _check_proposition(claim, hypothesis, known[:position])
    _check_proposition(claim, claim.then, known)


def _check_proposition(claim: Claim, node: pr.Proposition, known: list[pr.Proposition]) -> None:
    match node:
        case pr.And(parts):
            for position, part in enumerate(parts):
                _check_proposition(claim, part, [*known, *parts[:position]])
        case pr.Implies(left, right):
            _check_proposition(claim, left, known)
            _check_proposition(claim, right, [*known, *_conjuncts(left)])
        case pr.ForAll(variable, body) | pr.Exists(variable, body):
            _check_proposition(claim, body, _not_about(variable, known))
        case pr.ForRange(index, first, last, body) | pr.ExistsRange(index, first, last, body):
            _check_expressions(claim, (first,) if last is None else (first, last), known)
            _check_proposition(claim, body, _not_about(index, known))
        case pr.Differentiable(body, variable, at):
            _check_expressions(claim, (at,), known)
            _check_expressions(claim, (body,), _not_about(variable, known))
        case pr.TendsTo(body, variable, to, limit):
            _check_expressions(claim, (limit,) if to is None else (to, limit), known)
            near = None if to is None else (variable, to)
            _check_expressions(claim, (body,), _not_about(variable, known), near)
        case _:
            _check_expressions(claim, node.expressions, known)
            for part in node.propositions:
                _check_proposition(claim, part, known)


def _check_expressions(
    claim: Claim,
    nodes: Iterable[ex.Expression],
    known: list[pr.Proposition],
    near: _Near | None = None,
) -> None:
    """`near`: a variable and a point; that a term is defined near that point is enough."""
    for node in nodes:
        if problem := _undefined(node, known, near):
            raise ClaimError(f"claim {claim.id}: {problem}")
        match node:
            case ex.Derivative(body, variable, at, _):
                _check_expressions(claim, (at,), known)
                # at the variable itself, what is assumed of it (≠, <) holds near it as well
                here = known if at == variable else _not_about(variable, known)
                _check_expressions(claim, (body,), here, (variable, at))
            case ex.Total() | ex.Repeated() | ex.OrderedProduct():
                _check_expressions(claim, (node.first, node.last), known)
                _check_expressions(claim, (node.body,), _not_about(node.index, known), near)
            case _:
                _check_expressions(claim, node.parts, known, near)


def _not_about(
    variable: ex.Expression | ex.SequenceSymbol, known: list[pr.Proposition]
) -> list[pr.Proposition]:
    """What is known, without the facts on a free variable of the same name as a bound one."""
    if isinstance(variable, ex.SequenceSymbol):
        return [fact for fact in known if variable not in _sequences_in(fact)]
    return [fact for fact in known if variable not in pr.expressions_in(fact)]


def _sequences_in(statement: pr.Proposition) -> Iterator[ex.SequenceSymbol]:
    for node in pr.expressions_in(statement):
        if isinstance(node, ex.Term):
            yield node.sequence


_MAY_HAVE_NO_SLOPE = (
    ex.Apply
    | ex.Image
    | ex.Least
    | ex.Greatest
    | ex.Absolute
    | ex.SquareRoot
    | ex.Norm
    | ex.Rounded
)

_PARTIAL = ex.Inverse | ex.SquareRoot | ex.Elementary | ex.Div | ex.Derivative


def _undefined(
    node: ex.Expression, known: list[pr.Proposition], near: _Near | None = None
) -> str | None:
    if not isinstance(node, _PARTIAL) or _is_total(node):
        return None
    facts = [fact for given in known for fact in _conjuncts(given)]
    match node:
        case ex.Inverse(body):
            assumed = [plain_body(f.body) for f in facts if isinstance(f, pr.Invertible)]
            if plain_body(body) not in assumed and not is_identity_plus_skew(body, facts):
                return (
                    f"the inverse of {body} may not exist; "
                    f"put invertible({body}) among the hypotheses"
                )
        case ex.SquareRoot(body):
            assumed = (pr.Le(ex.Literal(0), body), pr.Lt(ex.Literal(0), body))
            if not is_nonnegative(body, facts) and not any(fact in facts for fact in assumed):
                return f"√{body} may not exist; put le(0, {body}) among the hypotheses"
        case ex.Elementary("log", body):
            if not is_positive(body, facts) and not is_positive(_there(body, near), facts):
                return f"log({body}) may not exist; put lt(0, {body}) among the hypotheses"
        case ex.Div(_, right):
            if not _is_nonzero(right, facts) and not _is_nonzero(_there(right, near), facts):
                return (
                    f"the denominator {right} may be zero; put ne({right}, 0) among the hypotheses"
                )
        case ex.Derivative(body, variable, at, order):
            unknown = [
                n
                for n in ex.walk(body)
                if isinstance(n, _MAY_HAVE_NO_SLOPE)
                # a root or a norm has no slope at 0 only
                and not (
                    isinstance(n, ex.SquareRoot | ex.Norm)
                    and _is_nonzero(_there(n, (variable, at)), facts)
                )
            ]
            assumed = pr.Differentiable(body, variable, at) in facts and order == 1
            if unknown and not assumed:
                return (
                    f"{node} may not exist; put differentiable({body}, {variable}, at={at}) "
                    "among the hypotheses"
                )
    return None


def _is_total(node: ex.Expression) -> bool:
    """Is it defined by its form, whatever is known? Then nothing is searched through."""
    match node:
        case ex.SquareRoot(body):
            return is_nonnegative(body)
        case ex.Div(_, right):
            return _is_nonzero(right, [])
    return False


_CONTINUOUS = (
    ex.Literal, ex.ScalarSymbol, ex.MatrixSymbol, ex.Constant, ex.Identity, ex.Zero, ex.SizeOf,
    ex.Add, ex.Sub, ex.Neg, ex.Mul, ex.Div, ex.Power, ex.Scale, ex.MatMul, ex.Transpose, ex.Entry,
    ex.Norm, ex.SquareRoot, ex.Absolute, ex.Elementary,
)  # fmt: skip


def _there(node: ex.Expression, near: _Near | None) -> ex.Expression:
    """A continuous expression at a point, terms with the factor 0 left out; else the number 0."""
    node = plain_body(node)
    if near is None or not all(isinstance(part, _CONTINUOUS) for part in ex.walk(node)):
        return ex.Literal(0)
    return _without_zeros(ex.substitute(node, {near[0]: near[1]}))


def _without_zeros(node: ex.Expression) -> ex.Expression:
    node = ex.rebuild(node, _without_zeros)
    match node:
        case ex.Add(left, ex.Scale(ex.Literal(value), _)) if value == 0:
            return left
    return node


def _conjuncts(node: pr.Proposition) -> Iterator[pr.Proposition]:
    if isinstance(node, pr.And):
        for part in node.parts:
            yield from _conjuncts(part)
    elif isinstance(node, pr.Defined):
        yield from _conjuncts(node.body)
    else:
        yield node


def plain_body(node: ex.Expression) -> ex.Expression:
    """`node` with names replaced by what they stand for."""
    if isinstance(node, ex.Named):
        return plain_body(node.body)
    return ex.rebuild(node, plain_body)


def is_identity_plus_skew(node: ex.Expression, facts: Iterable[pr.Proposition]) -> bool:
    """Is `node` I ± S, or S + I, with S skew? Such a real matrix is invertible."""
    match plain_body(node):
        case (
            ex.Add(ex.Identity(), skew) | ex.Sub(ex.Identity(), skew) | ex.Add(skew, ex.Identity())
        ):
            return is_skew(skew, facts)
    return False


def is_skew(node: ex.Expression, facts: Iterable[pr.Proposition]) -> bool:
    """Is `node` skew by its form, M − Mᵀ, or by a hypothesis like Mᵀ = −M, up to sign and scale?"""
    node = plain_body(node)
    facts = list(facts)
    zero = ex.Zero(*node.shape) if node.shape else None
    skew = ({node.T, -node}, {node, -(node.T)}, {node + node.T, zero}, {node.T + node, zero})
    for fact in facts:
        if isinstance(fact, pr.Eq) and {plain_body(fact.left), plain_body(fact.right)} in skew:
            return True
    match node:
        case ex.Neg(body) | ex.Scale(_, body) | ex.Transpose(body):
            return is_skew(body, facts)
        case ex.Sub(left, right):
            if _factors(left.T) == _factors(right):
                return True
            return is_skew(left, facts) and is_skew(right, facts)
        case ex.Add(left, right):
            return is_skew(left, facts) and is_skew(right, facts)
    return False


def _factors(node: ex.Expression, transposed: bool = False) -> list[ex.Expression]:
    """The factors of a product of matrices, transposition pushed down to them."""
    match node:
        case ex.Transpose(body):
            return _factors(body, not transposed)
        case ex.MatMul(left, right):
            first, second = (right, left) if transposed else (left, right)
            return [*_factors(first, transposed), *_factors(second, transposed)]
        case ex.Scale(factor, body):
            return [factor, *_factors(body, transposed)]
    return [ex.Transpose(node) if transposed else node]


def _is_nonzero(node: ex.Expression, facts: list[pr.Proposition]) -> bool:
    node = plain_body(node)
    pairs = [(node, ex.Literal(0)), (ex.Literal(0), node)]
    if isinstance(node, ex.Sub):
        pairs += [(node.left, node.right), (node.right, node.left)]
    assumed = {relation(left, right) for relation in (pr.Ne, pr.Lt) for left, right in pairs}
    if any(fact in facts for fact in assumed):  # as they are spelled, which is soon seen
        return True
    plain_facts = [
        replace(f, left=plain_body(f.left), right=plain_body(f.right))
        for f in facts
        if isinstance(f, pr.Ne | pr.Lt | pr.Le)
    ]
    if any(fact in plain_facts for fact in assumed) or is_positive(node, plain_facts):
        return True
    if isinstance(node, ex.Mul):
        return _is_nonzero(node.left, facts) and _is_nonzero(node.right, facts)
    return isinstance(node, ex.Literal) and node.value != 0


def is_positive(node: ex.Expression, facts: Collection[pr.Proposition] = ()) -> bool:
    """Is the scalar positive by its form: a positive number plus squares, and the like?

    `facts` may say 0 < x, or of a vector x ≠ 0, of what occurs in it.
    """
    node = plain_body(node)
    if pr.Lt(ex.Literal(0), node) in facts:
        return True
    match node:
        case ex.Literal(value):
            return value > 0
        case ex.Sub(ex.Literal(left), ex.Literal(right)):
            return left > right
        case ex.Sub(left, ex.Sub(other, inner)) if left == other:
            return is_positive(inner, facts)
        case ex.Sub(left, right):
            return pr.Lt(right, left) in facts
        case ex.Add(ex.Div(left, first), ex.Div(right, second)) if first == second:
            return is_positive((left + right) / first, facts)
        case ex.Add(left, right):
            return (is_positive(left, facts) and is_nonnegative(right, facts)) or (
                is_nonnegative(left, facts) and is_positive(right, facts)
            )
        case ex.Mul(left, right) | ex.Div(left, right):
            return is_positive(left, facts) and is_positive(right, facts)
        case ex.Power(base, _) | ex.NaturalPower(base, _) | ex.SquareRoot(base):
            return is_positive(base, facts)
        case ex.SizeOf():
            return True
        case ex.Norm(body):  # `facts` say x ≠ 0
            return pr.Ne(body, ex.zeros(*ex.matrix_shape(body))) in facts
        case ex.Elementary(name, _):
            return name in ("exp", "sigmoid")
        case ex.Greatest(left, right):
            return is_positive(left, facts) or is_positive(right, facts)
        case ex.Rounded(ex.Add(ex.Literal(least), rest), fmt):
            # rounding is monotone, and what the format can hold it keeps
            return least >= fmt.smallest_normal and is_nonnegative(rest, facts)
    return False


def is_nonnegative(node: ex.Expression, facts: Collection[pr.Proposition] = ()) -> bool:
    """Is the scalar ≥ 0 by its form? `facts` may say 0 < x or 0 ≤ x of what occurs in it."""
    node = plain_body(node)
    if pr.Le(ex.Literal(0), node) in facts or pr.Lt(ex.Literal(0), node) in facts:
        return True
    match node:
        case ex.Literal(value):
            return value >= Fraction(0)
        case ex.Norm() | ex.Absolute() | ex.SquareRoot() | ex.SizeOf():
            return True
        case ex.Elementary(name, _):
            return name in ("exp", "sigmoid")
        case ex.Rounded(body, _):
            return is_nonnegative(body, facts)
        case ex.Greatest(left, right):
            return is_nonnegative(left, facts) or is_nonnegative(right, facts)
        case ex.Power(base, exponent):
            return exponent % 2 == 0 or is_nonnegative(base, facts)
        case ex.Entry(ex.MatMul(ex.Transpose(left), right)) | ex.Trace(
            ex.MatMul(ex.Transpose(left), right)
        ):
            return left == right
        case ex.Sub(
            ex.Mul(ex.Entry(ex.MatMul(first, u)), ex.Entry(ex.MatMul(second, v))),
            ex.Power(ex.Entry(ex.MatMul(across, w)), 2),
        ):  # Cauchy–Schwarz: (uᵀu)(vᵀv) − (uᵀv)²
            return (first, second, across, w) == (u.T, v.T, u.T, v)
        case ex.Sub(left, right) if pr.Lt(right, left) in facts or pr.Le(right, left) in facts:
            return True
        case ex.Mul(left, right):
            return left == right or (is_nonnegative(left, facts) and is_nonnegative(right, facts))
        case ex.Add(left, right):
            return is_nonnegative(left, facts) and is_nonnegative(right, facts)
        case ex.Div(left, right):
            return is_nonnegative(left, facts) and is_positive(right, facts)
    return False
