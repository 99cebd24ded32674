"""The checks of one contract in one format.

FormatRun(contract, host, dtype, settings).run() == a Check for each claim
Settings == seed, profile, device, the format that is computed in
Found    == a failure: what was compared, where, how far off

Each case is called once, and every check looks at the same answer. A failure is shrunk by calling
the target again; its cause is looked for among known defects (`diagnosis`).
"""

from __future__ import annotations

import contextlib
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from ...numeric.exactness import distance, rationals
from ...numeric.formats import Format, format_of
from ...numeric.rounding import up
from .contract import Case, Contract, Exact, Floats, Inputs, Measure, Options
from .isolation import COSTLY, Host, TargetUnusable
from .readings import Place, StatementReader
from .result import Check, hexed
from .shrinking import shrunk
from .strata import draw, generator, rounded
from .wire import Answer, Array, Call

GRADIENT_CASES = {"quick": 6, "ci": 14, "deep": 40}
PER_SIZE = {"quick": 2, "ci": 4, "deep": 12}
EXAMPLES = {"quick": 0, "ci": 25, "deep": 400}


@dataclass(frozen=True)
class Settings:
    """How thoroughly, in which variant, on which device, and until when."""

    seed: int = 0
    profile: str = "ci"
    device: str = "cpu"
    computes_in: str = ""
    options: Options = field(default_factory=Options)
    deadline: float = float("inf")

    @property
    def device_type(self) -> str:
        """The device without its number: what an answer names."""
        return self.device.partition(":")[0]


class OutOfTime(Exception):
    """The time given to the run is over."""


@dataclass
class Found:
    """A failure."""

    message: str
    observed: float | None
    bound: float | None
    case: Case
    call: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Tally:
    """What one check has seen."""

    claim: str
    cites: tuple[str, ...] = ()
    inputs: int = 0
    worst: tuple[float, float, float, str] = (0.0, 0.0, -1.0, "")
    strata: dict[str, None] = field(default_factory=dict)
    found: Found | None = None
    skipped: str = ""
    fault: str = ""

    def saw(self, stratum: str, observed: float, bound: float) -> None:
        """Count an input, and keep the worst ratio."""
        self.inputs += 1
        self.strata[stratum.partition(",")[0].partition(";")[0]] = None
        ratio = _ratio(observed, bound)
        if ratio > self.worst[2]:
            self.worst = (observed, bound, ratio, stratum)


@contextlib.contextmanager
def guarded(tally: Callable[[], Tally]) -> Iterator[None]:
    """Keep an exception of the kit as the fault of one check, so that the others go on."""
    try:
        yield
    except (OutOfTime, TargetUnusable):
        raise
    except Exception as problem:  # the kit's own: whatever it is, it decides nothing
        found = tally()
        found.fault = found.fault or fault_of(problem)


def fault_of(problem: Exception) -> str:
    """An exception of the kit in a line, with the place that raised it."""
    last = traceback.extract_tb(problem.__traceback__)[-1]
    where = f"{last.filename.rpartition('/')[2]}:{last.lineno}"
    return f"the kit itself failed: {type(problem).__name__}: {problem} ({where})"


def beyond(observed: float, bound: float) -> bool:
    """Is an error larger than its bound? What is no number is."""
    return not observed <= bound


def _ratio(observed: float, bound: float) -> float:
    if observed != observed:
        return float("inf")
    if observed == 0:
        return 0.0
    return observed / bound if bound > 0 else float("inf")


Fits: TypeAlias = dict[tuple[str, bool], float | None]
"""What diagnoses in finer formats found of the numbers of known operators (`diagnosis`)."""


class FormatRun:
    """All checks of a contract in one format."""

    def __init__(
        self,
        contract: Contract,
        host: Host,
        dtype: str,
        settings: Settings,
        readers: Mapping[str, StatementReader],
        fits: Fits | None = None,
    ):
        self.contract, self.host, self.dtype, self.settings = contract, host, dtype, settings
        self.format = format_of(dtype)
        self.readers = readers
        self.fits: Fits = {} if fits is None else fits
        self.tallies: dict[str, Tally] = {}
        self.answers: list[tuple[Case, Answer]] = []
        self.unusable = ""

    # ------------------------------------------------------------ calls

    def call(self, inputs: Inputs, **how: Any) -> Answer:
        """Call the target on inputs in this format."""
        return self.calls([inputs], **how)[0]

    def calls(self, many: Sequence[Inputs], **how: Any) -> list[Answer]:
        """Call the target on each of several inputs."""
        if time.monotonic() > self.settings.deadline:
            raise OutOfTime
        return self.host.calls([self.plain_call(inputs, **how) for inputs in many])

    def arrays(self, inputs: Inputs) -> dict[str, Array]:
        """The inputs as arrays of this format."""
        return {
            a.name: Array(self.dtype, np.asarray(inputs[a.name]), self.settings.device)
            for a in self.contract.arguments
        }

    @property
    def working(self) -> Format:
        """The format that is computed in: this one, or a lower one that is declared."""
        return self.lower(self.settings.computes_in)

    def lower(self, declared: str) -> Format:
        """A declared format where it is lower than this one, else this one."""
        if not declared or format_of(declared).precision >= self.format.precision:
            return self.format
        return format_of(declared)

    def bound(self, inputs: Inputs, declared: str = "") -> tuple[Floats, ...]:
        """The bounds of the results' errors in the format that is computed in."""
        working = self.lower(declared) if declared else self.working
        found = self.contract.bound(inputs, working)
        if working is self.format:
            return found
        values = self.contract.value(inputs)
        return tuple(_lowered(b, x, working) for b, x in zip(found, values, strict=True))

    def gradient_of(self, inputs: Inputs, G: tuple[Floats, ...], name: str) -> tuple[Exact, Floats]:
        """The exact gradient for one argument, and the bound of its error."""
        exact, bound = self.contract.gradient(inputs, G, name, self.working)
        same = self.working is self.format
        return exact, bound if same else _lowered(bound, exact, self.working)

    def bound_of(self, measure: Measure, inputs: Inputs) -> Floats:
        """The bound of a consequence in the format that is computed in."""
        return measure.bound(inputs, self.bound(inputs), self.working)

    def tally(self, name: str, *cites: str) -> Tally:
        """The tally of a claim, or of one of the kit's own checks, which cites the definition's."""
        own = "." not in name
        claim = f"{self.contract.name}.{name}" if own else name
        cites = cites or (self.contract.claims if own else ())
        return self.tallies.setdefault(claim, Tally(claim, cites))

    def guarded(self, name: str, *cites: str) -> contextlib.AbstractContextManager[None]:
        """An exception inside is the fault of this check."""
        return guarded(lambda: self.tally(name, *cites))

    # ------------------------------------------------------------ the run

    def run(self) -> list[Check]:
        """Make every check.

        Raises OutOfTime; the checks made until then are those of `finished_so_far`.
        """
        cases = list(
            self.contract.cases(self.format, self.settings.options.domain, self.settings.options)
        )
        first = self.call(cases[0].inputs)
        if first.kind == "unsupported":
            self.tally("returns").skipped = first.problem
            return self.finished()
        for case, answer in zip(cases, self.calls([c.inputs for c in cases]), strict=True):
            self.look_at(case, answer)
        with self.guarded("definition"):
            self.examples()
        self.read_statements()
        with self.guarded("gradient"):
            self.gradients(cases)
        from .generic import generic_checks

        generic_checks(self, cases)
        return self.finished()

    def examples(self) -> None:
        """Hypothesis after the strata: whatever it finds is shrunk by it, then by `shrunk`."""
        from .examples import failing_example

        count = EXAMPLES[self.settings.profile]
        if not count or self.tally("definition").found:
            return
        seen: list[Case] = []

        def fails(inputs: Inputs) -> bool:
            case = Case("hypothesis", inputs)
            seen.append(case)
            found = self.definition_failure(inputs) is not None
            return found

        failing = failing_example(self.contract, self.format, self.settings, count, fails)
        tally = self.tally("definition")
        tally.inputs += len(seen)
        tally.strata["hypothesis"] = None
        if failing is not None:
            case = Case("hypothesis", failing)
            self.look_at(case, self.call(failing))

    # ------------------------------------------------------------ one answer

    def look_at(self, case: Case, answer: Answer) -> None:
        """Every check that a plain answer allows."""
        problem = self.form_problem(case.inputs, answer)
        for name, message in problem.items():
            tally = self.tally(name)
            tally.saw(case.stratum, 0.0, 0.0)
            if message and tally.found is None:
                tally.found = Found(message, None, None, case)
                with self.guarded(name):
                    # not shrunk where each try would need a new process
                    if answer.kind not in COSTLY:
                        tally.found.case = self.shrink(
                            case, lambda x, n=name: bool(self.form_problem(x, self.call(x)).get(n))
                        )
        if self.useless(problem):
            return
        self.answers.append((case, answer))
        with self.guarded("definition"):
            self.judge_definition(case, answer)
        for measure in self.contract.measures:
            with self.guarded(measure.claim, *measure.cites):
                self.judge_measure(measure, case, answer)

    def useless(self, problem: Mapping[str, str]) -> str:
        """Why nothing can be compared: no result, or one of another shape, or not finite."""
        found = next((problem[n] for n in ("returns", "shape", "finite") if problem.get(n)), "")
        self.unusable = self.unusable or found
        return found

    def form_problem(self, inputs: Inputs, answer: Answer) -> dict[str, str]:
        """What is wrong with the form of an answer, by check; empty strings where nothing is."""
        if answer.problem:
            return {"returns": answer.problem}
        told = {"returns": "", "shape": "", "result_type": "", "finite": "", "inputs_unchanged": ""}
        shapes = self.shapes(inputs)
        got = [x.values.shape for x in answer.outputs]
        if got != shapes:
            hint = self.shape_hint(got, shapes)
            told["shape"] = f"shapes {_told(got)}, expected {_told(shapes)}{hint}"
            return told
        for x in answer.outputs:
            if x.dtype != self.dtype:
                told["result_type"] = f"dtype {x.dtype}, expected {self.dtype}"
            elif x.device != self.settings.device_type:
                told["result_type"] = f"device {x.device}, expected {self.settings.device_type}"
            if not np.isfinite(x.values).all():
                kind = "NaN" if np.isnan(x.values).any() else "an infinity"
                told["finite"] = f"{kind} for finite input"
        if answer.changed:
            told["inputs_unchanged"] = f"the target wrote to {', '.join(answer.changed)}"
        return told

    def shapes(self, inputs: Inputs) -> list[tuple[int, ...]]:
        """The shapes that the results are to have."""
        sizes: dict[str, int] = {}
        batch: tuple[int, ...] = ()
        for a in self.contract.arguments:
            shape = np.shape(inputs[a.name])
            split = len(shape) - len(a.axes)
            batch = max(batch, shape[:split], key=len)
            sizes |= dict(zip(a.axes, shape[split:], strict=True))
        return [(*batch, *(sizes[axis] for axis in axes)) for axes in self.contract.results]

    def shape_hint(self, got: list[tuple[int, ...]], wanted: list[tuple[int, ...]]) -> str:
        """What would make the shapes fit."""
        if [x[::-1] for x in got] == wanted:
            return "; transposed? try --transposed"
        axes = [" ".join(("...", *axes)) for axes in self.contract.results]
        return f"; the contract's results are {', '.join(axes)}: --args says how yours are laid out"

    # ------------------------------------------------------------ the definition

    def definition_failure(self, inputs: Inputs) -> tuple[float, float] | None:
        """Observed and bound of the entry furthest beyond it, where the results are wrong."""
        answer = self.call(inputs)
        if self.useless(self.form_problem(inputs, answer)):
            return (float("inf"), 0.0)
        observed, bound = self.compared(inputs, answer)
        return (observed, bound) if beyond(observed, bound) else None

    def wrong_value(self, inputs: Inputs) -> tuple[float, float] | None:
        """The same where there are results to compare; what leaves none fails another check."""
        answer = self.call(inputs)
        if any(self.form_problem(inputs, answer).get(n) for n in ("returns", "shape", "finite")):
            return None
        observed, bound = self.compared(inputs, answer)
        return (observed, bound) if beyond(observed, bound) else None

    def compared(self, inputs: Inputs, answer: Answer) -> tuple[float, float]:
        """The entry of all results that is closest to its bound, or furthest beyond it."""
        return _worst(
            [x.values for x in answer.outputs], self.contract.value(inputs), self.bound(inputs)
        )

    def judge_definition(self, case: Case, answer: Answer) -> None:
        """Compare with the exact value."""
        tally = self.tally("definition")
        observed, bound = self.compared(case.inputs, answer)
        tally.saw(case.stratum, observed, bound)
        if beyond(observed, bound) and tally.found is None:
            small = self.shrink(case, lambda x: self.wrong_value(x) is not None)
            told = self.wrong_value(small.inputs) or (observed, bound)
            tally.found = Found("the result is not the formula's value", *told, small)

    # ------------------------------------------------------------ measures

    def judge_measure(self, measure: Measure, case: Case, answer: Answer) -> None:
        """Measure a consequence on the results."""
        if not measure.applies(case.inputs):
            return
        tally = self.tally(measure.claim, *measure.cites)
        observed, bound = self.measured(measure, case.inputs, answer)
        tally.saw(case.stratum, observed, bound)
        if beyond(observed, bound) and tally.found is None:

            def fails(inputs: Inputs) -> bool:
                again = self.call(inputs)
                if self.useless(self.form_problem(inputs, again)) or not measure.applies(inputs):
                    return False
                observed, bound = self.measured(measure, inputs, again)
                return beyond(observed, bound)

            small = self.shrink(case, fails)
            again = self.call(small.inputs)
            told = self.measured(measure, small.inputs, again)
            results = tuple(rationals(x.values) for x in again.outputs)
            message = measure.explain(small.inputs, results) or "the consequence does not hold"
            tally.found = Found(message, *told, small)

    def measured(self, measure: Measure, inputs: Inputs, answer: Answer) -> tuple[float, float]:
        """Observed and bound of a measure."""
        results = tuple(rationals(x.values) for x in answer.outputs)
        residual = np.asarray(measure.residual(inputs, results), dtype=object)
        return _worst([np.zeros(residual.shape)], (residual,), (self.bound_of(measure, inputs),))

    def residual_of(self, measure: Measure, inputs: Inputs, answer: Answer) -> float:
        """The largest entry of a residual."""
        results = tuple(rationals(x.values) for x in answer.outputs)
        residual = np.asarray(measure.residual(inputs, results), dtype=object)
        return float(distance(np.zeros(residual.shape), residual).max(initial=0.0))

    # ------------------------------------------------------------ statements

    def read_statements(self, only: str = "", label: str = "") -> None:
        """Read the claims of the ledger on results; `only` one, at the place called `label`."""
        per_size = PER_SIZE[self.settings.profile]
        for name, reader in self.readers.items():
            if only not in ("", name):
                continue
            with self.guarded(name):
                self.read_statement(name, reader, per_size, label)

    def read_statement(self, name: str, reader: StatementReader, per_size: int, label: str) -> None:
        """Read one claim of the ledger on results."""
        tally = self.tally(name)
        places = list(reader.places(self.format, per_size))
        if label:
            places = [place for place in places if place.label == label]
        inputs_of = [reader.arguments(place) for place in places]
        answers = self.calls(inputs_of)
        for place, inputs, answer in zip(places, inputs_of, answers, strict=True):
            if self.useless(self.form_problem(inputs, answer)):
                self.look_at(Case(place.label, inputs), answer)
                continue
            which = reader.statement.result
            got, bound = answer.outputs[which].values, self.bound(inputs)[which]
            heard = reader.hear(place, got, bound)
            if heard.truth is False:
                tally.saw(place.label, heard.observed, heard.bound)
                tally.found = Found(
                    "the statement reads false with the target's results",
                    heard.observed,
                    heard.bound,
                    Case(place.label, inputs),
                    {"values": _values(place)},
                )
                break
            if heard.tested:
                tally.saw(place.label, heard.observed, heard.bound)

    # ------------------------------------------------------------ the same twice

    def twice(self, cases: list[Case]) -> None:
        """The same input twice gives the same bits."""
        tally = self.tally("determinism")
        for case in cases:
            answer = self.call(case.inputs, mode="twice")
            if answer.problem and not any(case is answered for answered, _ in self.answers):
                continue  # it has no result alone either, which fails another check
            tally.saw(case.stratum, 0.0, 0.0)
            half = len(answer.outputs) // 2
            pairs = zip(answer.outputs[:half], answer.outputs[half:], strict=True)
            if answer.problem:
                message = f"a call alone is answered, two are not: {answer.problem}"
            elif all(np.array_equal(x.values, y.values) for x, y in pairs):
                continue
            else:
                message = "two calls on one input differ"
            tally.found = Found(message, None, None, case, {"mode": "twice"})
            return

    # ------------------------------------------------------------ gradients

    def gradients(self, cases: list[Case]) -> None:
        """Gradients at the strata, boundaries included."""
        tally = self.tally("gradient")
        chosen = cases[: GRADIENT_CASES[self.settings.profile]]
        calls = [self.gradient_call(case.inputs) for case in chosen]
        for case, answer in zip(chosen, self.host.calls(calls), strict=True):
            self.judge_gradient(tally, case, answer)
            if tally.found or tally.skipped:
                return

    def judge_gradient(self, tally: Tally, case: Case, answer: Answer) -> None:
        """Compare the gradient with respect to every argument at one input."""
        told = self.gradient_problem(case.inputs, answer)
        if isinstance(told, str):
            tally.skipped = told
            return
        message, observed, bound = told
        tally.saw(case.stratum, observed, bound)
        if message and answer.kind in COSTLY:
            tally.found = Found(message, None, None, case)
        elif message:

            def fails(inputs: Inputs) -> bool:
                again = self.gradient_failure(inputs)
                return not isinstance(again, str) and bool(again[0])

            small = self.shrink(case, fails)
            again = self.gradient_failure(small.inputs)
            if not isinstance(again, str) and again[0]:
                message, observed, bound = again
            tally.found = Found(message, observed, bound, small)

    def plain_call(self, inputs: Inputs, **how: Any) -> Call:
        """A call on inputs in this format."""
        return Call(self.arrays(inputs), **how)

    def gradient_call(self, inputs: Inputs, **how: Any) -> Call:
        """A call that asks for gradients, with cotangents that depend on the seed."""
        cotangents = (Array(self.dtype, g, self.settings.device) for g in self.cotangents(inputs))
        return self.plain_call(inputs, cotangents=tuple(cotangents), **how)

    def cotangents(self, inputs: Inputs) -> tuple[Floats, ...]:
        """Generic cotangents of the results."""
        rng = generator(self.settings.seed, "cotangent")
        return tuple(rounded(draw(rng, *shape), self.format) for shape in self.shapes(inputs))

    def gradient_failure(self, inputs: Inputs) -> tuple[str, float, float] | str:
        """`gradient_problem` of a call at these inputs."""
        return self.gradient_problem(inputs, self.host.calls([self.gradient_call(inputs)])[0])

    def gradient_problem(self, inputs: Inputs, answer: Answer) -> tuple[str, float, float] | str:
        """A message where a gradient is wrong, with the worst; a string where there is none."""
        G = self.cotangents(inputs)
        if answer.kind == "unsupported":
            return answer.problem
        if answer.problem:
            return f"no gradient: {answer.problem}", float("inf"), 0.0
        worst = (0.0, 0.0)
        for name, g in answer.gradients.items():
            if not np.isfinite(g.values).all():
                if self.overflows(inputs, G, name):
                    continue
                return f"the gradient with respect to {name} is not finite", float("inf"), 0.0
            if g.values.shape != np.shape(inputs[name]):
                return f"the gradient of {name} has the wrong shape", float("inf"), 0.0
            if self.format.precision < 24:
                continue  # half formats: finite is all that is asked
            exact, bound = self.gradient_of(inputs, G, name)
            values = g.values
            if next(a for a in self.contract.arguments if a.name == name).kind == "skew":
                values = (values - values.T) / 2  # off the skew matrices it may be anything
            found = _worst([values], (exact,), (np.broadcast_to(bound, values.shape),))
            if beyond(*found):
                return f"the gradient with respect to {name} is wrong", *found
            worst = max(worst, found, key=lambda row: _ratio(*row))
        return "", *worst

    def overflows(self, inputs: Inputs, G: tuple[Floats, ...], name: str) -> bool:
        """Is the exact gradient near the end of the format, so that infinity may be right?"""
        exact, _ = self.contract.gradient(inputs, G, name, self.format)
        return bool((np.abs(as_floats(exact)) > float(self.format.largest) / 16).any())

    # ------------------------------------------------------------ what is told

    def shrink(self, case: Case, fails: Callable[[Inputs], bool]) -> Case:
        """The smallest failing input near a case."""
        return Case(case.stratum, shrunk(self.contract, case.inputs, self.format, fails))

    def finished(self) -> list[Check]:
        """The checks, in the order in which they were made, with the causes that are known."""
        from .diagnosis import causes

        found = searched(lambda: causes(self))
        return [check_of(t, self.dtype, self.unusable, found) for t in self.tallies.values()]

    def finished_so_far(self) -> list[Check]:
        """The checks begun before the time was over."""
        begun = (t for t in self.tallies.values() if t.inputs or t.fault)
        return [check_of(t, self.dtype, self.unusable) for t in begun]


@dataclass(frozen=True)
class Causes:
    """Known defects that explain failures, by claim; `trouble`: why none could be looked for."""

    known: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""


def searched(diagnose: Callable[[], dict[str, str]]) -> Causes:
    """The causes that a diagnosis finds; the failures stand, whatever becomes of it."""
    try:
        return Causes(diagnose())
    except Exception as problem:
        return Causes(trouble=fault_of(problem))


def check_of(tally: Tally, dtype: str, unusable: str, causes: Causes | None = None) -> Check:
    """One tally as a Check; `unusable`: why nothing could be compared."""
    causes = causes or Causes()
    cause = causes.known.get(tally.claim, "")
    common: dict[str, Any] = {
        "claim": tally.claim,
        "dtype": dtype,
        "cites": tally.cites,
        "strata": tuple(tally.strata),
        "inputs": tally.inputs,
    }
    if tally.found:
        found = tally.found
        comparing = found.observed is not None and found.bound is not None
        said = found.message
        if cause:
            said += f"; {cause}"
        elif causes.trouble:
            said += f"; its cause could not be looked for: {causes.trouble}"
        if tally.fault:
            said += f"; besides, {tally.fault}"
        return Check(
            outcome="failed",
            stratum=found.case.stratum,
            observed=found.observed,
            bound=found.bound,
            ratio=_ratio(found.observed or 0.0, found.bound or 0.0) if comparing else None,
            input={
                **hexed(found.case.inputs),
                **({"call": dict(found.call)} if found.call else {}),
            },
            diagnosis=said,
            cause=cause,
            **common,
        )
    if tally.fault:
        return Check(outcome="error", diagnosis=tally.fault, **common)
    if tally.skipped and not tally.inputs:
        return Check(outcome="skipped", diagnosis=tally.skipped, **common)
    if not tally.inputs and unusable:
        said = f"no result to look at: {unusable}"
        return Check(outcome="skipped", diagnosis=said, **common)
    if not tally.inputs:
        return Check(outcome="error", diagnosis="no input put this to use", **common)
    observed, bound, ratio, stratum = tally.worst
    measured = bound > 0 or observed > 0
    return Check(
        outcome="passed",
        stratum=stratum,
        observed=observed if measured else None,
        bound=bound if measured else None,
        ratio=ratio if measured else None,
        **common,
    )


def _values(place: Place) -> str:
    return ", ".join(f"{name} = {_shown(value)}" for name, value in place.values.items())


def _shown(value: Any) -> str:
    return f"[{' '.join(map(_shown, value))}]" if isinstance(value, list) else str(value)


def _told(shapes: list[tuple[int, ...]]) -> str:
    return " and ".join(str(shape) for shape in shapes) or "none"


def _lowered(bound: Floats, exact: Exact, working: Format) -> Floats:
    """The bound in a lower format, for inputs and cotangents of a finer one.

    They are rounded on the way in: as if each met one rounding more at the start.
    """
    return 2 * np.asarray(bound) + up(4 * working.unit_roundoff) * np.abs(as_floats(exact))


def as_floats(x: Exact) -> Floats:
    """Exact numbers, rounded to float64."""
    from ...numeric.exactness import to_fraction

    return np.array([float(to_fraction(v)) for v in np.asarray(x).flat]).reshape(np.shape(x))


def _worst(
    got: list[Floats], exact: tuple[Exact, ...], bounds: tuple[Floats, ...]
) -> tuple[float, float]:
    """Observed and bound of the entry closest to its bound, or furthest beyond it."""
    worst, ratio_of_worst = (0.0, 0.0), -1.0
    for x, y, bound in zip(got, exact, bounds, strict=True):
        apart = distance(x, np.asarray(y, dtype=object))
        limits = np.broadcast_to(np.asarray(bound, dtype=np.float64), apart.shape)
        for observed, limit in zip(apart.flat, limits.flat, strict=True):
            ratio = _ratio(float(observed), float(limit))
            if ratio > ratio_of_worst:
                worst, ratio_of_worst = (float(observed), float(limit)), ratio
    return worst
