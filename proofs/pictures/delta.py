"""The spectrum of A = I − βkkᵀ against β."""

from typing import Any

import torch

from ...torch_impl.delta import delta_operator
from . import axis, mark, series

DIRECTION = (0.5, 0.5, 0.5, 0.5)


def spectrum() -> dict[str, Any]:
    """Eigenvalues and the singular value along k, in float32, d = 4, beside 1, 1 − β, |1 − β|."""
    betas = [i / 8 for i in range(-4, 21)]
    k = torch.tensor(DIRECTION, dtype=torch.float32)
    operators = delta_operator(k.expand(len(betas), 4), torch.tensor(betas))
    values, vectors = torch.linalg.eigh(operators)
    # eigenvalues come sorted; the one along k is the one whose vector is
    place = (vectors.mT @ k).abs().argmax(-1)
    along = values.gather(-1, place[:, None]).squeeze(-1)
    off = (values.sum(-1) - along) / 3
    stretched = torch.linalg.vector_norm(operators @ k, dim=-1)
    ends = (betas[0], betas[-1])
    return {
        "title": "Eigenvalues and singular values of A = I − βkkᵀ",
        "caption": "Along k the eigenvalue is 1 − β, orthogonal to k it stays 1. Lengths are kept"
        " where |1 − β| = 1: at β = 0, the identity, and at β = 2, the reflection; at β = 1 the"
        " component along k is erased.",
        "x": axis("β"),
        "y": axis("value"),
        "series": [
            series("eigenvalue 1 − β, along k", "derived", 0, ends, [1 - b for b in ends]),
            series("eigenvalue 1, off k", "derived", 1, ends, (1, 1)),
            series(
                "singular value |1 − β|, along k",
                "derived",
                2,
                (ends[0], 1, ends[1]),
                (1 - ends[0], 0, ends[1] - 1),
            ),
            series("eigenvalue along k, float32", "measured", 0, betas, along.tolist()),
            series("mean eigenvalue off k, float32", "measured", 1, betas, off.tolist()),
            series("‖Ak‖, float32", "measured", 2, betas, stretched.tolist()),
        ],
        "marks": [
            mark(0, 0, "identity", "line"),
            mark(1, 0, "projection", "line"),
            mark(2, 0, "reflection", "line"),
        ],
    }
