"""Expressions and propositions as text: LaTeX for pages, Unicode for terminals and messages.

latex(node)          == LaTeX, without dollar signs
plain(node)          == one line of Unicode
home(symbol)         == where its values live
definitions(nodes)   == what the names that occur in them stand for, in order of dependence

Parentheses come from precedence alone; the tree is printed as it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

from . import expressions as ex
from . import propositions as pr
from .binding import mentions, put

Node: TypeAlias = ex.Expression | pr.Proposition
_SUM, _PRODUCT, _POSTFIX, _ATOM = range(4)
_IFF, _IMPLIES, _OR, _AND, _RELATION = range(5)

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "sigma": "σ", "omega": "ω",
}  # fmt: skip
_SPELLED = {"lam": "lambda", "eps": "epsilon"}
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def latex(node: Node) -> str:
    """`node` as LaTeX, without dollar signs."""
    return _print(node, _Latex())


def plain(node: Node) -> str:
    """`node` as one line of Unicode text."""
    return _print(node, _Plain())


def home(symbol: Any) -> tuple[str, str]:
    """Where the values of a symbol live, in LaTeX and in plain text: what follows its name."""
    match symbol:
        case ex.Dim():
            return r"\geq 1", "≥ 1"
        case ex.IndexSymbol():
            return r"\in \mathbb{Z}", "∈ Z"
        case ex.MatrixSymbol(_, rows, columns):
            of_latex, of_plain = _space(rows, columns)
        case ex.SequenceSymbol(_, size, columns) if size is not None:
            of_latex, of_plain = _space(size, columns)
        case ex.FunctionSymbol():
            return r"\colon \mathbb{R} \to \mathbb{R}", ": R → R"
        case ex.MapSymbol(_, size, columns):
            of_latex, of_plain = _space(size, columns)
            return rf"\colon {of_latex} \to {of_latex}", f": {of_plain} → {of_plain}"
        case _:
            of_latex, of_plain = r"\mathbb{R}", "R"
    return rf"\in {of_latex}", f"∈ {of_plain}"


def _space(rows: ex.Size, columns: ex.Size) -> tuple[str, str]:
    if columns == 1:
        return rf"\mathbb{{R}}^{{{rows}}}", f"R^{rows}"
    return rf"\mathbb{{R}}^{{{rows} \times {columns}}}", f"R^({rows}×{columns})"


def definitions(nodes: Iterable[pr.Proposition]) -> dict[str, ex.Expression]:
    """Name -> body for every Named expression in `nodes`, a name after those it uses."""
    found: dict[str, ex.Expression] = {}

    def visit(node: ex.Expression) -> None:
        for part in node.parts:
            visit(part)
        if isinstance(node, ex.Named) and found.setdefault(node.name, node.body) != node.body:
            raise ValueError(f"the name {node.name} stands for two different expressions")

    def visit_statement(statement: pr.Proposition) -> None:
        for part in statement.expressions:
            visit(part)
        for part in statement.propositions:
            visit_statement(part)

    for statement in nodes:
        visit_statement(statement)
    return found


def _print(node: Node, style: _Style) -> str:
    if isinstance(node, pr.Proposition):
        return style.proposition(node)
    return style.expression(node)


class _Style:
    """What the two notations share: the shape of every node, and where parentheses go."""

    minus = "-"
    times = " "
    ones = ""
    tensor = ""
    infinity = ""
    root_level = _SUM

    # ---- notation, filled in by the subclasses
    def name(self, name: str) -> str:
        raise NotImplementedError

    def paren(self, text: str) -> str:
        raise NotImplementedError

    def call(self, name: str, text: str) -> str:
        raise NotImplementedError

    def fraction(self, value: Fraction) -> tuple[str, int]:
        raise NotImplementedError

    def quotient(self, left: ex.Expression, right: ex.Expression) -> tuple[str, int]:
        raise NotImplementedError

    def power(self, base: str, exponent: int) -> str:
        raise NotImplementedError

    def superscript(self, base: str, exponent: str) -> str:
        raise NotImplementedError

    def rounding(self, name: str, body: str) -> str:
        raise NotImplementedError

    def absolute(self, body: str) -> str:
        raise NotImplementedError

    def square_root(self, body: str) -> str:
        raise NotImplementedError

    def defined(self, notation: str, places: tuple[ex.Expression, ...]) -> str:
        body, *others = (self.expression(place) for place in places)
        match notation, others:
            case "spectral norm", [value]:
                return f"{self.norm(body)} = {value}"
            case "spectral norm below", [value]:
                return f"{self.norm(body)} < {value}"
            case "smallest singular value", [value]:
                return f"{self.subscript(self.name('sigma'), 'min')}{self.paren(body)} = {value}"
            case "distance to the orthogonal group", [value]:
                group = (
                    f"{self.name('O')}{self.paren(self.name(str(ex.matrix_shape(places[0])[0])))}"
                )
                return f"{self.call('dist', f'{body}, {group}')} = {value}"
            case _, []:  # a property of a matrix, which is called by its name
                return f"{body}{self.words(f' is {notation}')}"
        raise TypeError(f"cannot print the notation {notation!r}")

    def transpose(self, body: str) -> str:
        raise NotImplementedError

    def inverse(self, body: str) -> str:
        raise NotImplementedError

    def norm(self, body: str) -> str:
        raise NotImplementedError

    def subscript(self, name: str, text: str) -> str:
        raise NotImplementedError

    def big(self, sign: str, index: str, first: str, last: str, body: str) -> str:
        raise NotImplementedError

    def derivative(self, node: ex.Derivative) -> str:
        raise NotImplementedError

    def constant(self, entries: tuple[tuple[Fraction, ...], ...]) -> str:
        raise NotImplementedError

    def words(self, text: str) -> str:
        raise NotImplementedError

    relations: ClassVar[Mapping[type[pr.Proposition], str]]
    connectives: ClassVar[Mapping[type[pr.Proposition], str]]
    quantifiers: ClassVar[Mapping[type[pr.Proposition], str]]

    # ---- expressions
    def expression(self, node: ex.Expression, level: int = _SUM) -> str:
        text, own = self._expression(node)
        return text if own >= level else self.paren(text)

    def _expression(self, node: ex.Expression) -> tuple[str, int]:
        show = self.expression
        match node:
            case ex.Literal(value):
                text, own = self.fraction(abs(value))
                return (f"{self.minus}{text}", _SUM) if value < 0 else (text, own)
            case ex.ScalarSymbol(name) | ex.IndexSymbol(name) | ex.MatrixSymbol(name):
                return self.name(name), _ATOM
            case ex.Named(name, _):
                return self.name(name), _ATOM
            case ex.Identity(size):
                return "1" if size == 1 else "I", _ATOM
            case ex.Zero(_, _):
                return "0", _ATOM
            case ex.Ones(_, _):
                return self.ones, _ATOM
            case ex.SizeOf(size):
                return self.name(str(size)), _ATOM
            case ex.Constant(entries):
                return self.constant(entries), _ATOM
            case ex.Add(left, right):
                return f"{show(left)} + {show(right, _PRODUCT)}", _SUM
            case ex.Sub(left, right):
                return f"{show(left)} {self.minus} {show(right, _PRODUCT)}", _SUM
            case ex.Neg(body):
                return f"{self.minus}{show(body, _PRODUCT)}", _SUM
            case ex.Mul(left, right) | ex.MatMul(left, right) | ex.Scale(left, right):
                return f"{show(left, _PRODUCT)}{self.times}{show(right, _PRODUCT)}", _PRODUCT
            case ex.Div(left, right):
                return self.quotient(left, right)
            case ex.Power(base, exponent):
                return self.power(show(base, _ATOM), exponent), _POSTFIX
            case ex.NaturalPower(base, exponent):
                return self.superscript(show(base, _ATOM), show(exponent)), _POSTFIX
            case ex.Transpose(body):
                return self.transpose(show(body, _ATOM)), _POSTFIX
            case ex.Inverse(body):
                return self.inverse(show(body, _ATOM)), _POSTFIX
            case ex.Entry(body):
                return show(body, _ATOM), _ATOM
            case ex.Norm(body):
                return self.norm(show(body)), _ATOM
            case ex.Det(body):
                return self.call("det", show(body)), _ATOM
            case ex.Trace(body):
                return self.call("tr", show(body)), _ATOM
            case ex.Rank(body):
                return self.call("rank", show(body)), _ATOM
            case ex.Least(left, right):
                return self.call("min", f"{show(left)}, {show(right)}"), _ATOM
            case ex.Greatest(left, right):
                return self.call("max", f"{show(left)}, {show(right)}"), _ATOM
            case ex.Absolute(body):
                return self.absolute(show(body)), _ATOM
            case ex.SquareRoot(ex.Trace(ex.MatMul(ex.Transpose(left), right))) if left == right:
                return f"{self.norm(show(left))}_F", _ATOM
            case ex.SquareRoot(body):
                return self.square_root(show(body, self.root_level)), _ATOM
            case ex.Elementary(name, body):
                return self.call(name, show(body)), _ATOM
            case ex.Rounded(body, fmt):
                return self.rounding(fmt.name, show(body)), _ATOM
            case ex.Eliminated(left, right, fmt):
                system = f"{show(left)}, {show(right)}"
                return self.subscript(self.words("solve"), fmt.name) + self.paren(system), _ATOM
            case ex.Element(body, row, column):
                return self.subscript(show(body, _ATOM), f"{show(row)},{show(column)}"), _ATOM
            case ex.Kronecker(left, right):
                return f"{show(left, _POSTFIX)} {self.tensor} {show(right, _POSTFIX)}", _SUM
            case ex.Stacked(body):
                return self.call("vec", show(body)), _ATOM
            case ex.Diagonal(body):
                return self.call("diag", show(body)), _ATOM
            case ex.Apply(function, argument):
                return f"{self.name(function.name)}{self.paren(show(argument))}", _ATOM
            case ex.Image(symbol, argument, member):
                name = self.name(symbol.name)
                name = name if member is None else self.subscript(name, show(member))
                return f"{name}{self.paren(show(argument))}", _ATOM
            case ex.Derivative():
                return self.derivative(node), _ATOM
            case ex.Term(sequence, subscript):
                return self.subscript(self.name(sequence.name), show(subscript)), _ATOM
            case ex.Total(index, first, last, body):
                return self._big("sum", index, first, last, body), _SUM
            case ex.OrderedProduct(index, first, last, body):
                return self._big("prod", index, last, first, body), _SUM
            case ex.Repeated(index, first, last, body):
                return self._big("prod", index, first, last, body), _SUM
        raise TypeError(f"cannot print a {type(node).__name__}")

    def _big(
        self,
        sign: str,
        index: ex.Expression,
        first: ex.Expression,
        last: ex.Expression,
        body: ex.Expression,
    ) -> str:
        show = self.expression
        return self.big(sign, show(index), show(first), show(last), show(body, _PRODUCT))

    def point(self, node: ex.Derivative) -> str:
        """Where a derivative is taken; "z = −z" would be read as an equation."""
        at = self.expression(node.at)
        named = mentions(node.at, node.variable)
        return at if named else f"{self.expression(node.variable)}={at}"

    # ---- propositions
    def proposition(self, node: pr.Proposition, level: int = _IFF) -> str:
        text, own = self._proposition(node)
        return text if own >= level else self.paren(text)

    def _proposition(self, node: pr.Proposition) -> tuple[str, int]:
        show, statement = self.expression, self.proposition
        match node:
            case pr.Eq(left, right) | pr.Ne(left, right) | pr.Le(left, right) | pr.Lt(left, right):
                return f"{show(left)} {self.relations[type(node)]} {show(right)}", _RELATION
            case pr.Invertible(body):
                return f"{show(body)}{self.words(' is invertible')}", _RELATION
            case pr.Differentiable(ex.Apply(function, argument), variable, at) if (
                argument == variable
            ):
                where = f"{self.words(' is differentiable at ')}{show(at)}"
                return f"{self.name(function.name)}{where}", _RELATION
            case pr.Differentiable(body, variable, at):
                point = show(at) if at == variable else f"{show(variable)} = {show(at)}"
                where = f"{self.words(' is differentiable at ')}{point}"
                return f"{show(body)}{where}", _RELATION
            case pr.And(parts):
                return self.connectives[pr.And].join(statement(p, _AND) for p in parts), _AND
            case pr.Or(parts):
                return self.connectives[pr.Or].join(statement(p, _AND) for p in parts), _OR
            case pr.Implies(left, right):
                sign = self.connectives[pr.Implies]
                return f"{statement(left, _OR)}{sign}{statement(right, _IMPLIES)}", _IMPLIES
            case pr.Iff(left, right):
                sign = self.connectives[pr.Iff]
                return f"{statement(left, _OR)}{sign}{statement(right, _OR)}", _IFF
            case pr.ForAll(variable, body) | pr.Exists(variable, body):
                sign = self.quantifiers[type(node)]
                return f"{sign}{self.name(variable.name)}: {statement(body)}", _IFF
            case pr.TendsTo(body, variable, to, limit):
                sign = self.relations[pr.TendsTo]
                point = self.infinity if to is None else show(to)
                where = f"{self.words(' as ')}{show(variable)} {sign} {point}"
                return f"{show(body)} {sign} {show(limit)}{where}", _RELATION
            case pr.Defined("rounded sum", _, body):  # a model, to be read in full
                return self._proposition(body)
            case pr.Defined("rounded product", (product, left, right, r), _):
                computed = self.call("fl", show(left @ right))
                how = self.words(", summed in any order with roundoff ")
                return f"{show(product)} = {computed}{how}{show(r)}", _RELATION
            case pr.Defined(notation, places, _):
                return self.defined(notation, places), _RELATION
            case pr.ForRange(index, first, ex.SizeOf(1), body) if first == ex.Literal(Fraction(1)):
                return self._proposition(put(body, index, first))
            case pr.ForRange(index, first, last, body) | pr.ExistsRange(index, first, last, body):
                quantifier = pr.ForAll if isinstance(node, pr.ForRange) else pr.Exists
                domain = f"{show(index)} = {show(first)}, …"
                domain += f", {show(last)}" if last is not None else ""
                return f"{self.quantifiers[quantifier]}{domain}: {statement(body)}", _IFF
        raise TypeError(f"cannot print a {type(node).__name__}")


class _Latex(_Style):
    times = r"\,"
    ones = r"\mathbf{1}"
    tensor = r"\otimes"
    infinity = r"\infty"
    relations = {pr.Eq: "=", pr.Ne: r"\neq", pr.Le: r"\leq", pr.Lt: "<", pr.TendsTo: r"\to"}
    connectives = {
        pr.And: r" \;\wedge\; ",
        pr.Or: r" \;\vee\; ",
        pr.Implies: r" \;\Rightarrow\; ",
        pr.Iff: r" \;\Leftrightarrow\; ",
    }
    quantifiers = {pr.ForAll: r"\forall\,", pr.Exists: r"\exists\,"}

    def name(self, name: str) -> str:
        head, _, tail = name.partition("_")
        head = _SPELLED.get(head, head)
        letters = head.rstrip("'")
        primes = head[len(letters) :]
        if letters in _GREEK:
            text = f"\\{letters}"
        else:
            text = letters if len(letters) == 1 else f"\\mathrm{{{letters}}}"
        tail = f"\\{tail}" if tail in _GREEK else tail
        return f"{text}{primes}_{{{tail}}}" if tail else text + primes

    def paren(self, text: str) -> str:
        return rf"\left({text}\right)"

    def call(self, name: str, text: str) -> str:
        if name == "sigmoid":
            operator = r"\sigma"
        elif name in ("det", "min", "max", "exp", "log", "sin", "cos", "arctan"):
            operator = rf"\{name}"
        else:
            operator = rf"\operatorname{{{name}}}"
        return rf"{operator}\left({text}\right)"

    def fraction(self, value: Fraction) -> tuple[str, int]:
        if value.denominator == 1:
            return str(value), _ATOM
        return rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}", _POSTFIX

    def quotient(self, left: ex.Expression, right: ex.Expression) -> tuple[str, int]:
        return rf"\frac{{{self.expression(left)}}}{{{self.expression(right)}}}", _PRODUCT

    def power(self, base: str, exponent: int) -> str:
        return f"{base}^{{{exponent}}}"

    def superscript(self, base: str, exponent: str) -> str:
        return f"{base}^{{{exponent}}}"

    def rounding(self, name: str, body: str) -> str:
        return rf"\operatorname{{fl}}_{{\text{{{name}}}}}\left({body}\right)"

    def absolute(self, body: str) -> str:
        return rf"\left|{body}\right|"

    def square_root(self, body: str) -> str:
        return rf"\sqrt{{{body}}}"

    def transpose(self, body: str) -> str:
        return rf"{body}^{{\top}}"

    def inverse(self, body: str) -> str:
        return f"{body}^{{-1}}"

    def norm(self, body: str) -> str:
        return rf"\left\|{body}\right\|"

    def subscript(self, name: str, text: str) -> str:
        return f"{self.paren(name) if '_' in name else name}_{{{text}}}"

    def big(self, sign: str, index: str, first: str, last: str, body: str) -> str:
        return rf"\{sign}_{{{index}={first}}}^{{{last}}} {body}"

    def derivative(self, node: ex.Derivative) -> str:
        show = self.expression
        if isinstance(node.body, ex.Apply) and node.body.argument == node.variable:
            return f"{self.name(node.body.function.name)}{chr(39) * node.order}({show(node.at)})"
        order = f"^{{{node.order}}}" if node.order > 1 else ""
        operator = rf"\frac{{d{order}}}{{d{show(node.variable)}{order}}}"
        text = rf"{operator}\left[{show(node.body)}\right]"
        return text if node.at == node.variable else f"{text}_{{{self.point(node)}}}"

    def constant(self, entries: tuple[tuple[Fraction, ...], ...]) -> str:
        rows = r" \\ ".join(
            " & ".join(("-" if x < 0 else "") + self.fraction(abs(x))[0] for x in row)
            for row in entries
        )
        return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"

    def words(self, text: str) -> str:
        return rf"\text{{{text}}}"


class _Plain(_Style):
    minus = "−"
    ones = "𝟏"
    tensor = "⊗"
    infinity = "∞"
    root_level = _ATOM
    relations = {pr.Eq: "=", pr.Ne: "≠", pr.Le: "≤", pr.Lt: "<", pr.TendsTo: "→"}
    connectives = {pr.And: " and ", pr.Or: " or ", pr.Implies: " ⇒ ", pr.Iff: " ⇔ "}
    quantifiers = {pr.ForAll: "for all ", pr.Exists: "for some "}

    def name(self, name: str) -> str:
        head, underscore, tail = name.partition("_")
        head = _SPELLED.get(head, head)
        return _GREEK.get(head, head) + underscore + _GREEK.get(tail, tail)

    def paren(self, text: str) -> str:
        return f"({text})"

    def call(self, name: str, text: str) -> str:
        return f"{'σ' if name == 'sigmoid' else name}({text})"

    def fraction(self, value: Fraction) -> tuple[str, int]:
        one_letter = {Fraction(1, 2): "½", Fraction(1, 4): "¼"}
        if value in one_letter or value.denominator == 1:
            return one_letter.get(value, str(value)), _ATOM
        return str(value), _PRODUCT

    def quotient(self, left: ex.Expression, right: ex.Expression) -> tuple[str, int]:
        return f"{self.expression(left, _PRODUCT)}/{self.expression(right, _POSTFIX)}", _PRODUCT

    def power(self, base: str, exponent: int) -> str:
        return base + str(exponent).translate(_SUPERSCRIPTS)

    def superscript(self, base: str, exponent: str) -> str:
        if exponent.isdigit():
            return base + exponent.translate(_SUPERSCRIPTS)
        return f"{base}^{exponent}" if len(exponent) == 1 else f"{base}^({exponent})"

    def rounding(self, name: str, body: str) -> str:
        return f"fl[{name}]({body})"

    def absolute(self, body: str) -> str:
        return f"|{body}|"

    def square_root(self, body: str) -> str:
        return f"√{body}"

    def transpose(self, body: str) -> str:
        return f"{body}ᵀ"

    def inverse(self, body: str) -> str:
        return f"{body}⁻¹"

    def norm(self, body: str) -> str:
        return f"‖{body}‖"

    def subscript(self, name: str, text: str) -> str:
        return f"{name}_{text}" if len(text) == 1 else f"{name}_({text})"

    def big(self, sign: str, index: str, first: str, last: str, body: str) -> str:
        return f"{'Σ' if sign == 'sum' else 'Π'}_({index}={first}..{last}) {body}"

    def derivative(self, node: ex.Derivative) -> str:
        show = self.expression
        if isinstance(node.body, ex.Apply) and node.body.argument == node.variable:
            return f"{self.name(node.body.function.name)}{chr(39) * node.order}({show(node.at)})"
        order = str(node.order).translate(_SUPERSCRIPTS) if node.order > 1 else ""
        text = f"d{order}/d{show(node.variable)}{order} [{show(node.body)}]"
        return text if node.at == node.variable else f"{text}|({self.point(node)})"

    def constant(self, entries: tuple[tuple[Fraction, ...], ...]) -> str:
        return "[" + "; ".join(" ".join(str(x) for x in row) for row in entries) + "]"

    def words(self, text: str) -> str:
        return text
