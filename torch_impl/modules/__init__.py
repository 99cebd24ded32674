"""The layers and models of the papers, around the operators of torch_impl.

connection                  == what joins a sub-layer to the residual state; plain addition
connections                 == the connection of each system, by name
sublayers                   == causal self-attention and the MLP that all of them join
config                      == what a model is; the published and the small configurations
model                       == a decoder-only model of continuous tokens, around any connection
residual_unit               == the units of Identity Mappings: activation orders and shortcuts
residual_depth              == an experiment: how much of a gradient reaches the first of many units
convolution                 == a short causal convolution
delta_block                 == the connection of Deep Delta Learning
streams                     == what connections over n parallel streams share
hyper_connection            == mHC
orthogonal_hyper_connection == JPmHC
geometric_connection        == E∆-MHC-Geo
precision                   == where autocast must not reach

Nothing is imported here: a module is loaded where it is used.
"""
