"""Weights of different forms that share their input, as one product: the rows of each in turn."""

from collections.abc import Sequence

import torch
from torch import Tensor

from kernels.dense_linear import DenseLinear
from kernels.group_linear import GroupLinear
from kernels.low_bit_linear import Int8Linear
from kernels.native.linear import Native
from kernels.native.program import floats, interrupted
from kernels.row import Norm

Part = DenseLinear | Int8Linear | GroupLinear


class StackedLinear:
    """x [..., K] -> [..., N], N the sum of the parts' own. How each part computes is chosen part by part."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(parts)
        self.rows = sum(part.rows for part in parts)

    @property
    def columns(self) -> int:
        return self.parts[0].columns

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in self.parts)

    def read(self, x: Tensor, onto: Tensor | None = None) -> Tensor:
        """onto + x @ weight.T + bias; `onto` is changed and returned."""
        y = torch.cat([part.read(x) for part in self.parts], -1)
        return y if onto is None else onto.add_(y)

    def write(self, x: Tensor, norm: Norm | None = None, gated: bool = False, onto: Tensor | None = None) -> Tensor:
        """x [B, K], normed or gated first as in `kernels.row` -> onto + x @ weight.T + bias [B, N], all fp32."""
        y = x.new_empty(len(x), self.rows, dtype=torch.float32)
        onto = None if onto is None else floats(onto)
        at = 0
        for part in self.parts:
            own = slice(at, at + part.rows)
            base = None if onto is None else onto[:, own]
            if len(x) == 1 and isinstance(part.chosen, Native):
                part.chosen(x, norm, gated, base, y[:, own])
            else:
                interrupted()
                y[:, own] = part.write(x, norm, gated, base)
            at = own.stop
        return y
