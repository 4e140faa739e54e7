"""The compiled product of one row with a weight of int8, bf16 or fp32."""

import torch
from torch import Tensor

from kernels.native import library
from kernels.row import Norm

BITS = {torch.int8: 8, torch.bfloat16: 16, torch.float32: 32}


class Native:
    """weight [N, K] contiguous on the CPU, `scales` fp32 [N] or None. Raises Unavailable, or RuntimeError for a weight
    that the library does not take."""

    extra = 0
    """Bytes beside the weight itself."""

    def __init__(self, weight: Tensor, scales: Tensor | None = None) -> None:
        if weight.device.type != "cpu" or weight.dtype not in BITS or not weight.is_contiguous():
            raise RuntimeError("compiled products are for CPUs")
        self._linear = library().linear
        # Kept here for as long as their addresses are
        self._weight, self._scales = weight, None if scales is None else scales.float()
        self._bits = BITS[weight.dtype]
        self._fixed = (self._bits, weight.data_ptr(), None if self._scales is None else self._scales.data_ptr())
        self._rows, self._columns = weight.shape
        self._threads = torch.get_num_threads()
        self._room = torch.empty(self._threads, self._columns)

    def __call__(self, x: Tensor, norm: Norm | None, gated: bool, onto: Tensor | None) -> Tensor:
        if len(x) > 1:
            bases = [None] * len(x) if onto is None else onto.split(1)
            return torch.cat([self(row, norm, gated, base) for row, base in zip(x.split(1), bases, strict=True)])
        x = floats(x)
        y = x.new_empty(1, self._rows)
        base = None if onto is None else floats(onto)
        gain, epsilon = (None, 0.0) if norm is None else (norm.gain.data_ptr(), norm.epsilon)
        self._linear(
            *self._fixed,
            self._rows,
            self._columns,
            x.data_ptr(),
            2 if gated else int(norm is not None),
            gain,
            epsilon,
            None if base is None else base.data_ptr(),
            self._room.data_ptr(),
            y.data_ptr(),
            self._threads,
        )
        return y


def floats(x: Tensor) -> Tensor:
    """Contiguous fp32, which is what C takes anything for."""
    return x if x.dtype is torch.float32 and x.is_contiguous() else x.float().contiguous()
