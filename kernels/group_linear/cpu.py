"""Plain torch, on any device."""

from collections.abc import Callable

import torch
from torch import Tensor

from kernels.group_linear.packing import Groups
from kernels.low_bit_linear.cpu import by_tiles
from kernels.native.linear import NativeGroups
from kernels.row import Norm, finish, prepare


def read(x: Tensor, weight: Groups, bias: Tensor | None, onto: Tensor | None = None) -> Tensor:
    return by_tiles(
        *(lambda own: dequantized(weight.some(own), x.dtype), weight.in_order(x)),
        *((weight.rows, weight.columns), bias, onto),
    )


def dequantized(weight: Groups, dtype: torch.dtype) -> Tensor:
    """[N, K] in the weight's order of columns, rounded once."""
    steps = weight.steps().float().unflatten(1, (-1, weight.group))
    least, scales = weight.least.float()[:, :, None], weight.scales.float()[:, :, None]
    return torch.addcmul(least, steps, scales).flatten(1).to(dtype)


class Tiles:
    """Dequantises as reading does. Runs everywhere."""

    extra = 0
    """Bytes beside the weight itself."""

    def __init__(self, weight: Groups, dtype: torch.dtype, bias: Tensor | None) -> None:
        self._weight, self._dtype, self._bias = weight, dtype, bias

    def __call__(self, x: Tensor, norm: Norm | None, gated: bool, onto: Tensor | None) -> Tensor:
        x, factor = prepare(x, norm, gated)
        return finish(read(x.to(self._dtype), self._weight, None), factor, self._bias, onto)


class Fused:
    """Torch's own product with 4 bits. Keeps a packed copy of the weight, whose scales are in the dtype of x."""

    def __init__(self, weight: Groups, dtype: torch.dtype, bias: Tensor | None) -> None:
        if weight.bits != 4 or weight.values.device.type != "cpu":
            raise RuntimeError("torch has no such product here")
        self._weight, self._dtype, self._bias = weight, dtype, bias
        self._packed = torch.ops.aten._convert_weight_to_int4pack_for_cpu(weight.steps().int(), 1)
        # Torch's own zero is the value of step 8
        zeros = torch.add(weight.least.float(), weight.scales.float(), alpha=8)
        self._scales = torch.stack((weight.scales.float(), zeros), -1).transpose(0, 1).contiguous().to(dtype)
        self._multiply = torch.ops.aten._weight_int4pack_mm_for_cpu.default
        self.extra = self._packed.nbytes + self._scales.nbytes

    def __call__(self, x: Tensor, norm: Norm | None, gated: bool, onto: Tensor | None) -> Tensor:
        x, factor = prepare(x, norm, gated)
        x = self._weight.in_order(x.to(self._dtype))
        return finish(self._multiply(x, self._packed, self._weight.group, self._scales), factor, self._bias, onto)


PRODUCTS: dict[str, Callable[[Groups, torch.dtype, Tensor | None], NativeGroups | Fused | Tiles]] = {
    "native": NativeGroups,
    "fused": Fused,
    "tiles": Tiles,
}
"""Ways to write, by the name that the ledger shows."""
