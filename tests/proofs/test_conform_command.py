"""`deltaproof conform`: exit codes, files, what is printed."""

import json
from pathlib import Path

import pytest
from deltaproof.proofs.cli import EXIT, exit_code
from deltaproof.proofs.conform_command import conform
from deltaproof.torch_impl.conformance.contracts import CONTRACTS, RAW_K, VALUES

OPS = """
def no_two(x, k):
    return x - k.unsqueeze(-1) * (k.unsqueeze(-2) @ x)


def reflect(x, k):
    return x - 2 * k.unsqueeze(-1) * (k.unsqueeze(-2) @ x)


def no_format(x, k):
    raise RuntimeError("not implemented for any")


def steers(x, k):
    raise RuntimeError("\\x1b[2J")
"""
QUICK = ("--contract", "reflection", "--profile", "quick", "--dtype", "float32")


@pytest.fixture
def ops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DELTAPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ops.py").write_text(OPS)
    return "ops.py"


def test_a_target_that_conforms(ops: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["conform", f"{ops}:reflect", *QUICK]) == 0
    assert "ops.py:reflect conforms: " in capsys.readouterr().out


def test_failures_files_and_replay(ops: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = ("--json", "run.json", "--junit", "run.xml", "--summary", "run.md")
    assert exit_code(["conform", f"{ops}:no_two", *QUICK, *files]) == 1
    out = capsys.readouterr().out
    assert "the factor 2 is missing" in out
    record = json.loads(Path("run.json").read_text())
    failed = [c for c in record["checks"] if c["outcome"] == "failed"]
    assert all("--replay" in c["reproduce"] for c in failed)
    assert all(Path(name).stat().st_size for name in ("run.xml", "run.md"))
    case = failed[0]["reproduce"].split()[-1]
    assert exit_code(["conform", f"{ops}:no_two", "--replay", case]) == 1
    assert exit_code(["conform", f"{ops}:reflect", "--replay", case]) == 0


def test_expected_failures(ops: str, capsys: pytest.CaptureFixture[str]) -> None:
    expected = Path("expected.txt")
    expected.write_text(
        "".join(
            f"{claim} float32: the factor is missing\n"
            for claim in (
                "reflection.definition", "reflection.gradient", "delta.reflection",
                "reflection.negates_rank_one_only", "reflection.negates_its_axis_only",
            )
        )
    )  # fmt: skip
    told = ("--xfail", str(expected))
    assert exit_code(["conform", f"{ops}:no_two", *QUICK, *told]) == 0, capsys.readouterr().out
    assert exit_code(["conform", f"{ops}:reflect", *QUICK, *told]) == 1
    expected.write_text("reflection.definitoin: a typo\n")
    assert exit_code(["conform", f"{ops}:no_two", *QUICK, *told]) == 2
    assert "did you mean reflection.definition" in capsys.readouterr().err


def test_nothing_could_be_checked(ops: str) -> None:
    assert exit_code(["conform", f"{ops}:no_format", *QUICK]) == 5


def test_a_missing_device_is_a_missing_tool(
    ops: str, missing_device: str, capsys: pytest.CaptureFixture[str]
) -> None:
    device = ("--device", missing_device)
    assert exit_code(["conform", f"{ops}:reflect", *QUICK, *device]) == EXIT["missing"]
    printed = capsys.readouterr()
    said = f"deltaproof: --device {missing_device}: torch has no {missing_device} here"
    assert printed.err.startswith(said)
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_a_replay_needs_the_device_of_its_case(
    ops: str, missing_device: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["conform", f"{ops}:no_two", *QUICK, "--json", "run.json"]) == 1
    failed = [c for c in json.loads(Path("run.json").read_text())["checks"] if c["reproduce"]]
    path = Path(failed[0]["reproduce"].split()[-1])
    case = json.loads(path.read_text())
    case["settings"]["device"] = missing_device
    path.write_text(json.dumps(case))
    replayed = exit_code(["conform", f"{ops}:no_two", "--replay", str(path)])
    assert replayed == EXIT["missing"], capsys.readouterr().out


def test_a_target_cannot_steer_the_terminal(ops: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["conform", f"{ops}:steers", *QUICK]) == 1
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ops.py:reflect",), "--contract is missing"),
        (("ops.py:reflect", "--contract", "reflexion"), "did you mean reflection"),
        (("ops.py:reflex", *QUICK), "did you mean reflect"),
        (("nowhere:reflect", *QUICK), "ModuleNotFoundError"),
        (("ops.py:reflect", *QUICK, "--domain", "norm=1"), "there are state"),
        (("ops.py:reflect", *QUICK, "--domain", "state"), "is not NAME=VALUE"),
        (("ops.py:reflect", *QUICK, "--json", "no/such/folder/run.json"), "--json"),
        (("ops.py:reflect", *QUICK, "--args", "x: b n"), "lacks m"),
        (("ops.py:reflect", *QUICK, "--eps", "1e-3"), "reflection has no eps: --eps is for dir"),
        (("ops.py:reflect", *QUICK, "--rounds", "3"), "--rounds is for doubly_stochastic"),
        (
            ("ops.py:f", "--contract", "residual_block", "--normalise", "max"),
            "residual_block has no normalise: --normalise is for direction",
        ),
        (("ops.py:reflect", *QUICK, "--device", "abacus"), "'abacus' is no device of torch"),
    ],
)
def test_usage(
    ops: str, arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["conform", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_contract_is_shown_with_the_options_that_it_alone_has(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in CONTRACTS:
        assert exit_code(["show", name]) == 0
        shown = capsys.readouterr().out
        for option, (home, meaning) in VALUES.items():
            assert (f"  --{option}  {meaning}\n" in shown) == (name == home)
        assert ("  --raw-k  " in shown) == (name in RAW_K)


def test_every_number_of_a_variant_is_an_option() -> None:
    options = {option.name for option in conform.params}
    assert VALUES.keys() <= options
    assert {home for home, _ in VALUES.values()} <= CONTRACTS.keys()
