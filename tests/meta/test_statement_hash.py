"""A statement's hash covers all that is proved: whatever is edited, no old evidence counts."""

import json
from pathlib import Path

import pytest
from deltaproof.proofs import checks
from deltaproof.proofs.catalogue import ENTRIES
from deltaproof.proofs.catalogue.entry import Entry
from deltaproof.proofs.catalogue.mutation import generate_mutants
from deltaproof.proofs.checks import Environment, Settings, Task, fingerprint
from deltaproof.proofs.kernel import theorem_file
from deltaproof.symbolic import Claim, dims, eq, eye, inv, le, lt, matrix, named, scalar
from deltaproof.symbolic.claims import statement_hash
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.expressions import (
    constant,
    derivative,
    function,
    index,
    ones,
    ordered_product,
    sequence,
    total,
    zeros,
)
from deltaproof.symbolic.propositions import (
    both,
    differentiable,
    either,
    exists,
    forall,
    iff,
    implies,
    invertible,
    ne,
    tends_to,
)

n, m = dims("n m")
i, j, L = index("i j L")
a, b = scalar("a"), scalar("b")
A, B = matrix("A", n, n), matrix("B", n, n)
x = matrix("x", n, 1)
f = function("f")
A_i, B_i = sequence("A_i", n, n), sequence("B_i", n, n)
small, large = le(0, a), lt(0, a)
skew = eq(A.T, -A)


def claim(*given, then=None):
    return Claim("t.edited", given=given, then=eq(A, B) if then is None else then)


def says(then):
    return claim(then=then)


EDITS = {
    "hypothesis dropped": (claim(skew), claim()),
    "hypothesis added": (claim(), claim(skew)),
    "hypothesis in another place": (claim(skew, small), claim(small, skew)),
    "hypothesis made strict": (claim(small), claim(large)),
    "hypothesis becomes a premise": (claim(skew), says(implies(skew, eq(A, B)))),
    "conclusion": (claim(then=eq(A, B)), claim(then=eq(A, -B))),
    "relation": (says(eq(a, b)), says(ne(a, b))),
    "strictness": (says(le(a, b)), says(lt(a, b))),
    "sides exchanged": (says(le(a, b)), says(le(b, a))),
    "sign": (says(eq(A + B, A)), says(eq(A - B, A))),
    "factor": (says(eq(A, 2 * B)), says(eq(A, 3 * B))),
    "exponent": (says(eq(a**2, b)), says(eq(a**3, b))),
    "order of a product": (says(eq(A @ B, A)), says(eq(B @ A, A))),
    "grouping": (says(eq(A @ (B @ A), A)), says(eq((A @ B) @ A, A))),
    "transposition": (says(eq(A, B)), says(eq(A.T, B))),
    "inverse": (
        claim(invertible(A), then=eq(A, B)), claim(invertible(A), then=eq(inv(A), B)),
    ),
    "another symbol": (says(eq(A @ A, B)), says(eq(A @ B, B))),
    "body of a definition": (
        says(eq(named("Q", A + B), A)), says(eq(named("Q", A - B), A)),
    ),
    "name of a definition": (
        says(eq(named("Q", A + B), A)), says(eq(named("R", A + B), A)),
    ),
    "a definition spelled out": (says(eq(named("Q", A + B), A)), says(eq(A + B, A))),
    "size of a symbol": (
        says(eq(matrix("C", n, n), zeros(n, n))), says(eq(matrix("C", n, m), zeros(n, m))),
    ),
    "a fixed size": (
        says(eq(matrix("C", n, n), eye(n))), says(eq(matrix("C", 2, 2), eye(2))),
    ),
    "another fixed size": (
        says(eq(matrix("C", 2, 2), eye(2))), says(eq(matrix("C", 3, 3), eye(3))),
    ),
    "a number in a matrix": (
        says(eq(matrix("C", 1, 2), constant([[1, 2]]))),
        says(eq(matrix("C", 1, 2), constant([[1, 3]]))),
    ),
    "ones for zeros": (says(eq(x, ones(n))), says(eq(x, zeros(n, 1)))),
    "quantifier": (
        says(forall(x, eq(A @ x, x))), says(exists(x, eq(A @ x, x))),
    ),
    "order of quantifiers": (
        says(forall(a, exists(b, le(a, b)))), says(exists(b, forall(a, le(a, b)))),
    ),
    "a free symbol is bound": (says(eq(A @ x, x)), says(forall(x, eq(A @ x, x)))),
    "first index of a range": (
        says(forall(i, eq(A_i[i], B_i[i]), over=(0, L))),
        says(forall(i, eq(A_i[i], B_i[i]), over=(1, L))),
    ),
    "last index of a range": (
        says(forall(i, eq(A_i[i], B_i[i]), over=(0, L))),
        says(forall(i, eq(A_i[i], B_i[i]), over=(0, L - 1))),
    ),
    "no last index": (
        says(forall(i, eq(A_i[i], B_i[i]), over=(0, L))),
        says(forall(i, eq(A_i[i], B_i[i]), over=(0, None))),
    ),
    "range of a sum": (
        says(eq(total(i, 0, L, A_i[i]), A)), says(eq(total(i, 1, L, A_i[i]), A)),
    ),
    "order of a long product": (
        says(eq(ordered_product(i, 0, L, A_i[i]), A)),
        says(eq(ordered_product(i, L, 0, A_i[i]), A)),
    ),
    "shape of a sequence": (
        says(eq(sequence("s", n)[i], zeros(n, 1))), says(eq(sequence("s", m)[i], zeros(m, 1))),
    ),
    "connective": (says(both(small, large)), says(either(small, large))),
    "one way of an equivalence": (says(iff(small, large)), says(implies(small, large))),
    "variable of a derivative": (
        says(eq(derivative(a * b**2, a), b)), says(eq(derivative(a * b**2, b), b)),
    ),
    "point of a derivative": (
        says(eq(derivative(a**2, a, at=0), b)), says(eq(derivative(a**2, a, at=1), b)),
    ),
    "order of a derivative": (
        says(eq(derivative(a**3, a), b)), says(eq(derivative(a**3, a, order=2), b)),
    ),
    "point of differentiability": (
        says(differentiable(f(a), a, at=0)), says(differentiable(f(a), a, at=1)),
    ),
    "limit": (says(tends_to(a, 0, variable=a, to=0)), says(tends_to(a, 1, variable=a, to=0))),
    "a scalar for an entry": (
        says(forall(a, eq(a * A, B))), says(forall(b, eq(b * A, B))),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.of([*Kind])


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_statement_loses_its_evidence(
    name: str, tmp_path: Path, environment: Environment
) -> None:
    before, after = EDITS[name]
    assert statement_hash(before) != statement_hash(after)
    # whatever a kind found is kept under another key
    settings = Settings(certificates=tmp_path)
    for kind in (*Kind, None):
        keys = [
            fingerprint(Task(Entry(c, tuple(Kind)), kind), settings, environment)
            for c in (before, after)
        ]
        assert json.dumps(keys[0]) != json.dumps(keys[1]), kind
    # and the old certificate is refused, by the checker and by the kernel
    stored = json.loads((checks.CERTIFICATES / "delta.identity.json").read_text())
    stored["statement_hash"] = statement_hash(before)
    (tmp_path / "t.edited.json").write_text(json.dumps(stored))
    task = Task(Entry(after, (Kind.CERTIFICATE,)), Kind.CERTIFICATE)
    found = checks.perform(task, settings)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "certifies another statement" in found.detail
    with pytest.raises(ValueError, match="the certificate is for another statement"):
        theorem_file(after, None, stored)


def test_the_same_statement_keeps_its_hash() -> None:
    one = Claim("t.one", given=[skew], then=eq(A, B), title="A title", source="HERE")
    other = Claim("t.other", given=[skew], then=eq(A, B), expected="refuted")
    assert statement_hash(one) == statement_hash(other)


def test_different_statements_have_different_hashes() -> None:
    statements = {
        c.statement: statement_hash(c)
        for e in ENTRIES
        for c in (e.claim, *(m.claim for m in (*e.mutants, *generate_mutants(e.claim))))
    }
    assert len(statements) > len(ENTRIES)
    assert len(set(statements.values())) == len(statements)
