"""The target's side: import it, call it on tensors, and say what happened.

load(target)      == the object that ``pkg.mod:name`` or ``path/to/file.py:name`` names
answer(f, call)   == an Answer; whatever the target does is told in it
known(contract)   == the wrong operators of the zoo that a diagnosis compares with
main()            == serves calls from a pipe, in a process of its own

The target's own output goes to stderr. Torch's public functions are compared before and after each
call: a target that replaces one would mislead every later check.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import operator
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import torch
from torch import Tensor

from .location import Location, location_of
from .wire import Answer, Array, Call, Known, decode, encode

Target = Any
"""A callable, or a `module_target.ModuleTarget`."""
_MOST_WARNINGS = 20
_UNSUPPORTED = (
    "not implemented for",
    "not currently supported",
    "not yet supported",
    "doesn't support",
    "does not support",
    "unsupported dtype",
    "Low precision dtypes not supported",
    "batching rule not implemented",
    "data-dependent control flow",
    "vmap: It looks like you're calling .item()",
    "generate_vmap_rule",
)


class TargetError(ValueError):
    """A target that cannot be loaded; the message says why."""


def load(target: str) -> Any:
    """The object named by ``pkg.mod:name`` or ``path/to/file.py:name``.

    Raises
    ------
    TargetError
        If there is no such module, file or name, or importing it fails.
    """
    place, colon, name = target.rpartition(":")
    if not colon or not place or not name:
        raise TargetError(
            f"{target!r} is no target; write pkg.mod:callable or path/file.py:callable"
        )
    try:
        if place.endswith(".py"):
            path = Path(place)
            if not path.is_file():
                raise TargetError(f"there is no file {place}")
            spec = importlib.util.spec_from_file_location(path.stem, path)
            if spec is None or spec.loader is None:
                raise TargetError(f"{place} cannot be imported")
            module = importlib.util.module_from_spec(spec)
            sys.modules[path.stem] = module
            sys.path.insert(0, str(path.parent.resolve()))
            spec.loader.exec_module(module)
        else:
            sys.path.insert(0, os.getcwd())
            module = importlib.import_module(place)
    except TargetError:
        raise
    except BaseException as problem:
        raise TargetError(f"importing {place}: {_told(problem)}") from problem
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            from difflib import get_close_matches

            near = get_close_matches(part, [n for n in dir(found) if n[0] != "_"], 3, 0.4)
            hint = f"; did you mean {', '.join(near)}?" if near else ""
            raise TargetError(f"{place} has no {name!r}{hint}")
        found = getattr(found, part)
    return found


def answer(target: Target, call: Call, surface: Surface | None = None) -> Answer:
    """Call the target once, or as the call says, and report.

    Who calls often keeps a `Surface`, to see what a call replaced.
    """
    surface = surface or Surface()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = _called(target if call.known is None else _known_operator(call.known), call)
        except (Exception, SystemExit) as problem:
            found = Answer(kind=kind_of(problem), problem=_told(problem))
    if not call.known and (patched := surface.replaced()):
        return Answer(kind="patched", problem=f"the target replaced {', '.join(patched)}")
    told = tuple(str(w.message).splitlines()[0][:200] for w in caught if str(w.message))
    if len(told) > _MOST_WARNINGS and not found.problem:
        return Answer(kind="raised", problem=f"{len(told)} warnings in one call, e.g. {told[0]!r}")
    return Answer(
        found.outputs, found.gradients, found.kind, found.problem, found.changed, told[:3]
    )


def known(contract: str) -> list[Known]:
    """The wrong operators of a contract that have a diagnosis."""
    from .zoo import known as entries

    return [
        Known(entry.name, entry.diagnosis, entry.parameter and asdict(entry.parameter))
        for entry in entries(contract)
        if entry.diagnosis is not None
    ]


def _known_operator(named: Mapping[str, Any]) -> Target:
    """An operator of the zoo, by its name, with its number and the contract's signature."""
    from .adapters import adapted
    from .zoo import known as entries

    name, value = named["name"], named["parameter"]
    entry = next(e for e in entries(name.partition(".")[0]) if e.name == name)
    operator = entry.operator
    if value is not None and entry.parameter is not None:
        whole = entry.parameter.scale == "integer"
        operator = functools.partial(operator, parameter=int(value) if whole else value)
    return adapted(operator, named["adapter"])


def _called(target: Target, call: Call) -> Answer:
    tensors = {name: _tensor(x, call.layout) for name, x in call.inputs.items()}
    kept = {name: x.detach().clone() for name, x in tensors.items()}
    if call.cotangents:
        for x in tensors.values():
            x.requires_grad_(True)
    arguments = list(tensors.values())
    if call.variant is not None:
        target = target.part(call.variant, call.part, arguments[0])
    if call.mode == "vmap":
        results = _results(torch.vmap(lambda *xs: target(*xs))(*arguments))
    elif call.mode == "twice":
        results = [*_results(target(*arguments)), *_results(target(*arguments))]
    else:
        results = _results(target(*arguments))
    changed = tuple(n for n, x in tensors.items() if not _same(x.detach(), kept[n]))
    gradients = {}
    if call.cotangents:
        total = _total(results, call.cotangents)
        found = torch.autograd.grad(total, arguments, allow_unused=True)
        for (name, x), g in zip(tensors.items(), found, strict=True):
            gradients[name] = _array(torch.zeros_like(x) if g is None else g)
    return Answer(tuple(_array(x) for x in results), gradients, changed=changed)


def _results(returned: Any) -> list[Tensor]:
    results = list(returned) if isinstance(returned, tuple | list) else [returned]
    for x in results:
        if not isinstance(x, Tensor):
            raise _NoTensor(f"the target returned {type(x).__name__}, not a tensor")
    return results


def _total(results: Sequence[Tensor], cotangents: Sequence[Array]) -> Tensor:
    total = torch.zeros((), dtype=torch.float64)
    for x, G in zip(results, cotangents, strict=False):
        if x.shape != G.values.shape:
            raise _NoTensor(f"a result has the shape {tuple(x.shape)}, not {G.values.shape}")
        if not x.requires_grad:
            raise _NoTensor("a result is detached from the inputs: it has no gradient")
        # the cotangent reaches the target in its own dtype, exactly
        total = total + (x * _tensor(G, "contiguous").to(x.dtype)).sum().double()
    return total


class _NoTensor(TypeError):
    """The target returned something else than it should."""


def _tensor(x: Array, layout: str) -> Tensor:
    plain = torch.tensor(x.values, dtype=torch.float64).to(getattr(torch, x.dtype)).to(x.device)
    if layout == "strided" and plain.ndim:
        wide = plain.new_zeros(*(2 * n for n in reversed(plain.shape)))
        view = wide[tuple(slice(None, None, 2) for _ in plain.shape)].permute(
            *reversed(range(plain.ndim))
        )
        view.copy_(plain)
        return view
    if layout == "expanded" and plain.ndim:
        return plain[:1].expand(plain.shape)
    return plain


def _array(x: Tensor) -> Array:
    values = x.detach().to(torch.float64) if not x.is_complex() else x.detach().real.double()
    return Array(str(x.dtype).removeprefix("torch."), np.array(values.cpu().numpy()), x.device.type)


def _same(x: Tensor, y: Tensor) -> bool:
    """Have two tensors the same entries? NaN is the same as NaN."""
    if x.shape != y.shape:
        return False
    return torch.equal(x, y) or torch.equal(x.nan_to_num(), y.nan_to_num())


def kind_of(problem: BaseException) -> str:
    """The `kind` of an Answer for what a call raised."""
    if isinstance(problem, _NoTensor):
        return "type"
    text = str(problem)
    if isinstance(problem, NotImplementedError | RuntimeError | TypeError) and any(
        sign in text for sign in _UNSUPPORTED
    ):
        return "unsupported"
    return "raised"


_NOT_THEIRS = tuple(Path(str(module.__file__)).parent for module in (torch, importlib))
_OURS = Path(__file__).parent


def _told(problem: BaseException) -> str:
    """The exception, the innermost line of the target's own code, and its notes."""
    if isinstance(problem, SyntaxError) and problem.filename:
        text, where = problem.msg, f" ({Path(problem.filename).name}:{problem.lineno})"
    else:
        text, own = " ".join(str(problem).split()), _own_line(problem)
        where = f" ({own})" if own else ""
    notes = "".join(f"; {' '.join(note.split())}" for note in getattr(problem, "__notes__", ()))
    return f"{type(problem).__name__}: {text[:400]}{where}{notes[:400]}"


def _own_line(problem: BaseException) -> str:
    """``file.py:line`` of the innermost frame that is the target's; empty where none is."""
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        path = Path(frame.filename)
        frozen = frame.filename.startswith("<")
        if not frozen and path.parent != _OURS and not any(map(path.is_relative_to, _NOT_THEIRS)):
            return f"{path.name}:{frame.lineno}"
    return ""


_HOLDERS = {
    "torch": torch,
    "torch.Tensor": torch.Tensor,
    "torch.nn.functional": torch.nn.functional,
    "torch.linalg": torch.linalg,
}


class Surface:
    """Torch's public functions, by holder and name, as they were when they were last looked at."""

    def __init__(self) -> None:
        self.functions = {holder: dict(vars(value)) for holder, value in _HOLDERS.items()}

    def replaced(self) -> list[str]:
        """The functions that are others than before; what torch adds or wraps does not count."""
        found = []
        for holder, before in self.functions.items():
            after = vars(_HOLDERS[holder])
            if len(after) == len(before) and all(
                map(operator.is_, before.values(), after.values())
            ):
                continue  # as good as always, and looked at after every call
            found += [
                f"{holder}.{name}"
                for name, old in before.items()
                if after.get(name) is not old
                and callable(old)
                and not _wrapped(after.get(name), old)
            ]
            self.functions[holder] = dict(after)
        return found


def _wrapped(new: Any, old: Any) -> bool:
    """Is it torch's own wrapper? Its compiler puts one around some functions when it is loaded."""
    code = getattr(new, "__code__", None)
    return (
        code is not None
        and getattr(new, "__wrapped__", None) is old
        and Path(code.co_filename).is_relative_to(Path(torch.__file__).parent)
    )


# ---------------------------------------------------------------- a process of its own


def serve(
    calls: BinaryIO,
    answers: BinaryIO,
    prepare: Callable[[Mapping[str, Any]], tuple[Target, Location | None]],
) -> None:
    """Answer calls until the pipe is closed. The first message says what the target is.

    A later one may name another, so that a process that is warm serves many.
    """

    def tell(message: Mapping[str, Any]) -> None:
        answers.write(encode(message))
        answers.flush()

    target: Target = None
    surface = Surface()
    for line in calls:
        message = decode(line)
        if "target" in message:
            try:
                target, location = prepare(message)
            except Exception as problem:  # whatever the target's import raises is its failure
                tell({"ready": False, "problem": str(problem)})
                return
            _warm_up()
            surface = Surface()
            tell({"ready": True, "location": location})
        elif "zoo" in message:
            tell({"known": [entry.to_json() for entry in known(message["zoo"])]})
        else:
            tell(answer(target, Call.from_json(message), surface).to_json())


def _warm_up() -> None:
    """Load what torch loads late, so that the first call is not the slow one."""
    x = torch.ones(1, 1, requires_grad=True)
    torch.autograd.grad(torch.vmap(lambda row: row @ row)(x).sum(), x)


def main() -> None:
    """Serve on the pipe that stands in for stdout; the target prints to stderr."""
    from .adapters import adapted

    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    torch.set_num_threads(1)
    torch.manual_seed(0)

    def prepare(setup: Mapping[str, Any]) -> tuple[Target, Location | None]:
        found = load(setup["target"])
        place = location_of(found, setup["target"].rpartition(":")[0])
        return adapted(found, setup["adapter"]), place

    serve(sys.stdin.buffer, pipe, prepare)


if __name__ == "__main__":
    main()
