"""The bounds of the gate and its regulariser, against high precision."""

import mpmath
import numpy as np
import pytest
from deltaproof.numeric.formats import BINARY64, FORMATS
from deltaproof.numeric.gate import EXP_ULPS, gate_bound, gate_regulariser_bound

formats = pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
# The bound is evaluated in binary64, within some tens of its roundings.
SLACK = 64 * float(BINARY64.unit_roundoff)
LOGITS = np.array([-1e4, -700.0, -90.0, -5.0, -1e-3, 0.0, 0.25, 3.0, 40.0, 1e4])


@formats
def test_gate_bound_is_its_formula_rounded_up(fmt):
    context = mpmath.mp.clone()
    context.dps = 200
    r = context.mpf(fmt.unit_roundoff.numerator) / fmt.unit_roundoff.denominator
    tiny = context.ldexp(1, fmt.emin)
    for z, bound in zip(LOGITS.tolist(), gate_bound(LOGITS, fmt).tolist(), strict=True):
        sigma = 1 / (1 + context.exp(-z))
        growth = (1 + r) / ((1 - r) * (1 - 2 * EXP_ULPS * r * (1 - sigma))) - 1
        formula = 2 * sigma * growth + tiny
        assert formula <= context.mpf(bound) <= formula * (1 + SLACK)


@formats
def test_regulariser_bound_vanishes_with_the_regulariser(fmt):
    tiny = 2 * float(fmt.underflow_unit) + 2 * np.finfo(np.float64).smallest_subnormal
    ends = gate_regulariser_bound(np.array([0.0, 1.0]), fmt)
    assert (ends <= tiny).all()
    assert gate_regulariser_bound(np.array(0.5), fmt) >= float(2 * fmt.unit_roundoff)
