"""The parts of a decoder layer: products, norms, the gated MLP.

A product has two forms: `read` for many tokens at once, limited by arithmetic, and `write` for one, limited by memory.
"""

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

from kernels import row, row_wise
from kernels.native.program import interrupted
from kernels.stacked_linear import Part


class Linear(Protocol):
    """x [..., in] -> [..., out], with the bias already added: `kernels.dense_linear`, `kernels.low_bit_linear`,
    `kernels.group_linear`, or `kernels.stacked_linear` of these."""

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

    @property
    def parts(self) -> Sequence[Part]:
        """What it is made of: of one weight, itself."""
        ...


class Embedding:
    """Rows of [vocab, hidden]; int8 rows carry one scale each, [vocab]. `scale`: of all that is taken from it."""

    def __init__(self, rows: Tensor, scales: Tensor | None, dtype: torch.dtype, scale: float = 1.0) -> None:
        self.rows = rows
        self.scales = scales
        self.dtype = dtype
        self.scale = scale

    def __call__(self, ids: Tensor) -> Tensor:
        """ids [...] -> [..., hidden]."""
        rows = self.rows[ids]
        if self.scales is not None:
            rows = rows.to(self.dtype) * self.scales[ids].to(self.dtype)[..., None]
        return rows if self.scale == 1 else rows * self.scale


class Norm:
    """x / sqrt(mean(x^2) + epsilon) * weight over the last dimension (arXiv 1910.07467), the mean in fp32."""

    def __init__(self, weight: Tensor, epsilon: float) -> None:
        self.weight = weight
        self.row = row.Norm(weight.float(), epsilon)
        """For products that norm what they multiply."""

    def __call__(self, x: Tensor) -> Tensor:
        return row_wise.norm(x, self.row)


class MLP:
    """down(silu(gate(x)) * up(x)). `gate_up` holds both matrices, gate's rows first: one product instead of two.
    `scale`: of what is added to x."""

    def __init__(self, gate_up: Linear, down: Linear, scale: float = 1.0) -> None:
        self.gate_up = gate_up
        self.down = down
        self.scale = scale

    def read(self, x: Tensor, norm: Norm) -> Tensor:
        """x + scale * the MLP of its norm; x is changed."""
        return added(self.down, row_wise.gate(self.gate_up.read(norm(x))), x, self.scale)

    def write(self, x: Tensor, norm: Norm) -> Tensor:
        """x + scale * the MLP of its norm, fp32 [B, hidden]."""
        inner = self.gate_up.write(x, norm.row)
        if self.scale == 1:
            return self.down.write(inner, gated=True, onto=x)
        return plus(x, self.down.write(inner, gated=True), self.scale)


def added(linear: Linear, x: Tensor, onto: Tensor, scale: float) -> Tensor:
    """onto + scale * the product of x; `onto` is changed."""
    return linear.read(x, onto=onto) if scale == 1 else onto.add_(linear.read(x), alpha=scale)


def plus(x: Tensor, branch: Tensor, scale: float) -> Tensor:
    """x + scale * branch, for one token: an operation that is not recorded with the others of a token."""
    interrupted()
    return torch.add(x, branch, alpha=scale)
