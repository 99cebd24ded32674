"""The operators in torch, and the literal spellings that they are measured against.

delta      == the delta operator and update, rank one
cayley     == Cayley rotations, general and rank two
gate       == the gate 2σ(z) and its regulariser
reflection == the reflection along a direction
hybrid     == the blend of a rotation and a reflection
direction  == the unit direction of a vector; delta_rule == the delta rule over a sequence
modules    == the layers and models of the papers
tasks      == what they are compared on; training == a model on a task, and the record of it
conformance == does an operator obey the theorems? contracts, and the kit that checks them
naive      == the same formulas spelled literally
statements == torch evidence of claims; results_in_statements == the part of it without torch
arguments  == the check of dtypes and shapes that the operators share
benchmarks == ratios to those spellings and to one pass over the state

Nothing is imported here, so that naming the package does not load torch.
"""
