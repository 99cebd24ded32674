"""Which known defect a failing operator has: compared with the zoo, told only within the bound.

causes(run)  == what to say beside each failing check of a FormatRun, by claim
Diagnosis    == the search; Fit == that for a number
told(…)      == a diagnosis with the number that was fitted
judged(…)    == was a diagnosis right, wrong or silent

A wrong operator is named where the target agrees with it on every input, in the format that was
looked at and in every finer one, and differs from the formula on some. Two that agree are both
named; one without a number goes before one whose number was fitted, since that one may contain it.
Both run in the target's process, which has torch, under the same limit of time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ...numeric.formats import BINARY32, format_of
from .adapters import adapter_of
from .checks import FormatRun, as_floats
from .contract import Exact, Floats, Inputs
from .isolation import COSTLY
from .module_checks import agreement_bound
from .strata import rounded
from .wire import Answer, Call, Known

_FINE = ("float32", "float64")
_GRID, _MANY, _STEPS, _FITTED_AT = 33, 65, 24, 8
"""Of a fit: points of a grid, whole numbers tried one by one, steps, inputs that are looked at."""
_BEYOND = 4
"""Inputs that are halved, argument by argument, where several defects agree."""
_BESIDE = 2.0**-5
"""How far, relatively, from a number that is fitted a gate is put."""
_LOWER = ("bfloat16", "float16", "float32")
_TELLING = 8
"""So many results that would be no numbers of a lower format, before that is said."""


class _Unusable(Exception):
    """The target's process is in no state to be asked."""


def told(known: Known, value: float | None) -> str:
    """The diagnosis of an entry, with the number that was fitted."""
    if value is None:
        return known.diagnosis
    return known.diagnosis.replace("{parameter}", shown(value))


def shown(value: float) -> str:
    """Two digits: ``0.5``, ``5``, ``1e-5``."""
    spelled = f"{value:.2g}" if abs(value) >= _SMALL or not value else f"{value:.1e}"
    mantissa, e, exponent = spelled.partition("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}" if e else mantissa


def judged(expected: str, found: Iterable[str]) -> str:
    """``right``, ``wrong`` or ``silent``: what was said of an entry whose diagnosis is known."""
    said = [cause for cause in found if cause]
    if not said:
        return "silent"
    return "right" if all(expected in cause.split(_OR) for cause in said) else "wrong"


_SMALL = 1e-2
_OR = "; or "


def causes(run: FormatRun) -> dict[str, str]:
    """What to say beside each failing check that compared something, by claim."""
    failed = [
        claim
        for claim, tally in run.tallies.items()
        if tally.found is not None and tally.found.bound is not None
    ]
    values = [claim for claim in failed if not claim.endswith(".gradient")]
    if not failed:
        return {}
    try:
        said = Diagnosis(run).cause(gradients=not values)
    except _Unusable:
        return {}
    return dict.fromkeys(failed, said) if said else {}


@dataclass(frozen=True)
class _Seen:
    """What an operator gave at one input in one format: results, then gradients if asked."""

    parts: tuple[Floats, ...]

    def apart(self, other: Sequence[Floats]) -> float:
        """The largest difference; infinity where the shapes are others."""
        if [x.shape for x in self.parts] != [np.shape(x) for x in other]:
            return float("inf")
        differences = (
            np.abs(x - y).max(initial=0.0) for x, y in zip(self.parts, other, strict=True)
        )
        return max(map(float, differences), default=0.0)

    @property
    def scale(self) -> float:
        return max((float(np.abs(x).max(initial=0.0)) for x in self.parts), default=0.0)


_Named: TypeAlias = tuple[Known, float | None]
"""An operator of the zoo and its number."""


class Diagnosis:
    """The search for a cause: the target's results in its format and in finer ones."""

    def __init__(self, run: FormatRun):
        self.run, self.contract = run, run.contract
        self.adapter = adapter_of(run.contract)
        self.inputs = [case.inputs for case, _ in run.answers]
        self.runs = {
            dtype: FormatRun(run.contract, run.host, dtype, run.settings, {}) for dtype in _FINE
        } | {run.dtype: run}
        self.gradients = False
        self.kept: dict[tuple[str, float | None, str, int], _Seen | None] = {}
        self.exact: dict[tuple[str, int], tuple[Floats, ...]] = {}
        self.bounds: dict[tuple[str, int], float] = {}
        self.slopes: dict[tuple[str, int], list[tuple[Exact, Floats]]] = {}
        self.places: list[tuple[str, int]] = []

    # ------------------------------------------------------------ what is said

    def cause(self, *, gradients: bool) -> str:
        """The diagnosis, or nothing; `gradients`: results are right, gradients are not."""
        if not gradients and (said := self.lower_format()):
            return said
        self.gradients = gradients
        self.places = self.looked_at()
        if not any(format_of(dtype).precision >= BINARY32.precision for dtype, _ in self.places):
            return ""  # half formats alone tell too little apart
        plain: list[_Named] = []
        numbered: list[_Named] = []
        entries = self.run.host.known(self.contract.name)
        if self.places:
            first, i = self.places[0]
            formats = dict.fromkeys((first, *_FINE))
            whole = [known for known in entries if known.parameter is None]
            self.ask((known, None, dtype, i) for known in whole for dtype in formats)
        for known in sorted(entries, key=lambda known: known.parameter is not None):
            if known.parameter is None:
                if self.agrees(known, None):
                    plain.append((known, None))
            elif not plain:
                value = self.number_of(known, known.parameter)
                if value is not None:
                    numbered.append((known, value))
        return _OR.join(dict.fromkeys(told(*named) for named in self.parted(plain or numbered)))

    def number_of(self, known: Known, parameter: Mapping[str, Any]) -> float | None:
        """The number with which an operator agrees; None where it agrees with none.

        What a finer format found is tried first; what agreed with none there is not looked at
        again, since a target is to agree in every finer format.
        """

        def agrees(value: float | None) -> bool:
            return value is not None and self.agrees(known, value) and self.turns(known, value)

        fits, place = self.run.fits, (known.name, self.gradients)
        if place in fits and (fits[place] is None or agrees(fits[place])):
            return fits[place]
        value = self.fitted(known, parameter)
        fits[place] = value if agrees(value) else None
        return fits[place]

    def parted(self, named: list[_Named]) -> list[_Named]:
        """Those of several operators that still agree on inputs beyond the domain.

        A direction of another length tells a wrong gate from a wrong normalisation.
        """
        if len(named) < 2:
            return named
        beyond = [
            {**inputs, name: inputs[name] / 2}
            for inputs in self.inputs[:_BEYOND]
            for name in inputs
        ]
        left = [(known, value) for known, value in named if self.agree_at(known, value, beyond)]
        return left or named

    def turns(self, known: Known, value: float) -> bool:
        """Does the target agree where a gate is the number, or is next to it?

        A threshold between two inputs is any number between them, until a gate stands there.
        """
        scalars = [a.name for a in self.contract.arguments if np.ndim(self.inputs[0][a.name]) == 0]
        beside = [
            {**inputs, name: rounded(value * (1 + more), self.run.format)}
            for inputs in self.inputs[:_BEYOND]
            for name in scalars
            for more in (-_BESIDE, 0.0, _BESIDE)
        ]
        return self.agree_at(known, value, beside)

    def agree_at(self, known: Known, value: float | None, more: Sequence[Inputs]) -> bool:
        """Does the target agree at inputs that are no strata, wherever it has a result there?"""
        first = len(self.inputs)
        self.inputs += more
        which = range(first, len(self.inputs))
        for dtype in dict.fromkeys(dtype for dtype, _ in self.places):
            self.ask((None, None, dtype, i) for i in which)
            for i in which:
                if self.kept["", None, dtype, i] and not self.agree(known, value, dtype, i):
                    return False
        return True

    def looked_at(self) -> list[tuple[str, int]]:
        """Where the target has a result of use: the finest format first, the furthest off first."""
        found: list[tuple[str, int]] = []
        formats = [d for d in self.runs if format_of(d).precision >= self.run.format.precision]
        for dtype in sorted(formats, key=lambda d: -format_of(d).precision):
            self.ask((None, None, dtype, i) for i in range(len(self.inputs)))
            usable = [i for i in range(len(self.inputs)) if self.kept["", None, dtype, i]]
            off = {i: self.off(dtype, i) for i in usable}
            found += [(dtype, i) for i in sorted(usable, key=lambda i: -off[i])]
        return found

    def off(self, dtype: str, i: int) -> float:
        """How far the target is from the formula, by the size of its result."""
        target = self.target(dtype, i)
        return target.apart(self.right(dtype, i)) / (target.scale or 1.0)

    def agrees(self, known: Known, value: float | None) -> bool:
        """Does the target agree with an operator everywhere, and is it not the right one?"""
        if not self.places or not self.agree(known, value, *self.places[0]):
            return False
        formats = dict.fromkeys((*_FINE, *(d for d, _ in self.places)))
        self.ask((known, value, dtype, i) for dtype in formats for i in range(len(self.inputs)))
        if not all(self.agree(known, value, dtype, i) for dtype, i in self.places):
            return False
        return any(
            self.target(dtype, i).apart(self.right(dtype, i)) > self.bound(known, value, dtype, i)
            for dtype, i in self.places
        )

    def agree(self, known: Known, value: float | None, dtype: str, i: int) -> bool:
        """Does the target agree with an operator at a place?"""
        wrong = self.seen(known, value, dtype, i)
        if wrong is None:
            return False
        return self.target(dtype, i).apart(wrong.parts) <= self.bound(known, value, dtype, i)

    # ------------------------------------------------------------ what was seen

    def target(self, dtype: str, i: int) -> _Seen:
        """What the target gave at a place."""
        seen = self.kept["", None, dtype, i]
        assert seen is not None
        return seen

    def seen(self, known: Known, value: float | None, dtype: str, i: int) -> _Seen | None:
        """What a known operator gives; None where that is of no use."""
        if (known.name, value, dtype, i) not in self.kept:
            self.ask([(known, value, dtype, i)])
        return self.kept[known.name, value, dtype, i]

    def ask(self, wanted: Iterable[tuple[Known | None, float | None, str, int]]) -> None:
        """Call the target (None) or known operators in formats, on inputs; many calls at once."""
        calls: dict[tuple[str, float | None, str, int], Call] = {}
        for known, value, dtype, i in wanted:
            place = ("" if known is None else known.name, value, dtype, i)
            if place not in self.kept:
                run, how = self.runs[dtype], dict[str, Any]()
                if known is not None:
                    how["known"] = {
                        "name": known.name,
                        "parameter": value,
                        "adapter": self.adapter,
                    }
                make = run.gradient_call if self.gradients else run.plain_call
                calls[place] = make(self.inputs[i], **how)
        if time.monotonic() > self.run.settings.deadline:
            raise _Unusable
        for place, answer in zip(calls, self.run.host.calls([*calls.values()]), strict=True):
            if answer.kind in COSTLY:
                raise _Unusable
            _, _, dtype, i = place
            self.kept[place] = self.of_use(self.runs[dtype], self.inputs[i], answer)

    def of_use(self, run: FormatRun, inputs: Inputs, answer: Answer) -> _Seen | None:
        """Results and gradients, where all are finite and of the right shape."""
        problem = run.form_problem(inputs, answer)
        if any(problem.get(name) for name in ("returns", "shape", "finite")):
            return None
        parts = [x.values for x in answer.outputs]
        if self.gradients:
            parts += [self.tangent(name, g.values) for name, g in answer.gradients.items()]
        return _Seen(tuple(parts)) if all(np.isfinite(x).all() for x in parts) else None

    def tangent(self, name: str, g: Floats) -> Floats:
        """A gradient; with respect to a skew matrix only its skew part means something."""
        kind = next(a for a in self.contract.arguments if a.name == name).kind
        return (g - g.swapaxes(-1, -2)) / 2 if kind == "skew" else g

    def right(self, dtype: str, i: int) -> tuple[Floats, ...]:
        """What the formula gives, rounded to float64."""
        if (dtype, i) not in self.exact:
            parts = [as_floats(x) for x in self.contract.value(self.inputs[i])]
            if self.gradients:
                parts += [as_floats(exact) for exact, _ in self.exact_gradients(dtype, i)]
            self.exact[dtype, i] = tuple(parts)
        return self.exact[dtype, i]

    def bound(self, known: Known, value: float | None, dtype: str, i: int) -> float:
        """How far a target that computes what the known operator does may be from it.

        The bound of the formula, of which the defect changes a part; or, where that is larger,
        what rounding does to the known operator itself, as for modules.
        """
        low, high = (self.seen(known, value, fine, i) for fine in _FINE)
        level = 0.0 if low is None or high is None else low.apart(high.parts)
        wrong = self.seen(known, value, dtype, i)
        scale = wrong.scale if wrong else 0.0
        return max(agreement_bound(self.runs[dtype].format, level, scale), self.own(dtype, i))

    def own(self, dtype: str, i: int) -> float:
        """The largest bound of the formula at a place."""
        if (dtype, i) not in self.bounds:
            run, inputs = self.runs[dtype], self.inputs[i]
            found = [float(b.max(initial=0.0)) for b in run.bound(inputs)]
            if self.gradients:
                found += [float(np.max(b, initial=0.0)) for _, b in self.exact_gradients(dtype, i)]
            self.bounds[dtype, i] = max(found)
        return self.bounds[dtype, i]

    def exact_gradients(self, dtype: str, i: int) -> list[tuple[Exact, Floats]]:
        """Exact gradients and their bounds, argument by argument."""
        if (dtype, i) not in self.slopes:
            run, inputs = self.runs[dtype], self.inputs[i]
            G = run.cotangents(inputs)
            self.slopes[dtype, i] = [
                run.gradient_of(inputs, G, argument.name) for argument in self.contract.arguments
            ]
        return self.slopes[dtype, i]

    # ------------------------------------------------------------ a number in a defect

    def fitted(self, known: Known, parameter: Mapping[str, Any]) -> float | None:
        """The number with which an operator is nearest to the target; None where none is near."""
        finest = self.places[0][0]
        places = [(d, i) for d, i in self.places if d == finest and self.off(d, i) > 0]
        # the furthest off, and others down to the nearest: what is saturated tells little
        places = [places[j * (len(places) - 1) // (_FITTED_AT - 1)] for j in range(_FITTED_AT)
                  ] if len(places) > _FITTED_AT else places  # fmt: skip
        fit = Fit(parameter["low"], parameter["high"], parameter["scale"])

        def residual(value: float) -> Floats | None:
            parts = []
            self.ask((known, value, dtype, i) for dtype, i in places)
            for dtype, i in places:
                target, wrong = self.target(dtype, i), self.seen(known, value, dtype, i)
                if wrong is None or target.apart(wrong.parts) == float("inf"):
                    return None
                both = zip(target.parts, wrong.parts, strict=True)
                scale = max(target.scale, wrong.scale) or 1.0
                parts += [((x - y) / scale).ravel() for x, y in both]
            return np.concatenate(parts)

        if not places:
            return None
        self.ask((known, x, dtype, i) for x in fit.grid for dtype, i in places)
        return fit.best(residual)

    # ------------------------------------------------------------ a lower format

    def lower_format(self) -> str:
        """Is every result a number of a lower format, and as good as that format allows?"""
        for name in _LOWER:
            if format_of(name).precision < self.run.format.precision and self.lies_in(name):
                return f"computes in {name}: every result is a number of that format"
        return ""

    def lies_in(self, name: str) -> bool:
        """Is every result a number of this lower format, where those of the formula are not?"""
        run, lower = self.run, format_of(name)
        telling = 0
        for case, answer in run.answers:
            exact = [as_floats(x) for x in self.contract.value(case.inputs)]
            allowed = run.bound(case.inputs, declared=name)
            for x, y, bound in zip(answer.outputs, exact, allowed, strict=True):
                within = np.abs(x.values - y) <= bound
                if not np.array_equal(x.values, rounded(x.values, lower)) or not within.all():
                    return False
                telling += int((rounded(y, run.format) != rounded(y, lower)).sum())
        return telling >= _TELLING


@dataclass(frozen=True)
class Fit:
    """A search for one number: a grid, then steps of Gauss and Newton. What it finds is checked."""

    low: float
    high: float
    scale: str

    def value(self, u: float) -> float:
        """The number at a point of the search."""
        value = float(np.exp(u)) if self.scale == "log" else u
        value = min(max(value, self.low), self.high)
        return float(round(value)) if self.scale == "integer" else value

    def point(self, value: float) -> float:
        """The point of the search at a number."""
        return float(np.log(value)) if self.scale == "log" else value

    @property
    def grid(self) -> set[float]:
        """The numbers that are tried first."""
        ends = self.point(self.low), self.point(self.high)
        if self.scale == "integer":
            if self.high - self.low < _MANY:
                return {float(n) for n in range(int(self.low), int(self.high) + 1)}
            return {self.value(float(u)) for u in np.linspace(*ends, _GRID)}
        # where many do, as a threshold between two inputs, a number that is easily written
        written = {x for n in range(1, 65) if self.low <= (x := n / 8) <= self.high}
        return written | {self.value(float(u)) for u in np.linspace(*ends, _GRID)}

    def best(self, residual: Callable[[float], Floats | None]) -> float | None:
        """The number with the smallest largest residual; None where there is no residual."""

        def size(r: Floats | None) -> float:
            return float("inf") if r is None else float(np.abs(r).max(initial=0.0))

        seen = {value: size(residual(value)) for value in self.grid}
        first, *others = sorted(seen, key=lambda value: (seen[value], _length(value)))
        if seen[first] == float("inf"):
            return None
        if self.scale == "integer" or seen[first] == 0.0:
            return first
        ends = self.point(self.low), self.point(self.high)
        u = self.point(first)
        before = min(map(self.point, others), key=lambda p: abs(p - u))
        r, r_before = residual(self.value(u)), residual(self.value(before))
        smallest, found = seen[first], first
        for _ in range(_STEPS):
            if r is None or r_before is None or u == before:
                break
            slope = (r - r_before) / (u - before)
            if not slope.any():
                break
            before, r_before = u, r
            u = min(max(u - float(slope @ r) / float(slope @ slope), ends[0]), ends[1])
            r = residual(self.value(u))
            if size(r) < smallest:
                smallest, found = size(r), self.value(u)
        return found


def _length(value: float) -> int:
    """How many bits a number takes behind the point."""
    return value.as_integer_ratio()[1].bit_length()
