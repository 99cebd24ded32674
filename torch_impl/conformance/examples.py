"""Hypothesis after the strata: inputs that nobody thought of.

failing_example(contract, fmt, settings, count, fails) == inputs at which `fails` is true, or None

Inputs are built valid, not filtered. Everything that Hypothesis draws is derandomised by the seed
of the run; its shrinking comes first, that of `shrinking` afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...numeric.formats import Format
from .contract import Argument, Contract, Inputs
from .strata import generator, rounded

if TYPE_CHECKING:
    from .checks import Settings

LARGEST = 4


class _Failing(Exception):
    """Raised inside a property to make Hypothesis shrink."""


def failing_example(
    contract: Contract,
    fmt: Format,
    settings: Settings,
    count: int,
    fails: Callable[[Inputs], bool],
) -> Inputs | None:
    """Look at `count` examples."""
    from hypothesis import HealthCheck, Phase, given, seed
    from hypothesis import settings as hypothesis_settings
    from hypothesis import strategies as st

    axes = list(dict.fromkeys(axis for a in contract.arguments for axis in a.axes))
    last: list[Inputs] = []

    @seed(settings.seed)
    @hypothesis_settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
        report_multiple_bugs=False,
    )
    @given(
        st.tuples(*(st.integers(1, LARGEST) for _ in axes)),
        st.integers(0, 2**20),
        st.lists(st.sampled_from(_TELLING), min_size=len(contract.arguments),
                 max_size=len(contract.arguments)),
    )  # fmt: skip
    def look(sizes: tuple[int, ...], start: int, scales: list[float]) -> None:
        rng = generator(settings.seed, "example", start)
        shape = dict(zip(axes, sizes, strict=True))
        inputs = {
            a.name: _drawn(a, [shape[axis] for axis in a.axes], rng, scale, settings, fmt)
            for a, scale in zip(contract.arguments, scales, strict=True)
        }
        if fails(inputs):
            last.append(inputs)
            raise _Failing

    try:
        look()
    except _Failing:
        return last[-1]
    return None


_TELLING = (1.0, 0.0, 0.5, 2.0, -1.0, 1.5, 2.0**-6, 8.0)


def _drawn(
    a: Argument,
    shape: list[int],
    rng: np.random.Generator,
    scale: float,
    settings: Settings,
    fmt: Format,
) -> Any:
    """An array of the argument's kind; `scale` chooses its size, or the gate itself."""
    domain = settings.options.domain
    if a.kind in ("gate", "share"):
        value = np.full(shape, scale) * rng.choice((1.0, rng.uniform(0.5, 1.0)))
        lowest, highest = (0.0, 1.0) if a.kind == "share" else (-4.0, 4.0)
        return rounded(np.clip(value, lowest, highest), fmt)
    x = rng.uniform(-2.0, 2.0, shape)
    if a.kind == "unit":
        x = np.where(np.abs(x) < 0.3, 0.0, x)
        x[..., 0] += (np.abs(x).sum(-1) == 0) * 1.0
        return rounded(x / np.linalg.norm(x, axis=-1, keepdims=True), fmt)
    if a.kind == "orthogonal":
        return rounded(np.linalg.qr(x)[0], fmt)
    limit = domain.get(a.name)
    x = x * scale if limit is None else np.clip(x * scale, -limit, limit)
    if a.kind == "skew":
        lower = np.tril(rounded(x, fmt), -1)
        return lower - lower.T
    return rounded(x, fmt)
