"""The Python API: what it accepts, and that nothing it refuses comes out green."""

from pathlib import Path
from typing import Any

import pytest
from deltaproof.proofs import prove, verify
from deltaproof.proofs.catalogue import entry
from deltaproof.proofs.selection import SelectionError
from deltaproof.symbolic import Claim, dims, eq, matrix

n = dims("n")
A, B = matrix("A", n, n), matrix("B", n, n)
CLAIM = Claim("own.transposed", then=eq(A.T.T, A))
KNOWN = "delta.eigenvalue_off_k"
QUICK: dict[str, Any] = {"kinds": ["certificate"], "cache": False}


@pytest.mark.parametrize(
    ("claims", "options", "problem", "told"),
    [
        ([], {}, SelectionError, "no claims to check"),
        (CLAIM, {"kinds": []}, SelectionError, "no check is left .kinds asked for: none; kinds"),
        ([CLAIM, KNOWN], {"kinds": ["counterexample"]}, SelectionError, f"{KNOWN}: no check"),
        (CLAIM, {"kinds": "certificate"}, TypeError, r'write kinds=\["certificate"\]'),
        (CLAIM, {"require": "certificate"}, TypeError, r'write require=\["certificate"\]'),
        (CLAIM, {"kinds": ["proof"]}, ValueError, "'proof'; there are kernel, certificate"),
        (CLAIM, {"require": ["proof"]}, ValueError, "'proof'; there are kernel, certificate"),
        (CLAIM, {"jobs": -1}, ValueError, "at least 0"),
        (CLAIM, {"jobs": "2"}, TypeError, "got '2'"),
        (CLAIM, {"seed": "x"}, TypeError, "got 'x'"),
        (CLAIM, {"cache": None}, TypeError, "a folder, got None"),
        (3, {}, TypeError, "got 3"),
        ([CLAIM, None], {}, TypeError, "got None"),
        ([CLAIM, CLAIM], {}, ValueError, "called own.transposed"),
        ([CLAIM, Claim(CLAIM.id, then=eq(A, B))], {}, ValueError, "called own.transposed"),
        ([Claim(KNOWN, then=eq(A, A)), "delta"], {}, ValueError, f"called {KNOWN}"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    claims: Any, options: dict[str, Any], problem: type[Exception], told: str
) -> None:
    with pytest.raises(problem, match=told):
        verify(claims, **{**QUICK, **options})


def test_prove_is_about_one_claim() -> None:
    with pytest.raises(ValueError, match=r"'delta' means \d+; use verify\('delta'\)"):
        prove("delta", **QUICK)
    assert prove(CLAIM, **QUICK).verdict == "proved"


def test_a_claim_may_be_selected_twice() -> None:
    run = verify([KNOWN, entry(KNOWN).claim.id, "delta.eigenvalue_off_*"], **QUICK)
    assert [r.id for r in run.results] == [KNOWN]


def test_a_cache_may_be_given_by_its_path(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    assert prove(CLAIM, kinds=["certificate"], cache=str(folder)).verdict == "proved"
    assert list(folder.rglob("*.json"))
