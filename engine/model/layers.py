"""The parts of a decoder layer: products, norms, the gated MLP.

A product has two forms: `read` for many tokens at once, limited by arithmetic, and `write` for one, limited by memory.
"""

from typing import Protocol

import torch
from torch import Tensor

from kernels import row, row_wise


class Linear(Protocol):
    """x [..., in] -> [..., out], with the bias already added: `kernels.dense_linear` or `kernels.low_bit_linear`."""

    def read(self, x: Tensor, onto: Tensor | None = None) -> Tensor:
        """onto + the product; `onto` is changed."""
        ...

    def write(self, x: Tensor, norm: row.Norm | None = None, gated: bool = False, onto: Tensor | None = None) -> Tensor:
        """onto + the product of x, normed or gated first, in fp32 from fp32."""
        ...

    @property
    def nbytes(self) -> int: ...

    @property
    def columns(self) -> int: ...

    products: tuple[str, ...]
    """Ways to compute `write`, one of which is in use."""
    product: str

    def use(self, product: str) -> None: ...


class Embedding:
    """Rows of [vocab, hidden]; int8 rows carry one scale each, [vocab]."""

    def __init__(self, rows: Tensor, scales: Tensor | None, dtype: torch.dtype) -> None:
        self.rows = rows
        self.scales = scales
        self.dtype = dtype

    def __call__(self, ids: Tensor) -> Tensor:
        """ids [...] -> [..., hidden]."""
        rows = self.rows[ids]
        if self.scales is None:
            return rows
        return rows.to(self.dtype) * self.scales[ids].to(self.dtype)[..., None]


class Norm:
    """x / sqrt(mean(x^2) + epsilon) * weight over the last dimension (arXiv 1910.07467), the mean in fp32."""

    def __init__(self, weight: Tensor, epsilon: float) -> None:
        self.weight = weight
        self.row = row.Norm(weight.float(), epsilon)
        """For products that norm what they multiply."""

    def __call__(self, x: Tensor) -> Tensor:
        return row_wise.norm(x, self.row)


class MLP:
    """down(silu(gate(x)) * up(x)). `gate_up` holds both matrices, gate's rows first: one product instead of two."""

    def __init__(self, gate_up: Linear, down: Linear) -> None:
        self.gate_up = gate_up
        self.down = down

    def read(self, x: Tensor, norm: Norm) -> Tensor:
        """x + the MLP of its norm; x is changed."""
        return self.down.read(row_wise.gate(self.gate_up.read(norm(x))), onto=x)

    def write(self, x: Tensor, norm: Norm) -> Tensor:
        """x + the MLP of its norm, fp32 [B, hidden]."""
        return self.down.write(self.gate_up.write(x, norm.row), gated=True, onto=x)
