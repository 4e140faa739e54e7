"""Softmax attention over all rows, with grouped queries.

Shapes: q [B, Hq, T, D]; k and v [B, Hkv, S, D] with S >= T, any strides, Hq a multiple of Hkv: query head h looks at
key head h // (Hq / Hkv). All one dtype, fp32 or bf16, on one device. Query i is row S - T + i of the text and sees the
rows up to and including its own:

    out[i] = sum_j softmax_j(scale * q[i] . k[j]) v[j],   j <= S - T + i

Returns [B, Hq, T, D] in the dtype of q. Accuracy, as the norm of the difference over the norm of the result, against
`reference`: 1e-5 in fp32, 1e-2 in bf16 (scores may be rounded to bf16). Keys beyond S have no influence, whatever they
hold; up to 128 values beyond S may be multiplied by zero, so they must be numbers, as they are in what `rows` gives.

`read` is for many queries, `write` for one (T = 1), whose row may be told by a tensor (`kernels.row.Place`): then rows
behind it may be anything. Both take any strides; `write` is fast over rows laid out by
`rows`, which is where a cache should keep them. `beside` is for queries whose own rows lie elsewhere than those of the
text before them, which may be bytes: a text that is kept is asked without being copied.
"""

import torch
from torch import Tensor

from kernels import dispatch, row_bytes
from kernels.row import Norm, Place

NAME = "full_attention"


def read(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    """Attention of T queries, the newest rows of the text -> [B, Hq, T, D]."""
    return dispatch.implementation(NAME, q.device).read(q, k, v, scale)


def write(q: Tensor, k: Tensor, v: Tensor, at: Place, window: int | None, scale: float) -> Tensor:
    """Attention of one query, which is row `at`, over the newest `window` rows, itself among them, or all: q [B, Hq, D]
    -> [B, Hq, D]. Here q may be fp32 beside bf16 rows."""
    return dispatch.implementation(NAME, q.device).write(q, k, v, at, window, scale)


def beside(q: Tensor, k: Tensor, v: Tensor, own_k: Tensor, own_v: Tensor, scale: float) -> Tensor:
    """Attention of T queries that see all S rows of k and v, and causally their own T rows -> [B, Hq, T, D].

    q [B, Hq, T, D]; k, v [B, Hkv, S, D], which are only read; own_k, own_v [B, Hkv, T, D]; all of any strides, S may be
    0. As `read` over the rows and the own rows in one, with its accuracy; nothing outside these views is looked at.
    """
    return dispatch.implementation(NAME, q.device).beside(q, k, v, own_k, own_v, scale)


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
    """`beside` over rows from `row_bytes`: k, v int8 [B, Hkv, S, D], k_scales, v_scales fp32 [B, Hkv, S].

    What the rows stand for is rounded to the dtype of q first.
    """
    form = dispatch.implementation(NAME, q.device)
    return form.beside_bytes(q, k, k_scales, v, v_scales, own_k, own_v, scale)


def write_bytes(
    q: Tensor, k: Tensor, k_scales: Tensor, v: Tensor, v_scales: Tensor, at: Place, window: int | None, scale: float
) -> Tensor:
    """`write` of q fp32 over rows from `row_bytes`: k, v int8 [B, Hkv, S, D], k_scales, v_scales fp32 [B, Hkv, S]."""
    form = dispatch.implementation(NAME, q.device)
    return form.write_bytes(q, k, k_scales, v, v_scales, at, window, scale)


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
    """One token's attention from the product of its layer on: norm, rotary position, storing, `write`.

    heads [B, Hq + 2 Hkv, D] fp32, contiguous, those of q, k and v in this order; q and k are normed and turned in
    place. `norm`: of each q and k head, its gain [Hq + Hkv, D]. cos, sin [1, D]: head x becomes x * cos + (x with its
    halves exchanged) * sin. k, v: a cache from `rows`; the token becomes its row `at` and sees the newest `window`
    rows, itself among them, or all. Returns [B, Hq, D], fp32.
    """
    return dispatch.implementation(NAME, heads.device).step(heads, norm, cos, sin, k, v, at, window, scale)


def read_bytes(q: Tensor, k: Tensor, k_scales: Tensor, v: Tensor, v_scales: Tensor, scale: float) -> Tensor:
    """`read` over rows from `row_bytes` alone: k, v int8 [B, Hkv, S, D], k_scales, v_scales fp32 [B, Hkv, S].

    What the rows stand for, the queries' own too, is rounded to the dtype of q first.
    """
    older = k.shape[2] - q.shape[2]
    own_k = row_bytes.unpack(k[:, :, older:], k_scales[:, :, older:], q.dtype)
    own_v = row_bytes.unpack(v[:, :, older:], v_scales[:, :, older:], q.dtype)
    before = (rows[:, :, :older] for rows in (k, k_scales, v, v_scales))
    return beside_bytes(q, *before, own_k, own_v, scale)


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
    """`step` over rows as `row_bytes` packs them: k, v int8 [B, Hkv, S, D], k_scales, v_scales fp32 [B, Hkv, S], all
    contiguous. The token's own row is packed and seen so as well."""
    form = dispatch.implementation(NAME, heads.device)
    return form.step_bytes(heads, norm, cos, sin, k, k_scales, v, v_scales, at, window, scale)


def rows(
    batch: int, kv_heads: int, count: int, width: int, dtype: torch.dtype, device: torch.device
) -> tuple[Tensor, Tensor]:
    """Keys and values [B, Hkv, count, D] to be filled, in the memory layout that `write` is fastest over here.

    Views of the first S rows of these, or of any rows in the middle, are what `read` and `write` should be given.
    """
    return dispatch.implementation(NAME, device).rows(batch, kv_heads, count, width, dtype, device)
