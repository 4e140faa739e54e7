"""SnapKV (arXiv 2404.14469): rows that the newest queries, the end of a question, look at, and their neighbours.

    s[j]     = sum over the newest 32 queries i of softmax_j(scale * q[i] . k)
    score[j] = max of s[j - 3] to s[j + 3]

Of a group's heads the mean of s counts, or the most. The paper chooses once, at the end of a prompt. Here what is
written later is held to the same budget, by the queries that are the newest then. Of a text whose question does not
stand at its end it knows nothing.
"""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from engine.memory.caches import Caches
from engine.reading.eviction.guard import WINDOW
from engine.reading.eviction.h2o import keys_of

KERNEL = 7
"""Rows over which the best counts."""

Group = Literal["mean", "max"]


class SnapKV:
    observes = True
    renumbers = False

    def __init__(self, caches: Caches, layers: Sequence[int], scale: float, group: Group) -> None:
        """`layers`: which of the caches' choose."""
        self._caches, self._layers, self._scale, self._group = caches, layers, scale, group
        self._queries: list[Tensor | None] = [None] * len(layers)  # [Hq, up to WINDOW, D]
        self._new: list[Tensor | None] = [None] * len(layers)

    def observe(self, layer: int, queries: Tensor, count: int) -> None:
        before, newest = self._queries[layer], queries[:, -WINDOW:].float()
        self._new[layer] = (newest if before is None else torch.cat((before, newest), 1))[:, -WINDOW:].clone()

    def settle(self) -> None:
        self._queries, self._new = self._new, [None] * len(self._layers)

    def follow(self, other: "SnapKV") -> None:
        """Know of the same tokens what another one knows, that was told of them."""
        self._queries = [None if one is None else one.clone() for one in other._queries]

    def scores(self, first: int, last: int, places: int) -> Tensor:
        count, found = self._caches.length(), []
        for layer, queries in zip(self._layers, self._queries, strict=True):
            assert queries is not None, "nothing was read"
            seen = attention(queries, keys_of(self._caches.rows[layer], count), self._scale, self._group)
            found.append(functional.max_pool1d(seen[:, None], KERNEL, 1, KERNEL // 2)[:, 0, first:last])
        return torch.stack(found)

    def kept(self, rows: Tensor) -> None:
        """Queries stay, whatever rows do."""

    def mark(self, at: int) -> None:
        """What was observed since stays in it."""

    def back(self, count: int) -> None:
        self._queries = [None] * len(self._layers)


def attention(queries: Tensor, keys: Tensor, scale: float, group: Group) -> Tensor:
    """That the newest rows' queries [Hq, W, D] give rows of keys [Hkv, R, D] in all, fp32 [Hkv, R]."""
    (kv_heads, rows, _), tokens = keys.shape, queries.shape[1]
    row = torch.arange(rows, device=keys.device)
    hidden = row > torch.arange(rows - tokens, rows, device=keys.device)[:, None]
    sums = queries.new_empty((kv_heads, rows), dtype=torch.float32)
    for head, some in enumerate(queries.unflatten(0, (kv_heads, -1)).float()):  # [G, W, D]
        scores = (some @ keys[head].float().mT).mul_(scale).masked_fill_(hidden, -torch.inf)
        given = scores.softmax(-1).sum(1)  # [G, R]
        sums[head] = given.mean(0) if group == "mean" else given.amax(0)
    return sums
