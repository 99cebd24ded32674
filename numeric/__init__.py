"""Evaluation of the statements, floating-point formats, and rounding-error bounds.

formats  == binary64, binary32, bfloat16 and binary16 as data, and exact rounding to them
rounding == the standard model that every bound is derived from
delta    == bounds of the delta operator and update
cayley   == bounds of the Cayley rotations
gate     == bounds of the gate and its regulariser

Nothing is imported here; no module of this layer imports torch.
"""
