"""Evaluation of the statements, floating-point formats, and rounding-error bounds.

formats  == binary64, binary32, bfloat16 and binary16 as data, and exact rounding to them
rounding == the standard model that every bound is derived from
delta    == bounds of the delta operator and update
cayley   == bounds of the Cayley rotations
gate     == bounds of the gate and its regulariser
reflection, hybrid == bounds of the reflection and of the blend

For contracts, exact values and bounds that hold for every stable spelling:
exactness   == arrays of rationals, and their distance to what was computed
polynomials, formulas == polynomial formulas, in four readings each
exact_cayley, spelled_direction, spelled_gate, spelled_sinkhorn == the others

Arithmetics that evaluate statements:
floats         == NumPy binary64, batched; guesses
multiprecision == mpmath at any number of digits; guesses
running_error  == binary64 or mpmath numbers that carry a bound of their error
balls          == Arb balls; dense == matrices for arithmetics without them

Evidence from them:
sampling == sizes and inputs, boundaries and irrational ones; readings == what an input says
ladder   == 15, 50, 200 digits; enclosure == boxes; property == Hypothesis in binary64

Nothing is imported here; no module of this layer imports torch.
"""
