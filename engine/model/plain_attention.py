"""Causal attention by torch's own operation, with the signatures of `kernels.full_attention`."""

import torch
from torch import Tensor
from torch.nn import functional


def read(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    """q [B, Hq, T, D], k and v [B, Hkv, S, D] -> [B, Hq, T, D]; query i is row S-T+i and sees rows up to its own."""
    tokens, rows = q.shape[2], k.shape[2]
    if tokens == 1:
        return write(q, k, v, scale)
    if tokens == rows:
        return functional.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
    seen = torch.ones(tokens, rows, dtype=torch.bool, device=q.device).tril(rows - tokens)
    return functional.scaled_dot_product_attention(q, k, v, attn_mask=seen, scale=scale, enable_gqa=True)


def write(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    """q [B, Hq, 1, D] sees all rows of k and v [B, Hkv, S, D] -> [B, Hq, 1, D]."""
    batch, heads, _, width = q.shape
    grouped = q.reshape(batch, k.shape[1], -1, width)  # queries of one K/V head together
    scores = (grouped @ k.transpose(2, 3)).float() * scale
    return (scores.softmax(-1).to(v.dtype) @ v).view(batch, heads, 1, width)
