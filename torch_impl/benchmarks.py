"""What the operators cost, as ratios measured in one interleaved run.

run   == every row: ratio to the floor, ratio to the peer, and the ratio to reach
ROWS  == the work measured, as data
Row   == one of them

The floor is one read and one write pass over the state, `torch.add(X, X, out=Y)`. Peers are the
literal spellings of `naive`. Only ratios carry over from one machine to another.
"""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from . import cayley, delta, naive

Operator = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Row:
    """Two spellings of one operator on a state of ``shape``, forward or with the backward.

    ``reach`` is the least acceptable peer time over our time.
    """

    name: str
    ours: Operator
    peer: Operator
    shape: tuple[int, ...]
    directions: str  # sizes of the two vectors: "rows columns" or "rows rows" of the state
    backward: bool
    reach: float


def solved_rotation(X: Tensor, u: Tensor, v: Tensor, beta: Tensor) -> Tensor:
    """Return Q X by building S, solving for Q, and an einsum."""
    return torch.einsum("...ij,...jm->...im", naive.naive_cayley_rank_two_solve(u, v, beta), X)


def _rows() -> tuple[Row, ...]:
    state, tokens = (8, 512, 256, 4), (64, 128, 4, 32)
    update, rotation = delta.delta_update, cayley.rotate_rank_two
    peers = (("einsum", naive.naive_delta_update), ("published", naive.published_delta_update))
    rows = []
    for suffix, backward in (("", False), (", with backward", True)):
        for name, peer in peers:
            row_name = f"delta update {state}, {name} spelling{suffix}"
            rows.append(Row(row_name, update, peer, state, "rows columns", backward, 2.3))
        row_name = f"rank-two rotation {tokens}, solve{suffix}"
        rows.append(Row(row_name, rotation, solved_rotation, tokens, "rows rows", backward, 1.0))
    return tuple(rows)


ROWS = _rows()


def run(repeats: int = 9) -> list[dict[str, str | float]]:
    """Measure every row.

    Parameters
    ----------
    repeats
        Timings of each spelling, at least 1; the median counts.

    Returns
    -------
    list of dict
        ``name``; ``ratio_to_floor``, our time over that of the floor; ``ratio_to_peer``, the
        peer's time over ours; ``reach``, what the latter is to reach.
    """
    return [_measured(row, repeats) for row in ROWS]


def _measured(row: Row, repeats: int) -> dict[str, str | float]:
    generator = torch.Generator().manual_seed(0)

    def draw(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator)

    *batch, d, m = row.shape
    first, second = (d, m) if row.directions == "rows columns" else (d, d)
    k = torch.nn.functional.normalize(draw(*batch, first), dim=-1)
    arguments = (draw(*row.shape), k, draw(*batch, second), 2 * torch.sigmoid(draw(*batch)))
    X, out, cotangent = arguments[0], torch.empty(row.shape), draw(*row.shape)

    def timed(operator: Operator) -> Callable[[], object]:
        if not row.backward:
            return lambda: operator(*arguments)
        leaves = tuple(x.clone().requires_grad_() for x in arguments)
        return lambda: torch.autograd.grad(operator(*leaves), leaves, cotangent)

    seconds = interleaved_medians(
        {
            "floor": lambda: torch.add(X, X, out=out),
            "peer": timed(row.peer),
            "ours": timed(row.ours),
        },
        repeats,
    )
    return {
        "name": row.name,
        "ratio_to_floor": seconds["ours"] / seconds["floor"],
        "ratio_to_peer": seconds["peer"] / seconds["ours"],
        "reach": row.reach,
    }


def interleaved_medians(
    calls: Mapping[str, Callable[[], object]], repeats: int
) -> dict[str, float]:
    """Return the median seconds of each call, all of them timed in turn after one warm-up."""
    for call in calls.values():
        call()
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}
