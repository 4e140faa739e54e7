"""Which rows hold which tokens of documents, of a prompt that was read whole and of segments that were joined."""

import math
from collections.abc import Sequence
from itertools import accumulate

import torch
from torch import Tensor

from engine.evidence.passages import Stretch
from engine.prompt import Prompt
from engine.reading.joining import Laid
from engine.reading.segments import Segment

SOFT = 0.25
"""Nats of self-information by which a segment that is behind the first counts for less by the factor e: one that is a
nat behind hardly counts, whatever the heads say."""


def of_prompt(prompt: Prompt) -> list[Stretch]:
    """Of its documents."""
    spans = enumerate(prompt.documents)
    return [Stretch(number, 0, one.body, one.close - one.body) for number, one in spans if one.close > one.body]


def of_segments(segments: Sequence[Segment], rows: Sequence[int], nats: Sequence[float]) -> list[Stretch]:
    """`rows`: where the rows of each segment begin. `nats`: mean negative log-likelihood of the question after each."""
    best = min(nats, default=0.0)
    return [
        Stretch(
            body.document,
            body.start - body.again,
            row + body.at - body.again,
            body.end - body.start + body.again,
            math.exp((best - behind) / SOFT),
        )
        for segment, row, behind in zip(segments, rows, nats, strict=True)
        for body in segment.bodies
    ]


def begins(segments: Sequence[Segment], laid: Sequence[Laid], chosen: Sequence[Tensor | None]) -> list[int]:
    """Rows at which segments begin; where not all rows are joined, as `Picked` numbers them."""
    if all(own is None for own in chosen):
        return [one.row - one.first for one in laid]
    return [0, *accumulate(len(segment.ids) for segment in segments[:-1])]


class Picked:
    """Of segments of which each head holds rows of its own choice: what it gives them, as given to rows of the whole
    segments, one behind the other. `chosen` as in `engine.reading.joining.join`."""

    def __init__(self, segments: Sequence[Segment], laid: Sequence[Laid], chosen: Sequence[Tensor | None]) -> None:
        self._sizes, self._laid, self._chosen = [len(segment.ids) for segment in segments], laid, chosen

    def __call__(self, layer: int, head: int, mass: Tensor) -> Tensor:
        """Mass of the rows that the head holds -> of all."""
        every = []
        for size, laid, chosen in zip(self._sizes, self._laid, self._chosen, strict=True):
            numbers = torch.arange(size, device=mass.device) if chosen is None else chosen[layer, head]
            numbers = numbers[laid.first :]
            own = mass.new_zeros(size)
            own[numbers] = mass[laid.row : laid.row + len(numbers)]
            every.append(own)
        return torch.cat(every)
