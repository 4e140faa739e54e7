"""Which rows of a kept segment are joined: those that the question attends to (ParallelComp, arXiv 2502.14317, 3.2).

S[j] = sum of the attention that the question's last eight tokens give row j, over the query heads that share a key
head. *Compression* keeps the rows with the largest S. *Calibration* drops, before that, rows whose S is abnormally
large: in the first quarter of the layers those of the segment's middle, in the second those of its end, in the last
those of its beginning. Wrong choices destroy retrieval, so it is off unless asked for.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from engine.memory.rows import SegmentRows
from engine.model.decoder import Decoder
from engine.model.rope import Rotation
from engine.reading.asking import read_beside

RECENT = 8
"""Tokens of the question whose attention counts."""
ABNORMAL = 0.1
"""Share of a token's attention, in the mean over tokens and heads, that a row must not be given (lambda)."""
EDGE = 100
"""Rows at a segment's beginning and at its end that are not its middle."""


@torch.inference_mode()
def attention(decoder: Decoder, segment: SegmentRows, tail: Tensor, rotation: Rotation) -> Tensor:
    """S of the tail [T] after the segment, fp32 [L, Hkv, R]: sums to at most RECENT x G over a head's rows."""
    found: list[Tensor] = []
    config = decoder.config
    scale = config.head_width**-0.5

    def add(layer: int, queries: Tensor, own: Tensor) -> None:
        """queries [Hq, T, D] and own keys [Hkv, T, D] of the tail."""
        keys, _ = segment.layer(layer, queries.dtype)
        heads, tokens, width = keys.shape[0], queries.shape[1], keys.shape[-1]
        recent = min(RECENT, tokens)
        q = queries[:, tokens - recent :].reshape(heads, -1, width).float()  # [Hkv, G * recent, D]
        scores = torch.cat((q @ keys.float().mT, q @ own.float().mT), -1) * scale
        row = torch.arange(tokens - recent, tokens).repeat(queries.shape[0] // heads).to(scores.device)
        ahead = torch.arange(-keys.shape[1], tokens, device=scores.device) - row[:, None]  # rows by which keys are
        hidden = ahead > 0
        if config.mixers[layer] == "sliding":
            assert config.sliding_window is not None
            hidden |= ahead <= -config.sliding_window
        scores.masked_fill_(hidden, -torch.inf)
        found.append(scores.softmax(-1)[..., : keys.shape[1]].sum(1))

    read_beside(decoder, [segment], tail, rotation, keep=1, queries=add)
    return torch.stack(found)


def chosen(attended: Tensor, share: float, preamble: int, group: int, *, calibrate: bool = False) -> Tensor | None:
    """Numbers of the rows to join, int64 [L, Hkv, n] ascending, by S [L, Hkv, R]; None: all of them.

    `share` of a segment's rows beyond the preamble's is kept, which are always kept. `group`: query heads to a key
    head. Every head keeps as many rows: where calibration drops fewer of one than of another, the rest are those that
    it attends to least.
    """
    layers, heads, _ = attended.shape
    own = attended[..., preamble:]
    budget = max(1, int(share * own.shape[2] + 0.5))
    if calibrate:
        abnormal = own > ABNORMAL * RECENT * group
        abnormal &= _regions(layers, own.shape[2], attended.device)[:, None]
        budget = min(budget, own.shape[2] - int(abnormal.sum(-1).max()))
        own = own.masked_fill(abnormal, -1.0)
    if budget >= own.shape[2]:
        return None
    best = own.topk(budget, -1).indices.sort(-1).values + preamble
    first = torch.arange(preamble, device=attended.device).expand(layers, heads, -1)
    return torch.cat((first, best), -1)


def _regions(layers: int, rows: int, device: torch.device) -> Tensor:
    """Rows where abnormal attention is dropped, bool [L, R]."""
    at = torch.arange(rows, device=device)
    beginning, end = at < EDGE, at >= rows - EDGE
    quarters: Sequence[Tensor] = (~beginning & ~end, end, torch.zeros_like(end), beginning)
    return torch.stack([quarters[min(3, layer * 4 // layers)] for layer in range(layers)])
