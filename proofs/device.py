"""A device that the user names.

check_device(name) == nothing where torch has it here; else a usage error, or a missing tool
"""

from __future__ import annotations

import click


def check_device(device: str) -> None:
    """Refuse a device that torch does not know, or does not have here.

    Parameters
    ----------
    device
        What ``--device`` says: ``cpu``, for which torch is not imported, or such as ``cuda:0``.

    Raises
    ------
    click.UsageError
        If torch knows no such device.
    MissingTool
        If it has none here.
    """
    if device == "cpu":
        return
    import torch

    from .runner import MissingTool

    try:
        kind = torch.device(device).type
    except RuntimeError:
        raise click.UsageError(
            f"--device {device!r} is no device of torch, as cpu, cuda:0"
        ) from None
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as problem:
        first = str(problem).partition("\n")[0]
        raise MissingTool(f"--device {device}: torch has no {kind} here: {first}") from None
