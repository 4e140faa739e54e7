"""The compiled form for CPUs, over means in bf16 where the processor multiplies tiles of it; all else is the plain
form's."""

from torch import Tensor

from kernels.block_scores import Blocks, Normaliser, cpu
from kernels.block_scores.cpu import compress, scores
from kernels.native import library, sparse
from kernels.row import Place

__all__ = ["choose", "compress", "scores"]

library()  # raises Unavailable, and so another form is taken


def choose(
    q: Tensor, k1: Tensor, k2: Tensor, at: Place, blocks: Blocks, scale: float, normaliser: Normaliser
) -> Tensor:
    group = q.shape[1] // k1.shape[1]
    if isinstance(at, Tensor) or blocks.pooling != "largest" or not sparse.fits(k1, k2) or group > sparse.HEADS:
        return cpu.choose(q, k1, k2, at, blocks, scale, normaliser)
    return sparse.choose(
        q.to(k1.dtype),
        k1,
        k2,
        at,
        scale,
        stride=blocks.stride,
        block=blocks.block,
        initial=blocks.initial,
        local=blocks.local,
        count=blocks.count,
        exact=normaliser == "exact",
    )
