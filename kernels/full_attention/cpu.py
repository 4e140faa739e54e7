"""Plain torch, the form for CPUs and the fallback anywhere.

Rows are kept for `write`: one query over a long text is limited by the speed of memory, and a matrix product streams a
matrix fastest as its left side, where nothing has to be repacked. So keys lie token by token, [B, count, Hkv * D], and
values channel by channel, [B, Hkv * D, count]. The query heads that share such a block of key heads become one
block-diagonal right side: zeros are multiplied in vain, but every row is fetched once and by one call.
"""

from functools import partial

import torch
from torch import Tensor

from kernels.full_attention import plain
from kernels.row import Place

BLOCK = 256
"""Channels of key heads that are multiplied at once: wide enough to stream, so narrow that the zeros cost little."""

QUERIES = 128
"""Taken at once where there is no flash kernel: their scores are all in memory."""

FOLD = 8
"""Rows of scores that are added side by side, so that adding is vectorised."""

STEP = 128
"""Rows are multiplied in whole steps, those behind the last row with weight zero: oneDNN compiles a product anew for
every shape, which takes longer than the product, and a text grows by a row with every token. So there are as many rows
more behind the last, of values that are numbers; and with AMX, oneDNN fetches columns in steps of 32 in any case."""

SMALLEST, LARGEST = 1e-30, 1e30
"""Between these, a sum of exponentials lost nothing to underflow and nothing overflowed."""


def rows(
    batch: int, kv_heads: int, count: int, width: int, dtype: torch.dtype, device: torch.device
) -> tuple[Tensor, Tensor]:
    """Values start as zeros: what lies behind the last row is multiplied by zero, and must be a number."""
    k = torch.empty((batch, count + STEP, kv_heads, width), dtype=dtype, device=device)
    v = torch.zeros((batch, kv_heads, width, count + STEP), dtype=dtype, device=device)
    return k.transpose(1, 2)[:, :, :count], v.transpose(2, 3)[:, :, :count]


def read(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    older = k.shape[2] - q.shape[2]
    v = v if v.stride(3) == 1 else v.contiguous()
    return beside(q, k[:, :, :older], v[:, :, :older], k[:, :, older:], v[:, :, older:], scale)


def beside(q: Tensor, k: Tensor, v: Tensor, own_k: Tensor, own_v: Tensor, scale: float) -> Tensor:
    """The new rows see each other causally and the older rows wholly: two calls of the flash kernel, neither with a
    mask, merged by the logarithms of their sums."""
    own, own_sum = flash(q, own_k, own_v, scale, causal=q.shape[2] > 1)
    if k.shape[2] == 0:
        return own
    older, older_sum = flash(q, k, v, scale, causal=False)
    share = torch.sigmoid(older_sum - own_sum)[..., None]  # [B, Hq, T, 1]
    return torch.lerp(own.float(), older.float(), share).to(q.dtype)


def flash(q: Tensor, k: Tensor, v: Tensor, scale: float, causal: bool) -> tuple[Tensor, Tensor]:
    """Attention, and the logarithm of the sum of exponentials under it, fp32 [B, Hq, T]."""
    if q.device.type != "cpu":
        return _anywhere(q, k, v, scale, causal)
    # It is ten times slower over strided channels
    k, v = (rows if rows.stride(3) == 1 else rows.contiguous() for rows in (k, v))
    out, log_sum = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, causal, scale=scale)
    return out, log_sum


def _anywhere(q: Tensor, k: Tensor, v: Tensor, scale: float, causal: bool) -> tuple[Tensor, Tensor]:
    """The same in products alone, which every device has."""
    batch, heads, tokens, width = q.shape
    kv_heads, rows = k.shape[1:3]
    grouped = q.reshape(batch, kv_heads, -1, tokens, width)
    out, sums = torch.empty_like(grouped), q.new_empty(grouped.shape[:4], dtype=torch.float32)
    for first in range(0, tokens, QUERIES):
        some = slice(first, min(first + QUERIES, tokens))
        scores = (grouped[:, :, :, some] * scale).float() @ k[:, :, None].float().transpose(3, 4)
        if causal:
            seen = torch.arange(rows, device=q.device) <= torch.arange(tokens, device=q.device)[some, None]
            scores.masked_fill_(~seen, -torch.inf)
        sums[:, :, :, some] = scores.logsumexp(-1)
        out[:, :, :, some] = (scores.softmax(-1) @ v[:, :, None].float()).to(q.dtype)
    return out.view(q.shape), sums.view(batch, heads, tokens)


def write(q: Tensor, k: Tensor, v: Tensor, at: Place, window: int | None, scale: float) -> Tensor:
    return plain.write(_over, q, k, v, at, window, scale)


def _over(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    batch, kv_heads, _, width = k.shape
    group = q.shape[1] // kv_heads
    if k.stride(3) != 1 or k.stride(1) != width or v.stride(2) != 1 or v.stride(1) != v.stride(3) * width:
        return _few_queries(q.reshape(batch, kv_heads, group, width), k, v, scale).view(q.shape)
    heads = max(1, BLOCK // width)
    if batch == 1 and kv_heads <= heads:
        return _block(q, k, v, scale)
    out = torch.empty_like(q)
    for b in range(batch):
        for first in range(0, kv_heads, heads):
            last = min(first + heads, kv_heads)
            own = slice(first * group, last * group)
            out[b : b + 1, own] = _block(q[b : b + 1, own], k[b : b + 1, first:last], v[b : b + 1, first:last], scale)
    return out


def _block(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    """q [1, Hq, 1, D] over rows that lie as `rows` lays them -> [1, Hq, 1, D].

    The largest score is not subtracted before the exponential: that would be two more passes over the scores, and
    the quotient is the same unless one of the sums leaves the range of numbers, which is looked at afterwards.
    """
    _, kv_heads, seen, width = k.shape
    queries = q.shape[1]
    group = queries // kv_heads
    channels = kv_heads * width
    columns = -(-queries // 4) * 4
    whole = -(-seen // STEP) * STEP
    keys = k.as_strided((whole, channels), (k.stride(2), 1))
    values = v.as_strided((channels, whole), (v.stride(3), 1))
    diagonal = k.new_zeros(columns, channels)
    blocks = diagonal.as_strided((kv_heads, group, width), (group * channels + width, channels, 1))
    torch.mul(q.view(kv_heads, group, width), scale, out=blocks)
    scores = torch.mm(keys, diagonal.t())  # [whole, columns]
    if whole > seen:
        scores[seen:] = -torch.inf
    weights = scores.exp_()
    sums = weights.view(-1, FOLD * columns).sum(0).view(FOLD, columns).sum(0, dtype=torch.float32)[:queries]
    least, most = torch.aminmax(sums)
    if not (least.item() > SMALLEST and most.item() < LARGEST):
        return _few_queries(q.view(1, kv_heads, group, width), k, v, scale).view(q.shape)
    mixed = torch.mm(values, weights)  # [channels, columns]
    own = mixed.as_strided((kv_heads, group, width), (width * columns + group, 1, columns))
    out = q.new_empty(q.shape)
    torch.div(own, sums.view(kv_heads, group, 1), out=out.view(kv_heads, group, width))
    return out


def _few_queries(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    """q [B, Hkv, G, D] over any rows, with the largest score subtracted."""
    scores = torch.matmul((q * scale).to(k.dtype), k.transpose(2, 3))
    return torch.matmul(torch.softmax(scores, -1, dtype=torch.float32).to(v.dtype), v).to(q.dtype)


beside_bytes = partial(plain.beside_bytes, beside)
write_bytes = partial(plain.write_bytes, write)
step = partial(plain.step, write)
step_bytes = partial(plain.step_bytes, write_bytes)
