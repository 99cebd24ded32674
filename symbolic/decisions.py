"""Exact decisions on expressions, computed with SymPy and never by its simplifier.

same(a, b, facts)          == a Decision: are a and b equal, given that the facts hold?
implied(order, facts)      == does a linear inequality follow from linear facts?
difference_is_number(a, b) == the rational number a − b, where it is one
without_names(p)           == a proposition with names replaced by what they stand for

Matrices are read as polynomials in SymPy's noncommutative symbols, transposition pushed down to
them, expanded into words with coefficients in a field of rational functions over Q; a stretch of a
word between two sizes 1 is a scalar, so it commutes and equals its transpose. Scalars are rational
functions in symbols and in opaque terms: det, norm, f(x) and the like, which are equal when their
arguments have one normal form. Derivatives are taken by the rules of calculus.py; a trace is
linear, and the same for all rotations of a product.

A fact is used in three ways, all sound and none complete: its left side is replaced where it
stands; on words, as a rewriting rule, completed by overlaps, if its leading coefficient is a number
other than 0; on scalars, as a divisor of polynomials, with quotients that are multiplied out again.

`True` is a proof, `False` is only "not shown". Left out: what happens inside of sums and products
over ranges, which are opaque.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

import sympy
from sympy.polys.fields import FracField
from sympy.polys.orderings import lex
from sympy.polys.rings import PolyElement, PolyRing

from . import expressions as ex
from . import propositions as pr
from .calculus import NoSlope, slope
from .claims import plain_body
from .evaluation import Assignment, evaluate

Word: TypeAlias = tuple[sympy.Symbol, ...]
Form: TypeAlias = dict[Word, Any]
# completing a set of rules need not end; more rules than this are not completed further
_MOST_RULES = 24


class Undecided(ArithmeticError):
    """An expression these decisions cannot read, or a denominator that is identically zero."""


@dataclass(frozen=True)
class Decision:
    """`holds` is True for a proof; otherwise `difference` shows what was left over."""

    holds: bool
    difference: str = ""


def same(left: ex.Expression, right: ex.Expression, facts: Iterable[pr.Eq] = ()) -> Decision:
    """Are `left` and `right` equal wherever both are defined and the `facts` hold?

    Raises
    ------
    Undecided
        A term cannot be read.
    """
    if left.shape != right.shape:
        return Decision(False, f"the shapes {left.shape} and {right.shape} differ")
    facts = tuple(facts)
    replacements = {
        plain_body(fact.left): plain_body(fact.right)
        for fact in facts
        if not isinstance(fact.left, ex.Literal | ex.Identity | ex.Zero)
    }
    sides = [replaced(plain_body(side), replacements) for side in (left, right)]
    if sides[0] == sides[1]:
        return Decision(True)
    if all(isinstance(part, _NUMERIC) for side in sides for part in ex.walk(side)):
        return _same_numbers(*sides)
    reader = _Reader(facts)
    rest = reader.form(ex.Sub(*sides))
    return Decision(not rest, _spelled(rest) if rest else "")


_NUMERIC = (
    ex.Literal, ex.Constant, ex.Add, ex.Sub, ex.Neg, ex.Mul, ex.Scale, ex.MatMul, ex.Transpose,
    ex.Entry,
)  # fmt: skip


def _same_numbers(left: ex.Expression, right: ex.Expression) -> Decision:
    """Rational numbers and matrices of them, entry by entry."""
    from .exact import EXACT

    nothing = Assignment({}, {})
    values = [evaluate(side, nothing, EXACT) for side in (left, right)]
    equal = bool(values[0] == values[1])
    return Decision(equal, "" if equal else f"{values[0]} − {values[1]}")


def difference_is_number(left: ex.Expression, right: ex.Expression) -> Fraction | None:
    """left − right, where that is the same rational number for all values of the symbols."""
    rest = _Reader().scalar(ex.Sub(left, right))
    return Fraction(int(rest.p), int(rest.q)) if isinstance(rest, sympy.Rational) else None


def without_names(node: Any) -> Any:
    """A proposition with names replaced by what they stand for."""
    if isinstance(node, ex.Expression):
        return plain_body(node)
    if isinstance(node, tuple):
        return tuple(without_names(part) for part in node)
    if isinstance(node, pr.Proposition):
        return replace(node, **{f.name: without_names(getattr(node, f.name)) for f in fields(node)})
    return node


def same_statement(left: Any, right: Any) -> bool:
    """Are two propositions the same up to the normal forms of the expressions in them?"""
    if isinstance(left, ex.Expression) and isinstance(right, ex.Expression):
        if plain_body(left) == plain_body(right):
            return True
        try:
            return same(left, right).holds
        except Undecided:
            return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same_statement, left, right))
    if type(left) is type(right) and isinstance(left, pr.Proposition):
        return all(
            same_statement(getattr(left, f.name), getattr(right, f.name)) for f in fields(left)
        )
    return left == right


def replaced(node: ex.Expression, values: Mapping[ex.Expression, ex.Expression]) -> ex.Expression:
    """`node` with values put in where they stand, except below a bound variable."""
    if node in values:
        return values[node]
    if binds(node):
        outside = {f.name: getattr(node, f.name) for f in fields(node) if f.name != "body"}
        return replace(
            node,
            **{
                name: replaced(value, values)
                for name, value in outside.items()
                if isinstance(value, ex.Expression) and name not in ("variable", "index")
            },
        )
    return ex.rebuild(node, lambda part: replaced(part, values))


def binds(node: Any) -> bool:
    """Does a derivative, sum, product or quantifier bind a variable in the `body` of `node`?"""
    return hasattr(node, "variable") or hasattr(node, "index")


# ---------------------------------------------------------------- normal forms


class _Reader:
    """Symbols for the letters and opaque terms of one decision, and the facts it may use."""

    def __init__(self, facts: Sequence[pr.Eq] = ()):
        self.symbols: dict[Hashable, sympy.Symbol] = {}
        self.mirror: dict[sympy.Symbol, sympy.Symbol] = {}
        self.shapes: dict[sympy.Symbol, ex.Shape] = {}
        self.order: dict[sympy.Symbol, int] = {}
        self.rules: list[tuple[Word, Form]] = []
        self.relations: list[Any] = []
        self._learn_words([f for f in facts if f.left.shape not in (None, (1, 1))])
        self._learn_scalars([f for f in facts if f.left.shape in (None, (1, 1))])

    # ---- reading
    def form(self, node: ex.Expression) -> Form:
        """Word -> coefficient, zero coefficients left out; a scalar has the empty word only."""
        if node.shape is None:
            value = self.scalar(node)
            return {(): value} if value != 0 else {}
        return self.split(self.rewrite(_words(self.matrix(node))))

    def key(self, node: ex.Expression, *, reduce: bool = True) -> Hashable:
        """What two expressions share exactly when their normal forms agree. The shape counts."""
        if not reduce:
            rules, relations, self.rules, self.relations = self.rules, self.relations, [], []
            try:
                return self.key(node)
            finally:
                self.rules, self.relations = rules, relations
        return node.shape, frozenset(self.form(node).items())

    def matrix(self, node: ex.Expression, transposed: bool = False) -> Any:
        """A matrix as a SymPy expression in noncommutative symbols."""

        def read(part: ex.Expression) -> Any:
            return self.matrix(part, transposed)

        match node:
            case ex.Named(_, body):
                return read(body)
            case ex.Identity():
                return sympy.Integer(1)
            case ex.Zero():
                return sympy.Integer(0)
            case ex.Add(left, right):
                return read(left) + read(right)
            case ex.Sub(left, right):
                return read(left) - read(right)
            case ex.Neg(body):
                return -read(body)
            case ex.Scale(factor, body):
                return self.scalar(factor) * read(body)
            case ex.MatMul(left, right):
                return read(right) * read(left) if transposed else read(left) * read(right)
            case ex.Transpose(body):
                return self.matrix(body, not transposed)
            case ex.Inverse(body):
                return self.letter(("inverse", self.key(body, reduce=False)), node, transposed)
            case ex.MatrixSymbol() | ex.Constant():
                return self.letter(node, node, transposed)
            case ex.Total(index, first, last, body) | ex.OrderedProduct(index, first, last, body):
                key = self.ranged(index, first, last, body)
                return self.letter((type(node), *key), node, transposed)
            case ex.NaturalPower(base, exponent):
                if (count := self.natural(exponent)) is not None:
                    return read(base) ** count
                key = ("power", self.key(base, reduce=False), self.key(exponent))
                return self.letter(key, node, transposed)
            case ex.Ones(rows, columns):
                # all matrices of ones are made of one letter for each size: 𝟏 𝟏ᵀ
                left, right = ex.ones(rows), ex.ones(columns)
                factors = [
                    self.letter(part, part, flip)
                    for part, flip in (
                        ((right, False), (left, True))
                        if transposed
                        else ((left, False), (right, True))
                    )
                    if part.rows != 1
                ]
                return sympy.Mul(*factors)
            case ex.Kronecker(left, right):
                return self.letter(("kron", self.key(left), self.key(right)), node, transposed)
            case ex.Stacked(body):
                # linear: a letter for the columns of each word
                form = self.split(self.rewrite(_words(self.matrix(body))))
                return sympy.Add(
                    *(
                        c * self.letter(("vec", word, node.shape), node, transposed)
                        for word, c in form.items()
                    )
                )
            case ex.Derivative():
                return self.matrix(self.differentiated(node), transposed)
            case ex.Diagonal(body):
                # a diagonal matrix equals its transpose
                return self.letter(("diagonal", self.key(body)), node, False)
            case ex.Image(symbol, argument, member):
                which = None if member is None else self.key(member)
                key = ("image", symbol, which, self.key(argument))
                return self.letter(key, node, transposed)
            case ex.Term(sequence, subscript):
                return self.letter(("term", sequence, self.key(subscript)), node, transposed)
        raise Undecided(f"no normal form for {node}: {type(node).__name__} is not read")

    def scalar(self, node: ex.Expression) -> Any:
        """A scalar as a rational function, in lowest terms and modulo the scalar facts."""
        return self.reduce(self._scalar(node))

    def _scalar(self, node: ex.Expression) -> Any:
        read = self._scalar
        match node:
            case ex.Literal(value):
                return sympy.Rational(value.numerator, value.denominator)
            case ex.ScalarSymbol() | ex.IndexSymbol():
                return self.opaque(node, node)
            case ex.Named(_, body):
                return read(body)
            case ex.Add(left, right):
                return read(left) + read(right)
            case ex.Sub(left, right):
                return read(left) - read(right)
            case ex.Neg(body):
                return -read(body)
            case ex.Mul(left, right):
                return read(left) * read(right)
            case ex.Div(left, right):
                divisor = _lowest(read(right))
                if divisor == 0:
                    raise Undecided(f"the denominator of {node} is zero")
                return read(left) / divisor
            case ex.Power(base, exponent):
                return read(base) ** exponent
            case ex.Entry(body):
                return self.entry(body)
            case ex.Least(left, right):
                return self.opaque(("least", frozenset({self.key(left), self.key(right)})), node)
            case ex.Greatest(left, right):
                key = ("greatest", frozenset({self.key(left), self.key(right)}))
                return self.opaque(key, node)
            case ex.Apply(function, argument):
                return self.opaque(("apply", function, self.key(argument)), node)
            case ex.Trace(body):
                return self.trace(body)
            case ex.Det(body) | ex.Rank(body) | ex.Norm(body):
                return self.opaque((type(node), self.key(body)), node)
            case ex.Elementary(name, body):
                return self.opaque(("elementary", name, self.key(body)), node)
            case ex.Rounded(body, fmt):
                return self.opaque(("rounded", fmt, self.key(body)), node)
            case ex.Absolute(body) | ex.SquareRoot(body):
                return self.opaque((type(node), self.key(body)), node)
            case ex.SizeOf(int() as size):
                return sympy.Integer(size)
            case ex.SizeOf(ex.SizeProduct(left, right)):
                return read(ex.SizeOf(left)) * read(ex.SizeOf(right))
            case ex.SizeOf():
                return self.opaque(node, node)
            case ex.Element(body, row, column):
                # entries of a sum are the sums of entries
                value, place = sympy.Integer(0), (self.key(row), self.key(column))
                for word, coefficient in self.form(body).items():
                    key = ("element", body.shape, word, *place)
                    value += coefficient * self.opaque(key, node)
                return value
            case ex.Total(index, first, last, body) | ex.Repeated(index, first, last, body):
                key = self.ranged(index, first, last, body)
                return self.opaque((type(node), *key), node)
            case ex.NaturalPower(base, exponent):
                if (count := self.natural(exponent)) is not None:
                    return read(base) ** count
                key = ("power", self.key(base, reduce=False), self.key(exponent))
                return self.opaque(key, node)
            case ex.Derivative():
                return self.derivative(node)
            case ex.Term(sequence, subscript):
                return self.opaque(("term", sequence, self.key(subscript)), node)
        raise Undecided(f"no normal form for {node}: {type(node).__name__} is not read")

    def entry(self, node: ex.Expression) -> Any:
        """The one coefficient of a scalar or a 1×1 matrix: its words consist of scalars alone."""
        form = self.form(node)
        if any(form):
            raise Undecided(f"{node} is not read as a scalar")
        return form.get((), sympy.Integer(0))

    def entry_of(self, form: Form) -> Any:
        """The scalar that a form of shape 1×1 is."""
        return self.split(self.rewrite(form)).get((), sympy.Integer(0))

    def ranged(
        self,
        index: ex.IndexSymbol,
        first: ex.Expression,
        last: ex.Expression,
        body: ex.Expression,
    ) -> tuple[Hashable, ...]:
        """What two sums over ranges share when ends and bodies agree. The body is read without
        facts: they do not hold for the bound index."""
        return ("range", index, self.key(first), self.key(last), self.key(body, reduce=False))

    def natural(self, node: ex.Expression) -> int | None:
        """The natural number that an exponent is, None where it is not one."""
        value = self.scalar(node)
        return int(value) if isinstance(value, sympy.Integer) and value >= 0 else None

    def derivative(self, node: ex.Derivative) -> Any:
        """Differentiate a polynomial in the bound variable, or by the rules of calculus.py.

        Anything else stays opaque.
        """
        body = plain_body(node.body)
        if _is_polynomial(body, node.variable):
            # the body is read without facts: they do not hold for the bound variable
            inside = self.opaque(node.variable, node.variable)
            rules, relations, self.rules, self.relations = self.rules, self.relations, [], []
            try:
                found = sympy.diff(self.scalar(body), inside, node.order)
            finally:
                self.rules, self.relations = rules, relations
            return found.subs(inside, self.scalar(node.at))
        try:
            for _ in range(node.order):
                body = slope(body, node.variable)
            return self._scalar(ex.substitute(body, {node.variable: node.at}))
        except NoSlope:
            body = plain_body(node.body)
        body_key = self.key(body, reduce=False)
        where = (node.variable, self.key(node.at), node.order)
        return self.opaque(("derivative", body_key, *where), node)

    def differentiated(self, node: ex.Derivative) -> ex.Expression:
        """The derivative of a matrix, by the rules of calculus.py alone."""
        body = plain_body(node.body)
        try:
            for _ in range(node.order):
                body = slope(body, node.variable)
        except NoSlope as problem:
            raise Undecided(str(problem)) from None
        return ex.substitute(body, {node.variable: node.at})

    def trace(self, body: ex.Expression) -> Any:
        """The trace: linear, the same for a word, its rotations and its transpose."""
        size, total = ex.matrix_shape(body)[0], sympy.Integer(0)
        for word, coefficient in self.form(body).items():
            total += coefficient * self._trace(word, size)
        return total

    def _trace(self, word: Word, size: ex.Size) -> Any:
        if not word:
            return self._scalar(ex.SizeOf(size))
        turns = [word[i:] + word[:i] for i in range(len(word))]
        for turn in turns:
            if self._size(turn, 0) == 1:  # tr(u vᵀ) = vᵀu
                return self.entry_of({turn: sympy.Integer(1)})
        turns += [tuple(self.mirror[x] for x in reversed(turn)) for turn in turns]
        # a rule may still apply to a rotation; what it makes of it has another name, no other value
        least = min(turns, key=self.degree)
        return self.opaque(("trace", least), "tr " + " ".join(x.name for x in least))

    # ---- symbols
    def letter(self, key: Hashable, node: ex.Expression, transposed: bool) -> sympy.Symbol:
        """The noncommutative symbol of a matrix, or of its transpose."""
        if key not in self.symbols:
            plain = self._new(str(node), commutative=False)
            symmetric = isinstance(node, ex.Diagonal)
            flipped = plain if symmetric else self._new(f"{node}ᵀ", commutative=False)
            self.symbols[key] = plain
            self.mirror |= {plain: flipped, flipped: plain}
            rows, columns = ex.matrix_shape(node)
            self.shapes |= {plain: (rows, columns), flipped: (columns, rows)}
        plain = self.symbols[key]
        return self.mirror[plain] if transposed else plain

    def opaque(self, key: Hashable, node: ex.Expression | str) -> sympy.Symbol:
        """The commutative symbol of a term that is not looked into."""
        if key not in self.symbols:
            self.symbols[key] = self._new(str(node), commutative=True)
        return self.symbols[key]

    def _new(self, name: str, *, commutative: bool) -> sympy.Symbol:
        # a Dummy is equal to itself only, so that names cannot collide
        symbol = sympy.Dummy(name, commutative=commutative)
        self.order[symbol] = len(self.order)
        return symbol

    # ---- words
    def degree(self, word: Word) -> tuple[int, tuple[int, ...]]:
        """Longer words first, then letter by letter; a transposed letter is above the plain one."""
        return len(word), tuple(self.order[letter] for letter in word)

    def transposed(self, form: Form) -> Form:
        """The transpose, word by word."""
        return {tuple(self.mirror[x] for x in reversed(w)): c for w, c in form.items()}

    def rewrite(self, form: Form) -> Form:
        """`form` with the rules applied until none fits; every step goes down in the order."""
        done: Form = {}
        pending = list(form.items())
        while pending:
            word, coefficient = pending.pop()
            for lead, rest in self.rules:
                place = _find(lead, word)
                if place is not None:
                    before, after = word[:place], word[place + len(lead) :]
                    pending += [
                        ((*before, *middle, *after), coefficient * c) for middle, c in rest.items()
                    ]
                    break
            else:
                done[word] = done.get(word, 0) + coefficient
        return self._nonzero(done)

    def split(self, form: Form) -> Form:
        """`form` with the stretches between sizes 1 moved into the coefficients."""
        done: Form = {}
        for word, coefficient in form.items():
            cuts = [i for i in range(len(word) + 1) if self._size(word, i) == 1] if word else []
            for start, stop in pairwise(cuts):
                coefficient = coefficient * self.stretch(word[start:stop])
            rest = (*word[: cuts[0]], *word[cuts[-1] :]) if cuts else word
            done[rest] = done.get(rest, 0) + coefficient
        return self._nonzero(done)

    def stretch(self, word: Word) -> Any:
        """The scalar that a word of shape 1×1 is: the same for the word and its transpose."""
        factor: Any = sympy.Integer(1)
        flipped = self.rewrite(self.transposed({word: factor}))
        if not flipped:
            return sympy.Integer(0)
        if len(flipped) == 1:
            ((other, ratio),) = flipped.items()
            if other == word and isinstance(ratio, sympy.Rational) and ratio != 1:
                return sympy.Integer(0)  # xᵀSx = −xᵀSx
            if self.degree(other) < self.degree(word):
                word, factor = other, ratio
        return factor * self.opaque(("scalar", word), " ".join(x.name for x in word))

    def _size(self, word: Word, place: int) -> ex.Size:
        return self.shapes[word[0]][0] if place == 0 else self.shapes[word[place - 1]][1]

    def _nonzero(self, form: Form) -> Form:
        reduced = {word: self.reduce(c) for word, c in form.items()}
        return {word: c for word, c in reduced.items() if c != 0}

    # ---- facts
    def _learn_words(self, facts: Sequence[pr.Eq]) -> None:
        pending = [_words(self.matrix(ex.Sub(f.left, f.right))) for f in facts]
        pending += [self.transposed(form) for form in pending]
        pending.reverse()
        while pending:
            form = self.rewrite(pending.pop())
            if not form:
                continue
            lead = max(form, key=self.degree)
            factor = form.pop(lead)
            if not lead or not isinstance(factor, sympy.Rational):
                continue  # dividing by what may be zero would prove a·A = a·B ⊢ A = B
            rule = (lead, {word: -c / factor for word, c in form.items()})
            stale = [other for other in self.rules if _find(lead, other[0]) is not None]
            self.rules = [other for other in self.rules if other not in stale]
            pending += [{**{w: -c for w, c in rest.items()}, old: 1} for old, rest in stale]
            self.rules.append(rule)
            if len(self.rules) <= _MOST_RULES:
                for other in self.rules:
                    pending += [*_overlaps(rule, other), *_overlaps(other, rule)]

    def _learn_scalars(self, facts: Sequence[pr.Eq]) -> None:
        for fact in facts:
            rest = self.entry(ex.Sub(fact.left, fact.right))
            numerator = sympy.fraction(rest)[0]
            if numerator.free_symbols:
                self.relations.append(numerator)

    def reduce(self, value: Any) -> Any:
        """`value` in lowest terms, its numerator replaced by the remainder modulo the facts."""
        value = _lowest(value)
        if not self.relations or value.is_Rational:
            return value
        numerator, denominator = sympy.fraction(value)
        occurring: set[Any] = numerator.free_symbols.union(
            *(r.free_symbols for r in self.relations)
        )
        gens = sorted(occurring, key=self.order.__getitem__, reverse=True)
        ring = PolyRing(gens, sympy.QQ, lex)
        dividend = ring.from_expr(numerator)
        divisors = [ring.from_expr(relation) for relation in self.relations]
        quotients, remainder = dividend.div(divisors)
        _check_division(dividend, divisors, quotients, remainder)
        return _lowest(remainder.as_expr() / denominator)


def _check_division(
    dividend: PolyElement,
    divisors: Sequence[PolyElement],
    quotients: Sequence[PolyElement],
    remainder: PolyElement,
) -> None:
    total = remainder
    for quotient, divisor in zip(quotients, divisors, strict=True):
        total = total + quotient * divisor
    if total != dividend:
        raise Undecided(f"the division of {dividend} does not multiply out again")


def _words(expression: Any) -> Form:
    """An expanded SymPy expression as word -> coefficient."""
    form: Form = {}
    for term in sympy.Add.make_args(sympy.expand(expression)):
        coefficients, factors = term.args_cnc()
        word: list[sympy.Symbol] = []
        for factor in factors:
            base, exponent = factor.as_base_exp()
            if not base.is_Symbol or not exponent.is_Integer or exponent < 1:
                raise Undecided(f"{factor} is not a product of letters")
            word += [base] * int(exponent)
        form[tuple(word)] = form.get(tuple(word), 0) + sympy.Mul(*coefficients)
    return {word: c for word, c in form.items() if _lowest(c) != 0}


def _lowest(value: Any) -> Any:
    """A rational function in lowest terms, as the field of fractions over Q makes it."""
    value = sympy.sympify(value)
    if value.is_Rational:
        return value
    gens = sorted(value.free_symbols, key=lambda symbol: symbol.dummy_index)
    if not gens:
        raise Undecided(f"{value} is not a rational number")
    return FracField(gens, sympy.QQ, lex).from_expr(value).as_expr()


def _overlaps(first: tuple[Word, Form], second: tuple[Word, Form]) -> list[Form]:
    """What must vanish where the end of one leading word is the beginning of the other."""
    (left, rest), (right, others) = first, second
    found: list[Form] = []
    for length in range(1, min(len(left), len(right))):
        if left[-length:] == right[:length]:
            form = {(*left[:-length], *word): c for word, c in others.items()}
            for word, c in rest.items():
                longer = (*word, *right[length:])
                form[longer] = form.get(longer, 0) - c
            found.append(form)
    return found


def _find(lead: Word, word: Word) -> int | None:
    for place in range(len(word) - len(lead) + 1):
        if word[place : place + len(lead)] == lead:
            return place
    return None


def _is_polynomial(node: ex.Expression, variable: ex.ScalarSymbol) -> bool:
    """Is `node` a polynomial in `variable`, with coefficients that do not contain it?"""
    if variable not in _everything(node):
        return True
    match node:
        case ex.ScalarSymbol():
            return True
        case ex.Add() | ex.Sub() | ex.Neg() | ex.Mul() | ex.Power():
            return all(_is_polynomial(part, variable) for part in node.parts)
        case ex.Div(left, right):
            return _is_polynomial(left, variable) and variable not in _everything(right)
    return False


def _everything(node: Any) -> set[Any]:
    """All that occurs in a tree, bound variables included."""
    found = {node}
    if is_dataclass(node):
        for f in fields(node):
            value = getattr(node, f.name)
            if is_dataclass(value):
                found |= _everything(value)
    return found


def _spelled(form: Form) -> str:
    terms = []
    for word, coefficient in form.items():
        text = " ".join(letter.name for letter in word)
        number = str(coefficient).replace("_", "").replace("**", "^").replace("*", " ")
        terms.append(f"({number}) {text}".rstrip() if word else number)
    return " + ".join(terms)


# ---------------------------------------------------------------- linear inequalities


@dataclass(frozen=True)
class _Bound:
    """Σ coefficient · term + constant ≤ 0, or < 0 when strict."""

    terms: Mapping[Any, Fraction]
    constant: Fraction
    strict: bool


def implied(statement: pr.Le | pr.Lt, facts: Iterable[pr.Proposition] = ()) -> bool:
    """Does `statement` follow from `facts`, both linear in symbols and opaque terms?

    The statement's negation and the facts are shown to have no common solution by eliminating one
    term after the other (Fourier and Motzkin), in rational numbers.
    """
    orders = [(statement.right, statement.left, isinstance(statement, pr.Le))]  # its negation
    for fact in facts:
        match fact:
            case pr.Lt(left, right) | pr.Le(left, right):
                orders.append((left, right, isinstance(fact, pr.Lt)))
            case pr.Eq(left, right) if left.shape is None:
                orders += [(left, right, False), (right, left, False)]
    # what is spelled alike is the same: often that is enough, and it is soon seen
    surface = _Surface()
    if _unsatisfiable([surface.bound(*order) for order in orders]):
        return True
    reader = _Reader()
    return _unsatisfiable([_bound(reader, *order) for order in orders])


class _Surface:
    """Polynomials as they are spelled: terms of other forms are equal where they are one tree."""

    def __init__(self) -> None:
        self.atoms: dict[ex.Expression, int] = {}

    def bound(self, left: ex.Expression, right: ex.Expression, strict: bool) -> _Bound:
        """left − right ≤ 0, or < 0."""
        terms = self.read(ex.Sub(left, right))
        constant = terms.pop(frozenset(), Fraction(0))
        return _Bound(terms, constant, strict)

    def read(self, node: ex.Expression) -> dict[frozenset[tuple[int, int]], Fraction]:
        """Coefficients by monomial, which gives the powers of its atoms."""
        match node:
            case ex.Named(_, body):
                return self.read(body)
            case ex.Literal(value):
                return {frozenset(): value} if value else {}
            case ex.Add(left, right):
                return _added(self.read(left), self.read(right), Fraction(1))
            case ex.Sub(left, right):
                return _added(self.read(left), self.read(right), Fraction(-1))
            case ex.Neg(body):
                return _added({}, self.read(body), Fraction(-1))
            case ex.Div(left, ex.Literal(value)) if value:
                return _added({}, self.read(left), 1 / value)
            case ex.Mul(left, right):
                return _multiplied(self.read(left), self.read(right))
            case ex.Power(base, exponent):
                factor, product = self.read(base), {frozenset[tuple[int, int]](): Fraction(1)}
                for _ in range(exponent):
                    product = _multiplied(product, factor)
                return product
        atom = self.atoms.setdefault(plain_body(node), len(self.atoms))
        return {frozenset({(atom, 1)}): Fraction(1)}


def _added(left: Mapping[Any, Fraction], right: Mapping[Any, Fraction], factor: Fraction) -> Any:
    """left + factor·right, zeros left out."""
    found = dict(left)
    for term, value in right.items():
        found[term] = found.get(term, Fraction(0)) + factor * value
    return {term: value for term, value in found.items() if value}


def _multiplied(left: Mapping[Any, Fraction], right: Mapping[Any, Fraction]) -> Any:
    found: dict[Any, Fraction] = {}
    for one, value in left.items():
        for other, factor in right.items():
            powers = dict(one)
            for atom, power in other:
                powers[atom] = powers.get(atom, 0) + power
            term = frozenset(powers.items())
            found[term] = found.get(term, Fraction(0)) + value * factor
    return {term: value for term, value in found.items() if value}


def _bound(reader: _Reader, left: ex.Expression, right: ex.Expression, strict: bool) -> _Bound:
    value = reader.scalar(ex.Sub(left, right))
    if not value.free_symbols:
        return _Bound({}, _fraction(value), strict)
    gens = sorted(value.free_symbols, key=reader.order.__getitem__)
    denominator = sympy.fraction(value)[1]
    if not denominator.is_Rational:
        raise Undecided(f"{left} − {right} is not a polynomial")
    terms: dict[Any, Fraction] = {}
    constant = Fraction(0)
    for powers, coefficient in PolyRing(gens, sympy.QQ, lex).from_expr(value).terms():
        share = Fraction(int(sympy.QQ.numer(coefficient)), int(sympy.QQ.denom(coefficient)))
        if any(powers):
            terms[frozenset((g, p) for g, p in zip(gens, powers, strict=True) if p)] = share
        else:
            constant = share
    return _Bound(terms, constant, strict)


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _unsatisfiable(bounds: Sequence[_Bound]) -> bool:
    while True:
        if any(not b.terms and (b.constant > 0 or (b.strict and b.constant == 0)) for b in bounds):
            return True
        signs: dict[Any, list[int]] = {}  # how many bounds have a term from above, from below
        for b in bounds:
            for t, c in b.terms.items():
                signs.setdefault(t, [0, 0])[c < 0] += 1
        if not signs:
            return False
        # the term whose elimination leaves the fewest bounds
        term = min(signs, key=lambda t: signs[t][0] * signs[t][1] - sum(signs[t]))
        above = [b for b in bounds if b.terms.get(term, 0) > 0]
        below = [b for b in bounds if b.terms.get(term, 0) < 0]
        others = [b for b in bounds if term not in b.terms]
        bounds = [*others, *(_combined(a, b, term) for a in above for b in below)]


def _combined(above: _Bound, below: _Bound, term: Any) -> _Bound:
    p, q = -below.terms[term], above.terms[term]
    terms = {
        t: p * above.terms.get(t, Fraction(0)) + q * below.terms.get(t, Fraction(0))
        for t in {**above.terms, **below.terms}
    }
    return _Bound(
        {t: c for t, c in terms.items() if c != 0},
        p * above.constant + q * below.constant,
        above.strict or below.strict,
    )
