"""Small inputs for the check at load: a piece after older rows, a first piece, one query; fp32 and bf16."""

from collections.abc import Iterator
from types import ModuleType

import torch
from torch import Tensor

from kernels.example import Example
from kernels.full_attention import reference

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 1e-2}


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in TOLERANCE:
        for name, tokens, seen in (("piece", 5, 43), ("first piece", 33, 33), ("one query", 1, 43)):
            yield example(name, (1, 6, 2, tokens, seen, 64), dtype, device)


def example(
    name: str, shape: tuple[int, int, int, int, int, int], dtype: torch.dtype, device: torch.device, spread: float = 1.0
) -> Example:
    """`shape`: B, Hq, Hkv, T, S, D. `spread` scales the queries, and with them the scores."""
    batch, heads, kv_heads, tokens, seen, width = shape
    random = torch.Generator().manual_seed(seen)

    def normal(*size: int) -> Tensor:
        return torch.randn(size, generator=random).to(device, dtype)

    q = normal(batch, heads, tokens, width) * spread
    k, v = normal(batch, kv_heads, seen, width), normal(batch, kv_heads, seen, width)
    scale = width**-0.5

    def run(form: ModuleType) -> Tensor:
        held = form.rows(batch, kv_heads, seen + 150, width, dtype, device)
        for rows, new in zip(held, (k, v), strict=True):
            rows[:, :, :seen] = new
        held[0][:, :, seen:] = torch.nan
        held[1][:, :, seen + 128 :] = torch.nan
        compute = form.write if tokens == 1 else form.read
        return compute(q, held[0][:, :, :seen], held[1][:, :, :seen], scale)

    return Example(f"{name}, {dtype}", run, lambda: reference.read(q, k, v, scale), TOLERANCE[dtype])
