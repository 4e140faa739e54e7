"""TriAttention (arXiv 2604.04921): rows whose keys the queries to come will look at, since queries are known.

Nothing of the text's own queries is looked at, only what they are like in general: `statistics` measures that once for
a model. A head's scores are brought to mean 0 and deviation 1 over the rows in question; of a group's query heads the
best counts. By the mode, key heads then choose for themselves, alike in every layer, or all together.
"""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from engine.memory.caches import Caches
from engine.reading.eviction.policy import Unmoved
from engine.reading.eviction.series import AHEAD, Means, coefficients, scores

LEAST_DEVIATION = 1e-6
ROWS = 4096
"""That are looked at at once."""

Mode = Literal["per_head", "per_layer_per_head", "union"]


class TriAttention(Unmoved):
    def __init__(
        self,
        caches: Caches,
        layers: Sequence[int],
        means: Means,
        mode: Mode,
        farthest: int | None = None,
        *,
        adaptive: bool = True,
    ) -> None:
        """`layers`: which of the caches' choose. `means` [layers, Hq, ...] of these. `farthest` of the distances ahead
        that count; `adaptive` as of `coefficients`."""
        self._caches, self._layers, self._means, self._mode = caches, layers, means, mode
        self._ahead = AHEAD if farthest is None else tuple(2**power for power in range(farthest.bit_length()))
        self._adaptive = adaptive

    def scores(self, first: int, last: int, places: int) -> Tensor:
        newest = self._caches.next_pos - 1
        about = (self._means, self._caches.rotation.frequency, newest, self._ahead)
        vectors, weights = coefficients(*about, adaptive=self._adaptive)
        alike = torch.stack(  # [layers, Hkv, G, rows]
            [
                self._of_layer(layer, vectors[number], weights[number], first, last)
                for number, layer in enumerate(self._layers)
            ]
        )
        alike -= alike.mean(-1, keepdim=True)
        alike /= alike.std(-1, correction=0, keepdim=True).clamp(min=LEAST_DEVIATION)
        best = alike.amax(2)
        if self._mode == "per_layer_per_head":
            return best
        if self._mode == "per_head":
            return best.mean(0).expand_as(best)
        every = alike.flatten(0, 2)
        voted = torch.zeros(every.shape, dtype=torch.bool, device=every.device)
        # Stable, so that all machines vote for the older of two rows that are worth the same
        voted.scatter_(1, every.sort(dim=1, descending=True, stable=True).indices[:, :places], True)
        return every.amax(0).masked_fill(~voted.any(0), -torch.inf).expand_as(best)

    def _of_layer(self, layer: int, vectors: Tensor, weights: Tensor, first: int, last: int) -> Tensor:
        """Of query heads with `vectors` [Hq, D] and `weights` [Hq, D / 2]: [Hkv, G, rows]."""
        held, parts = self._caches.rows[layer].held, []
        for start in range(first, last, ROWS):
            keys = held.part(start, min(start + ROWS, last))[0][0]  # [Hkv, R, D]
            heads = (part.unflatten(0, (len(keys), -1)) for part in (vectors, weights))
            parts.append(torch.stack([scores(*one) for one in zip(keys, *heads, strict=True)]))
        return torch.cat(parts, -1)
