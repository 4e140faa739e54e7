"""Plain torch, on any device: some queries at a time see the entries that all of them see, and then the few that only
some do; both are merged by the logarithms of their sums."""

import torch
from torch import Tensor

from kernels import full_attention
from kernels.full_attention.cpu import flash
from kernels.nsa import seen

QUERIES = 256
"""Taken at once: bounds what is masked to QUERIES x (QUERIES / stride + 1) scores a head."""


def read(q: Tensor, k: Tensor, v: Tensor, at: int, kernel: int, stride: int, scale: float) -> Tensor:
    out = torch.empty_like(q)
    for first in range(0, q.shape[2], QUERIES):
        some = q[:, :, first : first + QUERIES]
        row = at + first
        all_see, one_sees = seen(row, kernel, stride), seen(row + some.shape[2] - 1, kernel, stride)
        mixed, sums = _few(
            some, k[:, :, all_see:one_sees], v[:, :, all_see:one_sees], row, all_see, kernel, stride, scale
        )
        if all_see:
            older, older_sums = flash(some, k[:, :, :all_see], v[:, :, :all_see], scale, False)
            mixed = torch.lerp(mixed, older.float(), torch.sigmoid(older_sums - sums)[..., None])
        out[:, :, first : first + QUERIES] = mixed
    return out


def _few(
    q: Tensor, k: Tensor, v: Tensor, row: int, number: int, kernel: int, stride: int, scale: float
) -> tuple[Tensor, Tensor]:
    """Queries from `row` on over entries from `number` on, fp32 [B, Hq, t, D], zeros where none is seen; and the
    logarithms of the sums under them, -inf where none is."""
    batch, heads, tokens, width = q.shape
    if k.shape[2] == 0:
        return q.new_zeros(q.shape, dtype=torch.float32), q.new_full(q.shape[:3], -torch.inf, dtype=torch.float32)
    ends = torch.arange(number, number + k.shape[2], device=q.device) * stride + kernel - 1
    hidden = ends > torch.arange(row, row + tokens, device=q.device)[:, None]  # [t, n]
    grouped = q.float().reshape(batch, k.shape[1], -1, width) * scale  # [B, Hkv, G t, D]
    scores = torch.matmul(grouped, k.float().mT).view(batch, heads, tokens, -1).masked_fill_(hidden, -torch.inf)
    sums = scores.logsumexp(-1)
    weights = (scores - sums[..., None]).exp_().masked_fill_(hidden, 0.0)
    mixed = torch.matmul(weights.view(batch, k.shape[1], grouped.shape[2], -1), v.float())
    return mixed.view(batch, heads, tokens, width), sums


def write(q: Tensor, k: Tensor, v: Tensor, at: int, kernel: int, stride: int, scale: float) -> Tensor:
    count = seen(at, kernel, stride)
    if not count:
        return torch.zeros_like(q)
    return full_attention.write(q, k, v, count - 1, None, scale)
