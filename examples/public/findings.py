"""What was found, judged; each with a script that shows it without the kit.

FINDINGS == in the order of the page
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """`runs` are those whose expected failures it explains; none where it is a convention."""

    title: str
    judgement: str
    script: str
    runs: tuple[str, ...] = ()


FINDINGS = (
    Finding(
        "torch: weight decay makes a householder weight zero",
        'A fault. `orthogonal(…, orthogonal_map="householder")`, the default for weights that '
        "are not square, keeps signs ±1 on the diagonal of its unconstrained parameter, and "
        "reads them with `int()`: whatever weight decay makes of 1 is read as 0, and the "
        "weight is zero from the first step on, its gradient too. `AdamW` decays by 0.01 "
        "unless it is told not to. The maps matrix_exp and cayley, and geotorch, keep their "
        "weights orthogonal. Until it is mended: no weight decay on these parameters.",
        "householder_weight_decay",
        ("torch-householder-12x8-decay",),
    ),
    Finding(
        "torch: `normalize` at the ends of a format",
        "Two things. In float16 the default ε = 1e-12 is 0, so that a zero vector becomes "
        "NaN, which the documentation says ε is there to avoid: a fault; pass an ε that "
        "float16 has. And the squares of entries beyond the root of the largest number "
        "overflow, so that a long vector becomes zero: a limit of the range, at entries of "
        "1.8e19 in float32.",
        "normalize_limits",
        ("torch-normalize",),
    ),
    Finding(
        "transformers: `l2norm` is no unit vector",
        "A convention, which the code shows: ε = 1e-6 is added to the square of the length. "
        "Such a direction has length 1 only where it is long; the eigenvalue of the delta "
        "operator along it is 1 − β‖k‖² (`delta.eigenvalue_regularised`), so that the gate 2 "
        "is no reflection for short ones (`delta.regularised_never_orthogonal`). Long vectors "
        "become zero, as above.",
        "l2norm_length",
        ("transformers-l2norm",),
    ),
    Finding(
        "mhc: sums are off by 1e-9",
        "Each row and column is to sum to 1, says the documentation; 1e-9 is added to each "
        "sum that is divided by. In float32 nothing of it is left. In float64 it exceeds its "
        "bound a hundred thousand times, and is still small: (1 − 1e-9)ⁿ loses one part in a "
        "million after a thousand layers. Dividing by the sum itself needs no ε, since the "
        "sums are positive.",
        "mhc_epsilon",
        ("mhc-sinkhorn",),
    ),
    Finding(
        "fla-core: the references are not for vmap",
        "Not a fault: nothing promises it. What is added in place to zeros made inside cannot "
        "take the axis of `vmap`; every other batch works.",
        "fla_vmap",
        ("fla-recurrence", "fla-gated"),
    ),
    Finding(
        "transformers: chunks need a sequence",
        "A limit. A batch of no sequences, which the recurrence takes, cannot be cut into "
        "chunks: a reshape leaves an axis open, and no entry determines it.",
        "transformers_empty",
        ("transformers-chunk",),
    ),
    Finding(
        "Two sides of a mixing matrix",
        "Conventions. hyper-connections adds up the old streams with a column of its matrix, "
        "mhc with a row: one applies the transpose of what the other applies. Both are doubly "
        "stochastic, and no theorem here prefers one; a matrix that is carried from one to "
        "the other must be transposed. mhc computes every new state and keeps the last.",
        "mixing_side",
    ),
    Finding(
        "A mixing matrix as made is not near the identity",
        "A convention that is easily missed. hyper-connections starts from logits I, and "
        "Sinkhorn's matrix of exp(I) for four streams has 0.475 on the diagonal: what tells "
        "streams apart shrinks to 0.3 of itself in each layer. Logits cI come closer to I the "
        "larger c is.",
        "mixing_as_made",
    ),
)
