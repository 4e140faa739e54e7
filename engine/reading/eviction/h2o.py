"""H2O (arXiv 2306.14048): rows that were given most attention so far, in reading and in writing.

    score[j] = 1 / n[j] * sum over queries i >= j, and over the heads of a group, of softmax_j(scale * q[i] . k)

n[j] is how many queries there were that could see row j: without it the oldest rows, which most queries see, would
have the most whatever they say. What queries gave that are taken back stays in the sums, so that then all is read
again. The sums are made tile by tile beside the attention; no T x T matrix is ever held.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from engine.memory.caches import Caches, KeyValues

ELEMENTS = 1 << 22
"""Of the scores that are held at once."""


class H2O:
    observes = True
    renumbers = False

    def __init__(self, caches: Caches, layers: Sequence[int], scale: float) -> None:
        """`layers`: which of the caches' choose."""
        self._caches, self._layers, self._scale = caches, layers, scale
        self._sums: list[Tensor | None] = [None] * len(layers)  # [Hkv, rows]
        self._new: list[Tensor | None] = [None] * len(layers)

    def observe(self, layer: int, queries: Tensor, count: int) -> None:
        before = self._sums[layer]
        if (0 if before is None else before.shape[1]) != count - queries.shape[1]:
            raise ValueError("there are rows whose queries were not told of")
        sums = column_sums(queries, keys_of(self._caches.rows[self._layers[layer]], count), self._scale)
        if before is not None:
            sums[:, : before.shape[1]] += before
        self._new[layer] = sums

    def settle(self) -> None:
        self._sums, self._new = self._new, [None] * len(self._layers)

    def follow(self, other: "H2O") -> None:
        """Know of the same tokens what another one knows, that was told of them."""
        self._sums = [None if one is None else one.clone() for one in other._sums]

    def scores(self, first: int, last: int, places: int) -> Tensor:
        sums = torch.stack([sums[:, first:last] for sums in self._sums if sums is not None])
        tokens = self._caches.places().tokens[list(self._layers), :, first:last].to(sums.device)
        return sums / (self._caches.length() + self._caches.dropped - tokens)

    def kept(self, rows: Tensor) -> None:
        for layer, sums in enumerate(self._sums):
            if sums is not None:
                self._sums[layer] = sums.gather(1, rows[layer].to(sums.device))

    def mark(self, at: int) -> None:
        """What was observed since stays in it."""

    def back(self, count: int) -> None:
        self._sums = [None] * len(self._layers)


def keys_of(cache: KeyValues, count: int) -> Tensor:
    """[Hkv, count, D] as the model computes them."""
    return cache.held.part(0, count)[0][0]


def column_sums(queries: Tensor, keys: Tensor, scale: float) -> Tensor:
    """Attention that the newest T rows' queries [Hq, T, D] give each row of keys [Hkv, R, D], fp32 [Hkv, R], added over
    queries and over the heads of a group."""
    (kv_heads, rows, _), tokens = keys.shape, queries.shape[1]
    grouped = queries.unflatten(0, (kv_heads, -1))  # [Hkv, G, T, D]
    sums = queries.new_zeros((kv_heads, rows), dtype=torch.float32)
    tile = max(1, ELEMENTS // (grouped.shape[1] * rows))
    row = torch.arange(rows, device=keys.device)
    for head in range(kv_heads):
        own = keys[head].float().mT
        for start in range(0, tokens, tile):
            some = grouped[head, :, start : start + tile].float()
            seen = rows - tokens + start + some.shape[1]  # the last of these queries sees no further
            scores = (some @ own[:, :seen]).mul_(scale)
            at = torch.arange(seen - some.shape[1], seen, device=keys.device)[:, None]
            scores.masked_fill_(row[:seen] > at, -torch.inf)
            sums[head, :seen] += scores.softmax(-1).sum((0, 1))
    return sums
