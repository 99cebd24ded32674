"""Targets whose signature or convention differs from the contract's.

adapted(target, adapter)  == a callable with the contract's signature, batch axes first
parse_args(text, contract) == ``--args`` as a JSON value
parse_generator(text)      == the sign of ``--generator-convention``
parse_factor(text)         == the number of ``--factor``, a power of two
parse_init(text)           == keyword arguments of a factory of modules
parse_gates(text)          == gates that a module is to hold
AdapterError               == a layout that does not fit, with the pattern that would

A pattern names the axes of each argument in the target's order: ``"X: b t d m, beta: b t 1"``; the
contract's own letters stand for its axes, ``1`` for an axis of size one, everything else for a
batch. ``state=X: …`` passes X by the keyword `state`; ``-> b t m d`` lays out the result.
Only views and transpositions are used, so that gradients pass and nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from .contract import Contract

GENERATORS = {"(I+S)^-1(I-S)": 1, "(I-S)(I+S)^-1": 1, "(I-S)^-1(I+S)": -1, "(I+S)(I-S)^-1": -1}


class AdapterError(ValueError):
    """A description of the target's signature that does not fit the contract."""


def parse_args(text: str, contract: Contract) -> dict[str, Any]:
    """The layout that a pattern describes.

    Raises
    ------
    AdapterError
        If an argument is missing or unknown, or lacks one of its axes.
    """
    left, arrow, right = text.partition("->")
    own = {a.name: a.axes for a in contract.arguments}
    entries: list[dict[str, Any]] = []
    for part in filter(None, map(str.strip, left.split(","))):
        head, colon, axes = part.partition(":")
        keyword, _, name = head.strip().rpartition("=")
        if not colon or name not in own:
            raise AdapterError(
                f"--args: {part!r} is not one of {', '.join(own)}, each with its axes; "
                f"e.g. {example(contract)!r}"
            )
        _check_axes(name, axes.split(), own[name], contract)
        entries.append({"name": name, "axes": axes.split(), "keyword": keyword})
    missing = own.keys() - {e["name"] for e in entries}
    if missing:
        raise AdapterError(
            f"--args names no {', '.join(sorted(missing))}; e.g. {example(contract)!r}"
        )
    results = [part.split() for part in right.split(",")] if arrow else []
    if results:
        if len(results) != len(contract.results):
            raise AdapterError(f"--args: {contract.name} has {len(contract.results)} results")
        for axes, wanted in zip(results, contract.results, strict=True):
            _check_axes("the result", axes, wanted, contract)
    return {"arguments": entries, "results": results}


def _check_axes(name: str, axes: Sequence[str], wanted: Sequence[str], contract: Contract) -> None:
    lacking = [axis for axis in dict.fromkeys(wanted) if axis not in axes]
    if lacking:
        raise AdapterError(
            f"--args: {name} has the axes {' '.join(wanted)} and lacks {' '.join(lacking)}; "
            f"e.g. {example(contract)!r}"
        )


def example(contract: Contract) -> str:
    """A pattern that fits the contract, with two batch axes."""
    return ", ".join(f"{a.name}: {' '.join(('b t', *a.axes))}" for a in contract.arguments)


def parse_generator(text: str) -> int:
    """1 where the target computes Q(S), −1 where it computes Q(−S)."""
    spelled = text.replace(" ", "").replace("⁻¹", "^-1").replace("−", "-")
    if spelled not in GENERATORS:
        raise AdapterError(
            f"--generator-convention: {text!r} is none of {', '.join(map(repr, GENERATORS))}"
        )
    return GENERATORS[spelled]


def parse_factor(text: str) -> float:
    """The number c of a target whose generator is c times the matrix that it is given."""
    try:
        value = abs(Fraction(text))
    except (ValueError, ZeroDivisionError):
        raise AdapterError(f"--factor: {text!r} is no number such as 1/2") from None
    power = (
        value.numerator & (value.numerator - 1) == 0 == value.denominator & (value.denominator - 1)
    )
    if value == 0 or not power:
        raise AdapterError(f"--factor: {text} is no power of two, so scaling would round")
    return float(Fraction(text))


def parse_init(text: str) -> dict[str, Any]:
    """Keyword arguments ``dim=8, bias=False``: numbers, True, False, None, else strings.

    Raises
    ------
    AdapterError
        If a part is not NAME=VALUE.
    """
    import ast

    found: dict[str, Any] = {}
    for name, value in _assignments("--init", text):
        try:
            read = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            read = value
        if not isinstance(read, bool | int | float | str | None):
            raise AdapterError(
                f"--init: {name}={value} is no number, string, True, False or None; "
                "write a function without arguments that returns the module"
            )
        found[name] = read
    return found


def parse_gates(option: str, text: str) -> dict[str, float]:
    """Gates ``beta=1, gamma=0.5``.

    Raises
    ------
    AdapterError
        If a part is not NAME=NUMBER, or there is none.
    """
    found: dict[str, float] = {}
    for name, value in _assignments(option, text):
        try:
            found[name] = float(Fraction(value))
        except (ValueError, ZeroDivisionError):
            raise AdapterError(f"{option}: {value!r} is no number such as 1/2") from None
    if not found:
        raise AdapterError(f"{option}: {text!r} names no gate; write e.g. beta=0")
    return found


def _assignments(option: str, text: str) -> list[tuple[str, str]]:
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        name, equals, value = part.partition("=")
        if not equals or not name.strip().isidentifier() or not value.strip():
            raise AdapterError(f"{option}: {part!r} is not NAME=VALUE")
        found.append((name.strip(), value.strip()))
    return found


def adapter_of(
    contract: Contract,
    args: str = "",
    transposed: bool = False,
    generator: str = "",
    factor: str = "",
) -> dict[str, Any]:
    """The adapter of a target that differs so from the contract; for one that does not, its own.

    Raises
    ------
    AdapterError
        If a pattern does not fit, or a contract without a generator is given a convention.
    """
    layout = parse_args(args or contract.pattern, contract) if args or contract.pattern else None
    states = [a.name for a in contract.arguments if a.state]
    scale = 1.0
    if generator:
        scale *= parse_generator(generator)
    if factor:
        scale *= contract.own_factor / parse_factor(factor)
    if scale != 1.0 and not contract.generator:
        raise AdapterError(
            f"{contract.name} has no generator: --generator-convention and --factor are for "
            "cayley and cayley_rank_two"
        )
    if not (layout or transposed or scale != 1.0):
        return {}
    return {
        "order": [[a.name, list(a.axes)] for a in contract.arguments],
        "results": [list(axes) for axes in contract.results],
        "layout": layout,
        "transposed": (states or ["(the result)"]) if transposed else [],
        "scale": [contract.generator, scale] if scale != 1.0 else None,
    }


def adapted(target: Callable[..., Any], adapter: Mapping[str, Any]) -> Any:
    """The target with the contract's signature.

    Parameters
    ----------
    target
        Any callable; a class of modules is made an instance.
    adapter
        ``order`` (names and axes of the contract's arguments), ``layout`` (of `parse_args`),
        ``transposed`` (names of state arguments), ``scale`` (name and factor), ``keywords`` passed
        to every call; for a factory of modules ``module``: its keyword arguments, and the width.
    """
    if not callable(target):
        raise AdapterError(f"the target is a {type(target).__name__}, not a callable")
    if adapter and "module" in adapter:
        from .module_target import ModuleTarget

        return ModuleTarget(target, adapter["module"]["init"], adapter["module"]["width"])
    if isinstance(target, type):
        target = target()
    if not adapter:
        return target
    order = {name: len(axes) for name, axes in adapter["order"]}
    layout = adapter.get("layout")
    transposed = set(adapter.get("transposed", ()))
    scaled, factor = adapter.get("scale") or ("", 1.0)
    keywords = adapter.get("keywords", {})

    def call(*arguments: Any) -> Any:
        named = dict(zip(order, arguments, strict=True))
        for name in transposed & named.keys():
            named[name] = named[name].mT
        if scaled:
            named[scaled] = named[scaled] * factor
        if layout:
            returned = _laid_out(target, named, layout, adapter, keywords)
        else:
            returned = target(*named.values(), **keywords)
        if transposed:
            many = isinstance(returned, tuple | list)
            results = list(returned) if many else [returned]
            results[-1] = results[-1].mT
            returned = tuple(results) if many else results[0]
        return returned

    return call


def _laid_out(
    target: Callable[..., Any],
    named: Mapping[str, Any],
    layout: Mapping[str, Any],
    adapter: Mapping[str, Any],
    keywords: Mapping[str, Any],
) -> Any:
    own = {name: list(axes) for name, axes in adapter["order"]}
    letters = {axis for axes in own.values() for axis in axes}
    batches = list(
        dict.fromkeys(
            axis
            for entry in layout["arguments"]
            for axis in entry["axes"]
            if axis not in letters and axis != "1"
        )
    )
    some = next(iter(own))
    shape = named[some].shape[: named[some].ndim - len(own[some])]
    padded = _fitted(shape, len(batches))
    positional, by_keyword = [], dict(keywords)
    for entry in layout["arguments"]:
        x = named[entry["name"]]
        tail = x.shape[len(shape) :]
        x = x.reshape(*padded, *tail)
        x = _permuted(x, [*batches, *own[entry["name"]]], entry["axes"])
        if entry["keyword"]:
            by_keyword[entry["keyword"]] = x
        else:
            positional.append(x)
    returned = target(*positional, **by_keyword)
    results = list(returned) if isinstance(returned, tuple | list) else [returned]
    wanted = adapter["results"]
    patterns = layout["results"] or [[*batches, *axes] for axes in wanted]
    back = []
    for x, pattern, axes in zip(results, patterns, wanted, strict=True):
        x = _restored(x, pattern, [*batches, *axes])
        back.append(x.reshape(*shape, *x.shape[len(batches) :]))
    return tuple(back) if len(back) > 1 else back[0]


def _fitted(shape: Sequence[int], axes: int) -> list[int]:
    """A batch shape with as many axes as the target has."""
    padded = [1] * max(0, axes - len(shape)) + list(shape)
    while len(padded) > axes:
        first = padded.pop(0)
        if not padded:
            raise AdapterError("the target has no batch axis; leave --args out, or name one")
        padded[0] *= first
    return padded


def _permuted(x: Any, have: Sequence[str], want: Sequence[str]) -> Any:
    """Axes named `have` in the order `want`, which may have axes of size one."""
    kept = [axis for axis in want if axis != "1"]
    absent = [axis for axis in have if axis not in kept]
    x = x.permute(*(list(have).index(axis) for axis in (*absent, *kept)))
    if absent:  # a batch axis that this argument does not have
        x = x[(0,) * len(absent)]
    for position, axis in enumerate(want):
        if axis == "1":
            x = x.unsqueeze(position)
    return x


def _restored(x: Any, have: Sequence[str], want: Sequence[str]) -> Any:
    """The inverse, for results."""
    if x.ndim != len(have):
        raise AdapterError(f"a result has {x.ndim} axes, not {' '.join(have)}")
    for position in reversed([i for i, axis in enumerate(have) if axis == "1"]):
        x = x.squeeze(position)
    named = [axis for axis in have if axis != "1"]
    return x.permute(*(named.index(axis) for axis in want))
