"""The compiled product of one row with a weight of int8, bf16 or fp32, or in groups of 4 or 8 bits."""

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from kernels.native import library
from kernels.native.program import BITS, GATED, LINEAR, NORMED, PLAIN, Operation, floats, interrupted, run
from kernels.row import Norm

if TYPE_CHECKING:
    from kernels.group_linear.packing import Groups


class Native:
    """weight [N, K] contiguous on the CPU, `scales` and `bias` [N]. Raises Unavailable, or RuntimeError for a weight
    that the library does not take."""

    extra = 0
    """Bytes beside the weight itself."""

    def __init__(self, weight: Tensor, scales: Tensor | None, bias: Tensor | None) -> None:
        if weight.device.type != "cpu" or weight.dtype not in BITS or not weight.is_contiguous():
            raise RuntimeError("compiled products are for CPUs")
        library()
        rows, columns = weight.shape
        self._rows = rows
        # Kept here for as long as their addresses are
        self._kept = weight, *(None if part is None else part.float() for part in (scales, bias))
        weight_at, scales_at, bias_at = (None if part is None else part.data_ptr() for part in self._kept)
        self._operation = Operation(
            kind=LINEAR, bits=BITS[weight.dtype], n=rows, k=columns, weight=weight_at, scales=scales_at, bias=bias_at
        )

    def __call__(
        self, x: Tensor, norm: Norm | None, gated: bool, onto: Tensor | None, y: Tensor | None = None
    ) -> Tensor:
        """`y`: where the result of one row is to be, contiguous fp32 [1, N]."""
        if len(x) > 1:
            interrupted()
            bases = [None] * len(x) if onto is None else onto.split(1)
            return torch.cat([self(row, norm, gated, base) for row, base in zip(x.split(1), bases, strict=True)])
        x = floats(x)
        onto = None if onto is None else floats(onto)
        y = x.new_empty(1, self._rows) if y is None else y
        operation = self._operation
        operation.mode = GATED if gated else PLAIN if norm is None else NORMED
        operation.gain, operation.epsilon = (None, 0.0) if norm is None else (norm.gain.data_ptr(), norm.epsilon)
        operation.x = x.data_ptr()
        operation.onto = None if onto is None else onto.data_ptr()
        operation.y = y.data_ptr()
        run(operation, 0, x, onto, y, None if norm is None else norm.gain)
        return y


class NativeGroups(Native):
    """weight [N, K] contiguous on the CPU, bias [N]; raises as `Native`."""

    def __init__(self, weight: "Groups", dtype: torch.dtype, bias: Tensor | None) -> None:
        if weight.values.device.type != "cpu":
            raise RuntimeError("compiled products are for CPUs")
        library()
        self._rows = weight.rows
        self._kept = weight, None if bias is None else bias.float()
        bias_at, order_at = (None if part is None else part.data_ptr() for part in (self._kept[1], weight.order))
        self._operation = Operation(
            kind=LINEAR,
            bits=weight.bits,
            n=weight.rows,
            k=weight.columns,
            group=weight.group,
            weight=weight.values.data_ptr(),
            scales=weight.scales.data_ptr(),
            least=weight.least.data_ptr(),
            order=order_at,
            bias=bias_at,
        )
