"""Sinkhorn's iteration: how far the rows are from 1 after so many rounds."""

from typing import Any

import torch

from ...numeric.birkhoff import row_sum_bound, stopping_residual
from ...numeric.formats import BINARY32
from ...torch_impl.birkhoff import sinkhorn
from . import axis, series

SIZE = 4
MATRICES = 64
SCALES = (1, 4, 8)
ROUNDS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)


def row_errors() -> dict[str, Any]:
    """The worst row sum's error against rounds by logit scale: float64 curves, float32 points."""
    generator = torch.Generator().manual_seed(0)
    drawn = torch.rand(MATRICES, SIZE, SIZE, generator=generator, dtype=torch.float64) * 2 - 1
    curves, points = [], []
    for group, scale in enumerate(SCALES):
        logits = scale * drawn
        exact = [_error(sinkhorn(logits, rounds=t)) for t in ROUNDS]
        rounded = [_error(sinkhorn(logits.float(), rounds=t)) for t in ROUNDS]
        curves.append(series(f"logits in ±{scale}, float64", "derived", group, ROUNDS, exact))
        points.append(series(f"logits in ±{scale}, float32", "measured", group, ROUNDS, rounded))
    bound = row_sum_bound(SIZE, BINARY32, stopping_residual(SIZE, BINARY32))
    ends = (ROUNDS[0], ROUNDS[-1])
    return {
        "title": "Sinkhorn's iteration: the error of the row sums",
        "caption": f"The worst of {MATRICES} matrices of {SIZE} rows. Columns are exact after every"
        " round, rows only in the limit: at logits in ±1 a dozen rounds reach what float32"
        " rounding leaves, at ±8 not even ninety do.",
        "x": axis("rounds", "log"),
        "y": axis("largest |row sum − 1|", "log"),
        "series": [
            *curves,
            series("bound where the iteration stops, float32", "bound", 3, ends, (bound, bound)),
            *points,
        ],
        "marks": [],
    }


def _error(P: torch.Tensor) -> float:
    return float((P.double().sum(-1) - 1).abs().max())
