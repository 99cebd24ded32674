"""The tasks are what they say: sizes, streams, and the losses of simple predictions.

Bounds on means of samples hold but for one run in a billion: Bernstein's inequality where a loss is
bounded, that of Laurent and Massart where it is a quadratic form of normal variables.
"""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
import torch
from deltaproof.torch_impl.tasks import TASKS, UnknownTask, gyroscope, task
from deltaproof.torch_impl.tasks import near_pi as turning
from deltaproof.torch_impl.tasks.control import least_squares_loss, next_of_independent
from deltaproof.torch_impl.tasks.definition import Batch, Task, loss
from deltaproof.torch_impl.tasks.echo import NOISE

SEQUENCES = 400
FAILURE = 1e-9
ROUNDOFF = 2.0**-53
EVERY = [task(name) for name in TASKS]


def drawn(which: Task, sequences: int = SEQUENCES, seed: int = 0) -> Batch:
    return which.draw(torch.Generator().manual_seed(seed), sequences)


def measured(which: Task, name: str, batch: Batch) -> float:
    return loss(which.predictions[name].predict(batch.inputs), batch.targets).mean().item()


def bernstein(variance: float, largest: float, samples: int) -> float:
    """How far the mean of independent samples in [0, largest] may be from its expectation."""
    x = math.log(2 / FAILURE)
    return math.sqrt(2 * variance * x / samples) + largest * x / (3 * samples)


def chaos(expected: float, largest: float) -> float:
    """The same for a form Σ λ g² of normal variables: 0 ≤ λ ≤ largest, Σ λ = expected."""
    x = math.log(2 / FAILURE)
    return 2 * math.sqrt(largest * expected * x) + 2 * largest * x


def rounding(which: Task, size: float) -> float:
    """Rounding of a sum of squares over the width, of its means, and of normalised inputs.

    Each of at most width + steps + SEQUENCES additions in a chain, and ten operations on an entry,
    errs by one roundoff of at most `size`.
    """
    operations = which.width + which.steps + SEQUENCES + 10
    return operations * ROUNDOFF / (1 - operations * ROUNDOFF) * size


# ---------------------------------------------------------------- drawing


@pytest.mark.parametrize("which", EVERY, ids=list(TASKS))
def test_a_batch_has_the_sizes_of_the_task(which: Task) -> None:
    for tensor in drawn(which, 3):
        assert tensor.shape == (3, which.steps, which.width)
        assert tensor.dtype == torch.float64


def test_the_sizes_are_the_published_ones() -> None:
    sizes = {which.name: (which.steps, which.width) for which in EVERY}
    assert sizes["echo"] == (127, 64)
    assert sizes["gyroscope"] == (255, 16)
    assert {sizes[name][1] for name in ("negation", "near_pi_one_plane", "near_pi_all_planes")} == {
        64
    }


@pytest.mark.parametrize("which", EVERY, ids=list(TASKS))
def test_drawing_is_a_function_of_the_generator_alone(which: Task) -> None:
    torch.manual_seed(1)
    once, state = drawn(which, 2), torch.get_rng_state()
    torch.manual_seed(2)
    torch.set_default_dtype(torch.float64)
    try:
        again = drawn(which, 2)
    finally:
        torch.set_default_dtype(torch.float32)
    assert all(map(torch.equal, once, again))
    assert not torch.equal(once.inputs, drawn(which, 2, seed=1).inputs)
    torch.manual_seed(1)
    assert torch.equal(state, torch.get_rng_state()), "the global generator was used"


@pytest.mark.parametrize("name", ["echo", "gyroscope"])
def test_targets_are_the_inputs_to_come(name: str) -> None:
    inputs, targets, _ = drawn(task(name), 4)
    assert torch.equal(inputs[:, 1:], targets[:, :-1])


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(UnknownTask, match="no task is called 'giroscope'; did you mean gyroscope"):
        task("giroscope")


def test_names_are_known_without_torch() -> None:
    program = "import sys, deltaproof.torch_impl.tasks; print('torch' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "False\n"


# ---------------------------------------------------------------- definitions


def test_the_gyroscope_turns_one_plane_of_coordinates_at_a_constant_rate() -> None:
    which = task("gyroscope")
    inputs, targets, _ = drawn(which, 50)
    states = torch.cat((inputs, targets[:, -1:]), 1)
    moving = (states != states[:, :1]).any(1)
    assert torch.equal(moving.sum(-1), torch.full((50,), 2))
    planes = {tuple(row.nonzero().flatten().tolist()) for row in moving}
    assert len(planes) > 1
    # x_(t+1) + x_(t−1) = 2 cos θ x_t in the plane; an angle t θ ≤ 255 · 2.5 errs by its roundoff
    # and that of the one before, a coordinate by as much and a few roundoffs more
    sums = (states[:, 2:] + states[:, :-2])[moving[:, None].expand(-1, which.steps - 1, -1)]
    middle = states[:, 1:-1][moving[:, None].expand(-1, which.steps - 1, -1)]
    sums, middle = sums.view(50, -1, 2), middle.view(50, -1, 2)
    twice = (sums * middle).sum((1, 2)) / middle.square().sum((1, 2))
    largest = which.steps * gyroscope.FASTEST
    allowed = 4 * (2 * largest + 8) * ROUNDOFF * 2
    assert (sums - twice[:, None, None] * middle).abs().max() <= allowed
    assert (twice <= 2 * math.cos(gyroscope.SLOWEST) + allowed / middle.abs().amax((1, 2))).all()
    assert (twice >= 2 * math.cos(gyroscope.FASTEST) - allowed / middle.abs().amax((1, 2))).all()


@pytest.mark.parametrize(("name", "planes"), [("near_pi_one_plane", 1), ("near_pi_all_planes", 32)])
def test_a_near_pi_rotation_has_the_angle_in_so_many_planes(name: str, planes: int) -> None:
    which = task(name)
    angle = 3.1 if planes == 1 else 3.14
    matrix = turning.turn(torch.eye(which.width, dtype=torch.float64), planes, angle).mT
    cosine = torch.linalg.eigvals(matrix).real
    # a normal matrix: its eigenvalues err by the norm of what its entries err by
    allowed = which.width * 16 * ROUNDOFF
    turned = (cosine - math.cos(angle)).abs() <= allowed
    assert int(turned.sum()) == 2 * planes
    assert ((cosine - 1).abs()[~turned] <= allowed).all()
    inputs, targets, _ = drawn(which, 2)
    assert (targets - inputs @ matrix.mT).abs().max() <= which.width * ROUNDOFF * 4


# ---------------------------------------------------------------- losses of simple predictions


@pytest.mark.parametrize("which", EVERY, ids=list(TASKS))
def test_exact_losses_are_met_by_every_batch(which: Task) -> None:
    for name, prediction in which.predictions.items():
        if prediction.exact:
            for seed in range(2):
                found = measured(which, name, drawn(which, 50, seed))
                # entries of size up to 2 that cancel leave what they err by, squared
                small = (4 * 10 * ROUNDOFF) ** 2 * which.width
                allowed = rounding(which, 4 * prediction.expected) + small
                # the cosine and sine of the angle are off the plane's by a roundoff each
                slack = 8 * ROUNDOFF * math.sqrt(prediction.expected) if "pi" in which.name else 0
                assert abs(found - prediction.expected) <= allowed + slack, (name, found)


def moments_of_the_gyroscope() -> tuple[float, float]:
    """E (1 − cos θ) and E (1 − cos θ)²."""
    low, high = gyroscope.SLOWEST, gyroscope.FASTEST
    square = 0.5 + (math.sin(2 * high) - math.sin(2 * low)) / (4 * (high - low))
    mean = gyroscope.mean_cosine()
    return 1 - mean, 1 - 2 * mean + square


@pytest.mark.parametrize("name", ["copy", "negate"])
def test_expected_losses_of_the_gyroscope(name: str) -> None:
    # The loss of a sequence is 2 (1 ∓ cos θ) r², where r² is Beta(1, width/2 − 1); that of the
    # negative is 4 minus that of the copy, since ‖x + y‖² + ‖x − y‖² = 4.
    which = task("gyroscope")
    width = which.width
    _, square = moments_of_the_gyroscope()
    fourth = 2 / ((width / 2) * (width / 2 + 1))
    variance = 4 * square * fourth - which.predictions["copy"].expected ** 2
    found = measured(which, name, drawn(which, 10 * SEQUENCES))
    assert abs(found - which.predictions[name].expected) <= bernstein(variance, 4, 10 * SEQUENCES)


@pytest.mark.parametrize("name", ["copy", "negate"])
def test_expected_losses_of_one_plane_near_pi(name: str) -> None:
    # 4 sin²(θ/2) r² with r² ~ Beta(1, width/2 − 1), independent at all steps
    which = task("near_pi_one_plane")
    half = which.width / 2
    height = 4 * math.sin(3.1 / 2) ** 2
    variance = height**2 * (2 / (half * (half + 1)) - 1 / half**2)
    found = measured(which, name, drawn(which))
    allowed = bernstein(variance, height, SEQUENCES * which.steps)
    assert abs(found - which.predictions[name].expected) <= allowed


@pytest.mark.parametrize(("name", "norm"), [("copy", 2), ("running mean", 3), ("floor", 1)])
def test_expected_losses_of_the_echo(name: str, norm: int) -> None:
    # The error is linear in the noise. The map has at most this norm: a difference of neighbours
    # 1 + 1, of a neighbour and an average 1 + 2, by Hardy's inequality.
    which, sequences = task("echo"), 50
    batch = drawn(which, sequences)
    if name == "floor":
        expected, found = which.noise_floor, loss(batch.clean, batch.targets).mean().item()
    else:
        expected, found = which.predictions[name].expected, measured(which, name, batch)
    allowed = chaos(expected, norm**2 * NOISE**2 / (sequences * which.steps))
    assert abs(found - expected) <= allowed
    for wrong in (0.0, expected / 2, 2 * expected):  # a variance that is off by a factor is seen
        assert abs(wrong - expected) > allowed


def test_the_echo_is_a_unit_vector_and_noise() -> None:
    # ‖z + σ ε‖²: the cross term 2 σ z·ε is normal, the square of the noise a form of its own
    which, sequences = task("echo"), 2 * SEQUENCES
    expected = which.predictions["zero"].expected
    observations = sequences * which.steps
    cross = 2 * NOISE / math.sqrt(observations) * math.sqrt(2 * math.log(4 / FAILURE))
    allowed = cross + chaos(expected - 1, NOISE**2 / observations) + rounding(which, expected)
    found = measured(which, "zero", drawn(which, sequences))
    assert abs(found - expected) <= allowed
    assert allowed < expected - 1, "the noise would not be seen"


@pytest.mark.parametrize("which", EVERY, ids=list(TASKS))
def test_copy_and_its_negative_are_tied_by_the_parallelogram_law(which: Task) -> None:
    # ‖x − y‖² + ‖x + y‖² = 2‖x‖² + 2‖y‖², and x and y are alike in all tasks
    expected = {name: p.expected for name, p in which.predictions.items()}
    four = 4 * expected["zero"]
    assert abs(expected["copy"] + expected["negate"] - four) <= 16 * ROUNDOFF * four
    batch = drawn(which, 20)
    lengths = (batch.inputs.square() + batch.targets.square()).sum(-1).mean().item()
    found = measured(which, "copy", batch) + measured(which, "negate", batch)
    assert abs(found - 2 * lengths) <= rounding(which, 4 * lengths)


def test_the_control_has_the_variance_as_its_floor() -> None:
    which = next_of_independent(5, 3)
    batch = drawn(which)
    allowed = chaos(which.width, 1 / (SEQUENCES * which.steps))
    assert abs(measured(which, "zero", batch) - which.noise_floor) <= allowed
    assert least_squares_loss(1, 3) == 3
    assert least_squares_loss(2, 3) == 1.5
