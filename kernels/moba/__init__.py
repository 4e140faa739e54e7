"""Mixture of block attention (MoBA, arXiv 2502.13189): every query attends to a few blocks of rows, by head.

Shapes: q [B, Hq, T, D]; k and v [B, Hkv, S, D], any strides, Hq a multiple of Hkv: query head h looks at key head
h // (Hq / Hkv). All one dtype, fp32 or bf16, on one device. A block is `block` rows, which stand for themselves by the
mean of their keys, keys turned by their positions. Query t is row i = at + t of the text and in block i // block:

    gate[n] = q[t] . mean[n]                                      for blocks n that ended before the query's own, fp32
    chosen  = its own block, and the `count` - 1 others of the largest gates; of equal ones the lower
    out[t]  = sum_j softmax_j(scale * q[t] . k[j]) v[j]           j <= i, j // block in chosen

so that nothing of a block is known before all its rows are read. Where there are no more blocks than `count`, this is
attention over all rows. The choice may differ from `reference`'s where gates differ by less than 1e-4 of the larger;
attention is within 1e-5 in fp32 and 1e-2 in bf16, as the norm of the difference over the norm of the result.
"""

from torch import Tensor

from kernels import dispatch

NAME = "moba"


def means(k: Tensor, block: int) -> Tensor:
    """Of the blocks that are whole: k [B, Hkv, S, D], fp32 or bf16, any strides -> fp32 [B, Hkv, S // block, D].

    Added in an order that depends on nothing but `block`: the same bits whether made one by one or all at once.
    """
    return dispatch.implementation(NAME, k.device).means(k, block)


def choose(q: Tensor, means: Tensor, at: int, block: int, count: int) -> Tensor:
    """The chosen blocks of T queries, of which the first is row `at` of the text -> int32 [B, Hq, T, M].

    `means`: fp32 [B, Hkv, n, D], of at least all blocks before the last query's own. M is `count`, or the number of
    blocks up to the last query's where that is less. Ascending; behind a query's own block are -1.
    """
    return dispatch.implementation(NAME, q.device).choose(q, means, at, block, count)


def read(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    """Attention of T queries over rows 0 to at + T, which are there -> [B, Hq, T, D] in the dtype of q.

    `chosen` as `choose` gives it. Blocks that no query of a head has chosen have no influence, whatever they hold; rows
    up to at + T of the others must be numbers.
    """
    return dispatch.implementation(NAME, q.device).read(q, k, v, chosen, at, block, scale)


def write(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    """Attention of one token, row `at`: q [B, Hq, D] fp32, chosen [B, Hq, M] -> [B, Hq, D] fp32.

    k and v may be bf16; then q may be rounded to that too.
    """
    return dispatch.implementation(NAME, q.device).write(q, k, v, chosen, at, block, scale)
