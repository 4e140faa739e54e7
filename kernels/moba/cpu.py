"""Plain torch, on any device. Attention goes block by block, as the paper does it: over a query's own block causally,
and over every block before with the queries that chose it gathered; what is found is merged by the logarithms of sums.
"""

import torch
from torch import Tensor

from kernels.full_attention.cpu import flash

HELD = 1 << 24
"""Gates that are held at once, and rows of keys times channels whose means are made at once: as fp32, 64 MiB."""


def means(k: Tensor, block: int) -> Tensor:
    batch, kv_heads, rows, width = k.shape
    count = rows // block
    found = torch.empty((batch, kv_heads, count, width), device=k.device)
    each = max(1, HELD // (batch * kv_heads * block * width))
    for first in range(0, count, each):
        last = min(first + each, count)
        left = k[:, :, first * block : last * block].unflatten(2, (last - first, block)).float()
        while (size := left.shape[3]) > 1:  # halves are added to each other: the order of `sum` depends on the shape
            half = size // 2
            added = left[:, :, :, :half] + left[:, :, :, half : 2 * half]
            left = torch.cat((added, left[:, :, :, 2 * half :]), 3) if size % 2 else added
        found[:, :, first:last] = left[:, :, :, 0] / block
    return found


def choose(q: Tensor, means: Tensor, at: int, block: int, count: int) -> Tensor:
    batch, heads, tokens, _ = q.shape
    number = (at + tokens - 1) // block + 1
    chosen = torch.empty((batch, heads, tokens, min(count, number)), dtype=torch.int32, device=q.device)
    each = max(1, HELD // (batch * heads * number))
    for first in range(0, tokens, each):
        some = q[:, :, first : first + each]
        chosen[:, :, first : first + each] = _best(gates(some, means, number), at + first, block, chosen.shape[3])
    return chosen


def gates(q: Tensor, means: Tensor, number: int) -> Tensor:
    """Of the first `number` - 1 blocks, whether a query may choose them or not; and 0 of the last -> fp32
    [B, Hq, T, number]."""
    batch, heads, tokens, _ = q.shape
    found = q.new_zeros((batch, heads, tokens, number), dtype=torch.float32)
    queries = q.float().unflatten(1, (means.shape[1], -1))  # [B, Hkv, G, T, D]
    products = torch.matmul(queries.flatten(2, 3), means[:, :, : number - 1].mT)
    found[..., : number - 1] = products.view(batch, heads, tokens, -1)
    return found


def _best(gates: Tensor, at: int, block: int, count: int) -> Tensor:
    """`count` of the blocks by these gates, or as many as there are up to a query's own."""
    number = torch.arange(gates.shape[3], device=gates.device)
    own = torch.arange(at, at + gates.shape[2], device=gates.device)[:, None] // block
    gates = gates.masked_fill(number == own, torch.inf).masked_fill_(number > own, -torch.inf)
    # The least gate that is chosen is what topk says it is, while of equal ones it takes any
    least = gates.topk(count, -1).values[..., -1:]
    higher, equal = gates > least, gates == least
    wanted = count - higher.sum(-1, keepdim=True)
    taken = (higher | (equal & (equal.cumsum(-1) <= wanted))) & (number <= own)
    order = torch.where(taken, number, gates.shape[3]).topk(count, -1, largest=False, sorted=True).values
    return order.masked_fill_(order == gates.shape[3], -1).int()


def read(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    batch, _, tokens, _ = q.shape
    kv_heads = k.shape[1]
    mixed, sums = _own(q, k, v, at, block, scale)
    queries = q.unflatten(1, (kv_heads, -1))  # [B, Hkv, G, T, D]
    own = torch.arange(at, at + tokens, device=q.device)[:, None] // block
    past = torch.where(chosen < own, chosen, -1).unflatten(1, (kv_heads, -1))  # [B, Hkv, G, T, M]
    for b in range(batch):
        for h in range(kv_heads):
            _history(
                *(queries[b, h].reshape(-1, q.shape[3]), k[b, h], v[b, h], past[b, h].flatten(0, 1)),
                *(mixed[b, h].view(-1, q.shape[3]), sums[b, h].view(-1), block, scale),
            )
    return mixed.to(q.dtype).flatten(1, 2)


def _own(q: Tensor, k: Tensor, v: Tensor, at: int, block: int, scale: float) -> tuple[Tensor, Tensor]:
    """Every query over its own block: fp32 [B, Hkv, G, T, D], and the logarithms of the sums under it, without D."""
    (batch, heads, tokens, width), kv_heads = q.shape, k.shape[1]
    mixed = q.new_empty((batch, kv_heads, heads // kv_heads, tokens, width), dtype=torch.float32)
    sums = mixed.new_empty(mixed.shape[:4])
    for begin in range(at // block * block, at + tokens, block):
        first, last = max(begin, at), min(begin + block, at + tokens)
        some = q[:, :, first - at : last - at]
        part, part_sums = flash(some, k[:, :, first:last], v[:, :, first:last], scale, last - first > 1)
        if first > begin:  # rows that were there before
            older, older_sums = flash(some, k[:, :, begin:first], v[:, :, begin:first], scale, False)
            share = torch.sigmoid(older_sums - part_sums)[..., None]
            part, part_sums = torch.lerp(part.float(), older.float(), share), torch.logaddexp(part_sums, older_sums)
        place = slice(first - at, last - at)
        mixed[:, :, :, place], sums[:, :, :, place] = (x.unflatten(1, mixed.shape[1:3]) for x in (part, part_sums))
    return mixed, sums


def _history(
    q: Tensor, k: Tensor, v: Tensor, past: Tensor, mixed: Tensor, sums: Tensor, block: int, scale: float
) -> None:
    """Queries [n, D] over the blocks `past` [n, M] of keys and values [S, D], -1 for none, into mixed [n, D] and
    sums [n]."""
    blocks, order = past.flatten().sort(stable=True)
    queries = order // past.shape[1]
    numbers, counts = (x.tolist() for x in blocks.unique_consecutive(return_counts=True))
    begin = 0
    for number, count in zip(numbers, counts, strict=True):
        own, begin = queries[begin : begin + count], begin + count
        if number < 0:
            continue
        keys, values = (x[None, None, number * block : (number + 1) * block] for x in (k, v))
        part, part_sums = (x[0, 0] for x in flash(q[own][None, None], keys, values, scale, False))
        before = sums[own]
        now = torch.logaddexp(before, part_sums)
        mixed[own] = mixed[own] * (before - now).exp()[:, None] + part.float() * (part_sums - now).exp()[:, None]
        sums[own] = now


def write(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    return read(q[:, :, None].to(k.dtype), k, v, chosen[:, :, None], at, block, scale)[:, :, 0].to(q.dtype)
