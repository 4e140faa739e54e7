"""The blocks that sparse layers chose while something was written, and the scores that they chose them by.

Summed over layers, key heads and tokens. The first blocks are read in any case, and what is near as well: the first,
where everything looks that looks at nothing, are no evidence; the near ones by their scores, as all others.
"""

import torch
from torch import Tensor

from engine.memory.caches import Caches
from engine.memory.sparse_rows import SparseRows
from engine.model.decoder import Decoder
from engine.model.sparse import SparseAttention


class BlockScores:
    """Of what is written onto `caches`, whose sparse layers choose."""

    how = "blocks"

    def __init__(self, decoder: Decoder, caches: Caches) -> None:
        self._caches = caches
        self._layers: list[tuple[SparseAttention, SparseRows]] = [
            (layer.mixer, cache)
            for layer, cache in zip(decoder.layers, caches.layers, strict=True)
            if isinstance(layer.mixer, SparseAttention) and isinstance(cache, SparseRows)
        ]
        self._taken: list[tuple[int, list[tuple[Tensor, Tensor]]]] = []

    def cost(self, rows: int) -> float:
        """Multiplications for a token that sees so many rows."""
        return sum(mixer.heads * rows / mixer.blocks.stride * mixer.width for mixer, _ in self._layers)

    def take(self) -> None:
        """Copy the newest row's queries and choices."""
        self._taken.append((self._caches.length(), [_copies(cache) for _, cache in self._layers]))

    @torch.inference_mode()
    def gather(self, count: int) -> Tensor:
        """Scores of the first `count` tokens taken, those of a block shared among its tokens: fp32 [tokens], 0 of those
        whose rows are gone. They are then forgotten."""
        taken, self._taken = self._taken[:count], self._taken[count:]
        rows = torch.tensor([rows - 1 for rows, _ in taken])
        most = int(rows[-1]) + 1
        tokens, block = most + self._caches.dropped, self._layers[0][0].blocks.block
        total = torch.zeros(-(-tokens // block))
        for number, (mixer, cache) in enumerate(self._layers):
            queries = torch.stack([layers[number][0] for _, layers in taken], 1)[None]  # [1, Hq, T, D]
            scores = cache.scores(queries, rows.to(queries.device), most, mixer.scale)[0]  # [Hkv, T, N]
            numbers = cache.numbers(most)
            read = scores.new_zeros(*scores.shape[:2], len(total))
            for token, (_, layers) in enumerate(taken):
                chosen = layers[number][1].long()  # [Hkv, M]
                read[:, token].scatter_add_(-1, chosen.clamp(min=0), (chosen >= 0).to(read.dtype))
            found = (scores * read.gather(2, numbers[:, None].expand_as(scores))).sum(1)  # [Hkv, N]
            total = total.to(found.device).index_add_(0, numbers.flatten(), found.flatten())
        total[: self._layers[0][0].blocks.initial] = 0
        return (total / block).repeat_interleave(block)[:tokens]


def _copies(cache: SparseRows) -> tuple[Tensor, Tensor]:
    assert cache.queries is not None
    assert cache.chosen is not None
    return cache.queries[0].clone(), cache.chosen[0].clone()
