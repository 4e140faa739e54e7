"""The C library takes the settings, or is left alone."""

import os
import platform
import subprocess
import sys

import pytest

from engine.memory import allocator

GIVEN_BACK = """
import os
import torch
from engine.bench_memory import now
from engine.memory import allocator
allocator.keep_freed()
def taken():
    return now(os.getpid()).anonymous
before = taken()
blocks = [torch.ones(2**20) for _ in range(50)]  # 4 MiB each
last = torch.ones(2**18)  # behind them, and kept
held = taken()
del blocks
kept = taken()
allocator.give_back()
print(held - before, kept - before, taken() - before)
"""


def test_glibc_is_told_to_keep_freed_blocks():
    assert allocator.keep_freed() == (platform.libc_ver()[0] == "glibc")


def test_another_c_library_is_left_alone(monkeypatch):
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    monkeypatch.setattr(allocator, "_glibc", allocator._glibc.__wrapped__)
    assert not allocator.keep_freed.__wrapped__()
    allocator.give_back()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_what_was_kept_is_given_back():
    """In a process of its own, whose heap holds nothing else."""
    told = subprocess.run(
        [sys.executable, "-c", GIVEN_BACK],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    held, kept, left = (int(number) / 2**20 for number in told.stdout.split())
    assert held > 200
    assert kept > 150, "else there is nothing to give back"
    assert left < 16
