"""The blend γQ + (1 − γ)H: its smallest singular value and its orthogonality defect against γ."""

from typing import Any

import torch

from ...torch_impl.cayley import cayley_rank_two
from ...torch_impl.hybrid import blend
from . import axis, mark, series

SIZE = 4


def singular_values() -> dict[str, Any]:
    """σ_min(B) and ‖BᵀB − I‖ in float64, n = 4, beside |2γ − 1| and 4γ(1 − γ)."""
    gammas = [i / 20 for i in range(21)]
    generator = torch.Generator().manual_seed(0)
    u, v, k = torch.randn(3, SIZE, generator=generator, dtype=torch.float64)
    k = k / torch.linalg.vector_norm(k)
    eye = torch.eye(SIZE, dtype=torch.float64)
    Q = cayley_rank_two(u, v, torch.ones((), dtype=torch.float64))
    B = torch.stack([blend(eye, Q, k, torch.tensor(g, dtype=torch.float64)) for g in gammas])
    smallest = torch.linalg.svdvals(B)[:, -1]
    defect = torch.linalg.matrix_norm(B.mT @ B - eye, 2)
    fine = [i / 80 for i in range(81)]
    return {
        "title": "The blend of a rotation and a reflection",
        "caption": "Between the ends the blend is never orthogonal: its defect is 4γ(1 − γ), and"
        " at γ = ½ one direction is lost altogether, whatever rotation and reflection are blended.",
        "x": axis("γ"),
        "y": axis("value"),
        "series": [
            series("|2γ − 1|", "derived", 0, (0, 0.5, 1), (1, 0, 1)),
            series("4γ(1 − γ)", "derived", 1, fine, [4 * g * (1 - g) for g in fine]),
            series("smallest singular value, float64", "measured", 0, gammas, smallest.tolist()),
            series("‖BᵀB − I‖, float64", "measured", 1, gammas, defect.tolist()),
        ],
        "marks": [mark(0.5, 0, "singular")],
    }
