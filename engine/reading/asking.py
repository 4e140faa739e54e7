"""One pass of a question over many segments: how well each explains it, without keeping anything.

The question's rows stand behind the segment's own and are forgotten layer by layer, so nothing is copied. Segments
differ in length, so they are not one batch to attention; they are to everything else, and until the first attention
the question is the same for all of them.
"""

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from engine.memory.rows import SegmentRows
from engine.model.decoder import Decoder, Stopped, never
from engine.model.mixers import FullAttention
from engine.model.rope import Rotation

TOGETHER = 1024
"""Tokens that go through the products at once: enough for them to be fast, few enough to be stopped soon."""
SCORED = 256
"""Tokens whose logits are computed at once: so few that they stay in the processor's cache until they are summed."""


def surprises(
    decoder: Decoder,
    segments: Sequence[SegmentRows],
    tail: Tensor,
    words: tuple[int, int],
    *,
    rotation: Rotation,
    stopped: Callable[[], bool] = never,
) -> Iterator[float]:
    """For each segment the mean negative log-likelihood, in nats, of tokens `words[0]` to `words[1]` of tail [T] after
    the segment and what of the tail stands before them (ParallelComp's self-information, arXiv 2502.14317).

    Raises Stopped between layers.
    """
    first, last = max(words[0], 1), words[1]
    tail = tail[:last]  # what follows the words says nothing about them
    together = max(1, TOGETHER // len(tail))
    for start in range(0, len(segments), together):
        batch = segments[start : start + together]
        x = read_beside(decoder, batch, tail[:-1], rotation, keep=last - first, stopped=stopped)
        yield from _surprise(decoder, x, tail[first:])


@torch.inference_mode()
def read_beside(
    decoder: Decoder,
    segments: Sequence[SegmentRows],
    tail: Tensor,
    rotation: Rotation,
    *,
    keep: int,
    stopped: Callable[[], bool] = never,
    queries: Callable[[int, Tensor, Tensor], None] | None = None,
) -> Tensor:
    """Tail [T] after each of B segments: hidden states of its last `keep` tokens [B, keep, hidden], before the norm.

    `queries`, for one segment alone, is given each layer's number and the tail's turned queries [Hq, T, D] and keys
    [Hkv, T, D].
    """
    assert not decoder.config.whole_only, "texts are read whole"
    turns = [rotation.at(segment.count, len(tail)) for segment in segments]
    x: Tensor = decoder.embedding(tail[None])
    for number, layer in enumerate(decoder.layers):
        if stopped():
            raise Stopped
        kept = keep if number + 1 == len(decoder.layers) else len(tail)
        mixer = layer.mixer
        assert isinstance(mixer, FullAttention), "only rows can be stood beside"
        x = mixer.beside(x, layer.mixer_norm, turns, segments, number, kept, queries)
        x = layer.mlp.read(x, layer.mlp_norm)
    return x


@torch.inference_mode()
def _surprise(decoder: Decoder, x: Tensor, words: Tensor) -> list[float]:
    """x [B, W, hidden], whose next tokens are words [W] -> B means."""
    texts, count, _ = x.shape
    rows, following = x.flatten(0, 1), words.repeat(texts)
    nats: list[Tensor] = []
    for part, own in zip(rows.split(SCORED), following.split(SCORED), strict=True):
        logits = decoder.logits(part)  # [some, vocab]
        nats.append(logits.logsumexp(-1) - logits.gather(-1, own[:, None])[:, 0])
    return torch.cat(nats).view(texts, count).mean(-1).tolist()
