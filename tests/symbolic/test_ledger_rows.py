"""The identities of the ledger as bare claims: certificates for the true, values for the false.

That the kernel accepts the certificates is tested in tests/proofs/test_certificate_export.py.
"""

import pytest
from deltaproof.symbolic.certificates import Certificate, check_certificate
from deltaproof.symbolic.evidence import Outcome
from deltaproof.symbolic.refutation import (
    check_counterexample,
    search_counterexample,
    search_witness,
)
from deltaproof.symbolic.search import search_certificate

from .ledger_rows import REFUTED, ROWS

# the rows that must have a certificate
NAMED = [
    "delta.rank_one_form",
    "delta.rank_one_form_normalised",
    "delta.eigenvalue_along_k",
    "delta.eigenvalue_regularised",
    "delta.eigenvalue_off_k",
    "delta.projection",
    "delta.reflection",
    "delta.inverse",
    "delta.identity",
    "delta.overwrite",
    "delta.preserves_complement",
    "delta.reflect_and_write",
    "delta.orthogonal_iff",
    "delta.norm_distortion",
    "delta.error_contraction",
    "delta.composition",
    "delta.commutator",
    "delta.delta_rule",
    "cayley.generator_skew",
    "cayley.factors_commute",
    "cayley.orthogonal",
    "cayley.isometry",
    "cayley.no_minus_one",
    "cayley.image",
    "cayley.inverse_is_transpose",
    "cayley.rank_two_cube",
    "cayley.rank_two_closed_form",
    "cayley.closed_form_gram",
    "cayley.rank_two_fixes_complement",
    "reflection.negates_its_axis_only",
    "reflection.negates_rank_one_only",
    "hybrid.gram",
    "hybrid.endpoints_orthogonal",
    "hybrid.reduces_to_residual",
    "iterative.series_0",
    "iterative.series_1",
    "iterative.series_2",
    "iterative.series_3",
    "iterative.series_4",
    "iterative.defect_0",
    "iterative.defect_1",
    "iterative.defect_2",
    "iterative.defect_3",
    "iterative.defect_4",
]


def test_no_row_is_missing():
    assert set(NAMED) <= set(ROWS)
    assert not set(ROWS) & set(REFUTED)


@pytest.mark.parametrize("name", ROWS)
def test_a_row_has_a_certificate_and_can_be_met(name):
    certificate = search_certificate(ROWS[name])
    assert isinstance(certificate, Certificate), certificate
    assert check_certificate(ROWS[name], certificate).outcome is Outcome.CONFIRMED
    assert search_witness(ROWS[name], time_limit=5) is not None


@pytest.mark.parametrize("name", REFUTED)
def test_a_refuted_row_has_a_counterexample_and_no_certificate(name):
    claim = REFUTED[name]
    at = search_counterexample(claim)
    assert at is not None
    assert check_counterexample(claim, at).outcome is Outcome.CONFIRMED
    assert not isinstance(search_certificate(claim, time_limit=1), Certificate)
