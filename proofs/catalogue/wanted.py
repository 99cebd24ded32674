"""Which proved rows of the ledger have no Rocq theorem yet, and what stands in the way.

KERNEL_WANTED == the reason by claim id; every other proved row must have a Rocq theorem

Light: `list` reads it without the proofs.
"""

from __future__ import annotations

from collections.abc import Mapping

_NO_FORMATS = "neither MathComp nor Coquelicot has floating-point formats"
_ANY_ORDER = "not proved there yet: rounded sums in any order"
_OPEN_RANGE = "a range without end is not printed yet"
KERNEL_WANTED: Mapping[str, str] = {
    "delta.gate_gradient": "not proved there yet: the slope of a logistic gate beside matrices",
    "delta.key_gradient": "not proved there yet: the slope of a norm in an ordered field",
    "residual.post_norm_fixed_points": "not proved there yet: the variance of a normalised vector",
    "cayley.square_covers_rotations": "the normal form of an orthogonal matrix comes first",
    "gate.logit_gradient": "a limit of derivatives is not printed yet",
    "gate.logit_gradient_maximum": "not proved there yet: the maximum of a cubic, at surds",
    "gate.flow_leaves_midpoint": "not proved there yet: a linear differential equation",
    "birkhoff.two_by_two_limit": _OPEN_RANGE,
    "iterative.converges_iff": _OPEN_RANGE,
    "rounding.delta_update": _ANY_ORDER,
    "rounding.delta_update_operator_first": _ANY_ORDER,
    "rounding.product_in_any_order": _ANY_ORDER,
    "rounding.cayley_plane_basis": _ANY_ORDER,
    "rounding.cayley_frobenius_omega": _ANY_ORDER,
    "rounding.gate_saturates": _NO_FORMATS,
}
