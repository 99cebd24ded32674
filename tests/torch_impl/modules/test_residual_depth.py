"""The experiment on depth: what it measures, and that the page shows what the record holds."""

import json
import math
import statistics
from pathlib import Path

import pytest
import torch
from deltaproof.numeric.formats import BINARY64
from deltaproof.torch_impl.modules import residual_depth
from deltaproof.torch_impl.modules.residual_unit import ORDERS, SHORTCUTS, ResidualStack

ROOT = Path(__file__).parents[3]
RECORD = ROOT / "experiments" / "residual_depth" / "record.json"
PAGE = ROOT / "docs" / "systems.md"


@pytest.mark.parametrize(("shortcut", "factor"), [("identity", 1.0), ("scaling", 0.5)])
def test_without_residuals_a_gradient_arrives_by_the_shortcuts_alone(shortcut, factor):
    """residual.scale_decay, exactly: a factor of ½ a unit, and 1 for the identity."""
    stack = ResidualStack(600, 2, shortcut=shortcut, kernel=1).double()
    for unit in stack.units:
        torch.nn.init.zeros_(unit.residual[-1].weight)
    g = torch.zeros(2, 2, 1, 1, dtype=torch.float64)
    g[0, 0] = 1.0
    x = torch.randn(2, 2, 1, 1, dtype=torch.float64)
    found = residual_depth.gradient_norms(stack, x, g)
    assert found == {"input": factor**600, "first_weights": 0.0}


def test_the_first_weights_are_those_of_the_first_unit():
    stack = ResidualStack(2, 2, order="original", kernel=1).double()
    x, g = torch.randn(2, 4, 2, 1, 1, dtype=torch.float64)
    stack(x).backward(g)
    found = residual_depth.gradient_norms(stack, x, g)["first_weights"]
    wanted = stack.units[0].residual[0].weight.grad
    # a norm of 4 entries, scaled or not, is off by fewer than 8 roundings
    r = float(BINARY64.unit_roundoff)
    assert abs(found - float(wanted.norm())) <= 8 * r * float(wanted.norm())


def test_a_seed_gives_one_result_and_leaves_the_generator_alone():
    before = torch.get_rng_state()
    first, again, other = (
        residual_depth.as_made(2, order="original", shortcut="identity", seed=seed)
        for seed in (0, 0, 1)
    )
    assert first == again
    assert first != other
    assert torch.equal(torch.get_rng_state(), before)


def test_a_record_has_every_order_and_shortcut_and_its_table_their_medians():
    made = residual_depth.record((1, 2), (0, 1, 2))
    keys = [(row["depth"], row["order"], row["shortcut"]) for row in made["rows"]]
    assert len(set(keys)) == len(keys) == 2 * len(ORDERS) * len(SHORTCUTS)
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    made["rows"][0]["input"] = [3.0, 1.0, 2.0]
    made["rows"][1]["input"] = [3.0, None, 2.0]
    lines = residual_depth.table(made).splitlines()
    assert lines[0] == "| order | shortcut | 1 units | 2 units |"
    assert lines[2].startswith("| original | identity | 2.0e+00 | ")
    assert lines[3].startswith("| original | scaling | not finite | ")


def test_the_page_shows_the_committed_record(capsys):
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    assert {row["depth"] for row in record["rows"]} == {20, 100, 1000}
    assert record["settings"] == residual_depth.SETTINGS
    assert len(record["rows"]) == 3 * len(ORDERS) * len(SHORTCUTS)
    residual_depth.main(["--table", str(RECORD)])
    assert capsys.readouterr().out in PAGE.read_text(encoding="utf-8")


def test_what_the_page_says_of_the_record_is_in_it():
    rows = json.loads(RECORD.read_text(encoding="utf-8"))["rows"]
    deepest = {
        (row["order"], row["shortcut"]): statistics.median(row["input"])
        for row in rows
        if row["depth"] == 1000
    }
    before = {key: x for key, x in deepest.items() if key[0] != "norm_after_addition"}
    identity = [x for (_, shortcut), x in before.items() if shortcut == "identity"]
    closed = [x for (_, shortcut), x in before.items() if shortcut == "exclusive_gating"]
    others = [x for x in deepest.values() if x not in identity + closed]
    assert len(identity) == len(closed) == 4
    assert max(closed) < 1
    powers = [math.floor(math.log10(x)) for x in (min(others), max(others))]
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"lengths between {min(identity):.0f} and {round(max(identity), -1):.0f}." in page
    assert f"grows by {powers[0]} to {powers[1]} powers of ten" in page


def test_the_command_writes_a_record(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(residual_depth, "record", lambda progress: progress("one") or {"rows": []})
    monkeypatch.setattr(torch, "set_num_threads", lambda n: None)
    residual_depth.main([str(tmp_path / "new" / "record.json")])
    assert json.loads((tmp_path / "new" / "record.json").read_text()) == {"rows": []}
    assert capsys.readouterr().err == "one\n"
    with pytest.raises(SystemExit, match="usage"):
        residual_depth.main([])
