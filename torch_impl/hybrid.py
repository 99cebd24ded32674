"""The hybrid blend γQX + (1−γ)(X − 2k(kᵀX)) of a rotation and a reflection.

blend == the blend, applied to a state

It is orthogonal at the gates 0 and 1 only; at ½ it is singular (hybrid.midpoint_singular).
"""

from torch import Tensor

from .arguments import check_arguments
from .reflection import reflect


def blend(X: Tensor, Q: Tensor, k: Tensor, gamma: Tensor) -> Tensor:
    """Return γQX + (1−γ)(X − 2k(kᵀX)).

    Parameters
    ----------
    X : (..., n, m)
        State.
    Q : (..., n, n)
        Rotation; any matrix for the formula itself.
    k : (..., n)
        Axis of the reflection; unit for the theorems.
    gamma : (...)
        Gate, any real: 1 for the rotation, 0 for the reflection.

    All of one dtype, float64, float32, bfloat16 or float16; leading axes broadcast.

    Returns
    -------
    Tensor
        (..., n, m), within `numeric.hybrid.blend_bound` of the exact value, entry by entry, where
        nothing overflows (and, in bfloat16, no input is subnormal).

    Raises
    ------
    TypeError, ValueError
        As `check_arguments`.

    Notes
    -----
    Claims hybrid.gram, hybrid.endpoints_orthogonal, hybrid.smallest_singular_value,
    hybrid.reduces_to_residual. Source: the E∆-MHC-Geo Transformer, G_γ.
    """
    check_arguments("blend", X=(X, "n m"), Q=(Q, "n n"), k=(k, "n"), gamma=(gamma, ""))
    gate = gamma[..., None, None]
    return gate * (Q @ X) + (1 - gate) * reflect(X, k)
