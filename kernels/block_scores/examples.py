"""Small inputs for the check at load. A choice is judged by the scores of what was chosen: in the order of their size
they are those of the best, whichever of two that hardly differ was taken; what breaks a rule becomes NaN."""

import functools
from collections.abc import Iterator
from types import ModuleType

import torch
from torch import Tensor
from torch.nn import functional

from kernels.block_scores import COARSE, Blocks, Normaliser, reference
from kernels.example import Example

TOLERANCE = 1e-4
SMALL = Blocks(kernel=8, stride=4, block=16, initial=1, local=3, count=6)
OVERLAP = Blocks(kernel=8, stride=4, block=16, initial=1, local=2, count=5, pooling="overlap")


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in (torch.float32, torch.bfloat16):
        yield means((1, 2, 77, 32), 2, dtype, device)
        yield same((2, 3, 50, 20), dtype, device)
        for normaliser in ("coarse", "exact"):
            yield example((1, 4, 2, 19, 230, 32), SMALL, normaliser, dtype, device)
        yield example((1, 4, 2, 9, 230, 32), OVERLAP, "exact", dtype, device)
        yield example((1, 4, 2, 1, 230, 32), SMALL, "coarse", dtype, device, told=True)


def means(shape: tuple[int, int, int, int], first: int, dtype: torch.dtype, device: torch.device) -> Example:
    """`shape`: B, Hkv, S, D. Token by token, as rows may lie, and NaN behind them."""
    batch, kv_heads, seen, width = shape
    held = torch.randn(batch, seen + 5, kv_heads, width, generator=torch.Generator().manual_seed(seen))
    held[:, seen:] = torch.nan
    k = held.to(device, dtype).transpose(1, 2)[:, :, :seen]
    tolerance = 1e-6 if dtype is torch.float32 else 1e-2
    return Example(
        f"means, {dtype}",
        lambda form: form.compress(k, first, 8, 4),
        lambda: reference.compress(k, first, 8, 4),
        tolerance,
    )


def same(shape: tuple[int, int, int, int], dtype: torch.dtype, device: torch.device) -> Example:
    """`shape` as in `means`. Where windows one by one are those made all at once, to the bit: everywhere."""
    k = torch.randn(shape, generator=torch.Generator().manual_seed(0)).to(device, dtype)
    places = range(0, k.shape[2] - 8 + 1, 4)

    def run(form: ModuleType) -> Tensor:
        each = torch.cat([form.compress(k[:, :, at : at + 8], 0, 8, 4) for at in places], 2)
        return (each == form.compress(k, 0, 8, 4)).float()

    return Example(f"means one by one, {dtype}", run, lambda: torch.ones(*shape[:2], len(places), shape[3]), 0.0)


def example(
    shape: tuple[int, int, int, int, int, int],
    blocks: Blocks,
    normaliser: Normaliser,
    dtype: torch.dtype,
    device: torch.device,
    spread: float = 1.0,
    *,
    told: bool = False,
) -> Example:
    """`shape`: B, Hq, Hkv, T, S, D: the last T queries of a text of S rows. `spread` scales them, and so the scores.
    `told`: the first one's row is told by a tensor, and behind the means there is room for more, which is NaN."""
    batch, heads, kv_heads, tokens, seen, width = shape
    random = torch.Generator().manual_seed(seen)
    q = torch.randn(batch, tokens, heads, width, generator=random).mul_(spread).to(device, dtype).transpose(1, 2)
    k = torch.randn(batch, kv_heads, seen, width, generator=random).to(device, dtype)
    k1, k2 = (reference.compress(k, 0, by * blocks.kernel, by * blocks.stride) for by in (1, COARSE))
    at, scale = seen - tokens, width**-0.5

    @functools.cache
    def scores() -> Tensor:
        return reference.scores(q, k1, k2, at, blocks, scale, normaliser)

    def run(form: ModuleType) -> Tensor:
        if not told:
            return judged(form.choose(q, k1, k2, at, blocks, scale, normaliser), scores(), blocks.count)
        room = (functional.pad(means, (0, 0, 0, more), value=torch.nan) for means, more in ((k1, 45), (k2, 11)))
        chosen = form.choose(q, *room, torch.tensor([at], device=device), blocks, scale, normaliser)
        last = min(blocks.count, scores().shape[3])
        return judged(chosen[..., :last].masked_fill((chosen[..., last:] != -1).any(), -2), scores(), blocks.count)

    return Example(
        f"{normaliser}, {blocks.pooling}{' by a tensor' if told else ''}, {dtype}",
        run,
        lambda: judged(reference.best(scores(), at, blocks), scores(), blocks.count),
        TOLERANCE,
    )


def judged(chosen: Tensor, scores: Tensor, count: int) -> Tensor:
    """The scores [B, H, T, N] of the chosen blocks [B, H, T, M], `count` of them where there are so many, sorted; 1 for
    those always chosen, 0 for none."""
    expected = *scores.shape[:3], min(count, scores.shape[3])
    if chosen.shape != expected or chosen.dtype is not torch.int32:
        return torch.full(expected, torch.nan)
    behind = chosen < 0
    rising = (chosen[..., 1:] > chosen[..., :-1]) | behind[..., 1:]
    filled = (~behind).sum(-1) == (scores > -torch.inf).sum(-1).clamp(max=count)
    forced = (scores == torch.inf).sum(-1)
    found = scores.gather(-1, chosen.clamp(min=0).long()).masked_fill(behind, 0.0)
    whole = rising.all(-1) & filled & ((found == torch.inf).sum(-1) == forced) & (found > -torch.inf).all(-1)
    found = found.masked_fill(found == torch.inf, 1.0).sort(-1, descending=True).values
    return found.masked_fill(~whole[..., None], torch.nan)
