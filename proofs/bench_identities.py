"""How long identities take: to prove, to check, to refute, in the kernel, and by other means.

measure(quick=…)   == the times, as JSON, beside their targets
tell(measured)     == the same as a table
identities(path)   == the claims that are measured: those of examples/identities.py in a checkout,
                      else those of the catalogue that have certificates
by_matrices(claim, n)  == SymPy on matrices of n² symbols: seconds, and what came of it
by_letterplace(claim)  == Singular's Letterplace on the same words: seconds, and what came of it

The other means see the identities that have no equation among their hypotheses, each for a limited
time; matrices of numbers also say less: one size, not all. Left out: identities with functions.
"""

from __future__ import annotations

import math
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from ..symbolic import expressions as ex
from ..symbolic import propositions as pr
from ..symbolic.certificates import Certificate, check_certificate
from ..symbolic.claims import Claim, plain_body
from ..symbolic.evidence import Outcome
from ..symbolic.free_algebra import Polynomial, Reading, Unreadable, Word, branches
from .cache import PACKAGE

EXAMPLES = PACKAGE / "examples" / "identities.py"
SIZES = (2, 3, 4)
# seconds: median, what 95 % keep, and the slowest
TARGETS: Mapping[str, tuple[float, float, float]] = {
    "prove": (0.003, 0.05, 1.0),
    "check": (0.002, math.inf, 0.1),
    "refute": (0.05, math.inf, 2.0),
    "kernel": (math.inf, math.inf, 1.0),
}
DEGREE_BOUND = 12
SINGULAR = ("Singular", "-q", "--no-rc")


@dataclass(frozen=True)
class Outside:
    """What another tool said: "equal", "differs", "no answer" or "no reading", and its seconds."""

    said: str
    seconds: float


def identities(path: Path = EXAMPLES) -> tuple[list[Claim], list[Claim]]:
    """The claims that hold and those that do not."""
    from .catalogue import ENTRIES, load
    from .checks import CERTIFICATES

    if path.is_file():
        claims = [entry.claim for entry in load(path)]
    else:
        stored = {file.stem for file in CERTIFICATES.glob("*.json")}
        claims = [entry.claim for entry in ENTRIES if entry.claim.id in stored]
    refuted = [claim for claim in claims if claim.expected == "refuted"]
    return [claim for claim in claims if claim.expected == "proved"], refuted


def measure(
    *,
    quick: bool = False,
    time_limit: float = 10.0,
    claims: tuple[list[Claim], list[Claim]] | None = None,
    notify: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Measure the engine and its peers on the same identities.

    Parameters
    ----------
    quick : bool
        No kernel, and the other tools at size 2 with a second each.
    time_limit : float
        Seconds for one identity by one of the other tools.
    claims : pair of lists of Claim, optional
        What holds and what does not; `identities()` by default.
    notify : callable
        Told what is being measured.
    """
    true, false = claims or identities()
    notify("identities: proving, checking, refuting")
    times, certificates = _engine(true, false, 1 if quick else 5)
    rows = [_row(name, found) for name, found in times.items() if found]
    if not quick and certificates:
        from .kernel import kernel_status

        if not kernel_status().missing:
            notify("identities: the kernel")
            long = [(claim, found) for claim, found in _long() if found]
            rows.append(_row("kernel", kernel_seconds([*certificates, *long])))
    open_claims = [claim for claim, _ in certificates if without_equations(claim)]
    ours = {claim.id: seconds for claim, seconds in zip(true, times["prove"], strict=True)}
    limit, sizes = (1.0, SIZES[:1]) if quick else (time_limit, SIZES)
    peers: list[dict[str, Any]] = []
    for size in sizes:
        notify(f"identities: SymPy, matrices of size {size}")
        found = [(claim.id, by_matrices(claim, size, limit)) for claim in open_claims]
        peers.append(_peer(f"SymPy, n = {size}", found, ours))
    if has_letterplace():
        notify("identities: Letterplace")
        found = [(claim.id, by_letterplace(claim, limit)) for claim in open_claims]
        peers.append(_peer("Letterplace", found, ours))
    return {"rows": rows, "peers": peers, "time_limit": limit}


# ---------------------------------------------------------------- the engine


def _engine(
    true: Sequence[Claim], false: Sequence[Claim], rounds: int
) -> tuple[dict[str, list[float]], list[tuple[Claim, Certificate]]]:
    from ..symbolic.refutation import search_counterexample
    from ..symbolic.search import search_certificate

    times: dict[str, list[float]] = {"prove": [], "check": [], "refute": []}
    certificates: list[tuple[Claim, Certificate]] = []
    if true:
        search_certificate(true[0])  # what is imported and built once is not counted
    for claim in true:
        found, seconds = _timed(lambda claim=claim: search_certificate(claim), rounds)
        times["prove"].append(seconds)
        if isinstance(found, Certificate):
            pair = (claim, found)
            evidence, seconds = _timed(lambda pair=pair: check_certificate(*pair), rounds)
            if evidence.outcome is Outcome.CONFIRMED:
                times["check"].append(seconds)
                certificates.append(pair)
    for claim in false:
        times["refute"].append(_timed(lambda c=claim: search_counterexample(c), rounds)[1])
    return times, certificates


def _timed(task: Callable[[], Any], rounds: int) -> tuple[Any, float]:
    """The result of `task` and the median of its times."""
    taken: list[float] = []
    result = None
    for _ in range(rounds):
        start = time.perf_counter()
        result = task()
        taken.append(time.perf_counter() - start)
    return result, median(taken)


def _long() -> Iterator[tuple[Claim, Certificate | None]]:
    """Certificates of some 250 and 500 terms: (A + B)^k for commuting A and B."""
    from ..symbolic.search import search_certificate

    n = ex.dims("n")
    a, b = ex.matrix("A", n, n), ex.matrix("B", n, n)
    for exponent in (8, 9):
        right = _power(a, exponent) + _power(b, exponent)
        for j in range(1, exponent):
            right = right + math.comb(exponent, j) * (_power(a, exponent - j) @ _power(b, j))
        claim = Claim(
            f"bench.binomial_{exponent}",
            given=[pr.eq(a @ b, b @ a)],
            then=pr.eq(_power(a + b, exponent), right),
        )
        found = search_certificate(claim)
        yield claim, found if isinstance(found, Certificate) else None


def _power(base: ex.Expression, exponent: int) -> ex.Expression:
    return base if exponent == 1 else _power(base, exponent - 1) @ base


def kernel_seconds(certificates: Sequence[tuple[Claim, Certificate]]) -> list[float]:
    """What coqc takes for each theorem, everything that it loads being compiled and loaded."""
    import re

    from ..symbolic.evaluation import Unsupported
    from .coqc import FLAGS, LOGICAL
    from .kernel import theorem_file

    options = [*FLAGS, "-Q", ".", LOGICAL]
    with tempfile.TemporaryDirectory() as folder:
        texts, compiled = [], set()
        for claim, certificate in certificates:
            try:
                text, sources = theorem_file(claim, None, certificate)
            except Unsupported:
                continue
            texts.append(text)
            for source in sources:
                if source.name not in compiled:
                    compiled.add(source.name)
                    Path(folder, f"{source.name}.v").write_text(source.text, encoding="utf-8")
                    _run(["coqc", *options, f"{source.name}.v"], folder)
        Path(folder, "theorems.v").write_text("\n".join(texts), encoding="utf-8")
        said = _run(["coqc", *options, "-time", "theorems.v"], folder)
    seconds: list[float] = []
    for name, taken in re.findall(r"^Chars \d+ - \d+ \[(.*?)\] ([\d.]+) secs", said, re.MULTILINE):
        if name.startswith("Theorem"):
            seconds.append(0.0)
        if seconds and not name.startswith(("From", "Local")):
            seconds[-1] += float(taken)
    return seconds


def _run(command: Sequence[str], folder: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr[-500:]}")
    return done.stdout


# ---------------------------------------------------------------- the others


def without_equations(claim: Claim) -> bool:
    """Is the conclusion an equation, and none of the hypotheses one?"""
    facts = [atom for given in claim.given for atom in pr.atoms(given)]
    return isinstance(claim.then, pr.Eq) and all(
        isinstance(fact, pr.Invertible | pr.Ne) for fact in facts
    )


class _TooLong(BaseException):
    """Raised by the alarm; no `except Exception` of a library swallows it."""


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def by_matrices(claim: Claim, size: int, time_limit: float = 10.0) -> Outside:
    """Both sides as SymPy matrices of symbols, subtracted and brought to lowest terms."""
    assert isinstance(claim.then, pr.Eq)
    start = time.perf_counter()
    try:
        with _within(time_limit):
            import sympy

            left, right = (_explicit(plain_body(s), size) for s in claim.then.expressions)
            rest = left - right
            entries = rest if isinstance(rest, sympy.MatrixBase) else [rest]
            said = "equal" if all(sympy.cancel(x) == 0 for x in entries) else "differs"
    except _TooLong:
        said = "no answer"
    except Unreadable:
        said = "no reading"
    return Outside(said, time.perf_counter() - start)


def _explicit(node: ex.Expression, size: int) -> Any:
    """A SymPy matrix of symbols, every size but 1 being `size`; a scalar as an expression."""
    import sympy

    def sizes(shape: ex.Shape) -> tuple[int, int]:
        rows, columns = (part if isinstance(part, int) else size for part in shape)
        return rows, columns

    parts = [_explicit(part, size) for part in node.parts]
    match node:
        case ex.Literal(value):
            return sympy.Rational(value.numerator, value.denominator)
        case ex.ScalarSymbol(name):
            return sympy.Symbol(name)
        case ex.MatrixSymbol(name):
            rows, columns = sizes(node.shape)
            return sympy.Matrix(rows, columns, lambda i, j: sympy.Symbol(f"{name}_{i}_{j}"))
        case ex.Identity():
            return sympy.eye(sizes(ex.matrix_shape(node))[0])
        case ex.Zero():
            return sympy.zeros(*sizes(ex.matrix_shape(node)))
        case ex.Add():
            return parts[0] + parts[1]
        case ex.Sub():
            return parts[0] - parts[1]
        case ex.Neg():
            return -parts[0]
        case ex.Mul() | ex.MatMul() | ex.Scale():
            return parts[0] * parts[1]
        case ex.Div():
            return parts[0] / parts[1]
        case ex.Power(_, exponent):
            return parts[0] ** exponent
        case ex.Transpose():
            return parts[0].T
        case ex.Inverse():
            return parts[0].inv()
        case ex.Entry():
            return parts[0][0, 0]
    raise Unreadable(f"`{node}` ({type(node).__name__}) as a matrix of symbols")


def has_letterplace() -> bool:
    """Is Singular installed with its modules (Debian: singular-ui and singular-modules)?"""
    if shutil.which("Singular") is None:
        return False
    script = 'LIB "freegb.lib"; ring r = 0, (x, y), dp; def R = freeAlgebra(r, 2); setring R; x*y;'
    done = subprocess.run(
        [*SINGULAR], input=script, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout.split() == ["x*y"]


def by_letterplace(claim: Claim, time_limit: float = 10.0) -> Outside:
    """The conclusion reduced by a two-sided basis of what is known, truncated by degree."""
    start = time.perf_counter()
    try:
        script = letterplace(claim)
    except Unreadable:
        return Outside("no reading", time.perf_counter() - start)
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [*SINGULAR],
            input=script, capture_output=True, text=True, timeout=time_limit, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Outside("no answer", time.perf_counter() - start)
    if "error occurred" in done.stdout:  # after an error Singular goes on, and prints 0
        raise RuntimeError(f"Singular: {done.stdout.strip()}")
    # what is not reduced to 0 by a truncated basis is not shown to differ
    said = "equal" if done.stdout.strip() == "0" else "no answer"
    return Outside(said, time.perf_counter() - start)


def letterplace(claim: Claim) -> str:
    """The claim as a script for Singular; raises Unreadable where it is not one of words alone."""
    (branch,) = branches(claim)
    reading = Reading(claim, branch)
    (goal,) = reading.goals
    if goal.zero is None or reading.alphabet.has_vectors or reading.scalar_names:
        raise Unreadable("scalars and vectors are no words")
    letters = {letter: f"x{i}" for i, letter in enumerate(reading.alphabet.shapes)}

    def spell(body: Polynomial) -> str:
        def word(letters_of: Word) -> str:
            return "*".join(letters[letter] for letter in letters_of) or "1"

        return "+".join(f"({value})*{word(w)}" for (_, w), value in body.terms.items()) or "0"

    facts = [f for fact in reading.facts.values() for f in (fact, reading.alphabet.transpose(fact))]
    relations = ", ".join(spell(fact) for fact in facts if fact) or "0"
    return "\n".join(
        [
            'LIB "freegb.lib";',
            f"ring r = 0, ({', '.join(letters.values())}), dp;",
            f"def R = freeAlgebra(r, {DEGREE_BOUND}); setring R;",
            "option(redSB); option(redTail);",
            f"ideal I = {relations};",
            "ideal J = twostd(I);",
            f"print(reduce({spell(goal.zero)}, J));",
            "quit;",
        ]
    )


# ---------------------------------------------------------------- tables


def _row(name: str, seconds: Sequence[float]) -> dict[str, Any]:
    """Median, 95 %, slowest; a target is met where all three are."""
    ordered = sorted(seconds)
    figures = (median(ordered), ordered[math.ceil(0.95 * len(ordered)) - 1], ordered[-1])
    return {
        "name": name,
        "number": len(ordered),
        **dict(zip(("median", "most", "slowest"), (round(s, 5) for s in figures), strict=True)),
        "met": all(s <= t for s, t in zip(figures, TARGETS[name], strict=True)),
    }


def _peer(
    name: str, found: Sequence[tuple[str, Outside]], ours: Mapping[str, float]
) -> dict[str, Any]:
    """How often another tool has an answer, and how much longer it takes for those."""
    read = [(claim, outside) for claim, outside in found if outside.said != "no reading"]
    ratios = [o.seconds / ours[claim] for claim, o in read if o.said == "equal"]
    return {
        "name": name,
        "read": len(read),
        "equal": len(ratios),
        "differs": sum(o.said == "differs" for _, o in read),
        "no_answer": sum(o.said == "no answer" for _, o in read),
        "ratio": round(median(ratios), 1) if ratios else None,
        "largest_ratio": round(max(ratios), 1) if ratios else None,
        "rows": {claim: [o.said, round(o.seconds, 4)] for claim, o in found},
    }


def tell(measured: Mapping[str, Any]) -> str:
    """The measurements as two tables."""
    lines = [f"{'identities':<14}{'number':>8}{'median':>12}{'95 %':>12}{'slowest':>12}"]
    for row in measured["rows"]:
        times = "".join(f"{row[key] * 1000:>9.1f} ms" for key in ("median", "most", "slowest"))
        lines.append(f"{row['name']:<14}{row['number']:>8}{times}{'' if row['met'] else '   late'}")
    if measured["peers"]:
        lines += ["", f"{'the same by':<18}{'equal':>8}{'no answer':>12}{'× ours':>12}{'most':>12}"]
        for peer in measured["peers"]:
            ratios = "".join(
                f"{peer[key]:>12,.0f}" if peer[key] is not None else f"{'–':>12}"
                for key in ("ratio", "largest_ratio")
            )
            equal = f"{peer['equal']} of {peer['read']}"
            lines.append(f"{peer['name']:<16}{equal:>10}{peer['no_answer']:>12}{ratios}")
    return "\n".join(lines)
