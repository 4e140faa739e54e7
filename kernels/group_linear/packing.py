"""Weights in groups: how they lie in memory."""

from typing import NamedTuple

import torch
from torch import Tensor

BLOCK = 32
"""Columns that are packed together, 4-bit steps in 16 bytes; groups are a multiple of it."""


class Groups(NamedTuple):
    """A weight [N, K]: at row n and column order[c] it is values[n, c] * scales[n, g] + least[n, g], g = c // group.

    `values` uint8: a step a byte [N, K], or two a byte [N, K / 2], where byte b of a block of 32 columns holds the
    steps of columns b (its low half) and b + 16. `scales` and `least` fp16 [N, K / group]. `order` int32 [K], or None
    where the columns stand in their own order. All contiguous.
    """

    values: Tensor
    scales: Tensor
    least: Tensor
    group: int
    order: Tensor | None = None

    @property
    def rows(self) -> int:
        return self.values.shape[0]

    @property
    def columns(self) -> int:
        return self.scales.shape[1] * self.group

    @property
    def bits(self) -> int:
        return 8 * self.values.shape[1] // self.columns

    @property
    def nbytes(self) -> int:
        order = 0 if self.order is None else self.order.nbytes
        return self.values.nbytes + self.scales.nbytes + self.least.nbytes + order

    def some(self, own: slice) -> "Groups":
        """Some of its rows."""
        return self._replace(values=self.values[own], scales=self.scales[own], least=self.least[own])

    def steps(self) -> Tensor:
        """uint8 [N, K], a step a byte."""
        return unpacked(self.values) if self.bits == 4 else self.values

    def in_order(self, x: Tensor) -> Tensor:
        """x [..., K] with its columns in the order of the weight's."""
        return x if self.order is None else x.index_select(-1, self.order)


def packed(steps: Tensor) -> Tensor:
    """Steps 0..15, uint8 [N, K] -> two a byte [N, K / 2]."""
    halves = steps.unflatten(1, (-1, 2, BLOCK // 2))
    return (halves[:, :, 0] | halves[:, :, 1] << 4).flatten(1)


def unpacked(values: Tensor) -> Tensor:
    """The inverse: [N, K / 2] -> [N, K]."""
    blocks = values.unflatten(1, (-1, BLOCK // 2))
    return torch.stack((blocks & 15, blocks >> 4), 2).flatten(1)
