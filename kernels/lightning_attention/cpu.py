"""Plain torch in fp32, the fallback anywhere: chunk after chunk, all heads at once."""

import torch
from torch import Tensor

CHUNK = 64
"""Tokens in a chunk: the more, the more is computed between its tokens, and the less often the state is gone over."""


def read(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, state: Tensor, scale: float) -> Tensor:
    batch, heads, tokens, width = q.shape
    out = q.new_empty(batch, tokens, heads, width).transpose(1, 2)
    held = state.reshape(batch * heads, width, width)  # a view, when the state is contiguous
    fades = _fades(slopes, min(CHUNK, tokens)).repeat(batch, 1)  # [B H, C + 1]
    inner, length = fades.new_empty(0), 0
    for first in range(0, tokens, CHUNK):
        chunk = slice(first, min(first + CHUNK, tokens))
        one_q, one_k, one_v = (x[:, :, chunk].float().reshape(batch * heads, -1, width) for x in (q, k, v))
        if one_q.shape[1] != length:
            length = one_q.shape[1]
            inner = _inner(fades, length)
        one_q = one_q * scale
        scores = (one_q @ one_k.mT).mul_(inner)
        of_state = (one_q * fades[:, 1 : length + 1, None]) @ held
        out[:, :, chunk] = torch.baddbmm(of_state, scores, one_v).view(batch, heads, length, width)
        one_k = one_k * fades[:, :length].flip(1)[..., None]
        held = torch.baddbmm(held * fades[:, length, None, None], one_k.mT, one_v)
    state.copy_(held.view(state.shape))
    return out


def _fades(slopes: Tensor, count: int) -> Tensor:
    """What is left after 0 .. count tokens, [H, count + 1]."""
    return torch.exp(-slopes[:, None] * torch.arange(count + 1, device=slopes.device))


def _inner(fades: Tensor, length: int) -> Tensor:
    """What is left of token j at token i of a chunk, [B H, length, length]; nothing of later ones."""
    places = torch.arange(length, device=fades.device)
    apart = places[:, None] - places
    return fades[:, apart.clamp(min=0)].where(apart >= 0, 0.0)


def write(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, state: Tensor, scale: float) -> Tensor:
    state.mul_(torch.exp(-slopes)[:, None, None]).addcmul_(k[..., :, None], v[..., None, :])
    return ((q * scale)[..., None, :] @ state)[..., 0, :]
