"""A module as a target: instances as a Variant names them.

ModuleTarget(factory, init) == makes and keeps instances
ModuleProblem               == a module that lacks what it is asked for

Instances are made from fixed seeds. A state is loaded into one that was made from another seed, so
that what the state does not hold comes out different. Modules are left in the mode that the factory
leaves them in.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from .isolation import TargetUnusable
from .module_contract import Variant

_TOKENS = 5
_STEP = 2.0**-4
"""The largest change of a parameter by the step: enough to be seen in every format."""


class ModuleProblem(TypeError):
    """A module that is none, or lacks a method."""


class ModuleTarget:
    """Instances of a module.

    Parameters
    ----------
    factory
        A class of modules, or a function that returns one.
    init
        Its keyword arguments.
    width
        c, for the input of the optimiser's step.

    Raises
    ------
    TargetUnusable
        If `factory` is a module itself.
    """

    def __init__(self, factory: Callable[..., Any], init: Mapping[str, Any], width: int):
        if isinstance(factory, nn.Module):
            raise TargetUnusable(
                "the target is a module, not what makes one; give its class, or a function "
                "without arguments that returns it"
            )
        self.factory, self.init, self.width = factory, dict(init), width
        self.kept: dict[tuple[str, str, str], nn.Module] = {}

    def part(self, variant: Mapping[str, Any], name: str, x: Tensor) -> Callable[..., Any]:
        """What is called: the module of a variant, in the dtype and on the device of x."""
        key = (json.dumps(variant, sort_keys=True), str(x.dtype), str(x.device))
        if key not in self.kept:
            made = self.instance(Variant.from_json(variant))
            self.kept[key] = made.to(dtype=x.dtype, device=x.device)
        module = self.kept[key]
        if name == "forward":
            return lambda x: _called(module, x)
        method: Any = getattr(module, name, None)
        if not callable(method):
            raise NotImplementedError(f"{type(module).__name__} does not support {name}(x)")
        return method

    def instance(self, variant: Variant) -> nn.Module:
        """Make the module of a variant."""
        module = self.make(0)
        for _ in range(variant.steps):
            self.step(module)
        if variant.loaded:
            state = {name: x.clone() for name, x in module.state_dict().items()}
            module = self.make(1)
            module.load_state_dict(state)
        if variant.held:
            force: Any = getattr(module, "force", None)
            if not callable(force):
                raise ModuleProblem(
                    f"{type(module).__name__} has no method force(**values) that holds its gates"
                )
            force(**dict(variant.held))
        return module

    def make(self, seed: int) -> nn.Module:
        """A new instance."""
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            try:
                module = self.factory(**self.init)
            except TypeError as problem:
                if asked := _asked_of_init(self.factory, self.init):
                    problem.add_note(asked)
                raise
        if not isinstance(module, nn.Module):
            raise ModuleProblem(
                f"the factory returned {type(module).__name__}, not a torch.nn.Module"
            )
        return module

    def step(self, module: nn.Module) -> None:
        """One step of gradient descent, of a size that is visible whatever the gradient's."""
        parameters = [p for p in module.parameters() if p.requires_grad]
        if not parameters:
            return
        some = parameters[0]
        random = torch.Generator().manual_seed(2)
        x, G = torch.randn(2, 2, _TOKENS, self.width, generator=random).to(some)
        total = (module(x) * G).sum()
        if total.requires_grad:
            total.backward()
        slopes = [p.grad.abs().max() for p in parameters if p.grad is not None and p.numel()]
        if not slopes or not max(slopes) > 0:
            raise ModuleProblem("no parameter has a gradient: a step changes nothing")
        if not all(torch.isfinite(slope) for slope in slopes):
            raise ModuleProblem("the gradient of a parameter is not finite")
        # by hand: torch.optim loads the compiler, takes seconds and replaces functions of torch
        rate = _STEP / float(max(slopes))
        with torch.no_grad():
            for parameter in parameters:
                if parameter.grad is not None:
                    parameter.sub_(rate * parameter.grad)
                    parameter.grad = None


def _called(module: nn.Module, x: Tensor) -> Any:
    """The module's results; what it raises about the size c says how to set that."""
    try:
        return module(x)
    except Exception as problem:
        if re.search(rf"(?<!\d){x.shape[-1]}(?!\d)", str(problem)):
            problem.add_note(f"c is {x.shape[-1]}, and --domain width=… sets it")
        raise


def _asked_of_init(factory: Callable[..., Any], init: Mapping[str, Any]) -> str:
    """What --init is to say, where a factory cannot be called with these arguments."""
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):  # of what is written in another language
        return ""
    named = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    if lacking := [p.name for p in named if p.default is p.empty and p.name not in init]:
        spelled = ", ".join(f"{name}=…" for name in lacking)
        return f'give {", ".join(lacking)} with --init "{spelled}"'
    names = [p.name for p in named]
    if init.keys() <= set(names) or any(p.kind is p.VAR_KEYWORD for p in parameters):
        return ""
    return f"--init may name {', '.join(names)}" if names else "leave --init out"
