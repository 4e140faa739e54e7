"""Attention mass of a few heads, computed beside what is written: no attention of the model is done otherwise for it.

When a token is chosen the query heads of the row before it are copied; after some tokens they are multiplied with keys:

    a[t, h, r] = softmax_r(scale * q[t, h] . k[r]),   r up to the query's own row
    mass[r]    = sum over tokens t and heads h of a[t, h, r]

Heads that are known to look at what is written about are simply added. Of all heads of a model together most look
elsewhere, and widely; few of them look at one place alone. So these are made to count by squares, for blocks b of rows:

    mass[r in b] = sum over t and h of (sum over r in b of a[t, h, r])^2 / rows of b
"""

from collections.abc import Callable, Iterable
from itertools import groupby

import torch
from msgspec import Struct
from torch import Tensor
from torch.nn import functional

from engine.evidence.passages import BLOCK
from engine.memory.caches import Caches, KeyValues
from engine.model.config import ModelConfig

Spread = Callable[[int, int, Tensor], Tensor]
"""spread(layer, key head, mass [rows]) -> mass [all rows], where heads hold rows of their own choice."""


class Head(Struct, frozen=True, order=True, array_like=True):
    """Query head `head` of layer `layer`, counted from 0 among all layers."""

    layer: int
    head: int


class HeadMass:
    """Of what is written onto `caches`. `squared`: `heads` are not known to look at what is written about."""

    def __init__(
        self,
        caches: Caches,
        config: ModelConfig,
        heads: Iterable[Head],
        *,
        squared: bool = False,
        spread: Spread | None = None,
    ) -> None:
        self._caches, self._config = caches, config
        self._squared, self._spread = squared, spread
        group = config.heads // config.kv_heads
        self._heads = [
            (layer, key, torch.tensor([one.head for one in some], device=caches.device))
            for (layer, key), some in groupby(sorted(set(heads)), key=lambda one: (one.layer, one.head // group))
        ]
        self._taken: list[tuple[int, list[Tensor]]] = []

    def cost(self, rows: int) -> float:
        """Multiplications for a token that sees so many rows."""
        return sum(len(heads) for _, _, heads in self._heads) * rows * self._config.head_width

    def take(self) -> None:
        """Copy the newest row's queries."""
        queries = [_queries(self._caches[at]).index_select(0, heads) for at, _, heads in self._heads]
        self._taken.append((self._caches.length(), queries))

    @torch.inference_mode()
    def gather(self, count: int) -> Tensor:
        """Mass of the first `count` tokens taken, fp32 [rows], which are then forgotten."""
        taken, self._taken = self._taken[:count], self._taken[count:]
        rows = [rows for rows, _ in taken]
        found: list[Tensor] = []
        for number, (layer, key, heads) in enumerate(self._heads):
            keys = _rows(self._caches[layer]).keys(key, max(rows))
            queries = torch.stack([queries[number] for _, queries in taken]).float()  # [T, heads, D]
            scores = (queries.flatten(0, 1) @ keys.mT).mul_(self._config.head_width**-0.5)
            self._hide(scores, torch.tensor(rows).repeat_interleave(len(heads)), layer)
            mass = scores.softmax(-1)
            mass = _by_squares(mass) if self._squared else mass.sum(0)
            found.append(mass if self._spread is None else self._spread(layer, key, mass))
        return torch.stack(found).sum(0)

    def _hide(self, scores: Tensor, seen: Tensor, layer: int) -> None:
        """Scores [n, rows] of what queries that see up to `seen` [n] rows do not see."""
        least, sliding = int(seen.min()), self._config.mixers[layer] == "sliding"
        row, seen = torch.arange(scores.shape[1], device=scores.device), seen.to(scores.device)[:, None]
        scores[:, least:].masked_fill_(row[least:] >= seen, -torch.inf)
        if sliding and self._config.sliding_window is not None:
            scores.masked_fill_(row < seen - self._config.sliding_window, -torch.inf)


def _by_squares(mass: Tensor) -> Tensor:
    """Mass [n, rows] -> [rows]."""
    rows = mass.shape[1]
    blocks = functional.pad(mass, (0, -rows % BLOCK)).unflatten(1, (-1, BLOCK)).sum(-1)
    return (blocks.square().sum(0) / BLOCK).repeat_interleave(BLOCK)[:rows]


def _rows(cache: object) -> KeyValues:
    assert isinstance(cache, KeyValues), "only rows are attended to"
    return cache


def _queries(cache: object) -> Tensor:
    queries = _rows(cache).queries
    assert queries is not None, "nothing was read"
    return queries[0]
