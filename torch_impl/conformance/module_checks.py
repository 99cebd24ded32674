"""The checks of a contract of modules in one format.

ModuleRun(contract, host, dtype, settings, …).run() == a Check for each claim
agreement_bound(fmt, level, scale)                  == how far two results may be apart

Two results in low precision say nothing of each other by themselves: what a module computes is not
known, so that no bound can be had from its formula. But a difference that rounding makes shrinks
with the roundoff, and one that is there does not. The error of the module in float32, measured
against float64 on the same weights and the same inputs, says how large rounding's differences are
in each format; two results agree where their difference is nearer, as a ratio, to what rounding
does in their format than to what it does in the next coarser one, or to the result itself where
there is none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...numeric.formats import BINARY16, BINARY32, BINARY64, Format, format_of
from .checks import Found, OutOfTime, Settings, Tally, beyond, check_of, guarded, searched
from .contract import Case, Floats
from .isolation import Host
from .module_contract import IDENTITY, Consequence, ModuleContract, Variant
from .module_pairs import Pair, pairs
from .result import Check, unhexed
from .strata import draw, generator, rounded
from .wire import Answer, Array, Call

_COARSER = {BINARY64: BINARY32, BINARY32: BINARY16}
_FORWARD, _OPERATOR = "forward", "operator"


def agreement_bound(fmt: Format, level: float, scale: float) -> float:
    """Between what rounding does in a format and what it does in the next coarser one.

    Parameters
    ----------
    fmt
        The format of the two results.
    level
        The error of the module in binary32.
    scale
        The largest entry of the results.

    Returns
    -------
    The geometric mean of the two levels; `level` counts as at least one rounding of the results.
    """
    single = float(BINARY32.unit_roundoff)
    per_roundoff = max(level / single, scale)
    own = per_roundoff * float(fmt.unit_roundoff)
    coarser = _COARSER.get(fmt)
    beyond = scale if coarser is None else per_roundoff * float(coarser.unit_roundoff)
    return float(np.sqrt(own) * np.sqrt(max(own, beyond)))


class NoResult(Exception):
    """A call that left nothing to compare; its failure is told elsewhere."""


class NotThere(Exception):
    """Something that the module does not have; the check is skipped."""


class ModuleRun:
    """All checks of a contract of modules in one format."""

    def __init__(
        self,
        contract: ModuleContract,
        host: Host,
        dtype: str,
        settings: Settings,
        held: Sequence[Mapping[str, float]] = (),
        starts: Mapping[str, float] | None = None,
    ):
        self.contract, self.host, self.dtype, self.settings = contract, host, dtype, settings
        self.format = format_of(dtype)
        self.held = [Variant(held=tuple(sorted(gates.items()))) for gates in held]
        self.starts = None if starts is None else Variant(held=tuple(sorted(starts.items())))
        self.tallies: dict[str, Tally] = {}
        self.answers: dict[Any, Answer] = {}
        self.unusable = ""

    # ------------------------------------------------------------ calls

    def call(self, x: Floats, variant: Variant, dtype: str = "", part: str = _FORWARD,
             **how: Any) -> Answer:  # fmt: skip
        """Call a variant, in this format or another, on numbers of this one."""
        asked = (x, variant, dtype or self.dtype, part)
        if not how:
            return self.calls([asked])[0]
        self.in_time()
        return self.host.calls([self.made(*asked, **how)])[0]

    def calls(self, asked: Sequence[tuple[Floats, Variant, str, str]]) -> list[Answer]:
        """Call variants, in formats and parts, many at once; what was answered is remembered."""
        self.in_time()
        keys = []
        new: dict[Any, Call] = {}
        for x, variant, dtype, part in asked:
            values = rounded(x, self.format)
            key = (dtype, part, variant, values.shape, values.tobytes())
            if key not in self.answers:
                new[key] = self.made(x, variant, dtype, part)
            keys.append(key)
        self.answers.update(zip(new, self.host.calls([*new.values()]), strict=True))
        return [self.answers[key] for key in keys]

    def made(self, x: Floats, variant: Variant, dtype: str, part: str, **how: Any) -> Call:
        """A call of a variant on numbers of this format."""
        array = Array(dtype, rounded(x, self.format), self.settings.device)
        return Call({"x": array}, variant=variant.to_json(), part=part, **how)

    def in_time(self) -> None:
        """Raise OutOfTime after the deadline."""
        if time.monotonic() > self.settings.deadline:
            raise OutOfTime

    def values(self, x: Floats, variant: Variant, dtype: str = "", part: str = _FORWARD) -> Floats:
        """The result of a call, where it is of use."""
        answer = self.call(x, variant, dtype, part)
        if answer.kind == "unsupported":
            raise NotThere(answer.problem)
        if answer.problem or (part == _FORWARD and any(self.form(x, answer, dtype).values())):
            if part == _FORWARD and dtype == self.dtype:
                self.judge_form(x, variant, f"{len(x)} items of {x.shape[1]} tokens; {variant}")
            raise NoResult(answer.problem)
        return answer.outputs[0].values

    def tally(self, name: str, *cites: str) -> Tally:
        """The tally of a claim, or of one of the contract's own checks, which cites its claims."""
        own = "." not in name
        claim = f"{self.contract.name}.{name}" if own else name
        cites = cites or (self.contract.claims if own else ())
        return self.tallies.setdefault(claim, Tally(claim, cites))

    # ------------------------------------------------------------ the run

    def run(self) -> list[Check]:
        """Make every check; raises OutOfTime."""
        first = self.call(self.some(1, 1), Variant())
        if first.kind == "unsupported":
            self.tally("returns").skipped = first.problem
            return self.finished()
        for claim, make in self.steps():
            with guarded(lambda claim=claim: self.tally(claim)):
                make()
        return self.finished()

    def steps(self) -> list[tuple[str, Callable[[], None]]]:
        """Every check, under the claim that answers for a fault of the kit."""
        domain, seed = self.settings.options.domain, self.settings.seed
        found = [("returns", self.forms), ("determinism", self.twice)]
        found += [("gradient", self.gradients), ("optimiser_step", self.optimiser)]
        for pair in pairs(
            self.contract, domain, self.held, self.starts, seed,
            everywhere=self.settings.profile == "deep",
        ):  # fmt: skip
            found.append((pair.check, lambda pair=pair: self.agree(pair)))
        for variant in self.variants:
            for consequence in self.contract.operators:
                if consequence.applies(dict(variant.held)):
                    found.append((consequence.claim, self.claimed(consequence, variant)))
        return [*found, ("returns", self.left_out)]

    def claimed(self, consequence: Consequence, variant: Variant) -> Callable[[], None]:
        """The check of a claim on the operators of a variant."""
        return lambda: self.consequence(consequence, variant)

    @property
    def variants(self) -> list[Variant]:
        """As made, after a step, and with gates held."""
        held = [v for gates in self.held for v in (gates, Variant(1, False, gates.held))]
        return [Variant(), Variant(steps=1), *held]

    def some(self, b: int, t: int) -> Floats:
        """Generic tokens."""
        width = int(self.settings.options.domain["width"])
        return draw(generator(self.settings.seed, "some", b, t), b, t, width)

    # ------------------------------------------------------------ form

    def form(self, x: Floats, answer: Answer, dtype: str = "") -> dict[str, str]:
        """What is wrong with the form of an answer, by check."""
        if answer.problem:
            return {"returns": answer.problem}
        told = {"returns": "", "shape": "", "result_type": "", "finite": "", "inputs_unchanged": ""}
        got = [y.values.shape for y in answer.outputs]
        if got != [x.shape]:
            told["shape"] = f"shapes {', '.join(map(str, got)) or 'none'}, expected {x.shape}"
            return told
        (y,) = answer.outputs
        if y.dtype != (dtype or self.dtype):
            told["result_type"] = f"dtype {y.dtype}, expected {dtype or self.dtype}"
        elif y.device != self.settings.device_type:
            told["result_type"] = f"device {y.device}, expected {self.settings.device_type}"
        if not np.isfinite(y.values).all():
            told["finite"] = f"{'NaN' if np.isnan(y.values).any() else 'an infinity'} for finite x"
        if answer.changed:
            told["inputs_unchanged"] = "the module wrote to its input"
        return told

    def forms(self) -> None:
        """Results of the right form, for every variant and several shapes."""
        chunk = int(self.settings.options.domain["chunk"])
        for variant in self.variants:
            for b, t in ((1, 1), (2, 1), (1, 2), (2, 5), (1, chunk + 1)):
                x = self.some(b, t)
                self.judge_form(x, variant, f"{b} items of {t} tokens; {variant}")

    def judge_form(self, x: Floats, variant: Variant, stratum: str) -> None:
        """The form of one answer."""
        answer = self.call(x, variant)
        for name, message in self.form(x, answer).items():
            tally = self.tally(name)
            tally.saw(stratum, 0.0, 0.0)
            if message and tally.found is None:
                self.unusable = self.unusable or message
                tally.found = self.single(message, x, variant, stratum)

    def single(self, message: str, x: Floats, variant: Variant, stratum: str, observed: Any = None,
               bound: Any = None) -> Found:  # fmt: skip
        """A failure of one call."""
        pair = Pair("", stratum, x, x, variant, variant, x.shape[1])
        case = Case(stratum, {"x": rounded(x, self.format)})
        return Found(message, observed, bound, case, {"left": pair.to_json()["left"]})

    def twice(self) -> None:
        """The same input twice gives the same bits."""
        tally = self.tally("determinism")
        for variant in (Variant(), Variant(steps=1)):
            self.judge_twice(tally, self.some(2, 3), variant, f"twice; {variant}")

    def judge_twice(self, tally: Tally, x: Floats, variant: Variant, stratum: str) -> None:
        """Two calls of one instance."""
        answer = self.call(x, variant, mode="twice")
        if answer.problem and self.call(x, variant).problem:
            self.judge_form(x, variant, stratum)
            return  # there is no result to compare, which fails `returns`
        tally.saw(stratum, 0.0, 0.0)
        half = len(answer.outputs) // 2
        both = zip(answer.outputs[:half], answer.outputs[half:], strict=True)
        if answer.problem:
            message = f"a call alone is answered, two are not: {answer.problem}"
        elif all(np.array_equal(a.values, b.values) for a, b in both):
            return
        else:
            message = (
                "two calls on one input differ; where that is dropout, set it to 0 or call eval()"
            )
        tally.found = tally.found or self.single(message, x, variant, stratum)

    def gradients(self) -> None:
        """The gradient with respect to x is there, and finite."""
        tally = self.tally("gradient")
        for variant in self.variants:
            self.judge_gradient(tally, self.some(2, 3), variant, f"2 items of 3 tokens; {variant}")

    def judge_gradient(self, tally: Tally, x: Floats, variant: Variant, stratum: str) -> None:
        """The gradient at one input."""
        G = Array(self.dtype, rounded(draw(generator(0, "G"), *x.shape), self.format),
                  self.settings.device)  # fmt: skip
        answer = self.call(x, variant, cotangents=(G,))
        if answer.kind == "unsupported":
            tally.skipped = answer.problem
            return
        if self.call(x, variant).problem:
            return  # that is the failure of another check
        tally.saw(stratum, 0.0, 0.0)
        message = answer.problem
        if not message and not np.isfinite(answer.gradients["x"].values).all():
            message = "the gradient with respect to x is not finite"
        elif not message and not variant.held and not answer.gradients["x"].values.any():
            message = "the gradient with respect to x is zero: x is detached"
        if message:
            tally.found = tally.found or self.single(message, x, variant, stratum)

    def optimiser(self) -> None:
        """A step can be made, and the module works after it."""
        x, variant = self.some(2, 3), Variant(steps=1)
        if self.call(x, Variant()).problem:
            return
        tally = self.tally("optimiser_step")
        answer = self.call(x, variant)
        tally.saw(str(variant), 0.0, 0.0)
        if answer.problem:
            tally.found = self.single(answer.problem, x, variant, str(variant))

    # ------------------------------------------------------------ agreement

    def agree(self, pair: Pair) -> None:
        """Two calls have the same result, within the bound of `agreement_bound`."""
        tally = self.tally(pair.check, *self.cites(pair.check))
        try:
            observed, bound = self.compared(pair)
        except NoResult:
            return
        except NotThere as problem:
            tally.skipped = str(problem)
            return
        tally.saw(pair.stratum, observed, bound)
        if beyond(observed, bound) and tally.found is None:
            tally.found = self.apart(pair.message, pair, observed, bound)

    def cites(self, check: str) -> tuple[str, ...]:
        """What a check cites."""
        return (self.contract.causal,) if check == "causality" else ()

    def apart(self, message: str, pair: Pair, observed: Any, bound: Any) -> Found:
        """A failure of a pair."""
        inputs = {"x": rounded(pair.left, self.format), "y": rounded(pair.right, self.format)}
        return Found(message, observed, bound, Case(pair.stratum, inputs), pair.to_json())

    def compared(self, pair: Pair) -> tuple[float, float]:
        """How far the two results are apart, and how far they may be."""
        formats = (self.dtype, "float32", "float64")
        variants = [(pair.left, pair.left_variant)]
        if pair.right_variant is not None:
            variants.append((pair.right, pair.right_variant))
        self.calls([(x, v, dtype, _FORWARD) for dtype in formats for x, v in variants])
        left, right = self.sides(pair, self.dtype)
        level = max(
            _largest(low - high)
            for low, high in zip(
                self.sides(pair, "float32"), self.sides(pair, "float64"), strict=True
            )
        )
        scale = max(_largest(left), _largest(right))
        fmt = self.format
        if pair.check == "initialisation" and fmt.precision > BINARY32.precision:
            fmt = BINARY32  # parameters are made in float32, whatever the module is converted to
        return _largest(left - right), agreement_bound(fmt, level, scale)

    def sides(self, pair: Pair, dtype: str) -> tuple[Floats, Floats]:
        """What is compared of both results in a format."""
        left = self.values(pair.left, pair.left_variant, dtype)
        if pair.right_variant is None:
            right = rounded(pair.right, self.format)
        else:
            right = self.values(pair.right, pair.right_variant, dtype)
        return pair.at_left(left), pair.at_right(right)

    # ------------------------------------------------------------ operators

    def consequence(self, consequence: Consequence, variant: Variant) -> None:
        """A claim on the operators of a variant, of which large tokens saturate the gates."""
        self.judge_consequence(consequence, self.some(2, 3), variant, f"2 × 3 tokens; {variant}")
        if consequence.held is None:
            large = self.settings.options.domain["change"] * self.some(4, 5)
            self.judge_consequence(consequence, large, variant, f"4 × 5 large tokens; {variant}")

    def judge_consequence(
        self, consequence: Consequence, x: Floats, variant: Variant, stratum: str
    ) -> None:
        """A claim on the operators at one input."""
        tally = self.tally(consequence.claim, *consequence.cites)
        formats = (self.dtype, "float32", "float64")
        try:
            A, low, high = (self.values(x, variant, dtype, _OPERATOR) for dtype in formats)
        except (NoResult, NotThere) as problem:
            tally.skipped = f"no operator to look at: {problem}"
            return
        if A.ndim != 4 or A.shape[:2] != x.shape[:2] or A.shape[2] != A.shape[3]:
            message = f"operator(x) has the shape {A.shape}, expected [b, t, n, n] of {x.shape[:2]}"
            tally.saw(stratum, 0.0, 0.0)
            tally.found = tally.found or self.single(message, x, variant, stratum)
            return
        if unbounded := [
            dtype
            for dtype, M in zip(formats, (A, low, high), strict=True)
            if not np.isfinite(M).all()
        ]:
            message = f"operator(x) has entries that are not finite, in {unbounded[0]}"
            tally.saw(stratum, float("inf"), 0.0)
            tally.found = tally.found or self.single(message, x, variant, stratum)
            return
        # every entry may be off, and each factor of A passes that on by the norm of the others
        n, length = A.shape[-1], np.linalg.norm(A, 2, axis=(-2, -1)).max()
        passed = n * consequence.degree * max(1.0, length) ** (consequence.degree - 1)
        scale = max(1.0, _largest(A))
        bound = passed * agreement_bound(self.format, _largest(low - high), scale)
        observed = _largest(consequence.residual(A))
        tally.saw(stratum, observed, bound)
        if beyond(observed, bound) and tally.found is None:
            tally.found = self.single(consequence.explain, x, variant, stratum, observed, bound)

    # ------------------------------------------------------------ what is told

    def left_out(self) -> None:
        """Name what could not be looked at, and why."""
        if self.starts is None:
            self.tally(
                "initialisation"
            ).skipped = "nothing is known of its gates as made: --starts beta=… says it"
        claims = dict.fromkeys((IDENTITY, *(c.claim for c in self.contract.operators)))
        for claim in claims:
            tally = self.tally(claim)
            if not tally.inputs and not tally.skipped:
                tally.skipped = f"no gates are held where it says something: {self.wanted(claim)}"
        for tally in self.tallies.values():
            if tally.inputs or tally.found or tally.skipped or tally.fault:
                continue
            tally.skipped = f"no result to look at: {self.unusable or 'the calls failed'}"

    def wanted(self, claim: str) -> str:
        """The gates that a claim is about, as options."""
        held = next((c.held for c in self.contract.operators if c.claim == claim and c.held), None)
        gates = {"beta": 0.0} if held is None else held
        return "--force " + ",".join(f"{name}={value:g}" for name, value in gates.items())

    def finished(self) -> list[Check]:
        """The checks, in the order in which they were made."""
        from .module_diagnosis import causes

        found = searched(lambda: causes(self))
        return [check_of(t, self.dtype, self.unusable, found) for t in self.tallies.values()]

    def finished_so_far(self) -> list[Check]:
        """The checks begun before the time was over."""
        begun = (t for t in self.tallies.values() if t.inputs or t.fault)
        return [check_of(t, self.dtype, self.unusable) for t in begun]

    def replayed(self, case: Mapping[str, Any]) -> list[Check]:
        """Make the check of a stored case again."""
        stored, claim = dict(case["input"] or {}), str(case["claim"])
        call = stored.pop("call", {})
        inputs, name = unhexed(stored), claim.removeprefix(f"{self.contract.name}.")
        stratum = case["stratum"]
        if "right" in call:
            self.agree(Pair.from_json(name, stratum, inputs, call))
            return self.finished()
        import json

        x, variant = inputs["x"], Variant.from_json(json.loads(call["left"]))
        if name == "determinism":
            self.judge_twice(self.tally(name), x, variant, stratum)
        elif name == "gradient":
            self.judge_gradient(self.tally(name), x, variant, stratum)
        elif name == "optimiser_step":
            self.optimiser()
        else:
            self.judge_form(x, variant, stratum)
        for consequence in self.contract.operators:
            if consequence.claim == claim and consequence.applies(dict(variant.held)):
                self.judge_consequence(consequence, x, variant, stratum)
        return [c for c in self.finished() if c.claim == claim] or self.finished()


def _largest(x: Floats) -> float:
    return float(np.abs(x).max(initial=0.0))
