"""Pictures: what the operators do beside the curve that a claim derives, as numbers.

measure(ids, seed, cache) == the pictures of these claims, JSON values of a record
PICTURES                  == the pictures there are: a name, the claims shown, the function

A picture is measured when its claims are verified with torch, and stands in the record, so that a
report draws it without computing anything. Values keep four digits: more would not be seen.
Left out: drawing, which is `proofs/report/plot.py`; judging, which evidence does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from importlib import import_module
from typing import Any, NamedTuple

from ...symbolic.evidence import Kind
from ..cache import Cache, digest, source_digest

SOURCES = ("symbolic/*.py", "numeric/*.py", "torch_impl/**/*.py", "proofs/pictures/*.py")


class Picture(NamedTuple):
    """A picture: its name, the claims that it shows, and "module:function" of this package."""

    name: str
    claims: tuple[str, ...]
    function: str


PICTURES = (
    Picture(
        "delta-spectrum",
        ("delta.characteristic_polynomial", "delta.spectral_norm", "delta.orthogonal_iff",
         "delta.singular_iff"),
        "delta:spectrum",
    ),
    Picture(
        "cayley-circle",
        ("cayley.no_minus_one", "cayley.eigenvalues", "cayley.rank_two_angle",
         "cayley.distance_to_minus_one"),
        "cayley:circle",
    ),
    Picture("cayley-rounding-float32", ("cayley.orthogonal",), "cayley:rounding_float32"),
    Picture("cayley-rounding-float64", ("cayley.orthogonal",), "cayley:rounding_float64"),
    Picture(
        "hybrid-singular-values",
        ("hybrid.smallest_singular_value", "hybrid.orthogonality_defect",
         "hybrid.exactly_orthogonal_printed", "hybrid.midpoint_singular",
         "hybrid.interior_not_orthogonal"),
        "hybrid:singular_values",
    ),
    Picture(
        "gate-gradients",
        ("gate.regulariser_profile", "gate.logit_gradient", "gate.logit_gradient_maximum",
         "gate.zero_gradient_midpoint"),
        "gate:gradients",
    ),
    Picture(
        "sinkhorn-rows",
        ("birkhoff.finite_sinkhorn_exact_reading", "birkhoff.column_step_exact",
         "birkhoff.two_by_two_limit"),
        "birkhoff:row_errors",
    ),
    Picture(
        "iterative-defect",
        ("iterative.defect", "iterative.converges_iff", "iterative.always_orthogonal_reading"),
        "iterative:defects",
    ),
)  # fmt: skip


def measure(
    ids: Collection[str], kinds: Collection[Kind], cache: Cache
) -> tuple[dict[str, Any], ...]:
    """The pictures that show one of the claims `ids`, in order.

    Empty where torch evidence is not among `kinds` or torch is not installed. A picture that cannot
    be measured has a `problem` in the place of its series: a picture decides nothing, so it does
    not end a run.
    """
    from ..checks import PACKAGES, missing_tools, versions

    wanted = [p for p in PICTURES if any(c in ids for c in p.claims)]
    if not wanted or Kind.TORCH not in kinds or missing_tools(Kind.TORCH):
        return ()
    environment = {"sources": source_digest(SOURCES), "versions": versions(PACKAGES[Kind.TORCH])}
    return tuple(_kept(picture, environment, cache) for picture in wanted)


def _kept(picture: Picture, environment: Any, cache: Cache) -> dict[str, Any]:
    key = digest({"picture": picture.name, "claims": picture.claims, "environment": environment})
    if (stored := cache.get(key)) is not None:
        return stored
    made = {"name": picture.name, "claims": list(picture.claims), **_measured(picture)}
    if "problem" not in made:
        cache.put(key, made)
    return made


def _measured(picture: Picture) -> dict[str, Any]:
    module, _, function = picture.function.partition(":")
    try:
        return getattr(import_module(f".{module}", __name__), function)()
    except Exception as problem:
        return {"problem": f"{type(problem).__name__}: {problem}"}


# ---------------------------------------------------------------- what the functions answer with


def axis(label: str, scale: str = "linear") -> dict[str, str]:
    """An axis: its label, `linear` or `log`."""
    return {"label": label, "scale": scale}


def series(
    name: str, role: str, group: int, xs: Iterable[float], ys: Iterable[float]
) -> dict[str, Any]:
    """Points under a name; `role` is `derived` (the claim's curve), `bound`, or `measured`.

    Series that belong together, a curve and its points, have one `group`, and get one colour.
    """
    points = [[_short(x), _short(y)] for x, y in zip(xs, ys, strict=True)]
    return {"name": name, "role": role, "group": group, "points": points}


def mark(x: float, y: float, label: str, shape: str = "hole") -> dict[str, Any]:
    """A place to point at: a `hole`, or a vertical `line` at x."""
    return {"x": _short(x), "y": _short(y), "label": label, "shape": shape}


def _short(value: float) -> float:
    return float(f"{float(value):.4g}")
