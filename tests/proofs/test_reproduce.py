"""`deltaproof reproduce`: which trainings, the folder of their records, exit codes, the page."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from deltaproof.proofs import experiments
from deltaproof.proofs.cli import EXIT, exit_code
from deltaproof.proofs.experiments import SCALES, Experiment, Scale, planned, records
from deltaproof.proofs.experiments_page import losses, page
from deltaproof.torch_impl.modules.config import small
from deltaproof.torch_impl.modules.connections import SYSTEMS
from deltaproof.torch_impl.tasks import TASKS
from deltaproof.torch_impl.training import Plan, read_record, to_text

ROOT = Path(__file__).parent.parent.parent
COMMITTED = ROOT / "experiments" / "small"


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scale whose runs take a fraction of a second."""
    plan = Plan(steps=2, batch=1, looks=2, evaluated=2)
    monkeypatch.setitem(SCALES, "tiny", Scale(small, plan, 1, {"width": 8, "layers": 1}))


def command(out: Path, *arguments: str, systems: tuple[str, ...] = ("gpt", "ddl")) -> int:
    chosen = [word for system in systems for word in ("--system", system)]
    return exit_code(["reproduce", "--scale", "tiny", *chosen, "--out", str(out), *arguments])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[dict[str, Any]]]:
    """Records of two systems on two tasks."""
    patch = pytest.MonkeyPatch()
    plan = Plan(steps=2, batch=1, looks=2, evaluated=2)
    patch.setitem(SCALES, "tiny", Scale(small, plan, 1, {"width": 8, "layers": 1}))
    out = tmp_path_factory.mktemp("records")
    chosen = planned("tiny", tasks=("negation", "echo"), systems=("gpt", "ddl"))
    yield experiments.run(chosen, out)
    patch.undo()


# ---------------------------------------------------------------- running


def test_every_system_is_trained_on_every_task() -> None:
    chosen = planned("small")
    pairs = {(e.task, e.system) for e in chosen}
    assert pairs == {(task, system) for task in TASKS for system in SYSTEMS}
    assert len(chosen) == len(pairs) * SCALES["small"].seeds
    assert {e.plan.seed for e in planned("small", seeds=3)} == {0, 1, 2}
    assert {e.plan.steps for e in planned("small", steps=7)} == {7}
    assert len(planned("published")) == 3 * len(pairs)


def test_a_model_is_no_narrower_than_its_task() -> None:
    for experiment in planned("small"):
        assert experiment.config.width >= experiment.config.input_width


def test_a_run_writes_records_and_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "runs"
    assert command(out, "--task", "negation", "--task", "echo", "--seeds", "2") == 0
    told = capsys.readouterr()
    names = [f"{s}-{t}-{i}" for s in ("ddl", "gpt") for t in ("echo", "negation") for i in (0, 1)]
    assert sorted(p.name for p in out.iterdir()) == [f"{name}.json" for name in names]
    for name in names:
        text = (out / f"{name}.json").read_text("utf-8")
        record = read_record(text)
        assert record["complete"]
        assert f"{record['system']}-{record['task']['name']}-{record['plan']['seed']}" == name
        assert "/" not in text.replace("/√", ""), "a path"
        assert f"{name}, loss" in told.err
    assert told.out.splitlines()[0].split() == ["loss", "gpt", "ddl", "simple"]
    assert [line.split()[0] for line in told.out.splitlines()[1:]] == ["echo", "negation"]
    assert "trained 16 of 16 steps" in told.err
    assert "\x1b" not in told.err


def test_complete_runs_are_not_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command(tmp_path, "--task", "negation", systems=("gpt",)) == 0
    table = capsys.readouterr().out
    trained: list[str] = []
    real = experiments.train

    def watched(*given: Any, **settings: Any) -> Any:
        trained.append(settings["about"]["system"])
        return real(*given, **settings)

    monkeypatch.setattr(experiments, "train", watched)
    assert command(tmp_path, "--task", "negation", systems=("gpt",)) == 0
    told = capsys.readouterr()
    assert told.out == table
    assert "1 of 1 runs are complete" in told.err
    assert command(tmp_path, "--task", "negation") == 0
    assert trained == ["ddl"]


def test_an_interrupted_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = experiments.train

    def stopped(*given: Any, **settings: Any) -> Any:
        def stop(step: int, loss: float) -> None:
            if settings["about"]["system"] == "ddl" and step == 2:
                raise KeyboardInterrupt

        return real(*given, **{**settings, "notify": stop})

    monkeypatch.setattr(experiments, "train", stopped)
    assert command(tmp_path, "--task", "negation") == EXIT["interrupted"]
    told = capsys.readouterr()
    assert told.out == ""
    assert "interrupted; 1 of 2 runs are complete" in told.err
    found = records(tmp_path)
    assert found["gpt-negation-0"]["complete"]
    assert not found["ddl-negation-0"]["complete"]
    assert [look["step"] for look in found["ddl-negation-0"]["curve"]] == [0, 1]
    monkeypatch.setattr(experiments, "train", real)
    assert command(tmp_path, "--task", "negation") == 0
    assert records(tmp_path)["ddl-negation-0"]["complete"]


def test_a_loss_that_is_no_number_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wild = replace(SCALES["tiny"].plan, learning_rate=1e30, steps=4)
    monkeypatch.setitem(SCALES, "tiny", replace(SCALES["tiny"], plan=wild))
    assert command(tmp_path, "--task", "negation", systems=("gpt",)) == EXIT["differs"]
    told = capsys.readouterr()
    assert "the loss is no number at step" in told.err
    (record,) = records(tmp_path).values()
    assert record["diverged"]
    assert "no number from step" in page([record], Path("x.md"), folder="y")["x.md"]


# ---------------------------------------------------------------- refusing


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--task", "giroscope"], "no task is called 'giroscope'; did you mean gyroscope"),
        (["--system", "gtp"], "no system is called 'gtp'; did you mean gpt"),
        (["--scale", "smal"], "no scale is called 'smal'; did you mean small"),
        (["--device", "abacus"], "'abacus' is no device of torch"),
        (["--seeds", "0"], "--seeds"),
        (["--steps", "0"], "--steps"),
    ],
)
def test_bad_arguments_are_refused(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(tmp_path / "out", *arguments) == EXIT["usage"]
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_missing_device_is_a_missing_tool(
    tmp_path: Path, missing_device: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(tmp_path, "--device", missing_device) == EXIT["missing"]
    told = capsys.readouterr().err
    assert f"--device {missing_device}: torch has no {missing_device} here" in told


def test_a_folder_with_records_of_another_run_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(tmp_path, "--task", "negation", systems=("gpt",)) == 0
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for arguments, said in (
        (["--steps", "3"], "steps is 2 there, 3 here"),
        (["--scale", "small"], "scale is 'tiny' there, 'small' here"),
    ):
        capsys.readouterr()
        # even where another task is asked for: one folder holds one comparison
        assert command(tmp_path, "--task", "echo", *arguments) == EXIT["usage"]
        told = capsys.readouterr().err
        assert "gpt-negation-0.json is of another run" in told
        assert said in told
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("key", "value"), [("config", {"layers": 9}), ("task", {"definition": "something else"})]
)
def test_a_record_of_another_model_or_task_is_another_run(
    key: str, value: dict[str, Any], tmp_path: Path, made: list[dict[str, Any]]
) -> None:
    (experiment,) = planned("tiny", tasks=("echo",), systems=("gpt",))
    record = next(r for r in made if r["task"]["name"] == "echo" and r["system"] == "gpt")
    path = tmp_path / "gpt-echo-0.json"
    path.write_text(to_text(record), "utf-8")
    assert list(experiments.done([experiment], tmp_path)) == [experiment.name]
    path.write_text(to_text({**record, key: {**record[key], **value}}), "utf-8")
    with pytest.raises(experiments.ExperimentError, match="is of another run"):
        experiments.done([experiment], tmp_path)


def test_a_field_that_is_younger_than_a_record_does_not_make_it_another(
    tmp_path: Path, made: list[dict[str, Any]]
) -> None:
    (experiment,) = planned("tiny", tasks=("echo",), systems=("gpt",))
    record = next(r for r in made if r["task"]["name"] == "echo" and r["system"] == "gpt")
    older = {key: value for key, value in record["config"].items() if key != "kernel"}
    path = tmp_path / "gpt-echo-0.json"
    path.write_text(to_text({**record, "config": older}), "utf-8")
    assert list(experiments.done([experiment], tmp_path)) == [experiment.name]
    path.write_text(to_text({**record, "config": {**older, "gone": 1}}), "utf-8")
    with pytest.raises(experiments.ExperimentError, match="gone is 1 there, None here"):
        experiments.done([experiment], tmp_path)


def test_a_folder_with_other_json_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.json").write_text('{"schema": 1}', "utf-8")
    assert command(tmp_path) == EXIT["usage"]
    assert "other.json is no record of a training" in capsys.readouterr().err


def test_a_place_that_is_no_folder_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert command(tmp_path / "file" / "under") == EXIT["usage"]
    assert "is not a folder" in capsys.readouterr().err


# ---------------------------------------------------------------- the page


def test_the_command_writes_the_page_of_a_folder(
    tmp_path: Path, made: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    out, file = tmp_path / "records", tmp_path / "told.md"
    assert command(out, "--page", str(file)) == EXIT["nothing"]
    assert "holds no complete record" in capsys.readouterr().err
    out.mkdir()
    for i, record in enumerate(made):
        (out / f"{i}.json").write_text(to_text(record), "utf-8")
    assert command(out, "--page", str(file)) == 0
    text = file.read_text("utf-8")
    for place in [line.partition("](")[2][:-1] for line in text.splitlines() if line[:2] == "!["]:
        assert (tmp_path / place).read_text("utf-8").startswith("<svg xmlns=")
    assert len(list((tmp_path / "told").iterdir())) == text.count("![")


def changed(made: list[dict[str, Any]], *path: Any, to: Any) -> list[dict[str, Any]]:
    """The records with another value at a path in the first."""
    text = json.loads(json.dumps(made))
    place = text[0]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return text


@pytest.mark.parametrize(
    "path",
    [
        ("curve", -1, "loss"),
        ("curve", 0, "loss"),
        ("final", "norm_drift", 0),
        ("final", "alignment", 0),
        ("task", "noise_floor", "measured"),
        ("task", "predictions", "copy", "expected"),
        ("parameters",),
        ("plan", "learning_rate"),
        ("timings", "cpus"),
        ("timings", "cpu_seconds"),
    ],
)
def test_the_page_shows_what_the_records_say(path: tuple[Any, ...], made: Any) -> None:
    before = page(made, Path("x.md"), folder="y")
    assert page(changed(made, *path, to=1234), Path("x.md"), folder="y") != before


def test_gates_are_shown_as_they_move(made: list[dict[str, Any]]) -> None:
    with_gate = next(i for i, r in enumerate(made) if r["system"] == "ddl")
    ordered = [made[with_gate], *made[:with_gate], *made[with_gate + 1 :]]
    before = page(ordered, Path("x.md"), folder="y")
    place = ("curve", 1, "gates", 0, "beta", "mean")
    after = page(changed(ordered, *place, to=1.75), Path("x.md"), folder="y")
    assert before["x/beta-ddl.svg"] != after["x/beta-ddl.svg"]
    assert not any("gamma" in name for name in before)


def test_incomplete_records_are_named_and_left_out(made: list[dict[str, Any]]) -> None:
    cut = changed(made, "complete", to=False)
    text = page(cut, Path("x.md"), folder="y")["x.md"]
    first = made[0]
    assert f"left out: {first['system']} on {first['task']['name']} (seed 0)" in text
    rows = losses(cut).splitlines()
    assert next(r for r in rows if r.startswith(first["task"]["name"])).split()[1] == "-"


def test_seeds_are_averaged(made: list[dict[str, Any]]) -> None:
    (one,) = [r for r in made if r["task"]["name"] == "negation" and r["system"] == "gpt"]
    two = changed([one], "curve", -1, "loss", to=one["curve"][-1]["loss"] + 2)
    two = changed(two, "plan", "seed", to=1)
    (row,) = losses([one, *two]).splitlines()[1:]
    assert math.isclose(float(row.split()[1]), one["curve"][-1]["loss"] + 1, rel_tol=0.05)


def test_a_table_fits_a_terminal(made: list[dict[str, Any]]) -> None:
    every = [
        {**record, "system": system, "task": {**record["task"], "name": task}}
        for record in made[:1]
        for system in SYSTEMS
        for task in TASKS
    ]
    assert max(map(len, losses(every).splitlines())) <= 80


@pytest.mark.skipif(not COMMITTED.is_dir(), reason="not in a clone")
def test_the_committed_page_is_what_the_committed_records_say() -> None:
    found = records(COMMITTED)
    assert {(r["system"], r["task"]["name"]) for r in found.values()} == {
        (e.system, e.task) for e in planned("small")
    }
    assert not experiments.done(planned("small"), COMMITTED).keys() ^ found.keys()
    place = Path("docs/experiments.md")
    made = page(list(found.values()), place, folder="experiments/small")
    for name, text in made.items():
        assert (ROOT / "docs" / name).read_text("utf-8") == text, name
    kept = {f"experiments/{p.name}" for p in (ROOT / "docs" / "experiments").iterdir()}
    assert kept == made.keys() - {"experiments.md"}


def test_an_experiment_knows_its_record() -> None:
    (experiment,) = planned("tiny", tasks=("echo",), systems=("geo",))
    assert isinstance(experiment, Experiment)
    assert experiment.name == "geo-echo-0"
    assert experiment.about["config"]["input_width"] == 64


def test_small_models_train_on_one_thread_and_leave_torch_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def look(*arguments: Any, **options: Any) -> dict[str, Any]:
        seen.append(torch.get_num_threads())
        return {}

    monkeypatch.setattr(experiments, "train", look)
    before = torch.get_num_threads()
    chosen = planned("small", tasks=("negation",), systems=("gpt",))
    experiments.run(chosen, tmp_path)
    monkeypatch.setitem(SCALES, "small", replace(SCALES["small"], threads=0))
    experiments.run(chosen, tmp_path)
    assert seen == [1, before]
    assert torch.get_num_threads() == before
