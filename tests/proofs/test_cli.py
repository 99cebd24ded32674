"""The command: exit codes in their precedence, what goes where, and that it starts at once."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from deltaproof.proofs import catalogue as ledger
from deltaproof.proofs import checks, runner
from deltaproof.proofs.catalogue import BARE_KINDS, kernel_wanted, owed
from deltaproof.proofs.catalogue import entry as catalogue_entry
from deltaproof.proofs.catalogue.wanted import KERNEL_WANTED
from deltaproof.proofs.cli import KINDS, exit_code
from deltaproof.proofs.record import read, validate
from deltaproof.proofs.selection import select, unchecked
from deltaproof.symbolic.evidence import GROUPS, Kind

PROGRAM = "from deltaproof.proofs.cli import main; main()"
TRUE = "delta.eigenvalue_off_k"
CATALOGUE = """
from deltaproof.symbolic import Claim, both, eq, le, lt, scalar, dims, matrix, eye

n = dims("n")
a, b = scalar("a"), scalar("b")
A, B = matrix("A", n, n), matrix("B", n, n)

CLAIMS = [
    Claim("mine.{name}", **dict({arguments})),
]
"""
CLAIMS = {
    "true": "then=eq((A @ B).T, B.T @ A.T)",
    "false": "then=eq(A @ B, B @ A)",
    "refuted": "then=eq(A @ B, B @ A), expected='refuted'",
    "vacuous": "given=[lt(0, a), lt(a, 0)], then=eq(A @ B, B @ A)",
    "unsound_at_zero": "given=[eq(a * A, a * B)], then=eq(A, B), expected='refuted'",
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DELTAPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def no_coqc(monkeypatch: pytest.MonkeyPatch) -> None:
    """No program is found: bare claims go without the kernel, and the test is quick."""
    monkeypatch.setenv("PATH", str(Path.cwd()))


def catalogue(name: str) -> str:
    path = Path(f"{name}.py")
    path.write_text(CATALOGUE.format(name=name, arguments=CLAIMS[name]))
    return str(path)


def test_as_expected_exits_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["verify", TRUE, "--kind", "certificate"]) == 0
    printed = capsys.readouterr()
    assert "eigenvalue_off_k" in printed.out
    assert "1 proved, as expected" in printed.out
    assert "\x1b[" not in printed.out + printed.err
    assert "checked 2 of 2" in printed.err
    assert max(map(len, printed.out.splitlines())) <= 80


@pytest.mark.usefixtures("no_coqc")
def test_a_false_claim_exits_1_and_names_what_said_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exit_code(["verify", "--catalogue", catalogue("false")]) == 1
    out = capsys.readouterr().out
    assert "counterexample confirmed" in out
    assert "expected proved, found refuted" in out
    assert "reproduce: deltaproof verify mine.false --catalogue false.py" in out


@pytest.mark.usefixtures("no_coqc")
@pytest.mark.parametrize("name", ["true", "refuted", "unsound_at_zero"])
def test_a_claim_of_ones_own_exits_0(name: str) -> None:
    assert exit_code(["verify", "--strict", "--catalogue", catalogue(name)]) == 0


@pytest.mark.usefixtures("no_coqc")
def test_hypotheses_that_contradict_each_other_prove_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exit_code(["verify", "--catalogue", catalogue("vacuous")]) == 1
    assert "may contradict" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["verify", "nosuch"], "did you mean cayley.nonsingular"),
        (["verify", "delta.determinat"], "did you mean delta.determinant"),
        (["verify", "determinant"], "did you mean"),
        (["show", "nosuch"], "no claim, family or contract is called 'nosuch'"),
        (["show", "delta_updat"], "did you mean delta_update, "),
        (["list", "nosuch"], "no claim or family is called 'nosuch'"),
        (["verify", "--kind", "proof"], "'proof' is not one of"),
        (["verify", "--catalogue", "nothing.py"], "there is no file nothing.py"),
        (["verify", "--json", "no/such/folder.json"], "no folder no/such"),
        (["verify", "--jobs", "0"], "0 is not in the range"),
        (["report", "--out", "out"], "run `deltaproof verify` first"),
        (["report", "nothing.json", "--out", "out"], "cannot read nothing.json"),
        (["report", "--out", "out", "--format", "docx"], "no format 'docx'"),
        (["nosuch"], "No such command"),
    ],
)
def test_usage_errors_exit_2(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(arguments) == 2
    printed = capsys.readouterr()
    assert told in printed.err
    assert printed.out == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("CLAIMS = [", "SyntaxError"),
        ("x = 1", "CLAIMS"),
        ("raise ValueError('mine')", "bad.py stops with ValueError: mine, at bad.py:1\n"),
        ("import sys; sys.exit(0)", "bad.py stops with SystemExit: 0"),
        ("raise SystemExit('enough')", "bad.py stops with SystemExit: enough"),
        ("class Own(BaseException): ...\nraise Own", "bad.py stops with Own"),
        ("import sys\nCLAIMS = (sys.exit(0) for _ in range(1))", "bad.py stops with SystemExit"),
        ("CLAIMS = 3", "CLAIMS of bad.py must be a list of claims, got 3"),
        ("CLAIMS = ['delta']", "CLAIMS[0] of bad.py is neither a Claim nor an Entry"),
        ("import no_such_neighbour", "No module named 'no_such_neighbour'"),
        (CATALOGUE.format(name="singular", arguments="then=eq(1 / a, b)"), "denominator a"),
        (CATALOGUE.format(name="shape", arguments="then=eq(A, eye(1))"), "compare"),
    ],
)
def test_a_catalogue_that_cannot_be_read_exits_2(
    text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.py").write_text(text)
    assert exit_code(["verify", "--catalogue", "bad.py"]) == 2
    printed = capsys.readouterr()
    assert told in printed.err
    assert "Traceback" not in printed.err


def test_a_catalogue_may_use_its_neighbours_and_what_it_prints_is_no_data(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("one", "two"):
        Path(folder).mkdir()
        Path(folder, "my_words.py").write_text(f"NAME = 'from_{folder}'")
        text = CATALOGUE.format(name="", arguments=CLAIMS["true"]).replace(
            '"mine."', 'f"mine.{my_words.NAME}"'
        )
        Path(folder, "own.py").write_text(f"import my_words\nprint('noise')\n{text}")
        before = [*sys.path]
        assert exit_code(["list", "--catalogue", f"{folder}/own.py"]) == 0
        printed = capsys.readouterr()
        assert printed.out == f"proved   mine.from_{folder}                mine.from_{folder}\n"
        assert printed.err == "noise\n"
        assert sys.path == before
        assert "my_words" not in sys.modules


def test_an_internal_error_exits_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*arguments: object, **options: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(runner, "run", broken)
    assert exit_code(["verify", TRUE]) == 3
    assert "a defect" in capsys.readouterr().err


def test_a_missing_tool_exits_4_only_where_it_is_required(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(Path.cwd()))
    assert exit_code(["verify", TRUE, "--require", "kernel"]) == 4
    assert "kernel is required, but coqc not found" in capsys.readouterr().err
    # usage comes first, and what is missing before what differs
    assert exit_code(["verify", "nosuch", "--require", "kernel"]) == 2
    wrong = ["verify", "--catalogue", catalogue("false"), "--require", "kernel"]
    assert exit_code(wrong) == 4
    capsys.readouterr()
    command = ["verify", TRUE, "--kind", "kernel", "--kind", "certificate", "--json", "run.json"]
    assert exit_code(command) == 0
    (claim,) = read(Path("run.json"))["claims"]
    kernel = claim["evidence"][0]
    assert (kernel["kind"], kernel["outcome"], kernel["detail"]) == (
        "kernel", "skipped", "coqc not found",
    )  # fmt: skip


@pytest.mark.parametrize("arguments", [["zzz*"], [TRUE, "zzz*"]])
def test_selecting_nothing_exits_5(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["verify", *arguments]) == 5
    assert "no claim matches 'zzz*'" in capsys.readouterr().err


def test_kinds_that_leave_a_claim_without_a_check_exit_5(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command in (["verify", TRUE], ["verify", TRUE, "gate"]):
        assert exit_code([*command, "--kind", "counterproof"]) == 5
        told = capsys.readouterr()
        assert f"{TRUE}: no check is left (kinds asked for: counterproof; kinds of" in told.err
        assert "certificate" in told.err
        assert told.out == ""


def test_of_a_family_kinds_select_the_claims_that_have_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["verify", "delta", "--kind", "derivation", "--json", "run.json"]
    assert exit_code(command) == 0
    told = capsys.readouterr().err
    assert "left out: " in told
    checked = {c["id"]: c["evidence"] for c in read(Path("run.json"))["claims"]}
    assert all(checked.values())
    having = {e.claim.id for e in select(["delta"]) if Kind.DERIVATION in e.kinds}
    assert set(checked) == having


def test_undecided_exits_6_under_strict_alone() -> None:
    command = ["verify", TRUE, "--kind", "enclosure"]
    assert exit_code(command) == 0
    assert exit_code([*command, "--strict"]) == 6


def test_an_interrupt_exits_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "run", interrupted)
    assert exit_code(["verify", TRUE, "--json", "run.json"]) == 130
    assert not Path("run.json").exists()
    assert "interrupted" in capsys.readouterr().err


def test_a_required_kind_that_a_claim_lacks_exits_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["verify", "delta.determinant", "--require", "certificate",
                      "--kind", "certificate"]) == 1  # fmt: skip
    assert "required evidence is missing: certificate" in capsys.readouterr().out


def test_a_proved_row_of_the_ledger_without_a_rocq_theorem_fails_where_one_is_required(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Although the row attaches none; not so a row that says why it is wanted, or a user's."""
    monkeypatch.setattr(checks, "missing_tools", lambda kind: "")
    bare = replace(catalogue_entry(TRUE), kinds=(Kind.CERTIFICATE,), lemma=None)
    others = tuple(e for e in ledger.ENTRIES if e.claim.id != TRUE)
    command = ["verify", TRUE, "--kind", "certificate", "--json", "run.json"]
    monkeypatch.setattr(ledger, "ENTRIES", (bare, *others))
    assert exit_code(command) == 0
    assert exit_code([*command, "--require", "kernel"]) == 1
    assert "required evidence is missing: kernel" in capsys.readouterr().out
    record = read(Path("run.json"))
    assert (record["claims"][0]["owed"], record["summary"]["lacking"]) == (
        ["kernel"], {TRUE: "kernel"},
    )  # fmt: skip
    # beside a row that has what is required, it is not left out either
    kept = select(["delta.determinant"])[0]
    assert unchecked([kept, bare], {Kind.KERNEL}, ["kernel"]) == []
    assert unchecked([kept, bare], {Kind.KERNEL}) == [bare]
    monkeypatch.setattr(ledger, "KERNEL_WANTED", {TRUE: "a reason"})
    assert owed(bare) == ()
    assert kernel_wanted(bare) == "a reason"
    monkeypatch.setattr(ledger, "KERNEL_WANTED", {})
    assert owed(replace(bare, mutants=())) == ()


def test_show_list_and_the_record_say_which_rocq_theorems_are_wanted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wanted, reason = next(iter(KERNEL_WANTED.items()))
    assert exit_code(["list", wanted, TRUE]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert told.count("(Rocq theorem wanted)") == 1
    assert exit_code(["show", wanted]) == 0
    assert f"Rocq theorem wanted: {reason}" in " ".join(capsys.readouterr().out.split())
    assert exit_code(["verify", wanted, TRUE, "--kind", "symbolic", "--json", "run.json"]) == 0
    told = {c["id"]: c.get("kernel_wanted") for c in read(Path("run.json"))["claims"]}
    assert told == {wanted: reason, TRUE: None}


def test_files_are_written_and_fit_their_schema() -> None:
    command = ["verify", TRUE, "gate.zero_gradient_without*", "--kind", "symbolic"]
    command += ["--json", "run.json", "--junit", "run.xml", "--summary", "run.md"]
    assert exit_code(command) == 0
    record = json.loads(Path("run.json").read_text())
    validate(record)
    assert [c["id"] for c in record["claims"]] == [
        TRUE, "gate.zero_gradient_without_smoothness_reading",
    ]  # fmt: skip
    suites = ElementTree.parse("run.xml").getroot()
    assert [s.attrib["name"] for s in suites] == [c["id"] for c in record["claims"]]
    assert Path("run.md").read_text().startswith("## deltaproof: 1 proved, 1 refuted, as expected")
    # and the report is made of the record that was kept
    assert exit_code(["report", "--out", "out"]) == 0
    written = {p.relative_to("out").as_posix() for p in Path("out").rglob("*.*")}
    assert {"index.html", f"claims/{TRUE}.html", "badge.svg", "report.md"} <= written
    assert exit_code(["report", "run.json", "--out", "again", "--format", "md"]) == 0
    assert Path("again/report.md").read_text() == Path("out/report.md").read_text()


def test_two_runs_with_one_seed_are_equal_but_for_timings() -> None:
    texts = []
    for _ in range(2):
        command = ["verify", TRUE, "--kind", "symbolic", "--kind", "ladder", "--no-cache"]
        assert exit_code([*command, "--json", "run.json"]) == 0
        record = json.loads(Path("run.json").read_text())
        record.pop("timings")
        texts.append(json.dumps(record))
    assert texts[0] == texts[1]


def test_mutants_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["verify", TRUE, "--kind", "certificate", "--kind", "derivation", "--mutants"]
    assert exit_code([*command, "--json", "run.json"]) == 0
    out = capsys.readouterr().out
    assert "mutants rejected: certificate" in out
    record = read(Path("run.json"))
    assert record["summary"]["mutants"]["tried"] > 0
    assert record["summary"]["mutants"]["tried"] == record["summary"]["mutants"]["rejected"]


def test_a_certificate_of_another_statement_is_refused_and_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Path("certificates")
    folder.mkdir()
    stored = json.loads((checks.CERTIFICATES / f"{TRUE}.json").read_text())
    stored["statement_hash"] = "0" * 64
    (folder / f"{TRUE}.json").write_text(json.dumps(stored))
    command = ["verify", TRUE, "--kind", "certificate", "--certificates", str(folder)]
    assert exit_code(command) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "certificate inconclusive" in out
    assert f"{TRUE}.json certifies another statement" in out


@pytest.mark.usefixtures("no_coqc")
def test_a_certificate_is_written_and_next_time_only_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["verify", "--catalogue", catalogue("true"), "--certificates", "found"]
    command += ["--kind", "certificate", "--jobs", "1"]
    assert exit_code(command) == 0
    path = Path("found/mine.true.json")
    written = path.read_text()

    def searched(*arguments: object, **options: object) -> None:
        raise AssertionError("nothing is left to search")

    monkeypatch.setattr("deltaproof.symbolic.search.search_certificate", searched)
    assert exit_code(["show", "mine.true", *command[1:5]]) == 0
    assert "Hence (A B)ᵀ = Bᵀ Aᵀ." in capsys.readouterr().out
    # the run of the command searches in processes of its own: what it keeps must not change
    assert exit_code([*command, "--no-cache"]) == 0
    assert path.read_text() == written
    changed = json.loads(written)
    changed["rules"] = ["gram"]
    path.write_text(json.dumps(changed))
    capsys.readouterr()
    assert exit_code([*command, "--json", "run.json"]) == 0
    (claim,) = read(Path("run.json"))["claims"]
    assert (claim["verdict"], claim["evidence"][0]["outcome"]) == ("open", "inconclusive")
    assert "names the rules ['gram']" in claim["evidence"][0]["detail"]


@pytest.mark.usefixtures("no_coqc")
def test_the_search_has_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    text = CATALOGUE.format(
        name="long",
        arguments="given=[eq(A @ B, eye(n)), eq(A.T @ A, eye(n))], then=eq(B, A.T)",
    )
    Path("long.py").write_text(text)
    command = ["verify", "--catalogue", "long.py", "--kind", "certificate"]
    for bound, code in ((["--degree", "2"], 6), (["--time", "1e-9"], 6), ([], 0)):
        assert exit_code([*command, *bound, "--strict"]) == code, bound
    assert exit_code([*command, "--time", "0"]) == 2
    assert exit_code([*command, "--degree", "0"]) == 2


@pytest.mark.usefixtures("no_coqc")
def test_theorems_are_written_for_rocq(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["verify", "--catalogue", catalogue("true"), "--export-rocq", "rocq"]
    assert exit_code([*command, "--kind", "certificate"]) == 0
    assert "1 theorems in rocq" in capsys.readouterr().err
    listed = Path("rocq/_CoqProject").read_text().split()
    assert listed[-1] == "claim_mine_true.v"
    assert {*listed} >= {p.name for p in Path("rocq").glob("*.v")}
    refuted = ["verify", "--catalogue", catalogue("refuted"), "--export-rocq", "none"]
    assert exit_code([*refuted, "--kind", "symbolic"]) == 0
    assert "mine.refuted: not exported, it is refuted" in capsys.readouterr().err
    built_in = ["verify", TRUE, "--kind", "certificate", "--export-rocq", "lemma"]
    assert exit_code(built_in) == 0
    text = Path("lemma/claim_delta_eigenvalue_off_k.v").read_text()
    assert "eapply delta.eigenvalue_off_k" in text
    assert Path("lemma/delta.v").is_file()


def test_list_and_show_tell_every_claim(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["list"]) == 0
    listed = capsys.readouterr().out
    assert exit_code(["show", TRUE]) == 0
    shown = capsys.readouterr().out
    assert TRUE in listed
    for part in (
        "source: DDL", "if kᵀ u = 0", "then A u = u", "Derivation", "Certificate",
        "Theorem claim_delta_eigenvalue_off_k", "Mutants", "deltaproof verify",
    ):  # fmt: skip
        assert part in shown, part
    assert exit_code(["verify", TRUE, "--kind", "certificate"]) == 0
    capsys.readouterr()
    assert exit_code(["show", TRUE]) == 0
    assert "Evidence of the last run: proved, as expected" in capsys.readouterr().out


def test_a_repair_and_what_it_repairs_name_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    for shown, told in (
        ("delta.determinant_printed", "repaired by: delta.determinant\n"),
        ("delta.determinant", "repairs: delta.determinant_printed\n"),
    ):
        assert exit_code(["show", shown]) == 0
        assert told in capsys.readouterr().out


def test_doctor_tells_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["doctor"]) == 0
    assert "python-flint" in capsys.readouterr().out
    monkeypatch.setenv("PATH", str(Path.cwd()))
    assert exit_code(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "coqc not found; apt-get install" in out


def test_names_of_kinds_are_those_of_the_language() -> None:
    assert (*(k.value for k in Kind), *GROUPS) == KINDS
    assert checks.AUTOMATIC == BARE_KINDS


# ---------------------------------------------------------------- start-up

HEAVY = ("sympy", "mpmath", "torch", "numpy", "hypothesis", "rich", "jinja2", "jsonschema",
         "matplotlib", "flint")  # fmt: skip


@pytest.mark.parametrize(
    "arguments", [["--help"], ["list"], ["verify", "--help"], ["reproduce", "--help"]]
)
def test_nothing_heavy_is_imported_to_start(arguments: list[str]) -> None:
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", PROGRAM, *arguments],
        capture_output=True, text=True, check=True,
    ).stderr  # fmt: skip
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in told.splitlines()}
    assert "click" in imported
    assert not imported.intersection(HEAVY)


def test_nothing_heavy_is_imported_where_all_is_known() -> None:
    command = ["verify", TRUE, "--kind", "certificate", "--kind", "derivation"]
    program = f"{PROGRAM[:-6]}\nimport sys\ntry:\n main()\nfinally:\n print(*sys.modules)"
    for _ in range(2):
        told = subprocess.run(
            [sys.executable, "-c", program, *command],
            capture_output=True, text=True, check=True, env=dict(os.environ),
        ).stdout  # fmt: skip
    assert not set(told.split()).intersection(HEAVY[:5])


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["--version"]) == 0
    assert capsys.readouterr().out.startswith("deltaproof ")


@pytest.mark.usefixtures("no_coqc")
def test_output_that_nobody_reads_does_not_change_the_exit_code() -> None:
    command = [sys.executable, "-c", PROGRAM, "verify", "--catalogue", catalogue("false")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        errors = process.stderr.read()
        assert process.wait() == 1
    assert b"Traceback" not in errors
