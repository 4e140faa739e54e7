"""How long a device takes, and how long it must: what it can move and multiply, as measured."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

EVICTED = 256 * 2**20
"""Bytes written before each timing: more than any card's cache holds, and work enough that launches wait in line, so
that a short kernel's time is its own and not Python's."""
SPENT = 0.4
"""Seconds on repetitions of one kernel, if they are not too few."""
FEWEST, MOST = 3, 20


class Clock:
    def __init__(self, place: torch.device, quick: bool) -> None:
        self._place = place
        self._cuda = place.type == "cuda"
        self._spent = SPENT / 10 if quick else SPENT
        self._evict = torch.empty(EVICTED if self._cuda else 1, dtype=torch.uint8, device=place)

    def median(self, run: Callable[[], object]) -> float:
        """Seconds of one run, of several after two to warm up."""
        self._once(run)
        count = min(MOST, max(FEWEST, int(self._spent / max(1e-9, self._once(run)))))
        return statistics.median(self._once(run) for _ in range(count))

    def _once(self, run: Callable[[], object]) -> float:
        self._evict.zero_()
        if not self._cuda:
            began = time.perf_counter()
            run()
            return time.perf_counter() - began
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        run()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1000


@dataclass(frozen=True)
class Rates:
    """`moved`: bytes read and written a second by a copy; `operations`: of a product of square matrices, a second."""

    moved: float
    operations: float

    def least(self, bytes: float, operations: float) -> float:
        """Seconds below which nothing can be that moves so much and computes so much."""
        return max(bytes / self.moved, operations / self.operations)


def measure(clock: Clock, dtype: torch.dtype, place: torch.device) -> Rates:
    large = place.type == "cuda"
    one = torch.zeros(2**29 if large else 2**22, dtype=torch.uint8, device=place)
    other = torch.empty_like(one)
    moved = 2 * one.nbytes / clock.median(lambda: other.copy_(one))
    side = (8192 if dtype is torch.bfloat16 else 4096) if large else 256
    matrix = torch.randn(side, side, device=place, dtype=dtype)
    return Rates(moved, 2 * side**3 / clock.median(lambda: matrix @ matrix))
