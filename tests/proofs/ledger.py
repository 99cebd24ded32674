"""What the tests of the families share.

by_id(rows)            == a parametrisation by rows of the catalogue
has_a_limit(statement) == does a limit occur, which no finite number of terms decides?
"""

from __future__ import annotations

import pytest
from deltaproof.symbolic.propositions import TendsTo


def by_id(rows):
    """A parametrisation by rows of the catalogue, called `row`."""
    return pytest.mark.parametrize("row", rows, ids=lambda e: e.claim.id)


def has_a_limit(statement):
    """Does a limit occur, which no finite number of terms decides?"""
    return isinstance(statement, TendsTo) or any(map(has_a_limit, statement.propositions))
