"""Plain torch, on any device."""

import warnings
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

TILE = 4 * 1024 * 1024
"""Elements dequantised at once: few enough to be small beside the model, many enough for the product's own tiles."""

DEFAULT = "tiles"


def read(x: Tensor, values: Tensor, scales: Tensor, bias: Tensor | None) -> Tensor:
    rows = max(1, TILE // values.shape[1])
    if values.shape[0] <= rows:
        return functional.linear(x, dequantized(values, scales), bias)
    y = x.new_empty(*x.shape[:-1], values.shape[0])
    for first in range(0, values.shape[0], rows):
        own = slice(first, min(first + rows, values.shape[0]))
        tile = dequantized(values[own], scales[own])
        y[..., own] = functional.linear(x, tile, None if bias is None else bias[own])
    return y


def dequantized(values: Tensor, scales: Tensor) -> Tensor:
    """[N, K] in the dtype of the scales."""
    return values.to(scales.dtype).mul_(scales[:, None])


class Tiles:
    """Dequantises as reading does. Runs everywhere."""

    extra = 0
    """Bytes beside the weight itself."""

    def __init__(self, values: Tensor, scales: Tensor) -> None:
        self._values, self._scales = values, scales

    def __call__(self, x: Tensor) -> Tensor:
        return read(x, self._values, self._scales, None)


class Fused:
    """Converts int8 on its way to the multiplier. Vectorised for bf16 on x86 under Linux; elsewhere it may be slow."""

    extra = 0

    def __init__(self, values: Tensor, scales: Tensor) -> None:
        self._values, self._scales = values, scales
        self._multiply = torch.ops.aten._weight_int8pack_mm.default

    def __call__(self, x: Tensor) -> Tensor:
        return self._multiply(x, self._values, self._scales)


class Dynamic:
    """Rounds the activations to 8 bits too, with one scale a call. Keeps a packed copy of the weight."""

    def __init__(self, values: Tensor, scales: Tensor) -> None:
        if values.device.type != "cpu":
            raise RuntimeError("packed weights are for CPUs")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*quantized tensor creation.*", category=UserWarning)
            zeros = torch.zeros(len(scales), dtype=torch.int64)
            weight = torch._make_per_channel_quantized_tensor(values, scales.double(), zeros, 0)
            self._packed = torch.ops.quantized.linear_prepack(weight, None)
        self._multiply = torch.ops.quantized.linear_dynamic.default
        self.extra = values.nbytes

    def __call__(self, x: Tensor) -> Tensor:
        return self._multiply(x.float(), self._packed, False).to(x.dtype)


PRODUCTS: dict[str, Callable[[Tensor, Tensor], Tiles | Fused | Dynamic]] = {
    "fused": Fused,
    "dynamic": Dynamic,
    "tiles": Tiles,
}
"""Ways to write, by the name that the ledger shows."""
