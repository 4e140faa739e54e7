"""What products do to the one row that they multiply, and to their result: shared by all that write tokens.

A layer's product is often of the norm of its input (RMSNorm), or of silu(gate) * up of the product before; and its
result is often added to the residual. A compiled kernel does that in passing; torch's products by way of these.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

Place = int | Tensor
"""Which row of a cache a written token is: a number, or int64 [1] on the device that holds it. By the tensor, all
operations and their sizes are the same for every row that there is memory for, so that a CUDA graph can repeat them."""


class Norm(NamedTuple):
    """x / sqrt(mean(x^2) + epsilon) * gain; `gain` is fp32 [K]."""

    gain: Tensor
    epsilon: float


def put(rows: Tensor, new: Tensor, at: Place) -> None:
    """Row `at` of rows [B, H, S, ...] becomes `new` [B, H, ...], in the dtype of the rows."""
    if isinstance(at, Tensor):
        rows.index_copy_(2, at, new.to(rows.dtype).unsqueeze(2))
    else:
        rows.select(2, at).copy_(new)


def prepare(x: Tensor, norm: Norm | None, gated: bool) -> tuple[Tensor, float]:
    """fp32 x [B, K], or [B, 2 K] when gated, as a tensor [B, K] and a factor on the result of the product.

    One row on a CPU is spared most of its norm by the factor; anywhere else the factor is 1.
    """
    if gated:
        gate, up = x.chunk(2, -1)
        return functional.silu(gate).mul_(up), 1.0
    if norm is None:
        return x, 1.0
    if len(x) > 1 or x.device.type != "cpu":
        return functional.rms_norm(x, (x.shape[-1],), norm.gain, norm.epsilon), 1.0
    row = x[0]
    mean = row.dot(row).item() / len(row)
    return x * norm.gain, (mean + norm.epsilon) ** -0.5


def finish(y: Tensor, factor: float, bias: Tensor | None, onto: Tensor | None) -> Tensor:
    """onto + factor * y + bias in fp32."""
    if onto is not None:
        y = torch.add(onto, y, alpha=factor)
    else:
        y = y.float() if factor == 1.0 else y.float().mul_(factor)
    return y if bias is None else y.add_(bias)
