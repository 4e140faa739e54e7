"""Small inputs for the check at load: a piece, one whose first tokens see nothing, one token; fp32 and bf16."""

from collections.abc import Iterator
from types import ModuleType

import torch

from kernels.block_sparse_attention.examples import TOLERANCE, rows
from kernels.example import Example
from kernels.nsa import reference, seen

KERNEL, STRIDE = 8, 4


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in TOLERANCE:
        yield example((1, 4, 2, 21, 200, 32), dtype, device)
        yield example((1, 4, 1, 21, 21, 64), dtype, device)
        yield token((1, 4, 2, 199, 32), dtype, device)
    yield token((1, 4, 2, 6, 32), torch.float32, device)


def example(
    shape: tuple[int, int, int, int, int, int],
    dtype: torch.dtype,
    device: torch.device,
    kernel: int = KERNEL,
    spread: float = 1.0,
) -> Example:
    """`shape`: B, Hq, Hkv, T, S, D: the last T queries of a text of S rows. `spread` scales them. A text that ends
    before its first window does has a result of zeros, to which one is added so that there is something to compare."""
    batch, heads, kv_heads, tokens, length, width = shape
    random = torch.Generator().manual_seed(length)
    q = torch.randn(batch, tokens, heads, width, generator=random).mul_(spread).to(device, dtype).transpose(1, 2)
    k, v = rows(batch, kv_heads, seen(length - 1, kernel, kernel // 2), width, random, dtype, device)
    none = 0.0 if k.shape[2] else 1.0

    def run(form: ModuleType) -> torch.Tensor:
        return form.read(q, k, v, length - tokens, kernel, kernel // 2, width**-0.5) + none

    return Example(f"piece of {tokens}, {dtype}", run, lambda: run(reference), TOLERANCE[dtype])


def token(shape: tuple[int, int, int, int, int], dtype: torch.dtype, device: torch.device) -> Example:
    """`shape`: B, Hq, Hkv, at, D."""
    batch, heads, kv_heads, at, width = shape
    random = torch.Generator().manual_seed(at)
    q = torch.randn(batch, heads, width, generator=random).to(device)
    k, v = rows(batch, kv_heads, seen(at, KERNEL, STRIDE), width, random, dtype, device)
    none = 0.0 if k.shape[2] else 1.0

    def run(form: ModuleType) -> torch.Tensor:
        return form.write(q, k, v, at, KERNEL, STRIDE, width**-0.5) + none

    return Example(f"one token, {dtype}", run, lambda: run(reference), TOLERANCE[dtype])
