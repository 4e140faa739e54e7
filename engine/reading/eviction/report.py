"""What a policy left of a prompt's documents, part by part, so that pages can be named."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from engine.memory.caches import Caches, KeyValues
from engine.prompt import Placed, Span
from engine.protocol import ForgottenPart, Place, Pruned
from engine.reading.eviction.pruning import Pruning

SMALLEST = 64
"""Tokens of a part, at least."""
PARTS = 64
"""Of a document, at most."""


def pruned(pruning: Pruning, caches: Caches, documents: Sequence[Span], texts: Sequence[Placed]) -> Pruned:
    """`documents` of the prompt, with the `texts` of them that are known."""
    parts: list[ForgottenPart] = []
    if caches.dropped:
        gone = forgotten(caches, pruning.full)
        for number, (span, text) in enumerate(zip(documents, texts, strict=False)):
            parts += _parts(number, text, gone[span.body : min(span.close, len(gone))])
    return Pruned(pruning.how, pruning.budget, caches.length(), caches.dropped, tuple(parts))


def forgotten(caches: Caches, layers: Sequence[int]) -> Tensor:
    """Of each token that was read, the share of these layers' heads that have its row no more, fp32 [tokens]."""
    tokens = caches.places().tokens[list(layers)]
    kept = tokens.flatten().bincount(minlength=caches.length() + caches.dropped)
    return 1 - kept.float() / (tokens.shape[0] * tokens.shape[1])


def _parts(number: int, text: Placed, gone: Tensor) -> Iterator[ForgottenPart]:
    """Those of a document where something is gone; neighbours of which the same share is gone are one."""
    size = max(SMALLEST, -(-len(gone) // PARTS))
    start = 0
    shares = [round(float(part.mean()), 3) for part in gone.split(size)] if len(gone) else []
    for at, share in enumerate(shares):
        end = min((at + 1) * size, len(gone))
        if at + 1 < len(shares) and shares[at + 1] == share:
            continue
        if share:
            yield ForgottenPart(Place(number, text.character(start), text.character(end)), end - start, share)
        start = end


class Spread:
    """What heads give their rows, as given to the tokens that these are of: for `engine.evidence`."""

    def __init__(self, caches: Caches) -> None:
        self._caches = caches
        keeping = [number for number, layer in enumerate(caches.layers) if isinstance(layer, KeyValues)]
        self._among = {number: place for place, number in enumerate(keeping)}

    def __call__(self, layer: int, head: int, mass: Tensor) -> Tensor:
        """Mass of the first rows that the head of layer number `layer` holds -> of the tokens so far."""
        tokens = self._caches.places().tokens[self._among[layer], head, : len(mass)].long().to(mass.device)
        every = torch.zeros(self._caches.length() + self._caches.dropped, device=mass.device)
        return every.index_add(0, tokens, mass)
