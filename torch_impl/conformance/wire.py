"""What passes between the kit and the target: arrays, calls and answers, as JSON.

Array   == a dtype and its entries as float64, which holds every format exactly
Call    == inputs by name and how to call: layout, vmap, twice, with which cotangents
Answer  == results, gradients, and what went wrong
Known   == a wrong operator of the zoo that a call may name in the target's place
encode, decode == a message as a line of JSON, and back

Nothing is pickled, and nothing here needs torch.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Array:
    """A tensor's dtype (``"float32"``), device type and entries."""

    dtype: str
    values: NDArray[np.float64]
    device: str = "cpu"

    def to_json(self) -> dict[str, Any]:
        """As a JSON value; entries as base64 of little-endian binary64."""
        entries = np.ascontiguousarray(self.values, dtype="<f8").tobytes()
        return {
            "dtype": self.dtype,
            "shape": list(self.values.shape),
            "entries": base64.b64encode(entries).decode("ascii"),
            "device": self.device,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Array:
        """The array that `to_json` wrote."""
        entries = np.frombuffer(base64.b64decode(data["entries"]), dtype="<f8")
        values = entries.reshape(data["shape"]).astype(np.float64)
        return cls(data["dtype"], values, data["device"])


@dataclass(frozen=True)
class Call:
    """One call of the target.

    `layout` is ``contiguous``, ``strided`` (every second entry of a larger tensor, axes permuted in
    memory) or ``expanded`` (a batch axis of stride 0). `mode` is ``plain``, ``vmap`` over the first
    axis of every input, or ``twice`` (on the same input, both results returned). With `cotangents`
    the gradient of the sum of results times cotangents is returned too. For a module, `variant` is
    which instance (`module_contract.Variant` as JSON), `part` the method, ``forward`` the module.
    `known` has an operator of the zoo called in the target's place: its ``name``, its ``parameter``
    or None, and the ``adapter`` of the contract's own signature.
    """

    inputs: Mapping[str, Array]
    layout: str = "contiguous"
    mode: str = "plain"
    cotangents: tuple[Array, ...] = ()
    variant: Mapping[str, Any] | None = None
    part: str = "forward"
    known: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "inputs": {name: x.to_json() for name, x in self.inputs.items()},
            "layout": self.layout,
            "mode": self.mode,
            "cotangents": [x.to_json() for x in self.cotangents],
            "variant": self.variant,
            "part": self.part,
            "known": self.known,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Call:
        return cls(
            {name: Array.from_json(x) for name, x in data["inputs"].items()},
            data["layout"],
            data["mode"],
            tuple(Array.from_json(x) for x in data["cotangents"]),
            data["variant"],
            data["part"],
            data["known"],
        )


@dataclass(frozen=True)
class Answer:
    """What came of a call.

    `problem` is empty where the target returned tensors; else `kind` is ``raised``, ``unsupported``
    (a dtype or a transform that torch itself does not have), ``type``, ``hang``, ``died`` or
    ``patched``. `changed` names inputs that were written to, `warnings` how many were issued.
    """

    outputs: tuple[Array, ...] = ()
    gradients: Mapping[str, Array] = field(default_factory=dict)
    kind: str = ""
    problem: str = ""
    changed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "outputs": [x.to_json() for x in self.outputs],
            "gradients": {name: x.to_json() for name, x in self.gradients.items()},
            "kind": self.kind,
            "problem": self.problem,
            "changed": list(self.changed),
            "warnings": list(self.warnings),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Answer:
        return cls(
            tuple(Array.from_json(x) for x in data["outputs"]),
            {name: Array.from_json(x) for name, x in data["gradients"].items()},
            data["kind"],
            data["problem"],
            tuple(data["changed"]),
            tuple(data["warnings"]),
        )


@dataclass(frozen=True)
class Known:
    """An entry of the zoo that has a diagnosis; `parameter`: its name, low, high and scale."""

    name: str
    diagnosis: str
    parameter: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "diagnosis": self.diagnosis, "parameter": self.parameter}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Known:
        return cls(data["name"], data["diagnosis"], data["parameter"])


def encode(message: Mapping[str, Any]) -> bytes:
    """A message as one line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """The message of a line."""
    return json.loads(line)
