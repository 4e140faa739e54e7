"""The compiled form for CPUs: every value is fetched and stored once, where torch takes several passes."""

import torch
from torch import Tensor

from kernels.native import library
from kernels.row import Norm
from kernels.row_wise import cpu

_library = library()
BITS = {torch.bfloat16: 16, torch.float32: 32}
LANES = 16


def norm(x: Tensor, norm: Norm) -> Tensor:
    width = x.shape[-1]
    if width % LANES or x.dtype not in BITS:
        return cpu.norm(x, norm)
    x = x.contiguous()
    y = torch.empty_like(x)
    threads = torch.get_num_threads()
    _library.norm_rows(
        *(BITS[x.dtype], x.data_ptr(), x.numel() // width, width),
        *(norm.gain.data_ptr(), norm.epsilon, y.data_ptr(), threads),
    )
    return y


def gate(x: Tensor) -> Tensor:
    width = x.shape[-1] // 2
    if width % LANES or x.dtype not in BITS:
        return cpu.gate(x)
    x = x.contiguous()
    y = x.new_empty(*x.shape[:-1], width)
    _library.gate_rows(BITS[x.dtype], x.data_ptr(), y.numel() // width, width, y.data_ptr(), torch.get_num_threads())
    return y


def turn(heads: Tensor, count: int, norm: Norm | None, cos: Tensor, sin: Tensor) -> Tensor:
    batch, tokens, every, width = heads.shape
    if width % (2 * LANES) or heads.dtype not in BITS:
        return cpu.turn(heads, count, norm, cos, sin)
    heads = heads.contiguous()
    cos, sin = cos.to(heads.dtype).contiguous(), sin.to(heads.dtype).contiguous()
    gain, epsilon = (None, 0.0) if norm is None else (norm.gain.data_ptr(), norm.epsilon)
    _library.turn_rows(
        *(BITS[heads.dtype], heads.data_ptr(), batch * tokens, every * width, count, width),
        *(gain, epsilon, cos.data_ptr(), sin.data_ptr(), tokens, torch.get_num_threads()),
    )
    return heads
