"""The definition, token by token. In fp64, since an error in the decay is compounded over hundreds of tokens."""

import torch
from torch import Tensor


def read(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, state: Tensor, scale: float) -> Tensor:
    out = torch.zeros_like(q)
    decay = torch.exp(-slopes.double())[:, None, None]  # [H, 1, 1]
    held = state.double()  # [B, H, D, D]
    for t in range(q.shape[2]):
        one_q, one_k, one_v = (x[:, :, t].double() for x in (q, k, v))  # [B, H, D]
        held = decay * held + one_k[..., :, None] * one_v[..., None, :]
        out[:, :, t] = scale * (one_q[..., :, None] * held).sum(-2)
    state.copy_(held)
    return out


def write(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, state: Tensor, scale: float) -> Tensor:
    return read(q[:, :, None], k[:, :, None], v[:, :, None], slopes, state, scale)[:, :, 0]
