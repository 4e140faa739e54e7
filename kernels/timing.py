"""Which product writes fastest on this machine: timed over one layer's weights, as writing a token uses them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from kernels.dispatch import relative
from kernels.row import Norm, prepare

ROUNDS = 7

EVICTED = 32 * 1024 * 1024
"""Bytes written between two timings, so that weights are fetched from memory as they are when a whole model runs."""

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 1e-2, torch.float16: 1e-2}
"""Largest relative difference from the form for reading; in the rows tried, some channels are ten times the others."""


class Writes(Protocol):
    products: tuple[str, ...]

    @property
    def columns(self) -> int: ...

    def use(self, product: str) -> None: ...

    @property
    def nbytes(self) -> int: ...

    def read(self, x: Tensor) -> Tensor: ...

    def write(self, x: Tensor, norm: Norm | None = None, gated: bool = False) -> Tensor: ...


Case = tuple[Writes, Tensor, Norm | None, bool]
"""A linear, and what its `write` is given."""


@dataclass(frozen=True)
class Dropped:
    """A product that cannot be used here, and why, in English for the log."""

    product: str
    reason: str


@dataclass(frozen=True)
class Timed:
    fastest: str
    milliseconds: dict[str, float]
    """Least of one row through all the linears, by product."""
    dropped: tuple[Dropped, ...]


@torch.inference_mode()
def time_products(linears: Sequence[Writes], dtype: torch.dtype, device: torch.device) -> Timed:
    """Time every product of these linears, which offer the same ones, on one row; leaves them using the fastest.

    A product that does not run, or whose result differs from what `read` gives, drops out; of a norm and of a gate too,
    which one of the linears must show.
    """
    rows = [_row(linear.columns, device) for linear in linears]
    cases: list[Case] = [(linear, row, None, False) for linear, row in zip(linears, rows, strict=True)]
    least = min(linears, key=lambda linear: linear.nbytes)
    row = _row(2 * least.columns, device)
    cases.append((least, row[:, : least.columns], Norm(row[0, least.columns :], 1e-6), False))
    cases.append((least, row, None, True))
    expected = [linear.read(_prepared(row, norm, gated).to(dtype)) for linear, row, norm, gated in cases]
    kept: list[str] = []
    dropped: list[Dropped] = []
    for product in linears[0].products:
        try:
            for linear in linears:
                linear.use(product)
            found = (linear.write(*given) for linear, *given in cases)
            error = max(relative(y, right) for y, right in zip(found, expected, strict=True))
        except Exception as problem:  # noqa: BLE001 - not in this build of torch; and compilers raise what they like
            dropped.append(Dropped(product, f"does not run: {problem}"))
            continue
        if error <= TOLERANCE[dtype]:
            kept.append(product)
        else:
            dropped.append(Dropped(product, f"differs by {error:.2g}"))
    if not kept:
        said = "; ".join(f"{each.product} {each.reason}" for each in dropped)
        raise RuntimeError(f"no product of weights agrees with reading by them on this computer: {said}")
    milliseconds = _least_times(linears, rows, kept, device)
    fastest = min(kept, key=lambda product: milliseconds[product])
    for linear in linears:
        linear.use(fastest)
    return Timed(fastest, milliseconds, tuple(dropped))


def _prepared(row: Tensor, norm: Norm | None, gated: bool) -> Tensor:
    row, factor = prepare(row, norm, gated)
    return row * factor


def _row(columns: int, device: torch.device) -> Tensor:
    row = torch.randn(1, columns, generator=torch.Generator().manual_seed(columns))
    row[:, ::97] *= 10
    return row.to(device)


def _least_times(
    linears: Sequence[Writes], rows: list[Tensor], products: list[str], device: torch.device
) -> dict[str, float]:
    """Other work only ever adds to a time: the least is nearest to what a quiet machine takes."""
    evict = torch.empty(EVICTED, dtype=torch.uint8, device=device)
    times: dict[str, list[float]] = {product: [] for product in products}
    for _ in range(ROUNDS):  # in turns, so that a busy moment of the machine hits all alike
        for product in products:
            for linear in linears:
                linear.use(product)
            evict.zero_()
            _finish(device)
            began = time.perf_counter()
            for linear, row in zip(linears, rows, strict=True):
                linear.write(row)
            _finish(device)
            times[product].append((time.perf_counter() - began) * 1000)
    return {product: min(each) for product, each in times.items()}


def _finish(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
