"""Why a module fails: probes, each told only where every comparison of it is within its bound.

causes(run) == what to say beside the failing checks of a ModuleRun, by claim

What a module computes is not known, so that no known wrong module can be compared with it; but what
its outputs depend on can be asked: which later tokens, in which order, which items, which lengths,
which gate. A probe that finds none of the patterns it knows says nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...numeric.formats import BINARY64
from .checks import OutOfTime
from .contract import Floats
from .diagnosis import shown
from .module_checks import ModuleRun, NoResult, NotThere, agreement_bound
from .module_contract import IDENTITY, Variant
from .module_pairs import INPUT, Pair
from .strata import draw, generator, rounded

_TOKENS = 6
"""Of a short sequence, long enough for a token to have several before it and after it."""


def causes(run: ModuleRun) -> dict[str, str]:
    """What to say beside each failing check."""
    failed = {claim for claim, tally in run.tallies.items() if tally.found is not None}
    if f"{run.contract.name}.determinism" in failed:
        return {}  # two calls are no comparison
    probes = _Probes(run)
    found: dict[str, str] = {}
    for names, probe in probes.by_checks():
        claims = [c for c in failed if c.removeprefix(f"{run.contract.name}.") in names]
        claims = [c for c in claims if c not in found]
        if not claims:
            continue
        if probe == probes.length and f"{run.contract.name}.causality" in failed:
            continue  # where later tokens are seen, the length explains nothing
        try:
            said = probe()
        except OutOfTime:
            break
        except (NoResult, NotThere):
            continue  # what is to be asked of the module, it does not answer
        if said:
            found |= dict.fromkeys(claims, said)
    return found


class _Probes:
    """Questions to a module."""

    def __init__(self, run: ModuleRun):
        self.run = run
        self.chunk = int(run.settings.options.domain["chunk"])
        self.change = run.settings.options.domain["change"]

    def by_checks(self) -> list[tuple[tuple[str, ...], Callable[[], str]]]:
        """Probes with the checks that they may explain, the sharper first."""
        later = ("causality", "prefix_consistency", "padding_independence", "split_invariance")
        return [
            ((*later, "batch_independence"), self.whole_batch),
            (later, self.later_tokens),
            (later[1:], self.length),
            (("split_invariance",), self.remainder),
            (("batch_independence",), self.other_items),
            (("initialisation",), self.first_gate),
            ((IDENTITY,), self.closed_gate),
            (("delta.projection", "delta.reflection"), self.held_gate),
            (("hybrid.endpoints_orthogonal",), self.scaled),
        ]

    # ------------------------------------------------------------ comparing

    def tokens(self, name: str, b: int, t: int, scale: float = 1.0) -> Floats:
        """Generic tokens that depend on a name."""
        width = int(self.run.settings.options.domain["width"])
        x = draw(generator(self.run.settings.seed, "probe", name, t), b, t, width)
        return rounded(scale * x, self.run.format)

    def same(self, left: Floats, right: Floats, tokens: int, **more: object) -> bool:
        """Have two calls the same outputs at the first so many tokens?"""
        pair = Pair("", "", left, right, Variant(), Variant(), tokens)
        observed, bound = self.run.compared(replace(pair, **more))  # type: ignore[arg-type]
        return observed <= bound

    # ------------------------------------------------------------ later tokens

    def later_tokens(self) -> str:
        """Which later tokens move an output, and does their order matter?"""
        long = 2 * self.chunk
        x = self.tokens("later", 1, long)
        other = self.tokens("other later", 1, long, self.change)
        places = sorted({1, 2, 3, 4, self.chunk - 1, self.chunk, self.chunk + 1, long - 1})
        places = [s for s in places if 0 < s < long]
        seen: set[tuple[int, int]] = set()
        for s in places:
            for sign in (1, -1):  # what takes the largest entries sees one of them
                changed = x.copy()
                changed[:, s] = sign * other[:, s]
                moved = self.moved(x, changed)
                seen |= {(s, t) for t in (0, 1) if t < s and moved[t]}
        return self.pattern(seen, places)

    def moved(self, x: Floats, changed: Floats) -> list[bool]:
        """Which of the first two outputs another input moves."""
        pair = Pair("", "", x, changed, Variant(), Variant(), 2)
        _, bound = self.run.compared(pair)
        left, right = self.run.sides(pair, self.run.dtype)
        apart = np.abs(left - right).max(axis=(0, 2))
        return [bool(row > bound) for row in apart]

    def pattern(self, seen: set[tuple[int, int]], places: list[int]) -> str:
        """What the tokens that are seen have in common."""
        reach = [[s - t for s in places if (s, t) in seen] for t in (0, 1)]
        if not seen:
            return ""
        every = [[s - t for s in places if s > t] for t in (0, 1)]
        if reach == every:
            return self.ordered()
        in_chunk = [[s - t for s in places if t < s < self.chunk] for t in (0, 1)]
        if reach == in_chunk and self.chunk > places[0]:
            return "a token sees the later ones of its chunk"
        ahead = max(map(max, filter(None, reach)), default=0)
        near = [[s - t for s in places if 0 < s - t <= ahead] for t in (0, 1)]
        if reach == near and ahead < self.chunk - 2:
            return f"a token sees {ahead} token{'s' if ahead > 1 else ''} ahead"
        return ""

    def ordered(self) -> str:
        """Every later token is seen: as one of many, or at its place?"""
        for name, scale in (("ordered", 1.0), ("ordered too", 1.0), ("far apart", self.change)):
            x = self.tokens(name, 1, _TOKENS, scale)
            for t in (1, 2):
                turned = np.concatenate([x[:, :t], np.roll(x[:, t:], 1, axis=1)], axis=1)
                if not self.same(x, turned, t):
                    return "later tokens are seen, and their order matters"
        return "the generators see the whole sequence"

    def length(self) -> str:
        """Do later tokens matter by their number alone?"""
        x, other = (self.tokens(name, 1, _TOKENS) for name in ("length", "other length"))
        told = False
        for t in (1, 2, 4):
            changed = np.concatenate([x[:, :t], other[:, t:]], axis=1)
            if not self.same(x, changed, t):
                return ""
            told = told or not self.same(x[:, :t], x, t)
        return "the output depends on the length of the sequence" if told else ""

    def remainder(self) -> str:
        """At which lengths, by the chunk, is a prefix another than in the whole?"""
        chunk = self.chunk
        x = self.tokens("remainder", 1, 3 * chunk)
        near = (n * chunk + more for n in (1, 2) for more in (-2, -1, 0, 1, 2))
        asked = sorted({t for t in near if t > 0})
        wrong = {t for t in asked if not self.same(x[:, :t], x, t)}
        left = {t % chunk for t in wrong}
        if len(left) == 1 and wrong >= {t for t in asked if t % chunk in left and t > chunk}:
            words = {0: "full chunks", 1: "one token in the last chunk",
                     chunk - 1: "one token less than a full chunk"}  # fmt: skip
            (rest,) = left
            return f"lengths with {words.get(rest, f'{rest} tokens in the last chunk')} are wrong"
        return ""

    # ------------------------------------------------------------ other items

    def other_items(self) -> str:
        """Are the other items of a batch seen as one of many?"""
        x = self.tokens("items", 4, 3)
        turned = x[[0, 2, 3, 1]]
        changed = x.copy()
        changed[1:] = self.tokens("other items", 4, 3, self.change)[1:]
        if self.same(x, turned, 3) and not self.same(x, changed, 3):
            return "the items of the batch are pooled"
        return ""

    def whole_batch(self) -> str:
        """Do items and tokens enter in one heap?"""
        checks = ("causality", "batch_independence")
        tallies = [self.run.tallies.get(f"{self.run.contract.name}.{name}") for name in checks]
        if any(tally is None or tally.found is None for tally in tallies):
            return ""
        x = self.tokens("heap", 3, 4)
        heap = x.reshape(12, -1)
        turned = np.concatenate([heap[:1], np.roll(heap[1:], 5, axis=0)]).reshape(x.shape)
        if self.same(x, turned, 1) and not self.same(x, self.first_kept(x), 1):
            return "items and tokens of the batch are pooled"
        return ""

    def first_kept(self, x: Floats) -> Floats:
        """All but the very first token changed."""
        changed = self.tokens("other heap", len(x), x.shape[1], self.change)
        changed[0, 0] = x[0, 0]
        return changed

    # ------------------------------------------------------------ gates

    def first_gate(self) -> str:
        """Which one gate, held, gives what the module gives as made?"""
        if self.run.starts is None or len(self.run.starts.held) != 1:
            return ""
        ((name, _),) = self.run.starts.held
        x = self.tokens("first gate", 2, 5)

        def held(value: float) -> Variant:
            return Variant(held=((name, value),))

        made, zero, one = (
            self.run.values(x, variant, "float64") for variant in (Variant(), held(0), held(1))
        )
        value = _ratio(made - zero, one - zero)
        if value is None:
            return ""
        pair = Pair("initialisation", "", x, x, Variant(), held(value), 5, (0, len(x)))
        observed, bound = self.run.compared(pair)
        return f"the gate as made is {shown(value)}" if observed <= bound else ""

    def closed_gate(self) -> str:
        """What comes out at the gate 0: the input by a factor, or the update of another gate?"""
        closed = next((v for v in self.run.held if dict(v.held).get("beta") == 0.0), None)
        if closed is None or len(closed.held) != 1:
            return ""
        x = self.tokens("closed", 1, 5)
        at_zero = self.run.values(x, closed, "float64")
        factor = _ratio(at_zero, x)
        if factor is not None and self.agree(at_zero, factor * x):
            return f"at the gate 0 the input comes through, times {shown(factor)}"
        if self.run.contract.closed != INPUT:
            return ""
        at_one = self.run.values(x, Variant(held=(("beta", 1.0),)), "float64")
        offset = _ratio(at_zero - x, at_one - at_zero)
        if offset is None:
            return ""
        pair = Pair(IDENTITY, "", x, x, Variant(held=(("beta", -offset),)), None, 5)
        observed, bound = self.run.compared(pair)
        return f"the gate held at 0 acts as {shown(offset)}" if observed <= bound else ""

    def held_gate(self) -> str:
        """How long is the direction, and which gate does the operator have?"""
        lengths: list[Floats] = []
        x = self.run.some(2, 3)
        for variant in self.run.held:
            gate = dict(variant.held).get("beta", 0.0)
            if gate == 0.0 or len(variant.held) != 1:
                continue
            A = self.operator(x, variant)
            rest = np.eye(A.shape[-1]) - A
            acting = np.trace(rest, axis1=-2, axis2=-1)
            ones = np.ones_like(acting)
            # β k kᵀ and nothing else: of rank one, and its trace is β ‖k‖²
            if not self.agree(rest @ rest, acting[..., None, None] * rest):
                return ""
            if self.agree(acting, acting.flat[0] * ones) and not self.agree(acting, gate * ones):
                return f"the gate held at {shown(gate)} acts as {shown(float(acting.flat[0]))}"
            lengths.append(np.asarray(acting / gate))
        if len(lengths) < 2 or not all(self.agree(lengths[0], other) for other in lengths[1:]):
            return ""
        if self.agree(lengths[0], np.ones_like(lengths[0])):
            return ""
        return "the direction has not the length 1"

    def scaled(self) -> str:
        """Is the operator a multiple of an orthogonal one?"""
        x = self.run.some(2, 3)
        for variant in self.run.held:
            if dict(variant.held).get("gamma") not in (0.0, 1.0):
                continue
            A = self.operator(x, variant)
            gram = A.swapaxes(-1, -2) @ A
            factor = float(np.sqrt(gram[0, 0, 0, 0]))
            unit = np.broadcast_to(np.eye(A.shape[-1]), A.shape)
            if self.agree(gram, factor**2 * unit) and not self.agree(gram, unit):
                return f"the operator is {shown(factor)} times an orthogonal one"
        return ""

    def operator(self, x: Floats, variant: Variant) -> Floats:
        """The operators of a variant, in float64."""
        A = self.run.values(x, variant, "float64", "operator")
        if A.ndim != 4 or A.shape[2] != A.shape[3]:
            raise NotThere("operator(x) gives no square matrices")
        return A

    def agree(self, x: Floats, y: Floats) -> bool:
        """Are two results of float64 as near as rounding leaves them?"""
        scale = max(float(np.abs(x).max()), float(np.abs(y).max()), 1.0)
        return bool(np.abs(x - y).max() <= agreement_bound(BINARY64, 0.0, scale))


def _ratio(x: Floats, y: Floats) -> float | None:
    """c of x ≈ c y by least squares; None where y is 0."""
    square = float((y * y).sum())
    return float((x * y).sum()) / square if square > 0 else None
