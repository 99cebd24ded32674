"""What every operator asks of its arguments.

check_arguments == one floating dtype, matching trailing axes, leading axes that broadcast
check_out       == an `out` that can hold the result
broadcast       == the shape that shapes broadcast to
DTYPES          == the dtypes the operators are defined and bounded in
"""

import torch
from torch import Tensor

DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)


def check_arguments(function: str, /, **arguments: tuple[Tensor, str]) -> torch.Size:
    """Check tensors against named trailing axes; return the broadcast leading shape.

    Parameters
    ----------
    function
        Name put in front of every message.
    **arguments
        ``name=(tensor, axes)``, where ``axes`` names the trailing axes (``"d m"``; ``""`` for
        a scalar per token). One name stands for one size, at least 1.

    Raises
    ------
    TypeError
        If an argument is no tensor, or the dtypes differ or are not floating.
    ValueError
        If trailing axes disagree or leading axes do not broadcast.
    """
    for name, (tensor, _) in arguments.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{function}: {name} must be a tensor, got {type(tensor).__name__}")
    dtypes = {tensor.dtype for tensor, _ in arguments.values()}
    if len(dtypes) != 1 or not dtypes.issubset(DTYPES):
        raise TypeError(
            f"{function}: the arguments must share one of the dtypes float64, float32, bfloat16, "
            f"float16; got {_described(arguments)}"
        )
    sizes: dict[str, int] = {}
    leading = []
    for name, (tensor, axes) in arguments.items():
        names = axes.split()
        split = tensor.ndim - len(names)
        if split < 0:
            raise ValueError(
                f"{function}: {name} must have shape (..., {', '.join(names)}); "
                f"got {_described(arguments)}"
            )
        leading.append(tensor.shape[:split])
        for axis, size in zip(names, tensor.shape[split:], strict=True):
            if size == 0 or sizes.setdefault(axis, size) != size:
                raise ValueError(
                    f"{function}: axis {axis} of {name} has size {size}, expected "
                    f"{sizes.get(axis, 'at least 1')}; got {_described(arguments)}"
                )
    try:
        return broadcast(*leading)
    except ValueError as error:
        raise ValueError(
            f"{function}: the leading axes do not broadcast; got {_described(arguments)}"
        ) from error


def broadcast(*shapes: torch.Size) -> torch.Size:
    """Return the shape that tensors of these shapes broadcast to.

    As `torch.broadcast_shapes`, which loads SymPy where it is first called.

    Raises
    ------
    ValueError
        If two sizes of an axis differ and neither is 1.
    """
    depth = 0  # in steps that the compiler of torch traces
    for shape in shapes:
        depth = max(depth, len(shape))
    sizes = [1] * depth
    for shape in shapes:
        for axis, size in enumerate(shape, len(sizes) - len(shape)):
            if size not in (1, sizes[axis]):
                if sizes[axis] != 1:
                    raise ValueError(f"sizes {sizes[axis]} and {size} of one axis")
                sizes[axis] = size
    return torch.Size(sizes)


def check_out(function: str, out: Tensor, shape: tuple[int, ...], dtype: torch.dtype) -> None:
    """Raise ValueError unless ``out`` has the shape and dtype of the result."""
    if out.shape != shape or out.dtype != dtype:
        raise ValueError(
            f"{function}: out must be {_name(dtype)} of shape {tuple(shape)}, "
            f"got {_name(out.dtype)} of shape {tuple(out.shape)}"
        )


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _described(arguments: dict[str, tuple[Tensor, str]]) -> str:
    return ", ".join(
        f"{name} {_name(tensor.dtype)}{tuple(tensor.shape)}"
        for name, (tensor, _) in arguments.items()
    )
