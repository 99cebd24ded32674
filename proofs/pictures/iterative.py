"""The fixed-point Cayley: how far its iterates are from orthogonal."""

from typing import Any

import torch

from ...torch_impl.iterative import fixed_point_cayley
from . import axis, series

NORMS = (0.5, 0.9, 1.1)
ROUNDS = tuple(range(13))


def defects() -> dict[str, Any]:
    """‖YᵀY − I‖ against rounds for ‖N‖ = 0.5, 0.9, 1.1, float64, beside the claim's sum."""
    W = torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=torch.float64)
    curves, points = [], []
    for group, norm in enumerate(NORMS):
        name = f"‖N‖ = {norm:g}"
        derived = [_derived(norm, t) for t in ROUNDS]
        measured = [_measured(W, norm, t) for t in ROUNDS]
        curves.append(series(f"{name}, the sum", "derived", group, ROUNDS, derived))
        points.append(series(f"{name}, float64", "measured", group, ROUNDS, measured))
    return {
        "title": "The fixed-point Cayley: defect against rounds",
        "caption": "The defect is 4(Nᶠ + Nᶠ⁺² + …) with f = t + 2 after an even number t of rounds"
        " and f = t + 3 after an odd one: two laws, hence the steps. It falls like ‖N‖ᵗ where"
        " ‖N‖ < 1, slowly at 0.9; at 1.1 it grows, and no number of rounds gives a rotation.",
        "x": axis("rounds t"),
        "y": axis("‖YᵀY − I‖", "log"),
        "series": [*curves, *points],
        "marks": [],
    }


def _measured(W: torch.Tensor, norm: float, rounds: int) -> float:
    Y = fixed_point_cayley(W, torch.tensor(2 * norm, dtype=torch.float64), rounds)
    return float(torch.linalg.matrix_norm(Y.mT @ Y - torch.eye(2, dtype=torch.float64), 2))


def _derived(norm: float, rounds: int) -> float:
    """4|Σ N^(f + 2j)|, j = 0 … ⌊rounds/2⌋, for the eigenvalues ±i·norm of N."""
    first = rounds + 2 + rounds % 2
    return 4 * abs(sum((-1) ** j * norm ** (first + 2 * j) for j in range(rounds // 2 + 1)))
