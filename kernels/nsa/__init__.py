"""The compressed branch of native sparse attention (NSA, arXiv 2502.11089).

An entry of keys and values, made elsewhere, stands for a window of `kernel` rows; windows begin every `stride` rows.
The other parts are other operations: which blocks are selected by the weights of this branch is `block_scores` with its
normaliser "exact" and pooling "overlap", attention over those is `block_sparse_attention`, over the newest rows
`full_attention`.

Shapes: q [B, Hq, T, D]; k and v, the entries [B, Hkv, n, D], any strides, Hq a multiple of Hkv: query head h looks at
key head h // (Hq / Hkv). All one dtype, fp32 or bf16, on one device. Query t is row i = at + t of the text and sees the
entries whose windows lie wholly at or before it, counted from 0; where there are none, its result is 0:

    out[t] = sum_j softmax_j(scale * q[t] . k[j]) v[j],   j * stride + kernel - 1 <= i

Accuracy, as the norm of the difference over the norm of the result, against `reference`: 1e-5 in fp32, 1e-2 in bf16.
Entries that no query sees have no influence, whatever they hold.
"""

from torch import Tensor

from kernels import dispatch

NAME = "nsa"


def seen(row: int, kernel: int, stride: int) -> int:
    """Entries that a query of this row sees."""
    return max(0, (row + 1 - kernel) // stride + 1)


def read(q: Tensor, k: Tensor, v: Tensor, at: int, kernel: int, stride: int, scale: float) -> Tensor:
    """Attention of T queries -> [B, Hq, T, D] in the dtype of q. `k`, `v`: at least all that the last query sees."""
    return dispatch.implementation(NAME, q.device).read(q, k, v, at, kernel, stride, scale)


def write(q: Tensor, k: Tensor, v: Tensor, at: int, kernel: int, stride: int, scale: float) -> Tensor:
    """Attention of one token, row `at`: q [B, Hq, D] fp32 -> [B, Hq, D] fp32.

    k and v may be bf16; then q may be rounded to that too.
    """
    return dispatch.implementation(NAME, q.device).write(q, k, v, at, kernel, stride, scale)
