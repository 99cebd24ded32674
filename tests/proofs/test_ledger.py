"""Every row of the ledger: its deciding kinds, the kernel aside, give the expected verdict."""

from __future__ import annotations

from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.proofs.checks import Settings, Task, perform
from deltaproof.proofs.verdicts import judge
from deltaproof.symbolic.evidence import DECIDES_PROVED, DECIDES_REFUTED, Kind

from .ledger import by_id

DECIDING = (DECIDES_PROVED | DECIDES_REFUTED) - {Kind.KERNEL}


@by_id(ENTRIES)
def test_the_expected_verdict_is_computed(row):
    kinds = [kind for kind in row.kinds if kind in DECIDING]
    evidence = [perform(Task(row, kind), Settings()) for kind in kinds]
    ruling = judge(row.claim, evidence, attached=kinds)
    assert (ruling.verdict, ruling.status) == (row.claim.expected, "as_expected"), ruling
