"""StreamingLLM (arXiv 2309.17453): the first rows, on which attention rests, and the newest.

Rows that are left are numbered anew, so that no position goes beyond the window and a chat may go on for ever: what
stood between is forgotten. Keys are turned by the difference, which for rotary positions is exact; held in bf16 or as
bytes they are rounded each time, so that this policy gives up rows in larger lots (`guard.slack`).
"""

import torch
from torch import Tensor

from engine.memory.caches import Caches
from engine.reading.eviction.policy import Unmoved


class Streaming(Unmoved):
    renumbers = True

    def __init__(self, caches: Caches, layers: int) -> None:
        self._heads = caches.rows[0].held.part(0, 0)[0].shape[1]
        self._layers = layers

    def scores(self, first: int, last: int, places: int) -> Tensor:
        """The newer the better."""
        return torch.arange(first, last, dtype=torch.float32).expand(self._layers, self._heads, -1)
