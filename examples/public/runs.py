"""What is run: each function with the contract that it is held against, and what was assumed.

RUNS == in the order of the page
Run  == a target, the options of `deltaproof conform`, and the convention that they stand for
"""

from dataclasses import dataclass

CAYLEY = ("--generator-convention", "(I-S)^-1(I+S)", "--factor", "1/2")
SINGLE = ("--computes-in", "float32")
EXACT_FORMATS = ("--dtype", "float64", "--dtype", "float32")
HELD = ("--force", "beta=0,gamma=1", *EXACT_FORMATS)


@dataclass(frozen=True)
class Run:
    """`name` is that of its record, and of its expected failures where it has some."""

    name: str
    package: str
    function: str
    target: str
    contract: str
    options: tuple[str, ...]
    convention: str

    @property
    def profile(self) -> str:
        """The one that looks for ranges, where the contract has a domain to leave."""
        return "ci" if self.contract in ("cayley", "doubly_stochastic") else "quick"


def _weight(package: str, map: str, rows: int, columns: int, decay: float) -> Run:
    stepped = ", after a step with weight decay" if decay else ""
    init = f"map={map},rows={rows},columns={columns},decay={decay}"
    function = {"torch": "nn.utils.parametrizations.orthogonal", "geotorch": "orthogonal"}[package]
    return Run(
        f"{package}-{map}-{rows}x{columns}{'-decay' if decay else ''}",
        package,
        f"{function}, {map}, {rows}×{columns}{stepped}",
        f"orthogonal_weights.py:{package}_weight",
        "residual_block",
        ("--init", init, *HELD),
        "x ↦ Qᵀ(Qx) is the identity: the columns of Q, or its rows where those are fewer, are "
        "orthonormal, whatever the unconstrained parameters are",
    )


RUNS = (
    Run("torch-cayley", "torch", "nn.utils.parametrizations.orthogonal, cayley, as a map of A",
        "torch_maps.py:cayley", "cayley", CAYLEY,
        "Q = (I − A/2)⁻¹(I + A/2), as its documentation says up to the order of the factors, "
        "which commute: the contract's Q at S = −A/2"),
    Run("geotorch-cayley", "geotorch", "so.cayley_map", "geotorch.so:cayley_map", "cayley", CAYLEY,
        "Q = (I − X/2)⁻¹(I + X/2), as its comment says: the contract's Q at S = −X/2"),
    *(_weight("torch", *shape) for shape in (
        ("cayley", 8, 8, 0.1), ("cayley", 12, 8, 0.1), ("matrix_exp", 8, 8, 0.1),
        ("matrix_exp", 8, 12, 0.1), ("householder", 8, 8, 0.0), ("householder", 12, 8, 0.0),
        ("householder", 12, 8, 0.1))),
    *(_weight("geotorch", *shape) for shape in (("cayley", 8, 8, 0.1), ("expm", 12, 8, 0.1))),
    Run("torch-normalize", "torch", "nn.functional.normalize", "torch_maps.py:normalised",
        "direction", (), "k/max(‖k‖, ε), ε = 1e-12, as its documentation says"),
    Run("transformers-l2norm", "transformers", "qwen3_next l2norm",
        "transformers.models.qwen3_next.modeling_qwen3_next:l2norm", "direction",
        ("--normalise", "root", "--eps", "1e-3", *EXACT_FORMATS),
        "k/√(‖k‖² + 1e-6), as its code says; its callers convert to float32 first"),
    Run("hyper-connections-sinkhorn", "hyper-connections", "mHCv2.sinkhorn_knopps",
        "sinkhorn_maps.py:hyper_connections_sinkhorn", "doubly_stochastic",
        ("--rounds", "20", *SINGLE),
        "20 rounds, columns before rows, computed in float32"),
    Run("hyper-connections-limit", "hyper-connections", "mHCv2.sinkhorn_knopps as a limit",
        "sinkhorn_maps.py:hyper_connections_sinkhorn", "doubly_stochastic", SINGLE,
        "20 rounds are as good as the limit: how far that is true"),
    Run("hyper-connections-log", "hyper-connections", "mHCv2.log_domain_sinkhorn_knopps",
        "sinkhorn_maps.py:hyper_connections_log_domain", "doubly_stochastic",
        ("--rounds", "20", *SINGLE), "20 rounds, columns before rows, computed in float32"),
    Run("hyper-connections-block", "hyper-connections", "mHCv2 around a linear layer",
        "stream_blocks.py:hyper_connections_block", "residual_block", EXACT_FORMATS,
        "four streams, expanded by copies and reduced by their sum; structure only, since nothing "
        "holds its gates"),
    Run("mhc-sinkhorn", "mhc", "constraints.project_doubly_stochastic",
        "sinkhorn_maps.py:mhc_sinkhorn", "doubly_stochastic", ("--rounds", "10", *EXACT_FORMATS),
        "10 rounds, rows before columns, in the format of the input"),
    Run("fla-sinkhorn", "fla-core", "ops.utils.sinkhorn.naive_sinkhorn",
        "sinkhorn_maps.py:fla_sinkhorn", "doubly_stochastic", ("--rounds", "20", *SINGLE),
        "20 rounds, columns before rows, computed in float32 and returned so"),
    Run("sinkhorn-transformer", "sinkhorn-transformer", "sinkhorn_sorting_operator",
        "sinkhorn_maps.py:sinkhorn_transformer", "doubly_stochastic",
        ("--rounds", "8", *EXACT_FORMATS),
        "8 rounds, rows before columns, in the format of the input"),
    Run("fla-recurrence", "fla-core", "ops.delta_rule.naive.delta_rule_recurrence",
        "delta_rules.py:fla_recurrence", "delta_rule", SINGLE,
        "heads before tokens; read-outs times 1/√d; computed in float32, the state returned so"),
    Run("fla-chunkwise", "fla-core", "ops.delta_rule.naive.delta_rule_chunkwise",
        "delta_rules.py:fla_chunkwise", "delta_rule", EXACT_FORMATS,
        "heads before tokens; read-outs times 1/√d; from the state zero; whole chunks"),
    Run("fla-gated", "fla-core", "ops.gated_delta_rule.naive.naive_recurrent_gated_delta_rule",
        "delta_rules.py:fla_gated", "delta_rule", SINGLE,
        "nothing decays, scale 1; computed in float32 and returned so"),
    Run("transformers-recurrent", "transformers", "qwen3_next torch_recurrent_gated_delta_rule",
        "delta_rules.py:transformers_recurrent", "delta_rule", SINGLE,
        "nothing decays; read-outs times 1/√d; computed in float32, the state returned so"),
    Run("transformers-chunk", "transformers", "qwen3_next torch_chunk_gated_delta_rule",
        "delta_rules.py:transformers_chunk", "delta_rule", SINGLE,
        "nothing decays; read-outs times 1/√d; computed in float32, the state returned so"),
)  # fmt: skip
