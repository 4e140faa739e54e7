"""Softmax attention over chosen blocks of rows, one choice a query and key head (InfLLM-v2, arXiv 2509.24663; NSA,
arXiv 2502.11089), or one a query and query head (MoBA, arXiv 2502.13189).

Shapes: q [B, Hq, T, D]; k and v [B, Hkv, S, D], any strides, Hq a multiple of Hkv: query head h looks at key head
h // (Hq / Hkv). All one dtype, fp32 or bf16, on one device. `chosen` [B, Hc, T, M] int32, as `block_scores.choose`
gives it: numbers of blocks of `block` rows, ascending, -1 behind the last; every query's own block is among them. Hc is
a multiple of Hkv that divides Hq: query heads h that share h // (Hq / Hc) share a choice. Query t is row at + t of the
text, which is below S; `at` may be told by a tensor (`kernels.row.Place`):

    out[t] = sum_j softmax_j(scale * q[t] . k[j]) v[j],   j <= at + t,   j // block in chosen[t]

Returns [B, Hq, T, D] in the dtype of q. Accuracy, as the norm of the difference over the norm of the result, against
`reference`: 1e-5 in fp32, 1e-2 in bf16. Rows of other blocks and rows beyond a query's own have no influence; those up
to `at` + T that are in a chosen block must be numbers.
"""

import torch
from torch import Tensor

from kernels import dispatch, row_bytes
from kernels.row import Place

NAME = "block_sparse_attention"


def read(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    """Attention of T queries -> [B, Hq, T, D]."""
    return dispatch.implementation(NAME, q.device).read(q, k, v, chosen, at, block, scale)


def write(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    """Attention of one token, row `at`: q [B, Hq, D] fp32, chosen [B, Hc, M] -> [B, Hq, D] fp32.

    k and v may be bf16; then q may be rounded to that too.
    """
    return dispatch.implementation(NAME, q.device).write(q, k, v, chosen, at, block, scale)


def read_tiles(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    """As `read`, where the queries of a tile have chosen together -> [B, Hq, T, D].

    `chosen` [B, H, tiles, M] int32, as `block_choice.choose` gives it: H is Hq, or Hkv where the query heads of a key
    head share a choice; a tile is of the queries of `block` rows of the text, counted from its first; its own block is
    among the chosen. k and v [B, Hkv, at + T, D]; rows behind are not looked at.
    """
    return dispatch.implementation(NAME, q.device).read_tiles(q, k, v, chosen, at, block, scale)


def read_tiles_bytes(
    q: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    chosen: Tensor,
    at: int,
    block: int,
    scale: float,
) -> Tensor:
    """`read_tiles` over rows from `row_bytes`: k, v int8 [B, Hkv, at + T, D], k_scales, v_scales fp32 [B, Hkv, at + T].

    What they stand for is rounded to the dtype of q first.
    """
    form = dispatch.implementation(NAME, q.device)
    return form.read_tiles_bytes(q, k, k_scales, v, v_scales, chosen, at, block, scale)


def write_bytes(
    q: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    chosen: Tensor,
    at: Place,
    block: int,
    scale: float,
    dtype: torch.dtype,
) -> Tensor:
    """`write` over rows from `row_bytes`: k, v int8 [B, Hkv, S, D], k_scales, v_scales fp32 [B, Hkv, S].

    The chosen blocks alone are unpacked, as numbers of `dtype`.
    """
    return write(q, *unpacked(k, k_scales, v, v_scales, chosen, at, block, dtype), block, scale)


def unpacked(
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    chosen: Tensor,
    at: Place,
    block: int,
    dtype: torch.dtype,
) -> tuple[Tensor, Tensor, Tensor, Place]:
    """Of rows as in `write_bytes` the blocks alone that the token of row `at` has chosen [B, Hc, M], one behind the
    other: keys and values of Hc heads in `dtype`, the choice of all of them, and the token's row there."""
    there, kv_heads = chosen >= 0, k.shape[1]
    rows = (chosen.clamp_min(0).long()[..., None] * block + torch.arange(block, device=chosen.device)).flatten(2)
    rows.clamp_(max=at)  # behind the token stand rows that nobody sees
    rows = rows.unflatten(1, (kv_heads, -1)).flatten(2)  # what several choose of one head's, one behind the other
    bytes_of = rows[..., None].expand(*rows.shape, k.shape[3])
    keys = row_bytes.unpack(k.gather(2, bytes_of), k_scales.gather(2, rows), dtype)
    values = row_bytes.unpack(v.gather(2, bytes_of), v_scales.gather(2, rows), dtype)
    keys, values = (x.unflatten(2, (chosen.shape[1] // kv_heads, -1)).flatten(1, 2) for x in (keys, values))
    slots = torch.arange(chosen.shape[2], dtype=chosen.dtype, device=chosen.device)
    # The token's own block is the last, of all or of as many as are chosen
    most = chosen.shape[2] - 1
    own = (at // block).clamp(max=most) if isinstance(at, Tensor) else min(at // block, most)
    return keys, values, torch.where(there, slots, -1), own * block + at % block
