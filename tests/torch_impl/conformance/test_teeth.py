"""Every check of every contract can fail: each has a result that it rejects."""

import numpy as np
import pytest
from deltaproof.numeric.exactness import rationals, to_fraction
from deltaproof.numeric.formats import BINARY32
from deltaproof.torch_impl.conformance.checks import PER_SIZE
from deltaproof.torch_impl.conformance.contract import Options
from deltaproof.torch_impl.conformance.contracts import OPERATORS, contract
from deltaproof.torch_impl.conformance.readings import StatementReader

WRONG = {
    "negated": lambda y: -y,
    "a part of the identity": lambda y: np.eye(*y.shape[-2:]) if y.ndim == 2 else y,
    "zero": lambda y: 0 * y,
    "doubled": lambda y: 2 * y,
    "shifted": lambda y: y + 1,
    "its first row doubled": lambda y: np.concatenate([2 * y[:1], y[1:]]),
}


def floats(x):
    return np.array([float(to_fraction(v)) for v in np.asarray(x).flat]).reshape(np.shape(x))


STATEMENTS = [(name, s) for name in OPERATORS for s in contract(name).statements]
MEASURES = [(name, m) for name in OPERATORS for m in contract(name).measures]


@pytest.mark.parametrize(("name", "statement"), STATEMENTS, ids=lambda x: getattr(x, "claim", x))
def test_a_statement_holds_of_the_exact_result_and_rejects_a_wrong_one(name, statement):
    made, reader = contract(name), StatementReader(statement)
    tested, rejected = 0, set()
    for place in reader.places(BINARY32, PER_SIZE["quick"]):
        inputs = reader.arguments(place)
        right = floats(made.value(inputs)[statement.result])
        bound = made.bound(inputs, BINARY32)[statement.result]
        heard = reader.hear(place, right, bound)
        assert heard.truth is not False
        tested += heard.tested
        for how, wrong in WRONG.items():
            result = wrong(right) if right.ndim else right + 1
            if reader.hear(place, result, bound).truth is False:
                rejected.add(how)
    assert tested
    assert rejected


@pytest.mark.parametrize(("name", "measure"), MEASURES, ids=lambda x: getattr(x, "claim", x))
def test_a_measure_is_within_its_bound_and_rejects_a_wrong_result(name, measure):
    made = contract(name)
    domain = {p.name: p.value for p in made.domain}
    rejected = set()
    applied = 0
    for case in made.cases(BINARY32, domain, Options(domain)):
        if not measure.applies(case.inputs):
            continue
        applied += 1
        right = made.value(case.inputs)
        bound = measure.bound(case.inputs, made.bound(case.inputs, BINARY32), BINARY32)
        assert (np.abs(floats(measure.residual(case.inputs, right))) <= bound).all()
        for how in ("negated", "zero", "doubled", "shifted"):
            wrong = tuple(rationals(WRONG[how](floats(y))) for y in right)
            if (np.abs(floats(measure.residual(case.inputs, wrong))) > bound).any():
                rejected.add(how)
    assert applied
    assert rejected
