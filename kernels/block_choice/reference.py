"""The definition, group by group in fp32. Never optimised."""

import torch
from torch import Tensor

from kernels.block_choice import Choice, tiles


def masses(q: Tensor, k: Tensor, at: int, choice: Choice, scale: float) -> Tensor:
    batch, heads, tokens, width = q.shape
    group, rows = heads // k.shape[1], at + tokens
    size, block = choice.stride, choice.block
    first, count = at // block, (rows - 1) // block + 1
    found = torch.zeros(batch, heads, tiles(at, tokens, block), count, device=q.device)
    for b in range(batch):
        for head in range(heads):
            queries = torch.zeros(count * block, width, device=q.device)
            queries[at:rows] = q[b, head].float()
            keys = torch.zeros(count * block, width, device=q.device)
            keys[:rows] = k[b, head // group].float()
            for g in range(at // size, (rows - 1) // size + 1):
                turned = queries[g * size : (g + 1) * size].flip(0)  # row j is q[g S + S - 1 - j]
                z = scale / size * (turned * keys.unflatten(0, (-1, size))[: g + 1]).sum((1, 2))
                p = torch.softmax(z, 0)
                for c in range(g + 1):
                    found[b, head, g * size // block - first, c * size // block] += p[c]
    if choice.shared:
        found = found.unflatten(1, (-1, group)).sum(2)
    return found / found.sum(-1, keepdim=True)


def choose(q: Tensor, k: Tensor, at: int, choice: Choice, scale: float) -> Tensor:
    return best(masses(q, k, at, choice, scale), at // choice.block, choice)


def best(found: Tensor, first: int, choice: Choice) -> Tensor:
    """The choice by the masses [B, H, tiles, N]; `first`: the number of the first tile."""
    lists = []
    for b, h, t in torch.cartesian_prod(*(torch.arange(size) for size in found.shape[:3])).tolist():
        own, of = first + t, found[b, h, t].tolist()
        chosen = {0, own}
        for n in sorted(range(own + 1), key=lambda n: (-of[n], n)):
            if choice.threshold < 1 and sum(of[m] for m in chosen) >= choice.threshold:
                break
            chosen.add(n)
        lists.append(sorted(chosen))
    most = max(map(len, lists))
    padded = torch.tensor([[*numbers, *[-1] * (most - len(numbers))] for numbers in lists], dtype=torch.int32)
    return padded.view(*found.shape[:3], most).to(found.device)
