"""Small inputs for the check at load. A choice is judged by the gates of what was chosen, as `block_scores` does it."""

import functools
from collections.abc import Iterator
from types import ModuleType

import torch
from torch import Tensor

from kernels.block_scores.examples import judged
from kernels.block_sparse_attention.examples import TOLERANCE, choice, rows
from kernels.example import Example
from kernels.moba import reference


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in TOLERANCE:
        yield means((1, 2, 77, 32), 24, dtype, device)
        yield choose((1, 4, 2, 11, 203, 32), 32, 3, dtype, device)
        yield example((1, 4, 2, 9, 200, 32), 32, 3, dtype, device)
        yield example((1, 4, 1, 21, 21, 64), 16, 3, dtype, device)
        yield token((1, 4, 2, 199, 32), 32, 3, dtype, device)


def means(shape: tuple[int, int, int, int], block: int, dtype: torch.dtype, device: torch.device) -> Example:
    """`shape`: B, Hkv, S, D; behind the rows are NaN."""
    random = torch.Generator().manual_seed(shape[2])
    k, _ = rows(shape[0], shape[1], shape[2], shape[3], random, dtype, device)
    return Example(
        f"means, {dtype}", lambda form: form.means(k, block), lambda: reference.means(k, block), TOLERANCE[dtype]
    )


def choose(
    shape: tuple[int, int, int, int, int, int],
    block: int,
    count: int,
    dtype: torch.dtype,
    device: torch.device,
    spread: float = 1.0,
) -> Example:
    """`shape`: B, Hq, Hkv, T, S, D: the last T queries of a text of S rows. `spread` 0: all gates are equal."""
    batch, heads, kv_heads, tokens, seen, width = shape
    random = torch.Generator().manual_seed(seen)
    q = torch.randn(batch, tokens, heads, width, generator=random).mul_(spread).to(device, dtype).transpose(1, 2)
    k = torch.randn(batch, kv_heads, seen, width, generator=random).to(device, dtype)
    of_blocks, at = reference.means(k, block), seen - tokens

    @functools.cache
    def scores() -> Tensor:
        return reference.scores(q, of_blocks, at, block)

    def run(form: ModuleType) -> Tensor:
        chosen = form.choose(q, of_blocks, at, block, count)
        found = judged(chosen, scores(), count)
        # Equal gates are judged alike, whichever was taken: so their numbers count then
        return found if spread else torch.cat((found, chosen.to(found.dtype)), -1)

    return Example(f"choose, {dtype}", run, lambda: run(reference), 1e-4)


def example(
    shape: tuple[int, int, int, int, int, int],
    block: int,
    count: int,
    dtype: torch.dtype,
    device: torch.device,
    spread: float = 1.0,
) -> Example:
    """`shape`: B, Hq, Hkv, T, S, D: the last T queries of a text of S rows; behind it are NaN. `spread` scales them."""
    batch, heads, kv_heads, tokens, seen, width = shape
    random = torch.Generator().manual_seed(seen)
    q = torch.randn(batch, tokens, heads, width, generator=random).mul_(spread).to(device, dtype).transpose(1, 2)
    k, v = rows(batch, kv_heads, seen, width, random, dtype, device)
    chosen = choice(batch, heads, seen - tokens, tokens, block, count, random).to(device)

    def run(form: ModuleType) -> Tensor:
        return form.read(q, k, v, chosen, seen - tokens, block, width**-0.5)

    return Example(f"piece of {tokens}, {dtype}", run, lambda: run(reference), TOLERANCE[dtype])


def token(
    shape: tuple[int, int, int, int, int], block: int, count: int, dtype: torch.dtype, device: torch.device
) -> Example:
    """`shape`: B, Hq, Hkv, at, D."""
    batch, heads, kv_heads, at, width = shape
    random = torch.Generator().manual_seed(at)
    q = torch.randn(batch, heads, width, generator=random).to(device)
    k, v = rows(batch, kv_heads, at + 1, width, random, dtype, device)
    chosen = choice(batch, heads, at, 1, block, count, random)[:, :, 0].to(device)

    def run(form: ModuleType) -> Tensor:
        return form.write(q, k, v, chosen, at, block, width**-0.5)

    return Example(f"one token, {dtype}", run, lambda: run(reference), TOLERANCE[dtype])
