"""Plain torch, on any device."""

import warnings
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from kernels.dense_linear import product
from kernels.native.linear import Native
from kernels.row import Norm, finish, prepare

TILE = 4 * 1024 * 1024
"""Elements dequantised at once: few enough to be small beside the model, many enough for the product's own tiles."""

CARD_TILE = 32 * 1024 * 1024
"""The same on a card, which multiplies so many of those at a time that fewer elements would leave most of it idle."""


def read(x: Tensor, values: Tensor, scales: Tensor, bias: Tensor | None, onto: Tensor | None = None) -> Tensor:
    return by_tiles(lambda own: dequantized(values[own], scales[own]), x, values.shape, bias, onto)


def by_tiles(
    dequantized: Callable[[slice], Tensor],
    x: Tensor,
    shape: tuple[int, ...],
    bias: Tensor | None,
    onto: Tensor | None,
) -> Tensor:
    """`dequantized`: some rows of the weight, whose shape is [N, K]."""
    count, columns = shape
    rows = max(1, (TILE if x.device.type == "cpu" else CARD_TILE) // columns)
    if count <= rows:
        return product(x, dequantized(slice(None)), bias, onto)
    y = x.new_empty(*x.shape[:-1], count)
    for first in range(0, count, rows):
        own = slice(first, min(first + rows, count))
        y[..., own] = functional.linear(x, dequantized(own), None if bias is None else bias[own])
    return y if onto is None else onto.add_(y)


def dequantized(values: Tensor, scales: Tensor) -> Tensor:
    """[N, K] in the dtype of the scales."""
    return values.to(scales.dtype).mul_(scales[:, None])


class Tiles:
    """Dequantises as reading does. Runs everywhere."""

    extra = 0
    """Bytes beside the weight itself."""

    def __init__(self, values: Tensor, scales: Tensor, bias: Tensor | None) -> None:
        self._bias = bias
        self._values, self._scales = values, scales

    def __call__(self, x: Tensor, norm: Norm | None, gated: bool, onto: Tensor | None) -> Tensor:
        x, factor = prepare(x, norm, gated)
        return finish(read(x.to(self._scales.dtype), self._values, self._scales, None), factor, self._bias, onto)


class Fused:
    """Converts int8 on its way to the multiplier. Vectorised for bf16 on x86 under Linux; elsewhere it may be slow."""

    extra = 0

    def __init__(self, values: Tensor, scales: Tensor, bias: Tensor | None) -> None:
        self._bias = bias
        self._values, self._scales = values, scales
        self._multiply = torch.ops.aten._weight_int8pack_mm.default

    def __call__(self, x: Tensor, norm: Norm | None, gated: bool, onto: Tensor | None) -> Tensor:
        x, factor = prepare(x, norm, gated)
        return finish(self._multiply(x.to(self._scales.dtype), self._values, self._scales), factor, self._bias, onto)


class Integer:
    """Takes each row of x apart into digits of 8 bits, the columns of a matrix that the weight multiplies from the left
    in integers. Nothing is repacked, so the weight streams; and nothing is rounded but x, to `digits` bytes."""

    extra = 0

    def __init__(self, values: Tensor, scales: Tensor, bias: Tensor | None) -> None:
        self._bias = bias
        self._values = values
        self._scales = scales.float()
        digits = 2 if scales.dtype is torch.bfloat16 else 3
        # Each digit d is stored as d + 128, so that a sum of digits is one unsigned number; flipping the top bits of
        # its bytes gives the signed digits back
        self._signs = sum(0x80 << 8 * place for place in range(digits))
        self._largest = sum(0x7F << 8 * place for place in range(digits)) - digits
        self._offset = torch.tensor([self._signs + 0.5 * (digits == 2)], device=values.device)
        self._digits = digits
        self._zero = self._offset.new_zeros(1)

    def __call__(self, x: Tensor, norm: Norm | None, gated: bool, onto: Tensor | None) -> Tensor:
        if len(x) > 1:
            rows = [None] * len(x) if onto is None else onto.split(1)
            return torch.cat([self(row, norm, gated, base) for row, base in zip(x.split(1), rows, strict=True)])
        x, factor = prepare(x, norm, gated)
        row = x[0]
        largest = row.abs().max().item()
        if not 0 < largest < torch.inf:
            return finish(x.new_full((1, len(self._scales)), largest * 0), factor, self._bias, onto)
        steps = self._largest / largest
        whole = torch.add(self._offset, row, alpha=steps).to(torch.int32)
        digits = whole.bitwise_xor_(self._signs).view(torch.int8).view(-1, 4)
        sums = torch._int_mm(self._values, digits).float()  # [N, 4]
        total = torch.add(sums[:, 0], sums[:, 1], alpha=256)
        if self._digits == 3:
            total = total.add_(sums[:, 2], alpha=65536)
        y = torch.addcmul(self._zero if onto is None else onto, total[None], self._scales, value=factor / steps)
        return y if self._bias is None else y.add_(self._bias)


class Dynamic:
    """Rounds the activations to 8 bits, with one scale a call. Keeps a packed copy of the weight."""

    def __init__(self, values: Tensor, scales: Tensor, bias: Tensor | None) -> None:
        self._bias = bias
        if values.device.type != "cpu":
            raise RuntimeError("packed weights are for CPUs")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*quantized tensor creation.*", category=UserWarning)
            zeros = torch.zeros(len(scales), dtype=torch.int64)
            weight = torch._make_per_channel_quantized_tensor(values, scales.double(), zeros, 0)
            self._packed = torch.ops.quantized.linear_prepack(weight, None)
        self._multiply = torch.ops.quantized.linear_dynamic.default
        self.extra = values.nbytes

    def __call__(self, x: Tensor, norm: Norm | None, gated: bool, onto: Tensor | None) -> Tensor:
        x, factor = prepare(x, norm, gated)
        return finish(self._multiply(x, self._packed, False), factor, self._bias, onto)


PRODUCTS: dict[str, Callable[[Tensor, Tensor, Tensor | None], Native | Integer | Fused | Dynamic | Tiles]] = {
    "native": Native,
    "integer": Integer,
    "fused": Fused,
    "dynamic": Dynamic,
    "tiles": Tiles,
}
"""Ways to write, by the name that the ledger shows."""
