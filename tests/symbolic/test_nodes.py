"""What nodes remember is not part of them."""

import os
import pickle
import subprocess
import sys

import pytest
from deltaproof.symbolic import dims, eq, matrix, vector
from deltaproof.symbolic.expressions import Add, Sub

n, m = dims("n m")
A, B = matrix("A", n, m), matrix("B", n, m)
k = vector("k", n)


def test_equal_trees_hash_alike_and_different_ones_differ():
    tree, same = (A + B).T @ k, (A + B).T @ k
    assert tree is not same
    assert hash(tree) == hash(same)
    assert tree == same
    assert {tree: 1}[same] == 1
    assert tree != (A - B).T @ k
    assert tree != (B + A).T @ k
    assert Add(A, B) != Sub(A, B)
    assert A != "A"
    assert eq(A, B) != eq(B, A)


def test_a_remembered_hash_stays_in_its_process():
    statement = eq(A.T @ k, B.T @ k)
    hash(statement)
    assert "_hash" in statement.__dict__
    restored = pickle.loads(pickle.dumps(statement))
    assert set(restored.__dict__) == {"left", "right"}
    program = (
        "import pickle, sys\n"
        "from deltaproof.symbolic import dims, eq, matrix, vector\n"
        "n, m = dims('n m')\n"
        "A, B, k = matrix('A', n, m), matrix('B', n, m), vector('k', n)\n"
        "found = pickle.loads(sys.stdin.buffer.read())\n"
        "assert found == eq(A.T @ k, B.T @ k) and found in {eq(A.T @ k, B.T @ k)}\n"
    )
    for seed in ("1", "2"):  # strings hash to other numbers there
        subprocess.run(
            [sys.executable, "-c", program],
            input=pickle.dumps(statement),
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )


def test_nodes_cannot_be_changed():
    with pytest.raises(AttributeError, match="cannot assign"):
        (A + B).left = B
