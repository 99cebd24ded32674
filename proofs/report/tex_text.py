r"""Words and formulas as LaTeX that any engine compiles, whatever a record says.

words(text)      == text with nothing in it that LaTeX would act on, in ASCII
formula(latex)   == a formula in math mode; as words where it is more than a formula
code(text)       == lines of code, spaces kept

A formula comes from a record, which anyone may have written: `\input` or `\write` in it would act
on the reader's machine. Only commands of COMMANDS pass, between balanced braces.
"""

from __future__ import annotations

import re
import unicodedata

_COMMANDS = r"""
    alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma
    tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega
    left right top frac tfrac sqrt sum prod int lim det exp log sin cos tan arctan max min sup inf
    leq geq neq lt gt in notin to mapsto colon cdot times otimes oplus pm mp wedge vee neg forall
    exists Longrightarrow Rightarrow Leftrightarrow infty partial nabla mathbb mathbf mathrm
    operatorname text quad qquad ldots cdots dots hat bar tilde langle rangle begin end lVert rVert
    lvert rvert
"""
COMMANDS = frozenset(_COMMANDS.split())
_ENVIRONMENTS = frozenset({"bmatrix", "pmatrix", "matrix", "cases"})
_SIGNS = frozenset(",;:! |{}\\")

_TEXT = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}", "'": r"\textquotesingle{}",
    "–": "--", "—": "---", "…": r"\ldots{}", "§": r"\S{}", "’": "'", "‘": "`", "“": "``", "”": "''",
    "\N{NO-BREAK SPACE}": "~", "√": r"\ensuremath{\surd}", "½": r"\textonehalf{}",
    "¼": r"\textonequarter{}", "¾": r"\textthreequarters{}",
    "✓": r"\ensuremath{\checkmark}", "✗": r"\ensuremath{\times}",
}  # fmt: skip
_MATH = {
    "−": "-", "‖": r"\|", "≥": r"\geq", "≤": r"\leq", "≠": r"\neq", "×": r"\times", "·": r"\cdot",
    "→": r"\to", "⇒": r"\Rightarrow", "⇔": r"\Leftrightarrow", "↦": r"\mapsto", "∞": r"\infty",
    "∂": r"\partial", "⟨": r"\langle", "⟩": r"\rangle", "⊗": r"\otimes", "∈": r"\in",
    "∀": r"\forall", "∃": r"\exists", "∧": r"\wedge", "∨": r"\vee", "±": r"\pm", "∆": r"\Delta",
    "Σ": r"\Sigma", "Π": r"\Pi", "ᵀ": r"^{\top}", "𝟏": r"\mathbf{1}", "⁻": "^{-}", "ⁿ": "^{n}",
    "⁰": "^{0}", "¹": "^{1}", "²": "^{2}", "³": "^{3}", "⁴": "^{4}", "⁵": "^{5}", "⁶": "^{6}",
    "⁷": "^{7}", "⁸": "^{8}", "⁹": "^{9}", "≈": r"\approx", "⊢": r"\vdash", "∴": r"\therefore",
}  # fmt: skip
_HAT = "\N{COMBINING CIRCUMFLEX ACCENT}"


def words(text: str) -> str:
    """`text` as words of LaTeX, in ASCII."""
    text = " ".join(text.split())
    return re.sub(f".{_HAT}|.", lambda match: _word(match[0]), text, flags=re.DOTALL)


def _word(character: str) -> str:
    if len(character) == 2:
        return rf"\ensuremath{{\hat{{{_inside(character[0])}}}}}"
    if character in _TEXT:
        return _TEXT[character]
    if character.isascii():
        return character if character.isprintable() else " "
    inside = _inside(character)
    if inside != character:
        return rf"\ensuremath{{{inside}}}"
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return words(plain) if plain else f"[U+{ord(character):04X}]"


def _inside(character: str) -> str:
    """A character within math mode; itself where it has no command."""
    if character in _MATH:
        return _MATH[character]
    name = unicodedata.name(character, "")
    if match := re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (FINAL )?(\w+)", name):
        command = {"LAMDA": "lambda"}.get(match[3], match[3].lower())
        command = command.capitalize() if match[1] == "CAPITAL" else command
        if command in COMMANDS:
            return rf"\{command}"
    return character


def formula(latex: str) -> str:
    """`latex` in math mode, in the width of the line; as words if it is more than a formula."""
    return rf"\fit{{{_safe(latex)}}}" if is_formula(latex) else rf"\texttt{{{words(latex)}}}"


def inline(latex: str) -> str:
    """`latex` in math mode within a line; as words if it is more than a formula."""
    return f"${_safe(latex)}$" if is_formula(latex) else rf"\texttt{{{words(latex)}}}"


def is_formula(latex: str) -> bool:
    """Is this a formula and nothing else: known commands, balanced braces and environments?"""
    if re.search(r"[$#%~]|\^\^", latex):
        return False
    depth, environments = 0, []
    for match in re.finditer(r"\\([A-Za-z]+)(?:\{(\w+)\})?|\\(.)|([{}&])", latex, re.DOTALL):
        command, argument, sign, brace = match.groups()
        if command is not None:
            if command not in COMMANDS:
                return False
            if command == "begin":
                if argument not in _ENVIRONMENTS:
                    return False
                environments.append(argument)
            elif command == "end" and (not environments or environments.pop() != argument):
                return False
        elif sign is not None:
            if sign not in _SIGNS:
                return False
        elif brace == "&":
            if not environments:
                return False
        else:
            depth += 1 if brace == "{" else -1
            if depth < 0:
                return False
    fences = (
        len(re.findall(r"\\left(?![A-Za-z])", latex)),
        len(re.findall(r"\\right(?![A-Za-z])", latex)),
    )
    return depth == 0 and not environments and fences[0] == fences[1] and not latex.endswith("\\")


def _safe(latex: str) -> str:
    """A formula in ASCII."""
    return "".join(
        c if c.isascii() else r"\ldots " if c == "…" else f"{{{_inside(c)}}}"
        if _inside(c) != c else rf"\text{{{words(c)}}}"
        for c in " ".join(latex.split())
    )  # fmt: skip


def code(text: str) -> str:
    """Lines of code in typewriter, their indentation kept."""
    lines = []
    for line in text.splitlines():
        bare = line.lstrip(" ")
        indent = "~" * (len(line) - len(bare))
        # two hyphens would be drawn as a dash
        spelled = words(bare).replace("--", "-{}-")
        lines.append(rf"\noindent\texttt{{{indent}{spelled}}}\par")
    return "\n".join(lines)
