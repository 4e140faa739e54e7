"""Compiling on this computer, doing without, and a token's operations repeated as a whole."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from kernels import native
from kernels.dense_linear import DenseLinear
from kernels.native.program import recording
from kernels.row import Norm

ROOT = Path(__file__).resolve().parents[2]

WITHOUT = """
import torch
from kernels import dispatch
from kernels.dense_linear import DenseLinear
from kernels.timing import time_products
device = torch.device("cpu")
assert dispatch.check(device) == []
assert dispatch.implementation("full_attention", device).__name__ == "kernels.full_attention.cpu"
timed = time_products([DenseLinear(torch.randn(8, 16))], torch.float32, device)
assert [dropped.product for dropped in timed.dropped] == ["native"], timed
print(timed.dropped[0].reason)
"""


@pytest.fixture
def library():
    try:
        return native.library()
    except native.Unavailable as problem:
        pytest.skip(str(problem))


@pytest.mark.parametrize("compiler", ["false", "no-such-compiler"])
def test_without_a_compiler_everything_runs_in_torch(compiler, tmp_path):
    environment = {"CC": compiler, "XDG_CACHE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", WITHOUT], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert compiler in run.stdout


def test_the_library_is_compiled_once(library, monkeypatch, tmp_path):
    monkeypatch.setattr(native, "user_cache_path", lambda name: tmp_path)
    monkeypatch.setattr(native, "SOURCES", ("program.c",))  # all of them take ten times as long
    first = native._built()
    made = first.stat().st_mtime_ns
    assert native._built() == first
    assert first.stat().st_mtime_ns == made
    assert list(first.parent.iterdir()) == [first]  # nothing half made is left


def test_a_recorded_program_follows_its_inputs(library):
    generator = torch.Generator().manual_seed(0)
    one, two = (DenseLinear(torch.randn(size, generator=generator)) for size in ((64, 32), (32, 32)))
    one.use("native")
    two.use("native")
    norm = Norm(torch.rand(32, generator=generator), 1e-5)

    def forward(x):
        return two.write(one.write(x, norm), gated=True, onto=x)

    x = torch.randn(1, 32, generator=generator)
    with recording() as program:
        y = forward(x)
    other = torch.randn(1, 32, generator=generator)
    expected = forward(other)
    x.copy_(other)
    program.run(at=0)
    assert len(program) == 2
    assert program.whole
    assert torch.equal(y, expected)


def test_a_tensor_that_must_be_converted_breaks_a_recording(library):
    linear = DenseLinear(torch.randn(8, 16))
    linear.use("native")
    with recording() as program:
        linear.write(torch.randn(1, 16, dtype=torch.bfloat16))
    assert not program.whole
