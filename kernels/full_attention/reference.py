"""The definition, head by head in fp32: rows after a query weigh nothing, whatever they are."""

import torch
from torch import Tensor

from kernels.row import Norm, Place
from kernels.row_bytes import reference as row_bytes_reference


def read(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    batch, heads, tokens, _ = q.shape
    group, seen = heads // k.shape[1], k.shape[2]
    earlier = torch.ones(tokens, seen, dtype=torch.bool, device=q.device).tril(seen - tokens)  # [T, S]
    out = torch.zeros(q.shape, dtype=torch.float32, device=q.device)
    for b in range(batch):
        for h in range(heads):
            out[b, h] = read_head(q[b, h], k[b, h // group], v[b, h // group], earlier, scale)
    return out.to(q.dtype)


def read_head(q: Tensor, k: Tensor, v: Tensor, seen: Tensor, scale: float) -> Tensor:
    """softmax(q k^T) v in fp32 of q [T, D] over rows k, v [S, D], of which each query sees `seen` [T, S].

    What a query does not see may be NaN; one that sees nothing gets 0.
    """
    scores = scale * (q.float() @ k.float().T)
    weights = torch.softmax(scores.masked_fill(~seen, -torch.inf), 1).masked_fill(~seen, 0)
    numbers = v.isfinite()
    out = weights @ torch.where(numbers, v, 0).float()  # since 0 times NaN is NaN
    return out.masked_fill(seen.float() @ (~numbers).float() > 0, torch.nan)


def write(q: Tensor, k: Tensor, v: Tensor, at: Place, window: int | None, scale: float) -> Tensor:
    at = int(at)
    first = 0 if window is None else max(0, at + 1 - window)
    return read(q[:, :, None], k[:, :, first : at + 1], v[:, :, first : at + 1], scale)[:, :, 0]


def beside(q: Tensor, k: Tensor, v: Tensor, own_k: Tensor, own_v: Tensor, scale: float) -> Tensor:
    return read(q, torch.cat((k, own_k), 2), torch.cat((v, own_v), 2), scale)


def beside_bytes(
    q: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    own_k: Tensor,
    own_v: Tensor,
    scale: float,
) -> Tensor:
    k, v = ((rows.float() * scales[..., None]).to(q.dtype) for rows, scales in ((k, k_scales), (v, v_scales)))
    return beside(q, k, v, own_k, own_v, scale)


def write_bytes(
    q: Tensor, k: Tensor, k_scales: Tensor, v: Tensor, v_scales: Tensor, at: Place, window: int | None, scale: float
) -> Tensor:
    k, v = (rows.float() * scales[..., None] for rows, scales in ((k, k_scales), (v, v_scales)))
    return write(q, k, v, at, window, scale)


def step(
    heads: Tensor,
    norm: Norm | None,
    cos: Tensor,
    sin: Tensor,
    k: Tensor,
    v: Tensor,
    at: Place,
    window: int | None,
    scale: float,
) -> Tensor:
    kv_heads = k.shape[1]
    heads = _made_ready(heads, norm, cos, sin, kv_heads)
    queries = heads.shape[1] - 2 * kv_heads
    k[:, :, int(at)] = heads[:, queries : queries + kv_heads]
    v[:, :, int(at)] = heads[:, queries + kv_heads :]
    return write(heads[:, :queries], k, v, at, window, scale)


def step_bytes(
    heads: Tensor,
    norm: Norm | None,
    cos: Tensor,
    sin: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    at: Place,
    window: int | None,
    scale: float,
) -> Tensor:
    heads = _made_ready(heads, norm, cos, sin, k.shape[1])
    kv_heads = k.shape[1]
    for rows, scales, new in ((k, k_scales, heads[:, -2 * kv_heads : -kv_heads]), (v, v_scales, heads[:, -kv_heads:])):
        rows[:, :, int(at)], scales[:, :, int(at)] = row_bytes_reference.pack(new)
    return write_bytes(heads[:, : -2 * kv_heads], k, k_scales, v, v_scales, at, window, scale)


def _made_ready(heads: Tensor, norm: Norm | None, cos: Tensor, sin: Tensor, kv_heads: int) -> Tensor:
    width = heads.shape[2]
    queries = heads.shape[1] - 2 * kv_heads
    for head in range(queries + kv_heads):
        x = heads[:, head]  # [B, D]
        if norm is not None:
            x = x / torch.sqrt((x * x).mean(-1, keepdim=True) + norm.epsilon) * norm.gain[head]
        exchanged = torch.cat((x[:, width // 2 :], x[:, : width // 2]), -1)
        heads[:, head] = x * cos[0] + exchanged * sin[0]
    return heads
