"""Small inputs for the check at load: a piece, a first piece, one token; fp32 and bf16."""

from collections.abc import Iterator
from types import ModuleType

import torch
from torch import Tensor

from kernels import row_bytes
from kernels.block_sparse_attention import reference
from kernels.example import Example

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 1e-2}


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in TOLERANCE:
        yield example((1, 4, 2, 9, 200, 32), 32, 3, dtype, device)
        yield example((1, 4, 1, 21, 21, 64), 16, 3, dtype, device)
        for told in (False, True):
            yield token((1, 4, 2, 199, 32), 32, 3, dtype, device, told=told)
            yield token((1, 4, 2, 199, 32), 32, 3, dtype, device, choices=4, told=told)
        yield tiled((1, 4, 2, 150, 330, 32), 4, 2, dtype, device)
    yield tiled((1, 4, 2, 150, 330, 32), 2, 2, torch.bfloat16, device, packed=True)


def example(
    shape: tuple[int, int, int, int, int, int],
    block: int,
    count: int,
    dtype: torch.dtype,
    device: torch.device,
    spread: float = 1.0,
    choices: int | None = None,
) -> Example:
    """`shape`: B, Hq, Hkv, T, S, D: the last T queries of a text of S rows; behind it are NaN. `spread` scales them.
    `choices`: Hc, where it is not Hkv."""
    batch, heads, kv_heads, tokens, seen, width = shape
    random = torch.Generator().manual_seed(seen)
    q = torch.randn(batch, tokens, heads, width, generator=random).mul_(spread).to(device, dtype).transpose(1, 2)
    k, v = rows(batch, kv_heads, seen, width, random, dtype, device)
    chosen = choice(batch, choices or kv_heads, seen - tokens, tokens, block, count, random).to(device)
    scale = width**-0.5

    def run(form: ModuleType) -> Tensor:
        return form.read(q, k, v, chosen, seen - tokens, block, scale)

    return Example(f"piece of {tokens}, {dtype}", run, lambda: run(reference), TOLERANCE[dtype])


def tiled(
    shape: tuple[int, int, int, int, int, int],
    lists: int,
    count: int,
    dtype: torch.dtype,
    device: torch.device,
    block: int = 128,
    *,
    packed: bool = False,
) -> Example:
    """`shape`: as of `example`. `lists`: of choices, as many as query heads or as key heads. `packed`: of bytes."""
    batch, heads, kv_heads, tokens, seen, width = shape
    random = torch.Generator().manual_seed(seen)
    q = torch.randn(batch, tokens, heads, width, generator=random).to(device, dtype).transpose(1, 2)
    k, v = rows(batch, kv_heads, seen, width, random, dtype, device)
    at, scale = seen - tokens, width**-0.5
    first, last = at // block, (seen - 1) // block
    by_block = choice(batch, lists, first, last - first + 1, 1, count, random).to(device)  # as of blocks of one row
    if not packed:

        def run(form: ModuleType) -> Tensor:
            return form.read_tiles(q, k, v, by_block, at, block, scale)

    else:
        held = [part for half in (k, v) for part in row_bytes.pack(half)]

        def run(form: ModuleType) -> Tensor:
            return form.read_tiles_bytes(q, *held, by_block, at, block, scale)

    return Example(f"tiles of {tokens}, {dtype}", run, lambda: run(reference), TOLERANCE[dtype])


def token(
    shape: tuple[int, int, int, int, int],
    block: int,
    count: int,
    dtype: torch.dtype,
    device: torch.device,
    choices: int | None = None,
    *,
    told: bool = False,
) -> Example:
    """`shape`: B, Hq, Hkv, at, D. `choices` as above. `told`: the row is told by a tensor, and behind it are rows that
    are no numbers."""
    batch, heads, kv_heads, at, width = shape
    random = torch.Generator().manual_seed(at)
    q = torch.randn(batch, heads, width, generator=random).to(device)
    k, v = rows(batch, kv_heads, at + 1, width, random, dtype, device, 7 if told else 0)
    chosen = choice(batch, choices or kv_heads, at, 1, block, count, random)[:, :, 0].to(device)

    place = torch.tensor([at], device=device) if told else at

    def run(form: ModuleType) -> Tensor:
        return form.write(q, k, v, chosen, place, block, width**-0.5)

    return Example(f"one token{' by a tensor' if told else ''}, {dtype}", run, lambda: run(reference), TOLERANCE[dtype])


def rows(
    batch: int,
    kv_heads: int,
    seen: int,
    width: int,
    random: torch.Generator,
    dtype: torch.dtype,
    device: torch.device,
    more: int = 0,
) -> tuple[Tensor, Tensor]:
    """Keys head by head, values token by token; and `more` rows of NaN."""
    k = torch.full((batch, kv_heads, seen + 7, width), torch.nan)
    v = torch.full((batch, seen + 7, kv_heads, width), torch.nan).transpose(1, 2)
    for held in (k, v):
        held[:, :, :seen] = torch.randn(batch, kv_heads, seen, width, generator=random)
    return k.to(device, dtype)[:, :, : seen + more], v.to(device, dtype)[:, :, : seen + more]


def choice(batch: int, kv_heads: int, at: int, tokens: int, block: int, count: int, random: torch.Generator) -> Tensor:
    """Of every query up to `count` blocks, its own among them -> [B, Hkv, tokens, M]."""
    most = (at + tokens - 1) // block + 1
    chosen = torch.full((batch, kv_heads, tokens, min(count, most)), -1, dtype=torch.int32)
    for b, h, t in torch.cartesian_prod(*(torch.arange(size) for size in chosen.shape[:3])).tolist():
        own = (at + t) // block
        numbers = torch.randperm(own, generator=random)[: count - 1].tolist()
        chosen[b, h, t, : len(numbers) + 1] = torch.tensor([*sorted(numbers), own], dtype=torch.int32)
    return chosen
