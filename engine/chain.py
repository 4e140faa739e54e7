"""The chain of token ids whose keys and values are in memory.

A new prompt shares its longest common prefix with the chain and only the rest is read: this is what makes a second
question cheap. What was read before a cancel stays read.
"""

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from engine.memory.rows import SegmentRows
from engine.model.decoder import Decoder, never
from engine.tokenizer import Ids


class Chain:
    """`window`: tokens that it may hold."""

    def __init__(self, decoder: Decoder, window: int) -> None:
        self.window = window
        self.documents: frozenset[str] = frozenset()
        """sha256 of the documents whose text may be in it."""
        self._decoder = decoder
        self._caches = decoder.make_caches(window)
        self._ids = np.zeros(window, np.int32)

    def __len__(self) -> int:
        return self._caches.length()

    def bytes(self) -> int:
        return self._caches.bytes()

    def bytes_of(self, count: int) -> int:
        """What `count` rows take; there is memory for more than are held."""
        return self.bytes() * count // max(1, self._caches[0].allocated)

    @property
    def ids(self) -> Ids:
        return self._ids[: len(self)]

    def common(self, ids: Ids) -> int:
        """Tokens at the start of `ids` that are in memory."""
        count = min(len(ids), len(self))
        different = np.flatnonzero(self._ids[:count] != ids[:count])
        return int(different[0]) if different.size else count

    def take(self, ids: Ids, tensors: dict[str, Tensor]) -> None:
        """Hold rows that were saved, instead of what is held: `ids` with `keys` and `values` [L, Hkv, R, D]."""
        self._caches.trim(0)
        self._caches.reserve(len(ids))
        for layer, keys, values in zip(self._caches, tensors["keys"], tensors["values"], strict=True):
            layer.store(keys[None], values[None], 0)
        self._caches.advance(len(ids))
        self._ids[: len(ids)] = ids

    def rows(self, count: int) -> dict[str, Tensor]:
        """Copies of the first `count` rows, as `take` takes them."""
        return SegmentRows.taken(self._caches, 0, count, "model").tensors()

    def keep(self, count: int) -> None:
        """Forget all but the first `count` tokens."""
        self._caches.trim(count)

    def clear(self) -> None:
        """Forget everything and give the memory back."""
        self._caches = self._decoder.make_caches(self.window)
        self.documents = frozenset()

    def read(
        self, ids: Ids, piece: int, *, answer: bool, stopped: Callable[[], bool] = never
    ) -> Iterator[tuple[int, Tensor | None]]:
        """Read ids after what is held, a piece at a time: tokens read so far, and with the last piece of a prompt that
        wants an answer float32 logits [vocab] of its last token. `Stopped` may be raised; whole pieces stay read."""
        self._caches.reserve(len(self) + len(ids))
        for start in range(0, len(ids), piece):
            part = ids[start : start + piece]
            last = start + len(part) == len(ids)
            tokens = torch.from_numpy(part.astype(np.int64)).to(self._decoder.device)[None]
            wanted: Literal["last", "none"] = "last" if answer and last else "none"
            logits = self._decoder.read(tokens, self._caches, logits=wanted, stopped=stopped)
            self._ids[len(self) - len(part) : len(self)] = part
            yield start + len(part), None if logits is None else logits[0]

    def write(self, id: int) -> Tensor:
        """Read one written token; float32 logits [vocab] of the next."""
        token = torch.tensor([id], device=self._decoder.device)
        logits = self._decoder.write(token, self._caches)
        self._ids[len(self) - 1] = id
        return logits[0]
