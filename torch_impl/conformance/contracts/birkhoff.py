"""The contract doubly_stochastic: Sinkhorn from exp(logits), its limit or ``--rounds N``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np

from ....numeric.exactness import to_float
from ....numeric.formats import Format
from ....numeric.rounding import outward
from ....numeric.sinkhorn_gradient import sinkhorn_gradient, spelled_sinkhorn_gradient_bound
from ....numeric.spelled_sinkhorn import sinkhorn_value, spelled_sinkhorn_bound
from ..contract import (
    Argument,
    Case,
    Contract,
    Exact,
    Floats,
    Inputs,
    Measure,
    Options,
    Parameter,
)
from ..strata import generator, rounded


def _logits(rng: np.random.Generator, n: int, scale: float) -> Floats:
    drawn = rng.uniform(-1.0, 1.0, (n, n))
    return drawn * (scale / np.abs(drawn).max())


def _cases(fmt: Format, domain: Mapping[str, float], options: Options) -> Iterator[Case]:
    most = domain["logits"]
    for n in (3, 2, 4, 1):
        made = _logits(generator(0, "sinkhorn", n), n, most)
        yield Case(f"generic, n = {n}", {"logits": rounded(made, fmt)})
    yield Case("all equal", {"logits": np.zeros((3, 3))})
    yield Case("nearly all equal", {"logits": rounded(_logits(generator(0, 7), 3, 2.0**-6), fmt)})
    cycle = most * np.roll(np.eye(3), 1, axis=0)
    yield Case("a 3-cycle", {"logits": rounded(cycle, fmt)})
    yield Case("one large row", {"logits": rounded(most * np.eye(3)[:, :1] * np.ones(3), fmt)})


def _beyond(fmt: Format, parameter: str, scale: float) -> Iterator[Case]:
    made = _logits(generator(0, "beyond"), 3, scale)
    yield Case(f"logits {scale:g}", {"logits": rounded(made, fmt)})


def doubly_stochastic(options: Options) -> Contract:
    """Sinkhorn's doubly stochastic matrix of exp(logits)."""
    rounds = options.values.get("rounds")
    if rounds is not None and (not isinstance(rounds, int) or rounds < 1):
        raise ValueError(f"doubly_stochastic: rounds must be an integer ≥ 1, got {rounds!r}")

    @lru_cache(maxsize=256)
    def exact(shape: tuple[int, ...], entries: bytes, of: int | None) -> Exact:
        return sinkhorn_value(np.frombuffer(entries).reshape(shape), of)

    def value(inputs: Inputs) -> tuple[Exact, ...]:
        logits = np.ascontiguousarray(inputs["logits"], dtype=np.float64)
        return (exact(logits.shape, logits.tobytes(), rounds),)

    def bound(inputs: Inputs, fmt: Format) -> tuple[Floats, ...]:
        return (spelled_sinkhorn_bound(inputs["logits"], rounds, fmt),)

    def gradient(
        inputs: Inputs, cotangents: tuple[Floats, ...], name: str, fmt: Format
    ) -> tuple[Exact, Floats]:
        logits, (G,) = np.asarray(inputs["logits"], dtype=np.float64), cotangents
        limit = spelled_sinkhorn_gradient_bound(logits, G, rounds, fmt)
        return sinkhorn_gradient(logits, G, rounds), np.full(logits.shape, limit)

    def sums(axis: int) -> Measure:
        def residual(inputs: Inputs, results: tuple[Exact, ...]) -> Exact:
            return results[0].sum(axis=axis) - 1

        def limit(inputs: Inputs, error: tuple[Floats, ...], fmt: Format) -> Floats:
            inherited = residual(inputs, value(inputs))
            exact_part = np.array([to_float(abs(x)) for x in inherited])
            (B,) = error
            return outward(exact_part + B.sum(axis=axis), len(B) + 4)

        claim = "birkhoff.column_step_exact" if axis == 0 else "birkhoff.preserves_mean"
        what = "columns" if axis == 0 else "rows"

        def told(inputs: Inputs, results: tuple[Exact, ...]) -> str:
            worst = max(residual(inputs, results), key=abs)
            return f"{what} do not sum to 1: one is off by {float(worst.p) / float(worst.q):.3g}"

        return Measure(claim, lambda inputs: True, residual, limit, "logits", told)

    def negative(inputs: Inputs, results: tuple[Exact, ...]) -> Exact:
        return np.array([[max(-x, 0 * x) for x in row] for row in results[0]], dtype=object)

    return Contract(
        name="doubly_stochastic",
        summary="P = diag(u) exp(logits) diag(v) with rows and columns summing to 1, "
        + ("the limit" if rounds is None else f"after {rounds} rounds, rows before columns"),
        arguments=(Argument("logits", ("n", "n")),),
        results=(("n", "n"),),
        result_names=("P",),
        claims=("birkhoff.two_by_two_limit",),
        value=value,
        bound=bound,
        gradient=gradient,
        cases=_cases,
        beyond=_beyond,
        range_of_definition=False,
        domain=(Parameter("logits", 0.5, "largest abs(logit)"),),
        measures=(
            sums(0),
            sums(1),
            Measure(
                "birkhoff.spectral_norm_one",
                lambda inputs: True,
                negative,
                lambda inputs, error, fmt: np.zeros(np.shape(inputs["logits"])),
                explain=lambda inputs, results: "an entry is negative",
            ),
        ),
    )


MAKERS = {"doubly_stochastic": doubly_stochastic}
