"""The bounds hold for every stable spelling, not for ours alone."""

import pytest
from deltaproof.torch_impl.conformance import conform
from deltaproof.torch_impl.conformance.contracts import OPERATORS
from deltaproof.torch_impl.conformance.zoo import RIGHT

# two of each contract; the score of the zoo looks at all
SPELLINGS = [
    entry
    for name in OPERATORS
    for entry in [entry for entry in RIGHT if entry.contract == name][:2]
]


@pytest.mark.parametrize("entry", SPELLINGS, ids=lambda entry: entry.name)
def test_a_stable_spelling_conforms_in_every_format(entry):
    conform(entry.operator, contract=entry.contract, profile="quick", **entry.options).check()
