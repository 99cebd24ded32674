"""Pairs of calls of a module whose results are to agree, and where.

Pair                     == left and right: inputs, variants, which items and tokens to compare
pairs(contract, …)       == all of a run, small ones first
Pair.to_json / from_json == for replaying
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .contract import Floats
from .module_contract import IDENTITY, ModuleContract, Variant
from .strata import draw, generator

_SHORT = 5
_AGAIN = 2
"""So many more inputs where a few tokens follow: what one hides in a half format, others do not."""
INPUT = "input"
"""On the right: not a call, the input itself."""


@dataclass(frozen=True)
class Pair:
    """Two calls that are to agree.

    `right_variant` None stands for `right` itself, as the value that is expected. `items` and
    `tokens` bound what is compared: the items from the first to the second number on both sides
    (the right one counted from `right_item`), the first so many tokens.
    """

    check: str
    stratum: str
    left: Floats
    right: Floats
    left_variant: Variant
    right_variant: Variant | None
    tokens: int
    items: tuple[int, int] = (0, 1)
    right_item: int = 0
    message: str = ""

    def at_left(self, y: Floats) -> Floats:
        """What is compared of the left result."""
        return y[self.items[0] : self.items[1], : self.tokens]

    def at_right(self, y: Floats) -> Floats:
        """What is compared of the right one."""
        count = self.items[1] - self.items[0]
        return y[self.right_item : self.right_item + count, : self.tokens]

    def to_json(self) -> dict[str, str]:
        """All but the inputs, as strings."""
        right = INPUT if self.right_variant is None else _spelled(self.right_variant)
        return {
            "left": _spelled(self.left_variant),
            "right": right,
            "tokens": str(self.tokens),
            "items": f"{self.items[0]} {self.items[1]} {self.right_item}",
        }

    @classmethod
    def from_json(
        cls, check: str, stratum: str, inputs: Mapping[str, Floats], call: Mapping[str, str]
    ) -> Pair:
        """The pair that `to_json` wrote, with its inputs."""
        first, last, right_item = map(int, call["items"].split())
        right = None if call["right"] == INPUT else _read(call["right"])
        return cls(
            check, stratum, inputs["x"], inputs["y"], _read(call["left"]), right,
            int(call["tokens"]), (first, last), right_item,
            "the two results differ",
        )  # fmt: skip


def _spelled(variant: Variant) -> str:
    import json

    return json.dumps(variant.to_json(), sort_keys=True)


def _read(text: str) -> Variant:
    import json

    return Variant.from_json(json.loads(text))


def pairs(
    contract: ModuleContract,
    domain: Mapping[str, float],
    held: Sequence[Variant],
    starts: Variant | None,
    seed: int,
    *,
    everywhere: bool = False,
) -> Iterator[Pair]:
    """Every pair, for the module as made, after a step, and with its gates held.

    Parameters
    ----------
    domain
        Width, chunk and change.
    held
        Variants with gates held, as made.
    starts
        The gates that the module says it starts with.
    seed
        Of the inputs.
    everywhere
        Longer sequences too where gates are held.
    """
    made, stepped = Variant(), Variant(steps=1)
    x = _Inputs(domain, seed)
    for variant in (made, stepped, *held):
        for pair in (*_causal(x), *_batches(x), *_longer(x)):
            if variant.held and not everywhere and pair.right.shape[1] > _SHORT:
                continue
            label = f"{pair.stratum}; {variant}"
            yield replace(pair, stratum=label, left_variant=variant, right_variant=variant)
    for variant in (made, stepped):
        some = x.of("state", 2, 5)
        yield _whole("state_dict", some, variant, variant.reloaded(),
                     "another instance with the same state_dict gives another result")  # fmt: skip
    if starts is not None:
        some = x.of("start", 2, 5)
        yield _whole("initialisation", some, made, starts,
                     "as made, its gates are not those that it says it starts with")  # fmt: skip
    for variant in (*held, *(replace(v, steps=1) for v in held)):
        if dict(variant.held).get("beta") == 0.0 and dict(variant.held).get("gamma", 1.0) == 1.0:
            yield from _closed(contract, x, variant)


@dataclass(frozen=True)
class _Inputs:
    """Tokens on purpose."""

    domain: Mapping[str, float]
    seed: int

    @property
    def chunk(self) -> int:
        return int(self.domain["chunk"])

    def of(self, name: str, b: int, t: int, scale: float = 1.0) -> Floats:
        """Generic tokens that depend on a name."""
        return scale * draw(generator(self.seed, name, t), b, t, int(self.domain["width"]))


def _whole(check: str, x: Floats, left: Variant, right: Variant | None, message: str) -> Pair:
    return Pair(check, f"{x.shape[1]} tokens; {left}", x, x, left, right, x.shape[1],
                (0, len(x)), message=message)  # fmt: skip


def _pair(check: str, stratum: str, left: Floats, right: Floats, message: str, **more: Any) -> Pair:
    tokens = more.pop("tokens", left.shape[1])
    return Pair(check, stratum, left, right, Variant(), Variant(), tokens, message=message, **more)


def _causal(x: _Inputs) -> Iterator[Pair]:
    chunk = x.chunk
    for t, start in (
        (2, 1),
        (5, 1),
        (5, 4),
        (chunk + 2, max(1, chunk - 1)),
        (chunk + 2, chunk + 1),
    ):
        left = x.of("causal", 1, t)
        for scale in (1.0, x.domain["change"]):
            right = left.copy()
            right[:, start:] = x.of("changed", 1, t, scale)[:, start:]
            yield _pair("causality", f"tokens from {start} of {t} changed, scale {scale:g}", left,
                        right, "a later token changes an earlier output", tokens=start)  # fmt: skip


def _batches(x: _Inputs) -> Iterator[Pair]:
    left = x.of("batch", 3, 3)
    said = "an item depends on the batch that it is in"
    for name, scale in (("zero", 0.0), ("changed", x.domain["change"])):
        right = x.of("other items", 3, 3, scale)
        right[1] = left[1]
        yield _pair("batch_independence", f"other items {name}", left, right, said,
                    items=(1, 2), right_item=1)  # fmt: skip
    yield _pair("batch_independence", "alone", left, left[1:2], said, items=(1, 2))


def _longer(x: _Inputs) -> Iterator[Pair]:
    """The same tokens, and more after them."""
    chunk = x.chunk
    lengths = ((1, 1), (3, 2), (3, max(1, chunk - 3)), (3, max(1, chunk - 2)), (chunk, 1))
    padded = [("padded", t, more) for t, more in dict.fromkeys(lengths)]
    padded += [(f"padded {i}", t, more) for i in range(_AGAIN) for t, more in ((1, 1), (3, 2))]
    for name, t, more in padded:
        left = x.of(name, 1, t)
        right = np.concatenate([left, np.zeros((1, more, left.shape[2]))], axis=1)
        yield _pair("padding_independence", f"{t} tokens and {more} of zeros", left, right,
                    "padding changes the output of what it pads")  # fmt: skip
    prefixes = [("prefix", t) for t in (1, 2, 4)]
    prefixes += [(f"prefix {i}", t) for i in range(_AGAIN) for t in (1, 4)]
    for name, t in prefixes:
        right = x.of(name, 1, 5)
        yield _pair("prefix_consistency", f"{t} of 5 tokens", right[:, :t], right,
                    "a prefix alone has another output than in the sequence")  # fmt: skip
    # chunks that are full, have one token, or lack one
    for t in filter(None, (chunk - 1, chunk, chunk + 1, 2 * chunk - 1, 2 * chunk)):
        right = x.of("split", 1, 3 * chunk)
        yield _pair("split_invariance", f"{t} of {3 * chunk} tokens, chunk {chunk}", right[:, :t],
                    right, "the length modulo the chunk changes the output")  # fmt: skip


def _closed(contract: ModuleContract, x: _Inputs, variant: Variant) -> Iterator[Pair]:
    left = x.of("closed", 1, 5)
    if contract.closed == INPUT:
        yield _whole(IDENTITY, left, variant, None, "at the gate 0 the block is not the identity")
    else:
        pair = _pair(IDENTITY, f"two inputs; {variant}", left, x.of("closed too", 1, 5),
                     "at the gate 0 the output depends on the input")  # fmt: skip
        yield replace(pair, left_variant=variant, right_variant=variant)
