"""Polynomial formulas: their exact value and gradient, and rounding bounds for every spelling.

Polynomial == a formula in which no argument's entry has a degree above two
.value, .bound            == of the result
.gradient, .gradient_bound == of the gradient of Σ G·result with respect to an argument
differences(formula, …)    == that gradient of any of them, by two evaluations for each entry

One formula serves four readings. It is written with a `minus` that it is given: with the difference
it is the exact value; with the sum, on absolute values, it is the *magnitude* M, the sum of the
absolute values of the monomials of each entry of the result.

**The bound.** A spelling that only regroups (operator first or read first, the gate at any place,
sums in any order, fused or in a wider format) evaluates the same monomials, each on a path through
the operations. If no path has more than c roundings beside inner products of lengths n₁, n₂, …,
summed in any order (`numeric.rounding`: a factor 1 + n·r each), then each monomial comes out with
a factor within (1+r)^c·Π(1 + n_i·r) − 1 of 1, and the error of the result is at most that times M.
A spelling that adds and subtracts what is not in the formula is not covered, unless the formula
shows it: 1 − γ as `minus(1, γ)` has the magnitude 1 + |γ|, which covers a + γ(b − a) too.

*Underflow.* An operation loses at most υ besides. What it lost is multiplied by later factors, each
of them a product of entries: at most ℒ = Π (1 + max|argument|)^degree. With fewer than N operations
on the paths into an entry: N·υ·ℒ, within later roundings. Half of that is left for the evaluation
of the bound itself in binary64.

**Gradients.** ∂/∂a of a polynomial whose degree in a is at most two is exactly
(f(a + 1) − f(a − 1))/2. So the gradient is again a polynomial, with its own magnitude, evaluated in
the same way; its paths pass forward and backward: at most 2c + 2 roundings and each length twice.
Where that takes too many evaluations, a formula brings the gradient along, written with a sign:
−1 for the difference, 1 for the sum.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .exactness import magnitudes, rationals, to_float
from .formats import Format
from .rounding import dot_growth, outward, up

Inputs = Mapping[str, NDArray[np.float64]]
Formula = Callable[..., Any]
Adjoint = Callable[..., Mapping[str, Any]]

# Evaluating a bound in binary64 may lose to underflow what the operator did: υ counts twice.
_UNDERFLOW_SHARE = 2
_COTANGENT = "cotangent of the result"


@dataclass(frozen=True)
class Polynomial:
    """A formula with what rounding analysis asks of it.

    Parameters
    ----------
    formula : callable
        ``formula(minus, **arguments)``, of arrays of rationals or of float64 magnitudes.
    arguments : tuple of str
        In the order of the operator's signature.
    roundings : callable
        c, from the inputs: the most roundings on a path, besides inner products.
    lengths : callable
        Lengths of the inner products on a path, from the inputs.
    degrees : callable
        The degree of the formula in each argument as a whole, from the inputs; 1 where not named.
    adjoint : callable, optional
        ``adjoint(sign, cotangent, **arguments)``: the gradient of Σ cotangent·result with respect
        to every argument; by default by differences.
    """

    formula: Formula
    arguments: tuple[str, ...]
    roundings: Callable[[Inputs], int]
    lengths: Callable[[Inputs], tuple[int, ...]]
    degrees: Callable[[Inputs], Mapping[str, int]] = lambda inputs: {}
    adjoint: Adjoint | None = None

    def value(self, inputs: Inputs) -> NDArray[np.object_]:
        """The exact result, an object array of rationals."""
        exact = {name: rationals(inputs[name]) for name in self.arguments}
        return np.asarray(self.formula(operator.sub, **exact), dtype=object)

    def magnitude(self, inputs: Inputs) -> NDArray[np.float64]:
        """M, not rounded outward."""
        sizes = {name: magnitudes(inputs[name]) for name in self.arguments}
        return np.asarray(self.formula(operator.add, **sizes), dtype=np.float64)

    def bound(self, inputs: Inputs, fmt: Format) -> NDArray[np.float64]:
        """A bound of the error of every spelling, entry by entry, float64, rounded up."""
        lengths = self.lengths(inputs)
        return self._bound(self.magnitude(inputs), inputs, fmt, self.roundings(inputs), lengths)

    def _bound(
        self,
        magnitude: NDArray[np.float64],
        inputs: Inputs,
        fmt: Format,
        roundings: int,
        lengths: tuple[int, ...],
    ) -> NDArray[np.float64]:
        r = fmt.unit_roundoff
        growth = (1 + r) ** roundings
        for length in lengths:
            growth *= 1 + dot_growth(length, r)
        operations = roundings + 2 * sum(lengths)
        degrees = self.degrees(inputs)
        largest = 1.0
        # in one order, since the last digit of a product depends on it
        for name in filter(inputs.__contains__, (*self.arguments, _COTANGENT)):
            reach = 1.0 + magnitudes(inputs[name]).max(initial=0.0)
            largest *= reach ** degrees.get(name, 1)
        lost = up(_UNDERFLOW_SHARE * fmt.underflow_unit * growth * operations) * largest
        return outward(up(growth - 1) * magnitude + lost, 4 * operations + 32)

    def gradient(
        self, inputs: Inputs, cotangent: NDArray[np.float64], name: str
    ) -> NDArray[np.object_]:
        """The exact gradient of Σ cotangent·result with respect to an argument."""
        exact = {n: rationals(inputs[n]) for n in self.arguments}
        return self._gradient(-1, exact, rationals(cotangent), name)

    def _gradient(
        self,
        sign: int,
        arguments: Mapping[str, NDArray[np.object_]],
        cotangent: NDArray[np.object_],
        name: str,
    ) -> NDArray[np.object_]:
        if self.adjoint is not None:
            return np.asarray(self.adjoint(sign, cotangent, **arguments)[name], dtype=object)
        minus = operator.sub if sign < 0 else operator.add
        return differences(self.formula, minus, arguments, cotangent, name)

    def gradient_bound(
        self, inputs: Inputs, cotangent: NDArray[np.float64], name: str, fmt: Format
    ) -> NDArray[np.float64]:
        """A bound of the error of that gradient, by autograd through any spelling."""
        # magnitudes as rationals too: f(a + 1) − f(a − 1) would cancel in float64
        sizes = {n: rationals(magnitudes(inputs[n])) for n in self.arguments}
        G = rationals(magnitudes(cotangent))
        exact = self._gradient(1, sizes, G, name)
        magnitude = np.array([to_float(x) for x in exact.flat]).reshape(exact.shape)
        # a column meets a sum over the columns where an entry is shared by all of them
        lengths = self.lengths(inputs) * 2 + np.shape(cotangent)[-1:]
        reached = {**inputs, _COTANGENT: cotangent}
        roundings = 2 * self.roundings(inputs) + 2
        return self._bound(magnitude, reached, fmt, roundings, lengths)


def differences(
    formula: Formula,
    minus: Callable[[Any, Any], Any],
    arguments: Mapping[str, NDArray[np.object_]],
    cotangent: NDArray[np.object_],
    name: str,
) -> NDArray[np.object_]:
    """(Σ G·f(a + 1) − Σ G·f(a − 1))/2 for every entry a of an argument."""
    at = arguments[name]
    found = np.empty(at.shape, dtype=object)
    for index in np.ndindex(at.shape):
        ends = []
        for step in (1, -1):
            moved = at.copy()
            moved[index] = moved[index] + step
            value = np.asarray(formula(minus, **{**arguments, name: moved}), dtype=object)
            ends.append(np.asarray(cotangent * value, dtype=object).sum())
        found[index] = (ends[0] - ends[1]) / 2
    return found
