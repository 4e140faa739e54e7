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

from torch import Tensor

from kernels import dispatch
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
