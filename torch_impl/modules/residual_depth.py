"""How much of a gradient reaches the first of many residual units, by order and shortcut.

gradient_norms(stack, x, g) == at the input of a stack, and at its first weights
as_made(depth, …, seed)     == of a stack as made
record(…)                   == of every order and shortcut, as JSON
table(record)               == a Markdown table of it
main                        == ``python -m`` this module FILE: writes the record

The last state receives a random gradient g of length 1, so that residual.gradient says of the
norm at the input: ‖g(I + D)‖.
"""

from __future__ import annotations

import json
import math
import os
import platform
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .residual_unit import ORDERS, SHORTCUTS, ResidualStack

DEPTHS = (20, 100, 1000)
SETTINGS: dict[str, Any] = {
    "width": 16,
    "image": [4, 4],
    "batch": 8,
    "kernel": 3,
    "scale": 0.5,
    "gate_bias": -6.0,
    "dtype": "float64",
    "mode": "training",
}
"""What is the same in every run; binary64, since 2⁻¹⁰⁰⁰ is no number of binary32."""


def gradient_norms(stack: ResidualStack, x: Tensor, g: Tensor) -> dict[str, float]:
    """Return the norms of ∂E/∂x and ∂E/∂W, E = ⟨g, stack(x)⟩, W the first convolution of all.

    Parameters
    ----------
    stack
        In the mode in which it is measured.
    x, g
        (b, c, height, width).

    Returns
    -------
    dict
        ``input`` and ``first_weights``.

    Notes
    -----
    Claims residual.gradient, residual.scale_decay, residual.scaled_gradient.
    """
    x = x.detach().requires_grad_()
    first = next(module for module in stack.modules() if isinstance(module, nn.Conv2d))
    at_input, at_weights = torch.autograd.grad(stack(x), (x, first.weight), g)
    return {"input": _norm(at_input), "first_weights": _norm(at_weights)}


def _norm(x: Tensor) -> float:
    """Return ‖x‖, scaled first where the squares of the entries would be no normal numbers."""
    largest = float(x.abs().max())
    if 2.0**-500 < largest < 2.0**500 or largest == 0.0:
        return float(x.norm())
    return largest * float((x / largest).norm())


def as_made(depth: int, *, order: str, shortcut: str, seed: int) -> dict[str, float]:
    """Return `gradient_norms` of a new stack at a standard normal x, with a random g, ‖g‖ = 1."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        stack = ResidualStack(
            depth,
            SETTINGS["width"],
            order=order,
            shortcut=shortcut,
            kernel=SETTINGS["kernel"],
            scale=SETTINGS["scale"],
            gate_bias=SETTINGS["gate_bias"],
        ).double()
        shape = (SETTINGS["batch"], SETTINGS["width"], *SETTINGS["image"])
        x, g = (torch.randn(shape, dtype=torch.float64) for _ in range(2))
        return gradient_norms(stack, x, g / g.norm())


def record(
    depths: Sequence[int] = DEPTHS,
    seeds: Sequence[int] = (0, 1, 2),
    *,
    orders: Sequence[str] = ORDERS,
    shortcuts: Sequence[str] = SHORTCUTS,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Measure every order with every shortcut.

    Returns
    -------
    dict
        ``schema``, ``experiment``, ``settings``, ``rows`` (order, shortcut, depth, and a list over
        the seeds of each norm; None for one that is not finite), ``seeds``, ``versions``,
        ``hardware``.
    """
    rows = []
    for depth in depths:
        for order in orders:
            for shortcut in shortcuts:
                progress(f"{depth} units, {order}, {shortcut}")
                found = [
                    as_made(depth, order=order, shortcut=shortcut, seed=seed) for seed in seeds
                ]
                norms = {name: [_finite(f[name]) for f in found] for name in found[0]}
                rows.append({"order": order, "shortcut": shortcut, "depth": depth, **norms})
    return {
        "schema": 1,
        "experiment": "residual_depth",
        "settings": SETTINGS,
        "seeds": list(seeds),
        "rows": rows,
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "hardware": {
            "device": "cpu",
            "architecture": platform.machine(),
            "cpus": os.cpu_count(),
            "threads": torch.get_num_threads(),
        },
    }


def table(record: dict[str, Any], norm: str = "input") -> str:
    """Return the medians over the seeds, a row an order and shortcut, a column a depth."""
    depths = sorted({row["depth"] for row in record["rows"]})
    lines = [
        "| order | shortcut | " + " | ".join(f"{depth} units" for depth in depths) + " |",
        "|---|---|" + "---|" * len(depths),
    ]
    cells: dict[tuple[str, str], dict[int, str]] = {}
    for row in record["rows"]:
        key = row["order"].replace("_", " "), row["shortcut"].replace("_", " ")
        cells.setdefault(key, {})[row["depth"]] = _median(row[norm])
    for (order, shortcut), found in cells.items():
        told = " | ".join(found.get(depth, "") for depth in depths)
        lines.append(f"| {order} | {shortcut} | {told} |")
    return "\n".join(lines)


def _finite(x: float) -> float | None:
    return x if math.isfinite(x) else None


def _median(values: Sequence[float | None]) -> str:
    if any(value is None for value in values):
        return "not finite"
    return f"{statistics.median(v for v in values if v is not None):.1e}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the record to the file that is named, or print the table of it with ``--table``."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if len(given) == 2 and given[0] == "--table":
        print(table(json.loads(Path(given[1]).read_text(encoding="utf-8"))))
        return
    if len(given) != 1:
        sys.exit("usage: python -m deltaproof.torch_impl.modules.residual_depth [--table] FILE")
    torch.set_num_threads(1)  # maps this small are slower on several
    made = record(progress=lambda said: print(said, file=sys.stderr, flush=True))
    path = Path(given[0])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
