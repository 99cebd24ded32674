"""Theorems as files: each claim has its own."""

from pathlib import Path

from deltaproof.proofs import verify
from deltaproof.proofs.rocq_export import export_rocq
from deltaproof.symbolic import Claim, dims, eq, matrix

n = dims("n")
A, B = matrix("A", n, n), matrix("B", n, n)


def test_ids_that_are_spelled_alike_are_two_files(tmp_path: Path) -> None:
    claims = [
        Claim("own.one_two", then=eq((A + B).T, A.T + B.T)),
        Claim("own.one.two", then=eq((A @ B).T, B.T @ A.T)),
    ]
    run = verify(claims, kinds=["certificate"], cache=False)
    told = export_rocq(run.results, tmp_path)
    assert told[-1] == f"2 theorems in {tmp_path}"
    names = sorted(p.stem for p in tmp_path.glob("claim_*.v"))
    assert names == ["claim_own_one_two", "claim_own_one_two_"]
    listed = (tmp_path / "_CoqProject").read_text().split()
    assert {f"{name}.v" for name in names} <= set(listed)
    texts = [(tmp_path / f"{name}.v").read_text() for name in names]
    assert texts[0] != texts[1]
