"""The definition, query by query in fp32. Never optimised."""

import torch
from torch import Tensor

from kernels.row import Place


def read(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    at = int(at)
    batch, heads, tokens, _ = q.shape
    group, sharing = heads // k.shape[1], heads // chosen.shape[1]
    out = torch.zeros(q.shape, dtype=torch.float32, device=q.device)
    for b in range(batch):
        for h in range(heads):
            for t in range(tokens):
                rows: list[int] = []
                for number in chosen[b, h // sharing, t].tolist():
                    if number >= 0:
                        rows += range(number * block, min((number + 1) * block, at + t + 1))
                keys, values = k[b, h // group, rows].float(), v[b, h // group, rows].float()  # [rows, D]
                out[b, h, t] = torch.softmax(scale * (keys @ q[b, h, t].float()), 0) @ values
    return out.to(q.dtype)


def write(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    return read(q[:, :, None], k, v, chosen[:, :, None], at, block, scale)[:, :, 0]
