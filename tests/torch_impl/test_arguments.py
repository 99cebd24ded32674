"""What operators ask of their arguments."""

import itertools
import subprocess
import sys

import pytest
import torch
from deltaproof.torch_impl.arguments import broadcast, check_arguments


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_shapes_broadcast_as_torch_broadcasts_them(count):
    shapes = [s for n in range(3) for s in itertools.product((0, 1, 2, 3), repeat=n)]
    for chosen in itertools.product(shapes, repeat=min(count, 2)):
        sizes = [torch.Size(s) for s in (*chosen, *[(2,)] * (count == 3))]
        try:
            expected = torch.broadcast_shapes(*sizes)
        except RuntimeError:
            with pytest.raises(ValueError, match="of one axis"):
                broadcast(*sizes)
        else:
            assert broadcast(*sizes) == expected


def test_leading_axes_that_do_not_broadcast_are_told():
    with pytest.raises(ValueError, match=r"f: the leading axes do not broadcast; got a float32"):
        check_arguments("f", a=(torch.zeros(2, 3), "n"), b=(torch.zeros(4, 3), "n"))


def test_a_call_does_not_load_sympy():
    program = (
        "import sys, torch\n"
        "before = 'sympy' in sys.modules\n"
        "from deltaproof.torch_impl.delta import delta_update\n"
        "X, k, v = torch.ones(2, 3, 4), torch.ones(2, 3), torch.ones(4)\n"
        "delta_update(X, k, v, torch.ones(2))\n"
        "assert before or 'sympy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
