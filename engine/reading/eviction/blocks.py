"""Blocks of rows that layers which choose blocks themselves (InfLLM-v2, arXiv 2509.24663) chose least so far.

Such a layer's query i reads the first blocks and those near it in any case, and of the others the best by their scores
B[i, b] (`kernels.block_scores`). Each query gives 1, shared among those that it chose so:

    worth[b] = 1 / n[b] * sum over queries i that chose b by its score of B[i, b] / sum over c chosen alike of B[i, c]

n[b] is how many queries there were to which b was no longer near: so how often a block is chosen counts, and how
strongly. Layers that read a short prompt densely choose all the same, and what they would read counts.

Whole blocks go. Their numbers stay with those that are left, and a mean of keys by which blocks are chosen goes when
all of its rows have. States of other layers stay what they are, so that a text is taken back to marks alone.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from engine.memory.caches import Caches
from engine.memory.sparse_rows import SparseRows
from engine.model.config import ModelConfig
from engine.protocol import Eviction
from engine.reading.eviction import guard
from engine.reading.eviction.pruning import Pruning, most
from kernels.block_scores import Blocks as Geometry
from kernels.block_scores import left

ELEMENTS = 1 << 24
"""Of the scores that are held at once."""
LARGEST = 1e30
"""Scores above it count as it: their normaliser is another's, and they may be infinite."""


class Blocks:
    observes = True
    renumbers = False

    def __init__(self, caches: Caches, layers: Sequence[int], scale: float) -> None:
        """`layers`: which of the caches' choose."""
        self._caches, self._scale = caches, scale
        self._layers = [_sparse(caches, layer) for layer in layers]
        self._sums: list[Tensor | None] = [None] * len(layers)  # [Hkv, blocks of the whole text], fp64
        self._new: list[Tensor | None] = [None] * len(layers)
        self._marks: dict[int, list[Tensor | None]] = {}

    def observe(self, layer: int, queries: Tensor, count: int) -> None:
        cache, before, tokens = self._layers[layer], self._sums[layer], queries.shape[1]
        numbers = cache.numbers(count)
        sums = torch.zeros(len(numbers), int(numbers[0, -1]) + 1, dtype=torch.float64, device=queries.device)
        if before is not None:
            sums[:, : before.shape[1]] = before
        each = max(1, ELEMENTS // numbers.numel())
        for first in range(0, tokens, each):
            own = queries[None, :, first : first + each]
            rows = torch.arange(own.shape[2], device=queries.device) + count - tokens + first
            scores = cache.scores(own, rows, count, self._scale)[0]
            sums.scatter_add_(1, numbers, used(scores, cache.tokens(rows), numbers, cache.blocks))
        self._new[layer] = sums

    def settle(self) -> None:
        self._sums, self._new = self._new, [None] * len(self._layers)

    def scores(self, first: int, last: int, places: int) -> Tensor:
        """Alike for all rows of a block; `first` and `last` are where some begin."""
        count, tokens, found = self._caches.length(), self._caches.tokens, []
        for cache, sums in zip(self._layers, self._sums, strict=True):
            assert sums is not None, "nothing was read"
            block = cache.blocks.block
            numbers = cache.numbers(count)[:, first // block : last // block]
            queries = (tokens - (numbers + cache.blocks.local) * block).clamp(min=1)
            found.append((sums.gather(1, numbers) / queries).float().repeat_interleave(block, 1))
        return torch.stack(found)

    def kept(self, rows: Tensor) -> None:
        """Blocks are counted by their numbers, which stay; of what was read before, rows are gone."""
        self._marks.clear()

    def mark(self, at: int) -> None:
        self._marks[at] = list(self._sums)  # which are made anew, never changed

    def before(self, count: int) -> int:
        """The last mark up to there; 0: none."""
        return max((at for at in self._marks if at <= count), default=0)

    def back(self, count: int) -> None:
        self._sums = list(self._marks[count]) if count else [None] * len(self._layers)
        self._marks = {at: sums for at, sums in self._marks.items() if at <= count}


class BlockPruning(Pruning):
    """Of whole blocks. Between pieces rows go at places of the text, never of the pieces: whatever these are, the same
    blocks are kept."""

    def __init__(self, how: Eviction, policy: Blocks, caches: Caches, config: ModelConfig, window: int) -> None:
        assert config.sparse is not None
        self._counts = policy
        self._blocks, self._newest = _sparse(caches, 0).blocks, guard.newest(config.sparse)
        super().__init__(how, policy, caches, config, window)

    def piece(self, most: int) -> int:
        left = self.budget + self.slack - self._caches.length()
        return min(most, left) if left > 0 and not self.at_end else most

    def rows(self, prompt: int, piece: int) -> int:
        return prompt if self.at_end else min(prompt, self.budget + self.slack)

    def usable(self, common: int, prompt: int, held: int) -> int:
        common = common if common == held else self._counts.before(common)
        return common if common >= self.cut else 0

    def _chosen(self, count: int) -> Tensor:
        """As `Pruning._chosen`, but for rows that the newest block does not have yet."""
        block, initial = self._blocks.block, self._blocks.initial
        total, kept = -(-count // block), self.budget // block
        places = kept - initial - self._newest
        worth = self.policy.scores(initial * block, (total - self._newest) * block, places)[..., ::block]
        best = most(worth, places) + initial
        ends = torch.arange(initial, device=best.device), torch.arange(total - self._newest, total, device=best.device)
        first, newest = (part.expand(*best.shape[:2], -1) for part in ends)
        rows = torch.cat((first, best, newest), -1)[..., None] * block + torch.arange(block, device=best.device)
        return rows.flatten(-2)[..., : (kept - total) * block + count]


def used(scores: Tensor, tokens: Tensor, numbers: Tensor, blocks: Geometry) -> Tensor:
    """What queries, which are tokens [T] of the text, give blocks `numbers` [Hkv, N] by scores [Hkv, T, N]: fp64
    [Hkv, N]."""
    chosen = left.best(scores[None], tokens, numbers, blocks)[0].long()  # [Hkv, T, M]
    there, at = chosen >= 0, chosen.clamp(min=0)
    number = numbers[:, None].expand(-1, chosen.shape[1], -1).gather(2, at)
    always = (number < blocks.initial) | (number > tokens[:, None] // blocks.block - blocks.local)
    share = scores.gather(2, at).double().clamp(max=LARGEST).masked_fill(~there | always, 0)
    share /= share.sum(-1, keepdim=True).clamp(min=torch.finfo(torch.float32).tiny)
    found = torch.zeros(numbers.shape, dtype=torch.float64, device=scores.device)
    return found.scatter_add_(1, at.flatten(1), share.flatten(1))


def _sparse(caches: Caches, layer: int) -> SparseRows:
    rows = caches.rows[layer]
    assert isinstance(rows, SparseRows), "blocks are given up where layers choose blocks"
    return rows
