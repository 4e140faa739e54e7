"""torch's fused attention, the form for CUDA: flash kernels read, and write over rows head by head."""

from functools import partial

import torch
from torch import Tensor
from torch.nn import functional

from kernels.full_attention import plain
from kernels.row import Place


def rows(
    batch: int, kv_heads: int, count: int, width: int, dtype: torch.dtype, device: torch.device
) -> tuple[Tensor, Tensor]:
    """Head by head: [B, Hkv, count, D] contiguous."""
    shape = (batch, kv_heads, count, width)
    return torch.empty(shape, dtype=dtype, device=device), torch.empty(shape, dtype=dtype, device=device)


def read(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    tokens, seen = q.shape[2], k.shape[2]
    if tokens == seen or tokens == 1:
        return functional.scaled_dot_product_attention(
            q, k, v, is_causal=tokens == seen and tokens > 1, scale=scale, enable_gqa=True
        )
    from torch.nn.attention.bias import causal_lower_right  # only here: it brings torch's compiler, seconds of imports

    # The bias is a description, not a matrix: the flash kernel aligns the diagonal to the last row itself. It knows no
    # grouped queries, so heads are repeated as views would not be accepted.
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    return functional.scaled_dot_product_attention(q, k, v, attn_mask=causal_lower_right(tokens, seen), scale=scale)


def beside(q: Tensor, k: Tensor, v: Tensor, own_k: Tensor, own_v: Tensor, scale: float) -> Tensor:
    return read(q, torch.cat((k, own_k), 2), torch.cat((v, own_v), 2), scale)


def write(q: Tensor, k: Tensor, v: Tensor, at: Place, window: int | None, scale: float) -> Tensor:
    return plain.write(_over, q, k, v, at, window, scale)


def _over(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    out = functional.scaled_dot_product_attention(q.to(k.dtype), k, v, scale=scale, enable_gqa=True)
    return out.to(q.dtype)


beside_bytes = partial(plain.beside_bytes, beside)
write_bytes = partial(plain.write_bytes, write)
step = partial(plain.step, write)
step_bytes = partial(plain.step_bytes, write_bytes)
