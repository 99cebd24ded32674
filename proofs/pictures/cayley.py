"""The Cayley rotation: its eigenvalues as β grows, and how orthogonal its spellings stay."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from ...numeric.cayley import orthogonality_bound
from ...numeric.formats import format_of
from ...torch_impl.cayley import cayley_rank_two
from ...torch_impl.naive import naive_cayley_rank_two, naive_cayley_rank_two_solve
from . import axis, mark, series

SIZE = 8
PAIRS = 6
SPELLINGS: tuple[tuple[str, Callable[[Tensor, Tensor, Tensor], Tensor]], ...] = (
    ("dense solve", naive_cayley_rank_two_solve),
    ("closed form, ω² by subtraction", naive_cayley_rank_two),
    ("plane basis, cayley_rank_two", cayley_rank_two),
)


def circle() -> dict[str, Any]:
    """Eigenvalues of Q in float64 for ω = 1, beside the unit circle."""
    u, v, _ = torch.eye(3, dtype=torch.float64)
    found = set()
    for beta in (0.0, *(2.0**e for e in range(-2, 8))):
        Q = cayley_rank_two(u, v, torch.tensor(beta, dtype=torch.float64))
        found |= {(z.real, z.imag) for z in torch.linalg.eigvals(Q).tolist()}
    turns = [math.pi * i / 60 for i in range(121)]
    return {
        "title": "Eigenvalues of a Cayley rotation as β grows",
        "caption": "Every eigenvalue has length 1. The pair of the turned plane starts at 1 and"
        " runs along the circle by the angle ±2·arctan(βω/2): for β = 0, ¼, ½, … 128 it comes as"
        " near to −1 as one likes and never arrives, hence the hole.",
        "x": axis("real part"),
        "y": axis("imaginary part"),
        "equal": True,
        "series": [
            series("the unit circle", "derived", 0, map(math.cos, turns), map(math.sin, turns)),
            series("eigenvalues of Q, float64", "measured", 0, *zip(*sorted(found), strict=True)),
        ],
        "marks": [mark(-1, 0, "−1, never reached")],
    }


def rounding_float32() -> dict[str, Any]:
    """‖QᵀQ − I‖ against |β|ω in float32."""
    return _rounding(torch.float32)


def rounding_float64() -> dict[str, Any]:
    """‖QᵀQ − I‖ against |β|ω in float64."""
    return _rounding(torch.float64)


def _rounding(dtype: torch.dtype) -> dict[str, Any]:
    name = str(dtype).removeprefix("torch.")
    generator = torch.Generator().manual_seed(0)
    u, w = torch.randn(2, PAIRS, SIZE, generator=generator, dtype=torch.float64)
    # nearly parallel, where a subtraction cancels
    u, v = u.to(dtype), (u + 0.01 * w).to(dtype)
    wedge = u.unsqueeze(-1) * v.unsqueeze(-2) - v.unsqueeze(-1) * u.unsqueeze(-2)
    omega = torch.linalg.matrix_norm(wedge.double()) / math.sqrt(2)
    sizes = [10 ** (e / 2) for e in range(-2, 15)]
    eye = torch.eye(SIZE, dtype=torch.float64)
    shown = []
    for group, (label, rotation) in enumerate(SPELLINGS):
        worst = []
        for size in sizes:
            Q = rotation(u, v, (size / omega).to(dtype)).double()
            worst.append(float(torch.linalg.matrix_norm(Q.mT @ Q - eye, 2).max()))
        shown.append(series(label, "measured", group, sizes, worst))
    bound = orthogonality_bound(SIZE, format_of(name))
    ends = (sizes[0], sizes[-1])
    return {
        "title": f"Orthogonality lost to rounding, {name}",
        "caption": f"The worst of {PAIRS} pairs u, v at an angle of about 0.01, n = {SIZE}. A"
        " dense solve loses orthogonality in proportion to |β|ω; the closed form whose ω² is a"
        " difference that cancels loses it much sooner; the plane basis stays below its bound,"
        " which knows neither β nor the angle.",
        "x": axis("|β|ω", "log"),
        "y": axis("‖QᵀQ − I‖", "log"),
        "series": [series("bound for the plane basis", "bound", 2, ends, (bound, bound)), *shown],
        "marks": [],
    }
