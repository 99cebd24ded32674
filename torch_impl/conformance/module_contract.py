"""What a contract of modules is, as data.

ModuleContract == structure that every module is to have, and claims where its gates are held
Consequence    == a claim on the operator of a module, as a number that is to be 0
Variant        == which instance: as made, after a step, loaded from a state, with gates held
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from .contract import Argument, Floats, Parameter

STRUCTURE = {
    "returns": "the module can be made and called",
    "shape": "the result has the shape of the input",
    "result_type": "the result has the dtype and the device of the input",
    "finite": "finite inputs have finite results",
    "inputs_unchanged": "the input is not written to",
    "determinism": "the same input twice has the same result, bit by bit",
    "gradient": "the gradient with respect to the input is there, and finite",
    "causality": "no token sees a later one",
    "batch_independence": "no item sees another one of its batch",
    "padding_independence": "zeros after the tokens change none of their outputs",
    "prefix_consistency": "the outputs of a prefix are those that it has in the whole",
    "split_invariance": "the length modulo the chunk changes no output",
    "state_dict": "another instance with the same state_dict computes the same",
    "optimiser_step": "a step of gradient descent can be made, and the module works after it",
    "initialisation": "the gates as made are those that the module says it starts with",
}
"""What every contract of modules asks, in words."""
IDENTITY = "delta.identity"
"""What a block does at the gate 0."""


@dataclass(frozen=True)
class Consequence:
    """A claim on operators A, [b, t, n, n].

    Parameters
    ----------
    claim
        Its id.
    held
        The gates at which it is claimed, exactly; None where it is claimed of every gate.
    residual
        From A, float64, to numbers of [b, t] that are to be 0.
    degree
        In the entries of A: an error of A is passed on ``degree`` times, by the size of A.
    explain
        What to say where it does not hold.
    cites
        Claims besides.
    """

    claim: str
    held: Mapping[str, float] | None
    residual: Callable[[Floats], Floats]
    degree: int
    explain: str
    cites: tuple[str, ...] = ()

    def applies(self, held: Mapping[str, float]) -> bool:
        """Is it claimed where these gates are held?"""
        if self.held is None:
            return not held
        if "gamma" in self.held and "beta" not in self.held:
            held = {name: x for name, x in held.items() if name != "beta"}
        return self.held == held


@dataclass(frozen=True)
class Variant:
    """Which instance of a module is called; `held` are its forced gates."""

    steps: int = 0
    loaded: bool = False
    held: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        words = ["after a step" if self.steps else "as made"]
        if self.loaded:
            words.append("loaded from its state")
        words += [f"{name} = {value:g}" for name, value in self.held]
        return ", ".join(words)

    def to_json(self) -> dict[str, Any]:
        """As a JSON value."""
        return {"steps": self.steps, "loaded": self.loaded, "held": dict(self.held)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Variant:
        """The variant that `to_json` wrote."""
        held = tuple(sorted((name, float(x)) for name, x in data["held"].items()))
        return cls(int(data["steps"]), bool(data["loaded"]), held)

    def reloaded(self) -> Variant:
        """The same, its state loaded into another instance."""
        return replace(self, loaded=True)


@dataclass(frozen=True)
class ModuleContract:
    """Structure, and claims where gates are held.

    Parameters
    ----------
    name, summary
        As of an operator contract.
    claims
        What the signature cites.
    causal
        What causality cites.
    closed
        What a module does at the gate 0: ``input``, it returns its input; ``constant``, it returns
        the same for every input.
    operators
        Claims on the operators, where the module gives them.
    """

    name: str
    summary: str
    claims: tuple[str, ...]
    causal: str
    closed: Literal["input", "constant"]
    operators: tuple[Consequence, ...]
    domain: tuple[Parameter, ...]
    arguments: tuple[Argument, ...] = (Argument("x", ("t", "c")),)

    @property
    def signature(self) -> str:
        """``f(**init) is a module, …``."""
        return "f(**init) is a torch.nn.Module, x[b, t, c] -> y[b, t, c]"

    @property
    def asks(self) -> dict[str, str]:
        """The contract's own checks in words, by id; the others are claims of the ledger."""
        return {f"{self.name}.{name}": said for name, said in STRUCTURE.items()}

    @property
    def checks(self) -> tuple[str, ...]:
        """The claims that a run makes checks of."""
        return tuple(dict.fromkeys((*self.asks, IDENTITY, *(c.claim for c in self.operators))))

    @property
    def cited(self) -> tuple[str, ...]:
        """Every id of the ledger that a check cites."""
        ids = [*self.claims, self.causal, IDENTITY]
        for consequence in self.operators:
            ids += (consequence.claim, *consequence.cites)
        return tuple(dict.fromkeys(ids))
