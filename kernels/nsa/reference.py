"""The definition, query by query in fp32. Never optimised."""

import torch
from torch import Tensor


def read(q: Tensor, k: Tensor, v: Tensor, at: int, kernel: int, stride: int, scale: float) -> Tensor:
    batch, heads, tokens, _ = q.shape
    group = heads // k.shape[1]
    out = torch.zeros(q.shape, dtype=torch.float32, device=q.device)
    for b in range(batch):
        for h in range(heads):
            for t in range(tokens):
                entries = [j for j in range(k.shape[2]) if j * stride + kernel - 1 <= at + t]
                if entries:
                    keys, values = k[b, h // group, entries].float(), v[b, h // group, entries].float()
                    out[b, h, t] = torch.softmax(scale * (keys @ q[b, h, t].float()), 0) @ values
    return out.to(q.dtype)


def write(q: Tensor, k: Tensor, v: Tensor, at: int, kernel: int, stride: int, scale: float) -> Tensor:
    return read(q[:, :, None], k, v, at, kernel, stride, scale)[:, :, 0]
