"""Small inputs for the check at load. Masses are compared; a choice by the definition's masses of what was chosen."""

from collections.abc import Iterator
from types import ModuleType

import torch
from torch import Tensor

from kernels.block_choice import Choice, reference
from kernels.example import Example

TOLERANCE = {torch.float32: 1e-4, torch.bfloat16: 2e-2}
SMALL = Choice(block=16, stride=4, threshold=0.7)
SHARED = Choice(block=16, stride=4, threshold=0.7, shared=True)


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in TOLERANCE:
        yield example((1, 4, 2, 37, 90, 32), SMALL, dtype, device)
        yield example((1, 4, 2, 21, 21, 32), SHARED, dtype, device)


def example(
    shape: tuple[int, int, int, int, int, int],
    choice: Choice,
    dtype: torch.dtype,
    device: torch.device,
    spread: float = 1.0,
) -> Example:
    """`shape`: B, Hq, Hkv, T, S, D: the last T queries of a text of S rows. `spread` scales them, and so the scores."""
    batch, heads, kv_heads, tokens, seen, width = shape
    random = torch.Generator().manual_seed(seen)
    q = torch.randn(batch, tokens, heads, width, generator=random).mul_(3 * spread).to(device, dtype).transpose(1, 2)
    k = torch.randn(batch, kv_heads, seen + 5, width, generator=random)
    k[:, :, seen:] = torch.nan
    k = k.to(device, dtype)[:, :, :seen]
    about = seen - tokens, choice, width**-0.5
    expected = reference.masses(q, k, *about)

    def run(form: ModuleType) -> Tensor:
        return torch.cat((form.masses(q, k, *about), judged(form.choose(q, k, *about), expected, about[0], choice)), -1)

    return Example(f"{dtype}", run, lambda: run(reference), TOLERANCE[dtype])


def judged(chosen: Tensor, found: Tensor, at: int, choice: Choice) -> Tensor:
    """Of every tile [B, H, tiles, 3]: how many hold less than the threshold after the definition's masses, with the
    least of the chosen or without it, as far as that goes beyond rounding; NaN where a rule is broken."""
    first, slack = at // choice.block, 2e-2
    own = first + torch.arange(found.shape[2], device=found.device)[:, None]
    there = chosen >= 0
    rising = ((chosen[..., 1:] > chosen[..., :-1]) | ~there[..., 1:]).all()
    forced = (chosen[..., :1] == 0).all() & (chosen.amax(-1, keepdim=True) == own).all()
    of = found.gather(-1, chosen.clamp(min=0).long()).masked_fill(~there, 0.0)
    free = there & (chosen > 0) & (chosen < own)
    least = torch.where(free, of, 2.0).amin(-1)
    short = of.sum(-1) < choice.threshold - slack
    much = free.any(-1) & (of.sum(-1) - least > choice.threshold + slack) & (choice.threshold < 1)
    told = torch.stack((short, much, torch.zeros_like(much)), -1).float()
    return told.masked_fill(~(rising & forced), torch.nan) if chosen.dtype is torch.int32 else told * torch.nan
