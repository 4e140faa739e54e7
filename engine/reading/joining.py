"""Kept segments put together, so that an answer can be written over all of them.

Every segment was read from position 0 on, under the template's preamble. Of the preamble's rows those of the first
segment stay. Earlier turns come next, if there are any, and the segments' keys are turned on to lie behind them: a
small model takes its answer from what stands right before the question. Then, by the join:

- shared: keys stay turned as they are, so segments lie at the same positions, and what follows goes on behind the
  longest of them (ParallelComp, arXiv 2502.14317).
- consecutive: keys are turned on, so that each segment lies behind the one before. For rotary positions that is exact:
  turning by p and then by d is turning by p + d.
- reread: the segments' text is read again as one, each now seeing those before it.
"""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from msgspec import Struct
from torch import Tensor

from engine.memory.caches import Caches
from engine.memory.rows import SegmentRows
from engine.model.decoder import Decoder, never
from engine.model.rope import Rotation
from engine.protocol import Join
from engine.reading.segments import Segment
from engine.tokenizer import Ids

NOTHING: Ids = np.empty(0, np.int32)


class Laid(Struct, frozen=True):
    """Where a segment's rows lie: from row `row` on, the first of them being number `first` of those joined of it."""

    row: int
    first: int


class Joined:
    """Rows that an answer is written over: a `engine.writing.Rows`."""

    def __init__(self, decoder: Decoder, caches: Caches, piece: int) -> None:
        self.window = caches.capacity
        self._caches = caches
        self.laid: list[Laid] = []
        """One for each segment."""
        self._decoder = decoder
        self._piece = piece

    def __len__(self) -> int:
        return self._caches.length()

    @property
    def full(self) -> bool:
        """Whether no more can be written."""
        return len(self) == self.window

    @property
    def caches(self) -> Caches:
        return self._caches

    def bytes(self) -> int:
        return self._caches.bytes()

    def read(self, ids: Ids, stopped: Callable[[], bool] = never) -> Tensor:
        """Read what follows the segments; float32 logits [vocab] of its last token. Raises Stopped."""
        logits: Tensor | None = None
        for start in range(0, len(ids), self._piece):
            part = ids[start : start + self._piece]
            wanted = "last" if start + len(part) == len(ids) else "none"
            logits = self._decoder.read(_tensor(part, self._decoder), self._caches, logits=wanted, stopped=stopped)
        assert logits is not None
        return logits[0]

    def write(self, id: int) -> Tensor:
        return self._decoder.write(torch.tensor([id], device=self._decoder.device), self._caches)[0]


@torch.inference_mode()
def join(
    decoder: Decoder,
    segments: Sequence[Segment],
    rows: Sequence[SegmentRows],
    kept: Sequence[Tensor | None],
    how: Join,
    ahead: int,
    piece: int,
    stopped: Callable[[], bool] = never,
    *,
    before: Ids = NOTHING,
) -> Joined:
    """`rows` of `segments`, in the text's order, to be followed by up to a window of rows, `ahead` of them surely.
    `before`: tokens that are read between the preamble and the segments. Raises Stopped.

    `kept`: for each segment the numbers of the rows that are joined, int64 [L, Hkv, n] with all of the preamble among
    them, or None for all. Positions are those of the whole segment, whatever is kept of it. Reading again takes whole
    segments: ValueError with anything but None.
    """
    if not segments:
        return Joined(decoder, _room(decoder, 0, ahead), piece)
    preamble = segments[0].preamble
    if how == "reread":
        if any(part is not None for part in kept):
            raise ValueError("a text that is read again is read whole")
        ids = np.concatenate([segments[0].ids[:preamble], before, *(segment.ids[preamble:] for segment in segments)])
        caches = _room(decoder, len(ids), ahead)
        for start in range(0, len(ids), piece):
            decoder.read(_tensor(ids[start : start + piece], decoder), caches, logits="none", stopped=stopped)
        joined, at = Joined(decoder, caches, piece), preamble + len(before)
        for segment in segments:
            joined.laid.append(Laid(at, preamble))
            at += len(segment.ids) - preamble
        return joined
    counts = [part.count if own is None else own.shape[2] for part, own in zip(rows, kept, strict=True)]
    total = sum(counts) - preamble * (len(rows) - 1) + len(before)
    caches = _room(decoder, total, ahead)
    joined = Joined(decoder, caches, piece)
    at, turned = 0, 0
    if len(before):
        _place(decoder, caches, rows[0], kept[0], slice(0, preamble), 0, 0)
        caches.positions.extend(range(preamble))
        caches.next_pos = preamble
        joined.read(before, stopped)
        at, turned = len(caches.positions), len(before)
    positions: list[int] = []
    after = preamble + turned
    for number, (part, own) in enumerate(zip(rows, kept, strict=True)):
        first = preamble if at else 0
        shift = after - preamble if number and how == "consecutive" else turned
        _place(decoder, caches, part, own, slice(first, None), at, shift)
        joined.laid.append(Laid(at, first))
        held = part.count if own is None else own.shape[2]
        # Heads keep rows of their own choice, so a row has no position of its own once any are dropped; no layer asks
        positions.extend(range(first + shift, shift + held))
        at += held - first
        after = max(after, part.count + shift)
    caches.positions.extend(positions)
    caches.next_pos = after
    return joined


def _room(decoder: Decoder, rows: int, ahead: int) -> Caches:
    caches = _caches(decoder, max(decoder.config.window, rows + ahead))
    caches.reserve(rows + ahead)
    return caches


def _caches(decoder: Decoder, capacity: int) -> Caches:
    caches = decoder.make_caches(capacity)
    # Segments were turned as texts of a window are, and some kinds of positions hang on the length
    caches.rotation = Rotation(decoder.config, decoder.config.window, decoder.dtype, decoder.device)
    return caches


def _place(
    decoder: Decoder, caches: Caches, part: SegmentRows, own: Tensor | None, some: slice, at: int, shift: int
) -> None:
    for number, layer in enumerate(caches):
        keys, values = part.layer(number, decoder.dtype)  # [Hkv, R, D]
        if own is not None:
            chosen = own[number][..., None].expand(-1, -1, keys.shape[-1])
            keys, values = keys.gather(1, chosen), values.gather(1, chosen)
        keys, values = keys[:, some], values[:, some]
        if shift:
            keys = turned_on(keys, caches.rotation, shift)
        layer.store(keys[None], values[None], at)


class Alone(Joined):
    """Rows of one part of a segment after the other, each to be followed by up to `ahead` rows of its own."""

    def __init__(self, decoder: Decoder, longest: int, ahead: int, piece: int) -> None:
        caches = _caches(decoder, longest + ahead)
        caches.reserve(longest + ahead)
        super().__init__(decoder, caches, piece)

    @torch.inference_mode()
    def take(self, rows: SegmentRows, next_pos: int) -> None:
        """Hold these rows and nothing else, to be followed from position `next_pos` on."""
        caches = self._caches
        caches.trim(0)
        _place(self._decoder, caches, rows, None, slice(None), 0, 0)
        caches.positions.extend(range(next_pos - rows.count, next_pos))
        caches.next_pos = next_pos


def turned_on(keys: Tensor, rotation: Rotation, shift: int) -> Tensor:
    """Keys [..., D] turned by `shift` positions more, in fp32 on the way."""
    cos, sin = rotation.exact(shift)
    wide = keys.float()
    return torch.addcmul(wide * cos, wide.roll(wide.shape[-1] // 2, -1), sin).to(keys.dtype)


def _tensor(ids: Ids, decoder: Decoder) -> Tensor:
    return torch.from_numpy(ids.astype(np.int64)).to(decoder.device)[None]
