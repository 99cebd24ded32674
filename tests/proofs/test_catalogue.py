"""The catalogue: the ledger's rows in order, what is attached to them, mutants, files of users."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from deltaproof import proofs
from deltaproof.proofs.catalogue import ENTRIES, CatalogueError, entry, load
from deltaproof.proofs.catalogue.entry import Entry, Mutant, kinds_but
from deltaproof.proofs.catalogue.mutation import generate_mutants, without
from deltaproof.proofs.checks import WitnessError, check_witness
from deltaproof.symbolic import Claim, delta, dims, eq, eye, le, lt, matrix, scalar, vector
from deltaproof.symbolic.claims import symbols
from deltaproof.symbolic.counterproofs import check_counterproof
from deltaproof.symbolic.derivations import check_derivation, counterexample, exact_inputs
from deltaproof.symbolic.evaluation import evaluate
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.exact import EXACT
from deltaproof.symbolic.expressions import IndexSymbol
from deltaproof.symbolic.ledger import FAMILIES, claims
from deltaproof.symbolic.printing import definitions, plain
from deltaproof.symbolic.propositions import Defined, Exists, TendsTo, atoms, exists, forall

ROOT = Path(inspect.getfile(proofs)).parent.parent
PINNED = Path(__file__).parent.parent / "golden" / "ledger.txt"
PROVED = [e for e in ENTRIES if e.claim.expected == "proved"]
REFUTED = [e for e in ENTRIES if e.claim.expected == "refuted"]
every_entry = pytest.mark.parametrize("row", ENTRIES, ids=lambda e: e.claim.id)


def ledger() -> str:
    """Every row: verdict, id, the kinds of evidence attached."""
    return "".join(f"{e.claim.expected:8}{e.claim.id}: {', '.join(e.kinds)}\n" for e in ENTRIES)


def test_no_row_loses_a_kind_of_evidence():
    """DELTAPROOF_UPDATE_GOLDEN=1 writes the pinned page anew, to be reviewed."""
    if os.environ.get("DELTAPROOF_UPDATE_GOLDEN"):
        PINNED.write_text(ledger(), encoding="utf-8")
    assert ledger() == PINNED.read_text(encoding="utf-8")


def test_the_statements_alone_are_the_ledger_in_its_order():
    assert claims() == tuple(row.claim for row in ENTRIES)
    assert list(dict.fromkeys(claim.family for claim in claims())) == list(FAMILIES)


@every_entry
def test_attached_kinds_have_what_they_need(row):
    assert len(set(row.kinds)) == len(row.kinds)
    assert (Kind.DERIVATION in row.kinds) == (row.derivation is not None)
    assert (Kind.COUNTERPROOF in row.kinds) == (row.counterproof is not None)
    stored = (ROOT / "proofs" / "certificates" / f"{row.claim.id}.json").is_file()
    assert stored == (Kind.CERTIFICATE in row.kinds)
    if Kind.KERNEL in row.kinds:
        assert row.lemma is not None or stored
    assert (Kind.TORCH in row.kinds) == bool(row.operators)
    if row.claim.expected == "proved":
        assert {Kind.CERTIFICATE, Kind.DERIVATION} & set(row.kinds)
        assert row.repaired_by is None
    else:
        assert {Kind.COUNTEREXAMPLE, Kind.COUNTERPROOF} & set(row.kinds)
        assert row.repaired_by is None or row.repaired_by in {e.claim.id for e in ENTRIES}


@every_entry
def test_printed_rows_are_quoted_and_readings_are_not(row):
    source, (_, _, ending) = row.claim.source, row.claim.id.rpartition("_")
    if ending in ("printed", "reading"):
        assert row.claim.expected == "refuted"
        assert source.literal == (ending == "printed")
    if source.literal:
        assert source.place  # a quotation can be looked up
    if source.label == "NEW":
        assert (source.place, source.literal) == ("", False)


@every_entry
def test_lemmas_and_operators_exist(row):
    if row.lemma is not None:
        file, _, name = row.lemma.partition(":")
        source = (ROOT / "proofs" / "rocq" / f"{file}.v").read_text(encoding="utf-8")
        assert re.search(rf"^(Lemma|Theorem) {name}\b", source, re.MULTILINE), row.lemma
    names = definitions(row.claim.statement)
    found = symbols(row.claim)
    for name, operator in row.operators.items():
        file, _, function = operator.function.partition(":")
        source = (ROOT / "torch_impl" / f"{file}.py").read_text(encoding="utf-8")
        assert re.search(rf"^def {function}\(", source, re.MULTILINE), operator.function
        known = {s.name for s in (*found.scalars, *found.matrices)}
        if operator.instance is None:
            assert name in names
            assert set(operator.arguments) <= known
        else:
            assert name in {s.name for s in found.functions}


# ---------------------------------------------------------------- mutants


@every_entry
def test_every_row_has_near_misses_of_its_statement(row):
    counted = [m for m in row.mutants if not m.stays_true]
    assert len(counted) >= 3
    assert len({m.name for m in row.mutants}) == len(row.mutants)
    statements = [m.claim.statement for m in row.mutants]
    assert len(set(statements)) == len(statements)
    for mutant in row.mutants:
        assert mutant.claim.id == row.claim.id
        assert mutant.claim.statement != row.claim.statement


@pytest.mark.parametrize("row", PROVED, ids=lambda e: e.claim.id)
def test_mutants_of_a_proved_claim_are_false_by_exact_numbers(row):
    assert counterexample(row.claim) is None
    for mutant in row.mutants:
        if of_limits(mutant.claim.then):  # no finite number of terms decides one
            evidence = check_derivation(mutant.claim, row.derivation)
            assert evidence.outcome is not Outcome.CONFIRMED, mutant.name
        else:
            assert (counterexample(mutant.claim) is None) == mutant.stays_true, mutant.name


def of_limits(statement):
    return any(
        isinstance(a, TendsTo) and isinstance(a.variable, IndexSymbol) for a in atoms(statement)
    )


@pytest.mark.parametrize("row", REFUTED, ids=lambda e: e.claim.id)
def test_mutants_of_a_refuted_claim_are_repairs(row):
    for mutant in row.mutants:
        assert not mutant.stays_true
        assert counterexample(mutant.claim, tries=20) is None, mutant.name
        if row.counterproof is not None:
            evidence = check_counterproof(mutant.claim, row.counterproof)
            assert evidence.outcome is Outcome.INCONCLUSIVE, mutant.name


def test_the_same_search_refutes_the_printed_product():
    assert counterexample(entry("residual.scaled_unrolled_printed").claim) is not None


# ---------------------------------------------------------------- mutants by rule

n = dims("n")
A, x = matrix("A", n, n), vector("x", n)
a, b = scalar("a"), scalar("b")


def test_every_change_is_made_by_rule():
    claim = Claim("t.rule", given=[le(0, a), le(a, b)], then=eq(A @ x + a * x, x - b * (A.T @ x)))
    made = {m.name for m in generate_mutants(claim)}
    assert made == {
        "without the hypothesis 0 ≤ a",
        "without the hypothesis a ≤ b",
        "the right side of A x + a x = x − b Aᵀ x doubled",
        "the right side of A x + a x = x − b Aᵀ x negated",
        "− in place of + in A x + a x",
        "A transposed",
        "+ in place of − in x − b Aᵀ x",
        "A in place of Aᵀ",
    }
    order = Claim("t.order", then=le(a, a))
    assert [m.name for m in generate_mutants(order)] == ["< in place of ≤ in a ≤ a"]


def test_changes_inside_an_equivalence_are_made_too():
    changed = {m.name for m in generate_mutants(entry("delta.orthogonal_iff").claim)}
    assert "the right side of β = 2 negated" in changed
    assert "+ in place of − in I − β k kᵀ" in changed


def test_a_notation_changed_in_one_place_is_spelled_out():
    claim = entry("birkhoff.cannot_negate").claim
    assert isinstance(claim.then, Defined)
    made = [m.claim.then for m in generate_mutants(claim) if m.rule != "hypothesis"]
    # what is printed from its places would not be what is proved of its body
    assert made
    assert not any(isinstance(then, Defined) for then in made)


def test_bound_variables_stay_what_they_are():
    bound = Claim("t.bound", then=exists(A, forall(b, eq(b * A, A.T))))
    made = {m.name for m in generate_mutants(bound) if m.rule == "transposition"}
    assert made == {"A transposed", "A in place of Aᵀ"}
    for mutant in generate_mutants(bound):
        assert isinstance(mutant.claim.then, Exists)
        assert mutant.claim.then.variable == A
        assert plain(mutant.claim.then)


def test_a_change_that_leaves_a_term_undefined_is_left_out():
    claim = entry("cayley.orthogonal").claim
    for mutant in generate_mutants(claim):
        assert mutant.claim.given  # without skew, (I + S)⁻¹ may not exist
        assert isinstance(mutant, Mutant)


@pytest.mark.parametrize("id", ["delta.eigenvalue_along_k", "cayley.orthogonal"])
def test_exact_numbers_refute_mutants_made_by_rule(id):
    claim = entry(id).claim
    made = generate_mutants(claim)
    assert len(made) >= 4
    assert sum(counterexample(m.claim, tries=20) is not None for m in made) >= 4


def test_only_a_hypothesis_can_be_dropped():
    claim = entry("delta.eigenvalue_along_k").claim
    assert without(claim, claim.given[0]).given == ()
    with pytest.raises(ValueError, match="has no hypothesis"):
        without(claim, eq(eye(1), eye(1)))


# ---------------------------------------------------------------- statements and their parts


def test_the_worked_example_exactly():
    """k = (1,0), X = (2,3): β = 1 gives (0,3), β = 2 gives (−2,3)."""
    from deltaproof.symbolic.exact import exact_assignment

    for beta, expected in ((1, [[0], [3]]), (2, [[-2], [3]])):
        at = exact_assignment(
            {"d": 2, "m": 1},
            {"beta": beta, "k": [[1], [0]], "X": [[2], [3]], "v": [[0]]},
        )
        assert EXACT.rows(evaluate(delta.A @ delta.X, at, EXACT)) == expected


@pytest.mark.parametrize("row", PROVED, ids=lambda e: e.claim.id)
def test_the_hypotheses_of_a_proved_claim_can_be_met(row):
    from deltaproof.symbolic.evaluation import holds

    assert any(
        all(holds(h, inputs.at, EXACT) is True for h in inputs.unmet)
        for inputs in exact_inputs(row.claim, tries=2)
    )


# ---------------------------------------------------------------- the file of a user

USER = """
from deltaproof.symbolic import Claim, dims, eq, matrix
n = dims("n")
A, B = matrix("A", n, n), matrix("B", n, n)
CLAIMS = [
    Claim("user.reversed", then=eq((A @ B).T, B.T @ A.T)),
    Claim("user.kept", then=eq((A @ B).T, A.T @ B.T), expected="refuted"),
]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_claims_of_a_file_get_kinds_and_mutants(tmp_path):
    first, second = load(written(tmp_path, USER))
    assert (first.claim.id, second.claim.expected) == ("user.reversed", "refuted")
    assert first.claim.location[0].endswith("mine.py")
    assert set(first.kinds) == {
        Kind.KERNEL, Kind.CERTIFICATE, Kind.COUNTEREXAMPLE, Kind.ENCLOSURE, Kind.LADDER,
        Kind.PROPERTY,
    }  # fmt: skip
    assert len(first.mutants) >= 4
    assert "deltaproof_catalogue_mine" not in sys.modules


def test_a_file_may_hold_entries_as_well(tmp_path):
    text = "from deltaproof.proofs.catalogue import ENTRIES\nCLAIMS = (ENTRIES[0],)\n"
    assert load(written(tmp_path, text)) == (ENTRIES[0],)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("X = 1", "defines no CLAIMS"),
        ("CLAIMS = []", "is empty"),
        ("CLAIMS = 3", "must be a list"),
        ("CLAIMS = ['a']", "neither a Claim nor an Entry"),
        ("raise KeyError('x')", "KeyError"),
        ("CLAIMS = [", "SyntaxError"),
        (USER.replace("user.kept", "user.reversed"), "two claims with the id user.reversed"),
        (USER.replace("B.T @ A.T", "A.T @ 2"), "Error"),
        (
            "from dataclasses import replace\nfrom deltaproof.proofs.catalogue import ENTRIES\n"
            "CLAIMS = [replace(ENTRIES[0], repaired_by='mine.none')]",
            "repaired by 'mine.none', which is no claim",
        ),
    ],
)
def test_a_file_that_is_no_catalogue_is_refused(tmp_path, text, words):
    with pytest.raises(CatalogueError, match=words):
        load(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\n\nraise KeyError('x')", r"KeyError: 'x', at mine\.py:3$"),
        (
            USER.replace("then=eq((A @ B).T, B.T @ A.T)", "then=A == B"),
            r"compare .*, at mine\.py:6$",
        ),
        ("def f():\n    return 1 / 0\n\nCLAIMS = [f()]", r", at mine\.py:2$"),
        ("CLAIMS = (1 / 0 for _ in '1')", r"by zero, at mine\.py:1$"),
        ("CLAIMS = [", r"was never closed \(mine\.py, line 1\)$"),
    ],
)
def test_what_a_file_raises_names_its_innermost_line(tmp_path, text, words):
    with pytest.raises(CatalogueError, match=words):
        load(written(tmp_path, text))


# ---------------------------------------------------------------- witnesses that are given

TURN = Claim("t.turn", given=[eq(A.T @ A, eye(n)), lt(0, a), eq(a * a + b * b, 1)], then=eq(b, b))
MET = {
    "sizes": {"n": 2},
    "values": {"A": [["0", "1"], ["-1", "0"]], "a": "3/5", "b": "-4/5"},
}


def test_a_witness_that_meets_the_hypotheses_is_kept(tmp_path):
    assert check_witness(TURN, MET) == MET
    found = proofs.verify(Entry(TURN, (Kind.PROPERTY,), witness=MET), cache=tmp_path).results[0]
    assert found.witness == MET


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"a": "-3/5"}, "does not meet the hypothesis 0 < a"),
        ({"b": "3/5"}, "does not meet the hypothesis a a"),
        ({"A": [["0", "1"], ["1", "1"]]}, "does not meet the hypothesis Aᵀ A = I"),
        ({"A": [["0", "1"]]}, "cannot be evaluated|does not meet"),
        ({"a": "half"}, "cannot be evaluated: ValueError"),
        ({"b": None}, "cannot be evaluated: TypeError"),
    ],
)
def test_a_witness_that_does_not_is_an_error_that_says_which(tmp_path, values, words):
    wrong = {**MET, "values": {**MET["values"], **values}}
    with pytest.raises(WitnessError, match=words):
        check_witness(TURN, wrong)
    run = proofs.verify(Entry(TURN, (Kind.PROPERTY,), witness=wrong), cache=tmp_path)
    assert (run.results[0].status, run.exit_code()) == ("error", 1)
    # a repaired witness is looked at again
    assert proofs.verify(Entry(TURN, (Kind.PROPERTY,), witness=MET), cache=tmp_path).results[
        0
    ].witness == MET  # fmt: skip


def test_a_value_that_is_missing_is_said():
    missing = {"sizes": {"n": 2}, "values": {"A": MET["values"]["A"], "b": "1"}}
    with pytest.raises(WitnessError, match="KeyError"):
        check_witness(TURN, missing)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(CatalogueError, match="there is no file"):
        load(tmp_path / "nowhere.py")
    (tmp_path / "notes.txt").write_text("CLAIMS = []", encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"ends in \.py"):
        load(tmp_path / "notes.txt")
    with pytest.raises(CatalogueError, match="no claim is called"):
        entry("delta.nothing")


def test_the_catalogue_imports_no_heavy_library():
    code = (
        "import sys, deltaproof.proofs.catalogue;"
        "heavy = ('sympy', 'mpmath', 'torch', 'numpy', 'hypothesis', 'flint');"
        "print([m for m in heavy if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_kinds_but_leaves_out_what_it_is_told():
    assert Kind.COUNTEREXAMPLE not in kinds_but()
    assert set(kinds_but()) - set(kinds_but(Kind.TORCH)) == {Kind.TORCH}
