"""Blocks of 4 bits of a GGUF file as groups of 32 columns: moved, never rounded again.

Q4_0 and Q4_1 lie in their blocks as they lie in groups; Q4_K, with eight groups in a superblock whose scales are six
bits of it, is taken apart. Layouts: https://github.com/ggml-org/ggml (MIT), ggml-common.h.
"""

import torch
from torch import Tensor

from kernels.group_linear.packing import BLOCK, Groups, packed

KINDS = ("Q4_0", "Q4_1", "Q4_K")
SUPERBLOCK = 256


def groups(rows: Tensor, kind: str) -> Groups:
    """uint8 [rows, bytes of a row], contiguous."""
    return _q4_k(rows) if kind == "Q4_K" else _q4(rows, least=kind == "Q4_1")


def _q4(rows: Tensor, *, least: bool) -> Groups:
    """Blocks of a scale, with Q4_1 the value of step 0, and 16 bytes. With Q4_0 step 8 is zero."""
    head = 4 if least else 2
    blocks = rows.unflatten(1, (-1, head + BLOCK // 2))
    numbers = blocks[:, :, :head].contiguous().view(torch.float16)
    scales = numbers[:, :, 0].contiguous()
    return Groups(
        blocks[:, :, head:].flatten(1), scales, numbers[:, :, 1].contiguous() if least else scales * -8, BLOCK
    )


def _q4_k(rows: Tensor) -> Groups:
    """Superblocks of a scale and a least value for all, six bits of each for every group, and 128 bytes: 32 of them
    hold a group in their low halves and the next in their high ones."""
    blocks = rows.unflatten(1, (-1, 16 + SUPERBLOCK // 2))
    whole, least = blocks[:, :, :4].contiguous().view(torch.float16).float().split(1, -1)
    a, b, c = blocks[:, :, 4:16].int().split(4, -1)
    # The first four groups' bits stand together; of the others the last four do, and the first two above a's and b's
    scales = torch.cat((a & 63, c & 15 | a >> 6 << 4), -1) * whole
    leasts = torch.cat((b & 63, c >> 4 | b >> 6 << 4), -1) * -least
    pairs = blocks[:, :, 16:].unflatten(-1, (4, 1, BLOCK))
    steps = torch.cat((pairs & 15, pairs >> 4), -2).flatten(1)
    return Groups(packed(steps), scales.half().flatten(1), leasts.half().flatten(1), BLOCK)
